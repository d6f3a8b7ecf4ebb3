"""The compiled kernels: what must be fast and nothing else.

In come plain numbers, out go plain numbers: no game logic, no I/O, no imports from the other rooms.
The C++ sources lie in this folder and are built into `ludorum._core.kernels`.
"""

from ludorum._core.kernels import (
    SWEEP_RULES,
    AlphaBetaKernel,
    AtomReader,
    Lanes,
    MctsSettings,
    MctsTree,
    Network,
    NotTurnTakingError,
    ProofKernel,
    RowIndex,
    RuleCollector,
    Single,
    SplitMix64,
    build_gates,
    build_info,
    extract_gates,
    find_latches,
    foresee_gates,
    gate_order,
    gate_phases,
    load_nanoseconds,
    nested_rollouts,
    sweep_gates,
    vector_width,
)

__all__ = [
    "SWEEP_RULES",
    "AlphaBetaKernel",
    "AtomReader",
    "Lanes",
    "MctsSettings",
    "MctsTree",
    "Network",
    "NotTurnTakingError",
    "ProofKernel",
    "RowIndex",
    "RuleCollector",
    "Single",
    "SplitMix64",
    "build_gates",
    "build_info",
    "extract_gates",
    "find_latches",
    "foresee_gates",
    "gate_order",
    "gate_phases",
    "load_nanoseconds",
    "nested_rollouts",
    "sweep_gates",
    "vector_width",
]
