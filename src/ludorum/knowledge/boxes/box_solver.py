"""A ground program in clingo, put there once: base atoms are choices, and every question is assumptions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ...asp.control import make_control
from ...engine.errors import GameError
from .normal_program import Literal, NormalProgram


class SolverLimitError(GameError):
    """A question took more work than was allowed."""


class BoxSolver:
    """Finds worlds of a program, each with the truth of literals that are asked for."""

    def __init__(self, program: NormalProgram, base: Collection[int], conflicts: int | None = None) -> None:
        limits = () if conflicts is None else (f"--solve-limit={conflicts},umax",)
        self._control, self._remarks = make_control("--sat-prepro=no", *limits)
        self.calls = 0
        """How often clingo was asked."""
        with self._control.backend() as backend:
            numbers = [backend.add_atom() for _ in range(program.count)]
            backend.add_rule([numbers[atom] for atom in sorted(base)], choice=True)
            for head, bodies in enumerate(program.bodies):
                for positive, negative in bodies:
                    body = [numbers[atom] for atom in positive]
                    body += [-numbers[atom] for atom in negative]
                    backend.add_rule([numbers[head]], body)
        self._literals = [literal for number in numbers for literal in (number, -number)]
        """clingo's number of each literal."""

    def find(self, given: Iterable[Literal], wanted: Sequence[Literal] = ()) -> set[Literal] | None:
        """The wanted literals that hold in some world in which all given ones do; None if there is none."""
        self.calls += 1
        literals = self._literals
        assumptions = list(map(literals.__getitem__, given))
        with self._control.solve(assumptions=assumptions, yield_=True) as handle:
            model = handle.model()
            if model is None:
                if handle.get().unknown:
                    raise SolverLimitError("the solver has reached its limit")
                return None
            return {literal for literal in wanted if model.is_true(literals[literal])}
