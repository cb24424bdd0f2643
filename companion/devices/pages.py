"""What the OLED shows: pure functions from a snapshot to pictures of 128×64, and the choice of the page.

A page is a tuple of pictures ("1" mode, lit pixels white): usually one; where the text would be too small to read
across a table there are several, shown in turn. Figures: on a 0.96" display a pixel is 0.17 mm, so the capitals of an
18 px font are 2.3 mm high, which is 5 minutes of arc at 1.5 m, the limit of sharp eyes; what matters is written larger.
"""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
import segno
from PIL import Image

from companion.devices.lettering import Bits, block, called, chunks, cut, forms, ink, largest, paste, pitch, write
from companion.devices.lettering import width as text_width
from companion.referee.clock import Timer
from companion.referee.snapshot import Snapshot
from companion.rules.kernel import TABLE, Ladder, Seat

WIDTH, HEIGHT = 128, 64
Page = tuple[Image.Image, ...]

SHORT_URL = 25
"""A URL of at most so many characters, all upper case, makes a version 1-L code (ISO/IEC 18004: 25 alphanumerics)."""
_BLINDING = frozenset({"camera-lost", "no-markers", "other-mat", "dark"})
"""Troubles under which the table can't be followed at all."""


def _blank() -> Bits:
    return np.zeros((HEIGHT, WIDTH), np.bool_)


def _image(bits: Bits) -> Image.Image:
    return Image.fromarray(bits.astype(np.uint8) * 255).convert("1", dither=Image.Dither.NONE)


def _centred(picture: Bits, text: str, top: int, high: int, size: int, left: int = 0, wide: int = WIDTH) -> None:
    """Put one line of text in the middle of a box."""
    bits = ink(text, size)
    paste(picture, bits, left + (wide - bits.shape[1]) // 2, top + (high - bits.shape[0]) // 2)


def _lines(picture: Bits, size: int, lines: tuple[str, ...], top: int, high: int, middle: bool = True) -> None:
    """Put lines in the middle of a box as wide as the display, each centred if `middle`."""
    used = pitch(size) * (len(lines) - 1) + round(size * 0.75)
    y = top + max(0, (high - used) // 2)
    for line in lines:
        write(picture, line, (WIDTH - text_width(line, size)) // 2 if middle else 0, y, size)
        y += pitch(size)


def _bar(picture: Bits, text: str, top: int, high: int, note: str = "") -> None:
    """Draw a lit bar with dark text at the left and, if there is room, a note at the right."""
    picture[top : top + high] = True
    room = WIDTH - 6
    size = largest(text, room, high - 4, 10, high) or 10
    text = cut(text, room, size)
    bits = ink(text, size)
    paste(picture, bits, 3, top + (high - bits.shape[0]) // 2, lit=False)
    if note and bits.shape[1] + text_width(note, size) + 10 <= WIDTH:
        mark = ink(note, size)
        paste(picture, mark, WIDTH - 3 - mark.shape[1], top + (high - mark.shape[0]) // 2, lit=False)


# ---------------------------------------------------------------------------------------------------------- joining


def code(text: str) -> Bits | None:
    """Make a QR code for the display, lit field and quiet zone included: 64×64 pixels, 2 px a module.

    Up to version 3 (29 modules); None if the text is too long for that.
    """
    qr = segno.make(text, error="l", micro=False)
    dark = np.array([[bool(module) for module in row] for row in qr.matrix])
    side = 2 * len(dark)
    if side > HEIGHT - 4:
        return None
    field = np.ones((HEIGHT, HEIGHT), np.bool_)
    start = (HEIGHT - side) // 2
    field[start : start + side, start : start + side] = ~np.kron(dark, np.ones((2, 2), np.bool_)).astype(np.bool_)
    return field


def _code_page(text: str, title: str, words: str) -> Page:
    field = code(text)
    if field is None:
        return _told(title, "", words)
    picture = _blank()
    paste(picture, field, 0, 0)
    room = WIDTH - HEIGHT - 5
    left = HEIGHT + 5
    _centred(picture, title, 2, 22, largest(title, room, 22, 12, 26) or 12, left, room)
    size, boxes = chunks(words.replace("/", " /", 1), room, 34, 10, 16)
    y = 30
    for line in boxes[0]:
        write(picture, line, left, y, size)
        y += pitch(size)
    return (_image(picture),)


def join(url: str) -> Page:
    """Show the way in: a QR code with the address beside it, or the address alone where it is too long for a code."""
    host, slash, path = url.split("://", 1)[-1].rstrip("/").partition("/")
    # Only the host is written small: of a path, capitals may matter to whoever types it.
    return _code_page(url, "Join", host.lower() + slash + path)


def wifi(ssid: str, password: str) -> Page:
    """Show the code that takes a phone into the table's own Wi-Fi, on a page of its own."""
    escaped = [part.translate({ord(sign): "\\" + sign for sign in '\\;,":'}) for part in (ssid, password)]
    kind = "WPA" if password else "nopass"
    return _code_page(f"WIFI:T:{kind};S:{escaped[0]};P:{escaped[1]};;", "Wi-Fi", f"{ssid} {password}".strip())


# --------------------------------------------------------------------------------------------------------- the game


def _who(snapshot: Snapshot) -> tuple[tuple[str, ...], tuple[Seat, ...]]:
    """List ever shorter words for who is due, and the seats they name."""
    due = tuple(seat for seat in snapshot.views[0].waiting if seat != TABLE)
    names = {seat: called(snapshot.names, seat) for seat in range(1, snapshot.seats + 1)}
    if not due:
        return ("The table", "Table"), ()
    if len(due) == 1:
        return forms(names, due[0]), due
    if len(due) == snapshot.seats:
        return ("Everybody", "All"), due
    if len(due) == 2:
        return _joined(tuple(forms(names, seat) for seat in due)), due
    return (f"{len(due)} players",), due


def _joined(every: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    """Put names together with "+", from all in full to all as short as they get, shortening the longest first."""
    most = max(len(way) for ways in every for way in ways)
    found = {
        " + ".join(next((way for way in ways if len(way) <= n), ways[-1]) for ways in every): None
        for n in range(most, 1, -1)
    }
    return tuple(found)


def _big(picture: Bits, ways: tuple[str, ...], top: int, high: int, wish: int, low: int = 14) -> None:
    """Write the longest of several wordings that fits at the size wished for, else the one that gets largest."""
    for way in ways:
        size = largest(way, WIDTH, high, wish, 60)
        if size:
            _centred(picture, way, top, high, size)
            return
    sizes = [(largest(way, WIDTH, high, low, wish) or 0, -i) for i, way in enumerate(ways)]
    size, index = max(sizes)
    way = ways[-index]
    _centred(picture, cut(way, WIDTH, size or low), top, high, size or low)


def _awaited(snapshot: Snapshot, due: tuple[Seat, ...]) -> str:
    """Say in a few words what is waited for."""
    if snapshot.owed:
        return snapshot.owed[0]
    if snapshot.provisional:
        return f"{snapshot.provisional[-1].rstrip('.')}. Done?"
    headline = snapshot.views[0].headline
    if len(due) != 1:
        return headline
    # The name stands above in large letters already.
    name = called(snapshot.names, due[0])
    if headline.startswith(name) and headline[len(name) : len(name) + 1] in (" ", ":", ","):
        return headline[len(name) :].lstrip(" :,")
    return (_choices(snapshot, due[0]) or headline) if name in headline else headline


def _choices(snapshot: Snapshot, seat: Seat) -> str:
    """List what a seat may do: "add, discard or draw"; a single thing in full."""
    may = [may for view in snapshot.views if view.seat == seat for may in view.may if may.verdict.ok]
    names = tuple(dict.fromkeys(each.name.replace("-", " ") for each in may))
    if len(names) < 2:
        return may[0].words if may else ""
    return f"{', '.join(names[:-1])} or {names[-1]}"


def turn(snapshot: Snapshot) -> Page:
    """Show whose turn it is, as large as it gets, and below it what is waited for."""
    ways, due = _who(snapshot)
    awaited = _awaited(snapshot, due)
    if not due and awaited:
        return _titled("The table", awaited)
    one = block(awaited, WIDTH, 17, 14, 20)
    size, boxes = (one[0], (one[1],)) if one else chunks(awaited, WIDTH, 28, 13, 16)
    foot = pitch(size) * (max(len(lines) for lines in boxes) - 1) + round(size * 1.03) if awaited else 0
    images = []
    for lines in boxes:
        picture = _blank()
        _big(picture, ways, 0, HEIGHT - foot - 4, 24 if len(due) == 1 else 18)
        _lines(picture, size, lines, HEIGHT - foot, round(foot - size * 0.28))
        images.append(_image(picture))
    return tuple(images)


def ladders(snapshot: Snapshot) -> Page:
    """Show the ladders that may ruin everything, lit up to where they stand; below them whose turn it is."""
    watched = _watched(snapshot)
    if not watched:
        return turn(snapshot)
    picture = _blank()
    foot = 17
    high = (HEIGHT - foot) // max(3, len(watched))
    for i, ladder in enumerate(watched):
        top = i * high
        write(picture, cut(ladder.short or ladder.title, 20, 12), 0, top + (high - 9) // 2, 12)
        number = ink(str(ladder.value), 14)
        paste(picture, number, WIDTH - number.shape[1], top + (high - number.shape[0]) // 2)
        rungs, left, right = ladder.high - ladder.low + 1, 22, WIDTH - 20
        for rung in range(rungs):
            x, x1 = left + (right - left) * rung // rungs, left + (right - left) * (rung + 1) // rungs - 1
            picture[top + 2 : top + high - 2, x:x1] = True
            if ladder.low + rung > ladder.value:
                picture[top + 3 : top + high - 3, x + 1 : x1 - 1] = False
    ways, _ = _who(snapshot)
    _big(picture, ways, HEIGHT - foot + 2, foot - 2, 15)
    return (_image(picture),)


def _watched(snapshot: Snapshot) -> tuple[Ladder, ...]:
    """List the ladders that have a point at which they become dangerous, four at most."""
    return tuple(ladder for ladder in snapshot.views[0].ladders if ladder.alarm is not None)[:4]


def auction(snapshot: Snapshot, now: float) -> Page:
    """Show what is bid, who leads and who is asked, and the time that is left as a bar (`now`: monotonic seconds)."""
    timer = snapshot.timer
    if timer is None:
        return turn(snapshot)
    names = {seat: called(snapshot.names, seat) for seat in range(1, snapshot.seats + 1)}
    picture = _blank()
    price = ink(str(timer.price), 34) if timer.price else ink("?", 34)
    paste(picture, price, 0, (30 - price.shape[0]) // 2 + 1)
    left = price.shape[1] + 7
    leader = forms(names, timer.leader) if timer.leader else ("no bid yet", "no bid")
    _fitted(picture, leader, 0, 32, 26, left)
    asked = _joined(tuple(forms(names, seat) for seat in timer.seats[:2])) if len(timer.seats) > 1 else None
    who = asked or forms(names, timer.seats[0])
    _fitted(picture, (*(f"{way} to bid" for way in who), *(f"{way}?" for way in who)), 33, 18, 18, 0)
    _time(picture, timer, now)
    return (_image(picture),)


def _fitted(picture: Bits, ways: tuple[str, ...], top: int, high: int, wish: int, left: int) -> None:
    """Write the longest wording that fits right of `left` at the size wished for, else the shortest as it fits."""
    room = WIDTH - left
    way = next((way for way in ways if largest(way, room, high, wish, wish)), ways[-1])
    size = largest(way, room, high, 10, wish) or 10
    bits = ink(cut(way, room, size), size)
    paste(picture, bits, left, top + (high - bits.shape[0]) // 2)


def _time(picture: Bits, timer: Timer, now: float) -> None:
    """Draw the time that is left along the bottom edge; a clock that stands still says so."""
    if timer.total <= 0:
        return
    top = HEIGHT - 11
    picture[top:, :] = True
    picture[top + 1 : HEIGHT - 1, 1 : WIDTH - 1] = False
    lit = round((WIDTH - 4) * min(1.0, timer.remaining(now) / timer.total))
    picture[top + 2 : HEIGHT - 2, 2 : 2 + lit] = True
    if timer.ends is None:
        picture[top + 1 : HEIGHT - 1, WIDTH // 2 - 26 : WIDTH // 2 + 26] = False
        _centred(picture, "waits", top, 11, 10)


def scores(snapshot: Snapshot) -> Page:
    """Show everybody's score, up to eight seats; the lit rows are those whose turn it is."""
    picture = _blank()
    seats = snapshot.standing.seats
    names = {seat: called(snapshot.names, seat) for seat in range(1, snapshot.seats + 1)}
    columns = 1 if len(seats) <= 4 else 2
    deep = max(1, -(-len(seats) // columns))
    high, wide = HEIGHT // deep, (WIDTH - 2 * (columns - 1)) // columns
    goal = f"/{snapshot.standing.goal}" if snapshot.standing.goal is not None and columns == 1 else ""
    size = min(26, round((high - 5) / 0.75))
    for index, standing in enumerate(seats):
        left, top = (index // deep) * (wide + 2), (index % deep) * high
        row = np.zeros((high - 1, wide), np.bool_)
        score = ink(f"{standing.score}{goal}", size)
        room = wide - score.shape[1] - 9

        def fitting(way: str, room: int = room) -> int | None:
            return largest(way, room, high, min(size, 14), size)

        way = next((way for way in forms(names, standing.seat) if fitting(way)), f"S{standing.seat}")
        name_size = fitting(way) or 10
        write(row, way, 2, (high - 1 - round(name_size * 0.75)) // 2, name_size)
        paste(row, score, wide - 2 - score.shape[1], (high - 1 - round(size * 0.75)) // 2)
        paste(picture, ~row if standing.seat in snapshot.views[0].waiting else row, left, top)
    return (_image(picture),)


def _titled(title: str, words: str, note: str = "") -> Page:
    """Draw a bar with a title and the words under it, as large as they fit; long ones take several pictures."""
    size, boxes = chunks(words, WIDTH, HEIGHT - 19, 14, 28)
    images = []
    for lines in boxes or ((),):
        picture = _blank()
        _bar(picture, title, 0, 16, note)
        _lines(picture, size, lines, 19, HEIGHT - 19, middle=False)
        images.append(_image(picture))
    return tuple(images)


def _told(title: str, note: str, reason: str, remedy: str = "") -> Page:
    """Say it all on one picture if the letters stay large enough, else the remedy under a title of its own."""
    whole = f"{reason} {remedy}".strip()
    if not remedy or block(whole, WIDTH, HEIGHT - 19, 14, 28):
        return _titled(title, whole, note)
    return (*_titled(title, reason, note), *_titled("Do this", remedy))


_VIOLATIONS = {"illegal": "Not allowed", "inconsistent": "Can't be", "unexplained": "What is this?"}


def alert(snapshot: Snapshot) -> Page:
    """Show a violation: why, and what to do about it."""
    violation = snapshot.violation
    if violation is None:
        return turn(snapshot)
    title = _VIOLATIONS.get(violation.kind, "Look here")
    remedy = violation.remedy or (violation.moves[0] if violation.moves else "")
    return _told(title, violation.rule, violation.reason, remedy)


def question(snapshot: Snapshot) -> Page:
    """Show a question, and in the lit bar the answer that the button gives."""
    asked = snapshot.question
    if asked is None:
        return turn(snapshot)
    bar = 19 if asked.choices else 0
    size, boxes = chunks(asked.words, WIDTH, HEIGHT - bar - 3, 13, 26)
    images = []
    for lines in boxes:
        picture = _blank()
        _lines(picture, size, lines, 0, HEIGHT - bar - 3)
        if asked.choices:
            more = f"+{len(asked.choices) - 1}" if len(asked.choices) > 1 else ""
            _bar(picture, f"> {asked.choices[0].words}", HEIGHT - bar, bar, more)
        images.append(_image(picture))
    return tuple(images)


def trouble(snapshot: Snapshot) -> Page:
    """Show why the eye can't see the table."""
    found = next((trouble for trouble in snapshot.troubles if trouble.kind in _BLINDING), None)
    return _told("I can't see", "", found.words) if found else turn(snapshot)


def steps(snapshot: Snapshot) -> Page:
    """Show what is still to lay out (setting up) or to put back (after an undo), one piece at a time."""
    title = "Set up" if snapshot.phase == "setting-up" else "Put right"
    words = snapshot.owed[0] if snapshot.owed else snapshot.sentence or snapshot.views[0].headline
    return _titled(title, words, f"{len(snapshot.owed)} to go" if snapshot.owed else "")


def ended(snapshot: Snapshot) -> Page:
    """Show who won, then the scores."""
    outcome = snapshot.standing.outcome
    if outcome is None:
        return scores(snapshot)
    names = {seat: called(snapshot.names, seat) for seat in range(1, snapshot.seats + 1)}
    if not outcome.winners:
        return (*_titled("Match over", outcome.words), *scores(snapshot))
    picture = _blank()
    if len(outcome.winners) == 1:
        ways, verb = forms(names, outcome.winners[0]), "wins!"
    else:
        ways = _joined(tuple(forms(names, seat) for seat in outcome.winners))
        verb = "win together!"
    _big(picture, ways, 0, 38, 22 if len(outcome.winners) == 1 else 18)
    _centred(picture, verb, 42, 22, 22 if len(outcome.winners) == 1 else 18)
    return (_image(picture), *scores(snapshot))


# ------------------------------------------------------------------------------------------------------- which page

Occasion = tuple[str, str]
"""What the display is about: the kind of page, and what makes it another one of that kind."""


def occasion(snapshot: Snapshot | None) -> Occasion:
    """Tell what matters most now: over, violation, question, blindness, set-up or putting right, bid, ladders, turn."""
    if snapshot is None:
        return "join", ""
    if snapshot.phase == "over":
        return "ended", ""
    if snapshot.violation:
        return "alert", snapshot.violation.reason
    if snapshot.question:
        return "question", snapshot.question.id
    blind = next((trouble for trouble in snapshot.troubles if trouble.kind in _BLINDING), None)
    if blind:
        return "trouble", blind.kind
    if snapshot.phase in ("setting-up", "restoring"):
        return "steps", snapshot.phase
    if snapshot.timer is not None:
        return "auction", f"{snapshot.timer.price} {snapshot.timer.seats}"
    kind = "ladders" if _watched(snapshot) else "turn"
    return kind, ",".join(str(seat) for seat in snapshot.views[0].waiting)


class Invitation:
    """How people get in: the address to join at, and the table's own Wi-Fi if it has one."""

    def __init__(self, url: str = "", ssid: str = "", password: str = "") -> None:
        self.url = url
        self.ssid = ssid
        self.password = password


def welcome() -> Page:
    """Show that it is on and waits for a match."""
    picture = _blank()
    _big(picture, ("Companion",), 4, 30, 20)
    _centred(picture, "ready", 38, 20, 20)
    return (_image(picture),)


_GAME: dict[str, Callable[[Snapshot], Page]] = {
    "turn": turn,
    "ladders": ladders,
    "scores": scores,
    "alert": alert,
    "question": question,
    "trouble": trouble,
    "steps": steps,
    "ended": ended,
}


def offered(snapshot: Snapshot | None, invitation: Invitation) -> tuple[str, ...]:
    """List the pages that the page button goes through; the first is shown by itself."""
    ways = tuple(name for name, there in (("join", invitation.url), ("wifi", invitation.ssid)) if there)
    if snapshot is None:
        return ways or ("welcome",)
    first = occasion(snapshot)[0]
    if first == "steps" and snapshot.phase == "setting-up" and not snapshot.record and invitation.url:
        # Before the first record people still have to get in; what to lay out is on their phones too.
        return (*ways, "steps", "scores")
    rest = (name for name in ("turn", "scores", *ways) if name != first and not (name == "turn" and first == "ended"))
    return (first, *rest)


def draw(name: str, snapshot: Snapshot | None, invitation: Invitation, now: float = 0.0) -> Page:
    """Draw a page by its name, at a moment in monotonic seconds; one that can't be drawn now becomes the welcome."""
    if name == "join" and invitation.url:
        return join(invitation.url)
    if name == "wifi" and invitation.ssid:
        return wifi(invitation.ssid, invitation.password)
    if snapshot is not None and name == "auction":
        return auction(snapshot, now)
    if snapshot is not None and name in _GAME:
        return _GAME[name](snapshot)
    return welcome()


def png(image: Image.Image, scale: int = 1) -> bytes:
    """Make a PNG of a picture, enlarged by a whole number."""
    out = io.BytesIO()
    image.convert("L").resize((image.width * scale, image.height * scale), Image.Resampling.NEAREST).save(out, "PNG")
    return out.getvalue()
