# All payoff vectors in which pure subgame-perfect play can end: set-valued backward induction (docs/solver.md).
#
# A vector is packed into a uint64, 16 bits a seat, biased so that adding a trick's units is one addition. A set is a
# sorted run of such words. Sets of trick boundaries are kept in an arena and found by key.

cdef enum:
    ZERO = 0x8000                   # the bias of a seat's 16 bits

cdef struct set_entry_t:
    key_t key                       # 24 word[1] is 0 in an empty place: codes are never 0
    uint64_t start                  # 8  in the arena
    uint32_t size                   # 4

cdef struct words_t:
    uint64_t* data                  # 8
    uint64_t size                   # 8
    uint64_t room                   # 8

cdef struct sets_t:
    game_t* g                       # 8
    limits_t limits                 # 72
    uint64_t hand[SEATS]            # 32
    uint64_t in_play                # 8  all cards in play when the trick began
    codes_t codes                   # 16 of those
    words_t stack                   # 24 sets of nodes being worked on, each on top of its parent's
    words_t arena                   # 24 sets of boundaries done
    set_entry_t* table                  # 8
    uint64_t places                 # 8  a power of two
    uint64_t used                   # 8
    bint only_gains                 # 4  nothing that scores is negative
    uint64_t memory                 # 8  bytes that table, arena and stack may take together


cdef int compare(const void* a, const void* b) noexcept nogil:
    cdef uint64_t left = (<const uint64_t*>a)[0], right = (<const uint64_t*>b)[0]
    return (left > right) - (left < right)


cdef inline int units_of(uint64_t vector, int seat) noexcept nogil:
    return <int>(vector >> (16 * seat) & 0xFFFF)


cdef bint fits(sets_t* x, uint64_t more) noexcept nogil:
    """Whether `more` bytes may be taken; stops the search when not."""
    cdef uint64_t bytes = (x.stack.room + x.arena.room) * sizeof(uint64_t) + x.places * sizeof(set_entry_t)
    if bytes + more > x.memory:
        x.limits.stop = OUT_OF_MEMORY
    return x.limits.stop == RUNNING


cdef bint make_room(sets_t* x, words_t* words, uint64_t more) noexcept nogil:
    """Room for `more` words on top; False, and the search stopped, when memory is at its limit."""
    cdef uint64_t room = max(words.room, <uint64_t>1024)
    cdef uint64_t* data
    if words.size + more <= words.room:
        return True
    while room < words.size + more:
        room *= 2
    if not fits(x, (room - words.room) * sizeof(uint64_t)):
        return False
    data = <uint64_t*>realloc(words.data, room * sizeof(uint64_t))
    if data == NULL:
        x.limits.stop = OUT_OF_MEMORY
        return False
    words.data, words.room = data, room
    return True


cdef set_entry_t* find(const sets_t* x, const key_t* key) noexcept nogil:
    """The place of `key`: its entry, or the empty place where it belongs."""
    cdef uint64_t at = hash_key(key) & (x.places - 1)
    while x.table[at].key.word[1] and not same_key(&x.table[at].key, key):
        at = (at + 1) & (x.places - 1)
    return &x.table[at]


cdef bint grow(sets_t* x) noexcept nogil:
    """Doubles the table; False, and the search stopped, when memory is at its limit."""
    cdef set_entry_t* old = x.table
    cdef uint64_t places = x.places, i
    if not fits(x, 2 * places * sizeof(set_entry_t)):
        return False
    x.table = <set_entry_t*>calloc(2 * places, sizeof(set_entry_t))
    if x.table == NULL:
        x.table = old
        x.limits.stop = OUT_OF_MEMORY
        return False
    x.places = 2 * places
    for i in range(places):
        if old[i].key.word[1]:
            find(x, &old[i].key)[0] = old[i]
    free(old)
    return True


cdef bint file_set(sets_t* x, const key_t* key, uint64_t base) noexcept nogil:
    """Files the set on the stack from `base` up under `key`."""
    cdef uint64_t size = x.stack.size - base
    cdef set_entry_t* entry
    if 2 * x.used >= x.places and not grow(x):
        return False
    if not make_room(x, &x.arena, size):
        return False
    entry = find(x, key)
    entry.key = key[0]
    entry.start = x.arena.size
    entry.size = <uint32_t>size
    memcpy(&x.arena.data[x.arena.size], &x.stack.data[base], size * sizeof(uint64_t))
    x.arena.size += size
    x.used += 1
    return True


cdef bint put(sets_t* x, const uint64_t* vectors, uint64_t size) noexcept nogil:
    """Pushes a set on the stack."""
    if not make_room(x, &x.stack, size):
        return False
    memcpy(&x.stack.data[x.stack.size], vectors, size * sizeof(uint64_t))
    x.stack.size += size
    return True


cdef void sets_boundary(sets_t* x, int leader, int left, bint broken) noexcept nogil:
    """Pushes the set of vectors to come when `leader` is about to lead with `left` tricks left."""
    cdef uint64_t zero = <uint64_t>0x8000800080008000, base = x.stack.size
    cdef key_t key
    cdef set_entry_t* entry
    if sets_over(x, left):
        put(x, &zero, 1)
        return
    if x.only_gains and runs_all(x.g, x.hand, leader):
        zero += <uint64_t>units_in_play(x, left) << (16 * leader)
        put(x, &zero, 1)
        return
    if left == 1:
        zero += <uint64_t>units_in_play(x, left) << (16 * last_winner(x.g, x.hand, leader))
        put(x, &zero, 1)
        return
    make_key(&key, x.g, &x.codes, x.in_play, leader, broken)
    entry = find(x, &key)
    if entry.key.word[1]:
        x.limits.hits += 1
        put(x, &x.arena.data[entry.start], entry.size)
        return
    x.limits.expansions += 1
    sets_play(x, leader, 0, 0, 0, -1, 0, 0, left, broken)
    if x.limits.stop == RUNNING:
        file_set(x, &key, base)


cdef inline bint sets_over(const sets_t* x, int left) noexcept nogil:
    cdef int i
    if x.g.gains[left] or x.g.losses[left]:
        return False
    for i in range(CLASSES):
        if x.g.contract.class_mask[i] & x.in_play:
            return False
    return True


cdef inline int units_in_play(const sets_t* x, int left) noexcept nogil:
    """All units to come at a trick boundary."""
    cdef uint64_t cards = x.in_play
    cdef int units = x.g.gains[left] + x.g.losses[left]
    while cards:
        units += x.g.card[ctz(cards)]
        cards &= cards - 1
    return units


cdef void sets_play(sets_t* x, int seat, int played, uint64_t led, uint64_t trick, int best, int best_seat,
               int banked, int left, bint broken) noexcept nogil:
    """The same in mid-trick, `seat` to play; the trick in progress counts as still to come.

    A vector of one card's set survives if it gives the seat at least the worst of every other card's set: then some
    continuation of each other card makes this one a best choice. It always gives the worst of its own. Equal cards have
    equal sets, so one stands for all.
    """
    cdef const game_t* g = x.g
    cdef uint64_t hand = x.hand[seat], others, all_cards = x.hand[0] | x.hand[1] | x.hand[2] | x.hand[3]
    cdef uint64_t moves = legal(g, hand, led, trick, left == g.contract.hand_size, broken)
    cdef uint64_t base = x.stack.size, start, read, write
    cdef int card, worst, highest = -1
    cdef bint choice = False
    if moves & (moves - 1):
        others = all_cards & ~hand
        if best >= 0:
            others |= bit_of(best)
            if g.contract.forced_under and trick & led:
                others |= bit_of(top(trick & led))
        moves = distinct(g, moves, hand, others)
        choice = moves & (moves - 1) != 0
    while moves:
        card = ctz(moves)
        moves &= moves - 1
        if count_node(&x.limits):
            return
        start = x.stack.size
        x.hand[seat] = hand ^ bit_of(card)
        sets_after(x, card, seat, played, led, trick, best, best_seat, banked, left, broken)
        x.hand[seat] = hand
        if x.limits.stop or not choice:
            return
        worst = 0xFFFF
        for read in range(start, x.stack.size):
            worst = min(worst, units_of(x.stack.data[read], seat))
        highest = max(highest, worst)
    write = base
    for read in range(base, x.stack.size):
        if units_of(x.stack.data[read], seat) >= highest:
            x.stack.data[write] = x.stack.data[read]
            write += 1
    x.stack.size = write
    unite(x, base)


cdef void unite(sets_t* x, uint64_t base) noexcept nogil:
    """Sorts what lies on the stack from `base` up and drops repetitions."""
    cdef uint64_t* set_ = &x.stack.data[base]
    cdef uint64_t size = x.stack.size - base, i, j, kept, word
    if size <= 16:
        for i in range(1, size):
            word = set_[i]
            j = i
            while j > 0 and set_[j - 1] > word:
                set_[j] = set_[j - 1]
                j -= 1
            set_[j] = word
    else:
        qsort(set_, size, sizeof(uint64_t), compare)
    kept = 1
    for i in range(1, size):
        if set_[i] != set_[kept - 1]:
            set_[kept] = set_[i]
            kept += 1
    x.stack.size = base + kept


cdef inline void sets_after(sets_t* x, int card, int seat, int played, uint64_t led, uint64_t trick, int best,
                       int best_seat, int banked, int left, bint broken) noexcept nogil:
    """Pushes the set once `seat` has played `card`, which has left the hand."""
    if best < 0:
        led, best, best_seat = lane_of(card), card, seat
    elif beats(x.g, card, best):
        best, best_seat = card, seat
    trick |= bit_of(card)
    banked += x.g.card[card]
    broken |= x.g.contract.barred >> card & 1
    if played + 1 < x.g.contract.seats:
        sets_play(x, next_seat(x.g, seat), played + 1, led, trick, best, best_seat, banked, left, broken)
    else:
        sets_close(x, trick, best_seat, banked + x.g.place[left], left, broken)


cdef void sets_close(sets_t* x, uint64_t trick, int winner, int units, int left, bint broken) noexcept nogil:
    """Pushes the set when a full trick worth `units` has gone to `winner`: the boundary's set, moved by them."""
    cdef codes_t codes = x.codes
    cdef uint64_t in_play = x.in_play, cards = trick, base = x.stack.size, i
    cdef uint64_t shift = <uint64_t><int64_t>units << (16 * winner)
    cdef int card
    while cards:
        card = ctz(cards)
        cards &= cards - 1
        remove(&x.codes, x.in_play, card)
        x.in_play ^= bit_of(card)
    sets_boundary(x, winner, left - 1, broken)
    for i in range(base, x.stack.size):
        x.stack.data[i] += shift
    x.codes = codes
    x.in_play = in_play


cdef class Equilibria:
    """A context for equilibria; its memory is given back after each `value`."""

    cdef sets_t x
    cdef game_t game

    def __cinit__(self):
        self.x.g = &self.game

    @property
    def counts(self):
        """Of the last `value`: (positions between tricks that what is stored answered, those that were searched)."""
        return self.x.limits.hits, self.x.limits.expansions

    def value(self, record, const uint64_t[::1] hands, int leader, const int32_t[::1] trick, bint broken,
              size_t memory, uint64_t nodes=0, double seconds=0, int32_t[::1] cancel=None):
        """(sorted list of vectors of points, nodes, stop), seats in the order of play; stop 0: solved, else the list
        is empty. `memory` is the most that sets and table may take, in bytes."""
        cdef position_t p
        cdef contract_t contract
        cdef int seats, seat
        cdef uint64_t i
        read_contract(&contract, record)
        prepare(&self.game, &contract)
        set_up(&p, &self.game, &hands[0], leader, &trick[0] if trick.shape[0] else NULL, <int>trick.shape[0], broken)
        start_limits(&self.x.limits, nodes, seconds, NULL if cancel is None else &cancel[0])
        self.x.memory = memory
        self.x.only_gains = gains_only(&contract)
        self.x.places = 1024
        self.x.table = <set_entry_t*>calloc(self.x.places, sizeof(set_entry_t))
        if self.x.table == NULL:
            msg = "no memory for the table of equilibria"
            raise MemoryError(msg)
        try:
            with nogil:
                sets_solve(&self.x, &p)
            if self.x.limits.stop == INTERRUPTED:
                raise interruption()
            vectors = []
            seats = self.game.contract.seats
            if self.x.limits.stop == RUNNING:
                for i in range(self.x.stack.size):
                    vectors.append(tuple([
                        (units_of(self.x.stack.data[i], seat) - ZERO) * self.game.unit for seat in range(seats)
                    ]))
            return sorted(vectors), self.x.limits.nodes, self.x.limits.stop
        finally:
            self.clear()

    cdef void clear(self) noexcept:
        free(self.x.table)
        free(self.x.stack.data)
        free(self.x.arena.data)
        self.x.table = NULL
        memset(&self.x.stack, 0, sizeof(words_t))
        memset(&self.x.arena, 0, sizeof(words_t))
        self.x.places = self.x.used = 0

    def __dealloc__(self):
        self.clear()


cdef void sets_solve(sets_t* x, const position_t* p) noexcept nogil:
    cdef uint64_t whole[SEATS]
    cdef int seat
    for seat in range(SEATS):
        x.hand[seat] = whole[seat] = p.hand[seat]
    whole[0] |= p.trick  # who held a card of the trick does not matter: it goes before the next key is made
    encode(&x.codes, whole, SEATS)
    x.in_play = in_hands(p) | p.trick
    if p.played == 0:
        sets_boundary(x, p.turn, p.left, p.broken)
    else:
        sets_play(x, p.turn, p.played, p.led, p.trick, p.best, p.best_seat, p.banked, p.left, p.broken)
