"""Numba's compiler with its cache in the user's cache folder, unless NUMBA_CACHE_DIR names another.

Beside the source, where Numba puts it by itself, it outlives the package: pip leaves what it did not install,
and a `kingsolve` without modules in site-packages hides one that is installed afterwards with `-e`.
"""

from collections.abc import Callable
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
        return njit(cache=True, nogil=True, forceinline=inline)(function)
    finally:
        config.CACHE_DIR = before


def _cache_folder() -> Path:
    return user_cache_path("kingsolve", appauthor=False) / "compiled"
