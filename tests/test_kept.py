"""What is kept is made once for its arguments, until all of it is let go."""

from __future__ import annotations

from companion.kept import forget, kept


def test_what_is_kept_is_made_once_until_it_is_forgotten():
    made: list[int] = []

    @kept(2)
    def draw(number: int) -> int:
        made.append(number)
        return -number

    assert [draw(1), draw(2), draw(1)] == [-1, -2, -1]
    assert made == [1, 2]
    draw(3)
    draw(2)  # the third took its place: two are kept
    assert made == [1, 2, 3, 2]
    forget()
    draw(2)
    assert made == [1, 2, 3, 2, 2]
