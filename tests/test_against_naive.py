"""Position and the exact core against the slow oracle (tests/naive.py), over every contract there is.

- the lines of tests/data/endings: the oracle's answers from one long run, all of them, every time, and some
  of the lines written again;
- positions made anew from KINGSOLVE_SEED, which the oracle answers while the tests run. Another seed gives
  others, KINGSOLVE_SCALE=20 twenty times as many:

      KINGSOLVE_SEED=9 KINGSOLVE_SCALE=20 python -m pytest tests/test_against_naive.py
"""

import json
from fractions import Fraction
from typing import Any

import pytest

import kingsolve as ks
import naive
from kingsolve._core.rules import legal_cards
from kingsolve.cards import cards_of, parse_side
from kingsolve.solver import _Arguments
from make_answers import COUNTS, RARE, Task, answers
from twins import DATA, EVERY, generator, label, our_position, ours, records, scaled

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
            assert reason[0].islower()
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


def check_values(variant: str, record: dict[str, Any]) -> int:
    """Holds the package to all the answers of one line; returns how many values were compared."""
    position = our_position(variant, record)
    expected = {key: value for key, value in record.items() if key not in WHERE}
    try:
        assert values_of(position, record) == expected
        if len(record["sides"]) == 2**position.contract.seats - 2:
            assert ks.coalitions(position) == record["sides"]
            assert ks.shapley(position) == fair_shares(position.contract.seat_names, record)
    except AssertionError as error:
        error.add_note(f"{variant} {position!r}\n{json.dumps(record)}")
        raise
    several = ("cards", "sides", "best_case", "maxn", "spiteful", "equilibria")
    return 2 + sum(len(record[key]) for key in several if key in record)


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
        check_values(variant, record)
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
            check_values(contract.variant, again(task))
