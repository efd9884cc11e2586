"""What may end a search early: nodes, a clock, memory, Ctrl-C, another thread. What it then says is true."""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable

import numpy as np
import pytest

import kingsolve as ks
from kingsolve import solver as solver_module
from kingsolve._core import Context, Equilibria, MaxN
from kingsolve.analysis import analyze_position, trace
from twins import generator, our_contract, random_deal, random_walk, scaled

FULL = "N:Q95.K63.AT7.J842 AT4.J97.KQ3.A965 K862.QT52.954.K7 J73.A84.J862.QT3"


def hard() -> ks.Position:
    """A 52-card deal whose pairs nobody solves in a minute."""
    return ks.Position(our_contract("kierki", "eralash"), FULL, leader="N")


NS = 0b0101

# ------------------------------------------------------------------------------------------------------ nodes


@pytest.mark.parametrize("variant", sorted(ks.variant_ids()))
def test_bounds_under_a_node_limit_hold_the_truth(variant: str) -> None:
    """Any number of nodes: bounds around the value, the same ones each time, no more nodes than allowed."""
    for contract in ks.load_variant(variant).contracts.values():
        rng = generator("node limits", variant, contract.name)
        for _ in range(scaled(1)):
            position = random_deal(rng, contract, 6).position()
            for side in (1 << rng.randrange(contract.seats), 0b011):
                whole = ks.Solver()
                value = whole.side(position, side)
                assert value.exact
                for nodes in {
                    1,
                    2,
                    rng.randrange(3, 3000),
                    max(whole.nodes // 2, 1),
                    max(whole.nodes - 1, 1),
                }:
                    limits = ks.Limits(nodes=nodes)
                    solver = ks.Solver(limits)
                    bounds = solver.side(position, side)
                    assert bounds.minimum <= value.minimum <= bounds.maximum, (position, side, nodes)
                    assert solver.nodes <= nodes
                    assert not solver.out_of_time
                    if nodes < whole.nodes:
                        assert not bounds.exact or solver.nodes < nodes
                    again = ks.Solver(limits)
                    assert again.side(position, side) == bounds
                    assert again.nodes == solver.nodes
                    # what it has learnt is true, though the search was cut
                    more = ks.Solver(limits)
                    more.side(position, side)
                    more.limits = ks.Limits()
                    assert more.side(position, side) == value, (position, side, nodes)


def test_enough_nodes_are_enough() -> None:
    position = random_deal(generator("enough"), our_contract("russian-14", "no-queens")).position()
    whole = ks.Solver()
    value = whole.side(position, 1)
    assert ks.Solver(ks.Limits(nodes=whole.nodes + 1)).side(position, 1) == value


def test_solve_says_that_it_is_not_solved() -> None:
    position = random_deal(generator("solve"), our_contract("russian-14", "no-tricks"), 6).position()
    truth = ks.solve(position, side="NS")
    cut = ks.solve(position, side="NS", limits=ks.Limits(nodes=200))
    assert cut.status == "bounds"
    assert truth.status == "exact"
    assert cut.line == []
    assert list(cut.cards) == list(truth.cards)
    for worth, bounds in [
        (truth.value, cut.value),
        *zip(truth.cards.values(), cut.cards.values(), strict=True),
    ]:
        assert isinstance(worth, int)
        low, high = (bounds, bounds) if isinstance(bounds, int) else (bounds.minimum, bounds.maximum)
        assert low <= worth <= high


def test_unsolved_carries_the_bounds() -> None:
    position = hard()
    few = ks.Limits(nodes=1000)
    for what, ask in (
        ("guarantee of NS", lambda: ks.guarantee(position, "NS", limits=few)),
        ("guarantee of N", lambda: ks.coalitions(position, limits=few)),
        ("guarantee of N", lambda: ks.shapley(position, limits=few)),
        ("maxn", lambda: ks.maxn(position, limits=few)),
        ("equilibria", lambda: ks.equilibria(position, limits=few)),
    ):
        with pytest.raises(
            ks.Unsolved, match=rf"^{what}: not solved within the limits: between -?\d+ and -?\d+$"
        ) as found:
            ask()
        assert -100 <= found.value.minimum < found.value.maximum <= 0
        twin = pickle.loads(pickle.dumps(found.value))
        assert (str(twin), twin.minimum, twin.maximum) == (
            str(found.value), found.value.minimum, found.value.maximum,
        )  # fmt: skip


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"nodes": 0}, "expected nodes of at least 1, got 0"),
        ({"seconds": -1.0}, "expected seconds of at least 0, got -1.0"),
        ({"seconds": float("nan")}, "expected seconds of at least 0, got nan"),
        ({"memory": 1023}, "expected memory of at least 1024, got 1023"),
        ({"memory": 1 << 60}, "expected memory of at most 281474976710656, got 1152921504606846976"),
        ({"memory": None}, "expected memory to be a whole number, got None"),
        ({"nodes": 1 << 70}, "expected nodes of at most 9223372036854775808, got 1180591620717411303424"),
        ({"nodes": 2.5}, "expected nodes to be a whole number, got 2.5"),
        ({"nodes": True}, "expected nodes to be a whole number, got True"),
        ({"seconds": "1"}, "expected seconds to be a number, got '1'"),
    ],
)
def test_limits_that_are_none(wrong: dict[str, float], message: str) -> None:
    with pytest.raises(ks.KingError, match=message):
        ks.Limits(**wrong)  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------------------------ clock


@pytest.mark.parametrize("seconds", [0.0, 0.1])
def test_a_time_limit_ends_a_hard_search(seconds: float) -> None:
    """With honest bounds, and it says that the clock cut. (The generous cap is no measure of speed.)"""
    begun = time.monotonic()
    solver = ks.Solver(ks.Limits(seconds=seconds))
    bounds = solver.side(hard(), NS)
    assert time.monotonic() - begun < 20
    assert solver.out_of_time
    assert -100 <= bounds.minimum < bounds.maximum <= 0
    assert solver.maxn(hard()) is None
    assert solver.equilibria(hard()) is None
    assert time.monotonic() - begun < 20


def test_the_clock_is_looked_at_often() -> None:
    """In nodes, since a clock is no measure: a search whose time is over ends within a thousand of them."""
    position = hard()
    contract = position.contract
    hands = np.array(position.masks, np.uint64)
    no_trick = np.zeros(0, np.int32)
    context = Context(1 << 20)
    context.begin(contract.record, NS, NS)
    low, high, nodes, stop = context.value(hands, 0, no_trick, False, 0, 1e-9)
    assert low < high
    assert 0 < nodes < 1024
    assert stop == 2
    maxn = MaxN(1 << 20)
    maxn.begin(contract.record, False)
    _, nodes, stop = maxn.value(hands, 0, no_trick, False, 0, 1e-9)
    assert 0 < nodes < 1024
    assert stop == 2
    _, nodes, stop = Equilibria().value(contract.record, hands, 0, no_trick, False, 1 << 20, 0, 1e-9)
    assert 0 < nodes < 1024
    assert stop == 2


def test_what_is_asked_when_the_time_is_up_costs_next_to_nothing() -> None:
    """An analysis, or a trace, goes on asking: short endings are still exact, the rest are bounds at once."""
    solver = ks.Solver(ks.Limits(seconds=0.0))
    found = analyze_position(hard(), solver)
    assert found.out_of_time
    assert found.status == "bounds"
    assert 0 < solver.nodes < 64 * 40
    position = hard()
    cards = random_walk(generator("late"), position, 52)
    solver = ks.Solver(ks.Limits(seconds=0.0))
    steps = trace(ks.Round(position.contract, "N", FULL, cards), solver)
    assert len(steps) == 52
    assert steps[0].lost is None
    assert steps[-1].lost == steps[-8].lost == 0
    assert solver.nodes < 64 * 600
    few = ks.Solver(ks.Limits(seconds=0.0, nodes=5))
    few.side(hard(), NS)
    assert few.nodes <= 5


# ------------------------------------------------------------------------------------------------- interrupts


@pytest.mark.parametrize(
    "question",
    [
        lambda solver: solver.side(hard(), NS),
        lambda solver: solver.maxn(hard()),
        lambda solver: solver.equilibria(hard()),
    ],
    ids=["side", "maxn", "equilibria"],
)
def test_another_thread_may_cancel(question: Callable[[ks.Solver], object]) -> None:
    """Once the flag is set the search ends with KeyboardInterrupt; the next one is none the worse."""
    cancel = np.zeros(1, np.int32)
    timer = threading.Timer(0.1, lambda: cancel.fill(1))
    timer.start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        question(ks.Solver(ks.Limits(seconds=60), cancel=cancel))
    assert time.monotonic() - begun < 20
    timer.join()
    position = random_deal(generator("after"), our_contract("kierki", "eralash"), 4).position()
    assert ks.coalitions(position)["NS"] + ks.coalitions(position)["EW"] == position.to_come


@pytest.mark.parametrize("question", ["guarantee(p, 'NS')", "maxn(p)", "equilibria(p)"])
def test_ctrl_c(question: str) -> None:
    """SIGINT in the midst of a long solve: KeyboardInterrupt, soon."""
    code = f"""
import signal, kingsolve as ks
signal.signal(signal.SIGINT, signal.default_int_handler)
p = ks.Position(ks.load_variant("kierki").contract("eralash"), {FULL!r}, leader="N")
print("ready", flush=True)
try:
    ks.{question}
except KeyboardInterrupt:
    print("interrupted", ks.guarantee(ks.Position(p.contract, "N:A... K... Q... J...", leader="N"), "N"))
"""
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    try:
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.3)
        begun = time.monotonic()
        child.send_signal(signal.SIGINT)
        rest, _ = child.communicate(timeout=60)
    finally:
        child.kill()
    assert rest == "interrupted -20\n"
    assert time.monotonic() - begun < 20


def test_what_a_signal_handler_raises_comes_out() -> None:
    """So that a caller's own time limit can be told from Ctrl-C."""

    def late(number: int, _: object) -> None:
        raise TimeoutError(number)

    before = signal.signal(signal.SIGUSR1, late)
    try:
        for question in (lambda: ks.guarantee(hard(), "NS"), lambda: ks.maxn(hard())):
            timer = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGUSR1))
            timer.start()
            with pytest.raises(TimeoutError, match=str(int(signal.SIGUSR1))):
                question()
            timer.join()
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_a_signal_handler_without_an_exception_ends_nothing() -> None:
    """Handlers run during the search, and it goes on."""
    seen: list[int] = []
    before = signal.signal(signal.SIGUSR1, lambda number, _: seen.append(number))
    timer = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGUSR1))
    try:
        timer.start()
        solver = ks.Solver(ks.Limits(seconds=1.0))
        solver.side(hard(), NS)
        assert solver.out_of_time
        assert seen == [signal.SIGUSR1]
    finally:
        timer.join()
        signal.signal(signal.SIGUSR1, before)


def test_other_threads_run_while_one_solves() -> None:
    """The searches let go of the interpreter's lock."""
    for question in (lambda s: s.side(hard(), NS), lambda s: s.maxn(hard()), lambda s: s.equilibria(hard())):
        thread = threading.Thread(target=question, args=(ks.Solver(ks.Limits(seconds=0.5)),))
        thread.start()
        count = 0
        while thread.is_alive():
            time.sleep(0.001)
            count += 1
        assert count > 20


def test_two_threads_solve_at_once() -> None:
    """Two searches under way at the same time, each with a table of its own, come to the same value."""
    position = random_deal(generator("threads"), our_contract("russian-14", "no-tricks"), 8).position()
    expected = ks.Solver().side(position, NS)
    found: list[ks.Bounds] = []
    threads = [
        threading.Thread(target=lambda: found.append(ks.Solver().side(position, NS))) for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected, expected]


# ----------------------------------------------------------------------------------------------------- memory


def test_equilibria_end_at_the_memory_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sets cannot be thrown away and found again: too little memory is no answer, and no wrong one."""
    position = random_deal(generator("memory"), our_contract("king-1993", "eralash"), 5).position()
    vectors = ks.equilibria(position)
    monkeypatch.setattr(solver_module, "EQUILIBRIA_MEMORY", 1 << 16)
    solver = ks.Solver(ks.Limits(memory=1 << 16))
    assert solver.equilibria(position) is None
    assert not solver.out_of_time
    with pytest.raises(ks.Unsolved, match="equilibria: not solved within the limits"):
        ks.equilibria(position, limits=ks.Limits(memory=1 << 16))
    assert ks.equilibria(position, limits=ks.Limits(memory=1 << 26)) == vectors


def test_the_smallest_table_will_do() -> None:
    position = random_deal(generator("tiny"), our_contract("parlett-3", "no-men"), 5).position()
    assert ks.guarantee(position, "N", limits=ks.Limits(memory=1024)) == ks.guarantee(position, "N")


COUNTED = {
    "seat": lambda solver, position: solver.side(position, 1),
    "pair": lambda solver, position: solver.side(position, 5),
    "max^n": lambda solver, position: solver.maxn(position),
    "equilibria": lambda solver, position: solver.equilibria(position),
}


@pytest.mark.parametrize("name", ["no-tricks", "tricks", "queens"])
@pytest.mark.parametrize("question", COUNTED)
def test_hits_and_expansions_are_counted(name: str, question: str) -> None:
    """By every search; what is known already of guarantees and max^n is not searched again."""
    rng, contract = generator("counts", name), our_contract("russian-14", name)
    nodes = hits = expansions = 0
    for _ in range(10):
        position, solver = random_deal(rng, contract, 5).position(), ks.Solver()
        COUNTED[question](solver, position)
        nodes, hits, expansions = nodes + solver.nodes, hits + solver.hits, expansions + solver.expansions
        before = solver.hits, solver.expansions
        COUNTED[question](solver, position)
        if question != "equilibria" and solver.nodes and before[1]:
            assert solver.hits >= before[0]
            assert solver.expansions == before[1]
    assert 0 < hits
    assert 0 < expansions < nodes


@pytest.mark.parametrize("seats", [0, -1, 15, 16, 17])
def test_a_set_of_seats_that_is_no_side_is_refused(seats: int) -> None:
    position = random_deal(generator("side"), our_contract("russian-14", "no-king"), 3).position()
    with pytest.raises(ks.KingError, match=rf"^expected a side as a set of seats, 1\.\.14, got {seats}$"):
        ks.Solver().side(position, seats)
