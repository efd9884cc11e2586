"""`easy` and `normal`: the compiled policies of kingsolve._jit.policies at a table."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from .._jit.policies import EASY, NORMAL, choose
from .._jit.rng import STATE_WORDS, mixed, seek
from ..cards import card_name, mask_of
from ..knowledge import Knowledge
from ..variants import Variant
from .base import Standing
from .naming import longest_suit, most_over_share, trumps_by_length
from .view import View, brief_of

Namer = Callable[[Variant, tuple[str, ...], tuple[str, ...], int], str]


class PolicyPlayer:
    """Plays by a compiled policy and names contracts by a rule of thumb."""

    def __init__(self, name: str, *, policy: int, namer: Namer, seed: int) -> None:
        self.name = name
        self.policy = policy
        self.seed = seed
        self._namer = namer

    def play(self, knowledge: Knowledge, standing: Standing | None) -> str:
        """The policy's card."""
        state = np.zeros(STATE_WORDS, np.uint64)
        seek(state, np.uint64(self.seed), np.uint64(0))
        return card_name(policy_card(View.of(knowledge), self.policy, state))

    def choose(
        self,
        variant: Variant,
        seat: str,
        cards: tuple[str, ...],
        open: tuple[str, ...],
        standing: Standing | None,
    ) -> str:
        """The contract that the rule of thumb names."""
        return self._namer(variant, cards, open, self.seed)


def policy_card(view: View, policy: int, state: NDArray[np.uint64]) -> int:
    """The card, a bit number, that a compiled policy plays; `state` is a stream of random numbers."""
    contract = view.contract
    card = choose(
        policy, contract.record[()], brief_of(contract), view.hand, view.legal, view.led, view.lying,
        view.best, view.after, view.seen, view.place, state,
    )  # fmt: skip
    return int(card)


def name_easily(variant: Variant, cards: tuple[str, ...], open: tuple[str, ...], seed: int) -> str:
    """Any of the contracts; where that is one with trumps, or there are no others, the longest suit's."""
    word = mixed(np.uint64(seed), mask_of(cards), len(open))
    name = open[int(word) * len(open) >> 64]
    if variant.contract(name).total > 0:
        return longest_suit(variant, cards, open) or name
    return name


def name_carefully(variant: Variant, cards: tuple[str, ...], open: tuple[str, ...], seed: int) -> str:
    """What promises most above an equal share; where only trumps are named, by length."""
    named = trumps_by_length(variant, cards, open) if len(cards) < variant.hand_size else None
    return named or most_over_share(variant, cards, open)


def easy(*, seed: int, deals: int | None = None, seconds: float | None = None) -> PolicyPlayer:
    """The player `easy`; it imagines no deals and asks no clock."""
    return PolicyPlayer("easy", policy=EASY, namer=name_easily, seed=seed)


def normal(*, seed: int, deals: int | None = None, seconds: float | None = None) -> PolicyPlayer:
    """The player `normal`; it imagines no deals and asks no clock."""
    return PolicyPlayer("normal", policy=NORMAL, namer=name_carefully, seed=seed)
