"""The match: the one authority on what has been played, for terminal, server and tournaments alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .._core import SplitMix64
from ..engine.game import Game, GameError, IllegalMoveError, JointMove, State
from ..players import Guard, Player, position_of
from ..rules.terms import Term
from .record import MatchRecord


@dataclass(frozen=True)
class Fault:
    """A player did not give a legal move in time."""

    step: int
    """How many joint moves had been made."""
    role: Term
    text: str


class Match:
    """A game being played: its states and the joint moves between them. Nature draws by the match's seed."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        self.game = game
        self.seed = seed
        self._nature = SplitMix64(seed)
        self.states: list[State] = [game.initial()]
        self.moves: list[JointMove] = []
        self.faults: list[Fault] = []

    @property
    def state(self) -> State:
        return self.states[-1]

    @property
    def is_over(self) -> bool:
        return self.state.is_terminal

    def play(self, moves: Mapping[Term, Term]) -> State:
        """Make a joint move given by role; nature's part is drawn here."""
        if self.is_over:
            raise IllegalMoveError("the match is over")
        players = self.game.info.players
        for role in players:
            # Checked before nature draws, so that a refused joint move leaves the match as it was.
            if moves.get(role) not in self.state.legal(role):
                raise IllegalMoveError(f"{moves.get(role)} is not legal for {role}")
        joint = tuple(moves[role] if role in players else self._draw(role) for role in self.game.roles)
        self.states.append(self.state.play(joint))
        self.moves.append(joint)
        return self.state

    def note_fault(self, role: Term, text: str) -> None:
        """Remember what a player did wrong now; nothing is noted for an empty text."""
        if text:
            self.faults.append(Fault(len(self.moves), role, text))

    def _draw(self, role: Term) -> Term:
        legal = self.state.legal(role)
        if not legal:
            raise GameError(f"{role} has no legal move although the game is not over")
        return legal[self._nature.below(len(legal))]

    def take_back(self) -> JointMove:
        """Undo the last joint move and return it."""
        if not self.moves:
            raise GameError("nothing has been played yet")
        self.states.pop()
        return self.moves.pop()

    def record(self, source: str = "") -> MatchRecord:
        """What has been played so far, with every state."""
        roles, last = self.game.roles, self.state
        return MatchRecord(
            game=self.game.name,
            roles=roles,
            moves=tuple(self.moves),
            states=tuple(state.facts() for state in self.states),
            percepts=tuple(
                tuple(frozenset(state.percepts(role)) for role in roles) for state in self.states[1:]
            ),
            goals=tuple(frozenset(last.goal_terms(role)) for role in roles) if last.is_terminal else None,
            terminal=last.is_terminal,
            source=source,
        )


def play_match(
    match: Match,
    players: Mapping[Term, Player],
    seconds: float,
    on_step: Callable[[Match], None] | None = None,
    max_steps: int = 1000,
    start_seconds: float = 0.0,
) -> Match:
    """Let players finish a match: so many seconds to prepare, so many for a move.

    Every player is guarded: where it is late, fails or names an illegal move, the first legal move is made
    and the fault noted in ``match.faults``.
    """
    guards = {role: Guard(players[role]) for role in match.game.info.players}
    try:
        for role, guard in guards.items():
            if start_seconds:
                match.note_fault(role, guard.start(match.game, role, start_seconds))
        while not match.is_over and len(match.moves) < max_steps:
            chosen: dict[Term, Term] = {}
            for role, guard in guards.items():
                answer = guard.choose(position_of(match.state, role), seconds)
                match.note_fault(role, answer.fault)
                chosen[role] = answer.move
            match.play(chosen)
            if on_step:
                on_step(match)
    finally:
        for guard in guards.values():
            guard.stop()
    return match
