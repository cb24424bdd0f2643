"""A game made from a file: its score file, its cards by trait, and the zones of its mat."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion.games.from_file import checking
from companion.games.from_file.checking import Place, Places
from companion.games.from_file.score_file import Block, Entry, Round, Score
from companion.games.from_file.scoring import DICE, faces_of
from companion.games.from_file.state import State
from companion.rules.cards import Deck, Piece
from companion.rules.layout import Zone
from companion.text import join, t, word

POINTS = Entry("points", t("Points, plus or minus"), -50, 100, adds=True)
TRICKS = Entry("tricks", t("Tricks that I took"), 0, 30)
"""What can be typed in every game: points, and in games with tricks how many were taken."""


def worded(score: Score) -> Score:
    """Return a score file whose words are messages: those of our own files have translations."""
    return replace(
        score,
        words=word(score.words),
        coach=word(score.coach),
        entry=tuple(
            replace(one, words=word(one.words), names=tuple(word(name) for name in one.names)) for one in score.entry
        ),
        option=tuple(replace(one, words=word(one.words)) for one in score.option),
        score=tuple(
            replace(one, says=word(one.says), means=word(one.means), tells=word(one.tells.rstrip(".")))
            for one in score.score
        ),
    )


class Components:
    """What the rules ask of the files."""

    def __init__(self, deck: Deck, text: str, places: Places) -> None:
        self.deck, self.places = deck, places
        self.score: Score = worded(checking.load(text, deck, places))
        self.faces = faces_of(deck)
        self.titles = deck.called()
        self.pieces = frozenset(self.faces)
        order = self.score.tricks.order if self.score.tricks else ()
        self.height = {rank: n for n, rank in enumerate(order)}
        self.entries: dict[str, Entry] = {entry.name: entry for entry in (*self.score.entry, POINTS)}
        if self.score.tricks is not None:
            self.entries[TRICKS.name] = TRICKS
        self.boxes: tuple[Block, ...] = tuple(block for block in self.score.score if block.box)
        self.counts_tricks = any(block.op == "tricks" for block in self.score.score)
        adding = {entry.name for entry in self.entries.values() if entry.adds}
        self.early = {
            one.name for one in self.score.score if one.at_once or (one.op == "entered" and adding.issuperset(one.of))
        }
        self.bids = {block.bid for block in self.score.score if block.op == "bid"}
        counted = (zone for block in self.score.score for zone in (*block.cards, *block.like.values()))
        self.counted: tuple[Zone, ...] = tuple(dict.fromkeys(zone for zone in counted if zone != DICE))
        run = self._run()
        self.free = frozenset(zone for zone in {*self.counted} - run if zone in places)
        trays = {zone for zone, place in places.items() if place.kind == "tray" and self.score.dice is not None}
        self.laid = frozenset(zone for zone in {*self.counted, *run, *trays} if zone in places)

    @property
    def round(self) -> Round:
        return self.score.round

    def _run(self) -> set[Zone]:
        """Return the zones by which the round goes on."""
        run = {self.round.turn_ends}
        if self.score.tricks is not None:
            run |= {self.score.tricks.zone, self.score.tricks.to, self.score.tricks.shown}
        if self.score.row is not None:
            run |= {self.score.row.zone, self.score.row.to}
        return run

    def zones(self, base: Zone, seats: int) -> tuple[Zone, ...]:
        """Return a zone of the file as the mat names it: one for each seat, or the one in the middle."""
        return tuple(f"{base}.{seat}" for seat in range(1, seats + 1)) if self.places[base].own else (base,)

    def place(self, zone: Zone) -> Place | None:
        return self.places.get(zone.partition(".")[0])

    def before(self) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.score.entry if entry.due == "before")

    def hand(self, number: int) -> int:
        """Return how many cards a hand has in a round; 0 where nobody counts."""
        hand = self.round.hand
        if hand is None or isinstance(hand, int):
            return hand or 0
        return hand[(number - 1) % len(hand)]

    def whole_deck(self, seats: int) -> int:
        """Return how many cards everybody lays in a round in which all draw."""
        return len(self.pieces) // seats

    def most(self, entry: Entry, number: int) -> int:
        """Return the highest number that may be typed in a round: nobody bids or takes more tricks than a hand has."""
        hand = self.hand(number) if self.score.tricks is not None else 0
        return min(entry.high, hand) if hand and (entry is TRICKS or entry.name in self.bids) else entry.high

    def left_in_hand(self, state: State) -> int:
        """Return how many cards every hand still has; 0 where nobody counts."""
        if self.score.tricks is None or not (state.now.tricks or state.now.trick):
            return 0
        return self.held(state, len(state.now.tricks) + bool(state.now.trick))

    def tricks(self, state: State) -> int:
        """Return how many tricks the round has; 0 where nobody counts."""
        hand, tricks, closed = self.hand(state.number), self.score.tricks, state.now.closed
        if tricks is None or not tricks.draws:
            return hand
        return closed + hand if closed >= 0 else self.whole_deck(state.seats)

    def practice(self, state: State) -> int:
        """Return how many tricks count nothing: where only the `late` ones do, those before the last card is drawn."""
        late = self.score.tricks is not None and self.score.tricks.late
        return self.tricks(state) - self.hand(state.number) if late else 0

    def draws(self, state: State) -> int:
        """Return how often everybody still draws: 0 once the talon is empty or closed."""
        left = self.tricks(state) - self.hand(state.number) - len(state.now.tricks)
        return max(0, left) if self.score.tricks is not None and self.score.tricks.draws else 0

    def held(self, state: State, laid: int) -> int:
        """Return how many cards a hand has that has laid so many, if everybody has drawn."""
        left = self.tricks(state) - laid
        return max(0, min(left, self.hand(state.number)) if self.draws(state) else left)

    def suit(self, piece: Piece) -> str:
        return self.faces[piece].get("suit", "") if piece in self.faces else ""

    def strength(self, piece: Piece, led: str, trump: str) -> tuple[bool, bool, int]:
        """Return what decides a trick: trumps first, then the suit led, then the rank."""
        suit = self.suit(piece)
        return bool(trump) and suit == trump, suit == led, self.height.get(self.faces[piece].get("rank", ""), -1)

    def name(self, piece: Piece) -> str:
        return self.titles.get(piece, piece)

    def names(self, pieces: Iterable[Piece]) -> str:
        return join(", ", (self.name(piece) for piece in pieces)) or t("nothing")
