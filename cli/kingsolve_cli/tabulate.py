"""`kingsolve tabulate`: tables and plots of a run. Options here, the work in tabulating.py."""

from typing import Any

import click

from .options import Names, OutputPath, format_for

FORMATS = ("table", "csv", "json", "parquet", "markdown")


@click.command(short_help="What the contracts of a run cost, seat by seat.")
@click.argument("folder", required=False, type=click.Path(), metavar="RUN")
@click.option(
    "--compare",
    nargs=2,
    type=click.Path(),
    metavar="RUN RUN",
    help="Two runs of the same deals: differences deal by deal, the first less the second, with 95 % "
    "intervals. Default: one run alone.",
)
@click.option(
    "--by",
    "keys",
    type=Names("keys", example="contract,turn"),
    multiple=True,
    help="What a row is for: any of contract, turn (1 leads, then in the order of play), seat, leader, "
    "player, shape (of the seat's hand), holder:CARD (whether it holds it). Default: contract,turn.",
)
@click.option(
    "--rows",
    type=click.Choice(("summary", "distribution", "halves")),
    default="summary",
    show_default=True,
    help="summary: mean and its standard error, standard deviation, quantiles, shares; distribution: how "
    "often how many points; halves: sums over the halves of a match.",
)
@click.option(
    "--format",
    "-f",
    "format",
    type=click.Choice(FORMATS),
    help="table, csv, json (one object a line), parquet or markdown. Default: as the name after -o ends, "
    "else table.",
)
@click.option(
    "--plot",
    type=OutputPath(),
    metavar="FILE",
    help="Also draw FILE (.svg, .png or .pdf): points by contract, and what each turn is worth. Needs "
    "matplotlib. Default: no picture.",
)
@click.option(
    "--partial", is_flag=True, help="Take an unfinished run for what is there. Default: it is an error."
)
@click.option(
    "--output",
    "-o",
    type=OutputPath(),
    help="File to write, there whole or not at all. Default: standard output.",
)
def tabulate(folder: str | None, compare: tuple[str, str] | None, **options: Any) -> None:
    """What the rounds of RUN, a folder of `kingsolve simulate`, came to: points are signed, by contract and
    turn unless --by says otherwise. A deal's rounds, with every seat leading, count as one for errors.

    \b
      kingsolve tabulate runs/a
      kingsolve tabulate runs/a --by contract,holder:Kh --format csv -o held.csv
      kingsolve tabulate --compare runs/a runs/b
    """
    if (folder is None) == (compare is None):
        raise click.UsageError("expected the folder of one run, or --compare and two")  # noqa: EM101  # one place
    options["keys"] = tuple(dict.fromkeys(name for given in options["keys"] for name in given))
    options["format"] = format_for(options["output"], options["format"], FORMATS)
    from .tabulating import run

    run(folder, compare, **options)
