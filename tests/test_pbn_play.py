"""Play sections: seat columns to the order of play and back, in bridge files and in rounds of King."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from kingsolve.cards import SEATS, normal_name, pack_mask
from kingsolve.contract import Contract
from kingsolve.deal import Deal
from kingsolve.errors import IllegalCard, NotationError
from kingsolve.notation import Game, PlayRecord, read_pbn, round_of, write_pbn
from kingsolve.position import Position
from kingsolve.rounds import Round
from kingsolve.variants import load_variant

DATA = Path(__file__).parent / "data"
DEAL = "N:QJ.A98.A.T7 T.KJT7.J8.Q AK9..KT.AK9 87.Q.Q97.J8"
ROWS = "DQ DA D8 DT\nCJ C7 CQ CA\nD9 H9 DJ DK\nC8 CT HJ CK\n"
ORDER = "Qd Ad 8d Td 7c Qc Ac Jc Kd 9d 9h Jd Kc 8c Tc Jh".split()
PLAYS = json.loads((DATA / "bridge-plays.json").read_text())["plays"]


def bridge(trump: str | None) -> Contract:
    """A contract of bridge, as far as card play goes: a point a trick, nothing forced but to follow suit."""
    return Contract(
        name="bridge",
        title="Bridge",
        variant="bridge",
        pack=pack_mask("2-A"),
        seats=4,
        hand_size=13,
        trick_points=(1,) * 13,
        trump=trump,
        early_stop=False,
    )


def one(text: str, variant: str | None = None) -> Game:
    """The only game of a text."""
    (game,) = read_pbn(io.BytesIO(text.encode()), variant=variant)
    return game


def with_play(play: str, leader: str = "W", deal: str = DEAL, **tags: str) -> Game:
    """The game with a Play section."""
    given = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    return one(f'[Board "1"]\n{given}[Deal "{deal}"]\n[Play "{leader}"]\n{play}')


def written(game: Game) -> str:
    """The game as PBN."""
    stream = io.StringIO()
    write_pbn([game], stream)
    return stream.getvalue()


# --- bridge files ---


@pytest.mark.parametrize("number", range(len(PLAYS)))
def test_a_recorded_bridge_play(number: int) -> None:
    play: dict[str, Any] = PLAYS[number]
    contract = bridge(play["trump"].lower() if play["trump"] else None)
    game = with_play("\n".join(play["rows"]), play["play_tag"], play["deal"], Contract="4H", Declarer="N")
    assert game.tags["Contract"] == "4H"
    played = round_of(game, contract)
    assert played.leader == play["play_tag"]
    assert len(played.cards) == 52
    assert dict(zip(SEATS, played.position().banked, strict=True)) == play["takes"]  # every card was legal
    assert game.play is not None
    first = SEATS.index(play["play_tag"])
    for trick, row in zip(played.tricks(), game.play.rows, strict=True):
        assert sorted(trick.cards) == sorted(card for card in row if card)
        assert trick.cards[0] == row[(SEATS.index(trick.leader) - first) % 4]
    (again,) = read_pbn(io.StringIO(written(game)))
    assert (again.play, again.deal) == (game.play, game.deal)
    text = written(Game(1, 1, Deal.of(play["deal"]), {}, played))
    assert text.split('[Play "')[1].split("\r\n")[1:14] == play["rows"]


def test_rows_taken_for_the_order_of_play_would_be_illegal() -> None:
    wrong = 0
    for play in PLAYS:
        cards = [normal_name(card[1] + card[0]) for row in play["rows"] for card in row.split()]
        contract = bridge(play["trump"].lower() if play["trump"] else None)
        position = Position(contract, play["deal"], leader=play["play_tag"])
        try:
            for card in cards:
                position.push(card)
        except IllegalCard:
            wrong += 1
    assert wrong == len(PLAYS)


# --- what a Play section may hold ---


def test_the_order_of_play() -> None:
    game = with_play(ROWS + "*\n", KingContract="no-tricks")
    assert game.round is not None
    assert list(game.round.cards) == ORDER
    assert game.round.position().banked == (-2, 0, -6, 0)


def test_the_play_is_kept_when_no_contract_is_known() -> None:
    game = with_play(ROWS)
    assert game.round is None
    assert game.play is not None
    assert game.play.rows[1] == ("Jc", "7c", "Qc", "Ac")
    assert list(round_of(game, load_variant("russian-14").contract("no-men")).cards) == ORDER


@pytest.mark.parametrize(
    "play",
    [
        "DQ! DA?? =1= D8 $7 $14 DT {a\n\nb}\nCJ C7 ; x\nCQ\n CA\nd9 h9 dj dk\nC8 C10 HJ CK\n* and SA",
        "DQ=12= DA!?D8$3 ^R DT CJ C7 CQ CA\n9D 9H JD KD\n8C 10C JH KC",
        ROWS + "- - - -\n",
        ROWS + "+ - - -\n- - - -",
        ROWS + '*\n[Note "1:why"]\n[Note "2:not"]',
    ],
)
def test_annotations_do_not_matter(play: str) -> None:
    game = with_play(play, KingContract="no-tricks")
    assert game.round is not None
    assert list(game.round.cards) == ORDER


def test_a_trick_in_progress() -> None:
    game = with_play("DQ DA D8 DT\n- C7 CQ +\n*", KingContract="no-tricks")
    assert game.round is not None
    assert list(game.round.cards) == ORDER[:6]
    assert game.round.position().turn == "S"
    assert '[Play "W"]\r\nDQ DA D8 DT\r\n-  C7 CQ -\r\n*\r\n' in written(game)


@pytest.mark.parametrize(
    ("play", "line", "message"),
    [
        ("DQ DA D8 DT\nCJ -  CQ CA\n", 6, "expected the card of N in trick 2 of the Play section, got none"),
        ("DQ DA D8 DT\n- - - -\nCJ C7 CQ CA\n", 6, "expected the card of N in trick 2"),
        ("DQ DA D8 DT\nCJ C7 CX CA\n", 6, "expected a card such as 'SK' or '-', got 'CX CA'"),
        ("DQ DA D8 DT\nCJ C7Q\n", 6, "expected a card such as 'SK'"),
        ("DQ DA D8 DT\n" * 9, 13, "expected at most 8 tricks in the Play section, got 9"),
    ],
)
def test_a_faulty_play_is_an_error(play: str, line: int, message: str) -> None:
    with pytest.raises(NotationError, match=r"Play|card") as caught:
        with_play(play, KingContract="no-tricks")
    assert caught.value.line == line
    assert message in caught.value.message


def test_a_play_of_nobody() -> None:
    with pytest.raises(NotationError, match="expected a seat among N E S W in tag Play, got 'X'"):
        with_play(ROWS, "X")
    assert with_play("", "").play is None
    assert with_play("*", "W").play == PlayRecord("W")


def test_an_illegal_card_is_still_a_record() -> None:
    game = with_play("DQ C7 D8 DT\n", KingContract="no-tricks")
    assert game.round is not None
    with pytest.raises(IllegalCard, match=r"you must follow suit: '7c' .*\(N, trick 1\)"):
        game.round.position()


def test_the_leader_given_by_the_tags_and_by_the_caller() -> None:
    contract = load_variant("russian-14").contract("no-tricks")
    game = with_play("C7 CQ CA CJ\n", "N", KingLeader="N")
    for leader in (None, "n"):
        assert round_of(game, contract, leader=leader).cards == ("7c", "Qc", "Ac", "Jc")
    with pytest.raises(NotationError, match="expected the leader to be N, who leads in the recorded play"):
        round_of(game, contract, leader="S")
    # a game that says nothing of its contract may be read; as a round it is one clear error
    other = with_play("C7 CQ CA CJ\n", "N", KingLeader="S")
    for read in (
        lambda: round_of(other, contract),
        lambda: with_play("C7 CQ CA CJ\n", "N", KingContract="no-tricks", KingLeader="S"),
    ):
        with pytest.raises(NotationError) as error:
            read()
        assert error.value.message == (
            "expected tag KingLeader to be N, who leads in the recorded play, got 'S'"
        )
        assert error.value.line in (2, 3)
    assert round_of(one(f'[Deal "{DEAL}"]'), contract) == Round(contract, "E", Deal.of(DEAL, dealer="N"))


def test_another_leader_than_is_due_is_a_warning() -> None:
    """By dealer and variant E leads; the record says W, and no KingLeader that it was so."""
    tags = {"Dealer": "N", "KingVariant": "russian-14", "KingContract": "no-tricks"}
    (warning,) = with_play("DQ DA D8 DT\n", "W", **tags).warnings
    assert warning.text == "expected E to lead by the dealer and the variant, got W in the recorded play"
    assert (warning.about, warning.line) == ("Play", 6)
    assert with_play("DQ DA D8 DT\n", "W", **tags, KingLeader="W").warnings == ()
    assert with_play("DQ DA D8 DT\n", "W", **{**tags, "Dealer": "S"}).warnings == ()
    assert with_play("DQ DA D8 DT\n", "W", **{**tags, "KingVariant": "king-1993"}).warnings == ()


# --- three seats, and play against the clock ---

THREE = "N:AQ8.A7.AJT.KQJT 96.QJT8.97.A876 KJT7.K96.KQ86.9"


@pytest.mark.parametrize("play", ["S9 S7 SA\nC6 C9 CT\n", "S9 S7 - SA\nC6 C9 - CT\n", "S9 S7\nSA C6\nC9 CT"])
def test_three_columns_and_four(play: str) -> None:
    game = with_play(play, "E", THREE, KingContract="no-tricks")
    assert game.round is not None
    assert game.round.cards == ("9s", "7s", "As", "Tc", "6c", "9c")
    assert [trick.taker for trick in game.round.tricks()] == ["N", "N"]
    assert '[Play "E"]\r\nS9 S7 SA\r\nC6 C9 CT\r\n*\r\n' in written(game)
    (again,) = read_pbn(io.StringIO(written(game)))
    assert again.round == game.round


RIFKI = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"


@pytest.mark.parametrize("play", ["SA HA DA CA\nS2 H2 D2 C2\n", "SA CA DA HA\nS2 C2 D2 H2\n"])
def test_play_goes_the_other_way_round(play: str) -> None:
    game = with_play(play, "N", RIFKI, KingVariant="rifki", KingContract="no-tricks")
    assert game.round is not None
    assert game.round.cards == ("As", "Ac", "Ad", "Ah", "2s", "2c", "2d", "2h")
    assert game.round.position().banked == (-100, 0, 0, 0)
    text = written(Game(1, 1, game.deal, {}, game.round))
    assert '[Play "N"]\r\nSA HA DA CA\r\nS2 H2 D2 C2\r\n*\r\n' in text  # columns are clockwise all the same


def test_unknown_hands_do_not_keep_the_order_of_play_away() -> None:
    game = with_play(ROWS, "W", "N:- - - -", KingContract="no-tricks")
    assert game.round is not None
    assert list(game.round.cards) == ORDER


# --- whole rounds ---


def match_rounds() -> list[tuple[Round, tuple[int, ...]]]:
    """The 56 recorded rounds of 1993 and their scores; seat 0 is N."""
    data = json.loads((DATA / "king-1993-match-1.json").read_text())
    variant = load_variant("king-1993")
    found = []
    for deal in data["games"][0]["deals"]:
        hands = {SEATS[i]: [normal_name(card) for card in hand] for i, hand in enumerate(deal["hands"])}
        cards = [normal_name(card) for trick in deal["tricks"] for card in trick]
        played = Round(variant.contract(deal["contract"]), SEATS[deal["leader"]], hands, cards)
        found.append((played, tuple(deal["scores"])))
    return found


def test_a_recorded_match_goes_through_pbn() -> None:
    rounds = match_rounds()
    games = [
        Game(i, 1, Deal(played.deal.hands, "N"), {"Board": str(i)}, played)
        for i, (played, _) in enumerate(rounds, 1)
    ]
    stream = io.BytesIO()
    write_pbn(games, stream)
    again = list(read_pbn(io.BytesIO(stream.getvalue())))
    assert len(again) == 56
    for game, (played, scores) in zip(again, rounds, strict=True):
        assert game.round is not None
        assert (game.round.cards, game.round.leader, game.round.contract) == (
            played.cards,
            played.leader,
            played.contract,
        )
        assert game.tags["KingScores"] == " ".join(f"{s}:{p}" for s, p in zip(SEATS, scores, strict=True))
        assert game.tags["Declarer"] == game.tags["Contract"] == ""
