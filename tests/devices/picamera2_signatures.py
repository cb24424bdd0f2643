"""Reads what we use of picamera2 out of its source, without importing it (that needs libcamera, and so a Pi).

`pip download --no-deps --no-binary :all: picamera2`, unpack it, then
`python tests/devices/picamera2_signatures.py FOLDER...` writes `picamera2_signatures.json` anew, a version a folder.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_suffix(".json")
USED = {
    "Picamera2": (
        "__init__",
        "camera_controls",
        "create_video_configuration",
        "configure",
        "camera_configuration",
        "set_controls",
        "start",
        "capture_request",
        "stop",
        "close",
        "global_camera_info",
        "sensor_modes",
        "load_tuning_file",
        "find_tuning_algo",
    ),
    "CompletedRequest": ("make_array", "get_metadata", "release"),
}
REFUSING = ("check_stream_config", "check_camera_config", "__setattr__", "__init__", "make_array", "load_tuning_file")
"""Methods whose refusals are kept, so that the stand-in refuses the same."""

Signature = list[list[Any]]
"""A parameter each but self: its name, and its default as written (None: it has none)."""


def read(folder: Path) -> dict[str, Any]:
    """Read a version's signatures and refusals from its unpacked source."""
    version = re.search(r"^Version: (.*)$", (folder / "PKG-INFO").read_text(), re.MULTILINE)
    found: dict[str, Any] = {"version": version[1] if version else "?", "refuses": []}
    for file in ("picamera2.py", "request.py", "controls.py"):
        for node in ast.parse((folder / "picamera2" / file).read_text(encoding="utf-8")).body:
            if not isinstance(node, ast.ClassDef):
                continue
            for method in node.body:
                if not isinstance(method, ast.FunctionDef):
                    continue
                if method.name in USED.get(node.name, ()) and not is_overload(method):
                    found.setdefault(node.name, {})[method.name] = signature(method)
                if node.name in (*USED, "Controls") and method.name in REFUSING:
                    found["refuses"] += refusals(method)
    found["refuses"] = sorted(set(found["refuses"]))
    return found


def is_overload(method: ast.FunctionDef) -> bool:
    """Return whether a method is only there for type checkers."""
    return any(isinstance(node, ast.Name) and node.id == "overload" for node in method.decorator_list)


def signature(method: ast.FunctionDef) -> Signature:
    """List a method's parameters, without self."""
    parameters = [*method.args.posonlyargs, *method.args.args]
    defaults: list[str | None] = [ast.unparse(node) for node in method.args.defaults]
    padded = [None] * (len(parameters) - len(defaults)) + defaults
    return [
        [argument.arg, default] for argument, default in zip(parameters, padded, strict=True) if argument.arg != "self"
    ]


def refusals(method: ast.FunctionDef) -> list[str]:
    """List the words of the RuntimeErrors that a method raises; what differs each time is "{}"."""
    return [
        words(node.exc.args[0])
        for node in ast.walk(method)
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args
    ]


def words(node: ast.expr) -> str:
    """Write a message that is put together, with "{}" for its moving parts."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.BinOp):
        return words(node.left) + words(node.right)
    if isinstance(node, ast.JoinedStr):
        return "".join(words(part) for part in node.values)
    return "{}"


if __name__ == "__main__":
    FILE.write_text(json.dumps([read(Path(folder)) for folder in sys.argv[1:]], indent=1) + "\n")
