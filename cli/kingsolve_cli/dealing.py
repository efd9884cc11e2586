"""The work of `kingsolve deal`."""

import secrets
from collections.abc import Iterator

from kingsolve import CardError, Variant, variant_ids
from kingsolve.cards import SEATS, parse_seat
from kingsolve.dealing import random_deal
from kingsolve.notation import Game

from .converting import write_whole, written_format
from .errors import bad_option, say
from .loading import variant_option


def run(
    variant_name: str,
    *,
    seed: int | None,
    numbers: range,
    dealer: str | None,
    output: str,
    format: str | None,
) -> None:
    """Writes the deals of these numbers."""
    variant = variant_option(variant_name)
    assert variant is not None
    if dealer is not None:
        try:
            parse_seat(dealer, variant.seats)
        except CardError as error:
            bad_option("--dealer", f"{error} ({variant.id})")
    notation = written_format(output, format)
    if seed is None:
        seed = secrets.randbelow(2**32)
        say(f"seed {seed}")
    write_whole(_games(variant, seed, numbers, dealer), output, format=notation)


def _games(variant: Variant, seed: int, numbers: range, dealer: str | None) -> Iterator[Game]:
    step = 1 if variant.clockwise else -1
    # A file of the user's own is no name that another reader could look up.
    names = {"KingVariant": variant.id} if variant.id in variant_ids() else {}
    for line, number in enumerate(numbers, 1):
        seat = dealer or SEATS[(number - 1) * step % variant.seats]
        found = random_deal(variant, seed=seed, number=number, dealer=seat)
        tags = {"Event": f"{variant.id}, seed {seed}", "Board": str(number), "Dealer": seat, **names}
        yield Game(line, line, found, tags)
