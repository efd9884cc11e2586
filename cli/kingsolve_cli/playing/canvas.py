"""Painting with characters: a grid of styled cells, cards, and the table as everybody sits at it.

All that colour says is also said without: by place, by brackets, by words.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from .session import Mark, Place, Seat, View
from .words import card_words, price, signed

FELT = "#e9f2ec on #0e3b2c"
QUIET = "#9fb8ab on #0e3b2c"
NAME = "bold #ffffff on #0e3b2c"
TURN = "bold #10261c on #ffd166"
DEALER = "bold #10261c on #e9f2ec"
BAD, GOOD = "bold #ffffff on #b3261e", "bold #ffffff on #1e7d46"
SUITS = {"s": "#101418", "h": "#b3001b", "d": "#0a58b5", "c": "#11692f"}
"""Four colours that read on a white card."""
FACE, EDGE = "#f6f3e7", "#55605a"
SHADED, SHADED_EDGE = "#98a39c", "#5a655f"


@dataclass(frozen=True)
class Size:
    """How large a card is drawn, in cells."""

    width: int
    height: int


SMALL, LARGE = Size(5, 3), Size(7, 5)


class Canvas:
    """A grid of characters with styles; what falls outside is dropped."""

    def __init__(self, width: int, height: int, style: str) -> None:
        self.width, self.height = width, height
        self._rows = [[(" ", style)] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, style: str) -> None:
        """Writes `text` from (x, y) to the right; a wide character takes two cells, an accent none."""
        for char in text:
            cells = cell_len(char)
            if 0 <= y < self.height and 0 <= x and x + cells <= self.width:
                if cells:
                    self._rows[y][x : x + cells] = [(char, style), ("", style)][:cells]
                elif x:
                    self._rows[y][x - 1] = (self._rows[y][x - 1][0] + char, style)
            x += cells

    def middle(self, y: int, pieces: Sequence[tuple[str, str]], *, at: int) -> None:
        """Writes pieces one after another, their middle at column `at`."""
        x = at - sum(cell_len(text) for text, _ in pieces) // 2
        self.run(x, y, pieces)

    def run(self, x: int, y: int, pieces: Sequence[tuple[str, str]]) -> None:
        """Writes pieces one after another from (x, y)."""
        for text, style in pieces:
            self.put(x, y, text, style)
            x += cell_len(text)

    def card(
        self, x: int, y: int, card: str, size: Size, *, shaded: bool = False, bold: bool = False
    ) -> None:
        """Draws a card, face up, with its left upper corner at (x, y)."""
        face = SHADED if shaded else FACE
        edge = f"{'bold ' if bold else ''}{SHADED_EDGE if shaded else EDGE} on {face}"
        ink = f"bold {SUITS[card[1]]} on {face}"
        inside = size.width - 2
        self.put(x, y, f"╭{'─' * inside}╮", edge)
        for row in range(1, size.height - 1):
            self.put(x, y + row, f"│{' ' * inside}│", edge)
        self.put(x, y + size.height - 1, f"╰{'─' * inside}╯", edge)
        words = card_words(card)
        if size.height < LARGE.height:
            self.put(x + 1, y + 1, words, ink)
            return
        rank, suit = words[:-1], words[-1]
        self.put(x + 1, y + 1, rank, ink)
        self.put(x + size.width // 2, y + 2, suit, ink)
        self.put(x + size.width - 1 - len(rank), y + 3, rank, ink)

    def text(self) -> Text:
        """The grid as lines of text, neighbours of one style together."""
        made = Text(no_wrap=True, end="")
        for number, row in enumerate(self._rows):
            if number:
                made.append("\n")
            start = 0
            for x in range(1, self.width + 1):
                if x == self.width or row[x][1] != row[start][1]:
                    made.append("".join(char for char, _ in row[start:x]), Style.parse(row[start][1]))
                    start = x
        return made


def table(view: View, width: int, height: int) -> Text:
    """The players, and the trick between them."""
    canvas = Canvas(width, height, FELT)
    size = LARGE if height >= 18 and width >= 70 else SMALL
    centre = width // 2
    seats = {seat.place: seat for seat in view.seats}
    top = seats.get("top")
    head = 0
    if top is not None:
        canvas.middle(0, _plate(top), at=centre)
        canvas.middle(1, _taken(top), at=centre)
        head = 2
    you = seats["bottom"]
    canvas.middle(height - 1, [*_plate(you), ("  ", FELT), *_taken(you)], at=centre)
    room = height - 1 - head
    first = head + max(0, (room - 2 * size.height) // 2)
    spots: dict[Place, tuple[int, int]] = {
        "top": (centre - size.width // 2, first),
        "bottom": (centre - size.width // 2, first + size.height),
        "left": (centre - size.width // 2 - size.width - 3, first + size.height // 2),
        "right": (centre - size.width // 2 + size.width + 3, first + size.height // 2),
    }
    for place, (x, y) in spots.items():
        if place in seats and (card := seats[place].card) is not None:
            canvas.card(x, y, card, size, bold=seats[place].winner)
    middle = first + size.height
    for seat in (seats["left"], seats["right"]):
        _beside(canvas, seat, middle)
    won = next((seat for seat in view.seats if seat.winner), None)
    if won is not None:
        _crown(canvas, spots[won.place], size)
    return canvas.text()


def _beside(canvas: Canvas, seat: Seat, middle: int) -> None:
    """The player on the left or right: name, total, points of this deal, one under the other."""
    for row, pieces in enumerate((_plate(seat), _taken(seat))):
        width = sum(cell_len(text) for text, _ in pieces)
        x = 2 if seat.place == "left" else canvas.width - width - 2
        canvas.run(x, middle - 1 + row, pieces)


def _crown(canvas: Canvas, spot: tuple[int, int], size: Size) -> None:
    """Marks the card that takes the trick."""
    x, y = spot
    canvas.put(x + size.width // 2 - 1, y + size.height - 1, " ★ ", TURN)


def _plate(seat: Seat) -> list[tuple[str, str]]:
    """Name, total of the match, dealer's mark; who is on turn stands in brackets."""
    name = f"▸ {seat.name} ◂" if seat.on_turn else f" {seat.name} "
    pieces = [(name, TURN if seat.on_turn else NAME), (f" {signed(seat.total)} ", FELT)]
    return [*pieces, (" D ", DEALER)] if seat.dealer else pieces


def _taken(seat: Seat) -> list[tuple[str, str]]:
    """The points of this deal, and how many cards are left."""
    cards = f" {seat.cards} card{'s' if seat.cards != 1 else ''}"
    if not seat.points:
        return [(" this deal 0 ·", QUIET), (cards, QUIET)]
    style = GOOD if seat.points > 0 else BAD
    return [(" this deal ", QUIET), (f" {signed(seat.points)} ", style), (" ·", QUIET), (cards, QUIET)]


def hand_size(cards: int, width: int, height: int) -> Size:
    """How large the cards of a hand of so many can be drawn in a window."""
    return LARGE if height >= 34 and cards * LARGE.width + 2 <= width else SMALL


def hand_left(cards: int, width: int, size: Size) -> int:
    """The column where a hand begins."""
    return max(0, (width - cards * size.width) // 2)


KEYS = "123456789abcd"
"""The keys of the cards in your hand, from the left."""


def hand(
    cards: Sequence[str],
    legal: frozenset[str],
    width: int,
    size: Size,
    *,
    cursor: int | None,
    your_turn: bool,
    gone: str | None = None,
    shaken: str | None = None,
    shift: int = 0,
) -> Text:
    """Your hand: what you may play is raised a line and bright; under each card its key, the cursor in
    brackets.

    `gone` is a card being dragged: its place is empty. `shaken` stands `shift` columns aside.
    """
    canvas = Canvas(width, size.height + 2, FELT)
    left = hand_left(len(cards), width, size)
    for i, card in enumerate(cards):
        x = left + i * size.width
        lit = your_turn and card in legal
        if card != gone:
            canvas.card(
                x + (shift if card == shaken else 0),
                0 if lit else 1,
                card,
                size,
                shaded=your_turn and not lit,
                bold=i == cursor,
            )
        key = KEYS[i] if i < len(KEYS) else " "
        label = f"[{key}]" if i == cursor else f" {key} "
        style = TURN if i == cursor else FELT if lit or not your_turn else QUIET
        canvas.put(x + (size.width - 3) // 2, size.height + 1, label, style)
    return canvas.text()


_KINDS = {"penalty": "#e5544b", "positive": "#41b871", "open": "#9fb8ab"}
_SIGNS = {"penalty": "−", "positive": "+", "open": "·"}
_TRUMPS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣", "nt": "∅"}


def strip(marks: Sequence[Mark], width: int, *, lit: bool) -> Text:
    """A mark for each deal: red costs, green pays; the current one in brackets, bright when `lit`; those
    played dimmed; trumps named by their suit."""
    cells = 3 if 3 * len(marks) <= width else 1
    made = Text(no_wrap=True, end="")
    made.append(" " * max(0, (width - cells * len(marks)) // 2))
    for mark in marks:
        sign = _TRUMPS[mark.trump] if mark.trump is not None else _SIGNS[mark.kind]
        style = _KINDS[mark.kind]
        if mark.state == "current":
            shown = f"[{sign}]" if cells == 3 else sign
            made.append(shown, f"bold reverse {style}" if lit else f"bold {style}")
        else:
            shown = f" {sign} " if cells == 3 else sign
            made.append(shown, f"dim {style}" if mark.state == "played" else style)
    return made


def chip(view: View) -> tuple[str, str]:
    """The deal's number and, on the chip, the contract and its price."""
    number = f"{view.number}/{view.rounds}"
    if view.contract is None:
        return number, "to be chosen"
    return number, f"{view.contract.title}, {price(view.contract)}"
