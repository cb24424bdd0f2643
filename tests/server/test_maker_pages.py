"""Games that are made in the browser: kept whole or not at all, by the host alone, and never over another's."""

from __future__ import annotations

import errno
import io
import json
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace
from werkzeug.datastructures import MultiDict

from companion import games
from companion.games.from_file import score_file
from companion.games.from_file.writing import entry_at, written
from companion.server import maker_form
from companion.server.maker_api import Draft, MakerError, NameTakenError, PlayedError, Tried
from companion.sim.robots import choose
from companion.sim.world import world_of
from companion.table import made_games
from companion.table.made_games import MadeGames
from tests.nights import at_night, every
from tests.server.desks import MatchDesk
from tests.server.phones import be_host

TEN = ["cribbage", "gin-rummy", "golf", "hearts", "oh-hell", "president", "scopa", "spades", "whist", "yacht"]
REST = [name for name in TEN if name != "hearts"]


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


def test_the_line_of_a_block_is_known() -> None:
    text = written({"title": "A", "score": [{"name": "one"}, {"name": "two"}], "match": {"points": 3}})
    line = next(n for n, words in enumerate(text.splitlines(), 1) if "two" in words)
    assert entry_at(text, "score", line) == 1
    assert entry_at(text, "score", 1) is None


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
    ("golf", {"round": {"turn_ends": "row"}}, "The mat has no place called row: choose another mat"),
    ("golf", {"score": [{"name": "a", "op": "sum"}]}, "Tick where the cards lie that it counts."),
    ("golf", {"score": [{"name": "a", "op": "add"}]}, "Tick what it is made of; it has to stand above."),
    ("golf", {"score": [{"name": "a", "op": "add", "of": ["b"]}]}, "b does not stand above it"),
    ("golf", {"score": [{"name": "a", "op": "bid", "of": ["a"]}]}, "Choose what the bid is"),
    ("golf", {"score": [{"name": "a", "op": "sum", "cards": ["grid"], "times": 9999}]}, "Times: 9999 is too large"),
    ("golf", {"score": [{"name": "a", "op": "sum", "cards": ["grid"], "times": "x"}]}, "x does not stand above it"),
    ("golf", {"score": [{"name": "a", "op": "sum", "cards": ["grid"], "worth": "w"}]}, "no table of worths called w"),
    (
        "golf",
        {
            "score": [
                {"name": "a", "op": "sum", "cards": ["deck"]},
                *({"name": b, "op": "add", "of": [a], "times": a} for a, b in pairwise("abcdefghijklmnop")),
            ]
        },
        "Counting that takes too long, or comes to too much",
    ),
    ("hearts", {"round": {"hand": 14, "ends": "hands"}}, "4 players would hold 56 cards, and the deck has 52"),
    ("hearts", {"round": {"hand": 13, "first": "holder"}}, "Choose the card whose holder begins."),
    ("spades", {"entry": [{"name": "bid", "words": "Bid", "high": 900}]}, "0 to 900 can't be chosen from"),
]


@pytest.mark.parametrize(("like", "changed", "words"), AMISS)
def test_what_is_missing_is_told_in_the_forms_words(
    maker: MadeGames, like: str, changed: dict[str, Any], words: str
) -> None:
    draft = maker.draft(like)
    found = [trouble.words for trouble in maker.troubles(msgspec.structs.replace(draft, score=draft.score | changed))]
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
    held = msgspec.json.encode(replace(draft, score=draft.score | AMISS[-3][1])).decode()
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
        if tag in ("input", "select") and has.get("type") not in ("hidden", "checkbox", "radio"):
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


def meant(draft: Draft) -> score_file.Score:
    """Give what a draft says; in which order a block's places are named makes no difference."""
    score = score_file.read(written({**draft.score, "title": "A"}))
    blocks = (replace(block, cards=tuple(sorted(block.cards))) for block in score.score)
    return replace(score, score=tuple(blocks))


@pytest.mark.parametrize("name", ["hearts", *at_night(*REST)])
def test_a_form_that_nobody_has_touched_changes_nothing(host: FlaskClient, maker: MadeGames, name: str) -> None:
    page = Fields(host.get(f"/host/games/new?change={name}").text)
    sent: dict[str, list[str]] = {}
    for key, value in page.sent:
        sent.setdefault(key, []).append(value)
    held = Fields(host.post("/host/games/new", data={**sent, "do": "look"}).text).sent
    draft = msgspec.json.decode(dict(held)["draft"], type=Draft)
    assert meant(draft) == meant(maker.draft(name))
    assert set(page.named) <= set(page.labels), "every field has a label"


def filled(page: str, **changes: str) -> dict[str, list[str]]:
    """What a browser sends of a form in which somebody has typed something."""
    sent: dict[str, list[str]] = {}
    for key, value in Fields(page).sent:
        sent.setdefault(key, []).append(value)
    return {**sent, **{key: [value] for key, value in changes.items()}}


@pytest.mark.parametrize(
    ("like", "language"),
    [("", "en"), ("", "sv"), ("scopa", "de"), *every(3, ((one, "en") for one in TEN)), *at_night(("", "de"))],
)
def test_every_game_to_begin_with_opens_is_saved_and_played(host: FlaskClient, like: str, language: str) -> None:
    spoken = {"Accept-Language": language}
    assert f'href="/host/games/new?like={like}"' in host.get("/host/games/new", headers=spoken).text
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


@pytest.mark.parametrize("do", ["ask", "choose", "worth", "add"])
def test_what_is_added_in_the_form_can_be_kept(host: FlaskClient, do: str) -> None:
    page = host.get("/host/games/new?like=").text
    for one in (do, do):
        page = host.post("/host/games/new", data=filled(page, title="A", op="place", do=one)).text
    kept = host.post("/host/games/new", data=filled(page, title="A", **{"ends.free": "yes"}, do="keep"))
    assert kept.headers.get("Location") == "/host/games?kept=a", kept.text


def test_worths_are_typed_as_people_call_cards(host: FlaskClient) -> None:
    name = next(iter(games.contents("golf", "score.toml")["worth"]))
    page = host.get("/host/games/new?like=golf").text
    line = "A = +5, j: 10; Queen = 10, K=−5, Hearts = 3, other = 0"
    page = host.post("/host/games/new", data=filled(page, title="A", **{f"worth.{name}": line}, do="look")).text
    draft = msgspec.json.decode(dict(Fields(page).sent)["draft"], type=Draft)
    assert draft.score["worth"][name] == {"1": 5, "11": 10, "12": 10, "13": -5, "hearts": 3, "other": 0}
    assert "Nothing is missing" in page


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("1 = fifteen", "“1 = fifteen” can't be read"),
        ("1 = 0.5", "“1 = 0.5” can't be read"),
        ("1 = 1/3", "“1 = 1/3” can't be read"),
        ("1 = 12345", "“1 = 12345” can't be read"),
        ("king ten", "“king ten = ?” can't be read"),
        ("1 = 0,5", "“5 = ?” can't be read"),
        ("25 = 10", "No card is called 25"),
        ("swords = 10", "No card is called swords"),
    ],
)
def test_worths_that_can_not_be_read_are_told_and_stay_as_they_were_typed(
    host: FlaskClient, line: str, words: str
) -> None:
    name = next(iter(games.contents("golf", "score.toml")["worth"]))
    page = host.get("/host/games/new?like=golf").text
    page = host.post("/host/games/new", data=filled(page, title="A", **{f"worth.{name}": line}, do="look")).text
    assert words in page.replace("&#39;", "'")
    assert dict(Fields(page).sent)[f"worth.{name}"].startswith(line.partition(",")[0])


@pytest.mark.parametrize(
    ("like", "field", "typed", "words"),
    [
        ("golf", "hand", "7, x", "Cards in a hand: that can't stand there"),
        ("golf", "hand", "99", "Cards in a hand: 99 is too large; 60 at most"),
        ("golf", "high", "12", "Players: 12 is too large; 6 at most"),
        ("spades", "e0.high", "0.5", "To: that can't stand there"),
        ("hearts", "ends.at", "x", "Usually: that can't stand there"),
        ("hearts", "ends.at", "0", "Type a number from 1 with which the match ends"),
        ("", "ends.at", "0.5", "Points: that can't stand there"),
        ("hearts", "order", "2 3 4 5 6 7 8 9 10 J Q K A Z", "No card is called Z"),
    ],
)
def test_no_number_that_was_typed_becomes_another_one(
    host: FlaskClient, like: str, field: str, typed: str, words: str
) -> None:
    page = host.get(f"/host/games/new?like={like}").text
    page = host.post("/host/games/new", data=filled(page, title="A", **{field: typed}, do="look")).text
    assert words in page.replace("&#39;", "'")


def test_what_a_file_may_say_the_form_says_too() -> None:
    form = MultiDict(
        {
            "draft": msgspec.json.encode(
                Draft(
                    title="A",
                    score={
                        "score": [
                            {"name": "a", "op": "melds"},
                            {"name": "b", "op": "count", "when": {"a": {"more_than": 1}}},
                        ],
                        "option": [{"name": "o", "words": "O", "default": 1, "low": 1, "high": 2}],
                    },
                )
            ).decode(),
            "title": "A",
            "play": "tricks",
            "order": "1, 7, 8",
            "clock": "chess",
            "clock_seconds": "300",
            "o0.words": "End",
            "o0.default": "5",
            "o0.low": "1",
            "o0.high": "9",
            "ends.free": "no",
            "b0.says": "A",
            "b0.lay_off": "knocks",
            "b0.tells": "too much",
            "b0.told": "yes",
            "b1.says": "B",
            "b1.like": "starter",
            "b1.like_in": "suit",
            "b1.when.0": "a",
            "b1.how.0": "more_than",
            "b1.than.0": "1",
            "b1.when.1": "a",
            "b1.how.1": "at_most",
            "b1.than.1": "o",
        }
    )
    score = maker_form.read(form).score
    assert score["tricks"] == {"order": ["1", "7", "8"], "follow": False}
    assert score["clock"] == {"kind": "chess", "seconds": 300}
    assert score["option"] == [{"name": "o", "words": "End", "default": 5, "low": 1, "high": 9}]
    first, second = score["score"]
    assert (first["lay_off"], first["tells"], first["told"]) == ("knocks", "too much", "any")
    assert second["like"] == {"suit": "starter"}
    assert second["when"] == {"a": {"more_than": 1, "at_most": "o"}}


def test_the_form_without_a_script_makes_a_game(host: FlaskClient) -> None:
    page = host.get("/host/games/new?like=scopa").text
    assert "Like Scopa" in page
    scopa = {key: value for key, value in games.contents("scopa", "score.toml").items() if key != "title"}
    held = json.dumps({"mat": "row", "score": scopa})
    form = {
        "draft": held,
        "title": "Ours",
        "low": "3",
        "high": "3",
        "play": "row",
        "dealt": "4",
        "mat": "row",
        "ends.by": "points",
        "ends.at": "15",
        "ends.free": "yes",
        "ties": "on",
    }
    page = host.post("/host/games/new", data={**form, "do": "look"}).text
    assert "Nothing is missing" in page
    answer = host.post("/host/games/new", data={**form, "do": "play"})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/host/new/ours")
    assert {option.name: option.default for option in games.load("ours").info.options}["end"] == 15
