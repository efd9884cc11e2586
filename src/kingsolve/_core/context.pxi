# The solver context: the searches for a side's value and what they remember. What Python sees of guarantees.
#
# Which search serves which side: the avoider's (avoid.pxi) one seat against all others, or all others against one, in
# contracts of penalties; the takers' (take.pxi) any side where all tricks count alike; the general one (search.pxi) the
# rest, best cases too. All keep patterns (patterns.pxi); the table of bounds (table.pxi) serves contracts of 128 units
# and more, which no variant ships, and the plain search of tests.

cdef enum:
    ANY_SIDE = 0                    # search.pxi
    AVOIDER = 1                     # avoid.pxi, the side is the avoider
    AVOIDERS_FIELD = 2              # avoid.pxi, the side is everybody else
    TAKERS = 3                      # take.pxi

cdef struct context_t:
    game_t game
    table_t table
    limits_t limits
    search_t search
    avoid_t avoid
    patterns_t patterns
    take_t take
    int kind                        # which search serves the side


cdef bint only_penalties(const contract_t* c) noexcept nogil:
    """Whether the avoider's bounds hold: nothing to gain, no trumps, nothing special on the first trick."""
    cdef int i
    if c.trump >= 0 or c.first_barred or c.beat_trump or c.void_trump:
        return False
    for i in range(CLASSES):
        if c.class_mask[i] and c.class_points[i] > 0:
            return False
    for i in range(c.hand_size):
        if c.trick_points[i] > 0:
            return False
    return True


cdef bint only_tricks(const contract_t* c) noexcept nogil:
    """Whether all tricks count alike, more is better and nothing else counts."""
    cdef int i
    for i in range(CLASSES):
        if c.class_mask[i] and c.class_points[i]:
            return False
    for i in range(c.hand_size):
        if c.trick_points[i] != c.trick_points[0]:
            return False
    return c.trick_points[0] > 0 and c.must_discard == 0 and c.forced_under == 0 and bars_whole_suits(c)


cdef bint bars_whole_suits(const contract_t* c) noexcept nogil:
    """Whether bars ask for nothing but a suit, as take.pxi supposes. A waiver's cards are where they were dealt as long
    as the bar stands, if any of them would break it; a first trick's bar makes nobody throw a winner or ruff a
    friend's, if it holds trumps only."""
    cdef int suit
    cdef uint64_t lane
    for suit in range(4):
        lane = c.pack & <uint64_t>LANE << (16 * suit)
        if c.barred & lane and c.barred & lane != lane:
            return False
        if c.first_barred & lane and (suit != c.trump or c.first_barred & lane != lane):
            return False
    return c.waiver == 0 or (c.until_broken and c.waiver & ~c.barred == 0)


cdef int units_to_win(const context_t* x) noexcept nogil:
    """The most units, of gain and of loss together, that a whole round may bring."""
    cdef int card, units = x.game.gains[x.game.contract.hand_size] - x.game.losses[x.game.contract.hand_size]
    for card in range(64):
        if x.game.contract.pack >> card & 1:
            units += max(x.game.card[card], -x.game.card[card])
    return units


cdef bint by_patterns(const context_t* x, bint plain) noexcept nogil:
    """Whether patterns serve the contract, whose bounds are a byte, and not the table."""
    return not plain and units_to_win(x) < 128


cdef int set_contract(context_t* x, const contract_t* contract) except -1 nogil:
    """Makes the contract ready, unless it is the last one again."""
    cdef int i
    if memcmp(contract, &x.game.contract, sizeof(contract_t)) == 0:
        return 0
    prepare(&x.game, contract)
    x.search.g = x.avoid.g = x.take.g = &x.game
    x.take.patterns = x.avoid.patterns = &x.patterns
    x.avoid.relaxing = False
    x.take.limits = &x.limits
    x.search.table = x.avoid.table = &x.table
    x.search.patterns = &x.patterns
    x.search.limits = x.avoid.limits = &x.limits
    for i in range(64):
        x.avoid.penalty[i] = -x.game.card[i]
    for i in range(PLACES + 1):
        x.avoid.place[i] = -x.game.place[i]
        x.avoid.tail[i] = -x.game.losses[i]
    x.avoid.weight = x.avoid.weights[order_class(contract)]
    x.avoid.pulled = contract.must_discard | contract.forced_under
    return 0


cdef void set_side(context_t* x, int scores, int raises, bint plain) noexcept nogil:
    """Chooses the search for the seats whose points count and those that play for more of them; forgets what was found.

    `plain` keeps to the search that serves any side and contract.
    """
    cdef int seat, everybody = (1 << x.game.contract.seats) - 1
    next_generation(&x.table)
    x.kind = ANY_SIDE
    if scores == raises and not plain and only_penalties(&x.game.contract):
        for seat in range(x.game.contract.seats):
            if scores == 1 << seat:
                x.kind, x.avoid.avoider = AVOIDER, seat
            elif scores == everybody ^ 1 << seat:
                x.kind, x.avoid.avoider = AVOIDERS_FIELD, seat
    if scores == raises and not plain and only_tricks(&x.game.contract):
        x.kind = TAKERS
    x.search.patterned = x.avoid.patterned = by_patterns(x, plain)
    forget_patterns(&x.patterns)
    for seat in range(SEATS):
        x.take.ours[seat] = scores >> seat & 1
        x.search.scores[seat] = scores >> seat & 1
        x.search.raises[seat] = raises >> seat & 1


cdef void find_value(context_t* x, const position_t* p, int* low, int* high) noexcept nogil:
    """Bounds on the side's points to come, equal unless the limits ended the search."""
    cdef int total, least, most
    if x.kind == ANY_SIDE:
        side_solve(&x.search, p, &least, &most)
        low[0], high[0] = least * x.game.unit, most * x.game.unit
        return
    if x.kind == TAKERS:
        take_solve(&x.take, p, &least, &most)
        low[0], high[0] = least * x.game.unit, most * x.game.unit
        return
    avoid_solve(&x.avoid, p, &least, &most)
    if x.kind == AVOIDER:
        low[0], high[0] = -most * x.game.unit, -least * x.game.unit
        return
    total = points_to_come(&x.game, p)
    low[0], high[0] = (total + least) * x.game.unit, (total + most) * x.game.unit


cdef int points_to_come(const game_t* g, const position_t* p) noexcept nogil:
    """All units still to come, to whomever."""
    cdef uint64_t left = in_hands(p) | p.trick
    cdef int units = g.gains[p.left] + g.losses[p.left]
    while left:
        units += g.card[ctz(left)]
        left &= left - 1
    return units


cdef int put_weights(int* weights, int count, values) except -1:
    """Copies the weights of an ordering."""
    cdef int i
    if len(values) != count:
        msg = f"expected {count} weights, got {len(values)}"
        raise ValueError(msg)
    for i in range(count):
        weights[i] = values[i]
    return 0


cdef class Context:
    """A solver context, for one thread at a time.

    `begin` names the contract and the side; `value` may then be asked for any position of one deal, and keeps what
    it finds. The next `begin` leaves nothing behind that could be seen.
    """

    cdef context_t x
    cdef size_t bytes_

    def __cinit__(self, size_t table_bytes):
        """At most `table_bytes` for patterns, or for a table where that serves."""
        cdef int i
        self.bytes_ = table_bytes
        make_patterns(&self.x.patterns, table_bytes)
        memcpy(&self.x.avoid.weights, &DEFAULT_WEIGHTS, sizeof(DEFAULT_WEIGHTS))
        self.x.avoid.relax_from = 8
        for i in range(TAKE_WEIGHTS):
            self.x.take.weight[i] = DEFAULT_TAKE_WEIGHTS[i]
        for i in range(SIDE_WEIGHTS):
            self.x.search.weight[i] = DEFAULT_SIDE_WEIGHTS[i]

    def __dealloc__(self):
        free(self.x.table.entries)
        free_patterns(&self.x.patterns)

    cdef int make_room(self, bint patterned) except -1:
        """The memory for what is to serve next, that of the other given back."""
        if patterned and self.x.patterns.pool == NULL:
            free(self.x.table.entries)
            self.x.table.entries = NULL
            make_patterns(&self.x.patterns, self.bytes_)
        elif not patterned and self.x.table.entries == NULL:
            free_patterns(&self.x.patterns)
            make_table(&self.x.table, self.bytes_)
        return 0

    @property
    def weights(self):
        """The weights of the avoider's ordering, a list for each class of contract, for the tuner in benchmarks/."""
        return [[self.x.avoid.weights[i][j] for j in range(WEIGHTS)] for i in range(CLASSES_OF_ORDER)]

    @weights.setter
    def weights(self, values):
        if len(values) != CLASSES_OF_ORDER:
            msg = f"expected {CLASSES_OF_ORDER} lists of weights, got {len(values)}"
            raise ValueError(msg)
        for i in range(CLASSES_OF_ORDER):
            put_weights(self.x.avoid.weights[i], WEIGHTS, values[i])

    @property
    def take_weights(self):
        """The weights of the takers' ordering, likewise."""
        return [self.x.take.weight[i] for i in range(TAKE_WEIGHTS)]

    @take_weights.setter
    def take_weights(self, values):
        put_weights(self.x.take.weight, TAKE_WEIGHTS, values)

    @property
    def side_weights(self):
        """The weights of the general search's ordering, likewise."""
        return [self.x.search.weight[i] for i in range(SIDE_WEIGHTS)]

    @side_weights.setter
    def side_weights(self, values):
        put_weights(self.x.search.weight, SIDE_WEIGHTS, values)

    @property
    def counts(self):
        """Of the last `value`: (positions between tricks that what is stored answered, those that were searched)."""
        return self.x.limits.hits, self.x.limits.expansions

    @property
    def relax_from(self):
        """The fewest tricks left for which an avoider's relaxed game is solved first; tests make it 1."""
        return self.x.avoid.relax_from

    @relax_from.setter
    def relax_from(self, tricks):
        self.x.avoid.relax_from = tricks

    @property
    def search(self):
        """Which search serves the side that `begin` named, for tests: that of any side, the avoider's own, his field's,
        or the takers'."""
        return ("any side", "avoider", "field", "takers")[self.x.kind]

    def relaxed(self, const uint64_t[::1] hands, int leader, bint broken):
        """The loss in points, none negative, of the relaxed game of the avoider whom `begin` named: an upper bound."""
        cdef position_t p
        cdef trick_t t
        cdef int shown = FAR
        set_up(&p, &self.x.game, &hands[0], leader, NULL, 0, broken)
        start_limits(&self.x.limits, 0, 0, NULL)
        avoid_start(&self.x.avoid, &p, &t)
        return relaxed_loss(&self.x.avoid, &p, &t, &shown) * self.x.game.unit

    def patterns(self):
        """Every pattern stored since `begin`, for the audit: (key, crests, code, mask, low, high) with the bucket's key
        of lengths_key, the crests, and two words each of code and mask."""
        cdef patterns_t* table = &self.x.patterns
        cdef int32_t i, which, at
        cdef pattern_t* p
        found = []
        buckets = {}
        for i in range(table.buckets_used):
            which = table.buckets[i].shapes
            while which >= 0:
                buckets[which] = table.buckets[i].key, table.buckets[i].crests
                which = table.shapes[which].next
        for i in range(table.lists_used):
            at = table.lists[i].head
            while at >= 0:
                p = &table.pool[at]
                found.append((
                    *buckets[table.lists[i].shape], (p.code[0], p.code[1]), (p.mask[0], p.mask[1]), p.low, p.high,
                ))
                at = p.next
        return found

    def begin(self, record, int scores, int raises, bint plain=False):
        """A new contract and side: bit sets of the seats whose points count and of those that play for more.

        `plain` keeps to the search that serves any side and contract: what tests hold the others to.
        """
        cdef contract_t contract
        read_contract(&contract, record)
        set_contract(&self.x, &contract)
        self.make_room(by_patterns(&self.x, plain))
        set_side(&self.x, scores, raises, plain)

    def value(self, const uint64_t[::1] hands, int leader, const int32_t[::1] trick, bint broken,
              uint64_t nodes=0, double seconds=0, int32_t[::1] cancel=None):
        """(low, high, nodes, stop): the bounds on the points to come, equal when solved; why it stopped, 0 if solved.

        `hands` are the present hands in order of play, `trick` the cards lying; nodes and seconds limit the search,
        0 not at all. KeyboardInterrupt passes through, and is raised when another thread sets cancel[0].
        """
        cdef position_t p
        cdef int low, high
        set_up(&p, &self.x.game, &hands[0], leader, &trick[0] if trick.shape[0] else NULL, <int>trick.shape[0], broken)
        start_limits(&self.x.limits, nodes, seconds, NULL if cancel is None else &cancel[0])
        with nogil:
            find_value(&self.x, &p, &low, &high)
        if self.x.limits.stop == INTERRUPTED:
            raise interruption()
        return low, high, self.x.limits.nodes, self.x.limits.stop

    def values(self, record, const uint64_t[:, ::1] hands, const int8_t[::1] leaders, const int32_t[::1] sides,
               int16_t[:, ::1] low, int16_t[:, ::1] high, uint64_t[::1] nodes, uint64_t limit=0,
               int32_t[::1] cancel=None):
        """Fills low[i, j] and high[i, j] with the guarantee of side j in deal i, nodes[i] with the cards played for it.

        `limit` is for the nodes of each solve. Every solve starts from nothing, so that a deal's numbers are its own.
        """
        cdef contract_t contract
        cdef position_t p
        cdef Py_ssize_t i, j
        cdef int least, most
        cdef int32_t* flag = NULL if cancel is None else &cancel[0]
        read_contract(&contract, record)
        set_contract(&self.x, &contract)
        self.make_room(by_patterns(&self.x, False))
        with nogil:
            for i in range(hands.shape[0]):
                nodes[i] = 0
                for j in range(sides.shape[0]):
                    set_up(&p, &self.x.game, &hands[i, 0], leaders[i], NULL, 0, False)
                    set_side(&self.x, sides[j], sides[j], False)
                    start_limits(&self.x.limits, limit, 0, flag)
                    find_value(&self.x, &p, &least, &most)
                    low[i, j], high[i, j] = <int16_t>least, <int16_t>most
                    nodes[i] += self.x.limits.nodes
                    if self.x.limits.stop == INTERRUPTED:
                        break
                if self.x.limits.stop == INTERRUPTED:
                    break
        if self.x.limits.stop == INTERRUPTED:
            raise interruption()
