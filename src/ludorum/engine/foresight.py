"""Playouts that look two moves ahead: a role wins at once where it can, and prevents an immediate loss.

Input: the circuit of a game. Output: the same circuit with fewer legal moves, for playouts only. In connect
four the mover then completes a line if it can, else prevents one if it can, and else moves at random. All of
it is gates (``_core/circuit/foresight.cpp``): hundreds of games look ahead at once.
"""

from __future__ import annotations

from collections.abc import Callable

from .._core import Network, foresee_gates, outlook_gates
from .circuit import Circuit, Ints
from .network import make_network
from .passes import PASSES, Pass, extract_common, optimise
from .passes.sweep import with_gates

MakeGates = Callable[[Network, int], tuple[Ints, Ints, Ints] | None]

GROWTH = 8
"""How many times the literals of the game its foresight may have: it must be worth the games that could have
been played meanwhile."""
SMALL = 4000
"""Literals that are always accepted."""
ROOM = 8
"""How many times as many literals are accepted before the passes reduce them."""


def foresee(circuit: Circuit) -> Circuit | None:
    """The circuit whose legal moves are worth playing; None where nothing is foreseen, or it costs too much.

    Of the moves of a role it keeps those that win at once, with the highest goal value; if there are none,
    those after which no other role can do so; if there are none, all. Conditions with very many literals are
    ignored.
    """
    return _with_foresight(circuit, foresee_gates, optimise)


def look_ahead(circuit: Circuit) -> Circuit | None:
    """The circuit for proof searches in a game of two roles; None as above.

    A role wins that gets its highest goal while the other gets its lowest. Of the moves of the mover it keeps
    those that win at once; where there are none, those that neither lose at once nor let the other win at
    once. It is terminal where play is over, then without any move, and where a role wins at once. Unlike in
    ``foresee``, each move that is removed is proved to be no better.
    """
    return _with_foresight(circuit, outlook_gates, _for_single_states)


def _for_single_states(circuit: Circuit) -> Circuit:
    """The circuit without shared gates, which change often where single changes are propagated."""
    for rewrite in PASSES:
        if rewrite is not extract_common:
            circuit = rewrite(circuit)
    return circuit


def _with_foresight(circuit: Circuit, make_gates: MakeGates, rewrite: Pass) -> Circuit | None:
    most = GROWTH * len(circuit.gate_literals) + SMALL
    made = make_gates(make_network(circuit), ROOM * most)
    if made is None:
        return None
    found = rewrite(with_gates(circuit, *made))
    return found if len(found.gate_literals) <= most else None
