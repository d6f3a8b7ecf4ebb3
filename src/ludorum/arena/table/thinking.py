"""Players thinking about one step of a match, so that whoever waits can watch, hurry them or walk away.

``Player.hurry`` makes ``choose`` answer with the best move so far. Players that do not heed it are left to
finish for nobody, and a fresh one of the same kind answers in a tenth of a second.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence

from ...engine.errors import GameError
from ...engine.game import State
from ...engine.sight import Position, past_of, position_of
from ...players import Player, make_player
from ...players.guard import said
from ...rules.terms import Term

HURRIED_SECONDS = 0.1
"""What a player gets for an answer at once, where it cannot be interrupted."""
FORCED_SECONDS = 0.5
"""Most that a player without a choice gets: enough to take note of what happened."""
LATE_PATIENCE = 5.0
"""How much later than it should a player may answer; people wait longer than referees."""
HURRY_PATIENCE = 1.0
"""How long an interrupted player may take to say what it has."""


class Seat:
    """A role and who plays it."""

    def __init__(self, role: Term, name: str, seed: int) -> None:
        self.role = role
        self.name = name
        self.seed = seed
        self.player: Player = make_player(name, seed)
        self.told_fallback = ""
        """What the player has said of the method it plays by instead of its own."""
        self.started = False
        """Whether the start clock has run."""
        self._seen = 0
        """States that the player was told of."""

    def choose(
        self, states: Sequence[State], position: Position, seconds: float, start_seconds: float
    ) -> Term:
        """The player's move in the last of these states; before its first one it has its start clock, and
        hears of what it missed."""
        player = self.player
        missed = past_of(states, self.role, self._seen)
        if not self.started or (missed and not self._seen):  # who was renewed had no time to begin
            player.start(states[0].game, self.role, 0.0 if self.started else start_seconds)
        self.started, self._seen = True, len(states)
        for earlier in missed:
            player.observe(earlier)
        return player.choose(position, seconds)

    def renew(self) -> None:
        """Another player of the same kind: the one that sits here works on what is not wanted any more."""
        self.player.close()
        self.player = make_player(self.name, self.seed)
        self.started = True  # it is wanted at once
        self._seen = 0

    def leave(self) -> None:
        """The match is over for this player."""
        self.player.stop()
        self.player.close()


class Thinking:
    """The moves that some seats choose in one state. ``run`` blocks; all else may be called meanwhile."""

    def __init__(self, states: Sequence[State], seats: Mapping[Term, Seat], seconds: float) -> None:
        """``states`` are those of the match so far: the last one is thought about."""
        self.states = tuple(states)
        self.state = self.states[-1]
        self.seats = dict(seats)
        self.seconds = seconds
        self.moves: dict[Term, Term] = {}
        self.faults: list[str] = []
        """What players did wrong, in words; a legal move was taken instead."""
        self.who: Term | None = None
        """Whose player thinks at this moment."""
        self.limit = seconds
        """Seconds the present player has, with its start clock if that is still to run."""
        self._begun = time.monotonic()
        self._hurry = threading.Event()
        self._left = threading.Event()

    @property
    def elapsed(self) -> float:
        """Seconds since the present player began."""
        return time.monotonic() - self._begun

    @property
    def is_abandoned(self) -> bool:
        return self._left.is_set()

    def hurry(self) -> None:
        """Ask for moves now."""
        self._hurry.set()

    def abandon(self) -> None:
        """Nobody wants the moves any more; ``run`` returns soon."""
        self._left.set()

    def run(self) -> dict[Term, Term]:
        """Every seat's move, one after the other. GameError where a role has none."""
        for role, seat in self.seats.items():
            position = position_of(self.state, role)
            if not position.legal:
                raise GameError(f"{role} has no legal move although the game is not over")
            self.who, self._begun = role, time.monotonic()
            self.moves[role] = self._ask(seat, position)
            if self._left.is_set():
                break
        self.who = None
        return self.moves

    def _ask(self, seat: Seat, position: Position) -> Term:
        seconds = self.seconds if len(position.legal) > 1 else min(self.seconds, FORCED_SECONDS)
        self.limit = seconds + (0.0 if seat.started else self.seconds)
        answer = _Answer(
            lambda: seat.choose(self.states, position, seconds, self.seconds), f"player {seat.name}"
        )
        while not answer.done.wait(0.02):
            if self._left.is_set():
                self._interrupt(seat, answer, 0.0)
                return position.legal[0]
            late = self.elapsed > self.limit + LATE_PATIENCE
            if late:
                self.faults.append(f"{seat.name} is late and is asked for a move at once")
            if late or self._hurry.is_set():
                if not self._interrupt(seat, answer, HURRY_PATIENCE):
                    answer = self._ask_at_once(seat, position)
                break
        if (fallback := said(seat.player.fallback)) != seat.told_fallback:
            seat.told_fallback = fallback
            self.faults += [f"{seat.name} {fallback}"] if fallback else []
        return self._legal(seat, position, answer)

    def _ask_at_once(self, seat: Seat, position: Position) -> _Answer:
        answer = _Answer(
            lambda: seat.choose(self.states, position, HURRIED_SECONDS, 0.0), f"player {seat.name}"
        )
        answer.done.wait(HURRY_PATIENCE)
        return answer

    def _interrupt(self, seat: Seat, answer: _Answer, patience: float) -> bool:
        """Have a player answer at once, if it can; else its place is taken by a fresh one."""
        seat.player.hurry()
        if answer.done.wait(patience):
            return True
        seat.renew()
        return False

    def _legal(self, seat: Seat, position: Position, answer: _Answer) -> Term:
        if not answer.done.is_set():
            self.faults.append(f"{seat.name} has no answer at once; the first legal move is made for it")
        elif answer.error is not None:
            error = answer.error
            what = f"{type(error).__name__}: {said(error)}"
            self.faults.append(f"{seat.name} failed ({what}); a legal move is made")
        elif answer.move not in position.legal:
            named = said(answer.move)
            self.faults.append(f"{seat.name} chose {named}, which is not legal; another move is made")
        else:
            return answer.move
        return position.legal[0]


_running: set[threading.Thread] = set()


def wait_for_players(seconds: float) -> bool:
    """Whether every player that was ever asked has come to rest, waiting for them a little."""
    deadline = time.monotonic() + seconds
    for thread in list(_running):
        thread.join(max(0.0, deadline - time.monotonic()))
    return not any(thread.is_alive() for thread in list(_running))


class _Answer:
    """Something asked in a thread of its own: a player that hangs must not hang those who wait."""

    def __init__(self, ask: Callable[[], Term], name: str) -> None:
        self.done = threading.Event()
        self.move: Term | None = None
        self.error: BaseException | None = None
        self._ask = ask
        thread = threading.Thread(target=self._run, name=name, daemon=True)
        _running.add(thread)
        thread.start()

    def _run(self) -> None:
        try:
            self.move = self._ask()
        except BaseException as error:  # whatever a player raises, the match goes on
            self.error = error
        _running.discard(threading.current_thread())
        self.done.set()
