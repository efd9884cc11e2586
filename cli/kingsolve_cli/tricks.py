"""The cards of --trick against the hands of a game: whose they are, and put back into a deal as typed."""

from collections.abc import Sequence
from dataclasses import replace

from kingsolve import Deal, Variant
from kingsolve.cards import ALL_CARDS, SEATS
from kingsolve.position import trick_fault

from .errors import bad_option


def check_trick(trick: Sequence[str], hands: Sequence[int | None], variant: Variant, leader: str) -> None:
    """Each card is of the pack, comes once, and is with the seat that played it or with nobody any more."""
    fault = trick_fault(hands, variant.pack, players=_players(variant, leader, len(trick)), trick=trick)
    if fault:
        bad_option("--trick", fault)


def check_held(trick: Sequence[str], hands: Sequence[int | None], variant: Variant, leader: str) -> None:
    """Each card is in the hand of the seat that played it, where that hand is known."""
    for seat, card in zip(_players(variant, leader, len(trick)), trick, strict=True):
        hand = hands[seat]
        if hand is not None and not hand >> ALL_CARDS[card] & 1:
            message = f"expected a card of {SEATS[seat]} in the trick, got {card!r}, which it does not hold"
            bad_option("--trick", message)


def put_back(trick: Sequence[str], deal: Deal, variant: Variant, leader: str) -> Deal:
    """The deal as it was when the trick began: its cards, where nobody holds them, back in the hands."""
    if deal.seats < variant.seats:
        deal = replace(deal, hands=(*deal.hands, 0))  # W's last card lies in the trick
    check_trick(trick, deal.hands, variant, leader)
    hands = list(deal.hands)
    for seat, card in zip(_players(variant, leader, len(trick)), trick, strict=True):
        hand = hands[seat]
        hands[seat] = None if hand is None else hand | 1 << ALL_CARDS[card]
    whole = replace(deal, hands=tuple(hands))
    if not deal.faults() and whole.faults():  # whole hands that know nothing of the trick
        check_held(trick, deal.hands, variant, leader)
    return whole


def _players(variant: Variant, leader: str, cards: int) -> list[int]:
    """The numbers of the seats that played so many cards, in the order of play."""
    first, step = SEATS.index(leader), 1 if variant.clockwise else -1
    return [(first + step * i) % variant.seats for i in range(cards)]
