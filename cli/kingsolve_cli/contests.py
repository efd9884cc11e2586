"""The work of `kingsolve arena`."""

import json
import os
import secrets
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from typing import IO, TYPE_CHECKING

from rich.text import Text

from kingsolve import KingError
from kingsolve.arena import Contest, Kept, Played, Row, play, rows
from kingsolve.players import OPEN

from .diagram import Group, banded
from .errors import bad_option, say
from .loading import variant_option
from .output import text_output, write_csv, write_json
from .progress import DELAY
from .style import STRONG, Style, ink

if TYPE_CHECKING:
    from rich.progress import Progress

EVERY = 10.0
"""Seconds between plain lines of progress."""


def run(
    *,
    players: tuple[str, ...],
    variant_name: str,
    sets: int,
    seed: int | None,
    kinds: tuple[str, ...],
    budget: int | None,
    seconds: float | None,
    jobs: int | None,
    matches: str | None,
    format: str,
    output: str | None,
) -> None:
    """Plays what was asked for, or what is missing of it, and writes its table."""
    variant = variant_option(variant_name)
    assert variant is not None
    if variant.plan is None:
        bad_option("--variant", f"expected a variant with a [match], got {variant.id!r}")
    if matches == "-":
        bad_option("--matches", "expected a file, got '-'")
    number = _seed_there(matches) if seed is None else seed
    try:
        contest = Contest(
            variant=variant, players=players, sets=sets, seed=number, kinds=tuple(dict.fromkeys(kinds)),
            budget=budget, seconds=seconds,
        )  # fmt: skip
    except KingError as error:
        bad_option("PLAYER...", str(error))
    if not contest.tables:
        bad_option("--tables", "expected tables at which these players meet, got none")
    kept = Kept(matches, contest) if matches is not None else None
    if seed is None:
        say(f"seed {number}")
    done = kept.played if kept is not None else []
    with closing(_Progress(contest, done)) as progress:

        def told(one: Played) -> None:
            if kept is not None:
                kept.add(one)
            progress.tick()

        try:
            played = play(contest, jobs=jobs, done=done, told=told)
        finally:
            if kept is not None:
                kept.close()
    with text_output(output) as stream:
        _write(contest, rows(contest, played), format, stream)


def _seed_there(matches: str | None) -> int:
    """The seed of the matches already played, else a fresh one."""
    if matches is not None and os.path.isfile(matches):
        with open(matches, "rb") as stream:
            line = stream.readline(1 << 16)
        try:
            seed = json.loads(line)["seed"]
        except (ValueError, KeyError, TypeError):
            seed = None  # no such file: said when it is read
        if isinstance(seed, int):
            return seed
    return secrets.randbelow(2**32)


class _Progress:
    """Counts matches on stderr: a bar on a terminal, plain lines elsewhere; nothing in the first second."""

    def __init__(self, contest: Contest, done: Sequence[Played]) -> None:
        there = {(one.number, one.seats) for one in done}
        wanted = [(number, seats) for number in range(1, contest.sets + 1) for seats in contest.tables]
        self._of = len(wanted)
        self._before = self._done = sum(key in there for key in wanted)
        self._terminal = sys.stderr.isatty()
        self._began = self._last = time.monotonic()
        self._bar: Progress | None = None

    def tick(self) -> None:
        """One match more is done."""
        self._done += 1
        now = time.monotonic()
        if self._terminal and now - self._began >= DELAY:
            self._show()
        elif not self._terminal and now - self._last >= EVERY:
            self._last = now
            rate = (self._done - self._before) / (now - self._began)
            left = (self._of - self._done) / rate
            say(f"{self._done:,} of {self._of:,} matches, {left:.0f} s left")

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        if self._bar is None:
            columns = TextColumn("matches"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._bar.add_task("matches", total=self._of)
            self._bar.start()
        self._bar.update(self._bar.task_ids[0], completed=self._done)

    def close(self) -> None:
        """Takes the bar away and, where it took a while, says how long it did."""
        if self._bar is not None:
            self._bar.stop()
        took, fresh = time.monotonic() - self._began, self._done - self._before
        if fresh and took >= DELAY:
            say(f"{fresh:,} matches in {took:.1f} s")


# --- what people read, and programs ---

_HEADS = ("", "a match", "95 % from", "to", "a deal", "wins", "fair", "ms a move", "longest")


def _write(contest: Contest, found: list[Row], kind: str, stream: IO[str]) -> None:
    records = [_record(contest, row) for row in found]
    if kind == "json":
        for record in records:
            write_json(stream, record)
    elif kind == "csv":
        write_csv(stream, records, header=True)
    elif kind == "markdown":
        _markdown(found, stream)
    else:
        _print(contest, found, stream)


def _record(contest: Contest, row: Row) -> dict[str, object]:
    named = {"variant": contest.variant.id, "seed": contest.seed, "sees_all": _open(row.player)}
    record = {**named, **asdict(row)}
    if row.sets < 2:
        record["low"] = record["high"] = None
    return record


def _open(name: str | None) -> bool:
    return name is not None and name.partition(":")[0] == OPEN


def _named(row: Row) -> str:
    label = row.player + (" (sees all hands)" if _open(row.player) else "")
    if row.against is None:
        return label
    return f"{label} - {row.against}" + (" (sees all hands)" if _open(row.against) else "")


def _cells(row: Row) -> tuple[str, ...]:
    ends = (f"{row.low:+.2f}", f"{row.high:+.2f}") if row.sets > 1 else ("-", "-")
    return (
        _named(row),
        f"{row.points:+.2f}",
        *ends,
        f"{row.points_a_deal:+.3f}",
        f"{100 * row.wins:.1f}%",
        f"{100 * row.fair:.0f}%",
        f"{1000 * row.move:.1f}" if row.move >= 1e-4 else f"{1000 * row.move:.3f}",
        f"{1000 * row.slowest:.0f}",
    )


def _captions(found: list[Row]) -> list[tuple[str, list[Row]]]:
    """The rows in two parts, each with a line that says what they are."""
    mixed = [row for row in found if row.against is None]
    paired = [row for row in found if row.against is not None]
    parts = []
    if mixed:
        text = f"All at one table, in every rotation: {mixed[0].sets:,} deal sets"
        parts.append((f"{text}, {max(row.matches for row in mixed):,} matches; points of one seat", mixed))
    if paired:
        text = f"Head to head, both ways round: {paired[0].sets:,} deal sets"
        each = max(row.matches for row in paired)
        parts.append((f"{text}, {each:,} matches a pair; the first less the second, a seat", paired))
    return parts


def _print(contest: Contest, found: list[Row], stream: IO[str]) -> None:
    style = Style(stream)
    budget = f", {contest.budget} deals a move" if contest.budget is not None else ""
    cap = f", at most {contest.seconds:g} s a move" if contest.seconds is not None else ""
    variant = contest.variant
    head = ink(f"{variant.title} ({variant.id}), seed {contest.seed}{budget}{cap}", STRONG)
    for line in style.wrapped(head):
        style.print(line)
    for caption, part in _captions(found):
        style.print()
        for line in [*style.wrapped(Text(caption)), *banded(style, *_groups(part))]:
            style.print(line)


def _groups(part: list[Row]) -> tuple[Group, list[Group]]:
    """The players, and their numbers."""
    cells = [_cells(row) for row in part]
    players, numbers = [row[:1] for row in cells], [row[1:] for row in cells]
    return Group("", _HEADS[:1], players, left=True), [Group("", _HEADS[1:], numbers)]


def _markdown(found: list[Row], stream: IO[str]) -> None:
    for number, (caption, part) in enumerate(_captions(found)):
        stream.write("\n" * bool(number) + f"{caption}\n\n")
        stream.write("| " + " | ".join(_HEADS) + " |\n|---" + "|--:" * (len(_HEADS) - 1) + "|\n")
        for row in part:
            stream.write("| " + " | ".join(_cells(row)) + " |\n")
