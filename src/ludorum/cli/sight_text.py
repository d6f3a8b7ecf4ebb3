"""What a person at the table may see, as text: the board or the facts, and what was played and told."""

from __future__ import annotations

import textwrap

from ..arena.table.table import Sight, Step, Table
from ..rules.terms import Term, format_term
from ..show.board import PLAIN, Marked, draw_board, draw_state, last_places
from ..show.grid import Grid, Place
from .card_table import is_card_game, wrapped

NOTHING = "nothing"
HIDDEN = "Hidden information: you see your own moves and what you are told."


def sight_text(table: Table, grid: Grid | None, width: int = 78, marked: Marked = PLAIN) -> str:
    """The whole picture: a state that may be seen, or what the person was told so far."""
    cards = card_picture(table)
    if cards:
        return wrapped(cards, width)
    sight = table.sight()
    if sight.facts is not None:
        return draw_state(sight.facts, grid, sight.before, width, marked)
    lines = []
    if grid is not None and any(grid.places_in(move) for move in table.legal):
        lines += [*draw_board(None, grid, marked), ""]  # a board to point at
    told_so_far = [HIDDEN, *(step_line(table, step) for step in table.steps())]
    return "\n".join([*lines, *(part for line in told_so_far for part in textwrap.wrap(line, width))])


def card_picture(table: Table) -> list[str]:
    """A card table as the person may see it; nothing for games without cards."""
    if not is_card_game(table.game):
        return []
    from ..cards.machine.game import CardState
    from ..cards.show.picture import picture

    state = table.match.state
    assert isinstance(state, CardState)
    viewer = None if table.sees_all or table.role is None else state.game.players.index(table.role)
    return picture(state.position, viewer)


def move_label(table: Table, move: Term) -> str:
    """A move as people read it: cards by their faces."""
    if is_card_game(table.game):
        from ..cards.show.faces import move_text

        return move_text(move)
    return str(move)


def step_line(table: Table, step: Step) -> str:
    """One step in a line: what was played and what the person was told."""
    line = f"{step.number:3d}. {step}"
    if table.is_open or table.role is None:
        return line
    return f"{line}; told: {told(step.percepts)}"


def told(percepts: tuple[Term, ...]) -> str:
    if percepts and percepts[0].name == "event":
        from ..cards.show.faces import events_text, is_event

        if all(map(is_event, percepts)):
            return events_text(percepts) or NOTHING
    return " ".join(map(format_term, percepts)) or NOTHING


def places_of_last_move(sight: Sight, grid: Grid) -> list[Place]:
    """The places to be marked as those of the last step, as far as the person may know them."""
    if sight.last is None:
        return []
    moves = [move for role, move in sight.last.moves if role in sight.last.chosen]
    return last_places(grid, moves, sight.facts, sight.before)
