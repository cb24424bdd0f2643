"""Every word of a page is marked: what stands in a template outside marks is English in every language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from jinja2 import Environment

from companion.files import data
from companion.server.words.pages import dress
from companion.server.words.voice import WORD, spoken_in
from companion.text import t
from tests.server.words.english import Texts

TEMPLATES = data("web") / "templates"
PAGES = sorted(path.relative_to(TEMPLATES).as_posix() for path in TEMPLATES.rglob("*.html"))
MARKED = re.compile(r"\{% trans\b.*?\{% endtrans \+?%\}|\{#.*?#\}", re.DOTALL)
SILENT = re.compile(r"\{% block (?:kind|data|scripts) %\}.*?\{% endblock %\}", re.DOTALL)
CODE = re.compile(r"\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
QUOTED = re.compile(r'(?<!_\()"([^"]*)"')
SHOWN = re.compile(r"[A-Z][a-z]+ .*[a-z]")
"""A string in an expression that is words, not a name for the program."""
SAME = frozenset({"Companion", "tint-tint-plain", "On the block", "Up for auction"})
"""What is the same everywhere or for the program, and titles that are compared."""


def unmarked(template: str) -> list[str]:
    """List the words of a template that no language could change."""
    bare = MARKED.sub("", template)
    texts = Texts("en")
    texts.feed(CODE.sub("", SILENT.sub("", bare)))
    found = [text for text in texts.found if WORD.search(text)]
    return found + [one for code in CODE.findall(bare) for one in QUOTED.findall(code) if SHOWN.fullmatch(one)]


@pytest.mark.parametrize("page", PAGES)
def test_the_words_of_a_page_are_marked(page: str) -> None:
    found = unmarked(Path(TEMPLATES, page).read_text(encoding="utf-8"))
    assert [words for words in found if words not in SAME] == []


def test_words_without_a_mark_are_found() -> None:
    page = '<p class="big">Hello you</p><a aria-label="Go on">{{ _("Fine so") }}</a>{{ tap("Not so") }}'
    assert unmarked(page) == ["Hello you", "Go on", "Not so"]
    assert unmarked("<p>{% trans %}Hello you{% endtrans %}</p>{# Why so #}") == []


@pytest.mark.parametrize("page", PAGES)
def test_no_text_is_taken_apart_in_english(page: str) -> None:
    """Methods of strings and `| e` make English of it for good; filters (`shaped`, `in_words`) and marks do not."""
    template = Path(TEMPLATES, page).read_text(encoding="utf-8")
    assert re.findall(r"\b(?:words|headline|sentence)\.(?:split|partition|replace|lower|upper)\(.*", template) == []
    if page.startswith("parts/"):
        assert re.findall(r"\b(?:leader_|\[0\]\.|one\.)name\s*\|\s*e\b", template) == []


@pytest.mark.parametrize(
    ("template", "english", "swedish"),
    [
        ("{% trans %}Scores{% endtrans %}", "Scores", "Poäng"),
        ('{{ _("Scores") }}', "Scores", "Poäng"),
        ("{% trans to=who %}for {{ to }}{% endtrans %}", "for &lt;b&gt;", "till &lt;b&gt;"),
        ("{% trans count=3 %}1 roll{% pluralize %}{{ count }} rolls{% endtrans %}", "3 rolls", "3 slag"),
        ("{{ text }}", "Scores", "Poäng"),
        ("{{ text | e }}", "Scores", "Scores"),
        ("{{ [text, who] | join(', ') }}", "Scores, &lt;b&gt;", "Poäng, &lt;b&gt;"),
        ('{{ size | number(".1f") }}', "1.5", "1,5"),
    ],
)
def test_a_mark_is_said_in_the_pages_language(template: str, english: str, swedish: str) -> None:
    environment = Environment(autoescape=True)
    dress(environment)
    made = environment.from_string(template)
    for language, said in (("en", english), ("sv", swedish), ("en", english)):
        with spoken_in(language):
            assert made.render(text=t("Scores"), who="<b>", size=1.5) == said
