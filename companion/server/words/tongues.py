"""Speaks of any match in any language: of one that is over, and on what everybody at the table looks at together.

A page's own voice knows who plays now, and what is printed on the cards of the game that is played. The result of an
earlier match, its log, the little screen and printed pages ask here, with the names and the game that they are about.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache

import msgspec

from companion.referee.course import Course
from companion.referee.snapshot import Snapshot
from companion.rules.cards import Card
from companion.server.camera_api import PrintError, Prints
from companion.server.words.catalogue import ENGLISH, phrasebook
from companion.server.words.voice import Voice

Say = Callable[[str], str]
"""Puts a finished English sentence into a language."""
KEPT = 8
"""Voices that are kept: making one takes some milliseconds."""


SEAT = re.compile(r"Seat \d+")
"""What a seat is called that has no name."""


def english(words: str) -> str:
    """Leave a sentence as it is."""
    return words


def printed_words(cards: Iterable[Card]) -> frozenset[str]:
    """Return the words on cards: their titles, and values of traits that begin with a capital."""
    words = {card.title for card in cards}
    words |= {
        word for card in cards for value in card.traits.values() for word in value.split(", ") if word[:1].isupper()
    }
    return frozenset(words)


def printed(prints: Prints, game: str) -> frozenset[str]:
    """Return the words on a game's cards, and what games and this program are called."""
    titles = frozenset((*(title for _, title in prints.games()), "Companion"))
    try:
        return titles | printed_words(prints.deck(game).cards)
    except PrintError:
        return titles


class Tongues:
    """Makes voices for matches. Any thread may ask."""

    def __init__(self, prints: Prints) -> None:
        """Take the games' decks."""
        self._prints = prints
        self._voice = lru_cache(KEPT)(self._make)

    def __call__(self, language: str, names: Iterable[str], game: str) -> Say:
        """Return what puts sentences about a match of these people at this game into a language; "" is English."""
        return (
            english
            if language in ("", ENGLISH)
            else self._voice(language, tuple(name for name in names if not SEAT.fullmatch(name)), game)
        )

    def _make(self, language: str, names: tuple[str, ...], game: str) -> Voice:
        voice = Voice(phrasebook(language))
        voice.know(names, printed(self._prints, game))
        return voice


def called(names: Iterable[str], say: Say) -> tuple[str, ...]:
    """Return names as they are, and "Seat 2", which is nobody's, in a language."""
    return tuple(say(name) if SEAT.fullmatch(name) else name for name in names)


class HouseTongue:
    """Speaks the table's language, which the host has chosen: for what all look at together."""

    def __init__(self, language: Callable[[], str], prints: Prints) -> None:
        """Ask for the language each time anew: the host may choose another."""
        self._language = language
        self._tongues = Tongues(prints)

    def __call__(self, names: Iterable[str], game: str) -> Say:
        """Return what puts sentences about a match of these people at this game into the table's language."""
        return self._tongues(self._language(), names, game)

    def about(self, snapshot: Snapshot | None) -> Say:
        """Do so for a match as it is now; None is none yet."""
        return self((), "") if snapshot is None else self(snapshot.names.values(), snapshot.game)


def course_in(course: Course, say: Say) -> Course:
    """Put what a match looked back on says into a language. The remarks' kinds stay, by which they count."""
    if say is english:
        return course
    return msgspec.structs.replace(
        course,
        names=called(course.names, say),
        moments=tuple(msgspec.structs.replace(one, words=say(one.words)) for one in course.moments),
        ladders=tuple(msgspec.structs.replace(one, title=say(one.title)) for one in course.ladders),
        remarks=tuple((n, msgspec.structs.replace(one, words=say(one.words))) for n, one in course.remarks),
        outcome=say(course.outcome),
    )
