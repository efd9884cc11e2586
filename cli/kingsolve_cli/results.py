"""Analysed games as table, JSON lines, CSV or Parquet: one writer each, behind one call."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.text import Text

from kingsolve import Bounds, KingError
from kingsolve.analysis import Step, json_value
from kingsolve.cards import SEATS

from .analysis_table import Analysed, game_lines
from .output import file_output, text_output, write_json
from .style import Style
from .trace_table import lost_by

if TYPE_CHECKING:
    import pandas as pd

    from kingsolve.tables import Rows

    from .single_dummy import Advised

Write = Callable[["Analysed | Advised"], None]


@contextmanager
def writer(format: str, path: str | None, *, rows: "Rows", traced: bool, several: bool) -> Iterator[Write]:
    """A function that writes one analysed game after another; a file is there whole or not at all.

    `traced` says that rows are recorded cards; `several`, that games come from more than one file, which JSON
    then names.
    """
    if format == "parquet":
        assert path is not None
        with _parquet(path, rows, traced=traced) as write:
            yield write
        return
    with text_output(path) as stream:
        first = True
        style = Style(stream) if format == "table" else None

        def write(game: "Analysed | Advised") -> None:
            nonlocal first
            if style is not None:
                if not first:
                    style.print()
                for line in _lines(style, game):
                    style.print(line)
            elif format == "json":
                for record in json_records(game, several=several):
                    write_json(stream, record)
            else:
                frame = _frame([game], rows, traced=traced)
                frame.to_csv(stream, index=False, header=first, lineterminator="\n")
            first = False
            if stream is sys.stdout:
                stream.flush()

        yield write


@contextmanager
def _parquet(path: str, rows: "Rows", *, traced: bool) -> Iterator[Write]:
    with file_output(path) as temporary:
        games: list[Analysed | Advised] = []
        yield games.append
        _frame(games, rows, traced=traced).to_parquet(temporary, index=False)


def _lines(style: Style, game: "Analysed | Advised") -> Iterator[Text]:
    if isinstance(game, Analysed):
        return game_lines(style, game)
    from .advice_table import advised_lines

    return advised_lines(style, game)


def _frame(games: "Sequence[Analysed | Advised]", rows: "Rows", *, traced: bool) -> "pd.DataFrame":
    """The games as tidy rows."""
    from kingsolve import tables

    alone = [(_labels(game), game.advices) for game in games if not isinstance(game, Analysed)]
    found = [(_labels(game), game) for game in games if isinstance(game, Analysed)]
    if alone:
        if found:
            msg = "expected games of which all hands are known, or none of them (--seat), in csv and parquet"
            raise KingError(msg)
        return tables.frame((labels, advice) for labels, advices in alone for advice in advices)
    if traced:
        return tables.trace_frame(
            (labels, analysis.contract, analysis.leader, steps)
            for labels, game in found
            for analysis, steps in zip(game.analyses, game.traces, strict=True)
        )
    records = ((labels, analysis) for labels, game in found for analysis in game.analyses)
    return tables.frame(records, rows=rows)


def _labels(game: "Analysed | Advised") -> dict[str, str | int | None]:
    return {"file": game.file, "game": game.number, "board": game.board}


def json_records(game: "Analysed | Advised", *, several: bool = False) -> Iterator[dict[str, Any]]:
    """One object for each contract, as analysis.schema.json and docs/json.md describe it."""
    if not isinstance(game, Analysed):
        from .single_dummy import advice_json

        for advice in game.advices:
            label = {"file": game.file} if several else {}
            yield {**label, "game": game.number, "board": game.board, **advice_json(advice)}
        return
    places = {id(place.analysis): place.place for place in game.ranking}
    for number, analysis in enumerate(game.analyses):
        record: dict[str, Any] = {"file": game.file} if several else {}
        record |= {"game": game.number, "board": game.board}
        found = analysis.to_json()
        record |= {name: found.pop(name) for name in ("variant", "contract")}
        if id(analysis) in places:
            record |= {"chooser": game.chooser, "rank": places[id(analysis)]}
        position = game.positions[number]
        if game.after is not None:
            banked = zip(position.contract.seat_names, position.banked, strict=True)
            record |= {"after": game.after, "banked": dict(banked)}
        if position.trick:
            record["trick"] = position.trick
        record |= found
        if game.traces:
            steps = game.traces[number]
            record["trace"] = [step_json(step) for step in steps]
            record["lost"] = {seat: lost_by(steps, seat) for seat in analysis.contract.seat_names}
        yield record


def step_json(step: Step, *, concept: str = "sure") -> dict[str, Any]:
    """A recorded card; under the name of the concept, what each seat had by it before."""
    had = zip(SEATS, step.before, strict=False)
    return {
        "number": step.number,
        "trick": step.trick,
        "seat": step.seat,
        "card": step.card,
        "lost": step.lost,
        "best": list(step.best),
        concept: {seat: json_value(won) if isinstance(won, Bounds) else won for seat, won in had},
    }
