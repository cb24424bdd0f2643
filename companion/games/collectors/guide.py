"""How Collectors goes, in short: what pages tell to who never played it."""

from __future__ import annotations

from functools import cache

from companion.games.collectors.components import Components, dollars
from companion.rules.kernel import Guide, Term
from companion.text import t


def guide(components: Components) -> Guide:
    """Return the game in short, with the numbers of its own deck."""
    return Guide(
        aim=t("Own the items that are worth most: one is worth a point for every market card with its symbol."),
        turn=(
            t(
                "On your turn, place one of your bottles on a free space of the board, and pay or get what "
                "its seal says."
            ),
            t("Do at once what the space is for; the five kinds are below. Then the player at your left goes on."),
            t("Who has no bottle left is skipped. When nobody has one, the quarter is over."),
            t(
                "Then cards move on: the lowest skill and the lowest auction card go to the market, items "
                "become skills, and the pools are filled from the deck."
            ),
            t("Everybody takes the bottles back, two of them to positions 1 and 2."),
            t(
                "Take your income: what no bottle covers on your board (position 3: a card, 4: {four}, 5: "
                "{five}), and $1 for each income card.",
                four=dollars(components.positions["4"]),
                five=dollars(components.positions["5"]),
            ),
        ),
        choices=(
            Term(
                t("Buy item"),
                t(
                    "An item of the item pool or of your hand. Besides the seal it costs $1 for each market card "
                    "with its symbol."
                ),
            ),
            Term(t("Gain skill"), t("A card of the skill pool or of your hand; its skill is yours from now on.")),
            Term(
                t("Raise value"),
                t(
                    "One or two cards go to the market: of your hand, the lowest of the skill pool, or the lowest "
                    "of the auction pool."
                ),
            ),
            Term(
                t("Start auction"),
                t(
                    "Put up a card of the auction pool, or one of your hand, face down if you like, and bid $1 or "
                    "more. In turn the others bid more or pass. Who wins pays with coins and cards, and has the "
                    "card as an item, a skill or a market card."
                ),
            ),
            Term(
                t("Work"),
                t(
                    "Tuck two cards for income; give a bottle back for coins; draw two cards; draw one and be "
                    "first player; or draw one and tuck one."
                ),
            ),
        ),
        end=(t("The match is over after four quarters."),),
        points=(
            t("Each of your items: a point for every market card with its symbol, none if there is no such card."),
            t("A point for every {coins} that you have left.", coins=dollars(components.coins_a_point)),
            t("Skills that bring points; they are among the words below."),
            t("If points are equal, the most cards in hand win."),
        ),
        terms=(
            Term(t("item, skill, market card"), t("The three uses of every card: its top, its left side, its bottom.")),
            Term(t("seal"), t("What a space costs or brings: it stands on it.")),
            Term(t("market"), t("Its cards make items with their symbol worth more, and dearer to buy.")),
            Term(t("secret item"), t("A card face down under your treasure chest; it counts as an item at the end.")),
            Term(t("income card"), t("A card face down at your board; it brings $1 each quarter.")),
            Term(
                t("paid pile"),
                t("Cards that paid for auctions. The coin on its red part says whether one is $1 or $2."),
            ),
            Term(
                t("quarter tile"), t("The uppermost space of the work area; each quarter it is worth something else.")
            ),
            Term(t("bottle"), t("As a skill: one more bottle at once, five at most.")),
            Term(
                t("work income"),
                t(
                    "A skill: {coins} whenever you place a bottle in the work area.",
                    coins=dollars(components.work_income),
                ),
            ),
            Term(t("work card"), t("A skill: draw a card whenever you place a bottle in the work area.")),
            Term(
                t("auction income"),
                t("A skill: {coins} whenever anybody starts an auction.", coins=dollars(components.auction_income)),
            ),
            Term(
                t("5 if all"),
                t(
                    "A skill: {points} points at the end if you own an item of every category.",
                    points=components.vp_all,
                ),
            ),
            Term(
                t("+1 music"), t("A skill: at the end a point more for each of your music items; so with the others.")
            ),
        ),
    )


@cache
def skill_words(components: Components, skill: str) -> str:
    """Return what a skill does, as the guide says it among its words; of those for one symbol it explains one."""
    called = "+1 music" if skill.startswith("vp-") else skill.replace("-", " ")
    called = "5 if all" if skill == "vp-all" else called
    return next(term.meaning for term in guide(components).terms if term.word == called)
