"""Policies: compiled players that see their own hand and the table (docs/policies.md, rule by rule).

A policy is asked through `choose` with what a seat may know and nothing else: its hand, the cards it may
play, the trick so far, every card played before in this round, how many are to play after it. `careful`
remembers the cards that are gone, not who failed to follow; `normal` is `careful` without that memory, `easy`
is `normal` with slips. Masks are int64 (bits.py); cards are bit numbers.

Rules are cited as the tips of seed 002, "Strategy tips", by their first words.
"""

import numpy as np

from .bits import LANE, above, below, highest, lane_of, lowest, pick, popcount
from .compiling import compiled
from .rng import high_word, mixed, small_below

RANDOM, CAREFUL, NORMAL, EASY = 0, 1, 2, 3
NAMES = ("random", "careful", "normal", "easy")
"""The policies by number."""

SLIPS = 4
"""`easy` slips at one card in so many."""

REVISION = 1
"""Raised when a policy plays a card otherwise than before: runs of another revision are not continued."""

BRIEF = 96
"""Length of the int32 array that `make_brief` fills."""
PLACES, LAST_PLACE, TOTAL, HAS_CARDS = 64, 80, 81, 82
"""Where a brief holds the points of tricks by place, the last place that scores (-1: none), the points of a
whole round, and whether any card scores. Entries 0 to 63 are the points of the cards."""


@compiled
def make_brief(contract, brief):
    """Fills `brief`, int32[BRIEF], with look-ups of the contract record."""
    brief[:] = 0
    for i in range(8):
        points = contract.class_points[i]
        cards = np.int64(contract.class_mask[i])
        while cards and points:
            brief[lowest(cards)] += points
            brief[TOTAL] += points
            brief[HAS_CARDS] = 1
            cards &= cards - 1
    brief[LAST_PLACE] = -1
    for place in range(contract.hand_size):
        brief[PLACES + place] = contract.trick_points[place]
        brief[TOTAL] += contract.trick_points[place]
        if contract.trick_points[place]:
            brief[LAST_PLACE] = place


@compiled(inline=True)
def choose(policy, contract, brief, hand, legal, led, trick, best, after, seen, place, state):
    """The card, as a bit number, that the policy plays from the mask `legal`, which is not empty.

    `led` is the mask of the led suit and `best` the card that wins the trick so far (0 and -1 for the
    leader); `trick` the cards lying in it, `after` how many seats play after this one, `seen` all cards
    played in the round including `trick`, `place` how many tricks are complete, `state` the stream of
    random numbers. `easy` takes none from it: where it slips follows from the stream's seed and what it sees.
    """
    if legal & (legal - 1) == 0:
        return lowest(legal)
    if policy == RANDOM:
        return pick(legal, np.int64(small_below(state, np.uint64(popcount(legal)))))
    if policy >= NORMAL:
        if policy == EASY:
            word = mixed(state[0], hand, seen)
            if high_word(word, np.uint64(SLIPS)) == 0:  # what is left of the word is as good as new
                return pick(legal, np.int64(high_word(word * np.uint64(SLIPS), np.uint64(popcount(legal)))))
        seen = trick  # what was played before is forgotten
    out = np.int64(contract.pack) & ~(hand | seen)
    if brief[TOTAL] > 0:
        if led == 0:
            return _take_lead(contract, brief, hand, legal, out, place)
        return _take_follow(contract, brief, hand, legal, led, trick, best, after, out, place)
    if led == 0:
        return _avoid_lead(contract, brief, hand, legal, out, place)
    if legal & led:
        return _avoid_follow(brief, legal, best, after, place)
    return _avoid_discard(contract, brief, hand, legal, best, out, place)


@compiled
def trumps_of(contract):
    """The mask of the trump suit, 0 without trumps."""
    if contract.trump < 0:
        return np.int64(0)
    return np.int64(LANE) << (16 * np.int64(contract.trump))


@compiled
def _free(brief, place):
    """Whether the trick at `place` is worth nothing and no card ever is: early tricks of "no last two"."""
    return brief[HAS_CARDS] == 0 and brief[PLACES + place] == 0


@compiled
def _avoid_lead(contract, brief, hand, legal, out, place):
    """Safe leads: low into high cards still out, from short suits; the king is hunted."""
    free = _free(brief, place)
    hunted = np.int64(contract.must_discard) & out
    choice, fewest = -1, 1 << 30
    cards = legal
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        suit = lane_of(card)
        length = popcount(hand & suit)
        if free:  # "Get rid of your high cards early"
            cost = -16 * (card & 15) + length
        else:
            outside = out & suit
            higher = popcount(outside & above(card))
            lower = popcount(outside) - higher
            if higher == 0:  # it will win, and a suit that nobody has is the worst
                cost = 4000 if outside else 5000
            else:  # "Lead low into high cards that are still out"
                cost = 200 * lower - 10 * higher
            if brief[card] < 0 and lower:
                cost += 300
            if hunted:  # "Hunt the King"
                cost += 20 * popcount(outside)
            else:  # "Make a void. [...] Lead your short suits first"
                cost += 15 * length
        if cost < fewest:
            choice, fewest = card, cost
    return choice


@compiled
def _avoid_follow(brief, legal, best, after, place):
    """Ducks with the highest card that loses; what must win, wins low while others may go over it."""
    if _free(brief, place):  # "The first six tricks cost nothing, so win them with your aces and kings"
        return highest(legal)
    over = above(best) if lane_of(best) & legal else 0
    losing = legal & ~over
    if losing:
        # "Throw the expensive card first", then "Duck with your highest safe card"
        return _dearest(brief, losing)
    if after:
        return lowest(legal)
    return _cheapest_high(brief, legal)


@compiled
def _dearest(brief, cards):
    """The card with most penalty points; of equals the highest."""
    choice, worst = -1, 1 << 30
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        cost = 16 * brief[card] - (card & 15)
        if cost < worst:
            choice, worst = card, cost
    return choice


@compiled
def _cheapest_high(brief, cards):
    """The card with least penalty points; of equals the highest."""
    choice, most = -1, -(1 << 30)
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        gain = 16 * brief[card] + (card & 15)
        if gain > most:
            choice, most = card, gain
    return choice


@compiled
def _avoid_discard(contract, brief, hand, legal, best, out, place):
    """Throws the most expensive card, then the one that most cards still out can duck, short suits first."""
    trumps = trumps_of(contract)
    if legal & trumps:
        losing = legal & ~(above(best) if lane_of(best) == trumps else trumps)
        if losing == 0:
            return lowest(legal)
        legal = losing
    free = _free(brief, place)
    choice, most = -1, -(1 << 30)
    cards = legal
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        suit = lane_of(card)
        danger = popcount(out & below(card))
        if free:  # high cards out of the way: they would win at the end
            gain = 16 * (card & 15) - popcount(hand & suit)
        else:  # "Throw the expensive card first"; "Make a void"
            gain = -1000 * brief[card] + 20 * danger + (card & 15) - 4 * popcount(hand & suit)
        if gain > most:
            choice, most = card, gain
    return choice


@compiled
def _take_lead(contract, brief, hand, legal, out, place):
    """Draws trumps from the top, cashes what nobody can beat, else leads low from length."""
    trumps = trumps_of(contract)
    free = _free(brief, place)
    choice, most = -1, -(1 << 30)
    cards = legal
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        suit = lane_of(card)
        outside = popcount(out & suit)
        length = popcount(hand & suit)
        if free:  # "Get rid of your high cards early", the other way round: keep them for the end
            gain = -16 * (card & 15) - length
        elif out & above(card) == 0:
            if suit == trumps:  # "Draw trumps when you are strong", while others have some
                gain = 3000 + (card & 15) if outside else 500
            else:  # "then cash your aces": the suits least likely to be ruffed first
                gain = 2000 + 20 * outside + (card & 15)
        else:  # low from length, no card that scores
            gain = 20 * length - (card & 15) - 100 * brief[card]
            if suit == trumps:
                gain -= 50
        if gain > most:
            choice, most = card, gain
    return choice


@compiled
def _take_follow(contract, brief, hand, legal, led, trick, best, after, out, place):
    """Takes what is worth taking: last as cheaply as possible, before that with what nobody can beat."""
    trumps = trumps_of(contract)
    winning = legal & above(best)
    if lane_of(best) != trumps:
        winning |= legal & trumps
    if winning and not _free(brief, place):
        stake = brief[PLACES + place]
        cards = trick
        while cards:
            stake += brief[lowest(cards)]
            cards &= cards - 1
        if after:  # others may still go over it: only a card that those out cannot beat, or a ruff
            sure = np.int64(0)
            cards = winning
            while cards:
                card = lowest(cards)
                cards &= cards - 1
                if out & above(card) == 0 or (lane_of(card) == trumps and led != trumps):
                    sure |= np.int64(1) << card
            winning = sure
            if stake <= 0 and brief[HAS_CARDS]:  # those to come may add to it
                stake = 1 if _any_scores(brief, out & led) else stake
        taken = _worthiest_low(brief, winning) if winning else -1
        if taken >= 0 and stake + brief[taken] > 0:
            return taken
    return _least(brief, hand, legal)


@compiled
def _any_scores(brief, cards):
    """Whether any of the cards is worth having."""
    while cards:
        if brief[lowest(cards)] > 0:
            return True
        cards &= cards - 1
    return False


@compiled
def _worthiest_low(brief, cards):
    """The card with most points; of equals the lowest."""
    choice, most = -1, -(1 << 30)
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        gain = 16 * brief[card] - (card & 15)
        if gain > most:
            choice, most = card, gain
    return choice


@compiled
def _least(brief, hand, cards):
    """The card to part with: no card that scores, low, and of equals from the longest suit."""
    choice, least = -1, 1 << 30
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        cost = 1000 * brief[card] + 16 * (card & 15) - popcount(hand & lane_of(card))
        if cost < least:
            choice, least = card, cost
    return choice
