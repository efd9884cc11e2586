"""Seeded random deals shared by the benchmarks: those of `kingsolve deal`, the same everywhere."""

from kingsolve import Contract, Position, Variant
from kingsolve.cards import mask_of, parse_seat
from kingsolve.dealing import random_deal


def position(
    variant: Variant, contract: Contract, seed: int, number: int, cards: int | None = None
) -> Position:
    """Deal `number` of the series `seed` with eldest leading, or its ending of `cards` cards a hand: the
    first dealt.

    >>> import kingsolve as ks
    >>> russian = ks.load_variant("russian-14")
    >>> position(russian, russian.contract("no-king"), 1, 1, cards=2)
    Position('no-king', 'N:A..T. .K.7. .A..J ..J.K', leader='W')
    """
    dealt = random_deal(variant, seed=seed, number=number)
    assert dealt.order is not None
    assert dealt.dealer is not None
    hands = (mask_of(hand[:cards]) for hand in dealt.order)
    dealer = parse_seat(dealt.dealer, variant.seats)
    eldest = (dealer + (1 if variant.clockwise else -1)) % variant.seats
    return Position.from_masks(contract, hands, leader=eldest)
