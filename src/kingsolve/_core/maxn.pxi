# Max^n: every seat plays for its own points; of equal cards a stated tie rule picks one (docs/solver.md).
#
# Memoised at trick boundaries. The value of a position under a tie rule that only looks at relative ranks is a
# function of the key, so the table may forget but never lie.

cdef enum:
    GROUP = 4                       # entries that share a place in the table
    FEWEST_GROUPS = 1 << 6          # in use when a search begins

cdef struct vector_t:
    int32_t seat[SEATS]             # 16 units of each seat

# The last seat's units follow from the sum, so they are not kept.
cdef struct vector_entry_t:
    key_t key                       # 24
    int16_t units[SEATS - 1]        # 6
    uint16_t generation             # 2  entries of another generation count as empty

cdef struct maxn_t:
    game_t* g                       # 8
    limits_t limits                 # 72
    uint64_t hand[SEATS]            # 32
    uint64_t in_play                # 8  all cards in play when the trick began
    codes_t codes                   # 16 of those
    int32_t plus                    # 4  units on scoring cards in play: the positive
    int32_t minus                   # 4  and the negative
    bint only_gains                 # 4  nothing that scores is negative
    bint spiteful                   # 4  among equal cards the one that costs the next seats most
    vector_entry_t* table                  # 8
    uint64_t mask                   # 8  number of groups of entries in use, less one
    uint64_t last                   # 8  number of groups that there is room for, less one
    uint64_t used                   # 8  entries of this generation
    uint16_t generation             # 2


cdef inline bint recall(const maxn_t* x, const key_t* key, int left, vector_t* out) noexcept nogil:
    cdef const vector_entry_t* group = &x.table[GROUP * (hash_key(key) & x.mask)]
    cdef int i, seat
    for i in range(GROUP):
        if group[i].generation == x.generation and same_key(&group[i].key, key):
            out.seat[SEATS - 1] = x.plus + x.minus + x.g.gains[left] + x.g.losses[left]
            for seat in range(SEATS - 1):
                out.seat[seat] = group[i].units[seat]
                out.seat[SEATS - 1] -= out.seat[seat]
            return True
    return False


cdef inline int cards_in(const key_t* key) noexcept nogil:
    """Twice the number of cards in a key, from where the leading ones of its four suits stand."""
    return (
        252 - clz(key.word[0] & 0x7FFFFFF) - clz(key.word[0] >> 27 & 0x7FFFFFF)
        - clz(key.word[1] & 0x7FFFFFF) - clz(key.word[1] >> 27 & 0x7FFFFFF)
    )


cdef inline void keep(maxn_t* x, const key_t* key, const vector_t* value) noexcept nogil:
    """Takes an empty place of the group, else that of the entry with fewest cards."""
    cdef vector_entry_t* group = &x.table[GROUP * (hash_key(key) & x.mask)]
    cdef vector_entry_t* entry = group
    cdef int i, seat
    for i in range(GROUP):
        if group[i].generation != x.generation:
            entry = &group[i]
            x.used += 1
            break
        if cards_in(&group[i].key) < cards_in(&entry.key):
            entry = &group[i]
    entry.key = key[0]
    entry.generation = x.generation
    for seat in range(SEATS - 1):
        entry.units[seat] = <int16_t>value.seat[seat]
    if x.used > x.mask and x.mask < x.last:
        spread(x)


cdef void spread(maxn_t* x) noexcept nogil:
    """Puts twice as many groups in use: an entry stays or moves up by as many as there were. So a small search keeps
    to a small part of the table, which the processor's caches hold."""
    cdef uint64_t i, more = x.mask + 1
    cdef vector_entry_t* low
    cdef vector_entry_t* high
    cdef int j
    x.mask += more
    for i in range(more):
        low = &x.table[GROUP * i]
        high = &x.table[GROUP * (i + more)]
        for j in range(GROUP):
            if low[j].generation == x.generation and hash_key(&low[j].key) & more:
                high[j] = low[j]
                low[j].generation -= 1
            else:
                high[j].generation = x.generation - 1


cdef inline uint64_t maxn_hands(const maxn_t* x) noexcept nogil:
    return x.hand[0] | x.hand[1] | x.hand[2] | x.hand[3]


cdef vector_t maxn_boundary(maxn_t* x, int leader, int left, bint broken) noexcept nogil:
    """The units to come of every seat when `leader` is about to lead with `left` tricks left."""
    cdef vector_t value
    cdef key_t key
    cdef int seat
    for seat in range(SEATS):
        value.seat[seat] = 0
    if maxn_over(x, left):
        return value
    if x.only_gains and runs_all(x.g, x.hand, leader):
        value.seat[leader] = x.plus + x.g.gains[left]
        return value
    if left == 1:
        value.seat[last_winner(x.g, x.hand, leader)] = x.plus + x.minus + x.g.place[1]
        return value
    make_key(&key, x.g, &x.codes, x.in_play, leader, broken)
    if recall(x, &key, left, &value):
        x.limits.hits += 1
        return value
    x.limits.expansions += 1
    value = maxn_play(x, leader, 0, 0, 0, -1, 0, 0, left, broken)
    if x.limits.stop == RUNNING:
        keep(x, &key, &value)
    return value


cdef inline int last_winner(const game_t* g, const uint64_t* hands, int leader) noexcept nogil:
    """Who takes the last trick, where nobody has a choice."""
    cdef int best = ctz(hands[leader]), winner = leader, seat = leader, i
    for i in range(1, g.contract.seats):
        seat = next_seat(g, seat)
        if beats(g, ctz(hands[seat]), best):
            best, winner = ctz(hands[seat]), seat
    return winner


cdef inline bint runs_all(const game_t* g, const uint64_t* hands, int leader) noexcept nogil:
    """Whether the leader's cards take every trick left, whatever the others play, led from the top of each suit. A bar
    on whole suits does not matter, since these can come last."""
    cdef uint64_t barred = hands[leader] & (g.contract.barred | g.contract.first_barred)
    cdef uint64_t lane, own, others = hands[0] | hands[1] | hands[2] | hands[3]
    cdef int suit, seat, longest
    others &= ~hands[leader]
    if g.trump & others:
        return False
    for suit in range(4):
        lane = <uint64_t>LANE << (16 * suit)
        own = hands[leader] & lane
        if own & barred and own & ~barred:
            return False
        if own == 0 or others & lane == 0:
            continue
        longest = 0
        for seat in range(SEATS):
            if seat != leader:
                longest = max(longest, popcount(hands[seat] & lane))
        own = over_all(own, others & lane)
        if popcount(own) < longest and own != hands[leader] & lane:
            return False
    return True


cdef inline bint maxn_over(const maxn_t* x, int left) noexcept nogil:
    cdef int i
    if x.g.gains[left] or x.g.losses[left]:
        return False
    for i in range(CLASSES):
        if x.g.contract.class_mask[i] & x.in_play:
            return False
    return True


cdef inline int in_card_order(const maxn_t* x, uint64_t moves, int* cards) noexcept nogil:
    """Writes `moves` in the order in which ties fall: most cards in play below it, then clubs to spades."""
    cdef int scores[16]
    cdef int n = 0, i, card, score
    while moves:
        card = ctz(moves)
        moves &= moves - 1
        score = 4 * popcount(x.in_play & below(card)) + 3 - (card >> 4)
        i = n
        while i > 0 and scores[i - 1] < score:
            scores[i] = scores[i - 1]
            cards[i] = cards[i - 1]
            i -= 1
        scores[i] = score
        cards[i] = card
        n += 1
    return n


cdef inline bint better(const maxn_t* x, int seat, const vector_t* a, const vector_t* b) noexcept nogil:
    """Whether the seat to play takes `a` although `b` comes first in card order."""
    cdef int other = seat
    if a.seat[seat] != b.seat[seat] or not x.spiteful:
        return a.seat[seat] > b.seat[seat]
    while True:
        other = next_seat(x.g, other)
        if other == seat:
            return False
        if a.seat[other] != b.seat[other]:
            return a.seat[other] < b.seat[other]


cdef vector_t maxn_play(maxn_t* x, int seat, int played, uint64_t led, uint64_t trick, int best, int best_seat,
                   int banked, int left, bint broken) noexcept nogil:
    """The same in mid-trick, `seat` to play; the trick in progress counts as still to come."""
    cdef const game_t* g = x.g
    cdef uint64_t hand = x.hand[seat], moves, others
    cdef int cards[16]
    cdef int n, i, card, most
    cdef vector_t value, chosen
    moves = legal(g, hand, led, trick, left == g.contract.hand_size, broken)
    if moves & (moves - 1):
        others = maxn_hands(x) & ~hand
        if best >= 0:
            others |= bit_of(best)
            if g.contract.forced_under and trick & led:
                others |= bit_of(top(trick & led))
        moves = distinct(g, moves, hand, others)
    n = in_card_order(x, moves, cards)
    for i in range(n):
        card = cards[i]
        if i:
            # The card can bring no more than all that is positive, less the trick where it gives that away. Of equals
            # the first is taken.
            most = x.plus + g.gains[left]
            if x.only_gains and best >= 0 and not beats(g, card, best):
                most -= banked + g.card[card] + g.place[left]
            if most < chosen.seat[seat] + (not x.spiteful):
                continue
        if count_node(&x.limits):
            break
        x.hand[seat] = hand ^ bit_of(card)
        value = maxn_after(x, card, seat, played, led, trick, best, best_seat, banked, left, broken)
        x.hand[seat] = hand
        if x.limits.stop:
            break
        if i == 0 or better(x, seat, &value, &chosen):
            chosen = value
    return chosen


cdef inline vector_t maxn_after(maxn_t* x, int card, int seat, int played, uint64_t led, uint64_t trick, int best,
                           int best_seat, int banked, int left, bint broken) noexcept nogil:
    """The value once `seat` has played `card`, which has left the hand."""
    if best < 0:
        led, best, best_seat = lane_of(card), card, seat
    elif beats(x.g, card, best):
        best, best_seat = card, seat
    trick |= bit_of(card)
    banked += x.g.card[card]
    broken |= x.g.contract.barred >> card & 1
    if played + 1 < x.g.contract.seats:
        return maxn_play(x, next_seat(x.g, seat), played + 1, led, trick, best, best_seat, banked, left, broken)
    return maxn_close(x, trick, best_seat, banked + x.g.place[left], left, broken)


cdef vector_t maxn_close(maxn_t* x, uint64_t trick, int winner, int units, int left, bint broken) noexcept nogil:
    """The value when a full trick worth `units` has gone to `winner`."""
    cdef codes_t codes = x.codes
    cdef uint64_t in_play = x.in_play, cards = trick
    cdef int plus = x.plus, minus = x.minus, card
    cdef vector_t value
    while cards:
        card = ctz(cards)
        cards &= cards - 1
        remove(&x.codes, x.in_play, card)
        x.in_play ^= bit_of(card)
        x.plus -= max(x.g.card[card], 0)
        x.minus -= min(x.g.card[card], 0)
    value = maxn_boundary(x, winner, left - 1, broken)
    value.seat[winner] += units
    x.codes = codes
    x.in_play = in_play
    x.plus, x.minus = plus, minus
    return value


cdef bint gains_only(const contract_t* c) noexcept nogil:
    """Whether nothing that scores is negative."""
    cdef int i
    for i in range(CLASSES):
        if c.class_mask[i] and c.class_points[i] < 0:
            return False
    for i in range(c.hand_size):
        if c.trick_points[i] < 0:
            return False
    return True


cdef class MaxN:
    """A context for max^n: one table of vectors, for one thread at a time."""

    cdef maxn_t x
    cdef game_t game

    def __cinit__(self, size_t table_bytes):
        """A table of at most `table_bytes` (rounded down to a power of two of groups, at least one)."""
        cdef size_t groups = 1
        while groups * 2 * GROUP * sizeof(vector_entry_t) <= table_bytes:
            groups *= 2
        self.x.table = <vector_entry_t*>calloc(groups, GROUP * sizeof(vector_entry_t))
        if self.x.table == NULL:
            msg = f"no memory for a table of {table_bytes} bytes"
            raise MemoryError(msg)
        self.x.last = groups - 1
        self.x.g = &self.game

    def __dealloc__(self):
        free(self.x.table)

    def begin(self, record, bint spiteful):
        """A new contract and tie rule: card-order, or spiteful before it."""
        cdef contract_t contract
        read_contract(&contract, record)
        prepare(&self.game, &contract)
        self.x.spiteful = spiteful
        self.x.only_gains = gains_only(&contract)
        self.x.used = 0
        self.x.mask = min(self.x.last, <uint64_t>FEWEST_GROUPS - 1)
        self.x.generation += 1
        if self.x.generation == 0:
            memset(self.x.table, 0, (self.x.last + 1) * GROUP * sizeof(vector_entry_t))
            self.x.generation = 1

    @property
    def counts(self):
        """Of the last `value`: (positions between tricks that what is stored answered, those that were searched)."""
        return self.x.limits.hits, self.x.limits.expansions

    def value(self, const uint64_t[::1] hands, int leader, const int32_t[::1] trick, bint broken,
              uint64_t nodes=0, double seconds=0, int32_t[::1] cancel=None):
        """(points of each seat to come, nodes, stop) from a position, seats in the order of play; stop 0: solved."""
        cdef position_t p
        cdef vector_t value
        set_up(&p, &self.game, &hands[0], leader, &trick[0] if trick.shape[0] else NULL, <int>trick.shape[0], broken)
        start_limits(&self.x.limits, nodes, seconds, NULL if cancel is None else &cancel[0])
        with nogil:
            value = maxn_solve(&self.x, &p)
        if self.x.limits.stop == INTERRUPTED:
            raise interruption()
        points = tuple(value.seat[i] * self.game.unit for i in range(self.game.contract.seats))
        return points, self.x.limits.nodes, self.x.limits.stop


cdef vector_t maxn_solve(maxn_t* x, const position_t* p) noexcept nogil:
    cdef uint64_t whole[SEATS]
    cdef uint64_t cards
    cdef int seat, card
    for seat in range(SEATS):
        x.hand[seat] = whole[seat] = p.hand[seat]
    whole[0] |= p.trick  # who held a card of the trick does not matter: it goes before the next key is made
    encode(&x.codes, whole, SEATS)
    x.in_play = cards = in_hands(p) | p.trick
    x.plus = x.minus = 0
    while cards:
        card = ctz(cards)
        cards &= cards - 1
        x.plus += max(x.g.card[card], 0)
        x.minus += min(x.g.card[card], 0)
    if p.played == 0:
        return maxn_boundary(x, p.turn, p.left, p.broken)
    return maxn_play(x, p.turn, p.played, p.led, p.trick, p.best, p.best_seat, p.banked, p.left, p.broken)
