"""A small table for the referee's tests: lay cards in zones by name, look, and speak with the referee."""

from companion import games
from companion.codes import BACK
from companion.eye.view import Placement, TableView
from companion.referee.commands import Correct, Play
from companion.referee.journal import Header
from companion.referee.referee import Referee
from companion.rules.kernel import Counts, Lies

GAME = games.load("five-cards-collector")
PIECES = {}
for card in GAME.deck.cards:
    PIECES.setdefault(card.title, []).append(card.piece)


def piece(title, copy=0):
    """The number of a card by its title; `copy` 1 is its twin."""
    return PIECES[title][copy]


# Collection 1 wants red star, blue moon, green leaf, yellow key, violet shell; 2: blue star, green moon, …
GOALS = tuple(piece(f"Collection {n}") for n in range(1, 9))


class Table:
    """A match of Five Cards Collector whose table is laid by hand, zone by zone, bottom card first."""

    def __init__(self, seats=3, first=1, top="Red moon", sink=None, mode="assist", records=(), names=None):
        self.mat = games.load_mat("five-cards-collector", seats)
        self.header = Header(
            id="0190",
            at="2026-01-01T00:00:00Z",
            game="five-cards-collector",
            seats=seats,
            mode=mode,
            setup={"first": first, "goals": list(GOALS[:seats]), "turned_up": [piece(top)]},
            names=names or {},
        )
        self.referee = Referee(GAME, self.mat, self.header, records, sink)
        self.zones = {"deck": [BACK], "discard": [piece(top)]}
        for seat in range(1, seats + 1):
            self.zones[f"goal.{seat}"] = [GOALS[seat - 1]]
        self.under = []
        self.frame = 0
        self.arrivals = {}
        self.seconds = 0.0

    def lay(self, title, zone, copy=0):
        self.zones.setdefault(zone, []).append(piece(title, copy))

    def take(self, title, zone, copy=0):
        self.zones[zone].remove(piece(title, copy))

    def lay_over(self, title, zone, over):
        """Lay a card so that it hides another."""
        self.take(over, zone)
        self.under.append(Placement(piece(over), frozenset("F"), zone, None, 0.0, 0.0, 0.0, 0))
        self.lay(title, zone)

    def look(self, settled=True, covered=(), touched=(), later=0.5):
        """Show the table to the referee."""
        self.frame += 1
        self.seconds += later
        placements = []
        for zone, lying in self.zones.items():
            for i, one in enumerate(lying):
                order = self.arrivals.setdefault((one, zone), len(self.arrivals))
                slot = i if zone.startswith("goal") else None
                back = one == BACK
                place = None if zone == "beside" else zone
                placements.append(
                    Placement(one, frozenset("B" if back else "F"), place, slot, 10.0 * i, 0.0, 0.0, order)
                )
        view = TableView(
            self.frame,
            self.seconds,
            tuple(placements),
            frozenset(covered),
            frozenset(touched),
            settled,
            under=tuple(self.under),
        )
        self.referee.on_view(view)
        return self.referee.snapshot

    def says(self, action, facts=(), by="phone"):
        """Tap an action on a phone."""
        return self.referee.command(Play(seat=action.seat, action=action, facts=facts, by=by))

    def do(self, command):
        return self.referee.command(command)

    @property
    def records(self):
        return [(record.seat, record.action) for record in self.referee.records()]

    @property
    def now(self):
        return self.referee.snapshot


def after_one_round():
    """Everybody has added a card, so everybody has room to draw."""
    table = Table(top="Red moon")
    table.look()
    for title, zone in (("Red star", "collection.1"), ("Blue star", "collection.2"), ("Green star", "collection.3")):
        table.lay(title, zone)
        table.look()
    return table


def few_left(table):
    """Let all but six of the deck's cards have gone by: they lie on the piles; the hands hold four each."""
    state = table.referee.state
    cards = GAME.deck.by_piece()
    unseen = sorted(state.unseen)
    symbols = [one for one in unseen if cards[one].kind == "symbol"]
    specials = [one for one in unseen if cards[one].kind == "special"]
    gone = (specials + symbols)[: state.deck]
    lies = tuple(Lies(one, "used" if one in specials else "discard") for one in gone)
    counts = tuple(Counts(f"hand.{seat}", 4) for seat in (1, 2, 3))
    reply = table.do(Correct(edits=(*lies, *counts, Counts("deck", 6))))
    assert reply.ok, reply
    table.zones["discard"] = list(table.referee.state.discard)
    table.zones["used"] = list(table.referee.state.used)
    assert table.look().violation is None
    return table


__all__ = ["GAME", "GOALS", "Table", "after_one_round", "few_left", "piece"]
