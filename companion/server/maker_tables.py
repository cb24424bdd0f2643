"""How a game differs from what its answers declare: tables within tables, and lists and named things laid flat."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.server.maker_api import Draft
from companion.untyped import TomlTable

MOST_SEATS = 6


class Patch(TomlTable):
    """What differs within a table; None is what is not there."""


def flat(draft: Draft) -> TomlTable:
    """Return a draft as tables in tables: lists of named things as tables by their names."""
    score = dict(draft.score)
    for section in ("score", "entry", "option"):
        if section in score:
            score[section] = {str(one.get("name")): one for one in listed(score, section)}
    return {"mat": draft.mat, "jokers": draft.jokers, "packs": draft.packs, "without": [*draft.without], "score": score}


def apart_from(said: TomlTable, there: TomlTable) -> Patch:
    """Return how what is there differs from what was said."""
    apart = Patch({key: None for key in said if key not in there})
    for key, value in there.items():
        if key not in said:
            apart[key] = value
        elif isinstance(value, dict) and isinstance(said[key], dict):
            if within := apart_from(said[key], value):
                apart[key] = within
        elif value != said[key] and [*map(str, many(value))] != [*map(str, many(said[key]))]:
            apart[key] = value
    return apart


def many(value: object) -> list[object]:
    """Return a list's entries, or what is no list as the only one."""
    return [*value] if isinstance(value, list | tuple) else [value]


def put(said: TomlTable, apart: Patch, before: TomlTable) -> TomlTable:
    """Return what is said with what differed; what stood before keeps its place, for blocks build on those above."""
    found = dict(said)
    for key, value in apart.items():
        if value is None:
            found.pop(key, None)
        elif not isinstance(value, Patch):
            found[key] = value
        elif isinstance(found.get(key), dict):
            there = before.get(key)
            found[key] = put(found[key], value, there if isinstance(there, dict) else {})
    order = [key for key in before if key in found]
    for key in found:
        if key not in order:
            earlier = [*said][: [*said].index(key)] if key in said else order
            order.insert(max((order.index(one) + 1 for one in earlier if one in order), default=0), key)
    return {key: found[key] for key in order}


def unflat(before: Draft, laid: TomlTable) -> Draft:
    """Return a draft again, what it says beside its file as before."""
    score = dict(laid["score"])
    for section in ("score", "entry", "option"):
        if section in score:
            score[section] = [*score[section].values()]
    return msgspec.structs.replace(
        before,
        mat=laid["mat"],
        jokers=laid["jokers"],
        packs=laid["packs"],
        without=tuple(laid["without"]),
        score={key: value for key, value in score.items() if value not in ("", [], None)},
    )


def listed(score: Mapping[str, object], section: str) -> list[TomlTable]:
    """Return the entries of a section that is a list."""
    found = score.get(section, [])
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def table(score: Mapping[str, object], section: str) -> TomlTable:
    """Return a section that is a table; an empty one if there is none."""
    found = score.get(section, {})
    return dict(found) if isinstance(found, dict) else {}


def seats(score: Mapping[str, object]) -> tuple[int, int]:
    """Return the fewest and the most players that a draft says, as far as it makes sense."""
    said = table(score, "players").get("seats", [2, 4])
    if isinstance(said, list | tuple) and len(said) == 2 and all(isinstance(n, int) for n in said):
        low, high = (min(max(int(n), 1), MOST_SEATS) for n in said)
        return low, high
    return 2, 4
