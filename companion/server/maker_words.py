"""What is wrong with a game that is being made, in the words of the form. A file's own words are for its writers."""

from __future__ import annotations

from companion.server.maker_form import CHANGES, OPERANDS
from companion.text import t

LABELS = {
    "seats": "Players",
    "hand": t("Cards in a hand"),
    "dealt": t("Cards that lie in the row at first"),
    "count": t("How many dice"),
    "sides": t("Sides of a die"),
    "rolls": t("Rolls a turn"),
    "seconds": t("Seconds of this clock"),
    "default": "Usually",
    "low": "From",
    "high": "To",
    "least": t("At least so many count"),
    "to": t("They add up to"),
    "width": "Columns",
    "every": t("Every so many"),
    "worth": t("What cards are worth"),
    "points": "Points",
    "rounds": "Rounds",
    **CHANGES,
    **OPERANDS,
    "title": t("What is it called?"),
    "says": t("What it is called in the score"),
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
        "players": t(
            "From {one} to {two} players: the first number is the larger one. Change one of them.", one=one, two=two
        ),
        "zone": t("The mat has no place called {spaced}: choose another mat, or other places.", spaced=_spaced(one)),
        "own": t(
            "On this mat not everybody has a place called {spaced}: choose the mat “Tricks”.", spaced=_spaced(one)
        ),
        "order": t("Name all ranks in the order of the ranks; these are missing: {one}.", one=one),
        "unread": t("“{one} = {two}” can't be read: type J = 10, in whole numbers up to 1000.", one=one, two=two),
        "strange": t("No card is called {one}: name ranks (A, 2 to 10, J, Q, K), suits, or other.", one=one),
        "worths": t("There is no table of worths called {one}: choose another one, or add it.", one=one),
        "hands": t(
            "{one} players would hold {two} cards, and the deck has {three}: deal fewer, or let fewer play.",
            one=one,
            two=two,
            three=three,
        ),
        "same": t("Two things go by the name {one}: take one of them away, and add it anew.", one=one),
        "range": t(
            "{one} to {two} can't be chosen from: begin with the smaller one, and at most {three} apart.",
            one=one,
            two=two,
            three=three,
        ),
        "default": t("What is usual has to lie between the two others; {one} does not.", one=one),
        "above": t(
            "{spaced} does not stand above it: move this further down, or choose something else.", spaced=_spaced(one)
        ),
        "large": t("{labels}: {two} is too large; {three} at most.", labels=LABELS.get(one, one), two=two, three=three),
        "small": t(
            "{labels}: {two} is too small; {three} at least.", labels=LABELS.get(one, one), two=two, three=three
        ),
        "kind": t("{labels}: that can't stand there.", labels=LABELS.get(one, one)),
    }.get(kind, "")


def _spaced(name: str) -> str:
    return name.replace("_", " ")


_PLAIN = {
    "partners": t("Partners are two against two: let 4 to 4 play, or take the tick at “partners” away."),
    "played": t(
        "A round ends when all cards are played only with tricks or a row, and if a hand has a number of cards."
    ),
    "boxes": t("A round ends when every box is filled only with dice, and if something that counts is a box."),
    "holder": t("Choose the card whose holder begins."),
    "hand": t("Type how many cards a hand has, or leave it empty."),
    "of": t("Tick what it is made of; it has to stand above."),
    "bid": t("Choose what the bid is; add it first under “What is typed on the phones”."),
    "cards": t("Tick where the cards lie that it counts."),
    "box": t("A box is for dice, and everybody's own."),
    "number": t("Type a number from 1 with which the match ends."),
    "endless": t("The match never ends: type a number of points or rounds."),
    "cost": t("Counting that takes too long, or comes to too much: count fewer cards, or multiply less."),
    "long": t("The game is too long: take something away."),
}
