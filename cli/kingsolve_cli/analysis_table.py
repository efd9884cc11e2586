"""An analysed game as people read it: the hands, values by contract and seat, cards and lines of play."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rich.text import Text

from kingsolve import Bounds, Deal, Position, Variant
from kingsolve.analysis import Analysis, Step
from kingsolve.cards import parse_side
from kingsolve.choice import RANKED_BY, Ranked

from .diagram import Group, banded, compass
from .style import QUIET, STRONG, Style, ink, signed, value
from .trace_table import trace_lines


@dataclass(frozen=True, kw_only=True)
class Analysed:
    """A game with everything found about it, ready to print. `analyses` is in the variant's order."""

    file: str
    number: int
    board: str | None
    variant: Variant
    deal: Deal
    positions: Sequence[Position]
    """Where each analysis stands."""
    analyses: Sequence[Analysis]
    chooser: str | None = None
    ranking: Sequence[Ranked] = ()
    recorded: str | None = None
    """The contract that the record says was played."""
    after: int | None = None
    """Cards of the record played before the position, where that was asked for."""
    traces: Sequence[Sequence[Step]] = ()
    limits: str = ""
    """The limits, in words, for the note on values not solved."""
    warnings: Sequence[str] = field(default=())


def game_lines(style: Style, game: Analysed) -> Iterator[Text]:
    """The lines of one game."""
    yield from _title(style, game)
    yield Text()
    yield from compass(style, game.positions[0].masks, marks=_marks(game))
    yield from _situation(style, game)
    yield Text()
    yield from _values(style, game)
    for number, analysis in enumerate(_shown(game)):
        if analysis.cards or analysis.line is not None:
            if number == 0:
                yield Text()
                for caption in _captions(style, analysis):
                    yield from style.wrapped(caption)
            yield from _play(style, game, analysis)
    if game.traces:
        for analysis, steps in zip(game.analyses, game.traces, strict=True):
            yield Text()
            yield from trace_lines(style, analysis.contract, steps)


def _title(style: Style, game: Analysed) -> Iterator[Text]:
    words = [f"game {game.number}"]
    if game.board:
        words.append(f"board {game.board}")
    words.append(f"{game.variant.title} ({game.variant.id})")
    title = ink(" · ".join(words) + " ", STRONG)
    rest = style.width - title.cell_len
    yield from style.wrapped(title + ink("─" * rest if rest > 0 else "", QUIET))


def _marks(game: Analysed) -> dict[str, str]:
    marks: dict[str, list[str]] = {}
    position = game.positions[0]
    if game.deal.dealer:
        marks.setdefault(game.deal.dealer, []).append("dealer")
    if len({place.leader for place in game.positions}) == 1:
        if position.trick:
            marks.setdefault(position.leader, []).append("led")
            marks.setdefault(position.turn, []).append("to play")
        else:
            marks.setdefault(position.leader, []).append("leads")
    return {seat: ", ".join(words) for seat, words in marks.items()}


def _situation(style: Style, game: Analysed) -> Iterator[Text]:
    """What a position in the middle of a round has besides hands."""
    position = game.positions[0]
    parts: list[Text] = []
    if position.trick:
        parts.append(ink("trick: ", QUIET) + style.cards(position.trick))
    if game.after is not None:
        banked = zip(position.contract.seat_names, position.banked, strict=True)
        parts.append(ink(f"after {game.after} cards", QUIET))
        parts.append(ink("taken: ", QUIET) + Text(" ".join(f"{seat} {signed(won)}" for seat, won in banked)))
    if position.broken and any(place.contract.until_broken for place in game.positions):
        parts.append(ink("broken", QUIET))
    if parts:
        yield Text()
        yield Text("  ") + ink(" · ", QUIET).join(parts)


# --- values by contract and seat ---


def _shown(game: Analysed) -> list[Analysis]:
    """The contracts in the order of the table: the fixed ones, then those to choose from, best first."""
    chosen = [place.analysis for place in game.ranking]
    return [analysis for analysis in game.analyses if analysis not in chosen] + chosen


def _values(style: Style, game: Analysed) -> Iterator[Text]:
    shown = _shown(game)
    label = Group("", ["contract"], [[_name(game, analysis)] for analysis in shown], left=True)
    groups = _groups(style, game, shown)
    if any(place.place for place in game.ranking):
        places = {id(place.analysis): place.place for place in game.ranking}
        cells = [[str(places.get(id(analysis)) or "—")] for analysis in shown]
        groups.insert(0, Group("", ["for " + (game.chooser or "")], cells))
    yield from banded(style, label, groups)
    for note in _notes(game, shown):
        yield from style.wrapped(note, "   ")


def _name(game: Analysed, analysis: Analysis) -> Text:
    name = Text(analysis.contract.title)
    if analysis.contract.name == game.recorded:
        name.append(" ▸", STRONG)
    return name


def _groups(style: Style, game: Analysed, shown: Sequence[Analysis]) -> list[Group]:
    seats = list(game.variant.seat_names)
    groups = []
    if any(found.guarantee for found in shown):
        rows = [[value(found.guarantee.get(seat)) for seat in seats] for found in shown]
        groups.append(Group("guarantee", seats, rows))
    shares = [list(map(style.share, found.shapley or ())) or ["—"] * len(seats) for found in shown]
    if any(found.shapley is not None for found in shown):
        groups.append(Group("Shapley share", seats, shares))
    pairs = list(dict.fromkeys(side for found in shown for side in found.sides))
    if pairs:
        rows = [[value(found.sides.get(side)) for side in pairs] for found in shown]
        groups.append(Group("pairs" if all(len(side) == 2 for side in pairs) else "sides", pairs, rows))
    if any(found.maxn is not None for found in shown):
        rows = [list(map(signed, found.maxn or ())) or ["—"] * len(seats) for found in shown]
        groups.append(Group("max^n", seats, rows))
    if any(found.equilibria is not None for found in shown):
        groups.append(
            Group("equilibria", ["count", *seats], [_equilibria(found, len(seats)) for found in shown])
        )
    if any(found.best_case for found in shown):
        rows = [[value(found.best_case.get(seat)) for seat in seats] for found in shown]
        groups.append(Group("best case", seats, rows))
    if any(found.cards for found in shown):
        best = [[_best(style, found)] for found in shown]
        groups.append(
            Group("", ["best lead" if not game.positions[0].trick else "best card"], best, left=True)
        )
    return groups


def _best(style: Style, found: Analysis) -> Text:
    """The best cards, a dash where none is known to be."""
    return style.cards(found.best_cards) if found.best_cards else ink("—", QUIET)


def _equilibria(found: Analysis, seats: int) -> list[str]:
    if found.equilibria is None:
        return ["—"] * (seats + 1)
    columns = zip(*found.equilibria, strict=True)
    spans = [value(Bounds(min(points), max(points))) for points in columns]
    return [str(len(found.equilibria)), *spans]


def _notes(game: Analysed, shown: Sequence[Analysis]) -> Iterator[Text]:
    notes = []
    solved = sum(place.place is not None for place in game.ranking)
    if solved:
        notes.append(f"ranked for {game.chooser}, who chooses, by {RANKED_BY}")
        if solved < len(game.ranking):
            notes.append("— not ranked: its shares are not solved; by what the chooser is sure of")
    elif game.ranking:
        notes.append(f"in order of what {game.chooser}, who chooses, is sure of: no shares are solved")
    if any(analysis.contract.name == game.recorded for analysis in shown) and len(shown) > 1:
        notes.append("▸ the contract recorded")
    if any(analysis.status == "bounds" for analysis in shown):
        cut = ", cut by the clock" if any(analysis.out_of_time for analysis in shown) else ""
        notes.append(f"a..b: not solved, between a and b{cut} ({game.limits})")
    notes += game.warnings
    if notes:
        yield Text()
    for note in notes:
        yield ink(f" {note}", QUIET)


# --- cards and lines ---


def _captions(style: Style, analysis: Analysis) -> Iterator[Text]:
    whose = analysis.side
    if analysis.cards:
        yield ink(f" what each card {analysis.turn} may play is worth to {whose}", QUIET)
    if analysis.line is not None:
        line = ink(f" a line in which {whose} gets its guarantee", QUIET)
        if style.styled:
            line += ink("; ", QUIET) + ink("underlined", "dim underline")
            line += ink(": the card that takes the trick", QUIET)
        else:
            line += ink("; before each trick who leads it", QUIET)
        yield line


def _play(style: Style, game: Analysed, analysis: Analysis) -> Iterator[Text]:
    indent = max(len(found.contract.title) for found in game.analyses) + 4
    head = ink(f" {analysis.contract.title}", STRONG)
    head.pad_right(max(indent - head.cell_len, 1))
    first = True
    position = game.positions[list(game.analyses).index(analysis)]
    for pieces in (_worth(style, analysis), _tricks(style, analysis, position)):
        for line in _wrapped(pieces, style.width - indent):
            yield (head if first else Text(" " * indent)) + line
            first = False


def _worth(style: Style, analysis: Analysis) -> list[Text]:
    """The legal cards by what they are worth, best for the seat to play first."""
    by_worth: dict[Bounds, list[str]] = {}
    for card, points in analysis.cards.items():
        by_worth.setdefault(points, []).append(card)
    ours = parse_side(analysis.turn) & parse_side(analysis.side)
    found = []
    for points in sorted(by_worth, reverse=bool(ours)):
        cards = [style.card(name) for name in by_worth[points]]
        cards[0] = ink(f"{value(points)}: ", STRONG) + cards[0]
        cards[-1] = cards[-1] + Text(" ")
        found += cards
    return found


def _tricks(style: Style, analysis: Analysis, position: Position) -> list[Text]:
    """The line trick by trick, each behind the seat that leads it."""
    if analysis.line is None:
        return []
    if not analysis.line:
        return [ink("the round is over" if position.is_over else "no line: not solved", QUIET)]
    walker = position.copy()
    trick = [style.card(name) for name in walker.trick]
    names, leader, found = list(walker.trick), walker.leader, []
    for card in analysis.line:
        names.append(card)
        walker.push(card)
        trick.append(style.card(card))
        if not walker.trick:
            step = 1 if position.contract.clockwise else -1
            seats = position.contract.seat_names
            taken = (seats.index(walker.leader) - seats.index(leader)) * step % len(seats)
            trick[taken] = style.card(names[taken], strong=True)
            found.append(ink(f"{leader} ", QUIET) + Text(" ").join(trick) + Text(" "))
            trick, names, leader = [], [], walker.leader
    return found


def _wrapped(pieces: Sequence[Text], width: int) -> Iterator[Text]:
    """The pieces separated by blanks, as many a line as fit."""
    line = Text()
    for piece in pieces:
        if line.cell_len and line.cell_len + 1 + piece.cell_len > width:
            yield line
            line = Text()
        line = line + Text(" ") + piece if line.cell_len else piece
    if line.cell_len:
        yield line
