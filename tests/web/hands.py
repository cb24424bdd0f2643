"""A person at the simulated table: drags pieces with the mouse, turns them with keys, taps what no table shows.

What there is to do is what a robot would do in the person's place; the robot's own hands stay in its pockets.
"""

from __future__ import annotations

import copy
from collections import Counter
from typing import Any

from playwright.sync_api import Page

from companion.rules.kernel import Action, Facts, Opened, Seat, holes
from companion.sim.performance import Performance
from companion.sim.robots import choose
from companion.sim.sandbox import SharedTable
from companion.sim.stage import HAND, Move, moves_between, target_books
from companion.sim.table import Laid, Spot
from companion.table.table import Table
from tests.waiting import within
from tests.web.phones import PATIENCE_MS, tap

BIG: dict[str, Any] = {"viewport": {"width": 1700, "height": 1500}, "has_touch": True}
"""A screen on which the whole mat and the hand show at once."""

GRIP = """key => {
  const one = document.querySelector(key), box = one.getBoundingClientRect();
  for (const [u, v] of [[.5, .5], [.5, .15], [.5, .85], [.12, .12], [.88, .12], [.12, .88], [.88, .88], [.06, .5],
                        [.94, .5], [.5, .04], [.5, .96]]) {
    const x = box.left + u * box.width, y = box.top + v * box.height, there = document.elementFromPoint(x, y);
    if (there && one.contains(there)) { return [x, y]; }
  }
  return null;
}"""
"""Finds a point (pixels) at which a piece can be gripped: one that nothing covers."""


class StuckError(AssertionError):
    """The match does not go on; the message says what everybody sees."""


class Hands:
    """A person's hands at a seat, through one page."""

    def __init__(self, page: Page, table: Table, performance: Performance, seat: Seat) -> None:
        self.page = page
        self.table = table
        self.performance = performance
        self.seat = seat
        self.how: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self.shared: SharedTable = performance._live.shared
        self._evidence = {kind.type: kind.evidence for kind in table.session.game.info.kinds}

    # ------------------------------------------------------------------------------------------------ what there is

    def due(self) -> bool:
        """Tell whether it is this person's turn, and the table has come to rest."""
        performance = self.performance
        return (
            self.seat in performance.game.actors(performance.state)
            and len(performance.done) == len(self.table.match.records())
            and self.calm()
        )

    def over(self) -> bool:
        """Tell whether the match is over."""
        return self.table.snapshot().phase == "over"

    def calm(self) -> bool:
        """Tell whether nobody is moving anything, for the eye too."""
        return self.table.session.camera_loop.resting and not self.shared.at_hand and not self.shared.busy

    def unfinished(self) -> bool:
        """Tell whether the referee waits for something on the table."""
        snapshot = self.table.snapshot()
        return bool(snapshot.owed or snapshot.violation) and self.calm()

    def _moves_to(self, state: Any, piles: dict[str, tuple[str, ...]]) -> list[Move]:
        now = self.performance.lying()
        return moves_between(now, target_books(self.table.session.game.layout(state), piles, now))

    # ---------------------------------------------------------------------------------------------------- one turn

    def act(self) -> Action:
        """Do one thing that a robot would do here, and see that it was understood."""
        performance, game = self.performance, self.table.session.game
        state, world = performance.state, copy.copy(performance.world)
        # What would come of it is tried on a copy: the page shows the hand that the world really has.
        world.restore(performance.world.save())
        expected = target_books(game.layout(state), world.piles(), performance.lying())
        # Hands that lie open on the table are where they should be.
        open_ = {one.piece for pile in expected.values() for one in pile}
        both = {one.piece for one in self.shared.pieces()}.intersection(performance.hand(self.seat)) - open_
        if both:
            done = [(one.action, one.by) for one in self.table.match.records()[-8:]]
            raise StuckError(f"{both} is in the hand and on the table, after {done}: {self.told()}")
        chosen = (choose(game, state, world, performance.rng) for _ in range(500))
        action = next(one for one in chosen if one.seat == self.seat)
        others = {piece for seat, hand in world.hands.items() if seat != self.seat for piece in hand}
        facts = world.facts(state, action)
        after = game.play(state, action, facts)
        world.apply(state, action, after)
        moves = self._moves_to(after, world.piles())
        count = len(self.table.match.records())
        kind = str(action.__struct_config__.tag)
        self.kinds[kind] += 1
        # What somebody else lays out of the hand for it nobody can drag: it is said, and they do it.
        said = self._evidence.get(kind, "A") == "C" or any(one.source == HAND and one.piece in others for one in moves)
        if said and not self._drawn(action, moves):
            tap(self.page, self._copies(state, action), facts, count + 1, self._key(state, action), lambda: False)
            self.how["tap"] += 1
        else:
            for fact in facts:
                if isinstance(fact, Opened):
                    lies = {one.piece: zone for zone, pile in self.performance.lying().items() for one in pile}
                    moves = [Move(piece, lies.get(piece, HAND), fact.place, "F") for piece in fact.pieces]
            question = self.table.snapshot().question
            if question is not None and question.kind == "choice" and not all(self._shows(one.piece) for one in moves):
                # A card deep in a pile is chosen with a tap, and laid for the person.
                self.how["chosen by tap"] += 1
            else:
                self.make(moves)
        self._understood(state, action, facts, count)
        return action

    def put_right(self) -> None:
        """Lay what the referee still waits for."""
        self.make(self._moves_to(self.performance.state, self.performance.world.piles()))

    def _drawn(self, action: Action, moves: list[Move]) -> bool:
        """Draw a card by dragging it off the pile into the hand, if the action is just that."""
        one = moves[0] if len(moves) == 1 else None
        if (
            one is None
            or one.target != HAND
            or one.source not in self.table.session.game.touches(self.performance.state, action)
        ):
            return False
        return self.performance.drawing(self.seat, one.source) == action

    def _copies(self, state: Any, action: Action) -> list[Action]:
        """List the action with every copy of its card that the hand holds: the page offers one for all."""
        cards, found = self.table.session.game.deck.by_piece(), [action]
        template = next(
            (one for one in self.table.session.game.legal(state) if type(one) is type(action) and holes(one)), None
        )
        for name, _ in holes(template) if template is not None else ():
            meant = cards[getattr(action, name)]
            for piece in self.performance.hand(self.seat):
                if (cards[piece].kind, cards[piece].title) == (meant.kind, meant.title):
                    found.append(type(action)(**{**_fields(action), name: piece}))
        return found

    def _key(self, state: Any, action: Action) -> str:
        game = self.table.session.game
        due = [one for one in game.legal(state) if one.seat in game.actors(state)]
        return str(due.index(action)) if action in due else ""

    def _understood(self, state: Any, action: Action, facts: Facts, count: int) -> None:
        """Wait for the record; answer the referee's question meanwhile."""

        def look() -> bool:
            if len(self.table.match.records()) > count:
                return True
            question = self.table.snapshot().question
            if question is not None and self.seat in question.seats and self.calm():
                key = self._key(state, action)
                if question.kind == "finished":
                    key = "yes"
                elif question.kind == "which":
                    key = question.choices[0].key
                button = self.page.locator(".question .answers button").nth(
                    next(i for i, one in enumerate(question.choices) if one.key == key)
                )
                button.tap(timeout=PATIENCE_MS)
                self.how[f"asked {question.kind}"] += 1
                within(20, lambda: self.table.snapshot().question != question)
            return False

        if not within(120, look):
            raise StuckError(f"{action} was not understood: {self.told()}")
        record = self.table.match.records()[count]
        self.how[f"understood by {record.by}"] += 1
        if type(record.action) is not type(action):
            raise StuckError(f"{action} was understood as {record.action}: {self.told()}")

    def told(self) -> str:
        """Say what the referee says now."""
        now = self.table.snapshot()
        lines = [line.words for line in now.log[-4:]]
        said = f"{now.phase}, {now.violation}, owed {now.owed}, seen {now.provisional}, {now.question}, {lines}"
        return f"{said}\n{self._unseen()}"

    def _unseen(self) -> str:
        """Say what lies face up on the table, alone or in a row, and is not seen by the eye; and what lies near it."""
        view = self.table.session.camera_loop.ask(lambda eye: eye.view)
        seen = {one.piece for one in view.placements} if view is not None else set()
        lying, lines = self.shared.pieces(), []
        for one in lying:
            zone = self.table.session.mat.zone_at(one.x, one.y)
            if one.face == "F" and one.piece not in seen and (zone is None or zone.kind != "pile"):
                above = lying[lying.index(one) + 1 :]
                near = [other for other in above if abs(other.x - one.x) < 100 and abs(other.y - one.y) < 100]
                lines.append(f"not seen: {one} in {zone.name if zone else None}; over it or near, bottom up: {near}")
        return "\n".join(lines)

    # ----------------------------------------------------------------------------------------------------- the hands

    def make(self, moves: list[Move]) -> None:
        """Make moves one after the other, as a person does, and wait until the table rests."""
        for move in moves:
            self._move(move)
        within(120, self.calm)

    def _move(self, move: Move) -> None:
        """Drag one piece where it goes, turn it over and round if it has to be."""
        where = self.shared.where(move.piece)
        key = self._find(move.piece)
        page, target = self.page, move.target
        face = where.face if where is not None else "F"
        if face != move.face and target != HAND:
            # Turned over first, in the hand: nobody lays a card the wrong side up.
            page.locator(key).focus()
            page.keyboard.press("f")
            self.how["turned over by key"] += 1
        grip = page.evaluate(GRIP, key)
        spot = self._spot(move) if target != HAND else None
        if spot is not None and not spot.under and grip is not None:
            aim = self._shown(spot)
            if where is not None:
                # Gripped beside its middle it hangs from there; out of a hand its middle comes to the pointer.
                x, y = self._shown(where)
                aim = aim[0] + grip[0] - x, aim[1] + grip[1] - y
            self._drag(grip, aim)
            self.how["dragged from the hand" if where is None else "dragged over the mat"] += 1
        elif target != HAND:
            # Covered all over, or to be slid under others, which dropping can't do: chosen with keys.
            page.locator(key).focus()
            page.keyboard.press("Enter")
            page.get_by_label("Lay it in").select_option(target)
            page.keyboard.press("Tab")
            page.keyboard.press("Enter")
            self.how["laid by keys"] += 1
        elif grip is not None:
            tray = page.locator(f'.edge .hand[data-seat="{self.seat}"]').bounding_box()
            assert tray is not None
            self._drag(grip, (tray["x"] + tray["width"] / 2, tray["y"] + tray["height"] / 2))
            self.how["dragged to the hand"] += 1
        else:
            page.locator(key).focus()
            page.keyboard.press("Delete")
            self.how["taken by key"] += 1
        self._laid(move)
        self._turn(move)

    def _find(self, piece: str) -> str:
        """Find a piece on the page: what lies on the table by its tag, what is in a hand or in the box by itself.

        The page asks twice a second what the hand holds: until it knows, cards move up and another is gripped.
        """
        if not within(20, lambda: self._shows(piece) and self._up_to_date()):
            raise StuckError(f"{piece} is not on the page ({self.shared.where(piece)}): {self.told()}")
        return self._key_of(piece)

    def _key_of(self, piece: str) -> str:
        tag = self.shared.tag_of(piece)
        return f'.piece[data-tag="{tag}"]' if tag else f'.held-card[data-piece="{piece}"]'

    def _shows(self, piece: str) -> bool:
        return self.page.locator(self._key_of(piece)).count() > 0

    def _up_to_date(self) -> bool:
        """Tell whether the page shows the hand's cards as they are."""
        shown = self.page.locator(f'.edge .hand[data-seat="{self.seat}"] .held-card')
        cards = shown.evaluate_all("all => all.map(one => one.dataset.piece)")
        return set(cards) == set(self.performance.cards_in_hand(self.seat))

    def _spot(self, move: Move) -> Spot:
        """Give where on the mat (mm) a piece has to be laid."""
        sandbox = self.table.session.sandbox
        assert sandbox is not None
        return sandbox._free(self.table.session.mat.zone(move.target), move.piece)

    def _shown(self, spot: Spot | Laid) -> tuple[float, float]:
        """Give where in the window (px) that is."""
        mat, box = self.table.session.mat, self.page.locator(".mat").bounding_box()
        assert box is not None
        return box["x"] + spot.x * box["width"] / mat.w, box["y"] + spot.y * box["height"] / mat.h

    def _drag(self, start: list[float], end: tuple[float, float]) -> None:
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=3)
        mouse.move(*end, steps=3)
        mouse.up()

    def _laid(self, move: Move) -> None:
        """Wait until the piece lies there, or is in the hand."""

        def there() -> bool:
            if self.shared.holds(move.piece) or self.shared.busy:
                return False
            lies = self.shared.where(move.piece)
            if move.target == HAND or lies is None:
                return (lies is None) == (move.target == HAND)
            zone = self.table.session.mat.zone_at(lies.x, lies.y)
            return zone is not None and zone.name == move.target

        if not within(30, there):
            raise StuckError(f"{move} did not come about ({self.shared.where(move.piece)}): {self.told()}")

    def _turn(self, move: Move) -> None:
        """Turn a piece round until it lies as its zone has it; a row is too narrow for it else."""
        if move.target == HAND:
            return
        wanted = round(self.table.session.mat.zone(move.target).rotation / 90) % 4
        for _ in range(4):
            lies = self.shared.where(move.piece)
            if lies is None or round(lies.rotation / 90) % 4 == wanted:
                return
            self.page.locator(self._find(move.piece)).focus()
            for _ in range((wanted - round(lies.rotation / 90)) % 4):
                self.page.keyboard.press("r")
                self.how["turned by key"] += 1
            within(20, lambda was=lies: (now := self.shared.where(move.piece)) is not None and now != was)  # type: ignore[misc]


def _fields(action: Action) -> dict[str, Any]:
    return {name: getattr(action, name) for name in action.__struct_fields__}
