"""The list of legal moves: typing narrows it, arrows go through it, Enter plays. Quick with thousands."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from ...arena.table.typed_moves import Writings, in_rule_words, matching_moves
from ...rules.terms import Term

HIGHLIGHT = Style(reverse=True)
STEPS = {"up": -1, "down": 1, "home": -(10**9), "end": 10**9}


class MoveList(ScrollView, can_focus=True):
    """Only the lines on the screen are ever drawn, so the number of moves does not matter."""

    class Chosen(Message):
        """A move to be played."""

        def __init__(self, move: Term) -> None:
            super().__init__()
            self.move = move

    class Refused(Message):
        """A typed text that is not a legal move, or the beginning of several."""

        def __init__(self, typed: str) -> None:
            super().__init__()
            self.typed = typed

    class Changed(Message):
        """The list was narrowed or widened."""

    class Cleared(Message):
        """Escape with nothing typed: the person wants to see all moves."""

    def __init__(self, id: str | None = None, writings: Writings = in_rule_words) -> None:
        """``writings`` are the ways to write a move, the one to be shown first."""
        super().__init__(id=id)
        self._writings = writings
        self.moves: Sequence[Term] = ()
        """Moves to choose from, before typing."""
        self.shown: list[Term] = []
        self.typed = ""
        self.at = 0
        self.is_pointed_at = False
        """Whether the highlighted move was chosen by arrows or the mouse, and not by being the first."""
        self._widest = 0

    @property
    def highlighted(self) -> Term | None:
        return self.shown[self.at] if self.shown else None

    def _label(self, move: Term) -> str:
        return self._writings(move)[0]

    def offer(self, moves: Sequence[Term], typed: str = "") -> None:
        """Other moves to choose from."""
        self.moves = moves
        self._widest = max((len(self._label(move)) for move in moves), default=0) + 2
        self._narrow(typed)

    def highlight(self, move: Term) -> None:
        """Point at a move, widening the list if need be."""
        if move not in self.shown:
            self._narrow("")
        if move in self.shown:
            self.is_pointed_at = True
            self._go(self.shown.index(move))

    def _narrow(self, typed: str) -> None:
        self.typed = typed
        self.is_pointed_at = False
        self.shown = matching_moves(typed, self.moves, self._writings)
        self.virtual_size = Size(self._widest, len(self.shown))
        self._go(0)
        self.post_message(self.Changed())

    def _go(self, at: int) -> None:
        self.at = max(0, min(at, len(self.shown) - 1))
        top, height = round(self.scroll_offset.y), max(1, self.size.height)
        if not top <= self.at < top + height:
            self.scroll_to(y=max(0, self.at - height // 2), animate=False)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        at = y + round(self.scroll_offset.y)
        if at >= len(self.shown):
            return Strip.blank(self.size.width, self.rich_style)
        here = at == self.at
        text = ("> " if here else "  ") + self._label(self.shown[at])
        left = round(self.scroll_offset.x)
        text = text[left:].ljust(self.size.width)[: self.size.width]
        return Strip([Segment(text, HIGHLIGHT if here and self.has_focus else self.rich_style)])

    def on_key(self, event: events.Key) -> None:
        page = max(1, self.size.height - 1)
        if event.key in (*STEPS, "pageup", "pagedown"):
            self.is_pointed_at = True
        if event.key in STEPS:
            self._go(self.at + STEPS[event.key])
        elif event.key in ("pageup", "pagedown"):
            self._go(self.at + (page if event.key == "pagedown" else -page))
        elif event.key == "enter":
            self._enter()
        elif event.key == "backspace":
            self._narrow(self.typed[:-1])
        elif event.key == "escape":
            if self.typed:
                self._narrow("")
            else:
                self.post_message(self.Cleared())
        elif event.is_printable and event.character:
            self._narrow(self.typed + event.character)
        else:
            return
        event.stop()
        event.prevent_default()

    def _enter(self) -> None:
        """Play the highlighted move; the typed text must be one move, or the beginning of one only."""
        typed = self.typed.strip()
        if typed and not (self.is_pointed_at or len(self.shown) == 1):
            self.post_message(self.Refused(self.typed))
        elif self.highlighted is not None:
            self.post_message(self.Chosen(self.highlighted))

    def on_click(self, event: events.Click) -> None:
        """The first click points at a move, the second plays it."""
        at = event.y + round(self.scroll_offset.y)
        if at >= len(self.shown):
            return
        if at == self.at and event.chain > 1:
            self._enter()
        else:
            self.is_pointed_at = True
            self._go(at)
