"""Max^n of the last tricks of many deals, played out in every way: where hands are this small no table is
needed, and a deal takes microseconds (the searches of kingsolve._core begin with tens).

Seats are numbered in the order of play, as in rounds.py; masks are int64.
"""

import numpy as np

from .bits import above, below, lane_of, lowest, popcount
from .compiling import compiled
from .policies import BRIEF, PLACES, make_brief
from .rounds import beats, is_over, legal_cards, scoring_cards

MAX_CARDS = 4
"""Cards that the largest hand may hold, the one in the trick counted."""


LEADER, PLAYED, BASE, PLACE, BROKEN, MOVES, CARD, IN_PLAY, ORDER, TAKER = range(10)
"""Columns of the levels of the search, one level a card: who led the trick, how many cards are in it, where
they begin, its place, whether the bar is broken, the cards still to try, the one being tried, the cards in
play, the place in card order of the best so far (0: none), who took the trick that the card made full (-1:
it did not)."""


@compiled
def ending_cards(contract, deals, leader, trick, played, broken, cards, out):
    """The points to come of every seat in each deal for each of `cards`, into `out`, int32[n, cards, seats].

    The seat to play plays the card, then all play max^n, ties in card order (docs/solver.md). `deals`,
    int64[n, seats], are the hands now, of at most MAX_CARDS cards; `trick`, int64[4], holds the `played`
    cards of the trick that `leader` led.
    """
    brief = np.zeros(BRIEF, np.int32)
    make_brief(contract, brief)
    seats = np.int64(contract.seats)
    hands = np.zeros(4, np.int64)
    lying = np.zeros(4 * (MAX_CARDS + 1), np.int64)
    levels = np.zeros((4 * MAX_CARDS + 2, 10), np.int64)
    values = np.zeros((4 * MAX_CARDS + 2, 4), np.int32)
    turn = (leader + played) % seats
    for row in range(deals.shape[0]):
        for column in range(cards.shape[0]):
            for seat in range(seats):
                hands[seat] = deals[row, seat]
            for i in range(played):
                lying[i] = trick[i]
            levels[0, LEADER] = leader
            levels[0, PLAYED] = played
            levels[0, BASE] = 0
            levels[0, PLACE] = np.int64(contract.hand_size) - popcount(hands[turn])
            levels[0, BROKEN] = broken
            _max_n(contract, brief, hands, lying, levels, values, cards[column])
            for seat in range(seats):
                out[row, column, seat] = values[0, seat]


@compiled
def _max_n(contract, brief, hands, lying, levels, values, first):
    """The points to come once the card `first` is played at level 0, into `values[0]`; hands are as before.

    A loop over levels, since Numba cannot keep compiled functions that call themselves.
    """
    scoring = scoring_cards(contract)
    seats = np.int64(contract.seats)
    level = 0
    _enter(contract, brief, scoring, hands, lying, levels, values, 0)
    levels[0, MOVES] = np.int64(1) << first
    while True:
        here = levels[level]
        if here[MOVES]:
            card = lowest(here[MOVES])
            here[MOVES] &= here[MOVES] - 1
            here[CARD] = card
            played = here[PLAYED]
            hands[(here[LEADER] + played) % seats] ^= np.int64(1) << card
            lying[here[BASE] + played] = card
            after = levels[level + 1]
            after[BROKEN] = here[BROKEN] | (np.int64(contract.barred) >> card & 1)
            if played + 1 < seats:
                here[TAKER] = -1
                after[LEADER], after[PLAYED] = here[LEADER], played + 1
                after[BASE], after[PLACE] = here[BASE], here[PLACE]
            else:
                top, taker = np.int64(-1), here[LEADER]
                for i in range(seats):
                    laid = lying[here[BASE] + i]
                    if beats(contract, laid, top):
                        top, taker = laid, (here[LEADER] + i) % seats
                here[TAKER] = taker
                after[LEADER], after[PLAYED] = taker, 0
                after[BASE], after[PLACE] = here[BASE] + seats, here[PLACE] + 1
            level += 1
            _enter(contract, brief, scoring, hands, lying, levels, values, level)
            continue
        if level == 0:
            return
        level -= 1
        here = levels[level]
        card, turn = here[CARD], (here[LEADER] + here[PLAYED]) % seats
        hands[turn] ^= np.int64(1) << card
        if here[TAKER] >= 0:
            gained = brief[PLACES + here[PLACE]]
            for i in range(seats):
                gained += brief[lying[here[BASE] + i]]
            values[level + 1, here[TAKER]] += gained
        # most cards of its suit in play below it first, then clubs to spades
        order = 1 + 4 * (64 - popcount(here[IN_PLAY] & below(card))) + (card >> 4)
        got, most = values[level + 1, turn], values[level, turn]
        if here[ORDER] == 0 or got > most or (got == most and order < here[ORDER]):
            here[ORDER] = order
            for seat in range(seats):
                values[level, seat] = values[level + 1, seat]


@compiled
def _alike(contract, one, other):
    """Whether no rule tells two cards of a suit apart."""
    differ = np.int64(0)
    for mask in (contract.barred, contract.first_barred, contract.must_discard, contract.forced_under):
        differ |= np.int64(mask) >> one ^ np.int64(mask) >> other
    return differ & 1 == 0


@compiled
def _enter(contract, brief, scoring, hands, lying, levels, values, level):
    """Sets the cards to try at a level whose trick is known; none, and no points, where the round is over."""
    here = levels[level]
    seats = np.int64(contract.seats)
    left = np.int64(0)
    for seat in range(seats):
        left |= hands[seat]
        values[level, seat] = 0
    here[ORDER] = 0
    here[MOVES] = 0
    if here[PLAYED] == 0 and is_over(contract, brief, scoring, left, here[PLACE]):
        return
    led, table = np.int64(0), np.int64(0)
    for i in range(here[PLAYED]):
        card = lying[here[BASE] + i]
        if i == 0:
            led = lane_of(card)
        table |= np.int64(1) << card
    turn = (here[LEADER] + here[PLAYED]) % seats
    legal = legal_cards(contract, hands[turn], led, table, here[PLACE] == 0, here[BROKEN] != 0)
    here[IN_PLAY] = left | table
    cards = legal
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        # Of touching cards that are alike the highest stands first in card order, and the others are worth
        # the same; where a hand of certain cards lifts a bar they are not alike.
        higher = here[IN_PLAY] & above(card)
        if higher and contract.waiver == 0:
            touching = lowest(higher)
            if legal >> touching & 1 and brief[touching] == brief[card] and _alike(contract, touching, card):
                continue
        here[MOVES] |= np.int64(1) << card
