"""What companion-update takes for a version: the commit or wheel that is expected, or one that its owner signed."""

import hashlib
import subprocess

import pytest
from installer import checks, update
from installer.setup import Wishes
from installer.system import SetupError, System

ORIGIN = "https://name:secret@git.example.org/companion"


class Box(System):
    """A box with a root of its own and this computer's commands; GIT's repository stands for its origin."""

    def __init__(self, root):
        super().__init__(root)
        self.staged = False


def git(folder, *words):
    who = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "gpg.format=ssh")
    done = subprocess.run(["git", "-C", folder, *who, *words], check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def key(tmp_path):
    """Return the file of a private key that is made for this test; its public one lies beside."""
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", tmp_path / "key"], check=True)
    return tmp_path / "key"


@pytest.fixture
def origin(tmp_path, key):
    """Return a repository with a tag, a signed tag, and a branch that has a signed tag's name."""
    folder = tmp_path / "origin"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    sign = ("-c", f"user.signingkey={key}", "tag", "-s", "-m", "one")
    for number in ("1", "2", "3"):
        (folder / "a").write_text(number)
        git(folder, "add", "a")
        git(folder, "commit", "-q", "-m", number)
        git(folder, *(sign if number == "2" else ("tag",)), f"v{number}")
    git(folder, "update-ref", "refs/tags/v4", git(folder, "rev-parse", "refs/tags/v2"))
    git(folder, *sign, "v5")
    git(folder, "branch", "v5", "v1")
    return folder


@pytest.fixture
def box(tmp_path, origin):
    made = Box(tmp_path / "root")
    made.write(update.RECORD, f'{{"origin": "file://{origin}"}}')
    return made


@pytest.fixture
def keyed(box, key):
    box.write(update.KEY, checks.public_key(key.with_suffix(".pub")))
    return box


def taken(box, given, **how):
    with update.source_of(box, given, **how) as source:
        return (source / "a").read_text() if source.is_dir() else source.read_bytes()


def test_a_version_that_nobody_vouches_for_is_asked_about(box, monkeypatch):
    asked = []
    answers = iter(["y", "", "no"])
    monkeypatch.setattr("sys.stdin", type("Terminal", (), {"isatty": lambda _: True})())
    monkeypatch.setattr("builtins.input", lambda words: asked.append(words) or next(answers))
    assert taken(box, "v1") == "1"
    for _ in range(2):
        with pytest.raises(SetupError, match="nothing was changed"):
            taken(box, "v1")
    assert asked[0] == "version v1 from this computer, unsigned: go on? [y/N] "


def test_without_a_terminal_a_version_that_nobody_vouches_for_is_refused(box, monkeypatch, origin):
    monkeypatch.setattr("sys.stdin", type("Pipe", (), {"isatty": lambda _: False})())
    for given in ("v1", str(origin)):
        with pytest.raises(SetupError, match="--unsigned"):
            taken(box, given)
        assert taken(box, given, unsigned=True)


def test_the_commit_that_is_expected_is_taken_and_no_other(box, origin):
    commit = git(origin, "rev-parse", "v1")
    assert taken(box, "v1", expected=commit.upper()) == "1"
    for given in ("v2", str(origin)):
        with pytest.raises(SetupError, match=f"{commit} was expected"):
            taken(box, given, expected=commit)
    with pytest.raises(SetupError, match="a whole commit"):
        taken(box, "v1", expected=commit[:12])


def test_with_the_owners_key_only_a_tag_signed_with_it_and_of_its_own_name_is_taken(keyed, origin):
    assert taken(keyed, "v2") == "2"
    for given in ("v1", "v3", "v4", "v5", "main", str(origin)):
        with pytest.raises(SetupError, match="not signed with the owner's key"):
            taken(keyed, given, unsigned=True)
    assert taken(keyed, "v3", expected=git(origin, "rev-parse", "v3")) == "3"


def test_a_signature_of_another_key_counts_for_nothing(keyed, tmp_path):
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", tmp_path / "other"], check=True)
    keyed.write(update.KEY, checks.public_key(tmp_path / "other.pub"))
    with pytest.raises(SetupError, match="not signed with the owner's key"):
        taken(keyed, "v2")


def test_a_wheel_is_taken_by_its_sum_or_with_its_signature(keyed, tmp_path, key):
    wheel = tmp_path / "companion-1-py3-none-any.whl"
    wheel.write_bytes(b"wheel")
    with pytest.raises(SetupError, match="not signed"):
        taken(keyed, str(wheel))
    assert taken(keyed, str(wheel), expected=hashlib.sha256(b"wheel").hexdigest()) == b"wheel"
    subprocess.run(["ssh-keygen", "-q", "-Y", "sign", "-n", "file", "-f", key, wheel], check=True, capture_output=True)
    assert taken(keyed, str(wheel)) == b"wheel"
    wheel.write_bytes(b"other")
    for how in ({}, {"expected": hashlib.sha256(b"wheel").hexdigest()}):
        with pytest.raises(SetupError):
            taken(keyed, str(wheel), **how)


def test_a_folder_named_like_a_version_never_wins(box, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "v1").mkdir()
    (tmp_path / "v1" / "a").write_text("mine")
    assert taken(box, "v1", unsigned=True) == "1"
    assert taken(box, "./v1", unsigned=True) == "mine"
    with pytest.raises(SetupError, match="no file or folder"):
        taken(box, "./v9")
    box.remove(update.RECORD)
    with pytest.raises(SetupError, match="not known where"):
        taken(box, "v1")


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("https://name:secret@git.example.org/companion", "git.example.org"),
        ("git@example.org:club/companion.git", "example.org"),
        ("/srv/companion", "this computer"),
    ],
)
def test_who_is_asked_hears_from_which_host(origin, host):
    assert update.host_of(origin) == host


def test_the_origins_password_is_neither_said_nor_open_to_others(box, capsys):
    box.write(update.RECORD, f'{{"origin": "{ORIGIN}"}}', 0o600)
    with pytest.raises(SetupError) as caught:
        box.run("false", ORIGIN)
    assert "secret" not in f"{caught.value}{capsys.readouterr().out}"
    assert "git.example.org" in f"{caught.value}"


def test_a_private_key_is_not_taken_at_the_installation(key):
    assert Wishes(key=key.with_suffix(".pub")).key.startswith("ssh-ed25519 ")
    for wrong in (key, key.with_name("none")):
        with pytest.raises(SetupError, match="no public key"):
            Wishes(key=wrong)
