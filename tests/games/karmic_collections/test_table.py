"""Karmic Collections as it is seen: the layout, what a piece laid down means, views, words and corrections."""

from __future__ import annotations

import random
from typing import Any

import pytest

from companion.codes import BACK
from companion.eye.view import Placement, TableView
from companion.games import code_book, load, load_mat, packages
from companion.games.karmic_collections import KarmicCollections
from companion.games.karmic_collections.bots import KarmicWorld
from companion.games.karmic_collections.card_actions import Conceal, Draw, Give, KeepOpen, Take, TakeBlind
from companion.games.karmic_collections.choosing import First, Partner, Second, TurnUp
from companion.games.karmic_collections.ending import EndTurn
from companion.games.karmic_collections.setup import Deal, Lot, Roll
from companion.games.karmic_collections.spaces import SPACES
from companion.games.karmic_collections.state import Setup, State
from companion.referee.difference import Seen
from companion.referee.matching import explain
from companion.rules.cards import Deck
from companion.rules.kernel import Counts, Facts, Instead, Lies, May, RuleError, Turns
from companion.rules.layout import Back, Empty, Exactly, Layout, Loose, OneOf, Pile
from companion.sim.robots import choose
from companion.sim.stage import target_books
from tests.games.karmic_collections.situations import (
    COMPONENTS,
    GAME,
    cards,
    dice,
    hand,
    of,
    play,
    points,
    shown,
    situation,
    top,
)

PAWNS = frozenset({"P11", "P12"})


def may(state: State, seat: int) -> dict[str, May]:
    return {entry.name: entry for entry in GAME.view(state, seat).may}


# ------------------------------------------------------------------------------------------------------ components


def test_m1_a_52_card_deck_of_four_suits_and_thirteen_ranks() -> None:
    assert len(COMPONENTS.all) == 52
    kinds = {(card.traits["suit"], card.traits["rank"]) for card in GAME.deck.of_kind("card")}
    assert len(kinds) == 52
    assert len({card.title for card in GAME.deck.of_kind("card")}) == 52
    assert COMPONENTS.sides == 6


def test_letters_and_markers_are_its_own() -> None:
    ours = load_mat("karmic-collections", 6)
    assert {marker.id for marker in ours.markers} == set(range(72, 96))
    for name in packages():
        if name != "karmic-collections":
            other = load(name)
            assert other.deck.code != GAME.deck.code
            theirs = {marker.id for marker in load_mat(name, other.info.seats[0]).markers}
            assert theirs.isdisjoint(marker.id for marker in ours.markers)
    assert len(code_book(GAME.deck, ours).shapes) == 52 + 12 + 30 + 1


def changed(**numbers: int) -> Deck:
    deck = GAME.deck
    return Deck(deck.game, deck.code, deck.title, deck.cards, {**deck.numbers, **numbers})


def without(*pieces: str) -> Deck:
    deck = GAME.deck
    cards_ = tuple(card for card in deck.cards if card.piece not in pieces)
    return Deck(deck.game, deck.code, deck.title, cards_, deck.numbers)


@pytest.mark.parametrize(
    ("deck", "says"),
    [
        (Deck("k", "KC", "K", GAME.deck.cards, {}), "no number 'start_cards'"),
        (without("P11"), "player 1 needs two pawns"),
        (without("T23"), "player 2 needs one partner token for player 3"),
        (
            Deck("k", "KC", "K", (type(GAME.deck.cards[0])("101", "card", "Joker", {}),), {}),
            "needs a rank from 1 to 13",
        ),
    ],
)
def test_a_deck_that_does_not_fit_the_rules_is_refused(deck: Deck, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        KarmicCollections(deck)


def test_the_numbers_are_those_of_the_deck_file() -> None:
    state = KarmicCollections(changed(start_chits=5)).setup(2, {}, Setup())
    assert [player.chits for player in state.players] == [5, 5]


# ----------------------------------------------------------------------------------------------------------- layout


def test_the_layout_says_what_lies_where() -> None:
    state = situation("A 3", "K K 9", phase="act", spaces=("swap-fates",), step=1, concealed=frozenset(cards("9")))
    zones = GAME.layout(state).zones
    assert zones["deck"] == Pile(Back())
    assert zones["swap-fates"] == Pile(OneOf(PAWNS))
    assert zones["deal-fates"] == Pile(Empty())
    assert zones["hand.1"] == Loose(frozenset(cards("A 3")))
    assert zones["hand.2"] == Loose(frozenset(cards("K K")), backs=1)
    assert zones["partner.1"] == Pile(Exactly("T12"))
    assert (zones["tokens.1"], zones["paired.1"]) == (Loose(), Loose())
    assert (zones["tokens.2"], zones["partner.2"]) == (Loose(frozenset({"T21"})), Pile(Empty()))


def test_partner_tokens_are_up_forward_or_turned_down() -> None:
    zones = GAME.layout(situation("A", "K", "9", "5", up={1: {2, 4}})).zones
    assert (zones["tokens.1"], zones["partner.1"]) == (Loose(frozenset({"T14"})), Pile(Exactly("T12")))
    assert zones["paired.1"] == Loose(frozenset({"T13"}))


def test_every_zone_is_on_the_mat_for_every_number_of_players() -> None:
    for seats in range(2, 7):
        zones = {zone.name for zone in load_mat("karmic-collections", seats).zones if zone.kind != "tray"}
        assert set(GAME.layout(situation(*"A2345678"[:seats])).zones) == zones


def test_the_mat_holds_a_hand_of_18_cards_and_all_partner_tokens() -> None:
    mat = load_mat("karmic-collections", 6)
    for name, shape, count in (("hand.1", "card", 18), ("tokens.1", "partner", 5), ("paired.4", "partner", 5)):
        zone, kind = mat.zone(name), mat.shape_of(shape)
        spots = {zone.spot(number, kind.w, kind.h) for number in range(count)}
        assert len(spots) == count
        for x, y in spots:
            assert mat.zone_at(x, y) == zone
            assert zone.rect.holds(x - kind.w / 2, y - kind.h / 2)
            assert zone.rect.holds(x + kind.w / 2, y + kind.h / 2)


# ------------------------------------------------------------------------------------------------------ understanding


def seen(layout: Layout, piles: dict[str, tuple[str, ...]]) -> Seen:
    """Return the table as a layout expects it; the world knows which cards lie face down."""
    mat, placements = load_mat("karmic-collections", sum(zone.startswith("hand") for zone in layout.zones)), []
    for zone, lying in target_books(layout, piles, {}).items():
        place = mat.zone(zone)
        for number, item in enumerate(lying[-1:] if place.kind == "pile" else lying):
            x, y = place.rect.centre
            piece = item.piece if item.face == "F" else BACK
            placements.append(Placement(piece, frozenset(item.face), zone, None, x, y, 0.0, number))
    return Seen(TableView(1, 0.0, tuple(placements), frozenset(), frozenset(), True, ()))


def understood(before: State, after: State) -> list[Any]:
    piles = {"deck": tuple(sorted(after.unseen))}
    if after.concealed:
        piles[f"hand.{after.partner}"] = tuple(sorted(after.concealed))
    found = explain(GAME, before, seen(GAME.layout(after), piles))
    assert len(found.complete) == 1, found
    return [step.action for step in found.complete[0].steps]


def test_every_action_of_class_a_is_understood_from_its_layout_alone() -> None:
    kinds = {kind.type: kind.evidence for kind in GAME.info.kinds}
    met = set()
    for seats, seed in ((2, 1), (4, 2), (3, 3)):
        rng = random.Random(seed)
        world = KarmicWorld(GAME, seats, {}, rng)
        state = GAME.setup(seats, {}, world.setup())
        while GAME.actors(state):
            action: Any = choose(GAME, state, world, rng)
            facts: Facts = world.facts(state, action)
            after = GAME.play(state, action, facts)
            tag = str(action.__struct_config__.tag)
            if kinds[tag] == "A":
                assert understood(state, after) == [action]
                met.add(tag)
            world.apply(state, action, after)
            state = after
    assert met == {tag for tag, evidence in kinds.items() if evidence == "A"}


def test_keeping_cards_open_is_inferred_from_the_pick() -> None:
    state = play(situation("A", "8 6 K"), First(seat=1, space="benevolent-burglar"))
    king = of(state, 2, "K")
    then = play(state, KeepOpen(seat=2), Take(seat=1, card=king))
    assert understood(state, then) == [KeepOpen(seat=2), Take(seat=1, card=king)]


def test_concealing_and_a_blind_pick_are_understood_at_once() -> None:
    state = play(situation("A", "8 6 K K"), First(seat=1, space="swap-fates"))
    six = of(state, 2, "6")
    hidden = Conceal(seat=2, cards=tuple(sorted((six, of(state, 2, "8")))))
    assert understood(state, play(state, hidden)) == [hidden]
    concealed = play(state, hidden)
    assert understood(concealed, play(concealed, (TakeBlind(seat=1), shown(1, six)))) == [TakeBlind(seat=1)]


def test_the_end_of_a_turn_and_the_next_declaration_are_understood_at_once() -> None:
    state = situation("A", "K", phase="end", up={2: set()}, spaces=("deal-fates", "swap-fates"))
    then = play(state, EndTurn(seat=1), TurnUp(seat=2), Partner(seat=2, partner=1))
    assert understood(state, then) == [EndTurn(seat=1), TurnUp(seat=2), Partner(seat=2, partner=1)]


def test_either_pawn_will_do() -> None:
    state = situation("A", "K")
    after = play(state, First(seat=1, space="roll-fortunes"))
    for pawn in PAWNS:
        layout = GAME.layout(after)
        layout = Layout({**layout.zones, "roll-fortunes": Pile(Exactly(pawn))})
        found = explain(GAME, state, seen(layout, {"deck": tuple(after.unseen)}))
        assert [step.action for step in found.complete[0].steps] == [First(seat=1, space="roll-fortunes")]


@pytest.mark.parametrize(
    ("piece", "zone", "action"),
    [
        ("P11", "deal-fates", First(seat=1, space="deal-fates")),
        ("T12", "partner.1", Partner(seat=1, partner=2)),
        ("T12", "tokens.1", TurnUp(seat=1)),
        ("T12", "paired.1", EndTurn(seat=1)),
        ("10K", "hand.1", None),
        ("10D", "hand.1", Take(seat=1, card="10D")),
        ("101", "hand.2", Give(seat=1, card="101")),
        ("109", "hand.1", Draw(seat=1)),
    ],
)
def test_what_somebody_may_have_meant_by_laying_a_piece(piece: str, zone: str, action: Any) -> None:
    assert list(GAME.meant_by(situation("A", "K"), piece, zone)) == ([action] if action else [])


def test_c2_a_card_of_a_third_seat_was_meant_to_be_taken() -> None:
    state = play(situation("A", "A 8", "K"), First(seat=1, space="benevolent-burglar"), KeepOpen(seat=2))
    king = next(iter(state.players[2].hand))
    assert list(GAME.meant_by(state, king, "hand.1")) == [Take(seat=1, card=king)]
    ace = next(iter(state.players[0].hand))
    (meant,) = GAME.meant_by(state, ace, "hand.3")
    assert GAME.judge(state, meant).reason == "it is for @1 now, not for @3"


def test_a_card_given_to_a_seat_that_is_no_partner_is_said_to_whom_it_goes() -> None:
    state = play(situation("A", "A 8", "K"), First(seat=1, space="roll-fortunes"), (Roll(seat=1), dice(6, 4)))
    ace = next(iter(state.players[0].hand))
    (meant,) = GAME.meant_by(state, ace, "hand.3")
    wrong = GAME.judge(state, meant)
    assert (wrong.reason, wrong.remedy) == (
        f"{COMPONENTS.name(ace)} is for the karmic partner, @2",
        "Give it to @2, not to @3.",
    )
    (given,) = GAME.meant_by(state, ace, "hand.2")
    assert GAME.judge(state, given).ok


def test_a_pawn_laid_down_for_the_second_action_is_the_partners_choice() -> None:
    state = play(situation("A", "K"), First(seat=1, space="focus-light"))
    assert next(iter(GAME.meant_by(state, "P12", "swap-fates"))) == Second(seat=2, space="swap-fates")
    assert list(GAME.meant_by(GAME.setup(2, {}, Setup()), "101", "hand.2")) == [Deal(player=2)]


def test_silence_means_open_cards_tokens_turned_up_and_the_end_of_a_turn() -> None:
    assert GAME.tacit(play(situation("A", "8 6"), First(seat=1, space="swap-fates"))) == KeepOpen(seat=2)
    assert GAME.tacit(situation("A", "8", phase="tokens", up={1: set()})) == TurnUp(seat=1)
    assert GAME.tacit(situation("A", "8", phase="end")) == EndTurn(seat=1)
    assert GAME.tacit(situation("A", "8")) is None


# ----------------------------------------------------------------------------------------------------- views, words


def test_the_view_shows_each_seats_sets_and_points() -> None:
    state = situation("Q Q 4 5", "A 8", dice=((2, 2, 6), (1, 3)), coins=(2, 0))
    view = GAME.view(state, 2)
    assert [shelf.title for shelf in view.shelves] == ["Your cards", "Cards of @1"]
    assert view.shelves[1].words == "4-5 +1, Q-Q +1"
    assert view.shelves[0].words == "alone: A, 8"
    assert {"your chits": 3, "coins of @1": 2, "dice showing 2 of @1": 2, "deck": 46}.items() <= {
        part.name: part.value for part in view.numbers
    }.items()
    first = GAME.standing(state).seats[0]
    assert (first.score, first.words) == (5, "4-5 +1, Q-Q +1; dice: 2-2 +1")
    assert GAME.standing(state).goal == 10


def test_the_view_names_the_part_that_fails() -> None:
    state = situation("A", "K", dice=((), (1,)))
    barred = {may.words.partition(": ")[0]: may.verdict for may in GAME.view(state, 1).may if may.name == "first"}
    assert (
        barred["☀ Deal Fates"].reason
        == 'Deal Fates can\'t be done: its part "give 1 die" fails, as @1 has no die by then'
    )
    assert barred["☀ Deal Fates"].rule == "M4"
    assert barred["☀ Focus Light"].ok
    assert not may(state, 1)["roll"].verdict.ok
    assert may(state, 2)["second"].verdict.reason == "it is for @1 now, not for @2"


def test_the_view_names_each_way_to_conceal() -> None:
    state = play(situation("A", "4 5 5"), First(seat=1, space="swap-fates"))
    ways = [way for way in GAME.view(state, 2).may if way.name == "conceal"]
    said = ["Conceal the four of clubs", "Conceal the five of clubs", "Conceal the five of diamonds"]
    assert [way.words for way in ways] == said
    assert may(state, 1)["conceal"].verdict.reason == "it is for @2 now, not for @1"


def test_concealed_cards_are_named_on_the_page() -> None:
    state = play(situation("A", "8 6 K K"), First(seat=1, space="swap-fates"))
    state = play(state, Conceal(seat=2, cards=tuple(sorted(of(state, 2, word) for word in ("8", "6")))))
    shelf = GAME.view(state, 1).shelves[1]
    assert shelf.words.endswith("Face down: the six of clubs and the eight of clubs")


def test_sentences_say_what_happens() -> None:
    state = situation("A", "8 6 K", phase="partner")
    chosen = play(state, Partner(seat=1, partner=2))
    stuck = situation("", "", "K", dice=((), (), (1,)), chits=(0, 0, 3), phase="partner", deck=0)
    tie = GAME.setup(2, {}, Setup())
    for seat, words in ((1, "A 3 5"), (2, "A 3 5")):
        for word in words.split():
            tie = play(tie, (Deal(player=seat), shown(seat, top(tie, word))))
    for seat in (1, 2):
        tie = play(tie, (Roll(seat=seat), dice(1, 2, 3)))
    said: list[tuple[State, Any, Facts, str]] = [
        (state, Partner(seat=1, partner=2), (), "@1 takes @2 as partner."),
        (
            stuck,
            Partner(seat=1, partner=2),
            (),
            "@1 takes @2 as partner; no action can be done, so both are skipped.",
        ),
        (chosen, First(seat=1, space="focus-light"), (), "@1 plays Focus Light (gain 1 coin, give 2 chits)."),
        (tie, Lot(seat=1), (dice(2),), "Chance decides who goes first: @2 goes first."),
        (tie, Lot(seat=1), (), "Chance decides who goes first."),
        (chosen, Draw(seat=1), (shown(1, "109"),), "@1 draws the nine of clubs."),
        (chosen, Draw(seat=1), (), "@1 draws a card."),
        (GAME.setup(2, {}, Setup()), Roll(seat=2), (dice(1, 1, 5),), "@2 rolls 1, 1 and 5."),
        (GAME.setup(2, {}, Setup()), Roll(seat=2), (), "@2 rolls 3 dice."),
    ]
    for before, action, facts, words in said:
        assert GAME.describe(before, action, facts) == words


# -------------------------------------------------------------------------------------------------------- mending


def test_c8_the_host_corrects_cards_tokens_coins_chits_dice_and_the_turn() -> None:
    state = situation("A 3", "K", "9", phase="partner", dice=((1, 2), (4,), (5,)))
    edits = (
        Lies(of(state, 1, "3"), "hand.2"),
        Lies(of(state, 3, "9"), "deck"),
        Lies("109", "hand.1"),
        Lies("T23", "paired.2"),
        Counts("coins.1", 4),
        Counts("chits.3", 1),
        Counts("dice.1.6", 2),
        Turns(2),
    )
    after = GAME.correct(state, edits)
    assert [hand(after, seat) for seat in (1, 2, 3)] == [["A", "9"], ["3", "K"], []]
    assert after.players[1].up == {1}
    assert (after.players[0].coins, after.players[2].chits, after.players[0].dice) == (4, 1, (1, 2, 6, 6))
    assert (after.turn, after.phase) == (2, "partner")


def test_c8_what_would_lose_or_double_a_piece_is_refused() -> None:
    state = situation("A 3", "K", phase="act", spaces=("roll-fortunes",), step=1)
    for edit in (
        Lies("ZZZ", "deck"),
        Lies("101", "deal-fates"),
        Lies("101", "hand.9"),
        Lies("T12", "tokens.1"),
        Lies("T21", "paired.1"),
        Lies("T45", "tokens.4"),
        Lies("P11", "deal-fates"),
        Counts("hand.1", 3),
        Counts("coins.1", -1),
        Counts("dice.1.7", 2),
        Counts("dice.1", 2),
        Turns(9),
        Turns(2),
        Instead("101", "102"),
    ):
        with pytest.raises(RuleError) as caught:
            GAME.correct(state, (edit,))
        assert caught.value.verdict.rule == "C8"
    assert GAME.correct(state, (Lies("P11", "roll-fortunes"), Instead("P11", "P12"), Lies("T12", "partner.1"))) == state


def test_c8_a_correction_that_leaves_the_action_under_way_impossible_is_refused() -> None:
    state = situation("A", "K", phase="act", spaces=("roll-fortunes",), step=1)
    with pytest.raises(RuleError, match="Roll Fortunes is under way"):
        GAME.correct(state, (Lies("101", "deck"),))


def test_c8_where_no_action_is_left_the_turn_goes_to_its_end() -> None:
    state = situation("A", "K", dice=((), ()), chits=(1, 0), deck=0)
    assert state.phase == "first"
    assert GAME.correct(state, (Lies("101", "hand.2"), Counts("chits.1", 0))).phase == "end"


def test_m7_ten_points_by_a_correction_count_at_the_end_of_the_turn() -> None:
    state = play(situation("A", "K", coins=(9, 0), phase="end"), EndTurn(seat=1))
    state = GAME.correct(state, (Counts("coins.1", 10),))
    assert (state.outcome, state.turn, state.phase) == (None, 2, "partner")
    ended = play(GAME.correct(situation("A", "K", phase="end"), (Counts("coins.2", 10),)), EndTurn(seat=1))
    assert ended.outcome is not None
    assert ended.outcome.winners == (2,)


def test_c8_points_that_were_counted_at_the_end_are_counted_again() -> None:
    state = play(situation("A", "K", coins=(10, 0), phase="end"), EndTurn(seat=1))
    assert state.outcome is not None
    again = GAME.correct(state, (Counts("coins.1", 9),))
    assert (again.outcome, again.turn, again.phase) == (None, 2, "partner")


def test_c8_during_the_set_up_it_goes_on_from_what_lies_there() -> None:
    state = GAME.setup(2, {}, Setup())
    after = GAME.correct(state, tuple(Lies(piece, "hand.1") for piece in cards("A 3 5")))
    assert next(iter(GAME.legal(after))) == Deal(player=2)
    after = GAME.correct(after, tuple(Lies(piece, "hand.2") for piece in ("107", "108", "20D")))
    assert after.phase == "dice"


def test_c8_what_lies_face_up_is_concealed_no_more() -> None:
    state = situation("A 3", "K K 9", phase="act", spaces=("swap-fates",), step=1, concealed=frozenset(cards("9")))
    assert GAME.correct(state, (Lies(cards("9")[0], "hand.2"),)).concealed == frozenset()


def test_c8_the_host_ends_the_match_without_a_winner() -> None:
    state = GAME.end(play(situation("A", "8 6"), First(seat=1, space="swap-fates")))
    assert state.outcome is not None
    assert (state.outcome.winners, state.outcome.ending) == ((), "ended-by-host")
    assert GAME.layout(state).zones["swap-fates"] == Pile(Empty())
    assert GAME.end(state) == state
    assert points(state) == [0, 0]


def test_an_audit_names_what_does_not_add_up() -> None:
    state = situation("A", "K")
    wrong = type(state)(
        players=(state.players[0], state.players[0]),
        unseen=state.unseen,
        bags=state.bags,
        phase="end",
        turn=1,
        spaces=("deal-fates", "focus-light"),
    )
    said = " ".join(GAME.audit(wrong))
    for words in ("is in 2 places", "is nowhere", "without a karmic partner", "a light and a dark action"):
        assert words in said


def test_the_spaces_are_the_zones_of_the_mat() -> None:
    labels = {zone.name: zone.label for zone in load_mat("karmic-collections", 2).zones}
    assert all(labels[name].startswith(f"{space.title} ({space.side})") for name, space in SPACES.items())
