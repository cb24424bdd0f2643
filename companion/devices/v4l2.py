"""Video devices of Linux: what they can, and whether another program has one (Video4Linux's own questions, `ioctl`)."""

from __future__ import annotations

import errno
import fcntl
import os
import re
import struct
from pathlib import Path

_QUERYCAP, _REQBUFS = 0x80685600, 0xC0145608
"""VIDIOC_QUERYCAP and VIDIOC_REQBUFS of linux/videodev2.h."""
_CAPTURES = 0x00000001 | 0x00001000
"""V4L2_CAP_VIDEO_CAPTURE and its multi-planar twin."""
_TURNS_OVER = 0x00004000 | 0x00008000
"""V4L2_CAP_VIDEO_M2M_MPLANE and V4L2_CAP_VIDEO_M2M: a codec, which makes pictures of pictures."""
_HAS_OWN = 0x80000000
"""V4L2_CAP_DEVICE_CAPS: the capabilities of this node are told beside the whole device's."""


def takes_pictures(device: Path) -> bool | None:
    """Whether a device takes pictures by itself; None if it can't be asked."""
    asked = bytearray(104)
    if _ask(device, _QUERYCAP, asked) != 0:
        return None
    whole, own = struct.unpack_from("II", asked, 84)
    able = own if whole & _HAS_OWN else whole
    return bool(able & _CAPTURES) and not able & _TURNS_OVER


def is_taken(device: Path) -> bool:
    """Whether another program takes pictures with a device: it may then not give back buffers that it never had."""
    return _ask(device, _REQBUFS, bytearray(struct.pack("5I", 0, 1, 1, 0, 0))) == errno.EBUSY


def number_of(path: str) -> int | None:
    """Return the number of the video device behind a path, such as one in /dev/v4l; None while there is none."""
    found = re.fullmatch(r"/dev/video(\d+)", os.path.realpath(path))
    return int(found[1]) if found and Path(path).exists() else None


def _ask(device: Path, question: int, room: bytearray) -> int:
    """Ask a device, with room for its answer; return the number of the error, 0 without one."""
    try:
        handle = os.open(device, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        return error.errno or -1
    try:
        fcntl.ioctl(handle, question, room)
    except OSError as error:
        return error.errno or -1
    finally:
        os.close(handle)
    return 0
