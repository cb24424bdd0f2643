"""Cards known by their faces: what one change between two settled pictures tells, and what a cold look finds.

Decks are a game's own without codes, a standard deck, and drawn ones by seeds on which nothing was tuned; tables are
composed on a printed mat and spoilt. A twelfth of each deck is never taught: those cards must not be named. Peers get
the outline given, which is more than the reader has.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import cv2
import numpy as np

from companion.bench.development.dice_outcomes import between
from companion.bench.development.face_changes import Change, Known, Table, painted, read_change, read_table
from companion.bench.development.face_decks import Faces, drawn_faces, own_faces
from companion.bench.development.face_events import Event, event, layout, pictures
from companion.bench.development.face_scenes import Card, World, some_light
from companion.bench.development.faces_teach import teach
from companion.bench.development.identities import bound
from companion.bench.figures import Figure, Row, Section, at_least, at_most
from companion.eye.faces.deck import Picture, TaughtDeck
from companion.eye.faces.flattening import shrunk
from companion.eye.faces.likeness import FaceBook, Pose, corners_of, moved
from companion.eye.faces.taking import cut_out
from companion.games import STANDARD, loader

EVENTS = 40
"""Default number of changes a deck."""

HELD_OUT = "judged"
"""The family of seeds on which nothing was tuned."""

_PLAUSIBLE = 10
_NEAR_MM, _POSE_MM = 15.0, 2.0

_NOTE = (
    "Right: laid cards that were named surely, where they lie. Pose: of those, all corners within 2 mm. With "
    "expectation: ten cards are plausible there, the right one among them. Wrong: cards named surely that don't lie "
    "there, untaught ones among them, of all that were named. From, to: 95 % (Wilson); bound: 95 %, in a million."
)


class _Deck(NamedTuple):
    name: str
    make: Callable[[], Faces]
    px_per_mm: float
    standard: bool = False


def decks(drawn: int) -> list[_Deck]:
    """Return the decks that are measured; `drawn` is how many cards the drawn ones have."""
    return [
        _Deck("drawn, 1.5 px/mm", lambda: drawn_faces(drawn, f"{HELD_OUT}-1"), 1.5),
        _Deck("drawn, 2.4 px/mm", lambda: drawn_faces(drawn, f"{HELD_OUT}-2"), 2.4),
        _Deck("collectible, 2.4 px/mm", lambda: own_faces("collectible"), 2.4),
        _Deck("standard, 2.4 px/mm", lambda: own_faces("standard"), 2.4, True),
    ]


def measure(readings: int = EVENTS, cards: int = 90) -> Section:
    """Read so many changes of each deck, and a cold table for every ten of them; drawn decks have so many cards."""
    cv2.setNumThreads(1)
    rows: list[Row] = []
    for number, deck in enumerate(decks(cards)):
        rows += _deck_rows(deck, readings, np.random.default_rng([number, *HELD_OUT.encode()]))
    return Section(tuple(rows), (_NOTE,))


def _deck_rows(chosen: _Deck, count: int, rng: np.random.Generator) -> list[Row]:
    faces = chosen.make()
    world = World(faces, loader.load_mat("karmic-collections", 2), chosen.px_per_mm)
    fronts = faces.fronts()
    foreign = fronts[::12]
    # Of a standard deck all has to be taught, jokers too: untaught cards of its own are too much like others.
    wanted = fronts if chosen.standard else [piece for piece in fronts if piece not in foreign]
    deck = teach(world, wanted, rng)
    book = FaceBook(deck)
    numbers = {face.pieces[0]: number for number, face in enumerate(deck.faces)}
    pieces = list(numbers)
    plain, helped, peers = Counter[str](), Counter[str](), Counter[str]()
    times: list[float] = []
    for _ in range(count):
        done = event(rng, world, pieces, [] if chosen.standard else foreign, hard=True)
        empty, before, after = pictures(rng, world, done)
        known = [Known(numbers[card.piece], _jittered(rng, card.pose)) for card in done.before]
        table = Table(shrunk(empty, chosen.px_per_mm), known)
        began = time.process_time()
        found = read_change(book, before, after, chosen.px_per_mm, table)
        times.append((time.process_time() - began) * 1e3)
        _count(plain, done, found, numbers, world)
        among = {int(n) for n in rng.choice(len(book), min(_PLAUSIBLE - 1, len(book)), replace=False)}
        among |= {numbers[card.piece] for card in done.laid if card.piece in numbers}
        expected = read_change(book, before, after, chosen.px_per_mm, table, _anywhere(among))
        _count(helped, done, expected, numbers, world)
        _count_peers(peers, done, after, world, deck)
    name = chosen.name
    wide = {"cards": len(pieces), "events": count}
    rows = [
        _change_row(f"{name}: a change", plain, wide, times, chosen.standard, expected=False),
        _change_row(f"{name}: a change, with expectation", helped, wide, [], chosen.standard, expected=True),
    ]
    for peer in ("perceptual hash", "ORB", "SIFT"):
        if peers["laid"]:
            rows.append(Row(f"{name}: {peer}, the outline given", _share(peers[peer], peers["laid"])))
    rows.append(_cold_row(f"{name}: cold", book, world, numbers, max(2, count // 10), rng))
    return rows


def _anywhere(faces: set[int]) -> Callable[[float, float], set[int]]:
    return lambda x, y: faces


def _jittered(rng: np.random.Generator, pose: Pose) -> Pose:
    return moved(pose, float(rng.normal(0, 0.4)), float(rng.normal(0, 0.4)), float(rng.normal(0, 0.3)))


def _off(world: World, a: Pose, b: Pose) -> float:
    """Return the largest distance of two poses' corners (mm). A standard card looks the same upside down."""
    w, h = world.faces.w, world.faces.h
    turns = (0.0, 180.0) if world.faces.name == STANDARD else (0.0,)
    return min(
        float(np.linalg.norm(corners_of(moved(a, 0, 0, turn), w, h) - corners_of(b, w, h), axis=1).max())
        for turn in turns
    )


def _count(tally: Counter[str], done: Event, found: Change, numbers: dict[str, int], world: World) -> None:
    def lies(face: int, pose: Pose, cards: Sequence[Card]) -> Card | None:
        near = (card for card in cards if np.hypot(card.pose[0] - pose[0], card.pose[1] - pose[1]) < _NEAR_MM)
        return next((card for card in near if numbers.get(card.piece) == face), None)

    tally["false removals"] += sum(done.before[number] not in done.taken for number in found.gone)
    tally["taken"] += len(done.taken)
    tally["taken, noticed"] += sum(done.before[number] in done.taken for number in found.gone)
    for named in found.laid:
        if named.sure:
            tally["named"] += 1
            tally["wrong"] += lies(named.face, named.pose, done.after) is None
    if done.kind == "foreign":
        tally["untaught"] += 1
        tally["untaught, named"] += any(named.sure for named in found.laid)
        return
    for card in done.laid:
        tally["laid"] += 1
        hits = [named for named in found.laid if named.sure and lies(named.face, named.pose, [card])]
        tally["right"] += bool(hits)
        tally["posed"] += any(_off(world, named.pose, card.pose) <= _POSE_MM for named in hits)


def _share(right: int, of: int) -> dict[str, Figure]:
    low, high = between(right, of) if of else (0.0, 1.0)
    return {"laid": of, "right": right, "right_share": right / of if of else None, "from": low, "to": high}


def _change_row(
    name: str, tally: Counter[str], wide: dict[str, int], times: list[float], standard: bool, *, expected: bool
) -> Row:
    figures: dict[str, Figure] = {**wide, **_share(tally["right"], tally["laid"])}
    figures["posed"] = tally["posed"] / max(1, tally["laid"])
    for key in ("named", "wrong", "untaught", "untaught, named", "taken", "taken, noticed", "false removals"):
        figures[key.replace(", ", "_").replace(" ", "_")] = tally[key]
    figures["bound_ppm"] = bound(tally["wrong"], max(1, tally["named"])) * 1e6
    if times:
        figures["p50_ms"], figures["p95_ms"] = (float(np.percentile(times, share)) for share in (50, 95))
    least = 0.9 if standard else 0.98 if expected else 0.93
    share = tally["right"] / max(1, tally["laid"])
    return Row(name, figures, budget=at_least("cards named right", share, least) if expected or not standard else None)


def _cold_row(
    name: str, book: FaceBook, world: World, numbers: dict[str, int], count: int, rng: np.random.Generator
) -> Row:
    """Look at so many tables of which only the empty mat is known, and count what of each card shows."""
    tally, times = Counter[str](), []
    for number in range(count):
        cards = layout(rng, world, list(numbers), int(rng.integers(10, 31)), 25.0 if number % 2 else 20.0)
        light = some_light(rng, world.mat, hard=True)
        empty = shrunk(world.picture([], light, rng), world.px_per_mm)
        picture = world.picture(cards, light, rng)
        began = time.process_time()
        found = read_table(book, empty, picture, world.px_per_mm)
        times.append((time.process_time() - began) * 1e3)
        top = painted([Known(0, card.pose) for card in cards], (world.faces.w, world.faces.h), empty.shape[:2])
        for index, card in enumerate(cards):
            shows = float((top == index).sum()) / (world.faces.w * world.faces.h)
            kind = "full" if shows > 0.9 else "strips" if 25 <= shows * world.faces.w < 45 else ""
            if not kind:
                continue
            tally[kind] += 1
            near = (named for named in found if numbers[card.piece] == named.face)
            tally[f"{kind}, right"] += any(_off(world, named.pose, card.pose) <= 3.0 for named in near)
        for named in found:
            near_by = [card for card in cards if _off(world, named.pose, card.pose) < _NEAR_MM]
            tally["wrong"] += not any(numbers[card.piece] == named.face for card in near_by)
    full = tally["full, right"] / max(1, tally["full"])
    figures: dict[str, Figure] = {
        "tables": count,
        "full": tally["full"],
        "full_right": full,
        "strips": tally["strips"],
        "strips_right": tally["strips, right"] / tally["strips"] if tally["strips"] else None,
        "named": tally["full, right"] + tally["strips, right"] + tally["wrong"],
        "wrong": tally["wrong"],
        "p50_ms": float(np.median(times)),
        "p95_ms": float(np.percentile(times, 95)),
    }
    return Row(name, figures, budget=at_most("processor time, ms", float(np.median(times)), 3000.0))


# ---------------------------------------------------------------------------------------------------------------- peers


def _count_peers(tally: Counter[str], done: Event, after: Picture, world: World, deck: TaughtDeck) -> None:
    """Count what the usual ways of knowing a picture make of a laid card of which they are told where it lies."""
    if done.kind in ("foreign", "tuck"):
        return
    for card in done.laid:
        seen = cut_out(after, world.px_per_mm, card.pose, deck.w, deck.h)
        views = [face.views[0] for face in deck.faces]
        tally["laid"] += 1
        for peer, name in (("perceptual hash", _by_hash), ("ORB", _by_orb), ("SIFT", _by_sift)):
            tally[peer] += deck.faces[name(seen, views)].pieces[0] == card.piece


def _gray(picture: Picture) -> Picture:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), dtype=np.uint8)


def _by_hash(seen: Picture, views: Sequence[Picture]) -> int:
    def bits(picture: Picture) -> np.ndarray:
        small = cv2.resize(_gray(picture), (32, 32), interpolation=cv2.INTER_AREA).astype(np.float32)
        low = np.asarray(cv2.dct(small))[:8, :8].ravel()[1:]
        return np.asarray(low > np.median(low))

    mine = bits(seen)
    return int(np.argmin([(mine != bits(view)).sum() for view in views]))


def _by_orb(seen: Picture, views: Sequence[Picture]) -> int:
    return _by_features(cv2.ORB_create(300), cv2.NORM_HAMMING, seen, views)  # type: ignore[attr-defined]


def _by_sift(seen: Picture, views: Sequence[Picture]) -> int:
    return _by_features(cv2.SIFT_create(300), cv2.NORM_L2, seen, views)  # type: ignore[attr-defined]


_FEATURES: dict[tuple[int, int], object] = {}


def _by_features(finder: cv2.Feature2D, norm: int, seen: Picture, views: Sequence[Picture]) -> int:
    """Return the view with most features in common, by the ratio test."""

    def features(picture: Picture, keep: bool) -> np.ndarray | None:
        key = (norm, id(picture))
        if key not in _FEATURES or not keep:
            found = finder.detectAndCompute(_gray(picture), np.full(picture.shape[:2], 255, np.uint8))[1]
            if not keep:
                return found
            _FEATURES[key] = (picture, found)  # the picture too, so that its id stays its own
        return _FEATURES[key][1]  # type: ignore[index,no-any-return]

    mine = features(seen, keep=False)
    counts = []
    for view in views:
        other = features(view, keep=True)
        pairs = [] if mine is None or other is None else cv2.BFMatcher(norm).knnMatch(mine, other, k=2)
        counts.append(sum(len(pair) == 2 and pair[0].distance < 0.75 * pair[1].distance for pair in pairs))
    return int(np.argmax(counts))
