"""The round that is laid out on the page where a game is made, as the form holds it: to be scored at once."""

from __future__ import annotations

from collections.abc import Mapping

from companion.server.maker_answers import number
from companion.server.maker_api import Draft, GameMaker, Tried
from companion.server.maker_steps import Form
from companion.server.maker_tables import MOST_SEATS, listed, seats


def tried(form: Form, score: Mapping[str, object], seen: tuple[str, ...] = ()) -> Tried:
    """Return the round that was laid out to be scored; cards `seen` by the camera come to the place that is chosen."""
    low, high = seats(score)
    players = min(max(_count(form.get("try.seats"), MOST_SEATS) or high, low), max(low, high))
    everybody = range(1, players + 1)
    cards: dict[str, tuple[str, ...]] = {}
    laid = [one for one in lying(form) if one[1] not in seen]
    laid += [(form.get("place", "")[:40], piece) for piece in seen if form.get("place")]
    for zone, piece in laid:
        cards[zone] = (*cards.get(zone, ()), piece)
    entered: dict[str, tuple[int | None, ...]] = {}
    for name in (str(entry.get("name")) for entry in listed(score, "entry")):
        typed = [form.get(f"try.{name}.{seat}", "") for seat in everybody]
        said = [number(one) if one.strip() else None for one in typed]
        entered[name] = tuple(n if isinstance(n, int) else None for n in said)
    return Tried(
        seats=players,
        cards=cards,
        tricks=tuple(_count(form.get(f"try.tricks.{seat}"), 60) for seat in everybody),
        sweeps=tuple(_count(form.get(f"try.sweeps.{seat}"), 60) for seat in everybody),
        last=_count(form.get("try.last"), players),
        entered=entered,
    )


def places(maker: GameMaker, draft: Draft, laid: Tried) -> list[dict[str, object]]:
    """List the places whose cards count: those of the middle, then seat by seat."""
    zones, counted = maker.zones(draft.mat), []
    for block in listed(draft.score, "score"):
        like = block.get("like", {})
        counted += [*block.get("cards", ()), *(like.values() if isinstance(like, dict) else ())]
    own, words = ({zone.name: zone.own for zone in zones}, {zone.name: zone.words for zone in zones})
    found: list[dict[str, object]] = []
    for zone in dict.fromkeys(one for one in counted if isinstance(one, str) and one != "dice"):
        # What is won in tricks is each seat's own, wherever it is put.
        for seat in range(1, laid.seats + 1) if own.get(zone, zone == "taken") else (0,):
            name, called = f"{zone}.{seat}" if seat else zone, words.get(zone, zone.replace("_", " ").capitalize())
            found.append({"zone": name, "words": called, "seat": seat, "name": "", "cards": laid.cards.get(name, ())})
    return found


def _count(text: str | None, most: int) -> int:
    typed = number(text or "")
    return max(0, min(typed, most)) if isinstance(typed, int) else 0


def lying(form: Form) -> list[tuple[str, str]]:
    """Return the cards that lie in the round to be scored, after what was tapped."""
    found = [(zone, piece) for zone, _, piece in (one.partition(" ") for one in form.getlist("lies")[:216]) if piece]
    where = form.get("place", "")[:40]
    tapped = form.get("lay", "")[:8]
    if tapped:
        before = [zone for zone, piece in found if piece == tapped]
        found = [(zone, piece) for zone, piece in found if piece != tapped]
        if where and where not in before:
            found.append((where, tapped))
    return found
