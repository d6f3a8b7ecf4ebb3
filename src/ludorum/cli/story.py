"""The events of a match, in lines for the person at the table.

Steps in which the person neither chose nor was told anything (deals to others, hidden turns of others, forced
moves) have no line; repetitions are left out.
"""

from __future__ import annotations

from ..arena.table.table import Step, Table
from ..engine.game import is_nature
from ..scene.card_games import is_card_game
from ..scene.move_words import MoveWords
from ..scene.step_words import card_step_words, percept_words

MOST_STEPS = 400
"""Steps that are searched for lines; a deal of cards alone takes 52."""


def story(table: Table, words: MoveWords, most: int) -> list[str]:
    """The last lines, oldest first."""
    found: list[str] = []
    length = len(table.match.moves)
    for at in range(length - 1, max(-1, length - 1 - MOST_STEPS), -1):
        line = step_text(table, words, at)
        if line and (not found or found[-1] != line):
            found.append(line)
        if len(found) >= most:
            break
    return found[::-1]


def step_text(table: Table, words: MoveWords, at: int, width: int = 0) -> str:
    """One step as the person may know it; empty where there is none. ``width`` is the number's."""
    step = table.step(at)
    if step is None:
        return ""
    if is_card_game(table.game):
        return _card_step(table, at)
    parts = _moves(table, words, step, at)
    if step.percepts and not table.sees_all:
        parts.append("told: " + ", ".join(percept_words(table.game, one) for one in step.percepts))
    return f"{step.number:{width}d}. {'; '.join(parts)}" if parts else ""


def _moves(table: Table, words: MoveWords, step: Step, at: int) -> list[str]:
    seen = table.sees_all
    facts = table.match.states[at].facts() if seen else None
    parts = []
    for role, move in step.moves:
        if role not in step.chosen:
            continue
        who = "by chance:" if is_nature(role) else "you:" if role is table.role and not seen else str(role)
        parts.append(f"{who} {words.label(move, facts)}")
    return parts


def _card_step(table: Table, at: int) -> str:
    game = table.game
    before, state = table.match.states[at : at + 2]
    return card_step_words(before, state, None if table.role is None else game.info.players.index(table.role))
