"""Work on several threads with the results in order, and Ctrl-C that stops a search at once."""

from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")
R = TypeVar("R")


class Job(Generic[T, R]):
    """One item's head and the calls that belong to it, each of which runs on a thread of its own."""

    def __init__(self, head: T, calls: Iterable[Callable[[], R]]) -> None:
        self.head = head
        self.calls = list(calls)


def in_order(
    jobs: Iterable[Job[T, R]], threads: int, *, cancel: NDArray[np.int32]
) -> Generator[tuple[T, list["Future[R]"]], None, None]:
    """Each job's head with its finished calls, in the order of `jobs`, as few at a time as keep threads busy.

    Jobs are drawn in this thread as there is room. When the iteration ends early, whatever the reason,
    `cancel` is set and the threads are waited for.
    """
    pool = ThreadPoolExecutor(threads, thread_name_prefix="kingsolve")
    waiting: deque[tuple[T, list[Future[R]]]] = deque()
    try:
        for job in jobs:
            waiting.append((job.head, [pool.submit(call) for call in job.calls]))
            while waiting and (_open(waiting) > 2 * threads or all(call.done() for call in waiting[0][1])):
                yield _finished(waiting.popleft())
        while waiting:
            yield _finished(waiting.popleft())
    except BaseException:
        cancel[0] = 1
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _open(waiting: Iterable[tuple[T, list["Future[R]"]]]) -> int:
    return sum(not call.done() for _, calls in waiting for call in calls)


def _finished(job: tuple[T, list["Future[R]"]]) -> tuple[T, list["Future[R]"]]:
    for call in job[1]:
        call.exception()  # waits, and can be interrupted
    return job
