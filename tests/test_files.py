"""A file is there whole or as it was before."""

import pytest

from companion.files import written_whole


def test_a_file_takes_its_name_when_it_is_complete(tmp_path):
    path = tmp_path / "new" / "settings.json"
    with written_whole(path, 0o600) as file:
        file.write(b"one")
        assert not path.exists()
    assert path.read_bytes() == b"one"
    assert path.stat().st_mode & 0o777 == 0o600
    assert [one.name for one in path.parent.iterdir()] == ["settings.json"]


def test_what_fails_half_way_leaves_the_file_as_it_was_and_nothing_else(tmp_path):
    path = tmp_path / "settings.json"
    path.write_bytes(b"before")

    def torn() -> None:
        with written_whole(path) as file:
            file.write(b"half of")
            raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        torn()
    assert path.read_bytes() == b"before"
    assert [one.name for one in tmp_path.iterdir()] == ["settings.json"]


def test_what_a_pulled_plug_left_behind_is_written_over(tmp_path):
    left = tmp_path / "keys.json.new"
    left.write_bytes(b"much longer than what comes now")
    left.chmod(0o666)
    with written_whole(tmp_path / "keys.json", 0o600) as file:
        file.write(b"now")
    assert (tmp_path / "keys.json").read_bytes() == b"now"
    assert (tmp_path / "keys.json").stat().st_mode & 0o777 == 0o600
    assert not left.exists()
