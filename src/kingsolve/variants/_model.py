"""What a variant file says, as values: Variant, its match Plan, and the Quotas of a plan without an order."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ..contract import Contract
from ..errors import VariantError

FirstLead = Literal["left-of-dealer", "dealer", "chooser", "given"]
Chooser = Literal["dealer", "eldest", "rotates"]


@dataclass(frozen=True, kw_only=True)
class Quota:
    """How often the contracts of the list `of` may be chosen; None: no limit of that kind."""

    of: tuple[str, ...]
    each: int | None = None
    """Each contract of the list, in the whole match."""
    per_seat: int | None = None
    """The list together, by one chooser."""
    per_seat_each: int | None = None
    """Each contract of the list, by one chooser."""

    def capacity(self, seats: int) -> int:
        """The most rounds that this quota lets a match of `seats` choosers play."""
        limits = []
        if self.each is not None:
            limits.append(self.each * len(self.of))
        if self.per_seat is not None:
            limits.append(self.per_seat * seats)
        if self.per_seat_each is not None:
            limits.append(self.per_seat_each * seats * len(self.of))
        return min(limits)


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The rounds of a match: `order` says what is open in each of them, or `quotas` bind the choosers."""

    rounds: int
    order: tuple[tuple[str, ...], ...] = ()
    """One entry a round: the contract played, or the contracts one of which is named. Empty under quotas."""
    quotas: tuple[Quota, ...] = ()
    chooser: Chooser | None = None
    """Who chooses where there is a choice; `rotates`: seat (deal - 1) mod seats."""
    named_after: int | None = None
    """How many cards the chooser has seen when the choice is made; None: the whole hand."""


@dataclass(frozen=True, kw_only=True)
class Variant:
    """A set of house rules, as read from one file. `contracts` is in the order of the match."""

    id: str
    title: str
    seats: int
    pack: int
    """The cards in use, as a mask."""
    pack_name: str
    hand_size: int
    out: int
    """Cards left out of every deal."""
    clockwise: bool
    first_lead: FirstLead
    """Who leads first: `left-of-dealer` is eldest in either direction; `given`: it comes with the deal."""
    packet: int
    """Cards dealt to a seat at a time."""
    early_stop: bool
    contracts: Mapping[str, Contract] = field(hash=False, repr=False)
    plan: Plan | None = field(repr=False)
    source: str = field(repr=False)
    """The file's name, or its path as given."""
    text: str = field(repr=False)
    sha256: str = field(repr=False)
    """Of the file's text, followed by its base's where it extends one."""

    def contract(self, name: str) -> Contract:
        """The contract called `name`; VariantError, listing those there are, when there is none.

        >>> from kingsolve.variants import load_variant
        >>> load_variant("russian-14").contract("no-queens").total
        -16
        """
        found = self.contracts.get(name) if isinstance(name, str) else None
        if found is None:
            msg = f"expected a contract of {self.id}, one of {' '.join(self.contracts)}, got {name!r}"
            raise VariantError(msg)
        return found

    @property
    def seat_names(self) -> str:
        """The seats in clockwise order: `NESW` or `NES`."""
        return "NESW"[: self.seats]

    @property
    def match_total(self) -> int | None:
        """The points of a whole match, all seats together; None where they depend on what is chosen."""
        if self.plan is None:
            return None
        total = 0
        for names in self.plan.order:
            totals = {self.contracts[name].total for name in names}
            if len(totals) > 1:
                return None
            total += totals.pop()
        if not self.plan.quotas:
            return total
        if sum(quota.capacity(self.seats) for quota in self.plan.quotas) != self.plan.rounds:
            return None
        shares = [self._quota_total(quota) for quota in self.plan.quotas]
        return sum(share for share in shares if share is not None) if None not in shares else None

    def _quota_total(self, quota: Quota) -> int | None:
        """The points that a filled quota brings, None where they depend on the choices."""
        capacity = quota.capacity(self.seats)
        totals = [self.contracts[name].total for name in quota.of]
        if len(set(totals)) == 1:
            return capacity * totals[0]
        times, rest = divmod(capacity, len(totals))
        filled = quota.each == times or (quota.per_seat_each or 0) * self.seats == times
        return times * sum(totals) if filled and not rest else None
