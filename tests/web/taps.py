"""What a turn takes on the phones alone, in taps and screens: `python -m tests.web.taps [GAME…]`.

Matches without a camera at the largest number of seats, which robots chose and phones play: what is tapped, and how far
down the page it stood, in screens of 390×844. A turn is what one seat does until another one has to do something.
"""

from __future__ import annotations

import logging
import os
import sys
from threading import Thread
from typing import Any

from playwright.sync_api import BrowserContext, sync_playwright
from werkzeug.serving import make_server

from companion import games
from companion.server.app import create_app, shut
from tests.web.conftest import ARGS, CHROMIUM
from tests.web.phones import Copies, Phones
from tests.web.test_whole_matches import answer_key, table_of, until

RECORDS = 40
"""Records of a match that are tapped: everybody has had several turns."""
SEED = 4
COUNT = """addEventListener("click", event => {
  const one = event.target.closest("summary, button");
  if (one) { tallied(Math.floor((one.getBoundingClientRect().bottom + scrollY - 1) / innerHeight) + 1); }
}, true);"""
"""Tells of each tap on which screen of the page it was, from 1 on."""


class Counted:
    """A browser whose contexts count taps."""

    def __init__(self, browser: Any) -> None:
        self._browser = browser
        self.screens: list[int] = []

    def new_context(self, **how: Any) -> BrowserContext:
        """Make a context that counts."""
        context: BrowserContext = self._browser.new_context(**how)
        context.expose_function("tallied", lambda screen: self.screens.append(screen))
        context.add_init_script(COUNT)
        return context


def measured(browser: Any, name: str) -> tuple[int, int, int, int]:
    """Return turns, taps, how many of them are not on the first screen, and on which screen the lowest is."""
    seats = games.load(name).info.seats[1]
    table, steps = table_of(name, seats, SEED)
    app = create_app(table, close=table.close)
    server = make_server("127.0.0.1", 0, app, threaded=True)
    Thread(target=server.serve_forever, daemon=True).start()
    counted = Counted(browser)
    phones = Phones(counted, f"http://127.0.0.1:{server.server_port}", seats)
    counted.screens.clear()
    copies, game, turns, last = Copies(table.session.game), table.session.game, 0, 0
    for n, step in enumerate(steps[:RECORDS], start=1):
        action, facts = copies.renamed(step)
        actions, key = copies.alike(table.match.state, action), answer_key(game, table.match.state, action)
        if action.seat and action.seat != last:
            turns, last = turns + 1, action.seat
        which = phones.do(actions, facts, n, key, lambda n=n: table.snapshot().record >= n)  # type: ignore[misc]
        copies.exchange(action, actions[which])
        until(table, n, name)
    phones.close()
    shut(app)
    server.shutdown()
    return turns, len(counted.screens), sum(screen > 1 for screen in counted.screens), max(counted.screens)


def main(chosen: list[str]) -> None:
    """Print a row a game."""
    os.environ["COMPANION_DEVICES"] = "simulated"
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        for name in chosen or games.packages():
            turns, taps, below, lowest = measured(browser, name)
            print(
                f"| {name} | {taps / turns:.1f} | {100 * below / taps:.0f} % | {lowest} | ({turns} turns, {taps} taps)"
            )
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
