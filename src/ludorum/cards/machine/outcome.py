"""The outcome of a game, as goal values 0..100."""

from __future__ import annotations

from ..language.terms import Term, as_integer, number, player
from .position import CardPosition


def scores(position: CardPosition) -> tuple[int, ...]:
    """The scores of all players."""
    found = [position.variables[Term("score", (player(index),))] for index in range(position.players)]
    return tuple(as_integer(score) or 0 for score in found)


def team_of(position: CardPosition, index: int) -> Term:
    """Players of one team win together; each player is a team unless the chart says otherwise."""
    return position.variables.get(Term("team", (player(index),)), number(index))


def team_scores(position: CardPosition) -> dict[Term, int]:
    """The sum of the scores of each team."""
    found: dict[Term, int] = {}
    for index, score in enumerate(scores(position)):
        team = team_of(position, index)
        found[team] = found.get(team, 0) + score
    return found


def goals(position: CardPosition) -> tuple[int, ...]:
    """100 for the team with the highest score, 0 for the lowest; 50 all where there is one team, or a draw.

    A game that has come to the limit on decisions is valued as it stands. A team gets the share of the others
    that it leaves behind, those level with it counted half.
    """
    totals = team_scores(position)
    if len(totals) == 1:
        return (50,) * position.players
    values: dict[Term, int] = {}
    for team, total in totals.items():
        others = [other for name, other in totals.items() if name is not team]
        points = sum(2 * (total > other) + (total == other) for other in others)
        values[team] = 100 * points // (2 * len(others))
    return tuple(values[team_of(position, index)] for index in range(position.players))
