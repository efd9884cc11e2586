"""Match: the rounds of a variant one after another, played card by card or recorded whole: scores, places,
JSON. Whose turn it is, and what may be chosen, is in _turns.py.

The kernels never see a match.
"""

import json
from collections.abc import Iterable, Mapping
from itertools import accumulate
from typing import Any, NoReturn

from ._match_json import (
    deal_from_json,
    list_of,
    no_repeats,
    only_keys,
    round_to_json,
    table_of,
    text_of,
    text_or_none,
    variant_of,
)
from ._turns import Result, Turns
from .cards import SEATS, mask_of, normal_name
from .contract import Contract
from .deal import Deal
from .errors import KingError, MatchError
from .position import Position
from .rounds import Round
from .variants import Variant

__all__ = ["FORMAT", "VERSION", "Match", "Result"]

FORMAT, VERSION = "kingsolve match", 2
_FIELDS = ("format", "version", "variant", "sha256", "seed", "first_dealer", "chosen", "rounds")
_LATER_FIELDS = ("players", "cards", "notes")
"""Of version 2; version 1 is read too."""
_ROUND_FIELDS = ("contract", "leader", "scores", "dealer", "dealt", "hands", "cards")


class Match(Turns):
    """A match in progress. `seed` gives the first dealer and every deal; `first_dealer` overrides the draw.

    The deal passes one seat in the direction of play after every round, through both halves. Where the
    chooser rotates (`king-1993`) the dealer is the seat before the chooser; where the leader comes with the
    deal (`kierki`) the dealer is drawn with each deal and, unless a recorded round says otherwise, eldest
    leads. `players` are names by seat, and `notes` (JSON values) what a program wants kept with the record.

    Raises MatchError for a variant without [match], a bad seed, a first dealer where none is drawn, a player
    at a seat that is none.
    """

    def __init__(
        self,
        variant: Variant | str,
        *,
        seed: int,
        first_dealer: str | None = None,
        players: Mapping[str, str] | None = None,
        notes: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(variant, seed=seed, first_dealer=first_dealer)
        self.players = dict(players or {})
        self.notes = dict(notes or {})
        for seat in self.players:
            if seat not in self.variant.seat_names:
                msg = f"expected players at {' '.join(self.variant.seat_names)}, got one at {seat!r}"
                raise MatchError(msg)
        self._chosen: Contract | None = None
        self._cards: list[str] = []
        self._now: Position | None = None

    @property
    def contract(self) -> Contract | None:
        """The contract of the current round: fixed, or chosen; None while the choice is still to be made."""
        self._check_going()
        if self._chosen is None and self._chooser(self.number) is None:
            return self.variant.contract(self.open[0])
        return self._chosen

    def choose(self, contract: str | Contract) -> Contract:
        """Chooses the contract of the current round and returns it.

        Raises MatchError for a contract of another variant, over its quota or not of this round, and when
        one has been chosen already.
        """
        self._check_going()
        wanted = contract if isinstance(contract, str) else contract.name
        ours = self.variant.contracts.get(wanted)
        if self._chosen is not None:
            msg = (
                f"expected no second choice after {self._chosen.name!r} (round {self.number}), got {wanted!r}"
            )
            raise MatchError(msg)
        if ours is None or (isinstance(contract, Contract) and contract != ours):
            of = "" if isinstance(contract, str) else f" of {contract.variant}"
            self._refuse_contract(f"{wanted!r}{of}")
        if wanted not in self.open:
            self._refuse_contract(f"{wanted!r}, which is not open")
        self._chosen = ours
        return ours

    def _refuse_contract(self, got: str) -> NoReturn:
        who = f", {self.chooser} to choose" if self.chooser else ""
        names = " ".join(self.open) or "none, by the quotas"
        msg = f"expected a contract open in {self.variant.id}: {names} (round {self.number}{who}), got {got}"
        raise MatchError(msg)

    def position(self) -> Position:
        """The current round before its first card; MatchError while its contract is still to be chosen."""
        return Position(self._decided(), self.deal(), leader=self.leader)

    def _decided(self) -> Contract:
        contract = self.contract
        if contract is None:
            msg = f"expected {self.chooser} to choose a contract first (round {self.number})"
            raise MatchError(msg)
        return contract

    # --- card by card ---

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards of the current round played so far, in order."""
        return tuple(self._cards)

    @property
    def current(self) -> Round:
        """The current round as far as it is played; MatchError while its contract is still to be chosen."""
        return Round(self._decided(), self.leader, self.deal(), self._cards)

    def now(self) -> Position:
        """The current round after `cards`, its `banked` what they brought; MatchError as `position`."""
        return self._at.copy()

    @property
    def turn(self) -> str:
        """The seat to play the next card; MatchError while the contract is still to be chosen."""
        return self._at.turn

    @property
    def _at(self) -> Position:
        if self._now is None:
            self._now = self.position()
        return self._now

    def push(self, card: str) -> Result | None:
        """Plays the next card of the current round; the Result when it ends the round, None otherwise.

        Raises IllegalCard, with reason, seat and trick, for a card that may not be played, and MatchError
        while the contract is still to be chosen.
        """
        at = self._at
        at.push(card)
        self._cards.append(normal_name(card))
        return self.play(self.current) if at.is_over else None

    # --- results ---

    def play(self, finished: Round) -> Result:
        """Records a whole round and returns its result. Its contract counts as chosen if it is open.

        The round is replayed. Its hands may be other than `deal()`'s (a match played elsewhere). Raises
        MatchError for a round that is not the current one or not over, DealError and IllegalCard for hands
        and cards.
        """
        self._check_going()
        where = f"(round {self.number})"
        contract = self.contract
        if contract is not None and finished.contract != contract:
            msg = f"expected {contract.name!r} {where}, got {finished.contract.name!r}"
            raise MatchError(msg)
        dealer, leader = self._check_seats(finished, where)
        finished.deal.check(self.variant.pack)
        size = max((hand or 0).bit_count() for hand in finished.deal.hands)
        if size != self.variant.hand_size:
            msg = f"expected hands of {self.variant.hand_size} cards {where}, got {size}"
            raise MatchError(msg)
        _check_order(finished.deal, where)
        end = finished.position()
        if not end.is_over:
            msg = f"expected a round played to its end {where}, got {len(finished.cards)} cards"
            raise MatchError(msg)
        if contract is None:
            contract = self.choose(finished.contract)
        return self._add(contract, end.banked, dealer, leader, finished)

    def _check_seats(self, finished: Round, where: str) -> tuple[str, str]:
        """The dealer and leader of a round handed in; MatchError when they are not this round's."""
        dealer, leader = self.dealer, finished.leader
        given = self.variant.first_lead == "given"
        if not given and leader != self.leader:
            msg = f"expected {self.leader} to lead {where}, got {leader}"
            raise MatchError(msg)
        theirs = finished.deal.dealer
        if theirs is not None and theirs != dealer and not given:
            msg = f"expected {dealer} to deal {where}, got {theirs}"
            raise MatchError(msg)
        return (theirs or dealer) if given else dealer, leader

    def record(self, scores: Round | Iterable[int] | Mapping[str, int]) -> Result:
        """Records a round by its scores alone (points in seat order, or by seat); a Round goes to `play`.

        Raises MatchError when the points are not all those of the contract, to the seats of the variant.
        """
        if isinstance(scores, Round):
            return self.play(scores)
        contract = self._decided()
        seats = self.variant.seat_names
        if isinstance(scores, Mapping):
            if sorted(scores) != sorted(seats):
                msg = f"expected scores for {' '.join(seats)} (round {self.number}), got {' '.join(scores)!r}"
                raise MatchError(msg)
            row = tuple(scores[seat] for seat in seats)
        else:
            row = tuple(scores)
        self._check_scores(contract, row)
        return self._add(contract, row, self.dealer, self.leader, None)

    def _check_scores(self, contract: Contract, row: tuple[int, ...]) -> None:
        within = all(
            type(score) is int and contract.min_points <= score <= contract.max_points for score in row
        )
        if len(row) != self.variant.seats or not within or sum(row) != contract.total:
            msg = (
                f"expected {self.variant.seats} scores within {contract.min_points} .. {contract.max_points} "
                f"that sum to {contract.total} ({contract.name}, round {self.number}), got {list(row)}"
            )
            raise MatchError(msg)

    def _add(
        self, contract: Contract, scores: tuple[int, ...], dealer: str, leader: str, played: Round | None
    ) -> Result:
        result = Result(
            number=self.number,
            contract=contract,
            dealer=dealer,
            chooser=self.chooser,
            leader=leader,
            scores=scores,
            round=played,
        )
        self._results.append(result)
        self._chosen = self._now = None
        self._cards = []
        return result

    @property
    def results(self) -> tuple[Result, ...]:
        """The finished rounds, first to last."""
        return tuple(self._results)

    @property
    def scores(self) -> tuple[tuple[int, ...], ...]:
        """The points of each finished round in seat order."""
        return tuple(result.scores for result in self._results)

    @property
    def running(self) -> tuple[tuple[int, ...], ...]:
        """The totals after each finished round in seat order."""
        return tuple(accumulate(self.scores, lambda a, b: tuple(map(sum, zip(a, b, strict=True)))))

    @property
    def totals(self) -> tuple[int, ...]:
        """The points so far in seat order."""
        return self.running[-1] if self._results else (0,) * self.variant.seats

    @property
    def balance(self) -> int:
        """All totals together; at the end `Variant.match_total`, which is 0 in all that ship but kierki."""
        return sum(self.totals)

    @property
    def places(self) -> tuple[int, ...]:
        """Each seat's place by total, highest first, ties shared: 1 2 2 4."""
        totals = self.totals
        return tuple(1 + sum(other > total for other in totals) for total in totals)

    @property
    def winners(self) -> tuple[str, ...]:
        """The seats of the highest total (so far): equal ones share the victory, which counts as a draw."""
        return tuple(SEATS[i] for i, place in enumerate(self.places) if place == 1)

    # --- JSON ---

    def to_json(self) -> str:
        """The whole match as one line of JSON: rounds in full, hands in the order dealt where known, and the
        cards of the round in progress."""
        data = {
            "format": FORMAT,
            "version": VERSION,
            "variant": self.variant.id,
            "sha256": self.variant.sha256,
            "seed": self.seed,
            "first_dealer": self.first_dealer,
            "players": self.players,
            "chosen": self._chosen.name if self._chosen else None,
            "rounds": [
                round_to_json(result.contract.name, result.leader, result.scores, result.round)
                for result in self._results
            ],
            "cards": self._cards,
            "notes": self.notes,
        }
        return json.dumps(data, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str | bytes, *, variant: Variant | None = None) -> "Match":
        """The match in JSON written by `to_json`; every round is replayed and its scores compared.

        `variant` gives the rules, whatever the match was begun with: where its own id does not ship, or to
        read it by rules that have changed since; the new match has the `sha256` of these. Without it rules
        that have changed are refused. Raises MatchError for anything that is not such a match, with the
        round it is in; where the rules have changed, it says so.
        """
        try:
            data = json.loads(text, object_pairs_hook=no_repeats)
        except (ValueError, RecursionError) as error:
            if isinstance(error, MatchError):
                raise
            msg = f"expected a match in JSON, got a fault: {error}"
            raise MatchError(msg) from None
        only_keys(data, (*_FIELDS, *_LATER_FIELDS), _FIELDS, "match")
        if data["format"] != FORMAT or data["version"] not in (1, VERSION):
            msg = f"expected {FORMAT!r} version {VERSION}, got {data['format']!r} version {data['version']!r}"
            raise MatchError(msg)
        if data["version"] == 1:
            only_keys(data, _FIELDS, _FIELDS, "match")
        try:
            match = cls(
                variant if variant is not None else variant_of(data),
                seed=data["seed"],
                first_dealer=text_or_none(data, "first_dealer", "match"),
                players=table_of(data, "players", "match", str),
                notes=table_of(data, "notes", "match", object),
            )
            for entry in list_of(data, "rounds", "match", dict):
                match._read_round(entry)
            chosen = text_or_none(data, "chosen", "match")
            if chosen is not None:
                match.choose(chosen)
            match._read_cards(list_of(data, "cards", "match", str) if "cards" in data else [])
        except KingError as error:
            msg = str(error)
            if not isinstance(error, MatchError):
                msg = f"expected a match in JSON, got a fault: {msg}"
            if variant is not None and variant.sha256 != data["sha256"]:
                msg += f" (the rules file {variant.source} has changed since the match was begun)"
            raise MatchError(msg) from None
        return match

    def _read_cards(self, cards: list[str]) -> None:
        """Plays the cards of a round in progress."""
        where = f"round {self.number}, in progress"
        try:
            done = [self.push(card) for card in cards]
        except KingError as error:
            msg = f"{where}: {error}"
            raise MatchError(msg) from None
        if any(done):
            msg = f"{where}: expected a round not played to its end, got {len(cards)} cards"
            raise MatchError(msg)

    def _read_round(self, entry: Any) -> None:
        """Adds one round of the JSON form."""
        where = f"round {self.number}"
        only_keys(entry, _ROUND_FIELDS, ("contract", "leader", "scores"), where)
        name, leader = text_of(entry, "contract", where), text_of(entry, "leader", where)
        scores = list_of(entry, "scores", where, int)
        if "cards" not in entry:
            only_keys(entry, ("contract", "leader", "scores"), (), where)
            if self.contract is None:
                self.choose(name)
            if self._decided().name != name or leader != self.leader:
                expected = f"{self._decided().name!r} led by {self.leader}"
                msg = f"{where}: expected {expected}, got {name!r} led by {leader}"
                raise MatchError(msg)
            self.record(scores)
            return
        try:
            deal = deal_from_json(entry, self.variant, where)
            cards = list_of(entry, "cards", where, str)
            result = self.play(Round(self.variant.contract(name), leader, deal, cards))
        except MatchError:
            raise
        except KingError as error:
            msg = f"{where}: {error}"
            raise MatchError(msg) from None
        if list(result.scores) != scores:
            msg = f"{where}: expected the scores of the cards, {list(result.scores)}, got {scores!r}"
            raise MatchError(msg)


def _check_order(deal: Deal, where: str) -> None:
    """MatchError when the order dealt does not hold the cards of the hands."""
    if deal.order is not None and tuple(map(mask_of, deal.order)) != deal.hands:
        msg = f"expected the order dealt to hold the cards of the hands {where}, got other cards"
        raise MatchError(msg)
