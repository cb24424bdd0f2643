"""How high a camera hangs: two rows by hand, and what no camera can see."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from companion import games
from companion.cli.main import cli
from companion.eye.mounting import LENSES, Lens, mounting, of_picture

MAT = games.load_mat("collectors", 4)
"""900 × 506 mm; the smallest code is 14 mm, 21 modules."""


def test_a_camera_module_3_hangs_at_73_cm() -> None:
    # 2 tan 33° = 1.299: 900 mm × 1.06 / 1.299 = 735 mm. 2304 px / (735 mm × 1.299) = 2.41 px/mm, × 14 / 21 = 1.61.
    found = mounting(MAT, LENSES[0])
    assert (found.height, found.module) == (pytest.approx(734.5, abs=1), pytest.approx(1.61, abs=0.01))
    assert found.reads == "well"


def test_a_webcam_of_1080_lines_hangs_at_68_cm_and_wants_good_light() -> None:
    # 2 tan 35.2° = 1.411: 954 / 1.411 = 676 mm. 1920 / (676 × 1.411) = 2.01 px/mm, × 14 / 21 = 1.34.
    found = mounting(MAT, LENSES[3])
    assert (found.height, found.module) == (pytest.approx(676, abs=1), pytest.approx(1.34, abs=0.01))
    assert found.reads == "in good light"


def test_the_shorter_side_decides_where_a_picture_is_wide() -> None:
    narrow = Lens("", (3000, 1000), of_picture((3000, 1000), 90))
    # 1000/3000 of 2 tan 45° = 0.667: 506 mm × 1.06 / 0.667 = 805 mm, where 900 mm would be seen from 477.
    assert mounting(MAT, narrow).height == pytest.approx(804.5, abs=1)


def test_a_small_picture_reads_nothing_from_anywhere() -> None:
    assert mounting(MAT, Lens("", (640, 480), of_picture((640, 480), 60))).reads == "not"


def test_the_command_lists_usual_cameras_or_answers_for_yours() -> None:
    listed = CliRunner().invoke(cli, ["heights"])
    assert listed.exit_code == 0
    assert [lens.name for lens in LENSES if lens.name in listed.output] == [lens.name for lens in LENSES]
    own = CliRunner().invoke(cli, ["heights", "--size", "1920x1080", "--angle", "70.4"])
    assert "68" in own.output
    assert "1.34" in own.output
    assert CliRunner().invoke(cli, ["heights", "--angle", "70", "--size", "big"]).exit_code != 0
