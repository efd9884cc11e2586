"""Any file line by line in bounded memory, and files written whole or not at all: for every format."""

import io
import os
import shutil
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from errno import EDQUOT, EFBIG, ENOSPC
from typing import IO, Any, Protocol

from ..errors import NotationError

MAX_LINE = 1 << 20
"""Bytes of one line, of one comment and of all the text kept of one game: more than any honest file needs."""
_CHUNK = 1 << 16
_HEAD = 1024
_UTF8_MARK = b"\xef\xbb\xbf"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")

OnError = Callable[[NotationError], None]


class Readable(Protocol):
    """Anything with `read(size)` that gives bytes or text."""

    def read(self, size: int = ..., /) -> Any:
        """Up to `size` bytes or characters, nothing at the end."""


class Rejoined:
    """A stream whose first bytes were looked at already: gives them again, then the rest."""

    def __init__(self, head: bytes, rest: Readable, name: str | None) -> None:
        self._head, self._rest, self.name = head, rest, name

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes, at most `size` of them unless the head is longer."""
        head, self._head = self._head, b""
        return head or as_bytes(self._rest.read(size))


Source = str | os.PathLike[str] | IO[bytes] | IO[str] | Readable


def as_bytes(data: bytes | str) -> bytes:
    """The bytes of a piece of a binary or text stream."""
    return data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data


@contextmanager
def opened(source: Source) -> Iterator[tuple[Readable, str | None]]:
    """The open stream of a path or stream and its name for messages; a stream given open is left open.

    Raises OSError when the path cannot be opened.
    """
    if isinstance(source, str | os.PathLike):
        with open(source, "rb") as stream, naming(source):
            yield stream, os.fspath(source)
    elif not hasattr(source, "read"):
        msg = f"expected a path or an open stream to read, got {source!r}"
        raise NotationError(msg)
    else:
        name = getattr(source, "name", None)
        yield source, name if isinstance(name, str) else None


@contextmanager
def naming(path: str | os.PathLike[str]) -> Iterator[None]:
    """OSErrors that name no file, as those of reading do, name this one."""
    try:
        yield
    except OSError as error:
        if error.filename is not None:
            raise
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None


class Lines:
    """The lines of a stream with their numbers (from 1), decoded; None stands for one over MAX_LINE bytes.

    Line ends are CR LF, LF or CR. A line that is valid UTF-8 is read so, any other as Latin-1: the choice is
    made line by line, since a stream cannot be looked through first. Byte order marks are dropped. Raises
    NotationError at a NUL byte: no text has one. Lines may be put back.
    """

    def __init__(self, stream: Readable, file: str | None) -> None:
        self._fresh = _numbered(stream, file)
        self._again: deque[tuple[int, str | None]] = deque()

    def __iter__(self) -> Iterator[tuple[int, str | None]]:
        return self

    def __next__(self) -> tuple[int, str | None]:
        return self._again.popleft() if self._again else next(self._fresh)

    def put_back(self, lines: list[tuple[int, str | None]]) -> None:
        """Gives `lines` again before all others."""
        self._again.extendleft(reversed(lines))


def _numbered(stream: Readable, file: str | None) -> Iterator[tuple[int, str | None]]:
    for number, line in enumerate(_split(stream, file), 1):
        if line is None:
            yield number, None
            continue
        if b"\0" in line:
            raise _not_text(file, number)
        try:
            text = line.decode()
        except UnicodeDecodeError:
            text = line.removeprefix(_UTF8_MARK).decode("latin-1")
        yield number, text.removeprefix("\ufeff")


def _not_text(file: str | None, line: int) -> NotationError:
    return NotationError("expected a text file, got a NUL byte: binary or UTF-16", file=file, line=line)


def _split(stream: Readable, file: str | None) -> Iterator[bytes | None]:
    """The lines as bytes; a line too long is dropped as it comes and given as None."""
    parts: list[bytes] = []  # of the line not ended yet
    size, held, dropping, first = 0, b"", False, True
    while chunk := as_bytes(stream.read(_CHUNK)):
        if first and (b"\0" in chunk[:_HEAD] or chunk.startswith(_UTF16_MARKS)):
            raise _not_text(file, chunk[: max(chunk[:_HEAD].find(b"\0"), 0)].count(b"\n") + 1)
        first = False
        data = held + chunk
        held = b"\r" if data.endswith(b"\r") else b""  # its LF may open the next chunk
        ends = data[: len(data) - len(held)].replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        last = ends.pop()
        for end in ends:
            size += len(end)
            yield None if dropping or size > MAX_LINE else b"".join([*parts, end])
            parts, size, dropping = [], 0, False
        parts.append(last)
        size += len(last)
        if size > MAX_LINE:
            parts, size, dropping = [], 0, True
    if any(parts) or held or dropping:
        yield None if dropping else b"".join(parts)


def too_long(file: str | None, line: int, game: int) -> NotationError:
    """The error for a line over MAX_LINE bytes."""
    return NotationError(
        f"expected lines of at most {MAX_LINE} bytes, got a longer one", file=file, line=line, game=game
    )


@contextmanager
def written(target: Source) -> Iterator[Callable[[str], object]]:
    """A function that writes text as UTF-8 to a path or an open stream.

    A path is written under a temporary name beside it and renamed when all went well, so that no file is ever
    half there; a path that is not an ordinary file (a pipe, /dev/stdout) is written straight. Raises OSError.
    """
    if not isinstance(target, str | os.PathLike):
        if not hasattr(target, "write"):
            msg = f"expected a path or an open stream to write to, got {target!r}"
            raise NotationError(msg)
        yield _writer(target)
        return
    with whole_file(target) as temporary, open(temporary, "wb") as stream:
        yield _writer(stream)


@contextmanager
def whole_file(target: str | os.PathLike[str]) -> Iterator[str]:
    """A temporary name beside `target` to write under, renamed to it when all went well and else removed.

    A file that was there keeps its permissions; a path that is no ordinary file (a pipe, /dev/null) is given
    as it is. OSErrors that writing meets name `target`, not the temporary file.
    """
    path = os.path.realpath(target)
    special = os.path.exists(path) and not os.path.isfile(path)
    folder, name = os.path.split(path)
    temporary = path if special else os.path.join(folder, f".{name[:100]}.{os.getpid()}.tmp")
    try:
        if not special:
            with open(temporary, "wb"):
                pass
            if os.path.exists(path):
                shutil.copymode(path, temporary)
        yield temporary
        if not special:
            os.replace(temporary, path)
    except BaseException as error:
        if not special:
            with suppress(OSError):
                os.unlink(temporary)
        ours = isinstance(error, OSError) and (error.filename == temporary or _no_room(error))
        if isinstance(error, OSError) and ours:
            raise OSError(error.errno, error.strerror, os.fspath(target)) from None
        raise


def _no_room(error: OSError) -> bool:
    """Whether writing failed for want of room, which no call that fails so names a file for."""
    return error.filename is None and error.errno in (ENOSPC, EDQUOT, EFBIG)


def _writer(stream: Any) -> Callable[[str], object]:
    if isinstance(stream, io.TextIOBase):
        return stream.write
    return lambda text: stream.write(text.encode())


def cut(text: str) -> str:
    """The start of a text in quotes, for a message."""
    text = text.strip()
    return repr(text if len(text) <= 40 else text[:37] + "...")
