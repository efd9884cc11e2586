"""The variants beyond the seeds at play: rifki, jeu-du-roi, king-1993, kierki (docs/rules.md)."""

import pytest

from play import at, contract, legal, legal_first, played

SPADES_AND_A_HEART = "As Ks Qs Js Ts 9s 8s 7s 6s 5s 4s 3s 2h"


def test_rifki_is_played_counter_clockwise():
    position = at("rifki", "no-tricks", "As/Ks/Qs/Js", leader="N", trick="As")
    assert position.turn == "W"
    assert played("rifki", "no-tricks", "2s 3s/4s 5s/6s 7s/8s 9s", "2s 8s 6s 4s").leader == "W"


@pytest.mark.parametrize(
    ("name", "hand", "trick", "owed"),
    [
        ("no-hearts", "2h 9h Ah", "Jh", {"2h", "9h"}),
        ("no-hearts", "9h Kh Ah", "8h", {"9h", "Kh", "Ah"}),
        ("no-queens", "2d Qd Ad", "Kd", {"Qd"}),
        ("no-queens", "2d Qd Ad", "Jd", {"2d", "Qd", "Ad"}),
        ("no-men", "Jd Kd 2d", "Qd", {"Jd"}),
        ("no-men", "Jd Kd 2d", "Ad", {"Jd", "Kd"}),
        ("no-king", "2h Qh Kh", "Ah", {"Kh"}),
        ("no-king", "2h Qh Kh", "Jh", {"2h", "Qh", "Kh"}),
        ("no-tricks", "2h Qh Kh", "Ah", {"2h", "Qh", "Kh"}),
    ],
)
def test_rifki_a_penalty_card_goes_under_a_higher_one(name, hand, trick, owed):
    """A penalty card of the led suit is owed if a higher card of that suit lies in the trick."""
    hands = f"{trick} 3{trick[1]} 4{trick[1]}/8s 7s 6s/Ts 9s 5s/{hand}"
    assert legal("rifki", name, hands, leader="N", trick=trick, broken=True) == owed


def test_rifki_a_higher_card_of_another_suit_forces_nothing():
    hands = "2d 3d 4d/8s 7s 6s/Ts 9s 5s/Ah Kh Qd"
    assert legal("rifki", "no-queens", hands, leader="N", trick="2d") == {"Qd"}
    hands = "2d 3d 4d/8s 7s 6s/Qd 7d 5s/Ah Ks Kh"
    assert legal("rifki", "no-queens", hands, leader="N", trick="2d Ks") == {"Qd", "7d"}


def test_rifki_must_trump_but_need_not_overtrump_nor_beat():
    hands = "Ad 2d/8c 7c/2s As/9s 3h"
    assert legal("rifki", "trumps-s", hands, leader="N", trick="Ad 9s") == {"2s", "As"}
    assert legal("rifki", "trumps-s", "9s 2d/8c 7c/2s As/Ts 3h", leader="N", trick="9s Ts") == {"2s", "As"}


def test_rifki_has_no_first_trick_bar_and_no_bar_on_trumps():
    assert len(legal_first("rifki", "trumps-s", SPADES_AND_A_HEART)) == 13
    assert len(legal_first("dealers-choice-20", "trumps-s", SPADES_AND_A_HEART)) == 1
    assert legal("rifki", "trumps-s", "2s 3d/4d 5d/6d 7d/8d 9d", leader="N") == {"2s", "3d"}


@pytest.mark.parametrize("name", ["no-hearts", "no-king"])
def test_rifki_hearts_may_not_be_led_until_broken(name):
    hands = "2h 3d/4d 5d/6d 7d/8d 9d"
    assert legal("rifki", name, hands, leader="N") == {"3d"}
    assert legal("rifki", name, hands, leader="N", broken=True) == {"2h", "3d"}


def test_jeu_du_roi_must_trump_and_nothing_more():
    hands = "Ad 2d/9s 8c/2s As/9c 3h"
    assert legal("jeu-du-roi", "trumps-s", hands, leader="N", trick="Ad 9s") == {"2s", "As"}
    assert len(legal_first("jeu-du-roi", "trumps-s", SPADES_AND_A_HEART)) == 13


def test_jeu_du_roi_keeps_003s_bars_and_king():
    assert legal("jeu-du-roi", "no-hearts", "2h 3d/4d 5d/6d 7d/8d 9d", leader="N", broken=True) == {"3d"}
    assert legal("jeu-du-roi", "no-king", "As 2s/Kh Qh/6d 7d/8d 9d", leader="N", trick="As") == {"Kh"}
    assert len(legal("jeu-du-roi", "no-queens", "As 2s/Kh Qh/6d 7d/8d 9d", leader="N", trick="As")) == 2


@pytest.mark.parametrize("name", ["no-king", "king", "eralash", "eralash-plus"])
def test_king_1993_never_forces_the_king_of_hearts(name):
    assert len(legal("king-1993", name, "As 7s/Kh Qh/8d 7d/Td 9d", leader="N", trick="As")) == 2
    assert legal("king-1993", name, "7h 7s/Kh Qh/8d 7d/Td 9d", leader="N", broken=True) == {"7s"}


@pytest.mark.parametrize("name", ["no-hearts", "no-king", "eralash"])
def test_kierki_has_no_bars_and_no_duties(name):
    assert legal("kierki", name, "2h 3d/4d 5d/6d 7d/8d 9d", leader="N") == {"2h", "3d"}
    assert len(legal("kierki", name, "As 2s/Kh Qd/6d 7d/8d 9d", leader="N", trick="As")) == 2


def test_kierki_counts_the_seventh_and_the_last_trick():
    points = contract("kierki", "no-7th-last").trick_points
    assert [i + 1 for i, p in enumerate(points) if p] == [7, 13]
