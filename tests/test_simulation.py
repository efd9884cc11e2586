"""Runs: what is recorded, the same whatever the chunks, threads and engine, continued and refused."""

import dataclasses
import errno
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

import kingsolve as ks
from kingsolve._jit import policies
from kingsolve.cards import SEATS
from kingsolve.dealing import random_deal
from kingsolve.errors import KingError
from kingsolve.simulation import POLICIES, Run, _play, _store, make_plan, open_run, parse_play, simulate
from kingsolve.simulation._store import part_name

RUSSIAN = ks.load_variant("russian-14")


def rows(run: Run) -> list[tuple[object, ...]]:
    """Every row of a run but its order."""
    found = [row for part in run.parts() for row in part.to_pylist()]
    return sorted(tuple(row.values()) for row in found)


def test_policies_are_the_kernels() -> None:
    assert (POLICIES, _play.REVISION) == (policies.NAMES, policies.REVISION)


def test_a_part_says_who_led_what_and_what_came_of_it(tmp_path: Path) -> None:
    run = simulate(RUSSIAN, tmp_path / "a", deals=30, seed=7, play="policy:random", chunk=11)
    assert [path.name for path in sorted((tmp_path / "a").iterdir())] == [
        "manifest.json",
        "part-000000.parquet",
        "part-000001.parquet",
        "part-000002.parquet",
    ]
    table = run.part(1)
    assert table.column_names == [
        *("deal", "contract", "leader", "points_N", "points_E", "points_S", "points_W", "nodes", "status")
    ]
    found = table.to_pylist()
    assert len(found) == 11 * 14
    assert len(rows(run)) == run.rows
    for row in found:
        assert row["leader"] == SEATS[row["deal"] % 4]  # N deals deal 1, E leads to it
        assert sum(row[f"points_{seat}"] for seat in SEATS) == RUSSIAN.contract(row["contract"]).total
        assert (row["nodes"], row["status"]) == (0, "played")
    assert pq.read_metadata(tmp_path / "a" / part_name(0)).row_group(0).column(0).compression == "ZSTD"


def test_the_manifest_has_everything(tmp_path: Path) -> None:
    simulate("short-king", tmp_path / "a", deals=3, seed=7, contracts=["no-king"])
    manifest = json.loads((tmp_path / "a" / "manifest.json").read_text())
    variant = ks.load_variant("short-king")
    assert manifest["variant"]["text"] == variant.text
    assert manifest["variant"]["sha256"] == variant.sha256
    assert manifest["parameters"]["seed"] == 7
    assert set(manifest["made_with"]) == {"python", "numpy", "numba", "pyarrow"}
    run = open_run(tmp_path / "a")
    assert run.plan.contracts == (variant.contract("no-king"),)


@pytest.mark.parametrize(
    "play", ["policy:careful", "policy:random,policy:careful,policy:random,policy:careful"]
)
def test_chunks_threads_and_other_contracts_change_nothing(tmp_path: Path, play: str) -> None:
    whole = simulate(RUSSIAN, tmp_path / "a", deals=100, seed=3, play=play, rotations=True, engine="serial")
    split = simulate(
        RUSSIAN,
        tmp_path / "b",
        deals=100,
        seed=3,
        play=play,
        rotations=True,
        chunk=7,
        engine="threads",
        jobs=3,
    )
    assert rows(whole) == rows(split)
    some = simulate(
        RUSSIAN, tmp_path / "c", deals=10, first=41, seed=3, play=play, rotations=True, contracts=["men"]
    )
    assert rows(some) == [row for row in rows(whole) if 41 <= row[0] < 51 and row[1] == "men"]


@pytest.mark.parametrize("id", ["rifki", "king-1993", "parlett-3"])
@pytest.mark.parametrize("concept", ["maxn", "guarantee", "shapley", "equilibria"])
def test_exact_values_are_the_solvers(tmp_path: Path, id: str, concept: str) -> None:
    variant = endgame(id)
    contract = variant.contract("no-queens")
    run = simulate(
        variant,
        tmp_path / "a",
        deals=4,
        seed=5,
        play=f"exact:{concept}",
        contracts=["no-queens"],
        rotations=True,
    )
    for row in run.part(0).to_pylist():
        deal = random_deal(variant, seed=5, number=row["deal"], dealer=run.plan.dealer.dealer(row["deal"]))
        position = ks.Position(contract, deal, leader=row["leader"])
        low, high = ([row[f"{kind}_{seat}"] for seat in variant.seat_names] for kind in ("low", "high"))
        assert row["status"] == "exact"
        assert row["nodes"] > 0
        if concept == "equilibria":
            vectors = ks.equilibria(position)
            assert low == np.min(vectors, axis=0).tolist()
            assert high == np.max(vectors, axis=0).tolist()
            continue
        assert low == high
        if concept == "shapley":
            assert low == [6 * share for share in ks.shapley(position)]
        elif concept == "maxn":
            assert tuple(low) == ks.maxn(position)
        else:
            assert low == [ks.guarantee(position, seat) for seat in variant.seat_names]


def endgame(id: str, cards: int = 4) -> ks.Variant:
    """The variant with hands of a few cards, from a pack that has its queens in it."""
    variant = ks.load_variant(id)
    keep = [bit for bit in range(61) if variant.pack >> bit & 1 and bit & 15 in (10, 11, 9, 12)]
    pack = sum(1 << bit for bit in keep[: variant.seats * cards])

    def smaller(contract: ks.Contract) -> ks.Contract:
        points = contract.trick_points[-cards:]
        worth = tuple((mask & pack, value) for mask, value in contract.card_points if mask & pack)
        return dataclasses.replace(
            contract, pack=pack, hand_size=cards, trick_points=points, card_points=worth
        )

    contracts = {name: smaller(contract) for name, contract in variant.contracts.items()}
    return dataclasses.replace(variant, pack=pack, hand_size=cards, out=0, packet=1, contracts=contracts)


def test_who_sees_all_hands_plays_the_max_n_line(tmp_path: Path) -> None:
    """Four open seats take what max^n says; one among others never does worse for seeing the last tricks."""
    variant = endgame("russian-14")
    seen = simulate(variant, tmp_path / "a", deals=6, seed=2, play="open")
    solved = simulate(variant, tmp_path / "b", deals=6, seed=2, play="exact:maxn")
    assert [row[3:7] for row in rows(seen)] == [row[3:7] for row in rows(solved)]
    mixed = "open,policy:careful,policy:random,policy:careful"
    one = simulate(variant, tmp_path / "c", deals=6, seed=2, play=mixed, contracts=["tricks"])
    assert str(one.plan.play) == mixed
    assert all(sum(row[3:7]) == variant.contract("tricks").total for row in rows(one))
    careful = simulate(
        variant, tmp_path / "d", deals=6, seed=2, play="policy:careful", contracts=["tricks"], rotations=True
    )
    by_hand = simulate(
        variant, tmp_path / "e", deals=6, seed=2, contracts=["tricks"], rotations=True, nodes=1, play="open"
    )
    # Open seats that the limit stops play as careful does, one card at a time from Position.
    assert [row[:7] for row in rows(careful)] == [row[:7] for row in rows(by_hand)]
    assert {row[-1] for row in rows(by_hand)} == {"limited"}


@pytest.mark.parametrize("concept", ["maxn", "guarantee", "shapley", "equilibria"])
def test_what_a_limit_stops_is_recorded_as_bounds(tmp_path: Path, concept: str) -> None:
    play = f"exact:{concept}"
    exact = simulate(RUSSIAN, tmp_path / "a", deals=2, seed=1, play=play, contracts=["no-king"])
    run = simulate(RUSSIAN, tmp_path / "b", deals=2, seed=1, play=play, contracts=["no-king"], nodes=50)
    for true, found in zip(rows(exact), rows(run), strict=True):
        assert found[-1] == "bounds"
        for value, low, high in zip(true[3:7], found[3:7], found[7:11], strict=True):
            assert low <= value <= high


def test_a_finished_run_is_left_alone_and_another_refused(tmp_path: Path) -> None:
    folder = tmp_path / "a"
    simulate(RUSSIAN, folder, deals=20, seed=1, chunk=10, contracts=["men"])
    before = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()}
    simulate(RUSSIAN, folder, deals=20, seed=1, chunk=10, contracts=["men"])
    assert {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()} == before
    for change, words in (
        ({"seed": 2}, "seed 1 there, 2 asked"),
        (
            {"deals": 21, "play": "policy:random"},
            "play 'policy:careful' there, 'policy:random' asked; deals 20",
        ),
        ({"contracts": ["king"]}, r"contract \['men'\] there, \['king'\] asked"),
    ):
        arguments = {"deals": 20, "seed": 1, "chunk": 10, "contracts": ["men"], **change}
        with pytest.raises(KingError, match=words):
            simulate(RUSSIAN, folder, **arguments)
    edited = dataclasses.replace(RUSSIAN, sha256="0" * 64)
    with pytest.raises(KingError, match=r"variant_sha256 'b3fd.*there, '0000"):
        simulate(edited, folder, deals=20, seed=1, chunk=10, contracts=["men"])


def test_parts_that_do_not_verify_are_done_again(tmp_path: Path) -> None:
    folder = tmp_path / "a"
    run = simulate(RUSSIAN, folder, deals=50, seed=1, chunk=10, contracts=["men"])
    whole = {path.name: path.read_bytes() for path in folder.iterdir()}
    (folder / part_name(0)).unlink()
    (folder / part_name(1)).write_bytes(b"")
    bad = bytearray(whole[part_name(2)])
    bad[60] ^= 1
    (folder / part_name(2)).write_bytes(bad)
    (folder / part_name(3)).write_bytes(whole[part_name(4)])
    (folder / f".{part_name(4)}.0123456789abcdef.tmp").write_bytes(b"half a pa")
    for index in (0, 1, 2, 3):
        with pytest.raises(KingError, match=f"part-00000{index}.parquet: expected part {index} of the run"):
            run.part(index)
    said: list[str] = []
    simulate(RUSSIAN, folder, deals=50, seed=1, chunk=10, contracts=["men"], notice=said.append)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == whole
    assert sum("it is done again" in line for line in said) == 3
    assert said[-1] == "continuing: 1 of 5 parts are there"


def test_any_flipped_bit_is_seen(tmp_path: Path) -> None:
    """In a hundred places all over the file: it does not verify, or the values are still the same."""
    run = simulate(RUSSIAN, tmp_path / "a", deals=40, seed=1, contracts=["men"], chunk=40)
    path, table = tmp_path / "a" / part_name(0), run.part(0)
    whole = path.read_bytes()
    seen = 0
    for place in range(0, len(whole), max(1, len(whole) // 100)):
        bad = bytearray(whole)
        bad[place] ^= 16
        path.write_bytes(bad)
        try:
            assert run.part(0).equals(table)
        except KingError:
            seen += 1
    assert seen > 50


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"deals": 0}, "expected deals from 1 to"),
        ({"seed": -1}, "expected seed from 0 to"),
        ({"chunk": 0}, "expected chunk from 1 to"),
        ({"play": "policy:brave"}, "expected a way to play, one of exact:maxn .* open, got 'policy:brave'"),
        ({"play": "open,open"}, "expected one player, or 4 for N E S W, got 2"),
        (
            {"play": "exact:maxn,open,open,open"},
            "expected a way to play, one of policy:random policy:careful policy:normal policy:easy open,",
        ),
        ({"contracts": []}, "expected one or more contracts, got none"),
        ({"contracts": ["boys"]}, "expected a contract of russian-14"),
        ({"nodes": 5}, "expected a node limit with exact or open play only"),
        ({"engine": "ray"}, "expected an engine, one of threads serial dask, got 'ray'"),
        ({"scheduler": "tcp://x"}, "expected a scheduler with engine 'dask' only"),
        ({"jobs": 0}, "expected jobs of at least 1"),
    ],
)
def test_parameters_that_are_none(tmp_path: Path, change: dict[str, object], words: str) -> None:
    with pytest.raises(KingError, match=words):
        simulate(RUSSIAN, tmp_path / "a", **{"deals": 1, "seed": 1, **change})
    assert not (tmp_path / "a").exists() or not list((tmp_path / "a").iterdir())


def test_folders_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(KingError, match="expected a folder for the run, got a file"):
        simulate(RUSSIAN, tmp_path / "file", deals=1, seed=1)
    with pytest.raises(KingError, match="expected an empty folder or one with a run, got 'file'"):
        simulate(RUSSIAN, tmp_path, deals=1, seed=1)
    with pytest.raises(KingError, match=r"it has no manifest\.json"):
        open_run(tmp_path)
    (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(KingError, match="expected the manifest of a run"):
        open_run(tmp_path)


def test_plays_by_name() -> None:
    assert str(parse_play("policy:careful")) == "policy:careful"
    assert parse_play("exact:shapley").scale == 6
    assert str(parse_play("open", 3)) == "open"
    assert parse_play("policy:random", 3).players == ("random",) * 3


RUN = """
import sys, kingsolve as ks
ks.simulate("russian-14", sys.argv[1], contracts=["men", "no-king"], deals=20_000, seed=9, chunk=500,
            engine=sys.argv[2])
"""


def begun(folder: Path, engine: str = "threads", limit: int | None = None) -> "subprocess.Popen[str]":
    def limited() -> None:
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    return subprocess.Popen(
        [sys.executable, "-c", RUN, str(folder), engine],
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=limited,
    )


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


FORKS = """
import os, sys
import pyarrow.parquet
import kingsolve as ks
from kingsolve.simulation import make_plan, run_plan
from kingsolve.simulation._engines import warm_up

plan = make_plan(ks.load_variant("russian-14"), contracts=["men", "no-king"], play="policy:careful",
                 deals=20_000, seed=9, chunk=500)
warm_up(plan, print)
for line in sys.stdin:
    child = os.fork()
    if not child:
        run_plan(plan, line.strip(), jobs=2)
        os._exit(0)
    print(child, flush=True)
    print(os.waitpid(child, 0)[1], flush=True)
"""
"""Runs as processes, forked where everything is loaded: a folder a line in, pid and status out."""


def test_killed_ten_times_it_ends_with_the_same_bytes(tmp_path: Path) -> None:
    """SIGKILL as soon as another few parts are there, or while one is being written."""
    folder = tmp_path / "b"
    with subprocess.Popen(
        [sys.executable, "-c", FORKS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as forks:

        def start(where: Path) -> int:
            forks.stdin.write(f"{where}\n")
            return int(forks.stdout.readline())

        start(tmp_path / "a")
        assert forks.stdout.readline() == "0\n"
        for kill in range(10):
            before = len(list(folder.glob("part-*")))
            process = start(folder)
            while len(list(folder.glob("part-*"))) < before + 1 + kill % 3:
                time.sleep(0.001)
            deadline = time.monotonic() + 0.05
            while kill % 2 and not list(folder.glob(".part-*.tmp")) and time.monotonic() < deadline:
                pass
            os.kill(process, signal.SIGKILL)
            assert forks.stdout.readline() == f"{signal.SIGKILL.value}\n"
        assert 10 <= len(list(folder.glob("part-*"))) < 40
        start(folder)
        assert forks.stdout.readline() == "0\n"
        forks.stdin.close()
    assert contents(folder) == contents(tmp_path / "a")


def test_a_full_disk_keeps_what_is_whole(tmp_path: Path) -> None:
    """A file larger than files may be: an error in words, nothing half written; then it goes on."""
    process = begun(tmp_path / "a", limit=4096)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert re.search(r"OSError: \[Errno 27\] File too large: '.*/a/manifest\.json'", errors)
    assert not list((tmp_path / "a").glob(".part*"))
    process = begun(tmp_path / "a", engine="serial")
    assert process.wait(60) == 0
    process.stderr.close()
    assert len(list((tmp_path / "a").glob("part-*.parquet"))) == 40


@pytest.mark.parametrize("step", ["pq.write_table", "os.fsync", "os.replace"])
@pytest.mark.parametrize("engine", ["serial", "threads"])
def test_no_room_at_any_step_leaves_only_whole_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, engine: str
) -> None:
    """The fourth part meets a full disk: in writing, in making it durable, or in renaming."""
    arguments = {"deals": 80, "seed": 1, "chunk": 10, "contracts": ["men"], "engine": engine, "jobs": 2}
    whole = contents(simulate(RUSSIAN, tmp_path / "whole", **arguments).folder)
    where, name = step.split(".")
    module = getattr(_store, where)
    true, calls = getattr(module, name), iter(range(10_000))
    fine = {"fsync": 8, "replace": 4}.get(name, 3)  # the manifest has two, and one

    def full(*given: object, **named: object) -> object:
        if next(calls) < fine:
            return true(*given, **named)
        if name == "write_table":
            Path(str(given[1])).write_bytes(b"half a par")
        raise OSError(errno.ENOSPC, "Error writing bytes to file. Detail: [errno 28]")

    with monkeypatch.context() as patch:
        patch.setattr(module, name, full)
        with pytest.raises(OSError, match=r"No space left on device: '.*/a/part-\d{6}.parquet'"):
            simulate(RUSSIAN, tmp_path / "a", **arguments)
    there = contents(tmp_path / "a")
    assert 4 <= len(there) < 9
    assert all(whole[path] == data for path, data in there.items())
    assert contents(simulate(RUSSIAN, tmp_path / "a", **arguments).folder) == whole


def test_two_runs_do_not_share_a_folder(tmp_path: Path) -> None:
    from kingsolve.simulation._store import locked

    tmp_path.joinpath("a").mkdir()
    with locked(tmp_path / "a"), pytest.raises(KingError, match="another run is writing into this folder"):
        simulate(RUSSIAN, tmp_path / "a", deals=1, seed=1)


def test_interrupted_it_stops_and_goes_on(tmp_path: Path) -> None:
    def stop(_: object) -> None:
        raise KeyboardInterrupt

    for engine in ("serial", "threads"):
        folder = tmp_path / engine
        with pytest.raises(KeyboardInterrupt):
            simulate(RUSSIAN, folder, deals=200, seed=1, chunk=10, progress=stop, engine=engine)
        run = simulate(RUSSIAN, folder, deals=200, seed=1, chunk=10, engine=engine)
        assert not run.missing


def test_progress_counts_every_round_once(tmp_path: Path) -> None:
    heard: dict[str, int] = {}

    def hear(tick: ks.simulation.Tick) -> None:
        heard[tick.contract] = heard.get(tick.contract, 0) + tick.rounds

    for _ in range(2):  # the second time what is there is counted too
        heard.clear()
        simulate(RUSSIAN, tmp_path / "a", deals=200, seed=1, chunk=30, rotations=True, progress=hear)
        assert heard == dict.fromkeys(RUSSIAN.contracts, 800)


def test_large_seeds_and_numbers(tmp_path: Path) -> None:
    run = simulate(
        RUSSIAN, tmp_path / "a", deals=3, seed=2**64 - 1, first=2**64 - 5, contracts=["men"], chunk=2
    )
    assert np.concatenate([part.column("deal").to_numpy() for part in run.parts()]).tolist() == [
        2**64 - 5 + i for i in range(3)
    ]


def test_plans_are_checked_before_anything_is_written(tmp_path: Path) -> None:
    plan = make_plan(RUSSIAN, contracts=["men", "men"], play="policy:random", deals=5, seed=1)
    assert [contract.name for contract in plan.contracts] == ["men"]
    assert plan.parts == 1
    assert os.listdir(tmp_path) == []
