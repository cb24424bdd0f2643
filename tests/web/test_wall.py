"""The wall's columns and the rail beside them are whole at both sizes of a projector, and large enough to be read."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.nights import at_night
from tests.server.played import GAMES, PlayedDesk
from tests.web.conftest import Sites, Watched

pytestmark = pytest.mark.browser
AMISS = """() => [...document.querySelectorAll(".columns *, .tally *")].filter(one => {
  const says = [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim());
  if (!says || one.closest(".unseen, .has") || !one.checkVisibility()) { return false; }
  const box = one.getBoundingClientRect(), room = one.closest(".column, .tally").getBoundingClientRect();
  const scale = one.ownerSVGElement ? one.getScreenCTM().a : 1;
  return parseFloat(getComputedStyle(one).fontSize) * scale < 11.95
    || box.bottom > room.bottom + 1 || box.right > room.right + 1 || box.bottom > innerHeight || box.right > innerWidth;
}).map(one => one.textContent)"""
"""Words that are cut, or under 12 px."""
BROKEN = """() => [...document.querySelectorAll(".tally .name")].filter(
  one => one.offsetHeight > 1.7 * parseFloat(getComputedStyle(one).fontSize)).map(one => one.textContent)"""
"""Names in the rail that go over more than one line."""


@pytest.mark.parametrize("name", ["collection", *at_night(*(one for one in GAMES if one != "collection"))])
def test_the_wall_is_whole_and_readable_at_both_sizes(
    site_of: Sites, browse: Callable[..., Watched], name: str
) -> None:
    desk = PlayedDesk(name, 4)
    for _ in range(60):
        desk.step()
    site = site_of(desk)
    for width, height in ((1280, 720), (1920, 1080)):
        page = browse(viewport={"width": width, "height": height}, locale="de-DE").page()
        page.goto(f"{site}/")
        assert page.locator(".tally .score").count() == 4
        assert page.locator(".column").count() == len(desk.snapshot().views[0].columns)
        assert page.evaluate(AMISS) == []
        assert page.evaluate(BROKEN) == []
