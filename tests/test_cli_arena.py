"""`kingsolve arena`: the tables it prints, the files it keeps, what it refuses."""

import csv
import io
import json
import os
import re
import signal
import time
from pathlib import Path

import pytest

from command import ROOT, good, process, records, refused, run

SMALL = ("arena", "easy", "normal", "--deals", "4", "--seed", "3", "-j", "1")


def test_the_table() -> None:
    lines = good(*SMALL).splitlines()
    assert lines[0] == "Full King (full-king), seed 3"
    assert lines[2] == "All at one table, in every rotation: 4 deal sets, 8 matches; points of one seat"
    assert lines[3].split() == "a match 95 % from to a deal wins fair ms a move longest".split()
    assert [line.split()[0] for line in lines[4:6]] == ["easy", "normal"]
    assert lines[7].startswith("Head to head, both ways round: 4 deal sets, 8 matches a pair")
    assert lines[8].strip() == "the second, a seat"
    assert lines[10].split()[:3] == ["normal", "-", "easy"]
    assert all(len(line) <= 80 for line in lines)


@pytest.mark.parametrize("columns", [40, 60])
def test_narrow_terminals(columns: int) -> None:
    lines = good(*SMALL, COLUMNS=str(columns)).splitlines()
    assert all(len(line) <= columns for line in lines)
    words = " ".join(lines).split()
    assert {"a", "match", "95", "%", "wins", "fair", "longest"} <= set(words)


def test_formats_say_the_same(tmp_path: Path) -> None:
    rows = records(*SMALL)
    assert [(row["player"], row["against"]) for row in rows] == [
        ("easy", None), ("normal", None), ("normal", "easy"),
    ]  # fmt: skip
    assert rows[2]["low"] < rows[2]["points"] < rows[2]["high"]
    assert not rows[0]["sees_all"]
    output = tmp_path / "rows.csv"
    good(*SMALL, "-o", output)
    table = list(csv.DictReader(io.StringIO(output.read_text())))
    assert [row["points"] for row in table] == [str(row["points"]) for row in rows]
    marked = good(*SMALL, "--format", "markdown")
    assert marked.count("| easy |") == 1
    assert "| normal - easy |" in marked


def test_one_deal_set_has_no_interval() -> None:
    one = ("arena", "easy", "normal", "--deals", "1", "--seed", "3", "-j", "1")
    assert records(*one)[0]["low"] is None
    assert " - " in good(*one).splitlines()[4]


def test_the_reference_player_is_labelled() -> None:
    text = good(
        "arena", "normal", "open", "--variant", "short-king", "--deals", "1", "--seed", "3", "-j", "1"
    )
    assert "open (sees all hands) - normal" in text


def test_budgets(tmp_path: Path) -> None:
    text = good(
        "arena", "hard:3", "hard:6", "uniform", "--variant", "short-king", "--deals", "1", "--seed", "3",
        "--budget", "4", "--tables", "ladder", "-j", "1",
    )  # fmt: skip
    assert text.startswith("Short King (short-king), seed 3, 4 deals a move")
    assert "hard:6 - hard:3" in text
    assert "uniform - hard:6" in text


def test_matches_are_kept_and_the_seed_with_them(tmp_path: Path) -> None:
    kept = tmp_path / "matches.jsonl"
    first = run("arena", "easy", "normal", "--deals", "2", "-j", "1", "--matches", kept)
    assert first.exit_code == 0
    assert first.stderr.startswith("kingsolve: seed ")
    size = kept.stat().st_size
    again = run("arena", "easy", "normal", "--deals", "2", "-j", "1", "--matches", kept)
    assert (again.stdout, kept.stat().st_size) == (first.stdout, size)
    assert again.stderr.splitlines()[0] == first.stderr.splitlines()[0]
    run("arena", "easy", "normal", "--deals", "3", "-j", "1", "--matches", kept)
    assert len(kept.read_text().splitlines()) == 1 + 3 * 2


def test_what_is_refused(tmp_path: Path) -> None:
    said = refused("arena", "easy", "--seed", "1", code=2)
    assert "expected two players or more, got easy" in said
    said = refused("arena", "easy", "best", "--seed", "1", code=2)
    assert "'PLAYER...': expected a player, one of easy normal hard crazy" in said
    assert "expected names among ladder" in refused("arena", "easy", "normal", "--tables", "all", code=2)
    assert "'--variant'" in refused("arena", "easy", "normal", "--variant", "whist", code=2)
    assert "'--matches': expected a file, got '-'" in refused(
        "arena", "easy", "normal", "--matches", "-", code=2
    )
    other = tmp_path / "other.jsonl"
    other.write_text("{}\n")
    for seed in (["--seed", "1"], []):  # a fresh seed is said of what is played only
        said = refused("arena", "easy", "normal", *seed, "--matches", other, code=1)
        assert "expected the matches of an arena" in said


def test_seconds_and_the_file_are_refused_by_name(tmp_path: Path) -> None:
    for seconds in ("nan", "inf", "0"):
        said = refused("arena", "easy", "normal", "--seconds", seconds, code=2)
        assert f"'--seconds': expected seconds above 0, got '{seconds}'" in said
    said = refused("arena", "easy", "normal", "-o", tmp_path / "x.parquet", code=2)
    assert "'--output': expected a name for table json csv markdown, or --format, got" in said


def test_interrupted_it_goes_on_later(tmp_path: Path) -> None:
    """Ctrl-C ends the processes too, with one line; what was played is kept."""
    kept = tmp_path / "matches.jsonl"
    words = "arena normal hard:3000 --variant short-king --deals 40 --seed 1 -j 2 --tables ladder --matches"
    child = process(*words.split(), kept)
    until = time.monotonic() + 120
    while time.monotonic() < until and (not kept.exists() or kept.read_bytes().count(b"\n") < 2):
        time.sleep(0.1)
    os.kill(child.pid, signal.SIGINT)
    _, said = child.communicate(timeout=60)
    assert child.returncode == 130
    assert said.decode().splitlines()[-1] == "kingsolve: interrupted"
    assert all(json.loads(line) for line in kept.read_text().splitlines())


def test_a_player_of_ones_own(tmp_path: Path) -> None:
    """The example of docs/players.md, installed as a package would be, meets `normal`; a player that breaks
    the rules, or cannot be loaded, is one line."""
    blocks = re.findall(
        r"^```(\w+)\n(.*?)^```", (ROOT / "docs" / "players.md").read_text(), re.MULTILINE | re.DOTALL
    )
    (module,) = (text for kind, text in blocks if kind == "python" and text.startswith("# lowest.py"))
    (points,) = (text for kind, text in blocks if kind == "toml" and "kingsolve.players" in text)
    (entry,) = re.findall(r'^(lowest) = "(.*)"$', points, re.MULTILINE)
    (tmp_path / "lowest.py").write_text(module)
    (tmp_path / "cheat.py").write_text(
        module.replace("card_name(min(", "'2c' or card_name(min(").replace("lowest(", "cheat(")
    )
    info = tmp_path / "ones_own-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: ones-own\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        f"[kingsolve.players]\n{entry[0]} = {entry[1]}\ncheat = cheat:cheat\nbroken = nowhere:player\n"
    )
    env = {"PYTHONPATH": str(tmp_path)}

    def arena(name: str) -> tuple[int, str, str]:
        words = (
            f"arena {name} normal --variant russian-14 --deals 1 --seed 1 -j 1 --tables ladder --format csv"
        )
        child = process(*words.split(), env=env)
        out, said = child.communicate(timeout=300)
        return child.returncode, out.decode(), said.decode().splitlines()[-1] if said else ""

    code, out, _ = arena("lowest")
    assert code == 0
    assert out.splitlines()[1].startswith("russian-14,1,False,normal,lowest,1,2,")
    code, out, said = arena("cheat")
    assert (code, out) == (1, "")
    assert "you do not hold that card: '2c'" in said
    code, out, said = arena("broken")
    assert (code, out) == (2, "")
    assert "expected a player that loads, got 'broken' of nowhere:player: ModuleNotFoundError" in said
