"""Players: they see a Knowledge and nothing else, choose legally everywhere, the same again for a seed."""

import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import EntryPoint
from typing import Any

import numpy as np
import pytest

import kingsolve as ks
from kingsolve._jit.endings import ending_cards
from kingsolve._jit.trees import grow_tree, new_tree, root_cards, value_points
from kingsolve.cards import ALL_CARDS, SEATS, bits_of, card_name, mask_of
from kingsolve.players import (
    LEVELS,
    OpenPlayer,
    Player,
    Standing,
    Table,
    load_player,
    play_match,
    play_round,
    player_names,
    registry,
    standing_of,
)
from kingsolve.players.imagine import Scene
from kingsolve.players.open import OpenSeat
from kingsolve.players.outlook import LAST, outlook_of, points_taken, win_shares
from kingsolve.players.quick import is_quick, quick_match
from kingsolve.players.view import View
from kingsolve.sampling import sample
from kingsolve.solver import in_play_order

VARIANTS = ks.variant_ids()
BUDGET = {"easy": None, "normal": None, "hard": 20, "crazy": 200, "uniform": 20}
"""Deals a move: enough for every path, few enough for many moves."""


def loaded(name: str, seed: int = 5) -> Player:
    """A player on its budget for tests."""
    return load_player(name, seed=seed, deals=BUDGET[name])


def seated(names: str, variant: ks.Variant, *, seed: int = 5) -> dict[str, Player]:
    """Players by seat, the names again and again."""
    words = names.split()
    made = {name: loaded(name, seed) for name in words}
    return {seat: made[words[i % len(words)]] for i, seat in enumerate(variant.seat_names)}


def test_the_levels_are_registered_from_the_weakest() -> None:
    assert player_names() == (*LEVELS, "uniform")


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[EntryPoint]]:
    """The entry points that are installed: those put into this list."""
    points: list[EntryPoint] = []
    monkeypatch.setattr(registry, "entry_points", lambda *, group: tuple(points))
    registry._found.cache_clear()
    yield points
    registry._found.cache_clear()


def test_the_levels_need_no_entry_points(installed: list[EntryPoint]) -> None:
    """An installation whose metadata lack them, or are of an older version that had them, hides no player."""
    assert player_names() == (*LEVELS, "uniform")
    assert load_player("crazy", seed=1).name == "crazy"
    registry._found.cache_clear()
    installed.append(EntryPoint("hard", "kingsolve.players.hard:hard", registry.GROUP))
    assert load_player("hard", seed=1).name == "hard"


def test_others_add_players_but_not_under_a_name_that_is_taken(installed: list[EntryPoint]) -> None:
    for name, value in (
        ("hard", "theirs:hard"),
        ("open", "theirs:open"),
        ("mine", "a:one"),
        ("mine", "b:two"),
        ("slow", "c:three"),
    ):
        installed.append(EntryPoint(name, value, registry.GROUP))
    assert player_names() == (*LEVELS, "mine", "slow", "uniform")
    said = "expected one player called 'hard', got kingsolve.players.hard:hard and theirs:hard: uninstall one"
    with pytest.raises(ks.KingError, match=said):
        load_player("hard", seed=1)
    with pytest.raises(ks.KingError, match="expected one player called 'mine', got a:one and b:two"):
        load_player("mine", seed=1)
    assert load_player("normal", seed=1).name == "normal"
    registry._found.cache_clear()
    installed.append(EntryPoint("seven", "builtins:dict", registry.GROUP))
    with pytest.raises(
        ks.KingError, match=r"expected a player, got \{.*\} of builtins:dict, without name play choose"
    ):
        load_player("seven", seed=1)


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("best", {"seed": 1}, "expected a player, one of easy normal hard crazy uniform, got 'best'"),
        ("open", {"seed": 1}, "expected a player, one of .*, got 'open'"),
        ("easy", {"seed": -1}, "expected a seed from 0"),
        ("easy", {"seed": 1, "deals": 0}, "expected deals of at least 1, got 0"),
        ("easy", {"seed": 1, "seconds": 0.0}, "expected seconds above 0, got 0.0"),
    ],
)
def test_what_is_no_player(name: str, options: dict[str, int], said: str) -> None:
    with pytest.raises(ks.KingError, match=said):
        load_player(name, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("id", VARIANTS)
def test_the_quick_way_plays_the_same_cards(id: str) -> None:
    variant = ks.load_variant(id)
    players = seated("easy normal normal easy", variant)
    slow, quick = ks.Match(variant, seed=6), ks.Match(variant, seed=6)
    play_match(slow, players)
    rounds = []
    cards = quick_match(
        quick, players, told=lambda contract, deal, leader, log: rounds.append((contract, leader, deal, log))
    )
    assert quick.scores == slow.scores
    for result, (contract, leader, deal, log) in zip(slow.results, rounds, strict=True):
        assert result.round == ks.Round(contract, leader, deal, map(card_name, log.tolist()))
    assert cards == sum(len(log) for _, _, _, log in rounds)
    assert slow.is_over
    assert variant.match_total is None or sum(slow.totals) == variant.match_total
    assert is_quick(players)
    assert not is_quick(players | {"N": loaded("hard")})


@pytest.mark.parametrize("name", ["hard", "crazy", "uniform"])
@pytest.mark.parametrize("id", VARIANTS)
def test_imagining_players_play_everywhere(name: str, id: str) -> None:
    """The first rounds of a match, choices of contracts among them; every card is checked as it is played."""
    variant = ks.load_variant(id)
    for start in range(0, ks.Match(variant, seed=1).plan.rounds, 6):
        match = ks.Match(variant, seed=4)
        quick = ks.Match(variant, seed=4)
        quick_match(quick, seated("normal", variant))
        for result in quick.results[:start]:
            if match.contract is None:
                match.choose(result.contract)
            match.record(result.scores)
        table = Table(match, seated(f"{name} normal", variant))
        while len(match.results) <= start:
            table.act(table.ask())


@pytest.mark.parametrize("name", BUDGET)
def test_hidden_hands_do_not_change_a_choice(name: str) -> None:
    """Deals that differ only in what the seat cannot know: the same card; and again from another player."""
    rng = random.Random(4)
    player, again = loaded(name, seed=9), loaded(name, seed=9)
    for id in VARIANTS:
        variant = ks.load_variant(id)
        contract = variant.contract(rng.choice(list(variant.contracts)))
        start = ks.Round(contract, "N", ks.random_deal(variant, seed=8, number=1))
        whole = play_round(start, seated("easy normal", variant))
        for after in rng.sample(range(len(whole.cards)), 3):
            seat = whole.position(after).turn
            k = ks.Knowledge.from_round(whole, seat, after=after)
            card = player.play(k, None)
            assert again.play(k, None) == card
            for now in sample(k, 2, seed=1):
                played = [0] * variant.seats
                for play in k.plays:
                    played[play.seat] |= 1 << play.card
                hands = tuple(int(hand) | gone for hand, gone in zip(now, played, strict=True))
                other = ks.Round(contract, "N", ks.Deal(hands), whole.cards[:after])
                assert player.play(ks.Knowledge.from_round(other, seat), None) == card


@pytest.mark.parametrize("name", BUDGET)
def test_a_contract_is_chosen_by_the_cards_seen(name: str) -> None:
    """The same whatever is dealt besides, open and legal; another seed may choose otherwise."""
    player = loaded(name)
    for id in ("full-king", "dealers-choice-20", "king-1993", "rifki"):
        variant = ks.load_variant(id)
        match = ks.Match(variant, seed=3)
        while match.chooser is None:
            match.record(_any_scores(match))
        cards, seat = match.first_cards(), match.chooser
        chosen = player.choose(variant, seat, cards, match.open, standing_of(match))
        assert chosen in match.open
        assert loaded(name).choose(variant, seat, cards, match.open, standing_of(match)) == chosen
        assert player.choose(variant, seat, cards, match.open[:1], None) == match.open[0]


def _any_scores(match: ks.Match) -> list[int]:
    """All points of the round to one seat."""
    contract = match.contract
    assert contract is not None
    return [contract.total, *[0] * (contract.seats - 1)]


def test_a_table_takes_a_person_and_a_match_up_again() -> None:
    """Stopped anywhere and begun again from the match, it goes on as if it had not been."""
    variant = ks.load_variant("short-king")
    players = seated("normal", variant)
    whole = play_match(ks.Match(variant, seed=3), players)
    table = Table(ks.Match(variant, seed=3), players)
    step = 0
    while not table.is_over:
        table.act(table.ask())
        step += 1
        if step % 37 == 0 and not table.is_over:
            table = Table(ks.Match.from_json(table.match.to_json()), players)
    assert table.match.to_json() == whole.to_json()


def test_a_table_says_what_is_wrong() -> None:
    variant = ks.load_variant("short-king")
    table = Table(ks.Match(variant, seed=3), {})
    with pytest.raises(ks.KingError, match="expected a player in every seat, got none for"):
        table.ask()
    held = table.position.hands[table.seat]
    other = next(card for seat in SEATS for card in table.position.hands[seat] if card not in held)
    with pytest.raises(ks.IllegalCard, match="you do not hold that card"):
        table.act(other)
    assert table.cards == ()
    table = Table(play_match(ks.Match(variant, seed=3), seated("easy", variant)), {})
    assert table.is_over
    assert not table.choosing
    with pytest.raises(ks.KingError, match="rounds are over"):
        _ = table.position


class Odd:
    """A player that answers what it is told to."""

    name = "odd"

    def __init__(self, card: Any, contract: Any) -> None:
        self.card, self.contract = card, contract

    def play(self, knowledge: ks.Knowledge, standing: Standing | None) -> str:
        return self._answer(self.card)

    def choose(self, *seen: object) -> str:
        return self._answer(self.contract)

    def _answer(self, what: Any) -> str:
        if isinstance(what, BaseException):
            raise what
        return what  # type: ignore[no-any-return]  # whatever it is


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("2c", "you do not hold that card: '2c'"),
        (None, "expected a card such as 'As', 'Th' or '7c', got None"),
        (ZeroDivisionError("no"), "failed: ZeroDivisionError: no"),
        (SystemExit("bye"), "failed: SystemExit: bye"),
        (ks.KingError("expected more"), "failed: expected more"),
    ],
)
def test_a_player_at_fault_is_named(answer: object, said: str) -> None:
    short, chosen = ks.load_variant("short-king"), ks.load_variant("dealers-choice-20")
    table = Table(ks.Match(short, seed=3), dict.fromkeys(SEATS, Odd(answer, "")))
    seat = table.seat
    with pytest.raises(ks.KingError, match=re.escape(f"player 'odd' ({seat}, round 1, card 1): {said}")):
        table.ask()
    table = Table(ks.Match(chosen, seed=3), dict.fromkeys(SEATS, Odd("", answer)))
    with pytest.raises(
        ks.KingError, match=r"player 'odd' \(., round 1, card 1\): (failed|expected a contract)"
    ):
        table.ask()


def test_easy_names_what_it_has_most_of() -> None:
    variant = ks.load_variant("full-king")
    names = ("trumps-s", "trumps-h", "trumps-d", "trumps-c", "trumps-nt")
    easy = load_player("easy", seed=1)
    assert easy.choose(variant, "N", ("7h", "8h", "As"), names, None) == "trumps-h"
    assert easy.choose(variant, "N", ("7h", "8d", "As"), names, None) == "trumps-s"


@pytest.mark.parametrize(
    ("cards", "named"),
    [("Ks Qs 7h", "trumps-s"), ("As Ah Ad", "trumps-nt"), ("Ah 8h Kd", "trumps-h"), ("7c 8c As", "trumps-c")],
)
def test_normal_names_length_or_no_trumps(cards: str, named: str) -> None:
    """Seed 002, "Name a trump with length": two of a suit; high cards in different suits: no trumps."""
    names = ("trumps-s", "trumps-h", "trumps-d", "trumps-c", "trumps-nt")
    normal = load_player("normal", seed=1)
    assert normal.choose(ks.load_variant("full-king"), "N", tuple(cards.split()), names, None) == named


def test_normal_remembers_nothing() -> None:
    """The queen is a sure trick once ace and king are gone: careful cashes it, normal has forgotten."""
    contract = ks.load_variant("russian-14").contract("tricks")
    own, gone = "Qs 8s 7c 8d", "As Ks 7s 9s Ah Kh Qh Jh Th 9h 8h 7h Ac Kc Qc Jc"
    k = ks.Knowledge(contract, "N", own=own, seen=gone)
    assert load_player("normal", seed=1).play(k, None) != "Qs"


# --- those that imagine deals ---


def endings(cards: int, seed: int, ids: list[str] = VARIANTS) -> list[ks.Position]:
    """A position with at most so many cards a hand in every contract, played to at random."""
    rng = random.Random(seed)
    found = []
    for id in ids:
        variant = ks.load_variant(id)
        for contract in variant.contracts.values():
            deal = ks.random_deal(variant, seed=seed, number=rng.randrange(10**6))
            at = ks.Position(contract, deal, leader=SEATS[rng.randrange(variant.seats)])
            stop = variant.seats * (variant.hand_size - cards) + rng.randrange(variant.seats)
            while (
                not at.is_over
                and sum(map(int.bit_count, at.masks)) > variant.seats * cards - stop % variant.seats
            ):
                at.push(rng.choice(at.legal_cards()))
            if not at.is_over:
                found.append(at)
    return found


@pytest.mark.parametrize("cards", [1, 2, 3])
def test_endings_are_those_of_the_solver(cards: int) -> None:
    """The kernel's max^n of the last tricks is that of `maxn`, card by card, for every contract."""
    assert sum(map(compare_with_the_solver, endings(cards, seed=cards))) > 200


@pytest.mark.parametrize("rule", ["must_discard", "barred", "forced_under"])
def test_endings_tell_cards_apart_that_a_rule_does(rule: str) -> None:
    """Touching cards of equal points are not the same where one of them is owed or barred."""
    rng = random.Random(rule)
    plain = ks.load_variant("russian-14").contract("no-tricks")
    contract = replace(plain, **{rule: mask_of("Kh Td")})
    for _ in range(200):
        cards = rng.sample(sorted(mask for mask in bits_of(plain.pack) if mask >> 4 in (1, 2, 3)), 16)
        hands = [sum(1 << card for card in cards[4 * seat :][:4]) for seat in range(4)]
        compare_with_the_solver(ks.Position.from_masks(contract, hands, leader=rng.randrange(4)))


def compare_with_the_solver(at: ks.Position) -> int:
    """Holds the kernel's values of every card to those of `maxn`; how many there were."""
    contract = at.contract
    order = in_play_order(contract)
    names = at.legal_cards()
    trick = [ALL_CARDS[name] for name in at.trick]
    lying = np.zeros(4, np.int64)
    lying[: len(trick)] = trick
    out = np.zeros((1, len(names), contract.seats), np.int32)
    hands = np.array([[at.masks[seat] for seat in order]], np.int64)
    ending_cards(
        contract.record[()], hands, order[SEATS.index(at.leader)], lying, len(trick), at.broken,
        np.array([ALL_CARDS[name] for name in names]), out,
    )  # fmt: skip
    for i, name in enumerate(names):
        after = at.copy()
        after.push(name)
        to_come = ks.maxn(after)
        for seat in range(contract.seats):
            wanted = after.banked[seat] - at.banked[seat] + to_come[seat]
            assert out[0, i, order[seat]] == wanted, (contract.variant, contract.name, at, name)
    return len(names) * contract.seats


def test_crazy_solves_the_last_tricks() -> None:
    """Its card is the best on average over all deals that fit, each valued by `maxn`."""
    variant = ks.load_variant("russian-14")
    crazy = loaded("crazy")
    solved = 0
    for number in range(12):
        contract = variant.contract(list(variant.contracts)[number])
        start = ks.Round(contract, "N", ks.random_deal(variant, seed=2, number=number + 1))
        whole = play_round(start, seated("normal easy", variant))
        if len(whole.cards) < 28:
            continue
        k = ks.Knowledge.from_round(whole, whole.position(24).turn, after=24)
        advice = ks.analyze_hand(k, value="maxn", samples=10**6)
        assert advice.exact or advice.consistent > 1000
        if advice.exact:
            card = crazy.play(k, None)
            worth = {option.name: option.mean for option in advice.options}
            assert worth[card] == pytest.approx(advice.options[0].mean)
            solved += 1
    assert solved > 2


def scene(contract: str, own: str, *, id: str = "russian-14", **facts: object) -> Scene:
    """What a seat that holds `own` sees."""
    k = ks.Knowledge(ks.load_variant(id).contract(contract), "N", own=own, **facts)  # type: ignore[arg-type]
    return Scene(k, View.of(k))


def test_equal_cards_are_one() -> None:
    """Touching cards that score alike; not with a card of others between, nor where one of them scores."""
    names = [card_name(card) for card in scene("no-tricks", "As Ks Js Td 9d 7d 8h 7h").distinct]
    assert names == ["7d", "9d", "7h", "Js", "Ks"]
    assert [*map(card_name, scene("queens", "As Ks Qs Js Ts 9s 8s 7s").distinct)] == ["7s", "Qs", "Ks"]


def test_a_tree_counts_every_deal_once() -> None:
    """Visits of the root's cards add up to the deals; its means are those of the play-outs it made."""
    at = scene("no-queens", "As Ks Js Td 9d 7d 8h 7h")
    deals = sample(at.k, 300, seed=1)
    nodes, worth = np.zeros((301, 5), np.int32), np.zeros(301)
    new_tree(nodes, worth)
    cards = np.array(at.distinct, np.int64)
    visits, means = np.zeros(len(cards), np.int64), np.zeros(len(cards))
    mask = sum(1 << card for card in at.distinct)
    used = 1
    for start in (0, 200):
        part = at.turned(deals[start : start + 200])
        used = grow_tree(
            at.k.contract.record[()], part, at.leader, at.trick, 0, at.gone, False, mask, np.zeros(4), 1 / 16,
            -1.0, 0.7, np.uint64(3), start, nodes, worth, used,
        )  # fmt: skip
    root_cards(nodes, worth, cards, visits, means)
    assert visits.sum() == 300
    assert 1 < used <= 301
    assert (-1 <= means).all()
    assert (means <= 0).all()


def test_a_search_ends_early_without_changing_its_card(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the others cannot come up any more: the card is that of the whole search."""
    import kingsolve.players.imagine as module

    views = [scene("no-queens", "As 7s Js Td 9d 7d 8h 7h"), scene("men", "As Kd 7d Qd Kh Qh 8c 7c")]
    player = load_player("crazy", seed=1, deals=2000)
    cards = [player.play(view.k, None) for view in views]
    monkeypatch.setattr(module, "STEP", 10**6)
    assert [player.play(view.k, None) for view in views] == cards


@pytest.mark.parametrize("name", ["hard", "crazy", "uniform"])
def test_a_clock_cuts_and_is_kept(name: str) -> None:
    """A move with far too large a budget ends by the clock, within a fifth of it; the best of three, since
    other work may hold the machine up."""
    cap = 0.3
    player = load_player(name, seed=1, deals=10**7 if name != "crazy" else 10**6, seconds=cap)
    view = scene("no-queens", "As 7s Js Td 9d 7d 8h 7h")
    loaded(name).play(view.k, None)  # compiled
    took = []
    for _ in range(3):
        began = time.perf_counter()
        card = player.play(view.k, None)
        took.append(time.perf_counter() - began)
        assert ALL_CARDS[card] in view.view.cards
    assert cap <= min(took) <= 1.2 * cap
    variant = ks.load_variant("full-king")
    names = ("trumps-s", "trumps-h", "trumps-d", "trumps-c", "trumps-nt")
    began = time.perf_counter()
    assert player.choose(variant, "N", ("As", "7h", "8d"), names, None) in names
    assert time.perf_counter() - began < 2 * cap


# --- the match ---


def standing(totals: tuple[int, ...], left: int, id: str = "full-king") -> Standing:
    """A standing with so many rounds to come after the current one."""
    variant = ks.load_variant(id)
    assert variant.plan is not None
    rounds = variant.plan.rounds
    return Standing(
        variant=variant, number=rounds - left, rounds=rounds, totals=totals, results=(), open=("trumps-s",)
    )


@pytest.mark.parametrize("name", ["normal", "hard", "crazy"])
def test_a_player_that_is_warm_compiles_nothing_more(name: str) -> None:
    """Nor does it load anything: its first moves take their time and no more."""
    script = f"""
import pkgutil
from importlib import import_module
import kingsolve as ks, kingsolve._jit
from kingsolve.players import Table, load_player, warm_up

def compiled():
    names = [one.name for one in pkgutil.iter_modules(kingsolve._jit.__path__)]
    found = [pair for name in names for pair in vars(import_module(f"kingsolve._jit.{{name}}")).items()]
    return {{name: len(what.signatures) for name, what in found if hasattr(what, "signatures")}}

warm_up("{name}")
before = compiled()
for id in ("short-king", "parlett-3", "rifki"):
    variant = ks.load_variant(id)
    player = load_player("{name}", seed=1, deals=1000)
    table = Table(ks.Match(variant, seed=2), dict.fromkeys(variant.seat_names, player))
    while len(table.match.results) < 2:
        table.act(table.ask())
after = compiled()
print(sorted(name for name in after if after[name] != before[name]))
"""
    found = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=300, check=True
    )
    assert found.stdout == "[]\n"


def test_win_shares_are_chances() -> None:
    totals = np.array([[10.0, 10.0, 4.0, -2.0], [30.0, 0.0, 0.0, 0.0]])
    assert win_shares(totals, 0.0).tolist() == [[0.5, 0.5, 0, 0], [1, 0, 0, 0]]
    wide = win_shares(totals, 10.0)
    assert wide.sum(axis=-1) == pytest.approx([1, 1])
    assert wide[0, 0] == wide[0, 1] > wide[0, 2] > wide[0, 3] > 0


def test_the_kernel_values_points_as_the_outlook_does() -> None:
    contract = ks.load_variant("full-king").contract("trumps-s")
    points = np.array([[9, 6, 6, 3], [0, 24, 0, 0]], np.int32)
    for left in range(LAST + 1):
        outlook = outlook_of(standing((5, 0, -3, -2), left), contract)
        assert (outlook.spread < 0) == (left >= LAST)
        found = np.zeros(4)
        for row in points:
            value_points(row, outlook.totals, outlook.scale, outlook.spread, 4, found)
            worth = [float(outlook.worth(row, seat)) for seat in range(4)]
            assert found.tolist() == pytest.approx(worth)


@pytest.mark.parametrize(
    ("id", "name"), [("russian-14", "eralash"), ("rifki", "trumps-h"), ("parlett-3", "men")]
)
def test_the_outlook_counts_what_the_round_has_brought(id: str, name: str) -> None:
    """Points to come are added to the totals before the round and what its complete tricks brought."""
    variant, rng = ks.load_variant(id), random.Random(id)
    contract = variant.contract(name)
    before = standing((5, 0, -3, -2), 0, id)
    deal = ks.random_deal(variant, seed=3, number=1)
    whole = play_round(ks.Round(contract, "N", deal), seated("normal easy", variant))
    for after in rng.sample(range(len(whole.cards)), 6):
        at = whole.position(after)
        k = ks.Knowledge.from_round(whole, at.turn, after=after)
        assert tuple(points_taken(contract, k.plays)) == at.banked
        totals = outlook_of(before, contract, plays=k.plays).totals
        for i, seat in enumerate(in_play_order(contract)):
            assert totals[i] == before.totals[seat] + at.banked[seat]


def test_crazy_plays_for_the_match_in_its_last_deal() -> None:
    """Two tricks to come, one of them surely its own: one more is worth a risk only to who is behind."""
    last = standing((0, 1, -10, 9), 0)
    contract = last.variant.contract("trumps-nt")
    outlook = outlook_of(last, contract)
    points = np.array([[3, 3, 0, 0], [12, 0, 0, 0]], np.int32)
    assert outlook.worth(points, 0).tolist() == pytest.approx([3 / 24, 1 + 12 / 24])
    assert outlook_of(replace(last, number=3), contract).worth(points, 0).tolist() == pytest.approx(
        [3 / 24, 0.5]
    )


# --- the seat that sees all ---


def test_open_plays_max_n_and_is_no_player() -> None:
    seat = OpenSeat()
    assert isinstance(seat, OpenPlayer)
    assert not isinstance(loaded("hard"), OpenPlayer)
    for at in endings(3, seed=7, ids=["russian-14", "rifki", "parlett-3"]):
        after = at.copy()
        after.push(seat.play_open(at))
        mover = SEATS.index(at.turn)
        worth = after.banked[mover] - at.banked[mover] + ks.maxn(after)[mover]
        assert worth == ks.maxn(at)[mover]


def test_open_falls_back_where_a_search_is_too_long() -> None:
    variant = ks.load_variant("dealers-choice-20")
    match = ks.Match(variant, seed=1)
    table = Table(match, dict.fromkeys(SEATS, OpenSeat(nodes=50)))
    while not match.results:
        table.act(table.ask())
    assert match.results[0].contract.name in variant.contracts


def test_quick_needs_one_seed() -> None:
    variant = ks.load_variant("full-king")
    players = seated("normal", variant) | {"N": load_player("easy", seed=77)}
    assert not is_quick(players)
