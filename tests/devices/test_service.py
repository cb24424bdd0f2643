"""Services: they come back by themselves, tell passing from permanent faults, and never take others along."""

from __future__ import annotations

import logging
import threading
from math import inf

import pytest

from companion.devices.service import Backoff, DeviceError, PermanentError, Service, start_all, stop_all


class Scripted(Service):
    """Raises what it is told, then runs; the clock is turned by hand."""

    def __init__(self, *script: Exception | None, lasts: float = 0.0, name: str = "thing") -> None:
        self.now = 0.0
        super().__init__(name, clock=lambda: self.now, backoff=Backoff(1.0, 8.0))
        self.script = list(script)
        self.lasts = lasts
        self.calls: list[str] = []
        self.ran = threading.Event()

    def setup(self) -> None:
        self.calls.append("setup")

    def run(self) -> None:
        self.calls.append("run")
        self.now += self.lasts
        error = self.script.pop(0) if self.script else None
        if error:
            raise error
        self.ran.set()
        self.stopping.wait()

    def teardown(self) -> None:
        self.calls.append("teardown")


def test_pauses_double_up_to_the_longest() -> None:
    backoff = Backoff(0.5, 6.0)
    assert [backoff.next() for _ in range(6)] == [0.5, 1.0, 2.0, 4.0, 6.0, 6.0]


def test_pauses_stay_bounded_after_a_year_of_failures() -> None:
    backoff = Backoff(0.5, 30.0)
    backoff.failures = 1_000_000
    assert backoff.next() == 30.0


def test_a_passing_fault_waits_and_tears_down_before_it_is_tried_again() -> None:
    service = Scripted(DeviceError("loose"), DeviceError("loose"))
    assert service.attempt() == 1.0
    assert service.health.state == "waiting"
    assert service.health.words == "loose"
    assert service.attempt() == 2.0
    assert service.calls == ["setup", "run", "teardown"] * 2


def test_a_permanent_fault_is_not_tried_again_and_says_what_to_do() -> None:
    service = Scripted(PermanentError("put the user into the group i2c"))
    assert service.attempt() == inf
    assert service.health.state == "broken"
    assert "group i2c" in service.health.words


def test_a_run_that_lasted_starts_the_pauses_small_again() -> None:
    service = Scripted(DeviceError("a"), DeviceError("b"), DeviceError("c"))
    assert [service.attempt(), service.attempt()] == [1.0, 2.0]
    service.lasts = 60.0
    assert service.attempt() == 1.0


def test_a_device_that_opens_but_fails_at_once_is_not_hammered() -> None:
    service = Scripted(*(DeviceError("short") for _ in range(4)), lasts=0.1)
    assert [service.attempt() for _ in range(4)] == [1.0, 2.0, 4.0, 8.0]


def test_the_same_fault_is_logged_once_and_its_end_too(caplog: pytest.LogCaptureFixture) -> None:
    service = Scripted(*(DeviceError("loose wire") for _ in range(5)))
    with caplog.at_level(logging.INFO):
        for _ in range(5):
            service.attempt()
    assert [record.message for record in caplog.records] == ["thing: loose wire", "thing: works again"]


def test_a_fault_that_comes_back_after_a_good_hour_is_told_again(caplog: pytest.LogCaptureFixture) -> None:
    service = Scripted(DeviceError("loose wire"), DeviceError("loose wire"))
    service.attempt()
    service.lasts = 3600.0
    service.attempt()
    assert [record.message for record in caplog.records] == ["thing: loose wire"] * 2


def test_an_unexpected_error_of_a_driver_is_a_passing_fault() -> None:
    service = Scripted(ZeroDivisionError("in a driver"))
    assert service.attempt() == 1.0
    assert "ZeroDivisionError" in service.health.words


def test_a_failing_service_leaves_the_others_running() -> None:
    bad, good = Scripted(PermanentError("gone"), name="bad"), Scripted(name="good")
    start_all([bad, good])
    assert good.ran.wait(5)
    stop_all([bad, good])
    assert good.health.state == "off"
    assert "teardown" in good.calls


def test_services_stop_in_reverse_order() -> None:
    order: list[str] = []

    class Noted(Scripted):
        def stop(self, timeout: float = 5.0) -> None:
            order.append(self.name)
            super().stop(timeout)

    services = [Noted(name="first"), Noted(name="second")]
    start_all(services)
    stop_all(services)
    assert order == ["second", "first"]


def test_a_broken_service_tries_again_when_it_is_started_again() -> None:
    service = Scripted(PermanentError("no bus"))
    service.start()
    assert service._thread is not None
    service._thread.join(5)
    assert service.health.state == "broken"
    service.start()
    assert service.ran.wait(5)
    service.stop()
