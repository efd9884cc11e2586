"""Two against two without trumps is bridge: values and CPU time against Bo Haglund's DDS on the same deals.

Needs endplay (extra `bench`), whose wheel brings DDS. One thread each, value only, set-up included, nothing
kept from one deal to the next, the two taking turns deal by deal.
"""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._core import Context
from .cards import bits_of, pack_mask
from .contract import Contract

PACK = pack_mask("2-A")
NOTRUMP = Contract(
    name="notrump", title="", variant="bridge", pack=PACK, seats=4, hand_size=13, trick_points=(1,) * 13
)
MEMORY = 128 << 20
"""Bytes of our table: DDS takes as much for a thread."""

_NO_TRICK = np.zeros(0, np.int32)


@dataclass(frozen=True)
class Comparison:
    """Deals of so many cards a hand solved by both: CPU milliseconds of each solve, and the first deal on
    which they differ, in words."""

    cards: int
    seed: int
    ours: tuple[float, ...]
    theirs: tuple[float, ...]
    different: int
    first_difference: str | None

    @property
    def ratio(self) -> float:
        """Our mean CPU time over DDS's."""
        return sum(self.ours) / max(sum(self.theirs), 1e-9)


def random_hands(rng: random.Random, cards: int) -> tuple[list[int], int]:
    """Four hands of so many cards, as masks, and a leader."""
    bits = rng.sample(list(bits_of(PACK)), 4 * cards)
    return [sum(1 << bit for bit in bits[i::4]) for i in range(4)], rng.randrange(4)


def side_of(leader: int) -> int:
    """The seats of a leader and the one opposite."""
    return 0b0101 if leader % 2 == 0 else 0b1010


def compare(
    *, cards: int, deals: int, seed: int = 1, memory: int = MEMORY, tick: Callable[[], None] | None = None
) -> Comparison:
    """Random deals solved by both. Raises ImportError where endplay is not installed."""
    import endplay._dds as dds

    dds.SetMaxThreads(1)
    context, rng = Context(memory), random.Random(seed)
    ours, theirs, different, first = [], [], 0, None
    for number in range(deals):
        hands, leader = random_hands(rng, cards)
        (mine, my_seconds), (other, seconds) = _ours(context, hands, leader), _theirs(dds, hands, leader)
        if mine != other:
            different += 1
            first = first or f"deal {number}: {mine} tricks by kingsolve, {other} by DDS"
        ours.append(1e3 * my_seconds)
        theirs.append(1e3 * seconds)
        if tick is not None:
            tick()
    return Comparison(cards, seed, tuple(ours), tuple(theirs), different, first)


def _ours(context: Context, hands: list[int], leader: int) -> tuple[int, float]:
    """(tricks of the leader's side, CPU seconds) by kingsolve."""
    masks = np.array(hands, np.uint64)
    side = side_of(leader)
    start = time.process_time()
    context.begin(NOTRUMP.record, side, side)
    low, high, _, _ = context.value(masks, leader, _NO_TRICK, False)
    seconds = time.process_time() - start
    assert low == high
    return low, seconds


def _theirs(dds: Any, hands: list[int], leader: int) -> tuple[int, float]:
    """The same by DDS."""
    deal = dds.deal()
    deal.trump, deal.first = 4, leader
    for i in range(3):
        deal.currentTrickSuit[i] = deal.currentTrickRank[i] = 0
    for seat in range(4):
        for suit in range(4):  # spades first; rank r is bit r
            deal.remainCards[seat][suit] = (hands[seat] >> 16 * (3 - suit) & 0x1FFF) << 2
    future = dds.futureTricks()
    start = time.process_time()
    dds.SolveBoard(deal, -1, 1, 1, future, 0)
    return int(future.score[0]), time.process_time() - start
