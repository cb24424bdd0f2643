"""A cold look at a card that looks much like the mat it lies on."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.eye.faces import finding
from companion.eye.faces.finding import Lying, Part, _Look, find_cards
from companion.eye.faces.flattening import shrunk
from companion.eye.faces.likeness import FaceBook, corners_of
from companion.eye.faces.naming import Named, Sheet, aligned
from companion.eye.faces.poses import filled
from companion.eye.faces.searched import Here, Searched, Way, sight
from companion.eye.faces.sure import Known, Place
from tests.nights import at_night
from tests.printed import printed

PX_PER_MM, SIZE, AT = 2.0, (150, 150), (75.0, 75.0, 0.0)


@pytest.fixture(scope="module")
def book():
    return FaceBook(printed("collectible")[0])


def found(book, face=0, *, differs, shown=1.0, bare=False, under=0.0, lay=True):
    """Return what is found where a card lies, of which a share `differs` from the mat, and a share is `shown`; where
    the rest should be the mat is seen `bare`, or else nothing is known. A share lies `under` a known card. It `lay`
    there before, or was found there once.
    """
    table = np.full((round(SIZE[0] * PX_PER_MM), round(SIZE[1] * PX_PER_MM), 3), 60, np.uint8)
    card = cv2.resize(book.deck.faces[face].views[0], (126, 176), interpolation=cv2.INTER_AREA)
    high = round(shown * 176)
    table[62 : 62 + high, 87:213] = card[:high]
    behind = np.full((*SIZE, 3), 60, np.uint8)
    mask = np.zeros(SIZE, np.uint8)
    mask[31 : 31 + round(88 * differs), 44:106] = 1
    rest = np.ones(SIZE, np.uint8) if bare else np.zeros(SIZE, np.uint8)
    rest[31 : 31 + round(88 * shown), 44:106] = 0
    over = np.zeros(SIZE, np.uint8)
    over[119 - round(88 * under) : 119, 44:106] = 1
    now, prepared = shrunk(table, PX_PER_MM), book.prepared(table, PX_PER_MM)
    place = Place(face, AT, Known.LAY if lay else Known.ONCE)
    looked = find_cards(book, Part(behind, now, prepared, mask, over, rest), places=[place])
    return [lying.named.face for lying in looked]


@pytest.mark.night
def test_an_unmistakable_card_of_which_a_third_differs_from_the_mat_is_known(book):
    assert found(book, differs=0.33) == [0]


@pytest.mark.night
def test_what_hardly_differs_from_the_mat_is_the_mat_however_much_it_looks_like_a_card(book):
    assert found(book, differs=0.1) == []


def test_of_a_back_that_does_not_show_wholly_half_has_to_differ(book):
    assert found(book, differs=0.15, shown=0.5) == []
    assert found(book, differs=0.4, shown=0.5) == [0]


def test_of_an_unmistakable_part_of_a_front_a_fifth_has_to_differ(book):
    assert found(book, 5, differs=0.08, shown=0.5) == []
    assert found(book, 5, differs=0.15, shown=0.5) == [5]


def test_a_strip_of_a_front_counts_and_one_of_a_back_does_not(book):
    assert found(book, differs=0.3, shown=0.3, lay=False) == []
    assert found(book, 5, differs=0.3, shown=0.3, lay=False) == [5]


def test_a_part_of_a_card_beside_which_the_bare_mat_is_seen_is_no_card(book):
    assert found(book, differs=0.4, shown=0.4) == [0]
    assert found(book, differs=0.4, shown=0.4, bare=True) == []


@pytest.mark.parametrize(
    ("margin", "face", "shown", "counts"),
    [
        (0.45, 5, 0.7, False),
        (0.75, 5, 0.7, True),
        (0.45, 5, 0.85, True),
        (0.45, 0, 0.7, True),
    ],
)
def test_a_front_a_third_of_which_would_lie_where_the_mat_is_bare_has_to_be_clear(book, margin, face, shown, counts):
    high = 31 + round(88 * shown)
    shows, empty = np.zeros(SIZE, np.uint8), np.zeros((*SIZE, 3), np.uint8)
    shows[31:high, 44:106] = 1
    look = _Look(book, Part(empty, empty, empty, shows, None, 1 - shows), None, ())
    named = Named(face, AT, margin, 0.8, 54 * shown, True)
    assert look._accept(Lying(named, shows)) == counts


@pytest.mark.parametrize(
    ("margin", "like", "blocks", "differs", "counts"),
    [
        (0.8, 0.65, 54, 0.2, True),
        (0.8, 0.65, 54, 0.1, False),
        (0.5, 0.65, 54, 0.2, False),
        (0.8, 0.55, 54, 0.2, False),
        (0.8, 0.65, 48, 0.2, False),
        (0.8, 0.65, 48, 0.5, True),
    ],
)
def test_a_back_that_shows_wholly_may_be_much_like_the_mat(book, margin, like, blocks, differs, counts):
    """In little light no talent pile was seen on a mat of its colour."""
    shows, mask, empty = np.zeros(SIZE, np.uint8), np.zeros(SIZE, np.uint8), np.zeros((*SIZE, 3), np.uint8)
    shows[31:119, 44:106] = 1
    mask[31 : 31 + round(88 * differs), 44:106] = 1
    look = _Look(book, Part(empty, empty, empty, mask), None, ())
    back = next(n for n, face in enumerate(book.deck.faces) if face.is_back)
    assert look._accept(Lying(Named(back, AT, margin, like, blocks, True), shows)) == counts


@pytest.mark.parametrize(
    ("face", "margin", "like", "counts"),
    [(5, 0.7, 0.95, True), (5, 0.6, 0.95, False), (5, 0.7, 0.85, False), (0, 0.7, 0.95, False)],
)
def test_of_an_unmistakable_strip_of_a_front_less_than_half_may_differ(book, face, margin, like, counts):
    """Strips of 30 mm, sure at every look, were declined: a third of them differed from what lay there before."""
    shows, mask, empty = np.zeros(SIZE, np.uint8), np.zeros(SIZE, np.uint8), np.zeros((*SIZE, 3), np.uint8)
    shows[31:60, 44:106] = 1
    mask[31:41, 44:106] = 1
    look = _Look(book, Part(empty, empty, empty, mask), None, ())
    assert look._accept(Lying(Named(face, AT, margin, like, 18, True), shows)) == counts


@pytest.mark.parametrize(
    ("away", "turn", "counts"), [(1.0, 2.0, False), (1.0, 182.0, False), (1.0, 90.0, True), (6.0, 0.0, True)]
)
def test_of_two_cards_that_lie_squarely_on_each_other_one_shows(book, away, turn, counts):
    top, low, empty = np.zeros(SIZE, np.uint8), np.zeros(SIZE, np.uint8), np.zeros((*SIZE, 3), np.uint8)
    top[31:70, 44:106] = 1
    low[80:119, 44:106] = 1
    look = _Look(book, Part(empty, empty, empty, top | low), None, ())
    assert look._accept(Lying(Named(5, AT, 0.9, 0.8, 24, True), top))
    beside = AT[0] + away, AT[1], AT[2] + turn
    assert look._accept(Lying(Named(6, beside, 0.9, 0.8, 24, True), low)) == counts


def test_bare_mat_counts_where_no_known_card_lies(book):
    assert found(book, differs=0.25, shown=0.25, under=0.6) == [0]
    assert found(book, differs=0.25, shown=0.25, under=0.4) == [0]
    assert found(book, differs=0.25, shown=0.25, under=0.6, bare=True) == [0]
    assert found(book, differs=0.25, shown=0.25, under=0.4, bare=True) == []


@pytest.mark.parametrize(
    ("taught", "shown", "names"), [*at_night((True, 1.0, ["302"]), (True, 0.9, [])), (False, 1.0, [])]
)
def test_a_card_in_pale_print_all_of_which_shows_is_known(taught, shown, names):
    """A part of it is not enough, and where that card is not taught it is not taken for the next one."""
    (deck,) = printed("karmic-collections")
    (view,) = (face.views[0] for face in deck.faces if "302" in face.pieces)
    faces = tuple(face for face in deck.faces if taught or "302" not in face.pieces)
    book = FaceBook(replace(deck, faces=faces))
    card = cv2.resize(view, (126, 176), interpolation=cv2.INTER_AREA)
    table = np.full((300, 300, 3), 60, np.uint8)
    high = round(shown * 176)
    table[62 : 62 + high, 87:213] = (0.34 * card + 150).astype(np.uint8)[:high]
    mask = np.zeros(SIZE, np.uint8)
    mask[31 : 31 + round(88 * shown), 44:106] = 1
    now, behind = shrunk(table, PX_PER_MM), np.full((*SIZE, 3), 60, np.uint8)
    looked = find_cards(book, Part(behind, now, book.prepared(table, PX_PER_MM), mask))
    assert [book.deck.faces[lying.named.face].pieces[0] for lying in looked] == names


@pytest.mark.parametrize("part", [(35, 60, 50, 100), (85, 115, 50, 100), (40, 110, 80, 104), (55, 95, 55, 95)])
def test_a_card_is_found_of_which_any_part_alone_differs_from_the_mat(book, part):
    top, bottom, left, right = part
    card = cv2.resize(book.deck.faces[0].views[0], (126, 176), interpolation=cv2.INTER_AREA)
    table = np.full((300, 300, 3), 60, np.uint8)
    table[62:238, 87:213] = card
    now = shrunk(table, PX_PER_MM)
    behind, mask = now.copy(), np.zeros(SIZE, np.uint8)
    mask[top:bottom, left:right] = 1
    behind[mask > 0] = 60
    found = find_cards(book, Part(behind, now, book.prepared(table, PX_PER_MM), mask))
    assert [lying.named.face for lying in found] == [0]
    assert found[0].named.pose[:2] == pytest.approx(AT[:2], abs=1.5)


@pytest.mark.parametrize("slant", [0.0, 0.5])
def test_a_card_in_pale_print_is_found_where_it_lies_in_whatever_light(slant):
    (deck,) = printed("karmic-collections")
    book = FaceBook(deck)
    (view,) = (n for n, owner in enumerate(book.owner) if "203" in deck.faces[owner].pieces)
    card = cv2.resize(deck.faces[book.owner[view]].views[0], (126, 176), interpolation=cv2.INTER_AREA)
    table = np.full((300, 300, 3), 60.0)
    table[62:238, 87:213] = 0.34 * card + 150
    table *= np.linspace(1 - slant, 1, 300)[:, None, None]
    sheet = Sheet(book, book.prepared(table.astype(np.uint8), PX_PER_MM))
    pose = aligned(sheet, (73.5, 74.0, 1.0), view)
    assert np.hypot(pose[0] - 75, pose[1] - 75) < 0.6


def table_with(*cards):
    """Return a flat picture of the views of some cards, each at a pose (mm), the last one on top."""
    table = np.full((round(SIZE[0] * PX_PER_MM), round(SIZE[1] * PX_PER_MM), 3), 60, np.uint8)
    for view, pose in cards:
        high, wide = view.shape[:2]
        corners = (corners_of(pose, 63, 88)[[0, 1, 3]] * PX_PER_MM - 0.5).astype(np.float32)
        own = (np.array([[0, 0], [wide, 0], [0, high]]) - 0.5).astype(np.float32)
        matrix = cv2.getAffineTransform(own, corners)
        cv2.warpAffine(view, matrix, table.shape[1::-1], table, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)
    return table


def number_of(book, piece):
    return next(number for number, face in enumerate(book.deck.faces) if piece in face.pieces)


@pytest.mark.parametrize("piece", ["02I"])
def test_a_card_that_was_not_taught_is_not_taken_for_one_in_its_frame(book, piece):
    view = book.deck.faces[number_of(book, piece)].views[0]
    table = table_with((view, AT))
    mask = np.zeros(SIZE, np.uint8)
    mask[31:119, 44:106] = 1
    behind = np.full((*SIZE, 3), 60, np.uint8)
    for deck, names in ((book.deck, [piece]), (book.deck.without(piece), [])):
        taught = FaceBook(deck)
        looked = find_cards(taught, Part(behind, shrunk(table, PX_PER_MM), taught.prepared(table, PX_PER_MM), mask))
        assert [taught.deck.faces[lying.named.face].pieces[0] for lying in looked] == names


@pytest.mark.parametrize(
    ("seen", "margin", "counts"),
    [
        ("itself", 0.4, True),
        ("another", 0.65, False),
        ("another", 0.75, True),
        ("covered", 0.45, False),
        ("covered", 0.55, True),
        ("known over it", 0.4, True),
        ("another, its frame hidden", 0.4, True),
    ],
)
def test_a_front_in_whose_frame_another_picture_shows_has_to_be_clear(book, seen, margin, counts):
    """What lies over it, and hides what all fronts share as well, explains that in part; what is known to, all. Where
    the frame is not seen nothing is said.
    """
    own, another, other = (book.deck.faces[number_of(book, piece)].views[0] for piece in ("00Z", "02I", "001"))
    askew = (110.0, 75.0, 35.0)
    lie = {
        "itself": [(own, AT)],
        "another": [(another, AT)],
        "another, its frame hidden": [(other, AT)],
    }
    table = table_with(*lie.get(seen, [(own, AT), (another, askew)]))
    shows, over = np.zeros(SIZE, np.uint8), None
    shows[31:119, 44:75] = 1
    if seen == "known over it":
        over = filled(askew, (63, 88), SIZE)
    elif seen == "another, its frame hidden":
        over = np.ones(SIZE, np.uint8)
        over[48:84, 52:98] = shows[:] = 0
        shows[48:84, 52:98] = 1
    look = _Look(book, Part(table, table, book.prepared(table, PX_PER_MM), shows, over), None, ())
    assert look._accept(Lying(Named(number_of(book, "00Z"), AT, margin, 0.8, 27, True), shows)) == counts
    assert bool(look.unsure) != counts


def strange(book, picture=None):
    """Return a part of the table where something lies that is no card of a deck: a picture, or noise."""
    table = np.full((300, 300, 3), 60, np.uint8)
    noise = np.random.default_rng(1).integers(0, 255, (176, 126, 3), np.uint8)
    table[62:238, 87:213] = noise if picture is None else cv2.resize(picture, (126, 176), interpolation=cv2.INTER_AREA)
    mask = np.zeros(SIZE, np.uint8)
    mask[31:119, 44:106] = 1
    now, behind = shrunk(table, PX_PER_MM), np.full((*SIZE, 3), 60, np.uint8)
    return Part(behind, now, book.prepared(table, PX_PER_MM), mask)


def test_while_a_hand_moves_outlines_are_looked_for_only_where_something_was_searched(book, monkeypatch):
    part, tried = strange(book), []
    monkeypatch.setattr(finding, "rectangles", lambda *_, **__: tried.append(1) or [])
    for hasty, looks in ((True, [False, True]), (False, [True, False])):
        searched = Searched()
        for look in (*looks, False):
            find_cards(book, part, searched=Here(searched, sight(part.now, (0, 0))), hasty=hasty)
            assert bool(tried) == look
            tried.clear()


@pytest.mark.night
def test_what_no_glance_gives_a_chance_is_not_weighed(book, monkeypatch):
    """Of the guesses by keypoints at cards of another deck one in five is, at most."""
    weighed = []
    weigh = finding.weigh
    monkeypatch.setattr(finding, "weigh", lambda *told: weighed.append(1) or weigh(*told))
    (other,) = printed("karmic-collections")
    parts = [strange(book, face.views[0]) for face in other.faces[4::3]]
    assert not any(find_cards(book, part) for part in parts)
    hopeful = len(weighed)
    weighed.clear()
    monkeypatch.setattr(finding, "_HOPEFUL", -9.0)
    assert not any(find_cards(book, part) for part in parts)
    assert hopeful <= len(weighed) / 5
    assert weighed


def counted(monkeypatch, owner, name):
    """Return a list to which each call of a function is added, as what it was called with."""
    calls, function = [], getattr(owner, name)
    monkeypatch.setattr(owner, name, lambda *told, **named: calls.append(told) or function(*told, **named))
    return calls


def between(book, *faces):
    """Return a part of the table where something lies that is as much like one card as like others."""
    views = [book.deck.faces[face].views[0].astype(np.float32) for face in faces]
    return strange(book, np.mean(views, axis=0).astype(np.uint8))


def test_what_is_as_much_like_one_card_as_like_another_is_not_weighed(book, monkeypatch):
    weighed = counted(monkeypatch, finding, "weigh")
    assert find_cards(book, between(book, 5, 9)) == []
    assert not weighed


def test_of_faces_that_were_compared_in_one_place_the_likeliest_alone_is_looked_at(book, monkeypatch):
    monkeypatch.setattr(book.keypoints, "guesses", lambda *_: [])
    looked_at = counted(monkeypatch, _Look, "_weigh")
    for apart, places in ((finding._SAME_MM, 1), (0.0, 3)):
        monkeypatch.setattr(finding, "_SAME_MM", apart)
        find_cards(book, between(book, 8, 9, 10))
        assert len(looked_at) == places
        looked_at.clear()


@pytest.mark.parametrize(("alike", "tried"), [(finding._GLIMPSED - 1, False), (finding._GLIMPSED, True)])
def test_a_guess_of_which_hardly_anything_looks_like_its_face_is_not_aligned(book, monkeypatch, alike, tried):
    part = strange(book, book.deck.faces[5].views[0])
    blocks = np.arange(book.grid[0] * book.grid[1]) < alike
    monkeypatch.setattr(book, "alike", lambda *_: blocks)
    fitted = counted(monkeypatch, finding, "aligned")
    _Look(book, part, None, ()).by_keypoints()
    assert bool(fitted) == tried


def test_a_card_all_of_which_shows_is_aligned_once_before_it_is_weighed(book, monkeypatch):
    fitted = counted(monkeypatch, finding, "aligned")
    (lying,) = find_cards(book, strange(book, book.deck.faces[5].views[0]))
    assert (lying.named.face, len(fitted)) == (5, 1)


@pytest.mark.parametrize(("high", "tried"), [(24, False), (32, True)])
def test_a_part_that_is_less_than_a_seventh_of_a_card_belongs_to_none_of_which_only_it_differs(
    book, monkeypatch, high, tried
):
    part = strange(book)
    part.mask[31 + high :] = 0
    part.mask[:, 74:] = 0
    contained = counted(monkeypatch, finding, "containing")
    find_cards(book, part)
    assert bool(contained) == tried


def test_what_was_searched_is_compared_once_a_look_and_way_while_nothing_is_found(book, monkeypatch):
    part, searched = strange(book), Searched()
    opened = counted(monkeypatch, Here, "open")
    find_cards(book, part, searched=Here(searched, sight(part.now, (0, 0))))
    assert [way for _, way, _ in opened] == [Way.KEYPOINTS, Way.OUTLINES]


@pytest.mark.parametrize(
    ("face", "margin", "poor", "light", "sure"),
    [
        (0, 0.46, False, (1, 1, 1), True),
        (0, 0.46, True, (1, 1, 1), False),
        (0, 0.46, False, (1, 0.4, 0.9), False),
        (0, 0.6, True, (1, 1, 1), True),
        (2, 0.46, True, (1, 1, 1), True),
    ],
)
def test_of_two_cards_that_differ_in_one_pip_neither_is_named_in_gray_or_strange_light_unless_it_is_plain(
    book, monkeypatch, face, margin, poor, light, sure
):
    one, other = (book.deck.faces[number] for number in (5, 9))
    pip = one.views[0].copy()
    cv2.circle(pip, (60, 80), 7, (30, 30, 30), -1)
    faces = (one, replace(one, name="with a pip", pieces=("ZZZ",), views=(pip,)), other)
    few = FaceBook(replace(book.deck, faces=faces))
    assert few.close.any(1).tolist() == [True, True, False]
    monkeypatch.setattr(finding, "weigh", lambda *_args: Named(face, AT, margin, 0.8, 54, True))
    table = np.full((round(SIZE[0] * PX_PER_MM), round(SIZE[1] * PX_PER_MM), 3), 60, np.uint8)
    table[62:238, 87:213] = np.clip(few.deck.faces[face].views[0] * np.array(light), 0, 255)
    mask, nothing = np.ones(SIZE, np.uint8), np.zeros((*SIZE, 3), np.uint8)
    prepared = few.prepared(table, PX_PER_MM)
    look = _Look(few, Part(nothing, nothing, prepared, mask, None, None, poor), None, [Place(face, AT, Known.ONCE)])
    lying = look._weigh(Sheet(few, prepared), AT, face, 5)
    assert lying is not None
    assert lying.named.sure == sure


@pytest.mark.parametrize(
    ("margin", "partly", "expected", "sure"),
    [(0.7, True, False, False), (0.7, True, True, True), (0.7, False, False, True), (0.9, True, False, True)],
)
def test_in_a_deck_taught_in_part_a_card_is_named_if_the_rules_expect_it_or_it_looks_as_taught(
    book, monkeypatch, margin, partly, expected, sure
):
    monkeypatch.setattr(finding, "weigh", lambda *_args: Named(5, AT, margin, 0.8, 54, True))
    table = np.full((round(SIZE[0] * PX_PER_MM), round(SIZE[1] * PX_PER_MM), 3), 60, np.uint8)
    table[62:238, 87:213] = book.deck.faces[5].views[0]
    mask, nothing = np.ones(SIZE, np.uint8), np.zeros((*SIZE, 3), np.uint8)
    prepared = book.prepared(table, PX_PER_MM)
    part = Part(nothing, nothing, prepared, mask, partly=partly)
    look = _Look(book, part, lambda _x, _y: {5} if expected else set(), [Place(5, AT, Known.ONCE)])
    lying = look._weigh(Sheet(book, prepared), AT, 5, 5)
    assert lying is not None
    assert lying.named.sure == sure
