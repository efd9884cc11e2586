"""`kingsolve analyze`: every option does what it says, and the numbers are the library's."""

from pathlib import Path

import pytest

import kingsolve as ks
from command import DEAL, DEALS, ENDING, RUSSIAN, analysed, good, pbn, refused, run
from kingsolve.analysis import analyze_position
from kingsolve.solver import Solver

VARIANT = ks.load_variant("russian-14")


def position(contract: str = "no-king", leader: str = "E") -> ks.Position:
    return ks.Position(VARIANT.contract(contract), DEAL, leader=leader)


def test_all_contracts_of_a_deal_are_the_librarys_numbers() -> None:
    found = analysed(RUSSIAN, "--game", "1", "--time-limit", "0")
    assert [record["contract"] for record in found] == list(VARIANT.contracts)
    for record in found:
        place = position(record["contract"])
        expected = analyze_position(place, Solver()).to_json()
        assert record | {"nodes": 0} == {"game": 1, "board": "1", **expected, "nodes": 0}


def test_the_values_are_those_of_the_functions() -> None:
    (record,) = analysed("--deal", DEAL, "--contract", "no-queens")
    place = position("no-queens")
    assert record["guarantee"] == {seat: ks.guarantee(place, side=seat) for seat in "NESW"}
    assert record["sides"] == {side: value for side, value in ks.coalitions(place).items() if len(side) == 2}
    assert record["shapley"] == dict(zip("NESW", map(str, ks.shapley(place)), strict=True))
    solution = ks.solve(place)
    assert record["cards"] == solution.cards
    assert record["line"] == solution.line
    assert (record["leader"], record["total"], record["status"]) == ("E", -16, "exact")


def test_contract_takes_commas_and_repeats_in_the_order_given() -> None:
    found = analysed("--deal", DEAL, "--contract", "men,no-king", "--contract", "king", "--contract", "men")
    assert [record["contract"] for record in found] == ["men", "no-king", "king"]


def test_contract_recorded_is_the_tags() -> None:
    found = analysed(RUSSIAN, "--game", "2", "--contract", "recorded")
    assert [record["contract"] for record in found] == ["no-queens"]
    assert "expected tag KingContract" in refused("analyze", RUSSIAN, "--contract", "recorded", code=1)


def test_leader() -> None:
    (record,) = analysed("--deal", DEAL, "--contract", "no-king", "--leader", "w")
    assert record["leader"] == "W"
    assert record["guarantee"]["N"] == ks.guarantee(position(leader="W"), side="N")


@pytest.mark.parametrize(
    ("tags", "variant", "leader"),
    [
        ({}, "russian-14", "E"),
        ({"Dealer": "S"}, "russian-14", "W"),
        ({"Dealer": "S", "KingLeader": "S"}, "russian-14", "S"),
        ({"KingVariant": "king-1993", "KingLeader": "N"}, "king-1993", "N"),
    ],
)
def test_variant_and_leader_come_from_the_tags(tags: dict[str, str], variant: str, leader: str) -> None:
    text = pbn(DEAL, **tags)
    found = analysed("-", "--contract", "no-king", input=text)
    assert [(record["variant"], record["leader"]) for record in found] == [(variant, leader)]


def test_variant_by_the_cards() -> None:
    deals = {
        DEAL: "russian-14",
        "N:A... K... Q...": "parlett-3",
        "N:A... K... Q... 2...": "dealers-choice-20",
    }
    for deal, variant in deals.items():
        found = analysed("--deal", deal, "--contract", "no-king", "--nodes", "1000")
        assert found[0]["variant"] == variant


def test_variant_by_id_and_by_file(tmp_path: Path) -> None:
    (record,) = analysed(RUSSIAN, "--game", "1", "--variant", "full-king", "--contract", "no-men")
    assert (record["variant"], record["total"]) == ("full-king", -16)
    house = tmp_path / "house.toml"
    house.write_text('extends = "russian-14"\n[contract]\nno-men = { title = "No", cards = { "J?" = -5 } }\n')
    (record,) = analysed(RUSSIAN, "--game", "1", "--variant", house, "--contract", "no-men")
    assert (record["variant"], record["total"]) == ("house", -20)


def test_side_adds_its_guarantee_and_turns_cards_and_line() -> None:
    (record,) = analysed("--deal", DEAL, "--contract", "no-queens", "--side", "N,S")
    solution = ks.solve(position("no-queens"), side="NS")
    assert record["side"] == "NS"
    assert record["cards"] == solution.cards
    assert record["line"] == solution.line
    (record,) = analysed("--deal", DEAL, "--contract", "no-queens", "--side", "WNS")
    assert record["sides"]["NSW"] == ks.guarantee(position("no-queens"), side="NSW")


def test_concepts_are_keys_only_when_asked_for() -> None:
    (plain,) = analysed("--deal", ENDING, "--contract", "no-tricks")
    assert not {"equilibria", "maxn", "best_case"} & plain.keys()
    (record,) = analysed(
        "--deal", ENDING, "--contract", "no-tricks", "--concept", "equilibria,maxn", "--concept", "best-case"
    )
    place = ks.Position(VARIANT.contract("no-tricks"), ENDING, leader="E")
    vectors = ks.equilibria(place)
    assert record["equilibria"]["count"] == len(vectors)
    assert record["equilibria"]["min"] == dict(zip("NESW", map(min, zip(*vectors, strict=True)), strict=True))
    assert record["maxn"] == dict(zip("NESW", ks.maxn(place), strict=True))
    assert record["best_case"] == {seat: ks.best_case(place, seat) for seat in "NESW"}


def test_no_cards_and_no_line() -> None:
    (record,) = analysed("--deal", DEAL, "--contract", "no-king", "--no-cards", "--no-line")
    assert not {"cards", "side", "line"} & record.keys()
    table = good("analyze", "--deal", DEAL, "--contract", "no-king", "--no-cards", "--no-line")
    assert "worth" not in table
    assert "a line" not in table


def test_trick_in_progress() -> None:
    (record,) = analysed("--deal", ENDING, "--contract", "no-king", "--leader", "S", "--trick", "9c Jc")
    place = ks.Position(VARIANT.contract("no-king"), ENDING, leader="S", trick="9c Jc")
    assert (record["leader"], record["turn"], record["trick"]) == ("S", "N", ["9c", "Jc"])
    assert record["guarantee"] == {seat: ks.guarantee(place, side=seat) for seat in "NESW"}
    assert record["cards"] == ks.solve(place).cards
    gone = ENDING.replace("A.K..9", "A.K..").replace("8.Q..J", "8.Q..")
    assert analysed("--deal", gone, "--contract", "no-king", "--leader", "S", "--trick", "9c Jc") == [record]


def test_broken_lifts_the_bar() -> None:
    deal = "N:A.5.. K.4.. Q.3.. J.2.."
    arguments = "--deal", deal, "--variant", "dealers-choice-20", "--contract", "no-hearts", "--leader", "N"
    assert list(analysed(*arguments)[0]["cards"]) == ["As"]
    assert list(analysed(*arguments, "--broken")[0]["cards"]) == ["As", "5h"]


def test_after_is_points_to_come() -> None:
    (game,) = (game for game in ks.read_pbn(RUSSIAN) if game.number == 2)
    assert game.round is not None
    for after in (0, 5, 12, len(game.round.cards)):
        (record,) = analysed(RUSSIAN, "--game", "2", "--after", str(after))
        place = game.round.position(after)
        assert record["contract"] == "no-queens"
        assert record["after"] == after
        assert record["banked"] == dict(zip("NESW", place.banked, strict=True))
        assert record["total"] == place.to_come == -16 - sum(place.banked)
        expected = {seat: 0 if place.is_over else ks.guarantee(place, side=seat) for seat in "NESW"}
        assert record["guarantee"] == expected


def test_trace_says_who_lost_what_where() -> None:
    (record,) = analysed(RUSSIAN, "--game", "2", "--trace")
    (game,) = (game for game in ks.read_pbn(RUSSIAN) if game.number == 2)
    assert game.round is not None
    assert [step["card"] for step in record["trace"]] == list(game.round.cards)
    for step in record["trace"]:
        place = game.round.position(step["number"] - 1)
        worth = ks.solve(place).cards
        best = max(worth.values())
        assert step["seat"] == place.turn
        assert step["lost"] == best - worth[step["card"]]
        assert step["best"] == [card for card, value in worth.items() if value == best]
        sure = ks.guarantee(place, side=place.turn) + place.banked["NESW".index(place.turn)]
        assert step["sure"][place.turn] == sure
    for seat in "NESW":
        assert record["lost"][seat] == sum(s["lost"] for s in record["trace"] if s["seat"] == seat)
    table = good("analyze", RUSSIAN, "--game", "2", "--trace")
    assert "card by card" in table
    assert " S lost 4: 4 in trick 1 (9♣)" in table


def test_nodes_shape_the_answer_and_bounds_are_shown() -> None:
    arguments = RUSSIAN, "--game", "1", "--contract", "no-men", "--nodes", "500"
    (record,) = analysed(*arguments)
    exact = analysed(RUSSIAN, "--game", "1", "--contract", "no-men")[0]
    assert record["status"] == "bounds"
    assert "out_of_time" not in record
    for seat, value in record["guarantee"].items():
        low, high = (value["min"], value["max"]) if isinstance(value, dict) else (value, value)
        assert low <= exact["guarantee"][seat] <= high
    assert any(isinstance(value, dict) for value in record["guarantee"].values())
    assert "shapley" not in record
    table = good("analyze", *arguments)
    assert "-16..0" in table
    assert "a..b: not solved" in table
    assert "500 nodes" in table


def test_time_limit_says_that_the_clock_cut() -> None:
    bridge = DEALS / "bridge.pbn"
    result = run("analyze", bridge, "--contract", "no-tricks", "--time-limit", "0.01", "--format", "json")
    assert result.exit_code == 0
    assert '"out_of_time": true' in result.stdout
    assert (
        result.stderr == "kingsolve: note: the clock cut 1 of 1 contracts short (--time-limit 0.01 s each)\n"
    )
    table = good("analyze", bridge, "--contract", "no-tricks", "--time-limit", "0.01")
    assert "cut by the clock (0.01 s" in table


@pytest.mark.parametrize("size", ["1", "64K", "1M", "0.5m", "1MiB", "1 mb", "1048576b"])
def test_memory_changes_no_value(size: str) -> None:
    arguments = RUSSIAN, "--game", "1", "--contract", "no-queens"
    (small,) = analysed(*arguments, "--memory", size)
    (usual,) = analysed(*arguments)
    assert small | {"nodes": 0, "line": []} == usual | {"nodes": 0, "line": []}


def test_jobs_change_nothing() -> None:
    arguments = "analyze", RUSSIAN, DEALS / "full-king.pbn", "--nodes", "20000", "--time-limit", "0"
    for format in ("table", "json", "csv"):
        outputs = {good(*arguments, "--format", format, "--jobs", jobs) for jobs in ("1", "2", "5")}
        assert len(outputs) == 1


def test_several_files_are_named_and_in_order() -> None:
    found = analysed(DEALS / "parlett-4.pbn", RUSSIAN, "--contract", "no-king")
    assert [(Path(record["file"]).name, record["game"]) for record in found] == [
        ("parlett-4.pbn", 1),
        ("parlett-4.pbn", 2),
        ("russian-14.pbn", 1),
        ("russian-14.pbn", 2),
        ("russian-14.pbn", 3),
    ]


def test_stdin_and_its_formats() -> None:
    for text in (pbn(DEAL), DEAL + "\n", f'{{"deal": "{DEAL}"}}\n'):
        (record,) = analysed("-", "--contract", "no-king", input=text)
        assert record["guarantee"] == {"N": -16, "E": 0, "S": 0, "W": 0}


def test_game_picks_by_number() -> None:
    assert [r["game"] for r in analysed(RUSSIAN, "--game", "3", "--game", "1", "--contract", "king")] == [
        1,
        3,
    ]
    assert "got 9" in refused("analyze", RUSSIAN, "--game", "9", code=2)


def test_keep_going_reports_skips_and_exits_1() -> None:
    text = pbn(DEAL) + pbn("N:A... A... K... Q...") + pbn(DEAL.replace("Q97", "Q9")) + pbn(ENDING)
    result = run("analyze", "-", "--contract", "king", "--format", "json", "--keep-going", input=text)
    assert result.exit_code == 1
    assert [line.split(",")[0] for line in result.stdout.splitlines()] == ['{"game": 1', '{"game": 4']
    first, second = result.stderr.splitlines()
    assert "<stdin>:5: game 2: expected each card once, got 'As' with both N and E" in first
    assert "game 3: expected hands of equal size" in second
    stopped = run("analyze", "-", "--contract", "king", "--format", "json", input=text)
    assert stopped.exit_code == 1
    assert stopped.stdout.count("\n") == 1
    assert stopped.stderr.splitlines() == [first]


def test_unknown_hands_are_one_clear_line() -> None:
    text = pbn("N:QJ.A98.A.T7 - - -")
    assert "expected the hand of E, got '-'" in refused("analyze", "-", code=1, input=text)
    line = refused("analyze", "-", "--side", "NS", code=1, input=text)
    assert "expected every hand known for --side, got '-'" in line


def test_a_plain_bridge_file_works() -> None:
    found = analysed(DEALS / "bridge.pbn", "--nodes", "2000", "--time-limit", "0")
    assert [record["contract"] for record in found] == list(ks.load_variant("dealers-choice-20").contracts)
    assert {record["leader"] for record in found} == {"N"}


@pytest.mark.parametrize(
    ("file", "chooser"), [("full-king.pbn", "E"), ("short-king.pbn", "E"), ("king-1993.pbn", "N")]
)
def test_contracts_are_ranked_for_the_chooser(file: str, chooser: str) -> None:
    found = [record for record in analysed(DEALS / file, "--game", "1", "--no-line") if "rank" in record]
    assert {record["chooser"] for record in found} == {chooser}
    ordered = sorted(found, key=lambda record: record["rank"])
    worth = [(eval_share(record["shapley"][chooser]), record["guarantee"][chooser]) for record in ordered]
    assert worth == sorted(worth, reverse=True)
    assert ordered[0]["rank"] == 1
    table = good("analyze", DEALS / file, "--game", "1", "--no-line", "--no-cards")
    assert f"ranked for {chooser}, who chooses, by Shapley share, then guarantee" in table
    titles = [ks.load_variant(record["variant"]).contract(record["contract"]).title for record in ordered]
    lines = table.splitlines()
    rows = [next(i for i, line in enumerate(lines) if line.startswith(f" {title} ")) for title in titles]
    assert rows == sorted(rows)


def eval_share(text: str) -> float:
    whole, _, part = text.partition("/")
    return int(whole) / int(part or 1)


def test_nothing_is_ranked_where_nothing_is_chosen_or_in_mid_round() -> None:
    assert all("rank" not in record for record in analysed(RUSSIAN, "--contract", "king,men"))
    arguments = DEALS / "full-king.pbn", "--game", "2", "--contract", "trumps-h,trumps-s"
    assert all("rank" in record for record in analysed(*arguments))
    assert all("rank" not in record for record in analysed(*arguments, "--after", "1"))


@pytest.mark.parametrize("file", sorted(path.name for path in DEALS.glob("*.pbn")))
def test_every_file_of_deals_is_analysed(file: str) -> None:
    found = analysed(DEALS / file, "--nodes", "3000", "--time-limit", "0", "--no-line")
    id = file.removesuffix(".pbn")
    assert {record["variant"] for record in found} == {"dealers-choice-20" if id == "bridge" else id}


def test_readmes_deal_is_quick_enough_in_nodes() -> None:
    found = analysed(RUSSIAN, "--game", "1")
    assert all(record["status"] == "exact" for record in found)
    assert sum(record["nodes"] for record in found) < 40_000_000
