"""What is enough for a card to be named."""

import pytest

from companion.eye.faces.naming import Named
from companion.eye.faces.sure import Known, Place, is_doubtful, is_remembered, is_sure


@pytest.mark.parametrize(
    ("like", "back", "expected", "counts"),
    [
        (0.55, False, True, True),
        (0.55, False, False, False),
        (0.55, True, True, False),
        (0.65, True, True, True),
        (0.40, False, True, False),
    ],
)
def test_a_front_that_the_rules_expect_may_be_less_alike_in_little_light(like, back, expected, counts):
    named = Named(0, (0.0, 0.0, 0.0), 0.48, like, 30.0, False)
    assert is_sure(named, back, expected=expected) == counts


@pytest.mark.parametrize(
    ("margin", "like", "blocks", "back", "asked"),
    [
        (0.5, 0.54, 54.0, False, True),
        (0.5, 0.54, 54.0, True, False),
        (0.1, 0.54, 54.0, False, False),
        (0.5, 0.40, 54.0, False, False),
        (0.5, 0.54, 48.0, False, False),
        (0.1, 0.65, 20.0, True, True),
        (0.5, 0.65, 15.0, False, False),
    ],
)
def test_a_front_that_shows_wholly_is_asked_about_though_faded(margin, like, blocks, back, asked):
    """The two of diamonds in full sight, in pale print and haze, was neither named nor asked about."""
    named = Named(0, (0.0, 0.0, 0.0), margin, like, blocks, False)
    assert is_doubtful(named, back) == asked


@pytest.mark.parametrize(
    ("why", "far", "margin", "counts"),
    [
        (Known.LAY, 3.0, 0.15, True),
        (Known.LAY, 5.0, 0.15, False),
        (Known.PUSHED, 3.0, 0.15, True),
        (Known.PUSHED, 10.0, 0.15, False),
        (Known.PUSHED, 10.0, 0.25, True),
        (Known.PUSHED, 13.0, 0.25, False),
        (Known.PUSHED, 3.0, 0.05, False),
        (Known.MOVED, 3.0, 0.15, True),
        (Known.MOVED, 5.0, 0.15, False),
        (Known.ONCE, 0.0, 0.35, False),
    ],
)
def test_a_strip_needs_less_margin_the_better_it_is_known_where_it_lies(why, far, margin, counts):
    named = Named(0, (100.0 + far, 50.0, 180.0), margin, 0.6, 18.0, False)
    assert is_remembered(named, [Place(0, (100.0, 50.0, 180.0), why)]) == counts
