"""PBN export: the standard's form, and that reading gives the same games back."""

import dataclasses
import io
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kingsolve.cards import SEATS, bits_of, cards_of
from kingsolve.deal import Deal
from kingsolve.errors import NotationError
from kingsolve.notation import (
    Game,
    PlayRecord,
    format_of,
    read_games,
    read_pbn,
    write_games,
    write_json,
    write_pbn,
)
from kingsolve.position import Position
from kingsolve.rounds import Round
from kingsolve.variants import load_variant

MANDATORY = (
    "Event Site Date Board West North East South Dealer Vulnerable Deal Scoring Declarer Contract Result"
)
DEAL = "N:QJ.A98.A.T7 T.KJT7.J8.Q AK9..KT.AK9 87.Q.Q97.J8"
VARIANTS = ["russian-14", "full-king", "parlett-3", "dealers-choice-20", "rifki", "kierki"]


def written(*games: Game) -> bytes:
    """The games as the bytes of a PBN file."""
    stream = io.BytesIO()
    write_pbn(games, stream)
    return stream.getvalue()


def again(game: Game) -> Game:
    """The game after a journey through PBN."""
    (found,) = read_pbn(io.BytesIO(written(game)))
    return found


def test_the_export_format() -> None:
    deal = Deal.of(DEAL, dealer="E")
    round_ = Round(load_variant("russian-14").contract("no-king"), "S", deal, "As 8s")
    tags = {"Zebra": "z", "Event": 'the "Cup"', "Annotator": "a", "Contract": "4H", "Declarer": "N"}
    assert written(Game(1, 1, deal, tags, round_), Game(2, 1, None, {})).decode() == (
        '% PBN 2.1\r\n% EXPORT\r\n[Event "the \\"Cup\\""]\r\n[Site ""]\r\n[Date ""]\r\n[Board ""]\r\n'
        '[West ""]\r\n'
        '[North ""]\r\n[East ""]\r\n[South ""]\r\n[Dealer "E"]\r\n[Vulnerable ""]\r\n'
        '[Deal "E:T.KJT7.J8.Q AK9..KT.AK9 87.Q.Q97.J8 QJ.A98.A.T7"]\r\n[Scoring ""]\r\n[Declarer ""]\r\n'
        '[Contract ""]\r\n[Result ""]\r\n[Annotator "a"]\r\n[KingContract "no-king"]\r\n[KingLeader "S"]\r\n'
        '[KingVariant "russian-14"]\r\n[Zebra "z"]\r\n[Play "S"]\r\nSA S8 -  -\r\n*\r\n'
        "\r\n" + "".join(f'[{name} ""]\r\n' for name in MANDATORY.split())
    )


def test_sections_stand_in_the_standards_order() -> None:
    text = (
        f'[Deal "{DEAL}"]\n[ScoreTable "A\\2R"]\n1 "x y"\n[Play "W"]\nDQ DA D8 DT\n*\n'
        '[Auction "N"]\n1S Pass\n[Note "1:say \\"hi\\""]\n[ActionTable "B"]\n %2\n'
    )
    (game,) = read_pbn(io.StringIO(text))
    lines = written(game).decode().split("\r\n")
    assert lines[17:] == [
        '[Auction "N"]',
        "1S Pass",
        '[Note "1:say \\"hi\\""]',
        '[Play "W"]',
        "DQ DA D8 DT",
        "*",
        '[ActionTable "B"]',
        " %2",
        '[ScoreTable "A\\2R"]',
        '1 "x y"',
        "",
    ]
    (twin,) = read_pbn(io.BytesIO(written(game)))
    assert (twin.sections, twin.play) == (game.sections, game.play)


def test_long_lines_of_a_section_are_broken() -> None:
    game = Game(1, 1, None, {"FooTable": ""}, sections={"FooTable": ("word " * 200,)})
    assert max(len(line) for line in written(game).split(b"\r\n")) < 253
    assert " ".join(again(game).sections["FooTable"]).split() == ["word"] * 200
    with pytest.raises(NotationError, match="expected section FooTable in lines of"):
        written(Game(1, 1, None, {"FooTable": ""}, sections={"FooTable": ("w" * 300,)}))


def test_scores_are_written_for_a_complete_and_legal_round_only() -> None:
    deal = Deal.of("N:A... K... Q... J...")
    contract = load_variant("russian-14").contract("no-last-two")
    whole = Round(contract, "N", deal, "As Ks Qs Js")
    assert again(Game(1, 1, deal, {}, whole)).tags["KingScores"] == "N:-8 E:0 S:0 W:0"
    assert (
        again(Game(1, 1, deal, {"KingScores": "N:1 E:0 S:0 W:0"}, whole)).tags["KingScores"]
        == "N:1 E:0 S:0 W:0"
    )
    for cards in ("", "As", "As Ks Js Qs"):
        assert "KingScores" not in again(Game(1, 1, deal, {}, Round(contract, "N", deal, cards))).tags


def test_the_order_of_dealing_is_kept() -> None:
    deal = Deal.of(DEAL, dealer="N")
    order = tuple(tuple(reversed(cards_of(hand or 0))) for hand in deal.hands)
    game = Game(1, 1, dataclasses.replace(deal, order=order))
    assert again(game).deal == game.deal


def test_a_tag_that_cannot_be_written_is_refused_and_nothing_is_left(tmp_path: Path) -> None:
    path = tmp_path / "a.pbn"
    path.write_text("old")
    for tags in ({"two words": "x"}, {"": "x"}, {"Vulnerable": "\n"}, {"Name]": "x"}):
        with pytest.raises(NotationError, match="expected "):
            write_pbn([Game(1, 1, None, {}), Game(2, 1, None, tags)], path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.pbn"]


def test_a_failing_source_leaves_nothing_half_written(tmp_path: Path) -> None:
    def games() -> Iterator[Game]:
        yield Game(1, 1, Deal.of(DEAL))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_pbn(games(), tmp_path / "a.pbn")
    assert os.listdir(tmp_path) == []


def test_a_path_is_replaced_when_all_is_written(tmp_path: Path) -> None:
    path = tmp_path / "a.pbn"
    path.write_text("old")
    link = tmp_path / "link.pbn"
    link.symlink_to(path)
    games = [Game(1, 1, Deal.of(DEAL))]
    write_pbn(games, link)
    assert link.is_symlink()
    assert path.read_bytes() == written(*games)
    write_pbn(read_pbn(path), path)  # in place: read to the end before the name changes hands
    assert len(list(read_pbn(path))) == 1
    write_pbn(games, "/dev/null")
    text = io.StringIO()
    write_pbn(games, text)
    assert text.getvalue().encode() == written(*games)


def test_formats(tmp_path: Path) -> None:
    assert [format_of(name) for name in ("a.PBN", "b.lin", "c.jsonl", "d.dds", "e")] == [
        "pbn",
        "lin",
        "json",
        "dots",
        None,
    ]
    games = [Game(1, 1, Deal.of(DEAL, dealer="N"), {"Board": "1"})]
    for name in ("a.pbn", "a.json", "a.jsonl"):
        write_games(games, tmp_path / name)
        (game,) = read_games(tmp_path / name)
        assert game.deal == games[0].deal
        (game,) = read_games(io.BytesIO((tmp_path / name).read_bytes()))  # by what it looks like
        assert game.tags["Board"] == "1"
    with pytest.raises(NotationError, match=r"ends in \.pbn"):
        write_games(games, tmp_path / "a.lin")
    with pytest.raises(NotationError, match="expected a format"):
        list(read_games(tmp_path / "a.pbn", format="bridge"))  # type: ignore[arg-type]
    assert not (tmp_path / "a.lin").exists()


NAMES = st.from_regex(re.compile(r"[A-Z][A-Za-z0-9_]{0,20}", re.ASCII), fullmatch=True).filter(
    lambda name: (
        name.lower() not in {word.lower() for word in (*MANDATORY.split(), "Play", "Auction", "Note")}
        and not name.lower().startswith("king")
    )
)
VALUES = st.one_of(
    st.text(max_size=60),
    st.text('"\\[]{};%#\n\r\t AéΩ\U0001f0a1', max_size=40),
    st.text(min_size=200, max_size=2000),
    st.sampled_from(
        [
            "#",
            "##",
            "##x",
            "###",
            "\\",
            '"',
            '\\"',
            " #",
            "",
            "\ufeff",
            "\u2028\x85\x1c",
            "%KING x",
            "a" * 300,
        ]
    ),
)
FREE = [
    name for name in MANDATORY.split() if name not in ("Dealer", "Vulnerable", "Deal", "Declarer", "Contract")
]


@st.composite
def rounds(draw: st.DrawFn) -> Round:
    """A round of any shipped variant, played legally as far as it goes."""
    variant = load_variant(draw(st.sampled_from(VARIANTS)))
    contract = variant.contract(draw(st.sampled_from(list(variant.contracts))))
    size = draw(st.integers(1, variant.hand_size))
    bits = draw(st.permutations(list(bits_of(variant.pack))))[: size * variant.seats]
    hands = tuple(sum(1 << bit for bit in bits[i :: variant.seats]) for i in range(variant.seats))
    deal = Deal(hands, draw(st.sampled_from(SEATS[: variant.seats])))
    leader = draw(st.sampled_from(SEATS[: variant.seats]))
    position = Position(contract, deal, leader=leader)
    cards = []
    for _ in range(draw(st.integers(0, size * variant.seats))):
        if position.is_over:
            break
        cards.append(draw(st.sampled_from(position.legal_cards())))
        position.push(cards[-1])
    return Round(contract, leader, deal, cards)


@settings(deadline=None, max_examples=150)
@given(rounds(), st.dictionaries(st.one_of(NAMES, st.sampled_from(FREE)), VALUES, max_size=5))
def test_reading_what_was_written_gives_the_same_game(played: Round, tags: dict[str, str]) -> None:
    game = Game(1, 3, played.deal, tags, played)
    data = written(game, game)
    found = list(read_pbn(io.BytesIO(data)))
    assert [twin.number for twin in found] == [1, 2]
    for twin in found:
        assert (twin.deal, twin.round) == (game.deal, game.round)
        assert {name: twin.tags[name] for name in tags} == tags
        added = {name for name in twin.tags if name not in tags and twin.tags[name]}
        assert added <= {"Dealer", "KingVariant", "KingContract", "KingLeader", "KingScores"}
        assert twin.warnings == ()
    check_form(data)
    assert written(*found) == data  # and from there on nothing changes any more


def check_form(data: bytes) -> None:
    """What export format asks of every file."""
    lines = data.split(b"\r\n")
    assert lines[:2] == [b"% PBN 2.1", b"% EXPORT"]
    assert lines[-1] == b""
    for line in lines:
        assert len(line) + 2 < 255
        assert not re.search(rb"[\x00-\x1f\x7f]", line)
    for block in data.split(b"\r\n\r\n"):
        names = re.findall(rb'^\[(\w+) "', block, re.MULTILINE)
        assert [name.decode() for name in names[:15]] == MANDATORY.split()
        assert names[15:] == sorted(set(names[15:]) - {b"Play"}) + [b"Play"] * (b"Play" in names)


@settings(deadline=None, max_examples=100)
@given(rounds(), st.data())
def test_unknown_hands_and_plain_plays_go_there_and_back(played: Round, data: st.DataObject) -> None:
    hidden = data.draw(st.sets(st.integers(0, played.deal.seats - 1)))
    hands = tuple(None if i in hidden else hand for i, hand in enumerate(played.deal.hands))
    cards = st.one_of(st.none(), st.sampled_from(["As", "7h", "Td"]))
    rows = (tuple(data.draw(cards) for _ in hands),)
    play = PlayRecord("S", rows) if any(rows[-1]) and len(hands) == 4 and not all(hands) else None
    deal = Deal(hands, played.deal.dealer)
    if deal.seats == 3 and set(hands) == {None}:
        return  # nothing tells three unknown hands from four
    game = Game(1, 1, deal, {"KingVariant": played.contract.variant}, None, play=play)
    twin = again(game)
    assert (twin.deal, twin.play) == (game.deal, game.play)


def test_a_file_keeps_its_permissions(tmp_path: Path) -> None:
    target = tmp_path / "mine.pbn"
    target.touch(0o600)
    write_pbn([], target)
    assert target.stat().st_mode & 0o777 == 0o600
    assert target.read_bytes().startswith(b"% PBN 2.1")


def test_a_folder_that_is_not_there_is_named_as_asked_for(tmp_path: Path) -> None:
    """Not by the temporary name: for JSON too, in both of which nothing is left behind."""
    for write in (write_pbn, write_json):
        target = tmp_path / "missing" / "games.pbn"
        with pytest.raises(FileNotFoundError) as error:
            write([], target)
        assert error.value.filename == str(target)
        assert str(error.value) == f"[Errno 2] No such file or directory: {str(target)!r}"
    (tmp_path / "folder.pbn").mkdir()
    with pytest.raises(IsADirectoryError) as caught:
        write_pbn([], tmp_path / "folder.pbn")
    assert caught.value.filename == str(tmp_path / "folder.pbn")
    assert [path.name for path in tmp_path.iterdir()] == ["folder.pbn"]
