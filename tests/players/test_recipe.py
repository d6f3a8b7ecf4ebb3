"""Recipes: read from data, refused with a reason, chosen by traits."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludorum.players.recipe import RecipeError, own_recipes, parse_recipe, read_recipe
from ludorum.players.traits import Traits

CAREFUL = """
name = "careful"
about = "Proofs first."
[[part]]
use = "alphabeta"
share = 0.2
when = { players = 2, simultaneous = false, branching_at_most = 40 }
[[part]]
use = "mcts"
settings = { exploration = 0.9 }
"""

DUEL = Traits(
    players=2,
    chance=False,
    hidden=False,
    simultaneous=False,
    constant_sum=True,
    branching=7.0,
    length=30.0,
    compiled=True,
)


def test_a_recipe_is_read_as_written() -> None:
    recipe = parse_recipe(CAREFUL)
    assert (recipe.name, recipe.about) == ("careful", "Proofs first.")
    assert [(part.use, part.share) for part in recipe.parts] == [("alphabeta", 0.2), ("mcts", 1.0)]
    assert recipe.parts[1].settings == {"exploration": 0.9}


def test_parts_are_chosen_by_traits() -> None:
    recipe = parse_recipe(CAREFUL)
    assert [part.use for part in recipe.for_game(DUEL)] == ["alphabeta", "mcts"]
    wide = Traits(**{**vars(DUEL), "branching": 41.0})
    assert [part.use for part in recipe.for_game(wide)] == ["mcts"]
    three = Traits(**{**vars(DUEL), "players": 3})
    assert [part.use for part in recipe.for_game(three)] == ["mcts"]


def test_settings_go_to_the_methods_that_know_them() -> None:
    def known(use: str) -> tuple[str, ...]:
        return ("threads",) if use == "mcts" else ()

    changed = parse_recipe(CAREFUL).with_settings({"threads": 2}, known)
    assert changed.parts[0].settings == {}
    assert changed.parts[1].settings == {"exploration": 0.9, "threads": 2}
    missing = "player 'careful' has no setting 'depth'; there are nodes, playouts, ponder, threads"
    with pytest.raises(RecipeError, match=missing):
        parse_recipe(CAREFUL).with_settings({"depth": 2}, known)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = ", "recipe: Invalid value"),
        ('name = "x"', "at least one"),
        ('name = "x"\n[[part]]\nshare = 1', "part 1: 'use' must name a method"),
        ('name = "x"\n[[part]]\nuse = "mcts"\nshare = 2', "part 1: 'share' is a number above 0 and up to 1"),
        ('name = "x"\n[[part]]\nuse = "mcts"\nwhen = { moon = true }', "part 1, when: unknown key 'moon'"),
        (
            'name = "x"\ncolour = 1\n[[part]]\nuse = "mcts"',
            "unknown key 'colour'; there are about, name",
        ),
    ],
)
def test_bad_recipes_are_refused_with_the_reason(text: str, message: str) -> None:
    with pytest.raises(RecipeError, match=message):
        parse_recipe(text)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match=r"none\.toml: No such file"):
        read_recipe(tmp_path / "none.toml")


def test_our_own_recipes_can_be_read() -> None:
    assert {"mcts", "alphabeta", "champion"} <= set(own_recipes())
