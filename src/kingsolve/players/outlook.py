"""What points are worth as the match stands: themselves, or, in the last deals, the chance to win it."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from .._deduction import Play, best_of
from ..contract import Contract
from ..solver import in_play_order
from .base import Standing

LAST = 3
"""The last deals, in which the match standings count."""

DEVIATION = 0.3
"""The standard deviation of a seat's points in a deal, as a part of the range that they can take; between
contracts and seats of docs/what-a-contract-costs.md it is 0.2 to 0.4."""


@dataclass(frozen=True)
class Outlook:
    """How points to come are valued; seats in the order of play."""

    totals: NDArray[np.float64]
    """Points of the match so far, float64[4]."""
    scale: float
    """What a point is worth: all points of the contract as much as a victory, 1."""
    spread: float
    """Below 0: only points count. Else how far the totals may still move, for `win_shares`."""

    def worth(self, points: NDArray[np.int32], seat: int) -> NDArray[np.float64]:
        """What `seat` makes of points to come, int32[..., seats]: about 0 to 1."""
        worth = np.asarray(points[..., seat] * self.scale, np.float64)
        if self.spread >= 0:
            worth += win_shares(points + self.totals[: points.shape[-1]], self.spread)[..., seat]
        return worth

    def share(self, contract: Contract) -> float:
        """What an equal share of the contract's points is worth."""
        return contract.total / contract.seats * self.scale


def win_shares(totals: NDArray[np.float64], spread: float) -> NDArray[np.float64]:
    """The chances to win of each seat, float64[..., seats]: exp(total / spread) of the sum of all, and with a
    spread of 0 the highest total, equal ones sharing."""
    behind = totals - totals.max(axis=-1, keepdims=True)
    weights = np.exp(behind / spread) if spread > 0 else (behind == 0).astype(np.float64)
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True), np.float64)


def outlook_of(
    standing: Standing | None, contract: Contract, *, plays: Sequence[Play] = (), points_only: bool = False
) -> Outlook:
    """The outlook in a round of `contract` after `plays`: points, but in the last LAST rounds the chance to
    win."""
    totals = np.zeros(4)
    scale = 1.0 / max(contract.max_points, -contract.min_points, 1)
    left = LAST if standing is None else standing.rounds - standing.number
    if standing is None or points_only or left >= LAST:
        return Outlook(totals, scale, -1.0)
    taken = points_taken(contract, plays)
    for i, seat in enumerate(in_play_order(contract)):
        totals[i] = standing.totals[seat] + taken[seat]
    return Outlook(totals, scale, _spread(standing, left))


def points_taken(contract: Contract, plays: Sequence[Play]) -> list[int]:
    """What each seat has got for the complete tricks of `plays`."""
    points = [0] * contract.seats
    for last in plays:
        trick = (*last.trick, last.card)
        if len(trick) == contract.seats:
            behind = len(trick) - 1 - best_of(trick, contract.trump)
            taker = (last.seat - behind * (1 if contract.clockwise else -1)) % contract.seats
            points[taker] += contract.trick_points[last.place] + contract.cards_points(
                sum(1 << card for card in trick)
            )
    return points


def _spread(standing: Standing, left: int) -> float:
    """The spread after this round, with `left` rounds to play: 0 after the last.

    Of two totals whose difference has a standard deviation d, exp(x / s) with s = 0.55 d gives the chances
    of a normal distribution within a hundredth (the logistic curve of the same slope at 0 has s = 0.6 d).
    """
    if left == 0:
        return 0.0
    plan, contracts = standing.variant.plan, standing.variant.contracts
    assert plan is not None
    if plan.order:
        to_come = [contracts[name] for names in plan.order[-left:] for name in names[:1]]
    else:
        to_come = list(contracts.values())
    variance = left * fmean((DEVIATION * (one.max_points - one.min_points)) ** 2 for one in to_come)
    return 0.55 * float(np.sqrt(2 * variance))
