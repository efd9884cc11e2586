"""Random legal play and small positions, for the tests of matches and of the seeds' sentences."""

import random
from functools import lru_cache

from kingsolve.cards import SEATS, bits_of, card_name
from kingsolve.contract import Contract
from kingsolve.match import Match
from kingsolve.position import Position
from kingsolve.rounds import Round
from kingsolve.variants import load_variant


def contract(id: str, name: str) -> Contract:
    return load_variant(id).contract(name)


def at(id: str, name: str, hands: str, *, leader: str, trick: str = "", broken: bool = False) -> Position:
    """A position from the hands of N / E / S / W as they were when the trick began."""
    seats = dict(zip(SEATS, hands.split("/"), strict=False))
    return Position(contract(id, name), seats, leader=leader, trick=trick, broken=broken)


def legal(id: str, name: str, hands: str, *, leader: str, trick: str = "", broken: bool = False) -> set[str]:
    """The legal cards of the seat to play."""
    return set(at(id, name, hands, leader=leader, trick=trick, broken=broken).legal_cards())


def legal_first(id: str, name: str, hand: str, *, led: str = "") -> set[str]:
    """What E, with all of `hand`, may lead to the first trick, or play to it when N leads the card `led`."""
    v = load_variant(id)
    rest = [card_name(bit) for bit in bits_of(v.pack) if card_name(bit) not in (*hand.split(), led)]
    hands = {"E": hand.split(), "N": [led] if led else []}
    for seat in v.seat_names:
        own = hands.setdefault(seat, [])
        while len(own) < v.hand_size:
            own.append(rest.pop())
    return set(Position(v.contract(name), hands, leader="N" if led else "E", trick=led).legal_cards())


def played(id: str, name: str, hands: str, cards: str, *, leader: str = "N") -> Position:
    """The position after `cards`; it counts what they bring."""
    position = at(id, name, hands, leader=leader)
    for card in cards.split():
        position.push(card)
    return position


def trick(id: str, name: str, cards: str) -> tuple[int, ...]:
    """What the last trick of a round brings each seat; the cards are those of N, E, S (and W), N leading."""
    return played(id, name, "/".join(cards.split()), cards).banked


def play_round(match: Match, rng: random.Random) -> Round:
    """A round of random legal cards for the current deal, its contract chosen at random where it is open."""
    if match.contract is None:
        match.choose(rng.choice(match.open))
    position, cards = match.position(), []
    while not position.is_over:
        cards.append(rng.choice(position.legal_cards()))
        position.push(cards[-1])
    return Round(match.contract, match.leader, match.deal(), cards)


def play_on(match: Match, rounds: int, seed: int) -> Match:
    """`match` after so many more rounds."""
    for _ in range(rounds):
        match.play(play_round(match, random.Random(f"{seed} {match.number}")))
    return match


@lru_cache(maxsize=32)
def whole_match(id: str, seed: int = 1) -> Match:
    """A whole match; the tests that share it only read it."""
    match = Match(id, seed=seed)
    return play_on(match, match.plan.rounds, seed)


def next_seat(id: str, seat: str) -> str:
    """The seat after `seat` in the direction of play."""
    v = load_variant(id)
    return SEATS[(SEATS.index(seat) + (1 if v.clockwise else -1)) % v.seats]
