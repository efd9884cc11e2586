"""PBN texts and streams that the tests of the reader are made of."""

import io

from kingsolve.deal import Deal
from kingsolve.errors import NotationError
from kingsolve.notation import Game, read_pbn

DEAL = "N:QJ.A98.A.T7 T.KJT7.J8.Q AK9..KT.AK9 87.Q.Q97.J8"
OTHER = "N:AQ8.Q.Q7.K7 .A97.AKJ9.T T7.K.T8.QJ9 KJ9.JT8..A8"
THREE = "N:AQ8.A7.AJT.KQJT 96.QJT8.97.A876 KJT7.K96.KQ86.9"
FAULTY = "N:QJ.A98.A.T7 T.KJT7.J8.Q AK9..T.AK9 87.Q.Q97.J8"
HANDS = Deal.of(DEAL).hands


def game_text(deal: str = DEAL, **tags: str) -> str:
    """A game with a Board and a Deal tag and whatever else is given, without a line after it."""
    lines = [f'[{name} "{value}"]' for name, value in {"Board": "1", **tags, "Deal": deal}.items()]
    return "\n".join(lines) + "\n"


def read(text: str | bytes, variant: str | None = None) -> list[Game]:
    """The games of a text, the first fault raised."""
    data = text if isinstance(text, bytes) else text.encode()
    return list(read_pbn(io.BytesIO(data), variant=variant))


def keep_going(text: str | bytes, variant: str | None = None) -> tuple[list[Game], list[NotationError]]:
    """The games of a text and its faults."""
    data = text if isinstance(text, bytes) else text.encode()
    errors: list[NotationError] = []
    return list(read_pbn(io.BytesIO(data), variant=variant, on_error=errors.append)), errors


def one(text: str | bytes, variant: str | None = None) -> Game:
    """The only game of a text."""
    games = read(text, variant)
    assert len(games) == 1
    return games[0]


class Dripping:
    """A stream that gives its bytes a few at a time, as a pipe may."""

    def __init__(self, data: bytes, step: int) -> None:
        self.data, self.step = data, step

    def read(self, size: int = -1, /) -> bytes:
        """The next few bytes."""
        piece, self.data = self.data[: self.step], self.data[self.step :]
        return piece


class Repeated:
    """A stream of a text said `times` times, made as it is read."""

    def __init__(self, text: str, times: int) -> None:
        self.block, self.left = text.encode() * 100, times // 100

    def read(self, size: int = -1, /) -> bytes:
        """The next hundred."""
        self.left -= 1
        return self.block if self.left >= 0 else b""
