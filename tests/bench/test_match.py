import pytest

from companion import games
from companion.bench import match
from companion.referee.history import History

GAME = games.load("five-cards-collector")


def test_a_long_match_is_one_that_the_rules_accept() -> None:
    header, records = match.long_match(GAME, 3, 300)
    history = History(GAME, GAME.setup(3, {}, GAME.setup_type(**header.setup)))
    for record in records:
        history.append(record)
    assert history.count == 300
    assert GAME.actors(history.state)
    assert GAME.audit(history.state) == ()


@pytest.mark.night
def test_every_card_laid_is_seen_shown_and_kept_in_this_order() -> None:
    section = match.measure(seats=2, laid=2, matches=1, records=40, resumes=1)
    rows = {row.what: row for row in section.rows}
    assert list(rows) == [
        "a card laid: in the eye's view",
        "a card laid: no hand over it",
        "a card laid: shown, provisionally",
        "a card laid: in the journal",
        "eye and referee: a frame of a match",
        "referee, through table views",
        "explain(): what happened?",
        "resume of a match of 40 records",
    ]
    laid = [
        rows[f"a card laid: {what}"].figures for what in ("in the eye's view", "shown, provisionally", "in the journal")
    ]
    assert all(figures["count"] == 2 for figures in laid)
    frames = [figures["p50_frames"] for figures in laid]
    assert 1 <= frames[0] <= frames[1] <= frames[2]
    assert rows["a card laid: shown, provisionally"].budget is not None
    assert rows["resume of a match of 40 records"].budget is not None
    for row in section.rows:
        assert all(value is not None and value > 0 for value in row.figures.values()), row
