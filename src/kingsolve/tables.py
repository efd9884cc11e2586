"""Data frames of analyses and traces: tidy rows with documented columns. The only room with pandas in it.

It is long because the columns of every frame stand in one place.

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

A review has one row per deal and seat: `seat` (string), `points` (Int32, scored), `maxn` (Int32, what the
seat would have had by max^n from the first card on; NA where that is not solved), `lost` (Int32, what its own
cards cost it against max^n, of those that are solved), `unsolved` (Int32, how many are not), and the deal's
`first_trick` (Int32), `first_seat`, `first_card` (strings), `first_lost` (Int32): the first card that changed
the result, NA where none did; `solved_from` (Int32, the card from which on all are solved), `nodes` (Int64),
`status` (string).

An advice (`analyze_hand`, `advise`) has one row per option: `variant`, `contract` (NA where it is chosen),
`kind`, `seat`, `option` (strings), `mean`, `error`, `best`, `behind`, `behind_error`, `over_share` (Float64,
points and a share), `value` (string, the evaluator), `samples` (Int64), `consistent` (Arrow's
decimal128(38, 0), deals that fit, more than 64 bits may count), `status` (string), `seed` (UInt64),
`confidence` (Float64), `belief` (string) and `effective` (Float64, samples).
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import erfc, nan, sqrt
from typing import TYPE_CHECKING, Any, Literal

import pandas as pd
import pyarrow as pa

from .analysis import Analysis, Step
from .contract import Contract
from .errors import KingError
from .histograms import DEFAULT_KEYS, Halves, Sums, Tally, count_differences, count_run
from .simulation import Run, open_run
from .solver import Bounds

if TYPE_CHECKING:
    from .advisor import Advice
    from .review import DealReview

Rows = Literal["seats", "sides", "cards"]
Labels = Mapping[str, str | int | None]

_NAMES = {"variant": "string", "contract": "string", "leader": "string"}
_BOUNDS = {"value_min": "Int32", "value_max": "Int32"}
_Types = Mapping[str, "str | pd.ArrowDtype"]
COLUMNS: dict[str, _Types] = {
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
    "review": {
        **_NAMES,
        "seat": "string",
        "points": "Int32",
        "maxn": "Int32",
        "lost": "Int32",
        "unsolved": "Int32",
        "first_trick": "Int32",
        "first_seat": "string",
        "first_card": "string",
        "first_lost": "Int32",
        "solved_from": "Int32",
        "nodes": "Int64",
        "status": "string",
    },
    "advice": {
        "variant": "string",
        "contract": "string",
        "kind": "string",
        "seat": "string",
        "option": "string",
        "mean": "Float64",
        "error": "Float64",
        "best": "Float64",
        "behind": "Float64",
        "behind_error": "Float64",
        "over_share": "Float64",
        "value": "string",
        "samples": "Int64",
        "consistent": pd.ArrowDtype(pa.decimal128(38, 0)),
        "status": "string",
        "seed": "UInt64",
        "confidence": "Float64",
        "belief": "string",
        "effective": "Float64",
    },
}
"""The columns after the labels, with their dtypes, by kind of row."""


def frame(
    records: "Analysis | Advice | Iterable[Analysis | Advice | tuple[Labels, Analysis | Advice]]",
    *,
    rows: Rows = "seats",
) -> "pd.DataFrame":
    """A DataFrame of an analysis or several, each alone or with labels that become its first columns; or of
    advices; see above.

    The labels of the first record name the columns. Raises KingError for `rows` that are none (advices have
    one kind only, so do not ask), and for analyses and advices together.
    """
    makers = {"seats": _seats, "sides": _sides, "cards": _cards}
    if rows not in makers:
        msg = f"expected rows, one of {' '.join(makers)}, got {rows!r}"
        raise KingError(msg)
    several = records if isinstance(records, Iterable) else [records]
    labelled = [record if isinstance(record, tuple) else ({}, record) for record in several]
    for _, record in labelled:
        if not isinstance(record, Analysis):
            from .advisor import Advice

            if not isinstance(record, Advice):
                msg = f"expected analyses or advices, got {record!r}"
                raise KingError(msg)
    analyses = [(labels, record) for labels, record in labelled if isinstance(record, Analysis)]
    advices = [(labels, record) for labels, record in labelled if not isinstance(record, Analysis)]
    if analyses and advices:
        msg = "expected analyses or advices, got both"
        raise KingError(msg)
    if advices:
        made = [{**labels, **row} for labels, advice in advices for row in _options(advice)]
        return _typed(made, COLUMNS["advice"])
    found = [
        {**labels, **_names(analysis.contract, analysis.leader), **row}
        for labels, analysis in analyses
        for row in makers[rows](analysis)
    ]
    return _typed(found, COLUMNS[rows], labelled[0][0] if labelled else {})


def _options(advice: "Advice") -> Iterator[dict[str, Any]]:
    for option in advice.options:
        yield {
            "variant": advice.variant,
            "contract": advice.contract.name if advice.contract is not None else None,
            "kind": advice.kind,
            "seat": advice.seat,
            "option": option.name,
            "mean": option.mean,
            "error": option.error,
            "best": option.best,
            "behind": option.behind,
            "behind_error": option.behind_error,
            "over_share": option.over_share,
            "value": advice.value,
            "samples": advice.samples,
            "consistent": advice.consistent,
            "status": advice.status,
            "seed": advice.seed,
            "confidence": advice.confidence,
            "belief": advice.policy,
            "effective": round(advice.effective, 6),  # the digits behind are those of the sum of weights
        }


def trace_frame(traces: Iterable[tuple[Labels, Contract, str, Iterable[Step]]]) -> "pd.DataFrame":
    """A DataFrame of traces, one row per recorded card; see above.

    Each trace comes with labels that become its first columns, its contract and the seat that led first. The
    labels of the first trace name the columns.
    """
    found = []
    first: Labels = {}
    for labels, contract, leader, steps in traces:
        first = first or labels
        for step in steps:
            sure = step.before[contract.seat_names.index(step.seat)]
            low, high = (sure.minimum, sure.maximum) if isinstance(sure, Bounds) else (sure, sure)
            row: dict[str, Any] = {**labels, **_names(contract, leader)}
            row |= {"number": step.number, "trick": step.trick, "seat": step.seat, "card": step.card}
            row |= {"lost": step.lost, "best": " ".join(step.best), "sure_min": low, "sure_max": high}
            found.append(row)
    return _typed(found, COLUMNS["trace"], first)


def review_frame(reviews: "Iterable[tuple[Labels, DealReview]]") -> "pd.DataFrame":
    """A DataFrame of deals looked back on, one row per deal and seat; see above.

    Each review comes with labels that become its first columns; those of the first name the columns.
    """
    found = []
    for labels, review in reviews:
        contract, change, expected = review.round.contract, review.first_change, review.expected
        for i, seat in enumerate(contract.seat_names):
            row: dict[str, Any] = {**labels, **_names(contract, review.round.leader), "seat": seat}
            row |= {"points": review.scores[i], "maxn": expected[i] if expected is not None else None}
            row |= {"lost": review.lost[i], "unsolved": review.unsolved[i]}
            if change is not None:
                row |= {"first_trick": change.trick, "first_seat": change.seat, "first_card": change.card}
                row["first_lost"] = change.lost
            row |= {"solved_from": review.solved_from, "nodes": review.nodes}
            found.append(row | {"status": "exact" if review.exact else "bounds"})
    return _typed(found, COLUMNS["review"])


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


def _typed(found: list[dict[str, Any]], columns: _Types, labels: Labels | None = None) -> "pd.DataFrame":
    """The rows as a frame whose dtypes are those documented, whatever is missing or none.

    `labels` name the first columns where there may be no row to tell.
    """
    names = [name for name in labels or (found[0] if found else {}) if name not in columns]
    made = pd.DataFrame(found, columns=[*names, *columns])
    numbers = {name: "Int64" if name == "game" else "string" for name in names}
    return made.astype({**numbers, **columns})


# --- runs: kingsolve.simulation ---


def tabulate(
    run: Run | str | os.PathLike[str] | Tally,
    by: Sequence[str] = DEFAULT_KEYS,
    *,
    partial: bool = False,
) -> "pd.DataFrame":
    """A DataFrame of what the rounds of a run came to, a row for each group of `by` that has any; see
    docs/simulation.md.

    `by` are keys among contract, turn (1 leads, then in the order of play), seat, leader, player, shape and
    holder:CARD. Columns after the keys: `value` (points; or least and most where values are not single),
    `deals`, `rounds`, `unsolved` (Int64), `mean`, `se`, `sd`, `q05`, `q50`, `q95`, `nothing`, `everything`
    (Float64, points and shares), and by contract `advantage` and `p`: the mean less a fair share of the
    contract, and how often chance alone makes one so large. A deal is one cluster for `se` and `p`: `se`
    is NA of one deal, `p` also where no two deals differ.

    Raises KingError for a key that is none, a part that does not verify and, unless `partial`, a run that is
    not finished.
    """
    tally = run if isinstance(run, Tally) else count_run(_run(run), by, partial=partial)[0]
    rows = []
    for group in range(tally.groups):
        if not tally.rounds[group]:
            continue
        for value, sums in _kinds(tally.plan.play.concept, tally.sums, int(tally.unsolved.sum())):
            row = {**tally.group_labels(group), "value": value, **_counts(tally, group)}
            rows.append(row | _moments(tally, group, sums))
    columns = _RUN_COLUMNS | (_ADVANTAGE if "contract" in tally.keys else {})
    return _keyed(rows, tally.keys, columns)


def distribution(
    run: Run | str | os.PathLike[str] | Tally,
    by: Sequence[str] = DEFAULT_KEYS,
    *,
    partial: bool = False,
) -> "pd.DataFrame":
    """A DataFrame of how often a round brought how many points, by group, and the arguments, as `tabulate`.

    Columns after the keys: `value` (string), `points` (Float64), `rounds` (Int64), `share` (Float64).
    """
    tally = run if isinstance(run, Tally) else count_run(_run(run), by, partial=partial)[0]
    rows = []
    for group in range(tally.groups):
        scale = tally.scale_of(group)
        for value, sums in _kinds(tally.plan.play.concept, tally.sums, int(tally.unsolved.sum())):
            for index in sums.histogram[group].nonzero()[0]:
                count = int(sums.histogram[group, index])
                row = {**tally.group_labels(group), "value": value}
                row["points"] = scale.point(int(index)) / tally.plan.play.scale
                rows.append(row | {"rounds": count, "share": count / int(tally.rounds[group])})
    columns = {"value": "string", "points": "Float64", "rounds": "Int64", "share": "Float64"}
    return _keyed(rows, tally.keys, columns)


def halves(run: Run | str | os.PathLike[str] | Halves, *, partial: bool = False) -> "pd.DataFrame":
    """A DataFrame of whole halves of a match, by turn, if that turn fell to one seat in every round.

    Columns `half` (penalties, rewards, match), `turn`, `value`, `rounds` (how many a match has, all its
    contracts together; choices fall evenly), `deals`, `mean`, `se`, `advantage`, `p`. Only what the run has
    every contract of. Errors as `tabulate`.
    """
    counted = run if isinstance(run, Halves) else count_run(_run(run), partial=partial)[1]
    plan = counted.plan
    scale = Fraction(1, counted.denominator * plan.leads * plan.play.scale)
    # No least value is above its most, so equal sums are equal values.
    single = plan.play.concept != "equilibria" and (counted.points[0] == counted.points[-1]).all()
    kinds = 1 if single else len(counted.points)
    rows = []
    for i, half in enumerate(counted.names):
        total = sum(
            (plan.rounds[name] * worth for name, worth in plan.totals.items() if _in_half(half, worth)),
            Fraction(0),
        )
        for turn in range(plan.seats):
            for kind, points in enumerate(counted.points[:kinds]):
                square = counted.squares[kind][i, turn]
                mean, se = _mean_of_deals(points[i, turn], square, counted.deals, scale)
                row = {"half": half, "turn": turn + 1, "value": _VALUES[kinds][kind]}
                row |= {"rounds": float(counted.rounds[half]), "deals": counted.deals}
                rows.append(row | {"mean": mean, "se": se} | _advantage(mean, se, total / plan.seats))
    columns = {"value": "string", "rounds": "Float64", "deals": "Int64", "mean": "Float64", "se": "Float64"}
    return _keyed(rows, ("half", "turn"), columns | _ADVANTAGE)


def compare(a: Run | str | os.PathLike[str], b: Run | str | os.PathLike[str]) -> "pd.DataFrame":
    """A DataFrame of two runs on the same deals, paired: `contract` (and `all`, the sum of those in common),
    `turn`, `value`, `deals`, `mean_a`, `mean_b`, `difference` (a less b, points a round), `se`, `low`, `high`
    (95 %), `p`.

    Raises KingError for runs that are not on the same deals, or have no contract in common.
    """
    one, two = _run(a), _run(b)
    bounded = [run.plan.play.bounded for run in (one, two)]
    rows = []
    for kind, value in enumerate(_VALUES[2] if any(bounded) else _VALUES[1]):
        kinds = (kind, 1 - kind) if any(bounded) else (0, 0)  # least less most, most less least
        found = count_differences(one, two, kinds=kinds)
        scale = Fraction(1, found.leads * found.scale)
        for i, name in enumerate([*found.contracts, "all"]):
            for turn in range(one.plan.seats):
                mean, se = _mean_of_deals(found.points[i, turn], found.squares[i, turn], found.deals, scale)
                row = {"contract": name, "turn": turn + 1, "value": value, "deals": found.deals}
                for side, sums in (("mean_a", found.sums_a), ("mean_b", found.sums_b)):
                    row[side] = float(Fraction(sums[i, turn], found.deals) * scale)
                row |= {"difference": mean, "se": se, "low": mean - _Z95 * se, "high": mean + _Z95 * se}
                rows.append(row | {"p": _chance(mean, se)})
        if all(_single(run) for run in (one, two)):
            for row in rows:
                row["value"] = _VALUES[1][0]
            break
    floats = ("mean_a", "mean_b", "difference", "se", "low", "high", "p")
    columns = {"value": "string", "deals": "Int64", **dict.fromkeys(floats, "Float64")}
    return _keyed(rows, ("contract", "turn"), columns)


_VALUES = {1: ("points",), 2: ("least", "most")}
_Z95 = 1.959963984540054
_RUN_COLUMNS = {
    "value": "string",
    **dict.fromkeys(("deals", "rounds", "unsolved"), "Int64"),
    **dict.fromkeys(("mean", "se", "sd", "q05", "q50", "q95", "nothing", "everything"), "Float64"),
}
_ADVANTAGE = {"advantage": "Float64", "p": "Float64"}
_KEYS = {"turn": "Int32"}


def _run(run: Run | str | os.PathLike[str]) -> Run:
    return run if isinstance(run, Run) else open_run(run)


def _single(run: Run) -> bool:
    """Whether every value of the run is one number: no equilibria, nothing unsolved."""
    if not run.plan.play.bounded:
        return True
    return run.plan.play.concept != "equilibria" and not count_run(run)[0].unsolved.any()


def _kinds(concept: str | None, sums: Sequence[Sums], unsolved: int) -> Iterator[tuple[str, Sums]]:
    """The values to show: one, where all are solved and not sets."""
    kinds = 1 if concept != "equilibria" and not unsolved else len(sums)
    yield from zip(_VALUES[kinds], sums, strict=False)


def _counts(tally: Tally, group: int) -> dict[str, int]:
    return {name: int(getattr(tally, name)[group]) for name in ("deals", "rounds", "unsolved")}


def _moments(tally: Tally, group: int, sums: Sums) -> dict[str, float]:
    """Mean, errors, quantiles and shares of one group, from integers."""
    scale, worth = tally.scale_of(group), tally.plan.play.scale
    rounds, deals = int(tally.rounds[group]), int(tally.deals[group])
    counts = [int(count) for count in sums.histogram[group]]
    points = [scale.point(index) for index in range(len(counts))]
    total = sum(count * point for count, point in zip(counts, points, strict=True))
    square = sum(count * point * point for count, point in zip(counts, points, strict=True))
    # Of a ratio of sums over clusters (W. G. Cochran, Sampling Techniques, 1977, 6.3).
    spread = (
        rounds * rounds * sums.squares[group]
        - 2 * rounds * total * sums.mixed[group]
        + total * total * tally.round_squares[group]
    )
    mean = total / rounds / worth
    se = sqrt(Fraction(spread * deals, rounds**4 * (deals - 1))) / worth if deals > 1 else nan
    found = {
        "mean": mean,
        "se": se,
        "sd": sqrt(Fraction(rounds * square - total * total, rounds * rounds)) / worth,
    }
    for name, percent in (("q05", 5), ("q50", 50), ("q95", 95)):
        reached = 0
        for count, point in zip(counts, points, strict=True):
            reached += count
            if 100 * reached >= percent * rounds:
                found[name] = point / worth
                break
    zero = points.index(0) if 0 in points else None
    found["nothing"] = counts[zero] / rounds if zero is not None else 0.0
    found["everything"] = int(sums.everything[group]) / rounds
    if "contract" in tally.keys:
        name = tally.group_labels(group)["contract"]
        contract = next(contract for contract in tally.plan.contracts if contract.name == name)
        found |= _advantage(mean, se, Fraction(contract.total, tally.plan.seats))
    return found


def _mean_of_deals(total: int, square: int, deals: int, scale: Fraction) -> tuple[float, float]:
    """The mean over deals and its standard error, nan of one deal, from sums of whole numbers."""
    mean = float(Fraction(total, deals) * scale)
    if deals < 2:
        return mean, nan
    variance = Fraction(deals * square - total * total, deals * deals * (deals - 1))
    return mean, sqrt(variance) * float(scale)


def _advantage(mean: float, se: float, fair: Fraction) -> dict[str, float]:
    return {"advantage": mean - float(fair), "p": _chance(mean - float(fair), se)}


def _chance(difference: float, se: float) -> float:
    """How often chance makes a difference at least so large, either way (normal).

    nan without an error: deals that all came to the same say nothing of what others may come to.
    """
    return erfc(abs(difference) / se / sqrt(2)) if se else nan


def _in_half(half: str, total: int) -> bool:
    return {"penalties": total < 0, "rewards": total > 0}.get(half, True)


def _keyed(found: list[dict[str, Any]], keys: Sequence[str], columns: Mapping[str, str]) -> "pd.DataFrame":
    made = pd.DataFrame(found, columns=[*keys, *columns])
    return made.astype({key: _KEYS.get(key, "string") for key in keys} | dict(columns))
