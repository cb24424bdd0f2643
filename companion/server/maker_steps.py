"""The conversation in which a game is made: what is asked of each kind of game, screen by screen, and what is answered.

A screen has fields; what a field is called in `companion.server.maker_answers` is its name in the page's form, too.
"""

from __future__ import annotations

from typing import NamedTuple

from werkzeug.datastructures import MultiDict

from companion.server.maker_answers import Answers, holds
from companion.server.maker_features import JOKER, RANKS, SUITS
from companion.server.maker_tables import MOST_SEATS
from companion.text import t

Form = MultiDict[str, str]
SPECIALS = 4
"""How many certain cards can be named."""


class Choice(NamedTuple):
    """One of several answers: its value, its words, and cards that show it ("12:spades"; "*" is any rank or suit)."""

    value: str
    words: str
    cards: tuple[str, ...] = ()


class Field(NamedTuple):
    """What is filled in: "one" or "many" of its choices, a "number" from `low` to `high`, "numbers", a "card"…

    `only` are answers of which one has to be given for it to mean anything: "bid:least bid:exact".
    """

    name: str
    words: str
    form: str = "number"
    choices: tuple[Choice, ...] = ()
    low: int = 0
    high: int = 1000
    only: str = ""


class Step(NamedTuple):
    """A screen: a question, a word on it, its fields, and the answers with which it comes ("draws:": none given)."""

    name: str
    words: str
    fields: tuple[Field, ...]
    why: str = ""
    only: str = ""


def _one(name: str, words: str, /, *choices: tuple[str, ...], only: str = "", form: str = "one") -> Field:
    """Return a field of which one choice is ticked, or several: their values, their words, cards that show them."""
    return Field(name, words, form, tuple(Choice(one[0], one[1], one[2:]) for one in choices), only=only)


def _many(name: str, words: str, /, *choices: tuple[str, ...], only: str = "") -> Field:
    return _one(name, words, *choices, only=only, form="many")


def _yes(name: str, words: str, /, *cards: str, only: str = "") -> Field:
    return _many(name, words, ("yes", words, *cards), only=only)


KINDS = (
    Choice("tricks", t("Tricks: everybody lays a card, the highest takes them"), ("7:clubs", "10:clubs", "1:clubs")),
    Choice("melds", t("Melds: sets and runs from a hand"), ("5:hearts", "6:hearts", "7:hearts")),
    Choice("row", t("Cards are taken from a row in the middle"), ("3:spades", "4:diamonds", "7:diamonds")),
    Choice("laid", t("Points for cards that lie before everybody"), ("8:hearts", "7:clubs", "7:spades")),
    Choice("climb", t("Higher and higher: who is out first"), ("9:clubs", "9:hearts", "11:spades")),
    Choice("dice", t("Dice, and boxes to fill"), ("die 3", "die 3", "die 5")),
)
"""The kinds of games."""

_SUITS = tuple((suit, words, f"1:{suit}") for suit, words in SUITS.items())
_WHO = (Field("low", t("Players: from"), low=1, high=MOST_SEATS), Field("high", t("to"), low=1, high=MOST_SEATS))
_FIRST = _one(
    "first",
    t("Who begins a round?"),
    ("left", t("Who sits left of the dealer")),
    ("dealer", t("The dealer")),
    ("winner", t("Who won the round before")),
    ("holder", t("Who holds this card:")),
)
_VALUES = Field("values", t("Points"), "ranks", low=-100, high=500)
_SPECIAL = Field("special", t("Cards that are won, and their points"), "special", low=-500, high=500)
_DECK = Step(
    "deck",
    t("Which cards?"),
    (
        _one(
            "deck",
            t("Cards of a pack"),
            ("52", t("All 52, from the two to the ace"), "2:clubs", "1:clubs"),
            ("40", t("40: without eights, nines and tens"), "7:diamonds", "11:diamonds"),
            ("36", t("36: from the six to the ace"), "6:hearts", "1:hearts"),
            ("32", t("32: from the seven to the ace"), "7:spades", "1:spades"),
            ("24", t("24: from the nine to the ace"), "9:clubs", "1:clubs"),
            ("20", t("20: from the ten to the ace"), "10:hearts", "1:hearts"),
        ),
        Field("packs", t("Packs"), low=1, high=2),
        Field("jokers", t("Jokers of a pack"), high=2),
    ),
)
_END = Step(
    "end",
    t("How does the match end?"),
    (
        _one(
            "by", t("It ends"), ("points", t("when somebody has so many points")), ("rounds", t("after so many rounds"))
        ),
        Field("end", t("How many"), low=1),
        _yes("free", t("The host may choose another number before a match")),
        _one("wins", t("Who wins?"), ("high", t("who has the most points")), ("low", t("who has the fewest points"))),
        _many(
            "ties",
            t("Beside that"),
            ("on", t("If several have won, another round is played")),
            ("at_once", t("It ends at once, in the middle of a round")),
        ),
    ),
)
_PAIRS = _yes("pairs", t("Four play in pairs: partners sit opposite each other, and score together"))
_DEAL = Step(
    "deal",
    t("What is dealt, and who begins?"),
    (
        Field("hand", t("Cards in a hand"), "numbers"),
        _FIRST,
        Field("card", t("The card whose holder begins"), "card", only="first:holder"),
    ),
    t("Several numbers, as 7, 6, 5: from round to round."),
)
_DRAWS = _yes("draws", t("After each trick everybody draws a card, its winner first"))
_LATE = _yes("late", t("Only tricks after the last card was drawn count"), only="draws:yes")
STEPS: dict[str, tuple[Step, ...]] = {
    "tricks": (
        Step("who", t("Who plays?"), (*_WHO, _PAIRS)),
        _DECK,
        _DEAL._replace(fields=(*_DEAL.fields, _DRAWS, _LATE)),
        Step(
            "take",
            t("Which card takes the trick?"),
            (
                _one(
                    "order",
                    t("Highest first"),
                    ("ace", t("Ace, king, queen, jack, ten"), "1:clubs", "13:clubs", "12:clubs"),
                    ("ten", t("Ace, ten, king, queen, jack"), "1:clubs", "10:clubs", "13:clubs"),
                    ("three", t("Ace, three, king, queen, jack"), "1:clubs", "3:clubs", "13:clubs"),
                    ("king", t("King, queen, jack; the ace is the lowest"), "13:clubs", "12:clubs"),
                ),
                _one(
                    "trump", t("Trumps"), ("", t("none")), *_SUITS, ("shown", t("the suit of a card that is turned up"))
                ),
                _one(
                    "follow",
                    t("Following suit"),
                    ("yes", t("Follow suit if you can")),
                    ("late", t("Follow suit once there is no card left to draw")),
                    ("no", t("Lay any card")),
                ),
                _yes("beat", t("Who follows suit lays a higher card if able; who can't lays a trump")),
            ),
        ),
        Step(
            "bid",
            t("Do players bid how many tricks they take?"),
            (
                _one(
                    "bid",
                    t("The bid"),
                    ("", t("Nobody bids")),
                    ("least", t("Yes: take at least so many")),
                    ("exact", t("Yes: take exactly so many")),
                ),
                Field("bonus", t("Made: points"), low=-500, only="bid:least bid:exact"),
                Field("each", t("Made: points for each trick bid"), low=-500, only="bid:least bid:exact"),
                Field("lost", t("Missed: points"), low=-500, only="bid:least bid:exact"),
                Field("missed", t("Missed: points for each trick bid"), low=-500, only="bid:least bid:exact"),
                Field("over", t("Points for each trick more"), low=-500, only="bid:least"),
                _many(
                    "more",
                    t("Beside that"),
                    ("bags", t("Every ten tricks too many cost 100")),
                    ("nil", t("Who bids none, and takes none, has 100; who takes one loses 100")),
                    only="bid:least",
                ),
            ),
            only="draws:",
        ),
        Step(
            "counts",
            t("What counts, beside a bid if there is one?"),
            (
                _many(
                    "counts",
                    t("Points are for"),
                    ("odd", t("the number of tricks")),
                    ("cards", t("the cards in them, each by its rank"), "1:hearts", "10:hearts"),
                    ("most", t("who has the most of such card points: one point"), "1:clubs", "3:clubs"),
                    ("last", t("the last trick")),
                    ("melds", t("melds that are shown"), "12:spades", "13:spades"),
                ),
                Field("trick", t("Points for a trick"), low=-100, only="counts:odd"),
                Field(
                    "beyond", t("Of each player's or pair's tricks, so many count nothing"), high=60, only="counts:odd"
                ),
                Field("last", t("Points for the last trick"), low=-100, only="counts:last"),
            ),
        ),
        Step("worth", t("What is each card worth?"), (_VALUES,), only="counts:cards counts:most"),
        Step(
            "melds",
            t("Which melds count when they are shown?"),
            (
                _many(
                    "melds",
                    t("Points are for"),
                    ("marriage", t("a king and queen of a suit, 20; of trumps, 40"), "13:hearts", "12:hearts"),
                    ("sequence", t("ace, ten, king, queen and jack of trumps"), "1:clubs", "10:clubs", "13:clubs"),
                    ("low", t("the lowest trump, 10")),
                    ("pinochle", t("the queen of spades with the jack of diamonds, 40"), "12:spades", "11:diamonds"),
                    ("four", t("four of a rank and each suit: aces 100, kings 80, queens 60, jacks 40"), "1:clubs"),
                ),
                Field("sequence", t("Points for ace to jack of trumps"), only="melds:sequence"),
            ),
            t("A meld lies before its player, and its cards are played from there."),
            only="counts:melds",
        ),
        Step(
            "special",
            t("Do certain cards count?"),
            (
                _SPECIAL,
                _yes("moon", t("Who takes all of these has nothing, and the others have their points"), "13:hearts"),
            ),
        ),
        _END,
    ),
    "melds": (
        Step("who", t("Who plays?"), (*_WHO, _PAIRS)),
        _DECK,
        _DEAL,
        Step(
            "left",
            t("How does a round end?"),
            (
                _one(
                    "left",
                    t("The end"),
                    ("knock", t("Somebody knocks: who has less left over has what the other has more")),
                    ("minus", t("Somebody goes out: melds count, what is left in hands counts against them")),
                    ("hand", t("Somebody goes out: what is left in a hand counts, and nothing else")),
                    ("suit", t("Somebody knocks: who has most in one suit has a chip of everybody")),
                ),
                Field("most_left", t("Who knocks has at most this left over"), high=100, only="left:knock"),
                _yes("out", t("Who goes out has points for it"), only="left:minus"),
                Field("bonus", t("Points for going out with nothing left"), low=-500, only="left:knock out:yes"),
            ),
        ),
        Step("worth", t("What is each card worth?"), (_VALUES,), only="left:knock left:minus left:suit"),
        _END,
    ),
    "row": (
        Step("who", t("Who plays?"), (*_WHO,)),
        _DECK,
        Step(
            "row",
            t("How are cards taken?"),
            (
                Field("dealt", t("Cards that lie in the row at first"), high=60),
                Field("hand", t("Cards in a hand"), "numbers"),
                _yes(
                    "adds", t("What is taken comes to the card that was laid"), "3:spades", "4:diamonds", "7:diamonds"
                ),
                _yes("several", t("A card takes all cards, and groups of them, that come to it"), only="adds:yes"),
                _yes("alike", t("Jack, queen and king take their own rank alone"), "12:clubs", "12:hearts"),
            ),
        ),
        Step("worth", t("What is each card worth?"), (_VALUES,), only="adds:yes"),
        Step(
            "counts",
            t("What counts?"),
            (
                _many(
                    "counts",
                    t("Points are for"),
                    ("cards", t("who has the most cards")),
                    ("suit", t("who has the most cards of a suit")),
                    ("prime", t("the best card of each suit, as in a primiera"), "7:hearts", "7:spades"),
                    ("sweeps", t("taking all that lies in the row")),
                ),
                Field("cards", t("Points for the most cards"), low=-100, only="counts:cards"),
                _one("suit", t("The suit"), *_SUITS, only="counts:suit"),
                Field("gold", t("Points for the most of the suit"), low=-100, only="counts:suit"),
                Field("prime", t("Points for the best of each suit"), low=-100, only="counts:prime"),
                Field("sweeps", t("Points for a sweep"), low=-100, only="counts:sweeps"),
            ),
        ),
        Step("special", t("Do certain cards count?"), (_SPECIAL,)),
        _END,
    ),
    "laid": (
        Step("who", t("Who plays?"), (*_WHO,)),
        _DECK,
        Step(
            "lie",
            t("How do the cards lie?"),
            (
                _one(
                    "lie",
                    t("Everybody's cards"),
                    ("show", t("A hand, shown at the end of a round"), "4:clubs", "5:hearts", "6:spades"),
                    ("grid", t("Two rows of three; two alike in a column count nothing"), "1:clubs", "1:diamonds"),
                ),
                Field("hand", t("Cards in a hand"), "numbers", only="lie:show"),
                _yes("starter", t("A card that is turned up counts for all hands"), "5:diamonds", only="lie:show"),
                _yes("crib", t("The dealer has a second hand, the crib"), only="lie:show"),
                _yes("pegs", t("Points are pegged in the play, and typed"), only="lie:show"),
            ),
        ),
        Step(
            "counts",
            t("What counts in a hand?"),
            (
                _many(
                    "counts",
                    t("Points are for"),
                    ("sum", t("what the cards are worth together"), "10:hearts", "5:clubs"),
                    ("fifteens", t("each way to make a number"), "7:hearts", "8:clubs"),
                    ("pairs", t("pairs"), "8:hearts", "8:clubs"),
                    ("runs", t("three or more in a row, a point each"), "4:clubs", "5:hearts", "6:spades"),
                    ("flush", t("a hand of one suit, a point each"), "11:hearts", "12:hearts", "13:hearts"),
                    ("nobs", t("the jack of the turned-up suit, 1; a jack turned up, 2"), "11:diamonds"),
                ),
                Field("to", t("The number to make"), high=100, only="counts:fifteens"),
                Field("way", t("Points for each way"), low=-100, only="counts:fifteens"),
                Field("pair", t("Points for a pair"), low=-100, only="counts:pairs"),
            ),
            only="lie:show",
        ),
        Step("worth", t("What is each card worth?"), (_VALUES,), only="lie:grid counts:fifteens counts:sum"),
        _END,
    ),
    "climb": (
        Step("who", t("Who plays?"), (*_WHO,)),
        _DECK,
        Step(
            "points",
            t("What is it worth to be out early?"),
            (
                _one(
                    "early",
                    t("Points are for"),
                    ("out", t("who is out first, second, and so on")),
                    ("left", t("each card that somebody has left when the first is out")),
                ),
                Field("points", t("Points for who is out first, second, and so on"), "numbers", only="early:out"),
                Field("hand", t("Cards in a hand"), "numbers", only="early:left"),
                Field("twice", t("Each counts two if there are so many"), low=1, high=60, only="early:left"),
                Field("thrice", t("Each counts three if there are so many"), low=1, high=60, only="early:left"),
                *_DEAL.fields[1:],
            ),
        ),
        _END,
    ),
    "dice": (
        Step("who", t("Who plays?"), (*_WHO,)),
        Step(
            "dice",
            t("How are the dice rolled?"),
            (Field("dice", t("Dice"), high=8), Field("rolls", t("Rolls a turn"), high=5)),
        ),
        Step(
            "boxes",
            t("Which boxes are there?"),
            (
                _many(
                    "boxes",
                    t("Boxes"),
                    ("ones", t("Ones")),
                    ("twos", t("Twos")),
                    ("threes", t("Threes")),
                    ("fours", t("Fours")),
                    ("fives", t("Fives")),
                    ("sixes", t("Sixes")),
                    ("full", t("Full house: three and two alike")),
                    ("four", t("Four of a kind")),
                    ("little", t("Little straight: 1 to 5, 30 points")),
                    ("big", t("Big straight: 2 to 6, 30 points")),
                    ("choice", t("Choice: any dice")),
                    ("yacht", t("Yacht: all alike, 50 points")),
                ),
            ),
        ),
        _END,
    ),
}
"""What is asked of each kind, screen by screen."""


def steps(said: Answers) -> tuple[Step, ...]:
    """Return the screens that are asked, by what was answered so far."""
    return tuple(step for step in STEPS[said["kind"]] if holds(step.only, said))


def answered(step: Step, form: Form) -> Answers:
    """Return what a form answers on a screen."""
    found: Answers = {}
    for field in step.fields:
        name = field.name
        if field.form == "many":
            found[name] = " ".join(choice.value for choice in field.choices if choice.value in form.getlist(name))
        elif field.form == "ranks":
            found[name] = " ".join(
                f"{rank}={_word(form, one) or 0}" for rank in (*RANKS, JOKER) if (one := f"{name}.{rank}") in form
            )
        elif field.form == "special":
            parts = ("rank", "suit", "points")
            rows = [tuple(_word(form, f"{name}.{n}.{part}") for part in parts) for n in range(SPECIALS)]
            found[name] = " ".join(":".join(row) for row in rows if all(row) and row[:2] != ("*", "*"))
        else:
            found[name] = form.get(name, "")[:200].strip()
    return found


def _word(form: Form, name: str) -> str:
    """Return what was typed in a field, without spaces, which stand between answers."""
    return "".join(form.get(name, "").split())[:10]
