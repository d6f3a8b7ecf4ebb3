"""Players elsewhere that follow a script, for tests that have no event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ludorum.arena.testing import Act, Heard, ScriptedPlayer
from tests.web.served import PATIENCE


@contextmanager
def scripted(script: dict[str, Act] | Callable[[Heard], Act] | None = None) -> Iterator[ScriptedPlayer]:
    """A player in a thread of its own, which follows a script."""
    player, ready, done = ScriptedPlayer(script=script), threading.Event(), asyncio.Event()
    loops: list[asyncio.AbstractEventLoop] = []

    async def listen() -> None:
        async with player:
            loops.append(asyncio.get_running_loop())
            ready.set()
            await done.wait()

    thread = threading.Thread(target=lambda: asyncio.run(listen()))
    thread.start()
    assert ready.wait(PATIENCE)
    try:
        yield player
    finally:
        loops[0].call_soon_threadsafe(done.set)
        thread.join(PATIENCE)
