"""`careful`, one test for each row of docs/policies.md: the card it plays in positions built for the rule."""

import random

import numpy as np
import pytest

import kingsolve as ks
from kingsolve._jit.policies import CAREFUL, RANDOM
from kingsolve.cards import card_name, mask_of
from test_jit_rounds import Table, start, stream


def card(id: str, name: str, hand: str, *, trick: str = "", seen: str = "", leader: str = "N") -> str:
    """What careful plays from `hand`; to it all cards are out but those seen and in the trick."""
    variant = ks.load_variant(id)
    contract = variant.contract(name)
    held, lying, gone = mask_of(hand), mask_of(trick), mask_of(seen)
    left = [bit for bit in range(61) if (contract.pack & ~(held | lying | gone)) >> bit & 1]
    size = held.bit_count()
    lead = "NESW".index(leader)
    turn = (lead + len(trick.split())) % 4
    hands = {"NESW"[turn]: held}
    for i in range(1, 4):
        seat = "NESW"[(turn + i) % 4]
        behind = seat in ["NESW"[(lead + k) % 4] for k in range(len(trick.split()))]
        want = size - 1 if behind else size
        hands[seat] = sum(1 << bit for bit in left[:want])
        left = left[want:]
    deal = ks.Deal(tuple(hands[seat] for seat in "NESW"))
    table = Table(contract, ks.Position(contract, deal, leader=leader, trick=trick))
    table.seen = gone
    return card_name(table.choose(CAREFUL, stream(0)))


CASES = [
    # avoided: tricks that cost nothing
    ("no-last-two", "As 8s Kd 7h", "", "As"),
    ("no-last-two", "As 8s Kd 7h", "9s", "As"),
    ("no-last-two", "As 8h Kd 7h", "9c", "As"),
    # avoided: leads
    ("no-tricks", "As 7s Kd Qd", "", "7s"),  # low into high cards that are out
    ("no-queens", "7s 7d 8d 9d", "", "7s"),  # of equally safe ones from the short suit
    ("no-queens", "Qs 9d Kd Ad", "", "9d"),  # no penalty card with lower ones out
    # avoided: following
    ("no-tricks", "7s Ts Qs As", "Js", "Ts"),  # the highest card that loses
    ("no-queens", "7s Ts Qs As", "Ks", "Qs"),  # the dearest that loses
    ("no-tricks", "Ts Js Qs 7h", "9s", "Ts"),  # all win, two to play: the lowest
    ("no-queens", "Js Qs Ks 7h", "9s 8s Ts", "Ks"),  # all win, last: the highest that is no penalty
    # avoided: void
    ("no-queens", "Qd Ah Kh 7c", "9s", "Qd"),
    ("no-king", "Kh Ah Ad 7c", "9s", "Kh"),
    ("no-tricks", "Ad 7h 8h 9h", "9s", "Ad"),  # most cards out below it
    # wanted: tricks that are worth nothing
    ("last-two", "As 8s Kd 7h", "", "7h"),
    ("last-two", "As 8s Kd 7h", "9s", "8s"),
    # wanted: leads and the rest
    ("tricks", "As 8s Qd 7c", "", "As"),  # cash what nobody can beat
    ("tricks", "Qs 8s 7s 7c", "", "7s"),  # nothing sure: low from length
    ("tricks", "Ks Js 8s 7c", "9s Ts 7s", "Js"),  # last: as cheaply as possible
    ("tricks", "Ks Js 8s 7c", "9s", "8s"),  # others to play and the ace out: low
    ("tricks", "As Js 8s 7c", "9s", "As"),  # nobody can beat it
    ("queens", "Qs Ks 8s 7c", "9s Ts 7s", "Qs"),  # the one that scores
    ("queens", "Ks Js 8s 7c", "9s Ts 7s", "8s"),  # nothing in it: not taken
    ("queens", "Qs 8s 7c 7d", "Ks", "8s"),  # lost: no card that scores
]


@pytest.mark.parametrize(("name", "hand", "trick", "played"), CASES)
def test_a_rule_of_careful(name: str, hand: str, trick: str, played: str) -> None:
    assert card("russian-14", name, hand, trick=trick) == played


@pytest.mark.parametrize(
    ("name", "hand", "trick", "played"),
    [
        ("trumps-h", "Ah Kh 7s 8d", "", "Ah"),  # draws trumps from the top
        ("trumps-h", "As 7h 8h Td", "", "As"),  # else cashes
        ("trumps-h", "8h Qh Td 7d", "9s 7s 8s", "8h"),  # last and void: the cheapest ruff
        ("trumps-h", "8h Qh Td 7d", "9s 9h 8s", "Qh"),  # over the ruff before it
    ],
)
def test_a_rule_of_careful_with_trumps(name: str, hand: str, trick: str, played: str) -> None:
    assert card("full-king", name, hand, trick=trick) == played


def test_cards_that_are_gone_are_remembered() -> None:
    """The queen is a winner once king and ace are gone; the nine is safe while the ten is out."""
    assert card("russian-14", "tricks", "Qs 8s 7c 8d", seen="As Ks") == "Qs"
    assert card("russian-14", "tricks", "Qs 8s 7c 8d") != "Qs"
    assert card("russian-14", "no-tricks", "9s 8d 8c 8h", seen="7s 8s") == "9s"


@pytest.mark.parametrize("id", ["russian-14", "dealers-choice-20", "parlett-3", "rifki"])
def test_careful_beats_random_everywhere(id: str) -> None:
    """One careful seat among random ones is better than its fair share in every contract."""
    variant = ks.load_variant(id)
    rng = random.Random(1)
    for name, contract in variant.contracts.items():
        points = np.zeros(variant.seats)
        for number in range(120):
            table = start(id, name, number)
            mine = rng.randrange(variant.seats)
            policies = [CAREFUL if seat == mine else RANDOM for seat in range(4)]
            found = table.played_out(policies, stream(number))
            points += [found[(mine + i) % variant.seats] for i in range(variant.seats)]
        assert points[0] / 120 > contract.total / variant.seats
