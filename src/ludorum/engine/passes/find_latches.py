"""Fluents that never go back: once true they stay true, or once false they stay false.

A square that is taken stays taken, a wall that is gone stays gone. The proof is one evaluation in three
values: let the fluent have its value and everything else be unknown; if its next value is known to be the
same, no state and no move can change it.
"""

from __future__ import annotations

from dataclasses import replace

from ..circuit import Circuit, Literal

AT_ONCE = 2048
"""Fluents tried in one evaluation; two numbers of so many bits are kept for each node."""

MOST_WORK = 4_000_000_000
"""Fluents times literals beyond which latches are not looked for: some seconds."""


def find_latches(circuit: Circuit) -> Circuit:
    """The circuit with its latches noted; no gate changes."""
    fluents = len(circuit.fluents)
    if fluents * len(circuit.gate_literals) > MOST_WORK:
        return circuit
    held: list[Literal] = []
    for first in range(0, fluents, AT_ONCE):
        tried = range(first, min(first + AT_ONCE, fluents))
        held += _held_literals(circuit, tried, 0) + _held_literals(circuit, tried, 1)
    return replace(circuit, latches=tuple(sorted(held)))


def _held_literals(circuit: Circuit, tried: range, sign: int) -> list[Literal]:
    """Fluent literals of one sign whose next value follows from themselves.

    Many fluents are tried at once: each bit is a world in which only one of them is known.
    """
    every = (1 << len(tried)) - 1
    # must[n]: worlds in which node n holds for certain; may[n]: those in which it can hold.
    inputs = circuit.first_gate - 1
    must = [0] * inputs + [every] + [0] * circuit.gates
    may = [every] * (inputs + 1) + [0] * circuit.gates
    for world, fluent in enumerate(tried):
        if sign:
            may[fluent] ^= 1 << world
        else:
            must[fluent] = 1 << world
    _evaluate(circuit, must, may, every)
    held = []
    for world, fluent in enumerate(tried):
        literal = int(circuit.next[fluent])
        # Wanted: the next value is surely true (sign 0), or surely false (sign 1).
        certain = ~may[literal >> 1] if (literal ^ sign) & 1 else must[literal >> 1]
        if certain >> world & 1:
            held.append(2 * fluent + sign)
    return held


def _evaluate(circuit: Circuit, must: list[int], may: list[int], every: int) -> None:
    """Fills in the gates, loops iterated from "not derived"."""
    gates = list(circuit.gate_lists())
    ends = dict(circuit.loops)
    at = 0
    while at < len(gates):
        last = ends.get(at, at)
        again = True
        while again:
            again = False
            for node, literals in enumerate(gates[at : last + 1], circuit.first_gate + at):
                surely = possibly = every
                for literal in literals:
                    if literal & 1:
                        surely &= ~may[literal >> 1]
                        possibly &= ~must[literal >> 1]
                    else:
                        surely &= must[literal >> 1]
                        possibly &= may[literal >> 1]
                if last > at and (surely, possibly) != (must[node], may[node]):
                    again = True
                must[node], may[node] = surely, possibly
        at = last + 1
