"""The progress of a run on stderr: a bar for each contract on a terminal, plain lines elsewhere."""

import sys
import time
from typing import TYPE_CHECKING

from kingsolve.simulation import Plan, Tick

from .errors import say
from .progress import DELAY

if TYPE_CHECKING:
    from rich.progress import Progress

EVERY = 10.0
"""Seconds between plain lines."""


class Running:
    """Counts rounds, contract by contract. Shows nothing in the first second."""

    def __init__(self, plan: Plan) -> None:
        self._of = plan.deals * plan.leads
        self._names = [contract.name for contract in plan.contracts]
        self._done = dict.fromkeys(self._names, 0)
        self._fresh = dict.fromkeys(self._names, 0)
        self._seconds = dict.fromkeys(self._names, 0.0)
        self._leads = plan.leads
        self._terminal = sys.stderr.isatty()
        self._began = self._last = time.monotonic()
        self._bar: Progress | None = None

    def tick(self, tick: Tick) -> None:
        """Some rounds are done; those with no seconds were there before."""
        self._done[tick.contract] += tick.rounds
        if tick.seconds:
            self._fresh[tick.contract] += tick.rounds
            self._seconds[tick.contract] += tick.seconds
        now = time.monotonic()
        if self._terminal and now - self._began >= DELAY:
            self._show(tick.contract)
        elif not self._terminal and now - self._last >= EVERY:
            self._last = now
            self._line(now)

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

    def _line(self, now: float) -> None:
        done, whole = sum(self._done.values()), self._of * len(self._names)
        rate = sum(self._fresh.values()) / (now - self._began)
        left = f", {(whole - done) / rate:.0f} s left" if rate else ""
        say(f"{done:,} of {whole:,} rounds, {rate / self._leads:,.1f} deals a second{left}")

    def _show(self, contract: str) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

        if self._bar is None:
            self._bar = Progress(
                TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(),
                TextColumn("{task.fields[rate]}"), TimeRemainingColumn(), console=Console(stderr=True),
                transient=True,
            )  # fmt: skip
            for name in self._names:
                self._bar.add_task(name, total=self._of, rate="")
            self._bar.start()
        task = self._bar.tasks[self._names.index(contract)].id
        rate = self._fresh[contract] / self._leads / (time.monotonic() - self._began)
        self._bar.update(task, completed=self._done[contract], rate=f"{rate:,.0f} deals/s")
