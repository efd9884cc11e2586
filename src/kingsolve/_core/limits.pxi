# What may stop a search, shared by all of them.

cdef enum:
    # Nodes between looks at the clock and the cancel flag. A node takes 40 ns in endings and up to 3 us in hard
    # 52-card deals, so a limit is overrun by 1.5 ms at most; the look itself is 30 ns, a thousandth of the time.
    CHECK_EVERY = 1 << 9
    # Nodes between looks at pending signals: these take the interpreter's lock, for which other threads wait.
    SIGNALS_EVERY = 1 << 16
    RUNNING = 0
    OUT_OF_NODES = 1
    OUT_OF_TIME = 2
    INTERRUPTED = 3
    OUT_OF_MEMORY = 4

raised = []  # by a signal's handler, until the search that it stopped has ended

# A node is a card played.
cdef struct limits_t:
    uint64_t nodes                  # 8  played so far
    uint64_t hits                   # 8  positions between tricks that what is stored answered
    uint64_t expansions             # 8  and those that had to be searched
    uint64_t limit                  # 8  the most that may be played
    uint64_t check_at               # 8  when to look at the clock again
    uint64_t signals_at             # 8  and when at signals
    double deadline                 # 8  of the monotonic clock, in seconds
    int32_t* cancel                 # 8  another thread's wish that it stop, or NULL
    int stop                        # 4  why the search is stopping, RUNNING while it is not


cdef double now() noexcept nogil:
    cdef timespec time
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec + time.tv_nsec * 1e-9


cdef int start_limits(limits_t* limits, uint64_t nodes, double seconds, int32_t* cancel) noexcept nogil:
    """At most `nodes` more cards and `seconds` more (0: no limit), until `cancel` is set (NULL: never)."""
    limits.nodes = limits.hits = limits.expansions = 0
    limits.limit = nodes if nodes else <uint64_t>-1
    limits.deadline = now() + seconds if seconds > 0 else 0
    limits.check_at = min(limits.limit, <uint64_t>CHECK_EVERY)
    limits.signals_at = SIGNALS_EVERY
    limits.cancel = cancel
    limits.stop = RUNNING
    return 0


cdef int look_at_signals(limits_t* limits) noexcept nogil:
    """Runs the handlers of pending signals, which reach the main thread only; one that raises stops the search."""
    with gil:
        try:
            PyErr_CheckSignals()
        except BaseException as error:
            raised.append(error)
            limits.stop = INTERRUPTED
    return 0


cdef object interruption():
    """What to raise for a search that was interrupted: what a signal's handler raised, here in the main thread, or
    KeyboardInterrupt for another thread's wish."""
    if raised and current_thread() is main_thread():
        return raised.pop()
    return KeyboardInterrupt()


cdef int poll(limits_t* limits) noexcept nogil:
    """Looks at the node limit, the clock and the cancel flag, and now and then at pending signals."""
    if limits.nodes >= limits.limit:
        limits.stop = OUT_OF_NODES
    elif limits.deadline and now() > limits.deadline:
        limits.stop = OUT_OF_TIME
    elif limits.cancel != NULL and limits.cancel[0]:
        limits.stop = INTERRUPTED
    elif limits.nodes >= limits.signals_at:
        limits.signals_at = limits.nodes + SIGNALS_EVERY
        look_at_signals(limits)
    limits.check_at = min(limits.limit, limits.nodes + CHECK_EVERY)
    return 0


cdef inline bint count_node(limits_t* limits) noexcept nogil:
    """Counts a card played; whether the search has to stop."""
    limits.nodes += 1
    if limits.nodes >= limits.check_at:
        poll(limits)
    return limits.stop != 0
