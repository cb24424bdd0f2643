"""What is hidden in a game made from a file, for robots: they deal as the file says, and lay, take and type.

They know no game: they follow suit, take a card of the row now and then, and lay what the score counts.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import combinations

from companion.games.from_file import FromFile, flow
from companion.games.from_file.counting import Budget, matching
from companion.games.from_file.laying import Gather, Lay, Place, Take, TurnUp
from companion.games.from_file.rolling import Fill, Roll
from companion.games.from_file.saying import Enter, Out, RoundOver, Say
from companion.games.from_file.score_file import Row
from companion.games.from_file.scoring import allowed, side_of
from companion.games.from_file.state import Setup, State
from companion.rules.cards import Piece
from companion.rules.kernel import TABLE, Action, Facts, Game, Options, Rolled, Seat, Verdict, holes, illegal
from companion.rules.layout import Zone
from companion.sim.world import Bots, World, WorldError
from companion.text import t

ROW_HAND = 3
"""Cards that robots hold of a game with a row, if it names no hand, dealt anew when all hands are empty."""
SHOWN = 6
"""Cards that robots show at once before a seat: the mat has no more places."""


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
            self.plan.append(TurnUp(card=self.deck[0] if self.deck else self.hands[state.dealer][-1]))
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
            hand = self.components.hand(1) or ROW_HAND
            self.hands[seat] = [self.deck.pop() for _ in range(min(hand, len(self.deck)))]

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
                cards = [*self.hands[seat]] if place.own and self.hands.get(seat) else self.deck
                for n in range(len(cards) if cards is not self.deck else min(full, len(cards))):
                    slot = n if place.kind == "slots" else -1
                    found.append(Place(seat=seat, zone=zone, cards=(cards.pop(),), slot=slot))
        return [*found, *self._typing(state)]

    def _typing(self, state: State) -> list[Action]:
        """Type what is typed in the round, all of them what is due at its end, and end it."""
        found: list[Action] = []
        kinds = ("end",) if self.components.score.tricks is not None else ("any", "end")
        for entry in (one for one in self.components.score.entry if one.due in kinds):
            everybody = entry.due == "end" and not entry.alone
            some = self._robots(state) if everybody else self._robot(state)
            # Where all type what they have left, one is out, and few have much.
            out = self.rng.choice(some) if everybody and some else TABLE
            for seat in some:
                amount = min(self.rng.randint(entry.low, entry.high) for _ in range(3 if everybody else 1))
                found.append(Enter(seat=seat, what=entry.name, amount=entry.low if seat == out else amount))
        return [*found, *(RoundOver(seat=seat) for seat in self._robot(state))]

    def _robots(self, state: State) -> list[Seat]:
        return [seat for seat in range(1, state.seats + 1) if seat not in self.persons]

    def _robot(self, state: State) -> list[Seat]:
        robots = self._robots(state)
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
            # A fair share of the tricks or one less: who bids at random never comes to points that end a match.
            share = max(1, len(self.hands[seat]) // state.seats)
            able = [one.amount for one in Say.of(self.components, state, seat, entry)]
            fair = [n for n in able if share - 1 <= n <= share]
            return [Say(seat=seat, what=entry.name, amount=self.rng.choice(fair or able))]
        if due == "row" and row is not None:
            return self._from_row(state, row)
        if due == "dice":
            return self._dice(state)
        if due == "trick" and not any(self.hands.values()):
            self.plan = self._typing(state)
            return self.plan[:1]
        if due == "trick" and (more := self._claims(state) or self._melds(state)):
            self.plan = more
            return self.plan[:1]
        if due != "free":  # not all that is legal: what can be typed would be hundreds of numbers
            templates = {"trick": Lay.options(self.components, state), "gather": [Gather()]}.get(due, ())
            return [action for template in templates for action in self.ground_actions(state, template)]
        found = [action for template in self.game.legal(state) for action in self.ground_actions(state, template)]
        return [action for action in found if action.seat not in self.persons]

    def ground_actions(self, state: State, template: Action) -> Iterable[Action]:
        """Yield what the holder's true cards allow: whoever can, follows suit."""
        found = list(super().ground_actions(state, template))
        if not holes(template) or not state.now.trick:
            return found
        able = flow.able(self.components, state, self.hands[template.seat])
        return [one for one in found if str(getattr(one, "card", "")) in able]

    def _claims(self, state: State) -> list[Action]:
        """Return what one alone says and has points for, as sixty-six, and the end of the round."""
        seat, components = state.now.turn, self.components
        if not seat or seat in self.persons or state.now.trick:
            return []
        side = side_of(components.score, state.seats, seat)
        for entry in (one for one in components.score.entry if one.alone and one.due == "any"):
            claim = Enter(seat=seat, what=entry.name, amount=entry.low)
            if not self.game.judge(state, claim).ok:
                continue
            after = self.game.play(state, claim)
            better = flow.worth(components, after).points[side] > flow.worth(components, state).points[side]
            if better and self.game.judge(after, RoundOver(seat=seat)).ok:
                return [claim, RoundOver(seat=seat)]
        return []

    def _melds(self, state: State) -> list[Action]:
        """Show a meld of the hand of whoever leads, where the score counts such melds."""
        seat, faces, gone = state.now.turn, self.components.faces, flow.gone(self.components, state)
        if not seat or seat in self.persons or state.now.trick:
            return []
        for block in (one for one in self.components.score.score if one.op == "whole"):
            zone = f"{block.cards[0]}.{seat}"
            shown, where = {*state.lies(zone)}, allowed(block.where)
            cards = matching([faces[card] for card in self.hands[seat]], where, Budget())
            for value in sorted({face.get(block.by, "") for face in cards}):
                alike = [face for face in cards if face.get(block.by, "") == value]
                fit = [matching(alike, allowed(part), Budget())[:1] for part in block.parts]
                meld = {one[0]["piece"] for one in fit if one}
                if all(fit) and not meld <= shown and len((meld | shown) - gone) <= SHOWN:
                    return [Place(seat=seat, zone=zone, cards=(card,)) for card in sorted(meld - shown)]
        return []

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
        rest = [piece for piece in there if piece != now.last]
        ways = [some for size in range(len(rest) + 1) for some in combinations(rest, size)]
        ways = [some for some in ways if flow.comes_to(self.components, now.last, (*now.capture, *some))]
        last = (now.last,) if now.last in there and ways else ()
        return zone, tuple(dict.fromkeys((*(card for some in ways for card in some), *last)))

    def objection(self, state: State, seat: Seat, piece: Piece, zone: Zone = "") -> Verdict | None:
        """Return the refusal of a card that does not follow suit, though one of the hand would."""
        tricks, suit = self.components.score.tricks, self.components.suit
        if tricks is None or not state.now.trick or state.now.turn != seat:
            return None
        if zone and zone != f"{tricks.zone}.{seat}":
            return None
        follow = flow.able(self.components, state, self.hands[seat])
        if not follow or piece in follow or piece not in self.components.pieces:
            return None
        name, led = self.components.name, suit(state.now.trick[0][1])
        if suit(piece) == led or suit(follow[0]) != led:
            reason = t(
                "{card} does not beat what lies there, and {other} in your hand may",
                card=name(piece),
                other=name(follow[0]),
            )
            return illegal("tricks", reason, t("Lay a higher card, or a trump."))
        reason = t(
            "{card} does not follow suit, and {other} in your hand does", card=name(piece), other=name(follow[0])
        )
        return illegal("tricks", reason, t("Follow the suit that was led."))

    def _captures(self, seat: Seat, there: list[Piece], row: Row) -> list[tuple[Piece, tuple[Piece, ...]]]:
        """List what a card of the hand takes, at most three cards, where the file says that it has to add up."""
        if not row.adds:
            return []
        ways = [taken for size in (1, 2, 3) for taken in combinations(there, size)]
        return [
            (card, taken) for card in self.hands[seat] for taken in ways if flow.comes_to(self.components, card, taken)
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
        shows = isinstance(action, Place) and self.components.score.tricks is not None
        if isinstance(action, Lay | Place) and seat != TABLE and not shows:
            cards = (str(action.card),) if isinstance(action, Lay) else action.cards
            self.hands[seat] = [card for card in self.hands[seat] if card not in cards]
        if isinstance(action, Gather) and self.components.draws(before):
            first = flow.winner(self.components, before)
            for n in range(before.seats):
                self.hands[(first - 1 + n) % before.seats + 1].append(self.deck.pop())
        if after.outcome is None and len(after.past) != self.round:
            self.deal(after)
        self._fill_hands()


BOTS = Bots(FileWorld)
