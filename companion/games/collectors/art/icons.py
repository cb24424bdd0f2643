"""The icons of categories and skills, each with an outline of its own, in a radius of about 1; and coins."""

from __future__ import annotations

from companion.games.collectors.art.pen import block
from companion.press.drawing import Drawing, Item, Shape, moved
from companion.press.figures import Tint
from companion.press.pictures import SIGN, drawn, pictures

ITEM = Tint("#c7432b", "#7e2a1a", "#fbe9e4")
SKILL = Tint("#2f7f4c", "#1f5c37", "#e6f3ea")
MARKET = Tint("#3a6ea5", "#1f426b", "#e6eef7")

BEAK = "#ee9a2b"


def symbol(name: str, tone: Tint) -> list[Item]:
    """Return the icon of a category of items; a star for one that nobody has drawn yet."""
    sign = f"signs/{name}" if f"signs/{name}" in pictures("collectors", "signs") else "signs/star"
    return drawn("collectors", sign, SIGN, main=tone.main, dark=tone.dark, pale=tone.pale)


def skill_icon(skill: str) -> list[Item]:
    """Return the icon of a skill; a category's skill shows the category on a rosette with "+1"."""
    if f"signs/{skill}" in pictures("collectors", "signs"):
        return drawn("collectors", f"signs/{skill}", SIGN)
    return [
        *drawn("collectors", "signs/rosette", SIGN),
        *moved(symbol(skill.removeprefix("vp-"), SKILL), 0, -0.3, scale=0.5),
        Shape((block(-0.62, 0.4, 1.24, 0.62, 0.14),), SKILL.dark),
        *_words(0, 0.89, "+1", 0.58, "#ffffff"),
    ]


def _words(x: float, y: float, words: str, size: float, colour: str) -> list[Item]:
    drawing = Drawing(0, 0)
    drawing.text(x, y, words, size, colour=colour, bold=True)
    return list(drawing.items)


def coin(cash: str) -> list[Item]:
    """Return what a card is worth in an auction: a copper coin; from $2 on two golden ones with a milled edge."""
    if cash == "1":
        return [*drawn("collectors", "signs/copper-coin", SIGN), *_words(0, 0.34, f"${cash}", 0.92, "#55270a")]
    front = _words(0, 0.33, f"${cash}", 0.86, "#4f370c")
    return [*drawn("collectors", "signs/gold-coin", SIGN), *moved(front, -0.14, 0.1, scale=0.92)]
