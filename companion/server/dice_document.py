"""The dice of a match as plain data: each throw, the commitment to the next, and how even they came."""

from __future__ import annotations

import msgspec

from companion.referee.snapshot import Snapshot
from companion.rules.dice import chance_of_unevenness
from companion.rules.kernel import name_seats
from companion.server.card_documents import seat_name
from companion.server.places import Document
from companion.text import TEXTS


def dice(snapshot: Snapshot) -> Document:
    """Lay out all dice of a match (C6): each throw, the commitment to the next, and how even they came."""
    throws = [
        {
            **msgspec.to_builtins(throw, builtin_types=TEXTS),
            "name": seat_name(snapshot.names, throw.seat),
            "words": name_seats(throw.words, snapshot.names),
            "salts": [{"name": seat_name(snapshot.names, seat), "salt": salt} for seat, salt in throw.salts],
        }
        for throw in snapshot.dice.throws
    ]
    kinds = sorted({throw.sides for throw in snapshot.dice.throws if throw.sides})
    return {
        "commitment": snapshot.dice.commitment,
        "stirred": [seat_name(snapshot.names, seat) for seat in snapshot.dice.stirred],
        "throws": throws[::-1],
        "spreads": [_spread(snapshot, sides) for sides in kinds],
    }


def _spread(snapshot: Snapshot, sides: int) -> Document:
    """Count how often each side came, in all throws that were made (an undone one was made too)."""
    once = {(throw.n, throw.values): throw for throw in snapshot.dice.throws if throw.sides == sides and not throw.kept}
    values = [value for throw in once.values() for value in throw.values]
    counts = [values.count(side) for side in range(1, sides + 1)]
    return {
        "sides": sides,
        "dice": len(values),
        "expected": len(values) / sides,
        "counts": [{"side": side, "count": count} for side, count in enumerate(counts, 1)],
        "most": max(counts),
        "chance": chance_of_unevenness(counts),
    }
