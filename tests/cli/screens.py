"""The screen of ``ludorum play`` in tests: keys in, text out."""

import asyncio
from collections.abc import Awaitable, Callable

from textual.pilot import Pilot

from ludorum.arena.table.table import Phase, Table
from ludorum.cli.terminal import PlayApp
from ludorum.engine.board import find_grid
from ludorum.engine.game import Game

SIZE = (80, 24)


def screen_text(app: PlayApp) -> str:
    """What stands on the screen, without colours."""
    # Textual has no public way to the text of the whole screen, only to an SVG picture.
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text.rstrip() for strip in strips)


class Person:
    """Somebody who presses keys and waits for answers."""

    def __init__(self, app: PlayApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def table(self) -> Table:
        return self.app.table

    def phase(self) -> Phase:
        return self.table.phase

    @property
    def screen(self) -> str:
        return screen_text(self.app)

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.settle()

    async def type(self, text: str) -> None:
        await self.press(*("space" if sign == " " else sign for sign in text))

    async def until(self, holds: Callable[[], bool], seconds: float = 20) -> None:
        for _ in range(round(seconds / 0.02)):
            await self.pilot.pause(0.02)
            if holds():
                return
        raise AssertionError(f"waited in vain; the screen shows:\n{self.screen}")

    async def settle(self) -> None:
        """Wait until nobody thinks any more and the screen shows what they found.

        Textual draws by a timer; one that is due earlier than our own has run when ours has.
        """
        await self.until(self._is_quiet)
        await self.pilot.pause(0.05)

    def _is_quiet(self) -> bool:
        app = self.app
        busy = self.table.thinking is not None or app._hinting is not None
        return not busy and (self.table.role is None or self.table.phase is not Phase.MOVES)


def at_the_screen(
    game: Game,
    role: str | None,
    play: Callable[[Person], Awaitable[None]],
    player: str = "legal",
    seconds: float = 0.2,
    seed: int = 0,
    colours: bool = False,
    rules: str = "",
    size: tuple[int, int] = SIZE,
) -> None:
    """Let a person play at an 80 by 24 screen; boards are drawn with signs, or in colours."""

    async def run() -> None:
        table = Table(game, game.role(role) if role else None, player, seconds, seed)
        app = PlayApp(table, find_grid(game), rules, colours)
        async with app.run_test(size=size) as pilot:
            person = Person(app, pilot)
            if role:
                await person.settle()
            await play(person)

    asyncio.run(run())
