"""`hard`, which plays out imagined deals for each card, and `uniform`, a plain player to compare it with."""

import time

import numpy as np
from numpy.typing import NDArray

from .._jit.policies import CAREFUL, RANDOM
from ..cards import card_name
from ..knowledge import Knowledge
from ..sampling import Plan, enumerate_deals, sample
from ..variants import Variant
from .base import Standing
from .imagine import Scene, best_contract, seed_of
from .outlook import outlook_of
from .view import View

HARD_DEALS, UNIFORM_DEALS = 200, 100
"""Deals that the players imagine for one move unless told otherwise."""

_STEP = 50


class PlayOuts:
    """Plays every card out in the same imagined deals, by a policy, and plays the one best on average."""

    def __init__(self, name: str, *, policy: int, deals: int, seed: int, seconds: float | None) -> None:
        self.name = name
        self.deals = deals
        self.seed = seed
        self._policy = policy
        self._seconds = seconds

    def play(self, knowledge: Knowledge, standing: Standing | None) -> str:
        """The card with the best mean of points to come; of equals the first from the lowest."""
        scene = Scene(knowledge, View.of(knowledge))
        cards = scene.distinct
        if len(cards) == 1:
            return card_name(cards[0])
        began = time.monotonic()
        plan, seed = Plan(knowledge), scene.view.seed(self.seed)
        if plan.total <= self.deals:
            sums = self._sums(scene, enumerate_deals(knowledge))
        else:
            sums, done = np.zeros(len(cards)), 0
            step = self.deals if self._seconds is None else _STEP
            while done < self.deals:
                number = min(step, self.deals - done)
                sums += self._sums(scene, sample(knowledge, number, seed=seed, start=done, plan=plan))
                done += number
                if self._seconds is not None and time.monotonic() - began > self._seconds:
                    break
        return card_name(cards[int(np.argmax(sums))])

    def _sums(self, scene: Scene, deals: NDArray[np.uint64]) -> NDArray[np.float64]:
        """The points to come of each distinct card, all deals together."""
        points = scene.played_out(deals, scene.distinct, policy=self._policy)
        return np.asarray(points[:, :, scene.me].sum(axis=0), np.float64)

    def choose(
        self,
        variant: Variant,
        seat: str,
        cards: tuple[str, ...],
        open: tuple[str, ...],
        standing: Standing | None,
    ) -> str:
        """The contract with the best mean above an equal share over imagined deals, played out."""
        began, seconds = time.monotonic(), self._seconds
        return best_contract(
            variant, seat, cards, open, deals=self.deals,
            seed=seed_of(self.seed, cards, standing.number if standing else 0),
            outlook=lambda contract: outlook_of(standing, contract, points_only=True),
            policy=self._policy, going=lambda: seconds is None or time.monotonic() - began < seconds,
        )  # fmt: skip


def hard(*, seed: int, deals: int | None = None, seconds: float | None = None) -> PlayOuts:
    """The player `hard`: what it imagines fits all it has seen, and the careful policy plays it out."""
    return PlayOuts("hard", policy=CAREFUL, deals=deals or HARD_DEALS, seed=seed, seconds=seconds)


def uniform(*, seed: int, deals: int | None = None, seconds: float | None = None) -> PlayOuts:
    """The player `uniform`: uniformly random deals that fit, played out with random cards."""
    return PlayOuts("uniform", policy=RANDOM, deals=deals or UNIFORM_DEALS, seed=seed, seconds=seconds)
