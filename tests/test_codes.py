"""The payload of a code: its check character, what it detects, and what is no code of ours."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.codes import ALPHABET, BACK, Code, check_character, parse
from companion.games import load_deck, packages

BODIES = ["FC00BF", "FC000B", "CO1Z9F", "KK0OOF", "ZZZZZZ", "AA000A"]

codes = st.builds(
    Code,
    st.text(ALPHABET[10:], min_size=2, max_size=2),
    st.text(ALPHABET, min_size=3, max_size=3),
    st.text(ALPHABET[10:], min_size=1, max_size=1),
)


@pytest.mark.parametrize(
    ("body", "check"),
    [
        # published ISANs, of works and of their versions …
        ("00000000D07A0090", "Q"),
        ("00000000D07A009000000000", "X"),
        ("0000000189470000", "8"),
        ("000000018947000000000000", "D"),
        # … a GRid of the recording industry …
        ("A12425GABC1234002", "M"),
        # … and one character, worked by hand: 36 + 1 = 37 → 1, doubled 2, 37 − 2 = 35
        ("1", "Z"),
    ],
)
def test_the_check_character_is_that_of_iso_7064_mod_37_36(body, check):
    assert check_character(body) == check


@pytest.mark.parametrize("body", BODIES)
def test_every_single_wrong_character_is_detected(body):
    payload = body + check_character(body)
    assert check_character(payload[:-1]) == payload[-1]
    for place, wrong in itertools.product(range(7), ALPHABET):
        if wrong != payload[place]:
            changed = payload[:place] + wrong + payload[place + 1 :]
            assert check_character(changed[:6]) != changed[6], changed
            assert parse(changed) is None, changed


def test_swaps_of_neighbours_are_detected_but_for_the_36_of_22680_that_the_standard_lets_through():
    # the first character takes the sum to each of its 36 states
    missed = [
        first + a + b
        for first in ALPHABET
        for a, b in itertools.combinations(ALPHABET, 2)
        if check_character(first + a + b) == check_character(first + b + a)
    ]
    assert len(missed) == 36


@pytest.mark.parametrize("game", packages())
def test_no_swap_of_neighbours_turns_one_card_into_another(game):
    deck = load_deck(game)
    for card in deck.cards:
        payload = str(Code(deck.code, card.piece, "F"))
        for place in range(6):
            swapped = payload[:place] + payload[place + 1] + payload[place] + payload[place + 2 :]
            assert swapped == payload or parse(swapped) is None, (card.title, payload, swapped)


@given(codes)
def test_a_code_reads_back_as_it_was_written(code):
    assert len(str(code)) == 7
    assert parse(str(code)) == code


@given(st.text())
def test_garbage_is_no_code_unless_it_carries_its_own_check(payload):
    read = parse(payload)
    assert read is None or str(read) == payload


@pytest.mark.parametrize(
    "payload",
    [
        "",
        "FC00B",
        "https://example.org/menu",
        "FC00BF",
        "FC00BFXX",
        "fc00bfq",
        "FC00BF ",
        " FC00BF",
        "FC0ÖBFQ",
        "FC00BF\n",
        "٣٣٣٣٣٣٣",
    ],
)
def test_menus_tickets_and_torn_payloads_are_no_codes(payload):
    assert parse(payload) is None


@pytest.mark.parametrize("body", ["1C00BF", "F100BF", "FC00B1"])
def test_game_and_face_are_letters_even_if_the_check_fits(body):
    assert parse(body + check_character(body)) is None


def test_lower_case_is_refused_when_a_check_is_made():
    with pytest.raises(ValueError, match="substring"):
        check_character("fc00bf")


@pytest.mark.parametrize("game", packages())
def test_every_card_of_every_deck_has_a_code_of_its_own(game):
    deck = load_deck(game)
    written = {str(Code(deck.code, card.piece, "F")) for card in deck.cards}
    assert len(written) == len(deck.cards)
    assert all(parse(payload) is not None for payload in written)
    assert BACK not in deck.by_piece()
