"""What the C library keeps of pictures that are gone is given back."""

import subprocess
import sys

import pytest

from companion.appliance import heap
from tests.waiting import until

HOLES = """

from companion.appliance import heap
def held():
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmRSS")) / 1000
pictures = [bytearray(100_000) for _ in range(2000)]
kept = pictures[::50]
del pictures
before = held()
assert heap.give_back()
print(before - held())
"""

LARGE = """

from companion.appliance import heap
def held():
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmRSS")) / 1000
assert heap.share()
largest = bytearray(30_000_000)
del largest  # from now on the library would keep blocks up to this size in its heap
pictures, kept = [], []
for _ in range(20):
    pictures.append(bytearray(b"1") * 6_000_000)
    kept.append(bytearray(b"1") * 200_000)
before = held()
del pictures
print(before - held())
"""

THREADS = """

import ctypes, threading
from companion.cli import main
def count():
    from companion.devices import oled  # its library's threads are there from now on
    threads = [threading.Thread(target=lambda: kept.append([bytes(900) for _ in range(900)])) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    library = ctypes.CDLL(None)
    library.fopen.restype = ctypes.c_void_p
    told = ctypes.c_void_p(library.fopen(b"/dev/stdout", b"w"))
    library.malloc_info(0, told)
    library.fclose(told)
kept = []
main._of = lambda name: count
main.main()
"""


@pytest.mark.skipif(not heap.give_back(), reason="not a GNU system")
def test_all_threads_share_the_heap_those_of_libraries_too():
    done = subprocess.run([sys.executable, "-c", THREADS], capture_output=True, text=True, check=True, timeout=60)
    assert 1 <= done.stdout.count("<heap nr=") <= heap.ARENAS


@pytest.mark.skipif(not heap.give_back(), reason="not a GNU system")
def test_a_large_picture_goes_back_as_soon_as_it_is_free():
    done = subprocess.run([sys.executable, "-c", LARGE], capture_output=True, text=True, check=True, timeout=60)
    assert float(done.stdout) > 100


@pytest.mark.skipif(not heap.give_back(), reason="not a GNU system")
def test_what_lies_free_between_things_that_are_kept_is_given_back():
    done = subprocess.run([sys.executable, "-c", HOLES], capture_output=True, text=True, check=True, timeout=60)
    assert float(done.stdout) > 100


def test_it_is_given_back_again_and_again_until_the_table_is_closed(monkeypatch):
    calls = []
    monkeypatch.setattr(heap, "give_back", lambda: calls.append(1) or True)
    trimmer = heap.Trimmer(every=0.01)
    trimmer.start()
    until(lambda: len(calls) >= 3)
    trimmer.close()
    assert not trimmer._thread.is_alive()


def test_where_the_system_knows_no_such_thing_nothing_happens(monkeypatch):
    monkeypatch.setattr(heap.ctypes, "CDLL", lambda name: object())
    assert not heap.share()
    assert not heap.give_back()
