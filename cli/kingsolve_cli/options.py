"""What options take: seats, sides, cards, amounts of memory, paths. The library comes in when one is read."""

import os
import re
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from .errors import bad_option

if TYPE_CHECKING:
    _Param = click.ParamType[Any, Any]
else:  # generic only in later versions of click
    _Param = click.ParamType

_UNITS = {
    "": 20,
    "b": 0,
    "k": 10,
    "kb": 10,
    "kib": 10,
    "m": 20,
    "mb": 20,
    "mib": 20,
    "g": 30,
    "gb": 30,
    "gib": 30,
}
_MEMORY = re.compile(r"(\d+(?:\.\d+)?)\s*([a-z]*)", re.IGNORECASE | re.ASCII)
MAX_SEED = 2**64 - 1
MAX_NODES = 2**63
"""The most that the kernels count."""


class Seat(_Param):
    """A seat, N E S or W."""

    name = "seat"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The seat as one capital letter."""
        from kingsolve.cards import SEATS, parse_seat
        from kingsolve.errors import CardError

        try:
            return SEATS[parse_seat(value)]
        except CardError as error:
            self.fail(str(error), param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The seats."""
        return [CompletionItem(seat) for seat in "NESW" if seat.startswith(incomplete.upper())]


class Side(_Param):
    """A set of seats, given as `NS` or `N,S`."""

    name = "seats"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The seats in seat order, `NS`."""
        from kingsolve.cards import parse_side, side_name
        from kingsolve.errors import CardError

        try:
            return side_name(parse_side(value))
        except CardError as error:
            self.fail(str(error), param, ctx)


class Cards(_Param):
    """Cards in a row, given as `"Kd 7d"`."""

    name = "cards"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """The cards as standard names."""
        from kingsolve.cards import split_cards
        from kingsolve.errors import CardError

        if isinstance(value, tuple):
            return value
        try:
            cards = tuple(split_cards(value))
        except CardError as error:
            self.fail(str(error), param, ctx)
        if not cards:
            self.fail(f"expected cards such as 'Kd 7d', got {value!r}", param, ctx)
        return cards


class Memory(_Param):
    """Bytes: a number of MiB, or with a unit, `512K`, `64M`, `2G`."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The amount in bytes."""
        if isinstance(value, int):
            return value
        match = _MEMORY.fullmatch(value.strip())
        if match is None or match[2].lower() not in _UNITS:
            self.fail(
                f"expected an amount of memory such as '64' (MiB), '64M' or '2G', got {value!r}", param, ctx
            )
        amount = int(float(match[1]) * 2 ** _UNITS[match[2].lower()])
        if not 1 << 16 <= amount <= 1 << 42:
            self.fail(f"expected memory of 64K to 4096G, got {value!r}", param, ctx)
        return amount


class Seconds(_Param):
    """A number of seconds from 0, or above it."""

    name = "seconds"

    def __init__(self, *, above: bool = False) -> None:
        self._above = above

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number."""
        try:
            seconds = float(value)
        except ValueError:
            seconds = -1.0
        if not 0 <= seconds < 1e9 or (self._above and not seconds):  # nan compares with nothing
            limit = "above 0" if self._above else "from 0"
            self.fail(f"expected seconds {limit}, got {value!r}", param, ctx)
        return seconds


class Whole(click.IntRange):
    """A whole number within limits, both included."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number."""
        try:
            return int(super().convert(value, param, ctx))
        except click.BadParameter:
            limits = f"from {self.min}" + (f" to {self.max}" if self.max is not None else "")
            self.fail(f"expected a whole number {limits}, got {value!r}", param, ctx)


class Names(_Param):
    """Names separated by commas or blanks; `among` lists those there are, where they are known, and `example`
    is what an error shows where they are not."""

    name = "names"

    def __init__(
        self, name: str = "names", among: tuple[str, ...] = (), *, example: str = "no-queens,eralash"
    ) -> None:
        self.name, self._among = name, among
        self._example = ",".join(among[:2]) or example

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """The names, each looked up where they are known."""
        if isinstance(value, tuple):
            return value
        names = tuple(value.replace(",", " ").split())
        if not names:
            self.fail(f"expected names such as {self._example!r}, got {value!r}", param, ctx)
        for name in names:
            if self._among and name not in self._among:
                self.fail(f"expected names among {' '.join(self._among)}, got {name!r}", param, ctx)
        return names

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The names that go on from the last comma."""
        head, comma, last = incomplete.rpartition(",")
        return [CompletionItem(head + comma + name) for name in self._among if name.startswith(last)]


class VariantName(_Param):
    """The id of a variant that ships, or a path: looked at by `variant_option`."""

    name = "id|file"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Ids that ship, else files."""
        from kingsolve import variant_ids

        found = [CompletionItem(name) for name in variant_ids() if name.startswith(incomplete)]
        return found or [CompletionItem(incomplete, type="file")]


class InputPath(_Param):
    """A file that can be read, or `-` for standard input: looked at before any work is done."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The path, if it can be read."""
        reason = unreadable(value) if value != "-" else None
        if reason:
            self.fail(f"expected a file to read, got {value!r}: {reason}", param, ctx)
        return str(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Files."""
        return [CompletionItem(incomplete, type="file")]


class OutputPath(_Param):
    """A file that can be written, or `-` for standard output."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The path, if it can be written."""
        reason = unwritable(value) if value != "-" else None
        if reason:
            self.fail(f"expected a file to write, got {value!r}: {reason}", param, ctx)
        return str(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Files."""
        return [CompletionItem(incomplete, type="file")]


_ENDINGS = {".json": "json", ".jsonl": "json", ".csv": "csv", ".parquet": "parquet", ".md": "markdown"}


def format_for(output: str | None, given: str | None, choices: tuple[str, ...]) -> str:
    """The format asked for, else the one that the output's name ends in, else `table`.

    A name that ends in another format than those in `choices` is an option as typed.
    """
    found = given or _ENDINGS.get(os.path.splitext(output or "")[1].lower(), "table")
    if found not in choices:
        bad_option("--output", f"expected a name for {' '.join(choices)}, or --format, got {output!r}")
    return found


SEED = Whole(0, MAX_SEED)


def unreadable(path: str) -> str | None:
    """Why the file cannot be read, None when it can; nothing is opened (a pipe opens only once)."""
    if not path or "\0" in path or not os.path.exists(path):
        return "no such file"
    if os.path.isdir(path):
        return "it is a directory"
    return None if os.access(path, os.R_OK) else "permission denied"


def unwritable(path: str) -> str | None:
    """Why the file cannot be written, None when it can."""
    if not path or "\0" in path:
        return "no such name"
    if os.path.isdir(path):
        return "it is a directory"
    folder = os.path.dirname(os.path.realpath(path))
    if not os.path.isdir(folder):
        return "no such directory"
    ordinary = os.path.isfile(path) or not os.path.exists(path)
    return None if os.access(folder if ordinary else path, os.W_OK) else "permission denied"
