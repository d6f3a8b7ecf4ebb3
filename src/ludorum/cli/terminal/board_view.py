"""The board on the screen, with a cursor where there is a grid."""

from __future__ import annotations

from textual import events
from textual.containers import VerticalScroll
from textual.geometry import Region
from textual.message import Message
from textual.widgets import Static

from ...arena.table.table import Table
from ...show.board import Marked
from ...show.grid import Grid, Place
from ..sight_text import places_of_last_move, sight_text

ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, 1), "down": (0, -1)}


class BoardView(Static, can_focus=True):
    """What the person may see. The cursor shows while the board has the focus."""

    class PlaceChosen(Message):
        """Enter on a place: only the moves that name it are wanted."""

        def __init__(self, place: Place) -> None:
            super().__init__()
            self.place = place

    class Cleared(Message):
        """Escape: all moves again."""

    class Typed(Message):
        """A letter that belongs to the list of moves."""

        def __init__(self, character: str) -> None:
            super().__init__()
            self.character = character

    def __init__(self, table: Table, grid: Grid | None, id: str | None = None) -> None:
        super().__init__(markup=False, id=id)
        self.table = table
        self.grid = grid
        self.chosen: list[Place] = []
        self.cursor: Place | None = None
        self.accepts_typing = True
        self.text = ""
        """What is drawn now."""
        if grid is not None:
            self.cursor = grid.columns[len(grid.columns) // 2], grid.rows[len(grid.rows) // 2]

    def draw(self) -> None:
        """Draw the table as it is now."""
        last: list[Place] = []
        if self.grid is not None:
            last = places_of_last_move(self.table.sight(), self.grid)
        cursor = self.cursor if self.has_focus and self.accepts_typing else None
        marked = Marked(last, self.chosen, cursor)
        room = self.parent.size.width - 4 if isinstance(self.parent, VerticalScroll) else 0
        self.text = sight_text(self.table, self.grid, max(30, room), marked)
        self.update(self.text)
        if self.table.sight().facts is None and isinstance(self.parent, VerticalScroll):
            self.parent.scroll_end(animate=False)  # the newest words are at the end

    def watch_has_focus(self, has_focus: bool) -> None:
        super().watch_has_focus(has_focus)
        self.draw()  # the cursor comes and goes

    def on_resize(self) -> None:
        self.draw()

    def on_key(self, event: events.Key) -> None:
        if event.key in ARROWS:
            self._arrow(event.key)
        elif not self.accepts_typing:
            return
        elif event.key == "enter" and self.cursor is not None:
            self.post_message(self.PlaceChosen(self.cursor))
        elif event.key in ("escape", "backspace"):
            self.post_message(self.Cleared())
        elif event.is_printable and event.character:
            self.post_message(self.Typed(event.character))
        else:
            return
        event.stop()
        event.prevent_default()

    def _arrow(self, key: str) -> None:
        right, up = ARROWS[key]
        if self.grid is None or self.cursor is None or not self.accepts_typing:
            if isinstance(self.parent, VerticalScroll):
                self.parent.scroll_relative(x=right, y=-up, animate=False)
            return
        column = self.grid.columns.index(self.cursor[0]) + right
        row = self.grid.rows.index(self.cursor[1]) + up
        if 0 <= column < len(self.grid.columns) and 0 <= row < len(self.grid.rows):
            self.cursor = self.grid.columns[column], self.grid.rows[row]
            self.draw()
            self._scroll_to_cursor(len(self.grid.rows) - 1 - row)

    def _scroll_to_cursor(self, line: int) -> None:
        if isinstance(self.parent, VerticalScroll):
            column = self.text.splitlines()[line].find(">")
            region = Region(max(0, column - 1), line, 6, 1)
            self.call_after_refresh(self.parent.scroll_to_region, region, animate=False)
