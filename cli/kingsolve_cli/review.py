"""`kingsolve review`: a recorded match looked back on. Options here, the work in reviewing.py."""

from typing import Any

import click

from .contradictions import check_files
from .errors import bad_option
from .folder import data_folder
from .options import MAX_NODES, InputPath, Memory, OutputPath, Seconds, VariantName, Whole, format_for

FORMATS = ("table", "json", "csv", "parquet", "markdown")


@click.command(short_help="A recorded match looked back on: who lost points, where.")
@click.argument("files", nargs=-1, type=InputPath(), metavar="[FILE]...")
@click.option(
    "--variant",
    "variant_name",
    type=VariantName(),
    help="House rules: the id of a variant or a TOML file. Default: as the file says (a match, tag "
    "KingVariant), else by the cards.",
)
@click.option(
    "--cards", is_flag=True, help="Also each deal card by card. Default: one line a deal, and the totals."
)
@click.option(
    "--rows",
    type=click.Choice(("deals", "cards")),
    default="deals",
    show_default=True,
    help="What a row of csv and parquet is: a seat of a deal, or a recorded card.",
)
@click.option(
    "--format",
    "-f",
    "format",
    type=click.Choice(FORMATS),
    help="table, json (one object a deal, then one a file), csv or parquet (tidy rows) or markdown. Default: "
    "as the name after -o ends, else table.",
)
@click.option(
    "--nodes",
    type=Whole(1, MAX_NODES),
    metavar="N",
    help="Cards that the search of one deal may play; cards that are not solved then are counted and said to "
    "be, the same on every machine. Default: 50,000,000, a few seconds.",
)
@click.option(
    "--time-limit",
    type=Seconds(),
    default=0.0,
    show_default=True,
    metavar="SECONDS",
    help="Seconds for one deal; 0: no limit but --nodes.",
)
@click.option(
    "--memory",
    type=Memory(),
    default="64M",
    show_default=True,
    help="Memory of each thread's table: MiB, or with a unit K, M or G.",
)
@click.option(
    "--jobs",
    "-j",
    type=Whole(1, 1024),
    metavar="N",
    help="Threads over deals. Default: one for each processor.",
)
@click.option(
    "--game",
    "games",
    type=Whole(1),
    multiple=True,
    metavar="N",
    help="Only the deal with this number in its file, counted from 1; may be given again. Default: all.",
)
@click.option(
    "--output",
    "-o",
    type=OutputPath(),
    help="File to write, there whole or not at all. Default: standard output.",
)
@click.option(
    "--keep-going",
    "-k",
    is_flag=True,
    help="Report faulty deals on stderr, skip them, and exit 1 at the end. Default: stop at the first.",
)
def review(files: tuple[str, ...], **options: Any) -> None:
    """Look back on the recorded match in FILE (a match in JSON, PBN, games in JSON lines; without FILE the
    last one of `kingsolve play`), all hands seen: how many points each seat's own cards lost it in each deal,
    and the first card that changed the result.

    The yardstick is max^n, ties in card order: what each seat ends with if all play their best cards for
    themselves from there on. A card's loss is its player's points by that line before the card, less those
    after it. A seat may lose points and still score more than at first: others' cards may lose more. Losses
    of cards that are not solved are not known: 4+ is at least 4.

    \b
      kingsolve review match.json
      kingsolve review evening.pbn --format csv -o lost.csv
      kingsolve review match.json --game 7 --cards
    """
    if not files:
        files = (_last_match(),)
    format = format_for(options["output"], options.pop("format"), FORMATS)
    check_files(files, options["output"], options["variant_name"])
    if format == "parquet" and options["output"] in (None, "-"):
        bad_option("--format", "expected -o FILE with parquet, got none")
    if options["cards"] and format != "table":
        bad_option("--cards", f"expected --cards with a table, got {format!r}: take --rows cards, or json")
    if options["rows"] == "cards" and format not in ("csv", "parquet"):
        bad_option("--rows", f"expected --rows with csv or parquet, got {format!r}")
    from kingsolve.bulk import processors

    options["jobs"] = options["jobs"] or processors()
    from .reviewing import Request, run

    run(Request(files=files, format=format, **options))


def _last_match() -> str:
    """The match of `kingsolve play` that was finished last."""
    found = [(path.stat().st_mtime_ns, path) for path in (data_folder() / "matches").glob("*.json")]
    if not found:
        msg = "expected a file to read, got none, and no match of `kingsolve play` is finished"
        raise click.UsageError(msg)
    return str(max(found)[1])
