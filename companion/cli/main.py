"""The command line. Each command is a few lines here; the work is done in the packages."""

from __future__ import annotations

import contextlib
import copy
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import cv2
import msgspec
import typer

from companion import games
from companion.appliance import heap
from companion.cli import aim as aim_commands
from companion.cli import box as box_commands
from companion.cli import hall as hall_commands
from companion.cli import heights as height_commands
from companion.cli import score as score_commands
from companion.cli.common import (
    NEUTRAL_SEATS,
    Format,
    GameName,
    OptionList,
    Paper,
    Print,
    Recording,
    Seats,
    fail,
    house_rules,
    load_game,
    print_json,
    said,
)
from companion.eye.mat import Mat
from companion.games import custom_board as board
from companion.referee.clock import SECONDS
from companion.rules.kernel import AnyGame
from companion.untyped import read_json

if TYPE_CHECKING:
    from companion.devices.doctor import Finding

MARKERS = "markers"
"""What is printed for a table without a mat."""

cli = typer.Typer(
    name="companion",
    help="A referee for card games on a real table.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@cli.command()
def press(
    name: Annotated[
        str,
        typer.Argument(
            metavar="WHAT",
            help="A game, “standard” for playing cards, a neutral mat, or “markers” for a table without a mat.",
        ),
    ],
    out: Annotated[Path, typer.Option(help="The folder to write into.")],
    format: Annotated[Format, typer.Option(help="Sheets to print, or one picture a face.")] = Format.pdf,
    paper: Annotated[Paper, typer.Option(help="The sheets in the printer.")] = Paper.a4,
    stickers: Annotated[bool, typer.Option(help="Sticker sheets for owners of the real box as well.")] = False,
    no_codes: Annotated[bool, typer.Option("--no-codes", help="Cards without codes; tokens keep theirs.")] = False,
    seats: Annotated[int | None, typer.Option(help="Print the mat's chairs for that many players only.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="One file for tonight, on one side.")] = False,
) -> None:
    """Print a game's cards, mat and stickers, the standard deck, a mat for any card game, or markers instead of it."""
    from companion.press import PressError
    from companion.press.job import Order, press_deck, press_markers, press_mat, press_quick
    from companion.press.job import press as print_game
    from companion.press.pictures import PictureError

    steps: list[str] = []
    order = Order(format.value, paper.value, stickers, not no_codes, seats)
    try:
        with said("companion.press.pictures"):
            if quick and name in (MARKERS, *games.neutral_mats()):
                raise fail(f"{name} has no cards to print quickly; name a game, or {games.STANDARD}")
            if name == MARKERS:
                files = press_markers(out, order)
            elif name in games.neutral_mats():
                files = press_mat(games.load_neutral_mat(name, seats or NEUTRAL_SEATS), out, order, f"{name}-")
            elif name == games.STANDARD:
                mat = games.load_neutral_mat(games.neutral_mats()[0], NEUTRAL_SEATS)
                deck = games.load_deck(name)
                if quick:
                    files, steps = press_quick(deck, mat, out, order, own=False)
                else:
                    files = press_deck(deck, mat, out, order)
            else:
                rules = load_game(name, seats)
                mat = games.load_printed_mat(name, seats or rules.info.seats[1])
                if quick:
                    own = "neutral" not in games.contents(name, "mat.toml")
                    files, steps = press_quick(rules.deck, mat, out, order, own=own)
                else:
                    files = print_game(name, rules.deck, mat, out, order)
    except (PressError, PictureError, games.GameError) as error:
        raise fail(str(error)) from None
    for path in files:
        typer.echo(str(path))
    for number, step in enumerate(steps, start=1):
        typer.echo(f"{number}. {step}")


@cli.command()
def read(
    images: Annotated[list[Path], typer.Argument(metavar="IMAGE...", help="Photographs of a table.")],
    game: Annotated[str | None, typer.Option(help="Report the codes of this game only, and what lies where.")] = None,
    seats: Annotated[int | None, typer.Option(help="Name the zones for so many players; the most if left out.")] = None,
    reader: Annotated[str | None, typer.Option(help="deck, zxing-cpp, pyzbar, libraries or all.")] = None,
) -> None:
    """Read the codes in photographs: one JSON line an image."""
    from companion.eye.read_images import Deck, ImageReader, ReadError

    try:
        decks = [Deck(mat, games.code_book(rules.deck, mat)) for rules, mat in _prints(game, seats)]
        images_reader = ImageReader(decks, reader)
    except (ReadError, games.GameError) as error:
        raise fail(str(error)) from None
    failed = False
    for image in images:
        answer = images_reader.read(image)
        failed = failed or "error" in answer
        print_json(answer)
    if failed:
        raise typer.Exit(1)


def _prints(name: str | None, seats: int | None) -> list[tuple[AnyGame, Mat]]:
    """Return a game with its mat for each print of the cards that may lie on the table; nothing without a game."""
    if name is None:
        if seats is not None:
            raise fail("name the game whose mat has so many seats: --game GAME")
        return []
    rules = load_game(name, seats)
    mat = games.load_mat(name, seats or rules.info.seats[1])
    return [(rules, one) for one in dict.fromkeys((mat, board.laid_over(mat, board.Own(print="first"))))]


@cli.command()
def watch(
    game: GameName,
    seats: Seats,
    frames: Annotated[str, typer.Option(help="A folder of images, a video, a camera's number or a stream's URL.")],
    setup: Annotated[Path | None, typer.Option(help="A JSON file with what chance decided: first player, …")] = None,
    print: Annotated[Print | None, typer.Option(help="Which print lies on the table, if another than here.")] = None,
    option: OptionList = None,
) -> None:
    """Referee a recorded or live table and print what was understood, as JSON lines."""
    from companion.cli.watch import WatchError
    from companion.cli.watch import watch as watch_table

    rules = load_game(game, seats)
    try:
        facts = read_json(setup.read_bytes()) if setup else {}
    except (OSError, ValueError, msgspec.MsgspecError) as error:
        raise fail(f"the set-up {setup} can't be read: {error}") from None
    try:
        mat = games.load_mat(game, seats)
        if print is not None:
            mat = board.laid_over(mat, board.Own(print=print.value))
        for line in watch_table(rules, mat, seats, house_rules(rules, option), frames, facts):
            print_json(line)
    except (WatchError, games.GameError) as error:
        raise fail(str(error)) from None


@cli.command()
def record(
    camera: Annotated[
        str,
        typer.Option(help="A camera's number, a stream's URL, picamera, a video, a folder; find: what is there."),
    ] = "find",
    minutes: Annotated[float | None, typer.Option(min=0.1, help="The last minutes to keep; 5 if left out.")] = None,
    megabytes: Annotated[float, typer.Option(min=20, help="How much of the disk to use, at most.")] = 1000,
    fps: Annotated[float | None, typer.Option(min=0.1, help="Frames a second to keep, at most.")] = None,
    out: Annotated[Path | None, typer.Option(help="Where to; in the state folder if left out.")] = None,
    keep: Annotated[
        Path | None, typer.Option(help="Record nothing: copy what is recorded, or its last minutes, to this folder.")
    ] = None,
) -> None:
    """Keep the last minutes of a camera's pictures on this computer, to look at a dispute or a fault again."""
    from companion.devices import recorder as recorders
    from companion.devices.cameras import open_camera
    from companion.devices.service import PermanentError

    try:
        if keep is not None:
            print_json({"kept": str(recorders.keep(out or recorders.ring_folder(), keep, minutes))})
            return
        eyes = open_camera(camera)
        recorder = recorders.Recorder(out, minutes or recorders.MINUTES, megabytes, fps)
        typer.echo(recorder.words, err=True)
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        with contextlib.suppress(KeyboardInterrupt):
            recorders.record(eyes, recorder)
        print_json(recorder.done())
    except PermanentError as error:
        raise fail(str(error)) from None


@cli.command()
def referee(
    game: GameName,
    seats: Annotated[int | None, typer.Option(help="How many players.")] = None,
    option: OptionList = None,
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON Schema and leave.")] = False,
) -> None:
    """Referee a match told in JSON lines on standard input; one answer a line."""
    from companion.referee import lines

    rules = load_game(game, seats)
    if schema:
        print_json(lines.schema(rules))
        return
    if seats is None:
        raise fail("say how many players: --seats N")
    try:
        session = lines.Session(rules, games.load_mat(game, seats), seats, house_rules(rules, option))
    except games.GameError as error:
        raise fail(str(error)) from None
    for line in sys.stdin.buffer:
        if line.strip():
            sys.stdout.buffer.write(session.answer(line) + b"\n")
            sys.stdout.buffer.flush()


@cli.command()
def simulate(
    game: GameName,
    seats: Annotated[int | None, typer.Option(help="How many players; every number in turn if left out.")] = None,
    matches: Annotated[int, typer.Option(min=1, help="How many matches.")] = 1,
    seed: Annotated[int, typer.Option(help="The same seed plays the same matches.")] = 1,
    through_camera: Annotated[bool, typer.Option(help="Through rendered camera frames and the real eye.")] = False,
    faults: Annotated[bool, typer.Option(help="Real prints and light, glare, hands, bumps, restarts.")] = False,
    no_codes: Annotated[bool, typer.Option("--no-codes", help="The camera knows the cards by their faces.")] = False,
    jobs: Annotated[int, typer.Option(min=1, help="Matches played at once.")] = os.cpu_count() or 1,
    option: OptionList = None,
) -> None:
    """Let robots play whole matches and compare what they did with what the referee understood."""
    from companion.cli.simulate import Order
    from companion.cli.simulate import simulate as simulate_matches

    rules = load_game(game, seats)
    from companion.sim.world import WorldError

    try:
        order = Order(seats, house_rules(rules, option), matches, seed, through_camera, faults, jobs, not no_codes)
        clean = simulate_matches(rules, order)
    except WorldError as error:
        raise fail(str(error)) from None
    if not clean:
        raise typer.Exit(1)


@cli.command()
def replay(
    match: Annotated[str, typer.Argument(metavar="FILE|MATCH", help="An exported match, or one in the journal.")],
    to: Annotated[int | None, typer.Option(help="Stop after this record.")] = None,
) -> None:
    """Replay a match, record by record, and end with its standing."""
    from companion.cli.replay import tell
    from companion.table.folding import TellError

    try:
        for line in tell(match, to):
            typer.echo(line)
    except (TellError, games.GameError) as error:
        raise fail(str(error)) from None


@cli.command()
def verify(
    match: Annotated[str, typer.Argument(metavar="FILE|MATCH", help="An exported match, or one in the journal.")],
) -> None:
    """Check a match from end to end: every record, every piece in its place, every roll of the companion."""
    from companion.cli.replay import verify as check
    from companion.table.folding import TellError

    try:
        for line in check(match):
            typer.echo(line)
    except (TellError, games.GameError) as error:
        raise fail(str(error)) from None


@cli.command()
def export(
    match: Annotated[str, typer.Argument(metavar="MATCH", help="A match in the journal, or its beginning.")],
) -> None:
    """Write a match as JSON lines: its header, then its records."""
    from companion.cli.replay import exported
    from companion.table.folding import TellError

    try:
        for line in exported(match):
            sys.stdout.buffer.write(line + b"\n")
    except TellError as error:
        raise fail(str(error)) from None


@cli.command("import")
def import_(file: Annotated[Path, typer.Argument(metavar="FILE", help="An exported match.")]) -> None:
    """Take an exported match into the journal."""
    from companion.cli.replay import imported
    from companion.table.folding import TellError

    try:
        typer.echo(imported(file))
    except (TellError, games.GameError) as error:
        raise fail(str(error)) from None


@cli.command()
def bench(
    section: Annotated[str | None, typer.Argument(help="One section; all of them if left out.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Figures as JSON.")] = False,
    frames: Annotated[int | None, typer.Option(min=1, help="eye: frames a condition and size.")] = None,
    plots: Annotated[Path | None, typer.Option(file_okay=False, help="eye: draw plots here.")] = None,
    photographs: Annotated[
        Path | None, typer.Option(exists=True, file_okay=False, help="eye: a folder of 1.png with 1.txt and so on.")
    ] = None,
) -> None:
    """Measure this machine, against the peers in the same run. More: `python -m benchmarks`, in a checkout."""
    from companion.bench import BenchError, run

    try:
        run(section, as_json, frames=frames, plots=plots, photographs=photographs)
    except BenchError as error:
        raise fail(str(error)) from None


@cli.command()
def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document for programs.")] = False,
    walk: Annotated[bool, typer.Option("--walk", help="Try each part with your help, and write a report.")] = False,
    camera: Annotated[str, typer.Option(help="The camera to try; see `serve`.")] = "find",
    report: Annotated[Path, typer.Option(dir_okay=False, help="The file of the report.")] = Path("companion.txt"),
) -> None:
    """Check what of camera, OLED, pins, power, card, network and clock works, and what to do about what doesn't."""
    from companion.appliance.settings import check_hall, check_voice
    from companion.devices import doctor as doctors

    findings = doctors.run_checks((*doctors.CHECKS, check_voice, check_hall))
    if walk:
        from companion.cli.walk import walk_through

        if not walk_through(findings, camera, report):
            raise typer.Exit(1)
        return
    if as_json:
        print_json({"fit": doctors.fit(findings), "findings": findings})
    else:
        _show_findings(findings)
    if not doctors.fit(findings):
        raise typer.Exit(1)


def _show_findings(findings: list[Finding]) -> None:
    from rich.console import Console
    from rich.table import Table as Sheet

    sheet = Sheet(show_lines=False)
    for title in ("", "what", "finding", "what to do"):
        sheet.add_column(title, overflow="fold")
    for finding in findings:
        sheet.add_row({"ok": "✓", "warn": "!", "fail": "✗"}[finding.state], finding.name, finding.words, finding.remedy)
    Console().print(sheet)


@cli.command()
def wiring(
    file: Annotated[Path | None, typer.Option(help="Another wiring.toml than the one in use.")] = None,
    svg: Annotated[Path | None, typer.Option(dir_okay=False, help="Draw the diagram into this file.")] = None,
    config: Annotated[bool, typer.Option("--config", help="Print the lines for config.txt, and nothing else.")] = False,
) -> None:
    """Check what hangs on which pin, list every wire, and draw it."""
    from companion.devices import wiring as wires
    from companion.devices.wiring_diagram import draw

    try:
        wired = wires.load() if file is None else wires.read(file)
        if svg is not None:
            svg.write_text(draw(wired), encoding="utf-8")
    except wires.WiringError as error:
        raise fail(str(error)) from None
    except OSError as error:
        raise fail(f"{svg} can't be written: {error.strerror or error}") from None
    if config:
        typer.echo(wires.config_txt(wired), nl=False)
        return
    for part, where, place in wires.table(wired):
        typer.echo(f"{part:30} {where:10} place {place}")
    if svg is not None:
        typer.echo(str(svg))


@cli.command()
def serve(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="If left out, the host chooses one on his page.")
    ] = None,
    seats: Seats = 4,
    camera: Annotated[
        str | None,
        typer.Option(help="A camera's number, a stream's URL, picamera, a folder of images; 0, or in a ledger none."),
    ] = None,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "0.0.0.0",  # noqa: S104  (phones must reach it)
    port: Annotated[int, typer.Option(help="The port to listen on.")] = 8080,
    resume: Annotated[str | None, typer.Option(help="Go on with a match of the journal: its id, or 'last'.")] = None,
    mode: Annotated[str, typer.Option(help="strict, assist or ledger.")] = "assist",
    bid_seconds: Annotated[int, typer.Option(min=0, max=600, help="Seconds for a bid; 0 is no clock.")] = SECONDS,
    trainer: Annotated[bool, typer.Option(help="A trainer leads: only the host takes steps back.")] = False,
    record: Recording = None,
    option: OptionList = None,
) -> None:
    """Referee a table: camera, OLED, buttons and the pages for phones."""
    from companion.appliance.run import TablePlan, serve_table
    from companion.table.table import TableError

    rules = load_game(game, seats) if game is not None else None
    if rules is None and option:
        raise fail("name the game whose options these are")
    options = house_rules(rules, option) if rules is not None else {}
    try:
        plan = TablePlan(
            game=rules,
            seats=seats,
            options=options,
            camera=camera,
            resume=resume,
            mode=mode,
            bid_seconds=bid_seconds,
            trainer=trainer,
            record=record,
        )
        serve_table(plan, host, port)
    except (TableError, games.GameError) as error:
        raise fail(str(error)) from None


@cli.command()
def demo(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="All in turn if left out.")] = None,
    seats: Seats = 4,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on.")] = 8080,
    seed: Annotated[int | None, typer.Option(help="The same seed plays the same match.")] = None,
    speed: Annotated[float, typer.Option(help="How fast the robots play; 1 is a person's pace.")] = 1.0,
    faults: Annotated[bool, typer.Option(help="Glare, blur, hands, bumps, changing light, a lost camera.")] = False,
    no_codes: Annotated[bool, typer.Option("--no-codes", help="The camera knows the cards by their faces.")] = False,
    play: Annotated[int, typer.Option(min=0, help="So many people play: the first seats wait for them.")] = 0,
    record: Recording = None,
) -> None:
    """Robots play on the simulated table, photographed and refereed live; open the page and watch, or take a seat."""
    from companion.appliance.run import DemoPlan, serve_demo
    from companion.table.table import TableError

    rules = load_game(game or "five-cards-collector", seats)
    try:
        plan = DemoPlan(
            game=rules,
            seats=seats,
            seed=seed,
            speed=speed,
            faults=faults,
            people=play,
            named=game is not None,
            codes=not no_codes,
            record=record,
        )
        serve_demo(plan, host, port)
    except (TableError, games.GameError) as error:
        raise fail(str(error)) from None


cli.add_typer(aim_commands.commands)
cli.add_typer(box_commands.commands)
cli.add_typer(score_commands.commands)
cli.add_typer(hall_commands.commands)
cli.add_typer(height_commands.commands)


@cli.command()
def teach(
    name: Annotated[str, typer.Argument(metavar="DECK", help="What the deck is called: small letters, digits, -.")],
    game: Annotated[str | None, typer.Option(help="The game whose cards these are.")] = None,
    names: Annotated[Path | None, typer.Option(help="Without a game: what the cards are called, one a line.")] = None,
    camera: Annotated[str, typer.Option(help="As for serve: a camera's number, a folder of pictures, …")] = "0",
) -> None:
    """Teach the cards of a deck: the empty mat first, then up to twelve cards at a time, apart from each other."""
    from companion.cli.teach import teach as take

    take(name, game, names, camera)


def _of(name: str) -> typer.Typer:
    """Return the command line with one command alone, if there is one of that name: to make all takes a Pi .2 s."""
    apps = [cli, *(info.typer_instance for info in cli.registered_groups if info.typer_instance is not None)]
    merged = [app for app in apps if app is cli or not isinstance(app.info.name, str)]
    for command in (command for app in merged for command in app.registered_commands):
        if command.callback is not None and name == (command.name or command.callback.__name__.replace("_", "-")):
            one = copy.copy(cli)
            one.registered_commands, one.registered_groups = [command], []
            one.callback()(lambda: None)  # else its name would have to be left out
            return one
    return cli


def main() -> None:
    """Run the command line; a closed pipe is no error."""
    # The eye takes small steps: OpenCV's threads wait for each other longer than they save: `companion bench frames`.
    cv2.setNumThreads(1)
    # Before any thread: the display's library starts four as it is loaded, and whose heap there is stays.
    heap.share()
    try:
        _of(sys.argv[1] if len(sys.argv) > 1 else "")()
    except BrokenPipeError:
        # The reader went away (head, a pager): say nothing more, and keep Python from trying at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0) from None
