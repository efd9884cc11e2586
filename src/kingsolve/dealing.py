"""Deals of a variant: random ones keyed by (seed, number), and every deal by a number of its own.

The same seed gives the same deals everywhere. A deal's own number counts all the ways in which the pack can
lie in the hands, 0 to `deal_count` - 1: below 2**57 for 32 cards and four seats, 2**52 for 36 and three,
2**96 for 52 and four. A variant is given as such, by its id or by a path, as to `load_variant`.
"""

from collections.abc import Callable
from math import comb

import numpy as np

from .cards import SEATS, bits_of, card_name, parse_seat
from .deal import Deal
from .errors import DealError, MatchError, require
from .variants import Variant, as_variant

MAX_SEED = 2**64 - 1


def random_deal(variant: Variant | str, *, seed: int, number: int, dealer: str | None = None) -> Deal:
    """Deal `number` of `seed`: random hands in the variant's way of dealing, with the order dealt.

    Cards go from eldest in the direction of play, `packet` at a time; what is left over stays out. The
    dealer is drawn with the deal when None. Raises MatchError for a seed or number outside 0 .. 2**64-1.

    >>> random_deal("russian-14", seed=1, number=1, dealer="N").order[1][:3]
    ('Jd', 'Kc', 'Qh')
    """
    variant = as_variant(variant)
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
    return Deal(tuple(sum(1 << bit for bit in hand) for hand in hands), SEATS[seat], order)


def deal_count(variant: Variant | str) -> int:
    """How many deals there are: ways to give every seat its hand, the order within hands not counted.

    >>> deal_count("russian-14")
    99561092450391000
    """
    variant = as_variant(variant)
    left, count = variant.pack.bit_count(), 1
    for _ in range(variant.seats):
        count *= comb(left, variant.hand_size)
        left -= variant.hand_size
    return count


def deal_number(variant: Variant | str, deal: Deal) -> int:
    """The deal's own number, 0 .. deal_count - 1: `numbered_deal` gives its hands back.

    The first seat's hand counts most; each hand is a combination of the cards that earlier seats left
    (combinatorial number system, D. E. Knuth, TAOCP 4A, 7.2.1.3). Raises DealError for hands that are no
    whole deal of the variant.
    """
    variant = as_variant(variant)
    require(deal, Deal, DealError)
    deal.check(variant.pack)
    sizes = {hand.bit_count() if hand is not None else None for hand in deal.hands}
    if deal.seats != variant.seats or sizes != {variant.hand_size}:
        msg = f"expected {variant.seats} whole hands of {variant.hand_size} cards, got {deal.pbn()!r}"
        raise DealError(msg)
    number = 0
    left = list(bits_of(variant.pack))
    for hand in deal.hands:
        assert hand is not None
        number *= comb(len(left), variant.hand_size)
        places = [place for place, bit in enumerate(left) if hand >> bit & 1]
        number += sum(comb(place, held) for held, place in enumerate(places, 1))
        left = [bit for bit in left if not hand >> bit & 1]
    return number


def numbered_deal(variant: Variant | str, number: int, *, dealer: str | None = None) -> Deal:
    """The deal whose own number is `number`; the order in which cards were dealt is no part of it.

    Raises DealError for a number outside 0 .. deal_count - 1.

    >>> numbered_deal("russian-14", 12345678901234567).pbn()
    'N:8.KJT.AK87. T.AQ87.Q9.J Q9.9.T.AK87 AKJ7..J.QT9'
    >>> deal_number("russian-14", numbered_deal("russian-14", 12345678901234567))
    12345678901234567
    """
    variant = as_variant(variant)
    if type(number) is not int or not 0 <= number < deal_count(variant):
        msg = f"expected a deal's number from 0 to {deal_count(variant) - 1} ({variant.id}), got {number!r}"
        raise DealError(msg)
    seat = None if dealer is None else SEATS[parse_seat(dealer, variant.seats)]
    size, total = variant.hand_size, variant.pack.bit_count()
    ranks: list[int] = []
    for turn in reversed(range(variant.seats)):
        number, rank = divmod(number, comb(total - turn * size, size))
        ranks.insert(0, rank)
    left = list(bits_of(variant.pack))
    hands = []
    for rank in ranks:
        place, taken = len(left), set()
        for held in range(size, 0, -1):
            place -= 1
            while comb(place, held) > rank:
                place -= 1
            rank -= comb(place, held)
            taken.add(place)
        hands.append(sum(1 << left[place] for place in taken))
        left = [bit for place, bit in enumerate(left) if place not in taken]
    return Deal(tuple(hands), seat)


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
