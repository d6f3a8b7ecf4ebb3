"""Checks of any ``Game``: seeded random play that tests every promise of the interface.

Public, so that people run the same checks on their own rules and engines. Nothing here is specific to a game.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .._core import SplitMix64
from ..rules.terms import Term, sort_key
from .errors import IllegalMoveError
from .game import Game, State

NO_SUCH_MOVE = Term("no such move of any game")


@dataclass(frozen=True)
class GameFault:
    """A promise of the interface that was broken, and after how many joint moves of which play."""

    play: int
    step: int
    message: str

    def __str__(self) -> str:
        return f"play {self.play}, step {self.step}: {self.message}"


def check_game(game: Game, plays: int = 3, seed: int = 0, max_steps: int = 200) -> list[GameFault]:
    """Every broken promise found in some random plays; an empty list if all were kept."""
    faults = [GameFault(0, 0, message) for message in _check_start(game)]
    if faults:
        return faults
    chooser = SplitMix64(seed)
    for number in range(plays):
        state = game.initial()
        for step in range(max_steps + 1):
            found = [message for check in _STATE_CHECKS for message in check(state)]
            faults += [GameFault(number, step, message) for message in found]
            if state.is_terminal or step == max_steps or not all(map(state.legal, game.roles)):
                break
            joint = [moves[chooser.below(len(moves))] for moves in map(state.legal, game.roles)]
            state = _played_twice(state, joint, faults, number, step)
            if state.joint != tuple(joint):
                faults.append(
                    GameFault(number, step, "the new state does not know the joint move that led to it")
                )
    return faults


def _check_start(game: Game) -> Iterator[str]:
    if not game.roles:
        yield "the game has no roles"
    if len(set(game.roles)) != len(game.roles):
        yield "a role is listed twice"
    if game.info.roles != game.roles:
        yield "info.roles differs from roles"
    if game.initial() != game.initial():
        yield "two initial states differ"
    if game.initial().joint is not None:
        yield "the initial state claims to come from a joint move"
    if any(game.initial().percepts(role) for role in game.roles):
        yield "a role perceives something before the first move"


def _played_twice(state: State, joint: list[Term], faults: list[GameFault], number: int, step: int) -> State:
    """The successor, computed twice to check that play is deterministic."""
    facts = state.facts()
    one, other = state.play(joint), state.play(joint)
    if one != other or any(one.percepts(role) != other.percepts(role) for role in state.game.roles):
        faults.append(GameFault(number, step, "the same joint move led to two different states"))
    if state.facts() != facts:
        faults.append(GameFault(number, step, "playing changed the state played from"))
    return one


def _check_round_trips(state: State) -> Iterator[str]:
    again = state.game.parse_state(str(state))
    if again != state or hash(again) != hash(state):
        yield "print and parse give another state"
    pickled = pickle.loads(pickle.dumps(state))
    if pickled != state or pickled.joint != state.joint:
        yield "pickling gives another state"


def _check_moves(state: State) -> Iterator[str]:
    for role in state.game.roles:
        moves = state.legal(role)
        if list(moves) != sorted(set(moves), key=sort_key):
            yield f"the legal moves of {role} are not sorted or not distinct"
        if not all(move.is_ground for move in moves):
            yield f"a legal move of {role} has variables"
        if not state.is_terminal and not moves:
            yield f"{role} has no legal move although the game is not over"


def _check_refuses_illegal(state: State) -> Iterator[str]:
    roles = state.game.roles
    if state.is_terminal or not all(map(state.legal, roles)):
        return
    for at in range(len(roles)):
        joint = [state.legal(role)[0] for role in roles]
        joint[at] = NO_SUCH_MOVE
        try:
            state.play(joint)
        except IllegalMoveError:
            continue
        yield f"an illegal move of {roles[at]} was accepted"


def _check_goals(state: State) -> Iterator[str]:
    for role in state.game.info.players:
        goal = state.goal(role)
        if state.is_terminal and goal is None:
            values = " ".join(map(str, state.goal_terms(role))) or "none"
            yield f"the game is over and {role} has not exactly one goal value: {values}"
        if goal is not None and not 0 <= goal <= 100:
            yield f"the goal of {role} is {goal}, outside 0..100"


def _check_view(state: State) -> Iterator[str]:
    for role in state.game.roles:
        view = state.view(role)
        if view.percepts != frozenset(state.percepts(role)):
            yield f"the view of {role} has other percepts than the state"
        hidden = not state.game.info.is_open and state.joint is not None
        if hidden and view.facts is not None:
            yield f"the view of {role} holds facts the rules hide"


_STATE_CHECKS: tuple[Callable[[State], Iterator[str]], ...] = (
    _check_round_trips,
    _check_moves,
    _check_refuses_illegal,
    _check_goals,
    _check_view,
)
