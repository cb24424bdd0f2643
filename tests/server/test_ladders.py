"""What belongs to a ladder stands under it on the table page, and nowhere else."""

from __future__ import annotations

import re

from tests.server.conftest import Clients
from tests.server.played import PlayedDesk


def test_every_response_stands_under_the_crisis_of_its_scenario(client_of: Clients) -> None:
    desk = PlayedDesk("collection", 4)
    client = client_of(desk)
    feed = client.application.extensions["companion"].feed
    seen: set[str] = set()
    for _ in range(400):
        if not desk.step():
            break
    feed.refresh()
    html = feed.parts("public", feed.moment)["ladders"]
    for part in html.split("<h2>Crisis in ")[1:]:
        letter = part[0]
        for item in re.findall(r"<li><span>(.*?)</span>", part):
            assert re.sub(r"<[^>]+>", "", item).endswith(f" in {letter}")
            seen.add(letter)
    responses = [one for one in desk.snapshot().views[0].ladders if one.alarm is None]
    assert html.count("<meter") == len(responses)
    assert {one.under for one in responses} == seen
    assert len(seen) > 1
