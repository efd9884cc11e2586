"""Deal: the hands of all seats, who dealt, and the text form that PBN gave the world.

`N:QJ.A98.A.T7 T.KJT7.J8.Q AK9..KT.AK9 87.Q.Q97.J8` is the first seat, then hands clockwise; in a hand spades,
hearts, diamonds and clubs stand between dots; `-` is a hand not known. Three seats: N E S, with W absent or
an empty `...`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .cards import ALL_CARDS, DISPLAY_SUITS, RANKS, SEATS, bits_of, card_name, cards_of, mask_of, parse_seat
from .errors import CardError, DealError, short


@dataclass(frozen=True)
class Deal:
    """Hands in seat order as masks (None: not known) and the dealer's seat, where there is one.

    `order` holds each seat's cards in the order dealt, where that is recorded (trump naming needs it).
    """

    hands: tuple[int | None, ...]
    dealer: str | None = None
    order: tuple[tuple[str, ...], ...] | None = None

    @classmethod
    def of(
        cls, hands: "str | Mapping[str, str | Iterable[str]] | Deal", *, dealer: str | None = None
    ) -> "Deal":
        """The deal in `hands`: a PBN text or a mapping from seats to cards (names, or one text of names).

        A mapping with keys N, E and S only is a deal for three. Raises DealError with every fault of form at
        once; whether the hands fit together is `check`'s question, since hands in mid-trick differ in size.
        """
        if isinstance(hands, Deal):
            return hands
        if isinstance(hands, str):
            return parse_deal(hands, dealer=dealer)
        if not isinstance(hands, Mapping):
            msg = f"expected hands as PBN text, a mapping from seats to cards or a Deal, got {hands!r}"
            raise DealError(msg)
        faults: list[str] = []
        given: dict[int, int] = {}
        for seat, cards in hands.items():
            try:
                number = parse_seat(seat)
                if number in given:
                    faults.append(f"expected each seat once, got {seat!r} again")
                given[number] = mask_of(cards)
            except CardError as error:
                faults.append(f"hand {seat}: {error}")
        if not faults and sorted(given) not in ([0, 1, 2], [0, 1, 2, 3]):
            faults.append(f"expected hands for N E S W, or N E S for three, got {' '.join(hands)!r}")
        if faults:
            raise DealError("; ".join(faults))
        return cls(tuple(given[i] for i in range(len(given))), dealer)

    @property
    def seats(self) -> int:
        """How many seats play: 3 or 4."""
        return len(self.hands)

    @property
    def known(self) -> bool:
        """Whether every hand is known."""
        return None not in self.hands

    def faults(self, pack: int | None = None) -> list[str]:
        """What is wrong, in words: cards held twice, cards not in `pack` (a mask), unequal hands."""
        found: list[str] = []
        holder: dict[int, int] = {}
        for seat, hand in enumerate(self.hands):
            for bit in bits_of(hand or 0):
                if bit in holder:
                    found.append(
                        f"expected each card once, got {card_name(bit)!r} with both "
                        f"{SEATS[holder[bit]]} and {SEATS[seat]}"
                    )
                holder[bit] = seat
        for seat, hand in enumerate(self.hands):
            foreign = (hand or 0) & ~pack if pack is not None else 0
            if foreign:
                found.append(
                    f"expected cards of the pack ({pack_words(pack or 0)}), "
                    f"got {' '.join(cards_of(foreign))!r} with {SEATS[seat]}"
                )
        sizes = {SEATS[i]: hand.bit_count() for i, hand in enumerate(self.hands) if hand is not None}
        if len(set(sizes.values())) > 1:
            got = ", ".join(f"{seat} {size}" for seat, size in sizes.items())
            three = sorted(sizes.values())[:2] == [0, max(sizes.values())]
            where = " (three seats are N E S: the empty hand is W's)" if three else ""
            found.append(f"expected hands of equal size, got {got}{where}")
        return found

    def check(self, pack: int | None = None) -> None:
        """Raises DealError naming every fault of `faults(pack)`."""
        found = self.faults(pack)
        if found:
            raise DealError("; ".join(found))

    def pbn(self, first: str = "N") -> str:
        """The deal as PBN text beginning with seat `first`; for three seats W is the empty hand `...`.

        >>> Deal.of("E:A... K... Q... J...").pbn()
        'N:J... A... K... Q...'
        """
        hands = [hand_text(hand) for hand in self.hands] + ["..."] * (4 - self.seats)
        start = parse_seat(first)
        return f"{SEATS[start]}:" + " ".join(hands[start:] + hands[:start])


def pack_words(pack: int) -> str:
    """A pack mask in words: `7-A, 32 cards`."""
    lowest = min((bit % 16 for bit in bits_of(pack)), default=0)
    return f"{RANKS[lowest]}-A, {pack.bit_count()} cards"


def hand_text(hand: int | None) -> str:
    """One hand as PBN text, `-` when not known: `QJ.A98.A.T7`."""
    if hand is None:
        return "-"
    names = cards_of(hand)
    return ".".join("".join(name[0] for name in names if name[1] == suit) for suit in DISPLAY_SUITS)


def parse_hand(text: str) -> int | None:
    """The mask of one PBN hand, None for `-`; DealError says what is wrong with it."""
    if text == "-":
        return None
    parts = text.split(".")
    if len(parts) != 4:
        msg = f"expected four suits separated by three dots, or '-', got {short(text)}"
        raise DealError(msg)
    mask = 0
    for suit, ranks in zip(DISPLAY_SUITS, parts, strict=True):
        for rank in ranks.upper().replace("10", "T"):
            if rank not in RANKS:
                msg = f"expected ranks {RANKS[::-1]!r} or '10', got {rank!r} in {short(text)}"
                raise DealError(msg)
            bit = 1 << ALL_CARDS[rank + suit]
            if mask & bit:
                msg = f"expected each card once, got {rank + suit!r} twice in {short(text)}"
                raise DealError(msg)
            mask |= bit
    return mask


def first_seat(text: str, seats: int) -> str:
    """The seat a deal's text begins with, its dealer unless told; N where it is the empty chair W of three.

    >>> first_seat("s:A... K... Q... J...", 4), first_seat("W:... A... K... Q...", 3)
    ('S', 'N')
    """
    seat = text.strip()[0].upper()
    return seat if seat in SEATS[:seats] else SEATS[0]


def parse_deal(text: str, *, dealer: str | None = None) -> Deal:
    """The Deal in a PBN deal text; an absent or empty fourth hand makes it a deal for three.

    Raises DealError with every fault of form at once; `Deal.check` asks whether the hands fit together.

    >>> parse_deal("N:A... K... Q... J...").hands[3] == mask_of("Js")
    True
    """
    first, colon, rest = text.strip().partition(":")
    words = rest.split()
    if not colon or len(words) not in (3, 4) or len(first.strip()) != 1:
        msg = f"expected a deal such as 'N:QJ.A98.A.T7 ...' with three or four hands, got {short(text, 80)}"
        raise DealError(msg)
    faults: list[str] = []
    hands: dict[int, int | None] = {}
    try:
        start = parse_seat(first, len(words))
    except CardError as error:
        raise DealError(str(error)) from None
    for i, word in enumerate(words):
        seat = (start + i) % len(words)
        try:
            hands[seat] = parse_hand(word)
        except DealError as error:
            faults.append(f"hand {SEATS[seat]}: {error}")
    if faults:
        raise DealError("; ".join(faults))
    masks = [hands[seat] for seat in range(len(words))]
    if len(masks) == 4 and masks[3] == 0 and any(mask != 0 for mask in masks):
        masks.pop()
    return Deal(tuple(masks), dealer)
