"""The mat as an image, and the table test: every game fits on its mat at every number of seats."""

import contextlib
from functools import cache

import cv2
import msgspec
import numpy as np
import pytest

from companion.eye.mat import Rect
from companion.games import GameError, load_deck, load_mat, load_neutral_mat, neutral_mats, packages
from companion.press import PressError
from companion.press.chairs import BADGE
from companion.press.drawing import Text, text_width
from companion.press.faces import face_image, shape_faces, shape_for
from companion.press.marks import quiet_side
from companion.press.mats import ink_of, label_size, mat_drawing, mat_image
from tests.nights import at_night
from tests.nights import every as sampled

SCALE = 3.0


@cache
def seatings():
    found = []
    for load, every in ((load_mat, packages()), (load_neutral_mat, neutral_mats())):
        for name in every:
            for seats in range(2, 9):
                with contextlib.suppress(GameError):
                    found.append((name, load(name, seats)))
    return found


def largest(game):
    return max((mat for name, mat in seatings() if name == game), key=lambda mat: mat.seats)


def table_ids(value):
    return value if isinstance(value, str) else f"{value.seats} seats"


# ----------------------------------------------------------------------------------------------------------- picture


@pytest.fixture(scope="module")
def gray(mat):
    return np.asarray(mat_image(mat, SCALE).convert("L"))


@pytest.mark.night
def test_every_marker_is_found_where_the_mat_file_puts_it(mat, gray):
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


@pytest.mark.night
def test_markers_have_a_white_border_of_a_module_or_more(mat, gray):
    module = mat.markers[0].size / 7
    for marker in mat.markers:
        half, edge = marker.size / 2 + 0.4, marker.size / 2 + min(module, 3.0) - 0.4
        for reach in (half, edge):
            for step in np.linspace(-half, half, 25):
                for x, y in ((step, -reach), (step, reach), (-reach, step), (reach, step)):
                    assert gray[int((marker.y + y) * SCALE), int((marker.x + x) * SCALE)] == 255


@cache
def texts_of(mat, **how):
    return [item for item in mat_drawing(mat, **how).items if isinstance(item, Text)]


def inner_texts(mat, **how):
    """List the words that are printed inside the border, where the chairs are not."""
    texts = texts_of(mat, **how)
    return [t for t in texts if mat.frame < t.x < mat.w - mat.frame and mat.frame < t.y < mat.h - mat.frame]


@pytest.mark.parametrize(("game", "mat"), sampled(4, seatings()), ids=table_ids)
def test_every_zone_says_once_in_words_what_it_is_towards_its_player(game, mat):
    texts = inner_texts(mat)
    for zone in mat.zones:
        place = zone.words or zone.rect
        # A dice tray's name may stand in the border, so that nothing is printed where dice are read.
        inside = [text for text in (texts_of(mat) if zone.kind == "tray" else texts) if place.holds(text.x, text.y)]
        assert {text.rotation % 360 for text in inside} <= {zone.rotation}
        said = [word for text in inside for word in text.words.split()]
        assert sorted(said) == sorted(" ".join(zone.printed).split()), zone.name


@pytest.mark.parametrize(("game", "mat"), sampled(4, seatings()), ids=table_ids)
def test_zones_are_labelled_at_one_size(game, mat):
    size, texts = label_size(mat), inner_texts(mat)
    for zone in mat.zones:
        place = zone.words or zone.rect
        for text in texts:
            if place.holds(text.x, text.y):
                assert text.size == pytest.approx(size), (zone.name, text.words)


def test_words_that_pieces_will_cover_are_faint():
    collectors = load_mat("collectors", 4)
    inks = {item.words: item.colour for item in inner_texts(collectors)}
    words = ink_of(collectors)["words"]
    assert inks["Deck"] != words, "the deck will cover it"
    assert inks["Items"] == words, "its place is its own"


def test_the_mat_names_the_game_towards_both_sides(mat):
    assert [t.rotation for t in inner_texts(mat) if t.words == mat.title] == [0.0, 180.0]


# ------------------------------------------------------------------------------------------------------------ chairs


@pytest.mark.parametrize(("game", "mat"), sampled(4, seatings()), ids=table_ids)
def test_every_seat_of_every_number_of_players_has_a_chair_on_one_print(game, mat):
    sits = {pair for chair in mat.looks.chairs for pair in chair.seats}
    assert {seat for players, seat in sits if players == mat.seats} == set(range(1, mat.seats + 1))
    assert len(sits) == sum(len(chair.seats) for chair in mat.looks.chairs), "no seat sits twice"


@pytest.mark.parametrize(("game", "mat"), sampled(4, seatings()), ids=table_ids)
def test_chairs_lie_between_the_markers_before_their_players(game, mat):
    badges = []
    for chair in mat.looks.chairs:
        w, h = BADGE if round(chair.rotation / 90) % 2 == 0 else BADGE[::-1]
        badges.append(Rect(chair.x - w / 2, chair.y - h / 2, w, h))
    markers = [Rect(m.x - m.size / 2 - 3, m.y - m.size / 2 - 3, m.size + 6, m.size + 6) for m in mat.markers]
    for number, badge in enumerate(badges):
        assert badge.x >= 0
        assert badge.x + badge.w <= mat.w
        assert not any(overlap(badge, other) for other in (*badges[number + 1 :], *markers))
        assert not any(overlap(badge, zone.rect) for zone in mat.zones)


@pytest.mark.parametrize("seats", [2, 5, 8])
def test_a_mat_for_one_number_of_players_numbers_their_seats_only(mat, seats):
    numbers = [
        t.words
        for t in mat_drawing(load_mat(mat.game, seats), seats=seats).items
        if isinstance(t, Text) and t.words.isdigit()
    ]
    assert sorted(numbers) == [str(seat) for seat in range(1, seats + 1)]


# ---------------------------------------------------------------------------------------------------------- contrast

LEAST = 40
"""Gray levels between a piece's rim and the mat that it lies on."""
GROUND = 1.0
"""Pixels a millimetre at which the ground of zones is looked at: it has no fine lines."""
ALL = [False, *at_night(True)]
"""A sample: the games' mats for the most players, and every twelfth card."""


def rim(deck, shape, card, face):
    """Return the gray levels of the outermost 0.3 mm of a piece."""
    gray = np.asarray(face_image(card, deck, shape, face, SCALE * 2).convert("L"))
    edge = 2
    return np.concatenate([gray[:edge].ravel(), gray[-edge:].ravel(), gray[:, :edge].ravel(), gray[:, -edge:].ravel()])


def rims(every):
    """Return the darkest rim of every shape of every deck."""
    darkest = {}
    for game in packages():
        deck, mat = load_deck(game), largest(game)
        for card in (*deck.cards[:: 1 if every else 12], None):
            shape = shape_for(mat, card)
            for face in shape_faces(shape) if card else ("B",):
                level = np.percentile(rim(deck, shape, card, face), 2)
                darkest[game, shape.name] = min(level, darkest.get((game, shape.name), 255))
    return darkest


@cache
def printed(game, seats, scale):
    """Return the gray picture of a mat for a number of seats."""
    mat = next(mat for name, mat in seatings() if (name, mat.seats) == (game, seats))
    return np.asarray(mat_image(mat, scale).convert("L"))


def looked_at(every):
    return seatings() if every else [(name, largest(name)) for name in packages()]


@pytest.mark.parametrize("every", ALL)
@pytest.mark.night
def test_every_rim_stands_out_from_every_zone_also_in_half_the_light(every):
    darkest = rims(every)
    for game, mat in looked_at(every):
        gray = printed(game, mat.seats, GROUND)
        for zone in mat.zones:
            r = zone.rect
            inside = gray[
                round(r.y * GROUND) : round((r.y + r.h) * GROUND), round(r.x * GROUND) : round((r.x + r.w) * GROUND)
            ]
            # words and outlines are thin: what matters is the ground, and they must not come near a rim either
            brightest, ground = np.percentile(inside, 99), np.percentile(inside, 90)
            level = darkest.get((game, mat.shape_in(zone).name), 255)
            assert (level - brightest) >= LEAST, (game, zone.name, level, brightest)
            assert (level - ground) / 2 >= LEAST, (game, zone.name, level, ground)


@pytest.mark.night
def test_zones_are_even_where_cards_lie():
    for game, mat in seatings():
        gray = printed(game, mat.seats, SCALE)
        for zone in mat.zones:
            r = zone.rect
            inside = gray[
                round((r.y + 2) * SCALE) : round((r.y + r.h - 2) * SCALE),
                round((r.x + 2) * SCALE) : round((r.x + r.w - 2) * SCALE),
            ]
            assert np.ptp(np.percentile(inside, (3, 85))) <= 4, (game, zone.name)


@pytest.mark.night
def test_outlines_spare_ink(mat):
    outlines = np.asarray(mat_image(mat, GROUND, spare=True).convert("L"))
    assert np.median(outlines) == 255
    assert outlines.mean() > 240


def test_neutral_mats_share_their_markers_and_no_game_has_them():
    own = {marker.id for name in packages() for marker in next(m for g, m in seatings() if g == name).markers}
    neutral = {tuple(marker.id for marker in load_neutral_mat(name, 2).markers) for name in neutral_mats()}
    assert len(neutral_mats()) == 6
    assert neutral == {tuple(range(124, 148))}
    assert not own & set(range(124, 148))


def test_one_printed_mat_shows_all_eight_areas(mat):
    for seats in range(2, 9):
        for zone in load_mat(mat.game, seats).zones:
            if not zone.name.startswith("open."):
                assert any(zone.rect == printed.rect and zone.label == printed.label for printed in mat.zones)


@pytest.mark.parametrize(("game", "mat"), seatings(), ids=table_ids)
def test_words_stay_inside_the_mat_and_off_the_markers(game, mat):
    for text in inner_texts(mat):
        half = text_width(text.words, text.size, text.bold) / 2
        wide = half if round(text.rotation / 90) % 2 == 0 else text.size / 2
        assert mat.frame <= text.x - wide
        assert text.x + wide <= mat.w - mat.frame


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
    """Return the rectangles of all pieces that a zone is meant for, in the order in which they are laid."""
    turned = round(zone.rotation / 90) % 2 == 1
    high = zone.rect.w if turned else zone.rect.h
    rows = 1 + int(max(0.0, high - 2 - shape.h) // zone.row)
    count = 1 if zone.kind == "pile" else zone.slots * rows
    w, h = (shape.h, shape.w) if turned else (shape.w, shape.h)
    spots = [zone.spot(index, shape.w, shape.h) for index in range(count)]
    return [Rect(x - w / 2, y - h / 2, w, h) for x, y in spots]


def codes_of(zone, shape, card):
    """Return the squares, quiet zones included, of the front's codes of a card that lies there."""
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


@pytest.mark.parametrize(("game", "mat"), seatings(), ids=table_ids)
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


@pytest.mark.parametrize(("game", "mat"), seatings(), ids=table_ids)
def test_words_that_have_a_place_of_their_own_lie_under_no_piece(game, mat):
    places = [zone.words for zone in mat.zones if zone.words]
    for number, place in enumerate(places):
        assert not any(overlap(place, zone.rect) for zone in mat.zones), place
        assert not any(overlap(place, other) for other in places[number + 1 :]), place


@pytest.mark.parametrize(("game", "mat"), seatings(), ids=table_ids)
def test_no_words_are_printed_where_a_piece_with_a_single_code_lies(game, mat):
    """A code of 14 mm over printed words is hard to tell from them for an eye that knows the bare mat."""
    texts = texts_of(mat)
    for zone in mat.zones:
        shape = mat.shape_in(zone)
        if sum(place.on == "F" for place in shape.codes) == 1:
            for piece in laid(zone, shape):
                assert not any(piece.holds(text.x, text.y) for text in texts), zone.name


@pytest.mark.parametrize(("game", "mat"), seatings(), ids=table_ids)
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
