"""A report on how a circuit was compiled: the ground rules, the gates built, and the effect of each pass."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass

from ..asp.ground import ground_rules
from ..rules.ruleset import Ruleset
from .build_circuit import build_circuit
from .circuit import Circuit
from .passes import PassResult, optimise_steps


@dataclass(frozen=True)
class CircuitReport:
    """The steps from rules to the circuit that is run, each with its size and seconds."""

    ground: dict[str, int]
    ground_seconds: float
    steps: tuple[PassResult, ...]
    """The first is the circuit as built, before any pass."""

    @property
    def circuit(self) -> Circuit:
        return self.steps[-1].circuit

    @property
    def build_seconds(self) -> float:
        """Building and all passes, without grounding."""
        return sum(step.seconds for step in self.steps)

    def as_json(self) -> dict[str, object]:
        return {
            "ground": self.ground,
            "ground_s": round(self.ground_seconds, 4),
            "build_s": round(self.build_seconds, 4),
            "phases": self.circuit.phases,
            "latches": len(self.circuit.latches),
            "steps": [
                {"step": step.name, "s": round(step.seconds, 4), **asdict(step.size)} for step in self.steps
            ],
        }

    def __str__(self) -> str:
        """A table for people."""
        rules = f"{self.ground['rules']} rules, {self.ground['literals']} literals"
        lines = [f"{'ground':<22} {self.ground_seconds:>8.3f} s  {rules}"]
        lines += [f"{step.name:<22} {step.seconds:>8.3f} s  {step.size}" for step in self.steps]
        state, goals, rest = self.circuit.phases or (0, 0, 0)
        lines.append(
            f"{'phases':<22} {state} gates for legal and terminal, {goals - state} for goals only, "
            f"{rest - goals} for next and sees"
        )
        lines.append(f"{'latches':<22} {len(self.circuit.latches)} fluent values that never go back")
        return "\n".join(lines)


def report_circuit(rules: Ruleset, processor_time: bool = False) -> CircuitReport:
    """Ground, build and optimise with times; GroundingError or CircuitError where that fails.

    With ``processor_time`` the limit of grounding counts processor seconds, for a busy machine.
    """
    start = time.perf_counter()
    program = ground_rules(rules, processor_time=processor_time)
    grounded = time.perf_counter()
    built = build_circuit(program)
    first = PassResult("build_circuit", built, time.perf_counter() - grounded)
    return CircuitReport(program.size, grounded - start, (first, *optimise_steps(built)))
