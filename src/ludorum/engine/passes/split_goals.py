"""Gates in three phases, so that goals are evaluated only where a match has ended.

First what legal moves and the end need, then what goals alone need, then the rest; a gate that both goals and
the next state need is in the first, since the second may be left out.
"""

from __future__ import annotations

import numpy as np

from ..circuit import Circuit
from .reorder import find_phases, reorder


def split_goals(circuit: Circuit) -> Circuit:
    """The circuit with its gates sorted by phase, and where each phase ends in ``phases``."""
    phases = find_phases(circuit)
    return reorder(circuit, np.argsort(phases, kind="stable").astype(np.int32), phases)
