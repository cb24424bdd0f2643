"""The command that says how high a camera hangs."""

from __future__ import annotations

from typing import Annotated

import typer

from companion import games
from companion.cli.common import GameName, fail

commands = typer.Typer()


@commands.command()
def heights(
    name: GameName = "collectors",
    size: Annotated[str, typer.Option(help="Your camera's picture in pixels, WIDTHxHEIGHT.")] = "1920x1080",
    angle: Annotated[
        float | None,
        typer.Option(min=20, max=150, help="Degrees that its longer side shows; without it usual cameras are listed."),
    ] = None,
) -> None:
    """List how high a camera hangs above a game's mat, and how well it reads the cards from there."""
    from rich.console import Console
    from rich.table import Table

    from companion.eye.mounting import LENSES, Lens, mounting, of_picture

    mat = games.load_mat(name, games.load(name).info.seats[1])
    lenses: tuple[Lens, ...] = LENSES
    if angle is not None:
        width, _, height = size.lower().partition("x")
        if not (width.isdigit() and height.isdigit() and int(width) and int(height)):
            fail(f"“{size}” is no size: write it like 1920x1080.")
        px = int(width), int(height)
        lenses = (Lens(f"yours, {size}", px, of_picture(px, angle)),)
    table = Table("camera", "height, cm", "pixels a module", "reads", title=f"{mat.w:.0f} × {mat.h:.0f} mm", box=None)
    for lens in lenses:
        found = mounting(mat, lens)
        table.add_row(lens.name, f"{found.height / 10:.0f}", f"{found.module:.2f}", found.reads)
    Console().print(table)
