"""A card that was named by its face is followed by what shows at places of it."""

import numpy as np
import pytest

from companion.eye.faces.followed import Card
from companion.eye.faces.naming import Named


@pytest.mark.parametrize(
    ("x", "y", "share"), [(40, 30, 1.0), (55, 30, 0.5), (80, 30, 0.0), (400, 30, 0.0), (40, 300, 0.0), (-90, -90, 0.0)]
)
def test_a_place_shows_as_far_as_it_lies_in_what_shows_of_the_card(x, y, share):
    """Also where the card reaches out of the picture of it."""
    card = Card(Named(0, (0.0, 0.0, 0.0), 1.0, 1.0, 54.0, True), np.zeros((60, 80), np.uint8), (0, 0))
    card.shows[:, :65] = 1
    quad = np.array([[0, 0], [20, 0], [20, 20], [0, 20]], dtype=np.float64) + (x, y)
    assert card.share(quad) == pytest.approx(share, abs=0.03)
