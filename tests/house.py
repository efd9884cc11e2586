"""House contracts: any rule that a variant file can write with any other, and deals in which they bind."""

import random
from typing import Literal

from kingsolve import Contract
from kingsolve.cards import SUITS, bits_of, pack_mask, suit_mask
from kingsolve.contract import classes_of

PACK = pack_mask("2-A")

Counting = Literal["tricks", "penalties", "anything"]
"""What scores: all tricks alike; tricks and cards, none above zero; tricks and cards of both signs."""


def some_cards(rng: random.Random, among: int = PACK) -> int:
    """Cards such as a rule may name: a suit or two, part of a suit, some ranks, one card, a few; or none."""
    bits = list(bits_of(among))
    suits = rng.sample(range(4), 2)
    ranks = rng.sample(range(13), 2)
    chosen = {
        "suit": [bit for bit in bits if bit >> 4 == suits[0]],
        "two suits": [bit for bit in bits if bit >> 4 in suits],
        "part of a suit": [bit for bit in bits if bit >> 4 == suits[0] and rng.random() < 0.5],
        "ranks": [bit for bit in bits if bit & 15 in ranks],
        "one": rng.sample(bits, min(len(bits), 1)),
        "a few": rng.sample(bits, min(len(bits), rng.randrange(2, 14))),
    }
    return sum(1 << bit for bit in chosen[rng.choice(list(chosen))])


def house_contract(rng: random.Random, counting: Counting, seats: int, size: int) -> Contract:
    """A contract of a variant that nobody ships, for hands of `size` cards on the first trick or later."""

    def maybe(chance: float) -> int:
        return some_cards(rng) if rng.random() < chance else 0

    hand = size + rng.choice([0, 0, 1, 4])
    trump = None if counting == "penalties" else rng.choice([None, None, *SUITS])
    trumps = suit_mask(trump) if trump else 0
    signs = {"tricks": (1,), "penalties": (-1,), "anything": (-1, 1)}[counting]
    trick = rng.choice(signs) * rng.randrange(4)
    places = [(trick,) * hand, (0,) * (hand - 1) + (trick,), (0, trick) * hand]
    points: dict[int, int] = {}
    for _ in range(rng.randrange(3)):
        points |= dict.fromkeys(bits_of(some_cards(rng)), rng.choice(signs) * rng.randrange(1, 6))
    a_suit = suit_mask(rng.choice(SUITS))
    barred = rng.choice([trumps, a_suit, maybe(0.8)])
    honours = rng.choice([0x1000, 0x1800, 0x1C00]) << (barred.bit_length() - 1 & 48)
    waivers = [0, honours, honours, honours, some_cards(rng, barred), some_cards(rng)]
    only_tricks = counting == "tricks"
    return Contract(
        name="house",
        title="house",
        variant="house",
        pack=PACK,
        seats=seats,
        hand_size=hand,
        trick_points=(1,) * hand if only_tricks else rng.choice(places)[:hand],
        card_points=() if only_tricks else classes_of(points),
        trump=trump,
        barred=barred,
        until_broken=rng.random() < 0.5,
        waiver=rng.choice(waivers) if barred else 0,
        first_barred=0
        if counting == "penalties"
        else rng.choice([0, trumps, suit_mask(rng.choice(SUITS)), some_cards(rng)]),
        must_discard=0 if only_tricks else maybe(0.5),
        forced_under=0 if only_tricks else maybe(0.4),
        void_trump=rng.choice(("free", "must-trump", "must-overtrump")) if trump else "free",
        beat_trump=trump is not None and rng.random() < 0.5,
        early_stop=rng.random() < 0.5,
    )


def house_hands(rng: random.Random, contract: Contract, size: int) -> list[int]:
    """Hands of that many cards, as masks: few suits, many cards that rules name, and often in one hand what
    waives a bar, or the honours of a suit under a bar."""
    c = contract
    named = c.barred | c.waiver | c.first_barred | c.must_discard | c.forced_under | c.scoring_cards
    bars = rng.choice([mask for mask in (c.waiver, c.first_barred, c.barred) if mask] or [PACK])
    together = c.waiver if bars == c.waiver else 0x1C00 << (rng.choice(list(bits_of(bars))) & 48)
    suits = rng.sample(range(4), rng.choice([2, 2, 3, 4]))
    bits = [bit for bit in bits_of(c.pack) if bit >> 4 in suits or together >> bit & 1]
    bits.sort(key=lambda bit: rng.random() + (named >> bit & 1) * 0.3 + (together >> bit & 1), reverse=True)
    bits = bits[: size * c.seats]
    if rng.random() < 0.3:
        bits.sort()
    else:
        rng.shuffle(bits)
    if rng.random() < 0.7:
        bits.sort(key=lambda bit: together >> bit & 1, reverse=True)
    hands = [sum(1 << bit for bit in bits[i * size :][:size]) for i in range(c.seats)]
    rng.shuffle(hands)
    return hands
