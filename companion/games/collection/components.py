"""The pieces of COLLECTION! as the rules read them, from the deck file alone (Annex 1; I1, I10)."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from companion.games.collection.effects import AnyEffect, EffectError, parse
from companion.games.collection.state import CIRCLE, COLLECTORS, COLOURS, CRISIS, SCENARIOS, Gems
from companion.rules.cards import Card, CardError, Deck, Piece
from companion.rules.wording import all_of, any_of
from companion.text import t


class Role(msgspec.Struct, frozen=True):
    """An analytic role (Annex 1).

    `colours` are the gems it may place and the reports it may roll for; `half`: only half of the gems count, rounded
    up; `uses` is what it may use reports for. Others on its space get a die more if a gem of the colour `die` is there,
    and a level more at the collectors of `levels`.
    """

    name: str
    title: str
    card: Piece
    pawn: Piece
    needed: bool
    colours: tuple[str, ...]
    half: bool
    uses: tuple[str, ...]
    die: str
    levels: frozenset[str]


class Components:
    """The pieces of one deck, sorted the way the rules ask for them."""

    def __init__(self, deck: Deck) -> None:
        """Sort the deck; ValueError if a piece or number is missing or does not fit the rules."""
        self.card = deck.by_piece()
        pawns = {card.traits.get("role", ""): card.piece for card in deck.of_kind("pawn")}
        self.roles = {role.name: role for role in (_role(card, pawns) for card in deck.of_kind("role"))}
        """The roles by name, in the order of the deck."""
        self.needed = tuple(role.name for role in self.roles.values() if role.needed)
        """The roles that every match has (2.1)."""
        self.need = {card.piece: _need(card) for card in deck.of_kind("scenario")}
        """How many reports of each colour every scenario card asks for."""
        self.effect = {card.piece: _effect(card) for card in deck.of_kind("collection")}
        self.red = frozenset(card.piece for card in deck.of_kind("collection") if _label(card) == "red")
        """The cards that are played at once; the others are blue, and may be held."""
        self.blue = frozenset(self.effect) - self.red
        self.cards = frozenset(self.effect)
        self.gem = _tokens(deck, "gem", [(letter,) for letter in SCENARIOS])
        self.coin = _tokens(deck, "coin", [(letter, name) for letter in SCENARIOS for name in COLLECTORS])
        self.tokens = frozenset((*self.gem.values(), *self.coin.values()))
        """What cards and reports tell people to move."""
        self.role_of = {role.card: role.name for role in self.roles.values()}
        self.pawn_of = {role.pawn: role.name for role in self.roles.values()}
        self.place_of = {piece: place for place, piece in (self.gem | self.coin).items()}
        self.actions = deck.number("actions")
        self.start_response = deck.number("start_response")
        self.response_drop = deck.number("response_drop")
        self.crisis_floor = deck.number("crisis_floor")
        self.most_dice = deck.number("most_dice")
        self.sides = deck.number("dice_sides")
        self.alarm = deck.number("crisis_alarm")
        self._check(deck)

    def _check(self, deck: Deck) -> None:
        missing = [name for name in ("political", "military", "economic", "collection") if name not in self.roles]
        if missing:
            raise ValueError(f"the deck of {deck.title} has no role {any_of(missing)}")
        if len(self.need) < len(SCENARIOS):
            raise ValueError(f"the deck of {deck.title} needs at least {len(SCENARIOS)} scenarios")
        if not self.red:
            raise ValueError(f"the deck of {deck.title} has no red card, so the deck could run dry")

    def name(self, piece: object) -> str:
        card = self.card.get(piece) if isinstance(piece, str) else None
        if card is None:
            return t("the card {piece}", piece=piece) if isinstance(piece, str) else t("a card that is not named")
        return t('"{title}"', title=card.title)

    def names(self, pieces: Iterable[Piece]) -> str:
        return all_of(self.name(piece) for piece in pieces)

    def country(self, scenario: str, piece: Piece) -> str:
        """Return a scenario's letter and name: "A, Vedania"."""
        if piece not in self.card:
            return scenario
        return t("{scenario}, {country}", scenario=scenario, country=self.card[piece].title)


def _words(card: Card, trait: str, known: Iterable[str]) -> tuple[str, ...]:
    listed, there = tuple(known), tuple(word.strip() for word in card.traits.get(trait, "").split(",") if word.strip())
    for word in there:
        if word not in listed:
            raise CardError(card, f"{trait} has {word!r}; there are {any_of(listed)}")
    return there


def _role(card: Card, pawns: dict[str, Piece]) -> Role:
    name = card.traits.get("role", "")
    if name not in pawns:
        raise CardError(card, f"there is no pawn for the role {name!r}")
    colours, uses = _words(card, "colours", COLOURS), _words(card, "uses", (CIRCLE, CRISIS))
    if not colours or not uses:
        raise CardError(card, "a role needs colours, and uses for its reports")
    dice = _words(card, "dice", ("all", "half"))
    return Role(
        name=name,
        title=card.title,
        card=card.piece,
        pawn=pawns[name],
        needed=card.traits.get("needed") == "yes",
        colours=colours,
        half=dice == ("half",),
        uses=uses,
        die="".join(_words(card, "die", COLOURS)[:1]),
        levels=frozenset(_words(card, "levels", COLLECTORS)),
    )


def _need(card: Card) -> Gems:
    try:
        political, military, economic = (int(card.traits[colour]) for colour in COLOURS)
    except (KeyError, ValueError):
        raise CardError(card, f"a scenario needs a number of {all_of(COLOURS)} reports") from None
    if min(political, military, economic) < 0 or political + military + economic == 0:
        raise CardError(card, "a scenario asks for at least one report, and for none fewer than 0 times")
    return political, military, economic


def _label(card: Card) -> str:
    label = card.traits.get("label", "")
    if label not in ("red", "blue"):
        raise CardError(card, f"the label {label!r} is neither red nor blue")
    return label


def _effect(card: Card) -> tuple[AnyEffect, ...]:
    _label(card)
    try:
        return parse(card.traits.get("effect", ""), SCENARIOS, COLLECTORS, COLOURS)
    except EffectError as error:
        raise CardError(card, f"the effect can't be read: {error}") from None


def _tokens(deck: Deck, kind: str, places: list[tuple[str, ...]]) -> dict[tuple[str, ...], Piece]:
    found = {
        tuple(card.traits[name] for name in ("scenario", "collector") if name in card.traits): card.piece
        for card in deck.of_kind(kind)
    }
    for place in places:
        if place not in found:
            raise ValueError(f"the deck of {deck.title} has no {kind} for {' '.join(place)}")
    return {place: found[place] for place in places}
