"""The interface of a player, and the errors of players in other processes."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod

from ..engine.game import Game
from ..engine.sight import Position
from ..rules.terms import Term
from ..search.decision import Decision


class PlayerError(Exception):
    """A player in another process failed; the text says how, with the name of its error."""


class NoMoveError(PlayerError):
    """A player in another process chose something that is not a move; the text is its answer."""


class Player(ABC):
    """Chooses one of ``position.legal`` within ``seconds``; plays one role of one match at a time.

    Every class between a player and a match has every method of this class: ``DelegatingPlayer`` and
    ``Guard`` do, and a test compares all such classes with this one.
    """

    name: str
    quick: bool = False
    """Whether it never thinks: such a player is asked without a thread of its own, which costs more than its
    answer. Its answer is judged like any other's."""
    ponders: bool = False
    """Whether it wants to ``ponder`` where the match allows it."""
    decision: Decision | None = None
    """The result of its last search, with a value for each move; None where nothing was searched."""
    fallback: str = ""
    """The method it uses instead of its own, and why; empty where its own method works."""

    def load(self, game: Game) -> None:  # noqa: B027  (a hook, not a duty)
        """Load a game before any clock runs: a player in another process builds the game there."""

    def start(self, game: Game, role: Term, seconds: float) -> None:  # noqa: B027
        """Prepare for the match that is about to begin, within the start clock.

        Called once a match, before anything else but ``load``; ``seconds`` may be 0.
        """

    @abstractmethod
    def choose(self, position: Position, seconds: float) -> Term:
        """A legal move, before the time is up."""

    def observe(self, position: Position) -> None:  # noqa: B027
        """Take note of a step in which the player is not asked: one made before it joined the match, or while
        it was late. Called after ``start``, in order, and only where something is hidden; else the next
        position tells everything."""

    def ponder(  # noqa: B027
        self, position: Position, move: Term, seconds: float, stop: threading.Event
    ) -> None:
        """Search on while others move: the position was answered with this move.

        Called after ``choose``, in the same thread. Returns as soon as ``stop`` is set, since the next
        question waits for it, and after ``seconds`` at the latest.
        """

    def hurry(self) -> None:  # noqa: B027
        """Answer the current question now. Called from another thread."""

    def ended(self, role: Term, goal: int) -> None:  # noqa: B027
        """The match is over, and the role has this goal: called before ``stop``, where it is known."""

    def stop(self) -> None:  # noqa: B027
        """The match is over or given up: release memory and threads. Choosing again is allowed."""

    def close(self) -> None:  # noqa: B027
        """End at once everything that would outlive the player, such as a process. Called last, from any
        thread, even while another method is at work."""


class DelegatingPlayer(Player):
    """A player that passes every call on to another one, so that a subclass changes only what it defines."""

    def __init__(self, player: Player) -> None:
        self.player = player

    @property
    def name(self) -> str:  # type: ignore[override]
        return self.player.name

    @property
    def quick(self) -> bool:  # type: ignore[override]
        return self.player.quick

    @property
    def ponders(self) -> bool:  # type: ignore[override]
        return self.player.ponders

    @property
    def decision(self) -> Decision | None:  # type: ignore[override]
        return self.player.decision

    @property
    def fallback(self) -> str:  # type: ignore[override]
        return self.player.fallback

    def load(self, game: Game) -> None:
        self.player.load(game)

    def start(self, game: Game, role: Term, seconds: float) -> None:
        self.player.start(game, role, seconds)

    def choose(self, position: Position, seconds: float) -> Term:
        return self.player.choose(position, seconds)

    def observe(self, position: Position) -> None:
        self.player.observe(position)

    def ponder(self, position: Position, move: Term, seconds: float, stop: threading.Event) -> None:
        self.player.ponder(position, move, seconds, stop)

    def hurry(self) -> None:
        self.player.hurry()

    def ended(self, role: Term, goal: int) -> None:
        self.player.ended(role, goal)

    def stop(self) -> None:
        self.player.stop()

    def close(self) -> None:
        self.player.close()
