"""Whether a role gets at least so much, in games with turns that have a circuit: two searches, one table.

Depth-first search is quick where good moves are easy to order; proof-number search follows forced lines to
their end. Which one is better is not known in advance, so they alternate, each time with more work, and share
one table; with two cores they run in parallel, and the first answer counts.
"""

from __future__ import annotations

import os
import threading
from array import array
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass, field

import numpy as np

from ..._core import ProofKernel
from ...asp.ground import WITHOUT_CLOCK, GroundingError, ground_rules
from ...engine.compiled import CompiledGame, CompiledState
from ...engine.errors import GameError
from ...rules.terms import Term
from ...search.budget import Stopwatch
from ..state_symmetry import find_state_symmetries
from .strategy import Image, Strategy, rules_digest

Report = Callable[[int], None]

GROUNDING = 10.0
"""Seconds to spend on ground rules, for symmetries, where the caller gave seconds."""


def usual_table_bytes() -> int:
    """An eighth of the machine's memory, at most two gigabytes; tables grow within it as needed."""
    try:
        whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return 512 << 20  # a system that does not say
    return min(2 << 30, max(64 << 20, whole // 8))


@dataclass(frozen=True)
class ProverConfig:
    """Settings that may be changed, with their defaults."""

    table_bytes: int = field(default_factory=usual_table_bytes)
    """Memory that all tables together may take; they may grow to half of it at least."""
    first_slice: int = 10_000
    """States that each search visits in its first turn."""
    slices_grow: int = 4
    proof_share: float = 0.25
    """The work of proof-number search as a fraction of that of depth-first search: in long searches it is
    rarely the quicker one, and where it is, it pays off early."""
    played_depth: int = 4
    """In long searches: plies from the start at which depth-first search orders moves by random games."""
    long_slice: int = 500_000
    """States from which on a search is long."""
    look_ahead: bool = True
    """In long searches: whether the circuit has gates for what is decided two moves later
    (``engine/foresight.py``). Building them takes longer than a short search."""
    symmetry: bool = True
    """In long searches: whether symmetric states are searched once."""
    threads: int = 1
    """2: both searches at once, each with half of the memory."""
    methods: tuple[str, ...] = ("depth-first", "proof-number")


class ValueProver:
    """Answers questions about one game, and keeps its table for the next question."""

    def __init__(
        self, game: CompiledGame, config: ProverConfig | None = None, report: Report | None = None
    ) -> None:
        if game.info.chance_role is not None:
            raise GameError(f"nature plays in {game.name}: there is nothing to prove by search")
        self.game = game
        self.config = config or ProverConfig()
        self.report = report
        count = 2 if self.config.threads > 1 and len(self.config.methods) > 1 else 1
        share = self.config.table_bytes // count
        self._kernels = [ProofKernel(game.single.evaluators, share) for _ in range(count)]
        self.answered_by = ""
        """The method of the last answer."""
        self._last = self._kernels[0]
        self._is_prepared = False
        self.looks_ahead = False
        """Whether the search uses foresight by now."""
        self._renamings: list[list[int]] = []

    @property
    def symmetries(self) -> int:
        """Renamings that are used by now."""
        return len(self._renamings)

    @property
    def nodes(self) -> int:
        """States visited so far."""
        return sum(kernel.nodes for kernel in self._kernels)

    @property
    def table_bytes(self) -> int:
        return sum(kernel.table_bytes for kernel in self._kernels)

    @property
    def sum(self) -> int | None:
        """The sum of all roles' goals at every end seen so far; None where it varies or no end was seen."""
        sums = {kernel.sum for kernel in self._kernels if kernel.nodes}
        return sums.pop() if len(sums) == 1 else None

    @property
    def too_deep(self) -> bool:
        """Whether a line exceeded the search's depth limit, so that the last question stayed open."""
        return any(kernel.too_deep for kernel in self._kernels)

    @property
    def repeats(self) -> bool:
        """Whether a state ever recurred on a line: then a disproof may rest on play without end."""
        return any(kernel.repetitions for kernel in self._kernels)

    def seen_goals(self, role: Term) -> list[int]:
        """The role's goals at ends seen so far: none of the proofs so far rests on another."""
        seat = self.game.seat(role)
        return sorted({goal for kernel in self._kernels for goal in kernel.seen_goals(seat)})

    def prove(
        self, state: CompiledState, role: Term, threshold: int, watch: Stopwatch, nodes: int | None = None
    ) -> bool | None:
        """Whether a role gets at least so much; None where the budget runs out first."""
        if len(self._kernels) == 2:
            return self._race(state, role, threshold, watch)
        return self._take_turns(state, role, threshold, watch, nodes)

    def strategy(
        self, state: CompiledState, role: Term, threshold: int, proved: bool, watch: Stopwatch
    ) -> Strategy | None:
        """The strategy behind an answer: of the role that gets so much, or of its opponent, which prevents
        it; None where the budget runs out first, or there are several opponents."""
        found = self._last.strategy(
            state.bits,
            self.game.seat(role),
            threshold,
            proved,
            depth_first=self.answered_by != "proof-number",
            look_ahead=self.looks_ahead,
            seconds=watch.seconds_left,
            stop=self._stop(watch, self._last),
        )
        if found is None:
            return None
        seen = self.seen_goals(role)  # after all that was searched for the strategy
        if proved:
            enough = [goal for goal in seen if goal >= threshold]
            return self._pack(state, role, min(enough, default=threshold), *found)
        others = [other for other in self.game.roles if other is not role]
        total = self.sum
        if len(others) != 1 or total is None:
            return None
        most = max((goal for goal in seen if goal < threshold), default=0)
        return self._pack(state, others[0], total - most, *found)

    def _pack(self, state: CompiledState, role: Term, value: int, states: bytes, moves: bytes) -> Strategy:
        """From packed states of the circuit and the numbers of moves, four bytes each."""
        circuit, own = self.game.circuit, self.game.circuit.role_moves[self.game.seat(role)]
        numbers = np.frombuffer(moves, np.int32) - own.start
        met = np.bincount(numbers, minlength=len(own)) > 0
        split = [np.split(np.array(renaming), [len(circuit.fluents)]) for renaming in self._renamings]
        images = [(fluents, moved[own] - own.start) for fluents, moved in split]
        count = 0
        while count < (count := int(met.sum())):  # with a move, its images, and theirs
            for _, moved in images:
                met[moved[met]] = True
        used = np.flatnonzero(met)
        places = np.cumsum(met) - 1
        return Strategy(
            self.game.name,
            rules_digest(self.game.rules),
            role,
            value,
            state.facts(),
            tuple(circuit.fluents),
            tuple(circuit.moves[own.start + number][1] for number in used.tolist()),
            states,
            array("I", places[numbers].astype(np.uint32).tobytes()),
            tuple(
                Image(tuple(fluents.tolist()), tuple(places[moved[used]].tolist()))
                for fluents, moved in images
            ),
        )

    def _prepare(self, watch: Stopwatch) -> None:
        """Turns on the features that pay off in long searches only."""
        if self._is_prepared:
            return
        self._is_prepared = True
        if self.config.look_ahead and self.game.outlook is not None:
            self.looks_ahead = True
            for kernel in self._kernels:
                kernel.set_outlook(self.game.outlook.evaluators)
        self._renamings = _renamings(self.game, watch) if self.config.symmetry else []
        if self._renamings:
            for kernel in self._kernels:
                kernel.set_symmetries(self._renamings)

    def _take_turns(
        self, state: CompiledState, role: Term, threshold: int, watch: Stopwatch, nodes: int | None
    ) -> bool | None:
        share, most = self.config.first_slice, nodes
        first = self.config.first_slice
        kernel = self._kernels[0]
        begin = kernel.nodes
        while True:
            for method in self.config.methods:
                alone = len(self.config.methods) == 1 and nodes is None
                own = share if method == "depth-first" else max(first, int(share * self.config.proof_share))
                limit = own if most is None else min(own, most - (kernel.nodes - begin))
                if limit <= 0:
                    return None
                answer = self._ask(kernel, method, state, role, threshold, watch, None if alone else limit)
                if answer is not None or watch.is_up(self.nodes) or kernel.too_deep:
                    return answer
            share *= self.config.slices_grow

    def _race(self, state: CompiledState, role: Term, threshold: int, watch: Stopwatch) -> bool | None:
        over = threading.Event()
        self._prepare(watch)
        with ThreadPoolExecutor(2) as pool:
            running = {
                pool.submit(self._ask, kernel, method, state, role, threshold, watch, None, over): (
                    kernel,
                    method,
                )
                for kernel, method in zip(self._kernels, self.config.methods, strict=False)
            }
            try:
                waiting = set(running)
                while waiting:
                    done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                    for future in done:
                        answer = future.result()
                        if answer is not None:
                            self._last, self.answered_by = running[future]
                            return answer
                return None
            finally:
                over.set()

    def _ask(
        self,
        kernel: ProofKernel,
        method: str,
        state: CompiledState,
        role: Term,
        threshold: int,
        watch: Stopwatch,
        nodes: int | None,
        over: threading.Event | None = None,
    ) -> bool | None:
        if watch.budget.nodes is not None:
            left = max(0, watch.budget.nodes - self.nodes)
            nodes = left if nodes is None else min(nodes, left)
        is_long = nodes is None or nodes > self.config.long_slice
        if is_long:
            self._prepare(watch)
        answer = kernel.prove(
            state.bits,
            self.game.seat(role),
            threshold,
            depth_first=method == "depth-first",
            played_depth=self.config.played_depth if is_long else 0,
            look_ahead=self.looks_ahead,
            nodes=nodes,
            seconds=watch.seconds_left,
            stop=self._stop(watch, kernel, over),
        )
        if answer is not None and over is None:
            self._last, self.answered_by = kernel, method
        return answer

    def _stop(
        self, watch: Stopwatch, kernel: ProofKernel, over: threading.Event | None = None
    ) -> Callable[[], bool]:
        stop, report = watch.budget.stop, self.report

        def asked() -> bool:
            if report is not None:
                report(kernel.nodes)
            return bool((stop and stop.is_set()) or (over and over.is_set()))

        return asked


def _renamings(game: CompiledGame, watch: Stopwatch) -> list[list[int]]:
    """The symmetries of a game as the kernel takes them: what becomes of each fluent and each move."""
    left = watch.seconds_left
    seconds = WITHOUT_CLOCK if left is None else min(left, GROUNDING)
    try:
        program = ground_rules(game.rules, seconds, stop=watch.budget.stop)
    except GroundingError:
        return []
    fluents = {fluent: at for at, fluent in enumerate(game.circuit.fluents)}
    moves = {(game.roles[seat], move): at for at, (seat, move) in enumerate(game.circuit.moves)}
    return [
        [
            *(fluents[found.fluents.get(fluent, fluent)] for fluent in fluents),
            *(moves[found.moves.get(move, move)] for move in moves),
        ]
        for found in find_state_symmetries(program, is_up=watch.is_up)
    ]
