"""Playthroughs: a match in plain text, showing every answer of the engine, for people and for comparison.

The text is a pure function of the rules, the seed and the number of steps, so a test regenerates it and
compares it line for line; a reader of a change sees at once what it did to the game.
"""

from __future__ import annotations

from .._core import SplitMix64
from ..rules.terms import Term, format_term
from .game import Game, State, format_facts

SHOWN_MOVES = 12
"""Moves listed for a role before the rest is only counted."""


def playthrough(game: Game, seed: int = 0, steps: int = 40) -> str:
    """A seeded random match of at most ``steps`` joint moves as text."""
    roles = " ".join(map(format_term, game.roles))
    lines = [f"game: {game.name}", f"seed: {seed}", f"steps: {steps}", f"roles: {roles}"]
    chooser = SplitMix64(seed)
    state = game.initial()
    for step in range(steps + 1):
        lines += ["", f"# state {step}", *_describe(state)]
        if state.is_terminal or step == steps:
            break
        joint = tuple(legal[chooser.below(len(legal))] for legal in map(state.legal, game.roles))
        lines.append(f"play: {' '.join(map(format_term, joint))}")
        state = state.play(joint)
    return "\n".join(lines) + "\n"


def _describe(state: State) -> list[str]:
    game = state.game
    lines = [f"facts: {format_facts(state.facts())}"]
    for role in game.roles:
        if state.joint is not None and not game.info.is_open:
            lines.append(f"sees {role}: {format_facts(state.percepts(role))}")
    lines.append(f"terminal: {str(state.is_terminal).lower()}")
    for role in game.roles:
        lines.append(f"goal {role}: {_goal(state, role)}")
    if not state.is_terminal:
        lines += [f"legal {role}: {_moves(state.legal(role))}" for role in game.roles]
    return lines


def _goal(state: State, role: Term) -> str:
    return " ".join(map(format_term, state.goal_terms(role))) or "none"


def _moves(moves: tuple[Term, ...]) -> str:
    shown = " ".join(map(format_term, moves[:SHOWN_MOVES]))
    rest = f" ... ({len(moves)} in all)" if len(moves) > SHOWN_MOVES else ""
    return f"[{len(moves)}] {shown}{rest}" if not rest else f"{shown}{rest}"
