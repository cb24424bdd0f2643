"""The card of the emulated box loses what it was not told to keep, when its plug is pulled, and nothing else."""

import random
import socket
import struct

import pytest

from tests.deploy.virtual_pi.card import FLUSH, FORCED, GO, OPTION_MAGIC, READ, REQUEST_MAGIC, WRITE, Card

BLOCK = 4096


class Computer:
    """What qemu says to a card."""

    def __init__(self, card):
        self.line = socket.socket(socket.AF_UNIX)
        self.line.connect(str(card.where))
        self.line.recv(18, socket.MSG_WAITALL)
        self.line.sendall(struct.pack(">I8sII", 3, OPTION_MAGIC, GO, 6) + bytes(6))
        said = self.line.recv(20 + 12 + 20, socket.MSG_WAITALL)
        self.size = struct.unpack_from(">Q", said, 22)[0]

    def ask(self, kind, at=0, data=b"", size=0, flags=0):
        self.line.sendall(struct.pack(">IHHQQI", REQUEST_MAGIC, flags, kind, 7, at, len(data) or size) + data)
        self.line.recv(16, socket.MSG_WAITALL)
        return self.line.recv(size, socket.MSG_WAITALL) if kind == READ else b""

    def write(self, n, letter, flags=0):
        self.ask(WRITE, n * BLOCK, letter * BLOCK, flags=flags)


@pytest.fixture
def card(tmp_path):
    image = tmp_path / "image"
    image.write_bytes(b"." * 64 * BLOCK)
    return Card(image, tmp_path / "door")


def test_what_was_flushed_is_kept_and_what_was_not_may_be_lost(card, tmp_path):
    computer = Computer(card)
    assert computer.size == 64 * BLOCK
    for n in range(20):
        computer.write(n, b"a")
    computer.ask(FLUSH)
    for n in range(10, 40):
        computer.write(n, b"b")
    computer.write(50, b"c", flags=FORCED)
    assert computer.ask(READ, 30 * BLOCK, size=BLOCK) == b"b" * BLOCK
    under_way, lost = card.cut(random.Random(3))
    kept = (tmp_path / "image").read_bytes()
    blocks = [kept[n * BLOCK : (n + 1) * BLOCK] for n in range(64)]
    assert blocks[:10] == [b"a" * BLOCK] * 10
    assert blocks[50] == b"c" * BLOCK
    assert under_way == 31
    assert lost == sum(block != b"b" * BLOCK for block in blocks[10:40])
    assert 0 < lost < 30
    # Some are torn: their first sectors are new, the rest is as it was.
    torn = [block for n, block in enumerate(blocks[10:40], 10) if {*block} == {*b"b", *(b"a" if n < 20 else b".")}]
    assert torn
    assert all(block.count(b"b") % 512 == 0 and block.startswith(b"b") for block in torn)


def test_a_computer_that_was_switched_off_in_good_order_loses_nothing(card, tmp_path):
    computer = Computer(card)
    computer.write(3, b"a")
    card.settle()
    assert card.cut(random.Random(3)) == (0, 0)
    assert (tmp_path / "image").read_bytes()[3 * BLOCK :].startswith(b"a" * BLOCK)


def test_a_card_that_stops_amid_writing_answers_no_more_and_may_lose_what_it_has(card, tmp_path):
    computer = Computer(card)
    card.stop_after(3)
    computer.write(1, b"a")
    computer.write(2, b"b")
    assert not card.stopped.is_set()
    computer.line.settimeout(0.2)
    with pytest.raises(TimeoutError):
        computer.write(3, b"c")
    assert card.stopped.is_set()
    computer.line.close()
    assert card.cut(random.Random(4))[0] == 3
    computer = Computer(card)
    computer.write(4, b"d")
    computer.ask(FLUSH)
    assert (tmp_path / "image").read_bytes()[4 * BLOCK :].startswith(b"d" * BLOCK)
