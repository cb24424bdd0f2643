"""The components: the cards and the board as the rules read them, worked out once from the deck file."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from companion.games.collectors.state import Space
from companion.rules.cards import CardError, Deck, Piece
from companion.rules.kernel import Seat, illegal
from companion.rules.wording import listed
from companion.text import t

SYMBOLS = ("penguin", "movie", "technology", "figures", "music")
"""The five categories of items, in the order of the market's icons."""

SKILLS = frozenset(
    ["bottle", "work-income", "work-card", "auction-income", "vp-all", *(f"vp-{symbol}" for symbol in SYMBOLS)]
)
"""The six skills; the last one once for each category."""

BOTTLES = 5
"""Bottles of each colour (K5)."""

BUY, SKILL, AUCTION, RAISE = "buy", "skill", "auction", "raise"
WORK = ("quarter", "recycle", "draw", "first", "income")
SPACES: tuple[Space, ...] = (
    *(f"{BUY}-{n}" for n in range(1, 6)),
    *(f"{SKILL}-{n}" for n in range(1, 6)),
    *(f"{AUCTION}-{n}" for n in range(1, 5)),
    *(f"{RAISE}-{n}" for n in range(1, 4)),
    *WORK,
)
"""The action spaces of the game board, in the order of the rulings (K3)."""

AREA = {space: space.partition("-")[0] if "-" in space else "work" for space in SPACES}
"""The area of the game board that a space lies in: "buy", "skill", "auction", "raise" or "work"."""

TITLES = {BUY: t("Buy item"), SKILL: t("Gain skill"), AUCTION: t("Start auction"), RAISE: t("Raise value")}

WORK_WORDS = {
    "quarter": t("the quarter tile"),
    "recycling": t("the recycling of the 4th quarter"),
    "recycle": t("recycle a bottle"),
    "draw": t("draw 2 cards"),
    "first": t("draw 1 card, be first player"),
    "income": t("draw 1 card, tuck 1 for income"),
}


def dollars(amount: int) -> str:
    """Return the words for a number of coins: "$3"."""
    return f"${amount}"


class Seal(msgspec.Struct, frozen=True):
    """What an action space costs (below 0) or gives (above 0), and how many cards it asks for (raise value)."""

    coins: int
    cards: int = 0


class Components:
    """The cards of one deck, sorted the way the rules ask for them, and the numbers of the board."""

    def __init__(self, deck: Deck) -> None:
        """Sort the deck; ValueError if it lacks a number, or a card shows something that the rules don't know."""
        self.deck = deck
        self.card = deck.by_piece()
        self._called = deck.called()
        collectables = deck.of_kind("collectable")
        self.pieces = frozenset(card.piece for card in collectables)
        self.item = {card.piece: card.traits.get("item", "") for card in collectables}
        self.skill = {card.piece: card.traits.get("skill", "") for card in collectables}
        self.symbol = {card.piece: card.traits.get("market", "") for card in collectables}
        for card in collectables:
            shown = (self.item[card.piece], self.skill[card.piece], self.symbol[card.piece])
            if shown[0] not in SYMBOLS or shown[1] not in SKILLS or shown[2] not in SYMBOLS:
                raise CardError(card, f"it shows {' and '.join(shown)}, which the rules lack")
            if card.traits.get("cash") not in ("1", "2"):
                raise CardError(card, "it needs a cash value of 1 or 2")
        self.cash = {card.piece: int(card.traits["cash"]) for card in collectables}
        self.bottles = self._bottles()
        self.owner = {piece: seat for seat, tokens in self.bottles.items() for piece in tokens}
        self.colour = {seat: self.card[tokens[0]].traits.get("colour", "") for seat, tokens in self.bottles.items()}
        self.hand = deck.number("hand")
        self.start_bottles, self.first_coins = deck.number("bottles"), deck.number("first_player_coins")
        self.pools = deck.number("auction_pool"), deck.number("item_pool_more"), deck.number("skill_pool_more")
        """The size of the auction pool, and by how much item and skill pool are larger than the number of players."""
        self.seals = {space: _seal(deck, space) for space in SPACES if space != "quarter"}
        self.quarters = tuple(deck.number(f"seal_quarter_{n}") for n in range(1, 5))
        self.tucked = deck.number("quarter_income_cards")
        self.positions = {"4": deck.number("position_4"), "5": deck.number("position_5")}
        self.work_income, self.auction_income = deck.number("work_income"), deck.number("auction_income")
        self.vp_all, self.coins_a_point = deck.number("vp_all"), deck.number("coins_a_point")

    def _bottles(self) -> dict[Seat, tuple[Piece, ...]]:
        tokens: dict[Seat, tuple[Piece, ...]] = {}
        for seat in range(1, 5):
            mine = tuple(card.piece for card in self.deck.of_kind("bottle") if card.traits.get("owner") == f"{seat}")
            if len(mine) != BOTTLES:
                raise ValueError(f"the deck of {self.deck.title} needs {BOTTLES} bottles whose owner is seat {seat}")
            tokens[seat] = mine
        return tokens

    def seal(self, space: Space, quarter: int) -> Seal:
        """Return the seal of a space; the quarter tile's in its quarter (K4)."""
        return Seal(self.quarters[quarter - 1]) if space == "quarter" else self.seals[space]

    def name(self, piece: object) -> str:
        """Return a card's name for use inside a sentence: "the glass penguin"."""
        if not isinstance(piece, str) or not piece:
            return t("a card face down")
        return self._called.get(piece, t("the card {piece}", piece=piece))

    def names(self, pieces: Iterable[Piece], last: str = "or") -> str:
        return listed((self.name(piece) for piece in sorted(pieces)), last)

    def work_words(self, space: Space, quarter: int) -> str:
        """Return what a space of the work area is called: the last quarter's uppermost is printed on the board."""
        return WORK_WORDS["recycling" if space == "quarter" and quarter == 4 else space]

    def space(self, space: str, quarter: int = 1, label: bool = False) -> str:
        """Return an action space as a sentence names it, with its seal: "space 1 of “Buy item” (pay $1)".

        A `label` begins with its action: "Buy item 1 (pay $1)".
        """
        if space not in AREA:
            return t("the space {space!r}", space=space)
        coins = self.seal(space, quarter).coins
        if AREA[space] == "work":
            words = self.work_words(space, quarter)
        else:
            action, number = TITLES[AREA[space]], space[-1]
            words = t("space {number} of “{action}”", action=action, number=number)
            if label:
                words = t("{action} {number}", action=action, number=number)
        if coins < 0:
            return t("{space} (pay {price})", space=words, price=dollars(-coins))
        return t("{space} (get {coins})", space=words, coins=dollars(coins)) if coins else words


NO_SUCH_SPACE = illegal("Game board", t("there is no such action space"), t("Choose a space of the game board."))


def _seal(deck: Deck, space: Space) -> Seal:
    name = space.replace("-", "_")
    asked = deck.number(f"cards_{name}") if AREA[space] == RAISE else 0
    return Seal(deck.number(f"seal_{name}"), asked)
