"""What is hidden in a game made from a file, for robots: they deal as the file says, and lay, take and type.

They know no game: what the file's own score says of a round is what the search goes by.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import combinations

from companion.games.from_file import FromFile, flow
from companion.games.from_file.components import Components
from companion.games.from_file.counting import Budget, matching, number
from companion.games.from_file.laying import Gather, Lay, Place, Take, TurnUp
from companion.games.from_file.melds import Cards
from companion.games.from_file.rolling import Fill, Roll
from companion.games.from_file.saying import Enter, Out, RoundOver, Say
from companion.games.from_file.score_file import Row
from companion.games.from_file.scoring import allowed, side_of
from companion.games.from_file.state import Setup, State, placed
from companion.rules.cards import Piece
from companion.rules.kernel import TABLE, Action, Facts, Game, Options, Rolled, Seat, Verdict, illegal
from companion.rules.layout import Zone
from companion.sim.world import Bots, Level, Saved, World, WorldError
from companion.text import t

ROW_HAND = 3
"""Cards that robots hold of a game with a row, if it names no hand, dealt anew when all hands are empty."""
WAYS = 3
"""Ways in which the rest may fall that are looked at when cards of a hand are kept."""
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
        rounds, blocks = self.components.round, self.components.score.score
        self.melds = next((one for one in blocks if one.op == "melds" and one.held and rounds.turn_ends), None)
        """What is made of a hand from which a card is laid off every turn, as in gin."""
        self._melded: dict[frozenset[Piece], Cards] = {}
        needs = {one.cards[0]: one.needs for one in blocks if one.cards and isinstance(one.needs, int)}
        free = [zone for zone in sorted(self.components.free.intersection(needs)) if needs[zone] > 1]
        own, rest = ([zone for zone in free if self.components.places[zone].own is mine] for mine in (True, False))
        self.kept = (own[0], needs[own[0]], needs[rest[0]] // seats, needs[rest[0]]) if own and rest else ("", 0, 0, 0)
        """Where cards of a hand are kept, how many, how many go to the middle, as to a crib, and how many lie there."""
        self.effort = 0.0 if self.melds or self.kept[0] else 0.5

    def setup(self) -> Setup:
        return Setup(first=self.first)

    def piles(self) -> dict[str, tuple[Piece, ...]]:
        return {}

    def hides(self) -> bool:
        """Whether the file says who holds how many cards; else people at the simulated table lay any."""
        score = self.components.score
        return score.tricks is not None or score.row is not None or score.dice is not None

    def unknown(self, state: State, seat: Seat) -> frozenset[Piece]:
        """Return the cards of others' hands and the talon that have not been shown."""
        lying = (cards for _, cards in state.now.lying)
        there = frozenset(self.deck).union(*self.hands.values())
        return there.difference(self.hands.get(seat, ()), (state.now.shown,), *lying)

    def dealt_anew(self, state: State, seat: Seat, rng: random.Random) -> Saved:
        """Return a deal in which nobody holds a suit that was not followed."""
        dealt, suit, unknown = super().dealt_anew(state, seat, rng), self.components.suit, self.unknown(state, seat)
        voids = {(who, void) for who, void, _ in state.now.voids}
        hands: dict[Seat, list[Piece]] = {**dealt["hands"], TABLE: dealt["deck"]}  # type: ignore[dict-item]
        held = [(who, n) for who, hand in hands.items() if who != seat for n in range(len(hand)) if hand[n] in unknown]
        rng.shuffle(held)
        for who, n in held if voids else ():
            for other, m in held if (who, suit(hands[who][n])) in voids else ():
                mine, theirs = hands[who][n], hands[other][m]
                if voids.isdisjoint(((who, suit(theirs)), (other, suit(mine)))):
                    hands[who][n], hands[other][m] = theirs, mine
                    break
        return dealt

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
            self._draw(state)
            self.plan += [] if self.melds or self.kept[0] else self._free(state)

    def _draw(self, state: State) -> None:
        """Deal to robots, and let the one whose turn it is draw, or take what was laid off if that melds."""
        gone, (zone, keeps, spare, _) = flow.gone(self.components, state), self.kept
        self.deck = [card for card in self.deck if card not in gone]
        for seat in self._robots(state):
            hand = self.hands[seat] = [card for card in self.hands[seat] if card not in gone]
            if self.melds is None:
                full = keeps + spare if zone and not state.lies(f"{zone}.{seat}") else 0
            else:
                full = self.melds.held + (seat == state.now.turn)
                takes = len(hand) == full - 1 and not self._knocks(state)
                there = state.lies(self.components.round.turn_ends)[-1:] if takes else ()
                able = [*hand, *there]
                off = max(able, key=lambda card: self.useless(able, card)) if there and there[0] else ""
                if off not in ("", *there) and self.left(able, off) < self.left(hand):
                    self.plan, full = [Take(seat=seat, zone=self.components.round.turn_ends, cards=there)], full - 1
            hand += [self.deck.pop() for _ in range(min(full - len(hand), len(self.deck)))]

    def left(self, hand: Iterable[Piece], without: Piece = "") -> int:
        """Return what cards of a hand come to that are in no meld, if one is laid off."""
        pieces = frozenset(hand)
        if pieces not in self._melded and self.melds is not None:
            faces, table = [self.components.faces[card] for card in pieces], self.components.score.worth
            self._melded[pieces] = Cards(faces, table.get(self.melds.worth, {}), self.melds.least, Budget())
        cards = self._melded[pieces]
        return cards.left(sum(1 << n for n, face in enumerate(cards.faces) if face["piece"] != without))

    def useless(self, hand: Iterable[Piece], card: Piece) -> float:
        """Return what a hand is rid of without a card, less a little for each that it might make a meld with."""
        mine, others = self.components.faces[card], (self.components.faces[one] for one in hand if one != card)
        near = [abs(number(one) - number(mine)) <= 2 * (one.get("suit") == mine.get("suit")) for one in others]
        return self.left(hand) - self.left(hand, card) - 1.3 * sum(near)

    def worth_keeping(self, state: State, action: Place) -> float:
        """Return by how many points cards that are kept put a seat ahead, as the rest may fall."""
        hand, found, side = self.hands[action.seat], 0, side_of(self.components.score, state.seats, action.seat)
        rest = sorted(self.components.pieces.difference(hand, flow.gone(self.components, state)))
        thrown = [card for card in hand if card not in action.cards]
        for n in range(WAYS):
            after, fall = placed(state, action.zone, action.cards), random.Random(n).sample(rest, len(hand))
            for base in self.components.free:
                if not (place := self.components.places[base]).own:
                    many = fall[-1:] if place.kind == "pile" else [*thrown, *fall][: self.kept[3]]
                    after = placed(after, base, tuple(many))
            points = flow.worth(self.components, after).points
            found += points[side] - max(points[:side] + points[side + 1 :])
        return found / WAYS

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
        # What was planned for a seat that a person has taken since is theirs to do; the others' is done all the same.
        self.plan = [one for one in self.plan if one.seat not in self.persons]
        first = self.plan[0] if self.plan else None
        if isinstance(first, Lay):
            crossed = first.seat != state.now.turn or str(first.card) not in self.hands[first.seat]
        else:
            # What is taken when another has laid a card would be taken in that one's name.
            late = isinstance(first, Take) and first.seat != (state.now.layer or state.now.turn)
            crossed = late or (isinstance(first, Take) and not set(first.cards) <= set(state.lies(first.zone)))
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
        # What was not kept lies on top, and is laid first.
        self.deck += [self.hands[seat].pop() for seat in self._robots(state) for _ in range(self.kept[2])]
        for base in sorted(self.components.free):
            place = self.components.places[base]
            for zone in self.components.zones(base, state.seats):
                seat = int(zone.partition(".")[2] or state.now.turn)
                if seat in self.persons or state.lies(zone):
                    continue
                needed = [block.held for block in self.components.score.score if base in block.cards]
                full = place.slots if place.kind == "slots" else 1 if place.kind == "pile" else max([4, *needed])
                cards = (
                    self.hands[seat][: full if self.melds else None]
                    if place.own and self.hands.get(seat)
                    else self.deck
                )
                for n in range(len(cards) if cards is not self.deck else min(full, len(cards))):
                    slot = n if place.kind == "slots" else -1
                    found.append(Place(seat=seat, zone=zone, cards=(cards.pop(),), slot=slot))
        return [*found, *self._typing(state)]

    def _typing(self, state: State) -> list[Action]:
        """Type what is typed in the round, all of them what is due at its end, and end it."""
        found: list[Action] = []
        kinds = ("end",) if self.components.score.tricks is not None else ("any", "end")
        for entry in (one for one in self.components.score.entry if one.due in kinds):
            everybody = (entry.due == "end" or entry.adds) and not entry.alone
            some = self._robots(state) if everybody else self._robot(state)
            # Where all type what they have left, one is out, and few have much; fewer still peg much.
            out = self.rng.choice(some) if everybody and some else TABLE
            often = 8 if entry.adds else 3 if everybody else 1
            for seat in some:
                amount = min(self.rng.randint(entry.low, entry.high) for _ in range(often))
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
            return self._ready(state, self.plan[:1])
        if due == "say":
            seat = flow.speaker(self.components, state)
            entry = next(one for one in self.components.before() if state.said(one.name)[seat - 1] is None)
            return [*Say.of(self.components, state, seat, entry)]
        if due == "row" and row is not None:
            return self._from_row(state)
        if due == "dice":
            return [action for action in self.game.legal(state) if isinstance(action, Roll | Fill)]
        if due == "trick" and not any(self.hands.values()):
            self.plan = self._typing(state)
            return self._ready(state, self.plan[:1])
        if due == "trick" and (more := self._claims(state) or self._melds(state)):
            self.plan = more
            return self.plan[:1]
        if due == "trick" and (turn := state.now.turn):
            return [Lay(seat=turn, card=card) for card in flow.able(self.components, state, self.hands[turn])]
        if due == "free" and (self.melds or self.kept[0]):
            return self._held(state)
        if due != "free":  # not all that is legal: what can be typed would be hundreds of numbers
            templates = {"trick": Lay.options(self.components, state), "gather": [Gather()]}.get(due, ())
            return [action for template in templates for action in self.ground_actions(state, template)]
        found = [action for template in self.game.legal(state) for action in self.ground_actions(state, template)]
        return [action for action in found if action.seat not in self.persons]

    def _held(self, state: State) -> list[Action]:
        """Return what a robot may keep of its hand, or lay off; when all is known, plan what is laid and typed."""
        zone, keeps, *_ = self.kept
        for seat in self._robots(state) if zone else ():
            if not state.lies(f"{zone}.{seat}"):
                ways = combinations(sorted(self.hands[seat]), keeps)
                return [Place(seat=seat, zone=f"{zone}.{seat}", cards=cards) for cards in ways]
        knocks, turn, ends = self._knocks(state), state.now.turn, self.components.round.turn_ends
        if self.melds and not (knocks or self._said(state)):
            if turn in self.persons:
                return []
            if len(hand := self.hands[turn]) > self.melds.held:
                return [Place(seat=turn, zone=ends, cards=(card,)) for card in hand]
            self.plan = [RoundOver(seat=turn)]  # the talon is used up
        elif not self.plan:
            self.plan = [*knocks, *(one for one in self._free(state) if not (self.melds and isinstance(one, Enter)))]
        return self._ready(state, self.plan[:1])

    def _said(self, state: State) -> bool:
        """Whether a robot or a person has said what ends the round."""
        return any(any(state.said(entry.name)) for entry in self.components.score.entry if entry.alone)

    def _knocks(self, state: State) -> list[Action]:
        """Return the claim of a robot that has just laid off a card, if the file has nothing against its melds."""
        seat, score = (state.now.turn - 2) % state.seats + 1, self.components.score
        ends = self.components.round.turn_ends
        if self.melds is None or seat in self.persons or not state.lies(ends) or self._said(state):
            return []
        melds = placed(state, f"{self.melds.cards[0]}.{seat}", tuple(self.hands[seat]))
        for entry in (one for one in score.entry if one.alone):
            claim = Enter(seat=seat, what=entry.name, amount=entry.low)
            if self.game.judge(state, claim).ok:
                values = flow.worth(self.components, self.game.play(melds, claim)).blocks
                if not any(values[one.name][seat - 1] for one in score.score if one.tells and one.told == "any"):
                    return [claim]
        return []

    def _ready(self, state: State, actions: Iterable[Action]) -> list[Action]:
        """Return what can be done now: a person, or what the score needs, may be missing yet."""
        return [action for action in actions if self.game.judge(state, action).ok]

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

    def _from_row(self, state: State) -> list[Action]:
        if not any(self.hands.values()):
            return self._ready(state, [RoundOver(seat=seat) for seat in self._robot(state)])
        return [Lay(seat=state.now.turn, card=card) for card in self.hands[state.now.turn]]

    def _taken(self, before: State, laid: Lay, row: Row) -> list[Action]:
        """Plan what a card takes that a robot has laid in the row."""
        there = [piece for piece in before.lies(row.zone) if piece]
        # The mat has room for nine; where cards have to add up, what does not is taken only for want of room.
        full = len(there) > (7 if row.adds else 6)
        taken = max(self._captures(str(laid.card), there, row), key=len, default=())
        if not taken and there and (full or (not row.adds and self.rng.random() < 0.6)):
            taken = tuple(there) if len(there) < 3 and self.rng.random() < 0.5 else (self.rng.choice(there),)
        cards = (str(laid.card), *taken) if taken else ()
        return [Take(seat=laid.seat, zone=row.zone, cards=(one,)) for one in cards]

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

    def _captures(self, card: Piece, there: list[Piece], row: Row) -> list[tuple[Piece, ...]]:
        """List what a card takes, at most three cards, where the file says that it has to add up."""
        ways = [taken for size in (1, 2, 3) for taken in combinations(there, size) if row.adds]
        return [taken for taken in ways if flow.comes_to(self.components, card, taken)]

    def facts(self, state: State, action: Action) -> Facts:
        needs = self.game.needs(state, action)
        return tuple(
            Rolled(place=need.place, values=tuple(self.rng.randint(1, need.sides) for _ in range(need.count)))
            for need in needs
        )

    def apply(self, before: State, action: Action, after: State) -> None:
        row = self.components.score.row
        if isinstance(action, Lay) and row is not None and action.seat not in self.persons:
            self.plan = self._taken(before, action, row)
        elif action in self.plan:
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
        if isinstance(action, Take) and self.melds:
            self.hands[seat] += action.cards
        if after.outcome is None and len(after.past) != self.round:
            self.deal(after)
        elif after.outcome is None and (self.melds or self.kept[0]) and not self._said(after):
            self._draw(after)
        self._fill_hands()


def _best(worth: float) -> float:
    """Return a weight by which what is worth most is as good as always chosen; of any worth there is one."""
    return float(10.0 ** min(max(worth, -300.0), 300.0))


def _weigh(game: Game[State], state: State, world: World[State], action: Action) -> float:
    """Return 1 but for a number of tricks that is far from a fair share: that is less likely made."""
    if isinstance(action, Place) and action.seat and isinstance(world, FileWorld):
        if world.melds:
            return _best(6 * world.useless(world.hands[action.seat], action.cards[0]))
        return _best(world.worth_keeping(state, action)) if world.kept[0] else 1.0
    if not isinstance(action, Say):
        return 1.0
    share = max(1, len(world.hands[action.seat]) // state.seats)
    return float(0.15 ** max(share - 1 - action.amount, action.amount - share, 0))


def _standing(game: Game[State], state: State, world: World[State]) -> list[float]:
    """Return how each seat stands: its side's points, by an eighth of those that end the match."""
    components: Components = world.components  # type: ignore[attr-defined]
    points, ranking = flow.totals(state, flow.worth(components, state).points), components.score.ranking
    goal, best = flow.goal_of(components, state) or 80, ranking.best(points)
    sides = [side_of(components.score, state.seats, seat) for seat in range(1, state.seats + 1)]
    return [-8 * abs(points[side] - best) / goal for side in sides]


LEVELS = {"easy": Level(0, 0.5, 0.0), "normal": Level(15, 0.001, 50.0)}
"""No rule of thumb fits all files: normal robots search a little."""
BOTS = Bots(FileWorld, _weigh, _standing, LEVELS, lambda state: len(state.past))
