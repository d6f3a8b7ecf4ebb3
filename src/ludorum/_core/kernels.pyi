from typing import TypedDict

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int32]

class BuildInfo(TypedDict):
    compiler: str
    cpp_standard: int
    pointer_bits: int

def vector_width() -> int: ...
def build_info() -> BuildInfo: ...

class SplitMix64:
    def __init__(self, seed: int) -> None: ...
    def next(self) -> int: ...
    def below(self, n: int) -> int: ...
    @property
    def state(self) -> int: ...

class RuleCollector:
    def __init__(self) -> None: ...
    @property
    def callback(self) -> int: ...
    @property
    def data(self) -> int: ...
    def take(self) -> tuple[IntArray, IntArray, IntArray, IntArray]: ...

SWEEP_RULES: dict[str, int]

def build_gates(
    heads: IntArray,
    body_offsets: IntArray,
    body: IntArray,
    atoms: IntArray,
    first_gate: int,
) -> tuple[IntArray, IntArray, IntArray, IntArray]: ...
def sweep_gates(
    fluents: int,
    moves_of_roles: IntArray,
    gate_offsets: IntArray,
    gate_literals: IntArray,
    legal: IntArray,
    outputs: IntArray,
    rules: int,
) -> tuple[IntArray, IntArray, IntArray]: ...

class AtomReader:
    def __init__(self, atoms: int, functions: list[int]) -> None: ...
    def read(self, signature: int, name: str) -> tuple[IntArray, IntArray, IntArray]: ...
    def table(self) -> tuple[list[str], IntArray, IntArray, IntArray]: ...
