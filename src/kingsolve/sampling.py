"""Deals consistent with a Knowledge: how many there are, all of them, or uniformly random ones.

Hidden cards are grouped by the set of places where they may lie. A cell says how many cards of each group go
to each place; it holds as many deals as there are ways to split each group so. Cells are drawn by these
numbers, so no deal is ever rejected, and worlds that exclude one another (knowledge.py) simply bring their
cells together. Sample `number` of `seed` depends on these two and the knowledge alone: on no chunk, no
thread, no other sample.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations
from math import comb
from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from ._jit.samples import sample_deals, split_cells
from .cards import bits_of
from .dealing import MAX_SEED
from .errors import KingError, is_number, require
from .knowledge import Knowledge
from .worlds import World

MAX_CELLS = 20_000
"""Cells that are listed; where there are more they are drawn one by one, group after group."""

ENUMERATE_LIMIT = 1_000_000
"""Deals that `enumerate_deals` lists unless told otherwise."""

_PLACES = 64
_CHUNK = 1 << 14
_CELL_BLOCK = 1 << 32
"""Block of a sample's stream from which its cell is drawn, where that is done outside the kernel."""

Parts = tuple[tuple[int, ...], ...]
"""A cell: for each group, how many of its cards go to each place."""


@dataclass(frozen=True)
class _Groups:
    """The groups of one world: cards and owners of each, and the free room of each place."""

    world: World

    @cached_property
    def cards(self) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(bits_of(cards)) for _, cards in self._sorted)

    @cached_property
    def owners(self) -> tuple[int, ...]:
        return tuple(owners for owners, _ in self._sorted)

    @cached_property
    def _sorted(self) -> list[tuple[int, int]]:
        return sorted(self.world.groups.items())

    @cached_property
    def _ways(self) -> dict[tuple[int, tuple[int, ...]], int]:
        return {}

    def ways(self, group: int, free: tuple[int, ...]) -> int:
        """In how many ways the groups from `group` on fill the room `free`."""
        if group == len(self.owners):
            return int(not any(free))
        key = group, free
        found = self._ways.get(key)
        if found is None:
            found = sum(
                _splits(part)
                * self.ways(group + 1, tuple(room - n for room, n in zip(free, part, strict=True)))
                for part in self.parts(group, free)
            )
            self._ways[key] = found
        return found

    def parts(self, group: int, free: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """Every way to deal out the number of cards of a group over its places that the room allows."""
        return _compositions(len(self.cards[group]), self.owners[group], free)

    def cells(self, group: int, free: tuple[int, ...]) -> Iterator[tuple[Parts, int]]:
        """Every cell from `group` on with its number of deals."""
        if group == len(self.owners):
            yield (), 1
            return
        for part in self.parts(group, free):
            left = tuple(room - n for room, n in zip(free, part, strict=True))
            if self.ways(group + 1, left):
                for rest, number in self.cells(group + 1, left):
                    yield (part, *rest), _splits(part) * number

    def number_of_cells(self) -> int:
        """How many cells there are, counted no further than past MAX_CELLS."""
        return sum(1 for _, _ in zip(range(MAX_CELLS + 1), self.cells(0, self.world.free), strict=False))

    def cell_at(self, x: int) -> Parts:
        """The cell of deal number `x`, 0 .. ways - 1."""
        free, cell = self.world.free, []
        for group in range(len(self.owners)):
            for part in self.parts(group, free):
                left = tuple(room - n for room, n in zip(free, part, strict=True))
                after = self.ways(group + 1, left)
                if x < _splits(part) * after:
                    x %= after
                    break
                x -= _splits(part) * after
            cell.append(part)
            free = left
        return tuple(cell)


def _compositions(count: int, owners: int, free: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    places = list(bits_of(owners))
    rooms = [free[place] for place in places]

    def rest(i: int, left: int) -> Iterator[tuple[int, ...]]:
        if i == len(places) - 1:
            if left <= rooms[i]:
                yield (left,)
            return
        for n in range(max(0, left - sum(rooms[i + 1 :])), min(left, rooms[i]) + 1):
            for others in rest(i + 1, left - n):
                yield (n, *others)

    for chosen in rest(0, count):
        part = [0] * len(free)
        for place, n in zip(places, chosen, strict=True):
            part[place] = n
        yield tuple(part)


@lru_cache(maxsize=1 << 14)
def _splits(part: tuple[int, ...]) -> int:
    """In how many ways a group can be split into parts of these sizes."""
    ways, left = 1, sum(part)
    for n in part:
        ways *= comb(left, n)
        left -= n
    return ways


class Plan:
    """What is needed to sample from one Knowledge, made once: counts, and the tables of the kernels."""

    def __init__(self, k: Knowledge) -> None:
        self.seats = k.contract.seats
        self.worlds = [_Groups(world) for world in k.worlds]
        self.counts = [world.ways(0, world.world.free) for world in self.worlds]
        self.total = sum(self.counts)
        """The number of consistent deals."""
        cells = sum(world.number_of_cells() for world in self.worlds)
        self._listed = self.total < 2**64 and cells <= MAX_CELLS
        places, groups = len(k.worlds[0].rooms), max(len(world.owners) for world in self.worlds)
        self._groups = max(groups, 1)
        self._places = places
        self._bases = np.array([world.world.holds for world in self.worlds], np.uint64)
        self._cards = np.zeros((len(self.worlds), self._groups, _PLACES), np.uint64)
        self._sizes = np.zeros((len(self.worlds), self._groups), np.int64)
        for i, world in enumerate(self.worlds):
            for j, cards in enumerate(world.cards):
                self._sizes[i, j] = len(cards)
                self._cards[i, j, : len(cards)] = [1 << bit for bit in cards]
        if self._listed:
            self._list_cells()

    def _list_cells(self) -> None:
        ends, worlds, parts, total = [], [], [], 0
        for i, world in enumerate(self.worlds):
            for cell, number in world.cells(0, world.world.free):
                total += number
                ends.append(total)
                worlds.append(i)
                parts.append(cell)
        self._ends = np.array(ends, np.uint64)
        self._cell_worlds = np.array(worlds, np.int32)
        self._parts = self._parts_array(parts)

    def _parts_array(self, cells: list[Parts]) -> NDArray[np.int8]:
        array = np.zeros((len(cells), self._groups, self._places), np.int8)
        for i, cell in enumerate(cells):
            if cell:
                array[i, : len(cell)] = cell
        return array

    def fill(self, deals: NDArray[np.uint64], seed: int, start: int) -> None:
        """Samples start, start + 1, .. of `seed` into the rows of `deals`."""
        tables = (self._bases, self._cards, self._sizes)
        first = np.uint64(seed), np.uint64(start)
        if self._listed:
            sample_deals(*first, self._ends, self._cell_worlds, *tables, self._parts, deals)
            return
        drawn = [self._draw_cell(seed, start + row) for row in range(len(deals))]
        worlds = np.array([world for world, _ in drawn], np.int32)
        split_cells(*first, worlds, *tables, self._parts_array([cell for _, cell in drawn]), deals)

    def _draw_cell(self, seed: int, number: int) -> tuple[int, Parts]:
        """The world and cell of one sample, by Lemire's method on words as long as the count asks for."""
        key = np.array([seed, number], np.uint64)
        philox = np.random.Philox(key=key, counter=_CELL_BLOCK)
        words = -(-self.total.bit_length() // 64)
        while True:
            word = 0
            for _ in range(words):
                word = word << 64 | int(philox.random_raw())
            product = word * self.total
            low = product & ((1 << 64 * words) - 1)
            if low >= self.total or low >= (1 << 64 * words) % self.total:
                break
        x = product >> 64 * words
        for world, count in enumerate(self.counts):
            if x < count:
                return world, self.worlds[world].cell_at(x)
            x -= count
        raise AssertionError  # x is below the sum of the counts


def count(k: Knowledge) -> int:
    """The number of deals consistent with what `k` knows, exactly.

    >>> from kingsolve.variants import load_variant
    >>> c = load_variant("russian-14").contract("no-king")
    >>> count(Knowledge(c, "N", own="As Ks Qs Js Ts 9s 8s 7s"))
    9465511770
    """
    require(k, Knowledge)
    return sum(groups.ways(0, groups.world.free) for groups in map(_Groups, k.worlds))


def sample(
    k: Knowledge, n: int, *, seed: int, start: int = 0, jobs: int = 1, plan: Plan | None = None
) -> NDArray[np.uint64]:
    """Uniformly random consistent deals: uint64[n, seats], the seats' present hands as masks, own included.

    Row i is sample `start + i` of `seed`, whatever `n` and `jobs` (threads). A `plan`, where one is given, is
    that of the same Knowledge, so that it is made once. Raises KingError for n below 1, and seeds and numbers
    outside 0 .. 2**64 - 1.
    """
    require(k, Knowledge)
    _check(n, seed, start, jobs)
    made = plan or Plan(k)
    deals = np.empty((n, made.seats), np.uint64)
    chunks = range(0, n, _CHUNK)
    if jobs == 1 or len(chunks) == 1:
        made.fill(deals, seed, start)
        return deals
    with ThreadPoolExecutor(jobs) as pool:
        for done in [pool.submit(made.fill, deals[at : at + _CHUNK], seed, start + at) for at in chunks]:
            done.result()
    return deals


def _check(n: int, seed: int, start: int, jobs: int) -> None:
    for what, value, least, most in (
        ("samples", n, 1, 1 << 40),
        ("a seed", seed, 0, MAX_SEED),
        ("a first sample", start, 0, MAX_SEED - (n if isinstance(n, int) else 0)),
        ("jobs", jobs, 1, 1 << 10),
    ):
        if not is_number(value, Integral) or not least <= value <= most:
            msg = f"expected {what} from {least} to {most}, got {value!r}"
            raise KingError(msg)


def enumerate_deals(k: Knowledge, *, limit: int = ENUMERATE_LIMIT) -> NDArray[np.uint64]:
    """Every consistent deal once: uint64[count, seats], in an order that depends on `k` alone.

    Raises KingError when there are more than `limit`.
    """
    total = count(k)
    if not is_number(limit, Integral):
        msg = f"expected a limit as a whole number, got {limit!r}"
        raise KingError(msg)
    if total > limit:
        msg = f"expected at most {limit} consistent deals to list, got {total}"
        raise KingError(msg)
    deals = np.empty((total, k.contract.seats), np.uint64)
    row = 0
    for world in k.worlds:
        for hands in _fillings(_Groups(world), 0, world.holds, world.free):
            deals[row] = hands[: k.contract.seats]
            row += 1
    return deals


def _fillings(
    world: _Groups, group: int, hands: tuple[int, ...], free: tuple[int, ...]
) -> Iterator[tuple[int, ...]]:
    """Every filling of the places with the groups from `group` on."""
    if group == len(world.owners):
        yield hands
        return
    for part in world.parts(group, free):
        left = tuple(room - n for room, n in zip(free, part, strict=True))
        if world.ways(group + 1, left):
            for split in _all_splits(world.cards[group], part):
                filled = tuple(held | mask for held, mask in zip(hands, split, strict=True))
                yield from _fillings(world, group + 1, filled, left)


def _all_splits(cards: tuple[int, ...], part: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    if not part:
        yield ()
        return
    for chosen in combinations(cards, part[0]):
        mask = sum(1 << bit for bit in chosen)
        rest = tuple(bit for bit in cards if not mask >> bit & 1) if part[0] else cards
        for others in _all_splits(rest, part[1:]):
            yield (mask, *others)
