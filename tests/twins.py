"""The oracle's positions and the package's, turned into each other; what several test modules share."""

import json
import os
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import kingsolve as ks
import naive

DATA = Path(__file__).parent / "data"
SUIT_ORDER = "shdc"

EVERY = list(naive.all_contracts())
"""The oracle's contracts, 112 of them."""

SEED = int(os.environ.get("KINGSOLVE_SEED", "1"))
"""Seeds everything random in these tests: another seed, other positions."""
SCALE = float(os.environ.get("KINGSOLVE_SCALE", "1"))
"""How many times more random positions than in CI."""


def scaled(count: int) -> int:
    """`count` times KINGSOLVE_SCALE, at least 1."""
    return max(1, round(count * SCALE))


def generator(*names: object) -> random.Random:
    """A generator of its own for each test: a function of KINGSOLVE_SEED and these names alone."""
    return random.Random("/".join(map(str, (SEED, *names))))


def label(contract: naive.NaiveContract) -> str:
    """The contract's name in test ids: `rifki/no-men`."""
    return f"{contract.variant}/{contract.name}"


@cache
def our_contract(variant: str, name: str) -> ks.Contract:
    """The package's contract of that name."""
    return ks.load_variant(variant).contract(name)


def twin(contract: naive.NaiveContract) -> ks.Contract:
    """The package's twin of an oracle's contract."""
    return our_contract(contract.variant, contract.name)


def ours(position: naive.Position) -> ks.Position:
    """The package's twin of an oracle's position."""
    return ks.Position(
        twin(position.contract),
        dict(zip(position.contract.seats, position.hands, strict=True)),
        leader=position.leader,
        trick=[card for _, card in position.trick],
        broken=position.broken,
    )


def theirs(contract: naive.NaiveContract, record: dict[str, Any]) -> naive.Position:
    """The oracle's position in a line of tests/data/endings."""
    hands = {}
    for seat, text in zip("NESW", record["deal"].removeprefix("N:").split(), strict=True):
        suits = zip(SUIT_ORDER, text.split("."), strict=True)
        hands[seat] = [rank + suit for suit, ranks in suits for rank in ranks]
    trick = record.get("trick", "").split()
    return naive.position(contract, hands, record["leader"], trick=trick, broken=record.get("broken", False))


def our_position(variant: str, record: dict[str, Any]) -> ks.Position:
    """The package's position in a line of tests/data/endings."""
    return ks.Position(
        our_contract(variant, record["contract"]),
        record["deal"],
        leader=record["leader"],
        trick=record.get("trick", ""),
        broken=record.get("broken", False),
    )


def records(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of a file of tests/data/endings."""
    with path.open(encoding="ascii") as lines:
        for line in lines:
            yield json.loads(line)


@dataclass(frozen=True)
class Deal:
    """Hands of a contract of the package: masks in seat order, the leader's number, the bar broken or not."""

    contract: ks.Contract
    hands: tuple[int, ...]
    leader: int
    broken: bool = False

    def position(self) -> ks.Position:
        """The position at the beginning of a trick."""
        return ks.Position.from_masks(self.contract, self.hands, leader=self.leader, broken=self.broken)

    def on(self, contract: ks.Contract) -> "Deal":
        """The same hands under another contract."""
        return replace(self, contract=contract)

    def __str__(self) -> str:
        """What to type to have it again."""
        return f"{self.contract.variant} {self.position()!r}"

    __repr__ = __str__


def random_deal(rng: random.Random, contract: ks.Contract, size: int | None = None) -> Deal:
    """Hands of `size` cards (a full hand unless given) at random, and a random leader."""
    size = contract.hand_size if size is None else size
    bits = [bit for bit in range(64) if contract.pack >> bit & 1]
    rng.shuffle(bits)
    hands = tuple(sum(1 << bit for bit in bits[i * size :][:size]) for i in range(contract.seats))
    return Deal(contract, hands, rng.randrange(contract.seats))


def random_walk(rng: random.Random, position: ks.Position, cards: int) -> list[str]:
    """Plays that many random legal cards, fewer where the round ends before; returns them."""
    played: list[str] = []
    while len(played) < cards and not position.is_over:
        card = rng.choice(position.legal_cards())
        position.push(card)
        played.append(card)
    return played
