"""Dice in trays: when a tray is read (`trays`), what lies in it (`reader`), and what each die shows."""
