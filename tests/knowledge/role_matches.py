"""Random matches as one role experiences them, for all tests of what roles know."""

from collections.abc import Iterator

from ludorum.engine.game import Game, State
from ludorum.knowledge.knower import Knower, Truth
from ludorum.knowledge.listed_knower import goal_values
from ludorum.rules.library import library_sheets
from ludorum.rules.terms import Term


def hidden_games() -> list[str]:
    """The games of the library in which something is hidden."""
    return [sheet.name for sheet in library_sheets() if sheet.language == "gdl2"]


def follow(game: Game, knower: Knower, seed: int) -> Iterator[State]:
    """The states of a random match; before each, the knower is told what its role has done and perceived."""
    seat = game.roles.index(knower.role)
    for state in game.playout(seed):
        if state.joint is not None:
            knower.update(state.joint[seat], state.percepts(knower.role))
        yield state


def assert_sound(knower: Knower, state: State) -> None:
    """What is said to be known is true, and what is true is said to be possible."""
    role = knower.role
    assert knower.known_legal() <= frozenset(state.legal(role)) <= knower.possible_legal()
    assert knower.known_facts() <= state.facts() <= knower.possible_facts()
    assert knower.terminal() is not (Truth.FALSE if state.is_terminal else Truth.TRUE)
    goals = goal_values(state.goal_terms(role))  # a sheet of the corpus writes 00, which is no number
    assert knower.known_goals() <= goals <= knower.possible_goals()


def answers(knower: Knower) -> tuple[object, ...]:
    """Everything that a knower says of the current state."""
    return (
        knower.known_legal(),
        knower.possible_legal(),
        knower.known_facts(),
        knower.possible_facts(),
        knower.terminal(),
        knower.known_goals(),
        knower.possible_goals(),
    )


def same_to(game: Game, role: Term, courses: list[tuple[tuple[Term, ...], ...]]) -> list[State]:
    """The last states of some courses of a match, which must look the same to a role."""
    seat = game.roles.index(role)
    seen, ends = [], []
    for course in courses:
        state, told = game.initial(), []
        for joint in course:
            state = state.play(joint)
            told.append((joint[seat], frozenset(state.percepts(role))))
        seen.append(told)
        ends.append(state)
    assert all(told == seen[0] for told in seen)
    return ends
