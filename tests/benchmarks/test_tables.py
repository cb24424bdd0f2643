from benchmarks.middle import fullest, in_sight, lay, moments
from companion import games

GAME = games.load("five-cards-collector")
MAT = games.load_mat("five-cards-collector", 3)


def test_a_table_is_laid_as_the_books_say() -> None:
    dealt = fullest(GAME, MAT, actions=40, tries=2)
    table = lay(MAT, dealt)
    assert {laid.piece for laid in table.pieces()} == {laid.piece for pile in dealt.books.values() for laid in pile}
    for zone, pile in dealt.books.items():
        for lying in pile:
            laid = table.where(lying.piece)
            assert laid is not None
            assert MAT.zone(zone).rect.holds(laid.x, laid.y)


def test_the_fullest_moment_has_most_in_sight() -> None:
    most = in_sight(MAT, fullest(GAME, MAT, actions=40, tries=2))
    assert most == max(in_sight(MAT, moment) for seed in range(2) for moment in moments(GAME, MAT, 40, seed))
