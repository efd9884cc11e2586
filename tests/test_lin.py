"""LIN and dot strings: hands, names, boards, play, and one error a faulty deal."""

import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kingsolve.cards import bits_of, cards_of, pack_mask
from kingsolve.deal import Deal
from kingsolve.errors import KingError, NotationError
from kingsolve.notation import Game, read_dots, read_games, read_lin, read_pbn, round_of, write_pbn
from kingsolve.notation.lines import MAX_LINE
from kingsolve.variants import load_variant

DEAL = Deal.of("N:QJ.A98.A.T7 T.KJT7.J8.Q AK9..KT.AK9 87.Q.Q97.J8")
MD = "md|3SAK9HDKTCAK9,S87HQDQ97CJ8,SQJHA98DACT7,|"
FULL = "md|1SAK9HDKTCAK9,S87HQDQ97CJ8,SQJHA98DACT7,STHKJT7DJ8CQ|"
BRIDGE = "md|2S269H2568QADTQC2T,S47AHJD3479C4567Q,S58QH479KDKAC38JA,|"


def lin(text: str, variant: str | None = None) -> list[Game]:
    """The games of a LIN text, the first fault raised."""
    return list(read_lin(io.BytesIO(text.encode()), variant=variant))


def keep_going(text: str | bytes) -> tuple[list[Game], list[NotationError]]:
    """The games of a LIN text and its faults."""
    errors: list[NotationError] = []
    data = text if isinstance(text, bytes) else text.encode()
    return list(read_lin(io.BytesIO(data), on_error=errors.append)), errors


def test_a_hand_record() -> None:
    (game,) = lin(f"pn|Ann,Bo,Cy,Di|st||{MD}rh||ah|Board 12|sv|e|mb|1N|an|x|mb|p|pg||pc|SK|pc|s8|pg||\n")
    assert game.deal is not None
    assert game.deal.hands == DEAL.hands
    assert game.tags == {
        "South": "Ann",
        "West": "Bo",
        "North": "Cy",
        "East": "Di",
        "Dealer": "N",
        "Board": "12",
        "Vulnerable": "EW",
    }
    assert game.play is not None
    assert (game.play.leader, game.play.cards) == ("S", ("Ks", "8s"))


@pytest.mark.parametrize(
    ("digit", "dealer"), [("1", "S"), ("2", "W"), ("3", "N"), ("4", "E"), ("0", None), ("", None)]
)
def test_the_dealer_digit(digit: str, dealer: str | None) -> None:
    (game,) = lin(FULL.replace("md|1", f"md|{digit}"))
    assert game.deal is not None
    assert game.deal.dealer == dealer == game.tags.get("Dealer")
    assert game.deal.hands == DEAL.hands


def test_the_fourth_hand_is_the_rest_of_the_pack() -> None:
    (game,) = lin(BRIDGE)
    assert game.deal is not None
    hands = [hand or 0 for hand in game.deal.hands]
    assert [hand.bit_count() for hand in hands] == [13] * 4
    assert sum(hands) == pack_mask("2-A")
    assert cards_of(hands[1])[:2] == ["Ks", "Js"]


def test_a_missing_hand_that_is_not_the_fourth() -> None:
    (game,) = lin("md|3SAK9HDKTCAK9,,SQJHA98DACT7,STHKJT7DJ8CQ|")
    assert game.deal is not None
    assert game.deal.hands == DEAL.hands


@pytest.mark.parametrize(
    "md",
    [
        "md|3SA,SK,SQ,|",
        "md|3SAK9HDKTCAK9,S87HQDQ97CJ2,SQJHA98DACT7,|",
        "md|3,,,|",
        "md|3SAK9HDKTCAK9,S87HQDQ97CJ8|",
    ],
)
def test_unknown_hands_stay_unknown_where_the_pack_does_not_come_out_even(md: str) -> None:
    (game,) = lin(md)
    assert game.deal is not None
    assert game.deal.hands[1] is None
    known = sum(hand is not None for hand in game.deal.hands)
    assert [warning.about for warning in game.warnings] == (["E"] if known == 3 else [])


def test_the_pack_of_the_variant_given() -> None:
    hands = "md|3SAKQJT987,HAKQJT987,DAKQJT987,|"
    (game,) = lin(hands, "full-king")
    assert game.deal is not None
    assert cards_of(game.deal.hands[1] or 0)[0] == "Ac"
    (game,) = lin(hands, "dealers-choice-20")  # an end position: 28 cards are left, not 8
    assert game.deal is not None
    assert game.deal.hands[1] is None


def test_many_deals_a_file() -> None:
    games = lin(
        f"pn|A,B,C,D|st||{MD}ah|Board 1|pg||\r\npn|E,F,G,H|st||{BRIDGE}ah|Board 2|pg||\r\n{FULL}\n{FULL}"
    )
    assert [(game.number, game.line, game.tags.get("Board"), game.tags["South"]) for game in games] == [
        (1, 1, "1", "A"),
        (2, 2, "2", "E"),
        (3, 3, None, "E"),
        (4, 4, None, "E"),
    ]


def test_vugraph() -> None:
    text = (
        "vg|Cup final,Segment 2,I,1,2,Reds,0,Blues,0|\nrs|4HN+1,4HS=|\npn|a,b,c,d,e,f,g,h|pg||\n"
        f"qx|o1|st||{MD}sv|o|\nnt|kib: hello,\nall of you|mb|p|pg||\npc|SA|pg||\n"
        f"qx|c1|st||{MD}sv|n|\nmb|p|pg||\nqx|o2|{BRIDGE}pg||\n"
    )
    games = lin(text)
    assert [(game.line, game.tags["Room"], game.tags["Board"], game.tags["South"]) for game in games] == [
        (4, "Open", "1", "a"),
        (8, "Closed", "1", "e"),
        (10, "Open", "2", "a"),
    ]
    assert {game.tags["Event"] for game in games} == {"Cup final"}
    assert games[0].play is not None
    assert games[0].play.cards == ("As",)


def test_the_play_is_in_order_whatever_the_contract() -> None:
    cards = "DQ DA D8 DT C7 CQ CA CJ DK D9 H9 DJ".split()
    (game,) = lin(MD + "".join(f"pc|{card}|" for card in cards))
    contract = load_variant("russian-14").contract("no-tricks")
    played = round_of(game, contract)
    assert played.leader == "W"
    assert played.position().banked == (-2, 0, -4, 0)
    stream = io.StringIO()
    write_pbn([game], stream)
    (twin,) = read_pbn(io.StringIO(stream.getvalue()))
    assert round_of(twin, contract).cards == played.cards


def test_a_value_without_its_bar_ends_with_its_line() -> None:
    games = lin(f"{MD}ah|Board 1|pg|\n{FULL}ah|Board 2|\n")
    assert [game.tags["Board"] for game in games] == ["1", "2"]


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("md|5SA,SK,SQ,SJ|", "expected a dealer from 1 (S) to 4 (E), got '5'"),
        ("md|1SA,SK,SQ,SJ,ST|", "expected four hands, got 5"),
        ("md|1SAX,SK,SQ,SJ|", "hand S: expected a suit S H D C and ranks"),
        ("md|1AK,SK,SQ,SJ|", "hand S: expected a suit"),
        ("md|1SAA,SK,SQ,SJ|", "hand S: expected each card once, got 'As' twice"),
        ("md|1SA,SA,SQ,SJ|", "expected each card once, got 'As' with both S and W"),
        ("md|1SAK,SQ,SJ,ST|", "expected hands of equal size"),
        (MD + "pc|SX|", "pc: expected a card such as 'SK', got 'SX'"),
        ("qx|o1|hello world|", "expected a LIN tag such as 'md|', got 'hello world'"),
        ("qx|o1|md|" + "x" * MAX_LINE + "|", "expected lines of at most"),
    ],
)
def test_a_faulty_deal_is_one_error_and_the_next_is_not_lost(bad: str, message: str) -> None:
    games, errors = keep_going(
        f"{FULL}\n{bad}\n{FULL}\n" if "qx" not in bad else f"{FULL}\n{bad}\nqx|o2|{FULL}\n"
    )
    assert [game.number for game in games] == [1, 3]
    assert [(error.line, error.game) for error in errors] == [(2, 2)]
    assert message in errors[0].message


def test_what_is_no_lin_is_one_error() -> None:
    games, errors = keep_going("this is\nno such file\n")
    assert (len(games), len(errors)) == (0, 1)
    assert errors[0].line == 1
    assert keep_going(b"\0")[1][0].message.startswith("expected a text file")
    assert keep_going("") == ([], [])


@settings(deadline=None, max_examples=300)
@given(st.one_of(st.binary(max_size=200), st.text("md|pcqx1SAHK,T9\nstpn o", max_size=120).map(str.encode)))
def test_whatever_comes_is_games_or_king_errors(data: bytes) -> None:
    games, errors = keep_going(data)
    assert all(isinstance(error, KingError) for error in errors)
    assert all(isinstance(game, Game) for game in games)


# --- dot strings ---

LINE = DEAL.pbn()


def test_dot_strings() -> None:
    text = f'# a comment\n{LINE}\r\n\n{LINE[2:]}\n"{LINE.lower()}"\nN:AKQ... - - -\n'
    games = list(read_dots(io.StringIO(text)))
    assert [(game.number, game.line) for game in games] == [(1, 2), (2, 4), (3, 5), (4, 6)]
    assert {game.deal for game in games[:3]} == {Deal(DEAL.hands, "N")}
    assert games[3].deal is not None
    assert games[3].deal.hands[1:] == (None, None, None)


def test_a_faulty_line_is_one_error() -> None:
    errors: list[NotationError] = []
    games = list(read_dots(io.StringIO(f"{LINE}\nnonsense\n{LINE}\n"), on_error=errors.append))
    assert [game.number for game in games] == [1, 3]
    assert [(error.line, error.game) for error in errors] == [(2, 2)]
    with pytest.raises(NotationError, match="2: game 2: expected a deal"):
        list(read_dots(io.StringIO(f"{LINE}\nnonsense\n")))
    with pytest.raises(NotationError, match="NUL"):
        list(read_dots(io.BytesIO(b"N:\0")))


@pytest.mark.parametrize("text", [LINE, f"\n% x\n{LINE[2:]}\n", "N:- - - -", "n:A... K... Q... J..."])
def test_dot_strings_are_known_by_their_looks(text: str, tmp_path: Path) -> None:
    path = tmp_path / "deals.txt"
    path.write_text(text)
    assert len(list(read_games(path))) == 1


def test_lin_is_known_by_its_looks() -> None:
    (game,) = read_games(io.BytesIO(b"\xef\xbb\xbf pn|A,B,C,D|" + MD.encode()))
    assert game.tags["South"] == "A"


@settings(deadline=None)
@given(st.permutations(list(bits_of(pack_mask("7-A")))))
def test_any_deal_goes_through_dots_and_lin(bits: list[int]) -> None:
    hands = tuple(sum(1 << bit for bit in bits[i::4]) for i in range(4))
    (game,) = read_dots(io.StringIO(Deal(hands, "S").pbn("S")))
    assert game.deal == Deal(hands, "S")
    parts = [
        "".join(f"{s.upper()}" + "".join(c[0] for c in cards_of(hands[i]) if c[1] == s) for s in "shdc")
        for i in (2, 3, 0)
    ]
    (game,) = lin(f"md|1{','.join(parts)},|")
    assert game.deal == Deal(hands, "S")
