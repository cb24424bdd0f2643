"""Four phones in Chromium at one table, which do by taps what robots would do."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import msgspec
from playwright.sync_api import Browser, BrowserContext, Page, TimeoutError

from companion.rules.kernel import TABLE, Action, AnyGame, Facts, Opened, Rolled, Shown, fits, holes
from tests.web.browsers import Tab
from tests.web.conftest import PHONE

PATIENCE_MS = 30_000
"""How long a page may take to offer what is due: a busy machine is slow, not wrong."""

TROUBLES = ("lost", "reload", "asleep", "exchanged")
"""What happens to phones: no network, a reload, a sleep, and a new tab for the old one."""

READY = """([wanted, ways, key, kinds, patience]) => new Promise(done => {
  const sorted = value => value && typeof value === "object" && !Array.isArray(value)
    ? Object.fromEntries(Object.keys(value).sort().map(key => [key, sorted(value[key])]))
    : Array.isArray(value) ? value.map(sorted) : value;
  const attribute = {tap: "command", facts: "facts", bid: "bid", set: "set"};
  const offered = () => {
    const found = [];
    for (const kind of kinds) {
      for (const one of document.querySelectorAll(`[data-${attribute[kind]}]`)) {
        const command = JSON.parse(one.dataset[attribute[kind]]);
        if (command.do !== "play" || !command.action) { continue; }
        let action = command.action;
        if (kind === "bid") {
          action = {...action, amount: JSON.parse(ways[0]).amount};
          if (!(action.amount >= Number(one.dataset.low) && action.amount <= Number(one.dataset.high))) { continue; }
        }
        if (kind === "set") {
          const cards = Array.from(one.querySelectorAll("[data-piece]"), card => card.dataset.piece);
          const some = JSON.parse(one.dataset.ways).map(way => way.map(n => cards[n]))
            .find(way => ways.includes(JSON.stringify(sorted({...action, [one.dataset.field]: way}))));
          if (!some) { continue; }
          action = {...action, [one.dataset.field]: some};
        }
        const way = ways.indexOf(JSON.stringify(sorted(action)));
        if (way >= 0) { found.push([way, kind, one]); }
      }
    }
    // A phone that offers the very card is asked for that one.
    return found.sort((one, other) => one[0] - other[0])[0];
  };
  const answer = () => Array.from(document.querySelectorAll(".question .answers button"))
    .find(one => JSON.parse(one.dataset.command).choice === key);
  let watch = null, end = null;
  const say = what => { clearTimeout(end); if (watch) { watch.disconnect(); } done(what); };
  const look = () => {
    const record = Number((document.querySelector("[data-record]") || {dataset: {record: 0}}).dataset.record);
    if (record >= wanted) { say({kind: "done", way: 0}); return true; }
    if (record < wanted - 1 || document.querySelector("[aria-busy]")) { return false; }
    const found = offered() || (answer() && [0, "answer", answer()]);
    if (!found) { return false; }
    document.querySelectorAll("[data-found]").forEach(one => one.removeAttribute("data-found"));
    const [way, kind, one] = found;
    one.setAttribute("data-found", "");
    const closed = [];
    for (let up = one.parentElement; up; up = up.parentElement) {
      if (up.tagName === "DETAILS" && !up.open) { closed.unshift(up); }
    }
    closed.forEach(up => up.querySelector("summary").click());
    say({kind, way});
    return true;
  };
  if (look()) { return; }
  watch = new MutationObserver(look);
  watch.observe(document, {subtree: true, childList: true, attributes: true, attributeFilter: ["aria-busy"]});
  end = setTimeout(() => say({kind: "none", way: -1, page: document.body.innerText}), patience);
})"""
"""Waits until the page shows the record before the wanted one and offers it; marks what to tap, and opens what hides
it. "done" if the page has the wanted record already: what leaves no choice happens by itself.
"""


CHOSEN = """() => Array.from(
  document.querySelectorAll('[data-found] [data-piece][aria-pressed="true"]'), card => card.dataset.piece)"""
"""The cards that are marked in what was found."""


def befall(page: Page, what: str) -> None:
    """Let one of the troubles happen to a page; `recover` ends it."""
    if what == "reload":
        page.reload()
    elif what == "lost":
        # The network is gone for a while; whatever is published meanwhile has to come by itself.
        page.context.set_offline(True)
    elif what == "asleep":
        _live(page, "frozen")


def recover(page: Page) -> None:
    """Give a page its network back, and wake it."""
    page.context.set_offline(False)
    _live(page, "active")


def _live(page: Page, state: str) -> None:
    session = page.context.new_cdp_session(page)
    session.send("Page.setWebLifecycleState", {"state": state})
    session.detach()


class Copies:
    """Of copies of a card that nobody has seen the phone offers one for all: which one it was is told apart here."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        cards = game.deck.by_piece()
        looks = {piece: (card.kind, card.title) for piece, card in cards.items()}
        self._like = {piece: [one for one in looks if looks[one] == look] for piece, look in looks.items()}
        self._called = {piece: piece for piece in cards}

    def renamed(self, step: tuple[Action, Facts]) -> tuple[Action, Facts]:
        """Say a prepared step with the copies that were laid for those that were meant."""
        return _with(step[0], self._called), _with(step[1], self._called)

    def alike(self, state: Any, action: Action) -> list[Action]:
        """List an action, and those that differ in nothing but which copy of a card it is about.

        Out of a hand nobody knows which copy it is. In the open a copy stands for another if all goes on as well.
        """
        fields = [name for name in action.__struct_fields__ if getattr(action, name) in self._like]
        if len(fields) != 1:
            return [action]
        piece, found = getattr(action, fields[0]), [action]
        template = next(one for one in self._game.legal(state) if fits(one, action))
        after = None if holes(template) else self._game.play(state, action, ())
        for copy in self._like[piece]:
            other = msgspec.structs.replace(action, **{fields[0]: copy})
            if copy == piece or not self._game.judge(state, other).ok:
                continue
            if after is None:
                if fits(template, other):
                    found.append(other)
            elif _with(self._game.play(state, other, ()), {copy: piece, piece: copy}) == after:
                found.append(other)
        return found

    def exchange(self, meant: Action, laid: Action) -> None:
        """Remember that a copy was laid for another: from now on the two have each other's place."""
        for name in meant.__struct_fields__:
            one, other = getattr(meant, name), getattr(laid, name)
            if one != other:
                turned = {one: other, other: one}
                self._called = {piece: turned.get(called, called) for piece, called in self._called.items()}


def _with(value: Any, names: dict[str, str]) -> Any:
    """Copy a value with other names for pieces in it."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, tuple | frozenset | list):
        return type(value)(_with(one, names) for one in value)
    if isinstance(value, dict):
        return {key: _with(one, names) for key, one in value.items()}
    if isinstance(value, msgspec.Struct):
        changed = {name: _with(getattr(value, name), names) for name in value.__struct_fields__}
        return msgspec.structs.replace(value, **changed)
    return value


def tap(page: Page | Tab, actions: list[Action], facts: Facts, n: int, key: str, done: Callable[[], bool]) -> int:
    """Tap on a page what makes record n, as `Phones.do` says."""
    ways = [
        json.dumps(msgspec.to_builtins(one), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        for one in actions
    ]
    kinds = ["facts"] if facts else ["tap", "bid", "set"]
    for _ in range(10):
        if done():
            return 0
        found = page.evaluate(READY, [n, ways, key, kinds, PATIENCE_MS])
        if found["kind"] == "done":
            return 0
        if found["kind"] == "none":
            raise AssertionError(f"no button for record {n}, {ways[0]}, on {page.url}:\n{found['page']}")
        try:
            _tap(page, found["kind"], actions[found["way"]], facts)
            return int(found["way"])
        except TimeoutError:
            # The page was painted anew under the finger: look again, as a person would.
            continue
    raise AssertionError(f"record {n}, {ways[0]}, can't be tapped on {page.url}")


def _tap(page: Page | Tab, kind: str, action: Action, facts: Facts) -> None:
    """Tap what was found."""

    def touch(within: str = "") -> None:
        page.tap(f"[data-found]{within}", timeout=3000)

    def enter(within: str, text: str) -> None:
        page.fill(f"[data-found]{within}", text, timeout=3000)

    if kind in ("tap", "answer"):
        touch()
        if page.evaluate("() => Boolean(document.querySelector('[data-found][data-armed]'))"):
            touch()  # what one tap does not do is asked back
    elif kind == "set":
        meant = next(set(value) for value in msgspec.to_builtins(action).values() if isinstance(value, list | tuple))
        for piece in sorted(meant ^ set(page.evaluate(CHOSEN))):
            touch(f' [data-piece="{piece}"]')
        touch(" [data-settle]")
    elif kind == "bid":
        enter(" input", str(action.amount))  # type: ignore[attr-defined]
        touch(" [data-offer]")
    else:
        for fact in facts:
            field = f' fieldset[data-place="{fact.place}"]'
            if isinstance(fact, Rolled):
                for i, value in enumerate(fact.values, start=1):
                    enter(f"{field} input:nth-of-type({i})", str(value))
            else:
                assert isinstance(fact, Shown | Opened)
                for piece in fact.pieces if isinstance(fact, Opened) else (fact.piece,):
                    touch(f'{field} label:has(input[value="{piece}"])')
        touch(" button.main")


def sit(page: Page | Tab, site: str, seat: int) -> None:
    """Take a seat, until its page is live: on a busy machine its pictures come later."""
    page.goto(f"{site}/join/{seat}")
    page.fill("#name", f"Player {seat}")
    page.tap("form button.main")
    page.wait_for_selector('body[data-live="live"] [data-part="my-turn"]')


class Phones:
    """Phones at one table, one a seat, each with cookies of its own."""

    def __init__(self, browser: Browser, site: str, seats: int) -> None:
        self.site = site
        self.contexts: dict[int, BrowserContext] = {}
        self.pages: dict[int, Page] = {}
        self.troubles = dict.fromkeys(TROUBLES, 0)
        self._away: int | None = None
        for seat in range(1, seats + 1):
            self.contexts[seat] = browser.new_context(**PHONE)
            # These fingers look each time where the button is.
            self.contexts[seat].add_init_script("window.companionHeld = 0;")
            self.pages[seat] = self.contexts[seat].new_page()
            sit(self.pages[seat], site, seat)

    def do(self, actions: list[Action], facts: Facts, n: int, key: str, done: Callable[[], bool]) -> int:
        """Tap what makes record n: a button for one of the actions, which are alike but for the copy of a card, or the
        answer with this key to the referee's question. Gives which of them was tapped.

        What leaves no choice the referee does by itself.
        """
        action = actions[0]
        seat = action.seat if action.seat != TABLE else n % len(self.pages) + 1
        if seat == self._away:
            self.back()
        return tap(self.pages[seat], actions, facts, n, key, done)

    def trouble(self, rng: random.Random) -> None:
        """Let something happen to a phone, as it does in an evening: it is there again when it is its turn."""
        self.back()
        seat = rng.randint(1, len(self.pages))
        what = TROUBLES[sum(self.troubles.values()) % len(TROUBLES)]
        self.troubles[what] += 1
        if what == "exchanged":
            page, self.pages[seat] = self.pages[seat], self.contexts[seat].new_page()
            page.close()
            self.pages[seat].goto(f"{self.site}/seat/{seat}")
        else:
            befall(self.pages[seat], what)
            self._away = seat

    def back(self) -> None:
        """Bring the phone back that is away."""
        if self._away is not None:
            recover(self.pages[self._away])
        self._away = None

    def close(self) -> None:
        """Put the phones away."""
        for context in self.contexts.values():
            context.close()
