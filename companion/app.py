"""Boxes that were installed before `companion.table` try a new version by importing this (deploy/installer)."""

import companion.table.table  # noqa: F401
