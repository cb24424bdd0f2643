"""Boxes that were installed before `companion.appliance` try a new version by importing this (deploy/installer)."""

import companion.appliance.boot  # noqa: F401
