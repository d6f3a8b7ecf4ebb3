"""WDL as the one who knows everything plays it: what is legal, what is drawn, and what follows, exactly.

Nothing is translated here: names of random events are drawn inside moves, one for each player and move, as
the language says. The controller of matches is built on this, and translations are tested against it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from random import Random

from ..rules.ruleset import Ruleset
from ..rules.terms import Pattern, Signature, Term
from ..rules.wdl.draws import (
    DrawnEvent,
    NoPossibleEventError,
    events_of,
    names_in,
    probabilities,
    resolve_move,
    with_events,
)
from ..rules.wdl.master_form import clock_matters, master_form
from ..rules.wdl.sheet import WdlSheet
from ..rules.wdl.views import whole_move
from .game import Game, State
from .lifted import LiftedGame

Rows = list[tuple[Term, ...]]


@dataclass(frozen=True)
class MasterState:
    """All facts, and the number of the clock's last signal: 0 before the first, and in games of rounds."""

    facts: frozenset[Term]
    clock: int = 0


class WdlMaster:
    """The rules of a sheet at work.

    >>> from ludorum.rules.source import Source
    >>> from ludorum.rules.wdl.sheet import read_wdl
    >>> text = '''(role ann) (random coin 1 heads) (random coin 3 tails) (init start)
    ... (<= (legal ann (flip coin)) (true start))
    ... (<= (next (shows ?side)) (does ann (flip ?side)))
    ... (<= terminal (true (shows ?side)))'''
    >>> master = WdlMaster(read_wdl(Source("flip", text))[0])
    >>> start = master.initial()
    >>> [str(move) for move in master.legal(start, Term("ann"))]
    ['(flip coin)']
    >>> chances = master.outcomes(start, {Term("ann"): master.legal(start, Term("ann"))[0]})
    >>> {str(*after.facts): str(chance) for after, chance in chances.items()}
    {'(shows heads)': '1/4', '(shows tails)': '3/4'}
    """

    def __init__(self, sheet: WdlSheet, make: Callable[[Ruleset, str], Game] = LiftedGame) -> None:
        self.sheet = sheet
        self.roles = sheet.roles
        self.form = master_form(sheet)
        self._game = make(self.form.rules, sheet.source.name)
        self.has_ticks = sheet.settings.realtime and (clock_matters(sheet) or not sheet.settings.tick_inertia)
        """Whether a signal of the clock may change facts."""
        self._last: tuple[MasterState, State] | None = None

    def initial(self) -> MasterState:
        return MasterState(self._game.initial().facts())

    # -- what may be done ---------------------------------------------------------------------------------

    def legal(self, state: MasterState, role: Term) -> tuple[Term, ...]:
        """The legal moves of a role, without those for which no event is possible now."""
        moves = self._at(state).legal(role)
        if not any(names_in(move, self.sheet.names) for move in moves):
            return moves
        rows = self.odds(state)
        possible = {name for name in self.sheet.names if events_of(name, rows)}
        return tuple(move for move in moves if possible.issuperset(names_in(move, self.sheet.names)))

    def odds(self, state: MasterState) -> Rows:
        """The rows of ``random``: name, weight, event."""
        if not self.sheet.names:
            return []
        return [move.args for move in self._at(state).legal(self.form.odds)]  # type: ignore[misc]

    def resolve(self, state: MasterState, move: Term, rng: Random) -> tuple[Term, list[DrawnEvent]]:
        """A move with drawn events in place of random names, and the draws."""
        if not names_in(move, self.sheet.names):
            return move, []
        return resolve_move(move, self.sheet.names, self.odds(state), rng)

    def resolutions(self, state: MasterState, move: Term) -> dict[Term, Fraction]:
        """All that a move may become, with exact probabilities."""
        names = names_in(move, self.sheet.names)
        rows = self.odds(state) if names else []
        found: dict[Term, Fraction] = {}
        for choice in product(*(probabilities(name, rows).items() for name in names)):
            events: dict[Pattern, Pattern] = dict(zip(names, (event for event, _ in choice), strict=True))
            chance = Fraction(1)
            for _, part in choice:
                chance *= part
            made = with_events(move, events)
            found[made] = found.get(made, Fraction(0)) + chance
        return found

    # -- what follows -------------------------------------------------------------------------------------

    def after(self, state: MasterState, moves: Mapping[Term, Term]) -> MasterState:
        """The state after resolved moves; in a realtime game that of one player."""
        does = [(role, whole_move(move)) for role, move in moves.items()]
        after = (fact for fact in self._next(state, does) if fact.name != self.form.driven)
        return MasterState(frozenset(after), state.clock)

    def tick(self, state: MasterState) -> MasterState:
        """The state after a signal of the clock."""
        later = MasterState(state.facts, state.clock + 1)
        if not self.has_ticks:
            return later
        after = self._next(later, ())
        if self.sheet.settings.tick_inertia:
            after = self._with_inertia(state.facts, after)
        return MasterState(after, later.clock)

    def outcomes(self, state: MasterState, moves: Mapping[Term, Term]) -> dict[MasterState, Fraction]:
        """The states that may follow from unresolved moves, with exact probabilities."""
        found: dict[MasterState, Fraction] = {}
        ways = [self.resolutions(state, move).items() for move in moves.values()]
        for choice in product(*ways):
            chance = Fraction(1)
            for _, part in choice:
                chance *= part
            made = dict(zip(moves, (move for move, _ in choice), strict=True))
            after = self.after(state, made)
            found[after] = found.get(after, Fraction(0)) + chance
        return found

    def is_terminal(self, state: MasterState) -> bool:
        return self._at(state).is_terminal

    def goals(self, state: MasterState) -> dict[Term, tuple[Term, ...]]:
        """All goal values of each role; good rules give one."""
        at = self._at(state)
        return {role: at.goal_terms(role) for role in self.roles}

    # -- the game behind it -------------------------------------------------------------------------------

    def _at(self, state: MasterState) -> State:
        """The state as the game has it; several questions are asked of one state, one after the other."""
        last = self._last
        if last is None or last[0] is not state:
            self._last = last = state, self._game.state(self._facts(state))
        return last[1]

    def _facts(self, state: MasterState) -> frozenset[Term]:
        if not self.sheet.settings.realtime:
            return state.facts
        return state.facts | {Term(self.form.now, (Term(str(state.clock)),))}

    def _next(self, state: MasterState, does: Iterable[tuple[Term, Term]]) -> frozenset[Term]:
        """What is next; with inertia also what the clock alone makes, marked as driven."""
        return self._game.successor(self._facts(state), does)[0]

    def _with_inertia(self, before: frozenset[Term], after: frozenset[Term]) -> frozenset[Term]:
        """What a signal leaves: of each form that the clock makes now, what is next; of others, what was."""
        driven: set[Signature] = {
            fact.args[0].signature  # type: ignore[union-attr]
            for fact in after
            if fact.name == self.form.driven
        }
        kept = {fact for fact in before if fact.signature not in driven}
        return frozenset(kept | {fact for fact in after if fact.signature in driven})


__all__ = ["DrawnEvent", "MasterState", "NoPossibleEventError", "WdlMaster"]
