"""What a side can force: alpha-beta with zero windows over a table of bounds, and the limits all searches share.

Values are units of points still to come to the side. A result at or above the tested bound is a lower bound, one below
it an upper bound (fail-soft). docs/solver.md walks through the algorithm.
"""

from libc.stdlib cimport calloc, free
from libc.string cimport memset
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

from cpython.exc cimport PyErr_CheckSignals

from kingsolve._core.ordering cimport order_cards, view_t
from kingsolve._core.rules cimport *

cdef enum:
    FAR = 1 << 29
    CHECK_EVERY = 1 << 16           # nodes between looks at the clock: some milliseconds


cdef double now() noexcept nogil:
    cdef timespec time
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec + time.tv_nsec * 1e-9


cdef int start_limits(limits_t* limits, uint64_t nodes, double seconds, int32_t* cancel) noexcept nogil:
    """At most `nodes` more cards (0: no limit) and `seconds` more (0: no limit), until `cancel` is set (NULL: never)."""
    limits.nodes = 0
    limits.limit = nodes if nodes else <uint64_t>-1
    limits.deadline = now() + seconds if seconds > 0 else 0
    limits.check_at = min(limits.limit, <uint64_t>CHECK_EVERY)
    limits.cancel = cancel
    limits.stop = RUNNING
    return 0


cdef int poll(limits_t* limits) noexcept nogil:
    """Looks at the node limit, the clock, the cancel flag and pending signals (which reach the main thread only)."""
    if limits.nodes >= limits.limit:
        limits.stop = OUT_OF_NODES
    elif limits.deadline and now() > limits.deadline:
        limits.stop = OUT_OF_TIME
    elif limits.cancel != NULL and limits.cancel[0]:
        limits.stop = INTERRUPTED
    else:
        with gil:
            try:
                PyErr_CheckSignals()
            except BaseException:
                limits.stop = INTERRUPTED
    limits.check_at = min(limits.limit, limits.nodes + CHECK_EVERY)
    return 0


cdef inline entry_t* slot(const search_t* x, const key_t* key) noexcept nogil:
    return &x.table[2 * (hash_key(key) & x.mask)]


cdef inline entry_t* probe(search_t* x, const key_t* key) noexcept nogil:
    """The entry of `key`, or NULL."""
    cdef entry_t* entry = slot(x, key)
    cdef int i
    for i in range(2):
        if entry[i].generation == x.generation and same_key(&entry[i].key, key):
            return &entry[i]
    return NULL


cdef inline void store(search_t* x, const key_t* key, int left, int value, int bound, int low, int high) noexcept nogil:
    """Keeps what a search with `bound` showed. Of the pair's two places the first keeps the entry with more tricks left,
    the second always takes the newest of the others."""
    cdef entry_t* pair = slot(x, key)
    cdef entry_t* entry = NULL
    cdef int i
    for i in range(2):
        if pair[i].generation == x.generation and same_key(&pair[i].key, key):
            entry = &pair[i]
    if entry == NULL:
        if pair[0].generation != x.generation:
            entry = &pair[0]
        elif pair[1].generation != x.generation:
            entry = &pair[1]
        elif pair[0].left <= left:
            pair[1] = pair[0]
            entry = &pair[0]
        else:
            entry = &pair[1]
        entry.key = key[0]
        entry.generation = x.generation
        entry.left = <uint16_t>left
        entry.low = <int16_t>low
        entry.high = <int16_t>high
    if value >= bound:
        entry.low = <int16_t>max(<int>entry.low, value)
    else:
        entry.high = <int16_t>min(<int>entry.high, value)
    check(entry.low <= entry.high)


cdef int boundary(search_t* x, int leader, int left, bint broken, int bound) noexcept nogil:
    """The side's units to come when `leader` is about to lead with `left` tricks left: a bound on the side of `bound`
    where the truth lies."""
    cdef int high = x.plus + x.g.gains[left], low = x.minus + x.g.losses[left], value
    cdef key_t key
    cdef entry_t* entry
    if high < bound or high == low:
        return high
    if low >= bound:
        return low
    if left == 1:
        return play(x, leader, 0, 0, 0, -1, 0, 0, left, broken, bound)
    make_key(&key, x.g, &x.codes, x.all_hands, leader, broken)
    x.probes += 1
    entry = probe(x, &key)
    if entry != NULL:
        if entry.low >= bound:
            x.hits += 1
            return entry.low
        if entry.high < bound:
            x.hits += 1
            return entry.high
    value = play(x, leader, 0, 0, 0, -1, 0, 0, left, broken, bound)
    if x.limits.stop == RUNNING:
        store(x, &key, left, value, bound, low, high)
    return value


cdef int play(search_t* x, int seat, int played, uint64_t led, uint64_t trick, int best, int best_seat,
              int banked, int left, bint broken, int bound) noexcept nogil:
    """The same in mid-trick, `seat` to play; the units of the trick in progress count as still to come."""
    cdef const game_t* g = x.g
    cdef uint64_t hand = x.hand[seat], moves, others
    cdef int cards[16]
    cdef int n, i, card, value, result
    cdef view_t view
    moves = legal(g, hand, led, trick, left == g.contract.hand_size, broken)
    if moves & (moves - 1):
        others = x.all_hands & ~hand
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
    result = -FAR if x.raises[seat] else FAR
    for i in range(n):
        card = cards[i]
        if count_node(&x.limits):
            return 0
        x.hand[seat] = hand ^ bit_of(card)
        x.all_hands ^= bit_of(card)
        value = after(x, card, seat, played, led, trick, best, best_seat, banked, left, broken, bound)
        x.hand[seat] = hand
        x.all_hands |= bit_of(card)
        if x.limits.stop:
            return 0
        if x.raises[seat]:
            result = max(result, value)
            if result >= bound:
                break
        else:
            result = min(result, value)
            if result < bound:
                break
    return result


cdef inline int after(search_t* x, int card, int seat, int played, uint64_t led, uint64_t trick, int best, int best_seat,
                      int banked, int left, bint broken, int bound) noexcept nogil:
    """The value once `seat` has played `card`, which has left the hand."""
    if best < 0:
        led, best, best_seat = lane_of(card), card, seat
    elif beats(x.g, card, best):
        best, best_seat = card, seat
    trick |= bit_of(card)
    banked += x.g.card[card]
    broken |= x.g.contract.barred >> card & 1
    if played + 1 < x.g.contract.seats:
        return play(x, next_seat(x.g, seat), played + 1, led, trick, best, best_seat, banked, left, broken, bound)
    return close_trick(x, trick, best_seat, banked + x.g.place[left], left, broken, bound)


cdef int close_trick(search_t* x, uint64_t trick, int winner, int units, int left, bint broken,
                     int bound) noexcept nogil:
    """The value when a full trick worth `units` has gone to `winner`."""
    cdef int gain = units if x.scores[winner] else 0
    cdef int plus = x.plus, minus = x.minus, card, value
    cdef codes_t codes = x.codes
    cdef uint64_t in_play = x.all_hands | trick, cards = trick
    while cards:
        card = ctz(cards)
        cards &= cards - 1
        remove(&x.codes, in_play, card)
        in_play ^= bit_of(card)
        x.plus -= max(x.g.card[card], 0)
        x.minus -= min(x.g.card[card], 0)
    value = gain + boundary(x, winner, left - 1, broken, bound - gain)
    x.codes = codes
    x.plus, x.minus = plus, minus
    return value


cdef class Search:
    """A solver context: one table of bounds, for one thread at a time.

    `begin` names the contract and the side; `value` may then be asked for any position of one deal, and keeps what
    it finds. The next `begin` leaves nothing behind that could be seen.
    """

    cdef search_t x
    cdef game_t game

    def __cinit__(self, size_t table_bytes):
        """A table of at most `table_bytes` (rounded down to a power of two of entries, at least two)."""
        cdef size_t pairs = 1
        while pairs * 2 * 2 * sizeof(entry_t) <= table_bytes:
            pairs *= 2
        self.x.table = <entry_t*>calloc(pairs, 2 * sizeof(entry_t))
        if self.x.table == NULL:
            msg = f"no memory for a table of {table_bytes} bytes"
            raise MemoryError(msg)
        self.x.mask = pairs - 1
        self.x.g = &self.game

    def __dealloc__(self):
        free(self.x.table)

    def begin(self, record, int scores, int raises):
        """A new contract and side: bit sets of the seats whose points count and of those that play for more."""
        cdef contract_t contract
        cdef int seat
        read_contract(&contract, record)
        prepare(&self.game, &contract)
        for seat in range(SEATS):
            self.x.scores[seat] = scores >> seat & 1
            self.x.raises[seat] = raises >> seat & 1
        self.x.generation += 1
        if self.x.generation == 0:
            memset(self.x.table, 0, (self.x.mask + 1) * 2 * sizeof(entry_t))
            self.x.generation = 1

    def value(self, const uint64_t[::1] hands, int leader, const int32_t[::1] trick, bint broken,
              uint64_t nodes=0, double seconds=0, int32_t[::1] cancel=None):
        """(low, high, nodes, stop): the bounds on the points to come, equal when solved; why it stopped, 0 if solved.

        `hands` are the present hands in order of play, `trick` the cards lying; nodes and seconds limit the search,
        0 not at all. KeyboardInterrupt passes through.
        """
        cdef position_t p
        cdef int low, high, unit = self.game.unit
        set_up(&p, &self.game, &hands[0], leader, &trick[0] if trick.shape[0] else NULL, <int>trick.shape[0], broken)
        start_limits(&self.x.limits, nodes, seconds, NULL if cancel is None else &cancel[0])
        with nogil:
            solve(&self.x, &p, &low, &high)
        if self.x.limits.stop == INTERRUPTED:
            raise KeyboardInterrupt
        return low * unit, high * unit, self.x.limits.nodes, self.x.limits.stop

    @property
    def probes(self):
        """(probes, hits) of the table since the context was made."""
        return self.x.probes, self.x.hits


cdef void solve(search_t* x, const position_t* p, int* low_out, int* high_out) noexcept nogil:
    """Closes in on the value by zero windows, each new one at what the last has shown."""
    cdef game_t* g = x.g
    cdef uint64_t whole[SEATS]
    cdef uint64_t left = p.trick
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
        value = play(x, p.turn, p.played, p.led, p.trick, p.best, p.best_seat, p.banked, p.left, p.broken, bound)
        if x.limits.stop:
            break
        if value >= bound:
            low = max(low, value)
            bound = low + 1
        else:
            high = min(high, value)
            bound = high
    low_out[0], high_out[0] = low, high
