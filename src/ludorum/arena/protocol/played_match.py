"""One match from a player's side: its rules, its current state, and a move in time.

Everything here runs where the match is played, in a process of its own or in a thread (``match_process``).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

from ...cards.machine.game import CardGame
from ...cards.worlds.track import CardTrack
from ...engine.errors import GameError
from ...engine.game import Game
from ...engine.sight import Position
from ...engine.track import Track
from ...knowledge.known_track import KnownTrack
from ...knowledge.possible_states import HiddenTrack, OpenTrack
from ...players import Guard, Player
from ...rules.terms import Term
from .messages import Play, PlayPercepts, Start
from .told_turn import has_percepts, told_turn

TRACKING_SHARE = 0.4
"""The share of a clock that finding the legal moves of a match with hidden information may take."""
RESUMING_SHARE = 0.3
"""The share of a clock that a player may take to restart in a resumed match."""
MOST_LOST = 8
"""Messages in a row that may get lost before the state can no longer be known."""


class PlayedMatch:
    """A match of one role."""

    def __init__(
        self,
        start: Start,
        make_game: Callable[[str], Game],
        player: Player,
        seed: int = 0,
        on_hold: Callable[[Term], None] = lambda move: None,
    ) -> None:
        """``on_hold`` is told a legal move of each position as soon as one is known."""
        self.start = start
        self.guard = Guard(player, on_hold=on_hold, may_ponder=True)
        self.trouble = ""
        """Why the match cannot be played; empty if it can."""
        self.faults: list[str] = []
        """Faults of the player; a legal move was played instead."""
        self._make_game = make_game
        self._seed = seed
        self._track: Track | None = None
        self._sent: Term | None = None
        self._doubt = ""
        """Why legal moves were not known for certain, as it was last reported."""

    @property
    def step(self) -> int:
        """How many joint moves were made, as far as is known."""
        return 0 if self._track is None else self._track.step

    def prepare(self, deadline: float, resumed: bool = False) -> bool:
        """Read the rules and let the player get ready; whether the match can be played.

        A match that is ``resumed`` has no start clock: the player does what it has to, and no more.
        """
        try:
            game = self._make_game(self.start.rules)
            if self.start.role not in game.info.players:
                raise GameError(f"nobody plays {self.start.role} in this game")
            self._track = _track_of(game, self.start.role, self._seed)
            self.guard.hold(self._position(deadline))
        except Exception as error:  # rules are foreign text, and can be wrong in every way
            self.trouble = f"{type(error).__name__}: {error}"
            return False
        left = max(0.0, deadline - time.monotonic())
        seconds, patience = (0.0, left * RESUMING_SHARE) if resumed else (left, 0.0)
        if self.guard.start(game, self.start.role, seconds, patience) is not None:
            self.faults.append(self.guard.trouble)
        return True

    def follow(
        self,
        message: Play | PlayPercepts,
        deadline: float,
        step: int | None,
        sent: Term | None,
        messages: int,
    ) -> None:
        """Replay a PLAY message answered before this match was resumed; ``messages`` are still to come."""
        assert self._track is not None
        self._sent = sent
        now = time.monotonic()
        try:
            self._follow(message, now + (deadline - now) / messages, step)
            self._observe(self._track)
        except Exception as error:  # it went wrong the first time as well
            self.faults.append(f"{type(error).__name__}: {error}")

    def choose(
        self,
        message: Play | PlayPercepts,
        deadline: float,
        step: int | None = None,
        sent: Term | None = None,
    ) -> Term | None:
        """The move for a PLAY message, before the deadline; None where no legal move is known.

        ``step`` is the number of joint moves so far, where the host tells it besides the message; ``sent`` is
        the move that it was sent last.
        """
        if self._track is None:
            return None
        self._sent = sent
        self.guard.attend()  # following the match needs the processor, too
        try:
            self._follow(message, deadline, step)
            position = self._position(deadline)
            answer = self.guard.choose(position, max(0.001, deadline - time.monotonic()))
        except Exception as error:
            self.faults.append(f"{type(error).__name__}: {error}")
            return self.guard.held
        self.faults += filter(None, (answer.fault, self.guard.new_fallback()))
        return answer.move

    def stop(self, last: tuple[Term, ...] | None = None) -> None:
        """End the match, after a last joint move where the host tells it, and release everything."""
        track = self._track
        self.guard.attend()
        with suppress(Exception):  # what the host says of the end is useful, but not needed
            if track is not None and last and track.advance_joint(last):
                goal = track.final_goal()
                if goal is not None:
                    self.guard.ended(track.role, goal)
        self.guard.stop()
        if track is not None:
            track.close()
        self._track = None

    def _position(self, deadline: float) -> Position:
        """The position in which a move is asked for; what is odd about it is reported."""
        track = self._track
        assert track is not None
        position = track.position(_early(deadline))
        if not track.consistent:
            self.faults.append(f"no state agrees with what the host told of step {track.step}")
        elif track.doubt and track.doubt != self._doubt:
            self.faults.append(
                f"in step {track.step} legal moves are those of some states that agree: {track.doubt}"
            )
        self._doubt = track.doubt
        return position

    def _observe(self, track: Track) -> None:
        """Tell the player of a step in which it is not asked, if something is hidden: it needs every one."""
        position = track.seen()
        if not position.is_whole:
            self.guard.observe(position)

    def _follow(self, message: Play | PlayPercepts, deadline: float, step: int | None) -> None:
        track = self._track
        assert track is not None
        deadline = _early(deadline)
        turn = told_turn(track.game, message, step, self._sent)
        if turn.is_first:
            if track.step:
                track.restart()  # the host starts over
            return
        if turn.step is not None and turn.step <= track.step:
            return  # the same question again
        lost = 0 if turn.step is None else turn.step - 1 - track.step
        if lost > MOST_LOST:
            raise GameError(f"the host is at turn {turn.step}, and the last one it told is {track.step}")
        for _ in range(lost):
            track.advance(None, None, deadline)
            self._observe(track)  # so that the player's worlds stay in step
        if turn.joint is not None and track.advance_joint(turn.joint):
            return
        if turn.percepts is not None:
            track.advance(turn.move, turn.percepts, deadline)
        elif turn.joint is not None:
            self.faults.append(f"the host played {' '.join(map(str, turn.joint))}, which is not legal here")


def _track_of(game: Game, role: Term, seed: int) -> Track:
    """What follows a match of a game for a role, by what hosts tell of it."""
    if game.tells_joint_moves:
        return OpenTrack(game, role)
    if isinstance(game, CardGame):
        return CardTrack(game, role)
    if has_percepts(game):
        return KnownTrack(game, role, seed)
    return HiddenTrack(game, role, seed)  # only chance: hosts tell joint moves


def _early(deadline: float) -> float:
    """When the share of the time for finding legal moves is over."""
    now = time.monotonic()
    return now + (deadline - now) * TRACKING_SHARE
