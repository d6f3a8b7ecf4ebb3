"""Soundness on the library: what is known is true, and what is true is possible."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludorum.engine.load import load_game
from ludorum.knowledge.boxes.box_knower import BoxKnower
from ludorum.knowledge.boxes.make_box_knower import make_box_knower
from tests.corpus_location import corpus_folder
from tests.how_much import sample, some
from tests.knowledge.boxes.followed import HIDDEN, check_sound, followed, knows_as_much, players, ready

LEVELS = range(6)
CASES = [(name, level) for level in LEVELS for name in HIDDEN]
# A step that is no divisor of the number of sheets: every level and every sheet is among the quick cases.
EVERY = 7
FOLDER = corpus_folder()
PUBLISHED = sorted((FOLDER / "gdl2").glob("*.kif")) if FOLDER else []


@pytest.mark.spec("filtering-gdl2", 12)
@pytest.mark.parametrize(("name", "level"), sample(CASES, EVERY))
def test_what_is_known_is_true_and_what_is_true_is_possible(name: str, level: int) -> None:
    game, box = ready(name)
    for role in players(game):
        knower = BoxKnower(box, role, level)
        for seed in range(some(30, 30)):
            knower.restart()
            for state in followed(knower, game, seed, longest=some(100, 8)):
                check_sound(knower, state)
                assert not knower.worlds.known & knower.worlds.open


@pytest.mark.slow
@pytest.mark.corpus
@pytest.mark.spec("filtering-gdl2", 12)
@pytest.mark.parametrize("path", PUBLISHED, ids=lambda path: path.stem)
def test_what_is_known_of_published_games_is_true(path: Path) -> None:
    game = load_game(str(path), lenient=True)
    for role in players(game):
        knower = make_box_knower(game, role)
        for state in followed(knower, game, seed=1, longest=12):
            check_sound(knower, state)


@pytest.mark.spec("filtering-gdl2", 14)
@pytest.mark.parametrize("name", sample(HIDDEN, 4))
def test_percepts_without_absences_teach_less(name: str) -> None:
    game, box = ready(name)
    role = players(game)[0]
    full, reduced = BoxKnower(box, role), BoxKnower(box, role, nonpercepts=False)
    for seed in range(some(10, 10)):
        full.restart()
        reduced.restart()
        pairs = zip(followed(full, game, seed, 20), followed(reduced, game, seed, 20), strict=True)
        for state, _ in pairs:
            check_sound(reduced, state)
            assert knows_as_much(full, reduced)
