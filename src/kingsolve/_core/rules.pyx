"""Contracts and positions made ready for the searches, and perft: the kernels' legal cards counted."""

from libc.string cimport memcpy, memset

import numpy as np

from kingsolve._core.rules cimport *


cdef int prepare(game_t* g, const contract_t* contract) except -1 nogil:
    """Fills `g` from the contract: units, look-ups by card, and the patterns of kinds."""
    cdef int i, suit, card
    memset(g, 0, sizeof(game_t))
    g.contract = contract[0]
    if contract.trump >= 0:
        g.trump = <uint64_t>LANE << (16 * contract.trump)
    g.unit = unit_of(contract)
    for i in range(CLASSES):
        for card in range(64):
            if contract.class_mask[i] >> card & 1:
                g.card[card] = contract.class_points[i] // g.unit
    for i in range(1, contract.hand_size + 1):
        g.place[i] = contract.trick_points[contract.hand_size - i] // g.unit
        g.gains[i] = g.gains[i - 1] + max(g.place[i], 0)
        g.losses[i] = g.losses[i - 1] + min(g.place[i], 0)
    g.shift = ctz(contract.pack)
    for suit in range(4):
        g.shift = min(g.shift, ctz(contract.pack >> (16 * suit)))
    set_kinds(g)
    for suit in range(4):
        set_patterns(g, suit)
    return 0


cdef int unit_of(const contract_t* contract) noexcept nogil:
    """The greatest common divisor of all points, 1 where nothing scores."""
    cdef int unit = 0, i
    for i in range(CLASSES):
        if contract.class_mask[i]:
            unit = gcd(unit, contract.class_points[i])
    for i in range(contract.hand_size):
        unit = gcd(unit, contract.trick_points[i])
    return unit if unit else 1


cdef int gcd(int a, int b) noexcept nogil:
    a, b = abs(a), abs(b)
    while b:
        a, b = b, a % b
    return a


cdef void set_kinds(game_t* g) noexcept nogil:
    """Two cards are of one kind when they carry the same points and every rule treats them alike."""
    cdef const contract_t* c = &g.contract
    cdef int card, other
    cdef uint8_t kinds = 0
    for card in range(64):
        g.kind[card] = 255
        for other in range(card):
            if (g.card[card] == g.card[other]
                    and (c.must_discard >> card ^ c.must_discard >> other) & 1 == 0
                    and (c.forced_under >> card ^ c.forced_under >> other) & 1 == 0
                    and (c.barred >> card ^ c.barred >> other) & 1 == 0
                    and (c.first_barred >> card ^ c.first_barred >> other) & 1 == 0
                    and (c.waiver >> card ^ c.waiver >> other) & 1 == 0):
                g.kind[card] = g.kind[other]
                break
        if g.kind[card] == 255:
            g.kind[card] = kinds
            kinds += 1


cdef void set_patterns(game_t* g, int suit) noexcept nogil:
    """Names the sequences of kinds that subsets of a suit can show, so that equal names mean equal sequences.

    The name is the lowest subset that shows the sequence, found card by card: the lowest card of the wanted kind above
    the last one. Every subset with that sequence leads there. A suit of one kind needs no names: its length, which
    the codes have, says all.
    """
    cdef uint64_t lane = (g.contract.pack >> (16 * suit) & LANE) >> g.shift
    cdef int size = (LANE + 1) >> g.shift
    cdef int subset, rest, high, rank
    cdef const uint8_t* kind = &g.kind[16 * suit + g.shift]
    cdef uint64_t kinds = 0
    for rank in range(13 - g.shift):
        if lane >> rank & 1:
            kinds |= <uint64_t>1 << kind[rank]
    if popcount(kinds) < 2:
        return
    g.mixed = True
    for subset in range(1, size):
        if subset & ~lane:
            continue
        high = 63 - clz(subset)
        rest = g.pattern[suit][subset ^ (1 << high)]
        rank = 64 - clz(rest) if rest else 0
        while not (lane >> rank & 1 and kind[rank] == kind[high]):
            rank += 1
        g.pattern[suit][subset] = <uint16_t>(rest | 1 << rank)
    set_crests(g, suit, lane, size)


cdef void set_crests(game_t* g, int suit, uint64_t lane, int size) noexcept nogil:
    """Names the sequences of kinds from a suit's highest card in play down to its lowest odd one: the highest subset
    that shows the sequence, found card by card from the top."""
    cdef const uint8_t* kind = &g.kind[16 * suit + g.shift]
    cdef int subset, left, rank, at, lowest = ctz(lane)
    cdef int odd = 0, name
    for rank in range(13 - g.shift):
        if lane >> rank & 1 and kind[rank] != kind[lowest]:
            odd |= 1 << rank
    g.odd |= <uint64_t>odd << (16 * suit + g.shift)
    for subset in range(1, size):
        if subset & ~lane or not subset & odd:
            continue
        name = 0
        at = 13 - g.shift
        left = subset
        while left & odd:
            rank = 63 - clz(left)
            left ^= 1 << rank
            at -= 1
            while not (lane >> at & 1 and kind[at] == kind[rank]):
                at -= 1
            name |= 1 << at
        g.crest[suit][subset] = <uint16_t>name


cdef int set_up(position_t* p, const game_t* g, const uint64_t* hands, int leader,
                const int32_t* trick, int played, bint broken) except -1 nogil:
    """Fills `p`: present hands in order of play, the leader of the current trick, its cards so far."""
    cdef int i, seat = leader
    memset(p, 0, sizeof(position_t))
    for i in range(g.contract.seats):
        p.hand[i] = hands[i]
    p.left = popcount(hands[leader]) + (1 if played else 0)
    p.best = -1
    p.broken = broken
    for i in range(played):
        add_to_trick(p, g, trick[i], seat)
        seat = next_seat(g, seat)
    p.turn = seat
    p.played = played
    return 0


cdef uint64_t count_leaves(game_t* g, position_t* p, int depth) noexcept nogil:
    """The number of sequences of `depth` legal cards from here that do not pass a point where the round is over."""
    cdef uint64_t moves, count = 0
    cdef position_t child
    cdef int card
    if depth == 0:
        return 1
    if p.played == 0 and over(p, g):
        return 0
    moves = legal(g, p.hand[p.turn], p.led, p.trick, p.left == g.contract.hand_size, p.broken)
    while moves:
        card = ctz(moves)
        moves &= moves - 1
        child = p[0]
        advance(&child, g, card)
        count += count_leaves(g, &child, depth - 1)
    return count


def perft(record, const uint64_t[::1] hands, int leader, const int32_t[::1] trick, bint broken, int depth):
    """The number of sequences of `depth` legal cards from a position, seats in the order of play."""
    cdef game_t g
    cdef position_t p
    cdef contract_t contract
    cdef uint64_t count
    read_contract(&contract, record)
    prepare(&g, &contract)
    set_up(&p, &g, &hands[0], leader, &trick[0] if trick.shape[0] else NULL, <int>trick.shape[0], broken)
    with nogil:
        count = count_leaves(&g, &p, depth)
    return count


def legal_cards(record, const uint64_t[::1] hands, int leader, const int32_t[::1] trick, bint broken):
    """The mask of the cards that the seat to play may play, and the mask of one of each run of equals among them."""
    cdef game_t g
    cdef position_t p
    cdef contract_t contract
    cdef uint64_t cards
    read_contract(&contract, record)
    prepare(&g, &contract)
    set_up(&p, &g, &hands[0], leader, &trick[0] if trick.shape[0] else NULL, <int>trick.shape[0], broken)
    cards = legal(&g, p.hand[p.turn], p.led, p.trick, p.left == g.contract.hand_size, p.broken)
    return cards, distinct(&g, cards, p.hand[p.turn], separators(&p, &g))


def has_v3():
    """Whether the x86-64-v3 kernels were built and this processor can run them."""
    return bool(cpu_has_v3())


def layout():
    """Size of contract_t and the offset of each field, for the test that holds it to CONTRACT_DTYPE."""
    cdef contract_t c
    cdef char* base = <char*>&c
    return sizeof(contract_t), {
        "pack": <char*>&c.pack - base,
        "barred": <char*>&c.barred - base,
        "waiver": <char*>&c.waiver - base,
        "first_barred": <char*>&c.first_barred - base,
        "must_discard": <char*>&c.must_discard - base,
        "forced_under": <char*>&c.forced_under - base,
        "class_mask": <char*>&c.class_mask - base,
        "class_points": <char*>&c.class_points - base,
        "trick_points": <char*>&c.trick_points - base,
        "trump": <char*>&c.trump - base,
        "until_broken": <char*>&c.until_broken - base,
        "void_trump": <char*>&c.void_trump - base,
        "beat_trump": <char*>&c.beat_trump - base,
        "early_stop": <char*>&c.early_stop - base,
        "seats": <char*>&c.seats - base,
        "hand_size": <char*>&c.hand_size - base,
    }


cdef int read_contract(contract_t* contract, record) except -1:
    """Copies a 0-d array of CONTRACT_DTYPE into the struct."""
    cdef const unsigned char[::1] raw = np.frombuffer(record.tobytes(), np.uint8)
    if raw.shape[0] != sizeof(contract_t):
        msg = f"expected a contract record of {sizeof(contract_t)} bytes, got {raw.shape[0]}"
        raise ValueError(msg)
    memcpy(contract, &raw[0], sizeof(contract_t))
    return 0
