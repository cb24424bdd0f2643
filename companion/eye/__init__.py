"""Frames in, table views out: cameras see pixels, the eye says which card lies where on the mat."""
