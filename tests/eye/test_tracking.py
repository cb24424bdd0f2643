"""What the eye makes of a table on which things happen."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from companion.codes import BACK
from companion.eye.flat import glimpsed
from companion.eye.light import Light
from companion.eye.tracks import SAME_MM, Spot
from companion.eye.view import TableView
from tests.eye.tables import Card, Session, Table, back, code_modules, mat_picture, test_mat

PILE, ROW0, ROW1, LOOSE = (61.0, 100.0), (134.0, 97.0), (200.0, 97.0), (287.0, 100.0)


def session(*cards: Card, reference: bool = True, **camera: float) -> Session:
    watched = Session(Table(test_mat(), list(cards), **camera), reference)  # type: ignore[arg-type]
    watched.run(14)
    return watched


def where(view: TableView) -> dict[str, str | None]:
    return {placement.piece: placement.zone for placement in view.placements}


def test_cards_that_lie_there_at_the_start_are_all_seen_and_settled() -> None:
    watched = session(Card("001", *PILE), Card("002", *ROW1, 4), back(*LOOSE, 180), tilt=10, turn=3, lens=0.06)
    assert where(watched.view) == {"001": "pile", "002": "row", BACK: "loose"}
    assert watched.view.settled
    assert not watched.view.covered
    assert not watched.view.troubles


def test_a_placement_says_where_the_card_lies_and_how_it_is_turned() -> None:
    watched = session(Card("001", 64, 98, 12), Card("002", *ROW1, 183), tilt=12, lens=0.08)
    first, second = watched.pieces()["001"], watched.pieces()["002"]
    assert (first.x, first.y, first.rotation) == pytest.approx((64, 98, 12), abs=1.2)
    assert (second.x, second.y) == pytest.approx(ROW1, abs=1.2)
    assert second.rotation % 180 == pytest.approx(3, abs=1.5)
    assert (first.slot, second.slot) == (None, 1)
    assert first.faces == {"F"}


def test_a_row_has_no_places_that_reach_out_of_its_zone() -> None:
    mat = test_mat()
    zones = tuple(replace(zone, row=30.0) if zone.name == "row" else zone for zone in mat.zones)
    row = next(zone for zone in zones if zone.name == "row")
    assert row.places(mat.shapes[0]) == 2
    watched = Session(Table(replace(mat, zones=zones), [Card("001", 134, 126)]))
    watched.run(14)
    assert (where(watched.view), watched.pieces()["001"].slot) == ({"001": "row"}, 0)


def test_nothing_is_said_while_nothing_changes() -> None:
    watched = session(Card("001", *PILE))
    assert watched.run(80) == []


def test_a_card_laid_down_shows_in_its_third_frame_and_settles_after_half_a_second() -> None:
    watched = session(Card("001", *PILE))
    watched.table.cards.append(Card("002", *ROW0))
    first = watched.eye.see(watched.table.shot())
    assert first is None or "002" not in where(first)
    watched.run(2)
    assert watched.pieces()["002"].zone == "row"
    assert not watched.view.settled
    watched.run(6)
    assert watched.view.settled
    assert watched.pieces()["002"].order > watched.pieces()["001"].order


def test_a_hand_over_a_card_covers_it_and_removes_nothing() -> None:
    watched = session(Card("001", *PILE), Card("002", *ROW0))
    before = watched.view.placements
    watched.reach(PILE[0], PILE[1] - 30, still=15)
    watched.run(10)
    during = [view for view in watched.views if "pile" in view.covered]
    assert during
    assert all(view.placements == before for view in watched.views[-len(during) :])
    assert watched.view.settled
    assert watched.view.placements == before
    assert not watched.view.covered


def test_a_resting_hand_keeps_its_zone_covered() -> None:
    watched = session(Card("001", *PILE))
    watched.table.hands = [(PILE[0], PILE[1] - 20, -80)]
    watched.run(40)
    assert "pile" in watched.view.covered
    assert where(watched.view) == {"001": "pile"}


@pytest.mark.night
def test_a_hand_that_takes_the_card_out_from_under_itself_is_not_believed_until_it_is_gone() -> None:
    watched = session(Card("001", *PILE))
    watched.table.hands = [(PILE[0], PILE[1] - 42, -90)]
    watched.table.covers = [(PILE[0] - 34, PILE[1] - 46, 68, 92)]
    watched.run(10)
    watched.table.cards.clear()
    watched.run(20)
    assert where(watched.view) == {"001": "pile"}
    watched.table.hands, watched.table.covers = [], []
    watched.run(12)
    assert where(watched.view) == {}


def test_touched_zones_are_told_once_with_the_settled_view() -> None:
    watched = session(Card("001", *PILE))
    watched.reach(PILE[0], PILE[1] - 10)
    views = watched.run(12)
    settled = [view for view in views if view.settled]
    assert len(settled) == 1
    assert settled[0].touched == {"pile"}
    watched.table.cards.append(Card("002", *LOOSE))
    watched.run(12)
    assert watched.view.touched == {"loose"}


def test_a_moved_card_is_one_piece_with_a_new_order() -> None:
    watched = session(Card("001", *PILE), Card("002", *ROW0))
    order = watched.pieces()["002"].order
    watched.carry(0, *LOOSE)
    watched.run(14)
    assert where(watched.view) == {"001": "loose", "002": "row"}
    assert watched.pieces()["001"].order > order
    assert all(len(view.placements) == 2 for view in watched.views if view.settled)


def test_a_card_nudged_by_less_than_six_millimetres_was_not_moved() -> None:
    watched = session(Card("001", *PILE), Card("002", *ROW0))
    before = watched.view.placements
    watched.table.cards[0] = watched.table.cards[0].at(PILE[0] + 2.5, PILE[1] - 2.5, 4)
    watched.run(20)
    assert watched.view.placements == before
    assert watched.view.settled


def test_a_card_that_is_turned_on_the_spot_was_moved() -> None:
    watched = session(Card("001", *PILE), Card("002", *ROW0))
    order = watched.pieces()["001"].order
    watched.table.cards[0] = watched.table.cards[0].at(*PILE, 40)
    watched.run(14)
    turned = watched.pieces()["001"]
    assert turned.rotation == pytest.approx(40, abs=2)
    assert turned.order > order


@pytest.mark.parametrize("reference", [True, False])
def test_a_card_taken_away_is_gone_once_its_empty_place_is_seen(reference: bool) -> None:
    watched = session(Card("001", *PILE), Card("002", *ROW0), reference=reference)
    watched.carry(0, 150, 330)
    watched.run(14)
    assert where(watched.view) == {"002": "row"}
    assert watched.view.settled
    assert not watched.view.covered


@pytest.mark.night
def test_a_card_whose_leaving_was_too_faint_to_be_noticed_is_gone_soon_after_the_first_look() -> None:
    watched = session(Card("001", *PILE))
    watched.table.cards.append(Card("002", PILE[0] + 34, PILE[1] + 40))
    watched.run(14)
    assert where(watched.view)["001"] == "pile"
    still = glimpsed(watched.table.shot().gray)
    del watched.table.cards[0]
    doubted, frames = 0, 0
    while "001" in where(watched.view) and frames < 700:
        shot = watched.table.shot()
        # The small picture, in which motion is looked for, shows none.
        shot.small = still
        watched.eye.see(shot)
        frames += 1
        track = next((one for one in watched.eye.tracks if one.piece == "001"), None)
        doubted += track is not None and track.doubt > 0
    assert frames < 400
    assert doubted < 10


def lit_there(table: Table, most: float, sharp: bool = False) -> None:
    """Have a lamp mirrored on the mat about the pile, up to `most` gray levels brighter; or a thing with an edge."""
    y, x = (grid / 3.0 for grid in np.mgrid[: table._ground.shape[0], : table._ground.shape[1]])
    if sharp:
        more = most * ((abs(x - PILE[0]) < 26) & (y > PILE[1] - 40))
    else:
        more = most * (0.9 + 0.1 * (y - PILE[1]) / 90) * np.clip((PILE[0] + 75 - x) / 20, 0, 1)
    table._ground[:] = np.clip(table._ground + more, 0, 255).astype(np.uint8)
    table.noise = 1.9  # a new picture


@pytest.mark.parametrize("sharp", [False, True])
def test_a_card_is_gone_where_its_place_has_the_light_of_its_surroundings_and_not_where_it_has_an_edge(
    sharp: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = session(Card("001", *PILE), Card("002", *ROW0))
    # As where cards were read in that light: by them it looks as ever.
    monkeypatch.setattr(Light, "fits", lambda *samples: True)
    if not sharp:
        lit_there(watched.table, 28)
    watched.run(10)
    watched.reach(*PILE, still=2)
    del watched.table.cards[0]
    if sharp:
        lit_there(watched.table, 34, sharp)
    watched.run(40)
    assert ("001" in where(watched.view)) is sharp
    assert ("pile" in watched.view.covered) is sharp


def test_a_stack_shows_its_top_and_the_lower_card_comes_back_when_it_is_lifted() -> None:
    watched = session(Card("001", *PILE))
    watched.table.cards.append(Card("002", *PILE, 2))
    watched.run(12)
    assert where(watched.view) == {"002": "pile"}
    watched.carry(1, *LOOSE)
    watched.run(14)
    assert where(watched.view) == {"001": "pile", "002": "loose"}


def test_what_was_seen_until_another_card_was_laid_over_it_is_told_apart_until_its_place_is_empty() -> None:
    watched = session(Card("001", *LOOSE))
    watched.table.cards.append(Card("002", *LOOSE, 3))
    watched.run(14)
    assert where(watched.view) == {"002": "loose"}
    assert [(placement.piece, placement.zone) for placement in watched.view.under] == [("001", "loose")]
    watched.table.cards.clear()
    watched.run(14)
    assert where(watched.view) == {}
    assert watched.view.under == ()


@pytest.mark.parametrize("others", [[], [Card("002", *PILE)]])
def test_a_card_is_gone_though_the_mat_bears_traces_of_one_of_its_codes(others: list[Card], monkeypatch) -> None:
    watched = session(Card("001", *PILE))
    watched.table.cards += others
    watched.run(14)
    lower = next(track for track in watched.eye.tracks if track.piece == "001")
    first = next(iter(lower.spots.values()))
    monkeypatch.setattr(Spot, "traces", lambda spot, *_: spot is first)
    del watched.table.cards[:]
    watched.run(20)
    assert watched.pieces() == {}
    assert watched.eye.tracks == ()


def test_a_card_is_gone_though_the_edge_of_one_beside_it_throws_a_shadow_on_the_mat(monkeypatch) -> None:
    x, y = LOOSE
    watched = session(Card("002", x - 60.0, y), Card("001", x, y))
    gone = next(track for track in watched.eye.tracks if track.piece == "001")
    first = next(iter(gone.spots.values()))
    monkeypatch.setattr(Spot, "traces", lambda spot, *_: spot is first)
    del watched.table.cards[1]
    watched.table.covers = [(x - 28.5, y - 40.0, 2.5, 80.0)]
    watched.run(20)
    assert where(watched.view) == {"002": "row"}


@pytest.mark.parametrize("shows", [10.0, 25.0])
def test_a_card_is_gone_though_a_sliver_of_it_beside_another_is_like_its_code(shows: float, monkeypatch) -> None:
    watched = session(Card("001", *PILE))
    (gone,) = watched.eye.tracks
    monkeypatch.setattr(Spot, "resembles", lambda spot, *_: spot in gone.spots.values())
    x, y = PILE
    watched.table.cards[:] = [Card("002", x - shows, y)]
    watched.run(20)
    # What is like a larger part of the code is no chance.
    assert where(watched.view) == {"002": "pile"} | ({"001": "pile"} if shows > 20 else {})


def test_a_card_half_under_another_is_still_seen_and_the_upper_one_has_the_larger_order() -> None:
    watched = session(Card("001", 262, 100))
    watched.table.cards.append(Card("002", 293, 100))
    watched.run(12)
    pieces = watched.pieces()
    assert set(pieces) == {"001", "002"}
    assert pieces["002"].order > pieces["001"].order
    assert not watched.view.covered


def test_of_cards_that_lie_overlapping_at_the_start_the_upper_one_has_the_larger_order() -> None:
    watched = session(Card("005", 262, 100), Card("002", 293, 100))
    assert watched.pieces()["002"].order > watched.pieces()["005"].order


def test_a_card_turned_over_shows_its_other_side() -> None:
    watched = session(back(*PILE))
    watched.table.cards[0] = Card("007", *PILE)
    watched.run(14)
    assert {piece: p.faces for piece, p in watched.pieces().items()} == {"007": frozenset("F")}


def test_several_backs_are_several_pieces() -> None:
    watched = session(back(*PILE), back(*ROW0), back(*LOOSE))
    assert sorted(str(p.zone) for p in watched.view.placements) == ["loose", "pile", "row"]
    assert {p.piece for p in watched.view.placements} == {BACK}


@pytest.mark.night
def test_the_back_of_a_deck_that_shrinks_before_a_tilted_camera_stays_the_same_back() -> None:
    watched = session(back(*PILE), Card("001", *ROW0))
    (before,) = [placement for placement in watched.view.placements if placement.piece == BACK]
    for step in range(1, 6):
        watched.table.cards[0] = back(PILE[0], PILE[1] + 4 * step)  # the top seems to be there, for it is lower
        watched.reach(PILE[0], PILE[1] + 30)
        watched.run(12)
    (after,) = [placement for placement in watched.view.placements if placement.piece == BACK]
    assert (after.order, after.zone) == (before.order, "pile")
    assert after.y == pytest.approx(PILE[1] + 20, abs=SAME_MM + 1)


def test_two_cards_with_the_same_code_are_reported_and_the_first_stays() -> None:
    watched = session(Card("001", *PILE))
    watched.table.cards.append(Card("001", *ROW1))
    watched.run(14)
    assert watched.kinds() == {"same-code-twice"}
    assert where(watched.view) == {"001": "pile"}
    watched.table.cards.pop(0)
    watched.run(30)
    assert watched.kinds() == set()
    assert where(watched.view) == {"001": "row"}


def test_a_card_of_another_deck_is_reported_and_not_counted() -> None:
    watched = session(Card("001", *PILE), Card("002", *ROW1, letters="KC"))
    assert where(watched.view) == {"001": "pile"}
    assert watched.kinds() == {"foreign-code"}
    assert "KC" in watched.view.troubles[0].words
    watched.table.cards.pop()
    watched.run(14)
    assert watched.kinds() == set()


def test_a_code_that_is_none_of_ours_is_counted_and_otherwise_ignored() -> None:
    table = Table(test_mat(), [Card("001", *PILE), Card("002", *ROW1)])
    watched = Session(table, reference=True)
    table._pictures[("FC", "002", "F")] = menu = np.full((264, 189), 240, dtype=np.uint8)
    menu[40:166, 30:156] = np.kron(code_modules("MENU 12"), np.ones((6, 6), dtype=np.uint8))
    watched.run(14)
    assert where(watched.view) == {"001": "pile"}
    assert not watched.view.troubles
    assert watched.eye.ignored > 0


def test_a_card_beside_the_mat_is_away() -> None:
    watched = session(Card("001", *PILE))
    watched.table.cards[0] = Card("001", 180, 250)
    watched.run(14)
    assert where(watched.view) == {}


def test_a_card_beside_all_zones_has_no_zone() -> None:
    watched = session(Card("001", 180, 158, 90))
    assert watched.pieces()["001"].zone is None


def test_glare_over_the_codes_removes_nothing() -> None:
    watched = session(Card("001", *PILE), Card("002", *ROW0))
    before = watched.view.placements
    watched.table.glare = [(PILE[0], PILE[1], 46)]
    watched.run(30)
    assert watched.view.placements == before
    assert "pile" in watched.view.covered
    watched.table.glare = []
    watched.run(14)
    assert watched.view.placements == before
    assert not watched.view.covered


def test_a_card_washed_out_by_shine_until_it_looks_like_the_mat_is_not_taken_away() -> None:
    watched = Session(Table(test_mat(), [Card("001", *PILE), Card("002", *ROW0)]))
    watched.table._ground = mat_picture(watched.table.mat, 205)
    watched.run(14)
    before = watched.view.placements
    clear = watched.table._pictures[("FC", "001", "F")].astype(float)
    # As bright as the mat, with a trace of the code left, and of a part of it none: too little to read.
    washed = np.clip(205 + (clear - 170) * 0.15, 0, 255).astype(np.uint8)
    washed[:, 46:142] = 205
    watched.table._pictures[("FC", "001", "F")] = washed
    watched.table.noise = 1.9  # a new picture
    watched.run(30)
    assert watched.view.placements == before
    assert "pile" in watched.view.covered


def test_the_shadow_of_a_deck_covers_nothing() -> None:
    watched = session(Card("001", *PILE), Card("002", *LOOSE))
    x, y = PILE
    shade = watched.table._ground[round((y - 40) * 3) : round((y + 56) * 3), round((x + 31) * 3) : round((x + 50) * 3)]
    shade[:] = (shade * 0.55).astype(np.uint8)
    watched.table.noise = 1.9  # a new picture
    watched.run(20)
    assert watched.view.settled
    assert "row" in watched.view.touched
    assert not watched.view.covered


@pytest.mark.night
def test_a_shadow_that_fades_slowly_leaves_nothing_covered() -> None:
    watched = session(Card("001", *PILE), Card("002", *LOOSE))
    before = watched.view.placements
    clear = watched.table._ground.copy()
    for step in range(60):
        watched.table._ground[150:450, 300:690] = (clear[150:450, 300:690] * (0.5 + step / 118)).astype(np.uint8)
        watched.table.noise = 1.9 + step / 1000  # a new picture
        watched.run(1)
        if step == 5:
            assert "row" in watched.view.covered
    watched.table._ground[:] = clear
    watched.run(6)
    assert watched.view.settled
    assert not watched.view.covered
    assert watched.view.placements == before


def test_blur_that_makes_every_code_unreadable_removes_nothing() -> None:
    watched = session(Card("001", *PILE), Card("002", *ROW0))
    before = watched.view.placements
    watched.table.blur = 3.0
    watched.run(30)
    assert watched.view.placements == before
    watched.table.blur = 0.6
    watched.run(30)
    assert watched.view.placements == before
    assert watched.view.settled


@pytest.mark.parametrize("light", [0.6, 1.2])
def test_another_light_changes_nothing(light: float) -> None:
    watched = session(Card("001", *PILE), Card("002", *ROW0), back(*LOOSE))
    before = watched.view.placements
    watched.table.light, watched.table.slope = light, 0.15
    views = watched.run(40)
    assert watched.view.placements == before
    assert all(view.placements == before and not view.touched for view in views)
    assert watched.view.settled
    assert not watched.view.covered


def test_a_card_is_found_to_be_gone_after_the_light_changed() -> None:
    watched = session(Card("001", *PILE), Card("002", *ROW0))
    watched.table.light = 0.65
    watched.run(15)
    watched.table.cards.pop(0)
    watched.run(15)
    assert where(watched.view) == {"002": "row"}


def test_a_bumped_camera_finds_itself_again_and_nothing_has_moved() -> None:
    watched = session(Card("001", *PILE), Card("002", *ROW0), back(*LOOSE), tilt=6)
    before, old = watched.view.placements, watched.eye.calibration
    watched.table.shift, watched.table.turn = (9.0, -6.0), 1.5
    views = watched.run(25)
    assert watched.eye.calibration is not old
    assert all(view.placements == before and not view.touched for view in views)
    assert watched.view.settled
    assert not watched.view.covered


def test_without_markers_the_trouble_is_told_and_everything_is_covered() -> None:
    table = Table(test_mat(), [Card("001", *PILE)])
    table.covers = [(-20, -20, 400, 52), (-20, 165, 400, 60)]
    watched = Session(table)
    watched.run(10)
    assert watched.kinds() == {"no-markers"}
    assert watched.view.covered == {"pile", "row", "loose"}
    assert watched.view.placements == ()
    assert "4 are needed" in watched.view.troubles[0].words
    table.covers = []
    watched.run(20)
    assert watched.kinds() == set()
    assert where(watched.view) == {"001": "pile"}


def test_the_camera_knocked_away_keeps_what_was_known() -> None:
    watched = session(Card("001", *PILE))
    watched.table.shift = (5000.0, 0.0)
    watched.run(12)
    assert where(watched.view) == {"001": "pile"}
    assert watched.kinds() == {"no-markers"}
    assert watched.view.covered == {"pile", "row", "loose"}
    assert not watched.view.settled
    watched.table.shift = (4.0, 3.0)
    watched.run(20)
    assert where(watched.view) == {"001": "pile"}
    assert watched.view.settled


def test_in_the_dark_nothing_is_taken_away() -> None:
    watched = session(Card("001", *PILE))
    watched.table.light = 0.02
    watched.run(10)
    assert watched.kinds() == {"dark"}
    assert where(watched.view) == {"001": "pile"}
    watched.table.light = 1.0
    watched.run(20)
    assert watched.kinds() == set()
    assert where(watched.view) == {"001": "pile"}
    assert watched.view.settled


def test_dropped_frames_change_nothing_but_the_time() -> None:
    watched = session(Card("001", *PILE))
    watched.table.cards = [Card("001", *LOOSE), Card("002", *PILE)]
    watched.table.wait(5.0)
    watched.run(3)
    watched.table.wait(2.0)
    watched.run(3)
    assert where(watched.view) == {"001": "loose", "002": "pile"}


@pytest.mark.night
def test_a_hand_that_keeps_moving_elsewhere_does_not_hold_up_a_settled_card() -> None:
    watched = session(Card("001", *PILE))
    watched.table.cards.append(Card("002", *LOOSE))
    settled = []
    for number in range(40):
        watched.table.hands = [(60 + 6 * (number % 3), 120, -80)]
        settled += [view for view in watched.run(1) if view.settled]
    assert any(where(view).get("002") == "loose" and "pile" in view.covered for view in settled)
