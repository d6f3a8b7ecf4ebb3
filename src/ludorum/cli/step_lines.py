"""The lines that ``match`` and ``host`` print while a match is played: one for each step with a choice.

A line names the roles that chose. Moves that the rules force are shown only where no role has a choice, and a
run of steps in which chance alone moves, such as a deal, is one line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from ..engine.game import RANDOM
from ..rules.terms import Term
from ..scene.card_games import IDLE, is_card_game
from ..scene.move_words import MoveWords

if TYPE_CHECKING:
    from ..arena.match.match import Match
    from ..engine.game import Game, State

MOST_DRAWN = 6
"""Moves of chance that one line names; of more it has the number."""


class StepLines:
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
            shown = movers(match.game, match.states[last])
            if shown == {RANDOM}:
                if noted or not _chance_goes_on(match):
                    self._print_chance(match, noted)
                return
            self._print_chance(match, until=last)
            self._told = last + 1
            typer.echo(f"{self._told:3d}. {self._moves_text(match, last, shown)}{noted}")
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
        typer.echo(f"{numbers}. ({self._chance_text(match, range(first, until))}){noted}")

    def _moves_text(self, match: Match, at: int, shown: frozenset[Term]) -> str:
        moves = zip(match.game.roles, match.moves[at], strict=True)
        return ", ".join(f"{_name(role)} {self._words.label(move)}" for role, move in moves if role in shown)

    def _chance_text(self, match: Match, steps: range) -> str:
        place = match.game.roles.index(RANDOM)
        drawn = [match.moves[at][place] for at in steps]
        told = _dealt_text(match, steps, drawn) if is_card_game(match.game) else ""
        if told:
            return told
        if len(drawn) > MOST_DRAWN:
            return f"chance decides {len(drawn)} times"
        return f"by chance: {', '.join(map(self._words.label, drawn))}"


def movers(game: Game, state: State) -> frozenset[Term]:
    """The roles whose moves a line names: those with a choice, else those that do something, else all."""
    legal = {role: state.legal(role) for role in game.roles}
    chosen = frozenset(role for role, moves in legal.items() if len(moves) > 1)
    busy = frozenset(role for role, moves in legal.items() if any(move.name != IDLE for move in moves))
    return chosen or busy or frozenset(game.roles)


def _chance_goes_on(match: Match) -> bool:
    return not match.is_over and movers(match.game, match.state) == {RANDOM}


def _name(role: Term) -> str:
    return "by chance:" if role is RANDOM else str(role)


def _dealt_text(match: Match, steps: range, drawn: list[Term]) -> str:
    """A run of chance at cards: the number of cards of a deal, else its events in words."""
    from ..cards.language.terms import is_card
    from ..cards.machine.game import CardState
    from ..scene.card_words import events_seen, happened

    cards = sum(isinstance(card, Term) and is_card(card) for one in drawn for card in one.args)
    if cards > 1:
        return f"{cards} cards dealt"
    states = [match.states[at + 1] for at in steps]
    events = [what for one in states if isinstance(one, CardState) for what in events_seen(one, None)]
    return happened(events, None)
