"""The terminal game, driven by textual's own harness: keys, mouse, sizes, no colour, leaving and going on."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from rich.segment import Segment
from textual.pilot import Pilot
from textual.widgets import Button, Input, OptionList, Static

import kingsolve as ks
from command import refused, run
from kingsolve_cli.playing.app import KingApp
from kingsolve_cli.playing.canvas import KEYS, SMALL, hand_left
from kingsolve_cli.playing.score import EndScreen, ScoreScreen
from kingsolve_cli.playing.session import Session
from kingsolve_cli.playing.settings import SettingsScreen
from kingsolve_cli.playing.store import Store
from kingsolve_cli.playing.table_screen import TableScreen
from kingsolve_cli.playing.texts import (
    HintScreen,
    MenuScreen,
    ReviewScreen,
    RulesScreen,
    TextScreen,
    hint,
)
from kingsolve_cli.playing.widgets import Ghost, Hand, Panel
from kingsolve_cli.playing.words import price

Play = Callable[[Pilot[None]], Awaitable[None]]


def played(app: KingApp, script: Play, *, size: tuple[int, int] = (80, 24)) -> None:
    """Runs a script on the app in a window of that size."""

    async def main() -> None:
        async with app.run_test(size=size) as pilot:
            await script(pilot)

    asyncio.run(main())


def game(folder: Path, id: str = "short-king", *, level: str = "easy", seed: int = 3) -> KingApp:
    """The game on a new match, without waiting between cards."""
    session = Session.new(ks.load_variant(id), level=level, seed=seed)
    return KingApp(Store(folder), session=session, pace=0)


def table(pilot: Pilot[None]) -> TableScreen:
    """The screen of the match, on top."""
    assert isinstance(pilot.app.screen, TableScreen)
    return pilot.app.screen


async def until(pilot: Pilot[None], true: Callable[[], Any]) -> None:
    """Waits until something is so; thirty seconds at most, on a busy machine."""
    for _ in range(1500):
        if true():
            return
        await pilot.pause(0.02)
    msg = f"not within 30 s: {shown(pilot)}"
    raise AssertionError(msg)


def waiting(pilot: Pilot[None]) -> bool:
    """Whether it is your turn, and the table waits for you."""
    screen = pilot.app.screen
    return isinstance(screen, TableScreen) and screen._wanted is not None


def on(pilot: Pilot[None], kind: type) -> bool:
    """Whether such a screen lies on top."""
    return isinstance(pilot.app.screen, kind)


def shown(pilot: Pilot[None]) -> str:
    """The text of the whole screen."""
    return "\n".join("".join(segment.text for segment in line) for line in lines(pilot))


def lines(pilot: Pilot[None]) -> list[list[Segment]]:
    """The screen as it is sent to the terminal, line by line."""
    update = pilot.app.screen._compositor.render_full_update()
    return [[segment for strip in row for segment in strip] for row in update.strips]


def status(pilot: Pilot[None]) -> str:
    """The status line."""
    return str(table(pilot).query_one("#status", Static).content)


def legal_key(screen: TableScreen) -> str:
    """The key of a card you may play."""
    view = screen.session.view()
    return KEYS[next(i for i, card in enumerate(view.hand) if card in view.legal)]


async def your_turn(pilot: Pilot[None]) -> TableScreen:
    """Goes on to your next card; trumps and contracts are chosen, tables closed."""
    while True:
        await until(pilot, lambda: waiting(pilot) or on(pilot, ScoreScreen) or on(pilot, EndScreen))
        if on(pilot, ScoreScreen):
            await pilot.press("enter")
            await until(pilot, lambda: not on(pilot, ScoreScreen))
        elif table(pilot).session.choosing:
            await pilot.press("enter")
            await until(pilot, lambda: not table(pilot).session.choosing)
        else:
            return table(pilot)


# --- a whole match ---


def test_a_whole_short_king_by_keys(tmp_path: Path) -> None:
    seen: set[str] = set()

    async def script(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: waiting(pilot))
        while not on(pilot, EndScreen):
            if on(pilot, ScoreScreen):
                seen.add("score")
                text = shown(pilot)
                assert ("THE END" if table_over(pilot) else "NEXT DEAL") in text
                await pilot.press("enter")
            elif waiting(pilot) and table(pilot).session.choosing:
                seen.add("trump")
                assert "Name the trump" in shown(pilot)
                assert len(table(pilot).session.hand) == 3
                await pilot.press("3")
                await until(pilot, lambda: not on(pilot, TableScreen) or not table(pilot).session.choosing)
                assert table(pilot).session.match.contract.name == "trumps-d"  # type: ignore[union-attr]
            elif waiting(pilot):
                screen = table(pilot)
                before = screen.session.match.cards, screen.session.match.number
                await pilot.press("enter")
                assert (screen.session.match.cards, screen.session.match.number) != before
            else:
                await pilot.pause(0.01)
        end = pilot.app.screen
        assert isinstance(end, EndScreen)
        text = shown(pilot)
        for name, total in zip("You Lily Max Zoe".split(), totals(end), strict=True):
            assert name in text
            assert f"{total:+d}".replace("-", "−") in text or total == 0
        assert "Easy, Short King: 1 played" in text
        assert "kingsolve review" in text
        await pilot.press("t")
        await until(pilot, lambda: on(pilot, ScoreScreen))
        await pilot.press("escape")
        await until(pilot, lambda: on(pilot, EndScreen))
        await pilot.press("n")
        await until(pilot, lambda: on(pilot, SettingsScreen))

    played(game(tmp_path), script)
    assert seen == {"score", "trump"}
    (record,) = (tmp_path / "matches").glob("*.json")
    match = ks.Match.from_json(record.read_bytes())
    assert match.is_over
    assert match.balance == 0
    assert not list((tmp_path / "unfinished").glob("*.json"))
    statistics = json.loads((tmp_path / "statistics.json").read_bytes())
    assert statistics["records"][0]["level"] == "easy"
    looked = run("review", KINGSOLVE_DATA=str(tmp_path)).stdout
    assert "".join(looked.split()).startswith(str(record))  # its name may be longer than a line


def table_over(pilot: Pilot[None]) -> bool:
    """Whether the match of the score table on top is over."""
    screen = pilot.app.screen
    assert isinstance(screen, ScoreScreen)
    return screen.session.is_over


def totals(end: EndScreen) -> list[int]:
    """Your total, then the others' clockwise."""
    session = end.session
    return [session.match.totals["NESW".index(seat)] for seat in session.places]


# --- cards: keys, mouse, illegal ones ---


def test_an_illegal_card_is_refused_with_its_reason(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None]) -> None:
        screen = await your_turn(pilot)
        view = screen.session.view()
        assert view.contract is not None
        assert len(view.legal) < len(view.hand), "seed 3 gives a hand that must follow"
        assert "Your turn. You must follow suit." in status(pilot)
        bad = next(i for i, card in enumerate(view.hand) if card not in view.legal)
        cards = screen.session.match.cards
        await pilot.press(KEYS[bad])
        assert status(pilot) == "You must follow suit."
        await pilot.pause(0.3)
        assert screen.session.match.cards == cards
        await pilot.press(legal_key(screen))
        assert screen.session.match.cards[: len(cards)] == cards
        assert len(screen.session.match.cards) > len(cards) or screen.session.match.number > 1

    played(game(tmp_path), script)


def spot(screen: TableScreen, card: str) -> tuple[int, int]:
    """Where a card of the hand lies, in the hand's own cells."""
    cards = screen.session.hand
    left = hand_left(len(cards), screen.size.width, SMALL)
    return left + cards.index(card) * SMALL.width + 2, 2


def test_click_and_drag(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None]) -> None:
        screen = await your_turn(pilot)
        session = screen.session
        first, last = session.hand[0], session.hand[-1]
        await pilot.mouse_down(Hand, offset=spot(screen, first))
        await pilot.hover(Hand, offset=spot(screen, last))
        assert screen.query_one(Ghost).display
        await pilot.mouse_up(Hand, offset=spot(screen, last))
        await until(pilot, lambda: session.hand[-1] == first)
        assert not screen.query_one(Ghost).display
        await pilot.press("s")
        assert session.hand[0] == first
        await pilot.press("left_square_bracket")  # a key that means nothing
        bad = next(card for card in session.hand if card not in session.view().legal)
        assert await pilot.click(Hand, offset=spot(screen, bad))
        assert status(pilot) == "You must follow suit."
        before = len(session.hand)
        good = next(card for card in session.hand if card in session.view().legal)
        assert await pilot.click(Hand, offset=spot(screen, good))
        await until(pilot, lambda: len(session.hand) == before - 1)
        screen = await your_turn(pilot)
        good = next(card for card in session.hand if card in session.view().legal)
        await pilot.mouse_down(Hand, offset=spot(screen, good))
        await pilot.hover("#board", offset=(40, 6))
        await pilot.mouse_up("#board", offset=(40, 6))
        await until(pilot, lambda: good not in session.hand)

    played(game(tmp_path), script)


def test_the_cursor_and_rearranging_by_keys(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None]) -> None:
        screen = await your_turn(pilot)
        hand, session = screen.query_one(Hand), screen.session
        assert hand.card in session.view().legal
        await pilot.press("1")  # illegal or played: the cursor goes there
        screen = await your_turn(pilot)
        hand = screen.query_one(Hand)
        hand.cursor = 0
        await pilot.press("left")
        assert hand.cursor == len(session.hand) - 1
        await pilot.press("right", "right")
        card = hand.card
        assert hand.cursor == 1
        await pilot.press("greater_than_sign")
        assert (session.hand[2], hand.card) == (card, card)
        await pilot.press("less_than_sign", "less_than_sign", "less_than_sign")
        assert session.hand[0] == card

    played(game(tmp_path), script)


# --- screens over the table ---


def test_screens_over_the_table_and_the_game_waits(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None]) -> None:
        screen = await your_turn(pilot)
        await pilot.press("r")
        assert status(pilot) == "No deal has been finished yet."
        for key, kind, words in (
            ("t", ScoreScreen, "CLOSE"),
            ("m", MenuScreen, "Paused"),
            ("question_mark", RulesScreen, "Short King"),
        ):
            await pilot.press(key)
            await until(pilot, lambda kind=kind: on(pilot, kind))
            await until(pilot, lambda words=words: words in shown(pilot))
            await pilot.press("escape")
            await until(pilot, lambda: on(pilot, TableScreen))
        # A computer player's card waits for the menu to close.
        await pilot.press(legal_key(screen), "m")
        await until(pilot, lambda: on(pilot, MenuScreen))
        await pilot.pause(0.2)
        cards = screen.session.match.cards
        await pilot.pause(0.3)
        assert screen.session.match.cards == cards
        await pilot.press("escape")
        await your_turn(pilot)

    played(game(tmp_path), script)


def test_the_screen_lives_while_a_player_thinks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    thinking = Event()
    ask = Session.ask

    def slowly(self: Session) -> str:
        thinking.wait(30)
        return ask(self)

    monkeypatch.setattr(Session, "ask", slowly)

    async def script(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: "is thinking…" in status(pilot))
        hand = table(pilot).query_one(Hand)
        await pilot.press("right")
        assert hand.cursor == 1
        await pilot.press("1")
        assert " turn." in status(pilot)
        await pilot.press("h")
        assert status(pilot) == "A hint is for your turn."
        await pilot.press("t")
        await until(pilot, lambda: on(pilot, ScoreScreen))
        await pilot.press("t")
        await until(pilot, lambda: on(pilot, TableScreen))
        thinking.set()
        await your_turn(pilot)

    played(game(tmp_path), script)


def test_rules_are_those_of_the_variant(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: on(pilot, TableScreen))
        await pilot.press("question_mark")
        await until(pilot, lambda: on(pilot, RulesScreen))
        lines = pilot.app.screen.query_one("#sheet-lines", Static)
        await until(pilot, lambda: "counter-clockwise" in str(lines.content))
        text = str(lines.content)
        assert "Kupa (No Hearts)" in text
        assert "press a card's key" in text

    played(game(tmp_path, "rifki"), script)


def test_a_hint_and_a_review(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kingsolve_cli.playing.texts.HINT_SECONDS", 0.2)

    async def read(pilot: Pilot[None], key: str, kind: type[TextScreen], words: str) -> str:
        await pilot.press(key)
        await until(pilot, lambda: on(pilot, kind))
        sheet = pilot.app.screen.query_one("#sheet-lines", Static)
        await until(pilot, lambda: words in str(sheet.content))
        text = str(sheet.content)
        await pilot.press("escape")
        await until(pilot, lambda: on(pilot, TableScreen))
        return text

    async def script(pilot: Pilot[None]) -> None:
        screen = await your_turn(pilot)
        text = await read(pilot, "h", HintScreen, "deals that fit")
        assert text.count("±") >= 2
        while screen.session.match.number == 1:
            await pilot.press(legal_key(screen))
            screen = await your_turn(pilot)
        text = await read(pilot, "r", ReviewScreen, "lost")
        assert "Deal 1." in text
        assert all(name in text for name in ("You lost", "Lily lost", "Max lost", "Zoe lost"))

    played(game(tmp_path), script)


def test_a_hint_where_no_deal_is_solved_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a slow machine: play-outs instead."""
    monkeypatch.setattr("kingsolve_cli.playing.texts.HINT_SECONDS", 0.3)
    analyze = ks.analyze_hand

    def slow(k: ks.Knowledge, *, value: str | None = None, **terms: Any) -> ks.Advice:
        if value is None:
            raise ks.KingError("expected time to value one deal by maxn, got 0.3 s")  # noqa: EM101  # ours
        return analyze(k, value=value, **terms)

    monkeypatch.setattr(ks, "analyze_hand", slow)
    session = Session.new(ks.load_variant("short-king"), level="easy", seed=3)
    while not session.yours:
        session.act(session.ask())
    advice = hint(session)()
    assert advice.value == "playout"
    assert set(session.view().legal) == {option.name for option in advice.options}


def test_a_hint_for_the_trumps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kingsolve_cli.playing.texts.HINT_SECONDS", 0.2)
    session = at_your_choice("short-king")

    async def script(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: waiting(pilot))
        await pilot.press("h")
        await until(pilot, lambda: on(pilot, HintScreen))
        sheet = pilot.app.screen.query_one("#sheet-lines", Static)
        await until(pilot, lambda: "Trumps: hearts" in str(sheet.content))
        assert "over share" in str(sheet.content)
        await pilot.press("escape")
        await until(pilot, lambda: on(pilot, TableScreen))
        assert isinstance(pilot.app.focused, OptionList)
        await pilot.press("down", "enter")
        await until(pilot, lambda: not session.choosing)
        assert session.match.contract is not None
        assert session.match.contract.name == "trumps-h"

    played(KingApp(Store(tmp_path), session=session, pace=0), script)


def at_your_choice(id: str) -> Session:
    """A match in which you are to choose."""
    session = Session.new(ks.load_variant(id), level="easy", seed=5)
    while not (session.choosing and session.yours):
        if session.yours:
            session.act(min(session.view().legal))
        else:
            session.act(session.ask())
    return session


# --- leaving and going on ---


def test_left_in_mid_trick_and_taken_up_again(tmp_path: Path) -> None:
    kept: dict[str, Any] = {}

    async def leave(pilot: Pilot[None]) -> None:
        screen = await your_turn(pilot)
        for _ in range(3):
            await pilot.press(legal_key(screen))
            screen = await your_turn(pilot)
        session = screen.session
        while not session.match.cards or len(session.match.cards) % 4 == 0:
            await pilot.press(legal_key(screen))
            screen = await your_turn(pilot)
        await pilot.press("greater_than_sign")
        kept["cards"], kept["hand"], kept["id"] = session.match.cards, session.hand, session.id
        await pilot.press("m")
        await until(pilot, lambda: on(pilot, MenuScreen))
        await pilot.press("up", "enter")  # round to the last one: leave

    async def go_on(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: on(pilot, SettingsScreen))
        assert "CONTINUE: Short King, easy, deal 1 of 10" in shown(pilot)
        assert isinstance(pilot.app.focused, Button)
        assert pilot.app.focused.id == "continue"
        await pilot.press("enter")
        await until(pilot, lambda: waiting(pilot))
        session = table(pilot).session
        assert (session.match.cards, session.hand, session.id) == (kept["cards"], kept["hand"], kept["id"])
        screen = table(pilot)
        await pilot.press(legal_key(screen))
        await your_turn(pilot)

    app = game(tmp_path)
    played(app, leave)
    assert app.return_code in (None, 0)
    played(KingApp(Store(tmp_path), pace=0), go_on)


@pytest.mark.parametrize("key", ["a card", "less_than_sign"])
def test_a_match_played_on_elsewhere_stops_and_overwrites_nothing(key: str, tmp_path: Path) -> None:
    app = game(tmp_path)
    store = Store(tmp_path)

    async def script(pilot: Pilot[None]) -> None:
        screen = await your_turn(pilot)
        other, _ = store.latest()
        assert other is not None
        other.act(min(other.view().legal))
        store.save(other)
        await pilot.press("right", legal_key(screen) if key == "a card" else key)
        await until(pilot, lambda: app.failure is not None)
        assert store.latest()[0].match.cards == other.match.cards  # type: ignore[union-attr]
        store.save(other)

    played(app, script)
    assert "expected the match as it was saved last, got another or none" in str(app.failure)


def test_a_folder_that_cannot_be_written_is_told_and_played_on(tmp_path: Path) -> None:
    (tmp_path / "unfinished").write_text("a file where the folder should be", encoding="utf-8")

    async def script(pilot: Pilot[None]) -> None:
        screen = await your_turn(pilot)
        assert "(not saved: " in status(pilot)
        await pilot.press(legal_key(screen))
        await your_turn(pilot)

    played(game(tmp_path), script)


def test_a_player_that_fails_ends_the_game_with_its_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(self: Session) -> str:
        raise ks.KingError("expected a card, got none")  # noqa: EM101  # it is the test's

    monkeypatch.setattr(Session, "ask", fails)
    app = game(tmp_path)

    async def script(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: app.failure is not None)

    played(app, script)
    assert str(app.failure) == "expected a card, got none"
    assert list((tmp_path / "unfinished").glob("*.json"))


def test_statistics_that_cannot_be_counted_are_told(tmp_path: Path) -> None:
    text = '{"format": "kingsolve statistics", "version": 9}'
    (tmp_path / "statistics.json").write_text(text, encoding="utf-8")
    session = Session.new(ks.load_variant("short-king"), level="easy", seed=3)
    while not session.is_over:
        if not session.yours:
            session.act(session.ask())
        else:
            session.act(session.match.open[0] if session.choosing else min(session.view().legal))

    async def script(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: on(pilot, EndScreen))
        assert "Not counted: expected statistics of version 1" in " ".join(shown(pilot).split())

    store = Store(tmp_path)
    store.save(session)
    played(KingApp(store, session=session, pace=0), script)
    assert (tmp_path / "statistics.json").read_text(encoding="utf-8") == text
    assert store.latest()[0] is not None


# --- settings ---


def test_settings_first_and_they_are_kept(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: on(pilot, SettingsScreen))
        text = shown(pilot)
        assert "PLAY" in text
        assert "CONTINUE" not in text
        assert "c Continue" not in text
        assert "Full King" in text
        await pilot.press("c")  # there is nothing to take up
        assert on(pilot, SettingsScreen)
        focused = pilot.app.focused
        await pilot.press("up")
        assert pilot.app.focused is not focused
        assert "(●) Normal" in text
        assert "( ) Easy" in text
        pilot.app.screen.query_one("#level").focus()
        await pilot.press("up", "tab", "down")
        pilot.app.screen.query_one("#name-left", Input).value = "Anna"
        assert "often slips" in shown(pilot)
        pilot.app.screen.query_one("#play").focus()
        await pilot.press("enter")
        await until(pilot, lambda: on(pilot, TableScreen))
        session = table(pilot).session
        assert (session.level, session.variant.id, session.names["W"]) == ("easy", "short-king", "Anna")

    played(KingApp(Store(tmp_path), pace=0), script)
    kept = json.loads((tmp_path / "settings.json").read_bytes())
    assert (kept["level"], kept["variant"], kept["names"]["left"]) == ("easy", "short-king", "Anna")


def test_the_score_table_shows_every_deal_and_the_last_one_looked_back_on(tmp_path: Path) -> None:
    """Seed 002: "every deal of the match with each player's points and the totals"."""

    async def script(pilot: Pilot[None]) -> None:
        screen = await your_turn(pilot)
        await pilot.press("t")
        await until(pilot, lambda: on(pilot, ScoreScreen))
        text = shown(pilot)
        assert all(words in text for words in ("1 No tricks", "7 Eralash", "8 to be chosen", "CLOSE"))
        await pilot.press("r")  # nothing to look back on
        assert on(pilot, ScoreScreen)
        await pilot.press("escape")
        while not on(pilot, ScoreScreen):
            await until(pilot, lambda: waiting(pilot) or on(pilot, ScoreScreen))
            if waiting(pilot):
                await pilot.press(legal_key(screen))
        assert all(words in shown(pilot) for words in ("NEXT DEAL", "2 No hearts", "r: look back on it"))
        await pilot.press("r")
        await until(pilot, lambda: on(pilot, ReviewScreen))
        await pilot.press("escape")
        await until(pilot, lambda: on(pilot, ScoreScreen))

    played(game(tmp_path, "full-king"), script)


# --- sizes and colours ---


def test_other_sizes(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None]) -> None:
        screen = await your_turn(pilot)
        for width, height in ((120, 40), (80, 24), (100, 30)):
            await pilot.resize_terminal(width, height)
            await pilot.pause()
            found = shown(pilot).split("\n")
            assert (len(found), {len(line) for line in found}) == (height, {width})
            text = "\n".join(found)
            assert all(
                name in text for name in ("You", "Lily", "Max", "Zoe", "1/10", "No tricks, −2 a trick")
            )
            assert "[" in text
        await pilot.resize_terminal(60, 20)
        await pilot.pause()
        assert "Make the window 80 x 24 or larger: it is 60 x 20." in shown(pilot)
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        await pilot.press(legal_key(screen))
        await your_turn(pilot)

    played(game(tmp_path), script)


def test_a_window_too_small_takes_no_keys(tmp_path: Path) -> None:
    async def shrunk(pilot: Pilot[None], keys: list[str]) -> None:
        await pilot.resize_terminal(60, 20)
        await pilot.pause()
        await pilot.press(*keys)
        await pilot.pause(0.1)
        assert on(pilot, TableScreen)
        await pilot.resize_terminal(80, 24)
        await pilot.pause()

    async def play(pilot: Pilot[None]) -> None:
        screen = await your_turn(pilot)
        session = screen.session
        before = session.hand, session.match.cards, screen.query_one(Hand).cursor
        keys = ["right", "enter", legal_key(screen), "greater_than_sign", "t", "h", "m", "question_mark"]
        await shrunk(pilot, keys)
        assert (session.hand, session.match.cards, screen.query_one(Hand).cursor) == before
        assert "Menu" in shown(pilot).split("\n")[-1]
        await pilot.press(legal_key(screen))
        await until(pilot, lambda: len(session.hand) < len(before[0]))

    async def choose(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: waiting(pilot))
        await shrunk(pilot, ["down", "enter", "2"])
        assert session.choosing
        await pilot.press("enter")  # the first one is still under the cursor
        await until(pilot, lambda: not session.choosing)
        assert session.match.contract is not None
        assert session.match.contract.name == first

    played(game(tmp_path), play)
    session = at_your_choice("rifki")
    first = session.match.open[0]
    played(KingApp(Store(tmp_path), session=session, pace=0), choose)


def test_without_colour_nothing_but_the_terminals_own_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = game(tmp_path)

    async def script(pilot: Pilot[None]) -> None:
        await your_turn(pilot)
        for line in lines(pilot):
            for segment in line:
                style = segment.style
                for colour in (style.color, style.bgcolor) if style is not None else ():
                    assert colour is None or colour.is_default, segment
        text = shown(pilot)
        assert "▸ You ◂" in text
        assert "[−]" in text

    played(app, script)


# --- other variants ---


@pytest.mark.parametrize(("id", "names"), [("parlett-3", "You Lily Zoe"), ("kierki", "You Lily Max Zoe")])
def test_a_deal_of(id: str, names: str, tmp_path: Path) -> None:
    """Three seats with 12 cards, four with 13: a deal to its end."""

    async def script(pilot: Pilot[None]) -> None:
        screen = await your_turn(pilot)
        for name in names.split():
            assert name in shown(pilot)
        assert ("Max" in shown(pilot)) == ("Max" in names)
        session = screen.session
        for _ in range(3):
            await pilot.press(legal_key(screen))
            screen = await your_turn(pilot)
        assert len(session.hand) == session.variant.hand_size - 3

    played(game(tmp_path, id), script)


@pytest.mark.parametrize("id", ["dealers-choice-20", "rifki", "king-1993"])
def test_a_contract_is_chosen_with_the_quotas_left(id: str, tmp_path: Path) -> None:
    session = at_your_choice(id)

    async def script(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: waiting(pilot))
        panel = table(pilot).query_one(Panel)
        assert panel.display
        assert panel.names == session.match.open
        listed = panel.query_one(OptionList)
        texts = [str(listed.get_option_at_index(i).prompt) for i in range(listed.option_count)]
        for name, text in zip(session.match.open, texts, strict=True):
            assert session.variant.contract(name).title in text
            assert f"{session.quota(name)} left" in text
        assert len(session.hand) == session.variant.hand_size
        await pilot.press("2")
        wanted = panel.names[1]
        await until(pilot, lambda: not session.choosing)
        assert session.match.contract is not None
        assert session.match.contract.name == wanted
        screen = await your_turn(pilot)
        await pilot.press(legal_key(screen))

    played(KingApp(Store(tmp_path), session=session, pace=0), script)


@pytest.mark.parametrize("size", [(80, 24), (90, 30), (100, 40)])
@pytest.mark.parametrize("id", ["dealers-choice-20", "rifki", "king-1993", "full-king"])
def test_every_contract_with_a_key_is_a_line_of_the_panel(
    id: str, size: tuple[int, int], tmp_path: Path
) -> None:
    session = at_your_choice(id)

    async def script(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: waiting(pilot))
        await pilot.pause()
        found = shown(pilot).split("\n")
        for key, name in zip(KEYS, session.match.open, strict=False):
            left = session.quota(name)
            words = ["" if left is None else f"{left} left"]
            if session.match.plan.named_after is None:
                words.append(price(session.variant.contract(name)))
            title = f"{key}  . {re.escape(session.variant.contract(name).title)}"
            row = re.compile("│ " + " *".join([title, *map(re.escape, words)]) + " *[│▁-█ ]")
            assert any(row.search(line) for line in found), (name, found)

    played(KingApp(Store(tmp_path), session=session, pace=0), script, size=size)


# --- the command ---


def test_without_a_terminal_it_points_at_the_arena(tmp_path: Path) -> None:
    line = refused("play", "--variant", "short-king", code=2)
    assert "expected a terminal to play in, got none: `kingsolve arena`" in line


def test_options_that_are_wrong(tmp_path: Path) -> None:
    assert "expected a level, one of easy normal" in refused("play", "--level", "god", code=2)
    assert "expected a variant, one of" in refused("play", "--variant", "whist", code=2)
    assert "expected at most three names" in refused("play", "--names", "a,b,c,d", code=2)
    assert "expected names such as 'Lily,Max,Zoe', got ',,'" in refused("play", "--names", ",,", code=2)
    assert "expected --continue without" in refused("play", "--continue", "--seed", "1", code=2)
    plain = tmp_path / "one.toml"
    plain.write_text('title = "x"\nseats = 4\npack = "7-A"\n[contract]\na = { title = "a", trick = 1 }\n')
    assert "expected a variant with a match" in refused("play", "--variant", str(plain), code=2)
