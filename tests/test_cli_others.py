"""`kingsolve variants`, `convert`, `deal`, and what the command says of itself."""

import json
import subprocess
from pathlib import Path

import pytest

import kingsolve as ks
from command import DEAL, DEALS, RUSSIAN, analysed, good, pbn, process, refused, run
from kingsolve.dealing import random_deal
from kingsolve.notation import read_games

# --- variants ---

TAKEN_NAME = "expected another name for rules of one's own, got that of a variant that ships"


def test_list_has_every_variant() -> None:
    lines = good("variants", "list").splitlines()[1:]
    assert [line.split()[0] for line in lines] == ks.variant_ids()
    assert good("variants") == good("variants", "list")
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("id", ks.variant_ids())
def test_show_names_every_contract_with_its_points(id: str) -> None:
    variant = ks.load_variant(id)
    text = " ".join(good("variants", "show", id).split())
    assert variant.title in text
    for name, contract in variant.contracts.items():
        assert f"{name} {contract.title}: " in text
        assert f"{contract.total:+d} in all." in text
    assert max(map(len, good("variants", "show", id).splitlines())) <= 80


@pytest.mark.parametrize(
    ("id", "words"),
    [
        ("russian-14", "no-men No Boys: -4 for each of the kings; -16 in all."),
        (
            "russian-14",
            "The hearts may not be led while another suit is held; who cannot follow suit must discard Kh.",
        ),
        ("russian-14", "no-last-two No Last Two: -8 each for tricks 7 and 8; -16 in all."),
        ("russian-14", "A match is 14 rounds, 0 points in all."),
        (
            "full-king",
            "Trumps: spades: spades are trumps: +3 a trick; +24 in all. Who cannot follow suit must trump.",
        ),
        ("full-king", "eldest, next after the dealer, chooses after seeing 3 cards"),
        ("full-king", "8 times one of (trumps-s trumps-h trumps-d trumps-c trumps-nt)"),
        ("dealers-choice-20", "each at most 2 in the match: no-tricks"),
        ("dealers-choice-20", "The trumps may not be played on the first trick"),
        ("dealers-choice-20", "unless holding As Ks Qs"),
        ("dealers-choice-20", "must trump, and beat the highest if possible"),
        ("rifki", "Dealing and play go counter-clockwise; who chooses the contract leads."),
        ("rifki", "the queens must go under a higher card of their suit"),
        ("rifki", "each at most 2 in the match, 3 of them by one seat"),
        ("parlett-3", "3 seats, 6-A, 36 cards, 12 a hand."),
        ("kierki", "-10 each for tricks 7 and 13"),
        ("king-1993", "the seats choose in turn"),
    ],
)
def test_show_says_the_rules_in_words(id: str, words: str) -> None:
    text = " ".join(good("variants", "show", id).split())
    assert words.lower() in text.lower()


def test_show_a_file_and_its_toml(tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text('extends = "russian-14"\ntitle = "Ours"\n')
    assert good("variants", "show", house).startswith("Ours (house)\n")
    assert good("variants", "show", house, "--toml") == house.read_text()
    assert good("variants", "show", "kierki", "--toml") == ks.load_variant("kierki").text


def test_check_says_what_is_right_and_what_is_wrong(tmp_path: Path) -> None:
    fine, bad, worse = (tmp_path / name for name in ("fine.toml", "bad.toml", "worse"))
    fine.write_text('extends = "russian-14"\ntitle = "Ours"\n')
    bad.write_text('extends = "russian-14"\n[contract]\nno-men = { title = "No", cards = { "1?" = -1 } }\n')
    worse.write_text("seats = 7")
    result = run("variants", "check", fine, bad, worse)
    assert result.exit_code == 1
    assert result.stdout == f"{fine}: Ours: 14 contracts, a match of 14 rounds\n"
    first, second = result.stderr.splitlines()
    assert first.startswith(f"kingsolve: {bad}: [contract.no-men.cards]")
    assert str(worse) in second


# --- convert ---


def test_convert_there_and_back(tmp_path: Path) -> None:
    for source in sorted(DEALS.glob("*.pbn")):
        middle, back = tmp_path / "games.json", tmp_path / "back.pbn"
        assert good("convert", source, middle) == ""
        assert good("convert", middle, back) == ""
        first, last = (list(read_games(path)) for path in (source, back))
        assert [(game.deal, game.round) for game in first] == [(game.deal, game.round) for game in last]


def test_convert_dots_and_lin_through_standard_streams() -> None:
    text = good("convert", "-", "-", "--from", "dots", input=f"{DEAL}\n")
    assert f'[Deal "{DEAL}"]' in text
    lin = "md|3SQJHA98DACT7,STHKJT7DJ8CQ,SAK9HDKTCAK9,S87HQDQ97CJ8|"
    (record,) = map(
        json.loads, good("convert", "-", "-", "--from", "lin", "--to", "json", input=lin).splitlines()
    )
    assert record["dealer"] == "N"
    assert record["deal"] == "N:AK9..KT.AK9 87.Q.Q97.J8 QJ.A98.A.T7 T.KJT7.J8.Q"


def test_convert_variant_holds_the_games_to_it() -> None:
    assert "82" not in refused("convert", "-", "-", "--variant", "parlett-3", input=pbn(DEAL), code=1)


def test_convert_writes_nothing_half(tmp_path: Path) -> None:
    source, target = tmp_path / "games.pbn", tmp_path / "out.json"
    source.write_text(pbn(DEAL) + pbn("garbled") + pbn(DEAL))
    assert "game 2" in refused("convert", source, target, code=1)
    assert sorted(tmp_path.iterdir()) == [source]
    assert run("convert", source, "-").stdout == ""
    result = run("convert", source, target, "--keep-going")
    assert result.exit_code == 1
    assert "game 2" in result.stderr
    assert [json.loads(line)["game"] for line in target.read_text().splitlines()] == [1, 3]


def test_convert_onto_itself(tmp_path: Path) -> None:
    file = tmp_path / "games.pbn"
    file.write_text(pbn(DEAL, Dealer="S"))
    assert good("convert", file, file) == ""
    assert file.read_text().startswith("% PBN 2.1")
    (game,) = read_games(file)
    assert game.deal is not None
    assert game.deal.dealer == "S"


# --- deal ---


@pytest.mark.parametrize("id", ks.variant_ids())
def test_deals_are_the_librarys(id: str, tmp_path: Path) -> None:
    file = tmp_path / "deals.pbn"
    assert good("deal", "--variant", id, "--seed", "5", "-n", "4", "-o", file) == ""
    variant = ks.load_variant(id)
    games = list(read_games(file))
    assert len(games) == 4
    step = 1 if variant.clockwise else -1
    for number, game in enumerate(games, 1):
        dealer = "NESW"[(number - 1) * step % variant.seats]
        assert game.deal == random_deal(variant, seed=5, number=number, dealer=dealer)
        assert game.tags["KingVariant"] == id


def test_deal_i_is_the_same_whatever_n_is() -> None:
    def deals(text: str) -> list[str]:
        return [line for line in text.splitlines() if line.startswith("[Deal ")]

    five = good("deal", "--seed", "9", "-n", "5")
    assert deals(good("deal", "--seed", "9", "-n", "2")) == deals(five)[:2]
    assert deals(good("deal", "--seed", "9", "--first", "4")) == deals(five)[3:4]
    assert good("deal", "--seed", "10", "-n", "5") != five


def test_a_fresh_seed_is_said_and_can_be_used_again() -> None:
    result = run("deal", "-n", "2")
    assert result.exit_code == 0
    seed = result.stderr.removeprefix("kingsolve: seed ").strip()
    assert good("deal", "-n", "2", "--seed", seed) == result.stdout


def test_dealer_and_format() -> None:
    text = good("deal", "--seed", "1", "-n", "3", "--dealer", "s", "--format", "json")
    found = [json.loads(line) for line in text.splitlines()]
    assert [record["dealer"] for record in found] == ["S"] * 3


def test_deals_can_be_analysed() -> None:
    (record,) = analysed("-", "--contract", "no-king", input=good("deal", "--seed", "1"))
    assert record["status"] == "exact"


def test_variants_are_read_from_standard_input() -> None:
    """As all else is; but only once."""
    toml = good("variants", "show", "rifki", "--toml")
    for words, said in (
        (["variants", "check", "-"], "-: Rıfkı (Turkish King): 10 contracts, a match of 20 rounds\n"),
        (["variants", "show", "-", "--toml"], toml),
        (["analyze", RUSSIAN, "--variant", "-", "--contract", "no-king", "-f", "csv", "--no-line"], None),
    ):
        child = process(*words, stdin=subprocess.PIPE)
        out, err = child.communicate(toml.encode(), timeout=120)
        assert (child.returncode, err) == (0, b"")
        assert said is None or out.decode() == said
    for command in (["analyze", "-"], ["score", "-"], ["know", "-", "--seat", "N"], ["convert", "-", "-"]):
        line = refused(*command, "--variant", "-", input="", code=2)
        assert line == "kingsolve: expected - for standard input once"
    child = process("variants", "check", "-", stdin=subprocess.PIPE)
    _, err = child.communicate(b"title = \n", timeout=120)
    assert child.returncode == 1
    assert err.startswith(b"kingsolve: /dev/stdin: expected TOML")


def test_deals_of_a_house_variant_are_read_by_no_other_rules(tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text('extends = "russian-14"\n')
    for asked in (["--seed", "1"], ["--number", "5"], ["--seed", "1", "-f", "json"]):
        dealt = run("deal", "--variant", house, *asked)
        note = f"tag KingVariant 'house' is no variant that ships: read with --variant {house}"
        assert dealt.stderr == f"kingsolve: note: {note}\n"
        text = dealt.stdout
        found = analysed("-", "--variant", house, "--contract", "king", input=text)[0]
        assert found["variant"] == "house"
        line = refused("analyze", "-", "--contract", "king", input=text, code=1)
        assert "expected tag KingVariant to name a variant, one of dealers-choice-20" in line
        assert line.endswith("got 'house': rules of your own are given with --variant FILE")
    # one that has the name of a variant that ships is never taken for it
    other = tmp_path / "russian-14.toml"
    other.write_text('extends = "parlett-4"\n')
    line = refused("deal", "--variant", other, "--seed", "1", code=1)
    assert line == f"kingsolve: {other}: {TAKEN_NAME}"
    assert run("deal", "--variant", "russian-14", "--seed", "1").stderr == ""


# --- the command itself ---


@pytest.mark.parametrize(
    "arguments", [[], ["analyze"], ["score"], ["variants"], ["variants", "show"], ["convert"], ["deal"]]
)
def test_help(arguments: list[str]) -> None:
    text = good(*arguments, "--help")
    assert text.startswith("Usage: ")
    assert text == good(*arguments, "-h")


def test_every_option_says_its_default() -> None:
    import click

    from kingsolve_cli import main

    def options(command: click.Command, path: str) -> list[tuple[str, click.Option]]:
        found = [(path, option) for option in command.params if isinstance(option, click.Option)]
        if isinstance(command, click.Group):
            for name, inner in command.commands.items():
                found += options(inner, f"{path} {name}")
        return found

    for path, option in options(main, "kingsolve"):
        if option.name in ("help", "version"):
            continue
        assert option.help, f"{path} {option.name}"
        told = (
            option.is_flag
            or option.required
            or option.show_default
            or "Default: " in option.help
            or option.name == "after"
        )
        assert told, f"{path} {option.name}"


def test_version() -> None:
    assert good("--version") == f"kingsolve {ks.__version__}\n"


def test_no_arguments_is_help_and_exit_2() -> None:
    result = run()
    assert result.exit_code == 2
    assert "Usage: " in result.stderr


def test_completion_of_variants_and_concepts() -> None:
    for words, expected in (
        ("kingsolve analyze --variant ri", "rifki"),
        ("kingsolve analyze --concept maxn,eq", "maxn,equilibria"),
        ("kingsolve analyze --leader ", "W"),
        ("kingsolve de", "deal"),
    ):
        line = words.split(" ")
        env = {"_KINGSOLVE_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(len(line) - 1)}
        out, _ = process(env=env).communicate(timeout=60)
        assert expected in out.decode()
