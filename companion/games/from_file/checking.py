"""Whether a score file fits: its names to each other, its zones to the mat, its cards to the deck, its cost to a table.

`check` is for whoever writes a file: every problem at once, with its line and a remedy. `points` is the score of what
lies on a table, while the file is being written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product

import msgspec

from companion.games.from_file.counting import OTHER, TooMuchError
from companion.games.from_file.score_file import OPERATORS, Block, Problem, Score, ScoreError, Tricks, line_of, read
from companion.games.from_file.scoring import DICE, Scored, Table, faces_of, scored
from companion.rules.cards import Deck, Piece
from companion.rules.layout import Zone


class Place(msgspec.Struct, frozen=True):
    """A zone of a mat, as score files name it: its kind, whether each seat has one, and how many places it has."""

    kind: str
    own: bool
    slots: int = 0


Places = Mapping[Zone, Place]
"""The zones of a mat by name, without seats: "taken", not "taken.2"."""


def points(text: str, deck: Deck, table: Table, options: Mapping[str, int] | None = None) -> Scored:
    """Return the score of what lies on a table, by a score file that may not be finished, whatever is missing.

    Raises ScoreError if the file has the wrong form, TooMuchError if the score takes too many operations.
    """
    score = read(text)
    blocks = tuple(msgspec.structs.replace(block, needs=None) for block in score.score)
    return scored(msgspec.structs.replace(score, score=blocks), faces_of(deck), table, options or {})


def check(text: str, deck: Deck, places: Places) -> tuple[Problem, ...]:
    """Return everything that is wrong with a score file; nothing if a game can be made of it."""
    try:
        load(text, deck, places)
    except ScoreError as error:
        return error.problems
    return ()


def load(text: str, deck: Deck, places: Places) -> Score:
    """Return a score file that fits the deck and the mat; ScoreError, with every problem, if it does not."""
    score = read(text)
    found = [
        *_players(text, score),
        *_round(text, score, deck, places),
        *_entries(text, score),
        *_blocks(text, score, deck, places),
        *_strange(text, score, deck),
        *_match(text, score),
    ]
    if not found:
        found = [*_cost(text, score, deck, places)]
    if found:
        raise ScoreError(tuple(sorted(found, key=lambda problem: problem.line)))
    return score


def _one_of(names: Iterable[str]) -> str:
    listed = ", ".join(names)
    return f"Write one of {listed}." if listed else "There is none: leave it out."


def _players(text: str, score: Score) -> Iterator[Problem]:
    low, high = score.players.seats
    line = line_of(text, "players", "seats")
    if low > high:
        yield Problem(
            line, f"{low} players are more than {high}", f"Write [{high}, {low}].", "players", (str(low), str(high))
        )
    if score.players.partners and (low, high) != (4, 4):
        yield Problem(line, "partners sit opposite each other, two against two", "Write seats = [4, 4].", "partners")


def _round(text: str, score: Score, deck: Deck, places: Places) -> Iterator[Problem]:
    how = score.round
    for part, key, zone in _zones(score):
        if zone and zone not in places:
            words = f"the mat has no zone {zone!r}"
            yield Problem(line_of(text, part, key), words, _one_of(sorted(places)), "zone", (zone,))
    if score.tricks is not None:
        yield from _tricks(text, score.tricks, deck, places)
    if how.ends == "hands" and (how.hand is None or (score.tricks is None and score.row is None)):
        words = "hands can't be played without [tricks] or [row], and without knowing how many cards they have"
        yield Problem(line_of(text, "round", "ends"), words, "Write hand = 13, and the section.", "played")
    entries = {one.name for one in score.entry if one.due == "any"}
    if score.tricks is not None and score.tricks.closes and score.tricks.closes not in entries:
        words = f"there is no entry {score.tricks.closes!r} that is typed at any time"
        yield Problem(line_of(text, "tricks", "closes"), words, _one_of(sorted(entries)), "closes")
    if score.tricks is not None and score.tricks.draws and not isinstance(how.hand, int):
        words = "nobody knows how many cards are drawn without knowing how many a hand has"
        yield Problem(line_of(text, "tricks", "draws"), words, "Write hand = 3 for the round.", "draws")
    if how.ends == "boxes" and (score.dice is None or not any(block.box for block in score.score)):
        words = "boxes are filled with dice, and there are no dice, or no box"
        yield Problem(line_of(text, "round", "ends"), words, "Write [dice], and a block with box = true.", "boxes")
    if how.first == "holder" and how.card not in deck.by_piece():
        words = f"the deck has no card {how.card!r} that anybody could hold"
        yield Problem(line_of(text, "round", "card"), words, _one_of([*deck.by_piece()][:4]), "holder")
    if how.hand == ():
        yield Problem(line_of(text, "round", "hand"), "no round has a hand", "Write hand = 7, or a list.", "hand")
    if score.row is not None and score.row.adds and score.row.adds not in score.worth:
        words = f"there is no table [worth.{score.row.adds}]"
        yield Problem(line_of(text, "row", "adds"), words, _one_of(sorted(score.worth)), "worths", (score.row.adds,))
    if score.tricks is not None and score.row is not None:
        yield Problem(line_of(text, "row"), "cards are laid for tricks or into a row, not both", "Leave one out.")
    cards, most = len(deck.cards), max(_hands(score), default=0) * score.players.seats[1]
    if most > cards:
        line = line_of(text, "round", "hand")
        words = f"hands of {score.players.seats[1]} players hold {most} cards, and the deck has {cards}"
        about = (str(score.players.seats[1]), str(most), str(cards))
        yield Problem(line, words, "Deal fewer, or write fewer players.", "hands", about)


def _hands(score: Score) -> list[int]:
    hand = score.round.hand
    return [] if hand is None else [hand] if isinstance(hand, int) else list(hand)


def _zones(score: Score) -> Iterator[tuple[str, str, Zone]]:
    yield "round", "turn_ends", score.round.turn_ends
    if score.tricks is not None:
        yield "tricks", "zone", score.tricks.zone
        yield "tricks", "shown", score.tricks.shown
    if score.row is not None:
        yield "row", "zone", score.row.zone
        yield "row", "to", score.row.to


def _tricks(text: str, tricks: Tricks, deck: Deck, places: Places) -> Iterator[Problem]:
    zone = places.get(tricks.zone)
    if zone is not None and not zone.own:
        owned = sorted(name for name, place in places.items() if place.own)
        words = f"everybody lays a card of a trick into one zone {tricks.zone!r}"
        yield Problem(line_of(text, "tricks", "zone"), words, _one_of(owned), "own", (tricks.zone,))
    ranks = ", ".join(sorted({card.traits["rank"] for card in deck.cards if "rank" in card.traits} - set(tricks.order)))
    if ranks:
        line, remedy = line_of(text, "tricks", "order"), "Name every rank, from the lowest to the highest."
        yield Problem(line, f"nothing says how high {ranks} is", remedy, "order", (ranks,))
    suits = sorted({card.traits["suit"] for card in deck.cards if "suit" in card.traits})
    if tricks.trump and tricks.trump not in suits:
        yield Problem(line_of(text, "tricks", "trump"), f"the deck has no suit {tricks.trump!r}", _one_of(suits))


WIDEST = 200
"""How far an entry's numbers may be apart: so many buttons fit a phone's memory."""

RESERVED = ("points", "tricks")
"""Entries that every game has."""


def _entries(text: str, score: Score) -> Iterator[Problem]:
    seen: set[str] = set()
    options = {option.name for option in score.option}
    named = [("entry", n, one.name) for n, one in enumerate(score.entry)]
    named += [("option", n, one.name) for n, one in enumerate(score.option)]
    named += [("score", n, one.name) for n, one in enumerate(score.score)]
    for part, n, name in named:
        line = line_of(text, part, n, "name")
        if name in seen:
            words = f"there are two things called {name!r}"
            yield Problem(line, words, "Give one of them another name.", "same", (name,))
        if part != "score" and name in (*RESERVED, "rounds"):
            words = f"{name!r} is there in every game"
            yield Problem(line, words, "Choose another name, or leave it out.", "same", (name,))
        seen.add(name)
    for n, entry in enumerate(score.entry):
        if not 0 <= entry.high - entry.low <= WIDEST:
            words = f"{entry.low} to {entry.high} are no numbers to choose from, or too many"
            about = (str(entry.low), str(entry.high), str(WIDEST))
            remedy = f"Write low and high, at most {WIDEST} apart."
            yield Problem(line_of(text, "entry", n, "low"), words, remedy, "range", about)
        if entry.names and len(entry.names) != entry.high - entry.low + 1:
            words, line = f"{len(entry.names)} names are not one for each number", line_of(text, "entry", n, "names")
            yield Problem(line, words, f"Name the numbers {entry.low} to {entry.high}.", "names")
        if isinstance(entry.uneven, str) and entry.uneven not in options:
            words, line = f"there is no option {entry.uneven!r}", line_of(text, "entry", n, "uneven")
            yield Problem(line, words, _one_of(sorted(options)))
    for n, option in enumerate(score.option):
        if not option.low <= option.default <= option.high:
            words = f"{option.default} is not between {option.low} and {option.high}"
            line, remedy = line_of(text, "option", n, "default"), "Write a number between low and high."
            yield Problem(line, words, remedy, "default", (str(option.default),))


def _blocks(text: str, score: Score, deck: Deck, places: Places) -> Iterator[Problem]:
    options = {option.name for option in score.option}
    entries = {entry.name for entry in score.entry}
    known = options | entries
    for n, block in enumerate(score.score):
        yield from _names(text, n, block, known, entries)
        yield from _cards(text, n, block, score, deck, places)
        known = known | {block.name}


_OPERANDS = ("needs", "minus", "at_least", "at_most", "times", "gives", "bonus", "each", "over", "missed", "lost")
_OF_CARDS = frozenset(op for op, (_, keys) in OPERATORS.items() if "cards" in keys)
_OF_BLOCKS = frozenset(op for op, (_, keys) in OPERATORS.items() if "of" in keys)


def _names(text: str, n: int, block: Block, known: set[str], entries: set[str]) -> Iterator[Problem]:
    """Yield the names in a block that don't stand above it."""
    used = [(key, name) for key in ("of", "once") for name in getattr(block, key)]
    used += [(key, value) for key in _OPERANDS if isinstance(value := getattr(block, key), str)]
    used += [("when", name) for name in block.when]
    used += [
        ("when", value)
        for when in block.when.values()
        for key in when.__struct_fields__
        if isinstance(value := getattr(when, key), str)
    ]
    if block.lay_off:
        used.append(("lay_off", block.lay_off))
    for key, name in used:
        if name not in known:
            words = f"nothing above {block.name!r} is called {name!r}"
            yield Problem(line_of(text, "score", n, key), words, _one_of(sorted(known)), "above", (name,))
    if block.op in _OF_BLOCKS and not block.of:
        yield Problem(line_of(text, "score", n, "op"), f"{block.op} of nothing", 'Write of = ["a block above"].', "of")
    if block.op == "bid" and block.bid not in entries:
        yield Problem(
            line_of(text, "score", n, "bid"), f"there is no entry {block.bid!r}", _one_of(sorted(entries)), "bid"
        )


def _cards(text: str, n: int, block: Block, score: Score, deck: Deck, places: Places) -> Iterator[Problem]:
    if block.op in _OF_CARDS and not block.cards:
        yield Problem(line_of(text, "score", n, "op"), f"{block.op} of no cards", 'Write cards = ["a zone"].', "cards")
    for zone in (*block.cards, *block.like.values()):
        if zone not in places and not (zone == DICE and score.dice is not None):
            key = "cards" if zone in block.cards else "like"
            words = f"the mat has no zone {zone!r}"
            yield Problem(line_of(text, "score", n, key), words, _one_of(sorted(places)), "zone", (zone,))
    if block.box and (score.dice is None or block.whose != "seat"):
        yield Problem(line_of(text, "score", n, "box"), "a box takes the dice of one seat", "Write [dice].", "box")
    if block.worth and block.worth not in score.worth:
        words = f"there is no table [worth.{block.worth}]"
        yield Problem(line_of(text, "score", n, "worth"), words, _one_of(sorted(score.worth)), "worths", (block.worth,))
    traits = {trait for face in faces_of(deck).values() for trait in face} | {"rank", "kind", "piece"}
    if (block.op == "whole") != bool(block.parts):
        words = "a meld that is whole has parts, and nothing else has"
        remedy = 'Write parts = [{ rank = "12" }, { rank = "13" }].'
        yield Problem(line_of(text, "score", n, "op"), words, remedy, "parts")
    named: list[tuple[str, Iterable[str]]] = [("where", block.where), ("like", block.like), ("by", (block.by,))]
    named += [("parts", part) for part in block.parts]
    for key, listed in named:
        for trait in listed:
            if trait not in traits:
                words = f"no card has the trait {trait!r}"
                yield Problem(line_of(text, "score", n, key), words, _one_of(sorted(traits)))


def _strange(text: str, score: Score, deck: Deck) -> Iterator[Problem]:
    """Yield cards that nothing names; a rank that stays in the box may keep its worth."""
    ranks = {str(n) for n in range(1, 1 + max(13, score.dice.sides if score.dice else 0))}
    known = {value for face in faces_of(deck).values() for value in face.values()} | ranks | {OTHER}
    named: list[tuple[int, Iterable[str]]] = [(line_of(text, "worth", one), score.worth[one]) for one in score.worth]
    named += [(line_of(text, "tricks", "order"), score.tricks.order)] if score.tricks else []
    named += [(line_of(text, "row", "alike"), score.row.alike)] if score.row else []
    for n, block in enumerate(score.score):
        for key, traits in (("where", block.where), *(("parts", part) for part in block.parts)):
            for one in traits.values():
                named.append((line_of(text, "score", n, key), (one,) if isinstance(one, str) else one))
    remedy = "Write a rank from 1 (the ace) to 13 (the king), a suit, a card, or other."
    for line, keys in named:
        for key in dict.fromkeys(key for key in keys if key not in known):
            yield Problem(line, f"no card is called {key!r}", remedy, "strange", (key,))


def _match(text: str, score: Score) -> Iterator[Problem]:
    options = {option.name: option.low for option in score.option}
    for key in ("rounds", "points"):
        value = getattr(score.match, key)
        if isinstance(value, str) and value not in options:
            words = f"there is no option {value!r}"
            yield Problem(line_of(text, "match", key), words, _one_of(sorted(options)), "number")
        elif value is not None and (options[value] if isinstance(value, str) else value) < 1:
            yield Problem(line_of(text, "match", key), f"{value} {key} are no end", "Write a number from 1.", "number")
    if score.match.rounds is None and score.match.points is None:
        yield Problem(line_of(text, "match"), "the match never ends", "Write rounds = 9, or points = 100.", "endless")


def _cost(text: str, score: Score, deck: Deck, places: Places) -> Iterator[Problem]:
    faces, seats = faces_of(deck), score.players.seats[1]
    dice = (score.dice.sides,) * score.dice.count if score.dice else ()
    for cards, end in product(_full(score, deck, places), ("high", "low")):
        options = {one.name: getattr(one, end) for one in score.option}
        typed = {one.name: (getattr(one, end),) * seats for one in score.entry}
        won, out = (PILED,) * seats, tuple(range(1, seats + 1))
        table = Table(seats, 1, cards, won, 1, won, typed, out, dice)

        def spends(count: int, table: Table = table, options: Mapping[str, int] = options) -> str:
            """Return why the first so many blocks can't be counted; "" if they can."""
            try:
                scored(msgspec.structs.replace(score, score=score.score[:count]), faces, table, options)
            except TooMuchError as error:
                return f"{error}"
            return ""

        why = spends(len(score.score))
        if why:
            n = next(n for n in range(len(score.score)) if spends(n + 1))
            words = f"the score can't be counted on a full table: {why}"
            remedy = "Count fewer cards, give fewer of them a worth, or multiply less."
            yield Problem(line_of(text, "score", n, "op"), words, remedy, "cost")
            return


def _full(score: Score, deck: Deck, places: Places) -> Iterator[dict[Zone, tuple[Piece, ...]]]:
    """Yield tables on which every zone holds as many cards as it may, in several orders of the deck."""
    pieces = [card.piece for card in deck.cards]
    by_rank = sorted(pieces, key=lambda piece: piece[1:])
    for order in (pieces, by_rank, pieces[::7] + pieces[1::7] + pieces[2::7]):
        cards: dict[Zone, tuple[Piece, ...]] = {}
        for name, place in places.items():
            most = limit(score, name, place)
            for seat in range(1, score.players.seats[1] + 1) if place.own else (0,):
                start = (seat * most) % max(1, len(order))
                held = (order[start:] + order[:start])[:most]
                cards[f"{name}.{seat}" if place.own else name] = tuple(held)
        yield cards


def limit(score: Score, zone: Zone, place: Place) -> int:
    """Return how many cards of a zone are counted at most: fewer where they are parted into melds."""
    if place.kind == "slots":
        return place.slots
    if any(block.op == "melds" and zone in block.cards for block in score.score):
        return MELDED
    return PILED if place.kind == "pile" else LYING


PILED, LYING, MELDED = 108, 24, 14
"""Cards of a zone that count: two packs in a pile; a row is no longer; melds, with what others lay off."""
