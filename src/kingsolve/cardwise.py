"""What each card of the seat to play is worth to it in many deals: exact values, on several threads.

The deals share everything that is on the table: the trick in progress, whose turn it is, the hand of the seat
to play, so the same cards are legal in all of them.
"""

import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ._core import Context, MaxN
from .bulk import shapley_sides
from .cards import ALL_CARDS, parse_seat
from .position import Position
from .solver import DEFAULT_MEMORY, in_play_order, kernel_seats

Concept = Literal["maxn", "guarantee", "shapley"]
CONCEPTS: tuple[Concept, ...] = ("maxn", "guarantee", "shapley")

CHUNK = 4
"""Deals that a thread takes at a time."""


def scale(concept: str) -> int:
    """What the whole numbers are multiples of: 6 for Shapley shares, which are exact sixths of points."""
    return 6 if concept == "shapley" else 1


class _After:
    """What is on the table once the seat to play has played a card: the same in every deal."""

    def __init__(self, at: Position, seat: int, card: str | None) -> None:
        contract = at.contract
        order = in_play_order(contract)
        after = at.copy()
        self.played = 0
        self.turn = order[parse_seat(at.turn, contract.seats)]
        if card is not None:
            self.played = 1 << ALL_CARDS[card]
            after.push(card)
        self.gained = after.banked[seat] - at.banked[seat]
        self.to_come = after.to_come
        self.leader = order[parse_seat(after.leader, contract.seats)]
        self.trick = np.array([ALL_CARDS[lying] for lying in after.trick], np.int32)
        self.broken = after.broken

    def hands(self, row: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """The hands of a deal, in the order of play, without the card."""
        hands = row.copy()
        hands[self.turn] &= np.uint64(~self.played & (2**64 - 1))
        return hands


class CardValues:
    """Values for one seat of each of its cards, or of the whole position, deal after deal.

    `at` is the position in any of the deals; `cards` are legal ones of the seat to play, None for the
    position as it is. One object may be asked again and again: each of its threads keeps its tables.
    """

    def __init__(
        self,
        at: Position,
        *,
        seat: str,
        cards: Sequence[str] | None,
        concept: Concept,
        jobs: int = 1,
        memory: int = DEFAULT_MEMORY,
    ) -> None:
        contract = at.contract
        self._contract, self._concept, self._jobs, self._memory = contract, concept, jobs, memory
        self._order = np.array(in_play_order(contract))
        self._seat = parse_seat(seat, contract.seats)
        self._afters = [_After(at, self._seat, card) for card in ([None] if cards is None else cards)]
        sides = shapley_sides(contract.seats) if concept == "shapley" else [1 << self._seat]
        self._sides = [(side, kernel_seats(contract, side)) for side in sides]
        self._own = threading.local()
        self._pool = ThreadPoolExecutor(jobs)  # its threads begin when asked and end with this object

    def __call__(self, deals: NDArray[np.uint64], until: float | None = None) -> NDArray[np.int32]:
        """int32[n, cards]: the seat's points to come, `scale(concept)` times, in each of `deals`, uint64[n,
        seats].

        Only the first deals, where the monotonic clock reaches `until`. KeyboardInterrupt stops every thread.
        """
        rows = np.ascontiguousarray(deals[:, self._order])
        out = np.zeros((len(deals), len(self._afters)), np.int32)
        cancel = np.zeros(1, np.int32)
        chunks = [slice(at, at + CHUNK) for at in range(0, len(deals), CHUNK)]
        done: list[int] = []
        if self._jobs == 1 or len(chunks) < 2:
            for chunk in chunks:
                done.append(self._fill(rows[chunk], out[chunk], cancel, until))
            return out[: _unbroken(done)]
        waiting = [self._pool.submit(self._fill, rows[chunk], out[chunk], cancel, until) for chunk in chunks]
        try:
            done = [work.result() for work in waiting]
        except BaseException:
            cancel[0] = 1
            for work in waiting:
                work.cancel()
            wait(waiting)
            raise
        return out[: _unbroken(done)]

    def _fill(
        self, rows: NDArray[np.uint64], out: NDArray[np.int32], cancel: NDArray[np.int32], until: float | None
    ) -> int:
        """How many of the rows were valued before `until`."""
        solve = self._maxn if self._concept == "maxn" else self._forced
        for i, row in enumerate(rows):
            try:
                solve(row, out[i], cancel, until)
            except TimeoutError:
                return i
        return len(rows)

    def _maxn(
        self, row: NDArray[np.uint64], out: NDArray[np.int32], cancel: NDArray[np.int32], until: float | None
    ) -> None:
        context: MaxN | None = getattr(self._own, "maxn", None)
        if context is None:
            context = self._own.maxn = MaxN(self._memory)
        context.begin(self._contract.record, False)
        mine = int(self._order[self._seat])
        for i, after in enumerate(self._afters):
            points, _, stop = context.value(
                after.hands(row), after.leader, after.trick, after.broken, 0, _left(until), cancel
            )  # fmt: skip
            if stop:
                raise TimeoutError
            out[i] = after.gained + points[mine]

    def _forced(
        self, row: NDArray[np.uint64], out: NDArray[np.int32], cancel: NDArray[np.int32], until: float | None
    ) -> None:
        """Guarantees; for Shapley shares of every side that they are made of (docs/solver.md)."""
        context: Context | None = getattr(self._own, "search", None)
        if context is None:
            context = self._own.search = Context(self._memory)
        worth = [dict[int, int]() for _ in self._afters]
        for side, kernel_side in self._sides:
            context.begin(self._contract.record, kernel_side, kernel_side)
            for found, after in zip(worth, self._afters, strict=True):
                found[side], _, _, stop = context.value(
                    after.hands(row), after.leader, after.trick, after.broken, 0, _left(until), cancel
                )  # fmt: skip
                if stop:
                    raise TimeoutError
        for i, (found, after) in enumerate(zip(worth, self._afters, strict=True)):
            if self._concept == "guarantee":
                out[i] = after.gained + found[1 << self._seat]
            else:
                out[i] = 6 * after.gained + self._sixths(found, after.to_come)

    def _sixths(self, worth: dict[int, int], total: int) -> int:
        """Six times the seat's Shapley share, from the guarantees of `shapley_sides`."""
        seats, mine = self._contract.seats, 1 << self._seat
        others = [1 << seat for seat in range(seats) if seat != self._seat]
        if seats == 3:
            return 2 * total + 4 * worth[mine] - 2 * sum(worth[other] for other in others)
        share = 3 * worth[mine]
        for other in others:
            pair = mine | other
            share += worth[pair] if pair in worth else total - worth[(1 << seats) - 1 - pair]
            share -= worth[other]
        return share


def _left(until: float | None) -> float:
    """The seconds left as the kernels take them, 0 for no limit; TimeoutError when there are none."""
    if until is None:
        return 0
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _unbroken(done: Sequence[int]) -> int:
    """How many deals from the first on were valued, given how many of each chunk."""
    short = next((i for i, number in enumerate(done) if number < CHUNK), len(done) - 1)
    return sum(done[: short + 1])
