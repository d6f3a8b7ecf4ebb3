"""The loop around a match: all prepare, each step is asked for and made, and all are told of the end.

Where moves come from is for a ``MoveSource`` to say: seats that are asked at the same time (``referee``),
players of this process one after the other (``local``), players that are trusted (``experiments/paired``).
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
"""Told when all are ready, and of every new state before any player is: a match is stored here."""


class MoveSource(ABC):
    """Asks the players of one match for their moves."""

    @abstractmethod
    async def prepare(self) -> Mapping[Term, Reply]:
        """Tell all that the match begins, or goes on; what they answered."""

    async def pass_over(self) -> None:  # noqa: B027  (hooks, not duties)
        """A move of the opening is about to be made, whatever players would do."""

    async def catch_up(self) -> None:  # noqa: B027
        """Tell of the steps that were made before players are asked for the first time."""

    @abstractmethod
    async def ask(self) -> Mapping[Term, Reply]:
        """Ask for the moves of the next step."""

    async def rest(self) -> None:  # noqa: B027
        """A step has been made."""

    @abstractmethod
    async def stop(self) -> None:
        """Tell that the match is over."""

    @abstractmethod
    async def abort(self) -> None:
        """Tell that the match is given up."""


async def play_on(
    match: Match,
    source: MoveSource,
    on_step: OnStep | None = None,
    limit: int | None = None,
    opening: Sequence[JointMove] = (),
) -> Match:
    """Play the match to its end, or until it has taken too many decisions (``limits``).

    ``opening``: joint moves that are made first, whatever players would have done.

    A match that has not come to its end, for whichever reason, is given up: the source is told to abort,
    where there is an error before that goes on.
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
    """The result of a coroutine that never waits, as those of sources that ask in this thread: they need no
    event loop. RuntimeError where it waits all the same."""
    try:
        work.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    work.close()
    raise RuntimeError("this coroutine waits for something: run it in an event loop")
