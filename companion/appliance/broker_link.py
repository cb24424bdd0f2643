"""One connection to a broker (MQTT 5), and a sentence for each way in which there is none."""

from __future__ import annotations

import hashlib
import importlib.metadata
import logging
import queue
import socket
import ssl
import time
from collections.abc import Callable

from paho.mqtt.client import Client, DisconnectFlags, MQTTMessage, MQTTMessageInfo, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from companion.appliance.broker_settings import Broker
from companion.appliance.home_assistant import discovery_topic
from companion.hall import messages
from companion.hall.connections import notice_cuts
from companion.hall.messages import Message, Presence, topic
from companion.referee.journal import now
from companion.text import t

log = logging.getLogger(__name__)

CONNECTING = 5.0
"""Seconds for the broker to answer."""
KEEPALIVE = 20
"""Seconds: a broker that hears nothing for one and a half times as long says that the table is gone."""
ANSWERS = 200
"""Messages of the hall that wait to be looked at; it repeats what is dropped."""
IN_FLIGHT = 10
"""Messages that the broker has not taken yet, at most; it may allow only 20."""
TAKEN_OVER = 142
"""The reason with which a broker ends a connection because another client came with the same name (MQTT 5)."""


class LinkError(Exception):
    """The broker can't be used; the message is a sentence that says what to do."""


class Connection:
    """One connection, from greeting to good-bye. What the broker sends waits in `heard`."""

    def __init__(self, settings: Broker, title: Callable[[], str]) -> None:
        self._settings, self._title, self._titled = settings, title, ""
        self.heard: queue.Queue[tuple[str, bytes]] = queue.Queue(ANSWERS)
        self.denied = ""
        """That the broker lets the table not write, in a sentence."""
        self._answer: queue.Queue[ReasonCode] = queue.Queue(1)
        self._ended: ReasonCode | None = None
        self._said = float("inf")
        self._client = client = _client(settings, own_id(settings))
        client.max_inflight_messages_set(IN_FLIGHT)
        client.will_set(topic(settings.name, "presence"), messages.encode(self._presence(False)), 1, retain=True)
        client.on_connect = lambda client, data, flags, reason, properties: self._answer.put(reason)
        client.on_disconnect = self._on_end
        client.on_message = self._on_message
        client.on_publish = self._on_publish

    def __enter__(self) -> Connection:
        host, port = self._settings.place
        try:
            self._client.connect(host, port, KEEPALIVE)
        except (OSError, ValueError) as error:
            raise LinkError(unreached(error, self._settings)) from None
        self._client.loop_start()
        try:
            reason = self._answer.get(timeout=CONNECTING)
        except queue.Empty:
            self._client.loop_stop()
            raise LinkError(no_broker(self._settings)) from None
        if reason.is_failure:
            self._client.loop_stop()
            raise LinkError(refusal(reason.value, f"{reason}"))
        table = self._settings.name
        wanted = (*messages.TO_TABLE, "press") if self._settings.buttons else messages.TO_TABLE
        self._client.subscribe([(topic(table, what), 1) for what in wanted])
        self.say_there()
        return self

    def __exit__(self, *error: object) -> None:
        if self._client.is_connected():
            last = self._client.publish(
                topic(self._settings.name, "presence"), messages.encode(self._presence(False)), 1, retain=True
            )
            try:
                last.wait_for_publish(1.0)
            except (ValueError, RuntimeError):
                log.debug("the broker was gone before the good-bye")
        self._client.disconnect()
        self._client.loop_stop()

    def say_there(self) -> None:
        """Publish that the table is there."""
        self._said, self._titled = time.monotonic(), self._title()
        self.send(topic(self._settings.name, "presence"), self._presence(True), retain=True)

    def _presence(self, online: bool) -> Presence:
        # A good-bye has no title: the last will was written when the table may have had another.
        return Presence(
            online=online, title=self._titled if online else "", version=version(), at=now() if online else None
        )

    def _on_end(
        self, client: Client, data: object, flags: DisconnectFlags, reason: ReasonCode, properties: Properties | None
    ) -> None:
        self._ended = reason

    def _on_message(self, client: Client, data: object, message: MQTTMessage) -> None:
        what = message.topic.rpartition("/")[2]
        if what == "press" and message.retain:
            return  # pressed by somebody at some time: that is no press now
        try:
            self.heard.put_nowait((what, bytes(message.payload)))
        except queue.Full:
            log.debug("an answer of the hall is dropped: it will be repeated")

    def _on_publish(self, client: Client, data: object, n: int, reason: ReasonCode, properties: Properties) -> None:
        if reason.is_failure:
            self.denied = t(
                "The broker does not let {name} write its topics: ask who runs it.", name=self._settings.name
            )

    def check(self) -> None:
        """Look whether the connection is there, and say so again from time to time; raise LinkError if it has ended."""
        if self._ended is not None:
            if self._ended.value == TAKEN_OVER:
                raise LinkError(t("Another box uses this table's name at the broker: give each its own."))
            raise LinkError(_ended())
        if time.monotonic() - self._said > messages.AGAIN or self._title() != self._titled:
            self.say_there()

    def send(self, where: str, message: Message, qos: int = 1, retain: bool = False) -> MQTTMessageInfo:
        """Send a message."""
        return self.send_bytes(where, messages.encode(message), qos, retain)

    def send_bytes(self, where: str, payload: bytes, qos: int = 1, retain: bool = False) -> MQTTMessageInfo:
        """Send what is encoded already; raise LinkError if the connection has ended."""
        self.check()
        sent = self._client.publish(where, payload, qos, retain)
        if sent.rc > MQTTErrorCode.MQTT_ERR_SUCCESS:
            raise LinkError(_ended())  # since it was looked at
        return sent


def _client(settings: Broker, name: str) -> Client:
    client = Client(CallbackAPIVersion.VERSION2, client_id=name, protocol=MQTTv5, reconnect_on_failure=False)
    client.username_pw_set(settings.name, settings.password or None)
    client.connect_timeout = CONNECTING
    client.on_socket_open = notice_cuts
    if settings.tls:
        client.tls_set_context(ssl.create_default_context(cadata=settings.ca or None))
    return client


def _ended() -> str:
    return t("The connection to the broker has ended; it is tried again.")


def own_id(settings: Broker) -> str:
    """Return the connection's name: always the same, to end an old one, and secret, so that others can't end it."""
    mark = hashlib.sha256(b"\0".join((settings.name.encode(), settings.password.encode()))).hexdigest()
    return f"{settings.name}-{mark[:16]}"


def version() -> str:
    """Return this program's version."""
    try:
        return importlib.metadata.version("companion")
    except importlib.metadata.PackageNotFoundError:
        return ""


def no_broker(settings: Broker) -> str:
    """Return the sentence that nothing answers."""
    return t(
        "The broker at {address} does not answer: is it switched on, and in the same network?", address=settings.address
    )


def unreached(error: Exception, settings: Broker) -> str:
    """Return why a broker can't be reached, and what to do."""
    if isinstance(error, socket.gaierror):
        return t("The broker at {address} is not found: check its address, and the network.", address=settings.address)
    if isinstance(error, ssl.SSLCertVerificationError):
        return t(
            "The broker at {address} shows a certificate that is not trusted: paste its "
            "authority's certificate into the settings, and use the name that stands in it.",
            address=settings.address,
        )
    if isinstance(error, ssl.SSLError):
        return t("The broker at {address} does not speak TLS there: check the port.", address=settings.address)
    if isinstance(error, ConnectionRefusedError):
        return t("Nothing answers at {address}: is the broker running, and is that its port?", address=settings.address)
    return no_broker(settings)


def refusal(reason: int, name: str) -> str:
    """Return why a broker refuses a connection (a reason of MQTT 5), and what to do."""
    if reason in (134, 135):
        return t("The broker refuses the table's name or its password: type both again in the settings.")
    return t("The broker refuses the connection ({name}): ask who runs it.", name=name)


def tried(settings: Broker) -> str:
    """Connect once, as another client, to see whether it can be done; return what is wrong, "" if nothing is."""
    return _once(settings, "", ())


def emptied(settings: Broker, own: Broker) -> str:
    """Empty all that a broker keeps of a table, as `own`, for Home Assistant first; return what is wrong, or ""."""
    kept = (topic(settings.name, what) for what in ("snapshot", "call", "presence"))
    return _once(settings, own_id(own), (discovery_topic(settings.name), *kept))


def _once(settings: Broker, name: str, empty: tuple[str, ...]) -> str:
    other = _client(settings, name)
    answer: queue.Queue[ReasonCode] = queue.Queue(1)
    taken: queue.Queue[ReasonCode] = queue.Queue()
    other.on_connect = lambda client, data, flags, reason, properties: answer.put(reason)
    other.on_publish = lambda client, data, n, reason, properties: taken.put(reason)
    try:
        other.connect(*settings.place, KEEPALIVE)
        other.loop_start()
        reason = answer.get(timeout=CONNECTING)
        for where in empty if not reason.is_failure else ():
            other.publish(where, b"", 1, retain=True)
            reason = taken.get(timeout=CONNECTING)
            if reason.is_failure:
                break
    except (OSError, ValueError) as error:
        return unreached(error, settings)
    except queue.Empty:
        return no_broker(settings)
    finally:
        other.disconnect()
        other.loop_stop()
    return refusal(reason.value, f"{reason}") if reason.is_failure else ""
