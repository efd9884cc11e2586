"""A recorded round card by card as people read it: what each card cost, and who lost how much, where."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from kingsolve import Contract
from kingsolve.analysis import Step

from .diagram import Group, banded
from .style import QUIET, STRONG, Style, ink, value

_HAD = {"guarantee": ("sure of", "was sure of before"), "maxn": ("max^n", "had by max^n before")}


def trace_lines(
    style: Style, contract: Contract, steps: Sequence[Step], *, concept: str = "guarantee"
) -> Iterator[Text]:
    """A row for each recorded card, then a line for each seat; `concept` as in `trace`."""
    title, words = _HAD[concept]
    head = ink(f" {contract.title}, card by card", STRONG) + ink(
        f": what each cost the seat that played it, what each seat {words}", QUIET
    )
    yield from style.wrapped(head)
    yield Text()
    seats = list(contract.seat_names)
    label = Group("", ["trick", "seat", "card"], [_played(style, steps, i) for i in range(len(steps))])
    costs = [[ink(_cost(step), STRONG if step.lost else "")] for step in steps]
    sure = [[value(points) for points in step.before] for step in steps]
    best = [[style.cards(step.best) if step.lost else Text()] for step in steps]
    groups = [
        Group("", ["cost"], costs),
        Group(title, seats, sure),
        Group("", ["better"], best, left=True),
    ]
    yield from banded(style, label, groups)
    yield Text()
    for seat in seats:
        for line in _lost(style, seat, [step for step in steps if step.seat == seat]):
            yield from style.wrapped(line, "   ")


def _played(style: Style, steps: Sequence[Step], i: int) -> list[Text | str]:
    fresh = i == 0 or steps[i - 1].trick != steps[i].trick
    return [str(steps[i].trick) if fresh else "", steps[i].seat, style.card(steps[i].card)]


def _cost(step: Step) -> str:
    return "?" if step.lost is None else f"-{step.lost}" if step.lost else "·"


def lost_by(steps: Sequence[Step], seat: str) -> int | None:
    """What a seat's cards cost it altogether, None where one is not known."""
    costs = [step.lost for step in steps if step.seat == seat]
    return None if None in costs else sum(cost for cost in costs if cost is not None)


def _lost(style: Style, seat: str, steps: Sequence[Step]) -> Iterator[Text]:
    total = sum(step.lost or 0 for step in steps)
    unknown = sum(step.lost is None for step in steps)
    words = ink(f" {seat} lost ", QUIET) + ink(str(total), STRONG)
    places = [
        Text(f"{step.lost} in trick {step.trick} (") + style.card(step.card) + Text(")")
        for step in steps
        if step.lost
    ]
    if places:
        words += Text(": ") + Text(", ").join(places)
    if unknown:
        words += ink(f", {unknown} cards not solved", QUIET)
    yield words
