"""C5: the pass of a bidder who could not raise any more, and so is not asked, is taken and changes nothing."""

import pytest

from companion import games
from companion.games.collectible.auctions import Bid, NoBid
from companion.games.collectible.sending import Done
from companion.games.collectors.auctions import MakeBid, Offer, PassBid
from companion.games.collectors.paying import PayCoins, Put
from companion.games.collectors.spaces import Place
from companion.referee.commands import Correct, End, Play
from companion.referee.journal import Header
from companion.referee.referee import Referee
from companion.rules.kernel import Counts, Shown
from tests.games.collectors.situations import GAME as COLLECTORS
from tests.referee.bidding import GAME as COLLECTIBLE
from tests.referee.bidding import until_bidding
from tests.referee.table import Table


def taken(table, action, by):
    """Say a pass: whether it is taken, after a look that nothing has changed and nobody is asked anything."""
    count, state = table.progress.history.count, table.state
    assert not table.progress.game.judge(state, action).ok
    assert action not in table.progress.game.legal(state)
    reply = table.command(Play(seat=action.seat, action=action, by=by))
    assert (table.progress.history.count, table.state) == (count, state)
    assert table.snapshot.question is None
    return reply.ok and reply.record == 0


def do(table, *actions):
    for action in actions:
        reply = table.command(Play(seat=action.seat, action=action))
        assert reply.ok, reply.verdict


def collectible():
    """A match of four that has come to an auction: the opener, and the two others who bid, one of them with a coin."""
    header, records = until_bidding()
    table = Referee(COLLECTIBLE, games.load_mat("collectible", 4), header, records)
    opener, second, poor = (bidder.seat for bidder in table.state.block.auction.bidders)
    assert table.command(Correct(edits=(Counts(f"coins.{poor}", 1),), by="host")).ok
    return table, opener, second, poor


def collectors():
    """A match of three in which seat 1 auctions a card face down; seat 2 can bid less than the others."""
    header = Header(id="0190", at="2026-01-01T00:00:00Z", game="collectors", seats=3, mode="ledger")
    table = Referee(COLLECTORS, games.load_mat("collectors", 3), header)
    while table.progress.game.phase(table.state) != "turn":
        action = COLLECTORS.legal(table.state)[0]
        facts = [Shown(place=need.place, piece=min(need.pieces)) for need in COLLECTORS.needs(table.state, action)]
        assert table.command(Play(seat=action.seat, action=action, facts=tuple(facts))).ok
    bottle = COLLECTORS.components.bottles[1][0]
    do(table, Place(seat=1, space="auction-1", bottle=bottle), Offer(seat=1, card=""))
    assert table.command(Correct(edits=(Counts("coins.1", 9), Counts("coins.2", 0)), by="host")).ok
    return table


@pytest.mark.parametrize("by", ["phone", "button"])
def test_c5_a_pass_of_who_was_left_out_changes_nothing_in_collectible(by):
    table, opener, second, poor = collectible()
    do(table, Bid(seat=opener, amount=2))
    assert taken(table, NoBid(seat=poor), by)
    do(table, NoBid(seat=second))
    assert table.state.block is None
    assert taken(table, NoBid(seat=poor), by)
    assert not taken(table, NoBid(seat=second), by), "who has passed was not left out"
    do(table, Done(seat=opener))
    assert not taken(table, NoBid(seat=poor), by), "something else has been done since"


@pytest.mark.parametrize("by", ["phone", "button"])
def test_c5_a_pass_of_who_was_left_out_changes_nothing_in_collectors_until_it_is_paid(by):
    table = collectors()
    do(table, MakeBid(seat=1, amount=5))
    assert taken(table, PassBid(seat=2), by)
    do(table, PassBid(seat=3))
    for action in (PayCoins(seat=1), Put(seat=1, role="secret", card="")):
        assert taken(table, PassBid(seat=2), by)
        assert not taken(table, PassBid(seat=3), by), "who has passed was not left out"
        do(table, action)
    assert not taken(table, PassBid(seat=2), by), "something else has been done since"


def test_c5_the_auctioneer_is_no_bidder_who_was_left_out():
    table, opener, *_ = collectible()
    auctioneer = table.state.block.owner
    do(table, Bid(seat=opener, amount=2))
    assert not taken(table, NoBid(seat=auctioneer), "phone")


def test_c5_after_the_host_has_ended_the_match_no_pass_is_taken():
    table, opener, _, poor = collectible()
    do(table, Bid(seat=opener, amount=2))
    assert table.command(End(by="host")).ok
    assert not taken(table, NoBid(seat=poor), "phone")


def test_c5_where_there_are_no_auctions_nothing_is_taken_that_is_not_legal():
    table = Table()
    assert table.referee.progress.game.moot(table.referee.state) == ()
