"""The eye's thread: asking the eye something between two frames, and a camera that hangs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest

from companion.devices.camera_base import HANGS, Camera, CameraLostError, NoCameraError
from companion.eye.eye import Eye
from companion.eye.faces.watching import FaceWatch
from companion.eye.view import Frame, TableView
from companion.referee.commands import Undo
from companion.table.camera_loop import FAILED, CameraLoop, Hints, on_mat
from tests.eye.tables import Card, Session, Table, book, test_mat
from tests.referee import table as referee_table
from tests.waiting import until

MAT = test_mat()


class Fed(Camera):
    """Gives a frame whenever it is told to, and ends when it is told so."""

    live = False

    def __init__(self) -> None:
        self.table = Table(MAT, size=(480, 270))
        self.go = threading.Semaphore(0)
        self.over = False

    def frames(self) -> Iterator[Frame]:
        while True:
            self.go.acquire()
            if self.over:
                return
            yield self.table.shot()


@pytest.fixture
def camera() -> Fed:
    return Fed()


@pytest.fixture
def camera_loop(camera: Fed) -> Iterator[CameraLoop]:
    made = CameraLoop(MAT, lambda: camera, lambda: Eye(MAT, book(MAT)), lambda view: None, lambda time: None)
    made.start()
    yield made
    camera.over = True
    camera.go.release()
    made.close()


def test_it_is_answered_by_the_eyes_own_thread(camera: Fed, camera_loop: CameraLoop) -> None:
    camera.go.release(3)

    def where(eye: Eye) -> tuple[str, bool]:
        return threading.current_thread().name, eye.frame is not None

    answers: list[object] = []
    asking = threading.Thread(target=lambda: answers.append(camera_loop.ask(where, 60.0)))
    asking.start()
    while asking.is_alive():
        camera.go.release()
        asking.join(0.05)
    assert answers == [("eye", True)]


def test_what_is_to_change_is_changed_by_the_eyes_own_thread_between_two_frames(
    camera: Fed, camera_loop: CameraLoop
) -> None:
    camera.go.release(3)
    changed: list[str] = []
    changing = threading.Thread(
        target=lambda: camera_loop.change(lambda eye: changed.append(threading.current_thread().name), 60.0)
    )
    changing.start()
    while changing.is_alive():
        camera.go.release()
        changing.join(0.05)
    assert changed == ["eye"]


def test_without_frames_there_is_no_answer_and_what_was_asked_is_dropped(camera: Fed, camera_loop: CameraLoop) -> None:
    ran: list[int] = []
    assert camera_loop.ask(lambda eye: ran.append(1), 0.05) is None
    camera.go.release()
    assert camera_loop.next_frame(60.0)
    assert ran == []


def test_a_frame_is_waited_for_no_longer_than_is_said(camera: Fed, camera_loop: CameraLoop) -> None:
    assert not next_frame(camera_loop, 0.05)


def test_after_a_fault_that_only_a_person_can_mend_no_frame_is_waited_for() -> None:
    def forbidden() -> Camera:
        raise NoCameraError("It may not be used.")

    loop = CameraLoop(MAT, forbidden, lambda: Eye(MAT, book(MAT)), lambda view: None, lambda time: None)
    loop.start()
    assert not next_frame(loop)
    loop.close()


def next_frame(loop: CameraLoop, *timeout: float) -> bool:
    """Wait for a frame; fail if that takes for ever."""
    answers: list[bool] = []
    waiting = threading.Thread(target=lambda: answers.append(loop.next_frame(*timeout)), daemon=True)
    waiting.start()
    waiting.join(10.0)
    assert answers, "it waits still"
    return answers[0]


def test_what_goes_wrong_is_raised_where_it_was_asked(camera: Fed, camera_loop: CameraLoop) -> None:
    camera.go.release(2)
    assert camera_loop.next_frame(60.0)
    camera.over = True
    camera.go.release()
    camera_loop.thread.join(60.0)
    # The camera has ended (a folder of photographs): the eye can be asked all the same.
    assert camera_loop.ask(lambda eye: eye.frame is not None) is True
    with pytest.raises(ZeroDivisionError):
        camera_loop.ask(lambda eye: 1 / 0)


def test_an_eye_that_knows_faces_is_told_what_is_plausible_before_it_looks_and_again_when_that_changes(
    camera: Fed,
) -> None:
    told = [Hints({}, lambda: {"discard": {"004"}})]
    known: list[object] = []

    class Watching(Eye):
        def see(self, frame: Frame) -> TableView | None:
            assert self.faces is not None
            known.append(self.faces.plausible)
            return super().see(frame)

    def eye() -> Eye:
        made = Watching(MAT, book(MAT))
        made.faces = FaceWatch((), MAT, made.book)
        return made

    loop = CameraLoop(MAT, lambda: camera, eye, lambda view: None, lambda time: None, hints=lambda: told[0])
    loop.start()
    camera.go.release()
    until(lambda: len(known) == 1)
    told[0] = Hints()
    camera.go.release()
    until(lambda: len(known) == 2)
    assert known == [{"discard": {"004"}}, {}]
    camera.over = True
    camera.go.release()
    loop.close()


class Loose(Camera):
    """A camera whose cable is loose: it gives pictures, then fails as a driver does, and gives as many again."""

    def __init__(self, pictures: int = 5) -> None:
        self.table = Table(MAT, size=(480, 270))
        self.pictures = pictures
        self.tries = 0

    def frames(self) -> Iterator[Frame]:
        self.tries += 1
        for _ in range(self.pictures):
            yield self.table.shot()
        if self.tries == 1:
            raise OSError("no such device")
        self.live = False


def test_a_camera_that_fails_is_told_of_and_asked_again() -> None:
    troubles = told(Loose())
    lost = [n for n, words in enumerate(troubles) if words]
    assert [troubles[n] for n in lost] == [["The camera gives no pictures: no such device"]]
    assert 0 < lost[0] < len(troubles) - 1


class Faulty(Camera):
    """A camera that gives pictures, breaks once as it is told to, and gives pictures again."""

    def __init__(self, fault: Callable[[Frame], object]) -> None:
        self.table = Table(MAT, size=(480, 270))
        self.fault = fault
        self.broken = False

    def frames(self) -> Iterator[Frame]:
        for number in range(8):
            frame = self.table.shot()
            if number == 4 and not self.broken:
                self.broken = True
                broken = self.fault(frame)
                assert isinstance(broken, Frame)
                yield broken
            yield frame
        self.live = False


def watched(camera: Camera, cards: list[Card]) -> list[TableView]:
    """Look at a table until a camera ends; return the views."""
    views: list[TableView] = []
    camera.table.cards = cards  # type: ignore[attr-defined]
    loop = CameraLoop(MAT, lambda: camera, lambda: Eye(MAT, book(MAT)), views.append, lambda time: None)
    loop.start()
    loop.thread.join(120.0)
    return views


def test_what_lay_there_is_kept_and_counts_as_covered_until_an_eye_has_looked_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("companion.table.camera_loop.ANEW", 0.0)
    views = watched(Faulty(listed), [Card("001", 150, 100)])
    lost = next(n for n, view in enumerate(views) if view.troubles)
    assert [one.piece for one in views[lost - 1].placements] == ["001"]
    for view in views[lost : lost + 2]:
        assert view.placements == views[lost - 1].placements
        assert view.covered == {"pile", "row", "loose"}
        assert not view.settled
    assert views[lost + 1].troubles == ()
    assert views[-1].covered == frozenset()


def test_a_camera_that_is_back_before_a_table_as_it_was_shows_it_at_rest_again() -> None:
    views = watched(Loose(20), [Card("001", 150, 100)])
    lost = next(n for n, view in enumerate(views) if view.troubles)
    assert views[lost - 1].settled
    last = views[-1]
    assert (last.settled, last.covered, last.placements) == (True, frozenset(), views[lost - 1].placements)


class Stumbling(Eye):
    """An eye that a picture breaks, and its successor, which sees a table at rest with its second picture."""

    pictures = 0
    table: TableView

    def see(self, frame: Frame) -> TableView | None:
        Stumbling.pictures += 1
        if Stumbling.pictures == 1:
            raise MemoryError
        if Stumbling.pictures > 2:
            self.view = self.table
            return self.view
        return None


def test_what_was_undone_is_not_done_again_by_a_picture_that_breaks_the_eye(
    monkeypatch: pytest.MonkeyPatch, camera: Fed
) -> None:
    monkeypatch.setattr("companion.table.camera_loop.ANEW", 0.0)
    match = referee_table.Table(top="Red moon")
    match.look()
    match.lay("Red key", "discard")
    match.look()
    match.do(Undo(by="host"))
    match.look()
    assert match.now.phase == "restoring"
    Stumbling.table = match.referee.watch.view
    monkeypatch.setattr(Stumbling, "pictures", 0)
    see = match.referee.on_view
    loop = CameraLoop(match.mat, lambda: camera, lambda: Stumbling(MAT, book(MAT)), see, lambda time: None)
    loop.start()
    camera.go.release(4)
    until(lambda: Stumbling.pictures == 4)
    camera.over = True
    camera.go.release()
    loop.close()
    assert match.now.troubles == ()
    assert match.records == []
    assert match.now.phase == "restoring"
    assert match.now.owed == ("take the red key away from the discard pile",)


def raising(error: Exception) -> Callable[[Frame], object]:
    def fault(frame: Frame) -> object:
        raise error

    return fault


def listed(frame: Frame) -> Frame:
    rows: Any = frame.gray.tolist()
    return Frame(rows, frame.time, frame.number)


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (raising(RuntimeError("inner workings")), FAILED),
        (raising(MemoryError()), FAILED),
        (raising(cv2.error("inner workings")), FAILED),
        (raising(CameraLostError("The cable is out.")), "The cable is out."),
        (listed, "A picture could not be understood: the camera looks anew."),
    ],
)
def test_whatever_goes_wrong_with_a_camera_is_told_of_and_it_is_looked_on(
    monkeypatch: pytest.MonkeyPatch, fault: Callable[[Frame], object], words: str
) -> None:
    monkeypatch.setattr("companion.table.camera_loop.ANEW", 0.0)
    troubles = told(Faulty(fault))
    lost = [n for n, here in enumerate(troubles) if here]
    assert [troubles[n] for n in lost] == [[words]]
    assert 0 < lost[0] < len(troubles) - 1


def test_a_camera_or_an_eye_that_can_not_be_made_is_told_of_and_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.table.camera_loop.ANEW", 0.0)
    made: list[str] = []
    views: list[TableView] = []

    def camera() -> Camera:
        made.append("camera")
        if made.count("camera") == 1:
            raise RuntimeError("inner workings")
        return Loose()

    def eye() -> Eye:
        made.append("eye")
        if made.count("eye") == 1:
            raise MemoryError
        return Eye(MAT, book(MAT))

    camera_loop = CameraLoop(MAT, camera, eye, views.append, lambda time: None)
    camera_loop.start()
    camera_loop.thread.join(120.0)
    assert made == ["camera", "camera", "eye", "eye"]
    assert [[one.words for one in view.troubles] for view in views[:2]] == [[FAILED], []]
    assert views[-1].troubles == ()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_an_eye_whose_thread_has_ended_is_named_until_the_lookout_is_closed() -> None:
    def ends() -> Camera:
        raise SystemExit

    camera_loop = CameraLoop(MAT, ends, lambda: Eye(MAT, book(MAT)), lambda view: None, lambda time: None)
    assert camera_loop.thread.ailing == ""
    camera_loop.start()
    camera_loop.thread.join(60.0)
    assert camera_loop.thread.ailing == "the eye thread has ended"
    camera_loop.close()
    assert camera_loop.thread.ailing == ""


def test_a_camera_that_has_no_more_pictures_leaves_the_eye_well(camera: Fed, camera_loop: CameraLoop) -> None:
    camera.over = True
    camera.go.release()
    camera_loop.thread.join(60.0)
    assert not camera_loop.thread.is_alive()
    assert camera_loop.thread.ailing == ""


class Hanging(Camera):
    """A camera at ten frames a second whose picture hangs after the first second, and comes back at the end."""

    def __init__(self, live: bool, hangs: float) -> None:
        self.live = live
        self.table = Table(MAT, size=(480, 270))
        self.pictures = [self.table.shot().gray for _ in range(10)]
        self.still = round(hangs * 10)

    def frames(self) -> Iterator[Frame]:
        stuck = self.pictures[-1].copy()
        # A driver gives the same memory again, too.
        for n, gray in enumerate([*self.pictures, *[stuck] * self.still, *self.pictures]):
            yield Frame(gray, n / 10, n)
        self.live = False


def told(camera: Camera) -> list[list[str]]:
    """Look until a camera ends; give each view's troubles."""
    views: list[TableView] = []
    camera_loop = CameraLoop(MAT, lambda: camera, lambda: Eye(MAT, book(MAT)), views.append, lambda time: None)
    camera_loop.start()
    camera_loop.thread.join(120.0)
    assert not camera_loop.thread.is_alive()
    return [[one.words for one in view.troubles if one.kind == "camera-lost"] for view in views]


def test_a_camera_that_shows_the_same_picture_for_ever_is_told_of_and_taken_up_again() -> None:
    troubles = told(Hanging(live=True, hangs=HANGS + 5))
    lost = [n for n, words in enumerate(troubles) if words]
    assert len(lost) == 1
    assert "the very same one for 30 seconds. Unplug it" in troubles[lost[0]][0]
    # What came before and after was looked at: the first view, and that the camera is back.
    assert 0 < lost[0] < len(troubles) - 1


def test_a_table_at_which_nobody_moves_is_no_camera_that_hangs() -> None:
    assert not any(told(Hanging(live=True, hangs=HANGS - 2)))


def test_what_is_painted_or_played_again_never_hangs() -> None:
    assert not any(told(Hanging(live=False, hangs=HANGS + 5)))


def test_a_camera_that_was_still_being_made_when_the_lookout_was_closed_is_closed_too(camera: Fed) -> None:
    """Else its frames went on for ever: a thread, and its memory, for each match that was put away early."""
    begun, go, closed = threading.Event(), threading.Event(), []
    camera.close = lambda: closed.append(True)  # type: ignore[method-assign]

    def slowly() -> Fed:
        begun.set()
        go.wait(60)
        return camera

    camera_loop = CameraLoop(MAT, slowly, lambda: Eye(MAT, book(MAT)), lambda view: None, lambda time: None)
    camera_loop.start()
    begun.wait(60)
    closing = threading.Thread(target=camera_loop.close)
    closing.start()
    until(camera_loop._closed.is_set)
    go.set()
    camera.go.release(3)
    closing.join(60)
    assert not camera_loop.thread.is_alive()
    assert closed == [True]


def test_exposure_looks_at_the_trays_and_at_the_cards_that_show() -> None:
    mat = test_mat()
    tray = msgspec.structs.replace(mat.zones[2], name="dice", kind="tray", sides=6)
    session = Session(Table(msgspec.structs.replace(mat, zones=(*mat.zones[:2], tray)), [Card("001", 61, 100)]))
    assert list(on_mat(session.eye)) == []
    session.run(12)
    (trays, least), (cards, most) = on_mat(session.eye)
    assert (least, most) == (0.99, 0.9)
    px_per_mm = session.eye.calibration.px_per_mm(61, 100)
    for [outline], area in ((trays, 98 * 100), (cards, 63 * 88)):
        assert cv2.contourArea(outline.astype(np.float32)) == pytest.approx(area * px_per_mm**2, rel=0.05)
