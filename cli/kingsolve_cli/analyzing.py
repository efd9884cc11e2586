"""The work of `kingsolve analyze`: games to positions, positions to analyses on threads, results in order."""

import io
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import click
import numpy as np
from numpy.typing import NDArray

from kingsolve import (
    CardError,
    Contract,
    KingError,
    Limits,
    NotationError,
    Position,
    Round,
    Solver,
    Variant,
    variant_ids,
)
from kingsolve.analysis import DEFAULT_CONCEPTS, Analysis, Step, analyze_position, trace
from kingsolve.cards import parse_seat, parse_side
from kingsolve.choice import choices, chooser_of, ranked
from kingsolve.deal import first_seat, parse_deal
from kingsolve.notation import Game, leader_of, read_games, variant_of

from .analysis_table import Analysed
from .contradictions import unused_options
from .errors import INTERRUPTED, bad_option, exit_code, one_line, say
from .jobs import Job, in_order
from .loading import Fault, games_of, round_led_by, variant_option
from .progress import Bar
from .results import writer
from .single_options import Sampling
from .tricks import check_held, check_trick, put_back

if TYPE_CHECKING:
    from kingsolve.tables import Rows

    from .single_dummy import Advised

RECORDED = "recorded"


@dataclass(frozen=True, kw_only=True)
class Request:
    """The options of one call; contracts, concepts and side are names, memory is bytes."""

    files: Sequence[str]
    deal: str | None
    format: str
    variant_name: str | None
    contracts: Sequence[str]
    leader: str | None
    side: str | None
    concepts: Sequence[str]
    cards: bool
    line: bool
    trick: Sequence[str] | None
    broken: bool
    after: int | None
    trace: bool
    memory: int
    nodes: int | None
    time_limit: float
    jobs: int
    rows: "Rows"
    output: str | None
    games: Sequence[int]
    keep_going: bool
    seat: str | None
    seen: Sequence[str] | None
    sampling: Sampling

    @property
    def limits(self) -> Limits:
        """What one contract may spend."""
        return Limits(nodes=self.nodes, seconds=self.time_limit or None, memory=self.memory)

    @property
    def limits_in_words(self) -> str:
        """The limits for the note on values not solved."""
        words = [f"{self.nodes} nodes"] if self.nodes is not None else []
        words += [f"{self.time_limit:g} s"] if self.time_limit else []
        return " and ".join([*words, f"{self.memory / 2**20:g} MiB"]) + " a contract"

    @property
    def all_concepts(self) -> tuple[str, ...]:
        """Every concept to find, for `analyze_position`."""
        dropped = {name for name, kept in (("cards", self.cards), ("line", self.line)) if not kept}
        return tuple(name for name in (*DEFAULT_CONCEPTS, *self.concepts) if name not in dropped)


@dataclass(frozen=True, kw_only=True)
class _Planned:
    """A game ready to be analysed: where each contract stands, and the record, if one is wanted."""

    file: str
    game: Game
    variant: Variant
    contracts: Sequence[Contract]
    positions: Sequence[Position]
    rounds: Sequence[Round]
    leader: str


@dataclass(frozen=True)
class Alone:
    """A game of which one hand is used, whatever else it shows: its place in line is its work's too."""

    file: str
    game: Game


Found = tuple[Analysis, Sequence[Step]]


def run(request: Request) -> None:
    """Analyses what was asked for and writes it; exits 1 (2: an option) if a game was faulty."""
    variant = variant_option(request.variant_name)
    _check_names(request, variant)
    source = (
        _deal_game(request, variant)
        if request.deal is not None
        else games_of(request.files, variant=variant, only=request.games)
    )
    cancel = np.zeros(1, np.int32)
    jobs = _planned(request, source, variant, cancel)
    worst = cut = total = 0
    interrupted = alone = False
    several = len(request.files) > 1
    with (
        writer(
            request.format, request.output, rows=request.rows, traced=request.trace, several=several
        ) as write,
        closing(Bar(request.files)) as bar,
    ):
        with closing(in_order(jobs, request.jobs, cancel=cancel)) as results:
            for head, calls in results:
                try:
                    game: Analysed | Advised
                    if isinstance(head, Alone):
                        with bar.hidden(always=True):  # it has a bar of its own
                            game = _alone(request, head, variant)
                    else:
                        game = _finished(request, head, calls)
                except (KingError, OSError, click.ClickException) as error:
                    if request.deal is not None and isinstance(error, NotationError):
                        if isinstance(head, Alone):  # whatever it is about, it was typed
                            raise click.UsageError(error.message) from None
                        bad_option("--deal", error.message)
                    if not request.keep_going:
                        raise
                    with bar.hidden():
                        say(one_line(error))
                    worst = max(worst, exit_code(error))
                    continue
                finally:
                    bar.advance()
                with bar.hidden():
                    for warning in game.warnings if request.format != "table" else ():
                        say(f"note: {warning}")
                    write(game)
                if not isinstance(game, Analysed):
                    alone = True
                    interrupted = game.interrupted
                    if interrupted:
                        break
                    continue
                cut += sum(analysis.out_of_time for analysis in game.analyses)
                total += len(game.analyses)
    if cut:
        limit = f"--time-limit {request.time_limit:g} s each"
        say(f"note: the clock cut {cut} of {total} contracts short ({limit})")
    if total and not alone and (unused := unused_options(alone=False)):
        say(f"note: all hands were seen: no use for {unused} (--seat SEAT asks for one hand)")
    if alone and not total and (unused := unused_options(alone=True)):
        say(f"note: one hand was seen: no use for {unused}")
    if interrupted:
        say("interrupted")
        worst = INTERRUPTED
    if worst:
        sys.stdout.flush()
        click.get_current_context().exit(worst)


def _check_names(request: Request, variant: Variant | None) -> None:
    """Looks at the contracts, and at the seats, as far as that is possible before a game is read."""
    for name in request.contracts:
        if name == RECORDED:
            continue
        if variant is not None and name not in variant.contracts:
            names = " ".join(variant.contracts)
            bad_option("--contract", f"expected a contract of {variant.id}, one of {names}, got {name!r}")
        if variant is None and not any(name in _contracts_of(id) for id in variant_ids()):
            names = " ".join(dict.fromkeys(name for id in variant_ids() for name in _contracts_of(id)))
            bad_option("--contract", f"expected a contract, one of {names}, got {name!r}")
    if variant is not None:
        _check_seats(request, variant)


def _contracts_of(id: str) -> Iterable[str]:
    from kingsolve import load_variant

    return load_variant(id).contracts


def _check_seats(request: Request, variant: Variant) -> None:
    """The seats of the options are seats of the variant, and somebody is against the side."""
    try:
        if request.leader is not None:
            parse_seat(request.leader, variant.seats)
    except CardError as error:
        bad_option("--leader", f"{error} ({variant.id})")
    try:
        side = parse_side(request.side, variant.seats) if request.side is not None else 0
    except CardError as error:
        bad_option("--side", f"{error} ({variant.id})")
    if side == (1 << variant.seats) - 1:
        bad_option("--side", f"expected a side with somebody against it, got {request.side!r}")
    if request.trick and len(request.trick) >= variant.seats:
        got = " ".join(request.trick)
        bad_option("--trick", f"expected at most {variant.seats - 1} cards, got {got!r}")


def _deal_game(request: Request, variant: Variant | None) -> Iterator[tuple[str, Game | Fault]]:
    """The one game of --deal; whatever is wrong with it is an option as typed."""
    text = " ".join((request.deal or "").split())
    try:
        text = _with_trick(request, text, variant)
        games = list(read_games(io.StringIO(text), format="dots", variant=variant))
    except KingError as error:
        bad_option("--deal", error.message if isinstance(error, NotationError) else str(error))
    if len(games) != 1:
        bad_option("--deal", f"expected a deal such as 'N:QJ.A98.A.T7 ...', got {request.deal!r}")
    return iter([("--deal", replace(games[0], file=None, tags={}))])


def _with_trick(request: Request, text: str, given: Variant | None) -> str:
    """The deal as it was when the trick of --trick began: its cards, where nobody holds them, put back."""
    if not request.trick or not text:
        return text
    deal = parse_deal(text)
    game = Game(1, 1, replace(deal, dealer=first_seat(text, deal.seats)))
    variant = variant_of(game, given)
    _check_seats(request, variant)
    leader = leader_of(game, variant, request.leader)
    return put_back(request.trick, deal, variant, leader).pbn(text[0])


# --- from games to work ---


def _planned(
    request: Request,
    source: Iterable[tuple[str, Game | Fault]],
    variant: Variant | None,
    cancel: NDArray[np.int32],
) -> Iterator[Job[_Planned | Alone | Fault, Found]]:
    """The jobs of every game in order; without --keep-going a fault is the last."""
    for file, game in source:
        try:
            if isinstance(game, Fault):
                raise game.error
            if single_dummy(request, game):
                yield Job(Alone(file, game), [])
                continue
            planned = _plan(request, file, game, variant)
        except (KingError, OSError, click.ClickException) as error:
            yield Job(Fault(error), [])
            if not request.keep_going:
                return
            continue
        yield Job(planned, _calls(request, planned, cancel))


def single_dummy(request: Request, game: Game) -> bool:
    """Whether one hand only is used: asked for, or others are not known."""
    hidden = game.deal is not None and None in game.deal.hands and any(game.deal.hands)
    return request.seat is not None or hidden


def _alone(request: Request, head: Alone, variant: Variant | None) -> "Advised":
    """The advice of a game of which one hand is used: valued here, on all threads."""
    from .alone import advised_game

    return advised_game(request, head.file, head.game, variant)


def _plan(request: Request, file: str, game: Game, given: Variant | None) -> _Planned:
    deal = game.deal
    if deal is None:
        raise game.fault("expected a deal, got none")  # noqa: EM101  # the one place
    variant = variant_of(game, given)
    _check_seats(request, variant)
    unknown = [seat for seat, hand in zip(variant.seat_names, deal.hands, strict=True) if hand is None]
    if unknown:
        msg = f"expected every hand known, got none for {' '.join(unknown)}: analysis sees all hands"
        raise game.fault(msg)
    if not any(deal.hands):
        raise game.fault("expected cards in the hands, got none")  # noqa: EM101  # the one place
    contracts = _contracts(request, game, variant)
    leader = leader_of(game, variant, request.leader)
    rounds = []
    if request.after is not None or request.trace:
        rounds = [_record(request, game, contract, variant) for contract in contracts]
        leader = rounds[0].leader
    positions = [_position(request, game, variant, contract, leader, rounds) for contract in contracts]
    return _Planned(
        file=file,
        game=game,
        variant=variant,
        contracts=contracts,
        positions=positions,
        rounds=rounds,
        leader=leader,
    )


def _contracts(request: Request, game: Game, variant: Variant) -> list[Contract]:
    played = game.round.contract.name if game.round is not None else game.tags.get("KingContract") or None
    names = list(request.contracts)
    middle = request.after is not None or request.trace or request.trick
    if not names and middle and played:
        names = [RECORDED]
    if not names and (request.after is not None or request.trace):
        msg = f"expected --contract, or a game that records its contract, got none (game {game.number})"
        raise click.UsageError(msg)
    if RECORDED in names and not played:
        raise game.fault("expected tag KingContract for the contract recorded, got none")  # noqa: EM101
    found = []
    for name in names or variant.contracts:
        name = played if name == RECORDED and played else name
        if name not in variant.contracts:
            among = " ".join(variant.contracts)
            message = (
                f"expected a contract of {variant.id}, one of {among}, got {name!r} (game {game.number})"
            )
            bad_option("--contract", message)
        found.append(variant.contract(name))
    return list({contract.name: contract for contract in found}.values())


def _record(request: Request, game: Game, contract: Contract, variant: Variant) -> Round:
    record = round_led_by(game, contract, leader=request.leader, variant=variant)
    if not record.cards:
        raise game.fault("expected recorded cards (a Play section), got none")  # noqa: EM101  # the one place
    if request.after is not None and request.after > len(record.cards):
        where = f"{len(record.cards)} cards recorded (game {game.number})"
        bad_option("--after", f"expected at most the {where}, got {request.after}")
    return record


def _position(
    request: Request,
    game: Game,
    variant: Variant,
    contract: Contract,
    leader: str,
    rounds: Sequence[Round],
) -> Position:
    assert game.deal is not None
    if rounds:
        record = next(record for record in rounds if record.contract is contract)
        try:
            return record.position(request.after or 0)
        except KingError as error:
            raise game.replay_fault(error, record) from None
    try:
        position = Position(contract, game.deal, leader=leader, broken=request.broken)
    except KingError as error:
        raise game.fault(str(error)) from None
    if not request.trick:
        if request.broken and position.first_trick:
            bad_option(
                "--broken", f"expected --broken later in the round: no card is played (game {game.number})"
            )
        return position
    check_trick(request.trick, game.deal.hands, variant, leader)
    check_held(request.trick, game.deal.hands, variant, leader)
    try:
        return Position(contract, game.deal, leader=leader, broken=request.broken, trick=request.trick)
    except KingError as error:
        bad_option("--trick", f"{error} (game {game.number}, {contract.name})")


def _calls(request: Request, planned: _Planned, cancel: NDArray[np.int32]) -> list[Callable[[], Found]]:
    records = planned.rounds if request.trace else [None] * len(planned.positions)
    return [
        partial(_find, request, position, record, cancel)
        for position, record in zip(planned.positions, records, strict=True)
    ]


def _find(request: Request, position: Position, record: Round | None, cancel: NDArray[np.int32]) -> Found:
    """The work of one thread: the analysis of a position, and the trace of its record."""
    solver = Solver(request.limits, cancel=cancel)
    analysis = analyze_position(position, solver, concepts=request.all_concepts, side=request.side)
    if record is None:
        return analysis, ()
    return analysis, trace(record, Solver(request.limits, cancel=cancel))


# --- from work to results ---


def _finished(request: Request, head: _Planned | Fault, calls: "Sequence[Future[Found]]") -> Analysed:
    if isinstance(head, Fault):
        raise head.error
    game, variant = head.game, head.variant
    assert game.deal is not None
    try:
        found = [call.result() for call in calls]
    except KingError as error:
        if head.rounds:
            raise game.replay_fault(error, head.rounds[0]) from None
        raise game.fault(str(error)) from None
    analyses = [analysis for analysis, _ in found]
    beginning = request.after is None and not request.trick
    chooser = chooser_of(variant, head.leader, dealer=game.deal.dealer) if beginning else None
    among = set(choices(variant)) if chooser is not None else set()
    chosen = [analysis for analysis in analyses if analysis.contract.name in among]
    return Analysed(
        file=head.file,
        number=game.number,
        board=game.tags.get("Board") or None,
        variant=variant,
        deal=game.deal,
        positions=head.positions,
        analyses=analyses,
        chooser=chooser if len(chosen) > 1 else None,
        ranking=ranked(chosen, chooser) if chooser is not None and len(chosen) > 1 else (),
        recorded=game.round.contract.name if game.round is not None else None,
        after=request.after,
        traces=[steps for _, steps in found] if request.trace else (),
        limits=request.limits_in_words,
        warnings=[game.noted(warning) for warning in game.warnings],
    )
