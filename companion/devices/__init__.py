"""Cameras, OLED, buttons, lights and sounds: a small interface each, with a real and a simulated one."""
