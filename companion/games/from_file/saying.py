"""What the table does not show, and people type: numbers, a claimed trick, who is out, the round's end."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from companion.games.from_file import flow
from companion.games.from_file.components import Components
from companion.games.from_file.laying import FileAction
from companion.games.from_file.score_file import Entry
from companion.games.from_file.state import State, Trick, entered, playing
from companion.rules.engine import Declared
from companion.rules.kernel import LEGAL, Facts, Seat, Verdict, at, illegal, inconsistent
from companion.text import bare, join, plural, t


class Numbered(FileAction, frozen=True, kw_only=True):
    """Something that is said with a number."""

    what: str
    amount: int

    @classmethod
    def of(cls, components: Components, state: State, seat: Seat, entry: Entry) -> tuple[Numbered, ...]:
        """Return the numbers that a seat may type now."""
        if cls.not_now(components, state, seat):
            return ()
        found = _numbers(cls, seat, entry.name, entry.low, components.most(entry, state.number))
        if entry.uneven:
            return tuple(one for one in found if one.judge(components, state).ok)
        return found if found and found[0].judge(components, state).ok else ()

    def judge(self, components: Components, state: State) -> Verdict:
        """A number that the file allows."""
        entry = components.entries.get(self.what)
        if entry is None or (entry.due == "before") != isinstance(self, Say):
            reason = t("nothing is called {what!r} here", what=self.what)
            return inconsistent("entry", reason, t("Choose what the page offers."))
        high = components.most(entry, state.number)
        if not entry.low <= self.amount <= high:
            reason = t("{amount} is not {low} to {high}", amount=self.amount, low=entry.low, high=high)
            return inconsistent("entry", reason, t("Choose another number."))
        said = [seat for seat, amount in enumerate(state.said(self.what), 1) if amount is not None]
        if entry.alone and said not in ([], [self.seat]):
            reason = t("{seat} has said that in this round: {what}", seat=at(said[0]), what=bare(entry.words))
            return illegal("entry", reason, t("If that was wrong let the host take it back."))
        return LEGAL

    def play(self, components: Components, state: State, facts: Facts) -> State:
        entry = components.entries[self.what]
        before = state.said(self.what)[self.seat - 1]
        amount = (before or 0) + self.amount if entry.adds else self.amount
        tricks, after = components.score.tricks, entered(state, self.what, self.seat, amount)
        if tricks is not None and self.what == tricks.closes and state.now.closed < 0:
            return playing(after, closed=len(state.now.tricks))
        return after

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        entry = components.entries.get(self.what)
        words = entry.words if entry is not None else self.what
        if entry is not None and entry.low == entry.high:
            return t("{seat}: {what}.", seat=at(self.seat), what=words)
        if entry is not None and entry.names:
            return t("{seat}: {what}, {name}.", seat=at(self.seat), what=words, name=named(entry, self.amount))
        return t("{seat}: {what}, {amount}.", seat=at(self.seat), what=words, amount=self.amount)

    def label(self, components: Components, state: State) -> str:
        entry = components.entries.get(self.what)
        return named(entry, self.amount) if entry is not None else f"{self.amount}"


def named(entry: Entry, amount: int) -> str:
    """Return what a number is called: by its name, or as it is."""
    return entry.names[amount - entry.low] if entry.names and amount <= entry.high else f"{amount}"


@lru_cache(maxsize=128)
def _numbers(kind: type[Numbered], seat: Seat, what: str, low: int, high: int) -> tuple[Numbered, ...]:
    """Return the numbers that a seat may type: made once, for they are asked for with every look at the table."""
    return tuple(kind(seat=seat, what=what, amount=n) for n in range(low, high + 1))


class Say(Numbered, frozen=True, tag="say", kw_only=True):
    """Say a number before a card is played, as a bid."""

    declared = Declared(t("Say a number"), "C", "entry", ("say", "shown"))

    @classmethod
    def listed(cls, components: Components, state: State) -> bool:
        return bool(components.before())

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Numbered]:
        speaker = flow.speaker(components, state)
        for entry in components.before() if speaker else ():
            yield from cls.of(components, state, speaker, entry)

    def judge(self, components: Components, state: State) -> Verdict:
        """Numbers are said in turn, each once."""
        wrong = super().judge(components, state)
        speaker = flow.speaker(components, state)
        if not wrong.ok:
            return wrong
        if not speaker:
            return illegal("entry", t("everybody has said a number already"), t("Let the host take it back."))
        if speaker != self.seat or state.said(self.what)[self.seat - 1] is not None:
            reason = t("{seat} is to say a number", seat=at(speaker))
            return illegal("entry", reason, t("Wait for {who}.", who=at(speaker)))
        entry, said = components.entries[self.what], state.said(self.what)
        uneven = state.option(entry.uneven) if isinstance(entry.uneven, str) else entry.uneven
        hand = components.hand(state.number)
        if uneven and said.count(None) == 1 and sum(one or 0 for one in said) + self.amount == hand:
            reason = t("all that was said would come to {hand}, the tricks of this round", hand=hand)
            return illegal("entry", reason, t("Say another number: who says the last one may not make it even."))
        return LEGAL


class Enter(Numbered, frozen=True, tag="enter", kw_only=True):
    """Type a number at any time: points, what was pegged."""

    declared = Declared(t("Type a number"), "C", "entry", unseen=True)

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Numbered]:
        for seat in range(1, state.seats + 1):
            for entry in components.entries.values():
                if entry.due != "before":
                    yield from cls.of(components, state, seat, entry)


class Anybodys(FileAction, frozen=True, kw_only=True):
    """Something that any seat may say for which it is legal."""

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Anybodys]:
        mine = (cls(seat=seat) for seat in range(1, state.seats + 1))
        return [one for one in mine if one.judge(components, state).ok]


class Claim(Anybodys, frozen=True, tag="claim", kw_only=True):
    """The last trick was mine."""

    declared = Declared(t("The last trick was mine"), "C", "tricks", unseen=True)

    @classmethod
    def listed(cls, components: Components, state: State) -> bool:
        return components.score.tricks is not None

    def judge(self, components: Components, state: State) -> Verdict:
        """Whoever took the last trick by the cards, the players know better."""
        if not state.now.tricks:
            return illegal("tricks", t("no trick has been taken yet"), t("Wait for the first one."))
        if state.now.trick:
            return illegal("tricks", t("the next trick has begun"), t("Take the last card back first."))
        if state.now.tricks[-1].winner == self.seat:
            reason = t("it went to {seat} anyway", seat=at(self.seat))
            return illegal("tricks", reason, t("There is nothing to change."))
        return LEGAL

    def play(self, components: Components, state: State, facts: Facts) -> State:
        *before, last = state.now.tricks
        taken = list(state.now.taken)
        taken[last.winner - 1] = tuple(card for card in taken[last.winner - 1] if card not in last.cards)
        taken[self.seat - 1] = (*taken[self.seat - 1], *last.cards)
        tricks = (*before, Trick(self.seat, last.cards))
        return playing(state, tricks=tricks, taken=tuple(taken), turn=self.seat)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t("The last trick goes to {seat}.", seat=at(self.seat))


class Out(Anybodys, frozen=True, tag="out", kw_only=True):
    """I am out."""

    declared = Declared(t("I am out"), "C", "round", unseen=True)

    @classmethod
    def listed(cls, components: Components, state: State) -> bool:
        return components.round.ends == "out"

    def judge(self, components: Components, state: State) -> Verdict:
        """Each seat goes out once; when all but one are, the round is over."""
        if components.round.ends != "out":
            return illegal("round", t("nobody goes out here"), t("Play on."))
        if self.seat in state.now.out:
            return illegal("round", t("{seat} is out already", seat=at(self.seat)), t("Wait for the others."))
        return LEGAL

    def play(self, components: Components, state: State, facts: Facts) -> State:
        out = (*state.now.out, self.seat)
        if len(out) < state.seats - 1:
            return playing(state, out=out)
        last = next(seat for seat in range(1, state.seats + 1) if seat not in out)
        return flow.close(components, playing(state, out=(*out, last)))

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t("{seat} is out.", seat=at(self.seat))


class RoundOver(Anybodys, frozen=True, tag="round-over", kw_only=True):
    """The round is over: what lies there counts."""

    declared = Declared(t("The round is over"), "C", "round", unseen=True)

    @classmethod
    def asks_back(cls, components: Components, state: State, seat: Seat) -> str:
        return t("Tap again: round {number} is over for everybody", number=state.number)

    def judge(self, components: Components, state: State) -> Verdict:
        """A round is added up once what its score needs has been seen, and what was typed can be (C9)."""
        if wrong := flow.unsettled(components, state):
            remedy = t("Put it right, or type points instead, then tap once more.")
            return inconsistent("C9", bare(wrong), remedy)
        return LEGAL

    def play(self, components: Components, state: State, facts: Facts) -> State:
        return flow.close(components, state)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        words = [t("Round {number} is over.", number=state.number), *flow.messages(components, state)]
        after = flow.cleared(components, state)
        if len(after.now.amiss) > len(state.now.amiss):
            words.append(flow.amiss_words(components, after.now.amiss[-1]))
        left = components.left_in_hand(state)
        if left:
            words.append(plural("A card is left in each hand.", "{count} cards are left in each hand.", count=left))
        return join(" ", words)
