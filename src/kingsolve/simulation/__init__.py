"""Batch jobs: millions of deals valued, into a folder that a killed run leaves ready to be continued.

    import kingsolve as ks
    run = ks.simulate("russian-14", "runs/a", deals=1_000_000, seed=7, play="policy:careful")
    kingsolve.tables.tabulate(run)

docs/simulation.md describes the folder, docs/policies.md the players. Deal i of a seed is the one that
`random_deal` and `kingsolve deal` give, whatever the chunk, thread, order or machine.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..bulk import processors
from ..errors import KingError
from ..solver import DEFAULT_MEMORY
from ..variants import Variant, load_variant
from ._chunks import STATUSES, Tick
from ._dealing import Dealer
from ._engines import ENGINES, run_dask, run_serial, run_threads, warm_up
from ._plan import Plan, make_plan
from ._play import EXACT, OPEN, POLICIES, Play, parse_play

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = [
    "ENGINES",
    "EXACT",
    "OPEN",
    "POLICIES",
    "STATUSES",
    "Dealer",
    "Plan",
    "Play",
    "Run",
    "Tick",
    "make_plan",
    "open_run",
    "parse_play",
    "run_plan",
    "simulate",
]


@dataclass(frozen=True)
class Run:
    """A folder with the parts of a run, finished or not."""

    folder: Path
    plan: Plan

    @property
    def missing(self) -> list[int]:
        """The numbers of the chunks that have no part yet."""
        from ._store import is_there

        return [index for index in range(self.plan.parts) if not is_there(self.folder, index)]

    @property
    def rows(self) -> int:
        """How many rows a finished run has: deals, times contracts, times leaders."""
        return self.plan.deals * len(self.plan.contracts) * self.plan.leads

    def part(self, index: int) -> "pa.Table":
        """One part as an Arrow table. Raises KingError where it does not verify."""
        from ._store import read_part

        return read_part(self.folder, self.plan, index)

    def parts(self) -> "Iterator[pa.Table]":
        """The parts one after another. Raises KingError where one is missing or does not verify."""
        return (self.part(index) for index in range(self.plan.parts))


def open_run(folder: str | os.PathLike[str]) -> Run:
    """The run in a folder. Raises KingError where there is none."""
    from ._store import read_manifest

    path = Path(folder)
    return Run(path, read_manifest(path))


def simulate(
    variant: Variant | str,
    folder: str | os.PathLike[str],
    *,
    contracts: Iterable[str] | None = None,
    deals: int,
    seed: int,
    play: str | Play = "policy:careful",
    first: int = 1,
    rotations: bool = False,
    nodes: int | None = None,
    memory: int = DEFAULT_MEMORY,
    chunk: int | None = None,
    engine: str = "threads",
    jobs: int | None = None,
    scheduler: str | None = None,
    progress: Callable[[Tick], None] | None = None,
    notice: Callable[[str], None] | None = None,
) -> Run:
    """The finished run in `folder`: the deals `first`, `first` + 1, ... of the seed, valued as `play` says.

    `contracts` are names (None: all of the variant), `rotations` plays every deal with each seat leading,
    `nodes` limits each search (its deals then have status `bounds` or `limited`), `memory` is in bytes for
    each thread's table, `chunk` the deals of a part. `engine` is `threads` (`jobs` of them; None: one a
    processor), `serial` or `dask` (workers of the `scheduler`, or `jobs` processes). Where the folder already
    holds parts of this run, only what is missing, or does not verify, is computed. `progress` hears of rounds
    done, `notice` what a person should know.

    Raises KingError for parameters that are none, and, naming the difference, for a folder that holds another
    run; OSError where the disk is full, with all finished parts kept.
    """
    rules = load_variant(variant) if isinstance(variant, str) else variant
    plan = make_plan(
        rules, contracts=contracts, play=play, deals=deals, seed=seed, first=first, rotations=rotations,
        nodes=nodes, memory=memory, chunk=chunk,
    )  # fmt: skip
    return run_plan(
        plan, folder, engine=engine, jobs=jobs, scheduler=scheduler, progress=progress, notice=notice
    )


def run_plan(
    plan: Plan,
    folder: str | os.PathLike[str],
    *,
    engine: str = "threads",
    jobs: int | None = None,
    scheduler: str | None = None,
    progress: Callable[[Tick], None] | None = None,
    notice: Callable[[str], None] | None = None,
) -> Run:
    """`simulate` of a plan already made."""
    from ._store import MANIFEST, check_folder, locked, remove_leftovers, write_manifest

    if engine not in ENGINES:
        msg = f"expected an engine, one of {' '.join(ENGINES)}, got {engine!r}"
        raise KingError(msg)
    if scheduler is not None and engine != "dask":
        msg = f"expected a scheduler with engine 'dask' only, got {scheduler!r} with {engine!r}"
        raise KingError(msg)
    threads = processors() if jobs is None else jobs
    if threads < 1:
        msg = f"expected jobs of at least 1, got {jobs!r}"
        raise KingError(msg)
    path = Path(folder)
    say = notice or _silent
    report = progress or _silent
    _make_folder(path)
    with locked(path):
        check_folder(path, plan)
        if not (path / MANIFEST).exists():
            write_manifest(path, plan)
        remove_leftovers(path)
        run = Run(path, plan)
        missing = _missing(run, report, say)
        if missing:
            if engine != "dask":
                warm_up(plan, say)
            if engine == "serial":
                run_serial(path, plan, missing, report=report)
            elif engine == "threads":
                run_threads(path, plan, missing, jobs=threads, report=report)
            else:
                run_dask(path, plan, missing, jobs=threads, scheduler=scheduler, report=report, notice=say)
                remove_leftovers(path)
        return run


def _make_folder(path: Path) -> None:
    if path.exists() and not path.is_dir():
        msg = f"expected a folder for the run, got a file: {str(path)!r}"
        raise KingError(msg)
    path.mkdir(parents=True, exist_ok=True)


def _missing(run: Run, report: Callable[[Tick], None], say: Callable[[str], None]) -> list[int]:
    """The chunks to compute: those without a part and those whose part does not verify."""
    from ._store import is_there

    missing, there = [], 0
    for index in range(run.plan.parts):
        if is_there(run.folder, index):
            try:
                run.part(index)
            except KingError as error:
                say(f"{error}; it is done again")
            else:
                there += 1
                rounds = run.plan.part_deals(index)[1] * run.plan.leads
                for contract in run.plan.contracts:
                    report(Tick(contract.name, rounds, 0.0))
                continue
        missing.append(index)
    if there:
        say(f"continuing: {there} of {run.plan.parts} parts are there")
    return missing


def _silent(_: object) -> None:
    """Tells nobody."""
