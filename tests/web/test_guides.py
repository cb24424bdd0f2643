"""How a game goes, on a phone: a turn takes two screens at most, in every language and without a script."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.server.words.catalogue import LANGUAGES
from tests.nights import every
from tests.server.played import GAMES, PlayedDesk
from tests.web.conftest import PHONE, Sites, Watched

pytestmark = pytest.mark.browser
TURN = "() => document.querySelector('section[aria-labelledby=turn]').getBoundingClientRect().bottom / innerHeight"
WIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.parametrize("name", every(5, GAMES))
def test_a_turn_is_told_on_two_screens(name: str, site_of: Sites, browse: Callable[..., Watched]) -> None:
    site = site_of(PlayedDesk(name, 3))
    for language in LANGUAGES:
        page = browse(**PHONE, locale=language, java_script_enabled=False).page()
        page.goto(f"{site}/how")
        assert page.evaluate(TURN) <= 2
        assert page.evaluate(WIDE) <= 0
