"""Games for one player in tests: moves by text, the squares of a state's facts."""

from collections.abc import Iterator

from ludorum.engine.game import State, parse_move
from ludorum.rules.terms import Term

Square = tuple[int, int]


def play(state: State, *moves: str) -> State:
    """The state after some moves of the only role."""
    for move in moves:
        state = state.play([parse_move(move)])
    return state


def legal(state: State) -> list[str]:
    return [str(move) for move in state.legal(state.game.roles[0])]


def squares(state: State, name: str) -> frozenset[Square]:
    """The squares of the facts ``(name x y)``."""
    return frozenset((int(str(x)), int(str(y))) for x, y in (fact.args for fact in named(state, name)))


def named(state: State, name: str) -> Iterator[Term]:
    return (fact for fact in state.facts() if fact.name == name)
