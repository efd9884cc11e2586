"""A match as a file: JSON and PBN, one into the other, scored to the same totals, taken up again."""

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

import kingsolve as ks
from command import good, records, refused
from kingsolve.notation import Game, match_games, match_of, read_games, read_pbn, write_pbn
from play import play_on, whole_match


def through_pbn(match: ks.Match) -> list[Game]:
    """The games of the match, written and read."""
    stream = io.BytesIO()
    write_pbn(match_games(match), stream)
    stream.seek(0)
    return list(read_pbn(stream))


@pytest.mark.parametrize("id", ks.variant_ids())
def test_a_match_goes_through_pbn_and_back(id: str) -> None:
    match = whole_match(id)
    games = through_pbn(match)
    assert [game.tags["Board"] for game in games] == [str(i + 1) for i in range(match.plan.rounds)]
    assert match_of(games).to_json() == match.to_json()


@pytest.mark.parametrize("id", ["short-king", "parlett-3", "rifki", "kierki"])
def test_a_match_in_mid_trick_goes_through_pbn_and_on(id: str) -> None:
    match = play_on(ks.Match(id, seed=9, players={"N": 'Max "the" knife', "S": "Zoë"}), 2, 3)
    if match.contract is None:
        match.choose(match.open[1])
    for _ in range(match.variant.seats + 2):
        match.push(match.now().legal_cards()[0])
    again = match_of(through_pbn(match))
    assert again.to_json() == match.to_json()
    assert again.now().legal_cards() == match.now().legal_cards()


def test_a_match_of_other_hands_keeps_them() -> None:
    """Rounds played elsewhere: the seed only gives what is still to come."""
    match = play_on(ks.Match("russian-14", seed=1, first_dealer="E"), 3, 1)
    games = [
        replace(game, tags={name: text for name, text in game.tags.items() if name != "KingSeed"})
        for game in through_pbn(match)
    ]
    again = match_of(games)
    assert (again.seed, again.first_dealer) == (0, "E")
    assert again.results == match.results


def test_scores_without_cards_are_games_without_a_deal() -> None:
    match = ks.Match("short-king", seed=3)
    match.record([-16, 0, 0, 0])
    play_on(match, 1, 1)
    games = through_pbn(match)
    assert games[0].deal is None
    assert match_of(games).to_json() == match.to_json()


def test_score_of_a_match_in_json_and_in_pbn(tmp_path: Path) -> None:
    match = whole_match("full-king")
    file = tmp_path / "match.json"
    file.write_text(match.to_json() + "\n", encoding="utf-8")
    *rounds, total = records("score", file)
    assert all(found["agrees"] for found in rounds)
    assert tuple(total["totals"].values()) == match.totals
    pbn = tmp_path / "match.pbn"
    good("convert", file, pbn)
    *again, sums = records("score", pbn)
    assert again == rounds
    assert {**sums, "file": ""} == {**total, "file": ""}
    back = tmp_path / "back.json"
    good("convert", pbn, back, "--to", "match")
    assert back.read_text(encoding="utf-8") == file.read_text(encoding="utf-8")
    lines = tmp_path / "games.jsonl"
    good("convert", file, lines)
    assert records("score", lines)[-1]["totals"] == total["totals"]


def test_several_matches_in_a_file_are_numbered_through(tmp_path: Path) -> None:
    first, second = whole_match("short-king"), whole_match("short-king", 2)
    file = tmp_path / "two.jsonl"
    file.write_text(f"{first.to_json()}\n{second.to_json()}\n", encoding="utf-8")
    games = list(read_games(file))
    assert [game.number for game in games] == list(range(1, 21))
    assert [game.line for game in games] == [1] * 10 + [2] * 10
    assert [game.round for game in games[10:]] == [result.round for result in second.results]


def test_a_house_variant_is_given_with_its_match(tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text('extends = "parlett-4"\ntitle = "House"\n', encoding="utf-8")
    match = play_on(ks.Match(ks.load_variant(house), seed=1), 2, 1)
    file = tmp_path / "match.json"
    file.write_text(match.to_json(), encoding="utf-8")
    assert "expected a variant that ships" in refused("score", file, code=1)
    total = records("score", file, "--variant", house)[-1]
    assert tuple(total["totals"].values()) == match.totals
    line = refused("score", file, "--variant", "rifki", code=1)
    assert "match: expected the rules of 'house', got those of 'rifki'" in line
    house.write_text('extends = "parlett-4"\ntitle = "Our House"\n', encoding="utf-8")
    for command in ("score", "review", "convert"):
        words = [file, "-", "--to", "pbn"] if command == "convert" else [file]
        line = refused(command, *words, "--variant", house, code=1)
        assert f"the rules file {house} has changed since the match was begun" in line


FAULTS = {
    "rounds out of order": (lambda games: games[::-1], "game 3: expected 'no-tricks' (round 1)"),
    "a seed that is none": (
        lambda games: [replace(games[0], tags={**games[0].tags, "KingSeed": "-1"})],
        "game 1: expected tag KingSeed from 0",
    ),
    "a deal alone": (
        lambda games: [replace(games[0], tags={}, round=None, play=None)],
        "game 1: expected a recorded round with its contract",
    ),
    "other scores": (
        lambda games: [replace(games[0], tags={**games[0].tags, "KingScores": "N:-16 E:0 S:0 W:0"})],
        "game 1: expected tag KingScores",
    ),
    "nothing": (lambda games: [], "expected at least one game, got none"),
    "another round in progress": (
        lambda games: [replace(games[0], play=None, round=part(games[0]), deal=part(games[0]).deal)],
        "game 1: expected the round in progress to be round 1 of seed 1",
    ),
}


def part(game: Game) -> ks.Round:
    """A first card of another deal than the seed's."""
    assert game.round is not None
    other = ks.random_deal(ks.load_variant("russian-14"), seed=77, number=1, dealer="S")
    return ks.Round(game.round.contract, "W", other, [other.order[3][0]] if other.order else [])


@pytest.mark.parametrize("what", FAULTS)
def test_games_that_are_no_match(what: str) -> None:
    change, words = FAULTS[what]
    match = play_on(ks.Match("russian-14", seed=1, first_dealer="S"), 3, 1)
    with pytest.raises(ks.NotationError) as caught:
        match_of(change(through_pbn(match)))
    assert words in str(caught.value)


def test_a_faulty_match_is_one_line_with_its_place(tmp_path: Path) -> None:
    data = json.loads(whole_match("short-king").to_json())
    data["rounds"][2]["scores"][0] -= 4
    file = tmp_path / "match.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    line = refused("score", file, code=1)
    assert f"{file}:1: game 1: round 3: expected the scores of the cards" in line
    line = refused("convert", "data/deals/bridge.pbn", "-", "--to", "match", code=1)
    assert "expected a recorded round with its contract" in line
