"""Who computes the chunks: this thread, several threads, or the workers of dask.distributed.

An engine takes the numbers of the chunks that are missing and sees that their parts are written. Workers get
a folder and a number; deals never travel.
"""

import logging
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import KingError
from ._chunks import Report, Tick, compute
from ._plan import Plan

Notice = Callable[[str], None]
ENGINES = ("threads", "serial", "dask")
AHEAD = 2
"""Chunks a worker has waiting, so that it is never idle; a cluster's scheduler never holds more."""


def work_part(folder: Path, plan: Plan, index: int, cancel: NDArray[np.int32], report: Report) -> None:
    """Computes one chunk and writes its part."""
    from ._store import write_part

    write_part(folder, plan, index, compute(plan, index, cancel=cancel, report=report))


def run_serial(folder: Path, plan: Plan, missing: Iterable[int], *, report: Report) -> None:
    """The chunks one after another in this thread."""
    cancel = np.zeros(1, np.int32)
    for index in missing:
        work_part(folder, plan, index, cancel, report)


def run_threads(folder: Path, plan: Plan, missing: Iterable[int], *, jobs: int, report: Report) -> None:
    """The chunks on `jobs` threads, which need no GIL; the first error ends all of them."""
    cancel = np.zeros(1, np.int32)
    lock = threading.Lock()

    def reported(tick: Tick) -> None:
        with lock:
            report(tick)

    def work(index: int) -> None:
        work_part(folder, plan, index, cancel, reported)

    with ThreadPoolExecutor(jobs, thread_name_prefix="kingsolve") as pool:
        try:
            for _ in _submitted(lambda index: pool.submit(work, index), missing, jobs * AHEAD):
                pass
        except BaseException:
            cancel[0] = 1
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _submitted(
    submit: Callable[[int], "Future[Any]"], missing: Iterable[int], most: int
) -> Iterator["Future[Any]"]:
    """The finished futures of all chunks, at most `most` of them waiting at any time."""
    waiting: set[Future[Any]] = set()
    for index in missing:
        waiting.add(submit(index))
        while len(waiting) >= most:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                future.result()
                yield future
    for future in waiting:
        future.result()
        yield future


def run_dask(
    folder: Path,
    plan: Plan,
    missing: Iterable[int],
    *,
    jobs: int,
    scheduler: str | None,
    report: Report,
    notice: Notice,
) -> None:
    """The chunks on the workers of a dask cluster that all see the folder under the same path.

    Without the address of a `scheduler`, on `jobs` processes of this machine. A worker that dies loses its
    chunks to the others. Raises KingError where dask.distributed is not installed or the scheduler does not
    answer.
    """
    try:
        import distributed
    except ImportError as error:
        msg = f"expected dask.distributed for engine 'dask': pip install 'kingsolve[distributed]' ({error})"
        raise KingError(msg) from None
    with _client(distributed, jobs, scheduler) as client:
        _warm_workers(client, folder, plan, notice)
        futures = distributed.as_completed([], with_results=False)
        indices = iter(missing)
        waiting = 0

        def more() -> int:
            index = next(indices, None)
            if index is None:
                return 0
            futures.add(client.submit(_dask_part, str(folder.absolute()), index, pure=False))
            return 1

        try:
            while True:
                # Counted anew every time: workers come and go.
                room = AHEAD * max(1, sum(client.nthreads().values())) - waiting
                added = sum(more() for _ in range(max(0, room)))
                waiting += added
                if not waiting:
                    return
                future = next(futures)
                waiting -= 1
                for contract, rounds, seconds in _result(future):
                    report(Tick(contract, rounds, seconds))
                future.release()
        except distributed.scheduler.KilledWorker as error:
            msg = f"a chunk ended the workers that tried it, one after another: {error}"
            raise KingError(msg) from None


def _warm_workers(client: Any, folder: Path, plan: Plan, notice: Notice) -> None:
    """Has one worker load or compile the kernels: those that share its cache need not."""
    if not client.nthreads():
        notice("waiting for the first worker of the scheduler")
        client.wait_for_workers(1)
    client.submit(_load_numba, pure=False).result()
    with _patience(plan, notice):
        client.submit(_dask_warm, str(folder.absolute()), pure=False).result()


def _dask_warm(folder: str) -> None:
    from ._store import read_manifest

    _load_kernels(read_manifest(Path(folder)))


Sums = list[tuple[str, int, float]]
"""What ticks are made of: contract, rounds, seconds."""


def _result(future: Any) -> Sums:
    found: Sums | Exception = future.result()
    if isinstance(found, Exception):
        raise found
    return found


def _dask_part(folder: str, index: int) -> Sums | Exception:
    """What a worker does: the plan from the folder's manifest, one chunk, its part written; its ticks."""
    from ._store import read_manifest

    sums: dict[str, tuple[int, float]] = {}
    path = Path(folder)

    def report(tick: Tick) -> None:
        rounds, seconds = sums.get(tick.contract, (0, 0.0))
        sums[tick.contract] = rounds + tick.rounds, seconds + tick.seconds

    try:
        work_part(path, read_manifest(path), index, np.zeros(1, np.int32), report)
    except Exception as error:  # raised by _result: dask would print tracebacks of it
        return error
    return [(contract, *sums[contract]) for contract in sums]


@contextmanager
def _client(distributed: Any, jobs: int, scheduler: str | None) -> Iterator[Any]:
    """A client of the scheduler, or of a cluster of processes of our own that ends with it."""
    if scheduler is None:
        with (
            distributed.LocalCluster(
                n_workers=jobs,
                threads_per_worker=1,
                processes=True,
                dashboard_address=None,
                silence_logs=logging.ERROR,  # a worker that ends slowly is nothing to read about
            ) as cluster,
            distributed.Client(cluster) as client,
        ):
            yield client
        return
    try:
        client = distributed.Client(scheduler, timeout=ANSWER)
    except (OSError, ValueError, TimeoutError) as error:
        msg = (
            f"expected a dask scheduler that answers, got {scheduler!r}: {' '.join(str(error).split())[:150]}"
        )
        raise KingError(msg) from None
    with client:
        yield client


def warm_up(plan: Plan, notice: Notice) -> None:
    """Loads the kernels of the plan or, the first time, compiles them, which `notice` is told."""
    _load_numba()
    with _patience(plan, notice):
        _load_kernels(plan)


def _load_numba() -> None:
    """Imports what takes seconds in a new process and is no compiling."""
    from .._jit import deals  # noqa: F401  # for its imports


@contextmanager
def _patience(plan: Plan, notice: Notice) -> Iterator[None]:
    """Tells `notice` that kernels are compiled if what is done within takes long."""
    seconds = COMPILING["exact" if plan.play.kind == "exact" else "policy"]
    told = threading.Timer(PATIENCE, notice, [f"compiling, once, about {seconds} s"])
    told.daemon = True
    told.start()
    try:
        yield
    finally:
        told.cancel()


def _load_kernels(plan: Plan) -> None:
    hands = plan.dealer.in_play_order(seed=0, first=1, count=1)
    if plan.play.kind == "exact":
        return
    from .._jit.deals import play_many

    points = np.zeros(hands.shape, np.int16)
    play_many(
        plan.contracts[0].record[()], hands, np.zeros(1, np.int64), np.zeros(4, np.int64), np.uint64(0),
        np.uint64(1), 0, points,
    )  # fmt: skip


ANSWER = 10.0
"""Seconds in which a scheduler must answer."""
PATIENCE = 2.0
"""Seconds before the notice: loading kernels compiled earlier takes less."""
COMPILING = {"exact": 4, "policy": 10}
"""Seconds of CPU that compiling takes: dealing alone, with players too (AMD EPYC, Numba 0.68, 2026-11)."""
