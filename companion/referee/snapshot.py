"""What the referee publishes: one immutable picture of a match. Phones, the OLED and the log show it; nobody locks."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.eye.view import DieSeen, Trouble
from companion.referee.clock import Timer
from companion.referee.play_clock import PlayTimer
from companion.rules.cards import Piece
from companion.rules.kernel import TABLE, Event, Part, Ranking, Sale, Seat, Standing, View
from companion.rules.layout import Zone


class Violation(msgspec.Struct, frozen=True):
    """Something on the table that no legal action explains: in the same words on the wall, phones and the small screen.

    The `headline` says who (`who`; `TABLE` if nobody knows) did what, and whose turn it is (`due`); `reason` says why
    not, by which `rule`; `remedy` is the move that mends it, to which the snapshot's pointers lead. `kind` is
    "illegal", "inconsistent" or "unfinished"; `moves` says piece by piece what to put back; `nearest` is the closest
    legal action, in words, with `nearest_moves` still to make ("Did you mean …?"): it comes first then, and the
    pointers lead to it. `quiet`: without a sound, because people were interrupted less than a minute ago. Of several
    mistakes it explains the newest; `others` says how many more there are, whose `moves` come last.
    """

    kind: str
    rule: str
    reason: str
    remedy: str
    moves: tuple[str, ...] = ()
    nearest: str = ""
    nearest_moves: tuple[str, ...] = ()
    quiet: bool = False
    others: str = ""
    headline: str = ""
    who: Seat = TABLE
    due: tuple[Seat, ...] = ()


class Choice(msgspec.Struct, frozen=True):
    """One answer to a question."""

    key: str
    words: str


QuestionKind = Literal["which", "finished", "choice", "dice"]
"""Which of several explanations it was, whether the match is over, what a seat chooses, what the dice show."""


class Question(msgspec.Struct, frozen=True):
    """A question that needs one tap of one of the `seats` or the host: explanations differ, or a match would end."""

    id: str
    kind: QuestionKind
    words: str
    seats: tuple[Seat, ...]
    choices: tuple[Choice, ...]


class Box(msgspec.Struct, frozen=True):
    """A place on the mat: centre and size in mm, rotation in degrees clockwise."""

    x: float
    y: float
    w: float
    h: float
    rotation: float = 0.0


class Pointer(msgspec.Struct, frozen=True):
    """One thing to move, in `words`: from `source` (None: it isn't seen) to `target` (None: off the mat).

    `piece` is `companion.codes.BACK` for a card face down, "?" for an unread one. With neither words nor a target it
    only points at what is asked about; what goes where it lies has to be turned over.
    """

    words: str
    piece: Piece
    source: Box | None = None
    target: Box | None = None


How = Literal["lies", "differs", "covered", "due"]
"""How a piece is there."""


class Lying(msgspec.Struct, frozen=True):
    """A piece on the mat: its middle (mm), rotation (degrees clockwise) and zone ("" beside all).

    `piece` is `companion.codes.BACK` for a card face down, "?" for one that nobody has read. `how` it is there: it
    "lies" as expected, "differs", is "covered" by a hand (and drawn as it was), or is "due": it is missing. `order`
    tells pieces that look alike from each other, and nothing else.
    """

    piece: Piece
    x: float
    y: float
    rotation: float
    zone: Zone = ""
    how: How = "lies"
    order: int = 0


class OnTable(msgspec.Struct, frozen=True):
    """What lies on the table, from the bottom up; which zones something covers; the dice that are seen.

    `piles` are how many cards lie in a pile, as far as everybody knows it.
    """

    lying: tuple[Lying, ...] = ()
    covered: tuple[Zone, ...] = ()
    dice: tuple[DieSeen, ...] = ()
    piles: dict[Zone, int] = {}


class Lack(msgspec.Struct, frozen=True):
    """A place that still lacks something: its name in `words`, and which piece is to lie there ("": any)."""

    words: str
    zone: str
    piece: Piece = ""
    down: bool = False
    """Whether a card is to lie there face down."""


class Laying(msgspec.Struct, frozen=True):
    """How far setting up or upkeep is: so many of all pieces are `laid`, and what still lacks. Public, all of it."""

    laid: int
    of: int
    lacks: tuple[Lack, ...]


class Change(msgspec.Struct, frozen=True):
    """What a record visibly changed of what a seat has: `parts` by how much; open cards that `came` and are `gone`."""

    seat: Seat
    parts: tuple[Part, ...] = ()
    came: tuple[Piece, ...] = ()
    gone: tuple[Piece, ...] = ()


class LogLine(msgspec.Struct, frozen=True):
    """A record in words. `assumed` was inferred from the next seat's action; `undone` no longer counts.

    Only the newest lines have: whose `turn` it was, the `cards` that the words speak of, whether it is a `bid` or a
    pass, the `sale` that ended an auction, the `changes` of what the seats have, and the `events` to be shown large.
    """

    n: int
    at: str
    seat: Seat
    words: str
    by: str
    assumed: bool = False
    undone: bool = False
    laid: tuple[Piece, ...] = ()
    """Pieces that the action named and that lay nowhere on the table before: they came out of a hand."""
    turn: Seat = TABLE
    cards: tuple[Piece, ...] = ()
    bid: bool = False
    sale: Sale | None = None
    changes: tuple[Change, ...] = ()
    events: tuple[Event, ...] = ()


class Hint(msgspec.Struct, frozen=True):
    """What the host wants a seat, or everybody (0), to think of."""

    seat: Seat
    words: str


class Throw(msgspec.Struct, frozen=True):
    """Dice that were rolled: by the companion (`secret` and `salts` prove it) or at the table, and entered.

    `kept`: these are the dice of an earlier roll that was undone and counts again (C4).
    """

    n: int
    seat: Seat
    sides: int
    values: tuple[int, ...]
    words: str
    by: str
    secret: str = ""
    salts: tuple[tuple[Seat, str], ...] = ()
    kept: bool = False
    undone: bool = False


class Dice(msgspec.Struct, frozen=True):
    """What can be told of the dice (C6): the commitment to the next roll, who threw something in, all throws so far."""

    commitment: str = ""
    stirred: tuple[Seat, ...] = ()
    throws: tuple[Throw, ...] = ()


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """A match at one moment; its sentences carry names.

    `version` grows with every change; `phase` is "setting-up", "playing", "restoring" or "over"; `views[0]` is public,
    `views[s]` seat s's. `sentence` is the referee's last one. `provisional` are actions understood but not journaled
    yet; `owed` the table moves already demanded; `pointers` say where on the mat what is wrong, asked about or owed
    lies. `timer` is the clock of a decision (C5). `frozen`: the host has stopped the match for a moment.
    """

    match: str
    version: int
    game: str
    title: str
    code: str = ""
    """The two letters with which the codes of this game's cards begin."""
    seats: int
    names: dict[Seat, str]
    colours: dict[Seat, str] = {}
    coloured: bool = False
    """Whether the game's pieces give the seats their colours, so that nobody chooses one."""
    mode: str
    phase: str
    turn: Seat = TABLE
    """Whose turn it is, whoever has to do something in it; `TABLE` where there are no turns."""
    record: int
    can_redo: bool = False
    views: tuple[View, ...]
    standing: Standing
    ranking: Ranking = Ranking()
    led: tuple[int, ...] = ()
    """Seat by seat after how many records it led alone, once the match is over (`companion.referee.course.reign`)."""
    sentence: str = ""
    provisional: tuple[str, ...] = ()
    ends: bool = False
    """Whether what is provisional is whole, so that saying that the turn is over has it journaled."""
    owed: tuple[str, ...] = ()
    pointers: tuple[Pointer, ...] = ()
    on_table: OnTable = OnTable()
    """What lies on the table: the same for everybody, as everybody sees the table."""
    laying: Laying | None = None
    mat: tuple[float, float] = (0.0, 0.0)
    """Width and height of the mat (mm); 0 where there is none."""
    violation: Violation | None = None
    question: Question | None = None
    troubles: tuple[Trouble, ...] = ()
    log: tuple[LogLine, ...] = ()
    timer: Timer | None = None
    play_timer: PlayTimer | None = None
    dice: Dice = Dice()
    frozen: bool = False
    hint: Hint | None = None
