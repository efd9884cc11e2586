"""PBN import of the very large and the very bad: bounded memory and time, no error but KingError."""

import io
import tracemalloc
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kingsolve.cards import cards_of
from kingsolve.errors import KingError, NotationError
from kingsolve.notation import Game, read_games, read_pbn
from pbn_texts import THREE, Dripping, Repeated, game_text, read

# --- size and time ---


def peak_of(source: Iterator[Game]) -> tuple[int, int]:
    """How many games come, and the peak of memory while they do, in bytes."""
    tracemalloc.start()
    count = sum(1 for _ in source)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return count, peak


def test_a_large_file_is_read_in_bounded_memory() -> None:
    comment = "{ " + "a long remark " * 300 + "}\n"
    text = game_text(Event="Cup") + comment + '[Play "W"]\nDQ DA D8 DT\n*\n\n'
    times = 20_000_000 // len(text)
    count, peak = peak_of(read_pbn(Repeated(text, times)))
    assert count == times // 100 * 100
    assert peak < 4_000_000


HOSTILE = {
    "one line": "[Event x] ",
    "an open comment": "{ abc\n",
    "comments in an open comment": '{ x [Deal "N:- - - -"]\n\n',
    "open tags": "[Event\n",
    "open strings": '[Event "xx\n',
    "one endless game": '[Site "x"]\n',
    "an endless play": 'SK SK SK SK\n[Play "N"]\n',
    "brackets": "[[[[[",
    "backslashes": '["\\',
    "blank tag": "[Event   \t",
}


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_text_is_refused_in_bounded_memory_and_time(what: str) -> None:
    errors: list[NotationError] = []
    _, peak = peak_of(
        read_pbn(Repeated(HOSTILE[what], 1_300_000 // len(HOSTILE[what])), on_error=errors.append)
    )
    assert peak < 8_000_000
    if "comment" not in what:  # no game has begun: text outside of games
        assert errors


def test_an_open_comment_of_a_game_is_refused_at_once() -> None:
    with pytest.raises(NotationError, match="expected '}' to close the comment that opens here"):
        list(read_games(Repeated('[Event "x"] {\n' + "x" * 1000 + "\n", 4000)))


# --- whatever comes ---

GOOD = (
    game_text(Event='A \\"b\\"', KingVariant="russian-14", KingContract="no-tricks", KingLeader="W")
    + '[Play "W"]\nDQ DA! D8 DT\nCJ C7 =1= CQ $7 CA ; why\n+ - - -\n*\n\n{ c\n }'
    + game_text(THREE, Site="##x", Dealer="N")
    + "\n"
    + game_text("E:- - - -", Site="#")
).encode()


def only_king_errors(data: bytes, variant: str | None) -> None:
    """Reads both ways: games or KingError, nothing else; and the same games whichever way."""
    errors: list[NotationError] = []
    games = list(read_pbn(io.BytesIO(data), variant=variant, on_error=errors.append))
    assert [game.number for game in games] == sorted({game.number for game in games})
    try:
        assert list(read_pbn(Dripping(data, 3), variant=variant)) == games
        assert not errors
    except KingError:
        assert errors
    for game in games:
        for hand in game.deal.hands if game.deal is not None else ():
            assert hand is None or cards_of(hand) is not None


@settings(deadline=None, max_examples=300)
@given(st.binary(max_size=300), st.sampled_from([None, "russian-14", "parlett-3"]))
def test_random_bytes(data: bytes, variant: str | None) -> None:
    only_king_errors(data, variant)


@settings(deadline=None, max_examples=300)
@given(st.text('[]{}";%\\#\n\r \tABDealNESW.-*+=1TK', max_size=120))
def test_random_signs(text: str) -> None:
    only_king_errors(text.encode(), None)


@settings(deadline=None, max_examples=400)
@given(st.data())
def test_mutations_of_a_good_file(data: st.DataObject) -> None:
    text = bytearray(GOOD)
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(text) - 1))
        length = data.draw(st.integers(0, 20))
        text[at : at + length] = data.draw(
            st.one_of(
                st.binary(max_size=4), st.sampled_from([b"[", b"]", b'"', b"{", b"}", b"\n\n", b"\\", b"- "])
            )
        )
        text = text or bytearray(b" ")
    only_king_errors(bytes(text), data.draw(st.sampled_from([None, "russian-14"])))


def test_the_good_file_is_good() -> None:
    assert [game.warnings for game in read(GOOD)] == [(), (), ()]
