from companion import games
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
