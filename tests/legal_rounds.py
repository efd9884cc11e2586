"""Many rounds of a contract replayed at once in NumPy: the rules of RULES in their own words once more.

Each array has a row a round; masks and bit numbers are int64.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kingsolve.cards import LANE, SUITS, suit_mask
from kingsolve.contract import Contract

Ints = NDArray[np.int64]


@dataclass
class Trick:
    """The trick so far: the led suit, the highest card of it and of trumps (-1: none), who takes it."""

    led: Ints
    top: Ints
    trump: Ints
    taker: Ints


def replayed(contract: Contract, hands: Ints, leaders: Ints, cards: Ints) -> Ints:
    """The points of each seat, int64[rounds, seats]; AssertionError at a card that may not be played, and for
    a round that ends too early or too late.

    `hands` is int64[rounds, seats], `leaders` int64[rounds], `cards` int64[rounds, cards], -1 after the end.
    """
    rounds, seats = hands.shape
    rows = np.arange(rounds)
    hands, leader = hands.copy(), leaders.copy()
    points, broken = np.zeros((rounds, seats), np.int64), np.zeros(rounds, bool)
    worth = np.zeros(64, np.int64)
    for mask, value in contract.card_points:
        for bit in range(64):
            worth[bit] += value * (mask >> bit & 1)
    going = np.ones(rounds, bool)
    for place in range(contract.hand_size):
        left = np.bitwise_or.reduce(hands, axis=1)
        if contract.early_stop and not any(contract.trick_points[place:]):
            going &= (left & contract.scoring_cards) != 0
        assert (cards[~going, place * seats :] == -1).all(), "a round went on when nothing was left to score"
        if not going.any():
            break
        trick = Trick(*(np.full(rounds, start, np.int64) for start in (0, -1, -1, 0)))
        gained = np.full(rounds, contract.trick_points[place], np.int64)
        for turn in range(seats):
            card = cards[:, place * seats + turn]
            assert (card[going] >= 0).all(), "a round ended too early"
            card = np.where(going, card, 0)
            seat = (leader + (turn if contract.clockwise else -turn)) % seats
            hand = hands[rows, seat]
            allowed = (
                may_lead(contract, hand, place == 0, broken)
                if turn == 0
                else may_play(contract, hand, trick, place == 0)
            )
            bit = np.int64(1) << card
            assert ((bit & hand & allowed) != 0)[going].all(), "a card that may not be played"
            hands[rows, seat] = np.where(going, hand & ~bit, hand)
            broken |= going & ((bit & contract.barred) != 0)
            gained += worth[card]
            lay(contract, trick, card, seat, first=turn == 0)
        np.add.at(points, (rows[going], trick.taker[going]), gained[going])
        leader = np.where(going, trick.taker, leader)
    assert (np.bitwise_or.reduce(hands, axis=1)[going] == 0).all(), "a round ended with cards in hand"
    return points


def lane(card: Ints) -> Ints:
    """The mask of the suit of each card."""
    return np.int64(LANE) << (card & 48)


def above(card: Ints) -> Ints:
    """The cards of its suit above each card; all of none for -1."""
    return np.where(card < 0, 0, lane(card) & ~((np.int64(2) << np.maximum(card, 0)) - 1))


def prefer(some: Ints, otherwise: Ints) -> Ints:
    """`some` where there are any, else the others."""
    return np.where(some != 0, some, otherwise)


def may_lead(contract: Contract, hand: Ints, first: bool, broken: NDArray[np.bool_]) -> Ints:
    """All cards, minus those barred from the first trick, minus those barred while the bar stands; the whole
    hand where nothing is left."""
    lifted = broken & contract.until_broken
    if contract.waiver:
        lifted = lifted | ((hand & contract.waiver) == contract.waiver)
    left = np.where(lifted, hand, hand & ~np.int64(contract.barred))
    if first:
        left &= ~np.int64(contract.first_barred)
    return prefer(left, hand)


def may_play(contract: Contract, hand: Ints, trick: Trick, first: bool) -> Ints:
    """What may be played to a trick that somebody led."""
    trumps = np.int64(suit_mask(contract.trump) if contract.trump else 0)
    follow = hand & trick.led
    if contract.beat_trump:
        follow = np.where(trick.led == trumps, prefer(follow & above(trick.top), follow), follow)
    follow = prefer(follow & np.int64(contract.forced_under) & ~above(trick.top), follow)
    void = hand
    if contract.void_trump != "free":
        mine = hand & trumps
        if contract.void_trump == "must-overtrump":
            mine = prefer(mine & above(trick.trump), mine)
        void = prefer(mine, void)
    if first and contract.first_barred:
        barred = np.int64(contract.first_barred)
        void = np.where((hand & barred) != 0, prefer(hand & ~barred, hand), void)
    void = prefer(hand & np.int64(contract.must_discard), void)
    return prefer(follow, void)


def lay(contract: Contract, trick: Trick, card: Ints, seat: Ints, *, first: bool) -> None:
    """Adds a card of each round to the trick."""
    if first:
        trick.led = lane(card)
        trick.taker = seat
    of_led = (lane(card) == trick.led) & (card > trick.top)
    is_trump = (card >> 4) == (SUITS.index(contract.trump) if contract.trump else -1)
    of_trumps = is_trump & (card > trick.trump)
    wins = np.where(trick.trump >= 0, of_trumps, of_trumps | of_led)
    trick.taker = np.where(wins, seat, trick.taker)
    trick.top = np.where(of_led, card, trick.top)
    trick.trump = np.where(of_trumps, card, trick.trump)
