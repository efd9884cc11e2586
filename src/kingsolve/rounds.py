"""Round: a recorded round, whole or its first part, and what replaying it shows."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from .cards import names_of
from .contract import Contract
from .deal import Deal
from .errors import CardError, IllegalCard, VariantError, require
from .position import Position


@dataclass(frozen=True)
class Trick:
    """One complete trick: who led, its cards in order of play, who took it and the points it brought."""

    leader: str
    cards: tuple[str, ...]
    taker: str
    points: int


@dataclass(frozen=True, init=False)
class Round:
    """A contract played on a deal: the leader, the hands at the start, the cards in order of play so far.

    `hands` may be anything that Position takes, `cards` names or one text of names. Nothing is checked until
    the round is replayed: a record of an illegal card is still a record.
    """

    contract: Contract
    leader: str
    deal: Deal
    cards: tuple[str, ...]

    def __init__(
        self,
        contract: Contract,
        leader: str,
        hands: str | Mapping[str, str | Iterable[str]] | Deal,
        cards: str | Iterable[str] = (),
    ) -> None:
        require(contract, Contract, VariantError)
        require(leader, str, CardError)
        names = names_of(cards)
        object.__setattr__(self, "contract", contract)
        object.__setattr__(self, "leader", leader.upper())
        object.__setattr__(self, "deal", Deal.of(hands))
        object.__setattr__(self, "cards", tuple(names))

    def position(self, after: int | None = None) -> Position:
        """The position after the first `after` cards (all of them when None), its `banked` counted from the
        start.

        Raises DealError for impossible hands and IllegalCard, with reason, seat and trick, at the first bad
        card.
        """
        *_, position = self.replay(after)
        return position

    def replay(self, after: int | None = None) -> Iterator[Position]:
        """The position before the first card, then after each of the first `after` (all of them when None):
        one object that moves on.

        Raises as `position` does; the IllegalCard has the card's number.
        """
        position = Position(self.contract, self.deal, leader=self.leader)
        yield position
        for number, card in enumerate(self.cards[:after], 1):
            try:
                position.push(card)
            except IllegalCard as error:
                error.number = number
                raise
            yield position

    def tricks(self) -> Iterator[Trick]:
        """The complete tricks one after another; IllegalCard at the first bad card."""
        seats = self.contract.seats
        leader, taken = self.leader, 0
        for number, position in enumerate(self.replay(len(self.cards) // seats * seats)):
            if number and not number % seats:
                points = sum(position.banked) - taken
                yield Trick(leader, self.cards[number - seats : number], position.leader, points)
                leader, taken = position.leader, taken + points
