"""PBN 2.1 export: the fixed form that every PBN reader takes (PBN 2.1, chapters 2.1, 2.3, 3.4 and 3.6)."""

import json
import re
from collections.abc import Iterable, Iterator

from ..cards import ALL_CARDS, SEATS
from ..deal import Deal
from ..errors import KingError
from ..rounds import Round
from .game import Game, only_games, scores_text, winner
from .lines import Source, written
from .pbn import ESCAPE, MANDATORY, NEVER_INHERITED

MAX_BYTES = 252
"""Bytes of a line before its CR LF: the whole stays under 255, whoever counts the line end."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_END = "\r\n"


def write_pbn(games: Iterable[Game], target: Source) -> None:
    """Writes games in PBN export format to a path or an open stream; `read_pbn` gives the same games back.

    The mandatory tags stand in the standard's order, empty where the game has none (Declarer and Contract
    always are in a round of King); then the other tags by name, the Play section in fixed columns, other
    sections; CR LF, every line under 255 bytes, UTF-8. A round adds KingVariant, KingContract, KingLeader
    and, when it is complete and legal, KingScores. A value that no PBN string can hold (too long, control
    characters, a leading `#`) stands as near as can be in its tag, and whole in `%KING` lines after it, which
    other programs skip.

    A path is written under a temporary name and renamed at the end. Raises NotationError for a tag whose name
    is none in PBN or whose section data cannot be written, OSError for a path that cannot be.
    """
    with written(target) as write:
        write(f"% PBN 2.1{_END}% EXPORT{_END}")
        for i, game in enumerate(only_games(games)):
            write((_END if i else "") + "".join(line + _END for line in game_lines(game)))


def game_lines(game: Game) -> Iterator[str]:
    """The lines of one game in export format, without line ends."""
    tags = {**dict.fromkeys(MANDATORY, ""), **game.tags, **_king_tags(game)}
    tags.pop("Play", None)
    deal = game.deal
    tags["Deal"] = deal.pbn(_first_seat(deal)) if deal is not None else ""
    if deal is not None and deal.dealer and not tags["Dealer"]:
        tags["Dealer"] = deal.dealer
    with_data = [name for name in game.sections if name not in MANDATORY]
    for name in [*MANDATORY, *sorted(tags.keys() - {*MANDATORY, *with_data})]:
        yield from _tag_lines(game, name, tags[name])
    if "Auction" in with_data:  # the standard's order: auction, play, the other sections by name
        yield from _section_lines(game, "Auction", tags)
    yield from _play_lines(game)
    for name in sorted(with_data):
        if name != "Auction":
            yield from _section_lines(game, name, tags)


def _first_seat(deal: Deal) -> str:
    """The seat the deal is written from: the dealer's (PBN 2.1, 3.4.11), else N."""
    return deal.dealer if deal.dealer and deal.dealer in SEATS else "N"


def _king_tags(game: Game) -> dict[str, str]:
    """The tags that a round of King, and a recorded order of dealing, add."""
    tags: dict[str, str] = {}
    if game.deal is not None and game.deal.order is not None:
        order = zip(SEATS, game.deal.order, strict=False)
        tags["KingDealt"] = " ".join(f"{seat}:{''.join(cards)}" for seat, cards in order)
    played = game.round
    if played is None:
        return tags
    tags |= {"Declarer": "", "Contract": ""}
    tags["KingVariant"] = played.contract.variant
    tags["KingContract"] = played.contract.name
    tags["KingLeader"] = played.leader
    if not game.tags.get("KingScores") and played.cards:
        scores = final_scores(played)
        if scores is not None:
            tags["KingScores"] = scores_text(scores)
    return tags


def final_scores(played: Round) -> tuple[int, ...] | None:
    """The points of a complete and legal round in seat order, None for any other."""
    try:
        position = played.position()
    except KingError:
        return None
    return position.banked if position.is_over else None


def _tag_lines(game: Game, name: str, value: str) -> Iterator[str]:
    if not _NAME.fullmatch(name):
        msg = f"expected a tag name of letters, digits and underscores, got {name!r}"
        raise game.fault(msg)
    whole = value
    value = _UNPRINTABLE.sub(" ", value)
    if name not in NEVER_INHERITED and (value == "#" or value.startswith("##")):
        value = " " + value
    line = f'[{name} "{escaped(value, name)}"]'
    while len(line.encode()) > MAX_BYTES:
        value = value[: len(value) - max(1, (len(line.encode()) - MAX_BYTES) // 4)]
        line = f'[{name} "{escaped(value, name)}"]'
    yield line
    if value == whole:
        return
    if name in NEVER_INHERITED:
        msg = f"expected tag {name} as one line of printing characters, got {whole!r}"
        raise game.fault(msg)
    piece = ""
    for char in whole:
        if len(ESCAPE) + len(name) + 1 + len(json.dumps(piece + char)) > MAX_BYTES:
            yield f"{ESCAPE}{name} {json.dumps(piece)}"
            piece = ""
        piece += char
    yield f"{ESCAPE}{name} {json.dumps(piece)}"


def escaped(value: str, name: str = "") -> str:
    r"""The value as it stands between the quotes of a PBN string.

    In tables' column names the backslash is the standard's own sign (PBN 2.1, 5.2) and is left single.

    >>> print(escaped('the "Old" C:\\'))
    the \"Old\" C:\\
    """
    if name.endswith("Table"):
        return re.sub(r'\\(?=[\\"]|$)|"', lambda match: "\\" + match[0], value)
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _section_lines(game: Game, name: str, tags: dict[str, str]) -> Iterator[str]:
    yield from _tag_lines(game, name, tags.get(name, ""))
    for text in game.sections[name]:
        if text.startswith('[Note "') and text.endswith('"]'):
            yield from _tag_lines(game, "Note", text[len('[Note "') : -2])
            continue
        while len(text.encode()) > MAX_BYTES:
            at = text.rfind(" ", 0, MAX_BYTES // 4)
            if at <= 0:
                msg = f"expected section {name} in lines of {MAX_BYTES} bytes, got a longer word"
                raise game.fault(msg)
            yield text[:at]
            text = text[at + 1 :]
        yield f" {text}" if text.startswith("%") else text


def _play_lines(game: Game) -> Iterator[str]:
    found = _rows(game)
    if found is None:
        return
    leader, rows = found
    yield f'[Play "{leader}"]'
    for row in rows:
        yield " ".join("- " if card is None else f"{card[1].upper()}{card[0]}" for card in row).rstrip()
    hands = game.deal.hands if game.deal is not None else ()
    full = max((hand.bit_count() for hand in hands if hand is not None), default=13)
    if len(rows) < full or not rows or not all(rows[-1]):
        yield "*"


def _rows(game: Game) -> tuple[str, list[tuple[str | None, ...]]] | None:
    """The leader and the tricks in clockwise columns from that seat; None where no play is recorded."""
    play, played = game.play, game.round
    if play is not None and play.rows and play.leader is not None:
        return play.leader, list(play.rows)
    if played is not None and played.cards:
        return played.leader, _columns(played)
    if play is not None and play.cards and play.leader is not None and game.deal is not None:
        owned = _owned(play.cards, game.deal, play.leader)
        return (play.leader, owned) if owned is not None else None
    return (play.leader, []) if play is not None and play.leader is not None else None


def _columns(played: Round) -> list[tuple[str | None, ...]]:
    """The tricks of a round as columns: each card belongs to the seat whose turn it was."""
    contract = played.contract
    seats, step = contract.seats, 1 if contract.clockwise else -1
    first = turn = SEATS.index(played.leader)
    rows: list[tuple[str | None, ...]] = []
    for start in range(0, len(played.cards), seats):
        trick = list(played.cards[start : start + seats])
        row: list[str | None] = [None] * seats
        for i, card in enumerate(trick):
            row[(turn + step * i - first) % seats] = card
        rows.append(tuple(row))
        turn = (turn + step * winner(trick, contract.trump)) % seats
    return rows


def _owned(cards: tuple[str, ...], deal: Deal, leader: str) -> list[tuple[str | None, ...]] | None:
    """Cards in order of play as columns, each with its seat by the deal; None where that is not known."""
    rows: list[tuple[str | None, ...]] = []
    first = SEATS.index(leader)
    for start in range(0, len(cards), deal.seats):
        row: list[str | None] = [None] * deal.seats
        for card in cards[start : start + deal.seats]:
            owners = [
                i for i, hand in enumerate(deal.hands) if hand is not None and hand >> ALL_CARDS[card] & 1
            ]
            column = (owners[0] - first) % deal.seats if owners else -1
            if column < 0 or row[column] is not None:
                return None
            row[column] = card
        rows.append(tuple(row))
    return rows
