"""How a game from a file goes, in short: what its file tells, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.from_file.components import Components
from companion.games.from_file.score_file import Block, Points, Score, Tricks, When
from companion.rules.kernel import Guide, Term
from companion.rules.wording import all_of
from companion.text import bare, join, plural, sentence, t, word

RANKS = {"1": t("ace"), "11": t("jack"), "12": t("queen"), "13": t("king"), "other": t("all others")}
"""What ranks are called that are no numbers."""


def guide(components: Components) -> Guide:
    """Return the game in short, as far as its file tells it."""
    score = components.score
    return Guide(
        aim=_aim(score),
        turn=tuple(_turn(components)),
        end=tuple(_end(score)),
        points=tuple(_line(score, block) for block in score.score if block.counts),
        terms=tuple(_terms(score)),
    )


def _aim(score: Score) -> str:
    most = t("The fewest points win.") if score.match.wins == "low" else t("The most points win.")
    return join(" ", (sentence(score.words), most)) if score.words else most


def _turn(components: Components) -> Iterator[str]:
    score, round_ = components.score, components.round
    if isinstance(round_.hand, int):
        yield plural("Everybody gets {count} card.", "Everybody gets {count} cards.", count=round_.hand)
    elif round_.hand is not None:
        numbers = join(", ", [f"{number}" for number in round_.hand])
        yield t("Everybody gets cards, round by round: {numbers}.", numbers=numbers)
    yield from _beginning(components)
    for entry in components.before():
        yield t("Before a card is played, everybody says in turn: {number}.", number=bare(entry.words))
    if score.tricks is not None:
        yield from _tricks(components)
    if score.row is not None:
        yield t("On your turn lay a card in the row, then lay what it takes on your pile.")
        if score.row.adds:
            yield t("What is taken comes to the card that was laid.")
    if score.row is not None and score.row.several:
        yield t("It takes all cards and groups of cards that each come to it.")
    if score.row is not None and score.row.alike:
        ranks = join(", ", [RANKS.get(rank, rank) for rank in score.row.alike])
        yield t("These take their own rank alone: {ranks}.", ranks=ranks)
    if score.dice is not None:
        yield t(
            "On your turn roll {count} dice, {rolls} times at most; what you like you keep.",
            count=score.dice.count,
            rolls=score.dice.rolls,
        )
    if components.boxes:
        yield t("Then fill a box. Each takes dice once.")
    if round_.turn_ends == "discard":
        yield t("A card on the discard pile ends your turn.")
    elif round_.turn_ends:
        yield t("A card on this pile ends your turn: {pile}.", pile=round_.turn_ends.replace("_", " "))
    for entry in score.entry:
        if entry.due == "end":
            yield t("When the round is over this is typed: {words}.", words=bare(entry.words))
    if score.coach:
        yield sentence(score.coach)


def _beginning(components: Components) -> Iterator[str]:
    how = components.round.first
    if components.score.dice is not None:
        return
    if how == "holder" and components.round.card:
        yield t("Whoever has {card} begins.", card=components.name(components.round.card))
    else:
        others = {"dealer": t("The dealer begins."), "winner": t("Who won the last round begins.")}
        yield others.get(how, t("The player at the dealer's left begins."))


def _tricks(components: Components) -> Iterator[str]:
    tricks = components.score.tricks
    if tricks is None:
        return
    if tricks.follow is True:
        yield t("In turn everybody lays a card, of the suit that was led if they have one.")
    else:
        yield t("In turn everybody lays a card.")
    if tricks.trump:
        yield t("Trumps are {suit}.", suit=word(tricks.trump))
    elif tricks.shown:
        yield t("The card that is turned up shows the trumps.")
    if tricks.trump or tricks.shown:
        yield t("The highest trump takes the trick, else the highest card of the suit that was led.")
    else:
        yield t("The highest card of the suit that was led takes the trick.")
    if tricks.order != Tricks().order:
        ranks = join(", ", [RANKS.get(rank, rank) for rank in reversed(tricks.order)])
        yield t("From the highest: {ranks}.", ranks=ranks)
    if tricks.beat:
        yield t("Whoever has to follow suit lays a higher card if able, and a trump where the suit led is missing.")
    yield t("Who takes it leads the next one.")
    if tricks.draws:
        yield t("After each trick everybody draws a card, its winner first, until the talon is empty.")
    if tricks.follow == "late":
        yield t("From then on suit has to be followed.")
    if tricks.late:
        yield t("Only tricks that are taken after that count.")
    if tricks.closes:
        entry = components.entries[tricks.closes]
        yield t("So it is as soon as somebody says: {words}; nobody draws any more.", words=bare(entry.words))


def _end(score: Score) -> Iterator[str]:
    yield {
        "hands": t("A round is over when all cards are played."),
        "out": t("A round is over when all but one are out."),
        "boxes": t("A round is over when every box is filled."),
    }.get(score.round.ends, t("A round is over when somebody says so, with a tap."))
    match = score.match
    if match.rounds is not None:
        count = _number(score, match.rounds)
        yield plural("The match is over after {count} round.", "The match is over after {count} rounds.", count=count)
    if match.points is not None:
        points = _number(score, match.points)
        if match.at_once:
            yield t("The match is over as soon as somebody has {points} points.", points=points)
        else:
            yield t("The match is over when somebody has {points} points at the end of a round.", points=points)
    if match.ties == "on":
        yield t("If points are equal, another round is played.")


def _number(score: Score, number: Points | str) -> int:
    if isinstance(number, int):
        return number
    return next((option.default for option in score.option if option.name == number), 0)


def _line(score: Score, block: Block) -> str:
    name = block.says or block.name.replace("_", " ")
    if block.means:
        return t("{name}: {worth}.", name=name, worth=block.means)
    worth = _worth(score, block)
    only = [words for words in (_condition(score, other, when) for other, when in block.when.items()) if words]
    if only:
        worth = t("{worth}, if {conditions}", worth=worth, conditions=all_of(only))
    return t("{name}: {worth}.", name=name, worth=worth)


def _condition(score: Score, name: str, when: When) -> str:
    """Return the condition of a block or an entry in words, if it has a name for people; else ""."""
    called = _called(score, name)
    if when.equals == 1 and any(entry.name == name and entry.high == 1 for entry in score.entry):
        return called  # "I knock": who types it says yes
    said = (
        (when.equals, t("{name} is {number}", name=called, number=_called(score, when.equals))),
        (when.at_least, t("{name} is at least {number}", name=called, number=_called(score, when.at_least))),
        (when.at_most, t("{name} is at most {number}", name=called, number=_called(score, when.at_most))),
        (when.more_than, t("{name} is more than {number}", name=called, number=_called(score, when.more_than))),
        (when.less_than, t("{name} is less than {number}", name=called, number=_called(score, when.less_than))),
    )
    return all_of(words for there, words in said if there is not None) if called else ""


def _called(score: Score, operand: Points | str | None) -> str:
    """Return what people call a block, an entry, an option or a number; "" if only the file names it."""
    if isinstance(operand, int):
        return f"{operand}"
    words = {entry.name: bare(entry.words) for entry in score.entry}
    words |= {option.name: bare(option.words) for option in score.option}
    words |= {one.name: one.says or (t("tricks taken") if one.op == "tricks" else "") for one in score.score}
    return words.get(operand or "", "")


def _points(count: int) -> str:
    return plural("{count} point", "{count} points", count=count)


def _worth(score: Score, block: Block) -> str:
    if block.gives is not None:
        return _points(_number(score, block.gives))
    times = _number(score, block.times)
    each = _points(times)
    simple = {
        "count": t("{points} for each such card", points=each),
        "pairs": t("{points} for each pair", points=each),
        "whole": t("{points} for each such meld", points=each),
        "subsets": t("{points} for each way to make {number}", points=each, number=block.to),
        "runs": t("{points} for each card of a row of {count} or more", points=each, count=block.least),
        "tricks": t("{points} for each trick", points=each),
        "sweeps": t("{points} for each time that the row is cleared", points=each),
        "last": t("{points} for whoever takes the last trick", points=each),
        "columns": t("what the cards are worth; a column of cards alike counts nothing"),
        "melds": t("what is left beside sets and runs"),
    }
    if block.op in simple:
        return simple[block.op]
    match block.op:
        case "majority":
            for one in score.score:
                if one.name in block.of and isinstance(suit := one.where.get("suit"), str):
                    return t("{points} for whoever has the most {suit}", points=each, suit=word(suit))
            return t("{points} for whoever has the most", points=each)
        case "bid":
            return _bid(score, block)
        case "place":
            return join(", ", [_points(one) for one in block.points])
        case "entered" if times == -1:
            return t("what was typed, taken off")
        case "entered" if times != 1:
            once = any(entry.name in block.of and entry.high == 1 for entry in score.entry)
            return each if once else t("{points} for each", points=each)
        case "carry" if all(_called(score, name) for name in block.of):
            names = all_of(_called(score, name) for name in block.of)
            return t("{points} for every {count} of {names}", points=each, count=block.every, names=names)
    return _other(score, block, times)


def _other(score: Score, block: Block, times: int) -> str:
    names = [_called(score, name) for name in block.of]
    known = bool(names) and all(names)
    words = t("as the table works it out")
    match block.op:
        case "sum" if score.dice is not None:
            words = t("what these dice show together")
        case "sum":
            words = t("what they are worth together")
        case "sets":
            words = t("what those alike are worth together") if block.sum else t("as many as there are alike")
        case "best":
            words = t("what the best of each kind are worth")
        case "group":
            words = t("what those alike that are worth the most come to")
        case "entered":
            words = t("as it was typed")
        case "others" if known:
            words = t("what the others have of {names}", names=all_of(names))
        case "add" if len(names) == 1 and block.of[0] in block.when:
            words = t("as many again")
        case "add" if known and block.minus and _called(score, block.minus):
            words = t("{names} beyond {number}", names=all_of(names), number=_called(score, block.minus))
        case "add" if known and not block.minus:
            words = t("{names} together", names=all_of(names)) if len(names) > 1 else names[0]
    return words if times == 1 else t("{worth}, times {times}", worth=words, times=times)


def _bid(score: Score, block: Block) -> str:
    bonus, each, over, lost, missed = (
        _number(score, number) for number in (block.bonus, block.each, block.over, block.lost, block.missed)
    )
    made = (
        (bonus, t("{points} if it was made", points=_points(bonus))),
        (each, t("{points} for each trick bid, if it was made", points=_points(each))),
        (over, t("{points} for each trick more", points=_points(over))),
        (lost, t("{points} if it was missed", points=_points(lost))),
        (missed, t("{points} for each trick bid, if it was missed", points=_points(missed))),
    )
    return join(", ", [words for n, words in made if n]) or t("as the table works it out")


def _terms(score: Score) -> Iterator[Term]:
    worth = t("what cards are worth")
    for name, table in score.worth.items():
        cards = join(
            ", ", [t("{rank}: {worth}", rank=RANKS.get(rank, rank), worth=worth) for rank, worth in table.items()]
        )
        rest = t("{cards}.", cards=cards) if "other" in table else t("{cards}; all others their rank.", cards=cards)
        yield Term(worth if len(score.worth) == 1 else t("{worth} ({table})", worth=worth, table=name), rest)
    for entry in score.entry:
        if entry.names:
            words = t("Typed on the phone: {names}.", names=join(", ", entry.names))
        else:
            words = t("Typed on the phone: a number from {low} to {high}.", low=entry.low, high=entry.high)
        yield Term(bare(entry.words), words)
    for option in score.option:
        yield Term(bare(option.words), t("{number}, if the host chooses no other number.", number=option.default))
