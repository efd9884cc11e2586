"""The order in which cards are tried: what a player who sees all hands would look at first.

Nothing here can change a value, only how soon it is found. One function a situation; each gives a card a score, and
the highest goes first. Inline, since it runs once a node.
"""

from kingsolve._core.rules cimport *
from kingsolve._core.search cimport search_t

cdef struct view_t:
    int seat                        # 4  to play
    int played                      # 4  cards in the trick
    int left                        # 4  tricks left, this one included
    int best                        # 4  the card that takes the trick so far
    int best_seat                   # 4
    uint64_t led                    # 8  mask of the led suit
    uint64_t trick                  # 8  cards lying

cdef inline bint foes(const search_t* x, int a, int b) noexcept nogil:
    return x.raises[a] != x.raises[b]


cdef inline int others_in(const search_t* x, const view_t* v, uint64_t cards) noexcept nogil:
    """How many of `cards` the other hands hold."""
    return popcount(x.all_hands & ~x.hand[v.seat] & cards)


cdef inline int avoid_lead(const search_t* x, const view_t* v, int card) noexcept nogil:
    """Foes who must go above a low lead first, friends who can stay under it; else short suits, high cards."""
    cdef uint64_t suit = lane_of(card), held
    cdef int seat, score = 0, forced = 0, safe = 0, void_foes = 0, lower = others_in(x, v, below(card))
    cdef int length = popcount(x.hand[v.seat] & suit)
    for seat in range(x.g.contract.seats):
        if seat == v.seat:
            continue
        held = x.hand[seat] & suit
        if foes(x, seat, v.seat):
            if held == 0:
                void_foes += 1
            elif held & below(card) == 0:
                forced += 1
        elif held == 0 or held & below(card):
            safe += 1
    score = 4 * lower - 6 * length - 10 * void_foes
    if forced:
        score += 30 + 10 * safe - 2 * (card & 15)
    return score


cdef inline int avoid_follow(const search_t* x, const view_t* v, int card) noexcept nogil:
    """Under the best card: penalties, then the highest. Over it, when the trick may be left to a foe: late."""
    cdef int rank = card & 15, penalty = -x.g.card[card]
    cdef bint wins = card > v.best or (v.best ^ card) & 48 and not bit_of(v.best) & x.g.trump
    cdef bint last = v.played + 1 == x.g.contract.seats
    if not wins:
        if foes(x, v.best_seat, v.seat):
            return 100 + 8 * penalty + rank
        return 50 - 8 * penalty + rank
    if last:
        return 40 - 8 * penalty + rank
    return (60 if forced_over(x, v, card) else 20) - 4 * penalty + rank


cdef inline bint forced_over(const search_t* x, const view_t* v, int card) noexcept nogil:
    """Whether a foe still to play must go above `card`."""
    cdef int seat = v.seat, i
    cdef uint64_t held
    for i in range(v.played + 1, x.g.contract.seats):
        seat = next_seat(x.g, seat)
        if foes(x, seat, v.seat):
            held = x.hand[seat] & v.led
            if held and held & below(card) == 0:
                return True
    return False


cdef inline int avoid_discard(const search_t* x, const view_t* v, int card) noexcept nogil:
    """Penalties on a foe's trick; then cards with many of the others' below them, from short suits."""
    cdef int penalty = -x.g.card[card]
    cdef int lower = others_in(x, v, below(card))
    cdef int length = popcount(x.hand[v.seat] & lane_of(card))
    cdef int score = 4 * lower - 3 * length + (card & 15)
    if foes(x, v.best_seat, v.seat):
        return score + 16 * penalty
    return score - 16 * penalty


cdef inline int take_lead(const search_t* x, const view_t* v, int card) noexcept nogil:
    """Own winners first, then low cards towards a friend's top, then low from length."""
    cdef uint64_t suit = lane_of(card)
    cdef int seat, length = popcount(x.hand[v.seat] & suit)
    cdef uint64_t higher_foes = 0, higher_friends = 0
    cdef bint ruffed = False
    for seat in range(x.g.contract.seats):
        if seat == v.seat:
            continue
        if foes(x, seat, v.seat):
            higher_foes |= x.hand[seat] & above(card)
            if x.g.trump and x.hand[seat] & suit == 0 and x.hand[seat] & x.g.trump:
                ruffed = True
        else:
            higher_friends |= x.hand[seat] & above(card)
    if ruffed:
        return -20 - (card & 15)
    if higher_foes == 0:
        return 100 + 2 * length + x.g.card[card] * 4
    if higher_friends and top(higher_friends) > top(higher_foes):
        return 80 - (card & 15)
    return 20 + 2 * length - (card & 15) - 4 * x.g.card[card]


cdef inline int take_play(const search_t* x, const view_t* v, int card) noexcept nogil:
    """Win with what no foe left can beat, scoring cards with it; feed a friend's sure trick; else low and worthless."""
    cdef int rank = card & 15, points = x.g.card[card]
    cdef bint friend = not foes(x, v.best_seat, v.seat)
    if beats(x.g, card, v.best):
        if not beaten_later(x, v, card):
            return (40 if friend else 120) + 8 * points - rank
        return 10 - rank - 8 * points
    if friend and not beaten_later(x, v, v.best):
        return 100 + 16 * points - rank
    return 60 - 16 * points - rank


cdef inline bint beaten_later(const search_t* x, const view_t* v, int card) noexcept nogil:
    """Whether a foe still to play holds a card that takes the trick from `card`."""
    cdef int seat = v.seat, i
    cdef uint64_t held
    for i in range(v.played + 1, x.g.contract.seats):
        seat = next_seat(x.g, seat)
        if foes(x, seat, v.seat):
            held = x.hand[seat] & v.led
            if held:
                if held & above(card) and lane_of(card) == v.led:
                    return True
            elif x.hand[seat] & x.g.trump & (above(card) if bit_of(card) & x.g.trump else x.g.trump):
                return True
    return False


cdef inline int order_cards(const search_t* x, const view_t* v, uint64_t moves, int* cards) noexcept nogil:
    """Writes the cards of `moves` into `cards`, most promising first; returns their number."""
    cdef int scores[16]
    cdef int n = 0, i, card, score
    cdef bint avoiding = x.minus + x.g.losses[v.left] < 0
    cdef bint worthless = x.minus == 0 and x.plus == 0 and x.g.place[v.left] == 0
    while moves:
        card = ctz(moves)
        moves &= moves - 1
        if worthless:
            score = card & 15
        elif avoiding:
            if v.played == 0:
                score = avoid_lead(x, v, card)
            elif bit_of(card) & v.led:
                score = avoid_follow(x, v, card)
            else:
                score = avoid_discard(x, v, card)
        elif v.played == 0:
            score = take_lead(x, v, card)
        else:
            score = take_play(x, v, card)
        i = n
        while i > 0 and scores[i - 1] < score:
            scores[i] = scores[i - 1]
            cards[i] = cards[i - 1]
            i -= 1
        scores[i] = score
        cards[i] = card
        n += 1
    return n
