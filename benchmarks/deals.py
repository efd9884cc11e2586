"""Seeded random deals shared by the benchmarks: the same seed and number give the same deal everywhere.

The generator is written out here (splitmix64: G. Steele, D. Lea and C. Flood, 2014), since neither Python's
nor NumPy's shuffle promises to stay the same from one version to the next.
"""

from collections.abc import Iterator

from kingsolve import Contract, Position, Variant
from kingsolve.cards import bits_of

_WORD = (1 << 64) - 1


def _words(seed: int, number: int) -> Iterator[int]:
    """An endless stream of 64-bit words that depends on both numbers only."""
    state = (seed * 0x9E3779B97F4A7C15 + number * 0xD1342543DE82EF95 + 1) & _WORD
    while True:
        state = (state + 0x9E3779B97F4A7C15) & _WORD
        z = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & _WORD
        z = (z ^ z >> 27) * 0x94D049BB133111EB & _WORD
        yield z ^ z >> 31


def deal(variant: Variant, seed: int, number: int, cards: int | None = None) -> tuple[int, ...]:
    """Hand masks in seat order: deal `number` of the series `seed`, or an ending of `cards` cards a hand.

    >>> import kingsolve as ks
    >>> from kingsolve.cards import cards_of
    >>> " ".join(cards_of(deal(ks.load_variant("russian-14"), 1, 0, cards=3)[0]))
    'Qd 9d Jc'
    """
    size = variant.hand_size if cards is None else cards
    pack = list(bits_of(variant.pack))
    words = _words(seed, number)
    for i in range(len(pack) - 1, 0, -1):
        # A word of 64 bits modulo at most 52: uneven by less than 2^-58.
        j = next(words) % (i + 1)
        pack[i], pack[j] = pack[j], pack[i]
    hands = (pack[seat * size : (seat + 1) * size] for seat in range(variant.seats))
    return tuple(sum(1 << bit for bit in hand) for hand in hands)


def position(
    variant: Variant, contract: Contract, seed: int, number: int, cards: int | None = None
) -> Position:
    """The deal of that seed and number with the lead passing on from deal to deal, N in deal 0."""
    hands = deal(variant, seed, number, cards)
    return Position.from_masks(contract, hands, leader=number % variant.seats)
