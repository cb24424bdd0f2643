"""Pages about matches: choosing a game, earlier matches, packing away, steps back. They work without a script."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypedDict

import msgspec
from flask import Blueprint, Response, make_response, redirect, request
from werkzeug.datastructures import MultiDict

from companion.referee import commands as say
from companion.referee.commands import LONGEST, MODES
from companion.referee.publishing import rewritten
from companion.rules.kernel import MOST_SECONDS, Info, Seat, Timing
from companion.rules.seats import LONGEST_NAME, clean_name
from companion.server import charts, guard
from companion.server.bgstats import play_link
from companion.server.context import RefusedError, download, fresh, host_only, is_host, own_seats, refusing, server
from companion.server.documents import PUBLIC
from companion.server.main_pages import live_page
from companion.server.match_api import Matches, MatchesError, MatchSummary, Plan
from companion.server.preparing import steps
from companion.server.words import voice
from companion.server.words.speaking import fallback
from companion.text import DAY, local_time, said, t

blueprint = Blueprint("evening", __name__)

LARGEST_EXPORT = 8 * 1024 * 1024
"""Bytes: an exported match has a few hundred a record."""
MODE_WORDS = {
    "assist": t("Assist: warn once, then go on"),
    "strict": t("Strict: stop at every mistake"),
    "ledger": t("Ledger: no camera, phones only"),
}

CLOCKS = {
    "": "None",
    "turn": t("A turn timer: so many seconds a turn"),
    "chess": t("A chess clock: so many seconds for all of a player's turns"),
    "glass": t("A sand glass: somebody turns it over"),
}
"""The clocks that can be played against."""
USUAL_SECONDS = 60
"""Seconds of such a clock, where nobody says otherwise."""


def _matches() -> Matches:
    matches = server().table.matches
    if matches is None:
        raise RefusedError(404, t("One match only is played at this table."))
    return matches


def _said(told: MatchSummary) -> MatchSummary:
    """Put what is told of a match into the language of this request."""
    return msgspec.structs.replace(told, names=tuple(map(voice.say, told.names)), words=voice.say(told.words))


def _page(template: str, status: int = 200, /, **more: object) -> Response:
    return fresh(template, status, live=False, host=is_host(), **more)


def _switch(change: Callable[[], None], then: str = "/host") -> Response:
    """Put another match up, and lead on; phones keep their seats in it, as far as it has them."""
    here = server()
    change()
    snapshot = here.table.snapshot()
    here.keys.follow(snapshot.match, snapshot.seats)
    for seat in here.keys.taken():
        here.table.set_occupied(seat, True)
    here.feed.refresh()
    return make_response(redirect(then, 303))


# ------------------------------------------------------------------------------------------------- a new match


@blueprint.get("/host/new")
def choose() -> Response:
    """Show the games."""
    if not is_host():
        return make_response(redirect("/host", 302))
    matches = _matches()
    return _page(
        "choose.html",
        groups=_groups(matches.games()),
        blind=_blind(),
        gathering=matches.gathering,
        made=server().table.maker is not None,
        may_resume=matches.may_resume,
    )


def _blind() -> bool:
    """Whether the host said that no camera sees the table."""
    return request.args.get("mode") == "ledger"


def _groups(infos: Iterable[Info]) -> list[dict[str, object]]:
    """Lay the games out by what has to lie ready for them; first what can be played on a table without a mat."""
    table = server().table
    if table.simulated:
        return [{"words": "", "infos": infos}]
    # Whatever has no cards of its own to print is played with a deck of playing cards.
    own = dict(table.prints.games())
    by_deck: dict[str, object] = {
        "words": t("With a deck of cards"),
        "why": t("Any deck will do.") if _blind() else t("One with codes, or any other: the camera is taught it once."),
        "print": "" if _blind() else "/cards/standard#print",
        "infos": [info for info in infos if info.name not in own],
    }
    printed: dict[str, object] = {
        "words": t("With printed cards"),
        "why": t("Or with the real box."),
        "print": "/cards",
        "infos": [info for info in infos if info.name in own],
    }
    bare = table.aiming is not None and table.aiming.bare.layout() is not None
    return [by_deck, printed] if bare or table.session.mat.loose else [printed, by_deck]


@blueprint.get("/host/new/<name>")
def plan(name: str) -> Response:
    """Show what can be chosen for a game; with `?seats=` for so many players."""
    if not is_host():
        return make_response(redirect("/host", 302))
    info = _info(name)
    usual, asked = _usual(info), request.args.get("seats", "")
    if asked.isascii() and asked.isdigit() and int(asked[:3]) in range(info.seats[0], info.seats[1] + 1):
        usual = msgspec.structs.replace(usual, seats=int(asked[:3]))
    if _blind():
        usual = msgspec.structs.replace(usual, mode="ledger")
    return _plan_page(info, usual)


@blueprint.post("/host/new/<name>")
def begin(name: str) -> Response:
    """Begin a match."""
    host_only()
    info = _info(name)
    usual = _usual(info)
    try:
        chosen = _chosen(info, request.form)
    except MatchesError as error:
        return _plan_page(info, usual, said(error), 400)
    # The evening begins: the host takes a seat, and shows the others the way.
    then = "/host" if own_seats() or not _matches().gathering else "/join"
    try:
        return _switch(lambda: _matches().begin(chosen), "/host/teach" if "teach" in request.form else then)
    except MatchesError as error:
        return _plan_page(info, chosen, said(error), 409)


@blueprint.post("/host/again")
def again() -> Response:
    """Begin the match that is played anew: cards that were taught meanwhile are known in it."""
    host_only()
    plan = _matches().plan()
    if plan is None:
        raise RefusedError(409, t("No match has been begun yet."))
    with refusing(409, MatchesError):
        return _switch(lambda: _matches().begin(plan), "/host" if own_seats() else "/join")


def _info(name: str) -> Info:
    for info in _matches().games():
        if info.name == name:
            return info
    raise RefusedError(404, t("There is no such game here: choose one of those shown."))


def _plan_page(info: Info, chosen: Plan, message: str = "", status: int = 200) -> Response:
    matches = _matches()
    snapshot = server().feed.moment.snapshot
    playing = not matches.gathering and snapshot.phase != "over" and snapshot.record > 0
    return _page(
        "plan.html",
        status,
        info=info,
        plan=chosen,
        message=message,
        modes=MODE_WORDS,
        clocks=CLOCKS,
        usual_seconds=USUAL_SECONDS,
        longest_clock=MOST_SECONDS,
        longest=LONGEST,
        longest_name=LONGEST_NAME,
        playing=playing,
        may_resume=matches.may_resume,
        taken=server().keys.taken(),
        teach=matches.gathering
        and not server().table.simulated
        and info.name not in dict(server().table.prints.games()),
        preparing=_preparing(info, chosen.seats),
    )


def _preparing(info: Info, seats: int) -> dict[str, object] | None:
    try:
        return steps(info.preparing, _matches().mat(info.name, seats)) if info.preparing else None
    except MatchesError:
        return None  # what is wrong with the owner's board is said when the match begins


def _usual(info: Info) -> Plan:
    """Suggest a plan: the last one's, as far as it fits, with a seat for every phone at least."""
    here = server()
    last = _matches().plan()
    taken, names = here.keys.taken(), _given_names(here.feed.moment.snapshot.names, here.keys.taken(), last)
    low, high = info.seats
    wanted = max(max(taken, default=0), last.seats if last else 0) or 4
    options = {option.name: option.default for option in info.options}
    if last is not None and last.game == info.name:
        options.update(last.options)
    return Plan(
        game=info.name,
        seats=min(high, max(low, wanted)),
        options=options,
        mode=last.mode if last else "assist",
        bid_seconds=_bid_seconds(last),
        timing=last.timing if last is not None and last.game == info.name else info.timing,
        trainer=last.trainer if last else False,
        names=names,
    )


def _bid_seconds(last: Plan | None) -> int:
    """Suggest what the owner has settled, else the last match's."""
    owner = server().table.owner
    settled = owner.now.bid_seconds if owner is not None else None
    return settled if settled is not None else (last or Plan(game="", seats=0)).bid_seconds


def _given_names(names: Mapping[Seat, str], taken: frozenset[Seat], last: Plan | None) -> dict[Seat, str]:
    """Return the names that people chose: those of seats with a phone, and those that the host typed."""
    return {seat: name for seat, name in names.items() if seat in taken or (last is not None and seat in last.names)}


def _chosen(info: Info, form: MultiDict[str, str]) -> Plan:
    """Read the form.

    Raises:
        MatchesError: if a field is no number, or there is no such field.
    """
    options = {
        option.name: _number(form.get(f"option.{option.name}", ""), option.words, option.default)
        for option in info.options
    }
    mode = form.get("mode", "assist")
    if mode not in MODES:
        raise MatchesError(t("Choose how strict the companion should be."))
    names: dict[Seat, str] = {}
    for seat in range(1, info.seats[1] + 1):
        name = clean_name(form.get(f"name.{seat}", ""))
        if name:
            names[seat] = name
    usual = Plan(game=info.name, seats=0)
    return Plan(
        game=info.name,
        seats=_number(form.get("seats", ""), t("How many players"), 0),
        options=options,
        mode=mode,
        bid_seconds=_number(form.get("bid_seconds", ""), t("Seconds for a bid"), usual.bid_seconds),
        timing=_timing(form),
        trainer=form.get("trainer") == "yes",
        names=names,
        colours=dict(server().feed.moment.snapshot.colours),
    )


def _timing(form: MultiDict[str, str]) -> Timing:
    """Read which clock is played against; one that there is not `Matches.begin` refuses."""
    kind = form.get("clock", "")
    seconds = _number(form.get("clock_seconds", ""), t("Seconds of the clock"), USUAL_SECONDS)
    return Timing(kind, seconds) if kind else Timing()


def _number(text: str, words: str, missing: int) -> int:
    text = text.strip()
    if not text:
        return missing
    if not (text.lstrip("-").isascii() and text.lstrip("-").isdigit() and len(text) < 7):
        raise MatchesError(t("{words:capital}: type a whole number.", words=words))
    return int(text)


# -------------------------------------------------------------------------------------------- matches that were


@blueprint.get("/matches")
def matches() -> Response:
    """List the matches of the journal, and what each player has won."""
    return _list()


def _list(message: str = "", status: int = 200) -> Response:
    told = _summaries()
    current = server().feed.moment.snapshot.match
    shown = [_said(one) for one in told]
    return _page(
        "matches.html",
        status,
        matches=shown,
        players=players(told),
        message=message,
        current=current,
        may_resume=_matches().may_resume,
    )


class Sums(TypedDict):
    """How many matches somebody finished, and won."""

    played: int
    won: int


class SumsOfGame(Sums):
    """Those of one game."""

    title: str


class SumsOfPlayer(Sums):
    """Those of one player, and of these by game."""

    name: str
    games: dict[str, SumsOfGame]


def players(told: list[MatchSummary]) -> list[SumsOfPlayer]:
    """Sum up, by name, the finished matches and those that were won, in all and by game; who won most comes first."""
    found: dict[str, SumsOfPlayer] = {}
    for match in told:
        if not match.over or not match.winners:
            continue
        for seat, name in enumerate(match.names, start=1):
            if name == f"Seat {seat}":
                continue
            one = found.setdefault(name, {"name": name, "played": 0, "won": 0, "games": {}})
            game = one["games"].setdefault(match.title, {"title": match.title, "played": 0, "won": 0})
            both: tuple[Sums, Sums] = one, game
            for sums in both:
                sums["played"] += 1
                sums["won"] += seat in match.winners
    return sorted(found.values(), key=lambda one: (-one["won"], -one["played"], one["name"]))


def _summaries() -> list[MatchSummary]:
    with refusing(503, MatchesError):
        return _matches().summaries()


def _match(match: str) -> MatchSummary:
    for one in _summaries():
        if one.id == match:
            return one
    raise RefusedError(404, t("There is no such match in the journal: look at the list."))


@blueprint.get("/matches/<match>")
@guard.costly()
def match_page(match: str) -> Response:
    """Look back on a match of the journal."""
    told = _match(match)
    with refusing(409, MatchesError):
        course = rewritten(_matches().course(match), voice.say)
    label = voice.say(t("Scores of {title}", title=course.title))
    drawn = charts.looks(course, label)
    owner = server().table.owner
    play = play_link(told, owner.now.name if owner else "", sum(course.seconds))
    resumes = _matches().may_resume
    return _page("match.html", told=_said(told), course=course, play=play, may_resume=resumes, **drawn)


@blueprint.get("/matches/<match>.png")
@guard.costly()
def picture(match: str) -> Response:
    """Return a match's result as a picture to send to friends."""
    told = _match(match)
    key = ("picture", match, told.records, told.names, tuple(told.colours.items()), fallback())
    with refusing(409, MatchesError):
        made = server().drawn.get(key, lambda: _matches().picture(match))
    return download(made, "image/png", f"{told.game}-{local_time(told.at, DAY)}.png", "inline")


@blueprint.get("/matches/<match>.jsonl")
def export(match: str) -> Response:
    """Return a match as JSON lines, to the host."""
    host_only()
    told = _match(match)
    name = f"{told.game}-{local_time(told.at, DAY)}.jsonl"
    return download(_matches().export(match), "application/jsonl; charset=utf-8", name)


@blueprint.post("/matches/<match>/resume")
def resume(match: str) -> Response:
    """Go on with a match."""
    host_only()
    _match(match)
    with refusing(409, MatchesError):
        return _switch(lambda: _matches().resume(match))


@blueprint.post("/matches")
def take_in() -> Response:
    """Take an exported match in."""
    host_only()
    try:
        with guard.upload(LARGEST_EXPORT, server().limits.imports):
            given = request.files.get("match")
            if given is None or not given.filename:
                raise MatchesError(t("Choose the file of an exported match first."))
            _matches().take_in(given.stream.read().splitlines())
    except MatchesError as error:
        return _list(said(error), 400)
    return make_response(redirect("/matches", 303))


@blueprint.get("/host/delete")
def ask_to_delete() -> Response:
    """Ask the host whether a match is to be deleted."""
    host_only()
    return _page("delete.html", told=_said(_match(request.args.get("match", ""))))


@blueprint.post("/host/delete")
def delete() -> Response:
    """Delete a match for good."""
    host_only()
    match = _match(request.form.get("match", ""))
    with refusing(409, MatchesError):
        _matches().delete(match.id)
    return make_response(redirect("/matches", 303))


# ------------------------------------------------------------------------------- packing away, and steps back


@blueprint.get("/layout")
def layout() -> Response:
    """List what lies where, for packing away and laying out again."""
    return _page("layout.html", places=_matches().lies(), match=server().feed.moment.snapshot.match)


@blueprint.get("/setting-up")
def setting_up() -> Response:
    """Show everybody how the match is set up."""
    session = server().table.session
    if not session.preparing:
        raise RefusedError(404, t("How this game is set up only its own rules say."))
    return live_page("setting_up.html", PUBLIC, preparing=steps(session.preparing, session.mat))


@blueprint.get("/host/back/<int:n>")
def back(n: int) -> Response:
    """Show what going back to a record takes back and moves, before it is done."""
    host_only()
    with refusing(404, MatchesError):
        return _page("back.html", step=_matches().back(n))


@blueprint.post("/host/back/<int:n>")
def go_back(n: int) -> Response:
    """Go back to a record."""
    host_only()
    here = server()
    with refusing(409, MatchesError):
        step = _matches().back(n)
    asked = request.form.get("steps", "")
    if asked and asked != str(step.steps):
        raise RefusedError(409, t("The match has gone on meanwhile: look at the step back again."))
    if step.steps:
        reply = here.table.session.command(say.Undo(steps=step.steps, by="host"))
        if not reply.ok and reply.verdict is not None:
            raise RefusedError(409, t("{reason} {remedy}", reason=reply.verdict.reason, remedy=reply.verdict.remedy))
        here.feed.refresh()
    return make_response(redirect("/host", 303))
