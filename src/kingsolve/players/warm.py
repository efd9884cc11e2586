"""The compiled code of this package's players, made or loaded before anybody waits for a move."""

from functools import cache

from ..dealing import random_deal
from ..match import Match
from ..rounds import Round
from ..variants import load_variant
from .registry import BUILT_IN, load_player
from .table import play_round

_DEALS = 100


@cache
def warm_up(name: str) -> None:
    """Has a player of this package choose, and play a made-up round, on a small budget.

    Its code is compiled once on a machine, which takes half a minute, and loaded in each process, up to a
    second: else the first moves would take that, whatever their cap. Players of others are left alone.
    """
    if name not in BUILT_IN:
        return
    from .policy import PolicyPlayer  # here: Numba is loaded with it
    from .quick import quick_match

    variant = load_variant("full-king")
    player = load_player(name, seed=0, deals=_DEALS)
    names = tuple(name for name, contract in variant.contracts.items() if contract.total > 0)
    player.choose(variant, "N", ("As", "Ks", "7h"), names, None)
    start = Round(variant.contract("eralash"), "N", random_deal(variant, seed=0, number=1))
    play_round(start, dict.fromkeys(variant.seat_names, player))
    if isinstance(player, PolicyPlayer):
        quick_match(Match("short-king", seed=0), dict.fromkeys(variant.seat_names, player))
