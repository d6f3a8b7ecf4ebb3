"""Weights for each neuron by itself, no larger than its place asks for (version 1.1).

A neuron knows its *limits*: the lowest and highest outputs when it is false, and when it is true. Its parents
ask only that their own input tells truth from falsity by a gap; where it does not, the weights of their parts
are raised. So outputs keep many more digits than with one weight for all, and near states differ in value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, log

from .networks import Network, Neuron, squashed
from .theory import Edge, Kind, Theory, TheoryNode

GAP = 0.5
"""By how much the least input of truth exceeds the greatest of falsity: between 0 and 2, both excluded.

A small gap makes the next layer need a large weight, a large one this layer.
"""
_STEPS = 60
"""Halvings of an interval of weights: all digits of a float."""
_MOST_SWEEPS = 1000


@dataclass(frozen=True)
class OutputLimits:
    """What a neuron or its input can be: up to ``low`` if it is false, from ``high`` on if it is true."""

    lowest: float
    low: float
    high: float
    highest: float

    @property
    def gap(self) -> float:
        return self.high - self.low

    def negated(self) -> OutputLimits:
        return OutputLimits(-self.highest, -self.high, -self.low, -self.lowest)

    def by(self, weight: float, bias: float) -> OutputLimits:
        """The outputs for these inputs."""
        return OutputLimits(
            *(squashed(weight * (value + bias)) for value in (self.lowest, self.low, self.high, self.highest))
        )

    @property
    def is_representative(self) -> bool:
        return -1 <= self.lowest <= self.low < 0 < self.high <= self.highest <= 1


CRISP = OutputLimits(-1, -1, 1, 1)


class NoWeightsError(Exception):
    """No weights of floats tell truth from falsity: the theory is too deep and too wide."""


def input_limits(kind: Kind, parts: Sequence[OutputLimits]) -> OutputLimits:
    """The sums of the outputs of parts, before the bias: exact ones, so that mirror images have the same."""
    lowest, highest = fsum(part.lowest for part in parts), fsum(part.highest for part in parts)
    if kind is Kind.ALL:
        high = fsum(part.high for part in parts)
        return OutputLimits(lowest, highest - min(part.highest - part.low for part in parts), high, highest)
    low = fsum(part.low for part in parts)
    return OutputLimits(lowest, low, lowest + min(part.high - part.lowest for part in parts), highest)


def sufficient_weight(parts: int, least_true_input: float, gap: float) -> float:
    """A weight of the parts that is enough whatever their outputs are."""
    return -log((2 - gap) / (gap + 2 * parts)) / least_true_input


class _Weigher:
    """Weights of all nodes below some roots: raised, never lowered, until every input has its gap."""

    def __init__(self, theory: Theory, roots: Iterable[Edge], gap: float) -> None:
        self.theory = theory
        self.gap = gap
        self.inner = [number for number in theory.below(roots) if theory.nodes[number].kind is not Kind.LEAF]
        self.weights = dict.fromkeys(self.inner, 1.0)
        self.inputs: dict[int, OutputLimits] = {}

    def bias(self, number: int) -> float:
        """What moves the middle of the gap to 0."""
        found = self.inputs[number]
        return -(found.low + found.high) / 2

    def limits(self, edge: Edge, at_least: float = 0.0) -> OutputLimits:
        number = edge >> 1
        if self.theory.nodes[number].kind is Kind.LEAF:
            return CRISP
        found = self.inputs[number].by(max(self.weights[number], at_least), self.bias(number))
        return found.negated() if edge & 1 else found

    def input(self, node: TheoryNode, at_least: float = 0.0) -> OutputLimits:
        return input_limits(node.kind, [self.limits(part, at_least) for part in node.parts])

    def settle(self) -> None:
        """Sweeps from the leaves up until nothing changes: raising a shared part moves its other parents."""
        for _ in range(_MOST_SWEEPS):
            changed = [number for number in self.inner if self._settles(number)]
            if not changed:
                return
        raise NoWeightsError("the weights of shared parts do not come to rest")

    def _settles(self, number: int) -> bool:
        """Whether something changed."""
        node, before = self.theory.nodes[number], self.inputs.get(number)
        now = self.input(node)
        raised = now.gap <= self.gap
        if raised:
            at_least = self._least(node)
            for part in node.parts:
                if part >> 1 in self.weights:
                    self.weights[part >> 1] = max(self.weights[part >> 1], at_least)
            now = self.input(node)
        self.inputs[number] = now
        return raised or now != before

    def _least(self, node: TheoryNode) -> float:
        """The least weight of the parts with which the input of a node has its gap."""
        own = [self.inputs[part >> 1] for part in node.parts if part >> 1 in self.weights]
        true_input = min(limits.gap / 2 for limits in own)
        low, high = 1.0, max(1.0, sufficient_weight(len(node.parts), true_input, self.gap))
        while self.input(node, high).gap <= self.gap:
            high *= 2
            if high > 1e6:
                raise NoWeightsError(f"no weight keeps the parts of a node of {len(node.parts)} apart")
        for _ in range(_STEPS):
            middle = (low + high) / 2
            if self.input(node, middle).gap <= self.gap:
                low = middle
            else:
                high = middle
        return high


def local_network(theory: Theory, roots: Iterable[Edge], gap: float = GAP) -> Network:
    """The network of some roots with a weight for each neuron; roots have weight 1 unless they are shared."""
    if not 0 < gap < 2:
        raise ValueError(f"a gap lies between 0 and 2, not at {gap}")
    weigher = _Weigher(theory, list(roots), gap)
    weigher.settle()
    return Network(
        theory, {number: Neuron(weigher.weights[number], weigher.bias(number)) for number in weigher.inner}
    )


def limits_of(network: Network) -> Mapping[int, tuple[OutputLimits, OutputLimits]]:
    """The limits of the input and of the output of every neuron, computed anew from its weights."""
    found: dict[int, tuple[OutputLimits, OutputLimits]] = {}
    for number, neuron in network.neurons.items():
        node = network.theory.nodes[number]
        parts = []
        for part in node.parts:
            limits = found[part >> 1][1] if part >> 1 in found else CRISP
            parts.append(limits.negated() if part & 1 else limits)
        inputs = input_limits(node.kind, parts)
        found[number] = inputs, inputs.by(neuron.weight, neuron.bias)
    return found
