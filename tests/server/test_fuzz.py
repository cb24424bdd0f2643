"""Whatever comes in, the server answers with a sentence and goes on; it never fails inside."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import get_args, get_origin

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from companion.server.app import create_app, shut
from companion.server.page_commands import Asked
from tests.server.desks import MatchDesk
from tests.server.phones import be_host, join, send

KINDS = sorted((get_origin(kind) or kind).__struct_config__.tag for kind in get_args(Asked))
FIELDS = (
    "seat",
    "action",
    "facts",
    "question",
    "choice",
    "steps",
    "edits",
    "mode",
    "name",
    "button",
    "speed",
)
PLAIN = st.none() | st.booleans() | st.integers(-3, 10**20) | st.floats() | st.text(max_size=12)
ACTIONS = st.fixed_dictionaries(
    {"type": st.sampled_from(("draw", "discard", "add", "use", "take", "take-over", "stuck", "turn-up", "goal"))},
    optional={
        "seat": st.integers(-1, 5),
        "card": st.sampled_from(("00B", "00N", "01P", "zzz", "")) | PLAIN,
        "victim": st.integers(-1, 5),
        "player": st.integers(-1, 9),
        "from_seat": st.integers(-1, 5),
        "to": st.sampled_from(("own", "discard", "x")),
    },
)
VALUES = (
    PLAIN | st.integers(0, 4) | ACTIONS | st.lists(st.dictionaries(st.text(max_size=6), PLAIN, max_size=3), max_size=3)
)
WISHES = st.builds(
    lambda kind, fields: {"do": kind, **fields},
    st.sampled_from([*KINDS, "dance"]),
    st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=5),
)


@pytest.fixture(scope="module")
def host() -> Iterator[FlaskClient]:
    """A browser that may do everything, at a real match."""
    desk = MatchDesk(3)
    app = create_app(desk, close=desk.close)
    client = app.test_client()
    join(client, 1)
    be_host(client)
    yield client
    shut(app)


CALM = settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.mark.night
@CALM
@given(wish=WISHES)
def test_any_wish_gets_a_sentence(host: FlaskClient, wish: dict[str, object]) -> None:
    answer = send(host, json.dumps(wish))
    assert answer.status_code < 500
    told = answer.get_json()
    assert told["ok"] or len(told["message"]) > 10


@CALM
@given(body=st.binary(max_size=60))
def test_any_bytes_get_a_sentence(host: FlaskClient, body: bytes) -> None:
    answer = send(host, body)
    assert answer.status_code == 400
    assert answer.get_json()["message"]


@CALM
@given(
    before=st.sampled_from(
        ("/", "/seat/", "/join/", "/log/", "/events/", "/parts/", "/state/", "/evidence/", "/static/")
    ),
    rest=st.text(max_size=20),
    method=st.sampled_from(("GET", "POST", "PUT", "HEAD")),
)
def test_any_address_is_answered(host: FlaskClient, before: str, rest: str, method: str) -> None:
    # Without its own host the client would read one out of an address that begins with two strokes; half a number in
    # brackets it can't read as one.
    assume(not re.match(r"//[^/?#]*[\[\]]", before + rest))
    answer = host.open(before + rest, base_url="http://localhost/", method=method, buffered=False)
    assert answer.status_code < 500
    answer.close()


@CALM
@given(stamp=st.text(max_size=20))
def test_any_stamp_is_answered(host: FlaskClient, stamp: str) -> None:
    assert host.get("/parts/public", query_string={"after": stamp}).status_code == 200
    assert host.get("/state/public", query_string={"after": stamp}).status_code in (200, 204)
