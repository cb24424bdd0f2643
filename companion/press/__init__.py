"""Printing: cards, stickers and mats as PDF and PNG.

Everything is designed once, as a `drawing.Drawing` in millimetres, and rendered twice: `raster` for PNG, `vector` for
PDF.
"""


class PressError(Exception):
    """Something that can't be printed; the message is a sentence for people, with the way out."""
