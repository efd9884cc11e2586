"""PBN 2.1 import (T. Veugen, "Portable Bridge Notation", 2017, chapters 2, 3 and 4.8), as a stream of games.

The reader takes what people and programs write: see `read_pbn`. It keeps no more than one game, and looks at
each character a bounded number of times, whatever the file.
"""

import json
import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ..cards import SEATS, normal_name, parse_seat
from ..deal import Deal, first_seat, parse_deal
from ..errors import CardError, KingError, NotationError
from .game import Game, PlayRecord, Settler, VariantLike, Warning, with_order
from .lines import MAX_LINE, Lines, OnError, Source, cut, opened, too_long
from .pbn_play import play_record

MANDATORY = (
    "Event Site Date Board West North East South Dealer Vulnerable Deal Scoring Declarer Contract Result"
).split()
"""The Mandatory Tag Set in its order (PBN 2.1, 3.4)."""
NEVER_INHERITED = frozenset("Dealer Vulnerable Deal Declarer Contract Auction Play Note".split())
"""The tags for which `#` and `##` are forbidden (PBN 2.1, 4.8)."""
KING_TAGS = ("KingVariant", "KingContract", "KingLeader", "KingScores", "KingDealt", "KingSeed")
ESCAPE = "%KING "
_LINE_COST = 128
"""Bytes that a line held back takes beside its text."""
_STARTERS = frozenset(("Event", "Board", "Deal"))
_BY_LOWER = {name.lower(): name for name in (*MANDATORY, *KING_TAGS, "Auction", "Play", "Note")}

_SIMPLE = re.compile(r'\[([A-Za-z]\w*)[ \t]+"([^"\\]*)"\]\s*', re.ASCII)
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_STRING = re.compile(r'"((?:[^"\\]++|\\.)*+)"')
_SPECIAL = re.compile(r'[\[;{"]')
_TAG_LIKE = re.compile(r'\[\s*[A-Za-z]\w*\s*"', re.ASCII)
_TAG_ALONE = re.compile(r"\s*\[\s*(?:[A-Z]\w*\s*)?", re.ASCII)
_SPACE = re.compile(r"\s*")
_ESCAPED = re.compile(r'(\w+) ("(?:[^"\\]++|\\.)*+")\s*', re.ASCII)


def read_pbn(
    source: Source,
    *,
    variant: VariantLike = None,
    contract: str | None = None,
    on_error: OnError | None = None,
) -> Iterator[Game]:
    """The games of a PBN file, one after another, from a path or an open binary or text stream.

    `variant` (Variant, id or path) holds for all of them; without it each game's is found as `variant_of`
    says. `contract` is the name that recorded rounds are taken for, whatever contract a game names; where its
    variant has none of that name, the game has no round. A faulty game raises one NotationError with file,
    line and game number; with `on_error` the error is handed to it instead and reading goes on with the next
    game. A block without a Deal tag is a game whose deal is None; text outside of games is passed over. Where
    the standard is broken but the meaning is plain (a tag twice, a bracket missing), the game has a warning.
    Raises OSError for a path that cannot be opened.
    """
    settler = Settler(variant, contract)
    with opened(source) as (stream, file):
        reader = _Reader(Lines(stream, file), file, settler)
        for result in reader.results():
            if isinstance(result, Game):
                yield result
            elif on_error is None:
                raise result
            else:
                on_error(result)


@dataclass
class _Draft:
    """A game being read."""

    number: int
    line: int
    tags: dict[str, str] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    sections: dict[str, list[str]] = field(default_factory=dict)
    escaped: dict[str, list[str]] = field(default_factory=dict)
    section: str | None = None
    played: list[tuple[str, int]] = field(default_factory=list)
    warnings: list[Warning] = field(default_factory=list)
    error: NotationError | None = None
    size: int = 0


@dataclass
class _Tag:
    """A tag whose closing bracket has not come yet."""

    line: int
    name: str | None = None
    value: str | None = None


class _Inheritance:
    """The tag values that `#` and `##` refer back to (PBN 2.1, 4.8)."""

    def __init__(self) -> None:
        self._last: dict[str, str] = {}
        self._standing: dict[str, str] = {}
        self._size = 0

    def resolve(self, name: str, value: str) -> str:
        """The value meant by `value`; remembered for the games to come."""
        standing = value.startswith("##")
        if standing:
            value = value[2:]
        elif value == "#":
            return self._last.get(name, "")
        self.remember(name, value)
        if standing or name in self._standing:
            self._standing[name] = value
        return value

    def remember(self, name: str, value: str) -> None:
        """Makes `value` the last one of `name`."""
        self._size += len(name) + len(value)
        if self._size > 2 * MAX_LINE:  # a file of nothing but new tag names: only the recent ones are kept
            self._last, self._standing, self._size = {}, {}, len(name) + len(value)
        self._last[name] = value

    def fill(self, tags: dict[str, str]) -> None:
        """Adds the values that stand for all games to `tags`, where the game has none of its own."""
        for name, value in self._standing.items():
            tags.setdefault(name, value)


class _Reader:
    """Turns lines into games and errors, in the order of the file."""

    def __init__(self, lines: Lines, file: str | None, settler: Settler) -> None:
        self._lines, self._file, self._settler = lines, file, settler
        self._done: deque[Game | NotationError] = deque()
        self._draft: _Draft | None = None
        self._tag: _Tag | None = None
        self._comment: list[tuple[int, str | None]] | None = None
        self._comment_line = self._comment_size = 0
        self._unclosed_until = 0  # no brace closes a comment opened up to this line
        self._inheritance = _Inheritance()
        self._count = 0

    def results(self) -> Iterator[Game | NotationError]:
        """Every game, or what is wrong with it; the last one is an error if the file is no text."""
        try:
            while True:
                for number, text in self._lines:
                    self._line(number, text)
                    while self._done:
                        yield self._done.popleft()
                if self._comment is None:
                    break
                self._unclosed()
        except NotationError as error:
            yield error
            return
        self._end()
        yield from self._done

    def _line(self, number: int, text: str | None) -> None:
        if self._comment is not None:
            self._in_comment(number, text)
        elif text is None:
            self._fail(too_long(self._file, number, self._begun(number).number))
        elif text.startswith("%"):
            if text.startswith(ESCAPE):
                self._escape(text)
        elif not text or text.isspace() or text == "\x1a":
            self._end()
        elif self._tag is None and (simple := _SIMPLE.fullmatch(text)):
            self._tag_read(simple[1], simple[2], number)
        else:
            self._scan(text, number, 0)

    # --- comments ---

    def _in_comment(self, number: int, text: str | None) -> None:
        comment = self._comment
        assert comment is not None
        end = text.find("}") if text is not None else -1
        if text is not None and end >= 0:
            self._comment = None
            self._scan(text, number, end + 1)
            return
        comment.append((number, text))
        self._comment_size += len(text) + _LINE_COST if text is not None else MAX_LINE + 1
        if self._comment_size > MAX_LINE:
            self._unclosed()

    def _unclosed(self) -> None:
        """A comment never closed: an error of its game, and what it swallowed is read again."""
        lines, self._comment = self._comment or [], None
        if lines:
            self._unclosed_until = lines[-1][0]
        self._fail_comment(self._comment_line)
        self._lines.put_back(lines)

    def _fail_comment(self, line: int) -> None:
        if self._draft is not None:
            self._fail(self._error("expected '}' to close the comment that opens here, got none", line))

    def _open_comment(self, text: str, number: int, at: int) -> int:
        """Passes the comment that opens at `at`; where the reading of the line goes on."""
        end = text.find("}", at)
        if end >= 0:
            return end + 1
        if number <= self._unclosed_until:
            self._fail_comment(number)
        else:
            self._comment, self._comment_line, self._comment_size = [], number, 0
        return len(text)

    # --- tags and the data between them ---

    def _scan(self, text: str, number: int, at: int) -> None:
        while at < len(text):
            if self._tag is not None:
                at = self._in_tag(self._tag, text, number, at)
            elif self._draft is None:
                at = self._outside(text, number, at)
            else:
                at = self._data(self._draft, text, number, at)

    def _outside(self, text: str, number: int, at: int) -> int:
        """Text that belongs to no game is passed over up to the first tag."""
        special = _SPECIAL.search(text, at)
        if special is None or special[0] == ";":
            return len(text)
        at = special.start()
        if special[0] == "{":
            return self._open_comment(text, number, at)
        named = _NAME.match(text, at + 1) if special[0] == "[" and not text[:at].strip() else None
        known = named is not None and named[0].lower() in _BY_LOWER
        if known or _TAG_LIKE.match(text, at) or _TAG_ALONE.fullmatch(text):
            self._tag = _Tag(number)
        return at + 1

    def _data(self, draft: _Draft, text: str, number: int, at: int) -> int:
        """Data up to the next tag or comment, kept with the tag it follows."""
        start = at
        while special := _SPECIAL.search(text, at):
            at = special.start()
            if special[0] != '"':
                break
            string = _STRING.match(text, at)
            at = string.end() if string else at + 1
        else:
            self._section(draft, text[start:], number)
            return len(text)
        self._section(draft, text[start:at], number)
        if special[0] == ";":
            return len(text)
        if special[0] == "{":
            return self._open_comment(text, number, at)
        self._tag = _Tag(number)
        return at + 1

    def _section(self, draft: _Draft, data: str, number: int) -> None:
        data = data.strip()
        if not data or draft.section is None or not self._fits(len(data), number):
            return
        if draft.section == "Play":
            draft.played.append((data, number))
        elif draft.section in MANDATORY or draft.section in KING_TAGS:
            self._warn(number, draft.section, f"expected nothing after tag {draft.section}, got {cut(data)}")
        else:
            draft.sections.setdefault(draft.section, []).append(data)

    def _in_tag(self, tag: _Tag, text: str, number: int, at: int) -> int:
        """The next token of a tag; where the reading goes on."""
        space = _SPACE.match(text, at)
        at = space.end() if space else at
        if at == len(text):
            return at
        if tag.name is None:
            name = _NAME.match(text, at)
            if not name:
                return self._broken_tag(tag, "a tag name after '['", text, number, at)
            tag.name = name[0]
            return name.end()
        if tag.value is None:
            string = _STRING.match(text, at)
            if not string:
                what = "a closing quote" if text[at] == '"' else "a value in quotes"
                return self._broken_tag(tag, f"{what} for tag {tag.name}", text, number, at)
            tag.value = string[1]
            return string.end()
        if text[at] == "]":
            at += 1
        elif text[at] == "[":
            self._bracket_missing(tag)
        else:
            what = f"a closing bracket after the value of tag {tag.name}"
            return self._broken_tag(tag, what, text, number, at)
        self._tag = None
        self._tag_read(tag.name, unescaped(tag.value), tag.line)
        return at

    def _bracket_missing(self, tag: _Tag) -> None:
        name = tag.name or ""
        self._begin_if_new(_BY_LOWER.get(name.lower(), name), tag.line)
        self._warn(tag.line, "closing bracket", f"expected a closing bracket after tag {name}, got none")

    def _broken_tag(self, tag: _Tag, expected: str, text: str, number: int, at: int) -> int:
        """An error of the game; reading goes on with a tag that opens here, else with the next line."""
        self._tag = None
        if tag.name:
            name = _BY_LOWER.get(tag.name.lower(), tag.name)
            self._begin_if_new(name, tag.line).lines.setdefault(name, tag.line)
        self._begun(number).section = None
        self._fail(self._error(f"expected {expected}, got {cut(text[at : at + 80])}", number))
        return at if text[at] == "[" else len(text)

    def _begin_if_new(self, name: str, line: int) -> _Draft:
        """The game a tag belongs to: after a Deal, a repeated Event, Board or Deal starts the next one."""
        draft = self._draft
        if draft is not None and name in _STARTERS and name in draft.lines and "Deal" in draft.lines:
            self._end()
        return self._begun(line)

    def _tag_read(self, name: str, value: str, line: int) -> None:
        given, name = name, _BY_LOWER.get(name.lower(), name)
        if name == "Note" and self._draft is not None:
            self._section(self._draft, f'[Note "{value}"]', line)
            return
        draft = self._begin_if_new(name, line)
        if given != name:
            self._warn(line, given, f"expected the tag name {name!r}, got {given!r}")
        if not self._fits(len(name) + len(value) + 32, line):
            if name in _STARTERS:
                draft.lines.setdefault(name, line)
            return
        if name in draft.lines:
            self._warn(line, name, f"expected tag {name} once, got it again: the first counts")
            draft.section = None
            return
        draft.lines[name] = line
        draft.section = name
        if value.startswith("#") and (value == "#" or value.startswith("##")):
            if name in NEVER_INHERITED - {"Deal", "Dealer", "Play"}:  # there it is an error
                self._warn(
                    line, name, f"expected tag {name} spelt out (it is never inherited), got {value!r}"
                )
                value = ""
        if name not in NEVER_INHERITED:
            value = self._inheritance.resolve(name, value)
        draft.tags[name] = value

    def _escape(self, text: str) -> None:
        """A line that gives, in pieces, the whole of a value that a PBN string cannot hold."""
        draft = self._draft
        match = _ESCAPED.fullmatch(text, len(ESCAPE))
        if draft is None or match is None or match[1] not in draft.tags or match[1] in NEVER_INHERITED:
            return
        try:
            piece = json.loads(match[2])
            piece.encode()
        except ValueError:
            return
        if self._fits(len(piece) + 32, draft.lines[match[1]]):
            draft.escaped.setdefault(match[1], []).append(piece)

    # --- games ---

    def _begun(self, line: int) -> _Draft:
        if self._draft is None:
            self._count += 1
            self._draft = _Draft(self._count, line)
        return self._draft

    def _error(self, message: str, line: int) -> NotationError:
        return NotationError(message, file=self._file, line=line, game=self._begun(line).number)

    def _fail(self, error: NotationError) -> None:
        draft = self._begun(error.line or 0)
        draft.error = draft.error or error

    def _warn(self, line: int, about: str, text: str) -> None:
        draft = self._begun(line)
        if self._fits(len(text), line):
            draft.warnings.append(Warning(line, about, text))

    def _fits(self, size: int, line: int) -> bool:
        """Whether a game may keep `size` more characters; an error of the game when not."""
        draft = self._begun(line)
        draft.size += size
        if draft.size <= MAX_LINE:
            return True
        self._fail(self._error(f"expected games of at most {MAX_LINE} characters, got a longer one", line))
        return False

    def _end(self) -> None:
        """The game is over: it, or its error, is done."""
        tag, self._tag = self._tag, None
        if tag is not None and tag.name and tag.value is not None:
            self._bracket_missing(tag)
            self._tag_read(tag.name, unescaped(tag.value), tag.line)
        elif tag is not None:
            what = f"a value in quotes for tag {tag.name}" if tag.name else "a tag name after '['"
            self._fail(self._error(f"expected {what}, got nothing", tag.line))
        draft, self._draft = self._draft, None
        if draft is None:
            return
        for name, pieces in draft.escaped.items():
            draft.tags[name] = "".join(pieces)
            self._inheritance.remember(name, draft.tags[name])
        self._inheritance.fill(draft.tags)
        if draft.error is not None:
            self._done.append(draft.error)
            return
        try:
            self._done.append(_settled(draft, self._file, self._settler))
        except NotationError as error:
            self._done.append(error)


def _settled(draft: _Draft, file: str | None, settler: Settler) -> Game:
    """The game of a draft; NotationError says what is wrong with it."""
    tags = draft.tags
    bare = Game(draft.number, draft.line, None, file=file)
    for name in ("Dealer", "KingLeader"):
        if tags.get(name, "") not in ("", "?", "-"):
            try:
                tags[name] = SEATS[parse_seat(tags[name])]
            except CardError as error:
                msg = f"tag {name}: {error}"
                raise bare.fault(msg, line=draft.lines.get(name)) from None
    deal = None
    text = tags.pop("Deal", "").strip()
    if text not in ("", "?", "-"):
        dealer = tags.get("Dealer", "")
        try:
            deal = parse_deal(text, dealer=dealer if dealer in SEATS and dealer else None)
            deal = replace(deal, dealer=deal.dealer or first_seat(text, deal.seats))
            deal = _dealt(deal, tags.get("KingDealt", ""))
        except KingError as error:
            raise bare.fault(str(error), line=draft.lines.get("Deal")) from None
    play = None
    leader = tags.pop("Play", "").strip().upper()
    if draft.played:
        play = play_record(bare, draft.played, leader, deal, draft.lines["Play"])
    elif leader in SEATS and leader:
        play = PlayRecord(leader, line=draft.lines["Play"])
    game = Game(
        draft.number,
        draft.line,
        deal,
        tags,
        None,
        tuple(draft.warnings),
        play,
        {name: tuple(lines) for name, lines in draft.sections.items()},
        file,
        draft.lines,
    )
    return settler.settle(game, draft.lines)


def _dealt(deal: Deal, text: str) -> Deal:
    """The deal with the order of dealing of tag KingDealt, `N:Qs7h.. E:..`, where there is one."""
    if not text:
        return deal
    order: dict[str, tuple[str, ...]] = {}
    for word in text.split():
        seat, _, cards = word.partition(":")
        order[seat.upper()] = tuple(normal_name(cards[i : i + 2]) for i in range(0, len(cards), 2))
    return with_order(deal, order)


def unescaped(text: str) -> str:
    r"""The characters of a PBN string: `\"` is a quote, `\\` a backslash, other backslashes stay."""
    return re.sub(r'\\(["\\])', r"\1", text) if "\\" in text else text
