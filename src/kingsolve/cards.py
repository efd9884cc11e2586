"""Card names, hand masks, packs, card globs and seats.

A card is named by rank and suit, `As Th 7c`. A hand mask is an int with bit `16*suit + rank - 2` for each
card: suit lanes clubs, diamonds, hearts, spades; within a lane 2 is bit 0 and the ace bit 12. The same lanes
serve every pack, so the cards of the led suit are always one mask.
"""

import re
from collections.abc import Iterable, Iterator
from fnmatch import translate
from functools import lru_cache

from .errors import CardError

RANKS = "23456789TJQKA"
SUITS = "cdhs"
LANE = 0x1FFF
EVERY_CARD = LANE * 0x0001_0001_0001_0001
"""The mask of all 52 cards."""
SEATS = "NESW"
SYMBOLS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
DISPLAY_SUITS = "shdc"
"""The order in which people write hands: spades, hearts, diamonds, clubs."""

ALL_CARDS: dict[str, int] = {r + s: 16 * i + j for i, s in enumerate(SUITS) for j, r in enumerate(RANKS)}
_NAMES = {bit: name for name, bit in ALL_CARDS.items()}
_PACK = re.compile(r"([2-9TJQK])-A")
_SUIT_SYMBOLS = dict(zip("♣♦♥♠♧♢♡♤\ufe0e\ufe0f", [*SUITS, *SUITS, "", ""], strict=True))
_PUNCTUATION = str.maketrans(_SUIT_SYMBOLS)

_SUIT_MASKS = {s: LANE << (16 * i) for i, s in enumerate(SUITS)}


def suit_mask(suit: str) -> int:
    """The mask of all thirteen cards of `suit`, one of `c d h s`."""
    return _SUIT_MASKS[suit]


def parse_card(text: str) -> int:
    """The bit number (0..60) of the card named by `text`: rank and suit, any case, symbols and `10` allowed.

    Raises CardError when the text names no card.

    >>> parse_card("As"), parse_card("10♥"), parse_card("7C")
    (60, 40, 5)
    """
    name = _tidy(text) if isinstance(text, str) else ""
    if len(name) == 2:
        bit = ALL_CARDS.get(name[0].upper() + name[1].lower())
        if bit is not None:
            return bit
    msg = f"expected a card such as 'As', 'Th' or '7c', got {text!r}"
    raise CardError(msg)


def _tidy(text: str) -> str:
    name = text.strip().translate(_PUNCTUATION)
    return "T" + name[2:] if name.startswith("10") else name


def card_name(bit: int) -> str:
    """The name of the card with bit number `bit`, as in `card_name(60) == 'As'`."""
    return _NAMES[bit]


def normal_name(text: str) -> str:
    """`text` as the standard card name, or CardError.

    >>> normal_name("10H")
    'Th'
    """
    return _NAMES[parse_card(text)]


def bits_of(mask: int) -> Iterator[int]:
    """The bit numbers in `mask`, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def cards_of(mask: int) -> list[str]:
    """The card names in `mask` as people write a hand: spades, hearts, diamonds, clubs, highest first.

    >>> cards_of(mask_of("7c Th As 8h"))
    ['As', 'Th', '8h', '7c']
    """
    return sorted((_NAMES[bit] for bit in bits_of(mask)), key=display_key)


def display_key(name: str) -> tuple[int, int]:
    """Sorts card names as people write a hand."""
    return DISPLAY_SUITS.index(name[1]), -RANKS.index(name[0])


def split_cards(text: str) -> list[str]:
    """The card names in a text such as `"As Kh, 10d"` or `"AsKh10d"`, in the order written.

    Raises CardError when a part of it is no card.

    >>> split_cards("AS kh,10♦")
    ['As', 'Kh', 'Td']
    """
    tidy = text.translate(_PUNCTUATION)
    names: list[str] = []
    for word in tidy.replace(",", " ").split():
        pieces = re.findall(r"10.|..?", word)
        names.extend(normal_name(piece) for piece in pieces)
    return names


def names_of(cards: str | Iterable[str]) -> list[str]:
    """The names of `cards`, names in a list or one text, in the order given; CardError on one that is none.

    >>> names_of(["AS", "10h"]), names_of("AsTh")
    (['As', 'Th'], ['As', 'Th'])
    """
    if isinstance(cards, str):
        return split_cards(cards)
    if not isinstance(cards, Iterable):
        msg = f"expected cards such as 'As Kh', or a list of them, got {cards!r}"
        raise CardError(msg)
    return [normal_name(card) for card in cards]


def mask_of(cards: str | Iterable[str]) -> int:
    """The mask of `cards`, names in a list or one text; CardError on a name that is none or comes twice."""
    mask = 0
    for name in names_of(cards):
        bit = 1 << ALL_CARDS[name]
        if mask & bit:
            msg = f"expected each card once, got {name!r} twice"
            raise CardError(msg)
        mask |= bit
    return mask


@lru_cache(maxsize=32)
def pack_mask(pack: str) -> int:
    """The mask of a pack written as its lowest rank to the ace: `7-A` 32 cards, `6-A` 36, `2-A` 52.

    >>> pack_mask("7-A").bit_count()
    32
    """
    match = _PACK.fullmatch(pack)
    if not match:
        msg = f"expected a pack such as '7-A', '6-A' or '2-A', got {pack!r}"
        raise CardError(msg)
    lane = LANE & ~((1 << RANKS.index(match[1])) - 1)
    return sum(lane << (16 * i) for i in range(4))


@lru_cache(maxsize=1024)
def glob_mask(glob: str, pack: int) -> int:
    """The cards of `pack` (a mask) whose names match `glob`: `?h` all hearts, `[KJ]?` kings and jacks, `Kh`.

    Raises CardError when nothing in the pack matches: such a glob is always a mistake.
    """
    pattern = re.compile(translate(glob))
    mask = sum(1 << bit for bit in bits_of(pack) if pattern.match(_NAMES[bit]))
    if not mask:
        msg = (
            f"expected a card glob such as '?h', '[KJ]?' or 'Kh' that matches cards of the pack, got {glob!r}"
        )
        raise CardError(msg)
    return mask


def parse_seat(text: str, seats: int = 4) -> int:
    """The number (0..seats-1, clockwise from N) of the seat named by `text`; CardError otherwise.

    >>> parse_seat("w")
    3
    """
    word = text.strip().upper() if isinstance(text, str) else ""
    number = SEATS[:seats].find(word) if len(word) == 1 else -1
    if number < 0:
        msg = f"expected a seat, one of {' '.join(SEATS[:seats])}, got {text!r}"
        raise CardError(msg)
    return number


def parse_side(side: str | Iterable[str], seats: int = 4) -> int:
    """The seat set of `side` as a bit mask (N is bit 0): `"N"`, `"NS"`, `"N,S"` or an iterable of seats.

    Raises CardError when a seat is unknown, comes twice, or there is none.
    """
    names = side.replace(",", "").replace(" ", "") if isinstance(side, str) else side
    if not isinstance(names, Iterable):
        msg = f"expected a side such as 'N' or 'NS', or a list of seats, got {side!r}"
        raise CardError(msg)
    mask = 0
    for name in names:
        bit = 1 << parse_seat(name, seats)
        if mask & bit:
            msg = f"expected each seat of a side once, got {side!r}"
            raise CardError(msg)
        mask |= bit
    if not mask:
        msg = f"expected a side of one or more seats, such as 'N' or 'NS', got {side!r}"
        raise CardError(msg)
    return mask


def side_name(mask: int) -> str:
    """The seats of a side mask in seat order, as in `side_name(5) == 'NS'`."""
    return "".join(SEATS[i] for i in range(4) if mask >> i & 1)
