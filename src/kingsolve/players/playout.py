"""Deals played out by a policy, and how likely a policy makes what was played: the kernels' public face."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from .._jit.playouts import log_likelihoods, playout_cards
from .._jit.policies import NAMES
from ..cards import parse_seat
from ..contract import Contract
from ..errors import KingError
from ..knowledge import Knowledge
from ..solver import in_play_order

DEFAULT_POLICY = "careful"
SLIP = 0.25
"""The share of cards that a player is taken to choose otherwise than the policy, at random."""

_CHUNK = 512


def policy_number(name: str) -> int:
    """The number by which the kernels know a policy; KingError, listing those there are, for another name."""
    if name not in NAMES:
        msg = f"expected a policy, one of {' '.join(NAMES)}, got {name!r}"
        raise KingError(msg)
    return NAMES.index(name)


def playout_values(
    deals: NDArray[np.uint64],
    contract: Contract,
    *,
    leader: str,
    trick: Sequence[int] = (),
    seen: int = 0,
    broken: bool = False,
    seat: str,
    cards: Sequence[int] | None = None,
    policy: str = DEFAULT_POLICY,
    jobs: int = 1,
) -> NDArray[np.int32]:
    """The points to come of `seat`, int32[n, cards], when the seat to play plays each card and the policy the
    rest.

    `deals` is uint64[n, seats], hands now in seat order; `trick` and `cards` are bit numbers, `seen` the mask
    of cards out of play before the trick. Without `cards` the policy plays from here: one column.
    """
    order = in_play_order(contract)
    policies = np.full(4, policy_number(policy), np.int64)
    turned = np.ascontiguousarray(deals[:, order]).astype(np.int64)
    lying = np.zeros(4, np.int64)
    lying[: len(trick)] = trick
    wanted = np.array([-1] if cards is None else cards, np.int64)
    out = np.zeros((len(deals), len(wanted), contract.seats), np.int32)
    first, mine = order[parse_seat(leader, contract.seats)], order[parse_seat(seat, contract.seats)]

    def fill(at: int) -> None:
        rows = slice(at, at + _CHUNK)
        playout_cards(
            contract.record[()], turned[rows], first, lying, len(trick), seen, broken, wanted, policies,
            out[rows],
        )  # fmt: skip

    chunks = range(0, len(deals), _CHUNK)
    if jobs == 1 or len(chunks) < 2:
        for at in chunks:
            fill(at)
        return out[:, :, mine]
    with ThreadPoolExecutor(jobs) as pool:
        for done in [pool.submit(fill, at) for at in chunks]:
            done.result()
    return out[:, :, mine]


def weights(
    k: Knowledge, deals: NDArray[np.uint64], *, policy: str = DEFAULT_POLICY, slip: float = SLIP
) -> NDArray[np.float64]:
    """How likely the cards played make each deal, float64[n], summing to 1: importance weights of samples of
    `k`.

    Every other seat is taken to play as the policy does, except that with chance `slip` it plays any legal
    card: so one odd card does not empty the belief. Raises KingError for a slip outside 0 < slip <= 1.
    """
    if not 0 < slip <= 1:
        msg = f"expected a slip above 0 and at most 1, got {slip!r}"
        raise KingError(msg)
    contract = k.contract
    order = in_play_order(contract)
    plays = [play for play in k.plays if contract.seat_names[play.seat] != k.seat]
    tricks = np.zeros((len(plays), 4), np.int64)
    kept, gone = np.zeros(len(plays), np.int64), np.zeros(len(plays), np.int64)
    for i, play in enumerate(plays):
        tricks[i, : len(play.trick)] = play.trick
        before, since = k.plays[: play.number], k.plays[play.number :]
        kept[i] = sum(1 << other.card for other in since if other.seat == play.seat)
        gone[i] = (k.seen & ~sum(1 << other.card for other in k.plays)) | sum(1 << p.card for p in before)
    out = np.zeros(len(deals), np.float64)
    log_likelihoods(
        contract.record[()],
        np.ascontiguousarray(deals[:, order]).astype(np.int64),
        np.array([order[play.seat] for play in plays], np.int64),
        np.array([play.card for play in plays], np.int64),
        tricks,
        np.array([len(play.trick) for play in plays], np.int64),
        kept,
        gone,
        np.array([play.place for play in plays], np.int64),
        np.array([play.broken for play in plays], np.bool_),
        policy_number(policy),
        slip,
        out,
    )
    likely = np.exp(out - out.max())
    return np.asarray(likely / likely.sum())


def effective_size(chances: NDArray[np.float64]) -> float:
    """How many equally weighted samples tell as much: (sum w)^2 / sum w^2 (A. Kong, 1992)."""
    return float(chances.sum() ** 2 / (chances**2).sum())
