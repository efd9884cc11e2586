"""A progress bar on stderr, where that is a terminal and the work is long."""

import os
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

_COUNTED = 256 << 20
_MARKS = {".pbn": b"[Deal ", ".lin": b"md|"}
DELAY = 1.0
"""Seconds of work before the bar appears."""


class Bar:
    """Counts games; shows nothing unless stderr is a terminal and a second has gone by."""

    def __init__(self, files: Iterable[str], *, shown: bool | None = None) -> None:
        self._files = list(files)
        self._shown = sys.stderr.isatty() if shown is None else shown
        self._began = time.monotonic()
        self._done = 0
        self._bar: object = None

    def advance(self) -> None:
        """One game more is done."""
        self._done += 1
        if not self._shown or time.monotonic() - self._began < DELAY:
            return
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        if self._bar is None:
            columns = TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
            bar = Progress(*columns, console=Console(stderr=True), transient=True)
            bar.add_task("games", total=games_in(self._files))
            bar.start()
            self._bar = bar
        assert isinstance(self._bar, Progress)
        self._bar.update(self._bar.task_ids[0], completed=self._done)

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Takes the bar off the terminal while something is printed there."""
        bar = self._bar
        if bar is None or not sys.stdout.isatty():
            yield
            return
        bar.stop()  # type: ignore[attr-defined]  # rich is imported only where a bar is shown
        try:
            yield
        finally:
            bar.start()  # type: ignore[attr-defined]

    def close(self) -> None:
        """Takes the bar away."""
        if self._bar is not None:
            self._bar.stop()  # type: ignore[attr-defined]
            self._bar = None


def games_in(files: Iterable[str]) -> int | None:
    """How many games the files seem to hold, None where that cannot be told quickly."""
    total = 0
    for file in files:
        try:
            if not os.path.isfile(file) or os.path.getsize(file) > _COUNTED:
                return None
            with open(file, "rb") as stream:
                mark = _MARKS.get(os.path.splitext(file)[1].lower(), b"\n")
                total += sum(line.count(mark) for line in stream)
        except OSError:
            return None
    return total or None
