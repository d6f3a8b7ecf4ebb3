"""Strategies found by logic: what to do whatever the others do, and which first moves keep a value.

Trees deepen by one joint move at a time. After each level two questions are asked about a first move: can
it continue without having lost the value (if not, it is refuted), and can all play be over by now with the
value (if so, that is a strategy). Moves that neither decides go to the next level (asp-player, section 12.4).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

import clingo
from clingo import Function, Number, Symbol

from ..asp.control import Remarks, make_growing_control
from ..asp.names import read_symbol
from ..asp.strategy_tree import StrategyTree
from ..asp.translate import asp_facts
from ..engine.game import JointMove, State
from ..rules.ruleset import Ruleset
from ..rules.terms import Term
from ..search.budget import Budget, Stopwatch
from .growth import PieceTimes
from .horizon import Assumption, OutOfTime, refuse_hidden_information, solve_in_time

ROOT = Function("root")
DEEPEST = 1000
"""Joint moves after which no tree is closed any more."""


@dataclass(frozen=True)
class StrategyNode:
    """A move, and a strategy after every answer of the others; where none follows, play is over."""

    move: Term
    after: Mapping[JointMove, StrategyNode] = field(default_factory=dict)
    """By the moves of the others, in the order of roles."""

    @property
    def depth(self) -> int:
        """Joint moves until all play is over."""
        return 1 + max((below.depth for below in self.after.values()), default=0)

    @property
    def nodes(self) -> int:
        """The number of states for which the strategy has a move."""
        return 1 + sum(below.nodes for below in self.after.values())


@dataclass(frozen=True)
class MoveVerdict:
    """What is known about a first move."""

    holds: bool | None = None
    """Whether it keeps the value whatever the others do; None while that is not known."""
    depth: int = 0
    """The number of joint moves after which all play is over, or the value is lost, at the latest."""
    strategy: StrategyNode | None = None


class StrategySearch:
    """Searches strategies of a role that guarantee at least a value from a state on, by growing depth."""

    def __init__(self, rules: Ruleset, facts: Iterable[Term], role: Term, value: int, seed: int = 0) -> None:
        refuse_hidden_information(rules)
        self.role = role
        self.value = value
        self.depth = 0
        self.solves = 0
        self.verdicts: dict[Term, MoveVerdict] = {}
        """By first move; those that are not settled have no verdict."""
        self.leaf_weights: object = None
        """The heuristic that leaves are valued by, once it was set (``tree_leaves``)."""
        self._growth = PieceTimes()
        self.control, self._remarks = _control(StrategyTree(rules, role, value).text, facts, seed)
        self.ground([("base", ()), ("state", (Number(0),))])
        self._moves: dict[Symbol, Term] = {}

    @property
    def moves(self) -> tuple[Term, ...]:
        """The first moves; known once there is a level."""
        return tuple(self._moves.values())

    @property
    def first_moves(self) -> Mapping[Symbol, Term]:
        """The same by their atoms."""
        return self._moves

    @property
    def unsettled(self) -> tuple[Term, ...]:
        return tuple(move for move in self.moves if move not in self.verdicts)

    @property
    def strategy(self) -> StrategyNode | None:
        """The shortest strategy that was found."""
        return next((its.strategy for its in self.verdicts.values() if its.strategy is not None), None)

    @property
    def is_settled(self) -> bool:
        """Whether every first move has its verdict."""
        return self.depth > 0 and not self.unsettled

    @property
    def ground_rules(self) -> int:
        """The size of the program."""
        return int(self.control.statistics["problem"]["lp"]["rules"])

    def add(self, name: str, parameters: Sequence[str], text: str) -> None:
        """Adds another part to the program, for more questions about the tree."""
        self.control.add(name, parameters, text)

    def ground(self, parts: Sequence[tuple[str, Sequence[Symbol]]]) -> None:
        """Instantiate parts of the program; what clingo remarks on is an error."""
        _ground(self.control, self._remarks, parts)

    @property
    def seconds_of_level(self) -> float:
        """Seconds that grounding the last level took."""
        return self._growth.last

    def can_deepen(self, seconds_left: float | None) -> bool:
        """Whether there is time for the next level, as far as the last ones tell."""
        return self._growth.fits(seconds_left)

    def deepen(self, watch: Stopwatch, *, all_moves: bool = True) -> None:
        """One more level, and what it settles; OutOfTime when there was no time for it.

        Unless ``all_moves`` are to be settled, the first strategy is enough.
        """
        if watch.is_up() or not self.can_deepen(watch.seconds_left):
            raise OutOfTime
        level = Number(self.depth + 1)
        with self._growth.piece():
            parts: list[tuple[str, Sequence[Symbol]]] = [
                (part, (level,)) for part in ("step", "state", "close")
            ]
            self.ground(parts)
        self.depth += 1
        if self.depth == 1:
            atoms = self.control.symbolic_atoms.by_signature("mine", 2)
            self._moves = {atom.symbol: read_symbol(atom.symbol.arguments[0]) for atom in atoms}
        alive = self._settle_lost(watch)
        if alive:
            self._settle_held(watch, alive, all_moves)

    def _settle_lost(self, watch: Stopwatch) -> list[Symbol]:
        """Refutes the first moves that cannot continue, and returns the others."""
        todo = [atom for atom, move in self._moves.items() if move not in self.verdicts]
        alive: list[Symbol] = []
        while len(alive) < len(todo):
            found = self._model(watch, [(atom, False) for atom in alive], todo)
            if found is None:
                break
            alive.append(found[0])
        for atom in todo:
            if atom not in alive:
                self.verdicts[self._moves[atom]] = MoveVerdict(False, self.depth)
        return alive

    def _settle_held(self, watch: Stopwatch, alive: Sequence[Symbol], all_moves: bool) -> None:
        """Find the first moves after which all play can be over by now."""
        close = Function("close", [Number(self.depth)])
        self.control.assign_external(close, True)
        try:
            held: list[Symbol] = []
            while len(held) < len(alive):
                found = self._model(watch, [(atom, False) for atom in held], alive)
                if found is None:
                    break
                held.append(found[0])
                self.verdicts[self._moves[found[0]]] = MoveVerdict(True, self.depth, read_strategy(found[1]))
                if not all_moves:
                    break
        finally:
            self.control.assign_external(close, False)

    def _model(
        self, watch: Stopwatch, assumptions: Sequence[Assumption], first: Sequence[Symbol]
    ) -> tuple[Symbol, list[Symbol]] | None:
        """A strategy that begins with one of some moves, as its move and its atoms."""
        chosen: list[Symbol] = []

        def keep(model: clingo.Model) -> bool:
            chosen.extend(model.symbols(shown=True))
            return False

        self.solves += 1
        others = [(atom, False) for atom in self._moves if atom not in first]
        if not solve_in_time(self.control, [*assumptions, *others], watch, keep):
            return None
        self._remarks.refuse()
        return next(atom for atom in chosen if atom.arguments[1] == ROOT), chosen


def read_strategy(atoms: Iterable[Symbol]) -> StrategyNode:
    """The strategy given by the atoms ``mine(Move,Node)`` of an answer set."""
    moves: dict[Symbol, Term] = {}
    below: dict[Symbol, list[Symbol]] = {}
    for atom in atoms:
        move, node = atom.arguments
        moves[node] = read_symbol(move)
        if node != ROOT:
            below.setdefault(node.arguments[0], []).append(node)

    def made(node: Symbol) -> StrategyNode:
        after = {
            tuple(map(read_symbol, child.arguments[1].arguments)): made(child)
            for child in below.get(node, ())
        }
        return StrategyNode(moves[node], after)

    return made(ROOT)


def find_strategy(
    rules: Ruleset, facts: Iterable[Term], role: Term, value: int, budget: Budget, deepest: int = DEEPEST
) -> StrategySearch:
    """A search run until a strategy is found, or proved not to exist, or the time is over.

    ``strategy`` is what was found; where it is None, ``is_settled`` says whether there is none.
    """
    return _searched(StrategySearch(rules, facts, role, value), Stopwatch(budget), deepest, all_moves=False)


def settle_first_moves(
    rules: Ruleset, facts: Iterable[Term], role: Term, value: int, budget: Budget, deepest: int = DEEPEST
) -> StrategySearch:
    """A search run until every first move has its verdict, or the time is over."""
    return _searched(StrategySearch(rules, facts, role, value), Stopwatch(budget), deepest, all_moves=True)


def _searched(search: StrategySearch, watch: Stopwatch, deepest: int, all_moves: bool) -> StrategySearch:
    try:
        while not search.is_settled and search.depth < deepest:
            search.deepen(watch, all_moves=all_moves)
            if not all_moves and search.strategy is not None:
                break
    except OutOfTime:
        pass
    return search


class StrategyFault(Exception):
    """A strategy that does not guarantee its value, with the play that shows it."""


def check_strategy_tree(state: State, role: Term, strategy: StrategyNode, value: int) -> int:
    """Play a strategy against every answer of the others; the number of plays, all of them worth the value.

    The check uses an engine only, and no part of the search.
    """
    return sum(1 for _ in _plays(state, role, strategy, value, ()))


def _plays(
    state: State, role: Term, strategy: StrategyNode, value: int, past: tuple[JointMove, ...]
) -> Iterator[tuple[JointMove, ...]]:
    if strategy.move not in state.legal(role):
        raise StrategyFault(f"after {past}: {strategy.move} is not legal")
    others = [other for other in state.game.roles if other is not role]
    answers = list(product(*(state.legal(other) for other in others)))
    if not answers:
        raise StrategyFault(f"after {past}: a role has no legal move")
    for moves in answers:
        by_role = dict(zip(others, moves, strict=True)) | {role: strategy.move}
        joint = tuple(by_role[each] for each in state.game.roles)
        then, play = state.play(joint), (*past, joint)
        if not then.is_terminal:
            if moves not in strategy.after:
                raise StrategyFault(f"after {play}: the strategy has no move")
            yield from _plays(then, role, strategy.after[moves], value, play)
        elif (then.goal(role) or 0) < value:
            raise StrategyFault(f"after {play}: {role} has {then.goal(role)}, not {value}")
        else:
            yield play


def _control(text: str, facts: Iterable[Term], seed: int) -> tuple[clingo.Control, Remarks]:
    control, remarks = make_growing_control("1", seed=seed)
    root = asp_facts("true", ((fact,) for fact in facts), ROOT.name)
    try:
        control.add("base", [], f"{text}#program base.\n{root}\n")
    except RuntimeError as error:
        remarks.refuse(error)
    return control, remarks


def _ground(control: clingo.Control, remarks: Remarks, parts: Sequence[tuple[str, Sequence[Symbol]]]) -> None:
    try:
        control.ground(parts)
    except RuntimeError as error:
        if "bad_alloc" in str(error):
            raise MemoryError from error
        remarks.refuse(error)
    remarks.refuse()


__all__ = [
    "MoveVerdict",
    "StrategyFault",
    "StrategyNode",
    "StrategySearch",
    "check_strategy_tree",
    "find_strategy",
    "read_strategy",
    "settle_first_moves",
]
