"""`score.toml`: how a game is played and counted; no code, each block names one operator of a closed list (`Op`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Final, Literal, get_args

import msgspec
from msgspec import Meta

from companion.rules.kernel import FEWEST_SECONDS, MOST_SECONDS, Ranking
from companion.untyped import Json, JsonObject, TomlTable, read_toml

Name = Annotated[str, Meta(pattern="^[a-z][a-z0-9_]{0,29}$")]
Words = Annotated[str, Meta(min_length=1, max_length=200)]
Count = Annotated[int, Meta(ge=0, le=1000)]
MOST_POINTS = 1000
Points = Annotated[int, Meta(ge=-MOST_POINTS, le=MOST_POINTS)]
Number = Points | Name
"""A number, or the name of an option that holds it."""
Operand = Points | Name
"""A number, or the name of an option, an entry or a block."""
Traits = dict[str, str | tuple[str, ...]]

Op = Literal[
    "count",
    "sum",
    "pairs",
    "runs",
    "sets",
    "group",
    "whole",
    "subsets",
    "melds",
    "best",
    "columns",
    "majority",
    "add",
    "others",
    "tricks",
    "last",
    "sweeps",
    "bid",
    "carry",
    "place",
    "entered",
]
OPERATORS: Final[dict[Op, tuple[str, tuple[str, ...]]]] = {
    "count": ("how many cards there are", ("cards",)),
    "sum": ("what they are worth", ("cards", "worth")),
    "pairs": ("pairs of cards alike", ("cards", "by")),
    "runs": ("cards in rows of at least `least` ranks, each way", ("cards", "least")),
    "sets": ("how large the largest group alike is; `sum`: its worth", ("cards", "by", "least", "sum", "worth")),
    "group": ("the most that a group of cards alike is worth", ("cards", "by", "worth")),
    "whole": ("how often all `parts` of a meld are there, alike in `by`", ("cards", "by", "parts")),
    "subsets": ("the ways to add up `to`", ("cards", "to", "worth")),
    "melds": ("what is left outside the best sets and runs", ("cards", "least", "lay_off", "held", "worth")),
    "best": ("the best card of each group, if there are `least` groups", ("cards", "by", "least", "worth")),
    "columns": ("a grid; columns alike count nothing", ("cards", "by", "width", "worth")),
    "majority": ("1 for who has the most", ("of", "ties")),
    "add": ("blocks together", ("of",)),
    "others": ("what the others have", ("of",)),
    "tricks": ("tricks taken", ()),
    "last": ("1 for who took the last trick", ()),
    "sweeps": ("how often the row was cleared", ()),
    "bid": (
        "`bonus`, `each` a trick bid and `over` a trick more if it was made (`exact`: by just so many); else `lost`, "
        "and `missed` a trick bid",
        ("of", "bid"),
    ),
    "carry": ("every so many, over all rounds", ("of", "every")),
    "place": ("`points` in the order of going out", ("points",)),
    "entered": ("what was typed", ("of",)),
}
"""What a block counts, and the keys that it takes for that."""


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a score file; a key that it doesn't have is an error."""


class Players(Part, frozen=True):
    """Who plays: from so many seats to so many; `partners` sit opposite each other and score together."""

    seats: tuple[Annotated[int, Meta(ge=1, le=6)], Annotated[int, Meta(ge=1, le=6)]]
    partners: bool = False


class Round(Part, frozen=True):
    """How a round goes.

    `hand` is how many cards a hand has, a list from round to round; without it nobody counts. `first` begins: the seat
    at the dealer's left, the dealer, whoever holds `card`, or who won the last round. It `ends` when hands are played,
    somebody says so, all but one are out, or every box is filled. A card on the pile `turn_ends` ends a turn.
    """

    hand: Annotated[int, Meta(ge=1, le=60)] | tuple[Annotated[int, Meta(ge=1, le=60)], ...] | None = None
    first: Literal["left", "dealer", "holder", "winner"] = "left"
    card: str = ""
    ends: Literal["hands", "said", "out", "boxes"] = "said"
    turn_ends: str = ""


class Tricks(Part, frozen=True):
    """Tricks: one card a seat, in turn, into `zone`; `order` is of the ranks, from the lowest.

    `trump` is a suit, or that of the first card in the zone `shown`. The cards that a seat takes count in its zone
    `to`, wherever they are put. Where everybody `draws` a card after each trick, its winner first, the round has as
    many tricks as the deck gives everybody cards; `follow = "late"`: suit is followed once the talon is empty, or
    somebody has said the entry that `closes` it; if `late`, only tricks taken then are counted. Who must `beat` lays a
    higher card, or a trump, if able.
    """

    zone: str = "play"
    to: str = "taken"
    order: tuple[str, ...] = (*map(str, range(2, 14)), "1")
    trump: str = ""
    shown: str = ""
    follow: bool | Literal["late"] = True
    beat: bool = False
    draws: bool = False
    late: bool = False
    closes: str = ""


class Row(Part, frozen=True):
    """A row from which cards are taken: a card is laid in `zone`, and who laid it takes cards to `to`."""

    zone: str = "row"
    to: str = "taken"
    dealt: Count = 0
    """The cards that lie there when the round begins."""
    adds: str = ""
    """The table of worths by which cards that are taken come to the card that was laid; without it nobody checks."""
    several: bool = False
    """Whether several cards or groups, each of which comes to the card that was laid, are taken at once."""
    alike: tuple[str, ...] = ()
    """The ranks that take and are taken by nothing but their own rank."""


class Dice(Part, frozen=True):
    """Dice, rolled so many times a turn at most, some of them kept."""

    count: Annotated[int, Meta(ge=1, le=8)] = 5
    sides: Annotated[int, Meta(ge=2, le=20)] = 6
    rolls: Annotated[int, Meta(ge=1, le=5)] = 3


class Clock(Part, frozen=True):
    """A clock that is played against, and decides nothing: a "turn" timer, a "chess" clock, or a sand "glass"."""

    kind: Literal["turn", "chess", "glass"]
    seconds: Annotated[int, Meta(ge=FEWEST_SECONDS, le=MOST_SECONDS)]


class Entry(Part, frozen=True):
    """Something that is typed on a phone: a number from `low` to `high`.

    `due` is "before" where every seat says it in turn before a card is played, as a bid, and "end" where the round is
    not over until all have typed it; `adds` where it is added up; `alone` where one seat says it in a round. `names`
    are what the numbers are called, from `low` on. A bid is no higher than the hand; if `uneven` is not 0, the last
    bid may not make them come to all the tricks.
    """

    name: Name
    words: Words
    low: Points = 0
    high: Points = 1
    due: Literal["any", "before", "end"] = "any"
    names: Annotated[tuple[Annotated[str, Meta(max_length=40)], ...], Meta(max_length=20)] = ()
    adds: bool = False
    alone: bool = False
    uneven: Number = 0


class Option(Part, frozen=True):
    """A number that the host may choose before a match."""

    name: Name
    words: Words
    default: Points
    low: Points
    high: Points


class When(Part, frozen=True):
    """What has to hold for another block, an entry or an option."""

    equals: Operand | None = None
    at_least: Operand | None = None
    at_most: Operand | None = None
    more_than: Operand | None = None
    less_than: Operand | None = None


class Block(Part, frozen=True):
    """One block of a score. Its value is the operator's, less `minus`, at least, at most, times; or what it `gives`.

    `cards` are zones, `of` other blocks, `by` a trait, `worth` a table of worths. Of the cards only those count that
    are `where` a trait has a value, and are `like` the card in a zone in a trait. It is 0 if what `when` says fails.
    `whose` block it is: each seat's, each side's, the dealer's, or that of all seats together. A block with `counts =
    false` is there for others to build on. A `box` takes dice once a seat and round. What a block `tells` is shown of
    those for whom it is not 0: when the round ("end") is over, or at once ("any"). For whom a block is less than it
    `needs`, not all has been seen, and whatever builds on it counts nothing. `at_once`: it counts as soon as it is
    shown.
    """

    name: Name
    op: Op
    says: Annotated[str, Meta(max_length=40)] = ""
    whose: Literal["seat", "side", "dealer", "all"] = "seat"
    counts: bool = True
    tells: Annotated[str, Meta(max_length=80)] = ""
    means: Annotated[str, Meta(max_length=120)] = ""
    """What it is for in words, where no operator says it: "who takes all of these has nothing"."""
    told: Literal["end", "any"] = "end"
    box: bool = False
    needs: Number | None = None
    once: tuple[Name, ...] = ()
    """Blocks with `needs` that have to be met before this one counts."""
    at_once: bool = False
    cards: tuple[str, ...] = ()
    of: tuple[Name, ...] = ()
    by: str = "rank"
    worth: str = ""
    where: Traits = {}
    like: dict[str, str] = {}
    when: dict[str, When] = {}
    minus: Number = 0
    at_least: Number | None = None
    at_most: Number | None = None
    times: Number = 1
    gives: Number | None = None
    least: Annotated[int, Meta(ge=1, le=20)] = 1
    """The shortest run, the smallest set, or the fewest groups that count."""
    parts: Annotated[tuple[Traits, ...], Meta(max_length=12)] = ()
    """The cards of a meld, each by its traits; those of one meld are alike in the trait `by`."""
    to: Points = 0
    """What subsets add up to."""
    width: Annotated[int, Meta(ge=1, le=10)] = 3
    """The columns of a grid."""
    sum: bool = False
    """Of a set not its size counts, but the worth of its first `least` cards."""
    ties: Literal["nobody", "all"] = "nobody"
    """Who has the majority if several have the most."""
    lay_off: str = ""
    """The block or entry that marks the hand on which the others may lay off."""
    held: Annotated[int, Meta(ge=0, le=60)] = 0
    """The cards of a hand: what lies in its zone beyond them others have laid off; 0 if all is its own."""
    bid: str = ""
    """The entry that a bid is."""
    exact: bool = False
    """Whether a bid is made only by exactly so many."""
    bonus: Number = 0
    """What a bid that was made earns."""
    each: Number = 0
    """What each of a bid that was made earns."""
    over: Number = 0
    """What each beyond a bid earns."""
    missed: Number = 0
    """What each of a bid that was missed earns."""
    lost: Number = 0
    """What a bid that was missed earns."""
    every: Annotated[int, Meta(ge=1, le=1000)] = 10
    """Of how many carried over the value is counted once."""
    points: tuple[Points, ...] = ()
    """What who is out first, second, … gets; all others nothing."""


class MatchEnd(Part, frozen=True):
    """How the match ends: after so many rounds, or at so many points; who wins, and what of ties.

    `ties = "on"`: another round is played. `at_once`: it ends as soon as somebody has the points.
    """

    wins: Literal["high", "low"] = "high"
    rounds: Number | None = None
    points: Number | None = None
    ties: Literal["shared", "on"] = "shared"
    at_once: bool = False


class Score(Part, frozen=True):
    """A score file."""

    title: Annotated[str, Meta(min_length=1, max_length=40)]
    players: Players
    match: MatchEnd
    words: Annotated[str, Meta(max_length=300)] = ""
    round: Round = Round()
    tricks: Tricks | None = None
    row: Row | None = None
    dice: Dice | None = None
    clock: Clock | None = None
    entry: Annotated[tuple[Entry, ...], Meta(max_length=8)] = ()
    option: Annotated[tuple[Option, ...], Meta(max_length=8)] = ()
    worth: dict[str, dict[str, Points]] = {}
    score: Annotated[tuple[Block, ...], Meta(max_length=60)] = ()
    coach: Annotated[str, Meta(max_length=150)] = ""

    @property
    def ranking(self) -> Ranking:
        return Ranking(self.match.wins == "low", "partners" if self.players.partners else "each")


PARTS: Final[dict[str, type[Part]]] = {
    "players": Players,
    "round": Round,
    "tricks": Tricks,
    "row": Row,
    "dice": Dice,
    "clock": Clock,
    "entry": Entry,
    "option": Option,
    "score": Block,
    "match": MatchEnd,
}
"""The parts of a score file by the names of their sections."""


class Problem(msgspec.Struct, frozen=True):
    """Something wrong with a score file: line, words, remedy; `kind` and `about` (names, numbers) are for programs."""

    line: int
    words: str
    remedy: str
    kind: str = ""
    about: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"line {self.line}: {self.words}. {self.remedy}"


class ScoreError(ValueError):
    """A score file that does not fit; carries every problem that was found."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("; ".join(map(str, problems)))
        self.problems = problems


LONGEST = 20_000
"""Letters of a score file: twenty times what a long one has."""


def schema() -> bytes:
    """Return the JSON Schema of score files, for editors."""
    definition: JsonObject = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "score.toml"}
    definition |= msgspec.json.schema(Score)
    return msgspec.json.format(msgspec.json.encode(definition), indent=2) + b"\n"


def read(text: str) -> Score:
    """Read a score file; ScoreError if it is no TOML, or an entry has the wrong form. `checking` looks at its names."""
    if len(text) > LONGEST:
        raise ScoreError((Problem(1, f"the file has more than {LONGEST} letters", "Shorten it.", "long"),))
    try:
        contents = read_toml(text)
    except ValueError as error:
        found = re.search(r"at line (\d+)", str(error))
        line = int(found.group(1)) if found else len(text.splitlines()) or 1
        words = f"this is not proper TOML: {str(error).partition(' (at')[0]}"
        raise ScoreError((Problem(line, words, "Write it as the lines around it."),)) from None
    if unread := tuple(_unread(text, contents)):
        raise ScoreError(unread)
    try:
        return msgspec.convert(contents, Score)
    except msgspec.ValidationError as error:
        raise ScoreError((_misfit(text, contents, str(error)),)) from None


def _unread(text: str, contents: TomlTable) -> Iterator[Problem]:
    tables = contents.get("worth")
    for name, table in tables.items() if isinstance(tables, dict) else ():
        for key, value in table.items() if isinstance(table, dict) else ():
            if type(value) is not int or abs(value) > MOST_POINTS:
                words = f"in {name} {key!r} is worth {value!r}, and that is no whole number up to {MOST_POINTS}"
                yield Problem(line_of(text, "worth", name), words, "Write 11 = 10.", "unread", (key, f"{value}"))


def _misfit(text: str, contents: object, message: str) -> Problem:
    """Return the problem of a validation error, with the line of its path: "… - at `$.score[2].op`"."""
    words, _, place = message.partition(" - at ")
    path: list[str | int] = [
        int(n) if n else key for key, n in re.findall(r"\.?([A-Za-z_]\w*|\.\.\.)|\[(\d+)\]", place)
    ]
    unknown = re.search(r"unknown field `([^`]*)`", words)
    if unknown:
        path.append(unknown.group(1))
    expected = _expected(words, path)
    remedy = f"Write {expected}." if expected else "See docs/any-game.md for what may stand there."
    given = _at(contents, path)
    shown = "" if given is None or isinstance(given, dict | list) else f" ({str(given)[:40]!r})"
    where = ".".join(str(part) for part in path if isinstance(part, str)) or "the file"
    said, key = f"{where}{shown}: {words[:1].lower()}{words[1:]}", where.rpartition(".")[2]
    bound = re.match(r"Expected `int` ([<>]=) (-?\d+)", words)
    if bound and given is not None:
        about = (key, str(given)[:40], bound.group(2))
        return Problem(line_of(text, *path), said, remedy, "large" if bound.group(1) == "<=" else "small", about)
    return Problem(line_of(text, *path), said, remedy, "kind", (key,))


_FORMS = {
    "int": "a whole number",
    "str": "words in quotation marks",
    "array": "a list in brackets",
    "bool": "true or false",
}


def _expected(words: str, path: list[str | int]) -> str:
    if path and path[-1] == "op":
        return "one of " + ", ".join(get_args(Op))
    missing = re.search(r"missing required field `([^`]*)`", words)
    if missing:
        return f"a line “{missing.group(1)} = …” there"
    unknown = re.search(r"unknown field `([^`]*)`", words)
    kind = _kind(path)
    if unknown and kind is not None:
        return "one of " + ", ".join(sorted(kind.__struct_fields__)) + " instead"
    bound = re.match(r"Expected `int` ([<>]=) (-?\d+)", words)
    if bound:
        return f"{bound.group(2)} {'at most' if bound.group(1) == '<=' else 'at least'}"
    wanted = re.match(r"Expected `([^`]*)`", words)
    return _FORMS.get(wanted.group(1), "") if wanted else ""


def _kind(path: list[str | int]) -> type[msgspec.Struct] | None:
    if len(path) == 1:
        return Score
    if "when" in path:
        return When
    return PARTS.get(str(path[0])) if path else None


def _at(contents: Json, path: list[str | int]) -> Json:
    for part in path:
        try:
            contents = contents[part]
        except (KeyError, IndexError, TypeError):
            return None
    return contents


def line_of(text: str, *path: str | int) -> int:
    """Return the line of an entry of a file, or that on which its section begins: ("score", 2, "op").

    A section is a table ([round], [[score]]), or stands in its line (round = { … }), lists with one entry a line.
    """
    keys = [part for part in path if isinstance(part, str)]
    wanted = next((part for part in path if isinstance(part, int)), 0)
    if not keys:
        return 1
    lines = text.splitlines()
    found, begins, ends = 1, 0, len(lines)
    entry = -1
    for n, line in enumerate(lines, 1):
        head = re.match(r"\s*\[\[?\s*([\w.-]+)\s*\]\]?\s*(#|$)", line)
        if head:
            if begins:
                ends = n - 1
                break
            named = head.group(1) == keys[0] or head.group(1) == ".".join(keys[:2])
            entry += named
            if named and (not line.lstrip().startswith("[[") or entry == wanted):
                found = begins = n
        elif not begins and re.match(rf"{re.escape(keys[0])}\s*=", line):
            return _in_list(lines, n, wanted) if line.rstrip().endswith("[") else n
    for n in range(begins + 1, ends + 1 if begins and len(keys) > 1 else 0):
        if re.match(rf"\s*(\"?){re.escape(keys[1])}\1\s*[=.]", lines[n - 1]):
            return n
    return found


def _in_list(lines: list[str], begins: int, wanted: int) -> int:
    entries = [n for n, line in enumerate(lines[begins:], begins + 1) if re.match(r"\s*\{", line)]
    return entries[wanted] if wanted < len(entries) else begins
