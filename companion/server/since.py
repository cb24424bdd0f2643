"""What happened since a seat's last turn, for its page: what others did, and what of it gave or took something.

All of it comes from the log, which everybody may read.
"""

from __future__ import annotations

import msgspec

from companion.referee.snapshot import Change, LogLine, Snapshot
from companion.rules.kernel import TABLE, Sale, Seat
from companion.server.card_documents import Cards, badge, seat_name
from companion.server.places import Document, number
from companion.text import t

CLOCK = "clock"
"""What a record is by that a clock made."""
MOST_LINES = 9
"""Lines that are shown: what is longer ago stands in the log."""
LEAST_PLAIN, PLAIN_AND_SEATS = 3, 10
"""Of lines that neither gave nor took anything the newest are shown, so many at least; lines and seats are so many
together: the more play, the longer is the rest of the page, and it has two screens."""


def since_document(snapshot: Snapshot, seat: Seat, cards: Cards) -> Document:
    """Lay out what happened since a seat's last turn, newest first, and the auction that has ended since then."""
    lines = _settled([line for line in snapshot.log if not line.undone])
    sale = _sold(lines, seat, snapshot, cards)
    told = [line for line in _since(lines, seat, snapshot.turn) if sale is None or line.n != sale["n"]]
    return {"lines": _shown([_line(line, seat, snapshot, cards) for line in told], snapshot.seats), "sale": sale}


def _settled(lines: list[LogLine]) -> list[LogLine]:
    """Leave out who won an auction where a later line says that another did: the highest bidder could not pay."""
    found: list[LogLine] = []
    instead = False
    for line in reversed(lines):
        sale = line.sale
        found.append(msgspec.structs.replace(line, sale=None) if sale is not None and instead else line)
        instead = sale.instead if sale is not None else instead
    return found[::-1]


def _shown(lines: list[Document], seats: int) -> list[Document]:
    """Leave out what would make the page too long; what gave or took something goes before all else."""
    plain = max(LEAST_PLAIN, PLAIN_AND_SEATS - seats)
    return [line for n, line in enumerate(lines) if n < plain or line["gave"] or line["took"]][:MOST_LINES]


def _by_clock(line: LogLine, seat: Seat) -> bool:
    """Return whether the clock did something in the name of this seat."""
    return line.by == CLOCK and line.seat == seat


def _since(lines: list[LogLine], seat: Seat, turn: Seat) -> list[LogLine]:
    """List what others, the table and the clock did since the seat's last turn, if it is another's `turn` now.

    Of an auction's bids it is the last, or how it ended. Right after a turn its own end is where that begins.
    """
    passed = turn not in (TABLE, seat)
    found: list[LogLine] = []
    left = False
    """Whether this goes back beyond the turn that the seat may have now."""
    outbid = False
    for line in reversed(lines):
        own = line.seat == seat and line.by != CLOCK
        if line.turn == seat and (left or (passed and own)):
            break
        left = left or line.turn != seat
        others = line.seat != seat or line.sale is not None or line.by == CLOCK
        if others and (_by_clock(line, seat) or not (line.bid and outbid and line.sale is None)):
            found.append(line)
        outbid = line.bid
    return found


def _sold(lines: list[LogLine], seat: Seat, snapshot: Snapshot, cards: Cards) -> Document | None:
    """Lay out the last auction that ended, until the seat has done something or the next begins."""
    if snapshot.timer is not None:
        return None
    for line in reversed(lines):
        if line.sale is not None:
            return {
                **_line(line, seat, snapshot, cards),
                **_sale(line.sale, snapshot, cards),
                "mine": line.sale.winner == seat,
            }
        if line.seat == seat:
            return None
    return None


def _sale(sale: Sale, snapshot: Snapshot, cards: Cards) -> Document:
    card = cards(sale.lot) if sale.lot else None
    if sale.winner == TABLE:
        return {"badge": None, "card": card, "words": t("Nobody who bid could pay: nobody won the auction.")}
    who, price = seat_name(snapshot.names, sale.winner), sale.price
    words = (
        t("{who} won the auction for {price}.", who=who, price=price)
        if card is None
        else t("{who} won {card} for {price}.", who=who, card=card["title"], price=price)
    )
    return {"badge": badge(snapshot, sale.winner), "card": card, "words": words}


def _line(line: LogLine, seat: Seat, snapshot: Snapshot, cards: Cards) -> Document:
    """Lay out a line: its cards, and what it gave the seat (`value` above 0) or took from it."""
    mine = next((one for one in line.changes if one.seat == seat), Change(seat))
    values = [part.value for part in mine.parts]
    late = _by_clock(line, seat)
    words = t("Your time was up: {words}", words=line.words) if late else line.words
    paid = line.sale is not None and line.sale.winner == seat
    return {
        "n": line.n,
        "words": _sale(line.sale, snapshot, cards)["words"] if line.sale is not None else words,
        "badge": badge(snapshot, line.seat) if line.seat != TABLE else None,
        "cards": [cards(piece) for piece in line.cards],
        "parts": [number(part) for part in mine.parts],
        "came": [cards(piece) for piece in mine.came],
        "gone": [cards(piece) for piece in mine.gone],
        "gave": bool(mine.came) or any(value > 0 for value in values),
        "took": late or (not paid and (bool(mine.gone) or any(value < 0 for value in values))),
    }
