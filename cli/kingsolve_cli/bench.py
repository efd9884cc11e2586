"""`kingsolve bench`: how fast the solver is here, and whether this build is right. Options alone."""

from typing import Any

import click

from .options import Names, OutputPath, VariantName, Whole


@click.command(
    short_help="How fast the solver is on this machine, and whether this build is right.",
    epilog="Node counts and values must be those of the shipped reference, on every machine; another is an "
    "error and exit 1. Times are CPU time of one thread, but for the lines about threads.",
)
@click.option("--quick", is_flag=True, help="Fewer deals, once each: seconds. Default: under a minute.")
@click.option(
    "--variant",
    "variant_name",
    type=VariantName(),
    default="russian-14",
    show_default=True,
    help="House rules: the id of a variant (kingsolve variants) or a TOML file, which has no reference.",
)
@click.option(
    "--contract",
    "contracts",
    type=Names("names"),
    multiple=True,
    help="Contracts, separated by commas or in several options; `all` is every one. Default: all.",
)
@click.option(
    "--jobs",
    "-j",
    type=Whole(1, 1024),
    metavar="N",
    help="Threads to compare one thread with. Default: one for each processor.",
)
@click.option(
    "--compare",
    type=click.Choice(("dds",)),
    help="Also solve two against two without trumps, which is bridge, beside DDS. Needs endplay. "
    "Default: nothing.",
)
@click.option(
    "--format",
    "-f",
    "format",
    type=click.Choice(("table", "json")),
    help="table, or json (one object). Default: json where the name after -o ends in .json, else table.",
)
@click.option(
    "--output",
    "-o",
    type=OutputPath(),
    help="File to write, there whole or not at all. Default: standard output.",
)
def bench(contracts: tuple[tuple[str, ...], ...], **options: Any) -> None:
    """Solves the same deals as everybody, the guarantee of each seat, and says how fast: solves and nodes
    (cards played) a second, contract by contract, beside the reference; how much more several threads do.

    \b
      kingsolve bench --quick
      kingsolve bench --contract no-queens,eralash --jobs 4
      kingsolve bench --compare dds --format json -o bench.json
    """
    names = tuple(dict.fromkeys(name for given in contracts for name in given))
    from .benching import run

    run(contracts=() if "all" in names else names, **options)
