"""JSON lines of games: nothing lost there and back, one clear error for anything else."""

import dataclasses
import io
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kingsolve.deal import Deal
from kingsolve.errors import NotationError
from kingsolve.notation import Game, PlayRecord, read_games, read_json, read_pbn, write_json
from kingsolve.rounds import Round
from kingsolve.variants import load_variant

DEAL = "N:QJ.A98.A.T7 T.KJT7.J8.Q AK9..KT.AK9 87.Q.Q97.J8"
HANDS = {
    "N": ["Qs", "Js", "Ah", "9h", "8h", "Ad", "Tc", "7c"],
    "E": "Ts Kh Jh 10h 7h Jd 8d Qc".split(),
    "S": ["As", "Ks", "9s", "Kd", "Td", "Ac", "Kc", "9c"],
    "W": ["8s", "7s", "Qh", "Qd", "9d", "7d", "Jc", "8c"],
}


def read(*objects: Any, variant: str | None = None) -> list[Game]:
    """The games of objects, or of lines given as texts."""
    lines = [item if isinstance(item, str) else json.dumps(item) for item in objects]
    return list(read_json(io.StringIO("\n".join(lines)), variant=variant))


def again(game: Game) -> Game:
    """The game after a journey through JSON."""
    stream = io.BytesIO()
    write_json([game], stream)
    assert stream.getvalue().count(b"\n") == 1
    (found,) = read_json(io.BytesIO(stream.getvalue()))
    return found


def test_the_objects() -> None:
    deal = Deal.of(DEAL, dealer="E")
    game = Game(
        7, 3, deal, {"Board": "1"}, Round(load_variant("parlett-4").contract("no-men"), "S", deal, "As 8s")
    )
    stream = io.StringIO()
    write_json([game, Game(8, 9, None)], stream)
    first, second = map(json.loads, stream.getvalue().splitlines())
    assert first == {
        "game": 7,
        "deal": "E:T.KJT7.J8.Q AK9..KT.AK9 87.Q.Q97.J8 QJ.A98.A.T7",
        "dealer": "E",
        "tags": {"Board": "1"},
        "variant": "parlett-4",
        "contract": "no-men",
        "leader": "S",
        "cards": ["As", "8s"],
    }
    assert second == {"game": 8}


def test_a_deal_as_text_or_as_hands() -> None:
    games = read({"deal": DEAL}, {"deal": HANDS}, {"deal": HANDS, "dealer": "w"}, {"deal": None}, {})
    assert [game.deal for game in games] == [
        Deal.of(DEAL, dealer="N"),
        Deal.of(DEAL),
        Deal.of(DEAL, dealer="W"),
        None,
        None,
    ]
    assert [game.number for game in games] == [1, 2, 3, 4, 5]


def test_the_leader_follows_from_the_dealer() -> None:
    (game,) = read({"deal": DEAL, "contract": "no-men"})
    assert game.round == Round(load_variant("russian-14").contract("no-men"), "E", Deal.of(DEAL, dealer="N"))


def test_the_variant_given_and_named() -> None:
    (game,) = read({"deal": DEAL, "contract": "no-men", "variant": "full-king"})
    assert game.round is not None
    assert game.round.contract.variant == "full-king"
    (game,) = read({"deal": DEAL, "contract": "no-men", "variant": "full-king"}, variant="short-king")
    assert game.round is not None
    assert game.round.contract.variant == "short-king"


def test_king_tags_make_a_round_too() -> None:
    (game,) = read({"deal": DEAL, "tags": {"KingContract": "no-men", "KingLeader": "W"}})
    assert game.round is not None
    assert (game.round.contract.name, game.round.leader) == ("no-men", "W")


def test_an_unknown_key_is_a_warning() -> None:
    (game,) = read({"deal": DEAL, "bord": 1})
    assert [(warning.line, warning.about) for warning in game.warnings] == [(1, "bord")]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "expected one JSON object a line: Expecting property name"),
        ("[]", "expected one JSON object a line, got []"),
        ("nonsense", "expected one JSON object a line: Expecting value"),
        ("[" * 100_000, "expected one JSON object a line: objects nested too deeply"),
        ('{"deal": "x", "deal": "y"}', "expected each key once, got 'deal' again"),
        ('{"deal": 7}', "deal: expected a text, got 7"),
        ('{"deal": "N:A"}', "expected a deal such as"),
        (
            '{"deal": {"N": ["As"], "E": ["As"], "S": ["Ks"]}}',
            "expected each card once, got 'As' with both N and E",
        ),
        ('{"deal": {"N": "As"}}', "hand N: expected a list, got 'As'"),
        ('{"deal": {"X": ["As"]}}', "expected a seat, one of N E S W, got 'X'"),
        ('{"tags": {"Board": 1}}', "tag Board: expected a text, got 1"),
        ('{"tags": []}', "tags: expected an object, got []"),
        ('{"tags": {"A": "\\ud800"}}', "tag A: expected whole characters"),
        ('{"contract": "no-men"}', "expected a deal for the contract, got none"),
        (json.dumps({"deal": DEAL, "contract": "misery"}), "expected a contract of russian-14"),
        (json.dumps({"deal": DEAL, "variant": "bridge"}), "expected tag KingVariant to name a variant"),
        (json.dumps({"deal": DEAL, "contract": "no-men", "cards": ["Xs"]}), "expected a card such as 'As'"),
        (json.dumps({"deal": DEAL, "contract": "no-men", "leader": "X"}), "expected a seat"),
        (json.dumps({"deal": DEAL, "dealer": "X"}), "expected a seat"),
        (json.dumps({"deal": DEAL, "dealt": {"N": []}}), "expected the cards as dealt"),
        (
            json.dumps({"deal": DEAL, "play": {"leader": "N", "rows": [["As"]]}}),
            "a row of the play: expected 4 cards",
        ),
    ],
)
def test_a_faulty_line_is_one_error_and_the_next_is_not_lost(line: str, message: str) -> None:
    errors: list[NotationError] = []
    good = json.dumps({"deal": DEAL})
    games = list(read_json(io.StringIO(f"{good}\n{line}\n\n{good}\n"), on_error=errors.append))
    assert [(game.number, game.line) for game in games] == [(1, 1), (3, 4)]
    assert [(error.line, error.game) for error in errors] == [(2, 2)]
    assert message in errors[0].message
    assert len(str(errors[0])) < 400
    with pytest.raises(NotationError):
        read(good, line)


def test_bytes_that_are_no_text() -> None:
    with pytest.raises(NotationError, match="NUL"):
        list(read_json(io.BytesIO(b'{"game": "\0"}')))


def test_pbn_to_json_and_back_loses_nothing() -> None:
    text = (
        f'[Board "1"]\n[Dealer "n"]\n[KingContract "no-tricks"]\n[Deal "{DEAL}"]\n[Auction "N"]\nPass\n'
        f'[KingLeader "W"]\n[Play "W"]\nDQ DA D8 DT\n- C7 CQ -\n*\n\n[Site "x"]\n[Deal "N:- {DEAL[16:]}"]\n'
    ).replace("N:- T", "N:- ")
    games = list(read_pbn(io.StringIO(text.replace(f"N:- {DEAL[16:]}", "N:- - - -"))))
    for game in games:
        assert again(game) == dataclasses.replace(game, number=1, line=1)


TEXTS = st.text(max_size=40)


@settings(deadline=None, max_examples=200)
@given(
    st.dictionaries(TEXTS, TEXTS, max_size=4),
    st.sampled_from([None, "N", "E", "S", "W"]),
    st.dictionaries(TEXTS, st.lists(TEXTS, max_size=3).map(tuple), max_size=2),
    st.sampled_from(
        [
            None,
            PlayRecord("W", (("Qd", "Ad", "8d", None),)),
            PlayRecord(None, cards=("Qd", "Ad")),
        ]
    ),
    st.sampled_from([DEAL, "N:- - - -", "N:AQ8... 96J... KT7... ...", None]),
)
def test_any_game_goes_there_and_back(
    tags: dict[str, str],
    dealer: str | None,
    sections: dict[str, tuple[str, ...]],
    play: PlayRecord | None,
    text: str | None,
) -> None:
    deal = Deal.of(text, dealer=dealer) if text is not None else None
    if deal is not None and deal.seats == 3:
        play = None
        deal = dataclasses.replace(deal, dealer=None if dealer == "W" else dealer)
    tags = {name: value for name, value in tags.items() if not name.startswith("King")}
    game = Game(1, 1, deal, tags, None, (), play, sections)
    assert again(game) == game


@settings(deadline=None, max_examples=300)
@given(
    st.recursive(
        st.one_of(
            st.none(),
            st.booleans(),
            st.integers(),
            st.floats(),
            TEXTS,
            st.sampled_from([DEAL, "N", "no-men", "As"]),
        ),
        lambda inner: st.one_of(
            st.lists(inner, max_size=4),
            st.dictionaries(
                st.sampled_from(
                    "deal dealer dealt tags variant contract leader cards play sections rows N E S W".split()
                ),
                inner,
                max_size=5,
            ),
        ),
        max_leaves=12,
    )
)
def test_any_json_is_a_game_or_a_king_error(value: Any) -> None:
    errors: list[NotationError] = []
    games = list(read_json(io.StringIO(json.dumps(value)), on_error=errors.append))
    assert len(games) + len(errors) == 1


@settings(deadline=None, max_examples=200)
@given(st.binary(max_size=200))
def test_any_bytes_in_any_format(data: bytes) -> None:
    for format in ("pbn", "lin", "dots", "json", None):
        errors: list[NotationError] = []
        for game in read_games(io.BytesIO(data), format=format, on_error=errors.append):  # type: ignore[arg-type]
            assert isinstance(game, Game)
