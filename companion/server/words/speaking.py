"""Speaks each phone's language: which one a request wants, and the templates' environment for it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from functools import cache
from types import CodeType
from typing import ClassVar

from flask import Flask, Response, current_app, has_request_context, request
from flask.templating import Environment as FlaskEnvironment
from jinja2 import BytecodeCache, Environment, Template
from jinja2.bccache import Bucket

from companion.files import data
from companion.server.words.catalogue import ENGLISH, LANGUAGES, catalogue
from companion.server.words.gather import script_words
from companion.server.words.pages import dress, spoken
from companion.server.words.voice import say_in, voice_of
from companion.untyped import Foreign, Json, JsonObject

log = logging.getLogger(__name__)

COOKIE = "companion_language"
YEAR = 365 * 24 * 3600


def chosen() -> str:
    """Return the language of this request: what was chosen on this phone, else what its browser asks for."""
    wanted = request.cookies.get(COOKIE)
    if wanted in LANGUAGES:
        return str(wanted)
    return request.accept_languages.best_match(list(LANGUAGES)) or speech().fallback()


def tagged(audience: str, language: str) -> str:
    """Name an audience in a language: "seat-1@sv"; in English it is "seat-1"."""
    return audience if language == ENGLISH else f"{audience}@{language}"


def untagged(name: str) -> tuple[str, str]:
    """Return the audience and the language of a name; a language that is not there is English."""
    audience, _, language = name.partition("@")
    return audience, language if language in LANGUAGES else ENGLISH


class Templates(FlaskEnvironment):
    """Templates in every language: a page that is asked for comes in the language of its request."""

    speech: Speech | None = None

    def get_or_select_template(self, *args: Foreign, **more: Foreign) -> Template:
        """Find a template, in the request's language."""
        if self.speech is None or not has_request_context():
            return super().get_or_select_template(*args, **more)
        return Environment.get_or_select_template(self.speech.environment(chosen()), *args, **more)


class Compiled(BytecodeCache):
    """Templates that are compiled once in a process: they are the same code in every language but English."""

    _codes: ClassVar[dict[tuple[str, str], CodeType]] = {}

    def get_bucket(self, environment: Environment, name: str, filename: str | None, source: str) -> Bucket:
        """Return a template's place here: with calls for all its words, if its environment is not English, or not."""
        kind = "plain" if environment.finalize is None else "spoken"
        bucket = Bucket(environment, f"{kind} {filename or name}", self.get_source_checksum(source))
        self.load_bytecode(bucket)
        return bucket

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take what was compiled before, if the template is still the same."""
        bucket.code = self._codes.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled."""
        if bucket.code is not None:
            self._codes[bucket.key, bucket.checksum] = bucket.code


class Speech:
    """One server's languages: an environment each, made when somebody first wants it."""

    def __init__(self, app: Flask) -> None:
        """Take the application, whose environment speaks English."""
        self._english = app.jinja_env
        self._english.bytecode_cache = Compiled()
        dress(self._english)
        self._english.globals["language"] = ENGLISH
        self._english.globals["languages"] = LANGUAGES
        self.fallback: Callable[[], str] = lambda: ENGLISH
        self._lock = threading.Lock()
        self._environments: dict[str, Environment] = {ENGLISH: self._english}
        if isinstance(app.jinja_env, Templates):
            app.jinja_env.speech = self

    def environment(self, language: str) -> Environment:
        """Return the environment in which templates speak a language."""
        with self._lock:
            found = self._environments.get(language)
            if found is None:
                found = self._environments[language] = spoken(self._english, voice_of(language))
                found.globals.update(language=language, script_words=scripted(language))
                if isinstance(found, Templates):
                    found.speech = None
            return found


@cache
def scripted(language: str) -> dict[str, str]:
    """Return what the scripts say, in a language."""
    find = catalogue(language).find
    return {text: said for text, _ in script_words(data("web") / "static") if (said := find(text))}


def speech() -> Speech:
    """Return the languages of the server that handles this request."""
    found: Speech = current_app.extensions["companion.speech"]
    return found


def say(text: str) -> str:
    """Return a sentence in the language of this request."""
    return say_in(chosen())(text)


def say_all(answer: Mapping[str, Json]) -> JsonObject:
    """Return a JSON answer with what people read of it in the language of this request."""
    return {name: say(value) if isinstance(value, str) else value for name, value in answer.items()}


def choose(response: Response, language: str) -> None:
    """Keep a language on this phone."""
    response.set_cookie(COOKIE, language, max_age=YEAR, samesite="Lax", path="/")
