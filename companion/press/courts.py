"""The court cards and the jokers: half-length figures, drawn twice with a sash between the halves.

A figure is put together of parts: hair, clothes, a face, a hat, what it holds. Parts are written down as sketches, one
stroke a line, in mm of a card of 63 × 88, round the middle of the figure's face. See `sketch` for the language.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

from companion.press.drawing import (
    CAP,
    Item,
    Shape,
    Text,
    box,
    circle,
    clip,
    fitted,
    moved,
    text_width,
)
from companion.press.figures import TINTS, mix
from companion.press.look import INSET, RIM, Room
from companion.press.sketches import Livery, cut, sketch
from companion.press.suits import GOLD, NAME, pip, suit_tint

HEADS = {
    "face": """
        polygon shade -2,3 2,3 2,8.2 0,10.4 -2,8.2
        even skin 0,-5.8 2.7,-5.2 4.25,-2.4 4.1,0.9 2.9,4.1 1.3,5.7 0,6.1
        smooth shade 0,-5.8 2.7,-5.2 4.25,-2.4 4.1,0.9 2.9,4.1 1.3,5.7 0.1,6.1 0,4.4 -0.05,2.6 -0.9,2 -0.4,0.4 -0.1,-2
        polygon2 white 0.9,-0.4 1.4,-0.85 1.95,-1 2.5,-0.85 3,-0.4 2.5,-0.1 1.95,0 1.4,-0.1
        dots2 ink 0.5 1.95,-0.55
        line2 ink 0.28 0.9,-0.4 1.4,-0.88 1.95,-1.04 2.5,-0.88 3,-0.4
        curve2 ink 0.45 1,-2 1.6,-2.5 2.4,-2.5 3.1,-1.9
        """,
    "calm": "halves lip 0,3.35 0.7,3.3 1.3,3.55 0.7,4.2 0,4.35",
    "smile": "halves lip 0,3.6 0.8,3.4 1.7,3 1.1,4.2 0,4.75",
    "grin": """
        halves ink 0,3.1 1.4,2.9 2.7,2.2 2.1,3.9 1.1,4.9 0,5.1
        halves white 0,3.1 1.4,2.9 2.5,2.3 1.9,3.4 0,3.9
        dots2 lip 0.85 3,1.6
        """,
    "lashes": "line2 ink 0.34 1.2,-0.8 1.95,-1.08 2.5,-0.92 3,-0.45 3.6,-0.95",
    "bob": "even hair 0,-7.2 4.6,-6.4 6.2,-2 6.8,3.4 6,6.6 3.4,6.2 2.6,3 0,2",
    "short": "even hair 0,-7.2 4.2,-6.6 5.4,-2.8 5,1.6 4,3 0,2",
    "waves": "even hair 0,-7.6 4.6,-6.6 6.3,-2.2 5.7,1.4 7.3,5 6.5,8.6 8.2,12.6 6.6,16.5 4.4,12 0,9",
    "straight": "even hair 0,-7.6 4.4,-7 6.6,-3 7,8.6 3,9.2 0,8",
    "veil": "even second 0,-7.8 4.8,-6.8 7,-1 8.6,9 10,19 4,18 0,17",
    "curls": """
        dots hair 6.6 0,-0.4
        dots2 hair 2.5 0,-5.8 2.6,-5.3 4.9,-3.8 6.5,-1.4 7,1.2 6.6,3.8 7,6.4 5.6,8.6
        """,
    "ringlets": "dots2 hair 1.9 2.2,-6.2 4.6,-4.4 5.3,-1.4 5.4,1.6 4.9,4.3",
    "fringe": "halves hair 0,-6.6 4.6,-6.2 4.5,-2.7 0,-2.7",
    "parting": "polygon2 hair 0.2,-6.8 0.9,-4.7 2.4,-3.4 3.6,-1.6 4.1,0.6 5.2,0.4 5,-5 2.6,-7.2",
    "full beard": """
        even hair 0,3.2 2.4,3 4.3,-0.6 5.2,3 4.4,7.4 2,9.8 0,10.3
        even sheen 0,2.5 1.6,2.3 3.4,3.5 2.4,4 0,3.5
        even lip 0,3.9 1.2,3.95 0,4.7
        """,
    "pointed beard": """
        halves hair 0,4.7 1.9,4.7 1.6,7 0,11
        even lip 0,3.7 1.2,3.75 0,4.5
        curve2 hair 0.8 0.3,3 2,2.6 3.4,4.6 5,2.4
        """,
    "forked beard": """
        even hair 0,3.4 2.4,3 4.3,-0.4 5.4,4 4.6,9 3,13.4 1.4,9.8 0,8.8
        even white 0,2.5 1.6,2.3 3.8,3.9 2.4,4.1 0,3.5
        even lip 0,3.9 1.2,3.95 0,4.7
        """,
    "square beard": """
        halves hair 0,2.8 2.6,3 4,-1 4.8,2 4.4,10.8 0,10.8
        even sheen 0,2.4 1.6,2.2 3.4,3.5 2.4,4 0,3.4
        even lip 0,3.8 1.2,3.85 0,4.6
        line2 sheen 0.35 0,5.8 0,10.1
        line2 sheen 0.35 1.5,5.8 1.5,10.1
        line2 sheen 0.35 3,5.4 3,10.1
        """,
}

HATS = {
    "trefoil crown": """
        halves gold 0,-8.4 1.6,-7.2 4.4,-9.2 5.4,-6.6 5,-3.7 0,-4.3
        halves deep 0,-5.6 5,-5 4.9,-3.6 0,-4.2
        pips2 gold 1.9 0,-9.9 5,-9.2
        dots2 white 0.55 0,-4.9 3,-4.7
        """,
    "walled crown": """
        halves gold 0,-10.2 1.5,-10.2 1.5,-8.2 3.3,-8.2 3.3,-10.2 5.8,-10 5,-3.7 0,-4.3
        halves deep 0,-5.6 5,-5 4.9,-3.6 0,-4.2
        pips2 main 1.15 0,-7.4 3.6,-7.1
        """,
    "domed crown": """
        even main 0,-9.6 3.4,-9.3 5.2,-7 4.6,-4.4 0,-4.6
        curve2 gold 1.1 4.6,-4.6 6.4,-8 3.2,-10.6 0,-9.6
        line gold 1.1 0,-4.6 0,-9.6
        halves deep 0,-5.9 5.1,-5.2 4.9,-3.6 0,-4.3
        pips gold 1.5 0,-10.4
        dots2 white 0.55 0,-5 3,-4.7
        """,
    "spiked crown": """
        halves gold 0,-11.8 1.3,-6.9 3.4,-10.8 3.9,-6.7 6.4,-9.4 5,-3.7 0,-4.3
        halves deep 0,-5.6 5,-5 4.9,-3.6 0,-4.2
        dots2 steel 0.65 0,-4.9 3,-4.6
        """,
    "wreath": """
        smooth2 main 0.2,-6 1.4,-8.4 4,-8.6 2.6,-6.6
        smooth2 second 2.4,-5.6 4.4,-7.6 6.8,-6.8 4.8,-5
        smooth2 main 4.2,-4.2 6.8,-5.2 8.4,-3.4 5.8,-2.8
        smooth2 second 5,-2.2 7.4,-2 8,0.6 5.8,-0.4
        smooth second 0,-5.4 1.2,-7.6 0,-10.4 -1.2,-7.6
        dots2 gold 1 0,-6.4 3.5,-5.2
        """,
    "tiara": """
        halves gold 0,-11.6 1.9,-7.6 3.6,-8.8 5.2,-6.2 4.9,-3.7 0,-4.3
        halves deep 0,-5.5 5,-5 4.9,-3.6 0,-4.2
        pips main 1.6 0,-8
        pips2 white 0.9 3.3,-6.6
        """,
    "coronet": """
        halves gold 0,-7.6 1.5,-7.4 3,-9 4.4,-6.6 4,-4.6 0,-4.9
        halves deep 0,-5.9 4.1,-5.5 4,-4.4 0,-4.7
        pips main 2 0,-8.8
        dots2 gold 0.9 3,-9.4
        """,
    "moon": """
        smooth gold 0,-6.6 2.4,-7.6 3.2,-9.8 2.6,-12 2.2,-10 0,-8.6 -2.2,-10 -2.6,-12 -3.2,-9.8 -2.4,-7.6
        halves deep 0,-6.9 4.9,-5.2 4.9,-3.7 0,-4.5
        dots2 white 0.7 0,-5.5 2.6,-4.9
        """,
    "beret": """
        smooth white -4.6,-5 -8,-7 -9.6,-10 -8.8,-11.8 -6.4,-10.6 -4.6,-8
        curve dark 0.35 -4.6,-5 -6.2,-7.6 -7.2,-9 -8.4,-10.8
        smooth main -5.2,-3.8 -6.6,-6.2 -3.6,-9 2,-9.6 7,-7.6 7.4,-5 4.8,-3.6 0,-4.4
        curve second 1.2 -4.9,-3.9 -2,-4.9 2,-4.9 4.9,-3.9
        dots gold 1.1 -4.5,-5
        """,
    "peaked hat": """
        smooth main -4.9,-4.2 -3.8,-8.6 -0.4,-11 2.6,-9 5.2,-4.4 0,-5
        smooth dark 2,-5 3.6,-8.6 6.6,-10.4 9,-10.8 8,-7.8 5.6,-5.8
        polygon second -8.4,-4.6 -4.6,-3 4.8,-3.2 6.6,-6.4 3,-5 -3.6,-5.2
        pips gold 1.3 2.2,-5.4
        """,
    "turban": """
        even main 0,-10.6 4,-9.6 5.8,-6.6 5,-3.6 0,-4.6
        curve2 second 0.4 2.2,-9.4 1.4,-8.2 0.6,-6 0,-5.2
        curve2 second 0.4 4.4,-8 2.6,-6.8 0.6,-6 0,-5.2
        curve second 1.5 -5,-4 -2,-5.2 2,-5.2 5,-4
        pips gold 1.6 0,-6.4
        """,
    "helmet": """
        smooth main 0.4,-8.6 -1.2,-11.2 3,-11.4 7.4,-9.8 9.2,-5.4 8.6,-1.4 6.4,-5.2 3.4,-8
        even steel 0,-9.4 3.6,-8.4 5.4,-4.6 5.2,-2.9 0,-3.3
        smooth iron 0.1,-9.4 3.6,-8.4 5.4,-4.6 5.2,-2.9 2.6,-3.2 0.1,-3.3
        polygon2 iron 0,-4.4 0.75,-4.4 0.5,1.8 0,1.8
        polygon2 iron 3.9,-3.6 5.4,-3.6 5.2,3.2 3.6,4.6
        curve gold 1.1 -5.2,-3.3 -2,-3.9 2,-3.9 5.2,-3.3
        dots gold 0.9 0,-8.9
        """,
    "three horns": """
        smooth main -1,-4.6 -2.6,-8.4 -7,-9.6 -10.6,-6 -11.4,-1.6 -9.4,-1.4 -8.2,-4.4 -6,-4.6 -4.6,-1.6
        smooth dark 1,-4.6 2.6,-8.4 7,-9.6 10.6,-6 11.4,-1.6 9.4,-1.4 8.2,-4.4 6,-4.6 4.6,-1.6
        smooth second -3.4,-5 -2.8,-8.6 -0.4,-11 3.4,-11.4 5,-9.6 2.8,-8.8 3.2,-5
        polygon gold -5,-3 -4.8,-5 0,-6 4.8,-5 5,-3 3.4,-4.2 1.8,-2.6 0,-4 -1.8,-2.6 -3.4,-4.2
        dots gold 1.3 -10.5,-0.6 10.5,-0.6 5.4,-9.4
        dots deep 0.45 -10.5,-0.2 10.5,-0.2 5.4,-9
        """,
    "ears": """
        even main 0,-8 4.2,-7 6,-2.6 5.8,3.4 4.4,7.4 0,7
        smooth2 main 1,-6 2,-10.4 6.2,-11.6 9.8,-9 11.4,-4.6 9.6,-5.6 7,-6.4 5.4,-3.4
        smooth2 second 3.4,-7.8 5.8,-9.8 8.6,-8.2 6.4,-7.8
        dots2 gold 1.2 11.2,-3.4
        """,
    "hood": """
        halves main 0,-7 4.6,-5.6 4.6,-2.4 2.6,-3.6 0,-1.8
        dots gold 0.9 0,-4.9
        """,
    "mask": """
        even ink 0,-1.1 2,-2.2 4.6,-2 4.2,0.6 2.2,1.3 0.8,0.4 0,0.3
        polygon2 white 1,-0.3 1.8,-1.1 3.2,-1 2.7,-0.1 1.8,0.1
        dots2 ink 0.42 2,-0.5
        polygon second 2.6,2.6 3.3,1.6 4,2.6 3.3,3.6
        """,
}

CLOTHES = {
    "tunic": """
        polygon main 0,7 -2.6,7.2 -9.6,9.6 -12.4,13 -14.5,26 -16,60 0,60
        line dark 1.1 -11,14 -12.8,60
        line dark 1.1 -7.6,13.7 -8.8,60
        line dark 1.1 -4.2,13.4 -4.9,60
        polygon second 0,7 2.6,7.2 9.6,9.6 12.4,13 14.5,26 16,60 0,60
        pips main 1.75 5,18 9.4,23 5,28 9.4,33 5,38
        polygon2 white 0,9 2.4,6.6 6.4,8.4 8,12.4 4.4,13.6 0,12
        line2 dark 0.4 2.4,6.6 6.4,8.4 8,12.4 4.4,13.6 0,12 0,9
        dots gold 0.95 0,15.5 0,20 0,24.5 0,29 0,33.5 0,38
        """,
    "gown": """
        polygon2 dark 7.6,20 12.2,20 13.6,34 15,60 8,60
        smooth2 second 6.6,9.4 10.4,9.6 13.4,13.6 13.2,19.6 9.6,22.4 6.4,18
        curve2 main 0.6 8.2,11 9.8,15 9.6,18 8.2,20.6
        curve2 main 0.6 10.6,11.4 12.2,15.4 12,18.4 10.6,21
        line2 gold 1.3 7.8,21.8 12.4,21
        halves main 2.4,8 7.4,9.6 9.6,14 9,26 13,60
        halves second 3.4,12 3,22 6,60
        line2 gold 0.6 3.4,13.2 3,22 6,60
        even skin 0,5.8 2,6.4 5.6,9.2 4.4,12.4 0,15
        pips main 1.7 0,19.5 0,25 0,30.5 0,36
        """,
    "necklace": """
        dots2 white 0.62 0,11 1.25,10.8 2.4,10.2 3.2,9.2 3.5,8.2
        pips main 1.1 0,12.9
        """,
    "cloak": """
        halves main 2,6.6 10,8.6 14.4,13 17,30 19,60
        halves second 5,12 5,24 7.6,60
        line2 gold 1.5 5,12 5,24 7.6,60
        line2 dark 0.7 8.2,17 10.7,60
        line2 dark 0.7 11.4,17 14.8,60
        pips main 2.2 0,22.4 0,28.6 0,34.8 0,41
        even dark 0,9 2.6,6 9.3,7.2 12.8,12.2 7.8,17 0,18.8
        even white 0,9.4 2.6,6.4 9,7.6 12.4,12.2 7.6,16.6 0,18.4
        polygon2 ink 3.8,10.1 4.2,8.6 4.6,10.1
        polygon2 ink 7,11.3 7.4,9.8 7.8,11.3
        polygon2 ink 4.8,14.1 5.2,12.6 5.6,14.1
        polygon2 ink 9.2,13.3 9.6,11.8 10,13.3
        polygon2 ink 2,16.7 2.4,15.2 2.8,16.7
        """,
    "motley": """
        polygon main 0,7 -2.6,7.2 -9.6,9.6 -12.4,13 -14.5,26 -16,60 0,60
        polygon second 0,7 2.6,7.2 9.6,9.6 12.4,13 14.5,26 16,60 0,60
        polygon second -6.6,17 -4,22 -6.6,27 -9.2,22
        polygon second -6.6,29 -4,34 -6.6,39 -9.2,34
        polygon main 6.6,17 9.2,22 6.6,27 4,22
        polygon main 6.6,29 9.2,34 6.6,39 4,34
        polygon dark 0,8.4 2.6,7 8.6,8.4 12.4,15.6 8.4,13.4 6.6,18.2 3.8,14 0,18.6
        polygon gold 0,8.4 -2.6,7 -8.6,8.4 -12.4,15.6 -8.4,13.4 -6.6,18.2 -3.8,14 0,18.6
        dots2 gold 1.15 12.4,16 6.6,18.8
        dots gold 1.3 0,19.4
        """,
    "harlequin": """
        halves main 2.4,8 8.4,9.6 12,13 13.4,26 15,60
        polygon2 white 0,16 2.4,20 0,24 -2.4,20
        polygon2 second 4.8,16 7.2,20 4.8,24 2.4,20
        polygon2 white 9.6,16 12,20 9.6,24 7.2,20
        polygon2 second 2.4,24 4.8,28 2.4,32 0,28
        polygon2 white 7.2,24 9.6,28 7.2,32 4.8,28
        polygon2 white 0,32 2.4,36 0,40 -2.4,36
        polygon2 second 4.8,32 7.2,36 4.8,40 2.4,36
        polygon2 white 9.6,32 12,36 9.6,40 7.2,36
        dots2 dark 2.3 0,11.8 3.6,11.3 6.8,9.8 9,7.4
        dots2 white 1.9 0,11.8 3.6,11.3 6.8,9.8 9,7.4
        halves white 0,5 7,6 8.6,8 6,11 0,12.4
        line2 iron 0.35 0.9,7.6 1.6,12.6
        line2 iron 0.35 3.2,7.4 5.2,11.8
        line2 iron 0.35 4.8,6.8 8.2,9.6
        """,
}

HELD = {
    "sceptre": """
        line gold 1.3 10.2,-4 10.2,60
        line deep 1 8.6,-1.6 11.8,-1.6
        pips gold 3.3 10.2,-6.5
        dots main 0.8 10.2,-6.3
        hand dark 10.2,21 12.4,55
        """,
    "axe": """
        line wood 1.3 10.2,-10.5 10.2,60
        at 10.2,-4.6 0 1
        smooth2 iron 0.3,-1.9 1.6,-2.1 2.5,-4.6 3.6,-2 3.6,2 2.5,4.6 1.6,2.1 0.3,1.9
        polygon gold -0.9,-2.4 0.9,-2.4 0.9,2.4 -0.9,2.4
        at 0,0 0 1
        hand dark 10.2,21 12.4,55
        """,
    "sword": """
        polygon steel 9,17 9,-9 10.2,-11.4 11.4,-9 11.4,17
        polygon iron 10.2,-11.4 11.4,-9 11.4,17 10.2,17
        hand dark 10.2,21 12.4,55
        line gold 1.6 7,17.4 13.4,17.4
        dots gold 1.4 10.2,25
        """,
    "moon staff": """
        line wood 1.3 10.2,-4 10.2,60
        at 10.2,-7 0 1
        smooth gold 0,3.2 2.4,2.2 3.2,0 2.6,-2.6 2.1,-0.4 0,1.2 -2.1,-0.4 -2.6,-2.6 -3.2,0 -2.4,2.2
        dots main 0.9 0,-1.6
        at 0,0 0 1
        hand dark 10.2,21 12.4,55
        """,
    "spear": """
        line wood 1.3 10.2,-3 10.2,60
        polygon main 10.2,-1 13.8,1.2 10.2,3.4
        smooth iron 10.2,-11.8 11.7,-8.4 11.8,-5.6 10.2,-2.6 8.6,-5.6 8.7,-8.4
        dots gold 1.1 10.2,-2
        hand dark 10.2,21 12.4,55
        """,
    "bow": """
        line ink 0.35 7.6,-7 7.6,44
        hand dark 11.6,19 12.8,55
        curve wood 1.3 7.6,-7 13.4,4 13.4,30 7.6,44
        dots gold 0.8 7.6,-7
        line wood 0.6 -2,19 12.4,19
        polygon iron 13.6,19 11.4,17.7 11.4,20.3
        """,
    "lute": """
        at -5.6,22.5 52 1
        line wood 1.9 0,-7 0,-19
        line wood 1.9 0,-19 -2.6,-21
        even wood 0,-9.4 2.5,-6.8 5.8,-1 5,4.2 0,6.2
        even lute 0,-8.6 2.1,-6.4 5.2,-1 4.4,3.8 0,5.6
        dots wood 1.7 0,-1.6
        line2 white 0.2 0.5,-18.6 0.7,3.4
        line white 0.2 0,-18.6 0,3.4
        line wood 0.8 -1.6,3.4 1.6,3.4
        at 0,0 0 1
        hand dark -3.6,20.2 -14,30
        hand dark 8,13.6 13,28
        """,
    "letter": """
        at -9.6,15.6 -12 1
        polygon white -5.2,-3.4 5.2,-3.4 5.2,3.4 -5.2,3.4
        line dark 0.45 -5.2,-3.4 5.2,-3.4 5.2,3.4 -5.2,3.4 -5.2,-3.4 0,0.6 5.2,-3.4
        pips main 1.7 0,0.8
        at 0,0 0 1
        hand dark -8.2,20.4 -14,40
        """,
    "rose": """
        at -10,19.5 0 1
        line stalk 0.7 0,4 0,-8
        smooth2 leaf 0,0 2,-0.9 2.6,-3.2 0.8,-2.2
        dots main 2.9 0,-10
        curve pale 0.5 -1.8,-9.6 -1.6,-12.6 2.4,-12.4 1.8,-9.6
        curve pale 0.5 1.8,-9.6 1.2,-7.8 -1,-8.2 -0.8,-9.8
        curve pale 0.5 -0.8,-9.8 -0.6,-11.2 1,-11 0.6,-9.8
        at 0,0 0 1
        hand dark -10,19.5 -13.5,44
        """,
    "mirror": """
        at -10,19.5 0 1
        line gold 1.2 0,3 0,-4
        even gold 0,-13 2.4,-12 3.5,-8.6 2.4,-5.4 0,-4.2
        even glass 0,-12.1 1.7,-11.3 2.6,-8.6 1.7,-6.1 0,-5.1
        line second 0.5 -1.2,-7.4 1,-10.4
        line second 0.5 -0.2,-6.8 1.4,-9
        at 0,0 0 1
        hand dark -10,19.5 -13.5,44
        """,
    "bird": """
        at -10.4,18.3 0 1.15
        line ink 0.45 -0.4,-2.2 -0.4,-0.6
        line ink 0.45 0.6,-2.2 0.6,-0.6
        polygon gold -3.1,-5.9 -5,-5.2 -3.2,-4.7
        smooth dark -3.8,-5.2 -1.7,-7.8 0.8,-6.9 2.9,-4.7 5.9,-1.4 1,-1.4 -1.8,-2.1
        smooth white -3.4,-5.2 -1.6,-7.4 0.6,-6.6 2.6,-4.4 5.4,-1.6 1,-1.8 -1.6,-2.4
        smooth main -0.6,-5.4 1.4,-4.8 3.6,-2.4 0.6,-2.8
        dots ink 0.42 -2,-5.9
        at 0,0 0 1
        hand dark -10,19.5 -13.5,44
        """,
    "book": """
        at -8.6,16.2 -8 1
        polygon dark -6.3,-3.6 6.3,-3.6 6.3,4.4 -6.3,4.4
        smooth2 white 0,-3.6 1.8,-4.5 4,-4.5 5.6,-3.9 5.6,3.2 4,2.7 1.8,2.8 0,3.8
        line2 second 0.4 1.3,-2 4.4,-2.4
        line2 second 0.4 1.3,-0.5 4.4,-0.9
        line2 second 0.4 1.3,1 4.4,0.6
        line dark 0.4 0,-3.6 0,3.8
        at 0,0 0 1
        hand dark -8.8,21.4 -13.5,44
        """,
    "bauble": """
        at -10,19.5 -10 1
        line wood 1.2 0,4 0,-5
        smooth main -0.6,-9.4 -2.4,-11.6 -4.4,-9.4 -3.6,-7.4 -2.2,-8
        smooth dark 0.6,-9.4 2.4,-11.6 4.4,-9.4 3.6,-7.4 2.2,-8
        dots skin 2.3 0,-7
        halves gold 0,-9.9 2.1,-9.2 2.4,-7.6 0,-8.4
        dots2 gold 0.75 3.7,-6.9
        dots2 ink 0.35 0.8,-6.9
        curve ink 0.4 -1,-5.9 -0.4,-5.2 0.4,-5.2 1,-5.9
        halves gold 0,-5 2,-5.2 2.6,-3.4 1.2,-4.2 0,-2.6
        at 0,0 0 1
        hand dark -10,19.5 -13.5,44
        """,
    "balls": """
        dots dark 2.9 -12.6,13
        dots white 2.4 -12.6,13
        line main 0.8 -14,11.6 -11.2,14.4
        line main 0.8 -14,14.4 -11.2,11.6
        dots gold 2.8 -17.4,19.8
        dots deep 0.65 -18.4,18.8 -16.5,19.2 -17.6,21
        hand dark -10,22.4 -14.5,46
        dots dark 2.9 10.4,17.4
        dots second 2.4 10.4,17.4
        line dark 0.7 8.4,16.6 12.4,16.6
        line dark 0.7 8.4,18.4 12.4,18.4
        hand dark 10.4,22.4 12.6,55
        """,
}

PARTS = {**HEADS, **HATS, **CLOTHES, **HELD}

# ------------------------------------------------------------------------------------------------------------ courts

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
    ("diamonds", "J"): ("short", "tunic", "face", "calm", "peaked hat", "spear"),
    ("hearts", "J"): ("ringlets", "tunic", "face", "smile", "turban", "letter"),
    ("spades", "J"): ("straight", "tunic", "face", "calm", "helmet", "bow"),
    ("clubs", "Q"): ("waves", "gown", "face", "lashes", "smile", "necklace", "parting", "wreath", "bird"),
    ("diamonds", "Q"): ("straight", "gown", "face", "lashes", "calm", "necklace", "fringe", "tiara", "mirror"),
    ("hearts", "Q"): ("curls", "gown", "face", "lashes", "smile", "necklace", "coronet", "rose"),
    ("spades", "Q"): ("veil", "straight", "gown", "face", "lashes", "calm", "necklace", "parting", "moon", "book"),
    ("clubs", "K"): ("bob", "cloak", "face", "full beard", "trefoil crown", "sceptre"),
    ("diamonds", "K"): ("short", "cloak", "face", "pointed beard", "walled crown", "axe"),
    ("hearts", "K"): ("ringlets", "cloak", "face", "forked beard", "domed crown", "sword"),
    ("spades", "K"): ("straight", "cloak", "face", "square beard", "spiked crown", "moon staff"),
}
JESTERS = {
    "red": ("motley", "face", "grin", "three horns", "bauble"),
    "black": ("ears", "harlequin", "face", "smile", "hood", "mask", "balls"),
}
"""What figures are put together of, from back to front."""


@cache
def figure(parts: tuple[str, ...], livery: Livery) -> tuple[Item, ...]:
    """Draw a figure of some parts round the middle of its face."""
    return tuple(item for part in parts for item in sketch(PARTS[part], livery))


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
    corners = [start, end, (right, edge), (edge, edge)]
    upper = cut(moved([halo, *half], w * x, h * y, scale=scale), corners)
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
        words += moved(pip(livery.suit, GOLD, 6), side * reach, 0.0, scale=1.6, rotation=90 - 90 * side)
    return [*items, *moved(words, w / 2, h / 2, rotation=angle)]
