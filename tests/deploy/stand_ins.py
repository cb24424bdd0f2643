"""Computers that are not there, for the installer's tests."""

from installer.system import SetupError, System

CONFIG = b"dtparam=audio=on\n[all]\n"


class Asked(System):
    """A computer that answers what it was told to, and remembers what was done to it."""

    up = False
    """Whether systemd runs there."""

    def __init__(self, root, answers, fails=(), fails_once=()):
        """`answers` and `fails` go by how a command begins; `fails_once` says with which words it fails."""
        super().__init__(root)
        self.staged = False
        self.answers = answers
        self.fails = fails
        self.fails_once = dict(fails_once)
        self.done = []
        self.warned = []

    def warn(self, words):
        self.warned.append(words)

    def ask(self, *command):
        return next((said for start, said in self.answers.items() if " ".join(command).startswith(start)), None)

    def run(self, *command, quiet=False, cwd=None, secret=""):
        line = " ".join(command)
        self.done.append(line)
        if any(line.startswith(one) for one in self.fails):
            raise SetupError(f"this did not work: {command[0]}")
        for start in [one for one in self.fails_once if line.startswith(one)]:
            raise SetupError(f"this did not work: {command[0]}\n    {self.fails_once.pop(start)}")

    def booted(self):
        return self.up

    def is_root(self):
        return True
