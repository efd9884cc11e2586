"""Matches between compiled policies, a round at a time: the cards of a Table, a hundred times faster."""

from collections.abc import Mapping

import numpy as np

from .._jit.deals import record_round
from ..cards import card_name, parse_seat
from ..match import Match
from ..rounds import Round
from ..solver import in_play_order
from .base import AnyPlayer
from .policy import PolicyPlayer


def is_quick(players: Mapping[str, AnyPlayer]) -> bool:
    """Whether all players are compiled policies of one seed."""
    seeds = {player.seed for player in players.values() if isinstance(player, PolicyPlayer)}
    return len(seeds) == 1 and all(isinstance(player, PolicyPlayer) for player in players.values())


def quick_match(match: Match, players: Mapping[str, AnyPlayer], *, whole: bool = False) -> int:
    """Plays what is left of a match between compiled policies; how many cards were played.

    Rounds are recorded by their scores alone, or with every card, replayed and checked, if `whole`.
    """
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
        if whole:
            match.play(Round(contract, match.leader, deal, [card_name(int(card)) for card in log[:played]]))
        else:
            match.record(int(points[order[seat]]) for seat in range(contract.seats))
    return count
