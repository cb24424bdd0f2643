"""Companion's lines in a Raspberry Pi's config.txt: between two marks, so that they can be renewed and taken out.

The file is the owner's. Lines outside the marks are never touched, whatever they are.
"""

from __future__ import annotations

BEGIN = b"# >>> companion: these lines are renewed by its installer >>>"
END = b"# <<< companion <<<"
OPEN_TO_ALL = ("dtparam", "dtoverlay", "gpio")
"""Settings that may be there more than once; of the others the last one counts."""


class ConfigError(Exception):
    """A config.txt that can't be edited safely; the message says what to do."""


def without(config: bytes, file: str = "config.txt") -> bytes:
    """Take Companion's lines out. What was there before is there again, byte by byte (but for a last line end).

    `file` is what is complained about.

    Raises:
        ConfigError: if one of the marks is missing, so that nobody can say where the lines end.
    """
    lines = config.splitlines(keepends=True)
    kept: list[bytes] = []
    inside = False
    for line in lines:
        bare = line.rstrip(b"\r\n")
        if bare == BEGIN:
            if inside:
                raise ConfigError(_unclear(file, "begins twice"))
            inside = True
            # The empty line before the mark is ours, too.
            if kept and not kept[-1].strip(b"\r\n"):
                kept.pop()
        elif bare == END:
            if not inside:
                raise ConfigError(_unclear(file, "ends without a beginning"))
            inside = False
        elif not inside:
            kept.append(line)
    if inside:
        raise ConfigError(_unclear(file, "has no end"))
    return b"".join(kept)


def with_lines(config: bytes, fragment: bytes) -> tuple[bytes, list[str]]:
    """Put Companion's lines at the end, in place of those that were there; give what was left out, in words.

    A setting of which only one can be, and which the owner has set otherwise (a camera named by hand, say), stays
    the owner's.

    Raises:
        ConfigError: as `without`.
    """
    rest = without(config)
    theirs = dict(_settings(rest))
    end = b"\r\n" if b"\r\n" in rest else b"\n"
    left_out = []
    lines = []
    for line in fragment.splitlines():
        for key, value in _settings(line):
            if key not in OPEN_TO_ALL and theirs.get(key, value) != value:
                left_out.append(f"{key}={theirs[key]} is set in config.txt already, so it stays that way")
                line = b"# (set above) " + line
        lines.append(line)
    if rest and not rest.endswith(b"\n"):
        rest += end
    # Whatever model's section the file ends in: these lines are for all.
    return rest + end + end.join([BEGIN, b"[all]", *lines, END]) + end, left_out


def _settings(text: bytes) -> list[tuple[str, str]]:
    found = []
    for line in text.splitlines():
        bare = line.split(b"#")[0].strip()
        key, equals, value = bare.partition(b"=")
        if equals and not bare.startswith(b"["):
            found.append((key.strip().decode("latin-1"), value.strip().decode("latin-1")))
    return found


def _unclear(file: str, what: str) -> str:
    return (
        f"the block of Companion's lines in {file} {what}: somebody has edited its marks. Delete the rest of the "
        f"block by hand (from '{BEGIN.decode()}' to '{END.decode()}'), then run this again"
    )
