"""How many words a seat's first screen has, in the middle of a match of each game at its largest number of seats.

Robots play matches that phones keep, without a camera. From their middle on a phone of 390 × 844 looks after every
record at the page of a seat that is due and of one that waits, in English and in German. A word is what stands between
spaces and has a letter in it, visible on the screen, drawings included: numerals alone are none.
`python -m benchmarks.phone_words [FOLDER] [GAME…]` also keeps the fullest screens and the highest pages.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks import browser
from benchmarks.middle import NAMES
from benchmarks.pages import PHONE
from benchmarks.phone_table import table_of
from benchmarks.screens import HEIGHT, served
from companion import games
from companion.bench.figures import BenchError, Row, Section, at_most
from companion.bench.prepared import Step, prepared
from companion.referee.commands import Play
from companion.table.table import Table
from companion.untyped import Foreign

MOST = {"en": 90, "de": 100}
"""The most words of a first screen in each language: German joins its words, and needs more of them all the same."""
SCREENS = 1.5
"""The most screens that a whole page is high."""
SEEDS = ("words", "more", "again", "once more")
"""Of the matches of a game: one alone never comes to some decisions."""
RECORDS, MOMENTS = 30, 20
"""Records after which a match is looked at, and so many of them: more than half a minute of it."""
WORDS = r"""() => {
  const boxes = one => {
    let box = {left: 0, top: 0, right: innerWidth, bottom: innerHeight};
    for (; one && one !== document.documentElement; one = one.parentElement) {
      const style = getComputedStyle(one);
      if (style.overflow === "visible" && style.clipPath === "none" && style.clip === "auto") { continue; }
      const own = one.getBoundingClientRect();
      box = {left: Math.max(box.left, own.left), top: Math.max(box.top, own.top),
             right: Math.min(box.right, own.right), bottom: Math.min(box.bottom, own.bottom)};
    }
    return box;
  };
  const found = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const one = node.parentElement;
    if (one.closest("script, style, noscript, title, desc, [hidden]")) { continue; }
    if (!one.checkVisibility({visibilityProperty: true, opacityProperty: true})) { continue; }
    const box = boxes(one), range = document.createRange();
    if (box.right - box.left <= 2 || box.bottom - box.top <= 2) { continue; }
    for (const word of node.data.matchAll(/\S*\p{L}\S*/gu)) {
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const seen = Array.from(range.getClientRects()).some(rect =>
        Math.min(rect.right, box.right) - Math.max(rect.left, box.left) > 2 &&
        Math.min(rect.bottom, box.bottom) - Math.max(rect.top, box.top) > 4);
      if (seen) { found.push(word[0]); }
    }
  }
  return found;
}"""
"""JavaScript that returns the words that can be read on the screen as it is."""


def measure(pictures: Path | None = None, *chosen: str) -> Section:
    """Count the words of the chosen games, or of all; with a folder `pictures` the fullest screens are kept there.

    Raises:
        BenchError: if there is no browser here.
    """
    rows: list[Row] = []
    with browser.chromium() as chromium:
        for name in chosen or games.packages():
            rows += of_game(chromium, name, pictures)
    moments = f"{MOMENTS} moments of {len(SEEDS)} matches"
    notes = (f"Of each game the fullest first screen at {moments}, and the highest of their pages.",)
    return Section(tuple(rows), notes)


def of_game(chromium: Foreign, name: str, out: Path | None = None) -> Iterator[Row]:
    """Yield the figures of a game, a row each language."""
    seats, title = games.load(name).info.seats[1], games.load(name).info.title
    most: dict[str, int] = dict.fromkeys(MOST, 0)
    high = dict.fromkeys(MOST, 0.0)
    for seed in SEEDS:
        for page, language in _looks(chromium, name, seats, seed):
            words, screens = len(page.evaluate(WORDS)), float(page.evaluate(HEIGHT))
            for what, fuller in (("", words > most[language]), ("-high", screens > high[language])):
                if out is not None and fuller:
                    out.mkdir(parents=True, exist_ok=True)
                    page.screenshot(path=str(out / f"{name}-{language}{what}.png"), full_page=bool(what))
            most[language], high[language] = max(most[language], words), max(high[language], screens)
    if not all(most.values()):
        raise BenchError(f"{title}: all matches were over before record {RECORDS}")
    for language, words in most.items():
        figures: dict[str, float | int | None] = {"words": words, "screens": round(high[language], 2)}
        yield Row(f"{title}, {seats} seats, {language}", figures, at_most("words", words, MOST[language], ""))
        yield Row(f"{title}, {language}", {}, at_most("screens", high[language], SCREENS, ""))


def _looks(chromium: Foreign, name: str, seats: int, seed: str) -> Iterator[tuple[Foreign, str]]:
    """Yield the phone's page at each moment of a match: of a seat that is due and of one that waits, by language."""
    with tempfile.TemporaryDirectory() as folder:
        header, steps = prepared(games.load(name), seats, seed, RECORDS + MOMENTS)
        table = table_of(header, {seat: NAMES[seat] for seat in range(1, seats + 1)}, Path(folder), "assist")
        table.start()
        try:
            with served(table) as site:
                pages = _pages(chromium, site, seats)
                for n, step in enumerate(steps):
                    waiting = [seat for seat in table.snapshot().views[0].waiting if seat]
                    idle = [seat for seat in range(1, seats + 1) if seat not in waiting]
                    for language, page in pages.items() if n >= RECORDS else ():
                        for seat in (*waiting[:1], *idle[:1]):
                            page.goto(f"{site}/seat/{seat}")
                            page.wait_for_selector('body[data-live="live"]', timeout=30_000)
                            yield page, language
                    _play(table, step)
                for page in pages.values():
                    page.context.close()
        finally:
            table.close()


def _play(table: Table, step: Step) -> None:
    action, facts = step
    if not table.session.command(Play(seat=action.seat, action=action, facts=facts)).ok:
        raise BenchError(f"the referee refused {action}")


def _pages(chromium: Foreign, site: str, seats: int) -> dict[str, Foreign]:
    """Return a phone's page in each language, all with one key to every seat."""
    how = {**PHONE, "reduced_motion": "reduce"}
    first = chromium.new_context(**how)
    for seat in range(1, seats + 1):
        first.request.post(f"{site}/join", form={"seat": str(seat), "name": NAMES[seat], "choice": "both"})
    keys = first.storage_state()
    first.close()
    return {one: chromium.new_context(**how, locale=one, storage_state=keys).new_page() for one in MOST}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as owner:
        # An owner's settings and files are not to be measured.
        os.environ.update(COMPANION_STATE=owner, COMPANION_DEVICES="simulated")
        for row in measure(Path(sys.argv[1]) if sys.argv[1:] else None, *sys.argv[2:]).rows:
            print(row.what, row.figures)
