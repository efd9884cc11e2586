"""Options of the commands that see one hand: how deals are valued, how many, from which seed."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

from .options import SEED

if TYPE_CHECKING:
    from kingsolve.advisor import Terms

F = TypeVar("F", bound=Callable[..., Any])
SAMPLING_NAMES = ("value", "samples", "seconds", "seed", "confidence", "belief")
"""The parameters that `sampling_options` adds, the last two not where contracts are chosen."""

_VALUES = ("maxn", "guarantee", "shapley", "playout")


def sampling_options(command: F) -> F:
    """Adds --value, --samples, --time, --seed, --confidence and --belief to a command."""
    return _added(command, (_value, _samples("fewer when one card is clearly best, "), *_COMMON, *_CARDS))


def choosing_options(command: F) -> F:
    """Adds those of them that mean something before the first card: contracts are valued to the end, and no
    card tells of a hand."""
    return _added(command, (_value, _samples(), *_COMMON))


def _added(command: F, options: Sequence[Callable[[F], F]]) -> F:
    for option in reversed(options):
        command = option(command)
    return command


def _samples(early: str = "") -> Callable[[F], F]:
    return click.option(
        "--samples",
        type=int,
        metavar="N",
        help=f"Deals to value at most; {early}all of them when at most 1,000 fit. Default: 512 (maxn, "
        "guarantee), 128 (shapley), 16384 (playout).",
    )


_value = click.option(
    "--value",
    type=click.Choice(_VALUES),
    help="What a deal is worth to the seat: max^n, what it can force, its Shapley share, or what it gets "
    "when a careful policy plays all hands. Default: maxn, and playout where exact solving takes too "
    "long (docs/single-dummy.md).",
)
_COMMON = (
    click.option(
        "--time",
        "seconds",
        type=float,
        metavar="SECONDS",
        help="Seconds to value deals for at most, instead of --samples: how many that is differs from day to "
        "day. Default: as many as --samples says.",
    ),
    click.option(
        "--seed",
        type=SEED,
        metavar="N",
        help="Seed of the deals, 0 to 2**64-1: the same seed gives the same answer. Default: a fresh one, "
        "printed.",
    ),
)
_CARDS = (
    click.option(
        "--confidence",
        type=float,
        metavar="P",
        help="Stop when the best is better than every other with this probability. Default: 0.95.",
    ),
    click.option(
        "--belief",
        type=click.Choice(("careful",)),
        help="Weigh deals by how likely this policy makes the cards played so far. Default: all the same.",
    ),
)


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """These options as typed."""

    value: str | None
    samples: int | None
    seconds: float | None
    seed: int | None
    confidence: float | None = None
    belief: str | None = None

    def terms(self, jobs: int) -> "Terms":
        """The terms they stand for, with a fresh seed where none is given."""
        from kingsolve.advisor import CONFIDENCE, Terms

        return Terms(
            value=self.value,
            samples=self.samples,
            seconds=self.seconds,
            seed=secrets.randbits(32) if self.seed is None else self.seed,
            confidence=CONFIDENCE if self.confidence is None else self.confidence,
            jobs=jobs,
            policy=self.belief,
        )
