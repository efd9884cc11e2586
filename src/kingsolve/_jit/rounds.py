"""Rounds played to their end by policies: the rules of kingsolve.position again, on masks.

Seats are numbered in the order of play, so a contract played counter-clockwise has its seats turned round
by the caller (`kingsolve.solver.in_play_order`). Masks are int64, cards are bit numbers.
tests/test_jit_rounds.py holds every step to Position, for every contract that ships. What is called for every
card is inlined: random rounds take 0.76 of the time (32 cards, 2026-11).
"""

import numpy as np

from .bits import above, highest, lane_of
from .compiling import compiled
from .policies import LAST_PLACE, PLACES, choose, trumps_of


@compiled(inline=True)
def legal_cards(contract, hand, led, trick, first, broken):
    """The mask of the cards that may be played from `hand`.

    `led` is the mask of the led suit, 0 for the leader; `trick` the cards lying in the trick; `first` whether
    no trick is complete; `broken` whether a barred card has been played.
    """
    if led == 0:
        left = hand
        if first:
            left &= ~np.int64(contract.first_barred)
        waiver = np.int64(contract.waiver)
        if not ((contract.until_broken and broken) or (waiver and hand & waiver == waiver)):
            left &= ~np.int64(contract.barred)
        return left if left else hand
    trumps = trumps_of(contract)
    cards = hand & led
    if cards:
        top = highest(trick & led)
        if contract.beat_trump and led == trumps:
            higher = cards & above(top)
            return higher if higher else cards
        under = cards & np.int64(contract.forced_under) & ~above(top)
        return under if under else cards
    owed = hand & np.int64(contract.must_discard)
    if owed:
        return owed
    barred = np.int64(contract.first_barred)
    if first and hand & barred:
        left = hand & ~barred
        return left if left else hand
    mine = hand & trumps
    if contract.void_trump == 0 or mine == 0:
        return hand
    lying = trick & trumps
    if contract.void_trump == 2 and lying:
        higher = mine & above(highest(lying))
        if higher:
            return higher
    return mine


@compiled(inline=True)
def beats(contract, card, best):
    """Whether `card`, played after `best`, wins over it; `best` is -1 in an empty trick.

    Without branches: which card wins is what a processor guesses worst.
    """
    same = card >> 4 == best >> 4
    return (best < 0) | (same & (card > best)) | (~same & (card >> 4 == np.int64(contract.trump)))


@compiled
def scoring_cards(contract):
    """The mask of the cards that carry points."""
    cards = np.int64(0)
    for i in range(8):
        cards |= np.int64(contract.class_mask[i])
    return cards


@compiled(inline=True)
def is_over(contract, brief, scoring, left, place):
    """Whether a round ends at a trick boundary with the cards `left` after `place` tricks.

    `scoring` is the mask of `scoring_cards`.
    """
    if left == 0:
        return True
    return contract.early_stop and place > brief[LAST_PLACE] and scoring & left == 0


@compiled
def play_out(contract, brief, hands, leader, trick, played, seen, broken, policies, state, points, log):
    """Plays a round to its end, adding the points each seat takes to `points`, int32[4].

    `hands`, int64[4], are the present hands and are used up; `leader` led, or is to lead, the trick whose
    first `played` cards are in `trick`, int64[4]; `seen` is the mask of the cards of complete tricks;
    `policies`, int64[4], says who plays each seat; `brief` is the contract's (policies.make_brief), `state` a
    stream of random numbers (rng.py). The cards they play go to `log`, int8[cards], unless it is empty;
    returns how many they were.
    """
    count = 0
    seats = np.int64(contract.seats)
    size = np.int64(0)
    cards = hands[leader]
    while cards:
        size += 1
        cards &= cards - 1
    place = np.int64(contract.hand_size) - size - (1 if played else 0)
    barred = np.int64(contract.barred)
    scoring = scoring_cards(contract)
    broken = bool(broken)
    while True:
        if played == 0:
            left = np.int64(0)
            for seat in range(seats):
                left |= hands[seat]
            if is_over(contract, brief, scoring, left, place):
                return count
        lying = np.int64(0)
        led = np.int64(0)
        best = np.int64(-1)
        taker = leader
        seat = leader
        gained = brief[PLACES + place]
        for turn in range(seats):
            if turn < played:
                card = trick[turn]
            else:
                legal = legal_cards(contract, hands[seat], led, lying, place == 0, broken)
                card = choose(
                    policies[seat], contract, brief, hands[seat], legal, led, lying, best,
                    seats - 1 - turn, seen | lying, place, state,
                )  # fmt: skip
                hands[seat] ^= np.int64(1) << card
                if log.shape[0]:
                    log[count] = card
                count += 1
            broken |= (barred >> card & 1) != 0
            if turn == 0:
                led = lane_of(card)
            lying |= np.int64(1) << card
            gained += brief[card]
            wins = beats(contract, card, best)
            best = card if wins else best
            taker = seat if wins else taker
            seat = seat + 1 if seat + 1 < seats else 0
        points[taker] += gained
        seen |= lying
        leader = taker
        played = 0
        place += 1
