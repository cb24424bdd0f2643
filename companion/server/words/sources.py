"""Finds the sentences for people in Python: every string that may reach a page, as a pattern with numbered holes.

An f-string is its text with holes: `f"{who} bids {n}."` is `{0} bids {1}.`. What may be there or not is written out,
once with it and once without it: a conditional with constant branches, a name that the function sets to such a string,
a call of a helper in the same module that may give nothing. So a translator gets whole sentences.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator
from itertools import product
from pathlib import Path

MOST = 24
"""Ways in which one f-string is written out; beyond it what varies stays a hole."""
SAID = {
    "ActionKind": (1,),
    "Declared": (0,),
    "Phase": (0, 2),
    "Bidder": (2,),
    "Choice": (1,),
    "Hole": (2,),
    "Ladder": (0, 5),
    "LeftOut": (1,),
    "May": (1,),
    "Need": (2,),
    "Option": (1,),
    "Outcome": (3,),
    "Part": (0,),
    "Remark": (0, 2),
    "Shelf": (0,),
    "Trouble": (1,),
    "illegal": (1, 2),
    "inconsistent": (1, 2),
    "say": (0,),
    "put_name": (1,),
    "HealthIssue": (1, 2, 3),
    "Question": (2,),
    "SeatStanding": (3,),
    "Timed": (),
    "Info": (),
}
"""Which arguments of these are read by people, though they be one word: `Part("coins", 3)`; the others are not."""
SAID_BY_NAME = frozenset(
    {"words", "title", "label", "labels", "said", "call", "coach", "headline", "reason", "remedy", "why"}
)
"""Arguments with these names are."""
NOT_SAID = frozenset({"mimetype", "ending", "rule", "template", "key", "kind", "name", "methods"})
FOR_OTHERS = frozenset(
    [
        "TypeError",
        "AssertionError",
        "KeyError",
        "ValueError",
        "CardError",
        "EffectError",
        "MatError",
        "GameError",
        "RuntimeError",
    ]
)
"""Errors that are told to whoever writes rules or a deck, at the command line."""
_NO_SENTENCE = re.compile(
    r"(SELECT|INSERT|UPDATE|PRAGMA|DELETE|BEGIN|CREATE|COMMIT|ROLLBACK|GET|HTTP|Lax)\b|\s*CREATE|<|[a-z]+-src '|/|"
    r"HTTP:|(inline|attachment|public|private); |[a-z]+ = |# |(form-action|base-uri|frame-ancestors) |public, |.*=\{|"
    r"[A-Z][A-Za-z]+(-[A-Z][A-Za-z]*)+$|--|Microsoft |application/|NetworkManager "
)
"""What is no sentence: SQL, headers, addresses, settings, what phones ask for on a Wi-Fi."""
_WORDS = re.compile(r"[A-Za-zÀ-ÿ]{2,}")
_CAPITALS = re.compile(r"[A-Z][A-Z_\d]*|_+|[A-Z]+[a-z]+([A-Z][a-z]*)+")
_SILENT = frozenset(
    [
        "getattr",
        "setattr",
        "hasattr",
        "startswith",
        "endswith",
        "removeprefix",
        "removesuffix",
        "partition",
        "split",
        "TypeVar",
        "encode",
        "strftime",
        "open",
        "Blueprint",
        "Command",
        "NewType",
        "compile",
        "getLogger",
        "Path",
        "get_template",
        "add_header",
        "execute",
        "executemany",
        "get",
        "pop",
        "setdefault",
        "send_file",
        "set_cookie",
        "delete_cookie",
        "getlist",
        "redirect",
        "url_for",
        "rpartition",
        "rsplit",
    ]
)
"""Functions whose arguments are no words for people."""
_PLAIN = re.compile(r"[a-z]+(?:-[a-z]+)*")

_JOINTS = frozenset({"and", "or", "es"})

KEYWORDS = frozenset({"t", "plural"})
"""Functions of `companion.text` whose templates Babel extracts."""

Way = tuple["str | None", ...]
"""A string's parts in one way of writing it out: text, or None for a hole."""


class Sentence:
    """A pattern, and where it was found."""

    def __init__(self, text: str, where: tuple[str, int]) -> None:
        """Keep both."""
        self.text = text
        self.where = where


def pattern(parts: Iterable[str | None]) -> str:
    """Write parts as a pattern: numbered holes; braces that are meant are doubled, as for `str.format`."""
    text: list[str] = []
    holes = 0
    for part in parts:
        if part is None:
            text.append(f"{{{holes}}}")
            holes += 1
        else:
            text.append(part.replace("{", "{{").replace("}", "}}"))
    return "".join(text)


def sentences(path: Path, name: str, errors: Collection[str] = ()) -> Iterator[Sentence]:
    """Yield what a module says to people; `name` is how the place is called. If `errors` are named, only what they say:
    the rest of such a module is for the command line.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    finder = _Finder(tree, errors)
    finder.visit(tree)
    for line, text in finder.found:
        yield Sentence(text, (name, line))


class _Finder(ast.NodeVisitor):
    """Walks a module and keeps its sentences."""

    def __init__(self, tree: ast.Module, errors: Collection[str]) -> None:
        self.found: list[tuple[int, str]] = []
        self._errors = errors
        self._silent = bool(errors)
        self._helpers = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        self._helpers.update(
            (sub.name, sub)
            for node in tree.body
            if isinstance(node, ast.ClassDef)
            for sub in node.body
            if isinstance(sub, ast.FunctionDef)
        )
        self._functions: list[ast.FunctionDef] = []
        self._depth = 0

    # ------------------------------------------------------------------------------------------ what is passed over

    def visit_Module(self, node: ast.Module) -> None:
        self._body(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for statement in _without_docs(node.body):
            # A struct's fields have annotations, their types and tags are no words.
            if isinstance(statement, ast.AnnAssign):
                if statement.value is not None:
                    self.visit(statement.value)
            else:
                self.visit(statement)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._functions.append(node)
        for statement in _without_docs(node.body):
            self.visit(statement)
        self._functions.pop()

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.visit(node.value)

    def visit_Compare(self, node: ast.Compare) -> None:
        for part in (node.left, *node.comparators):
            if not isinstance(part, ast.Constant | ast.Tuple | ast.Set):
                self.visit(part)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self.visit(node.value)
        if not isinstance(node.slice, ast.Constant):
            self.visit(node.slice)

    def visit_match_case(self, node: ast.match_case) -> None:
        if node.guard is not None:
            self.visit(node.guard)
        for statement in node.body:
            self.visit(statement)

    def visit_Raise(self, node: ast.Raise) -> None:
        # What programmers are told is not for people's phones.
        if isinstance(node.exc, ast.Call) and _called(node.exc) in FOR_OTHERS:
            return
        before = self._silent
        if isinstance(node.exc, ast.Call) and _called(node.exc) in self._errors:
            self._silent = False
        self.generic_visit(node)
        self._silent = before

    def visit_Assert(self, node: ast.Assert) -> None:
        self.visit(node.test)

    def _body(self, node: ast.Module) -> None:
        for statement in _without_docs(node.body):
            self.visit(statement)

    # --------------------------------------------------------------------------------------------------- what counts

    def visit_Call(self, node: ast.Call) -> None:
        name = _called(node)
        if name in KEYWORDS:
            # Babel extracts its templates.
            node = ast.Call(node.func, [one for one in node.args if not isinstance(one, ast.Constant)], node.keywords)
        self.visit(node.func)
        if name.startswith(("log.", "logging.", "re.", "struct.")) or name in _SILENT:
            said: tuple[int, ...] = ()
            loose = silent = True
        else:
            said, loose, silent = SAID.get(name, ()), name in SAID, name in SAID
        asked = name in ("get", "pop")
        for n, argument in enumerate(node.args):
            plain = isinstance(argument, ast.Constant | ast.JoinedStr)
            # What is given where nothing is found may be said: names.get(seat, f"Seat {seat}").
            if n in said or not silent or not plain or (asked and n == 1):
                self._said(argument, loose and n in said)
        for keyword in node.keywords:
            if keyword.arg in NOT_SAID and isinstance(keyword.value, ast.Constant | ast.JoinedStr):
                continue
            self._said(keyword.value, keyword.arg in SAID_BY_NAME)

    def _said(self, node: ast.expr, loose: bool) -> None:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            self._keep(node.lineno, node.value, loose)
        elif loose and isinstance(node, ast.IfExp):
            self.visit(node.test)
            self._said(node.body, True)
            self._said(node.orelse, True)
        elif loose and isinstance(node, ast.JoinedStr):
            self._joined(node, True)
        else:
            self.visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            self._keep(node.lineno, node.value, False)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.visit(node.test)
        inside = self._depth > 0
        self._said(node.body, inside)
        self._said(node.orelse, inside)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        self._joined(node, self._depth > 0)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if isinstance(node.op, ast.Add) and _texts(node):
            self._joined(node, self._depth > 0)
        else:
            self.generic_visit(node)

    def _joined(self, node: ast.expr, loose: bool) -> None:
        for way in self._ways(node, set()):
            self._keep(node.lineno, pattern(way), loose, made=True)
        self._depth += 1
        for hole in _holes(node):
            self.visit(hole)
        self._depth -= 1

    def _keep(self, line: int, text: str, loose: bool, made: bool = False) -> None:
        if self._silent:
            return
        if not made:
            text = text.replace("{", "{{").replace("}", "}}")
        bare = re.sub(r"\{\d+\}", " ", text)
        if set(_WORDS.findall(bare)) <= _JOINTS or _NO_SENTENCE.match(text):
            return
        if made and " " not in text and not loose and text[-1:] not in ".?!":
            # A name for the program: f"items.{seat}".
            return
        if (
            not made
            and not loose
            and " " not in text
            and text[-1:] not in "?!"
            and (_CAPITALS.fullmatch(text) or not self._functions)
        ):
            return
        if made and " " not in text and ".{" in text:
            return
        if (
            not made
            and not loose
            and (_PLAIN.fullmatch(text) or not re.search(r"[ A-Z]", text) or ("/" in text and " " not in text))
        ):
            return
        self.found.append((line, text))

    # ---------------------------------------------------------------------------------------------- ways to write it

    def _ways(self, node: ast.expr, seen: set[str]) -> list[Way]:
        """List the ways in which a string may be written out."""
        parts: list[list[Way]] = []
        for part in _parts(node):
            choices: list[Way] = [(part,)] if isinstance(part, str) else self._choices(part, seen)
            parts.append(choices)
        while _count(parts) > MOST:
            widest = max(range(len(parts)), key=lambda i: len(parts[i]))
            parts[widest] = [(None,)]
        return list(dict.fromkeys(sum(combined, ()) for combined in product(*parts)))

    def _choices(self, node: ast.expr, seen: set[str]) -> list[Way]:
        """List what a hole may hold, if that is written in the source and worth writing out; else a hole."""
        found = self._strings(node, seen)
        if found is None:
            return [(None,)]
        return found

    def _strings(self, node: ast.expr, seen: set[str]) -> list[Way] | None:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return [(node.value,)]
        if isinstance(node, ast.JoinedStr):
            return self._ways(node, seen)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and _texts(node):
            return self._ways(node, seen)
        if isinstance(node, ast.IfExp):
            both = [self._strings(node.body, seen), self._strings(node.orelse, seen)]
            if both == [None, None]:
                return None
            return list(dict.fromkeys(way for one in both for way in (one or [(None,)])))
        if isinstance(node, ast.Name) and self._functions and node.id not in seen:
            return self._optional(self._assigned(node.id), seen | {node.id})
        if isinstance(node, ast.Call):
            helper = self._helpers.get(_called(node).removeprefix("self."))
            if helper is not None and helper.name not in seen:
                given = [sub.value for sub in ast.walk(helper) if isinstance(sub, ast.Return) and sub.value is not None]
                self._functions.append(helper)
                try:
                    return self._optional(given, seen | {helper.name})
                finally:
                    self._functions.pop()
        return None

    def _optional(self, values: list[ast.expr], seen: set[str]) -> list[Way] | None:
        """Write out what may be nothing, or begins with a blank or a comma: a part of a sentence."""
        ways: list[Way] = []
        for value in values:
            found = self._strings(value, seen)
            ways.extend(found if found is not None else [(None,)])
        ways = list(dict.fromkeys(ways))

        def part(way: Way) -> bool:
            head = way[0] if way else ""
            return (
                not way
                or head == ""
                or (head is not None and not head[:1].isalnum() and head[:1] != "+" and head[:1] not in '"({')
            )

        return ways if any(part(way) for way in ways) else None

    def _assigned(self, name: str) -> list[ast.expr]:
        found: list[ast.expr] = []
        for node in ast.walk(self._functions[-1]):
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Name) and target.id == name:
                        found.append(node.value)
                    elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                        found += [
                            value
                            for one, value in zip(target.elts, node.value.elts, strict=False)
                            if isinstance(one, ast.Name) and one.id == name
                        ]
        return found


def _count(parts: list[list[Way]]) -> int:
    count = 1
    for part in parts:
        count *= len(part)
    return count


def _without_docs(body: list[ast.stmt]) -> list[ast.stmt]:
    return [one for one in body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]


def _called(node: ast.Call) -> str:
    if isinstance(node.func, ast.Name):
        return node.func.id
    if isinstance(node.func, ast.Attribute):
        head = node.func.value.id + "." if isinstance(node.func.value, ast.Name) else ""
        return head + node.func.attr if head in ("log.", "logging.", "re.", "self.", "struct.") else node.func.attr
    return ""


def _texts(node: ast.BinOp) -> bool:
    """Return whether a sum is one of strings."""
    return any(
        isinstance(side, ast.JoinedStr)
        or (isinstance(side, ast.Constant) and isinstance(side.value, str))
        or (isinstance(side, ast.BinOp) and isinstance(side.op, ast.Add) and _texts(side))
        for side in (node.left, node.right)
    )


def _parts(node: ast.expr) -> list[str | ast.expr]:
    """Return a string's parts: its text, and what stands in its holes."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.JoinedStr):
        return [part for value in node.values for part in _parts(value)]
    if isinstance(node, ast.FormattedValue):
        return [node.value]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and _texts(node):
        return [*_parts(node.left), *_parts(node.right)]
    return [node]


def _holes(node: ast.expr) -> list[ast.expr]:
    return [part for part in _parts(node) if not isinstance(part, str)]
