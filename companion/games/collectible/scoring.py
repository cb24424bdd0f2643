"""The end of Collectible: galleries are laid open, collections are counted, and who wins (A8)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.collectible.components import Components, coins
from companion.games.collectible.places import whereabouts
from companion.games.collectible.state import State
from companion.rules.cards import Piece
from companion.rules.hands import misfit
from companion.rules.kernel import Facts, Opened, Outcome, RuleError, Seat, at, fact_at, inconsistent
from companion.rules.wording import all_of, cards


def opened_at(components: Components, state: State, seat: Seat, facts: Facts) -> frozenset[Piece]:
    """Return the cards of a gallery that was laid open.

    Raises:
        RuleError: if the fact is missing, or these can't be the cards of that gallery.
    """
    place, gallery = f"reveal.{seat}", state.players[seat - 1].gallery
    fact = fact_at(facts, place)
    if not isinstance(fact, Opened):
        raise RuleError(inconsistent("C9", f"the gallery of {at(seat)} has not been laid open", "Lay out its cards."))
    pieces = frozenset(fact.pieces)
    if len(fact.pieces) != gallery.size or len(pieces) != gallery.size:
        reason = f"{at(seat)} has {cards(gallery.size)} in the gallery, and {len(fact.pieces)} are laid open"
        raise RuleError(inconsistent("C9", reason, "Lay out all cards of the gallery, each once."))
    wrong = misfit(gallery, state.unseen, pieces)
    if wrong is not None:
        reason = (
            f"{components.name(wrong)} does not fit the gallery of {at(seat)}: {whereabouts(components, state, wrong)}"
        )
        raise RuleError(inconsistent("C2", reason, "Look at the cards again."))
    return pieces


def rounds_over(state: State) -> bool:
    """Return whether so many rounds were played that the galleries are scored."""
    return bool(state.agreed.rounds) and state.turns == state.agreed.rounds * len(state.players)


def laid_open(components: Components, state: State) -> State:
    """Count empty galleries as laid open; when all are, the match is over."""
    players = tuple(
        player if player.shown or player.gallery.size else replace(player, shown=True) for player in state.players
    )
    state = replace(state, players=players)
    return scored(components, state) if all(player.shown for player in players) else state


def scored(components: Components, state: State) -> State:
    """End the match: the most points win; ties: more cards, then more coins, then shared (A8)."""
    best = [components.best(player.gallery.known) for player in state.players]
    ranks = [
        (collection.score, len(collection.pieces), player.coins)
        for collection, player in zip(best, state.players, strict=True)
    ]
    top = max(ranks)
    winners = tuple(seat for seat in state.seats if ranks[seat - 1] == top)
    points = f"{top[0]} {'point' if top[0] == 1 else 'points'}"
    theme = best[winners[0] - 1].theme
    kind = f" for {top[1]} {theme} {'card' if top[1] == 1 else 'cards'}" if theme and len(winners) == 1 else ""
    does = "wins" if len(winners) == 1 else "share the win"
    rivals = [rank for seat, rank in enumerate(ranks, 1) if seat not in winners]
    tie = max((rank for rank in rivals if rank[0] == top[0]), default=None)
    how = ""
    if tie is not None:
        how = ", with more cards" if tie[1] < top[1] else f", with more coins ({coins(top[2])})"
    words = f"{all_of(at(seat) for seat in winners)} {does} with {points}{kind}{how}."
    ending = "rounds" if rounds_over(state) else "revealed"
    return replace(state, step="over", outcome=Outcome(winners, ending, "A8", words))
