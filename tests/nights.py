"""Cases of a test that the gate leaves to the night (docs/tests.md)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def at_night(*cases: Any) -> list[Any]:
    """Mark cases for `parametrize`: only the night tries them. One with several values is a tuple."""
    return [pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.night) for case in cases]


def every(step: int, cases: Iterable[Any]) -> list[Any]:
    """Leave the first of each `step` cases to the gate, and the others to the night."""
    return [case if number % step == 0 else at_night(case)[0] for number, case in enumerate(cases)]
