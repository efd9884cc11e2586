"""Contracts and trumps chosen by a look at the hand: what `easy` and `normal` go by (docs/players.md)."""

from collections.abc import Sequence

from ..cards import ALL_CARDS, RANKS, suit_mask
from ..contract import Contract
from ..variants import Variant

RUFFED, TRUMP, LONG = 0.7, 0.3, 0.3
"""In a trump contract: what high cards of the other suits keep of their worth, the least that a trump is
worth, and what each trump from the fourth on is worth beside that, in tricks (docs/players.md, "What was
tried")."""


def longest_suit(variant: Variant, cards: Sequence[str], names: Sequence[str]) -> str | None:
    """The trump contract among `names` of the suit with most cards, of equals with the highest; None without
    any."""
    suits = {variant.contract(name).trump: name for name in names if variant.contract(name).trump}

    def most(suit: str) -> tuple[int, list[int]]:
        ranks = [RANKS.index(card[0]) for card in cards if card[1] == suit]
        return len(ranks), sorted(ranks, reverse=True)

    best = max((suit for suit in suits if suit), key=most, default=None)
    return suits[best] if best else None


def trumps_by_length(variant: Variant, cards: Sequence[str], names: Sequence[str]) -> str | None:
    """As `longest_suit`, but no trumps for aces and kings of different suits (Seed 002, "Name a trump")."""
    suits, ranks = {card[1] for card in cards}, {card[0] for card in cards}
    if len(suits) == len(cards) and ranks <= {"A", "K"}:
        for name in names:
            if variant.contract(name).trump is None and variant.contract(name).total > 0:
                return name
    return longest_suit(variant, cards, names)


def share_of_tricks(contract: Contract, cards: Sequence[str]) -> float:
    """A guess at the share of all tricks that a hand with these cards takes.

    A card counts 1 / (1 + cards above it that are not held); with trumps see RUFFED, TRUMP and LONG.
    """
    mine = sum(1 << ALL_CARDS[card] for card in cards)
    tricks = 0.0
    trumps = 0
    for card in cards:
        bit, suit = ALL_CARDS[card], suit_mask(card[1])
        above = contract.pack & suit & ~mine & ~((2 << bit) - 1)
        worth = 1 / (1 + above.bit_count())
        if contract.trump is not None and card[1] == contract.trump:
            trumps += 1
            worth = max(worth, TRUMP) + (LONG if trumps > 3 else 0)
        elif contract.trump is not None:
            worth *= RUFFED
        tricks += worth
    return tricks / len(cards)


def most_over_share(variant: Variant, cards: Sequence[str], names: Sequence[str]) -> str:
    """The contract of `names` that promises most above an equal share of its points; of equals the first.

    The points are taken to fall as the tricks do. A match brings every contract, so that what counts is how
    much better than usual it is with these cards.
    """

    def over(name: str) -> float:
        contract = variant.contract(name)
        return contract.total * (share_of_tricks(contract, cards) - 1 / contract.seats)

    return max(names, key=over)
