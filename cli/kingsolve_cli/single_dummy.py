"""What the commands that see one hand share: terms from options, and an advice run with a bar and Ctrl-C."""

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from types import TracebackType
from typing import Any

from kingsolve import KingError, Variant
from kingsolve.advisor import Advice, Advisor

from .errors import bad_option
from .progress import DELAY


def advised(job: Advisor) -> tuple[Advice, bool]:
    """The advice, and whether Ctrl-C ended it: then with what there was; KeyboardInterrupt when there was
    nothing. Too little --time for one deal is an option as typed."""
    with SampleBar() as bar:
        try:
            return job.run(bar.show), False
        except KingError as error:
            if job.status == "time":
                bad_option("--time", str(error))
            raise
        except KeyboardInterrupt:
            found = job.interrupt()
            if found is None:
                raise
            return found, True


@dataclass(frozen=True, kw_only=True)
class Advised:
    """A game with an advice for each contract asked for, ready to print."""

    file: str
    number: int
    board: str | None
    variant: Variant
    advices: Sequence[Advice]
    interrupted: bool
    warnings: Sequence[str] = ()


class SampleBar:
    """Counts deals on stderr, where that is a terminal and a second has gone by."""

    def __init__(self) -> None:
        self._shown = sys.stderr.isatty()
        self._began = time.monotonic()
        self._bar: Any = None

    def __enter__(self) -> "SampleBar":
        return self

    def show(self, done: int, budget: int) -> None:
        """Shows that `done` deals of at most `budget` are valued."""
        if not self._shown or time.monotonic() - self._began < DELAY:
            return
        if self._bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

            columns = TextColumn("deals"), BarColumn(), MofNCompleteColumn()
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._bar.add_task("deals", total=budget if budget < 1 << 30 else None)
            self._bar.start()
        self._bar.update(self._bar.task_ids[0], completed=done)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()


def advice_json(advice: Advice) -> dict[str, Any]:
    """An advice as JSON values; docs/single-dummy.md describes them."""
    record: dict[str, Any] = {"variant": advice.variant}
    if advice.contract is not None:
        record["contract"] = advice.contract.name
    record |= {"kind": advice.kind, "seat": advice.seat, "own": list(advice.own)}
    if advice.trick:
        record["trick"] = list(advice.trick)
    options = []
    for option in advice.options:
        row: dict[str, Any] = {
            advice.kind if advice.kind == "card" else "contract": option.name,
            "mean": _number(option.mean),
            "error": _number(option.error),
            "best": _number(option.best),
            "behind": _number(option.behind),
            "behind_error": _number(option.behind_error),
        }
        if option.over_share is not None:
            row["over_share"] = _number(option.over_share)
        options.append(row)
    record["options"] = options
    record |= {
        "value": advice.value,
        "value_by_rule": advice.by_rule,
        "samples": advice.samples,
        "consistent": advice.consistent,
        "status": advice.status,
        "seed": advice.seed,
        "confidence": advice.confidence,
    }
    if advice.policy is not None:
        record |= {"belief": advice.policy, "effective": _number(advice.effective)}
    return record


def _number(value: float) -> float | None:
    """Six decimals: more would be noise. None for the error of one deal alone."""
    return None if isnan(value) else round(value, 6) + 0.0
