"""Pages for what passes: an auction with its clock, dice that were rolled, and short notices."""

from __future__ import annotations

import cv2
import numpy as np

from companion.devices.canvas import (
    HEIGHT,
    WIDTH,
    Page,
    Say,
    blank,
    english,
    joined,
    message_page,
    put_bar,
    put_big,
    put_fitted,
    put_name,
    put_word,
    to_image,
)
from companion.devices.lettering import Bits, cut, forms, ink, largest, named, paste
from companion.referee.clock import Timer
from companion.referee.colours import CORNERS, SHAPES
from companion.referee.play_clock import PlayTimer, minutes
from companion.referee.snapshot import Snapshot, Throw
from companion.rules.kernel import TABLE, Seat, name_seats
from companion.text import join, t

_PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((1, 1),),
    2: ((0, 0), (2, 2)),
    3: ((0, 0), (1, 1), (2, 2)),
    4: ((0, 0), (0, 2), (2, 0), (2, 2)),
    5: ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    6: ((0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)),
}
"""Column and row of each pip of a die's face."""
ROWS_OF_DICE = 12
"""More dice than these are told as a sum of each value ("4 × 6")."""


def auction(snapshot: Snapshot, timer: Timer, now: float, offer: int | None = None, say: Say = english) -> Page:
    """Show bid, leader, who is asked, the time left (`now`: monotonic seconds), and what the knob would `offer`."""
    names = named(snapshot.names, snapshot.seats, say(t("Seat @1")))
    picture = blank()
    price = ink(str(timer.price), 34) if timer.price else ink("?", 34)
    paste(picture, price, 0, (30 - price.shape[0]) // 2 + 1)
    leader = forms(names, timer.leader) if timer.leader else (say(t("no bid yet")), say(t("no bid")))
    put_fitted(picture, leader, 0, 32, 26, price.shape[1] + 7)
    asked = joined(tuple(forms(names, seat) for seat in timer.seats[:2])) if len(timer.seats) > 1 else None
    who = asked or forms(names, timer.seats[0])
    if offer is None:
        put_fitted(
            picture,
            (*(put_name(say, t("@1 to bid"), way) for way in who), *(t("{way}?", way=way) for way in who)),
            33,
            18,
            18,
            0,
        )
    else:
        _offered(picture, who, offer, say)
    _time(picture, timer, now, say)
    return (to_image(picture),)


def _offered(picture: Bits, who: tuple[str, ...], offer: int, say: Say) -> None:
    """Write who is asked at the left, and at the right the number that a press of the knob would bid, in a lit box."""
    number = ink(str(offer), 22)
    wide = number.shape[1] + 8
    room = WIDTH - wide - 4
    ways = (*(put_name(say, t("@1 bids"), way) for way in who), *who)
    way = next((way for way in ways if largest(way, room, 18, 18, 18)), ways[-1])
    size = largest(way, room, 18, 10, 18) or 10
    bits = ink(cut(way, room, size), size)
    paste(picture, bits, 0, 33 + (18 - bits.shape[0]) // 2)
    picture[32:52, WIDTH - wide :] = True
    paste(picture, number, WIDTH - wide + 4, 32 + (20 - number.shape[0]) // 2, lit=False)


def clock(ways: tuple[str, ...], timer: PlayTimer, now: float, say: Say = english) -> Page:
    """Show whose time runs in the first of `ways` that fits, and what is left of it, large, above a bar."""
    picture = blank()
    put_fitted(picture, ways, 0, 22, 22, 0)
    left = (say(t("Time is up")),) if timer.over else (minutes(timer.remaining(now)),)
    put_big(picture, left, 22, 30, 16)
    _time(picture, timer, now, say)
    return (to_image(picture),)


def _time(picture: Bits, timer: Timer | PlayTimer, now: float, say: Say) -> None:
    """Draw the time that is left along the bottom edge; a clock that stands still says so."""
    if timer.total <= 0:
        return
    top = HEIGHT - 11
    picture[top:, :] = True
    picture[top + 1 : HEIGHT - 1, 1 : WIDTH - 1] = False
    lit = round((WIDTH - 4) * min(1.0, timer.remaining(now) / timer.total))
    picture[top + 2 : HEIGHT - 2, 2 : 2 + lit] = True
    if timer.ends is None and timer.left > 0:
        picture[top + 1 : HEIGHT - 1, WIDTH // 2 - 26 : WIDTH // 2 + 26] = False
        put_word(picture, say(t("waits")), top, 11, 10, WIDTH // 2 - 26, 52)


def arrived(before: Snapshot | None, after: Snapshot) -> Seat:
    """Return the seat that somebody has just sat down on, by name; 0 if none has."""
    if before is None or before.match != after.match:
        return TABLE
    new = [seat for seat, name in after.names.items() if name != before.names.get(seat)]
    return new[0] if len(new) == 1 else TABLE


def seated(snapshot: Snapshot, seat: Seat, say: Say = english) -> Page:
    """Show who sat down: the seat's number in the shape that its badge has on the pages, and beside it the name."""
    picture = blank()
    names = named(snapshot.names, snapshot.seats, say(t("Seat @1")))
    paste(picture, _badge(seat, SHAPES.get(snapshot.colours.get(seat, ""), "circle")), 0, 10)
    put_fitted(picture, forms(names, seat), 8, 28, 24, _BADGE + 6)
    if seat in snapshot.colours:
        put_fitted(picture, (say(snapshot.colours[seat]),), 40, 18, 16, _BADGE + 6)
    return (to_image(picture),)


_BADGE = 44


def _badge(seat: Seat, shape: str) -> Bits:
    if shape in CORNERS:
        loop = np.array(CORNERS[shape])
    else:
        turn = np.linspace(0, 2 * np.pi, 60)
        loop = np.stack((np.cos(turn), np.sin(turn)), axis=1)
        if shape == "arch":
            loop[loop[:, 1] > 0, 0] = np.sign(loop[loop[:, 1] > 0, 0])
    field = np.zeros((_BADGE, _BADGE), np.uint8)
    cv2.fillPoly(field, [np.round(loop / 1.15 * (_BADGE / 2 - 1) + _BADGE / 2).astype(np.int32)], (1,))
    badge = field.astype(np.bool_)
    number = ink(f"{seat}", 26 if shape not in ("triangle", "diamond") else 20)
    low = round(_BADGE * 0.12) if shape == "triangle" else 0
    paste(badge, number, (_BADGE - number.shape[1]) // 2, (_BADGE - number.shape[0]) // 2 + low, lit=False)
    return badge


def rolled(before: Snapshot | None, after: Snapshot) -> Throw | None:
    """Return the dice that were rolled between two snapshots; None if none were, or they were taken back since."""
    throws = after.dice.throws
    if not throws or throws[-1].undone or throws[-1].n != after.record:
        return None
    known = before is not None and before.match == after.match and before.dice.throws[-1:] == throws[-1:]
    return None if known or before is None else throws[-1]


def dice(snapshot: Snapshot, throw: Throw, say: Say = english) -> Page:
    """Show dice as large as they get, under who rolled them: pips on six sides, numbers on others."""
    picture = blank()
    names = named(snapshot.names, max(snapshot.seats, throw.seat), say(t("Seat @1")))
    title = put_name(say, t("@1 rolled"), say(t("The table")) if throw.seat == TABLE else names[throw.seat])
    kind = "" if throw.sides in (0, 6) else f"d{throw.sides}"
    put_bar(picture, title, 0, 16, kind)
    values = throw.values
    if not values or len(values) > ROWS_OF_DICE:
        counts = {value: values.count(value) for value in sorted(set(values))}
        words = join(", ", (t("{count} × {value}", count=count, value=value) for value, count in counts.items()))
        return message_page(title, kind, words or say(name_seats(throw.words, snapshot.names)))
    deep = 1 if len(values) <= 5 else 2
    each = -(-len(values) // deep)
    side = min((HEIGHT - 18 - 2 * (deep - 1)) // deep, (WIDTH - 4 * (each - 1)) // each, 44)
    for index, value in enumerate(values):
        row, column = divmod(index, each)
        here = min(each, len(values) - row * each)
        left = (WIDTH - here * side - (here - 1) * 4) // 2 + column * (side + 4)
        top = 18 + row * (side + 2) + (HEIGHT - 18 - deep * side - 2 * (deep - 1)) // 2
        paste(picture, _die(value, throw.sides, side), left, top)
    return (to_image(picture),)


def _die(value: int, sides: int, side: int) -> Bits:
    face = np.ones((side, side), np.bool_)
    for cut_off in range(3):
        for y in (cut_off, side - 1 - cut_off):
            face[y, : 3 - cut_off] = face[y, side - 3 + cut_off :] = False
    if sides in (0, 6) and value in _PIPS:
        pip = max(3, round(side * 0.19))
        for column, row in _PIPS[value]:
            x, y = (round(side * (0.22 + 0.28 * place) - pip / 2) for place in (column, row))
            face[y : y + pip, x : x + pip] = False
            if pip > 4:
                # Without its corners a square of seven pixels is a disc.
                for dy in (0, pip - 1):
                    for dx in (0, pip - 1):
                        face[y + dy, x + dx] = True
        return face
    size = largest(str(value), side - 6, side - 6, 10, 40) or 10
    number = ink(str(value), size)
    paste(face, number, (side - number.shape[1]) // 2, (side - number.shape[0]) // 2, lit=False)
    return face


def notice(title: str, words: str, remedy: str = "", say: Say = english) -> Page:
    """Show a notice beside the match: a health issue of the box and its remedy."""
    return message_page(title, "", words, remedy, say)


def sound(muted: bool, say: Say = english) -> Page:
    """Show that the buzzer was switched off or on, with a loudspeaker that is crossed out or sounds."""
    picture = blank()
    ys, xs = np.mgrid[0:40, 0:44]
    y, x = ys - 20, xs - 16
    speaker = ((abs(y) <= 6) & (x >= -14) & (x < -4)) | ((x >= -4) & (x <= 6) & (abs(y) <= 6 + (x + 4)))
    if muted:
        signs = (x >= 11) & (x <= 25) & ((abs(x - 18 - y) <= 1) | (abs(x - 18 + y) <= 1)) & (abs(y) <= 7)
    else:
        far = np.hypot(x - 4, y)
        signs = (x > 8) & (abs(y) <= (x - 4)) & ((abs(far - 11) < 1.6) | (abs(far - 18) < 1.6))
    paste(picture, (speaker | signs).astype(np.bool_), (WIDTH - 44) // 2 + 2, -2)
    put_big(picture, (say(t("Sound off")) if muted else say(t("Sound on")),), 40, 22, 22)
    return (to_image(picture),)
