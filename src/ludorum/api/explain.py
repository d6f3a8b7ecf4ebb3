"""The evaluation function learned for a game: features, their values and their weights."""

from __future__ import annotations

from dataclasses import dataclass

from ..engine.errors import GameError
from ..engine.game import State
from ..rules.terms import format_term
from ..show.markup import listing, markup, report
from .games import GameLike, compiled_game


@dataclass(frozen=True)
class ExplainedFeature:
    """One feature of a state."""

    text: str
    """What it measures, in words."""
    value: float
    """Its value in the state."""
    weights: dict[str, float | None]
    """By role: how many points it adds; None where it is part of a table."""


@dataclass(frozen=True)
class Explanation:
    """How the value of a state is computed."""

    game: str
    values: dict[str, float]
    """By role: the expected goal value in the state."""
    features: tuple[ExplainedFeature, ...]

    def __repr__(self) -> str:
        values = ", ".join(f"{role} {value:.1f}" for role, value in self.values.items())
        return f"<{self.game}: {values}, by {len(self.features)} features>"

    def _repr_html_(self) -> str:
        """The features as a table."""
        rows = [
            (each.text, f"{each.value:.3f}", *(_weight(each.weights[role]) for role in self.values))
            for each in self.features
        ]
        values = [(f"value for {role}", f"{value:.1f}") for role, value in self.values.items()]
        return markup(report(self.game, values, listing(("feature", "here", *self.values), rows)))


def explain_game(
    game: GameLike, *, state: State | str | None = None, games: int = 200, seed: int = 0
) -> Explanation:
    """The features that the rules of a game suggest, with weights learned from so many random games.

    >>> import ludorum
    >>> found = ludorum.explain_game("tictactoe", games=20)
    >>> list(found.values), len(found.features) > 0
    (['xplayer', 'oplayer'], True)
    """
    from ..evaluate import Features, LearnConfig, examples_from, learn, play_games

    played = compiled_game(game)
    if played.rules is None:
        raise GameError(f"{played.name} is a flow chart: features need rules in logic")
    features = Features(played)
    config = LearnConfig(games=games, seed=seed)
    examples = examples_from(features, play_games(features, config), config.states_a_game)
    heuristic = learn(features, examples, seed=seed)
    own = features.game
    here = own.parse_state(state) if isinstance(state, str) else own.initial() if state is None else state
    roles = {format_term(role): role for role in heuristic.combinations}
    return Explanation(
        played.name,
        {name: heuristic(here, role) for name, role in roles.items()},
        tuple(
            ExplainedFeature(
                feature.text,
                float(value),
                {name: heuristic.weight(feature, role) for name, role in roles.items()},
            )
            for feature, value in zip(features.all, features.values(here), strict=True)
        ),
    )


def _weight(weight: float | None) -> str:
    return "table" if weight is None else f"{weight:+.1f}"
