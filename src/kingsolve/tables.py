"""Data frames of analyses and traces: tidy rows with documented columns. The only room with pandas in it.

Every frame begins with the columns of its labels (the command line's are `file`, `game`, `board`), then
`variant`, `contract`, `leader`. Points are signed and to come; a value that the limits left open has
`*_min` < `*_max`, and where a column holds exact values only, it is NA.

rows="seats", one row per contract and seat:

| column | dtype | what |
|---|---|---|
| turn | string | the seat to play (the leader, unless a trick is in progress) |
| total | Int32 | points to come, all seats together |
| seat | string | N E S W |
| guarantee_min, guarantee_max | Int32 | bounds on what the seat alone can force; equal when solved |
| shapley | Float64 | the seat's fair share |
| shapley_exact | string | the same as a fraction, "-17/3" |
| best_case_min, best_case_max | Int32 | bounds on the most the seat gets if everybody helps |
| maxn | Int32 | the seat's points under max^n, ties by card order |
| equilibria_count | Int32 | number of payoff vectors that pure subgame-perfect play can end in |
| equilibria_min, equilibria_max | Int32 | the seat's least and most among them |
| best_cards | string | for the seat to play only: the best cards, separated by blanks |
| nodes | Int64 | cards played by the search, whole contract |
| status | string | exact or bounds |

rows="sides", one row per contract and side of one or two seats (and the one asked for): `side` (string,
"NE"), `value_min`, `value_max` (Int32).

rows="cards", one row per contract and legal card: `turn`, `side` (whose points), `card` (strings),
`value_min`, `value_max` (Int32), `best` (boolean).

A trace has one row per recorded card: `number`, `trick` (Int32, from 1), `seat`, `card` (strings), `lost`
(Int32, points of its own guarantee that the card cost the seat), `best` (string, the cards that cost
nothing), and `sure_min`, `sure_max` (Int32): bounds on what the seat was sure of before it, all round.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

import pandas as pd

from .analysis import Analysis, Step
from .contract import Contract
from .errors import KingError
from .solver import Bounds

Rows = Literal["seats", "sides", "cards"]
Labels = Mapping[str, str | int | None]

_NAMES = {"variant": "string", "contract": "string", "leader": "string"}
_BOUNDS = {"value_min": "Int32", "value_max": "Int32"}
COLUMNS: dict[str, dict[str, str]] = {
    "seats": {
        **_NAMES,
        "turn": "string",
        "total": "Int32",
        "seat": "string",
        "guarantee_min": "Int32",
        "guarantee_max": "Int32",
        "shapley": "Float64",
        "shapley_exact": "string",
        "best_case_min": "Int32",
        "best_case_max": "Int32",
        "maxn": "Int32",
        "equilibria_count": "Int32",
        "equilibria_min": "Int32",
        "equilibria_max": "Int32",
        "best_cards": "string",
        "nodes": "Int64",
        "status": "string",
    },
    "sides": {**_NAMES, "side": "string", **_BOUNDS},
    "cards": {**_NAMES, "turn": "string", "side": "string", "card": "string", **_BOUNDS, "best": "boolean"},
    "trace": {
        **_NAMES,
        "number": "Int32",
        "trick": "Int32",
        "seat": "string",
        "card": "string",
        "lost": "Int32",
        "best": "string",
        "sure_min": "Int32",
        "sure_max": "Int32",
    },
}
"""The columns after the labels, with their dtypes, by kind of row."""


def frame(records: Iterable[Analysis | tuple[Labels, Analysis]], *, rows: Rows = "seats") -> "pd.DataFrame":
    """A DataFrame of analyses, each alone or with labels that become its first columns; see above.

    The labels of the first record name the columns. Raises KingError for `rows` that are none.
    """
    makers = {"seats": _seats, "sides": _sides, "cards": _cards}
    if rows not in makers:
        msg = f"expected rows, one of {' '.join(makers)}, got {rows!r}"
        raise KingError(msg)
    found = [
        {**labels, **_names(analysis.contract, analysis.leader), **row}
        for labels, analysis in map(_labelled, records)
        for row in makers[rows](analysis)
    ]
    return _typed(found, COLUMNS[rows])


def trace_frame(traces: Iterable[tuple[Labels, Contract, str, Iterable[Step]]]) -> "pd.DataFrame":
    """A DataFrame of traces, one row per recorded card; see above.

    Each trace comes with labels that become its first columns, its contract and the seat that led first. The
    labels of the first trace name the columns.
    """
    found = []
    for labels, contract, leader, steps in traces:
        for step in steps:
            sure = step.before[contract.seat_names.index(step.seat)]
            low, high = (sure.minimum, sure.maximum) if isinstance(sure, Bounds) else (sure, sure)
            row: dict[str, Any] = {**labels, **_names(contract, leader)}
            row |= {"number": step.number, "trick": step.trick, "seat": step.seat, "card": step.card}
            row |= {"lost": step.lost, "best": " ".join(step.best), "sure_min": low, "sure_max": high}
            found.append(row)
    return _typed(found, COLUMNS["trace"])


def _labelled(record: Analysis | tuple[Labels, Analysis]) -> tuple[Labels, Analysis]:
    return ({}, record) if isinstance(record, Analysis) else record


def _names(contract: Contract, leader: str) -> dict[str, str]:
    return {"variant": contract.variant, "contract": contract.name, "leader": leader}


def _seats(analysis: Analysis) -> Iterator[dict[str, Any]]:
    for number, seat in enumerate(analysis.contract.seat_names):
        share = analysis.shapley[number] if analysis.shapley is not None else None
        vectors = analysis.equilibria
        reached = [vector[number] for vector in vectors] if vectors is not None else None
        yield {
            "turn": analysis.turn,
            "total": analysis.total,
            "seat": seat,
            **_bounds("guarantee", analysis.guarantee.get(seat)),
            "shapley": float(share) if share is not None else None,
            "shapley_exact": str(share) if share is not None else None,
            **_bounds("best_case", analysis.best_case.get(seat)),
            "maxn": analysis.maxn[number] if analysis.maxn is not None else None,
            "equilibria_count": len(vectors) if vectors is not None else None,
            "equilibria_min": min(reached) if reached else None,
            "equilibria_max": max(reached) if reached else None,
            "best_cards": " ".join(analysis.best_cards) if analysis.cards and seat == analysis.turn else None,
            "nodes": analysis.nodes,
            "status": analysis.status,
        }


def _sides(analysis: Analysis) -> Iterator[dict[str, Any]]:
    for side, value in {**analysis.guarantee, **analysis.sides}.items():
        yield {"side": side, **_bounds("value", value)}


def _cards(analysis: Analysis) -> Iterator[dict[str, Any]]:
    best = set(analysis.best_cards)
    for card, value in analysis.cards.items():
        names = {"turn": analysis.turn, "side": analysis.side, "card": card}
        yield {**names, **_bounds("value", value), "best": card in best}


def _bounds(name: str, value: Bounds | None) -> dict[str, int | None]:
    low, high = (value.minimum, value.maximum) if value is not None else (None, None)
    return {f"{name}_min": low, f"{name}_max": high}


def _typed(found: list[dict[str, Any]], columns: Mapping[str, str]) -> "pd.DataFrame":
    """The rows as a frame whose dtypes are those documented, whatever is missing or none."""
    labels = [name for name in (found[0] if found else {}) if name not in columns]
    made = pd.DataFrame(found, columns=[*labels, *columns])
    numbers = {name: "Int64" if name == "game" else "string" for name in labels}
    return made.astype({**numbers, **columns})
