"""The kernels' rules of play and the policies, held to Position for every contract that ships."""

import random

import numpy as np
import pytest
from numba import njit

from kingsolve._jit.bits import above, below, highest, lane_of, lowest, pick, popcount
from kingsolve._jit.policies import BRIEF, CAREFUL, RANDOM, choose, make_brief
from kingsolve._jit.rng import STATE_WORDS, seek
from kingsolve._jit.rounds import is_over, legal_cards, play_out, scoring_cards
from kingsolve.cards import ALL_CARDS, SEATS, bits_of, card_name, mask_of
from kingsolve.contract import Contract
from kingsolve.dealing import random_deal
from kingsolve.players.playout import playout_values
from kingsolve.position import Position
from kingsolve.solver import in_play_order
from kingsolve.variants import load_variant, variant_ids

CASES = [(id, name) for id in variant_ids() for name in load_variant(id).contracts]


class Table:
    """A Position with what the kernels ask of it, seats in the order of play."""

    def __init__(self, contract: Contract, position: Position) -> None:
        self.record, self.order, self.at = contract.record[()], in_play_order(contract), position
        self.brief = np.zeros(BRIEF, np.int32)
        make_brief(self.record, self.brief)
        self.seen = 0

    def facts(self) -> dict[str, int]:
        """The led suit, the trick as a mask and its best card, the cards still to come."""
        cards = [ALL_CARDS[name] for name in self.at.trick]
        trump = self.at.contract.trump
        ruffs = [bit for bit in cards if trump and card_name(bit)[1] == trump]
        led = int(lane_of(cards[0])) if cards else 0
        best = max(ruffs or [bit for bit in cards if led >> bit & 1], default=-1)
        return {"led": led, "trick": sum(1 << bit for bit in cards), "best": best, "played": len(cards)}

    def hand(self) -> int:
        return self.at.masks[SEATS.index(self.at.turn)]

    def legal(self) -> int:
        facts = self.facts()
        return int(
            legal_cards(
                self.record,
                self.hand(),
                facts["led"],
                facts["trick"],
                self.at.first_trick,
                self.at.broken,
            )
        )

    def choose(self, policy: int, state: np.ndarray) -> int:
        facts = self.facts()
        after = self.at.contract.seats - 1 - facts["played"]
        seen = self.seen | facts["trick"]
        card = choose(
            policy, self.record, self.brief, self.hand(), self.legal(), facts["led"], facts["trick"],
            facts["best"], after, seen, self.at.place, state,
        )  # fmt: skip
        return int(card)

    def push(self, bit: int) -> None:
        trick = self.at.trick
        self.at.push(card_name(bit))
        if not self.at.trick:
            self.seen |= mask_of(trick) | 1 << bit

    def played_out(self, policies: list[int], state: np.ndarray) -> list[int]:
        """What the kernel makes of the rest of the round, in seat order."""
        hands = np.zeros(4, np.int64)
        points, trick, who = np.zeros(4, np.int32), np.zeros(4, np.int64), np.zeros(4, np.int64)
        seats = range(self.at.contract.seats)
        for i in seats:
            hands[i], who[i] = self.at.masks[self.order[i]], policies[self.order[i]]
        for i, name in enumerate(self.at.trick):
            trick[i] = ALL_CARDS[name]
        leader = self.order[SEATS.index(self.at.leader)]
        play_out(
            self.record, self.brief, hands, leader, trick, len(self.at.trick), self.seen, self.at.broken,
            who, state, points, np.zeros(0, np.int8),
        )  # fmt: skip
        return [int(points[self.order[i]]) for i in seats]


def start(id: str, name: str, number: int) -> Table:
    variant = load_variant(id)
    deal = random_deal(variant, seed=99, number=number)
    leader = SEATS[number % variant.seats]
    contract = variant.contract(name)
    return Table(contract, Position(contract, deal, leader=leader))


def stream(number: int) -> np.ndarray:
    state = np.zeros(STATE_WORDS, np.uint64)
    seek(state, np.uint64(3), np.uint64(number))
    return state


@pytest.mark.parametrize(("id", "name"), CASES)
def test_legal_cards_and_the_end_are_positions(id: str, name: str) -> None:
    """At every step of random rounds."""
    rng = random.Random(name)
    for number in range(6):
        table = start(id, name, number)
        while table.at.legal_cards():
            if not table.at.trick:
                left = sum(table.at.masks)
                scoring = scoring_cards(table.record)
                over = ends_here(table.record, table.brief, scoring, left, table.at.place)
                assert over == table.at.is_over
            assert table.legal() == table.at.legal_mask()
            table.push(rng.choice(list(bits_of(table.legal()))))


@pytest.mark.parametrize(("id", "name"), CASES)
def test_play_outs_are_positions(id: str, name: str) -> None:
    """From any point of a round, mid-trick too, the kernel's points are those of the same cards pushed."""
    rng = random.Random(name)
    for number in range(4):
        table = start(id, name, number)
        policies = [rng.choice([RANDOM, CAREFUL]) for _ in SEATS]
        for _ in range(rng.randrange(table.at.contract.hand_size * 3)):
            if table.at.is_over:
                break
            table.push(rng.choice(list(bits_of(table.legal()))))
        before = table.at.banked
        found = table.played_out(policies, stream(number))
        state = stream(number)
        while not table.at.is_over:
            bit = table.choose(policies[SEATS.index(table.at.turn)], state)
            assert table.at.why_illegal(card_name(bit)) is None
            table.push(bit)
        assert found == [after - was for after, was in zip(table.at.banked, before, strict=True)]


@njit
def ends_here(contract, brief, scoring, left, place):
    return is_over(contract, brief, scoring, left, place)


@njit
def ends(cards):
    return popcount(cards), lowest(cards), highest(cards)


def test_sets_of_cards() -> None:
    rng = random.Random(1)
    names = [card_name(bit) for bit in bits_of(load_variant("rifki").pack)]
    for _ in range(200):
        cards = sorted(map(ALL_CARDS.__getitem__, rng.sample(names, rng.randrange(1, 14))))
        mask = sum(1 << bit for bit in cards)
        assert ends(mask) == (len(cards), cards[0], cards[-1])
        index = rng.randrange(len(cards))
        assert pick(mask, index) == cards[index]
        bit = cards[index]
        assert above(bit) | below(bit) | 1 << bit == lane_of(bit)
        assert below(bit) < 1 << bit


def test_random_is_uniform_over_the_legal_cards() -> None:
    """Chi-squared over thirteen leads: 32.91 is passed once in a thousand by chance."""
    table = start("kierki", "no-tricks", 1)
    counts: dict[int, int] = {}
    state = stream(1)
    legal = list(bits_of(table.legal()))
    for _ in range(1300):
        card = table.choose(RANDOM, state)
        counts[card] = counts.get(card, 0) + 1
    assert set(counts) <= set(legal)
    expected = 1300 / len(legal)
    chi = sum((counts.get(card, 0) - expected) ** 2 / expected for card in legal)
    assert chi < 32.91


def test_a_barred_card_in_the_trick_breaks_the_bar() -> None:
    """Play-outs begun in mid-trick see what lies there, whether the caller says `broken` or not."""
    variant = load_variant("dealers-choice-20")
    contract = variant.contract("trumps-h")
    rng = random.Random("broken in the trick")
    tried = 0
    for number in range(300):
        hands = [list(bits_of(hand or 0)) for hand in random_deal(variant, seed=3, number=number).hands]
        position = Position.from_masks(
            contract, [mask_of([card_name(bit) for bit in rng.sample(hand, 5)]) for hand in hands]
        )
        while not position.broken and not position.is_over:
            position.push(rng.choice(position.legal_cards()))
        if not position.trick:
            continue
        deals = np.array([position.masks] * 8, np.uint64)
        trick = [ALL_CARDS[card] for card in position.trick]
        leader, seat = position.leader, position.turn
        false, true = (
            playout_values(
                deals, contract, leader=leader, trick=trick, broken=broken, seat=seat, policy="random"
            )
            for broken in (False, True)
        )
        assert false.tolist() == true.tolist(), position
        tried += 1
    assert tried > 50
