"""A whole match of each game, played by four phones in Chromium with taps alone, without a camera.

What is tapped is what robots would do; the buttons have to be there, on the phone of whoever is due. In between phones
are reloaded, lose their network, or are exchanged.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, TimeoutError

from companion import games
from companion.app import Table, seated_at
from companion.bench.kills import prepared
from companion.rules.kernel import TABLE, Action, Facts, Game, Opened, Rolled, Shown, name_seats
from companion.sitting import NoCamera
from tests.web.conftest import PHONE, Sites

SEATS = 4
SEEDS = {"collectible": 2, "collection": 4, "collectors": 8, "five-cards-collector": 3, "karmic-collections": 6}
"""Matches that are not too long."""

FIND = """([kind, ways]) => {
  const sorted = value => value && typeof value === "object" && !Array.isArray(value)
    ? Object.fromEntries(Object.keys(value).sort().map(key => [key, sorted(value[key])]))
    : Array.isArray(value) ? value.map(sorted) : value;
  const way = action => ways.indexOf(JSON.stringify(sorted(action)));
  document.querySelectorAll("[data-found]").forEach(one => one.removeAttribute("data-found"));
  const attribute = {tap: "command", facts: "facts", bid: "bid"}[kind];
  for (const one of document.querySelectorAll(`[data-${attribute}]`)) {
    const command = JSON.parse(one.dataset[attribute]);
    if (command.do !== "play" || !command.action) { continue; }
    let action = command.action;
    if (kind === "bid") {
      action = {...action, amount: JSON.parse(ways[0]).amount};
      if (!(action.amount >= Number(one.dataset.low) && action.amount <= Number(one.dataset.high))) { continue; }
    }
    if (way(action) < 0) { continue; }
    one.setAttribute("data-found", "");
    const closed = [];
    for (let up = one.parentElement; up; up = up.parentElement) {
      if (up.tagName === "DETAILS" && !up.open) { closed.unshift(up); }
    }
    closed.forEach(up => up.querySelector("summary").click());
    return way(action);
  }
  return -1;
}"""


class Copies:
    """Of copies of a card that nobody has seen the phone offers one for all: which one it was is told apart here."""

    def __init__(self, game: Game[Any]) -> None:
        cards = game.deck.by_piece()
        looks = {piece: (card.kind, card.title) for piece, card in cards.items()}
        self._like = {piece: [one for one in looks if looks[one] == look] for piece, look in looks.items()}
        self._called = {piece: piece for piece in cards}

    def renamed(self, step: tuple[Action, Facts]) -> tuple[Action, Facts]:
        """Say a prepared step with the copies that were laid for those that were meant."""
        plain = _with(msgspec.to_builtins(step), self._called)
        return msgspec.convert(plain[0], type(step[0])), msgspec.convert(plain[1], Facts)

    def alike(self, action: Action) -> list[Action]:
        """List an action with every copy of the card in it, itself first."""
        fields = [name for name in action.__struct_fields__ if getattr(action, name) in self._like]
        if len(fields) != 1:
            return [action]
        piece = getattr(action, fields[0])
        others = [one for one in self._like[piece] if one != piece]
        return [action, *(msgspec.structs.replace(action, **{fields[0]: one}) for one in others)]

    def exchange(self, meant: Action, laid: Action) -> None:
        """Remember that a copy was laid for another: from now on the two have each other's place."""
        for name in meant.__struct_fields__:
            one, other = getattr(meant, name), getattr(laid, name)
            if one != other:
                turned = {one: other, other: one}
                self._called = {piece: turned.get(called, called) for piece, called in self._called.items()}


def _with(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, list | tuple):
        return [_with(one, names) for one in value]
    return {key: _with(one, names) for key, one in value.items()} if isinstance(value, dict) else value


class Phones:
    """Four phones at one table."""

    def __init__(self, browser: Browser, site: str, seats: int) -> None:
        self.site = site
        self.browser = browser
        self.contexts: dict[int, BrowserContext] = {}
        self.pages: dict[int, Page] = {}
        for seat in range(1, seats + 1):
            self.contexts[seat] = browser.new_context(**PHONE)
            page = self.pages[seat] = self.contexts[seat].new_page()
            page.goto(f"{site}/join/{seat}")
            page.fill("#name", f"Player {seat}")
            page.locator("form button.main").tap()
            page.wait_for_url(f"**/seat/{seat}")

    def do(self, actions: list[Action], facts: Facts, n: int, words: str, done: Callable[[], bool]) -> int:
        """Tap what makes record n: a button for one of the actions, which are alike but for the copy of a card, or the
        answer of these words to the referee's question. Gives which of them was tapped.

        What leaves no choice the referee does by itself.
        """
        action = actions[0]
        page = self.pages[action.seat if action.seat != TABLE else n % len(self.pages) + 1]
        ways = [
            json.dumps(msgspec.to_builtins(one), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
            for one in actions
        ]
        kinds = ("facts",) if facts else ("tap", "bid")
        for _ in range(400):
            if done():
                return 0
            answer = page.locator(".question .answers button").get_by_text(words.rstrip("."), exact=True)
            found = [(kind, which) for kind in kinds if (which := page.evaluate(FIND, [kind, ways])) >= 0]
            try:
                if found:
                    self._tap(page.locator("[data-found]"), found[0][0], actions[found[0][1]], facts)
                    return found[0][1]
                if answer.count() == 1:
                    answer.tap(timeout=3000)
                    return 0
            except TimeoutError:
                # The page was painted anew under the finger: look again, as a person would.
                continue
            page.wait_for_timeout(50)
        raise AssertionError(f"no button for record {n}, {ways[0]}, on the phone of seat {action.seat}")

    def _tap(self, found: Locator, kind: str, action: Action, facts: Facts) -> None:
        """Tap what was found."""
        if kind == "tap":
            found.tap(timeout=3000)
        elif kind == "bid":
            found.locator("input").fill(str(action.amount), timeout=3000)  # type: ignore[attr-defined]
            found.locator("[data-offer]").tap(timeout=3000)
        else:
            for fact in facts:
                field = found.locator(f'fieldset[data-place="{fact.place}"]')
                if isinstance(fact, Rolled):
                    for i, value in enumerate(fact.values):
                        field.locator("input").nth(i).fill(str(value), timeout=3000)
                else:
                    assert isinstance(fact, Shown | Opened)
                    pieces = fact.pieces if isinstance(fact, Opened) else (fact.piece,)
                    for piece in pieces:
                        field.locator("label", has=found.page.locator(f'input[value="{piece}"]')).tap(timeout=3000)
            found.locator("button.main").tap(timeout=3000)

    def trouble(self, n: int, rng: random.Random) -> None:
        """Now and then something happens to a phone, as it does in an evening."""
        seat = rng.randint(1, len(self.pages))
        what = rng.choice(("reload", "asleep", "exchanged"))
        page = self.pages[seat]
        if what == "reload":
            page.reload()
        elif what == "asleep":
            # The network is gone for a while; whatever was published meanwhile has to come by itself.
            self.contexts[seat].set_offline(True)
            self.contexts[seat].set_offline(False)
        else:
            self.pages[seat] = self.contexts[seat].new_page()
            page.close()
            self.pages[seat].goto(f"{self.site}/seat/{seat}")

    def close(self) -> None:
        """Put the phones away."""
        for context in self.contexts.values():
            context.close()


@pytest.fixture
def phones(chromium: Browser) -> Iterator[list[Phones]]:
    """Phones that are put away after the test."""
    used: list[Phones] = []
    yield used
    for one in used:
        one.close()


LONG = "COMPANION_LONG"
"""Environment variable: with it the matches are played too that take minutes each."""
SHORT: tuple[str, ...] = ()


@pytest.mark.parametrize(
    "name",
    [
        name
        if name in SHORT
        else pytest.param(
            name, marks=pytest.mark.skipif(LONG not in os.environ, reason=f"takes minutes: set {LONG}=1 to play it")
        )
        for name in games.names()
    ],
)
def test_four_phones_play_a_whole_match_by_taps_alone(
    name: str, chromium: Browser, site_of: Sites, phones: list[Phones], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    game = games.load(name)
    header, steps = prepared(game, SEATS, SEEDS[name])
    table = Table(seated_at(game, games.load_mat(name, SEATS), None, NoCamera), header, None, "HTTP://10.42.0.1/J")
    table.start()
    played = Phones(chromium, site_of(table), SEATS)
    phones.append(played)
    rng = random.Random(7)
    copies = Copies(game)
    done: list[tuple[Action, Facts]] = []
    for n, step in enumerate(steps, start=1):
        action, facts = copies.renamed(step)
        actions = copies.alike(action)
        words = name_seats(game.tell(table.match.state, action, facts), table.snapshot().names)
        which = played.do(actions, facts, n, words, lambda n=n: table.snapshot().record >= n)  # type: ignore[misc]
        copies.exchange(action, actions[which])
        done.append((actions[which], facts))
        until(table, n, name)
        if n % 17 == 0:
            played.trouble(n, rng)
    records = table.match.records()
    assert [(one.action, one.facts) for one in records] == done
    assert table.snapshot().phase == "over"
    outcome = table.snapshot().standing.outcome
    assert outcome is not None
    for page in played.pages.values():
        page.locator(".turn.over").wait_for()
        assert outcome.words in page.inner_text("body")


def until(table: Table, n: int, name: str) -> None:
    """Wait for record n: a question at the end of a match is answered by who may."""
    for _ in range(100):
        snapshot: Any = table.snapshot()
        if snapshot.record >= n:
            return
        table.wait(snapshot.version, 0.2)
    raise AssertionError(f"record {n} of {name} did not come")
