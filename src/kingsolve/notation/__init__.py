"""Reading and writing deals, recorded rounds and files of them: PBN 2.1, LIN, DDS dot strings, JSON lines."""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from ..errors import NotationError
from .dots import read_dots
from .game import (
    Game,
    PlayRecord,
    VariantLike,
    Warning,
    leader_of,
    recorded_leader,
    round_of,
    scores_of,
    scores_text,
    variant_of,
)
from .json import read_json, write_json
from .lin import read_lin
from .lines import OnError, Rejoined, Source, as_bytes, opened
from .matches import match_games, match_of
from .pbn import read_pbn
from .pbn_write import final_scores, write_pbn

__all__ = [
    "Format",
    "Game",
    "OnError",
    "PlayRecord",
    "Source",
    "VariantLike",
    "Warning",
    "final_scores",
    "format_of",
    "leader_of",
    "match_games",
    "match_of",
    "read_dots",
    "read_games",
    "read_json",
    "read_lin",
    "read_pbn",
    "recorded_leader",
    "round_of",
    "scores_of",
    "scores_text",
    "variant_of",
    "write_games",
    "write_json",
    "write_pbn",
]

Format = Literal["pbn", "lin", "dots", "json"]
_BY_ENDING: dict[str, Format] = {
    ".pbn": "pbn",
    ".lin": "lin",
    ".dds": "dots",
    ".dots": "dots",
    ".json": "json",
    ".jsonl": "json",
    ".ndjson": "json",
}
_READERS: dict[str, Callable[..., Iterator[Game]]] = {
    "pbn": read_pbn,
    "lin": read_lin,
    "dots": read_dots,
    "json": read_json,
}
_HEAD = 4096
_JSON = re.compile(r'\s*\{\s*"[^"]*"\s*:')
_LIN = re.compile(r"\s*[a-z][a-z0-9]\|", re.IGNORECASE)
_DOTS = re.compile(r'(?:\s*[#;%].*\n)*\s*"?(?:[NESW]:)?(?:-|[0-9TJQKA]*\.[0-9TJQKA]*\.[0-9TJQKA.]+)\s', re.I)


def read_games(
    source: Source,
    *,
    format: Format | None = None,
    variant: VariantLike = None,
    contract: str | None = None,
    on_error: OnError | None = None,
) -> Iterator[Game]:
    """The games of a file of any format, from a path or an open stream; as `read_pbn` in everything else.

    The format is the one given, else what the file's name ends in, else what its first lines look like (PBN
    in doubt). Raises NotationError for a `format` that is none.
    """
    if format is None and isinstance(source, str | os.PathLike):
        format = format_of(source)
    if format is not None:
        yield from _reader(format)(source, variant=variant, contract=contract, on_error=on_error)
        return
    with opened(source) as (stream, name):
        head = as_bytes(stream.read(_HEAD))
        rejoined = Rejoined(head, stream, name)
        yield from _reader(_guess(head))(rejoined, variant=variant, contract=contract, on_error=on_error)


def write_games(games: Iterable[Game], target: Source, *, format: Format | None = None) -> None:
    """Writes games as PBN or JSON lines: the format given, else as the path's name ends.

    Raises NotationError for a format that cannot be written, before anything is; else as `write_pbn`.
    """
    if format is None and isinstance(target, str | os.PathLike):
        format = format_of(target)
    if format == "pbn":
        write_pbn(games, target)
    elif format == "json":
        write_json(games, target)
    else:
        msg = f"expected a file to write that ends in .pbn, .json or .jsonl, got {format or str(target)!r}"
        raise NotationError(msg)


def format_of(path: str | os.PathLike[str]) -> Format | None:
    """The format that a file's name stands for, None where it says nothing.

    >>> format_of("deals/evening.PBN"), format_of("notes.txt")
    ('pbn', None)
    """
    return _BY_ENDING.get(os.path.splitext(os.fspath(path))[1].lower())


def _reader(format: str) -> Callable[..., Iterator[Game]]:
    if format not in _READERS:
        msg = f"expected a format, one of {' '.join(_READERS)}, got {format!r}"
        raise NotationError(msg)
    return _READERS[format]


def _guess(head: bytes) -> Format:
    text = head.decode("latin-1").removeprefix("\u00ef\u00bb\u00bf")
    if _JSON.match(text):
        return "json"
    if _LIN.match(text):
        return "lin"
    return "dots" if _DOTS.match(text + "\n") else "pbn"
