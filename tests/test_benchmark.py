"""`kingsolve bench` and its reference: the nodes and values that every build must have."""

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import kingsolve as ks
from command import DEALS, good, refused
from kingsolve import benchmark
from kingsolve._dds import NOTRUMP, compare
from kingsolve.benchmark import check, measure, reference, reference_of, solve_series
from kingsolve.cards import LANE

SCRIPTS = Path(__file__).parents[1] / "benchmarks"
TINY = ("bench", "--quick", "--contract", "king,no-king", "--jobs", 2)
WRITE_ANEW = "if the core was meant to change, write the reference anew: python benchmarks/reference.py"


@pytest.fixture(scope="module")
def fresh() -> dict[str, Any]:
    """A small reference of the core as it is now, so that only the first tests here know the shipped one."""
    variants: dict[str, dict[str, Any]] = {}
    for id, names in (("russian-14", ("king", "no-king")), ("rifki", ("no-king",))):
        variant = ks.load_variant(id)
        speeds = [solve_series(variant, variant.contract(name), deals=2) for name in names]
        variants[id] = {s.contract: {"nodes": s.nodes, "values": s.values, "ms": s.ms} for s in speeds}
    where = {"machine": "here", "isa": "base", "commit": "c0ffee"}
    return {"seed": benchmark.SEED, "where": where, "variants": variants}


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch, fresh: dict[str, Any]) -> dict[str, Any]:
    """Fewer deals, threads compared in a moment, and a copy of that reference in place of the shipped one."""
    copy: dict[str, Any] = json.loads(json.dumps(fresh))
    scale = benchmark.scale
    monkeypatch.setattr(benchmark, "reference", lambda: copy)
    monkeypatch.setattr(benchmark, "QUICK_DEALS", 2)
    monkeypatch.setattr(benchmark, "scale", lambda *args, **kw: scale(*args, **{**kw, "seconds": 0.01}))
    return copy


@pytest.mark.parametrize("id", ks.variant_ids())
def test_the_reference_is_this_core(id: str) -> None:
    """The first deal of every contract: the nodes and values of the reference."""
    variant = ks.load_variant(id)
    known = reference_of(variant)
    assert known is not None, f"no reference of {id}: python benchmarks/reference.py"
    assert list(known) == list(variant.contracts), f"other contracts: {WRITE_ANEW}"
    for name, contract in variant.contracts.items():
        speed = solve_series(variant, contract, deals=1)
        try:
            check(speed, known[name], variant.seats)
        except ks.KingError as error:
            pytest.fail(f"{error}\n{WRITE_ANEW}")


def test_the_reference_is_whole() -> None:
    """As many nodes, values and times as there are seats in the deals; where it was measured."""
    assert set(reference()) == {"seed", "where", "variants"}
    assert reference()["seed"] == benchmark.SEED
    assert reference()["where"]["machine"]
    assert reference()["where"]["commit"]
    for id, contracts in reference()["variants"].items():
        seats = ks.load_variant(id).seats
        solves = seats * benchmark.DEALS.get(id, benchmark.DEALS_OF_OTHERS)
        for name, row in contracts.items():
            assert [len(row[key]) for key in ("nodes", "values", "ms")] == [solves] * 3, (id, name)


def test_another_search_is_an_error(quick: dict[str, Any]) -> None:
    """A node or a point other than the reference's: one line, and exit 1."""
    known = quick["variants"]["russian-14"]
    known["no-king"]["nodes"][5] += 1
    line = refused(*TINY, code=1)
    assert " points of E in no-king, deal 1 of seed 40000, as in the reference, got " in line
    known["no-king"]["nodes"][5] -= 1
    known["king"]["values"][0] += 2
    assert " points of N in king, deal 0 of seed 40000, as in the reference, got " in refused(*TINY, code=1)


def test_the_table(quick: dict[str, Any]) -> None:
    lines = good(*TINY).splitlines()
    assert lines[0].startswith("kingsolve 0.")
    assert lines[0].endswith(" instructions")
    assert lines[2] == "russian-14: the guarantee of every seat, 2 deals of 8 cards a hand"
    assert [line.split()[0] for line in lines[4:8]] == ["contract", "king", "no-king", "all"]
    assert lines[9].startswith("1 thread: ")
    assert lines[10].startswith("2 threads: ")
    assert "times one thread's" in lines[10]
    assert lines[11] == "nodes and values: as in the reference, 16 solves"
    assert lines[12] == "speed: times the reference's, here, base, c0ffee"
    assert max(map(len, lines)) <= 80


def test_json_and_a_file(quick: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "bench.json"
    assert good(*TINY, "-o", path) == ""
    [found] = [json.loads(line) for line in path.read_text().splitlines()]
    assert found["checked"] is True
    assert (found["variant"], found["deals"], found["cards"], found["seed"]) == ("russian-14", 2, 8, 40_000)
    assert [row["contract"] for row in found["contracts"]] == ["king", "no-king"]
    for row in [*found["contracts"], found["all"]]:
        assert row["solves"] == (16 if row["contract"] == "all" else 8)
        assert row["nodes"]["median"] <= row["nodes"]["p95"] <= row["nodes"]["max"]
        assert row["solves_per_second"] > 0
        assert row["ratio"] > 0
    assert [row["jobs"] for row in found["threads"]] == [1, 2]
    assert found["dds"] == []
    assert found["isa"] in ("base", "v3")
    table = tmp_path / "bench.txt"
    assert good(*TINY, "-o", table) == ""
    assert "as in the reference" in table.read_text()


def test_other_variants_and_a_file_of_ones_own(quick: dict[str, Any], tmp_path: Path) -> None:
    """Endings where whole deals are too large; rules of one's own have no reference."""
    found = json.loads(good("bench", "--quick", "--variant", "rifki", "--contract", "no-king", "-f", "json"))
    assert (found["cards"], found["checked"]) == (8, True)
    house = tmp_path / "house.toml"
    text = ks.load_variant("russian-14").text.replace("trick = -2", "trick = -4")
    house.write_text(text)
    lines = good("bench", "--quick", "--variant", house, "--contract", "no-king", "--jobs", 1).splitlines()
    assert lines[-1] == "no reference for this variant"
    assert lines[5].endswith(" -")


def test_what_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "expected a contract of russian-14" in refused("bench", "--contract", "nope", code=2)
    assert "expected a variant" in refused("bench", "--variant", "nope", code=2)
    assert "'--jobs'" in refused("bench", "--jobs", 0, code=2)
    monkeypatch.setattr("kingsolve_cli.benching.find_spec", lambda name: None)
    line = refused("bench", "--compare", "dds", code=1)
    assert line == "kingsolve: expected endplay for --compare dds: pip install 'kingsolve[bench]'"


def test_threads_must_change_nothing(quick: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    variant = ks.load_variant("russian-14")
    solve, calls = benchmark.solve_many_bounds, []

    def off_by_one(*args: Any, jobs: int, **kw: Any) -> ks.Bulk:
        calls.append(jobs)
        found = solve(*args, jobs=jobs, **kw)
        found.nodes[3] += np.uint64(jobs == 3)
        return found

    monkeypatch.setattr(benchmark, "solve_many_bounds", off_by_one)
    with pytest.raises(ks.KingError, match="one thread's nodes and values on 3, got others: king, deal 3"):
        measure(variant, contracts=["king"], quick=True, jobs=3)
    assert calls == [1, 3]


def test_the_fixed_deals() -> None:
    """data/deals/bench: as many as SOURCE.txt says, of the shapes it says, a hard one for each contract."""
    found = {path.stem: list(ks.read_pbn(path)) for path in (DEALS / "bench").glob("*.pbn")}
    assert {name: len(games) for name, games in found.items()} == {
        "random": 12, "tail": 14, "voids": 6, "apart": 6,
    }  # fmt: skip
    hands = {name: [game.deal.hands for game in games if game.deal] for name, games in found.items()}
    for masks in hands["voids"]:
        assert all(any(not mask >> 16 * suit & LANE for suit in range(4)) for mask in masks)
    for masks in hands["apart"]:
        assert not any(mask & mask << 1 for mask in masks)
    hard = [game.round.contract.name for game in found["tail"] if game.round]
    assert hard == list(ks.load_variant("russian-14").contracts)


# --- DDS, played by ourselves where endplay is not installed ---


class _Fake:
    """A module with the face of `endplay._dds`, which answers by the search for any side."""

    def __init__(self, wrong: int) -> None:
        self.asked, self.wrong = 0, wrong

    def SetMaxThreads(self, threads: int) -> None:
        assert threads == 1

    def deal(self) -> SimpleNamespace:
        return SimpleNamespace(
            currentTrickSuit=[9] * 3, currentTrickRank=[9] * 3, remainCards=[[0] * 4 for _ in range(4)]
        )

    def futureTricks(self) -> SimpleNamespace:
        return SimpleNamespace(score=[-1])

    def SolveBoard(self, deal: Any, target: int, solutions: int, mode: int, future: Any, thread: int) -> None:
        assert (deal.trump, target, solutions, mode, thread) == (4, -1, 1, 1, 0)
        hands = [sum(deal.remainCards[seat][i] >> 2 << 16 * (3 - i) for i in range(4)) for seat in range(4)]
        at = ks.Position.from_masks(NOTRUMP, hands, leader=deal.first)
        future.score[0] = ks.guarantee(at, "NS" if deal.first % 2 == 0 else "EW")
        future.score[0] += self.asked == self.wrong
        self.asked += 1


@pytest.fixture
def fake(quick: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> _Fake:
    made = _Fake(wrong=-1)
    package = SimpleNamespace(_dds=made)
    monkeypatch.setitem(sys.modules, "endplay", package)
    monkeypatch.setitem(sys.modules, "endplay._dds", made)
    monkeypatch.setattr(benchmark, "DDS_CARDS", (4,))
    monkeypatch.setattr("kingsolve_cli.benching.find_spec", lambda name: package)
    return made


def test_compare_dds(fake: _Fake) -> None:
    assert "no trumps, two against two, 4 cards a hand: " in good(*TINY, "--compare", "dds")
    [row] = json.loads(good(*TINY, "--compare", "dds", "-f", "json"))["dds"]
    assert (row["cards"], row["deals"], row["different"]) == (4, 50, 0)
    assert row["ratio"] > 0


def test_another_value_than_dds_is_an_error(fake: _Fake) -> None:
    fake.wrong = 7
    line = refused(*TINY, "--compare", "dds", code=1)
    assert line.startswith("kingsolve: expected DDS's values, got others: deal 7: ")


def test_dds_itself() -> None:
    """Where endplay is installed."""
    pytest.importorskip("endplay")
    found = compare(cards=6, deals=50)
    assert found.different == 0
    assert found.first_difference is None


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("nodes.py --cards 99", 2, "expected --cards of at most 8 in russian-14, got 99"),
        ("nodes.py --contract foo", 1, "expected a contract of russian-14, one of"),
        ("dds.py --cards 14", 2, "argument --cards: expected a whole number from 1 to 13, got '14'"),
        ("tune.py bridge -o /nowhere/w.json", 2, "expected a file in a folder that exists"),
        ("tune.py bridge --start /nowhere/w.json -o w.json", 2, "argument --start: [Errno 2] No such file"),
    ],
)
def test_scripts_refuse_what_they_cannot_measure(words: str, code: int, said: str) -> None:
    script, *arguments = words.split()
    ran = subprocess.run(
        [sys.executable, SCRIPTS / script, *arguments], capture_output=True, text=True, check=False
    )
    assert ran.returncode == code
    assert ran.stdout == ""
    assert ran.stderr.splitlines()[-1].startswith(f"{script}: error: ")
    assert said in ran.stderr.splitlines()[-1]
