"""The bench of faces counts what it should."""

from collections import Counter

import numpy as np
import pytest

from companion.bench.development import faces
from companion.bench.development.face_changes import Change
from companion.bench.development.face_decks import drawn_faces, own_faces
from companion.bench.development.face_events import event, pictures
from companion.bench.development.face_scenes import World
from companion.eye.faces.naming import Named
from companion.games import loader


@pytest.fixture(scope="module")
def done():
    world = World(drawn_faces(34, "a test's deck"), loader.load_mat("karmic-collections", 2), 1.0)
    rng = np.random.default_rng(3)
    pieces = world.faces.fronts()[:32]
    some = [event(rng, world, pieces, world.faces.fronts()[32:], hard=True) for _ in range(14)]
    return world, pieces, some


def test_one_thing_is_done_at_a_time(done):
    _, _, some = done
    for entry in some:
        before, after = Counter(entry.before), Counter(entry.after)
        assert before - after == Counter(entry.taken)
        assert after - before == Counter(entry.laid)
        assert len(entry.laid) <= 1
        assert entry.laid or entry.taken


def test_what_is_found_is_counted_by_the_truth(done):
    world, pieces, some = done
    numbers = {piece: number for number, piece in enumerate(pieces)}
    entry = next(entry for entry in some if entry.laid and entry.kind != "foreign")
    card = entry.laid[0]
    x, y, turn = card.pose

    def counted(face, pose, sure=True, gone=()):
        tally = Counter()
        named = Named(face, pose, 0.9, 0.9, 54.0, sure)
        faces._count(tally, entry, Change((named,), gone), numbers, world)
        return tally

    right = counted(numbers[card.piece], card.pose)
    assert (right["laid"], right["right"], right["posed"], right["wrong"]) == (1, 1, 1, 0)
    off = counted(numbers[card.piece], (x + 4, y, turn))
    assert (off["right"], off["posed"], off["wrong"]) == (1, 0, 0)
    spare = next(n for p, n in numbers.items() if p not in {c.piece for c in entry.after})
    wrong = counted(spare, card.pose)
    assert (wrong["right"], wrong["wrong"], wrong["named"]) == (0, 1, 1)
    unsure = counted(numbers[card.piece], card.pose, sure=False)
    assert (unsure["right"], unsure["named"]) == (0, 0)
    stays = next(i for i, c in enumerate(entry.before) if c not in entry.taken)
    assert counted(spare, card.pose, gone=(stays,))["false removals"] == 1


def test_the_same_seed_makes_the_same_pictures(done):
    world, _, some = done
    first, again = (pictures(np.random.default_rng(5), world, some[0]) for _ in range(2))
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    assert np.array_equal(drawn_faces(3, "x").pictures["002"], drawn_faces(3, "x").pictures["002"])


@pytest.mark.night
def test_drawn_cards_are_named_when_they_are_laid(monkeypatch):
    monkeypatch.setattr(faces, "decks", lambda drawn: [faces._Deck("few", lambda: drawn_faces(30, "night"), 2.0)])
    rows = {row.what: row.figures for row in faces.measure(10, 30).rows}
    assert rows["few: a change, with expectation"]["right_share"] > 0.7
    assert rows["few: a change, with expectation"]["wrong"] == 0
    assert rows["few: cold"]["full_right"] > 0.9


def test_a_standard_card_that_lies_upside_down_lies_right_and_any_other_does_not(done):
    world, _, _ = done
    at, turned = (100.0, 200.0, 10.0), (100.0, 200.0, 190.0)
    assert faces._off(world, at, turned) > 100
    standard = World(own_faces("standard"), world.mat, 1.0)
    assert faces._off(standard, at, turned) < 1e-6
    assert faces._off(standard, at, (103.0, 200.0, 190.0)) == pytest.approx(3.0)
