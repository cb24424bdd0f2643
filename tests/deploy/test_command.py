"""The command `companion` of a box, run by sh below a root of its own: whose matches, whose settings, which user."""

import subprocess
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
SETTINGS = """\
# what an owner has set
; and a remark of another kind
COMPANION_PINS=child
COMPANION_WIFI="Table $HOME 3"
COMPANION_NAMES='a b'
NOT A NAME=1
9=1
touch owned
COMPANION_PORT=8080"""
"""As systemd takes it; without an end of the last line, as editors may leave it."""


@pytest.fixture
def command(tmp_path):
    """Give a function that runs the command as a user, with variables set and words given."""
    root, tools = tmp_path / "root", tmp_path / "tools"
    (root / "etc/companion").mkdir(parents=True)
    (root / "etc/companion/companion.env").write_text(SETTINGS)
    (root / "var/lib/companion").mkdir(parents=True)
    tools.mkdir()
    text = (TOP / "deploy" / "companion").read_text()
    for folder in ("/opt/companion", "/var/lib/companion", "/etc/companion"):
        text = text.replace(f"={folder}", f"={root}{folder}")
    for name, body in {
        "companion": text,
        "id": '#!/bin/sh\necho "$ME"\n',
        # "test" is what the command asks first: whether the box's user may be here.
        "runuser": '#!/bin/sh\n[ "$4" != test ] || exit "$CLOSED"\necho "as $2"\nshift 3\nexec "$@"\n',
    }.items():
        (tools / name).write_text(body)
        (tools / name).chmod(0o755)
    program = root / "opt/companion/current/bin/companion"
    program.parent.mkdir(parents=True)
    program.write_text('#!/bin/sh\necho "in $(pwd)"\necho "told $*"\nenv | grep -E "^(COMPANION|LG)_" || true\n')
    program.chmod(0o755)

    def run(me, *words, closed=False, **variables):
        home = tmp_path / "home"
        home.mkdir(exist_ok=True)
        environ = {"PATH": f"{tools}:/usr/bin:/bin", "ME": me, "CLOSED": str(int(closed)), "HOME": "/root", **variables}
        done = subprocess.run([tools / "companion", *words], cwd=home, env=environ, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert not list(home.iterdir())
        return sorted(done.stdout.replace(str(tmp_path), "").splitlines()), done.stderr.replace(str(tmp_path), "")

    return run


OURS = [
    "COMPANION_NAMES=a b",
    "COMPANION_PINS=child",
    "COMPANION_PORT=8080",
    "COMPANION_STATE=/root/var/lib/companion",
    "COMPANION_WIFI=Table $HOME 3",
    "LG_WD=/root/var/lib/companion",
]


def test_root_gets_the_boxs_matches_and_settings_as_the_boxs_user(command):
    assert command("root", "doctor", "--json") == ([*OURS, "as companion", "in /home", "told doctor --json"], "")


def test_the_boxs_user_gets_the_same(command):
    assert command("companion", "doctor") == ([*OURS, "in /home", "told doctor"], "")


def test_what_the_command_line_sets_counts_more(command):
    lines, _ = command("root", "doctor", COMPANION_PINS="gpiozero", COMPANION_STATE="/elsewhere")
    assert {"COMPANION_PINS=gpiozero", "COMPANION_STATE=/elsewhere", "COMPANION_PORT=8080"} <= set(lines)


def test_somebody_else_has_matches_of_their_own_and_is_told_how_to_get_at_the_boxs(command):
    assert command("pi", "verify", "last") == (
        ["in /home", "told verify last"],
        "This is about your own matches and permissions; the box's: sudo companion verify\n",
    )
    # The others have nothing to do with a box.
    assert command("pi", "press", "karmic") == (["in /home", "told press karmic"], "")
    assert command("pi") == (["in /home", "told "], "")


def test_in_a_folder_that_is_closed_to_the_boxs_user_it_says_where_files_are_looked_for(command):
    lines, said = command("root", "backup", "table 3.zip", closed=True)
    assert {"in /root/var/lib/companion", "told backup table 3.zip"} <= set(lines)
    assert "a file without a full path is one of /root/var/lib/companion" in said
    assert command("root", "doctor", closed=True)[1] == ""


def test_without_settings_it_works_as_well(command, tmp_path):
    (tmp_path / "root/etc/companion/companion.env").unlink()
    lines, said = command("root", "doctor")
    assert [line for line in lines if line.startswith("COMPANION")] == ["COMPANION_STATE=/root/var/lib/companion"]
    assert said == ""
