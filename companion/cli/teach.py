"""`companion teach`: a deck's faces are taken from a camera or from a folder of pictures."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import typer

from companion import games
from companion.cli.common import NEUTRAL_SEATS, fail, load_game
from companion.devices.camera_base import Camera
from companion.devices.cameras import open_camera
from companion.devices.service import PermanentError
from companion.eye.faces import storing
from companion.eye.faces.deck import DeckError, TaughtDeck
from companion.eye.faces.lesson import Lesson, Wanted
from companion.eye.faces.likeness import too_alike
from companion.eye.mat import Mat
from companion.eye.view import Frame
from companion.rules.kernel import AnyGame
from companion.table.teaching import PICTURES, empty_deck, wanted_of


def teach(name: str, game: str | None, names: Path | None, camera: str) -> None:
    """Teach the cards of a deck as `companion teach` says: those of a game, or as a file of names calls them."""
    try:
        storing.check_name(name)
        wanted, mat, fresh = _of_game(load_game(game), name) if game is not None else _of_names(names, name)
        deck = storing.load(name) if name in storing.taught() else fresh
        if deck.game != fresh.game:
            raise fail(f"the deck {name} was taught for another game: choose another name")
        lesson = Lesson(deck, wanted, mat)
        for number, frames in enumerate(_pictures(open_camera(camera), lesson)):
            for told in lesson.show(frames):
                typer.echo(
                    f"{number}: {told.words}" if told.kind == "taken" else f"{number}: ({told.kind}) {told.words}"
                )
            if lesson.deck.faces:
                storing.save(lesson.deck)
    except (DeckError, PermanentError, games.GameError) as error:
        raise fail(f"{error}") from None
    _sum_up(lesson)


def _of_game(rules: AnyGame, name: str) -> tuple[list[Wanted], Mat, TaughtDeck]:
    mat = games.load_mat(rules.info.name, rules.info.seats[1])
    return wanted_of(rules, mat), mat, empty_deck(rules, mat, name)


def _of_names(names: Path | None, name: str) -> tuple[list[Wanted], Mat, TaughtDeck]:
    """Return what is to be taught of any deck: what the file names, else cards with numbers. It is measured."""
    try:
        lines = names.read_text(encoding="utf-8").splitlines() if names is not None else []
    except (OSError, UnicodeDecodeError) as error:
        raise fail(f"{names} can't be read: {error}") from None
    called = [line.strip() for line in lines if line.strip()] or [f"card {number}" for number in range(1, 1000)]
    wanted = [Wanted(title[:80], (f"{number:03}",)) for number, title in enumerate(called[:999], 1)]
    return wanted, games.load_neutral_mat(games.neutral_mats()[0], NEUTRAL_SEATS), TaughtDeck(name, name, 0, 0)


def _pictures(camera: Camera, lesson: Lesson) -> Iterator[list[Frame]]:
    """Yield the pictures of a folder one by one; of a live camera a few, whenever people say that all lies."""
    frames = camera.frames()
    try:
        if not camera.live:
            last: Frame | None = None
            for frame in frames:
                if last is None or frame.gray is not last.gray:
                    yield [frame]
                last = frame
            return
        prompt = "Clear the mat and press Enter"
        while typer.prompt(f"{prompt} (q: end)", default="", show_default=False) != "q":
            yield list(islice(frames, PICTURES))
            missing = lesson.missing
            if not missing:
                return
            prompt = f"Lay cards, {missing[0].name} first, from the top left in rows; press Enter"
    finally:
        camera.close()


def _sum_up(lesson: Lesson) -> None:
    deck = lesson.deck
    typer.echo(f"{len(deck.faces)} faces are taught, {len(lesson.missing)} are missing.")
    if not deck.faces:
        return
    for group in too_alike(deck):
        titles = ", ".join(deck.faces[face].name for face in group.faces)
        typer.echo(f"Too alike to be told apart, use stickers for these: {titles}")
