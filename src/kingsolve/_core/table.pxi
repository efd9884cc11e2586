# The table of the two-sided searches: bounds on the value to come at trick boundaries.

cdef struct entry_t:
    key_t key                       # 24
    int16_t low                     # 2  units
    int16_t high                    # 2
    uint16_t generation             # 2  entries of another generation count as empty
    uint16_t left                   # 2  tricks left: the larger, the dearer to lose

cdef struct table_t:
    entry_t* entries                # 8
    uint64_t mask                   # 8  number of pairs of entries, less one
    uint16_t generation             # 2


cdef int make_table(table_t* table, size_t bytes_) except -1:
    """A table of at most that size, rounded down to a power of two of entries, at least two."""
    cdef size_t pairs = 1
    while pairs * 2 * 2 * sizeof(entry_t) <= bytes_:
        pairs *= 2
    table.entries = <entry_t*>calloc(pairs, 2 * sizeof(entry_t))
    if table.entries == NULL:
        msg = f"no memory for a table of {bytes_} bytes"
        raise MemoryError(msg)
    table.mask = pairs - 1
    table.generation = 0
    return 0


cdef void next_generation(table_t* table) noexcept nogil:
    """Makes every entry count as empty; clears the table when the generations have been used up."""
    table.generation += 1
    if table.generation == 0:
        table.generation = 1
        if table.entries != NULL:
            memset(table.entries, 0, (table.mask + 1) * 2 * sizeof(entry_t))


cdef inline entry_t* probe(const table_t* table, const key_t* key) noexcept nogil:
    """The entry of `key`, or NULL."""
    cdef entry_t* pair = &table.entries[2 * (hash_key(key) & table.mask)]
    if pair[0].generation == table.generation and same_key(&pair[0].key, key):
        return &pair[0]
    if pair[1].generation == table.generation and same_key(&pair[1].key, key):
        return &pair[1]
    return NULL


cdef inline void store(table_t* table, const key_t* key, int left, int value, int bound, int low,
                       int high) noexcept nogil:
    """Keeps what a search with `bound` showed; `low` and `high` hold without any search. Of the pair's two places
    the first keeps the entry with more tricks left, the second takes the newest of the others."""
    cdef entry_t* pair = &table.entries[2 * (hash_key(key) & table.mask)]
    cdef entry_t* entry = probe(table, key)
    if entry == NULL:
        entry = &pair[1]
        if pair[0].generation != table.generation:
            entry = &pair[0]
        elif pair[0].left <= left:
            pair[1] = pair[0]
            entry = &pair[0]
        entry.key = key[0]
        entry.generation = table.generation
        entry.left = <uint16_t>left
        entry.low = <int16_t>low
        entry.high = <int16_t>high
    if value >= bound:
        entry.low = <int16_t>max(<int>entry.low, value)
    else:
        entry.high = <int16_t>min(<int>entry.high, value)
    check(entry.low <= entry.high)
