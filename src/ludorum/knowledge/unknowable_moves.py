"""Games in which a role cannot know its legal moves: nobody could play such a role without breaking rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..engine.game import Game, JointMove
from ..rules.terms import Term, format_term
from .complete_knower import CompleteKnower


@dataclass(frozen=True)
class UnknowableMove:
    """Two courses of a match that look the same to a role, with a move that is legal after one of them."""

    role: Term
    move: Term
    legal_after: tuple[JointMove, ...]
    illegal_after: tuple[JointMove, ...]

    def __str__(self) -> str:
        role, move, steps = format_term(self.role), format_term(self.move), len(self.legal_after)
        return (
            f"{role} cannot know after step {steps} whether {move} is legal: "
            f"it is after {_told(self.legal_after)}, and is not after {_told(self.illegal_after)}, "
            "which look the same"
        )


def find_unknowable_move(game: Game, seeds: Iterable[int]) -> UnknowableMove | None:
    """A move of which a role cannot know whether it is legal, met in the random matches of some seeds.

    None is no proof that there is none; what is found is a fault for certain.
    """
    for seed in seeds:
        states = list(game.playout(seed))
        for role in game.info.players:
            knower, seat = CompleteKnower(game, role), game.roles.index(role)
            for state in states:
                if state.joint is not None:
                    knower.update(state.joint[seat], state.percepts(role))
                if state.is_terminal:
                    break
                knower.asked()
                if not knower.knows_legal and (found := _doubt(knower)) is not None:
                    return found
    return None


def _doubt(knower: CompleteKnower) -> UnknowableMove | None:
    """A move with two courses; None where only a limit of the solver leaves it open."""
    for move in sorted(knower.possible_legal() - knower.known_legal()):
        why = knower.why_legal(move)
        if why.holds is not None and why.fails is not None:
            return UnknowableMove(knower.role, move, why.holds, why.fails)
    return None


def _told(course: tuple[JointMove, ...]) -> str:
    return "; ".join(" ".join(map(format_term, joint)) for joint in course) or "the start"
