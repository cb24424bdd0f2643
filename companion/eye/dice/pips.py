"""Where pips sit on a die, and how a top is looked at."""

from __future__ import annotations

PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
"""Where pips sit on a face, in units of a corner pip's distance from the face's middle along its sides."""

PATCH, SIZE = 44, 1.7
"""A top is looked at in so many pixels square, which show so many of its sides."""
