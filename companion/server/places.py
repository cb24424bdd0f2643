"""What a seat's page makes of a document: numbers as things that are counted, choices that are sets of cards, offers.

All of it comes from what the document has already, so nothing is told here that its audience may not know.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.rules.cards import Piece
from companion.rules.kernel import TABLE, Part
from companion.text import shaped
from companion.untyped import JsonObject

Document = JsonObject
"""What an audience may know, or a part of it: templates read it, and `/state` gives it as JSON."""


def number(part: Part) -> Document:
    """Lay out a number: `short` is its name without whose, `thing` what is drawn for it, `face` what dice show."""
    return {
        "name": part.name,
        "value": part.value,
        "seat": part.seat,
        "short": part.what or part.name,
        "thing": part.thing,
        "face": part.face,
    }


def offers(may: list[Document], hand: list[Document]) -> dict[Piece, list[Document]]:
    """Find what can be done with each card that lies open or is in a known hand: words, and the action to be sent."""
    found: dict[Piece, list[Document]] = {}
    for one in may:
        if not one["allowed"]:
            continue
        short = shaped(one["words"], "head")
        for choice in one["choices"]:
            if choice["card"] and not choice["needs"]:
                said = {"words": short, "more": choice["words"], "action": choice["action"]}
                found.setdefault(choice["card"]["piece"], []).append(said)
        for hole in one["holes"]:
            for card in hole["cards"]:
                for held in hand:
                    if key_of(held) == card["key"]:
                        action = {**hole["action"], hole["field"]: held["piece"]}
                        said = {"words": short, "more": hole["label"], "action": action}
                        found.setdefault(held["piece"], []).append(said)
    return found


def filled(hole: Document, card: Document) -> Document:
    """Fill a way to lay a card with one that fits: an action that is ready to be sent."""
    return {"action": {**hole["action"], hole["field"]: card["piece"]}, "key": card["key"]}


def merged(may: list[Document], card: Callable[[Piece], Document]) -> list[Document]:
    """Make one of those entries that differ in nothing but a set of cards: the cards are tapped, not listed.

    Its `sets` have the `cards` of all of them; in `ways` the numbers of the cards in each, in `always` those that all
    of them have; in `field` the field of `action` that takes the cards; in `words` those of the first ways, for who
    can't tap.
    """
    kept: list[Document] = []
    ways: dict[tuple[str, str], list[tuple[Document, list[Piece]]]] = {}
    for one in may:
        field = _set_of_cards(one)
        if field is None:
            kept.append(one)
            continue
        same = ways.setdefault((one["name"], field), [])
        if not same:
            kept.append(one)
        same.append((one, one["choices"][0]["action"][field]))
    for (_, field), same in ways.items():
        if len(same) == 1:
            continue
        pieces = sorted({piece for _, way in same for piece in way})
        place = {piece: n for n, piece in enumerate(pieces)}
        first = same[0][0]
        first["sets"] = {
            "field": field,
            "cards": [card(piece) for piece in pieces],
            "ways": [[place[piece] for piece in way] for _, way in same],
            "always": [place[piece] for piece in pieces if all(piece in way for _, way in same)],
            "action": first["choices"][0]["action"],
            "words": [one["words"] for one, _ in same[:MOST_WORDS]],
            "more": max(0, len(same) - MOST_WORDS),
        }
        first["choices"] = []
    return kept


MOST_WORDS = 9
"""Sets of cards that are listed in words."""


def _set_of_cards(may: Document) -> str | None:
    """Return the field of an entry's only action that holds several cards; None if it is not such an entry."""
    if not may["allowed"] or may["holes"] or may["amount"] or len(may["choices"]) != 1 or may["choices"][0]["needs"]:
        return None
    action = may["choices"][0]["action"]
    found = [name for name, value in action.items() if isinstance(value, list | tuple)]
    return found[0] if len(found) == 1 else None


def key_of(card: Document) -> str:
    """Name what cards that are alike share."""
    return f"{card['kind']}|{card['title']}"


def lines(taps: list[Document]) -> list[Document]:
    """Put taps that share a verb on a line together: `head` says it, each tap's `words` and `more` the rest; `facts`
    are those of its first tap.

    Those that share none stand in a last line without a head, as they are.
    """
    numbers = ["" if one.get("who") else str(shaped(one["words"], "number")) for one in taps]
    heads = [shaped(one["words"], "stem") if number else "" for one, number in zip(taps, numbers, strict=True)]
    together: dict[str, list[Document]] = {}
    loose: list[Document] = []
    for one, number, head in zip(taps, numbers, heads, strict=True):
        if number and heads.count(head) > 1:
            said = {"full": one["words"], "words": number, "more": shaped(one["words"], "beside")}
            together.setdefault(head, []).append({"key": "", "who": TABLE, **one, **said})
        else:
            loose.append({"key": "", "who": TABLE, **one, "full": "", "more": ""})
    # The likeliest first; those of the same chance as the game lists them.
    loose.sort(key=lambda one: -(one["percent"] or 0))
    last = [{"head": "", "facts": "", "taps": loose}] if loose else []
    rows = ({"head": head, "facts": some[0]["facts"], "taps": some} for head, some in together.items())
    return [*rows, *last]
