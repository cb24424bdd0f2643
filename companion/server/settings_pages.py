"""/host/settings: what an owner would else change in a file. Plain forms: they need no script."""

from __future__ import annotations

from flask import Blueprint, Response, make_response, redirect, request

from companion.server.context import HOST_COOKIE, RefusedError, fresh, host_only, is_host, server, too_many_pins
from companion.server.settings_api import Chosen, Owner, SettingsError, View
from companion.server.words.catalogue import LANGUAGES
from companion.text import said, sentence, t

blueprint = Blueprint("settings", __name__)

SIZES = ("1280x720", "1920x1080", "2304x1296", "4608x2592")
MAINS = {"50": t("50 Hz, as in Europe"), "60": t("60 Hz, as in America"), "0": t("none: daylight")}
CAMERAS = {
    "find": t("The one that is plugged in"),
    "phone": t("A phone: the host's page shows it the way"),
    "named": t("Another one: its number or address, below"),
    "none": t("None: everything is told on the phones"),
    "simulated": t("None yet: robots show how it goes"),
}

LEVELS = {
    "0": "nothing",
    "1": t("turns and mistakes"),
    "2": t("what happens, too"),
    "3": t("all, with bids and the clock"),
}
"""What the box says aloud; the same as a browser."""


def owner_for_host() -> Owner:
    """Return the table's settings to the host; nobody else gets them."""
    host_only()
    owner = server().table.owner
    if owner is None:
        raise RefusedError(404, t("Nothing can be settled at this table."))
    return owner


@blueprint.get("/host/settings")
def show() -> Response:
    """Show what is settled."""
    if not is_host():
        return make_response(redirect("/host", 302))
    kept = request.args.get("kept", "")
    said = {
        "now": t("Kept."),
        "start": t("Kept. Some of it counts from the next start on: pull the table's plug, and plug it in again."),
        "pin": t("The PIN is changed. Other browsers that were the host's have to enter it."),
    }.get(kept, "")
    owner = owner_for_host()
    return _page(owner, owner.view().chosen, said=said)


@blueprint.post("/host/settings")
def keep() -> Response:
    """Keep what the form says."""
    owner = owner_for_host()
    form = request.form
    wrong: dict[str, str] = {}
    before = owner.view()
    numbers: dict[str, int | None] = {}
    for field in ("bid_seconds", "record"):
        text = form.get(field, "").strip()
        numbers[field] = int(text) if text.isascii() and text.isdigit() and len(text) < 7 else None
        if text and numbers[field] is None:
            wrong[field] = t("Type a whole number.")
    language = form.get("language", "")
    if language not in ("", *LANGUAGES):
        wrong["language"] = t("There is no such language here.")
    voice = form.get("voice", str(before.chosen.voice))
    if voice not in LEVELS:
        wrong["voice"] = t("Choose how much is said.")
    chosen = Chosen(
        name=form.get("name", "")[:200],
        language=language,
        camera=_camera(before, wrong) if before.boxed else None,
        bid_seconds=numbers["bid_seconds"],
        record=numbers["record"] or 0,
        voice=int(voice) if voice in LEVELS else 0,
        upside_down=form.get("upside_down") == "yes",
        muted=form.get("muted") == "yes" if before.buzzer else before.chosen.muted,
    )
    if not wrong:
        try:
            later = owner.keep(chosen)
            server().feed.refresh()
            return make_response(redirect(f"/host/settings?kept={'start' if later else 'now'}", 303))
        except SettingsError as error:
            wrong[error.field] = sentence(said(error))
    return _page(owner, chosen, wrong, 400)


def _camera(before: View, wrong: dict[str, str]) -> tuple[str, str, str, str]:
    """Read the camera from the form, field by field; what does not fit is put into `wrong`."""
    form = request.form
    kind, size, mains = form.get("camera", ""), form.get("size", ""), form.get("mains", "")
    if kind not in CAMERAS:
        wrong["where"] = t("Choose a camera.")
    if size not in ("", *SIZES, (before.chosen.camera or ("",) * 3)[2]):
        wrong["size"] = t("Choose one of the sizes.")
    if mains not in ("", *MAINS):
        wrong["mains"] = t("Choose one of the lamps.")
    return kind, form.get("where", "")[:200], size, mains


@blueprint.post("/host/settings/pin")
def change_pin() -> Response:
    """Change the host's PIN; other hosts' browsers have to enter it anew."""
    owner, keys = owner_for_host(), server().keys
    if keys.retry_after() > 0:
        wait = too_many_pins(keys.retry_after())
        return _page(owner, owner.view().chosen, {"old": wait}, 429)
    if not keys.knows(request.form.get("old", "")):
        wrong = {"old": t("That is not the host's PIN: type the one that counts now.")}
        return _page(owner, owner.view().chosen, wrong, 403)
    try:
        mine = request.cookies.get(HOST_COOKIE)
        # Other hosts go first: whenever the power is cut, none of them stays beside a PIN that is new.
        keys.change_pin(owner.keep_pin(request.form.get("pin", ""), lambda: keys.only_host(mine)), mine)
    except SettingsError as error:
        return _page(owner, owner.view().chosen, {error.field or "pin": sentence(said(error))}, 400)
    server().feed.look_round()
    return make_response(redirect("/host/settings?kept=pin", 303))


def _page(
    owner: Owner, chosen: Chosen, wrong: dict[str, str] | None = None, status: int = 200, said: str = ""
) -> Response:
    view = owner.view()
    kind, where, size, mains = chosen.camera or ("", "", "", "")
    sizes = SIZES if size in ("", *SIZES) else (*SIZES, size)
    shown: dict[str, object] = {"kind": kind, "where": where, "size": size, "mains": mains}
    return fresh(
        "settings.html",
        status,
        live=False,
        view=view,
        chosen=chosen,
        camera=shown,
        wrong=wrong or {},
        said=said,
        sizes=sizes,
        lamps=MAINS,
        cameras=CAMERAS,
        levels=LEVELS,
        recording_now=owner.recording,
        simulated=server().table.simulated,
    )
