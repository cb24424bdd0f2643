"""The OLED's pages: pure functions from a snapshot to pictures of 128×64, and the choice of the page.

A page is a tuple of pictures ("1" mode, lit pixels white), shown in turn where one would be too small. On 0.96" a pixel
is 0.17 mm: an 18 px font's capitals are 2.3 mm, or 5 minutes of arc at 1.5 m, the limit of sharp eyes.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import segno

from companion.devices import moments
from companion.devices.canvas import (
    HEIGHT,
    WIDTH,
    Page,
    Say,
    blank,
    english,
    fits_bar,
    joined,
    message_page,
    png,
    put_bar,
    put_big,
    put_centred,
    put_lines,
    put_word,
    titled,
    to_image,
)
from companion.devices.lettering import Bits, block, chunks, cut, forms, ink, largest, named, paste, pitch, width, write
from companion.devices.pointing_page import point
from companion.eye.view import BLINDING
from companion.referee.clock import Timer
from companion.referee.play_clock import PlayTimer
from companion.referee.snapshot import Snapshot
from companion.rules.gathering import NAME as GATHERING
from companion.rules.kernel import TABLE, Ladder, Seat
from companion.text import bare, capital, sentence, t, typed

__all__ = ["HEIGHT", "WIDTH", "Page", "png"]


def code(text: str) -> Bits | None:
    """Return a QR code of 64×64 lit pixels, 2 a module, quiet zone included; None if it exceeds version 3."""
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
        return message_page(title, "", words)
    picture = blank()
    paste(picture, field, 0, 0)
    room = WIDTH - HEIGHT - 5
    left = HEIGHT + 5
    put_centred(picture, title, 2, 22, largest(title, room, 22, 12, 26) or 12, left, room)
    size, boxes = chunks(words.replace("/", " /", 1), room, 34, 10, 16)
    y = 30
    for line in boxes[0]:
        write(picture, line, left, y, size)
        y += pitch(size)
    return (to_image(picture),)


def join(url: str, say: Say = english) -> Page:
    """Show the way in: a QR code with the address beside it, or the address alone where it is too long for a code."""
    return _code_page(url, say(t("Join")), typed(url))


def wifi(ssid: str, password: str) -> Page:
    """Show the code that takes a phone into the table's own Wi-Fi, on a page of its own."""
    escaped = [part.translate({ord(sign): "\\" + sign for sign in '\\;,":'}) for part in (ssid, password)]
    kind = "WPA" if password else "nopass"
    return _code_page(
        f"WIFI:T:{kind};S:{escaped[0]};P:{escaped[1]};;",
        "Wi-Fi",
        f"{ssid} {password}".strip(),
    )


def _names(snapshot: Snapshot, say: Say) -> dict[Seat, str]:
    return named(snapshot.names, snapshot.seats, say(t("Seat @1")))


def _who(snapshot: Snapshot, say: Say) -> tuple[tuple[str, ...], tuple[Seat, ...]]:
    """Yield ever shorter words for who is due, with the seats that they name."""
    due = tuple(seat for seat in snapshot.views[0].waiting if seat != TABLE)
    names = _names(snapshot, say)
    if not due:
        return (say(t("The table")), say(t("Table"))), ()
    if len(due) == 1:
        return forms(names, due[0]), due
    if len(due) == snapshot.seats:
        return (say(t("Everybody")), say(t("All"))), due
    if len(due) == 2:
        return joined(tuple(forms(names, seat) for seat in due)), due
    return (say(t("{due} players", due=len(due))),), due


def _awaited(snapshot: Snapshot, due: tuple[Seat, ...], say: Say) -> str:
    """Return in a few words what the match waits for."""
    if snapshot.owed:
        return say(snapshot.owed[0])
    if snapshot.provisional:
        return say(t("{provisional}. Done?", provisional=bare(snapshot.provisional[-1])))
    headline = snapshot.views[0].headline
    said = say(headline)
    if len(due) != 1:
        return said
    # The name stands above in large letters already.
    name = _names(snapshot, say)[due[0]]
    if said.startswith(name) and said[len(name) : len(name) + 1] in (" ", ":", ","):
        return said[len(name) :].lstrip(" :,")
    called = _names(snapshot, english)[due[0]]
    return (_choices(snapshot, due[0], say) or said) if called in headline else said


def _choices(snapshot: Snapshot, seat: Seat, say: Say) -> str:
    """Return what a seat may do: "add, discard or draw"; a single action in full."""
    may = [may for view in snapshot.views if view.seat == seat for may in view.may if may.verdict.ok and not may.aside]
    # What is chosen is named by one word, which alone could mean anything.
    ways = (say(t("choice: {name}", name=each.name.replace("-", " "))).removeprefix("choice: ") for each in may)
    names = tuple(dict.fromkeys(ways))
    if len(names) < 2:
        return say(may[0].words) if may else ""
    return f"{', '.join(names[:-1])} {say(t('or'))} {names[-1]}"


def turn(snapshot: Snapshot, say: Say = english) -> Page:
    """Show whose turn it is, as large as it gets, and below it what is waited for."""
    ways, due = _who(snapshot, say)
    awaited = _awaited(snapshot, due, say)
    if not due and awaited:
        return titled(say(t("The table")), awaited)
    fitted = block(awaited, WIDTH, 17, 14, 20)
    size, boxes = (fitted[0], (fitted[1],)) if fitted else chunks(awaited, WIDTH, 28, 13, 16)
    foot = pitch(size) * (max(len(lines) for lines in boxes) - 1) + round(size * 1.03) if awaited else 0
    images = []
    for lines in boxes:
        picture = blank()
        put_big(picture, ways, 0, HEIGHT - foot - 4, 24 if len(due) == 1 else 18)
        put_lines(picture, size, lines, HEIGHT - foot, round(foot - size * 0.28))
        images.append(to_image(picture))
    return tuple(images)


def auction(snapshot: Snapshot, now: float, offer: int | None = None, say: Say = english) -> Page:
    """Show what is bid, who leads, who is asked, the time that is left, and what the knob `offer`s."""
    if snapshot.timer is None:
        return turn(snapshot, say)
    return moments.auction(snapshot, snapshot.timer, now, offer, say)


def clock(snapshot: Snapshot, now: float, say: Say = english) -> Page:
    """Show whose time runs, what is left of it, and a bar; what is waited for stands on the page of the turn."""
    timer = _play_timer(snapshot)
    if timer is None:
        return turn(snapshot, say)
    ways = _who(snapshot, say)[0] if timer.seat != TABLE else (say(t("Sand glass")),)
    return moments.clock(ways, timer, now, say)


def ladders(snapshot: Snapshot, say: Say = english) -> Page:
    """Show the ladders that may ruin everything, lit up to where they stand; below them who is due, and what to do."""
    watched = _watched(snapshot)
    if not watched:
        return turn(snapshot, say)
    picture = blank()
    high = _RUNGS.get(len(watched), (HEIGHT - 17) // len(watched))
    for i, ladder in enumerate(watched):
        top = i * high
        size = min(16, high + 1)
        write(
            picture, cut(ladder.short or say(ladder.title), 20, size), 0, top + (high - round(size * 0.75)) // 2, size
        )
        number = ink(str(ladder.value), size)
        paste(picture, number, WIDTH - number.shape[1], top + (high - number.shape[0]) // 2)
        rungs, left, right = ladder.high - ladder.low + 1, 22, WIDTH - 20
        for rung in range(rungs):
            x, x1 = left + (right - left) * rung // rungs, left + (right - left) * (rung + 1) // rungs - 1
            picture[top + 1 : top + high - 1, x:x1] = True
            if ladder.low + rung > ladder.value:
                picture[top + 2 : top + high - 2, x + 1 : x1 - 1] = False
    ways, due = _who(snapshot, say)
    top = high * len(watched) + 1
    awaited = _awaited(snapshot, due, say)
    foot = 0 if not awaited else 27 if HEIGHT - top > 40 else (HEIGHT - top) // 2
    size, boxes = chunks(awaited, WIDTH, foot, 12, 16) if awaited else (12, ((),))
    images = []
    for lines in boxes:
        page = picture.copy()
        put_big(page, ways, top, HEIGHT - top - foot, 14)
        put_lines(page, size, lines, HEIGHT - foot, foot)
        images.append(to_image(page))
    return tuple(images)


_RUNGS = {1: 19, 2: 14, 3: 11, 4: 9}
"""Height (px) of a ladder by how many there are; of more, what leaves room for the name below them."""


def _watched(snapshot: Snapshot) -> tuple[Ladder, ...]:
    """Return the ladders that have a point at which they become dangerous, four at most."""
    return tuple(ladder for ladder in snapshot.views[0].ladders if ladder.alarm is not None)[:4]


def scores(snapshot: Snapshot, say: Say = english) -> Page:
    """Show everybody's score, up to eight seats; the lit rows are those whose turn it is."""
    picture = blank()
    seats = snapshot.standing.seats
    names = _names(snapshot, say)
    columns = 1 if len(seats) <= 4 else 2
    deep = max(1, -(-len(seats) // columns))
    high, wide = HEIGHT // deep, (WIDTH - 2 * (columns - 1)) // columns
    goal = f"/{snapshot.standing.goal}" if snapshot.standing.goal is not None and columns == 1 else ""
    size = min(26, round((high - 5) / 0.75))
    # A line's capitals are centred, but what hangs below it ("g") has to show as well.
    base = min((high - 1 + round(size * 0.75)) // 2, high - 1 - round(size * 0.22))
    for index, standing in enumerate(seats):
        left, top = (index // deep) * (wide + 2), (index % deep) * high
        row = np.zeros((high - 1, wide), np.bool_)
        score = f"{standing.score}{goal}"
        left_of_score = wide - 2 - width(score, size)
        room = left_of_score - 7

        def fitting(way: str, room: int = room) -> int | None:
            return largest(way, room, high, min(size, 14), size)

        way = next((way for way in forms(names, standing.seat) if fitting(way)), f"S{standing.seat}")
        name_size = fitting(way) or 10
        write(row, way, 2, base - round(name_size * 0.75), name_size)
        write(row, score, left_of_score, base - round(size * 0.75), size)
        paste(picture, ~row if standing.seat in snapshot.views[0].waiting else row, left, top)
    return (to_image(picture),)


def alert(snapshot: Snapshot, say: Say = english) -> Page:
    """Show a violation: why, and what to do about it."""
    violation = snapshot.violation
    if violation is None:
        return turn(snapshot, say)
    remedy = violation.remedy or (violation.moves[0] if violation.moves else "")
    if violation.nearest:
        remedy = t("Did you mean: {nearest}", nearest=violation.nearest)
    title = violation.headline or t("Look here")
    said = message_page(title, violation.rule, sentence(violation.reason), sentence(remedy), say)
    return (*said, *point(snapshot, say))


def question(snapshot: Snapshot, say: Say = english) -> Page:
    """Show a question, and in the lit bar the answer that the button gives."""
    asked = snapshot.question
    if asked is None:
        return turn(snapshot, say)
    bar = 19 if asked.choices else 0
    answer = say(asked.choices[0].words) if asked.choices else ""
    size, boxes = chunks(say(asked.words), WIDTH, HEIGHT - bar - 3, 13, 26)
    images = []
    for lines in boxes:
        picture = blank()
        put_lines(picture, size, lines, 0, HEIGHT - bar - 3)
        if asked.choices:
            more = f"+{len(asked.choices) - 1}" if len(asked.choices) > 1 else ""
            put_bar(picture, f"> {answer}", HEIGHT - bar, bar, more)
        images.append(to_image(picture))
    if answer and not fits_bar(f"> {answer}"):
        images += titled(say(t("The button answers")), answer)
    return tuple(images)


def trouble(snapshot: Snapshot, say: Say = english) -> Page:
    """Show why the eye can't see the table."""
    found = next((trouble for trouble in snapshot.troubles if trouble.kind in BLINDING), None)
    return message_page(t("I can't see"), "", found.words, say=say) if found else turn(snapshot, say)


def steps(snapshot: Snapshot, say: Say = english) -> Page:
    """Show what is still to lay out (setting up) or to put back (after an undo), one piece at a time."""
    title = t("Set up") if snapshot.phase == "setting-up" else t("Put right")
    said = say(snapshot.owed[0] if snapshot.owed else snapshot.sentence or snapshot.views[0].headline)
    to_go = say(t("{owed} to go", owed=len(snapshot.owed))) if snapshot.owed else ""
    return (*titled(say(title), capital(said), to_go), *point(snapshot, say))


def ended(snapshot: Snapshot, say: Say = english) -> Page:
    """Show who won, then the scores."""
    outcome = snapshot.standing.outcome
    if outcome is None:
        return scores(snapshot, say)
    names = _names(snapshot, say)
    if not outcome.winners:
        return (*titled(say(t("Match over")), say(outcome.words)), *scores(snapshot, say))
    picture = blank()
    if len(outcome.winners) == 1:
        ways, verb = forms(names, outcome.winners[0]), say(t("wins!"))
    else:
        ways = joined(tuple(forms(names, seat) for seat in outcome.winners))
        verb = say(t("win together!"))
    put_big(picture, ways, 0, 38, 22 if len(outcome.winners) == 1 else 18)
    put_word(picture, verb, 42, 22, 22 if len(outcome.winners) == 1 else 18)
    return (to_image(picture), *scores(snapshot, say))


Occasion = tuple[str, str]
"""The subject of the display: the kind of page, and a key that tells pages of that kind apart."""


def occasion(snapshot: Snapshot | None) -> Occasion:
    """Return the most important: over, violation, question, blindness, set-up or putting right, bid, ladders, turn."""
    if snapshot is None or snapshot.game == GATHERING:
        return "join", ""
    if snapshot.phase == "over":
        return "ended", ""
    if snapshot.violation:
        return "alert", snapshot.violation.reason
    if snapshot.question:
        return "question", snapshot.question.id
    blind = next((trouble for trouble in snapshot.troubles if trouble.kind in BLINDING), None)
    if blind:
        return "trouble", blind.kind
    if snapshot.phase in ("setting-up", "restoring"):
        return "steps", snapshot.phase
    if snapshot.timer is not None:
        return "auction", f"{snapshot.timer.price} {snapshot.timer.seats}"
    kind = "ladders" if _watched(snapshot) else "turn" if _play_timer(snapshot) is None else "clock"
    return kind, ",".join(str(seat) for seat in snapshot.views[0].waiting)


def _play_timer(snapshot: Snapshot) -> PlayTimer | None:
    """Return the clock that is played against where it says something: it runs, has run out, or is a sand glass."""
    timer = snapshot.play_timer
    return timer if timer is not None and (timer.seat != TABLE or timer.kind == "glass") else None


def running_timer(snapshot: Snapshot) -> Timer | PlayTimer | None:
    """Return the clock that matters now: a bid's, or the one that is played against."""
    return snapshot.timer if snapshot.timer is not None else _play_timer(snapshot)


class Invitation:
    """How people join: the address, and the table's own Wi-Fi if it has one."""

    def __init__(self, url: str = "", ssid: str = "", password: str = "") -> None:
        self.url = url
        self.ssid = ssid
        self.password = password


def welcome(say: Say = english) -> Page:
    """Show that it is on and waits for a match."""
    picture = blank()
    put_big(picture, ("Companion",), 4, 30, 20)
    put_word(picture, say(t("ready")), 38, 20, 20)
    return (to_image(picture),)


_GAME: dict[str, Callable[[Snapshot, Say], Page]] = {
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
    """Return the pages that the page button cycles through; the first is the default."""
    ways = tuple(name for name, there in (("join", invitation.url), ("wifi", invitation.ssid)) if there)
    if snapshot is None or snapshot.game == GATHERING:
        return ways or ("welcome",)
    first = occasion(snapshot)[0]
    if first == "steps" and snapshot.phase == "setting-up" and not snapshot.record and invitation.url:
        # Before the first record people still have to get in; what to lay out is on their phones too.
        return (*ways, "steps", "scores")
    timed = () if _play_timer(snapshot) is None else ("clock",)
    rest = (
        name
        for name in (*timed, "turn", "scores", *ways)
        if name != first and not (name == "turn" and first == "ended")
    )
    return (first, *rest)


def draw(
    name: str,
    snapshot: Snapshot | None,
    invitation: Invitation,
    now: float = 0.0,
    offer: int | None = None,
    say: Say = english,
) -> Page:
    """Return a page by name at a time (monotonic seconds); one that can't be drawn now becomes the welcome page.

    `offer` is what the knob would bid; `say` puts sentences into the table's language.
    """
    if name == "join" and invitation.url:
        return join(invitation.url, say)
    if name == "wifi" and invitation.ssid:
        return wifi(invitation.ssid, invitation.password)
    if snapshot is not None and name == "auction":
        return auction(snapshot, now, offer, say)
    if snapshot is not None and name == "clock":
        return clock(snapshot, now, say)
    if snapshot is not None and name in _GAME:
        return _GAME[name](snapshot, say)
    return welcome(say)
