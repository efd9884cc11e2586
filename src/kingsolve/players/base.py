"""What a player is: something that chooses cards and contracts from what one seat may know.

A `Player` is never given a Position or a deal: it sees a `Knowledge` (its own hand, the table, what follows
from the cards played) and a `Standing` (the match as everybody sees it), so it cannot look at other hands.
`OpenPlayer` is the other kind, which sees everything; it is for reference and is never one of
`player_names()`.
"""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from ..knowledge import Knowledge
from ..match import Result
from ..position import Position
from ..variants import Variant

REVISION = 2
"""Raised when a player of this package chooses otherwise than before: contests of another are not continued.
"""


@dataclass(frozen=True, kw_only=True)
class Standing:
    """The match as everybody at the table sees it, before or during round `number`."""

    variant: Variant
    number: int
    """The round being played, from 1."""
    rounds: int
    """How many the match has."""
    totals: tuple[int, ...]
    """Points of the finished rounds, in seat order."""
    results: tuple[Result, ...]
    """The finished rounds, without their hands and cards: `round` is None."""
    open: tuple[str, ...]
    """The contracts of which one is, or was, chosen for this round; one where it is fixed."""


class Player(Protocol):
    """Chooses for any seat of any variant. A choice depends on the arguments and the player's seed alone.

    `standing` is None where a round is played by itself.
    """

    name: str

    def play(self, knowledge: Knowledge, standing: Standing | None) -> str:
        """The name of a legal card of `knowledge.seat`, whose turn it is."""
        ...

    def choose(
        self,
        variant: Variant,
        seat: str,
        cards: tuple[str, ...],
        open: tuple[str, ...],
        standing: Standing | None,
    ) -> str:
        """One of the contracts `open`, chosen by `seat` on seeing `cards`, in the order dealt.

        They are the first three of its hand where the variant says so (`full-king`), else the whole hand.
        """
        ...


@runtime_checkable
class OpenPlayer(Protocol):
    """Sees all hands: a yardstick for measurements and tests."""

    name: str

    def play_open(self, position: Position) -> str:
        """The name of a legal card of the seat on turn."""
        ...

    def choose_open(self, positions: dict[str, Position], seat: str) -> str:
        """One of the contracts, by the position in which each of them begins, chosen by `seat`."""
        ...


AnyPlayer = Player | OpenPlayer
