"""Cards known by their faces: what the whole eye makes of what people do at a table, and of one that it never saw.

Decks are a game's own without codes, a standard deck, and drawn ones by seeds on which nothing was tuned; tables are
composed on a printed mat and spoilt. An eye sees frames of a table, a hand that does something, frames of what lies
there then, and so on; beside it another one that is told what the rules expect. A twelfth of each deck is never taught:
those cards must not be named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import cv2
import msgspec
import numpy as np

from benchmarks.dice_outcomes import between
from benchmarks.face_decks import Faces, drawn_faces, own_faces
from benchmarks.face_scenes import LIGHTS, Card, Light, World, event, layout, some_light, teach
from benchmarks.face_watch import Watcher, count_change, count_cold, resting, stills
from benchmarks.identities import bound
from benchmarks.table_watch import Noise
from companion.bench.figures import Figure, Row, Section, at_least, at_most, percentile
from companion.codes import BACK
from companion.eye.faces.deck import Picture
from companion.eye.faces.likeness import corners_of, moved
from companion.eye.mat import Mat
from companion.games import loader

EVENTS = 40
"""Default number of changes of the first deck."""

HELD_OUT = "lagoon"
"""The family of seeds on which nothing was tuned."""

_FEWER = 4
"""The other decks get as many changes less by this factor; one table of ninety cards comes for _NINETIES changes."""
_NINETIES = 80

_CHAIN = 15
"""Changes of one table, after which another one is laid."""

_PLAUSIBLE = 10
_COLD, _AFTER = 60, 30
"""Frames of a table that was never seen, and of what lies there after a change, at most."""

_REACH = (240.0, 120.0, 0.0)
"""Millimetres that a hand has still to go to where it does something, frame by frame."""

NINETY = (1.5, 2.4)
"""Pixels a millimetre at which ninety cards are seen."""

_BIG = (1400.0, 900.0)
"""Millimetres of the mat on which ninety cards lie, as an owner may make one."""

_NOTE = (
    "An eye is shown frames; counted is what its views say from when the table rests until half a second later. "
    "Laid: cards that show wholly; "
    "tucked: 20 to 34 mm of them show. Right: at most 5 mm off in the end; posed: all corners "
    "within 2 mm; asked: not right, but asked about. With expectation: in each zone what lies there and ten cards are "
    "plausible, the right one among them. Named: names that were not there before; wrong: those where no such card "
    "lies. Untaught: cards that were never taught and lie there while something is done; a name for one is counted as "
    "theirs. Stayed: cards that were known and that nobody touched. From, to: 95 % (Wilson); "
    "bound: 95 %, in a million. ms: processor time from the end of the hand's motion, or the first frame of all, until "
    "the table is first seen at rest; first: of the first frame."
)


class _Deck(NamedTuple):
    name: str
    make: Callable[[], Faces]
    px_per_mm: float
    standard: bool = False
    fewer: int = _FEWER


def decks(drawn: int) -> list[_Deck]:
    """Return the decks that are measured; `drawn` is how many cards the drawn ones have, but for one of 400."""
    return [
        _Deck("drawn, 1.5 px/mm", lambda: drawn_faces(drawn, f"{HELD_OUT}-1"), 1.5, fewer=1),
        _Deck("drawn, 2.4 px/mm", lambda: drawn_faces(drawn, f"{HELD_OUT}-2"), 2.4),
        _Deck("400 drawn, 1.5 px/mm", lambda: drawn_faces(400, f"{HELD_OUT}-3"), 1.5),
        _Deck("collectible, 2.4 px/mm", lambda: own_faces("collectible"), 2.4),
        _Deck("standard, 2.4 px/mm", lambda: own_faces("standard"), 2.4, standard=True, fewer=1),
    ]


def measure(readings: int = EVENTS, cards: int = 90, pictures: Path | None = None) -> Section:
    """Show so many changes of the first deck and the standard one, fewer of the others, and tables of ninety; drawn
    decks have so many cards. With `pictures`, what went wrong is drawn into that folder.
    """
    cv2.setNumThreads(1)
    rows: list[Row] = []
    for number, deck in enumerate(decks(cards)):
        for light in LIGHTS:
            rows += Bench(deck, _rng(number, light), light, pictures).changes(max(1, readings // deck.fewer))
    for px in NINETY:
        for light in LIGHTS:
            rows += ninety(px, light, pictures).nineties(max(1, readings // _NINETIES))
    return Section(tuple(rows), (_NOTE,))


def ninety(px_per_mm: float, light: str, pictures: Path | None = None) -> Bench:
    """Return the bench of tables of ninety cards."""
    deck = _Deck(f"ninety cards, {px_per_mm} px/mm", lambda: drawn_faces(110, f"{HELD_OUT}-4"), px_per_mm)
    return Bench(deck, _rng(round(px_per_mm * 10), light), light, pictures, _big_mat())


def _rng(number: int, light: str) -> np.random.Generator:
    return np.random.default_rng([number, LIGHTS.index(light), *HELD_OUT.encode()])


class Bench:
    """One deck, taught, on one mat: tables of its cards are laid and shown to eyes."""

    def __init__(
        self, deck: _Deck, rng: np.random.Generator, light: str, pictures: Path | None = None, mat: Mat | None = None
    ) -> None:
        self._deck, self._rng, self._light, self._pictures = deck, rng, light, pictures
        self._name = f"{deck.name}, {light} light"
        faces = deck.make()
        self.world = World(faces, mat or loader.load_mat("karmic-collections", 2), deck.px_per_mm)
        fronts = faces.fronts()
        # Of a standard deck all has to be taught, jokers too: untaught cards of its own are too much like others.
        self._foreign = [] if deck.standard else fronts[::12]
        wanted = [piece for piece in fronts if piece not in self._foreign]
        self._taught = teach(self.world, [BACK, *wanted], rng)
        self._pieces = [face.pieces[0] for face in self._taught.faces if not face.is_back]
        self._noise = Noise(round(self.world.mat.w * deck.px_per_mm) * round(self.world.mat.h * deck.px_per_mm))
        self._plain, self._helped, self._cold = Counter[str](), Counter[str](), Counter[str]()
        self._spent: dict[str, list[float]] = {"plain": [], "helped": [], "cold": [], "first": []}

    def changes(self, count: int) -> list[Row]:
        """Return the rows of so many changes, and of the tables on which they were made as they were seen first."""
        while self._plain["events"] < count:
            self._table(count)
        name, wide = self._name, {"cards": len(self._pieces)}
        asked: tuple[float | None, float | None] = (None, 0.9) if self._deck.standard else (0.93, 0.98)
        least, helped = (None, None) if self._light == "harsh" else asked
        return [
            _change_row(f"{name}: a change", self._plain, wide, self._spent["plain"], ("laid",), least),
            _change_row(
                f"{name}: a change, with expectation",
                self._helped,
                wide,
                self._spent["helped"],
                ("laid", "tucked"),
                helped,
            ),
            self._cold_row(f"{name}: cold", wide, least),
        ]

    def nineties(self, count: int) -> list[Row]:
        """Return the row of so many tables of ninety cards, seen for the first time."""
        for _ in range(count):
            self._lay(90)
        return [self._cold_row(self._name, {"cards": len(self._pieces)}, None, timed=True)]

    def _lay(self, count: int) -> tuple[list[Card], Light, Watcher, list[tuple[Picture, Picture]]]:
        """Lay a table and show it to an eye; return its cards, its light, the eye, and the frames."""
        rng, world = self._rng, self.world
        cards = layout(rng, world, self._pieces, count, float(rng.uniform(20, 34)))
        light = some_light(rng, world.mat, self._light)
        eye, picture = Watcher(world, self._taught), world.picture(cards, light, rng)
        frames = stills(self._noise, picture)
        shown = eye.see(resting(frames, _COLD))
        self._spent["cold"].append(shown.look_ms)
        self._spent["first"].append(shown.first_ms)
        self._draw(f"cold-{self._cold['tables']}", picture, cards, count_cold(self._cold, cards, shown, world))
        return cards, light, eye, frames

    def _table(self, count: int) -> None:
        """Lay a table, let people do things at it, and count what two eyes make of it: one knows what rules expect."""
        rng, world = self._rng, self.world
        cards, light, plain, frames = self._lay(int(rng.integers(8, 29)))
        helped = Watcher(world, self._taught)
        helped.see(resting(frames, _COLD))
        veils: dict[Card, float] = {}
        for _ in range(min(_CHAIN, count - self._plain["events"])):
            done = event(rng, world, cards, self._pieces, self._foreign)
            for card in (*done.before, *done.after):
                veils.setdefault(card, float(rng.uniform(0, light.veils)))
            then = msgspec.structs.replace(light, gain=light.gain * float(rng.uniform(0.96, 1.04)))
            reach = [
                world.picture(done.before, then, rng, hand=moved(done.place, away, 0), veiled=veils) for away in _REACH
            ]
            after = world.picture(done.after, then, rng, hand=done.hand, veiled=veils)
            moving, still = [stills(self._noise, one, 1)[0] for one in reach], stills(self._noise, after)
            coming = {str(piece) for piece in rng.choice(self._pieces, _PLAUSIBLE - 1, replace=False)}
            helped.expect(done.before, coming | {card.piece for card in done.laid if card.piece in self._pieces})
            for name, eye, tally in (("plain", plain, self._plain), ("helped", helped, self._helped)):
                was = eye.view
                eye.see(moving, rests=False)
                shown = eye.see(resting(still, _AFTER))
                self._spent[name].append(shown.look_ms)
                odd = count_change(tally, done, was, shown, world, self._foreign)
                self._draw(f"{name}-{tally['events']}", after, done.after, odd)
            cards = list(done.after)

    def _draw(self, name: str, picture: Picture, cards: Sequence[Card], odd: Sequence[str]) -> None:
        """Draw a picture with its cards' names, and what is to be looked at, if there is anything."""
        if self._pictures is None or not odd:
            return
        self._pictures.mkdir(parents=True, exist_ok=True)
        drawn, font = picture[..., ::-1].copy(), cv2.FONT_HERSHEY_SIMPLEX
        for card in cards:
            outline = corners_of(card.pose, self.world.faces.w, self.world.faces.h) * self.world.px_per_mm
            cv2.polylines(drawn, [np.round(outline).astype(np.int32)], True, (90, 220, 90))
            cv2.putText(drawn, card.piece, [round(float(v)) for v in outline.mean(0)], font, 0.6, (0, 0, 255), 2)
        for line, words in enumerate(odd):
            cv2.putText(drawn, words, (40, 60 + 22 * line), font, 0.55, (0, 0, 255), 2)
        cv2.imwrite(str(self._pictures / f"{self._name.replace('/', ' per ')}-{name}.png"), drawn)

    def _cold_row(self, name: str, wide: dict[str, int], least: float | None, *, timed: bool = False) -> Row:
        tally, spent = self._cold, self._spent["cold"]
        whole = tally["whole, right"] / max(1, tally["whole"])
        figures: dict[str, Figure] = {**wide}
        for key in ("tables", "whole", "whole, right", "strips", "strips, right", "posed", "named", "wrong"):
            figures[_key(key)] = tally[key]
        figures["bound_ppm"] = bound(tally["wrong"], max(1, tally["named"])) * 1e6
        figures |= {"p50_ms": percentile(spent, 0.5), "p95_ms": percentile(spent, 0.95)}
        figures["first_ms"] = percentile(self._spent["first"], 0.5)
        if timed:
            return Row(name, figures, at_most("first frame, ms", float(figures["first_ms"] or 0), 3000.0))
        return Row(name, figures, None if least is None else at_least("whole cards named", whole, 0.97))


def _big_mat() -> Mat:
    """Return an empty mat for ninety cards: the markers lie at its edge as on the printed one, further apart."""
    mat, (w, h) = loader.load_mat("karmic-collections", 2), _BIG

    def stretched(at: float, old: float, new: float, inset: float) -> float:
        return inset + (at - inset) * (new - 2 * inset) / (old - 2 * inset)

    inset = min(marker.x for marker in mat.markers)
    markers = tuple(
        msgspec.structs.replace(marker, x=stretched(marker.x, mat.w, w, inset), y=stretched(marker.y, mat.h, h, inset))
        for marker in mat.markers
    )
    looks = msgspec.structs.replace(mat.looks, panels=(), chairs=())
    return msgspec.structs.replace(mat, w=w, h=h, markers=markers, zones=(), looks=looks)


def _key(words: str) -> str:
    return words.replace(", ", "_").replace(" ", "_")


_COUNTED = (
    *("laid", "laid, right", "tucked", "tucked, right", "posed", "asked", "named", "wrong", "untaught"),
    *("untaught, named", "taken", "taken, noticed", "stayed", "falsely removed"),
)


def _change_row(
    name: str, tally: Counter[str], wide: dict[str, int], times: list[float], asked: Sequence[str], least: float | None
) -> Row:
    """Return the row of a deck's changes; `least` is the share of `asked` kinds of cards that has to be right."""
    laid, right = (sum(tally[f"{kind}{end}"] for kind in asked) for end in ("", ", right"))
    low, high = between(right, laid) if laid else (0.0, 1.0)
    share: dict[str, Figure] = {"right_share": right / laid if laid else None, "from": low, "to": high}
    figures: dict[str, Figure] = {**wide, "events": tally["events"], "of": laid, "right": right, **share}
    for key in _COUNTED:
        figures[_key(key)] = tally[key]
    figures["bound_ppm"] = bound(tally["wrong"], max(1, tally["named"])) * 1e6
    figures["p50_ms"], figures["p95_ms"] = percentile(times, 0.5), percentile(times, 0.95)
    words = " and ".join(asked) + " named right"
    return Row(name, figures, None if least is None else at_least(words, right / max(1, laid), least))
