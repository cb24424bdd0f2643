"""Cards known by their faces: decks that were taught, and what reads them where no code is.

Pictures here are flat (the table from straight above), RGB, and begin at the mat's top left corner.
"""
