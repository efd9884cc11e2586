"""`kingsolve convert`: games from one notation to another, nothing half-written."""

import click

from .contradictions import check_files, check_output
from .options import InputPath, OutputPath, VariantName

READ, WRITTEN = ("pbn", "lin", "dots", "json"), ("pbn", "json", "match")


@click.command(short_help="Games from one notation to another.")
@click.argument("source", type=InputPath(), metavar="IN")
@click.argument("target", type=OutputPath(), metavar="OUT")
@click.option(
    "--from",
    "read_as",
    type=click.Choice(READ),
    help="Notation of IN. Default: as its name ends (.pbn .lin .dds .dots .json .jsonl), else by its "
    "first lines.",
)
@click.option(
    "--to",
    "write_as",
    type=click.Choice(WRITTEN),
    help="Notation of OUT: pbn (export format), json (one game a line) or match (all games as one match in "
    "JSON, which goes on where it ends). Default: as its name ends; pbn for standard output.",
)
@click.option(
    "--variant",
    "variant_name",
    type=VariantName(),
    help="House rules that the games are held to: the id of a variant or a TOML file. Default: tag "
    "KingVariant, else by the cards.",
)
@click.option(
    "--keep-going",
    "-k",
    is_flag=True,
    help="Report faulty games on stderr, leave them out, and exit 1 at the end. Default: stop, and write "
    "nothing.",
)
def convert(
    source: str,
    target: str,
    read_as: str | None,
    write_as: str | None,
    variant_name: str | None,
    keep_going: bool,
) -> None:
    """Convert the games of IN to the notation of OUT; - is standard input and standard output.

    Deals, tags and recorded play are kept as far as the notation has a place for them. OUT appears only when
    everything was read; IN and OUT may be the same file. A match in JSON is read as the games of its rounds.

    \b
      kingsolve convert vugraph.lin deals.pbn
      kingsolve convert - - --from dots --to json < deals.txt
      kingsolve convert match.json match.pbn
    """
    check_files([source], None, variant_name)
    check_output(target, variant_name)
    from .converting import run

    run(source, target, read_as=read_as, write_as=write_as, variant_name=variant_name, keep_going=keep_going)
