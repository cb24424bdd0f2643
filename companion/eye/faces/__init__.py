"""Cards known by their faces: decks that were taught, and what reads them where no code is.

A deck is taught once, card by card (`lesson`, `taking`, `deck`, `storing`). From then on its cards are found (`cold`,
`keypoints`, `poses`), named by what is printed on them (`likeness`, `naming`), and followed (`watching`): alone, in
rows, partly covered. Pictures here are flat: the table as seen from straight above, RGB, so many pixels a millimetre,
the mat's top left corner at the picture's.
"""
