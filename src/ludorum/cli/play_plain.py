"""Playing line by line: for pipes and simple terminals; and the demonstration."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import typer

from ..arena.table.table import Phase, Table, TableError
from ..engine.errors import GameError, IllegalMoveError
from ..rules.terms import Term
from ..scene.move_words import MoveWords
from ..show.board import Marked, wrap
from ..show.grid import Grid
from .opinion_text import opinion_text
from .sight_text import places_of_last_move, question_of, sight_text
from .story import step_text, story

HELP = """\
Type a move as people write it (e2e4, Nf3, 4, kh), or as much of it as no other move has, or # and its number
in the list. Other words:
  hint    what the player would do       undo    take back your last move
  moves   list the moves again           board   show the board again
  rules   the rules of the game          new     begin another match
  role R  play another role              save F  write the record of the match to a file
  worlds  what may be hidden, and how likely it is
  resign  give up and leave              quit    leave"""

MOST_LISTED = 60
"""Moves listed at a time; people cannot read two thousand."""
MOST_STEPS = 1000
"""Steps after which a match without people is stopped: some games never end."""


def play_or_watch(table: Table, grid: Grid | None, rules: str = "") -> None:
    """A match in lines of text, with the person in a role or without."""
    if table.role is None:
        watch(table, grid)
    else:
        PlainTable(table, grid, rules).play()


def watch(table: Table, grid: Grid | None) -> None:
    """Let players play all roles; every step with a choice is a line, and the last state is drawn."""
    words = MoveWords(table.game, grid)
    names = ", ".join(f"{role}: {name}" for role, name in table.names.items())
    typer.echo(f"{table.game.name}: {names} (seed {table.seed})")
    while not table.is_finished and len(table.match.moves) < MOST_STEPS:
        for fault in table.advance().faults:
            typer.echo(fault, err=True)
        line = step_text(table, words, len(table.match.moves) - 1, 3)
        if line:
            typer.echo(line)
    typer.echo(_picture(table, grid, words))
    typer.echo(table.result())


def _picture(table: Table, grid: Grid | None, words: MoveWords) -> str:
    last = places_of_last_move(table.sight(), grid) if grid else []
    return sight_text(table, grid, words, marked=Marked(last=last))


class PlainTable:
    """A match with a person who types lines."""

    def __init__(self, table: Table, grid: Grid | None, rules: str = "") -> None:
        self.table = table
        self.grid = grid
        self.words = MoveWords(table.game, grid)
        self._rules = rules
        self._commands: dict[str, Callable[[str], None]] = {
            "hint": self._hint,
            "undo": self._undo,
            "moves": self._list,
            "board": self._show,
            "new": self._new,
            "role": self._role,
            "rules": self._tell_rules,
            "save": self._save,
            "worlds": self._worlds,
            "help": self._help,
            "?": self._help,
        }

    def play(self) -> None:
        table = self.table
        typer.echo(f"{table.game.name}: you are {table.role} (seed {table.seed}). Type ? for help.")
        self._show()
        while not table.is_finished:
            own = None
            if table.phase is Phase.CHOICE:
                self._list()
                own = self._ask()
                if own is None:
                    return
            self._advance(own)
        typer.echo(table.result())

    def _advance(self, own: Term | None) -> None:
        table = self.table
        for fault in table.advance(own).faults:
            typer.echo(fault)
        if not table.match.is_over:
            self._tell_step()
        if table.phase is Phase.CHOICE or table.is_finished:
            self._show()

    def _tell_step(self) -> None:
        """What the others did in the last step, or what the person was told of it."""
        table = self.table
        step = table.step(-1)
        if step is None:
            return
        if not table.is_open:
            line = step_text(table, self.words, len(table.match.moves) - 1)
            if line and line not in story(table, self.words, 2)[:-1]:  # not shown already
                typer.echo(line)
            return
        facts = table.match.states[-2].facts()
        for role, move in step.moves:
            if role is not table.role and role in step.chosen:
                typer.echo(f"{role} plays {self.words.label(move, facts)}")

    def _ask(self) -> Term | None:
        """Ask until the answer is a legal move; None if the person leaves."""
        while True:
            try:
                answer = input(f"{self.table.role}> ").strip()
            except EOFError:
                typer.echo("")
                answer = "resign"
            word, _, rest = answer.partition(" ")
            word = word.lower()
            try:
                if word == "resign":
                    self.table.resign()
                    typer.echo("You resigned.")
                    return None
                if word in ("quit", "q", "exit"):
                    typer.echo(f"You left after {len(self.table.match.moves)} moves.")
                    return None
                move = self._read(answer) if answer else None
                if move is not None:
                    return move
                if word in self._commands:
                    self._commands[word](rest.strip())
                elif answer:
                    return self.table.read(answer, self._writings)
            except (TableError, IllegalMoveError, OSError) as error:
                typer.echo(str(error))

    def _read(self, answer: str) -> Term | None:
        """A move in full, or by # and its number; moves take precedence over commands of the same name."""
        legal = self._legal()
        number = answer.removeprefix("#").strip()
        if answer.startswith("#") and number.isdigit() and 1 <= int(number) <= len(legal):
            return legal[int(number) - 1]
        exact = {str(move): move for move in legal}
        exact |= {self._writings(move)[0].lower(): move for move in legal}
        return exact.get(answer.lower())

    def _legal(self) -> tuple[Term, ...]:
        return self.words.in_order(self.table.legal)

    def _writings(self, move: Term) -> tuple[str, ...]:
        return self.words.writings(move, self.table.sight().facts)

    def _show(self, _: str = "") -> None:
        typer.echo("")
        typer.echo(_picture(self.table, self.grid, self.words))

    def _list(self, _: str = "") -> None:
        legal = self._legal()
        asked = question_of(self.table)
        if asked:
            typer.echo(asked)
        entries = [f"#{at} {self._writings(move)[0]}" for at, move in enumerate(legal[:MOST_LISTED], start=1)]
        typer.echo("\n".join(wrap(entries, "   ", 78)))
        if len(legal) > MOST_LISTED:
            typer.echo(f"... and {len(legal) - MOST_LISTED} more moves: type a part of one")

    def _hint(self, _: str) -> None:
        thinking = self.table.begin_hint()
        thinking.run()
        hint = self.table.hint(thinking)
        typer.echo(f"hint: {hint.text(lambda move: self._writings(move)[0])}")

    def _worlds(self, _: str) -> None:
        typer.echo(opinion_text(self.table, self.table.worlds(), lambda move: self._writings(move)[0]))

    def _undo(self, _: str) -> None:
        self.table.undo()
        self._show()
        self._list()

    def _new(self, _: str) -> None:
        self.table.new()
        self._begin()

    def _role(self, name: str) -> None:
        table = self.table
        try:
            role = table.game.role(name)
        except GameError as error:
            raise TableError(str(error)) from None
        if role not in table.game.info.players:
            raise TableError(f"{role} is played by chance")
        table.sit(role)
        self._begin()

    def _begin(self) -> None:
        """Go on to the person's next choice, in a new match or role."""
        typer.echo(f"You are {self.table.role}.")
        self._show()
        while self.table.phase is Phase.MOVES:
            self._advance(None)
        if self.table.phase is Phase.CHOICE:
            self._list()

    def _save(self, name: str) -> None:
        typer.echo(f"saved: {self.table.save(Path(name) if name else None)}")

    def _tell_rules(self, _: str) -> None:
        typer.echo("\n".join(wrap((self._rules or "This game has no rules in words.").split(), " ", 78)))

    def _help(self, _: str) -> None:
        typer.echo(HELP)
