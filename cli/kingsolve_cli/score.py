"""`kingsolve score`: recorded rounds checked and scored. Options here, the work in scoring.py."""

import click

from .contradictions import check_files
from .errors import bad_option
from .options import InputPath, Names, OutputPath, Seat, VariantName, Whole, format_for

FORMATS = ("table", "json", "csv")


@click.command(short_help="Recorded rounds checked card by card and scored.")
@click.argument("files", nargs=-1, required=True, type=InputPath(), metavar="FILE...")
@click.option(
    "--variant",
    "variant_name",
    type=VariantName(),
    help="House rules: the id of a variant or a TOML file. Default: tag KingVariant, else by the cards.",
)
@click.option(
    "--contract",
    "contracts",
    type=Names("name"),
    help="The contract that every round is taken for. Default: tag KingContract.",
)
@click.option(
    "--leader",
    type=Seat(),
    help="The seat that led first: N, E, S or W. Default: that of the Play section, else tag KingLeader, "
    "else by the dealer and the variant.",
)
@click.option(
    "--format",
    "-f",
    "format",
    type=click.Choice(FORMATS),
    help="table, json (one object a round, then one a file) or csv (one row per round and seat). Default: as "
    "the name after -o ends, else table.",
)
@click.option(
    "--game",
    "games",
    type=Whole(1),
    multiple=True,
    metavar="N",
    help="Only the game with this number in its file, counted from 1; may be given again. Default: all.",
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
    help="Report faulty rounds on stderr, skip them, and exit 1 at the end. Default: stop at the first.",
)
def score(
    files: tuple[str, ...],
    variant_name: str | None,
    contracts: tuple[str, ...] | None,
    leader: str | None,
    format: str | None,
    output: str | None,
    games: tuple[int, ...],
    keep_going: bool,
) -> None:
    """Check the recorded rounds in FILE... card by card and score them, with totals for each file.

    The first illegal card of a round is reported with seat, trick and reason, and so are scores that differ
    from a KingScores tag; either makes the exit code 1. Points are signed and go to the seat that takes the
    trick. A round recorded in part is scored as far as it goes.

    \b
      kingsolve score evening.pbn
      kingsolve score evening.pbn --format csv -o scores.csv
    """
    from .scoring import Scoring, run

    check_files(files, output, variant_name)
    if contracts is not None and len(contracts) > 1:
        bad_option("--contract", f"expected one contract, got {' '.join(contracts)!r}")
    contract = contracts[0] if contracts else None
    run(
        Scoring(
            files=files,
            variant_name=variant_name,
            contract=contract,
            leader=leader,
            format=format_for(output, format, FORMATS),
            output=output,
            games=games,
            keep_going=keep_going,
        )
    )
