"""Companion: a referee for card games on a real table, watched by a camera."""

import os

# The matrices here are small: a second thread for one product only waits, and keeps the others' cores busy doing so.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
