"""What a seat sees as the kernels take it: masks and bit numbers, from a Knowledge."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from .._jit.policies import BRIEF, make_brief
from .._jit.rng import mixed
from .._jit.rounds import beats, legal_cards
from ..cards import ALL_CARDS, LANE, SEATS, bits_of
from ..contract import Contract
from ..errors import KnowledgeError
from ..knowledge import Knowledge
from ..position import Position


@dataclass(frozen=True, kw_only=True)
class View:
    """The table before one card of the seat to play; cards are bit numbers, sets of them masks."""

    contract: Contract
    hand: int
    legal: int
    trick: tuple[int, ...]
    led: int
    """The suit led; 0 for the leader."""
    best: int
    """The card that wins the trick so far; -1 for the leader."""
    seen: int
    """Every card that is in no hand, those of the trick too."""
    place: int
    """How many tricks are complete."""

    @classmethod
    def of(cls, k: Knowledge) -> "View":
        """The view of `k.seat`; KnowledgeError when it is not its turn, or its hand not known to it whole."""
        if k.turn != k.seat or not k.own or k.own.bit_count() != k.sizes[SEATS.index(k.seat)]:
            msg = f"expected {k.seat} to be the seat to play, with its whole hand known, got {k!r}"
            raise KnowledgeError(msg)
        return cls._made(k.contract, k.own, k.trick, seen=k.seen, broken=k.broken)

    @classmethod
    def at(cls, position: Position, *, seen: int) -> "View":
        """The view of the seat on turn; `seen` are the cards of complete tricks, which a position forgets."""
        hand = position.masks[SEATS.index(position.turn)]
        lying = sum(1 << ALL_CARDS[card] for card in position.trick)
        return cls._made(position.contract, hand, position.trick, seen=seen | lying, broken=position.broken)

    @classmethod
    def _made(cls, contract: Contract, hand: int, names: Iterable[str], *, seen: int, broken: bool) -> "View":
        record = contract.record[()]
        trick = tuple(ALL_CARDS[card] for card in names)
        led, best = 0, -1
        for card in trick:
            led = led or LANE << (card & ~15)
            if beats(record, card, best):
                best = card
        place = contract.hand_size - hand.bit_count()
        legal = legal_cards(record, hand, led, sum(1 << card for card in trick), place == 0, broken)
        return cls(
            contract=contract, hand=hand, legal=int(legal), trick=trick, led=led, best=best, seen=seen,
            place=place,
        )  # fmt: skip

    @property
    def cards(self) -> list[int]:
        """The legal cards, from the lowest."""
        return list(bits_of(self.legal))

    @property
    def lying(self) -> int:
        """The mask of the cards in the trick."""
        return sum(1 << card for card in self.trick)

    @property
    def after(self) -> int:
        """How many seats play to the trick after this one."""
        return self.contract.seats - 1 - len(self.trick)

    def seed(self, seed: int) -> int:
        """A seed for this view alone, made of a player's: the same view, the same random numbers."""
        return int(mixed(np.uint64(seed), self.hand, self.seen))


@cache
def brief_of(contract: Contract) -> NDArray[np.int32]:
    """The look-ups of a contract that policies take."""
    brief = np.zeros(BRIEF, np.int32)
    make_brief(contract.record[()], brief)
    return brief
