"""Position: legal cards in order of precedence, reasons in the player's words, push and pop, errors."""

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import kingsolve as ks
import naive
from kingsolve.cards import SEATS, cards_of, mask_of
from twins import generator, our_contract, random_deal, scaled

RUSSIAN, CHOICE, RIFKI = "russian-14", "dealers-choice-20", "rifki"


def at(
    variant: str, contract: str, *hands: str, leader: str = "N", trick: str = "", broken: bool = False
) -> ks.Position:
    """A position from hands in seat order, as text; the cards of the trick are not in them."""
    found = our_contract(variant, contract)
    held = dict(zip(found.seat_names, hands, strict=True))
    return ks.Position(found, held, leader=leader, trick=trick, broken=broken)


def legal(position: ks.Position) -> str:
    """The legal cards as text."""
    return " ".join(position.legal_cards())


# ------------------------------------------------------------------------------------------ reasons in words


def test_hearts_may_not_be_led() -> None:
    position = at(RUSSIAN, "no-hearts", "Ah 7h 8c", "9h 9c Tc", "Kh Jc Qc", "Qh Kc Ac")
    assert legal(position) == "8c"
    assert position.why_illegal("Ah") == "hearts may not be led while you hold another suit"
    assert position.why_illegal("8c") is None
    with pytest.raises(
        ks.IllegalCard,
        match=r"^hearts may not be led while you hold another suit: 'Ah' led while holding 'Ah 7h 8c' "
        r"\(N, trick 6\)$",
    ):
        position.push("ah")


def test_a_discarded_heart_lifts_nothing_until_nothing_else_is_held() -> None:
    position = at(RUSSIAN, "no-hearts", "Ah 7c", "9h Th", "Kh Jc", "Qh Kc", leader="W", trick="")
    for card in ("Kc", "7c", "9h", "Jc"):
        position.push(card)
    assert position.turn == "W"
    assert legal(position) == "Qh"
    other = at(RUSSIAN, "no-hearts", "Ah 7c Ac", "9h Th Jh", "Kh Jc Qd", "Qh Kc Kd", leader="W", broken=True)
    assert legal(other) == "Kd Kc"


def test_until_one_has_been_played() -> None:
    hands = ("Ah 7c", "9h Td", "Kh Jc", "Qh Kc")
    position = at(CHOICE, "no-hearts", *hands)
    assert position.why_illegal("Ah") == "hearts may not be led until one has been played"
    assert not position.broken
    assert at(CHOICE, "no-hearts", *hands, broken=True).why_illegal("Ah") is None
    for card in ("7c", "9h", "Jc", "Kc"):
        position.push(card)
    assert position.broken
    position.pop()
    position.pop()
    assert position.broken
    position.pop()
    assert not position.broken
    # a barred card in the trick in progress breaks too
    late = at(CHOICE, "no-hearts", "Ah", "Td", "Kh Jc", "Qh Kc", trick="7c 9h")
    assert late.broken


def test_you_must_follow_suit() -> None:
    position = at(RUSSIAN, "no-queens", "Ac Kc", "7c Qs", "8c 9c", "Tc Jc", trick="")
    position.push("Ac")
    assert position.why_illegal("Qs") == "you must follow suit"
    with pytest.raises(
        ks.IllegalCard, match=r"^you must follow suit: 'Qs' on a club lead while holding '7c' \(E, trick 7\)$"
    ):
        position.push("Qs")
    assert position.why_illegal("7c") is None


def test_hearts_are_followed_freely_with_the_king() -> None:
    """Seed 000, 03: any heart may be played on a heart lead."""
    position = at(RUSSIAN, "no-king", "7h", "Kh 8h", "8c 9c", "Tc Jc", trick="Ah")
    assert legal(position) == "Kh 8h"


def test_the_king_of_hearts_must_be_discarded() -> None:
    for variant in (RUSSIAN, CHOICE):
        position = at(variant, "no-king", "Kc", "Kh 8h", "8c 9c", "Tc Jc", trick="Ac")
        assert legal(position) == "Kh"
        assert position.why_illegal("8h") == "the king of hearts must be discarded"
    assert at("king-1993", "no-king", "Kc", "Kh 8h", "8c 9c", "Tc Jc", trick="Ac").why_illegal("8h") is None


@pytest.mark.parametrize(
    ("contract", "hand", "expected", "other", "reason"),
    [
        ("no-hearts", "Kh 8h Qs", "Kh 8h", "Qs", "a heart must be discarded"),
        ("no-queens", "Kh Qs Qd", "Qs Qd", "Kh", "a queen must be discarded"),
        ("no-men", "Kh Js Qd", "Js Kh", "Qd", "a king or jack must be discarded"),
    ],
)
def test_compulsory_discards(contract: str, hand: str, expected: str, other: str, reason: str) -> None:
    """Seed 004: the player chooses which of several."""
    position = at(CHOICE, contract, "Kc 2c", hand, "8c 9c Tc", "Jc Qc 3c", trick="Ac")
    assert legal(position) == expected
    assert position.why_illegal(other) == reason


def test_you_must_play_a_trump_and_beat_the_one_on_the_table() -> None:
    position = at(CHOICE, "trumps-s", "Kc", "7d", "Ks 9s", "Jc Qc", trick="Ac Ts")
    assert legal(position) == "Ks"
    assert position.why_illegal("9s") == "you must beat the trump on the table"
    position = at(CHOICE, "trumps-s", "Kc 4c", "7d 8d", "Ks 9s 2h", "Jc Qc 3c", trick="Ac Ts")
    assert position.why_illegal("2h") == "you must play a trump"
    free = at("full-king", "trumps-s", "Kc 8c", "7d 8d", "Ks 9s 7h", "Jc Qc Tc", trick="Ac Ts")
    assert legal(free) == "Ks 9s"
    assert free.why_illegal("7h") == "you must play a trump"


def test_underruffing_is_compulsory() -> None:
    position = at(CHOICE, "trumps-s", "Kc 4c", "7d 8d", "8s 9s 2h", "Jc Qc 3c", trick="Ac Ts")
    assert legal(position) == "9s 8s"
    assert position.why_illegal("2h") == "you must play a trump"


def test_led_trumps_must_be_beaten() -> None:
    position = at(CHOICE, "trumps-s", "2s 3s", "As Qs 4s", "Jc Qc 3c", "4c 5c 6c", trick="Ts", broken=True)
    assert legal(position) == "As Qs"
    assert position.why_illegal("4s") == "you must beat the trump on the table"
    assert position.why_illegal("2c") == "you do not hold that card"
    low = at(CHOICE, "trumps-s", "2s 3s", "9s 4s 5d", "Jc Qc 3c", "4c 5c 6c", trick="Ts", broken=True)
    assert legal(low) == "9s 4s"
    # "it" is the highest trump in the trick, not the one led
    third = at(CHOICE, "trumps-s", "2s 3s", "9s 4s", "Js Qs 3c", "4c 5c 6c", trick="Ts As", broken=True)
    assert legal(third) == "Qs Js"


def test_ace_king_and_queen_of_trumps_waive_the_bar_but_not_on_the_first_trick() -> None:
    strong = ("As Ks Qs 2s 5c", "Js 3c 4c 6c 2h", "Ts 7c 8c 9c 3h", "9s Tc Jc Qc 4h")
    position = at(CHOICE, "trumps-s", *strong)
    assert legal(position) == "As Ks Qs 2s 5c"
    weak = at(CHOICE, "trumps-s", "As Ks 5c", "Js 3c 4c", "Ts 7c 8c", "9s Tc Jc")
    assert legal(weak) == "5c"
    assert weak.why_illegal("As") == "trumps may not be led until one has been played"
    full = "AKQ.5432.432.432 JT9.AKQ.AKQ5.AKQ 8765.JT9.JT9.JT9 432.876.876.8765".split()
    first = ks.Position(our_contract(CHOICE, "trumps-s"), "N:" + " ".join(full), leader="N")
    assert first.first_trick
    assert first.why_illegal("As") == "trumps may not be played on the first trick"
    assert not any(card.endswith("s") for card in first.legal_cards())
    # the first-trick sentence is absolute: a trump played before does not lift it
    broken = ks.Position(first.contract, "N:" + " ".join(full), leader="N", broken=True)
    assert legal(broken) == legal(first)


def test_all_trumps_on_the_first_trick() -> None:
    deal = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
    lead = ks.Position(our_contract(CHOICE, "trumps-s"), deal, leader="N")
    assert len(lead.legal_cards()) == 13
    follow = ks.Position(our_contract(CHOICE, "trumps-s"), deal, leader="W")
    follow.push("2c")
    assert len(follow.legal_cards()) == 13
    mixed = "N:AKQJT9876543..2. .AKQJT98765432.. 2..AKQJT9876543. ...AKQJT98765432"
    void = ks.Position(our_contract(CHOICE, "trumps-s"), mixed, leader="W")
    void.push("2c")
    assert legal(void) == "2d"
    assert void.why_illegal("As") == "trumps may not be played on the first trick"


def test_hearts_only_may_lead_hearts() -> None:
    for variant, contract in ((RUSSIAN, "no-king"), (CHOICE, "no-king"), (RIFKI, "no-hearts")):
        position = at(variant, contract, "Ah 7h", "9h 9c", "Kh Jc", "Qh Kc")
        assert legal(position) == "Ah 7h"
    trumps = at(CHOICE, "trumps-h", "Ah 7h", "9h 9c", "Kh Jc", "Qh Kc")
    assert legal(trumps) == "Ah 7h"


def test_a_penalty_card_is_forced_under_a_higher_one() -> None:
    """rifki: of the penalty cards of the led suit, those below the highest of it in the trick."""
    under = at(
        RIFKI, "no-men", "2s 3s 4s", "5s 6s 7s 8s", "Ts Js Qs Ks", "2d 9s 3d 4d", leader="N", trick="As"
    )
    assert under.turn == "W"
    under.push("9s")
    assert under.turn == "S"
    assert legal(under) == "Ks Js"
    assert under.why_illegal("Qs") == "you must play a penalty card under the higher card on the table"
    queen = at(
        RIFKI, "no-men", "2s 3s 4s", "5s 6s 7s 8s", "Ts Js As Ks", "2d 9s 3d 4d", leader="N", trick="Qs"
    )
    queen.push("9s")
    assert legal(queen) == "Js"
    low = at(RIFKI, "no-men", "2s 3s 4s", "5s 6s 7s 8s", "Qs Js As Ks", "2d 9s 3d 4d", leader="N", trick="Ts")
    low.push("9s")
    assert legal(low) == "As Ks Qs Js"


def test_all_is_played() -> None:
    position = at(RUSSIAN, "no-tricks", "Ac", "7c", "8c", "9c")
    for card in ("Ac", "7c", "8c", "9c"):
        position.push(card)
    assert position.is_over
    assert position.legal_cards() == []
    assert position.why_illegal("Ac") == "the round has no card left to play"
    with pytest.raises(ks.IllegalCard, match="the round has no card left to play"):
        position.push("Ac")


# ---------------------------------------------------------------------------------------- playing and points


def state(position: ks.Position) -> tuple[object, ...]:
    """Everything there is to see."""
    names = "masks leader turn trick broken tricks_left place first_trick banked to_come is_over".split()
    return *(getattr(position, name) for name in names), position.legal_cards(), repr(position)


@pytest.mark.parametrize("variant", sorted(ks.variant_ids()))
def test_push_and_pop_from_any_point(variant: str) -> None:
    """Random walks to the last card and back restore everything, from a point in mid-trick too."""
    for contract in ks.load_variant(variant).contracts.values():
        rng = generator("walk", variant, contract.name)
        for _ in range(scaled(1)):
            position = random_deal(rng, contract, rng.randrange(1, contract.hand_size + 1)).position()
            for _ in range(rng.randrange(2 * contract.seats)):
                if position.legal_cards():
                    position.push(rng.choice(position.legal_cards()))
            walk(rng, position.copy())
            late = ks.Position(
                contract, position.hands, leader=position.leader, trick=position.trick, broken=position.broken
            )
            assert late.banked == (0,) * contract.seats
            assert (late.masks, late.turn, late.legal_cards()) == (
                position.masks, position.turn, position.legal_cards(),
            )  # fmt: skip
            walk(rng, late)


def walk(rng: random.Random, position: ks.Position) -> None:
    """To the end and back in one go, with some steps back on the way."""
    states, played = [state(position)], []
    to_come, banked = position.to_come, sum(position.banked)
    while position.legal_cards():
        if played and rng.random() < 0.2:
            states.pop()
            assert position.pop() == played.pop()
            assert state(position) == states[-1]
            continue
        played.append(rng.choice(position.legal_cards()))
        position.push(played[-1])
        states.append(state(position))
        assert sum(position.banked) - banked + position.to_come == to_come
    while played:
        assert position.pop() == played.pop()
        states.pop()
        assert state(position) == states[-1]
    with pytest.raises(ks.IllegalCard, match="expected a card to take back"):
        position.pop()


@pytest.mark.parametrize(
    ("variant", "over"),
    [
        ("russian-14", True), ("full-king", True), ("short-king", True), ("parlett-3", True),
        ("parlett-4", True), ("king-1993", True), ("rifki", True), ("kierki", True), ("jeu-du-roi", True),
        ("dealers-choice-20", False),
    ],
)  # fmt: skip
def test_early_stop(variant: str, over: bool) -> None:
    """The round ends once nothing scores any more, but only when a trick is complete; not in 004."""
    hands = ("Ac Ad", "Kh 7c", "8c 8d", "9c 9d")[: our_contract(variant, "no-king").seats]
    position = at(variant, "no-king", *hands, leader="N")
    order = "NESW" if len(hands) == 4 else "NES"
    order = order if position.contract.clockwise else "N" + order[:0:-1]
    assert not position.is_over
    trick = {"N": "Ad", "E": "Kh", "S": "8d", "W": "9d"}
    for seat in order:
        assert not position.is_over
        assert position.turn == seat
        position.push(trick[seat])
    assert position.is_over == over
    assert position.to_come == 0
    assert position.legal_cards() == ["Ac"]
    for name in ("no-tricks", "no-last-two"):
        if name in ks.load_variant(variant).contracts:
            assert not at(variant, name, *hands, leader="N").is_over


def test_tricks_and_last_two_rounds_never_stop_early() -> None:
    for name in ("no-tricks", "no-last-two", "tricks", "last-two", "eralash"):
        assert not at(RUSSIAN, name, "Ac", "7c", "8c", "9c").is_over
    assert at(RUSSIAN, "no-queens", "Ac", "7c", "8c", "9c").is_over
    assert not at(RUSSIAN, "no-queens", "Ac", "7c", "8c", "Qc").is_over
    # kierki's seventh and last trick: tricks without points in between
    kierki = at("kierki", "no-7th-last", "Ac", "7c", "8c", "9c")
    assert not kierki.is_over
    assert kierki.to_come == -10


def test_play_goes_clockwise_and_counter_clockwise_in_rifki() -> None:
    for variant, order in ((RUSSIAN, "ESWN"), (RIFKI, "ENWS")):
        position = at(variant, "no-tricks", "Ac", "7c", "8c", "9c", leader="E")
        seen = ""
        for _ in range(4):
            seen += position.turn
            position.push(position.legal_cards()[0])
        assert seen == order
        assert position.turn == position.leader == "N"
        assert position.banked == ((-2 if variant == RUSSIAN else -50), 0, 0, 0)
    three = at("parlett-3", "no-tricks", "Ac", "7c", "8c", leader="S")
    for card in ("8c", "Ac", "7c"):
        three.push(card)
    assert three.banked == (-6, 0, 0)


def test_a_late_start_with_a_trick_in_progress() -> None:
    """Cards of the trick may still stand in the hands of those who played them, or not."""
    contract = our_contract(RUSSIAN, "no-queens")
    without = {"N": "Ad 7c", "E": "7d 8d", "S": "9d Qd", "W": "Kd"}
    within = {"N": "Ad 7c", "E": "7d 8d", "S": "9d Qd", "W": "Kd Ks"}
    for hands in (without, within):
        position = ks.Position(contract, hands, leader="W", trick="Ks")
        assert position.turn == "N"
        assert position.trick == ["Ks"]
        assert position.hands["W"] == ["Kd"]
        assert position.tricks_left == 2
        assert position.place == 6
        with pytest.raises(ks.IllegalCard, match="expected a card to take back"):
            position.pop()


def test_the_last_card_of_w_may_lie_in_the_trick() -> None:
    """In PBN text the empty hand of W is not then that of a deal for three."""
    position = ks.Position(our_contract(RUSSIAN, "no-queens"), "N:7... 8... 9... ...", leader="W", trick="Qs")
    assert position.hands["W"] == []
    assert position.turn == "N"
    assert "'N:7... 8... 9... ...'" in repr(position)
    text = ks.Position(our_contract(RIFKI, "no-queens"), "N:... 8... 9... ...", leader="N", trick="7s Qs")
    assert text.turn == "S"
    with pytest.raises(ks.DealError, match="expected 4 hands"):
        ks.Position(our_contract(RUSSIAN, "no-queens"), "N:7... 8... 9... ...", leader="N", trick="7s")


def test_a_copy_goes_its_own_way() -> None:
    position = at(RUSSIAN, "no-queens", "Ac Kd", "7c 7d", "8c 8d", "9c Qd")
    position.push("Ac")
    twin = position.copy()
    twin.push("7c")
    assert position.trick == ["Ac"]
    assert twin.trick == ["Ac", "7c"]
    twin.pop()
    with pytest.raises(ks.IllegalCard, match="expected a card to take back"):
        twin.pop()
    assert position.pop() == "Ac"


def test_cards_may_be_written_in_many_ways() -> None:
    position = at(RUSSIAN, "no-queens", "A♣ 10H", "7c 8d", "8C 9d", "9c jD")
    assert position.hands["N"] == ["Th", "Ac"]
    assert position.why_illegal("10♥") is None
    position.push("10h")
    assert position.trick == ["Th"]


# ---------------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("hands", "messages"),
    [
        ("N:A.K.. K... Q... J...", ["expected hands of equal size, got N 2, E 1, S 1, W 1"]),
        (
            "N:A... K... Q... 2...",
            ["expected cards of the pack (7-A, 32 cards), got '2s' with W"],
        ),
        ("N:A... A... Q... J...", ["expected each card once, got 'As' with both N and E"]),
        (
            "N:A.7.. A... Q.2.. J.A..",
            [
                "expected each card once, got 'As' with both N and E",
                "expected cards of the pack (7-A, 32 cards), got '2h' with S",
                "expected hands of equal size, got N 2, E 1, S 2, W 2",
            ],
        ),
        ("N:A... K... Q...", ["expected 4 hands (russian-14 no-queens), got 3"]),
        ("N:A... K... - J...", ["expected every hand known, got '-' for S"]),
        ("N:A... K... Q... JJ...", ["hand W: expected each card once, got 'Js' twice"]),
        (
            "N:AKQJT987.A.. .KQJT987.A.7 ..KQJT987.A8 ...KQJT9",
            ["expected hands of equal size, got N 9, E 9", "expected at most 8 cards a hand, got 9"],
        ),
        ("N:A.. K... Q... J...", ["expected four suits separated by three dots, or '-', got 'A..'"]),
        ("hello", ["expected a deal such as"]),
    ],
)  # fmt: skip
def test_every_fault_of_the_hands_in_one_line(hands: str, messages: list[str]) -> None:
    with pytest.raises(ks.DealError) as error:
        ks.Position(our_contract(RUSSIAN, "no-queens"), hands, leader="N")
    text = str(error.value)
    assert "\n" not in text
    for message in messages:
        assert message in text
    assert text.count("expected") == len(messages)


def test_faults_of_hands_given_by_seat() -> None:
    contract = our_contract(RUSSIAN, "no-queens")
    with pytest.raises(ks.DealError, match="hand E: expected a card such as 'As', 'Th' or '7c', got 'Xs'"):
        ks.Position(contract, {"N": ["As"], "E": ["Xs"], "S": ["Ks"], "W": ["Qs"]}, leader="N")
    with pytest.raises(ks.DealError, match="expected hands for N E S W"):
        ks.Position(contract, {"N": ["As"], "S": ["Ks"]}, leader="N")
    with pytest.raises(ks.DealError, match="expected 3 hands"):
        ks.Position(our_contract("parlett-3", "no-queens"), "N:A... K... Q... J...", leader="N")
    with pytest.raises(ks.CardError, match="expected a seat, one of N E S W, got 'X'"):
        ks.Position(contract, "N:A... K... Q... J...", leader="X")
    with pytest.raises(ks.CardError, match="expected a seat, one of N E S, got 'W'"):
        ks.Position(our_contract("parlett-3", "no-queens"), "N:A... K... Q...", leader="W")


def test_a_trick_that_breaks_the_rules() -> None:
    contract = our_contract(RUSSIAN, "no-hearts")
    hands = {"N": "Ah 7c", "E": "9h 9c", "S": "Kh Jc", "W": "Qh Kc"}
    with pytest.raises(ks.IllegalCard, match="hearts may not be led while you hold another suit: 'Ah' led"):
        ks.Position(contract, hands, leader="N", trick="Ah")
    with pytest.raises(ks.IllegalCard, match="you must follow suit: '9h' on a club lead while holding '9c'"):
        ks.Position(contract, hands, leader="N", trick="7c 9h")
    with pytest.raises(ks.DealError, match="expected hands of equal size"):
        ks.Position(contract, hands, leader="N", trick="8d")
    for trick, message in (
        ("Kc", "expected a card of N in the trick, got 'Kc', which W holds"),
        ("7c 7c", "expected each card of the trick once, got '7c' twice"),
        ("7c 2d", "expected cards of the pack (7-A, 32 cards) in the trick, got '2d'"),
    ):
        with pytest.raises(ks.DealError) as error:
            ks.Position(contract, hands, leader="N", trick=trick)
        assert str(error.value) == message
    with pytest.raises(ks.DealError, match="expected at most 3 cards in the trick, got '7c 9c Jc Kc'"):
        ks.Position(contract, hands, leader="N", trick="7c 9c Jc Kc")
    with pytest.raises(ks.CardError, match="got '1c'"):
        ks.Position(contract, hands, leader="N", trick=["1c"])


def test_a_card_not_held_and_a_card_that_is_none() -> None:
    position = at(RUSSIAN, "no-queens", "Ac Kd", "7c 7d", "8c 8d", "9c Qd")
    with pytest.raises(
        ks.IllegalCard, match=r"^you do not hold that card: '7c' while holding 'Kd Ac' \(N, trick 7\)"
    ):
        position.push("7c")
    with pytest.raises(ks.CardError, match="got 'Zz'"):
        position.why_illegal("Zz")
    assert position.turn == "N"
    assert position.trick == []


def test_seats_and_masks_agree() -> None:
    position = at(RUSSIAN, "no-queens", "Ac Kd", "7c 7d", "8c 8d", "9c Qd")
    assert [cards_of(mask) for mask in position.masks] == [position.hands[seat] for seat in SEATS]
    assert position.legal_mask() == mask_of("Ac Kd")


# -------------------------------------------------------------------------- begun in the midst of a trick

HOUSE = """
title = "Trumps and hearts both barred"
seats = 4
pack = "J-A"
[rule.both]
first_trick = { barred = "trump" }
lead = { barred = "?h", until = "broken" }
void = { trump = "must-trump" }
[contract]
trumps-s = { title = "Spades", trick = 3, cards = { "Kh" = -5 }, trump = "s", rule = "both" }
"""
NAIVE_HOUSE = replace(
    naive.bare("house", "NESW", "J"),
    name="trumps-s",
    trick_points=(3,) * 4,
    card_points={"Kh": -5},
    trump="s",
    barred_leads=naive.cards_of(naive.make_pack("J"), suits="h"),
    barred_until="broken",
    no_trumps_first_trick=True,
    must_trump=True,
)


def test_a_lead_is_held_to_the_bar_as_it_stood(tmp_path: Path) -> None:
    """N has nothing but trumps (barred on the first trick) and hearts (barred until one is played), so it may
    lead anything; that E then discards a heart does not make N's trump an illegal lead."""
    (tmp_path / "house.toml").write_text(HOUSE)
    contract = ks.load_variant(tmp_path / "house.toml").contract("trumps-s")
    hands = {"N": "As Ks Ah Kh", "E": "Qh Jh Ac Ad", "S": "Qs Kc Kd Qd", "W": "Js Qc Jc Jd"}
    position = ks.Position(contract, hands, leader="N")
    assert legal(position) == "As Ks Ah Kh"
    position.push("As")
    position.push("Qh")
    again = ks.Position(contract, position.hands, leader="N", trick="As Qh", broken=position.broken)
    assert (again.broken, again.turn, legal(again)) == (True, "S", "Qs")
    # on the first trick nothing was broken before it, whatever is said of now
    hands = {"N": "Jc Ks Ah Kh", "E": "Qh Jh Ac Ad", "S": "Qs Kc Kd Qd", "W": "Js Qc As Jd"}
    with pytest.raises(ks.IllegalCard, match="hearts may not be led until one has been played"):
        ks.Position(contract, hands, leader="N", trick="Ah", broken=True)


def test_a_position_begun_anywhere_is_the_one_played_to(tmp_path: Path) -> None:
    """Every point of random rounds under both bars, begun afresh: the oracle's legal cards and values."""
    (tmp_path / "house.toml").write_text(HOUSE)
    contract = ks.load_variant(tmp_path / "house.toml").contract("trumps-s")
    rng = generator("begun anywhere")
    pack = sorted(NAIVE_HOUSE.pack)
    for _ in range(scaled(30)):
        first = rng.sample([card for card in pack if card[1] in "hs"], 4)  # who leads is under both bars
        rest = [card for card in pack if card not in first]
        rng.shuffle(rest)
        leader = rng.choice(SEATS)
        others = iter((rest[:4], rest[4:8], rest[8:]))
        hands = {seat: first if seat == leader else next(others) for seat in SEATS}
        slow = naive.position(NAIVE_HOUSE, hands, leader)
        while not naive.is_over(slow):
            held = dict(zip(SEATS, slow.hands, strict=True))
            trick = [card for _, card in slow.trick]
            fast = ks.Position(contract, held, leader=slow.leader, trick=trick, broken=slow.broken)
            assert set(fast.legal_cards()) == naive.legal(slow), fast
            assert fast.broken == slow.broken
            if len(held[slow.turn]) < 4 or trick:
                side = rng.choice(["N", "E", "NS", "NW"])
                assert ks.guarantee(fast, side) == naive.guarantee(slow, side), fast
            slow, _ = naive.play(slow, rng.choice(sorted(naive.legal(slow))))


@pytest.mark.parametrize("hand", [-1, 1 << 13, 1 << 70, 1.0])
def test_a_mask_that_is_no_hand_is_refused(hand: Any) -> None:
    contract = our_contract(RUSSIAN, "no-king")
    with pytest.raises(ks.DealError, match=r"^expected hands as masks of cards, got "):
        ks.Position.from_masks(contract, [hand, 1 << 5, 1 << 6, 1 << 7])
