"""Serves a real match on a port given as argument, for the tests that need a process of its own.

Further arguments: how many streams; "strangers" if this computer is to be treated like any other (else anything);
seconds of silence; seconds for a whole head, and for a whole body.

`POST /turn` makes something happen; leaving writes "closed" to standard output.
"""

from __future__ import annotations

import sys

from flask import Flask

from companion.referee import commands as say
from companion.server import limits, serve
from companion.server.app import create_app
from companion.server.serve import run
from tests.server.desks import MatchDesk


def make() -> Flask:
    """Build the table and its application, in the worker."""
    desk = MatchDesk(4)

    def close() -> None:
        desk.close()
        print("closed", flush=True)

    if "strangers" in sys.argv:
        limits._here = lambda address: False
    app = create_app(desk, close=close, most_streams=int(sys.argv[2]))

    @app.post("/turn")
    def turn() -> str:
        if desk.snapshot().record % 2:
            desk.command(say.Undo())
        else:
            desk.command(say.Play(seat=1, action=desk.match.decode_action({"type": "nothing", "seat": 1})))
        return "done"

    return app


if __name__ == "__main__":
    serve.SILENT_S = int(sys.argv[4]) if len(sys.argv) > 4 else serve.SILENT_S
    if len(sys.argv) > 5:
        serve.HEAD_S = serve.BODY_S = int(sys.argv[5])
    run(make, "127.0.0.1", int(sys.argv[1]), threads=int(sys.argv[2]) + 8)
