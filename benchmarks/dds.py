"""Two against two without trumps is bridge: values and CPU time against Bo Haglund's DDS, on the same deals,
in one run.

    python benchmarks/dds.py --cards 8 --deals 3000

Needs endplay (extra `bench`), whose wheel brings DDS. One thread each, value only, set-up included, nothing
kept from one deal to the next. Fails if any value differs.
"""

import argparse
import json
import random
import statistics
import sys
import time

import endplay._dds as dds
import numpy as np

from kingsolve import Contract
from kingsolve._core import ISA, Context
from kingsolve.cards import bits_of, pack_mask
from nodes import where

PACK = pack_mask("2-A")
NOTRUMP = Contract(
    name="notrump", title="", variant="bridge", pack=PACK, seats=4, hand_size=13, trick_points=(1,) * 13
)
NO_TRICK = np.zeros(0, np.int32)


def dds_tricks(hands: list[int], leader: int) -> tuple[int, float]:
    """(tricks of the leader's side, CPU seconds) by DDS."""
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


def our_tricks(context: Context, hands: list[int], leader: int) -> tuple[int, float]:
    """(tricks of the leader's side, CPU seconds) by kingsolve."""
    masks = np.array(hands, np.uint64)
    side = 0b0101 if leader % 2 == 0 else 0b1010
    start = time.process_time()
    context.begin(NOTRUMP.record, side, side)
    low, high, _, _ = context.value(masks, leader, NO_TRICK, False)
    seconds = time.process_time() - start
    assert low == high
    return low, seconds


def main() -> int:
    parser = argparse.ArgumentParser(
        description="Values and CPU time against DDS: no trumps, two against two."
    )
    parser.add_argument("--cards", type=int, default=8, help="cards a hand (default: %(default)s)")
    parser.add_argument("--deals", type=int, default=300, help="random deals (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the deals (default: %(default)s)")
    parser.add_argument("--memory", type=int, default=128, help="MiB of our tables (default: %(default)s)")
    options = parser.parse_args()
    dds.SetMaxThreads(1)
    context, rng = Context(options.memory << 20), random.Random(options.seed)
    ours, theirs, different = [], [], 0
    for _ in range(options.deals):
        bits = rng.sample(list(bits_of(PACK)), 4 * options.cards)
        hands = [sum(1 << bit for bit in bits[i::4]) for i in range(4)]
        leader = rng.randrange(4)
        (mine, my_time), (other, other_time) = our_tricks(context, hands, leader), dds_tricks(hands, leader)
        different += mine != other
        ours.append(1e3 * my_time)
        theirs.append(1e3 * other_time)
    result = {
        **vars(options),
        "isa": ISA,
        "different": different,
        "kingsolve_ms": {"mean": statistics.fmean(ours), "median": statistics.median(ours)},
        "dds_ms": {"mean": statistics.fmean(theirs), "median": statistics.median(theirs)},
        "ratio": statistics.fmean(ours) / statistics.fmean(theirs),
        **where(),
    }
    print(json.dumps(result))
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
