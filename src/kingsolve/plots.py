"""Pictures of runs: points by contract, and what each turn is worth. Needs matplotlib (extra `plot`).

Colours are those of Okabe and Ito (2008), which the colour-blind can tell apart; in print they differ in
lightness too, and each turn has a mark of its own.
"""

import os
from math import nan
from typing import TYPE_CHECKING

import matplotlib as mpl
from matplotlib.figure import Figure

from .errors import KingError
from .histograms import count_run
from .simulation import Run, open_run
from .tables import distribution, tabulate

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_SHADES = ("#08306b", "#2171b5", "#6baed6", "#c6dbef")
_TURNS = (("#0072B2", "o"), ("#D55E00", "s"), ("#009E73", "^"), ("#000000", "D"))
_WORDS = ("leads", "second", "third", "fourth")
_QUIET = {
    "svg.hashsalt": "kingsolve",  # the same picture, the same bytes
    "svg.fonttype": "none",
    "font.size": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
}
_NO_DATE = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}


def plot_run(
    run: Run | str | os.PathLike[str],
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    partial: bool = False,
) -> None:
    """Draws a run into the file `path`: how often a round brought a seat which share of the contract's
    points, and the mean of each turn less a fair share with 95 % intervals.

    `format` is svg, png or pdf (None: as the name ends). Values that are not single are drawn at the least.
    Raises KingError for another format, and as `kingsolve.tables.tabulate`.
    """
    kind = format or os.path.splitext(os.fspath(path))[1][1:].lower()
    if kind not in _NO_DATE:
        msg = f"expected a format of pictures, one of {' '.join(_NO_DATE)}, got {kind!r}"
        raise KingError(msg)
    opened = run if isinstance(run, Run) else open_run(run)
    tally = count_run(opened, partial=partial)[0]
    means, points = tabulate(tally), distribution(tally)
    names = [contract.name for contract in opened.plan.contracts]
    with mpl.rc_context(_QUIET):
        figure = Figure(figsize=(7.5, 1.2 + 0.32 * len(names)), layout="constrained")
        left, right = figure.subplots(1, 2, sharey=True)
        _draw_points(left, points[points["value"] != "most"], opened)
        _draw_worth(right, means[means["value"] != "most"], names, opened.plan.seats)
        left.set_yticks(range(len(names)), names)
        left.set_ylim(len(names) - 0.5, -0.5)
        figure.suptitle(f"{opened.plan.title}, {opened.plan.play}, {opened.plan.deals:,} deals", fontsize=9)
        figure.savefig(path, format=kind, dpi=150, metadata=_NO_DATE[kind])


def _draw_points(axes: "Axes", points: "pd.DataFrame", run: Run) -> None:
    """Bars of shares: a seat takes nothing, up to a quarter of the points, up to a half, more."""
    totals = {contract.name: contract.total for contract in run.plan.contracts}
    for place, name in enumerate(totals):
        here = points[points["contract"] == name]
        shares = [0.0] * 4
        for worth, rounds in zip(here["points"], here["rounds"], strict=True):
            part = abs(worth / totals[name]) if totals[name] else 0.0
            shares[0 if not part else 1 if part <= 0.25 else 2 if part <= 0.5 else 3] += rounds
        start, whole = 0.0, sum(shares)
        for share, shade in zip(shares, reversed(_SHADES), strict=True):
            axes.barh(place, share / whole, left=start, color=shade, edgecolor="white", linewidth=0.5)
            start += share / whole
    for word, shade in zip(("nothing", "to 1/4", "to 1/2", "more"), reversed(_SHADES), strict=True):
        axes.barh(0, 0, color=shade, label=word)
    axes.set_xlabel("share of rounds by part of the points taken")
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=4, frameon=False, handlelength=1)


def _draw_worth(axes: "Axes", means: "pd.DataFrame", names: list[str], seats: int) -> None:
    """The mean of each turn less a fair share of the contract, in hundredths of all its points."""
    axes.axvline(0, color="0.7", linewidth=0.8)
    for turn in range(1, seats + 1):
        here = means[means["turn"] == turn].set_index("contract").loc[names]
        totals = abs((here["mean"] - here["advantage"]) * seats).replace(0, 1)
        colour, mark = _TURNS[turn - 1]
        axes.errorbar(
            (100 * here["advantage"] / totals).to_numpy(float),
            [place + 0.16 * (turn - (seats + 1) / 2) for place in range(len(names))],
            xerr=(196 * here["se"] / totals).to_numpy(float, na_value=nan),  # of one deal no bar
            fmt=mark,
            markersize=3,
            linewidth=0.8,
            color=colour,
            label=_WORDS[turn - 1],
        )
    axes.set_xlabel("mean less a fair share, % of the contract's points (95 %)")
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=4, frameon=False, handletextpad=0)
