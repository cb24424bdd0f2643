"""Texts read as English, and keep what they are made of."""

import copy
import pickle

import msgspec
import pytest

from companion.rules.kernel import at, name_seats
from companion.rules.wording import a, all_of, any_of, cards
from companion.text import Text, bare, capital, join, plain, plural, said, sentence, shown_address, small, t, word


def values(text: str) -> dict[str, object]:
    assert isinstance(text, Text)
    return dict(text.values)


def test_a_text_is_its_english() -> None:
    text = t("{seat} draws {cards}.", seat="Ada", cards=cards(3))
    assert text == "Ada draws 3 cards."
    assert {text: 1}["Ada draws 3 cards."] == 1
    assert values(text) == {"seat": "Ada", "cards": "3 cards"}


@pytest.mark.parametrize(("count", "english"), [(0, "0 dice"), (1, "1 die"), (2, "2 dice"), (-1, "-1 dice")])
def test_what_is_counted_has_its_plural(count: int, english: str) -> None:
    assert plural("{count} die", "{count} dice", count=count) == english


@pytest.mark.parametrize(
    ("template", "english"),
    [
        ("{words:capital}!", "It is a matter of 1.50 seconds.!"),
        ("so {words:bare}", "so it is a matter of 1.50 seconds"),
        ("{{so}} {words!r}", "{so} 'it is a matter of 1.50 seconds.'"),
    ],
)
def test_a_value_takes_a_shape(template: str, english: str) -> None:
    assert t(template, words=t("it is a matter of {seconds:.2f} seconds.", seconds=1.5)) == english


def test_a_value_that_is_missing_is_an_error() -> None:
    with pytest.raises(KeyError):
        t("{seat} draws.", who="Ada")


def test_sums_keep_their_parts() -> None:
    reason = t("the deck is empty")
    for whole, english in (
        (reason + ".", "the deck is empty."),
        ("Wait: " + reason, "Wait: the deck is empty"),
        (reason + "", "the deck is empty"),
        ("" + reason, "the deck is empty"),
        (join("; ", (reason, "Ada")), "the deck is empty; Ada"),
        (join(" {} ", (reason, "Ada")), "the deck is empty {} Ada"),
        (sentence(reason), "The deck is empty."),
        (sentence(sentence(reason)), "The deck is empty."),
        (small(capital(reason)), "the deck is empty"),
        (bare(sentence(reason)), "The deck is empty"),
    ):
        assert whole == english
        assert reason in leaves(whole)


def leaves(text: str) -> list[str]:
    """List the texts that a text is made of, with itself."""
    return [text, *(leaf for value in values(text).values() if isinstance(value, Text) for leaf in leaves(value))]


def test_plain_strings_stay_plain() -> None:
    for made in (capital("ada"), small("Ada"), bare("Ada."), sentence("ada")):
        assert type(made) is str


def test_lists() -> None:
    assert [all_of("abc"[:n]) for n in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert any_of(["a", "b", "c"]) == "a, b or c"
    assert (a("ace"), a("card")) == ("an ace", "a card")


def test_seats_get_their_names_wherever_they_stand() -> None:
    text = t("{seats}: {words}", seats=all_of([at(1), at(2)]), words=t("wait for {seat}", seat=at(3)))
    named = name_seats(text, {1: "ada", 2: "Bo"})
    assert named == "Ada and Bo: wait for seat 3"
    assert isinstance(named, Text)
    assert name_seats("@2 waits for @12 (a@b).", {12: "Bo"}) == "Seat 2 waits for Bo (a@b)."
    assert name_seats(t("nobody waits"), {}) == "nobody waits"


def test_a_text_goes_through_copies_and_pickles() -> None:
    text = t("{seat} draws {cards}.", seat="Ada", cards=cards(3))
    for other in (copy.deepcopy(text), pickle.loads(pickle.dumps(text))):  # noqa: S301 - made here
        assert other == text
        assert (other.template, values(other)) == (text.template, values(text))


class Told(msgspec.Struct):
    words: str = t("nothing")


def test_structs_keep_texts_and_documents_write_them() -> None:
    told = msgspec.structs.replace(Told(), words=cards(1))
    assert isinstance(told.words, Text)
    assert msgspec.json.encode([told, Told()], enc_hook=plain) == b'[{"words":"1 card"},{"words":"nothing"}]'
    with pytest.raises(NotImplementedError):
        msgspec.json.encode(object(), enc_hook=plain)


def test_words_of_data_may_have_braces() -> None:
    assert word("a {b}") == "a {b}"


def test_an_error_says_what_it_was_given() -> None:
    assert isinstance(said(ValueError(cards(2))), Text)
    assert said(ValueError("no", 2)) == "('no', 2)"
    assert said(KeyError("no")) == "'no'"


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("http://name:secret@cam.lan:8080/video?k=1", "http://cam.lan:8080/…"),
        ("stream:rtsp://name:secret@[fe80::1]:554", "stream:rtsp://[fe80::1]:554"),
        ("rtsp://cam.lan/user=name&password=secret", "rtsp://cam.lan/…"),
        ("http://name:se/cr@et@cam.lan/video", "http://…"),
        ("http://name:se cret@cam.lan", "http://cam.lan"),
        ("folder:http:/name:secret@cam.lan/video", "folder:http://cam.lan/…"),
        ("name:secret@cam.lan/video?k=1", "…@cam.lan/video?…"),
        ("http://cam.lan", "http://cam.lan"),
        ("folder:/home/ada/photos", "folder:/home/ada/photos"),
        ("0", "0"),
    ],
)
def test_of_an_address_that_was_typed_neither_password_nor_key_is_shown(typed: str, shown: str) -> None:
    assert shown_address(typed) == shown
