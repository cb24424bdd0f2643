"""What every game is asked in random states of random matches: the tests, once, and what a game says for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.kernel import AnyEdit, AnyGame, Counts, Lies, Turns
from companion.sim.world import World
from tests.games import always
from tests.games.always import Played, Step


class Examples(NamedTuple):
    """In how many random states (for undo: matches) a game is tried; fewer where one of them takes long."""

    legal: int
    templates: int
    undo: int
    corrections: int
    views: int


class Properties:
    """The tests of a game. Its class fills in what is declared here, and may add tests of its own."""

    game: ClassVar[AnyGame]
    seats: ClassVar[tuple[int, int]]
    examples: ClassVar[Examples]
    whole: ClassVar[Sequence[Any]]
    """The numbers of seats for which whole matches are compared with the hands behind them."""
    seeds: ClassVar[Sequence[int]] = (0,)
    """Numbers to be added to the seed of such a match."""
    stride: ClassVar[int] = 1
    """Every how many-th card is tried in a hole."""
    piles_unseen: ClassVar[bool] = False
    """Whether no card of a hidden pile is ever seen."""

    @staticmethod
    def options(seats: int, seed: int) -> dict[str, int]:
        """Return the options of a random match."""
        return {}

    @staticmethod
    def options_of_whole(seats: int, seed: int, sensible: bool) -> dict[str, int]:
        """Return the options of a match that is compared with its hands."""
        return {}

    @staticmethod
    def due(state: Any) -> str:
        """Say what is due in a state: what is rare is looked at as often as what is common."""
        return str(state.phase)

    @staticmethod
    def known(player: Any) -> frozenset[str]:
        """Return the cards of a player's hand that are known."""
        raise NotImplementedError

    @staticmethod
    def asked(state: Any) -> Iterable[int]:
        """Return the seats whose actions are judged: who is due, who is not, and who is nobody."""
        return (0, *state.seats, 9)

    @staticmethod
    def everything(state: Any, actor: int) -> Iterator[Any]:
        """Yield all ground actions that a seat could name, or all that matter and many that don't."""
        raise NotImplementedError

    @staticmethod
    def edits(state: Any) -> st.SearchStrategy[AnyEdit]:
        """Return corrections, possible and impossible."""
        raise NotImplementedError

    @staticmethod
    def undone(played: Played, data: st.DataObject) -> Iterable[tuple[int, int]]:
        """Yield what is taken back of a match: from which record on, and how many."""
        back, steps = data.draw(st.integers(0, 80)), data.draw(st.integers(1, 40))
        yield max(1, len(played.steps) - back), steps

    def also(self, state: Any) -> None:
        """Check what is true in every state of this game alone."""

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Make a case of every whole match that the game names."""
        if "whole_seats" in metafunc.fixturenames:
            metafunc.parametrize("whole_seats", list(self.whole))
            metafunc.parametrize("more", list(self.seeds))

    @classmethod
    def played(cls) -> st.SearchStrategy[Played]:
        """Return random matches."""
        return always.matches(cls.game, cls.seats, cls.options, cls.due)

    @classmethod
    def in_states(cls, examples: int, check: Callable[[Any, st.DataObject], None]) -> None:
        """Check so many random states."""
        settings(max_examples=examples)(given(always.moments(cls.played()), st.data())(check))()

    def test_a_ground_action_is_legal_if_and_only_if_it_fills_a_template(self) -> None:
        def legal(state: Any, data: st.DataObject) -> None:
            for actor in self.asked(state):
                always.legal_means_filling_a_template(self.game, state, self.everything(state, actor))

        self.in_states(self.examples.legal, legal)

    def test_every_template_can_be_played_with_every_card_of_its_holes(self) -> None:
        def playable(state: Any, data: st.DataObject) -> None:
            always.every_template_can_be_played(self.game, state, self.stride)

        self.in_states(self.examples.templates, playable)

    @pytest.mark.parametrize("sensible", [True, False])
    def test_whole_matches_are_true_to_the_hands_behind_them(self, whole_seats: int, more: int, sensible: bool) -> None:
        seed = 7 * whole_seats + more
        options = self.options_of_whole(whole_seats, seed, sensible)
        played = always.match(self.game, whole_seats, seed, options, sensible)
        always.a_match_is_true_to_its_world(self.game, played, self.known, self.piles_unseen)

    def test_c4_what_undo_recalls_is_true(self) -> None:
        @given(self.played(), st.data())
        @settings(max_examples=self.examples.undo)
        def recalled(played: Played, data: st.DataObject) -> None:
            for at, steps in self.undone(played, data):
                always.what_undo_recalls_is_true(self.game, played, at, steps, self.known)

        recalled()

    def test_c8_a_correction_keeps_every_piece_in_one_place_or_is_refused(self) -> None:
        def corrected(state: Any, data: st.DataObject) -> None:
            edits = tuple(data.draw(st.lists(self.edits(state), max_size=3)))
            always.a_correction_holds_or_is_refused(self.game, state, edits)

        self.in_states(self.examples.corrections, corrected)

    def test_a_view_can_be_made_of_every_state_and_says_what_legal_says(self) -> None:
        def viewed(state: Any, data: st.DataObject) -> None:
            always.views_say_what_legal_says(self.game, state)
            always.silence_and_ends_are_legal(self.game, state)
            assert list(self.game.legal(state)) or not self.game.actors(state), "who is due can always do something"
            self.also(state)

        self.in_states(self.examples.views, viewed)


def edits_of(
    pieces: Sequence[str], zones: Sequence[str], counted: Sequence[str] | None = None
) -> st.SearchStrategy[AnyEdit]:
    """Return corrections of pieces, of counts (at the zones, if nothing else is said) and of turns."""
    return st.one_of(
        st.builds(Lies, st.sampled_from(pieces), st.sampled_from(zones)),
        st.builds(Counts, st.sampled_from(counted or zones), st.integers(-1, 9)),
        st.builds(Turns, st.integers(0, 9)),
    )


def tallied(
    game: AnyGame,
    matches: Iterable[Iterable[tuple[World, Step]]],
    look: Callable[[Any, Any, Any], None] = lambda before, action, after: None,
    rare: frozenset[str] = frozenset(),
) -> Counter[str]:
    """Play matches: nothing is ever lost, and every kind of action happens. Return how often each ending came.

    Kinds that are so `rare` that so few matches may do without them need not happen.
    `look` is called with the state before each action, the action, and the state after.
    """
    endings: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for played in matches:
        for _, (before, action, _, after) in played:
            kinds[str(action.__struct_config__.tag)] += 1
            assert game.audit(after) == ()
            look(before, action, after)
            if after.outcome:
                endings[after.outcome.ending] += 1
    assert {*kinds} | rare == {kind.type for kind in game.info.kinds}
    return endings
