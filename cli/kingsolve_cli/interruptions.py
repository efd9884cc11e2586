"""SIGTERM and SIGHUP end a command as Ctrl-C does: nothing is left half written, and the exit code tells."""

import signal
import threading
from types import FrameType, TracebackType
from typing import Any

from .errors import INTERRUPTED

_STOPPING = ("SIGTERM", "SIGHUP")


class Interruptions:
    """While entered, signals that stop a process raise KeyboardInterrupt, unless they are ignored (nohup)."""

    def __init__(self) -> None:
        self._number: int | None = None
        self._before: dict[int, Any] = {}

    def __enter__(self) -> "Interruptions":
        if threading.current_thread() is threading.main_thread():  # the only one that may
            for name in _STOPPING:
                number = getattr(signal, name, None)
                if number is not None and signal.getsignal(number) is signal.SIG_DFL:
                    self._before[number] = signal.signal(number, self._stop)
        return self

    def _stop(self, number: int, _: FrameType | None) -> None:
        self._number = self._number or number
        raise KeyboardInterrupt

    def code(self, code: int) -> int:
        """The exit code: that of an interruption is 128 and the signal's number."""
        return 128 + self._number if code == INTERRUPTED and self._number is not None else code

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
