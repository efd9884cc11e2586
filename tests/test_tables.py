"""Frames of analyses: the documented columns and dtypes, whatever was found."""

import pandas as pd
import pytest

import kingsolve as ks
from kingsolve import tables
from kingsolve.analysis import CONCEPTS, analyze_position, trace
from kingsolve.solver import Limits, Solver

VARIANT = ks.load_variant("russian-14")
ENDING = "N:J.98.. .T7.8. A.K..9 8.Q..J"


def analysis(contract: str = "no-tricks", *, nodes: int | None = None) -> tables.Analysis:
    place = ks.Position(VARIANT.contract(contract), ENDING, leader="N")
    return analyze_position(place, Solver(Limits(nodes=nodes)), concepts=CONCEPTS)


@pytest.mark.parametrize("rows", ["seats", "sides", "cards"])
def test_columns_and_dtypes_are_those_documented(rows: tables.Rows) -> None:
    for records in ([], [analysis()], [analysis(nodes=1)], [analysis(), analysis("no-king")]):
        frame = tables.frame(records, rows=rows)
        assert dict(frame.dtypes.astype(str)) == tables.COLUMNS[rows]
        for name in tables.COLUMNS[rows]:
            assert name in (tables.__doc__ or "")


def test_a_row_for_each_seat() -> None:
    found = analysis()
    frame = tables.frame([({"file": "a.pbn", "game": 3}, found)])
    assert list(frame.columns[:2]) == ["file", "game"]
    assert list(frame["seat"]) == list("NESW")
    assert list(frame["guarantee_min"]) == [found.guarantee[seat].minimum for seat in "NESW"]
    assert found.shapley is not None
    assert list(frame["shapley_exact"]) == [str(share) for share in found.shapley]
    assert frame["shapley"].sum() == pytest.approx(found.total)
    assert tuple(frame["maxn"]) == found.maxn
    assert list(frame["best_cards"].notna()) == [seat == found.turn for seat in "NESW"]


def test_unsolved_values_are_bounds_and_missing() -> None:
    found = analysis(nodes=1)
    frame = tables.frame(found)
    assert (frame["guarantee_min"] <= frame["guarantee_max"]).all()
    assert frame["shapley"].isna().all()
    assert frame["maxn"].isna().all()
    assert set(frame["status"]) == {"bounds"}


def test_sides_and_cards() -> None:
    found = analysis()
    sides = tables.frame([found], rows="sides")
    assert dict(zip(sides["side"], sides["value_min"], strict=True)) == {
        side: value.minimum for side, value in {**found.guarantee, **found.sides}.items()
    }
    cards = tables.frame([found], rows="cards")
    assert list(cards.loc[cards["best"], "card"]) == found.best_cards


def test_a_trace() -> None:
    contract = VARIANT.contract("no-last-two")
    record = ks.Round(contract, "N", ENDING, "Js 8d As 8s 9c Jc 8h Th")
    frame = tables.trace_frame([({"game": 1}, contract, "N", trace(record, Solver()))])
    assert list(frame["card"]) == list(record.cards)
    assert list(frame["trick"]) == [6] * 4 + [7] * 4
    assert frame["lost"].min() == 0
    assert isinstance(tables.trace_frame([]), pd.DataFrame)


def test_rows_that_are_none() -> None:
    with pytest.raises(ks.KingError, match="expected rows, one of seats sides cards, got 'tricks'"):
        tables.frame([], rows="tricks")  # type: ignore[arg-type]  # what a caller may type
