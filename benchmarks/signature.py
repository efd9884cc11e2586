"""The fingerprint of the core's behaviour: cards played (nodes) in solving fixed deals, and the values found.

    python benchmarks/signature.py            print it
    python benchmarks/signature.py --check    and fail if benchmarks/signature.txt says otherwise
    python benchmarks/signature.py --write    and make it the committed one

Node counts are a function of the deals and the code alone: the same on every machine, in every build. A
change that was not meant to change the search leaves them as they are; one that does says so in its commit
message (`nodes: 12345678` or `nodes: unchanged`). Values may only change when a rule or a contract does.
"""

import argparse
import difflib
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from deals import position
from kingsolve import Limits, Position, Solver, load_variant
from kingsolve.solver import Ties, sides

COMMITTED = Path(__file__).with_name("signature.txt")
SEED = 20_000
LIMITS = Limits(memory=32 << 20)

Ask = Callable[[Solver, Position], int]
"""Asks a solver about a position; the sum of the values it gave, in points."""


def singles(solver: Solver, position: Position) -> int:
    """The sum of the guarantees of the single seats."""
    return sum(solver.side(position, 1 << seat).minimum for seat in range(position.contract.seats))


def pairs(solver: Solver, position: Position) -> int:
    """The sum of the guarantees of the pairs."""
    found = (side for side in sides(position.contract.seats) if side.bit_count() == 2)
    return sum(solver.side(position, side).minimum for side in found)


def triples(solver: Solver, position: Position) -> int:
    """The sum of the guarantees of three seats against one."""
    found = (side for side in sides(position.contract.seats) if side.bit_count() == 3)
    return sum(solver.side(position, side).minimum for side in found)


def best_cases(solver: Solver, position: Position) -> int:
    """The sum of the best cases of the seats."""
    return sum(solver.best_case(position, seat).minimum for seat in range(position.contract.seats))


def cards(solver: Solver, position: Position) -> int:
    """The sum of the worth of the leader's cards to itself."""
    leader = position.contract.seat_names.index(position.leader)
    return sum(value.minimum for value in solver.cards(position, 1 << leader).values())


def card_order(solver: Solver, position: Position) -> int:
    """Max^n with ties in card order: its payoffs, weighted by seat so that seats exchanged show."""
    return _maxn(solver, position, "card-order")


def spiteful(solver: Solver, position: Position) -> int:
    """Max^n with spiteful ties, likewise."""
    return _maxn(solver, position, "spiteful")


def _maxn(solver: Solver, position: Position, ties: Ties) -> int:
    return sum(seat * points for seat, points in enumerate(solver.maxn(position, ties) or (), 1))


def equilibria(solver: Solver, position: Position) -> int:
    """All payoff vectors of subgame-perfect play, likewise."""
    return sum(
        seat * points for vector in solver.equilibria(position) or [] for seat, points in enumerate(vector, 1)
    )


@dataclass(frozen=True)
class Row:
    """What is asked of how many deals: whole ones, or endings of that many cards a hand."""

    ask: Ask
    variant: str
    cards: int
    deals: int
    contracts: tuple[str, ...] = ()
    """All contracts of the variant when empty."""


ROWS = (
    Row(singles, "russian-14", 8, 6),
    Row(singles, "full-king", 8, 6, ("trumps-h", "trumps-nt")),
    Row(singles, "king-1993", 8, 3, ("no-men", "no-king", "eralash", "men", "king")),
    Row(pairs, "russian-14", 8, 3),
    Row(triples, "russian-14", 8, 2),
    Row(best_cases, "russian-14", 8, 2),
    Row(cards, "russian-14", 8, 2),
    Row(singles, "parlett-3", 9, 2),
    Row(pairs, "parlett-3", 8, 2),
    Row(singles, "dealers-choice-20", 8, 3),
    Row(singles, "dealers-choice-20", 10, 1, ("no-hearts", "no-king", "trumps-h")),
    Row(singles, "dealers-choice-20", 11, 1, ("no-tricks", "no-hearts")),
    Row(singles, "rifki", 8, 3),
    Row(singles, "jeu-du-roi", 8, 2, ("no-king", "trumps-s")),
    Row(singles, "kierki", 8, 1),
    Row(card_order, "russian-14", 6, 3),
    Row(card_order, "dealers-choice-20", 6, 3),
    Row(card_order, "parlett-3", 7, 3),
    Row(spiteful, "russian-14", 5, 3),
    Row(spiteful, "rifki", 5, 3),
    Row(equilibria, "russian-14", 5, 3),
    Row(equilibria, "dealers-choice-20", 5, 3),
    Row(equilibria, "rifki", 5, 3),
    Row(equilibria, "parlett-3", 6, 3),
)


def lines(report: Callable[[str], None] = lambda line: None) -> Iterator[str]:
    """The signature line by line, the total last; `report` hears how long each line took."""
    yield f"{'asked':<12}{'variant':<20}{'contract':<14}{'cards':>5}{'deals':>6}{'values':>9}{'nodes':>12}"
    total = 0
    for row in ROWS:
        variant = load_variant(row.variant)
        for name in row.contracts or tuple(variant.contracts):
            start, nodes, values = time.perf_counter(), 0, 0
            for number in range(row.deals):
                solver = Solver(LIMITS)
                at = position(variant, variant.contract(name), SEED, number, row.cards)
                values += row.ask(solver, at)
                nodes += solver.nodes
            report(f"{row.ask.__name__} {row.variant} {name}: {time.perf_counter() - start:.2f} s")
            total += nodes
            yield (
                f"{row.ask.__name__:<12}{row.variant:<20}{name:<14}"
                f"{row.cards:>5}{row.deals:>6}{values:>9}{nodes:>12}"
            )
    yield f"nodes: {total}"


def main() -> int:
    """0, or 1 when `--check` found a difference."""
    parser = argparse.ArgumentParser(description="Nodes and values over fixed deals.")
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--check", action="store_true", help=f"compare with {COMMITTED.name}, fail if different"
    )
    what.add_argument("--write", action="store_true", help=f"write {COMMITTED.name}")
    parser.add_argument("--times", action="store_true", help="seconds of each line on standard error")
    options = parser.parse_args()
    start = time.perf_counter()
    found = []
    for line in lines(lambda line: print(line, file=sys.stderr) if options.times else None):
        print(line, flush=True)
        found.append(line)
    print(f"{time.perf_counter() - start:.1f} s", file=sys.stderr)
    if options.write:
        COMMITTED.write_text("\n".join(found) + "\n")
    if options.check:
        committed = COMMITTED.read_text().splitlines()
        if committed != found:
            diff = difflib.unified_diff(committed, found, COMMITTED.name, "this build", n=0, lineterm="")
            print("\n".join(["", *diff]), file=sys.stderr)
            print(
                "the signature differs; if it should, --write it and name it in the commit", file=sys.stderr
            )
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
