"""What a card does, as a row of signs: for collection cards, scenarios and roles.

A sign is a width and what is drawn round its middle. What is not understood of an effect is left out, since the rules
refuse it before it is ever printed.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.collection.art import emblems
from companion.games.collection.art.brush import DEEP, GREEN, INK, RED, WHITE, Brush
from companion.press.drawing import CAP, Colour, Item, Line, Shape, Text, box, moved, text_width

Sign = tuple[float, list[Item]]
"""How wide (mm) a sign is, and its items round (0, 0)."""
TALL = 5.4
"""Height (mm) of the tallest sign at scale 1."""
EVERY = "ABC"
"""The scenarios that "all" stands for."""


def signs(effect: str) -> list[list[Sign]]:
    """Draw an effect: a row of signs for each of its clauses."""
    rows = [_clause(clause.split()) for clause in effect.split(";")]
    return [row for row in rows if row]


def _clause(words: Sequence[str]) -> list[Sign]:
    match words:
        case ["expand", where]:
            return [(6.8, _expanding(where)), ladder(1, RED)]
        case ["crisis", where, by]:
            return [stones(where), ladder(_number(by), RED if _number(by) > 0 else GREEN)]
        case ["response", who, where, by]:
            return [collector(who), tab(where), ladder(_number(by), GREEN if _number(by) > 0 else RED)]
        case ["gem", who, where, colour, by]:
            return [(5.2, moved(emblems.gem(colour), 0, 0, scale=2.6)), signed(_number(by)), collector(who), tab(where)]
        case ["action", by]:
            return [(5.2, moved(emblems.sign("extra-action"), 0, 0, scale=2.6)), signed(_number(by))]
        case ["move", by]:
            return [(5.6, moved(emblems.sign("free-move"), -0.4, 0, scale=2.4)), signed(_number(by))]
        case ["die", by]:
            return [(5.0, moved(emblems.sign("die"), 0, 0, scale=2.55)), signed(_number(by))]
        case ["skip", by]:
            return [(5.4, moved(emblems.sign("skipped"), 0, 0, scale=2.5)), number(abs(_number(by)))]
    return []


def _number(by: str) -> int:
    try:
        return int(by)
    except ValueError:
        return 1


def _expanding(where: str) -> list[Item]:
    return [*moved(emblems.burst(), 0, 0, scale=3.4), *moved(emblems.crisis(_letter(where), 1.15), 0, 0, scale=1.95)]


def _letter(where: str) -> str:
    return "?" if where == "any" else where


def stones(where: str) -> Sign:
    """Draw the stone of a scenario's crisis, or those of all."""
    letters = EVERY if where == "all" else _letter(where)
    step, items = 4.2, []
    for i, letter in enumerate(letters):
        items += moved(emblems.crisis(letter), (i - (len(letters) - 1) / 2) * step, 0, scale=2.2)
    return 4.2 + step * (len(letters) - 1), items


def ladder(by: int, colour: Colour) -> Sign:
    """Draw an arrow up or down and by how much."""
    wide = _wide(abs(by))
    arrow = moved(emblems.arrow(by > 0, colour), -wide / 2 - 0.2, 0, scale=2.4)
    return 3.9 + wide + 0.5, [*arrow, _digits(abs(by), 2.05)]


def signed(by: int) -> Sign:
    """Draw a number with its sign."""
    wide = _wide(abs(by))
    x = -wide / 2 - 0.2
    items: list[Item] = [Line(((x - 1.1, 0.0), (x + 1.1, 0.0)), 0.75, INK)]
    if by > 0:
        items.append(Line(((x, -1.1), (x, 1.1)), 0.75, INK))
    return 3.2 + wide, [*items, _digits(abs(by), 1.6)]


def number(by: int, colour: Colour = INK) -> Sign:
    """Draw a number."""
    return _wide(by), [_digits(by, 0.0, colour)]


def _wide(by: int) -> float:
    return text_width(str(by), 5.4, True)


def _digits(by: int, x: float, colour: Colour = INK) -> Item:
    return Text(x, CAP * 5.4 / 2, str(by), 5.4, colour, bold=True)


def collector(who: str) -> Sign:
    """Draw a collector's coin: with a milled edge, drawn long for its name."""
    name, size = "?" if who == "any" else who, 2.75
    wide = max(4.8, text_width(name, size, True) + 2.6)
    b = Brush()
    b.box("#8a6412", -wide / 2, -2.4, wide, 4.8, 2.4)
    count = max(1, round((wide - 4.0) / 0.95))
    for i in range(count + 1):
        x = -wide / 2 + 2.0 + (wide - 4.0) * i / count
        for y in (-2.4, 2.4):
            b.box("#8a6412", x - 0.26, y - 0.32, 0.52, 0.64)
    b.box("#f6e7ba", -wide / 2 + 0.5, -1.9, wide - 1.0, 3.8, 1.9)
    b.word(0, 0, name, size, INK)
    return wide, b.items


def tab(where: str) -> Sign:
    """Draw a scenario's letter on a tab, or those of all scenarios."""
    said = EVERY if where == "all" else _letter(where)
    wide = text_width(said, 3.4, True) + 1.5
    items: list[Item] = [Shape((box(-wide / 2, -2.1, wide, 4.2, 0.6),), DEEP)]
    return wide, [*items, Text(0, CAP * 3.4 / 2, said, 3.4, WHITE, bold=True)]


def row(parts: Sequence[Sign], x: float, y: float, wide: float, *, scale: float = 1.0, gap: float = 1.0) -> list[Item]:
    """Return signs beside each other round (x, y), smaller if they need more than `wide` mm."""
    total = sum(width for width, _ in parts) + gap * (len(parts) - 1)
    scale = min(scale, wide / total) if total else scale
    at, items = x - total * scale / 2, []
    for width, sign in parts:
        items += moved(sign, at + width * scale / 2, y, scale=scale)
        at += (width + gap) * scale
    return items


def joined(rows: Sequence[Sequence[Sign]]) -> list[Sign]:
    """Return the clauses of an effect as one row, with a bar between them."""
    bar: Sign = (1.0, [Line(((0.0, -2.2), (0.0, 2.2)), 0.35, "#8b9a93")])
    parts: list[Sign] = []
    for i, clause in enumerate(rows):
        parts += [bar, *clause] if i else clause
    return parts


def stack(rows: Sequence[Sequence[Sign]], w: float, h: float) -> list[Item]:
    """Return clauses below each other round (0, 0), within w × h mm: one sign a line, or two if they are many."""
    lines: list[Sequence[Sign]] = [[sign] for clause in rows for sign in clause]
    if len(lines) > 3:
        lines = [clause[i : i + 2] for clause in rows for i in range(0, len(clause), 2)]
    if not lines:
        return []
    high = h / len(lines)
    scale = min(1.05, (high - 0.5) / TALL)
    step = min(high, TALL * scale + 1.2)
    items: list[Item] = []
    for i, line in enumerate(lines):
        items += row(line, 0, (i - (len(lines) - 1) / 2) * step, w, scale=scale, gap=0.6)
    return items


def reports(traits: dict[str, str]) -> list[list[Sign]]:
    """Draw the reports that a scenario needs: gem and number of each kind."""
    rows = []
    for kind in emblems.COLOURS:
        said = traits.get(kind, "0")
        if said.isdecimal() and int(said):
            rows.append([(4.9, moved(emblems.gem(kind), 0, 0, scale=2.45)), number(int(said))])
    return rows


def names(said: str) -> list[str]:
    """Return the words of a trait that lists them with commas."""
    return [name.strip() for name in said.split(",") if name.strip()]


def abilities(traits: dict[str, str]) -> list[list[Sign]]:
    """Draw what a role may do, in three rows: gems that it places, where its reports go, what others gain."""
    kinds = names(traits.get("colours", ""))
    r = 2.5 if len(kinds) == 1 else 1.95
    places: list[Sign] = [(2 * r, moved(emblems.gem(kind), 0, 0, scale=r)) for kind in kinds]
    if traits.get("dice") == "half":
        places.append((4.4, moved(emblems.sign("half"), 0.3, 0, scale=2.2)))
    elif places:
        places.append((4.4, moved(emblems.sign("die"), 0, 0, scale=2.2)))
    uses = names(traits.get("uses", ""))
    goes: list[Sign] = []
    if "circle" in uses:
        goes.append((4.8, moved(emblems.sign("reports"), 0, 0, scale=2.3)))
    if "crisis" in uses:
        goes.append((3.8, moved(emblems.crisis(""), 0, 0, scale=2.0)))
        goes.append((3.4, moved(emblems.arrow(False, GREEN), 0, 0, scale=1.9)))
    gains: list[Sign] = []
    levels = names(traits.get("levels", ""))
    if traits.get("die"):
        gains = [
            (4.4, moved(emblems.sign("die"), 0, 0, scale=2.2)),
            signed(1),
            (3.8, moved(emblems.gem(traits["die"]), 0, 0, scale=1.8)),
        ]
    elif levels:
        said = ["?"] if len(levels) > 3 else levels
        gains = [(2.8, moved(emblems.arrow(True, GREEN), 0, 0, scale=1.7)), *(collector(name) for name in said)]
    return [row for row in (places, goes, gains) if row]
