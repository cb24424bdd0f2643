"""The commands that others script against: what they print, and how they fail."""

import json
import subprocess
import sys

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from companion.cli.main import _of, cli
from companion.games.five_cards_collector.laying import Add
from companion.games.five_cards_collector.passing import Nothing
from companion.kept import forget
from companion.referee.journal import Header, Journal
from companion.referee.record import Record
from tests.referee.table import piece

run = CliRunner()


def call(*words, stdin=None):
    return run.invoke(cli, list(words), input=stdin)


@pytest.fixture
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path / "state"))
    return tmp_path / "state"


@pytest.fixture
def a_match(state):
    journal = Journal(state)
    setup = {"goals": [piece("Collection 1"), piece("Collection 2")], "turned_up": [piece("Red moon")]}
    header = Header(
        id="0192-abc", at="2026-01-01T00:00:00Z", game="five-cards-collector", seats=2, setup=setup, names={1: "Ada"}
    )
    journal.begin(header)
    for n, action in enumerate((Add(seat=1, card=piece("Red star")), Nothing(seat=2)), start=1):
        journal.append(header.id, Record(n=n, id=str(n), at="2026-01-01T00:00:00Z", seat=action.seat, action=action))
    journal.close()
    return header


def test_an_unknown_game_names_those_that_are_there():
    done = call("referee", "poker", "--seats", "3")
    assert done.exit_code == 2
    assert "five-cards-collector" in done.stderr


def test_a_number_of_seats_that_does_not_fit_is_said():
    done = call("referee", "five-cards-collector", "--seats", "9")
    assert done.exit_code == 2
    assert "2 to 8 players" in done.stderr


@pytest.mark.parametrize(("option", "words"), [("luck=3", "no option luck"), ("hand_limit=many", "whole number")])
def test_an_option_that_does_not_fit_is_said(option, words):
    done = call("referee", "five-cards-collector", "--seats", "2", "--option", option)
    assert done.exit_code == 2
    assert words in done.stderr


def test_referee_answers_line_by_line_in_a_process_of_its_own():
    lines = '{"setup": {}}\n\nnonsense\n{"ask": "standing"}\n'
    done = subprocess.run(
        [sys.executable, "-m", "companion", "referee", "five-cards-collector", "--seats", "2"],
        input=lines,
        capture_output=True,
        text=True,
        timeout=60,
    )
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["ok"] for one in told] == [True, False, True]


def test_the_options_of_a_match_reach_the_rules():
    done = call(
        "referee",
        "five-cards-collector",
        "--seats",
        "2",
        "--option",
        "hand_limit=7",
        stdin='{"setup": {}}\n{"ask": "state"}\n',
    )
    assert json.loads(done.stdout.splitlines()[1])["state"]["limit"] == 7


def test_of_a_command_that_is_named_no_other_is_made_and_its_help_is_the_same():
    every = get_command(cli).commands
    assert {"serve", "teach", "doctor", "hall"} <= set(every)
    for name in every:
        alone = get_command(_of(name)).commands
        assert set(alone) == (set(every) if name == "hall" else {name})
        assert alone[name].help == every[name].help
    assert _of("serv") is cli


def test_the_schema_is_json():
    told = json.loads(call("referee", "five-cards-collector", "--schema").stdout)
    assert "oneOf" in told


def test_replay_tells_a_match_in_words(a_match):
    done = call("replay", "last")
    assert done.exit_code == 0
    assert "Ada adds the red star" in done.stdout
    assert "Scores: Ada 1, seat 2 0" in done.stdout
    assert "nothing" not in call("replay", "0192", "--to", "1").stdout


def test_a_match_that_has_just_begun_is_told_as_it_was_set_up(tmp_path):
    """Who goes first has a coin less than the next, so a point less."""
    header = {"id": "0193", "at": "2026-01-01T00:00:00Z", "game": "collectors", "seats": 2, "setup": {"first": 2}}
    file = tmp_path / "match.jsonl"
    file.write_text(json.dumps(header))
    assert "Scores: seat 1 1, seat 2 0" in call("replay", str(file)).stdout


def test_a_match_goes_out_and_comes_in_again(a_match, tmp_path, monkeypatch):
    told = call("export", "0192").stdout
    file = tmp_path / "match.jsonl"
    file.write_text(told)
    assert "Ada adds the red star" in call("replay", str(file)).stdout
    again = call("import", str(file))
    assert again.exit_code == 2
    assert "in the journal already" in again.stderr
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path / "elsewhere"))
    assert "2 records" in call("import", str(file)).stdout
    assert call("export", "0192").stdout == told


def test_a_torn_export_is_named_by_its_record_and_nothing_is_taken_in(a_match, tmp_path, monkeypatch):
    lines = call("export", "0192").stdout.splitlines()
    file = tmp_path / "torn.jsonl"
    file.write_text("\n".join([lines[0], lines[1], lines[2][:30]]))
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path / "elsewhere"))
    done = call("import", str(file))
    assert done.exit_code == 2
    assert "Record 2" in done.stderr
    assert not (tmp_path / "elsewhere" / "journal.db").exists()


def test_a_match_that_is_not_there_is_said(state):
    assert "play a match first" in call("replay", "0192").stderr
    assert "play a match first" in call("export", "last").stderr


def test_without_a_camera_faults_disturb_the_table_views():
    done = call("simulate", "five-cards-collector", "--seats", "2", "--matches", "1", "--seed", "3", "--faults")
    assert done.exit_code == 0, done.stdout
    assert "Faults: hand " in done.stdout
    assert "simulated minutes" in done.stdout


def test_simulate_ends_with_the_number_of_divergences():
    done = call("simulate", "five-cards-collector", "--seats", "2", "--matches", "1", "--seed", "3")
    assert done.exit_code == 0, done.stdout
    assert "Divergences: 0" in done.stdout


def test_read_says_what_is_wrong_with_a_picture(tmp_path):
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(b"no picture")
    done = call("read", str(broken))
    assert done.exit_code == 1
    assert json.loads(done.stdout)["error"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--game", "chess"], "There is no game called chess"),
        (["--game", "collection", "--seats", "30"], "COLLECTION! is for 3 to 7 players, not 30"),
        (["--seats", "3"], "Name the game"),
        (["--reader", "deck"], "name the game with --game"),
        (["--reader", "best"], "There is no reader called best"),
    ],
)
def test_read_says_what_it_can_not_do(words, sentence):
    done = call("read", "table.jpg", *words)
    assert done.exit_code == 2
    assert sentence in done.stderr
    assert done.stdout == ""


def test_bench_says_what_it_can_not_measure_here():
    assert "python -m benchmarks table" in call("bench", "table").stderr
    assert "has no option --frames" in call("bench", "start", "--frames", "3").stderr


@pytest.mark.night
def test_watch_says_when_there_are_no_frames(tmp_path):
    done = call("watch", "five-cards-collector", "--seats", "3", "--frames", str(tmp_path / "none"))
    assert done.exit_code == 2
    assert "none" in done.stderr


@pytest.mark.parametrize("setup", ["[" * 100_000, '{"first": "\\ud800"}', "{"])
def test_watch_says_when_the_setup_can_not_be_read(tmp_path, setup):
    file = tmp_path / "setup.json"
    file.write_text(setup)
    done = call("watch", "five-cards-collector", "--seats", "3", "--frames", str(tmp_path), "--setup", str(file))
    assert done.exit_code == 2
    assert "can't be read" in done.stderr


def test_watch_says_when_the_setup_does_not_fit(tmp_path):
    setup = tmp_path / "setup.json"
    setup.write_text('{"first": 7}')
    done = call("watch", "five-cards-collector", "--seats", "3", "--frames", str(tmp_path), "--setup", str(setup))
    assert done.exit_code == 2
    setup.write_text("{")
    done = call("watch", "five-cards-collector", "--seats", "3", "--frames", str(tmp_path), "--setup", str(setup))
    assert "can't be read" in done.stderr


def test_doctor_reports():
    assert "zxing-cpp" in call("doctor").stdout


def test_doctors_walk_writes_a_report_whatever_is_answered(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    monkeypatch.setattr("companion.cli.walk.find_camera", lambda: None)
    monkeypatch.setattr("companion.cli.walk.own_voice", lambda: None)
    file = tmp_path / "report.txt"
    done = call("doctor", "--walk", "--report", str(file), stdin="It hums.\n")
    assert "not tried: buzzer: simulated" in done.stdout, done.stderr
    assert f"The report is in {file}" in " ".join(done.stdout.split("\n"))
    told = file.read_text()
    assert "zxing-cpp" in told
    assert "not tried  camera: there is none" in told
    assert "Remark: It hums." in told


def test_doctors_walk_asks_for_nothing_that_it_could_not_keep(tmp_path, monkeypatch):
    done = call("doctor", "--walk", "--report", str(tmp_path / "no" / "report.txt"))
    assert done.exit_code == 2
    assert "can't be written" in done.stderr
    monkeypatch.setattr("companion.cli.walk.service_runs", lambda: True)
    done = call("doctor", "--walk", "--report", str(tmp_path / "report.txt"))
    assert done.exit_code == 2
    assert "systemctl stop companion" in done.stderr
    assert not (tmp_path / "report.txt").exists()


@pytest.mark.night
def test_the_press_says_which_picture_of_an_owner_it_does_not_use(tmp_path, monkeypatch):
    own = tmp_path / "card_codes" / "karmic-collections" / "art" / "cover.svg"
    own.parent.mkdir(parents=True)
    own.write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><script/></svg>')
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    forget()
    done = call("press", "karmic-collections", "--out", str(tmp_path / "out"))
    assert done.exit_code == 0
    assert f"The picture {own} is not used: it has <script>" in done.stderr
    assert "The program's own is shown." in done.stderr
    assert "cards.pdf" in done.stdout
    forget()


@pytest.mark.night
def test_the_press_writes_a_manifest(tmp_path):
    done = call("press", "five-cards-collector", "--out", str(tmp_path), "--format", "png")
    assert done.exit_code == 0, done.stderr
    told = json.loads((tmp_path / "manifest.json").read_text())
    assert told["mat"]["w_mm"] == 900
    assert {"file", "piece", "face", "w_mm", "h_mm"} == set(told["pieces"][0])
