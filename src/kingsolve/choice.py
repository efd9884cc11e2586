"""Where a contract is chosen: who chooses, among what, and in what order a deal recommends the contracts."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from .analysis import Analysis
from .cards import SEATS, parse_seat
from .errors import KingError
from .variants import Variant

RANKED_BY = "Shapley share, then guarantee"


def choices(variant: Variant) -> tuple[str, ...]:
    """The contracts that somebody chooses in a match of the variant, in its order; empty where all are fixed.

    >>> from kingsolve.variants import load_variant
    >>> choices(load_variant("short-king"))
    ('trumps-s', 'trumps-h', 'trumps-d', 'trumps-c', 'trumps-nt')
    """
    plan = variant.plan
    if plan is None or plan.chooser is None:
        return ()
    named = {name for names in plan.order if len(names) > 1 for name in names}
    named |= {name for quota in plan.quotas for name in quota.of}
    return tuple(name for name in variant.contracts if name in named)


def chooser_of(variant: Variant, leader: str, *, dealer: str | None = None) -> str | None:
    """The seat that chooses the contract of a deal; None where nobody does, or the deal does not say.

    Where the chooser leads first it is the leader: so in every variant that ships.
    """
    plan = variant.plan
    if plan is None or plan.chooser is None:
        return None
    if variant.first_lead == "chooser" or (plan.chooser, variant.first_lead) in _CHOOSER_LEADS:
        return leader
    if plan.chooser == "dealer":
        return dealer
    if plan.chooser == "rotates" or dealer is None:
        return None
    step = 1 if variant.clockwise else -1
    return SEATS[(parse_seat(dealer, variant.seats) + step) % variant.seats]


def first_leader(variant: Variant, chooser: str) -> str:
    """Who leads where `chooser` has chosen the contract: itself in every variant that ships.

    Raises KingError where the leader comes with the deal.

    >>> from kingsolve.variants import load_variant
    >>> first_leader(load_variant("rifki"), "W")
    'W'
    """
    plan, first = variant.plan, variant.first_lead
    assert plan is not None
    if first == "given":
        msg = f"expected a variant that says who leads, got {variant.id!r}"
        raise KingError(msg)
    if first == "chooser" or plan.chooser == "rotates":
        return chooser
    step = 1 if variant.clockwise else -1
    ahead = {("dealer", "left-of-dealer"): 1, ("eldest", "dealer"): -1}.get((str(plan.chooser), first), 0)
    return SEATS[(parse_seat(chooser, variant.seats) + step * ahead) % variant.seats]


_CHOOSER_LEADS = {("dealer", "dealer"), ("eldest", "left-of-dealer")}


@dataclass(frozen=True, kw_only=True)
class Ranked:
    """A contract in its place for the chooser: 1 is the best, equals share a place.

    None where its Shapley shares are not solved: it stands after those that are, by what the chooser is sure
    of.
    """

    analysis: Analysis
    place: int | None


def ranked(analyses: Iterable[Analysis], chooser: str) -> list[Ranked]:
    """The contracts from best to worst for `chooser`: by its Shapley share, the guarantee breaking ties."""
    everything = list(analyses)
    solved = [found for found in everything if found.shapley is not None]
    unsolved = [found for found in everything if found.shapley is None]
    seat = SEATS.index(chooser)

    def sure(found: Analysis) -> int:
        return found.guarantee[chooser].minimum

    def worth(found: Analysis) -> tuple[Fraction, int]:
        assert found.shapley is not None
        return found.shapley[seat], sure(found)

    solved.sort(key=worth, reverse=True)
    unsolved.sort(key=sure, reverse=True)
    places = [1 + sum(worth(other) > worth(found) for other in solved) for found in solved]
    return [
        *(Ranked(analysis=found, place=place) for found, place in zip(solved, places, strict=True)),
        *(Ranked(analysis=found, place=None) for found in unsolved),
    ]
