"""`kingsolve score`: every card checked, every point counted, every file added up."""

import csv
import io
import json
from pathlib import Path

import pytest

import kingsolve as ks
from command import DEALS, ENDING, RUSSIAN, good, pbn, records, refused, run
from kingsolve.notation import write_pbn

TAGS = {"KingVariant": "russian-14", "KingContract": "no-last-two", "KingLeader": "N"}
PLAY = ['[Play "N"]', "SJ D8 SA S8", "H8 HT C9 CJ", "H9 H7 HK HQ"]
SCORES = {"N": 0, "E": 0, "S": -8, "W": -8}


def ending(*play: str, **tags: str) -> str:
    return pbn(ENDING, *(play or PLAY), **{**TAGS, **tags})


def test_the_contract_asked_for_replaces_one_that_the_variant_has_not() -> None:
    """A round of full-king's eralash, looked at by the rules of parlett-4, which has none."""
    file, asked = DEALS / "full-king.pbn", ("--variant", "parlett-4", "--contract", "no-king")
    lines = good("convert", file, "-", "--to", "json").splitlines()
    for source, text in ((file, None), ("-", lines[0] + "\n")):
        result = run("score", source, "--game", 1, *asked, "--format", "json", input=text)
        (scored,) = map(json.loads, result.stdout.splitlines())
        assert (scored["contract"], scored["scores"]["N"], result.exit_code) == ("no-king", -16, 1)
        assert "expected tag KingScores 'N:-16 E:0 S:0 W:0'" in result.stderr
        (known,) = records("know", source, "--game", 1, "--seat", "N", *asked, input=text)
        assert (known["variant"], known["contract"]) == ("parlett-4", "no-king")
    said = refused("score", file, "--game", 1, "--variant", "parlett-4", code=1)
    assert said.endswith("got 'eralash'")
    assert "'--contract'" in refused("score", file, "--game", 1, "--contract", "nonsense", code=2)


def test_a_round_is_replayed_and_scored() -> None:
    round_, total = records("score", "-", input=ending())
    assert round_ == {
        "game": 1,
        "board": "1",
        "variant": "russian-14",
        "contract": "no-last-two",
        "leader": "N",
        "cards": 12,
        "finished": True,
        "scores": SCORES,
    }
    assert total == {"file": "-", "rounds": 1, "totals": SCORES, "places": {"N": 1, "E": 1, "S": 3, "W": 3}}


def test_scores_are_those_of_positions() -> None:
    for file in sorted(DEALS.glob("*.pbn")):
        if file.name == "bridge.pbn":
            continue
        *rounds, total = records("score", file)
        games = {game.number: game for game in ks.read_pbn(file) if game.round is not None}
        assert [record["game"] for record in rounds] == list(games)
        sums: dict[str, int] = {}
        for record in rounds:
            played = games[record["game"]].round
            assert played is not None
            assert tuple(record["scores"].values()) == played.position().banked
            assert record["agrees"]
            for seat, points in record["scores"].items():
                sums[seat] = sums.get(seat, 0) + points
        assert total["totals"] == sums
        assert total["rounds"] == len(rounds)


def test_a_whole_match_sums_to_zero(tmp_path: Path) -> None:
    match = ks.Match("short-king", seed=7)
    games = []
    while not match.is_over:
        if match.contract is None:
            match.choose(match.open[0])
        place = match.position()
        cards = []
        while not place.is_over:
            cards.append(place.legal_cards()[0])
            place.push(cards[-1])
        assert match.contract is not None
        round_ = ks.Round(match.contract, match.leader, match.deal(), cards)
        games.append(ks.Game(match.number, 1, match.deal(), {"Board": str(match.number)}, round_))
        match.play(round_)
    file = tmp_path / "match.pbn"
    write_pbn(games, file)
    *rounds, total = records("score", file)
    assert tuple(total["totals"].values()) == match.totals
    assert sum(total["totals"].values()) == 0
    assert tuple(total["places"].values()) == match.places
    assert [tuple(record["scores"].values()) for record in rounds] == list(match.scores)


@pytest.mark.parametrize(
    ("play", "row", "words"),
    [
        (["SJ D8 SA H7"], 7, "you do not hold that card: '7h'"),
        (["SJ D8 SA HQ"], 7, "you must follow suit: 'Qh' on a spade lead while holding '8s' (W, trick 6)"),
        (["SJ D8 SA S8", "SA D8 C9 CJ"], 8, "you do not hold that card"),
        (["SJ D8 SA S8 H8 HT", "C9", "C9"], 9, "you do not hold that card: '9c'"),
        (["SJ D8 SA S8", "% a line that is skipped", "HT HQ C9 CJ"], 9, "you do not hold that card: 'Th'"),
    ],
)
def test_the_first_illegal_card_with_seat_trick_and_reason(play: list[str], row: int, words: str) -> None:
    """Told where the card's own row is, by every command that replays a record."""
    text = ending('[Play "N"]', *play, "*")
    line = refused("score", "-", input=text, code=1)
    assert words in line
    assert line.startswith(f"kingsolve: <stdin>:{row}: game 1: no-last-two: ")
    for arguments in (["--trace"], ["--after", "8"], ["--contract", "king", "--trace"]):
        if arguments != ["--after", "8"] or row != 7:
            line = refused("analyze", "-", *arguments, input=text, code=1)
            assert line.startswith(f"kingsolve: <stdin>:{row}: game 1: you ")


def test_a_leader_who_did_not_lead_the_record() -> None:
    """By tag it is the file's fault, for all readers; as an option, the option's, where the record counts."""
    bad = ending(KingLeader="E")
    for command in (["score"], ["analyze"], ["analyze", "--trace"], ["know", "--seat", "N"], ["convert"]):
        rest = ["-"] if command == ["convert"] else []
        line = refused(*command, "-", *rest, input=bad, code=1)
        expected = "expected tag KingLeader to be N, who leads in the recorded play, got 'E'"
        assert line == f"kingsolve: <stdin>:5: game 1: {expected}"
    for command in (["score"], ["analyze", "--trace"], ["analyze", "--after", "3"], ["know", "--seat", "N"]):
        line = refused(*command, "-", "--leader", "E", input=ending(), code=2)
        assert "'--leader': expected N, who leads in the recorded play (game 1), got 'E'" in line
        good(*command, "-", "--leader", "N", input=ending())
    found = records(
        "analyze", "-", "--leader", "E", "--contract", "king", input=ending()
    )  # what if E had led
    assert found[0]["leader"] == "E"
    seat = records("analyze", "-", "--seat", "S", "--after", "2", "--leader", "N", input=ending())
    assert seat[0]["seat"] == "S"
    line = refused("analyze", "-", "--seat", "S", "--after", "2", "--leader", "E", input=ending(), code=2)
    assert "'--leader'" in line


def test_knowledge_of_an_impossible_record_cites_its_row() -> None:
    text = ending('[Play "N"]', "SJ D8 SA S8", "HT HQ C9 CJ", "*")
    for command in (["know"], ["analyze", "--contract", "king"]):
        line = refused(*command, "-", "--seat", "N", input=text, code=1)
        assert line.startswith("kingsolve: <stdin>:8: game 1: expected facts that some deal satisfies")


def test_an_illegal_card_of_lin_cites_its_line() -> None:
    text = (
        "md|1SAK9HDKTCAK9,S87HQDQ97CJ8,SQJHA98DACT7,STHKJT7DJ8CQ|\npc|CQ|pc|CA|pc|CJ|pc|CT|\npc|SA|pc|SJ|\n"
    )
    line = refused("score", "-", "--contract", "no-men", input=text, code=1)
    assert line.startswith("kingsolve: <stdin>:3: game 1: no-men: you do not hold that card: 'Js'")


def test_scores_that_differ_from_the_tag_are_a_fault() -> None:
    agreeing = ending(KingScores="N:0 E:0 S:-8 W:-8")
    assert records("score", "-", input=agreeing)[0]["agrees"]
    result = run("score", "-", input=ending(KingScores="N:-8 E:0 S:-8 W:0"))
    assert result.exit_code == 1
    expected = "expected tag KingScores 'N:0 E:0 S:-8 W:-8' after these cards, got 'N:-8 E:0 S:-8 W:0'"
    assert result.stderr == f"kingsolve: <stdin>:6: game 1: {expected}\n"
    assert "but written N:-8 E:0 S:-8 W:0" in result.stdout


def test_a_garbled_scores_tag_is_a_fault() -> None:
    for play in (PLAY, PLAY[:-1]):  # in a round that is not finished too
        line = refused("score", "-", input=ending(*play, KingScores="N:many"), code=1)
        assert line.startswith("kingsolve: <stdin>:6: game 1: expected tag KingScores as")


def test_keep_going_scores_the_others() -> None:
    bad = ending('[Play "N"]', "SJ D8 SA HQ", "*")
    text = ending() + bad + ending(KingScores="N:-8 E:0 S:-8 W:0") + pbn("garbled") + ending()
    result = run("score", "-", "--keep-going", "--format", "json", input=text)
    assert result.exit_code == 1
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert [record.get("game") for record in found] == [1, 3, 5, None]
    assert found[-1]["totals"]["S"] == -24
    assert [line.split(": ")[2] for line in result.stderr.splitlines()] == ["game 2", "game 3", "game 4"]
    stopped = run("score", "-", "--format", "json", input=text)
    assert (stopped.exit_code, stopped.stdout.count("\n"), stopped.stderr.count("\n")) == (1, 1, 1)


def test_an_unfinished_round_is_scored_as_far_as_it_goes() -> None:
    (record, _) = records("score", "-", input=ending(*PLAY[:3], "*", KingScores="N:0 E:-8 S:-8 W:0"))
    assert (record["finished"], record["cards"]) == (False, 8)
    assert "agrees" not in record
    assert "8 cards, not finished" in good("score", "-", input=ending(*PLAY[:3], "*"))


def test_contract_leader_and_variant_by_option() -> None:
    bare = pbn(ENDING, *PLAY)
    assert "expected tag KingContract or --contract" in refused("score", "-", input=bare, code=1)
    arguments = "score", "-", "--contract", "no-last-two"
    assert records(*arguments, input=bare)[0]["scores"] == SCORES
    assert records(*arguments, "--leader", "N", input=bare)[0]["leader"] == "N"
    (record, _) = records(*arguments, "--variant", "king-1993", input=bare)
    assert record["scores"] == {seat: 10 * points for seat, points in SCORES.items()}


def test_games_without_a_round_are_noted_not_faulty() -> None:
    result = run("score", RUSSIAN)
    assert result.exit_code == 0
    assert result.stderr == f"kingsolve: note: {RUSSIAN}: no round recorded in game 1 3\n"
    assert "expected a recorded round" in refused("score", "-", input=pbn(ENDING), code=1)


def test_game_picks_by_number() -> None:
    *rounds, _ = records("score", DEALS / "full-king.pbn", "--game", "2")
    assert [record["game"] for record in rounds] == [2]


def test_csv_has_a_row_a_seat_and_running_totals(tmp_path: Path) -> None:
    target = tmp_path / "scores.csv"
    files = DEALS / "full-king.pbn", DEALS / "parlett-3.pbn"
    assert good("score", *files, "--format", "csv", "-o", target) == ""
    text = target.read_text(encoding="utf-8")
    assert text == good("score", *files, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["seat"] for row in rows] == [*"NESW", *"NESW", *"NES", *"NES"]
    *_, total = records("score", files[0])
    assert {row["seat"]: int(row["running"]) for row in rows[4:8]} == total["totals"]


def test_the_table_has_totals_and_places() -> None:
    lines = good("score", DEALS / "king-1993.pbn").splitlines()
    assert lines[-2].split() == ["total", "0", "+240", "+40", "+40", "2", "rounds"]
    assert lines[-1].split() == ["place", "4", "1", "2", "2"]
