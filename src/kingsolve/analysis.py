"""Everything the solver says about one contract of one deal, as one record; and a recorded round looked back
on."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from .cards import ALL_CARDS, SEATS, parse_side, side_name
from .contract import Contract
from .errors import KingError, require
from .position import Position
from .rounds import Round
from .solver import Bounds, Solver, Status, coalition_bounds, plain, shapley_of

CONCEPTS = ("guarantee", "sides", "shapley", "best-case", "equilibria", "maxn", "cards", "line")
DEFAULT_CONCEPTS = ("guarantee", "sides", "shapley", "cards", "line")


@dataclass(frozen=True, kw_only=True)
class Analysis:
    """One contract of one deal. Points are signed and to come; concepts not asked for are None or empty.

    `side` is the one that `cards` and `line` are for: the seat to play unless another was asked for. `sides`
    holds the pairs, and any other side asked for.
    """

    contract: Contract
    leader: str
    turn: str
    side: str
    total: int
    guarantee: Mapping[str, Bounds]
    sides: Mapping[str, Bounds]
    shapley: tuple[Fraction, ...] | None
    best_case: Mapping[str, Bounds]
    equilibria: list[tuple[int, ...]] | None
    maxn: tuple[int, ...] | None
    cards: Mapping[str, Bounds]
    line: list[str] | None
    nodes: int
    status: Status
    out_of_time: bool

    @property
    def best_cards(self) -> list[str]:
        """The cards that are certainly best, for the seat to play; none where the limits left it open."""
        ours = self.turn in self.side
        worth = {
            card: (value.minimum, value.maximum) if ours else (-value.maximum, -value.minimum)
            for card, value in self.cards.items()
        }
        ceiling = max((high for _, high in worth.values()), default=0)
        return [card for card, (low, _) in worth.items() if low >= ceiling]

    def to_json(self) -> dict[str, Any]:
        """The record as JSON values: Shapley shares as "-17/3", an unsolved value as {"min": .., "max":
        ..}."""
        seats = self.contract.seat_names
        record: dict[str, Any] = {
            "variant": self.contract.variant,
            "contract": self.contract.name,
            "leader": self.leader,
            "total": self.total,
        }
        if self.turn != self.leader:
            record["turn"] = self.turn
        for name in ("guarantee", "sides"):
            values = getattr(self, name)
            if values:
                record[name] = {side: json_value(value) for side, value in values.items()}
        if self.shapley is not None:
            record["shapley"] = dict(zip(seats, map(str, self.shapley), strict=True))
        if self.best_case:
            record["best_case"] = {seat: json_value(value) for seat, value in self.best_case.items()}
        if self.equilibria is not None:
            columns = list(zip(*self.equilibria, strict=True))
            record["equilibria"] = {
                "count": len(self.equilibria),
                "min": {seat: min(column) for seat, column in zip(seats, columns, strict=True)},
                "max": {seat: max(column) for seat, column in zip(seats, columns, strict=True)},
            }
        if self.maxn is not None:
            record["maxn"] = dict(zip(seats, self.maxn, strict=True))
        if self.cards:
            record["side"] = self.side
            record["cards"] = {card: json_value(value) for card, value in self.cards.items()}
        if self.line is not None:
            record["line"] = self.line
        record |= {"nodes": self.nodes, "status": self.status}
        return record | ({"out_of_time": True} if self.out_of_time else {})


def json_value(value: Bounds) -> int | dict[str, int]:
    """An exact value as an int, another as its bounds."""
    return value.minimum if value.exact else {"min": value.minimum, "max": value.maximum}


def analyze_position(
    position: Position,
    solver: Solver,
    *,
    concepts: Iterable[str] = DEFAULT_CONCEPTS,
    side: str | Iterable[str] | None = None,
) -> Analysis:
    """The values of `position` named in `concepts`, within the solver's limits.

    Raises KingError for a concept that is none and CardError for a side that is none.
    """
    wanted = tuple(concepts)
    for concept in wanted:
        if concept not in CONCEPTS:
            msg = f"expected concepts among {' '.join(CONCEPTS)}, got {concept!r}"
            raise KingError(msg)
    require(position, Position)
    require(solver, Solver)
    contract = position.contract
    ours = parse_side(position.turn if side is None else side, contract.seats)
    guarantee, sides = _guarantees(position, solver, wanted, ours if side is not None else 0)
    exact = [*guarantee.values(), *sides.values()]
    cards = solver.cards(position, ours) if "cards" in wanted and not position.is_over else {}
    line = solver.line(position, ours) if "line" in wanted else None
    best_case = {
        seat: solver.best_case(position, number)
        for number, seat in enumerate(contract.seat_names)
        if "best-case" in wanted
    }
    maxn = solver.maxn(position) if "maxn" in wanted else None
    equilibria = solver.equilibria(position) if "equilibria" in wanted else None
    exact += [*cards.values(), *best_case.values()]
    missing = ("maxn" in wanted and maxn is None) or ("equilibria" in wanted and equilibria is None)
    return Analysis(
        contract=contract,
        leader=position.leader,
        turn=position.turn,
        side=side_name(ours),
        total=position.to_come,
        guarantee={name: value for name, value in guarantee.items() if "guarantee" in wanted},
        sides={name: value for name, value in sides.items() if "sides" in wanted or name == side_name(ours)},
        shapley=_shapley(position, guarantee | sides) if "shapley" in wanted else None,
        best_case=best_case,
        equilibria=equilibria,
        maxn=maxn,
        cards=cards,
        line=line,
        nodes=solver.nodes,
        status="bounds" if missing or not all(value.exact for value in exact) else "exact",
        out_of_time=solver.out_of_time,
    )


def _guarantees(
    position: Position, solver: Solver, wanted: tuple[str, ...], asked: int
) -> tuple[dict[str, Bounds], dict[str, Bounds]]:
    """The guarantees of the seats, and of the pairs and the side asked for, by name: no more than is
    wanted."""
    seats = position.contract.seats
    everybody = (1 << seats) - 1
    if asked == everybody:
        msg = f"expected a side with somebody against it, got {side_name(asked)!r}"
        raise KingError(msg)
    if {"sides", "shapley"} & set(wanted):
        found = coalition_bounds(solver, position)
    else:
        singles_wanted = range(seats) if "guarantee" in wanted else ()
        found = {1 << seat: solver.side(position, 1 << seat) for seat in singles_wanted}
        if asked and asked not in found:
            found[asked] = solver.side(position, asked)
    singles = {side_name(side): value for side, value in found.items() if side.bit_count() == 1}
    others = {
        side_name(side): value
        for side, value in found.items()
        if side.bit_count() > 1 and (side.bit_count() < seats - 1 or side == asked)
    }
    return singles, others


def _shapley(position: Position, values: Mapping[str, Bounds]) -> tuple[Fraction, ...] | None:
    """The fair shares, None where a guarantee they need is not solved."""
    if not all(value.exact for value in values.values()):
        return None
    everybody, total = (1 << position.contract.seats) - 1, position.to_come
    worth = {side: value.minimum for side, value in values.items()}
    for side, value in list(worth.items()):
        worth[side_name(everybody - parse_side(side))] = total - value
    return shapley_of(position, worth)


@dataclass(frozen=True)
class Step:
    """One recorded card: what each seat had from the whole round before and after it, and what it cost.

    `before` and `after` are points banked plus points to come by the concept asked for, in seat order; `lost`
    is what the card cost the seat that played it against its best card, in its own points by that concept;
    `best` are the cards that would have lost nothing.
    """

    number: int
    trick: int
    seat: str
    card: str
    before: tuple[int | Bounds, ...]
    after: tuple[int | Bounds, ...]
    lost: int | None
    best: tuple[str, ...]

    @property
    def changed(self) -> bool | None:
        """Whether the card changed what any seat had; None where that is not solved."""
        known = all(isinstance(value, int) for value in (*self.before, *self.after))
        return self.before != self.after if known else None


def trace(
    record: Round, solver: Solver, *, concept: Literal["guarantee", "maxn"] = "guarantee"
) -> list[Step]:
    """The recorded round card by card, double dummy, to where it ends: who lost points, where.

    The concept is what each seat is sure of (`guarantee`) or has where all play for themselves (`maxn`, ties
    in card order). Raises IllegalCard at the first card against the rules. Limits leave Bounds, and `lost`
    None where not known; the cheap endings are solved first, so that limits cut the beginning.
    """
    require(record, Round)
    require(solver, Solver)
    positions = []
    for walker in record.replay():
        positions.append(walker.copy())
        if walker.is_over:
            break
    find = _maxn_values if concept == "maxn" else _sure_values
    values, worth = find(positions, solver)
    return [
        _step(number, positions[number - 1], card, values[number - 1 : number + 1], worth[number - 1])
        for number, card in enumerate(record.cards[: len(positions) - 1], 1)
    ]


Worth = dict[str, Bounds]
"""What each legal card is worth to the seat on turn, points of the whole trick in it."""


def _sure_values(
    positions: Sequence[Position], solver: Solver
) -> tuple[list[tuple[Bounds, ...]], list[Worth]]:
    """What each seat is sure of in the whole round at each position, and the worth of the cards there."""
    seats = range(positions[0].contract.seats)
    sure: list[list[Bounds]] = [[] for _ in positions]
    worth: list[Worth] = [{} for _ in positions]
    for seat in seats:  # seat by seat, the end first: what the table holds of later positions serves here
        for at in range(len(positions) - 1, -1, -1):
            position = positions[at]
            sure[at].append(solver.side(position, 1 << seat) + position.banked[seat])
            if position.turn == SEATS[seat] and at + 1 < len(positions):
                worth[at] = solver.cards(position, 1 << seat)
    return [tuple(values) for values in sure], worth


def _maxn_values(
    positions: Sequence[Position], solver: Solver
) -> tuple[list[tuple[Bounds, ...]], list[Worth]]:
    """The same under max^n; what is not solved lies between the worst and the best that can still come."""
    values: list[tuple[Bounds, ...]] = []
    worth: list[Worth] = []
    spent = False

    def whole(position: Position) -> tuple[Bounds, ...]:
        nonlocal spent
        found = None if spent else solver.maxn(position)
        spent = found is None
        return _at_most(position) if found is None else _won(position, found)

    for position in reversed(positions):
        values.append(whole(position))
        found: Worth = {}
        seat = SEATS.index(position.turn)
        for card in position.legal_cards() if not position.is_over else ():
            after = position.copy()
            after.push(card)
            found[card] = whole(after)[seat]
        worth.append(found)
    return values[::-1], worth[::-1]


def _won(position: Position, to_come: Iterable[int]) -> tuple[Bounds, ...]:
    """Points banked and to come, known."""
    return tuple(Bounds(won, won) + banked for won, banked in zip(to_come, position.banked, strict=True))


def _at_most(position: Position) -> tuple[Bounds, ...]:
    """The points of every seat where nothing is known of those to come."""
    contract = position.contract
    left = sum(position.masks) | sum(1 << ALL_CARDS[card] for card in position.trick)
    points = [*contract.trick_points[position.place :]]
    points += [value for mask, value in contract.card_points for _ in range((mask & left).bit_count())]
    worst, best = sum(value for value in points if value < 0), sum(value for value in points if value > 0)
    return tuple(Bounds(worst, best) + banked for banked in position.banked)


def _step(
    number: int,
    position: Position,
    card: str,
    values: Sequence[tuple[Bounds, ...]],
    worth: Mapping[str, Bounds],
) -> Step:
    """What the card played in `position` cost the seat that played it."""
    best = max(value.minimum for value in worth.values())
    solved = all(value.exact for value in worth.values())
    return Step(
        number,
        position.place + 1,
        position.turn,
        card,
        tuple(map(plain, values[0])),
        tuple(map(plain, values[1])),
        best - worth[card].minimum if solved else None,
        tuple(name for name, value in worth.items() if value.minimum == best) if solved else (),
    )
