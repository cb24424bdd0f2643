"""Real dice that are typed in, in a real Chromium: a 0 is a number, and an empty field is none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.server.test_typed_dice import RollDesk
from tests.web.conftest import PHONE, Sites, Watched
from tests.web.test_browser import join

pytestmark = pytest.mark.browser


@pytest.mark.night
def test_an_empty_field_is_not_sent_and_a_zero_counts_ten(
    tmp_path: Path, site_of: Sites, browse: Callable[..., Watched]
) -> None:
    desk = RollDesk(tmp_path, "collection", 4)
    phone = browse(**PHONE).page()
    join(phone, site_of(desk), desk.rolls[0].seat, "Anna")
    (need,) = desk.game.needs(desk.state, desk.rolls[0])
    phone.get_by_text("Real dice").first.tap()
    form = phone.locator("form[data-facts]").first
    before = desk.snapshot().record
    form.get_by_role("button", name="Say so").tap()
    expect(form.locator("input:invalid")).to_have_count(need.count)
    form.evaluate("form => { form.noValidate = true; }")
    form.get_by_role("button", name="Say so").tap()
    expect(phone.get_by_text("Enter what every die shows")).to_be_visible()
    assert desk.snapshot().record == before
    for field in form.get_by_role("spinbutton").all():
        field.fill("0")
    form.get_by_role("button", name="Say so").tap()
    expect(phone.locator("[data-record]")).to_have_attribute("data-record", str(before + 1))
    assert desk.snapshot().dice.throws[-1].values == (10,) * need.count
