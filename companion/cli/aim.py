"""`companion aim`: what a camera sees of a mat or of markers, and what would help, once a second in the terminal."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from companion.cli.common import fail
from companion.devices.cameras import open_camera
from companion.devices.service import PermanentError
from companion.eye.aiming import Aim, Aimer
from companion.eye.quality import NEED
from companion.eye.view import Trouble
from companion.table.aiming import mats

commands = typer.Typer()
BAR = 32
"""Letters of the bar, which ends at four pixels a module."""


@commands.command()
def aim(
    camera: Annotated[
        str, typer.Argument(help="A camera's number, a stream's address, picamera, a picture, or find.")
    ] = "find",
    looks: Annotated[int, typer.Option(min=0, help="End after so many looks; 0: with Ctrl+C.")] = 0,
) -> None:
    """Aim a camera before any match: pixels a module, light, focus, markers, and what would help."""

    def tell(trouble: Trouble | None) -> None:
        typer.echo(trouble.words if trouble is not None else "The camera works again.")

    aimer, last, count = Aimer(mats()), -1.0, 0
    try:
        source = open_camera(camera, tell)
        for frame in source.frames():
            now = time.monotonic()
            if now - last < 1.0:
                continue
            last, count = now, count + 1
            typer.echo(line(aimer.look(frame.gray)))
            if count == looks:
                break
        source.close()
    except PermanentError as error:
        raise fail(f"{error}") from None
    except KeyboardInterrupt:
        return


def line(seen: Aim) -> str:
    """Return in two lines what a look gave: figures with a bar on which `|` is good, and the first advice."""
    quality = seen.quality
    module = quality.module[0] if quality.module is not None else 0.0
    bar = ["#" if at < module * BAR / 4 else "." for at in range(BAR)]
    bar[round(NEED * BAR / 4)] = "|"
    there = sum(marker.state == "seen" for marker in quality.markers)
    figures = [f"{module:.1f} px a module", f"{there} of {len(quality.markers)} markers"]
    figures += [f"blur {quality.blur:.1f} px"] if quality.blur is not None else []
    figures += [f"paper {quality.paper / 2.55:.0f} %"] if quality.paper is not None else []
    advice = quality.advice[0] if quality.advice else "Nothing is left to do."
    advice += f" That gives {quality.gives:.1f}." if quality.gives is not None else ""
    unable = "" if seen.able else " This camera can't see a mat of this size well."
    return f"[{''.join(bar)}] {', '.join(figures)}\n  {advice}{unable}"
