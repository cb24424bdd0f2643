"""What is said aloud: the same for everybody in the room, in every language, and by level."""

from __future__ import annotations

import msgspec
import pytest

from companion.eye.view import Trouble
from companion.referee.aloud import aloud
from companion.referee.snapshot import Violation
from companion.rules.kernel import Part, Shelf
from companion.server.app import create_app, shut
from companion.server.words.speaking import tagged
from tests.nights import every
from tests.server.desks import snapshot, view
from tests.server.played import GAMES, PlayedDesk

WRONG = Violation("illegal", "4. Gameplay", "the card fits neither colour nor figure", "take the blue key back")


def said(shown, level=3):
    return [line.words for line in aloud(shown) if line.level <= level]


def test_a_mistake_and_how_to_mend_it_are_said_first_on_every_level():
    shown = msgspec.structs.replace(snapshot(), violation=WRONG)
    assert said(shown, 1)[:2] == [WRONG.reason, WRONG.remedy]


def test_a_mistake_that_does_not_interrupt_is_not_said():
    quiet = msgspec.structs.replace(snapshot(), violation=msgspec.structs.replace(WRONG, quiet=True))
    assert said(quiet) == said(snapshot())


def test_what_was_understood_is_said_from_the_second_level_on():
    shown = msgspec.structs.replace(snapshot(), sentence="Anna discards the red moon.")
    assert shown.sentence not in said(shown, 1)
    assert shown.sentence in said(shown, 2)


def test_what_keeps_the_camera_from_seeing_is_said_with_the_way_out():
    shown = msgspec.structs.replace(snapshot(), troubles=(Trouble("dark", "It is too dark. Switch a lamp on."),))
    assert "It is too dark. Switch a lamp on." in said(shown, 1)


def test_what_only_a_seat_may_know_is_never_said():
    plain = snapshot()
    secret = view(2, shelves=(Shelf("Only Bo knows", ("01C",)),), numbers=(Part("secret coins", 77),))
    secret = msgspec.structs.replace(secret, headline="Bo holds the red moon.", coach="Lay the red moon.")
    changed = msgspec.structs.replace(plain, views=(plain.views[0], plain.views[1], secret, plain.views[3]))
    assert aloud(changed) == aloud(plain)


@pytest.mark.parametrize("name", every(3, GAMES))
@pytest.mark.night
def test_every_page_of_a_match_says_the_same_in_every_language(name):
    desk = PlayedDesk(name, 3)
    app = create_app(desk, close=desk.close)
    try:
        feed = app.extensions["companion"].feed
        heard = set()
        with app.test_request_context():
            for number in range(40):
                if not desk.step():
                    break
                if number % 8:
                    continue
                feed.refresh()
                for language in ("en", "de", "sv"):
                    texts = {
                        str(feed.parts(tagged(audience, language), feed.moment)["aloud"])
                        for audience in ("public", "seat-1", "seat-2", "seat-3")
                    }
                    assert len(texts) == 1, (language, texts)
                    heard |= texts
        assert len(heard) > 10
    finally:
        shut(app)
