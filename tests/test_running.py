"""The progress of a run: rates and times left, contract by contract, in plain lines and in a bar."""

import io

import pytest

import kingsolve as ks
from kingsolve.simulation import Tick, make_plan
from kingsolve_cli import running
from kingsolve_cli.running import Running


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(running, "time", made)
    return made


def begun(*, contracts: list[str], rotations: bool = False) -> Running:
    plan = make_plan(
        ks.load_variant("russian-14"),
        contracts=contracts,
        play="exact:guarantee",
        deals=1000,
        seed=1,
        rotations=rotations,
    )
    return Running(plan)


def test_plain_lines_say_rate_and_time_left_of_each_contract(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two threads, 25 s of them in 15 s of the clock, after 20 s of compiling that count for nothing."""
    progress = begun(contracts=["no-king", "no-men", "king"])
    progress.tick(Tick("king", 500, 0.0))  # there before
    capsys.readouterr()
    clock.now += 20 + 1
    progress.tick(Tick("no-king", 8, 1.0))
    capsys.readouterr()
    clock.now += 4
    progress.tick(Tick("no-king", 100, 5.0))
    progress.tick(Tick("no-king", 92, 4.0))
    assert capsys.readouterr().err == ""
    clock.now += 5
    progress.tick(Tick("no-men", 50, 5.0))
    progress.tick(Tick("no-men", 50, 5.0))
    assert capsys.readouterr().err == ""
    clock.now += 5
    progress.tick(Tick("no-men", 50, 5.0))
    assert capsys.readouterr().err.splitlines() == [
        "kingsolve: no-king: 20.0% of 1,000 deals, 33.3 deals/s, 24 s left",
        "kingsolve: no-men: 15.0% of 1,000 deals, 16.7 deals/s, 51 s left",
        "kingsolve: all: 28.3% of 3,000 deals, 23.3 deals/s, 1:38 left",
    ]
    progress.close()
    assert capsys.readouterr().err == "kingsolve: 350 rounds in 35.0 s, 10 a second\n"


def test_lines_come_less_often_in_long_runs(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    progress = begun(contracts=["king"], rotations=True)
    for _ in range(3600):
        clock.now += 1
        progress.tick(Tick("king", 1, 1.0))
    lines = capsys.readouterr().err.splitlines()
    assert 30 < len(lines) < 60
    assert lines[0] == "kingsolve: king: 0.2% of 1,000 deals, 0.2 deals/s, 1:06:30 left"


def test_a_terminal_gets_a_bar_for_each_contract_and_one_for_all(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    progress = begun(contracts=["no-king", "king"])
    for _ in range(8):
        clock.now += 1
        progress.tick(Tick("no-king", 100, 1.0))
    progress.say("part 3 is done again")
    progress.close()
    shown = stream.getvalue()
    assert "100.0 deals/s" in shown
    assert "2 s left" in shown
    assert "kingsolve: part 3 is done again\n" in shown
    assert "king " in shown
    assert "all " in shown
