"""Times of the core on fixed deals, with pytest-benchmark: `pytest -n 0 benchmarks/bench_core.py`.

The deals are those of data/deals/bench: random ones, hard ones of each contract, freak shapes. `extra_info`
has the nodes of one round. Times compare two builds on one machine on one day; node counts compare builds
anywhere, and only they may gate (benchmarks/signature.py).
"""

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


def guarantees(deals: list[Position], wanted: list[int]) -> int:
    """The nodes that the guarantees of some sides take."""
    nodes = 0
    for at in deals:
        solver = Solver(LIMITS)
        assert all(solver.side(at, side).exact for side in wanted)
        nodes += solver.nodes
    return nodes


@pytest.mark.parametrize("contract", CONTRACTS)
@pytest.mark.parametrize("corpus", ["random", "tail", "voids", "apart"])
def test_seats(benchmark: BenchmarkFixture, corpus: str, contract: str) -> None:
    """Every seat in the deals of a file."""
    benchmark.extra_info["nodes"] = benchmark(guarantees, read(corpus, contract), SINGLES)


@pytest.mark.parametrize("contract", CONTRACTS)
def test_pairs(benchmark: BenchmarkFixture, contract: str) -> None:
    """Every pair in four random deals."""
    benchmark.extra_info["nodes"] = benchmark(guarantees, read("random", contract)[:4], PAIRS)


@pytest.mark.parametrize("contract", CONTRACTS)
def test_maxn(benchmark: BenchmarkFixture, contract: str) -> None:
    """Max^n with ties in card order on four endings of six cards."""

    def solve(deals: list[Position]) -> int:
        nodes = 0
        for at in deals:
            solver = Solver(LIMITS)
            assert solver.maxn(at) is not None
            nodes += solver.nodes
        return nodes

    benchmark.extra_info["nodes"] = benchmark(solve, endings(contract, 4, 6))


@pytest.mark.parametrize("contract", CONTRACTS)
def test_equilibria(benchmark: BenchmarkFixture, contract: str) -> None:
    """All equilibria of four endings of five cards."""

    def solve(deals: list[Position]) -> int:
        nodes = 0
        for at in deals:
            solver = Solver(LIMITS)
            assert solver.equilibria(at)
            nodes += solver.nodes
        return nodes

    benchmark.extra_info["nodes"] = benchmark(solve, endings(contract, 4, 5))


def test_perft(benchmark: BenchmarkFixture) -> None:
    """The first seven cards of one deal, counted: legal cards and tricks without any search."""
    [at] = endings("no-hearts", 1)
    benchmark.extra_info["nodes"] = benchmark(perft, at, 7)
