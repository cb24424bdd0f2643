"""The box as an appliance: how it starts, what it keeps, and how it tells how it is."""
