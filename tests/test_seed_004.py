"""Seed 004 "How to Play", one test a sentence, headings too where they say a rule.

Left out: "That's all the rules. The rest happens at the table." and "Download the game" (no rule).
"""

from collections import Counter

import pytest

from kingsolve.cards import cards_of
from kingsolve.errors import MatchError
from kingsolve.match import Match
from kingsolve.variants import load_variant
from play import at, contract, legal, legal_first, play_on, played, trick, whole_match

ID = "dealers-choice-20"
PENALTIES = ["no-tricks", "no-hearts", "no-queens", "no-men", "no-last-two", "no-king"]
TRUMPS = ["trumps-s", "trumps-h", "trumps-d", "trumps-c"]
REST = "/Ts 9s/8s 4s"
SPADES_AND_A_HEART = "As Ks Qs Js Ts 9s 8s 7s 6s 5s 4s 3s 2h"
ALL_SPADES = "As Ks Qs Js Ts 9s 8s 7s 6s 5s 4s 3s 2s"


# --- How to Play, The game in short ---


def test_a_four_player_trick_taking_game():
    """004: "King is a four-player trick-taking game." """
    assert load_variant(ID).seats == 4
    assert trick(ID, "trumps-s", "2d 3d 4d 5d") == (0, 0, 0, 50)


def test_sometimes_avoid_sometimes_take():
    """004: "But the rule changes every round: sometimes you avoid taking tricks, sometimes you compete to
    take them."
    """
    signs = {result.contract.total > 0 for result in whole_match(ID).results}
    assert signs == {True, False}


def test_four_players_and_52_cards():
    """004, The game in short: "Four players, a standard 52-card deck." """
    v = load_variant(ID)
    assert (v.seats, len(cards_of(v.pack))) == (4, 52)


def test_thirteen_cards_and_thirteen_tricks():
    """004, The game in short: "Each player is dealt 13 cards and 13 tricks are played in that round." """
    assert load_variant(ID).hand_size == 13
    for result in whole_match(ID).results:
        assert len(result.round.cards) == 52  # no early stop, in no contract


def test_a_match_is_20_rounds():
    """004, The game in short: "A match is 20 rounds." """
    assert load_variant(ID).plan.rounds == len(whole_match(ID).results) == 20


def test_the_dealer_chooses_and_the_dealer_rotates():
    """004, The game in short: "The contract for each round is chosen by that round's dealer; the dealer
    rotates."
    """
    match = whole_match(ID)
    assert [result.chooser for result in match.results] == [result.dealer for result in match.results]
    assert "".join(result.dealer for result in match.results) in "NESW" * 6


def test_each_penalty_twice_and_each_trump_suit_twice():
    """004, The game in short: "Each penalty contract is played twice over the match, and Trump eight
    times — twice for each of the four suits."
    """
    for seed in (1, 2, 3):
        names = Counter(result.contract.name for result in whole_match(ID, seed).results)
        assert names == dict.fromkeys(PENALTIES + TRUMPS, 2)


# --- How a trick is played ---


def test_the_leader_plays_any_card():
    """004, How a trick is played: "The player who leads plays any card they like." """
    for name in ("no-tricks", "no-queens", "no-men", "no-last-two"):
        assert legal(ID, name, "Ah 7s/Kh Qh" + REST, leader="N") == {"Ah", "7s"}
        assert len(legal_first(ID, name, SPADES_AND_A_HEART)) == 13


@pytest.mark.parametrize("name", PENALTIES + TRUMPS)
def test_followers_must_follow_suit(name):
    """004, How a trick is played: "The players that follow must follow suit — if they hold a card of that
    suit they cannot play another."
    """
    hands = "Ad 7s/3d Kh" + REST
    position = at(ID, name, hands, leader="N", trick="Ad", broken=True)
    assert position.legal_cards() == ["3d"]
    assert position.why_illegal("Kh") == "you must follow suit"


def test_the_highest_of_the_suit_takes_the_trick_and_leads():
    """004, How a trick is played: "Among the cards that follow suit, the highest takes the trick and that
    player leads the next one."
    """
    after = played(ID, "no-tricks", "4d 2s/Jd 3s/Td 4s/Ah 5s", "4d Jd Td Ah")
    assert (after.leader, after.turn, after.banked) == ("E", "E", (0, -50, 0, 0))


def test_trumps_only_in_the_trump_contract_where_they_beat_every_suit():
    """004, How a trick is played: "Penalty contracts are played without trumps; trumps only come into
    play in the Trump contract, where trump beats every suit."
    """
    assert {contract(ID, name).trump for name in PENALTIES} == {None}
    for name in TRUMPS:
        assert contract(ID, name).trump == name[-1]
        suit = "d" if name != "trumps-d" else "c"
        low, high = f"2{name[-1]}", f"A{suit}"
        assert trick(ID, name, f"{high} {low} 3{suit} 4{suit}") == (0, 50, 0, 0)


# --- Seven contracts ---


def test_six_penalty_contracts_and_one_positive():
    """004, Seven contracts: "Six are penalty contracts and one is positive." """
    contracts = load_variant(ID).contracts
    assert [name for name, c in contracts.items() if c.max_points == 0] == PENALTIES
    assert [name for name, c in contracts.items() if c.min_points == 0] == TRUMPS


def test_penalties_are_for_the_stated_cards_or_tricks():
    """004, Seven contracts: "In penalty contracts the goal is to avoid the stated cards or tricks." """
    points = [trick(ID, name, "Ah Kh Qs Js")[0] for name in PENALTIES]
    assert points == [-50, -60, -100, -120, -180, -320]
    assert contract(ID, "no-last-two").trick_points == (0,) * 11 + (-180, -180)


def test_contracts_taken_in_full():
    """004, Seven contracts: "When a contract is taken in full: No Tricks −650, No Hearts −390, No Queens
    −400, No Jacks/Kings −480, Last Two Tricks −360, King of Hearts −320, Trump +650."
    """
    assert [contract(ID, name).total for name in PENALTIES] == [-650, -390, -400, -480, -360, -320]
    assert [contract(ID, name).total for name in TRUMPS] == [650] * 4


# --- In penalty contracts ---

PENALTY_CARDS = {"no-hearts": "2h Kh", "no-queens": "Qd Qh", "no-men": "Jd Kh", "no-king": "Kh"}


@pytest.mark.parametrize("name", PENALTY_CARDS)
def test_a_void_hand_must_discard_the_penalty_card(name):
    """004, In penalty contracts: "If you cannot follow suit you must discard the penalty card" (heading)"""
    owed = PENALTY_CARDS[name]
    hand = f"{owed} 3c"
    size = len(hand.split())
    others = ["As 6s 5s", "Ts 9s 8s", "Js 7s 4s"]
    n, s, w = (" ".join(other.split()[:size]) for other in others)
    assert legal(ID, name, f"{n}/{hand}/{s}/{w}", leader="N", trick="As") == set(owed.split())


def test_holding_the_penalty_card_and_none_of_the_led_suit():
    """004, In penalty contracts: "If you hold no card of the led suit and you do hold that contract's
    penalty card, you must discard it."
    """
    assert legal(ID, "no-queens", "As 6s/Qd 2s" + REST, leader="N", trick="As") == {"2s"}
    assert legal(ID, "no-queens", "As 6s/Qd 2c" + REST, leader="N", trick="As") == {"Qd"}
    assert legal(ID, "no-queens", "As 6s/Kd 2c" + REST, leader="N", trick="As") == {"Kd", "2c"}


@pytest.mark.parametrize("name", ["no-tricks", "no-last-two"])
def test_no_such_obligation_in_no_tricks_and_last_two(name):
    """004, In penalty contracts: "There is no such obligation in No Tricks and Last Two Tricks — you
    discard freely."
    """
    assert legal(ID, name, "As 6s/Qd Kh" + REST, leader="N", trick="As") == {"Qd", "Kh"}


def test_no_hearts_a_heart_must_be_discarded():
    """004, In penalty contracts: "No Hearts → a heart from your hand must be discarded." """
    assert legal(ID, "no-hearts", "As 6s/2h Qd" + REST, leader="N", trick="As") == {"2h"}
    reason = at(ID, "no-hearts", "As 6s/2h Qd" + REST, leader="N", trick="As").why_illegal("Qd")
    assert reason == "a heart must be discarded"


def test_no_queens_a_queen_must_be_discarded():
    """004, In penalty contracts: "No Queens → a queen from your hand must be discarded." """
    assert legal(ID, "no-queens", "As 6s/Qh Kd" + REST, leader="N", trick="As") == {"Qh"}


def test_no_jacks_kings_a_jack_or_king_must_be_discarded():
    """004, In penalty contracts: "No Jacks/Kings → a jack or king from your hand must be discarded." """
    assert legal(ID, "no-men", "As 6s/Jh Qd" + REST, leader="N", trick="As") == {"Jh"}
    assert legal(ID, "no-men", "As 6s/Kd Qd" + REST, leader="N", trick="As") == {"Kd"}
    assert legal(ID, "no-men", "As 6s/Kd Jh" + REST, leader="N", trick="As") == {"Kd", "Jh"}


def test_king_of_hearts_must_be_discarded():
    """004, In penalty contracts: "King of Hearts → the king of hearts (♥K) must be discarded." """
    assert legal(ID, "no-king", "As 6s/Kh Ah" + REST, leader="N", trick="As") == {"Kh"}


@pytest.mark.parametrize("name", ["no-hearts", "no-king"])
def test_hearts_cannot_be_led_until_broken(name):
    """004, In penalty contracts: "Hearts cannot be led until broken" (heading)"""
    position = at(ID, name, "Ah 7s/Kh Qh" + REST, leader="N")
    assert position.why_illegal("Ah") == "hearts may not be led until one has been played"
    assert not at(ID, "no-queens", "Ah 7s/Kh Qh" + REST, leader="N").why_illegal("Ah")


@pytest.mark.parametrize("name", ["no-hearts", "no-king"])
def test_until_a_heart_has_been_played_in_a_trick(name):
    """004, In penalty contracts: "In No Hearts and King of Hearts you cannot lead with a heart until a
    heart has been played in a trick."
    """
    hands = "As 6s Ah/Kh 2c 3c/Ts 9s 8c/8s 7s 4c"
    assert legal(ID, name, hands, leader="N") == {"As", "6s"}
    after = played(ID, name, hands, "As Kh Ts 8s")
    assert set(after.legal_cards()) == {"6s", "Ah"}
    unbroken = played(ID, name, hands.replace("Kh", "2s"), "As 2s Ts 8s")
    assert unbroken.legal_cards() == ["6s"]


@pytest.mark.parametrize("name", ["no-hearts", "no-king"])
def test_if_hearts_are_all_you_hold_you_must_play_them(name):
    """004, In penalty contracts: "If hearts are all you hold, you must play them." """
    assert legal(ID, name, "Ah 7h/Kh Qh" + REST, leader="N") == {"Ah", "7h"}


def test_all_hearts_open_up_when_you_cannot_follow():
    """004, In penalty contracts: "In King of Hearts, all hearts open up when you cannot follow suit"
    (heading) Our reading (docs/rules.md): the bar binds leads only. K♥ itself, when held, is owed.
    """
    assert legal(ID, "no-king", "As 6s/Ah 2h" + REST, leader="N", trick="As") == {"Ah", "2h"}


def test_all_of_your_hearts_become_playable_broken_or_not():
    """004, In penalty contracts: "If you cannot follow the led suit and you hold hearts, all of your
    hearts — including the king of hearts — become playable, whether or not hearts have been broken."
    """
    for broken in (False, True):
        assert legal(ID, "no-king", "As 6s/Ah 2c" + REST, leader="N", trick="As", broken=broken) == {
            "Ah",
            "2c",
        }
        assert "Kh" in legal(ID, "no-king", "As 6s/Kh 2h" + REST, leader="N", trick="As", broken=broken)


# --- In the Trump contract ---


def test_every_trick_earns_50():
    """004, In the Trump contract: "In the Trump contract the goal is reversed: every trick you take earns
    +50."
    """
    for name in TRUMPS:
        c = contract(ID, name)
        assert (c.trick_points, c.card_points) == ((50,) * 13, ())


def test_the_dealer_sets_one_of_four_suits():
    """004, In the Trump contract: "The dealer sets the trump suit as spades, hearts, diamonds or clubs." """
    match = Match(ID, seed=1)
    trumps = [name for name in match.open if match.variant.contract(name).trump]
    assert trumps == TRUMPS
    assert match.chooser == match.dealer
    with pytest.raises(MatchError, match="got 'trumps-nt'"):
        match.choose("trumps-nt")


def test_no_trump_on_the_first_trick():
    """004, In the Trump contract: "No trump on the first trick" (heading)"""
    assert legal_first(ID, "trumps-s", SPADES_AND_A_HEART) == {"2h"}
    assert len(legal_first(ID, "trumps-d", SPADES_AND_A_HEART)) == 13


def test_trump_is_neither_led_nor_discarded_on_the_first_trick():
    """004, In the Trump contract: "On the first trick of a round, trump can neither be led nor discarded
    when you cannot follow suit."
    """
    assert "As" not in legal_first(ID, "trumps-s", SPADES_AND_A_HEART)
    assert legal_first(ID, "trumps-s", SPADES_AND_A_HEART, led="3d") == {"2h"}
    assert legal(ID, "trumps-s", "3d 4d/As 2h/5d 6d/7d 8d", leader="N", trick="3d") == {"As"}  # a later trick


def test_if_trumps_are_all_you_hold_you_must_play_them():
    """004, In the Trump contract: "If trumps are all you hold, you must play them." """
    assert legal_first(ID, "trumps-s", ALL_SPADES) == set(ALL_SPADES.split())
    assert legal_first(ID, "trumps-s", ALL_SPADES, led="3d") == set(ALL_SPADES.split())


def test_trump_cannot_be_led_until_broken():
    """004, In the Trump contract: "Trump cannot be led until broken" (heading)"""
    position = at(ID, "trumps-s", "As 3d/Kh Qh/Td 9d/8d 7d", leader="N")
    assert position.why_illegal("As") == "trumps may not be led until one has been played"


def test_until_a_trump_has_been_played():
    """004, In the Trump contract: "You cannot lead with trump until a trump has been played." """
    hands = "Ad 3s 4c/2s 5h 6h/Td 9d 8c/8d 7d 9c"
    assert legal(ID, "trumps-s", hands, leader="N") == {"Ad", "4c"}
    after = played(ID, "trumps-s", hands, "Ad 2s Td 8d")
    assert after.turn == "E"
    assert set(after.legal_cards()) == {"5h", "6h"}
    again = played(ID, "trumps-s", "Ad 3s 4c/2s 5h 6s/Td 9d 8c/8d 7d 9c", "Ad 2s Td 8d")
    assert set(again.legal_cards()) == {"5h", "6s"}
    assert legal(ID, "trumps-s", "Ad 3s/5d 6s/Td 9d/8d 7d", leader="N", broken=True) == {"Ad", "3s"}
    assert legal(ID, "trumps-s", "As 3s/5d 6s/Td 9d/8d 7d", leader="N") == {"As", "3s"}  # nothing else held


def test_ace_king_and_queen_of_trumps_may_lead_one():
    """004, In the Trump contract: "The one exception: if you hold the ace, king and queen of that suit,
    you are free to."
    """
    rest = "/5d 6d 7c 8c 9c/Td 9d 2c 3c 4c/8d 7d 5c 6c Tc"
    assert legal(ID, "trumps-s", "As Ks Qs 2s 3d" + rest, leader="N") == {"As", "Ks", "Qs", "2s", "3d"}
    assert legal(ID, "trumps-s", "As Ks Js 2s 3d" + rest, leader="N") == {"3d"}
    assert legal(ID, "trumps-h", "As Ks Qs 2h 3d" + rest, leader="N") == {"As", "Ks", "Qs", "3d"}
    assert legal_first(ID, "trumps-s", SPADES_AND_A_HEART) == {"2h"}  # not on the first trick (docs/rules.md)


def test_you_must_trump_and_you_must_overtrump():
    """004, In the Trump contract: "You must trump, and you must overtrump" (heading)"""
    hands = "Ad 2d/7s 2h/9s 3s/Kd Qd"
    assert legal(ID, "trumps-s", hands, leader="N", trick="Ad 7s") == {"9s"}
    assert at(ID, "trumps-s", hands, leader="N", trick="Ad").why_illegal("2h") == "you must play a trump"
    reason = at(ID, "trumps-s", hands, leader="N", trick="Ad 7s").why_illegal("3s")
    assert reason == "you must beat the trump on the table"


@pytest.mark.parametrize("name", TRUMPS)
def test_a_void_hand_must_play_a_trump(name):
    """004, In the Trump contract: "If you cannot follow the led suit, you must play a trump." """
    trump = name[-1]
    led, other = [suit for suit in "shdc" if suit != trump][:2]
    rest = f"/T{led} 9{led}/8{led} 7{led}"
    assert legal(ID, name, f"A{led} 2{led}/3{trump} A{other}{rest}", leader="N", trick=f"A{led}") == {
        f"3{trump}"
    }
    free = legal(ID, name, f"A{led} 2{led}/3{other} A{other}{rest}", leader="N", trick=f"A{led}")
    assert free == {f"3{other}", f"A{other}"}


def test_a_higher_trump_must_be_played():
    """004, In the Trump contract: "If a trump is already on the table and you hold a higher one, you must
    play that higher trump."
    """
    hands = "Ad 2d 3d/7s 2h 3h/9s 8s 3s/Kd Qd Jd"
    assert legal(ID, "trumps-s", hands, leader="N", trick="Ad 7s") == {"9s", "8s"}
    under = "Ad 2d/Ts 2h/9s 3h/Kd Qd"
    assert legal(ID, "trumps-s", under, leader="N", trick="Ad Ts") == {"9s"}  # underruffing is compulsory


def test_trump_led_is_followed_and_overtaken():
    """004, In the Trump contract: "When trump is led you must follow with trump and overtake it if you
    can."
    """
    hands = "7s 2d/Ts 3s/9s Js/8s 4h"
    assert legal(ID, "trumps-s", hands, leader="N", trick="7s", broken=True) == {"Ts"}
    # "it" is the highest trump in the trick (docs/rules.md): 9♠ beats the trump led, not the one on the table
    assert legal(ID, "trumps-s", hands, leader="N", trick="7s Ts", broken=True) == {"Js"}
    assert legal(ID, "trumps-s", hands, leader="N", trick="7s Ts Js", broken=True) == {"8s"}
    low = "Ks 2d/Ts 3s/9s Js/8s 4h"
    assert legal(ID, "trumps-s", low, leader="N", trick="Ks", broken=True) == {"Ts", "3s"}


# --- Choosing a contract ---


def test_the_rounds_dealer_chooses():
    """004, Choosing a contract: "The contract for each round is chosen by that round's dealer." """
    match = Match(ID, seed=4)
    for _ in range(3):
        assert match.chooser == match.dealer
        assert len(match.first_cards()) == 13  # the whole hand is seen
        play_on(match, 1, 4)


def test_everyone_makes_the_same_number_of_choices():
    """004, Choosing a contract: "Since the dealer rotates, everyone makes the same number of choices over
    a match."
    """
    assert Counter(result.chooser for result in whole_match(ID).results) == dict.fromkeys("NESW", 5)


def test_only_contracts_whose_quota_is_not_filled():
    """004, Choosing a contract: "The choice is not free: only contracts whose quota is not yet filled can
    be picked."
    """
    match = Match(ID, seed=1)
    assert set(match.open) == set(PENALTIES + TRUMPS)
    for _ in range(2):
        match.choose("no-queens")
        match.record([-400, 0, 0, 0])
    assert set(match.open) == set(PENALTIES + TRUMPS) - {"no-queens"}
    with pytest.raises(MatchError, match="'no-queens', which is not open"):
        match.choose("no-queens")


def test_after_20_rounds_every_quota_is_filled():
    """004, Choosing a contract: "This way, after 20 rounds each contract has been played exactly as many
    times as its quota."
    """
    match = whole_match(ID, 2)
    assert match.is_over
    (quota,) = match.plan.quotas
    played_names = Counter(result.contract.name for result in match.results)
    assert played_names == dict.fromkeys(quota.of, quota.each)
    assert match.balance == 0
