"""Contract: what one round scores and obliges, and CONTRACT_DTYPE, the one record the kernels see.

Everything is additive: points for each trick by its place in the round, points for each captured card. So
what is still to come depends only on the cards left, the leader, the trick in progress and whether a bar is
lifted.
"""

from dataclasses import dataclass
from functools import cached_property
from math import gcd
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from .cards import SEATS, SUITS, bits_of
from .errors import VariantError

MAX_CLASSES = 8
"""Score classes a contract may have: sets of cards of equal points. Eralash needs five."""

CONTRACT_DTYPE = np.dtype(
    [
        ("pack", np.uint64),  # cards in play when the round begins
        ("barred", np.uint64),  # cards that may not be led while the bar stands
        ("waiver", np.uint64),  # a hand holding all of these may lead barred cards; 0: no waiver
        ("first_barred", np.uint64),  # cards that may be neither led nor discarded on the first trick
        ("must_discard", np.uint64),  # compulsory discards of a void hand
        ("forced_under", np.uint64),  # of the led suit: owed when a higher card of it lies in the trick
        ("class_mask", np.uint64, (MAX_CLASSES,)),  # disjoint sets of scoring cards
        ("class_points", np.int16, (MAX_CLASSES,)),  # points of each card of the set
        ("trick_points", np.int16, (13,)),  # points of a trick by its place, first trick first
        ("trump", np.int8),  # suit lane 0..3, or -1
        ("until_broken", np.uint8),  # 1: the bar falls once a barred card is played; 0: it never falls
        ("void_trump", np.uint8),  # 0 no duty, 1 a void hand must trump, 2 and must overtrump if it can
        ("beat_trump", np.uint8),  # 1: when trumps are led they must be beaten if possible
        ("early_stop", np.uint8),  # 1: the round ends when nothing is left that scores
        ("seats", np.uint8),  # 3 or 4
        ("hand_size", np.uint8),  # cards a hand when the round begins
    ],
    align=True,
)

VoidTrump = Literal["free", "must-trump", "must-overtrump"]


@dataclass(frozen=True, kw_only=True)
class Contract:
    """One contract of a variant. Points are signed and go to the seat that takes the trick.

    All card sets are masks (cards.py). `trick_points` has one entry for each place of the round.
    """

    name: str
    title: str
    variant: str
    pack: int
    seats: int
    hand_size: int
    clockwise: bool = True
    trick_points: tuple[int, ...]
    card_points: tuple[tuple[int, int], ...] = ()
    """Disjoint (mask, points of each card) pairs."""
    trump: str | None = None
    barred: int = 0
    until_broken: bool = False
    waiver: int = 0
    first_barred: int = 0
    must_discard: int = 0
    forced_under: int = 0
    void_trump: VoidTrump = "free"
    beat_trump: bool = False
    early_stop: bool = True

    def __post_init__(self) -> None:
        if len(self.trick_points) != self.hand_size:
            msg = f"expected {self.hand_size} trick points, got {len(self.trick_points)} ({self.name})"
            raise VariantError(msg)
        if len(self.card_points) > MAX_CLASSES:
            msg = f"expected at most {MAX_CLASSES} card points, got {len(self.card_points)} ({self.name})"
            raise VariantError(msg)
        values = [*self.trick_points, *(points for _, points in self.card_points)]
        farthest = max(self.max_points, self.min_points, *values, key=abs)
        if abs(farthest) > 32767:
            got = farthest if abs(farthest) < 10**18 else "a huge number"
            msg = f"expected points of a round within -32767 .. 32767, got {got} ({self.name})"
            raise VariantError(msg)

    @property
    def seat_names(self) -> str:
        """The seats in clockwise order: `NESW` or `NES`."""
        return SEATS[: self.seats]

    @cached_property
    def total(self) -> int:
        """All the points of a round."""
        return sum(self.trick_points) + sum(mask.bit_count() * points for mask, points in self.card_points)

    @cached_property
    def max_points(self) -> int:
        """The sum of everything positive in a round: no seat can get more."""
        cards = (mask.bit_count() * points for mask, points in self.card_points if points > 0)
        return sum(points for points in self.trick_points if points > 0) + sum(cards)

    @cached_property
    def min_points(self) -> int:
        """The sum of everything negative in a round: no seat can get less."""
        cards = (mask.bit_count() * points for mask, points in self.card_points if points < 0)
        return sum(points for points in self.trick_points if points < 0) + sum(cards)

    @cached_property
    def unit(self) -> int:
        """The greatest common divisor of all points (1 for a contract that scores nothing)."""
        return gcd(*self.trick_points, *(points for _, points in self.card_points)) or 1

    @cached_property
    def scoring_cards(self) -> int:
        """The mask of all cards that carry points."""
        return sum(mask for mask, _ in self.card_points)

    def alike(self, one: int, other: int) -> bool:
        """Whether two cards, bit numbers of one suit, carry the same points and no rule tells them apart."""
        ruled = (self.barred, self.first_barred, self.waiver, self.must_discard, self.forced_under)
        return self.cards_points(1 << one) == self.cards_points(1 << other) and all(
            not (mask >> one ^ mask >> other) & 1 for mask in ruled
        )

    def cards_points(self, cards: int) -> int:
        """The points of the cards in the mask `cards`, tricks not counted."""
        return sum((mask & cards).bit_count() * points for mask, points in self.card_points)

    @cached_property
    def record(self) -> NDArray[np.void]:
        """The contract as a 0-d array of CONTRACT_DTYPE, read-only, for the kernels."""
        record = np.zeros((), CONTRACT_DTYPE)
        for field in ("pack", "barred", "waiver", "first_barred", "must_discard", "forced_under"):
            record[field] = getattr(self, field)
        for i, (mask, points) in enumerate(self.card_points):
            record["class_mask"][i] = mask
            record["class_points"][i] = points
        record["trick_points"][: self.hand_size] = self.trick_points
        record["trump"] = -1 if self.trump is None else SUITS.index(self.trump)
        record["until_broken"] = self.until_broken
        record["void_trump"] = ("free", "must-trump", "must-overtrump").index(self.void_trump)
        record["beat_trump"] = self.beat_trump
        record["early_stop"] = self.early_stop
        record["seats"] = self.seats
        record["hand_size"] = self.hand_size
        record.flags.writeable = False
        return record


def classes_of(points: dict[int, int]) -> tuple[tuple[int, int], ...]:
    """Disjoint (mask, points) pairs from the points of single cards by bit number; zeros are dropped."""
    masks: dict[int, int] = {}
    for bit, value in points.items():
        if value:
            masks[value] = masks.get(value, 0) | 1 << bit
    return tuple(sorted((mask, value) for value, mask in masks.items()))


def card_values(pairs: tuple[tuple[int, int], ...]) -> dict[int, int]:
    """The points of single cards by bit number, from (mask, points) pairs that may overlap: they add."""
    points: dict[int, int] = {}
    for mask, value in pairs:
        for bit in bits_of(mask):
            points[bit] = points.get(bit, 0) + value
    return points
