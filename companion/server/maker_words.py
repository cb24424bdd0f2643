"""What is wrong with a game that is being made, in the words of the form. A file's own words are for its writers."""

from __future__ import annotations

LABELS = {
    "seats": "Players",
    "hand": "Cards in a hand",
    "dealt": "Cards that lie in the row at first",
    "count": "How many dice",
    "sides": "Sides of a die",
    "rolls": "Rolls a turn",
    "seconds": "Seconds of this clock",
    "low": "From",
    "high": "To",
    "least": "At least so many count",
    "to": "They add up to",
    "width": "Columns",
    "every": "Every so many",
    "worth": "What cards are worth",
    "points": "Points",
    "rounds": "Rounds",
    "minus": "Minus",
    "at_least": "At least",
    "at_most": "At most",
    "times": "Times",
    "gives": "If there is any, it gives",
    "bonus": "Made: it earns",
    "each": "Made: each of the bid earns",
    "over": "Each beyond the bid earns",
    "lost": "Missed: it earns",
    "missed": "Missed: each of the bid earns",
    "title": "What is it called?",
    "says": "What it is called in the score",
}
"""What the form calls what a file calls so."""


def in_form(kind: str, about: tuple[str, ...]) -> str:
    """Return what is wrong, and what would do, for somebody who fills the form in; "" if only a file can be so wrong.

    `kind` and `about` are those of a problem: which one it is, and the names and numbers in it.
    """
    if kind in _PLAIN:
        return _PLAIN[kind]
    one, two, three = (*about, "", "", "")[:3]
    return {
        "players": f"From {one} to {two} players: the first number is the larger one. Change one of them.",
        "zone": f"The mat has no place called {_spaced(one)}: choose another mat, or other places.",
        "own": f"On this mat not everybody has a place called {_spaced(one)}: choose the mat “Tricks”.",
        "order": f"Name all ranks in the order of the ranks; these are missing: {one}.",
        "worths": f"There is no table of worths called {one}: choose another one, or add it.",
        "hands": f"{one} players would hold {two} cards, and the deck has {three}: deal fewer, or let fewer play.",
        "same": f"Two things go by the name {one}: take one of them away, and add it anew.",
        "range": f"{one} to {two} can't be chosen from: begin with the smaller one, and at most {three} apart.",
        "default": f"What is usual has to lie between the two others; {one} does not.",
        "above": f"{_spaced(one)} does not stand above it: move this further down, or choose something else.",
        "large": f"{LABELS.get(one, one)}: {two} is too large; {three} at most.",
        "small": f"{LABELS.get(one, one)}: {two} is too small; {three} at least.",
        "kind": f"{LABELS.get(one, one)}: that can't stand there.",
    }.get(kind, "")


def _spaced(name: str) -> str:
    return name.replace("_", " ")


_PLAIN = {
    "partners": "Partners are two against two: let 4 to 4 play, or take the tick at “partners” away.",
    "played": "A round ends when all cards are played only with tricks or a row, and if a hand has a number of cards.",
    "boxes": "A round ends when every box is filled only with dice, and if something that counts is a box.",
    "holder": "Choose the card whose holder begins.",
    "hand": "Type how many cards a hand has, or leave it empty.",
    "of": "Tick what it is made of; it has to stand above.",
    "bid": "Choose what the bid is; add it first under “What is typed on the phones”.",
    "cards": "Tick where the cards lie that it counts.",
    "box": "A box is for dice, and everybody's own.",
    "number": "Type a number from 1 with which the match ends.",
    "endless": "The match never ends: type a number of points or rounds.",
    "cost": "Counting that would take too long: count fewer cards, or give fewer of them a worth.",
    "long": "The game is too long: take something away.",
}
