"""The first screen: level, match, names; PLAY, or CONTINUE a match that was left."""

import secrets
from collections.abc import Mapping
from typing import Any

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Button, Footer, Input, Label, RadioSet, Static

from kingsolve import Variant, load_variant, variant_ids
from kingsolve.players import player_names

from .session import NAMES, PLACES, Place, Session
from .store import Store
from .widgets import Choice, Choices
from .words import LEVELS

FIRST = ("full-king", "short-king")
"""The matches of Seed 002; the others come after them."""
_NAMED: tuple[Place, ...] = ("left", "top", "right")


def variants_in_order() -> list[Variant]:
    """The variants with a match: Full and Short King, then all others."""
    others = [load_variant(id) for id in variant_ids() if id not in FIRST]
    return [*map(load_variant, FIRST), *(variant for variant in others if variant.plan is not None)]


class SettingsScreen(Screen[Session]):
    """Gives the session that is to be played."""

    BINDINGS = [  # noqa: RUF012  # as textual has it
        ("p", "play", "Play"),
        ("c", "continue", "Continue"),
        ("tab", "app.focus_next", "Next"),
        ("q,escape", "app.quit", "Leave"),
        Binding("up", "app.focus_previous", show=False),
        Binding("down", "app.focus_next", show=False),
    ]

    def __init__(self, store: Store, *, names: Mapping[Place, str] | None = None) -> None:
        """`names` go before those kept."""
        super().__init__()
        self.store, self.given = store, names
        self.levels = player_names()
        self.variants = variants_in_order()
        self.kept = store.settings()
        self.saved, self.said = store.latest()

    def compose(self) -> ComposeResult:
        """Title, the two lists, names, buttons, words."""
        kept, names = self.kept, self._kept_names()
        level = kept.get("level") if kept.get("level") in self.levels else "normal"
        ids = [variant.id for variant in self.variants]
        chosen = kept.get("variant") if kept.get("variant") in ids else ids[0]
        yield Static("♥ K  K I N G  K ♥", id="title")
        with Horizontal(id="lists"):
            with Vertical(classes="list", id="levels"):
                yield Label("Level")
                with Choices(id="level"):
                    for name in self.levels:
                        yield Choice(name.capitalize(), value=name == level)
            with Vertical(classes="list"):
                yield Label("Match")
                with Choices(id="variant"):
                    for variant in self.variants:
                        yield Choice(_offered(variant), value=variant.id == chosen)
        with Horizontal(id="names"):
            for place in _NAMED:
                yield Label({"left": "Left", "top": "Across", "right": "Right"}[place])
                yield Input(names[place], id=f"name-{place}", max_length=12, compact=True)
        with Horizontal(id="buttons"):
            yield Button("PLAY", id="play", variant="success")
            button = Button("CONTINUE", id="continue", variant="primary")
            button.display = self.saved is not None
            yield button
        yield Static(id="words")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Enter plays, or goes on."""
        self.query_one("#continue" if self.saved is not None else "#play", Button).focus()
        self._tell()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """CONTINUE is there while there is a match to take up."""
        return action != "continue" or self.saved is not None

    def on_screen_resume(self) -> None:
        """Back from a match: it may be taken up again."""
        if not self.is_mounted:
            return
        self.saved, self.said = self.store.latest()
        self.refresh_bindings()
        self.query_one("#continue").display = self.saved is not None
        self._tell()

    @property
    def level(self) -> str:
        """The level chosen."""
        return self.levels[max(0, self.query_one("#level", RadioSet).pressed_index)]

    @property
    def variant(self) -> Variant:
        """The match chosen."""
        return self.variants[max(0, self.query_one("#variant", RadioSet).pressed_index)]

    @property
    def names(self) -> dict[Place, str]:
        """What the others are called."""
        found = {place: self.query_one(f"#name-{place}", Input).value.strip() for place in _NAMED}
        return {place: found[place] or NAMES[place] for place in _NAMED}

    def _kept_names(self) -> Mapping[Place, str]:
        kept: Any = self.kept.get("names")
        given = self.given or (kept if isinstance(kept, dict) else {})
        return {place: str(given.get(place) or NAMES[place])[:12] for place in _NAMED}

    def on_radio_set_changed(self) -> None:
        """Says what was chosen."""
        self._tell()

    def _tell(self) -> None:
        if not self.is_mounted:
            return
        level, variant = self.level, self.variant
        record, said = self.store.record(level, variant)
        words = f"{level.capitalize()}: {LEVELS.get(level, 'a player of your own')}."
        if record.played:
            results = f"{record.won} won, {record.drawn} drawn, {record.lost} lost"
            words += f"\n{record.played} played at {variant.title}: {results}."
        else:
            words += f"\nNo match at {variant.title} yet."
        if self.saved is not None:
            match = self.saved.match
            rounds = f"deal {match.number} of {match.plan.rounds}" if not match.is_over else "at its end"
            words += f"\nCONTINUE: {match.variant.title}, {self.saved.level}, {rounds}."
        for fault in [*self.said[:1], *([said] if said else [])]:
            words += f"\n{fault}"
        self.query_one("#words", Static).update(words)
        across = len(PLACES[variant.seats]) == 4
        self.query_one("#name-top", Input).disabled = not across

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """PLAY or CONTINUE."""
        if event.button.id == "play":
            self.action_play()
        else:
            self.action_continue()

    def on_input_submitted(self) -> None:
        """Enter in a name goes on to the next."""
        self.focus_next()

    def action_play(self) -> None:
        """Begins a match."""
        level, variant, names = self.level, self.variant, self.names
        self.store.keep_settings({"level": level, "variant": variant.id, "names": names})
        self._start(Session.new(variant, level=level, seed=secrets.randbits(32), names=names))

    def action_continue(self) -> None:
        """Takes up the match that was left."""
        if self.saved is not None:
            self._start(self.saved)

    def _start(self, session: Session) -> None:
        from .app import KingApp

        assert isinstance(self.app, KingApp)
        self.app.start(session)


def _offered(variant: Variant) -> str:
    plan = variant.plan
    assert plan is not None
    seats = " · 3 seats" if variant.seats == 3 else ""
    return f"{variant.title} · {plan.rounds} deals{seats}"
