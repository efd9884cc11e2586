"""`hard`, which plays out imagined deals for each card, and `uniform`, a plain player to compare it with."""

import numpy as np

from .._jit.policies import CAREFUL, RANDOM
from ..cards import card_name
from ..knowledge import Knowledge
from ..variants import Variant
from .base import Standing
from .imagine import Clock, Scene, best_contract, deals_to_try, seed_of
from .outlook import outlook_of
from .view import View

HARD_DEALS, UNIFORM_DEALS = 20, 100
"""Deals that the players imagine for one move unless told otherwise."""


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
        clock, sums = Clock(self._seconds), np.zeros(len(cards))
        for deals in deals_to_try(knowledge, self.deals, seed=scene.view.seed(self.seed)):
            points = scene.played_out(deals, cards, policy=self._policy)
            sums += points[:, :, scene.me].sum(axis=0)
            if clock.over:
                break
        return card_name(cards[int(np.argmax(sums))])

    def choose(
        self,
        variant: Variant,
        seat: str,
        cards: tuple[str, ...],
        open: tuple[str, ...],
        standing: Standing | None,
    ) -> str:
        """The contract with the best mean above an equal share over imagined deals, played out."""
        return best_contract(
            variant, seat, cards, open, deals=self.deals,
            seed=seed_of(self.seed, cards, standing.number if standing else 0),
            outlook=lambda contract: outlook_of(standing, contract, points_only=True),
            policy=self._policy, clock=Clock(self._seconds),
        )  # fmt: skip


def hard(*, seed: int, deals: int | None = None, seconds: float | None = None) -> PlayOuts:
    """The player `hard`: what it imagines fits all it has seen, and the careful policy plays it out."""
    return PlayOuts("hard", policy=CAREFUL, deals=deals or HARD_DEALS, seed=seed, seconds=seconds)


def uniform(*, seed: int, deals: int | None = None, seconds: float | None = None) -> PlayOuts:
    """The player `uniform`: uniformly random deals that fit, played out with random cards."""
    return PlayOuts("uniform", policy=RANDOM, deals=deals or UNIFORM_DEALS, seed=seed, seconds=seconds)
