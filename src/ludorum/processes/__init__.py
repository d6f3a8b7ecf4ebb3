"""Processes that can be ended, with everything they have started.

``ProcessTree`` is one process under a supervisor: its descendants, its memory and its end are one thing.
``ForkServer`` makes such processes quickly, by forking one that has already imported what they need.
``session`` runs one function in a child and ``service`` keeps an object in one, each with a clock and a
memory allowance. ``descendants`` knows which processes belong to another one, how much memory they hold and
how to end them. Imports nothing from the rest of Ludorum.
"""

from .descendants import adopt_orphans, descendants, die_with_parent, end_descendants, tree_megabytes
from .fork_server import ForkServer, fork_server
from .process_tree import UNSUPERVISED, ProcessTree, describe_status, is_possible, spawn_tree

__all__ = [
    "UNSUPERVISED",
    "ForkServer",
    "ProcessTree",
    "adopt_orphans",
    "descendants",
    "describe_status",
    "die_with_parent",
    "end_descendants",
    "fork_server",
    "is_possible",
    "spawn_tree",
    "tree_megabytes",
]
