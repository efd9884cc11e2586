"""Deals by number in bulk: the same hands as kingsolve.dealing.random_deal, and rounds played on them."""

import numpy as np

from .compiling import compiled
from .policies import BRIEF, make_brief
from .rng import STATE_WORDS, high_word, philox, seek
from .rounds import play_out

WORDS = 64
"""Room for the random words of one deal, whole blocks of four."""


@compiled(inline=True)
def _fill(words, filled, state):
    """Puts the next block of the stream after the first `filled` words; how many there are then."""
    state[2] += np.uint64(1)
    zero = np.uint64(0)
    a, b, c, d = philox(state[2], zero, zero, zero, state[0], state[1])
    words[filled], words[filled + 1], words[filled + 2], words[filled + 3] = a, b, c, d
    return filled + 4


@compiled(inline=True)
def deal_into(pack, owners, limits, reciprocals, seats, dealer, state, words, cards, turns, hands):
    """Fills `hands`, int64[4], with the deal of the stream `state`, which stands at its beginning.

    `pack` is int64[cards], the bit numbers from the lowest; `owners` int64[cards], how many seats after the
    dealer the card at that place of the shuffled pack goes (0: it stays out); `limits` uint64[cards + 1], the
    last word that `word % n` is fair for; `reciprocals` uint64[cards + 1], 2**64 // n. Seats and `dealer` are
    in the order of play; `words` uint64[WORDS], `cards` int64[cards] and `turns` int64[5] are room to work.
    """
    turns[:] = 0
    cards[:] = pack
    # All blocks at once: none waits for the one before.
    filled = at = np.int64(0)
    while filled < len(cards) - 1:
        filled = _fill(words, filled, state)
    for i in range(len(cards) - 1, 0, -1):
        n = np.uint64(i + 1)
        if at == filled:
            at, filled = np.int64(0), _fill(words, np.int64(0), state)
        word = words[at]
        at += 1
        while word > limits[i + 1]:
            if at == filled:
                at, filled = np.int64(0), _fill(words, np.int64(0), state)
            word = words[at]
            at += 1
        # word % n: the quotient from the reciprocal is right or one too small
        rest = word - high_word(word, reciprocals[i + 1]) * n
        j = np.int64(rest - n if rest >= n else rest)
        card = cards[j]
        cards[j] = cards[i]
        turns[owners[i]] |= np.int64(1) << card
    turns[owners[0]] |= np.int64(1) << cards[0]
    for turn in range(1, seats + 1):
        seat = dealer + turn
        hands[seat - seats if seat >= seats else seat] = turns[turn]


@compiled
def deal_many(pack, owners, limits, reciprocals, seats, seed, first, dealers, out):
    """Fills `out`, int64[n, seats] in the order of play, with the deals from `first` on of the seed."""
    state = np.zeros(STATE_WORDS, np.uint64)
    words, cards = np.zeros(WORDS, np.uint64), pack.copy()
    turns, hands = np.zeros(5, np.int64), np.zeros(4, np.int64)
    for i in range(len(out)):
        seek(state, np.uint64(seed), np.uint64(first) + np.uint64(i))
        deal_into(pack, owners, limits, reciprocals, seats, dealers[i], state, words, cards, turns, hands)
        for seat in range(seats):
            out[i, seat] = hands[seat]


@compiled
def play_many(contract, deals, leaders, policies, seed, first, stream, points):
    """Plays the rounds of one contract, adding what each seat takes to `points`, int16[n, seats].

    `deals` is int64[n, seats] and holds the deals `first`, ... of the seed; `leaders` int64[n]; `policies`
    int64[4]; seats are in the order of play. The random numbers of round i begin at block (stream + 1) *
    2**32 of the stream (seed, first + i), where no deal gets to.
    """
    brief = np.zeros(BRIEF, np.int32)
    make_brief(contract, brief)
    state = np.zeros(STATE_WORDS, np.uint64)
    hands = np.zeros(4, np.int64)
    trick = np.zeros(4, np.int64)
    taken = np.zeros(4, np.int32)
    log = np.zeros(0, np.int8)  # the cards are not recorded
    seats = deals.shape[1]
    for i in range(len(deals)):
        seek(state, np.uint64(seed), np.uint64(first) + np.uint64(i))
        state[2] = np.uint64(stream + 1) << np.uint64(32)
        for seat in range(seats):
            hands[seat] = deals[i, seat]
            taken[seat] = 0
        play_out(contract, brief, hands, leaders[i], trick, 0, 0, False, policies, state, taken, log)
        for seat in range(seats):
            points[i, seat] = taken[seat]


@compiled
def record_round(contract, hands, leader, policies, seed, points, log):
    """Plays one round by policies; adds what each seat takes to `points`, int32[4], puts the cards played
    into `log`, int8[cards], and returns how many they are.

    `hands`, int64[4], are used up; `policies` is int64[4]; seats are in the order of play. `easy` slips by
    the `seed`, a uint64.
    """
    brief = np.zeros(BRIEF, np.int32)
    make_brief(contract, brief)
    state = np.zeros(STATE_WORDS, np.uint64)
    seek(state, seed, np.uint64(0))
    trick = np.zeros(4, np.int64)
    return play_out(contract, brief, hands, leader, trick, 0, 0, False, policies, state, points, log)
