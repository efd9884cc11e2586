"""Writes data/perft: how many sequences of legal cards there are from fixed deals, as the oracle counts them.

    python tests/make_perft.py [--jobs 2] [--out data/perft]

One JSON file a variant. Each contract has a whole deal counted to a stated depth and, to the end of the
round, an ending of three cards a hand and one in mid-trick (data/perft/SOURCE.txt). Nothing of the package
is asked.
"""

import argparse
import json
import multiprocessing
import os
import random
from pathlib import Path
from typing import Any

import naive
from make_answers import deal_text

DEPTH = 6
"""Cards, of a whole deal."""


def entry(position: naive.Position, depths: range) -> dict[str, Any]:
    """One position and its counts by depth, from depth 1 on."""
    found: dict[str, Any] = {"deal": deal_text(position), "leader": position.leader}
    if position.trick:
        found["trick"] = " ".join(card for _, card in position.trick)
    if position.broken:
        found["broken"] = True
    return found | {"counts": [naive.perft(position, depth) for depth in depths]}


def entries(contract: naive.NaiveContract) -> list[dict[str, Any]]:
    """The three positions of a contract."""
    rng = random.Random(f"perft/{contract.variant}/{contract.name}")
    hands = naive.deal_rest(rng, contract, {}, contract.hand)
    whole = naive.position(contract, hands, rng.choice(contract.seats))
    ending = naive.random_ending(rng, contract, 3)
    middle = naive.random_play_ending(rng, contract, 3, mid_trick=True)
    seats = len(contract.seats)
    return [
        entry(whole, range(1, DEPTH + 1)),
        entry(ending, range(1, 3 * seats + 1)),
        entry(middle, range(1, 3 * seats - len(middle.trick) + 1)),
    ]


def of_contract(names: tuple[str, str]) -> list[dict[str, Any]]:
    """`entries` by variant and contract name."""
    return entries(naive.CONTRACTS[names[0]][names[1]])


def main() -> None:
    """Writes the files."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent.parent / "data" / "perft")
    options = parser.parse_args()
    names = [(contract.variant, contract.name) for contract in naive.all_contracts()]
    with multiprocessing.Pool(options.jobs, initializer=os.nice, initargs=(5,)) as pool:
        found = dict(zip(names, pool.imap(of_contract, names, chunksize=1), strict=True))
    options.out.mkdir(parents=True, exist_ok=True)
    for variant, contracts in naive.CONTRACTS.items():
        lines = []
        for name in contracts:
            rows = ",\n  ".join(json.dumps(row, separators=(", ", ": ")) for row in found[variant, name])
            lines.append(f" {json.dumps(name)}: [\n  {rows}\n ]")
        text = "{\n" + ",\n".join(lines) + "\n}\n"
        (options.out / f"{variant}.json").write_text(text, encoding="ascii")


if __name__ == "__main__":
    main()
