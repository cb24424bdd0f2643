"""Recordings on disk: a bounded ring, a power cut, a full disk, and the camera that plays them again."""

from __future__ import annotations

import errno
import json
import os
import stat
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from companion.devices import recording
from companion.devices.camera_base import NoCameraError
from companion.devices.cameras import FolderCamera, open_camera
from companion.devices.recorder import CALM, Recorder, keep, record
from companion.devices.recording import (
    RecordingCamera,
    RecordingError,
    Ring,
    encode,
    index_file,
    picture_file,
    segments,
    set_aside,
)
from companion.eye.view import Frame, Gray

FPS = 10


def table(tone: int = 120) -> Gray:
    """A picture with something in it."""
    gray = np.full((120, 160), tone, dtype=np.uint8)
    gray[20:60, 30:80] = 220
    return gray


def scene(moving: list[range], count: int, start: float = 1000.0) -> list[Frame]:
    """Frames in which a spot moves in some of them and rests in the others."""
    frames, x = [], 10
    for n in range(count):
        x = (x + 3 * any(n in span for span in moving)) % 140
        gray = table()
        gray[80:100, x : x + 10] = 10
        frames.append(Frame(gray, start + n / FPS, n, exposure=0.01))
    return frames


def recorded(folder: Path, frames: list[Frame], **how: float) -> Recorder:
    recorder = Recorder(folder, **how)
    recorder.start()
    for frame in frames:
        recorder.take(frame, wait=True)
    recorder.flush()
    recorder.stop()
    return recorder


def played(spec: str | Path) -> list[Frame]:
    return list(open_camera(str(spec)).frames())


def test_a_recording_gives_the_same_frames_at_their_own_times(tmp_path: Path) -> None:
    frames = scene([range(10, 20)], 60)
    frames.pop(15)  # a dropped frame
    recorder = recorded(tmp_path / "ring", frames)
    again = played(tmp_path / "ring")
    assert recorder.frames == len(again) == 59
    assert [frame.time for frame in again] == pytest.approx([frame.time - 1000.0 for frame in frames])
    assert [frame.number for frame in again] == list(range(59))
    assert [frame.exposure for frame in again] == [0.01] * 59
    for was, now in zip(frames, again, strict=True):
        assert np.abs(was.gray.astype(int) - now.gray).max() < 25  # JPEG, at edges
        assert np.abs(was.gray.astype(int) - now.gray).mean() < 1.5


def test_a_still_table_costs_next_to_nothing(tmp_path: Path) -> None:
    still = recorded(tmp_path / "still", scene([], 300))
    moving = recorded(tmp_path / "moving", scene([range(300)], 40))
    assert moving.pictures == 40
    assert still.frames == 300
    # All of the first moments, and then one a segment.
    assert still.pictures <= CALM * FPS + 1 + 300 / FPS / recording.SEGMENT


def test_a_slow_change_of_light_is_recorded(tmp_path: Path) -> None:
    frames = [Frame(table(100 + n // 4), n / FPS, n) for n in range(200)]
    recorded(tmp_path / "ring", frames)
    for was, now in zip(frames, played(tmp_path / "ring"), strict=True):
        assert abs(float(was.gray[0, 0]) - float(now.gray[0, 0])) <= 14


def test_the_ring_is_bounded_by_minutes_and_old_segments_go_whole(tmp_path: Path) -> None:
    recorded(tmp_path / "ring", scene([range(0, 2000, 7)], 2000), minutes=1)
    again = played(tmp_path / "ring")
    assert again[-1].time == pytest.approx(199.9)
    assert 60 <= again[-1].time - again[0].time <= 60 + 2 * recording.SEGMENT
    names = {file.name for file in (tmp_path / "ring").iterdir()} - {".lock", "README.txt"}
    numbers = segments(tmp_path / "ring")
    assert numbers[0] > 1
    assert names == {path.name for n in numbers for path in (index_file(Path(), n), picture_file(Path(), n))}


def noisy(count: int) -> list[Frame]:
    rng = np.random.default_rng(1)
    return [Frame(rng.integers(0, 255, (120, 160), dtype=np.uint8), n / FPS, n) for n in range(count)]


def test_the_ring_is_bounded_by_megabytes_at_every_moment(tmp_path: Path) -> None:
    folder, most = tmp_path / "ring", 0.3
    ring = Ring(folder, 60, most)
    total = 0
    for frame in noisy(100):
        jpeg = encode(frame)
        total += len(jpeg)
        ring.add(frame.time, frame.time, jpeg)
        used = sum(file.stat().st_size for file in folder.glob("recording-*"))
        assert used == ring.size
        assert used <= most * 1e6
    ring.close()
    assert total > 3 * most * 1e6
    again = played(folder)
    assert again[-1].time == pytest.approx(9.9)
    assert len(again) > 10


def test_a_recording_goes_on_after_a_restart_and_the_older_frames_go_first(tmp_path: Path) -> None:
    recorded(tmp_path / "ring", scene([], 100))
    # The computer was restarted: its monotonic clock begins again.
    recorded(tmp_path / "ring", scene([], 100, start=5.0))
    times = [frame.time for frame in played(tmp_path / "ring")]
    assert times[:100] == pytest.approx([n / FPS for n in range(100)])
    assert times[100:] == pytest.approx([10.9 + n / FPS for n in range(100)])
    heads = [recording.head(tmp_path / "ring", n) for n in segments(tmp_path / "ring")]
    assert [head.monotonic for head in heads if head] == [1000.0, 5.0]
    assert all(head and head.utc.endswith("Z") for head in heads)


@pytest.mark.parametrize("cut", [1, 20, 300, 3000])
@pytest.mark.parametrize("which", [index_file, picture_file])
def test_after_a_power_cut_everything_but_the_last_moments_is_there(tmp_path: Path, cut: int, which: object) -> None:
    frames = scene([range(250)], 250)
    recorded(tmp_path / "ring", frames)
    last = segments(tmp_path / "ring")[-1]
    path = which(tmp_path / "ring", last)  # type: ignore[operator]
    data = path.read_bytes()
    path.write_bytes(data[: max(0, len(data) - cut)])
    again = played(tmp_path / "ring")
    assert len(again) >= 200
    assert [frame.time for frame in again] == pytest.approx([n / FPS for n in range(len(again))])
    if cut >= 300:
        assert len(again) < 250
    # And the next recording goes on after it.
    recorded(tmp_path / "ring", scene([], 5, start=0.0))
    assert len(played(tmp_path / "ring")) == len(again) + 5


def test_a_disk_that_wrote_zeros_or_nonsense_spoils_only_what_it_hit(tmp_path: Path) -> None:
    recorded(tmp_path / "ring", scene([range(300)], 300))
    first, second, third = segments(tmp_path / "ring")[:3]
    index = index_file(tmp_path / "ring", first)
    rows = index.read_bytes().split(b"\n")
    rows[5], rows[6], rows[7] = b"\0" * 40, b'{"t": "late"}', b'{"t": 0.65, "at": -5, "bytes": 99999999999}'
    index.write_bytes(b"\n".join(rows))
    pictures = picture_file(tmp_path / "ring", second)
    data = bytearray(pictures.read_bytes())
    data[:50] = b"\0" * 50
    pictures.write_bytes(data)
    index_file(tmp_path / "ring", third).write_bytes(b"")
    times = [round(frame.time, 3) for frame in played(tmp_path / "ring")]
    missing = {n / FPS for n in range(300)} - set(times)
    assert {0.4, 0.5, 0.6, 10.0} <= missing
    assert all(20.0 <= t < 30.0 or t in {0.4, 0.5, 0.6, 10.0} for t in missing)


def test_what_an_interrupted_deletion_left_is_cleared_away(tmp_path: Path) -> None:
    recorded(tmp_path / "ring", scene([], 5))
    stray = picture_file(tmp_path / "ring", 77)
    stray.write_bytes(b"x" * 100)
    recorded(tmp_path / "ring", scene([], 5))
    assert not stray.exists()


def test_a_full_disk_ends_the_recording_with_one_sentence_and_frames_are_taken_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    real, written = os.write, [0]

    def write(handle: int, data: bytes) -> int:
        written[0] += len(data)
        if written[0] > 30_000:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(handle, data)

    monkeypatch.setattr(recording.os, "write", write)
    recorder = Recorder(tmp_path / "ring")
    recorder.start()
    for frame in noisy(200):
        recorder.take(frame, wait=True)
    recorder.flush()
    assert recorder.over
    assert recorder.health.words.startswith("Recording stopped, and the match goes on: ")
    assert "No space left on device" in recorder.health.words
    recorder.take(noisy(1)[0])
    recorder.stop()
    monkeypatch.undo()
    told = [record for record in caplog.records if record.levelname == "WARNING"]
    assert len(told) == 1
    again = played(tmp_path / "ring")
    assert len(again) == recorder.frames > 0


def test_a_nearly_full_disk_is_left_to_the_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording.shutil, "disk_usage", lambda path: SimpleNamespace(free=100 * 10**6))
    recorder = recorded(tmp_path / "ring", scene([], 30))
    assert recorder.over
    assert "less than 256 megabytes are free" in recorder.health.words
    with pytest.raises(RecordingError, match="Make room"):
        record(FolderCamera(photographs(tmp_path / "photos")), Recorder(tmp_path / "other"))


def photographs(folder: Path) -> Path:
    folder.mkdir()
    for name in ("1.png", "2.png"):
        assert cv2.imwrite(str(folder / name), table(int(name[0]) * 50))
    return folder


def test_any_camera_is_recorded_frame_by_frame(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "ring")
    record(FolderCamera(photographs(tmp_path / "photos")), recorder)
    assert recorder.done() == {"folder": str(tmp_path / "ring"), "frames": 24, "pictures": 24, "missed": 0}
    assert [round(float(frame.gray[0, 0])) for frame in played(tmp_path / "ring")[::12]] == [50, 100]


def test_fewer_frames_are_kept_if_asked(tmp_path: Path) -> None:
    recorder = recorded(tmp_path / "ring", scene([range(100)], 100), fps=5)
    assert recorder.frames == 50


def test_a_part_is_played_by_its_seconds_from_the_beginning_or_back_from_the_end(tmp_path: Path) -> None:
    ring = tmp_path / "ring"
    recorded(ring, scene([range(30)], 300))

    def ends(query: str) -> tuple[float, float]:
        frames = played(f"{ring}?{query}")
        assert frames[0].number == 0
        return frames[0].time, frames[-1].time

    assert ends("from=12&to=14.5") == pytest.approx((12.0, 14.5))
    assert ends("from=-3") == pytest.approx((26.9, 29.9))
    assert ends("to=5") == pytest.approx((0.0, 5.0))
    # The picture of a frame that stands for an earlier one is found also if that one is not played.
    assert played(f"{ring}?from=15&to=15")[0].gray.shape == (120, 160)
    for query in ("from=100", "from=5&to=4", "from=later"):
        with pytest.raises(NoCameraError):
            open_camera(f"{ring}?{query}")


def test_a_recording_is_known_by_its_files_also_as_a_folder(tmp_path: Path) -> None:
    recorded(tmp_path / "ring", scene([], 12))
    for spec in (tmp_path / "ring", f"folder:{tmp_path / 'ring'}", f"recording:{tmp_path / 'ring'}"):
        assert isinstance(open_camera(str(spec)), RecordingCamera)
    with pytest.raises(NoCameraError, match="no recording"):
        open_camera(f"recording:{tmp_path}")


def test_a_video_player_can_show_it(tmp_path: Path) -> None:
    recorded(tmp_path / "ring", scene([range(8)], 8))
    assert len(played(f"video:{picture_file(tmp_path / 'ring', 1)}")) == 8


def test_only_its_owner_may_look_at_it(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        recorded(tmp_path / "ring", scene([], 12))
        keep(tmp_path / "ring", tmp_path / "kept")
    finally:
        os.umask(old)
    for folder in (tmp_path / "ring", tmp_path / "kept"):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()} == {0o600}
        assert "Nothing was sent anywhere" in (folder / "README.txt").read_text()


def test_other_peoples_files_are_never_mixed_with_a_recording(tmp_path: Path) -> None:
    (tmp_path / "holiday.jpg").write_bytes(b"x")
    with pytest.raises(RecordingError, match=r"other files in it \(holiday.jpg\)"):
        Recorder(tmp_path)
    with pytest.raises(RecordingError, match="Nothing can be recorded in"):
        Recorder(tmp_path / "holiday.jpg")


def test_two_recorders_do_not_share_a_folder(tmp_path: Path) -> None:
    first = Recorder(tmp_path / "ring")
    with pytest.raises(RecordingError, match="Another companion records into"):
        Recorder(tmp_path / "ring")
    first.stop()
    Recorder(tmp_path / "ring").stop()


def test_what_is_kept_stays_when_the_ring_goes_on(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "ring", minutes=0.5)
    recorder.start()
    frames = scene([range(0, 1500, 5)], 1500)
    for frame in frames[:605]:
        recorder.take(frame, wait=True)
    kept = recorder.keep()
    last = recorder.keep(tmp_path / "stick" / "last", minutes=0.2)
    for frame in frames[605:]:
        recorder.take(frame, wait=True)
    recorder.flush()
    recorder.stop()
    assert kept.parent == tmp_path
    times = [shown.time for shown in played(kept)]
    assert times[-1] == pytest.approx(60.4)
    assert times[-1] - times[0] >= 30
    short = [frame.time for frame in played(last)]
    assert short[-1] == pytest.approx(60.4)
    assert 12 <= short[-1] - short[0] <= 12 + recording.SEGMENT
    assert played(tmp_path / "ring")[0].time > times[-1]
    with pytest.raises(RecordingError, match="not empty"):
        keep(tmp_path / "ring", kept)
    with pytest.raises(RecordingError, match="Nothing is recorded"):
        keep(tmp_path / "nowhere", tmp_path / "new")


def test_keeping_on_another_disk_copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recorded(tmp_path / "ring", scene([range(250)], 250))

    def link(source: Path, target: Path) -> None:
        raise OSError(errno.EXDEV, "Invalid cross-device link")

    monkeypatch.setattr(recording.os, "link", link)
    assert len(played(set_aside(tmp_path / "ring", tmp_path / "kept"))) == 250


def test_a_disk_that_is_too_slow_costs_frames_and_not_the_match(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "ring")  # not started: nothing is ever written
    big = np.zeros((3000, 4000), dtype=np.uint8)
    for n in range(10):
        recorder.take(Frame(big, n / FPS, n))
    assert recorder.missed == 6
    recorder.start()
    recorder.flush()
    recorder.stop()
    assert recorder.frames == 4


def test_the_index_says_when_it_was_on_three_clocks(tmp_path: Path) -> None:
    recorded(tmp_path / "ring", scene([], 3))
    rows = [json.loads(line) for line in index_file(tmp_path / "ring", 1).read_text().splitlines()]
    assert rows[0] == {"recording": 1, "t": 0.0, "utc": rows[0]["utc"], "monotonic": 1000.0}
    assert [row["t"] for row in rows[1:]] == [0.0, 0.1, 0.2]
    assert all(row.keys() == {"t", "at", "bytes", "exposure"} for row in rows[1:])


def test_what_is_recorded_in_colour_is_played_again_in_colour_and_what_is_gray_in_gray(tmp_path: Path) -> None:
    gray = np.tile(np.arange(40, 200, dtype=np.uint8), (120, 1))
    # As the Pi's camera gives it: of half the size.
    red = np.dstack([np.minimum(gray[::2, ::2] + 50, 255), gray[::2, ::2] - 20, gray[::2, ::2] - 20]).astype(np.uint8)
    for name, colour in (("red", red), ("gray", None)):
        recorder = Recorder(tmp_path / name, 1)
        recorder.start()
        recorder.take(Frame(gray, 0.0, 0, colour))
        recorder.flush()
        recorder.stop()
        (again,) = RecordingCamera(tmp_path / name).frames()
        assert np.abs(again.gray.astype(int) - gray).max() <= 8
        assert again.coloured == (colour is not None)
        if again.colour is not None:
            tint = again.colour.astype(int).mean(axis=(0, 1))
            assert 55 < tint[0] - tint[1] < 85
