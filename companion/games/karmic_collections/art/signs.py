"""The six players' signs: six silhouettes that nobody mixes up, one for every colour."""

from __future__ import annotations

from companion.press.drawing import Colour, Item, Shape, circle
from companion.press.figures import tint
from companion.press.pictures import drawn

SIGNS = {"red": "lotus", "blue": "disc", "green": "triangle", "yellow": "sun", "violet": "moon", "orange": "squares"}
"""The pictures of the seats' colours, 1 to 6."""
ORDER = tuple(SIGNS)


def sign(colour: str, ink: Colour = "") -> list[Item]:
    """Draw the sign of a player's colour, of radius about 1 round the origin, in that colour's dark tone or an ink."""
    main = ink or tint(colour).dark
    if colour not in SIGNS:
        return [Shape((circle(0, 0, 0.7),), main)]
    return drawn("karmic-collections", f"signs/{SIGNS[colour]}", main=main)
