"""The work of `kingsolve score`: rounds replayed, scored, compared with what was written, added up."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import IO, Any

import click
from rich.text import Text

from kingsolve import KingError, Round, Variant
from kingsolve.cards import SEATS
from kingsolve.notation import Game, scores_of, scores_text, variant_of

from .diagram import Group, banded
from .errors import bad_option, exit_code, one_line, say
from .loading import Fault, games_of, round_led_by, variant_option
from .output import text_output, write_csv, write_json
from .style import QUIET, STRONG, Style, ink, signed


@dataclass(frozen=True, kw_only=True)
class Scoring:
    """The options of one call."""

    files: Sequence[str]
    variant_name: str | None
    contract: str | None
    leader: str | None
    format: str
    output: str | None
    games: Sequence[int]
    keep_going: bool


@dataclass(frozen=True, kw_only=True)
class Scored:
    """A legal round and its points in seat order."""

    file: str
    game: Game
    variant: Variant
    round: Round
    finished: bool
    scores: tuple[int, ...]
    written: tuple[int, ...] | None
    """The points that the file gives, where it does and the round is finished."""

    @property
    def agrees(self) -> bool | None:
        """Whether the file gives these points; None where it gives none."""
        return None if self.written is None else self.written == self.scores

    @property
    def board(self) -> str | None:
        """Tag Board."""
        return self.game.tags.get("Board") or None


def run(request: Scoring) -> None:
    """Scores the rounds of the files and writes them; exits 1 if one was faulty (2: an option)."""
    variant = variant_option(request.variant_name)
    if variant is not None and request.contract is not None and request.contract not in variant.contracts:
        _foreign(request.contract, variant)
    worst = 0
    games = games_of(request.files, variant=variant, contract=request.contract, only=request.games)
    with text_output(request.output) as stream:
        style = Style(stream)
        header = True
        for file, found in groupby(games, key=lambda item: item[0]):
            rounds: list[Scored] = []
            stop: Exception | None = None
            skipped: list[Game] = []
            for _, game in found:
                if isinstance(game, Game) and _only_a_deal(game):
                    skipped.append(game)
                    continue
                try:
                    scored = _scored(request, file, game, variant)
                    rounds.append(scored)
                    _compare(scored)
                except (KingError, OSError, click.ClickException) as error:
                    if not request.keep_going:
                        stop = error
                        break
                    say(one_line(error))
                    worst = max(worst, exit_code(error))
            if skipped and stop is None:
                stop = _skipped(request, skipped, rounds)
            _write(request, stream, style, file, rounds, whole=stop is None, header=header)
            header = header and not rounds
            if stop is not None:
                raise stop
    if worst:
        click.get_current_context().exit(worst)


def _only_a_deal(game: Game) -> bool:
    """Whether a game records no round at all: no contract, no card."""
    return game.round is None and game.play is None and not game.tags.get("KingContract")


def _skipped(request: Scoring, games: Sequence[Game], rounds: Sequence[Scored]) -> Exception | None:
    """Says which games of a file hold no round; a file of nothing else is at fault."""
    if not rounds and not request.keep_going:
        return games[0].fault("expected a recorded round (KingContract and a Play section), got none")
    numbers = " ".join(str(game.number) for game in games[:8]) + (" ..." if len(games) > 8 else "")
    say(f"note: {games[0].file}: no round recorded in game {numbers}")
    return None


def _foreign(name: str, variant: Variant) -> None:
    names = " ".join(variant.contracts)
    bad_option("--contract", f"expected a contract of {variant.id}, one of {names}, got {name!r}")


def _scored(request: Scoring, file: str, game: Game | Fault, given: Variant | None) -> Scored:
    """The round of a game replayed; raises what is wrong with it."""
    if isinstance(game, Fault):
        raise game.error
    variant = variant_of(game, given)
    name = (
        request.contract
        or game.tags.get("KingContract")
        or (game.round.contract.name if game.round else None)
    )
    if name is None:
        raise game.fault("expected tag KingContract or --contract, got none")  # noqa: EM101  # the one place
    if name not in variant.contracts:
        _foreign(name, variant)
    record = round_led_by(game, variant.contract(name), leader=request.leader, variant=variant)
    if not record.cards:
        raise game.fault("expected recorded cards (a Play section), got none")  # noqa: EM101  # the one place
    try:
        position = record.position()
    except KingError as error:
        raise game.replay_fault(error, record, f"{name}: ") from None
    finished = position.is_over
    written = scores_of(game)
    return Scored(
        file=file,
        game=game,
        variant=variant,
        round=record,
        finished=finished,
        scores=position.banked,
        written=written if finished else None,
    )


def _compare(scored: Scored) -> None:
    if scored.agrees is False:
        expected, got = scores_text(scored.scores), scores_text(scored.written or ())
        message = f"expected tag KingScores {expected!r} after these cards, got {got!r}"
        raise scored.game.fault(message, line=scored.game.lines.get("KingScores"))


# --- what is written ---


def _write(
    request: Scoring,
    stream: IO[str],
    style: Style,
    file: str,
    rounds: Sequence[Scored],
    *,
    whole: bool,
    header: bool,
) -> None:
    """The rounds of one file; their totals unless a fault cut them short."""
    if not rounds:
        return
    if request.format == "json":
        for record in _json(file, rounds, whole=whole, several=len(request.files) > 1):
            write_json(stream, record)
    elif request.format == "csv":
        write_csv(stream, list(_rows(file, rounds)), header=header)
    else:
        if not header:
            style.print()
        for line in _lines(style, file, rounds, whole=whole):
            style.print(line)
    stream.flush()


def totals(rounds: Sequence[Scored]) -> dict[str, int]:
    """The points of every seat over the rounds."""
    found: dict[str, int] = {}
    for scored in rounds:
        for seat, points in zip(SEATS, scored.scores, strict=False):
            found[seat] = found.get(seat, 0) + points
    return found


def places(points: dict[str, int]) -> dict[str, int]:
    """Each seat's place, 1 for the most points; equals share it."""
    return {seat: 1 + sum(other > won for other in points.values()) for seat, won in points.items()}


def _json(file: str, rounds: Sequence[Scored], *, whole: bool, several: bool) -> Iterator[dict[str, Any]]:
    for scored in rounds:
        seats = scored.variant.seat_names
        record: dict[str, Any] = {"file": file} if several else {}
        record |= {
            "game": scored.game.number,
            "board": scored.board,
            "variant": scored.variant.id,
            "contract": scored.round.contract.name,
            "leader": scored.round.leader,
            "cards": len(scored.round.cards),
            "finished": scored.finished,
            "scores": dict(zip(seats, scored.scores, strict=True)),
        }
        if scored.written is not None:
            record |= {"written": dict(zip(seats, scored.written, strict=True)), "agrees": scored.agrees}
        yield record
    if whole:
        sums = totals(rounds)
        yield {"file": file, "rounds": len(rounds), "totals": sums, "places": places(sums)}


def _rows(file: str, rounds: Sequence[Scored]) -> Iterator[dict[str, object]]:
    running = dict.fromkeys(SEATS, 0)
    for scored in rounds:
        for i, seat in enumerate(scored.variant.seat_names):
            running[seat] += scored.scores[i]
            yield {
                "file": file,
                "game": scored.game.number,
                "board": scored.board,
                "variant": scored.variant.id,
                "contract": scored.round.contract.name,
                "leader": scored.round.leader,
                "seat": seat,
                "cards": len(scored.round.cards),
                "finished": scored.finished,
                "points": scored.scores[i],
                "written": scored.written[i] if scored.written is not None else None,
                "running": running[seat],
            }


def _lines(style: Style, file: str, rounds: Sequence[Scored], *, whole: bool) -> Iterator[Text]:
    seats = max((scored.variant.seat_names for scored in rounds), key=len)
    titles = list(dict.fromkeys(f"{scored.variant.title} ({scored.variant.id})" for scored in rounds))
    yield from style.wrapped(ink(f"{file} · {', '.join(titles)}", STRONG))
    yield Text()
    names = [_label(scored) for scored in rounds]
    scores: list[list[Text | str]] = [[signed(points) for points in scored.scores] for scored in rounds]
    status: list[list[Text | str]] = [[_status(scored)] for scored in rounds]
    leaders = [[scored.round.leader] for scored in rounds]
    sums = totals(rounds)
    if whole:
        names.append(["", ink("total", STRONG)])
        scores.append([ink(signed(points), STRONG) for points in sums.values()])
        standing = places(sums)
        names.append(["", ink("place", QUIET)])
        scores.append([ink(str(place), QUIET) for place in standing.values()])
        leaders += [[""], [""]]
        status += [[f"{len(rounds)} rounds" if len(rounds) != 1 else "1 round"], [""]]
    scores = [[*row, *[""] * (len(seats) - len(row))] for row in scores]
    groups = [Group("", ["leads"], leaders), Group("points", list(seats), scores)]
    groups.append(Group("", ["record"], status, left=True))
    yield from banded(style, Group("", ["game", "contract"], names, left=True), groups)


def _label(scored: Scored) -> list[Text | str]:
    return [str(scored.game.number), scored.round.contract.title]


def _status(scored: Scored) -> Text:
    if not scored.finished:
        return ink(f"{len(scored.round.cards)} cards, not finished", QUIET)
    if scored.written is None:
        return ink("legal", QUIET)
    if scored.agrees:
        return ink("legal, scores agree", QUIET)
    return ink(f"legal, but written {scores_text(scored.written)}", STRONG)
