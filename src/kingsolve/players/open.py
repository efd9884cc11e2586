"""`open`: a seat that sees all hands and plays the exact max^n value. For reference, never an opponent."""

import numpy as np

from .._jit.policies import CAREFUL
from .._jit.rng import STATE_WORDS
from ..cards import SEATS, card_name
from ..position import Position
from ..solver import Limits, Solver, card_order
from .playout import playout_values
from .policy import policy_card
from .view import View

NODES = 2_000_000
"""Cards that the search for one move may play unless told otherwise; past it the seat plays `careful`."""


class OpenSeat:
    """The OpenPlayer `open`. It plays as if all saw all hands and played max^n; ties in card order."""

    name = "open"

    def __init__(self, *, nodes: int = NODES) -> None:
        self.nodes = nodes

    def play_open(self, position: Position) -> str:
        """The card with most points to itself; the careful policy's where the search takes too long."""
        card = open_card(position, Solver(Limits(nodes=self.nodes)))
        if card is not None:
            return card
        left = sum(position.masks) | sum(1 << bit for bit in View.at(position, seen=0).trick)
        view = View.at(position, seen=position.contract.pack & ~left)
        return card_name(policy_card(view, CAREFUL, np.zeros(STATE_WORDS, np.uint64)))

    def choose_open(self, positions: dict[str, Position], seat: str) -> str:
        """The contract with most points above an equal share when the careful policy plays the deal out."""

        def over(name: str) -> float:
            at = positions[name]
            deal = np.array([at.masks], np.uint64)
            points = playout_values(deal, at.contract, leader=at.leader, seat=seat)[0, 0]
            return float(points) - at.contract.total / at.contract.seats

        return max(positions, key=over)


def open_card(position: Position, solver: Solver) -> str | None:
    """The card of a seat that sees all hands: most points to itself under max^n, ties in card order.

    None where the solver's limits came first.
    """
    seat = SEATS.index(position.turn)
    cards = sorted(position.legal_cards(), key=lambda card: card_order(position, card))
    if len(cards) == 1:
        return cards[0]
    best: tuple[int, str] | None = None
    for card in cards:
        after = position.copy()
        after.push(card)
        value = solver.maxn(after)
        if value is None:
            return None
        worth = after.banked[seat] + value[seat]
        if best is None or worth > best[0]:
            best = worth, card
    assert best is not None
    return best[1]
