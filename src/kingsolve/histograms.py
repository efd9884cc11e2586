"""Exact counts over a run's parts: integer histograms and sums that merge by addition, in any order.

Nothing here is rounded. A deal is a cluster: its rounds in one group, the rotations above all, are not
independent, so standard errors are made of sums over deals, each deal's sum of points and its number of
rounds.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .cards import ALL_CARDS, SEATS, cards_of, normal_name
from .errors import CardError, KingError
from .simulation import STATUSES, Plan, Run
from .simulation._store import codes_of, value_columns

if TYPE_CHECKING:
    import pyarrow as pa

KEYS = ("contract", "turn", "seat", "leader", "player", "shape")
"""What rounds may be grouped by, besides `holder:CARD`."""
DEFAULT_KEYS = ("contract", "turn")
_UNSOLVED = [STATUSES.index("bounds"), STATUSES.index("limited")]
_SORTED = 1 << 24
"""Above so many pairs of deals and groups they are sorted instead of counted in an array."""


@dataclass
class Rows:
    """One part of a run as arrays: a row a round, seats in seat order; `values` are the least points and,
    where they may differ, the most, int64[rows, seats], times the play's scale."""

    plan: Plan
    first: int
    deals: int
    deal: NDArray[np.int64]
    contract: NDArray[np.int64]
    leader: NDArray[np.int64]
    unsolved: NDArray[np.bool_]
    values: list[NDArray[np.int64]]

    @classmethod
    def of(cls, run: Run, index: int) -> "Rows":
        """Part `index` of a run. Raises KingError where it does not verify."""
        return cls.of_table(run.plan, index, run.part(index))

    @classmethod
    def of_table(cls, plan: Plan, index: int, table: "pa.Table") -> "Rows":
        """The rows of a part already read."""
        first, deals = plan.part_deals(index)
        names = value_columns(plan)
        columns = [table.column(name).to_numpy().astype(np.int64) for name in names]
        seats = plan.seats
        return cls(
            plan,
            first,
            deals,
            (table.column("deal").to_numpy() - np.uint64(first)).astype(np.int64),
            codes_of(plan, table, "contract").astype(np.int64),
            codes_of(plan, table, "leader").astype(np.int64),
            np.isin(codes_of(plan, table, "status"), _UNSOLVED),
            [np.stack(columns[i : i + seats], axis=1) for i in range(0, len(columns), seats)],
        )

    @cached_property
    def turn(self) -> NDArray[np.int64]:
        """Each seat's place in the order of play, int64[rows, seats]: 0 for the leader."""
        order = self.plan.dealer.order
        return (order[None, :] - order[self.leader][:, None]) % self.plan.seats

    @cached_property
    def hands(self) -> NDArray[np.int64]:
        """The hands of the part's deals, int64[deals, seats]: dealt again, they are not stored."""
        found = self.plan.dealer.hands(seed=self.plan.seed, first=self.first, count=self.deals)
        return found.view(np.int64)


def shapes_of(cards: int) -> list[str]:
    """The shapes that a hand of so many cards may have, `8-0-0-0` first, longest suit first in each."""
    return [
        f"{a}-{b}-{c}-{d}"
        for a in range(cards, -1, -1)
        for b in range(min(a, cards - a), -1, -1)
        for c in range(min(b, cards - a - b), -1, -1)
        for d in [cards - a - b - c]
        if d <= c and max(a, b, c, d) <= 13
    ]


def parse_key(text: str) -> str:
    """The name of a key, `holder:KH` as `holder:Kh`. Raises KingError, listing those there are."""
    name, colon, card = text.strip().partition(":")
    if name == "holder" and colon:
        try:
            return f"holder:{normal_name(card)}"
        except CardError as error:
            msg = f"holder: {error}"
            raise KingError(msg) from None
    if text.strip() not in KEYS:
        msg = f"expected a key, one of {' '.join(KEYS)} holder:CARD, got {text!r}"
        raise KingError(msg)
    return text.strip()


def keys_of(plan: Plan, keys: Iterable[str]) -> tuple[str, ...]:
    """The names of keys, each once. Raises KingError for one that is none, or a card not in the pack."""
    names = tuple(dict.fromkeys(map(parse_key, keys)))
    for name in names:
        if name.startswith("holder:") and not plan.dealer.pack >> ALL_CARDS[name[7:]] & 1:
            msg = f"expected a card of the pack after holder:, got {name[7:]!r} ({plan.variant})"
            raise KingError(msg)
    return names


def labels(plan: Plan, key: str) -> list[Any]:
    """What a key may be, by number."""
    if key.startswith("holder:"):
        return ["no", "yes"]
    found: dict[str, list[Any]] = {
        "contract": [contract.name for contract in plan.contracts],
        "turn": list(range(1, plan.seats + 1)),
        "seat": list(SEATS[: plan.seats]),
        "leader": list(SEATS[: plan.seats]),
        "player": sorted(set(plan.play.players)) or [str(plan.play)],
        "shape": shapes_of(plan.dealer.hand_size),
    }
    return found[key]


def _codes(rows: Rows, key: str) -> NDArray[np.int64]:
    """The number of each row's and seat's label."""
    shape = (len(rows.deal), rows.plan.seats)
    if key == "contract":
        return np.broadcast_to(rows.contract[:, None], shape)
    if key == "turn":
        return rows.turn
    if key == "seat":
        return np.broadcast_to(np.arange(rows.plan.seats), shape)
    if key == "leader":
        return np.broadcast_to(rows.leader[:, None], shape)
    if key == "player":
        names = labels(rows.plan, "player")
        codes = [names.index(name) for name in rows.plan.play.players] or [0] * rows.plan.seats
        return np.broadcast_to(np.array(codes), shape)
    if key == "shape":
        known = {name: i for i, name in enumerate(labels(rows.plan, "shape"))}
        lanes = [np.bitwise_count(rows.hands >> (16 * suit) & 0x1FFF) for suit in range(4)]
        lengths = -np.sort(-np.stack(lanes, axis=-1).astype(np.int64), axis=-1)
        packed = lengths @ np.array([4096, 256, 16, 1])
        found, places = np.unique(packed, return_inverse=True)
        codes = [known["-".join(str(n >> shift & 15) for shift in (12, 8, 4, 0))] for n in map(int, found)]
        return np.array(codes)[places.reshape(packed.shape)][rows.deal]
    bit = ALL_CARDS[key.removeprefix("holder:")]
    return (rows.hands >> bit & 1)[rows.deal]


@dataclass(frozen=True)
class Scale:
    """Points of a group by bin: `start`, `start` + `unit`, ..."""

    start: int
    unit: int
    bins: int

    def point(self, index: int) -> int:
        """The points of a bin, times the play's scale."""
        return self.start + index * self.unit


def _scales(plan: Plan, by_contract: bool) -> list[Scale]:
    """The scale of each contract; one for all of them unless they are kept apart."""
    ends = [(c.min_points, c.max_points) for c in plan.contracts]
    units = [c.unit for c in plan.contracts]
    if plan.play.scale > 1:  # what a seat adds to a side may be more than all points, or of the other sign
        ends = [(6 * low - 4 * (high - low), 6 * high + 4 * (high - low)) for low, high in ends]
    if not by_contract:
        ends = [(min(low for low, _ in ends), max(high for _, high in ends))] * len(ends)
        units = [gcd(*units, *(low for low, _ in ends))] * len(units)
    return [Scale(low, unit, (high - low) // unit + 1) for (low, high), unit in zip(ends, units, strict=True)]


@dataclass
class Sums:
    """Of one kind of value, by group: histogram int64[groups, bins], rounds in which the seat took all points
    of the contract int64[groups], and over deals the sums of S, S^2 and S n (Python ints), S a deal's points
    in the group and n its rounds there."""

    histogram: NDArray[np.int64]
    everything: NDArray[np.int64]
    points: NDArray[np.object_]
    squares: NDArray[np.object_]
    mixed: NDArray[np.object_]


@dataclass
class Tally:
    """Counts of the rounds of a run, by group: every combination of the labels of `keys`."""

    plan: Plan
    keys: tuple[str, ...]
    deals: NDArray[np.int64] = field(init=False)
    rounds: NDArray[np.int64] = field(init=False)
    unsolved: NDArray[np.int64] = field(init=False)
    round_squares: NDArray[np.object_] = field(init=False)
    """Over deals, the sum of n^2, n a deal's rounds in the group."""
    sums: list[Sums] = field(init=False)
    """Of the points; or of the least and the most."""

    def __post_init__(self) -> None:
        self.labels = [labels(self.plan, key) for key in self.keys]
        self.scales = _scales(self.plan, "contract" in self.keys)
        self.groups = int(np.prod([len(names) for names in self.labels], dtype=np.int64))
        self.bins = max(scale.bins for scale in self.scales)

        def zeros() -> NDArray[np.object_]:
            return np.zeros(self.groups, np.int64).astype(object)

        self.deals, self.rounds, self.unsolved = (np.zeros(self.groups, np.int64) for _ in range(3))
        self.round_squares = zeros()
        self.sums = [
            Sums(
                np.zeros((self.groups, self.bins), np.int64),
                np.zeros(self.groups, np.int64),
                zeros(),
                zeros(),
                zeros(),
            )
            for _ in range(2 if self.plan.play.bounded else 1)
        ]

    def add(self, rows: Rows) -> None:
        """Counts the rounds of one part."""
        shape = (len(rows.deal), self.plan.seats)
        codes = np.zeros(shape, np.int64)
        for key, names in zip(self.keys, self.labels, strict=True):
            codes = codes * len(names) + _codes(rows, key)
        group = codes.ravel()
        everything = np.array([c.total for c in self.plan.contracts]) * self.plan.play.scale
        start = np.array([scale.start for scale in self.scales])[rows.contract][:, None]
        unit = np.array([scale.unit for scale in self.scales])[rows.contract][:, None]
        self.rounds += np.bincount(group, minlength=self.groups)
        unsolved = np.broadcast_to(rows.unsolved[:, None], shape).ravel()
        self.unsolved += np.bincount(group[unsolved], minlength=self.groups)
        deal = np.broadcast_to(rows.deal[:, None], shape).ravel()
        cells, places = _cells(deal * self.groups + group, rows.deals * self.groups)
        of_group = cells % self.groups
        each = np.bincount(places, minlength=len(cells))
        there = each > 0
        self.deals += np.bincount(of_group[there], minlength=self.groups)
        self.round_squares += _added(of_group, each * each, self.groups)
        for sums, values in zip(self.sums, rows.values, strict=True):
            bins = (values - start) // unit
            counted = np.bincount(group * self.bins + bins.ravel(), minlength=self.groups * self.bins)
            sums.histogram += counted.reshape(self.groups, self.bins)
            took_all = (values == everything[rows.contract][:, None]).ravel()
            sums.everything += np.bincount(group[took_all], minlength=self.groups)
            taken = np.zeros(len(cells), np.int64)
            np.add.at(taken, places, values.ravel())
            sums.points += _added(of_group, taken, self.groups)
            sums.squares += _added(of_group, taken * taken, self.groups)
            sums.mixed += _added(of_group, taken * each, self.groups)

    def merge(self, other: "Tally") -> None:
        """Adds the counts of other deals of the same run."""
        for name in ("deals", "rounds", "unsolved", "round_squares"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for mine, theirs in zip(self.sums, other.sums, strict=True):
            for name in ("histogram", "everything", "points", "squares", "mixed"):
                setattr(mine, name, getattr(mine, name) + getattr(theirs, name))

    def group_labels(self, group: int) -> dict[str, Any]:
        """The labels of a group, by key."""
        found = []
        for names in reversed(self.labels):
            group, code = divmod(group, len(names))
            found.append(names[code])
        return dict(zip(self.keys, reversed(found), strict=True))

    def scale_of(self, group: int) -> Scale:
        """The points of the group's bins."""
        name = self.group_labels(group).get("contract")
        names = [contract.name for contract in self.plan.contracts]
        return self.scales[names.index(name) if name is not None else 0]


def _cells(numbers: NDArray[np.int64], size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Cells, and the cell of each of the numbers below `size`: all of them, or those there are."""
    if size <= _SORTED:
        return np.arange(size), numbers
    found, places = np.unique(numbers, return_inverse=True)
    return found, places.ravel()


def _added(groups: NDArray[np.int64], values: NDArray[np.int64], size: int) -> NDArray[np.object_]:
    """The sums of the values by group, as Python ints."""
    total = np.zeros(size, np.int64)
    np.add.at(total, groups, values)
    return total.astype(object)


@dataclass
class Halves:
    """Whole halves of a match: for each, each deal's points in all its contracts, as often as the match has
    them, by turn. Names: `penalties`, `rewards`, `match`; only those of which the run has every contract."""

    plan: Plan
    names: list[str] = field(init=False)
    rounds: dict[str, Fraction] = field(init=False)
    weights: NDArray[np.int64] = field(init=False)
    """int64[names, contracts], in parts of one round by `denominator`."""
    denominator: int = field(init=False)
    deals: int = 0
    points: list[NDArray[np.object_]] = field(init=False)
    """Of each kind of value, the sum over deals, object[names, seats]."""
    squares: list[NDArray[np.object_]] = field(init=False)

    def __post_init__(self) -> None:
        plan = self.plan
        here = {contract.name: contract for contract in plan.contracts}
        known = {name: count for name, count in plan.rounds.items() if name in here}
        halves = {
            "penalties": [name for name, total in plan.totals.items() if total < 0],
            "rewards": [name for name, total in plan.totals.items() if total > 0],
            "match": list(plan.totals),
        }
        self.names = [name for name, of in halves.items() if of and set(of) <= set(known)]
        self.denominator = lcm(*(count.denominator for count in known.values())) if known else 1
        self.rounds = {name: sum((known[c] for c in halves[name]), Fraction(0)) for name in self.names}
        self.weights = np.array(
            [
                [
                    int(known[c.name] * self.denominator) if c.name in halves[name] else 0
                    for c in plan.contracts
                ]
                for name in self.names
            ],
            np.int64,
        ).reshape(len(self.names), len(plan.contracts))
        kinds = range(2 if plan.play.bounded else 1)
        size = (len(self.names), plan.seats)
        self.points = [np.zeros(size, np.int64).astype(object) for _ in kinds]
        self.squares = [np.zeros(size, np.int64).astype(object) for _ in kinds]

    def add(self, rows: Rows) -> None:
        """Counts the deals of one part."""
        self.deals += rows.deals
        seats = self.plan.seats
        for kind, values in enumerate(rows.values):
            cell = rows.deal[:, None] * seats + rows.turn
            for i, weights in enumerate(self.weights):
                sums = np.zeros(rows.deals * seats, np.int64)
                np.add.at(sums, cell.ravel(), (values * weights[rows.contract][:, None]).ravel())
                by_turn = sums.reshape(rows.deals, seats)
                self.points[kind][i] += by_turn.sum(axis=0).astype(object)
                self.squares[kind][i] += (by_turn * by_turn).sum(axis=0).astype(object)


def count_run(run: Run, keys: Sequence[str] = DEFAULT_KEYS, *, partial: bool = False) -> tuple[Tally, Halves]:
    """The counts of a run by group, and of its match halves; one part in memory at a time.

    Raises KingError for a key that is none, a part that does not verify, and, unless `partial`, a run that is
    not finished.
    """
    names = keys_of(run.plan, keys)
    tally, halves = Tally(run.plan, names), Halves(run.plan)
    for index in finished(run, partial=partial):
        rows = Rows.of(run, index)
        tally.add(rows)
        halves.add(rows)
    return tally, halves


def finished(run: Run, *, partial: bool = False) -> list[int]:
    """The numbers of the parts that are there. Raises KingError where some are missing, unless `partial`."""
    missing = set(run.missing)
    if missing and not (partial and len(missing) < run.plan.parts):
        there = run.plan.parts - len(missing)
        msg = f"{run.folder}: expected a finished run, got {there} of {run.plan.parts} parts"
        raise KingError(msg)
    return [index for index in range(run.plan.parts) if index not in missing]


@dataclass
class Differences:
    """Paired differences of two runs on the same deals, first less second: for each contract that both have,
    the last row all of them, and each turn, the sum over deals of D and of D^2, D the difference of a deal's
    points over its leaders."""

    contracts: list[str]
    points: NDArray[np.object_]
    squares: NDArray[np.object_]
    sums_a: NDArray[np.object_]
    sums_b: NDArray[np.object_]
    """The sums over deals of each run's points, of which D is the difference."""
    deals: int
    leads: int
    scale: int


def comparable(one: Plan, two: Plan) -> list[str]:
    """The contracts that two plans have in common. Raises KingError, naming the first difference, unless they
    play the same deals with the same leaders."""
    dealers = one.dealer, two.dealer
    for what, left, right in (
        ("number of cards", *(dealer.pack.bit_count() for dealer in dealers)),
        ("pack", *(" ".join(cards_of(dealer.pack)) for dealer in dealers)),
        ("number of seats", *(dealer.seats for dealer in dealers)),
        ("hand size", *(dealer.hand_size for dealer in dealers)),
        ("number of cards dealt at a time", *(dealer.packet for dealer in dealers)),
        ("direction of play", *("clockwise" if d.clockwise else "counter-clockwise" for d in dealers)),
        ("seed", one.seed, two.seed),
        ("first deal", one.first, two.first),
        ("number of deals", one.deals, two.deals),
        ("rotations", one.rotations, two.rotations),
        ("first leader (or --rotations)", *(None if one.rotations else dealer.leads for dealer in dealers)),
        ("unit of values", one.play.scale, two.play.scale),
    ):
        if left != right:
            msg = f"expected two runs with the same {what}, got {left!r} and {right!r}"
            raise KingError(msg)
    names = {contract.name for contract in two.contracts}
    common = [contract.name for contract in one.contracts if contract.name in names]
    if not common:
        msg = "expected two runs with a contract in common, got none"
        raise KingError(msg)
    return common


def count_differences(a: Run, b: Run, *, kinds: tuple[int, int] = (0, 0)) -> Differences:
    """The paired differences of two runs. `kinds` picks the least (0) or most (1) of bounded values.

    Raises KingError unless both played the same deals with the same leaders.
    """
    one, two = a.plan, b.plan
    common = comparable(one, two)
    seats = one.seats
    sums = [np.zeros((len(common) + 1, seats), np.int64).astype(object) for _ in range(4)]
    others = _by_deal(b, common, kinds[1])
    held = np.zeros((0, len(common), seats), np.int64)
    for mine in _by_deal(a, common, kinds[0]):
        while len(held) < len(mine):
            held = np.concatenate([held, next(others)])
        theirs, held = held[: len(mine)], held[len(mine) :]
        found = mine - theirs
        for i, values in enumerate((found, mine, theirs)):
            whole = np.concatenate([values, values.sum(axis=1, keepdims=True)], axis=1)
            sums[i] += whole.sum(axis=0).astype(object)
            if i == 0:
                sums[3] += (whole * whole).sum(axis=0).astype(object)
    return Differences(common, sums[0], sums[3], sums[1], sums[2], one.deals, one.leads, one.play.scale)


def _by_deal(run: Run, contracts: Iterable[str], kind: int) -> Iterator[NDArray[np.int64]]:
    """Part by part, each deal's points summed over its leaders, int64[deals, contracts, turns]."""
    names = [contract.name for contract in run.plan.contracts]
    wanted = [names.index(name) for name in contracts]
    seats = run.plan.seats
    for index in finished(run):
        rows = Rows.of(run, index)
        values = rows.values[min(kind, len(rows.values) - 1)]
        sums = np.zeros(rows.deals * len(names) * seats, np.int64)
        cell = (rows.deal * len(names) + rows.contract)[:, None] * seats + rows.turn
        np.add.at(sums, cell.ravel(), values.ravel())
        yield sums.reshape(rows.deals, len(names), seats)[:, wanted]
