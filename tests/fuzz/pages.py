"""Tried with random input: every address of the pages, and matches from elsewhere that are handed in there."""

from __future__ import annotations

import io
import logging
import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.appliance.settings import owner_for
from companion.referee.journal import Header, Journal, new_id, now
from companion.rules.gathering import MOST
from companion.rules.gathering import NAME as GATHERING
from companion.server.app import create_app, shut
from companion.server.page_commands import Asked
from companion.table.session import NoCamera, Session, rules_of
from companion.table.table import Table
from tests.fuzz.matches import exported, mutated_export
from tests.fuzz.values import altered, as_json, plain_of, spoiled, text, words_of
from tests.server.addresses import SAMPLES, methods, rules
from tests.server.desks import PIN
from tests.server.phones import join
from tests.server.played import GAMES


class _Noticed(logging.Handler):
    """Keeps what was logged as a fault inside."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info:
            self.lines.append(f"{record.getMessage()}\n{logging.Formatter().formatException(record.exc_info)}")


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
            wish = plain_of(rng, Asked, self._words)
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
            "seat",
            "name",
            "pin",
            "colour",
            "steps",
            "what",
            "piece",
            "x",
            "y",
            "n",
            "do",
            "marker",
            "w",
            "h",
            "paper",
            "sound",
            "back",
            "seats",
            "mode",
            "bid_seconds",
            "trainer",
            "name.1",
            "option.hand_limit",
            "marker 0:x",
            "language",
            "discard:x",
            "deck:w",
        )
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
        self._app.extensions["companion"].limits._buckets.clear()

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

        def make_session(header: Header, version: int) -> Session:
            return Session(*rules_of(header), header, journal, NoCamera, version=version)

        header = Header(id=new_id(), at=now(), game=GATHERING, seats=MOST)
        return Table(make_session, header, journal, "HTTP://10.42.0.1/J", owner_for=owner_for(False))

    def once(self, rng: random.Random) -> None:
        """Ask for something, or hand in a match and look at it."""
        self._desk.match.started = True
        if not self._desk.match.thread.is_alive():
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
            new = self._desk.matches.summaries()[0].id
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
