"""The strict reader of variant files: every fault is a VariantError with file, table and key, on one line."""

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from ..cards import SUITS, glob_mask, pack_mask
from ..contract import Contract, card_values, classes_of
from ..errors import CardError, VariantError, short
from ._fields import Fields, Table, merge, parse
from ._model import Plan, Quota, Variant

_TOP = "title seats pack hand out packet direction first_lead early_stop extends rule contract match".split()
_CONTRACT = "title mirrored_title trick trick_at cards trump rule sum_of".split()
_MATCH = "order groups then_mirrored quota rounds chooser named_after".split()
_RULE = {
    "lead": ("barred", "until", "unless_holding"),
    "void": ("must_discard", "trump"),
    "follow": ("trump", "forced_under"),
    "first_trick": ("barred",),
}
_GLOB_KEYS = {"barred", "unless_holding", "must_discard", "forced_under"}
_RESERVED = ("all", "recorded")
"""Words of --contract: every contract, and the one that a file records."""
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_PLACE = re.compile(r"-?[1-9]\d?")

Base = Callable[[str], tuple[Table, bytes]]


def read_variant(data: bytes, source: str, id: str, *, base: Base | None = None) -> Variant:
    """The Variant in a file's bytes. `base` gives the tables and bytes of the file that this one extends.

    Raises VariantError, `source` first, for anything that is not exactly a variant file.
    """
    text, own = parse(data, source)
    digest = hashlib.sha256(data)
    tables = own
    if "extends" in own:
        name = _Reader(source).take(own, "", "extends", str)
        if base is None:
            _Reader(source).fail("", "extends", f"expected a base that extends nothing, got {name!r}")
        found, more = base(name)
        digest.update(more)
        tables = merge(found, own, source)
    return _Reader(source).variant(tables, own, id, text, digest.hexdigest())


def base_tables(data: bytes, source: str, id: str) -> tuple[Table, bytes]:
    """The tables and bytes of a base file, which must be a whole variant that extends nothing."""
    read_variant(data, source, id)
    return parse(data, source)[1], data


class _Reader(Fields):
    """Reads the merged tables of one file into a Variant."""

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self.pack = 0
        self.seats = 4
        self.hand_size = 0
        self.id = ""
        self.clockwise = True
        self.early_stop = True
        self.used_rules: set[str] = set()

    # --- the whole file ---

    def variant(self, tables: Table, own: Table, id: str, text: str, sha256: str) -> Variant:
        """The Variant in merged `tables`; `own` are those of the file itself."""
        self.only(tables, "", _TOP)
        title = self.title(tables, "", "title")
        self.id = id
        self.seats = self.number(tables, "", "seats", (3, 4))
        pack_name = self.take(tables, "", "pack", str)
        try:
            self.pack = pack_mask(pack_name)
        except CardError as error:
            self.fail("", "pack", str(error))
        out = self.number(tables, "", "out", (0, 51), 0)
        self.hand_size = self._hand_size(tables, out)
        directions = ("clockwise", "counter-clockwise")
        self.clockwise = self.one_of(tables, "", "direction", directions, "clockwise") == "clockwise"
        leads = ("left-of-dealer", "dealer", "chooser", "given")
        first_lead = self.one_of(tables, "", "first_lead", leads, "left-of-dealer")
        self.early_stop = self.take(tables, "", "early_stop", bool, True)
        match = self.take(tables, "", "match", dict) if "match" in tables else None
        contracts = self._contracts(tables, own, match)
        plan = self._plan(match, contracts, first_lead) if match is not None else None
        return Variant(
            id=id,
            title=title,
            seats=self.seats,
            pack=self.pack,
            pack_name=pack_name,
            hand_size=self.hand_size,
            out=out,
            clockwise=self.clockwise,
            first_lead=first_lead,  # type: ignore[arg-type]  # one_of has checked it
            packet=self.number(tables, "", "packet", (1, 13), 1),
            early_stop=self.early_stop,
            contracts=_in_order(contracts, plan),
            plan=plan,
            source=self.source,
            text=text,
            sha256=sha256,
        )

    def _hand_size(self, tables: Table, out: int) -> int:
        cards = self.pack.bit_count()
        hand = self.number(tables, "", "hand", (1, 13), max(1, min(13, (cards - out) // self.seats)))
        if self.seats * hand + out != cards:
            self.fail(
                "",
                "hand",
                f"expected seats x hand + out to fill the pack of {cards} cards, "
                f"got {self.seats} x {hand} + {out} = {self.seats * hand + out}",
            )
        return hand

    # --- rules and contracts ---

    def _contracts(self, tables: Table, own: Table, match: Table | None) -> dict[str, Contract]:
        rules = self.take(tables, "", "rule", dict, {})
        for name, rule in rules.items():
            self._check_rule(name, rule)
        written = self.take(tables, "", "contract", dict)
        if not written:
            self.fail("contract", "", "expected one or more contracts, got none")
        contracts: dict[str, Contract] = {}
        titles: dict[str, str] = {}
        for name in written:
            contracts[name] = self._contract(name, written, rules)
            titles[name] = self._mirrored_title(name, written[name], contracts[name].title)
        for name in own.get("rule", {}):
            if name in rules and name not in self.used_rules:
                self.fail("rule", name, "expected a contract with this rule, got none")
        if match is not None and self.take(match, "match", "then_mirrored", bool, False):
            for contract in list(contracts.values()):
                twin = mirrored_name(contract.name)
                if twin in contracts:
                    self.fail("match", "then_mirrored", f"expected no contract {twin!r} yet, got one")
                contracts[twin] = _mirrored(contract, twin, titles[contract.name])
        for name in contracts:
            if name in _RESERVED:
                self.fail("contract", name, f"expected a name other than {' '.join(_RESERVED)}, got {name!r}")
        return contracts

    def _check_rule(self, name: str, rule: Any) -> None:
        """An error unless `rule` has the shape of a rule, whatever contract it may serve."""
        table = f"rule.{name}"
        if not _NAME.fullmatch(name):
            self.fail("rule", name, f"expected a name such as 'king-out', got {name!r}")
        if not isinstance(rule, dict) or not rule:
            self.fail("rule", name, f"expected a table with {' '.join(_RULE)}, got {short(rule)}")
        self.only(rule, table, tuple(_RULE))
        for part, keys in _RULE.items():
            if part not in rule:
                continue
            content = self.take(rule, table, part, dict)
            self.only(content, f"{table}.{part}", keys)
            if not content:
                self.fail(table, part, f"expected {' '.join(keys)}, got an empty table")
            for key in _GLOB_KEYS.intersection(content):
                self._globs(content, f"{table}.{part}", key, "s")
        for part in ("lead", "first_trick"):
            if part in rule and "barred" not in rule[part]:
                self.fail(f"{table}.{part}", "barred", "expected a card glob or a list of them, got nothing")
        if "lead" in rule:
            self.one_of(rule["lead"], f"{table}.lead", "until", ("nothing-else", "broken"))
        self.one_of(
            rule.get("void", {}), f"{table}.void", "trump", ("must-trump", "must-overtrump"), "must-trump"
        )
        self.one_of(rule.get("follow", {}), f"{table}.follow", "trump", ("beat",), "beat")

    def _globs(self, table: Mapping[str, Any], name: str, key: str, trump: str | None) -> int:
        """The mask of the glob, or the list of globs, at `key`; 0 when absent."""
        if key not in table:
            return 0
        value = table[key]
        globs = value if isinstance(value, list) else [value]
        if not globs or any(not isinstance(glob, str) for glob in globs):
            self.fail(name, key, f"expected a card glob or a list of them, got {short(value)}")
        mask = 0
        for glob in globs:
            mask |= self._glob(glob, name, key, trump)
        return mask

    def _glob(self, glob: str, name: str, key: str, trump: str | None) -> int:
        """The cards of one glob; `trump` at its end stands for the contract's trump suit."""
        pattern = glob
        if glob.endswith("trump"):
            if trump is None:
                self.fail(name, key, f"expected a glob for a contract without trumps, got {glob!r}")
            pattern = (glob.removesuffix("trump") or "?") + trump
        try:
            return glob_mask(pattern, self.pack)
        except CardError:
            self.fail(
                name, key, f"expected a card glob that matches cards of the pack, such as '?h', got {glob!r}"
            )

    def _contract(self, name: str, written: Table, rules: Table) -> Contract:
        table = f"contract.{name}"
        if not _NAME.fullmatch(name):
            self.fail("contract", name, f"expected a name such as 'no-queens', got {name!r}")
        entry = self.take(written, "contract", name, dict)
        self.only(entry, table, _CONTRACT)
        trump_word = self.one_of(entry, table, "trump", (*SUITS, "nt"), "nt")
        trump = None if trump_word == "nt" else trump_word
        tricks, pairs = self._points(name, entry, trump)
        for other in self.names(entry, table, "sum_of", written) if "sum_of" in entry else ():
            part = written[other]
            if not isinstance(part, dict) or "sum_of" in part:
                self.fail(table, "sum_of", f"expected contracts with points of their own, got {other!r}")
            more, pairs_too = self._points(other, part, trump)
            tricks = [a + b for a, b in zip(tricks, more, strict=True)]
            pairs = pairs + pairs_too
        classes = classes_of(card_values(tuple(pairs)))
        if not classes and not any(tricks):
            self.fail(table, "trick", "expected points in trick, trick_at, cards or sum_of, got none")
        title = self.title(entry, table, "title")
        try:
            contract = Contract(
                name=name,
                title=title,
                variant=self.id,
                pack=self.pack,
                seats=self.seats,
                hand_size=self.hand_size,
                clockwise=self.clockwise,
                trick_points=tuple(tricks),
                card_points=classes,
                trump=trump,
                early_stop=self.early_stop,
            )
        except VariantError as error:
            self.fail("contract", name, str(error))
        if "rule" not in entry:
            return contract
        rule = self.take(entry, table, "rule", str)
        if rule not in rules:
            known = " ".join(rules) or "none there is"
            self.fail(table, "rule", f"expected a rule of this file ({known}), got {rule!r}")
        self.used_rules.add(rule)
        return self._obliged(contract, f"rule.{rule}", rules[rule])

    def _points(self, name: str, entry: Table, trump: str | None) -> tuple[list[int], list[tuple[int, int]]]:
        """The points of an entry's own keys: numbers by place, and (mask, points) pairs that may overlap."""
        table = f"contract.{name}"
        tricks = [self.take(entry, table, "trick", int, 0)] * self.hand_size
        places = self.take(entry, table, "trick_at", dict, {})
        for place in places:
            points = self.take(places, f"{table}.trick_at", place, int)
            index = int(place) if _PLACE.fullmatch(place) else 0
            if not 1 <= abs(index) <= self.hand_size:
                size = self.hand_size
                self.fail(
                    f"{table}.trick_at",
                    place,
                    f"expected a place 1 .. {size} or -1 .. -{size}, got {place!r}",
                )
            tricks[index - (index > 0)] += points
        pairs = []
        cards = self.take(entry, table, "cards", dict, {})
        for glob in cards:
            points = self.take(cards, f"{table}.cards", glob, int)
            pairs.append((self._glob(glob, f"{table}.cards", glob, trump), points))
        return tricks, pairs

    def _obliged(self, contract: Contract, table: str, rule: Table) -> Contract:
        """`contract` with the obligations of `rule`; an error when it speaks of trumps and there are none."""
        lead, void = rule.get("lead", {}), rule.get("void", {})
        follow, first = rule.get("follow", {}), rule.get("first_trick", {})
        for part, duties in (("void", void), ("follow", follow)):
            if "trump" in duties and contract.trump is None:
                self.fail(
                    f"{table}.{part}", "trump", f"expected a contract with trumps, got {contract.name!r}"
                )

        def cards(part: str, duties: Table, key: str) -> int:
            return self._globs(duties, f"{table}.{part}", key, contract.trump)

        return replace(
            contract,
            barred=cards("lead", lead, "barred"),
            until_broken=lead.get("until") == "broken",
            waiver=cards("lead", lead, "unless_holding"),
            first_barred=cards("first_trick", first, "barred"),
            must_discard=cards("void", void, "must_discard"),
            forced_under=cards("follow", follow, "forced_under"),
            void_trump=void.get("trump", "free"),
            beat_trump=follow.get("trump") == "beat",
        )

    def _mirrored_title(self, name: str, entry: Table, title: str) -> str:
        if "mirrored_title" in entry:
            return self.title(entry, f"contract.{name}", "mirrored_title")
        rest = title.removeprefix("No ")
        return rest[0].upper() + rest[1:] if rest != title else f"Positive {title}"

    # --- the match ---

    def _plan(self, match: Table, contracts: Mapping[str, Contract], first_lead: str) -> Plan:
        self.only(match, "match", _MATCH)
        groups = self.take(match, "match", "groups", dict, {})
        for name in groups:
            if not _NAME.fullmatch(name) or name in contracts:
                self.fail("match.groups", name, f"expected a name that is no contract's, got {name!r}")
            self.names(groups, "match.groups", name, contracts)
        if ("order" in match) == ("quota" in match):
            got = "both" if "order" in match else "neither"
            self.fail("match", "order", f"expected either an order or quotas, got {got}")
        order: list[tuple[str, ...]] = []
        quotas: list[Quota] = []
        if "order" in match:
            order = self._order(match, contracts, groups)
        else:
            quotas = self._quotas(match, contracts)
        chooser = None
        if groups or quotas:
            chooser = self.one_of(match, "match", "chooser", ("dealer", "eldest", "rotates"))
        for key in ("chooser", "named_after") if chooser is None else ():
            if key in match:
                self.fail("match", key, "expected groups or quotas to choose from, got none")
        if first_lead == "chooser" and (chooser is None or any(len(names) == 1 for names in order)):
            self.fail("", "first_lead", "expected a chooser in every round, got rounds without a choice")
        rounds = self._rounds(match, order, quotas)
        named = self.number(match, "match", "named_after", (1, self.hand_size), self.hand_size)
        return Plan(
            rounds=rounds,
            order=tuple(order),
            quotas=tuple(quotas),
            chooser=chooser,  # type: ignore[arg-type]  # one_of has checked it
            named_after=named if "named_after" in match else None,
        )

    def _order(
        self, match: Table, contracts: Mapping[str, Contract], groups: Mapping[str, list[str]]
    ) -> list[tuple[str, ...]]:
        """The open contracts of each round; then_mirrored appends the twins."""
        written = self.names(match, "match", "order", {**contracts, **groups})
        for name in groups:
            if name not in written:
                self.fail("match.groups", name, "expected a group that the order names, got one it does not")
        order = [tuple(groups.get(name, [name])) for name in written]
        if match.get("then_mirrored"):
            order += [tuple(mirrored_name(name) for name in names) for names in order]
        self._all_played(contracts, {name for names in order for name in names}, "order")
        return order

    def _quotas(self, match: Table, contracts: Mapping[str, Contract]) -> list[Quota]:
        written = self.take(match, "match", "quota", list)
        if "groups" in match:
            self.fail("match", "groups", "expected an order that names groups, got quotas")
        quotas: list[Quota] = []
        seen: set[str] = set()
        for entry in written:
            if not isinstance(entry, dict):
                self.fail("match", "quota", f"expected tables, got {short(entry)}")
            self.only(entry, "match.quota", ("of", "each", "per_seat", "per_seat_each"))
            names = self.names(entry, "match.quota", "of", contracts)
            for name in names:
                if name in seen:
                    self.fail("match.quota", "of", f"expected each contract in one quota, got {name!r} again")
            seen.update(names)
            limits = {
                key: self.number(entry, "match.quota", key, (1, 999))
                for key in ("each", "per_seat", "per_seat_each")
                if key in entry
            }
            if not limits:
                self.fail("match.quota", "each", "expected each, per_seat or per_seat_each, got none of them")
            quotas.append(Quota(of=tuple(names), **limits))
        if not quotas:
            self.fail("match", "quota", "expected one or more quotas, got an empty list")
        self._all_played(contracts, seen, "quota")
        return quotas

    def _all_played(self, contracts: Mapping[str, Contract], played: set[str], key: str) -> None:
        """An error when a contract is never played: then a name is missing, or the contract is not wanted."""
        for name in contracts:
            if name not in played:
                self.fail("match", key, f"expected every contract of the file, got none of {name!r}")

    def _rounds(self, match: Table, order: list[tuple[str, ...]], quotas: list[Quota]) -> int:
        if order:
            rounds = self.number(match, "match", "rounds", (1, 999), len(order))
            if rounds != len(order):
                self.fail("match", "rounds", f"expected the {len(order)} rounds of the order, got {rounds}")
            return rounds
        most = sum(quota.capacity(self.seats) for quota in quotas)
        rounds = self.take(match, "match", "rounds", int)
        if not 1 <= rounds <= most:
            self.fail(
                "match", "rounds", f"expected 1 .. {most} rounds, all that the quotas allow, got {rounds}"
            )
        return rounds


def mirrored_name(name: str) -> str:
    """The name of the twin of opposite sign: `tricks` of `no-tricks`, `eralash-plus` of `eralash`."""
    return name.removeprefix("no-") if name.startswith("no-") else f"{name}-plus"


def _mirrored(contract: Contract, name: str, title: str) -> Contract:
    """The twin: the same objectives and obligations with the points' sign turned."""
    pairs = ((mask, -points) for mask, points in contract.card_points)
    return replace(
        contract,
        name=name,
        title=title,
        trick_points=tuple(-points for points in contract.trick_points),
        card_points=tuple(sorted(pairs)),
    )


def _in_order(contracts: Mapping[str, Contract], plan: Plan | None) -> dict[str, Contract]:
    """The contracts as the match names them; in the file's order when there is no match."""
    if plan is None:
        return dict(contracts)
    lists = [*plan.order, *(quota.of for quota in plan.quotas)]
    return {name: contracts[name] for names in lists for name in names}
