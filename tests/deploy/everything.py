"""Lists every file below a root with its mode, owner and what is in it, but for what apt and the log keep.

The standard library alone: tests/deploy/nightly runs it before and after, from outside of the root.
"""

import hashlib
import os
import sys
from pathlib import Path

LEFT_OUT = (
    "proc",
    "sys",
    "dev",
    "run",
    "tmp",
    "src",
    "var/cache",
    "var/log",
    "var/lib/apt",
    "var/lib/dpkg",
    "var/lib/systemd",
    "var/lib/ucf",
    "var/lib/pam",
    "var/tmp",
    "root/.cache",
    "etc/ld.so.cache",
    "etc/passwd-",
    "etc/group-",
    "etc/shadow-",
    "etc/gshadow-",
    "etc/subuid-",
    "etc/subgid-",
    "etc/passwd",
    "etc/group",
    "etc/shadow",
    "etc/gshadow",
    "etc/xml",
    "usr/share/polkit-1/rules.d",
)
"""Mounts, and what changes by the mere use of apt and useradd: caches, logs, and the former versions of their lists.
The lists of users are looked at line by line: Debian's packages leave their users behind, as its policy wants,
xml-core an empty folder, polkitd the owner of one."""


def everything(root):
    for folder, folders, names in os.walk(root):
        here = Path(folder)
        folders[:] = sorted(
            name for name in folders if str((here / name).relative_to(root)) not in LEFT_OUT and name != "__pycache__"
        )
        for name in sorted([*folders, *names]):
            path = here / name
            if str(path.relative_to(root)) in LEFT_OUT:
                continue
            state = path.lstat()
            if path.is_symlink():
                what = f"-> {path.readlink()}"
            elif path.is_file():
                what = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
            else:
                what = "folder" if path.is_dir() else "special"
            yield f"/{path.relative_to(root)} {state.st_mode & 0o7777:o} {state.st_uid}:{state.st_gid} {what}"


if __name__ == "__main__":
    print(*everything(Path(sys.argv[1])), sep="\n")
