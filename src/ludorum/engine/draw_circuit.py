"""Circuits as SVG: small ones gate by gate in layers, large ones as a map of how many gates stand where.

Plain text out, no other program needed; colours follow the reader's light or dark setting.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from html import escape

from .circuit import Circuit, Literal
from .circuit_text import LiteralNames, output_names

MOST_GATES = 150
"""Beyond this many gates wires are a carpet, and counts say more."""

STYLE = """
svg { font: 12px system-ui, sans-serif; --ink: #1d2733; --paper: #ffffff; --wire: #8a97a8; --soft: #eef1f5;
  --first: #2f6fb0; --second: #b0722f; --third: #3f8f5b; background: var(--paper) }
@media (prefers-color-scheme: dark) { svg { --ink: #e6ebf1; --paper: #151a21; --wire: #66758a;
  --soft: #232b36; --first: #7fb3ea; --second: #e0ad70; --third: #86cf9f } }
text { fill: var(--ink) } .small { font-size: 10px } .title { font-size: 15px; font-weight: 600 }
.wire { fill: none; stroke: var(--wire); stroke-width: 1 } .back { stroke-dasharray: 4 3 }
.not { fill: var(--paper); stroke: var(--wire) } .box { fill: var(--soft); stroke: var(--wire) }
.phase0 { fill: var(--first) } .phase1 { fill: var(--second) } .phase2 { fill: var(--third) }
g:hover > .wire { stroke: var(--ink); stroke-width: 2 }
"""

PHASES = ("legal and terminal", "goals", "next and sees")


def draw_circuit(circuit: Circuit, title: str = "") -> str:
    """An SVG document."""
    if circuit.gates <= MOST_GATES:
        return _Drawing(circuit, title).svg()
    return _draw_summary(circuit, title)


def gate_depths(circuit: Circuit) -> list[int]:
    """The layer of each gate: 1 for those fed by inputs only, ways back of loops not counted."""
    depths = [0] * (circuit.first_gate + circuit.gates)
    for node, literals in enumerate(circuit.gate_lists(), circuit.first_gate):
        depths[node] = 1 + max((depths[literal >> 1] for literal in literals), default=0)
    return depths[circuit.first_gate :]


def gate_phase(circuit: Circuit, gate: int) -> int:
    """0, 1 or 2; 0 for all gates of a circuit whose phases are not split."""
    return 0 if circuit.phases is None else sum(gate >= end for end in circuit.phases[:2])


def _document(width: float, height: float, title: str, body: list[str]) -> str:
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}"'
            f' width="{width:.0f}" height="{height:.0f}" role="img">',
            f"<title>{escape(title)}</title>",
            f"<style>{STYLE}</style>",
            f'<text class="title" x="16" y="26">{escape(title)}</text>',
            *body,
            "</svg>",
            "",
        ]
    )


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
        body = [f'<text class="small" x="16" y="44">{_legend(self.circuit)}</text>']
        for gate, literals in enumerate(self.gates):
            body.append(self._gate(gate, literals))
        for node in self.inputs:
            place = self.places[node]
            label = escape(self.name(2 * node))
            body.append(f'<text x="{place.x - 6:.0f}" y="{place.y + 4:.1f}" text-anchor="end">{label}</text>')
        step = (self.height - self.TOP - 24) / max(len(self.outputs), 1)
        x = self.width - 210
        for at, (label, literal) in enumerate(self.outputs):
            y = self.TOP + (at + 0.5) * step
            body.append(f"<g>{self._wire(literal, x, y)}</g>")
            body.append(f'<text x="{x + 8:.0f}" y="{y + 4:.1f}">{escape(label)}</text>')
        return _document(self.width, self.height, self.title, body)

    def _gate(self, gate: int, literals: list[Literal]) -> str:
        place = self.places[self.circuit.first_gate + gate]
        wires = "".join(self._wire(literal, place.x - 12, place.y) for literal in literals)
        text = escape(f"#{gate} = {' & '.join(map(self.name, literals))}")
        phase = gate_phase(self.circuit, gate)
        return (
            f"<g><title>{text}</title>{wires}"
            f'<circle class="phase{phase}" cx="{place.x:.0f}" cy="{place.y:.1f}" r="6"/></g>'
        )

    def _wire(self, literal: Literal, x: float, y: float) -> str:
        start = self.places[literal >> 1]
        is_gate = literal >> 1 >= self.circuit.first_gate
        left = start.x + (6 if is_gate else 0)
        back = " back" if left > x else ""
        bend = max((x - left) / 2, 30)
        path = (
            f'<path class="wire{back}" d="M{left:.0f} {start.y:.1f}C{left + bend:.0f} {start.y:.1f}'
            f' {x - bend:.0f} {y:.1f} {x:.0f} {y:.1f}"/>'
        )
        return path + (f'<circle class="not" cx="{x:.0f}" cy="{y:.1f}" r="3"/>' if literal & 1 else "")


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
    body = [
        f'<text class="small" x="16" y="44">{len(circuit.fluents)} fluents, {len(circuit.moves)} moves in;'
        f" {len(circuit.legal)} legal, {len(circuit.goals)} goals, {len(circuit.next)} next,"
        f" {len(circuit.sees)} sees out; a column is a layer of gates</text>"
    ]
    highest = max(counts.values())
    for phase, name in enumerate(PHASES):
        base = 60 + (phase + 1) * band
        gates = sum(count for (one, _), count in counts.items() if one == phase)
        body.append(f'<line class="wire" x1="{left}" x2="{width - 20:.0f}" y1="{base}" y2="{base}"/>')
        body.append(f'<text x="16" y="{base - 24}">{name}</text>')
        body.append(
            f'<text class="small" x="16" y="{base - 8}">{gates} gates, {literals[phase]} literals</text>'
        )
        for depth in range(1, layers + 1):
            count = counts[phase, depth]
            if count:
                high = max(2.0, count / highest * (band - 40))
                x = left + (depth - 1) * step
                body.append(
                    f'<rect class="phase{phase}" x="{x:.1f}" y="{base - high:.1f}" width="{step * 0.8:.1f}"'
                    f' height="{high:.1f}"><title>layer {depth}: {count} gates</title></rect>'
                )
    for number, (first, last) in enumerate(circuit.loops[:20]):
        text = f"loop: gates {first} to {last}, {last - first + 1} of them"
        body.append(f'<text class="small" x="16" y="{76 + 3 * band + 14 * number}">{text}</text>')
    height = 84 + 3 * band + 14 * min(len(circuit.loops), 20)
    return _document(width, height, f"{title}: {circuit.size}" if title else str(circuit.size), body)
