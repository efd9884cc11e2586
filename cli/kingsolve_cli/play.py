"""`kingsolve play`: the terminal game. Options here, the game in kingsolve_cli.playing."""

import click

from .options import SEED, Names, Seconds, VariantName


@click.command(short_help="Play King in the terminal, against computer players.")
@click.option(
    "--variant",
    "variant_name",
    type=VariantName(),
    help="House rules: the id of a variant or a TOML file. Default: full-king, or as the settings say.",
)
@click.option(
    "--level",
    help="The players against you: easy, normal, hard, crazy, or another that is installed. Default: normal, "
    "or as the settings say.",
)
@click.option(
    "--seed", type=SEED, help="Number that the deals, and the first dealer, come from. Default: a new one."
)
@click.option(
    "--names",
    type=Names("names", example="Lily,Max,Zoe"),
    help="What the players on your left, across and on your right are called, separated by commas. Default: "
    "Lily,Max,Zoe.",
)
@click.option(
    "--continue", "take_up", is_flag=True, help="Take up the match that was left. Default: the settings."
)
@click.option(
    "--pace",
    type=Seconds(),
    default=0.6,
    show_default=True,
    metavar="SECONDS",
    help="Seconds between the cards of computer players; a trick lies twice as long. A key goes on at once.",
)
def play(
    variant_name: str | None,
    level: str | None,
    seed: int | None,
    names: tuple[str, ...] | None,
    take_up: bool,
    pace: float,
) -> None:
    """Play King in the terminal against three computer players (two, where three play).

    Without options it opens on its settings; --variant, --level and --seed skip them. The match is saved at
    every card and can be taken up in the middle of a trick; finished matches are records that `kingsolve
    review` reads, and `kingsolve stats` counts. Everything works by keys and by mouse; ? shows the rules. The
    players take about a second a card at most. Kept in the user's data folder (KINGSOLVE_DATA, where set).

    \b
      kingsolve play
      kingsolve play --variant short-king --level hard
      kingsolve play --continue
    """
    from .starting import run

    run(variant_name=variant_name, level=level, seed=seed, names=names, take_up=take_up, pace=pace)
