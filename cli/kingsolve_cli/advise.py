"""`kingsolve advise`: which contract to choose, which trumps to name, seeing one hand. The work is in
advising.py."""

from typing import Any

import click

from .options import OutputPath, VariantName, Whole, format_for
from .single_options import choosing_options

FORMATS = ("table", "json", "csv")


@click.group(short_help="Which contract to choose, or trumps to name, seeing one hand.")
def advise() -> None:
    """The expected points of each contract, or of each trump, for the chooser, who sees one hand and
    leads."""


_HAND = click.option("--hand", required=True, metavar="CARDS", help='The cards seen, such as "As Kh 10d 7c".')
_COMMON = (
    click.option(
        "--jobs",
        "-j",
        type=Whole(1, 1024),
        metavar="N",
        help="Threads; they do not change the answer. Default: one for each processor.",
    ),
    click.option(
        "--format",
        "-f",
        "format",
        type=click.Choice(FORMATS),
        help="table, json (one object) or csv (a row an option). Default: as the name after -o ends, "
        "else table.",
    ),
    click.option(
        "--output",
        "-o",
        type=OutputPath(),
        help="File to write, there whole or not at all. Default: standard output.",
    ),
)


def _common(command: Any) -> Any:
    for option in reversed(_COMMON):
        command = option(command)
    return choosing_options(command)


@advise.command(short_help="The expected points of each contract still open.")
@_HAND
@click.option(
    "--variant",
    "variant_name",
    type=VariantName(),
    default="dealers-choice-20",
    show_default=True,
    help="House rules in which a contract is chosen: dealers-choice-20, rifki, king-1993, or a TOML file.",
)
@click.option(
    "--left",
    metavar="QUOTAS",
    help='What may still be chosen: "no-king=1,trumps-s=2", or names alone. Contracts not named are closed. '
    "Default: all are open.",
)
@_common
def contract(hand: str, variant_name: str, left: str | None, **options: Any) -> None:
    """The expected points of each contract still open, for the chooser, who holds --hand and leads.

    All contracts are valued over the same deals. `over share` is how far a contract is above an equal share
    of its points: what comparing contracts of different sizes asks for.

    \b
      kingsolve advise contract --variant rifki --hand "AS KS 9S 5S QH 7H 3H TD 8D 4D JC 6C 2C"
      kingsolve advise contract --hand "..." --left no-king=1,trumps-s=2 --seed 1
    """
    _run("contract", variant_name, hand, left, options)


@advise.command(short_help="Each suit as trumps, and no trumps, from the first cards.")
@_HAND
@click.option(
    "--variant",
    "variant_name",
    type=VariantName(),
    default="full-king",
    show_default=True,
    help="House rules in which trumps are named after the first cards: full-king, short-king, or a TOML "
    "file.",
)
@_common
def trump(hand: str, variant_name: str, **options: Any) -> None:
    """The expected points of each suit as trumps and of no trumps, for who sees the first cards only and
    leads.

    \b
      kingsolve advise trump --hand "AS KS 7H" --variant full-king
    """
    _run("trump", variant_name, hand, None, options)


def _run(kind: str, variant_name: str, hand: str, left: str | None, options: dict[str, Any]) -> None:
    from kingsolve.bulk import processors

    from .advising import run

    options["jobs"] = options["jobs"] or processors()
    options["format"] = format_for(options["output"], options["format"], FORMATS)
    run(kind, variant_name, hand=hand, left=left, options=options)
