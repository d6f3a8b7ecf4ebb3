"""The match: the one authority on what has been played, for terminal, server and tournaments alike.

The carrier of the moves (threads of this process, HTTP, a page) hands in a ``Reply`` for every role. The
match decides what counts: an answer that is late, lost or not legal is replaced by a legal move and noted.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from ..._core import SplitMix64
from ...engine.errors import GameError, IllegalMoveError
from ...engine.game import Game, JointMove, State
from ...players import Lapse
from ...rules.terms import Term, format_term
from ...show.markup import markup, report
from .record import MatchRecord, PerRole, Said

STEP_SEED = 0x9E3779B97F4A7C15
"""The distance between the seeds of steps: that of the generator itself, so that draws are one sequence."""
START = -1
"""The step of faults before the first move, while players prepare."""


class ErrorCode(StrEnum):
    """The codes that the records of all GGP hosts use for a player's faults."""

    ILLEGAL = "IL"
    LATE = "TO"
    LOST = "CE"
    """The connection failed, or the player did."""
    FALLBACK = "FB"
    """The player has switched to another method: no move is made for it, but its results are not those of its
    own method."""


LAPSES = {Lapse.LATE: ErrorCode.LATE, Lapse.FAILED: ErrorCode.LOST, Lapse.ILLEGAL: ErrorCode.ILLEGAL}
"""The error codes for the guard's findings."""


@dataclass(frozen=True)
class Reply:
    """The answer of the player of one role."""

    move: Term | None = None
    code: ErrorCode | None = None
    """A fault that the carrier noticed; whether a move is legal is checked by the match."""
    text: str = ""
    """The reply as it was written, or the failure."""
    seconds: float = 0.0
    fallback: str = ""
    """The method that the player uses from now on instead of its own, and why."""


@dataclass(frozen=True)
class Fault:
    """A player did not give a legal move in time, or plays by another method than its own."""

    step: int
    """How many joint moves had been made; START while players prepared."""
    role: Term
    code: ErrorCode
    text: str

    def __str__(self) -> str:
        return f"{self.code} {self.text}".rstrip()

    def as_json(self) -> dict[str, object]:
        return {
            "step": self.step,
            "role": format_term(self.role),
            "code": self.code.value,
            "text": self.text,
        }


@dataclass(frozen=True)
class Notice:
    """What a role is told of the last step: a function of what the role may know."""

    role: Term
    step: int
    """How many joint moves have been made."""
    joint: JointMove | None
    """The last joint move; None at the start, and always where the rules tell percepts instead."""
    own: Term | None
    """The role's own last move, as it was played."""
    percepts: tuple[Term, ...]


class Match:
    """A game being played: its states and the joint moves between them.

    Nature draws by the seed and the number of the step, so that a match which is resumed later, or by another
    process, goes on as it would have.
    """

    def __init__(
        self,
        game: Game,
        seed: int = 0,
        *,
        match_id: str = "",
        replace_by: Literal["first", "random"] = "first",
        now: Callable[[], float] = time.time,
    ) -> None:
        """``replace_by``: which legal move is played for a player that gave none."""
        self.game = game
        self.seed = seed
        self.match_id = match_id
        self.replace_by = replace_by
        self.states: list[State] = [game.initial()]
        self.moves: list[JointMove] = []
        self.faults: list[Fault] = []
        self.replies: list[Mapping[Term, Reply]] = [{}]
        """The answers on the way to each state, those to START first."""
        self._decided: list[int] = [0]
        """How many decisions there were up to each state, as far as they have been counted."""
        self._now = now
        self.times: list[int] = [self._milliseconds()]
        """When each state was reached, in milliseconds since 1970."""

    @classmethod
    def resumed(
        cls,
        game: Game,
        record: MatchRecord,
        *,
        replace_by: Literal["first", "random"] = "first",
        now: Callable[[], float] = time.time,
    ) -> Match:
        """A match that continues a record; IllegalMoveError where its moves are not legal."""
        match = cls(game, record.seed or 0, match_id=record.match_id, replace_by=replace_by, now=now)
        record = record.seated(game.roles)
        for joint in record.moves:
            match.follow(joint)
        match.times = list(record.times) or match.times
        for step, row in enumerate(record.errors, START):
            for role, text in zip(game.roles, row, strict=True):
                if text:
                    match.faults.append(_read_fault(step, role, text))
        for at, said in enumerate(record.replies):
            match.replies[at] = {
                role: Reply(text=one.text, seconds=one.milliseconds / 1000)
                for role, one in zip(game.roles, said, strict=True)
                if one is not None
            }
        return match

    @property
    def state(self) -> State:
        return self.states[-1]

    @property
    def is_over(self) -> bool:
        return self.state.is_terminal

    @property
    def is_open(self) -> bool:
        """Whether the rules hide nothing from any role."""
        return self.game.info.is_open

    @property
    def is_decision(self) -> bool:
        """Whether the next step counts as a decision (``State.is_decision``)."""
        return self.state.is_decision

    @property
    def decisions(self) -> int:
        """Steps made so far that count as decisions."""
        return self._decisions()[-1]

    @property
    def forced_steps(self) -> int:
        """Steps made since the last decision."""
        counts = self._decisions()
        return len(counts) - 1 - bisect_left(counts, counts[-1])

    def _decisions(self) -> list[int]:
        counts = self._decided
        del counts[len(self.states) :]
        while len(counts) < len(self.states):
            counts.append(counts[-1] + self.states[len(counts) - 1].is_decision)
        return counts

    def notice(self, role: Term, step: int | None = None) -> Notice:
        """The notice that the role may be told now, or was told after so many joint moves."""
        at = len(self.moves) if step is None else step
        joint = self.moves[at - 1] if at else None
        own = None if joint is None else joint[self.game.roles.index(role)]
        percepts = tuple(self.states[at].percepts(role))
        return Notice(role, at, joint if self.game.tells_joint_moves else None, own, percepts)

    # -- playing ----------------------------------------------------------------------------------------

    def prepared(self, replies: Mapping[Term, Reply]) -> None:
        """Note which players are not ready, once all were told that the match begins, or goes on."""
        for role, reply in replies.items():
            step = None if self.moves else START
            if reply.code is not None:
                self.note(role, reply.code, reply.text, step)
            if reply.fallback:
                self.note(role, ErrorCode.FALLBACK, reply.fallback, step)
        if not self.moves:
            self.replies[0] = replies

    def settle(self, replies: Mapping[Term, Reply]) -> State:
        """Make the joint move of the replies; a move that is not legal is replaced and noted."""
        chosen = {role: self._judge(role, replies.get(role)) for role in self.game.info.players}
        state = self.play(chosen)
        self.replies[-1] = replies
        return state

    def _judge(self, role: Term, reply: Reply | None) -> Term:
        legal = self.state.legal(role)
        if not legal:
            raise GameError(f"{role} has no legal move although the game is not over")
        if reply is None:
            reply = Reply(code=ErrorCode.LOST, text="no reply")
        if reply.fallback:
            self.note(role, ErrorCode.FALLBACK, reply.fallback)
        if reply.code is None and reply.move in legal:
            assert reply.move is not None
            return reply.move
        said = reply.text or (format_term(reply.move) if reply.move is not None else "")
        self.note(role, reply.code or ErrorCode.ILLEGAL, said)
        at = (
            0
            if self.replace_by == "first"
            else self._chance(1 + self.game.roles.index(role)).below(len(legal))
        )
        return legal[at]

    def play(self, moves: Mapping[Term, Term]) -> State:
        """Make a joint move given by role; nature's part is drawn here."""
        if self.is_over:
            raise IllegalMoveError("the match is over")
        players = self.game.info.players
        for role in players:
            if moves.get(role) not in self.state.legal(role):
                raise IllegalMoveError(f"{moves.get(role)} is not legal for {role}")
        self._append(tuple(moves[role] if role in players else self.draw(role) for role in self.game.roles))
        return self.state

    def follow(self, joint: JointMove) -> State:
        """Make a joint move as it was recorded, nature's part included; IllegalMoveError where it is not
        legal."""
        self._append(joint)
        return self.state

    def draw(self, role: Term) -> Term:
        """A move of nature, drawn from the seed and the number of the step."""
        legal = self.state.legal(role)
        if not legal:
            raise GameError(f"{role} has no legal move although the game is not over")
        first = role is self.game.info.chance_role
        chooser = self._chance(0 if first else 1 + self.game.roles.index(role))
        return self.game.chances.draw(legal, chooser)

    def _append(self, joint: JointMove) -> None:
        self.states.append(self.state.play(joint))
        self.moves.append(joint)
        self.replies.append({})
        self.times.append(max(self.times[-1], self._milliseconds()))

    def note(self, role: Term, code: ErrorCode, text: str, step: int | None = None) -> None:
        """Note a fault of a player at the current step."""
        self.faults.append(Fault(len(self.moves) if step is None else step, role, code, text))

    def take_back(self) -> JointMove:
        """Undo the last joint move and return it."""
        if not self.moves:
            raise GameError("nothing has been played yet")
        self.states.pop()
        self.times.pop()
        self.replies.pop()
        last = self.moves.pop()
        self.faults = [fault for fault in self.faults if fault.step < len(self.moves)]
        return last

    def _chance(self, stream: int = 0) -> SplitMix64:
        """The random generator of this step: the same for the same seed, however the match came here.

        The seed is mixed once more, because players are often given the seed of the match as well, and a
        player that draws a number a step would draw nature's numbers.
        """
        seed = SplitMix64((self.seed + stream) % 2**64).next()
        return SplitMix64((seed + len(self.moves) * STEP_SEED) % 2**64)

    def _milliseconds(self) -> int:
        return int(self._now() * 1000)

    # -- writing it down --------------------------------------------------------------------------------

    @property
    def errors(self) -> tuple[tuple[str, ...], ...]:
        """A row for each state with a text for each role: the fault on the way there, or nothing."""
        rows = [[""] * len(self.game.roles) for _ in self.states]
        for fault in self.faults:
            if fault.step + 1 < len(rows):
                row, at = rows[fault.step + 1], self.game.roles.index(fault.role)
                row[at] = f"{row[at]}; {fault}" if row[at] else str(fault)
        return tuple(map(tuple, rows))

    @property
    def replaced(self) -> int:
        """Moves, and starts, for which a player gave no valid answer."""
        return sum(fault.code is not ErrorCode.FALLBACK for fault in self.faults)

    @property
    def goals(self) -> PerRole | None:
        """Every goal value of every role at the end; None before."""
        last = self.state
        if not last.is_terminal:
            return None
        return tuple(frozenset(last.goal_terms(role)) for role in self.game.roles)

    def errors_at(self, at: int) -> tuple[str, ...]:
        """The faults on the way to one state, a text for each role."""
        found = [fault for fault in self.faults if fault.step + 1 == at]
        return tuple("; ".join(str(one) for one in found if one.role is role) for role in self.game.roles)

    @property
    def answers(self) -> tuple[tuple[Said | None, ...], ...]:
        """Every answer with its latency, a row for each state; nothing where no player was asked."""
        if not any(self.replies):
            return ()
        return tuple(
            tuple(None if (reply := row.get(role)) is None else said(reply) for role in self.game.roles)
            for row in self.replies
        )

    def _repr_html_(self) -> str:
        """The match in a notebook: its state, the goals at the end, and the faults."""
        state = self.state
        rows = [("steps", str(len(self.states) - 1))]
        if self.is_over:
            values = zip(self.game.roles, state.goals(), strict=True)
            rows += [(f"goal of {role}", "none" if goal is None else str(goal)) for role, goal in values]
        rows += [(f"fault of {fault.role}", f"step {fault.step}: {fault}") for fault in self.faults]
        return markup(report(self.game.name, rows, state.drawing()))

    def snapshot(self) -> Match:
        """A snapshot of the match, for readers in other threads while it goes on."""
        found = copy(self)
        found.states, found.moves, found.times = self.states[:], self.moves[:], self.times[:]
        found.faults, found.replies = self.faults[:], self.replies[:]
        found._decided = self._decided[:]
        return found

    def record(self, source: str = "") -> MatchRecord:
        """The record of the match so far, with every state."""
        roles = self.game.roles
        return MatchRecord(
            game=self.game.name,
            roles=roles,
            moves=tuple(self.moves),
            states=tuple(state.facts() for state in self.states),
            percepts=tuple(
                tuple(frozenset(state.percepts(role)) for role in roles) for state in self.states[1:]
            ),
            goals=self.goals,
            terminal=self.is_over,
            source=source,
            errors=self.errors,
            match_id=self.match_id,
            seed=self.seed,
            times=tuple(self.times),
            replies=self.answers,
        )


def said(reply: Reply) -> Said:
    """A reply as it is written down."""
    text = reply.text or ("" if reply.move is None else format_term(reply.move))
    return Said(text, round(reply.seconds * 1000))


def _read_fault(step: int, role: Term, text: str) -> Fault:
    """A fault as some host wrote it; unknown codes are kept as words."""
    code, _, rest = text.partition(" ")
    if code in list(ErrorCode):
        return Fault(step, role, ErrorCode(code), rest)
    return Fault(step, role, ErrorCode.LOST, text)
