"""The work of `kingsolve simulate`."""

import os
import secrets
from contextlib import closing
from pathlib import Path

from kingsolve import KingError, Variant
from kingsolve.histograms import comparable
from kingsolve.simulation import Plan, Run, make_plan, open_run, parse_play, run_plan
from kingsolve.simulation._store import check_folder

from .errors import as_typed, bad_option, say
from .loading import variant_option
from .running import Running
from .tabulating import print_comparison, print_run


def run(
    *,
    variant_name: str,
    against: str | None,
    contracts: tuple[str, ...],
    deals: int,
    seed: int | None,
    first: int,
    rotations: bool,
    play: str,
    nodes: int | None,
    memory: int,
    chunk: int | None,
    engine: str,
    scheduler: str | None,
    jobs: int | None,
    folder: str,
    table: bool,
) -> None:
    """Runs what was asked for, or what is missing of it, and prints its table."""
    variants = [variant_option(variant_name), variant_option(against, "--against") if against else None]
    rules = [variant for variant in variants if variant is not None]
    if scheduler is not None and engine != "dask":
        bad_option("--scheduler", f"expected --engine dask with it, got {engine}")
    if len(rules) == 2 and rules[0].id == rules[1].id:
        bad_option("--against", f"expected another variant than --variant, got {rules[1].id!r} twice")
    folders = [folder] if len(rules) == 1 else [os.path.join(folder, variant.id) for variant in rules]
    unsaid = seed is None
    if seed is None:
        seed = _seed_there(folders)
    plans = [
        _plan(variant, _names(variant, contracts, rules), play, deals=deals, seed=seed, first=first,
              rotations=rotations, nodes=nodes, memory=memory, chunk=chunk)
        for variant in rules
    ]  # fmt: skip
    if len(plans) == 2:
        _check_pair(*plans)
    for plan, where in zip(plans, folders, strict=True):
        _check_folder(plan, where)
    if unsaid:
        say(f"seed {seed}")
    runs = []
    for plan, where in zip(plans, folders, strict=True):
        with closing(Running(plan)) as running:
            runs.append(
                run_plan(
                    plan, where, engine=engine, jobs=jobs, scheduler=scheduler, progress=running.tick,
                    notice=running.say,
                )
            )  # fmt: skip
    if table:
        _print(runs)


def _check_pair(one: Plan, two: Plan) -> None:
    """Two runs that could not be compared are not begun."""
    try:
        comparable(one, two)
    except KingError as error:
        bad_option("--against", str(error))


def _check_folder(plan: Plan, where: str) -> None:
    """A folder that holds something else is a path as typed; a manifest that cannot be read is not."""
    if (Path(where) / "manifest.json").exists():
        open_run(where)
    try:
        check_folder(Path(where), plan)
    except KingError as error:
        bad_option("--output", str(error))


def _print(runs: list[Run]) -> None:
    if len(runs) == 1:
        print_run(runs[0])
    else:
        print_comparison(*runs)


def _seed_there(folders: list[str]) -> int:
    """The seed of the run already begun in the folder, else a fresh one."""
    for where in folders:
        if (Path(where) / "manifest.json").exists():
            return open_run(where).plan.seed
    return secrets.randbelow(2**32)


def _names(variant: Variant, asked: tuple[str, ...], rules: list[Variant]) -> list[str] | None:
    """The contracts asked for; without any, all, or with two variants those that both have."""
    for name in asked:
        if name not in variant.contracts:
            known = " ".join(variant.contracts)
            bad_option("--contract", f"expected a contract of {variant.id}, one of {known}, got {name!r}")
    if asked or len(rules) == 1:
        return list(asked) or None
    common = [name for name in rules[0].contracts if name in rules[1].contracts]
    if not common:
        bad_option("--against", f"expected a contract in common, got none of {rules[1].id} in {rules[0].id}")
    return common


def _plan(
    variant: Variant,
    contracts: list[str] | None,
    play: str,
    *,
    deals: int,
    seed: int,
    first: int,
    rotations: bool,
    nodes: int | None,
    memory: int,
    chunk: int | None,
) -> Plan:
    try:
        how = parse_play(play, variant.seats)
    except KingError as error:
        bad_option("--play", str(error))
    if nodes is not None and how.kind == "policy":
        bad_option("--nodes", f"expected exact or open play with it, got {how}")
    with as_typed():
        return make_plan(
            variant, contracts=contracts, play=how, deals=deals, seed=seed, first=first, rotations=rotations,
            nodes=nodes, memory=memory, chunk=chunk,
        )  # fmt: skip
