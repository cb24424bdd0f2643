"""The real Mosquitto on a free loopback port, with a hall's passwords and rights, for as long as a test wants it."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from paho.mqtt.client import Client, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion

from companion.appliance.broker_settings import Broker
from companion.hall.broker import HALL, Listener, add_hall, add_table, write_conf
from tests.waiting import within

MOSQUITTO = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")

CERTIFICATES = Path(__file__).parent / "certificates"
"""Of an authority whose key nobody has kept, for localhost; they are of use nowhere else, and good until 2126."""


def free_port() -> int:
    with socket.socket() as here:
        here.bind(("127.0.0.1", 0))
        return int(here.getsockname()[1])


class RealBroker:
    """A Mosquitto that is started, stopped, killed and started again; its files are in `folder`."""

    def __init__(self, folder: Path, encrypted: bool = False) -> None:
        if MOSQUITTO is None:
            pytest.fail("there is no mosquitto: sudo apt install mosquitto (deploy/test does)")
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.port = free_port()
        self.passwords = {HALL: add_hall(folder)}
        here = Listener(port=self.port, address="127.0.0.1")
        if encrypted:
            here = msgspec.structs.replace(
                here, certificate=CERTIFICATES / "certificate.pem", key=CERTIFICATES / "key.pem"
            )
        self._conf = write_conf(folder, [here])
        self._process: subprocess.Popen[bytes] | None = None

    def add(self, name: str) -> Broker:
        """Let a table come, and return its settings; a running broker takes it in."""
        _, self.passwords[name] = add_table(self.folder, name)
        if self._process is not None:
            self._process.send_signal(signal.SIGHUP)
        return self.settings(name)

    def settings(self, name: str) -> Broker:
        return Broker(address=f"127.0.0.1:{self.port}", name=name, password=self.passwords[name], names="full")

    def start(self) -> None:
        # As root Mosquitto becomes another user, who can't read a test's folder; that it may stay root is said so.
        conf = self._conf.read_text()
        run = self.folder / "run.conf"
        run.write_text(conf + ("" if os.geteuid() else "user root\n"))
        self._process = subprocess.Popen(
            [f"{MOSQUITTO}", "-c", f"{run}"], stdout=subprocess.DEVNULL, stderr=(self.folder / "log").open("ab")
        )
        for _ in range(250):
            with socket.socket() as there:
                if there.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            assert self._process.poll() is None, (self.folder / "log").read_text()
            time.sleep(0.02)
        raise AssertionError("the broker does not answer")

    def kill(self) -> None:
        """End it as a power cut would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def client(self, name: str, client_id: str = "") -> Client:
        """Return a connected client of a user, whose loop runs; disconnect it in the end."""
        client = Client(CallbackAPIVersion.VERSION2, client_id=client_id, protocol=MQTTv5)
        client.username_pw_set(name, self.passwords[name])
        client.connect("127.0.0.1", self.port, 20)
        client.loop_start()
        assert within(20, client.is_connected), f"{name} is not let in"
        return client


@contextmanager
def running(folder: Path, encrypted: bool = False) -> Iterator[RealBroker]:
    """Run a broker."""
    broker = RealBroker(folder, encrypted)
    broker.start()
    try:
        yield broker
    finally:
        broker.kill()
