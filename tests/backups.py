"""State folders and backups for tests."""

import io

from companion.appliance.backup import backup
from companion.referee.journal import Header, Journal
from companion.referee.journal_reader import read_only


def state_in(folder):
    """Make a state folder with a match, settings, a file of the owner's, and a recording."""
    journal = Journal(folder)
    journal.begin(Header(id="01", at="", game="collectors", seats=3))
    journal.close()
    (folder / "box.json").write_text('{"pin":"4711"}')
    own = folder / "data" / "firmware_config"
    own.mkdir(parents=True)
    (own / "wiring.toml").write_text("[oled]\n")
    (folder / "recordings").mkdir()
    (folder / "recordings" / "large.mjpg").write_bytes(b"pictures of people")
    return folder


def made(state):
    """Make a backup."""
    whole = io.BytesIO()
    backup(state, whole)
    whole.seek(0)
    return whole


def ids(folder):
    """List the matches in a state folder."""
    with read_only(folder) as shelf:
        return [header.id for header in shelf.matches()]
