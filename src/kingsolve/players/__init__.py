"""Computer players, from `easy` to `crazy`, and the table at which they play (docs/players.md)."""

from .base import REVISION, AnyPlayer, OpenPlayer, Player, Standing
from .registry import LEVELS, OPEN, load_player, player_names
from .table import Table, play_match, play_round, standing_of
from .warm import warm_up

__all__ = [
    "LEVELS",
    "OPEN",
    "REVISION",
    "AnyPlayer",
    "OpenPlayer",
    "Player",
    "Standing",
    "Table",
    "load_player",
    "play_match",
    "play_round",
    "player_names",
    "standing_of",
    "warm_up",
]
