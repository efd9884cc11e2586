"""The alpha-beta search of one side against the field: its table, its limits, its state."""

from kingsolve._core.rules cimport *

cdef enum:
    RUNNING = 0
    OUT_OF_NODES = 1
    OUT_OF_TIME = 2
    INTERRUPTED = 3
    OUT_OF_MEMORY = 4

# What may stop a search. A node is a card played.
cdef struct limits_t:
    uint64_t nodes                  # 8  played so far
    uint64_t limit                  # 8  the most that may be played
    uint64_t check_at               # 8  when to look at the clock and at signals again
    double deadline                 # 8  of the monotonic clock, in seconds
    int32_t* cancel                 # 8  another thread's wish that it stop, or NULL
    int stop                        # 4  why the search is stopping, RUNNING while it is not

cdef int start_limits(limits_t* limits, uint64_t nodes, double seconds, int32_t* cancel) noexcept nogil
cdef int poll(limits_t* limits) noexcept nogil

cdef inline bint count_node(limits_t* limits) noexcept nogil:
    """Counts a card played; whether the search has to stop."""
    limits.nodes += 1
    if limits.nodes >= limits.check_at:
        poll(limits)
    return limits.stop != 0

# Bounds on the points to come of the side, in units, at a trick boundary.
cdef struct entry_t:
    key_t key                       # 24
    int16_t low                     # 2
    int16_t high                    # 2
    uint16_t generation             # 2  entries of another generation count as empty
    uint16_t left                   # 2  tricks left: the larger, the dearer to lose

cdef struct search_t:
    game_t* g                       # 8
    limits_t limits                 # 48
    uint64_t hand[SEATS]            # 32
    uint64_t all_hands              # 8
    codes_t codes                   # 16 of the cards in play when the trick began
    int32_t plus                    # 4  units on scoring cards in play: the positive
    int32_t minus                   # 4  and the negative
    uint8_t scores[SEATS]           # 4  whether points of this seat count
    uint8_t raises[SEATS]           # 4  whether this seat plays for more of them
    entry_t* table                  # 8
    uint64_t mask                   # 8  number of pairs of entries, less one
    uint16_t generation             # 2
    uint64_t probes                 # 8
    uint64_t hits                   # 8
