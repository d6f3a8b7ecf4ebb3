"""Plans by the clingo program: the same questions as to its library, each in a process of its own.

Slower, since every horizon is ground anew; meant for other builds of clingo, and for reading the programs.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache

import clingo

from ..asp.names import read_symbol
from ..asp.whole_horizon import horizon_program
from ..engine.game import JointMove, State
from ..engine.lifted import LiftedGame
from ..rules.ruleset import Ruleset
from ..rules.terms import Term
from ..search.budget import Budget, Stopwatch
from .goals import goal_values
from .horizon import refuse_hidden_information
from .planner import LONGEST, JointPlan, PlanAnswer

SATISFIABLE, UNSATISFIABLE = "SATISFIABLE", "UNSATISFIABLE"


class ProgramError(Exception):
    """There is no clingo program, or its output cannot be read."""


@cache
def clingo_command() -> tuple[str, ...]:
    """How clingo is called: by its name, or as the module that comes with its library."""
    found = shutil.which("clingo")
    if found is not None:
        return (found,)
    command = (sys.executable, "-m", "clingo")
    try:
        subprocess.run([*command, "--version"], check=True, capture_output=True, timeout=60)
    except (OSError, subprocess.SubprocessError) as error:
        raise ProgramError(
            "there is no program clingo on the path, and the Python package has none; install clingo, "
            "or leave out the setting program=true"
        ) from error
    return command


class ProgramPlanner:
    """Plans from one state on; answers as ``Planner`` does, by value and then by length."""

    def __init__(
        self, rules: Ruleset, root: Iterable[Term] | None = None, command: Sequence[str] | None = None
    ) -> None:
        refuse_hidden_information(rules)
        self.rules = rules
        self.root = None if root is None else tuple(root)
        self.command = tuple(command) if command is not None else clingo_command()
        self.calls = 0
        self._game = LiftedGame(rules, "planned")

    def plan(
        self,
        role: Term,
        budget: Budget,
        *,
        values: Sequence[int] | None = None,
        longest: int = LONGEST,
    ) -> PlanAnswer:
        """The shortest plan of the best value that is found within the budget.

        The length of plays is not bounded from the rules: an answer without a plan of the highest value is
        complete only up to ``longest``.
        """
        watch = Stopwatch(budget)
        least, most = (min(values), max(values)) if values else (0, goal_values(self.rules, role)[0])
        best: JointPlan | None = None
        length = -1
        while length < longest and not watch.is_up():
            length += 1
            # Each play found raises the value asked for next, so the values need not be known in advance.
            while best is None or best.goal < most:
                plays = self.plays(length, role, least if best is None else best.goal + 1, watch, 1)
                if plays is None:
                    return PlanAnswer(best, False, length - 1, self.calls, watch.seconds)
                if not plays:
                    break
                goal = self._goal_after(plays[0], role)
                best = JointPlan(role, plays[0], goal, optimal=goal >= most)
            if best is not None and best.goal >= most:
                return PlanAnswer(best, True, length, self.calls, watch.seconds)
        complete = longest < LONGEST and length == longest
        if best is not None:
            best = replace(best, optimal=complete)
        return PlanAnswer(best, complete, length, self.calls, watch.seconds)

    def _goal_after(self, play: Sequence[JointMove], role: Term) -> int:
        state: State = self._game.initial() if self.root is None else self._game.state(self.root)
        for joint in play:
            state = state.play(joint)
        goal = state.goal(role)
        if goal is None:
            raise ProgramError(f"the program ends a play where {role} has no value: {play}")
        return goal

    def plays(
        self, length: int, role: Term, value: int, watch: Stopwatch, most: int = 0
    ) -> list[tuple[JointMove, ...]] | None:
        """Plays of that length and at least that value, all of them or so many; None if time ran out."""
        program = horizon_program(self.rules, self.root, length, role, value)
        self.calls += 1
        options = [*self.command, "--outf=2", "--warn=all", str(most), "-"]
        try:
            done = subprocess.run(
                options, input=program, capture_output=True, text=True, timeout=watch.seconds_left
            )
        except subprocess.TimeoutExpired:
            return None
        except OSError as error:
            raise ProgramError(f"{self.command[0]} cannot be called: {error.strerror}") from error
        return self._read(done, length)

    def _read(self, done: subprocess.CompletedProcess[str], length: int) -> list[tuple[JointMove, ...]]:
        try:
            told = json.loads(done.stdout)
            result = told["Result"]
            witnesses = told["Call"][-1].get("Witnesses", [])
        except (ValueError, KeyError, IndexError, AttributeError):
            said = (done.stderr or done.stdout).strip()[:500]
            raise ProgramError(f"{' '.join(self.command)} did not answer in JSON: {said}") from None
        if result not in (SATISFIABLE, UNSATISFIABLE):
            raise ProgramError(f"{' '.join(self.command)} ended with {result}: {done.stderr.strip()[:500]}")
        if done.stderr.strip():  # what clingo remarks on means a fault in the translation (asp/control.py)
            raise ProgramError(f"{' '.join(self.command)} remarks: {done.stderr.strip()[:500]}")
        return [self._play(witness["Value"], length) for witness in witnesses]

    def _play(self, atoms: Iterable[str], length: int) -> tuple[JointMove, ...]:
        moves: dict[tuple[int, Term], Term] = {}
        for text in atoms:
            role, move, step = clingo.parse_term(text).arguments
            moves[step.number, read_symbol(role)] = read_symbol(move)
        return tuple(tuple(moves[step, role] for role in self.rules.roles) for step in range(length))
