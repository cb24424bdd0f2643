"""The first evening, from the command to the first trick of Hearts: what people tap is all that they need."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion import games
from companion.codes import BACK
from tests.nights import at_night
from tests.web.conftest import PHONE
from tests.web.evening import PATIENCE_MS, Film, Hands, People, filming, started, table_with_markers

pytestmark = pytest.mark.browser
PORT = 18653
GUESTS = ("Ann", "Bo", "Cy")
TRICK = {1: "102", 2: "105", 3: "10D", 4: "10A"}
"""The card that each seat lays: the two of clubs leads, and the third seat's king takes the trick."""
MOST_TAPS, MOST_OF_A_GUEST = 25, 4


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    return tmp_path


def lead(people: People, host: Page, camera: Page) -> None:
    """Go from the first page to the chosen game: a phone becomes the camera, is aimed, and the table is measured."""
    people.tap("Host", host.get_by_role("link", name="A phone"))
    camera.goto(host.locator(".typed").inner_text())
    people.tap("Host", camera.get_by_role("button", name="Give the camera"))
    people.tap("Host", host.locator("a.main", has_text="Aim the camera"))
    people.tap("Host", host.get_by_role("link", name="Measure the table"))
    people.tap("Host", host.get_by_role("button", name="Measure"))
    people.tap("Host", host.get_by_role("button", name="The table is empty"))
    people.tap("Host", host.get_by_role("link", name="New match"))
    people.tap("Host", host.locator('[data-game="hearts"]'))


def teach(people: People, host: Page, hands: Hands) -> int:
    """Teach an ordinary deck a dozen cards at a time; return how many layings it took."""
    pieces = {card.title: card.piece for card in games.load("hearts").deck.cards}
    people.tap("Host", host.get_by_role("button", name="My deck has no codes"))
    people.tap("Host", host.get_by_role("button", name="The mat is empty"))
    layings = 0
    while True:
        host.wait_for_selector(".coming, form[action='/host/again']", timeout=PATIENCE_MS)
        named = host.locator(".coming li").all_inner_texts()
        if not named:
            break
        hands.lay_out([(pieces[name], "F") if name in pieces else (BACK, "B") for name in named])
        with host.expect_navigation(timeout=PATIENCE_MS):
            people.tap("Host", host.get_by_role("button", name="Take them"))
        layings += 1
        assert layings < 9, host.inner_text("main")
    hands.lay_out([])
    people.tap("Host", host.get_by_role("button", name="Begin with these cards"))
    return layings


@pytest.mark.parametrize("codes", [True, *at_night(False)])
def test_from_the_command_to_the_first_trick_of_hearts(codes: bool, home: Path, chromium: Browser) -> None:
    begun, people = time.monotonic(), People()
    camera_over, there = table_with_markers(codes=codes)
    film = Film(home / "film.y4m", camera_over)
    with started(home, PORT) as (address, pin), filming(chromium, film) as camera:
        contexts = [chromium.new_context(**PHONE) for _ in range(4)]
        host, *others = [context.new_page() for context in contexts]
        host.goto(f"{address}#{pin}")
        lead(people, host, camera)
        hands = Hands(film, there, games.load_mat("hearts", 4))
        if codes:
            people.tap("Host", host.get_by_role("button", name="Begin", exact=True))
        else:
            assert teach(people, host, hands) == 5
        expect(host.get_by_text("The others scan this")).to_be_visible(timeout=PATIENCE_MS)
        for seat, (name, page) in enumerate(zip(("Host", *GUESTS), (host, *others), strict=True), start=1):
            if page is not host:
                page.goto(address.replace("/host", "/j"))
            people.tap(name, page.locator(f'.chair:has(input[value="{seat}"])'))
            people.type(name, page.locator("#name"), name)
            people.tap(name, page.get_by_role("button", name="Sit down"))
            page.wait_for_selector('body[data-live="live"]')
        header = host.locator("header").first
        for seat, piece in TRICK.items():
            hands.lay(piece, f"play.{seat}")
            due = "The trick goes to Bo" if seat == 4 else f"It is the turn of {GUESTS[seat - 1]}"
            expect(header).to_contain_text(due, timeout=PATIENCE_MS)
        for piece in TRICK.values():
            hands.lay(piece, "taken.3", "B")
        expect(others[1].locator("header").first).to_contain_text("Lay a card to the trick", timeout=PATIENCE_MS)
        expect(header).to_contain_text("It is the turn of Bo", timeout=PATIENCE_MS)
        for context in contexts:
            context.close()
    print(f"{(time.monotonic() - begun) / 60:.1f} minutes, taps: {dict(people.taps)}")
    assert people.taps["Host"] <= MOST_TAPS
    assert max(people.taps[guest] for guest in GUESTS) <= MOST_OF_A_GUEST
