"""What a role is said to know is true, and what is true is never said to be impossible: on every sheet.

Two random matches of some sheets in `make test`; twenty of each sheet of the library and of the corpus in the
full tests; a thousand of each in `make soundness`, which takes a day of one core.
"""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path

import pytest

from ludorum.engine.game import Game
from ludorum.engine.load import load_game
from ludorum.knowledge.complete_knower import CompleteKnower
from tests.corpus_sheets import hidden_sheets, load_hidden
from tests.how_much import FULL, sample
from tests.knowledge.role_matches import assert_sound, follow, hidden_games

MATCHES, STEPS = (20, 300) if FULL else (2, 8)
FIRST_SEEDS = range(0, 1000, MATCHES) if os.environ.get("LUDORUM_THOUSAND") else [0]
"""Where each piece of so many matches begins: a run that was stopped goes on with the next piece."""
CONFLICTS, MOST_LISTED = 200, 1000
"""So few that the limits are met: answers must be sound there as well."""


def assert_sound_matches(game: Game, first_seed: int) -> None:
    """Of all roles in turn; half of the matches are told that a move is wanted."""
    for seed in range(first_seed, first_seed + MATCHES):
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
@pytest.mark.parametrize("first_seed", FIRST_SEEDS)
@pytest.mark.parametrize("name", sample(hidden_games(), 6))
def test_knowledge_of_library_matches_is_sound(name: str, first_seed: int) -> None:
    assert_sound_matches(load_game(name, "compiled"), first_seed)


@pytest.mark.corpus
@pytest.mark.spec("filtering-gdl2", 12)
@pytest.mark.parametrize("first_seed", FIRST_SEEDS)
@pytest.mark.parametrize("name", sample(hidden_sheets(), 12))
def test_knowledge_of_public_matches_is_sound(corpus: Path, name: str, first_seed: int) -> None:
    assert_sound_matches(load_hidden(corpus, name), first_seed)
