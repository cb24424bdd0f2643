"""The eye follows cards without codes, known by their faces, before the simulated camera."""

from dataclasses import replace

import msgspec
import numpy as np
import pytest

from companion import games
from companion.codes import BACK
from companion.eye.deck_reader import DeckReader
from companion.eye.faces import watching
from companion.eye.faces.examined import Around, Examined
from companion.eye.faces.finding import _Look
from companion.eye.faces.naming import OF, Named
from companion.eye.flat import MM
from companion.eye.markers import MarkerFinder
from companion.eye.places import Pose
from companion.eye.quality import judge
from companion.sim.table import Hand, SimTable
from companion.table.factory import make_eye, simulated_camera
from tests.nights import at_night
from tests.printed import printed, stickered


class Table:
    """A table of a game whose cards have no codes, but for those that nobody can tell apart; `where` is what the eye
    says of a face's copies.
    """

    def __init__(self, name, seats):
        self.game, mat = games.load(name), games.load_mat(name, seats)
        self.decks, stickers = stickered(name)
        self.table = SimTable(1)
        self.camera = simulated_camera(self.game, mat, self.table, codes=False, stickers=stickers, seed=3)
        self.mat = mat
        self.begin()

    def begin(self):
        """Clear the table, before an eye that has seen nothing yet."""
        self.table.clear()
        self.eye = make_eye(self.game, self.mat, self.decks)

    def watch(self, seconds=1.6):
        for _ in range(round(seconds * self.camera.fps)):
            self.eye.see(self.camera.shoot())
        return self.eye.view

    def copies(self, piece):
        return next(set(face.pieces) for deck in self.decks for face in deck.faces if piece in face.pieces)

    def where(self, piece):
        found = [p for p in self.eye.view.placements if p.piece in self.copies(piece)]
        return [(round(p.x), round(p.y)) for p in found]


@pytest.fixture(scope="module")
def collectible():
    return Table("collectible", 2)


def near(found, x, y):
    return len(found) == 1 and abs(found[0][0] - x) <= 2 and abs(found[0][1] - y) <= 2


def test_cards_are_laid_covered_moved_and_taken_without_a_code(collectible):
    table = collectible.table
    first, second, third = (card.piece for card in collectible.game.deck.cards[:30:10])
    assert collectible.watch().placements == ()
    table.put(first, "F", 200, 150, 3)
    table.put(second, "F", 400, 160, 184)
    view = collectible.watch()
    assert near(collectible.where(first), 200, 150)
    assert near(collectible.where(second), 400, 160)
    assert view.settled
    assert view.covered == frozenset()
    turned = {p.piece: p.rotation for p in view.placements}
    assert min(abs(r - 184) for r in turned.values()) < 2
    # Laid over the first: that one goes on as a strip.
    table.put(third, "F", 225, 152, 1)
    view = collectible.watch()
    assert near(collectible.where(third), 225, 152)
    assert near(collectible.where(first), 200, 150)
    order = {p.piece: p.order for p in view.placements}
    upper, lower = (max(order[p] for p in order if p in collectible.copies(q)) for q in (third, first))
    assert upper > lower
    table.move(second, 600, 300)
    collectible.watch()
    assert near(collectible.where(second), 600, 300)
    table.lift(third)
    collectible.watch(3.0)
    assert collectible.where(third) == []
    assert near(collectible.where(first), 200, 150)


@pytest.mark.night
def test_no_code_is_missed_on_a_card_that_is_known_by_its_face(collectible):
    collectible.table.clear()
    collectible.table.put(collectible.game.deck.cards[0].piece, "F", 300, 250)
    collectible.watch(3.0)
    assert collectible.eye.tracks
    assert judge(collectible.eye, MarkerFinder(collectible.eye.mat)).codes == ()


def test_how_surely_is_told(collectible):
    seen = collectible.eye.faces.seen
    assert seen
    assert all(entry.margin > 0.2 and entry.like > 0.45 for entry in seen.values())


def test_a_back_is_the_way_up_that_is_likelier_as_it_may_look_much_the_same_upside_down(collectible):
    (faces,) = collectible.eye.faces._faces
    back, front = (
        next(n for n, face in enumerate(faces.deck.faces) if face.is_back is is_back) for is_back in (True, False)
    )
    for face, turn in ((back, 1.0), (front, 181.0)):
        named = Named(face, (120.0, 260.0, 181.0), 0.7, 0.8, 40.0, sure=True)
        assert collectible.eye.faces._turn(0, named, BACK, lambda piece, pose: 0.0).rotation == turn


def test_a_back_that_was_read_once_is_turned_alike_where_two_places_meet(collectible, monkeypatch):
    faces = collectible.eye.faces
    back = faces._faces[0].numbers[BACK]
    named = Named(back, (300.0, 250.0, 2.0), 1.0, 1.0, OF, True)
    for before, turned in (([], 2.0), ([(BACK, Pose(300.4, 250.2, 181.0), 0.0)], 182.0)):
        monkeypatch.setattr(faces, "_recent", before)
        assert faces._turn(0, named, BACK, lambda *_: 0.0).rotation == turned


def test_copies_are_one_face_and_tokens_are_not_taught():
    game = games.load("collectors")
    taught = {piece for deck in printed("collectors") for face in deck.faces for piece in face.pieces}
    assert taught == {BACK, *(card.piece for card in game.deck.cards if card.kind == "collectable")}


@pytest.mark.night
def test_of_copies_that_all_lie_there_the_one_that_was_moved_is_found_where_it_lies_now(collectible):
    table = collectible.table
    table.clear()
    first, second = next(sorted(face.pieces) for deck in collectible.decks for face in deck.faces if face.pieces[1:])
    table.put(first, "F", 200, 150)
    collectible.watch()
    table.put(second, "F", 400, 150)
    collectible.watch(3.0)
    for x, piece, others in ((600, second, [(200, 150)]), (760, first, [(600, 150)])):
        table.move(piece, x, 150)
        view = collectible.watch(3.0)
        found = sorted(collectible.where(first))
        assert [near([one], *at) for one, at in zip(found, [*others, (x, 150)], strict=True)] == [True, True]
        assert view.settled
        assert view.troubles == ()


@pytest.mark.night
def test_a_copy_that_the_rules_expect_goes_before_one_that_they_do_not(collectible):
    table = collectible.table
    table.clear()
    collectible.watch(3.0)
    pieces = next(sorted(face.pieces) for deck in collectible.decks for face in deck.faces if face.pieces[1:])
    zone = next(zone for zone in collectible.eye.mat.zones if zone.kind == "loose")
    collectible.eye.faces.plausible = {zone.name: frozenset(pieces[1:])}
    table.put(pieces[0], "F", *zone.rect.centre)
    view = collectible.watch(3.0)
    collectible.eye.faces.plausible = {}
    assert [placement.piece for placement in view.placements] == pieces[1:2]


@pytest.fixture(scope="module")
def leaves_table():
    table = Table("five-cards-collector", 2)
    table.blue, table.violet = (
        next(face.pieces for deck in table.decks for face in deck.faces if face.name == name)
        for name in ("Blue leaf", "Violet leaf")
    )
    return table


@pytest.fixture
def leaves(leaves_table):
    leaves_table.begin()
    leaves_table.watch(0.8)
    return leaves_table


@pytest.mark.night
def test_a_view_goes_out_once_a_code_tells_a_card_from_its_copies(leaves):
    leaves.table.put(leaves.blue[0], "F", 300, 250)
    assert leaves.blue in leaves.watch(3.0).alike
    assert leaves.eye._publish(leaves.eye.frame) is None
    (track,) = leaves.eye.tracks
    for spot in track.spots.values():
        spot.sighting = msgspec.structs.replace(spot.sighting, reader="codes")
    view = leaves.eye._publish(leaves.eye.frame)
    assert view is not None
    assert leaves.blue not in view.alike
    assert leaves.violet in view.alike


@pytest.mark.night
def test_a_card_that_differs_in_its_colour_alone_is_seen_on_the_other(leaves):
    leaves.table.put(leaves.blue[0], "F", 300, 250)
    assert [p.piece in leaves.blue for p in leaves.watch().placements] == [True]
    leaves.table.rest_hand("laying", Hand(300, 260, 300, 520, 20.0, 1))
    leaves.watch(0.5)
    leaves.table.put(leaves.violet[0], "F", 300, 250)
    leaves.table.rest_hand("laying", None)
    assert [p.piece in leaves.violet for p in leaves.watch(3.0).placements] == [True]
    assert {p.piece for p in leaves.eye.view.under} <= set(leaves.blue)


@pytest.mark.night
def test_a_card_of_which_no_place_is_as_it_was_is_looked_at_as_a_whole(leaves):
    leaves.table.put(leaves.blue[0], "F", 300, 250)
    leaves.watch()
    (track,) = leaves.eye.tracks
    nowhere = np.zeros(leaves.eye._flat.shape, dtype=np.bool_)
    picture = leaves.eye._memory.expected.picture
    lying = [(track.piece, track.pose)]
    # In little light a place in a corner alone had contrast enough, and is all that is asked for now.
    corner = (slice(104, 112), slice(136, 144))
    for doubted, wanted in (((), []), ({track.piece}, [(track.piece, 6)])):
        around = Around(picture, nowhere, nowhere, nowhere, lying, doubted)
        found = leaves.eye.faces.read(leaves.eye.frame, [corner], around, [], lambda piece, pose: 0.0)
        assert [(one.piece, len(one.codes)) for one in found] == wanted


@pytest.mark.parametrize("itself", [False, *at_night(True)])
@pytest.mark.night
def test_a_strip_in_doubt_is_not_explained_by_the_card_under_it(leaves, itself):
    star, key = (
        next(face.pieces[0] for deck in leaves.decks for face in deck.faces if face.name == name)
        for name in ("Green star", "Green key")
    )
    row = [leaves.blue[0], leaves.violet[0], star]
    for number, piece in enumerate(row):
        leaves.table.put(piece, "F", 300 + 31 * number, 250)
        leaves.watch(2.0)
    tracks = sorted(leaves.eye.tracks, key=lambda track: track.order)
    nowhere = np.zeros(leaves.eye._flat.shape, dtype=np.bool_)
    lying = [(track.piece, track.pose) for track in tracks]
    # In other light it may be in doubt though it is the card that lies there.
    doubted = tracks[1].piece if itself else key
    lying[1] = (doubted, tracks[1].pose)
    around = Around(leaves.eye._memory.expected.picture, nowhere, nowhere, nowhere, lying, {doubted})
    strip = (slice(104, 146), slice(150, 165))
    found = leaves.eye.faces.read(leaves.eye.frame, [strip], around, [], lambda piece, pose: 0.0)
    assert tracks[1].piece in [one.piece for one in found]


@pytest.mark.parametrize("fingertips", [267, *at_night(275, 270, 263, 258)])
@pytest.mark.night
def test_a_card_that_was_found_half_under_a_hand_is_whole_once_the_hand_is_gone(leaves, fingertips):
    leaves.table.put(leaves.blue[0], "F", 300, 250)
    leaves.table.rest_hand("leaning", Hand(300, fingertips, 300, 520, 20.0, 1))
    leaves.watch(3.0)
    assert [0 < len(track.spots) < 6 for track in leaves.eye.tracks] == [True]
    leaves.table.rest_hand("leaning", None)
    view = leaves.watch(3.0)
    assert [len(track.spots) for track in leaves.eye.tracks] == [6]
    assert view.settled
    assert not leaves.eye._memory.surface.strange.any()


@pytest.fixture(scope="module")
def collection_table():
    return Table("collection", 3)


@pytest.fixture
def collection(collection_table):
    collection_table.begin()
    return collection_table


def piece_of(table, title):
    return next(card.piece for card in table.game.deck.cards if card.title == title)


@pytest.mark.night
def test_a_card_is_seen_that_covers_one_with_a_sticker_that_is_much_like_it(collection):
    tasking, strikes = (piece_of(collection, title) for title in ("Priority Tasking C", "Strikes Spread"))
    collection.table.put(tasking, "F", 809, 93)
    assert [placement.piece for placement in collection.watch().placements] == [tasking]
    collection.table.put(strikes, "F", 810, 93.5, 2)
    view = collection.watch()
    assert [placement.piece for placement in view.placements] == [strikes]
    assert view.covered == frozenset()


@pytest.mark.night
def test_a_card_whose_sticker_is_not_read_is_not_asked_for_as_another_card(collection, monkeypatch):
    monkeypatch.setattr(DeckReader, "read", lambda *_, **__: [])
    collection.table.put(piece_of(collection, "Priority Tasking C"), "F", 811, 95)
    view = collection.watch(3.0)
    assert view.placements == ()
    assert view.covered == frozenset({"discard"})
    assert collection.eye.doubts == ()


@pytest.mark.night
def test_a_back_that_the_rules_expect_on_a_pile_is_looked_for_there(collection, monkeypatch):
    """Of one that is much like a dark mat nothing but a rim of 2 mm looked otherwise, and no search came upon it."""
    monkeypatch.setattr(_Look, "by_keypoints", lambda _: None)
    monkeypatch.setattr(_Look, "by_edges", lambda _, **__: None)
    zone = collection.eye.mat.zone("scenarios")
    collection.watch(0.5)
    for expected in ({"scenarios": frozenset([BACK])}, {}):
        collection.eye.faces.plausible = expected
        collection.table.put(piece_of(collection, "Priority Tasking C"), "B", *zone.rect.centre, 2)
        view = collection.watch()
        assert [placement.zone for placement in view.placements] == list(expected)
        collection.table.clear()
        assert collection.watch(3.0).placements == ()


@pytest.mark.night
@pytest.mark.parametrize("count", [80, *at_night(1, 40)])
def test_the_top_of_a_high_pile_is_looked_for_where_it_appears(collectible, monkeypatch, count):
    """80 cards are 24 mm high: it appeared 12 mm from the pile's middle, and larger."""
    monkeypatch.setattr(_Look, "by_keypoints", lambda _: None)
    monkeypatch.setattr(_Look, "by_edges", lambda _, **__: None)
    zone = collectible.eye.mat.zone("deck")
    collectible.table.clear()
    collectible.watch(3.0)
    collectible.eye.faces.plausible = {"deck": frozenset([BACK])}
    for card in collectible.game.deck.cards[:count]:
        collectible.table.put(card.piece, "B", *zone.rect.centre)
    (top,) = collectible.watch(3.0).placements
    assert (top.zone, top.faces) == ("deck", frozenset("B"))
    collectible.eye.faces.plausible = {}
    collectible.table.clear()


@pytest.mark.night
def test_a_card_in_a_pile_on_which_a_copy_of_it_lies_stays_hidden(leaves):
    first, second = leaves.blue[:2]
    zone = leaves.eye.mat.zone("deck")
    x, y = zone.rect.centre
    leaves.table.put(first, "F", x, y)
    leaves.watch(3.0)
    leaves.table.put(leaves.violet[0], "F", x, y)
    leaves.watch(3.0)
    leaves.eye.faces.plausible = {zone.name: frozenset([second])}
    leaves.table.put(second, "F", x, y)
    leaves.watch(3.0)
    leaves.table.rest_hand("passing", Hand(x, y + 10, x, 520, 20.0, 1))
    leaves.watch()
    leaves.table.rest_hand("passing", None)
    view = leaves.watch(4.0)
    assert [placement.piece for placement in view.placements] == [second]
    assert [track.state for track in leaves.eye.tracks].count("hidden") == 2


@pytest.mark.parametrize(("x", "judged"), [(255, True), (280, False), *at_night((200, True), (300, False))])
def test_of_a_touched_card_that_does_not_reach_into_a_window_nothing_is_judged(collectible, monkeypatch, x, judged):
    """A window from 100 to 230 mm: it is judged in another one, in which all of it is cut out."""
    collectible.begin()  # an eye that still looks for cards of other tests looks in more than this window
    table, watch = collectible.table, collectible.eye.faces
    collectible.watch(3.0)
    table.put(collectible.game.deck.cards[3].piece, "F", x, 150)
    collectible.watch()
    asked = []
    monkeypatch.setattr(Examined, "_share", lambda self, sheet, piece, *_: asked.append(piece) or 1.0)
    eye = collectible.eye
    nowhere = np.zeros(eye._flat.shape, np.bool_)
    touched = nowhere.copy()
    touched[:, : round((x - 20) / MM)] = True
    lying = [(p.piece, Pose(p.x, p.y, p.rotation)) for p in eye.view.placements]
    around = Around(eye._memory.expected.picture, touched, nowhere, nowhere, lying)
    window = (slice(round(100 / MM), round(200 / MM)), slice(round(100 / MM), round(230 / MM)))
    watch.read(eye.frame, [window], around, [], lambda piece, pose: 0.0)
    assert bool(asked) == judged


@pytest.mark.night
def test_while_something_moves_in_a_window_its_look_is_hasty(collectible, monkeypatch):
    table = collectible.table
    table.clear()
    collectible.watch(3.0)
    told = []
    monkeypatch.setattr(watching, "find_cards", lambda *_, hasty=False, **__: told.append(hasty) or [])
    table.put(collectible.game.deck.cards[5].piece, "F", 300, 200)
    collectible.watch(3.0)
    assert told[0]
    assert not told[-1]


@pytest.mark.night
def test_faces_are_prepared_before_the_first_look(collectible):
    eye = make_eye(collectible.game, collectible.mat, [replace(deck) for deck in collectible.decks])
    assert {"keypoints", "distinctive", "symmetric"} <= vars(eye.faces._faces[0]).keys()
