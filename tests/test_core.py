"""The compiled core by itself: the record it reads, the cards it plays, which cards it takes for equals."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import kingsolve as ks
import naive
from kingsolve._core import Context
from kingsolve._core.rules import layout, legal_cards
from kingsolve.cards import bits_of, card_name, cards_of, mask_of
from kingsolve.contract import CONTRACT_DTYPE
from kingsolve.solver import _Arguments, kernel_seats
from twins import EVERY, generator, label, our_contract, ours, random_deal, scaled, theirs

PERFT = Path(__file__).parent.parent / "data" / "perft"
PER_CONTRACT = pytest.mark.parametrize("contract", [pytest.param(c, id=label(c)) for c in EVERY])


def test_the_record_has_the_same_layout_on_both_sides() -> None:
    """CONTRACT_DTYPE is the authority: contract_t has its size, its fields and their offsets."""
    size, offsets = layout()
    assert size == CONTRACT_DTYPE.itemsize
    assert CONTRACT_DTYPE.fields is not None
    assert offsets == {name: field[1] for name, field in CONTRACT_DTYPE.fields.items()}


def test_every_field_of_the_record_is_filled() -> None:
    """Over the shipped contracts each field takes more than one value, but for what no variant asks for."""
    records = [c.record for id in ks.variant_ids() for c in ks.load_variant(id).contracts.values()]
    for name in CONTRACT_DTYPE.names or ():
        assert len({record[name].tobytes() for record in records}) > 1, name
    record = our_contract("dealers-choice-20", "trumps-h").record
    assert record["trump"] == 2
    assert record["void_trump"] == 2
    assert record["beat_trump"] == 1
    assert record["early_stop"] == 0
    assert record["hand_size"] == 13
    assert int(record["waiver"]) == mask_of("Ah Kh Qh")
    assert not record.flags.writeable


def test_a_record_of_another_size_is_refused() -> None:
    with pytest.raises(
        ValueError, match=f"expected a contract record of {CONTRACT_DTYPE.itemsize} bytes, got 8"
    ):
        legal_cards(np.zeros((), np.uint64), np.zeros(4, np.uint64), 0, np.zeros(0, np.int32), False)


@pytest.mark.parametrize("name", ["weights", "take_weights", "side_weights"])
def test_weights_that_are_too_few_are_refused(name: str) -> None:
    context = Context(1 << 16)
    whole = getattr(context, name)
    setattr(context, name, whole)
    assert getattr(context, name) == whole
    with pytest.raises(ValueError, match=r"^expected \d+ (lists of )?weights, got 2$"):
        setattr(context, name, whole[:2])


# ------------------------------------------------------------------------------------------------------ perft


def perft(position: ks.Position, depth: int) -> int:
    """The count of `ks.perft`, by Position's push and pop."""
    if depth == 0:
        return 1
    if position.is_over:
        return 0
    count = 0
    for card in position.legal_cards():
        position.push(card)
        count += perft(position, depth - 1)
        position.pop()
    return count


@pytest.mark.parametrize("variant", sorted(naive.CONTRACTS))
def test_perft(variant: str) -> None:
    """data/perft: the kernels to every depth given, Position and the oracle as far as is quick."""
    contracts = json.loads((PERFT / f"{variant}.json").read_text(encoding="ascii"))
    assert set(contracts) == set(ks.load_variant(variant).contracts)
    for name, rows in contracts.items():
        assert len(rows) == 3
        for row in rows:
            position = ks.Position(
                our_contract(variant, name),
                row["deal"],
                leader=row["leader"],
                trick=row.get("trick", ""),
                broken=row.get("broken", False),
            )
            oracle = theirs(naive.CONTRACTS[variant][name], row)
            assert [ks.perft(position, depth) for depth in range(1, len(row["counts"]) + 1)] == row["counts"]
            for depth, count in enumerate(row["counts"], 1):
                if count <= 60:
                    assert perft(position, depth) == count, (name, row, depth)
                if count <= 20:
                    assert naive.perft(oracle, depth) == count, (name, row, depth)


def test_perft_at_its_edges() -> None:
    position = ks.Position(our_contract("russian-14", "no-queens"), "N:7... 8... 9... Q...", leader="N")
    assert [ks.perft(position, depth) for depth in range(6)] == [1, 1, 1, 1, 1, 0]
    with pytest.raises(ks.KingError, match="expected a depth of 0 or more, got -1"):
        ks.perft(position, -1)
    over = ks.Position(our_contract("russian-14", "no-queens"), "N:7... 8... 9... J...", leader="N")
    assert [ks.perft(over, depth) for depth in range(3)] == [1, 0, 0]


# ----------------------------------------------------------------------------------------------------- equals


def masks(position: ks.Position) -> tuple[int, int]:
    """The kernels' legal cards, and one card of each run of equals among them."""
    arguments = _Arguments.of(position)
    cards, distinct = legal_cards(
        position.contract.record, arguments.hands, arguments.leader, arguments.trick, arguments.broken
    )
    return int(cards), int(distinct)


def representatives(position: ks.Position) -> dict[str, str]:
    """For each legal card the card that the kernels play in its place."""
    cards, distinct = masks(position)
    assert cards == position.legal_mask()
    assert distinct & ~cards == 0
    found: dict[str, str] = {}
    for bit in bits_of(cards):
        run = [card for card in bits_of(distinct) if card >= bit and card >> 4 == bit >> 4]
        assert run, (position, card_name(bit))
        found[card_name(bit)] = card_name(run[0])
    return found


@PER_CONTRACT
def test_equals_are_worth_the_same(contract: naive.NaiveContract) -> None:
    """Endings and rare positions: by the oracle, a card and the one played in its place are worth the same to
    every seat, and leave the same equilibria."""
    rng = generator("equals", label(contract))
    found = [position for _, position in naive.rare_positions(contract, rng)]
    found = [p for p in found if max(map(len, p.hands)) <= 3 and not naive.is_over(p)]
    found = rng.sample(found, scaled(12))
    for _ in range(scaled(5)):
        found.append(naive.random_ending(rng, contract, 3, mid_trick=rng.random() < 0.7))
    for position in found:
        pairs = [(card, twin) for card, twin in representatives(ours(position)).items() if card != twin]
        if not pairs:
            continue
        values = [naive.card_values(position, seat) for seat in contract.seats]
        for card, twin in pairs:
            assert all(value[card] == value[twin] for value in values), (position, card, twin)
        card, twin = rng.choice(pairs)
        assert behind(position, card) == behind(position, twin), (position, card, twin)


def behind(position: naive.Position, card: str) -> list[tuple[int, ...]]:
    """The equilibria behind one card."""
    then, gained = naive.after(position, card)
    return [naive.gained_vector(position.contract, gained, vector) for vector in naive.equilibria(then)]


OTHERS = ("7c Tc Jc Qc", "7d 8d 9d Td")


def runs(variant: str, contract: str, *hands: str, trick: str = "", leader: str = "N") -> str:
    """The cards that the kernels play, of a position from hands in seat order."""
    found = our_contract(variant, contract)
    held = dict(zip(found.seat_names, hands, strict=True))
    return " ".join(cards_of(masks(ks.Position(found, held, leader=leader, trick=trick))[1]))


@pytest.mark.parametrize(
    ("variant", "contract", "hands", "trick", "expected"),
    [
        # neighbours are one card; a card that has gone does not separate, one in another hand does
        ("russian-14", "no-tricks", ("As Ks Js 7s", "9s 8s 9c 8c", *OTHERS), "", "As 7s"),
        ("russian-14", "no-tricks", ("As Ks Js 7s", "Qs 8s 9c 8c", *OTHERS), "", "As Js 7s"),
        # runs end where the suit ends
        ("russian-14", "no-tricks", ("Ac 7d Ad 7h", "9s 8s 9c 8c", "7c Tc Jc Qc", "8d 9d Td Jd"),
         "", "7h Ad 7d Ac"),
        # a queen in no-queens, a king of hearts, a jack are none of their neighbours' kind
        ("russian-14", "no-queens", ("As Ks Qs Js", "9s 8s 9c 8c", *OTHERS), "", "As Qs Js"),
        ("king-1993", "eralash", ("Ks Qs Js Ts", "9s 8s 9c 8c", *OTHERS), "", "Ks Qs Js Ts"),
        # in the trick only its best card separates
        ("russian-14", "no-tricks", ("8s Jc", "As 9s", "7c Tc", "Kd"), "Ts", "8s"),
        # compulsory discards of a kind that does not score: the king of hearts among hearts in eralash
        ("russian-14", "no-king", ("8s 7s", "Ah Kh Qh", "7c Tc Jc", "7d 8d 9d"), "9s", "Kh"),
    ],
)  # fmt: skip
def test_runs_of_equals(
    variant: str, contract: str, hands: tuple[str, ...], trick: str, expected: str
) -> None:
    leader = "W" if trick and len(hands[3].split()) < len(hands[0].split()) else "N"
    assert runs(variant, contract, *hands, trick=trick, leader=leader) == expected


@pytest.mark.parametrize(
    "field", ["barred", "waiver", "first_barred", "must_discard", "forced_under", "card_points"]
)
def test_a_rule_for_one_card_makes_it_a_kind_of_its_own(field: str) -> None:
    """K Q J 10 in one hand are one card; a rule that names the queen makes them three."""
    plain = our_contract("russian-14", "no-tricks")
    queen = mask_of("Qs")
    ruled = replace(plain, **{field: ((queen, -2),) if field == "card_points" else queen})  # type: ignore[arg-type]
    hands = {"N": "8s 7s 9c", "E": "Ks Qs Js Ts", "S": "7c 8c Tc Jc", "W": "7d 8d 9d Td"}
    for contract, expected in ((plain, "Ks"), (ruled, "Ks Qs Js")):
        position = ks.Position(contract, hands, leader="N", trick="9s")
        assert " ".join(cards_of(masks(position)[1])) == expected


def test_ace_king_and_queen_of_trumps_are_not_the_jack() -> None:
    """Seed 004: without one of the three the hand may not lead trumps."""
    hands = ("As Ks Qs Js 2c", "2s 3c 4c 5c 6d", "7c 8c 9c Tc 7d", "2d 3d 4d 5d 8d")
    assert runs("dealers-choice-20", "trumps-s", *hands) == "As Js 2c"


def test_the_best_card_of_the_trick_separates() -> None:
    """K and J around the queen that lies best differ; around a queen already beaten they are equals."""
    hands = ("7d", "Ks Js", "8c 9c", "7c Tc")
    assert runs("russian-14", "no-tricks", *hands, trick="Qs") == "Ks Js"
    hands = ("7d", "8d", "Ks Js", "7c Tc")
    assert runs("russian-14", "no-tricks", *hands, trick="Qs As") == "Ks"


def test_a_forced_penalty_separates_below_the_highest_of_the_led_suit() -> None:
    """rifki: with a trump best, the highest card of the led suit still decides who is forced under it."""
    contract = our_contract("rifki", "no-hearts")
    assert contract.forced_under
    position = ks.Position(
        contract, {"N": "7d", "W": "Kh Jh", "S": "8c 9c", "E": "7c Tc"}, leader="N", trick="Qh", broken=True
    )
    assert representatives(position) == {"Jh": "Jh"}


def test_seats_of_a_counter_clockwise_variant_are_turned() -> None:
    """The kernels play clockwise: N W S E of rifki are their 0 1 2 3, and back."""
    contract = our_contract("rifki", "no-tricks")
    assert [kernel_seats(contract, 1 << seat) for seat in range(4)] == [1, 8, 4, 2]
    position = ks.Position(contract, "N:2... 3... 4... 5...", leader="E")
    arguments = _Arguments.of(position)
    assert [card_name(int(hand).bit_length() - 1) for hand in arguments.hands] == ["2s", "5s", "4s", "3s"]
    assert arguments.leader == 3
    three = ks.Position(our_contract("parlett-3", "no-tricks"), "N:7... 8... 9...", leader="S")
    assert _Arguments.of(three).leader == 2


@pytest.mark.parametrize("variant", sorted(ks.variant_ids()))
def test_kernel_rules_along_random_rounds(variant: str) -> None:
    """Legal cards by kernel and by Position, before every card of random rounds from late starts."""
    for contract in ks.load_variant(variant).contracts.values():
        rng = generator("kernel rules", variant, contract.name)
        for _ in range(scaled(2)):
            deal = random_deal(rng, contract, rng.randrange(1, contract.hand_size + 1))
            position = deal.position()
            while position.legal_cards():
                assert masks(position)[0] == position.legal_mask(), position
                position.push(rng.choice(position.legal_cards()))
