"""Whatever stands between a player and a match has every method of a player: none can be forgotten."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest

import ludorum
from ludorum.players import DelegatingPlayer, Guard, Player
from ludorum.players.isolated import IsolatedPlayer

SOURCES = Path(ludorum.__file__).parent
WHOLE = {name for name in vars(Player) if not name.startswith("_")} | {"name"}
"""All that a player has: methods and attributes."""


def classes_around_players() -> Iterator[type]:
    """Every class of ours that is a player and is made of a player."""
    for path in sorted(SOURCES.rglob("*.py")):
        text = path.read_text()
        for node in ast.parse(text).body if "(Player)" in text or "Player(" in text else ():
            if isinstance(node, ast.ClassDef) and is_made_of_players(node):
                module = ".".join(("ludorum", *path.relative_to(SOURCES).with_suffix("").parts))
                found = getattr(importlib.import_module(module.removesuffix(".__init__")), node.name)
                if issubclass(found, Player):
                    yield found


def is_made_of_players(node: ast.ClassDef) -> bool:
    """Whether the constructor takes anything with ``Player`` in its type."""
    for item in node.body:
        if isinstance(item, ast.FunctionDef) and item.name == "__init__":
            types = [one.annotation for one in (*item.args.args, *item.args.kwonlyargs)]
            return any(one is not None and "Player" in ast.unparse(one) for one in types)
    return False


def own_names(wrapper: type) -> set[str]:
    """What a class and its bases have that does not come from ``Player`` itself."""
    bases = [base for base in inspect.getmro(wrapper) if base not in (Player, *inspect.getmro(Player))]
    return {name for base in bases for name in (*vars(base), *vars(base).get("__annotations__", ()))}


WRAPPERS = [*classes_around_players(), Guard, IsolatedPlayer]


@pytest.mark.parametrize("wrapper", WRAPPERS, ids=lambda one: one.__name__)
def test_a_wrapper_hands_on_everything_a_player_has(wrapper: type) -> None:
    assert own_names(wrapper) >= WHOLE


def test_the_walk_finds_wrappers() -> None:
    assert DelegatingPlayer in WRAPPERS
    assert {"name", "quick", "load", "start", "choose", "observe", "hurry", "ended", "stop", "close"} <= WHOLE


def test_a_wrapper_that_forgets_a_method_is_found() -> None:
    class Forgetful(Player):
        def __init__(self, player: Player) -> None:
            self.name = player.name
            self._player = player

    assert WHOLE - own_names(Forgetful) >= {"observe", "hurry", "quick"}
