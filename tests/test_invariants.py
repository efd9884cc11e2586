"""What must hold between the solver's values whatever they are, on deals that no oracle can reach.

Whole deals of the 32-card packs, endings of ten cards of `parlett-3` and of eight of the 52-card packs, every
contract of every variant in turn. Random from KINGSOLVE_SEED; KINGSOLVE_SCALE=20 takes twenty times as many:

    KINGSOLVE_SEED=9 KINGSOLVE_SCALE=20 python -m pytest tests/test_invariants.py
"""

import random
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

import kingsolve as ks
from kingsolve.cards import LANE, SEATS, SUITS, bits_of, pack_mask, side_name
from kingsolve.solver import sides
from twins import Deal, generator, random_deal, scaled

PER_VARIANT = pytest.mark.parametrize("variant", sorted(ks.variant_ids()))
SIZES = {32: 8, 36: 10, 52: 8}
"""Cards a hand for guarantees, by the size of the pack."""
FEW = {32: 5, 36: 6, 52: 5}
"""Cards a hand for max^n and equilibria, and for tables too small to hold anything."""


def cases(
    name: str, variant: str, sizes: dict[int, int] = SIZES, times: int = 1
) -> Iterator[tuple[random.Random, Deal]]:
    """Deals of every contract of a variant in turn, each with a generator of its own, broken or not."""
    for contract in ks.load_variant(variant).contracts.values():
        for number in range(scaled(times)):
            rng = generator(name, variant, contract.name, number)
            deal = random_deal(rng, contract, sizes[contract.pack.bit_count()])
            late = deal.hands[0].bit_count() < contract.hand_size
            yield rng, replace(deal, broken=late and rng.random() < 0.5)


def solved(position: ks.Position, side: int, solver: ks.Solver | None = None) -> int:
    """The guarantee of a set of seats, by a solver that knows nothing yet unless one is given."""
    bounds = (solver or ks.Solver()).side(position, side)
    assert bounds.exact
    return bounds.minimum


def some_sides(rng: random.Random, seats: int) -> list[int]:
    """One side of each size: a seat, a pair (of four), all but one."""
    every = list(sides(seats))
    return [rng.choice([side for side in every if side.bit_count() == size]) for size in range(1, seats)]


# ----------------------------------------------------------------------------------------------- cooperation


@PER_VARIANT
def test_a_side_and_the_rest_share_all_points(variant: str) -> None:
    """v(S) + v(rest) = C, superadditivity and the Shapley value's sum, from fourteen separate solves."""
    for _, deal in cases("shares", variant):
        position = deal.position()
        seats, total = position.contract.seats, position.to_come
        everybody = (1 << seats) - 1
        value = {0: 0, everybody: total} | {side: solved(position, side) for side in sides(seats)}
        for side, points in value.items():
            assert points + value[everybody ^ side] == total, (deal, side_name(side))
            for other, more in value.items():
                if not side & other:
                    assert value[side | other] >= points + more, (deal, side_name(side), side_name(other))
        shares = ks.shapley(position)
        assert sum(shares) == total
        assert all((6 * share).denominator == 1 for share in shares)
        for seat, share in enumerate(shares):
            assert value[1 << seat] <= share


@PER_VARIANT
def test_help_never_hurts(variant: str) -> None:
    """The best case is no less than the guarantee, and no more than everything good that is to come."""
    for rng, deal in cases("help", variant):
        position = deal.position()
        seat = rng.randrange(position.contract.seats)
        best = ks.Solver().best_case(position, seat)
        assert best.exact
        assert solved(position, 1 << seat) <= best.minimum <= position.contract.max_points


@PER_VARIANT
def test_a_duty_that_cannot_bind_changes_nothing(variant: str) -> None:
    """A duty to trump where there are no trumps: the kernels then use their general search, with no bounds of
    the avoider's (whole deals of eralash may take it minutes)."""
    for rng, deal in cases("two searches", variant, {32: 7, 36: 8, 52: 7}, times=2):
        if deal.contract.trump is None:
            plain = deal.on(replace(deal.contract, void_trump="must-trump"))
            for side in some_sides(rng, deal.contract.seats):
                assert solved(deal.position(), side) == solved(plain.position(), side), (
                    deal,
                    side_name(side),
                )


@PER_VARIANT
def test_a_duty_that_cannot_bind_on_a_barred_first_trick(variant: str) -> None:
    """The same where some cards may not be played on the first trick, of few."""
    for rng, deal in cases("first trick", variant, FEW, times=3):
        contract, size = deal.contract, deal.hands[0].bit_count()
        if contract.trump is None:
            barred = sum(1 << bit for bit in bits_of(sum(deal.hands)) if rng.random() < 0.4)
            plain = deal.on(
                replace(
                    contract, hand_size=size, trick_points=contract.trick_points[-size:], first_barred=barred
                )
            )
            other = plain.on(replace(plain.contract, void_trump="must-trump"))
            seat = 1 << rng.randrange(contract.seats)
            assert solved(plain.position(), seat) == solved(other.position(), seat), (plain, barred)


# -------------------------------------------------------------------------------------------------- symmetry


@PER_VARIANT
def test_rotation_of_seats(variant: str) -> None:
    """The seats moved around the table: each keeps its values."""
    for rng, deal in cases("rotation", variant):
        seats = deal.contract.seats
        step = rng.randrange(1, seats)
        turned = replace(
            deal,
            hands=tuple(deal.hands[(seat - step) % seats] for seat in range(seats)),
            leader=(deal.leader + step) % seats,
        )
        for side in some_sides(rng, seats):
            moved = sum(1 << (seat + step) % seats for seat in range(seats) if side >> seat & 1)
            assert solved(deal.position(), side) == solved(turned.position(), moved), (deal, side_name(side))
        few = small(rng, deal)
        other = replace(
            few,
            hands=tuple(few.hands[(seat - step) % seats] for seat in range(seats)),
            leader=(few.leader + step) % seats,
        )
        vectors = (ks.maxn(few.position()), ks.maxn(other.position()))
        assert vectors[1] == tuple(vectors[0][(seat - step) % seats] for seat in range(seats)), few


def small(rng: random.Random, deal: Deal) -> Deal:
    """Four cards of each hand."""
    few = [sum(1 << bit for bit in rng.sample(list(bits_of(hand)), 4)) for hand in deal.hands]
    return replace(deal, hands=tuple(few))


def suit_signature(contract: ks.Contract, suit: int) -> tuple[object, ...]:
    """Everything a contract says of one suit: suits with equal signatures are treated alike."""
    masks = [getattr(contract, name) for name in MASKS]
    points = tuple(sorted((points, mask >> 16 * suit & LANE) for mask, points in contract.card_points))
    points = tuple(pair for pair in points if pair[1])
    return points, *(mask >> 16 * suit & LANE for mask in masks), contract.trump == SUITS[suit]


MASKS = ("pack", "barred", "waiver", "first_barred", "must_discard", "forced_under")


@PER_VARIANT
def test_suits_that_the_contract_treats_alike(variant: str) -> None:
    """Such suits exchanged: the same guarantees. (Max^n is exempt: card-order names suits.)"""
    for rng, deal in cases("suits", variant):
        contract = deal.contract
        to = list(range(4))
        for group in {suit_signature(contract, suit): None for suit in range(4)}:
            alike = [suit for suit in range(4) if suit_signature(contract, suit) == group]
            for suit, other in zip(alike, rng.sample(alike, len(alike)), strict=True):
                to[suit] = other
        hands = tuple(
            sum((hand >> 16 * suit & LANE) << 16 * to[suit] for suit in range(4)) for hand in deal.hands
        )
        for side in some_sides(rng, contract.seats):
            values = solved(deal.position(), side), solved(replace(deal, hands=hands).position(), side)
            assert values[0] == values[1], (deal, hands, side_name(side))


def widened(contract: ks.Contract) -> ks.Contract:
    """The contract played with a 52-card pack of which the same number of cards is dealt: what it says of all
    cards of a suit it says of the low ones too."""

    def wide(mask: int) -> int:
        for suit in range(4):
            lane = LANE << 16 * suit
            if mask & lane and mask & lane == contract.pack & lane:
                mask |= lane
        return mask

    masks = {name: wide(getattr(contract, name)) for name in MASKS[1:]}
    points = tuple((wide(mask), points) for mask, points in contract.card_points)
    return replace(contract, pack=pack_mask("2-A"), card_points=points, **masks)


def card_signature(contract: ks.Contract, bit: int) -> tuple[object, ...]:
    """Everything a contract says of one card but its rank."""
    points = contract.cards_points(1 << bit)
    return points, *(getattr(contract, name) >> bit & 1 for name in MASKS)


def relabelled(rng: random.Random, contract: ks.Contract, hands: tuple[int, ...]) -> tuple[int, ...]:
    """The hands with other ranks in the same relative order, each card of the same points and duties."""
    to: dict[int, int] = {}
    for suit in range(4):
        held = [bit for bit in bits_of(sum(hands)) if bit >> 4 == suit]
        free = [bit for bit in bits_of(contract.pack) if bit >> 4 == suit]
        above = 16 * suit + 16
        room: list[int] = []  # the highest place each card may take, so that those above it find theirs
        for bit in reversed(held):
            above = max(
                b for b in free if b < above and card_signature(contract, b) == card_signature(contract, bit)
            )
            room.insert(0, above)
        low = 16 * suit - 1
        for bit, most in zip(held, room, strict=True):
            signature = card_signature(contract, bit)
            low = rng.choice(
                [b for b in free if low < b <= most and card_signature(contract, b) == signature]
            )
            to[bit] = low
    return tuple(sum(1 << to[bit] for bit in bits_of(hand)) for hand in hands)


@PER_VARIANT
def test_relabelling_of_ranks(variant: str) -> None:
    """Only the relative order of ranks counts, among cards of the same points and duties: guarantees, the
    cards' values, max^n and equilibria."""
    for rng, deal in cases("ranks", variant, times=2):
        wide = deal.on(widened(deal.contract))
        moved = replace(wide, hands=relabelled(rng, wide.contract, wide.hands))
        for side in some_sides(rng, deal.contract.seats):
            value = solved(deal.position(), side)
            assert value == solved(wide.position(), side)
            assert value == solved(moved.position(), side), (deal, moved, side_name(side))
        few = small(rng, wide)
        other = replace(few, hands=relabelled(rng, few.contract, few.hands))
        for concept in (ks.maxn, ks.equilibria):
            assert concept(few.position()) == concept(other.position()), (few, other)  # type: ignore[operator]


@PER_VARIANT
def test_points_may_be_scaled(variant: str) -> None:
    """Three times the points: three times the values."""
    for rng, deal in cases("scale", variant):
        contract = deal.contract
        dear = deal.on(
            replace(
                contract,
                trick_points=tuple(3 * points for points in contract.trick_points),
                card_points=tuple((mask, 3 * points) for mask, points in contract.card_points),
            )
        )
        side = rng.choice(list(sides(contract.seats)))
        assert 3 * solved(deal.position(), side) == solved(dear.position(), side)
        few = small(rng, deal)
        assert tuple(3 * points for points in ks.maxn(few.position())) == ks.maxn(
            few.on(dear.contract).position()
        )


# ----------------------------------------------------------------------------------- values, cards and lines


@PER_VARIANT
def test_the_line_replays_to_the_value(variant: str) -> None:
    """One line of play, legal to its last card, ends the round with the value banked."""
    for rng, deal in cases("line", variant):
        position = deal.position()
        for side in some_sides(rng, deal.contract.seats):
            value = solved(position, side)
            walker = deal.position()
            for card in ks.Solver().line(position, side):
                walker.push(card)
            assert walker.is_over, deal
            banked = sum(walker.banked[seat] for seat in range(deal.contract.seats) if side >> seat & 1)
            assert banked == value, (deal, side_name(side))


@PER_VARIANT
def test_the_value_is_the_best_of_the_cards(variant: str) -> None:
    """Somewhere in the round: the value is its best card's, whose worth is what is banked by pushing it and
    what is to come after it, by another solver."""
    for rng, deal in cases("cards", variant):
        position = deal.position()
        for _ in range(rng.randrange(8)):
            position.push(rng.choice(position.legal_cards()))
        if position.is_over:
            continue
        for side in some_sides(rng, deal.contract.seats):
            solver = ks.Solver()
            cards = solver.cards(position, side)
            assert list(cards) == position.legal_cards()
            ours = side >> SEATS.index(position.turn) & 1
            best = (max if ours else min)(worth.minimum for worth in cards.values())
            assert solved(position, side) == solved(position, side, solver) == best, (deal, side_name(side))
            card = rng.choice(list(cards))
            before = position.banked
            position.push(card)
            gained = [after - was for after, was in zip(position.banked, before, strict=True)]
            banked = sum(gained[seat] for seat in range(deal.contract.seats) if side >> seat & 1)
            assert cards[card].minimum == banked + solved(position, side), (deal, card, side_name(side))
            position.pop()


@PER_VARIANT
def test_early_stop_changes_nothing(variant: str) -> None:
    """Rounds played to the last card although nothing scores any more: the same values."""
    for rng, deal in cases("early stop", variant):
        other = deal.on(replace(deal.contract, early_stop=not deal.contract.early_stop))
        for side in some_sides(rng, deal.contract.seats):
            assert solved(deal.position(), side) == solved(other.position(), side), (deal, side_name(side))
        few = small(rng, deal)
        concepts: list[Callable[[ks.Position], object]] = [
            ks.maxn,
            lambda position: ks.maxn(position, ties="spiteful"),
            ks.equilibria,
        ]
        for concept in concepts:
            assert concept(few.position()) == concept(few.on(other.contract).position()), few


@PER_VARIANT
def test_a_broken_flag_without_a_bar_means_nothing(variant: str) -> None:
    """`broken` is ignored where no bar falls by being broken."""
    for rng, deal in cases("broken", variant, FEW):
        if not deal.contract.until_broken:
            side = rng.choice(list(sides(deal.contract.seats)))
            values = {solved(replace(deal, broken=broken).position(), side) for broken in (False, True)}
            assert len(values) == 1, deal


# ------------------------------------------------------------------------------------------ tables and order


@PER_VARIANT
def test_any_table_gives_the_same_values(variant: str) -> None:
    """A table of a few entries, of a megabyte, or the default: guarantees, the best case, max^n."""
    for rng, deal in cases("tables", variant, FEW):
        position = deal.position()
        solvers = [ks.Solver(ks.Limits(memory=memory)) for memory in (1024, 1 << 14, 1 << 20)]
        for side in some_sides(rng, deal.contract.seats):
            assert len({solved(position, side, solver) for solver in [*solvers, None]}) == 1, (
                deal,
                side_name(side),
            )
        seat = rng.randrange(deal.contract.seats)
        assert len({solver.best_case(position, seat) for solver in solvers}) == 1
        for ties in ("card-order", "spiteful"):
            assert len({solver.maxn(position, ties) for solver in solvers}) == 1, deal


@PER_VARIANT
def test_what_was_learnt_before_changes_no_value(variant: str) -> None:
    """One solver asked along a random round, backwards and forwards, mid-trick too: what new solvers say."""
    for rng, deal in cases("learnt", variant):
        position = deal.position()
        side = rng.choice(list(sides(deal.contract.seats)))
        points = [position.copy()]
        while not position.is_over:
            position.push(rng.choice(position.legal_cards()))
            points.append(position.copy())
        expected = [solved(point, side) for point in points]
        solver = ks.Solver()
        for order in (reversed(range(len(points))), range(len(points))):
            for at in order:
                assert solved(points[at], side, solver) == expected[at], (points[at], side_name(side))


@PER_VARIANT
def test_a_solver_keeps_broken_and_standing_bars_apart(variant: str) -> None:
    """The same hands with the bar broken and not, asked of one solver in turn: what new solvers say."""
    for rng, deal in cases("bars", variant, FEW, times=8):
        if deal.contract.until_broken and deal.hands[0].bit_count() < deal.contract.hand_size:
            side = rng.choice(list(sides(deal.contract.seats)))
            points = [replace(deal, broken=broken).position() for broken in (False, True)]
            expected = [solved(point, side) for point in points]
            solver = ks.Solver()  # nobody else may search in between: the table would be forgotten
            found = [solved(point, side, solver) for point in [*points, *points]]
            assert found == expected * 2, (deal, side_name(side))
            vectors = [ks.maxn(point) for point in points]
            solver = ks.Solver()
            assert [solver.maxn(point) for point in [*points, *points]] == vectors * 2, deal


def nodes_of(deal: Deal) -> tuple[int, ...]:
    """The cards played for each of some questions."""
    position = deal.position()
    counts = []
    for question in (
        lambda solver: solver.side(position, 1),
        lambda solver: solver.side(position, 2),
        lambda solver: solver.side(position, 3),
        lambda solver: solver.best_case(position, 0),
        lambda solver: solver.maxn(position, "card-order"),
        lambda solver: solver.equilibria(position),
    ):
        solver = ks.Solver(ks.Limits(memory=1 << 16))
        question(solver)
        counts.append(solver.nodes)
    return tuple(counts)


def test_node_counts_depend_on_the_deal_alone() -> None:
    """Whatever the thread did before, in one thread or two, in any order: the same nodes."""
    rng = generator("nodes")
    contracts = [c for id in ks.variant_ids() for c in ks.load_variant(id).contracts.values()]
    deals = [random_deal(rng, contract, 5) for contract in rng.sample(contracts, 40)]
    alone = [nodes_of(deal) for deal in deals]
    assert sum(map(sum, alone)) > 0
    order = rng.sample(range(len(deals)), len(deals))
    again = {at: nodes_of(deals[at]) for at in order}
    assert [again[at] for at in range(len(deals))] == alone
    found: dict[tuple[int, int], tuple[int, ...]] = {}

    def work(thread: int, mine: list[int]) -> None:
        for at in mine:
            found[thread, at] = nodes_of(deals[at])

    orders = [rng.sample(range(len(deals)), len(deals)) for _ in range(2)]
    threads = [threading.Thread(target=work, args=(thread, orders[thread])) for thread in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for thread in range(2):
        assert [found[thread, at] for at in range(len(deals))] == alone


# ------------------------------------------------------------------------------------------ each for himself


@PER_VARIANT
def test_max_n_ends_in_an_equilibrium(variant: str) -> None:
    """Every max^n vector lies in `equilibria`; every equilibrium shares out all points and gives each seat at
    least its guarantee."""
    for _, deal in cases("equilibria", variant, FEW):
        position = deal.position()
        vectors = ks.equilibria(position)
        assert vectors == sorted(set(vectors))
        assert ks.maxn(position) in vectors, deal
        assert ks.maxn(position, ties="spiteful") in vectors, deal
        sure = [solved(position, 1 << seat) for seat in range(deal.contract.seats)]
        for vector in vectors:
            assert sum(vector) == position.to_come
            assert all(points >= least for points, least in zip(vector, sure, strict=True)), (deal, vector)
