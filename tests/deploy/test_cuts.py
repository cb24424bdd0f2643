"""After a power cut the emulated box's disk may have half a superblock, and nothing else that is wrong."""

import os
import shutil
import subprocess

import pytest

from tests.deploy.virtual_pi.cuts import mended, put_in_order, tear
from tests.deploy.virtual_pi.program import WrongError

# Debian has them where not everybody looks.
PATH = os.pathsep.join((os.environ.get("PATH", ""), "/sbin", "/usr/sbin"))

pytestmark = pytest.mark.skipif(
    not all(shutil.which(program, path=PATH) for program in ("mke2fs", "e2fsck")), reason="there is no e2fsprogs here"
)


@pytest.fixture
def disk(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", PATH)
    files, image = tmp_path / "files", tmp_path / "disk"
    files.mkdir()
    (files / "journal.db").write_bytes(b"a record" * 10_000)
    subprocess.run(["mke2fs", "-q", "-t", "ext4", "-d", files, image, "16M"], check=True)
    return image


def change(disk, at, data):
    with disk.open("r+b") as image:
        image.seek(at)
        image.write(data)


def test_a_disk_that_is_whole_has_nothing_torn(disk):
    assert not put_in_order(disk)


def test_half_a_superblock_is_put_in_order_from_its_copy(disk):
    tear(disk)
    assert put_in_order(disk)
    assert not put_in_order(disk)


@pytest.mark.parametrize("torn", [False, True], ids=["alone", "beside half a superblock"])
def test_anything_else_is_not_whole(disk, torn):
    said = subprocess.run(["debugfs", "-R", "imap journal.db", disk], capture_output=True, text=True, check=True).stdout
    block, offset = said.split("located at block ")[1].split(", offset ")
    change(disk, int(block) * 1024 + int(offset, 16) + 40, b"\xff" * 60)
    if torn:
        tear(disk)
    with pytest.raises(WrongError, match="the file system"):
        put_in_order(disk)


# What e2fsck said of the disk of an emulated box.
SAID = """\
ext2fs_open2: Superblock checksum does not match superblock
e2fsck: Superblock invalid, trying backup blocks...
rootfs: recovering journal
Pass 1: Checking inodes, blocks, and sizes
Pass 2: Checking directory structure
Pass 3A: Optimizing directories
Pass 5: Checking group summary information
Block bitmap differences:  +(294912--295296)
Fix? yes

Free blocks count wrong (482425, counted=480192).
Fix? yes

Directories count wrong for group #3 (903, counted=908).
Fix? yes

Padding at end of inode bitmap is not set. Fix? yes


rootfs: ***** FILE SYSTEM WAS MODIFIED *****
rootfs: 31907/196608 files (0.1% non-contiguous), 306240/786432 blocks
"""


def test_what_is_counted_anew_was_not_wrong():
    assert mended(SAID) == []


@pytest.mark.parametrize(
    "wrong",
    [
        "Entry 'journal.db' in /state (12) has deleted/unused inode 13.  Clear? yes",
        "Unattached inode 13",
        "Block bitmap differences:  +(7--9) -(11--13)",
    ],
)
def test_anything_else_that_was_mended_is_named(wrong):
    said = SAID.replace("Pass 3A", f"{wrong}\nPass 3A")
    assert mended(said) == [wrong]
