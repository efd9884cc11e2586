"""Knowledge: what one seat may infer about the hands it does not see, each deduction with its reason.

It describes a set of deals exactly: those in which every card played so far was legal. The set is a list of
worlds that exclude one another; a world says for each card which seats may hold it. Nearly always there is
one: only a lead that a bar allows from either of two kinds of hand (Seed 004: A K Q of trumps, or nothing but
trumps) makes more.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from ._deduction import Case, Claim, Play, Reader, card_words, read_plays
from ._facts import Cards, bits_of_cards, check_plays, clash, given_claims, sizes_of, turns_from
from .cards import ALL_CARDS, SEATS, bits_of, card_name, cards_of, mask_of, parse_seat
from .contract import Contract
from .errors import CardError, KnowledgeError, VariantError, require
from .rounds import Round
from .worlds import World, count_clash, feasible, possible


@dataclass(frozen=True)
class Reason:
    """One deduction in words; `holds` and `lacks` are the cards that `seat` certainly does or does not hold.

    A deduction with alternatives has neither: its words say what they are.
    """

    seat: str
    text: str
    holds: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()


class Knowledge:
    """What `seat` knows at one point of a round of `contract`; frozen once made.

    By hand: `own` are its cards now, `seen` cards that are out of play, the trick in progress not needed
    among them (`trick`, in order of play from `leader`). `void` (suits), `holds` and `lacks` (cards) are
    known facts of other seats: `void={"W": "h"}, lacks={"E": "Kh"}`. `sizes` is the number of cards each seat
    holds now: one number, or one for each seat that differs; unless given it follows from `own` and whose
    turn it is. Before the whole hand is dealt (trump naming) `own` may be smaller than its size. `broken`
    says that a barred card has been played; `shown` are hands that are open to the seat.

    Raises KnowledgeError for what no deal satisfies, naming two facts that clash; CardError for cards and
    seats that are none.
    """

    def __init__(
        self,
        contract: Contract,
        seat: str,
        *,
        own: Cards,
        seen: Cards = (),
        leader: str | None = None,
        trick: Cards = (),
        broken: bool = False,
        sizes: int | Mapping[str, int] | None = None,
        void: Mapping[str, str] | None = None,
        holds: Mapping[str, Cards] | None = None,
        lacks: Mapping[str, Cards] | None = None,
        shown: Mapping[str, Cards] | None = None,
    ) -> None:
        require(contract, Contract, VariantError)
        for facts in (void, holds, lacks, shown):
            if facts is not None:
                require(facts, Mapping, KnowledgeError)
        number = parse_seat(seat, contract.seats)
        first = parse_seat(leader, contract.seats) if leader is not None else number
        lying = list(bits_of_cards(trick))
        held = {number: mask_of(own)}
        for other, cards in (shown or {}).items():
            held[parse_seat(other, contract.seats)] = mask_of(cards)
        gone = mask_of(seen)
        table = sum(1 << bit for bit in lying)
        known_sizes = sizes_of(contract, number, held, first, lying, gone, sizes)
        place = contract.hand_size - max(
            size + (turn < len(lying))
            for size, turn in zip(known_sizes, turns_from(contract, first), strict=True)
        )
        if place < 0:
            msg = f"expected hands of at most {contract.hand_size} cards with the trick's, got {known_sizes}"
            raise KnowledgeError(msg)
        before = broken and place > 0  # on the first trick only its own cards can have broken the bar
        plays, _, _, now = read_plays(contract, leader=first, cards=lying, place=place, broken=before)
        self._build(
            contract, number, held, gone, table, known_sizes, plays, (first, tuple(lying), broken or now),
            given_claims(contract, void or {}, holds or {}, lacks or {}),
        )  # fmt: skip

    @classmethod
    def from_round(
        cls, record: Round, seat: str, *, after: int | None = None, shown: Iterable[str] = ()
    ) -> "Knowledge":
        """What `seat` knows after the first `after` cards of a recorded round (all of them when None).

        Only the seat's own hand is looked at, and those of `shown` (open hands); of a whole deal with fewer
        cards than the contract's, also which cards are in play. Raises KnowledgeError as the class does.
        """
        require(record, Round)
        contract = record.contract
        number = parse_seat(seat, contract.seats)
        seats = [number, *(parse_seat(other, contract.seats) for other in shown)]
        cards = [ALL_CARDS[card] for card in record.cards[:after]]
        hands = record.deal.hands
        if len(hands) != contract.seats:
            msg = f"expected {contract.seats} hands ({contract.variant} {contract.name}), got {len(hands)}"
            raise KnowledgeError(msg)
        held: dict[int, int] = {}
        for one in seats:
            hand = hands[one]
            if hand is None:
                msg = f"expected the hand of {SEATS[one]}, got '-'"
                raise KnowledgeError(msg)
            held[one] = hand
        size = held[number].bit_count()
        if not size <= contract.hand_size:
            msg = f"expected at most {contract.hand_size} cards in the hand of {SEATS[number]}, got {size}"
            raise KnowledgeError(msg)
        never = 0
        if size < contract.hand_size:
            if None in hands:  # which cards are out of play is not told
                where = f"the hand of {SEATS[number]} ({contract.variant} {contract.name})"
                msg = f"expected {contract.hand_size} cards in {where}, got {size}"
                raise KnowledgeError(msg)
            never = contract.pack & ~sum(hand or 0 for hand in hands)
        leader = parse_seat(record.leader, contract.seats)
        check_plays(cards, held, contract, leader, size)
        place = contract.hand_size - size
        plays, first, trick, broken = read_plays(contract, leader=leader, cards=cards, place=place)
        table = sum(1 << bit for bit in trick)
        played = sum(1 << card for card in cards)
        sizes = [size] * contract.seats
        for play in plays:
            sizes[play.seat] -= 1
        made = object.__new__(cls)
        made._build(
            contract, number, {one: hand & ~played for one, hand in held.items()}, never | (played & ~table),
            table, tuple(sizes), plays, (first, trick, broken), [],
        )  # fmt: skip
        return made

    def _build(
        self,
        contract: Contract,
        seat: int,
        held: Mapping[int, int],
        gone: int,
        table: int,
        sizes: tuple[int, ...],
        plays: list[Play],
        now: tuple[int, tuple[int, ...], bool],
        given: list[Claim],
    ) -> None:
        """Fills every field; the one place where a Knowledge comes to be."""
        self.contract = contract
        self.seat = SEATS[seat]
        self.own = held[seat]
        """The seat's own cards now, as a mask."""
        self.sizes = sizes
        """How many cards each seat holds now, in seat order."""
        self.seen = gone | table
        """Cards that are in no hand any more, as a mask: played, in the trick in progress, or never in
        play."""
        self._leader, self._trick, self.broken = now
        self.plays = tuple(plays)
        """The cards played that are known with their order and their seats: all of a record, or the trick."""
        out = contract.pack.bit_count() - contract.seats * contract.hand_size
        self._check_cards(held, gone, table, out)
        self.hidden = contract.pack & ~self.seen & ~sum(held.values())
        """Cards that may lie in more than one place as far as their being seen goes, as a mask."""
        rooms = (*sizes, *((out,) if out else ()))
        start = World(
            tuple(held.get(place, 0) for place in range(len(rooms))), (self.hidden,) * len(rooms), rooms,
            contract.pack & ~self.seen, contract.seats,
        )  # fmt: skip
        for one, hand in held.items():
            if hand.bit_count() == sizes[one]:
                start = start.with_case(one, Case(0, self.hidden))
        self._claims = given + self._read(plays)
        self.worlds: tuple[World, ...] = self._worlds(start, plays)
        """The alternatives, which exclude one another; each is possible."""
        self._reasons = self._worded(start)

    # --- what there is ---

    @property
    def leader(self) -> str:
        """The seat that led, or is to lead, the current trick."""
        return SEATS[self._leader]

    @property
    def trick(self) -> tuple[str, ...]:
        """The cards of the trick in progress, in order of play."""
        return tuple(card_name(bit) for bit in self._trick)

    @property
    def turn(self) -> str:
        """The seat to play."""
        step = 1 if self.contract.clockwise else -1
        return SEATS[(self._leader + step * len(self._trick)) % self.contract.seats]

    def owners(self, card: str) -> str:
        """The seats that may hold `card`, in seat order; empty for a card that is in no hand.

        Exact: for each seat named there is a deal that fits in which it holds the card.
        """
        (bit,) = bits_of(mask_of([card]))
        if not self.contract.pack >> bit & 1:
            msg = f"expected a card of the pack, got {card!r}"
            raise CardError(msg)
        return "".join(SEATS[seat] for seat in range(self.contract.seats) if self.may_hold[seat] >> bit & 1)

    @property
    def may_hold(self) -> tuple[int, ...]:
        """For each seat the cards that it may hold, as a mask: its own hand for the seat itself."""
        return tuple(
            self._union(world.holds[seat] | world.may[seat] for world in self.worlds)
            for seat in range(self.contract.seats)
        )

    @property
    def holds(self) -> tuple[int, ...]:
        """For each seat the cards that it certainly holds, as a mask."""
        certain = []
        for seat in range(self.contract.seats):
            mask = self.contract.pack
            for world in self.worlds:
                mask &= world.holds[seat]
            certain.append(mask)
        return tuple(certain)

    def reasons(self) -> list[Reason]:
        """Every deduction that still tells something, with its reason in words, in the order of play; what
        only counting shows comes last."""
        return list(self._reasons)

    def __repr__(self) -> str:
        return f"Knowledge({self.contract.name!r}, {self.seat!r}, own={' '.join(cards_of(self.own))!r})"

    # --- making ---

    @staticmethod
    def _union(masks: Iterable[int]) -> int:
        total = 0
        for mask in masks:
            total |= mask
        return total

    def _check_cards(self, held: Mapping[int, int], gone: int, table: int, out: int) -> None:
        """Seen, shown and own cards are apart and of the pack, and as many as the sizes say."""
        contract = self.contract
        named = [("seen", gone), ("in the trick", table)]
        named += [(f"held by {SEATS[one]}", hand) for one, hand in held.items()]
        for i, (what, mask) in enumerate(named):
            if mask & ~contract.pack:
                got = " ".join(cards_of(mask & ~contract.pack))
                msg = f"expected cards of the pack {what}, got {got!r}"
                raise KnowledgeError(msg)
            for other, cards in named[:i]:
                if mask & cards:
                    msg = f"expected each card in one place: {card_words(mask & cards)} is {other} and {what}"
                    raise KnowledgeError(msg)
        for one, hand in held.items():
            if hand.bit_count() > self.sizes[one]:
                msg = (
                    f"expected {self.sizes[one]} cards in the hand of {SEATS[one]}, got {hand.bit_count()}: "
                    f"{' '.join(cards_of(hand))!r}"
                )
                raise KnowledgeError(msg)
        if min(self.sizes) < 0 or max(self.sizes) > contract.hand_size:
            got = " ".join(f"{SEATS[i]} {size}" for i, size in enumerate(self.sizes))
            msg = f"expected hands of 0 to {contract.hand_size} cards, got {got}"
            raise KnowledgeError(msg)
        left = (contract.pack & ~gone & ~table).bit_count()
        if left != sum(self.sizes) + out:
            hands = " ".join(f"{SEATS[i]} {size}" for i, size in enumerate(self.sizes))
            msg = (
                f"expected as many cards not seen as the hands hold: {left} are not seen, "
                f"the hands hold {sum(self.sizes) + out} ({hands}{f', out {out}' if out else ''})"
            )
            raise KnowledgeError(msg)

    def _read(self, plays: list[Play]) -> list[Claim]:
        """The claims of every card played, and the clash of each with what its own seat played later."""
        kept = [0] * self.contract.seats
        since: list[int] = []
        for play in reversed(plays):
            kept[play.seat] |= 1 << play.card
            since.append(kept[play.seat])
        since.reverse()
        reader = Reader(self.contract)
        claims = []
        for play, mine in zip(plays, since, strict=True):
            for claim in reader.claims(play, mine):
                cases = tuple(
                    replace(case, holds=case.holds & ~mine) for case in claim.cases if not case.lacks & mine
                )
                if not cases:
                    raise self._revoke(claim, plays, play)
                otherwise = claim.otherwise if claim.otherwise and not claim.otherwise.lacks & mine else None
                claims.append(replace(claim, cases=cases, otherwise=otherwise))
        return claims

    def _revoke(self, claim: Claim, plays: list[Play], play: Play) -> KnowledgeError:
        """The clash of a claim with a card that the same seat played at another time."""
        lacks = self._union(case.lacks for case in claim.cases)
        later = next(
            other for other in plays[play.number :] if other.seat == play.seat and lacks >> other.card & 1
        )
        seat = SEATS[later.seat]
        return clash(claim.text, f"{seat} played {card_words(1 << later.card)} on trick {later.place + 1}")

    def _worlds(self, start: World, plays: list[Play]) -> tuple[World, ...]:
        """The possible worlds under all claims; KnowledgeError, naming two facts, when there is none."""
        if not feasible(start):
            raise KnowledgeError(count_clash(start))
        worlds = [start]
        for number, claim in enumerate(self._claims):
            cases = claim.cases
            first = [world.with_case(claim.seat, cases[0]) for world in worlds]
            if claim.otherwise and not any(map(feasible, first)):
                cases = (claim.otherwise,)
            after = [world.with_case(claim.seat, case) for world in worlds for case in cases]
            fitting = [world for world in after if feasible(world)]
            if not fitting:
                raise self._clash_of(start, number)
            worlds = list(dict.fromkeys(fitting))
        return tuple(possible(world) for world in worlds)

    def _clash_of(self, start: World, number: int) -> KnowledgeError:
        """The error for claim `number`, which fits with none of the worlds that the earlier ones left."""
        claim = self._claims[number]
        alone = [start.with_case(claim.seat, case) for case in claim.cases]
        if not any(map(feasible, alone)):
            return clash(claim.text, self._elsewhere(claim, start) or count_clash(alone[0]))
        for earlier in self._claims[:number]:
            both = [world.with_case(earlier.seat, case) for world in alone for case in earlier.cases]
            if not any(map(feasible, both)):
                return clash(earlier.text, claim.text)
        together = start
        for one in self._claims[: number + 1]:
            more = together.with_case(one.seat, one.cases[0])
            together = more if min(more.rooms) >= 0 else together
        if feasible(together):
            return clash(claim.text, "no deal fits it and all the facts before")
        return clash(claim.text, count_clash(together))

    def _elsewhere(self, claim: Claim, start: World) -> str | None:
        """Where a card lies that a claim cannot be true of, in words; None where counting is what clashes."""
        case, seat = claim.cases[0], claim.seat
        wrong = case.lacks & start.holds[seat]
        if wrong:
            return f"{SEATS[seat]} holds {card_words(wrong)}"
        wrong = case.holds & ~start.holds[seat] & ~start.may[seat]
        if not wrong:
            return None
        for other, held in enumerate(start.holds):
            if wrong & held:
                return f"{SEATS[other]} holds {card_words(wrong & held)}"
        if wrong & self.seen:
            return f"{card_words(wrong & self.seen)} is seen"
        return f"the whole hand of {SEATS[seat]} is known"

    def _worded(self, start: World) -> list[Reason]:
        """The reasons: each claim that says something, then what follows from all of them and the counts."""
        found = []
        holds, lacks = list(start.holds), [0] * len(start.holds)
        for claim in self._claims:
            case = claim.cases[0]
            alone = len(claim.cases) == 1
            news = case.holds & ~holds[claim.seat] or case.lacks & ~lacks[claim.seat] & self.hidden
            if alone:
                holds[claim.seat] |= case.holds
                lacks[claim.seat] |= case.lacks
            if SEATS[claim.seat] == self.seat or (alone and not news):
                continue
            names = tuple(cards_of(case.holds)), tuple(cards_of(case.lacks & self.hidden))
            found.append(Reason(SEATS[claim.seat], claim.text, *(names if alone else ((), ()))))
        for seat in range(self.contract.seats):
            name = SEATS[seat]
            certain = self.holds[seat] & ~holds[seat]
            if certain and name != self.seat:
                what = card_words(certain)
                text = f"every other place is ruled out, by reasons above or by counting: {name} holds {what}"
                found.append(Reason(name, text, holds=tuple(cards_of(certain))))
            elsewhere = self._union(holds[other] for other in range(len(holds)) if other != seat)
            elsewhere |= self._union(
                self.holds[other] for other in range(self.contract.seats) if other != seat
            )
            ruled = self.hidden & ~self.may_hold[seat] & ~lacks[seat] & ~elsewhere
            if ruled and name != self.seat and start.rooms[seat]:
                what = card_words(ruled)
                text = f"no deal that fits the reasons above, hand by hand, gives them to {name}: "
                text += f"{name} does not hold {what}"
                found.append(Reason(name, text, lacks=tuple(cards_of(ruled))))
        return found
