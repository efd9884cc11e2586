"""The tables of benchmarks/README.md, all from one run.

    python benchmarks/report.py            print them
    python benchmarks/report.py --write    and put them into benchmarks/README.md
    python benchmarks/report.py --part distribution --part dds --deals 20

Nodes are exact and the same everywhere; milliseconds are CPU time of the one thread that solves, so that a
machine shared with others disturbs them less, though not little; only the lines about threads are wall time.
The comparison with DDS is made where endplay is installed. OPENBLAS_NUM_THREADS=1 keeps NumPy's idle threads
out of the CPU time of the process.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np

from arguments import run, whole
from corpora import RUSSIAN, read
from deals import position
from kingsolve import Limits, Solver, Variant, load_variant, solve_many_bounds
from kingsolve._dds import compare
from kingsolve.solver import sides
from where import where

PAGE = Path(__file__).with_name("README.md")
SEED = 1
BOUNDS = ((1, "1 ms"), (10, "10 ms"), (100, "100 ms"), (1000, "1 s"))
FULL = load_variant("full-king")
EVERY = [*((RUSSIAN, name) for name in RUSSIAN.contracts), (FULL, "trumps-h"), (FULL, "trumps-nt")]
LARGE = (
    ("parlett-3", 3, ()),
    (
        "dealers-choice-20",
        7.5,
        ("no-tricks", "no-men", "no-queens", "no-hearts", "no-king", "no-last-two", "trumps-h"),
    ),
    ("rifki", 7.5, ("trumps-h",)),
)
"""Variants, 32-card deals for each of theirs, contracts (none named: all)."""
LARGE_NODES = 30_000_000
LARGE_MEMORY = 512 << 20


class Solved(NamedTuple):
    """One solve: of which deal and side, its nodes and milliseconds, whether within the limit."""

    number: int
    side: int
    nodes: int
    ms: float
    exact: bool


def solves(
    variant: Variant, name: str, deals: int, wanted: Sequence[int], limits: Limits | None = None
) -> list[Solved]:
    """Every wanted side of every deal, each solved from nothing."""
    found = []
    for number in range(deals):
        at = position(variant, variant.contract(name), SEED, number)
        for side in wanted:
            solver = Solver(limits or Limits())
            start = time.thread_time()
            exact = solver.side(at, side).exact
            found.append(Solved(number, side, solver.nodes, 1e3 * (time.thread_time() - start), exact))
    return found


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A table in Markdown, the first column to the left."""
    yield "| " + " | ".join(heads) + " |"
    yield "|---" + "|--:" * (len(heads) - 1) + "|"
    for row in rows:
        yield "| " + " | ".join(row) + " |"


def p95(values: Sequence[float]) -> float:
    """The 95th percentile."""
    return sorted(values)[min(len(values) - 1, round(0.95 * len(values)))]


def milliseconds(value: float) -> str:
    """Three digits."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def spread(found: Sequence[Solved]) -> tuple[str, ...]:
    """Mean, median, 95th percentile and largest nodes; mean and median milliseconds."""
    nodes, ms = [one.nodes for one in found], [one.ms for one in found]
    return (
        f"{statistics.fmean(nodes):,.0f}", f"{statistics.median(nodes):,.0f}", f"{p95(nodes):,.0f}",
        f"{max(nodes):,}", milliseconds(statistics.fmean(ms)), milliseconds(statistics.median(ms)),
    )  # fmt: skip


NODES = ("mean nodes", "median", "p95", "max", "mean ms", "median")


def about(deals: int) -> Iterator[str]:
    """Where and when: machine, compiler, flags, commit."""
    here = where()
    load = f"{os.getloadavg()[0]:.1f}"
    flags = "-O3 -march=x86-64-v3" if here["isa"] == "v3" else "-O3"
    yield (
        f"{here['machine']}; {here['compiler']}, {flags}; Python {here['python']}; commit {here['commit']}; "
        f"load {load} in the minute before. Deals 0 to {deals - 1} of seed {SEED}."
    )


def distribution(deals: int) -> Iterator[str]:
    """The guarantee of one seat: nodes, and how many are solved in how little time."""
    yield f"### One seat against the field, 32 cards: {deals} deals, {4 * deals} solves a contract"
    yield ""
    singles = [1 << seat for seat in range(4)]
    rows, worst = [], []
    for variant, name in EVERY:
        found = solves(variant, name, deals, singles)
        shares = (sum(one.ms <= bound for one in found) / len(found) for bound, _ in BOUNDS)
        rows.append((name, *spread(found), *(f"{100 * share:.1f} %" for share in shares)))
        most = max(found, key=lambda one: one.nodes)
        at = position(variant, variant.contract(name), SEED, most.number)
        seat = "NESW"[most.side.bit_length() - 1]
        worst.append((most.nodes, most.ms, name, seat, at))
    yield from table(("contract", *NODES, *(f"in {words}" for _, words in BOUNDS)), rows)
    nodes, ms, name, seat, at = max(worst, key=lambda one: one[0])
    yield ""
    yield (
        f"The worst of all, {nodes:,} nodes and {milliseconds(ms)} ms: the guarantee of {seat} in {name}, "
        f"{at.leader} leads:"
    )
    yield ""
    yield f"    {repr(at).split(chr(39))[3]}"


def coalitions(deals: int) -> Iterator[str]:
    """Pairs, and the seven sides of which Shapley shares are made."""
    deals = max(deals // 4, 1)
    yield f"### Pairs, and the seven sides that a Shapley value takes: {deals} deals"
    yield ""
    pairs = [side for side in sides(4) if side.bit_count() == 2]
    seven = [side for side in sides(4) if side.bit_count() == 1 or (side.bit_count() == 2 and side & 1)]
    rows = []
    for name in RUSSIAN.contracts:
        every = solves(RUSSIAN, name, deals, sorted({*pairs, *seven}))
        of_pairs = [one for one in every if one.side in pairs]
        whole = sum(one.ms for one in every if one.side in seven) / deals
        rows.append((name, *spread(of_pairs), milliseconds(whole)))
    yield from table(("contract", *NODES, "all seven, ms a deal"), rows)


def vectors(deals: int) -> Iterator[str]:
    """Max^n by card order, and all equilibria of five tricks and of whole deals."""
    deals = max(4 * deals // 15, 1)
    yield f"### Max^n by card order, and all equilibria, of endings and whole deals: {deals} deals"
    yield ""
    rows = []
    for variant, name in EVERY:
        contract = variant.contract(name)
        row = [name]
        for cards, equilibria in ((None, False), (5, True), (None, True)):
            ms = []
            for deal in range(deals):
                at, solver = position(variant, contract, SEED, deal, cards), Solver()
                start = time.thread_time()
                solved = solver.equilibria(at) if equilibria else solver.maxn(at)
                ms.append(1e3 * (time.thread_time() - start))
                assert solved is not None, f"{name} of deal {deal}: out of memory"
            row += [milliseconds(value) for value in (statistics.fmean(ms), statistics.median(ms), max(ms))]
        rows.append(row)
    kinds = ("max^n", "five tricks", "equilibria")
    heads = [f"{kind}: {of}" for kind in kinds for of in ("mean ms", "median", "max")]
    yield from table(("contract", *heads), rows)


def large(deals: int) -> Iterator[str]:
    """Larger packs, under a limit of nodes."""
    yield (
        f"### Larger packs, whole deals, one seat, at most {LARGE_NODES:,} nodes and "
        f"{LARGE_MEMORY >> 20} MiB of tables"
    )
    yield ""
    limits, rows = Limits(nodes=LARGE_NODES, memory=LARGE_MEMORY), []
    for id, each, names in LARGE:
        variant = load_variant(id)
        number = max(round(deals / each), 1)
        for name in names or variant.contracts:
            found = solves(variant, name, number, [1 << seat for seat in range(variant.seats)], limits)
            share = f"{100 * sum(one.exact for one in found) / len(found):.0f} %"
            most = (milliseconds(p95([one.ms for one in found])), milliseconds(max(one.ms for one in found)))
            rows.append((f"{id} {name}", str(number), share, *spread(found), *most))
    yield from table(("contract", "deals", "solved", *NODES, "p95", "max"), rows)


def memory(deals: int) -> Iterator[str]:
    """What a table's size is worth, and what a process takes."""
    yield "### Memory: the hard deals of data/deals/bench, every seat, by size of table"
    yield ""
    rows = []
    for size in (16, 18, 20, 22, 24, 26):
        nodes, ms = 0, 0.0
        for name in RUSSIAN.contracts:
            for at in read("tail", name):
                for seat in range(4):
                    solver = Solver(Limits(memory=1 << size))
                    start = time.thread_time()
                    solver.side(at, 1 << seat)
                    ms += 1e3 * (time.thread_time() - start)
                    nodes += solver.nodes
        amount = f"{1 << size - 20} MiB" if size >= 20 else f"{1 << size - 10} KiB"
        rows.append((amount, f"{nodes:,}", milliseconds(ms)))
    yield from table(("table", "nodes", "ms"), rows)
    yield ""
    code = (
        "import re, kingsolve as ks\n"
        "most = lambda: re.search(r'VmHWM:\\s*(\\d+)', open('/proc/self/status').read())[1]\n"
        "v = ks.load_variant('russian-14'); before = most()\n"
        "at = ks.Position(v.contract('no-men'), ks.random_deal(v, seed=1, number=1), leader='N')\n"
        "ks.guarantee(at, side='N'); print(before, most())"
    )
    if not Path("/proc/self/status").exists():
        return
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    before, after = (int(word) / 1024 for word in ran.stdout.split())
    yield (
        f"A process that has imported kingsolve takes {before:.0f} MiB, one that has solved a deal with the "
        f"default tables of 64 MiB {after:.0f} MiB: pages that no entry has touched cost nothing."
    )


def threads(deals: int) -> Iterator[str]:
    """`solve_many` on one thread and more."""
    yield "### Threads: `solve_many`, every seat, wall time"
    yield ""
    contract = RUSSIAN.contract("no-hearts")
    at = [position(RUSSIAN, contract, SEED, number) for number in range(4 * deals)]
    hands = np.array([one.masks for one in at], np.uint64)
    leaders = np.array(["NESW".index(one.leader) for one in at], np.int8)
    cores, rows, first = os.cpu_count() or 1, [], 0.0
    jobs = sorted({1, 2, *(1 << i for i in range(1, cores.bit_length()))})
    for number in [n for n in jobs if n <= max(cores, 2)]:
        start = time.perf_counter()
        found = solve_many_bounds(hands, contract, leader=leaders, jobs=number)
        rate = found.low.size / (time.perf_counter() - start)
        first = first or rate
        rows.append((str(number), f"{rate:,.0f}", f"{rate / first:.2f}", f"{int(found.nodes.sum()):,}"))
    yield from table(("threads", "solves a second", "times one thread's", "nodes"), rows)


def dds(deals: int) -> Iterator[str]:
    """Two against two without trumps, beside DDS."""
    yield "### Against DDS: no trumps, two against two, one thread, value only, CPU time"
    yield ""
    if find_spec("endplay") is None:
        yield "endplay is not installed here."
        return
    rows = []
    for cards, share in ((8, 20), (10, 4), (11, 2), (13, 2)):
        found = compare(cards=cards, deals=max(round(share * deals), 1))
        rows.append((
            str(cards), str(len(found.ours)), str(found.different),
            milliseconds(statistics.fmean(found.ours)), milliseconds(statistics.median(found.ours)),
            milliseconds(statistics.fmean(found.theirs)), milliseconds(statistics.median(found.theirs)),
            f"{found.ratio:.2f}",
        ))  # fmt: skip
    heads = (
        "cards a hand",
        "deals",
        "values that differ",
        "ms mean",
        "median",
        "DDS mean",
        "median",
        "ratio of means",
    )
    yield from table(heads, rows)


PARTS: dict[str, Callable[[int], Iterator[str]]] = {
    "distribution": distribution, "coalitions": coalitions, "vectors": vectors, "large": large,
    "memory": memory, "threads": threads, "dds": dds,
}  # fmt: skip


def main() -> int:
    """Always 0: clocks gate nothing."""
    parser = argparse.ArgumentParser(description="The tables of benchmarks/README.md.")
    parser.add_argument("--write", action="store_true", help=f"put them into {PAGE.name}")
    parser.add_argument("--part", action="append", choices=[*PARTS], help="may be repeated (default: all)")
    parser.add_argument("--deals", type=whole(1), default=150, help="of 32 cards (default: %(default)s)")
    options = parser.parse_args()
    lines: list[str] = []
    for part in (about, *(PARTS[name] for name in options.part or PARTS)):
        for line in part(options.deals):
            print(line, flush=True)
            lines.append(line)
        print(flush=True)
        lines.append("")
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(f"{used.ru_utime + used.ru_stime:.0f} s of CPU time", file=sys.stderr)
    if options.write:
        head, begin, rest = PAGE.read_text(encoding="utf-8").partition("<!-- report -->\n")
        _, end, tail = rest.partition("<!-- end -->\n")
        assert begin, "expected the marks of the report in README.md"
        assert end, "expected the marks of the report in README.md"
        PAGE.write_text(head + begin + "\n".join(lines) + end + tail, encoding="utf-8")
    return 0


if __name__ == "__main__":
    run(main)
