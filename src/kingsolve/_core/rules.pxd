"""One position of one contract in integers: what the contract says, what may be played, who takes a trick, and the
key under which positions with the same future are the same.

Seats are numbered in the order of play. Cards are bits of a uint64 in suit lanes of 16 (kingsolve.cards).
The readable twin of everything here is kingsolve.position; tests hold the two together.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef extern from *:
    """
    #define KS_CTZ(x) __builtin_ctzll(x)
    #define KS_CLZ(x) __builtin_clzll(x)
    #define KS_POPCOUNT(x) __builtin_popcountll(x)
    #if defined(KS_V3) && defined(__x86_64__)
    #define KS_HAS_V3() (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
    #else
    #define KS_HAS_V3() 0
    #endif
    """
    int ctz "KS_CTZ"(uint64_t x) noexcept nogil
    int clz "KS_CLZ"(uint64_t x) noexcept nogil
    int popcount "KS_POPCOUNT"(uint64_t x) noexcept nogil
    bint cpu_has_v3 "KS_HAS_V3"() noexcept nogil

cdef extern from "<assert.h>" nogil:
    # Active only in the debug build (KINGSOLVE_DEBUG=1): the release build defines NDEBUG.
    void check "assert"(bint condition) noexcept

cdef enum:
    SEATS = 4
    CLASSES = 8
    PLACES = 13
    LANE = 0x1FFF

# The twin of kingsolve.contract.CONTRACT_DTYPE, which is the authority; a test compares sizes and offsets.
cdef struct contract_t:
    uint64_t pack                   # 8  cards in play when the round begins
    uint64_t barred                 # 8  may not be led while the bar stands
    uint64_t waiver                 # 8  a hand holding all of these may lead barred cards
    uint64_t first_barred           # 8  neither led nor discarded on the first trick
    uint64_t must_discard           # 8  compulsory discards
    uint64_t forced_under           # 8  of the led suit: owed below a higher card of it in the trick
    uint64_t class_mask[CLASSES]    # 64 disjoint sets of scoring cards
    int16_t class_points[CLASSES]   # 16 points of each card of the set
    int16_t trick_points[PLACES]    # 26 by place
    int8_t trump                    # 1  suit lane or -1
    uint8_t until_broken            # 1  the bar falls once a barred card is played
    uint8_t void_trump              # 1  0 free, 1 must trump, 2 must overtrump
    uint8_t beat_trump              # 1  led trumps must be beaten
    uint8_t early_stop              # 1  the round ends when nothing is left that scores
    uint8_t seats                   # 1
    uint8_t hand_size               # 1

# A contract made ready for searching: points in units (their greatest common divisor), look-ups by card.
cdef struct game_t:
    contract_t contract             # 168
    uint64_t trump                  # 8  mask of the trump suit, 0 without
    int32_t unit                    # 4  points in one unit
    int32_t card[64]                # 256 units of each card
    uint8_t kind[64]                # 64 cards of one suit with equal kind differ in rank only
    int32_t place[PLACES + 1]       # 56 units of the trick played when that many tricks are left
    int32_t gains[PLACES + 1]       # 56 sum of the positive ones among the last tricks
    int32_t losses[PLACES + 1]      # 56 sum of the negative ones
    bint mixed                      # 4  some suit holds cards of different kinds
    int shift                       # 4  lowest rank of the pack
    uint16_t pattern[4][LANE + 1]   # 64 KB number of the sequence of kinds along a suit's cards in play
    uint64_t odd                    # 8  cards that are not of the kind of their suit's lowest
    uint16_t crest[4][LANE + 1]     # 64 KB the same number, of a suit's cards down to its lowest odd one

# Cards in play at a trick boundary, as the owner of each card along each suit: two bits a card, lowest card lowest,
# under a leading 1. Thirteen cards need 27 bits.
cdef struct codes_t:
    uint32_t suit[4]

cdef struct key_t:
    uint64_t word[3]

cdef inline uint64_t bit_of(int card) noexcept nogil:
    return <uint64_t>1 << card

cdef inline uint64_t lane_of(int card) noexcept nogil:
    """The whole suit of a card."""
    return <uint64_t>LANE << (card & 48)

cdef inline int top(uint64_t cards) noexcept nogil:
    """The highest card of a set that is not empty."""
    return 63 - clz(cards)

cdef inline uint64_t above(int card) noexcept nogil:
    """The cards of the same suit that are higher."""
    return lane_of(card) & ~((bit_of(card) << 1) - 1)

cdef inline uint64_t below(int card) noexcept nogil:
    """The cards of the same suit that are lower."""
    return lane_of(card) & (bit_of(card) - 1)

cdef inline uint64_t over_all(uint64_t among, uint64_t cards) noexcept nogil:
    """Those of `among` that are higher than all of `cards`, both of one suit."""
    return among & above(top(cards)) if cards else among

cdef inline uint64_t legal(
    const game_t* g, uint64_t hand, uint64_t led, uint64_t trick, bint first, bint broken
) noexcept nogil:
    """The cards of `hand` that may be played: led is the mask of the led suit (0: this is the lead), trick the cards
    lying. The precedence is Position's, step by step."""
    cdef const contract_t* c = &g.contract
    cdef uint64_t cards, some
    if led == 0:
        cards = hand
        if first:
            cards &= ~c.first_barred
        if c.barred and not (c.until_broken and broken) and not (c.waiver and hand & c.waiver == c.waiver):
            cards &= ~c.barred
        return cards if cards else hand
    cards = hand & led
    if cards:
        if c.beat_trump and led == g.trump:
            some = cards & above(top(trick & led))
            return some if some else cards
        if c.forced_under:
            some = cards & c.forced_under & ~above(top(trick & led))
            if some:
                return some
        return cards
    some = hand & c.must_discard
    if some:
        return some
    if first and hand & c.first_barred:
        some = hand & ~c.first_barred
        return some if some else hand
    if c.void_trump:
        cards = hand & g.trump
        if cards:
            if c.void_trump == 2 and trick & g.trump:
                some = cards & above(top(trick & g.trump))
                if some:
                    return some
            return cards
    return hand

cdef inline bint beats(const game_t* g, int card, int best) noexcept nogil:
    """Whether `card`, played later, takes the trick from `best`."""
    if (card ^ best) & 48:
        return bit_of(card) & g.trump != 0
    return card > best

cdef inline uint64_t distinct(const game_t* g, uint64_t cards, uint64_t hand, uint64_t others) noexcept nogil:
    """One card, the highest, of each run of equals among `cards`, which `hand` holds: the same suit and kind, with
    nothing of `others` between. Others must hold the cards of the other hands and those in the trick that still
    decide it: its best card, and the highest of the led suit where a forced play asks for that."""
    cdef uint64_t kept = 0, left = cards, higher
    cdef int card
    while left:
        card = ctz(left)
        left &= left - 1
        higher = (hand | others) & above(card)
        if higher and bit_of(ctz(higher)) & cards and g.kind[ctz(higher)] == g.kind[card]:
            continue
        kept |= bit_of(card)
    return kept

cdef inline void encode(codes_t* codes, const uint64_t* hands, int seats) noexcept nogil:
    """The codes of the cards in all hands."""
    cdef int suit, seat, card
    cdef uint64_t lane, left
    for suit in range(4):
        lane = <uint64_t>LANE << (16 * suit)
        codes.suit[suit] = 1
        left = 0
        for seat in range(seats):
            left |= hands[seat] & lane
        while left:
            card = top(left)
            left ^= bit_of(card)
            for seat in range(seats):
                if hands[seat] & bit_of(card):
                    codes.suit[suit] = codes.suit[suit] << 2 | <uint32_t>seat

cdef inline void remove(codes_t* codes, uint64_t in_play, int card) noexcept nogil:
    """Takes `card` out of the codes; in_play holds all cards that the codes hold, `card` among them or not."""
    cdef int at = 2 * popcount(in_play & below(card))
    cdef uint32_t low = (<uint32_t>1 << at) - 1
    cdef uint32_t code = codes.suit[card >> 4]
    codes.suit[card >> 4] = code & low | code >> 2 & ~low

cdef inline void make_key(
    key_t* key, const game_t* g, const codes_t* codes, uint64_t in_play, int leader, bint broken
) noexcept nogil:
    """Everything the future depends on: who owns which card in relative order, where the kinds differ, who leads, and
    whether the bar is broken. Suit lengths and tricks left follow from the codes."""
    cdef uint64_t flag = broken and g.contract.until_broken
    key.word[0] = codes.suit[0] | <uint64_t>codes.suit[1] << 27 | <uint64_t>leader << 54 | flag << 56
    key.word[1] = codes.suit[2] | <uint64_t>codes.suit[3] << 27
    key.word[2] = 0
    if g.mixed:
        key.word[2] = (
            <uint64_t>g.pattern[0][(in_play & LANE) >> g.shift]
            | <uint64_t>g.pattern[1][(in_play >> 16 & LANE) >> g.shift] << 16
            | <uint64_t>g.pattern[2][(in_play >> 32 & LANE) >> g.shift] << 32
            | <uint64_t>g.pattern[3][(in_play >> 48 & LANE) >> g.shift] << 48
        )

cdef inline uint64_t hash_key(const key_t* key) noexcept nogil:
    """A well-mixed 64-bit hash (multiply and fold, after Steele and Vigna's splittable generators)."""
    cdef uint64_t h = key.word[0] * <uint64_t>0x9E3779B97F4A7C15
    h ^= h >> 32
    h = (h + key.word[1]) * <uint64_t>0xBF58476D1CE4E5B9
    h ^= h >> 29
    h = (h + key.word[2]) * <uint64_t>0x94D049BB133111EB
    return h ^ h >> 32

cdef inline bint same_key(const key_t* a, const key_t* b) noexcept nogil:
    return a.word[0] == b.word[0] and a.word[1] == b.word[1] and a.word[2] == b.word[2]

# A position as the kernels get it: at any point of a round, a trick in progress included.
cdef struct position_t:
    uint64_t hand[SEATS]            # 32 present hands
    uint64_t trick                  # 8  cards lying
    uint64_t led                    # 8  mask of the led suit, 0 before the lead
    int32_t turn                    # 4  seat to play
    int32_t played                  # 4  cards in the trick
    int32_t best                    # 4  the card that takes the trick so far
    int32_t best_seat               # 4
    int32_t banked                  # 4  units lying in the trick, its own points not counted
    int32_t left                    # 4  tricks not complete
    bint broken                     # 4

cdef inline int next_seat(const game_t* g, int seat) noexcept nogil:
    return seat + 1 if seat + 1 < g.contract.seats else 0

cdef inline void add_to_trick(position_t* p, const game_t* g, int card, int seat) noexcept nogil:
    """Lays `card`, no longer in the hand, into the trick."""
    if p.led == 0:
        p.led = lane_of(card)
    if p.best < 0 or beats(g, card, p.best):
        p.best, p.best_seat = card, seat
    p.trick |= bit_of(card)
    p.banked += g.card[card]
    p.broken |= g.contract.barred >> card & 1

cdef inline void advance(position_t* p, const game_t* g, int card) noexcept nogil:
    """Plays `card` for the seat on turn; a full trick goes to its winner, who leads next."""
    check(p.hand[p.turn] & bit_of(card) != 0)
    p.hand[p.turn] ^= bit_of(card)
    add_to_trick(p, g, card, p.turn)
    p.played += 1
    if p.played < g.contract.seats:
        p.turn = next_seat(g, p.turn)
        return
    p.turn = p.best_seat
    p.left -= 1
    p.played = p.banked = 0
    p.trick = p.led = 0
    p.best = -1

cdef inline uint64_t in_hands(const position_t* p) noexcept nogil:
    return p.hand[0] | p.hand[1] | p.hand[2] | p.hand[3]

cdef inline bint over(const position_t* p, const game_t* g) noexcept nogil:
    """Whether the round ends here, at a trick boundary: no cards, or early stop with nothing left that scores."""
    cdef uint64_t left = in_hands(p)
    cdef int i
    if left == 0:
        return True
    if not g.contract.early_stop or g.gains[p.left] or g.losses[p.left]:
        return False
    for i in range(CLASSES):
        if g.contract.class_mask[i] & left:
            return False
    return True

cdef inline uint64_t separators(const position_t* p, const game_t* g) noexcept nogil:
    """What keeps cards of the hand on turn apart: other hands' cards and what still decides the trick."""
    cdef uint64_t others = in_hands(p) & ~p.hand[p.turn]
    if p.best >= 0:
        others |= bit_of(p.best)
        if g.contract.forced_under and p.trick & p.led:
            others |= bit_of(top(p.trick & p.led))
    return others

cdef int prepare(game_t* g, const contract_t* contract) except -1 nogil
cdef int set_up(position_t* p, const game_t* g, const uint64_t* hands, int leader,
                const int32_t* trick, int played, bint broken) except -1 nogil
cdef int read_contract(contract_t* contract, record) except -1
