# Tricks that all count alike, with or without trumps: any side against the rest, over a table of patterns.
#
# A proof that a side can take so many tricks usually looks at the high cards only. So every result comes with a set
# `rel` of cards: in each suit the owners of all cards in play at or above the lowest card of the set are as here; of
# the cards below it only the number in each hand. The table keeps the result for all positions of that pattern.
# docs/solver.md, "Patterns", has the reason for each rule; a test audits stored patterns against plain search.

cdef enum:
    FOLLOW_WEIGHTS = 13             # of the ordering, for each of second, third and fourth hand
    TAKE_WEIGHTS = 504              # 2 * LEAD_WEIGHTS + 6 * FOLLOW_WEIGHTS, without trumps and with

cdef struct take_t:
    game_t* g                       # 8
    limits_t* limits                # 8
    uint64_t hand[SEATS]            # 32
    uint64_t all_hands              # 8
    codes_t codes                   # 16 of the cards in play when the trick began
    uint8_t ours[SEATS]             # 4  whether the seat is of the side
    uint8_t relation[SEATS][SEATS]  # 16 for the ordering: who a seat is to another
    patterns_t* patterns            # 8
    int8_t refuted[16][SEATS]       # 64 the card with which a seat last refuted on lead, by tricks left; -1: none
    int weight[TAKE_WEIGHTS]        # 2016


cdef bint take_boundary(take_t* x, int leader, int left, bint broken, int need, uint64_t* rel) noexcept nogil:
    """Whether the side takes `need` of the tricks left when `leader` is to lead; rel: what the proof looked at."""
    cdef uint64_t key = 0
    cdef const pattern_t* known
    cdef trick_t t
    cdef uint64_t tops
    cdef bint taken
    cdef int found, run
    rel[0] = 0
    if need <= 0:
        return True
    if need > left:
        return False
    if left > 1:
        # The leader's side needs `found` tricks for its proof; the others need one for theirs if it wants all.
        found = need if x.ours[leader] else left - need + 1
        run = left
        if not x.g.trump:
            run = longest_run(x, leader, &tops)
            if run < left and found == left and tops_kept(x, leader, tops, left - run):
                rel[0] = tops
                return not x.ours[leader]
        if run >= found and quick_tricks(x, leader, left, broken, found, rel) >= found:
            return x.ours[leader]
        rel[0] = 0
        key = lengths_key(x.hand, leader, left, broken and x.g.contract.until_broken)
        known = recall_pattern(x.patterns, &x.codes, key, 0, need, need)
        if known != NULL:
            x.limits.hits += 1
            rel[0] = known_cards(x.all_hands, known.mask)
            return known.low >= need
    t.led = t.cards = 0
    t.best = -1
    t.best_seat = t.lying = t.played = 0
    t.left = left
    t.broken = broken
    x.limits.expansions += 1
    taken = take_play(x, &t, leader, need, rel)
    if left > 1 and x.limits.stop == RUNNING:
        keep_pattern(
            x.patterns, &x.codes, x.all_hands, key, 0, rel[0], need if taken else 0, left if taken else need - 1
        )
    return taken


cdef inline uint64_t asked_cards(const take_t* x, const trick_t* t, uint64_t hand) noexcept nogil:
    """Cards whose owner or rank the rules ask about before `hand` plays: the trump to beat, the cards of a waiver."""
    cdef const contract_t* c = &x.g.contract
    cdef uint64_t trumps = hand & x.g.trump
    if t.led == 0:
        return c.waiver if c.waiver and not (c.until_broken and t.broken) else 0
    if trumps & (trumps - 1) and t.cards & x.g.trump:
        if (c.beat_trump and t.led == x.g.trump) or (c.void_trump == 2 and hand & t.led == 0):
            return bit_of(top(t.cards & x.g.trump))
    return 0


cdef bint take_play(take_t* x, const trick_t* t, int seat, int need, uint64_t* rel) noexcept nogil:
    """The same in mid-trick, `seat` to play; the trick in progress counts."""
    cdef const game_t* g = x.g
    cdef uint64_t hand = x.hand[seat], moves, every, others, found, united = 0, proved = 0, lane, low
    cdef int cards[16]
    cdef int n, i, card
    cdef bint taken, ours = x.ours[seat]
    cdef trick_t then
    cdef uint64_t asked = asked_cards(x, t, hand)
    if t.played == 1 and not g.trump & x.all_hands:
        n = need if ours else t.left - need + 1
        card = seat
        for i in range(t.played, g.contract.seats):
            if x.ours[card] == ours and takes_after(x, t, seat, card, n, rel):
                return ours
            card = next_seat(g, card)
    every = moves = legal(g, hand, t.led, t.cards, t.left == g.contract.hand_size, t.broken)
    others = x.all_hands & ~hand
    if t.best >= 0:
        others |= bit_of(t.best)
    if moves & (moves - 1):
        moves = distinct(g, moves, hand, others)
    if moves & (moves - 1):
        n = take_order(x, t, seat, moves, need if ours else t.left - need + 1, cards)
    else:
        cards[0] = ctz(moves)
        n = 1
    for i in range(n):
        card = cards[i]
        if proved & bit_of(card):
            continue
        if count_node(x.limits):
            return False
        x.hand[seat] = hand ^ bit_of(card)
        x.all_hands ^= bit_of(card)
        then = t[0]
        then.played += 1
        then.cards |= bit_of(card)
        then.broken |= g.contract.barred >> card & 1
        if t.best < 0:
            then.led, then.best, then.best_seat = lane_of(card), card, seat
        elif beats(g, card, t.best):
            then.best, then.best_seat = card, seat
        if then.played < g.contract.seats:
            taken = take_play(x, &then, next_seat(g, seat), need, &found)
        else:
            taken = take_close(x, &then, need, &found)
        x.hand[seat] = hand
        x.all_hands |= bit_of(card)
        if x.limits.stop:
            return False
        if taken == ours:
            rel[0] = found | asked
            if t.played == 0:
                x.refuted[t.left][seat] = <int8_t>card
            return taken
        united |= found
        lane = lane_of(card)
        low = lowest_of(found & lane)
        if low == 0 or low > bit_of(card):
            # The proof does not look at this card's rank: the hand's other cards of the suit that it leaves out do
            # no better.
            proved |= lane & (low - 1)
        else:
            # The card stood for its equals, so who holds them matters too.
            united |= run_below(g, card, every, hand, others)
    rel[0] = united | asked
    return not ours


cdef bint take_close(take_t* x, const trick_t* t, int need, uint64_t* rel) noexcept nogil:
    """The same when a full trick has gone to its winner."""
    cdef codes_t codes = x.codes
    cdef uint64_t in_play = x.all_hands | t.cards, cards = t.cards, rivals = t.cards & lane_of(t.best)
    cdef bint taken
    while cards:
        remove(&x.codes, in_play, ctz(cards))
        in_play ^= lowest_of(cards)
        cards &= cards - 1
    taken = take_boundary(x, t.best_seat, t.left - 1, t.broken, need - x.ours[t.best_seat], rel)
    if rivals & (rivals - 1):
        rel[0] |= bit_of(t.best)  # rank decided: a lone card of its suit wins whatever its rank
    x.codes = codes
    return taken


cdef void take_solve(take_t* x, const position_t* p, int* low_out, int* high_out) noexcept nogil:
    """Closes in on the number of tricks, one question at a time."""
    cdef uint64_t whole[SEATS]
    cdef uint64_t rel
    cdef int seat, low = 0, high = p.left, need
    cdef trick_t t
    cdef bint taken
    for seat in range(SEATS):
        x.hand[seat] = whole[seat] = p.hand[seat]
    x.all_hands = in_hands(p)
    whole[0] |= p.trick  # who held a card of the trick does not matter: it goes before the next key is made
    encode(&x.codes, whole, SEATS)
    memset(x.refuted, -1, sizeof(x.refuted))
    set_relations(x)
    t.led, t.cards, t.best, t.best_seat, t.lying = p.led, p.trick, p.best, p.best_seat, 0
    t.played, t.left, t.broken = p.played, p.left, p.broken
    need = (high + 2) // 4 if popcount_side(x) < 2 else (high + 1) // 2
    while low < high:
        need = min(max(need, low + 1), high)
        if p.played:
            taken = take_play(x, &t, p.turn, need, &rel)
        else:
            taken = take_boundary(x, p.turn, p.left, p.broken, need, &rel)
        if x.limits.stop:
            break
        if taken:
            low = need
            need += 1
        else:
            high = need - 1
            need = high
    low_out[0], high_out[0] = low, high


cdef inline int popcount_side(const take_t* x) noexcept nogil:
    return x.ours[0] + x.ours[1] + x.ours[2] + x.ours[3]
