"""What people answer of their game, and what its file says: answers to a declaration, and a declaration to answers.

`FEATURES` holds each feature's blocks once, with holes ("$each") for what is answered: filled in they are declared, and
matched with a file's blocks they are answers. What a file says beside its answers is kept (`changed`), and known
(`beside`): a draft is its answers' declaration, and the differences from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from companion.server.maker_api import Draft
from companion.server.maker_features import DECKS, DEFAULTS, FEATURES, JOKER, ORDERS, PRIME, RANK_NAMES, RANKS, SUITS
from companion.server.maker_tables import Patch, apart_from, flat, listed, many, put, seats, table, unflat
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
    if table(score, "round").get("ends") == "out":
        return "climb"
    return {"piles": "climb", "melds": "melds", "tricks": "tricks"}.get(draft.mat, "laid")


def changed(draft: Draft, given: Mapping[str, str]) -> Draft:
    """Return a game with other answers; what answers can't say of it stays."""
    before = asked(draft)
    after, score = {**before, **given}, dict(draft.score)
    if ("melds" in after.get("counts", "")) != ("melds" in before.get("counts", "")):
        # Of melds that count now the likeliest one is chosen already.
        after["melds"] = "marriage" if "melds" in after["counts"] else ""
    hand, high = number(after["hand"]), number(after["high"])
    if "hand" not in given and isinstance(hand, int) and isinstance(high, int) and high > 0:
        # Where more play, or with fewer cards, as many are dealt as there are; the hand is asked later.
        size = int(_derived(after["kind"], after)["size"])
        after["hand"] = str(size // high) if hand * high > size >= high else after["hand"]
    options = [dict(one) for one in listed(score, "option")]
    for option in options:
        for field, said in given.items():
            if before.get(field) == option.get("name") != said:
                # The host may choose it before a match: what was typed is what is usual.
                option |= {"default": (n := number(said))} | _range(n, option.get("low"), option.get("high"))
                after[field] = before[field]
    if options:
        score["option"] = options
        draft = replace(draft, score=score)
    return unflat(draft, put(flat(declared(after)), apart_from(flat(declared(before)), flat(draft)), flat(draft)))


def beside(draft: Draft) -> tuple[str, ...]:
    """Return what a file says and no answer does: the names of its blocks, entries and options, and of its sections."""
    apart = apart_from(flat(declared(asked(draft))), flat(draft))
    score = table(apart, "score")
    found = [name for name in ("mat", "jokers", "packs", "without") if name in apart]
    for section, there in score.items():
        if section in ("score", "entry", "option"):
            found += [name for name, one in there.items() if _matters(one)] if isinstance(there, dict) else []
        elif section not in ("words", "coach") and _matters(there):
            found.append(section)
    return tuple(found)


def _matters(apart: object) -> bool:
    """Whether a difference is more than other words, what counts anyway, or what only others build on."""
    if isinstance(apart, dict) and not isinstance(apart, Patch) and apart.get("counts") is False:
        return False
    if isinstance(apart, dict) and (isinstance(apart, Patch) or "name" not in apart):
        return any(value is not None and key not in _WORDS and value != "said" for key, value in apart.items())
    return apart is not None


_WORDS = ("says", "means", "tells", "words")


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
    without = tuple(DECKS.get(said["deck"], said["deck"]).split())
    score: TomlTable = {
        "players": {"seats": [number(said["low"]), number(said["high"])]} | _only(said, "pairs", partners=True),
        "round": _round(kind, said),
    }
    if kind == "tricks":
        trump, order = said["trump"], _order(ORDERS.get(said["order"], said["order"].replace(",", " ")), without)
        score["tricks"] = {"trump": trump} if trump in SUITS else {"shown": "trump"} if trump == "shown" else {}
        score["tricks"] |= {name: True for name in ("draws", "late", "beat") if said[name] == "yes"}
        score["tricks"] |= {"no": {"follow": False}, "late": {"follow": "late"}}.get(said["follow"], {})
        if order != _order(ORDERS["ace"], without):
            score["tricks"]["order"] = order
    if kind == "row":
        score["row"] = {"zone": "row", "to": "taken", "dealt": number(said["dealt"])}
        score["row"] |= _only(said, "adds", adds="value") | _only(said, "several", several=True)
        score["row"] |= _only(said, "alike", alike=["11", "12", "13"])
    if kind == "dice":
        score["dice"] = {"count": number(said["dice"]), "sides": 6, "rolls": number(said["rolls"])}
    entries: list[TomlTable] = []
    blocks: list[TomlTable] = []
    for needs, entry in FEATURES[kind]:
        if holds(needs, said):
            if "special" in entry:
                blocks += _special(kind, said)
            else:
                (entries if "words" in entry else blocks).append(_filled(entry, said))
    worth = {said["table"]: _worth(kind, said)} if _uses(blocks, said["table"]) or said.get("adds") == "yes" else {}
    if _uses(blocks, "prime"):
        worth["prime"] = PRIME
    score |= {"entry": entries, "worth": worth, "score": blocks}
    _end(score, said)
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


def _order(ranks: str, without: tuple[str, ...]) -> list[str]:
    """Return the ranks of the deck in their order."""
    return [rank for rank in ranks.split() if rank not in without]


def _mat(kind: str, said: Mapping[str, str]) -> str:
    if kind == "laid":
        return "grid" if said["lie"] == "grid" else "show"
    return {"climb": "piles", "dice": "show"}.get(kind, kind)


def _derived(kind: str, said: Mapping[str, str]) -> Answers:
    """Return what follows from answers: whose a block is, which blocks it is made of, how many cards there are."""
    without = DECKS.get(said["deck"], said["deck"]).split()
    packs, jokers = number(said["packs"]), number(said["jokers"])
    size = (52 - 4 * len(without) + (jokers if isinstance(jokers, int) else 0)) * (
        packs if isinstance(packs, int) else 1
    )
    hands = [n for n in map(number, said["hand"].replace(",", " ").split()) if isinstance(n, int)]
    low, high = (n if isinstance(n := number(said[end]), int) and n in range(1, 7) else 2 for end in ("low", "high"))
    players = range(low, max(low, high) + 1)
    each = [size // n if said.get("draws") == "yes" else min(hands, default=0) for n in players]
    nil, starter = "nil" in said.get("more", ""), said.get("starter") == "yes"
    places = said.get("points", "").replace(",", " ").split()
    return {
        "whose": "side" if said.get("pairs") == "yes" else "seat",
        "towards": "towards" if nil else "taken",
        "bags": "beyond alone" if nil else "beyond",
        "most": str(max(hands, default=13)),
        "size": str(size),
        "copies": str(packs),
        "played": str(min(n * held for n, held in zip(players, each, strict=True))),
        "seen": "all" if {"cards", "most"} & {*said.get("counts", "").split()} else "",
        "lowest": next((rank for rank in RANKS if rank != "1" and rank not in without), "2"),
        "shown": "hand starter" if starter else "hand",
        "once": "open turned" if starter else "open",
        "ones": " ".join("1" for _ in places),
        "places": str(len(places)),
    } | (dict.fromkeys(("counts", "starter", "crib", "pegs"), "") if said.get("lie") == "grid" else {})


def _round(kind: str, said: Mapping[str, str]) -> TomlTable:
    hand = [number(one) for one in said["hand"].replace(",", " ").split()]
    played: TomlTable = {}
    if hand and kind != "laid" and said.get("left") != "knock" and said.get("early") != "out":
        played["hand"] = hand[0] if len(hand) == 1 else hand
    ends = {"tricks": "hands" if hand else "", "climb": "out" if said.get("early") == "out" else "", "dice": "boxes"}
    if ends.get(kind):
        played["ends"] = ends[kind]
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
    match |= {"ties": "on"} if "on" in said["ties"].split() else {}
    score["match"] = match | ({"at_once": True} if "at_once" in said["ties"].split() else {})


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
        many = (int(said["copies"]) if rank != "*" else int(said["size"]) // 4) * (1 if suit != "*" else 4)
        all_of_them[name] = {"equals": many * points if isinstance(points, int) else 0}
        tells = str(t("not all cards that count have been taken"))
        whole = {"name": f"the_{name}" if many == 1 else f"all_{name}", "op": "count", "counts": False, "whose": "all"}
        needs.append(whole | {"cards": ["taken"], "where": where, "needs": many, "tells": tells})
    if said.get("moon") == "yes" and found:
        moon: TomlTable = {"name": "moon", "op": "add", "says": "All of them", "when": all_of_them, "times": -1}
        moon |= {"of": [*all_of_them], "means": t("who takes all of these has nothing")}
        struck = {"name": "struck", "op": "others", "says": "Another has all of them", "of": ["moon"], "times": -1}
        found += [moon, struck | {"means": t("their points go to everybody else")}]
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
    given = dict(one.partition("=")[::2] for one in said["values"].split())
    values = {rank: number(given[rank]) for rank in RANKS if rank in given}
    if given.get(JOKER, "0") != "0":
        values |= {"red": number(given[JOKER]), "black": number(given[JOKER])}
    if kind == "tricks":
        return {rank: n for rank, n in values.items() if n != 0} | {"other": 0}
    return {rank: n for rank, n in values.items() if str(n) != rank} or {"1": 1}


def _uses(blocks: list[TomlTable], table: str) -> bool:
    return any(block.get("worth") == table for block in blocks)


def _only(said: Mapping[str, str], field: str, **then: object) -> TomlTable:
    return then if said.get(field) == "yes" else {}


def holds(needs: str, said: Mapping[str, str]) -> bool:
    """Whether any of what is needed was answered: "counts:odd bid:exact", or all of "crib:yes+counts:runs"."""
    parted = ([one.split(":") for one in each.split("+")] for each in needs.split())
    return not needs or any(all(v in (said.get(field, "").split() or [""]) for field, v in one) for one in parted)


def _filled(entry: Mapping[str, object], said: Mapping[str, str]) -> TomlTable:
    """Return a feature's block or entry with its holes filled in; what counts anyway is left out."""
    found: TomlTable = {}
    for key, value in entry.items():
        if isinstance(value, str) and value.startswith("$"):
            given = said.get(value[1:], "")
            words = given.replace(",", " ").split()
            value = (words if key != "points" else [number(one) for one in words]) if key in _LISTS else number(given)
            value = given if key == "rank" else value
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
    how, match, players = table(score, "round"), table(score, "match"), table(score, "players")
    said_seats = many(players.get("seats", [2, 4]))
    low, high = said_seats if len(said_seats) == 2 else seats(score)
    hand = how.get("hand", DEFAULTS[kind]["hand"] if kind == "climb" else "")
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
        tricks = table(score, "tricks")
        order = [*map(str, many(tricks.get("order", _order(ORDERS["ace"], draft.without))))]
        known = (name for name, ranks in ORDERS.items() if _order(ranks, draft.without) == order)
        said["order"] = next(known, " ".join(order))
        said["trump"] = "shown" if tricks.get("shown") else str(tricks.get("trump", ""))
        said["follow"] = {"False": "no", "late": "late"}.get(str(tricks.get("follow")), "yes")
        said |= {name: "yes" if tricks.get(name) else "" for name in ("draws", "late", "beat")}
    if kind == "row":
        row = table(score, "row")
        said |= {"dealt": str(row.get("dealt", 0))}
        said |= {name: "yes" if row.get(name) else "" for name in ("adds", "several", "alike")}
    if kind == "dice":
        dice = table(score, "dice")
        said |= {"dice": str(dice.get("count", 5)), "rolls": str(dice.get("rolls", 3))}
    if kind == "laid":
        said["lie"] = "grid" if draft.mat == "grid" else "show"
    _ask_features(kind, said, score)
    tables = table(score, "worth")
    worth = tables.get(str(table(score, "row").get("adds", "")) if kind == "row" else said["table"], {})
    if isinstance(worth, dict) and worth:
        values = {rank: worth.get(rank, worth.get("other", rank)) for rank in RANKS}
        values |= {JOKER: worth.get("red", worth.get("other", 0))} if draft.jokers else {}
        said["values"] = " ".join(f"{rank}={str(n).replace(' ', '')}" for rank, n in values.items())
    else:
        said["values"] = DEFAULTS[kind]["values"]
    return {
        **DEFAULTS[kind],
        **{field: value for field, value in said.items() if value or field in (*_EMPTY, *_EMPTY_TOO)},
    }


_EMPTY = ("pairs", "hand", "trump", "adds", "counts", "bid", "more", "special", "moon", "crib", "pegs", "several")
_EMPTY_TOO = ("starter", "boxes", "ties", "free", "left", "alike", "melds", "out", "draws", "late", "beat")
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
        if needs.startswith("lie:") and not holds(needs, said):
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
    if said.get("melds"):
        said["counts"] = f"{said.get('counts', '')} melds".strip()
    cards = [f"{rank}:{suit}:{points}" for rank, suit, points in _special_of(score)]
    said["special"] = " ".join(cards)
    said["moon"] = "yes" if {"moon", "struck"} <= there.keys() else ""


def _found(entry: Mapping[str, object], block: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Yield what stands in a block where a feature has holes."""
    for key, value in entry.items():
        if isinstance(value, dict):
            yield from _found(value, table(block, key))
        elif isinstance(value, str) and value.startswith("$"):
            given = block.get(key, _USUAL.get(key, ""))
            yield value[1:], " ".join(map(str, given)) if isinstance(given, list | tuple) else str(given)


def _special_of(score: Mapping[str, object]) -> Iterator[tuple[str, str, object]]:
    for block in listed(score, "score"):
        where = table(block, "where")
        rank, suit = where.get("rank", "*"), where.get("suit", "*")
        plain = set(where) <= {"rank", "suit"} and where and isinstance(rank, str) and isinstance(suit, str)
        counts = block.get("op") == "count" and block.get("counts", True) and block.get("cards") == ["taken"]
        if plain and counts and not set(block) & {"when", "like", "gives"}:
            yield rank, suit, block.get("times", 1)
