"""A table put together: camera, eye, referee, devices and pages, and what people tell of it."""
