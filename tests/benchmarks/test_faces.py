"""The bench of faces counts what it should."""

from collections import Counter

import numpy as np
import pytest

from benchmarks import faces
from benchmarks.face_decks import drawn_faces, own_faces
from benchmarks.face_scenes import Card, Light, World, event, layout
from benchmarks.face_watch import (
    POSE_MM,
    Shown,
    Watcher,
    count_change,
    count_cold,
    off,
    resting,
    shares,
    stills,
)
from benchmarks.table_watch import Noise
from companion.eye.faces.asking import Doubt
from companion.eye.places import Pose
from companion.eye.view import Placement, TableView
from companion.games import loader

PX = 1.5


@pytest.fixture(scope="module")
def done():
    world = World(drawn_faces(34, "a test's deck"), loader.load_mat("karmic-collections", 2), 1.0)
    rng = np.random.default_rng(3)
    pieces = world.faces.fronts()[:32]
    some, cards = [], layout(rng, world, pieces, 12)
    for _ in range(24):
        some.append(event(rng, world, cards, pieces, world.faces.fronts()[32:]))
        cards = list(some[-1].after)
    return world, some


def placed(card, dx=0.0, piece=None):
    x, y, turn = card.pose
    return Placement(piece or card.piece, frozenset("F"), None, None, x + dx, y, turn, 1)


def view(*placements, under=()):
    return TableView(1, 0.1, tuple(placements), under=tuple(under))


def shown(*views, doubts=()):
    return Shown(views, views[-1], doubts, 1.0, 2.0)


def counted(world, entry, was, *views, doubts=()):
    tally = Counter()
    count_change(tally, entry, was, shown(*views, doubts=doubts), world, world.faces.fronts()[32:])
    return {key: count for key, count in tally.items() if count and key not in ("events", "untaught")}


@pytest.mark.night
def test_one_thing_is_done_at_a_time_and_the_next_where_the_last_one_ended(done):
    _, some = done
    for before, entry in zip([None, *some], some, strict=False):
        was, is_ = Counter(entry.before), Counter(entry.after)
        assert was - is_ == Counter(entry.taken)
        assert is_ - was == Counter(entry.laid)
        assert entry.laid or entry.taken
        assert before is None or entry.before == before.after
        assert len({card.piece for card in entry.after}) == len(entry.after)


@pytest.mark.night
def test_what_an_eye_says_of_a_laid_card_is_counted_by_the_truth(done):
    world, some = done
    entry = next(entry for entry in some if entry.kind == "lay")
    (card,) = entry.laid
    kept = [placed(card) for card in entry.before]
    stay = {"stayed": len(kept)}
    was = view(*kept)

    def told(*placements, doubts=()):
        return counted(world, entry, was, view(*kept, *placements), doubts=doubts)

    right = {"laid": 1, "laid, right": 1, "named": 1} | stay
    assert told(placed(card)) == right | {"posed": 1}
    assert told(placed(card, 4.0)) == right
    assert told(placed(card, 9.0)) == {"laid": 1, "named": 1} | stay
    assert told(placed(card, piece="00X")) == {"laid": 1, "named": 1, "wrong": 1} | stay
    asked = Doubt(Pose(*card.pose), ("00X", "001"))
    assert told(doubts=(asked,)) == {"laid": 1, "asked": 1} | stay
    # A name that comes and goes was said all the same.
    views = view(*kept, placed(card, piece="00X")), view(*kept, placed(card))
    assert counted(world, entry, was, *views) == right | {"posed": 1, "named": 2, "wrong": 1}


@pytest.mark.night
def test_what_was_wrong_or_unknown_before_the_change_is_not_counted_again(done):
    world, some = done
    entry = next(entry for entry in some if entry.kind == "take")
    (gone,) = entry.taken
    stayed = [card for card in entry.before if card is not gone]
    ghost = placed(stayed[0], 60.0, "00X")
    was = view(ghost, placed(gone), *map(placed, stayed[1:]))
    after = view(ghost, *map(placed, stayed[1:]))
    assert counted(world, entry, was, after) == {"stayed": len(stayed) - 1, "taken": 1, "taken, noticed": 1}
    assert counted(world, entry, was, was) == {"stayed": len(stayed) - 1, "taken": 1}


def test_a_card_that_stays_has_to_be_known_all_the_time_but_may_lie_under_others(done):
    world, some = done
    entry = next(entry for entry in some if entry.kind == "take")
    stayed = [card for card in entry.before if card not in entry.taken]
    was, all_ = view(*map(placed, entry.before)), view(*map(placed, stayed))
    without, under = view(*map(placed, stayed[1:])), view(*map(placed, stayed[1:]), under=[placed(stayed[0])])
    assert counted(world, entry, was, without, all_)["falsely removed"] == 1
    assert "falsely removed" not in counted(world, entry, was, under, all_)


def test_a_name_for_a_card_that_was_never_taught_is_counted_apart(done):
    world, some = done
    entry = next(entry for entry in some if entry.kind == "lay")  # or moved: whatever is done with it
    (card,) = entry.laid
    kept = [placed(card) for card in entry.before]
    tally = Counter()
    views = view(*kept, placed(card, piece="00X"), placed(entry.before[0], piece="00Y"))
    count_change(tally, entry, view(*kept), shown(views), world, [card.piece])
    assert (tally["untaught"], tally["untaught, named"], tally["named"], tally["wrong"]) == (1, 1, 1, 1)
    assert "laid" not in tally


def test_of_a_cold_table_what_shows_of_each_card_is_counted(done):
    world, _ = done
    w = world.faces.w
    cards = [Card("001", (200, 200, 0)), Card("002", (200 + w / 2, 200, 0)), Card("003", (201 + w / 2, 200, 0))]
    assert [round(share, 2) for share in shares(world, cards)] == [0.5, 0.02, 1.0]
    tally = Counter()
    count_cold(tally, cards, shown(view(placed(cards[0]), placed(cards[2], 3.0), placed(cards[2], 70, "004"))), world)
    assert {key: count for key, count in tally.items() if count} == {
        "tables": 1,
        "whole": 1,
        "whole, right": 1,
        "strips": 1,
        "strips, right": 1,
        "posed": 1,
        "named": 3,
        "wrong": 1,
    }


@pytest.mark.night
def test_an_eye_that_was_taught_follows_a_change():
    mat = loader.load_mat("karmic-collections", 2)
    world, rng = World(drawn_faces(4, "a test's deck"), mat, PX), np.random.default_rng(1)
    noise = Noise(round(mat.w * PX) * round(mat.h * PX))
    eye = Watcher(world, world.faces.taught())
    first, second = Card("001", (300.0, 200.0, 5.0)), Card("002", (600.0, 250.0, 90.0))
    for cards in ([first], [first, second], [second]):
        said = eye.see(resting(stills(noise, world.picture(cards, Light(), rng)), 30))
        assert said.rested
        assert {at.piece for at in said.last.placements} == {card.piece for card in cards}
        assert 0 < said.first_ms < said.look_ms
    (at,) = said.last.placements
    assert off(world, (at.x, at.y, at.rotation), second.pose) <= POSE_MM


@pytest.mark.night
def test_the_same_seed_makes_the_same_pictures(done):
    world, some = done
    first, again = (world.picture(some[0].after, Light(), np.random.default_rng(5)) for _ in range(2))
    assert np.array_equal(first, again)
    assert np.array_equal(drawn_faces(3, "x").pictures["002"], drawn_faces(3, "x").pictures["002"])


@pytest.mark.night
def test_drawn_cards_are_named_when_they_are_laid(monkeypatch):
    few = faces._Deck("few", lambda: drawn_faces(30, "night"), 2.0, fewer=1)
    monkeypatch.setattr(faces, "decks", lambda drawn: [few])
    monkeypatch.setattr(faces, "NINETY", ())
    rows = {row.what: row.figures for row in faces.measure(6, 30).rows}
    assert rows["few, usual light: a change, with expectation"]["right_share"] > 0.7
    assert rows["few, usual light: a change, with expectation"]["wrong"] == 0
    assert rows["few, usual light: cold"]["whole_right"] > 0.9 * rows["few, usual light: cold"]["whole"]


@pytest.mark.night
def test_on_the_big_mat_ninety_cards_have_room():
    mat = faces._big_mat()
    world = World(drawn_faces(92, "a test's deck"), mat, 0.5)
    assert len(layout(np.random.default_rng(2), world, world.faces.fronts(), 90)) == 90
    assert all(0 < marker.x < mat.w and 0 < marker.y < mat.h for marker in mat.markers)


@pytest.mark.night
def test_a_standard_card_that_lies_upside_down_lies_right_and_any_other_does_not(done):
    world, _ = done
    at, turned = (100.0, 200.0, 10.0), (100.0, 200.0, 190.0)
    assert off(world, at, turned) > 100
    standard = World(own_faces("standard"), world.mat, 1.0)
    assert off(standard, at, turned) < 1e-6
    assert off(standard, at, (103.0, 200.0, 190.0)) == pytest.approx(3.0)
