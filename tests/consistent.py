"""Consistent deals by brute force, and records to try them on; what tests of knowledge and sampling share."""

import itertools
import random
from collections.abc import Iterator
from dataclasses import replace

import kingsolve as ks
import naive
from kingsolve.cards import ALL_CARDS, bits_of, card_name, mask_of
from kingsolve.knowledge import Knowledge
from twins import twin

Deal = tuple[int, ...]
KINGS = mask_of("Kc Kd Kh Ks")


def described(k: Knowledge) -> list[Deal]:
    """Every deal of the worlds of `k`, seat by seat: slow and obvious."""
    found = []
    for world in k.worlds:
        for hands in _fillings(world, 0, 0):
            found.append(hands[: k.contract.seats])
    return found


def _fillings(world, place: int, used: int) -> Iterator[Deal]:
    if place == len(world.rooms):
        if used == world.cards:
            yield ()
        return
    held = world.holds[place]
    free = list(bits_of(world.may[place] & ~used & ~held))
    for chosen in itertools.combinations(free, world.rooms[place] - held.bit_count()):
        hand = held | sum(1 << bit for bit in chosen)
        for rest in _fillings(world, place + 1, used | hand):
            yield (hand, *rest)


def consistent(contract: naive.NaiveContract, record: ks.Round, seat: str) -> set[Deal]:
    """The present hands of every deal in which the record is legal, `seat`'s hand being as recorded."""
    seats = contract.seats
    hands = dict(zip(seats, record.deal.hands, strict=True))
    others = [other for other in seats if other != seat]
    hidden = sorted(set().union(*(names_of(hands[other]) for other in others)))
    walker = naive.position(contract, {s: names_of(hands[s]) for s in seats}, record.leader)
    played: dict[str, set[str]] = {s: set() for s in seats}
    for card in record.cards:
        played[walker.turn].add(card)
        walker = naive.after(walker, card)[0]
    size = hands[seat].bit_count()
    gone = set(record.cards)
    left = [card for card in hidden if card not in gone]
    found = set()
    for split in _splits(left, [size - len(played[other]) for other in others]):
        now = dict(zip(others, split, strict=True)) | {seat: set(names_of(hands[seat])) - gone}
        start = {s: set(now[s]) | played[s] for s in seats}
        position = naive.position(contract, start, record.leader)
        for card in record.cards:
            if position.turn != seat and card not in naive.legal(position):
                break
            position = naive.after(position, card)[0]
        else:
            found.add(tuple(mask_of(now[s]) for s in seats))
    return found


def names_of(mask: int) -> list[str]:
    return [card_name(bit) for bit in bits_of(mask)]


def _splits(cards: list[str], sizes: list[int]) -> Iterator[list[tuple[str, ...]]]:
    if not sizes:
        yield []
        return
    for chosen in itertools.combinations(cards, sizes[0]):
        rest = [card for card in cards if card not in chosen]
        for others in _splits(rest, sizes[1:]):
            yield [chosen, *others]


def recorded(rng: random.Random, contract: naive.NaiveContract, hand: int, cards: int) -> ks.Round:
    """A round of `hand` cards a seat with some random legal cards played; few suits, so that rules bite."""
    suits = rng.sample("cdhs", rng.choice((2, 3, 4)))
    if contract.trump and contract.trump not in suits:
        suits[0] = contract.trump
    pack = sorted(card for card in contract.pack if card[1] in suits)
    need = hand * len(contract.seats)
    rng.shuffle(pack)
    if contract.trump and rng.random() < 0.5:  # A K Q in one hand now and then
        tops = [rank + contract.trump for rank in "AKQ"]
        pack = tops + [card for card in pack if card not in tops]
        pack = pack[:need]
        first = pack[:hand]
        rest = pack[hand:]
        rng.shuffle(rest)
        hands = [first, *(rest[i * hand : (i + 1) * hand] for i in range(len(contract.seats) - 1))]
        rng.shuffle(hands)
    else:
        hands = [pack[i * hand : (i + 1) * hand] for i in range(len(contract.seats))]
    leader = rng.choice(contract.seats)
    position = naive.position(contract, dict(zip(contract.seats, hands, strict=True)), leader)
    played = []
    for _ in range(cards):
        card = naive.pick(rng, naive.legal(position), 1)[0]
        played.append(card)
        position = naive.after(position, card)[0]
    return ks.Round(twin(contract), leader, dict(zip(contract.seats, hands, strict=True)), played)


def small(contract: naive.NaiveContract, hand: int) -> naive.NaiveContract:
    """The contract with hands of that size for a full hand, so that a first trick fits a small deal."""
    return replace(contract, hand=hand, trick_points=contract.trick_points[-hand:])


def any_rules(rng: random.Random, pack: int, hand: int) -> ks.Contract:
    """A contract of rules drawn at random, whether a variant has them together or not."""
    base = ks.load_variant("dealers-choice-20").contract("trumps-s")

    def some(odds: float, *sets: int) -> int:
        return rng.choice(sets) & pack if rng.random() < odds else 0

    suits = [0x1FFF << 16 * i for i in range(4)]
    trump = rng.choice((None, "s", "h", "d", "c"))
    lane = suits["cdhs".index(trump)] if trump else suits[2]
    tops = rng.choice(list(bits_of(lane & pack)) or [0])
    barred = some(0.8, lane, suits[2], suits[2] | suits[0])
    return replace(
        base, pack=pack, hand_size=hand, trick_points=base.trick_points[-hand:], trump=trump,
        clockwise=rng.random() < 0.5, barred=barred, until_broken=rng.random() < 0.5,
        waiver=some(0.6, 1 << tops, lane) if barred else 0,
        first_barred=some(0.6, lane, suits[2], suits[0]), must_discard=some(0.5, suits[2], KINGS),
        forced_under=some(0.5, suits[2], KINGS | KINGS >> 1),
        void_trump=rng.choice(("free", "must-trump", "must-overtrump")), beat_trump=rng.random() < 0.5,
    )  # fmt: skip


def consistent_by_position(record: ks.Round, seat: int) -> set[Deal]:
    """As `consistent`, by Position: for rules that no variant of the oracle has."""
    contract = record.contract
    hidden = [b for i, hand in enumerate(record.deal.hands) if i != seat for b in bits_of(hand)]
    found = set()
    others = [i for i in range(contract.seats) if i != seat]
    end = record.position()
    played = sum(1 << bit for bit in map(ALL_CARDS.__getitem__, record.cards))
    mine = [hand & played for hand in record.deal.hands]
    left = [card_name(b) for b in hidden if not played >> b & 1]
    for split in _splits(left, [end.masks[i].bit_count() for i in others]):
        now = [mask_of(split[others.index(i)]) if i != seat else end.masks[i] for i in range(contract.seats)]
        start = ks.Deal(tuple(hand | gone for hand, gone in zip(now, mine, strict=True)))
        position = ks.Position(contract, start, leader=record.leader)
        for card in record.cards:
            if position.why_illegal(card) is not None:
                break
            position.push(card)
        else:
            found.add(tuple(now))
    return found


def ace_king_queen(rng: random.Random) -> ks.Round:
    """An ending of four cards in 004's trump deal: E leads a trump, from A K Q or from nothing else."""
    trumps = ks.load_variant("dealers-choice-20").contract("trumps-s")
    spades = naive.cards_of(naive.make_pack("2"), suits="s")
    low = rng.sample(sorted(spades - {"As", "Ks", "Qs"}), 5)
    side = rng.sample(sorted(naive.make_pack("2") - spades), 8)
    e = ["As", "Ks", "Qs", low[0]] if rng.random() < 0.5 else ["As", *low[:3]]
    rest = [card for card in ("As", "Ks", "Qs", *low) if card not in e] + side
    n, rest = rest[-4:], rest[:-4]
    rng.shuffle(rest)
    hands = {"N": n, "E": e, "S": rest[:4], "W": rest[4:]}
    position = ks.Position(trumps, hands, leader="E")
    played = [min(e, key=lambda card: naive.RANKS.index(card[0]))]
    position.push(played[0])
    for _ in range(rng.randrange(8)):
        played.append(rng.choice(position.legal_cards()))
        position.push(played[-1])
    return ks.Round(trumps, "E", hands, played)
