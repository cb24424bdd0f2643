"""Any card game, from a file: what is played, seen and counted stands in `score.toml`, without rules in Python.

`score_file` is the file's form, `checking` whether it fits a deck and a mat, `scoring` what a round is worth
(`counting` and `melds` are its operators). `flow` says how a match goes on; people's actions are `laying` (the table
shows it), `saying` (it is typed) and `rolling` (dice). `views` says what can be seen, `corrections` keeps a match true.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from companion.games.from_file import corrections, flow, guide, laying, rolling, saying, views
from companion.games.from_file.checking import Place as Place
from companion.games.from_file.checking import Places
from companion.games.from_file.components import Components
from companion.games.from_file.score_file import ScoreError as ScoreError
from companion.games.from_file.state import PHASES, Playing, Setup, State, playing
from companion.rules.cards import Deck, Piece
from companion.rules.engine import RuleBased, actions_in, tag_of, union_of
from companion.rules.kernel import (
    LEGAL,
    Action,
    Event,
    Facts,
    Found,
    Info,
    May,
    Option,
    Options,
    RuleError,
    Seat,
    Timing,
    View,
)
from companion.rules.layout import Preparing, Zone
from companion.rules.wording import so_many_players
from companion.text import t

FAMILY = "from-file"
"""The entry point under which robots and looks of all games made from files are found."""


class FromFile(RuleBased[Components, State]):
    """A game made from a score file, a deck and the zones of a mat."""

    kinds = actions_in(laying, saying, rolling)
    legal_order = kinds
    phases = PHASES
    heaps = frozenset(("lying", "entered"))
    waiting = t("While you wait: look at the score, or type what the camera can't see.")
    action_type = union_of(kinds)
    counts_rounds = True
    setup_type = Setup

    def __init__(self, deck: Deck, text: str, places: Places) -> None:
        """Read the score file; ScoreError, with every problem, if it does not fit the deck and the mat."""
        components = Components(deck, text, places)
        super().__init__(deck, components, views, corrections)
        self._anywhere = tuple(
            kind for kind in self.kinds if not kind.declared.phases and not issubclass(kind, saying.Enter)
        )
        score = components.score
        options = tuple(Option(one.name, one.words, one.default, one.low, one.high, "option") for one in score.option)
        most = Option(flow.ROUNDS, t("Rounds; 0: as the game ends"), 0, 0, 99, "match")
        self.info = Info(
            name=deck.game,
            title=score.title,
            code=deck.code,
            seats=score.players.seats,
            options=(*options, most),
            kinds=self.declared(),
            rulebook=f"{deck.game}.md",
            words=score.words,
            preparing=_preparing(components),
            lays=components.laid,
            guide=guide.guide(components),
            timing=Timing() if score.clock is None else Timing(score.clock.kind, score.clock.seconds),
            family=FAMILY,
            ranking=score.ranking,
        )

    def setup(self, seats: int, options: Options, facts: Setup) -> State:
        """Begin the first round; RuleError if the number of seats, an option or who begins does not fit."""
        low, high = self.info.seats
        if not low <= seats <= high:
            reason = t("{so_many_players} can't play this", so_many_players=so_many_players(seats))
            raise RuleError.illegal("players", reason, t("Choose {low} to {high}.", low=low, high=high))
        known = {option.name: option for option in self.info.options}
        for name, value in options.items():
            if name not in known:
                reason = t("there is no option {name!r}", name=name)
                raise RuleError.illegal("option", reason, t("There are {names}.", names=", ".join(known)))
            least, most = known[name].low, known[name].high
            if not least <= value <= most:
                reason = t("{name} is {low} to {high}, not {value}", name=name, low=least, high=most, value=value)
                raise RuleError.illegal("option", reason, t("Choose another number."))
        if not 1 <= facts.first <= seats:
            reason = t("there is no seat {seat} to begin", seat=facts.first)
            raise RuleError.inconsistent("C3", reason, t("Choose 1 to {seats}.", seats=seats))
        chosen = tuple((name, options.get(name, option.default)) for name, option in known.items())
        dealer = facts.first if self.components.round.first == "dealer" else (facts.first - 2) % seats + 1
        return flow.begin(self.components, State(seats, chosen, dealer, Playing(facts.first)))

    def phase(self, state: State) -> str:
        return flow.phase(self.components, state)

    def settle(self, state: State) -> State:
        """End the match as soon as somebody has the points, where the file says so."""
        return flow.reached_at_once(self.components, state)

    def meaning(self, state: State, action: Action) -> object:
        """Return the round that an action is about, and the trick of a claim."""
        return state.number, len(state.now.tricks) if isinstance(action, saying.Claim) else 0

    def turn(self, state: State) -> Seat:
        return state.now.turn

    def actors(self, state: State) -> tuple[Seat, ...]:
        return flow.actors(self.components, state)

    def legal(self, state: State) -> list[Action]:
        """Return the legal templates; what people lay as they like is not among them (`freely`)."""
        if state.outcome is not None:
            return []
        return [*self._deeds(state), *saying.Enter.options(self.components, state)]

    def _deeds(self, state: State) -> list[Action]:
        found = super().legal(state)
        for kind in self._anywhere:
            found += kind.options(self.components, state)
        return found

    def events(self, before: State, action: Action, facts: Facts, after: State) -> tuple[Event, ...]:
        """Return events with who took a trick, and who is out; a card of a trick is seen when the trick is whole."""
        found = super().events(before, action, facts, after)
        if isinstance(action, laying.Lay) and self.components.score.tricks is not None:
            return ()
        if isinstance(action, laying.Gather):
            cards, seat = tuple(card for _, card in before.now.trick), flow.winner(self.components, before)
            return (Event(kind="won", words=self.describe(before, action), seat=seat, cards=cards), *found)
        if isinstance(action, saying.Out):
            return (Event(kind="out", words=self.describe(before, action), seat=action.seat), *found)
        return found

    def freely(self, state: State, came: tuple[Found, ...], gone: tuple[Found, ...]) -> Iterable[Action]:
        return () if state.outcome is not None else laying.freely(self.components, state, came, gone)

    def counting(self, state: State) -> Mapping[Zone, tuple[Piece, ...]]:
        """Return what lies where blocks of the score count cards: in the middle, and of each seat."""
        if state.outcome is not None:
            return {}
        lying, found = flow.table(self.components, state).cards, {}
        for base in self.components.counted:
            own = self.components.places[base].own if base in self.components.places else base == "taken"
            for zone in [f"{base}.{seat}" for seat in range(1, state.seats + 1)] if own else [base]:
                found[zone] = tuple(piece for piece in lying.get(zone, ()) if piece)
        return found

    def due(self, state: State) -> str:
        return views.due(self.components, state)

    def canonical(self, state: State) -> object:
        """Return what a state is: cards that lie as people like are in no order, and what is empty is left out."""
        loose = [base for base in self.components.free if self.components.places[base].kind != "slots"]
        lying = tuple(
            (zone, tuple(sorted(cards)) if zone.partition(".")[0] in loose else cards)
            for zone, cards in state.now.lying
            if any(cards)
        )
        entered = tuple((name, said) for name, said in state.now.entered if any(value is not None for value in said))
        return super().canonical(playing(state, lying=lying, entered=entered))

    def coach(self, state: State, seat: Seat) -> str:
        return "" if state.outcome is not None else self.components.score.coach

    def view(self, state: State, seat: Seat) -> View:
        view = views.view(self.components, state, seat)
        if not seat:
            return view
        deeds = [] if state.outcome is not None else self._deeds(state)
        may = [
            replace(may, aside=not kind.declared.phases)
            for kind in self.kinds
            if kind.listed(self.components, state) and not issubclass(kind, saying.Numbered)
            for may in self._offered(state, seat, kind, deeds)
        ]
        call = self.call(state, seat) if seat in self.actors(state) else ""
        may = sorted((*self._numbers(state, seat), *may), key=lambda one: one.aside)
        return replace(view, may=tuple(may), coach=self.coach(state, seat), call=call)

    def _numbers(self, state: State, seat: Seat) -> Iterable[May]:
        for entry in self.components.entries.values():
            kind = saying.Say if entry.due == "before" else saying.Enter
            actions = kind.of(self.components, state, seat, entry)
            verdict = LEGAL if actions else self.judge(state, kind(seat=seat, what=entry.name, amount=entry.low))
            labels = tuple(saying.named(entry, one.amount) for one in actions) if len(actions) > 1 else ("",)
            aside = kind is saying.Enter
            yield May(f"{tag_of(kind)}-{entry.name}", entry.words, verdict, actions, labels, aside=aside)


def _preparing(components: Components) -> tuple[Preparing, ...]:
    score, found = components.score, [Preparing(t("Shuffle the cards; the companion names who deals."))]
    if score.dice is not None:
        return (Preparing(t("Take {count} dice, or let the companion roll.", count=score.dice.count)),)
    hand = components.round.hand
    if isinstance(hand, int):
        found.append(Preparing(t("Deal {count} cards to everybody.", count=hand)))
    elif hand is not None:
        found.append(Preparing(t("Deal {count} cards to everybody in the first round.", count=hand[0])))
    if score.tricks is not None and score.tricks.shown:
        found.append(Preparing(t("Turn a card up for trumps."), (score.tricks.shown,)))
    if score.row is not None and score.row.dealt:
        found.append(Preparing(t("Lay {count} cards in the row.", count=score.row.dealt), (score.row.zone,)))
    return tuple(found)
