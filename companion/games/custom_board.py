"""The owner's own board: where its zones and markers lie, where that differs from the printed mat.

Only what differs is kept, in `card_codes/GAME/zones.toml` in the owner's data folder, in the words of `mat.toml`, which
goes on saying which zones there are. Without the file the printed mat counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from pathlib import Path

import msgspec

from companion.eye.mat import PRINTS, Marker, Mat, Rect, ZonePlace
from companion.files import exchanged, owner_dir, written_whole
from companion.text import t
from companion.untyped import read_toml

ENOUGH = 4
"""Markers that a board needs."""
SLACK = 1.0
"""Millimetres by which what is measured with a ruler may be off before it counts as wrong."""
SIZES = (150.0, 3000.0)
"""The sides (mm) that a board may have."""
TURNS = (0.0, 90.0, 180.0, 270.0)


class BoardError(ValueError):
    """A board that can't be used; the message is for people. `wrong` lists everything that is wrong."""

    def __init__(self, *wrong: str) -> None:
        super().__init__(" ".join(wrong))
        self.wrong = wrong


class OwnZone(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a zone lies with so many seats (mm), and how its cards are turned (degrees clockwise)."""

    seats: int
    name: str
    x: float
    y: float
    w: float
    h: float
    rotation: float = 0.0


class OwnMarker(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A marker: its number, its centre and side (mm)."""

    id: int
    x: float
    y: float
    size: float


class Own(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that differs from the printed mat; without markers its own and its size count. `print` is one of `PRINTS`."""

    w: float = 0.0
    h: float = 0.0
    print: str = PRINTS[0]
    zone: tuple[OwnZone, ...] = ()
    marker: tuple[OwnMarker, ...] = ()


def file_of(game: str) -> Path:
    """Return the file that holds a game's own board."""
    return owner_dir() / "card_codes" / game / "zones.toml"


def read(game: str) -> Own:
    """Read a game's own board, empty if there is none; BoardError if the file does not fit."""
    file = file_of(game)
    try:
        own = msgspec.convert(read_toml(file.read_text(encoding="utf-8")), Own, strict=False)
    except FileNotFoundError:
        return Own()
    except (OSError, ValueError) as error:
        raise BoardError(
            t("{file}: {error}; correct it, or delete it to go back to the printed mat", file=f"{file}", error=error)
        ) from None
    if own.print not in PRINTS:
        known = ", ".join(PRINTS[:-1])
        raise BoardError(
            t(
                "{file}: there is no print called {name}; write {known} or {last}",
                file=f"{file}",
                name=own.print,
                known=known,
                last=PRINTS[-1],
            )
        )
    return own


def write(game: str, own: Own) -> None:
    """Keep a game's own board; an empty one takes the file away. BoardError if the folder can't be written."""
    file = file_of(game)
    try:
        with exchanged(file.parent) as folder:
            if own == Own():
                (folder / file.name).unlink(missing_ok=True)
                return
            with written_whole(folder / file.name) as out:
                out.write(_toml(own).encode())
    except OSError as error:
        raise BoardError(t("The zones can't be kept: {error}.", error=error.strerror or f"{error}")) from None


def _toml(own: Own) -> str:
    lines = [
        "# Where zones lie that are elsewhere on this table's board than on the printed mat (mm from the upper left",
        "# corner). Made on the page /host/zones. Delete the file to go back to the printed mat.",
    ]
    if own.print != PRINTS[0]:
        lines += [f'print = "{own.print}"']
    if own.w and own.h:
        lines += [f"w = {own.w:g}", f"h = {own.h:g}"]
    for marker in own.marker:
        lines += ["", "[[marker]]", f"id = {marker.id}", f"x = {marker.x:g}", f"y = {marker.y:g}"]
        lines += [f"size = {marker.size:g}"]
    for zone in own.zone:
        lines += ["", "[[zone]]", f"seats = {zone.seats}", f'name = "{zone.name}"', f"x = {zone.x:g}"]
        lines += [f"y = {zone.y:g}", f"w = {zone.w:g}", f"h = {zone.h:g}", f"rotation = {zone.rotation:g}"]
    return "\n".join(lines) + "\n"


def laid_over(mat: Mat, own: Own) -> Mat:
    """Return the mat as it lies on the owner's board; BoardError if the board names a zone that the mat has not."""
    there = {zone.name: zone for zone in own.zone if zone.seats == mat.seats}
    unknown = sorted(there.keys() - {zone.name for zone in mat.zones})
    if unknown:
        raise BoardError(
            t(
                "{file} moves the zone {zone}, and the mat for {seats} players has no such zone; "
                "delete it there, or delete the file to go back to the printed mat",
                file=f"{file_of(mat.game)}",
                zone=unknown[0],
                seats=mat.seats,
            )
        )
    if own.print == "first":
        mat = first_print(mat)
    if own.print != mat.print:
        mat = msgspec.structs.replace(mat, print=own.print)
    if not there and not own.marker and not own.w:
        return mat
    return msgspec.structs.replace(
        mat,
        w=own.w or mat.w,
        h=own.h or mat.h,
        markers=tuple(Marker(marker.id, marker.x, marker.y, marker.size) for marker in own.marker) or mat.markers,
        zones=tuple(moved(zone, there[zone.name]) if zone.name in there else zone for zone in mat.zones),
    )


def first_print(mat: Mat) -> Mat:
    """Return the mat with the codes of its pieces where the first print of the cards has them."""
    shapes = tuple(msgspec.structs.replace(shape, codes=shape.first or shape.codes, first=()) for shape in mat.shapes)
    return msgspec.structs.replace(mat, shapes=shapes)


def moved(zone: ZonePlace, to: OwnZone) -> ZonePlace:
    """Return a zone moved from its printed place; the spacing of its places follows its length."""
    rect = Rect(to.x, to.y, to.w, to.h)
    if (rect, to.rotation % 360) == (zone.rect, zone.rotation):
        return zone
    (wide, high), (new_wide, new_high) = _reading(zone.rect, zone.rotation), _reading(rect, to.rotation)
    return msgspec.structs.replace(
        zone,
        rect=rect,
        rotation=to.rotation % 360,
        words=None,
        step=zone.step * new_wide / wide,
        row=zone.row * new_high / high,
    )


def _reading(rect: Rect, rotation: float) -> tuple[float, float]:
    return (rect.w, rect.h) if round(rotation / 90) % 2 == 0 else (rect.h, rect.w)


def difference(printed: Mat, mat: Mat) -> Own:
    """Return what of a mat differs from the printed one for this number of seats, in the form that is kept."""
    where = {zone.name: zone for zone in printed.zones}
    zones = tuple(
        OwnZone(mat.seats, zone.name, zone.rect.x, zone.rect.y, zone.rect.w, zone.rect.h, zone.rotation)
        for zone in mat.zones
        if (zone.rect, zone.rotation) != (where[zone.name].rect, where[zone.name].rotation)
    )
    markers = () if mat.markers == printed.markers else mat.markers
    sized = (mat.w, mat.h) != (printed.w, printed.h)
    return Own(
        w=mat.w if sized else 0.0,
        h=mat.h if sized else 0.0,
        print=mat.print,
        zone=zones,
        marker=tuple(OwnMarker(marker.id, marker.x, marker.y, marker.size) for marker in markers),
    )


def with_seats(own: Own, other: Own, seats: int) -> Own:
    """Return `other` with the zones of `own` for other numbers of seats."""
    rest = tuple(zone for zone in own.zone if zone.seats != seats)
    return msgspec.structs.replace(other, zone=tuple(sorted((*rest, *other.zone), key=lambda zone: zone.seats)))


def is_printed(printed: Mat, mat: Mat) -> bool:
    """Return whether a mat's paper is the printed one, whatever lies where on it."""
    return (printed.w, printed.h, printed.markers) == (mat.w, mat.h, mat.markers)


def wrong(printed: Mat, mat: Mat, words: dict[str, str]) -> list[tuple[str, str]]:
    """List what is wrong with a board: the zone's name ("": the board, "marker 3": a marker), and a sentence.

    `words` names zones for people. What the printed mat has as well is not reported.
    """
    found: list[tuple[str, str]] = []
    for side, words_of in ((mat.w, t("wide")), (mat.h, t("high"))):
        if not SIZES[0] <= side <= SIZES[1]:
            sentence = t(
                "A board of {side:g} mm is not what is meant: it is {least:g} to {most:g} mm {wide_or_high}.",
                side=side,
                least=SIZES[0],
                most=SIZES[1],
                wide_or_high=words_of,
            )
            found.append(("", sentence))
    if mat.markers != printed.markers:
        found += _wrong_markers(mat)
    before = {zone.name: zone for zone in printed.zones}
    for zone in mat.zones:
        if zone != before[zone.name] or not is_printed(printed, mat):
            found += [(zone.name, words_of) for words_of in _wrong_zone(before[zone.name], zone, mat, words)]
    for zone, other in combinations(mat.zones, 2):
        by = _common(zone.rect, other.rect)
        if by > SLACK and by > _common(before[zone.name].rect, before[other.name].rect) + SLACK:
            sentence = t(
                "{zone:capital} and {other} overlap by {by:.0f} mm: move one of them.",
                zone=words[zone.name],
                other=words[other.name],
                by=by,
            )
            found.append((zone.name, sentence))
    return found


def _common(a: Rect, b: Rect) -> float:
    """Return how far (mm) two rectangles reach into each other; 0 if they do not."""
    wide = min(a.x + a.w, b.x + b.w) - max(a.x, b.x)
    high = min(a.y + a.h, b.y + b.h) - max(a.y, b.y)
    return max(0.0, min(wide, high))


def _wrong_markers(mat: Mat) -> Iterable[tuple[str, str]]:
    if len(mat.markers) < ENOUGH:
        yield (
            "",
            t(
                "A board needs {enough} markers at least, best one in each corner; here are {here}.",
                enough=ENOUGH,
                here=len(mat.markers),
            ),
        )
    ids = [marker.id for marker in mat.markers]
    for number in sorted({number for number in ids if ids.count(number) > 1}):
        yield f"marker {number}", t("Marker {n} is there twice: each marker has one place.", n=number)
    for marker in mat.markers:
        half = marker.size / 2 - SLACK
        if not 5 <= marker.size <= 200:
            words = t("Marker {n} is {size:g} mm wide: 5 to 200 mm would do.", n=marker.id, size=marker.size)
            yield f"marker {marker.id}", words
        elif not (half <= marker.x <= mat.w - half and half <= marker.y <= mat.h - half):
            yield f"marker {marker.id}", t("Marker {n} reaches beyond the board's edge.", n=marker.id)
    if len(mat.markers) >= ENOUGH:
        xs, ys = [marker.x for marker in mat.markers], [marker.y for marker in mat.markers]
        if max(xs) - min(xs) < mat.w / 3 or max(ys) - min(ys) < mat.h / 3:
            yield "", t("The markers lie close together: put them far apart, best into the corners of the board.")


def _wrong_zone(before: ZonePlace, zone: ZonePlace, mat: Mat, words: dict[str, str]) -> Iterable[str]:
    name, r = words[zone.name], zone.rect
    if r.w <= 0 or r.h <= 0:
        yield t("{zone:capital} needs a width and a height.", zone=name)
        return
    if r.x < -SLACK or r.y < -SLACK or r.x + r.w > mat.w + SLACK or r.y + r.h > mat.h + SLACK:
        yield t(
            "{zone:capital} reaches beyond the board's edge, which is {w:g} × {h:g} mm.", zone=name, w=mat.w, h=mat.h
        )
    if zone.rotation not in TURNS:
        yield t(
            "{zone:capital}: cards lie turned by 0, 90, 180 or 270 degrees, not by {turn:g}.",
            zone=name,
            turn=zone.rotation,
        )
        return
    for marker in mat.markers:
        half = marker.size / 2
        if _common(r, Rect(marker.x - half, marker.y - half, marker.size, marker.size)) > SLACK:
            yield t("{zone:capital} lies over the marker {n}: cards there would hide it.", zone=name, n=marker.id)
    shape = mat.shape_in(zone)
    if zone.kind == "tray":
        return
    (wide, high), (was_wide, was_high) = _reading(r, zone.rotation), _reading(before.rect, before.rotation)
    if wide < min(shape.w, was_wide) - SLACK or high < min(shape.h, was_high) - SLACK:
        yield t(
            "{zone:capital} is {wide:.0f} × {high:.0f} mm as its cards lie: too small for a card of {w:g} × {h:g} mm.",
            zone=name,
            wide=wide,
            high=high,
            w=shape.w,
            h=shape.h,
        )
        return
    if zone.slots > 1 and zone.kind != "pile":
        # A card that the next one covers must still show the strip with its code.
        strip = min(place.x + place.size / 2 for place in shape.codes) + 1.5
        least = shape.w if before.step >= shape.w else min(before.step, strip)
        if zone.step < least - SLACK:
            yield t(
                "{zone:capital} is {wide:.0f} mm long as its cards lie: too small for {slots} cards. At {least:.0f} mm "
                "their codes can be seen.",
                zone=name,
                wide=wide,
                slots=zone.slots,
                least=least * was_wide / before.step,
            )
