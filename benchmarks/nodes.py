"""Nodes and milliseconds of guarantees over random deals, contract by contract, as one JSON object a line.

    python benchmarks/nodes.py --deals 100 --sides singles

The first line says what was measured and where. Each solve starts from nothing: no bound of another side or
deal helps it. Nodes are exact and the same everywhere; milliseconds are one machine's, on one day.
"""

import argparse
import json
import time
from collections.abc import Iterator

from arguments import run, whole
from deals import position
from kingsolve import Contract, Limits, Solver, Variant, load_variant
from kingsolve.benchmark import summary
from kingsolve.solver import sides
from where import where


def sides_called(which: str, seats: int) -> list[int]:
    """The sides solved for, as seat sets: those of one seat, of two, or one of each pair v(S), v(rest)."""
    every = list(sides(seats))
    if which == "singles":
        return [side for side in every if side.bit_count() == 1]
    if which == "pairs":
        return [side for side in every if side.bit_count() == 2]
    whole = (1 << seats) - 1
    return [side for i, side in enumerate(every) if whole - side not in every[:i]]


def measure(
    variant: Variant, contract: Contract, options: argparse.Namespace
) -> Iterator[tuple[int, float, bool]]:
    """(nodes, milliseconds, whether solved) of every side of every deal."""
    limits = Limits(nodes=options.limit, memory=options.memory << 20)
    for number in range(options.deals):
        at = position(variant, contract, options.seed, number, options.cards)
        for side in sides_called(options.sides, variant.seats):
            solver = Solver(limits)
            start = time.perf_counter()
            value = solver.side(at, side)
            yield solver.nodes, 1e3 * (time.perf_counter() - start), value.exact


def main() -> int:
    """Always 0: clocks and node counts of random deals do not gate anything."""
    parser = argparse.ArgumentParser(description="Nodes and milliseconds of guarantees over random deals.")
    parser.add_argument("--variant", default="russian-14", help="id or file (default: %(default)s)")
    parser.add_argument("--contract", action="append", help="may be repeated (default: all of the variant)")
    parser.add_argument("--deals", type=whole(1), default=100, help="deals a contract (default: %(default)s)")
    parser.add_argument(
        "--seed", type=whole(0, 2**64 - 1), default=1, help="of the series of deals (default: %(default)s)"
    )
    parser.add_argument("--cards", type=whole(1), help="cards a hand, for endings (default: whole deals)")
    parser.add_argument(
        "--sides",
        choices=("singles", "pairs", "all"),
        default="singles",
        help="solved in each deal: every seat, every pair, or all that coalitions need (default: singles)",
    )
    parser.add_argument("--limit", type=whole(1), help="cards played a solve at most (default: no limit)")
    parser.add_argument("--memory", type=whole(1), default=128, help="MiB of table (default: %(default)s)")
    options = parser.parse_args()
    variant = load_variant(options.variant)
    if options.cards is not None and options.cards > variant.hand_size:
        parser.error(f"expected --cards of at most {variant.hand_size} in {variant.id}, got {options.cards}")
    for name in options.contract or ():
        variant.contract(name)
    print(json.dumps({**vars(options), "contract": options.contract or "all", **where()}), flush=True)
    for name in options.contract or variant.contracts:
        nodes, times, solved = zip(*measure(variant, variant.contract(name), options), strict=True)
        result = {
            "contract": name,
            "solves": len(nodes),
            "unsolved": solved.count(False),
            "nodes": summary(list(nodes), 0),
            "ms": summary(list(times), 3),
        }
        print(json.dumps(result), flush=True)
    return 0


if __name__ == "__main__":
    run(main)
