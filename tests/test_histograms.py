"""Tables of runs, held to the same numbers counted by hand from the rows."""

import statistics
from math import sqrt
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import kingsolve as ks
from kingsolve import tables
from kingsolve.cards import SEATS, mask_of
from kingsolve.dealing import random_deal
from kingsolve.errors import KingError
from kingsolve.histograms import Rows, Tally, count_run, shapes_of
from kingsolve.simulation import Run, simulate


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A counter-clockwise game, every seat leading, in parts that end in mid-range."""
    play = "policy:careful,policy:random,policy:careful,policy:random"
    folder = tmp_path_factory.mktemp("runs") / "a"
    contracts = ["no-queens", "no-men", "trumps-h"]
    return simulate(
        "rifki", folder, deals=60, seed=4, play=play, contracts=contracts, rotations=True, chunk=17
    )


def by_hand(run: Run, key: str) -> dict[tuple[str, object], list[tuple[int, int]]]:
    """(deal, points) of every seat of every row, by contract and key."""
    variant = ks.load_variant("rifki")
    found: dict[tuple[str, object], list[tuple[int, int]]] = {}
    for part in run.parts():
        for row in part.to_pylist():
            deal = random_deal(
                variant, seed=4, number=row["deal"], dealer=run.plan.dealer.dealer(row["deal"])
            )
            for seat in SEATS:
                hand = deal.hands[SEATS.index(seat)]
                label = {
                    "turn": (SEATS.index(row["leader"]) - SEATS.index(seat)) % 4 + 1,
                    "seat": seat,
                    "leader": row["leader"],
                    "player": "careful" if seat in "NS" else "random",
                    "holder:Kh": "yes" if hand & mask_of("Kh") else "no",
                    "shape": "-".join(
                        str(n)
                        for n in sorted(
                            ((hand >> 16 * s & 0x1FFF).bit_count() for s in range(4)), reverse=True
                        )
                    ),
                }[key]
                found.setdefault((row["contract"], label), []).append((row["deal"], row[f"points_{seat}"]))
    return found


@pytest.mark.parametrize("key", ["turn", "seat", "leader", "player", "holder:kh", "shape"])
def test_tables_are_what_the_rows_say(run: Run, key: str) -> None:
    table = tables.tabulate(run, ["contract", key])
    key = key.replace("kh", "Kh")
    expected = by_hand(run, key)
    assert {tuple(row) for row in table[["contract", key]].itertuples(index=False)} == set(expected)
    for row in table.to_dict("records"):
        found = expected[row["contract"], row[key]]
        points = [value for _, value in found]
        deals: dict[int, list[int]] = {}
        for deal, value in found:
            deals.setdefault(deal, []).append(value)
        mean = statistics.fmean(points)
        assert (row["rounds"], row["deals"], row["unsolved"]) == (len(points), len(deals), 0)
        assert row["value"] == "points"
        assert row["mean"] == pytest.approx(mean)
        assert row["sd"] == pytest.approx(statistics.pstdev(points))
        spread = sum((sum(values) - mean * len(values)) ** 2 for values in deals.values())
        if len(deals) > 1:
            spread *= len(deals) / (len(deals) - 1)
            assert row["se"] == pytest.approx(sqrt(spread) / len(points), abs=1e-12)
        points.sort()
        for name, share in (("q05", 5), ("q50", 50), ("q95", 95)):
            assert row[name] == points[-(-share * len(points) // 100) - 1]
        total = ks.load_variant("rifki").contract(row["contract"]).total
        assert row["nothing"] == pytest.approx(points.count(0) / len(points))
        assert row["everything"] == pytest.approx(points.count(total) / len(points))
        assert row["advantage"] == pytest.approx(mean - total / 4)
        assert pd.isna(row["p"]) if pd.isna(row["se"]) or not row["se"] else 0 <= row["p"] <= 1


def test_parts_merge_by_addition_in_any_order(run: Run) -> None:
    whole = count_run(run)[0]
    merged = Tally(run.plan, whole.keys)
    for index in (2, 0, 3, 1):
        part = Tally(run.plan, whole.keys)
        part.add(Rows.of(run, index))
        merged.merge(part)
    assert tables.tabulate(merged).equals(tables.tabulate(whole))
    assert tables.distribution(merged).equals(tables.distribution(whole))


def test_contracts_together_share_a_scale(run: Run) -> None:
    table = tables.tabulate(run, ["seat"])
    expected: dict[object, list[int]] = {}
    for (_, seat), found in by_hand(run, "seat").items():
        expected.setdefault(seat, []).extend(points for _, points in found)
    for row in table.to_dict("records"):
        assert row["mean"] == pytest.approx(statistics.fmean(expected[row["seat"]]))
        assert row["deals"] == 60
    assert "advantage" not in table


def test_many_groups_are_counted_alike(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = ["contract", "turn", "shape"]
    before = tables.tabulate(run, keys)
    monkeypatch.setattr("kingsolve.histograms._SORTED", 0)
    assert tables.tabulate(run, keys).equals(before)


def test_the_distribution_adds_up(run: Run) -> None:
    table = tables.distribution(run)
    shares = table.groupby(["contract", "turn"])["share"].sum()
    assert np.allclose(shares.to_numpy(float), 1)
    means = (table["points"] * table["share"]).groupby([table["contract"], table["turn"]], sort=False).sum()
    assert np.allclose(means.to_numpy(float), tables.tabulate(run)["mean"].to_numpy(float))


def test_halves_of_a_match(tmp_path: Path) -> None:
    """Sums of the deals' points over a half, eight trump deals falling evenly on five choices."""
    run = simulate("full-king", tmp_path / "a", deals=40, seed=2)
    table = tables.halves(run).set_index(["half", "turn"])
    assert list(dict.fromkeys(half for half, _ in table.index)) == ["penalties", "rewards", "match"]
    sums: dict[tuple[str, int], list[float]] = {}
    for turn in range(1, 5):
        deals: dict[int, dict[str, float]] = {}
        for row in run.part(0).to_pylist():
            seat = SEATS[(SEATS.index(row["leader"]) + turn - 1) % 4]
            trump = row["contract"].startswith("trumps")
            worth = row[f"points_{seat}"] * (8 / 5 if trump else 1)
            half = deals.setdefault(row["deal"], {"penalties": 0.0, "rewards": 0.0, "match": 0.0})
            half["rewards" if trump else "penalties"] += worth
            half["match"] += worth
        for name in ("penalties", "rewards", "match"):
            sums[name, turn] = [half[name] for half in deals.values()]
    for place, values in sums.items():
        assert table.loc[place, "mean"] == pytest.approx(statistics.fmean(values))
        assert table.loc[place, "se"] == pytest.approx(statistics.stdev(values) / sqrt(40))
    assert table.loc[("penalties", 1), "rounds"] == 7
    assert table["mean"].groupby("half").sum().round(9).to_dict() == {
        "penalties": -192, "rewards": 192, "match": 0
    }  # fmt: skip
    some = simulate("full-king", tmp_path / "b", deals=4, seed=2, contracts=["no-tricks"])
    assert tables.halves(some).empty


def test_paired_differences(tmp_path: Path) -> None:
    """Of the same deals: chunks that do not match, contracts that only one has."""
    kinds = {"deals": 50, "seed": 6, "rotations": True}
    a = simulate("russian-14", tmp_path / "a", chunk=13, contracts=["no-king", "men"], **kinds)
    b = simulate(
        "russian-14", tmp_path / "b", chunk=8, contracts=["men", "king"], play="policy:random", **kinds
    )
    table = tables.compare(a, b)
    assert table["contract"].tolist() == ["men"] * 4 + ["all"] * 4

    def points(run: Run) -> dict[tuple[int, int], int]:
        found: dict[tuple[int, int], int] = {}
        for part in run.parts():
            for row in part.to_pylist():
                for i, seat in enumerate(SEATS):
                    if row["contract"] == "men":
                        turn = (i - SEATS.index(row["leader"])) % 4 + 1
                        place = row["deal"], turn
                        found[place] = found.get(place, 0) + row[f"points_{seat}"]
        return found

    mine, theirs = points(a), points(b)
    for row in table[:4].to_dict("records"):
        each = [(mine[deal, row["turn"]] - theirs[deal, row["turn"]]) / 4 for deal in range(1, 51)]
        assert row["difference"] == pytest.approx(statistics.fmean(each))
        assert row["se"] == pytest.approx(statistics.stdev(each) / sqrt(50))
        assert row["mean_a"] - row["mean_b"] == pytest.approx(row["difference"])
        assert row["low"] < row["difference"] < row["high"]
    assert tables.compare(a, a)["difference"].tolist() == [0.0] * 12
    other = simulate("russian-14", tmp_path / "c", deals=50, seed=7, rotations=True)
    with pytest.raises(KingError, match="two runs with the same seed, got 6 and 7"):
        tables.compare(a, other)
    with pytest.raises(KingError, match="contract in common, got none"):
        tables.compare(
            a, simulate("russian-14", tmp_path / "d", contracts=["eralash"], play="policy:random", **kinds)
        )


def test_values_that_are_not_single(tmp_path: Path) -> None:
    kinds = {"deals": 3, "seed": 1, "contracts": ["no-king"]}
    solved = simulate("russian-14", tmp_path / "a", play="exact:shapley", **kinds)
    table = tables.tabulate(solved)
    assert set(table["value"]) == {"points"}
    assert table["mean"].sum() == pytest.approx(-16)
    assert set(tables.compare(solved, solved)["value"]) == {"points"}
    negative = [name for name, c in ks.load_variant("russian-14").contracts.items() if c.total < 0]
    kinds |= {"deals": 1, "contracts": negative}
    for nodes, values in ((None, {"points"}), (500, {"least", "most"})):
        half = simulate("russian-14", tmp_path / f"{nodes}", play="exact:guarantee", nodes=nodes, **kinds)
        assert set(tables.halves(half)["half"]) == {"penalties"}
        assert set(tables.halves(half)["value"]) == values
    kinds |= {"deals": 3, "contracts": ["no-king"]}
    stopped = simulate("russian-14", tmp_path / "b", play="exact:shapley", nodes=2000, **kinds)
    table = tables.tabulate(stopped)
    assert table["value"].tolist() == ["least", "most"] * 4
    assert table["unsolved"].sum() > 0
    assert (table["mean"][::2].to_numpy() <= table["mean"][1::2].to_numpy()).all()
    found = tables.compare(stopped, solved)
    assert set(found["value"]) == {"least", "most"}
    sets = simulate("russian-14", tmp_path / "c", play="exact:equilibria", **kinds)
    assert set(tables.tabulate(sets)["value"]) == {"least", "most"}
    assert set(tables.compare(solved, solved)["value"]) == {"points"}


def test_what_is_refused(run: Run, tmp_path: Path) -> None:
    for keys, words in (
        (["trick"], r"expected a key, one of contract .* holder:CARD, got 'trick'"),
        (["holder:1z"], "holder: expected a card"),
    ):
        with pytest.raises(KingError, match=words):
            tables.tabulate(run, keys)
    short = simulate("russian-14", tmp_path / "a", deals=30, seed=1, chunk=10)
    with pytest.raises(KingError, match="expected a card of the pack after holder:, got '2h'"):
        tables.tabulate(short, ["holder:2h"])
    (tmp_path / "a" / "part-000001.parquet").unlink()
    with pytest.raises(KingError, match="expected a finished run, got 2 of 3 parts"):
        tables.tabulate(short)
    assert set(tables.tabulate(short, partial=True)["deals"]) == {20}


def test_shapes() -> None:
    assert shapes_of(8)[:3] == ["8-0-0-0", "7-1-0-0", "6-2-0-0"]
    assert len(shapes_of(13)) == 39
