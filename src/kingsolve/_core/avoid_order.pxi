# The order in which cards are tried for one avoider against the field: each card gets a score, the highest goes first.
#
# Nothing here can change a value, only how soon it is found. The weights are those of the contract's class.

cdef int avoid_order(const avoid_t* x, const trick_t* t, int seat, uint64_t moves, int* cards) noexcept nogil:
    """Writes the cards of `moves` into `cards`, most promising first; returns their number."""
    cdef int scores[16]
    cdef int n = 0, i, card, score
    cdef bint worthless = x.on_cards == 0 and x.place[t.left] == 0
    while moves:
        card = ctz(moves)
        moves &= moves - 1
        if worthless:
            score = card & 15
        elif t.played == 0:
            score = avoider_lead(x, card) if seat == x.avoider else field_lead(x, seat, card)
        elif bit_of(card) & t.led:
            score = avoid_follow_score(x, t, seat, card)
        else:
            score = avoid_discard_score(x, t, seat, card)
        i = n
        while i > 0 and scores[i - 1] < score:
            scores[i] = scores[i - 1]
            cards[i] = cards[i - 1]
            i -= 1
        scores[i] = score
        cards[i] = card
        n += 1
    return n


cdef inline int others_in(const avoid_t* x, int seat, uint64_t cards) noexcept nogil:
    """How many of `cards` the other hands hold."""
    return popcount(x.all_hands & ~x.hand[seat] & cards)


cdef inline int avoider_lead(const avoid_t* x, int card) noexcept nogil:
    """Short suits, cards that somebody must beat, suits in which nobody is void."""
    cdef uint64_t suit = lane_of(card), held, own = x.hand[x.avoider] & suit
    cdef const int* w = &x.weight[0]
    cdef int other, voids = 0, forced = 0, under = 0
    cdef int lower = others_in(x, x.avoider, below(card)), higher = others_in(x, x.avoider, above(card))
    for other in range(x.g.contract.seats):
        if other != x.avoider:
            held = x.hand[other] & suit
            if held == 0:
                voids += 1
            elif held & below(card) == 0:
                forced += 1
            elif held & above(card) == 0:
                under += 1
    return (
        w[0] * popcount(own) + w[1] * lower + w[2] * higher + w[3] * voids + w[4] * under
        + (w[5] + w[6] * forced + w[7] * (card & 15) if forced else 0)
        + w[8] * x.penalty[card] + w[9] * popcount(own & below(card))
        + (w[10] if own == bit_of(card) else 0) + (w[11] if higher == 0 else 0)
    )


cdef inline int field_lead(const avoid_t* x, int seat, int card) noexcept nogil:
    """Suits in which the avoider must win and everybody else can stay below him; his void suits late."""
    cdef uint64_t suit = lane_of(card), held, own = x.hand[seat] & suit, his = x.hand[x.avoider] & suit
    cdef const int* w = &x.weight[12]
    cdef int other, voids = 0, safe = 0, score
    cdef int lower = others_in(x, seat, below(card))
    cdef uint64_t lowest = his & -his
    if his == 0:
        return w[0] + w[1] * popcount(own) + w[2] * lower + w[3] * x.penalty[card] + w[4] * (card & 15)
    for other in range(x.g.contract.seats):
        if other != x.avoider and other != seat:
            held = x.hand[other] & suit
            if held == 0:
                voids += 1
            elif held & (lowest - 1):
                safe += 1
    score = w[5] * popcount(own) + w[6] * popcount(his) + w[7] * voids + w[8] * x.penalty[card]
    if his & below(card) == 0:
        score += w[9] + w[10] * (safe + voids) + w[11] * (card & 15) + w[12] * lower
        if safe + voids == x.g.contract.seats - 2:
            score += w[13]
        return score
    return score + w[14] * lower + w[15] * (card & 15) + (w[16] if his & above(card) == 0 else 0)


cdef inline int avoid_follow_score(const avoid_t* x, const trick_t* t, int seat, int card) noexcept nogil:
    """Under the best card: penalties, then the highest. Over it, when the trick may be left to a foe: late."""
    cdef const int* w = &x.weight[32]
    cdef int rank = card & 15, penalty = x.penalty[card]
    cdef uint64_t his
    if seat == x.avoider:
        if card < t.best:
            return w[0] + w[1] * penalty + w[2] * rank
        if t.played + 1 == x.g.contract.seats:
            return w[3] + w[4] * penalty + w[5] * rank
        return w[6] + w[7] * penalty + w[8] * rank + (w[9] if forced_over(x, t, seat, card) else 0)
    if t.best_seat == x.avoider:
        if card < t.best:
            return w[10] + w[11] * penalty + w[12] * rank
        return w[13] + w[14] * penalty + w[15] * rank
    if played_already(x, t, seat):
        return w[16] * penalty + w[17] * rank + (w[18] if card > t.best else 0)
    his = x.hand[x.avoider] & t.led
    if his and his & below(t.best) == 0:
        if his & below(card) == 0:
            return w[19] + w[20] * penalty + w[21] * rank
        return w[22] * penalty + w[23] * rank
    if card > t.best:
        return w[24] + w[25] * penalty + w[26] * rank
    return w[27] * penalty + w[28] * rank


cdef inline bint forced_over(const avoid_t* x, const trick_t* t, int seat, int card) noexcept nogil:
    """Whether somebody still to play must go above `card`."""
    cdef int other = seat, i
    cdef uint64_t held
    for i in range(t.played + 1, x.g.contract.seats):
        other = next_seat(x.g, other)
        held = x.hand[other] & t.led
        if held and held & below(card) == 0:
            return True
    return False


cdef inline int avoid_discard_score(const avoid_t* x, const trick_t* t, int seat, int card) noexcept nogil:
    """Penalties on a foe's trick; then cards with many of the others' below them, from short suits."""
    cdef const int* w = &x.weight[61]
    cdef uint64_t suit = lane_of(card), own = x.hand[seat] & suit, his
    cdef int lower = others_in(x, seat, below(card)), length = popcount(own), penalty = x.penalty[card]
    if seat == x.avoider:
        return (
            w[0] * penalty + w[1] * lower + w[2] * length + w[3] * (card & 15)
            + w[4] * max(lower - popcount(own & below(card)), 0) + (w[5] if length == 1 else 0)
        )
    his = x.hand[x.avoider] & suit
    lower = (
        w[6] * lower + w[7] * length + w[8] * (card & 15) + (w[9] if his == 0 else 0)
        + w[10] * popcount(his & below(card)) + w[11] * popcount(his & above(card)) + (w[12] if length == 1 else 0)
    )
    if t.best_seat == x.avoider:
        return lower + w[13] * penalty
    if played_already(x, t, seat) or can_lose(x, t):
        return lower + w[14] * penalty
    return lower + w[15] * penalty


# One vector for each class of contract, found by benchmarks/tune.py.
cdef int[CLASSES_OF_ORDER][WEIGHTS] DEFAULT_WEIGHTS = [
    [
        -13, -7, -13, -37, 0, 20, 1, -2, 5, 3, -13, 0, -10, -31, -24, -26, -36, -4, 25, 24, -49, -21, -19, 1,
        0, -8, 10, 5, 17, -30, -6, -26, 88, 15, 1, 45, 7, 13, 20, 34, 22, 37, 98, 34, 1, 32, -3, 1, -5, 1,
        -2, 61, 11, 24, -3, 29, 39, 37, 39, -4, 1, 9, 4, -16, 3, -1, 0, 4, -14, 5, -3, 3, 3, 11, 7, -41, -29,
    ],
    [
        -13, -8, -14, -37, 0, 21, 1, -2, 5, 6, -17, 0, -10, -56, -23, -26, -36, -20, 22, 24, -36, -21, -44,
        4, 1, -8, 18, 4, 24, -30, -6, -21, 80, 38, 1, 45, 7, 13, 20, 21, 22, 37, 98, 42, 1, 32, -16, 26, -10,
        1, -1, 61, 11, 24, -3, 29, 39, 50, 14, -7, 1, 19, 4, -16, 3, -1, -5, 4, -14, 5, -16, 6, 5, 16, 37,
        -57, -4,
    ],
    [
        -18, -7, -13, -59, -1, 20, 1, -2, -23, 6, -10, 9, -10, -6, -45, -26, -36, -5, 48, 18, -49, -21, -31,
        -3, -2, -3, 17, 5, 17, -44, -6, -39, 88, 40, 2, 45, 7, 6, 37, 34, 22, 29, 98, 54, 9, 24, -3, 13, -5,
        26, 18, 61, 36, 24, -29, 27, 39, 37, 39, 4, 1, 17, 4, -19, 6, -4, -1, 2, -15, 13, -32, 1, 3, 15, 60,
        -44, -3,
    ],
    [
        -13, -7, -13, -37, 0, 20, 1, -2, 5, 3, -13, 0, -10, -31, -24, -26, -36, -4, 25, 24, -49, -21, -19, 1,
        0, -8, 10, 5, 17, -30, -6, -26, 88, 15, 1, 45, 7, 13, 20, 34, 22, 37, 98, 34, 1, 32, -3, 1, -5, 1,
        -2, 61, 11, 24, -3, 29, 39, 37, 39, -4, 1, 9, 4, -16, 3, -1, 0, 4, -14, 5, -3, 3, 3, 11, 7, -41, -29,
    ],
    [
        -13, -8, -18, -21, 0, 53, 1, 0, 5, 3, -13, 0, -10, -31, -24, -26, -36, -4, 25, 49, -49, -21, -6, 29,
        0, -8, 10, -8, 14, -32, -6, -26, 88, 15, 25, 48, 7, 13, 20, 34, 14, 70, 98, 26, 1, 32, -3, 6, -5, 1,
        -2, 74, 11, 57, -3, 29, 39, 37, 39, -4, 1, 9, 4, -14, 3, 32, 0, 4, -14, 0, -8, 3, 3, 11, 7, -41, -28,
    ],
]


cdef int order_class(const contract_t* c) noexcept nogil:
    """Which vector orders a contract of penalties: every trick, cards, cards with a bar on leads, cards and tricks,
    some tricks."""
    cdef bint tricks = c.trick_points[0] != 0
    if c.class_mask[0] == 0:
        return 0 if tricks else 4
    if tricks:
        return 3
    return 2 if c.barred else 1
