"""The work of `kingsolve bench`."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import IO

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from kingsolve.benchmark import Report, Speed, dds_record, measure
from kingsolve.bulk import processors

from .errors import bad_option
from .loading import variant_option
from .output import text_output, write_json
from .style import QUIET, STRONG, Style, ink

HEADS = ("contract", "solves/s", "ms mean", "median", "nodes mean", "median", "max", "Mn/s", "speed")
WIDTHS = (13, 8, 7, 7, 10, 7, 9, 5, 5)


def run(
    *,
    quick: bool,
    variant_name: str,
    contracts: tuple[str, ...],
    jobs: int | None,
    compare: str | None,
    format: str | None,
    output: str | None,
) -> None:
    """Measures what was asked for and writes it."""
    variant = variant_option(variant_name)
    assert variant is not None
    for name in contracts:
        if name not in variant.contracts:
            known = " ".join(variant.contracts)
            bad_option("--contract", f"expected a contract of {variant.id}, one of {known}, got {name!r}")
    if compare and find_spec("endplay") is None:
        raise click.ClickException("expected endplay for --compare dds: pip install 'kingsolve[bench]'")  # noqa: EM101
    kind = format or ("json" if (output or "").lower().endswith(".json") else "table")
    with _said(len(contracts or variant.contracts) + 1) as said:
        report = measure(
            variant, contracts=contracts, quick=quick, jobs=jobs or processors(),
            dds=compare == "dds", tick=said.tick,
        )  # fmt: skip
    with text_output(output) as stream:
        if kind == "json":
            write_json(stream, report.record())
        else:
            _print(report, stream)


class _Said:
    """A bar on stderr that says what is being measured, where stderr is a terminal."""

    def __init__(self, steps: int) -> None:
        self._bar: Progress | None = None
        self._begun = False
        if sys.stderr.isatty():
            self._bar = Progress(
                TextColumn("{task.description}"), BarColumn(), console=Console(stderr=True), transient=True
            )
            self._bar.add_task("", total=steps)
            self._bar.start()

    def tick(self, what: str) -> None:
        """The next thing begins."""
        if self._bar is not None:
            task = self._bar.task_ids[0]
            self._bar.update(task, description=what, advance=1 if self._begun else 0)
        self._begun = True

    def close(self) -> None:
        """Takes the bar away."""
        if self._bar is not None:
            self._bar.stop()


@contextmanager
def _said(steps: int) -> Iterator[_Said]:
    said = _Said(steps)
    try:
        yield said
    finally:
        said.close()


def _print(report: Report, stream: IO[str]) -> None:
    style = Style(stream)
    machine = report.machine
    style.print(ink(f"kingsolve {machine['kingsolve']}, {machine['isa']} instructions", STRONG))
    style.print(f"{machine['machine']}, Python {machine['python']}")
    style.print(
        f"{report.variant}: the guarantee of every seat, {report.deals} deals of {report.cards} cards a hand"
    )
    style.print()
    style.print(ink(_row(HEADS), QUIET))
    for speed in report.speeds:
        style.print(_row(_cells(speed)))
    if len(report.speeds) > 1:
        style.print(ink(_row(_cells(report.whole)), STRONG))
    style.print()
    for rate in report.threads.rates:
        threads = f"{rate.jobs} thread{'s' if rate.jobs > 1 else ''}"
        gain = f", {report.threads.gain:.2f} times one thread's" if rate.jobs > 1 else ""
        style.print(
            f"{threads}: {rate.solves_per_second:,.0f} solves a second ({report.threads.contract}){gain}"
        )
    for found in report.dds:
        record = dds_record(found)
        ours, theirs = record["kingsolve_ms"], record["dds_ms"]
        style.print(
            f"no trumps, two against two, {found.cards} cards a hand: {ours['mean']:.3f} ms, DDS "
            f"{theirs['mean']:.3f} ms: {found.ratio:.2f} of DDS's time, {len(found.ours)} values equal"
        )
    if report.checked:
        where = report.reference
        style.print(f"nodes and values: as in the reference, {len(report.whole.nodes):,} solves")
        style.print(
            ink(f"speed: times the reference's, {where['machine']}, {where['isa']}, {where['commit']}", QUIET)
        )
    else:
        style.print("no reference for this variant")


def _cells(speed: Speed) -> tuple[str, ...]:
    record = speed.record()
    ms, nodes = record["ms"], record["nodes"]
    return (
        speed.contract,
        f"{speed.solves_per_second:,.0f}",
        *(f"{ms[name]:.3f}" if ms[name] < 100 else f"{ms[name]:.0f}" for name in ("mean", "median")),
        *(f"{nodes[name]:,}" for name in ("mean", "median", "max")),
        f"{speed.nodes_per_second / 1e6:.1f}",
        "-" if speed.ratio is None else f"{speed.ratio:.2f}",
    )


def _row(cells: tuple[str, ...]) -> str:
    first, *rest = (
        cell.ljust(width) if i == 0 else cell.rjust(width)
        for i, (cell, width) in enumerate(zip(cells, WIDTHS, strict=True))
    )
    return " ".join([first, *rest])
