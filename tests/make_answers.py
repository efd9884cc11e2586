"""Writes tests/data/endings: random endings of every contract with the oracle's answers, one JSON a line.

    python tests/make_answers.py [--jobs 2] [--seed 1] [--out tests/data/endings]

Nothing of the package is asked: rules and values are those of tests/naive.py. It takes some twenty minutes
on two cores. Each position has a generator of its own, so that the files do not depend on --jobs.
"""

import argparse
import json
import multiprocessing
import os
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import naive

SUIT_ORDER = "shdc"  # of a PBN hand

COUNTS = {1: 8, 2: 12, 3: 12, 4: 4, 5: 1}
"""Positions of each contract, by cards a hand."""
RARE = 12
"""Of each contract's `naive.rare_positions`, at most three cards a hand."""
PERFT_DEPTH = {1: 4, 2: 8, 3: 8, 4: 6, 5: 6}


@dataclass(frozen=True)
class Task:
    """One line to be written: the how-manieth of a contract, `size` cards a hand, 0 for a rare position."""

    seed: int
    variant: str
    contract: str
    size: int
    number: int


def tasks(seed: int) -> Iterator[Task]:
    """Every line, in the order of the files."""
    for contract in naive.all_contracts():
        for size, count in COUNTS.items():
            for number in range(count):
                yield Task(seed, contract.variant, contract.name, size, number)
        for number in range(RARE):
            yield Task(seed, contract.variant, contract.name, 0, number)


def deal_text(position: naive.Position) -> str:
    """The present hands as a PBN deal, written by nothing of the package."""
    hands = [hand_text(hand) for hand in position.hands] + ["..."] * (4 - len(position.hands))
    return "N:" + " ".join(hands)


def hand_text(hand: frozenset[str]) -> str:
    """One hand of a PBN deal."""
    suits = ([card for card in hand if card[1] == suit] for suit in SUIT_ORDER)
    return ".".join("".join(c[0] for c in sorted(suit, key=naive.rank, reverse=True)) for suit in suits)


def position_of(task: Task, rng: random.Random) -> naive.Position:
    """The position of a task."""
    contract = naive.CONTRACTS[task.variant][task.contract]
    if task.size == 0:
        rare = naive.rare_positions(contract, random.Random(task.seed))
        small = [p for _, p in rare if size_of(p) <= 3 and not naive.is_over(p)]
        return small[rng.randrange(len(small))]
    mid_trick = rng.random() < 0.4
    make = naive.random_play_ending if rng.random() < 0.3 else naive.random_ending
    return make(rng, contract, task.size, mid_trick=mid_trick)


def size_of(position: naive.Position) -> int:
    """Tricks left, the one in progress included."""
    return max(len(hand) for hand in position.hands)


def answers(task: Task) -> dict[str, Any]:
    """The line of a task: the position and what the oracle says of it, values in seat order N E S W.

    Endings of four and five cards are asked fewer questions: each costs the oracle a tenth of a second, and a
    second or three.
    """
    rng = random.Random(f"{task.seed}/{task.variant}/{task.contract}/{task.size}/{task.number}")
    position = position_of(task, rng)
    return record_of(position, rng, task.size or size_of(position), task.number)


def record_of(position: naive.Position, rng: random.Random, size: int, number: int = 0) -> dict[str, Any]:
    """What the oracle says of a position that had `size` cards a hand when its trick began."""
    contract = position.contract
    record: dict[str, Any] = {"contract": contract.name, "deal": deal_text(position)}
    record["leader"] = position.leader
    if position.trick:
        record["trick"] = " ".join(card for _, card in position.trick)
    if position.broken:
        record["broken"] = True
    record["total"] = naive.points_to_come_total(position)
    everything = naive.sides(contract)
    chosen = rng.choice(everything)
    cards = naive.card_values(position, chosen)
    record["side"], record["cards"] = chosen, cards
    best = max if position.turn in chosen else min
    asked = {1: everything, 2: everything, 3: everything, 4: [*rng.sample(everything, 3), chosen]}.get(
        size, [chosen]
    )
    record["sides"] = {
        side: best(cards.values()) if side == chosen else naive.guarantee(position, side)
        for side in everything
        if side in asked
    }
    seats = contract.seats if size < 4 else rng.choice(contract.seats)
    record["best_case"] = {seat: naive.best_case(position, seat) for seat in seats}
    concepts = ["maxn", "spiteful", "equilibria"]
    for concept in concepts if size < 4 else rng.sample(concepts, 2 if size == 4 else 1):
        if concept == "equilibria":
            record[concept] = naive.equilibria(position)
        else:
            record[concept] = naive.maxn(position, ties="card-order" if concept == "maxn" else concept)
    depth = PERFT_DEPTH[size]
    record["perft"] = [depth, naive.perft(position, depth)]
    return record


def main() -> None:
    """Writes the files."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "data" / "endings")
    parser.add_argument("--share", type=float, default=1, help="only this share of the lines, for a trial")
    options = parser.parse_args()
    wanted = list(tasks(options.seed))
    wanted = wanted[:: round(1 / options.share)]
    dear = sorted(
        range(len(wanted)), key=lambda at: -wanted[at].size
    )  # the dear ones first, the cheap fill up
    lines: dict[int, str] = {}
    with multiprocessing.Pool(options.jobs, initializer=os.nice, initargs=(10,)) as pool:
        for at, record in zip(dear, pool.imap(answers, (wanted[at] for at in dear)), strict=True):
            lines[at] = json.dumps(record, separators=(",", ":"))
    options.out.mkdir(parents=True, exist_ok=True)
    for variant in naive.CONTRACTS:
        found = [lines[at] for at, task in enumerate(wanted) if task.variant == variant]
        path = options.out / f"{variant}.jsonl"
        path.write_text("".join(line + "\n" for line in found), encoding="ascii")


if __name__ == "__main__":
    main()
