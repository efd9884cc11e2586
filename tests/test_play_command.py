"""`kingsolve play` as a process on a terminal of its own: how it begins and how it ends."""

import os
import signal
import struct
from contextlib import suppress
from pathlib import Path

import pytest

from command import process, refused


@pytest.mark.skipif(os.name != "posix", reason="terminals and signals of POSIX")
@pytest.mark.parametrize(("how", "code"), [("SIGINT", 130), ("SIGTERM", 143), ("the key", 0)])
def test_how_the_game_is_ended_from_outside(how: str, code: int, tmp_path: Path) -> None:
    pty, fcntl, termios = (pytest.importorskip(name) for name in ("pty", "fcntl", "termios"))
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    env = {"TERM": "xterm-256color", "KINGSOLVE_DATA": str(tmp_path)}
    with process("play", stdin=follower, stdout=follower, stderr=follower, env=env) as child:
        os.close(follower)
        found = b""
        while b"PLAY" not in found:
            found += os.read(leader, 65536)
        if how == "the key":
            os.write(leader, b"\x03")
        else:
            child.send_signal(getattr(signal, how))
        with suppress(OSError):  # how Linux says that the other side closed
            while chunk := os.read(leader, 65536):
                found += chunk
        assert child.wait(30) == code
    os.close(leader)
    assert b"\x1b[?1049l" in found  # the screen that was there before is there again


def test_nothing_to_go_on_with_is_an_option_as_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kingsolve_cli.starting._is_terminal", lambda: True)
    monkeypatch.setenv("KINGSOLVE_DATA", str(tmp_path))
    assert "expected a match that was left, got none" in refused("play", "--continue", code=2)
    assert "no match of `kingsolve play` is finished" in refused("review", code=2)
