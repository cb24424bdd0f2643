"""Five Cards Collector as it is seen: the layout of the table, views, words, and what a card laid down may mean."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.five_cards_collector.drawing import Draw, Keep
from companion.games.five_cards_collector.laying import Add, Discard
from companion.games.five_cards_collector.passing import Nothing, Stuck
from companion.games.five_cards_collector.preparation import DrawGoal, TurnUp
from companion.games.five_cards_collector.specials import Retrieve, Take, TakeOver, Use
from companion.games.five_cards_collector.state import Setup, State
from companion.rules.kernel import UNKNOWN, Hole, May, Opened, Shown
from companion.rules.layout import Back, Empty, Exactly, Loose, Pile, Slots, UnknownFace
from tests.games.five_cards_collector.situations import (
    COMPONENTS,
    GAME,
    adds,
    card,
    discards,
    judge,
    pieces,
    play,
    situation,
    uses,
)


def may(state: State, seat: int) -> dict[str, May]:
    return {entry.name: entry for entry in GAME.view(state, seat).may}


# ----------------------------------------------------------------------------------------------------------- layout


def test_the_layout_says_what_lies_where() -> None:
    lying = {2: ("blue star", "red shell")}
    state = situation(3, discard=("red star", "blue moon"), used=("retrieve",), collected=lying)
    assert GAME.layout(state).zones == {
        "deck": Pile(Back()),
        "discard": Pile(Exactly(card("blue moon")), frozenset(pieces("red star"))),
        "used": Pile(Exactly(card("retrieve"))),
        "goal.1": Slots((Exactly(card("Collection 1")),)),
        "goal.2": Slots((Exactly(card("Collection 2")),)),
        "goal.3": Slots((Exactly(card("Collection 3")),)),
        "collection.1": Loose(),
        "collection.2": Loose(frozenset(pieces("blue star", "red shell"))),
        "collection.3": Loose(),
    }


def test_an_empty_deck_is_an_empty_place() -> None:
    assert GAME.layout(situation(3, deck=0)).zones["deck"] == Pile(Empty())


def test_f4_a_special_in_use_lies_on_the_used_pile_from_the_moment_it_is_laid() -> None:
    using = play(situation(3, used=("retrieve",)), uses("view-hand"))
    used = GAME.layout(using).zones["used"]
    assert used == Pile(Exactly(card("view-hand")), frozenset(pieces("retrieve")))
    assert GAME.layout(play(using, Take(seat=1, victim=2))).zones["used"] == used


def test_before_anything_is_drawn_the_places_are_empty() -> None:
    zones = GAME.layout(GAME.setup(2, {}, Setup())).zones
    assert (zones["discard"], zones["used"], zones["goal.1"]) == (Pile(Empty()), Pile(Empty()), Slots((Empty(),)))


def test_a_card_that_is_not_read_yet_shows_an_unknown_face() -> None:
    state = play(GAME.setup(2, {}, Setup()), DrawGoal(player=1), facts=(Shown(place="goal.1", piece=UNKNOWN),))
    assert GAME.layout(state).zones["goal.1"] == Slots((UnknownFace(),))
    state = situation(2, phase="turn-up")
    state = play(state, TurnUp(), facts=(Shown(place="discard", piece=UNKNOWN),))
    assert GAME.layout(state).zones["discard"] == Pile(UnknownFace(), frozenset(pieces("red star")))


def test_f8_a_hand_laid_open_goes_back_but_may_lie_after_the_match() -> None:
    dead = pieces("blue leaf", "green moon")
    cornered = situation(2, hands=(2, 0), passes={1: 3}, gone=True, unseen=("blue leaf", "green moon"))
    over = play(cornered, Stuck(seat=1), facts=(Opened(place="open.1", pieces=dead),))
    assert GAME.layout(cornered).zones["open.1"] == Loose()
    assert GAME.layout(over).zones["open.1"] == Loose(frozenset(dead))
    assert GAME.layout(over).zones["open.2"] == Loose()


# ------------------------------------------------------------------------------------------------------------ views


def test_the_view_of_the_seat_on_turn_offers_holes_in_words() -> None:
    offered = may(situation(3, hands=(4, 5, 5)), 1)
    assert {name for name, entry in offered.items() if entry.verdict.ok} == {"add", "discard", "use", "draw", "nothing"}
    assert offered["discard"].words == "Discard a symbol card: a red card or a star"
    hole = offered["add"].actions[0].card  # type: ignore[attr-defined]
    assert isinstance(hole, Hole)
    assert hole.words == "the red star, the blue moon, the green leaf, the yellow key or the violet shell"


def test_every_kind_of_action_is_in_the_view_with_the_reason_beside_what_may_not_be_done() -> None:
    states = [
        situation(3),
        situation(3, hands=(7, 5, 5)),
        situation(3, hands=(0, 0, 0)),
        situation(3, hands=(0, 5, 5), known={1: ("blue key",)}),
        play(situation(3), Draw(seat=1)),
        play(situation(3), uses("view-hand")),
        play(situation(3, collected={2: ("blue star",)}), uses("take-over")),
        situation(2, passes={1: 3}),
        GAME.setup(2, {}, Setup()),
        GAME.end(situation(3)),
    ]
    for state in states:
        for seat in state.seats:
            offered = may(state, seat)
            hidden = {"goal", "turn-up"} if len(state.players) == 2 else {"goal", "turn-up", "stuck"}
            assert list(offered) == [kind.type for kind in GAME.info.kinds if kind.type not in hidden]
            for entry in offered.values():
                assert bool(entry.actions) == entry.verdict.ok
                assert entry.verdict.ok or (entry.verdict.rule and entry.verdict.reason and entry.verdict.remedy)


def test_a_known_hand_says_what_would_do() -> None:
    offered = may(situation(3, hands=(0, 5, 5), known={1: ("blue key",)}), 1)
    assert offered["discard"].verdict.reason == (
        "only a red card or a star would do, and that can't be in the hand of @1"
    )


def test_the_public_view_offers_nothing_and_shows_every_collection() -> None:
    view = GAME.view(situation(3, collected={2: ("blue star",)}), 0)
    assert (view.may, view.waiting, view.headline) == ((), (1,), "It is the turn of @1.")
    assert [shelf.title for shelf in view.shelves[:3]] == [f"Collection of @{seat}" for seat in (1, 2, 3)]
    assert view.shelves[1].pieces == pieces("blue star")
    assert [COMPONENTS.name(piece) for piece in view.shelves[1].wanted] == [
        "the green moon",
        "the yellow leaf",
        "the violet key",
        "the red shell",
    ]


def test_the_own_view_comes_with_the_own_numbers_first() -> None:
    view = GAME.view(situation(2, hands=(4, 6), passes={1: 1}), 1)
    numbers = {part.name: part.value for part in view.numbers}
    assert numbers["cards in your hand"] == 4
    assert (numbers["hand limit"], numbers["hand of @2"], numbers["passes left"]) == (9, 6, 2)
    assert (view.shelves[0].title, view.headline) == (
        "Your collection",
        "It is your turn; tell the others when it is over.",
    )


def test_cards_that_everybody_saw_go_into_a_hand_are_shown_to_all() -> None:
    shelves = GAME.view(situation(3, known={2: ("blue moon",)}), 3).shelves
    assert [shelf.pieces for shelf in shelves if shelf.title == "Known in the hand of @2"] == [pieces("blue moon")]


@pytest.mark.parametrize(
    ("state", "says"),
    [
        (GAME.setup(2, {}, Setup()), "First draw a collection card for @1."),
        (situation(2, phase="turn-up"), "First turn up a card of the deck."),
        (situation(3, phase="drawn"), "@1 decides about the card just drawn: add, discard, use or keep it."),
        (GAME.end(situation(3)), "The host has ended the match; nobody wins."),
    ],
)
def test_the_headline_says_what_is_due(state: State, says: str) -> None:
    assert GAME.view(state, 0).headline == says


def test_the_standing_counts_collected_cards() -> None:
    standing = GAME.standing(situation(3, collected={2: ("blue star", "red shell")}))
    assert ([seat.score for seat in standing.seats], standing.goal, standing.outcome) == ([0, 2, 0], 5, None)
    assert standing.seats[1].words == "still missing: the green moon, the yellow leaf and the violet key"


# ------------------------------------------------------------------------------------------------------------ words


@pytest.mark.parametrize(
    ("state", "action", "facts", "says"),
    [
        (
            situation(3),
            DrawGoal(player=2),
            (Shown(place="goal.2", piece=card("Collection 4")),),
            '@2 draws "Collection 4".',
        ),
        (
            situation(3),
            TurnUp(),
            (Shown(place="discard", piece=card("blue moon")),),
            "The top card of the deck is turned up: the blue moon.",
        ),
        (
            situation(3),
            TurnUp(),
            (Shown(place="discard", piece=UNKNOWN),),
            "The top card of the deck is turned up: not read yet.",
        ),
        (situation(3), adds("red star", copy=2), (), "@1 adds the red star to the collection."),
        (situation(3), discards("red key", seat=2), (), "@2 discards the red key."),
        (situation(3), uses("draw-three"), (), '@1 uses the special "Draw 3 cards".'),
        (situation(3), uses("pile-swap"), (), '@1 uses the special "Pile swap" and takes the red star.'),
        (
            situation(3),
            uses("change-direction"),
            (),
            '@1 uses the special "Change direction": play goes counterclockwise now.',
        ),
        (
            situation(3, phase="take", in_use="view-hand"),
            Take(seat=1, victim=3),
            (),
            "@1 takes a card out of the hand of @3, after a look at it.",
        ),
        (
            situation(3, phase="take", in_use="draw-from-hand"),
            Take(seat=1, victim=3),
            (),
            "@1 takes a card out of the hand of @3, unseen.",
        ),
        (situation(3), Retrieve(seat=1, card=card("red star")), (), "@1 takes the red star out of the discard pile."),
        (
            situation(3),
            TakeOver(seat=1, card=card("blue moon"), from_seat=2, to="own"),
            (),
            "@1 takes over the blue moon from the collection of @2.",
        ),
        (
            situation(3),
            TakeOver(seat=1, card=card("blue moon"), from_seat=2, to="discard"),
            (),
            "@1 discards the blue moon from the collection of @2.",
        ),
        (situation(3), Draw(seat=1), (), "@1 draws a card."),
        (situation(3, deck=0), Draw(seat=1), (), "@1 draws a card, after the deck is renewed."),
        (situation(3), Keep(seat=1), (), "@1 keeps the card just drawn."),
        (situation(3), Nothing(seat=1), (), "@1 does nothing."),
        (
            situation(2),
            Stuck(seat=1),
            (Opened(place="open.1", pieces=pieces("blue leaf", "red key")),),
            "@1 has no legal move and lays the hand open; the red key can be played.",
        ),
    ],
)
def test_every_action_in_one_sentence(state: State, action: Any, facts: Any, says: str) -> None:
    assert GAME.describe(state, action, facts) == says


def test_a_template_is_told_in_the_words_of_its_hole() -> None:
    said = [GAME.describe(situation(3), action) for action in GAME.legal(situation(3)) if isinstance(action, Discard)]
    assert said == ["@1 discards a red card or a star."]


# ----------------------------------------------------------------------------------------- turns that leave no trace


def test_a_turn_without_a_trace_was_a_draw_if_there_was_room_else_nothing() -> None:
    assert GAME.tacit(situation(3)) == Draw(seat=1)
    assert GAME.tacit(situation(3, hands=(7, 5, 5))) == Nothing(seat=1)
    assert GAME.tacit(situation(3, deck=0, gone=True)) == Nothing(seat=1)
    assert GAME.tacit(play(situation(3), Draw(seat=1))) == Keep(seat=1)


def test_some_turns_must_leave_a_trace() -> None:
    assert GAME.tacit(situation(2, hands=(9, 5), passes={1: 3})) is None
    assert GAME.tacit(play(situation(3), uses("view-hand"))) is None
    assert GAME.tacit(GAME.setup(2, {}, Setup())) is None
    assert GAME.tacit(GAME.end(situation(3))) is None


@pytest.mark.parametrize(
    ("state", "words", "zone", "means"),
    [
        (situation(3), "red key", "discard", Discard(seat=1, card=card("red key"))),
        (situation(3), "red key", "collection.2", Add(seat=2, card=card("red key"))),
        (situation(3), "red key", "used", Use(seat=1, card=card("red key"))),
        (
            situation(3, collected={2: ("red shell",)}),
            "red shell",
            "discard",
            TakeOver(seat=1, card=card("red shell"), from_seat=2, to="discard"),
        ),
        (
            situation(3, collected={2: ("red shell",)}),
            "red shell",
            "collection.1",
            TakeOver(seat=1, card=card("red shell"), from_seat=2, to="own"),
        ),
        (situation(3), "Collection 9", "goal.2", DrawGoal(player=2)),
        (situation(3, phase="turn-up"), "red key", "discard", TurnUp()),
        (situation(3), "red star", "hand.1", Retrieve(seat=1, card=card("red star"))),
        (situation(2), "red key", "open.2", Stuck(seat=2)),
    ],
)
def test_what_laying_a_card_there_may_have_meant(state: State, words: str, zone: str, means: Any) -> None:
    meant = list(GAME.meant_by(state, card(words), zone))
    assert meant[0] == means
    assert all(judge(state, action).kind for action in meant)


def test_a_card_laid_on_the_deck_means_nothing() -> None:
    assert list(GAME.meant_by(situation(3), card("red key"), "deck")) == []
