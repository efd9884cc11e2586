"""`kingsolve analyze`: every value of the contracts of a deal. Options here, the work in analyzing.py."""

from typing import Any

import click

from .contradictions import check_analyze, check_files
from .errors import bad_option
from .options import (
    MAX_NODES,
    Cards,
    InputPath,
    Memory,
    Names,
    OutputPath,
    Seat,
    Seconds,
    Side,
    VariantName,
    Whole,
    format_for,
)
from .single_options import SAMPLING_NAMES, Sampling, sampling_options

FORMATS = ("table", "json", "csv", "parquet")
CONCEPTS = ("equilibria", "maxn", "best-case")


@click.command(
    short_help="Every value of the contracts of a deal.",
    epilog="JSON lines are described in docs/json.md, columns of csv and parquet in kingsolve.tables.",
)
@click.argument("files", nargs=-1, type=InputPath(), metavar="FILE...")
@click.option(
    "--deal",
    "deal",
    metavar="N:HANDS",
    help='A deal as text instead of files: "N:QJ.A98.A.T7 T.KJT7.J8.Q AK9..KT.AK9 87.Q.Q97.J8" (spades, '
    "hearts, diamonds and clubs of N, then clockwise). Default: files.",
)
@click.option(
    "--variant",
    "variant_name",
    type=VariantName(),
    help="House rules: the id of a variant (kingsolve variants) or a TOML file. Default: tag KingVariant, "
    "else by the cards: russian-14 (8 of 7-A), parlett-3 (three seats), dealers-choice-20.",
)
@click.option(
    "--contract",
    "contracts",
    type=Names("names"),
    multiple=True,
    help="Contracts to analyse, separated by commas or in several options; `recorded` is the one of tag "
    "KingContract. Default: all of the variant; with --after, --trace and --trick, the one recorded.",
)
@click.option(
    "--leader",
    type=Seat(),
    help="The seat that leads (that led, with --trick): N, E, S or W. Default: tag KingLeader, else by "
    "the dealer and the variant.",
)
@click.option(
    "--side",
    type=Side(),
    help="Seats, such as N,S, whose points cards and line are about, and whose guarantee is added. "
    "Default: the seat to play.",
)
@click.option(
    "--concept",
    "concepts",
    type=Names("names", CONCEPTS),
    multiple=True,
    help="Values to add: equilibria (vectors that pure subgame-perfect play can end in), maxn (one of "
    "them, ties by card order), best-case (if everybody helps the seat). Default: none of them.",
)
@click.option(
    "--cards/--no-cards",
    default=True,
    show_default=True,
    help="What each card the seat to play may play is worth, in points.",
)
@click.option(
    "--line/--no-line",
    default=True,
    show_default=True,
    help="One line of play that attains the guarantee of --side.",
)
@click.option(
    "--trick",
    type=Cards(),
    default=None,
    help='Cards of a trick in progress in the order played, such as "Kd 7d"; the hands may still hold '
    "them. Default: none.",
)
@click.option(
    "--broken", is_flag=True, help="A barred card has been played before, where the bar falls once one is."
)
@click.option(
    "--after",
    type=Whole(0),
    metavar="N",
    help="The position after N recorded cards instead of the start. Values are points to come.",
)
@click.option(
    "--seat",
    type=Seat(),
    help="Single dummy: what each card is worth on average to this seat, which is to play and sees only its "
    "own hand, whatever the file shows. Default: all hands are seen, unless the file does not show them.",
)
@click.option(
    "--seen",
    type=Cards(),
    default=None,
    help="Cards out of play, single dummy, where no record tells: those of earlier tricks. Default: none.",
)
@click.option(
    "--trace",
    is_flag=True,
    help="Each recorded card: what it cost the seat that played it, in points of its guarantee, and who "
    "lost how much where.",
)
@click.option(
    "--memory",
    type=Memory(),
    default="64M",
    show_default=True,
    help="Memory of each thread's table: MiB, or with a unit K, M or G. Equilibria may take up to 1 GiB "
    "besides.",
)
@click.option(
    "--nodes",
    type=Whole(1, MAX_NODES),
    metavar="N",
    help="Cards that the search of one contract may play; what is not solved then is given as bounds, the "
    "same on every machine. Default: no limit.",
)
@click.option(
    "--time-limit",
    type=Seconds(),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="Seconds for one contract; 0: no limit. What is not solved then is given as bounds, and said to be.",
)
@click.option(
    "--jobs",
    "-j",
    type=Whole(1, 1024),
    metavar="N",
    help="Threads over games and contracts. Default: one for each processor.",
)
@click.option(
    "--format",
    "-f",
    "format",
    type=click.Choice(FORMATS),
    help="table, json (one object a line), csv or parquet (tidy rows). Default: as the name after -o "
    "ends, else table.",
)
@click.option(
    "--rows",
    type=click.Choice(("seats", "sides", "cards")),
    default="seats",
    show_default=True,
    help="What a row of csv and parquet is: a seat, a side or a card; with --trace a recorded card.",
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
    help="Report faulty games on stderr, skip them, and exit 1 at the end. Default: stop at the first.",
)
@sampling_options
def analyze(files: tuple[str, ...], deal: str | None, **options: Any) -> None:
    """Every value of every contract of the games in FILE (PBN, LIN, dot strings, JSON; - is standard input).

    For each seat its guarantee (what it can force against all the others), for each pair the same, the
    Shapley shares (fair shares of the points to come; they sum to all of them), what each card is worth to
    the seat to play, and one line of play. Points are signed and to come. All hands must be known; a plain
    bridge file of 13-card hands works as it is. Where a contract is chosen, contracts are ranked for the
    chooser.

    With --seat, and where hands are not known (-): what each card is worth on average over the deals that fit
    what the seat has seen, by --value, with standard errors (docs/single-dummy.md).

    \b
      kingsolve analyze round.pbn --seat S --after 12
      kingsolve analyze deal.pbn --contract no-queens,eralash
      kingsolve analyze deal.pbn --concept equilibria,maxn --format json
      kingsolve analyze --deal "N:... ... ... ..." --contract no-king --trick "Kd 7d" --leader E
    """
    if deal is None and not files:
        raise click.UsageError("expected a file to read, - or --deal, got none")  # noqa: EM101  # one place
    check_files(files, options["output"], options["variant_name"])
    format = format_for(options["output"], options.pop("format"), FORMATS)
    if format == "parquet" and options["output"] in (None, "-"):
        bad_option("--format", "expected -o FILE with parquet, got none")
    check_analyze(options, files=files, deal=deal, format=format)
    from kingsolve.bulk import processors

    options["jobs"] = options["jobs"] or processors()
    options["contracts"] = tuple(dict.fromkeys(name for names in options["contracts"] for name in names))
    options["concepts"] = tuple(dict.fromkeys(name for names in options["concepts"] for name in names))
    sampled = {name: options.pop(name) for name in SAMPLING_NAMES}
    from .analyzing import Request, run

    sampling = Sampling(**sampled)
    run(Request(sampling=sampling, files=files, deal=deal, format=format, **options))
