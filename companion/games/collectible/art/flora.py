"""Flowers: single blooms, and bunches of them in vases and beds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.games.collectible.art.kit import (
    FOREST,
    GOLD,
    GREEN,
    INK,
    UMBER,
    VIOLET,
    WHITE,
    Head,
    Motif,
    blob,
    block,
    curve,
    flat,
    oval,
    poly,
    rule,
    star,
)
from companion.press.drawing import Item, moved

Bloom = Callable[[], list[Item]]
"""A flower head of radius about 4 round the origin, its stem below."""


def violet() -> list[Item]:
    """Draw a violet."""
    petals = ((-2.2, -2.2, -40), (2.2, -2.2, 40), (-2.8, 0.8, -110), (2.8, 0.8, 110))
    return flat(
        *(oval(VIOLET, x, y, 1.7, 2.5, turn) for x, y, turn in petals),
        blob("#9a72cf", "-1.4,0 -2,3.2 0,4.4 2,3.2 1.4,0"),
        oval(GOLD, 0, 0, 1.2),
        rule(INK, 0.35, "0,0.8 0,2.8"),
    )


def carnation() -> list[Item]:
    """Draw a carnation."""
    return flat(
        poly(GREEN, "-1.6,2 1.6,2 1.2,5.6 -1.2,5.6"),
        star("#c92f55", 0, -0.4, 4.6, inner=0.8, tips=11),
        star("#e8587a", 0, -0.8, 3.2, inner=0.72, tips=9),
        star("#f5a3b4", 0, -1, 1.6, inner=0.6, tips=7),
    )


def rose() -> list[Item]:
    """Draw a rose."""
    return flat(
        *(
            oval("#b8264a", 2.4 * x, 2.4 * y, 2.2)
            for x, y in ((0, -1), (0.95, -0.3), (0.6, 0.8), (-0.6, 0.8), (-0.95, -0.3))
        ),
        oval("#d9446a", 0, 0, 2.9),
        curve("#f2a0b4", 0.6, "-1.8,0.6 -1.4,-1.6 0.8,-2 1.8,-0.4 1,1.2 -0.4,1 -0.6,-0.2 0.4,-0.5"),
    )


def iris() -> list[Item]:
    """Draw an iris."""
    return flat(
        blob("#6a5fd0", "0,0 -2.4,-2.4 -1.6,-6 0,-6.8 1.6,-6 2.4,-2.4"),
        blob("#4339a0", "0,0 -3,-1 -5.2,1.4 -4.6,4.6 -2.2,3"),
        blob("#4339a0", "0,0 3,-1 5.2,1.4 4.6,4.6 2.2,3"),
        blob("#5a4fc0", "-1.5,0 -2.1,3.6 0,5.6 2.1,3.6 1.5,0"),
        blob(GOLD, "-0.6,0 -0.5,2.4 0,3.2 0.5,2.4 0.6,0"),
    )


def poppy() -> list[Item]:
    """Draw a poppy."""
    return flat(
        oval("#c3271f", 0, -1.6, 3.6, 3.0),
        oval("#e2402f", -2.3, 0.6, 2.9, 3.0),
        oval("#e2402f", 2.3, 0.6, 2.9, 3.0),
        oval("#f0604a", 0, 1.8, 2.7, 2.0),
        oval(INK, 0, -0.2, 1.5),
    )


def tulip() -> list[Item]:
    """Draw a tulip."""
    return flat(
        blob("#d9443e", "-3.2,-4.4 -3.6,1 -1.6,3.6 0,4 1.6,3.6 3.6,1 3.2,-4.4 1.6,-2 0,-5 -1.6,-2", 3),
        blob("#f2835a", "0,-5 -1.8,-1 -1.4,2.6 0,4 1.4,2.6 1.8,-1"),
    )


def sunflower() -> list[Item]:
    """Draw a sunflower."""
    return flat(
        star("#f2b422", 0, 0, 5.6, inner=0.62, tips=13),
        star("#e08f1d", 0, 0, 4.3, inner=0.66, tips=13, turn=-76),
        oval(UMBER, 0, 0, 2.6),
        oval("#7a4a24", 0, 0, 1.4),
    )


def thistle() -> list[Item]:
    """Draw a thistle."""
    return flat(
        poly(
            "#a44fc0",
            "-4.4,-5.4 -2.6,-3.6 -2.2,-6.6 -0.8,-4 0,-7.2 0.8,-4 2.2,-6.6 2.6,-3.6 4.4,-5.4 2.2,-0.4 -2.2,-0.4",
        ),
        oval("#4f8a58", 0, 1.4, 2.7, 2.6),
        *(rule(FOREST, 0.45, f"{x},-0.4 {x + 2},2.6") for x in (-2, -0.8, 0.4)),
        *(rule(FOREST, 0.45, f"{x},-0.4 {x - 2},2.6") for x in (2, 0.8, -0.4)),
    )


def _leaf(x: float, y: float, turn: float, tone: str = GREEN, scale: float = 1.0) -> list[Item]:
    return moved([blob(tone, "0,0 -1.6,-3 0,-7 1.6,-3")], x, y, scale=scale, rotation=turn)


def bed(bloom: Bloom, *, spiny: bool = False) -> Motif:
    """Draw five tall flowers that grow from the ground."""
    heads = ((0, -25.6, 1.15), (-7, -19, 1.0), (7.2, -20, 1.0), (-4.2, -10.6, 0.85), (5, -11, 0.85))
    items: list[Item] = []
    for x, y, _ in heads:
        items.append(curve(FOREST, 1.0, f"{x * 0.3},0 {x * 0.8},{y * 0.5} {x},{y}"))
    for x, turn, scale in ((-2, -50, 1.2), (2, 48, 1.2), (0, -14, 1.5), (1, 18, 1.4), (-1, -74, 1.0), (1, 74, 1.0)):
        items += _leaf(x, -0.4, turn, FOREST if spiny else GREEN, scale)
    for x, y, scale in heads:
        items += moved(bloom(), x, y, scale=scale)
    return Motif(tuple(items), (Head(0, -29.6, 8),))


def bush(bloom: Bloom) -> Motif:
    """Draw a round bush full of flowers."""
    leaves = ((-6.4, -8, 5.6), (6.4, -8, 5.6), (0, -14, 7.4), (-4, -18.6, 5), (5, -18, 5), (0, -6, 6))
    items: list[Item] = [block(UMBER, -1.2, -6, 2.4, 6)]
    items += [oval(FOREST, x, y, r) for x, y, r in leaves]
    for x, y, turn in (
        (-9.0, -6.0, -70),
        (9, -6, 70),
        (-6, -17, -50),
        (7, -16, 50),
        (0, -17, 0),
        (-2, -6, -160),
        (4, -9, 130),
    ):
        items += _leaf(x, y, turn, GREEN, 0.7)
    for x, y, scale in ((-5.6, -8, 1.0), (5.6, -7, 1.0), (0.2, -13.4, 1.15), (-4.6, -19, 0.9), (5.2, -18.6, 0.95)):
        items += moved(bloom(), x, y, scale=scale)
    return Motif(tuple(items), (Head(0, -22.6, 10),))


def vase(bloom: Bloom, tone: str, stripe: str, spots: Sequence[tuple[float, float, float]]) -> Motif:
    """Draw flowers in a vase; `spots` are their places and sizes."""
    items: list[Item] = []
    for x, y, _ in spots:
        items.append(curve(FOREST, 0.9, f"{x * 0.1},-9 {x * 0.5},{(y - 9) / 2} {x},{y}"))
    for foot, turn in ((-2.0, -58), (2.0, 58), (-1.4, -28), (1.4, 28)):
        items += _leaf(foot, -9.6, turn, GREEN, 1.1)
    for x, y, scale in spots:
        items += moved(bloom(), x, y, scale=scale)
    items += flat(
        blob(tone, "-3.2,-11 -3,-9 -6,-5 -4,0 4,0 6,-5 3,-9 3.2,-11", 3),
        curve(stripe, 1.0, "-5.4,-4.6 -2.4,-3.6 0,-4.8 2.4,-3.6 5.4,-4.6"),
        rule(stripe, 0.9, "-3.3,-10.6 3.3,-10.6"),
    )
    return Motif(tuple(items), (Head(0, min(y for _, y, _ in spots) - 3.4, 9),))


FIVE = ((-6, -16, 0.95), (6, -16, 0.95), (0, -18, 1.1), (-3.6, -23, 1.0), (4, -23.4, 1.0))
"""Five flowers in a vase."""


def violets() -> Motif:
    """Draw a pot of violets."""
    return vase(violet, "#d9a336", WHITE, FIVE)


def carnations() -> Motif:
    """Draw one large carnation in a slender vase."""
    return vase(carnation, "#3d7fa8", WHITE, ((0, -21.6, 1.75),))


def tulips() -> Motif:
    """Draw a vase of tulips."""
    return vase(tulip, "#3d7fa8", WHITE, FIVE)


def irises() -> Motif:
    """Draw a bed of irises."""
    return bed(iris)


def poppies() -> Motif:
    """Draw a bed of poppies."""
    return bed(poppy)


def sunflowers() -> Motif:
    """Draw a bed of sunflowers."""
    return bed(sunflower)


def thistles() -> Motif:
    """Draw thistles."""
    return bed(thistle, spiny=True)


def roses() -> Motif:
    """Draw a rose bush."""
    return bush(rose)
