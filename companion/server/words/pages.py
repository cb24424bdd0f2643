"""Has pages say their words in a language: those that are marked, and texts where they are shown.

Templates are in English. `{% trans %}` and `_("…")` (jinja2.ext.i18n) mark what is to be translated, "%(name)s" stands
for a value; in the catalogue these holes are written as everywhere, `{name}`, and a translation may ask for a form. A
text that an expression gives is translated where it comes out; a plain string stays, and so does what is escaped
already (`{{ card.title | e }}`, which is how a template says that something is printed so).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache

from jinja2 import Environment
from jinja2.filters import do_join
from jinja2.nodes import EvalContext
from jinja2.runtime import Context
from jinja2.utils import pass_context, pass_eval_context
from markupsafe import Markup, escape

from companion.server.drawing import corners, labels, view_box
from companion.server.words.voice import Voice, reader, say
from companion.text import Text, capital, capital_of, filled, pieces, shaped, small, word

HEADLINE_WORDS, LEAD_WORDS = 8, 2
"""Words that a headline has at most where it can be cut, and that may stand small above it ("Quarter 3")."""
_CLAUSE = re.compile(r"(?:[;:]|\.(?=\s+\S))\s+")
_MARK = re.compile(r"%(?:\((\w+)\)s|%)")
_HTML = re.compile(r"[<&]")


def dress(environment: Environment) -> None:
    """Let an environment's templates be marked, and speak the language of who reads them."""
    environment.policies["ext.i18n.trimmed"] = True
    environment.add_extension("jinja2.ext.i18n")
    environment.newstyle_gettext = True  # type: ignore[attr-defined]
    environment.finalize = _spoken
    environment.filters.update(capital=capital, clause=clause, headline=headline, in_words=say)
    environment.filters.update(corners=corners, labels=labels, view_box=view_box)
    environment.filters.update(join=joined, number=number, shaped=shaped, word=word)
    environment.globals.update(_=gettext, gettext=gettext, ngettext=ngettext)


@pass_context
def _spoken(_: Context, value: object) -> object:
    """Put into words a text that comes out; it asks for a context, or constants were said once, at compilation."""
    return say(value) if type(value) is Text else value


def gettext(message: str, /, **values: object) -> Markup:
    """Return marked words in the language of who reads the page."""
    return _filled(reader.get(), (message, "", True), values)


def ngettext(message: str, several: str, count: int, /, **values: object) -> Markup:
    """Return marked words about so many things."""
    return _filled(reader.get(), (message, several, count == 1), {"count": count, **values})


@cache
def _parts(voice: Voice | None, message: str, several: str, one: bool) -> list[tuple[Markup, str, str]]:
    """Take a translation apart: HTML, and behind it a value's name and form. Only words with tags are HTML."""
    if voice is None:
        said = braced(message if one else several)
    else:
        said = voice.message(braced(message), braced(several), 1 if one else 2)
    html = Markup if voice is None or _HTML.search(message) else escape
    return [(html(text), name, form) for text, name, form, _ in pieces(said)]


def _filled(voice: Voice | None, message: tuple[str, str, bool], values: Mapping[str, object]) -> Markup:
    said = _parts(voice, *message)
    if len(said) == 1 and not said[0][1]:
        return said[0][0]
    out: list[str] = []
    for text, name, form in said:
        out.append(text)
        if name:
            value = values[name]
            if voice is not None and not isinstance(value, Markup):
                value = voice.value(value, form)
            out.append(escape(value))
    return Markup("".join(out))  # noqa: S704 - every part is escaped


@lru_cache(None)
def braced(message: str) -> str:
    """Return a marked message as the catalogue has it: "%(name)s leads" is "{name} leads"."""
    doubled = message.replace("{", "{{").replace("}", "}}")
    return _MARK.sub(lambda found: f"{{{found[1]}}}" if found[1] else "%", doubled)


@pass_eval_context
def joined(context: EvalContext, parts: Iterable[object], between: str = "", attribute: str | None = None) -> object:
    """Join as `join` does, but so that texts among the parts can still be translated."""
    some = list(parts)
    if not any(isinstance(one, Text) for one in some):
        return do_join(context, some, between, attribute)
    holes = "{between}".join(f"{{_{n}}}" for n in range(len(some)))
    return filled(holes, {"between": str(between), **{f"_{n}": one for n, one in enumerate(some)}})


def number(value: float, shape: str) -> Text:
    """Return a number in a format, such as ".1f", as the language of the page writes it."""
    return filled(f"{{number:{shape}}}", {"number": float(value)})


def clause(sentence: str) -> str:
    """Let an English sentence go on another one: its capital goes, unless it may be that of a name."""
    return small(sentence) if sentence[:2] in ("It", "Th", "On", "No") else sentence


def headline(sentence: str) -> tuple[str, str, str]:
    """Return the parts of a sentence for a screen far away: what leads up to it, a headline of few words, and the rest.

    It is cut where a sentence, or a clause behind a colon or a semicolon, ends; what has none stays whole.
    """
    lead, rest = "", sentence.strip()
    first, _, more = rest.partition(". ")
    if more and len(first.split()) <= LEAD_WORDS:
        lead, rest = first, more
    if len(rest.split()) <= HEADLINE_WORDS:
        return lead, rest, ""
    cut = _CLAUSE.search(rest)
    return (lead, rest, "") if cut is None else (lead, rest[: cut.start()], capital_of(rest[cut.end() :]))
