# What any side can force: alpha-beta with zero windows over a table of bounds.
#
# Values are units of points still to come to the side. A result at or above the tested bound is a lower bound, one
# below it an upper bound (fail-soft). docs/solver.md walks through the algorithm.

cdef enum:
    SIDE_WEIGHTS = 56               # of the ordering, side_order.pxi

cdef struct search_t:
    game_t* g                       # 8
    limits_t* limits                # 8
    uint64_t hand[SEATS]            # 32
    uint64_t all_hands              # 8
    codes_t codes                   # 16 of the cards in play when the trick began
    int32_t plus                    # 4  units on scoring cards in play: the positive
    int32_t minus                   # 4  and the negative
    uint8_t scores[SEATS]           # 4  whether points of this seat count
    uint8_t raises[SEATS]           # 4  whether this seat plays for more of them
    table_t* table                  # 8
    patterns_t* patterns            # 8
    bint patterned                  # 4  whether patterns serve instead of the table
    int weight[SIDE_WEIGHTS]        # 224 of the ordering

cdef struct view_t:
    int seat                        # 4  to play
    int played                      # 4  cards in the trick
    int left                        # 4  tricks left, this one included
    int best                        # 4  the card that takes the trick so far
    int best_seat                   # 4
    uint64_t led                    # 8  mask of the led suit
    uint64_t trick                  # 8  cards lying


cdef int side_boundary(search_t* x, int leader, int left, bint broken, int bound, uint64_t* rel) noexcept nogil:
    """The side's units to come when `leader` is about to lead with `left` tricks left: a bound on the side of `bound`
    where the truth lies; rel: what the proof looked at."""
    cdef int high = x.plus + x.g.gains[left], low = x.minus + x.g.losses[left], value
    cdef uint64_t lengths = 0, crests = 0
    cdef const pattern_t* known
    cdef key_t key
    cdef entry_t* entry
    rel[0] = 0
    if high < bound or high == low:
        return high
    if low >= bound:
        return low
    if left == 1:
        x.limits.expansions += 1
        return side_play(x, leader, 0, 0, 0, -1, 0, 0, left, broken, bound, rel)
    if x.patterned:
        lengths = lengths_key(x.hand, leader, left, broken and x.g.contract.until_broken)
        crests = crests_of(x.g, x.all_hands)
        known = recall_pattern(x.patterns, &x.codes, lengths, crests, bound, bound)
        if known != NULL:
            x.limits.hits += 1
            rel[0] = known_cards(x.all_hands, known.mask)
            return known.low if known.low >= bound else known.high
    else:
        make_key(&key, x.g, &x.codes, x.all_hands, leader, broken)
        entry = probe(x.table, &key)
        if entry != NULL:
            if entry.low >= bound or entry.high < bound:
                x.limits.hits += 1
                return entry.low if entry.low >= bound else entry.high
    x.limits.expansions += 1
    value = side_play(x, leader, 0, 0, 0, -1, 0, 0, left, broken, bound, rel)
    if x.limits.stop == RUNNING:
        rel[0] |= x.all_hands & x.g.odd  # who holds which is part of every proof
        if not x.patterned:
            store(x.table, &key, left, value, bound, low, high)
        elif value >= bound:
            keep_pattern(x.patterns, &x.codes, x.all_hands, lengths, crests, rel[0], value, high)
        else:
            keep_pattern(x.patterns, &x.codes, x.all_hands, lengths, crests, rel[0], low, value)
    return value


cdef inline uint64_t asked_ranks(const game_t* g, uint64_t hand, uint64_t led, uint64_t trick,
                                 bint broken) noexcept nogil:
    """Cards whose owner or rank the rules ask about before `hand` plays: those of a waiver, the card to be beaten or
    stayed under."""
    cdef const contract_t* c = &g.contract
    cdef uint64_t held = hand & led, trumps = hand & g.trump
    if led == 0:
        return c.waiver if c.waiver and not (c.until_broken and broken) else 0
    if c.forced_under and held & (held - 1):
        return bit_of(top(trick & led))
    if trumps & (trumps - 1) and trick & g.trump:
        if (c.beat_trump and led == g.trump) or (c.void_trump == 2 and held == 0):
            return bit_of(top(trick & g.trump))
    return 0


cdef int side_play(search_t* x, int seat, int played, uint64_t led, uint64_t trick, int best, int best_seat,
                   int banked, int left, bint broken, int bound, uint64_t* rel) noexcept nogil:
    """The same in mid-trick, `seat` to play; the units of the trick in progress count as still to come."""
    cdef const game_t* g = x.g
    cdef uint64_t hand = x.hand[seat], every, moves, others, found, united = 0, proved = 0, asked, lane, low
    cdef int cards[16]
    cdef int n, i, card, value, result
    cdef bint raises = x.raises[seat]
    cdef view_t view
    asked = asked_ranks(g, hand, led, trick, broken) if x.patterned else 0
    every = moves = legal(g, hand, led, trick, left == g.contract.hand_size, broken)
    others = x.all_hands & ~hand
    if moves & (moves - 1):
        if best >= 0:
            others |= bit_of(best)
            if g.contract.forced_under and trick & led:
                others |= bit_of(top(trick & led))
        moves = distinct(g, moves, hand, others)
    if moves & (moves - 1):
        view.seat, view.played, view.left, view.best, view.best_seat = seat, played, left, best, best_seat
        view.led, view.trick = led, trick
        n = order_cards(x, &view, moves, cards)
    else:
        cards[0] = ctz(moves)
        n = 1
    result = -FAR if raises else FAR
    for i in range(n):
        card = cards[i]
        if proved & bit_of(card):
            continue
        if count_node(x.limits):
            return 0
        x.hand[seat] = hand ^ bit_of(card)
        x.all_hands ^= bit_of(card)
        value = side_after(x, card, seat, played, led, trick, best, best_seat, banked, left, broken, bound, &found)
        x.hand[seat] = hand
        x.all_hands |= bit_of(card)
        if x.limits.stop:
            return 0
        if (value >= bound) == raises:
            rel[0] = found | asked
            return value
        result = max(result, value) if raises else min(result, value)
        if x.patterned:
            # As in avoid.pxi: what a card's proof does not look at, it proves of the hand's lower cards too.
            united |= found
            lane = lane_of(card)
            low = lowest_of(found & lane)
            if bit_of(card) & g.odd:
                continue
            if low == 0 or low > bit_of(card):
                proved |= lane & (low - 1) & ~g.odd
            else:
                united |= run_below(g, card, every, hand, others)
    rel[0] = united | asked
    return result


cdef inline int side_after(search_t* x, int card, int seat, int played, uint64_t led, uint64_t trick, int best,
                           int best_seat, int banked, int left, bint broken, int bound, uint64_t* rel) noexcept nogil:
    """The value once `seat` has played `card`, which has left the hand."""
    if best < 0:
        led, best, best_seat = lane_of(card), card, seat
    elif beats(x.g, card, best):
        best, best_seat = card, seat
    trick |= bit_of(card)
    banked += x.g.card[card]
    broken |= x.g.contract.barred >> card & 1
    if played + 1 < x.g.contract.seats:
        return side_play(
            x, next_seat(x.g, seat), played + 1, led, trick, best, best_seat, banked, left, broken, bound, rel
        )
    return side_close(x, trick, best, best_seat, banked + x.g.place[left], left, broken, bound, rel)


cdef int side_close(search_t* x, uint64_t trick, int best, int winner, int units, int left, bint broken,
                    int bound, uint64_t* rel) noexcept nogil:
    """The value when a full trick worth `units` has gone to `winner` by the card `best`."""
    cdef int gain = units if x.scores[winner] else 0
    cdef int plus = x.plus, minus = x.minus, card, value
    cdef codes_t codes = x.codes
    cdef uint64_t in_play = x.all_hands | trick, cards = trick, rivals = trick & lane_of(best)
    while cards:
        card = ctz(cards)
        cards &= cards - 1
        remove(&x.codes, in_play, card)
        in_play ^= bit_of(card)
        x.plus -= max(x.g.card[card], 0)
        x.minus -= min(x.g.card[card], 0)
    value = gain + side_boundary(x, winner, left - 1, broken, bound - gain, rel)
    if rivals & (rivals - 1):
        rel[0] |= bit_of(best)  # rank decided
    x.codes = codes
    x.plus, x.minus = plus, minus
    return value


cdef void side_solve(search_t* x, const position_t* p, int* low_out, int* high_out) noexcept nogil:
    """Closes in on the value by zero windows, each new one at what the last has shown."""
    cdef game_t* g = x.g
    cdef uint64_t whole[SEATS]
    cdef uint64_t left, rel
    cdef int seat, card, low, high, bound, value
    for seat in range(SEATS):
        x.hand[seat] = whole[seat] = p.hand[seat]
    x.all_hands = in_hands(p)
    # The codes are those of the cards in play when the trick began; who held a card of the trick no longer matters,
    # since it goes before the next key is made.
    whole[0] |= p.trick
    encode(&x.codes, whole, SEATS)
    x.plus = x.minus = 0
    left = x.all_hands | p.trick
    while left:
        card = ctz(left)
        left &= left - 1
        x.plus += max(g.card[card], 0)
        x.minus += min(g.card[card], 0)
    high = x.plus + g.gains[p.left]
    low = x.minus + g.losses[p.left]
    bound = low + (high - low) * 9 // 10 if low < 0 else low + (high - low) // 4
    while low < high:
        bound = min(max(bound, low + 1), high)
        value = side_play(x, p.turn, p.played, p.led, p.trick, p.best, p.best_seat, p.banked, p.left, p.broken, bound,
                          &rel)
        if x.limits.stop:
            break
        if value >= bound:
            low = max(low, value)
            bound = low + 1
        else:
            high = min(high, value)
            bound = high
    low_out[0], high_out[0] = low, high
