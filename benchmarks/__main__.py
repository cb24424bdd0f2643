"""`python -m benchmarks`: one section, or all of them; `--keep` writes the tables into RESULTS.md."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from benchmarks import SECTIONS, results
from companion import bench

app = typer.Typer(add_completion=False)


@app.command()
def main(
    section: Annotated[str | None, typer.Argument(help="One section; all of them if left out.")] = None,
    folders: Annotated[list[Path] | None, typer.Argument(help="table: folders of photographs with truth.json.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Figures as JSON.")] = False,
    keep: Annotated[bool, typer.Option("--keep", help="Write the tables into benchmarks/RESULTS.md.")] = False,
    readings: Annotated[
        int | None,
        typer.Option(
            min=1, help="identities: squares that are read; dice: dice; faces: changes; kills: kills; load: matches."
        ),
    ] = None,
    frames: Annotated[int | None, typer.Option(min=1, help="eye: frames a condition and size.")] = None,
    seconds: Annotated[float | None, typer.Option(min=1, help="load: so long with all the phones.")] = None,
    plots: Annotated[Path | None, typer.Option(file_okay=False, help="identities, eye: draw plots here.")] = None,
    photographs: Annotated[
        Path | None,
        typer.Option(
            exists=True, file_okay=False, help="dice: a folder with truth.json; eye: of 1.png with 1.txt and so on."
        ),
    ] = None,
    pictures: Annotated[
        Path | None, typer.Option(file_okay=False, help="table, faces: draw what failed into this folder.")
    ] = None,
) -> None:
    """Measure against the peers, in the same run."""
    owners = section in bench.SECTIONS
    sections, package = (bench.SECTIONS, bench.__name__) if owners else (SECTIONS, "benchmarks")
    try:
        measured = bench.run(
            section,
            as_json,
            sections,
            package,
            readings=readings,
            frames=frames,
            seconds=seconds,
            plots=plots,
            photographs=photographs,
            folders=folders or None,
            pictures=pictures,
        )
    except bench.BenchError as error:
        typer.secho(str(error), fg="red", err=True)
        raise typer.Exit(1) from None
    if keep:
        for name, found in measured.items():
            results.keep(name, sections[name], found)


if __name__ == "__main__":
    app()
