"""Weights by C-IL2P: one weight for all neurons, large enough for the widest of them (version 1.0).

Truth is an output above ``least``, falsity one below ``-least``; the weight keeps all outputs out of the gap.
With wide neurons it is so large that outputs are 1 or -1 to the last digit, and near states look the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from math import log

from .networks import Network, Neuron
from .theory import Edge, Kind, Theory

_GOLDEN = (5**0.5 - 1) / 2


class Least(Enum):
    """Where between its bound and 1 the least output of truth lies."""

    PRINTED = "printed"
    """As the thesis prints it: a fifth of the way up, where the weight is far from the least."""
    EXCHANGED = "exchanged"
    """With its two constants exchanged: four fifths of the way up, as in its own example."""
    BEST = "best"
    """Where the weight is least, found by search."""


def least_bound(widest: int) -> float:
    """What the least output of truth must exceed if a neuron has so many parts."""
    return (widest - 1) / (widest + 1)


def least_output(widest: int, reading: Least = Least.EXCHANGED) -> float:
    bound = least_bound(widest)
    if reading is Least.PRINTED:
        return 0.8 * bound + 0.2
    if reading is Least.EXCHANGED:
        return 0.2 * bound + 0.8
    low, high = bound, 1.0
    for _ in range(200):  # a golden section of an interval with one minimum
        left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
        if left <= low or right >= high:
            break
        if weight_for(widest, left) < weight_for(widest, right):
            high = right
        else:
            low = left
    return (low + high) / 2


def weight_for(widest: int, least: float) -> float:
    """The least weight with which outputs of such neurons stay out of the gap."""
    if not least_bound(widest) < least < 1:
        return float("inf")
    return 2 * (log(1 + least) - log(1 - least)) / (widest * (least - 1) + least + 1)


def global_network(theory: Theory, roots: Iterable[Edge], reading: Least = Least.EXCHANGED) -> Network:
    """The network of some roots by C-IL2P."""
    inner = [number for number in theory.below(roots) if theory.nodes[number].kind is not Kind.LEAF]
    widest = max((len(theory.nodes[number].parts) for number in inner), default=1)
    least = least_output(widest, reading)
    weight = weight_for(widest, least)
    neurons = {}
    for number in inner:
        node = theory.nodes[number]
        threshold = (1 + least) * (len(node.parts) - 1) / 2
        neurons[number] = Neuron(weight, threshold if node.kind is Kind.ANY else -threshold)
    return Network(theory, neurons)
