# Tricks that all count alike, with or without trumps: any side against the rest, over a table of patterns.
#
# A proof that a side can take so many tricks usually looks at the high cards only. So every result comes with a set
# `rel` of cards: in each suit the owners of all cards in play at or above the lowest card of the set are as here; of
# the cards below it only the number in each hand. The table keeps the result for all positions of that pattern.
# docs/solver.md, "Patterns", has the reason for each rule; a test audits stored patterns against plain search.

cdef enum:
    FOLLOW_WEIGHTS = 13             # of the ordering, for each of second, third and fourth hand
    TAKE_WEIGHTS = 465              # 2 * LEAD_WEIGHTS + 3 * FOLLOW_WEIGHTS

cdef struct take_t:
    game_t* g                       # 8
    limits_t* limits                # 8
    uint64_t hand[SEATS]            # 32
    uint64_t all_hands              # 8
    codes_t codes                   # 16 of the cards in play when the trick began
    uint8_t ours[SEATS]             # 4  whether the seat is of the side
    uint8_t relation[SEATS][SEATS]  # 16 for the ordering: who a seat is to another
    patterns_t* table               # 8
    int8_t refuted[16][SEATS]       # 64 the card with which a seat last refuted on lead, by tricks left; -1: none
    int weight[TAKE_WEIGHTS]        # 1860


cdef inline uint64_t highest(uint64_t cards, int count) noexcept nogil:
    """The `count` highest cards of one suit's set."""
    cdef int surplus = popcount(cards) - count
    while surplus > 0:
        cards &= cards - 1
        surplus -= 1
    return cards


cdef inline bint may_lead(const take_t* x, uint64_t hand, uint64_t lane, int left, bint broken) noexcept nogil:
    """Whether every card of a suit that a hand holds may be led now and later, whatever else it holds."""
    cdef const contract_t* c = &x.g.contract
    if lane & c.first_barred and left == c.hand_size:
        return False
    return not lane & c.barred or (c.until_broken and broken)


# Ways in which a suit's sure tricks are made: by the leader, by a friend who has got the lead, by both one after the
# other. Of the suit the first `needed` tricks use a winner each, highest first.
cdef struct source_t:
    uint64_t winners                # 8
    int32_t tricks                  # 4
    int32_t needed                  # 4
    bint joint                      # 4


cdef inline uint64_t hands_against(const take_t* x, int seat) noexcept nogil:
    """All cards of the other side."""
    cdef uint64_t foes = 0
    cdef int other
    for other in range(SEATS):
        if x.ours[other] != x.ours[seat]:
            foes |= x.hand[other]
    return foes


cdef source_t sure_tricks(const take_t* x, int seat, int suit, uint64_t foes, int left, bint broken) noexcept nogil:
    """How many tricks running `seat`, on lead, takes by leading this suit from the top; `foes`: the other side's cards."""
    cdef uint64_t lane = <uint64_t>LANE << (16 * suit)
    cdef uint64_t own = x.hand[seat] & lane, others = x.all_hands & lane & ~own, run, held
    cdef int other, longest = 0, count, follow = 13
    cdef source_t found
    found.winners = found.tricks = found.needed = 0
    found.joint = False
    foes &= lane
    if lane == x.g.trump and x.g.contract.beat_trump:
        foes = others  # a friend has to beat what he can
    run = over_all(own, foes)
    if run == 0 or not may_lead(x, x.hand[seat], lane, left, broken):
        return found
    if others != foes:
        # Friends who can stay below the lowest winner as long as they must follow do no harm.
        for other in range(SEATS):
            held = x.hand[other] & lane & ~foes & ~own
            if held and popcount(held & (lowest_of(run) - 1)) < min(popcount(held), popcount(run)):
                run = over_all(run, held)
                if run == 0:
                    return found
    if others:
        for other in range(SEATS):
            if other != seat:
                longest = max(longest, popcount(x.hand[other] & lane))
    if x.g.trump and lane != x.g.trump:
        for other in range(SEATS):
            if other != seat and x.hand[other] & x.g.trump:
                if x.ours[other] != x.ours[seat] or x.g.contract.void_trump:
                    follow = min(follow, popcount(x.hand[other] & lane))
    count = popcount(run)
    if count >= longest:
        found.needed = longest
        count = popcount(own)
    else:
        found.needed = count
    found.winners = run
    found.tricks = min(count, follow)
    return found


cdef inline source_t joint_tricks(const take_t* x, int leader, int friend, int suit, uint64_t foes) noexcept nogil:
    """Without trumps: the leader's winners, as many as the friend can follow to below them, then the friend's, who takes over from
    a lower card of the leader's."""
    cdef uint64_t lane = <uint64_t>LANE << (16 * suit)
    cdef uint64_t own = x.hand[leader] & lane, his = x.hand[friend] & lane, mine, first, second, rest
    cdef source_t found
    cdef int other, longest = 0, count, lead
    found.winners = found.tricks = found.needed = 0
    found.joint = True
    foes &= lane
    if own == 0 or his == 0 or x.all_hands & lane != own | his | foes:
        return found
    mine, second = over_all(own, foes), over_all(his, foes)
    if mine == 0 or second == 0:
        return found
    count = popcount(second)
    while count:
        lead = min(popcount(mine), popcount(his) - count)
        first = highest(mine, lead)
        # What the leader keeps lies below what the friend is to win with, and the friend's low cards below the leader's.
        rest = his ^ second
        if (mine ^ first) < lowest_of(second) and (first == 0 or below_count(rest, lowest_of(first)) >= lead):
            if lead + count > found.tricks:
                found.winners = first | second
                found.needed = found.tricks = lead + count
        count -= 1
        second &= second - 1
    # When nobody else has any left, the friend's low cards win too. The leader must have none left either: he might have
    # to overtake the friend and leave the rest of them stranded.
    for other in range(SEATS):
        if other != friend:
            longest = max(longest, popcount(x.hand[other] & lane))
    if found.tricks >= longest:
        found.tricks = max(found.tricks, popcount(his))
    return found


cdef inline int below_count(uint64_t cards, uint64_t card) noexcept nogil:
    return popcount(cards & (card - 1))


cdef int quick_tricks(const take_t* x, int leader, int left, bint broken, int need, uint64_t* rel) noexcept nogil:
    """Tricks the leader's side takes at once, as far as `need` of them; rel gets what the proof looked at."""
    cdef source_t own[4]
    cdef source_t with_[4]
    cdef source_t entries[4]
    cdef source_t best[4]
    cdef source_t joint
    cdef int suit, friend, sum_ = 0, total, entry, used
    cdef uint64_t held, foes = hands_against(x, leader)
    rel[0] = 0
    for suit in range(4):
        own[suit] = sure_tricks(x, leader, suit, foes, left, broken)
        sum_ += own[suit].tricks
    best = own
    entry = -1
    if sum_ < need and not x.g.trump and not x.g.contract.barred:
        for friend in range(SEATS):
            if friend == leader or x.ours[friend] != x.ours[leader] or x.hand[friend] == 0:
                continue
            total = 0
            for suit in range(4):
                with_[suit] = own[suit]
                entries[suit] = sure_tricks(x, friend, suit, foes, left, broken)
                held = x.hand[leader] & <uint64_t>LANE << (16 * suit)
                joint = joint_tricks(x, leader, friend, suit, foes)
                if entries[suit].tricks > with_[suit].tricks:
                    with_[suit] = entries[suit]
                if joint.tricks > with_[suit].tricks:
                    with_[suit] = joint
                if entries[suit].winners == 0 or held == 0 or lowest_of(held) > entries[suit].winners:
                    entries[suit].tricks = 0
                if joint.tricks > entries[suit].tricks and popcount(held) > popcount(held & joint.winners):
                    entries[suit] = joint
                total += with_[suit].tricks
            for suit in range(4):
                if entries[suit].tricks and total - with_[suit].tricks + entries[suit].tricks > sum_:
                    sum_ = total - with_[suit].tricks + entries[suit].tricks
                    entry = suit
                    best = with_
                    best[suit] = entries[suit]
            if sum_ >= need:
                break
    sum_ = min(sum_, left)
    if sum_ < need:
        return sum_
    # Collect what was used, as little as will do; the entry whole.
    total = 0
    if entry >= 0:
        total = best[entry].tricks
        rel[0] |= lowest_of(best[entry].winners if best[entry].joint else highest(
            best[entry].winners, max(best[entry].needed, 1)))
    for suit in range(4):
        if suit == entry or best[suit].tricks == 0 or total >= need:
            continue
        used = min(best[suit].tricks, need - total)
        total += used
        used = min(used, best[suit].needed)
        if used:
            # Winners of two hands are cashed in the order of the hands, not of their ranks: all of them count.
            rel[0] |= lowest_of(best[suit].winners if best[suit].joint else highest(best[suit].winners, used))
    return sum_


cdef int longest_run(const take_t* x, int leader, uint64_t* tops) noexcept nogil:
    """Without trumps: no more tricks than this can the leader's side take before the others take one, since it can only
    run suits that it tops. `tops`: the highest card of each suit that the others top."""
    cdef int suit, seat, longest, run = 0
    cdef uint64_t lane
    tops[0] = 0
    for suit in range(4):
        lane = x.all_hands & <uint64_t>LANE << (16 * suit)
        if lane == 0:
            continue
        longest = 0
        for seat in range(SEATS):
            if x.ours[seat] == x.ours[leader]:
                longest = max(longest, popcount(x.hand[seat] & lane))
            elif x.hand[seat] & bit_of(top(lane)):
                tops[0] |= bit_of(top(lane))
                longest = 0
                break
        run += longest
    return run


cdef bint others_take(const take_t* x, int leader, int left, bint broken, int need, uint64_t* rel) noexcept nogil:
    """Without trumps: whether the others take `need` tricks, two or more, once they get in: whichever of their hands does
    so by the top of a suit has so many winners to cash."""
    cdef uint64_t cards, looked = 0
    cdef uint64_t run[4]            # of the holder of a suit's top, where that is one of the others
    cdef int holder[4]
    cdef int more[SEATS]            # winners that the hand still needs
    cdef int suit, seat, count
    for seat in range(SEATS):
        more[seat] = need
    for suit in range(4):
        cards = x.all_hands & <uint64_t>LANE << (16 * suit)
        holder[suit] = -1
        if cards == 0:
            continue
        looked |= bit_of(top(cards))
        seat = 0
        while not x.hand[seat] & bit_of(top(cards)):
            seat += 1
        if x.ours[seat] != x.ours[leader]:
            if not may_lead(x, x.hand[seat], <uint64_t>LANE << (16 * suit), left, broken):
                return False
            holder[suit] = seat
            run[suit] = over_all(x.hand[seat] & cards, cards & ~x.hand[seat])
            more[seat] -= 1
    for suit in range(4):
        seat = holder[suit]
        if seat >= 0 and more[seat] > 0:
            count = min(popcount(run[suit]), more[seat] + 1)
            more[seat] -= count - 1
            looked |= lowest_of(highest(run[suit], count))
    for suit in range(4):
        if holder[suit] >= 0 and more[holder[suit]] > 0:
            return False
    rel[0] = looked
    return True


cdef bint takes_after(take_t* x, const trick_t* t, int turn, int seat, int need, uint64_t* rel) noexcept nogil:
    """Where no trumps are left: whether `seat`, still to play, is sure to take this trick and, with what it then runs,
    `need` tricks. `turn` is the seat to play, of the same side."""
    cdef uint64_t own = x.hand[seat] & t.led & above(t.best), foes, behind = 0, card, held, friends = 0
    cdef int other = turn, i, suit, total = 1, used
    cdef source_t runs[4]
    if own == 0:
        return False
    for i in range(t.played, x.g.contract.seats):
        held = x.hand[other] & t.led
        if x.ours[other] != x.ours[seat]:
            behind |= held
        elif other != seat:
            friends |= lowest_of(held)
        other = next_seat(x.g, other)
    own = over_all(own, behind)
    card = lowest_of(own)
    if own == 0 or friends > card:
        return False  # a friend would have to take the trick himself
    rel[0] = card
    if need <= 1:
        return True
    foes = hands_against(x, seat)
    x.hand[seat] ^= card
    x.all_hands ^= card
    for suit in range(4):
        # A friend's low card of the suit led may go to this trick, so there he counts as a foe.
        held = x.all_hands & ~x.hand[seat] if t.led >> (16 * suit) & 1 else foes
        runs[suit] = sure_tricks(x, seat, suit, held, t.left - 1, t.broken)
        total += runs[suit].tricks
    x.hand[seat] |= card
    x.all_hands |= card
    if total < need:
        return False
    need -= 1
    for suit in range(4):
        used = min(runs[suit].tricks, need)
        need -= used
        used = min(used, runs[suit].needed)
        if used:
            rel[0] |= lowest_of(highest(runs[suit].winners, used))
    return True


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
            if run < left and found == left:
                rel[0] = tops
                return not x.ours[leader]
        if run >= found and quick_tricks(x, leader, left, broken, found, rel) >= found:
            return x.ours[leader]
        rel[0] = 0
        key = lengths_key(x.hand, leader, left, broken and x.g.contract.until_broken)
        known = recall_pattern(x.table, &x.codes, key, 0, need, need)
        if known != NULL:
            rel[0] = known_cards(x.all_hands, known.mask)
            return known.low >= need
        if run < found and others_take(x, leader, left, broken, left - found + 1, rel):
            return not x.ours[leader]
    t.led = t.cards = 0
    t.best = -1
    t.best_seat = t.lying = t.played = 0
    t.left = left
    t.broken = broken
    taken = takers_play(x, &t, leader, need, rel)
    if left > 1 and x.limits.stop == RUNNING:
        keep_pattern(x.table, &x.codes, x.all_hands, key, 0, rel[0], need if taken else 0, left if taken else need - 1)
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


cdef bint takers_play(take_t* x, const trick_t* t, int seat, int need, uint64_t* rel) noexcept nogil:
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
            taken = takers_play(x, &then, next_seat(g, seat), need, &found)
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
            taken = takers_play(x, &t, p.turn, need, &rel)
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
