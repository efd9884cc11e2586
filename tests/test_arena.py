"""The arena: duplicate tables, matches that can be taken up again, and what is counted."""

import errno
import io
import json
from pathlib import Path

import pytest

import kingsolve as ks
from kingsolve.arena import Contest, Kept, Played, _half_width, play, play_one, rows

FULL = ks.load_variant("full-king")


def contest(*players: str, id: str = "full-king", **changes: object) -> Contest:
    """A small contest."""
    terms: dict[str, object] = {"variant": ks.load_variant(id), "players": players, "sets": 3, "seed": 5}
    return Contest(**{**terms, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("players", "changes", "said"),
    [
        (("easy",), {}, "expected two players or more, got easy"),
        (("easy", "easy"), {}, "expected each player once"),
        (("easy", "best"), {}, "expected a player, one of"),
        (("easy", "hard:x"), {}, "expected a player and its deals a move, such as 'hard:200', got 'hard:x'"),
        (("easy", "hard:0"), {}, "expected a player and its deals a move"),
        (("easy", "normal"), {"sets": 0}, "expected deal sets of at least 1"),
        (("easy", "normal"), {"seed": -1}, "expected a seed"),
        (("easy", "normal"), {"kinds": ("round",)}, "expected tables among ladder mixed pairs"),
        (("easy", "normal"), {"budget": 0}, "expected deals of at least 1"),
    ],
)
def test_contests_that_cannot_be(players: tuple[str, ...], changes: dict[str, object], said: str) -> None:
    with pytest.raises(ks.KingError, match=said):
        contest(*players, **changes)


def test_a_pair_sits_in_alternating_seats_both_ways_round() -> None:
    found = contest("easy", "normal")
    assert found.against == (("normal", "easy"),)
    assert found.pair_tables(("normal", "easy")) == (
        ("normal", "easy", "normal", "easy"), ("easy", "normal", "easy", "normal"),
    )  # fmt: skip
    assert found.tables == found.pair_tables(("normal", "easy"))  # two players mixed are the same tables


def test_three_seats_are_shared_fairly() -> None:
    tables = contest("easy", "normal", id="parlett-3").tables
    assert len(tables) == 6
    for seat in range(3):
        assert [table[seat] for table in tables].count("easy") == 3


@pytest.mark.parametrize("names", ["a b", "a b c", "a b c d", "a b c d e"])
@pytest.mark.parametrize("id", ["full-king", "parlett-3"])
def test_mixed_tables_give_every_player_every_seat_alike(
    names: str, id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Contest, "player", lambda self, name: None)
    found = contest(*names.split(), id=id, kinds=("mixed",))
    counts = {
        tuple(table[seat] for table in found.mixed_tables).count(name)
        for seat in range(found.variant.seats)
        for name in found.players
    }
    assert len(counts) == 1
    assert len(set(found.mixed_tables)) == len(found.mixed_tables)


def test_pairs_are_all_of_them() -> None:
    found = contest("easy", "normal", "hard", kinds=("pairs",))
    assert found.against == (("normal", "easy"), ("hard", "easy"), ("hard", "normal"))
    assert contest("easy", "normal", "hard").against == (("normal", "easy"), ("hard", "normal"))


def test_the_result_does_not_depend_on_the_processes() -> None:
    found = contest("easy", "normal", "hard:5", sets=1, kinds=("ladder",))
    one, two = play(found, jobs=1), play(found, jobs=2)
    assert [(a.number, a.seats, a.totals) for a in one] == [(b.number, b.seats, b.totals) for b in two]
    assert all(sum(a.totals) == 0 for a in one)
    again = play_one(found, 1, one[-1].seats)
    assert again.totals == one[-1].totals


def test_equal_players_are_equal() -> None:
    """Every deal set at both tables: a player against its like gets nothing, whatever the deals."""
    found = contest("normal", "hard", sets=4, kinds=("ladder",))
    played = [
        Played(
            number=one.number, seats=seats, totals=one.totals, moves=dict.fromkeys(seats, 1),
            seconds=dict.fromkeys(seats, 0.0), slowest=dict.fromkeys(seats, 0.0),
        )
        for number in range(1, 5)
        for one in [play_one(found, number, ("normal",) * 4)]
        for seats in found.tables
    ]  # fmt: skip
    (row,) = rows(found, played)
    assert (row.points, row.low, row.high, row.wins) == (0, 0, 0, 0.5)


def made(number: int, seats: str, *totals: int) -> Played:
    """A match that was not played."""
    names = tuple(seats.split())
    return Played(
        number=number, seats=names, totals=totals, moves=dict.fromkeys(names, 10),
        seconds=dict.fromkeys(names, 0.5), slowest=dict.fromkeys(names, 0.2),
    )  # fmt: skip


def test_rows_are_means_of_deal_sets() -> None:
    found = contest("easy", "normal", kinds=("ladder",))
    played = [
        made(1, "easy normal easy normal", -10, 10, -6, 6),
        made(1, "normal easy normal easy", 8, 0, 0, -8),
        made(2, "easy normal easy normal", 5, 5, -5, -5),
        made(2, "normal easy normal easy", 4, -4, 4, -4),
        made(3, "easy normal easy normal", 100, 0, 0, -100),  # the other table is missing: not counted
    ]
    (row,) = rows(found, played)
    first = (10 + 6 + 8 + 0) / 4 - (-10 - 6 + 0 - 8) / 4
    second = (5 - 5 + 4 + 4) / 4 - (5 - 5 - 4 - 4) / 4
    assert (row.player, row.against, row.sets, row.matches) == ("normal", "easy", 2, 4)
    assert row.points == (first + second) / 2
    assert row.points_a_deal == row.points / 15
    assert row.high - row.points == pytest.approx(_half_width([first, second]))
    assert row.wins == (1 + 1 + 0.5 + 1) / 4  # all victories of four matches, the equal ones shared
    assert row.fair == 0.5
    assert (row.move, row.slowest) == (0.05, 0.2)


def test_intervals_are_students() -> None:
    """t for 95 %: 2.262 with 9 degrees of freedom, 2.045 with 29 (printed tables)."""
    for n, t in ((10, 2.262), (30, 2.045), (100, 1.984)):
        values = [float(i % 2) for i in range(n)]
        error = (sum((value - 0.5) ** 2 for value in values) / (n * (n - 1))) ** 0.5
        assert _half_width(values) / error == pytest.approx(t, abs=2e-3)
    assert _half_width([3.0]) == float("inf")


def test_players_that_are_better_win() -> None:
    """Careful play without memory beats the same with slips, clear of zero."""
    found = contest("easy", "normal", sets=150, kinds=("ladder",))
    (row,) = rows(found, play(found, jobs=1))
    assert row.low > 0
    assert row.wins > 0.5


def test_matches_are_kept_and_not_played_again(tmp_path: Path) -> None:
    path = str(tmp_path / "matches.jsonl")
    found = contest("easy", "normal")
    kept = Kept(path, found)
    whole = play(found, jobs=1, done=kept.played, told=kept.add)
    kept.close()
    lines = Path(path).read_bytes().splitlines(keepends=True)
    Path(path).write_bytes(b"".join(lines[:4]) + lines[4][:20])  # killed while it wrote the fourth match
    kept = Kept(path, found)
    assert len(kept.played) == 3
    fresh: list[Played] = []

    def told(one: Played) -> None:
        kept.add(one)
        fresh.append(one)

    again = play(found, jobs=1, done=kept.played, told=told)
    kept.close()
    assert len(fresh) == 3
    assert [(a.seats, a.totals) for a in again] == [(b.seats, b.totals) for b in whole]
    assert sorted(one.totals for one in Kept(path, found).played) == sorted(one.totals for one in whole)
    more = contest("easy", "normal", "hard:3", sets=3)
    assert len(Kept(path, more).played) == 6  # what both have in common counts


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: "no JSON\n", r"matches.jsonl:1: expected JSON, got something else"),
        (lambda text: "[]\n", r":1: expected an object of JSON"),
        (lambda text: "{}\n", r":1: expected the matches of an arena"),
        (lambda text: "text without an end", r":1: expected a line"),
        (lambda text: text.replace('"seed": 5', '"seed": 6'), r"expected matches of seed 5, got 6"),
        (
            lambda text: text.replace("full-king", "house"),
            r"expected matches of variant 'full-king', got 'house'",
        ),
        (lambda text: text + "{}\n", r":3: expected a match of 4 seats"),
        (lambda text: text.replace('"totals": [', '"totals": [1, '), r":2: expected a match of 4 seats"),
    ],
)
def test_files_of_something_else(tmp_path: Path, change: object, said: str) -> None:
    path = tmp_path / "matches.jsonl"
    found = contest("easy", "normal")
    kept = Kept(str(path), found)
    kept.add(play_one(found, 1, found.tables[0]))
    kept.close()
    text = path.read_text()
    assert json.loads(text.splitlines()[0])["seed"] == 5
    path.write_text(change(text))  # type: ignore[operator]
    with pytest.raises(ks.KingError, match=said):
        Kept(str(path), found)


def test_a_device_keeps_no_matches(tmp_path: Path) -> None:
    for path in ("/dev/zero", str(tmp_path)):
        with pytest.raises(ks.KingError, match="expected a file for the matches, got something else"):
            Kept(path, contest("easy", "normal"))


def test_a_full_disk_is_said_of_the_file(tmp_path: Path) -> None:
    path, found = str(tmp_path / "matches.jsonl"), contest("easy", "normal")
    one = play_one(found, 1, found.tables[0])
    kept = Kept(path, found)

    class Full(io.BytesIO):
        def write(self, line: object) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    kept._stream = Full()
    with pytest.raises(OSError, match="No space left") as fault:
        kept.add(one)
    assert fault.value.filename == path


def test_a_contest_seats_the_reference_player_by_name() -> None:
    found = contest("normal", "open", sets=1, kinds=("ladder",), id="short-king")
    assert set(found.tables) == {("open", "normal") * 2, ("normal", "open") * 2}
    assert found.player("open").name == "open"
