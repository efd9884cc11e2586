"""What a card played tells about the hand it came from: the rules of position.py read backwards.

A card was legal, so the hand that played it was one of those from which it may be played. `claims` says
which: each Claim is a reason in words and a list of cases, one of which holds. A case is a set of cards the
seat holds now and a set it does not. Nearly every claim has one case; the cases of one claim exclude one
another, so that deals can be counted case by case.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .cards import LANE, SEATS, SUITS, SYMBOLS, bits_of, cards_of, suit_mask
from .contract import Contract

SUIT_WORDS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


@dataclass(frozen=True)
class Case:
    """One way a claim can be true: cards the seat holds now, cards it does not hold (masks)."""

    holds: int
    lacks: int


@dataclass(frozen=True)
class Claim:
    """What is said of one seat (a number), why, and the cases of which one is true."""

    seat: int
    text: str
    cases: tuple[Case, ...]
    otherwise: Case | None = None
    """All cases but the first in one, for when the first is impossible."""


@dataclass(frozen=True)
class Play:
    """One card played, with what was on the table when it was: all of it public."""

    number: int
    """Which card of the record, from 0."""
    seat: int
    card: int
    """The card's bit number."""
    trick: tuple[int, ...]
    """Cards that lay in the trick before it."""
    place: int
    """The place of the trick in the round, from 0."""
    broken: bool
    """Whether a barred card had been played before."""


def card_words(mask: int) -> str:
    """A set of cards in words: `hearts` for a whole lane, else `K♥ Q♥`, highest first."""
    for suit, word in SUIT_WORDS.items():
        if mask & suit_mask(suit) == suit_mask(suit) == mask:
            return word
    return " ".join(name[0] + SYMBOLS[name[1]] for name in cards_of(mask))


class Reader:
    """Reads the plays of one contract; words name cards of its pack only."""

    def __init__(self, contract: Contract) -> None:
        self.contract = contract
        self.trumps = suit_mask(contract.trump) & contract.pack if contract.trump else 0

    def claims(self, play: Play, kept: int) -> Iterator[Claim]:
        """What `play` says, `kept` being the cards the seat is known to have held then: it and those
        after."""
        if not play.trick:
            yield from self._led(play, kept)
            return
        led = suit_mask(SUITS[play.trick[0] >> 4]) & self.contract.pack
        if led >> play.card & 1:
            yield from self._followed(play, led)
        else:
            yield from self._discarded(play, led, kept)

    def _words(self, mask: int) -> str:
        """The cards of a set in words, whole suits of the pack by their names."""
        if mask == self.trumps:
            return "trumps"
        left, words = mask, []
        for suit, word in reversed(SUIT_WORDS.items()):
            whole = suit_mask(suit) & self.contract.pack
            if whole and mask & whole == whole:
                left &= ~whole
                words.append(word)
        return " ".join([*words, *([card_words(left)] if left else [])])

    def _claim(self, play: Play, why: str, lacks: int) -> Claim:
        """The claim that the seat holds none of `lacks`."""
        seat = SEATS[play.seat]
        what = self._words(lacks)
        single = lacks.bit_count() == 1
        held = f"{seat} does not hold {what}" if single else f"{seat} holds no {what}"
        return Claim(play.seat, f"{why}: {held}", (Case(0, lacks),))

    # --- leading ---

    def _led(self, play: Play, kept: int) -> Iterator[Claim]:
        contract, card = self.contract, 1 << play.card
        first = contract.first_barred if play.place == 0 else 0
        barred = contract.barred if not (contract.until_broken and play.broken) else 0
        if not card & (first | barred):
            return
        seat, where = SEATS[play.seat], _where(play)
        others = contract.pack & ~(first | barred)
        what = self._words(contract.barred if card & barred else first)
        why = f"{seat} led {_name(play.card)} {where}, where {what} may be led from a hand of nothing else"
        waiver = contract.waiver if barred else 0
        if not waiver:
            yield Claim(play.seat, f"{why}: {seat} holds nothing else", (Case(0, others),))
            return
        owed = waiver & ~kept
        narrow = contract.pack & ~first if card & first else 0
        if card & first and narrow == others:
            yield Claim(play.seat, f"{why}: {seat} holds nothing else", (Case(0, others),))
            return
        holding = [Case(owed, narrow)]
        held, without = 0, []
        for bit in bits_of(owed):
            without.append(Case(held, others | 1 << bit))
            held |= 1 << bit
        if not without and not narrow:
            return
        all_of = self._words(waiver)
        words = f"{seat} holds {self._words(owed)} or nothing else" if owed else f"{seat} holds nothing else"
        text = f"{why} or that holds {all_of}: {words}"
        yield Claim(play.seat, text, (*holding, *without), Case(0, others) if without else None)

    # --- following ---

    def _followed(self, play: Play, led: int) -> Iterator[Claim]:
        contract, card = self.contract, 1 << play.card
        seat = SEATS[play.seat]
        lying = sum(1 << bit for bit in play.trick) & led
        if contract.beat_trump and self.trumps and led == self.trumps:
            higher = above(lying) & led
            if not card & higher and higher:
                why = f"{seat} followed {_words_of(led)} {_where(play)} without beating {_top(lying)}"
                yield self._claim(play, why, higher)
            return
        under = contract.forced_under & led & ~above(lying)
        if under and not card & under:
            why = (
                f"{seat} followed {_words_of(led)} {_where(play)} with {_name(play.card)}, "
                f"not with a penalty card under {_top(lying)}"
            )
            yield self._claim(play, why, under)

    # --- void ---

    def _discarded(self, play: Play, led: int, kept: int) -> Iterator[Claim]:
        contract, card = self.contract, 1 << play.card
        seat = SEATS[play.seat]
        void = f"{seat} did not follow {_words_of(led)} {_where(play)}"
        yield self._claim(play, void, led)
        owed = contract.must_discard & ~led
        if card & owed:
            return
        if owed:
            yield self._claim(play, f"{void} and did not play {self._either(owed)}", owed)
        barred = contract.first_barred & ~led if play.place == 0 else 0
        if card & barred:
            others = contract.pack & ~contract.first_barred & ~led
            barred_words = self._words(contract.first_barred)
            why = f"{void} and played {_name(play.card)}, though {barred_words} are barred"
            yield Claim(play.seat, f"{why}: {seat} holds nothing else", (Case(0, others),))
            return
        lacks, words = self._not_trumped(play, led)
        if not lacks or (barred & kept) or (barred and not lacks & ~barred):
            return
        if not barred:
            yield self._claim(play, f"{void} and {words}", lacks)
            return
        cases, gone = [Case(0, lacks | barred)], 0
        for bit in bits_of(barred):
            cases.append(Case(1 << bit, gone))
            gone |= 1 << bit
        what = self._words(barred)
        text = f"{void} and {words}: {seat} holds no {self._words(lacks)}, or some of {what} (barred)"
        yield Claim(play.seat, text, tuple(cases))

    def _not_trumped(self, play: Play, led: int) -> tuple[int, str]:
        """The trumps that a void hand owed and did not play, so does not hold; and what it did, in words."""
        contract, card = self.contract, 1 << play.card
        if not self.trumps or contract.void_trump == "free" or led == self.trumps:
            return 0, ""
        if not card & self.trumps:
            return self.trumps, "did not trump"
        lying = sum(1 << bit for bit in play.trick) & self.trumps
        higher = above(lying) & self.trumps if lying else 0
        if contract.void_trump == "must-overtrump" and higher and not card & higher:
            return higher, f"did not beat {_top(lying)} with a trump"
        return 0, ""

    def _either(self, cards: int) -> str:
        """A set of compulsory discards as what was not played: `K♥`, `a heart`, `Q♠ Q♥ Q♦ Q♣`."""
        words = self._words(cards)
        return f"any of the {words}" if words in SUIT_WORDS.values() else words


def above(cards: int) -> int:
    """All cards of the lane of `cards` (one lane) that are higher than the highest of them."""
    top = cards.bit_length() - 1
    return LANE << (top & ~15) & ~((2 << top) - 1)


def _where(play: Play) -> str:
    return f"on trick {play.place + 1}"


def _name(bit: int) -> str:
    return card_words(1 << bit)


def _top(cards: int) -> str:
    return _name(cards.bit_length() - 1)


def _words_of(led: int) -> str:
    return SUIT_WORDS[SUITS[(led.bit_length() - 1) >> 4]]


def read_plays(
    contract: Contract, *, leader: int, cards: Iterable[int], place: int = 0, broken: bool = False
) -> tuple[list[Play], int, tuple[int, ...], bool]:
    """The plays of `cards` (bit numbers in order), then the leader, trick and broken flag after them.

    Only what lies on the table is used: whose turn it is follows from the leader and the tricks.
    """
    step = 1 if contract.clockwise else -1
    plays: list[Play] = []
    trick: tuple[int, ...] = ()
    for number, card in enumerate(cards):
        seat = (leader + step * len(trick)) % contract.seats
        plays.append(Play(number, seat, card, trick, place, broken))
        trick += (card,)
        broken = broken or bool(contract.barred >> card & 1)
        if len(trick) == contract.seats:
            leader = (leader + step * best_of(trick, contract.trump)) % contract.seats
            trick, place = (), place + 1
    return plays, leader, trick, broken


def best_of(trick: tuple[int, ...], trump: str | None) -> int:
    """Which card of a trick (bit numbers in order of play) takes it, counted from the lead.

    >>> best_of((26, 28, 40), "h"), best_of((26, 28, 40), None)
    (2, 1)
    """
    suit = trick[0] >> 4
    if trump is not None and any(bit >> 4 == SUITS.index(trump) for bit in trick):
        suit = SUITS.index(trump)
    return max((bit, i) for i, bit in enumerate(trick) if bit >> 4 == suit)[1]
