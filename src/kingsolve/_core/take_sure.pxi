# Tricks that are seen without playing on, where tricks are taken: what a side runs from the top, and what the others
# get once they are in. Each says in `rel` which cards it looked at. docs/solver.md, "Patterns", has the proofs.

cdef inline uint64_t highest(uint64_t cards, int count) noexcept nogil:
    """The `count` highest cards of one suit's set."""
    cdef int surplus = popcount(cards) - count
    while surplus > 0:
        cards &= cards - 1
        surplus -= 1
    return cards


cdef inline bint may_lead(const take_t* x, uint64_t lane, int left, bint broken) noexcept nogil:
    """Whether every card of a suit may be led now and later, whatever else the hand holds."""
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
    """How many tricks running `seat`, on lead, takes by leading this suit from the top; `foes`: the other side's
    cards."""
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
    if run == 0 or not may_lead(x, lane, left, broken):
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
    """Without trumps: the leader's winners, as many as the friend can follow to below them, then the friend's, who
    takes over from a lower card of the leader's."""
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
        # What the leader keeps lies below the friend's winners, and the friend's low cards below the leader's.
        rest = his ^ second
        if (mine ^ first) < lowest_of(second) and (first == 0 or below_count(rest, lowest_of(first)) >= lead):
            if lead + count > found.tricks:
                found.winners = first | second
                found.needed = found.tricks = lead + count
        count -= 1
        second &= second - 1
    # When nobody else has any left, the friend's low cards win too. The leader must have none left either: he might
    # have to overtake the friend and leave the rest of them stranded.
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


cdef bint tops_kept(const take_t* x, int leader, uint64_t tops, int cards) noexcept nogil:
    """Whether each of the others can keep its tops until it has so many cards left: whoever of the leader's side is on
    lead then may have any suit, and who that is may be decided when the tops are already thrown."""
    cdef uint64_t lane, led = 0
    cdef int suit, seat
    for suit in range(4):
        lane = <uint64_t>LANE << (16 * suit)
        for seat in range(SEATS):
            if x.ours[seat] == x.ours[leader] and x.hand[seat] & lane:
                led |= lane
    for seat in range(SEATS):
        if popcount(x.hand[seat] & tops & led) > cards:
            return False
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
