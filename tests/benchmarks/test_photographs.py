"""The held-out photographs of bad days: that they are what they are for, and that their truth fits them."""

import json

import cv2
import numpy as np
import pytest
import segno

from benchmarks.table_truth import PHOTOS, load_shows
from companion.codes import parse

BAD_DAY = PHOTOS / "bad-day"
SHOTS = [photo for show in load_shows(BAD_DAY) for photo in show.photos]


def dark_modules(payload):
    made = segno.make_qr(payload, version=1, error="h", boost_error=False)
    return np.array([[bool(cell) for cell in row] for row in made.matrix])


def contrast(gray, seen):
    """Correlate a photograph with the code that its truth tells of, module by module: 1 is a perfect likeness."""
    corners = np.array([(0, 0), (21, 0), (21, 21), (0, 21)], np.float32)
    to_picture = cv2.getPerspectiveTransform(corners, np.array(seen.corners, np.float32))
    middles = np.dstack(np.meshgrid(np.arange(21) + 0.5, np.arange(21) + 0.5)).astype(np.float32)
    x, y = np.moveaxis(cv2.perspectiveTransform(middles, to_picture), -1, 0)
    seen_modules = cv2.remap(gray, x, y, cv2.INTER_LINEAR).astype(float)
    return np.corrcoef(seen_modules.ravel(), ~dark_modules(seen.payload).ravel())[0, 1]


def test_the_bad_day_is_long_and_no_two_photographs_are_alike():
    told = json.loads((BAD_DAY / "truth.json").read_bytes())["photos"]
    assert len(told) >= 36
    assert len({photo["what"] for photo in told}) == len(told)
    assert all(photo["conditions"] for photo in told)
    assert sorted(path.name for path in BAD_DAY.glob("*.jpg")) == sorted(photo.image for photo in SHOTS)
    assert all(any(code.visible for code in photo.codes) for photo in SHOTS)
    modules = [code.module for photo in SHOTS for code in photo.codes if code.visible]
    assert len(modules) > 1000
    assert np.mean(np.less(modules, 1.75)) > 0.6, "most of it is where reading is hard"


@pytest.mark.night
def test_the_truth_of_the_bad_day_fits_its_pictures():
    for photo in SHOTS:
        gray = cv2.imread(str(BAD_DAY / photo.image), cv2.IMREAD_GRAYSCALE)
        for seen in photo.codes:
            assert parse(seen.payload) is not None
            if seen.visible:
                assert contrast(gray, seen) > 0.4, f"{photo.image}: {seen.payload} is not where the truth says"
