"""The lines that ``match`` and ``host`` print while a match is played: one for each step with a choice.

A line names the roles that chose. Moves that the rules force are shown only where no role has a choice, and a
run of steps in which chance alone moves, such as a deal, is one line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from ..scene.move_words import MoveWords
from ..scene.sight import chosen_moves, only_nature_moves
from ..scene.step_words import chance_words, moves_words

if TYPE_CHECKING:
    from ..arena.match.match import Match


class StepPrinter:
    """Prints the steps of a match as they are made, and the faults of its players."""

    def __init__(self, match: Match, quiet: bool) -> None:
        self._told = len(match.moves)
        """Steps that have been printed, or were made before."""
        self._quiet = quiet
        self._words = MoveWords(match.game, None)

    def show(self, match: Match) -> None:
        """Print what is new; a run of chance is kept back until it ends."""
        if self._quiet:
            return
        faults = "; ".join(filter(None, match.errors_at(len(match.moves))))
        noted = f"   [{faults}]" if faults else ""
        last = len(match.moves) - 1
        if self._told <= last:
            if only_nature_moves(match.game, match.states[last]):
                if noted or not _chance_goes_on(match):
                    self._print_chance(match, noted)
                return
            self._print_chance(match, until=last)
            self._told = last + 1
            moves = chosen_moves(match.states[last : last + 2])
            typer.echo(f"{self._told:3d}. {moves_words(self._words, moves)}{noted}")
        elif noted and not match.moves:
            typer.echo(f"  0. start{noted}")

    def end(self, match: Match) -> None:
        """Print the run of chance that is kept back, where the match stops in one."""
        if not self._quiet:
            self._print_chance(match)

    def _print_chance(self, match: Match, noted: str = "", until: int | None = None) -> None:
        until = len(match.moves) if until is None else until
        if self._told >= until:
            return
        first, self._told = self._told, until
        numbers = f"{until:3d}" if until == first + 1 else f"{first + 1:3d}-{until}"
        typer.echo(f"{numbers}. ({chance_words(self._words, match.states[first + 1 : until + 1])}){noted}")


def _chance_goes_on(match: Match) -> bool:
    return not match.is_over and only_nature_moves(match.game, match.state)
