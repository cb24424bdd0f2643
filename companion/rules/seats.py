"""Seats, and how a sentence names them before it is known what their players are called."""

from __future__ import annotations

from collections.abc import Mapping

Seat = int
"""A player's place, numbered clockwise from 1 (ruling C3)."""

TABLE: Seat = 0
"""Stands where a seat would for upkeep, and for the public: the table itself."""


def at(seat: Seat) -> str:
    """Name a seat inside a sentence: `@2`. `name_seats` turns it into the player's name where it is shown."""
    return f"@{seat}"


def name_seats(sentence: str, names: Mapping[Seat, str]) -> str:
    """Put names for the `@2` of a sentence; a seat without a name is called "seat 2"."""
    parts = sentence.split("@")
    said = [parts[0]]
    for part in parts[1:]:
        digits = 0
        while digits < len(part) and part[digits].isdigit():
            digits += 1
        if digits == 0:
            said.append("@" + part)
        else:
            seat = int(part[:digits])
            said.append(names.get(seat, f"seat {seat}") + part[digits:])
    spoken = "".join(said)
    return spoken[:1].upper() + spoken[1:] if sentence.startswith("@") else spoken
