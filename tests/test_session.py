"""The game without a terminal: the session, its view, what is saved, what is said."""

import json
import os
import random
from itertools import pairwise
from pathlib import Path

import pytest
from rich.cells import cell_len

import kingsolve as ks
from kingsolve.cards import RANKS, SEATS
from kingsolve_cli.playing import canvas
from kingsolve_cli.playing.score import ScoreScreen
from kingsolve_cli.playing.session import NAMES, PLACES, YOU, Place, Session, View, lying, trick_points
from kingsolve_cli.playing.store import Store
from kingsolve_cli.playing.words import card_words, place_words, price, signed

VARIANTS = [id for id in ks.variant_ids() if ks.load_variant(id).plan is not None]


def session(id: str = "short-king", *, level: str = "easy", seed: int = 3) -> Session:
    """A new match."""
    return Session.new(ks.load_variant(id), level=level, seed=seed)


def step(game: Session, rng: random.Random) -> ks.Result | None:
    """One card or choice: yours at random, the others' by their players."""
    if not game.yours:
        return game.act(game.ask())
    if game.choosing:
        return game.act(rng.choice(game.match.open))
    return game.act(rng.choice(sorted(game.view().legal)))


def points_of(view: View) -> int:
    """The points of the deal taken so far."""
    return sum(seat.points for seat in view.seats)


@pytest.mark.parametrize("id", VARIANTS)
def test_a_match_as_it_is_seen(id: str) -> None:
    """The view agrees with the match at every card of the first deals."""
    game, rng = session(id), random.Random(1)
    seats = game.variant.seats
    for _ in range(3 * seats * game.variant.hand_size):
        view = game.view()
        match = game.match
        assert (view.number, view.rounds) == (match.number, match.plan.rounds)
        assert view.contract == match.contract
        assert tuple(seat.place for seat in view.seats) == PLACES[seats]
        assert sum(seat.dealer for seat in view.seats) == 1
        assert next(seat.seat for seat in view.seats if seat.dealer) == match.dealer
        assert next(seat.seat for seat in view.seats if seat.on_turn) == game.table.seat
        assert [seat.total for seat in view.seats] == [match.totals[SEATS.index(s.seat)] for s in view.seats]
        assert len(view.marks) == match.plan.rounds
        assert [mark.state for mark in view.marks].index("current") == match.number - 1
        if game.choosing:
            assert view.choosing
            assert view.legal == frozenset()
            assert len(view.hand) == (match.plan.named_after or game.variant.hand_size)
        else:
            position = match.now()
            assert set(view.hand) == set(position.hands[YOU])
            assert view.legal == (set(position.legal_cards()) if game.yours else set())
            assert points_of(view) == sum(position.banked)
            assert [seat.card for seat in view.seats if seat.card] or not position.trick
        before = game.last
        result = step(game, rng)
        if result is not None:
            assert game.last is result
            held = game.view(held=True)
            assert held.number == result.number
            assert points_of(held) == result.contract.total
            assert sum(seat.winner for seat in held.seats) == 1
            assert held.hand == ()
        else:
            assert game.last is before


def test_the_places_and_names_of_seed_002() -> None:
    """Lily on the left, Max across, Zoe on the right: the next seats clockwise."""
    game = session()
    assert [(seat.seat, seat.place, seat.name) for seat in game.view().seats] == [
        ("S", "bottom", "You"), ("W", "left", "Lily"), ("N", "top", "Max"), ("E", "right", "Zoe"),
    ]  # fmt: skip
    three = Session.new(
        ks.load_variant("parlett-3"), level="easy", seed=1, names={"left": "Ann", "right": "Bob"}
    )
    assert [(seat.seat, seat.place, seat.name) for seat in three.view().seats] == [
        ("S", "bottom", "You"), ("N", "left", "Ann"), ("E", "right", "Bob"),
    ]  # fmt: skip
    assert three.match.players == {"S": "You", "N": "Ann", "E": "Bob"}
    assert NAMES["top"] == "Max"


def test_marks_show_what_each_deal_is() -> None:
    game, rng = session("full-king"), random.Random(2)
    kinds = [mark.kind for mark in game.view().marks]
    assert kinds == ["penalty"] * 7 + ["positive"] * 8
    while game.match.number < 9:
        step(game, rng)
    marks = game.view().marks
    named = game.match.results[7].contract
    assert marks[7].trump == (named.trump or "nt")
    assert [mark.trump for mark in marks[9:]] == [None] * 6
    assert {mark.kind for mark in session("dealers-choice-20").view().marks} == {"open"}


def test_a_trick_lies_until_it_is_taken_away() -> None:
    game, rng = session(), random.Random(1)
    for count in range(1, 5):
        step(game, rng)
        record = game.match.current
        cards, winner = lying(record, held=True)
        assert len(cards) == count
        assert list(cards.values()) == list(record.cards)
    assert winner == game.match.now().leader
    assert trick_points(record) == sum(game.match.now().banked)
    assert lying(record, held=False) == ({}, None)
    assert game.view(held=True).legal == frozenset()


def test_why_a_card_may_not_be_played() -> None:
    game, rng = session(), random.Random(1)
    reasons = set()
    for _ in range(400):
        if game.is_over:
            break
        if game.yours and not game.choosing:
            view = game.view()
            for card in view.hand:
                why = game.why_not(card)
                assert (why is None) == (card in view.legal)
                reasons.add(why)
        elif game.hand:
            reasons.add(game.why_not(game.hand[0]))
        step(game, rng)
    assert {
        None, "You must follow suit.", "Hearts may not be led while you hold another suit.",
        "It is Max's turn.", "Choose first.",
    } <= reasons  # fmt: skip
    assert any(reason and reason.endswith(" is to choose first.") for reason in reasons)


def test_the_hand_is_sorted_and_rearranged() -> None:
    game = session()
    hand = game.hand
    suits = [card[1] for card in hand]
    assert suits == sorted(suits, key="shcd".index)
    for one, other in pairwise(hand):
        assert one[1] != other[1] or RANKS.index(one[0]) > RANKS.index(other[0])
    game.move(hand[0], 3)
    assert game.hand == (*hand[1:4], hand[0], *hand[4:])
    again = Session(ks.Match.from_json(game.to_json()))
    assert again.hand == game.hand
    game.move(hand[0], 99)
    assert game.hand[-1] == hand[0]
    game.sort()
    assert game.hand == hand


def test_trumps_come_first_in_the_hand() -> None:
    game, rng = session(), random.Random(4)
    while game.match.number < 8 or game.choosing:
        step(game, rng)
    contract = game.match.contract
    assert contract is not None
    held = [card for card in game.hand if card[1] == contract.trump]
    assert list(game.hand[: len(held)]) == held


def test_the_first_three_cards_are_seen_while_trumps_are_named() -> None:
    """Seed 002, Naming the trump."""
    game, rng = session(), random.Random(4)
    while not game.choosing:
        step(game, rng)
    order = game.match.deal().order
    assert order is not None
    assert set(game.hand) == set(order[SEATS.index(YOU)][:3])
    assert [seat.cards for seat in game.view().seats] == [3, 3, 3, 3]
    game.act(game.match.open[0])
    assert len(game.hand) == 8


@pytest.mark.parametrize("id", ["short-king", "parlett-3", "rifki"])
def test_a_match_goes_on_from_its_file_as_if_it_had_not_been_left(id: str, tmp_path: Path) -> None:
    """Saved and read at every seventh step, the computer players do the same."""
    plain, left = session(id, level="normal"), session(id, level="normal")
    store = Store(tmp_path)
    a, b = random.Random(6), random.Random(6)
    for count in range(220):
        if plain.is_over:
            break
        step(plain, a)
        step(left, b)
        if count % 7 == 0:
            store.save(left)
            found, said = store.latest()
            assert found is not None
            assert said == []
            assert (found.id, found.level, found.hand) == (left.id, left.level, left.hand)
            left = found
    data = [json.loads(game.to_json()) for game in (plain, left)]
    for one in data:
        del one["notes"]
    assert data[0] == data[1]


def test_scores_and_standing() -> None:
    game, rng = session(), random.Random(8)
    assert game.coming()[0] == (1, "No tricks")
    assert game.coming()[6:] == [(deal, None) for deal in range(7, 11)]
    assert session("rifki").coming() == [(deal, None) for deal in range(1, 21)]
    while not game.is_over:
        step(game, rng)
    assert game.coming() == []
    rows = game.score_rows()
    assert [row[0] for row in rows] == list(range(1, 11))
    order = [SEATS.index(seat) for seat in game.places]
    assert rows[-1][3] == tuple(game.match.totals[at] for at in order)
    standing = game.standing()
    assert [row[1] for row in standing] == sorted(game.match.places)
    for seat, place, total, penalty, positive in standing:
        assert total == penalty + positive == game.match.totals[SEATS.index(seat)]
        assert place == game.match.places[SEATS.index(seat)]
        assert penalty <= 0 <= positive
    view = game.view()
    assert (view.number, view.hand, view.legal) == (10, (), frozenset())
    assert game.why_not("As") == "The match is over."


def test_quotas_left() -> None:
    game = session("rifki")
    assert game.quota("no-king") == 2
    assert session().quota("trumps-s") is None


def test_matches_that_are_not_of_the_game() -> None:
    with pytest.raises(ks.KingError, match="expected a match of kingsolve play"):
        Session(ks.Match("short-king", seed=1))
    with pytest.raises(ks.KingError, match="expected a level, one of easy"):
        session(level="godlike")


# --- what is kept ---


def test_the_store_keeps_finished_matches_apart_and_counts_them(tmp_path: Path) -> None:
    store = Store(tmp_path)
    assert store.latest() == (None, [])
    assert not list(tmp_path.iterdir())
    game, rng = session(), random.Random(3)
    other = session("parlett-3")
    store.save(other)
    store.save(game)
    assert store.latest()[0].id == game.id  # type: ignore[union-attr]
    while not game.is_over:
        step(game, rng)
    record, path = store.count(game), store.finish(game)
    assert path.parent == tmp_path / "matches"
    assert record.played == 1
    assert (store.count(game), store.finish(game)) == (record, path)
    assert store.latest()[0].id == other.id  # type: ignore[union-attr]
    match = ks.Match.from_json(path.read_bytes())
    assert match.totals == game.match.totals
    assert store.record("easy", game.variant) == (record, "")


def test_what_is_wrong_with_saved_matches(tmp_path: Path) -> None:
    store = Store(tmp_path)
    good = session()
    store.save(good)
    folder = tmp_path / "unfinished"
    for number, text in enumerate(['{"format"', "[]", '{"notes": {}, "variant": "short-king"}']):
        path = folder / f"bad-{number}.json"
        path.write_text(text, encoding="utf-8")
        os.utime(path, ns=(10**19 - number, 10**19 - number))
    found, said = store.latest()
    assert found is not None
    assert found.id == good.id
    assert [words.partition(":")[0] for words in said] == ["bad-0.json", "bad-1.json", "bad-2.json"]
    assert [words.endswith("(set aside)") for words in said] == [True, True, False]
    left = sorted(path.name for path in folder.glob("bad*"))
    assert left == ["bad-0.damaged", "bad-1.damaged", "bad-2.json"]


def test_a_house_variant_is_found_again(tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text('extends = "parlett-4"\ntitle = "House"\n', encoding="utf-8")
    game = Session.new(ks.load_variant(house), level="easy", seed=1)
    store = Store(tmp_path / "data")
    store.save(game)
    found, _ = store.latest()
    assert found is not None
    assert found.variant.title == "House"
    house.write_text('extends = "parlett-4"\ntitle = "Other"\n', encoding="utf-8")
    found, said = store.latest()
    assert found is None
    assert [f"the rules file {house} has changed since the match was begun" in words for words in said] == [
        True
    ]
    with pytest.raises(ks.KingError, match="has changed since the match was begun"):
        store.latest(strict=True)


def test_settings_are_kept_and_damage_is_no_harm(tmp_path: Path) -> None:
    store = Store(tmp_path)
    assert store.settings() == {}
    store.keep_settings({"level": "easy"})
    assert store.settings() == {"level": "easy"}
    (tmp_path / "settings.json").write_text("[", encoding="utf-8")
    assert store.settings() == {}
    (tmp_path / "statistics.json").write_text("[", encoding="utf-8")
    record, said = store.record("easy", ks.load_variant("short-king"))
    assert record.played == 0
    assert said == "damaged statistics set aside: statistics.damaged-1.json"


# --- words and paint ---


@pytest.mark.parametrize(
    ("id", "name", "words"),
    [
        ("full-king", "no-queens", "−4 a queen"), ("full-king", "no-men", "−4 a jack"),
        ("full-king", "no-hearts", "−2 a heart"), ("full-king", "no-king", "−16 for the K♥"),
        ("full-king", "no-last-two", "−8 for each of the last two"), ("full-king", "eralash", "−96 in all"),
        ("full-king", "trumps-h", "+3 a trick"), ("rifki", "no-men", "−60 a king or jack"),
        ("kierki", "no-7th-last", "−10 for tricks 7 and 13"), ("russian-14", "king", "+16 for the K♥"),
    ],
)  # fmt: skip
def test_prices(id: str, name: str, words: str) -> None:
    """Seed 002: "No girls, −4 a queen"."""
    assert price(ks.load_variant(id).contract(name)) == words


def test_words() -> None:
    assert (signed(-12), signed(0), signed(3)) == ("−12", "0", "+3")
    assert (card_words("Th"), card_words("As")) == ("10♥", "A♠")
    assert place_words(1, shared=True) == "You share first place: a draw."
    assert place_words(2, shared=True) == "You share place 2."
    assert [place_words(place, shared=False) for place in (1, 3, 4)] == [
        "You have won.", "You are third.", "You are last.",
    ]  # fmt: skip


@pytest.mark.parametrize("id", ["full-king", "parlett-3", "rifki", "king-1993"])
@pytest.mark.parametrize(("width", "height"), [(80, 15), (120, 30), (72, 10)])
def test_the_table_is_painted_whole(id: str, width: int, height: int) -> None:
    game, rng = session(id), random.Random(5)
    for _ in range(game.variant.seats * 2 + 3):
        step(game, rng)
    view = game.view()
    text = canvas.table(view, width, height)
    lines = text.plain.split("\n")
    assert [len(line) for line in lines] == [width] * height
    for seat in view.seats:
        assert seat.name in text.plain
        if seat.card:
            assert card_words(seat.card)[-1] in text.plain
    assert text.plain.count("▸") == 1
    assert text.plain.count(" D ") >= 1
    size = canvas.hand_size(len(view.hand), width, 24)
    hand = canvas.hand(view.hand, view.legal, width, size, cursor=0, your_turn=bool(view.legal))
    assert all(card_words(card) in hand.plain for card in view.hand)
    strip = canvas.strip(view.marks, width, lit=True).plain
    assert len(strip) <= width
    assert len(strip.split()) == len(view.marks) or width < 3 * len(view.marks)


def test_wide_letters_and_accents_take_their_room() -> None:
    names: dict[Place, str] = {"left": "漢字", "top": "Zoe\u0301", "right": "Ж"}
    game = Session.new(ks.load_variant("short-king"), level="easy", seed=3, names=names)
    for line in canvas.table(game.view(), 80, 15).plain.split("\n"):
        assert cell_len(line) == 80
    text = canvas.table(game.view(), 80, 15).plain
    assert all(name in text for name in names.values())
    heading = str(ScoreScreen(game, after_deal=False)._heading()).split("\n")
    assert len({cell_len(line) for line in heading}) == 1


def test_cards_that_may_be_played_stand_higher() -> None:
    """Without colour too: a line higher, and only they."""
    text = canvas.hand(("As", "Kh"), frozenset({"Kh"}), 20, canvas.SMALL, cursor=1, your_turn=True)
    lines = text.plain.split("\n")
    assert [line.find("╭") for line in lines[:2]] == [10, 5]
    assert lines[-1].split() == ["1", "[2]"]
