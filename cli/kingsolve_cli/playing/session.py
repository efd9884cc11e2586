"""A match between you and computer players, and what of it is to be seen: nothing of terminals in here.

A session is the match, the players and the order of your hand. It goes on by `act` alone; `view` is all that
a screen needs, as plain values.
"""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from kingsolve import Contract, KingError, Match, Result, Round, Variant, load_variant, variant_ids
from kingsolve.cards import RANKS, SEATS, cards_of, parse_seat
from kingsolve.dealing import MAX_SEED
from kingsolve.players import Table, load_player, player_names, warm_up

from .words import sentence

Place = Literal["bottom", "left", "top", "right"]
PLACES: Mapping[int, tuple[Place, ...]] = {
    3: ("bottom", "left", "right"),
    4: ("bottom", "left", "top", "right"),
}
"""Where the seats sit, by their number, clockwise from you."""

NAMES: Mapping[Place, str] = {"bottom": "You", "left": "Lily", "top": "Max", "right": "Zoe"}
"""Seed 002, "The table"."""

YOU = "S"
MOVE_SECONDS = 1.0
"""A cap on the time of a computer player's choice."""
_SORTED = "shcd"
"""Suits in a sorted hand: black and red in turn."""


@dataclass(frozen=True, kw_only=True)
class Seat:
    """A player at the table. Points are signed."""

    seat: str
    place: Place
    name: str
    total: int
    """Points of the finished rounds."""
    points: int
    """Points taken in this deal."""
    dealer: bool
    on_turn: bool
    """To play, or to choose."""
    cards: int
    """Cards held."""
    card: str | None
    """The card lying in the trick."""
    winner: bool
    """Whether the trick shown is complete and goes to this seat."""


@dataclass(frozen=True)
class Mark:
    """A deal in the strip: red where it costs, green where it pays, neither while it is not chosen."""

    kind: Literal["penalty", "positive", "open"]
    state: Literal["played", "current", "coming"]
    trump: str | None = None
    """The suit named as trumps, or `nt`."""


@dataclass(frozen=True, kw_only=True)
class View:
    """All that is to be seen at one moment."""

    number: int
    rounds: int
    contract: Contract | None
    """None while it is to be chosen."""
    seats: tuple[Seat, ...]
    """You first, then clockwise."""
    hand: tuple[str, ...]
    legal: frozenset[str]
    """The cards you may play; empty when it is not your turn."""
    marks: tuple[Mark, ...]
    choosing: bool


class Session:
    """A match being played. Names are by place; you sit at S."""

    def __init__(self, match: Match) -> None:
        notes = match.notes
        level, id, hand = notes.get("level"), notes.get("id"), notes.get("hand")
        if not isinstance(level, str) or not isinstance(id, str):
            msg = "expected a match of kingsolve play, with its level and its id in its notes"
            raise KingError(msg)
        self.match = match
        self.level, self.id = level, id
        self.places = dict(zip(_from_you(match.variant), PLACES[match.variant.seats], strict=True))
        self.names = {seat: match.players.get(seat) or NAMES[place] for seat, place in self.places.items()}
        if level not in player_names():
            msg = f"expected a level, one of {' '.join(player_names())}, got {level!r}"
            raise KingError(msg)
        self.table = Table(match, {})
        self.last: Result | None = match.results[-1] if match.results else None
        """The deal that ended last."""
        self.saved: bytes | None = None
        """What its file held when this session last read or wrote it."""
        self._order: list[str] = []
        self._sort()
        if isinstance(hand, list) and sorted(map(str, hand)) == sorted(self._order):
            self._order = [str(card) for card in hand]

    @classmethod
    def new(
        cls, variant: Variant, *, level: str, seed: int, names: Mapping[Place, str] | None = None
    ) -> "Session":
        """A new match, its first deal dealt; KingError for a level or a seed that is none."""
        places = zip(_from_you(variant), PLACES[variant.seats], strict=True)
        called = {**NAMES, **(names or {})}
        notes: dict[str, object] = {"level": level, "id": uuid.uuid4().hex}
        if variant.id not in variant_ids() or load_variant(variant.id) != variant:
            notes["rules"] = str(Path(variant.source).resolve())
        return cls(
            Match(variant, seed=seed, players={seat: called[place] for seat, place in places}, notes=notes)
        )

    # --- what there is ---

    @property
    def variant(self) -> Variant:
        """The rules."""
        return self.match.variant

    @property
    def is_over(self) -> bool:
        """Whether the match is over."""
        return self.match.is_over

    @property
    def choosing(self) -> bool:
        """Whether a contract is to be chosen now."""
        return self.table.choosing

    @property
    def yours(self) -> bool:
        """Whether it is your turn, to play or to choose."""
        return not self.is_over and self.table.seat == YOU

    def name(self, seat: str) -> str:
        """What the player at `seat` is called."""
        return self.names[seat]

    @property
    def hand(self) -> tuple[str, ...]:
        """Your cards in the order you keep them: while trumps are to be named, the first ones dealt."""
        return tuple(self._order)

    def why_not(self, card: str) -> str | None:
        """Why you may not play `card` now, as a sentence; None when you may."""
        if self.is_over:
            return "The match is over."
        who = self.name(self.table.seat)
        if self.choosing:
            return "Choose first." if self.yours else f"{who} is to choose first."
        if not self.yours:
            return f"It is {who}'s turn."
        reason = self.match.now().why_illegal(card)
        return sentence(reason) if reason else None

    # --- what happens ---

    @property
    def seated(self) -> bool:
        """Whether the computer players are there."""
        return bool(self.table.players)

    def sit(self) -> None:
        """Seats the computer players; compiling what they need takes half a minute, the first time."""
        warm_up(self.level)
        for number, seat in enumerate(self.places):
            if seat != YOU:
                seed = (self.match.seed + number) & MAX_SEED
                self.table.players[seat] = load_player(self.level, seed=seed, seconds=MOVE_SECONDS)

    def ask(self) -> str:
        """The card or contract that the computer player whose turn it is chooses; it takes its time."""
        if not self.seated:
            self.sit()
        return self.table.ask()

    def act(self, what: str) -> Result | None:
        """Plays the card, or chooses the contract, for whose turn it is; the result when that ends the
        deal."""
        chose = self.choosing
        result = self.table.act(what)
        if result is not None:
            self.last = result
        if chose or result is not None:
            self._sort()
        elif what in self._order:
            self._order.remove(what)
        return result

    def sort(self) -> None:
        """Sorts your hand: suits of both colours in turn, trumps first, high cards first."""
        self._sort()

    def move(self, card: str, to: int) -> None:
        """Puts a card of your hand in another place, counted from 0 without it."""
        self._order.remove(card)
        self._order.insert(max(0, min(to, len(self._order))), card)

    def _sort(self) -> None:
        self._order = sorted(self._held(), key=self._rank)

    def _rank(self, card: str) -> tuple[bool, int, int]:
        contract = None if self.is_over else self.match.contract
        trump = contract.trump if contract is not None else None
        return card[1] != trump, _SORTED.index(card[1]), -RANKS.index(card[0])

    def _held(self) -> Sequence[str]:
        """Your cards now; of a hand still being dealt, the first ones."""
        if self.is_over:
            return ()
        at = SEATS.index(YOU)
        if not self.choosing:
            return cards_of(self.match.now().masks[at])
        order = self.match.deal().order
        assert order is not None
        return order[at][: self.match.plan.named_after]

    def to_json(self) -> str:
        """The match as it is saved, the order of your hand with it."""
        self.match.notes["hand"] = self._order
        return self.match.to_json()

    # --- what is to be seen ---

    def view(self, *, held: bool = False) -> View:
        """What is to be seen; `held`: a trick just completed still lies on the table, its deal with it."""
        past = self.last if (held or self.is_over) and not self.match.cards else None
        if past is not None and past.round is not None:
            return self._view(past.number, past.contract, past.round, past.dealer, held=held)
        match = self.match
        record = None if self.choosing else match.current
        return self._view(match.number, match.contract, record, match.dealer, held=held)

    def _view(
        self, number: int, contract: Contract | None, record: Round | None, dealer: str, *, held: bool
    ) -> View:
        current = number == self.match.number
        position = record.position() if record is not None else None
        cards, winner = lying(record, held=held) if record is not None else ({}, None)
        yours = self.yours and current and winner is None and position is not None
        turn = self.table.seat if current and not self.is_over and winner is None else None
        scores = self.match.scores[: number - 1]
        seats = []
        for seat, place in self.places.items():
            at = SEATS.index(seat)
            if position is not None:
                held_cards = position.masks[at].bit_count()
            else:
                held_cards = self.match.plan.named_after or self.variant.hand_size
            seats.append(
                Seat(
                    seat=seat,
                    place=place,
                    name=self.name(seat),
                    total=sum(row[at] for row in scores),
                    points=position.banked[at] if position is not None else 0,
                    dealer=seat == dealer,
                    on_turn=seat == turn,
                    cards=held_cards,
                    card=cards.get(seat),
                    winner=seat == winner,
                )
            )
        return View(
            number=number,
            rounds=self.match.plan.rounds,
            contract=contract,
            seats=tuple(seats),
            hand=self.hand if current else (),
            legal=frozenset(position.legal_cards()) if yours and position is not None else frozenset(),
            marks=tuple(self._marks(number)),
            choosing=current and self.choosing,
        )

    def _marks(self, number: int) -> Iterator[Mark]:
        match = self.match
        for deal in range(1, match.plan.rounds + 1):
            contract = None
            if deal < match.number:
                contract = match.results[deal - 1].contract
            elif deal == match.number:
                contract = match.contract
            names = match.plan.order[deal - 1] if match.plan.order else ()
            known = [contract] if contract is not None else [self.variant.contract(name) for name in names]
            signs = {one.total > 0 for one in known}
            kind: Literal["penalty", "positive", "open"] = "open"
            if len(signs) == 1:
                kind = "positive" if signs.pop() else "penalty"
            state: Literal["played", "current", "coming"] = "coming"
            if deal <= number:
                state = "current" if deal == number else "played"
            yield Mark(kind, state, _named(contract) if contract is not None else None)

    def score_rows(self) -> list[tuple[int, str, tuple[int, ...], tuple[int, ...]]]:
        """For each deal played its number, title, points and totals after it, seats as in `View.seats`."""
        seats = [SEATS.index(seat) for seat in self.places]
        return [
            (
                result.number,
                result.contract.title,
                tuple(result.scores[at] for at in seats),
                tuple(running[at] for at in seats),
            )
            for result, running in zip(self.match.results, self.match.running, strict=True)
        ]

    def coming(self) -> list[tuple[int, str | None]]:
        """The number and title of each deal that is not finished; None for a contract still to be chosen."""
        match = self.match
        found: list[tuple[int, str | None]] = []
        for deal in range(len(match.results) + 1, match.plan.rounds + 1):
            contract = match.contract if deal == match.number else None
            names = match.plan.order[deal - 1] if match.plan.order else ()
            if contract is None and len(names) == 1:
                contract = self.variant.contract(names[0])
            found.append((deal, contract.title if contract is not None else None))
        return found

    def standing(self) -> list[tuple[str, int, int, int, int]]:
        """Seat, place, total, penalty and positive points of each player, the best first."""
        found = []
        for seat in self.places:
            at = SEATS.index(seat)
            total = self.match.totals[at]
            penalty = sum(result.scores[at] for result in self.match.results if result.contract.total < 0)
            found.append((seat, self.match.places[at], total, penalty, total - penalty))
        return sorted(found, key=lambda row: row[1])

    def quota(self, name: str) -> int | None:
        """How often the contract may still be chosen by who chooses now; None where there is no quota."""
        return self.match.left.get(name)


def lying(record: Round, *, held: bool) -> tuple[dict[str, str], str | None]:
    """The cards of the trick by seat and, of one just completed and still `held`, who takes it."""
    contract = record.contract
    seats = contract.seats
    whole = len(record.cards) % seats == 0
    if whole and not (held and record.cards):
        return {}, None
    start = len(record.cards) - (seats if whole else len(record.cards) % seats)
    leader = record.position(start).leader
    step = 1 if contract.clockwise else -1
    turns = [SEATS[(parse_seat(leader) + step * i) % seats] for i in range(seats)]
    cards = dict(zip(turns, record.cards[start:], strict=False))
    return cards, record.position().leader if whole else None


def trick_points(record: Round) -> int:
    """The points of the last complete trick."""
    before = record.position(len(record.cards) - record.contract.seats)
    return sum(record.position().banked) - sum(before.banked)


def _from_you(variant: Variant) -> Sequence[str]:
    """The seats clockwise from yours."""
    at = variant.seat_names.index(YOU)
    return variant.seat_names[at:] + variant.seat_names[:at]


def _named(contract: Contract) -> str | None:
    if contract.trump is not None:
        return contract.trump
    return "nt" if contract.name == "trumps-nt" else None
