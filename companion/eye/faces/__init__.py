"""Cards known by their faces: decks that were taught, and what reads them where no code is.

Pictures here are flat: the table seen from straight above, RGB, so many pixels a millimetre, both top left corners
together.
"""
