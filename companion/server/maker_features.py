"""What answers stand for in a game's file: the blocks of each feature, with holes for what is answered."""

from __future__ import annotations

from companion.text import t
from companion.untyped import TomlTable

SUITS = {"clubs": t("clubs"), "diamonds": t("diamonds"), "hearts": t("hearts"), "spades": t("spades")}
RANKS = {"1": t("ace"), **{str(n): str(n) for n in range(2, 11)}, "11": t("jack"), "12": t("queen"), "13": t("king")}
_SMALL = ("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king")
JOKER = "joker"
"""What stands for both jokers where ranks have a worth."""
RANK_NAMES = dict(zip(RANKS, _SMALL, strict=True))
DECKS = {"52": "", "40": "8 9 10", "36": "2 3 4 5", "32": "2 3 4 5 6", "24": "2 3 4 5 6 7 8", "20": "2 3 4 5 6 7 8 9"}
"""The ranks that stay in the box, by how many cards are left of a pack."""
ORDERS = {
    "ace": "2 3 4 5 6 7 8 9 10 11 12 13 1",
    "ten": "2 3 4 5 6 7 8 9 11 12 13 10 1",
    "three": "2 4 5 6 7 8 9 10 11 12 13 3 1",
    "king": "1 2 3 4 5 6 7 8 9 10 11 12 13",
}
"""How high ranks are in tricks, from the lowest: by what stands out."""
PRIME = {"7": 21, "6": 18, "1": 16, "5": 15, "4": 14, "3": 13, "2": 12, "other": 10}
"""What cards are worth in the primiera of Scopa."""
CELLS = 6
"""The cards of a grid on its mat."""

Feature = tuple[str, TomlTable]
"""What has to be answered for a block or an entry, and it: "counts:odd bid:exact" any of them, "a:b+c:d" both."""


def _block(needs: str, name: str, op: str, says: str = "", /, **more: object) -> Feature:
    """Return a feature's block; without words it is there for others to build on."""
    return needs, {"name": name, "op": op} | ({"says": says} if says else {"counts": False}) | more


def _seen(needs: str, name: str, cards: str, many: object, tells: str, whose: str = "seat") -> Feature:
    """Return a block that says how much of something has to be seen."""
    return _block(needs, name, "count", whose=whose, cards=[cards], needs=many, tells=tells)


def _show(name: str, says: str, /, **more: object) -> list[Feature]:
    """Return what a hand that is shown, and the dealer's second hand, have of something."""
    crib = {"whose": "dealer", "cards": ["crib", "starter"], "once": ["boxed", "turned"]}
    hand = {"cards": "$shown", "once": "$once"}
    op, need = str(more.pop("op")), f"counts:{name}"
    mine = _block(need, name, op, says, **hand | more)
    if name == "flush":
        mine[1]["cards"], more["least"] = ["hand"], 5
    if name == "nobs":
        mine[1]["cards"], crib["cards"] = ["hand"], ["crib"]
    return [mine, _block(f"crib:yes+{need}", f"crib_{name}", op, f"Crib: {says[:1].lower()}{says[1:]}", **crib | more)]


_BID: TomlTable = {"whose": "$whose", "bid": "bid"}
_BID |= {"bonus": "$bonus", "each": "$each", "lost": "$lost", "missed": "$missed"}
_NIL: TomlTable = {"when": {"bid": {"equals": 0}}}
_BEYOND: TomlTable = {"counts": False, "whose": "$whose", "of": "$towards", "minus": "bid", "at_least": 0}
_BIDS = {"name": "bid", "words": "Bid", "low": 0, "high": "$most", "due": "before", "uneven": "$uneven"}
_ALL_SHOWN = t("there are not all cards of the hand")
_NOT_OUT = t("the first are not out yet")
_HELD: TomlTable = {"cards": ["melds"], "held": "$hand"}
_JACK: TomlTable = {"rank": "11"}
_SHOWS = [
    *_show("fifteens", "Fifteens", op="subsets", worth="$table", to="$to", times="$way"),
    *_show("pairs", "Pairs", op="pairs", times="$pair"),
    *_show("runs", "Runs", op="runs", least=3),
    *_show("flush", "Flush", op="sets", by="suit", least=4),
    *_show("nobs", "His nobs", op="count", where=_JACK, like={"suit": "starter"}),
]
_FIVE: TomlTable = {"cards": ["hand", "starter"], "once": ["open", "turned"], "by": "suit", "least": 5, "gives": 1}
_HEELS: TomlTable = {"whose": "dealer", "cards": ["starter"], "where": _JACK, "times": 2, "at_once": True}
_MARGIN: TomlTable = {"when": {"margin": {"at_least": 0}, "theirs": {"more_than": 0}}}
_KNOCKED: TomlTable = {"when": {"knocks": {"equals": 1}}}
_ODD: TomlTable = {"whose": "$whose", "of": ["taken"], "minus": "$beyond", "at_least": 0, "times": "$trick"}
_LESS = t("who knocked has what the other has more left over")
_UNDERCUT: TomlTable = {"when": {"undercut": {"more_than": 0}}}
_UNDERCUT["means"] = t("who undercuts has what the one who knocked has more left over")
_POT, _PAID = t("who has most in one suit has a chip of everybody else"), t("everybody else gives a chip")
_LEFT = t("What the cards left in my hand are worth")
_TOO_MUCH: TomlTable = {"cards": ["melds"], "when": {"knocks": {"equals": 1}, "left": {"more_than": "$most_left"}}}


_RUN: tuple[TomlTable, ...] = ({"rank": "1"}, {"rank": "10"}, {"rank": "13"}, {"rank": "12"}, {"rank": "11"})
_PAIR: tuple[TomlTable, ...] = ({"rank": "12"}, {"rank": "13"})
_PINOCHLE: tuple[TomlTable, ...] = ({"suit": "spades", "rank": "12"}, {"suit": "diamonds", "rank": "11"})
_ALIKE = (("aces", "1", 100), ("kings", "13", 80), ("queens", "12", 60), ("jacks", "11", 40))
_EACH: tuple[TomlTable, ...] = tuple({"suit": suit} for suit in SUITS)
_TRUMP: TomlTable = {"suit": "trump"}
_LOW: TomlTable = {"where": {"rank": "$lowest"}, "like": _TRUMP, "times": 10}


def _meld(needs: str, name: str, says: str, parts: tuple[TomlTable, ...], points: object, /, **more: object) -> Feature:
    """Return a meld that is shown before a seat, and played from there."""
    return _block(needs, name, "whole", says, cards=["hand"], **{"by": "suit", **more}, parts=parts, times=points)


def _dice(name: str, says: str, op: str, /, **more: object) -> Feature:
    """Return a box for dice."""
    return _block(f"boxes:{name}", name, op, says, box=True, cards=["dice"], **more)


FEATURES: dict[str, tuple[Feature, ...]] = {
    "tricks": (
        ("bid:exact bid:least", _BIDS),
        ("", {"special": True}),
        _block("counts:odd bid:exact bid:least", "taken", "tricks"),
        _block(
            "more:nil", "alone", "add", t("tricks of who bid none"), counts=False, of=["taken"], times="$own", **_NIL
        ),
        _block("more:nil", "towards", "add", of=["taken"], minus="alone"),
        _block("bid:least", "contract", "bid", "Bid", of="$towards", **_BID),
        _block("bid:least", "beyond", "add", t("tricks more than bid"), **_BEYOND),
        _block("bid:least", "bags", "add", "Overtricks", whose="$whose", of="$bags", times="$over"),
        _block(
            "more:bags", "penalty", "carry", t("Ten overtricks"), whose="$whose", of=["bags"], every=10, times="$fine"
        ),
        _block(
            "more:nil", "nil", "bid", "Nil", bid="bid", of=["taken"], exact=True, bonus="$nil", lost="$no_nil", **_NIL
        ),
        _block("bid:exact", "exact", "bid", "Bid made", of=["taken"], exact=True, **_BID),
        _block("counts:odd", "odd", "add", t("Tricks"), **_ODD),
        _block("melds:low", "lowest", "count", t("Lowest trumps"), cards=["hand"], **_LOW),
        _meld("melds:sequence", "sequence", t("Sequence of trumps"), _RUN, "$sequence", like=_TRUMP),
        _meld("melds:pinochle", "pinochle", "Pinochle", _PINOCHLE, 40, by="kind"),
        *(_meld("melds:four", n, f"Four {n}", _EACH, p, by="rank", where={"rank": r}) for n, r, p in _ALIKE),
        _meld("melds:marriage", "marriages", t("Marriages"), _PAIR, 20),
        _meld("melds:marriage", "royal", t("Royal marriages"), _PAIR, 20, like=_TRUMP),
        _seen("counts:cards counts:most", "all", "taken", "$played", t("not all cards have been taken"), "all"),
        _block("counts:cards", "points", "sum", "Cards", cards=["taken"], worth="$table", once=["all"]),
        _block("counts:most", "card_points", "sum", cards=["taken"], worth="$table"),
        _block(
            "counts:most", "deal", "majority", t("Most card points"), whose="$whose", of=["card_points"], once=["all"]
        ),
        _block("counts:last", "last", "last", t("Last trick"), times="$last", once="$seen"),
    ),
    "melds": (
        ("left:knock left:suit", {"name": "knocks", "words": "I knock", "low": 1, "high": 1, "alone": True}),
        ("out:yes", {"name": "goes_out", "words": t("I go out"), "low": 1, "high": 1, "alone": True}),
        ("left:minus left:hand", {"name": "left", "words": _LEFT, "low": 0, "high": 200, "due": "end"}),
        _block("left:knock", "laid", "count", needs="$hand", tells=t("there are not all cards of the hand"), **_HELD),
        _block(
            "left:knock", "knock", "entered", whose="all", of=["knocks"], needs=1, tells="nobody has said who knocked"
        ),
        _block("left:knock", "left", "melds", once=["laid"], worth="$table", least=3, lay_off="knocks", **_HELD),
        _block("left:knock", "high", "count", tells=t("knocked with too much left over"), told="any", **_TOO_MUCH),
        _block("left:knock", "theirs", "others", of=["left"]),
        _block("left:knock", "margin", "add", of=["theirs"], minus="left"),
        _block("left:knock", "knocked", "others", of=["knocks"]),
        _block("left:knock", "less", "add", "Less left over", of=["margin"], at_least=0, **_KNOCKED, means=_LESS),
        _block("left:knock", "gin", "entered", "Gin", of=["knocks"], when={"left": {"equals": 0}}, gives="$bonus"),
        _block("left:knock", "undercut", "add", "Undercut", of=["knocked"], gives="$bonus", **_MARGIN),
        _block("left:knock", "lead", "add", "More left over there", of=["margin"], **_UNDERCUT),
        _block("left:minus", "laid", "sum", t("Cards laid"), cards=["melds"], worth="$table"),
        _block("out:yes", "went_out", "entered", t("Going out"), of=["goes_out"], times="$bonus"),
        _block("left:minus", "kept", "entered", t("Left in hand"), of=["left"], times=-1),
        _block("left:hand", "melded", "count", cards=["melds"]),
        _block("left:hand", "in_hand", "entered", t("Left in hand"), of=["left"]),
        _seen("left:suit", "open", "melds", "$hand", _ALL_SHOWN),
        _block("left:suit", "hand", "group", cards=["melds"], by="suit", worth="$table", once=["open"]),
        _block("left:suit", "best", "majority", of=["hand"]),
        _block("left:suit", "stake", "count", cards=["melds"], gives=1),
        _block("left:suit", "pot", "others", t("Chips won"), of=["stake"], when={"best": {"equals": 1}}, means=_POT),
        _block("left:suit", "paid", "others", t("Chip paid"), of=["best"], times=-1, means=_PAID),
    ),
    "row": (
        _seen("", "all", "taken", "$size", t("not all cards have been taken"), "all"),
        _block("counts:cards", "cards", "count", cards=["taken"]),
        _block("counts:cards", "most", "majority", "Most cards", of=["cards"], times="$cards"),
        _block("counts:suit", "suited", "count", cards=["taken"], where={"suit": "$suit"}),
        _block("counts:suit", "most_suited", "majority", t("Most of the suit"), of=["suited"], times="$gold"),
        ("", {"special": True}),
        _block("counts:prime", "prime", "best", cards=["taken"], by="suit", worth="prime", least=4),
        _block("counts:prime", "primiera", "majority", "Primiera", of=["prime"], times="$prime"),
        _block("counts:sweeps", "sweeps", "sweeps", "Sweeps", times="$sweeps"),
    ),
    "laid": (
        ("pegs:yes", {"name": "pegged", "words": "Pegged", "low": 1, "high": 31, "adds": True}),
        _seen("lie:grid", "open", "grid", CELLS, "fewer than six cards lie open"),
        _block("lie:grid", "grid", "columns", "Cards", cards=["grid"], once=["open"], worth="$table", width=3),
        _seen("lie:show", "open", "hand", "$hand", _ALL_SHOWN),
        _seen("crib:yes", "boxed", "crib", "$hand", t("there are not all cards in the crib"), "dealer"),
        _seen("starter:yes", "turned", "starter", 1, "the starter has not been turned up", "all"),
        _block("pegs:yes", "pegging", "entered", "Pegging", of=["pegged"]),
        _block("counts:sum", "worth", "sum", "Cards", cards=["hand"], worth="$table", once=["open"]),
        *_SHOWS[::2],
        _block("starter:yes+counts:flush", "five", "sets", "Flush with the starter", **_FIVE),
        _block("starter:yes+counts:nobs", "heels", "count", "His heels", **_HEELS),
        *_SHOWS[1::2],
    ),
    "climb": (
        ("early:left", {"name": "left", "words": t("Cards left in my hand"), "low": 0, "high": "$most", "due": "end"}),
        _block("early:out", "first_two", "place", whose="all", points="$ones", needs="$places", tells=_NOT_OUT),
        _block("early:out", "rank", "place", "Out early", points="$points"),
        _block("early:left", "cards", "entered", t("Cards left"), of=["left"]),
        _block("early:left", "twice", "add", t("Many left"), of=["cards"], when={"cards": {"at_least": "$twice"}}),
        _block(
            "early:left", "thrice", "add", t("Very many left"), of=["cards"], when={"cards": {"at_least": "$thrice"}}
        ),
    ),
    "dice": (
        *(
            _dice(name, name.capitalize(), "sum", where={"rank": str(n)})
            for n, name in enumerate(("ones", "twos", "threes", "fours", "fives", "sixes"), 1)
        ),
        _block("boxes:full", "pairs", "pairs", cards=["dice"]),
        _dice("full", "Full house", "sum", when={"pairs": {"equals": 4}}),
        _dice("four", "Four of a kind", "sets", least=4, sum=True),
        _dice("little", "Little straight", "runs", where={"rank": ["1", "2", "3", "4", "5"]}, least=5, gives=30),
        _dice("big", "Big straight", "runs", where={"rank": ["2", "3", "4", "5", "6"]}, least=5, gives=30),
        _dice("choice", "Choice", "sum"),
        _dice("yacht", "Yacht", "sets", least=5, gives=50),
    ),
}
"""The blocks and entries of each kind, in the order in which they build on each other."""

_BOXES = "ones twos threes fours fives sixes full four little big choice yacht"
_TENS = "11=10 12=10 13=10"
_USUAL: dict[str, str] = {
    "low": "2", "high": "4", "pairs": "", "hand": "", "first": "left", "card": "102", "deck": "52", "packs": "1",
    "jokers": "0", "by": "points", "end": "100", "wins": "high", "ties": "", "free": "yes", "named": "end",
    "least": "", "limit": "", "title": "", "values": "", "table": "points", "special": "", "moon": "",
}  # fmt: skip
DEFAULTS: dict[str, dict[str, str]] = {
    "tricks": {
        **_USUAL, "low": "4", "hand": "13", "order": "ace", "trump": "", "follow": "yes", "beat": "", "draws": "",
        "late": "", "melds": "", "sequence": "150", "bid": "", "more": "",
        "bonus": "0", "each": "10", "lost": "0", "missed": "0", "over": "1", "fine": "-100", "nil": "100",
        "no_nil": "-100", "own": "0", "uneven": "0", "counts": "", "trick": "1", "beyond": "0", "last": "10",
        "values": "1=11 10=10 13=4 12=3 11=2",
    },
    "melds": {
        **_USUAL, "high": "2", "hand": "10", "left": "knock", "limit": "", "bonus": "25", "most_left": "10",
        "out": "", "values": _TENS, "table": "pips",
    },
    "row": {
        **_USUAL, "dealt": "4", "adds": "yes", "several": "", "alike": "",
        "counts": "cards sweeps", "suit": "diamonds", "cards": "1", "gold": "1",
        "prime": "1", "sweeps": "1", "end": "11", "ties": "on", "table": "value",
    },
    "laid": {
        **_USUAL, "lie": "show", "hand": "4", "starter": "", "crib": "", "pegs": "", "counts": "pairs runs", "to": "15",
        "way": "2", "pair": "2", "values": _TENS, "table": "pips",
    },
    "climb": {
        **_USUAL, "low": "3", "high": "6", "hand": "13", "first": "winner", "early": "out", "points": "2 1",
        "twice": "5", "thrice": "10", "end": "11",
    },
    "dice": {
        **_USUAL, "high": "6", "dice": "5", "rolls": "3", "boxes": _BOXES, "by": "rounds", "end": "1", "free": "",
    },
}  # fmt: skip
"""The likeliest answers of each kind."""
