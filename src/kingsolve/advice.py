"""What should I play, or choose, seeing my hand alone? Each option's mean points over consistent deals.

Deals that fit what the seat knows are drawn uniformly (sampling.py) and every option is valued in each of
them, so options are compared over common deals. What is averaged is open play: each deal is valued as if all
would see it (docs/single-dummy.md, "What the average leaves out"). Results depend on the seed, the number of
samples and the evaluator; not on threads.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from .advisor import CONFIDENCE, Advice, Advisor, Evaluate, Option, Terms, Value, default_value
from .cards import ALL_CARDS, SEATS, cards_of, mask_of
from .cardwise import CardValues, Concept
from .choice import choices, first_leader
from .contract import Contract
from .deal import Deal
from .errors import CardError, KingError, KnowledgeError, is_number, require
from .knowledge import Knowledge
from .players.playout import playout_values
from .position import Position
from .sampling import sample
from .variants import Variant, as_variant

__all__ = ["Advice", "Advisor", "Option", "Terms", "advise", "advise_card", "advise_choice", "analyze_hand"]

# --- which card ---


def advise_card(k: Knowledge, terms: Terms) -> Advisor:
    """An Advisor for the card that `k.seat`, whose turn it is, plays; see `analyze_hand`."""
    require(k, Knowledge)
    if k.turn != k.seat:
        msg = f"expected {k.seat} to be the seat to play, got {k.turn} on turn"
        raise KnowledgeError(msg)
    if not k.own or k.own.bit_count() != k.sizes[SEATS.index(k.seat)]:
        msg = f"expected the whole hand of {k.seat}, got {' '.join(cards_of(k.own))!r}"
        raise KnowledgeError(msg)
    contract = k.contract
    at = position_of(k, sample(k, 1, seed=0)[0])
    cards = at.legal_cards()
    default = default_value(contract, at.tricks_left)
    chosen = terms.evaluator(default)
    evaluate: Evaluate
    if chosen == "playout":
        lying = [ALL_CARDS[card] for card in k.trick]
        seen = k.seen & ~sum(1 << bit for bit in lying)
        bits = [ALL_CARDS[card] for card in cards]

        def evaluate(deals: NDArray[np.uint64], until: float | None) -> NDArray[np.int32]:
            return playout_values(
                deals, contract, leader=k.leader, trick=lying, seen=seen, broken=k.broken, seat=k.seat,
                cards=bits, jobs=terms.jobs,
            )  # fmt: skip
    else:
        evaluate = CardValues(at, seat=k.seat, cards=cards, concept=chosen, jobs=terms.jobs)
    return Advisor(
        "card", tuple(cards), k, evaluate, variant=contract.variant, contract=contract, value=chosen,
        terms=terms, kinds=_kinds(k, cards),
    )  # fmt: skip


def _kinds(k: Knowledge, cards: Sequence[str]) -> list[int]:
    """A number for each of the seat's cards, the same for those that are the same in play: neighbours, no
    card between them with others or in the trick, alike in points and under the rules."""
    others = k.contract.pack & ~k.own & ~k.seen | mask_of(k.trick)
    number: dict[int, int] = {}
    last = None
    for bit in sorted(ALL_CARDS[card] for card in cards):
        number[bit] = bit
        if last is not None and last >> 4 == bit >> 4:
            between = (1 << bit) - (2 << last)
            if not between & others and k.contract.alike(last, bit):
                number[bit] = number[last]
        last = bit
    return [number[ALL_CARDS[card]] for card in cards]


def analyze_hand(
    k: Knowledge,
    *,
    value: str | None = None,
    samples: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    confidence: float = CONFIDENCE,
    jobs: int = 1,
    policy: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Advice:
    """What each legal card of `k.seat`, whose turn it is, is worth to it on average, seeing only what `k`
    knows.

    `value` is the evaluator: `maxn`, `guarantee`, `shapley`, or `playout` (a policy plays all seats to the
    end); unless given `maxn`, or `playout` where `default_value` says so. At most `samples` deals are valued
    (SAMPLES), or as many as `seconds` allow; fewer when the best card is clear at `confidence`. With at most
    EXACT_DEALS consistent deals all of them are valued. `policy` weighs deals by how likely it makes the
    cards played; `jobs` threads share the work and do not change the answer. Raises KingError for bad
    arguments, KnowledgeError when it is not the seat's turn.
    """
    terms = Terms(
        value=value, samples=samples, seconds=seconds, seed=seed, confidence=confidence, jobs=jobs,
        policy=policy,
    )  # fmt: skip
    return advise_card(k, terms).run(progress)


def position_of(k: Knowledge, deal: Iterable[int]) -> Position:
    """The position that `k` is about, were `deal` (masks of the hands now, in seat order) the deal."""
    masks = tuple(int(hand) for hand in deal)
    return Position(k.contract, Deal(masks), leader=k.leader, trick=k.trick, broken=k.broken)


# --- which contract ---


def advise_choice(
    variant: Variant | str,
    hand: str | Iterable[str],
    terms: Terms,
    *,
    left: Mapping[str, int] | None = None,
) -> Advisor:
    """An Advisor for the contract, or the trumps, that the chooser with `hand` names; see `advise`."""
    variant = as_variant(variant)
    plan = variant.plan
    names = choices(variant)
    if plan is None or not names:
        msg = f"expected a variant in which a contract is chosen, got {variant.id!r}"
        raise KingError(msg)
    mask = mask_of(hand)
    wanted = plan.named_after or variant.hand_size
    if mask.bit_count() != wanted:
        which = f"the first {wanted} cards" if plan.named_after else f"a hand of {wanted} cards"
        msg = f"expected {which} ({variant.id}), got {mask.bit_count()}: {' '.join(cards_of(mask))!r}"
        raise KnowledgeError(msg)
    if mask & ~variant.pack:
        got = " ".join(cards_of(mask & ~variant.pack))
        msg = f"expected cards of the pack ({variant.pack_name}), got {got!r}"
        raise CardError(msg)
    open_names = _open(variant, names, left)
    contracts = [variant.contract(name) for name in open_names]
    leader = first_leader(variant, "N")
    k = Knowledge(contracts[0], "N", own=cards_of(mask), sizes=variant.hand_size, leader="N")
    default: Value = "maxn"
    if any(default_value(contract, variant.hand_size) == "playout" for contract in contracts):
        default = "playout"
    chosen = terms.evaluator(default)
    first = sample(k, 1, seed=0)[0]
    columns = [_whole(contract, first, leader, chosen, terms.jobs) for contract in contracts]

    def evaluate(deals: NDArray[np.uint64], until: float | None) -> NDArray[np.int32]:
        values = []
        for column in columns:
            values.append(column(deals, until))
            deals = deals[: len(values[-1])]
        return np.concatenate([value[: len(deals)] for value in values], axis=1)

    return Advisor(
        "trump" if plan.named_after else "contract", open_names, k, evaluate, variant=variant.id,
        contract=None, value=chosen, terms=terms,
        shares=tuple(contract.total / contract.seats for contract in contracts),
    )  # fmt: skip


def advise(
    variant: Variant | str,
    hand: str | Iterable[str],
    *,
    left: Mapping[str, int] | None = None,
    value: str | None = None,
    samples: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    confidence: float = CONFIDENCE,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Advice:
    """The expected points of each contract still open, for the chooser with `hand` at the start of a round.

    `variant` may be an id or a path. Where trumps are named after the first cards (`full-king`: three) `hand`
    is these, else a whole hand. `left` says how often each contract may still be chosen, by name: those not
    in it, and those with 0, are closed; unless given all are open. All contracts are valued over the same
    deals by one evaluator; the other arguments are those of `analyze_hand`. Raises KnowledgeError for a hand
    of the wrong size, KingError for quotas that cannot be left.
    """
    terms = Terms(
        value=value, samples=samples, seconds=seconds, seed=seed, confidence=confidence, jobs=jobs
    )  # fmt: skip
    return advise_choice(variant, hand, terms, left=left).run(progress)


def _whole(contract: Contract, deal: Iterable[int], leader: str, value: Value, jobs: int) -> Evaluate:
    """The worth to N of whole rounds of a contract, int32[n, 1]."""
    if value == "playout":
        return lambda deals, until: playout_values(deals, contract, leader=leader, seat="N", jobs=jobs)
    concept: Concept = value
    at = Position(contract, Deal(tuple(int(hand) for hand in deal)), leader=leader)
    return CardValues(at, seat="N", cards=None, concept=concept, jobs=jobs)


def _open(variant: Variant, names: tuple[str, ...], left: Mapping[str, int] | None) -> tuple[str, ...]:
    """The contracts that may be chosen; KingError for quotas that no match leaves."""
    if left is None:
        return names
    require(left, Mapping)
    for name, times in left.items():
        if name not in names:
            msg = (
                f"expected a contract that is chosen in {variant.id}, one of {' '.join(names)}, got {name!r}"
            )
            raise KingError(msg)
        most = _most(variant, name)
        if not is_number(times, Integral) or not 0 <= times <= most:
            msg = f"expected 0 to {most} left of {name!r} ({variant.id}), got {times!r}"
            raise KingError(msg)
    _check_together(variant, left)
    found = tuple(name for name in names if left.get(name))
    if not found:
        msg = "expected at least one contract left to choose, got none"
        raise KingError(msg)
    return found


def _check_together(variant: Variant, left: Mapping[str, int]) -> None:
    """KingError where more is left of the contracts of a quota, or in all, than a match has of them."""
    assert variant.plan is not None
    rounds = _chosen(variant)
    limits = [(tuple(left), rounds)]
    for quota in variant.plan.quotas:
        if quota.per_seat is not None:
            limits.append((quota.of, min(rounds, quota.per_seat * variant.seats)))
    for names, most in limits:
        total = sum(left.get(name, 0) for name in names)
        if total > most:
            among = " ".join(name for name in names if left.get(name))
            msg = f"expected at most {most} left of {among} together ({variant.id}), got {total}"
            raise KingError(msg)


def _most(variant: Variant, name: str) -> int:
    """How often a contract may be chosen in a whole match."""
    assert variant.plan is not None
    limits = [
        limit
        for quota in variant.plan.quotas
        if name in quota.of
        for limit in (
            quota.each,
            quota.per_seat * variant.seats if quota.per_seat is not None else None,
            quota.per_seat_each * variant.seats if quota.per_seat_each is not None else None,
        )
        if limit is not None
    ]
    return min([_chosen(variant), *limits])


def _chosen(variant: Variant) -> int:
    """In how many rounds of a match something is chosen."""
    assert variant.plan is not None
    return sum(len(names) > 1 for names in variant.plan.order) or variant.plan.rounds
