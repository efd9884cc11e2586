"""Random deals of a variant, keyed by (seed, deal number): the same seed gives the same deals everywhere."""

from collections.abc import Callable

import numpy as np

from .cards import SEATS, bits_of, card_name, mask_of, parse_seat
from .deal import Deal
from .errors import MatchError
from .variants import Variant

MAX_SEED = 2**64 - 1


def random_deal(variant: Variant, *, seed: int, number: int, dealer: str | None = None) -> Deal:
    """Deal `number` of `seed`: random hands in the variant's way of dealing, with the order dealt.

    Cards go from eldest in the direction of play, `packet` at a time; what is left over stays out. The
    dealer is drawn with the deal when None. Raises MatchError for a seed or number outside 0 .. 2**64-1.

    >>> from kingsolve.variants import load_variant
    >>> random_deal(load_variant("russian-14"), seed=1, number=1, dealer="N").order[1][:3]
    ('Jd', 'Kc', 'Qh')
    """
    below = stream(seed, number)
    cards = list(bits_of(variant.pack))
    for i in range(len(cards) - 1, 0, -1):
        j = below(i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    seat = below(variant.seats) if dealer is None else parse_seat(dealer, variant.seats)
    step = 1 if variant.clockwise else -1
    hands: list[list[int]] = [[] for _ in range(variant.seats)]
    at = 0
    for size in _packets(variant.hand_size, variant.packet):
        for turn in range(1, variant.seats + 1):
            hands[(seat + step * turn) % variant.seats] += cards[at : at + size]
            at += size
    order = tuple(tuple(card_name(bit) for bit in hand) for hand in hands)
    return Deal(tuple(mask_of(hand) for hand in order), SEATS[seat], order)


def _packets(hand: int, packet: int) -> list[int]:
    """The sizes of the packets that make up a hand; the last may be smaller."""
    return [min(packet, hand - start) for start in range(0, hand, packet)]


def stream(seed: int, number: int) -> Callable[[int], int]:
    """A function giving uniform ints below its argument, from Philox keyed by seed and number."""
    for what, value in (("seed", seed), ("deal number", number)):
        if type(value) is not int or not 0 <= value <= MAX_SEED:
            msg = f"expected a {what} from 0 to 2**64-1, got {value!r}"
            raise MatchError(msg)
    philox = np.random.Philox(key=np.array([seed, number], dtype=np.uint64))

    def below(n: int) -> int:
        fair = 2**64 - 2**64 % n
        while True:
            word = int(philox.random_raw())
            if word < fair:
                return word % n

    return below
