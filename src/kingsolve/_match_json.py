"""The JSON of a match, piece by piece: strict readers that raise MatchError saying where."""

from collections.abc import Iterable
from typing import Any, TypeVar

from .cards import ALL_CARDS, SEATS, cards_of, mask_of, parse_seat
from .deal import Deal
from .errors import MatchError, short
from .rounds import Round
from .variants import Variant, load_variant, variant_ids

T = TypeVar("T")


def round_to_json(
    contract: str, leader: str, scores: tuple[int, ...], played: Round | None
) -> dict[str, Any]:
    """One finished round: its hands in the order dealt where that is known, in display order otherwise."""
    entry: dict[str, Any] = {"contract": contract, "leader": leader}
    if played is not None:
        deal = played.deal
        entry["dealer"] = deal.dealer
        if deal.order is not None:
            entry["dealt"] = {SEATS[i]: list(hand) for i, hand in enumerate(deal.order)}
        else:
            entry["hands"] = {SEATS[i]: cards_of(hand or 0) for i, hand in enumerate(deal.hands)}
        entry["cards"] = list(played.cards)
    entry["scores"] = list(scores)
    return entry


def deal_from_json(entry: dict[str, Any], variant: Variant, where: str) -> Deal:
    """The Deal under `dealt` or `hands`, one of which must be there."""
    if ("dealt" in entry) == ("hands" in entry):
        msg = f"{where}: expected either 'dealt' or 'hands' with the cards"
        raise MatchError(msg)
    key = "dealt" if "dealt" in entry else "hands"
    hands = entry[key]
    only_keys(hands, variant.seat_names, variant.seat_names, f"{where}: {key}")
    order = [tuple(list_of(hands, seat, f"{where}: {key}", str)) for seat in variant.seat_names]
    for card in (card for hand in order for card in hand):
        if card not in ALL_CARDS:
            msg = f"{where}: {key}: expected cards such as 'As', got {card!r}"
            raise MatchError(msg)
    dealer = text_or_none(entry, "dealer", where)
    if dealer is not None:
        parse_seat(dealer, variant.seats)
    return Deal(tuple(map(mask_of, order)), dealer, tuple(order) if key == "dealt" else None)


def variant_of(data: dict[str, Any]) -> Variant:
    """The variant that ships under the match's id; MatchError when there is none, or its file has changed."""
    id = text_of(data, "variant", "match")
    if id not in variant_ids():
        msg = f"match: expected a variant that ships (or that variant given with the match), got {id!r}"
        raise MatchError(msg)
    variant = load_variant(id)
    check_rules(data, variant)
    return variant


def check_rules(data: dict[str, Any], variant: Variant) -> None:
    """MatchError unless `variant` has the rules that the match was begun with, to the byte."""
    then, now = data.get("sha256"), variant.sha256
    if then == now:
        return
    if data.get("variant") != variant.id:
        msg = f"match: expected the rules of {short(data.get('variant'))}, got those of {variant.id!r}"
    else:
        msg = f"match: the rules file {variant.source} has changed since the match was begun: "
        msg += f"expected sha256 {short(then)}, got {now[:12]!r}..."
    raise MatchError(msg)


def no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object's pairs as a dict; MatchError when a key comes twice."""
    table = dict(pairs)
    if len(table) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        msg = f"expected each key of a JSON object once, got {twice!r} twice"
        raise MatchError(msg)
    return table


def only_keys(table: Any, known: Iterable[str], needed: Iterable[str], where: str) -> None:
    """MatchError unless `table` is an object with all keys of `needed` and none outside `known`."""
    if not isinstance(table, dict):
        msg = f"{where}: expected a JSON object, got {short(table)}"
        raise MatchError(msg)
    known = list(known)
    for key in table:
        if key not in known:
            msg = f"{where}: expected the keys {' '.join(known)}, got {short(key)}"
            raise MatchError(msg)
    for key in needed:
        if key not in table:
            msg = f"{where}: expected the key {key!r}, got none"
            raise MatchError(msg)


def text_of(table: dict[str, Any], key: str, where: str) -> str:
    """The text at `key`."""
    value = table[key]
    if not isinstance(value, str):
        msg = f"{where}: {key}: expected a text, got {short(value)}"
        raise MatchError(msg)
    return value


def text_or_none(table: dict[str, Any], key: str, where: str) -> str | None:
    """The text at `key`, None for null or nothing."""
    return None if table.get(key) is None else text_of(table, key, where)


def table_of(table: dict[str, Any], key: str, where: str, kind: type[T]) -> dict[str, T]:
    """The object at `key`, its values all of one kind; empty for nothing."""
    value = table.get(key, {})
    if not isinstance(value, dict) or any(not isinstance(item, kind) for item in value.values()):
        what = "a JSON object" + (" of texts" if kind is str else "")
        msg = f"{where}: {key}: expected {what}, got {short(value)}"
        raise MatchError(msg)
    return value


def list_of(table: dict[str, Any], key: str, where: str, kind: type[T]) -> list[T]:
    """The list at `key`, all of one kind."""
    value = table[key]
    if not isinstance(value, list) or any(type(item) is not kind for item in value):
        msg = f"{where}: {key}: expected a list of {_KINDS[kind]}, got {short(value)}"
        raise MatchError(msg)
    return value


_KINDS: dict[type, str] = {str: "texts", int: "whole numbers", dict: "JSON objects"}
