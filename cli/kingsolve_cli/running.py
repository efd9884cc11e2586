"""The progress of a run on stderr: a bar for each contract on a terminal, plain lines elsewhere."""

import math
import sys
import time
from typing import TYPE_CHECKING

from kingsolve.simulation import Plan, Tick

from .errors import say
from .progress import DELAY

if TYPE_CHECKING:
    from rich.progress import Progress

EVERY = 10.0
"""Seconds between plain lines; or a tenth of the time that the run has taken, where that is more."""
ALL = "all"


class Running:
    """Counts rounds, contract by contract: deals a second, time left. Shows nothing in the first second.

    A contract's rate is what the run would do if it did nothing else: its rounds by the seconds that threads
    or workers spent on them, times how many were at work at once. So the times left add up.
    """

    def __init__(self, plan: Plan) -> None:
        self._of = plan.deals * plan.leads
        self._names = [contract.name for contract in plan.contracts]
        self._done = dict.fromkeys(self._names, 0)
        self._fresh = dict.fromkeys(self._names, 0)
        self._seconds = dict.fromkeys(self._names, 0.0)
        self._leads = plan.leads
        self._terminal = sys.stderr.isatty()
        self._began = self._last = time.monotonic()
        self._working = math.inf
        """When the first rounds were begun: compiling, or reading what is there, is no part of the rate."""
        self._told: dict[str, int] = {}
        self._bar: Progress | None = None

    def tick(self, tick: Tick) -> None:
        """Some rounds are done; those with no seconds were there before."""
        self._done[tick.contract] += tick.rounds
        now = time.monotonic()
        if tick.seconds:
            self._fresh[tick.contract] += tick.rounds
            self._seconds[tick.contract] += tick.seconds
            self._working = min(self._working, now - tick.seconds)
        if self._terminal and now - self._began >= DELAY:
            self._show(now)
        elif not self._terminal and now - self._last >= max(EVERY, (now - self._began) / 10):
            self._last = now
            self._lines(now)

    def say(self, text: str) -> None:
        """A note, above the bar."""
        if self._bar is not None:
            self._bar.console.print(f"kingsolve: {text}", highlight=False, markup=False, soft_wrap=True)
        else:
            say(text)

    def close(self) -> None:
        """Takes the bar away and, where the run took a while, says how long it did."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
        took = time.monotonic() - self._began
        fresh = sum(self._fresh.values())
        if fresh and took >= DELAY:
            say(f"{fresh:,} rounds in {took:.1f} s, {fresh / took:,.0f} a second")

    def rate(self, name: str, now: float) -> float | None:
        """Rounds a second of a contract, or of ALL; None as long as none is done."""
        seconds = sum(self._seconds.values())
        if now <= self._working or not seconds:
            return None
        if name == ALL:
            return sum(self._fresh.values()) / (now - self._working)
        if not self._seconds[name]:
            return None
        return self._fresh[name] / self._seconds[name] * seconds / (now - self._working)

    def left(self, name: str, now: float) -> float | None:
        """Seconds that a contract, or ALL, has still to take; None as long as nothing is known."""
        rate = self.rate(name, now)
        if rate is None:
            return None
        if name != ALL:
            return (self._of - self._done[name]) / rate
        known = {other: left for other in self._names if (left := self.left(other, now)) is not None}
        whole = sum(self._of - self._done[other] for other in self._names)
        part = sum(self._of - self._done[other] for other in known)
        if not part:
            return None if whole else 0.0
        return sum(known.values()) * whole / part

    def _words(self, name: str, now: float) -> tuple[str, str]:
        """Deals a second and the time left, to be read."""
        rate = self.rate(name, now)
        left = self.left(name, now)
        return (
            "" if rate is None else f"{rate / self._leads:,.{1 if rate < 1000 else 0}f} deals/s",
            "" if left is None else f"{_duration(left)} left",
        )

    def _lines(self, now: float) -> None:
        """A line for each contract that has got on since the last ones, and one for all of them."""
        for name in self._names:
            if self._done[name] != self._told.get(name, 0):
                self._told[name] = self._done[name]
                self._line(name, self._done[name], self._of, now)
        if len(self._names) > 1:
            self._line(ALL, sum(self._done.values()), self._of * len(self._names), now)

    def _line(self, name: str, done: int, whole: int, now: float) -> None:
        words = [word for word in self._words(name, now) if word]
        say(", ".join([f"{name}: {done / whole:.1%} of {whole // self._leads:,} deals", *words]))

    def _show(self, now: float) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

        names = [*self._names, ALL] if len(self._names) > 1 else self._names
        if self._bar is None:
            self._bar = Progress(
                TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(),
                TextColumn("{task.fields[rate]}"), TextColumn("{task.fields[left]}"),
                console=Console(stderr=True), transient=True,
            )  # fmt: skip
            for name in names:
                self._bar.add_task(
                    name, total=self._of * (len(self._names) if name == ALL else 1), rate="", left=""
                )
            self._bar.start()
        elif now - self._last < 0.1:
            return
        self._last = now
        for task, name in zip(self._bar.tasks, names, strict=True):
            done = sum(self._done.values()) if name == ALL else self._done[name]
            rate, left = self._words(name, now)
            self._bar.update(task.id, completed=done, rate=rate, left=left)


def _duration(seconds: float) -> str:
    """A time as people say it.

    >>> _duration(7.2), _duration(307), _duration(86_000)
    ('7 s', '5:07', '23:53:20')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
