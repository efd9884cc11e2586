"""Options that contradict each other, or would be passed over in silence: exit 2, before any work is done."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

import click
from click.core import ParameterSource

from .errors import bad_option
from .single_options import SAMPLING_NAMES

_DOUBLE_DUMMY = ("cards", "line", "rows", "nodes", "time_limit", "memory")
_SINGLE_DUMMY = (*SAMPLING_NAMES, "seen")


def check_files(files: Sequence[str], output: str | None, *others: str | None) -> None:
    """Standard input is read once, and the file to write is none of those to read."""
    if [*files, *others].count("-") > 1:
        raise click.UsageError("expected - for standard input once")  # noqa: EM101  # one place
    check_output(output, *files, *others)


def check_output(output: str | None, *inputs: str | None) -> None:
    """The file to write is none of those to read."""
    if output in (None, "-") or not os.path.isfile(output):
        return
    for path in inputs:
        if path is not None and os.path.isfile(path) and os.path.samefile(path, output):
            bad_option("--output", f"expected another file than the one to read, got {output!r}")


def check_analyze(options: Mapping[str, Any], *, files: Sequence[str], deal: str | None, format: str) -> None:
    """The options of `analyze` that can be judged before a game is read."""
    typed_deal, after = deal is not None, options["after"] is not None
    trick, trace, broken = options["trick"] is not None, options["trace"], options["broken"]
    tidy = format in ("csv", "parquet")
    recorded = any("recorded" in names for names in options["contracts"])
    first = repr(files[0]) if files else ""
    for option, wrong, expected in (
        ("--contract", typed_deal and recorded, "a file that records the contract, got --deal"),
        ("--deal", typed_deal and files, f"a deal or files, not both, got {first} too"),
        ("--game", typed_deal and options["games"], "--game with files only: --deal is one deal"),
        ("--after", typed_deal and after, "a file that records cards, got --deal"),
        ("--trace", typed_deal and trace, "a file that records cards, got --deal"),
        ("--trick", after and trick, "--trick or --after, not both"),
        ("--trace", trace and (after or trick), "--trace without --after and --trick: from the start"),
        ("--broken", broken and (after or trace), "--broken without --after and --trace: the record tells"),
        ("--rows", trace and typed("rows"), "--rows without --trace: a row is a recorded card"),
        ("--rows", options["rows"] == "cards" and not options["cards"], "--rows cards without --no-cards"),
        ("--rows", typed("rows") and not tidy, f"--format csv or parquet with --rows, got {format}"),
    ):  # fmt: skip
        if wrong:
            bad_option(option, f"expected {expected}")
    if options["seat"] is None:
        return
    for name in ("trace", "concepts", "side"):
        if options[name]:
            bad_option(_named(name), f"expected no {_named(name)} with --seat: it sees all hands")
    for name in _DOUBLE_DUMMY:
        if typed(name):
            bad_option(
                _named(name), f"expected no {_named(name)} with --seat: it is for hands that are all seen"
            )


def unused_options(*, alone: bool) -> str:
    """The options given that do not serve what was seen, in words: one hand where `alone`, else all hands."""
    return ", ".join(_named(name) for name in (_DOUBLE_DUMMY if alone else _SINGLE_DUMMY) if typed(name))


def typed(name: str) -> bool:
    """Whether the parameter was given on the command line rather than left to its default."""
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE


def _named(name: str) -> str:
    """The option that a parameter of the present command belongs to, as typed where it is an on/off pair."""
    context = click.get_current_context()
    parameter = next(parameter for parameter in context.command.params if parameter.name == name)
    off = parameter.secondary_opts and context.params.get(name) is False
    return (parameter.secondary_opts if off else parameter.opts)[0]
