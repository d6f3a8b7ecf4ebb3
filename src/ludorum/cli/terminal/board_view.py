"""The board on the screen, with a cursor where there is a grid; places and cards can be clicked."""

from __future__ import annotations

from textual import events
from textual.containers import VerticalScroll
from textual.geometry import Region
from textual.message import Message
from textual.widgets import Static

from ...arena.table.table import Table
from ...rules.terms import Term
from ...scene.move_words import MoveWords
from ...show.board import Marked
from ...show.grid import Grid, Place
from ..sight_text import places_of_last_move, sight_text
from .picture import ScreenPicture
from .table_picture import TablePicture

ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, 1), "down": (0, -1)}


class BoardView(Static, can_focus=True):
    """The picture of the table. The cursor shows while the board has the focus."""

    class PlaceChosen(Message):
        """Enter or a click on a place: only the moves that name it are wanted."""

        def __init__(self, place: Place) -> None:
            super().__init__()
            self.place = place

    class MoveChosen(Message):
        """A click on a card or a button that stands for one move."""

        def __init__(self, move: Term) -> None:
            super().__init__()
            self.move = move

    class Cleared(Message):
        """Escape: all moves again."""

    class Typed(Message):
        """A letter that belongs to the list of moves."""

        def __init__(self, character: str) -> None:
            super().__init__()
            self.character = character

    def __init__(
        self, table: Table, grid: Grid | None, words: MoveWords, colours: bool, id: str | None = None
    ) -> None:
        """Without ``colours`` the table is drawn with signs alone."""
        super().__init__(markup=False, id=id)
        self.table = table
        self.grid = grid
        self.words = words
        self.painter = TablePicture(table, grid, words) if colours else None
        self.picture = ScreenPicture()
        self.chosen: list[Place] = []
        self.targets: list[Place] = []
        """Places that moves name besides the chosen ones."""
        self.cursor: Place | None = None
        self.accepts_typing = True
        self.text = ""
        """The current picture."""
        if grid is not None:
            self.cursor = grid.columns[len(grid.columns) // 2], grid.rows[len(grid.rows) // 2]

    def draw(self) -> None:
        """Draw the table as it is now."""
        last: list[Place] = []
        if self.grid is not None:
            last = places_of_last_move(self.table.sight(), self.grid)
        cursor = self.cursor if self.has_focus and self.accepts_typing else None
        marked = Marked(last, self.chosen, cursor)
        around = self.parent.size if isinstance(self.parent, VerticalScroll) else self.size
        width = max(30, around.width - 3)
        if self.painter is None:
            self.text = sight_text(self.table, self.grid, self.words, width, marked)
            self.update(self.text)
        else:
            self.picture = self.painter.draw(marked, self.targets, (width, max(8, around.height)))
            drawn = self.picture.text()
            self.text = drawn.plain
            self.update(drawn)

    def watch_has_focus(self, has_focus: bool) -> None:
        super().watch_has_focus(has_focus)
        self.draw()  # the cursor appears and disappears

    def on_resize(self) -> None:
        self.draw()

    def on_click(self, event: events.Click) -> None:
        means = self.picture.at(event.x, event.y)
        if means is None or not self.accepts_typing:
            return
        if isinstance(means, Term):
            self.post_message(self.MoveChosen(means))
        else:
            self.cursor = means
            self.post_message(self.PlaceChosen(means))

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
        if not isinstance(self.parent, VerticalScroll) or self.cursor is None:
            return
        spot = self.picture.spot_of(self.cursor)
        if spot is not None:
            region = Region(max(0, spot.x - 1), spot.y, spot.width + 2, spot.height)
        else:
            region = Region(max(0, self.text.splitlines()[line].find(">") - 1), line, 6, 1)
        self.call_after_refresh(self.parent.scroll_to_region, region, animate=False)
