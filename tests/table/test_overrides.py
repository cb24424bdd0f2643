"""What people tell of a place counts instead of the eye's reading, until a hand comes there."""

from __future__ import annotations

from companion.codes import BACK
from companion.eye.view import Placement, TableView, Trouble
from companion.table.overrides import Overrides

STAR, MOON, LEAF = "00A", "00B", "00C"


def lies(piece: str, zone: str | None, x: float, order: int = 1) -> Placement:
    return Placement(piece, frozenset("B" if piece == BACK else "F"), zone, None, x, 100.0, 0.0, order)


def view(*placements: Placement, time: float = 1.0, **more: object) -> TableView:
    return TableView(int(time * 10), time, placements, **more)  # type: ignore[arg-type]


class Match:
    """Keeps what it is shown."""

    def __init__(self) -> None:
        self.views: list[TableView] = []
        self.told = Overrides(self.views.append)

    def pieces(self) -> set[tuple[str, str | None]]:
        return {(one.piece, one.zone) for one in self.views[-1].placements}


def test_without_a_word_views_go_through_as_they_are() -> None:
    match, seen = Match(), view(lies(STAR, "discard", 50))
    match.told.see(seen)
    assert match.views == [seen]
    assert match.views[0] is seen


def test_what_is_told_stands_at_once_and_in_every_view_after() -> None:
    match = Match()
    match.told.see(view(lies(STAR, "discard", 50), lies(LEAF, "deck", 200)))
    match.told.tell(50, 100, "discard", lies(MOON, "discard", 50))
    assert match.pieces() == {(MOON, "discard"), (LEAF, "deck")}
    match.told.see(view(lies(STAR, "discard", 51), lies(LEAF, "deck", 200), time=2.0))
    assert match.pieces() == {(MOON, "discard"), (LEAF, "deck")}


def test_nothing_lies_there_and_it_lies_face_down() -> None:
    match = Match()
    match.told.see(view(lies(STAR, "discard", 50), lies(LEAF, "goal.1", 200)))
    match.told.tell(50, 100, "discard", None)
    match.told.tell(200, 100, "goal.1", lies(BACK, "goal.1", 200))
    assert match.pieces() == {(BACK, "goal.1")}


def test_it_counts_until_a_hand_comes_to_its_zone_and_not_to_another() -> None:
    match = Match()
    match.told.see(view(lies(STAR, "discard", 50)))
    match.told.tell(50, 100, "discard", lies(MOON, "discard", 50))
    match.told.see(view(lies(STAR, "discard", 50), time=2.0, settled=False, touched=frozenset({"deck"})))
    assert match.pieces() == {(MOON, "discard")}
    match.told.see(view(lies(STAR, "discard", 50), time=3.0, settled=False, touched=frozenset({"deck", "discard"})))
    assert match.pieces() == {(STAR, "discard")}
    assert match.told.corrections == ()


def test_the_hand_that_was_there_when_it_was_told_does_not_count() -> None:
    match, hand = Match(), frozenset({"discard"})
    match.told.see(view(settled=False, touched=hand, covered=hand))
    match.told.tell(50, 100, "discard", lies(MOON, "discard", 50))
    match.told.see(view(time=2.0, touched=hand))
    assert match.pieces() == {(MOON, "discard")}
    match.told.see(view(time=3.0, settled=False, touched=hand))
    assert match.pieces() == set()


def test_a_told_card_is_nowhere_else_until_it_is_laid_elsewhere() -> None:
    match = Match()
    match.told.see(view(lies(MOON, "deck", 200, 4)))
    match.told.tell(50, 100, "discard", lies(MOON, "discard", 50))
    assert match.pieces() == {(MOON, "discard")}
    match.told.see(view(lies(MOON, "goal.1", 300, 9), time=2.0))
    assert match.pieces() == {(MOON, "goal.1")}


def test_telling_again_replaces_and_forgetting_brings_the_reading_back() -> None:
    match = Match()
    match.told.see(view(lies(STAR, "discard", 50)))
    match.told.tell(50, 100, "discard", lies(MOON, "discard", 50))
    told = match.told.tell(50, 100, "discard", lies(LEAF, "discard", 50))
    assert match.pieces() == {(LEAF, "discard")}
    assert [one.n for one in match.told.corrections] == [told.n]
    elsewhere = match.told.tell(300, 100, "goal.1", lies(LEAF, "goal.1", 300))
    assert match.pieces() == {(STAR, "discard"), (LEAF, "goal.1")}
    assert match.told.forget(elsewhere.n)
    assert match.pieces() == {(STAR, "discard")}
    assert not match.told.forget(elsewhere.n)


def test_a_told_zone_proves_something_unless_the_camera_is_blind() -> None:
    match, strange = Match(), frozenset({"discard", "deck"})
    match.told.see(view(covered=strange))
    match.told.tell(50, 100, "discard", lies(MOON, "discard", 50))
    assert match.views[-1].covered == {"deck"}
    match.told.see(view(time=2.0, covered=strange, troubles=(Trouble("dark", "It is too dark."),)))
    assert match.views[-1].covered == strange


def test_beside_all_zones_the_next_arrival_ends_it() -> None:
    match = Match()
    match.told.see(view(lies(STAR, "discard", 50, 3)))
    match.told.tell(400, 100, None, lies(MOON, None, 400))
    assert (MOON, None) in match.pieces()
    match.told.see(view(lies(STAR, "discard", 50, 3), lies(LEAF, None, 430, 4), time=2.0))
    assert match.pieces() == {(STAR, "discard"), (LEAF, None)}
