"""What people answer of their game, and what its file says: answers to a declaration, and a declaration to answers.

`FEATURES` holds each feature's blocks once, with holes ("$each") for what is answered: filled in they are declared, and
matched with a file's blocks they are answers. What a file says beside its answers is kept (`changed`), and known
(`beside`): a draft is its answers' declaration, and the differences from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import msgspec

from companion.server.maker_api import Draft
from companion.server.maker_features import DECKS, DEFAULTS, FEATURES, ORDERS, PRIME, RANK_NAMES, RANKS, SUITS
from companion.text import t
from companion.untyped import TomlTable

Answers = dict[str, str]
"""Answers by field, as a form holds them: a number, a word, or several words with spaces between them."""
_NUMBER = re.compile(r"[+-]?\d{1,6}")
_USUAL: TomlTable = {"least": 1, "to": 0, "times": 1, "minus": 0, "by": "rank", "whose": "seat", "counts": True}
_USUAL |= dict.fromkeys(("bonus", "each", "over", "missed", "lost"), 0)


def number(typed: str) -> int | str:
    """Return a number that was typed; what is none stays as it was typed, and is told of."""
    typed = typed.strip()[:30].replace("−", "-")
    return int(typed) if _NUMBER.fullmatch(typed) else typed or 0


def kind_of(draft: Draft) -> str:
    """Return which of the six kinds a game is."""
    score = draft.score
    for name in ("tricks", "row", "dice"):
        if name in score:
            return name
    if _table(score, "round").get("ends") == "out" or draft.mat == "piles":
        return "climb"
    return "melds" if draft.mat == "melds" else "laid"


def begun(kind: str) -> Draft:
    """Return a new game of a kind, by its likeliest answers."""
    return declared({**DEFAULTS[kind], "kind": kind})


def changed(draft: Draft, given: Mapping[str, str]) -> Draft:
    """Return a game with other answers; what answers can't say of it stays."""
    before = asked(draft)
    after, score = {**before, **given}, dict(draft.score)
    options = [dict(one) for one in listed(score, "option")]
    for option in options:
        for field, said in given.items():
            if before.get(field) == option.get("name") != said:
                # The host may choose it before a match: what was typed is what is usual.
                option |= {"default": (n := number(said))} | _range(n, option.get("low"), option.get("high"))
                after[field] = before[field]
    if options:
        score["option"] = options
        draft = msgspec.structs.replace(draft, score=score)
    return _draft(draft, _put(_flat(declared(after)), _apart(_flat(declared(before)), _flat(draft)), _flat(draft)))


def beside(draft: Draft) -> tuple[str, ...]:
    """Return what a file says and no answer does: the names of its blocks, entries and options, and of its sections."""
    apart = _apart(_flat(declared(asked(draft))), _flat(draft))
    score = _table(apart, "score")
    found = [name for name in ("mat", "jokers", "packs", "without") if name in apart]
    for section, there in score.items():
        if section in ("score", "entry", "option"):
            found += [name for name, one in there.items() if _matters(one)] if isinstance(there, dict) else []
        elif section not in ("words", "coach") and _matters(there):
            found.append(section)
    return tuple(found)


def _matters(apart: object) -> bool:
    """Whether a difference is more than other words, or what counts anyway."""
    if isinstance(apart, dict) and (isinstance(apart, _Patch) or "name" not in apart):
        return any(value is not None and key not in _WORDS and value != "said" for key, value in apart.items())
    return apart is not None


_WORDS = ("says", "tells", "words")


def called(entry: Mapping[str, object]) -> str:
    """Return what people call a block or an entry."""
    name = str(entry.get("name", ""))
    return str(entry.get("says") or entry.get("words") or name.replace("_", " ").capitalize())


def shown(draft: Draft, answers: Mapping[str, str]) -> Answers:
    """Return answers as a form shows them: the usual number where the host may choose one."""
    usual = {str(one.get("name")): str(one.get("default", "")) for one in listed(draft.score, "option")}
    return {field: usual.get(said, said) if said != field or said in usual else said for field, said in answers.items()}


# --------------------------------------------------------------------------------------------------- declaration


def declared(answers: Mapping[str, str]) -> Draft:
    """Return the game that answers declare."""
    kind = answers["kind"]
    said = {**DEFAULTS[kind], **answers} | _derived(kind, {**DEFAULTS[kind], **answers})
    score: TomlTable = {
        "players": {"seats": [number(said["low"]), number(said["high"])]} | _only(said, "pairs", partners=True),
        "round": _round(kind, said),
    }
    if kind == "tricks":
        trump, order = said["trump"], ORDERS.get(said["order"], said["order"].replace(",", " ")).split()
        score["tricks"] = _filled({"trump": trump if trump in SUITS else "", "follow": said["follow"] == "yes"}, said)
        score["tricks"] |= {"shown": "trump"} if trump == "shown" else {}
        score["tricks"] = {key: value for key, value in score["tricks"].items() if value not in ("", True)}
        if order != ORDERS["ace"].split():
            score["tricks"]["order"] = order
    if kind == "row":
        score["row"] = {"zone": "row", "to": "taken", "dealt": number(said["dealt"])}
        score["row"] |= {"adds": "value"} if said["adds"] == "yes" else {}
    if kind == "dice":
        score["dice"] = {"count": number(said["dice"]), "sides": 6, "rolls": number(said["rolls"])}
    entries: list[TomlTable] = []
    blocks: list[TomlTable] = []
    for needs, entry in FEATURES[kind]:
        if _holds(needs, said):
            if "special" in entry:
                blocks += _special(kind, said)
            else:
                (entries if "words" in entry else blocks).append(_filled(entry, said))
    worth = {said["table"]: _worth(kind, said)} if _uses(blocks, said["table"]) or said.get("adds") == "yes" else {}
    if _uses(blocks, "prime"):
        worth["prime"] = PRIME
    score |= {"entry": entries, "worth": worth, "score": blocks}
    _end(score, said)
    without = tuple(DECKS.get(said["deck"], said["deck"]).split())
    score = {key: value for key, value in score.items() if value not in ([], {}) or key == "tricks"}
    jokers, packs = number(said["jokers"]), number(said["packs"])
    return Draft(
        title=said.get("title", ""),
        mat=_mat(kind, said),
        jokers=jokers if isinstance(jokers, int) else 0,
        packs=packs if isinstance(packs, int) else 1,
        without=without,
        score=score,
    )


def _mat(kind: str, said: Mapping[str, str]) -> str:
    if kind == "laid":
        return "grid" if said["lie"] == "grid" else "show"
    return {"climb": "piles", "dice": "show"}.get(kind, kind)


def _derived(kind: str, said: Mapping[str, str]) -> Answers:
    """Return what follows from answers: whose a block is, which blocks it is made of, how many cards there are."""
    gone = len(DECKS.get(said["deck"], said["deck"]).split())
    packs, jokers = number(said["packs"]), number(said["jokers"])
    size = (52 - 4 * gone) * (packs if isinstance(packs, int) else 1) + (jokers if isinstance(jokers, int) else 0)
    hands = [n for n in map(number, said["hand"].replace(",", " ").split()) if isinstance(n, int)]
    nil, starter = "nil" in said.get("more", ""), said.get("starter") == "yes"
    places = said.get("points", "").replace(",", " ").split()
    return {
        "whose": "side" if said.get("pairs") == "yes" else "seat",
        "towards": "towards" if nil else "taken",
        "bags": "beyond alone" if nil else "beyond",
        "most": str(max(hands, default=13)),
        "size": str(size),
        "shown": "hand starter" if starter else "hand",
        "once": "open turned" if starter else "open",
        "ones": " ".join("1" for _ in places),
        "places": str(len(places)),
    } | (dict.fromkeys(("counts", "starter", "crib", "pegs"), "") if said.get("lie") == "grid" else {})


def _round(kind: str, said: Mapping[str, str]) -> TomlTable:
    hand = [number(one) for one in said["hand"].replace(",", " ").split()]
    played: TomlTable = {}
    if hand and kind == "tricks":
        played = {"hand": hand[0] if len(hand) == 1 else hand, "ends": "hands"}
    if kind in ("climb", "dice"):
        played["ends"] = {"climb": "out", "dice": "boxes"}[kind]
    if kind == "melds" or said.get("lie") == "grid":
        played["turn_ends"] = "discard"
    if said["first"] != "left":
        played["first"] = said["first"]
    return played | ({"card": said["card"]} if said["first"] == "holder" else {})


def _end(score: TomlTable, said: Mapping[str, str]) -> None:
    """Declare how the match ends, and that the host may choose another number."""
    n = number(said["end"])
    match: TomlTable = {said["by"]: n} | ({"wins": "low"} if said["wins"] == "low" else {})
    if said["free"] == "yes":
        words = t("Rounds") if said["by"] == "rounds" else t("Points that end the match")
        most = number(said["limit"]) or (min(3 * n, 1000) if isinstance(n, int) else 1)
        bounds = _range(n, number(said["least"]) or 1, most)
        score["option"] = [{"name": said["named"], "words": str(words), "default": n, **bounds}]
        match[said["by"]] = said["named"]
    if "on" in said["ties"].split():
        match["ties"] = "on"
    if "at_once" in said["ties"].split():
        match["at_once"] = True
    score["match"] = match


def _range(n: int | str, low: object, high: object) -> TomlTable:
    """Return from where to where the host may choose, so that what is usual lies between."""
    found = {"low": low if isinstance(low, int) else 1, "high": high if isinstance(high, int) else 1}
    return {"low": min(found["low"], n), "high": max(found["high"], n)} if isinstance(n, int) else found


def _special(kind: str, said: Mapping[str, str]) -> list[TomlTable]:
    """Return the blocks of certain cards that are won, and of who has won all of them."""
    found: list[TomlTable] = []
    needs: list[TomlTable] = []
    all_of_them: TomlTable = {}
    for rank, suit, points in _cards(said["special"]):
        name = RANK_NAMES[rank] if rank != "*" else suit
        name = f"{name}_{suit}" if any(one["name"] == name for one in found) else name
        where = ({"suit": suit} if suit != "*" else {}) | ({"rank": rank} if rank != "*" else {})
        words = RANKS[rank] if rank != "*" else ""
        words = (f"{words} of {suit}" if words and suit != "*" else words + "s" if words else suit).capitalize()
        one: TomlTable = {"name": name, "op": "count", "says": words, "cards": ["taken"], "where": where}
        found.append(one | ({"times": points} if points != 1 else {}))
        many = (1 if rank != "*" else int(said["size"]) // 4) * (1 if suit != "*" else 4)
        all_of_them[name] = {"equals": many * points if isinstance(points, int) else 0}
        tells = str(t("not all cards that count have been taken"))
        whole = {"name": f"the_{name}" if many == 1 else f"all_{name}", "op": "count", "counts": False, "whose": "all"}
        needs.append(whole | {"cards": ["taken"], "where": where, "needs": many, "tells": tells})
    if said.get("moon") == "yes" and found:
        moon = {"name": "moon", "op": "add", "says": "All of them", "of": [*all_of_them], "when": all_of_them}
        struck = {"name": "struck", "op": "others", "says": "Another has all of them", "of": ["moon"], "times": -1}
        found += [moon | {"times": -1}, struck]
    return [*(needs if kind == "tricks" else ()), *found]


def _cards(said: str) -> Iterator[tuple[str, str, int | str]]:
    """Yield certain cards as they are answered: "12:spades:13", a rank or a suit may be any ("*")."""
    for one in said.split():
        rank, _, rest = one.partition(":")
        suit, _, points = rest.partition(":")
        if rank in (*RANKS, "*") and suit in (*SUITS, "*") and (rank, suit) != ("*", "*"):
            yield rank, suit, number(points)


def _worth(kind: str, said: Mapping[str, str]) -> TomlTable:
    """Return what cards are worth: where they count their rank what differs, else what is not nothing."""
    values = {rank: number(n) for rank, _, n in (one.partition("=") for one in said["values"].split()) if rank in RANKS}
    if kind == "tricks":
        return {rank: n for rank, n in values.items() if n != 0} | {"other": 0}
    return {rank: n for rank, n in values.items() if str(n) != rank} or {"1": 1}


def _uses(blocks: list[TomlTable], table: str) -> bool:
    return any(block.get("worth") == table for block in blocks)


def _only(said: Mapping[str, str], field: str, **then: object) -> TomlTable:
    return then if said.get(field) == "yes" else {}


def _holds(needs: str, said: Mapping[str, str]) -> bool:
    """Whether any of what a feature needs was answered: "counts:odd bid:exact", or all of "crib:yes+counts:runs"."""

    def one(need: str) -> bool:
        field, _, value = need.partition(":")
        return value in said.get(field, "").split()

    return not needs or any(all(map(one, each.split("+"))) for each in needs.split())


def _filled(entry: Mapping[str, object], said: Mapping[str, str]) -> TomlTable:
    """Return a feature's block or entry with its holes filled in; what counts anyway is left out."""
    found: TomlTable = {}
    for key, value in entry.items():
        if isinstance(value, str) and value.startswith("$"):
            given = said.get(value[1:], "")
            words = given.replace(",", " ").split()
            value = (words if key != "points" else [number(one) for one in words]) if key in _LISTS else number(given)
        elif isinstance(value, dict):
            value = _filled(value, said)
        elif isinstance(value, list | tuple):
            value = list(value)
        if key not in _USUAL or value != _USUAL[key]:
            found[key] = value
    return found


_LISTS = ("of", "cards", "once", "points")


# ------------------------------------------------------------------------------------------------------- answers


def asked(draft: Draft) -> Answers:
    """Return the answers that a game gives; where none says what its file says, the likeliest."""
    kind, score = kind_of(draft), draft.score
    how, match, players = _table(score, "round"), _table(score, "match"), _table(score, "players")
    said_seats = _many(players.get("seats", [2, 4]))
    low, high = said_seats if len(said_seats) == 2 else seats(score)
    hand = how.get("hand", "")
    said: Answers = dict.fromkeys(DEFAULTS[kind], "") | {
        "kind": kind,
        "low": str(low),
        "high": str(high),
        "pairs": "yes" if players.get("partners") else "",
        "hand": ", ".join(map(str, hand)) if isinstance(hand, list | tuple) else str(hand),
        "first": str(how.get("first", "left")),
        "card": str(how.get("card", "")),
        "deck": next(
            (name for name, gone in DECKS.items() if gone.split() == [*draft.without]), " ".join(draft.without)
        ),
        "packs": str(draft.packs),
        "jokers": str(draft.jokers),
        "title": draft.title,
        "table": DEFAULTS[kind]["table"],
    }
    _ask_end(said, match, listed(score, "option"))
    if kind == "tricks":
        tricks = _table(score, "tricks")
        order = " ".join(map(str, _many(tricks.get("order", ORDERS["ace"].split()))))
        said["order"] = next((name for name, ranks in ORDERS.items() if ranks == order), order)
        said["trump"] = "shown" if tricks.get("shown") else str(tricks.get("trump", ""))
        said["follow"] = "yes" if tricks.get("follow", True) else ""
    if kind == "row":
        row = _table(score, "row")
        said |= {"dealt": str(row.get("dealt", 0)), "adds": "yes" if row.get("adds") else ""}
    if kind == "dice":
        dice = _table(score, "dice")
        said |= {"dice": str(dice.get("count", 5)), "rolls": str(dice.get("rolls", 3))}
    if kind == "laid":
        said["lie"] = "grid" if draft.mat == "grid" else "show"
    _ask_features(kind, said, score)
    tables = _table(score, "worth")
    worth = tables.get(str(_table(score, "row").get("adds", "")) if kind == "row" else said["table"], {})
    if isinstance(worth, dict) and worth:
        values = {rank: worth.get(rank, worth.get("other", rank)) for rank in RANKS}
        said["values"] = " ".join(f"{rank}={str(n).replace(' ', '')}" for rank, n in values.items())
    else:
        said["values"] = DEFAULTS[kind]["values"]
    return {
        **DEFAULTS[kind],
        **{field: value for field, value in said.items() if value or field in (*_EMPTY, *_EMPTY_TOO)},
    }


_EMPTY = ("pairs", "hand", "trump", "follow", "adds", "counts", "bid", "more", "special", "moon", "crib", "pegs")
_EMPTY_TOO = ("starter", "boxes", "left", "ties", "free")
"""Fields of which nothing is an answer."""


def _ask_end(said: Answers, match: Mapping[str, object], options: list[TomlTable]) -> None:
    by = "rounds" if "rounds" in match else "points"
    end = match.get(by, 100)
    option = next((one for one in options if one.get("name") == end), None)
    if option is not None:
        said |= {"free": "yes", "named": str(end), "least": str(option.get("low")), "limit": str(option.get("high"))}
        end = option.get("default", 1)
    ties = [name for name, there in (("on", match.get("ties") == "on"), ("at_once", match.get("at_once"))) if there]
    said |= {"by": by, "end": str(end), "wins": str(match.get("wins", "high")), "ties": " ".join(ties)}


def _ask_features(kind: str, said: Answers, score: Mapping[str, object]) -> None:
    """Match features with what a file has: a value is answered if all is there that only this value brings."""
    there = {str(one.get("name")): one for section in ("score", "entry") for one in listed(score, section)}
    missing: set[str] = set()
    found: set[str] = set()
    for needs, entry in FEATURES[kind]:
        if needs.startswith("lie:") and not _holds(needs, said):
            continue
        block = there.get(str(entry.get("name")), {})
        same = bool(block) and block.get("op") == entry.get("op")
        if " " not in needs and "+" not in needs and ":" in needs:
            (found if same else missing).add(needs)
        if same:
            said.update(_found(entry, block))
    for need in sorted(found - missing):
        field, _, value = need.partition(":")
        if field != "lie":
            said[field] = f"{said.get(field, '')} {value}".strip()
    cards = [f"{rank}:{suit}:{points}" for rank, suit, points in _special_of(score)]
    said["special"] = " ".join(cards)
    said["moon"] = "yes" if {"moon", "struck"} <= there.keys() else ""


def _found(entry: Mapping[str, object], block: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Yield what stands in a block where a feature has holes."""
    for key, value in entry.items():
        if isinstance(value, dict):
            yield from _found(value, _table(block, key))
        elif isinstance(value, str) and value.startswith("$"):
            given = block.get(key, _USUAL.get(key, ""))
            yield value[1:], " ".join(map(str, given)) if isinstance(given, list | tuple) else str(given)


def _special_of(score: Mapping[str, object]) -> Iterator[tuple[str, str, object]]:
    for block in listed(score, "score"):
        where = _table(block, "where")
        rank, suit = where.get("rank", "*"), where.get("suit", "*")
        plain = set(where) <= {"rank", "suit"} and where and isinstance(rank, str) and isinstance(suit, str)
        counts = block.get("op") == "count" and block.get("counts", True) and block.get("cards") == ["taken"]
        if plain and counts and not set(block) & {"when", "like", "gives"}:
            yield rank, suit, block.get("times", 1)


# ----------------------------------------------------------------------------------------------------- difference


class _Patch(TomlTable):
    """What differs within a table; None is what is not there."""


def _flat(draft: Draft) -> TomlTable:
    """Return a draft as tables in tables: lists of named things as tables by their names."""
    score = dict(draft.score)
    for section in ("score", "entry", "option"):
        if section in score:
            score[section] = {str(one.get("name")): one for one in listed(score, section)}
    return {"mat": draft.mat, "jokers": draft.jokers, "packs": draft.packs, "without": [*draft.without], "score": score}


def _apart(said: TomlTable, there: TomlTable) -> _Patch:
    """Return how what is there differs from what was said."""
    apart = _Patch({key: None for key in said if key not in there})
    for key, value in there.items():
        if key not in said:
            apart[key] = value
        elif isinstance(value, dict) and isinstance(said[key], dict):
            if within := _apart(said[key], value):
                apart[key] = within
        elif value != said[key] and [*map(str, _many(value))] != [*map(str, _many(said[key]))]:
            apart[key] = value
    return apart


def _many(value: object) -> list[object]:
    return [*value] if isinstance(value, list | tuple) else [value]


def _put(said: TomlTable, apart: _Patch, before: TomlTable) -> TomlTable:
    """Return what is said with what differed; what stood before keeps its place, for blocks build on those above."""
    found = dict(said)
    for key, value in apart.items():
        if value is None:
            found.pop(key, None)
        elif not isinstance(value, _Patch):
            found[key] = value
        elif isinstance(found.get(key), dict):
            there = before.get(key)
            found[key] = _put(found[key], value, there if isinstance(there, dict) else {})
    order = [key for key in before if key in found]
    for key in found:
        if key not in order:
            earlier = [*said][: [*said].index(key)] if key in said else order
            order.insert(max((order.index(one) + 1 for one in earlier if one in order), default=0), key)
    return {key: found[key] for key in order}


def _draft(before: Draft, flat: TomlTable) -> Draft:
    score = dict(flat["score"])
    for section in ("score", "entry", "option"):
        if section in score:
            score[section] = [*score[section].values()]
    return msgspec.structs.replace(
        before,
        mat=flat["mat"],
        jokers=flat["jokers"],
        packs=flat["packs"],
        without=tuple(flat["without"]),
        score={key: value for key, value in score.items() if value not in ("", [], None)},
    )


# --------------------------------------------------------------------------------------------------------- tables


def listed(score: Mapping[str, object], section: str) -> list[TomlTable]:
    """Return the entries of a section that is a list."""
    found = score.get(section, [])
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _table(score: Mapping[str, object], section: str) -> TomlTable:
    found = score.get(section, {})
    return dict(found) if isinstance(found, dict) else {}


def seats(score: Mapping[str, object]) -> tuple[int, int]:
    """Return the fewest and the most players that a draft says, as far as it makes sense."""
    said = _table(score, "players").get("seats", [2, 4])
    if isinstance(said, list | tuple) and len(said) == 2 and all(isinstance(n, int) for n in said):
        low, high = (min(max(int(n), 1), MOST_SEATS) for n in said)
        return low, high
    return 2, 4


MOST_SEATS = 6
