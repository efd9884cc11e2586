"""The parts of the table's screen: the players with the trick, your hand, the panel to choose from."""

from collections.abc import Sequence

from rich.cells import cell_len
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widget import Widget
from textual.widgets import OptionList, RadioButton, RadioSet, Static
from textual.widgets.option_list import Option

from . import canvas
from .session import View


class Choice(RadioButton):
    """A radio button that shows without colour whether it is on."""

    BUTTON_LEFT, BUTTON_RIGHT = "(", ")"

    @property
    def BUTTON_INNER(self) -> str:  # type: ignore[override]  # textual's own name
        """A dot, or nothing."""
        return "●" if self.value else " "


class Choices(RadioSet):
    """Radio buttons of which the arrows choose at once, beginning where the choice stands."""

    _placed = False

    def on_mount(self) -> None:
        """Puts the mark of the keys where the choice is."""
        self.call_after_refresh(self._place)

    def _place(self) -> None:
        for _ in range(self.pressed_index):
            super().action_next_button()
        self._placed = True

    def action_next_button(self) -> None:
        """The next one, chosen."""
        super().action_next_button()
        if self._placed:
            self.action_toggle_button()

    def action_previous_button(self) -> None:
        """The one before, chosen."""
        super().action_previous_button()
        if self._placed:
            self.action_toggle_button()


class Board(Widget):
    """The players, and the trick between them."""

    view: View | None = None

    def show(self, view: View) -> None:
        """Paints a new view."""
        self.view = view
        self.refresh()

    def render(self) -> Text:
        """The painting."""
        if self.view is None:
            return Text()
        return canvas.table(self.view, self.size.width, self.size.height)


class Ghost(Static):
    """The card under the mouse while it is dragged."""

    def show(self, card: str, x: int, y: int, size: canvas.Size) -> None:
        """Draws the card with its middle at a cell of the screen."""
        grid = canvas.Canvas(size.width, size.height, canvas.FELT)
        grid.card(0, 0, card, size, bold=True)
        self.styles.width, self.styles.height = size.width, size.height
        self.styles.offset = (x - size.width // 2, y - size.height // 2)
        self.update(grid.text())
        self.display = True


class Hand(Widget):
    """Your cards. Click, or drag onto the table, to play; drag within the hand to rearrange."""

    can_focus = False

    class Played(Message):
        """A card was clicked, or dragged onto the table."""

        def __init__(self, card: str) -> None:
            super().__init__()
            self.card = card

    class Moved(Message):
        """A card was dragged to another place in the hand."""

        def __init__(self, card: str, to: int) -> None:
            super().__init__()
            self.card, self.to = card, to

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.cards: tuple[str, ...] = ()
        self.legal: frozenset[str] = frozenset()
        self.your_turn = False
        self.cursor = 0
        self._height = 0
        self._down: tuple[str, int, int] | None = None
        self._dragged: str | None = None
        self._shaken: str | None = None
        self._shift = 0

    def show(self, view: View) -> None:
        """Paints the hand of a new view; the cursor stays on its card, else in its place."""
        before = self.card
        self.cards, self.legal, self.your_turn = view.hand, view.legal, bool(view.legal)
        if before in self.cards:
            self.cursor = self.cards.index(before)
        self.cursor = max(0, min(self.cursor, len(self.cards) - 1))
        self.fit()

    def fit(self) -> None:
        """Takes the height that the cards need in this window."""
        height = self.card_size.height + 2
        if self._height != height:
            self._height = self.styles.height = height
        self.refresh()

    @property
    def card(self) -> str | None:
        """The card under the cursor."""
        return self.cards[self.cursor] if self.cursor < len(self.cards) else None

    @property
    def card_size(self) -> canvas.Size:
        """How large cards are drawn in this window."""
        return canvas.hand_size(max(len(self.cards), 8), self.app.size.width, self.app.size.height)

    def render(self) -> Text:
        """The painting."""
        return canvas.hand(
            self.cards,
            self.legal,
            self.size.width,
            self.card_size,
            cursor=self.cursor if self.cards else None,
            your_turn=self.your_turn,
            gone=self._dragged,
            shaken=self._shaken,
            shift=self._shift,
        )

    def shake(self, card: str) -> None:
        """Shakes a card that may not be played."""
        self._shaken = card
        for number, shift in enumerate((1, -1, 1, 0)):
            self.set_timer(0.06 * (number + 1), lambda shift=shift: self._shake(shift))

    def _shake(self, shift: int) -> None:
        self._shift = shift
        if not shift:
            self._shaken = None
        self.refresh()

    # --- mouse ---

    def _at(self, x: int) -> int:
        """The place in the hand of a column."""
        size = self.card_size
        return (x - canvas.hand_left(len(self.cards), self.size.width, size)) // size.width

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Takes hold of a card."""
        place = self._at(event.x)
        if 0 <= place < len(self.cards) and event.button == 1:
            self.cursor = place
            self._down = self.cards[place], event.screen_x, event.screen_y
            self.capture_mouse()
            self.refresh()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Drags the card held, once the mouse has gone further than a hand that trembles."""
        if self._down is None:
            return
        card, x, y = self._down
        if self._dragged or abs(event.screen_x - x) > 1 or abs(event.screen_y - y) > 0:
            self._dragged = card
            self.screen.query_one(Ghost).show(card, event.screen_x, event.screen_y, self.card_size)
            self.refresh()

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Plays the card, or puts it in its new place."""
        if self._down is None:
            return
        card, dragged = self._down[0], self._dragged is not None
        self._down = self._dragged = None
        self.release_mouse()
        self.screen.query_one(Ghost).display = False
        self.refresh()
        if card not in self.cards:
            return
        if not dragged or event.screen_y < self.region.y:
            self.post_message(self.Played(card))
        elif (to := self._at(event.x)) != self.cards.index(card):
            self.post_message(self.Moved(card, max(0, to)))


_AROUND = 6
"""Columns of the panel besides its rows: border, padding, a scroll bar, a blank before it."""


class Panel(Vertical):
    """The panel of contracts, or trumps, to choose from: arrows and Enter, a click, or the key before it."""

    class Chosen(Message):
        """A contract was chosen."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.names: tuple[str, ...] = ()

    def compose(self) -> ComposeResult:
        """The list; its heading stands in the border, so that thirteen lines fit into 24."""
        yield OptionList(id="choices-list")

    def ask(self, title: str, choices: Sequence[tuple[str, Text]]) -> None:
        """Shows the panel: names of contracts, and how they are shown."""
        self.names = tuple(name for name, _ in choices)
        self.border_title = title
        listed = self.query_one(OptionList)
        listed.clear_options()
        rows = [
            Text(f"{canvas.KEYS[i]}  " if i < len(canvas.KEYS) else "   ") + shown
            for i, (_, shown) in enumerate(choices)
        ]
        listed.add_options(Option(row, id=name) for (name, _), row in zip(choices, rows, strict=True))
        widest = max(row.cell_len for row in rows)
        self.styles.width = max(widest, cell_len(title)) + _AROUND
        listed.highlighted = 0
        self.display = True
        listed.focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Passes the choice on."""
        event.stop()
        if event.option_id is not None:
            self.post_message(self.Chosen(event.option_id))
