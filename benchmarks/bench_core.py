"""Times of the core on fixed deals, with pytest-benchmark: `pytest -n 0 benchmarks/bench_core.py`.

The deals are those of data/deals/bench: random ones, hard ones of each contract, freak shapes. `extra_info`
has the nodes of one round, the positions that its tables answered (hits) and those that were searched
(expansions). Times compare two builds on one machine on one day; node counts compare builds
anywhere, and only they may gate (benchmarks/signature.py).
"""

from collections.abc import Callable

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from corpora import read
from deals import position
from kingsolve import Limits, Position, Solver, load_variant
from kingsolve.solver import perft, sides

SEED = 30_000
LIMITS = Limits(memory=16 << 20)
RUSSIAN = load_variant("russian-14")
CONTRACTS = tuple(RUSSIAN.contracts)
SINGLES, PAIRS = ([side for side in sides(4) if side.bit_count() == size] for size in (1, 2))


def endings(name: str, deals: int, cards: int | None = None) -> list[Position]:
    """The first deals of a series in that contract, or their endings of so many cards a hand."""
    contract = RUSSIAN.contract(name)
    return [position(RUSSIAN, contract, SEED, number, cards) for number in range(deals)]


def counted(
    benchmark: BenchmarkFixture, deals: list[Position], solved: Callable[[Solver, Position], bool]
) -> None:
    """Times one question about every deal, each from nothing, and notes what one round of it counts."""

    def once() -> dict[str, int]:
        found = dict.fromkeys(("nodes", "hits", "expansions"), 0)
        for at in deals:
            solver = Solver(LIMITS)
            assert solved(solver, at)
            for name in found:
                found[name] += getattr(solver, name)
        return found

    benchmark.extra_info.update(benchmark(once))


def guarantees(wanted: list[int]) -> Callable[[Solver, Position], bool]:
    """Asks for the guarantees of some sides."""
    return lambda solver, at: all(solver.side(at, side).exact for side in wanted)


@pytest.mark.parametrize("contract", CONTRACTS)
@pytest.mark.parametrize("corpus", ["random", "tail", "voids", "apart"])
def test_seats(benchmark: BenchmarkFixture, corpus: str, contract: str) -> None:
    """Every seat in the deals of a file."""
    counted(benchmark, read(corpus, contract), guarantees(SINGLES))


@pytest.mark.parametrize("contract", CONTRACTS)
def test_pairs(benchmark: BenchmarkFixture, contract: str) -> None:
    """Every pair in four random deals."""
    counted(benchmark, read("random", contract)[:4], guarantees(PAIRS))


@pytest.mark.parametrize("contract", CONTRACTS)
def test_maxn(benchmark: BenchmarkFixture, contract: str) -> None:
    """Max^n with ties in card order on four endings of six cards."""
    counted(benchmark, endings(contract, 4, 6), lambda solver, at: solver.maxn(at) is not None)


@pytest.mark.parametrize("contract", CONTRACTS)
def test_equilibria(benchmark: BenchmarkFixture, contract: str) -> None:
    """All equilibria of four endings of five cards."""
    counted(benchmark, endings(contract, 4, 5), lambda solver, at: solver.equilibria(at) is not None)


def test_perft(benchmark: BenchmarkFixture) -> None:
    """The first seven cards of one deal, counted: legal cards and tricks without any search."""
    [at] = endings("no-hearts", 1)
    benchmark.extra_info["nodes"] = benchmark(perft, at, 7)
