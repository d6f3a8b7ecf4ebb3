"""Matches that knowers follow: random play, and the check that what they say of it is true."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice

from ludorum.engine.game import Game, State
from ludorum.engine.load import load_game
from ludorum.knowledge.boxes.box_game import BoxGame
from ludorum.knowledge.boxes.ground_sheet import ground_sheet
from ludorum.knowledge.knower import Knower, Truth
from ludorum.rules.library import library_sheets
from ludorum.rules.ruleset import RANDOM
from ludorum.rules.terms import Term, as_integer

HIDDEN = sorted(sheet.name for sheet in library_sheets() if sheet.language == "gdl2")


@cache
def ready(name: str) -> tuple[Game, BoxGame]:
    """A game of the library or of a path, and the same made ready for boxes."""
    game = load_game(name, lenient="/" in name)
    assert game.rules is not None
    return game, BoxGame(ground_sheet(game.rules, in_process=True))


def players(game: Game) -> list[Term]:
    return [role for role in game.roles if role is not RANDOM]


def followed(knower: Knower, game: Game, seed: int, longest: int = 1000) -> Iterator[State]:
    """The states of a random match; the knower has been told of each when it comes."""
    seat = game.roles.index(knower.role)
    for state in islice(game.playout(seed=seed), longest):
        if state.joint is not None:
            knower.update(state.joint[seat], state.percepts(knower.role))
        yield state


def check_sound(knower: Knower, state: State) -> None:
    """What is known is true, and what is true is possible."""
    role = knower.role
    assert knower.known_legal() <= set(state.legal(role)) <= knower.possible_legal()
    assert knower.known_facts() <= state.facts() <= knower.possible_facts()
    assert knower.terminal() in (Truth.UNKNOWN, Truth.TRUE if state.is_terminal else Truth.FALSE)
    goals = {value for term in state.goal_terms(role) if (value := as_integer(term)) is not None}
    assert knower.known_goals() <= goals <= knower.possible_goals()


def says(knower: Knower) -> tuple[object, ...]:
    """All answers of a knower."""
    return (
        knower.known_facts(),
        knower.possible_facts(),
        knower.known_legal(),
        knower.possible_legal(),
        knower.terminal(),
        knower.known_goals(),
        knower.possible_goals(),
    )


def knows_as_much(more: Knower, less: Knower) -> bool:
    """Whether one knower knows all that the other one does, and calls nothing possible that it does not."""
    return (
        more.known_facts() >= less.known_facts()
        and more.possible_facts() <= less.possible_facts()
        and more.known_legal() >= less.known_legal()
        and more.possible_legal() <= less.possible_legal()
        and more.known_goals() >= less.known_goals()
        and more.possible_goals() <= less.possible_goals()
        and less.terminal() in (Truth.UNKNOWN, more.terminal())
    )
