"""Work beside the screen: computer players, hints and reviews, so that the screen never waits."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


async def in_thread(call: Callable[[], T]) -> T:
    """What `call` gives, run on a thread of its own, which does not keep the program from ending."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def tell(result: T | None, error: BaseException | None) -> None:
        if future.cancelled():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)  # type: ignore[arg-type]  # a result wherever there is no error

    def work() -> None:
        try:
            found, error = call(), None
        except BaseException as fault:
            found, error = None, fault
        with suppress(RuntimeError):  # the program has ended meanwhile
            loop.call_soon_threadsafe(tell, found, error)

    Thread(target=work, daemon=True).start()
    return await future
