"""The form in which a game is made: a draft as fields that people fill in, and fields as a draft again.

The whole draft goes along in a hidden field, so that what the form has no field for is kept as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec
from werkzeug.datastructures import MultiDict

from companion.rules.seats import clean_name
from companion.server.maker_api import Draft, MakerError
from companion.text import t
from companion.untyped import TomlTable, read_json

Form = MultiDict[str, str]

MOST_SEATS = 6
SUITS = ("clubs", "diamonds", "hearts", "spades")
RANKS = {
    "1": "Ace",
    **{str(n): str(n) for n in range(2, 11)},
    "11": "Jack",
    "12": "Queen",
    "13": "King",
}
KEYS = {words.lower(): rank for rank, words in RANKS.items()} | {"a": "1", "j": "11", "q": "12", "k": "13"}
KEYS |= {one: one for one in (*SUITS, "other")}  # what people call cards, in small letters, and what files do
PLAYS = {
    "free": t("Cards are laid as people like, and what lies there counts"),
    "tricks": t("Tricks: everybody lays a card, the highest takes them"),
    "row": t("A row from which cards are taken"),
    "dice": "Dice",
}
ENDS = {
    "said": t("When somebody taps “round is over”"),
    "hands": t("When all cards are played"),
    "out": t("When all but one are rid of their cards"),
    "boxes": t("When every box is filled (dice)"),
}
FIRSTS = {
    "left": t("Who sits left of the dealer"),
    "dealer": t("The dealer"),
    "holder": t("Who holds a certain card"),
    "winner": t("Who won the round before"),
}
WHOSE = {
    "seat": t("Everybody's own"),
    "side": t("Of both partners together"),
    "dealer": t("The dealer's alone"),
    "all": t("All players' together"),
}
HOWS = {
    "equals": "is",
    "at_least": t("is at least"),
    "at_most": t("is at most"),
    "more_than": t("is more than"),
    "less_than": t("is less than"),
}
DUES = {"any": t("at any time"), "before": t("by everybody, before cards are played")}

CLOCKS = {
    "": "none",
    "turn": t("A turn timer: so many seconds a turn"),
    "chess": t("A chess clock: so many seconds for all of a player's turns"),
    "glass": t("A sand glass: somebody turns it over"),
}

CARDS = ("cards", "where", "like")
OPS: dict[str, tuple[str, tuple[str, ...]]] = {
    "count": (t("Count cards"), CARDS),
    "sum": (t("Add up what cards are worth"), (*CARDS, "worth")),
    "majority": (t("Who has the most"), ("of", "ties")),
    "best": (t("The best card of each suit"), (*CARDS, "worth", "least")),
    "pairs": (t("Count pairs"), CARDS),
    "runs": (t("Cards in a row of ranks"), (*CARDS, "least")),
    "sets": (t("The largest group of cards alike"), (*CARDS, "by", "least")),
    "subsets": (t("The ways in which cards add up to a number"), (*CARDS, "worth", "to")),
    "melds": (t("What is left outside melds"), ("cards", "worth", "least", "lay_off")),
    "columns": (t("Columns of a grid; two alike count nothing"), ("cards", "worth", "width")),
    "tricks": (t("Tricks taken"), ()),
    "last": (t("The last trick"), ()),
    "sweeps": (t("Sweeps: how often the row was cleared"), ()),
    "bid": (t("A bid made or missed"), ("bid", "of", "exact", "bonus", "each", "over", "missed", "lost")),
    "place": (t("The order of going out"), ("points",)),
    "entered": (t("What was typed"), ("of",)),
    "add": (t("Put blocks together"), ("of",)),
    "others": (t("What the others have"), ("of",)),
    "carry": (t("Every so many, over all rounds"), ("of", "every")),
}
"""What blocks count, in plain words, and the fields of each beside those that all have."""
OPERANDS = {
    "bonus": t("Made: it earns"),
    "each": t("Made: each of the bid earns"),
    "over": t("Each beyond the bid earns"),
    "lost": t("Missed: it earns"),
    "missed": t("Missed: each of the bid earns"),
}
CHANGES = {
    "times": "Times",
    "minus": "Minus",
    "at_least": t("At least"),
    "at_most": t("At most"),
    "gives": t("If there is any, it gives"),
}
ORDER = [*map(str, range(2, 14)), "1"]
"""How high ranks are in tricks, where nothing is said: the ace is the highest."""
USUAL = {
    "least": 1,
    "to": 0,
    "width": 3,
    "every": 10,
    "times": 1,
    "minus": 0,
    "by": "rank",
    "whose": "seat",
    "lay_off": "",
    "ties": "nobody",
    **dict.fromkeys(OPERANDS, 0),
}
"""What counts where a block says nothing."""
_NUMBER = re.compile(r"[+-]?\d{1,6}")


def read(form: Form) -> Draft:
    """Return the draft that a form holds.

    Raises:
        MakerError: if what goes along with it is none of ours.
    """
    try:
        before = read_json(form.get("draft", ""), Draft)
    except msgspec.DecodeError:
        raise MakerError(t("That page was not ours, or it is too old: begin it again.")) from None
    if "title" not in form:
        return before
    score = dict(before.score)
    _players(score, form)
    _round(score, form)
    score["score"] = [_block(block, form, f"b{n}.") for n, block in enumerate(blocks(score))]
    score["entry"] = [_entry(entry, form, f"e{n}.") for n, entry in enumerate(listed(score, "entry"))]
    score["option"] = [_option(option, form, f"o{n}.") for n, option in enumerate(listed(score, "option"))]
    _worths(score, form)
    _match(score, form)
    _deed(score, form.get("do", ""), form)
    return msgspec.structs.replace(
        before,
        title=clean_name(form.get("title", ""), 40),
        mat=form.get("mat", before.mat)[:30],
        jokers=count(form.get("jokers"), 2),
        packs=max(1, count(form.get("packs"), 2)),
        without=tuple(rank for rank in RANKS if rank in form.getlist("without")),
        score={key: value for key, value in score.items() if value not in ("", [], None)},
    )


def blocks(score: Mapping[str, object]) -> list[TomlTable]:
    """Return the blocks of a score."""
    return listed(score, "score")


def listed(score: Mapping[str, object], section: str) -> list[TomlTable]:
    """Return the entries of a section that is a list."""
    found = score.get(section, [])
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def table(score: Mapping[str, object], section: str) -> TomlTable:
    """Return a section that is a table; empty if there is none."""
    found = score.get(section, {})
    return dict(found) if isinstance(found, dict) else {}


def plays(score: Mapping[str, object]) -> str:
    """Return how cards are played, by the sections that there are."""
    return next((name for name in ("tricks", "row", "dice") if name in score), "free")


def ending(score: Mapping[str, object]) -> tuple[str, int, bool]:
    """Return what ends a match ("points" or "rounds"), the number, and whether the host may choose another."""
    match = table(score, "match")
    kind = "rounds" if "rounds" in match else "points"
    number = match.get(kind, 100 if kind == "points" else 9)
    option = next((one for one in listed(score, "option") if one.get("name") == number), None)
    value = option.get("default", 0) if option else number
    return kind, value if isinstance(value, int) else 0, option is not None


def worth_line(values: object) -> str:
    """Return a table of worths as people type it: "11 = 10, 12 = 10"."""
    return ", ".join(f"{key} = {value}" for key, value in values.items()) if isinstance(values, dict) else ""


def called(entry: Mapping[str, object]) -> str:
    """Return what people call a block or an entry."""
    name = str(entry.get("name", ""))
    return str(entry.get("says") or entry.get("words") or name.replace("_", " ").capitalize())


def seats(score: Mapping[str, object]) -> tuple[int, int]:
    """Return the fewest and the most players that a draft says, as far as it makes sense."""
    said = table(score, "players").get("seats", [2, 4])
    if isinstance(said, list | tuple) and len(said) == 2 and all(isinstance(n, int) for n in said):
        low, high = (min(max(int(n), 1), MOST_SEATS) for n in said)
        return low, high
    return 2, 4


# ------------------------------------------------------------------------------------------------ sections


def count(text: str | None, most: int) -> int:
    """Return a number that was typed, at most so large; 0 for none."""
    typed = (text or "").strip()
    return min(int(typed), most) if typed.isascii() and typed.isdigit() and len(typed) < 6 else 0


def operand(text: str | None) -> int | str | None:
    """Return a number, or the name of something; None if nothing was typed."""
    typed = (text or "").strip()[:30].replace("−", "-")
    return int(typed) if _NUMBER.fullmatch(typed) else typed or None


def _whole(text: str | None) -> int | str:
    """Return a number, 0 for none; what is none stays as it was typed, and is told of."""
    return operand(text) or 0


def _each(text: str) -> list[int | str]:
    """Return the numbers of a list; what is none stays as it was typed, and is told of."""
    return [_whole(one) for one in re.split(r"[,;\s]+", text.strip())[:60] if one]


def _key(typed: str) -> str:
    """Return what files call a card, a rank or a suit."""
    return KEYS.get(typed.strip().lower(), typed.strip()[:30])


def _put(section: TomlTable, key: str, value: object, usual: object = None) -> None:
    """Put a value in, or leave the key out where it says what counts anyway."""
    if value in (None, "", [], {}) or value == usual:
        section.pop(key, None)
    else:
        section[key] = value


def _players(score: TomlTable, form: Form) -> None:
    players = table(score, "players")
    players["seats"] = [_whole(form.get("low")), _whole(form.get("high"))]
    _put(players, "partners", form.get("partners") == "yes", False)
    score["players"] = players
    _put(score, "words", clean_name(form.get("words", ""), 200))
    _put(score, "coach", clean_name(form.get("coach", ""), 150))


def _round(score: TomlTable, form: Form) -> None:
    chosen = form.get("play", plays(score))
    for name in ("tricks", "row", "dice"):
        if name == chosen:
            score[name] = table(score, name)
        else:
            score.pop(name, None)
    if chosen == "tricks":
        trump = form.get("trump", "")
        _put(score["tricks"], "trump", trump if trump in SUITS else "")
        _put(score["tricks"], "shown", "trump" if trump == "shown" else "")
        if "order" in form:
            order = [_key(one) for one in re.split(r"[,;\s]+", form["order"])[:60] if one]
            _put(score["tricks"], "order", order, ORDER)
            _put(score["tricks"], "follow", form.get("follow") == "yes", True)
    if chosen == "row":
        _put(score["row"], "dealt", _whole(form.get("dealt")), 0)
        if "adds" in form:
            _put(score["row"], "adds", form["adds"][:30])
    if chosen == "dice":
        _put(score["dice"], "count", _whole(form.get("dice")), 5)
        _put(score["dice"], "rolls", _whole(form.get("rolls")), 3)
    how = table(score, "round")
    numbers = _each(form.get("hand", ""))
    _put(how, "hand", numbers[0] if len(numbers) == 1 else numbers)
    _put(how, "ends", form.get("ends", "said"), "said")
    _put(how, "first", form.get("first", "left"), "left")
    _put(how, "card", form.get("card", "")[:8] if how.get("first") == "holder" else "")
    _put(how, "turn_ends", form.get("turn_ends", "")[:30])
    if "clock" in form:
        kind, seconds = form["clock"], operand(form.get("clock_seconds")) or 60
        _put(score, "clock", {"kind": kind, "seconds": seconds} if kind and kind in CLOCKS else {})
    _put(score, "round", how)


def _block(before: TomlTable, form: Form, at: str) -> TomlTable:
    """Return a block with what the form says of it; one that the form does not hold stays as it was."""
    block = dict(before)
    if f"{at}says" not in form:
        return block
    fields = ("whose", *CHANGES, *OPS.get(str(block.get("op")), ("", ()))[1])
    _put(block, "says", clean_name(form.get(f"{at}says", ""), 60))
    _put(block, "counts", form.get(f"{at}counts") == "yes", True)
    for key in fields:
        if key in ("whose", "by", "ties", "worth", "bid", "lay_off"):
            _put(block, key, form.get(f"{at}{key}", "")[:30], USUAL.get(key))
        elif key in ("cards", "of"):
            _put(block, key, [one[:30] for one in form.getlist(f"{at}{key}")[:60]])
        elif key == "like":
            _put(block, key, _like(table(block, key), form, at))
        elif key == "where":
            _put(block, key, _where(table(block, key), form, at))
        elif key == "exact":
            _put(block, key, form.get(f"{at}exact") == "yes", False)
        elif key == "points":
            _put(block, key, _each(form.get(f"{at}points", "")))
        else:
            _put(block, key, operand(form.get(f"{at}{key}")), USUAL.get(key))
    if form.get("play") == "dice":
        _put(block, "box", form.get(f"{at}box") == "yes", False)
    _put(block, "tells", clean_name(form.get(f"{at}tells", ""), 80))
    _put(block, "told", "any" if form.get(f"{at}told") == "yes" else "end", "end")
    _put(block, "when", _when(table(block, "when"), form, at))
    return block


def _where(before: TomlTable, form: Form, at: str) -> TomlTable:
    where = dict(before)
    _put(where, "suit", _one_or_all([suit for suit in SUITS if suit in form.getlist(f"{at}suit")]))
    _put(where, "rank", _one_or_all([rank for rank in RANKS if rank in form.getlist(f"{at}rank")]))
    return where


def _like(before: TomlTable, form: Form, at: str) -> TomlTable:
    """Return the zone in which the card lies that others have to be like, by trait; several stay as they were."""
    zone, trait = form.get(f"{at}like", "")[:30], form.get(f"{at}like_in", "suit")
    return before if len(before) > 1 else {trait: zone} if zone and trait in ("suit", "rank") else {}


def conditions(block: Mapping[str, object]) -> list[tuple[str, str, object]]:
    """List what has to hold for a block: what, compared how, with what; the last one is still to be filled in."""
    asked = table(block, "when")
    return [*((what, how, than) for what in asked for how, than in table(asked, what).items()), ("", "at_least", "")]


def _when(before: TomlTable, form: Form, at: str) -> TomlTable:
    """Return what has to hold."""
    found: dict[str, TomlTable] = {}
    for n in range(len(conditions({"when": before}))):
        what, how = form.get(f"{at}when.{n}", "")[:30], form.get(f"{at}how.{n}", "")
        value = operand(form.get(f"{at}than.{n}"))
        if what and how in HOWS:
            found.setdefault(what, {})[how] = 0 if value is None else value
    return found


def _one_or_all(values: list[str]) -> str | list[str]:
    return values[0] if len(values) == 1 else values


def _entry(before: TomlTable, form: Form, at: str) -> TomlTable:
    entry = dict(before)
    if f"{at}words" not in form:
        return entry
    entry["words"] = clean_name(form.get(f"{at}words", ""), 60) or str(entry.get("words", ""))
    for key, usual in (("low", 0), ("high", 1)):
        _put(entry, key, operand(form.get(f"{at}{key}")), usual)
    _put(entry, "due", form.get(f"{at}due", "any"), "any")
    _put(entry, "adds", form.get(f"{at}adds") == "yes", False)
    return entry


def _option(before: TomlTable, form: Form, at: str) -> TomlTable:
    option = dict(before)
    if f"{at}words" not in form:
        return option
    option["words"] = clean_name(form.get(f"{at}words", ""), 60) or str(option.get("words", ""))
    for key in ("default", "low", "high"):
        option[key] = _whole(form.get(f"{at}{key}"))
    return option


def _worths(score: TomlTable, form: Form) -> None:
    worth = table(score, "worth")
    for name in list(worth):
        line = form.get(f"worth.{name}")
        if line is not None:
            pairs = [re.split("[=:]", one, maxsplit=1) for one in re.split(r"[,;\n]", line)[:200] if one.strip()]
            worth[name] = {_key(key): operand("".join(value).strip() or "?") for key, *value in pairs}
    _put(score, "worth", worth)


def _match(score: TomlTable, form: Form) -> None:
    match = table(score, "match")
    kind = form.get("ends.by", "points")
    number = _whole(form.get("ends.at"))
    options = listed(score, "option")
    named = next((one for one in options if one.get("name") in (match.get("points"), match.get("rounds"))), None)
    match.pop("points", None)
    match.pop("rounds", None)
    if form.get("ends.free") == "yes":
        if named is None:
            named = {"name": _new("end", score), "words": t("Points that end the match"), "low": 1, "high": 1}
            options.append(named)
        if kind == "rounds" and named["words"] == "Points that end the match":
            named["words"] = t("Rounds")
        low, high = named.get("low"), named.get("high")
        named["default"] = number
        if isinstance(number, int):
            named["low"] = min(low, number) if isinstance(low, int) else 1
            named["high"] = max(high, number) if isinstance(high, int) and high > 1 else min(1000, max(1, 3 * number))
        match[kind] = named["name"]
    else:
        match[kind] = number
        if named is not None:
            options.remove(named)
    _put(score, "option", options)
    _put(match, "wins", form.get("wins", "high"), "high")
    _put(match, "ties", form.get("ties", "shared"), "shared")
    score["match"] = match


# --------------------------------------------------------------------------------------------------- what is tapped


def _new(stem: str, score: Mapping[str, object]) -> str:
    """Return a name that nothing in a score has yet."""
    taken = {one.get("name") for section in ("score", "entry", "option") for one in listed(score, section)}
    return next(name for n in range(1, 200) if (name := stem if n == 1 else f"{stem}_{n}") not in taken)


def _deed(score: TomlTable, do: str, form: Form) -> None:
    """Do what a button says: add a block, take one away, change its place."""
    what, _, number = do.partition(":")
    found, entries, options = blocks(score), listed(score, "entry"), listed(score, "option")
    n = count(number, 99)
    if what == "add" and form.get("op") in OPS and len(found) < 60:
        op = form["op"]
        found.append({"name": _new(op, score), "op": op})
    elif what in (gone := {"drop": found, "unask": entries, "unchoose": options}) and n < len(gone[what]):
        del gone[what][n]
    elif what in ("up", "down") and {n, other := n + (1 if what == "down" else -1)} <= {*range(len(found))}:
        found[other], found[n] = found[n], found[other]
    elif what == "ask" and len(entries) < 8:
        entries.append({"name": _new("said", score), "words": t("Points"), "low": 0, "high": 10})
    elif what == "choose" and len(options) < 8:
        options.append({"name": _new("option", score), "words": t("A number"), "default": 1, "low": 1, "high": 10})
    elif what == "worth":
        worth = table(score, "worth")
        worth[next(name for k in range(1, 30) if (name := f"worth_{k}") not in worth)] = {"11": 10, "12": 10, "13": 10}
        score["worth"] = worth
    _put(score, "score", found)
    _put(score, "entry", entries)
    _put(score, "option", options)
