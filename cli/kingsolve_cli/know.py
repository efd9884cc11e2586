"""`kingsolve know`: what one seat may infer. Options here, the work in knowing.py."""

import click

from .contradictions import check_files
from .errors import bad_option
from .options import InputPath, Names, OutputPath, Seat, VariantName, Whole, format_for

FORMATS = ("table", "json")


@click.command(short_help="What one seat may infer about the hands it does not see.")
@click.argument("files", nargs=-1, required=True, type=InputPath(), metavar="FILE...")
@click.option("--seat", type=Seat(), required=True, help="The seat that knows: N, E, S or W.")
@click.option(
    "--after",
    type=Whole(0),
    metavar="N",
    help="What it knows after N recorded cards. Default: after all of them.",
)
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
    "--game",
    "games",
    type=Whole(1),
    multiple=True,
    metavar="N",
    help="Only the game with this number in its file, counted from 1; may be given again. Default: all.",
)
@click.option(
    "--format",
    "-f",
    "format",
    type=click.Choice(FORMATS),
    help="table, or json (one object a game). Default: as the name after -o ends, else table.",
)
@click.option(
    "--output",
    "-o",
    type=OutputPath(),
    help="File to write, there whole or not at all. Default: standard output.",
)
def know(
    files: tuple[str, ...],
    seat: str,
    after: int | None,
    variant_name: str | None,
    contracts: tuple[str, ...] | None,
    leader: str | None,
    games: tuple[int, ...],
    format: str | None,
    output: str | None,
) -> None:
    """What one seat may infer about the hidden hands of the recorded rounds in FILE..., by the rules alone.

    Each deduction comes with its reason; then, for each hidden card, the seats that may hold it, and how many
    deals fit. Only the hand of --seat is looked at, whatever the file shows.

    \b
      kingsolve know evening.pbn --seat S
      kingsolve know evening.pbn --game 3 --seat N --after 14 --format json
    """
    from .knowing import Asked, run

    check_files(files, output, variant_name)
    if contracts is not None and len(contracts) > 1:
        bad_option("--contract", f"expected one contract, got {' '.join(contracts)!r}")
    run(
        Asked(seat=seat, after=after, contract=contracts[0] if contracts else None, leader=leader),
        files=files, variant_name=variant_name, games=games, output=output,
        format=format_for(output, format, FORMATS),
    )  # fmt: skip
