"""How fast the solver is on this machine, held to a reference that also proves the build right.

The reference (reference.json, package data) has the nodes and the value of every solve of a series of deals.
Both are functions of the deals and the code alone, so here they must be the same; only times may differ. It
is written anew by `python benchmarks/reference.py` whenever a change of the core changes nodes.
"""

import json
import os
import platform
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._core import ISA
from ._dds import Comparison, compare
from .bulk import CHUNK, solve_many_bounds
from .cards import SEATS, mask_of, parse_seat
from .contract import Contract
from .dealing import random_deal
from .errors import KingError
from .position import Position
from .solver import Limits, Solver
from .variants import Variant, variant_ids

SEED = 40_000
"""Of the deals."""

CARDS = {32: 8, 36: 9, 52: 8}
"""Cards a hand, by the size of the pack: whole deals of 32 cards, endings of larger packs."""

DEALS = {"russian-14": 40}
"""Deals of each contract in the reference, by variant."""

DEALS_OF_OTHERS = 6
QUICK_DEALS = 6
PASSES = 3
"""Times each solve is measured, of which the quickest counts; once where it has to be quick."""

LIMITS = Limits(memory=16 << 20)
"""Nodes depend on the size of the table, in the few solves that fill it."""

DDS_CARDS = (8, 10)
CHUNKS_A_THREAD = 16
"""Of deals, that threads need at least to be compared: with few the last decides."""

Tick = Callable[[str], None]
"""Hears what is being measured."""


@dataclass(frozen=True)
class Speed:
    """The solves of one contract: every single seat of every deal, deal by deal in seat order.

    `ms` are milliseconds of the thread's CPU time, so that other work on the machine counts less.
    """

    contract: str
    nodes: tuple[int, ...]
    values: tuple[int, ...]
    ms: tuple[float, ...]
    reference_ms: float | None = None
    """The mean of the same solves in the reference, None where it has none."""

    @property
    def solves_per_second(self) -> float:
        """Guarantees of one seat, a second."""
        return 1e3 * len(self.ms) / max(sum(self.ms), 1e-6)

    @property
    def nodes_per_second(self) -> float:
        """Cards played, a second."""
        return 1e3 * sum(self.nodes) / max(sum(self.ms), 1e-6)

    @property
    def ratio(self) -> float | None:
        """How many times the reference's speed this machine has: above 1 is faster."""
        if self.reference_ms is None:
            return None
        return self.reference_ms * len(self.ms) / max(sum(self.ms), 1e-6)

    def record(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "contract": self.contract,
            "solves": len(self.nodes),
            "nodes": summary(self.nodes, 0),
            "ms": summary(self.ms, 4),
            "solves_per_second": round(self.solves_per_second, 1),
            "nodes_per_second": round(self.nodes_per_second),
            "ratio": None if self.ratio is None else round(self.ratio, 3),
        }


@dataclass(frozen=True)
class Rate:
    """Guarantees of single seats solved on that many threads in a wall time of so many seconds."""

    jobs: int
    solves: int
    seconds: float

    @property
    def solves_per_second(self) -> float:
        """Guarantees, a second of wall time."""
        return self.solves / max(self.seconds, 1e-9)


@dataclass(frozen=True)
class Threads:
    """The same deals of one contract on one thread and on several."""

    contract: str
    rates: tuple[Rate, ...]

    @property
    def gain(self) -> float:
        """How many times one thread's rate the most threads have."""
        return self.rates[-1].solves_per_second / self.rates[0].solves_per_second


@dataclass(frozen=True)
class Report:
    """What `measure` found: of each contract, of threads, against DDS; `checked` if held to the reference."""

    variant: str
    cards: int
    deals: int
    checked: bool
    speeds: tuple[Speed, ...]
    threads: Threads
    dds: tuple[Comparison, ...] = ()
    machine: Mapping[str, str] = field(default_factory=dict)
    reference: Mapping[str, str] = field(default_factory=dict)
    """Where the reference was measured."""

    @property
    def whole(self) -> Speed:
        """All contracts together."""
        known = [speed.reference_ms for speed in self.speeds if speed.reference_ms is not None]
        return Speed(
            "all",
            tuple(nodes for speed in self.speeds for nodes in speed.nodes),
            tuple(value for speed in self.speeds for value in speed.values),
            tuple(ms for speed in self.speeds for ms in speed.ms),
            statistics.fmean(known) if len(known) == len(self.speeds) else None,
        )

    def record(self) -> dict[str, Any]:
        """As JSON has it (docs/cli.md, "bench")."""
        return {
            **self.machine,
            "variant": self.variant,
            "seed": SEED,
            "cards": self.cards,
            "deals": self.deals,
            "checked": self.checked,
            "contracts": [speed.record() for speed in self.speeds],
            "all": self.whole.record(),
            "threads": [
                {
                    "contract": self.threads.contract,
                    "jobs": rate.jobs,
                    "solves": rate.solves,
                    "solves_per_second": round(rate.solves_per_second, 1),
                }
                for rate in self.threads.rates
            ],
            "dds": [dds_record(found) for found in self.dds],
            "reference": dict(self.reference),
        }


def dds_record(found: Comparison) -> dict[str, Any]:
    """A comparison with DDS as JSON has it; milliseconds of CPU time."""
    return {
        "cards": found.cards,
        "deals": len(found.ours),
        "seed": found.seed,
        "different": found.different,
        "kingsolve_ms": summary(found.ours, 4),
        "dds_ms": summary(found.theirs, 4),
        "ratio": round(found.ratio, 3),
    }


def summary(values: Sequence[float], digits: int) -> dict[str, float]:
    """Mean, median, 95th percentile and largest of numbers, rounded.

    >>> summary([1, 2, 3, 10], 0)
    {'mean': 4, 'median': 2, 'p95': 10, 'max': 10}
    """
    ordered = sorted(values)
    found = {
        "mean": statistics.fmean(ordered),
        "median": statistics.median(ordered),
        "p95": ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))],
        "max": ordered[-1],
    }
    return {name: round(value, digits) if digits else round(value) for name, value in found.items()}


def position(
    variant: Variant, contract: Contract, seed: int, number: int, cards: int | None = None
) -> Position:
    """Deal `number` of the series `seed` with eldest leading, or its ending of `cards` cards a hand: the
    first dealt.

    >>> from kingsolve import load_variant
    >>> russian = load_variant("russian-14")
    >>> position(russian, russian.contract("no-king"), 1, 1, cards=2)
    Position('no-king', 'N:A..T. .K.7. .A..J ..J.K', leader='W')
    """
    dealt = random_deal(variant, seed=seed, number=number)
    assert dealt.order is not None
    assert dealt.dealer is not None
    hands = (mask_of(hand[:cards]) for hand in dealt.order)
    dealer = parse_seat(dealt.dealer, variant.seats)
    eldest = (dealer + (1 if variant.clockwise else -1)) % variant.seats
    return Position.from_masks(contract, hands, leader=eldest)


def cards_of(variant: Variant) -> int:
    """Cards a hand of the deals measured."""
    return min(variant.hand_size, CARDS.get(variant.pack.bit_count(), 8))


def solve_series(variant: Variant, contract: Contract, *, deals: int, passes: int = 1) -> Speed:
    """The guarantee of every seat in the first deals of the series, each solved from nothing."""
    cards = cards_of(variant)
    nodes: list[int] = []
    values: list[int] = []
    ms: list[float] = []
    for number in range(deals):
        at = position(variant, contract, SEED, number, cards)
        for seat in range(variant.seats):
            seconds = float("inf")
            for _ in range(passes):
                solver = Solver(LIMITS)
                start = time.thread_time()
                found = solver.side(at, 1 << seat)
                seconds = min(seconds, time.thread_time() - start)
            nodes.append(solver.nodes)
            values.append(found.minimum)
            ms.append(1e3 * seconds)
    return Speed(contract.name, tuple(nodes), tuple(values), tuple(ms))


# --- the reference ---


@cache
def reference() -> Mapping[str, Any]:
    """The shipped reference: `where` it was measured, the `seed`, and by variant and contract the `nodes`,
    `values` and `ms` of every solve."""
    found: Mapping[str, Any] = json.loads((files(__package__) / "reference.json").read_text("utf-8"))
    return found


def reference_of(variant: Variant) -> Mapping[str, Any] | None:
    """The reference's contracts of a variant that ships; None for a file of the user's own."""
    if variant.id not in variant_ids():
        return None
    found: Mapping[str, Any] | None = reference()["variants"].get(variant.id)
    return found


def check(speed: Speed, known: Mapping[str, Any], seats: int) -> Speed:
    """The same with the reference's time. Raises KingError, naming the first solve that differs in nodes or
    value."""
    solves = len(speed.nodes)
    wanted = list(zip(known["nodes"][:solves], known["values"][:solves], strict=True))
    for i, (found, want) in enumerate(zip(zip(speed.nodes, speed.values, strict=True), wanted, strict=True)):
        if found != want:
            seat, deal = SEATS[i % seats], i // seats
            msg = (
                f"expected {want[0]} nodes and {want[1]} points of {seat} in {speed.contract}, deal {deal} "
                f"of seed {SEED}, as in the reference, got {found[0]} and {found[1]}: the build or the "
                "reference is not this version's"
            )
            raise KingError(msg)
    return Speed(speed.contract, speed.nodes, speed.values, speed.ms, statistics.fmean(known["ms"][:solves]))


# --- all of it ---


def measure(
    variant: Variant,
    *,
    contracts: Sequence[str] = (),
    quick: bool = False,
    jobs: int = 1,
    dds: bool = False,
    tick: Tick | None = None,
) -> Report:
    """Measures the contracts named (all of the variant unless given), threads, and where asked for DDS.

    `quick` takes fewer deals, once each. Raises KingError where nodes or values differ from the reference,
    or values from DDS's; ImportError where DDS is asked for and endplay not installed.
    """
    say = tick or (lambda what: None)
    known = reference_of(variant)
    deals = DEALS.get(variant.id, DEALS_OF_OTHERS) if known is not None else DEALS_OF_OTHERS
    deals = min(deals, QUICK_DEALS) if quick else deals
    speeds = []
    for name in contracts or variant.contracts:
        say(name)
        speed = solve_series(variant, variant.contract(name), deals=deals, passes=1 if quick else PASSES)
        speeds.append(speed if known is None else check(speed, known[name], variant.seats))
    say("threads")
    threads = scale(variant, speeds, jobs=jobs, seconds=0.5 if quick else 3.0)
    found = []
    for cards in DDS_CARDS if dds else ():
        say(f"DDS, {cards} cards")
        found.append(compare(cards=cards, deals=50 if quick else 300))
        if (words := found[-1].first_difference) is not None:
            msg = f"expected DDS's values, got others: {words} (no trumps, {cards} cards a hand)"
            raise KingError(msg)
    return Report(
        variant.id, cards_of(variant), deals, known is not None, tuple(speeds), threads, tuple(found),
        machine(), reference()["where"] if known is not None else {},
    )  # fmt: skip


def scale(variant: Variant, speeds: Sequence[Speed], *, jobs: int, seconds: float) -> Threads:
    """One contract's deals on one thread and on `jobs`, as many as one thread solves in about that time: of
    the dearest contract that gives every thread enough chunks, since what threads cost weighs most on cheap
    ones. Raises KingError if threads change a value or a node."""

    def chunks(speed: Speed) -> int:
        return round(seconds * speed.solves_per_second / variant.seats) // CHUNK

    by_cost = sorted(speeds, key=lambda speed: sum(speed.ms), reverse=True)
    chosen = next((speed for speed in by_cost if chunks(speed) >= CHUNKS_A_THREAD * jobs), by_cost[-1])
    contract = variant.contract(chosen.contract)
    deals = CHUNK * min(max(chunks(chosen), 2 * jobs), 500)
    at = [position(variant, contract, SEED, number, cards_of(variant)) for number in range(deals)]
    hands = np.array([found.masks for found in at], np.uint64)
    leaders = np.array([contract.seat_names.index(found.leader) for found in at], np.int8)
    rates: list[Rate] = []
    results: list[NDArray[np.uint64]] = []
    for number in dict.fromkeys((1, jobs)):
        start = time.perf_counter()
        found = solve_many_bounds(hands, contract, leader=leaders, jobs=number, memory=LIMITS.memory)
        rates.append(Rate(number, found.low.size, time.perf_counter() - start))
        results.append(np.column_stack([found.nodes, found.low.astype(np.int64).view(np.uint64)]))
    if not (results[0] == results[-1]).all():
        deal = int(np.flatnonzero((results[0] != results[-1]).any(axis=1))[0])
        msg = f"expected one thread's nodes and values on {jobs}, got others: {contract.name}, deal {deal}"
        raise KingError(msg)
    return Threads(contract.name, tuple(rates))


def machine() -> dict[str, str]:
    """The machine, the versions, and the instruction set that the kernels in use were compiled for."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        ours = version("kingsolve")
    except PackageNotFoundError:
        ours = ""
    return {
        "machine": f"{_processor()}, {os.cpu_count()} cores, {platform.system()}",
        "isa": ISA,
        "python": platform.python_version(),
        "kingsolve": ours,
    }


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return first_line(["sysctl", "-n", "machdep.cpu.brand_string"]) or platform.processor()


def first_line(command: Sequence[str]) -> str:
    """The first line that a program prints, nothing where there is no such program or it fails."""
    try:
        ran = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return ran.stdout.partition("\n")[0]
