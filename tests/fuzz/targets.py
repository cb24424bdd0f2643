"""What is tried with random input: every address, the referee's lines and views, imports, pictures, codes.

A target's `once` does one thing with one generator of chance and raises if anything but a proper answer came of it, so
a name and a seed bring every finding back.
"""

from __future__ import annotations

import io
import json
import logging
import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import cv2
import msgspec
import numpy as np

from companion import games
from companion.app import Table
from companion.codes import parse
from companion.eye.eye import Eye
from companion.eye.pictures import PictureError, decode
from companion.eye.read_images import read_picture
from companion.eye.reader import NO_HINTS, Hints
from companion.eye.view import DiceSeen, Frame, Gray, Sighting, TableView
from companion.parts import simulated_camera
from companion.press.faces import face_image
from companion.referee.chain import link, root
from companion.referee.history import History
from companion.referee.journal import Header, Journal, encode_record, new_id, now
from companion.referee.lines import Session
from companion.referee.referee import Referee
from companion.rules.gathering import MOST
from companion.rules.gathering import NAME as GATHERING
from companion.rules.kernel import Facts
from companion.server.app import create_app, shut
from companion.server.wishes import AnyWish
from companion.sim.table import SimTable
from companion.sim.world import world_of
from companion.sitting import NoCamera, Sitting, rules_of
from tests.fuzz.values import altered, anything, as_json, number, plain_of, spoiled, text
from tests.server.addresses import SAMPLES, methods, rules
from tests.server.desks import PIN
from tests.server.phones import join
from tests.server.played import GAMES, PlayedDesk
from tests.server.test_sandbox import HandsDesk


class Target(Protocol):
    """Something that is tried."""

    def once(self, rng: random.Random) -> None:
        """Try one thing."""

    def close(self) -> None:
        """End it."""


class _Noticed(logging.Handler):
    """Keeps what was logged as a fault inside."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info:
            self.lines.append(f"{record.getMessage()}\n{logging.Formatter().formatException(record.exc_info)}")


def words_of(name: str) -> tuple[str, ...]:
    """List what texts may mean something in a game: pieces, zones, places."""
    game = games.load(name)
    mat = games.load_mat(name, 3)
    pieces = tuple(card.piece for card in game.deck.cards)
    return (*pieces, *(zone.name for zone in mat.zones), "deck", "discard", "hand.1", "hand.2", "own", "upkeep")


# ------------------------------------------------------------------------------------------------------------ pages


class Routes:
    """Every address with every method, by a stranger, a player and the host, with forms, JSON, bytes, odd headers."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._desk = make()
        self._app = create_app(self._desk, close=self._desk.close)
        self._app.config["PROPAGATE_EXCEPTIONS"] = False
        self._noticed = _Noticed()
        logging.getLogger().addHandler(self._noticed)
        self._rules = rules(self._app)
        self._words = words_of(GAMES[0])
        self._clients = [self._app.test_client() for _ in range(3)]
        self._matches = ["0190"]

    def _sit(self) -> None:
        """Have one browser at seat 1 and one at the host's place, whatever was done before."""
        here = self._app.extensions["companion"]
        here.keys._wrong.clear()
        if 1 not in here.keys.taken():
            join(self._clients[1], 1)
        self._clients[2].post("/host/enter", data={"pin": self._desk.host_pin})

    def once(self, rng: random.Random) -> None:
        """Ask for something."""
        if rng.random() < 0.02 or 1 not in self._app.extensions["companion"].keys.taken():
            self._sit()
        client = rng.choice(self._clients)
        if rng.random() < 0.4:
            wish = plain_of(rng, AnyWish, self._words)
            if rng.random() < 0.5:
                wish = altered(rng, wish, self._words)
            self._ask(client, "POST", "/command", self._body(rng, as_json(wish), "application/json"))
            return
        rule = rng.choice(self._rules)
        method = rng.choice(methods(rule)) if rng.random() < 0.9 else rng.choice(("PUT", "HEAD", "OPTIONS", "DELETE"))
        path = rule.rule
        for argument in rule.arguments:
            samples = [*SAMPLES.get(argument, ()), *self._matches, *("1", "2", "9", "99999999999999999999")]
            value = str(rng.choice(samples)) if rng.random() < 0.7 else text(rng, self._words)
            for spelt in (f"<{argument}>", f"<int:{argument}>", f"<path:{argument}>"):
                path = path.replace(spelt, value)
        given: dict[str, Any] = {}
        if rng.random() < 0.4 and "?" not in path:
            given["query_string"] = {
                rng.choice(("after", "x", "y", "u", "v", "q", "kind", "said", "part", "printed", "kept")): text(rng)
                if rng.random() < 0.6
                else str(rng.choice((1, -5, 450.5, "nan", "inf", "1e308")))
                for _ in range(rng.randrange(1, 4))
            }
        if method == "POST":
            given.update(self._form(rng))
        self._ask(client, method, path, given)

    def _form(self, rng: random.Random) -> dict[str, Any]:
        kind = rng.randrange(4)
        if kind == 0:
            return self._body(
                rng, rng.randbytes(rng.randrange(200)), rng.choice(("application/json", "image/jpeg", ""))
            )
        if kind == 1:
            return {"data": {"match": (io.BytesIO(rng.randbytes(60)), text(rng).replace("\0", ""))}}
        fields = (
            "seat", "name", "pin", "colour", "steps", "what", "piece", "x", "y", "n", "do", "marker", "w", "h", "paper",
            "sound", "back", "seats", "mode", "bid_seconds", "trainer", "name.1", "option.hand_limit", "marker 0:x",
            "language", "discard:x", "deck:w",
        )  # fmt: skip
        usual = (
            "1",
            "2",
            "Anna",
            PIN,
            "blue",
            "nothing",
            "is",
            "down",
            "300",
            "on",
            "off",
            "ledger",
            "3",
            "marker",
            "a4",
        )
        data = {rng.choice(fields): text(rng, usual) for _ in range(rng.randrange(6))}
        data.setdefault("seat", rng.choice(("1", "2", "3")))
        if rng.random() < 0.7 and "mode" in data:
            # Most matches that are begun are kept by phones: eyes that watch nothing only cost time.
            data["mode"] = "ledger"
        return {"data": data}

    def _body(self, rng: random.Random, body: bytes, kind: str) -> dict[str, Any]:
        if rng.random() < 0.2:
            body = spoiled(rng, body)
        headers = {"X-Companion": "1"}
        if rng.random() < 0.1:
            headers["Idempotency-Key"] = rng.choice(("a", "b", "é", "x" * 500))
        if rng.random() < 0.1:
            headers["Last-Event-ID"] = rng.choice(("1", "x-²", "-", "a" * 99))
        return {"data": body, "content_type": kind, "headers": headers}

    def _ask(self, client: Any, method: str, path: str, given: dict[str, Any]) -> None:
        self._noticed.lines.clear()
        told = client.open(path, method=method, buffered=False, **given)
        assert told.status_code < 500 or told.status_code == 503, (method, path, given, self._noticed.lines)
        if told.mimetype == "text/event-stream" and method == "GET":
            next(iter(told.iter_encoded()))
        elif method == "POST" and path == "/command" and told.status_code not in (302, 405, 429):
            answer = told.get_json()
            assert answer["ok"] or len(answer["message"]) > 10, answer
        told.close()
        assert not self._noticed.lines, (method, path, given, self._noticed.lines)
        # As soon as a minute's share is used up nothing would be tried any more.
        self._app.extensions["companion"].door._buckets.clear()

    def close(self) -> None:
        """End the application."""
        logging.getLogger().removeHandler(self._noticed)
        shut(self._app)


class Evening(Routes):
    """The same at a table with an evening of matches in a journal; and what is taken in there."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="companion-fuzz-")
        super().__init__(self._table)
        self._exports = [exported(name, seed) for seed, name in enumerate(GAMES)]

    def _table(self) -> Table:
        journal = Journal(Path(self._folder.name))

        def seating(header: Header, version: int) -> Sitting:
            return Sitting(*rules_of(header), header, journal, NoCamera, version=version)

        return Table(seating, Header(id=new_id(), at=now(), game=GATHERING, seats=MOST), journal, "HTTP://10.42.0.1/J")

    def once(self, rng: random.Random) -> None:
        """Ask for something, or hand in a match and look at it."""
        self._desk.match.started = True
        if not self._desk.match._thread.is_alive():
            self._desk.start()
        if rng.random() < 0.6:
            super().once(rng)
            return
        lines = mutated_export(rng, rng.choice(self._exports))
        self._noticed.lines.clear()
        self._sit()
        host = self._clients[2]
        told = host.post("/matches", data={"match": (io.BytesIO(b"\n".join(lines)), "m.jsonl")})
        assert told.status_code in (303, 400), (told.status_code, lines, self._noticed.lines)
        assert not self._noticed.lines, (lines[0], self._noticed.lines)
        if told.status_code == 303:
            new = self._desk.evening.matches()[0].id
            self._matches = [*self._matches[-20:], new]
            for path in ("/matches", f"/matches/{new}", f"/matches/{new}.png", f"/matches/{new}.jsonl"):
                self._ask(host, "GET", path, {})
            if rng.random() < 0.3:
                self._ask(host, "POST", f"/matches/{new}/resume", {})
                for path in ("/", "/host", "/layout", "/course", "/log", "/join"):
                    self._ask(host, "GET", path, {})
            self._forget()

    def _forget(self) -> None:
        """Keep the journal short, else every page tells of thousands of matches."""
        journal = self._desk._journal
        current = self._desk.match.header.id
        kept = [one.id for one in journal.matches()][-6:]
        for one in journal.matches():
            if one.id not in (*kept, current):
                journal._db.execute("DELETE FROM records WHERE match = ?", (one.id,))
                journal._db.execute("DELETE FROM matches WHERE id = ?", (one.id,))

    def close(self) -> None:
        """End the table."""
        super().close()
        self._folder.cleanup()


# ---------------------------------------------------------------------------------------------------------- matches


def exported(name: str, seed: int, seats: int = 3, count: int = 30) -> list[bytes]:
    """Play the beginning of a match, with an undo, a correction and an end in it, and give it as lines."""
    desk = PlayedDesk(name, seats, seed)
    try:
        for _ in range(count):
            desk.step()
        header = desk.match.header
        records = desk.match._referee.history.active
        return [msgspec.json.encode(header), *(encode_record(past.record) for past in records)]
    finally:
        desk.close()


def mutated_export(rng: random.Random, lines: list[bytes]) -> list[bytes]:
    """Change an exported match: its header, its records, their order; often with a chain that fits again."""
    cut = rng.randrange(1, len(lines) + 1)
    made = [json.loads(line) for line in lines[:cut]]
    words = words_of(made[0]["game"])
    made[0]["id"] = new_id() if rng.random() < 0.9 else text(rng)
    if rng.random() < 0.5:
        made[0] = altered(rng, made[0], (*words, *GAMES, "blue", "strict", "ledger"))
    for _ in range(rng.choice((0, 0, 1, 2))):
        if len(made) > 1:
            at = rng.randrange(1, len(made))
            made[at] = altered(rng, made[at], words)
    if rng.random() < 0.1:
        at = rng.randrange(len(made))
        made.insert(at, made[rng.randrange(len(made))])
    written = [as_json(one) for one in made]
    if rng.random() < 0.15:
        at = rng.randrange(len(written))
        written[at] = spoiled(rng, written[at])
    return written


class Lines:
    """`companion referee`: lines that fit, nearly fit, and don't."""

    def __init__(self, name: str) -> None:
        self._game = games.load(name)
        self._mat = games.load_mat(name, 3)
        self._words = words_of(name)
        self._session: Session | None = None
        self._left = 0

    def once(self, rng: random.Random) -> None:
        """Say a line."""
        if self._session is None or self._left == 0:
            self._session = Session(self._game, self._mat, 3, {})
            self._left = 60
            if rng.random() < 0.9:
                world = world_of(self._game, 3, {}, rng)
                setup: Any = msgspec.to_builtins(world.setup())
                if rng.random() < 0.5:
                    setup = altered(rng, setup, self._words)
                self._say({"setup": setup})
        self._left -= 1
        kind = rng.randrange(10)
        if kind < 4 and self._session._referee is not None:
            legal = list(self._game.legal(self._session._referee.state))
            if legal:
                action = msgspec.to_builtins(rng.choice(legal))
                self._fill(rng, action)
                said: Any = {"action": action, "facts": plain_of(rng, Facts, self._words)}
                self._say(said if rng.random() < 0.6 else altered(rng, said, self._words))
                return
        if kind < 7:
            action = plain_of(rng, self._game.action_type, self._words)
            self._say({"action": action, "facts": plain_of(rng, Facts, self._words)})
        elif kind == 7:
            self._say({rng.choice(("undo", "redo")): number(rng)})
        elif kind == 8:
            self._say({"ask": rng.choice(("legal", "standing", "layout", "state", "view", "x")), "seat": number(rng)})
        else:
            self._answer(spoiled(rng, as_json(anything(rng))))

    def _fill(self, rng: random.Random, action: dict[str, Any]) -> None:
        for field, value in action.items():
            if isinstance(value, dict) and value.get("type") == "hole":
                action[field] = rng.choice(sorted(value["pieces"]))

    def _say(self, said: Any) -> None:
        self._answer(as_json(said))

    def _answer(self, line: bytes) -> None:
        assert self._session is not None
        told = json.loads(self._session.answer(line))
        assert told["ok"] or told.get("error") or told.get("reason"), told
        if self._session._referee is not None:
            assert self._game.audit(self._session._referee.state) == ()

    def close(self) -> None:
        """Nothing to end."""


class Views:
    """Table views as no eye would give them, into a referee that watches."""

    def __init__(self, name: str) -> None:
        self._game = games.load(name)
        self._mat = games.load_mat(name, 3)
        self._words = tuple(word for word in words_of(name))
        self._zones = tuple(zone.name for zone in self._mat.zones)
        self._referee: Referee | None = None
        self._left = self._time = 0

    def once(self, rng: random.Random) -> None:
        """Show a table."""
        if self._referee is None or self._left == 0:
            header = Header(
                id="0190", at="", game=self._game.info.name, seats=3, mode=rng.choice(("assist", "strict")),
                setup=msgspec.to_builtins(world_of(self._game, 3, {}, rng).setup()),
            )  # fmt: skip
            self._referee, self._left = Referee(self._game, self._mat, header), 25
        self._left -= 1
        self._time += rng.choice((1, 1, 3, 20))
        view = msgspec.convert(plain_of(rng, TableView, (*self._words, *self._zones)), TableView)
        view = msgspec.structs.replace(
            view, time=float(self._time), frame=self._time, dice=tuple(self._tray(rng) for _ in range(rng.randrange(2)))
        )
        self._referee.on_view(view)
        self._referee.on_tick(self._time + 0.5)
        msgspec.json.encode(self._referee.snapshot)
        assert self._game.audit(self._referee.state) == ()

    def _tray(self, rng: random.Random) -> DiceSeen:
        made: DiceSeen = msgspec.convert(plain_of(rng, DiceSeen, self._zones), DiceSeen)
        return made

    def close(self) -> None:
        """Nothing to end."""


class Resumed:
    """A journal whose records were written over: the match goes on before them, or says why it can't."""

    def __init__(self) -> None:
        self._exports = [exported(name, 7 + seed) for seed, name in enumerate(GAMES)]

    def once(self, rng: random.Random) -> None:
        """Take a match up."""
        from companion.referee.match import Match

        lines = rng.choice(self._exports)
        header = msgspec.json.decode(lines[0], type=Header)
        game, mat = rules_of(header)
        with tempfile.TemporaryDirectory(prefix="companion-fuzz-") as folder:
            journal = Journal(Path(folder))
            journal.begin(header)
            cut = rng.randrange(1, len(lines))
            for n, line in enumerate(lines[1:cut], start=1):
                if rng.random() < 0.1:
                    line = spoiled(rng, line) if rng.random() < 0.5 else as_json(altered(rng, json.loads(line)))
                journal._db.execute("INSERT INTO records VALUES (?, ?, ?)", (header.id, n, line))
            match = Match(game, mat, header, journal)
            count = len(match.records())
            history = History(game, game.setup(3, {}, msgspec.convert(header.setup or {}, game.setup_type)))
            history.fold(match.records())
            assert history.state == match.state
            before = root(header)
            for record in match.records():
                before = link(before, record)
                assert record.chain in ("", before)
            set_aside = journal._db.execute("SELECT count(*) FROM damaged").fetchone()[0]
            assert count + set_aside == cut - 1
            journal.close()

    def close(self) -> None:
        """Nothing to end."""


# -------------------------------------------------------------------------------------------------------------- eye


class Pictures:
    """Files that are no pictures, or nearly: as a photograph of a hand is taken in."""

    def __init__(self) -> None:
        deck, mat = games.load_deck(GAMES[0]), games.load_mat(GAMES[0], 3)
        card = deck.cards[0]
        face = face_image(card, deck, mat.shape_of(card.kind), "F", 4.0)
        self._files = []
        for kind in ("JPEG", "PNG", "WEBP", "BMP", "GIF"):
            out = io.BytesIO()
            face.save(out, kind)
            self._files.append(out.getvalue())

    def once(self, rng: random.Random) -> None:
        """Read a file."""
        from companion.server.hands import _check_size

        data = spoiled(rng, rng.choice(self._files)) if rng.random() < 0.95 else rng.randbytes(100)
        try:
            _check_size(data)
            gray, _ = decode(data, "The photograph")
        except PictureError:
            return
        if gray.size < 2_000_000:
            for one in read_picture(gray, "x")["sightings"]:
                assert parse(one["code"]) is not None

    def close(self) -> None:
        """Nothing to end."""


class Codes:
    """What a QR code may say that somebody lays on the table, and pictures that no camera gives, into a real eye."""

    def __init__(self) -> None:
        game, mat = games.load(GAMES[0]), games.load_mat(GAMES[0], 3)
        book = games.code_book(game.deck, mat)
        self._codes = tuple(sorted(set().union(*book.payloads_by_size().values())))
        self._eye = Eye(mat, book, self)
        self._table = simulated_camera(game, mat, SimTable(1), size=(960, 540), seed=3).shoot().gray
        self._time = 0.0
        self._rng = random.Random(0)

    def read(self, gray: Gray, hints: Hints = NO_HINTS) -> list[Sighting]:
        """Say that codes are there which nobody printed."""
        rng = self._rng
        made = []
        for _ in range(rng.randrange(6)):
            high, wide = gray.shape[:2]
            x, y, side = rng.uniform(-50, wide + 50), rng.uniform(-50, high + 50), rng.choice((0.0, 1.0, 20.0, 500.0))
            corners = ((x, y), (x + side, y), (x + side, y + side), (x, y + side))
            made.append(Sighting(text(rng, self._codes), corners, "fuzz"))
        return made

    def once(self, rng: random.Random) -> None:
        """Show a few frames."""
        self._rng = rng
        payload = text(rng, self._codes)
        code = parse(payload)
        assert code is None or str(code) == payload
        for _ in range(rng.randrange(1, 6)):
            self._time += rng.choice((0.0, 0.1, 0.1, 5.0, -3.0))
            view = self._eye.see(Frame(self._picture(rng), self._time, 0))
            if view is not None:
                msgspec.json.encode(view)

    def _picture(self, rng: random.Random) -> Gray:
        high, wide = rng.choice(((360, 640), (720, 405), (97, 133), (480, 640)))
        kind = rng.randrange(12)
        if kind == 0:
            return np.zeros((high, wide), np.uint8)
        if kind == 1:
            return np.full((high, wide), 255, np.uint8)
        if kind == 2:
            return np.random.default_rng(rng.randrange(2**32)).integers(0, 256, (high, wide)).astype(np.uint8)
        gray = self._table.copy()
        if kind < 9:
            x, y = rng.randrange(960), rng.randrange(540)
            cv2.rectangle(gray, (x, y), (x + rng.randrange(300), y + rng.randrange(300)), rng.randrange(256), -1)
        return gray

    def close(self) -> None:
        """Nothing to end."""


TARGETS: dict[str, Callable[[], Target]] = {
    "evening": Evening,
    "hands": lambda: Routes(HandsDesk),
    **{f"lines-{name}": (lambda name=name: Lines(name)) for name in GAMES},  # type: ignore[misc]
    **{f"views-{name}": (lambda name=name: Views(name)) for name in GAMES},  # type: ignore[misc]
    "resumed": Resumed,
    "pictures": Pictures,
    "codes": Codes,
}
"""What is tried, by name."""
