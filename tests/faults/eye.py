"""Faults in the eye: places, heights, dice, what moved, light."""

from tests.faults.fault import Fault

FAULTS = (
    Fault(
        "what two strips read counts twice",
        "eye/reader.py",
        "> 0.5 * max(side, other)",
        "> 0.005 * max(side, other)",
    ),
    Fault(
        "zxing's corners are half a pixel off",
        "eye/reader.py",
        "(p.x / scale - 0.5, p.y / scale - 0.5)",
        "(p.x / scale, p.y / scale)",
    ),
    Fault(
        "a code is turned by a quarter",
        "eye/reader.py",
        "return np.roll(corners, -(missing + 2), axis=0)",
        "return np.roll(corners, -(missing + 1), axis=0)",
    ),
    Fault(
        "a card that is turned on the spot is not noticed",
        "eye/tracks.py",
        "return self.pose.distance(pose) < MOVE_MM and self.pose.turned_by(pose) < MOVE_DEG",
        "return self.pose.distance(pose) < MOVE_MM",
    ),
    Fault(
        "a piece under something strange may be gone",
        "eye/tracks.py",
        "return self.state != SEEN and all(spot.status != ELSE for spot in self.spots.values())",
        "return self.state != SEEN",
    ),
    Fault(
        "two directions either side of north are far apart",
        "eye/places.py",
        "return abs((a - b + 180) % 360 - 180)",
        "return abs(a - b) % 360",
    ),
    Fault(
        "a pile is one card higher",
        "eye/places.py",
        "Pile(zone.rect, (cards[zone.name] - 1) * thick)",
        "Pile(zone.rect, (cards[zone.name] + 9) * thick)",
    ),
    Fault(
        "a high card seems to lie low",
        "eye/places.py",
        "high = camera[2] * (1 - true / seen)",
        "high = camera[2] * (true / seen - 1)",
    ),
    Fault(
        "a die is looked at beside where it lies",
        "eye/dice/six_sided_nets.py",
        "x + side * (dx * c - dy * s)",
        "x - side * (dx * c - dy * s)",
    ),
    Fault(
        "a bumped camera is taken for a pushed mat",
        "eye/moved.py",
        "if bent > 2 * _RIGID_MM:",
        "if bent > 200 * _RIGID_MM:",
    ),
    Fault(
        "lamps flicker",
        "eye/exposure.py",
        "return math.floor(seconds / half + 1e-6) * half or seconds",
        "return seconds",
    ),
    Fault(
        "left is right",
        "eye/quality.py",
        '("left", "", "right")[column]',
        '("right", "", "left")[column]',
    ),
)
