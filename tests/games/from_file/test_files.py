"""What a score file may say, and what is told of one that says something else."""

from __future__ import annotations

import random
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from companion import games
from companion.cli.main import cli
from companion.files import data
from companion.games import loader
from companion.games.from_file import FromFile, ScoreError, flow
from companion.games.from_file.checking import check, points
from companion.games.from_file.counting import LARGEST, MOST, Budget, TooMuchError, subsets
from companion.games.from_file.decks import extended
from companion.games.from_file.melds import deadwood
from companion.games.from_file.score_file import Block, Op, line_of, schema
from companion.games.from_file.scoring import Table
from companion.games.from_file.state import Setup
from companion.sim.world import world_of
from companion.text import plain
from tests.nights import at_night

NAMES = loader.from_files()
STANDARD = games.load_deck("standard")


def text_of(name: str) -> str:
    return data(f"card_codes/{name}/score.toml").read_text(encoding="utf-8")


def told(name: str, old: str, new: str) -> list[tuple[int, str, str]]:
    """Change a file that fits, and return what is said of it."""
    text = text_of(name)
    assert old in text
    found = check(text.replace(old, new, 1), games.load_deck(name), loader.places(name))
    return [(problem.line, problem.words, problem.remedy) for problem in found]


@pytest.mark.parametrize("name", NAMES)
def test_the_ten_files_fit(name: str) -> None:
    assert check(text_of(name), games.load_deck(name), loader.places(name)) == ()
    assert (games.load(name).info.code, games.load(name).info.name) == ("SD", name)


WRONG = [
    ("hearts", 'suit = "hearts"', 'colour = "red"', "no card has the trait 'colour'"),
    ("hearts", 'cards = ["taken"]', 'cards = ["took"]', "the mat has no zone 'took'"),
    ("hearts", 'op = "count"', 'op = "cuont"', "score.op ('cuont'): invalid enum value 'cuont'"),
    ("hearts", "times = 13", "tmies = 13", "unknown field `tmies`"),
    ("hearts", 'of = ["hearts", "queen"]', 'of = ["hearts", "struck"]', "nothing above 'moon' is called 'struck'"),
    ("hearts", "hand = 13", "hand = 14", "hands of 4 players hold 56 cards, and the deck has 52"),
    ("hearts", 'card = "102"', 'card = "1"', "the deck has no card '1' that anybody could hold"),
    ("hearts", 'points = "end"', 'points = "ned"', "there is no option 'ned'"),
    ("hearts", 'points = "end", ', "", "the match never ends"),
    ("hearts", "default = 100", "default = 1000", "1000 is not between 20 and 200"),
    ("spades", 'trump = "spades"', 'trump = "swords"', "the deck has no suit 'swords'"),
    ("spades", "seats = [4, 4]", "seats = [2, 4]", "partners sit opposite each other"),
    ("spades", 'bid = "bid"', 'bid = "bdi"', "there is no entry 'bdi'"),
    ("spades", "high = 13", "high = 300", "0 to 300 are no numbers to choose from"),
    ("whist", "tricks = {", 'tricks = { zone = "deck",', "everybody lays a card of a trick into one zone 'deck'"),
    ("gin-rummy", 'worth = "pips"', 'worth = "pisp"', "there is no table [worth.pisp]"),
    ("gin-rummy", 'name = "theirs"', 'name = "left"', "there are two things called 'left'"),
    ("golf", "[2, 6]", "[6, 2]", "6 players are more than 2"),
    ("yacht", "dice = {", "dcie = {", "unknown field `dcie`"),
    ("spades", "high = 13", "high = 1300", "entry.high ('1300'): expected `int` <= 1000"),
    ("golf", "title", "title title", "this is not proper TOML"),
    ("golf", "13 = 0", "13 = 0.5", "'13' is worth 0.5, and that is no whole number"),
    ("golf", "13 = 0", "13 = 12345", "'13' is worth 12345, and that is no whole number up to 1000"),
    ("golf", "13 = 0", "K = 0", "no card is called 'K'"),
    ("hearts", 'suit = "hearts"', 'suit = "cups"', "no card is called 'cups'"),
]


@pytest.mark.parametrize(("name", "old", "new", "words"), WRONG)
def test_an_error_names_the_line_and_what_would_do(name: str, old: str, new: str, words: str) -> None:
    line = next(n for n, line in enumerate(text_of(name).splitlines(), 1) if old in line)
    found = [(n, remedy) for n, said, remedy in told(name, old, new) if words in said]
    assert found, told(name, old, new)
    assert found[0][0] == line
    assert found[0][1].endswith(".")


def test_lines_are_found_in_sections_as_well() -> None:
    text = 'title = "A"\n\n[players]\nseats = [2, 4]\n\n[[score]]\nname = "a"\n[[score]]\nname = "b"\nop = "sum"\n'
    assert line_of(text, "players", "seats") == 4
    assert line_of(text, "score", 1, "op") == 10
    assert line_of(text, "score", 0, "op") == 6
    assert line_of(text, "match") == 1


def test_all_problems_are_told_at_once() -> None:
    text = text_of("hearts").replace('cards = ["taken"]', 'cards = ["took"]')
    assert len(check(text, games.load_deck("hearts"), loader.places("hearts"))) == 4


def test_a_file_that_costs_too_much_is_refused_with_a_sentence() -> None:
    worths = ", ".join(f'"{card.piece}" = {min(1000, 2**n)}' for n, card in enumerate(STANDARD.cards[:52]))
    text = (
        'title = "Slow"\nplayers = { seats = [2, 6] }\nmatch = { rounds = 1 }\n'
        f"worth = {{ w = {{ {worths} }} }}\nscore = [\n"
        + "".join(
            f'{{ name = "s{n}", op = "subsets", cards = ["deck", "play", "discard", "hand"], worth = "w", to = 1 }},\n'
            for n in range(20)
        )
        + "]\n"
    )
    (problem,) = check(text, STANDARD, loader.places("hearts"))
    assert problem.words == f"the score can't be counted on a full table: it takes more than {MOST} steps"
    assert 6 <= problem.line <= 26


@pytest.mark.parametrize("first", ['op = "count", cards = ["deck"]', 'op = "entered", of = ["typed"]'])
@pytest.mark.parametrize("blocks", [15, 24])
def test_blocks_that_square_each_other_are_refused_before_anybody_waits(first: str, blocks: int) -> None:
    text = 'title = "A"\nplayers = { seats = [2, 6] }\nmatch = { rounds = 1 }\n'
    text += f'entry = [{{ name = "typed", words = "A", low = -9, high = 0 }}]\nscore = [\n{{ name = "a0", {first} }},\n'
    squares = (f'{{ name = "a{n}", op = "add", of = ["a{n - 1}"], times = "a{n - 1}" }},' for n in range(1, blocks + 1))
    (problem,) = check(text + "\n".join(squares) + "\n]\n", STANDARD, loader.places("hearts"))
    assert problem.words.endswith(f"a value is beyond {LARGEST}")
    assert problem.line in (9, 10, 11)


def test_a_value_is_bounded_whatever_was_typed() -> None:
    text = 'title = "A"\nplayers = { seats = [2, 2] }\nmatch = { rounds = 1 }\n'
    text += 'entry = [{ name = "e", words = "E" }]\nscore = [{ name = "a", op = "entered", of = ["e"], times = "e" }]\n'
    assert points(text, STANDARD, Table(2, entered={"e": (2**26, 0)})).points == (2**52, 0)
    with pytest.raises(TooMuchError):
        points(text, STANDARD, Table(2, entered={"e": (2**27, 0)}))


def test_operations_are_counted() -> None:
    faces = [{"piece": str(n), "rank": str(n), "suit": "a"} for n in range(1, 20)]
    with pytest.raises(TooMuchError):
        subsets(faces, 5, {str(n): 2**n for n in range(1, 20)}, Budget(1000))
    with pytest.raises(TooMuchError):
        deadwood(faces * 3, {}, 3, Budget(1000))


def test_the_schema_is_that_of_the_program() -> None:
    assert data("card_codes/score.schema.json").read_bytes() == schema(), "companion score --schema renews it"
    assert CliRunner().invoke(cli, ["score", "--schema"]).stdout.encode() == schema()


def test_the_score_of_what_lies_there_is_told_while_a_file_is_written() -> None:
    table = Table(2, cards={"grid.1": ("101", "10D", "", "201"), "grid.2": ("105",)})
    assert points(text_of("golf"), STANDARD, table).points == (0, 5)


# --------------------------------------------------------------------------------------------------------------- decks


def test_a_deck_extends_the_printed_one_whose_codes_it_keeps() -> None:
    two = extended(STANDARD, "canasta", {"extends": "standard", "title": "Canasta", "packs": 2, "jokers": 2})
    assert (two.code, len(two.cards), len(two.by_piece())) == ("SD", 108, 108)
    assert two.by_piece()["602"].title == "Two of clubs"
    assert len(extended(STANDARD, "x", {"extends": "standard", "title": "X"}).cards) == 52
    assert len(games.load_deck("scopa").cards) == 40
    with pytest.raises(ValueError, match="has rank = '99'"):
        extended(STANDARD, "x", {"extends": "standard", "title": "X", "without": {"rank": ["99"]}})
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        extended(STANDARD, "x", {"extends": "standard", "title": "X", "pakcs": 2})


def test_an_owner_adds_a_game_by_three_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    folder = tmp_path / "card_codes" / "my-golf"
    folder.mkdir(parents=True)
    (folder / "deck.toml").write_text('extends = "standard"\ntitle = "My Golf"\n')
    (folder / "mat.toml").write_text('neutral = "grid"\n')
    (folder / "score.toml").write_text(text_of("golf").replace('"Golf"', '"My Golf"'))
    assert "my-golf" in games.names()
    assert games.load("my-golf").info.title == "My Golf"
    assert games.load_mat("my-golf", 3).game == "my-golf"
    assert CliRunner().invoke(cli, ["score", "my-golf"]).stdout == "My Golf is fine: 2 to 6 players, 52 cards.\n"
    score = tmp_path / "card_codes" / "my-golf" / "score.toml"
    score.write_text(score.read_text().replace('rounds = "holes"', "rounds = 0"))
    assert CliRunner().invoke(cli, ["score", "my-golf"]).stderr.startswith("card_codes/my-golf/score.toml, line ")
    (folder / "score.toml").write_text(text_of("golf").replace('"grid"]', '"gird"]'))
    with pytest.raises(games.GameError, match=r"my-golf/score\.toml, line \d+: the mat has no zone 'gird'"):
        games.load("my-golf")
    (folder / "mat.toml").write_text('neutral = "gird"\n')
    with pytest.raises(games.GameError, match="no neutral mat called gird"):
        games.load("my-golf")


# ---------------------------------------------------------------------------------------------------- any file at all

VALUES = st.one_of(
    st.integers(-2000, 2000),
    st.booleans(),
    st.text("abc\"\n'é", max_size=4),
    st.sampled_from(
        [
            "taken",
            "grid",
            "hand",
            "play",
            "discard",
            "dice",
            "suit",
            "rank",
            "a",
            "b",
            "c",
            "end",
            "hands",
            "said",
            "seat",
            "side",
            "dealer",
            "before",
            "low",
            "on",
            "points",
            "1",
            "13",
        ]
    ),
)


@st.composite
def blocks(draw: st.DrawFn, number: int, zones: list[str], boxes: bool) -> dict[str, object]:
    """Make a block: mostly of the right form, with names that stand above it."""
    names = [f"b{n}" for n in range(number)] + ["bid", "end"]
    block: dict[str, object] = {"name": f"b{number}", "op": draw(st.sampled_from(get_args(Op)))}
    block |= {"cards": draw(st.lists(st.sampled_from(zones), min_size=1, max_size=3)), "bid": "bid"}
    block["of"] = draw(st.lists(st.sampled_from(names), min_size=1, max_size=2))
    for key, values in (
        ("whose", st.just("seat") if boxes else st.sampled_from(["seat", "side", "dealer", "all"])),
        ("needs", st.integers(0, 13)),
        ("once", st.lists(st.sampled_from(names), max_size=1)),
        ("at_once", st.booleans()),
        ("held", st.integers(0, 10)),
        ("times", st.integers(-20, 20) | st.sampled_from(names)),
        ("minus", st.integers(-20, 20) | st.sampled_from(names)),
        ("at_least", st.integers(-20, 20)),
        ("gives", st.integers(-20, 20) | st.sampled_from(names)),
        ("least", st.integers(1, 6)),
        ("to", st.integers(0, 40)),
        ("worth", st.just("w")),
        ("by", st.sampled_from(["rank", "suit"])),
        ("every", st.integers(1, 20)),
        ("box", st.just(boxes)),
        (
            "when",
            st.dictionaries(st.sampled_from(names), st.fixed_dictionaries({"equals": st.integers(0, 3)}), max_size=1),
        ),
        ("lay_off", st.sampled_from(names)),
        ("points", st.lists(st.integers(-5, 5), max_size=3)),
    ):
        if draw(st.integers(0, 3)) == 0:
            block[key] = draw(values)
    if draw(st.integers(0, 40)) == 7:
        block[draw(st.sampled_from(sorted(block)))] = draw(VALUES)
    return block


@st.composite
def files(draw: st.DrawFn) -> tuple[str, str]:
    """Make a score file by its grammar, now and then with something that does not belong there; and name a mat."""
    mat, kind = draw(st.sampled_from(GAMES))
    zones = [*loader.mat_places({"neutral": mat}), *(["dice"] if kind == "dice" else [])]
    ends = {"dice": "boxes", "tricks": "hands", "row": "hands"}.get(kind, "out")
    seats = sorted(draw(st.lists(st.integers(2, 6), min_size=2, max_size=2)))
    contents: dict[str, object] = {
        "title": "Any",
        "players": {"seats": seats},
        "match": draw(
            st.sampled_from(
                [
                    {"rounds": 2},
                    {"points": 20},
                    {"points": 20, "at_once": True},
                    {"points": "end", "wins": "low", "ties": "on"},
                ]
            )
        ),
        "round": {"ends": draw(st.sampled_from(["said", ends])), "hand": draw(st.integers(1, 8))},
        "option": [{"name": "end", "words": "End", "default": 10, "low": 1, "high": 50}],
        "entry": [
            {"name": "bid", "words": "Bid", "low": 0, "high": 5, "due": draw(st.sampled_from(["any", "before"]))}
        ],
        "worth": {"w": draw(st.dictionaries(st.sampled_from(["1", "13", "hearts", "other"]), st.integers(-999, 999)))},
        "score": [draw(blocks(n, zones, kind == "dice")) for n in range(draw(st.integers(1, 6)))],
    }
    if kind != "free":
        contents[kind] = {}
    if draw(st.integers(0, 20)) == 7:
        contents[draw(st.sampled_from(sorted(contents)))] = draw(VALUES)
    text = _toml(contents)
    if draw(st.integers(0, 20)) == 7:
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(st.text(max_size=3)) + text[at:]
    return text, mat


GAMES = [("tricks", "tricks"), ("row", "row"), ("show", "dice"), *((mat, "free") for mat in ("melds", "grid", "show"))]


def _toml(value: object, top: bool = True) -> str:
    """Write TOML: one entry a line at the top, the rest inline."""
    if isinstance(value, dict):
        if top:
            return "".join(f"{key} = {_toml(one, False)}\n" for key, one in value.items())
        return "{ " + ", ".join(f"{key} = {_toml(one, False)}" for key, one in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(_toml(one, False) for one in value) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int) else msgspec.json.encode(str(value)).decode()


def never_crashes(made: tuple[str, str], seed: int) -> None:
    """Load a file or be told why not; what loads is played and scored by robots."""
    text, mat = made
    places = loader.mat_places({"neutral": mat})
    try:
        game = FromFile(extended(STANDARD, "any", {"extends": "standard", "title": "Any"}), text, places)
    except ScoreError as error:
        problems = error.problems
    else:
        played(game, seed)
        return
    assert all(problem.line >= 1 and problem.words and problem.remedy for problem in problems)


def played(game: FromFile, seed: int) -> None:
    rng = random.Random(seed)
    seats = rng.randint(*game.info.seats)
    world = world_of(game, seats, {}, rng)
    state = game.setup(seats, {}, world.setup())
    world.deal(state)
    for _ in range(40):
        game.layout(state), game.standing(state), game.view(state, 1)
        assert game.audit(state) == ()
        choices = world.choices(state)
        if state.outcome is not None or not choices:
            break
        action = rng.choice(choices)
        before, state = state, game.play(state, action, world.facts(state, action))
        world.apply(before, action, state)
    assert game.setup(seats, {}, Setup()).outcome is None


ONCE = [Phase.explicit, Phase.reuse, Phase.generate]
"""Nothing is made smaller: that takes minutes, and the file that fails is short enough to be read."""


@pytest.mark.parametrize("count", [8, *at_night(1000)])
def test_any_file_loads_or_is_refused_and_never_crashes(count: int) -> None:
    tried = settings(max_examples=count, deadline=None, suppress_health_check=list(HealthCheck), phases=ONCE)
    tried(given(files(), st.integers(0, 99))(never_crashes))()


NEEDY = """
title = "Any"
players = { seats = [2, 6] }
match = { points = 20 }
round = { ends = "said", hand = 1 }
option = [{ name = "end", words = "End", default = 10, low = 1, high = 50 }]
entry = [{ name = "bid", words = "Bid", low = 0, high = 5, due = "any" }]
score = [
  { name = "b0", op = "add", cards = ["taken", "tray", "hand"], bid = "bid", of = ["end", "bid"], needs = 8, held = 1 },
  { name = "b2", op = "tricks", cards = ["play"], bid = "bid", of = ["end"], needs = 13 }
]
tricks = {}
"""
"""Its score needs what robots do not show, and it does not tell so."""


def test_robots_wait_where_the_score_needs_what_they_do_not_show() -> None:
    deck = extended(STANDARD, "any", {"extends": "standard", "title": "Any"})
    places = loader.mat_places({"neutral": "tricks"})
    played(FromFile(deck, NEEDY, places), 80)


@pytest.mark.parametrize("says", ["", "Points"])
def test_what_a_block_needs_and_does_not_tell_is_said_by_its_name(says: str) -> None:
    said = plain(flow._message(Block(name="b0", op="add", says=says), (1,)))
    assert f"not seen yet: {says or 'b0'}" in str(said)
