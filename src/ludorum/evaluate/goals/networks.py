"""Neurons of the shape of a theory: one for each of its nodes, all strictly monotone in their parts.

The output of a neuron lies between -1 and 1, above 0 where its node holds and below 0 where it does not, as
long as the leaves are exactly 1 and -1; and it tells degrees: the more parts hold, the higher it is.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from math import exp, fsum

from .theory import Edge, Theory

LeafValue = Callable[[Hashable], float]
"""The output of a leaf: 1 where it holds for certain, -1 where it does not, or something between."""


@dataclass(frozen=True)
class Neuron:
    """Its activation is the weight times the sum of its parts, each by its sign, and of the bias."""

    weight: float
    bias: float


@dataclass(frozen=True)
class Network:
    """A neuron for every node of a theory below some roots but the leaves."""

    theory: Theory
    neurons: Mapping[int, Neuron]
    """In the order of the theory: parts come first."""

    def outputs(self, leaf_value: LeafValue) -> dict[int, float]:
        """The output of every neuron and of every leaf that one of them has."""
        found: dict[int, float] = {}

        def of(edge: Edge) -> float:
            number = edge >> 1
            if number not in found:
                found[number] = leaf_value(self.theory.leaves[number])
            return -found[number] if edge & 1 else found[number]

        for number, neuron in self.neurons.items():
            total = exact_sum([of(part) for part in self.theory.nodes[number].parts], neuron.bias)
            found[number] = squashed(neuron.weight * total)
        return found

    def output(self, root: Edge, leaf_value: LeafValue) -> float:
        found = self.outputs(leaf_value)
        value = found[root >> 1] if root >> 1 in found else leaf_value(self.theory.leaves[root >> 1])
        return -value if root & 1 else value


def exact_sum(outputs: Iterable[float], bias: float) -> float:
    """Rounded once at the end, so that mirror images of a state have one value, to the last digit."""
    return fsum(outputs) + bias


def squashed(activation: float) -> float:
    """From all numbers to those between -1 and 1: 2 / (1 + e^-x) - 1."""
    if activation < -700:  # e^709 is the largest that a float holds
        return -1.0
    return 2 / (1 + exp(-activation)) - 1
