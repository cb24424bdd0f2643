from benchmarks.middle import in_sight, lay, moments
from companion import games

GAME = games.load("five-cards-collector")
MAT = games.load_mat("five-cards-collector", 3)


def test_a_table_is_laid_as_the_books_say() -> None:
    dealt = max(moments(GAME, MAT, 40, 0), key=lambda moment: in_sight(MAT, moment))
    table = lay(MAT, dealt)
    assert {laid.piece for laid in table.pieces()} == {laid.piece for pile in dealt.books.values() for laid in pile}
    for zone, pile in dealt.books.items():
        for lying in pile:
            laid = table.where(lying.piece)
            assert laid is not None
            assert MAT.zone(zone).rect.holds(laid.x, laid.y)
