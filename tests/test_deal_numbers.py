"""Deals by number: a bijection, held to shuffling; the kernels deal what random_deal deals."""

import dataclasses
import random
from math import comb
from pathlib import Path

import numpy as np
import pytest

from kingsolve.cards import bits_of
from kingsolve.deal import Deal
from kingsolve.dealing import deal_count, deal_number, numbered_deal, random_deal
from kingsolve.errors import DealError
from kingsolve.variants import Variant, load_variant, variant_ids

RUSSIAN = load_variant("russian-14")


def small(seats: int, hand: int, out: int) -> Variant:
    """A pack so small that all its deals can be counted: the lowest cards of the Russian one."""
    bits = list(bits_of(RUSSIAN.pack))[: seats * hand + out]
    pack = sum(1 << bit for bit in bits)
    return dataclasses.replace(RUSSIAN, seats=seats, hand_size=hand, out=out, pack=pack)


def test_a_variant_may_be_an_id_or_a_path(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text('extends = "russian-14"\n')
    deal = random_deal(RUSSIAN, seed=1, number=2)
    for variant in ("russian-14", str(path)):
        assert random_deal(variant, seed=1, number=2) == deal
        assert deal_count(variant) == deal_count(RUSSIAN)
        number = deal_number(variant, deal)
        assert number == deal_number(RUSSIAN, deal)
        assert numbered_deal(variant, number).hands == deal.hands


@pytest.mark.parametrize(("id", "power"), [("russian-14", 57), ("parlett-3", 52), ("rifki", 96)])
def test_numbers_have_the_size_they_are_said_to_have(id: str, power: int) -> None:
    count = deal_count(load_variant(id))
    assert 2 ** (power - 1) < count < 2**power


@pytest.mark.parametrize("id", variant_ids())
def test_there_and_back(id: str) -> None:
    variant = load_variant(id)
    rng = random.Random(id)
    for number in (0, 1, deal_count(variant) - 1, *(rng.randrange(deal_count(variant)) for _ in range(50))):
        deal = numbered_deal(variant, number, dealer="E")
        assert deal.faults(variant.pack) == []
        assert {hand.bit_count() for hand in deal.hands if hand is not None} == {variant.hand_size}
        assert deal_number(variant, deal) == number
    for number in range(50):
        shuffled = random_deal(variant, seed=4, number=number)
        assert numbered_deal(variant, deal_number(variant, shuffled)).hands == shuffled.hands


@pytest.mark.parametrize("shape", [(3, 2, 0), (4, 2, 0), (3, 2, 2), (3, 3, 1), (4, 1, 3)])
def test_every_deal_once(shape: tuple[int, int, int]) -> None:
    variant = small(*shape)
    seats, hand, out = shape
    found = {numbered_deal(variant, number).hands for number in range(deal_count(variant))}
    expected = 1
    for seat in range(seats):
        expected *= comb(seats * hand + out - seat * hand, hand)
    assert len(found) == deal_count(variant) == expected


@pytest.mark.parametrize("id", ["russian-14", "parlett-3", "rifki"])
def test_shuffled_deals_fall_evenly_over_the_numbers(id: str) -> None:
    """Chi-squared over 64 equal ranges: 103.44 is passed once in a thousand by chance."""
    variant = load_variant(id)
    count = deal_count(variant)
    rng = random.Random(id)
    cards = list(bits_of(variant.pack))
    found = np.zeros(64, int)
    for _ in range(6400):
        rng.shuffle(cards)
        size = variant.hand_size
        hands = (sum(1 << b for b in cards[i * size : (i + 1) * size]) for i in range(variant.seats))
        found[deal_number(variant, Deal(tuple(hands))) * 64 // count] += 1
    assert ((found - 100) ** 2 / 100).sum() < 103.44


def test_numbers_that_are_none() -> None:
    count = deal_count(RUSSIAN)
    for bad in (-1, count, True, 1.0):
        with pytest.raises(DealError, match=rf"from 0 to {count - 1} \(russian-14\), got"):
            numbered_deal(RUSSIAN, bad)  # type: ignore[arg-type]
    ending = Deal.of("N:J... A... K... Q...")
    with pytest.raises(DealError, match="expected 4 whole hands of 8 cards"):
        deal_number(RUSSIAN, ending)
    with pytest.raises(DealError, match="expected cards of the pack"):
        deal_number(RUSSIAN, random_deal(load_variant("rifki"), seed=1, number=1))


@pytest.mark.parametrize("id", variant_ids())
def test_the_kernel_deals_the_same_deals(id: str) -> None:
    from kingsolve.simulation import Dealer

    variant = load_variant(id)
    table = Dealer.of(variant)
    first = 2**40 - 3
    found = table.hands(seed=9, first=first, count=40)
    for row, number in zip(found, range(first, first + 40), strict=True):
        dealer = table.dealer(number)
        expected = random_deal(variant, seed=9, number=number, dealer=dealer).hands
        assert tuple(int(hand) for hand in row) == expected


def test_a_word_that_would_not_be_fair_is_passed_over() -> None:
    """With limits lowered to half, the kernel takes the next word as `stream` does."""
    from kingsolve._jit.deals import deal_many
    from kingsolve.dealing import stream

    pack = np.arange(3, dtype=np.int64)
    limits = np.full(4, 2**63, np.uint64)
    out = np.zeros((200, 3), np.int64)
    owners = np.array([1, 2, 3], np.int64)
    reciprocals = np.array([0, 0, 2**63, 2**64 // 3], np.uint64)
    deal_many(pack, owners, limits, reciprocals, 3, 5, 0, np.full(200, 2, np.int64), out)
    for number, row in enumerate(out):
        draw = stream(5, number)

        def fair(n: int, draw=draw) -> int:
            while (word := draw(2**64)) > 2**63:
                pass
            return word % n

        cards = [0, 1, 2]
        for i in (2, 1):
            j = fair(i + 1)
            cards[i], cards[j] = cards[j], cards[i]
        assert [1 << card for card in cards] == row.tolist()
