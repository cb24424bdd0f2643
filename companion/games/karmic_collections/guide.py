"""How Karmic Collections goes, in short: what pages tell to who never played it."""

from __future__ import annotations

from companion.games.karmic_collections.components import Components
from companion.games.karmic_collections.spaces import LIGHT, SPACES
from companion.rules.kernel import Guide, Term
from companion.text import capital, t


def guide(components: Components) -> Guide:
    """Return the game in short, with the numbers of its own deck."""
    return Guide(
        aim=t("Be the first to have {goal} points, in coins and in sets of cards and dice.", goal=components.goal),
        turn=(
            t("Choose your karmic partner: lay forward one of your tokens that lie face up."),
            t("Put a pawn on one of the eight actions below, and do it, part by part from left to right."),
            t(
                "Your partner chooses your second action, on the other side: dark if yours was light. You do "
                "it as your own."
            ),
            t("Points are counted, and your partner's token turns down. The player at your left goes on."),
            t("When all your tokens are face down, they turn up again at the start of your turn."),
        ),
        choices=tuple(
            Term(
                t("{action}, light", action=space.title)
                if space.side == LIGHT
                else t("{action}, dark", action=space.title),
                t("{words}.", words=capital(space.words)),
            )
            for space in SPACES.values()
        ),
        end=(
            t(
                "Whoever has {goal} points or more at the end of a turn wins: the most, if there are several.",
                goal=components.goal,
            ),
            t("If they are equal, whose turn it was wins; else they share it."),
        ),
        points=(
            t("A coin: 1 point. Chits: none."),
            t("Cards of one rank: two are 1 point, each further one 1 more."),
            t("Cards in a row, such as 4, 5, 6: two are 1 point, each further one 1 more. The ace is 1."),
            t("Dice that show the same: two are 1 point, each further one 1 more."),
            t("A card counts in one set only; the companion finds the best."),
        ),
        terms=(
            Term(
                t("karmic partner"), t("Whom you give to and take from this turn, and who chooses your second action.")
            ),
            Term(t("light, dark"), t("The two sides of the eight actions: one of your two is light, one is dark.")),
            Term(t("draw, gain"), t("Take from the deck, or from the bags in the middle. A new die is rolled once.")),
            Term(t("give"), t("Your partner gets it from you; you choose which.")),
            Term(t("steal"), t("You take it from your partner, and choose which.")),
            Term(t("swap"), t("Take one from your partner, and give back another of the same kind.")),
            Term(t("chit"), t("What some actions cost. It is worth nothing else.")),
            Term(
                t("conceal"),
                t(
                    "Before cards are taken from you, you may turn down all that are in no set: then they are "
                    "picked blindly."
                ),
            ),
            Term(t("set"), t("Cards of one rank, cards in a row, or dice that show the same.")),
        ),
    )
