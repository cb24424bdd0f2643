"""What phones do: join, send commands, read streams."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.server.desks import PIN


def text_of(page: str) -> str:
    """Return what a page says, without its tags; where a line may break inside a word nothing is said."""
    return html.unescape(" ".join(re.sub(r"<[^>]+>", " ", page.replace("<wbr>", "")).split()))


def flat(page: str) -> str:
    """Return a page's source without its line breaks: between attributes they say nothing."""
    return " ".join(page.split())


def join(client: FlaskClient, seat: int, name: str = "Anna", choice: str = "both") -> TestResponse:
    """Take a seat, beside those that this phone has already; or "move" there, or "take" a robot's."""
    return client.post("/join", data={"seat": str(seat), "name": name, "choice": choice})


def be_host(client: FlaskClient) -> TestResponse:
    """Enter the PIN."""
    return client.post("/host/enter", data={"pin": PIN})


def send(client: FlaskClient, wish: Any, **headers: str) -> TestResponse:
    """Send a command as the pages do; text goes as it is."""
    body = wish if isinstance(wish, str | bytes) else json.dumps(wish)
    plain = {"X-Companion": "1", "Content-Type": "application/json"}
    return client.post("/command", data=body, headers={**plain, **headers})


def messages(response: TestResponse) -> Iterator[dict[str, Any]]:
    """Read a stream message by message: {"event", "id", "data"}."""
    text = ""
    for chunk in response.iter_encoded():
        text += chunk.decode()
        while "\n\n" in text:
            one, text = text.split("\n\n", 1)
            fields = dict(line.split(": ", 1) for line in one.split("\n"))
            if "data" in fields:
                fields["data"] = json.loads(fields["data"])
            yield fields
