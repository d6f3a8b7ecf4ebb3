"""From drawings to rules and back: connections go into the elements they leave, captions become terms."""

from __future__ import annotations

from .captions import parse_condition, parse_statement
from .chart import BOTTOM, RIGHT, Chart, Connection, Element, ElementKind
from .faults import ChartError, ChartFault, errors_of
from .layout import place_nodes
from .rules import ChoiceNode, EndTerminal, Node, Rules, StartTerminal, Statement, successors


def compile_chart(chart: Chart, name: str = "chart") -> Rules:
    """The rules of a chart; ChartError with every fault of its drawing and its captions."""
    from .drawing import check_drawing

    faults = list(check_drawing(chart, name))
    if errors_of(faults):
        raise ChartError(faults)
    nodes: dict[int, Node] = {}
    for element in chart.elements:
        try:
            nodes[element.index] = _node(element, chart)
        except ChartError as error:
            faults.extend(one for one in error.diagnostics if isinstance(one, ChartFault))
    if errors_of(faults):
        raise ChartError(faults)
    return Rules(nodes, chart.players)


def decompile(rules: Rules) -> Chart:
    """A chart that compiles to these rules, with places for all elements."""
    places = place_nodes(rules)
    elements = tuple(
        Element(index, _kind(node), *places[index], _caption(rules, index))
        for index, node in sorted(rules.nodes.items())
    )
    number = max(rules.nodes) + 1
    connections: list[Connection] = []
    for index, node in sorted(rules.nodes.items()):
        ports = (BOTTOM, RIGHT) if isinstance(node, ChoiceNode) else (BOTTOM,)
        for port, target in zip(ports, successors(node), strict=False):
            connections.append(Connection(number, index, port, target))
            number += 1
    return Chart(elements, tuple(connections), rules.players)


def _node(element: Element, chart: Chart) -> Node:
    leaving = {one.port: one.target for one in chart.connections if one.source == element.index}
    match element.kind:
        case ElementKind.TERMINAL:
            return StartTerminal(next(iter(leaving.values()))) if leaving else EndTerminal()
        case ElementKind.STATEMENT:
            return Statement(next(iter(leaving.values())), parse_statement(element.caption, element.index))
    return ChoiceNode(leaving[BOTTOM], leaving[RIGHT], parse_condition(element.caption, element.index))


def _kind(node: Node) -> ElementKind:
    if isinstance(node, ChoiceNode):
        return ElementKind.CHOICE
    return ElementKind.STATEMENT if isinstance(node, Statement) else ElementKind.TERMINAL


def _caption(rules: Rules, index: int) -> str:
    node = rules.nodes[index]
    if isinstance(node, StartTerminal):
        return "Start Game"
    return "TerminateGame" if isinstance(node, EndTerminal) else rules.caption(index)
