"""Speaks each phone's language: which one a request wants, and in which its pages and answers are said."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from flask import Flask, current_app, request

from companion.files import data
from companion.server.words.catalogue import ENGLISH, LANGUAGES, catalogue
from companion.server.words.gather import script_words
from companion.server.words.pages import dress
from companion.server.words.voice import say, speak
from companion.untyped import Json, JsonObject

COOKIE = "companion_language"


def chosen() -> str:
    """Return the language of this request: what was chosen on this phone, else what its browser asks for."""
    wanted = request.cookies.get(COOKIE)
    if wanted in LANGUAGES:
        return str(wanted)
    return request.accept_languages.best_match(list(LANGUAGES)) or fallback()


def tagged(audience: str, language: str) -> str:
    """Name an audience in a language: "seat-1@sv"; in English it is "seat-1"."""
    return audience if language == ENGLISH else f"{audience}@{language}"


def untagged(name: str) -> tuple[str, str]:
    """Return the audience and the language of a name; a language that is not there is English."""
    audience, _, language = name.partition("@")
    return audience, language if language in LANGUAGES else ENGLISH


def offer_languages(app: Flask, fallback: Callable[[], str]) -> None:
    """Let an application's pages speak the language of whoever asks, or the `fallback` to who asks for none of ours."""
    dress(app.jinja_env)
    app.jinja_env.globals["languages"] = LANGUAGES
    app.extensions["companion.language"] = fallback
    app.before_request(lambda: speak(chosen()))
    app.teardown_request(lambda _: speak(ENGLISH))
    app.context_processor(_in_language)


def _in_language() -> dict[str, object]:
    """Return what every page has of its language."""
    language = chosen()
    return {"language": language} if language == ENGLISH else {"language": language, "script_words": scripted(language)}


@cache
def scripted(language: str) -> dict[str, str]:
    """Return what the scripts say, in a language."""
    find = catalogue(language).find
    return {text: said for text, _ in script_words(data("web") / "static") if (said := find(text))}


def fallback() -> str:
    """Return the language of this server, which who asks for none of ours is answered in."""
    return str(current_app.extensions["companion.language"]())


def say_all(answer: Mapping[str, Json]) -> JsonObject:
    """Return a JSON answer with what people read of it in the language of this request."""
    return {name: say(value) if isinstance(value, str) else value for name, value in answer.items()}
