"""The looks of Collectible: pictures composed of their themes, and characters."""

from __future__ import annotations

from companion.press.look import GameArt, Palette


class CollectibleArt(GameArt):
    """Pictures in frames, as in a gallery."""

    palette = Palette("#8554b8", "#5a3487", "#f3edf9", "#d99a12")


ART = CollectibleArt()
