"""The slow, obvious oracle: a second reading of the rules and values of King, to test the package by.

Written from the four seed texts and the project's reading of them, without a look at the package, of which it
imports nothing. Cards are names ("As", "Th", "7c"), hands are sets of names, seats are letters. Nothing is
pruned; whole positions are memoised at the start of a trick, by their plain contents, and that is all.

Build a position with `position(contract, {"N": ["As", "7h"], ...}, leader="N", trick=["Kd"], broken=True)`.
It is one long module, so that the whole reading can be checked from top to bottom.
All values are points *to come*, signed, to the seat that takes the trick; tuples are in seat order N E S W.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

RANKS = "23456789TJQKA"
SUITS = "cdhs"  # in the order in which card-order prefers them

Card = str
Seat = str
Vector = tuple[int, ...]
Named = list[tuple[str, "Position"]]


# -------------------------------------------------------------------------------------------------- contracts


@dataclass(frozen=True, eq=False)
class NaiveContract:
    """What one round scores and obliges, as plain things. Equal only to itself, not to a copy."""

    variant: str
    name: str
    seats: str  # clockwise: "NESW" or "NES"
    clockwise: bool  # the direction of play
    pack: frozenset[Card]
    hand: int  # cards in a full hand
    trick_points: tuple[int, ...]  # by the trick's place, first trick first
    card_points: dict[Card, int]  # cards that are not named score nothing
    trump: str | None = None  # a suit letter
    barred_leads: frozenset[Card] = frozenset()  # cards that may not be led ...
    barred_until: str = ""  # ... until "nothing-else" is held, or until one of them is "broken"
    akq_may_lead: bool = False  # ace, king and queen of trumps in one hand: any trump may be led
    no_trumps_first_trick: bool = False
    must_discard: frozenset[Card] = frozenset()  # compulsory when void
    must_trump: bool = False  # when void
    must_overtrump: bool = False  # when void, the highest trump in the trick
    must_beat_led_trump: bool = False  # when following trumps
    penalty_under_higher: frozenset[Card] = frozenset()  # to be played under a higher card of their suit
    early_stop: bool = True  # the round ends when nothing that scores is left


def make_pack(lowest: str) -> frozenset[Card]:
    """Return every card from the rank `lowest` up to the ace, in four suits."""
    return frozenset(rank + suit for rank in RANKS[RANKS.index(lowest) :] for suit in SUITS)


def cards_of(pack: Iterable[Card], ranks: str = RANKS, suits: str = SUITS) -> frozenset[Card]:
    """Return the cards of the pack that have one of these ranks and one of these suits."""
    return frozenset(card for card in pack if card[0] in ranks and card[1] in suits)


def every_trick(points: int, hand: int) -> tuple[int, ...]:
    """Return the points of each trick when all count alike."""
    return (points,) * hand


def last_two(points: int, hand: int) -> tuple[int, ...]:
    """Return the points of each trick when only the last two count."""
    return (0,) * (hand - 2) + (points,) * 2


def each(points: int, cards: Iterable[Card]) -> dict[Card, int]:
    """Return the points of each card when all of these count alike."""
    return dict.fromkeys(cards, points)


def added(base: NaiveContract, name: str, parts: Iterable[NaiveContract]) -> NaiveContract:
    """Return the contract in which all the parts are scored together; one card may count in several ways."""
    parts = list(parts)
    cards: dict[Card, int] = {}
    for part in parts:
        for card, points in part.card_points.items():
            cards[card] = cards.get(card, 0) + points
    tricks = tuple(sum(places) for places in zip(*(part.trick_points for part in parts), strict=True))
    return replace(base, name=name, trick_points=tricks, card_points=cards)


PENALTIES = ("no-tricks", "no-hearts", "no-men", "no-queens", "no-last-two", "no-king")
TWINS = {
    "no-tricks": "tricks",
    "no-hearts": "hearts",
    "no-men": "men",
    "no-queens": "queens",
    "no-last-two": "last-two",
    "no-king": "king",
    "eralash": "eralash-plus",
}


def penalties(
    base: NaiveContract, *, trick: int, heart: int, man: int, men: str, queen: int, last: int, king: int
) -> dict[str, NaiveContract]:
    """Return the six isolated penalty contracts, without any bar or duty; points are signed."""
    pack, hand = base.pack, base.hand
    nothing = every_trick(0, hand)
    made = {
        "no-tricks": (every_trick(trick, hand), {}),
        "no-hearts": (nothing, each(heart, cards_of(pack, suits="h"))),
        "no-men": (nothing, each(man, cards_of(pack, men))),
        "no-queens": (nothing, each(queen, cards_of(pack, "Q"))),
        "no-last-two": (last_two(last, hand), {}),
        "no-king": (nothing, {"Kh": king}),
    }
    return {
        name: replace(base, name=name, trick_points=tricks, card_points=cards)
        for name, (tricks, cards) in made.items()
    }


def mirrored(contracts: dict[str, NaiveContract]) -> dict[str, NaiveContract]:
    """Return the contracts and their positive twins: the same rules, the points with the other sign."""
    twins = {
        TWINS[name]: replace(
            contract,
            name=TWINS[name],
            trick_points=tuple(-points for points in contract.trick_points),
            card_points={card: -points for card, points in contract.card_points.items()},
        )
        for name, contract in contracts.items()
    }
    return contracts | twins


def with_rules(contracts: dict[str, NaiveContract], names: str, **rules: object) -> None:
    """Change these rules in the named contracts, in place."""
    for name in names.split():
        contracts[name] = replace(contracts[name], **rules)  # type: ignore[arg-type]


def trumps(base: NaiveContract, points: int, suits: str, **rules: object) -> dict[str, NaiveContract]:
    """Return the trump deals "trumps-s" and so on ("trumps-nt" for "n"); a void hand must trump."""
    tricks = every_trick(points, base.hand)
    made = {}
    for suit in suits:
        if suit == "n":
            made["trumps-nt"] = replace(base, name="trumps-nt", trick_points=tricks)
        else:
            name = f"trumps-{suit}"
            plain = replace(base, name=name, trick_points=tricks, trump=suit, must_trump=True)
            made[name] = replace(plain, **rules)  # type: ignore[arg-type]
    return made


def bare(variant: str, seats: str, lowest: str, **rules: object) -> NaiveContract:
    """Return a contract that scores and obliges nothing yet: the table and the pack."""
    pack = make_pack(lowest)
    hand = len(pack) // len(seats)
    empty = NaiveContract(variant, "", seats, True, pack, hand, every_trick(0, hand), {})
    return replace(empty, **rules)  # type: ignore[arg-type]


def russian_14() -> dict[str, NaiveContract]:
    """Return the contracts of Seed 000, 02 and 03: boys are kings; the heart rules hold in both halves."""
    base = bare("russian-14", "NESW", "7")
    made = penalties(base, trick=-2, heart=-2, man=-4, men="K", queen=-4, last=-8, king=-16)
    made["eralash"] = added(base, "eralash", made.values())
    hearts = cards_of(base.pack, suits="h")
    with_rules(made, "no-hearts no-king eralash", barred_leads=hearts, barred_until="nothing-else")
    with_rules(made, "no-king eralash", must_discard=frozenset({"Kh"}))
    return mirrored(made)


def full_king(variant: str = "full-king") -> dict[str, NaiveContract]:
    """Return the contracts of Seed 002, Rules: boys are jacks; trump deals at +3; Short has no Eralash."""
    base = bare(variant, "NESW", "7")
    made = penalties(base, trick=-2, heart=-2, man=-4, men="J", queen=-4, last=-8, king=-16)
    made["eralash"] = added(base, "eralash", made.values())
    hearts = cards_of(base.pack, suits="h")
    with_rules(made, "no-hearts no-king eralash", barred_leads=hearts, barred_until="nothing-else")
    with_rules(made, "no-king eralash", must_discard=frozenset({"Kh"}))
    if variant == "short-king":
        del made["eralash"]
    return made | trumps(base, 3, "shdcn")


def parlett(seats: str, lowest: str, *points: int) -> dict[str, NaiveContract]:
    """Return the contracts of Seed 003, Rules: men are kings and jacks; the second round is positive."""
    trick, heart, man, queen, last, king = points
    base = bare(f"parlett-{len(seats)}", seats, lowest)
    made = penalties(base, trick=trick, heart=heart, man=man, men="KJ", queen=queen, last=last, king=king)
    hearts = cards_of(base.pack, suits="h")
    with_rules(made, "no-hearts no-king", barred_leads=hearts, barred_until="nothing-else")
    with_rules(made, "no-king", must_discard=frozenset({"Kh"}))
    return mirrored(made)


def penalties_of_004(base: NaiveContract) -> dict[str, NaiveContract]:
    """Return the six penalty contracts of Seed 004, "Seven contracts", by points only."""
    return penalties(base, trick=-50, heart=-30, man=-60, men="KJ", queen=-100, last=-180, king=-320)


def compulsory_discards_of_004(made: dict[str, NaiveContract]) -> None:
    """Oblige a void hand to discard the contract's penalty cards (Seed 004, "In penalty contracts")."""
    for name in ("no-hearts", "no-men", "no-queens", "no-king"):
        with_rules(made, name, must_discard=frozenset(made[name].card_points))


def dealers_choice_20() -> dict[str, NaiveContract]:
    """Return the contracts of Seed 004; all thirteen tricks are played."""
    base = bare("dealers-choice-20", "NESW", "2", early_stop=False)
    made = penalties_of_004(base)
    compulsory_discards_of_004(made)
    hearts = cards_of(base.pack, suits="h")
    with_rules(made, "no-hearts no-king", barred_leads=hearts, barred_until="broken")
    made |= trumps(
        base, 50, "shdc",
        akq_may_lead=True, no_trumps_first_trick=True, must_overtrump=True, must_beat_led_trump=True,
        barred_until="broken",
    )  # fmt: skip
    for suit in "shdc":
        with_rules(made, f"trumps-{suit}", barred_leads=cards_of(base.pack, suits=suit))
    return made


def jeu_du_roi() -> dict[str, NaiveContract]:
    """Return the reconstructed contracts: 004's points, 003's bars and K of hearts duty, must-trump."""
    base = bare("jeu-du-roi", "NESW", "2")
    made = penalties_of_004(base)
    hearts = cards_of(base.pack, suits="h")
    with_rules(made, "no-hearts no-king", barred_leads=hearts, barred_until="nothing-else")
    with_rules(made, "no-king", must_discard=frozenset({"Kh"}))
    return made | trumps(base, 50, "shdc")


def king_1993() -> dict[str, NaiveContract]:
    """Return the contracts of the 1993 program: heart bars in both halves, no compulsory K of hearts."""
    base = bare("king-1993", "NESW", "7")
    made = penalties(base, trick=-20, heart=-20, man=-20, men="KJ", queen=-40, last=-80, king=-160)
    made["eralash"] = added(base, "eralash", made.values())
    hearts = cards_of(base.pack, suits="h")
    with_rules(made, "no-hearts no-king eralash", barred_leads=hearts, barred_until="nothing-else")
    return mirrored(made)


def rifki() -> dict[str, NaiveContract]:
    """Return the contracts of the Turkish game: counter-clockwise, penalties forced under a higher card."""
    base = bare("rifki", "NESW", "2", clockwise=False)
    made = penalties_of_004(base)
    compulsory_discards_of_004(made)
    for name in ("no-hearts", "no-men", "no-queens", "no-king"):
        with_rules(made, name, penalty_under_higher=made[name].must_discard)
    hearts = cards_of(base.pack, suits="h")
    with_rules(made, "no-hearts no-king", barred_leads=hearts, barred_until="broken")
    return made | trumps(base, 50, "shdc")


def kierki() -> dict[str, NaiveContract]:
    """Return the seven deal types of the Polish server task: no bars, no duties, 7th and last trick."""
    base = bare("kierki", "NESW", "2")
    made = penalties(base, trick=-1, heart=-1, man=-2, men="KJ", queen=-5, last=0, king=-18)
    del made["no-last-two"]
    places = tuple(-10 if place in (7, 13) else 0 for place in range(1, 14))
    made["no-7th-last"] = replace(base, name="no-7th-last", trick_points=places)
    made["eralash"] = added(base, "eralash", made.values())
    return made


CONTRACTS: dict[str, dict[str, NaiveContract]] = {
    "russian-14": russian_14(),
    "full-king": full_king(),
    "short-king": full_king("short-king"),
    "parlett-3": parlett("NES", "6", -6, -8, -9, -18, -36, -72),
    "parlett-4": parlett("NESW", "7", -2, -2, -2, -4, -8, -16),
    "dealers-choice-20": dealers_choice_20(),
    "jeu-du-roi": jeu_du_roi(),
    "king-1993": king_1993(),
    "rifki": rifki(),
    "kierki": kierki(),
}


# -------------------------------------------------------------------------------------------------- positions


@dataclass(frozen=True)
class Position:
    """A point of a round: hands in seat order, the trick in progress in order of play, its leader."""

    contract: NaiveContract
    hands: tuple[frozenset[Card], ...]
    leader: Seat  # of the trick in progress, or of the next trick
    trick: tuple[tuple[Seat, Card], ...]
    broken: bool  # always False where the contract has no bar of that kind

    @property
    def turn(self) -> Seat:
        """The seat to play."""
        return order_of_play(self.contract, self.leader)[len(self.trick)]

    def hand(self, seat: Seat) -> frozenset[Card]:
        """Return the cards that a seat holds."""
        return self.hands[self.contract.seats.index(seat)]


def order_of_play(contract: NaiveContract, first: Seat) -> str:
    """Return all the seats in the order in which they play, from this one on."""
    seats = contract.seats if contract.clockwise else contract.seats[::-1]
    at = seats.index(first)
    return seats[at:] + seats[:at]


def position(
    contract: NaiveContract,
    hands: Mapping[Seat, Iterable[Card]],
    leader: Seat,
    *,
    trick: Sequence[Card] = (),
    broken: bool = False,
) -> Position:
    """Return a position; `trick` are the cards lying in it, the leader's first; `hands` are without them."""
    held = {seat: frozenset(hands[seat]) for seat in contract.seats}
    played = tuple(zip(order_of_play(contract, leader), trick, strict=False))
    before = {seat: held[seat] | {card for who, card in played if who == seat} for seat in contract.seats}
    cards = [card for hand in before.values() for card in hand]
    if (
        len(trick) >= len(contract.seats)
        or len({len(hand) for hand in before.values()}) != 1
        or len(set(cards)) != len(cards)
        or not contract.pack.issuperset(cards)
        or len(cards) > contract.hand * len(contract.seats)
    ):
        where = f"{contract.variant} {contract.name}"
        msg = f"not a position of {where}: {hands!r} and {trick!r} led by {leader!r}"
        raise ValueError(msg)
    broken = contract.barred_until == "broken" and (broken or not contract.barred_leads.isdisjoint(trick))
    return Position(contract, tuple(held[seat] for seat in contract.seats), leader, played, broken)


def without_early_stop(position: Position) -> Position:
    """Return the same position in a contract whose rounds are always played to the last card."""
    return replace(position, contract=replace(position.contract, early_stop=False))


def rank(card: Card) -> int:
    """Return the card's rank as a number, the ace highest."""
    return RANKS.index(card[0])


def place_of_trick(position: Position) -> int:
    """Return how many tricks of the round came before this one, from the largest hand."""
    return position.contract.hand - max(len(hand) for hand in position.hands)


def legal(position: Position) -> set[Card]:
    """Return the cards that the seat to play may play, whether the round is over or not."""
    contract, hand = position.contract, set(position.hand(position.turn))
    first_trick = place_of_trick(position) == 0
    if not position.trick:
        return may_lead(position, hand, first_trick)

    lying = [card for _, card in position.trick]
    led = lying[0][1]
    following = {card for card in hand if card[1] == led}
    if following:
        if contract.must_beat_led_trump and led == contract.trump:
            beating = {card for card in following if rank(card) > highest(lying, led)}
            return beating or following
        forced = {c for c in following & contract.penalty_under_higher if rank(c) < highest(lying, led)}
        return forced or following

    compulsory = hand & contract.must_discard
    if compulsory:
        return compulsory
    owned = {card for card in hand if card[1] == contract.trump}
    if contract.no_trumps_first_trick and first_trick:
        return (hand - owned) or hand
    if contract.must_trump and owned:
        if contract.must_overtrump:
            over = {card for card in owned if rank(card) > highest(lying, contract.trump)}
            return over or owned
        return owned
    return hand


def may_lead(position: Position, hand: set[Card], first_trick: bool) -> set[Card]:
    """Return the cards of the hand that may be led: those that no bar forbids, or else the whole hand."""
    contract = position.contract
    free = set(hand)
    if contract.no_trumps_first_trick and first_trick:
        free = {card for card in free if card[1] != contract.trump}
    barred = not position.broken
    if contract.akq_may_lead and {f"{top}{contract.trump}" for top in "AKQ"} <= hand:
        barred = False
    if barred:
        free -= contract.barred_leads
    return free or hand


def highest(cards: Iterable[Card], suit: str | None) -> int:
    """Return the highest rank of the suit among the cards, as a number; -1 if there is none."""
    return max((rank(card) for card in cards if card[1] == suit), default=-1)


def winner_of(contract: NaiveContract, trick: Sequence[tuple[Seat, Card]]) -> Seat:
    """Return the seat that takes the trick: the highest trump, or else the highest card of the led suit."""
    ruffs = [(rank(card), seat) for seat, card in trick if card[1] == contract.trump]
    follows = [(rank(card), seat) for seat, card in trick if card[1] == trick[0][1][1]]
    return max(ruffs or follows)[1]


def play(position: Position, card: Card) -> tuple[Position, dict[Seat, int]]:
    """Return the position after a legal card, and {winner: points} if it completes the trick, else {}."""
    if card not in legal(position):
        msg = f"illegal card {card!r} for {position.turn} of {sorted(legal(position))!r}"
        raise ValueError(msg)
    return after(position, card)


def after(position: Position, card: Card) -> tuple[Position, dict[Seat, int]]:
    """Return what `play` returns, for a card known to be legal."""
    contract, turn = position.contract, position.turn
    hands = tuple(
        hand - {card} if seat == turn else hand
        for seat, hand in zip(contract.seats, position.hands, strict=True)
    )
    trick = (*position.trick, (turn, card))
    broken = position.broken or (contract.barred_until == "broken" and card in contract.barred_leads)
    if len(trick) < len(contract.seats):
        return Position(contract, hands, position.leader, trick, broken), {}
    winner = winner_of(contract, trick)
    points = contract.trick_points[place_of_trick(position)]
    points += sum(contract.card_points.get(played, 0) for _, played in trick)
    return Position(contract, hands, winner, (), broken), {winner: points}


def cards_in_play(position: Position) -> set[Card]:
    """Return the cards in the hands and in the trick in progress."""
    return set().union(*position.hands) | {card for _, card in position.trick}


def points_left(position: Position) -> list[int]:
    """Return everything that can still be scored, item by item: the tricks' points, then the cards'."""
    tricks_left = max(len(hand) for hand in position.hands)
    tricks = position.contract.trick_points[position.contract.hand - tricks_left :]
    cards = [position.contract.card_points.get(card, 0) for card in cards_in_play(position)]
    return [points for points in (*tricks, *cards) if points != 0]


def points_to_come_total(position: Position) -> int:
    """Return the points that all seats together will still get, the trick in progress included."""
    return sum(points_left(position))


def is_over(position: Position) -> bool:
    """Return whether the round has ended: no cards or (early stop) nothing to score; never inside a trick."""
    if position.trick:
        return False
    return not any(position.hands) or (position.contract.early_stop and not points_left(position))


def perft(position: Position, depth: int) -> int:
    """Return the number of sequences of exactly `depth` legal cards, none played after the end of the round.

    These are the leaves at that depth. Depth 0 counts 1 for any position. A sequence that ends earlier, the
    round being over (early stop) or the cards played out, counts at the depth at which it ends and at no
    greater one.
    """
    if depth == 0:
        return 1
    if is_over(position):
        return 0
    return sum(perft(after(position, card)[0], depth - 1) for card in legal(position))


def endings(position: Position) -> int:
    """Return the number of ways to play the round to its end (`is_over`); 1 if it is over already."""
    if is_over(position):
        return 1
    return sum(endings(after(position, card)[0]) for card in legal(position))


# ----------------------------------------------------------------------------------------------------- values


def guarantee(position: Position, side: Iterable[Seat]) -> int:
    """Return the points to come that the seats of the side can force together against all the others."""
    return forced(position, frozenset(side), frozenset(side), {})


def best_case(position: Position, seat: Seat) -> int:
    """Return the most points to come that one seat gets if everybody helps."""
    return forced(position, frozenset({seat}), frozenset(position.contract.seats), {})


def forced(
    position: Position, side: frozenset[Seat], helpers: frozenset[Seat], memo: dict[Position, int]
) -> int:
    """Return the side's points to come when the helpers play for the side and the others against it."""
    if is_over(position):
        return 0
    if position not in memo:
        values = []
        for card in legal(position):
            then, gained = after(position, card)
            banked = sum(points for seat, points in gained.items() if seat in side)
            values.append(banked + forced(then, side, helpers, memo))
        value = max(values) if position.turn in helpers else min(values)
        if position.trick:  # inside a trick nothing transposes
            return value
        memo[position] = value
    return memo[position]


def card_values(position: Position, side: Iterable[Seat]) -> dict[Card, int]:
    """Return for each legal card what the side banks by it plus the guarantee after it; 0 once it is over."""
    side = frozenset(side)
    memo: dict[Position, int] = {}
    values = {}
    for card in sorted(legal(position)):
        then, gained = after(position, card)
        banked = sum(points for seat, points in gained.items() if seat in side)
        values[card] = banked + forced(then, side, side, memo)
    return values


def sides(contract: NaiveContract) -> list[str]:
    """Return every side that has somebody in it and somebody against it: "N", "E", ... "NE", ... "ESW"."""
    sizes = range(1, len(contract.seats))
    return ["".join(side) for size in sizes for side in itertools.combinations(contract.seats, size)]


def coalitions(position: Position) -> dict[str, int]:
    """Return the guarantee of every side, one seat to all but one: 14 sides of four seats, 6 of three."""
    return {side: guarantee(position, side) for side in sides(position.contract)}


def shapley(position: Position) -> tuple[Fraction, ...]:
    """Return each seat's mean gain on joining those before it, over all orders (L. S. Shapley, 1953)."""
    seats = position.contract.seats
    value = coalitions(position) | {"": 0, seats: points_to_come_total(position)}

    def worth(members: Iterable[Seat]) -> int:
        return value["".join(seat for seat in seats if seat in set(members))]

    orders = list(itertools.permutations(seats))
    gains = {
        seat: sum(
            worth(order[: order.index(seat) + 1]) - worth(order[: order.index(seat)]) for order in orders
        )
        for seat in seats
    }
    return tuple(Fraction(gains[seat], math.factorial(len(seats))) for seat in seats)


def gained_vector(contract: NaiveContract, gained: Mapping[Seat, int], to_come: Vector) -> Vector:
    """Return the points to come with those just gained added, in seat order."""
    return tuple(gained.get(seat, 0) + points for seat, points in zip(contract.seats, to_come, strict=True))


def card_order(position: Position, card: Card) -> tuple[int, int]:
    """Return the sort key among equally good cards: most cards of its suit in play below it, then c d h s."""
    below = [c for c in cards_in_play(position) if c[1] == card[1] and rank(c) < rank(card)]
    return -len(below), SUITS.index(card[1])


def maxn(position: Position, ties: str = "card-order") -> Vector:
    """Return the payoff vector when everybody plays for himself: backward induction with a stated tie rule.

    "card-order": of the cards best for the mover, the first by `card_order`. "spiteful": of these, the one
    that leaves the next seat in order of play least, then the seat after it, and so on; then `card_order`.
    """
    if ties not in ("card-order", "spiteful"):
        msg = f"unknown tie rule {ties!r}"
        raise ValueError(msg)
    return maxn_below(position, ties, {})


def maxn_below(position: Position, ties: str, memo: dict[Position, Vector]) -> Vector:
    """Return what `maxn` returns, with the positions already valued."""
    contract = position.contract
    if is_over(position):
        return (0,) * len(contract.seats)
    if position in memo:
        return memo[position]
    mover, *others = order_of_play(contract, position.turn)
    choices = []
    for card in legal(position):
        then, gained = after(position, card)
        vector = gained_vector(contract, gained, maxn_below(then, ties, memo))
        points = dict(zip(contract.seats, vector, strict=True))
        spite = [points[seat] for seat in others] if ties == "spiteful" else []
        choices.append(((-points[mover], *spite, *card_order(position, card)), vector))
    best = min(choices)[1]
    if not position.trick:
        memo[position] = best
    return best


def equilibria(position: Position) -> list[Vector]:
    """Return all payoff vectors in which pure subgame-perfect play can end, sorted.

    Set-valued backward induction: a vector behind one card stays possible iff the mover gets at least as much
    as behind any other card at its worst.
    """
    return sorted(equilibria_below(position, {}))


def equilibria_below(position: Position, memo: dict[Position, frozenset[Vector]]) -> frozenset[Vector]:
    """Return what `equilibria` returns, as a set, with the positions already valued."""
    contract = position.contract
    if is_over(position):
        return frozenset({(0,) * len(contract.seats)})
    if position in memo:
        return memo[position]
    mover = contract.seats.index(position.turn)
    behind: dict[Card, set[Vector]] = {}
    for card in legal(position):
        then, gained = after(position, card)
        behind[card] = {gained_vector(contract, gained, v) for v in equilibria_below(then, memo)}
    kept: set[Vector] = set()
    for card, vectors in behind.items():
        threats = [min(v[mover] for v in behind[other]) for other in behind if other != card]
        kept |= {v for v in vectors if all(v[mover] >= threat for threat in threats)}
    found = frozenset(kept)
    if not position.trick:
        memo[position] = found
    return found


# ------------------------------------------------------------------------------------------- random positions


def all_contracts() -> Iterator[NaiveContract]:
    """Yield every contract of every variant."""
    for contracts in CONTRACTS.values():
        yield from contracts.values()


def pick(rng: random.Random, cards: Iterable[Card], count: int) -> list[Card]:
    """Return that many of the cards at random; the same for the same generator, whatever the set's order."""
    return rng.sample(sorted(cards), count)


def deal_rest(
    rng: random.Random, contract: NaiveContract, given: Mapping[Seat, Iterable[Card]], size: int
) -> dict[Seat, set[Card]]:
    """Return hands of that size: the cards given, and the rest of the pack at random."""
    hands = {seat: set(given.get(seat, ())) for seat in contract.seats}
    rest = pick(rng, contract.pack, len(contract.pack))
    rest = [card for card in rest if not any(card in hand for hand in hands.values())]
    for hand in hands.values():
        while len(hand) < size:
            hand.add(rest.pop())
    return hands


def play_random(rng: random.Random, position: Position, cards: int) -> Position:
    """Return the position after that many random legal cards, early stop or not."""
    for _ in range(cards):
        position = after(position, pick(rng, legal(position), 1)[0])[0]
    return position


def random_ending(
    rng: random.Random, contract: NaiveContract, cards_per_hand: int, *, mid_trick: bool = False
) -> Position:
    """Return random hands, a random leader, broken or not; with `mid_trick` part of a trick is played.

    Something is still to be scored. Hands in the middle of a trick had `cards_per_hand` at its beginning.
    """
    while True:
        hands = deal_rest(rng, contract, {}, cards_per_hand)
        start = position(contract, hands, rng.choice(contract.seats), broken=rng.random() < 0.5)
        if not is_over(start) and points_left(start):
            return play_random(rng, start, rng.randrange(1, len(contract.seats)) if mid_trick else 0)


def random_play_ending(
    rng: random.Random, contract: NaiveContract, tricks_left: int, *, mid_trick: bool = False
) -> Position:
    """Return a deal after random legal cards, that many tricks before its end: the bar breaks by itself.

    With `mid_trick` some cards of the next trick are played too. Something is still to be scored, unless
    2,000 deals did not give such a position; then the last of them is returned.
    """
    seats = len(contract.seats)
    for _ in range(2000):
        hands = deal_rest(rng, contract, {}, contract.hand)
        start = position(contract, hands, rng.choice(contract.seats))
        ending = play_random(rng, start, (contract.hand - tricks_left) * seats)
        if not is_over(ending) and points_left(ending):
            break
    return play_random(rng, ending, rng.randrange(1, seats) if mid_trick else 0)


# --------------------------------------------------------------------------------------------- rare positions


def rare_positions(contract: NaiveContract, rng: random.Random | None = None) -> Named:
    """Return named positions in which this contract's rarer rules bind, or would bind if it had them.

    Names that begin with "full-size" are whole deals: for legal cards and perft, not for values. Every other
    position has at most five cards a hand. Hands that matter are built, the others are random.
    """
    rng = rng or random.Random(0)
    found: Named = []
    for seat in contract.seats:
        found += penalty_positions(rng, contract, seat)
        found += lead_positions(rng, contract, seat)
        found += trump_positions(rng, contract, seat)
        found += under_positions(rng, contract, seat)
        found += first_trick_positions(rng, contract, seat)
    return found


def focus(contract: NaiveContract) -> str:
    """Return the suit that the rare rules are about: trumps, or else hearts."""
    return contract.trump or "h"


def in_suit(suit: str, ranks: str) -> set[Card]:
    """Return the cards of one suit with these ranks."""
    return {rank + suit for rank in ranks}


def stages(name: str, start: Position, script: Sequence[Card]) -> Named:
    """Return the position before and after each scripted card; in place of an illegal one some legal card."""
    found = [(f"{name}, 0 in the trick", start)]
    for count, card in enumerate(script, 1):
        cards = legal(start)
        start = after(start, card if card in cards else min(cards))[0]
        found.append((f"{name}, {count} in the trick", start))
    return found


def penalty_positions(rng: random.Random, contract: NaiveContract, leader: Seat) -> Named:
    """Return positions where the seat after the leader is void and full, or half full, of penalty cards."""
    victim = order_of_play(contract, leader)[1]
    wanted = contract.must_discard or frozenset(contract.card_points) or cards_of(contract.pack, "AKQ")
    found = []
    for size, share in ((1, 1), (2, 1), (2, 2), (3, 2), (3, 3), (4, 2), (4, 4)):
        void = rng.choice([suit for suit in "scd" if suit != contract.trump])
        others = cards_of(contract.pack, suits=SUITS.replace(void, ""))
        chosen = set(pick(rng, wanted & others, min(share, len(wanted & others))))
        chosen |= set(pick(rng, others - chosen - wanted, size - len(chosen)))
        led = set(pick(rng, cards_of(contract.pack, suits=void), size))
        hands = deal_rest(rng, contract, {leader: led, victim: chosen}, size)
        start = position(contract, hands, leader)
        found += stages(f"{victim} void with {share} penalties of {size}", start, [min(led)])
    # every hand full of what scores, dearest first: several kinds of penalty in one trick
    dear = pick(rng, contract.card_points, len(contract.card_points))
    dear.sort(key=lambda card: -abs(contract.card_points[card]))
    for size in (1, 2, 3):
        cards = dear[: size * len(contract.seats)]
        cards += pick(rng, contract.pack - set(cards), size * len(contract.seats) - len(cards))
        rng.shuffle(cards)
        given = {seat: cards[at * size :][:size] for at, seat in enumerate(contract.seats)}
        for broken in (False, True):
            start = position(contract, given, leader, broken=broken)
            found.append((f"{leader} leads, only scoring cards, {size} each, broken {broken}", start))
    return found


def lead_positions(rng: random.Random, contract: NaiveContract, leader: Seat) -> Named:
    """Return positions on lead, bar standing and lifted: from A K Q of the suit, less, or only the suit."""
    suit = focus(contract)
    side = cards_of(contract.pack, suits=SUITS.replace(suit, ""))
    found = []
    for ranks, size in (
        ("AKQ", 4), ("AKQ7", 5), ("AKJ", 4), ("AQJ", 4), ("KQJ", 4), ("A", 2), ("7", 2),
        ("AKQ", 3), ("K", 1), ("98", 2), ("AJ7", 3), ("T987", 4),
    ):  # fmt: skip
        hand = in_suit(suit, ranks)
        hand |= set(pick(rng, side, size - len(hand)))
        hands = deal_rest(rng, contract, {leader: hand}, size)
        for broken in (False, True)[: 1 if size == 5 else 2]:  # five cards a hand take seconds
            name = f"{leader} leads from {ranks} of {suit} in {size}, broken {broken}"
            found.append((name, position(contract, hands, leader, broken=broken)))
    # a bar that a discard or a ruff lifts, or does not: the next seat has only the barred suit
    void = rng.choice([other for other in "scd" if other != suit])
    victim = order_of_play(contract, leader)[1]
    given = {leader: {f"A{void}", f"K{void}", f"8{suit}"}, victim: in_suit(suit, "79A")}
    start = position(contract, deal_rest(rng, contract, given, 3), leader)
    name = f"{victim} discards {suit} on {leader}'s lead, bar standing"
    found += stages(name, start, [f"A{void}", f"9{suit}"])
    return found


def trump_positions(rng: random.Random, contract: NaiveContract, leader: Seat) -> Named:
    """Return positions with several trumps (or hearts) in the trick: ruffed and overruffed, and led."""
    order = order_of_play(contract, leader)
    trump = focus(contract)
    side, *rest = (suit for suit in rng.sample(SUITS, 4) if suit != trump)
    spare = in_suit(rest[0], "789TJ") | in_suit(rest[1], "789TJ")
    found = []
    lasts = {"over and under": "K8", "only under": "98", "only over": "AK", "over, and the side suit": "K8"}
    for what, ranks in lasts.items():
        mine = [in_suit(side, "79K"), in_suit(trump, "T"), in_suit(trump, "Q7"), in_suit(trump, ranks)]
        if what.endswith("side suit"):
            mine[-1].add(f"A{side}")
        if len(order) == 3:
            del mine[1]
        given = {}
        for seat, hand in zip(order, mine, strict=True):
            extra = set(pick(rng, spare - set().union(*given.values()), 3 - len(hand)))
            given[seat] = hand | extra
        script = [f"7{side}", f"T{trump}", f"Q{trump}"] if len(order) == 4 else [f"7{side}", f"Q{trump}"]
        start = position(contract, given, leader)
        found += stages(f"{leader}'s lead is ruffed, the last {what}", start, script)
    for what, ranks in {"over and under": "K7", "only under": "87", "only over": "AK"}.items():
        mine = [in_suit(trump, "9"), in_suit(trump, "J"), in_suit(trump, "QT"), in_suit(trump, ranks)]
        if len(order) == 3:
            del mine[1]
        given = {}
        for seat, hand in zip(order, mine, strict=True):
            given[seat] = hand | set(pick(rng, spare - set().union(*given.values()), 3 - len(hand)))
        script = [f"9{trump}", f"J{trump}", f"Q{trump}"] if len(order) == 4 else [f"9{trump}", f"Q{trump}"]
        start = position(contract, given, leader, broken=True)
        found += stages(f"{trump} led by {leader}, the last {what}", start, script)
    return found


def under_positions(rng: random.Random, contract: NaiveContract, leader: Seat) -> Named:
    """Return positions where a follower holds penalty cards of the led suit below and above the highest."""
    second, third = order_of_play(contract, leader)[1:3]
    found = []
    for suit in SUITS:
        for led, others, follower in (
            ("A", "T98", "KJQ7"), ("Q", "AT8", "KJ97"), ("9", "AQT", "KJ87"), ("K", "A98", "QJT7"),
            ("J", "A98", "KQT7"), ("8", "T9J", "AKQ7"),
        ):  # fmt: skip
            given = {leader: in_suit(suit, led + others), second: in_suit(suit, follower)}
            hands = deal_rest(rng, contract, given, 4)
            start = position(contract, hands, leader, broken=True)
            found += stages(f"{second} has {follower} of {suit} under {led}", start, [led + suit])
    # the higher card is not the led one; and a higher card of another suit is no higher card
    suit, other = rng.sample(SUITS, 2)
    mixed = {f"A{suit}", f"8{other}", f"9{other}"}
    given = {leader: in_suit(suit, "789"), second: mixed, third: in_suit(suit, "KQJ")}
    start = position(contract, deal_rest(rng, contract, given, 3), leader, broken=True)
    found += stages(f"{third} has KQJ of {suit} under {second}'s ace", start, [f"7{suit}", f"A{suit}"])
    given = {leader: in_suit(suit, "789"), second: in_suit(other, "AK8"), third: in_suit(suit, "KQJ")}
    start = position(contract, deal_rest(rng, contract, given, 3), leader, broken=True)
    name = f"{third} has KQJ of {suit}, {second} the ace of {other}"
    found += stages(name, start, [f"7{suit}", f"A{other}"])
    return found


def first_trick_positions(rng: random.Random, contract: NaiveContract, leader: Seat) -> Named:
    """Return whole deals: all trumps (or hearts) in one hand, A K Q, a void hand; and a trick later."""
    suit, size = focus(contract), contract.hand
    second = order_of_play(contract, leader)[1]
    whole = cards_of(contract.pack, suits=suit)
    found = []
    if len(whole) >= size:
        for seat in (leader, second):
            hands = deal_rest(rng, contract, {seat: whole}, size)
            start = position(contract, hands, leader)
            name = f"full-size, {seat} has all of {suit}, {leader} leads"
            found += stages(name, start, [min(legal(start))])
    for broken in (False, True):
        hands = deal_rest(rng, contract, {leader: in_suit(suit, "AKQ")}, size)
        start = position(contract, hands, leader, broken=broken)
        found.append((f"full-size, {leader} leads from AKQ of {suit}, broken {broken}", start))
    void = rng.choice([other for other in "scd" if other != suit])
    blank = cards_of(contract.pack, suits=SUITS.replace(void, ""))
    must = set(pick(rng, whole, 4))
    given = {leader: {f"8{void}"}, second: must | set(pick(rng, blank - must, size - 4))}
    start = position(contract, deal_rest(rng, contract, given, size), leader)
    found += stages(f"full-size, {second} is void on the first trick", start, [f"8{void}"])
    # the same hands on the second trick: each has lost a card
    fewer = {seat: pick(rng, start.hand(seat) - {f"8{void}"}, size - 1) for seat in contract.seats}
    fewer[leader][0] = f"8{void}"
    start = position(contract, fewer, leader)
    found += stages(f"full-size less one, {second} is void on the second trick", start, [f"8{void}"])
    return found
