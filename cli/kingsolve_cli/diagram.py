"""The hands of a deal drawn as they sit, and columns of numbers in bands that fit the terminal."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from rich.text import Text

from kingsolve.cards import DISPLAY_SUITS, SEATS, cards_of

from .style import QUIET, SEAT, STRONG, SUIT_STYLES, Style, ink

_COLUMN = 22
_INDENT = 2


def compass(
    style: Style, hands: Sequence[int | None], *, marks: dict[str, str], missing: str = "not known"
) -> list[Text]:
    """The hands around the table: N above, W and E beside, S below; three seats leave W's place empty.

    `marks` are words beside a seat's letter (dealer, leads).
    """
    lines = _around(style, hands, marks, missing, close=False)
    if max(line.cell_len for line in lines) > style.width:
        lines = _around(style, hands, marks, missing, close=True)
    return lines


def _around(
    style: Style, hands: Sequence[int | None], marks: dict[str, str], missing: str, *, close: bool
) -> list[Text]:
    """The lines of `compass`; `close`: no blanks between ranks, columns no wider than what they hold."""
    blocks = {
        seat: _hand(
            style, seat, hands[i] if i < len(hands) else 0, marks.get(seat, ""), missing, "" if close else " "
        )
        for i, seat in enumerate(SEATS)
    }
    if len(hands) < 4:
        blocks["W"] = [Text()] * len(blocks["N"])
    # The side hands need a column as wide as the widest west hand, the middle one as wide as north and south.
    west = max(0 if close else _COLUMN - 4, *(line.cell_len + 2 for line in blocks["W"]))
    if len(hands) < 4:
        west = _INDENT + 8
    middle = max(0 if close else _COLUMN - 6, *(line.cell_len + 2 for seat in "NS" for line in blocks[seat]))
    lines = [Text(" " * (_INDENT + west)) + line for line in blocks["N"]]
    for left, right in zip(blocks["W"], blocks["E"], strict=True):
        line = Text(" " * _INDENT) + left
        line.pad_right(_INDENT + west + middle - line.cell_len)
        lines.append(line + right)
    return lines + [Text(" " * (_INDENT + west)) + line for line in blocks["S"]]


def _hand(style: Style, seat: str, hand: int | None, mark: str, missing: str, gap: str) -> list[Text]:
    """A seat's letter with its marks, then its suits, one a line, `gap` between ranks."""
    head = ink(seat, SEAT)
    if mark:
        head.append(f"  {mark}", STRONG if "lead" in mark else QUIET)
    if hand is None:
        return [head, ink(missing, QUIET), Text(), Text(), Text()]
    lines = [head]
    for suit in DISPLAY_SUITS:
        ranks = gap.join(name[0] for name in cards_of(hand) if name[1] == suit)
        shown = ink(ranks, SUIT_STYLES[suit]) if ranks else ink("—", QUIET)
        lines.append(style.suit(suit) + Text(" ") + shown)
    return lines


@dataclass(frozen=True)
class Group:
    """Columns under one heading: a heading each, and for each row a cell each."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Text | str]]
    left: bool = False
    """Whether cells stand at the left of their columns."""
    gap: int = 2
    """Blanks between columns."""
    widths: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        cells = [
            [_text(cell).cell_len for cell in column] for column in zip(self.columns, *self.rows, strict=True)
        ]
        widths = [max(column) for column in cells]
        spare = len(self.title) - (sum(widths) + self.gap * (len(widths) - 1))
        if spare > 0:
            widths[0] += spare
        object.__setattr__(self, "widths", tuple(widths))

    @property
    def width(self) -> int:
        """Cells of the group, blanks between its columns counted."""
        return sum(self.widths) + self.gap * (len(self.widths) - 1)

    def heading(self) -> Text:
        """The title over its columns, with a rule that spans them."""
        if not self.title:
            return Text(" " * self.width)
        rest = self.width - len(self.title) - 1
        return ink(self.title, STRONG) + ink(f" {'─' * rest}" if rest > 0 else " " * (rest + 1), QUIET)

    def line(self, cells: Sequence[Text | str], styled: str = "") -> Text:
        """One row of the group."""
        made = []
        for cell, width in zip(cells, self.widths, strict=True):
            text = _text(cell).copy()
            text.stylize(styled)
            text.align("left" if self.left else "right", width)
            made.append(text)
        return Text(" " * self.gap).join(made)


def _text(cell: Text | str) -> Text:
    return cell if isinstance(cell, Text) else Text(cell)


def _cut(cell: Text | str, width: int) -> Text:
    """The cell in at most `width` cells, with a mark where it goes on; numbers are short anyway."""
    text = _text(cell).copy()
    text.truncate(max(width, 8), overflow="ellipsis")
    return text


def banded(style: Style, label: Group, groups: Sequence[Group]) -> list[Text]:
    """The groups side by side behind the label column, in as many bands as the terminal's width asks for.

    Columns move closer together where that saves a band.
    """
    bands = _bands(style, label, groups)
    closer = _bands(style, label, [replace(group, gap=1) for group in groups])
    lines: list[Text] = []
    for number, band in enumerate(closer if len(closer) < len(bands) else bands):
        if number:
            lines.append(Text())
        parts = [label, *band]
        if any(group.title for group in parts):
            lines.append(Text(" ") + Text("   ").join(group.heading() for group in parts))
        lines.append(Text(" ") + Text("   ").join(group.line(group.columns, QUIET) for group in parts))
        for i in range(len(label.rows)):
            lines.append(Text(" ") + Text("   ").join(group.line(group.rows[i]) for group in parts))
    return lines


def _fitting(group: Group, room: int) -> list[Group]:
    """The group, or parts of its columns where it is too wide to stand anywhere; words are cut short."""
    half = len(group.columns) // 2
    if group.width <= room:
        return [group]
    if not half:
        return [replace(group, rows=[[_cut(cell, room) for cell in row] for row in group.rows])]
    parts = (slice(None, half), slice(half, None))
    found = [
        replace(group, columns=group.columns[part], rows=[row[part] for row in group.rows]) for part in parts
    ]
    return [fitting for part in found for fitting in _fitting(part, room)]


def _bands(style: Style, label: Group, groups: Sequence[Group]) -> list[list[Group]]:
    """The groups dealt out to bands, each as full as it can be."""
    bands: list[list[Group]] = [[]]
    room = left = style.width - 4 - label.width
    for group in [part for whole in groups for part in _fitting(whole, room)]:
        if bands[-1] and group.width > left:
            bands.append([])
            left = room
        bands[-1].append(group)
        left -= group.width + 3
    return bands
