"""Public functions called with things of the wrong kind: one line of a KingError, never a bare TypeError."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kingsolve as ks
from kingsolve import tables

HANDS = "N:QJ.A98.A.T7 T.KJT7.J8.Q AK9..KT.AK9 87.Q.Q97.J8"
OWN = "Qs Js Ah 9h 8h Ad Tc 7c"
FILE = Path(__file__).resolve().parents[1] / "data" / "deals" / "russian-14.pbn"
WRONG: tuple[Any, ...] = (None, 5, 3.5, b"N", [5], [None], [], {}, object(), "", "X", True)

MASKS = ks.Deal.of(HANDS).hands
DEALS = np.array([MASKS], np.uint64)
VARIANT = ks.load_variant("russian-14")
CONTRACT = VARIANT.contract("no-queens")


def position() -> ks.Position:
    """A position of the README's deal."""
    return ks.Position(CONTRACT, HANDS, leader="E")


def knowledge() -> ks.Knowledge:
    """What N knows of it."""
    return ks.Knowledge(CONTRACT, "N", own=OWN, leader="E")


def all_of(games: Iterable[ks.Game]) -> list[ks.Game]:
    """The games, read."""
    return list(games)


CALLS: dict[str, tuple[Callable[[Any], object], tuple[Any, ...]]] = {
    "load_variant": (ks.load_variant, ()),
    "variant.contract": (VARIANT.contract, ()),
    "Position: contract": (lambda x: ks.Position(x, HANDS, leader="E"), ()),
    "Position: hands": (lambda x: ks.Position(CONTRACT, x, leader="E"), ()),
    "Position: leader": (lambda x: ks.Position(CONTRACT, HANDS, leader=x), ()),
    "Position: trick": (lambda x: ks.Position(CONTRACT, HANDS, leader="E", trick=x), ([], {}, "")),
    "push": (lambda x: position().push(x), ()),
    "why_illegal": (lambda x: position().why_illegal(x), ()),
    "guarantee": (lambda x: ks.guarantee(x, "N"), ()),
    "guarantee: side": (lambda x: ks.guarantee(position(), x), ()),
    "guarantee: limits": (lambda x: ks.guarantee(position(), "N", limits=x), (None,)),
    "best_case": (lambda x: ks.best_case(x, "N"), ()),
    "best_case: seat": (lambda x: ks.best_case(position(), x), ()),
    "solve": (ks.solve, ()),
    "solve: side": (lambda x: ks.solve(position(), side=x), (None,)),
    "coalitions": (ks.coalitions, ()),
    "shapley": (ks.shapley, ()),
    "equilibria": (ks.equilibria, ()),
    "maxn": (ks.maxn, ()),
    "maxn: ties": (lambda x: ks.maxn(position(), ties=x), ()),
    "perft": (lambda x: ks.perft(x, 1), ()),
    "perft: depth": (lambda x: ks.perft(position(), x), (5,)),
    "analyze_position": (lambda x: ks.analyze_position(x, ks.Solver()), ()),
    "analyze_position: solver": (lambda x: ks.analyze_position(position(), x), ()),
    "trace": (lambda x: ks.trace(x, ks.Solver()), ()),
    "Limits: nodes": (lambda x: ks.Limits(nodes=x), (None, 5)),
    "Limits: seconds": (lambda x: ks.Limits(seconds=x), (None, 5, 3.5)),
    "Limits: memory": (lambda x: ks.Limits(memory=x), ()),
    "read_pbn": (lambda x: all_of(ks.read_pbn(x)), ("", "X")),
    "read_pbn: variant": (lambda x: all_of(ks.read_pbn(FILE, variant=x)), (None,)),
    "read_games": (lambda x: all_of(ks.read_games(x)), ("", "X")),
    "write_pbn": (lambda x: ks.write_pbn(x, "/dev/null"), ([], {}, "")),
    "write_pbn: target": (lambda x: ks.write_pbn([], x), ("", "X")),
    "Round: contract": (lambda x: ks.Round(x, "E", HANDS), ()),
    "Round: leader": (lambda x: ks.Round(CONTRACT, x, HANDS).position(), ()),
    "Round: hands": (lambda x: ks.Round(CONTRACT, "E", x), ()),
    "Round: cards": (lambda x: ks.Round(CONTRACT, "E", HANDS, x), ([], {}, "")),
    "Deal.of": (ks.Deal.of, ()),
    "Knowledge: contract": (lambda x: ks.Knowledge(x, "N", own=OWN), ()),
    "Knowledge: seat": (lambda x: ks.Knowledge(CONTRACT, x, own=OWN), ()),
    "Knowledge: own": (lambda x: ks.Knowledge(CONTRACT, "N", own=x), ([], {}, "")),
    "Knowledge.from_round": (lambda x: ks.Knowledge.from_round(x, "N"), ()),
    "Knowledge: void": (lambda x: ks.Knowledge(CONTRACT, "N", own=OWN, void=x), (None, {})),
    "Knowledge: void of E": (lambda x: ks.Knowledge(CONTRACT, "N", own=OWN, void={"E": x}), ("",)),
    "Knowledge: holds": (lambda x: ks.Knowledge(CONTRACT, "N", own=OWN, holds=x), (None, {})),
    "Knowledge: sizes": (lambda x: ks.Knowledge(CONTRACT, "N", own=OWN, sizes=x), (None, {})),
    "analyze_hand": (ks.analyze_hand, ()),
    "analyze_hand: samples": (lambda x: ks.analyze_hand(knowledge(), samples=x), (None, 5)),
    "analyze_hand: seconds": (lambda x: ks.analyze_hand(knowledge(), seconds=x), (None, 5, 3.5)),
    "analyze_hand: seed": (lambda x: ks.analyze_hand(knowledge(), seed=x), (5,)),
    "analyze_hand: confidence": (lambda x: ks.analyze_hand(knowledge(), confidence=x), ()),
    "analyze_hand: jobs": (lambda x: ks.analyze_hand(knowledge(), jobs=x), (5,)),
    "analyze_hand: value": (lambda x: ks.analyze_hand(knowledge(), value=x), (None,)),
    "analyze_hand: policy": (lambda x: ks.analyze_hand(knowledge(), policy=x), (None,)),
    "advise": (lambda x: ks.advise(x, OWN), ()),
    "advise: hand": (lambda x: ks.advise("king-1993", x), ()),
    "advise: left": (lambda x: ks.advise("king-1993", OWN, left=x), (None,)),
    "advise: left of one": (lambda x: ks.advise("king-1993", OWN, left={"no-king": x}), ()),
    "enumerate_deals": (ks.enumerate_deals, ()),
    "enumerate_deals: limit": (lambda x: ks.enumerate_deals(knowledge(), limit=x), ()),
    "tables.frame": (tables.frame, ([], {}, "")),
    "count": (ks.count, ()),
    "sample": (lambda x: ks.sample(x, 1, seed=1), ()),
    "sample: n": (lambda x: ks.sample(knowledge(), x, seed=1), (5,)),
    "sample: seed": (lambda x: ks.sample(knowledge(), 1, seed=x), (5,)),
    "Match": (lambda x: ks.Match(x, seed=1), ()),
    "Match: seed": (lambda x: ks.Match("russian-14", seed=x), (5,)),
    "random_deal": (lambda x: ks.random_deal(x, seed=1, number=1), ()),
    "numbered_deal": (lambda x: ks.numbered_deal(x, 1), ()),
    "numbered_deal: number": (lambda x: ks.numbered_deal(VARIANT, x), (5,)),
    "deal_count": (ks.deal_count, ()),
    "deal_number": (lambda x: ks.deal_number(VARIANT, x), ()),
    "Position.from_masks: contract": (lambda x: ks.Position.from_masks(x, MASKS, leader=0), ()),
    "Position.from_masks: hands": (lambda x: ks.Position.from_masks(CONTRACT, x, leader=0), ()),
    "Position.from_masks: a hand": (lambda x: ks.Position.from_masks(CONTRACT, [x] * 4, leader=0), ()),
    "Position.from_masks: leader": (lambda x: ks.Position.from_masks(CONTRACT, MASKS, leader=x), ()),
    "Solver.side": (lambda x: ks.Solver().side(position(), x), (5,)),
    "Solver.best_case": (lambda x: ks.Solver().best_case(position(), x), ()),
    "solve_many": (lambda x: ks.solve_many(x, CONTRACT, leader=0, sides=["N"]), ()),
    "solve_many: contract": (lambda x: ks.solve_many(DEALS, x, leader=0), ()),
    "solve_many: leader": (lambda x: ks.solve_many(DEALS, CONTRACT, leader=x), ()),
    "solve_many: concept": (lambda x: ks.solve_many(DEALS, CONTRACT, leader=0, concept=x), ()),
    "solve_many: sides": (lambda x: ks.solve_many(DEALS, CONTRACT, leader=0, sides=x), (None,)),
    "solve_many: jobs": (lambda x: ks.solve_many(DEALS, CONTRACT, leader=0, jobs=x), (5,)),
    "solve_many: nodes": (lambda x: ks.solve_many(DEALS, CONTRACT, leader=0, nodes=x), (None, 5)),
    "solve_many: memory": (lambda x: ks.solve_many(DEALS, CONTRACT, leader=0, memory=x), ()),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_wrong_kind_is_one_line(name: str) -> None:
    call, right = CALLS[name]
    for value in WRONG:
        if any(type(value) is type(other) and value == other for other in right):
            continue
        with pytest.raises(ks.KingError) as error:
            call(value)
        text = str(error.value)
        assert text.startswith("expected ") or ": expected " in text, text
        assert "\n" not in text
        assert "got" in text


def test_the_kinds_that_are_named() -> None:
    for call, message in (
        (lambda: ks.load_variant(5), "or a path to a file, got 5"),  # type: ignore[arg-type]
        (
            lambda: ks.guarantee(position(), side=None),
            "expected a side such as 'N' or 'NS', or a list of seats, got None",
        ),
        (lambda: ks.guarantee("N", "N"), "expected a Position, got 'N'"),
        (lambda: ks.Position(5, HANDS, leader="E"), "expected a Contract, got 5"),
        (lambda: ks.write_pbn([5], "/dev/null"), "expected a Game, got 5"),
    ):
        with pytest.raises(ks.KingError) as error:
            call()
        assert str(error.value).endswith(message)
