"""`crazy`: a search tree over many imagined deals, exact last tricks, and the standings of the match."""

import numpy as np

from .._jit.trees import grow_tree, new_tree, root_cards
from ..cards import card_name
from ..knowledge import Knowledge
from ..sampling import Plan
from ..variants import Variant
from .base import Standing
from .imagine import Clock, Scene, best_contract, deals_to_try, seed_of
from .outlook import Outlook, outlook_of
from .view import View

DEALS = 20_000
"""Deals that it imagines for one move unless told otherwise."""

EXACT_CARDS, EXACT_DEALS = 3, 2_000
"""With so many cards a hand, and so many deals that fit, it solves every one of them."""

EXPLORE = 0.7
"""How much what has been tried less is worth trying, where all points of a contract are worth 1. Half and
twice as much play as well (docs/players.md)."""


class Crazy:
    """Searches, and solves where it can."""

    def __init__(self, *, deals: int, seed: int, seconds: float | None) -> None:
        self.name = "crazy"
        self.deals = deals
        self.seed = seed
        self._seconds = seconds

    def play(self, knowledge: Knowledge, standing: Standing | None) -> str:
        """The best card over all deals that fit, where these are few; else the one tried most."""
        scene = Scene(knowledge, View.of(knowledge))
        if len(scene.distinct) == 1:
            return card_name(scene.distinct[0])
        clock, plan = Clock(self._seconds), Plan(knowledge)
        outlook = outlook_of(standing, knowledge.contract, plays=knowledge.plays)
        if max(knowledge.sizes) <= EXACT_CARDS and plan.total <= EXACT_DEALS:
            return self._solved(scene, plan, outlook, clock)
        return self._searched(scene, plan, outlook, clock)

    def _solved(self, scene: Scene, plan: Plan, outlook: Outlook, clock: Clock) -> str:
        sums = np.zeros(len(scene.distinct))
        for deals in deals_to_try(scene.k, EXACT_DEALS, seed=0, plan=plan):
            sums += outlook.worth(scene.solved(deals, scene.distinct), scene.me).sum(axis=0)
            if clock.over:
                break
        return card_name(scene.distinct[int(np.argmax(np.round(sums, 6)))])

    def _searched(self, scene: Scene, plan: Plan, outlook: Outlook, clock: Clock) -> str:
        k, contract, cards = scene.k, scene.k.contract, np.array(scene.distinct, np.int64)
        seed = scene.view.seed(self.seed)
        nodes, worth = np.zeros((self.deals + 1, 5), np.int32), np.zeros(self.deals + 1)
        visits, means = np.zeros(len(cards), np.int64), np.zeros(len(cards))
        new_tree(nodes, worth)
        first_cards = sum(1 << card for card in scene.distinct)
        used, done = 1, 0
        for deals in deals_to_try(k, self.deals, seed=seed, once=False, plan=plan):
            used = grow_tree(
                contract.record[()], scene.turned(deals), scene.leader, scene.trick, len(scene.view.trick),
                scene.gone, k.broken, first_cards, outlook.totals, outlook.scale, outlook.spread, EXPLORE,
                np.uint64(seed), done, nodes, worth, used,
            )  # fmt: skip
            done += len(deals)
            root_cards(nodes, worth, cards, visits, means)
            ahead = np.sort(visits)
            if clock.over or ahead[-1] - ahead[-2] > self.deals - done:
                break  # the others cannot come up any more
        return card_name(int(cards[int(np.argmax(visits))]))

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
            variant, seat, cards, open, deals=self.deals // 4 or 1,
            seed=seed_of(self.seed, cards, standing.number if standing else 0),
            outlook=lambda contract: outlook_of(standing, contract),
            clock=Clock(self._seconds),
        )  # fmt: skip


def crazy(*, seed: int, deals: int | None = None, seconds: float | None = None) -> Crazy:
    """The player `crazy`."""
    return Crazy(deals=deals or DEALS, seed=seed, seconds=seconds)
