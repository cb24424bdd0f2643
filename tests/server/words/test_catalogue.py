"""The catalogue has everything that is said, in every language, with the same holes."""

from __future__ import annotations

from io import BytesIO

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from companion.server.words.__main__ import BY_HAND, LOCALE, as_mo, as_po, lacking, merged, path_of, read, template
from companion.server.words.catalogue import DOMAIN, ENGLISH, LANGUAGES, catalogue
from companion.server.words.voice import FORMS
from companion.text import SHAPES, pieces

OTHERS = [language for language in LANGUAGES if language != ENGLISH]
RENEW = "run `python -m companion.server.words`, and translate what it names"


@pytest.fixture(scope="module")
def fresh() -> Catalog:
    return template()


@pytest.fixture(scope="module")
def said(fresh: Catalog) -> set[str]:
    return {str(message.id) for message in fresh if message.id}


@pytest.mark.parametrize("language", OTHERS)
def test_the_catalogue_is_up_to_date_and_nothing_is_lacking(language: str, said: set[str]) -> None:
    kept = read(path_of(language, "po"))
    extracted = {str(one.id) for one in kept if one.id and BY_HAND not in one.auto_comments}
    assert said - extracted == set(), RENEW
    assert extracted - said == set(), RENEW
    assert [one.id for one in lacking(kept)] == [], RENEW
    assert path_of(language, "mo").read_bytes() == as_mo(kept), RENEW


def test_the_template_is_up_to_date(said: set[str]) -> None:
    assert {str(one.id) for one in read(LOCALE / "companion.pot") if one.id} == said, RENEW


def both(message: Message) -> list[tuple[str, str]]:
    """List a message's texts, each with its translation: those of one thing and of several, if it is counted."""
    if isinstance(message.id, tuple):
        return list(zip(message.id, message.string, strict=True))
    return [(str(message.id), str(message.string))]


def holes(text: str) -> list[tuple[str, str]]:
    """List a text's holes with their forms; braces that are none are an error."""
    return [(name, form) for _, name, form, _ in pieces(text) if name]


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_has_the_holes_of_its_sentence(language: str) -> None:
    forms = FORMS.get(language, {})
    kept = read(path_of(language, "po"))
    contexts = {one.context for one in kept if one.context}
    for one in kept:
        if not one.id:
            continue
        for text, translation in both(one):
            wanted, given = holes(text), holes(translation)
            names = {name for name, _ in given}
            # For one thing its number may go without saying.
            assert names - {"count"} == {name for name, _ in wanted} - {"count"}, text
            assert names <= {name for name, _ in wanted} | {"count"}, text
            known = {"", *forms, *contexts, *SHAPES, *(form for _, form in wanted)}
            assert {form for _, form in given} <= known, text


@pytest.mark.night
def test_renewing_keeps_translations_and_what_was_added_by_hand(fresh: Catalog) -> None:
    kept = read(path_of("sv", "po"))
    once = merged(kept, fresh)
    assert {(one.context, one.id): one.string for one in once if one.string} == {
        (one.context, one.id): one.string for one in kept if one.string
    }
    written = as_po(once)
    assert as_po(merged(read_po(BytesIO(written), domain=DOMAIN), fresh)) == written


def test_plural_forms_are_counted_by_gettext() -> None:
    assert catalogue("sv").ngettext("one piece", "many pieces", 2) == "many pieces"
    assert catalogue("sv").gettext("Scores") == "Poäng"
