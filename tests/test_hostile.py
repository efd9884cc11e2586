"""Every file of tests/data/hostile, against what its .expect.json says a correct reader does."""

import json
from pathlib import Path
from typing import Any

import pytest

from kingsolve.cards import SEATS, cards_of, normal_name
from kingsolve.errors import KingError, NotationError
from kingsolve.notation import Game, read_games, read_lin, read_pbn, round_of
from kingsolve.variants import load_variant

FOLDER = Path(__file__).parent / "data" / "hostile"
EXPECTED = sorted(FOLDER.glob("*.expect.json"), key=lambda path: path.name)
READERS = {"pbn": read_pbn, "lin": read_lin}


def expectation(path: Path) -> tuple[Path, dict[str, Any]]:
    """The hostile file and what is expected of it."""
    wanted = json.loads(path.read_text())
    return path.with_name(wanted["file"]), wanted


def hands_of(game: Game) -> dict[str, list[str] | None]:
    """The hands as the expectations write them: sorted, None for unknown, an empty W for three."""
    assert game.deal is not None
    hands = {
        seat: None if hand is None else sorted(cards_of(hand))
        for seat, hand in zip(SEATS, game.deal.hands, strict=False)
    }
    return hands if len(hands) == 4 else {**hands, "W": []}


def wanted_hands(deal: dict[str, Any]) -> dict[str, list[str] | None]:
    """The expected hands in the same form."""
    return {
        seat: None if cards is None else sorted(normal_name(card) for card in cards)
        for seat, cards in deal["hands"].items()
    }


def test_the_folder_is_whole() -> None:
    assert len(EXPECTED) == 21
    assert all(expectation(path)[0].exists() for path in EXPECTED)


@pytest.mark.parametrize("path", EXPECTED, ids=lambda path: path.name.split(".")[0])
def test_hostile_file(path: Path) -> None:
    source, wanted = expectation(path)
    errors: list[NotationError] = []
    reader = READERS[wanted["read_as"]["format"]]
    games = list(reader(source, variant=wanted["read_as"]["variant"], on_error=errors.append))
    if wanted["outcome"] == "refuse":
        assert len(errors) == 1
    elif wanted["outcome"] == "ok":
        assert errors == []
    for error in errors:
        assert error.file == str(source)
        if wanted["error"]["line"] is not None:
            assert error.line == wanted["error"]["line"]
        mentions = wanted["error"]["mentions_any"]
        assert not mentions or any(word.lower() in error.message.lower() for word in mentions)
        assert "\n" not in str(error)
    if not errors:
        assert len(games) == wanted["games"]
        check_games(games, wanted)


def check_games(games: list[Game], wanted: dict[str, Any]) -> None:
    """The hands, tags, warnings and play of a file that was read."""
    for game, deal in zip(games, wanted["deals"], strict=True):
        assert hands_of(game) == wanted_hands(deal)
        assert {name: game.tags.get(name) for name in deal["tags"]} == deal["tags"]
    warnings = [warning for game in games for warning in game.warnings]
    assert len(warnings) == len(wanted["warnings"])
    for warning, about in zip(warnings, wanted["warnings"], strict=True):
        assert warning.line == about["line"]
        assert about["about"] in warning.about
    if "play" in wanted:
        check_play(games[0], wanted["play"], wanted["read_as"]["variant"])


def check_play(game: Game, play: dict[str, Any], variant: str) -> None:
    """The order of play, the takers and the scores so far."""
    contract = load_variant(variant).contract(play["contract"])
    played = round_of(game, contract)
    tricks = list(played.tricks())
    assert [trick.leader for trick in tricks] == [trick["leader"] for trick in play["tricks_in_play_order"]]
    assert [list(trick.cards) for trick in tricks] == [
        [normal_name(card) for card in trick["cards"]] for trick in play["tricks_in_play_order"]
    ]
    assert [trick.taker for trick in tricks] == play["takers"]
    assert dict(zip(SEATS, played.position().banked, strict=True)) == play["scores_so_far"]


@pytest.mark.parametrize("path", EXPECTED, ids=lambda path: path.name.split(".")[0])
def test_without_on_error_the_first_fault_is_raised(path: Path) -> None:
    source, wanted = expectation(path)
    variant = wanted["read_as"]["variant"]
    if wanted["outcome"] == "refuse":
        with pytest.raises(NotationError):
            list(read_games(source, variant=variant))
    else:
        try:
            games = list(read_games(source, variant=variant))
        except KingError:
            assert wanted["outcome"] == "ok_or_refuse"
        else:
            assert len(games) == wanted["games"]


def test_a_deuce_is_an_end_position_of_the_52_card_game() -> None:
    source = FOLDER / "13_card_not_in_pack.pbn"
    assert len(list(read_pbn(source, variant="dealers-choice-20"))) == 1
    assert len(list(read_pbn(source))) == 1  # without a variant the cards tell it
    with pytest.raises(NotationError, match="'2d' with W"):
        list(read_pbn(source, variant="russian-14"))
