"""Pairs of matches that a viewer cannot tell apart: it makes the same moves and is told the same in both. A
spectator is told what is public."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from random import Random

from ludorum.cards.machine.game import CardGame, CardState
from ludorum.engine.errors import IllegalMoveError
from ludorum.engine.game import Game, JointMove, State
from ludorum.rules.terms import Term
from ludorum.scene.sight import told_to

Course = tuple[State, ...]
"""The states of a match, from the first to the last."""

MOST_COURSES = 6
MOST_TRIED = 60
"""Courses that are followed beside the true one, and joint moves that are tried from each of them."""
EXCHANGES = 12


def random_course(game: Game, chance: Random, steps: int) -> Course:
    """The first states of a random match that do not end it."""
    states = [game.initial()]
    for _ in range(steps):
        moves = [chance.choice(states[-1].legal(role)) for role in game.roles]
        after = states[-1].play(moves)
        if after.is_terminal:
            break
        states.append(after)
    return tuple(states)


def same_to(
    course: Course, role: Term | None, chance: Random, *, thorough: bool = False
) -> Iterator[tuple[Course, Course]]:
    """Pairs of a part of the course and another course that is the same to the role, or to a spectator.

    ``thorough``: at a card table any two cards are exchanged, not only some.
    """
    game = course[0].game
    if isinstance(game, CardGame):
        assert role is not None
        yield from _exchanged_cards(course, role, chance, thorough=thorough)
        return
    others: list[Course] = [course[:1]]
    for at in range(1, len(course)):
        found = {other[-1].facts(): other for other in _continued(others, course[at], role, chance)}
        true = course[: at + 1]
        others = [true, *(other for facts, other in found.items() if facts != course[at].facts())]
        others = others[: MOST_COURSES + 1]
        for other in others[1:]:
            yield true, other


def _continued(others: Sequence[Course], after: State, role: Term | None, chance: Random) -> Iterator[Course]:
    assert after.joint is not None
    for other in others:
        now = other[-1]
        legal = [now.legal(one) for one in after.game.roles]
        if role is not None:
            at = after.game.roles.index(role)
            legal[at] = tuple(move for move in legal[at] if move is after.joint[at])
        joints = list(product(*legal))
        for joint in chance.sample(joints, min(len(joints), MOST_TRIED)):
            state = now.play(joint)
            if not state.is_terminal and told_to(state, role) == told_to(after, role):
                yield (*other, state)


def _exchanged_cards(
    course: Course, role: Term, chance: Random, *, thorough: bool
) -> Iterator[tuple[Course, Course]]:
    """The same match with two cards exchanged in the deal, as far as it is legal and the same to the role."""
    last = course[-1]
    assert isinstance(last, CardState)
    cards = sorted(set(last.position.composition))
    some = (chance.sample(cards, 2) for _ in range(EXCHANGES))
    for one, other in combinations(cards, 2) if thorough else some:
        found = [course[0]]
        for state in course[1:]:
            assert state.joint is not None
            try:
                after = found[-1].play(_exchanged(state.joint, {one: other, other: one}))
            except IllegalMoveError:
                break
            if after.is_terminal or after.percepts(role) != state.percepts(role):
                break
            found.append(after)
            if after.facts() != state.facts():
                yield course[: len(found)], tuple(found)


def _exchanged(joint: JointMove, cards: dict[Term, Term]) -> JointMove:
    *own, draw = joint
    if draw.name != "draw":
        return joint
    card, *rest = draw.args
    assert isinstance(card, Term)
    return (*own, Term("draw", (cards.get(card, card), *rest)))
