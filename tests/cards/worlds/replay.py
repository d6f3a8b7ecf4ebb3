"""A world played again: its draws and its hidden choices, and what a player would have perceived."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ludorum.cards.language.terms import Term
from ludorum.cards.machine.game import CardState, move_of
from ludorum.cards.machine.reasons import NeedCard, NeedMove
from ludorum.cards.machine.story import Crept, Decided, Drew, Sifted, is_veiled
from ludorum.cards.worlds.chain import Trajectories


def replay(states: Sequence[CardState], world: Trajectories) -> CardState:
    """The last state of a match with the hidden cards of a world; what its player perceives is compared."""
    begin = deal_begins(states)
    state = states[begin]
    role = state.game.players[world.knowledge.player]
    draws, choices = iter(_draws(world)), _choices(world)
    for true in states[begin + 1 :]:
        joint = list(true.joint or ())
        if isinstance(state.reason, NeedCard):
            wanted = next(draws)
            joint[-1] = next(move for move in state.legal(state.asked) if move.args[0] is wanted)
        elif isinstance(state.reason, NeedMove) and state.reason.template is not None:
            index = state.game.players.index(state.asked)
            joint[index] = move_of(next(choices))
        state = state.play(joint)
        assert state.percepts(role) == true.percepts(role)
    assert next(draws, None) is None
    assert next(choices, None) is None
    return state


def deal_begins(states: Sequence[CardState]) -> int:
    """The state in which the first card of the last deal is asked for."""
    found = 0
    for at, state in enumerate(states):
        if any(event.seen.name == "shuffled" for event in state.events):
            found = at
    return found


def _draws(world: Trajectories) -> Iterator[Term]:
    for time, happening in enumerate(world.knowledge.story.happenings):
        if isinstance(happening, Drew):
            yield _mover(world, time) if is_veiled(happening.what) else happening.what


def _choices(world: Trajectories) -> Iterator[Term]:
    happenings = world.knowledge.story.happenings
    for time, happening in enumerate(happenings):
        if not isinstance(happening, Decided):
            continue
        after = happenings[time + 1] if time + 1 < len(happenings) else None
        if is_veiled(happening.choice):
            assert isinstance(after, Crept | Sifted)
            yield _mover(world, time + 1, len(after.before) if isinstance(after, Sifted) else 0)
        else:
            yield happening.choice


def _mover(world: Trajectories, time: int, act: int = 0) -> Term:
    """Who made a passage of something that happened."""
    return world.trace.names[world.movers[world.trace.begins[time] + act]]
