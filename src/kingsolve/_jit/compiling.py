"""Numba's compiler with a cache of our own, which Ctrl-C does not break.

The cache is in the user's cache folder, unless NUMBA_CACHE_DIR names another. Beside the source, where Numba
puts it by itself, it outlives the package: pip leaves what it did not install, and a `kingsolve` without
modules in site-packages hides one that is installed afterwards with `-e`.
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from numba import config, njit
from platformdirs import user_cache_path


def compiled(function: Callable[..., Any] | None = None, *, inline: bool = False) -> Any:
    """Decorates a kernel: compiled when first called, kept for the next process, without the interpreter's
    lock.

    `inline` has it compiled into its callers.
    """
    if function is None:
        return lambda function: compiled(function, inline=inline)
    before = config.CACHE_DIR
    config.CACHE_DIR = before or str(_cache_folder())
    try:
        kernel = njit(cache=True, nogil=True, forceinline=inline)(function)
    finally:
        config.CACHE_DIR = before
    compile_ = kernel.compile

    def undisturbed(signature: Any) -> Any:
        with signals_later():
            return compile_(signature)

    kernel.compile = undisturbed
    return kernel


def _cache_folder() -> Path:
    return user_cache_path("kingsolve", appauthor=False) / "compiled"


_waiting = threading.local()


@contextmanager
def signals_later() -> Iterator[None]:
    """Hands Ctrl-C, SIGTERM and SIGHUP on when done, a second one at once.

    Raised in the midst of compiling, KeyboardInterrupt is swallowed by Numba's listeners or leaves a library
    half made, which then fails as an internal error.
    """
    if threading.current_thread() is not threading.main_thread() or getattr(_waiting, "now", False):
        yield
        return
    handlers: dict[int, Callable[..., Any]] = {}
    came: list[int] = []

    def later(number: int, frame: Any) -> None:
        if came:
            handlers[number](number, frame)
        came.append(number)

    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        handler = None if number is None else signal.getsignal(number)
        if number is not None and callable(handler):
            handlers[number] = handler
            signal.signal(number, later)
    _waiting.now = True
    try:
        yield
    finally:
        _waiting.now = False
        for number, handler in handlers.items():
            signal.signal(number, handler)
    for number in came:
        handlers[number](number, None)
