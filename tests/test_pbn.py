"""PBN import: every promise of the reader, and that nothing makes it fall over."""

import io
import json
import re
from pathlib import Path

import pytest

from kingsolve.cards import SEATS
from kingsolve.deal import Deal
from kingsolve.errors import CardError, NotationError, VariantError
from kingsolve.notation import (
    leader_of,
    read_dots,
    read_json,
    read_pbn,
    scores_of,
    variant_of,
    write_pbn,
)
from kingsolve.notation.lines import MAX_LINE
from kingsolve.variants import load_variant
from pbn_texts import DEAL, FAULTY, HANDS, OTHER, THREE, Dripping, game_text, keep_going, one, read

# --- layout ---


def test_tags_share_lines_and_span_lines() -> None:
    game = one('[Event "A"][Site "B"] \t [ Board\n\n "1" ]'.replace("\n\n", "\n") + f'[Deal\n"{DEAL}"\n]')
    assert game.tags == {"Event": "A", "Site": "B", "Board": "1"}
    assert game.deal is not None
    assert game.deal.hands == HANDS


def test_percent_lines_count_in_column_one_only() -> None:
    game = one(f'%[Event "no"]\n[Site "50% of [it]"]\n %[Event "yes"]\n%[Board "9"]\n[Deal "{DEAL}"]\n')
    assert game.tags == {"Site": "50% of [it]", "Event": "yes"}


def test_comments_span_lines_with_blank_lines_and_brackets_in_them() -> None:
    text = f"""{{before}} [Event "A"] ; rest [Site "no"] }} {{
[Board "1"] {{ [Deal "N:- - - -"]

% not an escape }} [Dealer "E"] {{ ; }}
[Deal "{DEAL}"]"""
    game = one(text)
    assert game.tags == {"Event": "A", "Board": "1", "Dealer": "E"}


def test_braces_in_a_semicolon_comment_mean_nothing() -> None:
    assert one(game_text(Event="A") + '; {\n[Site "B"]\n').tags["Site"] == "B"


def test_quotes_and_backslashes_are_escaped() -> None:
    game = one(game_text(Event=r"the \"Old\" C:\\ \2R"))
    assert game.tags["Event"] == r'the "Old" C:\ \2R'


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(end: str) -> None:
    text = (game_text() + "\n" + game_text(OTHER, Board="2")).replace("\n", end)
    games = read(text)
    assert [(game.line, game.tags["Board"]) for game in games] == [(1, "1"), (4, "2")]


@pytest.mark.parametrize("step", [1, 2, 3, 7])
def test_line_ends_and_characters_cut_by_the_stream(step: int) -> None:
    text = (game_text(Event="Żółw") + "\n" + game_text(OTHER, Event="ő")).replace("\n", "\r\n")
    games = list(read_pbn(Dripping(b"\xef\xbb\xbf" + text.encode(), step)))
    assert [(game.line, game.tags["Event"]) for game in games] == [(1, "Żółw"), (5, "ő")]


def test_utf8_else_latin_1_line_by_line() -> None:
    text = b'[Event "Caf\xe9"]\n[Site "\xc3\xa9t\xc3\xa9"]\n' + f'[Deal "{DEAL}"]'.encode()
    assert one(text).tags == {"Event": "Café", "Site": "été"}


def test_paths_text_streams_and_byte_streams(tmp_path: Path) -> None:
    path = tmp_path / "a.pbn"
    path.write_text(game_text(Event="ő"), encoding="utf-8")
    for source in (
        path,
        str(path),
        io.StringIO(path.read_text("utf-8")),
        path.open("rb"),
        Dripping(path.read_bytes(), 5),
    ):
        games = list(read_pbn(source))
        assert games[0].tags["Event"] == "ő"
        if hasattr(source, "close"):
            source.close()
    with pytest.raises(OSError, match="nowhere"):
        list(read_pbn(tmp_path / "nowhere.pbn"))


def test_a_stream_given_open_stays_open() -> None:
    stream = io.BytesIO(game_text().encode())
    list(read_pbn(stream))
    assert not stream.closed


# --- deals ---


@pytest.mark.parametrize("first", "NESWnesw")
def test_any_first_seat(first: str) -> None:
    words = DEAL[2:].split()
    start = "NESW".index(first.upper())
    game = one(game_text(f"{first}:" + " ".join(words[start:] + words[:start])))
    assert game.deal is not None
    assert game.deal.hands == HANDS
    assert game.deal.dealer == first.upper()


def test_lower_case_and_10() -> None:
    game = one(game_text(DEAL.replace("T", "10").lower()))
    assert game.deal is not None
    assert game.deal.hands == HANDS


def test_unknown_hands_stay_unknown() -> None:
    words = DEAL[2:].split()
    game = one(game_text(f"N:{words[0]} {words[1]} {words[2]} -"))
    assert game.deal is not None
    assert game.deal.hands == (*HANDS[:3], None)  # though only one hand is possible
    assert one(game_text("N:- - - -")).deal == Deal((None,) * 4, "N")


@pytest.mark.parametrize(
    "deal", [THREE, THREE + " ...", "E:" + " ".join([*THREE[2:].split()[1:], "...", THREE[2:].split()[0]])]
)
def test_three_seats_with_and_without_an_empty_fourth(deal: str) -> None:
    game = one(game_text(deal))
    assert game.deal is not None
    assert game.deal.hands == Deal.of(THREE).hands
    assert variant_of(game).id == "parlett-3"


@pytest.mark.parametrize("empty", ["...", "-", None])
@pytest.mark.parametrize("first", "NESW")
def test_three_seats_from_any_first_seat(first: str, empty: str | None) -> None:
    """Without a Dealer tag the deal's first seat dealt; where nobody sits there, the next, N."""
    north, east, south = THREE[2:].split()
    hands = {"N": north, "E": east, "S": south, "W": empty}
    order = SEATS[SEATS.index(first) :] + SEATS[: SEATS.index(first)]
    words = [hand for seat in order if (hand := hands[seat]) is not None]
    text = game_text(f"{first.lower()}:" + " ".join(words), KingVariant="parlett-3")
    if first == "W" and empty is None:  # three hands from there might be anybody's
        with pytest.raises(NotationError, match="expected a seat, one of N E S, got 'w'"):
            one(text)
        return
    dealer = "N" if first == "W" else first
    game = one(text)
    assert game.deal == Deal.of(THREE, dealer=dealer)
    assert leader_of(game, load_variant("parlett-3")) == "NES"[("NES".index(dealer) + 1) % 3]
    stream = io.StringIO()
    write_pbn([game], stream)
    (again,) = read_pbn(io.StringIO(stream.getvalue()))
    assert again.deal == game.deal
    if empty != "-":
        dots = " ".join([f"{first}:{words[0]}", *words[1:]])
        for source, read in ((dots, read_dots), (json.dumps({"deal": dots}), read_json)):
            (found,) = read(io.StringIO(source + "\n"))
            assert found.deal == game.deal


def test_the_empty_hand_of_three_is_that_of_w() -> None:
    north, east, south = THREE[2:].split()
    with pytest.raises(NotationError, match=r"\(three seats are N E S: the empty hand is W's\)"):
        one(game_text(f"N:{north} ... {east} {south}"))
    with pytest.raises(NotationError, match=r"expected hands of equal size, got N 2, E 1, S 2, W 2$"):
        one(game_text("N:AK... Q... JT... 98..."))


@pytest.mark.parametrize(
    ("deal", "variant"),
    [
        (DEAL, "russian-14"),
        ("N:A... K... Q... J...", "russian-14"),
        ("N:A... K... Q... 6...", "dealers-choice-20"),
        (THREE, "parlett-3"),
        ("N:A... K... Q...", "parlett-3"),
        ("N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432", "dealers-choice-20"),
        ("N:AKQJT9.AKQ.. - - -", "dealers-choice-20"),
    ],
)
def test_the_variant_by_the_cards(deal: str, variant: str) -> None:
    assert variant_of(one(game_text(deal))).id == variant


def test_the_variant_given_wins_over_the_tag_and_the_tag_over_the_cards(tmp_path: Path) -> None:
    game = one(game_text(KingVariant="full-king"))
    assert variant_of(game).id == "full-king"
    assert variant_of(game, "parlett-4").id == "parlett-4"
    house = tmp_path / "house.toml"
    house.write_text('extends = "russian-14"\ntitle = "House"\n')
    assert variant_of(game, house).id == "house"
    assert len(list(read_pbn(io.BytesIO(game_text().encode()), variant=load_variant("short-king")))) == 1


def test_a_path_in_a_data_file_is_never_opened(tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text('extends = "russian-14"\ntitle = "House"\n')
    with pytest.raises(NotationError, match=r":?2: game 1: expected tag KingVariant to name a variant"):
        read(game_text(KingVariant=str(house)))


def test_a_bad_variant_argument_is_the_callers_error() -> None:
    with pytest.raises(VariantError, match="'nonsense'"):
        read(game_text(), "nonsense")


@pytest.mark.parametrize(
    ("deal", "variant", "message"),
    [
        (FAULTY, None, "expected hands of equal size, got N 8, E 8, S 7, W 8"),
        (DEAL.replace("87.Q", "87.A"), None, "expected each card once, got 'Ah' with both N and W"),
        (DEAL, "parlett-3", r"expected 3 hands \(parlett-3\), got 4"),
        (THREE, "russian-14", "expected 4 hands"),
        (DEAL.replace("Q97", "Q92"), "russian-14", "'2d' with W"),
        ("N:AKQJT98765432.A.. - - -", None, "expected at most 13 cards a hand"),
        ("N:" + DEAL[2:].split()[0], None, "with three or four hands"),
        ("W:" + THREE[2:], None, "expected a seat, one of N E S, got 'W'"),
        (DEAL.replace("QJ.", "QX."), None, "hand N: expected ranks"),
        ("#", None, "expected a deal"),
        ("rubbish", None, "expected a deal"),
    ],
)
def test_a_faulty_deal_is_one_error_with_line_and_game(deal: str, variant: str | None, message: str) -> None:
    good = game_text(THREE if variant == "parlett-3" else DEAL)
    text = good + "\n" + game_text(deal, Site="x") + "\n" + good
    games, errors = keep_going(text, variant)
    assert [game.number for game in games] == [1, 3]
    assert len(errors) == 1
    assert re.search(message, errors[0].message)
    assert (errors[0].line, errors[0].game) == (6, 2)
    with pytest.raises(NotationError, match=message):
        read(text, variant)


# --- inheritance ---


def test_hash_inherits_the_last_real_value() -> None:
    texts = [game_text(Site="#"), game_text(Site="A"), game_text(), game_text(Site="#"), game_text(Site="#")]
    games = read("\n".join(texts))
    assert [game.tags.get("Site") for game in games] == ["", "A", None, "A", "A"]


def test_double_hash_stands_until_it_is_redefined() -> None:
    texts = [
        game_text(Date="##1"),
        game_text(),
        game_text(Date="2"),
        game_text(),
        game_text(Date="##"),
        game_text(),
    ]
    games = read("\n".join(texts))
    assert [game.tags["Date"] for game in games] == ["1", "1", "2", "2", "", ""]


def test_a_faulty_game_hands_its_values_on() -> None:
    games, errors = keep_going(game_text(FAULTY, Site="##A") + "\n" + game_text(Event="#"))
    assert len(errors) == 1
    assert games[0].tags["Site"] == "A"


@pytest.mark.parametrize("name", ["Vulnerable", "Declarer", "Contract"])
def test_some_tags_are_never_inherited(name: str) -> None:
    games = read(game_text(**{name: "x"}) + "\n" + game_text(**{name: "#"}))
    assert games[1].tags[name] == ""
    assert [warning.about for warning in games[1].warnings] == [name]


def test_a_single_hash_in_front_is_just_text() -> None:
    assert one(game_text(Event="#3 of 4")).tags["Event"] == "#3 of 4"


# --- where games begin and end ---


def test_games_without_a_blank_line_between() -> None:
    text = game_text(Event="A") + game_text(OTHER, Board="2") + f'[Deal "{DEAL}"]\n[Event "C"]\n[Event "D"]\n'
    games = read(text)
    assert [game.tags for game in games] == [
        {"Board": "1", "Event": "A"},
        {"Board": "2"},
        {"Event": "C"},
        {"Event": "D"},
    ]
    assert [game.line for game in games] == [1, 4, 6, 8]
    assert not any(game.warnings for game in games)


def test_any_other_repeat_keeps_the_first_with_a_warning() -> None:
    game = one(game_text(Event="A") + '[Site "B"]\n[Site "C"]\n')
    assert game.tags["Site"] == "B"
    assert [(warning.line, warning.about) for warning in game.warnings] == [(5, "Site")]
    before = one('[Event "A"]\n[Event "B"]\n' + game_text())
    assert before.tags["Event"] == "A"
    assert [(warning.line, warning.about) for warning in before.warnings] == [(2, "Event")]


def test_free_text_is_passed_over() -> None:
    text = f'A word [first]: "hello; {{yes}}\n\n{game_text()}\nThe end (see [1]) "of {{ it\n\nall [really'
    assert one(text).tags == {"Board": "1"}


def test_a_block_without_a_deal_is_a_game_without_one() -> None:
    games = read('[Event "##Cup"]\n\n' + game_text())
    assert [(game.number, game.deal is None, game.tags["Event"]) for game in games] == [
        (1, True, "Cup"),
        (2, False, "Cup"),
    ]


def test_nothing_is_no_games() -> None:
    for text in ("", "\n\n", "% PBN 2.1\n", "\ufeff", "\x1a"):
        assert read(text) == []


def test_unknown_tags_and_sections() -> None:
    text = game_text(Foo_9="bar") + (
        '[Auction "N"]\n1S =1= Pass 2H! {a} Pass\n4S AP\n[Note "1:five \\"or\\" more"]\n'
        '[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]\nN NT 4 ; x\nN  S "[5]"\n'
        '[Score "NS 420"]\n'
    )
    game = one(text)
    assert game.tags["Foo_9"] == "bar"
    assert game.tags["Score"] == "NS 420"
    assert game.sections == {
        "Auction": ("1S =1= Pass 2H!", "Pass", "4S AP", '[Note "1:five "or" more"]'),
        "OptimumResultTable": ("N NT 4", 'N  S "[5]"'),
    }


def test_text_after_an_ordinary_tag_is_odd() -> None:
    game = one('[Event "A"] what?\n' + game_text())
    assert [(warning.line, warning.about) for warning in game.warnings] == [(1, "Event")]


def test_tag_names_in_the_wrong_case() -> None:
    game = one(f'[deal "{DEAL}"]\n[BOARD "7"]')
    assert game.deal is not None
    assert game.tags == {"Board": "7"}
    assert [warning.about for warning in game.warnings] == ["deal", "BOARD"]


# --- faults, and going on after them ---

BROKEN = {
    "no closing quote": ('[Event "A]', "expected a closing quote for tag Event"),
    "no quotes": ("[Event A]", "expected a value in quotes for tag Event, got 'A]'"),
    "quotes inside": ('[Event "The "Big" Cup"]', "expected a closing bracket after the value of tag Event"),
    "no name": ('["A"]', "expected a tag name after '['"),
    "nothing after the bracket": ("[", "expected a tag name after '['"),
    "nothing after the name": ("[Event", "expected a value in quotes for tag Event"),
    "a comment without end": ("{ and so on", "expected '}' to close the comment"),
    "a line without end": ("; " + "x" * MAX_LINE, "expected lines of at most"),
}


@pytest.mark.parametrize("what", BROKEN)
@pytest.mark.parametrize("gap", ["\n", ""], ids=["blank line", "no blank line"])
def test_the_next_game_is_not_lost(what: str, gap: str) -> None:
    broken, message = BROKEN[what]
    text = (
        game_text()
        + gap
        + '[Board "2"]\n'
        + f'[Deal "{OTHER}"]\n{broken}\n'
        + gap
        + game_text(OTHER, Board="3")
    )
    games, errors = keep_going(text)
    assert [game.tags["Board"] for game in games] == ["1", "3"]
    assert len(errors) == 1
    assert message in errors[0].message
    assert errors[0].game == 2
    assert errors[0].line in (5 + len(gap), 6 + len(gap))


def test_a_missing_bracket_is_forgiven_with_a_warning() -> None:
    for after in ("\n\n", "\n", ""):
        games = read(f'[Board "1"]\n[Deal "{DEAL}"' + after + (game_text(OTHER) if after else ""))
        assert games[0].deal is not None
        assert [(warning.line, warning.about) for warning in games[0].warnings] == [(2, "closing bracket")]
        assert len(games) == (2 if after else 1)


def test_a_comment_without_end_costs_one_game() -> None:
    text = game_text() + "\n" + game_text(OTHER) + "{ never closed\n\n" + "\n".join([game_text()] * 3)
    games, errors = keep_going(text)
    assert [game.number for game in games] == [1, 3, 4, 5]
    assert [(error.line, error.game) for error in errors] == [(6, 2)]


@pytest.mark.parametrize(
    ("tags", "line", "message"),
    [
        ({"Dealer": "Q"}, 2, "tag Dealer: expected a seat"),
        ({"KingLeader": "nobody"}, 2, "tag KingLeader: expected a seat"),
        ({"KingContract": "misery"}, 2, "expected a contract of russian-14, one of .*, got 'misery'"),
        ({"KingVariant": "bridge"}, 2, "expected tag KingVariant to name a variant"),
        ({"KingDealt": "N:7s"}, 3, "expected the cards as dealt"),
    ],
)
def test_faulty_tags(tags: dict[str, str], line: int, message: str) -> None:
    games, errors = keep_going(game_text(**tags) + "\n" + game_text())
    assert len(games) == 1
    assert re.search(message, errors[0].message)
    assert (errors[0].line, errors[0].game) == (line, 1)


def test_a_dealer_who_is_not_there() -> None:
    _, errors = keep_going(game_text(THREE, Dealer="W"))
    assert "expected a dealer among N E S, got 'W'" in errors[0].message
    assert one(game_text(Dealer="?")).tags["Dealer"] == "?"


@pytest.mark.parametrize("data", [b"\x00" * 10, b"\xff\xfe[\x00E\x00", b"junk\n" * 10 + b"\0"])
def test_what_is_no_text_is_refused_with_one_message(data: bytes) -> None:
    games, errors = keep_going(data)
    assert games == []
    assert [error.message for error in errors] == ["expected a text file, got a NUL byte: binary or UTF-16"]
    with pytest.raises(NotationError, match="NUL byte"):
        read(data)


def test_games_before_a_nul_byte_are_read() -> None:
    games, errors = keep_going(game_text() * 30 + "\n\0\n" + game_text())
    assert len(games) == 30
    assert errors[-1].line == 62


def test_messages_have_file_line_and_game(tmp_path: Path) -> None:
    path = tmp_path / "a.pbn"
    path.write_text(game_text(FAULTY))
    with pytest.raises(NotationError) as caught:
        list(read_pbn(path))
    assert str(caught.value).startswith(f"{path}:2: game 1: expected hands of equal size")


# --- who leads ---


@pytest.mark.parametrize(
    ("variant", "tags", "first", "leader"),
    [
        ("russian-14", {"KingLeader": "s", "Dealer": "N"}, "N", "S"),
        ("russian-14", {"Dealer": "N"}, "W", "E"),
        ("russian-14", {}, "W", "N"),
        ("dealers-choice-20", {"Dealer": "S"}, "N", "S"),
        ("rifki", {"Dealer": "S"}, "N", "E"),
        ("jeu-du-roi", {"Dealer": "W"}, "N", "N"),
        ("kierki", {}, "E", "E"),
        ("king-1993", {}, "E", "S"),
    ],
)
def test_the_leader(variant: str, tags: dict[str, str], first: str, leader: str) -> None:
    words = ["AKQJT987...", ".AKQJT987..", "..AKQJT987.", "...AKQJT987"]
    game = one(game_text(f"{first}:" + " ".join(words), **tags), variant)
    assert leader_of(game, load_variant(variant)) == leader
    assert leader_of(game, load_variant(variant), "e") == "E"


def test_the_leader_of_three_and_of_nobody() -> None:
    assert leader_of(one(game_text(THREE, Dealer="S")), load_variant("parlett-3")) == "N"
    with pytest.raises(CardError):
        leader_of(one(game_text(THREE)), load_variant("parlett-3"), "W")
    with pytest.raises(NotationError, match="expected a leader"):
        leader_of(one('[Event "A"]'), load_variant("parlett-3"))


def test_scores() -> None:
    assert scores_of(one(game_text(KingScores="N:-4 E:0 S:-8 W:-4"))) == (-4, 0, -8, -4)
    assert scores_of(one(game_text(KingScores="w:−4, S:+8 n:0 e:1"))) == (0, 1, 8, -4)
    assert scores_of(one(game_text(THREE, KingScores="N:1 E:2 S:3"))) == (1, 2, 3)
    assert scores_of(one(game_text())) is None
    for bad in ("N:1", "N:1 E:2 S:3 W:x", "N:1 N:1 S:3 W:0", "1 2 3 4", "N:1 E:2 S:3 W:4 N:5"):
        with pytest.raises(NotationError, match="expected tag KingScores as 'N:points"):
            scores_of(one(game_text(KingScores=bad)))
