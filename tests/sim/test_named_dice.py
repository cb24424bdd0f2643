"""What robots answer to a question about the dice that they threw into the tray."""

from __future__ import annotations

import pytest

from companion.referee.snapshot import Question
from companion.sim.answering import named


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("Do the dice show 2 and 5?", "yes"),
        ("Do the dice show 2 and 6?", "no"),
        ("The dice show 5, and there is one that I can't read: it leans on something. What does it show?", "2"),
        ("The dice show 3, and there is one that I can't read: it leans on something. What does it show?", "no"),
    ],
)
def test_robots_give_the_die_that_was_not_read_and_deny_what_was_read_wrongly(words: str, answer: str) -> None:
    assert named(Question("q", "dice", words, (1,), ()), (2, 5)) == answer
