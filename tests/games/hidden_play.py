"""Games of hidden information in tests: steps by name, what roles see, worlds a role cannot tell apart."""

from collections.abc import Iterator

from ludorum._core import SplitMix64
from ludorum.engine.game import Game, JointMove, State, parse_move
from ludorum.rules.terms import Term

View = tuple[tuple[Term, tuple[Term, ...]], ...]
"""A role's history: its own move and its percepts of every step."""


def step(state: State, **moves: str) -> State:
    """The state after a step in which the named roles move so and all others make their only move."""
    joint: list[Term] = []
    for role in state.game.roles:
        if str(role) in moves:
            joint.append(parse_move(moves.pop(str(role))))
        else:
            (only,) = state.legal(role)
            joint.append(only)
    assert not moves, f"no such roles: {moves}"
    return state.play(joint)


def seen(state: State, role: str) -> list[str]:
    """What a role was told on the way here."""
    return [str(percept) for percept in state.percepts(state.game.role(role))]


def legal(state: State, role: str) -> list[str]:
    return [str(move) for move in state.legal(state.game.role(role))]


def goals(state: State) -> dict[str, int | None]:
    return {str(role): state.goal(role) for role in state.game.roles}


def facts(state: State, name: str) -> list[str]:
    """The facts of one functor, sorted."""
    return [str(fact) for fact in sorted(state.facts()) if fact.name == name]


def all_plays(state: State) -> Iterator[list[State]]:
    """Every way to play on to the end; equal states reached in two ways count twice."""
    if state.is_terminal:
        yield [state]
    for joint in state.joint_moves():
        for rest in all_plays(state.play(joint)):
            yield [state, *rest]


def random_match(game: Game, seed: int) -> list[State]:
    """The states of a seeded random match."""
    chooser = SplitMix64(seed)
    match = [game.initial()]
    while not match[-1].is_terminal:
        state = match[-1]
        match.append(state.play([moves[chooser.below(len(moves))] for moves in map(state.legal, game.roles)]))
    return match


def view(match: list[State], role: Term) -> View:
    """What a role did and saw in the steps of a match."""
    position = match[0].game.roles.index(role)
    return tuple((_moves(state)[position], state.percepts(role)) for state in match[1:])


def indistinguishable(match: list[State], role: Term, seed: int, width: int = 5) -> Iterator[list[State]]:
    """For every state of a match: it and others the role cannot exclude; at most ``width``, by chance."""
    chooser = SplitMix64(seed)
    position = match[0].game.roles.index(role)
    worlds = [match[0]]
    yield worlds
    for state in match[1:]:
        found = {state}
        own = _moves(state)[position]
        tries = [
            (world, joint) for world in worlds for joint in world.joint_moves() if joint[position] is own
        ]
        for _ in range(min(3 * width, len(tries))):
            world, joint = tries.pop(chooser.below(len(tries)))
            other = world.play(joint)
            if other.percepts(role) == state.percepts(role):
                found.add(other)
            if len(found) == width:
                break
        worlds = [state, *(found - {state})]
        yield worlds


def _moves(state: State) -> JointMove:
    assert state.joint is not None
    return state.joint
