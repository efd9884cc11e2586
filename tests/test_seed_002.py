"""Seed 002 "How to play King", one test a sentence.

Left out, and why. UI, which belongs to the terminal game: opening the game and its settings; where the
players sit and their names; the chip, marks and colours; tapping, dragging, glowing and shaking cards;
the buttons TABLE, CLOSE, NEXT DEAL and CONTINUE; the menu. Computer players, which are not rules:
difficulty levels. Statistics. Advice without a rule in it: "Reading the cards ...", "Make a void",
"Throw the expensive card first", "Duck with your highest safe card", "Name a trump with length", "Draw
trumps when you are strong". History: what King is called and its relatives. Where a sentence of these is
also a fact of the rules or the match, it has a test below.
"""

import random
from collections import Counter
from itertools import pairwise

import pytest

from kingsolve.cards import SEATS, cards_of, mask_of
from kingsolve.dealing import random_deal
from kingsolve.match import Match
from kingsolve.variants import load_variant
from play import at, contract, legal, next_seat, play_round, played, trick, whole_match

FULL, SHORT = "full-king", "short-king"
PENALTIES = ["no-tricks", "no-hearts", "no-men", "no-queens", "no-last-two", "no-king", "eralash"]
TRUMPS = ["trumps-s", "trumps-h", "trumps-d", "trumps-c", "trumps-nt"]
SUIT_TRUMPS = TRUMPS[:4]


def named(id: str) -> list:
    return [result for result in whole_match(id).results if result.contract.name in TRUMPS]


# --- How to play King ---


def test_four_players_every_one_for_himself():
    """002, How to play King: "King is a Russian trick-taking card game for four players, every one for
    himself."
    """
    v = load_variant(FULL)
    assert v.seats == 4
    assert trick(FULL, "trumps-nt", "As 7s 8s 9s") == (3, 0, 0, 0)


def test_a_match_is_a_fixed_series_of_deals():
    """002, How to play King: "A match is a fixed series of deals." """
    kinds = [result.contract.name[:6] for result in whole_match(FULL, 1).results]
    assert kinds == [result.contract.name[:6] for result in whole_match(FULL, 2).results]


def test_each_deal_of_the_first_part_has_its_own_penalty():
    """002, How to play King: "In the first part, each deal has its own penalty: don't take tricks, don't
    take hearts, don't take jacks, don't take queens, don't take the last two tricks, don't take the king
    of hearts, and finally Eralash, where everything is punished at once."
    """
    points = {name: trick(FULL, name, "Kh Jh Qs 7c")[0] for name in PENALTIES}
    assert points == {
        "no-tricks": -2,
        "no-hearts": -4,
        "no-men": -4,
        "no-queens": -4,
        "no-last-two": -8,
        "no-king": -16,
        "eralash": -38,
    }


def test_in_trump_deals_every_trick_scores_and_the_naming_passes():
    """002, How to play King: "Then come the trump deals, where every trick scores and the players take
    turns naming the trump."
    """
    for name in TRUMPS:
        assert contract(FULL, name).trick_points == (3,) * 8
    choosers = [result.chooser for result in named(FULL)]
    assert all(next_seat(FULL, a) == b for a, b in pairwise(choosers))


def test_penalties_and_rewards_add_up_to_zero():
    """002, How to play King: "The penalties and the rewards add up to exactly zero, so the match is
    decided by who loses least in the first part and wins most in the second."
    """
    for id in (FULL, SHORT):
        assert load_variant(id).match_total == whole_match(id).balance == 0


# --- How to play on skill.games: what is more than UI ---


def test_the_total_the_dealer_and_the_deals_points_are_known():
    """002, The table: "Each name shows that player's total for the match, a "D" marks the dealer, and a
    badge shows what the player has scored in the current deal."
    """
    match = Match(FULL, seed=1)
    match.play(play_round(match, random.Random(1)))
    assert sum(match.totals) == -16
    assert match.dealer == next_seat(FULL, match.results[0].dealer)
    position = match.position()
    while not any(position.banked):
        position.push(position.legal_cards()[0])
    assert sum(position.banked) % -2 == 0 > sum(position.banked)


def test_the_deal_number_and_what_it_costs():
    """002, The contract: "... the deal number (such as 3/15), the contract and what it costs or pays,
    such as "No girls, −4 a queen"."
    """
    match = Match(FULL, seed=1)
    for _ in range(3):
        match.play(play_round(match, random.Random(1)))
    assert (match.number, match.plan.rounds, match.contract.title) == (4, 15, "No girls")
    assert match.contract.cards_points(mask_of("Qs")) == -4


def test_a_named_trump_is_known_afterwards():
    """002, The contract: "Once a trump has been named, its mark shows the suit." """
    for result in named(FULL):
        suit = result.contract.name[-1]
        assert result.contract.trump == (suit if result.contract.name != "trumps-nt" else None)


def test_the_table_has_every_deal_and_the_totals():
    """002, The score table: "press TABLE at any time to see every deal of the match with each player's
    points and the totals."
    """
    match = whole_match(FULL)
    assert [len(row) for row in match.scores] == [4] * 15
    assert match.running[-1] == match.totals


@pytest.mark.parametrize(
    ("name", "hands", "cards", "card", "reason"),
    [
        ("no-tricks", "As 7s/8s 8c/9s 9c/Ts Tc", "As", "8c", "you must follow suit"),
        (
            "no-hearts",
            "7h 7s/8s 8c/9s 9c/Ts Tc",
            "",
            "7h",
            "hearts may not be led while you hold another suit",
        ),
    ],
)
def test_a_card_not_allowed_has_a_reason(name, hands, cards, card, reason):
    """002, Playing: "A card that isn't allowed shakes and the status line explains why, such as "You must
    follow suit" or "Hearts can't be led while you hold another suit"."
    """
    assert at(FULL, name, hands, leader="N", trick=cards).why_illegal(card) == reason


def test_the_namer_gets_three_cards_only():
    """002, Naming the trump: "in a trump deal where it is your turn to choose, you get your first three
    cards only."
    """
    match = Match(FULL, seed=3)
    while match.number <= 7:
        match.play(play_round(match, random.Random(match.number)))
    assert match.first_cards() == match.deal().order[SEATS.index(match.chooser)][:3]
    assert len(match.first_cards()) == 3


def test_the_panel_has_four_suits_and_no_trumps():
    """002, Naming the trump: "A panel shows the four suits and NO TRUMPS; tap your choice and the rest of
    the cards are dealt."
    """
    assert [set(names) for names in load_variant(FULL).plan.order[7:]] == [set(TRUMPS)] * 8
    assert [contract(FULL, name).trump for name in TRUMPS] == ["s", "h", "d", "c", None]


def test_a_match_is_saved_and_continued():
    """002: "The match is saved as you play, so you can press CONTINUE later." """
    match = Match(FULL, seed=1)
    match.play(play_round(match, random.Random(1)))
    again = Match.from_json(match.to_json())
    assert (again.number, again.totals, again.deal()) == (2, match.totals, match.deal())


def test_the_results_have_place_and_totals():
    """002: "At the end, the results screen shows your place, every player's total, your penalty and
    trump-deal points and your statistics."
    """
    match = whole_match(FULL)
    ranked = sorted(match.totals, reverse=True)
    assert match.places == tuple(ranked.index(total) + 1 for total in match.totals)
    halves = [
        [sum(column) for column in zip(*part, strict=True)] for part in (match.scores[:7], match.scores[7:])
    ]
    assert [sum(half) for half in halves] == [-192, 192]


# --- Rules: the cards, the deal and the lead ---


def test_a_32_card_deck_ace_high():
    """002, The cards: "A 32-card deck: seven, eight, nine, ten, jack, queen, king and ace in each suit,
    with the ace high."
    """
    assert len(cards_of(load_variant(FULL).pack)) == 32
    for suit in "shdc":
        held = [card[0] for card in cards_of(load_variant(FULL).pack) if card[1] == suit]
        assert held == list("AKQJT987")
        for high, low in pairwise(held):
            others = "7c 8c" if suit != "c" else "7d 8d"
            assert trick(FULL, "trumps-nt", f"{low}{suit} {high}{suit} {others}") == (0, 3, 0, 0)


def test_eight_cards_dealt_two_at_a_time():
    """002, The cards: "Each player gets eight cards, dealt two at a time." """
    v = load_variant(FULL)
    assert (v.hand_size, v.packet) == (8, 2)
    pairs = random_deal(v, seed=4, number=1, dealer="N").order
    singly = random_deal(load_variant("russian-14"), seed=4, number=1, dealer="N").order
    pack = [singly[seat][i] for i in range(8) for seat in (1, 2, 3, 0)]  # the shuffled pack, card by card
    assert [pairs[seat][:2] for seat in (1, 2, 3, 0)] == [tuple(pack[i : i + 2]) for i in (0, 2, 4, 6)]
    assert pairs[1] == tuple(pack[i + j] for i in (0, 8, 16, 24) for j in (0, 1))


def test_first_dealer_at_random_then_to_the_left():
    """002, The deal and the lead: "The first dealer is chosen at random and the deal passes to the left
    after every deal."
    """
    drawn = Counter(Match(FULL, seed=seed).first_dealer for seed in range(200))
    assert min(drawn[seat] for seat in "NESW") > 20
    assert "".join(result.dealer for result in whole_match(FULL).results) in "NESW" * 5


def test_dealers_left_leads():
    """002, The deal and the lead: "The player on the dealer's left leads to the first trick." """
    for result in (*whole_match(FULL).results, *whole_match(SHORT).results):
        assert result.leader == "ESWN"["NESW".index(result.dealer)]


@pytest.mark.parametrize("name", [*PENALTIES, *TRUMPS])
def test_follow_suit_if_you_can(name):
    """002, The deal and the lead: "You must follow the suit that was led if you can." """
    hands = "As 7s/8s Kh/9s 9c/Ts Tc"
    assert legal(FULL, name, hands, leader="N", trick="As") == {"8s"}


def test_highest_of_the_led_suit_wins_unless_trumped():
    """002, The deal and the lead: "The highest card of the suit led wins the trick, unless a trump was
    played, and the winner leads to the next trick."
    """
    hands = "9s 7s/As Ks/7h 8c/Ad 8d"
    assert played(FULL, "trumps-nt", hands, "9s As 7h Ad").leader == "E"
    trumped = played(FULL, "trumps-h", hands, "9s As 7h Ad")
    assert (trumped.leader, trumped.turn, trumped.banked) == ("S", "S", (0, 0, 3, 0))


# --- Rules: the penalty deals ---


def test_the_first_seven_deals_in_order_without_trumps():
    """002, The penalty deals: "The first seven deals are played without trumps, always in this order:" """
    assert load_variant(FULL).plan.order[:7] == tuple((name,) for name in PENALTIES)
    assert {contract(FULL, name).trump for name in PENALTIES} == {None}


@pytest.mark.parametrize(
    ("name", "cards", "points"),
    [
        pytest.param("no-tricks", "As 7s 8s 9s", -2, id="1. No tricks: −2 for every trick you take."),
        pytest.param("no-hearts", "As 7h 8h 9s", -4, id="2. No hearts: −2 for every heart in your tricks."),
        pytest.param("no-men", "Js Jd Jc Kh", -12, id="3. No boys: −4 for every jack in your tricks."),
        pytest.param("no-queens", "Qs Qd 7c Kh", -8, id="4. No girls: −4 for every queen in your tricks."),
        pytest.param(
            "no-last-two", "As Qd 7c Kh", -8, id="5. No last two: −8 for each of the last two tricks."
        ),
        pytest.param(
            "no-king", "As Kh Qh 7c", -16, id='6. No King: −16 for taking the king of hearts, the "King".'
        ),
        pytest.param("eralash", "Ah Kh Qh Jh", -42, id="7. Eralash: all six penalties at once."),
    ],
)
def test_the_seven_penalties(name, cards, points):
    """002, The penalty deals: sentences 1 to 7, quoted in the test's id."""
    assert trick(FULL, name, cards) == (points, 0, 0, 0)


def test_the_two_last_tricks_cost_eight_each_and_no_other():
    """002, The penalty deals: "5. No last two: −8 for each of the last two tricks." """
    assert contract(FULL, "no-last-two").trick_points == (0,) * 6 + (-8, -8)


def test_each_of_the_six_costs_16_and_eralash_96():
    """002, The penalty deals: "Each of the first six costs 16 points in all, shared between the players
    who take them, and Eralash costs 96."
    """
    assert [contract(FULL, name).total for name in PENALTIES] == [-16] * 6 + [-96]
    for seed in (1, 2):
        assert [sum(row) for row in whole_match(FULL, seed).scores[:7]] == [-16] * 6 + [-96]


@pytest.mark.parametrize("name", ["no-hearts", "no-king", "eralash"])
def test_no_heart_lead_while_another_suit_is_held(name):
    """002, Special rules: "In No hearts, No King and Eralash you may not lead a heart while you hold a
    card of another suit."
    """
    rest = "/8s 8c/9s 9c/Ts Tc"
    assert legal(FULL, name, f"7h 7s{rest}", leader="N", broken=True) == {"7s"}
    assert legal(FULL, name, f"7h Kh{rest}", leader="N") == {"7h", "Kh"}
    for free in set(PENALTIES + TRUMPS) - {"no-hearts", "no-king", "eralash"}:
        assert legal(FULL, free, f"7h 7s{rest}", leader="N") == {"7h", "7s"}


@pytest.mark.parametrize("name", ["no-king", "eralash"])
def test_a_void_hand_must_play_the_king_of_hearts(name):
    """002, Special rules: "In No King and Eralash, if you cannot follow suit and you hold the king of
    hearts, you must play it."
    """
    hands = "As 7s/Kh Qh/9s 9c/Ts Tc"
    assert legal(FULL, name, hands, leader="N", trick="As") == {"Kh"}
    assert legal(FULL, "no-hearts", hands, leader="N", trick="As") == {"Kh", "Qh"}


@pytest.mark.parametrize(
    ("name", "cards", "one_more"),
    [
        ("no-hearts", "As Kh Qh Jh", "7h"),
        ("no-men", "As Js Jd Jh", "Jc"),
        ("no-queens", "As Qs Qd Qh", "Qc"),
        ("no-king", "As Qs Kh 7d", ""),
    ],
)
def test_a_deal_ends_when_nothing_is_left_to_punish(name, cards, one_more):
    """002, Special rules: "A deal ends early as soon as there is nothing left to punish: when all the
    hearts, all the jacks, all the queens or the king of hearts have been taken."
    """
    held = "/".join(
        f"{card} {other}" for card, other in zip(cards.split(), "7c 8c 9c Tc".split(), strict=True)
    )
    position = at(FULL, name, held, leader="N")
    for card in cards.split():
        assert not position.is_over
        position.push(card)
    assert position.is_over
    assert position.to_come == 0
    if one_more:
        assert not played(FULL, name, held.replace("Tc", one_more), cards).is_over


# --- Rules: the trump deals ---


def test_eight_trump_deals_at_three_points_a_trick():
    """002, The trump deals: "Then come eight trump deals worth 3 points a trick." """
    assert len(load_variant(FULL).plan.order[7:]) == 8
    for result in whole_match(FULL).results[7:]:
        assert result.contract.name in TRUMPS
        assert result.contract.trick_points == (3,) * 8
        assert sum(result.scores) == 24


def test_eldest_sees_three_cards_and_names_a_suit_or_no_trumps():
    """002, The trump deals: "The player on the dealer's left looks at their first three cards only and
    names the trump: one of the four suits, or no trumps."
    """
    match = Match(SHORT, seed=5)
    while match.number <= 6:
        match.play(play_round(match, random.Random(match.number)))
    assert match.chooser == match.eldest == next_seat(SHORT, match.dealer)
    mine = match.deal().order[SEATS.index(match.eldest)]
    assert match.first_cards() == (*mine[:2], mine[2])  # a packet of two, and one of the next
    assert set(match.open) == set(TRUMPS)


def test_the_rest_is_dealt_and_the_namer_leads():
    """002, The trump deals: "Then the rest of the cards are dealt and that player leads." """
    for id in (FULL, SHORT):
        for result in named(id):
            assert result.leader == result.chooser
            assert len(result.round.deal.order[SEATS.index(result.chooser)]) == 8


def test_every_player_names_twice():
    """002, The trump deals: "Because the deal passes to the left, every player names the trump twice." """
    assert Counter(result.chooser for result in named(FULL)) == dict.fromkeys("NESW", 2)


@pytest.mark.parametrize("name", SUIT_TRUMPS)
def test_a_void_hand_must_trump(name):
    """002, The trump deals: "If you cannot follow suit in a trump deal, you must play a trump if you have
    one."
    """
    trump = name[-1]
    led, other = ("s", "d") if trump not in "sd" else ("h", "c")
    hands = f"A{led} 7{led}/8{trump} K{trump}/T{led} 8{led}/Q{led} 9{led}"
    assert legal(FULL, name, hands, leader="N", trick=f"A{led}") == {f"8{trump}", f"K{trump}"}
    mixed = f"A{led} 7{led}/8{trump} 9{other}/T{led} 8{led}/Q{led} 9{led}"
    assert legal(FULL, name, mixed, leader="N", trick=f"A{led}") == {f"8{trump}"}
    none = f"A{led} 7{led}/8{other} 9{other}/T{led} 8{led}/Q{led} 9{led}"
    assert legal(FULL, name, none, leader="N", trick=f"A{led}") == {f"8{other}", f"9{other}"}
    assert legal(FULL, "trumps-nt", mixed, leader="N", trick=f"A{led}") == {f"8{trump}", f"9{other}"}


def test_no_duty_to_overtrump():
    """002, The trump deals: a trump, any trump: "you must play a trump if you have one." """
    hands = "As 7s/Kh 8c/9h Ah/Ts Tc"
    assert legal(FULL, "trumps-h", hands, leader="N", trick="As Kh") == {"9h", "Ah"}


# --- Rules: winning ---


def test_the_highest_total_wins():
    """002, Winning: "After the last deal the highest total wins." """
    for seed in (1, 2, 3):
        match = whole_match(SHORT, seed)
        assert match.is_over
        assert [match.totals[SEATS.index(seat)] for seat in match.winners] == [max(match.totals)] * len(
            match.winners
        )


def test_the_totals_always_add_up_to_zero():
    """002, Winning: "The penalties (−192) and the trump deals (+192) balance, so the four totals always
    add up to zero."
    """
    match = whole_match(FULL)
    assert sum(match.running[6]) == -192
    assert sum(map(sum, match.scores[7:])) == 192
    assert sum(match.totals) == 0


def test_two_tied_at_the_top_share_first_place():
    """002, Winning: "Two players tied at the top share first place, which counts as a draw for you." """
    match = Match(SHORT, seed=1)
    while not match.is_over:
        if match.contract is None:
            match.choose("trumps-nt")
        total = match.contract.total
        match.record([total // 2, 0, total // 2, 0] if total > 0 else [0, total // 2, 0, total // 2])
    assert match.totals == (48, -48, 48, -48)
    assert (match.places, match.winners) == ((1, 3, 1, 3), ("N", "S"))


# --- Strategy tips: the facts in them ---


def test_the_first_six_tricks_of_no_last_two_cost_nothing():
    """002, Strategy tips: "The first six tricks cost nothing, so win them with your aces and kings and
    keep low cards for the end."
    """
    assert contract(FULL, "no-last-two").trick_points[:6] == (0,) * 6


def test_a_void_lets_you_throw_dangerous_cards():
    """002, Strategy tips: "Being out of a suit lets you throw away your dangerous cards when that suit is
    led."
    """
    hands = "As 7s/Qd 8c/9s Qh/Ts Tc"
    assert "Qd" in legal(FULL, "no-queens", hands, leader="N", trick="As")
    assert legal(FULL, "no-queens", hands, leader="N", trick="As Qd") == {"9s"}


def test_a_seven_is_a_safe_lead_and_an_ace_wins():
    """002, Strategy tips: "A seven is a safe lead when the eight, nine and ten of its suit haven't been
    played; an ace with nothing higher out will win."
    """
    assert trick(FULL, "no-tricks", "7s 8s Ad Ac") == (0, -2, 0, 0)
    assert trick(FULL, "no-tricks", "As Ks Ad Ac") == (-2, 0, 0, 0)


def test_who_did_not_follow_or_did_not_play_the_king_has_none():
    """002, Strategy tips: "A player who didn't follow suit has no more of that suit, and in the King deal
    a player who couldn't follow and didn't play the king of hearts doesn't have it."
    """
    seen = 0
    for seed in range(1, 9):
        result = next(r for r in whole_match(SHORT, seed).results if r.contract.name == "no-king")
        position = result.round.position(0)
        for card in result.round.cards:
            hand = position.hands[position.turn]
            if position.trick and card[1] != position.trick[0][1]:
                assert not [held for held in hand if held[1] == position.trick[0][1]]
                assert card == "Kh" or "Kh" not in hand
                seen += 1
            position.push(card)
    assert seen > 20


def test_the_holder_of_the_king_is_forced_to_give_it_up():
    """002, Strategy tips: "In No King, keep leading suits the holder of the king of hearts may run out
    of, so they are forced to give it up."
    """
    after = played(FULL, "no-king", "As Ks/Qs Kh/9s 8c/Ts Tc", "As Qs 9s Ts Ks")
    assert after.legal_cards() == ["Kh"]


# --- Modes ---


def test_full_king_has_seven_penalties_and_eight_trump_deals():
    """002, Modes: "Full King: seven penalty deals including Eralash, then eight trump deals." """
    names = [result.contract.name for result in whole_match(FULL).results]
    assert names[:7] == PENALTIES
    assert set(names[7:]) <= set(TRUMPS)
    assert len(names[7:]) == 8


def test_fifteen_deals_in_all():
    """002, Modes: "Fifteen deals in all." """
    assert load_variant(FULL).plan.rounds == len(whole_match(FULL).results) == 15


def test_short_king_has_six_penalties_and_four_trump_deals():
    """002, Modes: "Short King: six penalty deals without Eralash, then four trump deals, so every player
    names the trump once."
    """
    names = [result.contract.name for result in whole_match(SHORT).results]
    assert names[:6] == PENALTIES[:6]
    assert set(names[6:]) <= set(TRUMPS)
    assert Counter(result.chooser for result in named(SHORT)) == dict.fromkeys("NESW", 1)
    assert "eralash" not in load_variant(SHORT).contracts


def test_ten_deals_in_all():
    """002, Modes: "Ten deals in all." """
    assert load_variant(SHORT).plan.rounds == len(whole_match(SHORT).results) == 10
