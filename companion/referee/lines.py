"""`companion referee`: a match refereed by JSON lines, without a table; facts are written in the lines."""

from __future__ import annotations

import json
from collections.abc import Mapping

import msgspec

from companion.eye.mat import Mat
from companion.referee.commands import Command, Correct, Play, Redo, Reply, Undo
from companion.referee.journal import Header, new_id, now
from companion.referee.publishing import named
from companion.referee.referee import Referee
from companion.rules.kernel import AnyEdit, AnyGame, Facts, RuleError, Verdict, name_seats
from companion.rules.wording import a, all_of
from companion.text import plain
from companion.untyped import JsonObject, read_json

ASKS = ("legal", "standing", "layout", "state", "view")
BESIDE = {"setup": [], "action": ["seat", "facts"], "ask": ["seat"], "undo": [], "redo": [], "correct": []}
"""The kinds of lines by the key that each must have, with the keys that may stand beside it."""


class LineError(ValueError):
    """A line that can't be answered; the message says what is wrong with it and what would do."""


def schema(game: AnyGame) -> JsonObject:
    """Return the JSON Schema of a game's set-up, actions and facts."""
    (setup, action, facts, edits), parts = msgspec.json.schema_components(
        (game.setup_type, game.action_type, Facts, tuple[AnyEdit, ...]), ref_template="#/$defs/{name}"
    )
    steps = {"type": "integer", "minimum": 1}
    values = {"setup": setup, "action": action, "ask": {"enum": list(ASKS)}, "undo": steps, "redo": steps}
    values |= {"seat": {"type": "integer"}, "facts": facts, "correct": edits}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"companion referee {game.info.name}",
        "oneOf": [
            {
                "type": "object",
                "properties": {key: values[key] for key in (kind, *beside)},
                "required": [kind],
                "additionalProperties": False,
            }
            for kind, beside in BESIDE.items()
        ],
        "$defs": parts,
    }


class Session:
    """One match spoken with in JSON lines. `answer` never raises for what a line says."""

    def __init__(self, game: AnyGame, mat: Mat, seats: int, options: Mapping[str, int]) -> None:
        self.game = game
        self._mat = mat
        self._seats = seats
        self._options = dict(options)
        self._referee: Referee | None = None

    def answer(self, line: str | bytes) -> bytes:
        """Answer one line with one line of JSON (without its end)."""
        try:
            told = self._answer(line)
        except LineError as error:
            told = {"ok": False, "error": f"{error}"}
        return msgspec.json.encode(told, order="deterministic", enc_hook=plain)

    def _answer(self, line: str | bytes) -> JsonObject:
        try:
            said = read_json(line)
            json.dumps(said, ensure_ascii=False).encode()  # half a character (\\ud800) can be read, and not be written
        except ValueError as error:
            raise LineError(f"this line is not JSON: {error}") from None
        if not isinstance(said, dict):
            raise LineError('a line must be a JSON object, such as {"ask": "legal"}')
        kind = next((key for key in BESIDE if key in said), "")
        if kind != "setup" and self._referee is None:
            raise LineError('the first line must be the set-up, such as {"setup": {}}')
        if not kind:
            raise LineError("a line must have one of the keys setup, action, ask, undo, redo, correct")
        for key in said.keys() - {kind, *BESIDE[kind]}:
            raise LineError(f"a line with {a(kind)} has no {key!r}; it has {all_of((kind, *BESIDE[kind]))}")
        if kind == "setup" or self._referee is None:
            return self._setup(said["setup"])
        if kind == "ask":
            return self._ask(self._referee, said)
        if kind == "action":
            return self._reply(self._referee, self._play(said))
        if kind == "correct":
            return self._reply(self._referee, self._correct(said["correct"]))
        command = Undo if kind == "undo" else Redo
        return self._reply(self._referee, command(steps=_steps(said, kind), by="host"))

    def _setup(self, facts: object) -> JsonObject:
        if self._referee is not None:
            raise LineError("the match has begun; the set-up comes once, in the first line")
        try:
            msgspec.convert(facts, self.game.setup_type)
        except msgspec.ValidationError as error:
            raise LineError(f"the set-up does not fit the schema: {self._misfit(error)}") from None
        header = Header(
            id=new_id(),
            at=now(),
            game=self.game.info.name,
            seats=self._seats,
            options=self._options,
            setup=facts,
            mode="ledger",
        )
        try:
            self._referee = Referee(self.game, self._mat, header)
        except RuleError as error:
            return _refusal(error.verdict)
        return {"ok": True, "record": 0}

    def _play(self, said: JsonObject) -> Command:
        action = said["action"]
        if not isinstance(action, dict):
            raise LineError('"action" must be an object with a "type"')
        seat = said.get("seat", action.get("seat", 0))
        if action.get("seat", seat) != seat:
            raise LineError(f"the line says seat {seat}, and its action seat {action['seat']}: leave out one of them")
        try:
            ground = msgspec.convert({**action, "seat": seat}, self.game.action_type)
            facts = msgspec.convert(said.get("facts", ()), Facts)
        except msgspec.ValidationError as error:
            raise LineError(f"this does not fit the schema: {self._misfit(error)}") from None
        return Play(seat=ground.seat, action=ground, facts=facts, by="phone")

    def _correct(self, edits: object) -> Command:
        try:
            return Correct(edits=msgspec.convert(edits, tuple[AnyEdit, ...]), by="host")
        except msgspec.ValidationError as error:
            raise LineError(f"this does not fit the schema: {self._misfit(error)}") from None

    def _misfit(self, error: msgspec.ValidationError) -> str:
        unknown = f"; `companion referee {self.game.info.name} --schema` says which there are"
        return f"{error}{unknown if 'unknown field' in str(error) else ''}"

    def _reply(self, referee: Referee, command: Command) -> JsonObject:
        reply: Reply = referee.command(command)
        if reply.ok:
            return {"ok": True, "record": reply.record}
        assert reply.verdict is not None  # noqa: S101  (a refusal always carries one)
        return _refusal(reply.verdict)

    def _ask(self, referee: Referee, said: JsonObject) -> JsonObject:
        what, state = said["ask"], referee.state
        if what == "legal":
            legal = [
                {"seat": action.seat, "action": action, "needs": named(self.game.needs(state, action), {})}
                for action in self.game.legal(state)
            ]
            return {"ok": True, "legal": legal}
        if what == "standing":
            return {"ok": True, "standing": referee.snapshot.standing}
        if what == "layout":
            return {"ok": True, "layout": self.game.layout(state)}
        if what == "state":
            return {"ok": True, "state": state}
        if what == "view":
            seat = said.get("seat", 0)
            if not isinstance(seat, int) or isinstance(seat, bool) or not 0 <= seat <= self._seats:
                raise LineError(f"there is no seat {seat}: the seats are 1 to {self._seats}, and 0 is the public")
            return {"ok": True, "view": referee.snapshot.views[seat]}
        raise LineError(f"nothing to ask by that name; there are {', '.join(ASKS)}")


def _steps(said: JsonObject, key: str) -> int:
    steps = said[key]
    if not isinstance(steps, int) or isinstance(steps, bool) or steps < 1:
        raise LineError(f'"{key}" takes the number of records to go, 1 or more')
    return steps


def _refusal(verdict: Verdict) -> JsonObject:
    return {
        "ok": False,
        "kind": verdict.kind,
        "rule": verdict.rule,
        "reason": name_seats(verdict.reason, {}),
        "remedy": name_seats(verdict.remedy, {}),
    }
