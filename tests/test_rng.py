"""The random numbers of the kernels: published answers, NumPy's words, and integers without bias."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numba
import numpy as np
import pytest
from platformdirs import user_cache_path

import kingsolve
from kingsolve._jit.compiling import compiled, signals_later
from kingsolve._jit.rng import STATE_WORDS, below, high_word, next_word, philox, seek, small_below
from kingsolve.dealing import stream

MASK = 2**64 - 1
PI = (
    0x243F6A8885A308D3, 0x13198A2E03707344, 0xA4093822299F31D0, 0x082EFA98EC4E6C89,
    0x452821E638D01377, 0xBE5466CF34E90C6C,
)  # fmt: skip


# The three answers for philox4x64-10 of the `kat_vectors` file of Random123 (Salmon et al., 2011).
@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ((0,) * 6, (0x16554D9ECA36314C, 0xDB20FE9D672D0FDC, 0xD7E772CEE186176B, 0x7E68B68AEC7BA23B)),
        ((MASK,) * 6, (0x87B092C3013FE90B, 0x438C3C67BE8D0224, 0x9CC7D7C69CD777B6, 0xA09CAEBF594F0BA0)),
        (PI, (0xA528F45403E61D95, 0x38C72DBD566E9788, 0xA5A1610E72FD18B5, 0x57BD43B5E52B7FE6)),
    ],
)
def test_published_answers(words: tuple[int, ...], answer: tuple[int, ...]) -> None:
    assert tuple(map(int, philox(*map(np.uint64, words)))) == answer


@pytest.mark.parametrize("key", [(0, 0), (7, 1), (1, 7), (MASK, MASK)])
def test_a_stream_is_numpys(key: tuple[int, int]) -> None:
    state = np.zeros(STATE_WORDS, np.uint64)
    seek(state, *map(np.uint64, key))
    ours = [int(next_word(state)) for _ in range(11)]
    assert ours == [int(word) for word in np.random.Philox(key=np.array(key, np.uint64)).random_raw(11)]


def test_seek_forgets_the_past() -> None:
    state = np.zeros(STATE_WORDS, np.uint64)
    seek(state, np.uint64(3), np.uint64(4))
    first = [int(next_word(state)) for _ in range(6)]
    seek(state, np.uint64(9), np.uint64(9))
    next_word(state)
    seek(state, np.uint64(3), np.uint64(4))
    assert [int(next_word(state)) for _ in range(6)] == first


def test_high_word() -> None:
    from numba import njit

    high = njit(lambda a, b: high_word(a, b))
    for a, b in ((MASK, MASK), (1 << 63, 2), (0x123456789ABCDEF0, 0xFEDCBA9876543210), (0, MASK)):
        assert int(high(np.uint64(a), np.uint64(b))) == a * b >> 64


@pytest.mark.parametrize("n", [1, 2, 3, 24, 1000, 3 << 62, MASK])
def test_below_is_lemires_method(n: int) -> None:
    """The same integers as the method written with Python's big ones, rejections included."""
    state = np.zeros(STATE_WORDS, np.uint64)
    seek(state, np.uint64(5), np.uint64(6))
    words = (int(word) for word in np.random.Philox(key=np.array([5, 6], np.uint64)).random_raw(4000))

    def slow() -> int:
        while True:
            product = next(words) * n
            if product % 2**64 >= 2**64 % n:
                return product >> 64

    assert [int(below(state, np.uint64(n))) for _ in range(500)] == [slow() for _ in range(500)]


def test_below_is_uniform() -> None:
    """Chi-squared over 7 values, 70,000 draws: 22.46 is passed once in a thousand by chance."""
    state = np.zeros(STATE_WORDS, np.uint64)
    seek(state, np.uint64(1), np.uint64(0))
    counts = np.bincount([int(below(state, np.uint64(7))) for _ in range(70_000)], minlength=7)
    assert ((counts - 10_000) ** 2 / 10_000).sum() < 22.46


def test_random_deals_use_the_same_words() -> None:
    """`dealing.stream` and the kernels read one generator, so both may deal the same deals."""
    state = np.zeros(STATE_WORDS, np.uint64)
    seek(state, np.uint64(11), np.uint64(12))
    draw = stream(11, 12)
    assert [draw(2**64) for _ in range(5)] == [int(next_word(state)) for _ in range(5)]


def test_the_kernels_come_in_when_asked_for() -> None:
    code = (
        "import sys, kingsolve; before = 'numba' in sys.modules\n"
        "import kingsolve._jit.rng; print(before, 'numba' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["False", "True"]


@pytest.mark.parametrize("n", [2, 3, 7, 13, 52])
def test_small_choices_are_uniform_one_by_one_and_in_pairs(n: int) -> None:
    """Chi-squared over single choices and over pairs, in standard deviations: 4 is once in 30,000."""
    state = np.zeros(STATE_WORDS, np.uint64)
    seek(state, np.uint64(8), np.uint64(0))
    found = np.array([int(small_below(state, np.uint64(n))) for _ in range(40_000)])
    for values, size in ((found, n), (found[:-1] * n + found[1:], n * n)):
        counts = np.bincount(values, minlength=size)
        chi = ((counts - len(values) / size) ** 2 / (len(values) / size)).sum()
        assert abs(chi - size + 1) < 4 * np.sqrt(2 * size)
    assert found.max() < n


def test_seek_forgets_what_small_choices_left() -> None:
    state = np.zeros(STATE_WORDS, np.uint64)
    seek(state, np.uint64(1), np.uint64(2))
    first = [int(small_below(state, np.uint64(52))) for _ in range(6)]
    seek(state, np.uint64(1), np.uint64(2))
    assert [int(small_below(state, np.uint64(52))) for _ in range(6)] == first


def test_compiled_code_is_not_kept_beside_the_source() -> None:
    """There it would outlive the package and hide one that is installed afterwards with `-e`."""
    folder = Path(philox.stats.cache_path)
    assert Path(kingsolve.__file__).parent not in folder.parents
    if "NUMBA_CACHE_DIR" not in os.environ:
        assert folder.parent == user_cache_path("kingsolve", appauthor=False) / "compiled"
        assert numba.config.CACHE_DIR == ""


def test_ctrl_c_waits_for_the_compiler() -> None:
    """Once; a second is not kept waiting."""
    reached = []

    def interrupted(times: int) -> None:
        with signals_later(), signals_later():
            for _ in range(times):
                os.kill(os.getpid(), signal.SIGINT)
                time.sleep(0.01)
            reached.append(times)

    for times in (1, 2):
        with pytest.raises(KeyboardInterrupt):
            interrupted(times)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert reached == [1]


def test_kernels_are_compiled_with_signals_kept_waiting() -> None:
    kernel, handlers = compiled(lambda x: x + 1), []
    load = kernel._cache.load_overload
    kernel._cache.load_overload = lambda *rest: (
        handlers.append(signal.getsignal(signal.SIGINT)) or load(*rest)
    )
    assert kernel(1) == 2
    assert len(handlers) == 1
    assert handlers[0] is not signal.default_int_handler
