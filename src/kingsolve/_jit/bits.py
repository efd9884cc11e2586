"""Sets of cards as int64 masks: how many, the lowest, the highest.

The masks of kingsolve.cards use bits 0 to 60, so int64 holds every one and arithmetic with plain numbers
stays in integers (Numba makes floats of uint64 with int64).
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from .compiling import compiled

LANE = 0x1FFF


@intrinsic
def popcount(typing_context: Any, cards: Any) -> Any:
    """The number of cards in an int64 mask, as an int64."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@intrinsic
def lowest(typing_context: Any, cards: Any) -> Any:
    """The bit number of the lowest card of an int64 mask that is not empty."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@intrinsic
def highest(typing_context: Any, cards: Any) -> Any:
    """The bit number of the highest card of an int64 mask that is not empty."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        zeros = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))
        return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

    return types.int64(types.int64), generate


@compiled
def lane_of(card):
    """The mask of the suit of a card, given by its bit number."""
    return LANE << (card & 48)


@compiled
def above(card):
    """The cards of its suit above a card, given by its bit number."""
    return (LANE << (card & 48)) & ~((2 << card) - 1)


@compiled
def below(card):
    """The cards of its suit below a card, given by its bit number."""
    return (LANE << (card & 48)) & ((1 << card) - 1)


@compiled
def pick(cards, index):
    """The bit number of card `index` of a mask, counted from the lowest, 0 first."""
    for _ in range(index):
        cards &= cards - 1
    return lowest(cards)
