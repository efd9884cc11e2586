"""Who chooses the contract, among what, and in what order a deal recommends the contracts."""

from fractions import Fraction

import pytest

import kingsolve as ks
from kingsolve.analysis import Analysis, analyze_position
from kingsolve.choice import choices, chooser_of, ranked
from kingsolve.solver import Limits, Solver

DEAL = "N:KQ.KJ.Q8.K8 .T.AKJ.AQJ7 T7.AQ87.T.9 AJ98.9.97.T"


@pytest.mark.parametrize(
    ("variant", "count", "chooser"),
    [
        ("russian-14", 0, None),
        ("parlett-4", 0, None),
        ("kierki", 0, None),
        ("full-king", 5, "E"),
        ("short-king", 5, "E"),
        ("dealers-choice-20", 10, "E"),
        ("rifki", 10, "E"),
        ("king-1993", 14, "E"),
    ],
)
def test_who_chooses_among_what(variant: str, count: int, chooser: str | None) -> None:
    found = ks.load_variant(variant)
    assert len(choices(found)) == count
    assert chooser_of(found, "E", dealer="N") == chooser


def test_the_chooser_agrees_with_a_match() -> None:
    for name in ("full-king", "short-king", "dealers-choice-20", "rifki"):
        match = ks.Match(name, seed=1)
        while match.chooser is None:
            match.record([0, 0, 0, match.contract.total] if match.contract else [])
        assert chooser_of(match.variant, match.leader, dealer=match.dealer) == match.chooser


def analyses(nodes: int | None = None) -> list[Analysis]:
    variant = ks.load_variant("full-king")
    places = [ks.Position(variant.contract(name), DEAL, leader="E") for name in choices(variant)]
    return [analyze_position(place, Solver(Limits(nodes=nodes))) for place in places]


def test_ranked_by_share_then_guarantee() -> None:
    found = ranked(analyses(), "E")
    keys = [(share_of(place.analysis), place.analysis.guarantee["E"].minimum) for place in found]
    assert keys == sorted(keys, reverse=True)
    for place, key in zip(found, keys, strict=True):
        assert place.place == 1 + sum(other > key for other in keys)


def share_of(analysis: Analysis) -> Fraction:
    assert analysis.shapley is not None
    return analysis.shapley["NESW".index("E")]


def test_what_is_not_solved_stands_last_and_has_no_place() -> None:
    solved, unsolved = analyses()[:2], analyses(nodes=1)[2:]
    found = ranked([*unsolved, *solved], "E")
    assert [place.place is None for place in found] == [False, False, True, True, True]
