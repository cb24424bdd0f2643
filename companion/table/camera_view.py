"""A table's camera for the pages: how well it sees, what it reads where, what people tell it, and the board's plan."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

import cv2
import msgspec
import numpy as np

from companion import games
from companion.codes import BACK, parse
from companion.eye import overlay
from companion.eye.deck_reader import name_refined
from companion.eye.eye import Eye
from companion.eye.faces import storing
from companion.eye.faces.asking import Answered
from companion.eye.faces.asking import Doubt as Asked
from companion.eye.faces.deck import DeckError
from companion.eye.geometry import MarkerFinder, Points
from companion.eye.mat import Mat, Rect, Shape, ZonePlace
from companion.eye.pictures import jpeg
from companion.eye.places import Pose
from companion.eye.quality import judge, place
from companion.eye.reader import Hints, LibraryReader, quad
from companion.eye.sampling import pose_of
from companion.eye.signatures import book_of
from companion.eye.tracks import HIDDEN, READ, SAME, SEEN, inside
from companion.eye.view import Placement, Sighting, TableView
from companion.games import custom_board as board
from companion.referee.words import Words
from companion.rules.cards import Piece
from companion.rules.kernel import AnyGame
from companion.server.camera_api import Doubt, Lies, Look, Plan, PlanZone, Read, SightError, Spot, Teacher
from companion.table.camera_loop import CameraLoop
from companion.table.overrides import Correction, Overrides
from companion.table.teaching import Teaching
from companion.text import join, said, t

log = logging.getLogger(__name__)

FRESH = 0.9
"""Seconds for which a look and a picture are given out again rather than made anew."""
BOARD_SCALE = 1.5
"""Pixels a millimetre of the picture from straight above."""
CELL = 8
"""Pixels between two places that are mapped exactly."""
NEAR = 3
"""Zones that are named for a place that lies in none."""
PICTURED, NEAR_DOUBT = 110.0, 20.0
"""Millimetres of the picture of a card that is asked about, and how near what is told has to be to it."""
WIDE = 1152
"""Width (px) of the picture."""

Kept = TypeVar("Kept")


class CameraSight:
    """What a table's camera sees, for pages. It is a `companion.server.camera_api.Sight`."""

    def __init__(self, game: AnyGame, mat: Mat, camera_loop: CameraLoop, overrides: Overrides) -> None:
        """Look through a camera loop's eye; the overrides stand between that eye and the match."""
        self._game = game
        self._mat = mat
        self._camera_loop = camera_loop
        self._overrides = overrides
        self._words = Words(game.deck, mat)
        self._zones = {zone.name: self._words.zone(zone.name) for zone in mat.zones}
        self._plain = {zone.name: zone.label or zone.name for zone in mat.zones}
        self._cards = game.deck.by_piece()
        self._finder = MarkerFinder(mat)
        self._payloads = games.code_book(game.deck, mat).payloads()
        self._libraries = LibraryReader()
        self.teaching = Teaching(game, mat, camera_loop)
        self.teacher: Teacher = self.teaching
        self._learning = threading.Lock()
        self._lock = threading.Lock()
        self._made: dict[str, tuple[float, Any]] = {}  # of what type, its name says

    def _fresh(self, name: str, make: Callable[[Eye], Kept]) -> Kept | None:
        """Return what is made of the eye, now or just before: many may look on."""
        with self._lock:
            at, made = self._made.get(name, (-FRESH, None))
            if time.monotonic() - at >= FRESH:
                made = self._camera_loop.ask(make)
                self._made[name] = time.monotonic(), made
            kept: Kept | None = made
            return kept

    def _changed(self) -> None:
        with self._lock:
            self._made.clear()

    def look(self) -> Look | None:
        """Return what the camera sees and how well."""
        return self._fresh("look", self._look)

    def _look(self, eye: Eye) -> Look | None:
        quality = judge(eye, self._finder)
        if quality is None:
            return None
        view = self._overrides.view or TableView(0, 0.0, ())
        shown = {(track.piece, track.order) for track in eye.tracks if track.state == SEEN}
        told = {one.what: one.n for one in self._overrides.corrections if one.what is not None}
        lies = [
            Lies(
                self._title(one.piece),
                self._zone(one.zone),
                one.x,
                one.y,
                "told" if one in told else "seen" if (one.piece, one.order) in shown else "covered",
                told.get(one, 0),
            )
            for one in sorted(view.placements, key=lambda one: (one.zone or "~", -one.order))
        ]
        nothing = [
            Lies("nothing", self._zone(one.zone), one.x, one.y, "told", one.n)
            for one in self._overrides.corrections
            if one.what is None
        ]
        return Look(
            quality,
            tuple(lies),
            tuple(nothing),
            tuple(self._zone(name) for name in sorted(view.covered)),
            tuple(trouble.words for trouble in view.troubles),
            eye.ignored,
        )

    def picture(self) -> bytes | None:
        """Return the camera's picture with what the eye sees drawn in and named (JPEG)."""
        return self._fresh("picture", self._draw)

    def _draw(self, eye: Eye) -> bytes | None:
        corrections = self._overrides.corrections
        marks = [
            (self._outline(one), t("told: {name_of}", name_of=self._name_of(one)), overlay.TOLD) for one in corrections
        ]
        drawn = overlay.draw(eye, lambda one: self._title(one.piece), WIDE, True, self._plain, marks)
        return None if drawn is None else jpeg(drawn, 74)

    def _outline(self, one: Correction) -> Points:
        if one.what is None:
            x, y = one.x, one.y
            return np.array([(x - 12, y - 12), (x + 12, y + 12), (x, y), (x + 12, y - 12), (x - 12, y + 12), (x, y)])
        return Pose(one.x, one.y, one.what.rotation).outline(self._shape(one.what.piece))

    def board(self) -> bytes | None:
        """Return the mat as seen from straight above (JPEG)."""
        return self._fresh("board", self._from_above)

    def _from_above(self, eye: Eye) -> bytes | None:
        known = eye.calibration
        if eye.frame is None or known is None:
            return None
        source = eye.frame.gray if eye.frame.colour is None else eye.frame.colour
        # The lens is smooth: the way of every eighth pixel tells those between. A cell more all round, for the edges.
        cells = [int(np.ceil(side * BOARD_SCALE / CELL)) for side in (self._mat.w, self._mat.h)]
        at = [(np.arange(-1, count + 1) + 0.5) * CELL / BOARD_SCALE for count in cells]
        x, y = np.meshgrid(*at)
        px = known.to_px(np.stack([x.ravel(), y.ravel()], axis=1)).reshape(*x.shape, 2).astype(np.float32)
        px *= source.shape[1] / eye.frame.gray.shape[1]
        full = cv2.resize(px, (x.shape[1] * CELL, x.shape[0] * CELL), interpolation=cv2.INTER_LINEAR)
        wide, high = round(self._mat.w * BOARD_SCALE), round(self._mat.h * BOARD_SCALE)
        maps = np.asarray(full)[CELL : CELL + high, CELL : CELL + wide]
        above = cv2.remap(source, maps[..., 0].copy(), maps[..., 1].copy(), cv2.INTER_LINEAR)
        return jpeg(np.asarray(above), 76)

    def doubts(self) -> tuple[Doubt, ...]:
        """Return the cards that have to be asked about."""

        def asked(eye: Eye) -> tuple[Doubt, ...]:
            return tuple(
                Doubt(
                    round(one.pose.x, 1),
                    round(one.pose.y, 1),
                    self._zone(zone.name if (zone := self._mat.zone_at(one.pose.x, one.pose.y)) is not None else None),
                    tuple((piece, self._words.piece(piece)) for piece in one.pieces),
                )
                for one in eye.doubts
            )

        return self._fresh("doubts", asked) or ()

    def doubt_picture(self, x: float, y: float) -> bytes | None:
        """Return a picture of the card at a place that has to be asked about (JPEG)."""

        def cut(eye: Eye) -> bytes | None:
            if _doubt_at(eye, x, y) is None:
                return None
            picture = eye.crop(Rect(x - PICTURED / 2, y - PICTURED / 2, PICTURED, PICTURED), 0.0)
            return None if picture is None else jpeg(picture, 80)

        return self._camera_loop.ask(cut)

    def _learn(self, x: float, y: float, piece: Piece) -> None:
        """Teach a face from what was told, if it had to be asked."""

        def answered(eye: Eye) -> Answered | None:
            doubt = _doubt_at(eye, x, y)
            if doubt is None or eye.faces is None or eye.frame is None:
                return None
            return eye.faces.answered(eye.frame, doubt, piece)

        with self._learning:
            told = self._camera_loop.ask(answered)
            if told is None:
                return
            faces = told.prepared()
            learnt = self._camera_loop.change(lambda eye: eye.faces is not None and eye.faces.learn(told, faces))
            if not learnt or faces.deck.name not in storing.taught():
                return
            try:
                storing.save(faces.deck)
            except DeckError as error:
                log.warning("what was learnt of %s is not kept: %s", faces.deck.name, error)

    def at_picture(self, u: float, v: float) -> Spot:
        """Return what lies at a place of the picture."""

        def mapped(eye: Eye) -> tuple[float, float] | None:
            if eye.frame is None or eye.calibration is None:
                return None
            high, wide = eye.frame.gray.shape
            x, y = eye.calibration.to_mm([(u * wide - 0.5, v * high - 0.5)])[0]
            return float(x), float(y)

        at = self._camera_loop.ask(mapped)
        if at is None:
            raise SightError(t("Nobody knows where the mat is now: see what is wrong above, and point again."))
        if not (0 <= at[0] <= self._mat.w and 0 <= at[1] <= self._mat.h):
            raise SightError(t("That place is beside the mat: point at something that lies on it."))
        return self.at(*at)

    def at(self, x: float, y: float) -> Spot:
        """Return what lies at a place of the mat (mm)."""
        x, y = round(min(max(x, 0.0), self._mat.w), 1), round(min(max(y, 0.0), self._mat.h), 1)
        lies = self._lying(x, y)
        if lies is not None:
            n = next((one.n for one in self._overrides.corrections if one.what == lies), 0)
            found = Lies(self._title(lies.piece), self._zone(lies.zone), lies.x, lies.y, "told" if n else "seen", n)
            zones = (self._zones[lies.zone],) if lies.zone else self._near(x, y)
            back = self._has_back(lies.piece)
            return Spot(lies.x, lies.y, found, "" if lies.piece == BACK else lies.piece, zones, back)
        empty = next((one for one in self._overrides.corrections if one.what is None and one.at(x, y, 25.0)), None)
        if empty is not None:
            found = Lies("nothing", self._zone(empty.zone), empty.x, empty.y, "told", empty.n)
            return Spot(empty.x, empty.y, found, "", self._near(x, y))
        return Spot(x, y, None, "", self._near(x, y))

    def _lying(self, x: float, y: float) -> Placement | None:
        view = self._overrides.view
        here = [
            one
            for one in (view.placements if view is not None else ())
            if inside(x, y, Pose(one.x, one.y, one.rotation), self._shape(one.piece))
        ]
        return max(here, key=lambda one: one.order, default=None)

    def _near(self, x: float, y: float) -> tuple[str, ...]:
        own = self._mat.zone_at(x, y)
        if own is not None:
            return (self._zones[own.name],)
        every = sorted(self._mat.zones, key=lambda zone: _distance(zone.rect, x, y))
        return tuple(self._zones[zone.name] for zone in every[:NEAR])

    def tell(self, x: float, y: float, what: str, piece: Piece = "") -> str:
        """Take what lies at a place (mm)."""
        there = self._lying(x, y)
        zone = self._mat.zone(there.zone) if there is not None and there.zone else self._mat.zone_at(x, y)
        name = zone.name if zone is not None else None
        twin = None
        if what == "nothing":
            at = (there.x, there.y) if there is not None else (x, y)
            self._overrides.tell(*at, name, None)
        else:
            if what == "is" and piece not in self._cards:
                raise SightError(t("There is no such card in this game: choose one of those that were found."))
            if what == "is":
                self._learn(x, y, piece)
            laid = BACK if what == "down" else piece
            placed = self._placed(laid, there, zone, x, y)
            twin = self._overrides.elsewhere(laid, placed.x, placed.y)
            self._overrides.tell(placed.x, placed.y, name, placed)
        self._changed()
        said = {"nothing": t("nothing lies there"), "down": t("a card lies there face down")}.get(what)
        said = said or t("it is {piece}", piece=self._words.piece(piece))
        told = t("In {zone}: {said}.", zone=self._zone(name), said=said) if name else None
        told = told or t("Beside the zones: {said}.", said=said)
        return told if twin is None else join(" ", (told, self._doubt(twin)))

    def _doubt(self, twin: Placement) -> str:
        """Warn that the camera sees a card in another place than somebody says: a false word would blame that one."""
        piece = self._words.piece(twin.piece)
        if not twin.zone:
            return t(
                "But the camera sees {piece} beside the zones: if it lies there, forget what you said.", piece=piece
            )
        where = self._zone(twin.zone)
        return t(
            "But the camera sees {piece} in {zone}: if it lies there, forget what you said.", piece=piece, zone=where
        )

    def _placed(self, piece: Piece, there: Placement | None, zone: ZonePlace | None, x: float, y: float) -> Placement:
        """Make the placement of a piece where another was read, or at the place of a zone that is nearest."""
        shape = self._shape(piece)
        faces = frozenset(code.face for code in shape.codes if (code.face == "B") == (piece == BACK))
        if there is not None:
            return msgspec.structs.replace(there, piece=piece, faces=faces)
        slot, at = None, (x, y)
        if zone is not None and zone.kind == "pile":
            at = zone.rect.centre
        elif zone is not None and zone.kind in ("slots", "strips"):
            spots = [zone.spot(index, shape.w, shape.h) for index in range(zone.places(shape))]
            slot = min(range(len(spots)), key=lambda i: (spots[i][0] - x) ** 2 + (spots[i][1] - y) ** 2)
            at = spots[slot]
        view = self._overrides.view
        order = 1 + max((one.order for one in view.placements), default=0) if view is not None else 1
        name, rotation = (zone.name, zone.rotation) if zone is not None else (None, 0.0)
        return Placement(piece, faces, name, slot, round(at[0], 1), round(at[1], 1), rotation, order)

    def forget(self, n: int) -> bool:
        """Forget what was told under a number."""
        there = self._overrides.forget(n)
        self._changed()
        return there

    def reads(self) -> tuple[Read, ...] | None:
        """Return which cards are read now, and how surely: the newest first, and those held before the camera."""
        return self._fresh("reads", self._reads)

    def _reads(self, eye: Eye) -> tuple[Read, ...] | None:
        if eye.frame is None:
            return None
        gray = eye.frame.gray
        tracks = sorted((one for one in eye.tracks if one.state != HIDDEN), key=lambda one: -one.order)
        known = [s.sighting for one in tracks for s in one.spots.values() if s.status in (READ, SAME)]
        # What is held in the air is larger than the eye expects of a card: libraries do not mind.
        loose = [one for one in self._libraries.read(gray, Hints()) if one.payload in self._payloads]
        every: list[Sighting] = []
        for one in (*loose, *known):
            middle = quad(one).mean(axis=0)
            if all(np.linalg.norm(middle - quad(other).mean(axis=0)) > 8 for other in every):
                every.append(one)
        if not every:
            return ()
        book = book_of(self._payloads)
        poses = np.concatenate([pose_of(quad(one)) for one in every])
        named = name_refined(gray, poses, book, soft=False)
        found: dict[Piece, Read] = {}
        for number, one in enumerate(every):
            code = parse(one.payload)
            if code is None:
                continue
            x, y = quad(one).mean(axis=0)
            agree = book.payloads[int(named.code[number])] == one.payload
            sure = float(named.surely[number] / named.enough[number]) if agree else 0.0
            module = float(np.sqrt(abs(np.linalg.det(poses[number][:, :2]))))
            where = place((gray.shape[1], gray.shape[0]), float(x), float(y))
            read = Read(code.piece, self._title(code.piece), where, round(sure, 2), round(module, 2))
            if code.piece not in found or found[code.piece].sure < read.sure:
                found[code.piece] = read
        return tuple(found.values())

    def plan(self) -> Plan:
        """Return the board as the next match will find it."""
        try:
            mat = games.load_mat(self._mat.game, self._mat.seats)
        except games.GameError as error:
            raise SightError(said(error)) from None
        return self._plan(mat, own=mat != self._printed())

    def printed(self) -> Plan:
        """Return the printed mat."""
        return self._plan(self._printed(), own=False)

    def _printed(self) -> Mat:
        return games.load_printed_mat(self._mat.game, self._mat.seats)

    def _plan(self, mat: Mat, own: bool) -> Plan:
        zones = tuple(
            PlanZone(one.name, self._zones[one.name], one.rect.x, one.rect.y, one.rect.w, one.rect.h, one.rotation)
            for one in mat.zones
        )
        return Plan(mat.game, mat.seats, mat.w, mat.h, zones, mat.markers, own, mat.print)

    def lay(self, plan: Plan) -> list[tuple[str, str]]:
        """Keep a board for the next match, unless something is wrong."""
        printed = self._printed()
        moved = {
            zone.name: board.OwnZone(plan.seats, zone.name, zone.x, zone.y, zone.w, zone.h, zone.rotation)
            for zone in plan.zones
        }
        mat = msgspec.structs.replace(
            printed,
            w=plan.w,
            h=plan.h,
            print=plan.print,
            markers=plan.markers,
            zones=tuple(board.moved(zone, moved[zone.name]) if zone.name in moved else zone for zone in printed.zones),
        )
        wrong = board.wrong(printed, mat, self._zones)
        if wrong:
            return wrong
        own = board.difference(printed, mat)
        try:
            before = board.read(plan.game)
        except board.BoardError:
            # A file that can't be read is replaced by one that can.
            before = board.Own()
        try:
            board.write(plan.game, board.with_seats(before, own, plan.seats))
        except board.BoardError as error:
            raise SightError(said(error)) from None
        return []

    def _title(self, piece: Piece) -> str:
        return t("A face-down card") if piece == BACK else self._cards[piece].title if piece in self._cards else piece

    def _name_of(self, one: Correction) -> str:
        return "nothing" if one.what is None else self._title(one.what.piece)

    def _zone(self, name: str | None) -> str:
        return self._zones.get(name, name) if name else t("beside the zones")

    def _shape(self, piece: Piece) -> Shape:
        return self._mat.shape_of("back" if piece == BACK else self._cards[piece].kind)

    def _has_back(self, piece: Piece) -> bool:
        return self._shape(piece) == self._mat.shape_of("back")


def _doubt_at(eye: Eye, x: float, y: float) -> Asked | None:
    return next((one for one in eye.doubts if one.pose.distance(Pose(x, y, 0.0)) < NEAR_DOUBT), None)


def _distance(rect: Rect, x: float, y: float) -> float:
    dx = max(rect.x - x, 0.0, x - rect.x - rect.w)
    dy = max(rect.y - y, 0.0, y - rect.y - rect.h)
    return float(np.hypot(dx, dy))
