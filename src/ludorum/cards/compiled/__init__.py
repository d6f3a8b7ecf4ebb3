"""Charts as bytecode: the same games, thousands of times as fast.

``compile_program`` turns rules into numbers for the machine in ``_core``; ``CompiledCards`` plays random
games, goes on from positions and searches them. The readable machine is the oracle.
"""

from .bytecode import compile_program
from .cards import CompiledCards
from .program import NotCompiled

__all__ = ["CompiledCards", "NotCompiled", "compile_program"]
