# The gap relaxation of one avoider's game: what makes large deals affordable.
#
# Walls cut each suit into gaps: the avoider's cards and the odd ones. The field's cards in one gap count as
# indistinguishable, and when the field wins a trick it chooses the next leader among its seats that played into
# the winning gap. Every line of the real game is a line of this one, so its value, a loss, is at least the real one:
# where it stays below a bound, so does the real game. docs/solver.md, "The gap relaxation".

cdef enum:
    PARTS_FROM = 11                 # tricks from which parts of the nodes go to bounds, for those whom limits stop
    PART = 16                       # one node in so many goes to bounds from below, and one to bounds from above


cdef inline uint64_t gap_floor(uint64_t cards, uint64_t walls, uint64_t lane) noexcept nogil:
    """The part of a suit, from which `cards` are some, down to the wall that ends the gap of the lowest of them."""
    cdef uint64_t low = cards & -cards, lower
    if cards == 0:
        return 0
    if low & walls:
        return lane & ~(low - 1)
    lower = walls & lane & (low - 1)
    return lane & ~(bit_of(top(lower)) - 1) if lower else lane


cdef inline uint64_t whole_gaps(uint64_t rel, uint64_t walls, uint64_t in_play) noexcept nogil:
    """What a proof with `rel` fixes in the relaxed game: in each suit every card down to a wall. Without the wall a
    twin's gap could go on below, and another seat could be deemed to have won."""
    cdef uint64_t found = 0, lane
    cdef int suit
    for suit in range(4):
        lane = <uint64_t>LANE << (16 * suit)
        found |= gap_floor(rel & lane, walls, lane)
    return found & in_play


cdef inline bint one_gap(uint64_t walls, int card, int other) noexcept nogil:
    """Whether two of the field's cards of a suit lie in the same gap."""
    return walls & (bit_of(card) | bit_of(other) | (above(card) & below(other)) | (above(other) & below(card))) == 0


cdef inline uint32_t sorted_code(const avoid_t* x, int suit, uint64_t walls) noexcept nogil:
    """The owners along a suit as codes_t has them, within each gap sorted by seat."""
    cdef uint64_t rest = x.all_hands & <uint64_t>LANE << (16 * suit), gap
    cdef uint32_t code = 1
    cdef int seat, count, wall
    walls &= rest
    while rest:
        if walls:
            wall = top(walls)
            gap = rest & ~((bit_of(wall) << 1) - 1)
        else:
            wall = -1
            gap = rest
        if gap:
            for seat in range(SEATS):
                count = 2 * popcount(x.hand[seat] & gap)
                code = code << count | (<uint32_t>0x1555555 * seat & ((<uint32_t>1 << count) - 1))
        if wall < 0:
            break
        seat = 0
        while not x.hand[seat] >> wall & 1:
            seat += 1
        code = code << 2 | <uint32_t>seat
        walls ^= bit_of(wall)
        rest &= bit_of(wall) - 1
    return code


cdef inline void sorted_codes(const avoid_t* x, codes_t* codes, uint64_t walls) noexcept nogil:
    cdef int suit
    for suit in range(4):
        codes.suit[suit] = sorted_code(x, suit, walls)


cdef int relaxed_close(avoid_t* x, const trick_t* t, int bound, uint64_t* rel) noexcept nogil:
    """The loss to come when a trick is the field's: at most, over the seats that may be deemed to have won it."""
    cdef uint64_t found, united = 0
    cdef int seat, value, result = -FAR
    for seat in range(x.g.contract.seats):
        if t.winners >> seat & 1:
            value = avoid_boundary(x, seat, t.left - 1, t.broken, bound, &found)
            if x.limits.stop:
                return 0
            if value >= bound:
                rel[0] = found
                return value
            result = max(result, value)
            united |= found
    rel[0] = united
    return result


cdef bint answered(avoid_t* x, const position_t* p, const trick_t* t, int bound, uint64_t* spent,
                   int* value) noexcept nogil:
    """Asks for one window with what is left of a part of all nodes so far, `spent` of which has gone; whether that was
    enough."""
    cdef limits_t* limits = x.limits
    cdef uint64_t whole = limits.limit, before = limits.nodes, share = limits.nodes // PART
    if limits.stop or spent[0] >= share:
        return False
    limits.limit = min(whole, before + share - spent[0])
    limits.check_at = min(limits.check_at, limits.limit)
    value[0] = avoid_from(x, p, t, bound)
    limits.limit = whole
    limits.check_at = min(whole, limits.nodes + CHECK_EVERY)
    spent[0] += limits.nodes - before
    if limits.stop == OUT_OF_NODES and limits.nodes < whole:
        limits.stop = RUNNING
        return False
    return limits.stop == RUNNING


cdef int relaxed_loss(avoid_t* x, const position_t* p, const trick_t* t, int* shown) noexcept nogil:
    """The loss in the relaxed game, or, when the limits end the search, an upper bound of it.

    In large deals parts of the nodes go to what the field can bring about in the real game, and to bounds from above,
    so that limits leave bounds on both sides: `shown`, a lower bound of the real loss, is raised.
    """
    cdef int low = 0, high = x.on_cards + x.tail[p.left], bound = high // 10, value
    cdef uint64_t spent_below = 0, spent_above = 0
    cdef bint in_parts = p.left >= PARTS_FROM or x.relax_from == 1
    while low < high and x.limits.stop == RUNNING:
        bound = min(max(bound, low + 1), high)
        x.relaxing = True
        value = avoid_from(x, p, t, bound)
        if x.limits.stop:
            break
        if value >= bound:
            low = max(low, value)
            bound = low + 1
        else:
            high = min(high, value)
            bound = high
        if not in_parts:
            continue
        while low + 1 < high and answered(x, p, t, high, &spent_above, &value):
            if value < high:
                high = value
            else:
                low = high
        x.relaxing = False
        while shown[0] < low and answered(x, p, t, shown[0] + 1, &spent_below, &value):
            if value <= shown[0]:
                high = low = shown[0]  # the field cannot bring about more
            else:
                shown[0] = value
    x.relaxing = False
    return high
