"""An advice as people read it: options from best to worst, and how they were valued."""

from collections.abc import Iterator
from math import isnan

from rich.text import Text

from kingsolve.advisor import Advice, Option
from kingsolve.variants import Variant

from .diagram import Group, banded
from .single_dummy import Advised
from .style import QUIET, STRONG, Style, ink

_VALUES = {
    "maxn": "max^n",
    "guarantee": "guarantees",
    "shapley": "Shapley shares",
    "playout": "play-outs of the careful policy",
}
_WHAT = {"card": "card", "contract": "contract", "trump": "trumps"}


def advice_lines(style: Style, advice: Advice, variant: Variant) -> Iterator[Text]:
    """The lines of one advice: whose, the options, how they were valued."""
    yield from style.wrapped(_head(style, advice), "    ")
    yield Text()
    yield from option_lines(style, advice, variant)
    yield Text()
    for note in notes(advice):
        yield from style.wrapped(ink("  " + note, QUIET), "    ")


def option_lines(style: Style, advice: Advice, variant: Variant) -> Iterator[Text]:
    """The options from best to worst."""
    label = Group(
        "", [_WHAT[advice.kind]], [[_name(style, advice, variant, o)] for o in advice.options], left=True
    )
    exact = advice.exact
    columns = [("points", [f"{option.mean:+.2f}" for option in advice.options])]
    if not exact:
        columns.append(("±", [_error(option.error) for option in advice.options]))
    if advice.kind != "card":
        columns.append(("over share", [f"{option.over_share or 0:+.2f}" for option in advice.options]))
    columns.append(("best", [f"{100 * option.best:.0f} %" for option in advice.options]))
    behind = ["" if not i else f"{option.behind:.2f}" for i, option in enumerate(advice.options)]
    columns.append(("behind", behind))
    if not exact:
        errors = ["" if not i else _error(option.behind_error) for i, option in enumerate(advice.options)]
        columns.append(("±", errors))
    rows = [list(row) for row in zip(*(cells for _, cells in columns), strict=True)]
    yield from banded(style, label, [Group("", [name for name, _ in columns], rows)])


def advised_lines(style: Style, game: Advised) -> Iterator[Text]:
    """The lines of one game, contract after contract."""
    words = [f"game {game.number}", *([f"board {game.board}"] if game.board else [])]
    yield from style.wrapped(ink(" · ".join([*words, f"{game.variant.title} ({game.variant.id})"]), STRONG))
    for advice in game.advices:
        assert advice.contract is not None
        yield Text()
        yield ink(f"{advice.contract.title}", STRONG)
        yield from advice_lines(style, advice, game.variant)
    if game.warnings:
        yield Text()
    for warning in game.warnings:
        yield from style.wrapped(ink(f"  {warning}", QUIET), "    ")


def _error(error: float) -> str:
    """A standard error; one deal alone has none."""
    return "?" if isnan(error) else f"{error:.2f}"


def _head(style: Style, advice: Advice) -> Text:
    words = Text("  ") + ink(f"{advice.seat} holds ", STRONG) + style.cards(advice.own)
    if advice.trick:
        words += ink(" · trick: ", QUIET) + style.cards(advice.trick)
    return words


def _name(style: Style, advice: Advice, variant: Variant, option: Option) -> Text:
    if advice.kind == "card":
        return style.card(option.name)
    return Text(variant.contract(option.name).title)


def notes(advice: Advice) -> Iterator[str]:
    """How the options were valued and why it ended, in words."""
    deals = f"{advice.samples:,} of {advice.consistent:,} deals that fit"
    if advice.exact:
        every = (
            f"all {advice.consistent:,} deals that fit" if advice.consistent > 1 else "the one deal that fits"
        )
        yield f"exact: {every}, by {_VALUES[advice.value]}"
    else:
        yield f"{deals}, by {_VALUES[advice.value]}; seed {advice.seed}"
    if advice.by_rule:
        yield "play-outs by default: exact solving takes too long with so many cards (--value chooses)"
    if advice.status == "separated":
        yield f"ended early: the first is best, or equal to the best, at {100 * advice.confidence:g} %"
    elif advice.status == "time":
        yield "ended by --time"
    elif advice.status == "interrupted":
        yield "interrupted: what was valued until then"
    if advice.policy is not None:
        yield f"weighted by the {advice.policy} policy: worth {advice.effective:.0f} equal samples"
