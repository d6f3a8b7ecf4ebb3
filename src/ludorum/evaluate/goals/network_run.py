"""A network that is asked for state after state: only neurons above changed leaves are computed anew."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from heapq import heapify, heappop, heappush

from .networks import Network, exact_sum, squashed
from .theory import Edge

FEW = 0.5
"""With this share of leaves changed, and more, everything is computed anew: that is faster."""


class NetworkRun:
    """The outputs of the neurons below some roots. They are the same to the last digit in either way."""

    def __init__(self, network: Network, roots: Iterable[Edge]) -> None:
        theory = network.theory
        below = theory.below(roots)
        self._leaf_numbers = [number for number in below if number not in network.neurons]
        self.leaves: list[Hashable] = [theory.leaves[number] for number in self._leaf_numbers]
        """The names of the leaves whose values it needs, in this order."""
        self._inner = [number for number in below if number in network.neurons]
        self._parts: dict[int, Sequence[Edge]] = {
            number: theory.nodes[number].parts for number in self._inner
        }
        self._neurons = {number: network.neurons[number] for number in self._inner}
        self._above: dict[int, list[int]] = {number: [] for number in below}
        for number, parts in self._parts.items():
            for part in parts:
                self._above[part >> 1].append(number)
        self._outputs: dict[int, float] = {}
        self._values: list[float] = []
        self.computed = 0
        """Neurons computed so far."""

    def set_leaves(self, values: list[float], *, delta: bool = True) -> None:
        """Compute all outputs for these values of the leaves."""
        before, self._values = self._values, values
        changed = [at for at, value in enumerate(values) if not before or value != before[at]]
        outputs = self._outputs
        for at in changed:
            outputs[self._leaf_numbers[at]] = values[at]
        if not before or not delta or len(changed) >= FEW * len(values):
            for number in self._inner:
                outputs[number] = self._output(number)
        else:
            self._follow([above for at in changed for above in self._above[self._leaf_numbers[at]]])

    def _follow(self, dirty: list[int]) -> None:
        """Compute these neurons and all whose parts change, parts first."""
        heapify(dirty)
        outputs, last = self._outputs, -1
        while dirty:
            number = heappop(dirty)
            if number == last:
                continue
            last = number
            output = self._output(number)
            if output != outputs[number]:
                outputs[number] = output
                for above in self._above[number]:
                    heappush(dirty, above)

    def _output(self, number: int) -> float:
        self.computed += 1
        outputs, neuron = self._outputs, self._neurons[number]
        own = [-outputs[part >> 1] if part & 1 else outputs[part >> 1] for part in self._parts[number]]
        return squashed(neuron.weight * exact_sum(own, neuron.bias))

    def output(self, root: Edge) -> float:
        value = self._outputs[root >> 1]
        return -value if root & 1 else value
