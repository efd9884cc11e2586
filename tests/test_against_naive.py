"""Position and the exact core against the slow oracle (tests/naive.py), over every contract there is.

- the lines of tests/data/endings: the oracle's answers from one long run, all of them, every time, and some
  of the lines written again;
- positions made anew from KINGSOLVE_SEED, which the oracle answers while the tests run. Another seed gives
  others, KINGSOLVE_SCALE=20 twenty times as many:

      KINGSOLVE_SEED=9 KINGSOLVE_SCALE=20 python -m pytest tests/test_against_naive.py
"""

import json
import random
from fractions import Fraction
from typing import Any

import pytest

import kingsolve as ks
import naive
from kingsolve._core.rules import legal_cards
from kingsolve.cards import ALL_CARDS, cards_of, mask_of, parse_side
from kingsolve.contract import classes_of
from kingsolve.solver import _Arguments
from make_answers import COUNTS, RARE, Task, answers, record_of
from twins import DATA, EVERY, generator, label, our_contract, our_position, ours, records, scaled

PER_CONTRACT = pytest.mark.parametrize("contract", [pytest.param(c, id=label(c)) for c in EVERY])
VARIANTS = sorted(naive.CONTRACTS)


# ----------------------------------------------------------------------------------------------------- rules


def kernel_masks(position: ks.Position) -> tuple[int, int]:
    """The kernels' legal cards, and their one card of each run of equals."""
    arguments = _Arguments.of(position)
    cards, distinct = legal_cards(
        position.contract.record, arguments.hands, arguments.leader, arguments.trick, arguments.broken
    )
    return int(cards), int(distinct)


def check_rules(position: naive.Position, mine: ks.Position) -> None:
    """Who plays, what may be played and why the rest may not, what is to come: the same in all three."""
    legal = naive.legal(position) if any(position.hands) else set()
    assert mine.turn == position.turn
    assert set(mine.legal_cards()) == legal
    assert mine.is_over == naive.is_over(position)
    assert mine.tricks_left == max(len(hand) for hand in position.hands)
    if not mine.is_over:
        assert mine.to_come == naive.points_to_come_total(position)
    if legal:
        cards, distinct = kernel_masks(mine)
        assert set(cards_of(cards)) == legal
        assert distinct
        assert distinct & ~cards == 0
    for card in position.contract.pack:
        reason = mine.why_illegal(card)
        assert (reason is None) == (card in legal)
        if reason is not None:
            assert len(reason) > 10
            assert "\n" not in reason


@PER_CONTRACT
def test_rules_of_whole_rounds(contract: naive.NaiveContract) -> None:
    """Random rounds to the last card: before each card all three know the same, and it scores the same."""
    rng = generator("rounds", label(contract))
    for _ in range(scaled(2)):
        hands = naive.deal_rest(rng, contract, {}, contract.hand)
        position = naive.position(contract, hands, rng.choice(contract.seats))
        mine = ours(position)
        banked = dict.fromkeys(contract.seats, 0)
        while any(position.hands):
            check_rules(position, mine)
            card = naive.pick(rng, naive.legal(position), 1)[0]
            position, gained = naive.play(position, card)
            mine.push(card)
            for seat, points in gained.items():
                banked[seat] += points
            assert mine.banked == tuple(banked.values())
        assert mine.is_over
        assert naive.is_over(position)


@PER_CONTRACT
def test_rules_of_rare_positions(contract: naive.NaiveContract) -> None:
    """What the oracle knows for rare rules: bars, duties, waivers, ruffs, forced penalties."""
    rng = generator("rare rules", label(contract))
    found = naive.rare_positions(contract, rng)
    for name, position in found if len(found) <= scaled(200) else rng.sample(found, scaled(200)):
        try:
            check_rules(position, ours(position))
        except AssertionError as error:
            error.add_note(f"{name}: {position}")
            raise


# ---------------------------------------------------------------------------------------------------- values

WHERE = ("contract", "deal", "leader", "trick", "broken")
"""The keys of a line that say which position it is about."""


def check_values(position: ks.Position, record: dict[str, Any]) -> None:
    """Holds the package to all the answers of one line."""
    expected = {key: value for key, value in record.items() if key not in WHERE}
    try:
        assert values_of(position, record) == expected
        if len(record["sides"]) == 2**position.contract.seats - 2:
            assert ks.coalitions(position) == record["sides"]
            assert ks.shapley(position) == fair_shares(position.contract.seat_names, record)
    except AssertionError as error:
        error.add_note(f"{position.contract.variant} {position!r}\n{json.dumps(record)}")
        raise


def values_of(position: ks.Position, record: dict[str, Any]) -> dict[str, Any]:
    """What the package says to the questions of a line, in its form. Every side is solved for itself."""
    solver = ks.Solver()
    sides = {side: solver.side(position, parse_side(side)) for side in record["sides"]}
    assert all(bounds.exact for bounds in sides.values())
    solution = ks.solve(position, side=record["side"])
    assert solution.status == "exact"
    assert solution.value == record["sides"][record["side"]]
    depth = record["perft"][0]
    found: dict[str, Any] = {
        "total": position.to_come,
        "side": record["side"],
        "cards": solution.cards,
        "sides": {side: bounds.minimum for side, bounds in sides.items()},
        "best_case": {seat: ks.best_case(position, seat) for seat in record["best_case"]},
        "perft": [depth, ks.perft(position, depth)],
    }
    if "maxn" in record:
        found["maxn"] = list(ks.maxn(position))
    if "spiteful" in record:
        found["spiteful"] = list(ks.maxn(position, ties="spiteful"))
    if "equilibria" in record:
        found["equilibria"] = [list(vector) for vector in ks.equilibria(position)]
    return found


def fair_shares(seats: str, record: dict[str, Any]) -> tuple[Fraction, ...]:
    """The Shapley values of a line's guarantees, by the closed forms of docs/solver.md."""

    def v(*members: str) -> int:
        value: int = record["sides"]["".join(seat for seat in seats if seat in members)]
        return value

    shares = []
    for p in seats:
        others = [q for q in seats if q != p]
        if len(seats) == 3:
            shares.append(Fraction(record["total"] + 2 * v(p) - sum(v(q) for q in others), 3))
        else:
            shares.append(Fraction(3 * v(p) + sum(v(p, q) - v(q) for q in others), 6))
    return tuple(shares)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_long_run(variant: str) -> None:
    """Every question of tests/data/endings, answered as the oracle did."""
    lines = 0
    for record in records(DATA / "endings" / f"{variant}.jsonl"):
        check_values(our_position(variant, record), record)
        lines += 1
    assert lines == (sum(COUNTS.values()) + RARE) * len(naive.CONTRACTS[variant])


def again(task: Task) -> Any:
    """The line of a task as it is read back."""
    return json.loads(json.dumps(answers(task)))


@PER_CONTRACT
def test_a_line_of_the_long_run_written_again(contract: naive.NaiveContract) -> None:
    """The oracle still says what the files say: one small line of each contract (which: KINGSOLVE_SEED)."""
    rng = generator("again", label(contract))
    size = rng.choice([2, 3, 0])
    number = rng.randrange(COUNTS[size] if size else RARE)
    task = Task(1, contract.variant, contract.name, size, number)
    place = sum(count for cards, count in COUNTS.items() if size == 0 or cards < size) + number
    lines = records(DATA / "endings" / f"{contract.variant}.jsonl")
    mine = [record for record in lines if record["contract"] == contract.name]
    assert again(task) == mine[place]


@PER_CONTRACT
def test_fresh_endings(contract: naive.NaiveContract) -> None:
    """New endings of 2 to 4 cards and rare positions, asked of the oracle here and now."""
    rng = generator("fresh", label(contract))
    for _ in range(scaled(1)):
        sizes = [2, 3, 0, 0, rng.choice([0] * 15 + [4])]
        for size in sizes:
            task = Task(rng.randrange(2, 1 << 30), contract.variant, contract.name, size, 0)
            record = again(task)
            check_values(our_position(contract.variant, record), record)


# --------------------------------------------------------------------------------------------- house rules


def some_cards(rng: random.Random, pack: frozenset[str]) -> frozenset[str]:
    """A set of cards such as rules name: a suit, a rank, one card, a few of any kind; or none."""
    kind = rng.randrange(6)
    if kind == 0:
        return naive.cards_of(pack, suits=rng.choice(naive.SUITS))
    if kind == 1:
        return naive.cards_of(pack, ranks=rng.choice(["Q", "KJ", "A", "79T"]))
    if kind == 2:
        return frozenset({rng.choice(["Kh", "Qs", "Jd", "9c"])})
    if kind == 3:
        return frozenset(naive.pick(rng, pack, rng.randrange(2, 9)))
    return frozenset()


def house_contract(rng: random.Random) -> naive.NaiveContract:
    """A contract of a variant that nobody ships: any rule with any other, few cards a hand from the start."""
    seats, lowest = rng.choice(["NESW", "NESW", "NES"]), rng.choice("7772")
    base = naive.bare("house", seats, lowest, clockwise=rng.random() < 0.7, early_stop=rng.random() < 0.7)
    hand = rng.choice([2, 3, 3])
    signs = rng.choice([(-1,), (-1,), (1,), (-1, 1)])
    trick = rng.choice(signs) * rng.randrange(4)
    places = rng.choice(
        [(0,) * 5, (trick,) * 5, (0, 0, 0, trick, trick), (0, trick, 0, 5 * rng.choice(signs), 0)]
    )
    points: dict[str, int] = {}
    for _ in range(rng.randrange(4)):
        points |= dict.fromkeys(some_cards(rng, base.pack), rng.choice(signs) * rng.randrange(1, 6))
    barred = some_cards(rng, base.pack)
    made = naive.replace(
        base,
        hand=hand,
        trick_points=places[-hand:],
        card_points=points,
        barred_leads=barred,
        barred_until=rng.choice(["nothing-else", "broken"]) if barred else "",
        must_discard=some_cards(rng, base.pack),
        penalty_under_higher=some_cards(rng, base.pack) if rng.random() < 0.4 else frozenset(),
    )
    if rng.random() < 0.45:
        chance = [rng.random() < 0.5 for _ in range(5)]
        made = naive.replace(
            made,
            trump=rng.choice(naive.SUITS),
            akq_may_lead=chance[0],
            no_trumps_first_trick=chance[1],
            must_trump=chance[2],
            must_overtrump=chance[2] and chance[3],
            must_beat_led_trump=chance[4],
        )
    return made


def house_twin(contract: naive.NaiveContract) -> ks.Contract:
    """The package's twin of a house contract."""
    trumps = naive.cards_of(contract.pack, suits=contract.trump or "-")
    bits = {ALL_CARDS[card]: points for card, points in contract.card_points.items()}
    duty = "must-overtrump" if contract.must_overtrump else "must-trump" if contract.must_trump else "free"
    return ks.Contract(
        name="house",
        title="house",
        variant="house",
        pack=mask_of(contract.pack),
        seats=len(contract.seats),
        hand_size=contract.hand,
        clockwise=contract.clockwise,
        trick_points=contract.trick_points,
        card_points=classes_of(bits),
        trump=contract.trump,
        barred=mask_of(contract.barred_leads),
        until_broken=contract.barred_until == "broken",
        waiver=mask_of([f"{rank}{contract.trump}" for rank in "AKQ"]) if contract.akq_may_lead else 0,
        first_barred=mask_of(trumps) if contract.no_trumps_first_trick else 0,
        must_discard=mask_of(contract.must_discard),
        forced_under=mask_of(contract.penalty_under_higher),
        void_trump=duty,  # type: ignore[arg-type]
        beat_trump=contract.must_beat_led_trump,
        early_stop=contract.early_stop,
    )


@pytest.mark.parametrize("number", range(scaled(60)))
def test_house_rules(number: int) -> None:
    """Any contract that can be written, of any mixture of rules, from the first trick or later, dealt from
    few cards of few suits so that rules bind: rules and values as the oracle has them."""
    rng = generator("house", number)
    for _ in range(8):
        contract = house_contract(rng)
        mine = house_twin(contract)
        size = contract.hand if rng.random() < 0.7 else rng.randrange(1, contract.hand + 1)
        suits = "".join(rng.sample(naive.SUITS, rng.choice([2, 2, 3, 4])))
        near = naive.cards_of(contract.pack, suits=suits)
        few = frozenset(naive.pick(rng, near, max(len(contract.seats) * size, 14)))
        hands = naive.deal_rest(rng, naive.replace(contract, pack=few), {}, size)
        broken = rng.random() < 0.5
        position = naive.position(contract, hands, rng.choice(contract.seats), broken=broken)
        ending = ks.Position(mine, hands, leader=position.leader, broken=broken)
        for _ in range(rng.choice([0, 0, 0, 1, 2, 3]) if size > 1 else 0):
            card = naive.pick(rng, naive.legal(position), 1)[0]
            position = naive.after(position, card)[0]
            ending.push(card)
        if not naive.is_over(position):
            check_rules(position, ending)
            check_values(ending, json.loads(json.dumps(record_of(position, rng, size))))


# ------------------------------------------------------------------------------------------ built by hand


def test_a_compulsory_discard_breaks_a_clean_hand() -> None:
    """N's spades lie low enough that nobody can make it take a trick, until the jack must be discarded."""
    position = naive.position(
        naive.CONTRACTS["dealers-choice-20"]["no-men"],
        {"N": {"As", "Js", "2s"}, "E": {"Ks", "3s", "5h"}, "S": {"3h", "Jd", "4c"}, "W": {"4h", "2c", "3c"}},
        "W",
    )
    assert naive.guarantee(position, "N") == -60
    assert ks.coalitions(ours(position)) == naive.coalitions(position)
    free = ks.Position(
        our_contract("kierki", "no-men"), dict(zip("NESW", position.hands, strict=True)), leader="W"
    )
    assert ks.guarantee(free, "N") == 0


def test_a_compulsory_discard_goes_from_below_a_forced_penalty() -> None:
    """On the ace of hearts N has to throw the five of spades, and his nine beats the seven."""
    theirs = naive.replace(
        naive.CONTRACTS["rifki"]["no-tricks"],
        must_discard=frozenset({"5s"}),
        penalty_under_higher=frozenset({"9s"}),
        variant="house",
    )
    hands = {"N": {"9s", "5s"}, "E": {"Ah", "7s"}, "S": {"3h", "4h"}, "W": {"5h", "6h"}}
    position = naive.position(theirs, hands, "E")
    assert naive.guarantee(position, "N") == -50
    assert ks.coalitions(ks.Position(house_twin(theirs), hands, leader="E")) == naive.coalitions(position)
    assert ks.guarantee(ks.Position(our_contract("rifki", "no-tricks"), hands, leader="E"), "N") == 0


def test_a_forced_penalty_breaks_a_clean_hand() -> None:
    """N would play the eight under the ace, but has to play the five; the six then makes it win."""
    theirs = naive.replace(
        naive.CONTRACTS["rifki"]["no-tricks"], penalty_under_higher=frozenset({"5s"}), variant="house"
    )
    hands = {"N": {"8s", "5s"}, "E": {"As", "6s"}, "S": {"2c", "3c"}, "W": {"4c", "5c"}}
    position = naive.position(theirs, hands, "E")
    assert naive.guarantee(position, "N") == -50
    contract = house_twin(theirs)
    assert ks.coalitions(ks.Position(contract, hands, leader="E")) == naive.coalitions(position)
    assert ks.guarantee(ks.Position(our_contract("rifki", "no-tricks"), hands, leader="E"), "N") == 0
