"""What happens on a table of cards: layouts, and one thing that people do to each: lay, move, take, tuck, cover."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from benchmarks.face_scenes import Card, World
from companion.eye.faces.likeness import Pose, corners_of, moved
from companion.eye.faces.poses import filled

KINDS = ("lay", "lay", "lay in a row", "lay on a pile", "move", "take", "tuck", "foreign")
"""What people do, as often as it stands here. "foreign": a card that was never taught is laid."""

_EDGE = 32.0
"""Millimetres at the mat's edge on which no card lies."""


class Event(msgspec.Struct, frozen=True):
    """One thing that was done: cards lie (bottom to top) as `before`, then as `after`; `laid` came, `taken` went.

    A hand does it at `place`; one rests on the mat after it, or none. Of the laid card's width `shows` mm show.
    """

    kind: str
    before: tuple[Card, ...]
    after: tuple[Card, ...]
    laid: tuple[Card, ...]
    taken: tuple[Card, ...]
    place: Pose
    hand: Pose | None
    shows: float


def _inside(world: World, pose: Pose, w: float) -> bool:
    """Return whether a card, or a strip `w` mm wide of one, lies clear of the mat's edge."""
    corners = corners_of(pose, w, world.faces.h)
    return bool((corners > _EDGE).all() and (corners < np.array([world.mat.w, world.mat.h]) - _EDGE).all())


def layout(  # noqa: C901 (it says how people lay, kind by kind)
    rng: np.random.Generator, world: World, pieces: Sequence[str], count: int, strip: float = 25.0
) -> list[Card]:
    """Return cards on a table: loose ones any way up, rows side by side, a tucked row with strips, piles."""
    w, h = world.faces.w, world.faces.h
    left = [str(piece) for piece in rng.permutation(np.array(pieces))[:count]]
    cards: list[Card] = []
    taken = np.zeros((round(world.mat.h), round(world.mat.w)), np.uint8)

    def free(pose: Pose, grow: float = 4.0) -> bool:
        return _inside(world, pose, w) and not (filled(pose, (w + grow, h + grow), taken.shape) & taken).any()

    def free_strip(last: Pose, step: float) -> bool:
        strip = moved(last, w / 2 + step / 2 + 1, 0)
        return _inside(world, strip, step) and not (filled(strip, (step - 1, h), taken.shape) & taken).any()

    def put(pose: Pose) -> None:
        taken[filled(pose, (w, h), taken.shape) > 0] = 1
        cards.append(Card(left.pop(), pose))

    def somewhere(turned: bool) -> Pose | None:
        for _ in range(60):
            square = float(rng.choice([0, 0, 180, 90])) + float(rng.normal(0, 2))
            turn = float(rng.uniform(0, 360)) if turned else square
            pose = (float(rng.uniform(0, world.mat.w)), float(rng.uniform(0, world.mat.h)), turn)
            if free(pose):
                return pose
        return None

    while left:
        kind = rng.choice(["loose", "loose", "row", "tucked", "pile"])
        start = somewhere(kind == "loose")
        if start is None:
            break
        put(start)
        if kind in ("row", "tucked"):
            step = w + float(rng.uniform(0.3, 3)) if kind == "row" else strip
            for _ in range(int(rng.integers(2, 5))):
                last = cards[-1].pose
                off = [float(rng.normal(0, spread)) for spread in (0.6, 1.2, 0.8)]
                pose = moved(last, step + off[0], off[1], off[2])
                if not left or not (free(pose, -1.0) if kind == "row" else free_strip(last, step)):
                    break
                put(pose)
        elif kind == "pile":
            for _ in range(int(rng.integers(1, 4))):
                if left:
                    put(moved(start, float(rng.normal(0, 1.5)), float(rng.normal(0, 1.5)), float(rng.normal(0, 2))))
    return cards


def event(
    rng: np.random.Generator, world: World, cards: Sequence[Card], pieces: Sequence[str], foreign: Sequence[str]
) -> Event:
    """Return something that was done on a table; of the cards that are not there, `foreign` ones were never taught."""
    lie = {card.piece for card in cards}
    spare, unknown = ([piece for piece in some if piece not in lie] for some in (pieces, foreign))
    while True:
        kind = str(rng.choice(KINDS))
        done = _done(rng, world, list(cards), kind, spare, unknown)
        if done is None:
            continue
        after, laid, taken, shows = done
        x, y, _ = (laid or taken)[0].pose
        hand = None
        if rng.random() < 0.35:
            hand = (float(rng.uniform(150, world.mat.w - 150)), float(world.mat.h - 60), float(rng.normal(90, 12)))
            reach = [card for card in (*laid, *taken) if _near_arm(card.pose, hand, 45 + world.faces.w)]
            hand = None if reach else hand
        return Event(kind, tuple(cards), tuple(after), laid, taken, (x, y, float(rng.normal(90, 12))), hand, shows)


def _near_arm(pose: Pose, hand: Pose, reach: float) -> bool:
    way = np.array([np.cos(np.radians(hand[2])), np.sin(np.radians(hand[2]))])
    away = np.array(pose[:2]) - np.array(hand[:2])
    along = float(np.clip(away @ way, 0, 600))
    return bool(np.linalg.norm(away - along * way) < reach)


Done = tuple[list[Card], tuple[Card, ...], tuple[Card, ...], float]


def _done(  # noqa: C901 (one thing after the other that people do)
    rng: np.random.Generator, world: World, cards: list[Card], kind: str, spare: list[str], foreign: list[str]
) -> Done | None:
    """Return the cards after something was done, what was laid, what was taken, and how much of it shows (mm)."""
    w, h = world.faces.w, world.faces.h
    shape = round(world.mat.h), round(world.mat.w)
    taken = np.zeros(shape, np.uint8)
    for card in cards:
        taken[filled(card.pose, (w, h), shape) > 0] = 1

    def fits(pose: Pose, grow: float = 3.0) -> bool:
        return _inside(world, pose, w) and not (filled(pose, (w + grow, h + grow), shape) & taken).any()

    def free_place() -> Pose | None:
        for _ in range(80):
            square = float(rng.choice([0, 180, 90])) + float(rng.normal(0, 4))
            turn = square if rng.random() < 0.6 else rng.uniform(0, 360)
            pose = (float(rng.uniform(0, world.mat.w)), float(rng.uniform(0, world.mat.h)), float(turn))
            if fits(pose):
                return pose
        return None

    def covered(index: int) -> bool:
        mask = filled(cards[index].pose, (w - 3, h - 3), shape)
        return any((filled(other.pose, (w - 3, h - 3), shape) & mask).any() for other in cards[index + 1 :])

    open_ = [index for index in range(len(cards)) if not covered(index)]
    if kind in ("lay", "foreign"):
        names, place = (foreign if kind == "foreign" else spare), free_place()
        if not names or place is None:
            return None
        new = Card(str(rng.choice(names)), place)
        return [*cards, new], (new,), (), w
    if kind in ("lay in a row", "lay on a pile", "tuck"):
        if not spare or not open_:
            return None
        base = cards[int(rng.choice(open_))]
        piece = str(rng.choice(spare))
        small = [float(d) for d in rng.normal(0, 1.2, 2)]
        if kind == "lay on a pile":
            turn = float(rng.normal(0, 1.5)) + float(rng.choice([0, 180]))
            new = Card(piece, moved(base.pose, small[0], small[1], turn))
            return [*cards, new], (new,), (), w
        if kind == "lay in a row":
            new = Card(piece, moved(base.pose, w + float(rng.uniform(0.3, 3)), small[0], float(rng.normal(0, 1))))
            return ([*cards, new], (new,), (), w) if fits(new.pose, -2.0) else None
        shows = float(rng.uniform(20, 34))
        new = Card(piece, moved(base.pose, shows, small[0], float(rng.normal(0, 0.8))))
        beside = moved(base.pose, w / 2 + shows / 2, 0)
        strip = filled(beside, (shows + 4, h), shape)
        at = cards.index(base)
        strip[filled(base.pose, (w, h), shape) > 0] = 0
        if not _inside(world, new.pose, w) or (strip & taken).any():
            return None
        return [*cards[:at], new, *cards[at:]], (new,), (), shows
    if not open_:
        return None
    index = int(rng.choice(open_))
    gone = cards[index]
    rest = [card for number, card in enumerate(cards) if number != index]
    if kind == "take":
        return rest, (), (gone,), 0.0
    place = free_place()
    if place is None:
        return None
    new = Card(gone.piece, place)
    return [*rest, new], (new,), (gone,), w
