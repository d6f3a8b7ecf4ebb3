"""The Textual application: keys and widgets around a table. All thinking happens in worker threads."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Static

from ...arena.table.table import Hint, Phase, Table, TableError
from ...arena.table.thinking import Thinking
from ...engine.errors import GameError, IllegalMoveError
from ...engine.game import State
from ...rules.terms import Term
from ...scene.move_words import MoveWords
from ...show.grid import Grid
from ..opinion_text import opinion_text
from ..story import story
from .advice import advice_text
from .board_view import BoardView
from .dialogs import HelpDialog, OverDialog, RoleDialog, RulesDialog, YesNo
from .hang_up import end_with_terminal
from .move_list import MoveList
from .pace import Pace
from .styles import CSS
from .words import PLAY_KEYS, WATCH_KEYS, filter_words, status_words, title_words

TICK = 0.2
"""Seconds between two updates of the thinking time."""

WORDS = ("title", "filter", "advice", "log", "status", "keys")
"""The parts of the screen that are plain text."""


class PlayApp(App[None]):
    """One table on one screen."""

    CSS = CSS
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help", priority=True),
        Binding("f2,ctrl+t", "hint"),
        Binding("f3,ctrl+z", "undo"),
        Binding("f4,ctrl+n", "new"),
        Binding("f5,ctrl+r", "role"),
        Binding("f6,ctrl+g", "resign"),
        Binding("f7,ctrl+w", "watch"),
        Binding("f8,ctrl+s", "save"),
        Binding("f9,ctrl+x", "hurry"),
        Binding("f10,ctrl+q", "leave", priority=True),
        Binding("f12,ctrl+l", "rules"),
        Binding("ctrl+e", "evaluate"),
        Binding("ctrl+o", "worlds"),
    ]

    def __init__(self, table: Table, grid: Grid | None, rules: str = "", colours: bool = True) -> None:
        """``rules`` are the rules of the game in words; without ``colours`` the board is drawn with signs."""
        super().__init__(ansi_color=True)
        self.table = table
        self.grid = grid
        self.rules = rules
        self.move_words = MoveWords(table.game, grid)
        self.pace = Pace()
        self.message = ""
        # Held here rather than looked up: messages still arrive while the screen is closed.
        self.board = BoardView(table, grid, self.move_words, colours, id="board")
        self.role_styles = self.board.painter.styles if self.board.painter else {}
        self.moves = MoveList("moves", self._writings)
        self.words = {name: Static(markup=False, id=name) for name in WORDS}
        self.right = Vertical(
            self.words["filter"], self.moves, self.words["advice"], self.words["log"], id="right"
        )
        self.evaluates = False
        """Whether an adviser values every position in which the person has a choice."""
        self._facts: frozenset[Term] | None = None
        """The facts of the state on the screen, where the person may see them."""
        self._hinting: Thinking | None = None
        self._asked_for_hint = False
        self._last_role = table.role
        self._by_board = False
        """Whether the person chose the last move on the board, and will want to do so again."""
        self._over_shown = False
        self._waiting = False
        """Whether a pause between two watched moves is running."""

    # -- the screen -------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        yield self.words["title"]
        with Horizontal(id="middle"):
            yield VerticalScroll(self.board, id="left", can_focus=False)
            yield self.right
        yield from (self.words[name] for name in ("status", "keys"))

    def on_mount(self) -> None:
        self.set_interval(TICK, self._tick)
        end_with_terminal(self)
        self.go_on()

    def redraw(self) -> None:
        """Show everything as the table has it now; all moves are offered again."""
        table = self.table
        watching = table.role is None
        self.board.accepts_typing = not watching
        self.board.chosen, self.board.targets = [], []
        self._facts = table.sight().facts
        self.moves.offer(self._listed() if table.phase is Phase.CHOICE else ())
        self.moves.display = not watching
        self.words["filter"].display = not watching
        self.words["advice"].display = False
        (self.board if watching or self._by_board else self.moves).focus()
        self.board.draw()
        self.words["title"].update(title_words(table, self.role_styles))
        self._draw_log()
        self.words["keys"].update(WATCH_KEYS if watching else PLAY_KEYS)
        self._tick()

    def _draw_log(self) -> None:
        """The last lines of the history, as many as fit, the newest last."""
        width = max(20, self.right.size.width - 2)
        most = max(3, self.size.height * (8 if self.table.role is None else 3) // 10 - 2)
        lines: list[str] = []
        for line in reversed(story(self.table, self.move_words, most)):
            wrapped = textwrap.wrap(line, width, subsequent_indent="  ")
            if lines and len(lines) + len(wrapped) > most:
                break
            lines = wrapped + lines
        named = self.board.painter.named if self.board.painter else Text
        self.words["log"].display = bool(lines)
        self.words["log"].update(Text("\n").join(map(named, lines)))

    def _tick(self) -> None:
        waits = status_words(self.table, self._hinting, self.pace, self._writings, self.grid is not None)
        self.words["status"].update("\n".join(filter(None, (waits, self.message))))

    def say(self, message: object) -> None:
        self.message = str(message)
        self._tick()

    # -- the course of the match ------------------------------------------------------------------------

    def go_on(self) -> None:
        """Show the table and start the next work that does not need the person."""
        self.redraw()
        table = self.table
        if table.is_finished:
            self._show_over()
            return
        self._over_shown = False
        if self.evaluates and table.phase is Phase.CHOICE and self._hinting is None:
            self._begin_hint(asked=False)
        if table.phase is Phase.MOVES and table.thinking is None:
            if table.role is not None:
                self.begin(None)
            elif not self.pace.paused and not self._waiting:
                self._waiting = True
                self.set_timer(self.pace.delay, self._after_pause)

    def _after_pause(self) -> None:
        self._waiting = False
        table = self.table
        if table.role is None and not self.pace.paused and table.thinking is None and not table.is_finished:
            self.begin(None)

    def begin(self, move: Term | None) -> None:
        """Make the person's move; the others think in a thread."""
        try:
            thinking = self.table.begin(move)
        except GameError as error:
            self.say(error)
            return
        if move is not None:
            self.message = ""
        self._drop_hint()
        self.moves.offer(())
        self.run_worker(partial(self._think, thinking), thread=True, group="players")

    def _think(self, thinking: Thinking) -> None:
        """Let the players think, in a worker thread."""
        fault = ""
        try:
            thinking.run()
        except GameError as error:
            fault = str(error)
        if not thinking.is_abandoned:
            self.call_from_thread(self._thought, thinking, fault)

    def _thought(self, thinking: Thinking, fault: str) -> None:
        if not self.board.is_attached:
            return  # the screen is being closed
        if thinking is self._hinting:
            self._hinting = None
            self._show_hint(thinking, fault)
            return
        try:
            if fault or not self.table.complete(thinking):
                self.say(fault)
                return
        except GameError as error:
            fault = str(error)
        faults = "; ".join(filter(None, (fault, *thinking.faults)))
        # Who watches has not answered what was said by a move: it stays to be read.
        if faults or self.table.role is not None:
            self.message = faults
        self.go_on()

    def _show_hint(self, thinking: Thinking, fault: str) -> None:
        if fault or thinking.state is not self.table.match.state:
            self.say(fault)
            return
        hint = self.table.hint(thinking)
        self.show_advice(hint)
        if not self._asked_for_hint:
            self._tick()
            return
        self._choose_places_anew()
        self.moves.highlight(hint.move)
        self.moves.focus()
        self.say(f"Hint: {hint.text(self._label)}")

    def show_advice(self, hint: Hint) -> None:
        """Show the value of the position for the person and the best moves, as a player values them."""
        self.words["advice"].update(advice_text(self.table, hint, self._label, self.role_styles))
        self.words["advice"].display = True

    @property
    def is_thinking(self) -> bool:
        """Whether a player or the adviser thinks."""
        return self.table.thinking is not None or self._hinting is not None

    def read(self, text: str) -> Term:
        """The move that a text writes; IllegalMoveError says why there is none."""
        return self.table.read(text, self._writings)

    def _label(self, move: Term) -> str:
        return self._writings(move)[0]

    def _writings(self, move: Term) -> Sequence[str]:
        return self.move_words.writings(move, self._facts)

    def _drop_hint(self) -> None:
        if self._hinting is not None:
            self._hinting.abandon()
            self._hinting = None

    def _show_over(self) -> None:
        if not self._over_shown:
            self._over_shown = True
            self.push_screen(OverDialog(self.table), self._after_over)

    def _after_over(self, answer: str | None) -> None:
        actions = {
            "n": self._new_match,
            "u": self.action_undo,
            "s": self.action_save,
            "r": self.action_role,
            "q": self.action_leave,
        }
        if answer:
            actions[answer]()

    # -- moves and places -------------------------------------------------------------------------------

    def on_move_list_chosen(self, message: MoveList.Chosen) -> None:
        if self.table.phase is Phase.CHOICE:
            self.begin(message.move)

    def on_move_list_refused(self, message: MoveList.Refused) -> None:
        try:
            self.begin(self.read(message.typed))
        except IllegalMoveError as error:
            self.say(error)

    def on_move_list_changed(self) -> None:
        self._by_board = self._by_board and not self.moves.typed
        moves = self.moves
        words = filter_words(moves.typed, moves.shown, self.table.legal, self.board.chosen, self._writings)
        self.words["filter"].update(words if moves.moves else "")

    def on_move_list_cleared(self) -> None:
        self._choose_places_anew()

    def on_board_view_cleared(self) -> None:
        self._choose_places_anew()

    def _choose_places_anew(self) -> None:
        self.board.chosen, self.board.targets = [], []
        self.board.draw()
        if self.table.phase is Phase.CHOICE:
            self.moves.offer(self._listed())

    def _listed(self) -> tuple[Term, ...]:
        return self.move_words.in_order(self.table.legal)

    def on_board_view_typed(self, message: BoardView.Typed) -> None:
        self._by_board = False
        self.moves.offer(self.moves.moves, self.moves.typed + message.character)
        self.moves.focus()

    def on_board_view_place_chosen(self, message: BoardView.PlaceChosen) -> None:
        """Keep the moves that name this place and those chosen before; play one that names no other."""
        if self.grid is None or self.table.phase is not Phase.CHOICE:
            return
        legal = self.table.legal
        places = [*self.board.chosen, message.place]
        found = self.grid.moves_at(places, legal)
        if not found:
            places = [message.place]
            found = self.grid.moves_at(places, legal)
        if not found:
            self.say(f"No legal move names {' '.join(message.place)}.")
            return
        self.say("")
        self._by_board = True
        named = [place for move in found for place in self.grid.places_in(move)]
        if len(found) == 1 and set(named) <= set(places):
            self.begin(found[0])
            return
        self.board.chosen = places
        self.board.targets = [place for place in dict.fromkeys(named) if place not in places]
        self.moves.offer(found)
        self.board.draw()

    def on_board_view_move_chosen(self, message: BoardView.MoveChosen) -> None:
        if self.table.phase is Phase.CHOICE and message.move in self.table.legal:
            self._by_board = True
            self.begin(message.move)

    # -- keys -------------------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Allow no action behind a dialog, except leaving."""
        ours = {one.action for one in self.BINDINGS if isinstance(one, Binding)} - {"leave"}
        return not (action in ours and len(self.screen_stack) > 1)

    def on_key(self, event: events.Key) -> None:
        """Keys for watching; the widgets have taken the others."""
        if self.table.role is not None or len(self.screen_stack) > 1:
            return
        if event.key == "space":
            self.pace.paused = not self.pace.paused
            self.go_on()
        elif event.key in ("n", "right"):
            self.pace.paused = True
            if self.table.thinking is None and not self.table.is_finished:
                self.begin(None)
        elif event.key in ("plus", "minus"):
            self.pace.faster() if event.key == "plus" else self.pace.slower()
        elif event.key == "u":
            self.pace.paused = True
            self.action_undo()
        self._tick()

    def action_help(self) -> None:
        self.push_screen(HelpDialog())

    def action_rules(self) -> None:
        self.push_screen(
            RulesDialog(self.rules or f"The rules of {self.table.game.name} have no description.")
        )

    def action_evaluate(self) -> None:
        """Switch on or off the evaluation of every position in which the person has a choice."""
        self.evaluates = not self.evaluates
        self.say("Every position is evaluated; Ctrl+E ends that." if self.evaluates else "")
        self.words["advice"].display = False
        if self.evaluates and self.table.phase is Phase.CHOICE and self._hinting is None:
            self._begin_hint(asked=False)

    def action_worlds(self) -> None:
        """Show what worlds say that agree with what the person was told; they are found in a thread."""
        try:
            self.table.check_worlds()
        except TableError as error:
            self.say(error)
            return
        self.say("Worlds are drawn that agree with what you know …")
        self.run_worker(self._ask_worlds, thread=True, group="worlds", exclusive=True)

    def _ask_worlds(self) -> None:
        table = self.table
        state = table.match.state
        try:
            text = opinion_text(table, table.worlds(), self._label)
        except TableError as error:
            self.call_from_thread(self.say, error)
            return
        self.call_from_thread(self._show_worlds, state, text)

    def _show_worlds(self, state: State, text: str) -> None:
        if self.board.is_attached and state is self.table.match.state and len(self.screen_stack) == 1:
            self.say("")
            self.push_screen(RulesDialog(text))

    def action_hint(self) -> None:
        if self._hinting is not None:
            self._asked_for_hint = True
            self._hinting.hurry()
            return
        self._begin_hint(asked=True)

    def _begin_hint(self, asked: bool) -> None:
        self._asked_for_hint = asked
        try:
            self._hinting = self.table.begin_hint()
        except TableError as error:
            self.say(error)
            return
        if asked:
            self.message = ""
        self.run_worker(partial(self._think, self._hinting), thread=True, group="players")

    def action_hurry(self) -> None:
        thinking = self._hinting or self.table.thinking
        if thinking is not None:
            thinking.hurry()

    def action_undo(self) -> None:
        self._drop_hint()
        try:
            self.table.undo()
            self.message = ""
        except TableError as error:
            self.message = str(error)
        self.go_on()

    def action_new(self) -> None:
        if self.table.match.moves and not self.table.is_finished:
            question = "Leave this match and begin another?"
            self.push_screen(YesNo(question), lambda yes: self._new_match() if yes else None)
        else:
            self._new_match()

    def _new_match(self) -> None:
        self._drop_hint()
        self.table.new()
        self.message = ""
        self._over_shown = False
        self.go_on()

    def action_role(self) -> None:
        self.push_screen(RoleDialog(self.table), self._after_role)

    def _after_role(self, number: int | None) -> None:
        if number is not None:
            players = self.table.game.info.players
            self.sit(players[number] if number < len(players) else None)
        elif self.table.is_finished:
            self._over_shown = False
            self.go_on()

    def sit(self, role: Term | None) -> None:
        """Take a seat: in the same match where that reveals nothing hidden, else in another."""
        self._drop_hint()
        if self.table.role is not None:
            self._last_role = self.table.role
        self.message = ""
        try:
            if self.table.is_finished:
                self.table.new(role, watch=role is None)
            else:
                self.table.sit(role)
        except TableError:
            self.table.new(role, watch=role is None)
            self.message = "Something is hidden in this game, so that another seat needs another match."
        self._over_shown = False
        self.pace.paused = False
        self.go_on()

    def action_watch(self) -> None:
        self.sit(None if self.table.role is not None else self._last_role or self.table.game.info.players[0])

    def action_resign(self) -> None:
        if self.table.role is None or self.table.is_finished:
            self.say("There is nothing to resign.")
            return
        self.push_screen(YesNo("Do you give up this match?"), self._after_resign)

    def _after_resign(self, yes: bool | None) -> None:
        if yes and not self.table.is_finished:
            self._drop_hint()
            self.table.resign()
            self.message = ""
            self.go_on()

    def action_save(self) -> None:
        try:
            self.say(f"Saved: {self.table.save()}")
        except (TableError, OSError) as error:
            self.say(error)

    def action_leave(self) -> None:
        self._drop_hint()
        self.table.leave()
        self.exit()


def play_on_screen(table: Table, grid: Grid | None, rules: str = "") -> None:
    """Run the screen until the person leaves it; without colours if the person has switched them off."""
    PlayApp(table, grid, rules, colours=not os.environ.get("NO_COLOR")).run()
