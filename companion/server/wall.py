"""What the wall shows of a game beside the drawn table: its columns, signs on the table, what every seat has and wants.

All of it comes from what everybody may know, and only the wall has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import msgspec

from companion.rules.kernel import Sign
from companion.server.card_documents import copied
from companion.server.drawing import Spot, places_of
from companion.server.places import Document

if TYPE_CHECKING:
    from companion.server.documents import Scene

NARROW = 60.0
"""Millimetres of a zone: over a narrower one every word of a title has a line of its own."""


class WallPart(msgspec.Struct, frozen=True, kw_only=True):
    """What stands on the wall; `holdings` by the seat's number."""

    columns: list[Document]
    signs: list[Document]
    holdings: dict[str, Document]


def wall_part(scene: Scene, wall: bool) -> WallPart:
    """Lay out the wall; empty for pages that are none."""
    view = scene.view
    if not wall:
        return WallPart(columns=[], signs=[], holdings={})
    return WallPart(
        columns=[
            copied(
                column,
                "short title value goal level high alarm",
                wants=[msgspec.structs.asdict(mark) for mark in column.wants],
                posts=[
                    copied(
                        post,
                        "label level high",
                        marks=[msgspec.structs.asdict(mark) for mark in post.marks],
                        here=[{**scene.who(seat), "due": seat in view.waiting} for seat in post.seats],
                    )
                    for post in column.posts
                ],
            )
            for column in view.columns
        ],
        signs=list(_signs(view.signs, places_of(scene.session.mat).zones)),
        holdings={
            str(one.seat): {"groups": [scene.laid(group) for group in one.groups], "wanted": scene.laid(one.wanted)}
            for one in view.holdings
        },
    )


def _signs(signs: Iterable[Sign], zones: Iterable[Spot]) -> Iterator[Document]:
    """Yield signs with the box (mm) of the zones that they stand at; zones of seats that nobody has are not there."""
    for sign in signs:
        there = [zone for zone in zones if zone.name == sign.zone or zone.name.startswith(sign.zone + "-")]
        if there:
            left, right = min(zone.x for zone in there), max(zone.x + zone.w for zone in there)
            top, bottom = min(zone.y for zone in there), max(zone.y + zone.h for zone in there)
            narrow = right - left < NARROW
            yield copied(sign, "kind zone words figure", x=left, y=top, w=right - left, h=bottom - top, narrow=narrow)
