"""Arrays of deals: bounds where a limit comes first, and contexts lent by the thread."""

from typing import Any

import numpy as np
import pytest

import kingsolve as ks
from kingsolve.cards import bits_of
from kingsolve.simulation import Dealer
from kingsolve.solver import Solver

KING = ks.load_variant("russian-14").contract("no-king")
HANDS = Dealer.of(ks.load_variant("russian-14")).hands(seed=3, first=1, count=12)


@pytest.mark.parametrize("concept", ["guarantee", "best-case", "shapley", "maxn", "equilibria"])
def test_what_a_limit_stops_has_bounds(concept: ks.bulk.Concept) -> None:
    whole = ks.solve_many_bounds(HANDS, KING, leader=0, concept=concept)
    assert whole.solved.all()
    few = int(np.median(whole.nodes)) // 2
    found = ks.solve_many_bounds(HANDS, KING, leader=0, concept=concept, nodes=few, jobs=2)
    assert not found.solved.all()
    assert (found.low <= whole.low).all()
    assert (found.high >= whole.high).all()
    solved = found.solved
    assert (found.low[solved] == whole.low[solved]).all()
    assert (found.high[solved] == whole.high[solved]).all()
    with pytest.raises(ks.Unsolved, match=rf"{concept} \d of deal {int(np.argmin(solved))}: not solved"):
        ks.solve_many(HANDS, KING, leader=0, concept=concept, nodes=few)


def ending(cards: int) -> ks.Position:
    """The last tricks of the first deal, as another contract."""
    hands = [sum(1 << bit for bit in list(bits_of(int(hand)))[:cards]) for hand in HANDS[0]]
    return ks.Position.from_masks(ks.load_variant("russian-14").contract("tricks"), hands, leader=0)


@pytest.mark.parametrize("concept", ["guarantee", "best-case", "maxn"])
def test_what_is_solved_between_two_deals_disturbs_neither(concept: ks.bulk.Concept) -> None:
    """`progress` solves in the same thread, and so with the same tables."""
    position, solver = ending(5), Solver(ks.Limits())
    true = ks.guarantee(position, side="N"), ks.maxn(position)
    heard = []

    def progress(_: int) -> None:
        heard.append((solver.side(position, 1).minimum, solver.maxn(position)))

    quiet = ks.solve_many_bounds(HANDS, KING, leader=1, concept=concept)
    found = ks.solve_many_bounds(HANDS, KING, leader=1, concept=concept, progress=progress)
    assert (found.low == quiet.low).all()
    assert (found.nodes == quiet.nodes).all()
    assert heard == [true, true]


@pytest.mark.parametrize(
    ("hands", "leader", "message"),
    [
        (HANDS[:1].astype(float), 0, "expected hands as uint64[n, 4], got float64: a float would lose cards"),
        (HANDS[:1].astype(float).tolist(), 0, "expected hands as uint64[n, 4], got float64"),
        ([["N", "E", "S", "W"]], 0, "expected hands as uint64[n, 4], got str"),
        (-HANDS[:1].astype(np.int64), 0, f"expected masks of cards, got -{HANDS[0][0]} (deal 0, N)"),
        (HANDS[:2] | np.uint64([[0, 0, 0, 0], [0, 1 << 13, 0, 0]]), 0, "(deal 1, E)"),
        (HANDS[:1] | np.uint64(1 << 63), 0, "(deal 0, N)"),
        (HANDS[:1], 2.9, "expected a leader 0..3, or one for each of 1 deals, got 2.9"),
        (HANDS[:1], [float("nan")], "expected a leader 0..3, or one for each of 1 deals, got [nan]"),
        (HANDS[:1], 4, "expected a leader 0..3, or one for each of 1 deals, got 4"),
        (HANDS[:1], -1, "expected a leader 0..3, or one for each of 1 deals, got -1"),
    ],
    ids=range(10),
)
def test_what_is_no_deal_or_leader_is_refused(hands: Any, leader: Any, message: str) -> None:
    with pytest.raises(ks.KingError) as error:
        ks.solve_many(hands, KING, leader=leader)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("jobs", 0, "expected jobs to be a whole number of at least 1, got 0"),
        ("jobs", 1.5, "expected jobs to be a whole number of at least 1, got 1.5"),
        ("nodes", 0, "expected nodes of at least 1, got 0"),
        ("nodes", 2**64, "expected nodes of at most"),
        ("nodes", 1.5, "expected nodes to be a whole number, got 1.5"),
        ("memory", 0, "expected memory of at least 1024, got 0"),
        ("memory", 2**64, "expected memory of at most"),
    ],
)
def test_arguments_out_of_bounds(name: str, value: Any, message: str) -> None:
    with pytest.raises(ks.KingError, match=f"^{message}"):
        ks.solve_many(HANDS[:1], KING, leader=0, **{name: value})


def test_no_deals_have_no_values() -> None:
    for empty in (np.zeros((0, 4), np.uint64), np.zeros((0, 4))):
        assert ks.solve_many(empty, KING, leader=0).shape == (0, 4)
