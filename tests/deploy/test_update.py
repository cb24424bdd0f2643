"""companion-update with made-up versions: switches, keeps two, and goes back by itself."""

import os
import subprocess
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from installer import update, versions
from installer.system import SetupError, System

TOP = Path(__file__).parents[2]


class Box(System):
    """A box whose commands are only noted; versions are installed as an empty folder with their service."""

    def __init__(self, root):
        super().__init__(root)
        self.staged = False
        self.done = []
        self.broken = ()

    def run(self, *command, quiet=False, cwd=None, secret=""):
        line = " ".join(command)
        self.done.append(line)
        if any(part in line for part in self.broken):
            raise SetupError(f"this did not work: {line}")

    def ask(self, *command):
        return "systemd 257\n" if command == ("systemctl", "--version") else None

    def booted(self):
        return True

    def is_root(self):
        return True


@pytest.fixture
def box(tmp_path, monkeypatch):
    system = Box(tmp_path / "root")

    def install_beside(system, source, name):
        site = system.at(f"{versions.HOME}/{name}/lib/python3.11/site-packages/companion/data/deploy")
        for part in ("systemd", "installer"):
            (site / part).mkdir(parents=True, exist_ok=True)
        for unit in (*versions.UNITS, "restart.conf"):
            (site / "systemd" / unit).write_text(f"of {name}")
        for command in versions.COMMANDS:
            (site / command).write_text(f"of {name}")
        (system.at(f"{versions.HOME}/{name}") / versions.COMPLETE).write_text(name)

    monkeypatch.setattr(versions, "install_beside", install_beside)
    return system


def checkout(tmp_path, number):
    folder = tmp_path / f"source-{number}"
    folder.mkdir()
    for name in versions.SOURCES:
        (folder / name).write_text("") if "." in name or name == "LICENSE" else (folder / name).mkdir()
    (folder / "pyproject.toml").write_text(f'[project]\nname = "companion"\nversion = "{number}"\n')
    return folder


def here(box):
    return sorted(path.name.partition("-")[0] for path in box.at(versions.HOME).glob("[0-9]*"))


def unit(box):
    return box.at(f"{versions.UNIT_FOLDER}/companion.service").read_text()


def well():
    return None


def test_the_last_two_are_kept_and_the_link_is_switched(box, tmp_path):
    names = [update.update(box, checkout(tmp_path, number), well) for number in ("0.1", "0.2", "0.3")]
    assert here(box) == ["0.2", "0.3"]
    assert versions.current(box) == names[2]
    assert versions.previous(box) == names[1]
    assert unit(box) == f"of {names[2]}"
    assert box.done.count("systemctl restart companion.service") == 3


def test_one_that_is_not_well_is_gone_again(box, tmp_path):
    first = update.update(box, checkout(tmp_path, "0.1"), well)
    second = update.update(box, checkout(tmp_path, "0.2"), well)
    answers = iter(["its pages don't answer", None])
    with pytest.raises(SetupError, match=f"Version {second} runs again"):
        update.update(box, checkout(tmp_path, "0.3"), lambda: next(answers))
    assert versions.current(box) == second
    assert versions.previous(box) == first
    assert here(box) == ["0.1", "0.2"]
    assert unit(box) == f"of {second}"
    assert box.at(f"{versions.TOOLS}/companion-update").read_text() == f"of {second}"


def test_one_that_can_t_even_be_started_is_gone_again(box, tmp_path):
    first = update.update(box, checkout(tmp_path, "0.1"), well)
    restarts = iter([True, False])
    plain = box.run

    def run(*command, **more):
        plain(*command, **more)
        if command[:2] == ("systemctl", "restart") and next(restarts, False):
            raise SetupError('See "journalctl -xeu companion.service" for details.')

    box.run = run
    with pytest.raises(SetupError, match=r"for details\. Version .* runs again"):
        update.update(box, checkout(tmp_path, "0.2"), well)
    assert versions.current(box) == first
    assert versions.previous(box) is None


def test_going_back_to_a_version_without_one_of_the_commands_leaves_that_of_the_newer(box, tmp_path):
    first = update.update(box, checkout(tmp_path, "0.1"), well)
    (versions.files_of(box, first) / "companion").unlink()
    second = update.update(box, checkout(tmp_path, "0.2"), well)
    assert update.back(box, well) == first
    assert box.at(f"{versions.TOOLS}/companion").read_text() == f"of {second}"
    assert box.at(f"{versions.TOOLS}/companion-update").read_text() == f"of {first}"


def test_when_neither_is_well_that_is_said(box, tmp_path):
    update.update(box, checkout(tmp_path, "0.1"), well)
    with pytest.raises(SetupError, match="the old one is not either"):
        update.update(box, checkout(tmp_path, "0.2"), lambda: "no answer")


def test_one_that_can_t_be_installed_changes_nothing(box, tmp_path, monkeypatch):
    first = update.update(box, checkout(tmp_path, "0.1"), well)
    before = list(box.done)

    def fails(system, source, name):
        raise SetupError("no network")

    monkeypatch.setattr(versions, "install_beside", fails)
    with pytest.raises(SetupError, match="no network"):
        update.update(box, checkout(tmp_path, "0.2"), well)
    assert versions.current(box) == first
    assert box.done == before


def test_the_same_version_again_is_nothing_to_do(box, tmp_path):
    source = checkout(tmp_path, "0.1")
    update.update(box, source, well)
    before = list(box.done)
    update.update(box, source, well)
    assert box.done == before


def test_back_by_hand_and_forth_again(box, tmp_path):
    names = [update.update(box, checkout(tmp_path, number), well) for number in ("0.1", "0.2")]
    assert update.back(box, well) == names[0]
    assert update.back(box, well) == names[1]
    assert here(box) == ["0.1", "0.2"]


def test_without_a_version_before_there_is_no_way_back(box, tmp_path):
    update.update(box, checkout(tmp_path, "0.1"), well)
    with pytest.raises(SetupError, match="no version before"):
        update.back(box, well)


def test_matches_are_kept_before_the_new_version_touches_them(box, tmp_path):
    first = update.update(box, checkout(tmp_path, "0.1"), well)
    box.at(update.STATE).mkdir(parents=True)
    box.at(f"{update.STATE}/journal.db").write_text("")
    update.update(box, checkout(tmp_path, "0.2"), well)
    kept = next(line for line in box.done if " backup " in line)
    assert kept.startswith("runuser -u companion --")
    assert f"{versions.HOME}/{first}/bin/companion backup {update.BACKUPS}/before-leaving-{first}.zip" in kept
    assert box.done.index(kept) < len(box.done) - 1 - box.done[::-1].index("systemctl restart companion.service")


def test_in_the_folder_of_the_services_user_root_does_nothing_itself(box, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for number in range(4):
        (elsewhere / f"before-leaving-{number}.zip").write_text("")
    box.at(update.STATE).mkdir(parents=True)
    box.at(f"{update.STATE}/journal.db").write_text("")
    box.at(update.BACKUPS).symlink_to(elsewhere)
    update.keep_matches(box, "0", "0.2")
    assert len(list(elsewhere.iterdir())) == 4
    assert all(line.startswith("runuser -u companion -- ") for line in box.done)


def test_the_last_two_backups_are_kept(tmp_path):
    for number in range(4):
        (tmp_path / f"before-leaving-{number}.zip").write_text("")
        os.utime(tmp_path / f"before-leaving-{number}.zip", (number, number))
    subprocess.run(["sh", "-c", update.PRUNE, "sh", tmp_path], check=True)
    assert sorted(path.name[-5] for path in tmp_path.iterdir()) == ["2", "3"]


def test_a_failed_backup_stops_the_update(box, tmp_path):
    first = update.update(box, checkout(tmp_path, "0.1"), well)
    box.at(update.STATE).mkdir(parents=True)
    box.at(f"{update.STATE}/journal.db").write_text("")
    box.broken = ("/bin/companion backup",)
    with pytest.raises(SetupError):
        update.update(box, checkout(tmp_path, "0.2"), well)
    assert versions.current(box) == first


def test_half_an_installation_is_begun_anew(tmp_path):
    system = Box(tmp_path / "root")
    half = system.at(f"{versions.HOME}/0.1-x/bin")
    half.mkdir(parents=True)
    system.broken = ("-m venv",)
    with pytest.raises(SetupError):
        versions.install_beside(system, TOP, "0.1-x")
    assert not half.exists()


@pytest.mark.parametrize(
    ("words", "says"),
    [("ERROR: No matching distribution found for x", "Is the network there"), ("No space left on device", "make room")],
)
def test_pips_complaints_come_with_what_to_do(words, says):
    assert says in versions._why_not(words)


class Answers(BaseHTTPRequestHandler):
    """A table that says what it was told to, one answer after the other; the last one stays."""

    said = ()

    def do_GET(self):
        status, body = self.said.pop(0) if len(self.said) > 1 else self.said[0]
        self.send_response(status)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


def asked(*answers):
    """Ask such a table; time passes only in sleep."""
    with ExitStack() as stack:
        handler = type("Said", (Answers,), {"said": list(answers)})
        server = stack.enter_context(ThreadingHTTPServer(("127.0.0.1", 0), handler))
        Thread(target=server.serve_forever, daemon=True).start()
        stack.callback(server.shutdown)
        now = [0.0]

        def sleep(seconds):
            now[0] += seconds

        return versions.healthy(("127.0.0.1", server.server_port), 30.0, sleep, lambda: now[0]), now[0]


def test_health_means_well_three_times_in_a_row():
    good, bad = (200, b'{"ok": true}'), (503, b'{"ok": false}')
    assert asked(bad, good, good, bad, good, good, good) == (None, 12.0)
    assert asked(good) == (None, 4.0)
    assert "health page says" in asked(bad)[0]
    assert asked((200, b"not json"))[0] is not None


def test_a_table_that_answers_nothing_is_not_well():
    now = iter(range(0, 1000, 10))
    wrong = versions.healthy(("127.0.0.1", 1), 30.0, lambda seconds: None, lambda: next(now))
    assert "don't answer" in wrong
