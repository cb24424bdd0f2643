"""Games that are made in the browser: kept whole or not at all, by the host alone, and never over another's."""

from __future__ import annotations

import errno
import html
import io
import json
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from companion import games
from companion.games.from_file import score_file
from companion.games.from_file.writing import written
from companion.server import maker_answers
from companion.server.maker_api import Draft, MakerError, NameTakenError, PlayedError, Tried
from companion.server.maker_features import DEFAULTS
from companion.sim.robots import choose
from companion.sim.world import world_of
from companion.table import made_games
from companion.table.made_games import MadeGames
from tests.nights import at_night, every
from tests.server.desks import MatchDesk
from tests.server.phones import be_host

TEN = ["cribbage", "gin-rummy", "golf", "hearts", "oh-hell", "president", "scopa", "spades", "whist", "yacht"]


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Give the owner's folder."""
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    return tmp_path / "card_codes"


@pytest.fixture
def maker(home: Path) -> MadeGames:
    return MadeGames(lambda: "", lambda: None, lambda name: None)


@pytest.fixture
def host(client_of: Any, maker: MadeGames) -> FlaskClient:
    desk = MatchDesk()
    desk.maker = maker
    client: FlaskClient = client_of(desk)
    be_host(client)
    return client


def three(maker: MadeGames, title: str = "Scopa for three") -> Draft:
    scopa = maker.draft("scopa")
    return Draft(title=title, mat=scopa.mat, without=scopa.without, score={**scopa.score, "players": {"seats": [3, 3]}})


@pytest.mark.parametrize("name", TEN)
def test_a_game_that_is_written_anew_is_the_same(name: str, maker: MadeGames) -> None:
    text = (games.contents(name, "score.toml"), written(games.contents(name, "score.toml")))
    assert score_file.read(text[1]) == score_file.read(written(text[0]))
    draft = maker.draft(name)
    assert maker.troubles(draft) == ()
    assert written({**draft.score, "title": draft.title}) == text[1]


def test_a_draft_that_is_changed_leaves_the_game_as_it_was(maker: MadeGames) -> None:
    score = maker.draft("scopa").score
    score["option"][0]["default"] = 99
    score["row"]["zone"] = "elsewhere"
    again = maker.draft("scopa")
    assert (again.title, again.score["option"][0]["default"], again.score["row"]["zone"]) == ("Scopa", 11, "row")
    assert games.contents("scopa", "score.toml")["title"] == "Scopa"


def test_a_kept_game_can_be_played_and_changed_again(maker: MadeGames, home: Path) -> None:
    name = maker.keep(three(maker))
    assert name == "scopa-for-three"
    assert games.load(name).info.seats == (3, 3)
    changed = maker.draft(name)
    assert (
        maker.keep(Draft(title="Scopa, us three", name=name, mat="row", without=changed.without, score=changed.score))
        == name
    )
    assert games.load(name).info.title == "Scopa, us three"
    assert sorted(path.name for path in home.iterdir()) == [name]


def test_a_name_without_latin_letters_is_kept_under_a_number(maker: MadeGames) -> None:
    kept = [maker.keep(three(maker, title)) for title in ("Дурак", "Дурак 2", "王 2")]
    assert len(set(kept)) == 3
    assert [games.load(name).info.title for name in kept] == ["Дурак", "Дурак 2", "王 2"]


def test_a_name_that_is_taken_is_refused(maker: MadeGames) -> None:
    with pytest.raises(NameTakenError) as theirs:
        maker.keep(three(maker, "Hearts"), over=True)
    assert not theirs.value.own
    maker.keep(three(maker))
    with pytest.raises(NameTakenError) as mine:
        maker.keep(three(maker))
    assert mine.value.own
    assert maker.keep(three(maker), over=True) == "scopa-for-three"


def test_a_full_disk_changes_nothing(maker: MadeGames, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    maker.keep(three(maker))
    before = {path.name: path.read_bytes() for path in (home / "scopa-for-three").iterdir()}

    @contextmanager
    def full(path: Path, mode: int = 0o644) -> Iterator[Any]:
        if path.name == "score.toml":
            raise OSError(errno.ENOSPC, "No space left on device")
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            yield file

    monkeypatch.setattr(made_games, "written_whole", full)
    with pytest.raises(MakerError, match="No space left"):
        maker.keep(three(maker), over=True)
    assert {path.name: path.read_bytes() for path in (home / "scopa-for-three").iterdir()} == before
    assert [path.name for path in home.iterdir()] == ["scopa-for-three"]


def test_a_game_that_is_played_is_not_written_over(home: Path) -> None:
    maker = MadeGames(lambda: "scopa-for-three", lambda: None, lambda name: None)
    with pytest.raises(MakerError, match="being played"):
        maker.keep(three(maker))


def test_a_game_whose_matches_are_kept_is_saved_by_another_name(client_of: Any, home: Path) -> None:
    played: list[str] = []
    maker = MadeGames(lambda: "", lambda: None, lambda name: None, lambda name: name in played)
    played.append(maker.keep(three(maker)))
    draft = maker.draft("scopa-for-three")
    again = {**draft.score, "coach": "Take much."}
    assert maker.keep(msgspec.structs.replace(draft, score=again)) == "scopa-for-three", "sentences may change"
    changed = {**again, "match": {"points": 7}}
    with pytest.raises(PlayedError) as refused:
        maker.keep(msgspec.structs.replace(draft, score=changed))
    assert refused.value.title == "Scopa for three 2"
    assert maker.draft("scopa-for-three").score == again
    exported = {"form": "companion-game", "version": 1, "game": {"title": "Scopa for three", "mat": "row"}}
    exported["game"] |= {"without": list(draft.without), "score": changed}
    assert maker.take_in(json.dumps(exported).encode(), over=True) == "scopa-for-three-2"

    desk = MatchDesk()
    desk.maker = maker
    client = client_of(desk)
    be_host(client)
    played.append("scopa-for-three-2")
    held = msgspec.json.encode(msgspec.structs.replace(draft, score={**again, "match": {"points": 9}})).decode()
    answer = client.post("/host/games/new", data={"draft": held, "do": "keep"})
    assert answer.status_code == 409
    assert 'value="Scopa for three 3"' in answer.text


AMISS = [
    ("golf", {"players": {"seats": [4, 3]}}, "From 4 to 3 players: the first number is the larger one."),
    ("golf", {"players": {"seats": [0, 3]}}, "Players: 0 is too small; 1 at least."),
    ("golf", {"players": {"seats": [2, 3], "partners": True}}, "Partners are two against two"),
    ("golf", {"match": {}}, "The match never ends: type a number"),
    ("golf", {"round": {"ends": "hands"}}, "A round ends when all cards are played only with tricks"),
    ("golf", {"round": {"ends": "boxes"}}, "A round ends when every box is filled only with dice"),
    ("golf", {"score": [{"name": "a", "op": "add", "of": ["b"]}]}, "The file builds on b, which these answers"),
    ("golf", {"score": [{"name": "a", "op": "sum", "cards": ["grid"], "times": 9999}]}, "times: 9999 is too large"),
    ("hearts", {"round": {"hand": 14, "ends": "hands"}}, "4 players would hold 56 cards, and the deck has 52"),
    ("hearts", {"round": {"hand": 13, "first": "holder"}}, "Choose the card whose holder begins."),
]


@pytest.mark.parametrize(("like", "changed", "words"), AMISS)
def test_what_is_missing_is_told_in_the_forms_words(
    maker: MadeGames, like: str, changed: dict[str, Any], words: str
) -> None:
    draft = maker.draft(like)
    found = maker.troubles(msgspec.structs.replace(draft, score=draft.score | changed))
    assert any(words in said for said in found), found
    assert not any(re.search(r"[=\[\]_`]", said) for said in found), found


@pytest.mark.parametrize(
    ("language", "words"),
    [("de", "4 Personen hätten 56 Karten"), *at_night(("sv", "4 spelare skulle hålla 56 kort"))],
)
def test_what_is_missing_is_told_in_german_and_swedish_too(
    host: FlaskClient, maker: MadeGames, language: str, words: str
) -> None:
    draft = maker.draft("hearts")
    held = msgspec.json.encode(replace(draft, score=draft.score | AMISS[-2][1])).decode()
    spoken = {"Accept-Language": language}
    assert words in host.post("/host/games/new", data={"draft": held, "do": "look"}, headers=spoken).text


def test_the_score_of_cards_that_are_tapped(maker: MadeGames) -> None:
    worth = maker.worth(three(maker), Tried(seats=3, cards={"taken.2": ("207", "201")}, sweeps=(1, 0, 0)))
    assert worth is not None
    assert worth.points == (1, 3, 0)


def exported(maker: MadeGames, **changes: Any) -> bytes:
    maker.keep(three(maker))
    given = json.loads(maker.export("scopa-for-three"))
    maker.remove("scopa-for-three")
    return json.dumps({**given, **changes}).encode()


def test_an_exported_game_comes_back(maker: MadeGames) -> None:
    assert maker.take_in(exported(maker)) == "scopa-for-three"
    assert games.load("scopa-for-three").info.seats == (3, 3)


BAD: list[Any] = [
    b"",
    b"\x00\xff",
    b"[" * 100_000,
    b'{"form": "companion-game", "version": 2, "game": {"title": "A"}}',
    b'{"form": "companion-game", "version": 1, "game": {"title": "../../etc", "score": {"a": {"b": 1.5}}}}',
    b'{"form": "companion-game", "version": 1, "game": {"title": "A", "mat": "../standard/deck"}}',
    b'{"form": "companion-game", "version": 1, "game": {"title": "A", "packs": 90}}',
    b'{"form": "companion-game", "version": 1, "game": {"title": "A", "files": {"../x": "y"}}}',
]


@pytest.mark.parametrize("given", BAD, ids=range(len(BAD)))
def test_a_bad_upload_is_refused_and_leaves_nothing(given: bytes, host: FlaskClient, home: Path) -> None:
    answer = host.post("/host/games", data={"file": (io.BytesIO(given), "x.json")})
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert not home.exists() or not list(home.iterdir())


def test_an_upload_that_is_too_large_is_refused(host: FlaskClient, home: Path) -> None:
    answer = host.post("/host/games", data={"file": (io.BytesIO(b" " * 300_000), "x.json")})
    assert answer.status_code == 413
    assert not home.exists()


def test_no_path_leads_out_of_the_folder(host: FlaskClient, maker: MadeGames, home: Path) -> None:
    draft = three(maker, "../../../tmp/evil")
    assert maker.keep(Draft(title=draft.title, name="../../x", mat="row", score=draft.score)) == "tmp-evil"
    assert host.get("/host/games/..%2F..%2Fx.json").status_code == 404
    assert host.post("/host/games/..%2Fstandard/delete", data={"sure": "yes"}).status_code in (404, 409)


class Fields(HTMLParser):
    """What a browser would send of a form that nobody has touched."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.sent: list[tuple[str, str]] = []
        self.labels: list[str] = []
        self.named: list[str] = []
        self._select = ""
        self._options: list[tuple[str, bool]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = {key: value or "" for key, value in attrs}
        if tag == "label" and "for" in has:
            self.labels.append(has["for"])
        if (
            tag in ("input", "select", "textarea")
            and not has.get("aria-label")
            and has.get("type") not in ("hidden", "checkbox", "radio")
        ):
            self.named.append(has.get("id", ""))
        if tag == "select":
            self._select, self._options = has["name"], []
        elif tag == "option":
            self._options.append((has["value"], "selected" in has))
        elif tag == "input" and has.get("name") and (has.get("type") not in ("checkbox", "radio") or "checked" in has):
            self.sent.append((has["name"], has.get("value", "")))

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            chosen = [value for value, selected in self._options if selected] or [self._options[0][0]]
            self.sent.append((self._select, chosen[-1]))


def filled(page: str, **changes: str) -> dict[str, list[str]]:
    """What a browser sends of a form in which somebody has typed something."""
    sent: dict[str, list[str]] = {}
    for key, value in Fields(page).sent:
        sent.setdefault(key, []).append(value)
    return {**sent, **{key: [value] for key, value in changes.items()}}


@pytest.mark.night
@pytest.mark.parametrize("name", ["spades", *at_night(*(one for one in TEN if one != "spades"))])
def test_screens_that_nobody_has_touched_change_nothing(host: FlaskClient, maker: MadeGames, name: str) -> None:
    """Every screen of every question is opened and left as it is."""
    page, before = host.get(f"/host/games/new?change={name}").text, maker.draft(name)
    for step in re.findall(r'value="go:(\w+)"', page):
        page = host.post("/host/games/new", data=filled(page, do=f"go:{step}")).text
        fields = Fields(page)
        assert set(fields.named) - {""} <= set(fields.labels), "every field has a label"
        page = host.post("/host/games/new", data=filled(page, do="go:name")).text
    assert msgspec.json.decode(dict(Fields(page).sent)["draft"], type=Draft) == before


@pytest.mark.parametrize(
    ("like", "language"),
    [("scopa", "de"), *every(3, ((one, "en") for one in TEN)), *at_night(("yacht", "de"), ("cribbage", "sv"))],
)
def test_every_game_to_begin_with_opens_is_saved_and_played(host: FlaskClient, like: str, language: str) -> None:
    spoken = {"Accept-Language": language}
    assert f'<option value="{like}">' in host.get("/host/games/new", headers=spoken).text
    page = host.get(f"/host/games/new?like={like}", headers=spoken)
    assert page.status_code == 200
    saved = host.post("/host/games/new", data=filled(page.text, title="Our own", do="play"), headers=spoken)
    assert saved.headers.get("Location") == "/host/new/our-own", saved.text
    game, rng = games.load("our-own"), random.Random(3)
    seats = game.info.seats[1]
    world = world_of(game, seats, {}, rng)
    state: Any = game.setup(seats, {}, world.setup())
    world.deal(state)
    for _ in range(40):
        action = choose(game, state, world, rng)
        after = game.play(state, action, world.facts(state, action))
        world.apply(state, action, after)
        state = after
    assert not game.audit(state)


@pytest.mark.parametrize("kind", DEFAULTS)
def test_a_game_of_each_kind_is_made_without_a_script_by_its_usual_answers(host: FlaskClient, kind: str) -> None:
    """From the kind to "Begin" there are at most twelve answers, and every screen says the rule."""
    assert f'href="/host/games/new?kind={kind}"' in host.get("/host/games/new").text
    page, answers = host.get(f"/host/games/new?kind={kind}").text, 1
    while dict(Fields(page).sent)["step"] != "name":
        page, answers = host.post("/host/games/new", data=filled(page, do="next")).text, answers + 1
        assert 'class="so-far"' in page or 'name="bid"' in page or 'name="counts"' in page or "special" in page
    saved = host.post("/host/games/new", data=filled(page, title="Ours", do="play"))
    assert saved.headers.get("Location") == "/host/new/ours", saved.text
    assert answers + 2 <= 12
    assert games.load("ours").info.title == "Ours"


def test_a_changed_answer_is_in_the_sentence_at_once(host: FlaskClient) -> None:
    page = host.get("/host/games/new?kind=tricks").text
    page = host.post("/host/games/new", data=filled(page, pairs="yes", do="look")).text
    assert "Four play in pairs." in page


@pytest.mark.parametrize(
    ("like", "step", "field", "typed", "words"),
    [
        ("hearts", "deal", "hand", "7, x", "Cards in a hand: that can't stand there"),
        ("hearts", "deal", "hand", "99", "Cards in a hand: 99 is too large; 60 at most"),
        ("golf", "who", "high", "12", "Players: 12 is too large; 6 at most"),
        ("hearts", "end", "end", "x", "Usually: that can't stand there"),
        ("hearts", "end", "end", "0", "Type a number from 1 with which the match ends"),
        ("golf", "worth", "values.1", "1/3", "“1 = 1/3” can't be read"),
    ],
)
def test_no_number_that_was_typed_becomes_another_one(
    host: FlaskClient, like: str, step: str, field: str, typed: str, words: str
) -> None:
    page = host.get(f"/host/games/new?like={like}").text
    page = host.post("/host/games/new", data=filled(page, do=f"go:{step}")).text
    before = dict(Fields(page).sent)[field]
    wrong = host.post("/host/games/new", data=filled(page, **{field: typed}, do="look")).text
    assert words in wrong.replace("&#39;", "'")
    right = host.post("/host/games/new", data=filled(wrong, **{field: before}, do="go:name")).text
    drafts = (msgspec.json.decode(dict(Fields(shown).sent)["draft"], type=Draft) for shown in (right, page))
    one, other = (maker_answers.asked(draft) | {"least": ""} for draft in drafts)
    assert one == other, "and can be put right"


def test_cards_to_tap_bear_the_letters_of_cards(host: FlaskClient) -> None:
    page = host.post("/host/games/new", data=filled(host.get("/host/games/new?like=hearts").text, do="go:try")).text
    marks = re.findall(r'name="lay".*?<span\s+aria-hidden="true">(\w+)', page, re.DOTALL)
    assert marks == ["A", *map(str, range(2, 11)), "J", "Q", "K"] * 4
    german = {"Accept-Language": "de"}
    begun = filled(host.get("/host/games/new?like=hearts").text, do="go:try")
    assert "Tricks taken" not in host.post("/host/games/new", data=begun, headers=german).text


def test_what_no_question_asks_is_told_and_changed_in_the_file_itself(host: FlaskClient) -> None:
    page = host.get("/host/games/new?like=gin-rummy").text
    page = host.post("/host/games/new", data=filled(page, title="A", do="go:file")).text
    text = html.unescape(re.search("<textarea[^>]*>(.*?)</textarea>", page, re.DOTALL)[1])  # type: ignore[index]
    strange = text.replace(
        "score = [", 'score = [\n  { name = "luck", op = "count", says = "Luck", cards = ["discard"] },'
    )
    wrong = host.post(
        "/host/games/new", data=filled(page, text=strange.replace('"count", says', '"counts", says'), do="look")
    ).text
    assert "line 15: " in wrong
    page = host.post("/host/games/new", data=filled(page, text=strange, do="go:name")).text
    assert page.count("Luck: 1 point for each such card.") == 1, "told once, as what the file says"
    page = host.post("/host/games/new", data=filled(page, do="go:end")).text
    page = host.post("/host/games/new", data=filled(page, end="60", do="go:name")).text
    assert host.post("/host/games/new", data=filled(page, do="keep")).status_code == 303
    kept = games.load("a")
    assert {option.name: option.default for option in kept.info.options}["end"] == 60
    assert games.contents("a", "score.toml")["score"][0]["name"] == "luck"


def test_a_file_that_can_not_be_read_stays_as_it_was_typed(host: FlaskClient) -> None:
    page = host.get("/host/games/new?like=golf").text
    page = host.post("/host/games/new", data=filled(page, do="go:file")).text
    answer = host.post("/host/games/new", data=filled(page, text="mat = [", do="go:name"))
    assert (answer.status_code, "mat = [</textarea>" in answer.text) == (400, True)


def test_the_score_of_what_is_laid_out_stands_beside_the_questions(host: FlaskClient) -> None:
    page = host.get("/host/games/new?kind=row").text
    page = host.post("/host/games/new", data=filled(page, do="go:try")).text
    page = host.post("/host/games/new", data=filled(page, place="taken.2", lay="207")).text
    page = host.post("/host/games/new", data=filled(page, do="go:counts")).text
    assert re.search(r"<tfoot>.*?<b>0</b>.*?<b>1</b>", page, re.DOTALL), page
    page = host.post("/host/games/new", data=filled(page, cards="3", do="next")).text
    assert re.search(r"<tfoot>.*?<b>0</b>.*?<b>3</b>", page, re.DOTALL), page


def test_a_page_that_was_not_ours_is_refused(host: FlaskClient) -> None:
    for draft in ("", "{", json.dumps({"score": {"a": json.loads("[" * 60 + "]" * 60)}})):
        answer = host.post("/host/games/new", data={"draft": draft, "do": "next"})
        assert (answer.status_code, "not ours" in answer.text) == (400, True)
