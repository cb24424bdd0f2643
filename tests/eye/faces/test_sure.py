"""What is enough for a card to be named."""

import pytest

from companion.eye.faces.naming import Named
from companion.eye.faces.sure import is_sure


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
