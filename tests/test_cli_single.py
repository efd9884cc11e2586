"""The commands that see one hand: know, analyze --seat, advise; the same numbers as the library's."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import kingsolve as ks
from command import DEAL, DEALS, ENDING, RUSSIAN, good, pbn, records, refused, run
from kingsolve import tables
from kingsolve.cardwise import CardValues

PLAY = (
    '[Play "E"]', "C9 CA C8 CT", "HK DT DK DQ", "ST SA SQ S7", "SJ S8 CJ S9", "CK HJ - -", "*",
)  # fmt: skip
HANDS = "N:97.AQT7.Q.T JT.K9..KQ97 AK8.J8.T7.A Q..AKJ98.J8"
TAGS = {"KingVariant": "russian-14", "KingContract": "no-king", "KingLeader": "E"}
E_TO_LEAD = ("analyze", "--deal", DEAL, "--leader", "E", "--seat", "E")
OWN_13 = "AS KS 9S 5S QH 7H 3H TD 8D 4D JC 6C 2C"


@pytest.fixture
def game(tmp_path) -> str:
    path = tmp_path / "game.pbn"
    path.write_text(pbn(HANDS, *PLAY, **TAGS))
    return str(path)


# --- know ---


def test_know(game: str) -> None:
    table = good("know", game, "--seat", "N")
    assert "N holds A♥ Q♥ T♥ 7♥ after 18 cards" in table
    assert "  W did not follow spades on trick 4: W holds no spades\n" in table
    assert "E (3)    ·    ·  ·                     ·  ·\n" in table
    assert "175 deals fit" in table


def test_know_in_json(game: str) -> None:
    (record,) = records("know", game, "--seat", "n")
    k = ks.Knowledge.from_round(next(iter(ks.read_games(game))).round, "N")
    assert record["reasons"] == [
        {"seat": r.seat, "text": r.text, "holds": list(r.holds), "lacks": list(r.lacks)} for r in k.reasons()
    ]
    assert record["consistent"] == ks.count(k) == 175
    assert record["owners"]["Ks"] == "ES"
    assert record["cards_held"] == {"N": 4, "E": 3, "S": 3, "W": 4}
    (start,) = records("know", game, "--seat", "N", "--after", "0")
    assert (start["after"], start["reasons"], start["consistent"]) == (0, [], 9465511770)


def test_know_nothing_and_narrow(game: str) -> None:
    assert "nothing to infer" in good("know", game, "--seat", "N", "--after", "0")
    table = good("know", game, "--seat", "N", "--after", "0", COLUMNS="40")
    assert max(map(len, table.splitlines()[4:])) <= 60


def test_know_at_the_end(game: str, tmp_path: Path) -> None:
    """One deal, nothing hidden, an empty hand: in words that fit."""
    full = DEALS / "full-king.pbn"
    assert "  + holds, · may hold; 1 deal fits\n" in good(
        "know", full, "--game", "1", "--seat", "S", "--after", "27"
    )
    over = good("know", full, "--game", "1", "--seat", "S")
    assert over.endswith("  S holds nothing after 32 cards\n\n  nothing is hidden\n")


# --- analyze --seat ---


def test_seat(game: str) -> None:
    (record,) = records("analyze", game, "--seat", "W", "--seed", "3", "--samples", "100")
    k = ks.Knowledge.from_round(next(iter(ks.read_games(game))).round, "W")
    advice = ks.analyze_hand(k, seed=3, samples=100)
    assert [option["card"] for option in record["options"]] == [option.name for option in advice.options]
    assert record["options"][0]["mean"] == pytest.approx(advice.options[0].mean)
    assert (record["kind"], record["value"], record["seed"]) == ("card", "maxn", 3)
    assert (record["status"], record["consistent"]) == (advice.status, 1435)


def test_the_table_of_a_seat() -> None:
    table = good(*E_TO_LEAD, "--contract", "no-queens", "--seed", "1")
    assert "E holds T♠ K♥ J♥ T♥ 7♥ J♦ 8♦ Q♣\n" in table
    assert " card   points     ±  best  behind     ±\n Q♣      -1.81  0.28  91 %\n" in table
    assert "  64 of 9,465,511,770 deals that fit, by max^n; seed 1\n" in table
    assert "ended early: the first is best, or equal to the best, at 95 %" in table


def test_only_the_own_hand_counts() -> None:
    """The same answer whatever the other hands are, shown or not."""
    asked = "--leader", "E", "--contract", "no-queens", "--seat", "E", "--seed", "1", "--value", "playout"
    one = good("analyze", "--deal", DEAL, *asked, "-f", "json")
    other = "N:QJ.A98.A.T7 T.KJT7.J8.Q 87.Q.Q97.J8 AK9..KT.AK9"
    assert good("analyze", "--deal", other, *asked, "-f", "json") == one
    hidden = "N:- T.KJT7.J8.Q - -"
    assert good("analyze", "--deal", hidden, *asked, "-f", "json") == one
    without_seat = [word for word in asked if word not in ("--seat",)][:4] + list(asked[6:])
    assert good("analyze", "--deal", hidden, *without_seat, "-f", "json") == one


def test_open_hands_count_where_others_are_hidden() -> None:
    """Without --seat all that the file shows is used: here N and S leave 16 cards for W."""
    hidden = "N:QJ.A98.A.T7 T.KJT7.J8.Q - -"
    (record,) = records("analyze", "--deal", hidden, "--leader", "E", "--contract", "no-king", "--seed", "1")
    assert record["consistent"] == 12870


def test_an_ending_of_which_all_is_known_but_the_hands() -> None:
    asked = "--leader", "E", "--contract", "no-queens", "--seed", "1"
    (record,) = records("analyze", "--deal", ENDING, *asked, "--seat", "E")
    assert record["consistent"] == 1680
    hidden = "N:- .T7.8. - -"
    seen = ks.cards.cards_of(ks.load_variant("russian-14").pack & ~sum(ks.Deal.of(ENDING).hands))
    (other,) = records(
        "analyze", "--deal", hidden, *asked, "--seen", " ".join(seen), "--variant", "russian-14"
    )  # fmt: skip
    assert other["options"] == record["options"]


def test_a_trick_by_hand() -> None:
    (record,) = records(
        "analyze", "--deal", DEAL, "--leader", "E", "--contract", "no-queens", "--trick", "Jd Kd",
        "--seat", "W", "--seed", "1", "--value", "playout",
    )  # fmt: skip
    assert (record["seat"], record["trick"]) == ("W", ["Jd", "Kd"])
    assert {option["card"] for option in record["options"]} == {"Qd", "9d", "7d"}


def test_the_error_of_one_deal_is_not_known() -> None:
    asked = *E_TO_LEAD, "--contract", "no-queens", "--samples", "1"
    assert "  ?" in good(*asked)
    (record,) = records(*asked)
    assert {(option["error"], option["behind_error"]) for option in record["options"]} == {(None, None)}
    (row, *_) = csv.DictReader(io.StringIO(good(*asked, "--format", "csv")))
    assert (row["error"], row["samples"]) == ("", "1")


@pytest.mark.parametrize("format", ["json", "csv", "table"])
def test_threads_do_not_change_a_byte(format: str) -> None:
    asked = (
        *E_TO_LEAD, "--contract", "no-queens", "--seed", "9", "--format", format, "--samples", "40",
    )  # fmt: skip
    assert good(*asked, "--jobs", "1") == good(*asked, "--jobs", "2")


def test_a_fresh_seed_is_printed() -> None:
    asked = *E_TO_LEAD, "--contract", "no-king", "--value", "playout"
    (first,), (second,) = records(*asked), records(*asked)
    assert first["seed"] != second["seed"]
    assert records(*asked, "--seed", str(first["seed"])) == [first]
    assert "; seed " in " ".join(good(*asked).split())  # the line may break there


def test_csv_and_parquet(tmp_path) -> None:
    asked = (
        *E_TO_LEAD, "--contract", "no-king,no-queens", "--seed", "9", "--value", "playout",
    )  # fmt: skip
    rows = list(csv.DictReader(io.StringIO(good(*asked, "--format", "csv"))))
    assert [row["contract"] for row in rows] == ["no-king"] * 4 + ["no-queens"] * 8
    path = tmp_path / "advice.parquet"
    good(*asked, "-o", path)
    frame = pd.read_parquet(path)
    assert frame["mean"].tolist() == pytest.approx([float(row["mean"]) for row in rows])
    assert frame["seed"].unique().tolist() == [9]


def test_csv_counts_deals_to_the_last_one(tmp_path: Path) -> None:
    asked = (
        "advise", "contract", "--variant", "rifki", "--hand", OWN_13,
        "--left", "no-king,no-tricks", "--seed", "1", "--samples", "20",
    )  # fmt: skip
    rows = csv.DictReader(io.StringIO(good(*asked, "--format", "csv")))
    assert {(row["consistent"], row["effective"]) for row in rows} == {("84478098072866400", "20.0")}
    advised = ks.advise("full-king", "As Ks 7h", samples=2, seed=1)
    most, path = 5 * 10**28 + 1, tmp_path / "advice.parquet"
    advice = replace(advised, consistent=most, effective=500.00000000000045)
    frame = tables.frame(advice)
    frame.to_parquet(path)
    assert {*frame["consistent"], *pd.read_parquet(path)["consistent"]} == {most}
    assert set(frame["effective"]) == {500}


def test_time_and_belief(game: str) -> None:
    (record,) = records("analyze", game, "--seat", "W", "--time", "0.2", "--belief", "careful")
    assert record["belief"] == "careful"
    assert record["effective"] <= record["samples"]
    assert "weighted by the careful policy" in good("analyze", game, "--seat", "W", "--belief", "careful")


def test_too_little_time_for_a_deal_is_an_option() -> None:
    asked = "advise", "contract", "--variant", "rifki", "--hand", OWN_13, "--value", "maxn", "--time", "0.05"
    assert "'--time': expected time to value one deal by maxn, got 0.05 s" in refused(*asked, code=2)


@pytest.mark.parametrize("command", ["contract", "trump"])
def test_choices_have_no_options_that_do_nothing(command: str) -> None:
    for option, value in (("--confidence", "0.9"), ("--belief", "careful")):
        assert "no such option" in refused("advise", command, "--hand", "As", option, value, code=2).lower()
        assert option in good("analyze", "--help")
    assert "fewer when one card" not in " ".join(good("advise", command, "--help").split())


def test_frames_of_advices() -> None:
    k = ks.Knowledge(
        ks.load_variant("russian-14").contract("no-king"), "N", own="AS KS QS JS TS 9S 8S 7S", leader="N"
    )
    advice = ks.analyze_hand(k, value="playout", samples=10)
    assert list(tables.frame(advice)["option"]) == [option.name for option in advice.options]
    frame = tables.frame([({"game": 1}, advice)])
    assert list(frame.columns) == ["game", *tables.COLUMNS["advice"]]
    assert {name: str(dtype) for name, dtype in frame.dtypes.items()}["mean"] == "Float64"
    assert frame["option"].tolist() == [option.name for option in advice.options]
    position = ks.Position(k.contract, DEAL, leader="E")
    with pytest.raises(ks.KingError, match="expected analyses or advices, got both"):
        tables.frame([advice, ks.analyze_position(position, ks.Solver(), concepts=("cards",))])


# --- advise ---


def test_advise_contract() -> None:
    (record,) = records("advise", "contract", "--hand", OWN_13, "--seed", "1", "--samples", "500")
    advice = ks.advise(ks.load_variant("dealers-choice-20"), OWN_13, seed=1, samples=500)
    assert [row["contract"] for row in record["options"]] == [option.name for option in advice.options]
    assert record["options"][3]["over_share"] == pytest.approx(advice.options[3].over_share, abs=1e-6)
    assert (record["kind"], record["variant"], record["samples"]) == ("contract", "dealers-choice-20", 500)
    table = good("advise", "contract", "--hand", OWN_13, "--seed", "1", "--left", "no-king, trumps-s=2")
    assert "Trump: spades" in table
    assert "No Queens" not in table
    for variant, hand in (("rifki", OWN_13), ("king-1993", "AS KS 9S QH 7H TD 8D JC")):
        assert records("advise", "contract", "--variant", variant, "--hand", hand, "--samples", "50")


def test_advise_trump() -> None:
    (record,) = records("advise", "trump", "--hand", "AS KS 7H", "--seed", "1")
    assert record["kind"] == "trump"
    assert record["options"][0]["contract"] in ("trumps-s", "trumps-nt")
    assert record["samples"] == 16384
    rows = list(csv.DictReader(io.StringIO(good("advise", "trump", "--hand", "AS KS 7H", "--format", "csv"))))
    assert len(rows) == 5


def test_notes_of_readers_are_not_lost(tmp_path: Path) -> None:
    path = tmp_path / "twice.pbn"
    path.write_text(pbn(DEAL, Site="Here").replace('[Site "Here"]', '[Site "Here"]\n[Site "There"]'))
    asked = ("analyze", path, "--seat", "E", "--contract", "no-king", "--samples", "5", "--seed", "1")
    assert "game 1: expected tag Site once" in " ".join(good(*asked).split())
    assert "game 1: expected tag Site once" in run(*asked, "--format", "json").stderr


# --- what cannot be ---


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("analyze", RUSSIAN, "--seat", "E", "--trace"), "expected no --trace with --seat"),
        (("analyze", RUSSIAN, "--seat", "E", "--concept", "maxn"), "expected no --concept with --seat"),
        (("analyze", RUSSIAN, "--seat", "E", "--side", "N"), "expected no --side with --seat"),
        (("know", RUSSIAN), "missing option '--seat'"),
        (("know", RUSSIAN, "--seat", "X"), "expected a seat"),
        (("know", "GAME", "--seat", "N", "--after", "99"), "expected at most the 18 cards recorded"),
        (("advise", "contract"), "missing option '--hand'"),
        (("analyze", "--deal", "N:- T.KJT7.J8.Q - -", "--leader", "S"), "expected the hand of S, got '-'"),
        (
            ("analyze", "--deal", "N:- T.KJT7.J8. - -", "--leader", "E", "--variant", "russian-14"),
            "expected 8 cards in the hand of E (russian-14 no-tricks), got 7",
        ),
        (("analyze", "--deal", "E:- - - -", "--seat", "E"), "kingsolve: expected the hand of E, got '-'"),
        (("analyze", "GAME", "--seat", "N"), "'--seat': expected W, who is to play (game 1), got 'N'"),
        (("analyze", "GAME", "--seat", "W", "--samples", "0"), "expected samples of at least 1, got 0"),
        (("analyze", "GAME", "--seat", "W", "--time", "0"), "expected seconds above 0, got 0.0"),
        (("advise", "contract", "--hand", "AS KS"), "expected a hand of 13 cards (dealers-choice-20), got 2"),
        (("advise", "contract", "--hand", "AS AS"), "expected each card once, got 'As' twice"),
        (
            ("advise", "contract", "--hand", OWN_13, "--left", "no-king=9"),
            "expected 0 to 2 left of 'no-king'",
        ),
        (("advise", "contract", "--hand", OWN_13, "--left", "no-king=x"), "expected quotas such as"),
        (("advise", "contract", "--hand", OWN_13, "--variant", "full-king"), "kingsolve advise trump"),
        (("advise", "trump", "--hand", "AS KS"), "expected the first 3 cards (full-king), got 2"),
        (
            ("advise", "trump", "--hand", OWN_13, "--variant", "rifki"),
            "named after the first cards, got 'rifki'",
        ),
    ],
)
def test_wrong_options(game: str, arguments: tuple[str, ...], message: str) -> None:
    words = [game if word == "GAME" else word for word in arguments]
    assert message in refused(*words, code=2)


def test_a_round_that_is_over_and_one_without_a_contract(tmp_path) -> None:
    path = tmp_path / "bare.pbn"
    path.write_text(pbn(DEAL, KingVariant="russian-14"))
    assert "expected --contract, or tag KingContract" in refused("know", path, "--seat", "N", code=1)


def test_a_card_that_breaks_the_rules_is_a_clash(tmp_path) -> None:
    path = tmp_path / "revoke.pbn"
    play = '[Play "E"]', "C9 CA C8 CT", "HK DT DK DQ", "ST SA SQ S7", "SJ S8 CJ S9", "H9 HJ SK -", "*"
    path.write_text(pbn("N:97.AQT7.Q.T - - -", *play, **TAGS))
    line = refused("know", path, "--seat", "N", code=1)
    assert "W did not follow spades on trick 4: W holds no spades; but W played K♠ on trick 5" in line


def test_control_c_prints_what_there_is(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    """Stopped in the third step: the deals of the first two as a table, in a file too, and exit 130."""
    solve, calls = CardValues.__call__, []

    def interrupted(self: CardValues, deals: np.ndarray, until: float | None) -> np.ndarray:
        calls.append(len(deals))
        if len(calls) == 3:
            raise KeyboardInterrupt
        return solve(self, deals, until)

    monkeypatch.setattr(CardValues, "__call__", interrupted)
    asked = *E_TO_LEAD, "--contract", "no-king,no-queens"
    result = run(*asked, "--seed", "1")
    assert (result.exit_code, result.stderr) == (130, "kingsolve: interrupted\n")
    assert f"{sum(calls[:2])} of 9,465,511,770 deals" in result.stdout
    assert "interrupted: what was valued until then" in result.stdout
    assert "No Girls" not in result.stdout
    calls.clear()
    path = tmp_path / "some.json"
    assert run(*asked, "-o", path).exit_code == 130
    assert json.loads(path.read_text())["status"] == "interrupted"


def test_control_c_with_nothing_to_print(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: CardValues, deals: np.ndarray, until: float | None) -> np.ndarray:
        raise KeyboardInterrupt

    monkeypatch.setattr(CardValues, "__call__", interrupted)
    asked = *E_TO_LEAD, "--contract", "no-king"
    assert (run(*asked).exit_code, run(*asked).stdout) == (130, "")


def test_help() -> None:
    for words in (("know",), ("advise",), ("advise", "contract"), ("advise", "trump")):
        assert "Usage" in run(*words, "--help").stdout
