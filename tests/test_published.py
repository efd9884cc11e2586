"""Exact answers that others published: preferans, three seats (tests/data/preferans-published.json)."""

import json
from typing import Any

import pytest

import kingsolve as ks
from kingsolve.cards import SEATS, pack_mask
from twins import DATA

PROBLEMS = json.loads((DATA / "preferans-published.json").read_text(encoding="utf-8"))
TRICK = {"+1 per trick": 1, "-1 per trick": -1}


def position_of(problem: dict[str, Any]) -> ks.Position:
    """The problem's position: ten cards a hand and two out of the 7-A pack, or fewer cards left of it."""
    trump = problem["trump"].lower() if problem["trump"] else None
    contract = ks.Contract(
        name=problem["id"],
        title=problem["id"],
        variant="preferans",
        pack=pack_mask("7-A"),
        seats=problem["seats"],
        hand_size=10,
        trick_points=(TRICK[problem["points"]],) * 10,
        trump=trump,
        void_trump="must-trump" if trump and problem["must_trump"] else "free",
    )
    hands = dict(zip(SEATS, problem["hands"], strict=False))
    return ks.Position(contract, hands, leader=SEATS[problem["leader"]])


@pytest.mark.parametrize("problem", PROBLEMS, ids=[problem["id"] for problem in PROBLEMS])
def test_published_answer(problem: dict[str, Any]) -> None:
    """What the side can force is what was printed; the line shows it, and the rest gets the rest."""
    position = position_of(problem)
    side = "".join(SEATS[seat] for seat in problem["side"])
    solution = ks.solve(position, side=side)
    assert solution.status == "exact"
    assert solution.value == problem["expected"]
    rest = "".join(seat for seat in "NES" if seat not in side)
    assert ks.guarantee(position, rest) == position.to_come - problem["expected"]
    for card in solution.line:
        position.push(card)
    assert position.is_over
    assert sum(position.banked[SEATS.index(seat)] for seat in side) == problem["expected"]


def test_there_are_four() -> None:
    assert len(PROBLEMS) == 4
