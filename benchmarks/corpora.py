"""The fixed deals of data/deals/bench, and the search for hard ones.

    python benchmarks/corpora.py                 write random.pbn, tail.pbn, voids.pbn, apart.pbn
    python benchmarks/corpora.py --hardest 400   which of so many deals takes most nodes, contract by contract

All are deals of `russian-14` under a seed, so the files come out the same everywhere. Hard ones are those of
TAIL: what a search of some day found hardest; they are meant to stay, whatever is hardest for a later one.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from itertools import count, islice
from pathlib import Path

from arguments import whole
from deals import position
from kingsolve import Deal, Position, Round, Solver, load_variant, read_pbn
from kingsolve.benchmark import LIMITS
from kingsolve.cards import LANE
from kingsolve.dealing import random_deal
from kingsolve.notation import Game, leader_of, write_pbn

FOLDER = Path(__file__).parents[1] / "data" / "deals" / "bench"
RUSSIAN = load_variant("russian-14")
SEED = 50_000
RANDOM, FREAKS = 12, 6
TAIL = {
    "no-tricks": 194,
    "no-men": 324,
    "no-queens": 324,
    "no-hearts": 249,
    "no-king": 239,
    "no-last-two": 335,
    "eralash": 249,
    "tricks": 349,
    "men": 50,
    "queens": 283,
    "hearts": 103,
    "king": 209,
    "last-two": 68,
    "eralash-plus": 241,
}
"""For each contract the number of the deal, among the first 400, of which one seat took most nodes."""


def voids(hands: tuple[int, ...]) -> bool:
    """Whether every hand is void in some suit."""
    return all(any(not hand >> 16 * suit & LANE for suit in range(4)) for hand in hands)


def apart(hands: tuple[int, ...]) -> bool:
    """Whether no hand holds two cards of a suit that touch: no two cards are equals."""
    return not any(hand & hand << 1 for hand in hands)


def held(deal: Deal) -> tuple[int, ...]:
    """The masks of the hands, all of them known."""
    return tuple(hand for hand in deal.hands if hand is not None)


def numbers(wanted: Callable[[tuple[int, ...]], bool]) -> Iterator[int]:
    """The numbers of the deals that are as wanted."""
    return (number for number in count() if wanted(held(random_deal(RUSSIAN, seed=SEED, number=number))))


def game(line: int, number: int, what: str, contract: str | None = None) -> Game:
    """One game of a file; with a contract, the round of it before the first card."""
    deal = random_deal(RUSSIAN, seed=SEED, number=number)
    assert deal.dealer is not None
    tags = {"Event": f"{what}: deal {number} of seed {SEED}", "Board": str(number), "KingVariant": RUSSIAN.id}
    deal = Deal(deal.hands, deal.dealer)
    made = Game(line, line, deal, tags)
    if contract is None:
        return made
    return Game(line, line, deal, tags, Round(RUSSIAN.contract(contract), leader_of(made, RUSSIAN), deal))


def corpora() -> dict[str, list[Game]]:
    """The games of every file."""
    return {
        "random": [game(i, number, "random") for i, number in enumerate(range(RANDOM), 1)],
        "tail": [
            game(i, number, f"hard in {name}", name) for i, (name, number) in enumerate(TAIL.items(), 1)
        ],
        "voids": [
            game(i, n, "every hand void somewhere") for i, n in enumerate(islice(numbers(voids), FREAKS), 1)
        ],
        "apart": [game(i, n, "no touching cards") for i, n in enumerate(islice(numbers(apart), FREAKS), 1)],
    }


def read(name: str, contract: str) -> list[Position]:
    """The positions of a file in that contract: of `tail` only those that are its own."""
    found = []
    for entry in read_pbn(FOLDER / f"{name}.pbn"):
        if entry.round is None or entry.round.contract.name == contract:
            assert entry.deal is not None
            leader = leader_of(entry, RUSSIAN)
            found.append(Position(RUSSIAN.contract(contract), entry.deal, leader=leader))
    return found


def hardest(deals: int) -> Iterator[tuple[str, int, int]]:
    """(contract, number, nodes) of the deal of which one seat takes most nodes."""
    for name, contract in RUSSIAN.contracts.items():
        worst, most = 0, 0
        for number in range(deals):
            at = position(RUSSIAN, contract, SEED, number)
            for seat in range(4):
                solver = Solver(LIMITS)
                solver.side(at, 1 << seat)
                if solver.nodes > most:
                    worst, most = number, solver.nodes
        yield name, worst, most


def main() -> int:
    """Always 0."""
    parser = argparse.ArgumentParser(description="The deals of data/deals/bench.")
    parser.add_argument(
        "--hardest", type=whole(1), metavar="N", help="look for hard deals among so many instead"
    )
    options = parser.parse_args()
    if options.hardest:
        for name, number, nodes in hardest(options.hardest):
            print(f'    "{name}": {number},  # {nodes:,} nodes', flush=True)
        return 0
    for name, games in corpora().items():
        write_pbn(games, FOLDER / f"{name}.pbn")
    return 0


if __name__ == "__main__":
    sys.exit(main())
