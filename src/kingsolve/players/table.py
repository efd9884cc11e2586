"""A match at the table, one choice at a time: who is to act, what its player sees, what it then does.

    table = Table(Match("short-king", seed=7), {seat: load_player("normal", seed=1) for seat in "NESW"})
    while not table.is_over:
        table.act(table.ask())

A seat need not have a player: `act` takes the card or contract of a person as well. The match keeps the round
in progress, so a table may be left and laid again from the match alone.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import NoReturn

from ..cards import normal_name
from ..contract import Contract
from ..deal import Deal
from ..errors import KingError
from ..knowledge import Knowledge
from ..match import Match, Result
from ..position import Position
from ..rounds import Round
from .base import AnyPlayer, OpenPlayer, Standing


class Table:
    """A match being played. `players` are by seat; those of seats not in it are asked elsewhere."""

    def __init__(self, match: Match, players: Mapping[str, AnyPlayer]) -> None:
        self.match = match
        self.players = dict(players)

    # --- what there is ---

    @property
    def is_over(self) -> bool:
        """Whether the match is over."""
        return self.match.is_over

    @property
    def deal(self) -> Deal | None:
        """The deal of the current round; None when the match is over."""
        return None if self.match.is_over else self.match.deal()

    @property
    def choosing(self) -> bool:
        """Whether the next step is the choice of a contract; else it is a card."""
        return not self.match.is_over and self.match.contract is None

    @property
    def seat(self) -> str:
        """Who is to act: the seat on turn, or the chooser. MatchError when the match is over."""
        chooser = self.match.chooser  # raises where there is nothing left to do
        if self.match.contract is not None:
            return self.match.turn
        assert chooser is not None
        return chooser

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards played so far in the current round, in order."""
        return self.match.cards

    @property
    def options(self) -> int:
        """How many cards, or contracts, there are to choose from."""
        return len(self.match.open) if self.choosing else self.position.legal_mask().bit_count()

    @property
    def position(self) -> Position:
        """A copy of the current position, all hands in it; MatchError while a contract is to be chosen."""
        return self.match.now()

    @property
    def round(self) -> Round:
        """The current round so far."""
        return self.match.current

    def knowledge(self, seat: str | None = None) -> Knowledge:
        """What a seat (unless given, the one on turn) knows now."""
        return Knowledge.from_round(self.round, seat or self.seat)

    def standing(self) -> Standing:
        """The match as everybody sees it."""
        return standing_of(self.match)

    # --- what happens ---

    def ask(self) -> str:
        """The card or contract that the player of `seat` chooses; nothing is played yet.

        Raises KingError when the seat has no player, and for a player that fails or may not do what it chose:
        it is named.
        """
        seat = self.seat
        player = self.players.get(seat)
        if player is None:
            msg = f"expected a player in every seat, got none for {seat}"
            raise KingError(msg)
        try:
            what = self._choice(player, seat) if self.choosing else self._card(player, seat)
        except (Exception, SystemExit) as error:  # anything may go wrong in a player of somebody else's
            words = str(error) if isinstance(error, KingError) else f"{type(error).__name__}: {error}"
            self._blame(player, f"failed: {words}", error)
        if self.choosing:
            if what not in self.match.open:
                names = " ".join(self.match.open)
                self._blame(player, f"expected a contract that is open, one of {names}, got {what!r}")
            return what
        try:
            why = self.match.now().why_illegal(what)
        except KingError as error:
            self._blame(player, str(error))  # no card at all
        if why is not None:
            self._blame(player, f"{why}: {what!r}")
        return what

    def _blame(self, player: AnyPlayer, fault: str, error: BaseException | None = None) -> NoReturn:
        """Raises the error of a player, and says when it was made."""
        where = f"{self.seat}, round {self.match.number}, card {len(self.cards) + 1}"
        msg = f"player {player.name!r} ({where}): {fault}"
        raise KingError(msg) from error

    def _choice(self, player: AnyPlayer, seat: str) -> str:
        match = self.match
        if isinstance(player, OpenPlayer):
            assert self.deal is not None
            contracts = {name: match.variant.contract(name) for name in match.open}
            return player.choose_open(
                {
                    name: Position(contract, self.deal, leader=match.leader)
                    for name, contract in contracts.items()
                },
                seat,
            )
        return player.choose(match.variant, seat, match.first_cards(), match.open, self.standing())

    def _card(self, player: AnyPlayer, seat: str) -> str:
        if isinstance(player, OpenPlayer):
            return player.play_open(self.position)
        return player.play(self.knowledge(seat), self.standing())

    def act(self, what: str) -> Result | None:
        """Plays the card, or chooses the contract, for `seat`; the result when that ends the round.

        Raises IllegalCard, or MatchError, with the reason when it may not be.
        """
        if self.choosing:
            self.choose(what)
            return None
        return self.play(what)

    def choose(self, contract: str | Contract) -> None:
        """Chooses the contract of the round."""
        self.match.choose(contract)

    def play(self, card: str) -> Result | None:
        """Plays a card; the result when that ends the round, which the match then holds."""
        return self.match.push(card)


def standing_of(match: Match) -> Standing:
    """A match that is not over, as everybody sees it."""
    return Standing(
        variant=match.variant,
        number=match.number,
        rounds=match.plan.rounds,
        totals=match.totals,
        results=tuple(replace(result, round=None) for result in match.results),
        open=match.open,
    )


def play_match(
    match: Match, players: Mapping[str, AnyPlayer], *, told: Callable[[Table, str], None] | None = None
) -> Match:
    """Plays what is left of a match and returns it; `told` is called before each card or choice is made."""
    table = Table(match, players)
    while not table.is_over:
        what = table.ask()
        if told is not None:
            told(table, what)
        table.act(what)
    return match


def play_round(
    start: Round,
    players: Mapping[str, AnyPlayer],
    *,
    standing: Standing | None = None,
    told: Callable[[Round, str], None] | None = None,
) -> Round:
    """Plays one round to its end, by itself, from the cards that `start` has; `told` as in `play_match`."""
    at = start.position()
    cards = list(start.cards)
    while not at.is_over:
        so_far = replace_cards(start, cards)
        player = players[at.turn]
        if isinstance(player, OpenPlayer):
            card = player.play_open(at.copy())
        else:
            card = player.play(Knowledge.from_round(so_far, at.turn), standing)
        if told is not None:
            told(so_far, card)
        at.push(card)
        cards.append(normal_name(card))
    return replace_cards(start, cards)


def replace_cards(record: Round, cards: Iterable[str]) -> Round:
    """The round with other cards played."""
    return Round(record.contract, record.leader, record.deal, cards)
