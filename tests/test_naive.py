"""The oracle tested by itself: positions worked out by hand from the seeds' sentences, totals, invariants.

Nothing here imports the package. Sentences are quoted with the number of their seed and section.
"""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

import naive

CONTRACTS = naive.CONTRACTS
EVERY = [pytest.param(c, id=f"{c.variant}/{c.name}") for c in naive.all_contracts()]
SUIT_TRUMPS = ["trumps-s", "trumps-h", "trumps-d", "trumps-c"]


def at(
    variant: str, contract: str, *hands: str, leader: str, trick: str = "", broken: bool = False
) -> naive.Position:
    """Return a position from hands in seat order, as text."""
    found = CONTRACTS[variant][contract]
    held = {seat: hand.split() for seat, hand in zip(found.seats, hands, strict=True)}
    return naive.position(found, held, leader, trick=trick.split(), broken=broken)


def choices(*args: str, **kwargs: object) -> str:
    """Return the legal cards of such a position, sorted, as text."""
    return " ".join(sorted(naive.legal(at(*args, **kwargs))))  # type: ignore[arg-type]


def play_all(position: naive.Position, cards: str) -> dict[str, int]:
    """Return the points of each seat that got any, after these cards."""
    total: dict[str, int] = {}
    for card in cards.split():
        position, gained = naive.play(position, card)
        for seat, points in gained.items():
            total[seat] = total.get(seat, 0) + points
    return total


# ----------------------------------------------------------------------------------------------------- totals

PENALTY_TOTALS = {
    "russian-14": [-16] * 6,
    "full-king": [-16] * 6,
    "short-king": [-16] * 6,
    "parlett-3": [-72] * 6,
    "parlett-4": [-16] * 6,
    "king-1993": [-160] * 6,
    "dealers-choice-20": [-650, -390, -480, -400, -360, -320],
    "jeu-du-roi": [-650, -390, -480, -400, -360, -320],
    "rifki": [-650, -390, -480, -400, -360, -320],
}


def total(contract: naive.NaiveContract) -> int:
    hands = naive.deal_rest(random.Random(1), contract, {}, contract.hand)
    return naive.points_to_come_total(naive.position(contract, hands, "N"))


@pytest.mark.parametrize("variant", PENALTY_TOTALS)
def test_penalty_totals(variant: str) -> None:
    """Seed 000, 02: "Each isolated round totals -16"; Seed 004: "-650, -390, -400, -480, -360, -320"."""
    assert [total(CONTRACTS[variant][name]) for name in naive.PENALTIES] == PENALTY_TOTALS[variant]


@pytest.mark.parametrize("variant", ["russian-14", "parlett-3", "parlett-4", "king-1993"])
def test_positive_half_mirrors_the_negative_one(variant: str) -> None:
    contracts = CONTRACTS[variant]
    twins = {name: twin for name, twin in naive.TWINS.items() if name in contracts}
    assert len(contracts) == 2 * len(twins)
    for name, twin in twins.items():
        assert total(contracts[twin]) == -total(contracts[name])
        for rule in ("barred_leads", "barred_until", "must_discard", "early_stop"):
            assert getattr(contracts[twin], rule) == getattr(contracts[name], rule)


def test_eralash_and_trump_totals() -> None:
    """Seed 000, 02: "Eralash totals -96"; Seed 002: "worth 3 points a trick"; Seed 004: "Trump +650"."""
    assert total(CONTRACTS["russian-14"]["eralash"]) == total(CONTRACTS["full-king"]["eralash"]) == -96
    assert total(CONTRACTS["king-1993"]["eralash"]) == -960
    for variant in ("full-king", "short-king"):
        assert [total(CONTRACTS[variant][name]) for name in [*SUIT_TRUMPS, "trumps-nt"]] == [24] * 5
    for variant in ("dealers-choice-20", "jeu-du-roi", "rifki"):
        assert [total(CONTRACTS[variant][name]) for name in SUIT_TRUMPS] == [650] * 4
        assert "trumps-nt" not in CONTRACTS[variant]


def test_kierki_totals() -> None:
    names = ["no-tricks", "no-hearts", "no-queens", "no-men", "no-king", "no-7th-last", "eralash"]
    assert [total(CONTRACTS["kierki"][name]) for name in names] == [-13, -13, -20, -16, -18, -20, -100]
    assert set(CONTRACTS["kierki"]) == set(names)
    assert CONTRACTS["kierki"]["no-7th-last"].trick_points == (0,) * 6 + (-10,) + (0,) * 5 + (-10,)


def test_contracts_of_each_variant() -> None:
    counts = {variant: len(contracts) for variant, contracts in CONTRACTS.items()}
    assert counts == {
        "russian-14": 14, "full-king": 12, "short-king": 11, "parlett-3": 12, "parlett-4": 12,
        "dealers-choice-20": 10, "jeu-du-roi": 10, "king-1993": 14, "rifki": 10, "kierki": 7,
    }  # fmt: skip
    assert "eralash" not in CONTRACTS["short-king"]
    assert all(c.name == name and c.variant == v for v, cs in CONTRACTS.items() for name, c in cs.items())


@pytest.mark.parametrize("contract", EVERY)
def test_whole_deals_give_out_the_total(contract: naive.NaiveContract) -> None:
    """A whole deal of random legal cards shares out the contract's total, stopped early or not."""
    rng = random.Random(5)
    position = naive.position(contract, naive.deal_rest(rng, contract, {}, contract.hand), "E")
    banked = 0
    while not naive.is_over(position):
        position, gained = naive.play(position, naive.pick(rng, naive.legal(position), 1)[0])
        banked += sum(gained.values())
    assert banked == total(contract)
    assert naive.points_to_come_total(position) == 0
    if not contract.early_stop or all(contract.trick_points):
        assert not any(position.hands)


# --------------------------------------------------------------------------------------- seed 000, russian-14


@pytest.mark.parametrize(
    ("variant", "contract", "cards", "points"),
    [
        ("russian-14", "eralash", "Kh Qh Js 7c", -38),
        ("russian-14", "eralash-plus", "Kh Qh Js 7c", 38),
        ("full-king", "eralash", "Kh Qh Js 7c", -38),
        ("russian-14", "eralash", "Kh Qh Ts 7c", -38),
        ("full-king", "eralash", "Kh Qh Ts 7c", -34),
    ],
)
def test_one_card_may_count_in_several_ways(variant: str, contract: str, cards: str, points: int) -> None:
    """Seed 000, 05: "the last trick contains K♥, Q♥, J♠ and 7♣ ... -38"."""
    last = at(variant, contract, *cards.split(), leader="N")
    assert play_all(last, cards) == {"N": points}
    assert naive.guarantee(last, "N") == points
    assert naive.equilibria(last) == [(points, 0, 0, 0)]


def test_highest_of_the_led_suit_wins_and_leads_next() -> None:
    """Seed 000, 01: "Highest of the led suit wins and leads next"."""
    start = at("russian-14", "no-tricks", "7s 8c", "9s 8d", "8s 7c", "Ah Ks", leader="N")
    for card in "7s 9s 8s".split():
        start, gained = naive.play(start, card)
        assert gained == {}
    assert naive.legal(start) == {"Ks"}
    start, gained = naive.play(start, "Ks")
    assert (gained, start.leader, start.turn, start.trick) == ({"W": -2}, "W", "W", ())


@pytest.mark.parametrize("contract", ["no-hearts", "no-king", "eralash", "hearts", "king", "eralash-plus"])
def test_000_hearts_led_only_from_nothing_else(contract: str) -> None:
    """Seed 000, 03: "you may lead hearts only when your remaining hand has no other suit"."""
    rest = ("8h 8d", "9h 9d", "7s 8s")
    assert choices("russian-14", contract, "Ah 7c", *rest, leader="N") == "7c"
    assert choices("russian-14", contract, "Ah 7c", *rest, leader="N", broken=True) == "7c"
    assert choices("russian-14", contract, "Ah 7h", *rest, leader="N") == "7h Ah"
    after_discard = at("russian-14", contract, "As Ah 7c", "8h 9h Th", "9s 9d Jh", "7s 8s Qh", leader="N")
    for card in "As 8h 9s 7s".split():
        after_discard, _ = naive.play(after_discard, card)
    assert naive.legal(after_discard) == {"7c"}


@pytest.mark.parametrize("contract", ["no-tricks", "no-men", "no-queens", "no-last-two", "tricks", "men"])
def test_000_hearts_free_elsewhere(contract: str) -> None:
    assert choices("russian-14", contract, "Ah 7c", "8h 8d", "9h 9d", "7s 8s", leader="N") == "7c Ah"


def test_000_compulsory_king() -> None:
    """Seed 000, 03: void with K♥ "you must discard it"; "On a heart lead you follow normally"."""
    hands = ("8s", "Kh Ah 7c", "7d 8d 9d", "Ts Js Qs")
    for contract in ("no-king", "eralash", "king", "eralash-plus"):
        assert choices("russian-14", contract, "8s 9s", *hands[1:], leader="N", trick="7s") == "Kh"
        assert choices("russian-14", contract, "8s 9s", *hands[1:], leader="N", trick="9h") == "Ah Kh"
    for contract in ("no-hearts", "no-men", "hearts"):
        assert choices("russian-14", contract, "8s 9s", *hands[1:], leader="N", trick="7s") == "7c Ah Kh"


def test_000_early_stop() -> None:
    """Seed 000, 01: "when every scoring item of the contract has been captured, stop"."""
    hands = ("As 7c", "7s 8c", "8s 9c", "Kh Tc")
    before = at("russian-14", "no-king", *hands, leader="N")
    # As 7s 8s Kh ends the round; 7c 8c 9c Tc does not, and Kh 7s 8s As follows
    assert [naive.perft(before, depth) for depth in range(10)] == [1, 2, 2, 2, 2, 1, 1, 1, 1, 0]
    assert naive.endings(before) == 2
    to_the_end = naive.without_early_stop(before)
    assert [naive.perft(to_the_end, depth) for depth in range(10)] == [1, 2, 2, 2, 2, 2, 2, 2, 2, 0]
    assert naive.card_values(before, "N") == {"As": -16, "7c": 0}
    for card in "As 7s 8s".split():
        before, _ = naive.play(before, card)
        assert not naive.is_over(before)
    over, gained = naive.play(before, "Kh")
    assert gained == {"N": -16}
    assert naive.is_over(over)
    assert naive.legal(over) == {"7c"}
    assert naive.maxn(over) == (0, 0, 0, 0)


# ------------------------------------------------------------------------- seed 002, full-king and short-king


@pytest.mark.parametrize("contract", ["no-hearts", "no-king", "eralash"])
def test_002_hearts_led_only_from_nothing_else(contract: str) -> None:
    """Seed 002, Special rules: "you may not lead a heart while you hold a card of another suit"."""
    rest = ("8h 8d", "9h 9d", "7s 8s")
    assert choices("full-king", contract, "Ah 7c", *rest, leader="N") == "7c"
    assert choices("full-king", contract, "Ah 7h", *rest, leader="N") == "7h Ah"
    assert choices("full-king", "no-men", "Ah 7c", *rest, leader="N") == "7c Ah"


def test_002_boys_are_jacks() -> None:
    """Seed 002, Rules: "No boys: -4 for every jack in your tricks"."""
    assert set(CONTRACTS["full-king"]["no-men"].card_points) == {"Js", "Jh", "Jd", "Jc"}
    assert set(CONTRACTS["russian-14"]["no-men"].card_points) == {"Ks", "Kh", "Kd", "Kc"}


def test_002_trumps() -> None:
    """Seed 002, The trump deals: "you must play a trump if you have one"."""
    hands = ("9s Ts", "7h Ah 7c", "7d 9d Td", "Jc Tc Qh")
    for trick, trumps, none in (
        ("8s", "7h Ah", "7c 7h Ah"),
        ("8d", "7h Ah", "7c 7h Ah"),
        ("8c", "7c", "7c"),
        ("9h", "7h Ah", "7h Ah"),
    ):
        assert choices("full-king", "trumps-h", *hands, leader="N", trick=trick) == trumps
        assert choices("full-king", "trumps-nt", *hands, leader="N", trick=trick) == none
    # no need to overtrump; without a trump any card
    hands = ("9s Ts", "7c 8c", "7h Ah 7d", "7s 8d 9d")
    assert choices("full-king", "trumps-h", *hands, leader="N", trick="8s 8h") == "7h Ah"
    assert choices("full-king", "trumps-h", *hands, leader="N", trick="8h 9h") == "7h Ah"
    assert choices("full-king", "trumps-c", *hands, leader="N", trick="8s 8h") == "7d 7h Ah"


def test_002_highest_card_unless_a_trump() -> None:
    """Seed 002, The deal and the lead: "The highest card ... wins the trick, unless a trump was played"."""
    hands = ("As", "7h", "8h", "Ks")
    assert play_all(at("full-king", "trumps-h", *hands, leader="N"), "As 7h 8h Ks") == {"S": 3}
    assert play_all(at("full-king", "trumps-nt", *hands, leader="N"), "As 7h 8h Ks") == {"N": 3}


# --------------------------------------------------------------------------------- seed 003, parlett-3 and -4


@pytest.mark.parametrize("contract", ["no-king", "king"])
def test_003_three_seats(contract: str) -> None:
    """Seed 003, Three players: "Hearts may not be led unless there is no choice. K must be played"."""
    sign = -1 if contract == "no-king" else 1
    start = at("parlett-3", contract, "6s Ah", "7s 8s", "Kh 6c", leader="N")
    assert naive.legal(start) == {"6s"}
    assert naive.legal(naive.play(naive.play(start, "6s")[0], "8s")[0]) == {"Kh"}
    assert play_all(start, "6s 7s Kh") == {"E": 72 * sign}
    assert naive.shapley(start) == (0, 72 * sign, 0)
    assert naive.coalitions(start) == {s: 72 * sign * ("E" in s) for s in ("N", "E", "S", "NE", "NS", "ES")}


def test_003_no_duty_in_the_heart_deals() -> None:
    others = ("Kh 7c", "7d 8d", "9d Td")
    assert choices("parlett-4", "no-hearts", "8s", *others, leader="N", trick="9s") == "7c Kh"
    assert choices("parlett-4", "no-king", "8s", *others, leader="N", trick="9s") == "Kh"
    assert choices("parlett-4", "no-men", "8s Ah", *others, leader="N") == "8s Ah"


# -------------------------------------------------------------------------------- seed 004, dealers-choice-20


@pytest.mark.parametrize(
    ("contract", "expected"),
    [
        ("no-tricks", "2h Jd Kh Qd"),
        ("no-last-two", "2h Jd Kh Qd"),
        ("no-hearts", "2h Kh"),
        ("no-queens", "Qd"),
        ("no-men", "Jd Kh"),
        ("no-king", "Kh"),
    ],
)
def test_004_the_penalty_card_must_be_discarded(contract: str, expected: str) -> None:
    """Seed 004, In penalty contracts: "If you cannot follow suit you must discard the penalty card"."""
    for variant in ("dealers-choice-20", "rifki"):
        # the seat after the leader is E clockwise, W counter-clockwise
        mine, far = "2h Kh Qd Jd", "2d 3d 4d 5d"
        hands = ("2s 3s 4s", mine, "6c 7c 8c 9c", far)
        if variant == "rifki":
            hands = ("2s 3s 4s", far, "6c 7c 8c 9c", mine)
        assert choices(variant, contract, *hands, leader="N", trick="5s") == expected


def test_004_void_without_the_king_of_hearts() -> None:
    """Seed 004, In King of Hearts: hearts "become playable"; without K♥ any card is."""
    hands = ("2s", "2h 3c", "4d 5d", "6d 7d")
    assert choices("dealers-choice-20", "no-king", *hands, leader="N", trick="5s") == "2h 3c"


@pytest.mark.parametrize("contract", ["no-hearts", "no-king"])
@pytest.mark.parametrize("variant", ["dealers-choice-20", "rifki"])
def test_004_hearts_until_broken(variant: str, contract: str) -> None:
    """Seed 004: "you cannot lead with a heart until a heart has been played in a trick"."""
    rest = ("3h 8d", "Kh 9d", "7s 8s")
    assert choices(variant, contract, "Ah 7c", *rest, leader="N") == "7c"
    assert choices(variant, contract, "Ah 7c", *rest, leader="N", broken=True) == "7c Ah"
    assert choices(variant, contract, "Ah 7h", *rest, leader="N") == "7h Ah"
    after_discard = at(variant, contract, "As Ah 7c", "8h 9h Th", "9s 9d Kh", "7s 8s Qs", leader="N")
    for _ in range(4):
        after_discard, _ = naive.play(after_discard, min(naive.legal(after_discard) - {"7c"}))
    assert after_discard.broken
    assert naive.legal(after_discard) == {"7c", "Ah"}
    lying = at(variant, contract, "Ah 7c", "8h 9h", "Jd Kh", "7d 8d", leader="N")
    assert not lying.broken
    assert at(variant, contract, "7c", "8h 9h", "Jd Kh", "7d 8d", leader="N", trick="Ah").broken


TRUMP_REST = ("8h 8d 8c", "9h 9d 9c", "7h 7d 7c")


@pytest.mark.parametrize(
    ("hand", "broken", "expected"),
    [
        ("As Ks 2h", False, "2h"),
        ("As Ks 2h", True, "2h As Ks"),
        ("As Ks Js", False, "As Js Ks"),
        ("As Ks Qs", False, "As Ks Qs"),
    ],
)
def test_004_trumps_until_broken(hand: str, broken: bool, expected: str) -> None:
    """Seed 004: "You cannot lead with trump until a trump has been played"."""
    found = choices("dealers-choice-20", "trumps-s", hand, *TRUMP_REST, leader="N", broken=broken)
    assert found == expected
    for variant in ("rifki", "jeu-du-roi"):
        free = choices(variant, "trumps-s", hand, *TRUMP_REST, leader="N")
        assert free == " ".join(sorted(hand.split()))


def test_004_ace_king_queen_may_lead_any_trump() -> None:
    """Seed 004: "if you hold the ace, king and queen of that suit, you are free to"."""
    rest = ("8h 8d 8c Jc", "9h 9d 9c Tc", "7h 7d 7c Qc")
    assert choices("dealers-choice-20", "trumps-s", "As Ks Qs 2h", *rest, leader="N") == "2h As Ks Qs"
    assert choices("dealers-choice-20", "trumps-s", "As Ks Js 2h", *rest, leader="N") == "2h"
    rest = tuple(f"{hand} {card}" for hand, card in zip(rest, ("Ah", "Kh", "Qh"), strict=True))
    assert choices("dealers-choice-20", "trumps-s", "As Ks Qs 2s 2h", *rest, leader="N") == "2h 2s As Ks Qs"


def test_004_no_trump_on_the_first_trick() -> None:
    """Seed 004: "trump can neither be led nor discarded when you cannot follow suit"."""
    spades, hearts, clubs, diamonds = (" ".join(sorted(r + s for r in naive.RANKS)) for s in "shcd")
    clubs_led = clubs.replace("2c ", "")
    deal = "dealers-choice-20", "trumps-s"
    # A K Q do not help on the first trick
    most, others = spades.replace("2s", "2h"), hearts.replace("2h", "2s")
    assert choices(*deal, most, others, clubs, diamonds, leader="N") == "2h"
    # S leads the two of clubs: W may not ruff
    most, others = spades.replace("2s", "2d"), diamonds.replace("2d", "2s")
    assert choices(*deal, others, hearts, clubs_led, most, leader="S", trick="2c") == "2d"
    # nothing but trumps: they may be led, and played on clubs
    assert choices(*deal, spades, hearts, clubs, diamonds, leader="N") == spades
    assert choices(*deal, diamonds, hearts, clubs_led, spades, leader="S", trick="2c") == spades
    # no such bar elsewhere
    assert len(choices("rifki", "trumps-s", most, hearts, clubs, others, leader="N").split()) == 13
    ruffs = choices("jeu-du-roi", "trumps-s", others, hearts, clubs_led, most, leader="S", trick="2c")
    assert ruffs == most.replace("2d ", "")


@pytest.mark.parametrize(
    ("hand", "trick", "expected"),
    [
        ("Ks 8s 2h", "7d Ts", "Ks"),  # overtrump
        ("9s 8s 2h", "7d Ts", "8s 9s"),  # cannot: underruff
        ("9s 8s 2d", "7d Ts", "2d"),  # follow suit
        ("Ks 8s 2h", "7d 6d", "8s Ks"),  # no trump on the table
        ("As Ks 8s", "7d Ts", "As Ks"),
        ("Ks Js 8s", "9s Ts", "Js Ks"),  # trumps led: overtake
        ("9s 8s 2h", "7s Ts", "8s 9s"),
        ("3h 4h 2h", "7d Ts", "2h 3h 4h"),
    ],
)
def test_004_must_overtrump(hand: str, trick: str, expected: str) -> None:
    """Seed 004: "If a trump is already on the table and you hold a higher one, you must play that"."""
    given = ("5c 4c", "7c 8c", hand, "Jc Qc Kc")
    assert choices("dealers-choice-20", "trumps-s", *given, leader="N", trick=trick) == expected


def test_004_all_thirteen_tricks() -> None:
    over = at("dealers-choice-20", "no-king", "2s", "3s", "4s", "5s", leader="N")
    assert not naive.is_over(over)
    assert naive.perft(over, 4) == 1
    assert naive.points_to_come_total(over) == 0
    assert naive.is_over(at("rifki", "no-king", "2s", "3s", "4s", "5s", leader="N"))
    assert not naive.is_over(at("rifki", "no-king", "", "3s", "4s", "5s", leader="N", trick="2s"))


# ------------------------------------------------------------------------------------------- beyond the seeds


def test_rifki_counter_clockwise() -> None:
    start = at("rifki", "no-tricks", "2s", "3s", "4s", "5s", leader="N")
    assert naive.order_of_play(start.contract, "N") == "NWSE"
    assert play_all(start, "2s 5s 4s 3s") == {"W": -50}


@pytest.mark.parametrize(
    ("contract", "trick", "expected"),
    [
        ("no-men", "As", "Js Ks"),
        ("no-men", "Qs", "Js"),
        ("no-men", "Ts", "2s 9s Js Ks"),
        ("no-queens", "As", "2s 9s Js Ks"),
        ("no-tricks", "As", "2s 9s Js Ks"),
    ],
)
def test_rifki_penalty_under_a_higher_card(contract: str, trick: str, expected: str) -> None:
    hands = ("3d 4d 5d", "6d 7d 8d 9d", "Td Jd Qd Kd", "2s 9s Js Ks")
    assert choices("rifki", contract, *hands, leader="N", trick=trick) == expected


def test_rifki_hearts_under_a_higher_heart() -> None:
    hands = ("3d 4d 5d", "6d 7d 8d 9d", "Td Jd Qd Kd", "2h 9h Jh Kh")
    assert choices("rifki", "no-hearts", *hands, leader="N", trick="Th") == "2h 9h"
    assert choices("rifki", "no-king", *hands, leader="N", trick="Th") == "2h 9h Jh Kh"
    assert choices("rifki", "no-king", *hands, leader="N", trick="Ah") == "Kh"
    hands = (hands[0], hands[3], hands[1], hands[2])
    for variant in ("jeu-du-roi", "dealers-choice-20"):
        assert choices(variant, "no-king", *hands, leader="N", trick="Ah") == "2h 9h Jh Kh"


def test_rifki_must_trump_but_need_not_overtrump() -> None:
    given = ("5c 4c", "Jc Qc Kc", "Ks 8s 2h", "7c 8c")
    assert choices("rifki", "trumps-s", *given, leader="N", trick="7d Ts") == "8s Ks"
    assert choices("rifki", "trumps-s", *given, leader="N", trick="7s Ts") == "8s Ks"


def test_king_1993_bars_but_no_duty() -> None:
    for contract in ("no-hearts", "no-king", "eralash", "hearts", "king", "eralash-plus"):
        hands = ("Ah 7c", "Kh 8d", "9h 9d", "7s 8s")
        assert choices("king-1993", contract, *hands, leader="N") == "7c"
        assert choices("king-1993", contract, "Ah", *hands[1:], leader="N", trick="7c") == "8d Kh"


def test_kierki_no_bars_no_duty_no_trumps() -> None:
    for contract in CONTRACTS["kierki"]:
        hands = ("Ah 7c", "Kh 8d", "9h 9d", "7s 8s")
        assert choices("kierki", contract, *hands, leader="N") == "7c Ah"
        assert choices("kierki", contract, "Ah", *hands[1:], leader="N", trick="7c") == "8d Kh"


# --------------------------------------------------------------------------------------------- values by hand


def test_values_worked_out_by_hand() -> None:
    """N leads either to E, who has the spades, or to S, who has the clubs; W gives that seat both queens."""
    start = at("russian-14", "no-queens", "7s 7c", "As Js", "Ac Jc", "Qd Qh", leader="N")
    assert naive.points_to_come_total(start) == -8
    assert naive.card_values(start, "E") == {"7s": -8, "7c": 0}
    assert naive.coalitions(start) == {
        "N": 0, "E": -8, "S": -8, "W": 0,
        "NE": 0, "NS": 0, "NW": 0, "ES": -8, "EW": -8, "SW": -8,
        "NES": -8, "NEW": 0, "NSW": 0, "ESW": -8,
    }  # fmt: skip
    assert [naive.best_case(start, seat) for seat in "NESW"] == [0, 0, 0, 0]
    assert naive.shapley(start) == (Fraction(8, 3), Fraction(-16, 3), Fraction(-16, 3), 0)
    assert naive.equilibria(start) == [(0, -8, 0, 0), (0, 0, -8, 0)]
    # nothing lies below either seven: clubs come first; out of spite the next seat, E, is hit
    assert naive.maxn(start) == (0, 0, -8, 0)
    assert naive.maxn(start, ties="spiteful") == (0, -8, 0, 0)
    # mid-trick, E's cards do not matter any more
    assert naive.maxn(naive.play(start, "7s")[0]) == (0, -8, 0, 0)


def test_card_order_counts_cards_in_play_below() -> None:
    """The nine has the eight below it, in the trick or in a hand; a card that has gone does not count."""
    start = at("russian-14", "no-queens", "9s Tc", "As Js", "Ac Jc", "Qd 8s", leader="N")
    assert naive.card_order(start, "9s") == (-1, 3)
    assert naive.card_order(start, "Tc") == (0, 0)
    assert naive.equilibria(start) == [(0, -4, 0, 0), (0, 0, -4, 0)]
    assert naive.maxn(start) == (0, -4, 0, 0)
    lying = at("russian-14", "no-queens", "9s Tc", "Js 9h", "Ac Jc", "Qd", leader="W", trick="8d")
    assert naive.card_order(lying, "9s") == (0, 3)
    lying = at("russian-14", "no-queens", "9s Tc", "Js 9h", "Ac Jc", "Qd", leader="W", trick="8s")
    assert naive.card_order(lying, "9s") == (-1, 3)


def test_best_case_needs_help() -> None:
    """E can be given everything in the positive twin, but cannot force anything: N leads where he likes."""
    start = at("russian-14", "queens", "7s 7c", "As Js", "Ac Jc", "Qd Qh", leader="N")
    assert naive.guarantee(start, "E") == 0
    assert naive.best_case(start, "E") == 8
    assert naive.best_case(start, "N") == 0


# ------------------------------------------------------------------------------------------------- invariants


def some_endings() -> list[naive.Position]:
    """Return an ending of each contract: 1 to 3 cards, some in mid-trick, some played out from a deal."""
    rng = random.Random(20)
    found = []
    for contract in naive.all_contracts():
        make = rng.choice([naive.random_ending, naive.random_play_ending])
        found.append(make(rng, contract, rng.choice([1, 2, 2, 3]), mid_trick=rng.random() < 0.4))
    return found


ENDINGS = [pytest.param(p, id=f"{p.contract.variant}/{p.contract.name}") for p in some_endings()]


@pytest.mark.parametrize("position", ENDINGS)
def test_invariants(position: naive.Position) -> None:
    """v(S) + v(rest) = C; every max^n vector is an equilibrium, and none is below a guarantee; and so on."""
    seats = position.contract.seats
    whole = naive.points_to_come_total(position)
    value = naive.coalitions(position)
    for side, points in value.items():
        rest = "".join(seat for seat in seats if seat not in side)
        assert points + value[rest] == whole
        cards = naive.card_values(position, side)
        assert points == (max if position.turn in side else min)(cards.values())
    vectors = naive.equilibria(position)
    assert naive.maxn(position) in vectors
    assert naive.maxn(position, ties="spiteful") in vectors
    for vector in vectors:
        assert sum(vector) == whole
        assert all(points >= value[seat] for seat, points in zip(seats, vector, strict=True))
    fair = naive.shapley(position)
    assert sum(fair) == whole
    assert all(naive.best_case(position, seat) >= value[seat] for seat in seats)
    if len(seats) == 4:  # the closed form
        for at_seat, seat in enumerate(seats):
            pairs = [(q, "".join(s for s in seats if s in (seat, q))) for q in seats if q != seat]
            gains = sum(value[pair] - value[q] for q, pair in pairs)
            assert fair[at_seat] == Fraction(value[seat], 2) + Fraction(gains, 6)
    longer = naive.without_early_stop(position)
    assert naive.coalitions(longer) == value
    assert naive.equilibria(longer) == vectors
    assert naive.maxn(longer) == naive.maxn(position)
    assert naive.maxn(longer, ties="spiteful") == naive.maxn(position, ties="spiteful")


@pytest.mark.parametrize("contract", EVERY)
def test_rare_positions_are_sound(contract: naive.NaiveContract) -> None:
    """Names are unique, cards are of the hand to play, and a bar or duty of the contract really binds."""
    found = naive.rare_positions(contract)
    bound = 0
    for name, position in found:
        hand, cards = position.hand(position.turn), naive.legal(position)
        assert cards, name
        assert cards <= hand
        assert len(hand) <= 5 or name.startswith("full-size")
        following = {card for card in hand if position.trick and card[1] == position.trick[0][1][1]}
        bound += cards != (following or hand)
    assert len({name for name, _ in found}) == len(found)
    obliged = contract.barred_until or contract.must_discard or contract.must_trump
    assert bool(bound) == bool(obliged)


def test_random_positions_repeat() -> None:
    contract = CONTRACTS["rifki"]["no-men"]
    for make in (naive.random_ending, naive.random_play_ending):
        first, second = (make(random.Random(3), contract, 2, mid_trick=True) for _ in range(2))
        assert first == second


def test_faults_are_refused() -> None:
    with pytest.raises(ValueError, match="not a position"):
        at("russian-14", "no-men", "As", "As", "Ks", "Qs", leader="N")
    with pytest.raises(ValueError, match="not a position"):
        at("russian-14", "no-men", "6s", "As", "Ks", "Qs", leader="N")
    with pytest.raises(ValueError, match="not a position"):
        at("russian-14", "no-men", "7s 8s", "As", "Ks", "Qs", leader="N")
    with pytest.raises(ValueError, match="illegal card '8d' for E"):
        naive.play(at("russian-14", "no-men", "8h", "As 8d", "Ks 9d", "Qs Td", leader="N", trick="7s"), "8d")
    with pytest.raises(ValueError, match="unknown tie rule 'nice'"):
        naive.maxn(at("russian-14", "no-men", "7s", "As", "Ks", "Qs", leader="N"), ties="nice")
