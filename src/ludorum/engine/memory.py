"""The memory of states, lanes and circuits."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass

from .simulator import HasFacts, Simulator


@dataclass(frozen=True)
class Memory:
    """Memory in bytes. A packed state is a row of a batch; an object is what ``State`` methods work on."""

    state: int
    """A state in a batch: its packed bits."""
    state_object: int
    """A ``CompiledState`` with its bits; what states share, such as the joint move, is not counted."""
    lane: float
    """A game in a block of lanes, gates and all."""
    block: int
    """All lanes of a block: what one thread works in."""
    circuit: int
    """The arrays of the circuit."""

    def as_json(self) -> dict[str, object]:
        return asdict(self)


def measure_memory(simulator: Simulator[HasFacts], state: object, packed: bytes) -> Memory:
    """The memory of a game's states and lanes; ``packed`` are the bits that the state holds."""
    circuit = simulator.game.circuit
    arrays = (circuit.gate_offsets, circuit.gate_literals, circuit.legal, circuit.next, circuit.initial)
    return Memory(
        state=simulator.bytes_per_state,
        state_object=_rounded(sys.getsizeof(state)) + _rounded(sys.getsizeof(packed)),
        lane=simulator.bytes_per_lane,
        block=simulator.kernel.block_bytes,
        circuit=sum(array.nbytes for array in arrays),
    )


def _rounded(size: int) -> int:
    """What Python's allocator hands out for a small object."""
    return (size + 15) // 16 * 16
