import time

import numpy as np
import pytest

from companion.eye.geometry import MarkerFinder, calibrate
from companion.eye.reader import read_zxing
from companion.eye.view import Trouble
from companion.sim.camera import CameraLostError, SimulatedCamera
from companion.sim.faults import NAMES, Faults
from companion.sim.lens import STRAIGHT, Glass, Lens, Pose
from companion.sim.table import Hand, SimTable, Spot, elbow
from tests.nights import at_night

from .laying import camera, laid_table, the_mat, visible_codes


def read_where(found: list, payload: str, corners: np.ndarray) -> bool:
    middle = corners.mean(axis=0)
    return any(
        seen.payload == payload and np.linalg.norm(np.mean(seen.corners, axis=0) - middle) < 12 for seen in found
    )


def shares(cam: SimulatedCamera, frames: int) -> tuple[int, int]:
    """How many codes could be read, and how many were, in the next frames."""
    visible = read = 0
    for _ in range(frames):
        frame = cam.shoot()
        found = read_zxing(frame.gray)
        for payload, corners in visible_codes(cam.table.look(), cam):
            visible += 1
            read += read_where(found, payload, corners)
    return visible, read


@pytest.mark.parametrize(("seed", "seats"), [(2, 8), *at_night((1, 4), (3, 3))])
@pytest.mark.night
def test_uncovered_codes_are_read_at_the_default_settings(seed: int, seats: int) -> None:
    visible, read = shares(camera(laid_table(seats, seed), seats, seed=seed), 1)
    assert visible > 20
    assert read >= 0.99 * visible, f"{read} of {visible}"


def test_the_mat_with_all_markers_is_in_the_picture_and_the_eye_finds_the_geometry() -> None:
    cam = camera(laid_table())
    frame = cam.shoot()
    assert frame.gray.shape == (1296, 2304)
    mat = the_mat(4)
    seen = MarkerFinder(mat).find(frame.gray)
    assert set(seen) == {marker.id for marker in mat.markers}
    eye = calibrate(seen, mat, (2304, 1296))
    assert eye is not None
    points = [(100.0, 100.0), (450.0, 253.0), (850.0, 60.0), (30.0, 480.0)]
    assert np.abs(eye.to_px(points) - cam.lens.to_px(points)).max() < 1.0
    assert cam.lens.scale * 22 / 21 > 2.5, "pixels a module"


def test_the_lens_maps_the_mat_to_pixels_and_back() -> None:
    lens = Lens(the_mat(4), (640, 360), Pose(roll=2.0), Glass(k=0.03))
    x, y = lens.ground()
    ys, xs = np.array([3, 180, 350]), np.array([5, 320, 600])
    back = lens.to_px(np.column_stack([x[ys, xs], y[ys, xs]]))
    assert np.abs(back - np.column_stack([xs, ys])).max() < 0.05


def test_what_is_nearer_to_the_camera_is_larger() -> None:
    lens = Lens(the_mat(4), (2304, 1296), STRAIGHT)
    flat, high = (lens.to_px([(100, 100), (200, 100)], z) for z in (0.0, 40.0))
    assert (high[1] - high[0])[0] > 1.02 * (flat[1] - flat[0])[0]
    assert lens.scale_at(*lens._middle, 0.0) == pytest.approx(lens.scale)


@pytest.mark.night
def test_a_hand_hides_what_lies_under_it_and_nothing_else() -> None:
    table = laid_table()
    cam = camera(table)
    all_of_them = len(visible_codes(table.look(), cam))
    goal = the_mat(4).zone("goal.1").rect
    table.rest_hand("arm", Hand(goal.x + 30, goal.y + 10, *elbow(the_mat(4), 1), 25.0))
    frame = cam.shoot()
    found = read_zxing(frame.gray)
    left = visible_codes(table.look(), cam)
    assert 1 <= all_of_them - len(left) <= 4
    assert all(read_where(found, payload, corners) for payload, corners in left)
    table.rest_hand("arm", None)
    assert shares(cam, 1)[1] > len(left)


@pytest.mark.night
def test_a_card_half_under_another_shows_one_code() -> None:
    table = SimTable()
    table.put("01A", "F", 400, 250)
    table.put("01B", "F", 431, 250)
    cam = camera(table)
    found = read_zxing(cam.shoot().gray)
    assert sorted(seen.payload[2:5] for seen in found) == ["01A", "01B", "01B"]


@pytest.mark.night
def test_only_the_top_of_a_pile_is_seen() -> None:
    table = SimTable()
    for n in range(30):
        table.put(f"{n}", "B", 342 + n % 3, 253 - n % 2, n % 4 - 2)
    table.put("01A", "F", 343, 253)
    found = read_zxing(camera(table).shoot().gray)
    assert {seen.payload[2:5] for seen in found} == {"01A"}


@pytest.mark.night
def test_the_same_seed_gives_the_same_pictures_and_faults() -> None:
    faults = Faults(*[0.2] * 7, *[0.0], *[0.1] * 4)

    def film(seed: int) -> tuple[list[bytes], dict[str, int]]:
        table = laid_table()
        cam = camera(table, seed=seed, faults=faults, size=(768, 432))
        table.carry("01A" if table.where("01A") else table.pieces()[-1].piece, Spot(80, 250), elbow(the_mat(4), 1))
        return [cam.shoot().gray.tobytes() for _ in range(25)], dict(cam.occurred)

    once, again, other = film(5), film(5), film(6)
    assert once == again
    assert once[0] != other[0]
    assert once[1] != other[1]


@pytest.mark.night
def test_repainting_only_what_changed_gives_the_same_picture_as_painting_everything() -> None:
    table = laid_table()
    cam = camera(table, noise=0.0)
    table.carry(table.pieces()[-1].piece, Spot(120, 250, 15), elbow(the_mat(4), 2), face="F")
    while table.busy:
        last = cam.shoot()
    fresh = camera(table, noise=0.0).shoot()
    worst = int(np.abs(last.gray.astype(int) - fresh.gray.astype(int)).max())
    assert worst <= 2


def spoiled(name: str, **where: object) -> tuple[int, int, SimulatedCamera]:
    cam = camera(laid_table())
    before = len(read_zxing(cam.shoot().gray))
    cam.misbehave(name, **where)  # type: ignore[arg-type]
    return before, len(read_zxing(cam.shoot().gray)), cam


@pytest.mark.night
def test_glare_over_a_zone_hides_codes_there_for_as_long_as_asked() -> None:
    before, during, cam = spoiled("glare", at=(345.0, 240.0), frames=2)
    cam.shoot()
    assert during < before
    assert len(read_zxing(cam.shoot().gray)) == before


@pytest.mark.night
def test_one_card_can_be_unreadable_for_a_moment() -> None:
    table = laid_table()
    cam = camera(table)
    goal = next(laid.piece for laid in table.pieces() if laid.piece in {"001", "002", "003", "004", "005"})
    cam.misbehave("unreadable", piece=goal, frames=1)
    pale = {seen.payload[2:5] for seen in read_zxing(cam.shoot().gray)}
    clear = {seen.payload[2:5] for seen in read_zxing(cam.shoot().gray)}
    assert clear - pale == {goal}


@pytest.mark.night
def test_a_blurred_picture_is_hard_to_read() -> None:
    before, during, _ = spoiled("blur")
    assert during < before / 2


@pytest.mark.night
def test_an_arm_comes_over_a_zone_and_goes() -> None:
    cam = camera(laid_table())
    before = len(read_zxing(cam.shoot().gray))
    cam.misbehave("hand", zone="collection.1", frames=9)
    counts = [len(read_zxing(cam.shoot().gray)) for _ in range(11)]
    assert min(counts) < before
    assert counts[-1] == before


def test_the_light_changes_and_comes_back() -> None:
    cam = camera(SimTable(), size=(768, 432))
    before = cam.shoot().gray.mean()
    cam.misbehave("light", frames=8)
    means = [cam.shoot().gray.mean() for _ in range(9)]
    assert max(abs(mean - before) for mean in means) > 0.1 * before
    assert means[-1] == pytest.approx(before, rel=0.01)


@pytest.mark.night
def test_a_knocked_camera_stays_knocked_but_still_sees_the_mat() -> None:
    cam = camera(SimTable(), size=(1152, 648))
    before = cam.lens.to_px([(450, 253)])
    for _ in range(5):
        cam.misbehave("bump")
        frame = cam.shoot()
        assert len(MarkerFinder(the_mat(4)).find(frame.gray)) >= 20
    after = cam.lens.to_px([(450, 253)])
    cam.shoot()
    assert 0.5 < np.linalg.norm(after - before) < 30
    assert (cam.lens.to_px([(450, 253)]) == after).all()


def test_dropped_frames_leave_a_gap_in_time_but_none_in_the_numbers() -> None:
    cam = camera(SimTable(), size=(384, 216))
    first = cam.shoot()
    cam.misbehave("drop", frames=4)
    second = cam.shoot()
    assert second.number == first.number + 1
    assert second.time - first.time == pytest.approx(0.5)


def test_a_lost_camera_says_so_and_comes_back() -> None:
    told: list[Trouble | None] = []
    cam = camera(SimTable(), size=(384, 216), tell=told.append)
    frames = cam.frames()
    first = next(frames)
    cam.misbehave("lost", frames=3)
    back = next(frames)
    assert back.number == first.number + 1
    assert back.time - first.time == pytest.approx(0.4)
    assert [trouble and trouble.kind for trouble in told] == ["camera-lost", None]
    cam.misbehave("lost", frames=1)
    with pytest.raises(CameraLostError):
        cam.shoot()
    assert cam.shoot().number == back.number + 1


@pytest.mark.night
def test_every_fault_occurs_by_chance_and_is_counted() -> None:
    cam = camera(laid_table(deck=2), size=(384, 216), faults=Faults(*[0.05] * len(NAMES)), seed=2)
    for _ in range(400):
        try:
            cam.shoot()
        except CameraLostError:
            continue
    assert set(cam.occurred) == set(NAMES)
    cam.faults = Faults()
    before = cam.occurred
    for _ in range(20):
        try:
            cam.shoot()
        except CameraLostError:
            continue
    assert cam.occurred == before


def test_an_unknown_fault_or_zone_is_refused_in_words() -> None:
    cam = camera(SimTable(), size=(384, 216))
    with pytest.raises(ValueError, match=r"no fault called fire.*glare"):
        cam.misbehave("fire")
    with pytest.raises(ValueError, match="no zone called attic"):
        cam.misbehave("glare", zone="attic")


@pytest.mark.night
def test_colour_is_painted_only_on_request() -> None:
    cam = camera(laid_table(), size=(1152, 648), colour_width=576)
    assert cam.shoot().colour is None
    cam.show_colour = True
    colour = cam.shoot().colour
    assert colour is not None
    assert colour.shape == (324, 576, 3)
    assert np.ptp(colour.astype(int), axis=2).max() > 60, "symbols are coloured"


def test_frames_end_when_the_camera_is_closed() -> None:
    cam = camera(SimTable(), size=(384, 216), speed=1000.0)
    frames = cam.frames()
    assert [next(frames).number, next(frames).number] == [0, 1]
    cam.close()
    assert list(frames) == []


@pytest.mark.night
def test_what_pictures_cost(capsys: pytest.CaptureFixture[str]) -> None:
    table = laid_table(deck=25)
    cam = camera(table)
    cam.shoot()

    def cost(frames: int) -> float:
        start = time.perf_counter()
        for _ in range(frames):
            cam.shoot()
        return (time.perf_counter() - start) / frames * 1000

    idle = cost(30)
    table.carry(table.pieces()[-1].piece, Spot(120, 250), elbow(the_mat(4), 2), face="F")
    moving = cost(12)
    with capsys.disabled():
        print(f"\n  simulated camera, 2304x1296: {idle:.1f} ms a frame at rest, {moving:.1f} ms with a hand")
    assert table.pieces()[-1].face == "F"
