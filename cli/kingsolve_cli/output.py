"""Where results go: standard output as they come, or a file that is there whole or not at all."""

import csv
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import IO, Any


@contextmanager
def text_output(path: str | None) -> Iterator[IO[str]]:
    """A text stream to write to: stdout for None or `-`, else a file that takes its name only at the end."""
    if path in (None, "-"):
        yield sys.stdout
        return
    assert path is not None
    with file_output(path) as temporary, open(temporary, "w", encoding="utf-8", newline="") as stream:
        yield stream


@contextmanager
def file_output(path: str) -> Iterator[str]:
    """As `whole_file`, which comes in only where a file is written."""
    from kingsolve.notation.lines import whole_file

    with whole_file(path) as temporary:
        yield temporary


def write_json(stream: IO[str], record: Mapping[str, Any]) -> None:
    """One object on a line of its own, letters as they are, written at once for who reads along."""
    stream.write(json.dumps(record, ensure_ascii=not _unicode(stream)) + "\n")


def _unicode(stream: IO[str]) -> bool:
    return (getattr(stream, "encoding", None) or "utf-8").lower().replace("-", "") == "utf8"


def write_csv(stream: IO[str], rows: Sequence[Mapping[str, object]], *, header: bool) -> None:
    """Rows that all have the keys of the first, separated by commas, with a header if asked for."""
    if not rows:
        return
    writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
    if header:
        writer.writeheader()
    writer.writerows(rows)
