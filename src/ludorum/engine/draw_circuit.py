"""Circuits as SVG: small ones gate by gate in layers, large ones as a map with the gates of each layer.

Positions are computed here and drawn by the template ``pages/circuit.svg``; colours follow the reader's light
or dark setting.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from ..pages import render
from ..pages.wires import Label, Wire, wire_between
from .circuit import Circuit, Literal
from .circuit_text import LiteralNames, output_names

MOST_GATES = 150
"""The most gates that are drawn one by one; beyond, a map of counts is clearer."""

PHASES = ("legal and terminal", "goals", "next and sees")


def draw_circuit(circuit: Circuit, title: str = "") -> str:
    """An SVG document."""
    if circuit.gates <= MOST_GATES:
        return _Drawing(circuit, title).svg()
    return _draw_summary(circuit, title)


def gate_depths(circuit: Circuit) -> list[int]:
    """The layer of each gate: 1 for those fed by inputs only, back edges of loops not counted."""
    depths = [0] * (circuit.first_gate + circuit.gates)
    for node, literals in enumerate(circuit.gate_lists(), circuit.first_gate):
        depths[node] = 1 + max((depths[literal >> 1] for literal in literals), default=0)
    return depths[circuit.first_gate :]


def gate_phase(circuit: Circuit, gate: int) -> int:
    """0, 1 or 2; 0 for all gates of a circuit whose phases are not split."""
    return 0 if circuit.phases is None else sum(gate >= end for end in circuit.phases[:2])


@dataclass(frozen=True)
class Gate:
    x: str
    y: str
    phase: int
    text: str
    wires: list[Wire]


@dataclass(frozen=True)
class LayerBar:
    """Gates of one layer, as a bar of the map."""

    phase: int
    x: str
    y: str
    width: str
    height: str
    text: str


@dataclass
class CircuitPicture:
    """The data of the template; lengths are formatted numbers."""

    title: str
    width: str
    height: str
    legend: str
    bases: list[tuple[str, str, str]] = field(default_factory=list)
    """Lines under the bars of a map: left, right and height."""
    gates: list[Gate] = field(default_factory=list)
    wires: list[Wire] = field(default_factory=list)
    columns: list[LayerBar] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)

    def svg(self) -> str:
        return str(render("circuit.svg", picture=self))


@dataclass
class _Place:
    x: float
    y: float


class _Drawing:
    """Inputs on the left, gates in layers by depth, outputs on the right."""

    COLUMN = 120
    ROW = 18
    INPUTS = 210
    TOP = 56

    def __init__(self, circuit: Circuit, title: str) -> None:
        self.circuit = circuit
        self.title = f"{title}: {circuit.size}" if title else str(circuit.size)
        self.name = LiteralNames(circuit)
        self.gates = list(circuit.gate_lists())
        false = circuit.true ^ 1
        self.outputs = [(label, literal) for label, literal in output_names(circuit) if literal != false]
        used = {literal >> 1 for gate in self.gates for literal in gate}
        used |= {literal >> 1 for _, literal in self.outputs}
        self.inputs = [node for node in range(circuit.first_gate) if node in used]
        self.places: dict[int, _Place] = {}
        self._place()

    def _place(self) -> None:
        depths = gate_depths(self.circuit)
        layers: list[list[int]] = [[] for _ in range(max(depths, default=0))]
        for gate, depth in enumerate(depths):
            layers[depth - 1].append(self.circuit.first_gate + gate)
        rows = max([len(self.inputs), len(self.outputs), *map(len, layers)])
        self.height = self.TOP + rows * self.ROW + 24
        self.width = self.INPUTS + (len(layers) + 1) * self.COLUMN + 220
        self._column(self.inputs, self.INPUTS)
        for number, layer in enumerate(layers, 1):
            # Gates stand near the middle of what feeds them: fewer wires cross.
            layer.sort(key=self._middle)
            self._column(layer, self.INPUTS + number * self.COLUMN)
        self.outputs.sort(key=lambda output: self.places[output[1] >> 1].y)

    def _column(self, nodes: list[int], x: float) -> None:
        step = (self.height - self.TOP - 24) / max(len(nodes), 1)
        for at, node in enumerate(nodes):
            self.places[node] = _Place(x, self.TOP + (at + 0.5) * step)

    def _middle(self, node: int) -> float:
        fed = [self.places[literal >> 1].y for literal in self.gates[node - self.circuit.first_gate]
               if literal >> 1 in self.places]  # fmt: skip
        return sum(fed) / len(fed) if fed else 0.0

    def svg(self) -> str:
        picture = CircuitPicture(self.title, f"{self.width:.0f}", f"{self.height:.0f}", _legend(self.circuit))
        picture.gates = [self._gate(gate, literals) for gate, literals in enumerate(self.gates)]
        for node in self.inputs:
            place = self.places[node]
            name = self.name(2 * node)
            picture.labels.append(Label(f"{place.x - 6:.0f}", f"{place.y + 4:.1f}", name, anchor="end"))
        step = (self.height - self.TOP - 24) / max(len(self.outputs), 1)
        x = self.width - 210
        for at, (label, literal) in enumerate(self.outputs):
            y = self.TOP + (at + 0.5) * step
            picture.wires.append(self._wire(literal, x, y))
            picture.labels.append(Label(f"{x + 8:.0f}", f"{y + 4:.1f}", label))
        return picture.svg()

    def _gate(self, gate: int, literals: list[Literal]) -> Gate:
        place = self.places[self.circuit.first_gate + gate]
        wires = [self._wire(literal, place.x - 12, place.y) for literal in literals]
        text = f"#{gate} = {' & '.join(map(self.name, literals))}"
        return Gate(f"{place.x:.0f}", f"{place.y:.1f}", gate_phase(self.circuit, gate), text, wires)

    def _wire(self, literal: Literal, x: float, y: float) -> Wire:
        start = self.places[literal >> 1]
        is_gate = literal >> 1 >= self.circuit.first_gate
        left = start.x + (6 if is_gate else 0)
        return wire_between(left, start.y, x, y, negated=bool(literal & 1))


def _legend(circuit: Circuit) -> str:
    text = "a dot is the AND of its wires; a ring negates"
    if circuit.phases is None:
        return text
    return f"{text}; blue: legal, terminal · brown: goals · green: next, sees"


def _draw_summary(circuit: Circuit, title: str) -> str:
    """Three bands, one a phase; in each a column a layer, as high as it has gates."""
    depths = gate_depths(circuit)
    counts: Counter[tuple[int, int]] = Counter()
    literals: Counter[int] = Counter()
    for gate, (depth, inside) in enumerate(zip(depths, circuit.gate_lists(), strict=True)):
        phase = gate_phase(circuit, gate)
        counts[phase, depth] += 1
        literals[phase] += len(inside)
    layers = max(depths)
    band, left = 170, 230
    step = max(6.0, min(60.0, 900 / layers))
    width = left + layers * step + 40
    height = 84 + 3 * band + 14 * min(len(circuit.loops), 20)
    legend = (
        f"{len(circuit.fluents)} fluents, {len(circuit.moves)} moves in; {len(circuit.legal)} legal,"
        f" {len(circuit.goals)} goals, {len(circuit.next)} next, {len(circuit.sees)} sees out;"
        " a column is a layer of gates"
    )
    named = f"{title}: {circuit.size}" if title else str(circuit.size)
    picture = CircuitPicture(named, f"{width:.0f}", f"{height:.0f}", legend)
    highest = max(counts.values())
    for phase, name in enumerate(PHASES):
        base = 60 + (phase + 1) * band
        gates = sum(count for (one, _), count in counts.items() if one == phase)
        picture.bases.append((str(left), f"{width - 20:.0f}", str(base)))
        picture.labels.append(Label("16", str(base - 24), name))
        said = f"{gates} gates, {literals[phase]} literals"
        picture.labels.append(Label("16", str(base - 8), said, "small"))
        for depth in range(1, layers + 1):
            count = counts[phase, depth]
            if count:
                high = max(2.0, count / highest * (band - 40))
                x, y = f"{left + (depth - 1) * step:.1f}", f"{base - high:.1f}"
                text = f"layer {depth}: {count} gates"
                picture.columns.append(LayerBar(phase, x, y, f"{step * 0.8:.1f}", f"{high:.1f}", text))
    for number, (first, last) in enumerate(circuit.loops[:20]):
        text = f"loop: gates {first} to {last}, {last - first + 1} of them"
        picture.labels.append(Label("16", str(76 + 3 * band + 14 * number), text, "small"))
    return picture.svg()
