"""What `companion doctor` says of the broker that the table tells of its matches."""

from __future__ import annotations

from companion.appliance.settings import Settings, settings
from companion.devices.doctor import OK, WARN, Finding


def check_hall() -> Finding:
    """Check whether the broker lets the table in, if one is named; it is asked once, as another client."""
    broker = (settings() or Settings()).mqtt
    if not broker.told:
        return Finding("hall", OK, "nobody is told of this table's matches")
    from companion.appliance.broker_link import tried

    if words := tried(broker):
        return Finding("hall", WARN, words, "Look at the host's page: Settings, Hall and smart home.")
    return Finding("hall", OK, f"the broker at {broker.address} lets {broker.name} in")
