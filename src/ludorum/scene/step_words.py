"""The steps of a match as lines of words for one viewer: one line for each step in which something is told.

A line names the moves of the roles that chose. Moves that the rules force are named only where they do
something, steps in which the viewer learns nothing have no line, and a run of steps in which chance alone
moves, such as a deal, is one line.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..engine.game import Game, State, is_nature
from ..rules.terms import Pattern, Term
from ..rules.wdl.to_gdl2 import WdlRuleset
from ..show.board import spaced
from .card_games import is_card_game
from .game_look import look_of_game
from .move_words import MoveWords
from .sight import chosen_moves, eyes_of, only_nature_moves, own_move, told_to
from .wdl_words import made_moves, told_moves

if TYPE_CHECKING:
    from ..cards.machine.game import CardState

MOST_DRAWN = 6
"""Moves of chance that one line names; of more it has the number."""
BY_CHANCE = "by chance:"


@dataclass(frozen=True)
class StepLine:
    """A line of the list of moves."""

    first: int
    """The first step that it tells of."""
    step: int
    """The last one."""
    words: str


class StepLines:
    """The lines of one match for one viewer, which are made once and kept while the match goes on."""

    def __init__(self, game: Game, role: Term | None) -> None:
        self.game = game
        self.role = role
        self._eyes = eyes_of(game, role)
        self._look = look_of_game(game)
        self._wdl = game.rules if isinstance(game.rules, WdlRuleset) else None
        self._last: State | None = None
        self._is_open = False
        self._states = 1
        """States that were taken into account."""
        self._lines: list[StepLine] = []
        self._chance: list[int] = []
        """The steps of the run of chance that goes on."""

    def lines(self, states: Sequence[State], is_open: bool) -> tuple[StepLine, ...]:
        """The lines of the match so far; ``is_open``: the viewer sees everything."""
        known = self._states
        is_same = is_open == self._is_open and known <= len(states) and states[known - 1] is self._last
        if not is_same:
            self._lines, self._chance, self._states, self._is_open = [], [], 1, is_open
        for at in range(self._states, len(states)):
            self._take(states, at)
        self._states, self._last = len(states), states[-1]
        return (*self._lines, *self._chance_line(states))

    def _take(self, states: Sequence[State], at: int) -> None:
        if self._is_open and self._wdl is None and only_nature_moves(self.game, states[at - 1]):
            self._chance.append(at)
            return
        self._lines += self._chance_line(states)
        self._chance = []
        words = self._words(states, at)
        if words and (not self._lines or self._lines[-1].words != words or not self._is_repetition()):
            self._lines.append(StepLine(at, at, words))

    def _is_repetition(self) -> bool:
        """Whether lines that say the same are left out: at cards others draw again and again."""
        return self._look.has_cards

    def _words(self, states: Sequence[State], at: int) -> str:
        before, after = states[at - 1], states[at]
        if is_card_game(self.game):
            return card_step_words(before, after, _seat(self.game, self.role, self._is_open))
        if self._wdl is not None:
            return moves_words(self._look.words, self._wdl_moves(self._wdl, after))
        if self._is_open:
            return moves_words(
                self._look.words, chosen_moves(states[at - 1 : at + 1], busy=True), before.facts()
            )
        own = () if self._eyes is None else own_move(states[at - 1 : at + 1], self._eyes)
        parts = [moves_words(self._look.words, own, None)] if own else []
        told = told_to(after, self._eyes)
        if told:
            words = ", ".join(percept_words(self.game, one) for one in told)
            parts.append(words if self._eyes is None else f"told: {words}")
        return "; ".join(parts)

    def _wdl_moves(self, rules: WdlRuleset, after: State) -> tuple[tuple[Term, Term], ...]:
        """The moves of a step as the viewer was told them."""
        if self._is_open:
            return made_moves(rules, self.game.roles, after.joint or ())
        return told_moves(rules, told_to(after, self._eyes))

    def _chance_line(self, states: Sequence[State]) -> Iterable[StepLine]:
        if self._chance:
            words = chance_words(self._look.words, [states[at] for at in self._chance])
            yield StepLine(self._chance[0], self._chance[-1], words)


def moves_words(
    words: MoveWords, moves: Iterable[tuple[Term, Term]], facts: frozenset[Term] | None = None
) -> str:
    """Roles and what they do: ``red drop 4``, or several with commas between them."""
    return ", ".join(
        f"{BY_CHANCE if is_nature(role) else role} {words.label(move, facts)}" for role, move in moves
    )


def chance_words(words: MoveWords, states: Sequence[State]) -> str:
    """A run of steps in which chance alone has moved, by the states that it led to."""
    seats = states[0].game.info.chance_seats
    drawn = [state.joint[seat] for state in states if state.joint is not None for seat in seats]
    if words.has_cards:
        return _dealt_words(states, drawn)
    if len(drawn) > MOST_DRAWN:
        return f"chance decides {len(drawn)} times"
    return f"{BY_CHANCE} {', '.join(map(words.label, drawn))}"


def _dealt_words(states: Sequence[State], drawn: Sequence[Term]) -> str:
    """A run of chance at cards: the number of cards of a deal, else its events in words."""
    from ..cards.language.terms import is_card
    from .card_moment import events_seen
    from .card_words import happened

    cards = sum(isinstance(card, Term) and is_card(card) for one in drawn for card in one.args)
    if cards > 1:
        return f"{cards} cards dealt"
    events = [what for one in states for what in events_seen(_card_state(one), None)]
    return happened(events, None) or "chance decides"


def card_step_words(before: State, after: State, seat: int | None) -> str:
    """What a viewer saw happen at a card table in one step; empty where there is nothing new.

    Whether a player had a choice decides only about events that tell a choice among options that all know.
    """
    from .card_moment import events_seen
    from .card_words import happened, without_forced

    events = events_seen(_card_state(after), seat)
    had_choice = any(len(before.legal(role)) > 1 for role in before.game.roles)
    return happened(events if had_choice else without_forced(events), seat)


def percept_words(game: Game, percept: Term) -> str:
    """A percept without brackets; a role that it names first is its subject: ``bob says bet``. Empty where
    it tells that somebody waited."""
    if isinstance(game.rules, WdlRuleset) and percept.signature == (game.rules.did, 2):
        return moves_words(look_of_game(game).words, told_moves(game.rules, [percept]))
    subject: Pattern | None = percept.args[0] if percept.args else None
    if subject in game.roles:
        percept = Term(str(subject), (Term(percept.name), *percept.args[1:]))
    return spaced(str(percept).replace("(", "").replace(")", ""))


def _seat(game: Game, role: Term | None, is_open: bool) -> int | None:
    """The number by which a viewer hears events: None for all, the number of players for a spectator."""
    players = game.info.players
    if is_open:
        return None
    return players.index(role) if role in players else len(players)


def _card_state(state: State) -> CardState:
    from ..cards.machine.game import CardState

    assert isinstance(state, CardState)
    return state
