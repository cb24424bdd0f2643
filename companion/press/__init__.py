"""Printing: cards, stickers and mats as PDF and PNG."""
