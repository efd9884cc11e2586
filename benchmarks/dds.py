"""Two against two without trumps is bridge: values and CPU time against Bo Haglund's DDS, on the same deals,
in one run.

    python benchmarks/dds.py --cards 8 --deals 3000

Needs endplay (extra `bench`), whose wheel brings DDS. One thread each, value only, set-up included, nothing
kept from one deal to the next. Fails if any value differs. `kingsolve bench --compare dds` does the same for
fewer deals.
"""

import argparse
import json
import sys

from arguments import run, whole
from kingsolve._dds import MEMORY, compare
from kingsolve.benchmark import dds_record
from where import where


def main() -> int:
    """0, or 1 when a value differs."""
    parser = argparse.ArgumentParser(
        description="Values and CPU time against DDS: no trumps, two against two."
    )
    parser.add_argument("--cards", type=whole(1, 13), default=8, help="cards a hand (default: %(default)s)")
    parser.add_argument("--deals", type=whole(1), default=300, help="random deals (default: %(default)s)")
    parser.add_argument("--seed", type=whole(0), default=1, help="of the deals (default: %(default)s)")
    parser.add_argument(
        "--memory", type=whole(1), default=MEMORY >> 20, help="MiB of our tables (default: %(default)s)"
    )
    options = parser.parse_args()
    found = compare(cards=options.cards, deals=options.deals, seed=options.seed, memory=options.memory << 20)
    print(json.dumps({**dds_record(found), "memory": options.memory, **where()}))
    if found.first_difference is not None:
        print(found.first_difference, file=sys.stderr)
    return 1 if found.different else 0


if __name__ == "__main__":
    run(main)
