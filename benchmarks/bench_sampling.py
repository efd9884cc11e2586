"""Consistent deals a second, with and without voids, and OpenSpiel's where it is installed.

    python benchmarks/bench_sampling.py [--deals 2000000]

JSON lines: one for the machine and commit, then one a case: `deals_per_second` on one core, of CPU time (so
that a busy machine does not count against anybody), best of five after a warm-up. The comparison is
OpenSpiel's `resample_from_infostate` of Hearts at the first decision, 39 hidden cards, in the same run.
"""

import argparse
import json
import platform
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from arguments import whole
from kingsolve import Knowledge, load_variant
from kingsolve.sampling import Plan, sample

OWN_8 = "As Ks 9s Qh 7h Td 8d Jc"
OWN_13 = "As Ks 9s 5s Qh 7h 3h Td 8d 4d Jc 6c 2c"


def cases() -> dict[str, Knowledge]:
    """What is known in each case; the first two are the ones with a stated target."""
    eight = load_variant("russian-14").contract("no-queens")
    thirteen = load_variant("dealers-choice-20").contract("no-queens")
    trumps = load_variant("full-king").contract("trumps-s")
    return {
        "24 hidden": Knowledge(eight, "N", own=OWN_8),
        "24 hidden, four voids": Knowledge(eight, "N", own=OWN_8, void={"E": "hc", "S": "s", "W": "d"}),
        "24 hidden, three voids, four cards": Knowledge(
            eight,
            "N",
            own=OWN_8,
            void={"E": "h", "S": "s", "W": "d"},
            lacks={"E": "Kc Qd", "S": "Ac", "W": "Ac"},
        ),
        "39 hidden": Knowledge(thirteen, "N", own=OWN_13),
        "39 hidden, four voids": Knowledge(thirteen, "N", own=OWN_13, void={"E": "h", "S": "s", "W": "dc"}),
        "trump naming": Knowledge(trumps, "E", own="As Ks 7h", sizes=8),
    }


def rate(draw: Callable[[], None], number: int) -> float:
    """How many a second of CPU time, at best of five."""
    draw()
    best = float("inf")
    for _ in range(5):
        began = time.thread_time()
        draw()
        best = min(best, time.thread_time() - began)
    return number / best


def open_spiel() -> dict[str, object] | None:
    """OpenSpiel's resampling, None where it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    import random

    rng = random.Random(1)
    state = pyspiel.load_game("hearts").new_initial_state()
    while state.is_chance_node():
        actions, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choices(actions, chances)[0])
    player = state.current_player()

    def draw() -> None:
        for _ in range(5000):
            state.resample_from_infostate(player, rng.random)

    return {"case": "OpenSpiel Hearts, 39 hidden", "deals_per_second": round(rate(draw, 5000))}


def main() -> None:
    """Measures every case and prints a line each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=whole(1), default=2_000_000)
    number = parser.parse_args().deals
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], capture_output=True, text=True, cwd=Path(__file__).parent
    )
    print(
        json.dumps({"machine": platform.processor() or platform.machine(), "commit": commit.stdout.strip()})
    )
    for name, k in cases().items():
        plan = Plan(k)

        def draw(k: Knowledge = k, plan: Plan = plan) -> None:
            sample(k, number, seed=1, plan=plan)

        line = {"case": name, "consistent": plan.total, "deals_per_second": round(rate(draw, number))}
        print(json.dumps(line), flush=True)
    theirs = open_spiel()
    if theirs is not None:
        print(json.dumps(theirs))


if __name__ == "__main__":
    main()
