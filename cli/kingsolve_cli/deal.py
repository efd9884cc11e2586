"""`kingsolve deal`: random deals of a variant by seed."""

import click

from .contradictions import check_output
from .errors import bad_option
from .options import MAX_SEED, SEED, OutputPath, Seat, VariantName, Whole


@click.command(short_help="Random deals of a variant by seed.")
@click.option(
    "--variant",
    "variant_name",
    type=VariantName(),
    default="russian-14",
    show_default=True,
    help="House rules: the id of a variant or a TOML file.",
)
@click.option(
    "--seed",
    type=SEED,
    metavar="N",
    help="Seed from 0 to 2**64-1. Deal i of a seed is the same whatever -n is. Default: a fresh one, said "
    "on stderr.",
)
@click.option(
    "--count",
    "-n",
    type=Whole(1),
    default=1,
    show_default=True,
    metavar="N",
    help="How many deals.",
)
@click.option(
    "--number",
    type=Whole(0),
    metavar="N",
    help="The deal with this number of its own, from 0, among all deals of the pack (kingsolve.deal_number), "
    "instead of a random one. Default: random deals.",
)
@click.option(
    "--first",
    type=Whole(1),
    default=1,
    show_default=True,
    metavar="I",
    help="Number of the first deal: --first 5 -n 1 is the fifth of the seed alone.",
)
@click.option(
    "--dealer",
    type=Seat(),
    help="Who deals every time: N, E, S or W. Default: N deals the first, then the deal passes on.",
)
@click.option(
    "--format",
    "-f",
    "format",
    type=click.Choice(("pbn", "json")),
    help="pbn or json (one game a line). Default: as the name after -o ends, else pbn.",
)
@click.option(
    "--output",
    "-o",
    type=OutputPath(),
    help="File to write, there whole or not at all. Default: standard output.",
)
def deal(
    variant_name: str,
    seed: int | None,
    count: int,
    number: int | None,
    first: int,
    dealer: str | None,
    format: str | None,
    output: str | None,
) -> None:
    """Random deals of a variant, every deal equally likely, as PBN with the order in which cards were dealt;
    or one deal by its number.

    \b
      kingsolve deal --variant rifki --seed 7 -n 100 -o deals.pbn
      kingsolve deal --seed 7 | kingsolve analyze -
      kingsolve deal --number 12345678901234567
    """
    if number is not None and (seed is not None or count != 1 or first != 1):
        bad_option("--number", "expected no --seed, --count or --first with it: it is one deal")
    if first + count - 1 > MAX_SEED:
        bad_option("--first", f"expected deals numbered up to {MAX_SEED}, got {first} and {count - 1} more")
    check_output(output, variant_name)
    from .dealing import run

    run(
        variant_name,
        seed=seed,
        numbers=range(first, first + count),
        own_number=number,
        dealer=dealer,
        output=output or "-",
        format=format,
    )
