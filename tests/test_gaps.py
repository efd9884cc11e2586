"""The gap relaxation of an avoider's game (docs/solver.md) against a slow twin, and what stands on it.

The twin plays the relaxed game card by card, with no bounds, no equals and no patterns.
"""

import random
from collections.abc import Sequence

import numpy as np
import pytest

import kingsolve as ks
from kingsolve import Contract
from kingsolve._core import Context
from kingsolve.cards import bits_of, mask_of
from test_patterns import (
    PENALTIES,
    RELAXED,
    ident,
    lengths_of,
    odd_cards,
    random_hands,
    solve,
    some_cards_on,
    twin,
)

LANE = 0x1FFF
UNFORCED = [contract for contract in PENALTIES if not contract.forced_under]


class RelaxedGame:
    """The loss of one seat if the field's cards between its own are alike and the field chooses who won."""

    def __init__(self, contract: Contract, avoider: int) -> None:
        self.contract = contract
        self.avoider = avoider
        self.odd = odd_cards(contract)
        self.penalty = [0] * 64
        for mask, points in contract.card_points:
            for bit in bits_of(mask):
                self.penalty[bit] -= points
        self.known: dict[tuple[tuple[int, ...], int, bool], int] = {}

    def loss(self, hands: Sequence[int], leader: int, broken: bool) -> int:
        """The most that the field can make the avoider lose from here, in points."""
        key = tuple(hands), leader, broken
        if key not in self.known:
            walls = hands[self.avoider] | sum(hands) & self.odd
            self.known[key] = self.play(list(hands), leader, [], walls, broken) if any(hands) else 0
        return self.known[key]

    def play(self, hands: list[int], leader: int, trick: list[int], walls: int, broken: bool) -> int:
        seats = self.contract.seats
        if len(trick) == seats:
            return self.close(hands, leader, trick, walls, broken)
        seat = (leader + len(trick)) % seats
        found = []
        for card in bits_of(self.legal(hands[seat], trick, broken)):
            hands[seat] ^= 1 << card
            lifted = broken or bool(self.contract.barred >> card & 1)
            found.append(self.play(hands, leader, [*trick, card], walls, lifted))
            hands[seat] ^= 1 << card
        return min(found) if seat == self.avoider else max(found)

    def legal(self, hand: int, trick: list[int], broken: bool) -> int:
        """What contracts of penalties allow: bars on leads, following suit, compulsory discards."""
        c = self.contract
        if trick:
            return hand & LANE << (trick[0] & 48) or hand & c.must_discard or hand
        return hand if c.until_broken and broken else hand & ~c.barred or hand

    def close(self, hands: list[int], leader: int, trick: list[int], walls: int, broken: bool) -> int:
        seats = self.contract.seats
        following = {card: (leader + i) % seats for i, card in enumerate(trick) if card >> 4 == trick[0] >> 4}
        best = max(following)
        if following[best] == self.avoider:
            left = max(hand.bit_count() for hand in hands) + 1
            points = self.contract.trick_points[self.contract.hand_size - left]
            return sum(self.penalty[card] for card in trick) - points + self.loss(hands, self.avoider, broken)
        winners = {following[best]}
        winners |= {seat for card, seat in following.items() if not walls & ((2 << best) - (1 << card))}
        return max(self.loss(hands, winner, broken) for winner in winners)


@pytest.mark.parametrize("contract", UNFORCED, ids=ident)
def test_the_relaxed_game_is_solved_right_and_bounds_the_real_one(contract: Contract) -> None:
    rng = random.Random(f"gaps {ident(contract)}")
    fast = Context(1 << 20)
    fast.relax_from = 1
    looser = 0
    for number in range(40):
        hands = random_hands(rng, contract, 4 if number == 0 else 3)
        leader, avoider = rng.randrange(contract.seats), rng.randrange(contract.seats)
        broken = rng.random() < 0.5
        fast.begin(contract.record, 1 << avoider, 1 << avoider)
        relaxed = fast.relaxed(np.array(hands, np.uint64), leader, broken)
        assert relaxed == RelaxedGame(contract, avoider).loss(hands, leader, broken), (hands, leader, avoider)
        loss = -solve(fast, contract, hands, leader, broken)[0]
        fast.begin(contract.record, 1 << avoider, 1 << avoider, True)
        assert loss == -solve(fast, contract, hands, leader, broken)[0] <= relaxed
        looser += loss < relaxed
    assert looser < 20


@pytest.mark.parametrize("contract", UNFORCED, ids=ident)
def test_relaxed_patterns_speak_the_truth_of_all_that_match(contract: Contract) -> None:
    rng = random.Random(f"gaps audit {ident(contract)}")
    fast = Context(1 << 20)
    fast.relax_from = 1
    checked = 0
    for _ in range(25):
        hands, leader, avoider = random_hands(rng, contract, 3), rng.randrange(contract.seats), 0
        broken = rng.random() < 0.5
        fast.begin(contract.record, 1 << avoider, 1 << avoider)
        fast.relaxed(np.array(hands, np.uint64), leader, broken)
        stored = [pattern for pattern in fast.patterns() if pattern[0] & RELAXED]
        for key, crests, code, mask, low, high in rng.sample(stored, min(10, len(stored))):
            _, leads, bar_broken, _ = lengths_of(key)
            other = twin(rng, contract, sum(hands), odd_cards(contract), key & ~RELAXED, crests, code, mask)
            value = RelaxedGame(contract, avoider).loss(other, leads, bar_broken) // contract.unit
            assert low <= value <= high, (hands, leader, broken, other, leads, bar_broken)
            checked += 1
    assert checked > 20


@pytest.mark.parametrize("contract", UNFORCED, ids=ident)
def test_solving_the_relaxed_game_first_changes_no_value(contract: Contract) -> None:
    rng = random.Random(f"gaps first {ident(contract)}")
    fast, plain = Context(1 << 20), Context(1 << 20)
    fast.relax_from, plain.relax_from = 1, 99
    for _ in range(30):
        hands = random_hands(rng, contract, min(rng.randrange(4, 8), contract.hand_size))
        arguments = some_cards_on(rng, contract, hands, False)
        avoider = 1 << rng.randrange(contract.seats)
        answers = []
        for context in (fast, plain):
            context.begin(contract.record, avoider, avoider)
            answers.append(context.value(*arguments)[:2])
        assert answers[0] == answers[1], (arguments, avoider)


@pytest.mark.parametrize("contract", UNFORCED, ids=ident)
def test_limits_leave_true_bounds(contract: Contract) -> None:
    """Wherever the nodes end: in the relaxed game, in the real one, in a part of either."""
    rng = random.Random(f"gaps limits {ident(contract)}")
    fast = Context(1 << 20)
    fast.relax_from = 1
    for _ in range(10):
        hands = random_hands(rng, contract, min(rng.randrange(5, 8), contract.hand_size))
        arguments = some_cards_on(rng, contract, hands, False)
        avoider = 1 << rng.randrange(contract.seats)
        fast.begin(contract.record, avoider, avoider)
        value, _, nodes, _ = fast.value(*arguments)
        for limit in sorted(rng.randrange(1, nodes + 2) for _ in range(10)):
            fast.begin(contract.record, avoider, avoider)
            low, high, spent, stop = fast.value(*arguments, limit)
            assert low <= value <= high, (arguments, avoider, limit)
            assert spent == min(limit, nodes), (arguments, avoider, limit)
            assert (low == high) or stop


@pytest.mark.parametrize("name", ["no-tricks", "no-hearts"])
def test_limits_leave_bounds_on_both_sides_of_a_large_deal(name: str) -> None:
    variant = ks.load_variant("dealers-choice-20")
    for number in range(4):
        deal = ks.random_deal(variant, seed=2, number=number)
        position = ks.Position(variant.contract(name), deal, leader="N")
        bounds = ks.Solver(ks.Limits(nodes=400_000)).side(position, 1)
        if not bounds.exact:
            assert ks.Solver(ks.Limits(nodes=1)).side(position, 1).maximum == 0
            assert position.to_come < bounds.minimum <= bounds.maximum < 0, (number, bounds)


def test_the_seats_of_a_gap_may_all_be_deemed_to_win() -> None:
    """Only seat 2 can lead the heart that he must take, if it wins the club, as only its rank denies."""
    contract = next(c for c in UNFORCED if ident(c) == "russian-14-no-tricks")
    hands = [mask_of(hand.split()) for hand in ("7c 9h", "Kc As", "Qc 8h", "8c Ad")]
    fast = Context(1 << 20)
    fast.relax_from = 1
    fast.begin(contract.record, 1, 1)
    assert solve(fast, contract, hands, 1, False) == (0, 0)
    assert fast.relaxed(np.array(hands, np.uint64), 1, False) == 2
