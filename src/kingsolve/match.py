"""Match: the rounds of a variant one after another: dealers, choosers, deals by seed, scores, places.

The kernels never see a match. Deals come from Philox keyed by (seed, round number), so that the deal of a
round never depends on what was chosen or played before it.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, NoReturn

from ._match_json import (
    deal_from_json,
    list_of,
    no_repeats,
    only_keys,
    round_to_json,
    text_of,
    text_or_none,
    variant_of,
)
from .cards import SEATS, mask_of, parse_seat
from .contract import Contract
from .deal import Deal
from .dealing import random_deal, stream
from .errors import KingError, MatchError
from .position import Position
from .rounds import Round
from .variants import Plan, Quota, Variant, load_variant

FORMAT, VERSION = "kingsolve match", 1
_FIELDS = ("format", "version", "variant", "sha256", "seed", "first_dealer", "chosen", "rounds")
_ROUND_FIELDS = ("contract", "leader", "scores", "dealer", "dealt", "hands", "cards")


@dataclass(frozen=True, kw_only=True)
class Result:
    """A finished round of a match. `scores` are points in seat order; `round` None if only they are known."""

    number: int
    """Counted from 1."""
    contract: Contract
    dealer: str
    chooser: str | None
    """Who chose the contract; None where the order fixed it."""
    leader: str
    scores: tuple[int, ...]
    round: Round | None = None


class Match:
    """A match in progress. `seed` gives the first dealer and every deal; `first_dealer` overrides the draw.

    The deal passes one seat in the direction of play after every round, through both halves. Where the
    chooser rotates (`king-1993`) the dealer is the seat before the chooser; where the leader comes with the
    deal (`kierki`) the dealer is drawn with each deal and, unless a recorded round says otherwise, eldest
    leads.

    Raises MatchError for a variant without [match], a bad seed, a first dealer where none is drawn.
    """

    def __init__(self, variant: Variant | str, *, seed: int, first_dealer: str | None = None) -> None:
        self.variant = load_variant(variant) if isinstance(variant, str) else variant
        if self.variant.plan is None:
            msg = f"expected a variant with a [match], got {self.variant.id!r}"
            raise MatchError(msg)
        self.plan: Plan = self.variant.plan
        self.seed = seed
        below = stream(seed, 0)
        self._first: int | None = None
        if self.plan.chooser != "rotates" and self.variant.first_lead != "given":
            self._first = below(self.variant.seats)
        if first_dealer is not None:
            if self._first is None:
                msg = f"expected no first dealer in {self.variant.id}, got {first_dealer!r}"
                raise MatchError(msg)
            self._first = parse_seat(first_dealer, self.variant.seats)
        self._results: list[Result] = []
        self._chosen: Contract | None = None

    # --- whose turn it is ---

    @property
    def first_dealer(self) -> str | None:
        """The dealer of the first round; None where the dealer does not rotate from one."""
        return None if self._first is None else SEATS[self._first]

    @property
    def number(self) -> int:
        """The number of the round to play, from 1; one more than there are when the match is over."""
        return len(self._results) + 1

    @property
    def is_over(self) -> bool:
        """Whether every round has been recorded."""
        return len(self._results) == self.plan.rounds

    @property
    def dealer(self) -> str:
        """The dealer of the current round; MatchError when the match is over."""
        self._check_going()
        return self._dealer(self.number)

    @property
    def eldest(self) -> str:
        """The seat next to the dealer in the direction of play: the first to be dealt a card."""
        return self._after(self.dealer)

    @property
    def chooser(self) -> str | None:
        """Who chooses or names the contract of the current round; None where the order fixes it."""
        self._check_going()
        return self._chooser(self.number)

    @property
    def leader(self) -> str:
        """Who leads to the first trick of the current round."""
        lead = self.variant.first_lead
        if lead == "dealer":
            return self.dealer
        if lead == "chooser":
            return self.chooser or self.eldest
        return self.eldest

    def _check_going(self) -> None:
        if self.is_over:
            msg = f"expected a round to play, got a match whose {self.plan.rounds} rounds are over"
            raise MatchError(msg)

    def _dealer(self, number: int) -> str:
        if self._first is not None:
            return self._turned(self._first, number - 1)
        if self.plan.chooser == "rotates":
            return self._turned((number - 1) % self.variant.seats, -1)
        return random_deal(self.variant, seed=self.seed, number=number).dealer or SEATS[0]

    def _chooser(self, number: int) -> str | None:
        if self.plan.order and len(self.plan.order[number - 1]) == 1:
            return None
        if self.plan.chooser == "rotates":
            return SEATS[(number - 1) % self.variant.seats]
        dealer = self._dealer(number)
        return dealer if self.plan.chooser == "dealer" else self._after(dealer)

    def _after(self, seat: str) -> str:
        return self._turned(SEATS.index(seat), 1)

    def _turned(self, seat: int, steps: int) -> str:
        """The seat `steps` further on in the direction of play."""
        return SEATS[(seat + (steps if self.variant.clockwise else -steps)) % self.variant.seats]

    # --- the deal and the contract ---

    def deal(self) -> Deal:
        """The deal of the current round, by the match's seed, with each seat's cards in the order dealt."""
        return random_deal(self.variant, seed=self.seed, number=self.number, dealer=self.dealer)

    def first_cards(self) -> tuple[str, ...]:
        """The cards the chooser has seen when the contract is chosen, in the order dealt (Seed 002: three).

        Raises MatchError in a round whose contract is fixed.
        """
        chooser = self.chooser
        if chooser is None:
            msg = f"expected a round whose contract is chosen, got {self.open[0]!r} (round {self.number})"
            raise MatchError(msg)
        order = self.deal().order or ()
        return order[SEATS.index(chooser)][: self.plan.named_after]

    @property
    def open(self) -> tuple[str, ...]:
        """The contracts that may be played in the current round: by the order, or by quotas not filled."""
        self._check_going()
        if self.plan.order:
            return self.plan.order[self.number - 1]
        return tuple(name for quota in self.plan.quotas for name in quota.of if self._has_room(quota, name))

    def _has_room(self, quota: Quota, name: str) -> bool:
        """Whether `quota` lets the current chooser choose `name`."""
        mine = [result for result in self._results if result.chooser == self.chooser]
        counts = (
            (quota.each, sum(result.contract.name == name for result in self._results)),
            (quota.per_seat, sum(result.contract.name in quota.of for result in mine)),
            (quota.per_seat_each, sum(result.contract.name == name for result in mine)),
        )
        return all(limit is None or count < limit for limit, count in counts)

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
        self._chosen = None
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
        """The whole match as one line of JSON: rounds in full, hands in the order dealt where it is known."""
        data = {
            "format": FORMAT,
            "version": VERSION,
            "variant": self.variant.id,
            "sha256": self.variant.sha256,
            "seed": self.seed,
            "first_dealer": self.first_dealer,
            "chosen": self._chosen.name if self._chosen else None,
            "rounds": [
                round_to_json(result.contract.name, result.leader, result.scores, result.round)
                for result in self._results
            ],
        }
        return json.dumps(data, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str | bytes, *, variant: Variant | None = None) -> "Match":
        """The match in JSON written by `to_json`; every round is replayed and its scores compared.

        `variant` gives the rules where the match's own id does not ship, or has changed since. Raises
        MatchError for anything that is not such a match, with the round it is in.
        """
        try:
            data = json.loads(text, object_pairs_hook=no_repeats)
        except (ValueError, RecursionError) as error:
            if isinstance(error, MatchError):
                raise
            msg = f"expected a match in JSON, got a fault: {error}"
            raise MatchError(msg) from None
        only_keys(data, _FIELDS, _FIELDS, "match")
        if (data["format"], data["version"]) != (FORMAT, VERSION):
            msg = f"expected {FORMAT!r} version {VERSION}, got {data['format']!r} version {data['version']!r}"
            raise MatchError(msg)
        try:
            match = cls(
                variant if variant is not None else variant_of(data),
                seed=data["seed"],
                first_dealer=text_or_none(data, "first_dealer", "match"),
            )
            for entry in list_of(data, "rounds", "match", dict):
                match._read_round(entry)
            chosen = text_or_none(data, "chosen", "match")
            if chosen is not None:
                match.choose(chosen)
        except MatchError:
            raise
        except KingError as error:
            msg = f"expected a match in JSON, got a fault: {error}"
            raise MatchError(msg) from None
        return match

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
