"""Typed values out of TOML: every fault is a VariantError with file, table and key, on one line."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from ..errors import VariantError, short

T = TypeVar("T")
Table = dict[str, Any]

_MERGED = ("rule", "contract", "match")


def parse(data: bytes, source: str) -> tuple[str, Table]:
    """The text and the tables of TOML bytes; VariantError for what is not UTF-8 or not TOML."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        msg = f"{source}:{line}: expected UTF-8 text, got the byte 0x{data[error.start]:02x}"
        raise VariantError(msg) from None
    try:
        return text, tomllib.loads(text)
    except RecursionError:
        msg = f"{source}: expected TOML, got values nested too deeply"
        raise VariantError(msg) from None
    except ValueError as error:
        msg = f"{source}: expected TOML, got a fault: {' '.join(str(error).split())}"
        raise VariantError(msg) from None


def merge(base: Table, own: Table, source: str) -> Table:
    """`own` over `base`: top-level keys, entries of [rule], [contract] and [match]; false takes one away."""
    merged = {**base, **{key: value for key, value in own.items() if key not in _MERGED}}
    del merged["extends"]
    for table in _MERGED:
        ours = own.get(table, {})
        theirs = base.get(table, {})
        if not isinstance(ours, dict):
            Fields(source).fail("", table, f"expected a table, got {ours!r}")
        merged[table] = {**theirs, **ours}
        for key, value in ours.items():
            if value is False and (table, key) != ("match", "then_mirrored"):
                if key not in theirs:
                    Fields(source).fail(table, key, "expected an entry of the base to take away, got none")
                del merged[table][key]
    if not merged["match"]:
        del merged["match"]
    return merged


class Fields:
    """Takes typed values out of the tables of one file; `source` stands first in every message."""

    def __init__(self, source: str) -> None:
        self.source = source

    def fail(self, table: str, key: str, message: str) -> NoReturn:
        """Raises the VariantError of `message` at `[table] key`."""
        places = [f"[{_plain(table)}]"] if table else []
        places += [_plain(key)] if key else []
        msg = f"{self.source}: {' '.join(places)}: {message}"
        raise VariantError(msg)

    def take(
        self, table: Mapping[str, Any], name: str, key: str, kind: type[T], default: T | None = None
    ) -> T:
        """The value of `key` if it is a `kind`; `default` when absent; an error otherwise."""
        if key not in table:
            if default is None:
                self.fail(name, key, f"expected {_KINDS[kind]}, got nothing")
            return default
        value = table[key]
        if type(value) is not kind:
            self.fail(name, key, f"expected {_KINDS[kind]}, got {short(value)}")
        return value

    def number(
        self,
        table: Mapping[str, Any],
        name: str,
        key: str,
        limits: tuple[int, int],
        default: int | None = None,
    ) -> int:
        """A whole number within `limits`, both included."""
        value = self.take(table, name, key, int, default)
        low, high = limits
        if not low <= value <= high:
            self.fail(name, key, f"expected a whole number from {low} to {high}, got {short(value)}")
        return value

    def one_of(
        self,
        table: Mapping[str, Any],
        name: str,
        key: str,
        choices: tuple[str, ...],
        default: str | None = None,
    ) -> str:
        """One of a few words."""
        value = self.take(table, name, key, str, default)
        if value not in choices:
            words = ", ".join(repr(choice) for choice in choices)
            self.fail(name, key, f"expected one of {words}, got {value!r}")
        return value

    def names(self, table: Mapping[str, Any], name: str, key: str, known: Mapping[str, Any]) -> list[str]:
        """A list of one or more names that all stand in `known`; only an order may name one twice."""
        value = self.take(table, name, key, list)
        if not value:
            self.fail(name, key, "expected one or more names, got an empty list")
        for i, item in enumerate(value):
            if not isinstance(item, str) or item not in known:
                self.fail(name, key, f"expected names out of {' '.join(known)}, got {short(item)}")
            if item in value[:i] and key != "order":
                self.fail(name, key, f"expected each name once, got {item!r} again")
        return value

    def only(self, table: Mapping[str, Any], name: str, keys: list[str] | tuple[str, ...]) -> None:
        """An error at the first key of `table` that is not one of `keys`."""
        for key in table:
            if key not in keys:
                self.fail(name, key, f"unknown key, expected {' '.join(keys)}")

    def title(self, table: Mapping[str, Any], name: str, key: str, default: str | None = None) -> str:
        """A title: one printable line."""
        value = self.take(table, name, key, str, default)
        if not value.strip() or not value.isprintable():
            self.fail(name, key, f"expected a title of one printable line, got {value!r}")
        return value


_KINDS: dict[type, str] = {
    str: "a text in quotes",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
    dict: "a table",
}


def variant_file(path: Path, source: str) -> bytes:
    """The bytes of the file at `path`; VariantError when it cannot be read."""
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        msg = f"expected a variant file, got {source!r}: {reason.lower()}"
        raise VariantError(msg) from None


def _plain(name: str) -> str:
    """A key as written where it is a bare one or a glob, else in quotes, so that a message stays one line."""
    return name if re.fullmatch(r"[\w.?*\[\]!-]+", name) else repr(name)
