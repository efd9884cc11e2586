"""Position: the readable rules of one round, and the kernels' twin. Legality is a reason, asked one way.

Source of the precedence: docs/rules.md, "Legal cards" (Seeds 000, 002, 003, 004).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral

from .cards import (
    ALL_CARDS,
    EVERY_CARD,
    LANE,
    SEATS,
    SUITS,
    card_name,
    cards_of,
    names_of,
    normal_name,
    parse_seat,
    suit_mask,
)
from .contract import Contract
from .deal import Deal, pack_words
from .errors import CardError, DealError, IllegalCard, VariantError, is_number, require

SUIT_WORDS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
_RANK_WORDS = dict(
    zip(
        "23456789TJQKA",
        "two three four five six seven eight nine ten jack queen king ace".split(),
        strict=True,
    )
)
_OVER = "the round has no card left to play"


@dataclass(frozen=True)
class _Undo:
    """What `pop` needs to take a card back."""

    card: int
    turn: int
    leader: int
    trick: tuple[int, ...]
    broken: bool
    banked: tuple[int, ...]


class Position:
    """A point of a round: the hands, the leader, the trick in progress, whether the bar is broken.

    `hands` are the present hands, as a mapping from seats to cards, a PBN text or a Deal; `leader` led, or is
    to lead, the current trick; `trick` holds its cards so far in order of play (they may still stand in the
    hands of those who played them); `broken` says that a barred card has been played before, in this trick or
    earlier (only `until_broken` bars ask). The trick's cards are held to the rules as they stood when each
    was played.

    Raises DealError (hands that do not fit the contract) or IllegalCard (a trick that breaks the rules).
    """

    __slots__ = ("_banked", "_broken", "_hands", "_leader", "_trick", "_turn", "_undo", "contract")

    def __init__(
        self,
        contract: Contract,
        hands: str | Mapping[str, str | Iterable[str]] | Deal,
        *,
        leader: str,
        trick: str | Iterable[str] = (),
        broken: bool = False,
    ) -> None:
        require(contract, Contract, VariantError)
        self.contract = contract
        self._leader = parse_seat(leader, contract.seats)
        self._turn = self._leader
        self._trick: tuple[int, ...] = ()
        self._broken = broken
        self._banked = (0,) * contract.seats
        self._undo: list[_Undo] = []
        names = names_of(trick)
        self._hands = _whole_hands(contract, hands, self._leader, names)
        if names and broken:
            self._broken = self._was_broken(names)
        for name in names:
            self.push(name)
        self._broken = self._broken or broken
        self._undo.clear()

    def _was_broken(self, trick: list[str]) -> bool:
        """Whether the bar was broken when the trick was led, of a position in which it is.

        A barred card of this very trick may have done it: surely on the first trick, and wherever the lead
        would else have been against the rules.
        """
        if self.first_trick:
            return False
        here = any(self.contract.barred >> ALL_CARDS[name] & 1 for name in trick)
        return not here or self.why_illegal(trick[0]) is None

    @classmethod
    def from_masks(
        cls, contract: Contract, hands: Iterable[int], *, leader: int = 0, broken: bool = False
    ) -> "Position":
        """A position at a trick boundary from hand masks in seat order and the leader's number."""
        require(contract, Contract)
        masks = tuple(hands) if isinstance(hands, Iterable) else (hands,)
        for hand in masks:
            if not is_number(hand, Integral) or hand < 0 or hand & ~EVERY_CARD:
                msg = f"expected hands as masks of cards, got {hand!r}"
                raise DealError(msg)
        if not is_number(leader, Integral) or not 0 <= leader < contract.seats:
            msg = f"expected a leader 0..{contract.seats - 1}, got {leader!r}"
            raise CardError(msg)
        deal = Deal(tuple(int(hand) for hand in masks))
        return cls(contract, deal, leader=contract.seat_names[leader], broken=broken)

    def copy(self) -> "Position":
        """The same position, without the history that `pop` goes back through."""
        twin = object.__new__(Position)
        for name in ("contract", "_hands", "_leader", "_turn", "_trick", "_broken", "_banked"):
            setattr(twin, name, getattr(self, name))
        twin._undo = []
        return twin

    # --- what there is ---

    @property
    def hands(self) -> dict[str, list[str]]:
        """The cards each seat still holds, by seat."""
        return {SEATS[i]: cards_of(hand) for i, hand in enumerate(self._hands)}

    @property
    def masks(self) -> tuple[int, ...]:
        """The hands as masks in seat order."""
        return self._hands

    @property
    def leader(self) -> str:
        """The seat that led, or is to lead, the current trick."""
        return SEATS[self._leader]

    @property
    def turn(self) -> str:
        """The seat to play."""
        return SEATS[self._turn]

    @property
    def trick(self) -> list[str]:
        """The cards of the trick in progress, in order of play."""
        return [card_name(bit) for bit in self._trick]

    @property
    def broken(self) -> bool:
        """Whether a barred card has been played in this round, as far as this position knows."""
        return self._broken

    @property
    def tricks_left(self) -> int:
        """Tricks not yet complete, the one in progress included."""
        return max(hand.bit_count() for hand in self._hands) if not self._trick else self._size_at_lead()

    @property
    def place(self) -> int:
        """The place in the round of the current trick, 0 for the first."""
        return self.contract.hand_size - self.tricks_left

    @property
    def first_trick(self) -> bool:
        """Whether no trick is complete: the largest hand still has the full hand size."""
        return self.tricks_left == self.contract.hand_size

    @property
    def banked(self) -> tuple[int, ...]:
        """Points taken since this position began, in seat order."""
        return self._banked

    @property
    def to_come(self) -> int:
        """All the points still to come, to whomever: v of all seats together."""
        if self.is_over:
            return 0
        cards = sum(self._hands) | sum(1 << bit for bit in self._trick)
        return self.contract.cards_points(cards) + sum(self.contract.trick_points[self.place :])

    @property
    def is_over(self) -> bool:
        """Whether the round ends here: no cards left or, at a trick boundary, nothing left to score."""
        if self._trick:
            return False
        contract = self.contract
        left = sum(self._hands)
        if not left:
            return True
        if not contract.early_stop or left & contract.scoring_cards:
            return False
        return not any(contract.trick_points[self.place :])

    def _size_at_lead(self) -> int:
        return self._hands[self._leader].bit_count() + 1

    # --- what may be played ---

    def legal_cards(self) -> list[str]:
        """The cards the seat to play may play, in display order; empty only when no cards are left."""
        return cards_of(self.legal_mask())

    def legal_mask(self) -> int:
        """`legal_cards` as a mask."""
        allowed = self._hands[self._turn]
        for mask, _ in self._duties():
            allowed &= mask
        return allowed

    def why_illegal(self, card: str) -> str | None:
        """Why the seat to play may not play `card`, in the player's words; None when it may."""
        name = normal_name(card)
        bit = 1 << ALL_CARDS[name]
        hand = self._hands[self._turn]
        if not hand:
            return _OVER
        if not hand & bit:
            return "you do not hold that card"
        for mask, reason in self._duties():
            if not mask & bit:
                return reason
        return None

    def _duties(self) -> list[tuple[int, str]]:
        """The duties that bind now: (cards that satisfy it, the reason why the others may not be played)."""
        hand = self._hands[self._turn]
        if not self._trick:
            return self._lead_duties(hand)
        led = suit_mask(SUITS[self._trick[0] >> 4])
        if hand & led:
            return [(led, "you must follow suit"), *self._follow_duties(hand & led, led)]
        return self._void_duties(hand)

    def _lead_duties(self, hand: int) -> list[tuple[int, str]]:
        contract = self.contract
        duties = []
        if self.first_trick and contract.first_barred:
            what = self._set_words(contract.first_barred)
            duties.append((~contract.first_barred, f"{what} may not be played on the first trick"))
        if contract.barred and not self._bar_lifted(hand):
            what = self._set_words(contract.barred)
            until = "until one has been played" if contract.until_broken else "while you hold another suit"
            duties.append((~contract.barred, f"{what} may not be led {until}"))
        left = hand
        for mask, _ in duties:
            left &= mask
        return duties if left else []

    def _bar_lifted(self, hand: int) -> bool:
        waiver = self.contract.waiver
        return (self.contract.until_broken and self._broken) or bool(waiver and hand & waiver == waiver)

    def _follow_duties(self, cards: int, led: int) -> list[tuple[int, str]]:
        contract = self.contract
        lying = sum(1 << bit for bit in self._trick) & led
        if contract.beat_trump and contract.trump and led == suit_mask(contract.trump):
            higher = cards & _above(lying)
            return [(higher, "you must beat the trump on the table")] if higher else []
        under = cards & contract.forced_under & ~_above(lying)
        return [(under, "you must play a penalty card under the higher card on the table")] if under else []

    def _void_duties(self, hand: int) -> list[tuple[int, str]]:
        contract = self.contract
        owed = hand & contract.must_discard
        if owed:
            return [(owed, f"{self._one_words(contract.must_discard)} must be discarded")]
        if self.first_trick and hand & contract.first_barred:
            left = hand & ~contract.first_barred
            what = self._set_words(contract.first_barred)
            return [(left, f"{what} may not be played on the first trick")] if left else []
        if contract.trump is None or contract.void_trump == "free":
            return []
        trumps = hand & suit_mask(contract.trump)
        if not trumps:
            return []
        lying = sum(1 << bit for bit in self._trick) & suit_mask(contract.trump)
        higher = trumps & _above(lying) if lying else 0
        if contract.void_trump == "must-overtrump" and higher:
            return [(trumps, "you must play a trump"), (higher, "you must beat the trump on the table")]
        return [(trumps, "you must play a trump")]

    def _set_words(self, cards: int) -> str:
        if self.contract.trump and cards == self.contract.pack & suit_mask(self.contract.trump):
            return "trumps"
        for suit, word in SUIT_WORDS.items():
            if cards == self.contract.pack & suit_mask(suit):
                return word
        return " ".join(cards_of(cards))

    def _one_words(self, cards: int) -> str:
        names = cards_of(cards)
        if len(names) == 1:
            return f"the {_RANK_WORDS[names[0][0]]} of {SUIT_WORDS[names[0][1]]}"
        for suit, word in SUIT_WORDS.items():
            if cards == self.contract.pack & suit_mask(suit):
                return f"a {word[:-1]}"
        ranks = sorted({name[0] for name in names}, key="AKQJT98765432".index)
        return "a " + " or ".join(_RANK_WORDS[rank] for rank in ranks)

    # --- playing ---

    def push(self, card: str) -> None:
        """Plays `card` for the seat on turn; IllegalCard, with reason, seat and trick, when it may not."""
        name = normal_name(card)
        reason = self.why_illegal(name)
        if reason:
            raise IllegalCard(self._refusal(name, reason))
        bit = ALL_CARDS[name]
        self._undo.append(_Undo(bit, self._turn, self._leader, self._trick, self._broken, self._banked))
        hands = list(self._hands)
        hands[self._turn] ^= 1 << bit
        place = self.place
        self._hands = tuple(hands)
        self._trick += (bit,)
        self._broken = self._broken or bool(self.contract.barred >> bit & 1)
        if len(self._trick) < self.contract.seats:
            self._turn = self._next(self._turn)
        else:
            self._complete(place)

    def _complete(self, place: int) -> None:
        """Gives the full trick to its winner, who leads next."""
        contract = self.contract
        winner = self._leader
        for _ in range(self._best()):
            winner = self._next(winner)
        cards = sum(1 << bit for bit in self._trick)
        points = contract.trick_points[place] + contract.cards_points(cards)
        banked = list(self._banked)
        banked[winner] += points
        self._banked = tuple(banked)
        self._trick = ()
        self._leader = self._turn = winner

    def _best(self) -> int:
        """Which card of the trick wins, counted from the lead."""
        suit = self._trick[0] >> 4
        trump = self.contract.trump
        if trump is not None and any(bit >> 4 == SUITS.index(trump) for bit in self._trick):
            suit = SUITS.index(trump)
        return max((bit, i) for i, bit in enumerate(self._trick) if bit >> 4 == suit)[1]

    def _next(self, seat: int) -> int:
        return (seat + (1 if self.contract.clockwise else -1)) % self.contract.seats

    def pop(self) -> str:
        """Takes back the last pushed card and returns it; IllegalCard when nothing was pushed here."""
        if not self._undo:
            msg = "expected a card to take back, got none played since the position began"
            raise IllegalCard(msg)
        last = self._undo.pop()
        hands = list(self._hands)
        hands[last.turn] |= 1 << last.card
        self._hands = tuple(hands)
        self._turn, self._leader, self._trick = last.turn, last.leader, last.trick
        self._broken, self._banked = last.broken, last.banked
        return card_name(last.card)

    def _refusal(self, name: str, reason: str) -> str:
        where = f"({self.turn}, trick {self.place + 1})"
        hand = self._hands[self._turn]
        if not hand >> ALL_CARDS[name] & 1:
            return f"{reason}: {name!r} while holding {' '.join(cards_of(hand))!r} {where}"
        if not self._trick:
            return f"{reason}: {name!r} led while holding {' '.join(cards_of(hand))!r} {where}"
        led = SUITS[self._trick[0] >> 4]
        held = hand & suit_mask(led) or hand
        return (
            f"{reason}: {name!r} on a {SUIT_WORDS[led][:-1]} lead while holding "
            f"{' '.join(cards_of(held))!r} {where}"
        )

    def __repr__(self) -> str:
        trick = f", trick={' '.join(self.trick)!r}" if self._trick else ""
        broken = ", broken=True" if self._broken else ""
        deal = Deal(self._hands).pbn()
        return f"Position({self.contract.name!r}, {deal!r}, leader={self.leader!r}{trick}{broken})"


def _above(cards: int) -> int:
    """All cards of the same suit lane above the highest of `cards` (one lane)."""
    top = cards.bit_length() - 1
    lane = LANE << (top & ~15)
    return lane & ~((2 << top) - 1)


def _whole_hands(
    contract: Contract,
    hands: str | Mapping[str, str | Iterable[str]] | Deal,
    leader: int,
    trick: list[str],
) -> tuple[int, ...]:
    """The hands as they were when the current trick began: trick cards put back, everything checked."""
    deal = Deal.of(hands)
    step = 1 if contract.clockwise else -1
    players = [(leader + step * i) % contract.seats for i in range(len(trick))]
    if deal.seats == 3 and 3 in players:
        # W's last card lies in the trick: its empty hand is not the empty hand of a deal for three.
        deal = Deal((*deal.hands, 0))
    faults = []
    if deal.seats != contract.seats:
        faults.append(
            f"expected {contract.seats} hands ({contract.variant} {contract.name}), got {deal.seats}"
        )
    if not deal.known:
        unknown = " ".join(SEATS[i] for i, hand in enumerate(deal.hands) if hand is None)
        faults.append(f"expected every hand known, got '-' for {unknown}")
    if len(trick) >= contract.seats:
        faults.append(f"expected at most {contract.seats - 1} cards in the trick, got {' '.join(trick)!r}")
    if faults:
        raise DealError("; ".join(faults))
    fault = trick_fault(deal.hands, contract.pack, players=players, trick=trick)
    if fault:
        raise DealError(fault)
    whole = [hand or 0 for hand in deal.hands]
    for seat, name in zip(players, trick, strict=True):
        whole[seat] |= 1 << ALL_CARDS[name]
    faults = Deal(tuple(whole)).faults(contract.pack)
    size = max(hand.bit_count() for hand in whole)
    if size > contract.hand_size:
        faults.append(f"expected at most {contract.hand_size} cards a hand, got {size}")
    if faults:
        raise DealError("; ".join(faults))
    return tuple(whole)


def trick_fault(
    hands: Sequence[int | None], pack: int, *, players: Sequence[int], trick: Sequence[str]
) -> str | None:
    """What keeps `trick` from lying before these hands, in words: a card of another seat, twice, or foreign.

    `players` are the seats' numbers in order of play.
    """
    for number, (player, name) in enumerate(zip(players, trick, strict=True)):
        bit = 1 << ALL_CARDS[name]
        if not pack & bit:
            return f"expected cards of the pack ({pack_words(pack)}) in the trick, got {name!r}"
        if name in trick[:number]:
            return f"expected each card of the trick once, got {name!r} twice"
        for seat, hand in enumerate(hands):
            if seat != player and hand is not None and hand & bit:
                whose = f"got {name!r}, which {SEATS[seat]} holds"
                return f"expected a card of {SEATS[player]} in the trick, {whose}"
    return None
