"""The hotspot gives way to a known Wi-Fi that is there again, unless a phone is in it."""

import pytest
from installer import network, rejoin

from tests.deploy.stand_ins import Asked

ACTIVE = "lo:lo\ncompanion-hotspot:wlan0\n"
PROFILES = (
    "11:802-11-wireless:yes:0\n22:802-11-wireless:yes:5\n33:802-11-wireless:no:9\n"
    "44:802-3-ethernet:yes:0\n55:802-11-wireless:yes:-100\n"
)
FIELDS = "802-11-wireless.mode,802-11-wireless.hidden,802-11-wireless.ssid"
PROFILE = f"nmcli --escape no --get-values {FIELDS} connection show uuid"
SCAN = "iw dev wlan0 scan ap-force"
SIGHT = "BSS 02:00:00:00:02:00(on wlan0)\n\tSSID: Caf\\xc3\\xa9: 1\nBSS 02:00:00:00:03:00(on wlan0)\n\tSSID: Other\n"


def box(root, fails=(), **changed):
    """A box whose hotspot is open, with two known Wi-Fis; `changed` are other answers, by their first word."""
    answers = {
        "nmcli --terse --fields NAME,DEVICE connection show --active": changed.get("active", ACTIVE),
        "iw dev wlan0 station dump": changed.get("phones", ""),
        SCAN: changed.get("scan", SIGHT),
        "nmcli --terse --fields UUID,TYPE,AUTOCONNECT,AUTOCONNECT-PRIORITY connection show": changed.get(
            "profiles", PROFILES
        ),
        f"{PROFILE} 11": "infrastructure\nno\nCafé: 1\n",
        f"{PROFILE} 22": f"\n{changed.get('hidden', 'no')}\nHome\n",
        f"{PROFILE} 55": "ap\nno\nTable 3\n",
    }
    return Asked(root, {words: said for words, said in answers.items() if said is not None}, fails=fails)


def up(uuid):
    return f"nmcli --wait 60 connection up uuid {uuid} ifname wlan0"


def test_the_known_wifi_that_is_seen_is_joined(tmp_path):
    system = box(tmp_path)
    assert rejoin.rejoin(system)
    assert system.done == [up(11)]


@pytest.mark.parametrize(
    "changed",
    [
        {"phones": "Station 02:00:00:00:01:00 (on wlan0)\n"},
        {"phones": None},
        {"active": "lo:lo\nhome:wlan0\n"},
        {"active": None},
        {"profiles": "55:802-11-wireless:yes:-100\n", "scan": None},
        {"scan": "BSS 02:00:00:00:03:00(on wlan0)\n\tSSID: Other\n"},
    ],
)
def test_the_hotspot_stays_open_for_a_phone_that_is_in_it_and_where_nothing_known_is_seen(tmp_path, changed):
    system = box(tmp_path, **changed)
    assert not rejoin.rejoin(system)
    assert system.done == []


def test_a_radio_that_cannot_look_meanwhile_tries_them_in_the_owners_order(tmp_path):
    system = box(tmp_path, scan=None, fails=(up(22),))
    assert rejoin.rejoin(system)
    assert system.done == [up(22), up(11)]


def test_a_router_that_one_look_has_missed_is_seen_by_the_next(tmp_path):
    system, looks = box(tmp_path), [None, "", SIGHT]
    ask = system.ask
    system.ask = lambda *command: looks.pop(0) if " ".join(command) == SCAN else ask(*command)
    assert rejoin.rejoin(system)
    assert system.done == [up(11)]


def test_a_hidden_wifi_is_tried_unseen(tmp_path):
    system = box(tmp_path, scan="", hidden="yes")
    assert rejoin.rejoin(system)
    assert system.done == [up(22)]


def test_it_comes_and_goes_with_the_hotspot(tmp_path):
    system = box(tmp_path)
    network.set_hotspot(system, "Table 3", "correcthorse")
    assert f"systemctl enable --quiet {rejoin.TIMER}" in system.done
    timer = tmp_path / "etc/systemd/system" / rejoin.TIMER
    assert timer.is_file()
    system.done.clear()
    network.set_hotspot(system, "Table 3", "correcthorse")
    assert system.done == []
    network.take_hotspot_back(system)
    assert not timer.exists()
    assert f"systemctl disable --quiet {rejoin.TIMER}" in system.done
