"""Seats' colours: every seat has its own, chosen or not, and they are kept with the match."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import games
from companion.games.five_cards_collector.laying import Add
from companion.games.five_cards_collector.specials import Retrieve, TakeOver
from companion.press.chairs import seat_colours
from companion.referee import commands as say
from companion.referee.colours import COLOURS, SHAPES, worn
from companion.referee.difference import laid_from_hand
from companion.referee.journal import Header, Journal
from companion.referee.journal_reader import read_only
from companion.referee.match import Match
from companion.rules.layout import Exactly, Layout, Loose, Pile, Slots

GAME = "five-cards-collector"


def test_every_seat_has_a_colour_of_its_own_and_a_shape_of_its_own() -> None:
    for seats in range(2, 9):
        assert len(set(worn({}, seats).values())) == seats
    assert len(set(COLOURS.values())) == len(COLOURS) == 8


def test_who_chose_keeps_the_colour_and_the_others_get_what_is_left() -> None:
    given = worn({3: "blue"}, 4)
    assert given[3] == "blue"
    assert sorted(given) == [1, 2, 3, 4]
    assert len(set(given.values())) == 4


def test_a_choice_changes_nobody_elses_colour_but_of_who_had_just_that_by_number() -> None:
    before = worn({}, 8)
    for seat in range(1, 9):
        for colour in COLOURS:
            after = worn({seat: colour}, 8)
            changed = {one for one in before if before[one] != after[one]}
            assert changed <= {seat, next(one for one in before if before[one] == colour)}
            assert len(set(after.values())) == 8


def test_pieces_give_a_seat_its_colour_unless_somebody_chose_it_in_an_earlier_version() -> None:
    assert worn({}, 3, {1: "red", 2: "blue", 3: "violet"}) == {1: "red", 2: "blue", 3: "violet"}
    chosen = worn({1: "pink", 2: "red"}, 3, {1: "red", 2: "blue", 3: "violet"})
    assert (chosen[1], chosen[2]) == ("pink", "red")
    assert SHAPES[chosen[3]] != SHAPES["pink"], "violet has the shape of pink"
    assert worn({}, 2, {1: "plaid"}) == worn({}, 2), "a colour that no badge has"


@pytest.mark.parametrize("name", [name for name in games.packages() if games.load(name).info.coloured])
def test_the_seats_of_a_printed_mat_have_the_colours_of_their_pieces(name: str) -> None:
    game = games.load(name)
    for seats in range(game.info.seats[0], game.info.seats[1] + 1):
        pieces = game.colours(game.setup(seats, {}, game.setup_type()))
        mat = games.load_mat(name, seats)
        if pieces:
            assert {seat: pieces[seat] for seat in range(1, seats + 1)} == dict(
                zip(range(1, seats + 1), seat_colours(mat), strict=False)
            )
        else:
            assert seat_colours(mat) == ("grey",), "the colour is not known when the mat is printed"


def test_a_seat_has_the_colour_of_its_roles_pawn() -> None:
    game = games.load("collection")
    state = game.setup(3, {}, game.setup_type(roles=("economic", "political", "military")))
    assert game.colours(state) == {1: "green", 2: "blue", 3: "red"}


def test_where_pieces_give_the_colours_none_can_be_chosen() -> None:
    game = games.load("karmic-collections")
    begun = Header(id="0192", at="2026-01-01T00:00:00Z", game=game.info.name, seats=5, mode="ledger")
    match = Match(game, games.load_mat(game.info.name, 5), begun, None)
    match.start()
    try:
        assert match.snapshot.colours == {1: "red", 2: "blue", 3: "green", 4: "yellow", 5: "violet"}
        refused = match.command(say.Name(seat=2, name="Bo", colour="pink"))
        assert refused.verdict is not None
        assert "the pieces give the seats their colours" in refused.verdict.reason
        assert match.command(say.Name(seat=2, name="Bo")).ok
    finally:
        match.close()


def header(match: str = "0191") -> Header:
    return Header(
        id=match,
        at="2026-01-01T00:00:00Z",
        game=GAME,
        seats=3,
        mode="ledger",
        setup={"first": 1, "goals": ("001", "002", "003"), "turned_up": ("00B",)},
    )


def test_a_colour_is_kept_with_the_match_like_a_name(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    match = Match(games.load(GAME), games.load_mat(GAME, 3), header(), journal)
    match.start()
    try:
        assert match.command(say.Name(seat=2, name="Bo", colour="pink")).ok
        assert match.snapshot.colours[2] == "pink"
        refused = match.command(say.Name(seat=1, name="Ada", colour="pink"))
        assert refused.verdict is not None
        assert refused.verdict.reason == "@2 has pink already"
        wrong = match.command(say.Name(seat=1, name="Ada", colour="plaid"))
        assert wrong.verdict is not None
        assert "plaid" in wrong.verdict.reason
        assert match.snapshot.names.get(1) != "Ada"
        assert match.command(say.Name(seat=2, name="Boo")).ok
        assert match.snapshot.colours[2] == "pink"
    finally:
        match.close()
        journal.close()
    with read_only(tmp_path) as shelf:
        assert shelf.header("0191").colours == {2: "pink"}
        assert shelf.header("0191").names == {2: "Boo"}


def test_a_journal_from_before_there_were_colours_can_be_read(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.begin(header())
    journal._db.execute("DROP TABLE colours")
    journal._db.commit()
    journal.close()
    with read_only(tmp_path) as shelf:
        assert shelf.header("0191").colours == {}


@pytest.mark.parametrize(
    ("action", "laid"),
    [
        (Add(seat=1, card="00N"), ("00N",)),
        (Add(seat=0, card="00N"), ()),
        (Retrieve(seat=1, card="00B"), ()),
        (Retrieve(seat=1, card="00C"), ()),
        (TakeOver(seat=1, card="00D", from_seat=2, to="own"), ()),
        (TakeOver(seat=1, card="001", from_seat=2, to="own"), ()),
        (None, ()),
    ],
)
def test_what_lay_nowhere_came_out_of_a_hand(action: object, laid: tuple[str, ...]) -> None:
    table = Layout(
        {
            "discard": Pile(Exactly("00B"), frozenset(("00C",))),
            "collection.2": Loose(frozenset(("00D",))),
            "goal.2": Slots((Exactly("001"),)),
        }
    )
    assert laid_from_hand(table, action) == laid  # type: ignore[arg-type]
