"""A link that opens the app BG Stats with a play filled in, in the form that its makers document (`createPlay`).

It has the app's own scheme, so that nothing leaves the phone on which it is tapped: no web site is asked.
https://www.bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-or-websites/
"""

from __future__ import annotations

from datetime import UTC, datetime
from urllib.parse import quote

import msgspec

from companion.server.match_api import MatchSummary
from companion.text import plain
from companion.untyped import JsonObject

ADDRESS = "bgstats://app.bgstatsapp.com/createPlay.html?data="


def play_link(match: MatchSummary, location: str = "", seconds: float = 0) -> str:
    """Return the link for a match that is over; "" for one that is not, or that nobody finished (it was stopped).

    `location` is where it was played, `seconds` how long it took, if that is known.
    """
    if not match.over or not match.winners:
        return ""
    players = [
        {
            "name": name,
            "sourcePlayerId": name.casefold(),
            "score": score,
            "rank": match.places[seat],
            "winner": seat in match.winners,
        }
        for seat, (name, score) in enumerate(zip(match.names, match.scores, strict=True), 1)
    ]
    highest = not match.ranking.lowest
    play: JsonObject = {
        "sourceName": "Companion",
        "sourcePlayId": match.id,
        "playDate": _utc(match.at),
        "game": {"name": match.title, "sourceGameId": match.game, "highestWins": highest, "noPoints": False},
        "players": players,
    }
    if seconds >= 60:
        play["durationMin"] = round(seconds / 60)
    if location:
        play["location"] = location
    return ADDRESS + quote(msgspec.json.encode(play, enc_hook=plain), safe="")


def _utc(at: str) -> str:
    """Return a time as the app reads it: UTC, to the second."""
    try:
        return datetime.fromisoformat(at).astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")
    except (ValueError, OverflowError):
        return datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S")
