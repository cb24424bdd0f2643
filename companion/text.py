"""Messages for people: templates with named values, which read as English and can be put into another language.

A `Text` is a string, finished and in English, that also knows how it was made. Whoever shows it to somebody who reads
another language looks its template up in a gettext catalogue (`companion.server.words`). Templates are extracted from
the source by Babel, so the first argument of `t` and the first two of `plural` are always written out as they are.

    t("{seat} draws {cards}.", seat=at(2), cards=plural("{count} card", "{count} cards", count=3))

Values are Texts (they are translated, too), numbers, and plain strings: names, card titles, codes, which stay as they
are. Texts are put together by templates, by `+` and by `join`; f-strings, `str.join`, slices and other methods of `str`
give plain English, which can't be translated any more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import lru_cache
from string import Formatter

Hole = tuple[str, str, str, str]
"""A part of a template: text, and behind it the name of a value with its format and its conversion (`{name!r:format}`).
The last part may have a text alone: its name is "".
"""


def capital_of(words: str) -> str:
    """Return a string with a capital at its beginning, but where it begins with a path or an address."""
    return words if "/" in words.partition(" ")[0] else words[:1].upper() + words[1:]


def small_of(words: str) -> str:
    """Return a string with a small letter at its beginning."""
    return words[:1].lower() + words[1:]


def bare_of(words: str) -> str:
    """Return a string without the full stop at its end."""
    return words[:-1] if words.endswith(".") and not words.endswith("..") else words


def head_of(words: str) -> str:
    """Return what stands before the first ": " of a string."""
    return words.partition(": ")[0]


def tail_of(words: str) -> str:
    """Return what stands behind the first ": " of a string; "" if there is none."""
    return words.partition(": ")[2]


_NUMBERED = re.compile(r"(?P<stem>.*[^\d\s]) (?P<number>\d+)(?: \((?P<beside>[^()]*)\))?")


def stem_of(words: str) -> str:
    """Return what stands before the number at the end of a string, "Buy item" of "Buy item 2 (pay $1)"; else all."""
    found = _NUMBERED.fullmatch(words)
    return found["stem"] if found else words


def number_of(words: str) -> str:
    """Return that number; "" if there is none."""
    found = _NUMBERED.fullmatch(words)
    return found["number"] if found else ""


def beside_of(words: str) -> str:
    """Return what stands in parentheses behind that number; "" if there is nothing."""
    found = _NUMBERED.fullmatch(words)
    return (found["beside"] or "") if found else ""


def shown_address(typed: str) -> str:
    """Return of an address, path or camera's name that somebody typed what everybody may read.

    Of an address that are its scheme, host and port: before them may be a password, and behind them a key.
    """
    scheme, slashes, rest = re.fullmatch(r"(?s)(?:(.*?:)(//|/+(?=.*@)))?(.*)", typed.strip()).groups("")  # type: ignore[union-attr]
    if not slashes:
        name, question, _ = rest.rpartition("@")[2].partition("?")
        return ("…@" if "@" in rest else "") + name + ("?…" if question else "")
    host, _, more = re.fullmatch(r"(?s)([^/?#]*)([/?#]*)(.*)", rest).groups()  # type: ignore[union-attr]
    # A password may have a slash in it: then nobody can tell where the host begins.
    return f"{scheme}//" + ("…" if "@" in more else host.rpartition("@")[2] + ("/…" if more else ""))


SHAPES: Mapping[str, Callable[[str], str]] = {
    "capital": capital_of,
    "small": small_of,
    "bare": bare_of,
    "head": head_of,
    "tail": tail_of,
    "stem": stem_of,
    "number": number_of,
    "beside": beside_of,
}
"""How a value may stand in a template in any language: `{reason:capital}`. Other formats are those of `format`."""


@lru_cache(16384)
def pieces(template: str) -> tuple[Hole, ...]:
    """Take a template apart."""
    return tuple(
        (text, name or "", form or "", conversion or "") for text, name, form, conversion in Formatter().parse(template)
    )


_QUICK: dict[str, str] = {}
"""Templates without formats and conversions, with `%(name)s` for their holes: that is filled twice as fast."""
MOST_QUICK = 16384
"""More templates are no program's own: a hall is told some by tables."""
_new = str.__new__
_CONSTANT: dict[str, Text] = {}
"""Texts without values, each made once."""


def _english(template: str, values: Mapping[str, object]) -> str:
    """Fill a template."""
    parts = []
    quick = True
    for text, name, form, conversion in pieces(template):
        parts.append(text)
        if name:
            shape = SHAPES.get(form)
            value = repr(values[name]) if conversion else values[name]
            parts.append(shape(str(value)) if shape else format(value, form))
            quick = quick and not form and not conversion
    if quick and len(_QUICK) < MOST_QUICK:
        holes = ((text.replace("%", "%%"), f"%({name})s" if name else "") for text, name, _, _ in pieces(template))
        _QUICK[template] = "".join(part for both in holes for part in both)
    return "".join(parts)


class Text(str):
    """A message in English that knows its template and its values. Equal to, and hashed like, the same plain string.

    `several` is the template for more than one, where `values["count"]` of something is meant; "" where nothing is
    counted. Made by `t`, `plural` and the other functions here.
    """

    __slots__ = ("several", "template", "values")
    template: str
    several: str
    values: Mapping[str, object]

    def __reduce__(self) -> tuple[object, ...]:
        return filled, (self.template, dict(self.values), self.several)

    def __add__(self, other: str) -> str:
        return join("", (self, other)) if other else self

    def __radd__(self, other: str) -> str:
        return join("", (other, self)) if other else self

    def changed(self, change: Callable[[str], str]) -> Text:
        """Return this text with other words for the plain strings among its values, and among the values of those."""
        found: dict[str, object] = {}
        for name, value in self.values.items():
            if isinstance(value, Text):
                other: str = value.changed(change)
            elif isinstance(value, str):
                other = change(value)
            else:
                continue
            if other is not value:
                found[name] = other
        return filled(self.template, {**self.values, **found}, self.several) if found else self


TEXTS = (Text,)
"""For `msgspec.to_builtins(…, builtin_types=TEXTS)`: texts go through as they are."""


def filled(template: str, values: Mapping[str, object], several: str = "") -> Text:
    """Fill a template, or the one for several things.

    Raises:
        KeyError: if a value is missing.
    """
    chosen = several if several and values["count"] != 1 else template
    quick = _QUICK.get(chosen)
    self = _new(Text, _english(chosen, values) if quick is None else quick % values)
    self.template, self.values, self.several = template, values, several
    return self


def t(template: str, /, **values: object) -> str:
    """Return a message: a template with its values. The template is written out where this is called."""
    if not values:
        made = _CONSTANT.get(template)
        return made or _CONSTANT.setdefault(template, filled(template, values))
    if len(values) == 1:
        (value,) = values.values()
        if type(value) is str:
            return _about(template, *values, value)
    return filled(template, values)


@lru_cache(8192)
def _about(template: str, name: str, value: str) -> Text:
    """Return a message about one name: rules say hundreds of them a second, most of which nobody reads."""
    return filled(template, {name: value})


def plural(template: str, several: str, /, *, count: int, **values: object) -> str:
    """Return a message about `count` things: for one the first template, for any other number the second."""
    return filled(template, {"count": count, **values}, several)


def word(words: str) -> str:
    """Return words of a data file (what a colour or a zone is called) as a message, extracted from there."""
    return filled(words.replace("{", "{{").replace("}", "}}"), {})


def join(between: str, parts: Iterable[str]) -> str:
    """Return texts one after another, with a text between them."""
    some = tuple(parts)
    gap = between.replace("{", "{{").replace("}", "}}")
    return filled(gap.join(f"{{_{n}}}" for n in range(len(some))), {f"_{n}": part for n, part in enumerate(some)})


def capital(words: str) -> str:
    """Return words with a capital at their beginning, in any language."""
    return words if words[:1] == words[:1].upper() else _in_shape("{words:capital}", words)


def small(words: str) -> str:
    """Return words with a small letter at their beginning, but for what has a capital everywhere, as German nouns."""
    return words if words[:1] == words[:1].lower() else _in_shape("{words:small}", words)


def bare(words: str) -> str:
    """Return a sentence without the full stop at its end."""
    return _in_shape("{words:bare}", words) if words.endswith(".") else words


def shaped(words: str, shape: str) -> str:
    """Return words in one of the `SHAPES`, taken of what they are in each language: "head" is what goes before ":"."""
    return words if SHAPES[shape](words) == words else _in_shape(f"{{words:{shape}}}", words)


def sentence(words: str) -> str:
    """Return words as a sentence: with a capital, and a full stop unless they have one."""
    return capital(words) + ("" if not words or words[-1] in ".!?" else ".")


def _in_shape(template: str, words: str) -> str:
    made = filled(template, {"words": words})
    return made if isinstance(words, Text) else str(made)


def typed(address: str) -> str:
    """Return an address as people type it: without its scheme, and the host in small letters ("10.42.0.1:8080/J")."""
    host, slash, path = address.split("://", 1)[-1].rstrip("/").partition("/")
    return host.lower() + slash + path


CLOCK, DAY, MOMENT = "%H:%M", "%Y-%m-%d", "%Y-%m-%d %H:%M"


def local_time(at: str | datetime, shape: str) -> str:
    """Return a time (ISO 8601, UTC) by the clocks of this place, as a CLOCK, a DAY or a MOMENT; "" if it is none."""
    try:
        return (datetime.fromisoformat(at) if isinstance(at, str) else at).astimezone().strftime(shape)
    except (ValueError, OverflowError):
        return ""


def said(error: BaseException) -> str:
    """Return what an error says, as it was given: `str` makes plain English of a text."""
    words = error.args[0] if error.args else ""
    return words if isinstance(words, Text) else str(error)


def plain(value: object) -> str:
    """Return a text as a plain string, for encoders that know no other: `msgspec.json.encode(…, enc_hook=plain)`.

    Raises:
        NotImplementedError: for anything else.
    """
    if isinstance(value, Text):
        return str(value)
    raise NotImplementedError(f"objects of type {type(value).__name__} are not written")
