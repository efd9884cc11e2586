"""The screen of the match: it shows the session's view, asks the computer players beside the screen, and
waits for you."""

import asyncio
from contextlib import suppress

from rich.cells import cell_len
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static

from kingsolve import KingError, Result
from kingsolve.cards import SYMBOLS

from ..errors import one_line
from . import canvas
from .score import EndScreen, ScoreScreen
from .session import Mark, Session, trick_points
from .store import Store
from .texts import HintScreen, MenuScreen, ReviewScreen, RulesScreen
from .threads import in_thread
from .widgets import Board, Ghost, Hand, Panel
from .words import LEVELS, price, trick_words

PACE = 0.6
"""Seconds between the cards of computer players, unless told otherwise; a trick lies twice as long."""
LEAST = (72, 22)
"""Columns and lines below which the table cannot be drawn."""


class Failed(Message):
    """Something that the game cannot go on after."""

    bubble = True

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error


class TableScreen(Screen[None]):
    """A match being played; `pace` is in seconds."""

    AUTO_FOCUS = ""  # the keys are the screen's, save while there is a choice
    BINDINGS = [  # noqa: RUF012  # as textual has it
        Binding("left", "cursor(-1)", "Move", key_display="←→"),
        Binding("right", "cursor(1)", show=False),
        Binding("enter,space", "play", "Play", key_display="⏎"),
        Binding("s", "sort", "Sort"),
        Binding("less_than_sign,shift+left", "shift(-1)", show=False),
        Binding("greater_than_sign,shift+right", "shift(1)", show=False),
        Binding("t", "score", "Table"),
        Binding("h", "hint", "Hint"),
        Binding("r", "review", "Review"),
        Binding("m,escape", "menu", "Menu"),
        Binding("question_mark", "rules", "Rules", key_display="?"),
        *(Binding(key, f"take({i})", show=False) for i, key in enumerate(canvas.KEYS)),
    ]

    def __init__(self, session: Session, store: Store, *, pace: float = PACE) -> None:
        super().__init__()
        self.session, self.store, self.pace = session, store, pace
        self._skip = asyncio.Event()
        self._wanted: asyncio.Future[str] | None = None
        self._next: str | None = None
        """A card asked for while the last trick still lay on the table."""
        self._held = False
        self._lit = True
        self._marks: tuple[Mark, ...] = ()
        self._unsaved = ""

    def compose(self) -> ComposeResult:
        """From top to bottom; the panel of choices lies over the table, a dragged card over everything."""
        yield Static(id="chip")
        yield Static(id="strip")
        with Container(id="felt"):
            yield Board(id="board")
            yield Panel(id="choices")
        yield Static(id="status")
        yield Hand(id="hand")
        yield Footer(show_command_palette=False)
        yield Static(id="too-small")
        yield Ghost(id="ghost")

    def on_mount(self) -> None:
        """Begins, or goes on."""
        self.query_one(Panel).display = False
        self.query_one(Ghost).display = False
        self.show()
        self.set_interval(0.8, self._pulse)
        self.run_worker(self._driven())

    # --- what is to be seen ---

    def show(self) -> None:
        """Paints everything anew."""
        view = self.session.view(held=self._held)
        self.query_one(Board).show(view)
        self.query_one(Hand).show(view)
        number, words = canvas.chip(view)
        level = self.session.level
        line = Text(f" {number} ", "bold")
        line.append(f" {words} ", "bold reverse")
        right = f"{self.session.variant.title} · {level.capitalize() if level in LEVELS else level} "
        room = self.size.width - line.cell_len - len(right)
        if room > 0:
            line.append(" " * room + right, "dim")
        self.query_one("#chip", Static).update(line, layout=False)
        self._marks = view.marks
        self._show_strip()

    def _show_strip(self) -> None:
        marks = self._marks
        self.query_one("#strip", Static).update(
            canvas.strip(marks, self.size.width, lit=self._lit), layout=False
        )

    def _pulse(self) -> None:
        self._lit = not self._lit
        self._show_strip()

    def tell(self, words: str) -> None:
        """Says something in the status line."""
        self.query_one("#status", Static).update(Text(f"{words}{self._unsaved}"), layout=False)

    def on_resize(self, event: events.Resize) -> None:
        """Paints for the new size; one too small waits for a larger one."""
        small = event.size.width < LEAST[0] or event.size.height < LEAST[1]
        self.set_class(small, "small")
        size = f"{event.size.width} x {event.size.height}"
        self.query_one("#too-small", Static).update(
            f"Make the window 80 x 24 or larger: it is {size}. (Ctrl-C leaves.)"
        )
        self.query_one(Hand).fit()
        self.show()
        self.refresh_bindings()
        self._to_choices()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """No key does anything while the window is too small to see what it would do."""
        return not self.has_class("small")

    # --- the game ---

    async def _seen(self) -> None:
        """Waits while another screen lies over the table, or it is too small to be seen."""
        while self.app.screen is not self or self.has_class("small"):
            await asyncio.sleep(0.05)

    async def _driven(self) -> None:
        """Plays the match; whatever goes wrong ends the program, with the match saved."""
        try:
            await self._drive()
        except Exception as error:  # a player of somebody else's, for one
            self.post_message(Failed(error))

    async def _drive(self) -> None:
        """Plays the match to its end."""
        session = self.session
        self._save()
        while not session.is_over:
            if self.pace > 0 or session.yours:  # else nobody could see it
                self.show()
            what = await self._choice()
            await self._seen()
            chose, who = session.choosing, session.name(session.table.seat)
            result = session.act(what)
            self._save()
            if chose:
                contract = session.match.contract
                assert contract is not None
                self.tell(f"{who}: {contract.title}, {price(contract)}.")
                self.show()
                await self._pause(2 * self.pace)
                continue
            await self._after_card(result)
        await self._end()

    async def _choice(self) -> str:
        """The next card or contract: yours, or a computer player's."""
        session = self.session
        if session.yours:
            return await (self._your_contract() if session.choosing else self._your_card())
        if not session.seated:
            self.tell("The players sit down. The first time ever, that takes half a minute…")
            await in_thread(session.sit)
        name = session.name(session.table.seat)
        self.tell(f"{name} is {'choosing' if session.choosing else 'thinking'}…")
        began = asyncio.get_running_loop().time()
        what = await in_thread(session.ask)
        await self._pause(self.pace - (asyncio.get_running_loop().time() - began))
        return what

    async def _after_card(self, result: Result | None) -> None:
        """Leaves a complete trick on the table for a while, and a finished deal's table until NEXT DEAL."""
        session = self.session
        record = result.round if result is not None else session.match.current
        assert record is not None
        if len(record.cards) % session.variant.seats:
            return
        self._held = True
        self.show()
        winner = next(seat for seat in session.view(held=True).seats if seat.winner)
        self.tell(trick_words(winner.name, trick_points(record)))
        await self._pause(2 * self.pace)
        if result is not None:
            early = len(record.cards) < session.variant.hand_size * session.variant.seats
            self.tell("Nothing is left to score: the deal is over." if early else "The deal is over.")
            await self._pause(self.pace)
            await self._seen()
            seconds = min(self.pace, 1.0)
            await self.app.push_screen_wait(ScoreScreen(session, after_deal=True, seconds=seconds))
        self._held = False

    async def _pause(self, seconds: float) -> None:
        """Waits, unless a key says to go on, and as long as another screen is open."""
        self._skip.clear()
        if seconds > 0:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._skip.wait(), seconds)
        else:
            await asyncio.sleep(0)
        await self._seen()

    async def _your_card(self) -> str:
        """The card that you play."""
        ready, self._next = self._next, None
        if ready is not None and self.session.why_not(ready) is None:
            return ready
        hand = self.query_one(Hand)
        if hand.card not in hand.legal:
            hand.cursor = next(i for i, card in enumerate(hand.cards) if card in hand.legal)
            hand.refresh()
        self.tell(self._turn_words())
        return await self._wait()

    def _turn_words(self) -> str:
        """What you may do, with the reason where you may not play everything."""
        view = self.session.view()
        words = "Your lead." if all(seat.card is None for seat in view.seats) else "Your turn."
        barred = next((card for card in view.hand if card not in view.legal), None)
        if barred is not None:
            words += f" {self.session.why_not(barred)}"
        return words

    async def _your_contract(self) -> str:
        """The contract, or the trumps, that you name."""
        session, choices = self.session, self.query_one(Panel)
        trumps = session.match.plan.named_after
        title = "Name the trump" if trumps else "Choose the contract"
        words = f"You see your first {trumps} cards." if trumps else "You choose, and see your whole hand."
        self.tell(words)
        choices.ask(title, list(zip(session.match.open, self._offers(), strict=True)))
        chosen = await self._wait()
        choices.display = False
        self.set_focus(None)
        return chosen

    def _offers(self) -> list[Text]:
        """The contracts in the panel, in columns: what is left of each quota, then the price, which matters
        least where the window cuts long lines."""
        match, found = self.session.match, []
        contracts = [self.session.variant.contract(name) for name in match.open]
        widest = max(cell_len(contract.title) for contract in contracts)
        for contract in contracts:
            left = self.session.quota(contract.name)
            shown = Text(f"{SYMBOLS[contract.trump] if contract.trump else ' '} {contract.title}")
            if left is not None or match.plan.named_after is None:
                shown.pad_right(widest - cell_len(contract.title))
            if left is not None:
                shown.append(f"  {left} left", "bold")
            if match.plan.named_after is None:
                shown.append(f"  {price(contract)}", "dim")
            found.append(shown)
        return found

    async def _wait(self) -> str:
        """What `_give` is given."""
        self._wanted = asyncio.get_running_loop().create_future()
        try:
            return await self._wanted
        finally:
            self._wanted = None

    def _give(self, what: str) -> None:
        if self._wanted is not None and not self._wanted.done():
            self._wanted.set_result(what)

    def _save(self) -> None:
        try:
            self.store.save(self.session)
            self._unsaved = ""
        except OSError as error:
            self._unsaved = f"  (not saved: {error.strerror or error})"

    async def _end(self) -> None:
        """The end of the match, and where to go from there."""
        session = self.session
        path, record, said = None, None, ""
        try:
            record = await in_thread(lambda: self.store.count(session))
            if self.store.statistics.set_aside is not None:
                said = f"The statistics were damaged: set aside as {self.store.statistics.set_aside.name}."
            path = self.store.finish(session)
        except (OSError, KingError) as error:
            said = f"Not {'kept' if record is not None else 'counted'}: {one_line(error)}"
        while True:
            await self._seen()
            end = EndScreen(session, path=path, record=record, said=said)
            what = await self.app.push_screen_wait(end)
            if what == "table":
                await self.app.push_screen_wait(ScoreScreen(session, after_deal=False))
            elif what == "review":
                await self.app.push_screen_wait(ReviewScreen(session))
            else:
                break
        self._leave(what)

    def _leave(self, how: str) -> None:
        if how == "new":
            self.dismiss()
        else:
            self.app.exit()

    # --- what you do ---

    def play(self, card: str) -> None:
        """Plays a card of yours, or says why it may not be played."""
        session, hand = self.session, self.query_one(Hand)
        why = session.why_not(card)
        if why is not None:
            self.tell(why)
            hand.shake(card)
        elif self._wanted is None:
            self._next = card
            self._skip.set()
        else:
            self._give(card)

    def action_play(self) -> None:
        """Plays the card under the cursor; while a trick lies there, goes on."""
        card = self.query_one(Hand).card
        if self._wanted is None:
            self._skip.set()
        elif card is not None:
            self.play(card)

    def action_take(self, place: int) -> None:
        """Plays the card, or chooses the contract, in a place."""
        choices, cards = self.query_one(Panel), self.query_one(Hand).cards
        if choices.display:
            if place < len(choices.names):
                self._give(choices.names[place])
        elif place < len(cards):
            self.query_one(Hand).cursor = place
            self.play(cards[place])

    def action_cursor(self, step: int) -> None:
        """Moves along the hand."""
        hand = self.query_one(Hand)
        if hand.cards:
            hand.cursor = (hand.cursor + step) % len(hand.cards)
            hand.refresh()

    def action_shift(self, step: int) -> None:
        """Moves the card under the cursor along the hand."""
        hand = self.query_one(Hand)
        if hand.card is not None:
            self._rearrange(hand.card, hand.cursor + step)

    def action_sort(self) -> None:
        """Sorts the hand."""
        self.session.sort()
        self._rearranged()

    def _rearrange(self, card: str, to: int) -> None:
        if card in self.session.hand:
            self.session.move(card, to)
            self._rearranged()

    def _rearranged(self) -> None:
        try:
            self._save()
        except KingError as error:
            self.post_message(Failed(error))
        self.show()

    def on_hand_played(self, event: Hand.Played) -> None:
        """A card was clicked, or dragged onto the table."""
        if not self.has_class("small"):  # a mouse that held it as the window shrank
            self.play(event.card)

    def on_hand_moved(self, event: Hand.Moved) -> None:
        """A card was dragged within the hand."""
        self._rearrange(event.card, event.to)

    def on_panel_chosen(self, event: Panel.Chosen) -> None:
        """A contract was chosen in the panel."""
        if not self.has_class("small"):
            self._give(event.name)

    def action_score(self) -> None:
        """The score table."""
        self.app.push_screen(ScoreScreen(self.session, after_deal=False))

    def action_rules(self) -> None:
        """The rules and the keys."""
        self.app.push_screen(RulesScreen(self.session.variant))

    def action_hint(self) -> None:
        """What the analysis of your hand says."""
        if self._wanted is None:
            self.tell("A hint is for your turn.")
        else:
            self.app.push_screen(HintScreen(self.session))

    def action_review(self) -> None:
        """The last deal looked back on."""
        if self.session.last is None:
            self.tell("No deal has been finished yet.")
        else:
            self.app.push_screen(ReviewScreen(self.session))

    def action_menu(self) -> None:
        """The menu."""
        self.app.push_screen(MenuScreen(), self._from_menu)

    def _from_menu(self, what: str | None) -> None:
        if what == "table":
            self.action_score()
        elif what == "rules":
            self.action_rules()
        elif what in ("new", "leave"):
            self._leave(what)
        self._to_choices()

    def _to_choices(self) -> None:
        """Gives the keys to the choices, where there are any to be seen."""
        if self.query_one(Panel).display and not self.has_class("small"):
            self.query_one(OptionList).focus()
