"""Play-outs of many deals from one point of a round, card by card; and how likely a policy makes what was
played.

Seats are numbered in the order of play, as in rounds.py; masks are int64.
"""

import numpy as np

from .bits import above, lane_of, popcount
from .compiling import compiled
from .policies import BRIEF, choose, make_brief
from .rng import STATE_WORDS, seek
from .rounds import beats, legal_cards, play_out


@compiled
def playout_cards(contract, deals, leader, trick, played, seen, broken, cards, policies, out):
    """The points to come of every seat in each deal for each of `cards`, into `out`, int32[n, cards, seats].

    `deals`, int64[n, seats], are the hands now; `trick`, int64[4], holds the `played` cards of the trick that
    `leader` led; `seen` the cards of complete tricks and those never in play. The seat to play plays the
    card, then the policies play all seats to the end of the round. A card of -1: they play from the start.
    """
    brief = np.zeros(BRIEF, np.int32)
    make_brief(contract, brief)
    state = np.zeros(STATE_WORDS, np.uint64)
    seats = np.int64(contract.seats)
    hands = np.zeros(4, np.int64)
    lying = np.zeros(4, np.int64)
    points = np.zeros(4, np.int32)
    log = np.zeros(0, np.int8)  # the cards are not recorded
    turn = (leader + played) % seats
    barred = np.int64(contract.barred)
    for row in range(deals.shape[0]):
        for column in range(cards.shape[0]):
            card = cards[column]
            for i in range(seats):
                hands[i] = deals[row, i]
                points[i] = 0
            for i in range(played):
                lying[i] = trick[i]
            count, open_bar = played, broken
            if card >= 0:
                hands[turn] ^= np.int64(1) << card
                lying[played] = card
                count = played + 1
                if barred >> card & 1:
                    open_bar = True
            seek(state, np.uint64(row), np.uint64(column))
            play_out(
                contract, brief, hands, leader, lying, count, seen, open_bar, policies, state, points,
                log,
            )  # fmt: skip
            for i in range(seats):
                out[row, column, i] = points[i]


@compiled
def log_likelihoods(
    contract, deals, seats, cards, tricks, laid, kept, gone, places, broken, policy, slip, out
):
    """The logarithm of how likely the observed plays are in each deal, into `out`, float64[n].

    Play i: the seat `seats[i]` played `cards[i]` on the first `laid[i]` cards of `tricks[i]`, int64[plays,
    4], having kept `kept[i]` (the cards it is known to have held then, that one included) beside its hand in
    the deal; `gone[i]` are the cards seen before it, the trick's included. The policy's own card has a chance
    of 1 - slip, and all legal cards share the slip; where it has no choice nothing is learnt.
    """
    brief = np.zeros(BRIEF, np.int32)
    make_brief(contract, brief)
    state = np.zeros(STATE_WORDS, np.uint64)
    for row in range(deals.shape[0]):
        total = 0.0
        for i in range(cards.shape[0]):
            hand = deals[row, seats[i]] | kept[i]
            led, lying, best = np.int64(0), np.int64(0), np.int64(-1)
            for j in range(laid[i]):
                card = tricks[i, j]
                if j == 0:
                    led = lane_of(card)
                lying |= np.int64(1) << card
                if beats(contract, card, best):
                    best = card
            legal = legal_cards(contract, hand, led, lying, places[i] == 0, broken[i])
            options = popcount(legal)
            if options < 2:
                continue
            after = np.int64(contract.seats) - 1 - laid[i]
            chosen = choose(
                policy, contract, brief, hand, legal, led, lying, best, after, gone[i], places[i], state
            )  # fmt: skip
            # Cards with none but gone or own ones between them are the same to everybody else.
            between = _between(chosen, cards[i])
            same = lane_of(chosen) == lane_of(cards[i]) and between & ~(hand | gone[i]) == 0
            chance = slip / options
            if chosen == cards[i] or (same and brief[chosen] == brief[cards[i]]):
                chance += 1.0 - slip
            total += np.log(chance)
        out[row] = total


@compiled
def _between(one, other):
    """The cards between two cards of a suit."""
    low, high = min(one, other), max(one, other)
    return above(low) & ~above(high) & ~(np.int64(1) << high)
