# One seat, the avoider, against the field in a contract of penalties without trumps: the least it can lose.
#
# The same search as search.pxi, seen from the other end: values are losses, units the avoider takes from here on,
# never negative. A bound asks whether the field can make it take that many; a result at or above it is a lower bound
# on the loss, one below an upper bound. What makes it fast are bounds that look at all four hands; each is proved in
# docs/solver.md, "Bounds for an avoider".

cdef enum:
    WEIGHTS = 77                    # of the ordering
    CLASSES_OF_ORDER = 5

cdef struct avoid_t:
    game_t* g                       # 8
    limits_t* limits                # 8
    uint64_t hand[SEATS]            # 32
    uint64_t all_hands              # 8
    codes_t codes                   # 16 of the cards in play when the trick began
    int32_t on_cards                # 4  penalty units on cards in play
    int32_t avoider                 # 4
    int32_t penalty[64]             # 256 units of each card, positive
    int32_t place[PLACES + 1]       # 56 units of the trick played when that many are left, positive
    int32_t tail[PLACES + 1]        # 56 sum of those of the last tricks
    uint64_t pulled                 # 8  cards a rule may take out of the avoider's hand at a time not his own choice
    int weights[CLASSES_OF_ORDER][WEIGHTS]  # 1540 of the ordering
    int* weight                     # 8  those of the contract's class
    table_t* table                  # 8
    patterns_t* patterns            # 8
    bint patterned                  # 4  values fit in patterns
    bint relaxing                   # 4  whether the game is the relaxed one, gaps.pxi
    bint relaxable                  # 4  whether the relaxed one is of use for the deal
    int relax_from                  # 4  tricks from which it is

# The trick in progress.
cdef struct trick_t:
    uint64_t led                    # 8  mask of the led suit
    uint64_t cards                  # 8
    int32_t best                    # 4  the card that takes it so far, -1 before the lead
    int32_t best_seat               # 4
    int32_t lying                   # 4  penalty units on its cards
    int32_t played                  # 4
    int32_t left                    # 4  tricks left, this one included
    bint broken                     # 4
    uint64_t walls                  # 8  what separates the field's cards in the relaxed game
    int32_t winners                 # 4  and the seats that may be deemed to win the trick there


cdef inline uint64_t at_mercy(uint64_t own, uint64_t asked) noexcept nogil:
    """The avoider's cards that a rule may pull from below others of his: of those that it asks for he chooses one, so
    what has no other card of the suit above it goes from the top."""
    cdef uint64_t held, free, found = 0
    cdef int suit
    for suit in range(4):
        held = own & <uint64_t>LANE << (16 * suit)
        free = held & ~asked
        if free:
            found |= held & asked & (bit_of(top(free)) - 1)
    return found


cdef inline bint clean(const avoid_t* x, uint64_t own, uint64_t others) noexcept nogil:
    """Whether a hand, not on lead, can never be made to take a trick: below each of its cards lie no more of the
    others' than of its own, not counting own cards that a rule may pull."""
    cdef uint64_t left = own, kept = own, lower
    if own & x.pulled:
        # Each rule for itself: what the other asks for may well lie above.
        kept = own & ~at_mercy(own, x.g.contract.must_discard) & ~at_mercy(own, x.g.contract.forced_under)
    while left:
        lower = below(top(left))
        if popcount(others & lower) > popcount(kept & lower):
            return False
        left ^= bit_of(top(left))
    return True


cdef inline uint64_t clean_cards(uint64_t own, uint64_t others) noexcept nogil:
    """What shows a hand clean: in each suit that it shares, the lowest card of the others; below it is only its own."""
    cdef uint64_t shown = 0, lane
    cdef int suit
    for suit in range(4):
        lane = <uint64_t>LANE << (16 * suit)
        if own & lane:
            shown |= lowest_of(others & lane)
    return shown


cdef inline bint clean_on_lead(const avoid_t* x, uint64_t own, uint64_t moves) noexcept nogil:
    """Whether the avoider on lead has a card that somebody must beat and that leaves a clean hand."""
    cdef uint64_t others = x.all_hands & ~own, lane
    cdef int card, seat
    while moves:
        card = ctz(moves)
        moves &= moves - 1
        lane = lane_of(card)
        for seat in range(x.g.contract.seats):
            if seat != x.avoider and x.hand[seat] & lane and not x.hand[seat] & below(card):
                if clean(x, own ^ bit_of(card), others):
                    return True
                break
    return False


cdef inline int dearest(const avoid_t* x, uint64_t cards) noexcept nogil:
    """The largest penalty among some cards."""
    cdef int best = 0, i
    cdef uint64_t scoring
    for i in range(CLASSES):
        if x.g.contract.class_mask[i] == 0:
            break
        scoring = cards & x.g.contract.class_mask[i]
        if scoring:
            best = max(best, x.penalty[ctz(scoring)])
    return best


cdef inline int cheapest(const avoid_t* x, uint64_t cards) noexcept nogil:
    cdef int least = FAR
    while cards:
        least = min(least, x.penalty[ctz(cards)])
        cards &= cards - 1
    return least


cdef inline uint64_t discards(const avoid_t* x, uint64_t hand) noexcept nogil:
    """What a hand void in the led suit may play."""
    cdef uint64_t owed = hand & x.g.contract.must_discard
    return owed if owed else hand


cdef inline bint clean_after(const avoid_t* x, const trick_t* t) noexcept nogil:
    """Whether the avoider, still to play, can lose this trick and be clean after it."""
    cdef uint64_t own = x.hand[x.avoider], others = x.all_hands & ~own, cards = own & t.led
    cdef int card
    if cards:
        cards &= below(t.best)
        return clean(x, own ^ bit_of(top(cards)), others)
    cards = discards(x, own)
    while cards:
        card = top(cards)
        if clean(x, own ^ bit_of(card), others):
            return True
        cards &= ~lane_of(card)
    return False


cdef inline bint must_beat(uint64_t hand, int card) noexcept nogil:
    """Whether a hand, made to follow to `card`, has nothing below it."""
    cdef uint64_t held = hand & lane_of(card)
    return held != 0 and held & below(card) == 0


cdef int trick_escaped(const avoid_t* x, int leader, int left, bint broken, uint64_t* rel) noexcept nogil:
    """Units of this trick or the next, the lesser, if the avoider can be sure to lose one of the two; else 0.

    On lead he needs a card that somebody must beat. Else, for every suit that may be led: he is void or can stay below
    the leader's lowest card, or, made to win, he leads next a card of another suit that somebody must beat. That
    somebody still holds the suit then if it has two cards of it, or must follow to this trick.
    """
    cdef const game_t* g = x.g
    cdef uint64_t own = x.hand[x.avoider], moves, lane, exits
    cdef int card, seat, exit_
    cdef bint found
    rel[0] = 0
    moves = legal(g, x.hand[leader], 0, 0, left == g.contract.hand_size, broken)
    if leader == x.avoider:
        while moves:
            card = ctz(moves)
            for seat in range(g.contract.seats):
                if seat != leader and must_beat(x.hand[seat], card):
                    rel[0] = lowest_of(x.hand[seat] & lane_of(card))
                    return x.place[left]
            moves &= ~lane_of(card)  # a higher card of the suit is beaten no sooner
        return 0
    found = False
    while moves:
        card = ctz(moves)
        lane = lane_of(card)
        moves &= ~lane
        if own & lane == 0:
            continue
        if own & below(card):
            rel[0] |= bit_of(card)
            continue
        if left == 1:
            return 0
        found = False
        exits = own & ~lane & ~g.contract.barred  # what is never barred may be led next
        while exits and not found:
            exit_ = ctz(exits)
            exits &= ~lane_of(exit_)
            for seat in range(g.contract.seats):
                if seat != x.avoider and must_beat(x.hand[seat], exit_):
                    if x.hand[seat] & lane or popcount(x.hand[seat] & lane_of(exit_)) > 1:
                        found = True
                        rel[0] |= lowest_of(x.hand[seat] & lane_of(exit_))
                        break
        if not found:
            return 0
        found = True
    return min(x.place[left], x.place[left - 1]) if found else x.place[left]


cdef int avoid_boundary(avoid_t* x, int leader, int left, bint broken, int bound, uint64_t* rel) noexcept nogil:
    """The loss to come when `leader` is about to lead with `left` tricks left; rel: what the proof looked at."""
    cdef int high = x.on_cards + x.tail[left], value
    cdef uint64_t own = x.hand[x.avoider], lengths = 0, crests = 0, odd = x.all_hands & x.g.odd
    cdef uint64_t walls = own | odd
    cdef codes_t codes = x.codes
    cdef const pattern_t* known
    cdef key_t key
    cdef entry_t* entry
    cdef trick_t t
    rel[0] = 0
    if high < bound or high == 0:
        return high
    if bound <= 0:
        return 0
    if leader != x.avoider and clean(x, own, x.all_hands & ~own):
        rel[0] = clean_cards(own, x.all_hands & ~own)
        return 0
    if left > 1:
        if x.patterned:
            lengths = lengths_key(x.hand, leader, left, broken and x.g.contract.until_broken)
            crests = crests_of(x.g, x.all_hands)
            if x.relaxing:
                lengths |= RELAXED
                sorted_codes(x, &codes, walls)
            known = recall_pattern(x.patterns, &codes, lengths, crests, bound, bound)
            if known == NULL and x.relaxable and not x.relaxing and left > 2:
                sorted_codes(x, &codes, walls)
                known = recall_pattern(x.patterns, &codes, lengths | RELAXED, crests, FAR, bound)
                codes = x.codes
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
        if x.place[left] and high - x.place[left] < bound:
            value = high - trick_escaped(x, leader, left, broken, rel)
            if value < bound:
                return value
    t.led = t.cards = 0
    t.best = -1
    t.best_seat = t.lying = t.played = 0
    t.left = left
    t.broken = broken
    t.walls = walls
    x.limits.expansions += 1
    value = avoid_play(x, &t, leader, bound, rel)
    if x.relaxing:
        rel[0] = whole_gaps(rel[0], walls, x.all_hands)
    if left > 1 and x.limits.stop == RUNNING:
        rel[0] |= odd  # who holds which is part of every proof: what may be played or must be, and what it costs
        if not x.patterned:
            store(x.table, &key, left, value, bound, 0, high)
        elif value >= bound:
            keep_pattern(x.patterns, &codes, x.all_hands, lengths, crests, rel[0], value, high)
        else:
            keep_pattern(x.patterns, &codes, x.all_hands, lengths, crests, rel[0], 0, value)
    return value


cdef inline bint can_lose(const avoid_t* x, const trick_t* t) noexcept nogil:
    """Whether the avoider, still to play, can stay below the best card, whoever plays before him."""
    cdef uint64_t held = x.hand[x.avoider] & t.led
    return held == 0 or held & below(t.best) != 0


cdef inline int forced_loss(const avoid_t* x, const trick_t* t, int seat) noexcept nogil:
    """Units the avoider must take now if the field, `seat` next, stays below him; 0 when it cannot force that.

    He lies best, or has still to play and holds only cards above the best. The others still to play must each be void
    or hold a card below his.
    """
    cdef uint64_t own = x.hand[x.avoider] & t.led, under
    cdef int units = t.lying + x.place[t.left], i
    if t.best_seat == x.avoider:
        under = below(t.best)
    else:
        under = below(ctz(own))
        units += cheapest(x, own)
    for i in range(t.played, x.g.contract.seats):
        if seat != x.avoider:
            own = x.hand[seat] & t.led
            if own == 0:
                units += dearest(x, discards(x, x.hand[seat]))
            elif own & under:
                if not x.g.contract.forced_under:
                    units += dearest(x, own & under)
            else:
                return 0
        seat = next_seat(x.g, seat)
    return units


cdef int avoid_play(avoid_t* x, const trick_t* t, int seat, int bound, uint64_t* rel) noexcept nogil:
    """The same in mid-trick, `seat` to play; the trick in progress counts as still to come."""
    cdef const game_t* g = x.g
    cdef uint64_t hand = x.hand[seat], own = x.hand[x.avoider], every, moves, others, found, asked = 0, united = 0
    cdef uint64_t proved = 0, lane, low
    cdef int cards[16]
    cdef int n, i, card, value, result, rest = x.on_cards + x.tail[t.left]
    cdef bint avoiding = seat == x.avoider, played
    cdef trick_t then
    every = moves = legal(g, hand, t.led, t.cards, t.left == g.contract.hand_size, t.broken)
    if t.played:
        # Has the avoider played? He is among those before `seat` in the trick.
        played = played_already(x, t, seat)
        if played and t.best_seat != x.avoider:
            value = rest - x.place[t.left] - t.lying
            if value < bound:
                rel[0] = bit_of(t.best)
                return value
        elif not played and can_lose(x, t):
            if own & t.led:
                value = 0 if g.contract.forced_under else dearest(x, own & t.led & below(t.best))
            else:
                value = dearest(x, discards(x, own))
            value = rest - x.place[t.left] - t.lying - value
            if value < bound:
                rel[0] = bit_of(t.best) if own & t.led else 0
                return value
            if (not g.contract.forced_under) and clean_after(x, t):
                rel[0] = clean_cards(own, x.all_hands & ~own) | bit_of(t.best)
                return 0
        else:
            value = forced_loss(x, t, seat)
            if value >= bound:
                rel[0] = bit_of(t.best) if t.best_seat == x.avoider else lowest_of(own & t.led)
                return value
        if g.contract.forced_under and hand & t.led & (hand & t.led) - 1:
            asked = bit_of(top(t.cards & t.led))
    elif avoiding and clean_on_lead(x, hand, moves):
        rel[0] = clean_cards(own, x.all_hands & ~own)
        return 0
    others = x.all_hands & ~hand
    if t.best >= 0:
        others |= bit_of(t.best)
    if moves & (moves - 1):
        if x.relaxing and not avoiding:
            moves = (
                distinct(g, moves & ~g.odd, hand & ~g.odd, t.walls) | distinct(g, moves & g.odd, hand & g.odd, others)
            )
        else:
            moves = distinct(g, moves, hand, others)
    if moves & (moves - 1):
        n = avoid_order(x, t, seat, moves, cards)
    else:
        cards[0] = ctz(moves)
        n = 1
    result = FAR if avoiding else -FAR
    for i in range(n):
        card = cards[i]
        if proved & bit_of(card):
            continue
        if count_node(x.limits):
            return 0
        x.hand[seat] = hand ^ bit_of(card)
        x.all_hands ^= bit_of(card)
        then = t[0]
        then.played += 1
        then.cards |= bit_of(card)
        then.lying += x.penalty[card]
        then.broken |= g.contract.barred >> card & 1
        if t.best < 0:
            then.led, then.best, then.best_seat = lane_of(card), card, seat
            then.winners = 1 << seat
        elif bit_of(card) & t.led:
            if x.relaxing and one_gap(t.walls, card, t.best):
                then.best = max(card, t.best)
                then.winners |= 1 << seat
            elif card > t.best:
                then.best, then.best_seat = card, seat
                then.winners = 1 << seat
        if then.played < g.contract.seats:
            value = avoid_play(x, &then, next_seat(g, seat), bound, &found)
        else:
            value = avoid_close(x, &then, bound, &found)
        x.hand[seat] = hand
        x.all_hands |= bit_of(card)
        if x.limits.stop:
            return 0
        if (value < bound) == avoiding:
            rel[0] = found | asked
            return value
        result = min(result, value) if avoiding else max(result, value)
        if x.patterned:
            if x.relaxing:
                found = whole_gaps(found, t.walls, x.all_hands | t.cards)
            united |= found
            lane = lane_of(card)
            low = lowest_of(found & lane)
            if bit_of(card) & g.odd:
                continue  # nothing else of the suit is like it
            if low == 0 or low > bit_of(card):
                proved |= lane & (low - 1) & ~g.odd  # as in take.pxi: the proof does not look at this card's rank
            else:
                united |= run_below(g, card, every, hand, others)
    rel[0] = united | asked
    return result


cdef inline bint played_already(const avoid_t* x, const trick_t* t, int seat) noexcept nogil:
    """Whether the avoider is among those who have played to the trick, `seat` being next."""
    cdef int ago = seat - x.avoider
    if ago <= 0:
        ago += x.g.contract.seats
    return ago <= t.played


cdef int avoid_close(avoid_t* x, const trick_t* t, int bound, uint64_t* rel) noexcept nogil:
    """The same when a full trick has gone to its winner."""
    cdef int loss = t.lying + x.place[t.left] if t.best_seat == x.avoider else 0
    cdef int on_cards = x.on_cards, card, value
    cdef codes_t codes = x.codes
    cdef uint64_t in_play = x.all_hands | t.cards, cards = t.cards, rivals = t.cards & t.led
    while cards and not x.relaxing:  # the relaxed game makes its codes afresh
        card = ctz(cards)
        cards &= cards - 1
        remove(&x.codes, in_play, card)
        in_play ^= bit_of(card)
    x.on_cards -= t.lying
    if x.relaxing and t.best_seat != x.avoider:
        value = relaxed_close(x, t, bound, rel)
    else:
        value = loss + avoid_boundary(x, t.best_seat, t.left - 1, t.broken, bound - loss, rel)
    if rivals & (rivals - 1):
        rel[0] |= bit_of(t.best)  # rank decided
    x.codes = codes
    x.on_cards = on_cards
    return value


cdef void avoid_start(avoid_t* x, const position_t* p, trick_t* t) noexcept nogil:
    """Makes the searcher and the trick in progress ready for a position."""
    cdef uint64_t whole[SEATS]
    cdef uint64_t left = in_hands(p) | p.trick
    cdef int seat, card, odd = popcount(left & x.g.odd)
    for seat in range(SEATS):
        x.hand[seat] = whole[seat] = p.hand[seat]
    x.all_hands = in_hands(p)
    whole[0] |= p.trick  # who held a card of the trick does not matter: it goes before the next key is made
    encode(&x.codes, whole, SEATS)
    x.on_cards = 0
    t.led, t.cards, t.best, t.best_seat, t.lying = p.led, p.trick, p.best, p.best_seat, -p.banked
    t.played, t.left, t.broken = p.played, p.left, p.broken
    t.walls = x.hand[x.avoider] | left & x.g.odd
    t.winners = 0
    if p.played:
        t.winners = 1 << t.best_seat
        if t.best_seat == x.avoider:
            t.walls |= bit_of(t.best)
    while left:
        card = ctz(left)
        left &= left - 1
        x.on_cards += x.penalty[card]
    # Odd cards are walls: the more, the less there is to relax. On 60 deals of 32 cards it made no-queens 1.2 times as
    # long, no-tricks .8; on 10 deals for three seats no-men twice as long, no-tricks .9 (2026-11-30).
    x.relaxable = (
        x.patterned and not x.g.contract.forced_under
        and (x.relax_from == 1 or (x.g.contract.seats == SEATS and p.left >= x.relax_from + (odd > 1)))
    )


cdef void avoid_solve(avoid_t* x, const position_t* p, int* low_out, int* high_out) noexcept nogil:
    """Closes in on the loss by zero windows, each new one at what the last has shown."""
    cdef int low = 0, high, bound, value
    cdef trick_t t
    avoid_start(x, p, &t)
    high = x.on_cards + x.tail[p.left]
    bound = high // 10
    if x.relaxable:
        # Most often the true loss, and no less: what remains is to show that the field can bring it about.
        high = bound = relaxed_loss(x, p, &t, &low)
    while low < high and x.limits.stop == RUNNING:
        bound = min(max(bound, low + 1), high)
        value = avoid_from(x, p, &t, bound)
        if x.limits.stop:
            break
        if value >= bound:
            low = max(low, value)
            bound = low + 1
        else:
            high = min(high, value)
            bound = high
    low_out[0], high_out[0] = low, high


cdef inline int avoid_from(avoid_t* x, const position_t* p, const trick_t* t, int bound) noexcept nogil:
    """The search of one window."""
    cdef uint64_t rel
    if p.played:
        return avoid_play(x, t, p.turn, bound, &rel)
    return avoid_boundary(x, p.turn, p.left, p.broken, bound, &rel)
