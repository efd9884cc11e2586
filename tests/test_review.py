"""A match looked back on: losses against max^n, by a slow twin; the command's table and records."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

import kingsolve as ks
from command import RUSSIAN, good, records, refused, run
from kingsolve.analysis import trace
from kingsolve.cards import SEATS
from kingsolve.notation import match_games, write_pbn
from kingsolve.review import DealReview, review_round, totals
from play import play_on, whole_match


def ending(id: str, contract: str, cards: int, seed: int = 1) -> ks.Round:
    """The last tricks of a round of random cards, as a round by itself."""
    variant = ks.load_variant(id)
    played = next(
        result.round for result in whole_match(id, seed).results if result.contract.name == contract
    )
    assert played is not None
    start = len(played.cards) - cards * variant.seats
    assert start >= 0
    at = played.position(start)
    return ks.Round(at.contract, at.leader, ks.Deal(at.masks), played.cards[start:])


def values(position: ks.Position) -> tuple[int, ...]:
    """Points banked and to come by max^n."""
    return tuple(a + b for a, b in zip(position.banked, ks.maxn(position), strict=True))


@pytest.mark.parametrize(
    ("id", "contract"),
    [
        ("russian-14", "eralash"), ("russian-14", "tricks"), ("full-king", "trumps-h"),
        ("rifki", "no-tricks"), ("parlett-3", "no-tricks"), ("dealers-choice-20", "no-last-two"),
    ],
)  # fmt: skip
def test_a_loss_is_the_movers_value_before_less_after(id: str, contract: str) -> None:
    record = ending(id, contract, 4)
    found = review_round(record)
    assert found.exact
    assert len(found.steps) == len(record.cards)
    lost = dict.fromkeys(record.contract.seat_names, 0)
    first = None
    for i, step in enumerate(found.steps):
        before, after = values(record.position(i)), values(record.position(i + 1))
        seat = SEATS.index(step.seat)
        assert (step.before, step.after) == (before, after)
        assert step.lost == before[seat] - after[seat] >= 0
        lost[step.seat] += step.lost
        first = first or (step if before != after else None)
        for card in record.position(i).legal_cards():
            other = record.position(i)
            other.push(card)
            assert (values(other)[seat] == before[seat]) == (card in step.best)
    assert found.lost == tuple(lost.values())
    assert found.first_change == first
    assert found.expected == values(record.position(0))
    assert found.scores == record.position().banked
    assert (found.finished, found.solved_from, found.unsolved) == (True, 1, (0,) * len(lost))
    # What a seat has in the end is what it had, less its losses, and what the others' cards did.
    assert sum(found.scores) == sum(found.expected or ())


def test_limits_leave_the_beginning_unsolved_and_say_so() -> None:
    played = whole_match("full-king").results[7].round
    assert played is not None
    whole, cut = review_round(played), review_round(played, limits=ks.Limits(nodes=3_000))
    assert whole.exact
    assert not cut.exact
    assert cut.expected is None
    since = cut.solved_from
    assert since is not None
    assert since > 1
    for a, b in zip(whole.steps, cut.steps, strict=True):
        if b.number >= since:
            assert a == b
        elif b.lost is None:
            assert b.best == ()
            mine = b.before[SEATS.index(b.seat)], a.before[SEATS.index(a.seat)]
            if isinstance(mine[0], ks.Bounds):
                assert mine[0].minimum <= mine[1] <= mine[0].maximum
    assert sum(cut.unsolved) == sum(step.lost is None for step in cut.steps)
    assert all(a <= b for a, b in zip(cut.lost, whole.lost, strict=True))
    assert cut.first_change is None or cut.first_change.number >= since - 1


def test_a_round_in_part_and_one_that_ended_early() -> None:
    played = next(r.round for r in whole_match("russian-14").results if r.contract.name == "no-king")
    assert played is not None
    part = ks.Round(played.contract, played.leader, played.deal, played.cards[:9])
    found = review_round(part)
    assert (len(found.steps), found.finished) == (9, False)
    assert found.scores == part.position().banked
    assert review_round(played).finished
    nothing = review_round(ks.Round(played.contract, played.leader, played.deal))
    assert (nothing.lost, nothing.expected, nothing.solved_from) == ((0, 0, 0, 0), None, None)


def test_an_illegal_card_is_an_error() -> None:
    played = whole_match("russian-14").results[0].round
    assert played is not None
    bad = ks.Round(played.contract, played.leader, played.deal, (played.cards[1], *played.cards[1:]))
    with pytest.raises(ks.IllegalCard, match="you do not hold that card"):
        review_round(bad)


def test_totals() -> None:
    found = [review_round(ending("russian-14", name, 4)) for name in ("eralash", "tricks")]
    both = totals(found)
    assert both.deals == 2
    assert both.scores == tuple(a + b for a, b in zip(found[0].scores, found[1].scores, strict=True))
    assert both.lost == tuple(a + b for a, b in zip(found[0].lost, found[1].lost, strict=True))


def test_the_trace_of_a_guarantee_is_the_default() -> None:
    record = ending("russian-14", "eralash", 3)
    steps = trace(record, ks.Solver())
    assert steps == trace(record, ks.Solver(), concept="guarantee")
    assert steps != trace(record, ks.Solver(), concept="maxn")
    assert all(step.lost is not None and step.lost >= 0 for step in steps)


# --- the command ---


@pytest.fixture(scope="module")
def match() -> ks.Match:
    """Four rounds of Short King."""
    return play_on(ks.Match("short-king", seed=8, players={"N": "Max", "S": "You"}), 4, 2)


@pytest.fixture
def file(match: ks.Match, tmp_path: Path) -> Path:
    """The match as JSON."""
    path = tmp_path / "match.json"
    path.write_text(match.to_json() + "\n", encoding="utf-8")
    return path


def reviews(match: ks.Match) -> list[DealReview]:
    """What the command should find."""
    return [review_round(result.round) for result in match.results if result.round is not None]


def test_json_has_every_deal_and_the_totals(match: ks.Match, file: Path) -> None:
    *deals, total = records("review", file)
    for deal, found, result in zip(deals, reviews(match), match.results, strict=True):
        assert deal["board"] == str(result.number)
        assert tuple(deal["scores"].values()) == result.scores == found.scores
        assert tuple(deal["lost"].values()) == found.lost
        assert tuple(deal["maxn"].values()) == found.expected
        assert deal["players"] == {"N": "Max", "S": "You"}
        assert (deal["status"], deal["nodes"]) == ("exact", found.nodes)
        assert sum(card["lost"] for card in deal["cards"]) == sum(found.lost)
        change = found.first_change
        assert (deal["first_change"] or {}).get("number") == (change.number if change else None)
    assert total["deals"] == 4
    assert tuple(total["totals"].values()) == match.totals
    assert total["lost"] == {seat: sum(deal["lost"][seat] for deal in deals) for seat in "NESW"}


def test_pbn_reads_as_the_match_does_whatever_the_jobs(match: ks.Match, file: Path, tmp_path: Path) -> None:
    pbn = tmp_path / "match.pbn"
    write_pbn(match_games(match), pbn)
    strip = [{**record, "file": ""} for record in records("review", pbn, "--jobs", "3")]
    assert strip == [{**record, "file": ""} for record in records("review", file, "--jobs", "1")]


def test_the_table(match: ks.Match, file: Path) -> None:
    text = good("review", file, COLUMNS="130")
    lines = text.splitlines()
    assert lines[0].endswith("Short King (short-king)")
    assert lines[1] == "N Max, S You"
    assert [line.split()[0] for line in lines if line[1:2].isdigit()] == ["1", "2", "3", "4"]
    (total,) = [line for line in lines if line.split()[:1] == ["total"]]
    found = totals(reviews(match))
    assert [int(word) for word in total.split()[1:5]] == list(found.scores)
    assert [word.replace("·", "0") for word in total.split()[5:9]] == [str(lost) for lost in found.lost]
    assert "not solved" not in text
    assert all(len(line) <= 80 for line in good("review", file).splitlines()[1:])


@pytest.mark.parametrize("columns", ["40", "60", "100"])
def test_it_keeps_to_the_width(file: Path, columns: str) -> None:
    """And cuts no words: where the changes have no room beside the deals, they have lines of their own."""
    text = good("review", file, "--nodes", "500", "--cards", COLUMNS=columns)
    # a file's name may be longer than a line
    assert all(cell_len(line) <= int(columns) for line in text.splitlines() if str(file.parent) not in line)
    words = " ".join(text.split())
    assert "against max^n with all hands seen" in words
    assert "first card that changed the result" in words
    assert "…" not in text.replace(" …", "")


@pytest.mark.parametrize("output", [[], ["-o", "lost.csv"]])
def test_interrupted_it_writes_what_there_is(
    file: Path, output: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Or says that there is nothing: a file is whole or not there."""
    done = []

    def two(record: ks.Round, **limits: Any) -> DealReview:
        if len(done) == 2:
            raise KeyboardInterrupt
        done.append(record)
        return review_round(record, **limits)

    monkeypatch.setattr("kingsolve_cli.reviewing.review_round", two)
    monkeypatch.chdir(tmp_path)
    result = run("review", file, "--jobs", "1", *output)
    assert result.exit_code == 130
    note, last = result.stderr.splitlines()
    assert last == "kingsolve: interrupted"
    if output:
        assert note == "kingsolve: note: 'lost.csv' is not written"
        assert not (tmp_path / "lost.csv").exists()
    else:
        assert note == f"kingsolve: note: looked back on 2 deals of {file}, no more"
        assert [line.split()[0] for line in result.stdout.splitlines() if line[1:2].isdigit()][:2] == [
            "1",
            "2",
        ]
        assert "total" not in result.stdout


def test_what_is_not_solved_is_said(file: Path) -> None:
    text = good("review", file, "--nodes", "500", COLUMNS="130")
    assert "cards not solved within the limits: 4+ is at least 4" in text
    assert "solved from trick" in text
    record = records("review", file, "--nodes", "500")[0]
    assert record["status"] == "bounds"
    assert record["maxn"] is None
    assert sum(record["unsolved"].values()) == sum(card["lost"] is None for card in record["cards"])


def test_rows_of_csv_and_parquet(match: ks.Match, file: Path, tmp_path: Path) -> None:
    import pandas as pd

    rows = list(csv.DictReader(io.StringIO(good("review", file, "--format", "csv"))))
    assert [row["seat"] for row in rows] == list("NESW") * 4
    assert sum(int(row["lost"]) for row in rows) == sum(totals(reviews(match)).lost)
    parquet = tmp_path / "cards.parquet"
    good("review", file, "--rows", "cards", "-o", parquet)
    frame = pd.read_parquet(parquet)
    assert len(frame) == sum(len(result.round.cards) for result in match.results if result.round is not None)
    assert int(frame["lost"].sum()) == sum(totals(reviews(match)).lost)
    assert {"maxn_min", "maxn_max", "best"} <= set(frame.columns)
    markdown = good("review", file, "--format", "markdown").splitlines()
    assert len(markdown) == 2 + 4 + 1
    assert len({line.count("|") for line in markdown}) == 1


def test_cards_of_a_deal(file: Path) -> None:
    text = good("review", file, "--game", "2", "--cards", COLUMNS="130")
    assert "No hearts, card by card" in text
    assert "what each seat had by max^n before" in text


def test_faults(match: ks.Match, file: Path, tmp_path: Path) -> None:
    data = json.loads(match.to_json())
    data["rounds"][1]["cards"][0] = data["rounds"][1]["cards"][1]
    broken = tmp_path / "broken.json"
    broken.write_text(json.dumps(data), encoding="utf-8")
    assert "broken.json:1: game 1: round 2: you do not hold that card" in refused("review", broken, code=1)
    assert "expected a recorded round" in refused("review", RUSSIAN, "--game", "1", code=1)
    assert "expected -o FILE with parquet" in refused("review", file, "--format", "parquet", code=2)
    assert "expected --cards with a table" in refused("review", file, "--cards", "-f", "json", code=2)
    assert "expected --rows with csv or parquet" in refused("review", file, "--rows", "cards", code=2)
    pbn = tmp_path / "match.pbn"
    write_pbn(match_games(match), pbn)
    text = pbn.read_text(encoding="utf-8")
    first = text.index('[Play "')
    pbn.write_text(text[:first] + text[first:].replace("S", "H", 2), encoding="utf-8")
    stopped = run("review", pbn)
    assert stopped.exit_code == 1
    going = run("review", pbn, "--keep-going", "--format", "json")
    assert going.exit_code == 1
    assert [json.loads(line).get("board") for line in going.stdout.splitlines()] == ["2", "3", "4", None]
