"""Games made in a browser: drafts become the three files of a game in the owner's folder, and come back from them."""

from __future__ import annotations

import re
import threading
import unicodedata
import zlib
from collections.abc import Callable, Mapping
from copy import deepcopy

import msgspec

from companion import games
from companion.files import exchanged, owner_dir, written_whole
from companion.games.from_file import checking, guide, score_file
from companion.games.from_file.components import Components
from companion.games.from_file.counting import TooMuchError
from companion.games.from_file.decks import Extended, extended
from companion.games.from_file.score_file import Problem, ScoreError
from companion.games.from_file.scoring import Table, side_of
from companion.games.from_file.writing import written
from companion.rules.cards import Card, Deck, Piece
from companion.rules.kernel import Guide
from companion.server.camera_api import Sight
from companion.server.maker_api import (
    Draft,
    MakerError,
    NameTakenError,
    PlayedError,
    Start,
    Tried,
    Worth,
    ZoneOfMat,
)
from companion.server.maker_words import in_form
from companion.text import t
from companion.untyped import TomlTable, read_json, read_toml

FILES = ("deck.toml", "mat.toml", "score.toml")
"""The files of a game; the last one makes it one."""
FORM = "companion-game"
"""What an exported game says it is."""
LONGEST_TITLE = 40
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_OF_THE_FILE = re.compile(r"[=\[\]_]")
"""Signs of a sentence about the file's own language, which people who fill a form in do not write."""


class Exported(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game as one file. It holds no names of files: where it is kept follows from its title."""

    form: str
    version: int
    game: Draft


class MadeGames:
    """Makes games that are files alone, as a `companion.server.maker_api.GameMaker`.

    `played` names the game in play, `sight` is the camera, `changed` hears of changed games, `recorded` of kept
    matches.
    """

    def __init__(
        self,
        played: Callable[[], str],
        sight: Callable[[], Sight | None],
        changed: Callable[[str], None],
        recorded: Callable[[str], bool] = lambda name: False,
    ) -> None:
        self._played, self._sight, self._changed, self._recorded = played, sight, changed, recorded
        self._keeping = threading.Lock()

    def starts(self) -> tuple[Start, ...]:
        """List the games that a new one can begin as a copy of, the owner's own first."""
        found = []
        for name in games.from_files():
            try:
                self.draft(name)
                info = games.load(name).info
            except (MakerError, games.GameError):
                continue
            found.append(Start(name, info.title, info.words, info.seats, _is_own(name)))
        return tuple(sorted(found, key=lambda one: (not one.own, one.title.casefold())))

    def draft(self, name: str) -> Draft:
        """Return a game as a draft."""
        if name not in games.from_files():
            raise MakerError(t("There is no such game here: choose one of those shown."))
        try:
            deck, mat, score = (games.contents(name, file) for file in FILES)
            said = msgspec.convert(deck, Extended)
            if set(said.without) - {"rank"} or said.numbers or set(mat) != {"neutral"}:
                raise games.GameError
        except (games.GameError, msgspec.ValidationError):
            raise MakerError(t("That game has a deck or a mat of its own: change its files, not this page.")) from None
        # What was read is kept for everybody; a draft is changed by the form.
        score = deepcopy(score)
        title = str(score.pop("title", said.title))
        without = tuple(said.without.get("rank", ()))
        return Draft(
            title=title,
            name=name,
            mat=str(mat["neutral"]),
            jokers=said.jokers,
            packs=said.packs,
            without=without,
            score=score,
        )

    def zones(self, mat: str) -> tuple[ZoneOfMat, ...]:
        """List the zones of such a mat; none if there is no such mat."""
        try:
            places, laid = games.mat_places({"neutral": mat}), games.load_neutral_mat(mat, 2)
        except games.GameError:
            return ()
        labels = {zone.name.partition(".")[0]: zone.label or zone.name for zone in laid.zones}
        return tuple(ZoneOfMat(name, labels.get(name, name), place.own) for name, place in places.items())

    def cards(self, draft: Draft) -> tuple[Card, ...]:
        """List the cards of a draft's deck."""
        try:
            return _deck(draft).cards
        except ValueError:
            return ()

    def troubles(self, draft: Draft) -> tuple[str, ...]:
        """List what is wrong with a draft."""
        found: list[str] = []
        if not draft.title.strip():
            found.append(t("Give the game a name."))
        elif not _slug(draft.title):
            found.append(t("The game's name needs a letter or a digit."))
        try:
            deck = _deck(draft)
            if not deck.cards:
                raise ValueError
        except ValueError:
            return (*found, t("No card is left in the deck: leave fewer out."))
        try:
            places = games.mat_places({"neutral": draft.mat})
        except games.GameError:
            return (*found, t("Choose one of the mats."))
        try:
            text = _text(draft)
        except ValueError:
            return (*found, t("Something in the form has the wrong kind."))
        problems = checking.check(text, deck, places) if draft.title.strip() else ()
        return (*found, *map(_trouble, problems))

    def problems(self, draft: Draft) -> tuple[str, ...]:
        """List what is wrong with a draft's file, line by line."""
        try:
            return tuple(map(str, checking.check(_text(draft), _deck(draft), games.mat_places({"neutral": draft.mat}))))
        except (ValueError, games.GameError) as error:
            return (str(error),)

    def guide(self, draft: Draft) -> Guide | None:
        """Return how a draft is played, in sentences."""
        try:
            return guide.guide(Components(_deck(draft), _text(draft), games.mat_places({"neutral": draft.mat})))
        except (ValueError, games.GameError):
            return None

    def text(self, draft: Draft) -> str:
        """Return a draft as the text of one file: the score's lines first, then what deck and mat it has."""
        deck: TomlTable = {
            "mat": draft.mat,
            "jokers": draft.jokers,
            "packs": draft.packs,
            "without": list(draft.without),
        }
        return written({**draft.score, "title": draft.title, **deck})

    def read(self, text: str, draft: Draft) -> Draft:
        """Return the draft of such a text."""
        try:
            score = read_toml(text)
            parts = {key: score.pop(key) for key in ("title", "mat", "jokers", "packs", "without") if key in score}
            return msgspec.convert(parts | {"name": draft.name, "score": score}, Draft)
        except (ValueError, msgspec.ValidationError) as error:
            raise MakerError(t("That can't be read: {error}.", error=str(error).rstrip("."))) from None

    def worth(self, draft: Draft, tried: Tried) -> Worth | None:
        """Return what a round is worth."""
        named = msgspec.structs.replace(draft, title=draft.title.strip() or "Game")
        table = Table(
            seats=tried.seats,
            cards=tried.cards,
            tricks=tried.tricks,
            last=tried.last,
            sweeps=tried.sweeps,
            entered=tried.entered,
        )
        try:
            text, deck = _text(named), _deck(named)
            if checking.check(text, deck, games.mat_places({"neutral": draft.mat})):
                return None
            scored = checking.points(text, deck, table)
        except (ScoreError, TooMuchError, ValueError, games.GameError):
            return None
        score = score_file.read(text)
        sides = [side_of(score, tried.seats, seat) for seat in range(1, tried.seats + 1)]
        return Worth(scored.blocks, tuple(scored.points[side] for side in sides))

    def seen(self) -> tuple[Piece, ...] | None:
        """List the cards that the camera sees face up."""
        sight = self._sight()
        reads = sight.reads() if sight is not None and self._played() in games.from_files() else None
        return None if reads is None else tuple(read.piece for read in reads)

    def keep(self, draft: Draft, over: bool = False) -> str:
        """Write a game into the owner's folder and return its name."""
        for trouble in self.troubles(draft):
            raise MakerError(trouble)
        with self._keeping:
            name = self._name(draft, over)
            if name == self._played():
                raise MakerError(t("This game is being played: begin another match first, or give it another name."))
            if _is_own(name) and self._recorded(name) and _rules(draft) != _rules(self.draft(name)):
                fresh = self._fresh(draft.title)
                words = t(
                    "Matches of this game are kept, and replayed by its rules. Save the changed one as {fresh}.",
                    fresh=fresh,
                )
                raise PlayedError(words, fresh)
            _write(name, draft)
        self._changed(name)
        return name

    def _fresh(self, title: str) -> str:
        """Return a title that no game has: "Scopa for three 2"."""
        base = re.sub(r" \d+$", "", title.strip())
        numbered = (f"{base[: LONGEST_TITLE - 4]} {n}" for n in range(2, 1000))
        return next(one for one in numbered if _slug(one) not in games.names())

    def _name(self, draft: Draft, over: bool) -> str:
        """Return the folder's name; a changed game keeps its own. Raises NameTakenError if another game has it."""
        if draft.name and _NAME.fullmatch(draft.name) and _is_own(draft.name):
            return draft.name
        name = _slug(draft.title)
        if _is_own(name):
            if not over:
                raise NameTakenError(t("A game of yours is called that: change the name, or write over it."), True)
        elif name in (*games.names(), games.STANDARD, "neutral", "gathering"):
            raise NameTakenError(t("There is a game of that name already: choose another name."), False)
        return name

    def export(self, name: str) -> bytes:
        """Return a game as one file."""
        draft = msgspec.structs.replace(self.draft(name), name="")
        return msgspec.json.format(msgspec.json.encode(Exported(form=FORM, version=1, game=draft)), indent=1) + b"\n"

    def take_in(self, given: bytes, over: bool = False) -> str:
        """Check an exported game and keep it; return its name."""
        try:
            exported = read_json(given, Exported)
        except msgspec.DecodeError:
            raise MakerError(t("That file is no exported game: choose one that this page has exported.")) from None
        if exported.form != FORM or exported.version != 1:
            raise MakerError(t("That file is of another kind, or of a newer companion."))
        draft = msgspec.structs.replace(exported.game, name="")
        try:
            return self.keep(draft, over)
        except PlayedError as error:
            return self.keep(msgspec.structs.replace(draft, title=error.title))

    def remove(self, name: str) -> None:
        """Delete a game of the owner's."""
        if not _NAME.fullmatch(name) or not _is_own(name):
            raise MakerError(t("There is no such game of yours."))
        with self._keeping:
            if name == self._played():
                raise MakerError(t("This game is being played: begin another match first."))
            try:
                with exchanged(owner_dir() / "card_codes" / name) as folder:
                    for file in FILES:
                        (folder / file).unlink(missing_ok=True)
            except OSError as error:
                raise MakerError(t("It can't be deleted: {strerror}.", strerror=error.strerror)) from None
        self._changed(name)


def _is_own(name: str) -> bool:
    return name in games.owned()


def _rules(draft: Draft) -> tuple[object, ...]:
    """Return what matches are replayed by: all of a draft but its names and hints."""
    score = {key: value for key, value in draft.score.items() if key not in ("title", "words", "coach", "clock")}
    return draft.mat, draft.jokers, draft.packs, draft.without, msgspec.to_builtins(score)


def _slug(title: str) -> str:
    """Return the folder's name for a title: "Scopa for three" is "scopa-for-three"; without Latin letters a number."""
    title = title.strip()[:LONGEST_TITLE]
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    if any(map(str.isalpha, title)) and not re.search("[a-z]", plain):
        return f"game-{zlib.crc32(title.encode()):08x}"
    return "-".join(re.findall(r"[a-z0-9]+", plain))


def _text(draft: Draft) -> str:
    return written({**draft.score, "title": draft.title.strip()})


def _deck_file(draft: Draft) -> TomlTable:
    contents: TomlTable = {"extends": games.STANDARD, "title": draft.title.strip() or "Game"}
    if draft.jokers:
        contents["jokers"] = draft.jokers
    if draft.packs != 1:
        contents["packs"] = draft.packs
    if draft.without:
        contents["without"] = {"rank": list(draft.without)}
    return contents


def _deck(draft: Draft) -> Deck:
    """Return a draft's deck; raise ValueError if it does not fit."""
    return extended(games.load_deck(games.STANDARD), _slug(draft.title) or "game", _deck_file(draft))


def _trouble(problem: Problem) -> str:
    """Word a problem for somebody who fills a form in; what only a file can have wrong is told as to who wrote it."""
    remedy = "" if _OF_THE_FILE.search(problem.remedy) else t(" {remedy}", remedy=problem.remedy)
    words = f"{problem.words[:1].upper()}{problem.words[1:]}.{remedy}"
    return in_form(problem.kind, problem.about) or words


def _write(name: str, draft: Draft) -> None:
    """Write the three files: all of them, or none; raise MakerError if they can't be written."""
    texts: Mapping[str, str] = dict(
        zip(FILES, (written(_deck_file(draft)), written({"neutral": draft.mat}), _text(draft)), strict=True)
    )
    try:
        with exchanged(owner_dir() / "card_codes" / name) as folder:
            for file, text in texts.items():
                read_toml(text)
                with written_whole(folder / file) as out:
                    out.write(text.encode("utf-8"))
    except OSError as error:
        raise MakerError(
            t("It can't be written down: {strerror}. Nothing is changed.", strerror=error.strerror)
        ) from None
