"""Statistics of matches: counted once, never lost, by two programs at once, from a damaged file on."""

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

import kingsolve as ks
from command import good, records, refused, run
from kingsolve.statistics import Outcome, Record, Statistics, StatisticsError
from play import whole_match


def outcome(**changes: object) -> Outcome:
    """A match won alone, with changes."""
    given = {
        "id": "a", "level": "easy", "variant": "short-king", "place": 1, "shared": False, "total": 12,
        "penalty": -20, "positive": 32, "day": "2026-11-30",
    }  # fmt: skip
    return Outcome(**{**given, **changes})  # type: ignore[arg-type]


def test_the_outcome_of_a_match() -> None:
    match = whole_match("full-king")
    for at, seat in enumerate("NESW"):
        found = Outcome.of(match, seat, id="x", level="hard", day="2026-11-30")
        assert (found.place, found.total) == (match.places[at], match.totals[at])
        assert found.penalty == sum(row[at] for row in match.scores[:7])
        assert found.positive == sum(row[at] for row in match.scores[7:])
        assert (found.variant, found.level) == ("full-king", "hard")
    with pytest.raises(StatisticsError, match="expected a match that is over, got one in round 1 of 15"):
        Outcome.of(ks.Match("full-king", seed=1), "N", id="x", level="hard", day="")


def test_won_drawn_and_lost(tmp_path: Path) -> None:
    """Seed 002: two tied at the top share first place, which counts as a draw."""
    book = Statistics(tmp_path / "deep" / "statistics.json")
    assert book.records() == ()
    assert not (tmp_path / "deep").exists()
    book.add(outcome(id="1"))
    book.add(outcome(id="2", total=20, penalty=-4, positive=24))
    book.add(outcome(id="3", shared=True, total=4))
    book.add(outcome(id="4", place=2, total=-8, penalty=-30, positive=22))
    book.add(outcome(id="5", place=2, shared=True, total=-9))
    book.add(outcome(id="6", level="hard"))
    record = book.record("easy", "short-king")
    assert (record.played, record.won, record.drawn, record.lost) == (5, 2, 1, 2)
    assert record.places == (3, 2, 0, 0)
    assert (record.best, record.worst, record.points) == (20, -9, 19)
    assert (record.streak, record.longest, record.mean) == (0, 2, 19 / 5)
    assert [(found.level, found.played) for found in book.records()] == [("easy", 5), ("hard", 1)]
    assert book.record("crazy", "full-king") == Record(level="crazy", variant="full-king")
    assert book.record("crazy", "full-king").mean is None


def test_a_match_counts_once(tmp_path: Path) -> None:
    book = Statistics(tmp_path / "statistics.json")
    assert book.add(outcome()) == book.add(outcome())
    assert book.record("easy", "short-king").played == 1


DAMAGED = {
    "cut": b'{"format": "kingsolve statistics", "version": 1, "records": [{"lev',
    "empty": b"",
    "binary": b"\x00\xff\xfe",
    "a list": b"[]",
    "deep": b"[" * 100_000,
    "another format": b'{"format": "x", "version": 1, "records": [], "counted": []}',
    "no version": b'{"format": "kingsolve statistics", "records": [], "counted": []}',
    "records": b'{"format": "kingsolve statistics", "version": 1, "records": [1], "counted": []}',
    "counted": b'{"format": "kingsolve statistics", "version": 1, "records": [], "counted": [1]}',
}


@pytest.mark.parametrize("what", DAMAGED)
def test_a_damaged_file_is_set_aside(tmp_path: Path, what: str) -> None:
    path = tmp_path / "statistics.json"
    path.write_bytes(DAMAGED[what])
    book = Statistics(path)
    assert book.add(outcome()).played == 1
    assert book.set_aside == tmp_path / "statistics.damaged-1.json"
    assert book.set_aside.read_bytes() == DAMAGED[what]
    assert [found.played for found in book.records()] == [1]
    assert book.set_aside is None
    path.write_bytes(b"{")
    assert book.records() == ()
    assert book.set_aside == tmp_path / "statistics.damaged-2.json"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("won", -1),
        ("won", "1"),
        ("places", [1, 0, 0]),
        ("places", [2, 0, 0, 0]),
        ("day", None),
        ("streak", None),
    ],
)
def test_a_record_that_cannot_be_is_damage(tmp_path: Path, key: str, value: object) -> None:
    book = Statistics(tmp_path / "statistics.json")
    book.add(outcome())
    data = json.loads(book.text())
    data["records"][0][key] = value
    book.path.write_text(json.dumps(data), encoding="utf-8")
    assert book.records() == ()
    assert book.set_aside is not None


def test_a_later_version_is_left_alone(tmp_path: Path) -> None:
    book = Statistics(tmp_path / "statistics.json")
    text = '{"format": "kingsolve statistics", "version": 2}'
    book.path.write_text(text, encoding="utf-8")
    for call in (book.records, lambda: book.add(outcome())):
        with pytest.raises(StatisticsError, match="expected statistics of version 1, got version 2"):
            call()
    assert book.path.read_text(encoding="utf-8") == text


def test_programs_at_once_lose_nothing(tmp_path: Path) -> None:
    code = """
import sys
from kingsolve.statistics import Outcome, Statistics
book = Statistics(sys.argv[1])
for i in range(40):
    id = f"{sys.argv[2]}-{i}"
    book.add(Outcome(id=id, level="easy", variant="short-king", place=1, shared=False, total=1, penalty=0,
                     positive=1, day=""))
"""
    path = tmp_path / "statistics.json"
    running = [subprocess.Popen([sys.executable, "-c", code, str(path), str(i)]) for i in range(3)]
    assert [program.wait() for program in running] == [0, 0, 0]
    assert Statistics(path).record("easy", "short-king").won == 120


# --- the command ---


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's data folder, with two matches in it."""
    monkeypatch.setenv("KINGSOLVE_DATA", str(tmp_path / "data"))
    book = Statistics(tmp_path / "data" / "statistics.json")
    book.add(outcome(id="1"))
    book.add(outcome(id="2", level="hard", variant="full-king", place=3, total=-7, penalty=-50, positive=43))
    return tmp_path / "data"


def test_nothing_yet(tmp_path: Path) -> None:
    result = run("stats", KINGSOLVE_DATA=str(tmp_path / "none"))
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "kingsolve: no match has been finished yet: kingsolve play\n"
    assert not (tmp_path / "none").exists()
    header = good("stats", "--format", "csv", KINGSOLVE_DATA=str(tmp_path / "none"))
    assert header.startswith("level,variant,played,won,drawn,lost,place_1,")
    assert header.count("\n") == 1


def test_formats(data: Path, tmp_path: Path) -> None:
    import pandas as pd

    lines = good("stats").splitlines()
    assert "Short King" in lines[2]
    assert "Full King" in lines[3]
    assert all(len(line) <= 80 for line in lines)
    easy, hard = records("stats")
    assert (easy["won"], easy["mean"], hard["place_3"], hard["positive"]) == (1, 12.0, 1, 43)
    rows = list(csv.DictReader(io.StringIO(good("stats", "--format", "csv"))))
    assert [row["level"] for row in rows] == ["easy", "hard"]
    parquet = tmp_path / "stats.parquet"
    good("stats", "-o", parquet)
    assert list(pd.read_parquet(parquet)["played"]) == [1, 1]
    markdown = good("stats", "--format", "markdown").splitlines()
    assert len(markdown) == 4
    assert len({line.count("|") for line in markdown}) == 1


def test_export_and_reset(data: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.json"
    good("stats", "--export", copy)
    assert copy.read_bytes() == (data / "statistics.json").read_bytes()
    assert "expected a terminal to ask on, or --yes" in refused("stats", "--reset", code=2)
    result = run("stats", "--reset", "--yes")
    assert result.exit_code == 0
    assert "statistics.old-1.json" in result.stderr
    assert (data / "statistics.old-1.json").read_bytes() == copy.read_bytes()
    assert run("stats", "--reset", "--yes").stderr.endswith("there were none\n")
    assert json.loads(good("stats", "--export", "-"))["records"] == []


def test_damage_is_told(data: Path) -> None:
    (data / "statistics.json").write_text("{", encoding="utf-8")
    result = run("stats")
    assert result.exit_code == 0
    assert "note: the statistics were damaged; set aside as" in result.stderr


def test_options_that_do_not_go_together() -> None:
    assert "expected --reset alone" in refused("stats", "--reset", "--format", "csv", code=2)
    assert "expected --export alone" in refused("stats", "--export", "-", "-o", "x.csv", code=2)
    assert "expected --yes with --reset" in refused("stats", "--yes", code=2)
    assert "expected -o FILE with parquet" in refused("stats", "--format", "parquet", code=2)
