"""JSON held to its schema, CSV and Parquet to the library's frames, and files that are whole or not there."""

import io
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pandas as pd
import pytest

import kingsolve as ks
from command import DEALS, ENDING, RUSSIAN, analysed, good, pbn, refused, run
from kingsolve import tables
from kingsolve.analysis import analyze_position
from kingsolve.solver import Solver

SCHEMA = json.loads((files("kingsolve_cli") / "analysis.schema.json").read_text(encoding="utf-8"))
CHECK = jsonschema.Draft202012Validator(SCHEMA)


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize(
    "arguments",
    [
        [RUSSIAN],
        [RUSSIAN, DEALS / "parlett-3.pbn", "--nodes", "2000"],
        [DEALS / "full-king.pbn", "--trace", "--contract", "recorded"],
        [DEALS / "rifki.pbn", "--nodes", "500", "--no-cards"],
        [DEALS / "rifki.pbn", "--game", "2", "--trace", "--nodes", "5000"],
        [DEALS / "bridge.pbn", "--contract", "no-tricks", "--time-limit", "0.01"],
        [RUSSIAN, "--game", "2", "--after", "9", "--side", "ES"],
        [RUSSIAN, "--game", "2", "--after", "20"],
        ["--deal", ENDING, "--concept", "equilibria,maxn,best-case", "--no-line"],
        ["--deal", ENDING, "--leader", "S", "--trick", "9c Jc", "--side", "NSW"],
    ],
)
def test_output_follows_the_schema(arguments: list[Any]) -> None:
    found = analysed(*arguments)
    assert found
    for record in found:
        CHECK.validate(record)


def test_every_key_of_the_schema_is_documented_and_produced() -> None:
    text = (Path(__file__).parents[1] / "docs" / "json.md").read_text(encoding="utf-8")
    produced: set[str] = set()
    for arguments in (
        [DEALS / "full-king.pbn", DEALS / "short-king.pbn", "--game", "1", "--trace"],
        ["--deal", ENDING, "--concept", "equilibria,maxn,best-case", "--leader", "S", "--trick", "9c Jc"],
        [DEALS / "full-king.pbn", "--game", "2"],
        [RUSSIAN, "--game", "2", "--after", "5"],
        [DEALS / "bridge.pbn", "--contract", "no-tricks", "--time-limit", "0.01"],
    ):
        for record in analysed(*arguments):
            produced |= record.keys()
    assert produced == SCHEMA["properties"].keys()
    assert not [key for key in produced if f"`{key}`" not in text]


def test_the_schema_refuses_what_is_wrong() -> None:
    (record,) = analysed("--deal", ENDING, "--contract", "king")
    for change in ({"shapley": {"N": -4}}, {"cards": {"1s": 0}}, {"status": "optimal"}, {"colour": "red"}):
        assert not CHECK.is_valid(record | change)


def read_csv(text: str, columns: dict[str, str]) -> pd.DataFrame:
    dtypes: dict[Any, Any] = {"file": "string", "game": "Int64", "board": "string", **columns}
    return pd.read_csv(io.StringIO(text), dtype=dtypes, keep_default_na=True)


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", str(DEALS / "king-1993.pbn")],
        ["know", str(DEALS / "king-1993.pbn"), "--seat", "N"],
        ["analyze", RUSSIAN, "--contract", "no-king", "--no-line"],
        ["advise", "trump", "--hand", "AS KS 7H", "--seed", "1", "--samples", "8"],
        ["review", str(DEALS / "king-1993.pbn")],
    ],
)
def test_a_format_follows_from_the_name_to_write(arguments: list[str], tmp_path: Path) -> None:
    run(*arguments, "-o", tmp_path / "x.JSON")
    assert isinstance(json.loads((tmp_path / "x.JSON").read_text().splitlines()[0]), dict)
    run(*arguments, "-o", tmp_path / "x.txt")
    assert not (tmp_path / "x.txt").read_text().startswith("{")
    if arguments[0] not in ("analyze", "review"):
        line = refused(*arguments, "-o", "x.parquet", code=2)
        assert "'--output': expected a name for table json" in line


@pytest.mark.parametrize("rows", ["seats", "sides", "cards"])
def test_csv_and_parquet_are_the_librarys_frames(rows: Any, tmp_path: Path) -> None:
    arguments = "analyze", RUSSIAN, "--game", "1", "--contract", "no-king,men", "--rows", rows
    variant = ks.load_variant("russian-14")
    (game, *_) = ks.read_pbn(RUSSIAN)
    assert game.deal is not None
    places = [ks.Position(variant.contract(name), game.deal, leader="E") for name in ("no-king", "men")]
    labels = {"file": RUSSIAN, "game": 1, "board": "1"}
    expected = tables.frame([(labels, analyze_position(place, Solver())) for place in places], rows=rows)
    file = tmp_path / "out.parquet"
    assert good(*arguments, "-o", file) == ""
    pd.testing.assert_frame_equal(pd.read_parquet(file), expected)
    pd.testing.assert_frame_equal(
        read_csv(good(*arguments, "--format", "csv"), tables.COLUMNS[rows]), expected
    )


def test_a_game_without_rows_has_the_same_columns() -> None:
    """One whose round is over, before others: the header is that of all."""
    over = "N:A... K... Q... J..."
    text = pbn(over, KingVariant="russian-14") + pbn(ENDING, KingVariant="russian-14")
    asked = ("analyze", "-", "--contract", "no-king", "--format", "csv", "--rows", "cards")
    frame = read_csv(good(*asked, input=text), tables.COLUMNS["cards"])
    assert list(frame.columns) == ["file", "game", "board", *tables.COLUMNS["cards"]]
    assert set(frame["game"]) == {2}
    empty = good(*asked, input=pbn(over, KingVariant="russian-14"))
    assert empty.splitlines() == [",".join(frame.columns)]


def test_csv_of_a_trace() -> None:
    arguments = "analyze", RUSSIAN, "--game", "2", "--trace"
    frame = read_csv(good(*arguments, "--format", "csv"), tables.COLUMNS["trace"])
    (record,) = analysed(*arguments[1:])
    assert list(frame["card"]) == [step["card"] for step in record["trace"]]
    assert list(frame["lost"]) == [step["lost"] for step in record["trace"]]
    assert list(frame["leader"].unique()) == ["S"]


def test_csv_has_one_header() -> None:
    text = good("analyze", RUSSIAN, DEALS / "parlett-4.pbn", "--contract", "no-king", "--format", "csv")
    assert text.count("file,game") == 1
    assert len(text.splitlines()) == 1 + 4 * 5


@pytest.mark.parametrize(
    ("ending", "format"), [("json", "json"), ("jsonl", "json"), ("csv", "csv"), ("txt", "table")]
)
def test_the_name_after_o_tells_the_format(ending: str, format: str, tmp_path: Path) -> None:
    file = tmp_path / f"out.{ending}"
    arguments = "analyze", RUSSIAN, "--contract", "king"
    assert good(*arguments, "-o", file) == ""
    assert file.read_text(encoding="utf-8") == good(*arguments, "--format", format)
    assert good(*arguments, "-f", format, "-o", "-") == good(*arguments, "--format", format)


@pytest.mark.parametrize("format", ["table", "json", "csv", "parquet"])
def test_a_file_is_whole_or_not_there(format: str, tmp_path: Path) -> None:
    source = tmp_path / "games.pbn"
    source.write_text(pbn(ENDING) + pbn("N:A... A... K... Q..."))
    folder = tmp_path / "out"
    folder.mkdir()
    target = folder / "values"
    arguments = "analyze", source, "--contract", "king", "--format", format, "-o", target
    assert run(*arguments).exit_code == 1
    assert list(folder.iterdir()) == []
    target.write_text("what was there")
    assert run(*arguments).exit_code == 1
    assert target.read_text() == "what was there"
    assert list(folder.iterdir()) == [target]
    assert run(*arguments, "--keep-going").exit_code == 1
    assert target.read_bytes() != b"what was there"
    assert list(folder.iterdir()) == [target]


def test_a_failure_at_the_end_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    target = tmp_path / "values.json"
    target.write_text("what was there")
    monkeypatch.setattr("os.replace", full)
    result = run("analyze", "--deal", ENDING, "-o", target)
    assert result.exit_code == 1
    assert result.stderr == f"kingsolve: {str(target)!r}: no space left on device\n"
    assert target.read_text() == "what was there"
    assert list(tmp_path.iterdir()) == [target]
