"""Runs on dask.distributed: two worker processes, one of them killed; nothing lost or doubled."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from kingsolve.errors import KingError
from kingsolve.simulation import Tick, simulate

pytest.importorskip("distributed")

CLUSTER = """
import sys
from distributed import LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        pids = [worker.pid for worker in cluster.workers.values()]
        print(cluster.scheduler_address, *pids, flush=True)
        sys.stdin.read()
"""
KINDS = {"deals": 8000, "seed": 3, "chunk": 200, "contracts": ["no-king", "men"], "play": "policy:careful"}


def test_a_killed_worker_loses_nothing(tmp_path: Path) -> None:
    script = tmp_path / "cluster.py"
    script.write_text(CLUSTER)
    heard: dict[str, int] = {}
    killed = threading.Event()
    with subprocess.Popen(
        [sys.executable, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as cluster:
        address, *pids = cluster.stdout.readline().split()

        def hear(tick: Tick) -> None:
            heard[tick.contract] = heard.get(tick.contract, 0) + tick.rounds
            if not killed.is_set():
                killed.set()
                os.kill(int(pids[0]), signal.SIGKILL)

        folder = tmp_path / "a"
        run = simulate("russian-14", folder, engine="dask", scheduler=address, progress=hear, **KINDS)
        cluster.stdin.close()
    assert killed.is_set()
    assert not run.missing
    assert heard == {"no-king": 8000, "men": 8000}
    simulate("russian-14", tmp_path / "b", **KINDS)

    def contents(where: Path) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in where.iterdir()}

    assert contents(folder) == contents(tmp_path / "b")


def test_processes_of_this_machine_compile_once_and_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kingsolve.simulation._engines.PATIENCE", 0)
    for play, seconds in (("policy:careful", 10), ("exact:maxn", 4)):
        said: list[str] = []
        heard: list[Tick] = []
        few = {**KINDS, "deals": 9, "chunk": 3, "play": play, "notice": said.append, "progress": heard.append}
        simulate("russian-14", tmp_path / play, engine="dask", jobs=2, **few)
        assert said == [f"compiling, once, about {seconds} s"]
        assert (
            sorted((tick.contract, tick.rounds) for tick in heard) == [("men", 3)] * 3 + [("no-king", 3)] * 3
        )
        assert all(tick.seconds > 0 for tick in heard)


def test_what_a_worker_cannot_write_ends_the_run_in_words(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A part's name is taken by a folder with something in it, so that the rename fails."""
    (tmp_path / "a").mkdir()
    few = {**KINDS, "deals": 20, "chunk": 10}
    simulate("russian-14", tmp_path / "a", **few)
    part = tmp_path / "a" / "part-000001.parquet"
    part.unlink()
    (part / "x").mkdir(parents=True)
    with pytest.raises(OSError, match=r"'.*/a/part-000001\.parquet'"):
        simulate("russian-14", tmp_path / "a", engine="dask", jobs=1, **few)
    assert "Traceback" not in capfd.readouterr().err
    assert not list((tmp_path / "a").glob(".*"))


def test_a_scheduler_that_does_not_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kingsolve.simulation._engines.ANSWER", 0.2)
    with pytest.raises(KingError, match="expected a dask scheduler that answers, got 'tcp:"):
        simulate(
            "russian-14",
            tmp_path / "a",
            engine="dask",
            scheduler="tcp://127.0.0.1:9",
            **{**KINDS, "deals": 1},
        )
