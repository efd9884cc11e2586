"""The work of `kingsolve tabulate`, and the tables at the end of `simulate`."""

import os
import sys
from collections.abc import Callable, Sequence
from typing import IO, TYPE_CHECKING, Any

import click

from kingsolve import KingError
from kingsolve.histograms import DEFAULT_KEYS, Tally, comparable, count_run, keys_of
from kingsolve.simulation import Run, open_run

from .errors import bad_option, say
from .options import unreadable
from .output import file_output, text_output, write_json
from .style import QUIET, STRONG, Style

if TYPE_CHECKING:
    import pandas as pd


def run(
    folder: str | None,
    compare: tuple[str, str] | None,
    *,
    keys: tuple[str, ...],
    rows: str,
    format: str,
    plot: str | None,
    partial: bool,
    output: str | None,
) -> None:
    """Writes the table asked for."""
    if format == "parquet" and output in (None, "-"):
        bad_option("--format", "expected -o FILE with parquet, got none")
    runs = [_opened(path) for path in (compare or (folder,))]
    if plot is not None:
        _check_plot(plot)
    if compare is not None:
        for option, given in (
            ("--by", keys),
            ("--plot", plot),
            ("--partial", partial),
            ("--rows", rows != "summary"),
        ):
            if given:
                bad_option(option, "expected one run with it, not --compare")
        try:
            comparable(runs[0].plan, runs[1].plan)
        except KingError as error:
            bad_option("--compare", str(error))
        from kingsolve.tables import compare as compared

        _write(compared(*runs), format, output, lambda stream: print_comparison(*runs, stream=stream))
        return
    wanted = _keys(runs[0], keys)
    counted = count_run(runs[0], wanted, partial=partial)
    if plot is not None:
        from kingsolve.plots import plot_run

        with file_output(plot) as temporary:
            ending = os.path.splitext(plot)[1][1:].lower()
            plot_run(runs[0], temporary, format=ending, partial=partial)
    from kingsolve.tables import distribution, halves, tabulate

    frame = {
        "summary": lambda: tabulate(counted[0]),
        "distribution": lambda: distribution(counted[0]),
        "halves": lambda: halves(counted[1]),
    }[rows]()
    if rows == "summary" and wanted == DEFAULT_KEYS:
        _write(frame, format, output, lambda stream: _print_run(runs[0], frame, halves(counted[1]), stream))
    else:
        _write(frame, format, output, lambda stream: _print_frame(frame, stream, title=_title(runs[0])))
    if rows == "halves" and not len(frame):
        say("note: the run has not all the contracts of a half of the match")
    _say_unsolved(runs[0], counted[0])


def _opened(path: str | None) -> Run:
    assert path is not None
    if not os.path.exists(path):
        bad_option("RUN", f"expected the folder of a run, got {path!r}: {unreadable(path)}")
    if not os.path.exists(os.path.join(path, "manifest.json")):
        bad_option("RUN", f"expected the folder of a run, got {path!r}: it has no manifest.json")
    return open_run(path)


def _keys(run: Run, asked: tuple[str, ...]) -> tuple[str, ...]:
    try:
        return keys_of(run.plan, asked) or DEFAULT_KEYS
    except KingError as error:
        bad_option("--by", str(error))


def _check_plot(path: str) -> None:
    if os.path.splitext(path)[1].lower() not in (".svg", ".png", ".pdf"):
        bad_option("--plot", f"expected a file that ends in .svg, .png or .pdf, got {path!r}")
    from importlib.util import find_spec

    if find_spec("matplotlib") is None:
        raise click.ClickException("expected matplotlib for --plot: pip install 'kingsolve[plot]'")  # noqa: EM101


def _say_unsolved(run: Run, tally: Tally) -> None:
    if tally.unsolved.any():
        share = int(tally.unsolved.sum()) / int(tally.rounds.sum())
        what = "least and most are bounds"
        if run.plan.play.kind == "open":
            what = "there an open seat played as careful"
        say(f"note: {share:.1%} of the rounds were not solved within the limit; {what}")


# --- what people read ---


def print_run(run: Run) -> None:
    """The tables of a run on stdout."""
    from kingsolve.tables import halves, tabulate

    tally, sums = count_run(run)
    _print_run(run, tabulate(tally), halves(sums), sys.stdout)
    _say_unsolved(run, tally)


def print_comparison(a: Run, b: Run, *, stream: IO[str] | None = None) -> None:
    """The paired differences of two runs."""
    from kingsolve.tables import compare

    title = f"{_title(a)}\nless {_title(b)}"
    _print_frame(compare(a, b), stream or sys.stdout, title=title)


def _print_run(run: Run, summary: "pd.DataFrame", sums: "pd.DataFrame", stream: IO[str]) -> None:
    _print_frame(summary, stream, title=_title(run))
    if len(sums):
        style = Style(stream)
        style.print()
        _print_frame(sums, stream, title="The halves of a match, if the turn fell to one seat throughout")


def _title(run: Run) -> str:
    plan = run.plan
    leads = f", each with every seat leading: {plan.deals * plan.leads:,} rounds" if plan.rotations else ""
    return f"{plan.title} ({plan.variant}), {plan.play}\n{plan.deals:,} deals of seed {plan.seed}{leads}"


def _print_frame(frame: "pd.DataFrame", stream: IO[str], *, title: str) -> None:
    """A frame as aligned columns; texts to the left, numbers to the right."""
    style = Style(stream)
    for line in title.splitlines():
        style.print(_styled(line, STRONG))
    shown = _shown(frame)
    widths = [
        max(len(name), *(len(row[i]) for row in shown[1])) if shown[1] else len(name)
        for i, name in enumerate(shown[0])
    ]
    left = [str(frame[name].dtype) in ("string", "str", "object") for name in _columns(frame)]
    style.print(_styled(_row(shown[0], widths, left), QUIET))
    before = None
    for row in shown[1]:
        if before is not None and row[0] != before and len(shown[1]) > 8:
            style.print()
        style.print(_row([row[0] if row[0] != before else "", *row[1:]], widths, left))
        before = row[0]


def _styled(text: str, style: str) -> Any:
    from rich.text import Text

    return Text(text, style)


def _row(cells: Sequence[str], widths: Sequence[int], left: Sequence[bool]) -> str:
    return " ".join(
        cell.ljust(width) if to_left else cell.rjust(width)
        for cell, width, to_left in zip(cells, widths, left, strict=True)
    )


def _columns(frame: "pd.DataFrame") -> list[str]:
    """The columns that are worth their room on a screen."""
    dropped = {"deals", "rounds"} if "unsolved" in frame else {"deals"} if "difference" in frame else set()
    if "value" in frame and set(frame["value"]) <= {"points"}:
        dropped.add("value")
    if "unsolved" in frame and not frame["unsolved"].any():
        dropped.add("unsolved")
    return [name for name in frame.columns if name not in dropped]


_HEADS = {
    "nothing": "none",
    "everything": "all",
    "advantage": "worth",
    "q05": "5%",
    "q50": "50%",
    "q95": "95%",
}
_SHARES = ("nothing", "everything", "share")
_PLAIN = ("q05", "q50", "q95", "points", "rounds")


def _shown(frame: "pd.DataFrame") -> tuple[list[str], list[list[str]]]:
    columns = _columns(frame)
    heads = [_HEADS.get(name, name) for name in columns]
    return heads, [[_cell(name, row[name]) for name in columns] for row in _records(frame)]


def _records(frame: "pd.DataFrame") -> list[dict[str, Any]]:
    """The rows as values of Python, None for what is not known."""
    rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return [{str(name): value for name, value in row.items()} for row in rows]


def _cell(name: str, value: Any) -> str:
    if value is None:
        return "-"
    if not isinstance(value, float):
        return f"{value:,}" if isinstance(value, int) and name != "turn" else str(value)
    if name == "p":
        return "<.001" if value < 0.001 else f"{value:.3f}".replace("0.", ".", 1)
    if name in _SHARES:
        return f"{100 * value:.1f}%"
    if name in _PLAIN:
        return f"{value:g}"
    if name in ("se", "sd"):
        return f"{value:.3f}"
    return f"{value:+.3f}"


# --- what programs read ---


def _write(frame: "pd.DataFrame", kind: str, output: str | None, show: Callable[[IO[str]], None]) -> None:
    if kind == "parquet":
        assert output is not None
        with file_output(output) as temporary:
            frame.to_parquet(temporary, index=False, compression="zstd")
        return
    with text_output(output) as stream:
        if kind == "table":
            show(stream)
        elif kind == "csv":
            frame.to_csv(stream, index=False, lineterminator="\n")
        elif kind == "json":
            for record in _records(frame):
                write_json(stream, record)
        else:
            _markdown(frame, stream)


def _markdown(frame: "pd.DataFrame", stream: IO[str]) -> None:
    heads, rows = _shown(frame)
    left = [str(frame[name].dtype) in ("string", "str", "object") for name in _columns(frame)]
    stream.write("| " + " | ".join(heads) + " |\n")
    stream.write("|" + "|".join("---" if to_left else "--:" for to_left in left) + "|\n")
    for row in rows:
        stream.write("| " + " | ".join(row) + " |\n")
