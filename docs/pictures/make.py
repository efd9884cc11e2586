"""Writes play.svg beside this file: the terminal game in mid-deal. `python docs/pictures/make.py`."""

import asyncio
import re
import tempfile
from pathlib import Path

import kingsolve as ks
from kingsolve_cli.playing.app import KingApp
from kingsolve_cli.playing.session import Session
from kingsolve_cli.playing.store import Store

SIZE = (80, 24)
DEAL, TRICK = 4, 3


def begun() -> Session:
    """A match in its fourth deal, you to play last to the third trick or nearly so."""
    session = Session.new(ks.load_variant("full-king"), level="normal", seed=2)
    while True:
        match, view = session.match, session.view()
        lying = sum(seat.card is not None for seat in view.seats)
        if session.yours and match.number == DEAL and len(match.cards) >= 4 * TRICK and lying >= 2:
            return session
        if session.yours:
            session.act(match.open[0] if session.choosing else min(view.legal))
        else:
            session.act(session.ask())


async def main() -> None:
    """Draws the table and keeps it."""
    with tempfile.TemporaryDirectory() as folder:
        app = KingApp(Store(Path(folder)), session=begun(), pace=0)
        async with app.run_test(size=SIZE) as pilot:
            await pilot.pause(0.5)
            picture = app.export_screenshot(title="kingsolve play")
    # Any monospaced font will do: nothing is fetched to look at the picture.
    picture = re.sub(r"@font-face \{.*?\}\s*", "", picture, flags=re.DOTALL)
    picture = re.sub(r"font-family: [^;]*;", "font-family: monospace;", picture)
    Path(__file__).with_name("play.svg").write_text(picture + "\n", encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main())
