"""What a viewer sees of a match, as plain values: the scene, the choices and the moves in words.

This is the only place of live matches that turns states into something shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from ...engine.game import Game, State
from ...rules.terms import Term, format_term, sort_key
from ...scene.model import FactGroup, MoveChoice, Scene
from .plan import Json


class Portrayer:
    """Portrays positions of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def portrait(self, states: Sequence[State], viewer: Term | None, is_over: bool) -> Json:
        """What a viewer sees of the last of a match's states; None is a spectator."""
        choices: list[Json] = []
        if viewer is not None and not is_over and not states[-1].is_terminal:
            legal = states[-1].legal(viewer)
            if len(legal) > 1:
                choices = [asdict(MoveChoice(format_term(move), format_term(move), ())) for move in legal]
        shown = self.at_step(states, viewer, is_over, len(states) - 1)
        return {
            "scene": shown["scene"],
            "choices": choices,
            "asked": "Choose a move." if choices else "",
            "moves": shown["moves"],
        }

    def at_step(self, states: Sequence[State], viewer: Term | None, is_over: bool, step: int) -> Json:
        """What a viewer may see of one step of a match."""
        sees_all = is_over or self.game.info.is_open
        state = states[step]
        facts = state.facts() if sees_all or (step == 0 and viewer is not None) else frozenset()
        told = () if viewer is None or step == 0 else tuple(map(format_term, state.percepts(viewer)))
        scene = Scene(None, None, _groups(facts), told, not sees_all, "")
        moves = (self._words(states[at], at, viewer, sees_all) for at in range(1, step + 1))
        return {"step": step, "scene": asdict(scene), "moves": [one for one in moves if one is not None]}

    def _words(self, state: State, step: int, viewer: Term | None, sees_all: bool) -> Json | None:
        assert state.joint is not None
        shown = [
            f"{format_term(role)} {format_term(move)}"
            for role, move in zip(self.game.roles, state.joint, strict=True)
            if sees_all or role is viewer
        ]
        return {"step": step, "words": ", ".join(shown)} if shown else None


def _groups(facts: frozenset[Term]) -> tuple[FactGroup, ...]:
    """Facts by their relation."""
    groups: dict[str, list[str]] = {}
    for fact in sorted(facts, key=sort_key):
        text = format_term(fact).strip("()")
        name, _, rest = text.partition(" ")
        groups.setdefault(name, []).append(rest or name)
    return tuple(FactGroup(name, tuple(entries)) for name, entries in groups.items())
