"""deploy/hall, as far as it can be tried without installing: names, and where root writes and reads."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from companion.hall.broker import Listener, write_conf

SCRIPT = Path(__file__).parents[2] / "deploy/hall"
UNIT = SCRIPT.parent / "hall-units/companion-hall-backup.service"


def installs(*arguments):
    """Begin the script as somebody who may not install; return what it says."""
    nobody = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
    done = subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, check=False, **nobody)
    assert done.returncode != 0
    return done.stderr


@pytest.mark.parametrize(
    "given", [["-x"], ["--help"], ["-"], ["hall.lan", "more"], ["hall..lan"], ["hall-"], ["a:b"], ["hall lan"], [""]]
)
def test_what_is_no_name_is_refused_before_anything_is_done(given):
    said = installs(*given)
    assert "That is no name or address" in said or "Say the name" in said


@pytest.mark.parametrize("given", ["hall.lan", "hall", "10.0.0.2", "fd00::1", "my-hall.example.org"])
def test_names_and_addresses_are_taken(given):
    assert f"Please run this as root: sudo deploy/hall {given}" in installs(given)


def test_root_neither_writes_nor_reads_in_the_folders_of_the_halls_user():
    lines = SCRIPT.read_text().splitlines()
    touched = [line.strip() for line in lines if re.search(r'"\$(etc|backups)["/]', line)]
    harmless = re.compile(
        r'as_user |conf=\$\(as_user |install -d .*"\$(etc|backups)"$|.*mv -T "\$etc/\$file" "\$tls/\$file"'
    )
    others = [line for line in touched if not harmless.match(line)]
    assert others == [
        'if [ ! -e "$etc/hall.toml" ]; then',
        'companion-hall set-up --folder "$etc" --public "$name:8883" --database "dbname=$user" \\',
    ]
    run = UNIT.read_text()
    assert "companion-hall backup /var/backups/companion-hall/" in run
    assert "cd /var/backups/companion-hall;" not in run


def odd(text, folder):
    line = next(line for line in SCRIPT.read_text().splitlines() if line.startswith("odd="))
    run = f'etc={folder} tls={folder}-tls conf=$(cat); {line}; printf "%s" "$odd"'
    return subprocess.run(["bash", "-c", run], input=text, capture_output=True, text=True, check=True).stdout


def test_only_lines_that_companion_writes_become_the_brokers(tmp_path):
    theirs = Listener(port=8883, certificate=Path(f"{tmp_path}-tls/broker.crt"), key=Path(f"{tmp_path}-tls/broker.key"))
    conf = write_conf(tmp_path, [Listener(port=1883, address="127.0.0.1"), theirs], keep=Path("/var/lib/mosquitto"))
    text = "\n".join(line for line in conf.read_text().splitlines() if not line.startswith("persistence"))
    assert odd(text, tmp_path) == ""
    for line in (
        "user root",
        "plugin /tmp/x.so",
        "include_dir /tmp",
        "password_file /etc/shadow",
        "log_dest file /etc/x",
    ):
        assert odd(f"{text}\n{line}", tmp_path) == line
