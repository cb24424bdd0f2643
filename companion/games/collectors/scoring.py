"""Scoring in Collectors: hidden items are revealed, points are counted, and who wins."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion.games.collectors.components import SYMBOLS, Components
from companion.games.collectors.state import SCORING, State
from companion.games.collectors.steps import CollectorsAction, actors, card_words, lies_open, with_player
from companion.rules.cards import Piece
from companion.rules.engine import Declared
from companion.rules.kernel import LEGAL, Facts, Hole, Outcome, Part, Seat, Verdict, at, inconsistent
from companion.rules.layout import Zone, owner_of
from companion.rules.wording import all_of
from companion.text import plural, t


class Reveal(CollectorsAction, frozen=True, tag="reveal", kw_only=True):
    """Reveal a secret item at the end of the game."""

    declared = Declared(t("Reveal a secret item"), "A", "Scoring; K16", ("reveal",))
    card: Piece | Hole

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Reveal]:
        return [cls(seat=seat, card=Hole(seat, state.unseen, t("a secret item"))) for seat in actors(state)]

    def judge(self, components: Components, state: State) -> Verdict:
        """All players reveal their hidden items and tuck them with the rest."""
        if self.card not in state.unseen:
            remedy = t("Put it back: reveal a card that lay face down under your board.")
            wrong = lies_open(components, state, self.card, SCORING, remedy)
            if wrong:
                return wrong
            reason = t("{card} can't be a secret item of {seat}", card=components.name(self.card), seat=at(self.seat))
            return inconsistent(
                "C2", t("{reason}: it is known to be elsewhere", reason=reason), t("Look again which card it is.")
            )
        return LEGAL

    def play(self, components: Components, state: State, facts: Facts) -> State:
        player, card = state.players[self.seat - 1], str(self.card)
        player = replace(player, items=(*player.items, card), secrets=player.secrets - 1)
        state = replace(state, players=with_player(state, self.seat, player), unseen=state.unseen - {card})
        return state if actors(state) else scored(components, state)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t("{seat} reveals {card}.", seat=at(self.seat), card=card_words(components, self.card))

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[Reveal]:
        lies = zone.startswith("items.") and piece not in components.owner and state.phase == "reveal"
        return [cls(seat=owner_of(zone), card=piece)] if lies else ()


def parts(components: Components, state: State, seat: Seat) -> tuple[Part, Part, Part]:
    """Count the points: items, coins, skills (K15)."""
    player = state.players[seat - 1]
    in_market = [components.symbol[card] for card in state.market]
    mine = [components.item[card] for card in player.items]
    items = sum(in_market.count(item) for item in mine)
    skills = 0
    for card in player.skills:
        skill = components.skill[card]
        if skill == "vp-all":
            skills += components.vp_all if set(SYMBOLS) <= set(mine) else 0
        elif skill.startswith("vp-"):
            skills += mine.count(skill.removeprefix("vp-"))
    return (
        Part(t("items"), items),
        Part(t("coins"), player.coins // components.coins_a_point),
        Part(t("skills"), skills),
    )


def scored(components: Components, state: State) -> State:
    """The player with the most points wins; in a tie the one with the most cards in hand, else it is shared."""
    points = {seat: sum(part.value for part in parts(components, state, seat)) for seat in state.seats}
    most = max(points.values())
    best = [seat for seat in state.seats if points[seat] == most]
    hands = {seat: state.players[seat - 1].hand.size for seat in best}
    winners = tuple(seat for seat in best if hands[seat] == max(hands.values()))
    words = plural(
        "{winners} wins with {points} points",
        "{winners} share the win with {points} points",
        count=len(winners),
        winners=all_of(at(seat) for seat in winners),
        points=most,
    )
    if len(best) > 1:
        hand = hands[winners[0]]
        words = t("{words}; the tie goes to the most cards in hand, {hand}", words=words, hand=hand)
    return replace(state, phase="over", outcome=Outcome(winners, "points", "Scoring", words + "."))
