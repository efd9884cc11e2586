"""Tunes the weights of the orderings: random changes that lower total nodes over fixed deals are kept.

    python benchmarks/tune.py tricks --minutes 10 --deals 60 -o weights.json

What counts is the sum over the tuning deals of nodes to the power --power, each contract weighed alike: at 1
the hardest deals decide alone, near 0 the easiest count as much. The last lines compare nodes before and
after on deals that the tuner has not seen; only these say whether anything was won. Weights found good are
written into the orderings' .pxi by hand, with the signature of the new order.
"""

import argparse
import json
import random
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

from arguments import output_file, whole
from deals import position
from kingsolve import Position, Variant, load_variant
from kingsolve._core import Context
from kingsolve._dds import NOTRUMP, random_hands, side_of

NO_TRICK = np.zeros(0, np.int32)
STEPS = (1, 2, 3, 5, 8, 13, 25, 40)
TAKERS, SIDES = -1, -2
BRIDGE = "bridge"
"""Not a variant: the deals that the comparison with DDS takes, the leader's side asked."""

# For each set of weights: its place among Context.weights (TAKERS: Context.take_weights, SIDES:
# Context.side_weights), the contracts tuned on with cards a hand, and the sizes of the sides.
CLASSES: dict[str, tuple[int, tuple[tuple[str, str, int], ...], tuple[int, ...]]] = {
    "tricks": (0, (("russian-14", "no-tricks", 8),), (1,)),
    "cards": (1, (("russian-14", "no-men", 8), ("russian-14", "no-queens", 8)), (1,)),
    "hearts": (2, (("russian-14", "no-hearts", 8), ("russian-14", "no-king", 8)), (1,)),
    "both": (3, (("russian-14", "eralash", 8),), (1,)),
    "last": (4, (("russian-14", "no-last-two", 8),), (1,)),
    "takers": (
        TAKERS,
        (
            ("full-king", "trumps-s", 8),
            ("full-king", "trumps-nt", 8),
            ("dealers-choice-20", "trumps-h", 10),
            ("rifki", "trumps-d", 10),
        ),
        (1, 2),
    ),
    "bridge": (TAKERS, tuple((BRIDGE, "notrump", cards) for cards in (9, 10, 11, 12)), (2,)),
    "pairs": (
        SIDES,
        tuple(
            ("russian-14", name, 8)
            for name in ("no-tricks", "no-men", "no-queens", "no-hearts", "no-last-two", "eralash")
        ),
        (2,),
    ),
    "gains": (
        SIDES,
        tuple(
            ("russian-14", name, 8)
            for name in ("men", "queens", "hearts", "king", "last-two", "eralash-plus")
        ),
        (1, 2, 3),
    ),
}


class Item(NamedTuple):
    """One solve: which contract of the class, the position, the side."""

    contract: int
    at: Position
    side: int


def items_of(which: str, deals: int, seed: int) -> list[Item]:
    """The solves of a class over random deals."""
    _, contracts, sizes = CLASSES[which]
    found = []
    for number, (variant_id, name, cards) in enumerate(contracts):
        if variant_id == BRIDGE:
            rng = random.Random(f"{seed} {cards}")
            for hands, leader in (random_hands(rng, cards) for _ in range(deals)):
                at = Position.from_masks(NOTRUMP, hands, leader=leader)
                found.append(Item(number, at, side_of(leader)))
            continue
        variant: Variant = load_variant(variant_id)
        sides = [side for side in range(1, 15) if side.bit_count() in sizes]
        for deal in range(deals):
            at = position(variant, variant.contract(name), seed, deal, cards)
            found.append(Item(number, at, sides[(deal + number) % len(sides)]))
    return found


def set_weights(context: Context, which: str, weights: list[int]) -> None:
    place = CLASSES[which][0]
    if place == TAKERS:
        context.take_weights = weights
    elif place == SIDES:
        context.side_weights = weights
    else:
        context.weights = [weights if i == place else old for i, old in enumerate(context.weights)]


def weights_of(context: Context, which: str) -> list[int]:
    place = CLASSES[which][0]
    if place == TAKERS:
        return list(context.take_weights)
    return list(context.side_weights if place == SIDES else context.weights[place])


def nodes_of(context: Context, item: Item) -> int:
    """Nodes of one solve from nothing. Seats are taken as the kernels number them: the deals are random
    anyway."""
    contract = item.at.contract
    context.begin(contract.record, item.side, item.side)
    hands = np.array(item.at.masks, np.uint64)
    leader = contract.seat_names.index(item.at.leader)
    return context.value(hands, leader, NO_TRICK, False)[2]


class Objective:
    """The sum to be lowered, each contract weighed alike by its nodes under the first weights."""

    def __init__(self, context: Context, which: str, items: list[Item], power: float) -> None:
        self.context, self.which, self.items, self.power = context, which, items, power
        self.scale = [1.0] * len(CLASSES[which][1])
        first = [nodes_of(context, item) ** power for item in items]
        for number in range(len(self.scale)):
            self.scale[number] = sum(
                v for v, item in zip(first, items, strict=True) if item.contract == number
            )

    def __call__(self, weights: list[int], enough: float = float("inf")) -> float:
        """The sum under `weights`, given up once it reaches `enough`."""
        set_weights(self.context, self.which, weights)
        total = 0.0
        for item in self.items:
            total += nodes_of(self.context, item) ** self.power / self.scale[item.contract]
            if total >= enough:
                break
        return total


def tune(objective: Objective, weights: list[int], rng: random.Random, minutes: float) -> list[int]:
    """The best weights found in the time, from `weights` on; progress on stderr."""
    best, kept, tries = objective(weights), 0, 0
    until = time.monotonic() + 60 * minutes
    print(f"start {best:.4f}", file=sys.stderr, flush=True)
    while time.monotonic() < until:
        trial = list(weights)
        for _ in range(rng.choice((1, 1, 1, 2))):
            trial[rng.randrange(len(trial))] += rng.choice((-1, 1)) * rng.choice(STEPS)
        tries += 1
        score = objective(trial, best)
        if score < best - 1e-9:
            best, weights, kept = score, trial, kept + 1
            if kept % 10 == 0:
                print(f"{tries} tries, {kept} kept: {best:.4f}", file=sys.stderr, flush=True)
    return weights


def mean_nodes(context: Context, which: str, weights: list[int], items: list[Item]) -> dict[str, int]:
    """Mean nodes of each contract of the class."""
    set_weights(context, which, weights)
    names = [f"{variant} {name} {cards}" for variant, name, cards in CLASSES[which][1]]
    totals = [0] * len(names)
    for item in items:
        totals[item.contract] += nodes_of(context, item)
    return {name: total * len(names) // len(items) for name, total in zip(names, totals, strict=True)}


def main() -> None:
    parser = argparse.ArgumentParser(description="Tunes the weights of an ordering on total nodes.")
    parser.add_argument("which", choices=CLASSES, help="class of contracts")
    parser.add_argument("--minutes", type=float, default=10, help="of tuning (default: %(default)s)")
    parser.add_argument(
        "--deals", type=whole(1), default=60, help="tuning deals a contract (default: %(default)s)"
    )
    parser.add_argument(
        "--held-out", type=whole(1), default=100, help="deals to judge by (default: %(default)s)"
    )
    parser.add_argument(
        "--seed", type=whole(0), default=1, help="of the changes and deals (default: %(default)s)"
    )
    parser.add_argument("--power", type=float, default=0.6, help="of nodes in the sum (default: %(default)s)")
    parser.add_argument(
        "--start", type=Path, help="JSON file of weights to begin from (default: the built-in)"
    )
    parser.add_argument(
        "-o", "--output", type=output_file, required=True, help="JSON file for the weights found"
    )
    options = parser.parse_args()
    context = Context(1 << 26)
    built_in = weights_of(context, options.which)
    try:
        start = json.loads(options.start.read_text()) if options.start else built_in
        set_weights(context, options.which, start)
    except (OSError, TypeError, ValueError) as error:
        parser.error(f"argument --start: {error}")
    objective = Objective(
        context, options.which, items_of(options.which, options.deals, options.seed), options.power
    )
    found = tune(objective, start, random.Random(options.seed), options.minutes)
    options.output.write_text(json.dumps(found) + "\n")
    held_out = items_of(options.which, options.held_out, options.seed + 1_000_000)
    for label, weights in (("built in", built_in), ("found", found)):
        print(label, json.dumps(mean_nodes(context, options.which, weights, held_out)))


if __name__ == "__main__":
    main()
