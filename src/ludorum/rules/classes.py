"""What a relation can depend on: nothing, the state, or the moves as well."""

from __future__ import annotations

from enum import Enum

from .dependencies import Dependencies
from .ruleset import Ruleset
from .terms import Signature

TRUE: Signature = ("true", 1)
DOES: Signature = ("does", 2)
OF_STATES: frozenset[Signature] = frozenset({TRUE, ("legal", 2), ("goal", 2), ("terminal", 0)})
"""Relations that are asked of every state, even where their rules do not depend on it."""


class Class(Enum):
    """What a relation's rows depend on."""

    STATIC = "static"
    STATE = "state"
    ACTION = "action"
    """A state and the moves made in it."""


def classify_relations(rules: Ruleset, graph: Dependencies | None = None) -> dict[Signature, Class]:
    """The class of every relation that rules define or use; ``graph`` is made where it is not given."""
    graph = graph or Dependencies(rules)
    moved = graph.users_of([DOES]) | {DOES}
    of_states = graph.users_of([TRUE]) | OF_STATES
    relations = {edge.body for edge in graph.edges} | set(rules.by_signature) | OF_STATES | {DOES}

    def class_of(relation: Signature) -> Class:
        if relation in moved:
            return Class.ACTION
        return Class.STATE if relation in of_states else Class.STATIC

    return {relation: class_of(relation) for relation in relations}
