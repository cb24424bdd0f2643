"""The installer is no package of the program: it runs before anything is installed, from its own folder."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "deploy"))
