"""The values of one chunk of deals: pure functions of the plan and the chunk's index."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import cast

import numpy as np
from numpy.typing import NDArray

from ..bulk import Concept, share_bounds, solve_many_bounds
from ..cards import ALL_CARDS, SEATS, card_name
from ..contract import Contract
from ..position import Position
from ..solver import Limits, Solver
from ._plan import Plan
from ._play import OPEN, POLICIES

STATUSES = ("played", "exact", "bounds", "limited")
"""`played` by policies, or with every open value solved; `exact` solved; `bounds` a limit came first;
`limited`: so it did for an open seat, which then played as `careful`."""
PLAYED, SOLVED, BOUNDS, LIMITED = range(4)


@dataclass(frozen=True)
class Tick:
    """Some rounds more of one contract: how many, in how many seconds of one thread."""

    contract: str
    rounds: int
    seconds: float


Report = Callable[[Tick], None]
Points = NDArray[np.signedinteger]
"""int16, or int32 for the sixths of Shapley shares."""


@dataclass
class Chunk:
    """The values of a chunk as arrays, contract by contract, then deal by deal, then leader by leader.

    `deal` uint64[n]; `contract`, `leader`, `status` int8[n], numbers of the plan's contracts, seats and
    STATUSES; `low` and `high` int16 or int32[n, seats] in seat order, points times the play's scale, one
    array where values are single; `nodes` int64[n].
    """

    deal: NDArray[np.uint64]
    contract: NDArray[np.int8]
    leader: NDArray[np.int8]
    low: Points
    high: Points
    nodes: NDArray[np.int64]
    status: NDArray[np.int8]


@dataclass
class _Work:
    """One contract of a chunk: hands uint64[n, seats] in seat order, leaders int8[n, leads], and the cancel
    flag that the searches look at."""

    plan: Plan
    contract: Contract
    first: int
    hands: NDArray[np.uint64]
    leaders: NDArray[np.int8]
    cancel: NDArray[np.int32]
    report: Report
    low: Points = field(init=False)
    high: Points = field(init=False)
    nodes: NDArray[np.int64] = field(init=False)
    status: NDArray[np.int8] = field(init=False)

    def __post_init__(self) -> None:
        n, leads = self.leaders.shape
        kind = np.int32 if self.plan.play.scale > 1 else np.int16
        self.low = np.zeros((n, leads, self.plan.seats), kind)
        self.high = np.zeros_like(self.low) if self.plan.play.bounded else self.low
        self.nodes = np.zeros((n, leads), np.int64)
        self.status = np.zeros((n, leads), np.int8)

    def check(self) -> None:
        if self.cancel[0]:
            raise KeyboardInterrupt


def compute(plan: Plan, index: int, *, cancel: NDArray[np.int32], report: Report) -> Chunk:
    """The values of chunk `index` of the plan.

    `cancel`, int32[1], ends the work with KeyboardInterrupt once it is not 0; `report` hears of every
    contract's rounds as they are done.
    """
    first, count = plan.part_deals(index)
    order = plan.dealer.order
    turned = plan.dealer.in_play_order(seed=plan.seed, first=first, count=count)
    leads = plan.dealer.leaders(first, count)[:, None] + np.arange(plan.leads)
    leads %= plan.seats
    hands = np.ascontiguousarray(turned[:, order]).view(np.uint64)
    leaders = order[leads].astype(np.int8)
    done = []
    for contract in plan.contracts:
        work = _Work(plan, contract, first, hands, leaders, cancel, report)
        work.check()
        if plan.play.kind == "policy":
            _policies(work, turned, leads)
        elif plan.play.kind == "open":
            _open(work)
        else:
            _exact(work)
        done.append(work)
    rows = len(done) * count * plan.leads
    low = np.concatenate([work.low for work in done]).reshape(rows, plan.seats)
    high = (
        np.concatenate([work.high for work in done]).reshape(rows, plan.seats) if plan.play.bounded else low
    )
    numbers = np.repeat(np.uint64(first) + np.arange(count, dtype=np.uint64), plan.leads)
    return Chunk(
        deal=np.tile(numbers, len(done)),
        contract=np.repeat(np.arange(len(done), dtype=np.int8), count * plan.leads),
        leader=np.tile(leaders.ravel(), len(done)),
        low=low,
        high=high,
        nodes=np.concatenate([work.nodes for work in done]).ravel(),
        status=np.concatenate([work.status for work in done]).ravel(),
    )


def _policies(work: _Work, turned: NDArray[np.int64], leads: NDArray[np.int64]) -> None:
    """Rounds of compiled players; each leader draws on random numbers of its own."""
    from .._jit.deals import play_many

    order = work.plan.dealer.order
    players = np.zeros(4, np.int64)
    players[: work.plan.seats] = [POLICIES.index(work.plan.play.players[seat]) for seat in order]
    points = np.zeros(turned.shape, np.int16)
    for rotation in range(work.plan.leads):
        work.check()
        began = time.perf_counter()
        leaders = np.ascontiguousarray(leads[:, rotation])
        play_many(
            work.contract.record[()], turned, leaders, players, np.uint64(work.plan.seed),
            np.uint64(work.first), rotation, points,
        )  # fmt: skip
        work.low[:, rotation] = points[:, order]
        work.report(Tick(work.contract.name, len(turned), time.perf_counter() - began))


def _exact(work: _Work) -> None:
    """Values by the core, of all deals and leaders in one call."""
    n, leads = work.leaders.shape
    concept = work.plan.play.concept
    began, told = time.perf_counter(), 0

    def progress(done: int) -> None:
        nonlocal began, told
        now = time.perf_counter()
        work.report(Tick(work.contract.name, done - told, now - began))
        began, told = now, done

    found = solve_many_bounds(
        np.repeat(work.hands, leads, axis=0) if leads > 1 else work.hands,
        work.contract,
        leader=work.leaders.ravel(),
        concept=cast(Concept, concept),
        nodes=work.plan.nodes,
        memory=work.plan.memory,
        progress=progress,
        cancel=work.cancel,
    )
    low: Points = found.low
    high: Points = found.high
    if concept == "shapley":
        total = np.full(len(low), work.contract.total, np.int32)
        low, high = share_bounds(found, total, work.plan.seats)
    work.low[:] = low.reshape(n, leads, work.plan.seats)
    work.high[:] = high.reshape(n, leads, work.plan.seats)
    work.nodes[:] = found.nodes.astype(np.int64).reshape(n, leads)
    work.status[:] = np.where(found.solved, SOLVED, BOUNDS).reshape(n, leads)


def _open(work: _Work) -> None:
    """Rounds in which some seats see all hands: each of their cards attains the max^n value from there on."""
    plan = work.plan
    n, leads = work.leaders.shape
    for i in range(n):
        began = time.perf_counter()
        for lead in range(leads):
            work.check()
            points, nodes, limited = _open_round(work, i, lead)
            work.low[i, lead] = points
            work.nodes[i, lead] = nodes
            work.status[i, lead] = LIMITED if limited else PLAYED
        work.report(Tick(work.contract.name, leads, time.perf_counter() - began))
    assert plan.play.kind == "open"


def _open_round(work: _Work, i: int, lead: int) -> tuple[tuple[int, ...], int, bool]:
    """Points in seat order, nodes, and whether the limit came first for an open seat."""
    from .._jit.rng import STATE_WORDS, seek
    from ..players.open import open_card
    from ..players.policy import policy_card
    from ..players.view import View

    contract, plan = work.contract, work.plan
    state = np.zeros(STATE_WORDS, np.uint64)
    seek(state, np.uint64(plan.seed), np.uint64(work.first + i))
    state[2] = np.uint64(lead + 1) << np.uint64(32)  # as _jit.deals.play_many
    position = Position.from_masks(contract, map(int, work.hands[i]), leader=int(work.leaders[i, lead]))
    nodes, limited, seen = 0, False, 0
    while not position.is_over:
        player = plan.play.players[SEATS.index(position.turn)]
        card = None
        if player == OPEN:
            solver = Solver(Limits(nodes=plan.nodes, memory=plan.memory), cancel=work.cancel)
            card = open_card(position, solver)
            nodes += solver.nodes
            limited = limited or card is None
        if card is None:
            policy = POLICIES.index("careful" if player == OPEN else player)
            card = card_name(policy_card(View.at(position, seen=seen), policy, state))
        trick = position.trick
        position.push(card)
        if not position.trick:
            seen |= sum(1 << ALL_CARDS[name] for name in [*trick, card])
    return position.banked, nodes, limited
