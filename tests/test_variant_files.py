"""A user's own variant files: extends, cards left out, every fault as one line with file, table and key."""

from dataclasses import replace

import pytest

from kingsolve.cards import cards_of, glob_mask, mask_of
from kingsolve.errors import VariantError
from kingsolve.position import Position
from kingsolve.variants import load_variant, variant_ids

BASE = """
title = "House King"
seats = 4
pack = "7-A"

[rule.king-out]
lead = { barred = "?h", until = "nothing-else" }
void = { must_discard = "Kh" }

[contract]
no-queens = { title = "No Queens", cards = { "Q?" = -4 } }
no-king = { title = "No King", cards = { "Kh" = -16 }, rule = "king-out" }

[match]
order = ["no-queens", "no-king"]
"""

PREFERANS = """
# Preferans: three seats of ten cards, two left in the widow, a void hand must trump.
title = "Preferans"
seats = 3
pack = "7-A"
hand = 10
out = 2
early_stop = false

[rule.must-trump]
void = { trump = "must-trump" }

[contract]
six-hearts = { title = "Six hearts", trick = 1, trump = "h", rule = "must-trump" }
misere = { title = "Misère", trick = -1 }
"""


@pytest.fixture
def house(tmp_path):
    """Writes a file and returns its path as text."""

    def write(text: str | bytes, name: str = "house.toml") -> str:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    return write


def test_a_users_file_loads_by_text_and_by_path(house, tmp_path, monkeypatch):
    v = load_variant(house(BASE))
    assert (v.id, v.title, v.hand_size) == ("house", "House King", 8)
    assert v.contract("no-king").must_discard == mask_of("Kh")
    assert v.contract("no-king").variant == "house"
    assert v.text == BASE
    assert load_variant(tmp_path / "house.toml") == v
    monkeypatch.chdir(tmp_path)
    assert load_variant("house.toml").contracts == v.contracts
    house(BASE, "plain")
    assert load_variant("plain").id == "plain"
    assert load_variant("./plain").id == "plain"


def test_a_shipped_id_wins_over_a_file_of_that_name(house, tmp_path, monkeypatch):
    house(BASE, "rifki")
    monkeypatch.chdir(tmp_path)
    assert load_variant("rifki").title.startswith("Rıfkı")
    with pytest.raises(VariantError, match=r"^\./rifki: expected another name"):
        load_variant("./rifki")


def test_rules_of_ones_own_have_a_name_of_their_own(tmp_path):
    """Records name rules by their id: under a shipped one they would be read by other rules."""
    path = tmp_path / "russian-14.toml"
    path.write_text(load_variant("russian-14").text)
    assert load_variant(path).sha256 == load_variant("russian-14").sha256
    path.write_text('extends = "russian-14"\n')
    with pytest.raises(VariantError, match="expected another name for rules of one's own"):
        load_variant(path)


def test_windows_line_ends_and_a_byte_order_mark_are_read(house):
    v = load_variant(house(b"\xef\xbb\xbf" + BASE.replace("\n", "\r\n").encode()))
    assert v.contract("no-queens").total == -16


def test_ten_cards_and_two_left_out(house):
    v = load_variant(house(PREFERANS))
    assert (v.seats, v.hand_size, v.out, v.plan, v.match_total) == (3, 10, 2, None, None)
    c = v.contract("six-hearts")
    assert (c.total, c.trump, c.void_trump, c.early_stop) == (10, "h", "must-trump", False)
    p = Position(c, {"N": "As 9c", "E": "Ad Kd", "S": "7h 8c"}, leader="E", trick="Ad")
    assert p.legal_cards() == ["7h"]
    assert p.why_illegal("8c") == "you must play a trump"


def test_globs_may_be_lists(house):
    text = BASE.replace('must_discard = "Kh"', 'must_discard = ["Kh", "Q?"]')
    c = load_variant(house(text)).contract("no-king")
    assert cards_of(c.must_discard) == ["Qs", "Kh", "Qh", "Qd", "Qc"]


def test_trick_places_count_from_both_ends_and_add(house):
    text = BASE.replace('cards = { "Q?" = -4 }', 'trick = -1, trick_at = { "1" = -10, "8" = -2, "-1" = -3 }')
    c = load_variant(house(text)).contract("no-queens")
    assert c.trick_points == (-11, -1, -1, -1, -1, -1, -1, -6)


def test_overlapping_globs_add(house):
    text = BASE.replace('{ "Q?" = -4 }', '{ "Q?" = -4, "?h" = -2, "Qh" = -1 }')
    c = load_variant(house(text)).contract("no-queens")
    assert [c.cards_points(mask_of(card)) for card in ("Qh", "Qs", "Ah", "As")] == [-7, -4, -2, 0]


# --- extends ---


def test_extends_changes_what_it_names_and_keeps_the_rest(house):
    v = load_variant(
        house(
            """
            extends = "russian-14"
            title = "Jacks are boys"
            packet = 4
            [contract]
            no-men = { title = "No Jacks", cards = { "J?" = -4 } }
            """
        )
    )
    base = load_variant("russian-14")
    assert (v.id, v.title, v.packet) == ("house", "Jacks are boys", 4)
    assert v.contract("men").title == "Jacks"
    assert v.contract("men").scoring_cards == glob_mask("J?", v.pack)
    assert v.plan == base.plan
    assert v.contract("king").must_discard == mask_of("Kh")
    assert v.contract("no-hearts").card_points == base.contract("no-hearts").card_points
    points = {card: v.contract("eralash").cards_points(mask_of(card)) for card in ("Js", "Ks", "Kh")}
    assert points == {"Js": -4, "Ks": 0, "Kh": -18}


def test_extends_may_change_a_rule_and_a_switch(house):
    v = load_variant(
        house(
            """
            extends = "dealers-choice-20"
            title = "Turkish King, any heart on the king"
            first_lead = "left-of-dealer"
            early_stop = true
            [rule.king-out]
            lead = { barred = "?h", until = "broken" }
            void = { must_discard = "?h" }
            """
        )
    )
    c = v.contract("no-king")
    assert (c.must_discard, c.early_stop, v.first_lead) == (glob_mask("?h", v.pack), True, "left-of-dealer")
    assert v.contract("no-hearts").until_broken


def test_extends_a_file_beside_it(house):
    house(BASE, "base.toml")
    v = load_variant(
        house('extends = "base.toml"\ntitle = "Mine"\n[match]\nthen_mirrored = true\n', "mine.toml")
    )
    assert v.plan.order == (("no-queens",), ("no-king",), ("queens",), ("king",))
    assert v.match_total == 0


def test_extends_goes_one_level_deep(house):
    house('extends = "parlett-4"\n', "base.toml")
    with pytest.raises(
        VariantError, match=r"base\.toml: extends: expected a base that extends nothing, got 'parl"
    ):
        load_variant(house('extends = "base.toml"\n'))


@pytest.mark.parametrize("id", variant_ids())
def test_every_variant_that_ships_can_be_extended(house, id):
    v = load_variant(house(f'extends = "{id}"\ntitle = "House"\n'))
    base = load_variant(id)
    assert (v.title, v.plan) == ("House", base.plan)
    assert {n: replace(c, variant=id) for n, c in v.contracts.items()} == base.contracts


def test_false_takes_away_an_inherited_entry(house):
    v = load_variant(house('extends = "full-king"\n[match]\nnamed_after = false\n'))
    assert v.plan.named_after is None
    assert v.title == "Full King"


def test_sha256_of_a_file_covers_its_base(house):
    text = 'extends = "base.toml"\n'
    house(BASE, "base.toml")
    first = load_variant(house(text)).sha256
    house(BASE + "# a remark\n", "base.toml")
    assert load_variant(house(text)).sha256 != first


# --- faults: (what is wrong, a change of BASE or a whole file, the message after the file's name) ---

TRUMPS = """
[rule.ruff]
void = { trump = "must-trump" }
[rule.bar]
first_trick = { barred = "trump" }
"""


def changed(old: str, new: str) -> str:
    assert old in BASE
    return BASE.replace(old, new)


QUOTA = changed('order = ["no-queens", "no-king"]', 'rounds = 4\nchooser = "dealer"\n[[match.quota]]\nQ')


def quota(keys: str) -> str:
    return QUOTA.removesuffix("Q\n") + keys


FAULTS = {
    "unknown key": (changed("seats", "tabel = 4\nseats"), "tabel: unknown key, expected title seats pack"),
    "unknown table": (BASE + "[rules.x]\n", "rules: unknown key"),
    "odd key": ('"a\\nb" = 1\n' + BASE, r"'a\nb': unknown key"),
    "no title": (changed('title = "House King"', ""), "title: expected a text in quotes, got nothing"),
    "empty title": (changed("House King", " "), "title: expected a title of one printable line, got ' '"),
    "two-line title": (
        changed("House King", "a\\nb"),
        r"title: expected a title of one printable line, got 'a\nb'",
    ),
    "title a number": (changed('"House King"', "7"), "title: expected a text in quotes, got 7"),
    "no seats": (changed("seats = 4", ""), "seats: expected a whole number, got nothing"),
    "five seats": (changed("seats = 4", "seats = 5"), "seats: expected a whole number from 3 to 4, got 5"),
    "seats true": (changed("seats = 4", "seats = true"), "seats: expected a whole number, got True"),
    "huge number": (
        changed("seats = 4", "seats = 0x" + "f" * 9000),
        "seats: expected a whole number from 3 to 4",
    ),
    "no pack": (changed('pack = "7-A"', ""), "pack: expected a text in quotes, got nothing"),
    "odd pack": (changed("7-A", "7-K"), "pack: expected a pack such as '7-A'"),
    "not filling": (
        changed('"7-A"', '"6-A"\nhand = 8'),
        "hand: expected seats x hand + out to fill the pack of 36",
    ),
    "hand too big": (
        changed('"7-A"', '"7-A"\nhand = 14'),
        "hand: expected a whole number from 1 to 13, got 14",
    ),
    "out too many": (changed('"7-A"', '"7-A"\nout = 1'), "hand: expected seats x hand + out"),
    "direction": (changed('"7-A"', '"7-A"\ndirection = "left"'), "direction: expected one of 'clockwise', "),
    "first lead": (
        changed('"7-A"', '"7-A"\nfirst_lead = "N"'),
        "first_lead: expected one of 'left-of-dealer', ",
    ),
    "packet": (changed('"7-A"', '"7-A"\npacket = 0'), "packet: expected a whole number from 1 to 13, got 0"),
    "early stop": (changed('"7-A"', '"7-A"\nearly_stop = 1'), "early_stop: expected true or false, got 1"),
    "no contracts": (BASE[: BASE.index("[contract]")], "contract: expected a table, got nothing"),
    "empty contracts": (
        'title = "x"\nseats = 4\npack = "7-A"\n[contract]\n',
        "[contract]: expected one or more",
    ),
    "a word of --contract": (
        BASE.replace("no-queens", "all"),
        "[contract] all: expected a name other than all recorded, got 'all'",
    ),
    "a twin with such a name": (
        BASE.replace("no-queens", "no-recorded").replace("[match]", "[match]\nthen_mirrored = true"),
        "[contract] recorded: expected a name other than all recorded, got 'recorded'",
    ),
    "contract name": (
        changed("no-queens = {", "No_Queens = {"),
        "[contract] No_Queens: expected a name such as",
    ),
    "contract a number": (changed("[match]", "x = 3\n[match]"), "[contract] x: expected a table, got 3"),
    "contract false": (changed("[match]", "x = false\n[match]"), "[contract] x: expected a table, got False"),
    "contract key": (changed('cards = { "Q?"', 'card = { "Q?"'), "[contract.no-queens] card: unknown key"),
    "contract title": (changed('title = "No Queens", ', ""), "[contract.no-queens] title: expected a text"),
    "scores nothing": (changed('"Q?" = -4', ""), "[contract.no-queens] trick: expected points in trick"),
    "glob of no card": (
        changed('"Q?"', '"6?"'),
        "[contract.no-queens.cards] 6?: expected a card glob that matches",
    ),
    "glob of a ten": (changed('"Q?"', '"10h"'), "[contract.no-queens.cards] 10h: expected a card glob"),
    "points a fraction": (
        changed("-16", "-1.5"),
        "[contract.no-king.cards] Kh: expected a whole number, got -1.5",
    ),
    "points too big": (
        changed("-16", "-40000"),
        "[contract] no-king: expected points of a round within -32767 .. 32767, got -40000 (no-king)",
    ),
    "points too big together": (
        changed('"Q?" = -4', '"Q?" = -9000'),
        "[contract] no-queens: expected points of a round within -32767 .. 32767, got -36000 (no-queens)",
    ),
    "points of thousands of digits": (
        changed("-16", "0x1" + "0" * 5000),
        "[contract] no-king: expected points of a round within -32767 .. 32767, got a huge number (no-king)",
    ),
    "trick not a number": (
        changed('cards = { "Q?" = -4 }', 'trick = "2"'),
        "[contract.no-queens] trick: expected",
    ),
    "place 9 of 8": (
        changed('cards = { "Q?" = -4 }', 'trick_at = { "9" = -1 }'),
        "[contract.no-queens.trick_at] 9: expected a place 1 .. 8 or -1 .. -8, got '9'",
    ),
    "place 0": (
        changed('cards = { "Q?" = -4 }', 'trick_at = { "0" = -1 }'),
        "[contract.no-queens.trick_at] 0: expected a place",
    ),
    "place last": (
        changed('cards = { "Q?" = -4 }', "trick_at = { last = -1 }"),
        "[contract.no-queens.trick_at] last: expected a place",
    ),
    "trump suit": (
        changed('cards = { "Q?"', 'trump = "x", cards = { "Q?"'),
        "[contract.no-queens] trump: expected",
    ),
    "no such rule": (
        changed('"king-out" }', '"king" }'),
        "[contract.no-king] rule: expected a rule of this file",
    ),
    "unused rule": (
        changed(', rule = "king-out"', ""),
        "[rule] king-out: expected a contract with this rule, got",
    ),
    "rule name": (
        changed("[rule.king-out]", "[rule.King]"),
        "[rule] King: expected a name such as 'king-out'",
    ),
    "rule not a table": (
        "rule.x = 1\n" + BASE,
        "[rule] x: expected a table with lead void follow first_trick, got 1",
    ),
    "empty rule": (
        BASE + "[rule.x]\n",
        "[rule] x: expected a table with lead void follow first_trick, got {}",
    ),
    "rule part": (changed("void =", "voids ="), "[rule.king-out] voids: unknown key, expected lead void"),
    "rule key": (
        changed("must_discard =", "discard ="),
        "[rule.king-out.void] discard: unknown key, expected",
    ),
    "empty part": (
        changed('must_discard = "Kh"', ""),
        "[rule.king-out] void: expected must_discard trump, got an",
    ),
    "rule glob": (
        changed('"Kh" }\n\n', '"6h" }\n\n'),
        "[rule.king-out.void] must_discard: expected a card glob",
    ),
    "rule glob type": (
        changed('"Kh" }\n\n', "[3] }\n\n"),
        "[rule.king-out.void] must_discard: expected a card glob",
    ),
    "rule glob list": (
        changed('"Kh" }\n\n', "[] }\n\n"),
        "[rule.king-out.void] must_discard: expected a card glob",
    ),
    "no until": (
        changed(', until = "nothing-else"', ""),
        "[rule.king-out.lead] until: expected a text in quotes",
    ),
    "odd until": (
        changed('"nothing-else"', '"never"'),
        "[rule.king-out.lead] until: expected one of 'nothing-else'",
    ),
    "no barred": (
        changed('barred = "?h", ', ""),
        "[rule.king-out.lead] barred: expected a card glob or a list",
    ),
    "odd duty": (
        changed('must_discard = "Kh"', 'trump = "always"'),
        "[rule.king-out.void] trump: expected one of 'must-trump', 'must-overtrump', got 'always'",
    ),
    "odd follow": (
        changed('void = { must_discard = "Kh" }', 'follow = { trump = "must-trump" }'),
        "[rule.king-out.follow] trump: expected one of 'beat', got 'must-trump'",
    ),
    "trump duty without trumps": (
        changed('must_discard = "Kh"', 'trump = "must-trump"'),
        "[rule.king-out.void] trump: expected a contract with trumps, got 'no-king'",
    ),
    "trump glob without trumps": (
        changed('barred = "?h"', 'barred = "trump"'),
        "[rule.king-out.lead] barred: expected a glob for a contract without trumps, got 'trump'",
    ),
    "sum of nothing": (
        changed('cards = { "Q?" = -4 }', 'sum_of = ["no-kings"]'),
        "[contract.no-queens] sum_of: expected names out of no-queens no-king, got 'no-kings'",
    ),
    "sum of itself": (
        changed('cards = { "Q?" = -4 }', 'sum_of = ["no-queens"]'),
        "[contract.no-queens] sum_of: expected contracts with points of their own, got 'no-queens'",
    ),
    "sum of one twice": (
        changed('cards = { "Q?" = -4 }', 'sum_of = ["no-king", "no-king"]'),
        "[contract.no-queens] sum_of: expected each name once, got 'no-king' again",
    ),
    "order names no contract": (
        changed('"no-queens", "no-king"]', '"no-queens", "no-jacks"]'),
        "[match] order: expected names out of no-queens no-king, got 'no-jacks'",
    ),
    "order empty": (changed('["no-queens", "no-king"]', "[]"), "[match] order: expected one or more names"),
    "order not names": (changed('["no-queens", "no-king"]', "[1]"), "[match] order: expected names out of"),
    "contract never played": (
        changed('["no-queens", "no-king"]', '["no-queens"]'),
        "[match] order: expected every contract of the file, got none of 'no-king'",
    ),
    "match key": (changed("order =", "oder ="), "[match] oder: unknown key, expected order groups"),
    "no order": (changed('order = ["no-queens", "no-king"]', "rounds = 2"), "[match] order: expected either"),
    "match not a table": (
        "match = 3\n" + BASE[: BASE.index("[match]")],
        "match: expected a table, got 3",
    ),
    "then_mirrored": (BASE + "then_mirrored = 1\n", "[match] then_mirrored: expected true or false, got 1"),
    "twin there already": (
        BASE.replace("no-king =", 'queens = { title = "Q", trick = 1 }\nno-king =')
        + "then_mirrored = true\n",
        "[match] then_mirrored: expected no contract 'queens' yet, got one",
    ),
    "rounds against order": (
        BASE + "rounds = 3\n",
        "[match] rounds: expected the 2 rounds of the order, got 3",
    ),
    "chooser without choice": (BASE + 'chooser = "dealer"\n', "[match] chooser: expected groups or quotas"),
    "named_after without choice": (
        BASE + "named_after = 3\n",
        "[match] named_after: expected groups or quotas",
    ),
    "first_lead without chooser": (
        changed('"7-A"', '"7-A"\nfirst_lead = "chooser"'),
        "first_lead: expected a chooser in every round",
    ),
    "group not named": (
        BASE + 'chooser = "dealer"\ngroups = { any = ["no-king"] }\n',
        "[match.groups] any: expected a group that the order names",
    ),
    "group called as a contract": (
        BASE + 'chooser = "dealer"\ngroups = { no-king = ["no-king"] }\n',
        "[match.groups] no-king: expected a name that is no contract's",
    ),
    "group without chooser": (
        changed('"no-king"]', '"any"]\ngroups = { any = ["no-king", "no-queens"] }'),
        "[match] chooser: expected a text in quotes, got nothing",
    ),
    "group of no contract": (
        changed('"no-king"]', '"any"]\ngroups = { any = ["whist"] }'),
        "[match.groups] any: expected names out of no-queens no-king, got 'whist'",
    ),
    "quota and order": (
        BASE + "[[match.quota]]\nof = []\n",
        "[match] order: expected either an order or quotas, got",
    ),
    "quota of no contract": (quota('of = ["whist"]\neach = 2'), "[match.quota] of: expected names out of"),
    "quota leaves one out": (
        quota('of = ["no-king"]\neach = 4'),
        "[match] quota: expected every contract of the file, got none of 'no-queens'",
    ),
    "quota key": (quota('of = ["no-king"]\neech = 4'), "[match.quota] eech: unknown key, expected of each"),
    "quota without limit": (
        quota('of = ["no-king", "no-queens"]'),
        "[match.quota] each: expected each, per_seat",
    ),
    "quota twice": (
        quota('of = ["no-king", "no-queens"]\neach = 2\n[[match.quota]]\nof = ["no-king"]\neach = 1'),
        "[match.quota] of: expected each contract in one quota, got 'no-king' again",
    ),
    "quota of 0": (
        quota('of = ["no-king", "no-queens"]\neach = 0'),
        "[match.quota] each: expected a whole number from",
    ),
    "quota too small": (
        quota('of = ["no-king", "no-queens"]\neach = 1'),
        "[match] rounds: expected 1 .. 2 rounds, all that the quotas allow, got 4",
    ),
    "quota without chooser": (
        quota('of = ["no-king", "no-queens"]\neach = 2').replace('chooser = "dealer"\n', ""),
        "[match] chooser: expected a text in quotes, got nothing",
    ),
    "quota without rounds": (
        quota('of = ["no-king", "no-queens"]\neach = 2').replace("rounds = 4\n", ""),
        "[match] rounds: expected a whole number, got nothing",
    ),
    "extends unknown": (
        'extends = "whist"\n',
        "extends: expected a variant that ships or a path to a file, got",
    ),
    "extends missing file": (
        'extends = "none.toml"\n',
        "extends: expected a variant file, got 'none.toml': no such",
    ),
    "extends a number": ("extends = 3\n", "extends: expected a text in quotes, got 3"),
    "extends and false": (
        'extends = "russian-14"\n[contract]\ntrumps-s = false\n',
        "[contract] trumps-s: expected an entry of the base to take away, got none",
    ),
    "extends with a table no table": ('extends = "russian-14"\nrule = 1\n', "rule: expected a table, got 1"),
    "extends leaves a name": (
        'extends = "russian-14"\n[contract]\neralash = false\n',
        "[match] order: expected names out of",
    ),
    "extends another pack": (
        'extends = "russian-14"\npack = "7-A"\nseats = 3\n',
        "hand: expected seats x hand + out to fill the pack of 32 cards, got 3 x 10 + 0 = 30",
    ),
    "syntax": (BASE + "order = [\n", "expected TOML, got a fault: "),
    "key twice": (BASE + 'order = ["no-king"]\n', "expected TOML, got a fault: "),
    "nested": ("x = " + "[" * 20000, "expected TOML, got "),
}


@pytest.mark.parametrize("what", FAULTS)
def test_a_fault_is_one_line_with_file_table_and_key(house, what):
    text, expected = FAULTS[what]
    path = house(text)
    with pytest.raises(VariantError) as caught:
        load_variant(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: {expected}"), message
    assert "\n" not in message


def test_the_file_that_the_faults_change_is_right(house):
    assert load_variant(house(BASE)).match_total == -32
    good = quota('of = ["no-king", "no-queens"]\neach = 2')
    assert load_variant(house(good)).plan.rounds == 4


def test_toml_faults_give_the_line(house):
    with pytest.raises(VariantError, match=r"house\.toml: expected TOML, got a fault: .*line 3"):
        load_variant(house('title = "x"\nseats = 4\npack = \n'))


def test_bytes_that_are_not_utf8_give_the_line(house):
    with pytest.raises(VariantError, match=r"house\.toml:2: expected UTF-8 text, got the byte 0xe9"):
        load_variant(house(b'seats = 4\ntitle = "Mis\xe9re"\n'))


def test_a_fault_of_the_base_names_the_base(house):
    house(BASE.replace("seats = 4", "seats = 5"), "base.toml")
    with pytest.raises(VariantError, match=r"base\.toml: seats: expected"):
        load_variant(house('extends = "base.toml"\n'))


def test_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(VariantError, match=r"expected a variant file, got '.*none\.toml': no such file"):
        load_variant(tmp_path / "none.toml")
    with pytest.raises(VariantError, match=r"expected a variant file, got '.*': is a directory"):
        load_variant(f"{tmp_path}/")
    with pytest.raises(VariantError, match="one of dealers-choice-20"):
        load_variant("a\0b")
    with pytest.raises(VariantError, match="expected a variant file"):
        load_variant("a\0b.toml")
