"""What came of a record: what each seat got or lost, the cards it speaks of, whose turn it was, who won the auction."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.referee.progress import LOOKED_BACK
from companion.referee.referee import Referee
from companion.referee.snapshot import Change, LogLine
from companion.rules.kernel import Part
from tests.server.played import GAMES, PlayedDesk


def lines_of(name: str, until: Callable[[LogLine], bool], seed: int = 5) -> list[LogLine]:
    """Let robots play until a line is the one that is wanted; give all that there are then."""
    desk = PlayedDesk(name, 3, seed=seed)
    try:
        while not until(desk.snapshot().log[-1] if desk.snapshot().log else LogLine(0, "", 0, "", "")):
            assert desk.step()
        return list(desk.snapshot().log)
    finally:
        desk.close()


def test_a_card_taken_out_of_a_hand_is_one_less_there() -> None:
    line = lines_of("five-cards-collector", lambda line: "takes a card out of the hand" in line.words)[-1]
    victim = next(one for one in line.changes if one.seat != line.seat)
    fewer = Part(f"hand of Seat {victim.seat}", -1, victim.seat, what="hand", thing="hand")
    assert victim == Change(victim.seat, (fewer,))
    assert line.cards == ()
    assert line.turn == line.seat


def test_open_cards_that_change_hands_are_named_on_both_sides() -> None:
    line = lines_of("karmic-collections", lambda line: " gives Seat " in line.words and " of " in line.words)[-1]
    giver, taker = sorted(line.changes, key=lambda one: one.seat != line.seat)
    assert giver.gone == taker.came == line.cards
    assert giver.came == taker.gone == ()


def test_an_answer_in_somebody_elses_turn_is_of_that_turn() -> None:
    line = lines_of("karmic-collections", lambda line: "chooses" in line.words and " for Seat" in line.words)[-1]
    assert line.turn not in (line.seat, 0)


@pytest.mark.parametrize("name", ["collectors", "collectible"])
def test_the_end_of_an_auction_says_who_won_what_for_how_much(name: str) -> None:
    lines = lines_of(name, lambda line: line.sale is not None)
    sale = lines[-1].sale
    assert sale is not None
    bids = [line for line in lines if line.bid and " bids " in line.words]
    assert bids[-1].seat == sale.winner
    assert f" bids {sale.price}" in bids[-1].words.replace("$", "")
    # Nobody knows a card that is auctioned face down.
    assert next(line.cards for line in reversed(lines) if not line.bid) == ((sale.lot,) if sale.lot else ())
    assert all(line.sale is None for line in lines[:-1])


@pytest.mark.parametrize("name", GAMES)
def test_no_line_shows_a_card_that_its_words_keep_to_themselves(name: str) -> None:
    desk = PlayedDesk(name, 3, seed=8)
    for _ in range(60):
        if not desk.step():
            break
    called = desk.deck
    for line in desk.snapshot().log:
        for piece in line.cards:
            assert called[piece].title.lower().removeprefix("the ") in line.words.lower()
    desk.close()


def test_after_a_restart_the_newest_lines_say_the_same() -> None:
    desk = PlayedDesk("karmic-collections", 3)
    for _ in range(50):
        desk.step()
    live = desk.snapshot().log
    again = Referee(desk.game, desk.mat, desk.match.header, desk.match.records()).snapshot.log
    assert again[-LOOKED_BACK:] == live[-LOOKED_BACK:]
    assert any(line.changes for line in again[-LOOKED_BACK:])
    assert all(line.changes == () for line in again[:-LOOKED_BACK])
    desk.close()
