"""Robots play whole matches before a referee; what it understood is compared with what they did.

They move pieces and tap only what a table can't show; the first difference in records is a divergence.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from companion.eye.mat import Mat
from companion.referee.difference import visibly_differ
from companion.referee.journal import Header, new_id, now
from companion.referee.tray import awaited
from companion.rules.cards import Piece
from companion.rules.kernel import TABLE, Action, AnyGame, Facts, Opened, Options, Rolled, Shown, fact_at, fits, holes
from companion.rules.layout import Pile, Zone
from companion.sim.answering import TRIES, Refereed, Taps, kind_of
from companion.sim.copies import renamed, taken_for
from companion.sim.report import DivergenceError, Report
from companion.sim.resumable import Resumable
from companion.sim.robots import choose
from companion.sim.stage import HAND, MOST, Books, Move, Stage, independent, moves_between, target_books
from companion.sim.world import AnyWorld, Saved, agree, world_of

StageMaker = Callable[[Resumable, random.Random], Stage]
"""Makes a stage for a match, from the referee that gets its views and a random generator."""

LONGEST = 2000
"""Actions after which a match is stopped by the host: no game should come near it."""


PATIENT, MISSED = 60, 20
"""How often the table is let rest if something hides a part of it, and until it says which cards it misses."""


class Rehearsal:
    """One match of robots, who play by `game`, before a referee, which may judge by another.

    A `brisk` one does not look at the table after a tap that moves nothing and is recorded at once.
    """

    def __init__(
        self,
        game: AnyGame,
        world: AnyWorld,
        referee: Refereed,
        stage: Stage,
        rng: random.Random,
        report: Report,
        brisk: bool = False,
    ) -> None:
        self.game = game
        self.world = world
        self.referee = referee
        self.stage = stage
        self.rng = rng
        self.report = report
        self.brisk = brisk
        self.state = game.setup(world.seats, world.options, world.setup())
        world.deal(self.state)
        self.done: list[tuple[Action | None, Facts]] = []
        self.states: list[object] = []
        self.taps = Taps(game, referee, stage, report, self.done, self.states)
        self._silent: tuple[Action, Facts] | None = None
        self._evidence = {kind.type: kind.evidence for kind in game.info.kinds}
        self._unseen = game.info.unseen
        self._laid: tuple[list[Move], int] = [], TABLE
        self._saved: list[Saved] = []
        """The world before each of what is `done`."""

    def play(self) -> None:
        """Play the match to its end; raise DivergenceError where the referee understood something else."""
        self.stage.prepare(self._moves())
        while self.game.actors(self.state):
            if len(self.done) >= LONGEST:
                self.report.endings["too long"] += 1
                break
            self._turn(choose(self.game, self.state, self.world, self.rng))
            if self._silent is None and self.stage.pause():
                self._await_recovery()
        else:
            outcome = self.game.standing(self.state).outcome
            self.report.endings[outcome.ending if outcome else "none"] += 1
        self._settle()
        self._compare(whole=True)

    def _await_recovery(self) -> None:
        """Wait, after a restart, until the referee has found the table as it was left."""
        tries = 0
        for waited in range(1, PATIENT + 1):
            self.stage.rest()
            if self.referee.snapshot.phase != "restoring":
                break
            tries += not self.stage.hidden
            # What nobody has read hides its zone, too, until it is laid again.
            if tries == TRIES or (self.stage.by_faces and waited % MISSED == 0):
                if not self._shown_again():
                    break
                tries = 0
        snapshot = self.referee.snapshot
        if snapshot.phase == "restoring":
            raise DivergenceError(
                f"after a restart, with {len(self.done)} records, the table is not found as it was left: owed "
                f"{snapshot.owed}, troubles {snapshot.troubles}"
            )
        self._settle()
        self._compare(whole=False)

    def _follow(self, action: Action, facts: Facts, saved: Saved | None = None) -> object:
        """Apply an action to the robots' own state and world; return the state before it.

        `saved` is the world before it, if it was changed already to agree with the action.
        """
        before = self.state
        self._saved.append(self.world.save() if saved is None else saved)
        after = self.game.play(before, action, facts)
        # On failure the world is restored from what was saved; the state must not be ahead of it then.
        self.world.apply(before, action, after)
        self.state = after
        self.states.append(before)
        self.done.append((action, facts))
        return before

    def _go_back(self, count: int) -> None:
        """Go back to the state and the world after so many records."""
        self.state = self.states[count]
        self.world.restore(self._saved[count])
        del self.states[count:], self.done[count:], self._saved[count:]

    def _also_due(self, before: object, first: Action) -> bool:
        """Follow what may be laid at the same time as a first action: all of upkeep, or what each of several seats
        that are due does. Return whether that was anything.

        Each must show by itself: no piece is moved twice, no card goes on from where it came up, on no pile lie two
        that came.
        """
        group, acted = frozenset(self.game.actors(before)), {first.seat}
        count, moves = len(self.done), self._moves()
        while not self.stage.alike and self._apart(moves, count) and (group == {TABLE} or len(group) > 1):
            due = group.intersection(self.game.actors(self.state)) - (acted - {TABLE})
            actions = [] if self.game.timed(self.state) else [one for one in self._choices() if one.seat in due]
            actions = [one for one in actions if self._evidence.get(kind_of(one), "A") == "A"]
            if not actions:
                break
            action = self.rng.choice(actions)
            self._follow(action, self.world.facts(self.state, action))
            more = self._moves()
            if not (set(moves) < set(more) and self._apart(more, len(self.done))):
                self._go_back(len(self.done) - 1)
                break
            moves = more
            acted.add(action.seat)
        return len(self.done) > count

    def _apart(self, moves: list[Move], count: int) -> bool:
        """Return whether moves can be made at the same time, and show what the last of `count` actions did."""
        zones = self.game.layout(self.state).zones
        targets: dict[object, Zone] = {move.piece: move.target for move in moves}
        piles = [zone for zone in targets.values() if isinstance(zones.get(zone), Pile)]
        shown = all(
            isinstance(fact, Shown) and targets.get(fact.piece) == fact.place for fact in self.done[count - 1][1]
        )
        return shown and independent(moves) and len(set(piles)) == len(piles) and len(moves) <= MOST

    def _choices(self) -> list[Action]:
        """List what robots may do now."""
        return self.world.choices(self.state)

    def _as_understood(self, count: int) -> None:
        """Follow what was done at once after `count` records in the order in which the referee understood it."""
        left, order = self.done[count:], []
        for record in self.referee.records()[count:]:
            same = [one for one in left if one[0] == record.action and _same(record.facts, one[1])]
            if not same:
                return
            left.remove(same[0])
            order.append(same[0])
        if order == self.done[count : count + len(order)]:
            return
        self._go_back(count)
        for action, facts in (*order, *left):
            if action is not None:
                saved = self.world.save()
                agree(self.world, self._differing_deals(action, facts))
                self._follow(action, facts, saved)
                self._as_laid(self.stage.books)

    def _turn(self, action: Action) -> None:
        facts = self.world.facts(self.state, action)
        roll = awaited(self.game, self.state, action)
        if roll is not None:
            # In which order dice lie says nothing.
            facts = tuple(
                replace(fact, values=tuple(sorted(fact.values))) if isinstance(fact, Rolled) else fact for fact in facts
            )
        before = self._follow(action, facts)
        count = len(self.done) - 1
        evidence = self._evidence.get(kind_of(action), "A")
        touches = self.game.touches(before, action)
        self._end_silence(before, action)
        question = self.referee.snapshot.question
        # What left no choice is recorded by itself: a question is about something later then.
        due = len(self.referee.records()) < len(self.done)
        waits = due and question is not None and question.kind == "choice"
        tap_first = self.rng.random() < 0.5 or kind_of(action) in self._unseen
        if evidence == "C":
            passes_on = self.game.actors(self.state) not in ((action.seat,), (TABLE,))
            quiet = passes_on and self.game.timed(before) is None
            if quiet and action == self.game.tacit(before) and not touches and self.rng.random() < 0.5:
                self._silent = (action, facts)
                self.report.moves += 1
                self.report.actions[kind_of(action)] += 1
                return
            thrown = roll is not None and self.taps.throw(action, facts)
            if tap_first and not thrown:
                self.taps.tap(action, facts)
            self._lay(action.seat)
            if not tap_first and not thrown:
                self.taps.tap(action, facts)
        elif evidence == "B" and waits and tap_first:
            self.taps.answer(before, action)
            self._lay(action.seat)
        elif any(isinstance(fact, Opened) for fact in facts):
            self._lay_open(action, facts)
        elif evidence == "A" and self._also_due(before, action):
            self._lay()
        else:
            self._lay(action.seat)
        if not ((self.brisk or self.game.actors(before) == (TABLE,)) and self._only_tapped()):
            self._settle()
        if len(self.done) > count + 1:
            self._as_understood(count)
        self.report.moves += len(self.done) - count
        self.report.actions.update(kind_of(one) for one, _ in self.done[count:] if one is not None)
        self._compare(whole=False)

    def _only_tapped(self) -> bool:
        """Return whether the last action moved nothing and is recorded, with no question left."""
        understood = len(self.referee.records()) == len(self.done) and self.referee.snapshot.question is None
        return understood and not self._laid[0]

    def _end_silence(self, before: object, action: Action) -> None:
        """Declare a silent turn's end, unless the next action shows in its owner's own zones and so implies it."""
        if self._silent is None:
            return
        was, then = self.game.layout(before).zones, self.game.layout(self.state).zones
        changed = {zone for zone in was.keys() | then.keys() if was.get(zone) != then.get(zone)}
        own = bool(changed) and all(zone.endswith(f".{action.seat}") for zone in changed)
        # What could as well be done before the silent turn ended tells nothing of it.
        shows = self._evidence.get(kind_of(action), "A") != "C"  # what is tapped comes before anything shows
        implied = own and shows and not self.game.judge(self.states[-2], action).ok
        if not implied or self.rng.random() < 0.3:
            self.taps.tap(*self._silent)
        self._silent = None

    def _lay(self, seat: int = TABLE) -> None:
        moves = self._moves()
        self._laid = moves, seat
        if moves:
            self.stage.carry(moves, seat)

    def _moves(self) -> list[Move]:
        then = target_books(self.game.layout(self.state), self.world.piles(), self.stage.books)
        return moves_between(self.stage.books, then)

    def _lay_open(self, action: Action, facts: Facts) -> None:
        """Show a hand to everybody, and take it back when it has been read."""
        for fact in facts:
            if isinstance(fact, Opened):
                lies = {lying.piece: zone for zone, pile in self.stage.books.items() for lying in pile}
                moves = [Move(piece, lies.get(piece, HAND), fact.place, "F") for piece in fact.pieces]
                self.stage.carry(moves, action.seat)
        self._settle()
        self._lay(action.seat)

    def _settle(self) -> None:
        """Let the table rest until all is understood or nothing changes; do then what is owed, as people do."""
        self._rest()
        if len(self.referee.records()) < len(self.done) and self.referee.snapshot.owed:
            self._lay_again()
            self._rest()
        if len(self.referee.records()) == len(self.done) - 1 and self._looks_the_same():
            self.taps.tap(*self.taps.acted(len(self.done) - 1))

    def _looks_the_same(self) -> bool:
        """Return whether what was done last can't be seen: a card was laid on one that looks the same."""
        if not self.stage.alike or not self._laid[0] or self._silent is not None:
            return False
        names = {piece: group[0] for group in self.stage.alike for piece in group}
        was, then = (renamed(self.game.layout(state), names) for state in (self.states[-1], self.state))
        return not visibly_differ(was, then)

    def _lay_again(self) -> None:
        """Take up what was laid last, until nothing of it is owed, and lay it again.

        The table can't show that a card lying where it lay in the last round was ever away.
        """
        moves, seat = self._laid
        lifted = [Move(one.piece, one.target, HAND, one.face) for one in moves if one.target != HAND]
        if not lifted:
            return
        self.report.interruptions["laid again"] += 1
        self.stage.carry(lifted, seat)
        for _ in range(PATIENT):
            self.stage.rest()
            if not self.referee.snapshot.owed:
                break
        self._lay(seat)

    def _rest(self) -> None:
        """Let the table rest and answer what the referee asks, until it has understood everything or stands still."""
        tries = 0
        for waited in range(1, PATIENT + 1):
            self.stage.rest()
            question = self.referee.snapshot.question
            behind = len(self.referee.records()) < len(self.done)
            wrong = self.referee.snapshot.violation is not None and self.stage.hidden
            if question is None and not behind and not wrong:
                return
            # While a shadow passes over the cards people wait, too.
            tries += not (question is None and self.stage.hidden)
            answers = self.stage.explain() if tries == TRIES or waited % TRIES == 0 else 0
            self._count_faces("face", answers)
            if answers or (tries == TRIES and behind and self._shown_again()):
                tries = 0
            elif tries == TRIES:
                return
            if question is not None and behind:
                self.taps.reply(question.kind)

    def _shown_again(self) -> bool:
        """Lay on top what the table misses by faces, of which a new eye sees a strip; return whether any was."""
        if not self.stage.by_faces:
            return False
        for _ in range(MISSED):
            if self.referee.snapshot.pointers:
                break
            self.stage.rest()
        missing = {one.piece for one in self.referee.snapshot.pointers if one.source is None}
        laid = self.stage.show_again(missing)
        self._count_faces("laid again", laid)
        return laid > 0

    def _differing_deals(self, action: Action, facts: Facts) -> list[tuple[Piece, Piece]]:
        """Return where people laid another hidden card than the world has: theirs, and the one to exchange it for."""
        pairs: list[tuple[Piece, Piece]] = []
        template = next((legal for legal in self.game.legal(self.state) if fits(legal, action)), action)
        for name, hole in holes(template):
            piece, hand = getattr(action, name), self.world.hands.get(hole.owner, [])
            # Not every hole is filled out of the hand: a card that lay face down is turned up, a secret one revealed.
            fitting = [str(getattr(ground, name)) for ground in self.world.ground_actions(self.state, template)]
            if piece not in fitting and (fitting or hand):
                pairs.append((piece, fitting[0] if fitting else hand[-1]))
        cards = tuple(fact for fact in facts if isinstance(fact, Shown | Opened))
        truths = self.world.facts(self.state, action) if cards else ()
        for fact in cards:
            truth = fact_at(truths, fact.place)
            if isinstance(fact, Shown) and isinstance(truth, Shown):
                pairs.append((str(fact.piece), str(truth.piece)))
            elif isinstance(fact, Opened) and isinstance(truth, Opened):
                mine, theirs = set(fact.pieces), set(truth.pieces)
                pairs += zip(sorted(mine - theirs), sorted(theirs - mine), strict=False)
        return [(drawn, other) for drawn, other in pairs if drawn != other]

    def _as_laid(self, lying: Books) -> None:
        """Make the world agree with the cards that lie face down: it took any, without knowing."""
        for zone, pile in self.world.piles().items():
            down = [laid.piece for laid in lying.get(zone, ()) if laid.face == "B"]
            theirs = [piece for piece in down if piece not in pile]
            instead = [piece for piece in pile if piece not in down]
            agree(self.world, list(zip(theirs, instead, strict=False)))

    def _count_faces(self, what: str, count: int) -> None:
        """Count questions about faces: `what` was asked, and the class of the move that was waited for."""
        if count:
            self.report.asked[what] += count
            last = self.done[-1][0] if self.done else None
            self.report.faces["A" if last is None else self._evidence.get(kind_of(last), "A")] += count

    def _agree(self) -> None:
        """Take cards that look the same for those that the referee takes them for."""
        for n, record in enumerate(self.referee.records()[: len(self.done)]):
            action, facts = self.done[n]
            if record.action == action and _same(record.facts, facts):
                continue
            names = taken_for((action, facts), (record.action, record.facts), self.stage.alike)
            if not names:
                return
            self.world.restore(renamed(self.world.save(), names))
            self.state, self._laid, self._silent = renamed((self.state, self._laid, self._silent), names)
            self.done[n:], self.states[n:] = renamed((self.done[n:], self.states[n:]), names)
            self.stage.rename(names)

    def _compare(self, whole: bool) -> None:
        """Compare record by record; a silent last step may still be unknown, unless the match is over."""
        if self.stage.alike:
            self._agree()
        understood = self.referee.records()
        for n, (record, (action, facts)) in enumerate(zip(understood, self.done, strict=False), start=1):
            if record.action != action or not _same(record.facts, facts):
                raise DivergenceError(f"record {n}: the robots did {action} {facts}, the referee understood {record}")
        if whole and len(understood) > len(self.done):
            raise DivergenceError(f"the referee understood more than happened: {understood[len(self.done)]}")
        if len(understood) < len(self.done):
            snapshot = self.referee.snapshot
            raise DivergenceError(
                f"record {len(understood) + 1} was not understood: {self.done[len(understood)]}; "
                f"violation {snapshot.violation}, owed {snapshot.owed}, under way {snapshot.provisional}, "
                f"troubles {snapshot.troubles}"
            )
        if whole:
            self.report.assumed += sum(record.assumed for record in understood)
        if self.referee.snapshot.violation is not None:
            raise DivergenceError(f"a violation where there is none: {self.referee.snapshot.violation}")


def _same(understood: Facts, truth: Facts) -> bool:
    return len(understood) == len(truth) and all(fact_at(understood, fact.place) == fact for fact in truth)


def rehearse(
    game: AnyGame,
    mat: Mat,
    seats: int,
    options: Options,
    seed: str,
    make_stage: StageMaker,
    report: Report,
    judge: AnyGame | None = None,
) -> None:
    """Play one match; a divergence ends it and is part of the report."""
    rng = random.Random(seed)
    world = world_of(game, seats, options, rng)
    header = Header(
        id=new_id(),
        at=now(),
        game=game.info.name,
        seats=seats,
        options=dict(options),
        setup=msgspec.to_builtins(world.setup()),
    )
    referee = Resumable(judge or game, mat, header)
    stage = make_stage(referee, rng)
    try:
        Rehearsal(game, world, referee, stage, rng, report).play()
    except DivergenceError as divergence:
        report.divergences.append(f"the match of {seats} players with seed {seed}: {divergence}")
    report.matches += 1
    report.seconds += stage.seconds
    report.faults.update(stage.faults())
    report.interruptions.update(stage.interruptions())
