"""Questions and answers in front of the board: help, roles, yes or no, and the end of a match."""

from __future__ import annotations

from typing import Generic, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from ...arena.table.table import Phase, Table
from ...rules.terms import Term

Answer = TypeVar("Answer")

HELP = """\
Moves     type one (e2e4, Nf3, 4, kh) or a part of it, or go up and down; Enter
          plays. Where several moves fit what you typed, they are listed.
Mouse     click a piece and where it goes; click a card; double-click the list
Board     Tab goes there: arrows move the cursor > <, Enter chooses a place;
          Esc brings all moves back; [ ] is around places of the last move

F1            this help               F7  Ctrl+W    only watch, and back
F2  Ctrl+T    hint, best moves        F8  Ctrl+S    save the record
F3  Ctrl+Z    undo                    F9  Ctrl+X    think no longer: move now
F4  Ctrl+N    new match               F10 Ctrl+Q    quit
F5  Ctrl+R    choose your role        F12 Ctrl+L    the rules of the game
F6  Ctrl+G    resign (give up)            Ctrl+E    evaluation at every move
                                          Ctrl+O    what may be hidden, how likely

Watching  Space pause   N one step   + faster   - slower   U one step back

Any key goes back."""


class Dialog(ModalScreen[Answer], Generic[Answer]):
    """A box with text; each kind handles its own keys."""

    def text(self) -> str:
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(self.text(), markup=False, id="dialog-text")


class HelpDialog(Dialog[None]):
    """The list of keys; any key closes it."""

    def text(self) -> str:
        return HELP

    def on_key(self, event: events.Key) -> None:
        event.stop()
        self.dismiss(None)


class RulesDialog(HelpDialog):
    """The rules of the game in words; any key closes it."""

    def __init__(self, rules: str) -> None:
        super().__init__()
        self.rules = rules

    def text(self) -> str:
        return f"{self.rules}\n\nAny key goes back."


class YesNo(Dialog[bool]):
    """A question."""

    def __init__(self, question: str) -> None:
        super().__init__()
        self.question = question

    def text(self) -> str:
        return f"{self.question}\n\nY yes   N no"

    def on_key(self, event: events.Key) -> None:
        event.stop()
        if event.key in ("y", "enter"):
            self.dismiss(True)
        elif event.key in ("n", "escape", "q"):
            self.dismiss(False)


class RoleDialog(Dialog[int | None]):
    """Which role to play: its number among the players, one more for none; None where nothing changes."""

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table = table
        self.roles: tuple[Term, ...] = table.game.info.players
        self.at = len(self.roles) if table.role is None else self.roles.index(table.role)

    def text(self) -> str:
        names = [str(role) for role in self.roles] + ["nobody: only watch"]
        lines = [f"{'>' if at == self.at else ' '} {at + 1}  {name}" for at, name in enumerate(names)]
        return "\n".join(
            ["Which role do you want to play?", "", *lines, "", "Arrows or number, Enter; Esc goes back."]
        )

    def on_key(self, event: events.Key) -> None:
        event.stop()
        if event.key in ("up", "down"):
            self.at = (self.at + (1 if event.key == "down" else -1)) % (len(self.roles) + 1)
            self.query_one("#dialog-text", Static).update(self.text())
        elif event.key == "enter":
            self.dismiss(self.at)
        elif event.key == "escape":
            self.dismiss(None)
        elif (
            event.character and event.character.isdigit() and 0 < int(event.character) <= len(self.roles) + 1
        ):
            self.dismiss(int(event.character) - 1)


class OverDialog(Dialog[str]):
    """The end of a match: goals, and what to do now."""

    KEYS = ("n", "u", "s", "r", "q")

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table = table

    def text(self) -> str:
        table = self.table
        lines = [table.result()]
        if table.phase is Phase.OVER:
            width = max(len(str(role)) for role in table.game.info.players)
            lines = [f"Game over after {len(table.match.moves)} moves", ""]
            for role, goal in table.goals():
                who = "you" if role is table.role else table.names[role]
                lines.append(f"{role!s:<{width}}  {'?' if goal is None else goal:>3} of 100  {who}")
            if table.role is not None and (goal := table.match.state.goal(table.role)) is not None:
                lines += ["", verdict(goal)]
        keys = "N new match  R other role  U undo  S save  Q quit  Esc back to the board"
        return "\n".join([*lines, "", keys])

    def on_key(self, event: events.Key) -> None:
        event.stop()
        if event.key in self.KEYS:
            self.dismiss(event.key)
        elif event.key in ("escape", "enter"):
            self.dismiss("")


def verdict(goal: int) -> str:
    """A goal value in words to its owner."""
    return "You have won." if goal == 100 else "You have lost." if goal == 0 else f"You have {goal} of 100."
