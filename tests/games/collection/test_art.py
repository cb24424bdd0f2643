"""The cards of COLLECTION! say what they are in words, pictures and signs; its tokens carry their name."""

from dataclasses import replace
from itertools import combinations

import msgspec
import numpy as np
import pytest
import zxingcpp

from companion import games
from companion.codes import BACK, Code
from companion.games.collection import art
from companion.games.collection.art import emblems, pictures, strip
from companion.press.drawing import Drawing, Line, Shape, Text
from companion.press.faces import face_drawing, face_image
from companion.press.job import check
from companion.press.look import COVER, INSET, art_of
from companion.press.pictures import pictures as names
from companion.press.raster import render
from companion.rules.cards import Card
from tests.nights import at_night

DECK, MAT = games.load_deck("collection"), games.load_mat("collection", 7)
CARDS = [card for card in DECK.cards if card.kind in art.CARDS]
TOKENS = [card for card in DECK.cards if card.kind not in art.CARDS]
BY_PIECE = DECK.by_piece()
SCALE = 10.0
ROLES = [card.traits["role"] for card in CARDS if card.kind == "role"]


def shape(card):
    return MAT.shape_of(card.kind if card else "back")


def drawn(card, *, codes=True):
    return face_drawing(card, DECK, shape(card), "F" if card else "B", codes=codes)


def texts(card, *, codes=True):
    return [item for item in drawn(card, codes=codes).items if isinstance(item, Text)]


def words(card, *, codes=True):
    return " ".join(item.words for item in texts(card, codes=codes))


def read(card):
    image = np.asarray(face_image(card, DECK, shape(card), "F" if card else "B", SCALE).convert("L"))
    return sorted(code.text for code in zxingcpp.read_barcodes(image))


def points(items):
    return sum(
        sum(map(len, item.loops)) if isinstance(item, Shape) else len(item.points) if isinstance(item, Line) else 0
        for item in items
    )


def colourless(items):
    """What is left of a drawing when every colour is the same: forms and words."""
    return [
        replace(item, fill="#000000") if isinstance(item, Shape) else replace(item, colour="#000000") for item in items
    ]


def test_deck_and_mat_can_be_pressed():
    check("collection", DECK, MAT)
    assert {card.kind for card in CARDS} == art.CARDS
    assert isinstance(art_of("collection"), art.CollectionArt)


@pytest.mark.night
@pytest.mark.parametrize("codes", [True, *at_night(False)])
def test_every_card_carries_its_title_and_its_text(codes):
    for card in CARDS:
        said = words(card, codes=codes)
        assert all(word in said for word in f"{card.title} {card.text}".split()), card.title


@pytest.mark.night
@pytest.mark.parametrize("codes", [True, *at_night(False)])
def test_words_of_one_role_have_one_size_and_can_be_read(codes):
    for kind in art.CARDS:
        cards = [card for card in CARDS if card.kind == kind]
        first = {texts_of(card, card.text, codes) for card in cards}
        assert len(first) == 1, (kind, first)
        assert first.pop() >= 2.4
        titles = {texts_of(card, card.title, codes) for card in cards}
        assert min(titles) * 0.71 >= 2.1
        assert titles <= {art.TITLE, 3.0}


def texts_of(card, said, codes):
    """The size of the line that begins like what is said."""
    return next(text.size for text in texts(card, codes=codes) if said.startswith(text.words) and len(text.words) > 3)


@pytest.mark.parametrize("card", [*CARDS[::12], *TOKENS[::6], None], ids=lambda card: card.piece if card else BACK)
def test_codes_are_read(card):
    copies = 1 if card and shape(card).name == "token" else 2
    code = Code("CO", card.piece, "F") if card else Code("CO", BACK, "B")
    assert read(card) == [str(code)] * copies


@pytest.mark.parametrize("codes", [True, False])
@pytest.mark.parametrize("piece", ["001", "006", "0A6", "0AA", "10Q", "11A", "011", "021", "036", "back"])
def test_the_rim_stays_white(piece, codes):
    card = BY_PIECE.get(piece)
    image = np.asarray(face_image(card, DECK, shape(card), "F" if card else "B", SCALE, codes=codes).convert("L"))
    rim = int((0.4 if piece[0] == "0" and piece[1] in "123" else INSET - 0.1) * SCALE)
    inside = image[rim:-rim, rim:-rim]
    assert inside.min() < 120
    bare = image.astype(int).copy()
    bare[rim:-rim, rim:-rim] = 255
    assert bare.min() == 255


def test_every_event_has_a_picture_of_its_own():
    events = [card for card in CARDS if card.kind == "collection"]
    chosen = {card.title: pictures.picture_for(card.title, "") for card in events}
    for card in events:
        found = pictures.picture_for(card.title, "crisis all +1")
        assert found.removeprefix("events/") in pictures.index()["cards"].values(), card.title
    plain_titles = {title.rstrip("ABC ") for title in chosen}
    assert len(set(chosen.values())) == len(plain_titles)
    lands = {pictures.country_for(card.title, "") for card in CARDS if card.kind == "scenario"}
    assert len(lands) == 12
    told = pictures.index()
    named = {f"events/{name}" for part in ("cards", "effects") for name in told[part].values()}
    assert {*named, *(f"countries/{name}" for name in told["countries"].values()), pictures.CAPITAL} == {
        *names("collection", "events"),
        *names("collection", "countries"),
    }
    assert pictures.CAPITAL not in lands


def test_every_effect_is_drawn_with_what_it_is_about():
    for card in CARDS:
        effect = card.traits.get("effect", "")
        rows = strip.signs(effect)
        assert len(rows) == (len(effect.split(";")) if effect else 0), card.title
    effects = ("crisis A +2", "response STATE all -1", "gem any C military +1", "expand B", "crisis any +1")
    said = [
        "".join(
            item.words for row in strip.signs(effect) for _, items in row for item in items if isinstance(item, Text)
        )
        for effect in effects
    ]
    assert said == ["A2", "STATEABC1", "1?C", "B1", "?1"]


def test_up_and_down_are_told_apart_without_colour():
    for one, other in (
        ("crisis A +1", "crisis A -1"),
        ("gem any A any +1", "gem any A any -1"),
        ("action +1", "move +1"),
    ):
        first, second = (colourless(strip.row(strip.joined(strip.signs(e)), 0, 0, 40)) for e in (one, other))
        assert first != second


def test_gems_roles_and_tokens_differ_in_form():
    for draw in (emblems.gem,):
        for one, other in combinations([*emblems.COLOURS, "any"], 2):
            assert colourless(draw(one)) != colourless(draw(other))
    for folder in ("analysts", "roles"):
        for one, other in combinations(ROLES, 2):
            assert colourless(pictures.role(folder, one)) != colourless(pictures.role(folder, other))
    for codes in (True, False):
        for kinds in combinations(("011", "021", "031"), 2):
            first, second = (colourless(bare(BY_PIECE[piece], codes)) for piece in kinds)
            assert first != second


def bare(card, codes):
    """A token's drawing without its words and its code."""
    items = [item for item in drawn(card, codes=False).items if not isinstance(item, Text)]
    return items if not codes else [item for item in drawn(card).items if not isinstance(item, Text)][:-2]


def test_red_and_blue_cards_differ_in_form():
    for codes in (True, False):
        red = Card("1ZZ", "collection", "X", {"label": "red", "effect": "crisis A +1"}, "Y")
        blue = msgspec.structs.replace(red, traits={"label": "blue", "effect": "crisis A +1"})
        first, second = (colourless(face(card, codes)) for card in (red, blue))
        assert first != second


def face(card, codes=True):
    return face_drawing(card, DECK, shape(card), "F", codes=codes).items


@pytest.mark.parametrize("codes", [True, False])
@pytest.mark.parametrize(
    "card",
    [
        Card("1ZZ", "collection", "Something Quite Unheard Of, and Rather Long at That", {"label": "green"}, "A word."),
        Card("1ZZ", "collection", "Odd", {"label": "red", "effect": "dance A +x; crisis B +n"}, "Twelve words. " * 14),
        Card("1ZZ", "collection", "", {}, ""),
        Card("0ZZ", "role", "Weather Analyst", {"role": "weather", "colour": "pink", "levels": "X, Y"}, "Sees rain."),
        Card("0ZZ", "scenario", "Nowhere", {"political": "many", "military": "12"}, "Nothing happens."),
        Card("0ZZ", "pawn", "Pawn of nobody", {}),
        Card("0ZZ", "coin", "Coin", {"collector": "WEATHER", "scenario": "D", "affinity": "rain, economic"}),
        Card("0ZZ", "gem", "Gem", {}),
    ],
    ids=lambda card: card.kind if isinstance(card, Card) else "",
)
def test_a_card_that_the_owner_changed_is_drawn(card, codes):
    render(face_drawing(card, DECK, shape(card), "F", codes=codes), 3.0)


def test_tokens_say_what_they_are():
    for codes in (True, False):
        assert len({words(card, codes=codes) for card in TOKENS}) == 7 + 3 + 18
    assert {"STATE C", "ST&W", "Crisis B"} <= {words(card) for card in TOKENS}


def test_the_back_is_alike_when_turned_and_says_nothing_of_the_card():
    for codes in (True, False):
        sheet = drawn(None, codes=codes)
        image = np.asarray(render(sheet, 4.0).convert("L")).astype(int)
        apart = np.abs(image - image[::-1, ::-1])
        if codes:  # a code is no picture of itself turned, and stands the other way up in the other corner
            apart = apart[80:-80, 80:-80] if image.shape[0] > 200 else apart[:, 84:-84]
        assert (apart > 40).mean() < 0.01


def test_the_cover_is_drawn_with_the_title():
    sheet = Drawing(COVER, COVER)
    art_of("collection").cover(sheet, DECK)
    assert DECK.title in {item.words for item in sheet.items if isinstance(item, Text)}
    assert np.asarray(render(sheet, 1.0)).std() > 30


@pytest.mark.night
def test_drawings_are_small():
    sizes = [points(drawn(card).items) for card in DECK.cards]
    assert max(sizes) < 6000
    assert sum(sizes) / len(sizes) < 2500
