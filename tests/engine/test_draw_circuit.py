"""Drawings: well-formed, complete for small circuits, a map for large ones."""

import xml.etree.ElementTree as ElementTree

from ludorum.asp.ground import ground_rules
from ludorum.engine.build_circuit import build_circuit
from ludorum.engine.circuit import Circuit
from ludorum.engine.circuit_text import parse_circuit
from ludorum.engine.draw_circuit import MOST_GATES, draw_circuit
from ludorum.engine.passes import optimise
from ludorum.rules.kif import parse_kif
from tests.small_games import COIN

SVG = "{http://www.w3.org/2000/svg}"


def drawn(circuit: Circuit) -> ElementTree.Element:
    return ElementTree.fromstring(draw_circuit(circuit, "a <game> & more"))


def texts(root: ElementTree.Element) -> set[str]:
    return {"".join(one.itertext()) for one in root.iter(f"{SVG}text")}


def test_a_small_circuit_shows_every_gate_and_every_output() -> None:
    circuit = optimise(build_circuit(ground_rules(parse_kif(COIN))))
    root = drawn(circuit)
    gates = [one for one in root.iter(f"{SVG}circle") if one.get("class", "").startswith("phase")]
    assert len(gates) == circuit.gates
    assert {"legal random noop", "(coin heads)", "does random (toss heads)"} <= texts(root)


def test_a_ring_is_drawn_backwards() -> None:
    root = drawn(
        parse_circuit("roles x\nfluents a b\nmoves x go\n#0 = ~a & ~#1\n#1 = b & ~#0\nterminal = #1")
    )
    assert any("back" in one.get("class", "") for one in root.iter(f"{SVG}path"))


def test_a_large_circuit_is_a_map_of_counts() -> None:
    gates = [f"#{at} = a & ~#{at - 1}" if at else "#0 = a & b" for at in range(MOST_GATES + 1)]
    circuit = optimise(parse_circuit("\n".join(["roles x", "fluents a b", *gates[:1], "terminal = #0"])))
    assert "gates" in draw_circuit(circuit)
    large = parse_circuit("\n".join(["roles x", "fluents a b", *gates, f"terminal = #{MOST_GATES}"]))
    root = drawn(large)
    assert f"{MOST_GATES + 1} gates, {2 * MOST_GATES + 2} literals" in texts(root)
    assert len(list(root.iter(f"{SVG}rect"))) == MOST_GATES + 1


def test_a_circuit_without_gates_is_drawn() -> None:
    assert "terminal" in texts(drawn(parse_circuit("roles x\nfluents a\nterminal = ~a")))
