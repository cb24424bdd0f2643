"""The reader of faces in the eye: beside the reader of codes, it names what lies where no code explains it.

A recognised card shows "codes" at a few places of its face, whose look the eye remembers: so it is followed, covered
and taken away by the same rules.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from companion.codes import BACK
from companion.eye.faces.asking import Answered, Doubt, Doubts
from companion.eye.faces.capturing import cut_out
from companion.eye.faces.cutting import NEAR, Cut, cut_window
from companion.eye.faces.deck import TaughtDeck
from companion.eye.faces.examined import TOUCHED, Around, Examined, enlarged, has, reaches
from companion.eye.faces.finding import Part, find_cards
from companion.eye.faces.flattening import Flattener, box_of, inside
from companion.eye.faces.followed import Card, found_as_codes
from companion.eye.faces.likeness import FaceBook
from companion.eye.faces.missed import Missed
from companion.eye.faces.naming import LEAST_MM2, OF, Named, Sheet
from companion.eye.faces.pushed import Pushed
from companion.eye.faces.recalled import NEAR_MM, Entry, Recalled
from companion.eye.faces.searched import Failures, Here, Searched
from companion.eye.faces.sure import Known, Place
from companion.eye.flat import MM, Mask, Window
from companion.eye.geometry import Calibration, Points
from companion.eye.mat import Mat
from companion.eye.places import CodeBook, Found, Pose, angle_between
from companion.eye.reader import FACES
from companion.eye.view import Frame, Sighting

_MOVED = 0.7
"""The share of a card's place that must look otherwise for it to be the copy that lies elsewhere now."""

_HEIGHTS = (0.0, 9.0, 18.0, 27.0, 36.0)
"""Heights (mm) that are tried for the top of a pile that is not seen: ninety cards lie 27 mm high, in sleeves more."""

FINE = 2.3
"""Pixels a millimetre from which on cards that differ in one pip are told apart: 2.4, as it can be measured."""

UNTAUGHT = 0.05
"""The share of a deck that may be untaught for it to count as taught: stickers with codes tell some cards apart."""

_MISSED, _FOUND = (Known.LAY, Known.PUSHED), (Known.ONCE, Known.MOVED)
"""Why a card is looked for at a place: because it is missed there, and because it was found there."""


class Seen(msgspec.Struct, frozen=True):
    """How surely a face named a card: the `margin` over all others, the likeness, and the likeliest other pieces."""

    piece: str
    margin: float
    like: float
    rivals: tuple[str, ...] = ()


class FaceWatch:
    """Finds taught cards in frames. Belongs to one eye."""

    def __init__(self, decks: Sequence[TaughtDeck], mat: Mat, book: CodeBook) -> None:
        """Create it for decks that were taught; of their faces only pieces of the book count."""
        self._mat, self._book = mat, book
        self._decks = [deck for deck in decks if deck.faces]
        self._colour = True
        self._prepare()
        self._copies = tuple(face.pieces for deck in decks for face in deck.faces if face.pieces[1:])
        self._flattener: Flattener | None = None
        self._is_coarse = False
        self._recent: list[tuple[str, Pose, float]] = []
        self._shown: dict[tuple[str, Pose], Card] = {}
        """What was read once, and waits for its second reading."""
        self._recalled, self._pushed = Recalled(book.shapes), Pushed(book.shapes)
        self._founds: dict[Sighting, Found] = {}
        self._failures = [Failures() for _ in self._decks]
        self._searched = [Searched() for _ in self._decks]
        self._examined = Examined(book.shapes, self._taught)
        self.doubts = Doubts(book.shapes)
        """What has to be asked."""
        self.seen: dict[str, Seen] = {}
        """How surely each piece was named when it was found last."""
        self.missed = Missed(book.shapes)
        """The cards of which nothing is seen where they lay."""
        self.plausible: Mapping[str, Collection[str]] = {}
        """The pieces that the rules expect, by zone; a zone that is missing has no expectation."""

    @property
    def copies(self) -> tuple[tuple[str, ...], ...]:
        """The groups of pieces that look the same."""
        return self._copies

    def _prepare(self) -> None:
        self._faces = [FaceBook(deck, self._colour).complete() for deck in self._decks]
        self._partly = [self._is_in_part(faces) for faces in self._faces]

    def _is_in_part(self, faces: FaceBook) -> bool:
        """Return whether cards that nobody taught may lie there, which no frame tells from those that were."""
        size = faces.deck.w, faces.deck.h
        own = [piece for piece, shape in self._book.shapes.items() if piece != BACK and (shape.w, shape.h) == size]
        untaught = [piece for piece in own if all(deck.face_of(piece) is None for deck in self._decks)]
        return len(untaught) > UNTAUGHT * len(own) and not faces.distinctive.framed

    def aim(self, calibration: Calibration) -> None:
        """Set the calibration: the mat was found, or found again."""
        self._flattener = Flattener(calibration, self._mat)
        self._is_coarse = calibration.px_per_mm(self._mat.w / 2, self._mat.h / 2) < FINE
        self._founds.clear()
        self._forget_failures()
        self.doubts.clear()

    def _forget_failures(self) -> None:
        for failures, searched in zip(self._failures, self._searched, strict=True):
            failures.clear()
            searched.clear()
        self._examined.clear()

    def recall(self, lay: Iterable[tuple[str, Pose]]) -> None:
        """Take where cards lay before this eye was opened, from the bottom up: there they are looked for first."""
        self._recalled = Recalled(
            self._book.shapes,
            [(piece, pose) for piece, pose in lay if self._taught(piece)],
        )

    def answered(self, frame: Frame, doubt: Doubt, piece: str) -> Answered | None:
        """Take what shows at an uncovered place as another view of a card; None if no deck has that card."""
        deck = next((deck for deck in self._decks if deck.face_of(piece) is not None), None)
        if deck is None or self._flattener is None:
            return None
        at = doubt.pose.x, doubt.pose.y, doubt.pose.rotation
        picture = cut_out(self._flattener.flat(frame), self._flattener.px_per_mm, at, deck.w, deck.h)
        return Answered(doubt, deck, deck.with_view(piece, picture), self._colour)

    def learn(self, answered: Answered, faces: FaceBook) -> bool:
        """Know a card by what was answered, as it was prepared; False if its deck was changed meanwhile."""
        number = next((n for n, deck in enumerate(self._decks) if deck is answered.deck), None)
        if number is None:
            return False
        self._decks[number] = faces.deck
        self._faces[number] = faces if faces.colour == self._colour else FaceBook(faces.deck, self._colour)
        self.doubts.forget(answered.doubt.pose)
        self._forget_failures()
        return True

    def again(self, sightings: Iterable[Sighting]) -> list[Found]:
        """Return the cards of sightings that were made here and whose pixels are unchanged."""
        held: dict[int, tuple[Found, set[Sighting]]] = {}
        for seen in sightings:
            found = self._founds.get(seen)
            if found is not None:
                held.setdefault(id(found), (found, set()))[1].add(seen)
        return [
            msgspec.structs.replace(found, codes={i: code for i, code in found.codes.items() if code in codes})
            for found, codes in held.values()
        ]

    def read(
        self,
        frame: Frame,
        windows: Iterable[Window],
        around: Around,
        explained: Sequence[Found],
        prefer: Callable[[str, Pose], float],
    ) -> list[Found]:
        """Return the cards recognised in some windows of the flat picture, where unknown things may lie.

        `explained` are the pieces whose codes were just read: what they cover needs no name. `prefer` gives the
        likelier rotation of a piece that looks the same upside down.
        """
        if self._flattener is None or not self._faces:
            return []
        if self._colour != frame.coloured:
            self._colour = frame.coloured
            self._prepare()
        unfamiliar = around.unfamiliar.copy()
        whole = [known for known in explained if not self._half_known(known, unfamiliar)]
        for known in whole:
            _clear(unfamiliar, known.lies.outline(self._book.shapes[known.piece]))
        found: list[Found] = []
        self._examined.begin()
        self._recent = [entry for entry in self._recent if frame.time - entry[2] < 2.0]
        self._shown = {entry[:2]: self._shown[entry[:2]] for entry in self._recent if entry[:2] in self._shown}
        windows = list(windows)
        self.missed.look(frame, windows, around, {known.piece for known in explained}, self._flattener, self._faces)
        missed, there = self._awaited(frame, around, unfamiliar, found)
        for window in itertools.chain(windows, there):
            likely = self._likely(window, around, [*explained, *found])
            part = self._part(window, unfamiliar, likely, missed)
            if part.sum() * MM * MM < LEAST_MM2:
                cards = self._known_in(window, around, whole)
                if not cards or (not likely and all(self._is_still(frame, around, *card) for card in cards)):
                    continue
            for number, faces in enumerate(self._faces):
                for card in self._in_window(frame, window, part, around, number, likely, missed):
                    piece = self._piece(faces, card.named, around, [*explained, *found])
                    if piece is None:
                        continue
                    pose = self._turn(number, card.named, piece, prefer)
                    named = self._found(frame, faces.deck.faces[card.named.face].side, card, piece, pose)
                    if named.codes:
                        if all(one != piece or at.distance(pose) > NEAR_MM for one, at, _ in self._recent):
                            self._shown[piece, named.pose] = card
                        found.append(named)
                        for mask in (part, unfamiliar):
                            _clear(mask, pose.outline(self._book.shapes[piece]))
        # Of a card that shows as it should a part may have been found, where something lay on it until now.
        elsewhere = {one.piece for one in whole} | {one.piece for one in found if not self._lies_anew(one)}
        found = [one for one in found if one.piece in elsewhere]
        found += self._refreshed(frame, elsewhere)
        for one in found:
            self.doubts.forget(one.pose)
            self._recent.append((one.piece, one.pose, frame.time))
        return found

    def _awaited(
        self, frame: Frame, around: Around, unfamiliar: Mask, found: Sequence[Found]
    ) -> tuple[dict[Entry, Mask], Iterator[Window]]:
        """Return where cards should show that lay there before or were pushed there, and windows to look for them."""
        unseen = {BACK, *around.covered}
        seen = [entry for entry in around.lying if entry[0] not in unseen and self._taught(entry[0])]
        self._pushed.see(seen, frame.time)
        missed = self._recalled.missed(around.lying, unfamiliar.shape)
        pushed = self._pushed.row.missed(seen, unfamiliar.shape)
        there = self._recalled.windows(missed, unfamiliar.shape, found)
        if pushed and self._pushed.due(frame.time):
            there = itertools.chain(there, self._pushed.row.windows(pushed, unfamiliar.shape, found))
        return missed | pushed, there

    def _part(
        self, window: Window, unfamiliar: Mask, likely: Sequence[tuple[str, Pose, Known]], missed: Mapping[Entry, Mask]
    ) -> Mask:
        """Return what has to be explained in a window, with the whole of cards that reach out of it."""
        part = np.zeros_like(unfamiliar)
        part[window] = unfamiliar[window]
        for name, place, why in likely:
            if why in _FOUND:
                part |= inside(part.shape, self._outline(name, place))
            elif why in _MISSED:
                part |= missed[name, place]
        return part

    def _likely(self, window: Window, around: Around, known: Sequence[Found]) -> list[tuple[str, Pose, Known]]:
        """Return the cards that probably lie in a window, top ones first, and why."""
        there = [*around.lying, *((found.piece, found.pose) for found in known)]
        likely: list[tuple[str, Pose, Known]] = []
        lay = [(piece, pose, Known.LAY) for piece, pose in reversed(self._recalled.lay)]
        pushed = [(piece, pose, Known.PUSHED) for piece, pose in reversed(self._pushed.row.lay)]
        once = [
            (piece, pose, Known.MOVED if self._pushed.misses(piece) else Known.ONCE)
            for piece, pose, _ in reversed(self._recent)
        ]
        for entry in (*lay, *pushed, *once, *self._piles(there)):
            same = [pose for piece, pose, _ in likely if piece == entry[0]]
            same += [pose for piece, pose in there if piece == entry[0]]
            if self._reaches(entry[0], entry[1], window) and all(entry[1].distance(pose) > NEAR_MM for pose in same):
                likely.append(entry)
        return likely

    def _piles(self, there: Sequence[tuple[str, Pose]]) -> Iterator[tuple[str, Pose, Known]]:
        """Yield the backs that the rules expect on piles where none is seen: one like the mat shows its rim only."""
        for zone in self._mat.zones:
            due = zone.kind == "pile" and BACK in self.plausible.get(zone.name, ())
            if due and not any(zone.rect.holds(pose.x, pose.y) for _, pose in there):
                yield BACK, Pose(*zone.rect.centre, zone.rotation), Known.PILE

    def _in_window(
        self,
        frame: Frame,
        window: Window,
        part: Mask,
        around: Around,
        number: int,
        likely: Sequence[tuple[str, Pose, Known]],
        missed: Mapping[tuple[str, Pose], Mask],
    ) -> list[Card]:
        """Return the cards of one deck that are found in a window, of which a part is to be explained."""
        faces, failures = self._faces[number], self._failures[number]
        small = self._cut(frame, window, NEAR)
        if failures.hopeless(small.rect, small.seen, enlarged(part.astype(np.uint8), small.here)):
            return []
        cut = self._cut(frame, window, max(faces.deck.w, faces.deck.h) + 6)
        mask = enlarged(part.astype(np.uint8), cut.here)
        left, top = cut.seen.corner
        sheet = cut.sheet(faces)
        over, touched = self._masks(around, window, cut, sheet, likely, missed)
        closed = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)), np.uint8)
        behind = cv2.merge([np.clip(enlarged(around.expected, cut.here), 0, 255).astype(np.uint8)] * 3)
        bare = enlarged(around.bare.astype(np.uint8), cut.here)
        # Where cards of one frame lie on each other little looks unfamiliar, though all of it has to be named.
        poor = not faces.colour or self._is_coarse
        looked_at = Part(
            np.asarray(behind, np.uint8),
            cut.now,
            sheet.prepared,
            closed | touched,
            over,
            bare,
            poor,
            self._partly[number],
        )
        doubts: list[Named] = []
        wanted, places = self._wanted(faces, left, top), self._places(faces, likely, cut.here)
        searched, hasty = Here(self._searched[number], cut.seen), around.stirred(window)
        cards = find_cards(faces, looked_at, wanted, places, doubts, searched, hasty=hasty)
        self.doubts.add(faces, doubts, left, top)
        if not cards:
            left_out = hasty and ((looked_at.mask > 0) & (over == 0)).sum() >= LEAST_MM2
            failures.add(small.rect, small.seen, hasty=bool(left_out))
        found = [
            Card(named._replace(pose=(named.pose[0] + left, named.pose[1] + top, named.pose[2])), shows, (left, top))
            for named, shows in cards
        ]
        for card in found:
            self._examined.found(around, faces.deck.faces[card.named.face].pieces, card, cut.seen)
        return found

    def _cut(self, frame: Frame, window: Window, pad: float) -> Cut:
        assert self._flattener is not None  # noqa: S101 (aim first)
        return cut_window(self._flattener, frame, window, pad)

    def _masks(
        self,
        around: Around,
        window: Window,
        cut: Cut,
        sheet: Sheet,
        likely: Sequence[tuple[str, Pose, Known]],
        missed: Mapping[tuple[str, Pose], Mask],
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
        """Return where known pieces lie over what is new, and where they or likely ones are touched."""
        over, touched = self._examined.masks(around, window, cut.here, sheet, cut.seen)
        for name, place, why in likely:
            if why in _MISSED:
                open_ = enlarged(missed[name, place].astype(np.uint8), cut.here)
                over, touched = over & (1 - open_), touched | open_
            elif why in _FOUND:
                # Read once: what shows of it may be as bright as what lay there, or pass for a part of its neighbour.
                touched |= enlarged(
                    inside(around.on_piece.shape, self._outline(name, place)).astype(np.uint8), cut.here
                )
                if (name, place) in self._shown:
                    over &= 1 - self._shown[name, place].within(cut.here)
        return over, touched

    def _half_known(self, known: Found, unfamiliar: Mask) -> bool:
        """Return whether a card that was found while something hid a part of it shows more now."""
        if all(code.reader != FACES for code in known.codes.values()):
            return False
        place = inside(unfamiliar.shape, known.lies.outline(self._book.shapes[known.piece]))
        return bool(place.any()) and float(unfamiliar[place].mean()) >= TOUCHED

    def _known_in(self, window: Window, around: Around, explained: Sequence[Found]) -> list[tuple[str, Pose]]:
        """Return the known cards in a window to read, as another may lie on them; untaught ones if not seen."""
        known = {found.piece for found in explained}
        return [
            (piece, pose)
            for piece, pose in around.lying
            if piece not in known
            and (
                self._reaches(piece, pose, window)
                if piece in around.covered
                else _holds(window, pose) and self._taught(piece)
            )
        ]

    def _is_still(self, frame: Frame, around: Around, piece: str, pose: Pose) -> bool:
        """Return whether a card is seen to lie as it did, which is soon told where nothing looks otherwise."""
        faces = next((faces for faces in self._faces if has(faces, piece)), None)
        if faces is None or piece in around.covered:
            return False
        cut = self._cut(frame, box_of(self._outline(piece, pose), around.bare.shape), NEAR)
        return self._examined.is_still(around, cut.here, cut.sheet(faces), piece, pose)

    def _reaches(self, piece: str, pose: Pose, window: Window) -> bool:
        return reaches(pose.bounds(self._book.shapes[piece]), window)

    def _outline(self, piece: str, pose: Pose) -> Points:
        return pose.outline(self._book.shapes[piece])

    def _wanted(self, faces: FaceBook, left: int, top: int) -> Callable[[float, float], Collection[int] | None]:
        def wanted(x: float, y: float) -> Collection[int] | None:
            zone = self._mat.zone_at(x + left, y + top)
            pieces = self.plausible.get(zone.name) if zone is not None else None
            if not pieces:
                return None
            return {n for n, face in enumerate(faces.deck.faces) if any(piece in pieces for piece in face.pieces)}

        return wanted

    def _places(
        self, faces: FaceBook, likely: Sequence[tuple[str, Pose, Known]], here: tuple[slice, slice]
    ) -> list[Place]:
        """Return where cards of a deck probably lie in a part (mm), measured from its corner."""
        numbers = faces.numbers
        rows, columns = here
        return [
            Place(numbers[piece], (x - columns.start, y - rows.start, pose.rotation), why, size)
            for piece, pose, why in likely
            if piece in numbers and columns.start < pose.x < columns.stop and rows.start < pose.y < rows.stop
            for x, y, size in (self._on_pile(pose, why) if piece == BACK else ((pose.x, pose.y, 1.0),))
        ]

    def _on_pile(self, pose: Pose, why: Known) -> Iterator[tuple[float, float, float]]:
        """Yield where (mm) the back of a pile may appear, and its apparent scale: a pile's height is not known."""
        assert self._flattener is not None  # noqa: S101 (aim first)
        zone, camera = self._mat.zone_at(pose.x, pose.y), self._flattener.calibration.camera_mm()
        if camera is None or zone is None or zone.kind != "pile":
            yield pose.x, pose.y, 1.0
            return
        for height in _HEIGHTS:
            size = camera[2] / (camera[2] - height)
            further = size - 1 if why is Known.PILE else 0.0
            yield pose.x + (pose.x - camera[0]) * further, pose.y + (pose.y - camera[1]) * further, size

    def _taught(self, piece: str) -> bool:
        return any(has(faces, piece) for faces in self._faces)

    def _piece(self, faces: FaceBook, named: Named, around: Around, taken: Sequence[Found]) -> str | None:
        """Return which of its copies a face is: the one that lies there, else one whose place changed, else one that
        lies nowhere, a plausible one first. Equal copies are bound by where they were seen.
        """
        face = faces.deck.faces[named.face]
        if any(found.piece in face.pieces and found.pose.distance(Pose(*named.pose)) < NEAR_MM for found in taken):
            return None  # read in another window
        used = {found.piece for found in taken} - {BACK}
        pieces = [piece for piece in face.pieces if piece in self._book.shapes and piece not in used]
        others = [faces.deck.faces[rival].pieces for rival in named.rivals if rival != named.face]
        rivals = tuple(pieces[0] for pieces in others if pieces)
        pose = Pose(*named.pose)
        lying = [(piece, at) for piece, at in around.lying if piece in pieces]
        away = {piece for piece, _ in lying}
        # What was just read, and lies nowhere yet, waits for its second reading: that has to be the same copy.
        recent = [(piece, at) for piece, at, _ in self._recent if piece in pieces and piece not in away]
        before = [(piece, at) for piece, at in self._recalled.lay if piece in pieces and piece not in away]
        here = [piece for piece, at in (*lying, *recent, *before) if at.distance(pose) < NEAR_MM]
        waiting = [piece for piece, _ in recent]
        zone = self._mat.zone_at(pose.x, pose.y)
        plausible = self.plausible.get(zone.name, ()) if zone is not None else ()
        free = [piece for piece in pieces if piece not in away and piece not in waiting]
        free.sort(key=lambda piece: piece not in plausible)
        last = sorted(((self._odd(around, *entry), entry[0]) for entry in lying), reverse=True)
        moved = [piece for odd, piece in last if odd >= _MOVED]
        chosen = next(iter([*here, *moved, *free, *waiting, *(piece for _, piece in last)]), None)
        if chosen is not None:
            self.seen[chosen] = Seen(chosen, round(named.margin, 3), round(named.like, 3), rivals)
        return chosen

    def _odd(self, around: Around, piece: str, pose: Pose) -> float:
        """Return how much of a piece's place does not look like that piece."""
        place = inside(around.bare.shape, pose.outline(self._book.shapes[piece]))
        return float((around.unfamiliar | around.bare)[place].mean()) if place.any() else 0.0

    def _lies_anew(self, found: Found) -> bool:
        return any(piece == found.piece and found.pose.distance(pose) <= NEAR_MM for piece, pose in self._examined.anew)

    def _refreshed(self, frame: Frame, taken: Collection[str]) -> list[Found]:
        """Return the cards that show as they should, though a hand or other light hid that when they were found."""
        found = []
        for (piece, pose), (shows, corner) in self._examined.anew.items():
            side = next((face.side for deck in self._decks for face in deck.faces if piece in face.pieces), "F")
            card = Card(Named(0, (pose.x, pose.y, pose.rotation), 1.0, 1.0, OF, True), shows, corner)
            if piece not in taken:
                found.append(self._found(frame, side, card, piece, pose))
        return found

    def _turn(self, number: int, named: Named, piece: str, prefer: Callable[[str, Pose], float]) -> Pose:
        x, y, rotation = named.pose
        pose = Pose(x, y, rotation % 360)
        if not self._decks[number].faces[named.face].is_back and not self._faces[number].symmetric[named.face]:
            return pose
        # Read twice it has to be turned alike, also where two places meet that are turned otherwise.
        near = (at for one, at, _ in reversed(self._recent) if one == piece and at.distance(pose) < NEAR_MM)
        before = next(near, None)
        likely = prefer(piece, pose) if before is None else before.rotation
        return Pose(x, y, (rotation + 180) % 360) if angle_between(rotation, likely) > 90 else pose

    def _found(self, frame: Frame, side: str, card: Card, piece: str, pose: Pose) -> Found:
        assert self._flattener is not None  # noqa: S101 (aim first)
        found = found_as_codes(frame, self._flattener.calibration, self._book, side, card, piece, pose)
        for code in found.codes.values():
            self._founds[code] = found
        return found


def _holds(window: Window, pose: Pose) -> bool:
    rows, columns = window
    return bool(rows.start * MM < pose.y < rows.stop * MM and columns.start * MM < pose.x < columns.stop * MM)


def _clear(mask: Mask, outline: Points) -> None:
    mask[inside(mask.shape, outline)] = False
