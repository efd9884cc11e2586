"""How a person's matches ended, by level and variant, in one small file that survives crashes and company.

The file is JSON with a version, written whole under a temporary name and renamed, under a lock, so that two
programs at once lose nothing. A match counts once, whoever asks twice. A damaged file is set aside, never
overwritten. Who shares the highest total has drawn (Seed 002, Winning).
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from .cards import SEATS
from .errors import KingError
from .match import Match

FORMAT, VERSION = "kingsolve statistics", 1
_REMEMBERED = 200
"""Matches whose ids are kept, so that none of the last ones counts twice."""


class StatisticsError(KingError):
    """A file of statistics that cannot be read or written, though it is not damaged."""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """How a finished match ended for one seat; points are signed."""

    id: str
    """The same for the same match, whenever it is counted."""
    level: str
    variant: str
    place: int
    """1 for the highest total; equals share it."""
    shared: bool
    """Whether another seat has the same total."""
    total: int
    penalty: int
    """Points of the rounds whose contract costs."""
    positive: int
    """Points of the rounds whose contract pays."""
    day: str
    """When it ended, as 2026-11-30."""

    @classmethod
    def of(cls, match: Match, seat: str, *, id: str, level: str, day: str) -> "Outcome":
        """The outcome of a match for `seat`; KingError when the match is not over."""
        if not match.is_over:
            msg = f"expected a match that is over, got one in round {match.number} of {match.plan.rounds}"
            raise StatisticsError(msg)
        at = SEATS.index(seat)
        total = match.totals[at]
        penalty = sum(result.scores[at] for result in match.results if result.contract.total < 0)
        return cls(
            id=id,
            level=level,
            variant=match.variant.id,
            place=match.places[at],
            shared=match.totals.count(total) > 1,
            total=total,
            penalty=penalty,
            positive=total - penalty,
            day=day,
        )


@dataclass(frozen=True, kw_only=True)
class Record:
    """All matches of one level and variant. Points are signed sums."""

    level: str
    variant: str
    won: int = 0
    drawn: int = 0
    lost: int = 0
    places: tuple[int, ...] = (0, 0, 0, 0)
    """How often each place, the first first."""
    points: int = 0
    penalty: int = 0
    positive: int = 0
    best: int | None = None
    """The highest total of a match; None before the first."""
    worst: int | None = None
    streak: int = 0
    """Matches won in a row, the last one included."""
    longest: int = 0
    """The most matches won in a row."""
    day: str = ""
    """When the last match ended."""

    @property
    def played(self) -> int:
        """How many matches."""
        return self.won + self.drawn + self.lost

    @property
    def mean(self) -> float | None:
        """Points of a match on average; None before the first."""
        return self.points / self.played if self.played else None

    def with_outcome(self, outcome: Outcome) -> "Record":
        """The record with one match more."""
        won, drawn = outcome.place == 1 and not outcome.shared, outcome.place == 1 and outcome.shared
        streak = self.streak + 1 if won else 0
        places = list(self.places)
        places[outcome.place - 1] += 1
        return replace(
            self,
            won=self.won + won,
            drawn=self.drawn + drawn,
            lost=self.lost + (outcome.place > 1),
            places=tuple(places),
            points=self.points + outcome.total,
            penalty=self.penalty + outcome.penalty,
            positive=self.positive + outcome.positive,
            best=outcome.total if self.best is None else max(self.best, outcome.total),
            worst=outcome.total if self.worst is None else min(self.worst, outcome.total),
            streak=streak,
            longest=max(self.longest, streak),
            day=outcome.day,
        )


@dataclass(frozen=True)
class _Book:
    """What the file holds."""

    records: tuple[Record, ...] = ()
    counted: tuple[str, ...] = ()

    def to_json(self) -> str:
        """The whole file."""
        data = {
            "format": FORMAT,
            "version": VERSION,
            "records": [asdict(record) for record in self.records],
            "counted": list(self.counted),
        }
        return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


class Statistics:
    """The statistics in the file at `path`, which need not be there; every call reads it anew."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.set_aside: Path | None = None
        """Where a damaged file was moved by the last call; None when it was in order."""

    def records(self) -> tuple[Record, ...]:
        """The records in the order of their first match; none where there is no file.

        A damaged file is moved aside, and `set_aside` says where to. Raises StatisticsError for a file of a
        later version, OSError for one that cannot be read.
        """
        return self._look().records

    def record(self, level: str, variant: str) -> Record:
        """The record of a level and variant, an empty one before the first match; as `records`."""
        return _found(self.records(), level, variant)

    def add(self, outcome: Outcome) -> Record:
        """Counts a match and returns the record it belongs to; one that was counted before changes nothing.

        As `records`; OSError too where the file cannot be written.
        """
        with self._locked():
            book = self._read()
            record = _found(book.records, outcome.level, outcome.variant)
            if outcome.id in book.counted:
                return record
            after = record.with_outcome(outcome)
            known = [other for other in book.records if other != record]
            at = book.records.index(record) if record in book.records else len(known)
            known.insert(at, after)
            self._write(_Book(tuple(known), (*book.counted, outcome.id)[-_REMEMBERED:]))
            return after

    def reset(self) -> Path | None:
        """Begins anew; where the old file was moved to, None when there was none. OSError as `add`."""
        if not self.path.exists():
            return None
        with self._locked():
            return self._move("old")

    def text(self) -> str:
        """The whole file as text, for export; as `records`."""
        return self._look().to_json()

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Keeps other writers out; where the folder is not there yet, it is made."""
        import fcntl

        self.set_aside = None
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with open(self.path.with_name(f"{self.path.name}.lock"), "ab") as lock:
            with suppress(OSError):  # a file system without locks: better counted than refused
                fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _look(self) -> _Book:
        """What the file holds: no lock is needed, since it is renamed into place, unless it is damaged."""
        self.set_aside = None
        book = self._parsed()
        if book is not None:
            return book
        with self._locked():
            return self._read()

    def _read(self) -> _Book:
        """What the file holds, under the lock; a damaged one is set aside."""
        book = self._parsed()
        if book is None:
            self.set_aside = self._move("damaged")
        return book or _Book()

    def _parsed(self) -> _Book | None:
        """What the file holds, None where it is damaged."""
        try:
            return _book_of(json.loads(self.path.read_bytes()))
        except FileNotFoundError:
            return _Book()
        except StatisticsError:
            raise
        except (ValueError, TypeError, KeyError, RecursionError):
            return None

    def _move(self, why: str) -> Path:
        """Renames the file to the first free name that says why."""
        number = 1
        while (target := self.path.with_name(f"{self.path.stem}.{why}-{number}.json")).exists():
            number += 1
        self.path.rename(target)
        return target

    def _write(self, book: _Book) -> None:
        temporary = self.path.with_name(f".{self.path.name}.{os.getpid()}.tmp")
        try:
            with open(temporary, "w", encoding="utf-8") as stream:
                stream.write(book.to_json())
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(temporary, self.path)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise


def _found(records: tuple[Record, ...], level: str, variant: str) -> Record:
    same = (record for record in records if (record.level, record.variant) == (level, variant))
    return next(same, Record(level=level, variant=variant))


def _book_of(data: Any) -> _Book:
    """The file's JSON as values; ValueError, TypeError or KeyError for what is damaged."""
    if data["format"] != FORMAT or type(data["version"]) is not int:
        msg = "another format"
        raise ValueError(msg)
    if data["version"] > VERSION:
        msg = f"expected statistics of version {VERSION}, got version {data['version']}: of a later kingsolve"
        raise StatisticsError(msg)
    counted = data["counted"]
    if not isinstance(counted, list) or not all(isinstance(id, str) for id in counted):
        msg = "ids that are none"
        raise ValueError(msg)
    return _Book(tuple(map(_record_of, data["records"])), tuple(counted))


_TEXTS = ("level", "variant", "day")
_OPTIONAL = ("best", "worst")
_SIGNED = ("points", "penalty", "positive", *_OPTIONAL)


def _record_of(data: dict[str, Any]) -> Record:
    """A record; ValueError, TypeError or KeyError for what is damaged."""
    names = {field.name for field in fields(Record)}
    if set(data) != names:
        msg = "other keys"
        raise ValueError(msg)
    for name, value in data.items():
        if name in _TEXTS:
            good = isinstance(value, str)
        elif name == "places":
            good = len(value) == 4 and all(type(count) is int and count >= 0 for count in value)
        else:
            good = (value is None and name in _OPTIONAL) or (
                type(value) is int and (value >= 0 or name in _SIGNED)
            )
        if not good:
            msg = f"{name}: {value!r}"
            raise ValueError(msg)
    record = Record(**{**data, "places": tuple(data["places"])})
    if sum(record.places) != record.played:
        msg = "places that do not add up"
        raise ValueError(msg)
    return record
