"""The specialised searches against the plain one, and the audit of stored patterns (docs/solver.md,
"Patterns")."""

import random
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from kingsolve import Contract, load_variant
from kingsolve._core import Context
from kingsolve.cards import bits_of, cards_of, mask_of, pack_mask
from kingsolve.position import Position
from kingsolve.solver import in_play_order

NO_TRICK = np.zeros(0, np.int32)
LANE = 0x1FFF
RELAXED = 1 << 63
"""In the key of a pattern of the relaxed game, for tests/test_gaps.py."""

BRIDGE = Contract(
    name="notrump",
    title="Bridge, no trumps",
    variant="bridge",
    pack=pack_mask("2-A"),
    seats=4,
    hand_size=13,
    trick_points=(1,) * 13,
)
TRICKS = [
    BRIDGE,
    *(load_variant("full-king").contract(name) for name in ("trumps-s", "trumps-nt")),
    load_variant("jeu-du-roi").contract("trumps-d"),
    load_variant("dealers-choice-20").contract("trumps-h"),
    load_variant("rifki").contract("trumps-c"),
    load_variant("parlett-3").contract("tricks"),
]
PENALTIES = [
    contract
    for variant in ("russian-14", "dealers-choice-20", "rifki", "parlett-3", "king-1993", "kierki")
    for contract in load_variant(variant).contracts.values()
    if contract.total < 0
]

GAINS = [
    contract
    for variant in ("russian-14", "parlett-3", "king-1993")
    for contract in load_variant(variant).contracts.values()
    if contract.total > 0
]


def ident(contract: Contract) -> str:
    return f"{contract.variant}-{contract.name}"


def random_hands(rng: random.Random, contract: Contract, size: int) -> list[int]:
    """Random hands of that many cards, as masks, with some of the cards that score."""
    scoring = list(bits_of(contract.scoring_cards))
    some = rng.sample(scoring, min(len(scoring), rng.randrange(1, 2 * size)))
    rest = [bit for bit in bits_of(contract.pack) if bit not in some]
    bits = some + rng.sample(rest, size * contract.seats - len(some))
    rng.shuffle(bits)
    return [sum(1 << bit for bit in bits[i * size : (i + 1) * size]) for i in range(contract.seats)]


def solve(
    context: Context, contract: Contract, hands: list[int], leader: int, broken: bool
) -> tuple[int, int]:
    low, high, _, stop = context.value(np.array(hands, np.uint64), leader, NO_TRICK, broken)
    assert stop == 0
    return low, high


Arguments = tuple[NDArray[np.uint64], int, NDArray[np.int32], bool]
"""A position as `Context.value` takes it: hands in the order of play, leader, trick, broken."""


def some_cards_on(rng: random.Random, contract: Contract, hands: list[int], broken: bool) -> Arguments:
    """These hands with a random leader, after a few random cards of the first trick."""
    walker = Position.from_masks(contract, hands, leader=rng.randrange(contract.seats), broken=broken)
    trick = []
    for _ in range(rng.randrange(contract.seats)):
        trick.append(rng.choice(list(bits_of(walker.legal_mask()))))
        walker.push(cards_of(1 << trick[-1])[0])
    order = in_play_order(contract)
    masks = np.array([walker.masks[seat] for seat in order], np.uint64)
    return masks, order.index("NESW".index(walker.leader)), np.array(trick, np.int32), walker.broken


def check_side(
    contexts: tuple[Context, Context], contract: Contract, arguments: Arguments, scores: int, raises: int
) -> None:
    """The search that is made for the side and the plain one say the same."""
    answers = []
    for context, only_plain in zip(contexts, (False, True), strict=True):
        context.begin(contract.record, scores, raises, only_plain)
        answers.append(context.value(*arguments)[:2])
    assert answers[0] == answers[1], (contract, arguments, scores, raises)


@pytest.mark.parametrize("contract", [*TRICKS, *PENALTIES, *GAINS], ids=ident)
def test_a_specialised_search_agrees_with_the_plain_one(contract: Contract) -> None:
    rng = random.Random(ident(contract))
    contexts = Context(1 << 20), Context(1 << 20)
    for _ in range(30):
        hands = random_hands(rng, contract, rng.randrange(3, 7))
        side = rng.randrange(1, (1 << contract.seats) - 1)
        arguments = some_cards_on(rng, contract, hands, rng.random() < 0.5)
        check_side(contexts, contract, arguments, side, side)


def skewed_hands(rng: random.Random, contract: Contract, size: int) -> list[int]:
    """Hands with long suits and voids: few suits, and every seat has those that it prefers."""
    weight = [rng.choice((0.02, 1, 3)) for _ in range(4)]
    bits = sorted(bits_of(contract.pack), key=lambda bit: rng.random() ** (1 / weight[bit >> 4]))
    bits = bits[-size * contract.seats :]
    rng.shuffle(bits)
    liking = [[rng.random() ** 3 + 0.02 for _ in range(4)] for _ in range(contract.seats)]
    hands = [0] * contract.seats
    for bit in bits:
        free = [seat for seat in range(contract.seats) if hands[seat].bit_count() < size]
        hands[rng.choices(free, [liking[seat][bit >> 4] for seat in free])[0]] |= 1 << bit
    return hands


@pytest.mark.parametrize("contract", TRICKS, ids=ident)
def test_long_suits_and_voids_are_solved_right(contract: Contract) -> None:
    rng = random.Random(f"skewed {ident(contract)}")
    fast, plain = Context(1 << 20), Context(1 << 20)
    for _ in range(2000):
        hands = skewed_hands(rng, contract, rng.randrange(4, 7))
        leader, broken = rng.randrange(contract.seats), rng.random() < 0.5
        side = rng.randrange(1, (1 << contract.seats) - 1)
        answers = []
        for context, only_plain in ((fast, False), (plain, True)):
            context.begin(contract.record, side, side, only_plain)
            answers.append(solve(context, contract, hands, leader, broken))
        assert answers[0] == answers[1], (hands, leader, broken, side)


def bridge(*hands: str) -> list[int]:
    """Hands of suits from spades to clubs, with points between."""
    suits = ((suit, part) for hand in hands for suit, part in zip("shdc", hand.split("."), strict=True))
    cards = [mask_of([rank + suit for rank in part]) for suit, part in suits]
    return [sum(cards[i : i + 4]) for i in range(0, len(cards), 4)]


def test_a_friends_low_cards_are_stranded_when_the_leader_must_overtake() -> None:
    hands = bridge("A98.2.2.", "QJ.A.AK.", "K7654...", "T3.KQ.Q.")
    context = Context(1 << 20)
    for only_plain in (False, True):
        # Ace and king, and the 9 that N cannot but take: S is not reached again.
        context.begin(BRIDGE.record, 0b0101, 0b0101, only_plain)
        assert solve(context, BRIDGE, hands, 0, False) == (3, 3), only_plain


@pytest.mark.parametrize(
    ("cards", "leader"),
    [
        (("8h7h9d", "Ks9hJc", "Qs8d2d", "Kd5d4c"), 0),
        (("KsTs3s9c", "2s7hJdTc", "9s4s6d5d", "Qs7s5s5h"), 3),
    ],
)
def test_a_hand_may_have_to_throw_a_top(cards: tuple[str, ...], leader: int) -> None:
    context = Context(1 << 20)
    for only_plain in (False, True):
        # E tops more suits than it can keep cards, and must throw one before it is settled what is led last.
        context.begin(BRIDGE.record, 0b0010, 0b0010, only_plain)
        assert solve(context, BRIDGE, [mask_of(hand) for hand in cards], leader, False) == (0, 0), only_plain


def test_winners_of_a_barred_suit_are_no_sure_tricks() -> None:
    contract = load_variant("dealers-choice-20").contract("trumps-h")
    cards = (
        ("8h", "3d", "Qc", "9c"),
        ("Kh", "5h", "2h", "Kc"),
        ("5s", "4s", "Qh", "Qd"),
        ("Ts", "Jh", "4c", "3c"),
    )
    # E has the only trumps that matter, but must lead his king of clubs: hearts are barred.
    position = Position.from_masks(contract, [mask_of(hand) for hand in cards], leader=1)
    assert position.legal_mask() == mask_of(("Kc",))
    context = Context(1 << 20)
    for only_plain in (False, True):
        context.begin(contract.record, 0b0010, 0b0010, only_plain)
        low, high, *_ = context.value(np.array(position.masks, np.uint64), 1, np.array([], np.int32), False)
        assert (low, high) == (100, 100), only_plain


def test_a_pattern_tells_who_holds_the_cards_that_waive_a_bar() -> None:
    contract = load_variant("dealers-choice-20").contract("trumps-h")
    context = Context(1 << 20)
    for only_plain in (False, True):
        context.begin(contract.record, 0b1000, 0b1000, only_plain)
        # W draws both trumps with his ace, and all is his. From A 3 2 he may not, and N ruffs his spade.
        for west, north, east, value in (("AhKhQhAs", "2h", "3h", 200), ("Ah3h2hAs", "Kh", "Qh", 150)):
            hands = north + "5c4c3c", east + "8c7c6c", "5d4d3d2d", west
            masks = [mask_of(hand) for hand in hands]
            assert solve(context, contract, masks, 3, False) == (value, value), only_plain


def lengths_of(key: int) -> tuple[int, int, bool, list[list[int]]]:
    """Tricks left, leader, broken, and the suit lengths of four hands, from a bucket's key."""
    left, lengths = key & 15, []
    for seat in range(4):
        three = [key >> (7 + 12 * seat + 4 * suit) & 15 for suit in range(3)]
        lengths.append([*three, left - sum(three)])
    return left, key >> 4 & 3, bool(key >> 6 & 1), lengths


def odd_cards(contract: Contract) -> int:
    """Cards that some rule or score tells from the lowest card of their suit."""
    sets = [mask for mask, _ in contract.card_points]
    sets += [contract.barred, contract.waiver, contract.first_barred]
    sets += [contract.must_discard, contract.forced_under]
    odd = 0
    for suit in range(4):
        lane = contract.pack & LANE << 16 * suit
        lowest = lane & -lane
        for cards in sets:
            odd |= lane & ~cards if cards & lowest else lane & cards
    return odd


def ranks_of(
    rng: random.Random,
    contract: Contract,
    dealt: int,
    odd: int,
    suit: int,
    crest: int,
    broken: bool,
    size: int,
) -> list[int]:
    """Ranks for that many cards of a suit, lowest first, that show the same kinds as the pattern's positions.

    The crest holds the ranks of the cards down to the lowest odd one; any plain cards may lie below. The suit
    of a bar that still stands keeps its ranks: none of it has been played.
    """
    shift = min(bit % 16 for bit in bits_of(contract.pack))
    crown = [rank + shift for rank in bits_of(crest)]
    standing = contract.until_broken and not broken and contract.barred >> 16 * suit & LANE
    plain = (dealt if standing else contract.pack) & ~odd
    below = [rank for rank in bits_of(plain >> 16 * suit & LANE) if not crown or rank < crown[0]]
    return sorted(rng.sample(below, size - len(crown))) + crown


def twin(
    rng: random.Random,
    contract: Contract,
    dealt: int,
    odd: int,
    key: int,
    crests: int,
    code: tuple[int, int],
    mask: tuple[int, int],
) -> list[int]:
    """Random hands that match a pattern: its owners where it fixes them, its lengths, its kinds, any
    ranks."""
    _, _, broken, lengths = lengths_of(key)
    hands = [0] * contract.seats
    for suit in range(4):
        need = [lengths[seat][suit] for seat in range(contract.seats)]
        owners: list[int | None] = [None] * sum(need)
        shift = 27 * (suit & 1)
        fixed, owned = mask[suit >> 1] >> shift, code[suit >> 1] >> shift
        for i in range(len(owners)):
            if fixed >> 2 * i & 3:
                owner = owned >> 2 * i & 3
                owners[i] = owner
                need[owner] -= 1
        rest = [seat for seat in range(contract.seats) for _ in range(need[seat])]
        rng.shuffle(rest)
        ranks = ranks_of(rng, contract, dealt, odd, suit, crests >> 16 * suit & LANE, broken, len(owners))
        for rank, owner in zip(ranks, owners, strict=True):
            hands[rest.pop() if owner is None else owner] |= 1 << (16 * suit + rank)
    return hands


def check_twins(
    rng: random.Random,
    contexts: tuple[Context, Context],
    contract: Contract,
    dealt: int,
    side: int,
    most: int,
) -> int:
    """Checks twins of at most so many of the patterns that the first context has stored for a side and cards
    dealt, by the plain search of the second; says how many it were."""
    fast, plain = contexts
    avoiding = fast.search in ("avoider", "field")
    if fast.search == "field":
        side ^= (1 << contract.seats) - 1
    odd = 0 if fast.search == "takers" else odd_cards(contract)
    stored = [pattern for pattern in fast.patterns() if not pattern[0] & RELAXED]
    for key, crests, code, mask, low, high in rng.sample(stored, min(most, len(stored))):
        _, leader, broken, _ = lengths_of(key)
        other = twin(rng, contract, dealt, odd, key, crests, code, mask)
        plain.begin(contract.record, side, side, True)
        value = solve(plain, contract, other, leader, broken)[0] // contract.unit
        if avoiding:
            value = -value  # an avoider's patterns hold his losses
        assert low <= value <= high, (contract, cards_of(dealt), side, other, leader, broken)
    return min(most, len(stored))


def audited(
    rng: random.Random,
    contract: Contract,
    deals: int,
    size: int,
    most: int = 10_000,
    *,
    pairs: bool = False,
    skewed: bool = False,
) -> Iterator[int]:
    """Checks twins of every pattern stored for random small deals; yields the number of twins of each
    deal."""
    contexts = Context(1 << 20), Context(1 << 20)
    for _ in range(deals):
        dealt = skewed_hands if skewed else random_hands
        hands, leader = dealt(rng, contract, size), rng.randrange(contract.seats)
        side, broken = rng.randrange(1, (1 << contract.seats) - 1), rng.random() < 0.5
        if pairs:
            side = sum(1 << seat for seat in rng.sample(range(contract.seats), 2))
        elif contract.total < 0:
            side = 1 << rng.randrange(contract.seats)
        contexts[0].begin(contract.record, side, side)
        solve(contexts[0], contract, hands, leader, broken)
        yield check_twins(rng, contexts, contract, sum(hands), side, most)


@pytest.mark.parametrize("contract", TRICKS, ids=ident)
def test_stored_patterns_speak_the_truth_of_all_that_match(contract: Contract) -> None:
    rng = random.Random(f"audit {ident(contract)}")
    assert sum(audited(rng, contract, 150, 4)) + sum(audited(rng, contract, 50, 5)) > 300
    assert sum(audited(rng, contract, 150, 5, skewed=True)) > 300


@pytest.mark.parametrize("contract", PENALTIES, ids=ident)
def test_stored_patterns_of_avoiders_speak_the_truth_too(contract: Contract) -> None:
    rng = random.Random(f"audit {ident(contract)}")
    assert sum(audited(rng, contract, 60, 4, 20)) + sum(audited(rng, contract, 12, 5, 60)) > 80


@pytest.mark.parametrize("contract", GAINS, ids=ident)
def test_stored_patterns_of_the_general_search_speak_the_truth_too(contract: Contract) -> None:
    rng = random.Random(f"audit {ident(contract)}")
    assert sum(audited(rng, contract, 60, 4, 20)) + sum(audited(rng, contract, 12, 5, 60)) > 80


PAIRED = [contract for contract in PENALTIES if contract.seats == 4]


@pytest.mark.parametrize("contract", PAIRED, ids=ident)
def test_stored_patterns_of_pairs_that_avoid_speak_the_truth_too(contract: Contract) -> None:
    rng = random.Random(f"audit pairs {ident(contract)}")
    assert sum(audited(rng, contract, 60, 4, 20, pairs=True)) > 80
