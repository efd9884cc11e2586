"""The table of `kingsolve analyze`: hands as they sit, values as the library has them, whatever the width."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.cells import cell_len

import kingsolve as ks
from command import DEAL, DEALS, ENDING, RUSSIAN, good, run
from kingsolve_cli import main

ANSI = re.compile(r"\x1b\[[0-9;]*m")
ONE = "analyze", RUSSIAN, "--game", "1"
COMPASS = """\
                    N  dealer
                    ♠ Q J
                    ♥ A 9 8
                    ♦ A
                    ♣ T 7
  W                                 E  leads
  ♠ 8 7                             ♠ T
  ♥ Q                               ♥ K J T 7
  ♦ Q 9 7                           ♦ J 8
  ♣ J 8                             ♣ Q
                    S
                    ♠ A K 9
                    ♥ —
                    ♦ K T
                    ♣ A K 9
"""


def test_hands_are_drawn_as_they_sit() -> None:
    assert COMPASS in good(*ONE, "--contract", "no-king")


def test_three_seats_leave_the_west_empty() -> None:
    table = good("analyze", DEALS / "parlett-3.pbn", "--game", "1", "--contract", "no-king")
    assert "\n  W" not in table
    assert "pairs" not in table
    assert re.search(r"^ {12}N  dealer\n(.*\n){4} {28}E  leads\n", table, re.MULTILINE)


@pytest.mark.parametrize("columns", ["80", "100", "120", "200"])
@pytest.mark.parametrize("file", ["russian-14.pbn", "full-king.pbn", "parlett-3.pbn"])
def test_lines_fit_the_width(file: str, columns: str) -> None:
    table = good("analyze", DEALS / file, "--concept", "best-case", "--nodes", "50000", COLUMNS=columns)
    assert max(map(cell_len, table.splitlines())) <= int(columns)


@pytest.mark.parametrize("file", ["dealers-choice-20.pbn", "rifki.pbn", "kierki.pbn", "bridge.pbn"])
def test_unsolved_values_of_52_cards_fit_80_columns(file: str) -> None:
    table = good("analyze", DEALS / file, "--game", "1", "--nodes", "1000", "--time-limit", "0")
    assert ".." in table
    assert "is sure of: no shares are solved" in table or file == "kierki.pbn"
    assert max(map(cell_len, table.splitlines())) <= 80


@pytest.mark.parametrize("columns", [40, 60, 80])
@pytest.mark.parametrize(
    "arguments",
    [
        ["analyze", RUSSIAN, "--nodes", "20000", "--concept", "best-case"],
        ["analyze", DEALS / "dealers-choice-20.pbn", "--nodes", "500"],
        ["analyze", DEALS / "full-king.pbn", "--contract", "recorded", "--trace", "--nodes", "2000"],
        ["score", DEALS / "king-1993.pbn"],
        ["variants", "list"],
        ["variants", "show", "rifki"],
        ["know", DEALS / "king-1993.pbn", "--seat", "N", "--after", "15"],
        [
            "advise",
            "contract",
            "--hand",
            "AS KS 9S 5S QH 7H 3H TD 8D 4D JC 6C 2C",
            "--seed",
            "1",
            "--samples",
            "9",
        ],
        ["analyze", RUSSIAN, "--contract", "no-king", "--game", "1", "--seat", "E", "--samples", "9"],
    ],
    ids=lambda arguments: "-".join(map(str, arguments[:2])).replace(f"{DEALS}/", ""),
)
def test_narrow_terminals_are_kept_to(arguments: list[str | Path], columns: int) -> None:
    """Down to 40 columns: hands drawn closer, columns in more bands, words on more lines."""
    text = good(*arguments, COLUMNS=str(columns))
    assert max(map(cell_len, text.splitlines())) <= columns


def test_hands_drawn_close_are_the_same() -> None:
    text = good(*ONE, "--contract", "no-king", COLUMNS="40")
    assert re.search(r"^  ♦ Q97 +♦ J8$", text, re.MULTILINE)
    assert sorted(re.findall("[♠♥♦♣] ([2-9TJQKA]+)", text.partition("guarantee")[0])) == sorted(
        "QJ A98 A T7 T KJT7 J8 Q AK9 KT AK9 87 Q Q97 J8".split()
    )


def test_what_is_underlined_is_said_only_where_it_shows() -> None:
    asked = (*ONE, "--contract", "no-king")
    assert "; underlined: the card that takes the trick" in ANSI.sub("", good(*asked, FORCE_COLOR="1"))
    for env in ({}, {"FORCE_COLOR": "1", "NO_COLOR": "1"}):
        text = good(*asked, **env)
        assert "underlined" not in text
        assert "a line in which E gets its guarantee; before each trick who leads it\n" in text


def test_wide_terminals_get_one_band() -> None:
    for columns, bands in (("80", 2), ("120", 1)):
        table = good(*ONE, "--no-line", COLUMNS=columns)
        assert sum(line.startswith(" contract ") for line in table.splitlines()) == bands


def test_rows_hold_the_values() -> None:
    table = good(*ONE, "--contract", "no-men", COLUMNS="120")
    row = next(line for line in table.splitlines() if line.startswith(" No Boys "))
    place = ks.Position(ks.load_variant("russian-14").contract("no-men"), DEAL, leader="E")
    guarantees = [f"{ks.guarantee(place, side=seat):+d}" for seat in "NESW"]
    assert row.split()[2:6] == guarantees
    assert row.split()[6:10] == ["-9⅓", "0", "0", "-6⅔"]
    assert [str(share) for share in ks.shapley(place)] == ["-28/3", "0", "0", "-20/3"]
    assert row.split()[10:16] == [f"{ks.coalitions(place)[s]:+d}".replace("+0", "0") for s in PAIRS]
    best = max(ks.solve(place).cards.values())
    assert len(row.split()[16:]) == sum(value == best for value in ks.solve(place).cards.values())


PAIRS = ["NE", "NS", "NW", "ES", "EW", "SW"]


def test_line_of_play_trick_by_trick() -> None:
    table = good(*ONE, "--contract", "no-king")
    place = ks.Position(ks.load_variant("russian-14").contract("no-king"), DEAL, leader="E")
    solution = ks.solve(place)
    symbols = str.maketrans("shdc", "♠♥♦♣")
    assert f"E {' '.join(card.translate(symbols) for card in solution.line[:4])}" in table
    assert "0: T♠ J♦ 8♦ Q♣" in table


def test_suits_have_four_colours_on_a_terminal() -> None:
    table = good(*ONE, "--contract", "no-king", FORCE_COLOR="1", TERM="xterm-256color")
    colours = {suit: set(re.findall(rf"\x1b\[([0-9;]+)m{suit}", table)) for suit in "♠♥♦♣"}
    assert all(len(found) == 1 for found in colours.values())
    assert len(set.union(*colours.values())) == 4
    for suit, found in colours.items():  # what stands before a card does not change its colour
        cards = re.findall(rf"\x1b\[([0-9;]+)m[2-9TJQKA]{suit}", table)
        assert {re.sub(r"\b4;|;4\b", "", codes) for codes in cards} == found
    plain = good(*ONE, "--contract", "no-king")
    legend = "underlined: the card that takes the trick"
    assert ANSI.sub("", table).replace(legend, "before each trick who leads it") == plain


def test_no_color_takes_every_code_away() -> None:
    table = good(*ONE, "--contract", "no-king", FORCE_COLOR="1", NO_COLOR="1", TERM="xterm-256color")
    assert "\x1b" not in table
    assert table == good(*ONE, "--contract", "no-king")


def test_letters_where_there_is_no_unicode() -> None:
    runner = CliRunner(charset="ascii", env={"COLUMNS": "80"})
    result = runner.invoke(main, [*ONE, "--contract", "no-men"])
    assert result.exit_code == 0
    assert result.stdout.isascii()
    assert "                    s Q J\n" in result.stdout.lower().replace("q j", "Q J")
    assert "-28/3" in result.stdout


def test_in_mid_round() -> None:
    table = good("analyze", "--deal", ENDING, "--contract", "no-king", "--leader", "S", "--trick", "9c Jc")
    assert "N  dealer, to play" in table
    assert "S  led" in table
    assert "trick: 9♣ J♣" in table
    table = good("analyze", RUSSIAN, "--game", "2", "--after", "12")
    assert "after 12 cards · taken: N 0 E 0 S 0 W -8" in table or "after 12 cards · taken:" in table


def test_the_recorded_contract_is_marked() -> None:
    table = good("analyze", RUSSIAN, "--game", "2", "--no-line", "--no-cards")
    assert " No Girls ▸" in table
    assert "▸ the contract recorded" in table


def test_an_ended_round_has_nothing_to_come() -> None:
    table = good("analyze", RUSSIAN, "--game", "2", "--after", "20")
    assert "the round is over" in table


def test_notes_of_the_reader_are_shown(tmp_path: Path) -> None:
    file = tmp_path / "twice.pbn"
    file.write_text(f'[Board "1"]\n[Deal "{DEAL}"]\n[Site "A"]\n[Site "B"]\n')
    result = run("analyze", file, "--contract", "king")
    assert "Site" in result.stdout
    result = run("analyze", file, "--contract", "king", "--format", "json")
    assert result.stderr.startswith("kingsolve: note: ")
    assert "Site" in result.stderr
