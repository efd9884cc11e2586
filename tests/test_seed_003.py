"""Seed 003 "King (card game) explained", one test a sentence.

Left out: "should not be confused with Kings" and the image (no rule); origin, related games, chance and
skills; "goes back to the 1920s", "It may be related to Barbu" (history); bibliography and links.
"Players", "Play", "Card Rank", "Num Cards" and "Features" of the box have tests.
"""

import pytest

from kingsolve.cards import cards_of
from kingsolve.variants import load_variant
from play import at, contract, legal, next_seat, played, trick, whole_match

THREE, FOUR = "parlett-3", "parlett-4"
NEGATIVE = ["no-tricks", "no-hearts", "no-men", "no-queens", "no-last-two", "no-king"]
POSITIVE = ["tricks", "hearts", "men", "queens", "last-two", "king"]
BARRED = ["no-hearts", "no-king", "hearts", "king"]


# --- the box ---


def test_players_3_or_4():
    """003: "Players: 3 or 4"; "King is a Russian compendium card game of the Hearts family for 3 or 4
    players ..."
    """
    assert [load_variant(id).seats for id in (THREE, FOUR)] == [3, 4]
    assert [load_variant(id).seat_names for id in (THREE, FOUR)] == ["NES", "NESW"]


def test_play_clockwise():
    """003: "Play: Clockwise" """
    assert at(THREE, "tricks", "As/Ks/Qs", leader="N", trick="As").turn == "E"
    assert at(THREE, "tricks", "As/Ks/Qs", leader="S", trick="Qs").turn == "N"
    assert at(FOUR, "tricks", "As/Ks/Qs/Js", leader="W", trick="Js").turn == "N"


def test_card_rank():
    """003: "Card Rank: A K Q J 10 9 8 7 (6)" """
    for low, high in zip("6789TJQK", "789TJQKA", strict=True):
        assert trick(THREE, "tricks", f"{low}s {high}s Ad") == (0, 6, 0)
    for low, high in zip("789TJQK", "89TJQKA", strict=True):
        assert trick(FOUR, "tricks", f"{low}s {high}s Ad Ac") == (0, 2, 0, 0)


def test_num_cards_36_or_32():
    """003: "Num Cards: 36 or 32" """
    assert [load_variant(id).pack.bit_count() for id in (THREE, FOUR)] == [36, 32]


def test_six_deals_times_two_rounds():
    """003: "Features: 6 deals x 2 rounds = 12 games" """
    for id in (THREE, FOUR):
        assert load_variant(id).plan.rounds == len(whole_match(id).results) == 12


# --- Three players ---


def test_three_players_with_36_cards_aces_high():
    """003, Three players: "King is played by three players with 36 Russian-pattern, French-suited playing
    cards ranking in their natural order, Aces high."
    """
    v = load_variant(THREE)
    assert v.seats == 3
    assert {card[0] for card in cards_of(v.pack)} == set("6789TJQKA")
    assert trick(THREE, "tricks", "6s 7s As") == (0, 0, 6)


def test_clockwise_and_twelve_cards_each():
    """003, Three players: "Deal and play are assumed clockwise and each player receives 12 cards." """
    v = load_variant(THREE)
    assert (v.clockwise, v.hand_size) == (True, 12)
    for result in whole_match(THREE).results:
        assert [hand.bit_count() for hand in result.round.deal.hands] == [12, 12, 12]
    dealers = [result.dealer for result in whole_match(THREE).results]
    assert "".join(dealers) in "NES" * 5


def test_eldest_leads_and_players_follow_or_play_any_card():
    """003, Three players: "Eldest hand leads and players must follow suit if able; failing that they may
    play any card."
    """
    for id in (THREE, FOUR):
        assert all(r.leader == next_seat(id, r.dealer) for r in whole_match(id).results)
    for name in ("no-tricks", "no-men", "no-queens", "no-last-two", "no-hearts"):
        assert legal(THREE, name, "As 6c/Ks 7h/Qs Kh", leader="N", trick="As") == {"Ks"}
        assert legal(THREE, name, "As 6c/Kh 7d/Qs 7c", leader="N", trick="As") == {"Kh", "7d"}


def test_two_rounds_of_six_contracts():
    """003, Three players: "There are two rounds of six contracts." """
    assert list(load_variant(THREE).contracts) == NEGATIVE + POSITIVE


def test_the_first_round_is_negative():
    """003, Three players: "The first is a round of negative games as follows:" """
    assert load_variant(THREE).plan.order[:6] == tuple((name,) for name in NEGATIVE)
    for result in whole_match(THREE).results[:6]:
        assert sum(result.scores) == -72
        assert max(result.scores) <= 0


@pytest.mark.parametrize(
    ("name", "cards", "points"),
    [
        pytest.param(
            "no-tricks", "As 7s 8s", -6, id="1. No Tricks. Each trick taken incurs 6 penalty points."
        ),
        pytest.param(
            "no-hearts", "Ah 7h 8s", -16, id="2. No Hearts. Each heart taken is worth 8 penalty points."
        ),
        pytest.param("no-men", "Ks Js Qs", -18, id="3. No Men. Each King and Jack incurs 9 penalty points."),
        pytest.param("no-queens", "Qs Qd Kh", -36, id="4. No Queens. Each Queen costs 18 penalty points."),
        pytest.param("no-king", "As Kh Qh", -72, id="6. No King of Hearts. K is worth 72 penalty points."),
    ],
)
def test_penalties_for_three(name, cards, points):
    """003, Three players: sentences 1 to 6 of the first round, quoted in the test's id."""
    assert trick(THREE, name, cards) == (points, 0, 0)


def test_either_of_the_last_two_tricks_for_three():
    """003, Three players: "5. No Last Two Tricks. Taking either of the last two tricks is worth 36
    penalty points."
    """
    assert contract(THREE, "no-last-two").trick_points == (0,) * 10 + (-36, -36)
    after = played(THREE, "no-last-two", "As 6c 9d/Ks 7c 8d/Qs 8c 7d", "As Ks Qs 6c 7c 8c 7d 9d 8d")
    assert after.banked == (-36, 0, -36)


@pytest.mark.parametrize("id", [THREE, FOUR])
@pytest.mark.parametrize("name", BARRED)
def test_hearts_may_not_be_led_unless_there_is_no_choice(id, name):
    """003, 2. No Hearts and 6. No King of Hearts: "Hearts may not be led unless there is no choice." """
    rest = "/8s 8c/9s 9c" + ("/Ts Tc" if id == FOUR else "")
    assert legal(id, name, f"7h 7s{rest}", leader="N", broken=True) == {"7s"}
    assert legal(id, name, f"7h Kh{rest}", leader="N") == {"7h", "Kh"}
    for free in set(NEGATIVE + POSITIVE) - set(BARRED):
        assert legal(id, free, f"7h 7s{rest}", leader="N") == {"7h", "7s"}


@pytest.mark.parametrize("id", [THREE, FOUR])
@pytest.mark.parametrize("name", ["no-king", "king"])
def test_the_king_must_be_played_if_unable_to_follow(id, name):
    """003, 6. No King of Hearts: "K must be played if unable to follow suit." """
    rest = "/9s 9c" + ("/Ts Tc" if id == FOUR else "")
    assert legal(id, name, f"As 7s/Kh Qh{rest}", leader="N", trick="As") == {"Kh"}
    assert legal(id, name, f"Ah 7h/Kh Qh{rest}", leader="N", trick="Ah") == {"Kh", "Qh"}
    assert legal(id, "no-hearts", f"As 7s/Kh Qh{rest}", leader="N", trick="As") == {"Kh", "Qh"}


@pytest.mark.parametrize("id", [THREE, FOUR])
def test_the_second_round_is_identical_and_positive(id):
    """003: "The second round is identical, except that all the games are now positive – Tricks, Hearts,
    Men, etc., and score plus points instead."
    """
    v = load_variant(id)
    assert v.plan.order[6:] == tuple((name,) for name in POSITIVE)
    for negative, positive in zip(NEGATIVE, POSITIVE, strict=True):
        a, b = v.contract(negative), v.contract(positive)
        assert b.trick_points == tuple(-points for points in a.trick_points)
        assert {m: -p for m, p in b.card_points} == dict(a.card_points)
        assert (a.barred, a.until_broken, a.must_discard) == (b.barred, b.until_broken, b.must_discard)
    match = whole_match(id)
    total = 72 if id == THREE else 16
    assert [sum(row) for row in match.scores] == [-total] * 6 + [total] * 6
    assert match.balance == 0
    assert [v.contract(name).title for name in POSITIVE[:3]] == ["Tricks", "Hearts", "Men"]


# --- Four players ---


def test_four_players_with_32_cards_eight_each():
    """003, Four players: "A version of King for four players is played with 32-card deck, each player
    receives 8 cards."
    """
    v = load_variant(FOUR)
    assert (v.seats, v.pack.bit_count(), v.hand_size) == (4, 32, 8)
    assert {card[0] for card in cards_of(v.pack)} == set("789TJQKA")


def test_two_rounds_of_six_contracts_for_four():
    """003, Four players: "There are two rounds of six contracts." """
    assert list(load_variant(FOUR).contracts) == NEGATIVE + POSITIVE


def test_the_first_round_is_negative_for_four():
    """003, Four players: "The first is a round of negative games as follows:" """
    assert load_variant(FOUR).plan.order[:6] == tuple((name,) for name in NEGATIVE)
    for result in whole_match(FOUR).results[:6]:
        assert sum(result.scores) == -16
        assert max(result.scores) <= 0


@pytest.mark.parametrize(
    ("name", "cards", "points"),
    [
        pytest.param(
            "no-tricks", "As 7s 8s 9s", -2, id="1. No Tricks. Each trick taken incurs 2 penalty points."
        ),
        pytest.param(
            "no-hearts", "Ah 7h 8s 9s", -4, id="2. No Hearts. Each heart taken is worth 2 penalty points."
        ),
        pytest.param(
            "no-men", "Ks Js Qs Jd", -6, id="3. No Men. Each King and Jack incurs 2 penalty points."
        ),
        pytest.param("no-queens", "Qs Qd Kh Jd", -8, id="4. No Queens. Each Queen costs 4 penalty points."),
        pytest.param("no-king", "As Kh Qh Jh", -16, id="6. No King of Hearts. K is worth 16 penalty points."),
    ],
)
def test_penalties_for_four(name, cards, points):
    """003, Four players: sentences 1 to 6 of the first round, quoted in the test's id."""
    assert trick(FOUR, name, cards) == (points, 0, 0, 0)


def test_either_of_the_last_two_tricks_for_four():
    """003, Four players: "5. No Last Two Tricks. Taking either of the last two tricks is worth 8 penalty
    points."
    """
    assert contract(FOUR, "no-last-two").trick_points == (0,) * 6 + (-8, -8)


# --- Jeu du Roi ---


def test_jeu_du_roi_is_for_four_with_52_cards():
    """003, Jeu du Roi: "There appears to be a French version, Jeu du Roi played between four players
    using a standard 52-card pack."
    """
    v = load_variant("jeu-du-roi")
    assert (v.seats, v.pack.bit_count(), v.hand_size, v.plan.rounds) == (4, 52, 13, 10)
    assert "reconstructed" in v.title
