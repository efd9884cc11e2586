"""Deals looked back on as table, JSON lines, CSV, Parquet or Markdown."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from rich.text import Text

from kingsolve import Variant
from kingsolve.notation import Game
from kingsolve.review import DealReview, Totals, totals

from .diagram import Group, banded
from .output import file_output, text_output, write_json
from .results import step_json
from .style import QUIET, STRONG, Style, ink, signed
from .trace_table import trace_lines

if TYPE_CHECKING:
    import pandas as pd

_SHOWN = 3
"""Cards that would have lost nothing: so many are named."""


@dataclass(frozen=True, kw_only=True)
class Reviewed:
    """A game of a file with what was found; names of players by seat, where the file gives them."""

    game: Game
    variant: Variant
    players: Mapping[str, str]
    review: DealReview

    @property
    def number(self) -> str:
        """What the deal is called: its board, else its place in the file."""
        return self.game.tags.get("Board") or str(self.game.number)


Write = Callable[[str, Sequence[Reviewed], bool], None]
"""Takes a file as typed, its deals, and whether they are all of it."""


@contextmanager
def writer(format: str, path: str | None, *, rows: str, cards: bool) -> Iterator[Write]:
    """A function that writes the deals of one file after another; a file is there whole or not at all."""
    if format == "parquet":
        assert path is not None
        kept: list[tuple[str, Sequence[Reviewed]]] = []
        with file_output(path) as temporary:
            yield lambda file, deals, whole: kept.append((file, deals))
            _frame(kept, rows).to_parquet(temporary, index=False)
        return
    with text_output(path) as stream:
        first = True
        style = Style(stream)

        def write(file: str, deals: Sequence[Reviewed], whole: bool) -> None:
            nonlocal first
            if format == "json":
                for record in _json(file, deals, whole=whole):
                    write_json(stream, record)
            elif format == "csv":
                _frame([(file, deals)], rows).to_csv(stream, index=False, header=first, lineterminator="\n")
            elif format == "markdown":
                _markdown(stream, deals, whole=whole)
            else:
                if not first:
                    style.print()
                for line in _lines(style, file, deals, whole=whole, cards=cards):
                    style.print(line)
            first = False
            if stream is sys.stdout:
                stream.flush()

        yield write


# --- what people read ---


def _lines(style: Style, file: str, deals: Sequence[Reviewed], *, whole: bool, cards: bool) -> Iterator[Text]:
    titles = dict.fromkeys(f"{deal.variant.title} ({deal.variant.id})" for deal in deals)
    yield from style.wrapped(ink(f"{file} · {', '.join(titles)}", STRONG))
    names = ", ".join(f"{seat} {name}" for seat, name in deals[0].players.items())
    if names:
        yield from style.wrapped(ink(names, QUIET))
    yield Text()
    label, groups = _groups(style, deals, whole=whole)
    change = groups[-1]
    if label.width + change.width + 4 <= style.width:
        yield from banded(style, label, groups)
    else:  # words need lines of their own
        yield from banded(style, label, groups[:-1])
        yield from _changes(style, change, deals)
    yield Text()
    for line in _notes(deals):
        yield from style.wrapped(line, " ")
    if cards:
        for deal in deals:
            yield Text()
            yield ink(f" deal {deal.number}", STRONG)
            yield from trace_lines(style, deal.review.round.contract, deal.review.steps, concept="maxn")


def _changes(style: Style, change: Group, deals: Sequence[Reviewed]) -> Iterator[Text]:
    """A group of words as lines that fit, deal by deal."""
    yield Text()
    yield ink(f" {change.title}", STRONG)
    for deal, (words,) in zip(deals, change.rows, strict=False):
        yield from style.wrapped(Text.assemble(f" {deal.number:<4} ", words), "      ")


def _groups(style: Style, deals: Sequence[Reviewed], *, whole: bool) -> tuple[Group, list[Group]]:
    """The label column and the groups of numbers, a row for each deal and the totals."""
    seats = max((deal.variant.seat_names for deal in deals), key=len)
    label = [[deal.number, deal.review.round.contract.title] for deal in deals]
    points = [_padded([signed(won) for won in deal.review.scores], seats) for deal in deals]
    lost = [_padded(_losses(deal.review.lost, deal.review.unsolved), seats) for deal in deals]
    change = [[_change(style, deal.review)] for deal in deals]
    if whole and len({deal.variant.seats for deal in deals}) == 1:
        found = totals(deal.review for deal in deals)
        label.append(["", "total"])
        points.append([signed(won) for won in found.scores])
        lost.append(_losses(found.lost, found.unsolved))
        change.append([Text()])
    groups = [
        Group("points", list(seats), points),
        Group("lost", list(seats), lost),
        Group("first card that changed the result", [""], change, left=True),
    ]
    return Group("", ["deal", "contract"], label, left=True), groups


def _padded(cells: Sequence[str], seats: str) -> list[str]:
    return [*cells, *[""] * (len(seats) - len(cells))]


def _losses(lost: Sequence[int], unsolved: Sequence[int]) -> list[str]:
    """Losses as numbers, `4+` where cards are not solved."""
    return [
        f"{points}+" if left else str(points) if points else "·"
        for points, left in zip(lost, unsolved, strict=True)
    ]


def _change(style: Style, review: DealReview) -> Text:
    """The first card that changed the result, and what was better; what is not solved is said."""
    step, since = review.first_change, review.solved_from
    words = Text()
    if since != 1:
        where = f"solved from trick {review.steps[since - 1].trick}" if since else "not solved"
        words += ink(where, QUIET) + Text(", " if step else "")
    elif step is None:
        words += ink("none", QUIET)
    if step is None:
        return words
    words += Text(f"trick {step.trick} {step.seat} ") + style.card(step.card)
    if step.lost:
        better = style.cards(step.best[:_SHOWN]) + Text(" …" if len(step.best) > _SHOWN else "")
        return words + ink(f" -{step.lost}", STRONG) + ink(", better ", QUIET) + better
    return words + ink(" (as good for it)", QUIET)


def _notes(deals: Sequence[Reviewed]) -> Iterator[Text]:
    yield ink(" lost: by the seat's own cards, against max^n with all hands seen", QUIET)
    unsolved = sum(sum(deal.review.unsolved) for deal in deals)
    if unsolved:
        cards = sum(len(deal.review.steps) for deal in deals)
        yield ink(f" {unsolved} of {cards} cards not solved within the limits: 4+ is at least 4", QUIET)


def _markdown(stream: IO[str], deals: Sequence[Reviewed], *, whole: bool) -> None:
    style = Style(stream)
    label, groups = _groups(style, deals, whole=whole)
    heads = [*label.columns, *(f"{group.title} {name}".strip() for group in groups for name in group.columns)]
    stream.write(f"| {' | '.join(heads)} |\n")
    stream.write(f"|---|---|{'--:|' * (len(heads) - 3)}---|\n")
    for i, names in enumerate(label.rows):
        cells = [*names, *(cell for group in groups for cell in group.rows[i])]
        stream.write(f"| {' | '.join(str(cell) for cell in cells)} |\n")


# --- what programs read ---


def _json(file: str, deals: Sequence[Reviewed], *, whole: bool) -> Iterator[dict[str, Any]]:
    for deal in deals:
        review, seats = deal.review, deal.variant.seat_names
        expected, change = review.expected, review.first_change

        def by_seat(values: Sequence[int], seats: str = seats) -> dict[str, int]:
            return dict(zip(seats, values, strict=True))

        yield {
            "file": file,
            "game": deal.game.number,
            "board": deal.game.tags.get("Board") or None,
            "variant": deal.variant.id,
            "contract": review.round.contract.name,
            "leader": review.round.leader,
            "players": dict(deal.players),
            "finished": review.finished,
            "scores": by_seat(review.scores),
            "maxn": by_seat(expected) if expected is not None else None,
            "lost": by_seat(review.lost),
            "unsolved": by_seat(review.unsolved),
            "first_change": step_json(change, concept="maxn") if change is not None else None,
            "solved_from": review.solved_from,
            "cards": [step_json(step, concept="maxn") for step in review.steps],
            "nodes": review.nodes,
            "status": "exact" if review.exact else "bounds",
        }
    if whole and len({deal.variant.seats for deal in deals}) == 1:
        yield {"file": file, **_totals_json(totals(deal.review for deal in deals), deals[0].variant)}


def _totals_json(found: Totals, variant: Variant) -> dict[str, Any]:
    def by_seat(values: Sequence[int]) -> dict[str, int]:
        return dict(zip(variant.seat_names, values, strict=True))

    return {
        "deals": found.deals,
        "totals": by_seat(found.scores),
        "lost": by_seat(found.lost),
        "unsolved": by_seat(found.unsolved),
    }


def _frame(files: Sequence[tuple[str, Sequence[Reviewed]]], rows: str) -> "pd.DataFrame":
    """Tidy rows: a seat of a deal, or a recorded card."""
    from kingsolve import tables

    found: list[tuple[tables.Labels, Reviewed]] = [
        ({"file": file, "game": deal.game.number, "board": deal.game.tags.get("Board")}, deal)
        for file, deals in files
        for deal in deals
    ]
    if rows == "cards":
        return tables.trace_frame(
            (labels, deal.review.round.contract, deal.review.round.leader, deal.review.steps)
            for labels, deal in found
        ).rename(columns={"sure_min": "maxn_min", "sure_max": "maxn_max"})
    return tables.review_frame((labels, deal.review) for labels, deal in found)
