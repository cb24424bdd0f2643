"""Collectible: sending to auction, discarding, revealing and the winner. One test a rule, named by it."""

from __future__ import annotations

import pytest

from companion.games.collectible.auctions import Open
from companion.games.collectible.characters import PlayCharacter, Roll
from companion.games.collectible.collecting import Draw
from companion.games.collectible.revealing import Pass, Reveal, Show
from companion.games.collectible.sending import Discard, Send, TakeBack
from companion.games.collectible.state import Agreed, Setup, State, Under
from companion.rules.kernel import RuleError
from companion.rules.layout import Loose
from tests.games.collectible.situations import (
    ART,
    COMPONENTS,
    GAME,
    character,
    dice,
    judge,
    laid_open,
    play,
    refused,
    showing,
    situation,
    sizes,
)

A, B, C, D, E, F = ART[:6]
HATS = showing("Hat", 99)[-5:]


def sending(**more: object) -> State:
    return situation(step="send", **more)  # type: ignore[arg-type]


# -------------------------------------------------------------------------------------------------- send to auction


def test_you_may_move_cards_between_your_gallery_and_your_auction() -> None:
    state = play(sending(auction={1: (A,)}), Send(seat=1, card=B), TakeBack(seat=1, card=A))
    assert state.players[0].auction == {B}
    assert state.players[0].gallery.known == {A}
    assert sizes(state) == [4, 4, 4]


def test_only_your_own_cards_on_your_turn() -> None:
    state = sending(auction={2: (A,)})
    assert "it is not in the auction of @1" not in refused(state, TakeBack(seat=1, card=A))
    assert judge(state, TakeBack(seat=1, card=A)).kind == "inconsistent"
    assert "it is the turn of @1" in refused(state, TakeBack(seat=2, card=A))


def test_a5_moving_is_voluntary() -> None:
    assert play(sending(), Pass(seat=1)).turn == 2


def test_a5_a_gallery_may_hold_more_than_five_until_its_owners_own_next_send() -> None:
    state = sending(unknown=(5, 7, 4))
    assert judge(state, Pass(seat=1)).ok, "the seven cards of another seat don't matter"
    state = play(state, Pass(seat=1), Draw(seat=2))
    assert refused(state, Pass(seat=2)) == "A5: @2 has 8 cards in the gallery, and 5 are the limit"


def test_you_can_have_up_to_five_in_your_gallery_and_up_to_five_in_your_auction() -> None:
    state = sending(unknown=(5, 4, 4), auction={1: (A, B, C, D, E)})
    assert judge(state, Pass(seat=1)).ok
    state = play(state, Send(seat=1, card=F))
    assert refused(state, Pass(seat=1)) == "A5: @1 has 6 cards in the auction, and 5 are the limit"
    assert GAME.view(state, 1).call == "Auction 6, limit 5: move or discard some"
    state = play(state, Discard(seat=1, card=A))
    assert state.discard == (A,)
    assert judge(state, Pass(seat=1)).ok


def test_a5_only_cards_above_five_are_discarded() -> None:
    state = sending(unknown=(5, 4, 4), auction={1: (A,)})
    assert refused(state, Discard(seat=1, card=B)) == (
        "Send to auction: the gallery of @1 has 5 cards, and only those above 5 are discarded"
    )
    assert "the auction of @1 has 1 cards" in refused(state, Discard(seat=1, card=A))


def test_a5_the_owner_chooses_which_cards_are_discarded() -> None:
    state = sending(unknown=(5, 4, 4), known={1: (A,)})
    assert judge(state, Discard(seat=1, card=A)).ok
    assert judge(state, Discard(seat=1, card=B)).ok


def test_a_discarded_character_is_rolled_under_instead_the_eighth_card_down() -> None:
    """ "If you roll eight, you put the card face-down under the top eight cards in the talent pile"."""
    critic = character("look")
    state = play(sending(unknown=(5, 4, 4), known={1: (critic,)}), Discard(seat=1, card=critic))
    assert state.discard == ()
    assert "is not done yet" in refused(state, Pass(seat=1))
    state = play(state, (Roll(seat=1), dice(3, 5)))
    assert state.under == (Under(critic, 8),)
    assert state.discard == ()
    assert state.step == "reveal", "five are left, so Send is done"
    for _ in range(8):
        assert critic not in state.unseen
        state = play(state, Pass(seat=state.turn), Draw(seat=state.turn % 3 + 1)) if not state.deck else draws(state)
    assert state.under == (Under(critic, 0),)
    assert critic in draws(state).unseen, "the ninth card drawn is the character; whose it is nobody is told"


def draws(state: State) -> State:
    """Return a state in which the top card has gone to the gallery of seat 1."""
    from companion.games.collectible.talent_pile import draw

    after = draw(state, 1, 1)
    assert GAME.audit(after) == ()
    return after


def test_a6_under_the_top_n_cards_at_the_bottom_if_fewer() -> None:
    critic = character("look")
    state = sending(unknown=(5, 8, 8), known={1: (critic,)}, deck=3)
    state = play(state, Discard(seat=1, card=critic), (Roll(seat=1), dice(6, 6)))
    assert state.under == (Under(critic, 3),)
    assert state.deck == 4


def test_a6_a_character_put_above_another_makes_that_one_deeper() -> None:
    critic, lawyer = character("look"), character("close")
    state = sending(unknown=(5, 4, 4), known={1: (critic,)}, under=(Under(lawyer, 5), Under(character("coins"), 9)))
    state = play(state, Discard(seat=1, card=critic), (Roll(seat=1), dice(1, 4)))
    assert [(tucked.piece, tucked.depth) for tucked in state.under] == [
        (critic, 5),
        (lawyer, 6),
        (character("coins"), 10),
    ]


def test_c9_dice_that_can_not_be_are_refused() -> None:
    critic = character("look")
    state = play(sending(unknown=(5, 4, 4), known={1: (critic,)}), Discard(seat=1, card=critic))
    for values in ((3,), (3, 7), (0, 3), (1, 2, 3), ()):
        with pytest.raises(RuleError, match="the dice show") as caught:
            GAME.play(state, Roll(seat=1), (dice(*values),))
        assert (caught.value.verdict.kind, caught.value.verdict.rule) == ("inconsistent", "C9")
    with pytest.raises(RuleError, match="have not been rolled"):
        GAME.play(state, Roll(seat=1))


# -------------------------------------------------------------------------------------------------- reveal or pass


def test_if_you_do_not_reveal_the_turn_passes_to_the_left() -> None:
    assert play(sending(), Pass(seat=1)).turn == 2
    assert play(sending(turn=3), Pass(seat=3)).turn == 1


def test_revealing_takes_five_cards() -> None:
    assert "revealing takes 5 cards, and the gallery of @1 has 4" in refused(sending(), Reveal(seat=1))


def test_if_five_cards_share_a_theme_you_may_reveal_and_the_game_is_over() -> None:
    state = play(sending(unknown=(5, 0, 0)), (Reveal(seat=1), laid_open(1, *HATS)))
    assert state.outcome is not None
    assert state.outcome.winners == (1,)
    assert state.outcome.ending == "revealed"
    points = sum(COMPONENTS.value[piece] for piece in HATS)
    assert state.outcome.words == f"@1 wins with {points} points for 5 Hat cards."


def test_a8_a_sixth_card_won_out_of_turn_does_not_spoil_it() -> None:
    other = next(piece for piece in ART if "Hat" not in COMPONENTS.themes[piece])
    state = situation(unknown=(6, 0, 0), step="reveal")
    assert play(state, (Reveal(seat=1), laid_open(1, *HATS, other))).outcome is not None


def test_a8_a_reveal_without_a_common_theme_is_taken_back_and_the_cards_stay_known() -> None:
    some = [*HATS[:4], character("coins")]
    state = play(sending(unknown=(5, 4, 4)), (Reveal(seat=1), laid_open(1, *some)))
    assert state.outcome is None
    assert state.players[0].gallery.known == set(some)
    assert GAME.layout(state).zones["reveal.1"] == Loose()
    assert refused(state, Reveal(seat=1)) == "A8: no 5 cards in the gallery of @1 share a theme"
    assert judge(state, Pass(seat=1)).ok
    assert "last step" in refused(state, Send(seat=1, card=HATS[0]))


def test_c9_a_reveal_that_no_gallery_allows_is_inconsistent() -> None:
    state = sending(unknown=(4, 4, 4), known={1: (character("coins"),)})
    assert judge(state, Reveal(seat=1)).kind == "inconsistent"


def test_the_gallery_laid_open_has_to_be_the_whole_gallery() -> None:
    state = sending(unknown=(5, 0, 0), discard=(A,))
    for cards, says in [(HATS[:4], "has 5 cards, and 4 are laid open"), ((*HATS[:4], A), "been discarded")]:
        with pytest.raises(RuleError, match=says):
            GAME.play(state, Reveal(seat=1), (laid_open(1, *cards),))


# ------------------------------------------------------------------------------------------------------- the winner


def shown(state: State, **galleries: tuple[str, ...]) -> State:
    """Lay galleries open: `s2=(…)` for seat 2."""
    return play(
        state, *((Show(player=int(name[1:])), laid_open(int(name[1:]), *cards)) for name, cards in galleries.items())
    )


def test_each_player_reveals_their_gallery_in_any_order() -> None:
    state = play(sending(unknown=(5, 2, 3)), (Reveal(seat=1), laid_open(1, *HATS)))
    assert GAME.actors(state) == (0,)
    assert "laid open for scoring" in refused(state, Pass(seat=1))
    skeletons = showing("Skeleton", 5)
    state = shown(state, s3=skeletons[:3], s2=skeletons[3:])
    assert state.outcome is not None


def test_fifty_points_for_three_hats_against_forty_for_four_animals() -> None:
    """ "Four 'Animal' cards that total 40 points, and three 'Hat' cards that total 50": the score is 50."""
    gallery = ("00A", "00B", "00C", "005", "01I", "01T")
    animals = [piece for piece in gallery if "Animal" in COMPONENTS.themes[piece]]
    hats = [piece for piece in gallery if "Hat" in COMPONENTS.themes[piece]]
    assert (len(animals), sum(COMPONENTS.value[piece] for piece in animals)) == (4, 40)
    assert (len(hats), sum(COMPONENTS.value[piece] for piece in hats)) == (3, 50)
    best = COMPONENTS.best(gallery)
    assert (best.theme, best.score, set(best.pieces)) == ("Hat", 50, set(hats))


def test_someone_with_fewer_matching_cards_may_still_win() -> None:
    cheap = sorted(COMPONENTS.showing["Animal"], key=lambda piece: COMPONENTS.value[piece])[:5]
    dear = sorted(COMPONENTS.showing["Skeleton"] - set(cheap), key=lambda piece: -COMPONENTS.value[piece])[:4]
    state = play(sending(unknown=(5, 4, 0)), (Reveal(seat=1), laid_open(1, *cheap)))
    state = shown(state, s2=tuple(dear))
    assert state.outcome is not None
    assert state.outcome.winners == (2,)


def test_a5_a_scored_collection_has_at_most_five_cards_the_best() -> None:
    seven = showing("Animal", 7)
    best = COMPONENTS.best(seven)
    assert best.score >= sum(sorted((COMPONENTS.value[piece] for piece in seven), reverse=True)[:5])
    assert len(best.pieces) <= 5


def test_characters_can_not_be_in_a_collection() -> None:
    best = COMPONENTS.best((character("coins"), character("look"), A))
    assert best.pieces == (A,)
    assert COMPONENTS.best((character("coins"),)).score == 0


def test_a_card_is_worth_the_sum_of_its_themes() -> None:
    for piece, themes in COMPONENTS.themes.items():
        assert COMPONENTS.value[piece] == sum(COMPONENTS.points[theme] for theme in themes)


def ranked(*ranks: tuple[int, int, int]) -> tuple[int, ...]:
    """Return who wins with these (points, cards, coins): galleries are found that have them."""
    from companion.games.collectible.components import Collection
    from companion.games.collectible.scoring import scored

    class Fixed:
        def __init__(self) -> None:
            self.found = iter(Collection("Hat", ("",) * count, points) for points, count, _ in ranks)

        def best(self, pieces: object) -> Collection:
            return next(self.found)

    state = situation(len(ranks), coins=tuple(coins for _, _, coins in ranks), step="show")
    outcome = scored(Fixed(), state).outcome  # type: ignore[arg-type]
    assert outcome is not None
    return outcome.winners


def test_a8_ties_go_to_more_cards_then_more_coins_then_they_are_shared() -> None:
    assert ranked((50, 3, 9), (40, 4, 9)) == (1,)
    assert ranked((50, 3, 30), (50, 4, 1)) == (2,)
    assert ranked((50, 3, 8), (50, 3, 9)) == (2,)
    assert ranked((50, 3, 9), (50, 3, 9), (40, 5, 20)) == (1, 2)


def test_a8_by_option_galleries_are_scored_after_so_many_rounds() -> None:
    state = situation(2, unknown=(0, 1), step="send", agreed=Agreed(20, 5, 0, 2), turns=2)
    state = play(state, Pass(seat=1))
    assert state.phase == "collect"
    state = play(state, Draw(seat=2), Pass(seat=2))
    assert state.phase == "show"
    assert "after a reveal" in refused(state, PlayCharacter(seat=2, card=character("coins")))
    state = shown(state, s2=(A, B))
    assert state.outcome is not None
    assert (state.outcome.ending, state.outcome.winners) == ("rounds", (2,))
    assert GAME.setup(3, {}, Setup()).agreed.rounds == 0


def test_after_the_match_everything_is_refused_with_its_outcome() -> None:
    state = play(sending(unknown=(5, 0, 0)), (Reveal(seat=1), laid_open(1, *HATS)))
    for action in (Draw(seat=2), Pass(seat=1), Open(seat=2, card=A), Show(player=2), Roll(seat=1)):
        assert "the match is over: @1 wins" in refused(state, action)
    assert GAME.legal(state) == []


# ------------------------------------------------------------------------------------------------- pages of a seat


@pytest.mark.parametrize(
    ("state", "weights"),
    [
        (situation(unknown=(4, 4, 4), step="send"), {"send": "", "reveal": None, "pass": ""}),
        (situation(unknown=(6, 4, 4), step="send"), {"send": "strong", "discard": "", "reveal": "weak", "pass": None}),
        (
            situation(unknown=(6, 4, 4), auction={1: tuple(ART[:1])}, step="send"),
            {"send": "strong", "take-back": "weak", "discard": "", "reveal": "weak"},
        ),
        (
            situation(unknown=(3, 4, 4), auction={1: tuple(ART[:6])}, step="send"),
            {"send": "weak", "take-back": "strong", "discard": ""},
        ),
        (
            situation(unknown=(6, 4, 4), auction={1: tuple(ART[:5])}, step="send"),
            {"send": "weak", "take-back": "weak", "discard": "strong"},
        ),
        (situation(unknown=(6, 4, 4), step="discarding"), {"send": None, "discard": "strong", "reveal": "weak"}),
        (
            situation(unknown=(0, 4, 4), known={1: showing("Hat", 5)}, step="send"),
            {"reveal": "strong", "send": "", "pass": ""},
        ),
    ],
)
def test_what_is_needed_stands_out_and_revealing_only_where_five_are_known_to_share_a_theme(
    state: State, weights: dict[str, str | None]
) -> None:
    may = {may.name: may.weight if may.verdict.ok else None for may in GAME.view(state, 1).may}
    assert {name: may[name] for name in weights} == weights


def test_revealing_is_asked_back_and_a_hand_bears_it_out() -> None:
    state = situation(unknown=(6, 4, 4), step="send")
    may = next(may for may in GAME.view(state, 1).may if may.name == "reveal")
    assert "If 5 of them share a theme the match ends" in may.sure
    assert GAME.bears_out(state, Reveal(seat=1), frozenset(showing("Hat", 5)))
    assert not GAME.bears_out(state, Reveal(seat=1), frozenset(showing("Hat", 4)))
