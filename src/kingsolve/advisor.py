"""Options valued over common deals until one is best or the budget is spent: the engine of advice.py."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import nan
from numbers import Integral, Real
from statistics import NormalDist
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from .cards import cards_of
from .cardwise import CONCEPTS, scale
from .contract import Contract
from .dealing import MAX_SEED
from .errors import KingError, is_number
from .knowledge import Knowledge
from .players.playout import effective_size, policy_number, weights
from .sampling import Plan, enumerate_deals, sample

Value = Literal["maxn", "guarantee", "shapley", "playout"]
Evaluate = Callable[[NDArray[np.uint64], float | None], NDArray[np.int32]]
"""The options' values in each of some deals, int32[n, options]; of the first deals only where the monotonic
clock reaches the time given."""
Kind = Literal["card", "contract", "trump"]
Status = Literal["exact", "separated", "samples", "time", "interrupted"]

VALUES: tuple[Value, ...] = (*CONCEPTS, "playout")

EXACT_DEALS = 1000
"""With at most so many consistent deals every one is valued, and the answer is exact."""

SAMPLES: Mapping[str, int] = {"maxn": 512, "guarantee": 512, "shapley": 128, "playout": 16384}
"""Samples at most, unless told otherwise, by evaluator."""

FIRST_LOOK: Mapping[str, int] = {"maxn": 64, "guarantee": 64, "shapley": 32, "playout": 2048}
"""Samples after which it is first asked whether one option is best; asked again at each doubling."""

CONFIDENCE = 0.95
MAXN_CARDS: Mapping[tuple[int, bool], int] = {(4, True): 8, (4, False): 7, (3, True): 9, (3, False): 8}
"""By seats, and whether no point is positive: with more cards in the largest hand, `playout` is the
default."""

_LONG = 1e9
"""Seconds that are as good as no limit."""

_STEP: Mapping[str, int] = {"maxn": 16, "guarantee": 16, "shapley": 8, "playout": 1024}


@dataclass(frozen=True, kw_only=True)
class Option:
    """A card to play, or a contract to choose, valued over the deals. Points are to come, of the seat
    advised."""

    name: str
    mean: float
    error: float
    """Standard error of the mean; 0 when all deals were valued, nan when only one of several was."""
    best: float
    """The share of deals in which no other option is better."""
    behind: float
    """How much better the first option is on average, over the same deals; 0 for the first."""
    behind_error: float
    """Standard error of `behind`."""
    over_share: float | None = None
    """Of a contract: how far the mean is above an equal share of all its points; None for cards."""


@dataclass(frozen=True, kw_only=True)
class Advice:
    """The options from best to worst, and how they were valued.

    `kind` says what they are: cards, contracts of a variant, or trumps (named after the first cards).
    `status` says why it ended: `exact` all consistent deals were valued; `separated` the first card is
    best at the stated confidence, cards that are the same for play counting as one; `samples` or `time` the
    budget is spent; `interrupted` somebody stopped it.
    """

    kind: Kind
    variant: str
    contract: Contract | None
    """The contract played; None where it is to be chosen."""
    seat: str
    own: tuple[str, ...]
    """The cards of the seat that are known to it."""
    trick: tuple[str, ...]
    options: tuple[Option, ...]
    value: Value
    """The evaluator."""
    by_rule: bool
    """Whether the evaluator is the default, and it is `playout` because exact solving would take too long."""
    samples: int
    consistent: int
    """How many deals are consistent with what the seat knows."""
    seed: int
    confidence: float
    status: Status
    policy: str | None
    """The policy by which deals are weighted; None where all count the same."""
    effective: float
    """Effective sample size: `samples` unless deals are weighted."""

    @property
    def exact(self) -> bool:
        """Whether every consistent deal was valued."""
        return self.status == "exact"


@dataclass(frozen=True, kw_only=True)
class Terms:
    """How options are valued and for how long; the defaults are those of `analyze_hand`.

    Raises KingError for what makes no sense.
    """

    value: str | None = None
    samples: int | None = None
    seconds: float | None = None
    seed: int = 0
    confidence: float = CONFIDENCE
    jobs: int = 1
    policy: str | None = None

    def __post_init__(self) -> None:
        samples, seconds = self.samples, self.seconds
        for fine, msg in (
            (self.value in (None, *VALUES), f"a value, one of {' '.join(VALUES)}, got {self.value!r}"),
            (
                samples is None or (is_number(samples, Integral) and samples >= 1),
                f"samples of at least 1, got {samples!r}",
            ),
            (
                seconds is None or (is_number(seconds, Real) and seconds > 0),
                f"seconds above 0, got {seconds!r}",
            ),
            (
                is_number(self.seed, Integral) and 0 <= self.seed <= MAX_SEED,
                f"a seed from 0 to {MAX_SEED}, got {self.seed!r}",
            ),
            (
                is_number(self.confidence, Real) and 0.5 <= self.confidence < 1,
                f"a confidence from 0.5 to below 1, got {self.confidence!r}",
            ),
            (is_number(self.jobs, Integral) and self.jobs >= 1, f"jobs of at least 1, got {self.jobs!r}"),
        ):
            if not fine:
                text = f"expected {msg}"
                raise KingError(text)
        if self.policy is not None:
            policy_number(self.policy)

    def evaluator(self, default: Value) -> Value:
        """The evaluator named, else the default."""
        return next((value for value in VALUES if value == self.value), default)


def default_value(contract: Contract, cards: int) -> Value:
    """The evaluator unless told otherwise, by the contract and the cards in the largest hand (MAXN_CARDS)."""
    return "maxn" if cards <= MAXN_CARDS[contract.seats, contract.max_points <= 0] else "playout"


class Advisor:
    """An advice in the making: `step` values some more deals, `advice` says what is known so far."""

    def __init__(
        self,
        kind: Kind,
        names: tuple[str, ...],
        k: Knowledge,
        evaluate: Evaluate,
        *,
        variant: str,
        contract: Contract | None,
        value: Value,
        terms: Terms,
        shares: tuple[float, ...] | None = None,
        kinds: Sequence[int] | None = None,
    ) -> None:
        """`kinds` are numbers, the same for options that are the same for play; unless given no two are."""
        self._shares = shares
        self._kinds = range(len(names)) if kinds is None else kinds
        self._k, self._names, self._evaluate = k, names, evaluate
        self._kind, self._variant, self._contract, self._value = kind, variant, contract, value
        self._by_rule = terms.value is None and value == "playout"
        self._seed, self._confidence, self._policy = terms.seed, terms.confidence, terms.policy
        samples, seconds = terms.samples, terms.seconds
        self._plan = Plan(k)
        self._all = enumerate_deals(k) if self._plan.total <= EXACT_DEALS else None
        limit = samples or (SAMPLES[value] if seconds is None else 1 << 30)
        self.budget = len(self._all) if self._all is not None else limit
        """Deals to value at most."""
        self._began, self._seconds = time.monotonic(), seconds
        self._until = None if seconds is None or self._all is not None else self._began + seconds
        self._look = FIRST_LOOK[value]
        self._looks = 0
        self._values: list[NDArray[np.int32]] = []
        self._weights: list[NDArray[np.uint64]] = []
        self.done = 0
        """Deals valued so far."""
        self.status: Status | None = None
        """Why it has ended; None while it goes on."""

    def step(self) -> None:
        """Values the next few deals; `status` says afterwards whether that was all."""
        stop = min(self.done + self._size(), self.budget)
        if self.done < self._look:
            stop = min(stop, self._look)
        if self._all is not None:
            deals = self._all[self.done : stop]
        else:
            deals = sample(self._k, stop - self.done, seed=self._seed, start=self.done, plan=self._plan)
        values = self._evaluate(deals, self._until)
        self._values.append(values)
        self._weights.append(deals[: len(values)])
        self.done += len(values)
        if self.done < stop:
            self.status = "time"
            if not self.done:
                msg = (
                    f"expected time to value one deal by {self._value}, got {self._seconds:g} s: more time, "
                    "or play-outs"
                )
                raise KingError(msg)
        elif self.done == self.budget:
            self.status = "exact" if self._all is not None else "samples"
        elif self.done == self._look:
            self._looks += 1
            self._look *= 2
            if self._kind == "card" and self._all is None and self._separated():
                self.status = "separated"
        if self.status is None and self._until is not None and time.monotonic() >= self._until:
            self.status = "time"

    def _size(self) -> int:
        """How many deals to value next: where time is short, about half of those that there is time for."""
        most = _STEP[self._value]
        if self._until is None:
            return most
        now = time.monotonic()
        fit = self.done * min(self._until - now, _LONG) / max(now - self._began, 1 / _LONG) / 2
        return max(1, min(most, int(fit)))

    def run(self, progress: Callable[[int, int], None] | None = None) -> Advice:
        """Steps to the end; `progress` is called with the deals valued and the budget."""
        while self.status is None:
            self.step()
            if progress is not None:
                progress(self.done, self.budget)
        return self.advice()

    def interrupt(self) -> Advice | None:
        """Ends it now; what is known, None when nothing is."""
        self.status = self.status or "interrupted"
        return self.advice() if self.done else None

    # --- statistics ---

    def _chances(self) -> NDArray[np.float64]:
        """The weight of each deal valued so far, summing to 1."""
        if self._policy is None:
            return np.full(self.done, 1.0 / self.done)
        return weights(self._k, np.concatenate(self._weights), policy=self._policy)

    def _table(self) -> tuple[NDArray[np.float64], NDArray[np.float64], list[int]]:
        """The values in points, the weights, and the columns from best to worst; equals keep their order."""
        values = np.concatenate(self._values).astype(np.float64) / scale(self._value)
        chances = self._chances()
        means = chances @ values
        order = sorted(range(len(self._names)), key=lambda i: (-round(float(means[i]), 9), i))
        return values, chances, order

    def _separated(self) -> bool:
        """Whether the first option is better than each that is not the same for play, at the confidence.

        One that never differed so far may do so in the next deal: it is not told from the first.
        The doubt is spread over all comparisons and over all looks, look i taking 1 / (i (i + 1)) of it, so
        that asking often does not make it certain by chance.
        """
        values, chances, order = self._table()
        others = order[1:]
        if not others:
            return True
        doubt = (1 - self._confidence) / (len(others) * self._looks * (self._looks + 1))
        wanted = -NormalDist().inv_cdf(doubt)  # 1 - doubt may round to 1
        for i in others:
            mean, error = _mean(
                values[:, order[0]] - values[:, i], chances, weighted=self._policy is not None
            )
            same = self._kinds[i] == self._kinds[order[0]] and not mean and not error
            if not same and mean <= wanted * error:
                return False
        return True

    def advice(self) -> Advice:
        """What is known so far. Raises KingError before the first deal is valued."""
        if not self.done:
            msg = "expected at least one deal valued, got none yet"
            raise KingError(msg)
        values, chances, order = self._table()
        weighted = self._policy is not None
        exact = self.status == "exact"
        top = values.max(axis=1)
        options = []
        for i in order:
            mean, error = _mean(values[:, i], chances, weighted=weighted)
            behind, behind_error = _mean(values[:, order[0]] - values[:, i], chances, weighted=weighted)
            options.append(
                Option(
                    name=self._names[i],
                    mean=mean,
                    error=0.0 if exact else error,
                    best=float(chances @ (values[:, i] == top)),
                    behind=max(0.0, behind),
                    behind_error=0.0 if exact else behind_error,
                    over_share=mean - self._shares[i] if self._shares is not None else None,
                )
            )
        return Advice(
            kind=self._kind,
            variant=self._variant,
            contract=self._contract,
            seat=self._k.seat,
            own=tuple(cards_of(self._k.own)),
            trick=self._k.trick,
            options=tuple(options),
            value=self._value,
            by_rule=self._by_rule,
            samples=self.done,
            consistent=self._plan.total,
            seed=self._seed,
            confidence=self._confidence,
            status=self.status or "interrupted",
            policy=self._policy,
            effective=effective_size(chances) if weighted else float(self.done),
        )


def _mean(
    values: NDArray[np.float64], chances: NDArray[np.float64], *, weighted: bool
) -> tuple[float, float]:
    """The mean of values under weights that sum to 1, and its standard error (self-normalised where
    weighted): nan for one value."""
    mean = float(chances @ values)
    if len(values) < 2:
        return mean, nan
    apart = (values - mean) ** 2
    if weighted:
        return mean, float(np.sqrt((chances**2) @ apart))
    n = len(values)
    return mean, float(np.sqrt(apart.sum() / (n * (n - 1))))
