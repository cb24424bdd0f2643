"""`companion score`: whether the three files of a game fit together, and the schema of score files for editors."""

from __future__ import annotations

from typing import Annotated

import typer

from companion import games
from companion.cli.common import fail
from companion.games.from_file.score_file import schema

commands = typer.Typer()


@commands.command()
def score(
    name: Annotated[str, typer.Argument(metavar="GAME", help="A folder of card_codes/ with a score.toml.")] = "",
    as_schema: Annotated[bool, typer.Option("--schema", help="Print the JSON Schema of score files instead.")] = False,
) -> None:
    """Check the files of a game that has no rules in Python: deck.toml, mat.toml and score.toml."""
    if as_schema:
        typer.echo(schema().decode(), nl=False)
        return
    if name not in games.from_files():
        raise fail(f"there is no game {name!r} made from a file; there are: {', '.join(games.from_files())}")
    try:
        game = games.load(name)
        for seats in range(game.info.seats[0], game.info.seats[1] + 1):
            games.load_mat(name, max(2, seats))
    except games.GameError as error:
        raise fail(f"{error}") from None
    low, high = game.info.seats
    players = f"{low}" if low == high else f"{low} to {high}"
    typer.echo(f"{game.info.title} is fine: {players} players, {len(game.deck.cards)} cards.")
