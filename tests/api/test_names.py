"""What ``import ludorum`` offers: a few names, each with its docstring and example, loaded when used."""

import doctest
import inspect
import subprocess
import sys
from typing import get_type_hints

import pytest

import ludorum

NAMES = [
    "Game", "State", "__version__", "check_rules", "explain_game", "find_plan", "list_games", "list_players",
    "load_game", "make_player", "play_match", "play_tournament", "playouts", "prove_game", "repair_rules",
    "solve_game",
]  # fmt: skip
FUNCTIONS = [name for name in NAMES if name[0].islower()]


def test_tab_shows_these_names_and_no_others() -> None:
    assert dir(ludorum) == NAMES
    assert ludorum.__all__ == NAMES


def test_every_name_is_there() -> None:
    for name in NAMES:
        assert getattr(ludorum, name) is getattr(ludorum, name)


def test_another_name_is_refused() -> None:
    with pytest.raises(AttributeError, match="module 'ludorum' has no attribute 'solver'"):
        ludorum.solver  # noqa: B018


@pytest.mark.long
def test_names_survive_the_packages_of_the_house() -> None:
    """No name is that of a package, which an import would put in its place."""
    code = "import ludorum.arena.tournament, ludorum.solve.values.solve_game, ludorum.cards, ludorum.players;"
    code += "print([callable(getattr(ludorum, name)) for name in ludorum.__all__].count(False))"
    assert _said(code) == "1"  # the version


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_has_an_example_and_types(name: str) -> None:
    function = getattr(ludorum, name)
    examples = doctest.DocTestFinder().find(function, name, globs={})[0].examples
    assert len(examples) >= 2
    assert examples[0].source == "import ludorum\n"
    parameters = inspect.signature(function).parameters
    annotations = inspect.get_annotations(function)
    assert set(annotations) == {*parameters, "return"}


def test_a_plain_import_loads_nothing_heavy() -> None:
    loaded = _said("import sys, ludorum; print(*sorted(name for name in sys.modules))").split()
    own = [name for name in loaded if name.split(".")[0] == "ludorum"]
    assert own == ["ludorum"]
    assert not {"numpy", "clingo", "lark", "typer", "rich", "sqlalchemy"} & set(loaded)


def test_loading_a_game_leaves_players_and_solvers_alone() -> None:
    loaded = _said("import sys, ludorum; ludorum.load_game('nim'); print(*sys.modules)").split()
    assert not [
        name for name in loaded if name.startswith(("ludorum.players", "ludorum.solve", "ludorum.arena"))
    ]


@pytest.mark.long
def test_matches_that_are_not_stored_leave_the_database_alone() -> None:
    code = "import sys, ludorum.arena.tournament, ludorum.arena.protocol.hosting; print(*sys.modules)"
    assert "sqlalchemy" not in _said(code).split()


def test_types_of_the_package_can_be_read() -> None:
    assert get_type_hints(ludorum.engine.game.State.ascii)["return"] is str  # type: ignore[attr-defined]


def _said(code: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()
