"""The work of `kingsolve deal`."""

import secrets
from collections.abc import Iterator, Mapping

from kingsolve import CardError, Variant, variant_ids
from kingsolve.cards import SEATS, parse_seat
from kingsolve.dealing import deal_count, numbered_deal, random_deal
from kingsolve.notation import Game

from .converting import write_whole, written_format
from .errors import bad_option, say
from .loading import variant_option


def run(
    variant_name: str,
    *,
    seed: int | None,
    numbers: range,
    own_number: int | None,
    dealer: str | None,
    output: str,
    format: str | None,
) -> None:
    """Writes the deals of these numbers under a seed, or the one with a number of its own."""
    variant = variant_option(variant_name)
    assert variant is not None
    if dealer is not None:
        try:
            parse_seat(dealer, variant.seats)
        except CardError as error:
            bad_option("--dealer", f"{error} ({variant.id})")
    notation = written_format(output, format, "--format")
    names = _variant_tag(variant, variant_name)
    if own_number is not None:
        if own_number >= deal_count(variant):
            bad_option(
                "--number", f"expected 0 to {deal_count(variant) - 1} ({variant.id}), got {own_number}"
            )
        write_whole(_numbered(variant, own_number, dealer or "N", names), output, format=notation)
        return
    if seed is None:
        seed = secrets.randbelow(2**32)
        say(f"seed {seed}")
    write_whole(_games(variant, seed, numbers, dealer, names), output, format=notation)


def _variant_tag(variant: Variant, name: str) -> dict[str, str]:
    """Tag KingVariant, with a note where it is not enough to read the deals by.

    Rules of the user's own are named too: who reads them without --variant is told so, instead of being given
    other rules that happen to fit the cards.
    """
    if variant.id not in variant_ids():
        say(f"note: tag KingVariant {variant.id!r} is no variant that ships: read with --variant {name}")
    return {"KingVariant": variant.id}


def _numbered(variant: Variant, number: int, dealer: str, names: Mapping[str, str]) -> Iterator[Game]:
    found = numbered_deal(variant, number, dealer=dealer)
    yield Game(1, 1, found, {"Event": f"{variant.id}, deal number {number}", "Dealer": dealer, **names})


def _games(
    variant: Variant, seed: int, numbers: range, dealer: str | None, names: Mapping[str, str]
) -> Iterator[Game]:
    step = 1 if variant.clockwise else -1
    for line, number in enumerate(numbers, 1):
        seat = dealer or SEATS[(number - 1) * step % variant.seats]
        found = random_deal(variant, seed=seed, number=number, dealer=seat)
        tags = {"Event": f"{variant.id}, seed {seed}", "Board": str(number), "Dealer": seat, **names}
        yield Game(line, line, found, tags)
