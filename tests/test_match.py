"""Match: whole random matches of every variant, their dealers, choosers, quotas, scores and JSON."""

import json
import random
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest

from kingsolve.cards import SEATS, cards_of, mask_of
from kingsolve.deal import Deal
from kingsolve.dealing import random_deal
from kingsolve.errors import CardError, DealError, IllegalCard, KingError, MatchError
from kingsolve.match import Match
from kingsolve.rounds import Round
from kingsolve.variants import load_variant, variant_ids
from play import next_seat, play_on, play_round, whole_match

ROUNDS = {
    "russian-14": 14,
    "full-king": 15,
    "short-king": 10,
    "parlett-3": 12,
    "parlett-4": 12,
    "dealers-choice-20": 20,
    "jeu-du-roi": 10,
    "king-1993": 56,
    "rifki": 20,
    "kierki": 7,
}


@pytest.fixture(scope="module")
def whole() -> dict[str, Match]:
    """One whole match of each variant."""
    return {id: whole_match(id) for id in variant_ids()}


@pytest.mark.parametrize("id", sorted(ROUNDS))
def test_a_whole_match_has_its_rounds_and_its_sum(whole, id):
    match = whole[id]
    assert match.is_over
    assert match.plan.rounds == len(match.results) == ROUNDS[id]
    assert match.balance == match.variant.match_total == (-200 if id == "kierki" else 0)
    assert match.totals == tuple(map(sum, zip(*match.scores, strict=True)))
    assert match.running[-1] == match.totals
    assert [b - a for a, b in zip(match.running[3], match.running[4], strict=True)] == list(match.scores[4])
    for number, result in enumerate(match.results, 1):
        assert result.number == number
        assert sum(result.scores) == result.contract.total
        assert result.round.position().is_over
    with pytest.raises(MatchError, match="expected a round to play, got a match whose"):
        match.deal()


@pytest.mark.parametrize("id", sorted(ROUNDS))
def test_the_deal_passes_one_seat_in_the_direction_of_play(whole, id):
    match = whole[id]
    if id == "kierki":
        assert len({result.dealer for result in match.results}) > 1
        return
    step = -1 if id == "rifki" else 1
    seats = match.variant.seats
    places = [SEATS.index(result.dealer) for result in match.results]
    assert all((b - a) % seats == step % seats for a, b in pairwise(places))
    assert {Counter(places)[i] for i in range(seats)} <= {len(places) // seats, -(-len(places) // seats)}
    assert match.first_dealer == (None if id == "king-1993" else match.results[0].dealer)


@pytest.mark.parametrize("id", sorted(ROUNDS))
def test_who_leads(whole, id):
    for result in whole[id].results:
        eldest = next_seat(id, result.dealer)
        expected = {"dealers-choice-20": result.dealer, "king-1993": result.chooser, "rifki": result.chooser}
        assert result.leader == expected.get(id, eldest) == result.round.leader


@pytest.mark.parametrize(("id", "times"), [("full-king", 2), ("short-king", 1)])
def test_eldest_names_the_trumps_each_seat_as_often(whole, id, times):
    """Seed 002: every player names the trump twice (once in Short King)."""
    named = [result for result in whole[id].results if result.contract.name.startswith("trumps")]
    assert Counter(result.chooser for result in named) == dict.fromkeys("NESW", times)
    assert all(result.chooser == next_seat(id, result.dealer) for result in named)
    others = [result for result in whole[id].results if result not in named]
    assert {result.chooser for result in others} == {None}


def test_each_dealer_chooses_five_times_in_seed_004(whole):
    results = whole["dealers-choice-20"].results
    assert Counter(result.chooser for result in results) == dict.fromkeys("NESW", 5)
    assert all(result.chooser == result.dealer for result in results)
    assert set(Counter(result.contract.name for result in results).values()) == {2}


def test_each_seat_of_rifki_chooses_three_penalties_and_two_trumps(whole):
    results = whole["rifki"].results
    kinds = Counter((result.chooser, result.contract.trump is None) for result in results)
    assert kinds == {(seat, penalty): 3 if penalty else 2 for seat in "NESW" for penalty in (True, False)}
    assert all(result.chooser == next_seat("rifki", result.dealer) for result in results)
    penalties = Counter(result.contract.name for result in results if result.contract.trump is None)
    assert set(penalties.values()) == {2}


def test_each_seat_of_king_1993_plays_each_contract_once(whole):
    results = whole["king-1993"].results
    assert len({(result.chooser, result.contract.name) for result in results}) == 56
    assert [result.chooser for result in results] == list("NESW") * 14


def test_fixed_orders_are_played_in_order(whole):
    for id in ("russian-14", "parlett-3", "jeu-du-roi", "kierki"):
        names = [result.contract.name for result in whole[id].results]
        assert names == [options[0] for options in whole[id].plan.order]


# --- deals ---


@pytest.mark.parametrize("id", sorted(ROUNDS))
def test_a_deal_holds_every_card_once_and_knows_its_order(id):
    v = load_variant(id)
    deal = random_deal(v, seed=3, number=7)
    deal.check(v.pack)
    assert sum(deal.hands) == v.pack
    assert [hand.bit_count() for hand in deal.hands] == [v.hand_size] * v.seats
    assert tuple(map(mask_of, deal.order)) == deal.hands


def test_a_deal_depends_on_seed_and_number_alone():
    a, b = Match("dealers-choice-20", seed=5), Match("dealers-choice-20", seed=5)
    deals = []
    for match, names in ((a, ["no-king", "no-men", "trumps-h"]), (b, ["trumps-s", "trumps-s", "no-tricks"])):
        for i, name in enumerate(names):
            match.choose(name)
            match.play(play_round(match, random.Random(i)))
        deals.append(match.deal())
    assert deals[0] == deals[1]
    assert random_deal(a.variant, seed=5, number=4, dealer=a.dealer) == deals[0]
    assert len({random_deal(a.variant, seed=s, number=n, dealer="N") for s in (5, 6) for n in (1, 2, 3)}) == 6


def test_packets_and_direction():
    """Seed 000: singly; seed 002: two at a time; rifki deals to the right."""
    flat = dealt_order("russian-14")
    assert dealt_order("full-king", packet=2) == flat
    v = replace(load_variant("russian-14"), clockwise=False)
    mirrored = random_deal(v, seed=9, number=1, dealer="N").order
    plain = random_deal(load_variant("russian-14"), seed=9, number=1, dealer="N").order
    assert (mirrored[3], mirrored[1], mirrored[0]) == (plain[1], plain[3], plain[0])


def dealt_order(id: str, packet: int = 1) -> list[str]:
    """The pack in the order dealt, put together again from the hands: dealer N, eldest E first."""
    order = random_deal(load_variant(id), seed=9, number=1, dealer="N").order
    return [
        card for i in range(0, 8, packet) for seat in (1, 2, 3, 0) for card in order[seat][i : i + packet]
    ]


def test_a_packet_that_does_not_divide_the_hand():
    v = replace(load_variant("dealers-choice-20"), packet=3)
    plain = random_deal(load_variant("dealers-choice-20"), seed=1, number=1, dealer="N").order
    deal = random_deal(v, seed=1, number=1, dealer="N")
    flat = [card for i in range(13) for seat in (1, 2, 3, 0) for card in plain[seat][i : i + 1]]
    assert deal.order[1] == (*flat[0:3], *flat[12:15], *flat[24:27], *flat[36:39], flat[48])
    assert [len(hand) for hand in deal.order] == [13] * 4


def test_cards_left_out_stay_out():
    v = replace(load_variant("parlett-4"), seats=3, hand_size=10, out=2)
    deal = random_deal(v, seed=1, number=1)
    assert [hand.bit_count() for hand in deal.hands] == [10, 10, 10]


def test_every_card_reaches_every_seat_about_as_often():
    v = load_variant("russian-14")
    aces = Counter(
        next(
            i
            for i, hand in enumerate(random_deal(v, seed=0, number=n, dealer="N").hands)
            if hand & mask_of("As")
        )
        for n in range(1, 801)
    )
    assert all(150 < aces[i] < 250 for i in range(4))


def test_first_dealers_are_drawn_from_the_seed():
    drawn = Counter(Match("russian-14", seed=seed).dealer for seed in range(400))
    assert set(drawn) == set("NESW")
    assert min(drawn.values()) > 60
    assert Match("russian-14", seed=1, first_dealer="w").dealer == "W"


def test_first_cards_are_the_three_that_eldest_has_seen():
    """Seed 002: a packet of two and one of the next."""
    match = Match("short-king", seed=2)
    with pytest.raises(MatchError, match=r"a round whose contract is chosen, got 'no-tricks' \(round 1\)"):
        match.first_cards()
    play_on(match, 6, 0)
    order = match.deal().order[SEATS.index(match.eldest)]
    assert match.chooser == match.eldest
    assert match.first_cards() == order[:3]
    assert len(Match("rifki", seed=2).first_cards()) == 13


# --- scores and places ---


def test_scores_alone_can_be_recorded():
    match = Match("parlett-3", seed=1)
    assert match.totals == (0, 0, 0)
    assert match.record([-72, 0, 0]).scores == (-72, 0, 0)
    match.record({"N": 0, "S": -40, "E": -32})
    assert match.totals == (-72, -32, -40)
    assert (match.places, match.winners) == ((3, 1, 2), ("E",))
    assert match.results[0].round is None
    whole = play_round(match, random.Random(1))
    assert match.record(whole).round == whole


def test_equal_totals_share_a_place_and_the_victory():
    match = Match("russian-14", seed=1)
    assert (match.places, match.winners) == ((1, 1, 1, 1), ("N", "E", "S", "W"))
    match.record([-6, -4, -4, -2])
    assert (match.places, match.winners) == ((4, 2, 2, 1), ("W",))
    match.record([0, 0, -8, -8])
    assert (match.totals, match.places) == ((-6, -4, -12, -10), (2, 1, 4, 3))
    match.record([0, -4, -4, -8])
    assert (match.totals, match.places) == ((-6, -8, -16, -18), (1, 2, 3, 4))
    match.record([-12, -2, -2, 0])
    assert (match.totals, match.places) == ((-18, -10, -18, -18), (2, 1, 2, 2))
    match.record([0, -16, 0, 0])
    assert (match.totals, match.places, match.winners) == (
        (-18, -26, -18, -18),
        (1, 4, 1, 1),
        ("N", "S", "W"),
    )


@pytest.mark.parametrize(
    "scores",
    [
        [-16, 0, 0],
        [-16, 0, 0, 0, 0],
        [-14, 0, 0, 0],
        [-18, 2, 0, 0],
        [16, 0, 0, 0],
        [-16.0, 0, 0, 0],
        [],
        {"N": -16, "E": 0, "S": 0},
        {"N": -16, "E": 0, "S": 0, "X": 0},
    ],
)
def test_scores_that_cannot_be(scores):
    match = Match("russian-14", seed=1)
    with pytest.raises(MatchError, match=r"expected .*scores .*round 1"):
        match.record(scores)
    assert match.number == 1


# --- bad steps ---


def test_a_match_needs_a_plan(tmp_path):
    path = tmp_path / "one.toml"
    path.write_text('title = "x"\nseats = 4\npack = "7-A"\n[contract]\na = { title = "a", trick = 1 }\n')
    with pytest.raises(MatchError, match=r"expected a variant with a \[match\], got 'one'"):
        Match(load_variant(path), seed=1)


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "1", None, True])
def test_bad_seeds(seed):
    with pytest.raises(MatchError, match="expected a seed from 0 to"):
        Match("russian-14", seed=seed)


def test_bad_first_dealers():
    with pytest.raises(CardError, match="expected a seat, one of N E S, got 'W'"):
        Match("parlett-3", seed=1, first_dealer="W")
    for id in ("king-1993", "kierki"):
        with pytest.raises(MatchError, match=f"expected no first dealer in {id}, got 'N'"):
            Match(id, seed=1, first_dealer="N")


def test_choosing_out_of_turn():
    match = Match("dealers-choice-20", seed=1, first_dealer="N")
    with pytest.raises(MatchError, match=r"expected N to choose a contract first \(round 1\)"):
        match.position()
    with pytest.raises(MatchError, match="expected N to choose a contract first"):
        match.record([0, 0, 0, -320])
    with pytest.raises(
        MatchError, match=r"open in dealers-choice-20: no-tricks .* N to choose\), got 'eralash'"
    ):
        match.choose("eralash")
    with pytest.raises(MatchError, match="got 'no-king' of rifki"):
        match.choose(load_variant("rifki").contract("no-king"))
    assert match.choose(match.variant.contract("no-king")) is match.contract
    with pytest.raises(
        MatchError, match=r"expected no second choice after 'no-king' \(round 1\), got 'no-men'"
    ):
        match.choose("no-men")


def test_a_filled_quota_is_closed():
    match = Match("dealers-choice-20", seed=1)
    for _ in range(2):
        assert "no-king" in match.open
        match.choose("no-king")
        match.record([0, 0, 0, -320])
    assert "no-king" not in match.open
    with pytest.raises(MatchError, match=r"\(round 3, . to choose\), got 'no-king', which is not open"):
        match.choose("no-king")


def test_quotas_of_a_seat_bind_that_seat_alone():
    match = Match("king-1993", seed=1)
    for _ in range(4):
        match.choose("no-king")
        match.record([0, 0, 0, -160])
    assert match.chooser == "N"
    assert "no-king" not in match.open
    assert len(match.open) == 13
    rifki = Match("rifki", seed=1, first_dealer="N")
    names = "trumps-s no-king no-king no-men trumps-s no-men no-hearts no-hearts"
    for name in names.split():
        rifki.choose(name)
        rifki.record([rifki.variant.contract(name).total, 0, 0, 0])
    assert rifki.chooser == "W"
    assert rifki.open == ("no-tricks", "no-queens", "no-last-two")


def test_a_fixed_round_has_one_contract():
    match = Match("russian-14", seed=1)
    assert match.open == ("no-tricks",)
    with pytest.raises(
        MatchError, match=r"open in russian-14: no-tricks \(round 1\), got 'no-men', which is"
    ):
        match.choose("no-men")
    assert match.choose("no-tricks").name == "no-tricks"


def test_rounds_that_do_not_follow():
    match = Match("russian-14", seed=1, first_dealer="N")
    good = play_round(match, random.Random(1))
    deal, cards, contract = good.deal, good.cards, good.contract
    other = match.variant.contract("no-men")

    def refused(error: type[KingError], text: str, bad: Round) -> None:
        with pytest.raises(error, match=text):
            match.play(bad)
        assert match.number == 1

    refused(MatchError, r"expected 'no-tricks' \(round 1\), got 'no-men'", Round(other, "E", deal, cards))
    refused(MatchError, r"expected E to lead \(round 1\), got S", Round(contract, "S", deal, cards))
    wrong = replace(deal, dealer="S")
    refused(MatchError, r"expected N to deal \(round 1\), got S", Round(contract, "E", wrong, cards))
    refused(MatchError, "expected a round played to its end", Round(contract, "E", deal, cards[:-4]))
    refused(MatchError, "expected a round played to its end", Round(contract, "E", deal, cards[:-1]))
    refused(IllegalCard, "you do not hold that card", Round(contract, "E", deal, cards[::-1]))
    small = Deal(tuple(mask_of(card) for card in ("As", "Ks", "Qs", "Js")))
    refused(
        MatchError,
        r"expected hands of 8 cards \(round 1\), got 1",
        Round(contract, "E", small, "Ks Qs Js As"),
    )
    foreign = Deal((mask_of("2s"), *deal.hands[1:]))
    refused(DealError, "expected cards of the pack", Round(contract, "E", foreign, cards))
    order = (deal.order[1], deal.order[0], *deal.order[2:])
    refused(MatchError, "expected the order dealt", Round(contract, "E", replace(deal, order=order), cards))
    assert match.play(good).scores == good.position().banked


def test_a_round_played_elsewhere_is_taken_with_its_own_hands():
    match, other = (
        Match("russian-14", seed=1, first_dealer="N"),
        Match("russian-14", seed=2, first_dealer="N"),
    )
    played = play_round(other, random.Random(3))
    match.play(replace_deal(played, Deal(played.deal.hands)))
    assert match.results[0].round.deal.order is None
    assert match.results[0].dealer == "N"


def replace_deal(played: Round, deal: Deal) -> Round:
    return Round(played.contract, played.leader, deal, played.cards)


def test_an_open_contract_counts_as_chosen_when_its_round_is_played():
    match = Match("dealers-choice-20", seed=1)
    twin = Match("dealers-choice-20", seed=1)
    twin.choose("no-queens")
    assert match.play(play_round(twin, random.Random(1))).contract.name == "no-queens"


def test_the_leader_of_kierki_comes_with_the_deal():
    match = Match("kierki", seed=1)
    assert match.leader == match.eldest
    played = play_round(match, random.Random(2))
    other = SEATS[(SEATS.index(match.leader) + 1) % 4]
    hands = played.deal.hands
    turned = tuple(hands[(i - 1) % 4] for i in range(4))
    result = match.play(Round(played.contract, other, Deal(turned), played.cards))
    assert result.leader == other


# --- JSON ---


@pytest.mark.parametrize("id", sorted(ROUNDS))
def test_a_match_read_back_midway_goes_on_identically(id):
    half = ROUNDS[id] // 2
    match = play_on(Match(id, seed=11), half, 4)
    if match.contract is None:
        match.choose(match.open[-1])
    again = Match.from_json(match.to_json())
    assert again.to_json() == match.to_json()
    assert (again.dealer, again.chooser, again.leader) == (match.dealer, match.chooser, match.leader)
    assert (again.contract, again.open, again.deal()) == (match.contract, match.open, match.deal())
    rest = ROUNDS[id] - half
    assert play_on(again, rest, 4).to_json() == play_on(match, rest, 4).to_json()
    assert again.results == match.results


def test_the_whole_match_reads_back(whole):
    for match in whole.values():
        again = Match.from_json(match.to_json())
        assert again.is_over
        assert again.results == match.results
        assert again.first_dealer == match.first_dealer


@pytest.mark.parametrize("id", ["short-king", "parlett-3", "dealers-choice-20", "rifki", "kierki"])
def test_a_match_is_played_card_by_card_and_left_anywhere(id):
    """Pushed a card at a time, through JSON again and again, it becomes the same match."""
    whole = whole_match(id)
    match = Match(id, seed=1, players={"N": "Max"}, notes={"level": "easy", "order": [1, 2]})
    rng = random.Random(5)
    for result in whole.results[:6]:
        if match.contract is None:
            match.choose(result.contract.name)
        for i, card in enumerate(result.round.cards):
            assert match.cards == result.round.cards[:i]
            assert match.now().banked == match.current.position().banked
            assert match.turn == match.now().turn
            if rng.random() < 0.2:
                match = Match.from_json(match.to_json())
            ended = match.push(card)
            assert (ended is None) == (i + 1 < len(result.round.cards))
        assert ended == result
        assert match.cards == ()
    assert match.players == {"N": "Max"}
    assert match.notes == {"level": "easy", "order": [1, 2]}


def test_cards_that_may_not_be_pushed():
    match = Match("dealers-choice-20", seed=1)
    with pytest.raises(MatchError, match="to choose a contract first"):
        match.push("As")
    match.choose("no-king")
    held = match.now().hands[match.turn]
    with pytest.raises(IllegalCard, match="you do not hold that card"):
        match.push(next(card for card in cards_of(match.variant.pack) if card not in held))
    assert match.cards == ()
    match.push(held[-1])
    with pytest.raises(MatchError, match="expected no second choice after 'no-king'"):
        match.choose("no-men")
    match.record([0, 0, 0, -320])
    assert (match.cards, match.number, match.contract) == ((), 2, None)


def test_how_often_a_contract_may_still_be_chosen():
    match = Match("rifki", seed=1, first_dealer="N")
    assert set(match.left.values()) == {2}
    for name in "trumps-s no-king no-king no-men".split():
        match.choose(name)
        match.record([match.variant.contract(name).total, 0, 0, 0])
    assert (match.chooser, match.number) == ("W", 5)
    assert {name: left for name, left in match.left.items() if left != 2} == {
        **{name: 1 for name in match.left if name.startswith("trumps")},
        "no-king": 0,
        "no-men": 1,
    }
    assert match.open == tuple(name for name, left in match.left.items() if left)
    assert Match("short-king", seed=1).left == {}


def test_json_of_version_1_reads():
    data = json.loads(changed())
    for key in ("players", "cards", "notes"):
        del data[key]
    assert Match.from_json(json.dumps({**data, "version": 1})).number == 3


def test_json_keeps_scores_without_cards_and_hands_without_order():
    match = Match("kierki", seed=1)
    match.record([-13, 0, 0, 0])
    played = play_round(match, random.Random(1))
    match.play(replace_deal(played, Deal(played.deal.hands)))
    text = match.to_json()
    rounds = json.loads(text)["rounds"]
    assert rounds[0] == {"contract": "no-tricks", "leader": match.results[0].leader, "scores": [-13, 0, 0, 0]}
    assert rounds[1]["hands"]["N"] == cards_of(played.deal.hands[0])
    assert Match.from_json(text.encode()).results == match.results


def test_a_users_variant_is_given_with_its_match(tmp_path):
    path = tmp_path / "house.toml"
    path.write_text('extends = "parlett-4"\ntitle = "House"\n')
    v = load_variant(path)
    text = play_on(Match(v, seed=1), 2, 1).to_json()
    assert Match.from_json(text, variant=v).number == 3
    with pytest.raises(MatchError, match=r"expected a variant that ships .*, got 'house'"):
        Match.from_json(text)
    path.write_text('extends = "parlett-4"\ntitle = "Our House"\n')
    again = Match.from_json(text, variant=load_variant(path))
    assert (again.number, again.variant.title) == (3, "Our House")
    path.write_text(
        'extends = "parlett-4"\ntitle = "House"\n[contract]\nno-tricks = { title = "No", trick = -9 }\n'
    )
    with pytest.raises(MatchError, match=r"expected the scores .* \(the rules file .*house.toml has changed"):
        Match.from_json(text, variant=load_variant(path))


def changed(**changes: object) -> str:
    """A match in JSON with fields changed, or taken out where the value is `...`; `r_x`: x of round 1."""
    data = json.loads(play_on(Match("russian-14", seed=1, first_dealer="N"), 2, 1).to_json())
    for key, value in changes.items():
        table = data["rounds"][0] if key.startswith("r_") else data
        key = key.removeprefix("r_")
        if value is ...:
            del table[key]
        else:
            table[key] = value
    return json.dumps(data)


BAD_JSON = {
    "empty": ("", "expected a match in JSON, got a fault: Expecting value"),
    "not utf-8": (b'{"a": "\xff"}', "expected a match in JSON, got a fault: "),
    "deep": ("[" * 100000, "expected a match in JSON, got a fault: "),
    "a list": ("[]", "match: expected a JSON object, got []"),
    "a key twice": ('{"seed": 1, "seed": 2}', "expected each key of a JSON object once, got 'seed' twice"),
    "format": (
        changed(format="kingsolve deal"),
        "expected 'kingsolve match' version 2, got 'kingsolve deal'",
    ),
    "version": (changed(version=3), "expected 'kingsolve match' version 2, got 'kingsolve match' version 3"),
    "version 1 with keys of 2": (changed(version=1), "match: expected the keys format .*, got 'players'"),
    "players": (changed(players=["Max"]), "match: players: expected a JSON object of texts, got"),
    "a player nowhere": (changed(players={"X": "Max"}), "expected players at N E S W, got one at 'X'"),
    "notes": (changed(notes=3), "match: notes: expected a JSON object, got 3"),
    "cards": (changed(cards=[3]), "match: cards: expected a list of texts, got"),
    "card in progress": (changed(cards=["2s"]), "round 3, in progress: you do not hold that card"),
    "no seed": (changed(seed=...), "match: expected the key 'seed', got none"),
    "seed": (changed(seed="1"), r"expected a seed from 0 to 2\*\*64-1, got '1'"),
    "extra": (changed(extra=1), "match: expected the keys format version .*, got 'extra'"),
    "variant": (changed(variant="whist"), "match: expected a variant that ships .*, got 'whist'"),
    "a path": (
        changed(variant="./house.toml"),
        "match: expected a variant that ships .*, got './house.toml'",
    ),
    "variant a number": (changed(variant=3), "match: variant: expected a text, got 3"),
    "sha256": (
        changed(sha256="00"),
        "match: the rules file .* has changed since the match was begun: .*'00', got '",
    ),
    "first dealer": (changed(first_dealer="X"), "expected a match in JSON, got a fault: expected a seat"),
    "another first dealer": (changed(first_dealer="E"), r"expected S to lead \(round 1\), got E"),
    "chosen": (
        changed(chosen="no-king"),
        "expected a contract open in russian-14: no-queens .*, got 'no-king'",
    ),
    "rounds": (changed(rounds={}), "match: rounds: expected a list of JSON objects, got {}"),
    "round": (changed(rounds=[3]), "match: rounds: expected a list of JSON objects, got"),
    "round key": (changed(r_x=1), "round 1: expected the keys contract .*, got 'x'"),
    "round without scores": (changed(r_scores=...), "round 1: expected the key 'scores', got none"),
    "scores": (changed(r_scores=[0, 0, 0, -16]), "round 1: expected the scores of the cards, .*, got"),
    "score of text": (changed(r_scores=["0"]), "round 1: scores: expected a list of whole numbers, got"),
    "contract": (changed(r_contract="no-boys"), "round 1: expected a contract of russian-14"),
    "other contract": (changed(r_contract="no-men"), r"expected 'no-tricks' \(round 1\), got 'no-men'"),
    "leader": (changed(r_leader="N"), r"expected E to lead \(round 1\), got N"),
    "leader a number": (changed(r_leader=1), "round 1: leader: expected a text, got 1"),
    "dealer": (changed(r_dealer="S"), r"expected N to deal \(round 1\), got S"),
    "no hands": (changed(r_dealt=...), "round 1: expected either 'dealt' or 'hands' with the cards"),
    "both hands": (changed(r_hands={}), "round 1: expected either 'dealt' or 'hands' with the cards"),
    "three hands": (
        changed(r_dealt={"N": [], "E": [], "S": []}),
        "round 1: dealt: expected the key 'W', got none",
    ),
    "odd card": (
        changed(r_dealt={seat: ["1x"] for seat in "NESW"}),
        "round 1: dealt: expected cards such as 'As', got '1x'",
    ),
    "card twice": (changed(r_dealt={seat: ["As"] for seat in "NESW"}), "round 1: expected each card once"),
    "card fallen short": (
        changed(r_cards=[]),
        r"expected a round played to its end \(round 1\), got 0 cards",
    ),
    "bad card": (changed(r_cards=["Zz"]), "round 1: expected a card such as 'As'"),
    "no cards but hands": (
        changed(r_cards=...),
        "round 1: expected the keys contract leader scores, got 'dealer'",
    ),
    "scores alone, wrong leader": (
        changed(rounds=[{"contract": "no-tricks", "leader": "N", "scores": [-16, 0, 0, 0]}]),
        "round 1: expected 'no-tricks' led by E, got 'no-tricks' led by N",
    ),
    "scores alone, wrong sum": (
        changed(rounds=[{"contract": "no-tricks", "leader": "E", "scores": [-8, 0, 0, 0]}]),
        r"expected 4 scores within -16 .. 0 that sum to -16 \(no-tricks, round 1\)",
    ),
}


@pytest.mark.parametrize("what", BAD_JSON)
def test_json_that_is_no_match(what):
    text, expected = BAD_JSON[what]
    with pytest.raises(MatchError, match=f"^{expected}" if "[" not in expected else None) as caught:
        Match.from_json(text)
    assert "\n" not in str(caught.value)
    if "[" in expected:
        assert str(caught.value).startswith(expected)


def test_more_rounds_than_the_match_has(whole):
    data = json.loads(whole["short-king"].to_json())
    data["rounds"].append(data["rounds"][0])
    with pytest.raises(MatchError, match="expected a round to play, got a match whose 10 rounds are over"):
        Match.from_json(json.dumps(data))


def test_the_unchanged_json_reads():
    assert Match.from_json(changed()).number == 3
