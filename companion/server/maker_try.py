"""The round that is laid out on the page where a game is made, as the form holds it: to be scored at once."""

from __future__ import annotations

from collections.abc import Mapping

from companion.server.maker_api import Tried
from companion.server.maker_form import MOST_SEATS, Form, count, listed, operand, seats


def tried(form: Form, score: Mapping[str, object], seen: tuple[str, ...] = ()) -> Tried:
    """Return the round that was laid out to be scored; cards `seen` by the camera come to the place that is chosen."""
    low, high = seats(score)
    number = min(max(count(form.get("try.seats"), MOST_SEATS) or high, low), max(low, high))
    everybody = range(1, number + 1)
    cards: dict[str, tuple[str, ...]] = {}
    lying = [one for one in _lying(form) if one[1] not in seen]
    lying += [(form.get("place", "")[:40], piece) for piece in seen if form.get("place")]
    for zone, piece in lying:
        cards[zone] = (*cards.get(zone, ()), piece)
    entered = {
        str(entry.get("name")): tuple(operand(form.get(f"try.{entry.get('name')}.{seat}")) for seat in everybody)
        for entry in listed(score, "entry")
    }
    return Tried(
        seats=number,
        cards=cards,
        tricks=tuple(count(form.get(f"try.tricks.{seat}"), 60) for seat in everybody),
        sweeps=tuple(count(form.get(f"try.sweeps.{seat}"), 60) for seat in everybody),
        last=count(form.get("try.last"), number),
        entered={name: tuple(n if isinstance(n, int) else None for n in said) for name, said in entered.items()},
    )


def _lying(form: Form) -> list[tuple[str, str]]:
    """Return the cards that lie in the round to be scored, after what was tapped."""
    lying = [(zone, piece) for zone, _, piece in (one.partition(" ") for one in form.getlist("lies")[:216]) if piece]
    where = form.get("place", "")[:40]
    tapped = form.get("lay", "")[:8]
    if tapped:
        before = [zone for zone, piece in lying if piece == tapped]
        lying = [(zone, piece) for zone, piece in lying if piece != tapped]
        if where and where not in before:
            lying.append((where, tapped))
    return lying
