"""``ludorum explain --goals`` and ``--criteria``: values from goals, for people and for programs."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import typer

from ..asp.ground import GroundingError
from ..engine.game import Game
from ..evaluate.goals.evaluation import GoalEvaluation
from ..evaluate.goals.explanation import ExplainedValue, explain_value
from ..evaluate.goals.network_picture import draw_network
from ..evaluate.goals.refinement import Refinement
from ..evaluate.goals.versions import VERSIONS, GoalValue
from ..players.goal_stages import find_more
from ..rules.terms import format_term
from ..search.budget import Budget, Stopwatch
from ..solve.goal_criteria import CriteriaConfig, CriterionReport, report_criteria

MOST_LINES = 40
"""The most parts that are printed; all are in the JSON."""
LEGEND = """
now     what the part counts for: from -1, false for ever, to +1, true for ever
points  how much higher the value of a role would be if it counted for +1 instead of -1;
        0 where it cannot change or matter any more, - where only the end of play depends on it
line    of the rule sheet"""


@dataclass(frozen=True)
class GoalFindings:
    """The findings of ``ludorum explain --goals``."""

    game: Game
    version: str
    explained: ExplainedValue

    def as_json(self) -> dict[str, object]:
        found = self.explained
        return {
            "game": self.game.name,
            "version": self.version,
            "terminality": found.terminality,
            "roles": {
                format_term(role): {
                    "value": value,
                    "goals": {str(goal): output for goal, output in found.outputs[role].items()},
                }
                for role, value in found.values.items()
            },
            "beside": list(_beside(found.evaluation.refinement)),
            "parts": [part.as_json() for part in found.parts],
            "neurons": list(self._neurons()),
        }

    def _neurons(self) -> Iterator[dict[str, object]]:
        """The network: parts come first, leaves by their place among ``parts``."""
        network = self.explained.evaluation.network
        places = {part.leaf: place for place, part in enumerate(self.explained.parts)}
        for number, neuron in network.neurons.items():
            node = network.theory.nodes[number]
            yield {
                "number": number,
                "kind": node.kind.value,
                "weight": neuron.weight,
                "bias": neuron.bias,
                "output": self.explained.nodes[number],
                "parts": [
                    {
                        "negated": bool(edge & 1),
                        **(
                            {"neuron": edge >> 1}
                            if edge >> 1 in network.neurons
                            else {"part": places[network.theory.leaves[edge >> 1]]}
                        ),
                    }
                    for edge in node.parts
                ],
            }

    def print(self) -> None:
        found = self.explained
        neurons = len(found.evaluation.network.neurons)
        typer.echo(f"{self.game.name}: values from goals, version {self.version}")
        typer.echo(
            f"{_counted(len(found.parts), 'part')} looked at, {_counted(neurons, 'neuron')}; "
            f"the end of play is {found.terminality:.0%} near"
        )
        for role, value in found.values.items():
            near = ", ".join(f"goal {goal} {output:+.3f}" for goal, output in found.outputs[role].items())
            typer.echo(f"{format_term(role)}: worth {value:.2f} here{'; ' if near else ''}{near}")
        for text in _beside(found.evaluation.refinement):
            typer.echo(text)
        self._print_parts()
        typer.echo(LEGEND)

    def _print_parts(self) -> None:
        roles = tuple(self.explained.values)
        names = "".join(f"{format_term(role)[:10]:>12}" for role in roles)
        typer.echo(f"\n{'line':>6}{'now':>8}{names}  part; points by role")
        parts = self.explained.parts
        for part in parts[:MOST_LINES]:
            line = str(part.line) if part.line else ""
            worth = "".join(f"{_points(part.worth.get(role)):>12}" for role in roles)
            typer.echo(f"{line:>6}{part.value:>+8.3f}{worth}  {part.words}")
        if len(parts) > MOST_LINES:
            typer.echo(f"and {len(parts) - MOST_LINES} more that are worth less; --json has all of them")


@dataclass(frozen=True)
class CriteriaFindings:
    """The findings of ``ludorum explain --criteria``."""

    game: Game
    version: str
    reports: Sequence[CriterionReport]

    def as_json(self) -> dict[str, object]:
        return {
            "game": self.game.name,
            "version": self.version,
            "criteria": [each.as_json() for each in self.reports],
        }

    def print(self) -> None:
        typer.echo(f"{self.game.name}: criteria of values from goals, version {self.version}")
        for each in self.reports:
            head = f"  {each.name:<14} {each.verdict.value:<10} "
            typer.echo(textwrap.fill(each.text, 100, initial_indent=head, subsequent_indent=" " * len(head)))


def criteria_of(game: Game, version: str, seconds: float) -> Sequence[CriterionReport]:
    """What the values of a version keep, with what is found out late in so many seconds."""
    return report_criteria(
        game, lambda game: made_value(game, version, seconds), CriteriaConfig(seconds=seconds)
    )


def _counted(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def _points(worth: float | None) -> str:
    if worth is None:
        return "-"
    if not worth:
        return "0"
    return f"{worth:+.3f}" if abs(worth) >= 0.001 else f"{worth:+.1e}"


def _beside(refinement: Refinement | None) -> Iterator[str]:
    """What a value depends on beside the goals, in words."""
    if refinement is None:
        return
    if refinement.has_goals:
        yield "the goal value that holds already counts for half of a value"
    if refinement.usual_moves is not None:
        yield f"of equal values the one with more moves is higher ({refinement.usual_moves} are usual)"
    if refinement.pieces:
        worth = [worth for own in refinement.pieces.values() for worth in own.values()]
        told = " to ".join(dict.fromkeys(f"{one:.1f}" for one in (min(worth), max(worth))))
        yield f"and that with more pieces (each worth {told} moves)"


def explain_goals(
    game: Game, version: str, state: str | None, picture: Path | None, seconds: float
) -> GoalFindings:
    """What the evaluation says of a state, or of the first one; drawn into a file where one is named."""
    assert game.rules is not None
    evaluation = made_value(game, version, seconds)
    if not isinstance(evaluation, GoalEvaluation):
        raise ValueError(f"version {version!r} has no network; name another one by --made-of")
    here = game.initial() if state is None else game.parse_state(state)
    explained = explain_value(evaluation, game.rules, here)
    if picture is not None:
        drawn = draw_network(explained, f"{game.name}: values from goals")
        picture.write_text(drawn, encoding="utf-8")
    return GoalFindings(game, version, explained)


def made_value(game: Game, version: str, seconds: float) -> GoalValue:
    """The evaluation of a version, with what is found out in so many seconds."""
    if version not in VERSIONS:
        raise ValueError(f"no version {version!r}; there are {', '.join(VERSIONS)}")
    made = VERSIONS[version].make(game)
    if isinstance(made, GoalEvaluation):
        try:
            find_more(game, made, VERSIONS[version], Stopwatch(Budget(seconds=seconds)))
        except GroundingError as error:
            typer.echo(f"note: what lasts and how far things are is left out: {error}", err=True)
    return made
