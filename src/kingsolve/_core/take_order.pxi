# The order in which cards are tried where tricks are taken: each card gets a score, the highest goes first.
#
# Nothing here can change a value, only how soon it is found.

cdef int take_order(const take_t* x, const trick_t* t, int seat, uint64_t moves, int need, int* cards) noexcept nogil:
    """Writes the cards of `moves` into `cards`, most promising first; returns their number. `need`: tricks that the
    seat's side is after."""
    cdef int scores[16]
    cdef int n = 0, i, card, score
    cdef lead_t lead
    cdef follow_t follow
    lead.suit = 0
    lead.base = lead.first = lead.second = 0
    lead.w = &x.weight[LEAD_WEIGHTS if x.g.trump else 0]
    look_at_foes(x, t, seat, &follow)
    while moves:
        card = ctz(moves)
        moves &= moves - 1
        if t.played == 0:
            if lane_of(card) != lead.suit:
                look_at_suit(x, seat, lane_of(card), t.left - need, need, &lead)
            score = take_lead_score(&lead, card, x.refuted[t.left][seat], t.left - need, need)
        else:
            score = take_play_score(x, t, seat, &follow, card)
        i = n
        while i > 0 and scores[i - 1] < score:
            scores[i] = scores[i - 1]
            cards[i] = cards[i - 1]
            i -= 1
        scores[i] = score
        cards[i] = card
        n += 1
    return n


# Where the weights of a lead stand; there are two sets, without trumps and with. They were fitted by logistic
# regression to leads at nodes where one card refuted and another did not (docs/solver.md).
cdef enum:
    TOP_THREE = 0                   # by the holders of the three highest cards of the suit, NOBODY among them
    FOURTH = 125                    # by the holder of the fourth
    DEPTH = 130                     # by the holder of the highest: times how many cards in play lie above
    RANK = 134
    LENGTH = 135                    # by relation
    SINGLETON = 139
    VOID = 143
    ABOVE = 147                     # by relation: times how many of his cards lie above
    WINNER = 151                    # no foe holds a higher card
    WINNER_SECOND = 152             # likewise, by the holder of the second highest
    ONE_ABOVE = 157                 # one card of the foes does
    NEXT_BELOW = 158
    OTHERS_BELOW = 159
    LOWEST = 160
    SLACK = 161                     # by the holder of the highest and the tricks that may be lost
    NEED = 177                      # by him and the tricks still needed
    WINNER_SLACK = 193
    WINNER_NEED = 197
    RUN_OF_SIDE = 201               # highest cards that the side holds without a break
    RUN_OF_HAND = 202
    RUN_OF_FOES = 203
    LONGEST = 204                   # of the side's holdings
    LONGEST_FOE = 205
    THROUGH = 206                   # a friend tops the next foe, who tops the card
    FRIEND_TOPS = 207
    LEAD_TRUMP = 208
    RUFFED = 209                    # a foe may ruff
    RUFFS = 210                     # a friend may
    LAST = 211                      # the card with which this seat last refuted as deep as here
    LAST_SUIT = 212
    LEAD_WEIGHTS = 213

    NOBODY = 4                      # beside the four relations


# What the cards of a suit have in common when one of them is to be led.
cdef struct lead_t:
    const int* w
    uint64_t suit
    uint64_t held[4]                # by relation
    int base
    int first                       # who holds the highest card
    int second


cdef void set_relations(take_t* x) noexcept nogil:
    """Who each seat is to another: 0 itself, 1 a friend, 2 the foe who plays next, 3 another foe."""
    cdef int seat, other
    for seat in range(SEATS):
        for other in range(SEATS):
            x.relation[seat][other] = 2 if other == next_seat(x.g, seat) else 3
            if x.ours[other] == x.ours[seat]:
                x.relation[seat][other] = other != seat


cdef void look_at_suit(const take_t* x, int seat, uint64_t suit, int slack, int need, lead_t* lead) noexcept nogil:
    cdef const int* w = lead.w
    cdef uint64_t held, side, foes
    cdef uint32_t owners = x.codes.suit[ctz(suit) >> 4]
    cdef int other, who, at, score = 0, count
    cdef int holder[4]
    cdef int longest[4]
    lead.suit = suit
    for who in range(4):
        lead.held[who] = longest[who] = 0
    for other in range(x.g.contract.seats):
        who = x.relation[seat][other]
        held = x.hand[other] & suit
        lead.held[who] |= held
        count = popcount(held)
        longest[who] = max(longest[who], count)
        if count == 0:
            score += w[VOID + who]
            if x.g.trump and suit != x.g.trump and x.hand[other] & x.g.trump:
                score += w[RUFFED] if who >= 2 else w[RUFFS]
        elif count == 1:
            score += w[SINGLETON + who]
        score += w[LENGTH + who] * count
    at = 2 * popcount(x.all_hands & suit)
    for other in range(4):
        at -= 2
        holder[other] = x.relation[seat][owners >> at & 3] if at >= 0 else NOBODY
    lead.first, lead.second = holder[0], holder[1]
    score += w[TOP_THREE + 25 * lead.first + 5 * lead.second + holder[2]] + w[FOURTH + holder[3]]
    score += w[SLACK + 4 * lead.first + min(slack, 3)] + w[NEED + 4 * lead.first + min(need, 4) - 1]
    side = lead.held[0] | lead.held[1]
    foes = lead.held[2] | lead.held[3]
    score += w[RUN_OF_SIDE] * popcount(over_all(side, foes)) + w[RUN_OF_FOES] * popcount(over_all(foes, side))
    score += w[RUN_OF_HAND] * popcount(over_all(lead.held[0], foes | lead.held[1]))
    score += w[LONGEST] * max(longest[0], longest[1]) + w[LONGEST_FOE] * max(longest[2], longest[3])
    if lead.held[1] > foes:
        score += w[FRIEND_TOPS]
    if suit == x.g.trump:
        score += w[LEAD_TRUMP]
    lead.base = score


cdef inline int take_lead_score(const lead_t* lead, int card, int last, int slack, int need) noexcept nogil:
    cdef const int* w = lead.w
    cdef uint64_t over = above(card)
    cdef int friends = popcount(lead.held[1] & over), own = popcount(lead.held[0] & over)
    cdef int next_ = popcount(lead.held[2] & over), others = popcount(lead.held[3] & over)
    cdef int score = lead.base + w[RANK] * (card & 15)
    score += w[DEPTH + lead.first] * (friends + own + next_ + others)
    score += w[ABOVE] * own + w[ABOVE + 1] * friends + w[ABOVE + 2] * next_ + w[ABOVE + 3] * others
    if next_ + others == 0:
        score += w[WINNER] + w[WINNER_SECOND + lead.second] + w[WINNER_SLACK + min(slack, 3)]
        score += w[WINNER_NEED + min(need, 4) - 1]
    elif next_ + others == 1:
        score += w[ONE_ABOVE]
    if next_ == 0:
        score += w[NEXT_BELOW]
    elif lead.held[1] > lead.held[2]:
        score += w[THROUGH]
    if others == 0:
        score += w[OTHERS_BELOW]
    if not lead.held[0] & (bit_of(card) - 1):
        score += w[LOWEST]
    if card == last:
        score += w[LAST]
    elif card >> 4 == last >> 4:
        score += w[LAST_SUIT]
    return score


# What the cards of a hand that follows or discards have in common.
cdef struct follow_t:
    const int* w
    uint64_t foes                   # all their cards
    uint64_t behind                 # those of the suit led that foes hold who are still to play
    uint64_t ruffs                  # and their trumps, where they have none of it
    bint friendly                   # whether a friend lies best


cdef void look_at_foes(const take_t* x, const trick_t* t, int seat, follow_t* follow) noexcept nogil:
    cdef int other = seat, i, place = max(min(t.played, 3) - 1, 0)
    follow.w = &x.weight[2 * LEAD_WEIGHTS + FOLLOW_WEIGHTS * (place + 3 if x.g.trump else place)]
    follow.foes = hands_against(x, seat)
    follow.behind = follow.ruffs = 0
    follow.friendly = x.ours[t.best_seat] == x.ours[seat]
    if t.played == 0:
        return
    for i in range(t.played + 1, x.g.contract.seats):
        other = next_seat(x.g, other)
        if x.ours[other] != x.ours[seat]:
            follow.behind |= x.hand[other] & t.led
            if x.hand[other] & t.led == 0:
                follow.ruffs |= x.hand[other] & x.g.trump


cdef inline int take_play_score(const take_t* x, const trick_t* t, int seat, const follow_t* follow,
                           int card) noexcept nogil:
    """Win with what no foe left can beat; let a friend's sure trick be; else low, and no winner or its guard."""
    cdef const int* w = follow.w
    cdef int rank = card & 15, score
    cdef uint64_t suit = lane_of(card), own, foes
    if beats(x.g, card, t.best):
        if follow.behind & above(card) == 0 and follow.ruffs & ~(below(card) if suit == x.g.trump else 0) == 0:
            return (w[0] if follow.friendly else w[1]) + w[2] * rank
        return w[3] + w[4] * rank
    if suit == t.led:
        return w[5] + w[6] * rank
    own, foes = x.hand[seat] & suit, follow.foes & suit
    score = w[7] + w[8] * rank + w[9] * popcount(own)
    if suit == x.g.trump:
        score += w[12]
    if foes & above(card) == 0:
        return score + w[10]
    if foes and popcount(own) <= popcount(foes & above(top(own))) + 1:
        return score + w[11]
    return score


cdef int[TAKE_WEIGHTS] DEFAULT_TAKE_WEIGHTS = [
    # leads without trumps
    124, 24, 74, 64, 93, 105, 149, 30, 66, 46, 8, 14, -22, -35, 175, -48, -75, -38, -64, 70,
    0, 0, 0, 0, 38, 74, 61, 0, 23, 49, 40, 16, -21, -11, 0, -6, 44, -63, -93, 0,
    -20, -7, -104, -117, 0, 0, 0, 0, 0, 0, 52, 38, -52, -35, -48, 60, 58, 21, 24, 0,
    -74, -61, -97, -83, 0, -24, -43, -57, -25, 0, 0, 0, 0, 0, 0, 34, 42, -37, -66, -42,
    26, 6, -32, -64, 0, 9, 8, -5, 5, 0, -61, -66, 27, -46, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 17, 14, -18, -3, 9, -5, 3, 4, 1, 1, 10, 11, -10, -17, 19,
    -2, 10, 23, 0, 24, -107, -124, -7, 3, 13, 7, 5, -26, -71, 24, 10, 38, -8, 32, -3,
    -12, 18, 1, -3, -5, 37, -4, -5, -15, -145, 8, 11, 9, -144, -3, 2, -3, 0, 0, 9,
    9, 0, -2, -3, -8, 8, 12, 1, 9, -4, -21, -12, 0, 10, 0, 3, -6, 0, 8, 16,
    5, -1, 6, -6, -1, -6, 49, 23, 0, 0, 0, 47, -4,
    # leads with trumps
    77, 64, 27, 6, 60, 146, 126, 66, 113, 13, -20, -31, -27, -17, 10, -26, -57, 7, -17, -4,
    0, 0, 0, 0, 28, 12, 9, -9, 22, 4, 44, 26, -8, -11, 0, -1, 0, -22, -8, 0,
    2, -21, -20, -26, 0, 0, 0, 0, 0, 0, 20, -11, -18, -28, -29, -3, -16, 0, 29, 0,
    -3, -30, -24, -72, 0, 8, -22, -14, -26, 0, 0, 0, 0, 0, 0, 27, -2, -47, -44, -75,
    7, -15, -15, -61, 0, 12, 12, -3, 18, 0, 15, -12, 9, 14, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 10, -6, -3, -7, -7, -2, 9, 5, -1, 1, -1, 1, -17, -12, 21,
    -12, 0, 2, 0, 37, -93, -92, -15, 4, 9, 20, 12, 12, -35, 43, 38, 16, 22, -6, -12,
    -10, 6, 2, 3, -2, 16, -3, 14, 19, -35, -25, 11, -2, -47, 5, -3, 5, 90, 10, -3,
    -5, 57, 9, 9, 0, -31, -22, -11, 9, -24, 4, -15, -5, 13, 20, 29, 12, -34, 10, 21,
    17, -1, -2, -2, -3, 4, 28, -7, -19, -3, 12, 47, 16,
    # second, third and fourth hand, without trumps and with
    31, 201, -1, -7, -1, 25, -26, 50, -2, 7, -8, -7, -7,
    57, 238, -1, 18, 1, -1, -2, 50, -2, 8, -10, -9, 7,
    46, 201, -2, 18, 14, 70, -2, 35, -13, 74, -43, -38, -53,
    31, 201, -1, -7, -5, 30, -2, 50, -2, 3, -28, -7, -7,
    57, 238, -1, 18, 1, -1, -2, 50, -2, 2, -16, -9, 7,
    46, 201, -2, 18, 14, 70, -2, 35, -13, 46, -83, -20, -53,
]
