"""`kingsolve stats`: how the matches of `kingsolve play` ended. Options here, the work in stats_table.py."""

import click

from .errors import bad_option
from .options import OutputPath, format_for

FORMATS = ("table", "json", "csv", "parquet", "markdown")


@click.command(short_help="How your matches of `kingsolve play` ended.")
@click.option(
    "--format",
    "-f",
    "format",
    type=click.Choice(FORMATS),
    help="table, json (one object a level and variant), csv, parquet or markdown. Default: as the name after "
    "-o ends, else table.",
)
@click.option(
    "--output",
    "-o",
    type=OutputPath(),
    help="File to write, there whole or not at all. Default: standard output.",
)
@click.option(
    "--export",
    type=OutputPath(),
    metavar="FILE",
    help="Write a copy of the statistics as they are kept (JSON) to FILE, - for standard output, and nothing "
    "else. Default: no copy.",
)
@click.option(
    "--reset",
    is_flag=True,
    help="Begin anew: the file is renamed, not deleted. Asks first, unless --yes. Default: show them.",
)
@click.option("--yes", is_flag=True, help="With --reset: do not ask. Default: ask.")
def stats(format: str | None, output: str | None, export: str | None, reset: bool, yes: bool) -> None:
    """How your matches of `kingsolve play` ended, for each level and variant: won, drawn (the highest total
    shared), lost, places, points.

    They are kept in the user's data folder (KINGSOLVE_DATA, where set).

    \b
      kingsolve stats
      kingsolve stats --export statistics.json
      kingsolve stats --reset
    """
    if reset and (export is not None or format is not None or output is not None):
        bad_option("--reset", "expected --reset alone: export first")
    if export is not None and (format is not None or output is not None):
        bad_option("--export", "expected --export alone, or --format and --output")
    if yes and not reset:
        bad_option("--yes", "expected --yes with --reset")
    kind = format_for(output, format, FORMATS)
    if kind == "parquet" and output in (None, "-"):
        bad_option("--format", "expected -o FILE with parquet, got none")
    from . import stats_table

    if reset:
        stats_table.reset(yes=yes)
    elif export is not None:
        stats_table.export(export)
    else:
        stats_table.show(kind, output)
