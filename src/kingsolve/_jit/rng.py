"""Random numbers keyed by (seed, number): Philox4x64-10, and unbiased integers below a bound.

Philox is a counter-based generator (J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random
numbers: as easy as 1, 2, 3", SC 2011): block i of stream (seed, number) is a function of the three, so any
sample can be drawn alone, by any thread, in any order. The words are those of NumPy's `Philox` with
`key=[seed, number]`. Integers below n by D. Lemire, "Fast random integer generation in an interval", ACM
TOMACS 29(1), 2019; a rejected word is replaced by the next of the same stream.

A stream is a uint64[STATE_WORDS] that the caller owns, one a thread; `seek` puts it at the beginning of any
stream.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from .compiling import compiled

STATE_WORDS = 10
"""Seed, number, block counter, words used of the block, the block's four words; of the word that small
choices are being made from, what is left, and for how many."""

_M0, _M1 = np.uint64(0xD2E7470EE14C6C93), np.uint64(0xCA5A826395121157)
_W0, _W1 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBB67AE8584CAA73B)
_ROUNDS = 10
_ZERO, _ONE, _FOUR = np.uint64(0), np.uint64(1), np.uint64(4)


@intrinsic
def high_word(typing_context: Any, a: Any, b: Any) -> Any:
    """The upper 64 bits of the 128-bit product of two uint64."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(arguments[0], wide), builder.zext(arguments[1], wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), generate


@compiled
def philox(c0, c1, c2, c3, k0, k1):
    """The four words of one block: counter words c0 .. c3, key words k0 and k1, all uint64."""
    for _ in range(_ROUNDS):
        high0, low0 = high_word(_M0, c0), _M0 * c0
        high1, low1 = high_word(_M1, c2), _M1 * c2
        c0, c1, c2, c3 = high1 ^ c1 ^ k0, low1, high0 ^ c3 ^ k1, low0
        k0 += _W0
        k1 += _W1
    return c0, c1, c2, c3


@compiled
def seek(state, seed, number):
    """Puts `state` at the beginning of stream (seed, number)."""
    state[0] = seed
    state[1] = number
    state[2] = _ZERO
    state[3] = _FOUR
    state[9] = _ZERO


@compiled
def mixed(seed, hand, seen):
    """A uint64 that looks random, of a seed (uint64), a hand and the cards seen (int64): one for each view.

    SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA
    2014), one step for each of the three.
    """
    word = np.uint64(seed)
    for part in (np.uint64(hand), np.uint64(seen), _ZERO):
        word = (word ^ part) + _W0
        word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        word ^= word >> np.uint64(31)
    return word


@compiled
def next_word(state):
    """The next 64 random bits of the stream, a uint64."""
    used = state[3]
    if used == _FOUR:
        state[2] += _ONE
        a, b, c, d = philox(state[2], _ZERO, _ZERO, _ZERO, state[0], state[1])
        state[4], state[5], state[6], state[7] = a, b, c, d
        used = _ZERO
    state[3] = used + _ONE
    return state[_FOUR + used]


@compiled
def below(state, n):
    """A uniform uint64 below `n` (a uint64 of at least 1), by Lemire's method."""
    word = next_word(state)
    low = word * n
    if low < n:
        floor = (_ZERO - n) % n
        while low < floor:
            word = next_word(state)
            low = word * n
    return high_word(word, n)


@compiled(inline=True)
def small_below(state, n):
    """A uint64 below `n`, at most 52, uniform but for less than 2**-40: one word serves four such choices.

    A choice is the high word of the product, and the low word is as good as new for the next.
    """
    if state[9] == _ZERO:
        state[8] = next_word(state)
        state[9] = _FOUR
    word = state[8]
    state[8] = word * n
    state[9] -= _ONE
    return high_word(word, n)
