"""Between rules and answer-set programs: reversible names, translation, calls of the solver.

Input: a ``Ruleset``. Output: clingo program text, and terms read back. May import ``rules`` only.
"""

from .names import asp_relation, asp_symbol, asp_term, gdl_name, read_symbol
from .solver import SolverError, derive
from .translate import asp_facts, asp_program

__all__ = [
    "SolverError",
    "asp_facts",
    "asp_program",
    "asp_relation",
    "asp_symbol",
    "asp_term",
    "derive",
    "gdl_name",
    "read_symbol",
]
