"""The score table, and the end of the match."""

from collections.abc import Sequence
from pathlib import Path

from rich.cells import cell_len, set_cell_size
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from kingsolve.statistics import Record

from .session import YOU, Session
from .texts import ReviewScreen
from .words import place_words, signed

_DEAL, _CONTRACT, _POINTS = 5, 19, 6
_FRAMES = 12
"""Steps in which new totals count up."""


class ScoreScreen(ModalScreen[None]):
    """Every deal of the match with each player's points and the running totals; the game waits.

    Deals to come are dimmed. After a deal it comes by itself, with NEXT DEAL, and the totals count
    up in `seconds`.
    """

    BINDINGS = [  # noqa: RUF012  # as textual has it
        ("escape,t,n", "dismiss", "Close"),
        ("r", "review", "Review"),
        ("up", "scroll(-1)"),
        ("down", "scroll(1)"),
    ]

    def __init__(self, session: Session, *, after_deal: bool, seconds: float = 0.0) -> None:
        super().__init__()
        self.session, self.after_deal, self.seconds = session, after_deal, seconds
        self._frame = 0 if after_deal and seconds > 0 else _FRAMES

    def compose(self) -> ComposeResult:
        """Heading, rows, totals, the button."""
        label = "CLOSE"
        if self.after_deal:
            label = "THE END" if self.session.is_over else "NEXT DEAL"
        with Vertical(id="score"):
            yield Static(self._heading(), id="score-heading")
            with VerticalScroll(id="score-rows", can_focus=False):
                yield Static(self._rows())
            yield Static(id="score-totals")
            yield Button(label, id="score-close", variant="success")

    def on_mount(self) -> None:
        """Shows the last deal, and counts up to the new totals."""
        self.call_after_refresh(self._to_last)
        self.query_one(Button).focus()
        self._count()

    def on_button_pressed(self) -> None:
        """Back to the table."""
        self.dismiss()

    def _to_last(self) -> None:
        """Scrolls to the last deal played, in the middle where there are many."""
        rows = self.query_one("#score-rows", VerticalScroll)
        rows.scroll_to(y=len(self.session.match.results) - rows.size.height // 2, animate=False)

    def action_review(self) -> None:
        """The last deal looked back on."""
        if self.session.last is not None:
            self.app.push_screen(ReviewScreen(self.session))

    def action_scroll(self, lines: int) -> None:
        """Moves the rows."""
        self.query_one("#score-rows", VerticalScroll).scroll_relative(y=lines, animate=False)

    def _count(self) -> None:
        rows = self.session.score_rows()
        new = rows[-1][3] if rows else (0,) * len(self.session.places)
        old = rows[-2][3] if len(rows) > 1 else (0,) * len(new)
        share = self._frame / _FRAMES
        totals = [round(a + (b - a) * share) for a, b in zip(old, new, strict=True)]
        line = _row("", "total", [""] * len(totals), [signed(total) for total in totals])
        self.query_one("#score-totals", Static).update(Text(line, "bold"))
        if self._frame < _FRAMES:
            self._frame += 1
            self.set_timer(self.seconds / _FRAMES, self._count)

    def _heading(self) -> Text:
        names = [_right(name, _POINTS - 1) for name in self.session.names.values()]
        width = _POINTS * len(names)
        review = " r: look back on it" if self.after_deal else ""
        above = f"{review:<{_DEAL + _CONTRACT}}{'this deal':>{width}}  {'totals':>{width}}"
        return Text(f"{above}\n") + Text(_row("deal", "contract", names, names), "bold")

    def _rows(self) -> Text:
        rows = [
            Text(_row(str(number), title, [signed(won) for won in points], [signed(sum) for sum in sums]))
            for number, title, points, sums in self.session.score_rows()
        ]
        blank = [""] * len(self.session.places)
        rows += [
            Text(_row(str(number), title or "to be chosen", blank, blank), "dim")
            for number, title in self.session.coming()
        ]
        return Text("\n").join(rows)


def _right(text: str, width: int) -> str:
    """The text, or its beginning, at the right of so many cells."""
    cut = set_cell_size(text, min(cell_len(text), width))
    return " " * (width - cell_len(cut)) + cut


def _row(deal: str, contract: str, points: Sequence[str], totals: Sequence[str]) -> str:
    cells = "".join(_right(cell, _POINTS) for cell in points)
    sums = "".join(_right(cell, _POINTS) for cell in totals)
    return f"{deal:>{_DEAL - 1}} {contract[: _CONTRACT - 1]:<{_CONTRACT}}{cells}  {sums}"


class EndScreen(ModalScreen[str]):
    """Your place, every player's points, your statistics; `new`, `table`, `review` or `leave`."""

    BINDINGS = [  # noqa: RUF012  # as textual has it
        ("n", "give('new')", "New match"),
        ("t", "give('table')", "Table"),
        ("r", "give('review')", "Review"),
        ("l,escape,q", "give('leave')", "Leave"),
        ("left,up", "app.focus_previous"),
        ("right,down", "app.focus_next"),
    ]

    def __init__(self, session: Session, *, path: Path | None, record: Record | None, said: str) -> None:
        super().__init__()
        self.session, self.path, self.record, self.said = session, path, record, said

    def compose(self) -> ComposeResult:
        """Words, then where to go."""
        with Vertical(id="end"):
            yield Static(self._title(), id="end-title")
            yield Static(self._standing(), id="end-standing")
            yield Static(self._statistics(), id="end-statistics")
            with Horizontal(id="end-buttons"):
                yield Button("NEW MATCH", id="new", variant="success")
                yield Button("TABLE", id="table")
                yield Button("REVIEW", id="review")
                yield Button("LEAVE", id="leave")

    def on_mount(self) -> None:
        """Enter begins a new match."""
        self.query_one("#new", Button).focus()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Gives the choice back."""
        self.dismiss(event.button.id or "leave")

    def action_give(self, what: str) -> None:
        """Gives a choice made by key back."""
        self.dismiss(what)

    def _title(self) -> str:
        rows = self.session.standing()
        place = next(row[1] for row in rows if row[0] == YOU)
        return place_words(place, shared=sum(row[1] == place for row in rows) > 1)

    def _standing(self) -> str:
        lines = [f"{'':<4}{'player':<14}{'total':>8}{'penalties':>12}{'rewards':>10}"]
        for seat, place, total, penalty, positive in self.session.standing():
            name = self.session.name(seat)
            cells = f"{signed(total):>8}{signed(penalty):>12}{signed(positive):>10}"
            lines.append(f"{place:>2}. {set_cell_size(name, 13)} {cells}")
        return "\n".join(lines)

    def _statistics(self) -> str:
        lines = []
        record = self.record
        if record is not None and record.played:
            level, title = self.session.level, self.session.variant.title
            lines.append(f"{level.capitalize()}, {title}: {record.played} played, {record.won} won,")
            words = f"{record.drawn} drawn, {record.lost} lost; {record.mean:+.1f} points on average"
            lines.append(words.replace("-", "−"))
        if self.said:
            lines.append(self.said)
        if self.path is not None:
            lines.append("Look back on the whole match: kingsolve review")
            lines.append(f"  {self.path}")
        return "\n".join(lines)
