"""The games: one folder each, and `loader`, which finds those that are installed and reads their decks and mats."""

from companion.games.loader import STANDARD as STANDARD
from companion.games.loader import GameError as GameError
from companion.games.loader import code_book as code_book
from companion.games.loader import contents as contents
from companion.games.loader import from_files as from_files
from companion.games.loader import load as load
from companion.games.loader import load_deck as load_deck
from companion.games.loader import load_mat as load_mat
from companion.games.loader import load_neutral_mat as load_neutral_mat
from companion.games.loader import load_printed_mat as load_printed_mat
from companion.games.loader import mat_places as mat_places
from companion.games.loader import names as names
from companion.games.loader import neutral_mats as neutral_mats
from companion.games.loader import owned as owned
from companion.games.loader import packages as packages
from companion.games.loader import places as places
