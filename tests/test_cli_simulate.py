"""`kingsolve simulate`, `kingsolve tabulate` and `kingsolve deal --number`."""

import csv
import io
import json
from pathlib import Path

import pandas as pd
import pytest

import kingsolve as ks
from command import DEALS, analysed, good, refused, run


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = str(tmp_path_factory.mktemp("runs") / "a")
    good(
        "simulate", "--variant", "short-king", "--contract", "no-king,no-men", "--deals", "1_000",
        "--seed", 7, "--rotations", "-o", path, "--no-table",
    )  # fmt: skip
    return path


def test_simulate_prints_its_table_and_goes_on(tmp_path: Path) -> None:
    words = ["simulate", "--deals", "300", "--seed", "7", "--chunk", "100", "-o", tmp_path / "a"]
    first = good(*words)
    assert first.splitlines()[0] == "Russian King, fourteen rounds (russian-14), policy:careful"
    assert first.splitlines()[1] == "300 deals of seed 7"
    assert "The halves of a match" in first
    assert max(map(len, first.splitlines())) <= 80
    again = run(*words)
    assert again.stdout == first
    assert again.stderr == "kingsolve: continuing: 3 of 3 parts are there\n"
    (tmp_path / "a" / "part-000001.parquet").write_bytes(b"PAR1")
    mended = run(*words)
    assert mended.stdout == first
    assert "part-000001.parquet: expected part 1 of the run, whole: " in mended.stderr


def test_the_seed_is_said_and_found_again(tmp_path: Path) -> None:
    words = ["simulate", "--contract", "men", "--deals", "5", "-o", tmp_path / "a", "--no-table"]
    first, again = run(*words), run(*words)
    seed = first.stderr.splitlines()[0]
    assert seed.startswith("kingsolve: seed ")
    assert again.stderr.splitlines()[0] == seed
    assert ks.open_run(tmp_path / "a").plan.seed == int(seed.split()[-1])


def test_two_sets_of_rules_on_the_same_deals(tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text(
        'extends = "short-king"\ntitle = "Kept"\n'
        '[contract]\nno-king = { title = "K", cards = { "Kh" = -16 } }\n'
    )
    text = good(
        "simulate", "--variant", "short-king", "--against", house, "--deals", 200, "--seed", 1, "--contract",
        "no-king,no-men", "-o", tmp_path / "c",
    )  # fmt: skip
    assert (tmp_path / "c" / "short-king" / "manifest.json").exists()
    assert (tmp_path / "c" / "house" / "manifest.json").exists()
    lines = text.splitlines()
    assert lines[:4] == [
        "Short King (short-king), policy:careful",
        "200 deals of seed 1",
        "less Kept (house), policy:careful",
        "200 deals of seed 1",
    ]
    men = [line.split() for line in lines if line.startswith("no-men")]
    assert men[0][4] == "+0.000"  # the same rules


def test_tables_in_every_format(folder: str, tmp_path: Path) -> None:
    from kingsolve import tables

    frame = tables.tabulate(folder)
    rows = list(csv.DictReader(io.StringIO(good("tabulate", folder, "--format", "csv"))))
    assert [float(row["mean"]) for row in rows] == frame["mean"].tolist()
    objects = [json.loads(line) for line in good("tabulate", folder, "-f", "json").splitlines()]
    assert [found["se"] for found in objects] == frame["se"].tolist()
    good("tabulate", folder, "-o", tmp_path / "a.parquet")
    assert pd.read_parquet(tmp_path / "a.parquet")["mean"].tolist() == frame["mean"].tolist()
    lines = good("tabulate", folder, "-f", "markdown", "--rows", "distribution").splitlines()
    assert lines[0] == "| contract | turn | points | rounds | share |"
    assert lines[1] == "|---|--:|--:|--:|--:|"
    assert len(lines) == 2 + len(tables.distribution(folder))
    shown = good("tabulate", folder, "--by", "contract", "--by", "holder:KH,shape")
    assert shown.splitlines()[2].split()[:4] == ["contract", "holder:Kh", "shape", "mean"]
    assert max(map(len, shown.splitlines())) <= 100
    compared = good("tabulate", "--compare", folder, folder, "-f", "csv")
    assert {row["difference"] for row in csv.DictReader(io.StringIO(compared))} == {"0.0"}


def test_what_few_deals_cannot_tell_is_not_known(tmp_path: Path) -> None:
    one, same = tmp_path / "one", tmp_path / "same"
    good("simulate", "--contract", "men", "--deals", 1, "--seed", 1, "-o", one, "--no-table")
    good(
        "simulate", "--contract", "no-men", "--play", "exact:guarantee", "--nodes", 1, "--deals", 3, "--seed",
        1, "-o", same, "--no-table",
    )  # fmt: skip
    for words, error in (([one], None), ([same], 0.0), (["--compare", one, one], None)):
        objects = [json.loads(line) for line in good("tabulate", *words, "-f", "json").splitlines()]
        assert {(found["se"], found["p"]) for found in objects} == {(error, None)}
        rows = csv.DictReader(io.StringIO(good("tabulate", *words, "-f", "csv")))
        assert {(row["se"], row["p"]) for row in rows} == {("" if error is None else "0.0", "")}
        shown = [line.split() for line in good("tabulate", *words).splitlines() if " men " in f" {line}"]
        assert {line[-1] for line in shown} <= {"-"}
    assert {found["low"] for found in objects} == {None}


def test_plots_are_pictures_and_the_same_twice(folder: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    for ending, begins in (("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")):
        good("tabulate", folder, "--plot", tmp_path / f"a.{ending}")
        good("tabulate", folder, "--plot", tmp_path / f"b.{ending}")
        found = (tmp_path / f"a.{ending}").read_bytes()
        assert found.startswith(begins)
        assert found == (tmp_path / f"b.{ending}").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--deals", "0"], "'--deals'"),
        (["--play", "policy:brave"], "'--play': expected a way to play, one of exact:maxn"),
        (["--nodes", "5"], "'--nodes': expected exact or open play with it, got policy:careful"),
        (["--contract", "no-boys"], "'--contract': expected a contract of russian-14, one of no-tricks"),
        (["--scheduler", "tcp://x:1"], "'--scheduler': expected --engine dask with it, got threads"),
        (["--against", "russian-14"], "'--against': expected another variant than --variant"),
        (["--engine", "ray"], "'--engine'"),
        (["-o", __file__], "'--output'"),
        (["-o", DEALS], "'--output': " + str(DEALS) + ": expected an empty folder or one with a run, got"),
        (["--first", 2**64 - 1], "expected first from 0 to 18446744073709551614, got 18446744073709551615"),
    ],
)
def test_simulate_options_exit_2(arguments: list[object], words: str, tmp_path: Path) -> None:
    for seed in (["--seed", "1"], []):  # a fresh seed is said of what is run only
        line = refused("simulate", "--deals", "1", *seed, "-o", tmp_path / "a", *arguments, code=2)
        assert words in line
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "expected the folder of one run, or --compare and two"),
        (["no-such-run"], "expected the folder of a run, got 'no-such-run': no such file"),
        (
            [DEALS],
            "'RUN': expected the folder of a run, got " + repr(str(DEALS)) + ": it has no manifest.json",
        ),
        (
            ["RUN", "--by", "holder:2h"],
            "'--by': expected a card of the pack after holder:, got '2h' (short-king)",
        ),
        (["--compare", "RUN", "OTHER"], "'--compare': expected two runs with the same seed, got 7 and 8"),
        (["RUN", "--by", "trick"], "'--by': expected a key, one of contract turn"),
        (["RUN", "--format", "parquet"], "expected -o FILE with parquet"),
        (["RUN", "--plot", "a.gif"], "expected a file that ends in .svg, .png or .pdf"),
        (["--compare", "RUN", "RUN", "--by", "turn"], "'--by': expected one run with it, not --compare"),
    ],
)
def test_tabulate_options_exit_2(arguments: list[object], words: str, folder: str, tmp_path: Path) -> None:
    if "OTHER" in arguments:
        one = "--variant", "short-king", "--contract", "no-king", "--rotations", "--no-table"
        good("simulate", *one, "--deals", 1_000, "--seed", 8, "-o", tmp_path)
    folders = {"RUN": folder, "OTHER": tmp_path}
    assert words in refused("tabulate", *(folders.get(str(a), a) for a in arguments), code=2)


def test_the_folder_of_another_run_exits_2_a_bad_manifest_1(folder: str, tmp_path: Path) -> None:
    line = refused("simulate", "--deals", 5, "--seed", 7, "-o", folder, code=2)
    assert line.startswith("kingsolve: invalid value for '--output'")
    assert "variant 'short-king' there, 'russian-14' asked" in line
    (tmp_path / "manifest.json").write_text("{}")
    for words in (("simulate", "--deals", 5, "--seed", 7, "-o"), ("tabulate",)):
        assert "expected the manifest of a run, got one that cannot be read" in refused(
            *words, tmp_path, code=1
        )


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (
            "king-1993",
            "expected two runs with the same first leader (or --rotations), got 'eldest' and 'rotates'",
        ),
        ("parlett-3", "expected two runs with the same number of cards, got 32 and 36"),
    ],
)
def test_rules_that_cannot_be_compared_are_not_run(other: str, words: str, tmp_path: Path) -> None:
    error = refused("simulate", "--against", other, "--deals", 5, "--seed", 1, "-o", tmp_path / "a", code=2)
    assert error == f"kingsolve: invalid value for '--against': {words}"
    assert not (tmp_path / "a").exists()


def test_with_rotations_who_leads_first_does_not_matter(tmp_path: Path) -> None:
    text = good(
        "simulate", "--against", "king-1993", "--contract", "no-king", "--deals", 20, "--seed", 1,
        "--rotations", "-o", tmp_path / "a",
    )  # fmt: skip
    assert text.count("no-king") == 1


def test_halves_that_a_run_does_not_have(folder: str) -> None:
    result = run("tabulate", folder, "--rows", "halves")
    assert result.exit_code == 0
    assert result.stderr == "kingsolve: note: the run has not all the contracts of a half of the match\n"


def test_an_open_seat_that_a_limit_stopped_is_said(tmp_path: Path) -> None:
    result = run(
        "simulate", "--deals", 2, "--seed", 1, "--contract", "no-king", "--play", "open", "--nodes", 5,
        "-o", tmp_path / "a",
    )  # fmt: skip
    assert result.stderr.endswith("not solved within the limit; there an open seat played as careful\n")


def test_what_a_limit_left_open_is_said(tmp_path: Path) -> None:
    result = run(
        "simulate", "--deals", 2, "--seed", 1, "--contract", "no-king", "--play", "exact:shapley", "--nodes",
        500, "-o", tmp_path / "a",
    )  # fmt: skip
    assert result.exit_code == 0
    assert "of the rounds were not solved within the limit; least and most are bounds" in result.stderr
    assert "unsolved" in result.stdout
    assert " least " in result.stdout


def test_a_deal_by_its_number() -> None:
    number = 12345678901234567
    text = good("deal", "--number", number)
    assert '[Deal "N:8.KJT.AK87. T.AQ87.Q9.J Q9.9.T.AK87 AKJ7..J.QT9"]' in text
    assert f'[Event "russian-14, deal number {number}"]' in text
    found = analysed("-", "--contract", "no-king", "--no-cards", "--no-line", input=text)
    assert found[0]["leader"] == "E"
    assert "expected 0 to" in refused("deal", "--number", 10**17, code=2)
    assert "it is one deal" in refused("deal", "--number", 1, "--seed", 1, code=2)
