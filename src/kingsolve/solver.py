"""The exact solver's public face: what a side can force, fair shares, max^n, equilibria, cards and lines.

King is each for himself, so double dummy has no single meaning: every function here names its value
(docs/solver.md). All values are signed points *to come* from the position, the trick in progress included;
seats are in the order N E S W whatever the direction of play. The search is exact or says that it is not:
limits give bounds, never guesses.
"""

import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import inf
from numbers import Integral, Real
from typing import Literal, cast

import numpy as np
from numpy.typing import NDArray

from ._core import Context, Equilibria, MaxN
from ._core.rules import perft as _perft
from .cards import ALL_CARDS, display_key, parse_seat, parse_side, side_name
from .contract import Contract
from .errors import KingError, Unsolved, is_number, require
from .position import Position

DEFAULT_MEMORY = 64 << 20
"""Bytes of a search's tables unless told otherwise: 64 MiB."""

EQUILIBRIA_MEMORY = 1 << 30
"""Sets cannot be forgotten and found again as a table's entries can, so equilibria may take 1 GiB, or what
`memory` allows where that is more."""

Ties = Literal["card-order", "spiteful"]
Status = Literal["exact", "bounds"]


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What one call may spend: cards played (None: no limit), seconds of wall time (None: no limit), bytes of
    table.

    Where the nodes are spent, each value that is left to ask for plays one card, to have bounds.

    Nodes shape an answer reproducibly; seconds are a cap that may cut elsewhere on another day.
    """

    nodes: int | None = None
    seconds: float | None = None
    memory: int = DEFAULT_MEMORY

    def __post_init__(self) -> None:
        for name, kind, words, least, most in (
            ("nodes", Integral, "a whole number", 1, 2**63),
            ("seconds", Real, "a number", 0, inf),
            ("memory", Integral, "a whole number", 1 << 10, 1 << 48),
        ):
            value = getattr(self, name)
            if value is None and name != "memory":
                continue
            if not is_number(value, kind):
                msg = f"expected {name} to be {words}, got {value!r}"
                raise KingError(msg)
            number = cast(float, value)
            if not least <= number <= most:
                limit = f"at most {most}" if number > most else f"at least {least}"
                msg = f"expected {name} of {limit}, got {value!r}"
                raise KingError(msg)


@dataclass(frozen=True, order=True)
class Bounds:
    """A value known to lie between two numbers of points; equal ends are the value."""

    minimum: int
    maximum: int

    @property
    def exact(self) -> bool:
        """Whether the value is known."""
        return self.minimum == self.maximum

    def __add__(self, points: int) -> "Bounds":
        return Bounds(self.minimum + points, self.maximum + points)


@dataclass(frozen=True)
class Solution:
    """What `solve` found for one side: its points to come, each legal card's worth to it (none once the round
    is over), and a line of play.

    `value` and the values of `cards` are ints, or Bounds where the limits ended the search; `line` is then
    empty.
    """

    value: int | Bounds
    cards: dict[str, int | Bounds]
    line: list[str]
    nodes: int
    status: Status


class _Contexts(threading.local):
    """The search contexts of one thread: the last of each kind is kept, so that its table need not be made
    anew."""

    def __init__(self) -> None:
        self.search: tuple[int, Context] | None = None
        self.maxn: tuple[int, MaxN] | None = None
        self.owner: object = None
        """Who last began a search: only its results are in the table."""
        self.maxn_owner: object = None
        """The same of the table of max^n."""


_contexts = _Contexts()


def _search_context(memory: int) -> Context:
    if _contexts.search is None or _contexts.search[0] != memory:
        _contexts.search = None  # the old table goes before the new one comes
        _contexts.search = (memory, Context(memory))
        _contexts.owner = None
    return _contexts.search[1]


def _maxn_context(memory: int) -> MaxN:
    if _contexts.maxn is None or _contexts.maxn[0] != memory:
        _contexts.maxn = None
        _contexts.maxn = (memory, MaxN(memory))
        _contexts.maxn_owner = None
    return _contexts.maxn[1]


def lent_search_context(memory: int) -> Context:
    """This thread's search context for somebody else's `begin`: no Solver relies on what was in its table."""
    context = _search_context(memory)
    _contexts.owner = None
    return context


def lent_maxn_context(memory: int) -> MaxN:
    """This thread's context of max^n, likewise."""
    context = _maxn_context(memory)
    _contexts.maxn_owner = None
    return context


def in_play_order(contract: Contract) -> list[int]:
    """The seat number of each of the kernels' seats, and the other way round: the kernels play clockwise."""
    step = 1 if contract.clockwise else -1
    return [step * i % contract.seats for i in range(contract.seats)]


@dataclass(frozen=True)
class _Arguments:
    """A position as the kernels take it, seats in the order of play."""

    hands: NDArray[np.uint64]
    leader: int
    trick: NDArray[np.int32]
    broken: bool

    @classmethod
    def of(cls, position: Position) -> "_Arguments":
        order = in_play_order(position.contract)
        hands = np.array([position.masks[seat] for seat in order], np.uint64)
        trick = np.array([ALL_CARDS[card] for card in position.trick], np.int32)
        return cls(hands, order[parse_seat(position.leader)], trick, position.broken)


def kernel_seats(contract: Contract, seats: int) -> int:
    """A set of seats as the kernels number them."""
    return sum(1 << i for i, seat in enumerate(in_play_order(contract)) if seats >> seat & 1)


class Solver:
    """Exact values of the positions of one deal, within limits that its searches share.

    Keeps what it has learnt between questions about the same side. Counts in `nodes` the cards it has played,
    in `hits` the positions between tricks that its tables answered, in `expansions` those it had to search.
    For one thread at a time; each thread has a table of its own.
    """

    def __init__(self, limits: Limits | None = None, *, cancel: NDArray[np.int32] | None = None) -> None:
        """`cancel` is an array of one int32: once it is not 0, searches stop with KeyboardInterrupt."""
        if limits is not None:
            require(limits, Limits)
        self.limits = limits or Limits()
        self._cancel = cancel
        self.nodes = self.hits = self.expansions = 0
        self.out_of_time = False
        """Whether the clock, rather than the node limit, ended a search."""
        self._deadline = None if self.limits.seconds is None else time.monotonic() + self.limits.seconds
        self._late = False
        """Whether the last search began when the time was up."""
        self._begun: tuple[Contract, int, int] | None = None
        self._maxn_begun: tuple[Contract, Ties] | None = None

    def side(self, position: Position, side: int) -> Bounds:
        """Bounds on the points to come that the seats of the set `side` can force against all the others."""
        everybody = (1 << position.contract.seats) - 1
        if not is_number(side, Integral) or not 0 < side < everybody:
            msg = f"expected a side as a set of seats, 1..{everybody - 1}, got {side!r}"
            raise KingError(msg)
        return self._bounds(position, side, side)

    def best_case(self, position: Position, seat: int) -> Bounds:
        """Bounds on the most points to come that the seat, by its number, gets if everybody helps."""
        if not is_number(seat, Integral) or not 0 <= seat < position.contract.seats:
            msg = f"expected a seat 0..{position.contract.seats - 1}, got {seat!r}"
            raise KingError(msg)
        return self._bounds(position, 1 << seat, (1 << position.contract.seats) - 1)

    def _bounds(self, position: Position, scores: int, raises: int) -> Bounds:
        context = _search_context(self.limits.memory)
        begun = (position.contract, scores, raises)
        if _contexts.owner is not self or self._begun != begun:
            contract = position.contract
            _contexts.owner = None  # should there be no memory for what is to begin
            context.begin(contract.record, kernel_seats(contract, scores), kernel_seats(contract, raises))
            _contexts.owner, self._begun = self, begun
        arguments = _Arguments.of(position)
        low, high, nodes, stop = context.value(
            arguments.hands, arguments.leader, arguments.trick, arguments.broken, *self._left()
        )
        self._spend(nodes, stop, context.counts)
        return Bounds(low, high)

    def _left(self) -> tuple[int, float, NDArray[np.int32] | None]:
        """Nodes and seconds that a search may still take, 0 for no limit; at least a node."""
        nodes = 0 if self.limits.nodes is None else max(self.limits.nodes - self.nodes, 1)
        seconds = 0.0 if self._deadline is None else self._deadline - time.monotonic()
        self._late = self._deadline is not None and seconds <= 0
        if self._late:
            nodes, seconds = min(nodes or _LATE_NODES, _LATE_NODES), 0.0
        return nodes, seconds, self._cancel

    def _spend(self, nodes: int, stop: int, counts: tuple[int, int]) -> None:
        self.nodes += nodes
        self.hits += counts[0]
        self.expansions += counts[1]
        self.out_of_time = self.out_of_time or stop == _OUT_OF_TIME or (self._late and stop != 0)

    def cards(self, position: Position, side: int) -> dict[str, Bounds]:
        """For each legal card, in display order, bounds on the side's points: banked by it, and to come after
        it."""
        values: dict[str, Bounds] = {}
        before = position.banked
        walker = position.copy()
        for card in position.legal_cards():
            walker.push(card)
            gained = sum(points for seat, points in enumerate(walker.banked) if side >> seat & 1)
            gained -= sum(points for seat, points in enumerate(before) if side >> seat & 1)
            values[card] = self.side(walker, side) + gained
            walker.pop()
        return values

    def line(self, position: Position, side: int) -> list[str]:
        """One line of play to the end of the round that attains the side's value; empty if the limits came
        first.

        Of cards that keep the value the first in card order is played (docs/solver.md).
        """
        walker = position.copy()
        value = self.side(walker, side)
        line: list[str] = []
        while not walker.is_over and value.exact:
            for card in sorted(walker.legal_cards(), key=lambda card: card_order(walker, card)):
                banked = _side_points(walker, side)
                walker.push(card)
                after = self.side(walker, side)
                if after + (_side_points(walker, side) - banked) == value:
                    line.append(card)
                    value = after
                    break
                walker.pop()
            else:
                return []
        return line if value.exact else []

    def maxn(self, position: Position, ties: Ties = "card-order") -> tuple[int, ...] | None:
        """The points to come of every seat under max^n with the tie rule; None if the limits came first."""
        contract = position.contract
        context = _maxn_context(self.limits.memory)
        if _contexts.maxn_owner is not self or self._maxn_begun != (contract, ties):
            context.begin(contract.record, ties == "spiteful")
            _contexts.maxn_owner, self._maxn_begun = self, (contract, ties)
        arguments = _Arguments.of(position)
        points, nodes, stop = context.value(
            arguments.hands, arguments.leader, arguments.trick, arguments.broken, *self._left()
        )
        self._spend(nodes, stop, context.counts)
        return None if stop else _in_seat_order(contract, points)

    def equilibria(self, position: Position) -> list[tuple[int, ...]] | None:
        """All payoff vectors of pure subgame-perfect play, sorted; None if the limits (memory too) came
        first."""
        contract = position.contract
        arguments = _Arguments.of(position)
        context = Equilibria()
        vectors, nodes, stop = context.value(
            contract.record, arguments.hands, arguments.leader, arguments.trick, arguments.broken,
            max(self.limits.memory, EQUILIBRIA_MEMORY), *self._left(),
        )  # fmt: skip
        self._spend(nodes, stop, context.counts)
        return None if stop else sorted(_in_seat_order(contract, vector) for vector in vectors)


_OUT_OF_TIME = 2
_LATE_NODES = 64
"""What a search may play that begins when the time is up: enough for short endings and what the table knows.
An analysis asks for dozens of values, a trace for hundreds."""


def _side_points(position: Position, side: int) -> int:
    return sum(points for seat, points in enumerate(position.banked) if side >> seat & 1)


def _in_seat_order(contract: Contract, points: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(points[i] for i in in_play_order(contract))


def card_order(position: Position, card: str) -> tuple[int, str]:
    """Sorts cards as ties fall: the one with most cards of its suit in play below it, then clubs to
    spades."""
    bit = ALL_CARDS[card]
    in_play = sum(position.masks) | sum(1 << ALL_CARDS[lying] for lying in position.trick)
    lower = in_play & ((1 << bit) - 1) & ~((1 << (bit & ~15)) - 1)
    return -lower.bit_count(), card[1]


# --- the functions people call ---


def guarantee(position: Position, side: str | Iterable[str], *, limits: Limits | None = None) -> int:
    """The points to come that the seats of `side` can force together against all the others.

    Raises CardError for a side that is none, KingError for all seats together, Unsolved when the limits end
    first.
    """
    seats = _proper_side(position, side)
    return _exact(f"guarantee of {side_name(seats)}", Solver(limits).side(position, seats))


def best_case(position: Position, seat: str, *, limits: Limits | None = None) -> int:
    """The most points to come that one seat gets if everybody helps it. Unsolved when the limits end
    first."""
    require(position, Position)
    number = parse_seat(seat, position.contract.seats)
    return _exact(f"best case of {seat.upper()}", Solver(limits).best_case(position, number))


def sides(seats: int) -> Iterator[int]:
    """Every side with somebody in it and somebody against it, as seat sets: singles, pairs, triples."""
    for size in range(1, seats):
        for members in combinations(range(seats), size):
            yield sum(1 << seat for seat in members)


def coalitions(position: Position, *, limits: Limits | None = None) -> dict[str, int]:
    """The guarantee of every side, `"N"` to `"ESW"`. Half are solved: v(side) + v(rest) = all points to come.

    Unsolved when the limits end first.
    """
    require(position, Position)
    found = coalition_bounds(Solver(limits), position)
    return {
        side_name(side): _exact(f"guarantee of {side_name(side)}", value) for side, value in found.items()
    }


def coalition_bounds(solver: Solver, position: Position) -> dict[int, Bounds]:
    """Bounds on the guarantee of every side, by seat set."""
    seats, total = position.contract.seats, position.to_come
    found: dict[int, Bounds] = {}
    for side in sides(seats):
        rest = found.get((1 << seats) - 1 - side)
        if rest is not None:
            found[side] = Bounds(total - rest.maximum, total - rest.minimum)
        else:
            found[side] = solver.side(position, side)
    return found


def shapley(position: Position, *, limits: Limits | None = None) -> tuple[Fraction, ...]:
    """Each seat's fair share of the points to come (L. S. Shapley, 1953): exact sixths that sum to all of
    them.

    Unsolved when the limits end first.
    """
    return shapley_of(position, coalitions(position, limits=limits))


def shapley_of(position: Position, values: dict[str, int]) -> tuple[Fraction, ...]:
    """`shapley` from the guarantees of every side: the mean of what a seat adds on joining, over all
    orders."""
    seats, total = position.contract.seats, position.to_come
    worth = {parse_side(side): value for side, value in values.items()} | {0: 0, (1 << seats) - 1: total}
    # A seat joins after k others in k! (n-1-k)! of the n! orders; with at most four seats these are whole
    # sixths of n.
    orders = {3: (2, 1, 2), 4: (6, 2, 2, 6)}[seats]
    shares = []
    for seat in range(seats):
        joined = (others for others in worth if not others >> seat & 1)
        gains = (
            orders[others.bit_count()] * (worth[others | 1 << seat] - worth[others]) for others in joined
        )
        shares.append(Fraction(sum(gains), {3: 6, 4: 24}[seats]))
    return tuple(shares)


def maxn(position: Position, *, ties: Ties = "card-order", limits: Limits | None = None) -> tuple[int, ...]:
    """The points to come of every seat when each plays for itself and ties fall by the rule named.

    `card-order`: of equally good cards the one with most cards of its suit in play below it, then clubs to
    spades; `spiteful`: before that, the one that leaves the next seats in turn least. Unsolved when the
    limits end first.
    """
    if ties not in ("card-order", "spiteful"):
        msg = f"expected ties 'card-order' or 'spiteful', got {ties!r}"
        raise KingError(msg)
    require(position, Position)
    found = Solver(limits).maxn(position, ties)
    if found is None:
        raise _unsolved(position, "maxn")
    return found


def equilibria(position: Position, *, limits: Limits | None = None) -> list[tuple[int, ...]]:
    """Every payoff vector, points to come in seat order, in which pure subgame-perfect play can end; sorted.

    Unsolved when the limits end first.
    """
    require(position, Position)
    found = Solver(limits).equilibria(position)
    if found is None:
        raise _unsolved(position, "equilibria")
    return found


def solve(
    position: Position, *, side: str | Iterable[str] | None = None, limits: Limits | None = None
) -> Solution:
    """The side's points to come, the worth to it of each legal card, and one line of play that attains the
    value.

    `side` is the seat to play unless given. Limits give Bounds and status `bounds` instead of an error.
    """
    require(position, Position)
    seats = _proper_side(position, position.turn if side is None else side)
    solver = Solver(limits)
    value = solver.side(position, seats)
    cards = solver.cards(position, seats) if not position.is_over else {}
    line = solver.line(position, seats)
    exact = value.exact and all(worth.exact for worth in cards.values())
    return Solution(
        plain(value),
        {card: plain(worth) for card, worth in sorted(cards.items(), key=lambda item: display_key(item[0]))},
        line,
        solver.nodes,
        "exact" if exact else "bounds",
    )


def perft(position: Position, depth: int) -> int:
    """The number of sequences of `depth` legal cards, counted by the kernels' own rules.

    Sequences that would pass the end of the round do not count.
    """
    require(position, Position)
    if not is_number(depth, int) or depth < 0:
        msg = f"expected a depth of 0 or more, got {depth!r}"
        raise KingError(msg)
    arguments = _Arguments.of(position)
    return int(
        _perft(
            position.contract.record,
            arguments.hands,
            arguments.leader,
            arguments.trick,
            arguments.broken,
            depth,
        )
    )


def plain(value: Bounds) -> int | Bounds:
    """An exact value as an int, any other as it is."""
    return value.minimum if value.exact else value


def _exact(what: str, value: Bounds) -> int:
    if not value.exact:
        raise Unsolved(what, value.minimum, value.maximum)
    return value.minimum


def _unsolved(position: Position, what: str) -> Unsolved:
    contract = position.contract
    return Unsolved(what, contract.min_points, contract.max_points)


def _proper_side(position: Position, side: str | Iterable[str]) -> int:
    require(position, Position)
    seats = parse_side(side, position.contract.seats)
    if seats == (1 << position.contract.seats) - 1:
        msg = f"expected a side with somebody against it, got {side!r}: all seats get all points to come"
        raise KingError(msg)
    return seats
