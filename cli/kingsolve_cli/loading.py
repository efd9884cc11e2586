"""Variants and games as the commands take them: by id or path, from files or standard input."""

import os
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from errno import EBADF
from typing import IO

import click

from kingsolve import Contract, KingError, NotationError, Round, Variant, load_variant, variant_ids
from kingsolve.notation import Format, Game, read_games, recorded_leader, round_of

from .errors import bad_option
from .options import unreadable

STDIN = "<stdin>"
STDIN_PATH = "/dev/stdin"


@dataclass(frozen=True)
class Fault:
    """What was wrong with one game, or one file, in its place among the games."""

    error: Exception


def variant_option(name: str | None, option: str = "--variant") -> Variant | None:
    """The variant of an option: an unknown id or a path that is none exits 2, a fault in the file 1."""
    if name is None:
        return None
    if name in variant_ids():
        return load_variant(name)
    if name == "-":
        return load_variant(STDIN_PATH)
    looks_like_path = name.endswith(".toml") or "/" in name
    reason = unreadable(name)
    if reason and looks_like_path:
        bad_option(option, f"expected a variant file to read, got {name!r}: {reason}")
    if reason:
        bad_option(
            option, f"expected a variant, one of {' '.join(variant_ids())}, or a path to a file, got {name!r}"
        )
    return load_variant(name)


def round_led_by(game: Game, contract: Contract, *, leader: str | None, variant: Variant) -> Round:
    """`round_of`, where a --leader who did not lead the recorded play is an option as typed."""
    recorded = recorded_leader(game)
    if leader is not None and recorded not in (None, leader):
        message = f"expected {recorded}, who leads in the recorded play (game {game.number}), got {leader!r}"
        bad_option("--leader", message)
    return round_of(game, contract, leader=leader, variant=variant)


class _Named:
    """Standard input under a name for messages."""

    name = STDIN

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def read(self, size: int = -1, /) -> bytes:
        """As the stream's."""
        return self._stream.read(size)


def _standard_input() -> _Named:
    """Standard input; OSError where it is closed (<&-)."""
    if sys.stdin is None:
        raise OSError(EBADF, os.strerror(EBADF), STDIN)
    return _Named(sys.stdin.buffer)


def games_of(
    files: Iterable[str],
    *,
    variant: Variant | None = None,
    contract: str | None = None,
    format: Format | None = None,
    only: Sequence[int] = (),
) -> Iterator[tuple[str, Game | Fault]]:
    """The games of the files in order, each with its file's name as typed; faults where they stand.

    `contract` is what recorded rounds are taken for, whatever they name. `only` are the numbers of the games
    wanted, all where it is empty. A file without any game is a fault.
    """
    for file in files:
        count = 0
        missing = set(only)
        for found in _games_in(file, variant, contract, format):
            count += 1
            if only and _number(found) not in (None, *only):
                continue
            missing.discard(_number(found) or 0)
            yield file, found
            if only and not missing:
                break
        name = STDIN if file == "-" else file
        if not count:
            yield file, Fault(NotationError("expected at least one game, got none", file=name))
        elif missing:
            numbers = " ".join(map(str, sorted(missing)))
            message = f"expected a number of the {count} games of {name}, got {numbers}"
            yield file, Fault(click.BadParameter(message, param_hint="'--game'"))


def _number(found: Game | Fault) -> int | None:
    if isinstance(found, Game):
        return found.number
    return found.error.game if isinstance(found.error, NotationError) else None


def _games_in(
    file: str, variant: Variant | None, contract: str | None, format: Format | None
) -> Iterator[Game | Fault]:
    faults: deque[NotationError] = deque()
    try:
        source = file if file != "-" else _standard_input()
        found = read_games(source, format=format, variant=variant, contract=contract, on_error=faults.append)
        for game in found:
            while faults:
                yield Fault(faults.popleft())
            yield game
        yield from map(Fault, faults)
    except (KingError, OSError) as error:
        yield Fault(error)
