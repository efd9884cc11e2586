"""Many deals at once: arrays in, arrays out, several threads without the GIL.

One context a thread and no shared state, so the answers do not depend on the number of threads: every solve
starts from nothing, and a deal's nodes are its own.
"""

import os
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from numbers import Integral
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._core import Equilibria
from .cards import EVERY_CARD, SEATS, cards_of, parse_side
from .contract import Contract
from .errors import DealError, KingError, Unsolved, is_number, require
from .solver import (
    DEFAULT_MEMORY,
    EQUILIBRIA_MEMORY,
    Limits,
    in_play_order,
    kernel_seats,
    lent_maxn_context,
    lent_search_context,
    sides,
)

Concept = Literal["guarantee", "best-case", "shapley", "maxn", "equilibria"]
CHUNK = 8
"""Deals that a thread takes at a time: small, since a hard deal may cost a thousand easy ones."""


@dataclass(frozen=True)
class Bulk:
    """Values of many deals: `low` and `high` int16[n, k] points, bounds where a limit came first; `nodes`
    uint64[n]; `solved` bool[n], the deals of which every value is exact."""

    low: NDArray[np.int16]
    high: NDArray[np.int16]
    nodes: NDArray[np.uint64]
    solved: NDArray[np.bool_]


def solve_many(
    hands: ArrayLike,
    contract: Contract,
    *,
    leader: int | Sequence[int] | NDArray[np.int8],
    concept: Concept = "guarantee",
    sides: Sequence[str | Iterable[str]] | None = None,
    jobs: int = 1,
    nodes: int | None = None,
    memory: int = DEFAULT_MEMORY,
    progress: Callable[[int], None] | None = None,
) -> NDArray[np.int16] | NDArray[np.int32]:
    """The points to come of many deals as an array, deals in the order given; a trick is about to begin in
    each.

    `hands` is uint64[n, seats], masks in seat order; `leader` one seat number or int8[n]. By `concept`:

    - `guarantee`: int16[n, k], the guarantee of each of `sides` (each seat unless given);
    - `best-case`, `maxn`: int16[n, seats];
    - `shapley`: int32[n, seats], six times each share, which is a whole number;
    - `equilibria`: int16[n, 2 * seats], each seat's least points over all equilibria, then each seat's most.

    `jobs` threads share the deals; `nodes` limits each solve; `memory` is in bytes for each thread's table;
    `progress` is called with the number of deals done so far. Raises DealError for hands that are no deals of
    the contract, KingError for other arguments, and Unsolved, naming the deal, where the limit came first.
    """
    result = solve_many_bounds(
        hands, contract, leader=leader, concept=concept, sides=sides, jobs=jobs, nodes=nodes, memory=memory,
        progress=progress,
    )  # fmt: skip
    if not result.solved.all():
        deal = int(np.flatnonzero(~result.solved)[0])
        column = int(np.flatnonzero(result.low[deal] != result.high[deal])[0])
        what = f"{concept} {column} of deal {deal}"
        raise Unsolved(what, int(result.low[deal, column]), int(result.high[deal, column]))
    if concept == "equilibria":
        return np.concatenate([result.low, result.high], axis=1)
    if concept == "shapley":
        return share_bounds(result, _to_come(hands, contract), contract.seats)[0]
    return result.low


def solve_many_bounds(
    hands: ArrayLike,
    contract: Contract,
    *,
    leader: int | Sequence[int] | NDArray[np.int8],
    concept: Concept = "guarantee",
    sides: Sequence[str | Iterable[str]] | None = None,
    jobs: int = 1,
    nodes: int | None = None,
    memory: int = DEFAULT_MEMORY,
    progress: Callable[[int], None] | None = None,
    cancel: NDArray[np.int32] | None = None,
) -> Bulk:
    """`solve_many` with bounds in place of an error where the limit came first, and the nodes of each deal.

    For `shapley` the columns are the guarantees it is made of (`shapley_sides`); for `equilibria` low and
    high are the least and most points. Of `maxn` and `equilibria` that are not solved nothing is known but
    the least and most points of the contract. `cancel` is an array of one int32: once it is not 0, searches
    stop with KeyboardInterrupt.
    """
    require(contract, Contract)
    deals = _checked_hands(hands, contract)
    leaders = _checked_leaders(leader, len(deals), contract)
    if not is_number(jobs, Integral) or jobs < 1:
        msg = f"expected jobs to be a whole number of at least 1, got {jobs!r}"
        raise KingError(msg)
    limits = Limits(nodes=nodes, memory=memory)
    job = _Job(contract, concept, _masks(concept, sides, contract), deals, leaders, limits)
    if cancel is not None:
        job.cancel = cancel
    _run(job, jobs, progress)
    if job.cancel[0]:
        raise KeyboardInterrupt
    return Bulk(job.low, job.high, job.nodes, job.solved)


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def shapley_sides(seats: int) -> list[int]:
    """The sides whose guarantees a Shapley value is made of: the seats, and for four the pairs with N."""
    return [
        side
        for side in sides(seats)
        if side.bit_count() == 1 or (side.bit_count() == 2 < seats - 1 and side & 1)
    ]


def _masks(concept: str, given: Sequence[str | Iterable[str]] | None, contract: Contract) -> list[int]:
    seats = contract.seats
    if concept not in ("guarantee", "best-case", "shapley", "maxn", "equilibria"):
        msg = f"expected a concept, one of guarantee best-case shapley maxn equilibria, got {concept!r}"
        raise KingError(msg)
    if given is not None and concept != "guarantee":
        msg = f"expected sides with concept 'guarantee' only, got {concept!r}"
        raise KingError(msg)
    if concept == "shapley":
        return shapley_sides(seats)
    if given is None:
        return [1 << seat for seat in range(seats)]
    if not isinstance(given, Iterable):
        msg = f"expected sides as a list, such as ['N', 'NS'], got {given!r}"
        raise KingError(msg)
    masks = [parse_side(side, seats) for side in given]
    if not masks or (1 << seats) - 1 in masks:
        msg = f"expected one or more sides, each with somebody against it, got {given!r}"
        raise KingError(msg)
    return masks


def _checked_hands(hands: ArrayLike, contract: Contract) -> NDArray[np.uint64]:
    expected = f"expected hands as uint64[n, {contract.seats}]"
    try:
        given = np.asarray(hands)
    except (TypeError, ValueError, OverflowError):
        msg = f"{expected}, got a {type(hands).__name__} of something else"
        raise DealError(msg) from None
    if given.dtype.kind not in "iu" and given.size:
        why = ": a float would lose cards" if given.dtype.kind == "f" else ""
        msg = f"{expected}, got {given.dtype.name}{why}"
        raise DealError(msg)
    if given.ndim != 2 or given.shape[1] != contract.seats:
        msg = f"{expected}, got an array of shape {given.shape}"
        raise DealError(msg)
    foreign = (given < 0) | (given.astype(np.uint64) & ~np.uint64(EVERY_CARD) != 0)
    if foreign.any():
        deal, seat = (int(index[0]) for index in np.nonzero(foreign))
        msg = f"expected masks of cards, got {int(given[deal, seat])} (deal {deal}, {SEATS[seat]})"
        raise DealError(msg)
    deals = np.ascontiguousarray(given, dtype=np.uint64)
    sizes = np.bitwise_count(deals)
    union = np.bitwise_or.reduce(deals, axis=1)
    for fault, words in (
        ((sizes != sizes[:, :1]).any(axis=1), "expected hands of equal size"),
        (sizes[:, 0] > contract.hand_size, f"expected at most {contract.hand_size} cards a hand"),
        (np.bitwise_count(union) != sizes.sum(axis=1), "expected each card once"),
        ((union & ~np.uint64(contract.pack)) != 0, "expected cards of the pack"),
    ):
        if fault.any():
            deal = int(np.flatnonzero(fault)[0])
            got = " / ".join(" ".join(cards_of(int(hand))) for hand in deals[deal])
            msg = f"{words}, got {got!r} (deal {deal})"
            raise DealError(msg)
    return deals


def _checked_leaders(
    leader: int | Sequence[int] | NDArray[np.int8], n: int, contract: Contract
) -> NDArray[np.int8]:
    leaders = np.asarray(leader)
    if leaders.ndim == 0:
        leaders = np.full(n, leaders)
    whole = leaders.dtype.kind in "iu" or leaders.size == 0
    if not whole or leaders.shape != (n,) or ((leaders < 0) | (leaders >= contract.seats)).any():
        msg = f"expected a leader 0..{contract.seats - 1}, or one for each of {n} deals, got {leader!r}"
        raise KingError(msg)
    return leaders.astype(np.int8)


class _Job:
    """The arrays that threads fill, each its own rows."""

    def __init__(
        self,
        contract: Contract,
        concept: str,
        masks: list[int],
        deals: NDArray[np.uint64],
        leaders: NDArray[np.int8],
        limits: Limits,
    ) -> None:
        order = np.array(in_play_order(contract))
        self.contract, self.concept = contract, concept
        self.limit, self.memory = limits.nodes or 0, limits.memory
        self.hands = np.ascontiguousarray(deals[:, order])
        self.leaders = order[leaders].astype(np.int8)  # the order is its own inverse
        self.sides = np.array([kernel_seats(contract, mask) for mask in masks], np.int32)
        self.back = order
        self.low = np.zeros((len(deals), len(masks)), np.int16)
        self.high = np.zeros_like(self.low)
        self.nodes = np.zeros(len(deals), np.uint64)
        self.solved = np.zeros(len(deals), np.bool_)
        self.cancel = np.zeros(1, np.int32)
        self._ends = [(worth,) * contract.seats for worth in (contract.min_points, contract.max_points)]

    def fill(self, start: int, stop: int) -> None:
        """Computes the rows from `start` to before `stop`, with this thread's contexts."""
        if self.concept == "maxn":
            self._maxn(start, stop)
            return
        if self.concept == "equilibria":
            self._equilibria(start, stop)
            return
        rows = slice(start, stop)
        if self.concept == "best-case":
            self._best_cases(start, stop)
        else:
            lent_search_context(self.memory).values(
                self.contract.record, self.hands[rows], self.leaders[rows], self.sides,
                self.low[rows], self.high[rows], self.nodes[rows], self.limit, self.cancel,
            )  # fmt: skip
        self.solved[rows] = (self.low[rows] == self.high[rows]).all(axis=1)

    def _best_cases(self, start: int, stop: int) -> None:
        context = lent_search_context(self.memory)
        everybody = (1 << self.contract.seats) - 1
        for i in range(start, stop):
            for j, seat in enumerate(self.sides):
                context.begin(self.contract.record, int(seat), everybody)
                low, high, nodes, _ = context.value(
                    self.hands[i], int(self.leaders[i]), _NO_TRICK, False, self.limit, 0, self.cancel
                )
                self.low[i, j], self.high[i, j] = low, high
                self.nodes[i] += np.uint64(nodes)

    def _maxn(self, start: int, stop: int) -> None:
        context = lent_maxn_context(self.memory)
        for i in range(start, stop):
            context.begin(self.contract.record, False)
            points, self.nodes[i], stopped = context.value(
                self.hands[i], int(self.leaders[i]), _NO_TRICK, False, self.limit, 0, self.cancel
            )
            self.low[i], self.high[i] = self._ends if stopped else (points, points)
            self.solved[i] = not stopped
        for ends in (self.low, self.high):
            ends[start:stop] = ends[start:stop, self.back]

    def _equilibria(self, start: int, stop: int) -> None:
        context = Equilibria()
        memory = max(self.memory, EQUILIBRIA_MEMORY)
        for i in range(start, stop):
            vectors, self.nodes[i], stopped = context.value(
                self.contract.record, self.hands[i], int(self.leaders[i]), _NO_TRICK, False,
                memory, self.limit, 0, self.cancel,
            )  # fmt: skip
            points = np.array(vectors or self._ends)[:, self.back]
            self.low[i], self.high[i] = points.min(axis=0), points.max(axis=0)
            self.solved[i] = not stopped


_NO_TRICK = np.zeros(0, np.int32)


def _run(job: _Job, jobs: int, progress: Callable[[int], None] | None) -> None:
    """Deals out chunks to the threads until all are done; an error or Ctrl-C stops every thread at once."""
    n = len(job.hands)
    lock = threading.Lock()
    begun = done = 0

    def work() -> None:
        nonlocal begun, done
        while not job.cancel[0]:
            with lock:
                start = begun
                begun = stop = min(start + CHUNK, n)
            if start == stop:
                return
            job.fill(start, stop)
            with lock:
                done += stop - start
                if progress is not None:
                    progress(done)

    if jobs == 1 or n <= CHUNK:
        work()
        return
    with ThreadPoolExecutor(jobs) as pool:
        futures = [pool.submit(work) for _ in range(jobs)]
        try:
            for future in futures:
                future.result()
        except BaseException:
            job.cancel[0] = 1
            wait(futures)
            raise


def _to_come(hands: ArrayLike, contract: Contract) -> NDArray[np.int32]:
    """int32[n]: all the points to come of each deal."""
    deals = np.asarray(hands, np.uint64)
    union = np.bitwise_or.reduce(deals, axis=1)
    tails = np.cumsum([0, *reversed(contract.trick_points)], dtype=np.int32)
    points = tails[np.bitwise_count(deals[:, 0])]
    for mask, worth in contract.card_points:
        points = points + np.int32(worth) * np.bitwise_count(union & np.uint64(mask)).astype(np.int32)
    return points


def share_bounds(
    found: Bulk, total: NDArray[np.int32], seats: int
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Least and most of six times each Shapley share, int32[n, seats], from the bounds of a `shapley` Bulk.

    `total` int32[n] is all the points to come of each deal. The shares are docs/solver.md's: 3 v(p) + sum
    over q of [v(pq) - v(q)] for four seats, 2 C + 4 v(p) - 2 sum over q of v(q) for three.
    """
    everybody = (1 << seats) - 1
    worth = {
        side: (found.low[:, i].astype(np.int32), found.high[:, i].astype(np.int32))
        for i, side in enumerate(shapley_sides(seats))
    }
    for side, (low, high) in list(worth.items()):
        worth[everybody ^ side] = total - high, total - low
    shares = np.zeros((2, len(found.low), seats), np.int32)
    for seat in range(seats):
        others = [1 << other for other in range(seats) if other != seat]
        for end in (0, 1):
            share = shares[end, :, seat]
            if seats == 3:
                share += 2 * total + 4 * worth[1 << seat][end]
            else:
                share += 3 * worth[1 << seat][end]
            for other in others:
                if seats == 3:
                    share -= 2 * worth[other][1 - end]
                else:
                    share += worth[other | 1 << seat][end] - worth[other][1 - end]
    return shares[0], shares[1]
