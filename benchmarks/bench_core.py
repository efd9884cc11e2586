"""Times of the core on fixed deals, with pytest-benchmark: `pytest benchmarks/bench_core.py`.

`extra_info` has the nodes of one round. Times compare two builds on one machine on one day; node counts
compare builds anywhere, and only they may gate (benchmarks/signature.py).
"""

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from deals import position
from kingsolve import Limits, Position, Solver, load_variant
from kingsolve.solver import perft, sides

SEED = 30_000
LIMITS = Limits(memory=16 << 20)
RUSSIAN = load_variant("russian-14")
CONTRACTS = tuple(RUSSIAN.contracts)


def positions(name: str, deals: int, cards: int | None = None) -> list[Position]:
    """The first deals of the series in that contract."""
    contract = RUSSIAN.contract(name)
    return [position(RUSSIAN, contract, SEED, number, cards) for number in range(deals)]


@pytest.mark.parametrize("contract", CONTRACTS)
@pytest.mark.parametrize("size", [1, 2])
def test_guarantees(benchmark: BenchmarkFixture, contract: str, size: int) -> None:
    """Every side of one seat, or of two, in four deals of 32 cards."""
    wanted = [side for side in sides(4) if side.bit_count() == size]

    def solve(deals: list[Position]) -> int:
        nodes = 0
        for at in deals:
            solver = Solver(LIMITS)
            assert all(solver.side(at, side).exact for side in wanted)
            nodes += solver.nodes
        return nodes

    benchmark.extra_info["nodes"] = benchmark(solve, positions(contract, 4))


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

    benchmark.extra_info["nodes"] = benchmark(solve, positions(contract, 4, 6))


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

    benchmark.extra_info["nodes"] = benchmark(solve, positions(contract, 4, 5))


def test_perft(benchmark: BenchmarkFixture) -> None:
    """The first seven cards of one deal, counted: legal cards and tricks without any search."""
    [at] = positions("no-hearts", 1)
    benchmark.extra_info["nodes"] = benchmark(perft, at, 7)
