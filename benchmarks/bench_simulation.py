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

import kingsolve as ks
from kingsolve._jit.deals import play_many
from kingsolve.bulk import solve_many_bounds
from kingsolve.simulation import POLICIES, Dealer

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


def harness(deals: int, concept: str) -> None:
    """Seconds of one thread for exact values, by the core alone and by a run."""
    variant = ks.load_variant("russian-14")
    contract, dealer = variant.contract("no-queens"), Dealer.of(variant)
    hands = dealer.hands(seed=SEED, first=1, count=deals)
    leaders = dealer.order[dealer.leaders(1, deals)].astype(np.int8)
    began = time.process_time()
    solve_many_bounds(hands, contract, leader=leaders, concept=concept)  # type: ignore[arg-type]
    core = time.process_time() - began
    with tempfile.TemporaryDirectory() as folder:
        began = time.process_time()
        ks.simulate(
            variant, f"{folder}/a", contracts=["no-queens"], deals=deals, seed=SEED, play=f"exact:{concept}",
            engine="serial",
        )  # fmt: skip
        run = time.process_time() - began
    say(
        what="harness", concept=concept, deals=deals, core_seconds=round(core, 3), run_seconds=round(run, 3),
        lost=round(run / core - 1, 3),
    )  # fmt: skip


def openspiel(seconds: float = 10.0) -> None:
    """Random play-outs of OpenSpiel's Hearts (52 cards), one thread, as its Python interface gives them."""
    try:
        import pyspiel
    except ImportError:
        say(what="openspiel", rounds_per_second=None, note="not installed")
        return
    game = pyspiel.load_game("hearts")
    rng = np.random.default_rng(1)
    count, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[rng.integers(len(actions))])
        count += 1
    say(what="openspiel hearts, random", rounds_per_second=round(count / (time.perf_counter() - began)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=400_000, help="on each thread")
    parser.add_argument("--deals", type=int, default=1_000_000, help="of the whole run; 0: none")
    parser.add_argument("--exact", action="store_true", help="what the harness costs exact values")
    parser.add_argument("--memory", action="store_true", help="a run of ten million deals and its memory")
    parser.add_argument("--openspiel", action="store_true", help="OpenSpiel's Hearts in the same run")
    given = parser.parse_args()
    say(machine=platform.machine(), processor=platform.processor(), system=platform.system(), **versions())
    for policy in POLICIES:
        for name in ks.load_variant("russian-14").contracts:
            rounds("russian-14", name, policy, given.rounds, given.threads)
        rounds("dealers-choice-20", "no-hearts", policy, given.rounds, given.threads)
    if given.deals:
        whole_run(given.deals)
    if given.memory:
        whole_run(10_000_000)
    if given.exact:
        for concept, deals in (("guarantee", 300), ("shapley", 150), ("maxn", 150), ("equilibria", 3)):
            harness(deals, concept)
    if given.openspiel:
        openspiel()


if __name__ == "__main__":
    main()
