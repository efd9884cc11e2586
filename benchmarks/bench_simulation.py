"""Rates of simulations: rounds a second by kind of player, a whole run, what the harness costs exact values.

    python benchmarks/bench_simulation.py [--threads 2] [--rounds 400000] [--openspiel] [--exact] [--memory]

JSON lines; the first says machine and versions. Kernels are compiled before the clock starts. `cpu` rates
are by the seconds of the threads alone: what two cores of one's own would do, on a shared machine.
"""

import argparse
import json
import platform
import resource
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import kingsolve as ks
from arguments import whole
from kingsolve._core import Context, Equilibria, MaxN
from kingsolve._jit.deals import play_many
from kingsolve.bulk import shapley_sides
from kingsolve.simulation import POLICIES, Dealer
from kingsolve.solver import DEFAULT_MEMORY, EQUILIBRIA_MEMORY, in_play_order, kernel_seats

Hands = NDArray[np.uint64]
Leaders = NDArray[np.int8]

SEED = 7


def say(**facts: object) -> None:
    """One line of results."""
    print(json.dumps(facts), flush=True)


def versions() -> dict[str, str]:
    """The versions that matter, of what is installed."""
    found = {"python": platform.python_version()}
    for name in ("numpy", "numba", "pyarrow", "open_spiel"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def rounds(id: str, name: str, policy: str, count: int, threads: int) -> None:
    """Dealing and playing `count` rounds of one contract on each of the threads."""
    variant = ks.load_variant(id)
    contract, dealer = variant.contract(name), Dealer.of(variant)
    players = np.full(4, POLICIES.index(policy), np.int64)

    def work(part: int) -> float:
        first = 1 + part * count
        began = time.thread_time()
        hands = dealer.in_play_order(seed=SEED, first=first, count=count)
        points = np.zeros(hands.shape, np.int16)
        leaders = dealer.leaders(first, count)
        play_many(
            contract.record[()], hands, leaders, players, np.uint64(SEED), np.uint64(first), 0, points
        )  # fmt: skip
        return time.thread_time() - began

    work(0)
    with ThreadPoolExecutor(threads) as pool:
        began = time.perf_counter()
        cpu = sum(pool.map(work, range(threads)))
        wall = time.perf_counter() - began
    whole = count * threads
    say(
        what="rounds", variant=id, contract=name, policy=policy, threads=threads, rounds=whole,
        wall_per_second=round(whole / wall), cpu_per_second_two_cores=round(2 * whole / cpu),
        cpu_per_second_one_core=round(whole / cpu),
    )  # fmt: skip


def whole_run(deals: int) -> None:
    """The command: dealing, playing, writing and tabulating a million deals of one contract."""
    with tempfile.TemporaryDirectory() as folder:
        words = [
            sys.executable, "-m", "kingsolve_cli", "simulate", "--contract", "no-queens", "--deals",
            str(deals), "--seed", str(SEED), "-o", f"{folder}/a",
        ]  # fmt: skip
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        began = time.perf_counter()
        subprocess.run(words, check=True, capture_output=True)
        wall = time.perf_counter() - began
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        size = sum(path.stat().st_size for path in Path(folder, "a").iterdir())
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    say(
        what="kingsolve simulate, tabulated", deals=deals, wall_seconds=round(wall, 2),
        cpu_seconds=round(cpu, 2), bytes=size, peak_mb=round(after.ru_maxrss / 1024),
    )  # fmt: skip


HARNESS = {
    ("russian-14", "no-king"): {"guarantee": 4096, "shapley": 2048, "maxn": 16384},
    ("russian-14", "king"): {"guarantee": 32768, "shapley": 8192, "maxn": 512, "equilibria": 64},
    ("russian-14", "no-queens"): {"guarantee": 128, "shapley": 128, "maxn": 128},
    ("full-king", "trumps-h"): {"guarantee": 2048, "shapley": 1024, "maxn": 32},
}
"""Deals by contract and concept: a second or two of the core. The first two contracts are the cheapest."""


def bare(concept: str, contract: ks.Contract, hands: Hands, leaders: Leaders) -> float:
    """Seconds of this thread that the core takes for the deals, arrays and tables made before."""
    n, seats = hands.shape
    order = np.array(in_play_order(contract))
    turned, first = np.ascontiguousarray(hands[:, order]), order[leaders].astype(np.int8)
    masks = shapley_sides(seats) if concept == "shapley" else [1 << seat for seat in range(seats)]
    record, none, never = contract.record, np.zeros(0, np.int32), np.zeros(1, np.int32)
    context = {"maxn": MaxN, "equilibria": lambda _: Equilibria()}.get(concept, Context)(DEFAULT_MEMORY)
    low, high = np.zeros((2, n, len(masks)), np.int16)
    sides = np.array([kernel_seats(contract, mask) for mask in masks], np.int32)
    nodes = np.zeros(n, np.uint64)
    began = time.thread_time()
    if concept in ("guarantee", "shapley"):
        context.values(record, turned, first, sides, low, high, nodes, 0, never)
        return time.thread_time() - began
    for deal, leader in zip(turned, map(int, first), strict=True):
        if concept == "maxn":
            context.begin(record, False)
            context.value(deal, leader, none, False, 0, 0, never)
        else:
            context.value(record, deal, leader, none, False, EQUILIBRIA_MEMORY, 0, 0, never)
    return time.thread_time() - began


def harness(id: str, name: str, concept: str, deals: int) -> None:
    """Seconds of one thread for exact values, by the core alone and by a run: the least of five, by turns."""
    variant = ks.load_variant(id)
    contract, dealer = variant.contract(name), Dealer.of(variant)
    hands = dealer.hands(seed=SEED, first=1, count=deals)
    leaders = dealer.order[dealer.leaders(1, deals)].astype(np.int8)

    def run(count: int) -> float:
        with tempfile.TemporaryDirectory() as folder:
            began = time.process_time()
            ks.simulate(
                variant, f"{folder}/a", contracts=[name], deals=count, seed=SEED, play=f"exact:{concept}",
                engine="serial",
            )  # fmt: skip
            return time.process_time() - began

    run(1)
    pairs = [(bare(concept, contract, hands, leaders), run(deals)) for _ in range(5)]
    core, whole = map(min, zip(*pairs, strict=True))
    say(
        what="harness", variant=id, contract=name, concept=concept, deals=deals,
        core_ms=round(1000 * core / deals, 4), run_ms=round(1000 * whole / deals, 4),
        lost=round(whole / core - 1, 3),
    )  # fmt: skip


def openspiel(rollouts: int = 100_000, seconds: float = 5.0) -> None:
    """Random rounds of OpenSpiel's Hearts (52 cards, no passing) on one thread: its own C++ roll-outs of one
    deal, which a search of a single simulation asks for, and a loop of its Python interface, dealing too."""
    try:
        import pyspiel
    except ImportError:
        say(what="openspiel", rounds_per_second=None, note="not installed")
        return
    game = pyspiel.load_game("hearts(pass_cards=False)")
    rng = np.random.default_rng(1)
    dealt = game.new_initial_state()
    while dealt.is_chance_node():
        dealt.apply_action(rng.choice(dealt.legal_actions()))
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, SEED)
    search = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 1000, False, SEED, False)
    began = time.thread_time()
    search.mcts_search(dealt)
    took = time.thread_time() - began
    say(
        what="openspiel hearts, its C++ roll-outs, dealt before",
        cpu_per_second_one_core=round(rollouts / took),
    )
    count, began = 0, time.thread_time()
    while time.thread_time() - began < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[rng.integers(len(actions))])
        count += 1
    took = time.thread_time() - began
    say(what="openspiel hearts, a Python loop, dealt and played", cpu_per_second_one_core=round(count / took))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=whole(1), default=2)
    parser.add_argument("--rounds", type=whole(0), default=400_000, help="on each thread; 0: none")
    parser.add_argument("--deals", type=whole(0), default=1_000_000, help="of the whole run; 0: none")
    parser.add_argument("--exact", action="store_true", help="what the harness costs exact values")
    parser.add_argument("--memory", action="store_true", help="a run of ten million deals and its memory")
    parser.add_argument("--openspiel", action="store_true", help="OpenSpiel's Hearts in the same run")
    given = parser.parse_args()
    say(machine=platform.machine(), processor=platform.processor(), system=platform.system(), **versions())
    for policy in POLICIES if given.rounds else ():
        for name in ks.load_variant("russian-14").contracts:
            rounds("russian-14", name, policy, given.rounds, given.threads)
        rounds("dealers-choice-20", "no-hearts", policy, given.rounds, given.threads)
    if given.deals:
        whole_run(given.deals)
    if given.memory:
        whole_run(10_000_000)
    if given.exact:
        for (id, name), concepts in HARNESS.items():
            for concept, deals in concepts.items():
                harness(id, name, concept, deals)
    if given.openspiel:
        openspiel()


if __name__ == "__main__":
    main()
