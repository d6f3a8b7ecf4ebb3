"""No byte that a role or a spectator receives differs between worlds that it cannot tell apart."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ludorum.engine.game import Game
from ludorum.engine.load import load_game
from ludorum.rules.library import chart_sheets, library_sheets, wdl_sheets
from ludorum.rules.logic_sheets import read_wdl_sheet
from ludorum.rules.terms import Term
from ludorum.scene import Watcher
from ludorum.web.live import arbiter, sights
from ludorum.web.live.record_view import record_of
from ludorum.web.live.view import view_of
from tests.corpus_sheets import hidden_sheets
from tests.how_much import some
from tests.scene.same_to_a_role import random_course, same_to
from tests.web.recorded_match import Director, Performance, Stage, World, first_difference, staged

PLAYERS, PEOPLE = "players", "people"
"""Who has the other seats: players of the server, or people with pages of their own."""
QUICK = [("kuhn_poker", PLAYERS)]
LONG = [
    ("monty_hall", PEOPLE),
    ("leduc_poker", PLAYERS),
    ("number_guessing", PLAYERS),
    ("kings_and_jacks", PEOPLE),
]
ALL = [sheet.name for sheet in library_sheets() if sheet.language == "gdl2"]
ALL += [sheet.name for sheet in chart_sheets()]
ALL += [sheet.name for sheet in wdl_sheets() if read_wdl_sheet(sheet)[0].hides]
SLOW = [case for name in ALL for case in ((name, PLAYERS), (name, PEOPLE)) if case not in QUICK + LONG]
STEPS, CARD_STEPS = 8, 90
"""The length of matches: cards are dealt one by one."""
PAIRS = some(3, 3)
"""Pairs of worlds for each role: the longest, since more was hidden there, and others."""
RESTLESS = 2.5
_numbers = count(1)
"""Matches have the same numbers on both servers."""

Stages = tuple[Stage, Stage]


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stages]:
    director = Director()
    with pytest.MonkeyPatch.context() as patch:
        director.install(patch)
        with (
            staged(tmp_path_factory.mktemp("one"), director) as one,
            staged(tmp_path_factory.mktemp("other"), director) as other,
        ):
            yield one, other


def worlds_of(game: Game, role: Term, chance: Random) -> list[tuple[World, World]]:
    """Pairs of worlds that a role cannot tell apart; in the second, others are slower and restless."""
    course = random_course(game, chance, STEPS if game.rules is not None else CARD_STEPS)
    pairs: list[tuple[World, World]] = []
    for thorough in (False, True):  # where few exchanged cards go unseen, all are tried
        if not pairs:
            found = sorted(same_to(course, role, chance, thorough=thorough), key=lambda pair: -len(pair[0]))
            pairs = [(World(one), World(other, RESTLESS, True)) for one, other in found]
            pairs = [pair for pair in pairs if pair[0].rests]
    return pairs[:1] + chance.sample(pairs[1:], min(len(pairs[1:]), PAIRS - 1))


def difference(stages: Stages, game: str, worlds: tuple[World, World], role: Term, company: str) -> str:
    """Where what is received in two worlds differs first, and by whom; empty where nothing does."""
    number = next(_numbers)
    assert worlds[0].rests == worlds[1].rests, "the match waits for others at other times"
    one, other = (
        Performance(stage, game, number, (world, 2 * number + at), role, company == PEOPLE).play()
        for at, (stage, world) in enumerate(zip(stages, worlds, strict=True))
    )
    for viewer in one:
        if found := first_difference(one[viewer], other[viewer]):
            return f"{viewer} at {game}: {found}"
    return ""


def compare(stages: Stages, game: Game, name: str, company: str) -> int:
    """How many pairs of worlds were compared, which must have been the same."""
    chance, compared = Random(1), 0
    for role in game.info.players:
        for worlds in worlds_of(game, role, chance):
            if found := difference(stages, name, worlds, role, company):
                pytest.fail(found, pytrace=False)
            compared += 1
    return compared


@pytest.mark.parametrize(
    ("name", "company"),
    [
        *QUICK,
        *(pytest.param(*case, marks=pytest.mark.long) for case in LONG),
        *(pytest.param(*case, marks=[pytest.mark.long, pytest.mark.slow]) for case in SLOW),
    ],
)
def test_a_role_and_a_spectator_receive_the_same_in_worlds_they_cannot_tell_apart(
    stages: Stages, name: str, company: str
) -> None:
    assert compare(stages, load_game(name), name, company), "no two worlds look alike to a role"


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.corpus
@pytest.mark.parametrize("name", hidden_sheets())
def test_nor_does_it_in_sheets_that_were_uploaded(stages: Stages, corpus: Path, name: str) -> None:
    text = (corpus / "gdl2" / f"{name}.kif").read_text()
    answers = [stage.person("ann").send("POST", "/games", {"text": text, "title": name}) for stage in stages]
    assert {answer.status_code for answer in answers} <= {201, 422}
    if answers[0].status_code == 201:  # else its rules are faulty, and nobody plays it
        game = load_game(str(corpus / "gdl2" / f"{name}.kif"))
        compare(stages, game, answers[0].json()["id"], PLAYERS)


def _show_all(patch: pytest.MonkeyPatch) -> None:
    sight = Watcher.sight
    patch.setattr(Watcher, "sight", lambda watcher, states, is_over=False: sight(watcher, states, True))


def _tell_faults(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(sights, "view_of", lambda *args, **more: view_of(*args, **more | {"hides": False}))


def _tell_times(patch: pytest.MonkeyPatch) -> None:
    def with_times(match: Any, viewer: Any, about: Any) -> Any:
        return record_of(match, viewer, about) | {"stateTimes": list(about["times"])}

    patch.setattr(arbiter, "record_of", with_times)


@pytest.mark.parametrize(
    ("mistake", "where"),
    [
        (_show_all, '"type":"view"'),
        pytest.param(_tell_faults, '"notes":[{', marks=pytest.mark.long),
        pytest.param(_tell_times, '"stateTimes":[', marks=pytest.mark.long),
    ],
)
def test_the_comparison_can_fail(
    stages: Stages, monkeypatch: pytest.MonkeyPatch, mistake: Any, where: str
) -> None:
    mistake(monkeypatch)
    game = load_game("kuhn_poker")
    role = game.info.players[1]
    found = difference(stages, "kuhn_poker", worlds_of(game, role, Random(1))[0], role, PLAYERS)
    assert where in found
