"""The screen of ``ludorum play`` for realtime games: a position that changes, and keys that act at once."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Static

from ...arena.protocol.messages import Start
from ...arena.protocol.realtime_messages import ClockSignal, Happened
from ...arena.table.typed_moves import matching_moves, words_of
from ...arena.world.followed_match import FollowedMatch
from ...arena.world.hosting import RealtimeHosting
from ...arena.world.outbox import View
from ...rules.terms import Term
from ...show.board import draw_state
from ...show.grid import Grid
from .hang_up import end_with_terminal
from .move_keys import MoveKeys
from .styles import CSS

FRAME_SECONDS = 0.1
"""Seconds between two pictures; the clock goes on meanwhile."""
MOST_LINES = 200
WORDS = ("title", "board", "filter", "log", "status", "keys")
"""The parts of the screen, all of them plain text."""
BEGIN = "Press Enter to begin. The clock runs from then on."
HELP = "a key acts at once | / type a move, Enter acts, Esc forgets | F10 quit"


class PersonSeat:
    """The person at the screen: follows the match as any player does, from what its role is told."""

    def __init__(self, role: Term, on_view: Callable[[View], None]) -> None:
        self.name = "you"
        self.trouble = ""
        self.role = role
        self.match: FollowedMatch | None = None
        """As soon as the match can be followed; it has begun when ``has_begun`` is set."""
        self.has_begun = asyncio.Event()
        self._on_view = on_view

    async def start(self, message: Start, seconds: float) -> bool:
        self.match = FollowedMatch(message, guesses=False)
        try:
            async with asyncio.timeout(seconds):
                await self.has_begun.wait()
        except TimeoutError:
            self.trouble = "did not begin"
        return not self.trouble

    async def send(self, view: View) -> None:
        assert self.match is not None
        self.match.see(view)
        self._on_view(view)

    def close(self) -> None:
        pass  # the screen stays, and shows how the match ended


class RealtimeApp(App[None]):
    """One realtime match on one screen."""

    CSS = CSS
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("f10,ctrl+q", "leave", priority=True)]

    def __init__(
        self, make: Callable[[Mapping[Term, PersonSeat]], RealtimeHosting], role: Term, grid: Grid | None
    ) -> None:
        """``make``: the match with the person in a seat."""
        super().__init__(ansi_color=True)
        self._make = make
        self._grid = grid
        self._role = role
        self._keys = MoveKeys()
        self._typed: str | None = None
        self._lines: deque[str] = deque(maxlen=MOST_LINES)
        self._result = ""
        self._message = ""
        self.words = {name: Static(markup=False, id=name) for name in WORDS}

    def compose(self) -> ComposeResult:
        yield self.words["title"]
        with Horizontal(id="middle"):
            yield VerticalScroll(self.words["board"], id="left", can_focus=False)
            yield Vertical(self.words["filter"], self.words["log"], id="right")
        yield from (self.words[name] for name in ("status", "keys"))

    def on_mount(self) -> None:
        self.person = PersonSeat(self._role, self._hear)
        self.hosting = self._make({self._role: self.person})
        self.words["keys"].update(HELP)
        self.words["filter"].styles.max_height = None
        end_with_terminal(self)
        self.set_interval(FRAME_SECONDS, self.draw)
        self.run_worker(self._play(), exit_on_error=True)

    async def _play(self) -> None:
        trouble = await self.hosting.play()
        goals = self.hosting.match.record.goals or {}
        self._result = ", ".join(f"{role} {' '.join(values) or 'none'}" for role, values in goals.items())
        self._message = " ".join(f"{role}: {text}." for role, text in trouble.items())
        self.draw()

    # -- what happens -----------------------------------------------------------------------------------

    def _hear(self, view: View) -> None:
        if isinstance(view, Happened):
            own = "  you" if view.player is self._role else ""
            self._lines.append(f"{self._seconds():6.2f} {view.player} {words_of(view.move)}{own}")
            self._message = ""
        if not isinstance(view, ClockSignal):
            self.draw()  # what somebody does is shown at once, the clock ten times a second

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        if not self.person.has_begun.is_set():
            if event.key == "enter" and self.person.match is not None:
                self.person.has_begun.set()
        elif self._typed is not None:
            self._type(event)
        elif event.character == "/" or event.key == "enter":
            self._typed = ""
        elif event.character and (move := self._keys.move_of(event.character.lower())) is not None:
            self._act(move)
        self.draw()

    def _type(self, event: events.Key) -> None:
        """Typing a move; it is made as soon as Enter is pressed and it can only be one."""
        assert self._typed is not None
        if event.key == "escape":
            self._typed = None
        elif event.key == "backspace":
            self._typed = self._typed[:-1]
        elif event.key == "enter":
            fitting = self._fitting()
            exact = [move for move in fitting if words_of(move) == self._typed.strip().lower()]
            if len(exact or fitting) == 1:
                self._act((exact or fitting)[0])
                self._typed = None
            else:
                self._message = f"{len(fitting)} moves fit {self._typed!r}."
        elif event.is_printable and event.character:
            self._typed += event.character

    def _act(self, move: Term) -> None:
        if not self.hosting.controller.offer(self._role, move):
            self._message = "too many moves at once" if not self._result else ""

    def _fitting(self) -> list[Term]:
        match = self.person.match
        return [] if match is None else matching_moves(self._typed or "", match.legal())

    def action_leave(self) -> None:
        """Give the match up."""
        self.exit()

    # -- the screen -------------------------------------------------------------------------------------

    def _seconds(self) -> float:
        match = self.person.match
        return 0.0 if match is None else match.state.clock * self.hosting.match.tick_seconds

    def draw(self) -> None:
        """Show everything as it is now."""
        match = self.person.match
        game = self.hosting.match.master.sheet.source.name.rpartition("/")[2].removesuffix(".wdl")
        self.words["title"].update(f"{game} | you are {self._role} | {self._seconds():.2f} s")
        if match is None:
            self.words["status"].update("The others get ready.")
            return
        width = max(30, self.words["board"].size.width - 1)
        self.words["board"].update(Text(draw_state(match.state.facts, self._grid, width=width)))
        self.words["filter"].update(self._moves())
        height = max(3, self.size.height // 3)
        self.words["log"].update("\n".join(list(self._lines)[-height:]))
        self.words["status"].update(self._status(match))

    def _moves(self) -> str:
        match = self.person.match
        assert match is not None
        legal = match.legal()
        self._keys.offer(legal)
        if self._typed is not None:
            fitting = self._fitting()
            return "\n".join([f"move: {self._typed}_", *(f"  {words_of(move)}" for move in fitting[:20])])
        shown = sorted(legal, key=lambda move: self._keys.key_of(move) or "~")
        return "\n".join(f"{self._keys.key_of(move) or ' '}  {words_of(move)}" for move in shown)

    def _status(self, match: FollowedMatch) -> str:
        if self._result:
            return f"Over after {self._seconds():.2f} s: {self._result}. {self._message}".strip()
        if not self.person.has_begun.is_set():
            return BEGIN
        if self._message:
            return self._message
        return "You may act." if match.legal() else "You have no move now."
