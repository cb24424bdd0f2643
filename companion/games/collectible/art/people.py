"""The people of the pictures, in half length, each with what he does."""

from __future__ import annotations

from companion.games.collectible.art import things
from companion.games.collectible.art.kit import (
    BLUE,
    BONE,
    BRASS,
    BROWN,
    FOREST,
    GILT,
    GOLD,
    INK,
    PAPER,
    RED,
    UMBER,
    WHITE,
    WINE,
    Head,
    Motif,
    blob,
    block,
    curve,
    eye,
    flat,
    motif,
    oval,
    poly,
    rule,
    star,
)
from companion.press.drawing import Item, Line, Shape

SKINS = ("#f0c8a0", "#d9a273", "#9b6540", "#6f4530")


def person(
    robe: str, skin: int = 0, hair: str = UMBER, cut: str = "short", trim: str = GILT, *, beard: str = ""
) -> list[Item]:
    """Draw head and shoulders down to the hips, from the front; the head is 8 wide, its brow at y = -28."""
    tone = SKINS[skin]
    items: list[Item] = []
    if cut == "long":
        items.append(blob(hair, "-5.4,-14 -6,-24 -4,-30.6 0,-32 4,-30.6 6,-24 5.4,-14 0,-16"))
    elif cut == "bun":
        items.append(oval(hair, 0, -32, 2.8))
    items += flat(
        blob(robe, "-11,0 -11,-9 -9,-16 -5,-18.6 0,-19 5,-18.6 9,-16 11,-9 11,0 4,0.6 -4,0.6"),
        poly(tone, "-2,-21 2,-21 2.4,-18 0,-16 -2.4,-18"),
        rule(trim, 1.0, "-3.6,-18.6 0,-15 3.6,-18.6"),
        oval(tone, 0, -24.6, 4.5, 5.4),
    )
    if cut == "bald":
        items += [oval(hair, -4.2, -24.6, 1.2, 2.2), oval(hair, 4.2, -24.6, 1.2, 2.2)]
    else:
        items.append(blob(hair, "-4.9,-23 -5,-28 -3,-31 1,-31.4 4,-30 5.2,-26 4.8,-23 3.6,-26.6 0,-27.8 -3.2,-26.8"))
    if beard:
        items.append(blob(beard, "-4.6,-24 -4.6,-20 -2,-16 0,-14.6 2,-16 4.6,-20 4.6,-24 2,-22.4 0,-22.8 -2,-22.4"))
        items.append(curve(WINE, 0.6, "-1.2,-21.2 0,-20.8 1.2,-21.2"))
    else:
        items.append(curve(WINE, 0.6, "-1.4,-21.6 0,-20.9 1.4,-21.6"))
        items += [oval("#d9776a", -2.8, -22.8, 0.8), oval("#d9776a", 2.8, -22.8, 0.8)]
    items += flat(eye(-1.8, -25, 0.6), eye(1.8, -25, 0.6))
    items.append(curve(UMBER, 0.4, "0,-24.8 0.6,-23.2 -0.2,-22.9"))
    return items


BROW = (Head(0, -28.4, 10),)


def sleeve(robe: str, skin: int, words: str) -> list[Item]:
    """Draw an arm along points; the hand is at its end."""
    line = curve(robe, 3.6, words)
    x, y = line.points[-1]
    return [line, oval(SKINS[skin], x, y, 1.7)]


def _with(items: list[Item], *more: Item | list[Item], heads: tuple[Head, ...] = BROW) -> Motif:
    return motif(items, *more, heads=heads)


def _held(thing: list[Item], x: float, y: float, scale: float, turn: float) -> list[Item]:
    return list(motif(thing).placed(x, y, scale, turn).items)


def lute_player() -> Motif:
    """Draw a lute player."""
    return _with(
        person("#2f8a86", 0, "#8a4a22", "long"),
        sleeve("#256f6c", 0, "8.6,-14 12.6,-9 11.6,-13.4"),
        _held(things.lute_items(), -6.6, -1.6, 0.98, 56),
        sleeve("#256f6c", 0, "-9,-14 -11.6,-8 -4,-7"),
        oval(SKINS[0], 10.4, -13.2, 1.6),
    )


def serenade() -> Motif:
    """Draw a singer with a lute, his mouth open."""
    return _with(
        person("#7d2f63", 1, INK, "short"),
        oval(WINE, 0, -21, 1.3, 1.6),
        sleeve("#5f224b", 1, "8.6,-14 12.6,-9 11.6,-13.4"),
        _held(things.lute_items(), -6.6, -1.6, 0.98, 56),
        sleeve("#5f224b", 1, "-9,-14 -11.6,-8 -4,-7"),
        oval(SKINS[1], 10.4, -13.2, 1.6),
        rule(GOLD, 0.7, "9,-27 9,-33 12.6,-34 12.6,-28"),
        oval(GOLD, 8.2, -26.8, 1.1, 0.9),
        oval(GOLD, 11.8, -27.8, 1.1, 0.9),
    )


def fiddler() -> Motif:
    """Draw a fiddler at work."""
    return _with(
        person("#3f7a3f", 1, "#5a341d", "short"),
        _held(things.violin_items(), 1.4, -14.8, 0.8, 78),
        sleeve("#2f6232", 1, "9,-14 14,-8 16.6,-16.6"),
        sleeve("#2f6232", 1, "-9,-14 -12,-8 -6,-9.6"),
        rule(UMBER, 0.9, "-7,-9.4 15,-23.6"),
        rule(PAPER, 0.5, "-5.6,-9 14.6,-22"),
    )


def drummer() -> Motif:
    """Draw a drummer with his drum."""
    return _with(
        person("#2f5fa8", 2, INK, "short", WHITE),
        rule(PAPER, 1.2, "-7,-17 5,-7"),
        _held(list(things.drum().items[:-4]), 0, 0.4, 0.92, 0),
        sleeve("#244c88", 2, "-9,-14 -13,-12 -8,-17.6"),
        sleeve("#244c88", 2, "9,-14 13,-12 8.6,-16.4"),
        rule(UMBER, 1.0, "-9.4,-19 -1.6,-12.6"),
        rule(UMBER, 1.0, "10,-18 2.4,-12.4"),
    )


def organist() -> Motif:
    """Draw an organist before his pipes."""
    pipes = flat(
        *(block(GILT if i % 2 else GOLD, -15.6 + 3.5 * i, -36 + 2 * abs(4 - i), 3.1, 30) for i in range(9)),
        *(poly(INK, f"{-14.8 + 3.5 * i},-9 {-13.3 + 3.5 * i},-9 {-14 + 3.5 * i},-6.6") for i in range(9)),
        block(WINE, -17, -6, 34, 6),
    )
    return _with(
        pipes,
        list(motif(person("#33303f", 0, "#d8d3cc", "long", WHITE)).placed(0, 0, 0.9).items),
        sleeve("#27242f", 0, "-8,-12 -11,-7 -7,-4"),
        sleeve("#27242f", 0, "8,-12 11,-7 7,-4"),
        block(PAPER, -12, -3.6, 24, 2.6),
        *(block(INK, -11 + 2.8 * i, -3.6, 1.2, 1.5) for i in range(8)),
        heads=(Head(0, -25.6, 9),),
    )


def reader() -> Motif:
    """Draw a reader behind a book."""
    return _with(
        person("#8a3f5c", 0, "#3a2a22", "bun"),
        sleeve("#6d2f48", 0, "-9,-14 -13,-8 -7.4,-6"),
        sleeve("#6d2f48", 0, "9,-14 13,-8 7.4,-6"),
        _held(things.open_book(FOREST), 0, -1.4, 0.88, 0),
    )


def scribe() -> Motif:
    """Draw a scribe with a quill."""
    return _with(
        person("#75552f", 0, "#b9b0a4", "bald", beard="#d8d0c2"),
        sleeve("#5c4224", 0, "-9,-14 -13,-8 -7,-5"),
        _held(things.open_book(WINE), -1, -0.4, 0.88, 0),
        sleeve("#5c4224", 0, "9,-14 13.6,-10 8,-8.6"),
        blob(WHITE, "6,-5 8,-12 14,-21 15.6,-20.6 14,-13 9,-8"),
        rule(INK, 0.5, "5,-3.6 14,-19"),
    )


def sleepwalker() -> Motif:
    """Draw a sleepwalker: a white gown, eyes shut, arms out before him."""
    gown = "#eef1f4"
    items = flat(
        blob(gown, "-8,0 -7,-9 -6,-17 -2,-19.4 3,-19 6,-16 7,-8 9,0 4,-1 0,0.6 -4,-1"),
        rule("#bcc6d0", 0.8, "-3,-12 -4,-2"),
        rule("#bcc6d0", 0.8, "2,-12 3,-2"),
        poly(SKINS[0], "-1,-20.6 3,-20.6 3,-17.6 0,-17"),
        oval(SKINS[0], 1, -24.6, 4.5, 5.2),
        blob(UMBER, "-3.6,-20 -4.4,-26 -2,-30.4 2,-31 5.6,-28 3,-27.4 0,-26 -1,-22"),
        curve(INK, 0.7, "0.6,-24.6 1.6,-24 2.6,-24.6"),
        curve(INK, 0.7, "3.6,-24.6 4.4,-24 5.2,-24.6"),
        oval(WINE, 3.6, -21.4, 0.8, 1.0),
        curve(gown, 3.2, "1,-16.6 8,-17 14,-16.4"),
        curve("#cdd6de", 3.0, "3,-14.6 9,-14.4 14,-13.4"),
        *(oval(SKINS[0], x, y, 1.6) for x, y in ((15, -16.4), (15, -13.2))),
    )
    return Motif(tuple(items), (Head(0.6, -28.2, 10, -4),))


def _telescope(turn: float) -> list[Item]:
    tube = flat(
        poly(BRASS, "-2,-1.6 9,-1.9 9,1.9 -2,1.6"),
        poly(GILT, "9,-2.7 19,-3.1 19,3.1 9,2.7"),
        block(WINE, 8, -2.9, 1.8, 5.8),
        block(WINE, 17.6, -3.5, 2, 7),
    )
    return _held(tube, 2.6, -24.8, 0.82, turn)


def stargazer() -> Motif:
    """Draw a stargazer with a telescope at the eye."""
    return _with(
        person("#3a3f86", 0, "#c9822e", "long", GOLD),
        *(star(GOLD, x, y, 1.4) for x, y in ((-6, -9), (-2, -4), (3.4, -8.6), (7.4, -3.4), (-8, -2.6))),
        _telescope(-32),
        sleeve("#2e326c", 0, "8.6,-14 13.4,-17 13,-28"),
        sleeve("#2e326c", 0, "-8.6,-14 -6,-13 5,-23"),
    )


def astronomer() -> Motif:
    """Draw an astronomer: long beard, a globe of rings, a telescope."""
    return _with(
        person("#234f66", 0, "#d8d3cc", "bald", GOLD, beard="#e8e4da"),
        _telescope(-24),
        sleeve("#1b3f52", 0, "8.6,-14 14,-16 13,-27"),
        sleeve("#1b3f52", 0, "-8.6,-14 -12,-9 -7,-7"),
        oval(GILT, -6, -6, 5.2),
        oval("#234f66", -6, -6, 4.2),
        *(oval(tone, -6, -6, rx, ry, 30) for tone, rx, ry in ((GILT, 5, 1.9), ("#234f66", 4.2, 1.2))),
        oval(GOLD, -6, -6, 1.6),
    )


def ferryman() -> Motif:
    """Draw a ferryman with a long pole."""
    return _with(
        person("#4d6b48", 1, "#8a8178", "short", BONE, beard="#8a8178"),
        rule(BROWN, 1.3, "9,3 14,-37"),
        sleeve("#3d5639", 1, "9,-14 13.6,-12 11.4,-17"),
        sleeve("#3d5639", 1, "-9,-14 -11,-7 -2,-8"),
        sleeve("#3d5639", 1, "-4,-8.6 3,-7 10,-8.6"),
    )


def gardener() -> Motif:
    """Draw a gardener with a watering can and a sunflower."""
    from companion.games.collectible.art import flora

    return _with(
        person("#5f8f3a", 1, "#4a2d1c", "short", BONE),
        block("#3f6f9c", -5, -12, 10, 12),
        rule(FOREST, 1.1, "-10.6,-4 -12,-24"),
        _held(flora.sunflower(), -12, -26, 1.0, -10),
        sleeve("#4b7430", 1, "-9,-14 -13,-9 -10.8,-11"),
        sleeve("#4b7430", 1, "9,-14 13,-9 10.4,-7.4"),
        poly("#c9502f", "5.4,-7 14,-7 13,0.4 6.4,0.4"),
        rule("#c9502f", 1.2, "13,-2 18.4,-8.6"),
        rule("#c9502f", 2.4, "17.6,-9 19.6,-7.4"),
    )


def rose_seller() -> Motif:
    """Draw a rose seller with her basket."""
    from companion.games.collectible.art import flora

    places = ((-6, -11.4), (-2, -13), (2, -13), (6, -11.4), (0, -10))
    return _with(
        person("#c9746a", 2, INK, "long", WHITE),
        *(_held(flora.rose(), x, y, 0.78, 0) for x, y in places),
        poly("#c9903f", "-10,-9.6 10,-9.6 7.6,0.4 -7.6,0.4"),
        rule(BROWN, 0.7, "-9.4,-6.4 9.4,-6.4"),
        rule(BROWN, 0.7, "-8.6,-3.4 8.6,-3.4"),
        sleeve("#a95a54", 2, "-9,-14 -13.6,-9 -9,-5"),
        sleeve("#a95a54", 2, "9,-14 13.6,-9 9,-5"),
    )


def baker() -> Motif:
    """Draw a baker with a tray of bread."""
    loaf = "#d99545"
    return _with(
        person("#f2ece0", 1, "#6a3f22", "bald", RED, beard="#6a3f22"),
        block(RED, -5.6, -15, 11.2, 15),
        *(blob(loaf, f"{x - 3},-8.4 {x - 2.6},-11.4 {x},-12.6 {x + 2.6},-11.4 {x + 3},-8.4") for x in (-7, 0, 7)),
        *(rule(UMBER, 0.5, f"{x - 0.6},-11.6 {x + 0.6},-10") for x in (-8, -6, -1, 1, 6, 8)),
        block(BROWN, -12.6, -8.6, 25.2, 1.9),
        sleeve("#d8d0c2", 1, "-9,-14 -14,-10 -10.6,-7.4"),
        sleeve("#d8d0c2", 1, "9,-14 14,-10 10.6,-7.4"),
    )


def bathers() -> Motif:
    """Draw two bathers in the water up to their shoulders."""
    one = motif(person("#f0c8a0", 0, "#a8542a", "bun", "#e0b48a")).placed(-7.4, 2, 0.9)
    two = motif(person("#9b6540", 2, INK, "short", "#85532f")).placed(8.4, 3.4, 0.86)
    waves = flat(
        blob(BLUE, "-18,0 -18,-6.6 -13,-9.4 -8,-7.6 -3,-9.4 2,-7.6 7,-9.4 12,-7.8 18,-8.6 18,0", 3),
        curve("#bfe3ee", 1.0, "-16,-5 -11,-6.2 -6,-4.8 -1,-6.2"),
        curve("#bfe3ee", 1.0, "2,-3 6,-4.2 10,-2.8 15,-4.2"),
    )
    return motif(two.items, one.items, waves, heads=[Head(-7.4, -23.4, 9)])


def plain_man() -> Motif:
    """Draw a man whose hat is what matters."""
    return _with(
        person("#5a4a78", 1, "#4a2d1c", "short", GILT),
        sleeve("#463a60", 1, "-9,-14 -12.6,-8 -3,-7"),
        sleeve("#463a60", 1, "9,-14 12.6,-8 3,-7"),
    )


def lady() -> Motif:
    """Draw a lady whose bonnet is what matters."""
    return _with(
        person("#c9866f", 0, "#8a5a2b", "long", WHITE),
        sleeve("#a96a58", 0, "-9,-14 -12.6,-8 -3,-7"),
        sleeve("#a96a58", 0, "9,-14 12.6,-8 3,-7"),
    )


def bishop() -> Motif:
    """Draw a bishop with his staff."""
    return _with(
        person("#f4efe2", 0, "#cfc8bc", "short", WINE, beard="#e6e0d4"),
        poly(WINE, "-2,-15 2,-15 3,0.6 -3,0.6"),
        star(GOLD, 0, -8, 2.0, inner=0.36, tips=4),
        rule(GILT, 1.3, "12,0.6 12,-28"),
        curve(GILT, 1.5, "12,-28 12,-33 16,-34.4 17.6,-31 15,-29.4"),
        sleeve("#dcd3c0", 0, "9,-14 13,-10 12,-13.6"),
        sleeve("#dcd3c0", 0, "-9,-14 -12,-8 -5,-7"),
    )


_COATS = (
    ("#2f8a86", "#256f6c"),
    ("#7d2f63", "#5f224b"),
    ("#3f7a3f", "#2f6232"),
    ("#8a3f5c", "#6d2f48"),
    ("#2f5fa8", "#244c88"),
    ("#b5562a", "#8f4220"),
    ("#c08a24", "#97691a"),
)
"""Cloth and its shade, as people wear it who may change it."""


def varied(figure: Motif, seed: int) -> Motif:
    """Draw people with another coat, hair and skin in every picture, so that no two readers are alike."""
    swap: dict[str, str] = {}
    for tones, step in ((_COATS, seed % 7), (tuple((tone,) for tone in SKINS), seed // 7 % 4)):
        for i, kinds in enumerate(tones):
            swap |= dict(zip(kinds, tones[(i + step) % len(tones)], strict=True))
    if not any(isinstance(item, Shape) and item.fill in {coat for coat, _ in _COATS} for item in figure.items):
        return figure
    skins = [swap[item.fill] for item in figure.items if isinstance(item, Shape) and item.fill in SKINS]
    if skins and skins[0] in SKINS[2:]:
        swap |= dict.fromkeys(("#8a4a22", "#5a341d", "#3a2a22"), INK)
    items: list[Item] = []
    for item in figure.items:
        if isinstance(item, Shape):
            items.append(Shape(item.loops, swap.get(item.fill, item.fill)))
        elif isinstance(item, Line):
            items.append(Line(item.points, item.width, swap.get(item.colour, item.colour)))
    return Motif(tuple(items), figure.heads)
