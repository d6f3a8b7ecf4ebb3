"""What a person at the table may see, as text: the board or the facts, and what was played and told."""

from __future__ import annotations

import textwrap

from ..arena.table.person_knowledge import PersonFacts
from ..arena.table.table import Sight, Table
from ..engine.game import Game
from ..rules.terms import Term, format_term, sort_key
from ..scene.card_games import is_card_game
from ..scene.fact_groups import fact_words, telling_facts
from ..scene.move_words import MoveWords
from ..show.board import PLAIN, Marked, draw_board, draw_state, last_places
from ..show.grid import Grid, Place
from .card_table import wrapped
from .story import story

NOTHING = "nothing"
HIDDEN = "Hidden information: you see your own moves and what you are told."
CERTAIN = "Some of this game is hidden: you see what you know for certain."
MOST_POSSIBLE = 12
"""Possible facts that are named; more are counted."""


def sight_text(
    table: Table, grid: Grid | None, words: MoveWords, width: int = 78, marked: Marked = PLAIN
) -> str:
    """The whole picture: a state that may be seen, or what the person knows and was told so far."""
    cards = card_picture(table)
    if cards:
        return wrapped(cards, width)
    sight = table.sight()
    if sight.facts is not None:
        facts = (
            sight.facts if table.role is None else telling_facts(table.game, sight.facts)
        )  # spectators see all
        return draw_state(facts, grid, sight.before, width, marked)
    facts_known = table.known_facts()
    if facts_known is not None:
        certain = telling_facts(table.game, facts_known.known)
        known = draw_state(certain, grid, None, width, marked, unknown=True)
        note = textwrap.wrap(hidden_note(table.game, facts_known), width)
        return "\n".join(filter(None, (known, *note)))
    lines = []
    if grid is not None and any(grid.places_in(move) for move in table.legal):
        lines += [*draw_board(None, grid, marked), ""]  # a board to point at
    told_so_far = [HIDDEN, *story(table, words, 100)]
    return "\n".join([*lines, *(part for line in told_so_far for part in textwrap.wrap(line, width))])


def hidden_note(game: Game, facts: PersonFacts) -> str:
    """What the picture of a game shows that hides something, and what may be true beside it."""
    possible = sorted(telling_facts(game, facts.uncertain), key=sort_key)
    if not possible:
        return CERTAIN
    if len(possible) > MOST_POSSIBLE:
        return f"{CERTAIN} {len(possible)} more facts are possible."
    return f"{CERTAIN} Possible: {', '.join(map(fact_words, possible))}."


def card_picture(table: Table) -> list[str]:
    """A card table as the person may see it; empty for games without cards."""
    if not is_card_game(table.game):
        return []
    from ..cards.machine.game import CardState
    from ..cards.show.faces import face
    from ..cards.show.picture import named_suits, picture
    from ..scene.card_words import trick_of

    state = table.match.state
    assert isinstance(state, CardState)
    viewer = None if table.sees_all or table.role is None else state.game.players.index(table.role)
    lines = picture(state.position, viewer, with_variables=False)
    trick = trick_of(table.match.states, viewer)
    if trick.plays and trick.is_taken:
        lines.append("last trick  " + ", ".join(f"player{at} {face(card)}" for at, card in trick.plays))
    return [*lines, *(f"{name} {value}" for name, value in named_suits(state.position))]


def question_of(table: Table) -> str:
    """The question that a chart asks the person now; empty for games without cards."""
    if not is_card_game(table.game):
        return ""
    from ..cards.machine.game import CardState
    from ..scene.card_words import prompt_of

    assert isinstance(table.match.state, CardState)
    return prompt_of(table.match.state, table.legal)


def told(percepts: tuple[Term, ...]) -> str:
    """What a role was told, as a record shows it."""
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
