"""What the game says: contracts and their price on a chip, reasons, who takes a trick, places."""

from collections import Counter

from kingsolve import Contract
from kingsolve.cards import RANKS, SUITS, SYMBOLS, bits_of, card_name, suit_mask

_RANKS = {"A": "ace", "K": "king", "Q": "queen", "J": "jack"}
LEVELS = {
    "easy": "sensible cards, often slips, remembers nothing",
    "normal": "a careful plan for each contract, remembers nothing",
    "hard": "counts every card, and plays out deals that fit",
    "crazy": "many more deals, and the last tricks exactly",
    "uniform": "plays out 100 deals with random cards; plain, to compare with",
}
"""Seed 002, "Difficulty levels", in a line each, and the plain player."""


def signed(points: int) -> str:
    """Points with a sign as people print it; nothing before 0."""
    return f"{points:+d}".replace("-", "−") if points else "0"


def sentence(reason: str) -> str:
    """A reason of the rules as a sentence to the player."""
    return f"{reason[:1].upper()}{reason[1:]}."


def card_words(card: str) -> str:
    """A card as it is shown: `10♥`."""
    return ("10" if card[0] == "T" else card[0]) + SYMBOLS[card[1]]


def price(contract: Contract) -> str:
    """What a round costs or pays, short: `−4 a queen`, `−8 for each of the last two tricks`, `+3 a trick`."""
    pieces = [*_trick_price(contract), *_card_prices(contract)]
    if len(pieces) > 1 or not pieces:
        return f"{signed(contract.total)} in all"
    return pieces[0]


def _trick_price(contract: Contract) -> list[str]:
    points = contract.trick_points
    if not any(points):
        return []
    if len(set(points)) == 1:
        return [f"{signed(points[0])} a trick"]
    places = [place for place, value in enumerate(points) if value]
    values = Counter(value for value in points if value)
    each = signed(next(iter(values)))
    if len(values) == 1 and places == list(range(places[0], len(points))):
        return [f"{each} for each of the last {_NUMBERS.get(len(places), str(len(places)))}"]
    if len(values) == 1:
        return [f"{each} for tricks {' and '.join(str(place + 1) for place in places)}"]
    return [f"{signed(sum(points))} for tricks"]


_NUMBERS = {2: "two", 3: "three"}


def _card_prices(contract: Contract) -> list[str]:
    return [f"{signed(points)} {_each(contract, mask)}" for mask, points in contract.card_points]


def _each(contract: Contract, mask: int) -> str:
    """A set of cards as what each of them is: `a queen`, `a king or jack`, `a heart`, `for the K♥`."""
    bits = list(bits_of(mask))
    if len(bits) == 1:
        return f"for the {card_words(card_name(bits[0]))}"
    for suit, word in zip(SUITS, ("club", "diamond", "heart", "spade"), strict=True):
        if mask == contract.pack & suit_mask(suit):
            return f"a {word}"
    ranks = sorted({card_name(bit)[0] for bit in bits}, key=RANKS.index, reverse=True)
    if all(rank in _RANKS for rank in ranks):
        return "a " + " or ".join(_RANKS[rank] for rank in ranks)
    return "a card of " + " ".join(card_words(card_name(bit)) for bit in bits)


def trick_words(name: str, points: int) -> str:
    """Who takes the trick, and what it brings."""
    take = "take" if name == "You" else "takes"
    return f"{name} {take} the trick{f': {signed(points)}' if points else ''}."


def place_words(place: int, *, shared: bool) -> str:
    """A place at the end of a match, as said to the player."""
    name = {1: "first", 2: "second", 3: "third", 4: "last"}.get(place, str(place))
    if place == 1 and shared:
        return "You share first place: a draw."
    if place == 1:
        return "You have won."
    return f"You share place {place}." if shared else f"You are {name}."
