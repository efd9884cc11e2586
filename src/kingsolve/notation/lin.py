"""LIN import: the `md|`, `pc|` pairs of Bridge Base hand records and vugraph files, as a stream of games."""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from ..cards import ALL_CARDS, RANKS, SEATS, pack_mask, parse_card
from ..deal import Deal
from ..errors import DealError, KingError, NotationError
from .game import Game, PlayRecord, Settler, VariantLike, Warning
from .lines import MAX_LINE, Lines, OnError, Source, cut, opened, too_long

_TAG = re.compile(r"[a-z][a-z0-9]{0,2}", re.ASCII)
_LINE_START = re.compile(
    r"\s*(?:ah|an|bn|bt|fp|kc|kf|mb|mc|md|mn|mp|nt|pc|pf|pg|pn|pw|qx|rh|rs|st|sv|tu|up|vg)\|", re.IGNORECASE
)
_HAND_ORDER = (2, 3, 0, 1)
"""The seats of the hands and names, S W N E, as seat numbers; the dealer's digit counts them from 1."""
_NAME_TAGS = ("South", "West", "North", "East")
_VULNERABLE = {"o": "None", "0": "None", "n": "NS", "e": "EW", "b": "All"}
_ROOMS = {"o": "Open", "c": "Closed"}
_PACKS = {8: "7-A", 13: "2-A"}


def read_lin(
    source: Source,
    *,
    variant: VariantLike = None,
    contract: str | None = None,
    on_error: OnError | None = None,
) -> Iterator[Game]:
    """The games of a LIN file, hand records and vugraph alike, from a path or an open stream.

    A hand left empty beside three known ones is the rest of the pack where that comes out even: 32 cards for
    hands of 8, 52 for hands of 13, or the pack of `variant`; any other empty hand is unknown. Names, board,
    room and vulnerability become PBN tags; the cards are in the order of play; bids, alerts and chat are
    passed over. Errors, `variant`, `contract` and `on_error` are as with `read_pbn`.
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
    dealt: tuple[str, int] | None = None
    played: list[tuple[str, int]] = field(default_factory=list)
    error: NotationError | None = None
    size: int = 0


class _Reader:
    """Turns the pairs `tag|value|` into games and errors."""

    def __init__(self, lines: Lines, file: str | None, settler: Settler) -> None:
        self._lines, self._file, self._settler = lines, file, settler
        self._done: deque[Game | NotationError] = deque()
        self._draft: _Draft | None = None
        self._tag: str | None = None
        self._value: list[str] = []
        self._size = self._tag_line = self._count = 0
        self._event, self._names = "", [""] * 4

    def results(self) -> Iterator[Game | NotationError]:
        """Every game, or what is wrong with it; the last one is an error if the file is no text."""
        try:
            for number, text in self._lines:
                self._line(number, text)
                while self._done:
                    yield self._done.popleft()
        except NotationError as error:
            yield error
            return
        self._close_value()
        self._end()
        yield from self._done

    def _line(self, number: int, text: str | None) -> None:
        if text is None:
            self._tag, self._value = None, []
            self._end_dealt()
            self._fail(too_long(self._file, number, self._begun(number).number))
            return
        if self._tag is not None and _LINE_START.match(text):
            self._close_value()  # a value whose bar is missing ends with its line
        *pieces, rest = text.split("|")
        for piece in pieces:
            if self._tag is not None:
                self._value.append(piece)
                self._close_value()
            elif _TAG.fullmatch(tag := piece.strip().lower()):
                self._tag, self._tag_line, self._size = tag, number, 0
            else:
                self._junk(piece, number)
                return
        if self._tag is not None:
            self._value.append(rest + "\n")
            self._size += len(rest) + 1
            if self._size > MAX_LINE:
                self._tag, self._value = None, []
                self._fail(
                    self._error(f"expected values of at most {MAX_LINE} characters, got a longer one", number)
                )
        elif rest.strip("\x1a \t"):
            self._junk(rest, number)

    def _end_dealt(self) -> None:
        """A deal read so far is not lost to what follows it."""
        if self._draft is not None and self._draft.dealt is not None:
            self._end()

    def _junk(self, text: str, number: int) -> None:
        self._end_dealt()
        self._fail(self._error(f"expected a LIN tag such as 'md|', got {cut(text)}", number))

    def _close_value(self) -> None:
        if self._tag is not None:
            tag, value = self._tag, "".join(self._value).strip()
            self._tag, self._value = None, []
            self._pair(tag, value, self._tag_line)

    def _pair(self, tag: str, value: str, line: int) -> None:
        if tag == "vg":
            self._event = value.split(",")[0].strip()
        elif tag == "pn":
            self._end_dealt()
            self._names = [name.strip() for name in value.split(",")][:8]
        elif tag == "qx":
            self._end()
            self._room(self._begun(line), value)
        elif tag == "md":
            self._end_dealt()
            self._begun(line).dealt = (value, line)
        elif self._draft is not None:
            self._more(self._draft, tag, value, line)

    def _room(self, draft: _Draft, value: str) -> None:
        """A vugraph board: `o7` is board 7 in the open room."""
        room, board = value[:1].lower(), value[1:].split(",")[0].strip()
        if room in _ROOMS and board:
            draft.tags |= {"Room": _ROOMS[room], "Board": board}

    def _more(self, draft: _Draft, tag: str, value: str, line: int) -> None:
        if tag not in ("ah", "sv", "pc"):
            return
        draft.size += len(value) + 32
        if draft.size > MAX_LINE:
            self._fail(
                self._error(f"expected games of at most {MAX_LINE} characters, got a longer one", line)
            )
        elif tag == "ah" and value:
            draft.tags["Board"] = re.sub(r"(?i)^board\s+", "", value)
        elif tag == "sv" and value:
            draft.tags["Vulnerable"] = _VULNERABLE.get(value.lower(), value)
        elif tag == "pc" and value:
            draft.played.append((value, line))

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

    def _end(self) -> None:
        draft, self._draft = self._draft, None
        if draft is None:
            return
        if draft.error is not None:
            self._done.append(draft.error)
            return
        names = (
            self._names[4:] if draft.tags.get("Room") == "Closed" and len(self._names) == 8 else self._names
        )
        draft.tags |= {tag: name for tag, name in zip(_NAME_TAGS, names, strict=False) if name}
        if self._event:
            draft.tags["Event"] = self._event
        try:
            self._done.append(_settled(draft, self._file, self._settler))
        except NotationError as error:
            self._done.append(error)


def _settled(draft: _Draft, file: str | None, settler: Settler) -> Game:
    """The game of a draft; NotationError says what is wrong with it."""
    game = Game(draft.number, draft.line, None, draft.tags, file=file)
    warnings: list[Warning] = []
    if draft.dealt is None:
        return game
    text, line = draft.dealt
    try:
        deal = _deal(text, settler.given_pack())
    except KingError as error:
        msg = f"md: {error}"
        raise game.fault(msg, line=line) from None
    if deal.dealer is not None:
        draft.tags["Dealer"] = deal.dealer
    if sum(hand is not None for hand in deal.hands) == 3:
        missing = SEATS[deal.hands.index(None)]
        warnings.append(Warning(line, missing, f"expected four hands, got none for {missing}: left unknown"))
    cards = []
    for name, at in draft.played:
        try:
            bit = parse_card(name[1:] + name[:1])
        except KingError:
            msg = f"pc: expected a card such as 'SK', got {name!r}"
            raise game.fault(msg, line=at) from None
        cards.append((bit, at))
    play = None
    if cards:
        bit, at = cards[0]
        owners = [SEATS[i] for i, hand in enumerate(deal.hands) if hand is not None and hand >> bit & 1]
        names = {bit: name for name, bit in ALL_CARDS.items()}
        play = PlayRecord(
            owners[0] if owners else None,
            cards=tuple(names[bit] for bit, _ in cards),
            line=at,
            lines=(tuple(at for _, at in cards),),
        )
    game = Game(draft.number, draft.line, deal, draft.tags, None, tuple(warnings), play, file=file)
    return settler.settle(game, {"Deal": line})


def _deal(text: str, pack: int | None) -> Deal:
    """The deal of an `md` value: the dealer's digit, then hands S, W, N, E; KingError when it is none."""
    digit, hands_text = (text[:1], text[1:]) if text[:1].isdigit() else ("", text)
    if digit not in ("", "0", "1", "2", "3", "4"):
        msg = f"expected a dealer from 1 (S) to 4 (E), got {digit!r}"
        raise DealError(msg)
    texts = hands_text.split(",")
    if len(texts) > 4 and not "".join(texts[4:]).strip():
        texts = texts[:4]
    if len(texts) > 4:
        msg = f"expected four hands, got {len(texts)}"
        raise DealError(msg)
    hands: list[int | None] = [None] * 4
    for seat, hand in zip(_HAND_ORDER, texts, strict=False):
        hands[seat] = _hand(hand.strip(), SEATS[seat])
    dealer = SEATS[_HAND_ORDER[int(digit) - 1]] if digit in ("1", "2", "3", "4") and digit else None
    if hands.count(None) == 1:
        hands[hands.index(None)] = _rest(hands, pack)
    return Deal(tuple(hands), dealer)


def _hand(text: str, seat: str) -> int | None:
    """The mask of `SAK9HDKTCAK9`: suit letters before their ranks; None for no text at all."""
    if not text:
        return None
    mask, suit = 0, ""
    for char in text.upper().replace("10", "T"):
        if char in "SHDC":
            suit = char.lower()
        elif not suit or char not in RANKS:
            msg = f"hand {seat}: expected a suit S H D C and ranks {RANKS[::-1]!r}, got {char!r} in {text!r}"
            raise DealError(msg)
        else:
            bit = 1 << ALL_CARDS[char + suit]
            if mask & bit:
                msg = f"hand {seat}: expected each card once, got {char + suit!r} twice in {text!r}"
                raise DealError(msg)
            mask |= bit
    return mask


def _rest(hands: list[int | None], pack: int | None) -> int | None:
    """The fourth hand, where the pack leaves exactly one of the size of the others; None otherwise."""
    known = [hand for hand in hands if hand is not None]
    size = known[0].bit_count()
    if pack is None and size in _PACKS:
        pack = pack_mask(_PACKS[size])
    held = known[0] | known[1] | known[2]
    if pack is None or held & ~pack or any(hand.bit_count() != size for hand in known):
        return None
    rest = pack & ~held
    return rest if rest.bit_count() == size else None
