"""Shows eyes composed tables as a camera would, and counts what they say by the truth."""

from __future__ import annotations

import itertools
import math
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

import cv2
import msgspec
import numpy as np

from benchmarks.face_scenes import Card, Event, World
from benchmarks.table_judge import NEAR_MM
from benchmarks.table_watch import FPS, Noise
from companion.eye.dice.trays import TRAY
from companion.eye.eye import Eye
from companion.eye.faces.asking import Doubt
from companion.eye.faces.deck import Picture, TaughtDeck
from companion.eye.faces.likeness import Pose, corners_of, moved
from companion.eye.faces.poses import filled
from companion.eye.mat import Rect, Shape, ZonePlace
from companion.eye.places import CodeBook
from companion.eye.view import Frame, Placement, TableView
from companion.games import STANDARD

POSE_MM, ELSEWHERE_MM = 2.0, 15.0
"""How far a corner of a card may be from where the eye puts it, and a card that is not put wrongly altogether."""

WHOLE, STRIP = 0.97, 25.0
"""The share of a card that shows if all of it does, and the least millimetres of its width of a strip."""

REST = 6
"""Frames that an eye is shown after the table came to rest."""

_STILLS = 4
"""Frames of one picture that have noise of their own; then they come again."""


class Shown(NamedTuple):
    """What an eye said while it was shown a picture: the views at rest, the last one of all, what it asks then; and the
    processor time (ms) of the first frame, and of all until the first view at rest.
    """

    rested: Sequence[TableView]
    last: TableView
    doubts: Sequence[Doubt]
    first_ms: float
    look_ms: float


class Watcher:
    """One eye over a world's table, which was taught its deck and knows the print of its mat."""

    def __init__(self, world: World, deck: TaughtDeck) -> None:
        mat, shape = world.mat, Shape("card", world.faces.w, world.faces.h, ())
        # What the rules expect is expected anywhere. Cards are strewn all over the mat, which no game does with its
        # tray: dice that are looked for under them would be no part of reading cards.
        everywhere = ZonePlace("everywhere", "loose", Rect(0, 0, mat.w, mat.h))
        zones = (*(zone for zone in mat.zones if zone.kind != TRAY), everywhere)
        mat = msgspec.structs.replace(mat, zones=zones)
        book = CodeBook("ZZ", dict.fromkeys(world.faces.pictures, shape))
        self._eye = Eye(mat, book, reference=world.bare, decks=(deck,))
        self._number = 0
        self.view = TableView(0, 0.0, ())
        """What it said last."""

    def expect(self, cards: Sequence[Card], coming: Collection[str]) -> None:
        """Set what the rules think plausible: in each zone what lies there, and what may come."""
        assert self._eye.faces is not None  # noqa: S101 (it was taught a deck)
        mat = self._eye.mat
        lying: dict[str, set[str]] = {zone.name: set(coming) for zone in mat.zones}
        for card in cards:
            zone = mat.zone_at(*card.pose[:2])
            if zone is not None:
                lying[zone.name].add(card.piece)
        self._eye.faces.plausible = lying

    def see(self, frames: Iterable[tuple[Picture, Picture]], *, rests: bool = True) -> Shown:
        """Show it frames, until they end or, if the table `rests`, REST frames after it says so."""
        rested: list[TableView] = []
        spent: list[float] = []
        looked, left = 0.0, REST
        for gray, colour in frames:
            frame = Frame(gray, self._number / FPS, self._number, colour)
            self._number += 1
            began = time.process_time()
            view = self._eye.see(frame)
            spent.append((time.process_time() - began) * 1e3)
            if view is not None:
                self.view = view
                if view.settled:
                    rested.append(view)
                    looked = looked or sum(spent)
            left -= bool(rested)
            if rests and left <= 0:
                break
        return Shown(rested, self.view, self._eye.doubts, spent[0], looked or sum(spent))


def stills(noise: Noise, picture: Picture, count: int = _STILLS) -> list[tuple[Picture, Picture]]:
    """Return frames of a picture, gray and in colour, with noise of their own."""
    return [
        (np.asarray(cv2.cvtColor(frame, cv2.COLOR_RGB2GRAY), dtype=np.uint8), frame)
        for frame in noise.frames(picture, count)
    ]


def resting(frames: Sequence[tuple[Picture, Picture]], count: int) -> Iterator[tuple[Picture, Picture]]:
    """Return so many frames: those of one picture again and again."""
    return itertools.islice(itertools.cycle(frames), count)


def count_change(
    tally: Counter[str], done: Event, was: TableView, shown: Shown, world: World, untaught: Collection[str]
) -> list[str]:
    """Count what an eye, whose last view `was`, made of a change; return what is to be looked at.

    A wrong name belongs to the card that lies nearest; of the `untaught` ones each that lies there is counted.
    """
    odd = []
    known = [card for card in done.before if _there(card, was.placements)]
    stayed = [card for card in known if card not in done.taken]
    views = [*(view for view in shown.rested), shown.last]
    lost = [card for card in stayed if not all(_there(card, (*view.placements, *view.under)) for view in views)]
    tally["events"] += 1
    tally["stayed"] += len(stayed)
    tally["falsely removed"] += len(lost)
    odd += [f"falsely removed {card}" for card in lost]
    taken = [card for card in known if card in done.taken]
    tally["taken"] += len(taken)
    left = [card for card in taken if _there(card, shown.last.placements)]
    tally["taken, noticed"] += len(taken) - len(left)
    odd += [f"not noticed {card}" for card in left]
    names = _names(views, was.placements)
    wrong = [at for at in names if not any(_same(card, at, ELSEWHERE_MM) for card in done.after)]
    unknown = [at for at in wrong if _nearest(at, done.after).piece in untaught]
    tally["named"] += len(names) - len(unknown)
    tally["wrong"] += len(wrong) - len(unknown)
    tally["untaught"] += sum(card.piece in untaught for card in done.after)
    tally["untaught, named"] += len(unknown)
    odd += [f"{'untaught' if at in unknown else 'wrong'} {at}" for at in wrong]
    for card in (card for card in done.laid if card.piece not in untaught):
        hits = [at for at in shown.last.placements if _same(card, at, NEAR_MM)]
        how = "laid" if done.shows >= world.faces.w else "tucked"
        right, posed = bool(hits), any(off(world, _pose(at), card.pose) <= POSE_MM for at in hits)
        asked = any(math.dist(card.pose[:2], (doubt.pose.x, doubt.pose.y)) < ELSEWHERE_MM for doubt in shown.doubts)
        tally[how] += 1
        tally[f"{how}, right"] += right
        tally["posed"] += posed
        tally["asked"] += not right and asked
        if not posed:
            odd.append(f"{'not within 2 mm' if right else 'asked' if asked else 'missed'} {done.kind} {card}")
    return odd


def count_cold(tally: Counter[str], cards: Sequence[Card], shown: Shown, world: World) -> list[str]:
    """Count what an eye that sees its first picture knows of it; return what is to be looked at."""
    odd = []
    tally["tables"] += 1
    for card, share in zip(cards, shares(world, cards), strict=True):
        kind = "whole" if share >= WHOLE else "strips" if share * world.faces.w >= STRIP else ""
        if not kind:
            continue
        hits = [at for at in shown.last.placements if _same(card, at, NEAR_MM)]
        tally[kind] += 1
        tally[f"{kind}, right"] += bool(hits)
        tally["posed"] += any(off(world, _pose(at), card.pose) <= POSE_MM for at in hits)
        if not hits:
            odd.append(f"missed cold, {kind}, {share:.2f} shows: {card}")
    names = _names([*shown.rested, shown.last], ())
    wrong = [at for at in names if not any(_same(card, at, ELSEWHERE_MM) for card in cards)]
    tally["named"] += len(names)
    tally["wrong"] += len(wrong)
    return [*odd, *(f"wrong cold {at}" for at in wrong)]


def shares(world: World, cards: Sequence[Card]) -> Iterator[float]:
    """Yield what share of each card shows; they lie bottom to top."""
    top = np.full((round(world.mat.h), round(world.mat.w)), -1, dtype=np.int16)
    whole = []
    for number, card in enumerate(cards):
        place = filled(card.pose, (world.faces.w, world.faces.h), top.shape) > 0
        top[place] = number
        whole.append(int(place.sum()))
    for number, area in enumerate(whole):
        yield float((top == number).sum()) / area


def off(world: World, a: Pose, b: Pose) -> float:
    """Return the largest distance of two poses' corners (mm). A standard card looks the same upside down."""
    w, h = world.faces.w, world.faces.h
    turns = (0.0, 180.0) if world.faces.name == STANDARD else (0.0,)
    return min(
        float(np.linalg.norm(corners_of(moved(a, 0, 0, turn), w, h) - corners_of(b, w, h), axis=1).max())
        for turn in turns
    )


def _names(views: Sequence[TableView], before: Sequence[Placement]) -> list[Placement]:
    """Return what views say that was not said before: each piece once at a place."""
    names: list[Placement] = []
    for at in (at for view in views for at in view.placements):
        same = (one for one in (*before, *names) if one.piece == at.piece)
        if all(math.dist((one.x, one.y), (at.x, at.y)) >= ELSEWHERE_MM for one in same):
            names.append(at)
    return names


def _there(card: Card, placements: Sequence[Placement]) -> bool:
    return any(_same(card, at, ELSEWHERE_MM) for at in placements)


def _same(card: Card, at: Placement, within: float) -> bool:
    return card.piece == at.piece and math.dist(card.pose[:2], (at.x, at.y)) < within


def _nearest(at: Placement, cards: Sequence[Card]) -> Card:
    return min(cards, key=lambda card: math.dist(card.pose[:2], (at.x, at.y)))


def _pose(at: Placement) -> Pose:
    return at.x, at.y, at.rotation
