"""Deals imagined: what each card, or contract, is worth in deals that fit what a seat has seen."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .._jit.endings import ending_cards
from .._jit.playouts import playout_cards
from .._jit.policies import CAREFUL
from .._jit.rng import mixed
from ..cards import SEATS, mask_of, parse_seat
from ..choice import first_leader
from ..contract import Contract
from ..knowledge import Knowledge
from ..sampling import Plan, enumerate_deals, sample
from ..solver import in_play_order
from ..variants import Variant
from .outlook import Outlook
from .view import View

Points = NDArray[np.int32]
"""int32[deals, options, seats]: points to come, seats in the order of play."""


@dataclass(frozen=True)
class Scene:
    """A seat's turn, ready for the kernels: what they take beside the deals, seats in the order of play."""

    k: Knowledge
    view: View

    @cached_property
    def order(self) -> list[int]:
        """The seat number of each of the kernels' seats, and the other way round."""
        return in_play_order(self.k.contract)

    @property
    def leader(self) -> int:
        """Who led, or is to lead, the trick."""
        return self.order[SEATS.index(self.k.leader)]

    @property
    def me(self) -> int:
        """The seat to play."""
        return self.order[SEATS.index(self.k.seat)]

    @property
    def trick(self) -> NDArray[np.int64]:
        """The cards of the trick, int64[4]."""
        lying = np.zeros(4, np.int64)
        lying[: len(self.view.trick)] = self.view.trick
        return lying

    @property
    def gone(self) -> int:
        """The cards of complete tricks, and those never in play."""
        return self.view.seen & ~self.view.lying

    def turned(self, deals: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Deals with their seats in the order of play."""
        return np.ascontiguousarray(deals[:, self.order]).astype(np.int64)

    def played_out(self, deals: NDArray[np.uint64], cards: Sequence[int], *, policy: int = CAREFUL) -> Points:
        """What comes of each card when a policy plays all others to the end."""
        contract = self.k.contract
        out = np.zeros((len(deals), len(cards), contract.seats), np.int32)
        playout_cards(
            contract.record[()], self.turned(deals), self.leader, self.trick, len(self.view.trick), self.gone,
            self.k.broken, np.array(cards, np.int64), np.full(4, policy, np.int64), out,
        )  # fmt: skip
        return out

    def solved(self, deals: NDArray[np.uint64], cards: Sequence[int]) -> Points:
        """What comes of each card under max^n from there on, for the last tricks."""
        contract = self.k.contract
        out = np.zeros((len(deals), len(cards), contract.seats), np.int32)
        ending_cards(
            contract.record[()], self.turned(deals), self.leader, self.trick, len(self.view.trick),
            self.k.broken, np.array(cards, np.int64), out,
        )  # fmt: skip
        return out

    @cached_property
    def distinct(self) -> list[int]:
        """The legal cards, from the lowest, without those that are as good as a lower one: cards of a suit
        that score alike and are alike under the rules, with no card of others between them."""
        view, contract = self.view, self.k.contract
        between = contract.pack & ~view.hand & ~(view.seen & ~view.lying)
        found: list[int] = []
        for card in view.cards:
            low = found[-1] if found else -64
            gap = ((1 << card) - 1) & ~((2 << low) - 1) if low >= 0 and low >> 4 == card >> 4 else -1
            if gap & between or not contract.alike(low, card) or contract.waiver:
                found.append(card)
        return found


STEP = 500
"""Deals between two looks at the clock, and at whether a search may end: a few milliseconds."""


class Clock:
    """A cap on the time of a move, from now on; without `seconds` it is never asked."""

    def __init__(self, seconds: float | None) -> None:
        self._until = None if seconds is None else time.monotonic() + seconds

    @property
    def over(self) -> bool:
        """Whether the time is up."""
        return self._until is not None and time.monotonic() >= self._until


def deals_to_try(
    k: Knowledge, number: int, *, seed: int, once: bool = True, plan: Plan | None = None
) -> Iterator[NDArray[np.uint64]]:
    """Deals that fit, STEP of them at a time, `number` in all: random ones of the seed; all that there are,
    where no more fit and each is wanted `once`."""
    plan = plan or Plan(k)
    if once and plan.total <= number:
        every = enumerate_deals(k)
        yield from (every[start : start + STEP] for start in range(0, len(every), STEP))
        return
    for start in range(0, number, STEP):
        yield sample(k, min(STEP, number - start), seed=seed, start=start, plan=plan)


def best_contract(
    variant: Variant,
    seat: str,
    cards: Sequence[str],
    names: Sequence[str],
    *,
    deals: int,
    seed: int,
    outlook: Callable[[Contract], Outlook],
    clock: Clock,
    policy: int = CAREFUL,
) -> str:
    """The contract worth most to the chooser, above an equal share, when a policy plays imagined deals out.

    All are played out in the same deals.
    """
    contracts = [variant.contract(name) for name in names]
    if len(contracts) == 1:
        return names[0]
    leader = first_leader(variant, seat)
    k = Knowledge(contracts[0], seat, own=cards, sizes=variant.hand_size, leader=leader)
    order = in_play_order(contracts[0])
    me, first = order[parse_seat(seat)], order[parse_seat(leader)]
    sums = np.zeros(len(contracts))
    policies = np.full(4, policy, np.int64)
    done = 0
    for found in deals_to_try(k, deals, seed=seed):
        turned = np.ascontiguousarray(found[:, order]).astype(np.int64)
        for i, contract in enumerate(contracts):
            out = np.zeros((len(found), 1, variant.seats), np.int32)
            playout_cards(
                contract.record[()], turned, first, np.zeros(4, np.int64), 0, 0, False,
                np.array([-1], np.int64), policies, out,
            )  # fmt: skip
            sums[i] += outlook(contract).worth(out, me).sum()
        done += len(found)
        if clock.over:
            break
    shares = [outlook(contract).share(contract) for contract in contracts]
    means = sums / done - shares
    return names[int(np.argmax(np.round(means, 9)))]


def seed_of(seed: int, cards: Sequence[str], number: int) -> int:
    """A seed for one choice of a contract."""
    return int(mixed(np.uint64(seed), mask_of(cards), number))
