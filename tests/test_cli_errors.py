"""Bad input is one line on stderr: exit code 1 for a file's fault, 2 for an option or path as typed."""

import json
import os
from pathlib import Path

import pytest

from command import DEAL, DEALS, ENDING, RUSSIAN, good, pbn, records, refused, run

TAGS = {"KingVariant": "russian-14", "KingContract": "no-last-two", "KingLeader": "N"}
ROUND = pbn(ENDING, '[Play "N"]', "SJ D8 SA S8", "*", **TAGS)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "expected at least one game, got none"),
        ("This is a letter.\nIt has no deal.\n", "expected at least one game, got none"),
        (b"\x00\x01\x02\xff" * 99, "expected a text file, got a NUL byte"),
        (b"\xff\xfeN\x00:\x00", "expected a text file"),
        (pbn("N:QJ.A98.A"), "got 'N:QJ.A98.A'"),
        (pbn("garbled"), "expected a deal such as"),
        (pbn(DEAL.replace("AK9..", "QK9..")), "expected each card once, got 'Qs' with both N and S"),
        (pbn(DEAL.replace("87.Q.", "82.Q."), KingVariant="russian-14"), "got '2s' with W"),
        (pbn(DEAL.replace(".J8 A", ".J8X A").replace("J8.Q", "J8.X")), "got 'X'"),
        (pbn(DEAL.replace("Q97.J8", "Q97.J")), "expected hands of equal size, got N 8, E 8, S 8, W 7"),
        (pbn(DEAL, KingVariant="bezique"), "expected tag KingVariant to name a variant"),
        (pbn(DEAL, KingContract="no-aces"), "expected a contract of russian-14"),
        (pbn(DEAL, KingLeader="X"), "expected a seat, one of N E S W, got 'X'"),
        (pbn("N:QJ.A98.A.T7 - - -"), "expected the hand of E, got '-'"),
        ('[Event "no cards"]\n', "expected a deal, got none"),
        ('[Board "1"]\n[KingVariant "russian-14"]\n', "expected a deal, got none"),
        (pbn("N:... ... ... ..."), "expected cards in the hands, got none"),
    ],
)
def test_faults_of_files_exit_1(text: str | bytes, words: str, tmp_path: Path) -> None:
    file = tmp_path / "games.pbn"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    for line in (refused("analyze", file, code=1), refused("analyze", "-", input=text, code=1)):
        assert words in line
    assert str(file) in refused("analyze", file, code=1)
    assert words in refused("analyze", "--format", "json", file, code=1)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["no-such.pbn"], "expected a file to read, got 'no-such.pbn': no such file"),
        (["."], "it is a directory"),
        ([RUSSIAN, "no-such.pbn"], "got 'no-such.pbn'"),
        ([], "expected a file to read, - or --deal, got none"),
        (["-", "-"], "expected - for standard input once"),
        ([RUSSIAN, "--deal", DEAL], "expected a deal or files, not both"),
        (["--deal", "garbled"], "'--deal': expected a deal such as"),
        (["--deal", ""], "'--deal': expected a deal such as"),
        (["--deal", DEAL.replace("Q97.J8", "Q97.J")], "'--deal': expected hands of equal size"),
        (["--deal", DEAL.replace("AK9..", "QK9..")], "expected each card once"),
        ([RUSSIAN, "--variant", "bezique"], "'--variant': expected a variant, one of dealers-choice-20"),
        ([RUSSIAN, "--variant", "no/such.toml"], "expected a variant file to read"),
        ([RUSSIAN, "--variant", "such.toml"], "no such file"),
        ([RUSSIAN, "--contract", "no-aces"], "expected a contract, one of"),
        ([RUSSIAN, "--contract", "trumps-s"], "expected a contract of russian-14, one of"),
        ([RUSSIAN, "--contract", "trumps-s", "--variant", "russian-14"], "got 'trumps-s'"),
        ([RUSSIAN, "--contract", ","], "expected names such as"),
        ([RUSSIAN, "--leader", "X"], "'--leader': expected a seat, one of N E S W, got 'X'"),
        ([str(DEALS / "parlett-3.pbn"), "--leader", "W"], "one of N E S, got 'W' (parlett-3)"),
        ([str(DEALS / "parlett-3.pbn"), "--side", "NW"], "got 'W' (parlett-3)"),
        ([RUSSIAN, "--side", "NN"], "expected each seat of a side once"),
        ([RUSSIAN, "--side", "N,X"], "got 'X'"),
        ([RUSSIAN, "--side", "NESW"], "expected a side with somebody against it"),
        ([RUSSIAN, "--concept", "optimal"], "expected names among equilibria maxn best-case"),
        ([RUSSIAN, "--trick", "Kx"], "expected a card such as 'As', 'Th' or '7c', got 'Kx'"),
        ([RUSSIAN, "--trick", "7c 8c 9c Tc"], "expected at most 3 cards"),
        (
            [RUSSIAN, "--game", "1", "--contract", "no-king", "--trick", "As"],
            "expected a card of E in the trick, got 'As', which S holds",
        ),
        ([RUSSIAN, "--trick", "As", "--after", "1"], "expected --trick or --after, not both"),
        ([RUSSIAN, "--trace", "--after", "1"], "expected --trace without --after"),
        ([RUSSIAN, "--after", "-1"], "'--after'"),
        (
            [RUSSIAN, "--game", "2", "--after", "21"],
            "expected at most the 20 cards recorded (game 2), got 21",
        ),
        (
            ["--deal", DEAL, "--contract", "recorded"],
            "'--contract': expected a file that records the contract",
        ),
        ([RUSSIAN, "--game", "4"], "'--game': expected a number of the 3 games of"),
        ([RUSSIAN, "--game", "x"], "'--game': expected a whole number from 1, got 'x'"),
        (
            [RUSSIAN, "--nodes", "99999999999999999999"],
            "expected a whole number from 1 to 9223372036854775808, got",
        ),
        ([RUSSIAN, "--jobs", "2000"], "expected a whole number from 1 to 1024, got '2000'"),
        ([RUSSIAN, "--game", "1", "--trace"], "expected --contract, or a game that records its contract"),
        ([RUSSIAN, "--memory", "lots"], "expected an amount of memory such as '64' (MiB), '64M' or '2G'"),
        ([RUSSIAN, "--memory", "3Q"], "got '3Q'"),
        ([RUSSIAN, "--memory", "1b"], "expected memory of 64K to 4096G"),
        ([RUSSIAN, "--nodes", "0"], "'--nodes'"),
        ([RUSSIAN, "--time-limit", "soon"], "'--time-limit'"),
        ([RUSSIAN, "--time-limit", "-1"], "'--time-limit'"),
        ([RUSSIAN, "--time-limit", "nan"], "expected seconds from 0, got 'nan'"),
        (
            ["--deal", ENDING, "--leader", "S", "--contract", "king", "--trick", "9c 9h"],
            "'--trick': expected a card of W in the trick, got '9h', which N holds",
        ),
        (
            ["--deal", ENDING, "--leader", "S", "--contract", "king", "--trick", "9c Tc"],
            "'--trick': expected a card of W in the trick, got 'Tc', which it does not hold",
        ),
        (
            ["--deal", DEAL, "--trick", "2d"],
            "'--trick': expected cards of the pack (7-A, 32 cards) in the trick",
        ),
        (["--deal", DEAL, "--trick", "Ts Ts"], "'--trick': expected each card of the trick once"),
        (
            ["--deal", DEAL, "--seat", "E", "--leader", "N", "--trick", "2d"],
            "'--trick': expected cards of the pack",
        ),
        ([RUSSIAN, "--game", "1", "--trick", "2d"], "'--trick': expected cards of the pack"),
        ([RUSSIAN, "--game", "1", "--trick", ""], "'--trick': expected cards such as 'Kd 7d', got ''"),
        ([RUSSIAN, "--game", "1", "--seen", " "], "'--seen': expected cards such as 'Kd 7d', got ' '"),
        (
            [RUSSIAN, "--game", "3", "--leader", "S", "--contract", "king", "--trick", "9c 7c"],
            "'--trick': expected a card of W in the trick, got '7c', which it does not hold",
        ),
        ([RUSSIAN, "--jobs", "0"], "'--jobs'"),
        ([RUSSIAN, "--format", "xml"], "'xml' is not one of 'table', 'json', 'csv', 'parquet'"),
        ([RUSSIAN, "--rows", "tricks"], "'--rows'"),
        ([RUSSIAN, "--format", "parquet"], "expected -o FILE with parquet"),
        ([RUSSIAN, "-o", "no/such/folder.json"], "no such directory"),
        ([RUSSIAN, "-o", "."], "it is a directory"),
        ([RUSSIAN, "--no-such-option"], "no such option"),
        (["--deal", DEAL, "--game", "1"], "'--game': expected --game with files only"),
        (["--deal", DEAL, "--after", "2"], "'--after': expected a file that records cards, got --deal"),
        (["--deal", DEAL, "--trace"], "'--trace': expected a file that records cards, got --deal"),
        ([RUSSIAN, "--rows", "cards"], "'--rows': expected --format csv or parquet with --rows, got table"),
        ([RUSSIAN, "--rows", "cards", "-f", "json"], "with --rows, got json"),
        ([RUSSIAN, "--rows", "cards", "-f", "csv", "--no-cards"], "expected --rows cards without --no-cards"),
        ([RUSSIAN, "--rows", "seats", "-f", "csv", "--trace"], "expected --rows without --trace"),
        ([RUSSIAN, "--broken", "--after", "3"], "expected --broken without --after and --trace"),
        ([RUSSIAN, "--broken", "--trace"], "expected --broken without --after and --trace"),
        (["--deal", DEAL, "--broken"], "'--broken': expected --broken later in the round: no card is played"),
        ([RUSSIAN, "--seat", "N", "--no-cards"], "'--no-cards': expected no --no-cards with --seat"),
        ([RUSSIAN, "--seat", "N", "--no-line"], "'--no-line': expected no --no-line with --seat"),
        ([RUSSIAN, "--seat", "N", "--nodes", "9"], "'--nodes': expected no --nodes with --seat"),
        (
            [RUSSIAN, "--seat", "N", "--time-limit", "9"],
            "'--time-limit': expected no --time-limit with --seat",
        ),
        ([RUSSIAN, "--seat", "N", "--memory", "9"], "'--memory': expected no --memory with --seat"),
        (
            [RUSSIAN, "--seat", "N", "-f", "csv", "--rows", "seats"],
            "'--rows': expected no --rows with --seat",
        ),
    ],
)
def test_options_and_paths_as_typed_exit_2(arguments: list[str], words: str) -> None:
    assert words in refused("analyze", *arguments, code=2)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["no-such-command"], "no such command 'no-such-command'"),
        (["score"], "missing argument 'FILE...'"),
        (["score", "no-such.pbn"], "no such file"),
        (["score", RUSSIAN, "--contract", "a,b"], "expected one contract"),
        (["score", RUSSIAN, "--variant", "russian-14", "--contract", "trumps-s"], "got 'trumps-s'"),
        (["variants", "show", "bezique"], "expected a variant, one of"),
        (["variants", "show", "no-such.toml"], "no such file"),
        (["variants", "check", "no-such.toml"], "no such file"),
        (["convert", "no-such.pbn", "-"], "no such file"),
        (["convert", RUSSIAN, "deals.lin"], "expected a file to write that ends in .pbn, .json or .jsonl"),
        (["convert", RUSSIAN, "no/such/deals.pbn"], "no such directory"),
        (["convert", RUSSIAN, "-", "--from", "xml"], "'--from'"),
        (["deal", "--seed", "-1"], "'--seed'"),
        (
            ["deal", "--seed", str(2**64)],
            "'--seed': expected a whole number from 0 to 18446744073709551615, got",
        ),
        (["deal", "--seed", "abc"], "expected a whole number from 0 to 18446744073709551615, got 'abc'"),
        (["deal", "--seed", "1", "--first", str(2**64)], "'--first': expected deals numbered up to"),
        (
            ["deal", "--seed", "1", "-n", "3", "--first", str(2**64 - 2)],
            "'--first': expected deals numbered up to",
        ),
        (["deal", "-n", "0"], "'--count'"),
        (["deal", "--variant", "parlett-3", "--dealer", "W"], "one of N E S, got 'W' (parlett-3)"),
        (["deal", "--variant", "bezique"], "expected a variant, one of"),
        (["deal", "-o", "deals.txt"], "expected a file to write that ends in"),
    ],
)
def test_other_commands_exit_2(arguments: list[str], words: str) -> None:
    assert words in refused(*arguments, code=2)


@pytest.mark.parametrize(
    "arguments",
    [
        ["analyze", "GAMES", "--contract", "no-king"],
        ["analyze", "GAMES", "--contract", "no-king", "--format", "parquet"],
        ["score", "GAMES"],
        ["know", "GAMES", "--seat", "N"],
        ["analyze", RUSSIAN, "--variant", "HOUSE", "--contract", "no-king"],
        ["deal", "--variant", "HOUSE", "--format", "pbn"],
        ["convert", RUSSIAN, "OUT", "--variant", "HOUSE", "--to", "pbn"],
    ],
)
def test_the_file_to_write_is_none_to_read(arguments: list[str], tmp_path: Path) -> None:
    games, house = tmp_path / "games.pbn", tmp_path / "house.toml"
    games.write_text(ROUND)
    house.write_text('extends = "russian-14"\n')
    target = house if "HOUSE" in arguments else games
    link = tmp_path / "link"
    link.symlink_to(target)
    before = target.read_bytes()
    for output in (target, link):
        words = {"GAMES": str(games), "HOUSE": str(house), "OUT": str(output)}
        asked = [words.get(word, word) for word in arguments]
        rest = [] if "OUT" in arguments else ["-o", output]
        line = refused(*asked, *rest, code=2)
        assert f"'--output': expected another file than the one to read, got {str(output)!r}" in line
        assert target.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.pbn", "house.toml", "link"]


@pytest.mark.parametrize("arguments", [["analyze"], ["score"], ["know", "--seat", "N"], ["review"]])
def test_standard_input_is_read_once(arguments: list[str]) -> None:
    assert "expected - for standard input once" in refused(*arguments, "-", "-", input=ROUND, code=2)


def test_options_for_one_hand_are_not_passed_over_in_silence() -> None:
    asked = ("analyze", RUSSIAN, "--contract", "no-king", "--format", "csv")
    assert run(*asked).stderr == ""
    result = run(*asked, "--seed", "1", "--samples", "5", "--seen", "As")
    assert result.exit_code == 0
    unused = "no use for --samples, --seed, --seen (--seat SEAT asks for one hand)"
    assert result.stderr == f"kingsolve: note: all hands were seen: {unused}\n"


def test_options_for_all_hands_are_not_passed_over_in_silence() -> None:
    asked = (
        "analyze", "--deal", "N:- T.KJT7.J8.Q - -", "--leader", "E", "--contract", "no-queens", "--seed", "1",
        "--samples", "4", "--format", "csv",
    )  # fmt: skip
    assert run(*asked).stderr == ""
    limits = "--nodes", "100", "--time-limit", "1", "--memory", "1M"
    result = run(*asked, "--no-cards", "--line", "--rows", "seats", *limits)
    assert result.exit_code == 0
    unused = "no use for --no-cards, --line, --rows, --nodes, --time-limit, --memory"
    assert result.stderr == f"kingsolve: note: one hand was seen: {unused}\n"
    line = refused(*asked, "--broken", code=2)
    assert "'--broken': expected --broken later in the round: no card is played (game 1)" in line


def test_a_bad_variant_file_exits_1_with_file_table_and_key(tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    for text, words in (
        ("title = \n", "house.toml"),
        ('extends = "russian-14"\n[contract]\nno-men = { title = "No", trick = "x" }\n', "contract.no-men"),
        ('extends = "russian-14"\ncolour = "red"\n', "colour"),
    ):
        house.write_text(text)
        for arguments in (("analyze", RUSSIAN, "--variant", house), ("variants", "check", house)):
            line = refused(*arguments, code=1)
            assert str(house) in line
            assert words in line


def test_an_illegal_card_recorded_is_the_files_fault() -> None:
    bad = ROUND.replace("SJ D8", "SJ H7")
    for arguments in (["--after", "4"], ["--trace"]):
        line = refused("analyze", "-", *arguments, code=1, input=bad.replace("H7", "C9"))
        assert "you do not hold that card: '9c'" in line
        assert "(E, trick 6)" in line


def test_no_recorded_cards_for_after() -> None:
    text = pbn(DEAL, KingVariant="russian-14", KingContract="no-king")
    for arguments in (["--after", "2"], ["--trace"]):
        assert "expected recorded cards" in refused("analyze", "-", *arguments, code=1, input=text)


def test_the_worst_exit_code_wins_when_going_on() -> None:
    text = pbn(DEAL) + pbn(ENDING, KingVariant="full-king")
    result = run("analyze", "-", "--contract", "tricks", "--keep-going", "--format", "json", input=text)
    assert result.exit_code == 2
    assert "expected a contract of full-king" in result.stderr
    assert result.stdout.count("\n") == 1


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read and write everything"
)
def test_files_without_permission_exit_2(tmp_path: Path) -> None:
    closed = tmp_path / "closed.pbn"
    closed.write_text(pbn(DEAL))
    closed.chmod(0)
    assert "permission denied" in refused("analyze", closed, code=2)


@pytest.mark.parametrize(
    "text",
    [
        '{"format": "kingsolve match", "rounds": [' + "0, " * 5000,
        "N:" + "A" * 15_000,
        "A.K.Q." + "1" * 15_000,
    ],
)
def test_a_long_line_that_is_no_deal_is_cut(text: str, tmp_path: Path) -> None:
    line = refused("convert", "-", tmp_path / "x.pbn", "--from", "dots", input=f"{text} - - -\n", code=1)
    assert "expected" in line
    assert line.endswith("...")
    assert len(line) < 250


def test_no_memory_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("kingsolve_cli.analyzing.analyze_position", exhausted)
    line = refused("analyze", "--deal", DEAL, "--contract", "no-king", code=1)
    assert "expected memory for the tables, got none: lower --memory or --jobs" in line


def test_a_bug_is_one_line_and_a_traceback_only_when_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("a bug")  # noqa: EM101  # what a bug would say

    monkeypatch.setattr("kingsolve_cli.analyzing.variant_option", broken)
    assert refused("analyze", RUSSIAN, code=1) == "kingsolve: internal error: ZeroDivisionError: a bug"
    assert isinstance(run("analyze", RUSSIAN, KINGSOLVE_TRACEBACK="1").exception, ZeroDivisionError)


def test_a_deal_as_typed_is_an_option() -> None:
    line = refused("analyze", "--deal", "N:... ... ... ...", code=2)
    assert line == "kingsolve: invalid value for '--deal': expected cards in the hands, got none"
    assert "or --format, got 'x.csv'" in refused("deal", "-o", "x.csv", "--seed", "1", code=2)


def test_json_keys_say_the_variant_and_the_leader(tmp_path: Path) -> None:
    line = json.dumps({"deal": DEAL, "variant": "full-king", "leader": "W"})
    found = records("analyze", "-", "--contract", "no-king", "--format", "json", input=line)[0]
    assert (found["variant"], found["leader"]) == ("full-king", "W")
    bare = (DEALS / "king-1993.pbn").read_text().replace("[KingVariant", "[Unknown")
    (tmp_path / "bare.pbn").write_text(bare)
    good("convert", tmp_path / "bare.pbn", tmp_path / "bare.json", "--variant", "king-1993")
    assert "king-1993" in good("score", tmp_path / "bare.json")


def test_notes_of_readers_have_a_place(tmp_path: Path) -> None:
    file = tmp_path / "twice.pbn"
    file.write_text(pbn(DEAL, Site="Here").replace('[Site "Here"]', '[Site "Here"]\n[Site "There"]'))
    for command in ("convert", "analyze"):
        rest = ["-"] if command == "convert" else ["--contract", "no-king", "--format", "json"]
        note = run(command, file, *rest).stderr
        assert note.startswith(f"kingsolve: note: {file}:")
        assert "game 1: expected tag Site once" in note


def test_no_card_is_called_best_before_it_is_known() -> None:
    asked = ("--deal", DEAL, "--contract", "no-tricks", "--leader", "E", "--rows", "seats", "--format", "csv")
    cut = good("analyze", *asked, "--nodes", "1000")
    assert cut.splitlines()[1].split(",")[-3] == ""
    rows = good("analyze", *asked).splitlines()
    assert rows[2].split(",")[-3] == "Kh Qc"


def test_w_may_have_no_card_left_but_the_one_in_the_trick() -> None:
    """Then its hand is as empty as that of a seat where nobody sits: the variant tells."""
    asked = ("--deal", "N:A... K... Q... ...", "--leader", "W", "--trick", "Js", "--contract", "tricks")
    (found,) = records("analyze", *asked, "--variant", "russian-14")
    assert (found["turn"], found["line"], found["guarantee"]["N"]) == ("N", ["As", "Ks", "Qs"], 2)
    assert "got 'W' (parlett-3)" in refused("analyze", *asked, code=2)


def test_every_game_asked_for_is_there() -> None:
    """Those that are come out; a number that is not makes the exit code 2; files are read no farther."""
    asked = ("analyze", RUSSIAN, "--contract", "no-king", "-f", "json")
    result = run(*asked, "--game", "3", "--game", "9", "--game", "1")
    assert [json.loads(line)["game"] for line in result.stdout.splitlines()] == [1, 3]
    assert result.exit_code == 2
    assert result.stderr.endswith(f"expected a number of the 3 games of {RUSSIAN}, got 9\n")
    text = pbn(DEAL) + pbn("garbled") + pbn(DEAL)
    assert len(records("analyze", "-", "--contract", "no-king", "--game", "1", input=text)) == 1


def test_nothing_is_written_of_a_file_of_faults(tmp_path: Path) -> None:
    (tmp_path / "bad.pbn").write_text(pbn("garbled") + pbn("N:A"))
    for target in (tmp_path / "out.pbn", "-"):
        result = run("convert", tmp_path / "bad.pbn", target, "--keep-going")
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.count("\n") == 2
    assert [path.name for path in tmp_path.iterdir()] == ["bad.pbn"]


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="a file that opens but cannot be read")
def test_a_file_that_cannot_be_read_is_named() -> None:
    line = refused("analyze", "/proc/self/mem", "--contract", "no-king", code=1)
    assert line == "kingsolve: '/proc/self/mem': input/output error"
