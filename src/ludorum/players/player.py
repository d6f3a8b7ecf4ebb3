"""What a player is, and what it is given to choose from."""

from __future__ import annotations

from abc import ABC, abstractmethod

from ..engine.game import Game
from ..engine.sight import Position
from ..rules.terms import Term
from ..search.decision import Decision


class PlayerError(Exception):
    """A player in another process failed; the text says how, with the name of its error."""


class NoMoveError(PlayerError):
    """A player in another process chose something that is no move; the text is what it said."""


class Player(ABC):
    """Chooses one of ``position.legal`` within ``seconds``; plays one role of one match at a time.

    What stands between a player and a match has every method of this class: ``DelegatingPlayer`` and
    ``Guard`` do, and a test compares all such classes with this one.
    """

    name: str
    quick: bool = False
    """Whether it never thinks: such a player is asked without a thread of its own, which costs more than its
    answer. What it answers is judged like any other's."""
    decision: Decision | None = None
    """What its last search found, with a value for each move; None where nothing was searched."""
    fallback: str = ""
    """Which method it plays by instead of its own, and why; empty where its own method works."""

    def load(self, game: Game) -> None:  # noqa: B027  (a hook, not a duty)
        """Takes over a game before any clock runs: a player in another process builds the game there."""

    def start(self, game: Game, role: Term, seconds: float) -> None:  # noqa: B027
        """The start clock: the match is about to begin, and so much time may be used to prepare for it.

        Called once a match, before anything else but ``load``; ``seconds`` may be 0.
        """

    @abstractmethod
    def choose(self, position: Position, seconds: float) -> Term:
        """A legal move, before the time is up."""

    def observe(self, position: Position) -> None:  # noqa: B027
        """A step in which the player is not asked: one that was made before it joined the match, or while it
        was late. Told after ``start``, in order, and only where something is hidden; else the next position
        says it all."""

    def hurry(self) -> None:  # noqa: B027
        """Answer the question you are thinking about now. Called from another thread."""

    def ended(self, role: Term, goal: int) -> None:  # noqa: B027
        """The match is over, and the role has this goal: what comes before ``stop``, where it is known."""

    def stop(self) -> None:  # noqa: B027
        """The match is over or given up: let go of memory and threads. Choosing again is allowed."""

    def close(self) -> None:  # noqa: B027
        """End at once whatever would outlive the player, such as a process. Called last, from any thread,
        even while another method is at work."""


class DelegatingPlayer(Player):
    """A player that hands everything on to another one: what a subclass leaves out is never lost."""

    def __init__(self, player: Player) -> None:
        self.player = player

    @property
    def name(self) -> str:  # type: ignore[override]
        return self.player.name

    @property
    def quick(self) -> bool:  # type: ignore[override]
        return self.player.quick

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

    def hurry(self) -> None:
        self.player.hurry()

    def ended(self, role: Term, goal: int) -> None:
        self.player.ended(role, goal)

    def stop(self) -> None:
        self.player.stop()

    def close(self) -> None:
        self.player.close()
