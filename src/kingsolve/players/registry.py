"""Players by name, those of this package and those that others registered (entry points `kingsolve.players`).

An entry point names a function that takes the keywords `seed`, `deals` (the budget of imagined deals a move;
None: the player's own) and `seconds` (a cap on the time of a move; None: none) and returns a Player.
"""

from functools import cache
from importlib.metadata import EntryPoint, entry_points

from ..dealing import MAX_SEED
from ..errors import KingError
from .base import Player

GROUP = "kingsolve.players"
LEVELS = ("easy", "normal", "hard", "crazy")
"""The levels of Seed 002, from the weakest."""


@cache
def _found() -> dict[str, EntryPoint]:
    """The entry points by name; this package's own go before others of the same name."""
    found: dict[str, EntryPoint] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
        if point.name not in found or point.value.startswith("kingsolve."):
            found[point.name] = point
    return found


def player_names() -> tuple[str, ...]:
    """The names of all players: the levels from the weakest, then the others in order."""
    found = _found()
    levels = tuple(name for name in LEVELS if name in found)
    return levels + tuple(sorted(name for name in found if name not in levels))


def load_player(name: str, *, seed: int, deals: int | None = None, seconds: float | None = None) -> Player:
    """The player called `name`. The same seed and budget of deals make the same choices.

    `seconds` caps the time of a move, after which a player that imagines deals chooses from those it has;
    without it the clock is never asked. Raises KingError, listing those there are, for another name, for a
    player that cannot be loaded, and for numbers out of range.
    """
    for what, fault, value in (
        (f"a seed from 0 to {MAX_SEED}", not 0 <= seed <= MAX_SEED, seed),
        ("deals of at least 1", deals is not None and deals < 1, deals),
        ("seconds above 0", seconds is not None and not seconds > 0, seconds),
    ):
        if fault:
            msg = f"expected {what}, got {value!r}"
            raise KingError(msg)
    point = _found().get(name)
    if point is None:
        msg = f"expected a player, one of {' '.join(player_names())}, got {name!r}"
        raise KingError(msg)
    try:
        factory = point.load()
        player: Player = factory(seed=seed, deals=deals, seconds=seconds)
    except KingError:
        raise
    except Exception as error:  # anything may go wrong in a module of somebody else's
        msg = f"expected a player that loads, got {name!r} of {point.value}: {type(error).__name__}: {error}"
        raise KingError(msg) from error
    return player
