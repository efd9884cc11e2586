"""JSON lines: one game an object, one object a line; read and written, nothing lost.

`{"game": 1, "deal": "N:QJ.A98.A.T7 ...", "dealer": "N", "tags": {"Board": "1"}, "variant": "russian-14",
"contract": "no-tricks", "leader": "W", "cards": ["Qd", "Ad", ...]}`. A deal may also be an object, `{"N":
["Qs", ...], ...}`. `dealt` holds each seat's cards in the order dealt, `play` and `sections` what a PBN file
had beside it. A line that is a whole match (`Match.to_json`) stands for its rounds.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from .._match_json import check_rules
from ..cards import SEATS, normal_name, parse_seat
from ..deal import Deal, first_seat, parse_deal
from ..errors import KingError, NotationError, short
from ..match import FORMAT as MATCH_FORMAT
from ..match import Match
from ..rounds import Round
from .game import Game, PlayRecord, Settler, VariantLike, Warning, leader_of, only_games, with_order
from .lines import Lines, OnError, Source, opened, too_long, written
from .matches import match_games

_KEYS = frozenset("game deal dealer dealt tags variant contract leader cards play sections".split())


def read_json(
    source: Source,
    *,
    variant: VariantLike = None,
    contract: str | None = None,
    on_error: OnError | None = None,
) -> Iterator[Game]:
    """The games of a file of JSON lines, from a path or an open stream.

    Games are numbered as they come, whatever their `game` key says; a key that is not known gives a warning.
    Errors, `variant`, `contract` and `on_error` are as with `read_pbn`; a match is refused where `variant`
    has other rules than it was begun with, which `Match.from_json` does not mind.
    """
    settler = Settler(variant, contract)
    count = 0
    with opened(source) as (stream, file):
        try:
            for number, text in Lines(stream, file):
                if text is not None and not text.strip("\x1a \t"):
                    continue
                count += 1
                try:
                    if text is None:
                        raise too_long(file, number, count)
                    found = _games(text, Game(count, number, None, file=file), settler)
                except NotationError as error:
                    if on_error is None:
                        raise
                    on_error(error)
                    continue
                yield from found
                count += len(found) - 1
        except NotationError as error:
            if on_error is None or error.game is not None:
                raise
            on_error(error)


def write_json(games: Iterable[Game], target: Source) -> None:
    """Writes games as JSON lines to a path (under a temporary name, renamed at the end) or an open stream.

    `read_json` gives the same games. Raises OSError for a path that cannot be written.
    """
    with written(target) as write:
        for game in only_games(games):
            write(json.dumps(as_object(game)) + "\n")


def as_object(game: Game) -> dict[str, Any]:
    """A game as the object of its line: strings, lists and mappings; what it has not is left out."""
    found: dict[str, Any] = {"game": game.number}
    deal = game.deal
    if deal is not None:
        found |= {"deal": deal.pbn(deal.dealer or "N"), "dealer": deal.dealer}
        if deal.order is not None:
            found["dealt"] = {seat: list(cards) for seat, cards in zip(SEATS, deal.order, strict=False)}
    if game.tags:
        found["tags"] = dict(game.tags)
    if game.round is not None:
        played = game.round
        found |= {"variant": played.contract.variant, "contract": played.contract.name}
        found |= {"leader": played.leader, "cards": list(played.cards)}
    if game.play is not None:
        play: dict[str, Any] = {"leader": game.play.leader}
        if game.play.rows:
            play["rows"] = [list(row) for row in game.play.rows]
        if game.play.cards:
            play["cards"] = list(game.play.cards)
        found["play"] = play
    if game.sections:
        found["sections"] = {name: list(lines) for name, lines in game.sections.items()}
    return found


def _games(text: str, bare: Game, settler: Settler) -> list[Game]:
    """The game of a line, or those of its match."""
    try:
        data = json.loads(text, object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        what = str(error) if isinstance(error, ValueError) else "objects nested too deeply"
        msg = f"expected one JSON object a line: {what}"
        raise bare.fault(msg) from None
    if not isinstance(data, dict):
        msg = f"expected one JSON object a line, got {short(data)}"
        raise bare.fault(msg)
    try:
        if data.get("format") == MATCH_FORMAT:
            if settler.given is not None:
                check_rules(data, settler.given)
            match = Match.from_json(text, variant=settler.given)
            return list(match_games(match, number=bare.number, line=bare.line, file=bare.file))
        return [_from_object(data, bare, settler)]
    except NotationError:
        raise
    except KingError as error:
        raise bare.fault(str(error)) from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        msg = f"expected each key once, got {next(name for name in names if names.count(name) > 1)!r} again"
        raise ValueError(msg)
    return found


def _from_object(data: dict[str, Any], bare: Game, settler: Settler) -> Game:
    warnings = tuple(
        Warning(bare.line, name, f"expected one of the keys {' '.join(sorted(_KEYS))}, got {name!r}")
        for name in data
        if name not in _KEYS
    )
    tags = {name: _text(value, f"tag {name}") for name, value in _mapping(data.get("tags"), "tags").items()}
    sections = {
        name: _texts(lines, f"section {name}")
        for name, lines in _mapping(data.get("sections"), "sections").items()
    }
    deal = _deal(data, tags)
    play = _play(data, deal.seats if deal is not None else 4)
    game = Game(bare.number, bare.line, deal, tags, None, warnings, play, sections, bare.file)
    named = {**tags, "KingVariant": _text(data["variant"], "variant")} if data.get("variant") else tags
    if data.get("contract"):
        named = {**named, "KingContract": ""}  # the keys say what was played, not the tags
    probe = replace(game, tags=named)
    settled = settler.settle(probe, {})
    if not data.get("contract"):
        # The keys speak of rounds to come as well: as tags, for all who ask who leads by which rules.
        if data.get("leader"):
            named = {**named, "KingLeader": SEATS[parse_seat(_text(data["leader"], "leader"))]}
        return replace(settled, tags=named)
    game = replace(settled, tags=tags)
    if game.deal is None:
        msg = "expected a deal for the contract, got none"
        raise bare.fault(msg)
    variant = settler.variant(probe)
    contract = settler.contract(variant, _text(data["contract"], "contract"))
    if contract is None:
        return game
    leader = leader_of(game, variant, _text(data["leader"], "leader") if data.get("leader") else None)
    if play is not None and play.leader not in (None, leader):
        msg = "play leader"
        raise _Expected(msg, f"{leader}, the leader", play.leader)
    return replace(game, round=Round(contract, leader, game.deal, _cards(data.get("cards", []), "cards")))


def _deal(data: dict[str, Any], tags: Mapping[str, str]) -> Deal | None:
    value = data.get("deal")
    if value is None or value == "":
        return None
    if isinstance(value, dict):
        deal = Deal.of({seat: _cards(cards, f"hand {seat}") for seat, cards in value.items()})
    else:
        deal = parse_deal(_text(value, "deal"))
        deal = replace(deal, dealer=first_seat(value, deal.seats))
    given = data["dealer"] if "dealer" in data else tags.get("Dealer") or deal.dealer
    dealer = None if given is None else SEATS[parse_seat(_text(given, "dealer"))]
    deal = replace(deal, dealer=dealer)
    if data.get("dealt") is None:
        return deal
    dealt = _mapping(data["dealt"], "dealt")
    return with_order(
        deal, {seat: _cards(dealt[seat], f"dealt {seat}") for seat in sorted(dealt, key="NESW".find)}
    )


def _play(data: dict[str, Any], seats: int) -> PlayRecord | None:
    if data.get("play") is None:
        return None
    play = _mapping(data["play"], "play")
    leader = play.get("leader")
    rows = []
    for row in _list(play.get("rows", []), "play rows"):
        cells = _list(row, "a row of the play")
        if len(cells) != seats:
            msg = "a row of the play"
            raise _Expected(msg, f"{seats} cards", cells)
        rows.append(tuple(None if cell is None else normal_name(_text(cell, "a card")) for cell in cells))
    return PlayRecord(
        None if leader is None else SEATS[parse_seat(_text(leader, "play leader"), seats)],
        tuple(rows),
        _cards(play.get("cards", []), "play cards"),
    )


class _Expected(KingError):
    """A value of the wrong kind: where, what was expected, what came."""

    def __init__(self, where: str, what: str, got: object) -> None:
        super().__init__(f"{where}: expected {what}, got {short(got)}")


def _mapping(value: Any, where: str) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise _Expected(where, "an object", value)
    for name in value:
        _text(name, where)
    return value


def _list(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise _Expected(where, "a list", value)
    return value


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise _Expected(where, "a text", value)
    try:
        value.encode()
    except UnicodeEncodeError:
        raise _Expected(where, "whole characters", value) from None
    return value


def _texts(value: Any, where: str) -> tuple[str, ...]:
    return tuple(_text(item, where) for item in _list(value, where))


def _cards(value: Any, where: str) -> tuple[str, ...]:
    return tuple(normal_name(name) for name in _texts(value, where))
