"""The deals of a run, many at a time: those that `kingsolve deal --seed` writes, dealers and leaders too."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..cards import SEATS, bits_of
from ..variants import Variant


@dataclass(frozen=True)
class Dealer:
    """What dealing needs of a variant. Deal 1 is dealt by N, then the deal passes on in the order of play."""

    pack: int
    seats: int
    hand_size: int
    packet: int
    clockwise: bool
    leads: str
    """Who leads first: `dealer`, `eldest`, or `rotates`: seat number - 1, counted round clockwise."""

    @classmethod
    def of(cls, variant: Variant) -> "Dealer":
        """The dealer of a variant; where the leader comes with the deal, eldest leads."""
        leads = {"dealer": "dealer", "chooser": "eldest"}.get(variant.first_lead, "eldest")
        if variant.first_lead == "chooser" and variant.plan is not None and variant.plan.chooser is not None:
            leads = variant.plan.chooser
        return cls(variant.pack, variant.seats, variant.hand_size, variant.packet, variant.clockwise, leads)

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "Dealer":
        """The dealer whose fields stand in `record`, among others."""
        return cls(**{name: record[name] for name in cls.__dataclass_fields__})

    @property
    def order(self) -> NDArray[np.int64]:
        """The seat number of each seat in the order of play, and the other way round."""
        step = 1 if self.clockwise else -1
        return np.array([step * i % self.seats for i in range(self.seats)], np.int64)

    def dealer(self, number: int) -> str:
        """Who deals deal `number`."""
        return SEATS[int(self.order[(number - 1) % self.seats])]

    def leaders(self, first: int, count: int) -> NDArray[np.int64]:
        """Who leads to the deals from `first` on, int64[count], in the order of play."""
        numbers = (np.arange(count) + first % self.seats) % self.seats  # first may be near 2**64
        if self.leads == "dealer":
            return (numbers - 1) % self.seats
        if self.leads == "rotates":
            return self.order[(numbers - 1) % self.seats]
        return numbers

    def in_play_order(self, *, seed: int, first: int, count: int) -> NDArray[np.int64]:
        """The hands of the deals from `first` on, int64[count, seats], seats in the order of play."""
        from .._jit.deals import deal_many

        cards = np.array(list(bits_of(self.pack)), np.int64)
        fair = [2**64 - 1 - 2**64 % n if n else 0 for n in range(len(cards) + 1)]
        owners = np.zeros(len(cards), np.int64)
        at = 0
        for start in range(0, self.hand_size, self.packet):
            size = min(self.packet, self.hand_size - start)
            for turn in range(1, self.seats + 1):
                owners[at : at + size] = turn
                at += size
        dealers = (np.arange(count) + first % self.seats - 1) % self.seats
        hands = np.zeros((count, self.seats), np.int64)
        limits = np.array(fair, np.uint64)
        reciprocals = np.array([2**64 // n if n > 1 else 0 for n in range(len(fair))], np.uint64)
        deal_many(
            cards, owners, limits, reciprocals, self.seats, np.uint64(seed), np.uint64(first), dealers, hands
        )  # fmt: skip
        return hands

    def hands(self, *, seed: int, first: int, count: int) -> NDArray[np.uint64]:
        """The hands of the deals from `first` on, uint64[count, seats], in seat order."""
        found = self.in_play_order(seed=seed, first=first, count=count)[:, self.order]
        return np.ascontiguousarray(found).view(np.uint64)
