"""Cards known by their faces: decks that were taught, and what reads them where no code is.

A deck is taught once, card by card (`taking`, `deck`, `storing`). From then on its cards are found and named by what is
printed on them (`finding`, `change`, `cold`): alone, in rows, partly covered. Pictures here are flat: the table as seen
from straight above, RGB, so many pixels a millimetre, the mat's top left corner at the picture's.
"""
