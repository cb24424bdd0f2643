from companion import games
from companion.bench import eye
from companion.bench.tables import fullest, in_sight, lay, moments

GAME = games.load("five-cards-collector")
MAT = games.load_mat("five-cards-collector", 3)


def test_a_table_is_laid_as_the_books_say() -> None:
    dealt = fullest(GAME, MAT, actions=40, tries=2)
    table = lay(MAT, dealt)
    assert {one.piece for one in table.pieces()} == {one.piece for pile in dealt.books.values() for one in pile}
    for zone, pile in dealt.books.items():
        for lying in pile:
            one = table.where(lying.piece)
            assert one is not None
            assert MAT.zone(zone).rect.holds(one.x, one.y)


def test_the_fullest_moment_has_most_in_sight() -> None:
    most = in_sight(MAT, fullest(GAME, MAT, actions=40, tries=2))
    assert most == max(in_sight(MAT, one) for seed in range(2) for one in moments(GAME, MAT, 40, seed))


def test_all_rows_are_there_and_a_cold_start_sees_the_whole_table() -> None:
    section = eye.measure(seats=3, size=(1920, 1080), idle=20, changes=1, starts=1)
    rows = {row.what: row for row in section.rows}
    assert list(rows) == [
        "a frame in which nothing changed",
        "idle table at 10 frames a second",
        "zxing-cpp, whole frame",
        "one card came or went: the dearest frame",
        "one card came or went: all frames until settled",
        "cold start of a full table",
    ]
    assert rows["cold start of a full table"].figures["recall"] == 1.0
    frames = rows["one card came or went: all frames until settled"].figures["frames"]
    assert frames is not None
    assert 2 < frames < eye.LONGEST
    held = [row.what for row in section.rows if row.budget]
    assert held == ["a frame in which nothing changed", "idle table at 10 frames a second"]
    for row in section.rows:
        assert all(value is not None and value >= 0 for value in row.figures.values()), row
