"""A whole recorded match of the 1993 program (tests/data/king-1993-match-1.json): 56 rounds, card by card."""

import json
from collections import Counter
from pathlib import Path

import pytest

from kingsolve.errors import IllegalCard
from kingsolve.match import Match
from kingsolve.rounds import Round
from kingsolve.variants import load_variant

DATA = json.loads((Path(__file__).parent / "data" / "king-1993-match-1.json").read_text(encoding="utf-8"))
GAME = DATA["games"][0]
DEALS = GAME["deals"]
KING = load_variant("king-1993")


def recorded(deal: dict) -> Round:
    """A recorded deal as a Round; the recording's seats 0 to 3 play in that order: N E S W."""
    hands = {
        seat: [name.capitalize() for name in hand] for seat, hand in zip("NESW", deal["hands"], strict=True)
    }
    cards = [card.capitalize() for trick in deal["tricks"] for card in trick]
    return Round(KING.contract(deal["contract"]), "NESW"[deal["leader"]], hands, cards)


@pytest.fixture(scope="module")
def match() -> Match:
    """The match with all 56 rounds played into it."""
    match = Match(KING, seed=0)
    for deal in DEALS:
        match.play(recorded(deal))
    return match


@pytest.mark.parametrize("deal", DEALS, ids=lambda deal: f"{deal['deal']}-{deal['contract']}")
def test_every_card_taker_and_score_of_a_round(deal):
    played = recorded(deal)
    tricks = list(played.tricks())
    assert ["NESW".index(trick.taker) for trick in tricks] == deal["takers"]
    end = played.position()
    assert list(end.banked) == deal["scores"]
    assert end.is_over
    assert deal["stopped_early"] == bool(end.tricks_left)
    for after in range(0, len(played.cards), 4):
        assert not played.position(after).is_over
    assert deal["sign"] == (1 if played.contract.total > 0 else -1)


def test_the_chooser_is_seat_deal_minus_one_and_leads(match):
    for deal, result in zip(DEALS, match.results, strict=True):
        assert deal["chooser"] == deal["leader"] == (deal["deal"] - 1) % 4
        assert result.chooser == result.leader == "NESW"[deal["chooser"]]


def test_each_seat_plays_each_contract_once(match):
    counts = Counter((result.chooser, result.contract.name) for result in match.results)
    assert set(counts.values()) == {1}
    assert len(counts) == 56
    assert match.is_over


def test_totals_places_and_the_winner(match):
    assert list(match.totals) == GAME["totals"] == [1140, -60, -60, -1020]
    assert list(match.places) == GAME["ranks_shared"] == [1, 2, 2, 4]
    assert match.winners == ("N",)
    assert match.balance == 0


def test_the_match_reads_back_from_json(match):
    again = Match.from_json(match.to_json())
    assert again.results == match.results


def test_a_changed_card_is_found():
    deal = json.loads(json.dumps(DEALS[0]))
    tricks = deal["tricks"]
    tricks[0][1], tricks[1][0] = tricks[1][0], tricks[0][1]
    with pytest.raises(IllegalCard, match="you must follow suit: '8c' on a heart lead"):
        recorded(deal).position()


def test_hearts_are_held_back_and_kh_never_forced():
    """The program's facts: no heart lead while another suit is held; no compulsory K♥ at all."""
    assert DATA["facts"]["compulsory_KH"] is False
    kept = 0
    for deal in DEALS:
        played = recorded(deal)
        position = played.position(0)
        for card in played.cards:
            hand = position.hands[position.turn]
            if not position.trick and played.contract.barred:
                assert card[1] != "h" or all(held[1] == "h" for held in hand)
            void = position.trick and not any(held[1] == position.trick[0][1] for held in hand)
            if (
                played.contract.name in ("no-king", "eralash", "king", "eralash-plus")
                and void
                and "Kh" in hand
            ):
                kept += card != "Kh"
            position.push(card)
    assert kept > 0
