"""The hidden part of a match: deck orders and hands, which only the players (and a simulation) know.

A world deals, fills templates' holes, supplies what chance decides, and follows the rules' states: its piles must be as
long as the rules think.
"""

from __future__ import annotations

import itertools
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.metadata import entry_points
from typing import ClassVar, Generic, NamedTuple, TypeVar

from companion.rules.cards import Piece
from companion.rules.kernel import TABLE, Action, AnyGame, Facts, Game, Options, Seat, Verdict, fill, holes
from companion.rules.layout import Zone

S = TypeVar("S")
Saved = dict[str, object]
"""What a world hides, by the attribute that it stands in: a piece, lists, or lists by seat or zone."""


class WorldError(Exception):
    """The rules and the world disagree about how many cards lie somewhere: a fault in one of them."""


class World(ABC, Generic[S]):
    """What is hidden in one match: hands, a deck (the top card last), and what a subclass adds.

    `S` is the state of its game. A game *must* provide a subclass here to be played by robots.
    """

    HIDDEN: ClassVar[tuple[str, ...]] = ("hands", "deck")
    """The attributes in which pieces are hidden: a piece, lists, or lists by seat or zone."""
    CHOSEN: ClassVar[tuple[str, ...]] = ()
    """Zones (a seat's without its number) for cards laid face down that no action names: a person chooses them."""

    APART: ClassVar[tuple[str, ...]] = ()
    """The attributes of `HIDDEN` whose pieces never mix with others, as a deck of another kind."""

    OPEN: ClassVar[bool] = False
    """Whether `hands` lie open on the table, so that nobody has a card in the hand."""

    effort: float = 1.0
    """How many times the playouts of a level fit into the time that a decision may take; 0: nothing is searched."""

    def __init__(self, game: Game[S], seats: int, options: Options, rng: random.Random) -> None:
        """Shuffle and deal; `state` is then the match's first state."""
        self.game = game
        self.seats = seats
        self.rng = rng
        self.options = dict(options)
        self.hands: dict[Seat, list[Piece]] = {seat: [] for seat in range(1, seats + 1)}
        self.deck: list[Piece] = []
        self.first = rng.randint(1, seats)
        self.persons: Collection[Seat] = frozenset()
        """Seats that people play: nothing is done in their name."""

    @abstractmethod
    def setup(self) -> object:
        """Return the facts that the set-up needs (the game's set-up struct)."""

    @abstractmethod
    def deal(self, state: S) -> None:
        """Deal the cards that the first state says are dealt."""

    @abstractmethod
    def facts(self, state: S, action: Action) -> Facts:
        """Return what chance adds to an action."""

    @abstractmethod
    def apply(self, before: S, action: Action, after: S) -> None:
        """Follow an action; raise WorldError if the piles are not as long as the rules think."""

    def rest(self, state: S) -> Iterable[Piece]:
        """Return the pieces that are shuffled into a new deck when the deck is used up; by default there are none."""
        return ()

    def piles(self) -> dict[str, tuple[Piece, ...]]:
        """Return the hidden piles that lie on the table face down, by zone, from the bottom up."""
        return {"deck": tuple(self.deck)} if "deck" in self.HIDDEN else {}

    def hides(self) -> bool:
        """Whether hands and deck are secret. Where people lay what they like, all beside the table is everybody's."""
        return True

    def takes_yet(self, state: S) -> Seat:
        """Return the seat that may still take something, though it is another one's turn; TABLE if there is none."""
        return TABLE

    def objection(self, state: S, seat: Seat, piece: Piece, zone: Zone = "") -> Verdict | None:
        """Return what speaks against laying a card of the hand (in a zone), though the table alone can't tell it."""
        return None

    def finishing(self) -> Seat:
        """Return the robot that still does what belongs to its last turn; TABLE if there is none."""
        return TABLE

    def taking(self, state: S) -> tuple[Zone, tuple[Piece, ...]]:
        """Return the open cards that this seat may take, and the zone where they go."""
        return "", ()

    def save(self) -> Saved:
        """Return a copy of what is hidden, for `restore`."""
        return {name: _copied(getattr(self, name)) for name in self.HIDDEN}

    def restore(self, saved: Saved) -> None:
        """Go back to what was saved."""
        for name, value in saved.items():
            setattr(self, name, _copied(value))

    def known(self, state: S, seat: Seat) -> Iterable[Piece]:
        """Return the hidden pieces that nobody but this seat knows: its hand, and what it laid face down or won so."""
        return self.hands.get(seat, ())

    def unknown(self, state: S, seat: Seat) -> frozenset[Piece]:
        """Return the hidden pieces of which a seat can't know where they are."""
        return self.game.unseen(state).difference(self.known(state, seat))

    def dealt_anew(self, state: S, seat: Seat, rng: random.Random) -> Saved:
        """Return what is hidden (see `save`) with all that a seat can't know dealt anew, by chance."""
        unknown = self.unknown(state, seat)
        saved = self.save()
        apart = [{name: saved.pop(name) for name in (one,)} for one in self.APART]
        dealt: Saved = {}
        for group in (saved, *apart):
            pieces = sorted(piece for piece in _cards_in(group) if piece in unknown)
            rng.shuffle(pieces)
            left = iter(pieces)
            dealt |= {name: _dealt(value, unknown, left) for name, value in group.items()}
        return dealt

    def deal_hands(self, unseen: Iterable[Piece], sizes: Mapping[Seat, int]) -> None:
        """Shuffle what nobody has seen into the deck, and deal hands of these sizes from its top."""
        self.deck = sorted(unseen)
        self.rng.shuffle(self.deck)
        for seat, size in sizes.items():
            self.hands[seat] = [self.deck.pop() for _ in range(size)]

    def renew(self, state: S) -> None:
        """Shuffle a new deck if it is used up."""
        if not self.deck:
            self.deck = list(self.rest(state))
            self.rng.shuffle(self.deck)

    def draw_up_to(self, sizes: Mapping[Seat, int], state: S) -> None:
        """Draw until hands are as large as the rules count them, seat after seat; `state` is that before the action."""
        for seat, size in sizes.items():
            while len(self.hands[seat]) < size:
                self.renew(state)
                if not self.deck:
                    return
                self.hands[seat].append(self.deck.pop())

    def ground_actions(self, state: S, template: Action) -> Iterable[Action]:
        """Yield the ground actions of a template that the holder's true cards allow."""
        gaps = holes(template)
        if not gaps:
            yield template
            return
        if len(gaps) == 1:  # nearly always
            ((name, hole),) = gaps
            for piece in self.hands[hole.owner]:
                if piece in hole.pieces:
                    yield fill(template, **{name: piece})
            return
        choices = [[piece for piece in self.hands[hole.owner] if piece in hole.pieces] for _, hole in gaps]
        for combination in itertools.product(*choices):
            yield fill(template, **{name: piece for (name, _), piece in zip(gaps, combination, strict=True)})

    def choices(self, state: S) -> list[Action]:
        """Return every ground action that is possible now."""
        return [action for template in self.game.legal(state) for action in self.ground_actions(state, template)]


def _copied(hidden: object) -> object:
    if isinstance(hidden, dict):
        return {key: _copied(value) for key, value in hidden.items()}
    return list(hidden) if isinstance(hidden, list) else hidden


def _dealt(hidden: object, unknown: Collection[Piece], pieces: Iterator[Piece]) -> object:
    """Return what is hidden with the next of `pieces` wherever an unknown one is; seats and zones in order."""
    if isinstance(hidden, str):
        return next(pieces) if hidden in unknown else hidden
    if isinstance(hidden, dict):
        return {key: _dealt(hidden[key], unknown, pieces) for key in sorted(hidden)}
    if isinstance(hidden, list | tuple):
        return type(hidden)(_dealt(value, unknown, pieces) for value in hidden)
    return hidden


AnyWorld = World[object]
"""A world as those use it who know neither its game nor its states."""


def agree(world: AnyWorld, pairs: Iterable[tuple[Piece, Piece]], both: bool = True) -> None:
    """Let hidden cards change places, so that the world agrees with people; `both` leaves alone what is not hidden."""
    for piece, other in pairs:
        saved = world.save()
        if both and not hidden_in(world).issuperset((piece, other)):
            continue
        renamed = {piece: other, other: piece}
        world.restore({name: _renamed(value, renamed) for name, value in saved.items()})


def hidden_in(world: AnyWorld) -> frozenset[Piece]:
    """Return the pieces that a world hides: in hands and piles that nobody sees."""
    return frozenset(_cards_in(world.save()))


def _cards_in(saved: object) -> Iterable[Piece]:
    if isinstance(saved, str):
        yield saved
    elif isinstance(saved, dict):
        for value in saved.values():
            yield from _cards_in(value)
    elif isinstance(saved, list | tuple | set | frozenset):
        for value in saved:
            yield from _cards_in(value)


def _renamed(saved: object, names: dict[Piece, Piece]) -> object:
    if isinstance(saved, str):
        return names.get(saved, saved)
    if isinstance(saved, dict):
        return {key: _renamed(value, names) for key, value in saved.items()}
    if isinstance(saved, list | tuple | set | frozenset):
        return type(saved)(_renamed(value, names) for value in saved)
    return saved


def world_of(game: AnyGame, seats: int, options: Options, rng: random.Random) -> AnyWorld:
    """Shuffle and deal a game for robots; raise WorldError if robots do not know the game."""
    return bots_for(game).world(game, seats, options, rng)


def bots_for(game: AnyGame) -> Bots[object]:
    """Return what robots need for a game; raise WorldError if they do not know it."""
    bots = bots_of(game.info.name) or bots_of(game.info.family)
    if bots is None:
        known = ", ".join(sorted(point.name for point in entry_points(group=_GROUP)))
        raise WorldError(f"robots can't play {game.info.title} yet; they play {known}")
    return bots


Weigh = Callable[[Game[S], S, World[S], Action], float]
"""Returns an action's worth (0 and up) to its seat; it looks only at that seat's hand."""

Value = Callable[[Game[S], S, World[S]], Sequence[float]]
"""Returns how well each seat stands, the first seat first: a share of a win is the softmax of these."""

_GROUP = "companion.bots"


class Level(NamedTuple):
    """How well a robot plays: how many playouts it searches with, and how far from the best its whims go.

    What the policy weighs less than `margin` times the best is never done, nor searched. Without a search the others
    are done as often as their weight to the power `keen` says.
    """

    playouts: int
    margin: float
    keen: float


class Bots(NamedTuple, Generic[S]):
    """What robots need for a game (entry points `companion.bots`): its world, the weights of actions, how seats stand.

    Without a `value` nothing is searched.
    """

    world: type[World[S]]
    weigh: Weigh[S] | None = None
    value: Value[S] | None = None
    levels: Mapping[str, Level] = {}
    """Levels that are other than those of all games, as where a ruling says how often a team wins."""
    within: Callable[[S], object] | None = None
    """Returns what stays the same while a playout goes on, as the number of the round; None: for a few decisions."""


@cache
def bots_of(game: str) -> Bots[object] | None:
    """Return what robots need to play a game, or None; raise TypeError if its entry point names something else."""
    for point in entry_points(group=_GROUP):
        if point.name == game:
            found = point.load()
            if not isinstance(found, Bots):
                raise TypeError(f"the entry point {point.value} (group {_GROUP}) is no Bots")
            return found
    return None
