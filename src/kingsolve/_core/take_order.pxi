# The order in which cards are tried where tricks are taken: each card gets a score, the highest goes first.
#
# Nothing here can change a value, only how soon it is found.

cdef int take_order(const take_t* x, const trick_t* t, int seat, uint64_t moves, int* cards) noexcept nogil:
    """Writes the cards of `moves` into `cards`, most promising first; returns their number."""
    cdef int scores[16]
    cdef int n = 0, i, card, score
    while moves:
        card = ctz(moves)
        moves &= moves - 1
        if t.played == 0:
            score = taker_lead(x, seat, card)
        else:
            score = taker_play(x, t, seat, card)
        i = n
        while i > 0 and scores[i - 1] < score:
            scores[i] = scores[i - 1]
            cards[i] = cards[i - 1]
            i -= 1
        scores[i] = score
        cards[i] = card
        n += 1
    return n


cdef inline int relation(const take_t* x, int seat, int other) noexcept nogil:
    """Who another seat is to this one: 0 itself, 1 a friend, 2 the foe who plays next, 3 another foe."""
    if other == seat:
        return 0
    if x.ours[other] == x.ours[seat]:
        return 1
    return 2 if other == next_seat(x.g, seat) else 3


cdef inline int holder(const take_t* x, int card) noexcept nogil:
    cdef int seat = 0
    while not x.hand[seat] >> card & 1:
        seat += 1
    return seat


cdef inline int taker_lead(const take_t* x, int seat, int card) noexcept nogil:
    """By who holds the two highest cards of the suit; then by length and rank; away from ruffs."""
    cdef const int* w = &x.weight[0]
    cdef uint64_t suit = lane_of(card), in_play = x.all_hands & suit
    cdef int other, score, first, second
    cdef bint ruffed = False
    first = relation(x, seat, holder(x, top(in_play)))
    in_play ^= bit_of(top(in_play))
    second = relation(x, seat, holder(x, top(in_play))) if in_play else 0
    score = w[4 * first + second] + w[20] * popcount(x.hand[seat] & suit)
    for other in range(x.g.contract.seats):
        if other != seat:
            if x.ours[other] == x.ours[seat]:
                score += w[21] * popcount(x.hand[other] & suit)
            else:
                score += w[22] * popcount(x.hand[other] & suit)
                if x.g.trump and x.hand[other] & suit == 0 and x.hand[other] & x.g.trump:
                    ruffed = True
    if suit == x.g.trump:
        score += w[23]
    if ruffed:
        return score + w[24] + w[25] * (card & 15)
    return score + w[16 + first] * (card & 15)


cdef inline int taker_play(const take_t* x, const trick_t* t, int seat, int card) noexcept nogil:
    """Win with what no foe left can beat; let a friend's sure trick be; else low, and no winner or its guard."""
    cdef const int* w = &x.weight[26 + 14 * min(t.played - 1, 2)]
    cdef int rank = card & 15
    cdef uint64_t suit = lane_of(card), own = x.hand[seat] & suit, foes = 0
    cdef int other, score
    if beats(x.g, card, t.best):
        if not foes_beat(x, t, seat, card):
            return (w[0] if x.ours[t.best_seat] == x.ours[seat] else w[1]) + w[2] * rank
        return w[3] + w[4] * rank
    if suit == t.led:
        return w[5] + w[6] * rank
    for other in range(x.g.contract.seats):
        if x.ours[other] != x.ours[seat]:
            foes |= x.hand[other] & suit
    score = w[7] + w[8] * rank + w[9] * popcount(own)
    if suit == x.g.trump:
        score += w[12]
    if foes & above(card) == 0:
        return score + w[10]
    if foes and popcount(own) <= popcount(foes & above(top(own))) + 1:
        return score + w[11]
    return score


cdef inline bint foes_beat(const take_t* x, const trick_t* t, int seat, int card) noexcept nogil:
    """Whether a foe still to play holds a card that takes the trick from `card`."""
    cdef int other = seat, i
    cdef uint64_t held
    for i in range(t.played + 1, x.g.contract.seats):
        other = next_seat(x.g, other)
        if x.ours[other] != x.ours[seat]:
            held = x.hand[other] & t.led
            if held:
                if held & above(card) and lane_of(card) == t.led:
                    return True
            elif x.hand[other] & x.g.trump & (above(card) if bit_of(card) & x.g.trump else x.g.trump):
                return True
    return False


cdef int[TAKE_WEIGHTS] DEFAULT_TAKE_WEIGHTS = [
    51, 114, 81, 70, 148, 50, 92, 99, 27, 38, 15, 40, -2, 88, 54, 23, 28, -1, 6, -1, 10, 26, 0, -84, -20,
    -17,
    31, 201, -1, -7, -5, 30, -2, 50, -2, 3, -28, -7, -7, -5,
    57, 238, -1, 18, 1, -1, -2, 50, -2, 2, -16, -9, 7, 0,
    46, 201, -2, 18, 14, 70, -2, 35, -13, 46, -83, -20, -53, 49,
    40, -21,
]
