"""The work of `kingsolve review`: recorded rounds to threads, their losses in order to one writer."""

import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import groupby

import click
import numpy as np
from numpy.typing import NDArray

from kingsolve import KingError, Limits, Round, Variant
from kingsolve.notation import Game, round_of, variant_of
from kingsolve.notation.matches import SEAT_TAGS
from kingsolve.review import NODES, DealReview, review_round

from .errors import exit_code, one_line, say
from .jobs import Job, in_order
from .loading import Fault, games_of, variant_option
from .progress import Bar
from .review_table import Reviewed, writer


@dataclass(frozen=True, kw_only=True)
class Request:
    """The options of one call; memory is bytes."""

    files: Sequence[str]
    variant_name: str | None
    format: str
    cards: bool
    rows: str
    nodes: int | None
    time_limit: float
    memory: int
    jobs: int
    games: Sequence[int]
    output: str | None
    keep_going: bool

    @property
    def limits(self) -> Limits:
        """What one deal may spend."""
        nodes = self.nodes if self.nodes is not None else NODES
        return Limits(nodes=nodes, seconds=self.time_limit or None, memory=self.memory)


@dataclass(frozen=True)
class _Planned:
    """A round to look back on."""

    file: str
    game: Game
    variant: Variant


@dataclass(frozen=True)
class _Faulty:
    """What is wrong with a game, in its place among the others."""

    file: str
    error: Exception


_Head = _Planned | _Faulty


def run(request: Request) -> None:
    """Reviews the rounds of the files and writes them; exits 1 (2: an option) if one was faulty."""
    variant = variant_option(request.variant_name)
    cancel = np.zeros(1, np.int32)
    worst = cut = 0
    jobs = _planned(request, variant, cancel)
    with (
        writer(request.format, request.output, rows=request.rows, cards=request.cards) as write,
        closing(Bar(request.files)) as bar,
        closing(in_order(jobs, request.jobs, cancel=cancel)) as results,
    ):
        file, deals = request.files[0], list[Reviewed]()
        stop: BaseException | None = None
        try:
            for head, calls in results:
                if head.file != file:
                    if deals:
                        with bar.hidden():
                            write(file, deals, True)
                    file, deals = head.file, []
                try:
                    deals.append(_finished(head, calls))
                    cut += deals[-1].review.out_of_time
                except (KingError, OSError, click.ClickException) as error:
                    if not request.keep_going:
                        raise
                    with bar.hidden():
                        say(one_line(error))
                    worst = max(worst, exit_code(error))
                finally:
                    bar.advance()
        except (KingError, OSError, click.ClickException, KeyboardInterrupt) as error:
            stop = error  # raised once what there is has been written
        bar.close()
        if deals:
            write(file, deals, stop is None)
        if isinstance(stop, KeyboardInterrupt):
            say(_left(request, file, deals))
        if stop is not None:
            raise stop
    if cut:
        say(f"note: the clock cut {cut} deals short (--time-limit {request.time_limit:g} s each)")
    if worst:
        sys.stdout.flush()
        click.get_current_context().exit(worst)


def _left(request: Request, file: str, deals: Sequence[Reviewed]) -> str:
    """What an interruption leaves."""
    if request.output not in (None, "-"):
        return f"note: {request.output!r} is not written"
    return f"note: looked back on {len(deals)} deals of {file}, no more"


def _planned(
    request: Request, given: Variant | None, cancel: NDArray[np.int32]
) -> Iterator[Job[_Head, DealReview]]:
    """The rounds with the work on them; a fault keeps its place in the file."""
    games = games_of(request.files, variant=given, only=request.games)
    for file, items in groupby(games, key=lambda item: item[0]):
        rounds = 0
        empty: list[Game] = []
        for _, item in items:
            if isinstance(item, Game) and not _recorded(item):
                empty.append(item)
                continue
            rounds += 1
            try:
                if isinstance(item, Fault):
                    raise item.error
                variant, record = _record(item, given)
            except (KingError, OSError, click.ClickException) as error:
                yield Job(_Faulty(file, error), [])
            else:
                work = partial(review_round, record, limits=request.limits, cancel=cancel)
                yield Job(_Planned(file, item, variant), [work])
        if empty and not rounds:
            msg = "expected a recorded round (its contract and its cards), got none"
            yield Job(_Faulty(file, empty[0].fault(msg)), [])
        elif empty:
            numbers = " ".join(str(game.number) for game in empty[:8]) + (" ..." if len(empty) > 8 else "")
            say(f"note: {file}: no round recorded in game {numbers}")


def _recorded(game: Game) -> bool:
    """Whether the game has a card of a contract."""
    return game.play is not None or (game.round is not None and bool(game.round.cards))


def _record(game: Game, given: Variant | None) -> tuple[Variant, Round]:
    """The rules and the round of a game; KingError for one that has none to look back on."""
    variant = variant_of(game, given)
    name = game.tags.get("KingContract") or (game.round.contract.name if game.round else None)
    if name is None:
        msg = "expected tag KingContract, got none"
        raise game.fault(msg)
    record = round_of(game, variant.contract(name), variant=variant)
    if not record.cards:
        msg = "expected recorded cards, got none"
        raise game.fault(msg)
    return variant, record


def _finished(head: _Head, calls: "Sequence[Future[DealReview]]") -> Reviewed:
    """The review of a round; raises what is wrong with it."""
    if isinstance(head, _Faulty):
        raise head.error
    game = head.game
    try:
        found = calls[0].result()
    except KingError as error:
        raise game.fault(str(error)) from None  # the one place
    tags = {seat: game.tags.get(SEAT_TAGS[seat], "") for seat in head.variant.seat_names}
    players = {seat: name for seat, name in tags.items() if name}
    return Reviewed(game=game, variant=head.variant, players=players, review=found)
