"""What a role is said to know is true, and what is true is never said to be impossible: on every sheet.

A thousand random matches of each sheet of the library and of the corpus in the full tests.
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from ludorum.engine.game import Game
from ludorum.engine.load import load_game
from ludorum.knowledge.complete_knower import CompleteKnower
from tests.corpus_sheets import hidden_sheets, load_hidden
from tests.how_much import FULL, sample
from tests.knowledge.role_matches import assert_sound, follow, hidden_games

MATCHES, STEPS = (1000, 300) if FULL else (2, 8)
CONFLICTS, MOST_LISTED = 200, 1000
"""So few that the limits are met: answers must be sound there as well."""


def assert_sound_matches(game: Game) -> None:
    """Of all roles in turn; half of the matches are told that a move is wanted."""
    for seed in range(MATCHES):
        role = game.info.players[seed % len(game.info.players)]
        knower = CompleteKnower(game, role, conflicts=CONFLICTS, most_listed=MOST_LISTED)
        for state in islice(follow(game, knower, seed), STEPS):
            assert_sound(knower, state)
            if seed % 4 > 1 and not state.is_terminal:
                knower.asked()
                assert_sound(knower, state)
        if state.is_terminal:
            knower.stop()
            assert_sound(knower, state)


@pytest.mark.spec("filtering-gdl2", 12)
@pytest.mark.parametrize("name", sample(hidden_games(), 6))
def test_knowledge_of_library_matches_is_sound(name: str) -> None:
    assert_sound_matches(load_game(name, "compiled"))


@pytest.mark.corpus
@pytest.mark.spec("filtering-gdl2", 12)
@pytest.mark.parametrize("name", sample(hidden_sheets(), 12))
def test_knowledge_of_public_matches_is_sound(corpus: Path, name: str) -> None:
    assert_sound_matches(load_hidden(corpus, name))
