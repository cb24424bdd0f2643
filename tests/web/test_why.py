"""Asked "why?", the companion says it plainly where the pictures are gone: they are kept of the newest matches only."""

from __future__ import annotations

import pytest

from tests.server.conftest import Clients
from tests.server.desks import ShowDesk
from tests.web.test_pages import text_of


@pytest.mark.night
def test_a_record_whose_evidence_is_gone_is_told_of_in_a_sentence(client_of: Clients) -> None:
    desk = ShowDesk()
    desk.why.clear()
    client = client_of(desk)
    page = client.get("/log/2")
    assert page.status_code == 200
    assert "Nothing was kept about it." in text_of(page.text)
    assert "/evidence/" not in page.text
    picture = client.get("/evidence/2/before.jpg")
    assert picture.status_code == 404
    assert "No such picture was kept for record 2." in picture.text
