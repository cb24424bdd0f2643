"""Where cards lay when the table rested last is there again after a restart."""

from msgspec.structs import replace

from companion.eye.view import Placement, TableView
from companion.table.last_seen import NAME, LastSeen

CARD = Placement("00E", frozenset("F"), "skills.1", None, 100.5, 80.0, 1.5, 3)
VIEW = TableView(1, 1.0, (CARD,))


def test_what_lay_there_is_kept_for_the_same_match_alone(tmp_path):
    LastSeen(tmp_path, "first").see(VIEW)
    assert LastSeen(tmp_path, "first").placements == (CARD,)
    assert LastSeen(tmp_path, "second").placements == ()


def test_only_a_table_at_rest_of_which_all_is_seen_is_kept(tmp_path):
    seen = LastSeen(tmp_path, "first")
    seen.see(VIEW)
    moved = (replace(CARD, x=200.0),)
    seen.see(replace(VIEW, placements=moved, settled=False))
    seen.see(replace(VIEW, placements=moved, covered=frozenset({"skills.1"})))
    assert seen.placements == LastSeen(tmp_path, "first").placements == (CARD,)
    seen.see(replace(VIEW, placements=moved))
    assert LastSeen(tmp_path, "first").placements == moved


def test_what_is_damaged_or_can_not_be_written_is_as_if_nothing_were_kept(tmp_path):
    (tmp_path / NAME).write_text("{")
    assert LastSeen(tmp_path, "first").placements == ()
    (tmp_path / "a file").write_text("")
    seen = LastSeen(tmp_path / "a file", "first")
    seen.see(VIEW)
    assert seen.placements == (CARD,)
    none = LastSeen(None, "first")
    none.see(VIEW)
    assert none.placements == (CARD,)
