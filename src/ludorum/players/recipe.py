"""Recipes: players written down as data.

A recipe is a TOML file: a name, a sentence, and parts in the order in which they are asked. Each part names a
method, when it applies, its share of the time, and the method's settings. ``ponder`` says whether the player
searches while others move; without it, whoever makes the player decides::

    name = "careful"
    about = "Looks for proofs first."
    ponder = false

    [[part]]
    use = "alphabeta"
    share = 0.2
    when = { players = 2, simultaneous = false }

    [[part]]
    use = "mcts"
    settings = { exploration = 0.9 }
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TypeAlias

from ..rules.near_names import suggestion
from .traits import Traits

Setting: TypeAlias = bool | int | float | str

BOUNDS = ("nodes", "playouts")
"""Settings of every recipe: bounds of each of its searches."""
PONDER = "ponder"
"""A setting of every recipe: whether the player searches while others move."""

_CONDITIONS: dict[str, Callable[[Traits, Setting], bool]] = {
    "players": lambda traits, value: traits.players == value,
    "players_at_least": lambda traits, value: traits.players >= float(value),
    "chance": lambda traits, value: traits.chance == value,
    "hidden": lambda traits, value: traits.hidden == value,
    "simultaneous": lambda traits, value: traits.simultaneous == value,
    "constant_sum": lambda traits, value: traits.constant_sum == value,
    "compiled": lambda traits, value: traits.compiled == value,
    "asks": lambda traits, value: traits.asks == value,
    "branching_at_most": lambda traits, value: traits.branching <= float(value),
    "length_at_most": lambda traits, value: traits.length <= float(value),
}


class RecipeError(ValueError):
    """A recipe that cannot be followed, with the place and the possible values there."""


@dataclass(frozen=True)
class RecipePart:
    """A method with its settings, its condition, and its share of the time that is left."""

    use: str
    share: float = 1.0
    when: Mapping[str, Setting] = field(default_factory=dict)
    settings: Mapping[str, Setting] = field(default_factory=dict)

    def applies(self, traits: Traits) -> bool:
        return all(_CONDITIONS[key](traits, value) for key, value in self.when.items())


@dataclass(frozen=True)
class Recipe:
    """A player as data."""

    name: str
    about: str
    parts: tuple[RecipePart, ...]
    ponder: bool | None = None
    """Whether to search while others move; None where that is not said."""

    def for_game(self, traits: Traits) -> tuple[RecipePart, ...]:
        """The parts that apply to such a game."""
        return tuple(part for part in self.parts if part.applies(traits))

    def with_settings(self, settings: Mapping[str, Setting], known: Callable[[str], Iterable[str]]) -> Recipe:
        """The recipe with some settings changed in every part whose method has them.

        ``known`` lists the settings of a method by its name.
        """
        if not settings:
            return self
        names = [tuple(known(part.use)) for part in self.parts]
        every = sorted({*BOUNDS, PONDER, *(name for own in names for name in own)})
        for key in settings:
            if not any(key in own for own in names):
                raise RecipeError(no_setting(f"player {self.name!r}", key, every))
        parts = [
            replace(
                part,
                settings={
                    **part.settings,
                    **{key: value for key, value in settings.items() if key in own},
                },
            )
            for part, own in zip(self.parts, names, strict=True)
        ]
        return replace(self, parts=tuple(parts))

    def with_default(self, key: str, value: Setting, known: Callable[[str], Iterable[str]]) -> Recipe:
        """The recipe with a setting in every part whose method has it and that does not say it itself."""
        parts = [
            replace(part, settings={key: value, **part.settings}) if key in known(part.use) else part
            for part in self.parts
        ]
        return replace(self, parts=tuple(parts))


def no_setting(player: str, key: str, names: Iterable[str]) -> str:
    """The message for a setting that a player does not have, the names it may mean before all others."""
    names = tuple(names)
    near = suggestion(key, names)
    return f"{player} has no setting {key!r}; {near + ' ' if near else ''}there are {', '.join(names)}"


def parse_recipe(text: str, source: str = "recipe") -> Recipe:
    """A recipe from TOML; RecipeError says what is wrong and where."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RecipeError(f"{source}: {error}") from error
    _expect_keys(source, data, {"name", "about", PONDER, "part"})
    parts, ponder = data.get("part"), data.get(PONDER)
    if not isinstance(data.get("name"), str) or not isinstance(parts, list) or not parts:
        raise RecipeError(f"{source}: a recipe needs a name and at least one [[part]]")
    if not isinstance(ponder, bool | None):
        raise RecipeError(f"{source}: {PONDER!r} is true or false, not {ponder!r}")
    return Recipe(
        data["name"],
        str(data.get("about", "")),
        tuple(_part(f"{source}: part {at}", part) for at, part in enumerate(parts, start=1)),
        ponder,
    )


def _part(source: str, data: Mapping[str, object]) -> RecipePart:
    _expect_keys(source, data, {"use", "share", "when", "settings"})
    use, share = data.get("use"), data.get("share", 1.0)
    when, settings = data.get("when", {}), data.get("settings", {})
    if not isinstance(use, str):
        raise RecipeError(f"{source}: 'use' must name a method")
    if not isinstance(share, int | float) or not 0 < share <= 1:
        raise RecipeError(f"{source}: 'share' is a number above 0 and up to 1, not {share!r}")
    if not isinstance(when, dict) or not isinstance(settings, dict):
        raise RecipeError(f"{source}: 'when' and 'settings' are tables")
    _expect_keys(f"{source}, when", when, set(_CONDITIONS))
    return RecipePart(use, float(share), when, settings)


def _expect_keys(source: str, data: Mapping[str, object], known: set[str]) -> None:
    for key in data:
        if key not in known:
            raise RecipeError(f"{source}: unknown key {key!r}; there are {', '.join(sorted(known))}")


def read_recipe(path: Path) -> Recipe:
    """The recipe of a file."""
    try:
        return parse_recipe(path.read_text(encoding="utf-8"), str(path))
    except OSError as error:
        raise RecipeError(f"{path}: {error.strerror}") from error


@cache
def own_recipes() -> Mapping[str, Recipe]:
    """The recipes that come with Ludorum, by name."""
    folder = resources.files(__package__) / "recipes"
    files = sorted(
        (file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name
    )
    recipes = [parse_recipe(file.read_text(encoding="utf-8"), file.name) for file in files]
    return {recipe.name: recipe for recipe in recipes}
