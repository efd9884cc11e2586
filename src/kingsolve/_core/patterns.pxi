# A table whose entries speak for many positions: a set `rel` of cards says in each suit which owners a proof has looked
# at, all of the cards in play at or above its lowest card there; of the cards below it only the number in each hand.
# docs/solver.md, "Patterns".

cdef enum:
    SHAPE_DEPTH = 3                 # cards of a suit by whose owners patterns are filed
    FEWEST_PLACES = 1 << 9
    FEWEST_PATTERNS = 1 << 8

cdef uint64_t RELAXED = <uint64_t>1 << 63  # in a bucket's key: of the relaxed game, gaps.pxi

# A result for every position that agrees on the masked owners; positions of one bucket agree on all suit lengths.
cdef struct pattern_t:
    uint64_t code[2]                # 16 owners along the suits: codes_t packed two suits a word
    uint64_t mask[2]                # 16 which of these must agree
    int32_t next                    # 4  of the list, most general first, -1 at its end
    int8_t low                      # 1  bounds on the value
    int8_t high                     # 1
    uint8_t size                    # 1  owners that must agree

cdef struct bucket_t:
    uint64_t key                    # 8  suit lengths by hand, leader, whether the bar is broken
    uint64_t crests                 # 8  where the odd cards stand, counted from the top
    int32_t shapes                  # 4  first of its shapes

# The highest cards, up to SHAPE_DEPTH a suit, that some patterns of a bucket fix. A bucket has few shapes and may have
# thousands of patterns; these are filed by who owns the shape's cards. One list a bucket was 640 patterns long where
# it was looked at with 12 cards a hand (no-hearts, 2026-11-30), this way 11.
cdef struct shape_t:
    uint64_t mask[2]                # 16
    int32_t next                    # 4  of the bucket's shapes, -1 at their end

# The patterns of one shape with the same owners of the shape's cards.
cdef struct list_t:
    uint64_t code[2]                # 16 the owners
    int32_t shape                   # 4
    int32_t head                    # 4

# Places in a pool by hash, open addressing, -1 where there is none. Pools are filled from the start and this grows with
# them, so that what a small search touches lies close together.
cdef struct places_t:
    int32_t* at                     # 8
    uint64_t mask                   # 8  number of places, less one

cdef struct patterns_t:
    bucket_t* buckets               # 8
    list_t* lists                   # 8
    shape_t* shapes                 # 8
    pattern_t* pool                 # 8
    places_t by_key                 # 16 of buckets
    places_t by_code                # 16 of lists
    int32_t buckets_used            # 4
    int32_t lists_used              # 4
    int32_t shapes_used             # 4
    int32_t size                    # 4
    int32_t room                    # 4  for patterns; half of it for lists, a quarter for buckets and for shapes


cdef int make_patterns(patterns_t* table, size_t bytes_) except -1:
    """Room for as many patterns, and what goes with them, as fit."""
    cdef size_t places = FEWEST_PLACES
    # By code there are at most twice as many places as patterns, by key as many.
    cdef size_t each = (
        sizeof(pattern_t) + sizeof(list_t) // 2 + (sizeof(bucket_t) + sizeof(shape_t)) // 4 + 3 * sizeof(int32_t)
    )
    cdef size_t room = min(max(bytes_ // each, <size_t>FEWEST_PATTERNS), <size_t>1 << 29) & ~<size_t>3
    while places < room:
        places *= 2
    table.buckets = <bucket_t*>calloc(room // 4, sizeof(bucket_t))
    table.lists = <list_t*>calloc(room // 2, sizeof(list_t))
    table.shapes = <shape_t*>calloc(room // 4, sizeof(shape_t))
    table.pool = <pattern_t*>calloc(room, sizeof(pattern_t))
    table.by_key.at = <int32_t*>calloc(max(places // 2, <size_t>FEWEST_PLACES), sizeof(int32_t))
    table.by_code.at = <int32_t*>calloc(places, sizeof(int32_t))
    if (
        table.buckets == NULL or table.lists == NULL or table.shapes == NULL or table.pool == NULL
        or table.by_key.at == NULL or table.by_code.at == NULL
    ):
        free_patterns(table)
        msg = f"no memory for patterns of {bytes_} bytes"
        raise MemoryError(msg)
    table.room = <int32_t>room
    table.by_key.mask = table.by_code.mask = FEWEST_PLACES - 1
    table.size = 1  # so that it is cleared
    forget_patterns(table)
    return 0


cdef void free_patterns(patterns_t* table) noexcept:
    free(table.buckets)
    free(table.lists)
    free(table.shapes)
    free(table.pool)
    free(table.by_key.at)
    free(table.by_code.at)
    memset(table, 0, sizeof(patterns_t))


cdef void forget_patterns(patterns_t* table) noexcept nogil:
    if table.size == 0:
        return
    table.size = table.shapes_used = table.buckets_used = table.lists_used = 0
    table.by_key.mask = table.by_code.mask = FEWEST_PLACES - 1
    memset(table.by_key.at, 0xFF, FEWEST_PLACES * sizeof(int32_t))
    memset(table.by_code.at, 0xFF, FEWEST_PLACES * sizeof(int32_t))


cdef inline uint64_t bucket_hash(uint64_t key, uint64_t crests) noexcept nogil:
    cdef uint64_t h = (key ^ crests * <uint64_t>0xBF58476D1CE4E5B9) * <uint64_t>0x9E3779B97F4A7C15
    return h ^ h >> 32


cdef inline uint64_t list_hash(int shape, uint64_t first, uint64_t second) noexcept nogil:
    cdef uint64_t h = (first ^ <uint64_t>shape << 40) * <uint64_t>0x9E3779B97F4A7C15
    h = (h ^ h >> 32 ^ second) * <uint64_t>0xBF58476D1CE4E5B9
    return h ^ h >> 32


cdef inline int32_t* place_of_bucket(const patterns_t* table, uint64_t key, uint64_t crests) noexcept nogil:
    """The place of the key's bucket, or the free one where it belongs."""
    cdef uint64_t at = bucket_hash(key, crests) & table.by_key.mask
    cdef const bucket_t* bucket
    while table.by_key.at[at] >= 0:
        bucket = &table.buckets[table.by_key.at[at]]
        if bucket.key == key and bucket.crests == crests:
            break
        at = (at + 1) & table.by_key.mask
    return &table.by_key.at[at]


cdef inline int32_t* place_of_list(const patterns_t* table, int shape, uint64_t first,
                                   uint64_t second) noexcept nogil:
    """The place of the list of a shape's cards with these owners, or the free one where it belongs."""
    cdef uint64_t at = list_hash(shape, first, second) & table.by_code.mask
    cdef const list_t* list_
    while table.by_code.at[at] >= 0:
        list_ = &table.lists[table.by_code.at[at]]
        if list_.shape == shape and list_.code[0] == first and list_.code[1] == second:
            break
        at = (at + 1) & table.by_code.mask
    return &table.by_code.at[at]


cdef void grow_places(patterns_t* table) noexcept nogil:
    """Keeps at least every other place free."""
    cdef int32_t i
    cdef uint64_t at
    if 2 * <uint64_t>table.buckets_used > table.by_key.mask:
        table.by_key.mask = 2 * table.by_key.mask + 1
        memset(table.by_key.at, 0xFF, (table.by_key.mask + 1) * sizeof(int32_t))
        for i in range(table.buckets_used):
            at = bucket_hash(table.buckets[i].key, table.buckets[i].crests) & table.by_key.mask
            while table.by_key.at[at] >= 0:
                at = (at + 1) & table.by_key.mask
            table.by_key.at[at] = i
    if 2 * <uint64_t>table.lists_used > table.by_code.mask:
        table.by_code.mask = 2 * table.by_code.mask + 1
        memset(table.by_code.at, 0xFF, (table.by_code.mask + 1) * sizeof(int32_t))
        for i in range(table.lists_used):
            at = list_hash(table.lists[i].shape, table.lists[i].code[0], table.lists[i].code[1]) & table.by_code.mask
            while table.by_code.at[at] >= 0:
                at = (at + 1) & table.by_code.mask
            table.by_code.at[at] = i


cdef inline uint64_t crests_of(const game_t* g, uint64_t all_hands) noexcept nogil:
    """The kinds of all cards in play down to the lowest odd one of each suit."""
    if not all_hands & g.odd:
        return 0
    return (
        <uint64_t>g.crest[0][(all_hands & LANE) >> g.shift]
        | <uint64_t>g.crest[1][(all_hands >> 16 & LANE) >> g.shift] << 16
        | <uint64_t>g.crest[2][(all_hands >> 32 & LANE) >> g.shift] << 32
        | <uint64_t>g.crest[3][(all_hands >> 48 & LANE) >> g.shift] << 48
    )


cdef inline uint64_t lengths_key(const uint64_t* hands, int leader, int left, bint broken) noexcept nogil:
    """Three suit lengths of every hand, the tricks left, the leader, the bar: what all positions of a bucket share."""
    cdef uint64_t key = <uint64_t>left | <uint64_t>leader << 4 | <uint64_t>broken << 6
    cdef int seat, at = 7
    for seat in range(SEATS):
        key |= <uint64_t>popcount(hands[seat] & LANE) << at
        key |= <uint64_t>popcount(hands[seat] >> 16 & LANE) << (at + 4)
        key |= <uint64_t>popcount(hands[seat] >> 32 & LANE) << (at + 8)
        at += 12
    return key


cdef inline uint64_t known_from(uint64_t all_hands, uint64_t rel, int suit) noexcept nogil:
    """The code bits of a suit that a proof with `rel` fixes: those of the cards at or above its lowest card."""
    cdef uint64_t cards = rel >> (16 * suit) & LANE
    cdef uint64_t in_play = all_hands >> (16 * suit) & LANE
    cdef int unknown
    if cards == 0:
        return 0
    unknown = 2 * popcount(in_play & ((cards & -cards) - 1))
    return <uint64_t>0x7FFFFFF >> unknown << unknown


cdef inline uint64_t known_cards(uint64_t all_hands, const uint64_t* mask) noexcept nogil:
    """A set of cards here whose lowest in each suit is the lowest that a stored mask fixes."""
    cdef uint64_t rel = 0, part, lane
    cdef int suit, skip
    for suit in range(4):
        part = mask[suit >> 1] >> 27 * (suit & 1) & 0x7FFFFFF
        if part:
            lane = all_hands & <uint64_t>LANE << (16 * suit)
            for skip in range(ctz(part) >> 1):
                lane &= lane - 1
            rel |= lane & -lane
    return rel


cdef inline uint64_t highest_known(uint64_t code, uint64_t mask) noexcept nogil:
    """The part of a suit's known code bits that belongs to its SHAPE_DEPTH highest cards."""
    cdef int unknown
    if mask == 0:
        return 0
    unknown = 63 - clz(code) - 2 * SHAPE_DEPTH
    return mask >> unknown << unknown if unknown > 0 else mask


cdef const pattern_t* recall_pattern(const patterns_t* table, const codes_t* codes, uint64_t key,
                                     uint64_t crests, int least, int bound) noexcept nogil:
    """A pattern that says that the value is at least `least` or does not reach `bound`; or NULL."""
    cdef int32_t which = place_of_bucket(table, key, crests)[0], at
    cdef uint64_t first = codes.suit[0] | <uint64_t>codes.suit[1] << 27
    cdef uint64_t second = codes.suit[2] | <uint64_t>codes.suit[3] << 27
    cdef const shape_t* shape
    cdef const pattern_t* p
    if which < 0:
        return NULL
    which = table.buckets[which].shapes
    while which >= 0:
        shape = &table.shapes[which]
        at = place_of_list(table, which, first & shape.mask[0], second & shape.mask[1])[0]
        which = shape.next
        if at < 0:
            continue
        at = table.lists[at].head
        while at >= 0:
            p = &table.pool[at]
            if ((p.code[0] ^ first) & p.mask[0] | (p.code[1] ^ second) & p.mask[1]) == 0:
                if p.low >= least or p.high < bound:
                    return p
            at = p.next
    return NULL


cdef list_t* make_list(patterns_t* table, const codes_t* codes, uint64_t key, uint64_t crests,
                       const uint64_t* mask) noexcept nogil:
    """The list where a pattern with this mask belongs, made if there is none; bucket and shape too."""
    cdef int32_t* place
    cdef int32_t* link
    cdef bucket_t* bucket
    cdef list_t* list_
    cdef uint64_t first, second
    grow_places(table)
    place = place_of_bucket(table, key, crests)
    if place[0] < 0:
        place[0] = table.buckets_used
        table.buckets_used += 1
        bucket = &table.buckets[place[0]]
        bucket.key, bucket.crests, bucket.shapes = key, crests, -1
    bucket = &table.buckets[place[0]]
    first = highest_known(codes.suit[0], mask[0] & 0x7FFFFFF)
    first |= highest_known(codes.suit[1], mask[0] >> 27) << 27
    second = highest_known(codes.suit[2], mask[1] & 0x7FFFFFF)
    second |= highest_known(codes.suit[3], mask[1] >> 27) << 27
    link = &bucket.shapes
    while link[0] >= 0:
        if table.shapes[link[0]].mask[0] == first and table.shapes[link[0]].mask[1] == second:
            break
        link = &table.shapes[link[0]].next
    if link[0] < 0:
        link[0] = table.shapes_used
        table.shapes[link[0]].mask[0], table.shapes[link[0]].mask[1] = first, second
        table.shapes[link[0]].next = -1
        table.shapes_used += 1
    first &= codes.suit[0] | <uint64_t>codes.suit[1] << 27
    second &= codes.suit[2] | <uint64_t>codes.suit[3] << 27
    place = place_of_list(table, link[0], first, second)
    if place[0] < 0:
        place[0] = table.lists_used
        table.lists_used += 1
        list_ = &table.lists[place[0]]
        list_.shape, list_.head = link[0], -1
        list_.code[0], list_.code[1] = first, second
    return &table.lists[place[0]]


cdef inline bint patterns_full(const patterns_t* table) noexcept nogil:
    return (
        table.size == table.room or 2 * table.lists_used >= table.room
        or 4 * table.shapes_used >= table.room or 4 * table.buckets_used >= table.room
    )


cdef void keep_pattern(patterns_t* table, const codes_t* codes, uint64_t all_hands, uint64_t key,
                       uint64_t crests, uint64_t rel, int low, int high) noexcept nogil:
    """Files bounds on the value of all positions that agree with this one on `rel`. When the table is full it starts
    anew: what it held is mostly of positions long left."""
    cdef pattern_t* p
    cdef pattern_t* new
    cdef int32_t* link
    cdef uint64_t mask[2]
    cdef uint64_t code[2]
    if patterns_full(table):
        forget_patterns(table)
    mask[0] = known_from(all_hands, rel, 0) | known_from(all_hands, rel, 1) << 27
    mask[1] = known_from(all_hands, rel, 2) | known_from(all_hands, rel, 3) << 27
    code[0] = (codes.suit[0] | <uint64_t>codes.suit[1] << 27) & mask[0]
    code[1] = (codes.suit[2] | <uint64_t>codes.suit[3] << 27) & mask[1]
    new = &table.pool[table.size]
    new.size = <uint8_t>(popcount(mask[0]) + popcount(mask[1]))
    link = &make_list(table, codes, key, crests, mask).head
    while link[0] >= 0 and table.pool[link[0]].size <= new.size:
        p = &table.pool[link[0]]
        if p.mask[0] == mask[0] and p.mask[1] == mask[1] and p.code[0] == code[0] and p.code[1] == code[1]:
            p.low = <int8_t>max(<int>p.low, low)
            p.high = <int8_t>min(<int>p.high, high)
            check(p.low <= p.high)
            return
        link = &p.next
    new.code[0], new.code[1] = code[0], code[1]
    new.mask[0], new.mask[1] = mask[0], mask[1]
    new.low, new.high = <int8_t>low, <int8_t>high
    new.next = link[0]
    link[0] = table.size
    table.size += 1


cdef inline uint64_t lowest_of(uint64_t cards) noexcept nogil:
    return cards & -cards


cdef inline uint64_t run_below(const game_t* g, int card, uint64_t cards, uint64_t hand,
                               uint64_t others) noexcept nogil:
    """The cards of the hand that follow `card` downwards without a break: those that it stood for."""
    cdef uint64_t run = 0, lower = (hand | others) & below(card)
    cdef int next_
    while lower:
        next_ = top(lower)
        if not bit_of(next_) & cards or g.kind[next_] != g.kind[card]:
            break
        run |= bit_of(next_)
        lower ^= bit_of(next_)
    return run
