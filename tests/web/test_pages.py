"""The pages as they come: whole without a script, nothing from elsewhere, nothing that the policy would block."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.eye.view import Trouble
from companion.files import data
from companion.referee.journal import Evidence
from companion.referee.snapshot import Choice, Question, Violation
from companion.rules.kernel import SeatStanding, Share, Standing
from companion.server.words.pages import headline
from tests.server.conftest import Clients
from tests.server.desks import WON, MatchDesk, ShowDesk, picture
from tests.server.phones import be_host, join

WEB = data("web")
VIOLATION = Violation(
    "illegal",
    "4. Gameplay",
    "the yellow key does not match the red star",
    "Take it back; a red card would do.",
    ("take the yellow key away from the discard pile",),
    "Bo discards the red key.",
    ("put the red key there",),
)
QUESTION = Question("q7", "which", "What happened?", (2,), (Choice("0", "Bo adds it."), Choice("1", "Bo discards it.")))


def text_of(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def test_the_table_page_says_everything_without_a_script(client_of: Clients) -> None:
    desk = ShowDesk(
        violation=VIOLATION,
        question=QUESTION,
        provisional=("Cleo adds the blue key.",),
        owed=("put the moon back",),
        troubles=(Trouble("dark", "It is too dark: switch a lamp on."),),
    )
    words = text_of(client_of(desk).get("/").text)
    for expected in (
        "It is the turn of Anna.",
        "The yellow key does not match the red star.",
        "Rulebook: 4. Gameplay",
        "Take it back; a red card would do.",
        "Did you mean: Bo discards the red key. Then put the red key there.",
        "What happened?",
        "Bo adds it.",
        "Bo discards the red star.",
        "Cleo adds the blue key.",
        "Put the moon back",
        "It is too dark: switch a lamp on.",
        "Anna",
        "Blue moon",
        "Green leaf (missing)",
        "Anna draws a card.",
    ):
        assert expected in words


def test_of_many_things_seen_the_last_two_are_told(client_of: Clients) -> None:
    """Twelve cards that come up would leave the table no room: the wall shows them larger than it names them."""
    seen = tuple(f"Card {n} comes up." for n in range(1, 10))
    words = text_of(client_of(ShowDesk(provisional=seen)).get("/").text)
    assert "seen Card 8 comes up. Card 9 comes up. and 7 more" in words
    assert "Card 7 comes up." not in words


def test_a_seats_page_says_what_may_be_done_and_why_not(client_of: Clients) -> None:
    client = client_of(MatchDesk())
    join(client, 1)
    words = text_of(client.get("/seat/1").text)
    assert "Your turn: add or discard a card" in words
    assert "Discard a symbol card: a red card or a star" in words
    assert "Do nothing" in words
    assert "Draw a card from the deck Anna holds 7 cards, and 7 are the limit." in words


def test_a_seat_that_waits_is_told_why_once(client_of: Clients) -> None:
    client = client_of(MatchDesk())
    join(client, 2, "Bo")
    words = text_of(client.get("/seat/2").text)
    assert words.count("it is the turn of") == 1


def test_the_log_leads_to_why(client_of: Clients) -> None:
    desk = ShowDesk()
    crop = picture("x", (80, 60), "JPEG")
    desk.why[2] = Evidence(crop, None, ("@2 discards the red star.", "@2 uses Pile swap."))
    client = client_of(desk)
    assert 'href="/log/2"' in client.get("/").text
    assert 'href="/log/1"' not in client.get("/").text
    page = client.get("/log/2").text
    assert "/evidence/2/before.jpg" in page
    assert "/evidence/2/after.jpg" not in page
    assert "Bo discards the red star. (taken) Bo uses Pile swap." in text_of(page)
    assert client.get("/evidence/2/before.jpg").data == crop
    assert client.get("/evidence/2/after.jpg").status_code == 404
    assert "somebody said so on a phone" in text_of(client.get("/log/1").text)
    assert client.get("/log/99").status_code == 404


def test_a_picture_of_another_match_is_not_shown_for_a_record_of_this(client_of: Clients) -> None:
    desk = ShowDesk()
    first, second = (picture(words, (80, 60), "JPEG") for words in ("one", "two"))
    desk.why[2] = Evidence(first, None, ())
    client = client_of(desk)
    shown = client.get("/evidence/2/before.jpg")
    assert shown.headers["Cache-Control"] == "no-cache"
    kept = {"If-None-Match": shown.headers["ETag"]}
    again = client.get("/evidence/2/before.jpg", headers=kept)
    assert (again.status_code, again.data) == (304, b"")
    desk.show(match="0199")
    desk.why[2] = Evidence(second, None, ())
    other = client.get("/evidence/2/before.jpg", headers=kept)
    assert (other.status_code, other.data) == (200, second)


def test_the_end_of_a_match_is_shown(client_of: Clients) -> None:
    standing = Standing(tuple(SeatStanding(seat, 5 if seat == 2 else 1) for seat in (1, 2, 3)), WON, 5)
    page = client_of(ShowDesk(standing=standing, phase="over")).get("/").text
    assert "The match is over." in page
    assert text_of(page).count("winner") == 1


@pytest.mark.parametrize("path", ["/", "/seat/1", "/host", "/join", "/log", "/log/2", "/nowhere", "/join/3"])
def test_pages_keep_to_their_own_policy(client_of: Clients, path: str) -> None:
    client = client_of(ShowDesk(violation=VIOLATION, question=QUESTION))
    join(client, 1)
    be_host(client)
    answer = client.get(path)
    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
    html = answer.text
    assert not re.search(r"<script(?![^>]*\ssrc=)", html)
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:", html)
    assert not re.search(r"""(?:src|href|action)=["'](?:https?:)?//""", html)
    assert html.count("<h1") == 1
    assert '<html lang="en">' in html


@pytest.mark.parametrize("path", ["/camera.jpg", "/oled.png", "/join.svg"])
def test_pictures_come_as_pictures(client_of: Clients, path: str) -> None:
    answer = client_of(ShowDesk()).get(path)
    assert answer.status_code == 200
    assert answer.mimetype.startswith("image/")


def test_a_table_without_camera_or_oled_says_so(client_of: Clients, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = ShowDesk()
    monkeypatch.setattr(desk, "picture", lambda _: None)
    monkeypatch.setattr(desk, "oled_png", lambda: None)
    client = client_of(desk)
    page = client.get("/").text
    assert 'data-picture="oled"' not in page
    # The camera's place is kept for its first picture, and nothing is asked for before.
    assert '<figure class="camera" hidden>' in page
    assert 'src="/camera.jpg' not in page
    early = client.get("/camera.jpg")
    assert (early.status_code, early.text) == (423, "There is no camera picture yet.\n")
    assert client.get("/oled.png").text == "This table has no OLED.\n"


def test_until_a_new_match_has_a_picture_the_last_one_is_shown(
    client_of: Clients, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = ShowDesk()
    client = client_of(desk)
    shown = client.get("/camera.jpg?small=1&v=1").data
    monkeypatch.setattr(desk, "picture", lambda _: None)
    desk.shot += 1
    answer = client.get("/camera.jpg?small=1&v=1")
    assert (answer.status_code, answer.data) == (200, shown)


def test_the_camera_is_asked_once_a_picture(client_of: Clients, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = ShowDesk()
    shots: list[int] = []
    monkeypatch.setattr(desk, "picture", lambda _: shots.append(desk.shot) or b"jpeg")
    client = client_of(desk)
    for _ in range(3):
        client.get("/camera.jpg")
    desk.shot = 2
    client.get("/camera.jpg")
    assert shots == [1, 2]


@pytest.mark.parametrize(
    "path", ["/static/../templates/base.html", "/static/%2e%2e/templates/base.html", "/static/x.css"]
)
def test_only_static_files_are_static(client_of: Clients, path: str) -> None:
    assert client_of(ShowDesk()).get(path).status_code == 404


def test_nothing_comes_from_another_host() -> None:
    for file in sorted(WEB.rglob("*")):
        if file.is_file() and file.suffix != ".mo":
            found = set(re.findall(r"https?://[^\s\"'<>)]+", file.read_text(encoding="utf-8")))
            # A camera in somebody's own network, as an example of how one is written.
            found = {one for one in found if not re.match(r"https?://[^/]*\b192\.168\.", one)}
            assert found <= {"http://www.w3.org/2000/svg"}, file.name


def test_static_files_may_be_kept_for_good_and_change_address_with_their_contents(client_of: Clients) -> None:
    client = client_of(ShowDesk())
    address = re.search(r'href="(/static/companion\.css\?v=[0-9a-f]{8})"', client.get("/").text)
    assert address is not None
    assert "immutable" in client.get(address[1]).headers["Cache-Control"]


def test_every_figure_and_icon_that_pages_use_is_in_the_picture_file() -> None:
    symbols = set(re.findall(r'<symbol id="([^"]+)"', (WEB / "static" / "figures.svg").read_text()))
    chips = (WEB / "templates" / "chips.html").read_text()
    used = set(re.findall(r'"([a-z-]+)"', chips.split("FIGURES = ")[1].split("]")[0]))
    used |= set(re.findall(r'"([a-z-]+)"', chips.split("ICONS = ")[1].split("]")[0]))
    assert len(used) == 12
    assert used | {"information"} <= symbols


def test_no_line_of_a_page_is_longer_than_140_letters() -> None:
    files = [path for path in WEB.rglob("*") if path.suffix in (".html", ".css", ".js", ".svg")]
    long = [
        f"{path.name}:{n}"
        for path in files
        for n, line in enumerate(path.read_text("utf-8").split("\n"), 1)
        if len(line) > 140
    ]
    assert files
    assert long == []


def test_every_template_is_used() -> None:
    templates = {str(path.relative_to(WEB / "templates")) for path in (WEB / "templates").rglob("*.html")}
    sources = [
        path.read_text() for room in ("server", "appliance", "hall") for path in Path("companion", room).rglob("*.py")
    ]
    sources += [path.read_text() for path in (WEB / "templates").rglob("*.html")]
    text = "\n".join(sources)
    for name in templates:
        stem = Path(name).stem
        assert name in text or (name.startswith(("parts/", "hall/")) and f'"{stem}"' in text), name


@pytest.mark.parametrize(
    ("sentence", "cut"),
    [
        ("Bo gives Ada a die.", ("", "Bo gives Ada a die.", "")),
        ("Quarter 3. Bo pays $6, with coins.", ("Quarter 3", "Bo pays $6, with coins.", "")),
        (
            "Ada leads with 5; waiting for Bo: the Organist among Sheep.",
            ("", "Ada leads with 5", "Waiting for Bo: the Organist among Sheep."),
        ),
        (
            "Ada rolls two dice and puts one card under so many others.",
            ("", "Ada rolls two dice and puts one card under so many others.", ""),
        ),
    ],
)
def test_a_headline_is_cut_where_a_clause_ends(sentence: str, cut: tuple[str, str, str]) -> None:
    assert headline(sentence) == cut


def test_a_team_has_one_score_and_circles(client_of: Clients) -> None:
    seats = tuple(SeatStanding(seat, 2) for seat in (1, 2, 3))
    standing = Standing(seats, None, 30, (Share("A", 2, 10), Share("B", 0, 20)), "reports")
    page = client_of(ShowDesk(standing=standing)).get("/").text
    tally = page.partition('data-part="tally">')[2].partition("</section>")[0]
    assert "2 of 30 reports" in text_of(tally)
    assert tally.count('class="circle"') == 2
    assert 'class="points"' not in tally
    assert text_of(tally).count("30") == 1
