"""Without a camera a whole match can be played with what the documents offer, and with nothing else."""

from __future__ import annotations

import random
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.nights import at_night
from tests.server.conftest import Clients
from tests.server.desks import MatchDesk
from tests.server.phones import join, send

MOVES = 3000


def facts(needs: list[dict[str, Any]], rng: random.Random) -> list[dict[str, Any]]:
    """Say something that came up, as a person picks it on the page."""
    told: list[dict[str, Any]] = []
    for need in needs:
        pieces = [card["piece"] for card in need["cards"]]
        if need["kind"] == "opened":
            picked = rng.sample(pieces, need["count"])
            told.append({"type": "opened", "place": need["place"], "pieces": picked})
        else:
            told.append({"type": "shown", "place": need["place"], "piece": rng.choice(pieces)})
    return told


def wish(doc: dict[str, Any], rng: random.Random) -> dict[str, Any] | None:
    """Tap something on a seat's page."""
    seat = doc["seat"]
    if doc["upkeep"]:
        due = rng.choice(doc["upkeep"])
        return {"do": "play", "seat": 0, "action": due["action"], "facts": facts(due["needs"], rng)}
    question = doc["question"]
    if question and question["mine"]:
        return {
            "do": "answer",
            "question": question["id"],
            "seat": seat,
            "choice": rng.choice(question["choices"])["key"],
        }
    allowed = [may for may in doc["may"] if may["allowed"]]
    if not allowed:
        return None
    likely = [may for may in allowed if may["name"] in ("add", "draw", "use")] or allowed
    may = rng.choice(likely if rng.random() < 0.8 else allowed)
    if may["holes"]:
        hole = rng.choice(may["holes"])
        action = {**hole["action"], hole["field"]: rng.choice(hole["cards"])["piece"]}
        return {"do": "play", "seat": seat, "action": action}
    choice = rng.choice(may["choices"])
    return {"do": "play", "seat": seat, "action": choice["action"], "facts": facts(choice["needs"], rng)}


@pytest.mark.parametrize(("seats", "seed"), [(2, 1), *at_night((3, 2), (8, 3))])
def test_a_whole_match_is_played_by_phones_alone(client_of: Clients, seats: int, seed: int) -> None:
    desk = MatchDesk(seats, prepared=False)
    table = client_of(desk)
    rng = random.Random(seed)
    phones: list[FlaskClient] = []
    for seat in range(1, seats + 1):
        phones.append(table.application.test_client())
        join(phones[-1], seat, f"P{seat}")
    done = refused = 0
    while desk.snapshot().phase != "over" and done < MOVES:
        turn = rng.randrange(seats)
        tap = wish(phones[turn].get(f"/state/seat-{turn + 1}").get_json(), rng)
        if tap is None:
            continue
        answer = send(phones[turn], tap)
        assert answer.status_code in (200, 409), answer.get_json()
        done += answer.status_code == 200
        refused += answer.status_code == 409
    assert desk.snapshot().phase == "over"
    page = table.get("/").text
    assert "The match is over." in page
    assert desk.snapshot().standing.outcome is not None
    # Only a guess at a laid-open hand may be wrong: nobody can see these hands.
    assert refused == 0 or seats == 2
