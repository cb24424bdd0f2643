"""How Collectible goes, in short: what pages tell to who never played it."""

from __future__ import annotations

from companion.games.collectible.components import Components
from companion.rules.kernel import Guide, Term
from companion.text import plural, t


def guide(components: Components) -> Guide:
    """Return the game in short, with the numbers of its own deck."""
    rarest = sorted(components.points.items(), key=lambda one: one[1])
    characters = {components.effect[piece]: components.card[piece].title for piece in sorted(components.characters)}
    effects = {
        "coins": plural(
            "Take {count} coin from the supply.", "Take {count} coins from the supply.", count=components.supply_coins
        ),
        "draw": plural("Draw {count} card.", "Draw {count} cards.", count=components.drawn_cards),
        "swap": t("Swap a card with somebody: both choose one of their gallery, face down."),
        "look": t("Look at somebody's gallery."),
        "close": t("Nobody can bid for a card of your choice until your next turn."),
        "rebate": t(
            "Of what you pay in the next auction that you win, the supply gives back up to {coins}.",
            coins=components.rebate,
        ),
    }
    return Guide(
        aim=t("Have the most valuable collection: cards in your gallery that have a theme in common."),
        turn=(
            t("Collect: draw a card from the talent pile, or bid for a card in the auction of somebody else."),
            t(
                "Send: move cards between your gallery and your auction, if you like. More than {gallery} in "
                "the gallery or {auction} in the auction go to the discard pile.",
                gallery=components.gallery_limit,
                auction=components.auction_limit,
            ),
            t(
                "Reveal or pass: if {count} cards of your gallery share a theme you may reveal them, and the "
                "match is over. Else the player at your left goes on.",
                count=components.collection,
            ),
            t("Before each step and after the last one anybody may play characters, but not while bids are made."),
        ),
        choices=(
            Term(
                t("bidding"),
                t(
                    "In turn all but the owner of the card bid more or pass; who passes is out. The highest bid "
                    "pays its coins to the owner and takes the card into the gallery."
                ),
            ),
        ),
        end=(t("The match is over as soon as somebody reveals a collection; then all lay their galleries open."),),
        points=(
            t("For each player the best theme counts: the values of all cards that have it, five at most."),
            t("The value of a card stands in its lower right corner: the points of its three themes."),
            t("The most points win; if they are equal, more cards, then more coins."),
        ),
        terms=(
            Term(t("gallery"), t("The cards in your hand, which nobody else sees.")),
            Term(t("auction"), t("Your cards on the table, for which the others can bid.")),
            Term(t("talent pile"), t("The deck.")),
            Term(t("themes"), t("Three stand on each card, with their points; the rarer, the more.")),
            Term(
                t("character"),
                t(
                    "No art: it counts nothing. Play it and do what it says; then two dice say how deep into the "
                    "talent pile it goes."
                ),
            ),
            *(Term(title, effects[effect], printed=True) for effect, title in characters.items() if effect in effects),
            Term(
                t("phantom"),
                t(
                    "With two players: a third auction of {count} cards, which belongs to nobody.",
                    count=components.phantom_cards,
                ),
            ),
            *(
                Term(theme, plural("{count} point", "{count} points", count=points), printed=True)
                for theme, points in rarest
            ),
        ),
    )
