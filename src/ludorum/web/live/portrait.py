"""What one viewer sees of a match, as plain values: the scene, the choices and the moves in words.

This is the only place of live matches that turns states into something shown; ``ludorum.scene`` decides what
the viewer may see.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...engine.game import Game, State
from ...rules.terms import Term
from ...scene import (
    Asking,
    StepLines,
    ViewerSight,
    Watcher,
    asked,
    choices_of,
    premoves_of,
    scene_of,
    sight_of,
    to_json,
)
from .plan import Json


class Portrayer:
    """Portrays one match for one viewer; None is a spectator."""

    def __init__(self, game: Game, viewer: Term | None, asking: Asking) -> None:
        """``asking``: says in which states of the match roles are asked for moves."""
        self._game = game
        self._asking = asking
        self._viewer = viewer
        self._watcher = Watcher(game, viewer)
        self._lines = StepLines(game, viewer)

    def sight(self, states: Sequence[State]) -> ViewerSight:
        """What the viewer knows in the last of the match's states, as if the match went on."""
        return self._watcher.sight(states)

    def portrait(self, states: Sequence[State], is_over: bool) -> Json:
        """What the viewer sees of the last of the match's states."""
        game, viewer, state = self._game, self._viewer, states[-1]
        sight = self._watcher.sight(states, is_over)
        chooser = viewer if not is_over and not state.is_terminal else None
        if chooser is not None and not self._asking.is_asked(states, chooser):
            chooser = None
        choices = () if chooser is None else choices_of(game, state, chooser, sight)
        return {
            "scene": to_json(scene_of(game, sight)),
            "choices": [to_json(choice) for choice in choices],
            "asked": "" if chooser is None else asked(game, state, chooser),
            "moves": self._moves(states, sight.is_open),
        }

    def at_step(self, states: Sequence[State], is_over: bool, step: int) -> Json:
        """What the viewer may see of one step of the match."""
        sight = sight_of(self._game, states[: step + 1], self._viewer, is_over)
        moves = self._moves(states, is_over or self._game.info.is_open)
        return {
            "step": step,
            "scene": to_json(scene_of(self._game, sight)),
            "moves": [line for line in moves if line["first"] <= step],
        }

    def premoves(self, state: State) -> list[Json]:
        """The moves that the viewer can prepare."""
        if self._viewer is None:
            return []
        return [to_json(choice) for choice in premoves_of(self._game, state, self._viewer)]

    def _moves(self, states: Sequence[State], is_open: bool) -> list[Json]:
        return [
            {"first": line.first, "step": line.step, "words": line.words}
            for line in self._lines.lines(states, is_open)
        ]
