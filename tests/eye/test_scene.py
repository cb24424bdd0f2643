"""What the empty mat looks like is learned from what is seen, and not spoilt by what passes over it."""

import numpy as np

from companion.eye.flat import Flat
from companion.eye.scene import Scene
from tests.eye.tables import test_mat


def test_a_shadow_over_the_first_look_does_not_make_the_mat_strange_afterwards():
    flat = Flat(test_mat())
    whole = (slice(0, flat.shape[0]), slice(0, flat.shape[1]))
    scene = Scene(flat)
    scene.base[:], scene.known[:] = 200.0, True  # as laid out by the mat's print
    everywhere = np.ones(flat.shape, dtype=np.bool_)
    scene._sure[:] = 20.0
    light, shade = np.full(flat.shape, 200.0, np.float32), np.full(flat.shape, 178.0, np.float32)
    scene.learn(shade, everywhere, whole)
    assert scene.seen.all(), "so little darker it looks like the mat"
    assert scene.is_mat(light, whole).all()
    for _ in range(30):
        scene.learn(light, everywhere, whole)
    assert abs(float(scene.base.mean()) - 200) < 1
