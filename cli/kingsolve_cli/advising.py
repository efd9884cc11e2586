"""The work of `kingsolve advise`."""

import re
from typing import Any

import click

from kingsolve import KingError, Variant
from kingsolve.advice import advise_choice

from .advice_table import advice_lines
from .errors import INTERRUPTED, as_typed, say
from .loading import variant_option
from .output import text_output, write_json
from .single_dummy import advice_json, advised
from .single_options import SAMPLING_NAMES, Sampling
from .style import STRONG, Style, ink

_QUOTA = re.compile(r"([a-z0-9-]+)(?:[=:](-?[0-9]+))?")


def run(kind: str, variant_name: str, *, hand: str, left: str | None, options: dict[str, Any]) -> None:
    """Values the contracts or trumps and writes them."""
    variant = variant_option(variant_name)
    assert variant is not None
    with as_typed():
        _check_kind(kind, variant)
        terms = Sampling(**{name: options[name] for name in SAMPLING_NAMES if name in options}).terms(
            options["jobs"]
        )
        job = advise_choice(variant, hand, terms, left=None if left is None else quotas(left))
    advice, interrupted = advised(job)
    with text_output(options["output"]) as stream:
        if options["format"] == "json":
            write_json(stream, advice_json(advice))
        elif options["format"] == "csv":
            from kingsolve import tables

            tables.frame([advice]).to_csv(stream, index=False, lineterminator="\n")
        else:
            style = Style(stream)
            for line in style.wrapped(ink(f"{variant.title} ({variant.id})", STRONG)):
                style.print(line)
            for line in advice_lines(style, advice, variant):
                style.print(line)
    if interrupted:
        say("interrupted")
        click.get_current_context().exit(INTERRUPTED)


def _check_kind(kind: str, variant: Variant) -> None:
    """Whether a whole hand or only the first cards are seen when the choice is made."""
    plan = variant.plan
    first = plan is not None and plan.named_after is not None
    if kind == "contract" and first:
        msg = (
            f"expected a variant in which the whole hand is seen, got {variant.id!r}: kingsolve advise trump"
        )
        raise KingError(msg)
    if kind == "trump" and not first:
        msg = f"expected a variant in which trumps are named after the first cards, got {variant.id!r}"
        raise KingError(msg)


def quotas(text: str) -> dict[str, int]:
    """How often each contract may still be chosen, from `no-king=1,trumps-s=2`; a name alone is once.

    Raises KingError for anything else.
    """
    left: dict[str, int] = {}
    for word in text.replace(",", " ").split():
        match = _QUOTA.fullmatch(word)
        if match is None or match[1] in left:
            msg = f"expected quotas such as 'no-king=1,trumps-s=2', each contract once, got {word!r}"
            raise KingError(msg)
        left[match[1]] = int(match[2]) if match[2] else 1
    return left
