"""`kingsolve arena`: players against each other. Options here, the work in contests.py."""

from typing import Any

import click

from .options import SEED, Names, OutputPath, Seconds, VariantName, format_for

FORMATS = ("table", "json", "csv", "markdown")
TABLES = ("ladder", "mixed", "pairs")


@click.command(
    short_help="Players against each other over duplicate matches.",
    epilog="The players and what they can do are described in docs/players.md.",
)
@click.argument("players", nargs=-1, required=True, metavar="PLAYER...")
@click.option(
    "--variant",
    "variant_name",
    type=VariantName(),
    default="full-king",
    show_default=True,
    help="House rules: the id of a variant (kingsolve variants) or a TOML file.",
)
@click.option(
    "--deals",
    "sets",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    metavar="N",
    help="How many deal sets: the deals of one match, which every table plays.",
)
@click.option(
    "--seed",
    type=SEED,
    metavar="N",
    help="Seed of the deals and of the players, from 0 to 2**64-1. Default: that of --matches, else a fresh "
    "one, said on stderr.",
)
@click.option(
    "--tables",
    "kinds",
    type=Names("names", TABLES),
    default="ladder,mixed",
    show_default=True,
    help="ladder: each player against the one named before it, two against two in alternating seats, both "
    "ways round; pairs: so for every two players; mixed: all players at one table, in every rotation.",
)
@click.option(
    "--budget",
    type=click.IntRange(1),
    metavar="N",
    help="Deals that a player may imagine for one move; NAME:N sets it for one player. Default: each "
    "player's own.",
)
@click.option(
    "--seconds",
    type=Seconds(above=True),
    metavar="S",
    help="Cap on the time of one move, in seconds; with it results depend on the clock. Default: none.",
)
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(1, 1024),
    metavar="N",
    help="Processes. The result is the same for any number. Default: one for each processor.",
)
@click.option(
    "--matches",
    type=OutputPath(),
    metavar="FILE",
    help="Keep every match in FILE (JSON lines); those there already are not played again, so that the same "
    "command goes on where it was stopped. Default: kept nowhere.",
)
@click.option(
    "--format",
    "-f",
    "format",
    type=click.Choice(FORMATS),
    help="table, json (one object a line), csv or markdown. Default: as the name after -o ends, else table.",
)
@click.option("--output", "-o", type=OutputPath(), help="File to write. Default: standard output.")
def arena(**options: Any) -> None:
    """Players against each other: duplicate matches, every deal set with the players in every rotation of the
    seats. PLAYER is a name, or NAME:N with N deals a move: easy, normal, hard, crazy, uniform, those that
    others have added, or open, which sees all hands, for reference.

    \b
      kingsolve arena easy normal --deals 500 --seed 1
      kingsolve arena easy normal hard crazy --variant russian-14 --deals 40 --seed 7 --matches ladder.jsonl
      kingsolve arena hard:50 hard:500 --tables ladder
    """
    options["format"] = format_for(options["output"], options["format"], FORMATS)
    from .contests import run

    run(**options)
