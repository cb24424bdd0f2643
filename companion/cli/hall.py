"""`companion hall`: many tables on one wall. What only the hall needs is installed by `companion[hall]`."""

from __future__ import annotations

import logging
import secrets
import signal
import subprocess
import threading
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

import segno
import typer

from companion.cli.common import fail
from companion.hall.config import ConfigError, HallConfig, load

commands = typer.Typer(name="hall", help="Many tables: their broker, their database, the wall.", no_args_is_help=True)
Config = Annotated[Path | None, typer.Option("--config", dir_okay=False, help="Another hall.toml than the usual one.")]
NEEDS = 'the hall needs packages that a table does not: pip install "companion[hall]"'


@commands.command("set-up")
def set_up(
    folder: Annotated[Path, typer.Option(help="Where settings, passwords and rights lie.")],
    public: Annotated[str, typer.Option(help="The broker as tables reach it: hall.lan:8883.")],
    database: Annotated[str, typer.Option(help="The database's address, as libpq reads it.")] = "dbname=companion",
    certificate: Annotated[
        Path | None, typer.Option(help="The broker's certificate; without one there is no TLS.")
    ] = None,
    key: Annotated[Path | None, typer.Option(help="Its key.")] = None,
) -> None:
    """Write the broker's configuration and the hall's settings, make the schema, and print the host's password."""
    from companion.hall.broker import BrokerError, Listener, add_hall, write_conf

    own = Listener(port=1883, address="127.0.0.1")
    port = public.rpartition(":")[2]
    if not port.isdecimal():
        raise fail(f"say the port too: {public}:8883")
    theirs = Listener(port=int(port), certificate=certificate, key=key)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        password = add_hall(folder)
        write_conf(folder, [own] if int(port) == own.port else [own, theirs], keep=Path("/var/lib/mosquitto"))
    except (BrokerError, OSError) as error:
        raise fail(f"{error}") from None
    lines = [f'database = "{database}"', f'folder = "{folder}"', f'public = "{public}"', "", "[broker]"]
    _keep(folder / "hall.toml", "\n".join([*lines, 'name = "hall"', f'password = "{password}"', ""]))
    typer.echo(f"The settings are in {folder / 'hall.toml'}.")
    prepare(folder / "hall.toml")


def _keep(path: Path, text: str) -> None:
    from companion.files import written_whole

    with written_whole(path, 0o640) as file:
        file.write(text.encode())


@commands.command()
def prepare(config: Config = None) -> None:
    """Bring the database's schema up to date; the first time, print the host's password."""
    database = _load(config).database
    from companion.hall.database import DatabaseError, connect, migrate, setting

    try:
        with connect(database) as connection:
            for name in migrate(connection):
                typer.echo(f"Applied {name}.")
            if setting(connection, "password") is None:
                typer.echo(f"The host's password: {_new_password(database)}")
    except DatabaseError as error:
        raise fail(f"{error}") from None


def _new_password(database: str) -> str:
    from companion.hall.database import connect, set_setting
    from companion.server.keys import kept_pin

    made = "-".join(secrets.token_hex(2) for _ in range(3))
    with connect(database) as connection:
        set_setting(connection, "password", kept_pin(made))
    return made


@commands.command()
def password(config: Config = None) -> None:
    """Make a new password for the host and print it; restart the pages, and the old one counts no longer."""
    typer.echo(_new_password(_load(config).database))


@commands.command()
def serve(
    config: Config = None,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "0.0.0.0",  # noqa: S104  (it is for the room)
    port: Annotated[int, typer.Option(help="The port to listen on.")] = 8090,
) -> None:
    """Serve the wall and the other pages."""
    settings = _load(config)
    from companion.appliance.network import front
    from companion.files import state_dir
    from companion.hall.app import create_app
    from companion.hall.context import MOST_STREAMS
    from companion.hall.database import DatabaseError, connect, setting
    from companion.server.serve import run

    prepare(config)
    try:
        with connect(settings.database) as connection:
            kept = setting(connection, "password") or ""
    except DatabaseError as error:
        raise fail(f"{error}") from None
    typer.echo(f"The wall: {front(host, port)}")
    keys = state_dir() / "hall-keys.json"
    keys.parent.mkdir(parents=True, exist_ok=True)
    public = settings.public.rpartition(":")[0]
    run(lambda: create_app(settings.database, kept, keys, public), host, port, threads=MOST_STREAMS + 24)


@commands.command()
def consume(config: Config = None) -> None:
    """Take what the tables send into the database; start several to share the load."""
    settings = _load(config)
    from companion.hall.consumer import Consumer

    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    consumer = Consumer(settings.broker, settings.database, folder=Path(settings.folder) if settings.folder else None)
    ended = threading.Event()
    for one in (signal.SIGTERM, signal.SIGINT):
        signal.signal(one, lambda *_: ended.set())
    consumer.start()
    ended.wait()
    consumer.stop()


@commands.command("add-table")
def add_table(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Small letters, digits and hyphens: table-4.")],
    config: Config = None,
) -> None:
    """Let a table come; print what its settings page needs, as text and as a QR code."""
    settings = _load(config)
    from companion.hall import broker

    try:
        user, secret = broker.add_table(Path(settings.folder), name)
    except broker.BrokerError as error:
        raise fail(f"{error}") from None
    reload_broker()
    authority = Path(settings.folder) / "ca.crt"
    scheme = "mqtts" if authority.exists() else "mqtt"
    address = f"{scheme}://{quote(user)}:{quote(secret)}@{settings.public or '127.0.0.1:1883'}"
    typer.echo("On the box's page Host, Settings, Hall, scan this or enter it:")
    segno.make(address, error="m").terminal(compact=True)
    typer.echo(address)
    if authority.exists():
        typer.echo(f"and the authority's certificate, {authority}:")
        typer.echo(authority.read_text(encoding="ascii"), nl=False)


@commands.command("remove-table")
def remove_table(name: Annotated[str, typer.Argument(metavar="NAME")], config: Config = None) -> None:
    """Let a table come no longer; what it has sent stays."""
    from companion.hall import broker

    try:
        broker.remove_table(Path(_load(config).folder), name)
    except broker.BrokerError as error:
        raise fail(f"{error}") from None
    reload_broker()


def reload_broker() -> None:
    """Let Mosquitto take in new passwords and rights, where systemd runs it."""
    for command in (["is-active", "--quiet", "companion-hall-rights.path"], ["reload", "mosquitto"]):
        try:
            if subprocess.run(["systemctl", *command], capture_output=True, check=False).returncode == 0:  # noqa: S603, S607
                return
        except OSError:
            break
    typer.echo("Send Mosquitto a SIGHUP (systemctl reload mosquitto), so that it takes this in.", err=True)


@commands.command()
def forget(
    name: Annotated[str, typer.Argument(metavar="NAME", help="As it was typed; capitals don't matter.")],
    config: Config = None,
) -> None:
    """Forget a person's name everywhere in the hall, for good."""
    from companion.hall.database import DatabaseError, connect
    from companion.hall.forgetting import forget as forget_name

    try:
        with connect(_load(config).database) as connection:
            found = forget_name(connection, name)
    except DatabaseError as error:
        raise fail(f"{error}") from None
    typer.echo(f"Forgotten in {found} places. Tables' journals and backups keep it until it is deleted there.")


@commands.command()
def backup(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The file to write; it holds all that the database has.")
    ],
    config: Config = None,
) -> None:
    """Write a backup of the database (pg_dump), while all goes on."""
    part = file.with_name(f"{file.name}.part")
    _tool("No backup was written", "pg_dump", "--format=custom", f"--file={part}", f"--dbname={_load(config).database}")
    part.chmod(0o600)
    part.replace(file)
    typer.echo(f"{file}: {file.stat().st_size} bytes")


@commands.command()
def restore(file: Annotated[Path, typer.Argument(metavar="FILE", exists=True)], config: Config = None) -> None:
    """Put a backup in the place of what the database has; then tables send what it lacks."""
    database = _load(config).database
    how = ("--clean", "--if-exists", "--no-owner", "--single-transaction")
    _tool("The backup can't be read, and nothing was changed", "pg_restore", *how, f"--dbname={database}", f"{file}")
    prepare(config)
    typer.echo("Restart the broker (systemctl restart mosquitto): when the tables come back they send what is missing.")


@commands.command()
def demo(
    tables: Annotated[int, typer.Option(min=1, max=200, help="How many tables.")] = 12,
    pace: Annotated[float, typer.Option(min=0.05, help="Seconds that a turn takes.")] = 4.0,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on.")] = 8090,
) -> None:
    """A broker, a database, tables where robots play all games, and the wall: all on this computer, until Ctrl-C."""
    _check_installed()
    from companion.bench.hall_demo import serve as serve_demo
    from companion.hall.local import LocalError

    try:
        serve_demo(tables, pace, host, port, secrets.token_hex(3))
    except LocalError as error:
        raise fail(f"{error}") from None


def _tool(failed: str, name: str, *arguments: str) -> None:
    """Run a tool of PostgreSQL's; if it fails, say what that means and what the tool said."""
    from companion.hall.database import told
    from companion.hall.local import LocalError, program

    try:
        done = subprocess.run([program(name), *arguments], capture_output=True, check=False)  # noqa: S603
    except (LocalError, OSError) as error:
        raise fail(f"{error}") from None
    if done.returncode:
        raise fail(f"{failed}: {told(done.stderr.decode(errors='replace'))[-600:]}")


def _load(config: Path | None) -> HallConfig:
    _check_installed()
    try:
        return load(config)
    except ConfigError as error:
        raise fail(f"{error}") from None


def _check_installed() -> None:
    if any(find_spec(name) is None for name in ("psycopg", "psycopg_pool", "scipy")):
        raise fail(NEEDS)
