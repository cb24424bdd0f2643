"""How Five Cards Collector goes, in short: what pages tell to who never played it."""

from __future__ import annotations

from companion.games.five_cards_collector.components import Components
from companion.rules.kernel import Guide, Term
from companion.text import t

EFFECTS = {
    "draw-three": t("Draw three cards, as far as your hand has room."),
    "draw-from-hand": t("Draw a card from somebody's hand, unseen."),
    "view-hand": t("Look at somebody's hand, and take one card of it."),
    "retrieve": t("Take any card of the discard pile."),
    "take-over": t("Take a card of anybody's collection: add it to yours if it belongs there, or discard it."),
    "pile-swap": t("Take the top card of the discard pile."),
    "change-direction": t("Play goes on in the other direction."),
}


def guide(components: Components) -> Guide:
    """Return the game in short, with the numbers of its own deck."""
    specials = {components.effect[piece]: components.card[piece].title for piece in sorted(components.specials)}
    return Guide(
        aim=t("Collect the five symbols that your collection card shows, in any order. Who has all five first wins."),
        turn=(
            t("Do one of the five things below."),
            t("Say that your turn is over; then the next player goes on, clockwise at first."),
        ),
        choices=(
            Term(t("Add"), t("Lay one card that your collection card shows before you.")),
            Term(
                t("Discard"), t("Lay a symbol on the discard pile that has the colour or the figure of its top card.")
            ),
            Term(t("Use"), t("Lay a special card and do what it says. It goes to the used pile.")),
            Term(
                t("Draw"),
                t("Take a card from the deck. If it fits you may add, discard or use it at once."),
            ),
            Term(t("Nothing"), t("You need not do anything, even if you can.")),
        ),
        end=(
            t("The match is over as soon as somebody has all five."),
            t(
                "With two players, each may do nothing {passes} times only; who then can do nothing else loses.",
                passes=components.two_player_passes,
            ),
        ),
        points=(t("A card in your collection is a point."),),
        terms=(
            Term(t("collection card"), t("Your aim: it lies open before you and shows your five symbols.")),
            Term(
                t("symbol"),
                t("A card with a figure (star, moon, leaf, key, shell) in one of five colours; there are two of each."),
            ),
            Term(
                t("hand limit"),
                t(
                    "You can't draw with {limit} cards in hand; with two players, with {two}.",
                    limit=components.hand_limit,
                    two=components.hand_limit_two_players,
                ),
            ),
            Term(t("discard pile"), t("Its top card decides what may be discarded.")),
            Term(
                t("used pile"),
                t("Special cards that were used. When the deck is empty, both piles are shuffled into a new one."),
            ),
            *(Term(title, EFFECTS[effect], printed=True) for effect, title in specials.items() if effect in EFFECTS),
        ),
    )
