"""The loop around a match: all prepare, each step is asked for and made, and all are told of the end.

A ``MoveSource`` gives the moves: seats that are asked at the same time (``referee``), players of this
process one after the other (``local``), players that are trusted (``experiments/paired``).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from ...engine.game import JointMove
from ...rules.terms import Term
from .limits import is_given_up
from .match import Match, Reply

T = TypeVar("T")

OnStep: TypeAlias = Callable[[Match], Awaitable[None]]
"""Called when all are ready, and with every new state before any player gets it: a match is stored here."""


class MoveSource(ABC):
    """Asks the players of one match for their moves."""

    @abstractmethod
    async def prepare(self) -> Mapping[Term, Reply]:
        """Tell all players that the match begins, or goes on; returns their answers."""

    async def pass_over(self) -> None:  # noqa: B027  (hooks, not duties)
        """A move of the opening is about to be made, without asking the players."""

    async def catch_up(self) -> None:  # noqa: B027
        """Tell of the steps that were made before players are asked for the first time."""

    @abstractmethod
    async def ask(self) -> Mapping[Term, Reply]:
        """Ask for the moves of the next step."""

    async def rest(self) -> None:  # noqa: B027
        """A step has been made."""

    @abstractmethod
    async def stop(self) -> None:
        """Tell the players that the match is over."""

    @abstractmethod
    async def abort(self) -> None:
        """Tell the players that the match is given up."""


async def play_on(
    match: Match,
    source: MoveSource,
    on_step: OnStep | None = None,
    limit: int | None = None,
    opening: Sequence[JointMove] = (),
) -> Match:
    """Play the match to its end, or until it has taken too many decisions (``limits``).

    ``opening``: joint moves that are made first, without asking the players.

    A match that does not reach its end is given up: the source is told to abort, and then the error, if there
    was one, goes on.
    """
    try:
        match.prepared(await source.prepare())
        if on_step:
            await on_step(match)
        for joint in opening:
            await source.pass_over()
            match.play(dict(zip(match.game.roles, joint, strict=True)))
        await source.catch_up()
        while not match.is_over and not is_given_up(match, limit):
            match.settle(await source.ask())
            if on_step:
                await on_step(match)
            await source.rest()
    except BaseException:
        await source.abort()
        raise
    await (source.stop() if match.is_over else source.abort())
    return match


def without_waiting(work: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine that never waits, such as those of sources that ask in this thread: they need
    no event loop. RuntimeError where it waits all the same."""
    try:
        work.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    work.close()
    raise RuntimeError("this coroutine waits for something: run it in an event loop")
