"""Players: they see a Knowledge and nothing else, choose legally everywhere, the same again for a seed."""

import random

import pytest

import kingsolve as ks
from kingsolve.cards import SEATS
from kingsolve.players import LEVELS, Player, Table, load_player, play_match, play_round, player_names
from kingsolve.sampling import sample

VARIANTS = [id for id in ks.variant_ids() if ks.load_variant(id).plan is not None]
NAMES = ("easy", "normal")


def seated(names: str, variant: ks.Variant, *, seed: int = 5) -> dict[str, Player]:
    """Players by seat, the names again and again."""
    words = names.split()
    return {seat: load_player(words[i % len(words)], seed=seed) for i, seat in enumerate(variant.seat_names)}


def test_the_levels_are_registered_from_the_weakest() -> None:
    assert player_names()[:2] == LEVELS[:2]


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("best", {"seed": 1}, "expected a player, one of easy normal.*, got 'best'"),
        ("easy", {"seed": -1}, "expected a seed from 0"),
        ("easy", {"seed": 1, "deals": 0}, "expected deals of at least 1, got 0"),
        ("easy", {"seed": 1, "seconds": 0.0}, "expected seconds above 0, got 0.0"),
    ],
)
def test_what_is_no_player(name: str, options: dict[str, int], said: str) -> None:
    with pytest.raises(ks.KingError, match=said):
        load_player(name, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("id", VARIANTS)
def test_a_match_is_played_to_its_end_and_again(id: str) -> None:
    variant = ks.load_variant(id)
    matches = [play_match(ks.Match(variant, seed=2), seated("easy normal", variant)) for _ in range(2)]
    assert matches[0].is_over
    assert matches[0].to_json() == matches[1].to_json()
    assert variant.match_total is None or sum(matches[0].totals) == variant.match_total


@pytest.mark.parametrize("name", NAMES)
def test_hidden_hands_do_not_change_a_choice(name: str) -> None:
    """Deals that differ only in what the seat cannot know: the same card."""
    rng = random.Random(4)
    player = load_player(name, seed=9)
    for id in VARIANTS:
        variant = ks.load_variant(id)
        contract = variant.contract(rng.choice(list(variant.contracts)))
        start = ks.Round(contract, "N", ks.random_deal(variant, seed=8, number=1))
        whole = play_round(start, seated("easy normal", variant))
        for after in rng.sample(range(len(whole.cards)), 4):
            seat = whole.position(after).turn
            k = ks.Knowledge.from_round(whole, seat, after=after)
            card = player.play(k, None)
            for now in sample(k, 3, seed=1):
                played = [0] * variant.seats
                for play in k.plays:
                    played[play.seat] |= 1 << play.card
                hands = tuple(int(hand) | gone for hand, gone in zip(now, played, strict=True))
                other = ks.Round(contract, "N", ks.Deal(hands), whole.cards[:after])
                assert player.play(ks.Knowledge.from_round(other, seat), None) == card


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
