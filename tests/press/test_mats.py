"""The mat as an image, and the table test: every game fits on its mat at every number of seats."""

import cv2
import msgspec
import numpy as np
import pytest

from companion.eye.mat import Rect
from companion.games import GameError, load_mat, names
from companion.press import PressError
from companion.press.drawing import Text, text_width
from companion.press.marks import quiet_side
from companion.press.mats import GHOST, INK, mat_drawing, mat_image

SCALE = 3.0


def seatings():
    for game in names():
        for seats in range(2, 9):
            try:
                yield game, load_mat(game, seats)
            except GameError:
                continue


def table_ids(value):
    return value if isinstance(value, str) else f"{value.seats} seats"


# ----------------------------------------------------------------------------------------------------------- picture


def test_every_marker_is_found_where_the_mat_file_puts_it(mat):
    gray = np.asarray(mat_image(mat, SCALE).convert("L"))
    assert gray.shape == (round(mat.h * SCALE), round(mat.w * SCALE))
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, mat.dictionary))
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(gray)
    seen = {int(number): (quad[0] + 0.5) / SCALE for number, quad in zip(ids.ravel(), corners, strict=True)}
    assert set(seen) == {marker.id for marker in mat.markers}
    for marker in mat.markers:
        half = marker.size / 2
        x, y = marker.x, marker.y
        wanted = np.array([(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)])
        assert np.abs(seen[marker.id] - wanted).max() < 0.2


def test_markers_have_a_white_border_of_a_module_or_more(mat):
    gray = np.asarray(mat_image(mat, SCALE).convert("L"))
    module = mat.markers[0].size / 7
    for marker in mat.markers:
        half, edge = marker.size / 2 + 0.4, marker.size / 2 + min(module, 3.0) - 0.4
        for reach in (half, edge):
            for step in np.linspace(-half, half, 25):
                for x, y in ((step, -reach), (step, reach), (-reach, step), (reach, step)):
                    assert gray[int((marker.y + y) * SCALE), int((marker.x + x) * SCALE)] == 255


def test_every_zone_says_in_words_what_it_is_towards_its_player(mat):
    texts = [item for item in mat_drawing(mat).items if isinstance(item, Text)]
    for zone in mat.zones:
        place = zone.words or zone.rect
        inside = [text for text in texts if place.holds(text.x, text.y)]
        assert " ".join(sorted(text.words for text in inside)) == " ".join(
            sorted(text.words for text in inside if text.rotation % 360 == zone.rotation)
        )
        said = {word for text in inside for word in text.words.split()}
        assert said == set(zone.label.split()), zone.name


def test_words_that_small_codes_will_cover_are_pale():
    collectors = load_mat("collectors", 4)
    inks = {item.words: item.colour for item in mat_drawing(collectors).items if isinstance(item, Text)}
    assert inks["Deck"] == GHOST, "the deck will cover it"
    assert inks["Items"] == INK, "its place is its own"


def test_the_mat_names_the_game_and_no_seat_numbers(mat):
    words = [item.words for item in mat_drawing(mat).items if isinstance(item, Text)]
    assert words.count(mat.title) == 2
    assert not any(letter.isdigit() for line in words for letter in line)


def test_one_printed_mat_shows_all_eight_areas(mat):
    for seats in range(2, 9):
        for zone in load_mat(mat.game, seats).zones:
            if not zone.name.startswith("open."):
                assert any(zone.rect == printed.rect and zone.label == printed.label for printed in mat.zones)


def test_words_stay_inside_the_mat_and_off_the_markers(mat):
    for text in (item for item in mat_drawing(mat).items if isinstance(item, Text)):
        half = text_width(text.words, text.size, text.bold) / 2
        assert mat.frame <= text.x - half
        assert text.x + half <= mat.w - mat.frame
        assert mat.frame <= text.y <= mat.h - mat.frame


def test_a_marker_dictionary_that_is_not_there_is_named(mat):
    with pytest.raises(PressError, match="DICT_9X9_9"):
        mat_drawing(msgspec.structs.replace(mat, dictionary="DICT_9X9_9"))


def test_a_marker_number_beyond_the_dictionary_is_named(mat):
    far = msgspec.structs.replace(mat.markers[0], id=250)
    with pytest.raises(PressError, match="250"):
        mat_drawing(msgspec.structs.replace(mat, markers=(far,)))


# -------------------------------------------------------------------------------------------------------- table test


def overlap(a, b):
    return min(a.x + a.w, b.x + b.w) - max(a.x, b.x) > 1e-6 and min(a.y + a.h, b.y + b.h) - max(a.y, b.y) > 1e-6


def laid(zone, shape):
    """Give the rectangles of all pieces that a zone is meant for, in the order in which they are laid."""
    turned = round(zone.rotation / 90) % 2 == 1
    high = zone.rect.w if turned else zone.rect.h
    rows = 1 + int(max(0.0, high - 2 - shape.h) // zone.row)
    count = 1 if zone.kind == "pile" else zone.slots * rows
    w, h = (shape.h, shape.w) if turned else (shape.w, shape.h)
    spots = [zone.spot(index, shape.w, shape.h) for index in range(count)]
    return [Rect(x - w / 2, y - h / 2, w, h) for x, y in spots]


def codes_of(zone, shape, card):
    """Give the squares, quiet zones included, of the front's codes of a card that lies there."""
    turn = np.radians(zone.rotation)
    cx, cy = card.centre
    squares = []
    for place in shape.codes:
        if place.on == "F":
            u, v = place.x - shape.w / 2, place.y - shape.h / 2
            side = quiet_side(place)
            x, y = cx + u * np.cos(turn) - v * np.sin(turn), cy + u * np.sin(turn) + v * np.cos(turn)
            squares.append(Rect(x - side / 2, y - side / 2, side, side))
    return squares


@pytest.mark.parametrize(("game", "mat"), list(seatings()), ids=table_ids)
def test_all_pieces_of_all_zones_fit_on_the_mat(game, mat):
    table = {zone.name: laid(zone, mat.shape_in(zone)) for zone in mat.zones}
    markers = [Rect(m.x - m.size / 2, m.y - m.size / 2, m.size, m.size) for m in mat.markers]
    for zone in mat.zones:
        for card in table[zone.name]:
            assert card.x >= zone.rect.x - 1e-6, zone.name
            assert card.y >= zone.rect.y - 1e-6, zone.name
            assert card.x + card.w <= zone.rect.x + zone.rect.w + 1e-6, zone.name
            assert card.y + card.h <= zone.rect.y + zone.rect.h + 1e-6, zone.name
            assert mat.zone_at(*card.centre) == zone
            assert not any(overlap(card, marker) for marker in markers), zone.name
            for other in mat.zones:
                if other.name != zone.name:
                    assert not any(overlap(card, b) for b in table[other.name]), (zone.name, other.name)


@pytest.mark.parametrize(("game", "mat"), list(seatings()), ids=table_ids)
def test_words_that_have_a_place_of_their_own_lie_under_no_piece(game, mat):
    places = [zone.words for zone in mat.zones if zone.words]
    for number, place in enumerate(places):
        assert not any(overlap(place, zone.rect) for zone in mat.zones), place
        assert not any(overlap(place, other) for other in places[number + 1 :]), place


@pytest.mark.parametrize(("game", "mat"), list(seatings()), ids=table_ids)
def test_no_words_are_printed_where_a_piece_with_a_single_code_lies(game, mat):
    """A code of 14 mm over printed words is hard to tell from them for an eye that knows the bare mat."""
    texts = [item for item in mat_drawing(mat).items if isinstance(item, Text)]
    for zone in mat.zones:
        shape = mat.shape_in(zone)
        if sum(place.on == "F" for place in shape.codes) == 1:
            for piece in laid(zone, shape):
                assert not any(piece.holds(text.x, text.y) for text in texts), zone.name


@pytest.mark.parametrize(("game", "mat"), list(seatings()), ids=table_ids)
def test_every_card_of_a_full_table_shows_a_whole_code(game, mat):
    for zone in mat.zones:
        shape = mat.shape_in(zone)
        cards = laid(zone, shape)
        for index, card in enumerate(cards):
            free = [
                code for code in codes_of(zone, shape, card) if not any(overlap(code, b) for b in cards[index + 1 :])
            ]
            assert free, (zone.name, index)


@pytest.mark.parametrize("seats", range(2, 9))
def test_five_cards_collector_has_room_for_what_its_rules_lay_down(seats):
    mat = load_mat("five-cards-collector", seats)
    shape = mat.shape_of("symbol")
    assert {zone.name for zone in mat.zones if "." not in zone.name} == {"deck", "discard", "used"}
    for seat in range(1, seats + 1):
        assert len(laid(mat.zone(f"collection.{seat}"), shape)) == 5
        assert len(laid(mat.zone(f"goal.{seat}"), shape)) == 1
        if seats == 2:
            # ruling F8: a hand of up to nine cards may have to be laid open
            assert len(laid(mat.zone(f"open.{seat}"), shape)) >= 9
