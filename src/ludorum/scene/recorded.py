"""The states of a recorded match: those of its rules where the record follows them, else as they are noted.

So everything that is drawn of a match, live or recorded, is drawn from states.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest

from ..arena.match.record import MatchRecord
from ..engine.errors import GameError
from ..engine.game import Game, JointMove, Moves, Named, State, is_nature
from ..engine.info import GameInfo
from ..rules.terms import Term


def recorded_states(record: MatchRecord, game: Game | None) -> tuple[State, ...]:
    """The states of a match, played by its rules; without rules, or where it breaks them, its own states.

    ValueError where the record leaves states out that no rules can fill in.
    """
    played = None if game is None else _played(record.seated(game.roles), game)
    return played or RecordedGame(record).states


def follows_rules(states: Iterable[State]) -> bool:
    """Whether these are states of rules, not only of a record."""
    return not any(isinstance(state, RecordedState) for state in states)


def _played(record: MatchRecord, game: Game) -> tuple[State, ...] | None:
    """The states that the rules lead to; None where they are not those of the record."""
    found = [game.initial()]
    try:
        for joint, noted in zip_longest(record.moves, record.states):
            if noted is not None and noted != found[-1].facts():
                return None
            if joint is not None:
                found.append(found[-1].play(joint))
    except GameError:
        return None
    return tuple(found)


class RecordedGame(Game):
    """A match without rules, as a game that has the states and the moves of its record and no others."""

    def __init__(self, record: MatchRecord) -> None:
        self.name = record.game or "match"
        self.roles = record.roles or tuple(Term(f"role_{at + 1}") for at in range(record.width or 0))
        self.info = GameInfo(self.roles, tuple(filter(is_nature, self.roles)))
        self.states: tuple[State, ...] = tuple(
            RecordedState(self, record, at) for at in range(len(record.states))
        )

    def initial(self) -> State:
        return self.states[0]

    def state(self, facts: Iterable[Term]) -> State:
        raise GameError(f"the record of {self.name} has no rules for other states than its own")

    def playout(self, seed: int = 0) -> Iterator[State]:
        """The states of the record, whatever the seed."""
        return iter(self.states)


class RecordedState(State):
    """One state of a record; the only legal moves are those that were made."""

    __slots__ = ("_at", "_facts", "_record", "game")

    def __init__(self, game: RecordedGame, record: MatchRecord, at: int) -> None:
        facts = record.states[at]
        if facts is None:
            raise ValueError("the record leaves states out: name its rules with --game")
        self.game: Game = game
        self._record = record
        self._at = at
        self._facts = facts

    def facts(self) -> frozenset[Term]:
        return self._facts

    def legal(self, role: Named) -> tuple[Term, ...]:
        return () if self._at == self._record.last else (self._record.moves[self._at][self._seat(role)],)

    def play(self, joint: Moves) -> State:
        self.legal_joint(joint)
        assert isinstance(self.game, RecordedGame)
        return self.game.states[self._at + 1]

    @property
    def is_terminal(self) -> bool:
        return self._at == self._record.last and self._record.terminal is True

    def goal_terms(self, role: Named) -> tuple[Term, ...]:
        goals = self._record.goals
        return () if goals is None or not self.is_terminal else tuple(sorted(goals[self._seat(role)]))

    @property
    def joint(self) -> JointMove | None:
        return self._record.moves[self._at - 1] if self._at else None

    def percepts(self, role: Named) -> tuple[Term, ...]:
        noted = self._record.percepts[self._at - 1] if self._at and self._record.percepts else None
        return () if noted is None else tuple(sorted(noted[self._seat(role)]))

    def _seat(self, role: Named) -> int:
        return self.game.roles.index(self.game.role(role))
