"""The variant files against the oracle's independent reading of the same rules (tests/naive.py)."""

import pytest

import naive
from kingsolve.cards import cards_of, mask_of
from kingsolve.variants import load_variant, variant_ids

CASES = [(id, name) for id in variant_ids() for name in load_variant(id).contracts]


@pytest.mark.parametrize(("id", "name"), CASES)
def test_a_contract_agrees_with_the_oracle(id, name):
    ours, theirs = load_variant(id).contract(name), naive.CONTRACTS[id][name]
    assert ours.seat_names == theirs.seats
    assert ours.clockwise == theirs.clockwise
    assert ours.pack == mask_of(theirs.pack)
    assert ours.hand_size == theirs.hand
    assert ours.trick_points == theirs.trick_points
    points = {card: ours.cards_points(mask_of(card)) for card in cards_of(ours.pack)}
    assert {card: p for card, p in points.items() if p} == {c: p for c, p in theirs.card_points.items() if p}
    assert ours.trump == theirs.trump
    assert ours.barred == mask_of(theirs.barred_leads)
    if ours.barred:
        assert theirs.barred_until == ("broken" if ours.until_broken else "nothing-else")
    akq = mask_of(f"A{ours.trump} K{ours.trump} Q{ours.trump}") if theirs.akq_may_lead else 0
    assert ours.waiver == akq
    assert ours.first_barred == (mask_of(theirs.barred_leads) if theirs.no_trumps_first_trick else 0)
    assert ours.must_discard == mask_of(theirs.must_discard)
    assert ours.void_trump == trump_duty(theirs)
    assert ours.beat_trump == theirs.must_beat_led_trump
    assert ours.forced_under == mask_of(theirs.penalty_under_higher)
    assert ours.early_stop == theirs.early_stop


def trump_duty(theirs: naive.NaiveContract) -> str:
    if theirs.must_overtrump:
        return "must-overtrump"
    return "must-trump" if theirs.must_trump else "free"


def test_the_oracle_knows_the_same_contracts():
    for id in variant_ids():
        ours, theirs = set(load_variant(id).contracts), set(naive.CONTRACTS[id])
        assert ours == theirs, id
