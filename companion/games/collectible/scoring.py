"""The end of Collectible: galleries are laid open, collections are counted, and who wins (A8)."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from companion.games.collectible.components import Components, coins
from companion.games.collectible.places import whereabouts
from companion.games.collectible.state import State
from companion.rules.cards import Piece
from companion.rules.hands import opened
from companion.rules.kernel import Facts, Outcome, Seat, at
from companion.rules.wording import all_of
from companion.text import plural, t


def opened_at(components: Components, state: State, seat: Seat, facts: Facts) -> frozenset[Piece]:
    """Return the cards of a gallery that was laid open; RuleError if the fact is missing or they can't be those."""
    whose, gallery = t("the gallery of {seat}", seat=at(seat)), state.players[seat - 1].gallery
    told = components.name, partial(whereabouts, components, state)
    return opened(facts, f"reveal.{seat}", gallery, state.unseen, whose, *told)


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
    words = plural(
        "{winners} wins with {points}",
        "{winners} share the win with {points}",
        count=len(winners),
        winners=all_of(at(seat) for seat in winners),
        points=plural("{count} point", "{count} points", count=top[0]),
    )
    theme = best[winners[0] - 1].theme
    if theme and len(winners) == 1:
        words = plural(
            "{words} for {count} {theme} card",
            "{words} for {count} {theme} cards",
            count=top[1],
            words=words,
            theme=theme,
        )
    rivals = [rank for seat, rank in enumerate(ranks, 1) if seat not in winners]
    tie = max((rank for rank in rivals if rank[0] == top[0]), default=None)
    if tie is not None and tie[1] < top[1]:
        words = t("{words}, with more cards", words=words)
    elif tie is not None:
        words = t("{words}, with more coins ({coins})", words=words, coins=coins(top[2]))
    ending = "rounds" if rounds_over(state) else "revealed"
    return replace(state, step="over", outcome=Outcome(winners, ending, "A8", words + "."))
