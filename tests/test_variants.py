"""The variants that ship: points, obligations, plans (docs/rules.md; seeds 000, 002, 003, 004)."""

import pickle
from itertools import chain

import pytest

from kingsolve.cards import cards_of, glob_mask, suit_mask
from kingsolve.contract import Contract
from kingsolve.errors import VariantError
from kingsolve.position import Position
from kingsolve.variants import Quota, Variant, load_variant, variant_ids

IDS = [
    "dealers-choice-20",
    "full-king",
    "jeu-du-roi",
    "kierki",
    "king-1993",
    "parlett-3",
    "parlett-4",
    "rifki",
    "russian-14",
    "short-king",
]
SIX = ["no-tricks", "no-hearts", "no-men", "no-queens", "no-last-two", "no-king"]
SUIT_TRUMPS = ["trumps-s", "trumps-h", "trumps-d", "trumps-c"]

# variant: seats, pack, hand size, clockwise, who leads, cards dealt at a time, stops early, match total
TABLE = {
    "russian-14": (4, "7-A", 8, True, "left-of-dealer", 1, True, 0),
    "full-king": (4, "7-A", 8, True, "left-of-dealer", 2, True, 0),
    "short-king": (4, "7-A", 8, True, "left-of-dealer", 2, True, 0),
    "parlett-3": (3, "6-A", 12, True, "left-of-dealer", 1, True, 0),
    "parlett-4": (4, "7-A", 8, True, "left-of-dealer", 1, True, 0),
    "dealers-choice-20": (4, "2-A", 13, True, "dealer", 1, False, 0),
    "jeu-du-roi": (4, "2-A", 13, True, "left-of-dealer", 1, True, 0),
    "king-1993": (4, "7-A", 8, True, "chooser", 1, True, 0),
    "rifki": (4, "2-A", 13, False, "chooser", 1, True, 0),
    "kierki": (4, "2-A", 13, True, "given", 1, True, -200),
}

# The points of single things: trick, heart, man (who the men are), queen, last two, K♥.
ITEMS = {
    "russian-14": (-2, -2, -4, "K?", -4, -8, -16),
    "full-king": (-2, -2, -4, "J?", -4, -8, -16),
    "short-king": (-2, -2, -4, "J?", -4, -8, -16),
    "parlett-3": (-6, -8, -9, "[KJ]?", -18, -36, -72),
    "parlett-4": (-2, -2, -2, "[KJ]?", -4, -8, -16),
    "dealers-choice-20": (-50, -30, -60, "[KJ]?", -100, -180, -320),
    "jeu-du-roi": (-50, -30, -60, "[KJ]?", -100, -180, -320),
    "king-1993": (-20, -20, -20, "[KJ]?", -40, -80, -160),
    "rifki": (-50, -30, -60, "[KJ]?", -100, -180, -320),
}
TRUMP_TRICK = {"full-king": 3, "short-king": 3, "dealers-choice-20": 50, "jeu-du-roi": 50, "rifki": 50}

TOTALS = {
    "russian-14": dict.fromkeys(SIX, -16) | {"eralash": -96},
    "full-king": dict.fromkeys(SIX, -16) | {"eralash": -96} | dict.fromkeys([*SUIT_TRUMPS, "trumps-nt"], 24),
    "short-king": dict.fromkeys(SIX, -16) | dict.fromkeys([*SUIT_TRUMPS, "trumps-nt"], 24),
    "parlett-3": dict.fromkeys(SIX, -72),
    "parlett-4": dict.fromkeys(SIX, -16),
    "dealers-choice-20": dict(zip(SIX, [-650, -390, -480, -400, -360, -320], strict=True))
    | dict.fromkeys(SUIT_TRUMPS, 650),
    "king-1993": dict.fromkeys(SIX, -160) | {"eralash": -960},
    "kierki": {
        "no-tricks": -13,
        "no-hearts": -13,
        "no-queens": -20,
        "no-men": -16,
        "no-king": -18,
        "no-7th-last": -20,
        "eralash": -100,
    },
}
TOTALS["jeu-du-roi"] = TOTALS["rifki"] = TOTALS["dealers-choice-20"]
MIRRORED = ["russian-14", "parlett-3", "parlett-4", "king-1993"]


def twin(name: str) -> str:
    return name[3:] if name.startswith("no-") else name + "-plus"


for _id in MIRRORED:
    TOTALS[_id] = TOTALS[_id] | {twin(name): -total for name, total in TOTALS[_id].items()}


def both(*names: str) -> list[str]:
    return [*names, *map(twin, names)]


# Who may not lead what; who must discard what when void; what goes under a higher card of its suit.
HEARTS_ELSE = {
    "russian-14": both("no-hearts", "no-king", "eralash"),
    "full-king": ["no-hearts", "no-king", "eralash"],
    "short-king": ["no-hearts", "no-king"],
    "parlett-3": both("no-hearts", "no-king"),
    "parlett-4": both("no-hearts", "no-king"),
    "jeu-du-roi": ["no-hearts", "no-king"],
    "king-1993": both("no-hearts", "no-king", "eralash"),
}
HEARTS_BROKEN = {"dealers-choice-20": ["no-hearts", "no-king"], "rifki": ["no-hearts", "no-king"]}
OF_004 = {"no-hearts": "?h", "no-queens": "Q?", "no-men": "[KJ]?", "no-king": "Kh"}
DISCARDS = {
    "russian-14": dict.fromkeys(both("no-king", "eralash"), "Kh"),
    "full-king": {"no-king": "Kh", "eralash": "Kh"},
    "short-king": {"no-king": "Kh"},
    "parlett-3": {"no-king": "Kh", "king": "Kh"},
    "parlett-4": {"no-king": "Kh", "king": "Kh"},
    "dealers-choice-20": OF_004,
    "jeu-du-roi": {"no-king": "Kh"},
    "rifki": OF_004,
}
FORCED_UNDER = {"rifki": OF_004}
VOID_TRUMP = {
    "full-king": "must-trump",
    "short-king": "must-trump",
    "dealers-choice-20": "must-overtrump",
    "jeu-du-roi": "must-trump",
    "rifki": "must-trump",
}

CASES = [(id, name) for id in IDS for name in TOTALS[id]]


def glob(contract: Contract, text: str | None) -> int:
    return glob_mask(text, contract.pack) if text else 0


def test_the_ten_variants_ship():
    assert variant_ids() == IDS


@pytest.mark.parametrize("id", IDS)
def test_table_of_variants(id):
    v = load_variant(id)
    seats, pack, hand, clockwise, first_lead, packet, early_stop, total = TABLE[id]
    assert (v.id, v.seats, v.pack_name, v.hand_size, v.out) == (id, seats, pack, hand, 0)
    assert (v.clockwise, v.first_lead, v.packet, v.early_stop) == (clockwise, first_lead, packet, early_stop)
    assert v.match_total == total
    assert set(v.contracts) == set(TOTALS[id])
    for name, contract in v.contracts.items():
        assert (contract.name, contract.variant, contract.pack) == (name, id, v.pack)
        assert (contract.seats, contract.hand_size) == (seats, hand)
        assert (contract.clockwise, contract.early_stop) == (clockwise, early_stop)


@pytest.mark.parametrize(("id", "name"), CASES)
def test_points_of_a_contract_sum_as_the_table_says(id, name):
    assert load_variant(id).contract(name).total == TOTALS[id][name]


@pytest.mark.parametrize(("id", "name"), CASES)
def test_points_of_single_tricks_and_cards(id, name):
    contract = load_variant(id).contract(name)
    tricks, cards = expected_points(id, name, contract.hand_size)
    assert list(contract.trick_points) == tricks
    for card in cards_of(contract.pack):
        points = sum(
            p for text, p in cards if glob_mask("".join(text), contract.pack) & glob_mask(card, contract.pack)
        )
        assert contract.cards_points(glob_mask(card, contract.pack)) == points, card


def expected_points(id: str, name: str, hand: int) -> tuple[list[int], list[tuple[str, int]]]:
    if name.startswith("trumps"):
        return [TRUMP_TRICK[id]] * hand, []
    if id == "kierki":
        return kierki_points(name)
    trick, heart, man, men, queen, last, king = ITEMS[id]
    penalties = {
        "no-tricks": ([trick] * hand, []),
        "no-hearts": ([0] * hand, [("?h", heart)]),
        "no-men": ([0] * hand, [(men, man)]),
        "no-queens": ([0] * hand, [("Q?", queen)]),
        "no-last-two": ([0] * (hand - 2) + [last, last], []),
        "no-king": ([0] * hand, [("Kh", king)]),
    }
    penalties["eralash"] = summed(penalties)
    if name in penalties:
        return penalties[name]
    tricks, cards = next(points for other, points in penalties.items() if twin(other) == name)
    return [-points for points in tricks], [(text, -points) for text, points in cards]


def summed(
    parts: dict[str, tuple[list[int], list[tuple[str, int]]]],
) -> tuple[list[int], list[tuple[str, int]]]:
    columns = zip(*(tricks for tricks, _ in parts.values()), strict=True)
    return [sum(column) for column in columns], list(
        chain.from_iterable(cards for _, cards in parts.values())
    )


def kierki_points(name: str) -> tuple[list[int], list[tuple[str, int]]]:
    none = [0] * 13
    parts = {
        "no-tricks": ([-1] * 13, []),
        "no-hearts": (none, [("?h", -1)]),
        "no-queens": (none, [("Q?", -5)]),
        "no-men": (none, [("[KJ]?", -2)]),
        "no-king": (none, [("Kh", -18)]),
        "no-7th-last": ([0] * 6 + [-10] + [0] * 5 + [-10], []),
    }
    return summed(parts) if name == "eralash" else parts[name]


@pytest.mark.parametrize(("id", "name"), CASES)
def test_every_obligation_of_every_contract(id, name):
    c = load_variant(id).contract(name)
    is_trumps = name.startswith("trumps") and name != "trumps-nt"
    assert c.trump == (name[-1] if is_trumps else None)
    barred, broken, waiver, first = 0, False, 0, 0
    if name in HEARTS_ELSE.get(id, []) or name in HEARTS_BROKEN.get(id, []):
        barred, broken = glob(c, "?h"), name in HEARTS_BROKEN.get(id, [])
    if id == "dealers-choice-20" and is_trumps:
        barred = first = glob(c, f"?{c.trump}")
        broken, waiver = True, glob(c, f"[AKQ]{c.trump}")
    assert (c.barred, c.until_broken, c.waiver, c.first_barred) == (barred, broken, waiver, first)
    assert c.must_discard == glob(c, DISCARDS.get(id, {}).get(name))
    assert c.forced_under == glob(c, FORCED_UNDER.get(id, {}).get(name))
    assert c.void_trump == (VOID_TRUMP[id] if is_trumps else "free")
    assert c.beat_trump == (id == "dealers-choice-20" and is_trumps)


def orders() -> dict[str, list[list[str]]]:
    of_000 = ["no-tricks", "no-men", "no-queens", "no-hearts", "no-king", "no-last-two", "eralash"]
    of_002 = ["no-tricks", "no-hearts", "no-men", "no-queens", "no-last-two", "no-king"]
    of_003 = ["no-tricks", "no-hearts", "no-men", "no-queens", "no-last-two", "no-king"]
    named = [*SUIT_TRUMPS, "trumps-nt"]
    types = ["no-tricks", "no-hearts", "no-queens", "no-men", "no-king", "no-7th-last", "eralash"]

    def singles(names: list[str]) -> list[list[str]]:
        return [[name] for name in names]

    return {
        "russian-14": singles(of_000 + [twin(name) for name in of_000]),
        "full-king": singles([*of_002, "eralash"]) + [named] * 8,
        "short-king": singles(of_002) + [named] * 4,
        "parlett-3": singles(of_003 + [twin(name) for name in of_003]),
        "parlett-4": singles(of_003 + [twin(name) for name in of_003]),
        "jeu-du-roi": singles(of_003 + SUIT_TRUMPS),
        "kierki": singles(types),
    }


@pytest.mark.parametrize("id", sorted(orders()))
def test_fixed_orders(id):
    plan = load_variant(id).plan
    assert [list(names) for names in plan.order] == orders()[id]
    assert plan.rounds == len(plan.order)
    assert plan.quotas == ()
    named = id in ("full-king", "short-king")
    assert (plan.chooser, plan.named_after) == (("eldest", 3) if named else (None, None))


@pytest.mark.parametrize(
    ("id", "rounds", "chooser", "quotas"),
    [
        ("dealers-choice-20", 20, "dealer", [(SIX + SUIT_TRUMPS, 2, None, None)]),
        ("rifki", 20, "eldest", [(SIX, 2, 3, None), (SUIT_TRUMPS, None, 2, None)]),
        ("king-1993", 56, "rotates", [(both(*SIX, "eralash"), None, None, 1)]),
    ],
)
def test_quotas(id, rounds, chooser, quotas):
    plan = load_variant(id).plan
    assert (plan.rounds, plan.chooser, plan.order, plan.named_after) == (rounds, chooser, (), None)
    got = [(set(q.of), q.each, q.per_seat, q.per_seat_each) for q in plan.quotas]
    assert got == [(set(of), *limits) for of, *limits in quotas]
    assert sum(quota.capacity(4) for quota in plan.quotas) == rounds


def test_contracts_stand_in_the_order_of_the_match():
    names = list(load_variant("full-king").contracts)
    assert names == [*SIX, "eralash", *SUIT_TRUMPS, "trumps-nt"]


def test_titles_keep_the_local_words():
    titles = {name: c.title for name, c in load_variant("russian-14").contracts.items()}
    assert titles["no-men"] == "No Boys"
    assert titles["men"] == "Boys"
    assert (titles["eralash"], titles["eralash-plus"]) == ("Negative Eralash", "Positive Eralash")
    assert load_variant("full-king").contract("no-queens").title == "No girls"
    assert "reconstructed" in load_variant("jeu-du-roi").title
    for id in IDS:
        own = [c.title for c in load_variant(id).contracts.values()]
        assert len(set(own)) == len(own)


def test_no_contract_is_called_boys():
    names = {name for id in IDS for name in load_variant(id).contracts}
    assert not [name for name in names if "boys" in name]


def test_two_tricks_tell_the_boys_apart():
    """Seed 000, 05: K♥ Q♥ J♠ 7♣ is -38 in eralash; K♥ Q♥ T♠ 7♣ is -38 in 000 and -34 in 002."""

    def last_trick(id: str, name: str, cards: str) -> int:
        seats = dict(zip("NESW", cards.split(), strict=True))
        position = Position(load_variant(id).contract(name), seats, leader="N")
        for card in cards.split():
            position.push(card)
        return sum(position.banked)

    assert last_trick("russian-14", "eralash", "Kh Qh Js 7c") == -38
    assert last_trick("russian-14", "eralash-plus", "Kh Qh Js 7c") == 38
    assert last_trick("russian-14", "eralash", "Kh Qh Ts 7c") == -38
    assert last_trick("full-king", "eralash", "Kh Qh Ts 7c") == -34


def test_first_halves_and_second_halves_balance():
    russian = load_variant("russian-14").contracts
    assert sum(russian[n].total for n in [*SIX, "eralash"]) == -192
    full = load_variant("full-king")
    assert sum(full.contracts[names[0]].total for names in full.plan.order[7:]) == 192
    short = load_variant("short-king")
    assert sum(short.contracts[names[0]].total for names in short.plan.order[:6]) == -96
    choice = load_variant("dealers-choice-20")
    assert 2 * sum(choice.contract(name).total for name in SIX) == -5200
    assert 2 * sum(choice.contract(name).total for name in SUIT_TRUMPS) == 5200
    roi = load_variant("jeu-du-roi")
    assert sum(roi.contract(name).total for name in SIX) == -2600


def test_unknown_contract_lists_the_contracts():
    with pytest.raises(
        VariantError, match=r"a contract of parlett-4, one of no-tricks .* king, got 'no-boys'"
    ):
        load_variant("parlett-4").contract("no-boys")


def test_unknown_id_lists_what_ships():
    with pytest.raises(
        VariantError, match=r"one of dealers-choice-20 .* short-king, or a path .*, got 'whist'"
    ):
        load_variant("whist")


def test_a_variant_is_a_value():
    v = load_variant("king-1993")
    assert load_variant("king-1993") is v
    copy = pickle.loads(pickle.dumps(v))
    assert copy == v
    assert hash(copy) == hash(v)
    assert isinstance(v, Variant)
    assert isinstance(v.plan.quotas[0], Quota)
    assert 'title = "King' in v.text
    assert len({load_variant(id).sha256 for id in IDS}) == len(IDS)


def test_trump_contracts_of_each_suit_bind_their_own_suit():
    for id in ("dealers-choice-20", "rifki", "jeu-du-roi", "full-king"):
        for suit in "shdc":
            c = load_variant(id).contract(f"trumps-{suit}")
            assert c.trump == suit
            assert c.first_barred in (0, c.pack & suit_mask(suit))
