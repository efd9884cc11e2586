"""Knowledge against brute force: the set of deals it describes is exactly that of all legal plays."""

from dataclasses import replace

import pytest

import kingsolve as ks
import naive
from consistent import (
    ace_king_queen,
    any_rules,
    consistent,
    consistent_by_position,
    described,
    names_of,
    recorded,
    small,
)
from kingsolve.cards import bits_of, card_name, mask_of
from kingsolve.errors import KnowledgeError
from kingsolve.knowledge import Knowledge
from twins import EVERY, generator, label, scaled, twin


@pytest.mark.parametrize("contract", EVERY, ids=label)
def test_the_deals_are_exactly_those_of_legal_play(contract: naive.NaiveContract) -> None:
    rng = generator("knowledge", label(contract))
    hand = 4 if len(contract.seats) == 3 else 3
    for _ in range(scaled(6)):
        record = recorded(rng, contract, hand, rng.randrange(hand * len(contract.seats)))
        seat = rng.choice(contract.seats)
        k = Knowledge.from_round(record, seat)
        deals = described(k)
        assert len(deals) == len(set(deals))
        assert set(deals) == consistent(contract, record, seat), (record, seat)


FIRST = [contract for contract in EVERY if contract.no_trumps_first_trick]
RULED = [c for c in EVERY if c.trump or c.penalty_under_higher or (c.barred_leads and c.must_discard)]


@pytest.mark.parametrize("contract", [*FIRST, *RULED], ids=label)
def test_first_tricks_and_duties(contract: naive.NaiveContract) -> None:
    """Deals of four cards a hand that are whole deals, so that their first trick is a first trick."""
    rng = generator("first", label(contract))
    hand = 4 if len(contract.seats) == 3 else 3
    ruled = twin(contract)
    shrunk = replace(ruled, hand_size=hand, trick_points=ruled.trick_points[-hand:])
    for _ in range(scaled(6)):
        record = recorded(rng, contract, hand, rng.randrange(1, hand * len(contract.seats)))
        record = ks.Round(shrunk, record.leader, record.deal, ())
        small_contract = small(contract, hand)
        position = naive.position(
            small_contract,
            {s: names_of(h) for s, h in zip(contract.seats, record.deal.hands, strict=True)},
            record.leader,
        )
        played = []
        for _ in range(rng.randrange(1, hand * len(contract.seats))):
            played.append(naive.pick(rng, naive.legal(position), 1)[0])
            position = naive.after(position, played[-1])[0]
        used = sum(record.deal.hands)
        whole = replace(shrunk, pack=used)
        record = ks.Round(whole, record.leader, record.deal, played)
        seat = rng.choice(contract.seats)
        deals = described(Knowledge.from_round(record, seat))
        assert len(deals) == len(set(deals))
        assert set(deals) == consistent(small_contract, record, seat), (record, seat)


def test_rules_in_any_combination() -> None:
    """Rules that no variant combines: first-trick bars other than trumps, waivers, all duties at once."""
    rng = generator("any rules")
    for _ in range(scaled(100)):
        suits = rng.sample("cdhs", rng.choice((2, 3)))
        cards = rng.sample([rank + suit for suit in suits for rank in "789TJQKA"], 12)
        contract = any_rules(rng, mask_of(cards), 3)
        hands = dict(zip("NESW", (cards[i : i + 3] for i in range(0, 12, 3)), strict=True))
        position = ks.Position(contract, hands, leader=rng.choice("NESW"))
        leader, played = position.leader, []
        for _ in range(rng.randrange(12)):
            played.append(rng.choice(position.legal_cards()))
            position.push(played[-1])
        record = ks.Round(contract, leader, hands, played)
        seat = rng.randrange(4)
        k = Knowledge.from_round(record, "NESW"[seat])
        deals = described(k)
        assert len(deals) == len(set(deals))
        assert set(deals) == consistent_by_position(record, seat), (contract, record, seat)
        for bit in bits_of(k.hidden):
            holders = {place for deal in deals for place in range(4) if deal[place] >> bit & 1}
            assert k.owners(card_name(bit)) == "".join("NESW"[place] for place in sorted(holders))


# --- in words ---

FOUR = ks.load_variant("dealers-choice-20")
TRUMPS = FOUR.contract("trumps-s")
RUSSIAN = ks.load_variant("russian-14")
SPADES = "As Ks Qs Js Ts 9s 8s 7s"


def words(record: ks.Round, seat: str) -> list[str]:
    return [reason.text for reason in Knowledge.from_round(record, seat).reasons()]


def alone(contract: ks.Contract, leader: str, hand: str, cards: str) -> ks.Round:
    """A record of which only N's hand is known."""
    return ks.Round(contract, leader, f"N:{hand} - - -", cards)


def test_void_and_no_king() -> None:
    no_king = RUSSIAN.contract("no-king")
    record = alone(no_king, "S", "AK.AQ.AK.AK", "7s 8h")
    assert words(record, "N") == [
        "W did not follow spades on trick 1: W holds no spades",
        "W did not follow spades on trick 1 and did not play K♥: W does not hold K♥",
    ]
    k = Knowledge.from_round(record, "N")
    assert (k.owners("Kh"), k.owners("9s"), k.owners("Ah"), k.owners("8h")) == ("ES", "ES", "N", "")
    assert (k.turn, k.leader, k.trick, k.sizes) == ("N", "S", ("7s", "8h"), (8, 8, 7, 7))
    assert k.reasons()[1] == ks.Reason("W", words(record, "N")[1], (), ("Kh",))


def test_a_barred_lead() -> None:
    record = alone(RUSSIAN.contract("no-king"), "E", "AK9..AK9.AK", "7h")
    assert words(record, "N") == [
        "E led 7♥ on trick 1, where hearts may be led from a hand of nothing else: E holds nothing else",
        "every other place is ruled out, by reasons above or by counting: E holds A♥ K♥ Q♥ J♥ T♥ 9♥ 8♥",
    ]
    assert Knowledge.from_round(record, "N").owners("7s") == "SW"


def test_no_trump_where_one_is_owed() -> None:
    record = alone(TRUMPS, "N", "A43.5432.432.432", "2c 5c 6c 7c 8c 3c 9h 9c")
    assert words(record, "N") == [
        "E did not follow clubs on trick 2: E holds no clubs",
        "E did not follow clubs on trick 2 and did not trump: E holds no trumps",
    ]


def test_no_higher_trump_on_a_ruff() -> None:
    """E ruffs with the seven, S, void too, underruffs."""
    record = alone(TRUMPS, "N", "A43.5432.432.432", "2c 5c 6c 7c 8c 3c 7s 6s")
    assert words(record, "N")[-2] == (
        "S did not follow clubs on trick 2 and did not beat 7♠ with a trump: S holds no A♠ K♠ Q♠ J♠ T♠ 9♠ 8♠"
    )


def test_trumps_led_and_not_beaten() -> None:
    record = alone(TRUMPS, "N", "A43.5432.432.432", "2c 5c 6c 7c 8c 3c 7s 9c 9s 6s")
    assert words(record, "N")[-1] == (
        "S followed spades on trick 3 without beating 9♠: S holds no A♠ K♠ Q♠ J♠ T♠"
    )


def test_trumps_on_the_first_trick() -> None:
    """Seed 004: no trumps on the first trick, so who plays one had nothing else."""
    record = alone(TRUMPS, "N", ".65432.5432.5432", "2c 7s")
    assert words(record, "N") == [
        "E did not follow clubs on trick 1: E holds no clubs",
        "E did not follow clubs on trick 1 and played 7♠, though trumps are barred: E holds nothing else",
        "every other place is ruled out, by reasons above or by counting: "
        "E holds A♠ K♠ Q♠ J♠ T♠ 9♠ 8♠ 6♠ 5♠ 4♠ 3♠ 2♠",
    ]


def test_ace_king_queen_or_nothing_else() -> None:
    """Seed 004's exception: two kinds of hand may lead a trump, and they overlap."""
    hands = "N:.2.32.2 AKQ5... JT98... .A.AK.A"
    k = Knowledge.from_round(ks.Round(TRUMPS, "E", hands, "5s"), "N")
    assert k.reasons()[0].text == (
        "E led 5♠ on trick 10, where trumps may be led from a hand of nothing else or that holds A♠ K♠ Q♠: "
        "E holds A♠ K♠ Q♠ or nothing else"
    )
    deals = described(k)
    holding = [deal for deal in deals if deal[1] == mask_of("As Ks Qs")]
    assert len(holding) == 70  # W and S share eight cards; E has three left, so A K Q is within nothing else
    assert len(deals) == 35 * 70
    more = "N:.2.32.32 AKQ52... JT98.3.. .A.AK.AK"
    k = Knowledge.from_round(ks.Round(TRUMPS, "E", more, "5s"), "N")
    assert len(k.worlds) > 1
    sets = [mask_of("As Ks Qs"), TRUMPS.pack & mask_of("As Ks Qs Js Ts 9s 8s 2s")]
    for deal in described(k):
        assert deal[1] & sets[0] == sets[0] or not deal[1] & ~sets[1]


def test_one_of_the_three_seen_elsewhere_leaves_nothing_else() -> None:
    hands = "N:K.2.3.2 AQ75... JT98... .A.AK.A"
    k = Knowledge.from_round(ks.Round(TRUMPS, "E", hands, "5s"), "N")
    assert len(k.worlds) == 1
    assert k.owners("Ad") == "SW"
    assert k.reasons()[-1].text == (
        "no deal that fits the reasons above, hand by hand, gives them to E: E does not hold A♥ A♦ K♦ A♣"
    )


def test_a_penalty_card_under_a_higher_one() -> None:
    rifki = ks.load_variant("rifki").contract("no-queens")
    record = alone(rifki, "S", "AK32.5432.432.32", "Ac Jc")
    text = "E followed clubs on trick 1 with J♣, not with a penalty card under A♣: E does not hold Q♣"
    assert words(record, "N") == [text]


def test_counting_is_a_reason() -> None:
    no_king = RUSSIAN.contract("no-king")
    k = Knowledge(no_king, "N", own=SPADES, void={"E": "h", "S": "h"})
    assert (k.owners("Kh"), k.owners("Ad")) == ("W", "ES")
    assert [reason.text for reason in k.reasons()] == [
        "given: E holds no hearts",
        "given: S holds no hearts",
        "every other place is ruled out, by reasons above or by counting: W holds A♥ K♥ Q♥ J♥ T♥ 9♥ 8♥ 7♥",
        "no deal that fits the reasons above, hand by hand, gives them to W: "
        "W does not hold A♦ K♦ Q♦ J♦ T♦ 9♦ 8♦ 7♦ A♣ K♣ Q♣ J♣ T♣ 9♣ 8♣ 7♣",
    ]
    assert k.reasons()[2].holds == ("Ah", "Kh", "Qh", "Jh", "Th", "9h", "8h", "7h")


def test_a_barred_card_in_the_trick_breaks_the_bar() -> None:
    """Given by hand as recorded: W, who plays last and then leads or not, need not be told of E's heart."""
    contract = twin(next(c for c in EVERY if label(c) == "dealers-choice-20/no-hearts"))
    hidden = mask_of("As Ks Qs Js Ts 9s")
    for trick, broken in (("2c 6h 7c", True), ("2c 6d 7c", False)):
        gone = contract.pack & ~hidden & ~mask_of(f"3c 4h 5d {trick}")
        k = Knowledge(contract, "W", own="3c 4h 5d", seen=names_of(gone), leader="N", trick=trick)
        assert k.broken == broken
    # on the first trick no card was played before it: a heart led there says that the hand is all hearts
    hand = " ".join(f"{rank}c" for rank in "23456789TJQKA")
    first = Knowledge(contract, "E", own=hand, leader="N", trick="6h", broken=True)
    assert first.reasons()[0].text == (
        "N led 6♥ on trick 1, where hearts may be led from a hand of nothing else: N holds nothing else"
    )


def test_before_the_hand_is_dealt() -> None:
    trumps = ks.load_variant("full-king").contract("trumps-s")
    k = Knowledge(trumps, "E", own="As Ks 7h", sizes=8, leader="E")
    assert (k.owners("As"), k.owners("Qs"), k.sizes, k.reasons()) == ("E", "NESW", (8, 8, 8, 8), [])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"own": "As Ks Qs"}, "expected 8 cards in the hand of N (32 are not seen), got 3"),
        ({"own": SPADES, "seen": "As"}, "A♠ is seen and held by N"),
        ({"own": SPADES, "holds": {"E": "As"}}, "given: E holds A♠; but N holds A♠"),
        (
            {"own": SPADES, "void": {"E": "h"}, "holds": {"E": "Kh"}},
            "E holds no hearts; but given: E holds K♥",
        ),
        ({"own": SPADES, "holds": {"E": "Kh", "W": "Kh"}}, "given: E holds K♥; but given: W holds K♥"),
        ({"own": SPADES, "void": {"E": "hdc"}}, "could lie only with S and W, where 16 cards are unknown"),
        ({"own": SPADES, "void": {"E": "h", "S": "h", "W": "h"}}, "but nobody else could hold"),
        ({"own": SPADES[:-1] + "h", "lacks": {"E": "2s"}}, "expected cards of the pack, got '2s'"),
        ({"own": "As Ks Qs Js Ts 9s 8s 2s"}, "expected cards of the pack held by N, got '2s'"),
        ({"own": SPADES, "void": {"E": "x"}}, "expected suits such as 'h' or 'hs', got 'x'"),
        ({"own": SPADES, "shown": {"E": SPADES}}, "is held by N and held by E"),
        (
            {"own": SPADES, "trick": "Ah Kh Qh Jh", "leader": "E"},
            "expected at most 3 cards in the trick, got 4",
        ),
        ({"own": SPADES, "sizes": {"E": 9, "S": 7}}, "expected hands of at most 8 cards"),
        ({"own": SPADES, "sizes": {"E": 7}}, "32 are not seen, the hands hold 31 (N 8 E 7 S 8 W 8)"),
    ],
)
def test_what_cannot_be(arguments: dict, message: str) -> None:
    with pytest.raises(ks.KingError) as caught:
        Knowledge(RUSSIAN.contract("no-king"), "N", **arguments)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ("As Ah Ad Ac Ks Qs", "N holds Q♠; but E played it on trick 2"),
        ("As Ah Ad Ac Ks Kd As", "got 'As' again (S, trick 2)"),
        ("As Ah Ad Ac Kc", "N was dealt no K♣; but N played it on trick 2"),
        ("7s Ah Ad Ac 8s Kh", "E did not follow spades on trick 1 and did not play K♥"),
    ],
)
def test_a_record_that_cannot_be(cards: str, message: str) -> None:
    with pytest.raises(KnowledgeError) as caught:
        Knowledge.from_round(alone(RUSSIAN.contract("no-king"), "N", "AKQJT987...", cards), "N")
    assert message in str(caught.value)


def test_a_revoke_names_both_cards() -> None:
    record = alone(RUSSIAN.contract("no-tricks"), "N", "AKQJ.AKQJ..", "As Ad 7s 8s Ks 9s")
    with pytest.raises(KnowledgeError, match=r"E holds no spades; but E played 9♠ on trick 2"):
        Knowledge.from_round(record, "N")


def test_only_the_own_hand_is_looked_at() -> None:
    no_king = RUSSIAN.contract("no-king")
    own = "AKQJ.AKQJ.."
    one = ks.Round(no_king, "N", f"N:{own} T987.T987.. ..AKQJT987. ...AKQJT987", "As")
    other = ks.Round(no_king, "N", f"N:{own} ...AKQJT987 ..AKQJT987. T987.T987..", "As")
    first, second = (Knowledge.from_round(record, "N") for record in (one, other))
    assert (first.worlds, first.reasons()) == (second.worlds, second.reasons())
    shown = Knowledge.from_round(one, "N", shown="S")
    assert shown.owners("Ad") == "S"
    with pytest.raises(KnowledgeError, match="expected the hand of E, got '-'"):
        Knowledge.from_round(alone(no_king, "N", own, "As"), "E")


def test_worlds_apart_are_counted_exactly() -> None:
    """Leads that either kind of hand may make, and random legal plays after them."""
    rng = generator("ace king queen")
    worlds = 0
    for _ in range(scaled(16)):
        record = ace_king_queen(rng)
        k = Knowledge.from_round(record, "N")
        worlds += len(k.worlds) > 1
        deals = described(k)
        assert len(deals) == len(set(deals))
        assert set(deals) == consistent_by_position(record, 0)
    assert worlds >= 2
