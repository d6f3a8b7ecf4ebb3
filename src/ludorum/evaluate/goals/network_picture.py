"""The network of an evaluation as SVG: what it looks at on the left, goals on the right.

Wide networks are drawn in part: of each neuron the parts that decide most in the state, and the number of the
others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ...pages import render
from ...pages.wires import Label, Wire, wire_between
from .evaluation import Goals
from .explanation import ExplainedValue
from .theory import Edge, Kind, TheoryNode

MOST_PARTS, LEAST_PARTS = 20, 3
"""Parts of a neuron that are drawn: fewer where there would be too many of them in all."""
FEW_PARTS = 6
"""Neurons with so many parts or fewer are drawn with all of them."""
MOST_NODES = 100
"""The most neurons and leaves that are drawn."""
LEAF, NEURON, RING = 5, 11, 3
"""Half the width of what is drawn."""
LONGEST = 54
"""Characters of a text on the left."""
END = "the end of play"
STRONG = 0.55
"""A colour on which texts are written in that of the paper."""
LEGEND = (
    "blue: near to true · red: near to false · the stronger the colour, the nearer",
    "all: every part has to hold · any: one part is enough · a ring: what has to be false",
)


@dataclass(frozen=True)
class DrawnNode:
    """A neuron or a leaf."""

    x: str
    y: str
    size: int
    side: str
    """``true`` or ``false``, by the sign of its output."""
    strength: str
    """How near its output is to 1 or -1."""
    text: str
    labels: Sequence[Label]


@dataclass
class NetworkPicture:
    """The data of the template; lengths are formatted numbers."""

    title: str
    width: str
    height: str
    legend: Sequence[str]
    wires: list[Wire] = field(default_factory=list)
    nodes: list[DrawnNode] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)


def draw_network(explained: ExplainedValue, title: str) -> str:
    """An SVG document with the networks of all goals in the state that was explained."""
    return str(render("network.svg", picture=_Drawing(explained).picture(title)))


def _named_goals(goals: Goals) -> dict[Edge, list[str]]:
    """The goals that are no constants, and the end of play, in words."""
    found: dict[Edge, list[str]] = {}
    for role, own in goals.goals.items():
        for value, formula in own.items():
            if not isinstance(formula, bool):
                found.setdefault(formula, []).append(f"{role} gets {value}")
    if not isinstance(goals.terminal, bool):
        found.setdefault(goals.terminal, []).append(END)
    return found


@dataclass
class _NodePlace:
    x: float
    y: float


class _Drawing:
    COLUMN = 130
    ROW = 19
    LEAVES = 390
    """The right end of the texts on the left."""
    TOP = 76
    GOALS = 230
    """The room for the names of goals."""

    def __init__(self, explained: ExplainedValue) -> None:
        self._outputs = explained.nodes
        self._neurons = explained.evaluation.network.neurons
        self._theory = explained.evaluation.goals.theory
        self._named = _named_goals(explained.evaluation.goals)
        self._words = {part.leaf: part.words for part in explained.parts}
        self._parts = self._choose()
        self._order = self._depth_first()
        self._layer = self._layers()
        self._places = self._put()

    def _choose(self) -> dict[int, list[Edge]]:
        """The parts to draw of each neuron that is drawn: as many of each as there is room for."""
        for most_parts in range(MOST_PARTS, LEAST_PARTS - 1, -1):
            found = self._chosen(most_parts)
            if len(found) <= MOST_NODES:
                break
        return found

    def _chosen(self, most_parts: int) -> dict[int, list[Edge]]:
        """From the goals down; the lowest are left out where there is no room even so."""
        waiting = list(dict.fromkeys(edge >> 1 for edge in self._named))
        drawn = set(waiting)
        found: dict[int, list[Edge]] = {}
        for number in waiting:  # grows as it goes
            parts = self._deciding(self._theory.nodes[number])
            found[number] = parts if len(parts) <= FEW_PARTS else parts[:most_parts]
            new = dict.fromkeys(part >> 1 for part in found[number] if part >> 1 not in drawn)
            if len(drawn) + len(new) > MOST_NODES and most_parts == LEAST_PARTS:
                found[number] = [part for part in found[number] if part >> 1 in drawn]
                new = {}
            drawn.update(new)
            waiting += new
        return found

    def _deciding(self, node: TheoryNode) -> list[Edge]:
        """The parts of a node: of a disjunction the truest first, of a conjunction what it lacks most."""
        return sorted(node.parts, key=self._output, reverse=node.kind is Kind.ANY)

    def _output(self, edge: Edge) -> float:
        value = self._outputs[edge >> 1]
        return -value if edge & 1 else value

    def _depth_first(self) -> list[int]:
        """Each after its parts, and near to them."""
        found: dict[int, None] = {}

        def visit(number: int) -> None:
            if number not in found:
                for part in self._parts[number]:
                    visit(part >> 1)
                found[number] = None

        for edge in self._named:
            visit(edge >> 1)
        return list(found)

    def _layers(self) -> dict[int, int]:
        """0 for leaves, and for neurons one more than their highest part; 1 where no part is drawn."""
        found: dict[int, int] = {}
        for number in self._order:
            is_leaf = self._theory.nodes[number].kind is Kind.LEAF
            below = max((found[part >> 1] for part in self._parts[number]), default=0)
            found[number] = 0 if is_leaf else 1 + below
        return found

    def _put(self) -> dict[int, _NodePlace]:
        places: dict[int, _NodePlace] = {}
        lowest: dict[int, float] = {}
        """By layer where the next node may stand."""
        for number in self._order:
            layer = self._layer[number]
            fed = [places[part >> 1].y for part in self._parts[number]]
            middle = sum(fed) / len(fed) if fed else 0.0
            y = max(middle, lowest.get(layer, self.TOP + self.ROW / 2))
            lowest[layer] = y + self.ROW * (1 if layer == 0 else 1.8)
            places[number] = _NodePlace(self.LEAVES + layer * self.COLUMN, y)
        return places

    def picture(self, title: str) -> NetworkPicture:
        right = max(place.x for place in self._places.values()) + self.COLUMN if self._places else 600.0
        count = sum(map(len, self._named.values()))
        bottom = max([place.y for place in self._places.values()] + [self.TOP + count * self.ROW])
        picture = NetworkPicture(title, f"{right + self.GOALS:.0f}", f"{bottom + 2 * self.ROW:.0f}", LEGEND)
        picture.nodes = [self._node(number) for number in self._order]
        picture.wires = [wire for number in self._order for wire in self._wires(number)]
        lowest = self.TOP + self.ROW / 2
        for edge in sorted(self._named, key=lambda edge: self._places[edge >> 1].y):
            place = self._places[edge >> 1]
            for name in self._named[edge]:
                y = max(place.y, lowest)
                lowest = y + self.ROW
                picture.wires.append(wire_between(place.x, place.y, right, y, negated=bool(edge & 1)))
                text = f"{name}: {self._output(edge):+.3f}"
                picture.labels.append(Label(f"{right + 8:.0f}", f"{y + 4:.1f}", text, "goal"))
        return picture

    def _wires(self, number: int) -> Iterator[Wire]:
        place = self._places[number]
        for part in self._parts[number]:
            start, negated = self._places[part >> 1], bool(part & 1)
            end = place.x - NEURON - (RING if negated else 0)
            yield wire_between(start.x, start.y, end, place.y, negated=negated)

    def _node(self, number: int) -> DrawnNode:
        place, value = self._places[number], self._outputs[number]
        node = self._theory.nodes[number]
        x, y = f"{place.x:.0f}", f"{place.y:.1f}"
        side, strength = "true" if value > 0 else "false", 0.12 + 0.88 * abs(value)
        if node.kind is Kind.LEAF:
            words = self._words[self._theory.leaves[number]]
            shown = words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…"
            label = Label(f"{place.x - 10:.0f}", f"{place.y + 4:.1f}", shown, "small", "end")
            text = f"{words}: counts for {value:+.3f}"
            return DrawnNode(x, y, LEAF, side, f"{strength:.2f}", text, (label,))
        neuron = self._neurons[number]
        kind = "all" if node.kind is Kind.ALL else "any"
        text = (
            f"{kind} of {len(node.parts)} parts: {value:+.4g}; "
            f"weight {neuron.weight:.4g}, bias {neuron.bias:+.4g}"
        )
        ink = "upon" if strength > STRONG else "inside"
        labels = [Label(x, f"{place.y + 3:.1f}", kind, ink, "middle")]
        left_out = len(node.parts) - len(self._parts[number])
        if left_out:
            labels.append(Label(x, f"{place.y + NEURON + 9:.1f}", f"and {left_out} more", "small", "middle"))
        return DrawnNode(x, y, NEURON, side, f"{strength:.2f}", text, labels)
