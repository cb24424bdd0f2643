"""What is wrong with a game that is being made, in the words of the form. A file's own words are for its writers."""

from __future__ import annotations

from companion.text import plural, t

CLOCKS = {
    "": t("none"),
    "turn": t("A turn timer: so many seconds a turn"),
    "chess": t("A chess clock: so many seconds for all of a player's turns"),
    "glass": t("A sand glass: somebody turns it over"),
}
PARTS = {
    "mat": t("The mat"),
    "players": t("Who plays"),
    "round": t("How a round goes"),
    "tricks": t("How tricks are taken"),
    "row": t("How cards are taken from the row"),
    "dice": t("How dice are rolled"),
    "worth": t("What cards are worth"),
    "match": t("How the match ends"),
    "clock": t("A clock to play against"),
}
"""Parts of a file in which there may be what no question asks."""
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
    "title": t("What is it called?"),
    "says": t("What it is called in the score"),
}
"""What the form calls what a file calls so."""


def who_plays(low: int, high: int, pairs: bool) -> str:
    """Return in a sentence how many play."""
    if pairs:
        return t("Four play in pairs.")
    if low == high:
        return plural("{count} plays.", "{count} play.", count=low)
    return t("From {low} to {high} play.", low=low, high=high)


def in_form(kind: str, about: tuple[str, ...]) -> str:
    """Return what is wrong, and what would do, for somebody who fills the form in; "" if only a file can be so wrong.

    `kind` and `about` are those of a problem: which one it is, and the names and numbers in it.
    """
    if kind in _PLAIN:
        return _PLAIN[kind]
    one, two, three = (*about, "", "", "")[:3]
    said, labels = {"one": one, "two": two, "three": three}, LABELS.get(one, one)
    return {
        "players": t("From {one} to {two} players: the first number is the larger one. Change one of them.", **said),
        "order": t("Name all ranks in the order of the ranks; these are missing: {one}.", one=one),
        "unread": t("“{one} = {two}” can't be read: type J = 10, in whole numbers up to 1000.", one=one, two=two),
        "strange": t("No card is called {one}: name ranks (A, 2 to 10, J, Q, K), suits, or other.", one=one),
        "hands": t(
            "{one} players would hold {two} cards, and the deck has {three}: deal fewer, or let fewer play.", **said
        ),
        "above": t(
            "The file builds on {spaced}, which these answers don't bring: change them, or the file itself.",
            spaced=one.replace("_", " "),
        ),
        "large": t("{labels}: {two} is too large; {three} at most.", labels=labels, two=two, three=three),
        "small": t("{labels}: {two} is too small; {three} at least.", labels=labels, two=two, three=three),
        "kind": t("{labels}: that can't stand there.", labels=labels),
    }.get(kind, "")


_PLAIN = {
    "partners": t("Partners are two against two: let 4 to 4 play, or take the tick at “partners” away."),
    "played": t(
        "A round ends when all cards are played only with tricks or a row, and if a hand has a number of cards."
    ),
    "boxes": t("A round ends when every box is filled only with dice, and if something that counts is a box."),
    "holder": t("Choose the card whose holder begins."),
    "hand": t("Type how many cards a hand has, or leave it empty."),
    "number": t("Type a number from 1 with which the match ends."),
    "endless": t("The match never ends: type a number of points or rounds."),
    "long": t("The game is too long: take something away."),
}
