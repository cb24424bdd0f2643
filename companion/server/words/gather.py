"""Gathers everything that is said to people into a catalogue: from Python, templates, scripts, mats and decks.

`python -m companion.server.words` renews the template and every language's file; it needs Babel, which running the
companion does not.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from jinja2 import Environment
from jinja2.ext import GETTEXT_FUNCTIONS, extract_from_ast
from jinja2.lexer import Token

from companion.server.words.sources import Sentence, sentences
from companion.server.words.templates import Run, has_words, message, walk

SPEAKERS = (
    "rules/**/*.py",
    "games/*/*.py",
    "referee/*.py",
    "eye/eye.py",
    "eye/markers.py",
    "eye/moved.py",
    "eye/pictures.py",
    "eye/troubles.py",
    "eye/places.py",
    "eye/quality.py",
    "server/*.py",
    "sim/sandbox.py",
    "devices/camera_base.py",
    "devices/cameras.py",
    "devices/picamera.py",
    "devices/vitals.py",
    "devices/canvas.py",
    "devices/device_manager.py",
    "devices/knob.py",
    "devices/moments.py",
    "devices/display_pages.py",
    "devices/pointing_page.py",
    "devices/voice.py",
    "press/debrief.py",
    "press/share.py",
    "games/custom_board.py",
    "table/made_games.py",
    "table/matches.py",
    "table/camera_loop.py",
    "table/print_queue.py",
    "table/virtual_hands.py",
    "table/camera_view.py",
    "table/session.py",
    "table/overrides.py",
    "appliance/settings.py",
    "hall/app.py",
    "hall/context.py",
    "hall/event_pages.py",
    "hall/events.py",
    "hall/host_pages.py",
    "hall/pages.py",
    "hall/settling.py",
    "hall/views.py",
    "appliance/broker_settings.py",
    "appliance/broker_link.py",
    "appliance/publisher.py",
    "appliance/webhooks.py",
    "appliance/cursors.py",
)
"""Modules whose strings may reach a page."""
ERRORS = {"devices/recording.py": ("NoCameraError",), "devices/wiring.py": ("WiringError",)}
"""Modules for the command line, whose errors of these kinds are shown on "Settings", or as the table's trouble."""
SILENT = frozenset(
    {
        "games/from_file/writing.py",
        "referee/lines.py",
        "referee/rescue.py",
        "server/table_api.py",
        "server/bgstats.py",
        "server/parts.py",
        "games/from_file/checking.py",
        "games/from_file/counting.py",
        "games/from_file/score_file.py",
        "games/from_file/scoring.py",
    }
)
DATA_WORDS = ("colour", "colours", "figure", "item", "suit")
"""Traits of cards whose values stand in sentences."""
WORDLESS = frozenset({"main", "It", "Th", "On", "skill-", "seat", "marker"})
"""Strings in templates that look like words and are for the program."""
_ASKED = re.compile(r"""\b(?:spoken|say|toast)\(\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')""")
_LOOSE = re.compile(r"[A-Z ].*[a-z]|.* .*")


def gathered(top: Path, data: Path) -> dict[str, list[tuple[str, int]]]:
    """Return every message with the places where it is said; `top` is the package, `data` holds web and card_codes."""
    found: dict[str, list[tuple[str, int]]] = {}
    for one in (*_python(top), *_templates(data / "web" / "templates"), *_scripts(data), *_mats(data)):
        found.setdefault(one.text, []).append(one.where)
    return found


def _python(top: Path) -> Iterator[Sentence]:
    paths = {path for kind in SPEAKERS for path in top.glob(kind)}
    for path in sorted(paths):
        name = path.relative_to(top).as_posix()
        if name not in SILENT and path.name != "bots.py":
            yield from sentences(path, f"companion/{name}")
    for name, errors in ERRORS.items():
        yield from sentences(top / name, f"companion/{name}", errors)


def environment() -> Environment:
    """Return an environment that reads templates as the pages' does."""
    return Environment(extensions=["jinja2.ext.i18n"], trim_blocks=True, lstrip_blocks=True, autoescape=True)


def _templates(folder: Path) -> Iterator[Sentence]:
    env = environment()
    for path in sorted(folder.rglob("*.html")):
        name = path.relative_to(folder).as_posix()
        source = path.read_text(encoding="utf-8")
        where = f"web/templates/{name}"
        found: list[tuple[int, str]] = []

        def put(run: Run, line: int, found: list[tuple[int, str]] = found) -> Iterable[Token]:
            _, text, _, holes = message(run)
            if has_words(text):
                found.append((line, text))
            for hole in holes:
                found.extend(_constants(hole, branches=True))
            return ()

        rest = list(walk(env._tokenize(source, name, str(path)), put))
        found.extend(_constants(rest, branches=False))
        for line, _, text in extract_from_ast(env.parse(source), GETTEXT_FUNCTIONS):
            said = (text,) if isinstance(text, str) else text or ()
            found.extend((line, one) for one in said if one is not None)
        for line, text in found:
            yield Sentence(text, (where, line))


def _constants(tokens: Iterable[Token], branches: bool) -> Iterator[tuple[int, str]]:
    """Yield strings in expressions that are words: with a blank or a capital, or said in one case only."""
    listed = list(tokens)
    for n, token in enumerate(listed):
        if token.type != "string":
            continue
        text = str(token.value)
        before = listed[n - 1] if n else None
        after = listed[n + 1] if n + 1 < len(listed) else None
        one_of = branches and (
            (before is not None and before.type == "name" and before.value == "else")
            or (after is not None and after.type == "name" and after.value == "if")
        )
        compared = before is not None and before.type in ("eq", "ne")
        if text in WORDLESS or re.search(r"[/%#=<_]|\.html|\.js", text) or compared or not has_words(text):
            continue
        if one_of or _LOOSE.fullmatch(text):
            yield token.lineno, text.replace("{", "{{").replace("}", "}}").strip()


def _scripts(data: Path) -> Iterator[Sentence]:
    for path in sorted((data / "web" / "static").glob("*.js")):
        for line, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for said in _said_in(text):
                yield Sentence(said, (f"web/static/{path.name}", line))


def _said_in(script: str) -> Iterator[str]:
    for found in _ASKED.finditer(script):
        yield found[1][1:-1].replace('\\"', '"').replace("\\'", "'")


def script_words(folder: Path) -> list[str]:
    """List what the scripts of a folder say: the first argument of `spoken`, `say` and `toast`."""
    scripts = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.js"))]
    return list(dict.fromkeys(said for script in scripts for said in _said_in(script)))


def _scores(read: dict[str, Any]) -> Iterator[str]:
    """Yield what a score file says to people, and what the zones are called whose cards it counts."""
    if "score" not in read:
        return
    yield from (read[key] for key in ("title", "words", "coach") if isinstance(read.get(key), str))
    for part, key in (("entry", "words"), ("option", "words"), ("score", "says"), ("score", "tells")):
        yield from (one[key] for one in read.get(part, ()) if one.get(key))
    for block in read.get("score", ()):
        yield from (zone.replace("_", " ").capitalize() for zone in block.get("cards", ()))


def _mats(data: Path) -> Iterator[Sentence]:
    """Yield what zones are called, without numbers, words on cards that sentences take up, and score files' words."""
    for path in sorted((data / "card_codes").glob("*/*.toml")):
        where = (f"card_codes/{path.parent.name}/{path.name}", 0)
        read = tomllib.loads(path.read_text(encoding="utf-8"))
        labels = [zone.get("label", "") for zone in read.get("zone", ())]
        labels += [zone.get("label", "") for zone in read.get("seat_zone", ())]
        for card in read.get("cards", ()):
            labels += [word for name in DATA_WORDS for word in card.get("traits", {}).get(name, "").split(", ")]
            labels.append(card.get("kind", ""))
        yield from (Sentence(words, where) for words in _scores(read))
        for label in dict.fromkeys(labels):
            head = re.sub(r"( \d+)+$", "", label.partition(":")[0])
            if has_words(head):
                yield Sentence(head, where)
