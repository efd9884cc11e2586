# The order in which the general search tries cards: scores of what a player who sees all hands would look at, the
# highest first. The weights are tuned on nodes (benchmarks/tune.py, `pairs` and `gains`).
#
# Nothing here can change a value, only how soon it is found.

cdef inline bint foes(const search_t* x, int a, int b) noexcept nogil:
    return x.raises[a] != x.raises[b]


cdef inline int side_others(const search_t* x, const view_t* v, uint64_t cards) noexcept nogil:
    """How many of `cards` the other hands hold."""
    return popcount(x.all_hands & ~x.hand[v.seat] & cards)


cdef inline int side_avoid_lead(const search_t* x, const view_t* v, int card) noexcept nogil:
    """Foes who must go above a low lead, friends who can stay under it; short suits; who is void has many answers."""
    cdef const int* w = &x.weight[0]
    cdef uint64_t suit = lane_of(card), held
    cdef int seat, score, forced = 0, safe = 0
    score = w[0] * side_others(x, v, below(card)) + w[1] * popcount(x.hand[v.seat] & suit) + w[2] * (card & 15)
    for seat in range(x.g.contract.seats):
        if seat == v.seat:
            continue
        held = x.hand[seat] & suit
        if foes(x, seat, v.seat):
            if held == 0:
                score += w[3]
            elif held & below(card) == 0:
                forced += 1
        else:
            if held == 0:
                score += w[4]
            if held == 0 or held & below(card):
                safe += 1
    if forced:
        score += w[5] + w[6] * safe + w[7] * (card & 15)
    return score


cdef inline int side_avoid_follow(const search_t* x, const view_t* v, int card) noexcept nogil:
    """Under the best card: penalties, then the highest. Over it, when the trick may be left to a foe: late."""
    cdef const int* w = &x.weight[8]
    cdef int rank = card & 15, penalty = -x.g.card[card]
    if not beats(x.g, card, v.best):
        if foes(x, v.best_seat, v.seat):
            return w[0] + w[1] * penalty + w[2] * rank
        return w[3] + w[4] * penalty + w[5] * rank
    if v.played + 1 == x.g.contract.seats:
        return w[6] + w[7] * penalty + w[8] * rank
    if side_forced_over(x, v, card):
        return w[9] + w[10] * penalty + w[11] * rank
    return w[12] + w[13] * penalty + w[14] * rank


cdef inline bint side_forced_over(const search_t* x, const view_t* v, int card) noexcept nogil:
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


cdef inline int side_avoid_discard(const search_t* x, const view_t* v, int card) noexcept nogil:
    """Penalties on a foe's trick; then cards with many of the others' below them, from short suits."""
    cdef const int* w = &x.weight[23]
    cdef int penalty = -x.g.card[card], length = popcount(x.hand[v.seat] & lane_of(card))
    cdef int score = w[0] * side_others(x, v, below(card)) + w[1] * length + w[2] * (card & 15)
    return score + (w[3] if foes(x, v.best_seat, v.seat) else w[4]) * penalty


cdef inline int side_take_lead(const search_t* x, const view_t* v, int card) noexcept nogil:
    """Own winners first, then low cards towards a friend's top, then low from length; who is void has many answers."""
    cdef const int* w = &x.weight[28]
    cdef uint64_t suit = lane_of(card), held
    cdef int seat, length = popcount(x.hand[v.seat] & suit), score = 0, rank = card & 15
    cdef uint64_t higher_foes = 0, higher_friends = 0
    cdef bint ruffed = False
    for seat in range(x.g.contract.seats):
        if seat == v.seat:
            continue
        held = x.hand[seat] & suit
        if foes(x, seat, v.seat):
            higher_foes |= held & above(card)
            if held == 0:
                score += w[0]
                if x.g.trump and x.hand[seat] & x.g.trump:
                    ruffed = True
        else:
            higher_friends |= held & above(card)
            if held == 0:
                score += w[1]
    if ruffed:
        return score + w[2] + w[3] * rank
    if higher_foes == 0:
        return score + w[4] + w[5] * length + w[6] * x.g.card[card]
    if higher_friends and top(higher_friends) > top(higher_foes):
        return score + w[7] + w[8] * rank
    return score + w[9] + w[10] * length + w[11] * rank + w[12] * x.g.card[card]


cdef inline int side_take_play(const search_t* x, const view_t* v, int card) noexcept nogil:
    """Win with what no foe left can beat, scoring cards with it; feed a friend's sure trick; else low and worthless."""
    cdef const int* w = &x.weight[41]
    cdef int rank = card & 15, points = x.g.card[card]
    cdef bint friend = not foes(x, v.best_seat, v.seat)
    if beats(x.g, card, v.best):
        if not beaten_later(x, v, card):
            return (w[0] if friend else w[1]) + w[2] * points + w[3] * rank
        return w[4] + w[5] * points + w[6] * rank
    if friend and not beaten_later(x, v, v.best):
        return w[7] + w[8] * points + w[9] * rank
    return w[10] + w[11] * points + w[12] * rank + (
        w[13] * popcount(x.hand[v.seat] & lane_of(card)) if lane_of(card) != v.led else 0
    )


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
            # To be rid of what wins tricks that cost, or to keep what wins those that pay.
            score = card & 15 if x.g.losses[v.left] else -(card & 15)
        elif avoiding:
            if v.played == 0:
                score = side_avoid_lead(x, v, card)
            elif bit_of(card) & v.led:
                score = side_avoid_follow(x, v, card)
            else:
                score = side_avoid_discard(x, v, card)
        elif v.played == 0:
            score = side_take_lead(x, v, card)
        else:
            score = side_take_play(x, v, card)
        i = n
        while i > 0 and scores[i - 1] < score:
            scores[i] = scores[i - 1]
            cards[i] = cards[i - 1]
            i -= 1
        scores[i] = score
        cards[i] = card
        n += 1
    return n


cdef int[SIDE_WEIGHTS] DEFAULT_SIDE_WEIGHTS = [
    4, -10, 5, -49, 5, 30, 9, -3,  # leads that avoid
    103, 48, 1, 42, -8, 1, 39, -16, 8, 37, 61, 9, 100, 0, 1,  # follows
    2, -7, 3, 41, 4,  # discards
    -95, -3, -20, -1, 115, 2, 4, 93, -9, -30, -2, -4, 2,  # leads that take
    53, 120, 58, -1, 10, 2, -1, 100, 16, -1, 19, -6, -4, 0, -2,  # and the other hands
]
