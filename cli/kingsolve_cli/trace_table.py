"""A recorded round card by card as people read it: what each card cost, and who lost how much, where."""

from collections.abc import Iterator, Mapping, Sequence

from rich.text import Text

from kingsolve import Contract
from kingsolve.analysis import Step

from .diagram import Group, banded
from .style import QUIET, STRONG, Style, ink, value

_HAD = {"guarantee": ("sure of", "was sure of before"), "maxn": ("max^n", "had by max^n before")}


def trace_lines(
    style: Style, contract: Contract, steps: Sequence[Step], *, concept: str = "guarantee"
) -> Iterator[Text]:
    """A heading, then `step_lines`; `concept` as in `trace`."""
    words = _HAD[concept][1]
    head = ink(f" {contract.title}, card by card", STRONG) + ink(
        f": what each cost the seat that played it, what each seat {words}", QUIET
    )
    yield from style.wrapped(head)
    yield Text()
    yield from step_lines(style, contract, steps, concept=concept)


def step_lines(
    style: Style,
    contract: Contract,
    steps: Sequence[Step],
    *,
    concept: str,
    names: Mapping[str, str] | None = None,
    most: int = 52,
) -> Iterator[Text]:
    """A row for each recorded card, then a line for each seat; seats by `names`, at most `most` better
    cards."""
    called = {seat: (names or {}).get(seat, seat) for seat in contract.seat_names}
    seats = [called[seat] for seat in contract.seat_names]
    played = [_played(style, steps, i, called) for i in range(len(steps))]
    label = Group("", ["trick", "seat" if names is None else "player", "card"], played)
    costs = [[ink(_cost(step), STRONG if step.lost else "")] for step in steps]
    sure = [[value(points) for points in step.before] for step in steps]
    best = [[_better(style, step, most)] for step in steps]
    groups = [
        Group("", ["cost"], costs),
        Group(_HAD[concept][0], seats, sure),
        Group("", ["better"], best, left=True),
    ]
    yield from banded(style, label, groups)
    yield Text()
    for seat, name in called.items():
        for line in _lost(style, name, [step for step in steps if step.seat == seat]):
            yield from style.wrapped(line, "   ")


def _better(style: Style, step: Step, most: int) -> Text:
    if not step.lost:
        return Text()
    return style.cards(step.best[:most]) + Text(" …" if len(step.best) > most else "")


def _played(style: Style, steps: Sequence[Step], i: int, called: Mapping[str, str]) -> list[Text | str]:
    fresh = i == 0 or steps[i - 1].trick != steps[i].trick
    return [str(steps[i].trick) if fresh else "", called[steps[i].seat], style.card(steps[i].card)]


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
