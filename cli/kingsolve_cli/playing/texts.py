"""Screens of text over the table, which waits: rules, a hint, the last deal looked back on, the menu."""

import io
from collections.abc import Callable, Iterable, Iterator

import numpy as np
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from kingsolve import Advice, KingError, Variant
from kingsolve.cards import SEATS
from kingsolve.review import review_round

from ..advice_table import option_lines
from ..style import STRONG, Style, ink
from ..trace_table import step_lines
from ..variant_words import variant_lines
from .session import YOU, Session
from .threads import in_thread
from .words import card_words

HINT_SECONDS = 2.0
"""What a hint may take, give or take the solving of a few deals."""
REVIEW_NODES = 20_000_000
"""Cards that the search of a review in the game may play: about two seconds."""

Lines = Iterable[Text]


class TextScreen(ModalScreen[None]):
    """Lines to read; any of the usual keys closes it."""

    BINDINGS = [("escape,enter,q,space", "dismiss", "Close")]  # noqa: RUF012  # as textual has it

    def __init__(self, title: str, *, waiting: str = "") -> None:
        super().__init__()
        self.heading, self.waiting = title, waiting
        self._cancel = np.zeros(1, np.int32)

    def compose(self) -> ComposeResult:
        """Title, text, how to close it."""
        with Vertical(id="sheet"):
            yield Static(self.heading, id="sheet-title")
            with VerticalScroll(id="sheet-text"):
                yield Static(self.waiting, id="sheet-lines")
            yield Static("↑ ↓ scroll · Esc closes", id="sheet-foot")

    def on_mount(self) -> None:
        """Reads or works out the lines, and leaves the keys to the scrolled text."""
        self.query_one(VerticalScroll).focus()
        self.run_worker(self._fill(), exclusive=True)

    def on_unmount(self) -> None:
        """Stops what is still being worked out."""
        self._cancel[0] = 1

    async def _fill(self) -> None:
        width = min(int(0.96 * self.app.size.width), 100) - 7
        style = Style(io.StringIO(), width=width)
        work = self.work()
        try:
            lines = await in_thread(lambda: list(work(style)))
        except KeyboardInterrupt:  # cancelled: the screen is closing
            return
        except KingError as error:
            lines = [Text(str(error))]
        self.query_one("#sheet-lines", Static).update(Text("\n").join(line_trimmed(line) for line in lines))

    def work(self) -> Callable[[Style], Lines]:
        """What makes the lines, run beside the screen."""
        raise NotImplementedError


def line_trimmed(line: Text) -> Text:
    """The line without blanks at its end."""
    line.rstrip()
    return line


class RulesScreen(TextScreen):
    """The rules of the variant, from its file, and the keys."""

    def __init__(self, variant: Variant) -> None:
        super().__init__(f"Rules: {variant.title}")
        self.variant = variant

    def work(self) -> Callable[[Style], Lines]:
        """The variant in words."""
        return lambda style: [*_key_lines(), Text(), *variant_lines(style, self.variant)]


_KEYS = (
    ("← →", "move along your hand; the card in brackets is chosen"),
    ("Enter", "play it; or press a card's key, click it, or drag it up"),
    ("< >", "move it within your hand, or drag it; s sorts the hand"),
    ("t", "score table"),
    ("h", "hint: what the analysis of your hand says, card by card"),
    ("r", "review of the last deal: what each card cost, all hands seen"),
    ("m", "menu: pause, new match, leave; every card is saved"),
)


def _key_lines() -> Iterator[Text]:
    yield ink("Keys", STRONG)
    for key, what in _KEYS:
        yield Text(f" {key:<7}{what}")


class HintScreen(TextScreen):
    """What the analysis of your hand says: it sees what you may know, no more."""

    def __init__(self, session: Session) -> None:
        waiting = f"Playing out deals that fit what you know, for about {HINT_SECONDS:g} seconds…"
        super().__init__("Hint", waiting=waiting)
        self.session = session

    def work(self) -> Callable[[Style], Lines]:
        """The advice; the knowledge is taken here, while nothing moves."""
        session = self.session
        find = hint(session)

        def lines(style: Style) -> Iterator[Text]:
            yield from _explained(session)
            yield Text()
            advice = find()
            yield from option_lines(style, advice, session.variant)
            yield Text()
            yield Text(_how(advice), "dim")

        return lines


def hint(session: Session) -> Callable[[], Advice]:
    """What finds the advice for your card or choice, within HINT_SECONDS."""
    from kingsolve import advise, analyze_hand

    if session.choosing:
        quotas = session.match.left
        left = dict.fromkeys(session.match.open, 1) if quotas else None
        hand, variant = session.match.first_cards(), session.variant
        return lambda: advise(variant, hand, left=left, seconds=HINT_SECONDS)
    k = session.table.knowledge(YOU)

    def analysed() -> Advice:
        try:
            return analyze_hand(k, seconds=HINT_SECONDS)
        except KingError:  # a machine so slow, or busy, that not one deal was solved
            return analyze_hand(k, value="playout", seconds=HINT_SECONDS)

    return analysed


def _how(advice: Advice) -> str:
    """How the options were valued."""
    if advice.value == "playout":
        way = "each played out by careful players"
    else:
        way = "each solved with all hands seen (max^n)"
    if advice.exact:
        return f"All {advice.consistent:,} deals that fit, {way}: exact."
    words = f"{advice.samples:,} of {advice.consistent:,} deals that fit, {way}"
    if advice.status == "separated":
        return f"{words}; that was enough to be sure of the best at {100 * advice.confidence:g} %."
    return f"{words}, in {HINT_SECONDS:g} seconds."


def _explained(session: Session) -> Iterator[Text]:
    what = "contract" if session.choosing else "card"
    yield Text(
        f"What each {what} is worth to you on average, over deals that fit what you know: points still to "
        "come, their standard error (±), how often it is best, and how far it is behind the first."
    )


class ReviewScreen(TextScreen):
    """The last deal, all hands seen: what each card cost who played it."""

    def __init__(self, session: Session) -> None:
        super().__init__("Review of the last deal", waiting="Looking back, all hands seen…")
        self.session = session

    def work(self) -> Callable[[Style], Lines]:
        """The deal against max^n."""
        from kingsolve import Limits

        last, session, cancel = self.session.last, self.session, self._cancel
        if last is None or last.round is None:
            return lambda style: [Text("No deal has been finished yet.")]
        record = last.round

        def lines(style: Style) -> Iterator[Text]:
            found = review_round(record, limits=Limits(nodes=REVIEW_NODES), cancel=cancel)
            yield Text(
                f"Deal {last.number}. What a card cost: the points its player ends with if all play their "
                "best for themselves from there on (max^n), before the card less after it."
            )
            if not found.exact:
                since = found.solved_from
                where = f"from trick {found.steps[since - 1].trick} on" if since is not None else "nowhere"
                yield Text(f"The beginning is too long to solve here: known {where}.")
            change = found.first_change
            if change is not None:
                card, who = card_words(change.card), session.name(change.seat)
                yield Text(f"First to change the result: trick {change.trick}, {who}, {card}.")
            yield Text()
            names = {seat: session.name(seat) for seat in SEATS[: session.variant.seats]}
            yield from step_lines(style, record.contract, found.steps, concept="maxn", names=names, most=3)

        return lines


class MenuScreen(ModalScreen[str]):
    """Pause, and where to go: `resume`, `table`, `rules`, `new` or `leave`."""

    BINDINGS = [("escape,m,p", "resume", "Resume")]  # noqa: RUF012  # as textual has it

    def compose(self) -> ComposeResult:
        """The list."""
        with Vertical(id="menu"):
            yield Static("Paused", id="menu-title")
            yield OptionList(
                Option("Resume", id="resume"),
                Option("Score table", id="table"),
                Option("Rules and keys", id="rules"),
                Option("New match (this one stays saved)", id="new"),
                Option("Leave (CONTINUE takes it up again)", id="leave"),
            )

    def on_mount(self) -> None:
        """The list has the keys."""
        self.query_one(OptionList).focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Gives the choice back."""
        self.dismiss(event.option_id or "resume")

    def action_resume(self) -> None:
        """Back to the table."""
        self.dismiss("resume")
