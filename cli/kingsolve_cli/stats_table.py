"""The work of `kingsolve stats`: the records as table, JSON, CSV, Parquet or Markdown; export and reset."""

import sys
from collections.abc import Sequence
from typing import Any

import click
from rich.text import Text

from kingsolve import load_variant, variant_ids
from kingsolve.statistics import Record, Statistics

from .diagram import Group, banded
from .errors import USAGE, say
from .folder import statistics_path
from .output import file_output, text_output, write_csv, write_json
from .style import STRONG, Style, ink, signed


def show(kind: str, output: str | None) -> None:
    """Writes the records in the format asked for."""
    records = _records()
    rows = [row_of(record) for record in records]
    if kind == "parquet":
        import pandas as pd

        assert output is not None
        with file_output(output) as temporary:
            pd.DataFrame(rows, columns=list(_EMPTY)).to_parquet(temporary, index=False)
        return
    with text_output(output) as stream:
        if kind == "json":
            for row in rows:
                write_json(stream, row)
        elif kind == "csv":
            stream.write(f"{','.join(_EMPTY)}\n")
            write_csv(stream, rows, header=False)
        elif kind == "markdown":
            label, groups = _groups(records)
            heads = [*label.columns, *(name for group in groups for name in group.columns)]
            stream.write(f"| {' | '.join(heads)} |\n|---|---|{'--:|' * (len(heads) - 2)}\n")
            for i, names in enumerate(label.rows):
                cells = [*names, *(cell for group in groups for cell in group.rows[i])]
                stream.write(f"| {' | '.join(str(cell) for cell in cells)} |\n")
        elif not records:
            say("no match has been finished yet: kingsolve play")
        else:
            style = Style(stream)
            for line in banded(style, *_groups(records)):
                style.print(line)


def export(path: str) -> None:
    """Writes a copy of the file."""
    statistics = Statistics(statistics_path())
    text = statistics.text()
    _tell(statistics)
    with text_output(path) as stream:
        stream.write(text)


def reset(*, yes: bool) -> None:
    """Begins anew, once the user has said yes."""
    statistics = Statistics(statistics_path())
    if not yes:
        if not sys.stdin.isatty():
            say("expected a terminal to ask on, or --yes with --reset")
            click.get_current_context().exit(USAGE)
        click.confirm("Begin the statistics anew?", abort=True, err=True)
    moved = statistics.reset()
    old = f"the old ones are {str(moved)!r}" if moved else "there were none"
    say(f"the statistics begin anew; {old}")


def _records() -> Sequence[Record]:
    statistics = Statistics(statistics_path())
    records = statistics.records()
    _tell(statistics)
    return records


def _tell(statistics: Statistics) -> None:
    if statistics.set_aside is not None:
        say(f"note: the statistics were damaged; set aside as {str(statistics.set_aside)!r}")


def row_of(record: Record) -> dict[str, Any]:
    """A record as a flat row."""
    mean = record.mean
    return {
        "level": record.level,
        "variant": record.variant,
        "played": record.played,
        "won": record.won,
        "drawn": record.drawn,
        "lost": record.lost,
        **{f"place_{place}": count for place, count in enumerate(record.places, 1)},
        "points": record.points,
        "mean": None if mean is None else round(mean, 3),
        "penalty": record.penalty,
        "positive": record.positive,
        "best": record.best,
        "worst": record.worst,
        "streak": record.streak,
        "longest": record.longest,
        "day": record.day,
    }


_EMPTY = row_of(Record(level="", variant=""))


def _groups(records: Sequence[Record]) -> tuple[Group, list[Group]]:
    """The label column and the groups of numbers, a row for each record."""
    label: list[list[Text | str]] = [
        [ink(record.level, STRONG), _title(record.variant)] for record in records
    ]
    counts = [[str(n) for n in (record.played, record.won, record.drawn, record.lost)] for record in records]
    places = [[str(count) for count in record.places] for record in records]
    points = [
        [f"{record.mean or 0:+.1f}", signed(record.best or 0), signed(record.worst or 0)]
        for record in records
    ]
    rows: list[list[Text | str]] = [[str(record.streak), str(record.longest)] for record in records]
    return Group("", ["level", "match"], label, left=True), [
        Group("matches", ["played", "won", "drawn", "lost"], counts),
        Group("places", ["1", "2", "3", "4"], places),
        Group("points", ["mean", "best", "worst"], points),
        Group("won in a row", ["now", "most"], rows),
    ]


def _title(variant: str) -> str:
    return load_variant(variant).title if variant in variant_ids() else variant
