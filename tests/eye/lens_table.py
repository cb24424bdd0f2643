"""Prints how exactly the mat is known, over many lenses and poses (docs/eye.md). Run it with -m."""

from __future__ import annotations

import numpy as np

from companion.eye.geometry import calibrate
from tests.eye.test_lenses import LENSES, errors, shown, some_camera

POSES = 100


def main() -> None:
    """Print a row for each kind of lens and share of hidden markers."""
    for brand in LENSES:
        for hidden in (0.0, 0.33, 0.67):
            rng = np.random.default_rng([2026, LENSES.index(brand), round(100 * hidden)])
            flat, high, failed = [], [], 0
            for _ in range(POSES):
                camera = some_camera(rng, brand)
                found = calibrate(shown(camera, rng, hidden), camera.mat, camera.size)
                if found is None:
                    failed += 1
                    continue
                flat.append(errors(camera, found))
                if camera.tilt > 20:
                    high.append(errors(camera, found, 25.0))
            low, top = np.concatenate(flat), np.concatenate(high)
            row = [np.median(low), np.percentile(low, 99), low.max(), np.median(top), np.percentile(top, 99)]
            numbers = " | ".join(f"{one:.2f}" for one in row)
            print(f"| {brand} | {100 * hidden:.0f} % | {numbers} |" + (f" {failed} failed" if failed else ""))


if __name__ == "__main__":
    main()
