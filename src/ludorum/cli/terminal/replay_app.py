"""Stepping through a recorded match on the screen."""

from __future__ import annotations

from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from ..replay_folds import folds_of
from ..replay_frames import Reel
from .hang_up import end_with_terminal
from .styles import CSS

KEYS = "Left/Right step  Home/End  PgUp/PgDn ten steps  Space plays  q leaves"
PLAY_SECONDS = 0.7


class ReplayApp(App[None]):
    """A reel and the current frame."""

    CSS = CSS
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,n,l", "step(1)", priority=True),
        Binding("left,p,h,backspace", "step(-1)", priority=True),
        Binding("pagedown", "step(10)", priority=True),
        Binding("pageup", "step(-10)", priority=True),
        Binding("home", "show(0)", priority=True),
        Binding("end", "show(-1)", priority=True),
        Binding("space", "run", priority=True),
        Binding("q,escape,f10", "quit", priority=True),
    ]

    def __init__(self, reel: Reel) -> None:
        super().__init__(ansi_color=True)
        self.reel = reel
        self.folds = {fold.last: fold for fold in folds_of(reel)}
        self.at = 0
        self.running = False
        self.board = Static(markup=False, id="board")
        self.words = {name: Static(markup=False, id=name) for name in ("title", "log", "status", "keys")}

    def compose(self) -> ComposeResult:
        yield self.words["title"]
        yield VerticalScroll(self.board, id="left")
        yield from (self.words[name] for name in ("log", "status", "keys"))

    def on_mount(self) -> None:
        self.words["title"].update(self.reel.title)
        self.words["keys"].update(KEYS)
        self.set_interval(PLAY_SECONDS, self._tick)
        end_with_terminal(self)
        self.action_show(0)

    def on_resize(self) -> None:
        self.action_show(self.at)

    def action_step(self, by: int) -> None:
        self.running = False
        to = self.at
        for _ in range(abs(by)):
            to = self._stop(to + (1 if by > 0 else -1), by > 0)
        self.action_show(max(0, min(to, len(self.reel.frames) - 1)))

    def _stop(self, step: int, forward: bool) -> int:
        """The last frame of a step: runs of nature's moves, as a deal, are shown at once."""
        inside = next((fold for fold in self.folds.values() if fold.first <= step < fold.last), None)
        if inside is None:
            return step
        return inside.last if forward else inside.first - 1

    def action_show(self, at: int) -> None:
        """Show a frame by its number, from the end if negative."""
        self.at = range(len(self.reel.frames))[at]
        frame = self.reel.frames[self.at]
        self.board.update(self.reel.picture(self.at, max(30, self.size.width - 4)))
        notes = [f"{role}: {text}" for role, text in frame.errors]
        notes += [f"{role} is told: {text}" for role, text in frame.told]
        fold = self.folds.get(self.at)
        notes += [] if fold else frame.said
        said = frame.move_text if fold is None else fold.text
        self.words["log"].update("\n".join([f"{frame.step:3d}. {said}", *notes]))
        last = self.at == len(self.reel.frames) - 1
        where = f"step {frame.step} of {len(self.reel.frames) - 1}"
        self.words["status"].update(f"{where}; {self.reel.result}" if last else where)

    def action_run(self) -> None:
        """Start or stop automatic play."""
        self.running = not self.running

    def _tick(self) -> None:
        if self.running and self.at + 1 < len(self.reel.frames):
            self.action_show(self._stop(self.at + 1, True))
        else:
            self.running = False
