"""The methods a recipe may name, and the player that follows a recipe."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any

from ..engine.game import Game
from ..rules.terms import Term
from ..search.budget import Budget
from ..search.decision import Searcher
from ..search.mixed import Mixed, SearchPart
from .following import because
from .recipe import Recipe, RecipeError, RecipePart, Setting
from .searching import SearchPlayer
from .traits import Traits, measure_traits
from .world_methods import WORLD_METHODS, WorldMethod, WorldMethodKind

TRAITS_SHARE = 0.1
"""The share of the preparation that goes into measuring the game's traits."""


@dataclass(frozen=True)
class Method:
    """How to make a searcher, and the dataclass that holds its settings."""

    make: Callable[[Game, Any], Searcher]
    config: type


def _mcts() -> Method:
    from ..search.mcts import Mcts
    from ..search.mcts_config import MctsConfig

    return Method(Mcts, MctsConfig)


def _alphabeta() -> Method:
    from ..search.alphabeta import AlphaBeta
    from ..search.alphabeta_config import AlphaBetaConfig

    return Method(lambda game, config: AlphaBeta(game, config=config), AlphaBetaConfig)


def _exact() -> Method:
    from ..search.exact_searcher import ExactConfig, ExactSearcher

    return Method(ExactSearcher, ExactConfig)


def _features() -> Method:
    from .feature_searcher import FeatureConfig, FeatureSearcher

    return Method(FeatureSearcher, FeatureConfig)


def _goals() -> Method:
    from .goal_searcher import GoalConfig, GoalSearcher

    return Method(GoalSearcher, GoalConfig)


def _logic() -> Method:
    from ..solve.logic_searcher import LogicConfig, LogicSearcher

    return Method(LogicSearcher, LogicConfig)


def _matrices() -> Method:
    from .matrix_searcher import MatrixConfig, MatrixSearcher

    return Method(MatrixSearcher, MatrixConfig)


def _maxn() -> Method:
    from ..search.maxn import MaxN, MaxNConfig

    return Method(lambda game, config: MaxN(game, config=config), MaxNConfig)


def _parts() -> Method:
    from ..solve.parts_searcher import PartsConfig, PartsSearcher

    return Method(PartsSearcher, PartsConfig)


def _plan() -> Method:
    from ..search.single_player import SinglePlayer, SinglePlayerConfig

    return Method(SinglePlayer, SinglePlayerConfig)


def _portfolio() -> Method:
    from ..solve.portfolio_searcher import PortfolioConfig, PortfolioSearcher

    return Method(PortfolioSearcher, PortfolioConfig)


# Imported when needed: a program that only lists players does not load every search.
_METHODS: dict[str, Callable[[], Method]] = {
    "alphabeta": _alphabeta,
    "exact": _exact,
    "features": _features,
    "goals": _goals,
    "logic": _logic,
    "matrices": _matrices,
    "maxn": _maxn,
    "mcts": _mcts,
    "parts": _parts,
    "plan": _plan,
    "portfolio": _portfolio,
}


def find_method(name: str) -> Method | WorldMethodKind:
    """The method of that name: a search of open games, or a method for worlds."""
    if name in WORLD_METHODS:
        return WORLD_METHODS[name]()
    if name not in _METHODS:
        raise RecipeError(f"no method {name!r}; there are {', '.join(sorted({*_METHODS, *WORLD_METHODS}))}")
    return _METHODS[name]()


def setting_names(method: str) -> tuple[str, ...]:
    """The names of a method's settings."""
    return tuple(field.name for field in fields(find_method(method).config))


def make_searcher(part: RecipePart, game: Game, seed: int) -> Searcher:
    """The searcher for a part of a recipe."""
    method = find_method(part.use)
    if isinstance(method, WorldMethodKind):
        raise RecipeError(f"method {part.use!r} plays games that hide something; {game.name} is open")
    return method.make(game, _settled(part, method.config, seed))


def make_world_method(part: RecipePart, game: Game, role: Term, seed: int) -> WorldMethod | None:
    """The method of a part for worlds; None where it is a search of open games."""
    method = find_method(part.use)
    if not isinstance(method, WorldMethodKind):
        return None
    return method.make(game, role, _settled(part, method.config, seed))


def _settled(part: RecipePart, config: type, seed: int) -> object:
    """The settings of a part, with the seed of the player."""
    settings: dict[str, Setting] = dict(part.settings)
    if "seed" in setting_names(part.use):
        settings.setdefault("seed", seed)
    return _configured(part.use, config, settings)


def _configured(name: str, config: type, settings: Mapping[str, Setting]) -> object:
    try:
        return config(**settings)
    except (TypeError, ValueError) as error:
        raise RecipeError(f"method {name!r}: {error}") from error


def recipe_player(
    recipe: Recipe, seed: int = 0, work: Budget | None = None, *, ponder: bool = False
) -> SearchPlayer:
    """The player that follows a recipe; RecipeError at once where it names an unknown method.

    ``ponder``: whether it searches while others move, where the recipe does not say it.
    """
    for part in recipe.parts:
        method = find_method(part.use)
        _configured(part.use, method.config, part.settings)

    def make(game: Game, role: Term, seconds: float) -> Searcher:
        traits = measure_traits(game, None if work is not None else seconds * TRAITS_SHARE, seed)
        parts: list[SearchPart] = []
        failures: list[tuple[str, Exception]] = []
        for part in _open_parts(recipe, traits):
            try:
                parts.append(SearchPart(make_searcher(part, game, seed), part.share))
            except Exception as error:
                failures.append((part.use, error))
        if not parts:
            raise failures[0][1]
        if failures:
            lost, why = failures[0]
            player.fallback = because(f"its other methods, without {lost}", why)
        return Mixed(parts)

    def make_methods(game: Game, role: Term) -> list[WorldMethod]:
        # A look at the rules alone: a sheet that hides something is not played at random first.
        parts = recipe.for_game(replace(measure_traits(game, 0.0, seed), hidden=True))
        found = [make_world_method(part, game, role, seed) for part in parts]
        return [method for method in found if method is not None]

    ponders = ponder if recipe.ponder is None else recipe.ponder
    plain = partial(make_searcher, _plain_part(recipe), seed=seed)
    player = SearchPlayer(recipe.name, make, seed, work, make_methods, ponders=ponders, make_plain=plain)
    return player


def _plain_part(recipe: Recipe) -> RecipePart:
    """Plain search with the threads and the memory of the recipe's own methods."""
    means: dict[str, Setting] = {}
    for part in recipe.parts:
        means.update({key: part.settings[key] for key in ("threads", "memory_bytes") if key in part.settings})
    return RecipePart("mcts", settings=means)


def _open_parts(recipe: Recipe, traits: Traits) -> Sequence[RecipePart]:
    """The parts that search an open state: those that apply, else the last one."""
    searches = [part for part in recipe.parts if part.use not in WORLD_METHODS]
    return [part for part in searches if part.applies(traits)] or searches[-1:] or recipe.parts[-1:]
