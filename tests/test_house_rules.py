"""Rules that no variant ships but a user's file may write: every search knows which of them it can serve."""

from dataclasses import replace
from typing import Any, get_args

import pytest

from house import Counting, house_contract, house_hands
from kingsolve._core import Context
from kingsolve.cards import mask_of, suit_mask
from test_patterns import BRIDGE, check_side, check_twins, solve, some_cards_on
from twins import generator, scaled

HEARTS = suit_mask("h")


@pytest.mark.parametrize("counting", get_args(Counting))
@pytest.mark.parametrize("number", range(scaled(20)))
def test_every_search_agrees_with_the_plain_one(counting: Counting, number: int) -> None:
    """Random contracts, 3 to 5 cards a hand: values of sides and best cases, and what the stored patterns
    say."""
    rng = generator("house searches", counting, number)
    contexts = Context(1 << 19), Context(1 << 19)
    contexts[0].relax_from = rng.choice([1, 8])
    for _ in range(100):
        size, seats = rng.choice([3, 3, 4, 4, 5]), rng.choice([3, 4, 4, 4])
        contract, everybody = house_contract(rng, counting, seats, size), (1 << seats) - 1
        hands = house_hands(rng, contract, size)
        arguments = some_cards_on(rng, contract, hands, rng.random() < 0.3)
        check_side(contexts, contract, arguments, 1 << rng.randrange(seats), everybody)
        for side in rng.sample(range(1, everybody), min(6, everybody - 1)):
            check_side(contexts, contract, arguments, side, side)
            check_twins(rng, contexts, contract, sum(hands), side, 1)


def values(hands: str, leader: int, side: int, **rules: Any) -> list[int]:
    """What the side takes of these hands, a point a trick: by the search made for it and by the plain one."""
    masks = [mask_of(hand) for hand in hands.split(",")]
    size = masks[0].bit_count()
    contract = replace(BRIDGE, seats=len(masks), hand_size=size, **{"trick_points": (1,) * size, **rules})
    context, found = Context(1 << 19), []
    for only_plain in (False, True):
        context.begin(contract.record, side, side, only_plain)
        low, high = solve(context, contract, masks, leader, False)
        assert low == high
        found.append(low)
    return found


def test_a_bar_on_part_of_a_suit_is_not_for_the_takers() -> None:
    """What of a suit may be led is a matter of ranks, which their patterns leave open."""
    hands = "AhKhQh, JsTh7d, 2s7h6h, 2h9d3c"
    assert values(hands, 1, 0b0011, barred=mask_of("AhTh2h"), until_broken=True) == [3, 3]


def test_a_waiver_under_a_bar_that_never_falls_is_not_for_the_takers() -> None:
    """E leads the ten, then the ace; the other way round the bar binds him. With the ace gone the highest
    heart waives nothing."""
    hands = "7h4h2h, AhThJd, 8h4d2d, 6hAd8d"
    assert values(hands, 1, 0b0010, barred=HEARTS, waiver=mask_of("Ah")) == [2, 2]
    assert values(hands, 1, 0b0010, barred=HEARTS) == [1, 1]


def test_a_waiver_of_cards_that_are_not_barred_is_not_for_the_takers() -> None:
    """These may have gone although the bar stands."""
    hands = "JhAcJc8c, 9hTc7c2c, KhTh3h6c, 4hQc5c4c"
    assert values(hands, 2, 0b0101, barred=HEARTS, waiver=mask_of("Ac")) == [3, 3]


def test_a_bar_of_the_first_trick_on_a_side_suit_is_not_for_the_takers() -> None:
    """E is void on the first trick and may throw no heart: his ace goes."""
    hands = "QsQcJc, Th3hAc, Ts3s5h, AhKhQh"
    assert values(hands, 2, 0b1010, first_barred=HEARTS) == [0, 0]
    assert values(hands, 2, 0b1010) == [2, 2]


UNDEALT = mask_of("2s")


@pytest.mark.parametrize(
    ("hands", "leader", "side", "value", "rules"),
    [
        ("Kh8d5d, Th9h3h, Ah8h3d, 5hKd7d", 1, 0b0111, 3, {"forced_under": HEARTS}),
        ("Qs8s9h3h, JsJh6h5d, KsTh2h8d", 1, 0b011, 3, {"trump": "h", "beat_trump": True}),
        (
            "Jh9h7c3c, Kh5h4hJc, Ah9c6c4c, 7h6h2hQc",
            2,
            0b0101,
            1,
            {"trump": "h", "void_trump": "must-overtrump"},
        ),
    ],
    ids=["a card to stay under", "a trump led", "a ruff"],
)
def test_a_pattern_of_any_side_tells_the_card_that_a_rule_asks_about(
    hands: str, leader: int, side: int, value: int, rules: dict[str, Any]
) -> None:
    """Where the higher card that the rule asks about lies lower, the hand has another choice. (A discard that
    nobody holds keeps the takers' search away.)"""
    assert values(hands, leader, side, must_discard=UNDEALT, **rules) == [value, value]


@pytest.mark.parametrize("sign", [1, -1])
def test_points_too_many_for_a_pattern_are_kept_whole(sign: int) -> None:
    """W takes all: 202 units, of which a byte would make -54."""
    points = (mask_of("QsQh"), 100 * sign), (mask_of("KhKs"), sign)
    hands = "Qs2s9h, 4sTh6h, 5s8h4h, KsKhQh"
    found = values(hands, 0, 0b1000, trick_points=(0, 0, 0), card_points=points)
    assert found == [202 * sign, 202 * sign]
