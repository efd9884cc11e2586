"""Advice: exact answers against every consistent deal, statistics against arithmetic, and what cannot be
asked."""

import random
import time
from fractions import Fraction
from math import isnan

import numpy as np
import pytest

import kingsolve as ks
from consistent import described
from kingsolve._deduction import best_of
from kingsolve._jit.policies import BRIEF, NAMES, choose, make_brief
from kingsolve._jit.rng import STATE_WORDS
from kingsolve.advice import (
    Advice,
    Terms,
    _kinds,
    advise,
    advise_card,
    advise_choice,
    analyze_hand,
    position_of,
)
from kingsolve.advisor import EXACT_DEALS, FIRST_LOOK, Advisor, default_value
from kingsolve.cards import ALL_CARDS, cards_of, mask_of
from kingsolve.knowledge import Knowledge
from kingsolve.players.playout import effective_size, playout_values, weights
from kingsolve.sampling import enumerate_deals, sample
from kingsolve.solver import card_order
from twins import EVERY, generator, label, twin

RUSSIAN = ks.load_variant("russian-14")
QUEENS = RUSSIAN.contract("no-queens")
OWN = "Ts Kh Jh Th 7h Jd 8d Qc"
OWN_13 = "As Ks 9s 5s Qh 7h 3h Td 8d 4d Jc 6c 2c"


def at_the_start(contract: ks.Contract = QUEENS, own: str = OWN) -> Knowledge:
    return Knowledge(contract, "E", own=own, leader="E")


def ending(rng: random.Random, contract: ks.Contract, cards: int) -> Knowledge:
    """What the seat on turn knows in an ending reached by random legal play from a whole deal."""
    while True:
        variant = ks.load_variant(contract.variant)
        deal = ks.random_deal(variant, seed=rng.randrange(1 << 30), number=0, dealer="N")
        position = ks.Position(contract, deal, leader=rng.choice(contract.seat_names))
        leader, played = position.leader, []
        for _ in range((contract.hand_size - cards) * contract.seats + rng.randrange(contract.seats)):
            if position.is_over:
                break
            played.append(rng.choice(position.legal_cards()))
            position.push(played[-1])
        k = Knowledge.from_round(ks.Round(contract, leader, deal, played), position.turn)
        if not position.is_over and 1 < ks.count(k) <= 300:
            return k


def worth(position: ks.Position, value: str, seat: int) -> Fraction:
    name = "NESW"[seat]
    if value == "maxn":
        return Fraction(ks.maxn(position)[seat])
    return Fraction(ks.guarantee(position, name)) if value == "guarantee" else ks.shapley(position)[seat]


@pytest.mark.parametrize("contract", EVERY[::3], ids=label)
def test_exact_means_are_those_of_every_deal(contract) -> None:
    rng = generator("advice", label(contract))
    value = rng.choice(("maxn", "guarantee", "shapley"))
    k = ending(rng, twin(contract), 2)
    advice = analyze_hand(k, value=value)
    deals = described(k)
    seat = "NESW".index(k.seat)
    table: dict[str, list[Fraction]] = {}
    for deal in deals:
        position = position_of(k, deal)
        for card in position.legal_cards():
            after = position.copy()
            after.push(card)
            banked = after.banked[seat] - position.banked[seat]
            table.setdefault(card, []).append(banked + worth(after, value, seat))
    assert (advice.status, advice.exact, advice.samples, advice.consistent) == (
        "exact",
        True,
        *[len(deals)] * 2,
    )
    assert {option.name for option in advice.options} == set(table)
    top = [max(column) for column in zip(*table.values(), strict=True)]
    means = {card: sum(values) / len(deals) for card, values in table.items()}
    for option in advice.options:
        values = table[option.name]
        assert option.mean == pytest.approx(float(means[option.name]))
        assert (option.error, option.behind_error) == (0, 0)
        assert option.best == pytest.approx(sum(map(Fraction.__eq__, values, top)) / len(deals))
        assert option.behind == pytest.approx(float(max(means.values()) - means[option.name]))
    assert [option.behind for option in advice.options] == sorted(option.behind for option in advice.options)


@pytest.mark.parametrize("name", ["no-queens", "tricks", "no-last-two"])
def test_playouts_of_a_card_are_playouts_after_it(name: str) -> None:
    rng = generator("playouts", name)
    for _ in range(10):
        k = (
            ending(rng, RUSSIAN.contract(name), 4)
            if rng.random() < 0.5
            else at_the_start(RUSSIAN.contract(name))
        )
        deals = sample(k, 20, seed=1)
        position = position_of(k, deals[0])
        cards = position.legal_cards()
        lying = [ALL_CARDS[card] for card in k.trick]
        seen = k.seen & ~sum(1 << bit for bit in lying)
        seat = "NESW".index(k.seat)
        found = playout_values(
            deals, k.contract, leader=k.leader, trick=lying, seen=seen, broken=k.broken, seat=k.seat,
            cards=[ALL_CARDS[card] for card in cards], jobs=2,
        )  # fmt: skip
        for row, deal in enumerate(deals):
            for column, card in enumerate(cards):
                after = position_of(k, deal)
                after.push(card)
                left = np.array([after.masks], np.uint64)
                table = [ALL_CARDS[name] for name in after.trick]
                gone = k.contract.pack & ~sum(after.masks) & ~sum(1 << bit for bit in table)
                rest = playout_values(
                    left, k.contract, leader=after.leader, trick=table, seen=gone, broken=after.broken,
                    seat=k.seat,
                )  # fmt: skip
                assert found[row, column] == after.banked[seat] + rest[0, 0]


def test_the_points_of_a_playout_are_all_points() -> None:
    rifki = ks.load_variant("rifki").contract("no-hearts")
    deals = sample(Knowledge(rifki, "N", own=OWN_13), 50, seed=3)
    totals = sum(playout_values(deals, rifki, leader="W", seat=seat) for seat in "NESW")
    assert (totals == rifki.total).all()


# --- reproducible ---


@pytest.mark.parametrize("value", ["maxn", "playout", "shapley"])
def test_threads_do_not_change_the_answer(value: str) -> None:
    k = ending(generator("threads"), QUEENS, 5) if value == "shapley" else at_the_start()
    samples = {"maxn": 24, "playout": 3000, "shapley": 40}[value]
    one, two = (analyze_hand(k, value=value, samples=samples, seed=4, jobs=jobs) for jobs in (1, 2))
    assert one == two
    assert one.seed == 4
    assert analyze_hand(k, value=value, samples=samples, seed=5) != one or one.exact


def test_more_samples_begin_with_the_same() -> None:
    """The first deals are the same, so a longer run is a refinement."""
    k = at_the_start()
    short = analyze_hand(k, value="playout", samples=100, seed=4)
    job = advise_card(k, Terms(value="playout", samples=5000, seed=4, confidence=0.999999))
    job.step()
    assert job.done > 100
    assert short.samples == 100
    assert short.status == "samples"


# --- when it stops ---


class Fixed:
    """An evaluator of given columns, and the advisor over them."""

    def __init__(self, *columns: np.ndarray, kinds: list[int] | None = None, **terms) -> None:
        self.columns = np.stack(columns, axis=1).astype(np.int32)
        self.at = 0
        names = tuple("abcdefgh"[: len(columns)])
        self.job = Advisor(
            "card",
            names,
            at_the_start(),
            self,
            variant="v",
            contract=QUEENS,
            value="maxn",
            terms=Terms(**terms),
            kinds=kinds,
        )

    def __call__(self, deals: np.ndarray, until: float | None) -> np.ndarray:
        rows = self.columns[self.at : self.at + len(deals)]
        self.at += len(deals)
        return rows


def test_the_statistics() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.integers(-8, 1, 50), rng.integers(-9, 0, 50)
    advice = Fixed(a, b, samples=50).job.run()
    best, other = (a, b) if a.mean() >= b.mean() else (b, a)
    first, second = advice.options
    assert first.mean == pytest.approx(best.mean())
    assert first.error == pytest.approx(best.std(ddof=1) / 50**0.5)
    assert second.behind == pytest.approx((best - other).mean())
    assert second.behind_error == pytest.approx((best - other).std(ddof=1) / 50**0.5)
    assert first.best == pytest.approx((best >= other).mean())
    assert (first.behind, first.behind_error, advice.status, advice.effective) == (0, 0, "samples", 50)


def test_no_end_of_time() -> None:
    advice = analyze_hand(at_the_start(), value="playout", samples=50, seconds=float("inf"))
    assert (advice.status, advice.samples) == ("samples", 50)


def test_one_deal_alone_has_no_error() -> None:
    for policy in (None, "careful"):
        (first, second) = Fixed(np.array([-4]), np.array([-8]), samples=1, policy=policy).job.run().options
        assert (first.mean, second.behind) == (-4, 4)
        assert isnan(first.error)
        assert isnan(second.behind_error)


def test_it_stops_when_one_is_clearly_best() -> None:
    rng = np.random.default_rng(1)
    noise = rng.integers(-3, 4, 512)
    job = Fixed(noise, noise - 1 - rng.integers(0, 2, 512), noise, kinds=[0, 1, 0]).job  # c is as good as a
    advice = job.run()
    assert (advice.status, advice.samples) == ("separated", FIRST_LOOK["maxn"])
    assert [option.name for option in advice.options] == ["a", "c", "b"]
    assert (advice.options[1].behind, advice.options[1].behind_error) == (0, 0)


def test_it_goes_on_while_it_is_not_clear() -> None:
    rng = np.random.default_rng(1)
    advice = Fixed(rng.integers(-9, 1, 512), rng.integers(-9, 1, 512)).job.run()
    assert (advice.status, advice.samples) == ("samples", 512)


def test_it_goes_on_while_one_has_not_differed_yet() -> None:
    """What costs -16 in one deal of a hundred is often not seen in 64: that is no reason to stop."""
    rng = np.random.default_rng(1)
    sure, rare = np.zeros(512), np.zeros(512)
    rare[rng.integers(100, 512, 5)] = -16
    assert Fixed(sure, rare).job.run().status == "samples"
    assert Fixed(sure, sure, sure).job.run().status == "samples"
    assert Fixed(sure, sure, sure, kinds=[3, 3, 3]).job.run().status == "separated"


def test_cards_that_are_the_same_for_play() -> None:
    """Neighbours in the hand, unless they score or bind differently or one between them lies elsewhere."""

    def same(contract: ks.Contract, own: str, **facts) -> list[str]:
        k = Knowledge(contract, "N", own=own, **facts)
        cards = position_of(k, sample(k, 1, seed=1)[0]).legal_cards()
        groups: dict[int, list[str]] = {}
        for card, kind in zip(cards, _kinds(k, cards), strict=True):
            groups.setdefault(kind, []).append(card)
        return sorted(" ".join(sorted(group)) for group in groups.values() if len(group) > 1)

    own = "Ks Qs Js Ts 8s 7s 9h 8h"
    assert same(RUSSIAN.contract("no-tricks"), own) == ["7s 8s", "8h 9h", "Js Ks Qs Ts"]
    assert same(QUEENS, own) == ["7s 8s", "8h 9h", "Js Ts"]
    assert same(RUSSIAN.contract("tricks"), "Ks Js Ts 7s 7h", leader="W", trick="Qs",
                seen="As 9s 8s Ah Kh Qh Jh Th 9h 8h Ad Kd", broken=True) == ["7s Js Ts"]  # fmt: skip
    thirteen = ks.load_variant("dealers-choice-20").contract("trumps-s")
    deals = "As Ks Qs Js 9s 2s 3s 2h 3h 5d 7d 9d Jd"
    assert same(thirteen, deals) == ["2h 3h"]  # no trump is led on the first trick


@pytest.mark.parametrize("value", ["guarantee", "shapley"])
def test_the_same_for_play_are_worth_the_same(value: str) -> None:
    """In every deal of random endings, for contracts of every kind."""
    rng = generator("same for play", value)
    met = 0
    for contract in EVERY[::5]:
        k = ending(rng, twin(contract), 3)
        means: dict[int, set[float]] = {}
        advice = analyze_hand(k, value=value)
        cards = [option.name for option in advice.options]
        for option, kind in zip(advice.options, _kinds(k, cards), strict=True):
            means.setdefault(kind, set()).add(round(option.mean, 9))
        met += len(means) < len(cards)
        assert all(len(found) == 1 for found in means.values())
    assert met


def test_equals_are_seldom_told_apart() -> None:
    """Two options of equal worth: at 95 % no more than about 5 % of runs may call one better, looks
    counted."""
    rng = np.random.default_rng(2)
    runs = [Fixed(rng.integers(-9, 1, 512), rng.integers(-9, 1, 512)).job.run().status for _ in range(200)]
    assert runs.count("separated") <= 14


def test_one_card_only() -> None:
    k = Knowledge(QUEENS, "N", own="As", seen=cards_of(QUEENS.pack & ~mask_of("As Kd Qd Jd")), leader="N")
    advice = analyze_hand(k)
    assert [option.name for option in advice.options] == ["As"]
    assert advice.status == "exact"


def test_seconds() -> None:
    advice = analyze_hand(at_the_start(), value="playout", seconds=0.05, confidence=0.99999999)
    assert advice.status in ("time", "separated")
    assert advice.samples >= 1


@pytest.mark.parametrize("jobs", [1, 2])
def test_seconds_end_a_long_solve(jobs: int) -> None:
    """Whole 52-card deals are not solved: time ends the search, and what there is are the first deals."""
    began = time.monotonic()
    trumps = ks.load_variant("dealers-choice-20").contract("trumps-s")
    whole = Knowledge(trumps, "N", own=OWN_13, leader="N")
    with pytest.raises(ks.KingError, match=r"expected time to value one deal by guarantee, got 0.3 s: more"):
        analyze_hand(whole, value="guarantee", seconds=0.3, jobs=jobs)
    assert time.monotonic() - began < 10
    k = at_the_start()
    sure = 1 - 2**-52  # never separated in half a second
    advice = analyze_hand(k, value="guarantee", seconds=0.5, jobs=jobs, seed=3, confidence=sure)
    assert advice.status == "time"
    again = analyze_hand(k, value="guarantee", samples=advice.samples, seed=3, confidence=sure)
    assert advice.options == again.options
    variant, left = ks.load_variant("king-1993"), {"no-queens": 1, "no-king": 1}
    choice = advise(variant, OWN, value="maxn", seconds=1.5, jobs=jobs, seed=3, left=left)
    assert choice.status == "time"
    valued = advise(variant, OWN, value="maxn", samples=choice.samples, seed=3, left=left)
    assert choice.options == valued.options


def test_a_confidence_next_to_one() -> None:
    """Its doubt, spread over many comparisons and looks, is less than what 1 can be less than itself."""
    advice = analyze_hand(at_the_start(), value="playout", samples=4096, seed=1, confidence=1 - 2**-52)
    assert advice.status in ("samples", "separated")


def test_interrupted() -> None:
    job = advise_card(at_the_start(), Terms(value="playout"))
    assert job.interrupt() is None
    job = advise_card(at_the_start(), Terms(value="playout"))
    job.step()
    advice = job.interrupt()
    assert isinstance(advice, Advice)
    assert (advice.status, advice.samples) == ("interrupted", job.done)


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    analyze_hand(at_the_start(), value="playout", samples=2500, progress=lambda *at: told.append(at))
    assert told[-1][1] == 2500
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_few_deals_are_all_valued() -> None:
    k = ending(generator("few"), QUEENS, 2)
    assert ks.count(k) <= EXACT_DEALS
    advice = analyze_hand(k, samples=1)
    assert (advice.exact, advice.samples) == (True, len(enumerate_deals(k)))


# --- the evaluator ---


def test_the_default_evaluator() -> None:
    four, three = RUSSIAN.contract, ks.load_variant("parlett-3").contract
    thirteen = ks.load_variant("dealers-choice-20").contract("no-hearts")
    asked = [
        (four("no-queens"), 8), (four("queens"), 8), (four("queens"), 7), (thirteen, 13), (thirteen, 8),
        (three("no-hearts"), 12), (three("no-hearts"), 9), (three("hearts"), 9),
    ]  # fmt: skip
    found = [default_value(contract, cards) for contract, cards in asked]
    assert found == ["maxn", "playout", "maxn", "playout", "maxn", "playout", "maxn", "playout"]
    advice = analyze_hand(at_the_start(four("queens")), samples=64)
    assert (advice.value, advice.by_rule) == ("playout", True)
    assert not analyze_hand(at_the_start(four("queens")), samples=64, value="playout").by_rule


# --- weights ---


def test_weights() -> None:
    """E threw the ace of clubs on S's trick: with a queen in hand the policy would have thrown that."""
    record = ks.Round(QUEENS, "S", "N:AKQ.AK.87.7 - - -", "Ad 9d 7d Ac")
    k = Knowledge.from_round(record, "N")
    assert k.reasons()[0].text == "E did not follow diamonds on trick 1: E holds no diamonds"
    deals = sample(k, 500, seed=1)
    chances = weights(k, deals)
    assert chances.sum() == pytest.approx(1)
    with_queen = (deals[:, 1] & np.uint64(mask_of("Qh Qc"))) != 0
    assert chances[with_queen].mean() < chances[~with_queen].mean() / 2
    assert 1 < effective_size(chances) < 500
    plain, weighted = (
        analyze_hand(turned(k), value="playout", samples=500, policy=p) for p in (None, "careful")
    )
    assert plain.effective == 500 > weighted.effective > 1
    assert weighted.policy == "careful"
    with pytest.raises(ks.KingError, match="expected a slip above 0"):
        weights(k, deals, slip=0)


@pytest.mark.parametrize("name", ["russian-14/no-hearts", "rifki/trumps-s", "parlett-3/men"])
def test_weights_are_those_of_the_cards_one_by_one(name: str) -> None:
    """The product over the others' cards, each position rebuilt, the policy asked with what its seat sees."""
    variant, contract_name = name.split("/")
    contract = ks.load_variant(variant).contract(contract_name)
    rng = generator("weights", name)
    deal = ks.random_deal(ks.load_variant(variant), seed=3, number=1, dealer="N")
    position = ks.Position(contract, deal, leader="E")
    played = []
    for _ in range(3 * contract.seats + 1):
        played.append(rng.choice(position.legal_cards()))
        position.push(played[-1])
    record = ks.Round(contract, "E", deal, played)
    k = Knowledge.from_round(record, "S")
    deals = sample(k, 40, seed=1)
    gone = sum(1 << ALL_CARDS[card] for card in played)
    likely = []
    for hands in deals:
        mine = [int(now) | (whole & gone) for now, whole in zip(hands, deal.hands, strict=True)]
        at, chance = ks.Position(contract, ks.Deal(tuple(mine)), leader="E"), 1.0
        seen = 0
        for card in played:
            legal = at.legal_cards()
            if at.turn != "S" and len(legal) > 1:
                asked = policy_card(at, seen)
                hand, bit = at.masks["NESW".index(at.turn)], ALL_CARDS[card]
                low, high = sorted((asked, bit))
                between = sum(1 << other for other in range(low + 1, high)) & contract.pack
                same = asked >> 4 == bit >> 4 and not between & ~(hand | seen)
                points = contract.cards_points(1 << asked) == contract.cards_points(1 << bit)
                chance *= 0.75 * (asked == bit or (same and points)) + 0.25 / len(legal)
            at.push(card)
            seen |= 1 << ALL_CARDS[card]
        likely.append(chance)
    assert weights(k, deals) == pytest.approx(np.array(likely) / sum(likely))


def policy_card(at: ks.Position, seen: int) -> int:
    """The careful policy's card for the seat to play, as a bit number; `seen` are all cards played before."""
    record, brief = at.contract.record[()], np.zeros(BRIEF, np.int32)
    make_brief(record, brief)
    lying = [ALL_CARDS[card] for card in at.trick]
    led = 0x1FFF << (lying[0] & 48) if lying else 0
    best = lying[best_of(tuple(lying), at.contract.trump)] if lying else -1
    return choose(
        NAMES.index("careful"), record, brief, at.masks["NESW".index(at.turn)],
        mask_of(at.legal_cards()), led, sum(1 << bit for bit in lying), best,
        at.contract.seats - 1 - len(lying), seen, at.place, np.zeros(STATE_WORDS, np.uint64),
    )  # fmt: skip


def turned(k: Knowledge) -> Knowledge:
    """The same round a trick on, N to play."""
    record = ks.Round(QUEENS, "S", "N:AKQ.AK.87.7 - - -", "Ad 9d 7d Ac Kc 8c")
    return Knowledge.from_round(record, "N")


# --- what the average leaves out: the ending of docs/single-dummy.md ---


def best_reply(position: ks.Position) -> str:
    """The card of the seat to play under max^n, ties by card order."""
    seat = "NESW".index(position.turn)
    cards = sorted(position.legal_cards(), key=lambda card: card_order(position, card))

    def gets(card: str) -> int:
        after = position.copy()
        after.push(card)
        return after.banked[seat] - position.banked[seat] + ks.maxn(after)[seat]

    return max(cards, key=gets)


def really(deals: list[ks.Position], card: str) -> int:
    """The sum over the deals of what N gets on playing `card`, when it cannot tell them apart but by what it
    sees.

    The others play by max^n with all hands seen, as the evaluator has it.
    """
    total, groups = 0, {}
    for deal in deals:
        at = deal.copy()
        before, seen = at.banked[0], []
        at.push(card)
        while not at.is_over and at.turn != "N":
            seen.append(best_reply(at))
            at.push(seen[-1])
        total += at.banked[0] - before
        if not at.is_over:
            groups.setdefault(tuple(seen), []).append(at)
    return total + sum(
        max(really(group, other) for other in group[0].legal_cards()) for group in groups.values()
    )


def test_an_average_that_errs() -> None:
    """9H puts off a guess: +4 in each deal by itself, +2 to who must choose without knowing which deal it
    is."""
    queens = RUSSIAN.contract("queens")
    live = "9h Kd Qc Td Tc 8c Ac 7c Jc Qd Th 7h".split()
    k = Knowledge(
        queens, "N", own="9h Kd Qc", seen=[card for card in cards_of(queens.pack) if card not in live],
        leader="N", holds={"E": "Td Tc 8c", "S": "Ac 7c", "W": "Th 7h"},
    )  # fmt: skip
    advice = analyze_hand(k)
    assert advice.exact
    assert [(option.name, option.mean) for option in advice.options] == [("9h", 4), ("Kd", 4), ("Qc", 2)]
    deals = [position_of(k, deal) for deal in enumerate_deals(k)]
    assert {card: really(deals, card) / 2 for card in ("9h", "Kd", "Qc")} == {"9h": 2, "Kd": 4, "Qc": 2}


# --- choosing ---


def test_contracts() -> None:
    variant = ks.load_variant("dealers-choice-20")
    advice = advise(variant, OWN_13, samples=300, seed=1)
    assert (advice.kind, advice.seat, advice.value, advice.contract) == ("contract", "N", "playout", None)
    assert {option.name for option in advice.options} == set(variant.contracts)
    left = advise(variant, OWN_13, samples=300, seed=1, left={"no-king": 1, "trumps-s": 2, "no-men": 0})
    assert {option.name for option in left.options} == {"no-king", "trumps-s"}
    means = {option.name: option.mean for option in advice.options}
    assert all(option.mean == means[option.name] for option in left.options)
    king = next(option for option in advice.options if option.name == "no-king")
    assert king.over_share == pytest.approx(king.mean + 80)


def test_the_chooser_leads() -> None:
    """Its value is that of a whole round it leads, over the same deals."""
    variant = ks.load_variant("king-1993")
    advice = advise(variant, OWN, samples=64, seed=1, left={"no-queens": 1}, value="maxn")
    queens = variant.contract("no-queens")
    k = Knowledge(queens, "N", own=OWN, leader="N")
    values = ks.solve_many(sample(k, 64, seed=1), queens, leader=0, concept="maxn")
    assert advice.options[0].mean == pytest.approx(values[:, 0].mean())


def test_trumps() -> None:
    advice = advise(ks.load_variant("full-king"), "As Ks 7h", samples=4000, seed=1)
    assert (advice.kind, advice.own, advice.value) == ("trump", ("As", "Ks", "7h"), "playout")
    assert advice.options[0].name in ("trumps-s", "trumps-nt")
    assert {option.name for option in advice.options} == {
        f"trumps-{suit}" for suit in ("s", "h", "d", "c", "nt")
    }


@pytest.mark.parametrize(
    ("variant", "hand", "left", "message"),
    [
        ("dealers-choice-20", "As Ks", None, "expected a hand of 13 cards (dealers-choice-20), got 2"),
        ("full-king", "As Ks", None, "expected the first 3 cards (full-king), got 2"),
        ("full-king", "As Ks 2h", None, "expected cards of the pack (7-A), got '2h'"),
        ("full-king", "As As 7h", None, "expected each card once, got 'As' twice"),
        ("russian-14", OWN, None, "expected a variant in which a contract is chosen, got 'russian-14'"),
        ("dealers-choice-20", OWN_13, {"no-king": 3}, "expected 0 to 2 left of 'no-king'"),
        ("dealers-choice-20", OWN_13, {"no-king": -1}, "expected 0 to 2 left of 'no-king'"),
        ("rifki", OWN_13, {"trumps-s": 9}, "expected 0 to 8 left of 'trumps-s' (rifki), got 9"),
        (
            "rifki",
            OWN_13,
            {"trumps-s": 5, "trumps-h": 4},
            "expected at most 8 left of trumps-s trumps-h together (rifki), got 9",
        ),
        ("full-king", "As Ks 7h", {"trumps-s": 9}, "expected 0 to 8 left of 'trumps-s' (full-king), got 9"),
        ("king-1993", OWN, {"no-king": 5}, "expected 0 to 4 left of 'no-king'"),
        ("dealers-choice-20", OWN_13, {"eralash": 1}, "expected a contract that is chosen in"),
        (
            "dealers-choice-20",
            OWN_13,
            {"no-king": 0},
            "expected at least one contract left to choose, got none",
        ),
    ],
)
def test_choices_that_cannot_be(variant: str, hand: str, left: dict | None, message: str) -> None:
    with pytest.raises(ks.KingError) as caught:
        advise(ks.load_variant(variant), hand, left=left)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        ({"samples": 0}, "expected samples of at least 1, got 0"),
        ({"seconds": 0}, "expected seconds above 0, got 0"),
        ({"seed": -1}, "expected a seed from 0 to"),
        ({"confidence": 1}, "expected a confidence from 0.5 to below 1"),
        ({"jobs": 0}, "expected jobs of at least 1"),
        ({"value": "best"}, "expected a value, one of maxn guarantee shapley playout, got 'best'"),
        ({"policy": "best"}, "expected a policy, one of random careful normal easy, got 'best'"),
    ],
)
def test_terms_that_cannot_be(terms: dict, message: str) -> None:
    with pytest.raises(ks.KingError, match=message):
        analyze_hand(at_the_start(), **terms)


def test_not_on_turn() -> None:
    with pytest.raises(ks.KnowledgeError, match="expected N to be the seat to play, got E on turn"):
        analyze_hand(Knowledge(QUEENS, "N", own=OWN, leader="E"))
    part = Knowledge(QUEENS, "N", own="As Ks 7h", sizes=8, leader="N")
    with pytest.raises(ks.KnowledgeError, match="expected the whole hand of N"):
        analyze_hand(part)


def test_a_deal_that_is_led_by_another() -> None:
    """A user's variant in which the dealer chooses and eldest leads: the seat after the chooser."""
    from dataclasses import replace

    variant = replace(ks.load_variant("king-1993"), first_lead="left-of-dealer")
    assert variant.plan is not None
    dealer = replace(variant, plan=replace(variant.plan, chooser="dealer"))
    job = advise_choice(dealer, OWN, Terms(samples=64, value="maxn", seed=2), left={"no-queens": 1})
    queens = variant.contract("no-queens")
    deals = sample(Knowledge(queens, "N", own=OWN, leader="N"), 64, seed=2)
    values = ks.solve_many(deals, queens, leader=1, concept="maxn")
    assert job.run().options[0].mean == pytest.approx(values[:, 0].mean())
