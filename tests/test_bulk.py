"""Arrays of deals: bounds where a limit comes first, and contexts lent by the thread."""

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
