"""Robots at a live table: they play through a running match, make way for people, and follow the host's undo."""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager

import msgspec

from companion.eye.mat import Mat
from companion.eye.view import TableView
from companion.referee.commands import Command, Play, Reply
from companion.referee.record import Record
from companion.rules.cards import Piece
from companion.rules.kernel import (
    TABLE,
    Action,
    AnyGame,
    Instead,
    Seat,
    at,
    fill,
    holes,
    illegal,
)
from companion.rules.layout import Zone
from companion.sim.answering import Refereed, kind_of
from companion.sim.camera_stage import PACKET, TableStage
from companion.sim.goals import DECK
from companion.sim.rehearsal import Rehearsal
from companion.sim.report import DivergenceError, Report
from companion.sim.robots import NORMAL, STRONG, Thought, level_of, think
from companion.sim.sandbox import SharedTable
from companion.sim.stage import HAND, Books, Lying, Move, moves_between, target_books
from companion.sim.table import TableError
from companion.sim.world import AnyWorld, agree, hidden_in
from companion.text import t

log = logging.getLogger(__name__)

THINK = 12
"""Frames that a robot thinks before it acts, unless it only does what is due of several at once."""
SEEN = 3.5
"""Seconds (by the table's time) that a robot waits after a person's move, so that everybody sees what happened."""
LINGER = 15.0
"""Seconds (by the people's clock) in which a person who has laid a card may take what it takes, before robots go on."""
TRIES = 3
"""How often robots lay what is due before they leave it to people who take it out of their hands."""


class StoppedError(Exception):
    """Raised in the robots' thread when the performance is stopped."""


class UnfinishedError(Exception):
    """Raised for a person who is quicker than a robot that has not finished its turn: it may be tried again."""


class LiveStage(TableStage):
    """A simulated table whose frames are taken elsewhere: `next_frame` waits for one, `resting` asks the eye."""

    def __init__(
        self, table: SharedTable, mat: Mat, next_frame: Callable[[], bool], resting: Callable[[], bool]
    ) -> None:
        """Create it with an empty table; `next_frame` returns False when there will be no more frames."""
        super().__init__(table, mat, _ignore_view)
        self.shared = table
        self._next_frame = next_frame
        self._is_resting = resting

    def wait(self) -> None:
        """Wait for a frame; raise StoppedError if there will be none."""
        if not self._next_frame():
            raise StoppedError

    def look(self, everything: bool = False) -> list[Piece]:
        """Enter in the books what people moved; return what lies in no zone."""
        moved = self.shared.take_moved()
        if everything:
            moved |= {lying.piece for pile in self.books.values() for lying in pile}
            moved |= {lying.piece for lying in self.shared.pieces()}
        for zone, pile in self.books.items():
            self.books[zone] = [lying for lying in pile if lying.piece not in moved]
        strays: list[Piece] = []
        for lies in self.shared.pieces():
            place = self.mat.zone_at(lies.x, lies.y)
            if place is None:
                strays.append(lies.piece)
            elif lies.piece in moved:
                self.books.setdefault(place.name, []).append(Lying(lies.piece, lies.face))
        return strays

    def _step(self) -> None:
        self.wait()

    def _resting(self) -> bool:
        return self._is_resting()


def _ignore_view(view: TableView) -> None:
    """Views of a live table go to the match by themselves."""


class Performance(Rehearsal):
    """A match that robots play at a live table; seats in `persons` are played by people.

    A person's plays by phone are laid on the simulated table for them. While people move cards themselves robots wait,
    and lay nothing for them until `tidy` is set. `run` blocks until there are no more frames: a match that is over may
    be taken back.
    """

    def __init__(self, game: AnyGame, world: AnyWorld, referee: Refereed, stage: LiveStage, rng: random.Random) -> None:
        """Create it and deal the hidden cards."""
        super().__init__(game, world, referee, stage, rng, Report())
        self.persons: set[Seat] = set()
        self.levels: dict[Seat, str] = dict.fromkeys(world.hands, NORMAL)
        """How well the robot at each seat plays, by the name of its level."""
        self.think = think
        """Chooses what a robot does; a table puts a process of its own here."""
        self.reasons: dict[int, str] = {}
        """Why robots did what they did, by the number of the record."""
        world.persons = self.persons
        self.paused = threading.Event()
        self.tidy = threading.Event()
        self.lent = threading.Event()
        """Set while the table is somebody else's: robots wait as soon as they have done what they are about."""
        self.away = False
        """Whether they do."""
        self._live = stage
        self._taken: dict[Seat, list[Piece]] = {}
        self._choosing: dict[Zone, Seat] = {}
        """Where people have yet to lay cards of their hand face down, which they choose, and who does it."""
        cards = game.deck.by_piece()
        self.secret = frozenset(cards[piece].kind for piece in hidden_in(world) if world.hides())
        """The kinds of pieces that can be in a hand or face down; a bottle, say, never is."""
        self._shown_until = 0.0
        self.lost = False
        """Whether the robots can't follow what counts, and wait until it is taken back."""
        self.laying = False
        """Whether robots are laying what is due: people need not, and two at once would tear it from each other."""
        self.busy = False
        """Whether robots are about something, from the first piece that they move until the eye has seen the last."""

    def run(self) -> None:
        """Play until the frames end. After a fault it is called again, and begins from what lies on the table."""
        try:
            if len(self._saved) > len(self.done):
                self.world.restore(self._saved[len(self.done)])
                del self._saved[len(self.done) :], self.states[len(self.done) :]
            self._live.look(everything=True)
            self._choosing.clear()
            with self._at_work():
                self._lay()
            while True:
                self._next_step()
        except StoppedError:
            return

    def advice(self, seat: Seat, thinks: Callable[..., Thought]) -> str:
        """Return what a robot would do at a seat, as a sentence; "" if there is nothing to decide there."""
        due = not self.records_behind() and seat in self.game.actors(self.state)
        own = [action for action in self.world.choices(self.state) if action.seat == seat] if due else []
        if len(own) < 2:
            return ""
        best = level_of(self.game, STRONG)
        thought = thinks(self.game, self.state, self.world, own, best, random.Random(seat))
        return t("A robot would do this: {words}", words=self.game.describe(self.state, thought.action))

    def saw_person(self) -> None:
        """Wait from now on until everybody has seen what a person did."""
        self._shown_until = self._live.table.time + SEEN

    def hand(self, seat: Seat) -> tuple[Piece, ...]:
        """Return the simulated cards in a seat's hand: for the person who plays it, and nobody else."""
        unlaid = (piece for zone in self.choosing(seat) for piece in self._unlaid(zone))
        return (*(() if self.world.OPEN else self.world.hands.get(seat, ())), *unlaid)

    def holder(self, piece: Piece) -> Seat:
        """Return the seat in whose hand a card belongs; TABLE if in none."""
        return next((seat for seat, hand in self.world.hands.items() if piece in hand), TABLE)

    def choosing(self, seat: Seat) -> dict[Zone, int]:
        """Return in which zones a person has yet to lay cards of the hand face down, and how many."""
        zones = [zone for zone, who in self._choosing.copy().items() if who == seat]
        return {zone: count for zone in zones if (count := len(self._unlaid(zone)))}

    def _unlaid(self, zone: Zone) -> list[Piece]:
        """List the cards that the world thinks face down in a zone, and that a person has still in the hand."""
        pile = self.world.piles().get(zone, ())
        lying = {one.piece for one in self.lying().get(zone, ())}
        return [piece for piece in pile if piece not in lying]

    def cards_in_hand(self, seat: Seat) -> tuple[Piece, ...]:
        """Return the cards that a person at this seat has in the hand, known to the referee or not."""
        return tuple(self._live.shared.away([*self.hand(seat), *self._taken.get(seat, ())]))

    def lying(self) -> Books:
        """Return what lies in each zone, from the bottom up, whoever laid it there."""
        books: Books = {}
        for lies in self._live.shared.pieces():
            place = self._live.mat.zone_at(lies.x, lies.y)
            if place is not None:
                books.setdefault(place.name, []).append(Lying(lies.piece, lies.face))
        return books

    def take(self, seat: Seat, piece: Piece) -> None:
        """Record that a person takes a piece off the table into the hand."""
        for taken in self._taken.values():
            if piece in taken:
                taken.remove(piece)
        self._taken.setdefault(seat, []).append(piece)

    def drawing(self, seat: Seat, zone: Zone) -> Action | None:
        """Return the action that taking a card from a zone means if the table won't show it: a draw; else None."""
        found = [
            action
            for action in self.game.legal(self.state)
            if action.seat == seat
            and not holes(action)
            and self._evidence.get(kind_of(action)) == "C"
            and zone in self.game.touches(self.state, action)
        ]
        return found[0] if len(found) == 1 else None

    def checked(self, command: Command) -> Command | Reply:
        """Check that a person's card is in the simulated hand or lies open; return the command, or a refusal.

        The command has the held copy in place of its twin, and what is drawn or laid open for the person.

        Raises:
            UnfinishedError: if a robot still does what belongs to its turn.
        """
        if not isinstance(command, Play) or command.seat not in self.persons:
            return command
        state = _before(self.game, self.referee.state, command.action)
        if not command.facts and _turns_up(self.game, state, command.action):
            if self.records_behind():
                raise UnfinishedError(t("The table is being laid: wait a moment."))
            return msgspec.structs.replace(command, facts=self.world.facts(state, command.action))
        cards, hand = self.game.deck.by_piece(), self.hand(command.seat)
        open_ = {lies.piece for lies in self._live.shared.pieces() if lies.face == "F"}
        kind = type(command.action)
        template = next((legal for legal in self.game.legal(self.state) if type(legal) is kind and holes(legal)), None)
        action = command.action
        for name, _ in holes(template) if template is not None else ():
            piece = getattr(action, name)
            if piece in hand or piece not in cards or cards[piece].kind not in self.secret:
                continue  # a number that no card has is for the rules to refuse
            title = cards[piece].title
            twin = next((held for held in hand if cards[held].title == title), None)
            if twin is None and piece in open_:
                continue  # one of those that lie there for all
            if twin is None:
                reason = t("{title} is not among the cards in your simulated hand", title=title)
                return Reply(False, verdict=illegal("demo", reason, t("Choose one of the cards in your hand.")))
            action = fill(action, **{name: twin})
        robot = _finishing(self.world, self.persons) if template is not None else TABLE
        if robot != TABLE:
            raise UnfinishedError(t("{seat} is still taking cards: wait a moment.", seat=at(robot)))
        for name, _ in holes(template) if template is not None and not self.records_behind() else ():
            against = self.world.objection(self.state, command.seat, str(getattr(action, name)))
            if against is not None:
                return Reply(False, verdict=against)
        return msgspec.structs.replace(command, action=action)

    def records_behind(self) -> int:
        """Return the number of records that the robots have not followed yet; negative after an undo."""
        return len(self.referee.records()) - len(self.done)

    @contextmanager
    def _at_work(self) -> Iterator[None]:
        self.busy = True
        try:
            yield
        finally:
            self.busy = False

    def _next_step(self) -> None:
        self.away = self.lent.is_set()
        if self.away:
            self._live.wait()
            return
        records = self.referee.records()
        same = 0
        while same < min(len(records), len(self.done)) and records[same].action == self.done[same][0]:
            same += 1
        if same < len(self.done):
            with self._at_work():
                self._rewind(same)
            return
        self.lost = len(records) > same and not _can_follow(records[same])
        if self.lost:
            self._live.wait()
            return
        if len(records) > same:
            with self._at_work():
                self._take_over(records[same])
            return
        if self.tidy.is_set():
            self.tidy.clear()
            self._choosing.clear()
            with self._at_work():
                self._lay()
                self._live.rest()
            return
        if self._choosing and self._wait_for_choice():
            self._live.wait()
            return
        actors = self.game.actors(self.state)
        if not actors:
            self._live.wait()
            return
        if self.paused.is_set() or self._waits_for(actors) or self._people_busy():
            self._live.wait()
            return
        for _ in range(THINK if len(actors) == 1 and actors != (TABLE,) else 1):
            self._live.wait()
        while actors != (TABLE,) and self._live.table.time < self._shown_until and self.records_behind() == 0:
            self._live.wait()
        if self.records_behind() == 0 and not self._waits_for(actors) and not self._people_busy():
            thought = self._chosen()
            if thought is None:
                self._live.wait()
                return
            count = len(self.done)
            with self._at_work():
                self._act(thought.action)
            if thought.why and len(records := self.referee.records()) > count:
                self.reasons[records[count].n] = thought.why

    def _chosen(self) -> Thought | None:
        """Choose what a robot does, never in a person's name; None where nobody but people can do anything."""
        actions = self.world.choices(self.state)
        first = self.rng.choice(actions) if actions else None
        if first is None or first.seat in self.persons:
            return None
        level = level_of(self.game, self.levels.get(first.seat, NORMAL))
        own = [action for action in actions if action.seat == first.seat]
        return self.think(self.game, self.state, self.world, own, level, self.rng)

    def _choices(self) -> list[Action]:
        """List what robots may do now."""
        return [action for action in super()._choices() if action.seat not in self.persons]

    def _waits_for(self, actors: Collection[Seat]) -> bool:
        """Return whether people are to act: where several may, those who hold what is wanted."""
        if _finishing(self.world, self.persons) != TABLE:
            return False
        people = self.persons.intersection(actors)
        if not people or people.issuperset(actors):
            return bool(people)
        return any(action.seat in people for action in self.world.choices(self.state))

    def _people_busy(self) -> bool:
        """Return whether people are moving pieces, or still have to correct what they moved."""
        snapshot, table = self.referee.snapshot, self._live.shared
        unfinished = snapshot.owed or snapshot.violation or snapshot.provisional
        lingers = self.world.takes_yet(self.state) in self.persons and table.quiet < LINGER
        return table.at_hand or lingers or bool(table.moved and unfinished)

    def _take_over(self, record: Record) -> None:
        """Follow what people did. Who did it with their own hands does the rest, too."""
        saved = self.world.save()
        if record.action is None:
            self._saved.append(saved)
            self._correct(record)
            return
        lay = {piece for zone, pile in self.world.piles().items() if zone != DECK for piece in pile}
        agree(self.world, self._differing_deals(record.action, record.facts))
        held = set(self.world.hands.get(record.seat, ()))
        self._follow(record.action, record.facts, saved)
        taken = self._taken.pop(record.seat, [])
        gained = [piece for piece in self.world.hands.get(record.seat, ()) if piece not in held | set(taken)]
        # The card that a person took is the one that was drawn.
        extra = [piece for piece in taken if piece not in self.world.hands.get(record.seat, ())]
        agree(self.world, list(zip(gained, extra, strict=False)))
        self._taken[record.seat] = [piece for piece in taken if piece not in self.world.hands.get(record.seat, ())]
        if record.seat in self.persons:
            self.saw_person()
            self._live.shared.stir()
            self._as_laid(self.lying())
            self._choosing |= {zone: record.seat for zone in self._to_choose() if lay.isdisjoint(self._unlaid(zone))}
        if record.by == "table" and record.seat in self.persons:
            return
        self._lay(record.seat)
        self._live.rest()

    def _to_choose(self) -> Iterator[Zone]:
        """Yield the zones in which there are cards that the world took out of a hand, and nobody laid."""
        for zone in self.world.piles():
            if zone.partition(".")[0] in self.world.CHOSEN and self._unlaid(zone):
                yield zone

    def _wait_for_choice(self) -> bool:
        """Enter what people laid face down; return whether anything is left for them to choose."""
        self._as_laid(self.lying())
        left = {zone for seat in self.persons for zone in self.choosing(seat)}
        self._choosing = {zone: seat for zone, seat in self._choosing.items() if zone in left}
        return bool(left) or self._live.shared.at_hand

    def _moves(self) -> list[Move]:
        """What people choose themselves nobody lays for them."""
        piles = self.world.piles()
        for zone in piles.keys() & self._choosing.keys():
            piles[zone] = tuple(piece for piece in piles[zone] if piece not in self._unlaid(zone))
        return moves_between(self.stage.books, target_books(self.game.layout(self.state), piles, self.stage.books))

    def _correct(self, record: Record) -> None:
        """Follow a correction that replaces a card by its copy."""
        self.states.append(self.state)
        self.state = self.game.correct(self.state, record.edits)
        self.done.append((record.action, ()))
        for edit in record.edits:
            if isinstance(edit, Instead):
                agree(self.world, [(edit.piece, edit.other)], both=False)

    def _lay(self, seat: Seat = TABLE) -> None:
        """Move pieces until the table shows what the state expects, once people have nothing in their hands."""
        self.laying = True
        try:
            for _ in range(TRIES):
                while self._live.shared.at_hand:
                    self._live.wait()
                strays = self._live.look()
                if not strays and not self._moves():
                    break
                try:
                    self._carry(strays, seat)
                except TableError as error:
                    # Somebody took a piece away under the robot's hand: find out where everything lies.
                    log.info("robots: %s", error)
                    self._live.look(everything=True)
        finally:
            self.laying = False

    def _carry(self, strays: list[Piece], seat: Seat) -> None:
        while strays:
            self._live.carry([Move(piece, HAND, HAND, "F") for piece in strays[:PACKET]], seat)
            strays = strays[PACKET:]
        super()._lay(seat)

    def _act(self, action: Action) -> None:
        count = len(self.done)
        try:
            self._turn(action)
        except DivergenceError as divergence:
            # The match changed meanwhile (an undo by the host, a quicker person): look at it again.
            log.info("robots: %s", divergence)
            del self._saved[len(self.done) :]
            if len(self.done) > count and self.records_behind() < 0:
                for _ in range(THINK):
                    self._live.wait()

    def _rewind(self, count: int) -> None:
        self._silent = None
        self._choosing.clear()
        self._go_back(count)
        self._lay()
        self._live.rest()


def _can_follow(record: Record) -> bool:
    """Return whether robots can apply a record to their hidden cards: of corrections only an exchange of copies."""
    return record.action is not None or all(isinstance(edit, Instead) for edit in record.edits)


def _before(game: AnyGame, state: object, action: Action) -> object:
    """Return the state in which an action is taken: where another's turn ends in silence, the one after it."""
    tacit = game.tacit(state)
    if tacit is None or tacit.seat == action.seat or game.judge(state, action).ok:
        return state
    return game.play(state, tacit)


def _turns_up(game: AnyGame, state: object, action: Action) -> bool:
    """Return whether an action waits for what hands do for a person: a card that is drawn, a hand laid open."""
    needs = game.needs(state, action) if game.judge(state, action).ok else ()
    return bool(needs) and all(need.kind != "rolled" for need in needs)


def _finishing(world: AnyWorld, persons: Collection[Seat]) -> Seat:
    """Return the robot that still does what belongs to its last turn: people wait for it; TABLE if none does."""
    seat = world.finishing()
    return TABLE if seat in persons else seat
