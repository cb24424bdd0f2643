"""The section "Reveal or pass" of Collectible: the last step of a turn, and how all galleries are laid open."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion.games.collectible.components import Components
from companion.games.collectible.places import with_gallery, with_player
from companion.games.collectible.scoring import laid_open, opened_at
from companion.games.collectible.state import REVEAL, Gallery, State
from companion.games.collectible.steps import CollectibleAction, may_end, over_limits, waiting, within_limits
from companion.rules.cards import Piece
from companion.rules.engine import Declared
from companion.rules.hands import held
from companion.rules.kernel import (
    LEGAL,
    Facts,
    Need,
    Opened,
    Seat,
    Verdict,
    Weight,
    at,
    fact_at,
    illegal,
    inconsistent,
    no_such_seat,
)
from companion.rules.layout import Zone, owner_of
from companion.rules.wording import cards
from companion.text import t


class LastStep(CollectibleAction, frozen=True, kw_only=True):
    """What ends a turn. It ends Send, too, if that is not over yet (A5)."""

    @classmethod
    def is_due(cls, components: Components, state: State, seat: Seat) -> bool:
        return seat == state.turn and may_end(state)


class Reveal(LastStep, frozen=True, tag="reveal", kw_only=True):
    """Lay your gallery open: five of its cards share a theme. Needs Opened at "reveal.N"."""

    declared = Declared(t("Reveal your collection"), "A", "Reveal or pass; A8", ("collect", "send", "reveal"))

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Reveal]:
        if state.stage or not may_end(state):
            return ()
        gallery = state.players[state.turn - 1].gallery
        enough = gallery.size >= components.collection and components.common(
            gallery.known, gallery.unknown, state.unseen
        )
        return [cls(seat=state.turn)] if enough else ()

    @classmethod
    def weight(cls, components: Components, state: State, seat: Seat) -> Weight:
        """What nobody can know of a gallery, its owner may have got wrong (A8)."""
        return "strong" if components.common(state.players[seat - 1].gallery.known, 0, frozenset()) else "weak"

    @classmethod
    def asks_back(cls, components: Components, state: State, seat: Seat) -> str:
        return t(
            "Tap again: your cards are laid open. If {collection} of them share a theme the match ends; "
            "if not, all have seen them",
            collection=components.collection,
        )

    def borne_out(self, components: Components, state: State, hand: frozenset[Piece]) -> bool:
        return components.common(hand, 0, frozenset())

    def judge(self, components: Components, state: State) -> Verdict:
        """With five cards of one theme you may reveal; that ends Send without a discard (A5, A8)."""
        if state.stage:
            # It was declared before the reveal, and after a reveal there is no window (A7).
            reason = t(
                "{piece} of {seat} was laid first",
                piece=components.name(state.stage[0].piece),
                seat=at(state.stage[0].seat),
            )
            return illegal("A7", reason, t("Take them back, and say first that you are done sending cards."))
        gallery = state.players[self.seat - 1].gallery
        if gallery.size < components.collection:
            reason = t(
                "revealing takes {collection} cards, and the gallery of {seat} has {size}",
                collection=components.collection,
                seat=at(self.seat),
                size=gallery.size,
            )
            return illegal(REVEAL, reason, t("Take them back and pass."))
        if components.common(gallery.known, gallery.unknown, state.unseen):
            return LEGAL
        reason = t(
            "no {collection} cards in the gallery of {seat} share a theme",
            collection=components.collection,
            seat=at(self.seat),
        )
        if not gallery.unknown:
            return illegal("A8", reason, t("Take them back and pass."))
        return inconsistent(
            "C9", t("{reason}, going by what is known of it", reason=reason), t("Look at the cards again.")
        )

    def needs(self, components: Components, state: State) -> tuple[Need, ...]:
        return (whole_gallery(state, self.seat),)

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """The game is over; without a common theme the cards are taken back, stay known, and the extras go (A8)."""
        state = seen_by_all(state, self.seat, opened_at(components, state, self.seat, facts))
        player = state.players[self.seat - 1]
        if not components.common(player.gallery.known, 0, frozenset()):
            return state if state.step == "reveal" else replace(state, step="discarding")
        state = with_player(state, self.seat, replace(player, shown=True))
        return laid_open(components, replace(state, step="show"))

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        seat, collection = at(self.seat), _collection(components, facts, self.seat)
        if collection:
            return t("{seat} reveals: {collection}.", seat=seat, collection=collection)
        return t("{seat} reveals.", seat=seat)

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[Reveal]:
        return [cls(seat=owner_of(zone))] if zone.startswith("reveal.") and state.phase != "show" else ()


class Pass(LastStep, frozen=True, tag="pass", kw_only=True):
    """Pass the turn to the player on your left."""

    declared = Declared(
        t("Pass the turn on"), "C", "Reveal or pass", ("collect", "send", "reveal"), idle=True, onward=True
    )

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Pass]:
        able = may_end(state) and (state.step == "reveal" or within_limits(components, state, state.turn))
        return [cls(seat=state.turn)] if able else ()

    def judge(self, components: Components, state: State) -> Verdict:
        """If you don't reveal, pass the turn to the player on your left; both limits hold then (A5)."""
        if state.step == "reveal" or within_limits(components, state, self.seat):
            return LEGAL
        over = over_limits(components, state, self.seat)
        remedy = t("Discard the extras.") if state.step == "discarding" else t("Move cards, or discard the extras.")
        return illegal("A5", t("{seat} has {over}", seat=at(self.seat), over=over), remedy)

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """The next turn begins, once the characters that waited for the end of Send are done (`turns.go_on`)."""
        return replace(state, step="passed")

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t("{seat} passes the turn on.", seat=at(self.seat))


class Show(CollectibleAction, frozen=True, tag="show", kw_only=True):
    """A player's gallery is laid open for scoring. Needs Opened at "reveal.N"."""

    declared = Declared(t("Lay a gallery open for scoring"), "A", "Reveal or pass; A8", ("show",))
    upkeep = True
    player: Seat

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Show]:
        return [cls(player=seat) for seat, player in enumerate(state.players, 1) if not player.shown]

    def judge(self, components: Components, state: State) -> Verdict:
        if self.player not in state.seats:
            return no_such_seat(self.player, len(state.players))
        if state.players[self.player - 1].shown:
            return illegal(
                REVEAL,
                t("the gallery of {player} lies open already", player=at(self.player)),
                waiting(components, state),
            )
        return LEGAL

    def needs(self, components: Components, state: State) -> tuple[Need, ...]:
        return (whole_gallery(state, self.player),)

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """When all galleries lie open they are scored; the best theme is chosen for each player (A8)."""
        state = seen_by_all(state, self.player, opened_at(components, state, self.player, facts))
        player = replace(state.players[self.player - 1], shown=True)
        return laid_open(components, with_player(state, self.player, player))

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        seat, collection = at(self.player), _collection(components, facts, self.player)
        if collection:
            return t("{seat} lays the gallery open: {collection}.", seat=seat, collection=collection)
        return t("{seat} lays the gallery open.", seat=seat)

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[Show]:
        return [cls(player=owner_of(zone))] if zone.startswith("reveal.") and state.phase == "show" else ()


def whole_gallery(state: State, seat: Seat) -> Need:
    """Return the need for all cards of a gallery."""
    gallery = state.players[seat - 1].gallery
    words = t("all cards in the gallery of {seat}, laid open", seat=at(seat))
    return Need(f"reveal.{seat}", "opened", words, held(gallery, state.unseen), gallery.size)


def seen_by_all(state: State, seat: Seat, pieces: frozenset[Piece]) -> State:
    """Let everybody know the cards of a gallery."""
    return replace(with_gallery(state, seat, Gallery(pieces, 0)), unseen=state.unseen - pieces)


def _opened(facts: Facts) -> frozenset[Piece]:
    return frozenset(piece for fact in facts if isinstance(fact, Opened) for piece in fact.pieces)


def _collection(components: Components, facts: Facts, seat: Seat) -> str:
    fact = fact_at(facts, f"reveal.{seat}")
    if not isinstance(fact, Opened):
        return ""
    best = components.best(fact.pieces)
    if not best.theme:
        return t("no collection")
    some = cards(len(best.pieces))
    return t("{cards} with {theme}, {score} points", cards=some, theme=best.theme, score=best.score)
