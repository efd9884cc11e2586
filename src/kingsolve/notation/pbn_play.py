"""The Play section of PBN: seat columns that begin with the leader, not the order of play (PBN 2.1, 3.6)."""

import re

from ..cards import SEATS, normal_name
from ..deal import Deal
from .game import Game, PlayRecord
from .lines import cut

_PLAYED = re.compile(
    r"(?P<card>[SHDC](?:10|[2-9TJQKA])|(?:10|[2-9TJQKA])[SHDC])(?![A-Z0-9])"
    r"|(?P<none>-+|\+)|(?P<end>\*)|=[0-9]+=|\$[0-9]+|[!?]{1,2}|\^[A-Z]",
    re.ASCII | re.IGNORECASE,
)


def play_record(
    game: Game, lines: list[tuple[str, int]], leader: str, deal: Deal | None, line: int
) -> PlayRecord:
    """The columns of a Play section, gathered by fours (threes where three play), whatever the line ends."""
    seats = deal.seats if deal is not None else 4
    if len(leader) != 1 or leader not in SEATS[:seats]:
        msg = f"expected a seat among {' '.join(SEATS[:seats])} in tag Play, got {leader!r}"
        raise game.fault(msg, line=line)
    grouped = _tokens(game, lines)
    absent = 3 - SEATS.index(leader)
    if seats == 3 and all(len(row) == 4 and row[absent] is None for row in grouped.values()):
        for row in grouped.values():  # a fourth column for the empty chair
            del row[absent]
    cards = [card for row in grouped.values() for card in row]
    at = [number for number, row in grouped.items() for _ in row]
    rows, places = [], []
    for start in range(0, len(cards), seats):
        rows.append(tuple((cards[start : start + seats] + [None] * seats)[:seats]))
        places.append(tuple((at[start : start + seats] + at[-1:] * seats)[:seats]))
    while rows and not any(rows[-1]):
        rows.pop()
    most = max((hand.bit_count() for hand in deal.hands if hand is not None), default=13) if deal else 13
    if len(rows) > most:
        msg = f"expected at most {most} tricks in the Play section, got {len(rows)}"
        raise game.fault(msg, line=places[most][0])
    return PlayRecord(leader, tuple(rows), line=line, lines=tuple(places[: len(rows)]))


def _tokens(game: Game, lines: list[tuple[str, int]]) -> dict[int, list[str | None]]:
    """The cards of each line by its number, None where none is given, up to `*`; annotations are dropped."""
    grouped: dict[int, list[str | None]] = {}
    for text, number in lines:
        at = 0
        while at < len(text):
            if text[at].isspace():
                at += 1
                continue
            token = _PLAYED.match(text, at)
            if not token:
                if text.startswith("[Note ", at):
                    break
                msg = f"expected a card such as 'SK' or '-', got {cut(text[at:])}"
                raise game.fault(msg, line=number)
            if token["end"]:
                return grouped
            if token["card"]:
                card = token["card"].upper()
                grouped.setdefault(number, []).append(
                    normal_name(card[1:] + card[0] if card[0] in "SHDC" else card)
                )
            elif token["none"]:
                grouped.setdefault(number, []).append(None)
            at = token.end()
    return grouped
