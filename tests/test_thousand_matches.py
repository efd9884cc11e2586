"""A thousand random full matches of every variant, played by `easy` and `normal`: every card legal, every
round as long as it should be, every match whole."""

from collections import Counter

import numpy as np
import pytest

import kingsolve as ks
from kingsolve.cards import SEATS
from kingsolve.players import load_player
from kingsolve.players.quick import quick_match
from legal_rounds import replayed

MATCHES = 1000
VARIANTS = ks.variant_ids()
LINEUPS = (
    "easy normal easy normal",
    "normal easy easy normal",
    "normal normal normal normal",
    "easy easy easy easy",
)


def check_quotas(match: ks.Match) -> None:
    """Every round has a contract that was open, and filled quotas are full and no fuller."""
    plan = match.plan
    names = [result.contract.name for result in match.results]
    assert len(names) == plan.rounds
    if plan.order:
        assert all(name in among for name, among in zip(names, plan.order, strict=True))
        return
    by_chooser = Counter((result.chooser, result.contract.name) for result in match.results)
    for quota in plan.quotas:
        count = sum(names.count(name) for name in quota.of)
        assert count <= quota.capacity(match.variant.seats)
        for name in quota.of:
            assert quota.each is None or names.count(name) <= quota.each
        for seat in match.variant.seat_names:
            mine = {name: by_chooser[seat, name] for name in quota.of}
            assert quota.per_seat is None or sum(mine.values()) <= quota.per_seat
            assert quota.per_seat_each is None or max(mine.values()) <= quota.per_seat_each
    if sum(quota.capacity(match.variant.seats) for quota in plan.quotas) == plan.rounds:
        for quota in plan.quotas:
            assert sum(names.count(name) for name in quota.of) == quota.capacity(match.variant.seats)


@pytest.mark.parametrize("id", VARIANTS)
def test_a_thousand_matches(id: str) -> None:
    variant = ks.load_variant(id)
    seats = variant.seats
    lineups = [
        {
            seat: load_player(name, seed=11)
            for seat, name in zip(variant.seat_names, names.split(), strict=False)
        }
        for names in LINEUPS
    ]
    played: dict[str, list[tuple[list[int], int, list[int], tuple[int, ...]]]] = {}
    for number in range(MATCHES):
        match = ks.Match(variant, seed=number)
        logs = []
        quick_match(
            match, lineups[number % len(lineups)],
            told=lambda contract, deal, leader, log, logs=logs: logs.append(  # type: ignore[misc]
                (contract.name, [hand or 0 for hand in deal.hands], SEATS.index(leader), log.tolist())
            ),
        )  # fmt: skip
        assert match.is_over
        check_quotas(match)
        assert variant.match_total is None or sum(match.totals) == variant.match_total
        for (name, hands, leader, log), scores in zip(logs, match.scores, strict=True):
            played.setdefault(name, []).append((hands, leader, log, scores))
    assert set(played) == set(variant.contracts)
    for name, rounds in played.items():
        contract = variant.contract(name)
        cards = np.full((len(rounds), seats * contract.hand_size), -1, np.int64)
        for row, (_, _, log, _) in enumerate(rounds):
            cards[row, : len(log)] = log
        hands, leaders = np.array([one[0] for one in rounds]), np.array([one[1] for one in rounds])
        points = replayed(contract, hands, leaders, cards)
        assert points.tolist() == [list(scores) for _, _, _, scores in rounds]
        assert (points.sum(axis=1) == contract.total).all()


@pytest.mark.parametrize("id", VARIANTS)
def test_the_check_finds_faults(id: str) -> None:
    """A card exchanged for another of the same hand is found where `Position` finds it, and nowhere else."""
    variant = ks.load_variant(id)
    players = {seat: load_player("normal", seed=1) for seat in variant.seat_names}
    match = ks.Match(variant, seed=1)
    rounds = []
    quick_match(match, players, told=lambda *one: rounds.append(one))
    rng = np.random.default_rng(5)
    found = 0
    for contract, deal, leader, log in rounds[:14]:
        for _ in range(6):
            cards = log.tolist()
            at = ks.Round(contract, leader, deal, map(ks.cards.card_name, cards))
            i = int(rng.integers(len(cards)))
            hand = at.position(i).masks[SEATS.index(at.position(i).turn)]
            other = int(rng.choice(list(ks.cards.bits_of(hand))))
            if other in cards[i:]:
                j = cards.index(other)
                cards[i], cards[j] = cards[j], cards[i]
            else:
                cards[i] = other
            tried = np.full((1, variant.seats * contract.hand_size), -1, np.int64)
            tried[0, : len(cards)] = cards
            hands = np.array([[one or 0 for one in deal.hands]])
            try:
                end = ks.Round(contract, leader, deal, map(ks.cards.card_name, cards)).position()
                legal = end.is_over and not _over_before(contract, leader, deal, cards)
            except ks.IllegalCard:
                legal = False
            try:
                points = replayed(contract, hands, np.array([SEATS.index(leader)]), tried)
            except AssertionError:
                assert not legal
                found += 1
            else:
                assert legal
                assert points[0].tolist() == list(end.banked)
    assert found


def _over_before(contract: ks.Contract, leader: str, deal: ks.Deal, cards: list[int]) -> bool:
    """Whether the round was over before its last card."""
    record = ks.Round(contract, leader, deal, map(ks.cards.card_name, cards))
    return any(record.position(after).is_over for after in range(1, len(cards)))
