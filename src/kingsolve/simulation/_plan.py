"""What a run is: every parameter, the contracts as records, all of it in manifest.json."""

import dataclasses
import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from ..contract import Contract
from ..errors import KingError
from ..solver import DEFAULT_MEMORY
from ..variants import Variant
from ._dealing import Dealer
from ._play import REVISION, Play, parse_play

FORMAT = 1
"""Raised when folders of an older form can no longer be continued or read."""

MAX_DEALS = 2**40
POLICY_DEALS, POLICY_ROWS = 1 << 16, 1 << 19
"""Deals and rows of one part at most, of compiled players: seconds of work, 40 MB of a thread's memory."""
SOLVED_ROWS = {"maxn": 2048, "guarantee": 2048, "shapley": 2048, "equilibria": 128, "open": 128}
"""Rows of one part at most, where deals of 32 cards are solved, and a quarter of them at least: king takes
0.06 ms a deal, no-men 9, and a part of its own 4 ms (russian-14, 2026-11). Of more cards fewer: half of 36,
1/32 of 52."""
PARTS = 8
"""How many parts of solved deals there are, if that makes none too large or too small: many threads share."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """All the parameters of a run. Two runs of equal plans have equal parts."""

    variant: str
    title: str
    text: str
    sha256: str
    dealer: Dealer
    contracts: tuple[Contract, ...]
    rounds: Mapping[str, Fraction]
    """How often each contract of the variant comes in a match, where choices fall evenly."""
    totals: Mapping[str, int]
    """The points of a round of each of these, all seats together."""
    play: Play
    deals: int
    seed: int
    first: int
    rotations: bool
    nodes: int | None
    memory: int
    chunk: int
    kingsolve: str
    """The version of this library that the run was begun with."""
    policies: int
    """The revision of the policies that it was begun with."""

    @property
    def seats(self) -> int:
        """How many seats play."""
        return self.dealer.seats

    @property
    def leads(self) -> int:
        """How many rounds of a contract a deal is played in: one for every leader, or one."""
        return self.seats if self.rotations else 1

    @property
    def parts(self) -> int:
        """How many chunks the run has, and its folder parts."""
        return -(-self.deals // self.chunk)

    def part_deals(self, index: int) -> tuple[int, int]:
        """The number of the first deal of chunk `index`, and how many it has."""
        start = index * self.chunk
        return self.first + start, min(self.chunk, self.deals - start)

    @property
    def parameters(self) -> dict[str, Any]:
        """What must be equal for a run to be continued, in the words of the command's options."""
        return {
            "kingsolve": self.kingsolve,
            "policies": self.policies,
            "variant": self.variant,
            "variant_sha256": self.sha256,
            "contract": [contract.name for contract in self.contracts],
            "play": str(self.play),
            "deals": self.deals,
            "seed": self.seed,
            "first": self.first,
            "rotations": self.rotations,
            "nodes": self.nodes,
            "memory": self.memory,
            "chunk": self.chunk,
        }

    @cached_property
    def run(self) -> str:
        """What every part carries to say which run it is of: a hash of the parameters and the contracts."""
        facts = [self.parameters, [_contract_json(contract) for contract in self.contracts]]
        return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()

    def to_json(self) -> dict[str, Any]:
        """The plan as JSON values."""
        return {
            "format": FORMAT,
            "parameters": self.parameters,
            "variant": {"id": self.variant, "title": self.title, "sha256": self.sha256, "text": self.text},
            "dealing": dataclasses.asdict(self.dealer),
            "match_rounds": {name: str(count) for name, count in self.rounds.items()},
            "match_totals": dict(self.totals),
            "contracts": [_contract_json(contract) for contract in self.contracts],
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "Plan":
        """The plan of a manifest; KeyError, TypeError or KingError where it is none."""
        if record["format"] != FORMAT:
            msg = f"expected a run of format {FORMAT}, got {record['format']!r}"
            raise KingError(msg)
        dealer = Dealer.from_json(record["dealing"])
        asked = record["parameters"]
        names = ("deals", "seed", "first", "rotations", "nodes", "memory", "chunk", "kingsolve", "policies")
        return cls(
            variant=record["variant"]["id"],
            title=record["variant"]["title"],
            text=record["variant"]["text"],
            sha256=record["variant"]["sha256"],
            dealer=dealer,
            contracts=tuple(map(_contract_of, record["contracts"])),
            rounds={name: Fraction(count) for name, count in record["match_rounds"].items()},
            totals=dict(record["match_totals"]),
            play=parse_play(asked["play"], dealer.seats),
            **{name: asked[name] for name in names},
        )


def make_plan(
    variant: Variant,
    *,
    contracts: Iterable[str] | None,
    play: str | Play,
    deals: int,
    seed: int,
    first: int = 1,
    rotations: bool = False,
    nodes: int | None = None,
    memory: int = DEFAULT_MEMORY,
    chunk: int | None = None,
) -> Plan:
    """A plan with everything checked. Raises KingError, saying what was expected."""
    from .. import __version__

    asked = parse_play(play, variant.seats) if isinstance(play, str) else play
    names = list(variant.contracts) if contracts is None else list(dict.fromkeys(contracts))
    if not names:
        msg = "expected one or more contracts, got none"
        raise KingError(msg)
    size = chunk
    if size is None:
        rows = len(names) * (variant.seats if rotations else 1)
        size = _chunk(asked, rows, variant.pack.bit_count(), deals if type(deals) is int else 1)
    limits = {
        "deals": (deals, 1, MAX_DEALS),
        "seed": (seed, 0, 2**64 - 1),
        "first": (first, 0, 2**64 - 1 - deals),
        "memory": (memory, 1 << 16, 1 << 42),
        "chunk": (size, 1, 1 << 22),
        **({"nodes": (nodes, 1, 2**62)} if nodes is not None else {}),
    }
    for name, (value, least, most) in limits.items():
        if type(value) is not int or not least <= value <= most:
            msg = f"expected {name} from {least} to {most}, got {value!r}"
            raise KingError(msg)
    if nodes is not None and asked.kind == "policy":
        msg = f"expected a node limit with exact or open play only, got {nodes} with {asked}"
        raise KingError(msg)
    rounds = match_rounds(variant)
    return Plan(
        variant=variant.id,
        title=variant.title,
        text=variant.text,
        sha256=variant.sha256,
        dealer=Dealer.of(variant),
        contracts=tuple(variant.contract(name) for name in names),
        rounds=rounds,
        totals={name: variant.contract(name).total for name in rounds},
        play=asked,
        deals=deals,
        seed=seed,
        first=first,
        rotations=rotations,
        nodes=nodes,
        memory=memory,
        chunk=size,
        kingsolve=__version__,
        policies=REVISION,
    )


def _chunk(play: Play, rows: int, cards: int, deals: int) -> int:
    """The deals of one part unless told otherwise: `rows` of each deal, so many cards in the pack."""
    if play.kind == "policy":
        return max(1, min(POLICY_DEALS, POLICY_ROWS // rows, deals))
    most = SOLVED_ROWS[play.concept or play.kind] >> max(0, cards - 32) // 4
    return max(1, min(most // rows, max(most // 4 // rows, -(-deals // PARTS))))


def match_rounds(variant: Variant) -> dict[str, Fraction]:
    """How often each contract comes in a match when everything open is chosen evenly; empty without a match.

    >>> from kingsolve.variants import load_variant
    >>> str(match_rounds(load_variant("full-king"))["trumps-h"])
    '8/5'
    """
    plan = variant.plan
    counts: dict[str, Fraction] = {}
    if plan is None:
        return counts
    for names in plan.order:
        for name in names:
            counts[name] = counts.get(name, Fraction(0)) + Fraction(1, len(names))
    for quota in plan.quotas:
        for name in quota.of:
            each = Fraction(quota.capacity(variant.seats), len(quota.of))
            counts[name] = counts.get(name, Fraction(0)) + each
    return counts


def _contract_json(contract: Contract) -> dict[str, Any]:
    return dataclasses.asdict(contract)


def _contract_of(record: Mapping[str, Any]) -> Contract:
    fields = dict(record)
    fields["trick_points"] = tuple(record["trick_points"])
    fields["card_points"] = tuple((mask, points) for mask, points in record["card_points"])
    return Contract(**fields)
