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


def test_what_was_seen_corrects_what_lay_under_cards_when_the_print_was_laid_under_it():
    flat = Flat(test_mat())
    whole = (slice(0, flat.shape[0]), slice(0, flat.shape[1]))
    noise = np.random.default_rng(1)  # no marker shows in it
    scene = Scene(flat, noise.integers(250, 255, (400, 600), dtype=np.uint8))
    scene.seed(noise.integers(99, 102, flat.shape, dtype=np.uint8), test_mat())
    lit = np.full(flat.shape, 109.0, dtype=np.float32)
    hidden = np.zeros(flat.shape, dtype=np.bool_)
    hidden[60:100, 100:180] = True
    assert not scene.is_mat(lit + 6, whole).any()
    for _ in range(60):
        scene.learn(lit, ~hidden, whole)
    assert not scene.seen[hidden].any()
    assert abs(float(scene.mat()[hidden].mean()) - 109) < 3
    assert scene.is_mat(lit + 6, whole)[hidden].all()
