"""The position of a match as its role knows it, with a clock: what players behind a protocol are asked about.

Legal moves are those that follow from the role's own moves and percepts (``CompleteKnower``). Work on them is
bounded by counts, and by the clock of the caller: it is done in a thread, which goes on where a question
comes too early for it. Then, and where messages were lost or contradict the rules, some states that agree
(``HiddenTrack``) stand in: where the rules let a role know its legal moves, any such state tells them.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from concurrent.futures import Future, wait
from dataclasses import dataclass

from ..engine.auto import best_engine
from ..engine.errors import GameError
from ..engine.game import Game, State
from ..engine.sight import Position
from ..engine.track import Track
from ..processes.thread import ThreadWorker
from ..rules.terms import Term
from .complete_knower import CompleteKnower
from .knower import ImpossiblePerceptsError
from .possible_states import HiddenTrack, seen_position
from .worlds.sampler import ToldStep, told_step

CONFLICTS = 1_000
"""Conflicts of the solver for one question: a fraction of a second, since a move is waited for."""
MOST_LISTED = 1_000
"""Possible states that are listed: reasoning over histories that begin with more takes seconds."""
MOST_BEHIND = 3
"""Steps that the knower may be late before it is given up: it takes processor time from the player."""
KNOWING_SHARE = 0.7
"""The share of the time for a position in which the knower is waited for."""


@dataclass(frozen=True)
class KnownMoves:
    """What is known of a role's legal moves in one step."""

    known: frozenset[Term]
    possible: frozenset[Term]
    is_exact: bool
    """Whether no limit of work was reached."""
    state: State | None
    """The state, where it is known."""


class KnownTrack(Track):
    """A role's knowledge of a match in which something is hidden."""

    def __init__(self, game: Game, role: Term, seed: int = 0) -> None:
        self.game = game
        self.role = role
        self._seed = seed
        self._worker = ThreadWorker(f"knowledge of {role}")
        self.restart()

    def restart(self) -> None:
        self.consistent = True
        self.doubt = ""
        self._told: list[ToldStep] = []
        self._knower: CompleteKnower | None = CompleteKnower(
            best_engine(self.game), self.role, conflicts=CONFLICTS, most_listed=MOST_LISTED
        )
        self._lost = ""
        """Why the knower cannot follow any more."""
        self._moves: list[Future[KnownMoves]] = []
        """Of the last steps: those that are not found yet, and one more."""
        self._guess: HiddenTrack | None = None

    @property
    def step(self) -> int:
        return len(self._told)

    def close(self) -> None:
        """End the thread, after the work under way."""
        self._worker.end()

    def advance(self, move: Term | None, percepts: Iterable[Term] | None, deadline: float) -> None:
        """Take a step. It needs no time here: the thread begins with it, and ``position`` waits for it."""
        step = told_step(move, percepts)
        self._told.append(step)
        if self._knower is None:
            return
        if step.move is None or step.percepts is None:
            self._give_up("a message was lost")
            return
        knower, own, seen = self._knower, step.move, step.percepts
        self._moves.append(self._worker.do(lambda: self._learn(knower, own, seen)))

    def seen(self) -> Position:
        return seen_position(self.game, self.role, self._told)

    def position(self, deadline: float) -> Position:
        """The position before a move that is asked for, with moves that are legal as far as can be known."""
        self.doubt, self.consistent = "", True
        if not self._told:
            return self.seen()
        now = time.monotonic()
        found = self._known_moves(now + (deadline - now) * KNOWING_SHARE)
        legal = () if found is None else tuple(sorted(found.known))
        if not legal:
            legal = self._guessed(found, deadline)
        view = self.seen().hidden_view
        return Position(self.role, legal, view, self._guessed_state() if found is None else found.state)

    # -- what is known ------------------------------------------------------------------------------------

    def _learn(self, knower: CompleteKnower, move: Term, percepts: frozenset[Term]) -> KnownMoves:
        """In the thread: take a step, and the wish for another move."""
        if knower is not self._knower:
            raise GameError("the knowledge of this match is not wanted any more")
        knower.use(best_engine(self.game))
        knower.update(move, percepts)
        knower.asked()
        known, possible = knower.known_legal(), knower.possible_legal()
        return KnownMoves(known, possible, knower.is_exact("legal"), knower.state)

    def _known_moves(self, deadline: float) -> KnownMoves | None:
        """The knower's answer; None, with the reason in ``doubt``, where there is none in time."""
        if self._knower is not None:
            wait(self._moves[-1:], max(0.0, deadline - time.monotonic()))
            errors = (one.exception() for one in self._moves if one.done())
            failed = next(filter(None, errors), None)
            if failed is not None:
                self.consistent = not isinstance(failed, ImpossiblePerceptsError)
                self._give_up(f"{type(failed).__name__}: {failed}")
        if self._knower is None:
            self.doubt = self._lost
            return None
        if self._moves[-1].done():
            del self._moves[:-1]
            return self._moves[0].result()
        self.doubt = "what is known was not found out in time"
        if sum(not one.done() for one in self._moves) > MOST_BEHIND:
            self._give_up(self.doubt)
        return None

    def _give_up(self, reason: str) -> None:
        """Go on by states that agree; what the thread still finds is of no use."""
        self._knower, self._lost, self._moves = None, reason, []

    # -- where it is not known ----------------------------------------------------------------------------

    def _guessed_state(self) -> State | None:
        """A state that agrees with what was told, where only lost messages leave several."""
        return self._guess.states[0] if self.game.info.is_open and self._guess is not None else None

    def _guessed(self, found: KnownMoves | None, deadline: float) -> tuple[Term, ...]:
        """Moves that are legal in all states at hand, or in most of them, and that may be legal."""
        if found is not None:
            cannot = f"{self.role} cannot know its legal moves"
            self.doubt = cannot if found.is_exact else "what is known was not found out within the limits"
        guess = self._guess = self._guess or HiddenTrack(self.game, self.role, self._seed)
        behind = self._told[guess.step :]
        for done, step in enumerate(behind):
            now = time.monotonic()
            guess.advance(step.move, step.percepts, now + (deadline - now) / (len(behind) - done))
        legal = guess.position(deadline).legal
        if self._knower is None:
            self.consistent = self.consistent and guess.consistent
        possible = tuple(move for move in legal if found is None or move in found.possible)
        return possible or legal
