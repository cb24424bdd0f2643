"""Companion's lines in config.txt: put in, renewed and taken out, whatever the owner's file looks like."""

import pytest
from installer import configtxt

FRAGMENT = b"# the display\ndtparam=i2c_arm=on\ncamera_auto_detect=1\ngpio=17=ip,pu\n"
FILES = {
    "as it comes": b"dtparam=audio=on\ncamera_auto_detect=1\n[cm4]\notg_mode=1\n[all]\n",
    "empty": b"",
    "of Windows": b"dtparam=audio=on\r\n[all]\r\n",
    "with empty lines": b"\n\ndtparam=audio=on\n\n\n",
    "in no encoding": b"# gr\xfc\xdfe\xff\n[all]\n",
    "one line": b"a=b\n",
}


@pytest.mark.parametrize("config", FILES.values(), ids=FILES)
def test_lines_go_in_once_and_out_again(config):
    once, left_out = configtxt.with_lines(config, FRAGMENT)
    twice, _ = configtxt.with_lines(once, FRAGMENT)
    assert once == twice
    assert once.count(b"gpio=17=ip,pu") == 1
    assert left_out == []
    assert configtxt.without(once) == config


def test_a_last_line_without_an_end_is_kept_whole():
    once, _ = configtxt.with_lines(b"a=b", FRAGMENT)
    assert once.startswith(b"a=b\n")
    assert configtxt.without(once) == b"a=b\n"


def test_windows_line_ends_stay():
    once, _ = configtxt.with_lines(FILES["of Windows"], FRAGMENT)
    assert once.count(b"\n") == once.count(b"\r\n")


def test_a_new_fragment_takes_the_old_ones_place():
    once, _ = configtxt.with_lines(b"a=b\n", FRAGMENT)
    later, _ = configtxt.with_lines(once, b"gpio=5=ip,pu\n")
    assert b"gpio=17" not in later
    assert b"gpio=5=ip,pu" in later
    assert configtxt.without(later) == b"a=b\n"


def test_the_lines_are_for_every_model_whatever_section_the_file_ends_in():
    once, _ = configtxt.with_lines(b"[pi4]\narm_boost=1\n", FRAGMENT)
    ours = once.partition(configtxt.BEGIN)[2]
    assert ours.index(b"[all]") < ours.index(b"dtparam")


def test_what_the_owner_has_set_otherwise_stays_the_owners():
    once, left_out = configtxt.with_lines(b"camera_auto_detect=0\ndtoverlay=imx708\n", FRAGMENT)
    live = [line for line in once.splitlines() if line.startswith(b"camera_auto_detect")]
    assert live == [b"camera_auto_detect=0"]
    assert left_out == ["camera_auto_detect=0 is set in config.txt already, so it stays that way"]


def test_settings_that_may_come_twice_are_put_in_beside_the_owners():
    once, left_out = configtxt.with_lines(b"gpio=5=op\ndtparam=i2c_arm=off\n", FRAGMENT)
    assert b"\ndtparam=i2c_arm=on" in once
    assert left_out == []


def test_lines_added_after_ours_stay():
    once, _ = configtxt.with_lines(b"a=b\n", FRAGMENT)
    assert configtxt.without(once + b"hdmi=1\n") == b"a=b\nhdmi=1\n"


@pytest.mark.parametrize(
    "config",
    [
        configtxt.BEGIN + b"\na=b\n",
        b"a=b\n" + configtxt.END + b"\n",
        (configtxt.BEGIN + b"\n") * 2 + configtxt.END + b"\n",
    ],
)
def test_marks_that_somebody_edited_are_not_guessed_at(config):
    with pytest.raises(configtxt.ConfigError, match="by hand"):
        configtxt.with_lines(config, FRAGMENT)
