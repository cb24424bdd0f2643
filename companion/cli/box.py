"""The commands of a box's owner: settings, backups, and what the service runs."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from companion.cli.common import fail
from companion.files import state_dir
from companion.text import MOMENT, local_time

commands = typer.Typer()

MOST_TOLD = 10
"""So many files of a backup are named."""


@commands.command()
def box(
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "0.0.0.0",  # noqa: S104  (phones must reach it)
    port: Annotated[int, typer.Option(help="The port to listen on.")] = 8080,
) -> None:
    """Run the table as a box does: ask for its settings once, then go on with the match, or let people gather."""
    from companion.appliance.boot import serve_box
    from companion.server.settings_api import SettingsError
    from companion.table.table import TableError

    try:
        serve_box(host, port)
    except (TableError, SettingsError) as error:
        raise fail(f"{error}") from None


@commands.command()
def start(
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "0.0.0.0",  # noqa: S104  (phones must reach it)
    port: Annotated[int, typer.Option(help="The port to listen on.")] = 8080,
) -> None:
    """Begin an evening: show the way to the host's page, which leads from the camera to the first match."""
    from companion.appliance.run import TablePlan, serve_table
    from companion.table.table import TableError

    try:
        serve_table(TablePlan(leads=True), host, port)
    except TableError as error:
        raise fail(f"{error}") from None


@commands.command()
def settle(
    pin: Annotated[str, typer.Option(help="The host's PIN, 4 to 12 digits.")],
    camera: Annotated[
        str, typer.Option(help="As for serve; or find, simulated, none. Leave it out and the one there is is found.")
    ] = "find",
) -> None:
    """Answer the box's first page from here."""
    from companion.appliance.settings import settle as keep
    from companion.server.settings_api import SettingsError

    try:
        keep(camera, pin)
    except SettingsError as error:
        raise fail(f"{error}") from None
    typer.echo("Kept. It counts from the next start on.")


@commands.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file; - is standard output.", allow_dash=True)],
) -> None:
    """Keep all matches and settings in one file. A match may go on meanwhile."""
    from companion.appliance.backup import BackupError, backup_to
    from companion.appliance.backup import backup as write_backup

    try:
        if str(file) == "-":
            manifest = write_backup(state_dir(), sys.stdout.buffer)
            sys.stdout.buffer.flush()
        else:
            manifest = backup_to(state_dir(), file)
    except BackupError as error:
        raise fail(f"{error}") from None
    typer.echo(
        f"{manifest.matches} matches and {len(manifest.files)} files are in the backup, with the "
        "host's PIN, and the passwords of camera and broker as they were typed: keep it to yourself.",
        err=True,
    )


@commands.command()
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup; - is standard input.", allow_dash=True)],
    with_pages: Annotated[
        bool, typer.Option("--with-pages", help="Take pages of your own too. They are programs: only from yourself.")
    ] = False,
) -> None:
    """Take a backup back. What is there now is put aside, not thrown away."""
    from companion.appliance.backup import KEYS, BackupError, roomy
    from companion.appliance.backup import restore as take_back

    try:
        if str(file) == "-":
            # A zip is read back and forth, which a pipe can't be.
            with tempfile.TemporaryFile(dir=roomy()) as given:
                shutil.copyfileobj(sys.stdin.buffer, given)
                done = take_back(state_dir(), given, pages=with_pages)
        else:
            with file.open("rb") as given:
                done = take_back(state_dir(), given, pages=with_pages)
    except OSError as error:
        raise fail(f"{file} can't be read: {error.strerror}") from None
    except BackupError as error:
        raise fail(f"{error}") from None
    at = local_time(done.manifest.at, MOMENT)
    typer.echo(f"{done.manifest.matches} matches are back, as they were on {at}. Phones join again.")
    if done.aside is not None:
        typer.echo(f"What was here before lies in {done.aside}.")
    pages = [name for name in done.left_out if name != KEYS]
    if pages:
        more = f" and {len(pages) - MOST_TOLD} more" if len(pages) > MOST_TOLD else ""
        typer.echo(
            f"Left out, for a page might run it: {', '.join(pages[:MOST_TOLD])}{more}. "
            "If you made the backup yourself, and want it, restore it once more with --with-pages."
        )
