"""Finds the words of templates, and has them translated: a run of text with its expressions is a pattern with holes.

`<h1>Back to record {{ step.n }}?</h1>` is the message `Back to record {0}?`, as an f-string would be. So templates stay
plain English and need no marks; where a sentence has tags in it or is counted, `{% trans %}` says so. What is for the
program stays as it is: names of classes, addresses, values, what stands in `<code>`, and what is escaped already
(`{{ card.title | e }}`, which is how a template says that something is printed so).
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Iterator

from jinja2 import Environment, nodes
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from jinja2.parser import Parser
from jinja2.runtime import Context, Undefined
from jinja2.utils import pass_context, pass_environment
from markupsafe import Markup, escape

from companion.server.drawing import corners, view_box
from companion.server.words.patterns import WORD, pieces, plain, upper
from companion.server.words.voice import Voice
from companion.text import capital, small

SPOKEN = frozenset({"aria-label", "alt", "title", "placeholder", "data-sure", "data-say", "content-text"})
"""Attributes that people read or hear."""
SILENT = frozenset({"code", "script", "style", "svg", "noscript-data"})
"""Elements whose text is none for people."""
HEADLINE_WORDS, LEAD_WORDS = 8, 2
"""Words that a headline has at most where it can be cut, and that may stand small above it ("Quarter 3")."""
_CLAUSE = re.compile(r"(?:[;:]|\.(?=\s+\S))\s+")
_SPACE = re.compile(r"\s+")
_SLUG = re.compile(r"[a-z0-9]*-(\{\d\}|[a-z-]+)")
NO_WORDS = frozenset({"kind", "data", "scripts"})
"""Blocks of the base page that stand in attributes, or hold addresses."""
_NAME = re.compile(r"[^\s=/>]+")

Expression = list[Token]
Run = list["str | Expression"]


class Reader:
    """Follows HTML through a template's data, piece by piece, and tells where people read."""

    def __init__(self) -> None:
        """Begin outside every tag."""
        self.where = "text"
        self.tag = ""
        self.name = ""
        self.quote = ""
        self.silent = ""

    @property
    def read(self) -> bool:
        """Whether what comes here is read by people."""
        if self.where == "text":
            return not self.silent
        return self.where == "value" and self.name in SPOKEN

    def feed(self, data: str) -> Iterator[tuple[bool, str]]:
        """Take the data apart into (read by people, text)."""
        at = 0
        while at < len(data):
            read = self.read
            end, text = self._step(data, at)
            yield read and text, data[at:end]
            at = end

    def _step(self, data: str, at: int) -> tuple[int, bool]:
        """Go on to where something else begins; return whether what lies before it is text."""
        ends = {"text": "<", "value": self.quote}.get(self.where)
        if ends is None:
            return self._inside(data, at), False
        end = data.find(ends, at)
        if end != at:
            return (len(data) if end < 0 else end), True
        if self.where == "value":
            self.where = "tag"
            return at + 1, False
        return self._open(data, at), False

    def _open(self, data: str, at: int) -> int:
        if data.startswith("<!--", at):
            end = data.find("-->", at)
            return len(data) if end < 0 else end + 3
        found = _NAME.match(data, at + 1)
        name = (found[0] if found else "").lower()
        closing = data.startswith("</", at)
        if closing:
            found = _NAME.match(data, at + 2)
            name = (found[0] if found else "").lower()
            if name == self.silent:
                self.silent = ""
        self.tag = "" if closing else name
        self.where = "tag"
        self.name = ""
        return found.end() if found else at + 1

    def _inside(self, data: str, at: int) -> int:
        """Walk through a tag to its end, or to the value of an attribute."""
        while at < len(data):
            sign = data[at]
            if sign == ">":
                self.where = "text"
                if self.tag in SILENT and data[at - 1 : at] != "/" and not self.silent:
                    self.silent = self.tag
                return at + 1
            if sign in "\"'":
                self.where, self.quote = "value", sign
                return at + 1
            if sign in "=/" or sign.isspace():
                at += 1
                continue
            found = _NAME.match(data, at)
            if found is None:
                at += 1
                continue
            self.name = found[0].lower()
            at = found.end()
        return at


def message(run: Run) -> tuple[str, str, str, list[Expression]]:
    """Return a run's blanks before, its message, the blanks behind it, and its expressions in order."""
    parts: list[str] = []
    holes: list[Expression] = []
    for part in run:
        if isinstance(part, str):
            parts.append(html.unescape(part).replace("{", "{{").replace("}", "}}"))
        else:
            parts.append(f"{{{len(holes)}}}")
            holes.append(part)
    text = _SPACE.sub(" ", "".join(parts))
    body = text.strip()
    return text[: len(text) - len(text.lstrip())], body, text[len(text.rstrip()) :] if body else "", holes


def has_words(text: str) -> bool:
    """Return whether a message has words of its own; `tint-{0}` is a name for the program."""
    return bool(WORD.search(re.sub(r"\{\d+\}", " ", text))) and not _SLUG.fullmatch(text)


def walk(tokens: Iterable[Token], put: Callable[[Run, int], Iterable[Token]]) -> Iterator[Token]:
    """Go through a template's tokens; every run that people read is replaced by what `put` makes of it."""
    reader = Reader()
    run: Run = []
    line = 1
    inside: Expression | None = None
    block: list[Token] = []
    marked = ""
    in_block = False

    def flush() -> Iterator[Token]:
        nonlocal run
        if run:
            yield from put(run, line)
            run = []

    for token in tokens:
        if in_block:
            block.append(token)
            if token.type == "block_end":
                in_block = False
                words = [str(one.value) for one in block if one.type == "name"] + [""]
                if words[0] == "trans" or (words[0] == "block" and words[1] in NO_WORDS):
                    marked = "end" + words[0]
                elif words[0] == marked:
                    marked = ""
                yield from block
                block = []
            continue
        if inside is not None:
            if token.type != "variable_end":
                inside.append(token)
                continue
            if reader.read and not marked:
                if not run:
                    line = token.lineno
                run.append(inside)
            else:
                yield Token(token.lineno, "variable_begin", "{{")
                yield from inside
                yield token
            inside = None
            continue
        if token.type == "variable_begin":
            inside = []
        elif token.type == "block_begin":
            yield from flush()
            in_block, block = True, [token]
        elif token.type == "data":
            for read, text in reader.feed(str(token.value)):
                if read and not marked:
                    if not run:
                        line = token.lineno
                    run.append(text)
                else:
                    yield from flush()
                    yield Token(token.lineno, "data", text)
        else:
            yield token
    yield from flush()


class Worded(Extension):
    """Has a template's words said by the voice that was installed; without one they stay as they are."""

    def filter_stream(self, stream: TokenStream) -> Iterable[Token]:
        """Put calls for runs."""
        if getattr(self.environment, "voice", None) is None:
            return stream
        return walk(stream, _calls)

    def parse(self, parser: Parser) -> nodes.Node | list[nodes.Node]:
        """Handle no tags."""
        raise NotImplementedError


def _calls(run: Run, line: int) -> Iterator[Token]:
    before, text, behind, holes = message(run)
    if has_words(text):
        if before:
            yield Token(line, "data", " ")
        yield Token(line, "variable_begin", "{{")
        yield Token(line, "name", "_run")
        yield Token(line, "lparen", "(")
        yield Token(line, "string", text)
        for hole in holes:
            yield Token(line, "comma", ",")
            yield Token(line, "lparen", "(")
            yield from hole
            yield Token(line, "rparen", ")")
        yield Token(line, "rparen", ")")
        yield Token(line, "variable_end", "}}")
        if behind:
            yield Token(line, "data", " ")
        return
    for part in run:
        if isinstance(part, str):
            yield Token(line, "data", part)
        else:
            yield Token(line, "variable_begin", "{{")
            yield Token(line, "name", "_said")
            yield Token(line, "lparen", "(")
            yield from part
            yield Token(line, "rparen", ")")
            yield Token(line, "variable_end", "}}")


def dress(environment: Environment) -> None:
    """Add to an environment the filters with which templates change the beginning of a sentence."""
    environment.filters["capital"] = capital
    environment.filters["clause"] = clause
    environment.filters["in_words"] = in_words
    environment.filters["headline"] = headline
    environment.filters["corners"] = corners
    environment.filters["view_box"] = view_box


def clause(sentence: str) -> str:
    """Let an English sentence go on another one: its capital goes, unless it may be that of a name."""
    return small(sentence) if sentence[:2] in ("It", "Th", "On", "No") else sentence


@pass_environment
def in_words(environment: Environment, sentence: str) -> str:
    """Return a sentence in the page's language, for filters that take it apart."""
    voice = getattr(environment, "voice", None)
    return sentence if voice is None else str(voice(sentence))


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
    return (lead, rest, "") if cut is None else (lead, rest[: cut.start()], upper(rest[cut.end() :]))


def install(environment: Environment, voice: Voice) -> None:
    """Let an environment's templates speak; it must have the extensions `Worded` and `jinja2.ext.i18n`."""
    environment.voice = voice  # type: ignore[attr-defined]
    environment.globals["_run"] = _runner(voice)
    environment.globals["_said"] = _sayer(voice)


def _sayer(voice: Voice) -> Callable[[object], object]:
    def said(value: object) -> object:
        """Translate what an expression gives; what is HTML already stays."""
        if isinstance(value, Markup | Undefined) or value is None or isinstance(value, bool):
            return value
        if isinstance(value, float):
            return voice(str(value))
        return voice(value) if isinstance(value, str) else value

    return said


def _runner(voice: Voice) -> Callable[..., Markup]:
    said = _sayer(voice)

    @pass_context
    def run(_: Context, text: str, *holes: object) -> Markup:
        """Return a message with what stands in its holes."""
        out: list[str] = []
        for part in pieces(voice.message(text)):
            if isinstance(part, str):
                out.append(str(escape(plain(part))))
                continue
            number, form = part
            value = holes[number]
            if form and isinstance(value, str) and not isinstance(value, Markup):
                value = voice.form(form, value)
            else:
                value = said(value)
            out.append(str(escape(value)))
        return Markup("".join(out))  # noqa: S704 - every part is escaped

    return run
