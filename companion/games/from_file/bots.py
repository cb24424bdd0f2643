"""What is hidden in a game made from a file, for robots: they deal as the file says, and lay, take and type.

They know no game: they follow suit, take a card of the row now and then, and lay what the score counts.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import combinations

from companion.games.from_file import FromFile, flow
from companion.games.from_file.counting import worth
from companion.games.from_file.laying import Gather, Lay, Place, Take, TurnUp
from companion.games.from_file.rolling import Fill, Roll
from companion.games.from_file.saying import Enter, Out, RoundOver, Say
from companion.games.from_file.score_file import Row
from companion.games.from_file.state import Setup, State
from companion.rules.cards import Piece
from companion.rules.kernel import TABLE, Action, Facts, Game, Options, Rolled, Seat, Verdict, holes, illegal
from companion.rules.layout import Zone
from companion.sim.world import Bots, World, WorldError
from companion.text import t

ROW_HAND = 3
"""Cards that robots hold of a game with a row, dealt anew when all hands are empty."""


class FileWorld(World[State]):
    """Hands, and the `plan`: what robots still lay in this round where it is no choice, in order."""

    HIDDEN = ("hands", "deck", "round", "plan")

    def __init__(self, game: Game[State], seats: int, options: Options, rng: random.Random) -> None:
        super().__init__(game, seats, options, rng)
        if not isinstance(game, FromFile):
            raise WorldError(f"{game.info.title} is not made from a file")
        self.components = game.components
        self.plan: list[Action] = []
        self.round = 0

    def setup(self) -> Setup:
        return Setup(first=self.first)

    def piles(self) -> dict[str, tuple[Piece, ...]]:
        return {}

    def hides(self) -> bool:
        """Whether the file says who holds how many cards; else people at the simulated table lay any."""
        score = self.components.score
        return score.tricks is not None or score.row is not None or score.dice is not None

    def deal(self, state: State) -> None:
        score = self.components.score
        self.round, self.plan = len(state.past), []
        self.deck = sorted(self.components.pieces)
        self.rng.shuffle(self.deck)
        hand = self.components.hand(state.number)
        for seat in self.hands:
            self.hands[seat] = [self.deck.pop() for _ in range(min(hand, len(self.deck)))]
        if score.tricks is not None and score.tricks.shown:
            self.plan.append(TurnUp(card=self.deck[-1] if self.deck else self.hands[state.dealer][-1]))
        elif score.row is not None:
            self._row(score.row, score.row.dealt)
            self._fill_hands()
        elif score.tricks is None and score.dice is None:
            self.plan += self._free(state)

    def _row(self, row: Row, count: int) -> None:
        self.plan += [Place(zone=row.zone, cards=(self.deck.pop(),)) for _ in range(min(count, len(self.deck)))]

    def _fill_hands(self) -> None:
        """Deal when all hands are empty and a row is played: a person who is next has to hold cards by then."""
        if self.components.score.row is None or any(self.hands.values()):
            return
        for seat in self.hands:
            self.hands[seat] = [self.deck.pop() for _ in range(min(ROW_HAND, len(self.deck)))]

    def _mend(self, state: State) -> None:
        """Drop a plan that no longer fits, after a step back or because a person was quicker."""
        first = self.plan[0] if self.plan else None
        if isinstance(first, Lay):
            crossed = first.seat != state.now.turn or str(first.card) not in self.hands[first.seat]
        else:
            # What is taken when another has laid a card would be taken in that one's name.
            late = isinstance(first, Take) and first.seat != state.now.layer
            crossed = late or (isinstance(first, Take) and not set(first.cards) <= set(state.lies(first.zone)))
        # What was planned for a seat that a person has taken since is theirs to do.
        crossed = crossed or (first is not None and first.seat in self.persons)
        if crossed:
            self.plan = []
        row = self.components.score.row
        if row is not None and not self.plan and flow.phase(self.components, state) == "deal":
            self._row(row, row.dealt - state.now.laid)

    def _free(self, state: State) -> Iterable[Action]:
        """Lay every counted zone full, in a random order of the zones; type what may be typed; end the round."""
        if self.components.round.ends == "out":
            order = self.rng.sample(range(1, state.seats + 1), state.seats)
            return [Out(seat=seat) for seat in order[:-1] if seat not in self.persons]
        found: list[Action] = []
        for base in sorted(self.components.free):
            place = self.components.places[base]
            for zone in self.components.zones(base, state.seats):
                seat = int(zone.partition(".")[2] or state.now.turn)
                if seat in self.persons:
                    continue
                needed = [block.held for block in self.components.score.score if base in block.cards]
                full = place.slots if place.kind == "slots" else 1 if place.kind == "pile" else max([4, *needed])
                for n in range(min(full, len(self.deck))):
                    slot = n if place.kind == "slots" else -1
                    found.append(Place(seat=seat, zone=zone, cards=(self.deck.pop(),), slot=slot))
        for entry in (one for one in self.components.score.entry if one.due != "before"):
            amount = self.rng.randint(entry.low, entry.high)
            found += [Enter(seat=seat, what=entry.name, amount=amount) for seat in self._robot(state)]
        return [*found, *(RoundOver(seat=seat) for seat in self._robot(state))]

    def _robot(self, state: State) -> list[Seat]:
        robots = [seat for seat in range(1, state.seats + 1) if seat not in self.persons]
        return [self.rng.choice(robots)] if robots else []

    def choices(self, state: State) -> list[Action]:
        self._mend(state)
        due, row = flow.phase(self.components, state), self.components.score.row
        if self.plan and due != "say":
            # A person may be missing yet: whoever ends the round waits.
            return self.plan[:1] if self.game.judge(state, self.plan[0]).ok else []
        if due == "say":
            seat = flow.speaker(self.components, state)
            entry = next(one for one in self.components.before() if state.said(one.name)[seat - 1] is None)
            most = max(1, len(self.hands[seat]) // 2)
            able = [one.amount for one in Say.of(self.components, state, seat, entry)]
            return [Say(seat=seat, what=entry.name, amount=self.rng.choice([n for n in able if n <= most] or able))]
        if due == "row" and row is not None:
            return self._from_row(state, row)
        if due == "dice":
            return self._dice(state)
        found = [action for template in self.game.legal(state) for action in self.ground_actions(state, template)]
        if due != "free":
            return [action for action in found if isinstance(action, Lay | Gather)]
        return [action for action in found if action.seat not in self.persons]

    def ground_actions(self, state: State, template: Action) -> Iterable[Action]:
        """Yield what the holder's true cards allow: whoever can, follows suit."""
        found = list(super().ground_actions(state, template))
        if not holes(template) or not state.now.trick:
            return found
        led = self.components.suit(state.now.trick[0][1])
        return [one for one in found if self.components.suit(str(getattr(one, "card", ""))) == led] or found

    def _from_row(self, state: State, row: Row) -> list[Action]:
        now = state.now
        if not any(self.hands.values()):
            return [RoundOver(seat=seat) for seat in self._robot(state)]
        there = [piece for piece in state.lies(row.zone) if piece]
        ways = self._captures(now.turn, there, row)
        if ways and (len(there) > 6 or self.rng.random() < 0.8):
            card, captured = self.rng.choice(ways)
            self.plan = [Lay(seat=now.turn, card=card)]
            self.plan += [Take(seat=now.turn, zone=row.zone, cards=(one,)) for one in (card, *captured)]
            return [self.plan[0]]
        card = self.rng.choice(self.hands[now.turn])
        self.plan = [Lay(seat=now.turn, card=card)]
        # The mat has room for nine; where cards have to add up, what does not is taken only for want of room.
        if len(there) > (7 if row.adds else 6) or (there and not row.adds and self.rng.random() < 0.6):
            taken = there if len(there) < 3 and self.rng.random() < 0.5 else self.rng.sample(there, 1)
            self.plan += [Take(seat=now.turn, zone=row.zone, cards=(one,)) for one in (card, *taken)]
        return [self.plan[0]]

    def takes_yet(self, state: State) -> Seat:
        return state.now.layer if self.taking(state)[1] else TABLE

    def finishing(self) -> Seat:
        first = self.plan[0] if self.plan else None
        return first.seat if isinstance(first, Take) else TABLE

    def taking(self, state: State) -> tuple[Zone, tuple[Piece, ...]]:
        """Return what the last card of the row may take, itself included; where values count, what adds up to it."""
        row, now = self.components.score.row, state.now
        there = [piece for piece in state.lies(row.zone) if piece] if row is not None else []
        if row is None or state.outcome is not None or not there or not now.layer:
            return "", ()
        zone = f"{row.to}.{now.layer}" if row.to else ""
        if not row.adds:
            return zone, tuple(there)
        value = {card: self._value(card) for card in (*there, *now.capture, now.last) if card}
        rest = [piece for piece in there if piece != now.last]
        wanted = value.get(now.last, 0) - sum(value[card] for card in now.capture if card != now.last)
        ways = [some for size in range(len(rest) + 1) for some in combinations(rest, size)]
        ways = [some for some in ways if sum(value[card] for card in some) == wanted and (some or now.capture)]
        last = (now.last,) if now.last in there and ways else ()
        return zone, tuple(dict.fromkeys((*(card for some in ways for card in some), *last)))

    def objection(self, state: State, seat: Seat, piece: Piece, zone: Zone = "") -> Verdict | None:
        """Return the refusal of a card that does not follow suit, though one of the hand would."""
        tricks, suit = self.components.score.tricks, self.components.suit
        if tricks is None or not tricks.follow or not state.now.trick or state.now.turn != seat:
            return None
        if zone and zone != f"{tricks.zone}.{seat}":
            return None
        led = suit(state.now.trick[0][1])
        follow = [card for card in self.hands[seat] if suit(card) == led]
        if not follow or suit(piece) == led or piece not in self.components.pieces:
            return None
        name = self.components.name
        reason = t(
            "{card} does not follow suit, and {other} in your hand does", card=name(piece), other=name(follow[0])
        )
        return illegal("tricks", reason, t("Follow the suit that was led."))

    def _value(self, card: Piece) -> int:
        score = self.components.score
        return worth(self.components.faces[card], score.worth[score.row.adds]) if score.row is not None else 0

    def _captures(self, seat: Seat, there: list[Piece], row: Row) -> list[tuple[Piece, tuple[Piece, ...]]]:
        """List what a card of the hand takes, at most three cards, where the file says that it has to add up."""
        if not row.adds:
            return []
        worths = self.components.score.worth[row.adds]
        value = {piece: worth(self.components.faces[piece], worths) for piece in (*there, *self.hands[seat])}
        ways = [taken for size in (1, 2, 3) for taken in combinations(there, size)]
        return [
            (card, taken)
            for card in self.hands[seat]
            for taken in ways
            if sum(value[one] for one in taken) == value[card]
        ]

    def _dice(self, state: State) -> list[Action]:
        found = [action for action in self.game.legal(state) if isinstance(action, Roll | Fill)]
        fills: list[Action] = [action for action in found if isinstance(action, Fill)]
        rolls: list[Action] = [action for action in found if isinstance(action, Roll)]
        return rolls if rolls and (not fills or self.rng.random() < 0.5) else fills

    def facts(self, state: State, action: Action) -> Facts:
        needs = self.game.needs(state, action)
        return tuple(
            Rolled(place=need.place, values=tuple(self.rng.randint(1, need.sides) for _ in range(need.count)))
            for need in needs
        )

    def apply(self, before: State, action: Action, after: State) -> None:
        if action in self.plan:
            # Not always the first: what was laid at once may have been understood in another order.
            self.plan.remove(action)
        seat: Seat = action.seat
        if isinstance(action, Lay | Place) and seat != TABLE:
            cards = (str(action.card),) if isinstance(action, Lay) else action.cards
            self.hands[seat] = [card for card in self.hands[seat] if card not in cards]
        if after.outcome is None and len(after.past) != self.round:
            self.deal(after)
        self._fill_hands()


BOTS = Bots(FileWorld)
