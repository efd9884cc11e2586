"""Exit codes, and the one line that a failure is."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EBADF, EDQUOT, EFBIG, ENOSPC
from typing import NoReturn

import click

FAULTY, USAGE, INTERRUPTED = 1, 2, 130
"""Something wrong inside a file; with an option or path as typed; Ctrl-C."""

NO_ROOM = (ENOSPC, EDQUOT, EFBIG)
"""What only writing meets."""


def say(text: str) -> None:
    """One line on stderr."""
    click.echo(f"kingsolve: {text}", err=True)


def one_line(error: BaseException) -> str:
    """What went wrong, on one line, beginning in lower case unless with a name."""
    if isinstance(error, click.ClickException):
        text = error.format_message()
        words = " ".join(text.split()).removesuffix(".")
        return words[:1].lower() + words[1:]
    if isinstance(error, MemoryError):
        return "expected memory for the tables, got none: lower --memory or --jobs"
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename!r}: " if error.filename is not None else ""
        if not where and error.errno in (EBADF, *NO_ROOM):  # files that are written name themselves
            where = "standard output: "
        return f"{where}{error.strerror.lower()}"
    text = " ".join(str(error).split())
    try:
        from kingsolve import KingError
    except ImportError:  # the library cannot be loaded, as by a KINGSOLVE_ISA that is none: `error` says why
        return text
    return text if isinstance(error, KingError) else f"internal error: {type(error).__name__}: {text}"


def exit_code(error: BaseException) -> int:
    """The exit code that an error asks for."""
    return error.exit_code if isinstance(error, click.ClickException) else FAULTY


def bad_option(option: str, message: str) -> NoReturn:
    """Raises the error of an option as typed: exit code 2."""
    raise click.BadParameter(message, param_hint=f"'{option}'")


@contextmanager
def as_typed() -> Iterator[None]:
    """What the library refuses in here is wrong with the options as typed: exit code 2."""
    from kingsolve import KingError

    try:
        yield
    except KingError as error:
        raise click.UsageError(str(error)) from None


def silence_stdout() -> None:
    """Points stdout at nothing, so that nothing is written, or complained of, when Python ends."""
    try:
        descriptor = sys.stdout.fileno()
    except (OSError, ValueError):
        return
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, descriptor)
    os.close(null)
