"""How a run values its deals: `exact:maxn`, `policy:careful`, one for each seat, `open`."""

from dataclasses import dataclass
from typing import Literal

from ..cards import SEATS
from ..errors import KingError

EXACT = ("maxn", "guarantee", "shapley", "equilibria")
POLICIES = ("random", "careful", "normal", "easy")
REVISION = 1
"""Both as in kingsolve._jit.policies, which is slow to import: a test compares them."""
OPEN = "open"

Kind = Literal["exact", "policy", "open"]


@dataclass(frozen=True)
class Play:
    """A way of valuing deals: an exact concept, or a player for each seat in seat order."""

    concept: str | None
    players: tuple[str, ...] = ()
    """`random`, `careful` or `open`, which sees all hands; empty for an exact concept."""

    @property
    def kind(self) -> Kind:
        """`exact`; `policy`, all seats compiled; `open`, where some seat sees all hands."""
        if self.concept is not None:
            return "exact"
        return "open" if OPEN in self.players else "policy"

    @property
    def bounded(self) -> bool:
        """Whether a value may be a least and a most: the columns are then low_* and high_*."""
        return self.concept is not None

    @property
    def scale(self) -> int:
        """What the recorded numbers are multiplied by: 6 for Shapley shares, which are exact sixths."""
        return 6 if self.concept == "shapley" else 1

    def __str__(self) -> str:
        if self.concept is not None:
            return f"exact:{self.concept}"
        names = [player if player == OPEN else f"policy:{player}" for player in self.players]
        return names[0] if len(set(names)) == 1 else ",".join(names)


def parse_play(text: str, seats: int = 4) -> Play:
    """The play that `text` names: `exact:CONCEPT`, `policy:NAME`, `open`, or one player for each seat.

    Raises KingError, listing what there is, for anything else.

    >>> parse_play("policy:careful, policy:random, open, policy:random").players
    ('careful', 'random', 'open', 'random')
    """
    words = [word.strip() for word in text.split(",")]
    if len(words) == 1 and words[0].startswith("exact:"):
        concept = words[0].removeprefix("exact:")
        if concept in EXACT:
            return Play(concept)
    known = {f"policy:{name}": name for name in POLICIES} | {OPEN: OPEN}
    strange = [word for word in words if word not in known]
    if strange:
        names = [f"exact:{name}" for name in EXACT] if len(words) == 1 else []
        msg = f"expected a way to play, one of {' '.join([*names, *known])}, got {strange[0]!r}"
        raise KingError(msg)
    if len(words) not in (1, seats):
        msg = f"expected one player, or {seats} for {' '.join(SEATS[:seats])}, got {len(words)}: {text!r}"
        raise KingError(msg)
    players = tuple(known[word] for word in words)
    return Play(None, players * seats if len(players) == 1 else players)
