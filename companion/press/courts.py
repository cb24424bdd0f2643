"""The court cards and the jokers: half-length figures, drawn twice with a sash between the halves.

Parts (hair, clothes, …) are pictures of `card_codes/standard/art`, in mm of a 63 × 88 card round the face's middle.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from companion.kept import kept
from companion.press.drawing import (
    CAP,
    Colour,
    Item,
    Shape,
    Text,
    box,
    circle,
    clip,
    cut,
    fitted,
    moved,
    text_width,
)
from companion.press.figures import TINTS, Tint, mix
from companion.press.look import INSET, RIM, Room
from companion.press.pictures import Mark, filled, picture
from companion.press.suits import GOLD, NAME, SMALL, pip, suit_tint


@dataclass(frozen=True)
class Livery:
    """The colours of a figure: its suit's, a second one beside it, its skin, and its hair."""

    tone: Tint
    second: Colour
    skin: Colour
    hair: Colour
    suit: str = ""

    @property
    def tones(self) -> dict[str, Colour]:
        """The colours by the names that the parts' files use."""
        return {
            "main": self.tone.main,
            "dark": self.tone.dark,
            "pale": self.tone.pale,
            "second": self.second,
            "skin": self.skin,
            "shade": mix(self.skin, "#5a2a10", 0.2),
            "line": mix(self.skin, "#5a2a10", 0.5),
            "hair": self.hair,
            "sheen": mix(self.hair, "#ffffff", 0.24),
        }


_LIVERIES = {
    "clubs": ("#c3d65f", "#e3b083", "#6b3f22"),
    "diamonds": ("#93cbf0", "#f6d9ba", "#d9a23c"),
    "hearts": ("#f4ab86", "#a9693f", "#2c1b16"),
    "spades": ("#aebac2", "#f0d8c4", "#15191c"),
}
"""Each suit's second colour, skin and hair."""
_GREY = {"diamonds": "#8d979e", "hearts": "#efe9de", "spades": "#39434a"}
"""The hair of kings, who are older."""

FIGURES = {
    ("clubs", "J"): ("bob", "tunic", "face", "smile", "fringe", "beret", "lute"),
    ("diamonds", "J"): ("short", "tunic", "face", "calm", "peaked-hat", "spear"),
    ("hearts", "J"): ("ringlets", "tunic", "face", "smile", "turban", "letter"),
    ("spades", "J"): ("straight", "tunic", "face", "calm", "helmet", "bow"),
    ("clubs", "Q"): ("waves", "gown", "face", "lashes", "smile", "necklace", "parting", "wreath", "bird"),
    ("diamonds", "Q"): ("straight", "gown", "face", "lashes", "calm", "necklace", "fringe", "tiara", "mirror"),
    ("hearts", "Q"): ("curls", "gown", "face", "lashes", "smile", "necklace", "coronet", "rose"),
    ("spades", "Q"): ("veil", "straight", "gown", "face", "lashes", "calm", "necklace", "parting", "moon", "book"),
    ("clubs", "K"): ("bob", "cloak", "face", "full-beard", "trefoil-crown", "sceptre"),
    ("diamonds", "K"): ("short", "cloak", "face", "pointed-beard", "walled-crown", "axe"),
    ("hearts", "K"): ("ringlets", "cloak", "face", "forked-beard", "domed-crown", "sword"),
    ("spades", "K"): ("straight", "cloak", "face", "square-beard", "spiked-crown", "moon-staff"),
}
JESTERS = {
    "red": ("motley", "face", "grin", "three-horns", "bauble"),
    "black": ("ears", "harlequin", "face", "smile", "hood", "mask", "balls"),
}
"""What figures are put together of, from back to front."""


@kept()
def figure(parts: tuple[str, ...], livery: Livery) -> tuple[Item, ...]:
    """Draw a figure of some parts round the middle of its face."""
    colours = {"main": livery.tone.main, "gold": GOLD, "white": "#ffffff"}

    def sign(mark: Mark) -> list[Item]:
        return pip(livery.suit, colours[mark.name.removeprefix("pip-")], SMALL)

    return tuple(item for part in parts for item in filled(picture("standard", part), livery.tones, sign))


def court(suit: str, letter: str, title: str, room: Room) -> list[Item]:
    """Draw the two halves of a court card and the sash with its name; nothing for other cards."""
    if (suit, letter) not in FIGURES:
        return []
    tone, (second, skin, hair) = suit_tint(suit), _LIVERIES[suit]
    livery = Livery(tone, second, skin, _GREY.get(suit, hair) if letter == "K" else hair, suit)
    return doubled(figure(FIGURES[suit, letter], livery), livery, title, room)


def jester(colour: str, title: str, room: Room) -> list[Item]:
    """Draw a joker: a laughing jester with a bauble, or a masked one who juggles."""
    second, skin = ("#f7cf6b", "#f3cfae") if colour == "red" else ("#9fb0ba", "#c98f63")
    livery = Livery(TINTS.get(colour, TINTS["black"]), second, skin, "#39434a")
    return doubled(figure(JESTERS.get(colour, JESTERS["black"]), livery), livery, title, room)


SASH = 5.6
"""Width (mm) of the band between the two halves."""


def doubled(half: Sequence[Item], livery: Livery, title: str, room: Room) -> list[Item]:
    """Put a figure on a card twice, once upside-down, with a halo behind the head and a sash between the halves."""
    w, h, edge, tone = room.shape.w, room.shape.h, INSET + RIM, livery.tone
    right = w - edge
    # beside the code the head stands far to the right; without codes nearer to the middle, and larger
    x, y, scale, drop = (0.733, 0.172, 1.0, 0.222) if room.coded else (0.635, 0.185, 1.1, 0.16)
    start, end = (edge, h * (0.5 - drop)), (right, h * (0.5 + drop))
    angle = math.degrees(math.atan2(end[1] - start[1], end[0] - start[0]))
    halo = Shape((circle(0, -0.5, 12.6),), mix(tone.pale, livery.second, 0.45))
    # turned so that the sash lies level, the upper half is what lies above it
    level = moved(moved([halo, *half], w * (x - 0.5), h * (y - 0.5), scale=scale), 0, 0, rotation=-angle)
    above = moved(cut(level, -w - h, -w - h, w + h, 0), w / 2, h / 2, rotation=angle)
    upper = cut(above, edge, edge, right, h)
    items = [*upper, *moved(upper, w, h, rotation=180)]
    for wide, colour in ((SASH, GOLD), (SASH - 1.0, tone.dark)):
        band = moved([Shape((box(-w, -wide / 2, 2 * w, wide),), colour)], w / 2, h / 2, rotation=angle)
        items += [
            Shape((clip(s.loops[0], edge, start[1], right, end[1]),), colour) for s in band if isinstance(s, Shape)
        ]
    size, _ = fitted(title, NAME, 44, 9, bold=True)
    words: list[Item] = [Text(0, CAP * size / 2, title, size, "#ffffff", bold=True)]
    reach = text_width(title, size, True) / 2 + 4.0
    for side in (-1, 1):
        words += moved(pip(livery.suit, GOLD, SMALL), side * reach, 0.0, scale=1.6, rotation=90 - 90 * side)
    return [*items, *moved(words, w / 2, h / 2, rotation=angle)]
