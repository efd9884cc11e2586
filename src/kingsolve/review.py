"""A match looked back on: what each card of each deal cost the seat that played it, all hands seen.

The yardstick is max^n with ties in card order (docs/solver.md): what every seat ends with if from here on
each plays its best card for itself, knowing that all others do. A card's loss is its player's points by that
line before the card, less those after it: never negative, and 0 for every best card. The rest of what a seat
gets, more or less, comes from the others' cards. All of it is exact, or says that it is not solved.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .analysis import Step, trace
from .rounds import Round
from .solver import Limits, Solver

NODES = 50_000_000
"""Cards that the search may play for one deal, unless told otherwise: seconds. It solves deals of 32 cards
whole, and those of 52 from the fourth trick on at the latest (played by easy and normal, 2026-11)."""


@dataclass(frozen=True, kw_only=True)
class DealReview:
    """One recorded round, looked back on. Points are signed, of the whole round, in seat order."""

    round: Round
    scores: tuple[int, ...]
    """What was scored, as far as the record goes."""
    finished: bool
    steps: tuple[Step, ...]
    """A step for each card, by max^n."""
    nodes: int
    out_of_time: bool
    """Whether the clock, rather than the node limit, ended the search."""

    @property
    def lost(self) -> tuple[int, ...]:
        """What each seat's cards cost it: of those that are solved."""
        return tuple(sum(step.lost or 0 for step in self._of(seat)) for seat in self._seats)

    @property
    def unsolved(self) -> tuple[int, ...]:
        """How many cards of each seat are not solved: with any, its losses are at least `lost`."""
        return tuple(sum(step.lost is None for step in self._of(seat)) for seat in self._seats)

    @property
    def exact(self) -> bool:
        """Whether every card is solved."""
        return not any(self.unsolved)

    @property
    def expected(self) -> tuple[int, ...] | None:
        """What each seat would have had by max^n from the first card on; None where that is not solved."""
        if not self.steps:
            return None
        values = tuple(value for value in self.steps[0].before if isinstance(value, int))
        return values if len(values) == len(self._seats) else None

    @property
    def first_change(self) -> Step | None:
        """The first card that changed the result: after it some seat has other points by max^n than before.

        It may have cost its player nothing, when it was one of several best cards and others felt it. None
        when there is none among the cards that are solved.
        """
        return next((step for step in self.steps if step.changed), None)

    @property
    def solved_from(self) -> int | None:
        """The number of the first card from which on all are solved; None when the last one is not."""
        unsolved = [step.number for step in self.steps if step.lost is None or step.changed is None]
        first = max(unsolved, default=0) + 1
        return first if first <= len(self.steps) else None

    @property
    def _seats(self) -> str:
        return self.round.contract.seat_names

    def _of(self, seat: str) -> Iterable[Step]:
        return (step for step in self.steps if step.seat == seat)


def review_round(
    record: Round, *, limits: Limits | None = None, cancel: NDArray[np.int32] | None = None
) -> DealReview:
    """The recorded round, card by card, as far as `limits` (NODES unless given) go: endings are solved first.

    `cancel` is an array of one int32: once it is not 0, the search stops with KeyboardInterrupt. Raises
    IllegalCard, DealError for a record against the rules.
    """
    solver = Solver(limits or Limits(nodes=NODES), cancel=cancel)
    steps = trace(record, solver, concept="maxn")
    end = record.position(len(steps))
    return DealReview(
        round=record,
        scores=end.banked,
        finished=end.is_over,
        steps=tuple(steps),
        nodes=solver.nodes,
        out_of_time=solver.out_of_time,
    )


@dataclass(frozen=True, kw_only=True)
class Totals:
    """The deals of a match together, in seat order."""

    deals: int
    scores: tuple[int, ...]
    lost: tuple[int, ...]
    unsolved: tuple[int, ...]
    """Cards that are not solved."""


def totals(reviews: Iterable[DealReview]) -> Totals:
    """What the seats scored and lost over several deals of one number of seats."""
    found = list(reviews)

    def added(columns: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
        return tuple(map(sum, zip(*columns, strict=True)))

    return Totals(
        deals=len(found),
        scores=added(one.scores for one in found),
        lost=added(one.lost for one in found),
        unsolved=added(one.unsolved for one in found),
    )
