"""Playouts that look two moves ahead: who can win at once does, and nobody lets another who need not.

Comes in: the circuit of a game; goes out: the same circuit with fewer legal moves, for playouts only. Who is
to move in connect four then completes a line if there is a way, else prevents one if there is a way, and
else moves at random. All of it is gates (``_core/foresight.cpp``): hundreds of games look ahead at once.
"""

from __future__ import annotations

from .._core import foresee_gates
from .circuit import Circuit
from .network import make_network
from .passes import optimise
from .passes.sweep import with_gates

GROWTH = 8
"""How many times the literals of the game its foresight may have: what is seen must be worth the games that
could have been played meanwhile."""
SMALL = 4000
"""Literals that do no harm anyway."""
ROOM = 8
"""How many times the literals may be more before the passes have made them fewer."""


def foresee(circuit: Circuit) -> Circuit | None:
    """The circuit whose legal moves are worth playing; None where nothing is foreseen, or too dearly.

    Of the moves of a role it leaves those that win at once, with the highest goal value; if there are none,
    those after which no other role can do so; if there are none, all. What would need very many things at
    once is overlooked.
    """
    most = GROWTH * len(circuit.gate_literals) + SMALL
    made = foresee_gates(make_network(circuit), ROOM * most)
    if made is None:
        return None
    found = optimise(with_gates(circuit, *made))
    return found if len(found.gate_literals) <= most else None
