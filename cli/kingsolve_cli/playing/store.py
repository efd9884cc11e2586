"""What is kept between games: matches, at every card, and how the last settings were.

A match is a file of its own, `unfinished/DAY-VARIANT-ID.json`, that goes to `matches/` at its end: a record
that `kingsolve score` and `kingsolve review` read.
"""

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

from kingsolve import KingError, Match, Variant, load_variant
from kingsolve._match_json import check_rules
from kingsolve.statistics import Outcome, Record, Statistics

from ..folder import data_folder, statistics_path
from .session import YOU, Session


class Store:
    """The files of one user. Nothing is made before something is saved."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or data_folder()
        self.statistics = Statistics(self.folder / "statistics.json" if folder else statistics_path())

    # --- matches ---

    def save(self, session: Session) -> None:
        """Writes the match as it stands; OSError where it cannot be written, KingError, with nothing written,
        where the file is not as this session left it: another game has gone on with the match."""
        path, text = self._path(session, "unfinished"), session.to_json() + "\n"
        if session.saved is not None and (not path.exists() or path.read_bytes() != session.saved):
            msg = "expected the match as it was saved last, got another or none: it is played elsewhere too"
            msg = f"{path}: {msg}"
            raise KingError(msg)
        write_whole(path, text)
        session.saved = text.encode()

    def finish(self, session: Session) -> Path:
        """Puts a finished match among the others; its file. OSError where that cannot be done."""
        path = self._path(session, "matches")
        write_whole(path, session.to_json() + "\n")
        with suppress(FileNotFoundError):
            self._path(session, "unfinished").unlink()
        return path

    def count(self, session: Session) -> Record:
        """Counts a finished match; the record it belongs to. OSError, KingError where that cannot be done."""
        day = date.today().isoformat()
        outcome = Outcome.of(session.match, YOU, id=session.id, level=session.level, day=day)
        return self.statistics.add(outcome)

    def latest(self, *, strict: bool = False) -> tuple[Session | None, list[str]]:
        """The unfinished match saved last, None where there is none, and what is wrong with newer ones.

        A file that is no match is set aside; one whose rules have changed, or are not to be found, is left,
        and a KingError when `strict`.
        """
        said: list[str] = []
        for path in self._unfinished():
            try:
                return self._read(path), said
            except (KingError, OSError, ValueError) as error:
                said.append(f"{path.name}: {' '.join(str(error).split())}")
                if isinstance(error, _Damaged):
                    with suppress(OSError):
                        path.rename(path.with_suffix(".damaged"))
                        said[-1] += " (set aside)"
                elif strict:
                    raise KingError("; ".join(said)) from None
        return None, said

    def _unfinished(self) -> list[Path]:
        """The saved matches, the last one first."""
        found = []
        with suppress(OSError):
            for path in (self.folder / "unfinished").glob("*.json"):
                with suppress(OSError):
                    found.append((path.stat().st_mtime_ns, path))
        return [path for _, path in sorted(found, reverse=True)]

    def _read(self, path: Path) -> Session:
        text = path.read_bytes()
        try:
            data = json.loads(text)
            notes: Mapping[str, Any] = data["notes"]
            rules = notes.get("rules")
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            msg = "expected a saved match, got something else"
            raise _Damaged(msg) from None
        variant = load_variant(rules) if isinstance(rules, str) else None
        if variant is not None:
            check_rules(data, variant)
        session = Session(Match.from_json(text, variant=variant))
        session.saved = text
        return session

    def _path(self, session: Session, folder: str) -> Path:
        begun = str(session.match.notes.setdefault("begun", date.today().isoformat()))
        return self.folder / folder / f"{begun}-{session.variant.id}-{session.id[:12]}.json"

    # --- settings ---

    def settings(self) -> dict[str, Any]:
        """The settings of the last time; none where there are none, or they cannot be read."""
        with suppress(OSError, ValueError, RecursionError):
            data = json.loads((self.folder / "settings.json").read_bytes())
            if isinstance(data, dict):
                return data
        return {}

    def keep_settings(self, settings: Mapping[str, Any]) -> None:
        """Keeps them for the next time, where that can be done."""
        with suppress(OSError):
            write_whole(self.folder / "settings.json", json.dumps(settings, ensure_ascii=False) + "\n")

    def record(self, level: str, variant: Variant) -> tuple[Record, str]:
        """How matches of a level and variant ended, and what is to be said of the file, mostly nothing."""
        try:
            record = self.statistics.record(level, variant.id)
        except (KingError, OSError) as error:
            return Record(level=level, variant=variant.id), f"no statistics: {error}"
        aside = self.statistics.set_aside
        return record, f"damaged statistics set aside: {aside.name}" if aside is not None else ""


class _Damaged(KingError):
    """A file that is no match at all."""


def write_whole(path: Path, text: str) -> None:
    """Writes a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_text(text, encoding="utf-8")
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
