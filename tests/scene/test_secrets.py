"""Nothing of a scene depends on what its viewer may not know."""

from __future__ import annotations

from random import Random

import pytest

from ludorum.engine.game import Game, State
from ludorum.engine.load import load_game
from ludorum.rules.library import library_sheets, wdl_sheets
from ludorum.rules.logic_sheets import read_wdl_sheet
from ludorum.rules.terms import Term
from ludorum.scene import Asking, StepLines, Watcher, asked, choices_of, scene_of
from tests.how_much import some
from tests.scene.same_to_a_role import Course, random_course, same_to

SHEETS = [sheet.name for sheet in library_sheets() if sheet.language == "gdl2"]
LONG_CARD_GAMES = ["casino", "cheat", "crazy_eights", "euchre", "four_colours"]
LONG_CARD_GAMES += ["gin_rummy", "go_fish", "hearts", "old_maid", "one_card_poker"]
WDL_GAMES = [sheet.name for sheet in wdl_sheets() if read_wdl_sheet(sheet)[0].hides]
"""auction, bazaar, black_jack, forecast."""
LONG = [
    "mastermind",
    "battleships_in_fog",
    "blind_breakthrough",
    "blind_breakthrough_6",
    "krieg_tictactoe",
    *WDL_GAMES,
    *LONG_CARD_GAMES,
]
CARD_GAMES = ["trumps", *LONG_CARD_GAMES]
SLOW = ["auction", "blind_breakthrough", "casino", "euchre", "four_colours"]
"""Long ones that hide what others hide as well: moves on a board, cards of a trick or of a suit to match,
dice."""
GAMES = [
    pytest.param(name, marks=[pytest.mark.long] * (name in LONG) + [pytest.mark.slow] * (name in SLOW))
    for name in (*SHEETS, *WDL_GAMES, *CARD_GAMES)
]
LONG_MARK = [pytest.mark.long]
OF_SEVERAL = [one.name for one in library_sheets() if one.language == "gdl2" and (one.info.players or 0) > 1]
TABLES = [*OF_SEVERAL, *WDL_GAMES]
"""Those in which spectators see what no role sees."""
SPECTATED = some(12, 6)
LONGEST, OTHERS = some(3, 2), some(2, 1)
"""Pairs that are compared for each role: the longest, since cards are dealt at first, and some others."""


def seen_by(game: Game, course: Course, role: Term | None, choosing: Term | None = None) -> list[object]:
    """All that a page shows to a viewer."""
    sight = Watcher(game, role).sight(course)
    assert not sight.is_open
    shown: list[object] = [scene_of(game, sight), StepLines(game, role).lines(course, sight.is_open)]
    shown.append(Asking(game).roles(course))  # everybody notices for whom a match waits
    if role is not None:
        shown += [state.view(role) for state in course]
    if choosing is not None:
        state: State = course[-1]
        shown += [choices_of(game, state, choosing, sight), asked(game, state, choosing)]
    return shown


@pytest.mark.parametrize("name", GAMES)
def test_a_role_sees_the_same_in_matches_it_cannot_tell_apart(name: str) -> None:
    game = load_game(name)
    chance = Random(1)
    course = random_course(game, chance, 90 if name in CARD_GAMES else 8)
    compared = 0
    for role in game.info.players:
        pairs = sorted(same_to(course, role, chance), key=lambda pair: -len(pair[0]))
        others = pairs[LONGEST:]
        for true, other in pairs[:LONGEST] + chance.sample(others, min(len(others), OTHERS)):
            assert seen_by(game, true, role, role) == seen_by(game, other, role, role)
            assert seen_by(game, true, None) == seen_by(game, other, None)
            compared += 1
    assert compared, "no two matches were found that look alike to a role"


@pytest.mark.parametrize("name", [pytest.param(name, marks=LONG_MARK * (name in LONG)) for name in TABLES])
def test_a_spectator_sees_the_same_in_matches_in_which_the_same_is_public(name: str) -> None:
    game = load_game(name)
    chance = Random(1)
    pairs = list(same_to(random_course(game, chance, 8), None, chance))
    pairs = sorted(pairs, key=lambda pair: -len(pair[0]))[:SPECTATED]
    for true, other in pairs:
        assert seen_by(game, true, None) == seen_by(game, other, None)
    assert pairs, "no two matches were found in which the same is public"


@pytest.mark.parametrize("name", [pytest.param(name, marks=LONG_MARK * (name in LONG)) for name in TABLES])
def test_every_role_knows_what_a_spectator_is_shown_and_all_of_it_is_true(name: str) -> None:
    game = load_game(name)
    course = random_course(game, Random(2), 8)
    watching = {role: Watcher(game, role) for role in (*game.info.players, None)}
    for step in range(1, len(course) + 1):
        facts = {role: watcher.sight(course[:step]).facts for role, watcher in watching.items()}
        public = facts.pop(None)
        assert public is not None
        assert public <= course[step - 1].facts()
        assert all(known is not None and public <= known for known in facts.values())


@pytest.mark.parametrize("name", ["trumps", "kuhn_poker", "small_dominion"])
def test_the_comparison_can_fail(name: str) -> None:
    game = load_game(name)
    chance = Random(1)
    course = random_course(game, chance, 90 if name in CARD_GAMES else 8)
    role = game.info.players[0]
    pair = max(same_to(course, role, chance), key=lambda pair: len(pair[0]))
    one, other = (scene_of(game, Watcher(game, role).sight(each, is_over=True)) for each in pair)
    assert one != other
