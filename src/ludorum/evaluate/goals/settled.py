"""Parts of goals whose truth is settled for the rest of a match: they count for -1 or 1, whatever is below.

A conjunction with a part that is false for ever is false for ever, and its other parts need no look; so it is
with disjunctions and what is true for ever. ``SettlingRun`` does that in each state anew. ``specialised``
makes a smaller network of what is left in a state of the match, with the same outputs from there on.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass

from .networks import LeafValue, Network, Neuron, exact_sum, squashed
from .theory import Edge, Formula, Kind, Theory, TheoryNode

LastingTruth = Callable[[Hashable], bool | None]
"""Whether a leaf is true or false for ever; None where that may change."""


class SettlingRun:
    """The outputs of a network, from the roots down to what is settled."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.visited = 0
        """Neurons and leaves looked at so far."""
        nodes = network.theory.nodes
        self._order = {
            number: sorted(nodes[number].parts, key=lambda part: nodes[part >> 1].kind is not Kind.LEAF)
            for number in network.neurons
        }
        """The parts of each neuron, leaves first: most that settles a neuron is a leaf."""

    def outputs(
        self, roots: Iterable[Edge], leaf_value: LeafValue, lasting: LastingTruth
    ) -> dict[Edge, float]:
        """The output of each root."""
        known: dict[int, tuple[float, bool]] = {}
        found = {}
        for root in roots:
            output, _ = self._output(root >> 1, leaf_value, lasting, known)
            found[root] = -output if root & 1 else output
        return found

    def _output(
        self, number: int, leaf_value: LeafValue, lasting: LastingTruth, known: dict[int, tuple[float, bool]]
    ) -> tuple[float, bool]:
        """The output of a node, and whether it is settled."""
        if number in known:
            return known[number]
        self.visited += 1
        neuron = self.network.neurons.get(number)
        if neuron is None:
            leaf = self.network.theory.leaves[number]
            truth = lasting(leaf)
            known[number] = (leaf_value(leaf), False) if truth is None else (truth_output(truth), True)
            return known[number]
        node = self.network.theory.nodes[number]
        deciding = _deciding(node.kind)
        settled = 0
        for part in self._order[number]:
            output, is_settled = self._output(part >> 1, leaf_value, lasting, known)
            if is_settled:
                used = -output if part & 1 else output
                if used == deciding:
                    known[number] = deciding, True
                    return known[number]
                settled += round(used)
        left = [part for part in node.parts if not known[part >> 1][1]]
        if not left:
            known[number] = -deciding, True
            return known[number]
        own = [-known[part >> 1][0] if part & 1 else known[part >> 1][0] for part in left]
        known[number] = squashed(neuron.weight * exact_sum(own, neuron.bias + settled)), False
        return known[number]


def truth_output(truth: bool) -> float:
    """The output of what is true or false for certain."""
    return 1.0 if truth else -1.0


def _deciding(kind: Kind) -> float:
    """The output of a settled part that settles a node."""
    return truth_output(kind is Kind.ANY)


def settled_nodes(theory: Theory, roots: Iterable[Edge], lasting: LastingTruth) -> dict[int, bool]:
    """The truth of all nodes below some roots that are settled."""
    found: dict[int, bool] = {}
    for number in theory.below(roots):
        node = theory.nodes[number]
        truth: bool | None
        if node.kind is Kind.LEAF:
            truth = lasting(theory.leaves[number])
        else:
            parts = {
                found[part >> 1] != bool(part & 1) if part >> 1 in found else None for part in node.parts
            }
            deciding = node.kind is Kind.ANY
            truth = deciding if deciding in parts else None if None in parts else not deciding
        if truth is not None:
            found[number] = truth
    return found


@dataclass(frozen=True)
class Specialised:
    """A network for the rest of a match, and what its roots are in it: constants, where they are settled."""

    network: Network
    roots: Mapping[Edge, Formula]


def specialised(network: Network, roots: Iterable[Edge], lasting: LastingTruth) -> Specialised:
    """The network without what is settled: what that counts for is part of the biases."""
    roots = list(roots)
    theory, old = Theory(), network.theory
    settled = settled_nodes(old, roots, lasting)
    place: dict[int, int] = {}
    neurons: dict[int, Neuron] = {}
    for number in _needed(old, roots, settled):
        neuron = network.neurons.get(number)
        if neuron is None:
            place[number] = theory.leaf(old.leaves[number]) >> 1
            continue
        node = old.nodes[number]
        left = [part for part in node.parts if part >> 1 not in settled]
        count = sum(
            1 if settled[part >> 1] != bool(part & 1) else -1 for part in node.parts if part >> 1 in settled
        )
        parts = tuple(2 * place[part >> 1] + (part & 1) for part in left)
        place[number] = theory.add_apart(TheoryNode(node.kind, parts))
        neurons[place[number]] = Neuron(neuron.weight, neuron.bias + count)
    told: dict[Edge, Formula] = {}
    for root in roots:
        if root >> 1 in settled:
            told[root] = settled[root >> 1] != bool(root & 1)
        else:
            told[root] = 2 * place[root >> 1] + (root & 1)
    return Specialised(Network(theory, neurons), told)


def _needed(theory: Theory, roots: Iterable[Edge], settled: Mapping[int, bool]) -> list[int]:
    """The nodes that are still looked at, parts first."""
    found: set[int] = set()
    waiting = [root >> 1 for root in roots if root >> 1 not in settled]
    while waiting:
        number = waiting.pop()
        if number not in found:
            found.add(number)
            waiting += [part >> 1 for part in theory.nodes[number].parts if part >> 1 not in settled]
    return sorted(found)
