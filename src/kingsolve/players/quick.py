"""Matches between compiled policies, a round at a time: the cards of a Table, a hundred times faster."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from .._jit.deals import record_round
from ..cards import parse_seat
from ..contract import Contract
from ..deal import Deal
from ..match import Match
from ..solver import in_play_order
from .base import AnyPlayer
from .policy import PolicyPlayer


def is_quick(players: Mapping[str, AnyPlayer]) -> bool:
    """Whether all players are compiled policies of one seed."""
    seeds = {player.seed for player in players.values() if isinstance(player, PolicyPlayer)}
    return len(seeds) == 1 and all(isinstance(player, PolicyPlayer) for player in players.values())


Told = Callable[[Contract, Deal, str, NDArray[np.int8]], None]
"""Hears of a round that was played: contract, deal, who led, the cards as bit numbers in order of play."""


def quick_match(match: Match, players: Mapping[str, AnyPlayer], *, told: Told | None = None) -> int:
    """Plays what is left of a match between compiled policies, its rounds recorded by their scores; how many
    cards were played. `told` hears of every round."""
    count = 0
    while not match.is_over:
        deal = match.deal()
        contract = match.contract
        if contract is None:
            chooser = match.chooser or ""
            player = players[chooser]
            assert isinstance(player, PolicyPlayer)
            cards = (deal.order or ())[parse_seat(chooser)][: match.plan.named_after]
            # a policy's choice does not ask how the match stands
            name = player.choose(match.variant, chooser, cards, match.open, None)
            contract = match.choose(name)
        order = in_play_order(contract)
        policies, hands = np.zeros(4, np.int64), np.zeros(4, np.int64)
        seed = 0
        for i, seat in enumerate(order):
            player = players[contract.seat_names[seat]]
            assert isinstance(player, PolicyPlayer)
            policies[i], hands[i], seed = player.policy, deal.hands[seat] or 0, player.seed
        points, log = np.zeros(4, np.int32), np.zeros(contract.seats * contract.hand_size, np.int8)
        leader = order[parse_seat(match.leader, contract.seats)]
        played = int(record_round(contract.record[()], hands, leader, policies, np.uint64(seed), points, log))
        count += played
        if told is not None:
            told(contract, deal, match.leader, log[:played])
        match.record(int(points[order[seat]]) for seat in range(contract.seats))
    return count
