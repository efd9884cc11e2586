"""Players by name: this package's, and those that others registered (entry points `kingsolve.players`).

A factory is a function that takes the keywords `seed`, `deals` (the budget of imagined deals a move; None:
the player's own) and `seconds` (a cap on the time of a move; None: none) and returns a Player.
"""

from functools import cache
from importlib.metadata import EntryPoint, entry_points

from ..dealing import MAX_SEED
from ..errors import KingError
from .base import Player

GROUP = "kingsolve.players"
LEVELS = ("easy", "normal", "hard", "crazy")
"""The levels of Seed 002, from the weakest."""

OPEN = "open"
"""The name of the reference player that sees all hands: it is none of these, and nobody else has it."""

BUILT_IN = {
    "easy": "kingsolve.players.policy:easy",
    "normal": "kingsolve.players.policy:normal",
    "hard": "kingsolve.players.hard:hard",
    "crazy": "kingsolve.players.crazy:crazy",
    "uniform": "kingsolve.players.hard:uniform",
}
"""The players of this package. No entry points: what is installed elsewhere cannot hide them."""


@cache
def _found() -> dict[str, tuple[EntryPoint, ...]]:
    """By name, the factories that have it: more than one is a clash."""
    own = [EntryPoint(name, value, GROUP) for name, value in BUILT_IN.items()]
    found: dict[str, dict[str, EntryPoint]] = {}
    for point in [*own, *sorted(entry_points(group=GROUP), key=lambda point: point.value)]:
        found.setdefault(point.name, {}).setdefault(point.value, point)
    return {name: tuple(points.values()) for name, points in found.items() if name != OPEN}


def player_names() -> tuple[str, ...]:
    """The names of all players: the levels from the weakest, then the others in order."""
    return LEVELS + tuple(sorted(name for name in _found() if name not in LEVELS))


def load_player(name: str, *, seed: int, deals: int | None = None, seconds: float | None = None) -> Player:
    """The player called `name`. The same seed and budget of deals make the same choices.

    `seconds` caps the time of a move, after which a player that imagines deals chooses from those it has;
    without it the clock is never asked. Raises KingError, listing those there are, for another name, for a
    name that two have, for a player that cannot be loaded, and for numbers out of range.
    """
    for what, fault, value in (
        (f"a seed from 0 to {MAX_SEED}", not 0 <= seed <= MAX_SEED, seed),
        ("deals of at least 1", deals is not None and deals < 1, deals),
        ("seconds above 0", seconds is not None and not seconds > 0, seconds),
    ):
        if fault:
            msg = f"expected {what}, got {value!r}"
            raise KingError(msg)
    point, *others = _found().get(name, (None,))
    if point is None:
        msg = f"expected a player, one of {' '.join(player_names())}, got {name!r}"
        raise KingError(msg)
    if others:
        values = " and ".join(other.value for other in (point, *others))
        msg = f"expected one player called {name!r}, got {values}: uninstall one, or rename its entry point"
        raise KingError(msg)
    try:
        factory = point.load()
        player: Player = factory(seed=seed, deals=deals, seconds=seconds)
    except KingError:
        raise
    except (Exception, SystemExit) as error:  # anything may go wrong in a module of somebody else's
        msg = f"expected a player that loads, got {name!r} of {point.value}: {type(error).__name__}: {error}"
        raise KingError(msg) from error
    missing = [what for what in ("name", "play", "choose") if not hasattr(player, what)]
    if missing:
        msg = f"expected a player, got {player!r} of {point.value}, without {' '.join(missing)}"
        raise KingError(msg)
    return player
