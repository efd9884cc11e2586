"""A progress bar on stderr, where that is a terminal and the work is long."""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import RLock, Timer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

_COUNTED = 256 << 20
_MARKS = {".pbn": b"[Deal ", ".lin": b"md|"}
_MATCH, _ROUND = b'"kingsolve match"', b'"contract"'
"""A match in JSON, and each of its rounds."""
DELAY = 1.0
"""Seconds of work before the bar appears."""


class Bar:
    """Counts games; shows nothing unless stderr is a terminal and a second has gone by."""

    def __init__(self, files: Iterable[str], *, shown: bool | None = None) -> None:
        self._files = list(files)
        self._done = 0
        self._bar: Progress | None = None
        self._lock = RLock()
        self._timer = Timer(DELAY, self._show)
        self._timer.daemon = True
        if sys.stderr.isatty() if shown is None else shown:
            self._timer.start()

    def _show(self) -> None:
        """On the timer's thread, whatever the work is at."""
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
        bar = Progress(*columns, console=Console(stderr=True), transient=True)
        total = games_in(self._files)
        with self._lock:
            if not self._timer.finished.is_set():
                bar.add_task("games", total=total, completed=self._done)
                bar.start()
                self._bar = bar

    def advance(self) -> None:
        """One game more is done."""
        with self._lock:
            self._done += 1
            if self._bar is not None:
                self._bar.update(self._bar.task_ids[0], completed=self._done)

    @contextmanager
    def hidden(self, *, always: bool = False) -> Iterator[None]:
        """Takes the bar off the terminal while standard output is printed there, or `always`."""
        with self._lock:
            bar = self._bar if always or sys.stdout.isatty() else None
            if bar is not None:
                bar.stop()
            try:
                yield
            finally:
                if bar is not None:
                    bar.start()

    def close(self) -> None:
        """Takes the bar away, for good."""
        with self._lock:
            self._timer.cancel()
            if self._bar is not None:
                self._bar.stop()
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
                total += sum(line.count(_ROUND if _MATCH in line else mark) for line in stream)
        except OSError:
            return None
    return total or None
