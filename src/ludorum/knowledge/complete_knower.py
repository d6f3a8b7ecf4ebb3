"""All that a role can know of a match: complete, whatever the number of possible states.

As long as not too many states are possible, all of them are listed, which answers every question at once: a
few one by one, thousands in the lanes of a compiled game. Where they become too many, clingo reasons over the
histories since the last time they were few (``history_knower``), and a list is made again when one state is
all that is left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ..engine.compiled import CompiledGame
from ..engine.game import Game, JointMove, State
from ..rules.terms import Term
from .history_knower import MOST_CONFLICTS, HistoryKnower
from .knower import KnowerAround, Truth
from .listed_knower import ListedKnower, TooManyStatesError
from .packed_knower import PackedKnower
from .witness_pool import MOST_WITNESSES, WitnessPool

StateList: TypeAlias = PackedKnower | ListedKnower
"""All possible states, one by one."""

FEW, FEW_AGAIN = 16, 4
"""Possible states up to which one by one is faster than lanes, and from which on it is taken up again."""
FEW_TRIES = 128
"""Joint moves that are tried one by one in a step."""
MOST_LISTED = 20_000
"""Possible states that are listed in lanes: some milliseconds a step."""
MOST_LISTED_SLOWLY, MOST_TRIES_SLOWLY = 500, 300
"""Possible states, and joint moves tried in a step, without a circuit: each takes milliseconds."""
MOST_ROOTS = (200, 2000)
"""States from which histories may begin: each adds its facts to the program, so that few are better as long
as the histories are short."""
SHORT = 6
"""Steps of a short history."""


@dataclass(frozen=True)
class _Anchor:
    """All states that were possible at one time."""

    step: int
    states: StateList
    courses: list[tuple[JointMove, ...]]
    """How the match may have come to where the list began."""


@dataclass(frozen=True)
class Why:
    """Two courses of the match that a role cannot tell apart, or one where all agree.

    ``holds`` is a course after which something holds, ``fails`` one after which it does not; None where there
    is no such course.
    """

    holds: tuple[JointMove, ...] | None
    fails: tuple[JointMove, ...] | None

    @property
    def truth(self) -> Truth:
        """Whether it holds, as far as the role knows."""
        if self.holds is None:
            return Truth.FALSE
        return Truth.TRUE if self.fails is None else Truth.UNKNOWN


class CompleteKnower(KnowerAround):
    """Everything that follows from the rules and from what one role was told.

    >>> import ludorum
    >>> from ludorum.knowledge.complete_knower import CompleteKnower
    >>> game = ludorum.load_game("monty_hall_random", "compiled")
    >>> candidate = game.role("candidate")
    >>> knower = CompleteKnower(game, candidate)
    >>> start = game.initial()
    >>> hide, choose = start.legal("random")[1], start.legal("candidate")[0]
    >>> after = start.play({"random": hide, "candidate": choose})
    >>> knower.update(choose, after.percepts(candidate))
    >>> len(knower.possible_facts() - knower.known_facts())
    3
    """

    def __init__(
        self,
        game: Game,
        role: Term,
        *,
        heeds_messages: bool = True,
        conflicts: int | None = MOST_CONFLICTS,
        most_listed: int | None = None,
    ) -> None:
        """``conflicts``: the most for a question to the solver; where they do not do, answers are sound but
        may be incomplete."""
        self.game = game
        self.role = role
        self.step = 0
        self.heeds_messages = heeds_messages
        self._conflicts = conflicts
        self._most = most_listed
        self._now: StateList | HistoryKnower = self._list_few([game.initial()])
        self._courses: list[tuple[JointMove, ...]] = [()]
        """How the match may have come to each state in which the present engine began."""
        first = _Anchor(0, self._now.copy(), self._courses)
        self._anchors = [first, first]
        """The last times when few states were possible, and when they were not too many."""
        self._begin = 0
        """The step in which histories begin."""
        self._told: list[tuple[Term, frozenset[Term]]] = []
        """All steps of the match."""

    @property
    def is_listed(self) -> bool:
        """Whether all possible states are listed at present."""
        return not isinstance(self._now, HistoryKnower)

    @property
    def depth(self) -> int:
        """Steps that the present engine has to look back."""
        return self.step - (self._anchors[0].step if self.is_listed else self._begin)

    @property
    def state(self) -> State | None:
        """The state of the match, where it is known; None also where that was not found out."""
        states = [] if isinstance(self._now, HistoryKnower) or len(self._now) > 1 else self._now.listed()
        return states[0] if states else None

    def use(self, game: Game) -> None:
        """Go on with another engine of the same game: a circuit that has become ready."""
        if game is self.game:
            return
        self.game = game
        if isinstance(self._now, HistoryKnower):
            return  # the solver does not need it; the next list will
        states = [game.state(facts) for facts in self._now.facts()]
        self._go_on_with(
            PackedKnower(game, self.role, self._most or MOST_LISTED, self.heeds_messages, states)
            if isinstance(game, CompiledGame) and len(states) > FEW
            else self._list_few(states)
        )

    def update(self, move: Term, percepts: Iterable[Term]) -> None:
        told = (move, frozenset(percepts))
        try:
            self._now.update(*told)
        except TooManyStatesError:
            self._update_otherwise(told)
        self._told.append(told)
        self.step += 1
        if isinstance(self._now, HistoryKnower):
            self._list_what_is_known(self._now)
        else:
            if isinstance(self._now, PackedKnower) and len(self._now) <= FEW_AGAIN:
                self._go_on_with(self._list_few(self._now.listed()))
            self._set_anchors()

    def is_exact(self, kind: str) -> bool:
        """Whether the answers about ``legal``, ``fact``, ``goal`` or ``over`` are complete here: else a limit
        of the solver was reached, and they are sound."""
        return not isinstance(self._now, HistoryKnower) or self._now.ask(kind).is_exact

    def why_fact(self, fact: Term) -> Why:
        """Courses that show what is known of a fact."""
        return self._why("fact", fact, lambda state: fact in state.facts())

    def why_legal(self, move: Term) -> Why:
        """Courses that show what is known of a move of the role."""
        return self._why("legal", move, lambda state: move in state.legal(self.role))

    def why_terminal(self) -> Why:
        """Courses that show whether the match is over, as far as the role knows."""
        return self._why("over", Term("0"), lambda state: state.is_terminal)

    def why_goal(self, value: int) -> Why:
        """Courses that show what is known of a goal value."""
        term = Term(str(value))
        return self._why("goal", term, lambda state: term in state.goal_terms(self.role))

    # -- engines ------------------------------------------------------------------------------------------

    def _list_few(self, starts: Sequence[State]) -> StateList:
        if isinstance(self.game, CompiledGame):
            most = min(FEW, self._most or FEW)
            return ListedKnower(self.game, self.role, most, self.heeds_messages, starts, FEW_TRIES)
        most = self._most or MOST_LISTED_SLOWLY
        return ListedKnower(self.game, self.role, most, self.heeds_messages, starts, MOST_TRIES_SLOWLY)

    def _update_otherwise(self, told: tuple[Term, frozenset[Term]]) -> None:
        """Take a step with the engine for more states than the present one lists."""
        if isinstance(self._now, ListedKnower) and isinstance(self.game, CompiledGame):
            most = self._most or MOST_LISTED
            lanes = PackedKnower(self.game, self.role, most, self.heeds_messages, self._now.listed())
            try:
                lanes.update(*told)
            except TooManyStatesError:
                pass
            else:
                self._go_on_with(lanes)
                return
        self._reason_from_anchor(told)

    def _go_on_with(self, other: StateList) -> None:
        """Another list that began with the states of the present one."""
        assert not isinstance(self._now, HistoryKnower)
        self._courses = self._courses_of(self._now, self._courses)
        self._now = other

    def _courses_of(
        self, states: StateList, before: list[tuple[JointMove, ...]]
    ) -> list[tuple[JointMove, ...]]:
        """How the match may have come to each state of a list."""
        found = (states.course(row) for row in range(len(states)))
        return [before[start] + moves for start, moves in found]

    def _set_anchors(self) -> None:
        """Keep the list for histories that may begin here, if it is short."""
        assert not isinstance(self._now, HistoryKnower)
        made: _Anchor | None = None
        for at, most in enumerate(MOST_ROOTS):
            if len(self._now) <= most:
                made = made or _Anchor(self.step, self._now.copy(), self._courses)
                self._anchors[at] = made

    def _reason_from_anchor(self, told: tuple[Term, frozenset[Term]]) -> None:
        """Go on with the engine for many states, which is told everything since few were possible."""
        assert not isinstance(self._now, HistoryKnower)
        if self.game.rules is None:
            raise TooManyStatesError(f"too many states of {self.game.name} are possible to list them")
        few, more = self._anchors
        anchor = few if self.step - few.step <= SHORT else more
        pool = self._witnesses(self._now, told) if isinstance(self.game, CompiledGame) else None
        found = HistoryKnower(
            self.game.rules,
            self.role,
            roots=anchor.states.facts(),
            heeds_messages=self.heeds_messages,
            conflicts=self._conflicts,
            pool=pool,
            told=[*self._told[anchor.step :], told],
        )
        self._courses = self._courses_of(anchor.states, anchor.courses)
        self._now, self._begin = found, anchor.step

    def _witnesses(self, states: StateList, told: tuple[Term, frozenset[Term]]) -> WitnessPool:
        """Some of the states, played on: without a circuit that takes longer than the solver does."""
        pool = WitnessPool(self.game, self.role)
        for facts in states.some_facts(MOST_WITNESSES):
            pool.add(facts)
        pool.advance(*told, self.heeds_messages)
        return pool

    def _list_what_is_known(self, now: HistoryKnower) -> None:
        """Go back to a list where one state is all that is left."""
        facts = now.only_state()
        if facts is None:
            return
        root, course = now.witness() or (0, ())
        self._courses = [self._courses[root] + self._in_order(course)]
        self._now = self._list_few([self.game.state(facts)])
        self._set_anchors()

    def _in_order(self, course: tuple[dict[Term, Term], ...]) -> tuple[JointMove, ...]:
        return tuple(tuple(moves[role] for role in self.game.roles) for moves in course)

    # -- reasons ------------------------------------------------------------------------------------------

    def _why(self, kind: str, term: Term, holds: Callable[[State], bool]) -> Why:
        if isinstance(self._now, HistoryKnower):
            found = (self._now.witness(kind, term, True), self._now.witness(kind, term, False))
            courses = [
                None if one is None else self._courses[one[0]] + self._in_order(one[1]) for one in found
            ]
        else:
            flags = [holds(self.game.state(facts)) for facts in self._now.facts()]
            rows = [flags.index(wanted) if wanted in flags else None for wanted in (True, False)]
            ends = (None if row is None else self._now.course(row) for row in rows)
            courses = [None if one is None else self._courses[one[0]] + one[1] for one in ends]
        return Why(*courses)
