"""How cards and points look: four suit colours that read on dark and light, signed points, exact sixths."""

import os
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import IO

from rich.console import Console
from rich.text import Text

from kingsolve import Bounds
from kingsolve.cards import SYMBOLS

SUIT_STYLES = {"s": "bold", "h": "color(160)", "d": "color(33)", "c": "color(34)"}
QUIET, STRONG, SEAT = "dim", "bold", "bold"
_SIXTHS = {1: "⅙", 2: "⅓", 3: "½", 4: "⅔", 5: "⅚"}


def ink(text: str, style: str) -> Text:
    """The text in a style of its own, which does not spread to what is appended."""
    return Text.assemble((text, style))


class _Console(Console):
    """A console that leaves a reader gone away to the command, which ends quietly."""

    def on_broken_pipe(self) -> None:
        """As rich calls it; its own exits 1."""
        raise BrokenPipeError


class Style:
    """A console and what it can show: suit symbols and fractions, or letters where it is not Unicode."""

    def __init__(self, stream: IO[str], *, width: int | None = None) -> None:
        plain = bool(os.environ.get("NO_COLOR"))
        self.console = _Console(
            file=stream,
            width=width,
            color_system=None if plain else "auto",
            highlight=False,
            markup=False,
            emoji=False,
            soft_wrap=True,
        )
        self.unicode = (getattr(stream, "encoding", None) or "utf-8").lower().startswith("utf")
        self.styled = self.console.color_system is not None
        """Whether colours, and what is underlined, can be seen."""
        self.width = max(self.console.width, 40)

    def print(self, line: Text | str = "") -> None:
        """One line, as it is: laying out is the caller's."""
        text = line if isinstance(line, Text) else Text(line)
        text.rstrip()
        if not self.unicode:
            text = self._plain(text)
        self.console.print(text, no_wrap=True, overflow="ignore", crop=False)

    def wrapped(self, text: Text, indent: str = " ") -> Iterator[Text]:
        """The text as lines that fit, all but the first behind `indent`."""
        if text.cell_len <= self.width:
            yield text
            return
        for number, line in enumerate(text.wrap(self.console, self.width - len(indent))):
            line.rstrip()
            yield Text(indent) + line if number else line

    def _plain(self, text: Text) -> Text:
        encoding = getattr(self.console.file, "encoding", None) or "ascii"
        pieces = text.plain.translate(_LETTERS)
        return Text(pieces.encode(encoding, "replace").decode(encoding))

    def suit(self, suit: str) -> Text:
        """The symbol of a suit in its colour."""
        return ink(SYMBOLS[suit] if self.unicode else suit.upper(), SUIT_STYLES[suit])

    def card(self, name: str, *, strong: bool = False) -> Text:
        """A card as rank and symbol in the colour of its suit."""
        shown = name[0] + (SYMBOLS[name[1]] if self.unicode else name[1])
        return ink(shown, f"{SUIT_STYLES[name[1]]} underline" if strong else SUIT_STYLES[name[1]])

    def cards(self, names: Iterable[str]) -> Text:
        """Cards separated by blanks."""
        return Text(" ").join(self.card(name) for name in names)

    def share(self, share: Fraction) -> str:
        """A fraction of points, exact: `-5⅔`; `-17/3` where there is no such sign."""
        if share.denominator == 1:
            return signed(share.numerator)
        sixths = abs(share) % 1 * 6
        if not self.unicode or sixths.denominator != 1:
            return f"{share.numerator:+d}/{share.denominator}"
        whole = abs(share.numerator) // share.denominator
        return ("-" if share < 0 else "+") + (str(whole) if whole else "") + _SIXTHS[sixths.numerator]


_LETTERS = str.maketrans(
    {"─": "-", "│": "|", "·": "-", "—": "-", "▸": ">", "…": ".", **{v: k for k, v in SYMBOLS.items()}}
)


def signed(points: int) -> str:
    """Points with their sign; nothing before 0."""
    return f"{points:+d}" if points else "0"


def value(points: "int | Bounds | None") -> str:
    """Points, or the bounds of a value that is not solved: `-16..-4`."""
    if points is None:
        return "—"
    if isinstance(points, int):
        return signed(points)
    if points.exact:
        return signed(points.minimum)
    return f"{signed(points.minimum)}..{signed(points.maximum)}"
