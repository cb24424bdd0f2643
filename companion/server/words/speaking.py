"""Speaks each phone's language: which one a request wants, and the templates' environment and voice for it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from types import CodeType
from typing import ClassVar

from flask import Flask, Response, current_app, has_request_context, request
from flask.templating import Environment as FlaskEnvironment
from jinja2 import BytecodeCache, Environment, Template
from jinja2.bccache import Bucket

from companion.files import data
from companion.referee.snapshot import Snapshot
from companion.server.camera_api import Prints
from companion.server.words.catalogue import ENGLISH, LANGUAGES, catalogue, phrasebook
from companion.server.words.gather import script_words
from companion.server.words.templates import Worded, dress, install
from companion.server.words.tongues import SEAT, Say, Tongues, printed
from companion.server.words.voice import Voice
from companion.untyped import Foreign, Json, JsonObject

log = logging.getLogger(__name__)

COOKIE = "companion_language"
YEAR = 365 * 24 * 3600
SPOKEN_FIELDS = ("message", "reason", "remedy")
"""Fields of JSON answers that people read."""


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
        """Return a template's place here: with calls for its words, if its environment has a voice, or without."""
        kind = "plain" if getattr(environment, "voice", None) is None else "spoken"
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
    """One server's languages: a voice and an environment each, made when somebody first wants them."""

    def __init__(self, app: Flask, prints: Prints) -> None:
        """Take the application, whose environment speaks English, and the games' decks."""
        self._english = app.jinja_env
        self._english.bytecode_cache = Compiled()
        self._english.add_extension("jinja2.ext.i18n")
        dress(self._english)
        self._english.globals["language"] = ENGLISH
        self._english.globals["languages"] = LANGUAGES
        self._prints = prints
        self._tongues = Tongues(prints)
        self.fallback: Callable[[], str] = lambda: ENGLISH
        self._lock = threading.Lock()
        self._voices: dict[str, Voice] = {}
        self._environments: dict[str, Environment] = {ENGLISH: self._english}
        self._known: tuple[tuple[str, ...], str] = ((), "")
        # The extension brings what installs translations.
        install_null: Callable[..., None] = getattr(self._english, "install_null_translations")  # noqa: B009
        install_null(newstyle=True)
        if isinstance(app.jinja_env, Templates):
            app.jinja_env.speech = self

    def know(self, snapshot: Snapshot) -> None:
        """Learn the names of who plays, and what is printed on the cards of the game that is played."""
        names = tuple(name for name in snapshot.names.values() if not SEAT.fullmatch(name))
        known = names, snapshot.game
        if known != self._known:
            self._known = known
            with self._lock:
                for voice in self._voices.values():
                    voice.know(names, printed(self._prints, snapshot.game))

    def about(self, names: Iterable[str], game: str) -> Say:
        """Speak, in the language of this request, of a match that need not be the one that is played now."""
        return self._tongues(chosen(), names, game)

    def voice(self, language: str) -> Voice:
        """Return the voice of a language other than English."""
        with self._lock:
            voice = self._voices.get(language)
            if voice is None:
                voice = self._voices[language] = Voice(phrasebook(language))
                voice.know(self._known[0], printed(self._prints, self._known[1]))
            return voice

    def environment(self, language: str) -> Environment:
        """Return the environment in which templates speak a language."""
        found = self._environments.get(language)
        if found is not None:
            return found
        voice = self.voice(language)
        with self._lock:
            made = self._english.overlay(extensions=(Worded,))
            made.globals = {**self._english.globals, "language": language, "script_words": scripted(language)}
            if isinstance(made, Templates):
                made.speech = None
            install(made, voice)
            install_translations: Callable[..., None] = getattr(made, "install_gettext_translations")  # noqa: B009
            install_translations(catalogue(language), newstyle=True)
            self._environments[language] = made
        return made


@cache
def scripted(language: str) -> dict[str, str]:
    """Return what the scripts say, in a language."""
    said = catalogue(language).messages()
    return {text: said[text] for text in script_words(data("web") / "static") if said.get(text)}


def speech() -> Speech:
    """Return the languages of the server that handles this request."""
    found: Speech = current_app.extensions["companion.speech"]
    return found


def say(text: str) -> str:
    """Return a sentence in the language of this request."""
    language = chosen()
    return text if language == ENGLISH else speech().voice(language)(text)


def say_all(answer: Mapping[str, Json]) -> JsonObject:
    """Return a JSON answer with what people read of it in the language of this request."""
    if chosen() == ENGLISH:
        return dict(answer)
    return {
        name: say(value) if name in SPOKEN_FIELDS and isinstance(value, str) else value
        for name, value in answer.items()
    }


def choose(response: Response, language: str) -> None:
    """Keep a language on this phone."""
    response.set_cookie(COOKIE, language, max_age=YEAR, samesite="Lax", path="/")
