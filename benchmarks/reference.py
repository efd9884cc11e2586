"""Writes the reference that `kingsolve bench` and its test hold every build to.

    python benchmarks/reference.py            measure, and write src/kingsolve/reference.json
    python benchmarks/reference.py --check    say whether it is this build's; exit 1 if not

To be run whenever a change of the core changes nodes, which tests/test_benchmark.py notices. It has the
nodes and the value of every seat in the first deals of a series, each solved from nothing; milliseconds of
CPU time too, which are one machine's on one day.
"""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from kingsolve import KingError, load_variant, variant_ids
from kingsolve.benchmark import (
    DEALS,
    DEALS_OF_OTHERS,
    SEED,
    Speed,
    check,
    reference_of,
    solve_series,
)
from where import where

PATH = Path(__file__).parents[1] / "src" / "kingsolve" / "reference.json"


def row(speed: Speed) -> dict[str, Any]:
    """The solves of one contract as the reference has them."""
    ms = [round(value, 3) for value in speed.ms]
    return {"nodes": speed.nodes, "values": speed.values, "ms": ms}


def written(variants: dict[str, dict[str, Any]]) -> str:
    """The reference as JSON, a line a contract, so that changes can be read."""
    blocks = []
    for id, contracts in variants.items():
        lines = (
            f'   "{name}": {json.dumps(found, separators=(",", ":"))}' for name, found in contracts.items()
        )
        blocks.append(f'  "{id}": {{\n' + ",\n".join(lines) + "\n  }")
    head = f'{{\n "seed": {SEED},\n "where": {json.dumps(where(), ensure_ascii=False)},\n "variants": {{\n'
    return head + ",\n".join(blocks) + "\n }\n}\n"


def main() -> int:
    """0, or 1 when `--check` found a difference."""
    parser = argparse.ArgumentParser(description="The reference of `kingsolve bench`.")
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    options = parser.parse_args()
    start, variants = time.perf_counter(), {}
    for id in variant_ids():
        variant = load_variant(id)
        known = reference_of(variant) if options.check else None
        found = {}
        for name, contract in variant.contracts.items():
            speed = solve_series(variant, contract, deals=DEALS.get(id, DEALS_OF_OTHERS))
            if known is not None:
                try:
                    check(speed, known[name], variant.seats)
                except KingError as error:
                    print(f"{id}: {error}", file=sys.stderr)
                    return 1
            found[name] = row(speed)
        variants[id] = found
        print(f"{id}: {len(found)} contracts, {time.perf_counter() - start:.1f} s", file=sys.stderr)
    if not options.check:
        PATH.write_text(written(variants), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
