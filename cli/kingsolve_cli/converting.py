"""The work of `kingsolve convert`, and what `kingsolve deal` shares with it: games written whole."""

import shutil
import sys
from collections.abc import Iterable, Iterator
from tempfile import SpooledTemporaryFile
from typing import IO, cast

import click

from kingsolve import KingError
from kingsolve.notation import Format, Game, format_of, match_of, write_games

from .errors import FAULTY, bad_option, one_line, say
from .loading import games_of, variant_option
from .output import text_output

_SPOOLED = 8 << 20


def run(
    source: str,
    target: str,
    *,
    read_as: str | None,
    write_as: str | None,
    variant_name: str | None,
    keep_going: bool,
) -> None:
    """Converts IN to OUT; exits 1 when a game was faulty."""
    variant = variant_option(variant_name)
    format = "json" if write_as == "match" else written_format(target, write_as)
    faults: list[Exception] = []

    def games() -> Iterator[Game]:
        found = False
        for _, game in games_of([source], variant=variant, format=cast("Format | None", read_as)):
            if isinstance(game, Game):
                for warning in game.warnings:
                    say(f"note: {game.noted(warning)}")
                yield game
                found = True
                continue
            if not keep_going or not isinstance(game.error, KingError):
                raise game.error
            say(one_line(game.error))
            faults.append(game.error)
        if not found:  # a file of no game at all is nothing to write
            click.get_current_context().exit(FAULTY)

    if write_as == "match":
        match = match_of(games(), variant=variant)
        with text_output(target) as stream:
            stream.write(match.to_json() + "\n")
    else:
        write_whole(games(), target, format=format)
    if faults:
        click.get_current_context().exit(FAULTY)


def written_format(target: str, given: str | None, option: str = "--to") -> Format:
    """The notation to write: the one given by `option`, else as the name ends, else PBN for stdout."""
    found = given or ("pbn" if target == "-" else format_of(target))
    if found not in ("pbn", "json"):
        bad_option(
            option,
            f"expected a file to write that ends in .pbn, .json or .jsonl, or {option}, got {target!r}",
        )
    return cast("Format", found)


def write_whole(games: Iterable[Game], target: str, *, format: Format) -> None:
    """Writes the games to a path, or to stdout for `-`, once all are there; nothing when one fails."""
    if target != "-":
        write_games(games, target, format=format)
        return
    with SpooledTemporaryFile(_SPOOLED) as whole:
        write_games(games, cast("IO[bytes]", whole), format=format)
        whole.seek(0)
        sys.stdout.flush()
        shutil.copyfileobj(whole, sys.stdout.buffer)
        sys.stdout.buffer.flush()
