"""The owner's settings: `box.json` in the state folder, by the first page, `companion settle` and the host's page."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import msgspec

from companion.appliance.backup import BackupError, undo_cut_restore
from companion.appliance.broker_settings import Broker, taken_apart, unfit
from companion.devices import doctor
from companion.devices.cameras import is_stream, open_camera
from companion.devices.service import PermanentError
from companion.devices.voice import installed
from companion.devices.wiring import FILE as WIRING
from companion.devices.wiring import WiringError, parse, with_rotation
from companion.files import data, owner_dir, state_dir, written_whole
from companion.referee.aloud import LOUDEST
from companion.referee.commands import LONGEST
from companion.server.hall_api import HallChosen
from companion.server.keys import kept_pin
from companion.server.settings_api import Chosen, SettingsError, Settled, View
from companion.server.words.catalogue import LANGUAGES
from companion.text import said, shown_address, t
from companion.untyped import read_json

log = logging.getLogger(__name__)

FILE = "box.json"
FIND, PHONE, SIMULATED, NONE = "find", "phone", "simulated", "none"
"""Cameras that are no camera's name: look for one, wait for a phone's, let robots play, keep everything by phone."""
PIN_LENGTH = 4, 12
LONGEST_NAME = 24
LONGEST_RECORDING = 60
"""Minutes: an hour of pictures is as much as a card of 32 GB should be asked for."""


class Settings(Settled, frozen=True, kw_only=True):
    """All that is settled, with a hash of the PIN; without one the table has not been set up yet.

    `camera` is as for `companion serve`, or FIND (with options: "find?mains=60"), SIMULATED, NONE; `mqtt` and `webhook`
    are whom the table tells.
    """

    camera: str = FIND
    pin: str = ""
    mqtt: Broker = Broker()
    webhook: str = ""


def settings(folder: Path | None = None) -> Settings | None:
    """Read the settings, logging unfit values; None before anything was settled. A box does it first.

    A restore that was cut short is undone here, or anybody would be asked for a new PIN.

    Raises:
        SettingsError: if the file is damaged, or half a restore lies there and can't be undone.
    """
    path = (folder or state_dir()) / FILE
    try:
        undo_cut_restore(path.parent)
    except BackupError as error:
        raise SettingsError(said(error)) from None
    try:
        found = read_json(path.read_bytes(), Settings)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError) as error:
        raise SettingsError(
            t(
                "the settings in {path} can't be read ({error}): delete the file to be asked again",
                path=path,
                error=error,
            )
        ) from None
    usual = Settings()
    for field, sentence in _unfit(found).items():
        log.warning("in %s: %s; it is taken to be as usual", path, sentence)
        found = msgspec.structs.replace(found, **{field: getattr(usual, field)})
    return found


def _unfit(given: Settings) -> dict[str, str]:
    """Return for each value that does not fit, by its field, what would: in a sentence."""
    said = {}
    if len(given.name) > LONGEST_NAME:
        said["name"] = t(
            "that name has {name} letters; {longest_name} are the most", name=len(given.name), longest_name=LONGEST_NAME
        )
    if given.language not in ("", *LANGUAGES):
        said["language"] = t("there is no such language here")
    if given.bid_seconds is not None and not 0 <= given.bid_seconds <= LONGEST:
        said["bid_seconds"] = t(
            "a bid may take 0 (no clock) to {longest} seconds, not {seconds}",
            longest=LONGEST,
            seconds=given.bid_seconds,
        )
    if not 0 <= given.voice <= LOUDEST:
        said["voice"] = t(
            "the box says aloud 0 (nothing) to {loudest} (all), not {voice}", loudest=LOUDEST, voice=given.voice
        )
    if not 0 <= given.record <= LONGEST_RECORDING:
        said["record"] = t(
            "0 (nothing) to {longest_recording} minutes can be kept, not {record}",
            longest_recording=LONGEST_RECORDING,
            record=given.record,
        )
    if not given.camera.strip():
        said["camera"] = t("a camera's name is not empty")
    if wrong := unfit(given.mqtt, given.webhook):
        field, sentence = next(iter(wrong.items()))
        said["webhook" if field == "webhook" else "mqtt"] = sentence
    return said


def settled(folder: Path | None = None) -> Settings | None:
    """Read the settings of a table that was set up, else None; raise SettingsError if they are damaged."""
    found = settings(folder)
    return found if found is not None and found.pin else None


def check_hall() -> doctor.Finding:
    """Check whether the broker lets the table in, if one is named; it is asked once, as another client."""
    broker = (settings() or Settings()).mqtt
    if not broker.told:
        return doctor.Finding("hall", doctor.OK, "nobody is told of this table's matches")
    from companion.appliance.broker_link import tried

    if words := tried(broker):
        return doctor.Finding("hall", doctor.WARN, words, "Look at the host's page: Settings, Hall and smart home.")
    return doctor.Finding("hall", doctor.OK, f"the broker at {broker.address} lets {broker.name} in")


def check_voice() -> doctor.Finding:
    """Check whether the box can speak, if its owner has switched that on."""
    found = settings()
    return doctor.voice(found is not None and found.voice > 0)


def settle(camera: str, pin: str, folder: Path | None = None) -> Settings:
    """Check and keep what the first page asks for; raise SettingsError if it does not fit, or can't be written."""
    camera, pin = camera.strip(), checked_pin(pin)
    check_camera(camera)
    chosen = msgspec.structs.replace(settings(folder) or Settings(), camera=camera, pin=kept_pin(pin))
    write(chosen, folder)
    return chosen


def write(chosen: Settings, folder: Path | None = None) -> None:
    """Keep the settings in a whole file, the owner's only; raise SettingsError if it can't be written."""
    _write((folder or state_dir()) / FILE, msgspec.json.encode(chosen), 0o600)


def _write(path: Path, contents: bytes, mode: int) -> None:
    try:
        with written_whole(path, mode) as file:
            file.write(contents)
    except OSError as error:
        raise SettingsError(
            t("the settings can't be kept in {parent}: {strerror}", parent=path.parent, strerror=error.strerror)
        ) from None


def checked_pin(pin: str) -> str:
    """Return a PIN that will do; raise SettingsError if it will not."""
    pin = pin.strip()
    shortest, longest = PIN_LENGTH
    if not (pin.isascii() and pin.isdigit() and shortest <= len(pin) <= longest):
        raise SettingsError(
            t(
                "the host's PIN is {shortest} to {longest} digits: choose some that the others would not guess",
                shortest=shortest,
                longest=longest,
            ),
            "pin",
        )
    if len(set(pin)) == 1 or pin in ("1234", "12345", "123456"):
        raise SettingsError(t("that PIN is the first one that anybody tries: choose another"), "pin")
    return pin


def check_camera(spec: str) -> None:
    """Check a camera's name, and open it if it is there; raise SettingsError if that can't be."""
    if spec.partition("?")[0] in (FIND, PHONE, SIMULATED, NONE):
        return
    try:
        open_camera(spec).close()
    except PermanentError as error:
        raise SettingsError(said(error), "where") from None


def camera_fields(spec: str) -> tuple[str, str, str, str]:
    """Take a camera's name apart: kind (FIND … NONE, or "named"), where, size ("1280x720"), mains ("60")."""
    if is_stream(spec):
        return "named", spec, "", ""
    head, _, query = spec.partition("?")
    options = dict(pair.partition("=")[::2] for pair in query.split("&") if pair)
    width, height, mains = (options.pop(name, "") for name in ("width", "height", "mains"))
    kind = head if head in (FIND, PHONE, SIMULATED, NONE) else "named"
    where = "" if kind != "named" else head + ("?" + urlencode(options) if options else "")
    return kind, where, f"{width}x{height}" if width and height else "", mains


def _shown_fields(spec: str) -> tuple[str, str, str, str]:
    """Take a camera's name apart for a page, which shows no password."""
    kind, where, size, mains = camera_fields(spec)
    return kind, shown_address(where) if "@" in where else where, size, mains


def camera_named(kind: str, where: str, size: str, mains: str) -> str:
    """Put a camera's name together; raise SettingsError if the fields do not fit one another."""
    if kind in (PHONE, SIMULATED, NONE):
        return kind
    spec = FIND if kind == FIND else where.strip()
    if not spec:
        raise SettingsError(
            t('type the number or the address of the camera, or choose "the one that is plugged in"'), "where"
        )
    width, _, height = size.partition("x")
    options = {"width": width, "height": height} if size else {}
    options |= {"mains": mains} if mains else {}
    if not options:
        return spec
    if is_stream(spec):
        raise SettingsError(t("such a camera sends its pictures as it likes: leave size and lamps as usual"), "size")
    return f"{spec}{'&' if '?' in spec else '?'}{urlencode(options)}"


class Owner:
    """A running table's settings, a `companion.server.settings_api.Owner`; `boxed`: camera and PIN are theirs, too."""

    def __init__(self, boxed: bool, mute: Callable[[bool], None], buzzer: bool, recording: float = 0) -> None:
        """Read what is settled, or raise SettingsError; `mute` silences the buzzer, `recording` is in minutes."""
        self._lock = threading.Lock()
        self._now = settings() or Settings()
        self._boxed = boxed
        self._mute = mute
        self._buzzer = buzzer
        self._apply: Callable[[Broker, str], None] = lambda broker, webhook: None
        self.recording = recording

    @property
    def now(self) -> Settings:
        """What is settled at this moment."""
        return self._now

    def view(self) -> View:
        """Show what is settled."""
        now = self._now
        camera = _shown_fields(now.camera) if self._boxed else None
        return View(
            chosen=Chosen(
                name=now.name,
                language=now.language,
                muted=now.muted,
                voice=now.voice,
                bid_seconds=now.bid_seconds,
                record=now.record,
                camera=camera,
                upside_down=bool(_rotation()),
            ),
            buzzer=self._buzzer,
            display=_rotation() is not None,
            speaks=installed(),
            boxed=self._boxed,
        )

    def keep(self, chosen: Chosen) -> bool:
        """Check and keep what was chosen; return whether some of it counts from the next start on.

        Raises:
            SettingsError: if something does not fit, or can't be kept; nothing is changed then.
        """
        with self._lock:
            before = self._now
            now = msgspec.structs.replace(
                before,
                name=" ".join(chosen.name.split()),
                language=chosen.language,
                muted=chosen.muted,
                voice=chosen.voice,
                bid_seconds=chosen.bid_seconds,
                record=chosen.record,
            )
            for field, sentence in _unfit(now).items():
                raise SettingsError(sentence, field)
            if self._boxed and chosen.camera is not None:
                kind, where, size, mains = chosen.camera
                if where == _shown_fields(before.camera)[1]:
                    where = camera_fields(before.camera)[1]
                now = msgspec.structs.replace(now, camera=camera_named(kind, where, size, mains))
                check_camera(now.camera)
            turned = _rotation() is not None and chosen.upside_down != bool(_rotation())
            if turned:
                _turn(2 if chosen.upside_down else 0)
            try:
                write(now)
            except SettingsError:
                if turned:
                    _turn(0 if chosen.upside_down else 2)
                raise
            self._now = now
        if self._buzzer and now.muted != before.muted:
            self._mute(now.muted)
        return turned or (now.camera, now.record) != (before.camera, before.record)

    def tells(self, apply: Callable[[Broker, str], None]) -> None:
        """Call a function with what is settled of whom the table tells, now and after each change."""
        self._apply = apply
        apply(self._now.mqtt, self._now.webhook)

    def hall(self) -> HallChosen:
        """Show whom the table tells, without the password."""
        now = self._now.mqtt
        shown = {name: getattr(now, name) for name in now.__struct_fields__ if name != "password"}
        return HallChosen(**shown, webhook=self._now.webhook)

    def keep_hall(self, chosen: HallChosen) -> None:
        """Check and keep whom the table tells; it counts at once.

        Raises:
            SettingsError: if something does not fit, or can't be kept; nothing is changed then.
        """
        fields = {name: getattr(chosen, name) for name in Broker.__struct_fields__}
        broker, webhook = taken_apart(Broker(**fields)), chosen.webhook.strip()
        for field, sentence in unfit(broker, webhook).items():
            raise SettingsError(sentence, field)
        with self._lock:
            before = self._now.mqtt
            # A password is not sent to another broker, or as another table, than the one that it was typed for.
            if not broker.password and (broker.address, broker.name) == (before.address, before.name):
                broker = msgspec.structs.replace(broker, password=before.password)
            now = msgspec.structs.replace(self._now, mqtt=broker, webhook=webhook)
            write(now)
            self._now = now
        self._apply(now.mqtt, now.webhook)

    def keep_pin(self, pin: str, checked: Callable[[], None] = lambda: None) -> str:
        """Keep a new PIN, calling `checked` first; return its hash. Raises SettingsError if that can't be."""
        kept = kept_pin(checked_pin(pin))
        checked()
        if self._boxed:
            with self._lock:
                now = msgspec.structs.replace(self._now, pin=kept)
                write(now)
                self._now = now
        return kept


def owner_for(boxed: bool, recording: float = 0) -> Callable[[Callable[[bool], None], bool], Owner]:
    """Return what makes the settings of a table once its buzzer is known: see `Owner` for all four."""
    return lambda mute, buzzer: Owner(boxed, mute, buzzer, recording)


def _rotation() -> int | None:
    try:
        oled = parse(data(WIRING).read_text(encoding="utf-8")).oled
    except (OSError, UnicodeDecodeError, WiringError):
        return None
    return None if oled is None else oled.rotate


def _turn(rotation: int) -> None:
    """Write the display's rotation into the owner's wiring, and leave the rest of it as it is."""
    try:
        text = with_rotation(data(WIRING).read_text(encoding="utf-8"), rotation)
    except (OSError, UnicodeDecodeError, WiringError) as error:
        raise SettingsError(t("the wiring can't be changed: {error}", error=error)) from None
    _write(owner_dir() / WIRING, text.encode(), 0o644)
