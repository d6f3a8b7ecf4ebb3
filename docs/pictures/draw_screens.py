"""Writes the screens of ``docs/play.md``: ``make screens``.

Seeds are fixed and no player thinks by the clock, so that the pictures are the same on every machine.
"""

from __future__ import annotations

import asyncio
import re
import sys
from dataclasses import dataclass

from ludorum.arena.table.table import Hint, Phase, Table
from ludorum.cli.play import rules_text
from ludorum.cli.terminal import PlayApp
from ludorum.engine.board import find_grid
from ludorum.engine.load import load_game, make_game
from ludorum.rules.library import find_sheet
from ludorum.search.budget import Budget
from ludorum.search.mcts import Mcts
from ludorum.search.mcts_config import MctsConfig
from tests.corpus_location import ROOT

FONT = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)
"""Textual asks for a font from elsewhere; the pictures fetch nothing, and use the reader's monospace."""
FOLDER = ROOT / "docs" / "images"
SIZE = (104, 32)


@dataclass(frozen=True)
class Screen:
    """A game, whom the person plays, and what it does before the picture is taken."""

    game: str
    role: str
    player: str
    seed: int
    moves: tuple[str, ...]
    places: tuple[tuple[str, str], ...] = ()
    """Places that are clicked after the moves."""
    playouts: int = 0
    """Playouts of an adviser that is asked in the end."""


SCREENS = (
    Screen("chess", "white", "random", 11, ("e4", "Nf3", "Bc4", "d3", "Nc3"), places=(("f", "3"),)),
    Screen("connect_four", "red", "random", 3, ("4", "4", "3", "5"), playouts=20_000),
    Screen("hearts", "player0", "random", 5, ("#0", "#1", "#2", "#0", "#0", "#0")),
    Screen("kuhn_poker", "alice", "random", 2, ()),
)


def advice(screen: Screen, table: Table) -> Hint:
    """What a tree search of counted work says of the position on the table."""
    game = load_game(screen.game, "compiled")
    state = game.state(table.match.state.facts())
    # One leaf after the other: batches are as large as the vectors of the machine allow.
    found = Mcts(game, MctsConfig(seed=screen.seed, batch=1)).search(
        state, game.role(screen.role), Budget(playouts=screen.playouts)
    )
    return Hint(found.move, found)


async def picture(screen: Screen) -> str:
    """The screen as SVG."""
    sheet = find_sheet(screen.game)
    game = make_game(sheet, "lifted")
    table = Table(game, game.role(screen.role), screen.player, 1.0, screen.seed)
    app = PlayApp(table, find_grid(game), rules_text(sheet))
    async with app.run_test(size=SIZE) as pilot:

        async def settle() -> None:
            while table.phase is Phase.MOVES or app.is_thinking:
                await pilot.pause(0.02)
            await pilot.pause(0.1)

        for move in screen.moves:
            await settle()
            if table.phase is Phase.CHOICE:
                number = move.removeprefix("#")
                app.begin(table.legal[int(number)] if number != move else app.read(move))
        await settle()
        for place in screen.places:
            spot = app.board.picture.spot_of(place)
            assert spot is not None
            await pilot.click(app.board, offset=(spot.x + 1, spot.y))
        if screen.playouts:
            app.show_advice(advice(screen, table))
        await settle()
        return FONT.sub("", app.export_screenshot(title=f"ludorum play {screen.game}"))


def main() -> None:
    """Write the screens that are named, or all."""
    FOLDER.mkdir(exist_ok=True)
    for screen in SCREENS:
        if sys.argv[1:] and screen.game not in sys.argv[1:]:
            continue
        path = FOLDER / f"{screen.game}.svg"
        path.write_text(asyncio.run(picture(screen)) + "\n", encoding="utf-8")
        print(path)


if __name__ == "__main__":
    main()
