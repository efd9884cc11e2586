"""Seed 000 "King♠", one test a sentence.

Left out: "On a small screen, scroll the diagram ..." (UI: a web page's); in 06 "Russian King is part of an
international compendium family ...", "Gambler documents several Russian conventions ..." and "We therefore do
not repeat an unverified invention story" (history: no rule). The cut of 01 is a gesture: a shuffled pack is
as random cut as uncut.
"""

from collections import Counter

import pytest

from kingsolve.cards import cards_of, mask_of, suit_mask
from kingsolve.dealing import random_deal
from kingsolve.match import Match
from kingsolve.variants import load_variant, variant_ids
from play import at, contract, legal, next_seat, played, trick, whole_match

ID = "russian-14"
NEGATIVE = ["no-tricks", "no-men", "no-queens", "no-hearts", "no-king", "no-last-two", "eralash"]
POSITIVE = ["tricks", "men", "queens", "hearts", "king", "last-two", "eralash-plus"]
HEART_ROUNDS = ["no-hearts", "no-king", "eralash", "hearts", "king", "eralash-plus"]
KING_ROUNDS = ["no-king", "eralash", "king", "eralash-plus"]


# --- 01 Players, deal and trick play ---


def test_four_players_and_32_cards():
    """000, 01: "There are 4 individual players and 32 cards, 7 through ace." """
    v = load_variant(ID)
    assert (v.seats, v.pack.bit_count()) == (4, 32)
    assert {card[0] for card in cards_of(v.pack)} == set("789TJQKA")


def test_every_suit_ranks_ace_to_seven():
    """000, 01: "Every suit ranks A, K, Q, J, 10, 9, 8, 7." """
    for suit in "cdhs":
        for low, high in zip("789TJQK", "89TJQKA", strict=True):
            assert trick(ID, "tricks", f"{low}{suit} {high}{suit} {_other(suit)}") == (0, 2, 0, 0)
            assert trick(ID, "tricks", f"{high}{suit} {low}{suit} {_other(suit)}") == (2, 0, 0, 0)


def _other(suit: str) -> str:
    """Two cards of another suit."""
    return "Ac Kc" if suit != "c" else "Ad Kd"


def test_first_dealer_random_then_clockwise():
    """000, 01: "Choose the first dealer randomly; our procedural agreement rotates dealer clockwise each
    round."
    """
    drawn = Counter(Match(ID, seed=seed).first_dealer for seed in range(200))
    assert min(drawn[seat] for seat in "NESW") > 20
    dealers = "".join(result.dealer for result in whole_match(ID).results)
    assert dealers in "NESW" * 5


def test_deal_eight_each_singly_clockwise_from_the_left():
    """000, 01: "Shuffle, let the right-hand player cut, then deal 8 each singly clockwise, starting on
    the left."
    """
    v = load_variant(ID)
    assert (v.hand_size, v.packet, v.clockwise) == (8, 1, True)
    by_dealer = [random_deal(v, seed=7, number=1, dealer=seat).order for seat in "NESW"]
    # The same shuffled pack, dealt by N and by E: every hand moves one seat on, card for card.
    assert by_dealer[1] == by_dealer[0][-1:] + by_dealer[0][:-1]
    assert len(set(by_dealer)) == 4


def test_no_stock_exchange_or_partnership():
    """000, 01: "There is no stock, exchange or partnership." """
    v = load_variant(ID)
    assert v.out == 0
    assert sum(random_deal(v, seed=1, number=1).hands) == v.pack
    assert trick(ID, "tricks", "As 7s 8s 9s") == (2, 0, 0, 0)  # and nothing for the seat opposite


def test_dealers_left_leads_first():
    """000, 01: "The player on the dealer’s left leads first." """
    for result in whole_match(ID).results:
        assert result.leader == next_seat(ID, result.dealer) == "ESWN"["NESW".index(result.dealer)]


def test_follow_suit_else_discard_any_card():
    """000, 01: "Follow the led suit if able; otherwise discard any card." """
    hands = "As 7s/Ks 8d/9d Tc/Qs Js"
    assert legal(ID, "no-tricks", hands, leader="N", trick="As") == {"Ks"}
    assert legal(ID, "no-tricks", hands, leader="N", trick="As Ks") == {"9d", "Tc"}
    assert at(ID, "no-tricks", hands, leader="N", trick="As").why_illegal("8d") == "you must follow suit"


def test_no_trumps_and_no_duty_to_overtake():
    """000, 01: "There are no trumps and no general obligation to overtake." """
    for name, c in load_variant(ID).contracts.items():
        assert (c.trump, c.void_trump, c.beat_trump) == (None, "free", False), name
    hands = "9s 8c/As 7s/Ks 8d/Qs 9d"
    assert legal(ID, "no-tricks", hands, leader="N", trick="9s") == {"As", "7s"}


def test_highest_of_the_led_suit_wins_and_leads_next():
    """000, 01: "Highest of the led suit wins and leads next." """
    after = played(ID, "tricks", "9s 7c/Ad 8c/Js 9c/Ah Tc", "9s Ad Js Ah")
    assert after.leader == after.turn == "S"
    assert after.banked == (0, 0, 2, 0)


def test_eight_tricks_or_until_everything_is_captured():
    """000, 01: "Normally play 8 tricks, but when every scoring item of the contract has been captured,
    stop and move to the next round."
    """
    hands = "Kh 7c/7h 8c/8h 9c/9h Tc"
    assert played(ID, "no-king", hands, "7c 8c 9c Tc").is_over is False
    assert played(ID, "no-king", "Kh 7h/8h 8c/9h 9c/Th Tc", "7h 8h 9h Th", leader="N").is_over is False
    assert played(ID, "no-king", "Kh 7h/8h 8c/9h 9c/Th Tc", "Kh 8h 9h Th", leader="N").is_over
    lengths = {r.contract.name: len(r.round.cards) // 4 for r in whole_match(ID).results}
    for name in ("no-tricks", "no-last-two", "eralash", "tricks", "last-two", "eralash-plus"):
        assert lengths[name] == 8
    assert min(lengths.values()) < 8


# --- 02 The fixed contract sequence ---


def test_the_seven_negative_rounds_in_order():
    """000, 02: "Play these negative rounds in order: 1, No Tricks, −2 per trick; 2, No Boys, −4 per king;
    3, No Girls, −4 per queen; 4, No Hearts, −2 per heart; 5, No King, −16 for K♥; 6, No Last Two, −8 for
    each of the last two tricks; 7, Negative Eralash, all those penalties together."
    """
    assert list(load_variant(ID).plan.order[:7]) == [(name,) for name in NEGATIVE]
    points = {name: trick(ID, name, "Kh Qh Qs Ks")[0] for name in NEGATIVE}
    assert points == {
        "no-tricks": -2,
        "no-men": -8,
        "no-queens": -8,
        "no-hearts": -4,
        "no-king": -16,
        "no-last-two": -8,
        "eralash": -46,
    }
    assert contract(ID, "no-last-two").trick_points == (0, 0, 0, 0, 0, 0, -8, -8)


def test_each_isolated_round_totals_16_and_eralash_96():
    """000, 02: "Each isolated round totals −16; Eralash totals −96." """
    for name in NEGATIVE[:6]:
        assert contract(ID, name).total == -16
    assert contract(ID, "eralash").total == -96
    assert [sum(row) for row in whole_match(ID).scores[:7]] == [-16] * 6 + [-96]


def test_rounds_8_to_14_repeat_with_positive_values():
    """000, 02: "Rounds 8 through 14 repeat those same objectives in the same order with positive values:
    tricks +2, kings +4, queens +4, hearts +2, K♥ +16, last two tricks +8 each, then Positive Eralash
    adding all those bonuses."
    """
    assert list(load_variant(ID).plan.order[7:]) == [(name,) for name in POSITIVE]
    points = [trick(ID, name, "Kh Qh Qs Ks")[0] for name in POSITIVE]
    assert points == [2, 8, 8, 4, 16, 8, 46]


def test_each_positive_round_totals_16_and_the_combined_96():
    """000, 02: "Each isolated positive round totals +16 and the combined round +96." """
    assert [contract(ID, name).total for name in POSITIVE] == [16] * 6 + [96]
    assert [sum(row) for row in whole_match(ID).scores[7:]] == [16] * 6 + [96]


def test_face_values_do_not_score_and_all_penalties_keep_their_sign():
    """000, 02: "Card face values do not otherwise score, and taking every penalty does not reverse its
    sign."
    """
    assert trick(ID, "no-tricks", "As Ad Ac Ah") == trick(ID, "no-tricks", "7s 7d 7c 8d") == (-2, 0, 0, 0)
    assert contract(ID, "eralash").cards_points(mask_of("As Ad Ac Ts Js 7c")) == 0
    everything = played(ID, "no-queens", "Ah Kh/Qh Qs/Qd 7c/Qc 8c", "Ah Qh Qd Qc")
    assert everything.banked == (-12, 0, 0, 0)
    everything.push("Kh")
    everything.push("Qs")
    everything.push("7c")
    everything.push("8c")
    assert everything.banked == (-16, 0, 0, 0)


# --- 03 Hearts and the compulsory king discard ---


@pytest.mark.parametrize("name", HEART_ROUNDS)
def test_hearts_are_led_only_from_a_hand_of_hearts(name):
    """000, 03: "In the heart rounds, King rounds and both Eralash rounds, you may lead hearts only when
    your remaining hand has no other suit."
    """
    rest = "/Ac Kc/Ad Kd/As Ks"
    assert legal(ID, name, f"7h 7s{rest}", leader="N") == {"7s"}
    assert legal(ID, name, f"7h 8h{rest}", leader="N") == {"7h", "8h"}
    for other in set(NEGATIVE + POSITIVE) - set(HEART_ROUNDS):
        assert "7h" in legal(ID, other, f"7h 7s{rest}", leader="N")


@pytest.mark.parametrize("name", HEART_ROUNDS)
def test_a_heart_discard_lifts_nothing(name):
    """000, 03: "Hearts need not be “broken”: another player’s heart discard does not lift this
    restriction."
    """
    position = played(ID, name, "As Ah 7s/Kh Tc 8c/8s 9c Jc/9s Qc Kc", "As Kh 8s 9s")
    assert position.broken
    assert position.legal_cards() == ["7s"]


@pytest.mark.parametrize("name", HEART_ROUNDS)
def test_following_hearts_stays_compulsory(name):
    """000, 03: "Following hearts when led remains compulsory." """
    assert legal(ID, name, "7h 8h/9h As/Th Ks/Jh Qs", leader="N", trick="7h") == {"9h"}


@pytest.mark.parametrize("name", KING_ROUNDS)
def test_a_void_hand_discards_the_king_of_hearts(name):
    """000, 03: "In King and Eralash rounds, if you cannot follow the led suit and hold K♥, you must
    discard it at that first opportunity."
    """
    hands = "As 7s/Kh Ah/8s 9s/Ts Js"
    assert legal(ID, name, hands, leader="N", trick="As") == {"Kh"}
    reason = at(ID, name, hands, leader="N", trick="As").why_illegal("Ah")
    assert reason == "the king of hearts must be discarded"
    for free in ("no-hearts", "hearts", "no-men", "men"):
        assert legal(ID, free, hands, leader="N", trick="As") == {"Kh", "Ah"}


@pytest.mark.parametrize("name", KING_ROUNDS)
def test_on_a_heart_lead_another_heart_may_be_chosen(name):
    """000, 03: "On a heart lead you follow normally and may choose another heart if available." """
    hands = "Ah 9h/Kh 8h/Th As/Jh Ks"
    assert legal(ID, name, hands, leader="N", trick="Ah") == {"Kh", "8h"}
    assert legal(ID, name, "Ah 9h/Kh 7c/Th As/Jh Ks", leader="N", trick="Ah") == {"Kh"}


def test_this_applies_on_the_positive_side_too():
    """000, 03: "This applies on the positive side too." """
    v = load_variant(ID)
    for negative, positive in zip(NEGATIVE, POSITIVE, strict=True):
        a, b = v.contract(negative), v.contract(positive)
        assert (a.barred, a.until_broken, a.must_discard) == (b.barred, b.until_broken, b.must_discard)
    assert v.contract("king").must_discard == v.contract("eralash-plus").must_discard == mask_of("Kh")


def test_the_forced_discard_is_kept_and_the_other_way_is_an_option(tmp_path):
    """000, 03: "We retain the forced-discard convention; allowing the king to be kept is a different
    option."
    """
    path = tmp_path / "kept.toml"
    path.write_text(
        f'extends = "{ID}"\ntitle = "K♥ may be kept"\n'
        '[rule.king-out]\nlead = { barred = "?h", until = "nothing-else" }\n',
        encoding="utf-8",
    )
    kept = load_variant(path)
    for name in KING_ROUNDS:
        assert contract(ID, name).must_discard == mask_of("Kh")
        assert kept.contract(name).must_discard == 0
        assert kept.contract(name).barred == kept.pack & suit_mask("h")


# --- 04 Record and finish ---


def test_each_round_is_a_row_added_to_the_running_total():
    """000, 04: "After each round record each player’s signed result in a separate row, then add it to the
    running total."
    """
    match = whole_match(ID)
    assert len(match.scores) == 14
    total = [0] * 4
    for row, running in zip(match.scores, match.running, strict=True):
        total = [a + b for a, b in zip(total, row, strict=True)]
        assert list(running) == total
    assert list(match.totals) == total


def test_the_halves_distribute_192_and_the_totals_sum_to_zero():
    """000, 04: "The negative half distributes −192 and the positive half +192; all four final totals must
    therefore sum to 0."
    """
    match = whole_match(ID)
    assert sum(match.running[6]) == sum(map(sum, match.scores[:7])) == -192
    assert sum(map(sum, match.scores[7:])) == 192
    assert sum(match.totals) == match.balance == 0


def test_scores_may_be_negative():
    """000, 04: "Scores may be negative." """
    match = Match(ID, seed=1)
    match.record([-16, 0, 0, 0])
    assert match.totals == (-16, 0, 0, 0)


def test_the_highest_algebraic_total_wins():
    """000, 04: "After round 14, the highest algebraic total wins, even if it is not positive." """
    match = whole_match(ID)
    assert match.is_over
    best = max(match.totals)
    assert match.winners == tuple(s for s, total in zip("NESW", match.totals, strict=True) if total == best)
    early = Match(ID, seed=1)
    early.record([-6, -4, -4, -2])
    assert early.winners == ("W",)


def test_equal_highest_totals_share_the_victory():
    """000, 04: "Our explicit final-tie convention shares victory among equally highest totals, without
    adding an unequal extra contract."
    """
    match = Match(ID, seed=1)
    while not match.is_over:
        share = match.contract.total // 4
        match.record([share, share, share, share] if match.number != 5 else [-16, 0, 0, 0])
    assert match.plan.rounds == len(match.scores) == 14
    assert match.winners == ("E", "S", "W")
    assert match.places == (4, 1, 1, 1)


# --- 05 One card may count in several ways ---

LAST = "Kh Qh Js 7c"


def test_the_last_trick_of_negative_eralash():
    """000, 05: "In Negative Eralash, the last trick contains K♥, Q♥, J♠ and 7♣." """
    position = at(ID, "eralash", "Kh/Qh/Js/7c", leader="N")
    assert position.place == 7
    assert position.to_come == -38


def test_its_winner_receives_38():
    """000, 05: "Its winner receives −2 for the trick, −4 for its hearts, −4 for the king, −4 for the
    queen, −16 for K♥ and −8 for the last trick: −38."
    """
    parts = ["no-tricks", "no-hearts", "no-men", "no-queens", "no-king", "no-last-two"]
    assert [trick(ID, name, LAST)[0] for name in parts] == [-2, -4, -4, -4, -16, -8]
    assert trick(ID, "eralash", LAST) == (-38, 0, 0, 0)


def test_the_jack_has_no_boys_penalty():
    """000, 05: "The jack has no boys penalty in this selected profile." """
    assert contract(ID, "eralash").cards_points(mask_of("Js")) == 0
    assert contract(ID, "no-men").cards_points(mask_of("Js Jh Jd Jc")) == 0
    assert trick(ID, "eralash", "Kh Qh Ts 7c") == (-38, 0, 0, 0)
    assert trick("full-king", "eralash", "Kh Qh Ts 7c") == (-34, 0, 0, 0)


def test_in_positive_eralash_the_same_items_give_38():
    """000, 05: "In Positive Eralash the same captured items give +38." """
    assert trick(ID, "eralash-plus", LAST) == (38, 0, 0, 0)


# --- 06 Context and regional versions ---


def test_other_king_games_are_separate():
    """000, 06: "Other countries’ King games and Russian “ordered King” should be described separately
    rather than folded into these rules."
    """
    contracts = {id: load_variant(id).contracts for id in variant_ids()}
    assert not [id for id in contracts if id != ID and contracts[id] == contracts[ID]]
    assert all(c.variant == id for id, own in contracts.items() for c in own.values())
