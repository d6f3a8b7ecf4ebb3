"""``ludorum play``: a match in the terminal, person against player; without a terminal a demonstration."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from ..arena.match import Match, play_match
from ..engine.game import Game
from ..players import STRONGEST, Player, make_player, position_of
from ..rules.kif import format_term, parse_term
from ..rules.source import RulesError
from ..rules.terms import Term
from .board import Grid, draw, find_grid
from .common import GameArgument, LenientOption, SeedOption, readable_errors

HELP = """\
Type the number of a move, or the move itself. Other words:
  hint    what the player would do       undo    take back your last move
  moves   list the moves again           resign  give up and leave"""


def run(
    game: GameArgument,
    role: Annotated[str | None, typer.Option("--role", help="your role; the first one if not given")] = None,
    player: Annotated[str, typer.Option("--player", help="who plays the other roles")] = STRONGEST,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.05, help="thinking time of the player a move")
    ] = 3.0,
    seed: SeedOption = 0,
    watch: Annotated[bool, typer.Option("--watch", help="only watch: all roles are played")] = False,
    lenient: LenientOption = False,
) -> None:
    """Play a game in the terminal."""
    from ..engine.load import load_game

    with readable_errors(as_json=False):
        loaded = load_game(game, "auto", lenient)
        grid = find_grid(loaded)
        if watch or not sys.stdin.isatty():
            if not watch:
                typer.echo("No terminal to type in: a demonstration match instead.")
            _demonstrate(loaded, grid, player, min(seconds, 0.4) if not watch else seconds, seed)
        else:
            _Table(
                loaded, grid, loaded.role(role) if role else loaded.info.players[0], player, seconds, seed
            ).play()


def _demonstrate(game: Game, grid: Grid | None, name: str, seconds: float, seed: int) -> None:
    """The player in the first role against random play in the others."""
    match = Match(game, seed)
    first, *others = game.info.players
    players: dict[Term, Player] = {first: make_player(name, seed)}
    players.update({role: make_player("random", seed + 1 + at) for at, role in enumerate(others)})
    names = ", ".join(f"{role}: {players[role].name}" for role in game.info.players)
    typer.echo(f"{game.name}: {names} (seed {seed})")

    def show(match: Match) -> None:
        moves = ", ".join(f"{role} {move}" for role, move in zip(game.roles, match.moves[-1], strict=True))
        typer.echo(f"{len(match.moves):3d}. {moves}")

    play_match(match, players, seconds, show)
    typer.echo(draw(match.state, grid))
    typer.echo(_result(match))


def _result(match: Match) -> str:
    goals = ", ".join(
        f"{role} {'?' if goal is None else goal}"
        for role, goal in zip(match.game.roles, match.state.goals(), strict=True)
    )
    return f"Game over after {len(match.moves)} moves: {goals}" if match.is_over else f"Stopped: {goals}"


class _Table:
    """A person at the terminal in one role, a player in each of the others."""

    def __init__(
        self, game: Game, grid: Grid | None, role: Term, name: str, seconds: float, seed: int
    ) -> None:
        self.match = Match(game, seed)
        self.grid = grid
        self.role = role
        self.seconds = seconds
        self.adviser = make_player(name, seed + 1)
        others = [other for other in game.info.players if other is not role]
        self.players = {other: make_player(name, seed + 2 + at) for at, other in enumerate(others)}

    def play(self) -> None:
        typer.echo(f"{self.match.game.name}: you are {self.role}. Type ? for help.")
        while not self.match.is_over:
            self._show()
            own = self._own_move()
            if own is None:
                typer.echo("You resigned.")
                return
            moves = {self.role: own}
            for role, player in self.players.items():
                position = position_of(self.match.state, role)
                move = player.choose(position, self.seconds)
                moves[role] = move if move in position.legal else position.legal[0]
                if len(position.legal) > 1 and self.match.state.view(self.role).facts is not None:
                    typer.echo(f"{role} plays {move}")
            self.match.play(moves)
        self._show()
        typer.echo(_result(self.match))

    def _show(self) -> None:
        """The board if the role may see it, else what it was told."""
        view = self.match.state.view(self.role)
        typer.echo("")
        if view.facts is not None or self.match.is_over:
            typer.echo(draw(self.match.state, self.grid))
        else:
            told = " ".join(map(format_term, sorted(view.percepts))) or "nothing"
            typer.echo(f"you were told: {told}")

    def _own_move(self) -> Term | None:
        """Ask until the answer is a legal move; None if the person resigns. A single move is made at once."""
        legal = self.match.state.legal(self.role)
        if len(legal) == 1:
            return legal[0]
        self._list(legal)
        while True:
            try:
                answer = input(f"{self.role}> ").strip().lower()
            except EOFError:
                return None
            if answer in ("resign", "quit", "q"):
                return None
            if answer in ("?", "help", "h"):
                typer.echo(HELP)
            elif answer == "moves":
                self._list(legal)
            elif answer == "hint":
                typer.echo(
                    f"hint: {self.adviser.choose(position_of(self.match.state, self.role), self.seconds)}"
                )
            elif answer == "undo":
                if self._take_back():
                    return self._own_move()
            elif answer:
                move = self._read_move(answer, legal)
                if move is not None:
                    return move

    def _list(self, legal: tuple[Term, ...]) -> None:
        typer.echo("   ".join(f"{at} {move}" for at, move in enumerate(legal, start=1)))

    def _read_move(self, answer: str, legal: tuple[Term, ...]) -> Term | None:
        if answer.isdigit() and 1 <= int(answer) <= len(legal):
            return legal[int(answer) - 1]
        try:
            text = answer if answer.startswith("(") or " " not in answer else f"({answer})"
            move = parse_term(text)
        except RulesError as error:
            typer.echo(error.diagnostics[0].message)
            return None
        if move in legal:
            return move
        typer.echo(f"{move} is not legal here; `moves` lists the {len(legal)} legal moves")
        return None

    def _take_back(self) -> bool:
        """Go back to the person's last choice; False (and a word) if there is none."""
        choices = [at for at, state in enumerate(self.match.states[:-1]) if len(state.legal(self.role)) > 1]
        if not choices:
            typer.echo("nothing to take back")
            return False
        while len(self.match.moves) > choices[-1]:
            self.match.take_back()
        self._show()
        return True
