"""The names of players: simple ones, recipes, files of recipes and of classes, entry points.

``./mine.py:Mine`` is a class in a Python file (``sources``). A package registers a player as an entry point
of the group ``ludorum.players``: a callable that takes a seed and returns a ``Player``.
``NAME:key=value,...`` changes settings of a recipe; ``playouts`` and ``nodes`` bound each of its searches,
which makes its play repeatable; ``ponder`` says whether it searches while others move, which does not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import EntryPoint, entry_points
from inspect import cleandoc
from pathlib import Path

from ..processes.process_tree import is_possible
from ..rules.near_names import suggestion
from ..search.budget import Budget
from .methods import recipe_player, setting_names
from .player import Player, PlayerError
from .recipe import BOUNDS, PONDER, Recipe, RecipeError, Setting, own_recipes, read_recipe
from .simple import GreedyPlayer, LegalPlayer, RandomPlayer
from .sources import PlayerFile, PlayerSource, find_player_file, is_player_file, make_here

GROUP = "ludorum.players"

STRONGEST = "champion"
"""The default player against people."""


def _legal_knower(seed: int) -> Player:
    from .legal_knower import LegalKnowerPlayer  # imports clingo: only for this player

    return LegalKnowerPlayer(seed)


_SIMPLE: dict[str, Callable[[int], Player]] = {
    "legal": lambda seed: LegalPlayer(),
    "random": RandomPlayer,
    "greedy": GreedyPlayer,
    "legal_knower": _legal_knower,
}


CARD_PLAYERS = ("hyper_heur", "card_greedy", "card_honest", "card_mind")
"""Players of card games from flow charts; their settings are those of their search."""


def player_names() -> list[str]:
    """The names of all players, those of other packages last."""
    own = [*_SIMPLE, *own_recipes(), *CARD_PLAYERS]
    return own + sorted(name for name in _others() if name not in own)


def describe_players() -> dict[str, str]:
    """A sentence about each player that has one."""
    plain = [*_SIMPLE, *CARD_PLAYERS]
    simple = {name: (make_player(name).__doc__ or "").split("\n")[0] for name in plain}
    return simple | {name: recipe.about for name, recipe in own_recipes().items()}


def describe_player(name: str) -> str:
    """The player's description: the docstring of its class, or the sentence of its recipe."""
    base = name.partition(":")[0]
    if base.endswith(".toml"):
        return read_recipe(Path(base)).about
    if base in own_recipes():
        return own_recipes()[base].about
    player = make_player(name)
    try:
        about = getattr(player, "about", None)
        return about if isinstance(about, str) else cleandoc(type(player).__doc__ or "")
    finally:
        player.close()


def split_names(text: str) -> list[str]:
    """Names between commas; settings have commas too: ``mcts:batch=1,nodes=9,random`` names two players.

    >>> split_names("mcts:batch=1,nodes=9,random")
    ['mcts:batch=1,nodes=9', 'random']
    """
    names: list[str] = []
    for part in text.split(","):
        if names and "=" in part and ":" not in part and ":" in names[-1]:
            names[-1] += f",{part}"
        else:
            names.append(part.strip())
    if not all(names):
        raise ValueError(f"players {text!r}: a name is missing between two commas; write A,B")
    return names


def make_player(
    name: str, seed: int = 0, *, threads: int = 1, ponder: bool = False, tree_bytes: int | None = None
) -> Player:
    """The player of that name; ValueError with the known names if it is unknown.

    ``threads``: how many a search may use; ``ponder``: whether it goes on while others move; ``tree_bytes``:
    the memory of its tree. All are for players made of recipes, and what a name or a recipe says itself comes
    first.

    >>> import ludorum
    >>> ludorum.make_player("mcts:playouts=200", seed=1).name
    'mcts'
    """
    if is_player_file(name):
        return _load(find_player_file(name, _settings), seed)
    base, _, options = name.partition(":")
    settings = _settings(name, options)
    if base.endswith(".toml") or base in own_recipes():
        recipe = own_recipes()[base] if base in own_recipes() else read_recipe(Path(base))
        recipe = recipe.with_default("threads", threads, setting_names)
        if tree_bytes is not None:
            recipe = recipe.with_default("memory_bytes", tree_bytes, setting_names)
        return _from_recipe(recipe, seed, settings, ponder)
    if base in CARD_PLAYERS:
        return _card_player(base, seed, settings)
    if base not in _SIMPLE and base not in _others():
        known = player_names()
        listed = f"there are {', '.join(known)}, and files: PATH.py:CLASS, PATH.toml"
        raise ValueError(f"no player {base!r}; {suggestion(base, known) or listed}")
    if settings:
        raise ValueError(f"player {base!r} has no settings; write {base} alone")
    return _SIMPLE[base](seed) if base in _SIMPLE else _load(_others()[base], seed)


def _card_player(name: str, seed: int, settings: dict[str, Setting]) -> Player:
    if name == "card_mind":
        from .card_mind import card_mind

        return card_mind(seed, settings)
    from .card_player import card_player  # imported only where card games are played: it is large

    return card_player(name, seed, settings)


def _others() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def is_foreign(name: str) -> bool:
    """Whether a player is third-party code, which runs in a process of its own."""
    if is_player_file(name):
        return True
    base = name.partition(":")[0]
    ours = base.endswith(".toml") or base in (*_SIMPLE, *own_recipes(), *CARD_PLAYERS)
    return not ours and base in _others()


def _load(source: PlayerSource, seed: int) -> Player:
    try:
        if not is_possible():  # no process trees on this system: the guard must do
            return make_here(source, seed)
        from .isolated import IsolatedPlayer  # imports engines: only where third-party code plays

        return IsolatedPlayer(source, seed)
    except PlayerError as error:  # third-party code: name its package
        whose = "" if isinstance(source, PlayerFile) else f" ({source.value})"
        raise ValueError(f"player {source.name!r}{whose} cannot be made: {error}") from error


def is_counted(name: str) -> bool:
    """Whether a player's work is counted, so that its play can be repeated.

    >>> [is_counted(name) for name in ("mcts:playouts=200", "mcts:threads=2", "champion")]
    [True, False, False]
    """
    return not is_player_file(name) and any(key in BOUNDS for key in _settings(name, name.partition(":")[2]))


def _from_recipe(recipe: Recipe, seed: int, settings: dict[str, Setting], ponder: bool) -> Player:
    playouts, nodes = _whole(settings, "playouts"), _whole(settings, "nodes")
    work = None if playouts is nodes is None else Budget(playouts=playouts, nodes=nodes)
    own = settings.pop(PONDER, recipe.ponder)
    if not isinstance(own, bool | None):
        raise RecipeError(f"{PONDER} is true or false, not {own!r}; write {PONDER}=true")
    recipe = replace(recipe, ponder=own).with_settings(settings, setting_names)
    return recipe_player(recipe, seed, work, ponder=ponder)


def _whole(settings: dict[str, Setting], key: str) -> int | None:
    """Take a bound out of the settings."""
    bound = settings.pop(key, None)
    if bound is not None and type(bound) is not int:
        raise RecipeError(f"{key} is a whole number, not {bound!r}; write {key}=1000")
    return bound


def _settings(name: str, options: str) -> dict[str, Setting]:
    settings = {}
    for option in filter(None, options.split(",")):
        key, equals, value = option.partition("=")
        if not equals:
            raise ValueError(f"{name!r}: settings are written key=value, not {option!r}")
        settings[key.strip()] = _value(value.strip())
    return settings


def _value(text: str) -> Setting:
    if text in ("true", "false"):
        return text == "true"
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            pass
    return text
