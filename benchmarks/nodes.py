"""Nodes and milliseconds of guarantees over random deals, contract by contract, as one JSON object a line.

    python benchmarks/nodes.py --deals 100 --sides singles

The first line says what was measured and where. Each solve starts from nothing: no bound of another side or
deal helps it. Nodes are exact and the same everywhere; milliseconds are one machine's, on one day.
"""

import argparse
import json
import os
import platform
import shlex
import statistics
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator
from pathlib import Path

import kingsolve
from deals import position
from kingsolve import Contract, Limits, Solver, Variant, load_variant
from kingsolve.solver import sides

HERE = Path(__file__).parent


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


def summary(values: list[float], digits: int) -> dict[str, float]:
    """Mean, median, 95th percentile and largest."""
    ordered = sorted(values)
    found = {
        "mean": statistics.fmean(ordered),
        "median": statistics.median(ordered),
        "p95": ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))],
        "max": ordered[-1],
    }
    return {name: round(value, digits) if digits else round(value) for name, value in found.items()}


def where() -> dict[str, str]:
    """The machine, the compiler that extensions are built with, the versions and the commit."""
    return {
        "machine": f"{_cpu()}, {os.cpu_count()} cores, {platform.system()}",
        "compiler": _first_line([*shlex.split(sysconfig.get_config_var("CC") or "cc"), "--version"]),
        "python": platform.python_version(),
        "kingsolve": kingsolve.__version__,
        "commit": _first_line(["git", "-C", str(HERE), "describe", "--always", "--dirty"]),
    }


def _cpu() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return _first_line(["sysctl", "-n", "machdep.cpu.brand_string"]) or platform.processor()


def _first_line(command: list[str]) -> str:
    try:
        ran = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return ran.stdout.partition("\n")[0]


def main() -> int:
    """Always 0: clocks and node counts of random deals do not gate anything."""
    parser = argparse.ArgumentParser(description="Nodes and milliseconds of guarantees over random deals.")
    parser.add_argument("--variant", default="russian-14", help="id or file (default: %(default)s)")
    parser.add_argument("--contract", action="append", help="may be repeated (default: all of the variant)")
    parser.add_argument("--deals", type=int, default=100, help="deals a contract (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the series of deals (default: %(default)s)")
    parser.add_argument("--cards", type=int, help="cards a hand, for endings (default: whole deals)")
    parser.add_argument(
        "--sides",
        choices=("singles", "pairs", "all"),
        default="singles",
        help="solved in each deal: every seat, every pair, or all that coalitions need (default: singles)",
    )
    parser.add_argument("--limit", type=int, help="cards played a solve at most (default: no limit)")
    parser.add_argument("--memory", type=int, default=64, help="MiB of table (default: %(default)s)")
    options = parser.parse_args()
    variant = load_variant(options.variant)
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
    sys.exit(main())
