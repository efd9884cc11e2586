"""Sampling against enumeration: exact counts, every deal once, every deal as often as any other."""

import random
from collections import Counter
from math import comb, factorial, sqrt

import numpy as np
import pytest

import kingsolve as ks
import naive
from consistent import ace_king_queen, any_rules, described, recorded
from kingsolve import sampling
from kingsolve.cards import ALL_CARDS, bits_of, cards_of, mask_of, pack_mask
from kingsolve.knowledge import Knowledge
from kingsolve.sampling import Plan, count, enumerate_deals, sample
from twins import EVERY, generator, label, scaled

RUSSIAN = ks.load_variant("russian-14").contract("no-king")
ALL_52 = pack_mask("2-A")
OWN = "As Ks 9s Qh 7h Td 8d Jc"


def rows(deals: np.ndarray) -> list[tuple[int, ...]]:
    return [tuple(map(int, deal)) for deal in deals]


def limit(freedom: int, z: float = 4.0) -> float:
    """What chi-squared passes once in 30,000 (z = 4), after E. B. Wilson and M. M. Hilferty, 1931."""
    return freedom * (1 - 2 / (9 * freedom) + z * sqrt(2 / (9 * freedom))) ** 3


def chi_squared(deals: np.ndarray, every: list[tuple[int, ...]]) -> float:
    """The statistic of samples against equal chances for `every` deal; each sample must be one of them."""
    seen = Counter(rows(deals))
    assert set(seen) <= set(every)
    expected = len(deals) / len(every)
    return sum((seen[deal] - expected) ** 2 / expected for deal in every)


def check_uniform(k: Knowledge, *, seed: int = 1) -> int:
    """Holds the sampler to all consistent deals, listed slowly; returns how many there are."""
    every = described(k)
    assert count(k) == len(every) == len(set(every))
    assert sorted(rows(enumerate_deals(k))) == sorted(every)
    deals = sample(k, 12 * len(every) + 10, seed=seed)
    if len(every) > 1:
        assert chi_squared(deals, every) < limit(len(every) - 1)
    return len(every)


@pytest.mark.parametrize("contract", EVERY, ids=label)
def test_uniform_over_every_deal(contract: naive.NaiveContract) -> None:
    rng = generator("sampling", label(contract))
    for _ in range(scaled(2)):
        record = recorded(rng, contract, 3, rng.randrange(1, 3 * len(contract.seats)))
        check_uniform(Knowledge.from_round(record, rng.choice(contract.seats)))


def test_uniform_under_any_rules() -> None:
    """First-trick bars, waivers, duties that no variant combines."""
    rng = generator("sampling any rules")
    for _ in range(scaled(40)):
        cards = rng.sample([rank + suit for suit in rng.sample("cdhs", 2) for rank in "789TJQKA"], 12)
        contract = any_rules(rng, mask_of(cards), 3)
        hands = dict(zip("NESW", (cards[i : i + 3] for i in range(0, 12, 3)), strict=True))
        position = ks.Position(contract, hands, leader=rng.choice("NESW"))
        leader, played = position.leader, []
        for _ in range(rng.randrange(8)):
            played.append(rng.choice(position.legal_cards()))
            position.push(played[-1])
        check_uniform(Knowledge.from_round(ks.Round(contract, leader, hands, played), rng.choice("NESW")))


def test_uniform_over_several_worlds() -> None:
    """A K Q or nothing else: the number of deals is that of inclusion and exclusion too."""
    rng = generator("sampling worlds")
    top, spades = mask_of("As Ks Qs"), 0x1FFF << 48
    worlds = 0
    for _ in range(scaled(20)):
        record = ace_king_queen(rng)
        k = Knowledge.from_round(record, "N")
        worlds += len(k.worlds) > 1
        check_uniform(k)
        if len(record.cards) == 1:
            gone = ALL_52 & ~sum(record.deal.hands)
            facts = {"own": cards_of(record.deal.hands[0]), "seen": cards_of(gone), "leader": "E"}
            spots = {"trick": record.cards[0], "broken": True}  # broken: the lead tells nothing by itself
            others = cards_of(ALL_52 & ~spades)
            total = 0
            for sign, holds, lacks in ((1, top, []), (1, 0, others), (-1, top, others)):
                try:
                    case = Knowledge(
                        record.contract,
                        "N",
                        **facts,
                        **spots,
                        holds={"E": cards_of(holds)},
                        lacks={"E": lacks},
                    )
                    total += sign * count(case)
                except ks.KnowledgeError:
                    pass
            assert count(k) == total
    assert worlds


def by_hand(rng: random.Random) -> Knowledge:
    """Facts by hand on an ending of three cards, at random but true of some deal."""
    pack = sorted(ALL_CARDS[rank + suit] for suit in "cdhs" for rank in "789TJQKA")
    left = rng.sample(pack, 12)
    masks = [sum(1 << bit for bit in left[i : i + 3]) for i in range(0, 12, 3)]
    lacks, holds = {}, {}
    for seat, hand in zip("ESW", masks[1:], strict=True):
        others = [bit for bit in left if not hand >> bit & 1]
        lacks[seat] = cards_of(sum(1 << bit for bit in rng.sample(others, rng.randrange(7))))
        if rng.random() < 0.3:
            holds[seat] = cards_of(hand)[:1]
    return Knowledge(
        RUSSIAN, "N", own=cards_of(masks[0]), seen=cards_of(RUSSIAN.pack & ~sum(masks)),
        lacks=lacks, holds=holds,
    )  # fmt: skip


def test_uniform_for_facts_by_hand() -> None:
    """All seven groups of three hidden hands, one and many cells."""
    rng = generator("by hand")
    for _ in range(scaled(80)):
        check_uniform(by_hand(rng))


def test_uniform_with_cells_drawn_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The way of four hidden hands of thirteen, where numbers outgrow 64 bits, on small cases."""
    monkeypatch.setattr(sampling, "MAX_CELLS", 0)
    rng = generator("one by one")
    for _ in range(scaled(8)):
        k = by_hand(rng)
        assert not Plan(k)._listed
        check_uniform(k)


def test_uniform_over_cells_of_a_large_case() -> None:
    """24 hidden cards and three voids: how many hearts, say, each seat gets, against exact numbers."""
    k = Knowledge(RUSSIAN, "N", own=OWN, void={"E": "s", "W": "d"}, lacks={"S": "Kh Ac"})
    deals = sample(k, 40_000, seed=3)
    hearts, clubs = mask_of("Ah Kh Jh Th 9h 8h"), mask_of("Ac Kc Qc Tc 9c 8c 7c")
    plan = Plan(k)
    expected: Counter[tuple[int, ...]] = Counter()
    for world in plan.worlds:
        for cell, number in world.cells(0, world.world.free):
            for part, cards in zip(cell, world.cards, strict=True):
                if sum(1 << bit for bit in cards) == (hearts | clubs) & ~mask_of("Kh Ac"):
                    expected[part] += number
    found = Counter()
    group = (hearts | clubs) & ~mask_of("Kh Ac")
    for deal in rows(deals):
        found[tuple((hand & group).bit_count() for hand in deal)] += 1
    total = sum(expected.values())
    assert total == count(k)
    common = {part: number for part, number in expected.items() if number * 40_000 / total >= 8}
    statistic = sum(
        (found[part] - number * 40_000 / total) ** 2 / (number * 40_000 / total)
        for part, number in common.items()
    )
    assert statistic < limit(len(common))


# --- counts known otherwise ---


def test_counts_known_by_arithmetic() -> None:
    assert count(Knowledge(RUSSIAN, "N", own=OWN)) == factorial(24) // factorial(8) ** 3
    thirteen = ks.load_variant("dealers-choice-20").contract("no-king")
    own = "As Ks 9s 5s Qh 7h 3h Td 8d 4d Jc 6c 2c"
    assert count(Knowledge(thirteen, "N", own=own)) == factorial(39) // factorial(13) ** 3
    three = ks.load_variant("parlett-3").contract("no-king")
    assert count(Knowledge(three, "N", own="As Ks 9s 6s Qh 7h Td 8d 6d Jc 9c 8c")) == comb(24, 12)
    trumps = ks.load_variant("full-king").contract("trumps-s")
    named = Knowledge(trumps, "E", own="As Ks 7h", sizes=8)
    assert count(named) == factorial(29) // (factorial(5) * factorial(8) ** 3)


def test_four_hidden_hands_of_thirteen() -> None:
    """More deals than 64 bits can number; each hidden card is with each seat as often as its room says."""
    thirteen = ks.load_variant("dealers-choice-20").contract("no-king")
    k = Knowledge(thirteen, "N", own=[], sizes=13)
    assert count(k) == factorial(52) // factorial(13) ** 4 > 2**64
    k = Knowledge(thirteen, "N", own="As Ks 7h", sizes=13, void={"E": "h"})
    assert count(k) > 2**64
    deals = sample(k, 3000, seed=5)
    assert {tuple(hand.bit_count() for hand in deal) for deal in rows(deals)} == {(13,) * 4}
    for deal in rows(deals):
        assert deal[0] & mask_of("As Ks 7h") == mask_of("As Ks 7h")
        assert not deal[1] & mask_of(["2h", "Ah", "Kh"])
        assert sum(deal) == thirteen.pack
    clubs = np.bitwise_count(deals[:, 1] & np.uint64(0x1FFF)).mean()
    # E's 13 cards come from the 37 that are no hearts, of them 13 clubs.
    assert abs(clubs - 13 * 13 / 37) < 5 * 1.4 / sqrt(3000)


def test_the_example_of_the_page() -> None:
    """The first example of docs/single-dummy.md."""
    k = Knowledge.from_round(ks.Round(RUSSIAN, "S", "N:AK.AQ.AK.AK - - -", "7s 8h"), "N")
    assert (k.owners("Kh"), count(k)) == ("ES", 73616400)


# --- the same for anybody ---


def test_a_sample_is_a_function_of_seed_and_number() -> None:
    for k in (Knowledge(RUSSIAN, "N", own=OWN), by_hand(generator("function"))):
        whole = sample(k, 40_000, seed=7)
        assert (sample(k, 40_000, seed=7, jobs=2) == whole).all()
        parts = [sample(k, size, seed=7, start=at) for at, size in ((0, 1), (1, 12_345), (12_346, 27_654))]
        assert (np.concatenate(parts) == whole).all()
        assert (sample(k, 100, seed=8) != whole[:100]).any()


def test_a_sample_drawn_one_by_one_is_one_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "MAX_CELLS", 0)
    k = by_hand(generator("one by one too"))
    whole = sample(k, 300, seed=7)
    assert (sample(k, 200, seed=7, start=100) == whole[100:]).all()


def test_the_true_deal_leaves_no_trace() -> None:
    """Two deals that look the same from one seat give the same samples, card by card."""
    no_queens = ks.load_variant("russian-14").contract("no-queens")
    own = "QJ.A98.A.T7"
    one = ks.Round(no_queens, "E", f"N:{own} T.KJT7.J8.Q AK9..KT.AK9 87.Q.Q97.J8", "Ts")
    rest = [bit for bit in bits_of(no_queens.pack) if not one.deal.hands[0] >> bit & 1]
    rng = generator("no trace")
    rest.remove(ALL_CARDS["Ts"])
    for _ in range(5):
        rng.shuffle(rest)
        hands = [one.deal.hands[0]]
        hands += [sum(1 << bit for bit in [*rest[:7], ALL_CARDS["Ts"]])]
        hands += [sum(1 << bit for bit in rest[7:15]), sum(1 << bit for bit in rest[15:])]
        other = ks.Round(no_queens, "E", ks.Deal(tuple(hands)), "Ts")
        first, second = (Knowledge.from_round(record, "N") for record in (one, other))
        assert (sample(first, 500, seed=2) == sample(second, 500, seed=2)).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": 0, "seed": 1}, "expected samples from 1 to"),
        ({"n": -3, "seed": 1}, "expected samples from 1 to"),
        ({"n": 1, "seed": -1}, "expected a seed from 0 to"),
        ({"n": 1, "seed": 2**64}, "expected a seed from 0 to"),
        ({"n": 1, "seed": 1, "start": -1}, "expected a first sample from 0 to"),
        ({"n": 1, "seed": 1, "jobs": 0}, "expected jobs from 1 to"),
    ],
)
def test_bad_numbers(arguments: dict, message: str) -> None:
    with pytest.raises(ks.KingError, match=message):
        sample(Knowledge(RUSSIAN, "N", own=OWN), **arguments)


def test_too_many_to_list() -> None:
    with pytest.raises(ks.KingError, match="expected at most 1000 consistent deals to list, got 9465511770"):
        enumerate_deals(Knowledge(RUSSIAN, "N", own=OWN), limit=1000)
