"""`kingsolve simulate`: millions of deals valued, into a folder. Options here, the work in simulating.py."""

from typing import Any

import click

from .options import SEED, Memory, Names, VariantName

ENGINES = ("threads", "serial", "dask")


@click.command(
    short_help="Millions of deals valued, into a folder that a killed run continues.",
    epilog="The folder and its columns are described in docs/simulation.md, the players in docs/policies.md.",
)
@click.option(
    "--variant",
    "variant_name",
    type=VariantName(),
    default="russian-14",
    show_default=True,
    help="House rules: the id of a variant (kingsolve variants) or a TOML file.",
)
@click.option(
    "--against",
    type=VariantName(),
    help="A second set of rules for the same deals: both are run, into folders named after them inside the "
    "output folder, and compared at the end. Default: none.",
)
@click.option(
    "--contract",
    "contracts",
    type=Names("names"),
    multiple=True,
    help="Contracts, separated by commas or in several options; `all` is every one. Default: all.",
)
@click.option(
    "--deals",
    type=click.IntRange(1),
    required=True,
    metavar="N",
    help="How many deals; 1_000_000 may be written so.",
)
@click.option(
    "--seed",
    type=SEED,
    metavar="N",
    help="Seed from 0 to 2**64-1: deal i of a seed is that of `kingsolve deal`. Default: that of the folder, "
    "else a fresh one, said on stderr.",
)
@click.option(
    "--first",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    metavar="I",
    help="Number of the first deal under the seed.",
)
@click.option(
    "--rotations", is_flag=True, help="Play every deal once with each seat leading. Default: with its leader."
)
@click.option(
    "--play",
    default="policy:careful",
    show_default=True,
    metavar="HOW",
    help="How deals are valued: exact:maxn, exact:guarantee, exact:shapley, exact:equilibria (all hands "
    "seen); policy:random, policy:easy, policy:normal, policy:careful (each sees its own hand and the "
    "table); open (sees all hands, plays by max^n); or one player for each of N, E, S, W: "
    "policy:careful,policy:random,open,policy:random.",
)
@click.option(
    "--nodes",
    type=click.IntRange(1),
    metavar="N",
    help="Cards that one search may play, for exact values and open seats; deals not solved then are kept as "
    "bounds, counted and reported. Default: no limit.",
)
@click.option(
    "--memory",
    type=Memory(),
    default="64M",
    show_default=True,
    help="Memory of each thread's table for exact values: MiB, or with a unit K, M or G.",
)
@click.option(
    "--chunk",
    type=click.IntRange(1),
    metavar="N",
    help="Deals of one part, which is what a killed run loses at most of each thread. Default: by the play, "
    "seconds of work.",
)
@click.option(
    "--engine",
    type=click.Choice(ENGINES),
    default="threads",
    show_default=True,
    help="threads of this process, serial (one of them), or the workers of dask.distributed.",
)
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="With --engine dask: the scheduler, such as tcp://head:8786. Workers must see the output folder "
    "under the same path. Default: processes of this machine.",
)
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(1, 1024),
    metavar="N",
    help="Threads, or processes with --engine dask. Default: one for each processor.",
)
@click.option(
    "--output",
    "-o",
    "folder",
    type=click.Path(file_okay=False),
    required=True,
    help="Folder to write, made if need be. Where it holds this run, what is missing is done; where it holds "
    "another, nothing is.",
)
@click.option("--table/--no-table", default=True, show_default=True, help="Tabulate the run at the end.")
def simulate(**options: Any) -> None:
    """Values many deals of a variant and keeps every result: the deal's number, leader, contract, points of
    each seat, one Parquet part for each finished chunk. Interrupted or killed, the same command goes on.

    \b
      kingsolve simulate --contract all --deals 1_000_000 --seed 7 -o runs/a
      kingsolve simulate --deals 2000 --seed 7 --play exact:shapley -o runs/b
      kingsolve simulate --variant russian-14 --against house.toml --deals 100_000 --rotations -o runs/c
    """
    names = tuple(dict.fromkeys(name for given in options.pop("contracts") for name in given))
    from .simulating import run

    run(contracts=() if "all" in names else names, **options)
