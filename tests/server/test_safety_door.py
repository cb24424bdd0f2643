"""What every answer and every request is held to, whoever asks: cookies, policy, own pages, own names, sizes, paths."""

from __future__ import annotations

import io
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.files import data
from companion.server.app import LARGEST_BODY, POLICY
from companion.server.guard import PROBES
from companion.server.hand_pages import LARGEST_PHOTO
from companion.server.keys import TRIES, Keys
from companion.server.maker_pages import LARGEST as LARGEST_GAME
from companion.server.match_pages import LARGEST_EXPORT
from companion.table.table import Table
from tests.nights import at_night
from tests.server.addresses import calls, methods, paths, rules
from tests.server.conftest import Clients
from tests.server.desks import ShowDesk
from tests.server.hands import HandsDesk
from tests.server.phones import be_host, join

Everybody = dict[str, FlaskClient]
LARGEST = {
    "/hand/<int:seat>/photo": LARGEST_PHOTO,
    "/matches": LARGEST_EXPORT,
    "/host/games": LARGEST_GAME,
    "/host/games/new": LARGEST_GAME,
}


class _Written(HTMLParser):
    """Finds what a page must not have in it: a script or a style of its own, somebody else's page, other hosts."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag in ("style", "iframe", "object", "embed", "base") or (
            # What is data is not run.
            tag == "script" and not given.get("src") and given.get("type") != "application/json"
        ):
            self.found.append(tag)
        for name, value in attrs:
            if name.startswith("on") or name in ("style", "srcdoc"):
                self.found.append(f"{tag} {name}")
            if name in ("src", "href", "action", "formaction") and re.match(
                r"\s*(javascript:|data:|https?:|//)", value or "", re.I
            ):
                self.found.append(f"{tag} {name} {value}")


def written_into(page: str) -> list[str]:
    """List what a page has in it that it must not have."""
    parser = _Written()
    parser.feed(page)
    return parser.found


@pytest.fixture(autouse=True)
def unhurried(everybody: Everybody) -> None:
    """Nobody is turned away for asking too much."""
    here = everybody["host"].application.extensions["companion"]
    here.limits._clock = lambda: 0.0
    here.limits._buckets.clear()


# ---------------------------------------------------------------------------------------------------------- cookies


def test_no_script_and_no_other_site_can_use_a_key(client_of: Clients) -> None:
    client = client_of(ShowDesk())
    other = client.application.test_client()
    answers = [
        join(client, 1),
        be_host(client),
        other.post("/join/ask", data={"seat": "1"}),
        client.post("/leave", data={"seat": "1"}),
        client.post("/host/leave"),
    ]
    for answer in answers:
        for cookie in answer.headers.getlist("Set-Cookie"):
            # One that is taken back has nothing in it to be read.
            assert ("HttpOnly" in cookie and "SameSite=Lax" in cookie) or "=; Expires=Thu, 01 Jan 1970" in cookie
            assert "Path=/" in cookie
            assert "Domain" not in cookie
    assert sum(len(answer.headers.getlist("Set-Cookie")) for answer in answers) == 5


def test_a_key_is_long_random_and_never_in_an_address_or_a_page(table: Table, everybody: Everybody) -> None:
    app = everybody["host"].application
    client = app.test_client()
    tokens = set()
    for _ in range(3):
        answer = join(client, 3, "Cleo")
        token = answer.headers["Set-Cookie"].split("=", 1)[1].split(";")[0]
        assert len(token) >= 43
        assert token not in answer.headers["Location"]
        assert token not in client.get("/seat/3").text
        assert token.encode() not in client.get("/state/seat-3").data
        tokens.add(token)
        client.post("/leave", data={"seat": "3"})
        client.delete_cookie("companion_seat_3")
    assert len(tokens) == 3


# ------------------------------------------------------------------------------------------------------- own pages


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://localhost.evil.example", "file://"])
def test_what_another_sites_page_posts_is_turned_down_everywhere(everybody: Everybody, origin: str) -> None:
    app = everybody["host"].application
    tried = 0
    for rule in rules(app):
        if "POST" in methods(rule):
            for path in paths(app, rule):
                for who in ("host", "seat 1"):
                    answer = everybody[who].post(path, data={"seat": "1"}, headers={"Origin": origin})
                    assert answer.status_code == 403, (path, who)
                    tried += 1
    assert tried > 40


def test_a_form_of_another_site_can_not_send_a_wish_even_if_its_origin_were_lost(everybody: Everybody) -> None:
    body = '{"do": "end"}'
    for kind in ("text/plain", "application/x-www-form-urlencoded", "application/json"):
        assert everybody["host"].post("/command", data=body, content_type=kind).status_code == 403
    plain = everybody["host"].post("/command", data=body, content_type="text/plain", headers={"X-Companion": "1"})
    assert plain.status_code == 415


def test_no_answer_lets_other_sites_read_it(table: Table, everybody: Everybody) -> None:
    for path in ("/", "/state/public", "/parts/public", "/camera.jpg", "/nothing"):
        answer = everybody["host"].get(path, headers={"Origin": "http://evil.example"})
        assert not [name for name, _ in answer.headers if name.lower().startswith("access-control")]


# ---------------------------------------------------------------------------------------------------------- policy


def looked_over(answer: Any, path: str) -> bool:
    """Check what every answer must have; tell whether it was a page."""
    assert answer.headers["Content-Security-Policy"] == POLICY, path
    assert answer.headers["X-Content-Type-Options"] == "nosniff", path
    if answer.mimetype != "text/html":
        return False
    assert written_into(answer.text) == [], path
    return True


def test_the_policy_lets_nothing_in_from_elsewhere_and_nothing_written_into_a_page_run() -> None:
    rules_ = dict(part.split(" ", 1) for part in POLICY.split("; "))
    assert rules_["default-src"] == "'none'"
    assert set(rules_.values()) == {"'none'", "'self'"}
    assert rules_["frame-ancestors"] == rules_["base-uri"] == "'none'"
    assert rules_["form-action"] == "'self'"


def test_every_page_keeps_the_policy_and_has_no_script_or_style_of_its_own(table: Table, everybody: Everybody) -> None:
    pages = set()
    for who in ("host", "seat 1", "stranger"):
        for method, rule, path in calls(everybody[who].application, table.match.header.id):
            if method == "GET" and not rule.startswith(("/events", "/course.pdf")):
                answer = everybody[who].get(path)
                if looked_over(answer, path):
                    pages.add(rule)
    assert len(pages) > 20


def test_pages_of_a_simulated_table_keep_it_too(client_of: Clients) -> None:
    client = client_of(HandsDesk())
    join(client, 1)
    be_host(client)
    for path in ("/", "/seat/1", "/host", "/simulated"):
        assert looked_over(client.get(path), path)


def test_no_template_has_a_script_or_a_style_in_it() -> None:
    """Of pages that are hard to come by, too: those of the camera, of troubles, of the end of a match."""
    templates = sorted((data("web") / "templates").rglob("*.html"))
    assert len(templates) > 30
    for template in templates:
        page = re.sub(r"\{\{.*?\}\}|\{%.*?%\}", "x", template.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert written_into(page) == [], template.name


@pytest.mark.parametrize(
    "page",
    [
        "<script>x</script>",
        "<p style='a'>",
        "<a onclick=x>",
        "<a href='javascript:x'>",
        "<img src=//evil.example/x>",
        "<iframe></iframe>",
        "<form action=http://evil.example>",
    ],
)
def test_what_is_written_into_a_page_is_found(page: str) -> None:
    assert written_into(page)
    assert not written_into("<script src='/static/a.js'></script><p class=a>onclick=x style=y</p>")


def test_errors_keep_it_too(everybody: Everybody) -> None:
    client = everybody["stranger"]
    answers = [
        client.get("/nothing"),
        client.put("/"),
        client.post("/command", data=b"x" * (LARGEST_BODY + 1)),
        client.post("/leave"),
        client.get("/static/nothing"),
        client.get("/state/seat-99"),
    ]
    assert [answer.status_code for answer in answers] == [404, 405, 403, 403, 404, 404]
    for answer in answers:
        looked_over(answer, "an error")


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", '"><img src=x onerror=x>', "{{7*7}}", "'-x-'"])
def test_a_name_is_shown_as_it_was_typed_and_is_no_code(client_of: Clients, name: str) -> None:
    from tests.server.desks import MatchDesk

    client = client_of(MatchDesk())
    join(client, 1, name[:24])
    be_host(client)
    for path in ("/", "/seat/1", "/host", "/join", "/log", "/course"):
        page = client.get(path).text
        assert written_into(page) == [], path
        assert "7*7" not in name or "{{7*7}}" in page or path in ("/join", "/log", "/course"), path


# ----------------------------------------------------------------------------------------------------------- names


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "10.42.0.1.evil.example"])
def test_by_another_name_there_is_nothing_to_be_had(table: Table, everybody: Everybody, host: str) -> None:
    for method, _, path in calls(everybody["host"].application, table.match.header.id):
        if path in PROBES:
            continue
        answer = everybody["host"].open(path, method=method, headers={"Host": host})
        if method == "GET":
            assert answer.status_code == 302, path
            assert answer.headers["Location"] == "http://10.42.0.1/"
        else:
            assert answer.status_code == 421, path


# ----------------------------------------------------------------------------------------------------------- sizes


class _Endless(io.RawIOBase):
    """A body without an end, that counts what was read of it."""

    def __init__(self) -> None:
        self.count = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        size = 65536 if size < 0 else size
        self.count += size
        assert self.count < 64 * 1024 * 1024, "it is read without an end"
        return b"a" * size

    def readinto(self, buffer: Any) -> int:
        buffer[:] = self.read(len(buffer))
        return len(buffer)


@pytest.mark.parametrize("told", [True, *at_night(False)], ids=["its length told", "in pieces"])
def test_no_address_reads_more_than_it_may(table: Table, everybody: Everybody, told: bool) -> None:
    app = everybody["host"].application
    tried = 0
    for rule in rules(app):
        if "POST" not in methods(rule):
            continue
        for path in paths(app, rule, table.match.header.id):
            for kind in ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json"):
                who = "seat 1" if "/hand/1" in path else "host"
                body = _Endless()
                length = {"CONTENT_LENGTH": str(10**9)} if told else {"wsgi.input_terminated": True}
                answer = everybody[who].post(
                    path,
                    content_type=kind,
                    headers={"X-Companion": "1"},
                    environ_overrides={**length, "wsgi.input": body},
                )
                assert answer.status_code < 500, (path, kind)
                assert body.count <= LARGEST.get(rule.rule, LARGEST_BODY) + 2 * 65536, (path, kind, body.count)
                tried += 1
                if rule.rule == "/host/leave":
                    everybody["host"].post("/host/enter", data={"pin": table.host_pin})
    assert tried > 50


def test_a_field_or_a_name_of_any_length_is_bounded(everybody: Everybody, table: Table) -> None:
    long = "A" * 60_000
    forms = {"/join": {"seat": "3", "name": long}, "/host/enter": {"pin": long}, "/join/ask": {"seat": long}}
    for path, form in forms.items():
        answer = everybody["stranger"].post(path, data=form)
        assert 400 <= answer.status_code < 500, path
        assert len(answer.data) < 40_000, path


# ----------------------------------------------------------------------------------------------------------- paths

CLIMBS = (
    "../../../../../../etc/passwd",
    "..%2f..%2f..%2fetc/passwd",
    "%2e%2e/%2e%2e/etc/passwd",
    "....//....//etc/passwd",
    "..\\..\\etc\\passwd",
    "/etc/passwd",
    "//etc/passwd",
    "\x00",
    "%00",
    "C:\\windows\\win.ini",
    "~root/.bashrc",
    "journal.db",
    "seats.json",
    "../pyproject.toml",
    "../templates/base.html",
    "..%5c..%5cpyproject.toml",
)


@pytest.mark.parametrize("climb", CLIMBS)
def test_no_address_leads_out_of_its_folder(everybody: Everybody, climb: str) -> None:
    for before in (
        "/static/",
        "/log/",
        "/matches/",
        "/cards/",
        "/cards/five-cards-collector/face/",
        "/evidence/1/",
        "/cards/five-cards-collector/print/a4/",
        "/cards/five-cards-collector/print/",
        "/cards/five-cards-collector/small/",
        "/host/new/",
        "/state/",
    ):
        for after in ("", ".webp", ".jpg", ".png", ".jsonl", "/cards.pdf"):
            answer = everybody["host"].get(before + climb + after)
            assert answer.status_code in (302, 308, 404), (before, climb, after)
            if answer.status_code in (302, 308):
                assert re.match(r"(http://localhost)?/", answer.headers["Location"])
            assert b"root:" not in answer.data
            assert b"SQLite" not in answer.data
            assert b"{% " not in answer.data


def test_an_owners_folder_gives_away_only_what_pages_are_made_of(
    client_of: Clients, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "data" / "web"
    own.parent.mkdir()
    (tmp_path / "data" / "secret.txt").write_text("nobody's")
    (tmp_path / "journal.db").write_text("nobody's")
    own.symlink_to(data("web"), target_is_directory=True)
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    client = client_of(ShowDesk())
    assert client.get("/static/companion.css").status_code == 200
    for path in (
        "/static/../secret.txt",
        "/static/..%2f..%2fsecret.txt",
        "/static/../../journal.db",
        "/static/../templates/base.html",
    ):
        answer = client.get(path)
        assert answer.status_code == 404, path
        assert b"nobody's" not in answer.data


# ------------------------------------------------------------------------------------------------------------- PIN


def test_the_pin_is_never_a_usual_one_and_long_enough(table: Table) -> None:
    assert re.fullmatch(r"\d{6}", table.host_pin)
    pins = {Table(table._make_session, table.match.header, None, "").host_pin for _ in range(5)}
    assert len(pins) == 5


def test_whoever_tries_pins_is_locked_out_even_with_the_right_one_and_from_another_address() -> None:
    time = [0.0]
    keys = Keys("0190", "482913", None, lambda: time[0])
    assert all(keys.enter(f"{n:06}") is None for n in range(TRIES))
    assert keys.enter("482913") is None
    assert 0 < keys.retry_after() <= 60
    time[0] = 60.1
    assert keys.enter("482913") is not None
    # Ten a minute, day and night: to try half of a million PINs takes a month.
    assert 500_000 / TRIES / 60 / 24 > 30


def test_where_the_pin_is_asked_for_again_tries_are_counted_as_at_the_door() -> None:
    time = [0.0]
    keys = Keys("0190", "482913", None, lambda: time[0])
    assert keys.knows("482913")
    assert not any(keys.knows(f"{n:06}") for n in range(TRIES))
    assert not keys.knows("482913")
    assert keys.enter("482913") is None
    time[0] = 60.1
    assert keys.knows("482913")
