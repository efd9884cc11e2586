"""Whose turn it is in a match: who deals, chooses and leads, the deal by seed, the contracts that are open.

Deals come from Philox keyed by (seed, round number), so that the deal of a round never depends on what was
chosen or played before it.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from .cards import SEATS, parse_seat
from .contract import Contract
from .deal import Deal
from .dealing import random_deal, stream
from .errors import MatchError
from .rounds import Round
from .variants import Plan, Variant, as_variant


@dataclass(frozen=True, kw_only=True)
class Result:
    """A finished round of a match. `scores` are points in seat order; `round` None if only they are known."""

    number: int
    """Counted from 1."""
    contract: Contract
    dealer: str
    chooser: str | None
    """Who chose the contract; None where the order fixed it."""
    leader: str
    scores: tuple[int, ...]
    round: Round | None = None


class Turns:
    """The rounds of a match as the variant lays them down, given those that are finished; see Match."""

    def __init__(self, variant: Variant | str, *, seed: int, first_dealer: str | None = None) -> None:
        self.variant = as_variant(variant)
        if self.variant.plan is None:
            msg = f"expected a variant with a [match], got {self.variant.id!r}"
            raise MatchError(msg)
        self.plan: Plan = self.variant.plan
        self.seed = seed
        below = stream(seed, 0)
        self._first: int | None = None
        if self.plan.chooser != "rotates" and self.variant.first_lead != "given":
            self._first = below(self.variant.seats)
        if first_dealer is not None:
            if self._first is None:
                msg = f"expected no first dealer in {self.variant.id}, got {first_dealer!r}"
                raise MatchError(msg)
            self._first = parse_seat(first_dealer, self.variant.seats)
        self._results: list[Result] = []
        self._dealt: tuple[int, Deal] | None = None

    @property
    def first_dealer(self) -> str | None:
        """The dealer of the first round; None where the dealer does not rotate from one."""
        return None if self._first is None else SEATS[self._first]

    @property
    def number(self) -> int:
        """The number of the round to play, from 1; one more than there are when the match is over."""
        return len(self._results) + 1

    @property
    def is_over(self) -> bool:
        """Whether every round has been recorded."""
        return len(self._results) == self.plan.rounds

    @property
    def dealer(self) -> str:
        """The dealer of the current round; MatchError when the match is over."""
        self._check_going()
        return self._dealer(self.number)

    @property
    def eldest(self) -> str:
        """The seat next to the dealer in the direction of play: the first to be dealt a card."""
        return self._after(self.dealer)

    @property
    def chooser(self) -> str | None:
        """Who chooses or names the contract of the current round; None where the order fixes it."""
        self._check_going()
        return self._chooser(self.number)

    @property
    def leader(self) -> str:
        """Who leads to the first trick of the current round."""
        lead = self.variant.first_lead
        if lead == "dealer":
            return self.dealer
        if lead == "chooser":
            return self.chooser or self.eldest
        return self.eldest

    def _check_going(self) -> None:
        if self.is_over:
            msg = f"expected a round to play, got a match whose {self.plan.rounds} rounds are over"
            raise MatchError(msg)

    def _dealer(self, number: int) -> str:
        if self._first is not None:
            return self._turned(self._first, number - 1)
        if self.plan.chooser == "rotates":
            return self._turned((number - 1) % self.variant.seats, -1)
        return random_deal(self.variant, seed=self.seed, number=number).dealer or SEATS[0]

    def _chooser(self, number: int) -> str | None:
        if self.plan.order and len(self.plan.order[number - 1]) == 1:
            return None
        if self.plan.chooser == "rotates":
            return SEATS[(number - 1) % self.variant.seats]
        dealer = self._dealer(number)
        return dealer if self.plan.chooser == "dealer" else self._after(dealer)

    def _after(self, seat: str) -> str:
        return self._turned(SEATS.index(seat), 1)

    def _turned(self, seat: int, steps: int) -> str:
        """The seat `steps` further on in the direction of play."""
        return SEATS[(seat + (steps if self.variant.clockwise else -steps)) % self.variant.seats]

    # --- the deal and the contract ---

    def deal(self) -> Deal:
        """The deal of the current round, by the match's seed, with each seat's cards in the order dealt."""
        dealer = self.dealer
        if self._dealt is None or self._dealt[0] != self.number:
            deal = random_deal(self.variant, seed=self.seed, number=self.number, dealer=dealer)
            self._dealt = self.number, deal
        return self._dealt[1]

    def first_cards(self) -> tuple[str, ...]:
        """The cards the chooser has seen when the contract is chosen, in the order dealt (Seed 002: three).

        Raises MatchError in a round whose contract is fixed.
        """
        chooser = self.chooser
        if chooser is None:
            msg = f"expected a round whose contract is chosen, got {self.open[0]!r} (round {self.number})"
            raise MatchError(msg)
        order = self.deal().order or ()
        return order[SEATS.index(chooser)][: self.plan.named_after]

    @property
    def open(self) -> tuple[str, ...]:
        """The contracts that may be played in the current round: by the order, or by quotas not filled."""
        self._check_going()
        if self.plan.order:
            return self.plan.order[self.number - 1]
        return tuple(name for name, room in self._rooms() if room > 0)

    def _rooms(self) -> Iterator[tuple[str, int]]:
        """How often more each quota lets the current chooser choose each of its contracts, were all later
        rounds its own."""
        chooser = self.chooser
        everybody = Counter(result.contract.name for result in self._results)
        mine = Counter(result.contract.name for result in self._results if result.chooser == chooser)
        for quota in self.plan.quotas:
            of_quota = sum(mine[name] for name in quota.of)
            for name in quota.of:
                counts = (
                    (quota.each, everybody[name]),
                    (quota.per_seat, of_quota),
                    (quota.per_seat_each, mine[name]),
                )
                yield name, min(limit - count for limit, count in counts if limit is not None)

    @property
    def left(self) -> dict[str, int]:
        """How often each contract under a quota may still be chosen by the current chooser; 0: no more.

        Empty where an order lays the rounds down.
        """
        self._check_going()
        left: dict[str, int] = {}
        for name, room in self._rooms():
            left[name] = min(left.get(name, self.plan.rounds), room)
        return left
