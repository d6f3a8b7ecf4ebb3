"""Plans whose moves can be made in any order: a set of moves, found by logic, instead of a sequence.

Where a puzzle is filled in cell by cell, a plan of fifty moves is one of so many plans with the same moves
that a search for sequences sees the same wrong set again and again. Here it is asked which moves are legal
now, which of them get in each other's way, and what the facts are after a set of moves that do not; a solver
chooses a set after which the game is over with the goal (parallel plans of one step: Rintanen, Heljanko and
Niemelae, AIJ 2006). Two moves get along where each is legal after the other, and both together change what
they change alone. That need not hold for three, so every plan is played.

All is read off the circuit and the states of the kernels, so nothing has to be ground. The same program
without any moves tells which goal values an end can have at all, whatever facts hold there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from clingo import Backend, Function, Model, Number
from numpy.typing import NDArray

from ..asp.control import make_control
from ..engine.circuit import Circuit, Literal
from ..engine.compiled import CompiledGame, CompiledState
from ..engine.game import State
from ..rules.terms import Term
from ..search.budget import Stopwatch
from ..search.plan import Plan, best_goal
from ..search.step_counter import StepCounter, step_counter
from .horizon import solve_in_time

MOST_MOVES = 1_500
"""The most legal moves: all pairs of them are played."""
PAIRS_AT_ONCE = 1 << 16
MOST_GATES = 200_000
"""The most gates of the goal that are handed to the solver."""
TRIES = 200
"""Sets that may turn out not to be plans."""
MOST_COUNTED = 1_000
"""The most moves of a plan in a game that counts them."""

Flags = NDArray[np.bool_]
Packed = NDArray[np.uint8]


def plan_in_any_order(
    game: CompiledGame, state: CompiledState, watch: Stopwatch, seed: int = 0
) -> Plan | None:
    """A plan for the best goal whose moves are all legal from the first; None where no set of them is one.

    OutOfTime where that is not known in time.
    """
    if state.is_terminal or not game.state_bytes:
        return None
    simulator = game.simulator()
    moves: list[int] = np.flatnonzero(simulator.legal_moves(simulator.pack([state]))[0]).tolist()
    if not 0 < len(moves) <= MOST_MOVES:
        return None
    goal = best_goal(game)
    control, _ = make_control(str(TRIES), seed=seed)
    with control.backend() as backend:
        if not _End(game.circuit, backend, _facts_after(game, state, moves, backend)).ask(goal):
            return None
    found: list[tuple[Term, ...]] = []

    def play(model: Model) -> bool:
        chosen = [atom.number for atom in (each.arguments[0] for each in model.symbols(atoms=True))]
        plan = _as_sequence(state, [game.circuit.moves[move][1] for move in chosen], goal)
        found.extend([] if plan is None else [plan])
        return not found

    solve_in_time(control, [], watch, play)
    if not found:
        return None
    return Plan(found[0], goal, True, False, len(moves), watch.seconds, "moves in any order")


def _as_sequence(state: State, moves: Sequence[Term], goal: int) -> tuple[Term, ...] | None:
    """The moves in an order in which they are legal, if they lead to the goal."""
    left, made = list(moves), []
    (role,) = state.game.roles
    while left:
        legal = set() if state.is_terminal else set(state.legal(role))
        move = next((each for each in left if each in legal), None)
        if move is None:
            return None
        left.remove(move)
        made.append(move)
        state = state.play((move,))
    return tuple(made) if state.is_terminal and state.goal(role) == goal else None


def highest_end(circuit: Circuit, watch: Stopwatch) -> int | None:
    """The highest goal value, 0 or more, of an end with any facts: no play can bring more.

    None where no end has a value, or where that takes too many gates.
    """
    values = {value for _, value, _ in circuit.goals if isinstance(value, int) and 0 <= value <= 100}
    for goal in sorted(values, reverse=True):
        control, _ = make_control("1")
        with control.backend() as backend:
            facts = [backend.add_atom() for _ in circuit.fluents]
            backend.add_rule(facts, [], choice=True)
            if not _End(circuit, backend, facts).ask(goal):
                return None
        if solve_in_time(control, [], watch):
            return goal
    return None


class _End:
    """An end of the game as a program for the solver, over literals that say which facts hold there."""

    def __init__(self, circuit: Circuit, backend: Backend, facts: Sequence[int]) -> None:
        self._circuit = circuit
        self._backend = backend
        self._facts = facts
        self._true = backend.add_atom()
        backend.add_rule([self._true])
        self._gates: dict[int, int] = {}

    def ask(self, goal: int) -> bool:
        """Wants an end with the goal and no other; False where that takes too many gates."""
        wanted = [literal for _, value, literal in self._circuit.goals if value == goal]
        others = [literal for _, value, literal in self._circuit.goals if value != goal]
        if not self._read([self._circuit.terminal, *wanted, *others]):
            return False
        some = self._backend.add_atom()
        for literal in wanted:
            self._backend.add_rule([some], [self._literal(literal)])
        self._backend.add_rule([], [-some])
        self._backend.add_rule([], [-self._literal(self._circuit.terminal)])
        for literal in others:
            self._backend.add_rule([], [self._literal(literal)])
        return True

    def _read(self, roots: Iterable[Literal]) -> bool:
        """Adds the gates that some literals depend on; False where they are too many."""
        first = self._circuit.first_gate
        waiting = [literal >> 1 for literal in roots]
        while waiting:
            node = waiting.pop()
            if node < first or node in self._gates:
                continue
            if len(self._gates) == MOST_GATES:
                return False
            self._gates[node] = self._backend.add_atom()
            waiting += [literal >> 1 for literal in self._circuit.gate(node - first)]
        for node, atom in self._gates.items():
            self._backend.add_rule([atom], [self._literal(each) for each in self._circuit.gate(node - first)])
        return True

    def _literal(self, literal: Literal) -> int:
        """The literal of the program for one of the circuit, which does not depend on moves."""
        node = literal >> 1
        if node < len(self._circuit.fluents):
            found = self._facts[node]
        else:
            found = self._true if 2 * node == self._circuit.true else self._gates[node]
        return -found if literal & 1 else found


def _facts_after(game: CompiledGame, state: CompiledState, moves: list[int], backend: Backend) -> list[int]:
    """The literal of each fluent after a set of moves that get along, which the solver is to choose."""
    chosen = [backend.add_atom(Function("made", [Number(move)])) for move in moves]
    backend.add_rule(chosen, [], choice=True)
    counter = step_counter(game, state)
    effects = _effects(game, state, moves, counter)
    for one, two in zip(*np.nonzero(np.triu(effects.in_the_way, 1)), strict=True):
        backend.add_rule([], [chosen[one], chosen[two]])
    facts = []
    for held, changes in zip(effects.before.tolist(), effects.changes.T, strict=True):
        changed = backend.add_atom()
        for number in np.flatnonzero(changes).tolist():
            backend.add_rule([changed], [chosen[number]])
        facts.append(-changed if held else changed)
    if counter is not None:
        _count(game, state, moves[0], counter, chosen, facts, backend)
    return facts


def _count(
    game: CompiledGame,
    state: CompiledState,
    move: int,
    counter: StepCounter,
    chosen: list[int],
    facts: list[int],
    backend: Backend,
) -> None:
    """The fluents that count steps follow from the number of moves alone, whatever they are."""
    simulator = game.simulator()
    row = simulator.pack([state])
    own = np.flatnonzero(_flags(game, counter.bits[None, :])[0]).tolist()
    for fluent in own:
        facts[fluent] = backend.add_atom()
    so_many: list[int] = []
    for number in range(min(len(chosen), MOST_COUNTED) + 1):
        more = backend.add_atom()
        backend.add_weight_rule([more], number + 1, [(each, 1) for each in chosen])
        now = _flags(game, row)[0]
        for fluent in own:
            if now[fluent]:
                backend.add_rule([facts[fluent]], [*so_many, -more])
        so_many = [more]
        row = simulator.step(row, np.array([[move]], np.int32), check=False)


@dataclass(frozen=True)
class _Effects:
    """What the legal moves of a state change, each by itself, step counters aside."""

    before: Flags
    """The facts of the state."""
    changes: Flags
    """The facts that each move begins or ends."""
    in_the_way: Flags
    """Which moves do not get along with which."""


def _effects(
    game: CompiledGame, state: CompiledState, moves: list[int], counter: StepCounter | None
) -> _Effects:
    simulator, size = game.simulator(), len(moves)
    kept = np.full(game.state_bytes, 255, np.uint8) if counter is None else ~counter.bits
    row = simulator.pack([state])
    joint = np.array(moves, np.int32)[:, None]
    after = simulator.step(np.repeat(row, size, axis=0), joint, check=False)
    changes = (after ^ row) & kept
    packed, over, _ = simulator.expand(after)
    legal = simulator.legal_flags(packed)[:, moves] & ~over[:, None]
    fits = legal & legal.T
    one, two = np.nonzero(np.triu(fits, 1))
    for begin in range(0, len(one), PAIRS_AT_ONCE):
        first, second = one[begin : begin + PAIRS_AT_ONCE], two[begin : begin + PAIRS_AT_ONCE]
        both = simulator.step(after[first], joint[second], check=False)
        alone = row ^ (changes[first] | changes[second])
        wrong = (((both ^ alone) & kept) != 0).any(axis=1)
        fits[first[wrong], second[wrong]] = fits[second[wrong], first[wrong]] = False
    return _Effects(_flags(game, row)[0], _flags(game, changes), ~fits)


def _flags(game: CompiledGame, rows: Packed) -> Flags:
    count = len(game.circuit.fluents)
    return np.unpackbits(rows, axis=1, count=count, bitorder="little").view(np.bool_)
