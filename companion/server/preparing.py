"""Lays out how a game is set up: the mat drawn step by step, with the zones that a step is about."""

from __future__ import annotations

from collections.abc import Iterable

from companion.eye.mat import Mat
from companion.rules.layout import Preparing, owner_of
from companion.server import chairs


def steps(preparing: Iterable[Preparing], mat: Mat) -> dict[str, object]:
    """Lay out the steps that this number of players needs: a sentence and the zones (mm) of each."""
    shown = [step for step in preparing if step.seats in (0, mat.seats)]
    return {
        "mat": chairs.drawing(mat),
        "view": chairs.view_box(mat),
        "steps": [{"words": step.words, "zones": _zones(step, mat)} for step in shown],
    }


def _zones(step: Preparing, mat: Mat) -> list[dict[str, float]]:
    return [
        {"x": zone.rect.x, "y": zone.rect.y, "w": zone.rect.w, "h": zone.rect.h}
        for zone in mat.zones
        if step.about(zone.name) and owner_of(zone.name) <= mat.seats
    ]
