"""The textual app: settings at the bottom, the table over them."""

import asyncio
import os
import signal
import threading
from collections.abc import Mapping
from typing import ClassVar

from textual.app import App
from textual.binding import Binding
from textual.theme import Theme

from .session import Place, Session
from .settings import SettingsScreen
from .store import Store
from .table_screen import PACE, Failed, TableScreen

_CSS = """
Screen { background: #0b2d22; color: #e9f2ec; }
#title { text-align: center; text-style: bold; color: #ffd166; padding: 0 0 1 0; }
#lists { height: 13; padding: 0 2; }
.list { width: 1fr; height: 100%; padding: 0 1; }
#levels { width: 24; }
.list RadioSet { width: 100%; height: auto; max-height: 12; border: none; background: #0e3b2c; padding: 0; }
#names { height: 1; padding: 0 3; }
#names Label { width: auto; padding: 0 1 0 0; }
#names Input { width: 14; margin: 0 2 0 0; }
#buttons { height: 3; padding: 0 3; }
#buttons Button { margin: 0 2 0 0; }
#words { padding: 0 3; color: #bcd0c4; height: 1fr; }

#chip { height: 1; background: #0b2d22; }
#strip { height: 1; background: #0b2d22; }
#felt { layers: low high; height: 1fr; align: center middle; background: #0e3b2c; }
#board { layer: low; width: 100%; height: 100%; }
#choices { layer: high; max-width: 100%; height: auto; max-height: 100%; background: #123f4a;
    border: round #ffd166; border-title-style: bold; padding: 0 1; }
#choices-list { height: auto; max-height: 100%; border: none; background: #123f4a; padding: 0;
    scrollbar-size-vertical: 1; text-wrap: nowrap; text-overflow: ellipsis; }
#status { height: 1; background: #0b2d22; color: #ffd166; text-style: bold; padding: 0 1; }
#hand { height: 5; background: #0e3b2c; }
#ghost { layer: ghost; position: absolute; }
TableScreen { layers: default ghost; }
#too-small { display: none; height: 1fr; content-align: center middle; text-align: center; }
TableScreen.small > * { display: none; }
TableScreen.small > #too-small { display: block; }

ModalScreen { align: center middle; background: #000000 40%; }
#sheet, #menu, #score, #end { background: #10271f; border: round #ffd166; padding: 0 1; }
#sheet { width: 96%; max-width: 100; height: 90%; }
#sheet-title, #menu-title { text-style: bold; color: #ffd166; }
#sheet-text { height: 1fr; background: #10271f; }
#sheet-foot { color: #9fb8ab; }
#menu { width: 44; height: auto; }
#menu OptionList { height: auto; border: none; background: #10271f; padding: 0; }
#score { width: auto; max-width: 100%; height: auto; max-height: 100%; }
#score > Static, #score-rows Static { width: auto; }
#score-rows { width: 76; height: auto; max-height: 75%; }
#score-totals { border-top: solid #9fb8ab; }
#score-close { margin: 0 0 0 28; }
#end { width: 64; height: auto; }
#end-title { text-style: bold; color: #ffd166; text-align: center; padding: 0 0 1 0; }
#end-standing { padding: 0 0 1 2; }
#end-statistics { padding: 0 0 1 2; color: #bcd0c4; }
#end-buttons { height: 3; align: center middle; }
#end-buttons Button { margin: 0 1; min-width: 10; }
Button:nocolor:focus { text-style: bold reverse; }
OptionList:nocolor > .option-list--option-highlighted { text-style: bold reverse; }
RadioSet:nocolor:focus > RadioButton.-selected { text-style: reverse; }
RadioButton:nocolor.-on { text-style: bold; }
Input:nocolor:focus { text-style: reverse; }
"""


_THEME = Theme(
    name="king",
    primary="#ffd166",
    secondary="#7fb99a",
    accent="#ffd166",
    foreground="#e9f2ec",
    background="#0b2d22",
    surface="#0e3b2c",
    panel="#123f31",
    success="#41b871",
    warning="#ffd166",
    error="#e5544b",
    dark=True,
    variables={
        "block-cursor-background": "#ffd166",
        "block-cursor-foreground": "#10261c",
        "block-cursor-blurred-background": "#245743",
        "footer-background": "#0b2d22",
        "footer-key-foreground": "#ffd166",
        "scrollbar": "#2f6b53",
        "scrollbar-background": "#10271f",
        "scrollbar-hover": "#3d8468",
        "scrollbar-active": "#ffd166",
    },
)


class KingApp(App[None]):
    """The game. It opens on its settings, or on the match given; `pace` is in seconds."""

    CSS = _CSS
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False  # the mouse drags cards
    TITLE = "King"
    BINDINGS: ClassVar = [
        Binding("ctrl+c,ctrl+q", "quit", "Leave", show=False, priority=True),
    ]

    def __init__(
        self,
        store: Store,
        *,
        session: Session | None = None,
        names: Mapping[Place, str] | None = None,
        pace: float = PACE,
    ) -> None:
        # Without colours nothing but the terminal's own is sent: textual's grey would be colours too.
        super().__init__(ansi_color=True if os.environ.get("NO_COLOR") else None)
        self.store, self.session, self.names, self.pace = store, session, names, pace
        self.failure: Exception | None = None
        """What ended the game before its time."""
        self.signal: int | None = None
        """The signal that ended it."""

    def on_mount(self) -> None:
        """The settings, and the match over them where there is one."""
        self._listen()
        if not self.no_color:
            self.register_theme(_THEME)
            self.theme = _THEME.name
        self.push_screen(SettingsScreen(self.store, names=self.names))
        if self.session is not None:
            self.start(self.session)

    def _listen(self) -> None:
        """Signals end the game as a key does, the terminal put back: textual makes little of an exception."""
        if threading.current_thread() is threading.main_thread():  # the only one that may
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                if signal.getsignal(number) is not signal.SIG_IGN:  # nohup
                    asyncio.get_running_loop().add_signal_handler(number, self._signalled, number)

    def _signalled(self, number: int) -> None:
        self.signal = self.signal or number
        self.exit()

    def on_failed(self, event: Failed) -> None:
        """Ends the game; what was wrong is for who runs it to say."""
        self.failure = event.error
        self.exit()

    def start(self, session: Session) -> None:
        """Lays the table for a match."""
        self.push_screen(TableScreen(session, self.store, pace=self.pace))
