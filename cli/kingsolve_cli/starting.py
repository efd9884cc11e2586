"""How `kingsolve play` starts: what the options ask for, a terminal to play in, the app."""

import os
import secrets
import sys
from typing import TYPE_CHECKING

import click

from .errors import USAGE, bad_option, say
from .loading import variant_option

if TYPE_CHECKING:
    from .playing.session import Place, Session
    from .playing.store import Store


def run(
    *,
    variant_name: str | None,
    level: str | None,
    seed: int | None,
    names: tuple[str, ...] | None,
    take_up: bool,
    pace: float,
) -> None:
    """Plays; exits 2 for options that ask for what is not there, and without a terminal."""
    from kingsolve import load_variant
    from kingsolve.players import player_names

    variant = variant_option(variant_name)
    if variant is not None and variant.plan is None:
        bad_option("--variant", f"expected a variant with a match, got {variant_name!r}")
    if level is not None and level not in player_names():
        bad_option("--level", f"expected a level, one of {' '.join(player_names())}, got {level!r}")
    if names is not None and len(names) > 3:
        bad_option("--names", f"expected at most three names, got {' '.join(names)!r}")
    begins = variant is not None or level is not None or seed is not None
    if take_up and (begins or names is not None):
        bad_option("--continue", "expected --continue without --variant, --level, --seed and --names")
    if not _is_terminal():
        say("expected a terminal to play in, got none: `kingsolve arena` plays matches without one")
        click.get_current_context().exit(USAGE)
    from .playing.app import KingApp
    from .playing.session import Session
    from .playing.store import Store

    store = Store()
    called = _called(store, names)
    session: Session | None = None
    if take_up:
        session = _left(store)
    elif begins:
        kept = store.settings().get("level")
        chosen = level or (kept if kept in player_names() else "normal")
        rules = variant or load_variant("full-king")
        session = Session.new(
            rules, level=chosen, seed=secrets.randbits(32) if seed is None else seed, names=called
        )
    app = KingApp(store, session=session, names=called if names is not None else None, pace=pace)
    app.run()
    if app.failure is not None:
        raise app.failure
    if app.signal is not None:
        say("interrupted")
        click.get_current_context().exit(128 + app.signal)
    if app.return_code:
        click.get_current_context().exit(app.return_code)


def _is_terminal() -> bool:
    """Whether there is a terminal that can be drawn on."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "") not in ("", "dumb")


def _called(store: "Store", names: tuple[str, ...] | None) -> "dict[Place, str]":
    """The names given, else those of the last settings."""
    from .playing.session import NAMES

    places: tuple[Place, ...] = ("left", "top", "right")
    kept = store.settings().get("names")
    found: dict[Place, str] = {place: NAMES[place] for place in places}
    if isinstance(kept, dict):
        found |= {place: str(kept[place])[:12] for place in places if kept.get(place)}
    return found | dict(zip(places, (name[:12] for name in names or ()), strict=False))


def _left(store: "Store") -> "Session":
    """The match that was left; exits 2 where there is none, 1 where its rules are others now: an older one is
    not what was asked for."""
    session, said = store.latest(strict=True)
    for words in said:
        say(f"note: {words}")
    if session is None:
        bad_option("--continue", "expected a match that was left, got none: `kingsolve play` begins one")
    return session
