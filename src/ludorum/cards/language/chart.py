"""Flow charts as people draw them: elements with captions and places, and connections between their ports.

Ports are numbered clockwise from the top: 0 top, 1 right, 2 bottom, 3 left. A choice is left at the bottom
where its condition holds, at the right where it does not. ``parse_chart``/``format_chart`` read and write
chart facts, ``chart_from_json``/``chart_to_json`` the same as JSON.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from ...rules.source import Source, Span
from .facts import fact_fault, read_facts
from .faults import ChartError, ChartFault
from .terms import Term, as_integer, format_term, is_string, text_of

TOP, RIGHT, BOTTOM, LEFT = range(4)
ROW, COLUMN = 200, 400
"""The distance of elements where the computer places them."""

MOST_PLAYERS = 6


class ElementKind(Enum):
    """The shape of an element: ellipse, rectangle, rhombus."""

    TERMINAL = "terminal"
    STATEMENT = "statement"
    CHOICE = "choice"


@dataclass(frozen=True)
class Element:
    """An element with a caption, at a place."""

    index: int
    kind: ElementKind
    x: int
    y: int
    caption: str


@dataclass(frozen=True)
class Connection:
    """An arrow from a port of one element to a port of another."""

    index: int
    source: int
    port: int
    target: int
    target_port: int = TOP


@dataclass(frozen=True)
class Chart:
    """All elements and connections, in the order in which they were drawn."""

    elements: tuple[Element, ...]
    connections: tuple[Connection, ...]
    players: int = 2


def parse_chart(text: str | Source) -> Chart:
    """The chart of some facts; ChartError with line and column of every fact that is wrong."""
    source = text if isinstance(text, Source) else Source("chart", text)
    elements: list[Element] = []
    connections: list[Connection] = []
    players = 2
    faults: list[ChartFault] = []
    for fact, span in read_facts(source):
        try:
            part = _part_of(fact)
        except ValueError as error:
            faults.append(_bad_fact(str(error), span, source))
            continue
        if isinstance(part, Element):
            elements.append(part)
        elif isinstance(part, Connection):
            connections.append(part)
        else:
            players = part
    if faults:
        raise ChartError(faults)
    return Chart(tuple(elements), tuple(connections), players)


def format_chart(chart: Chart) -> str:
    """The facts of a chart, a line each; the twin of ``parse_chart``."""
    lines = [] if chart.players == 2 else [f"players({chart.players})."]
    for one in chart.elements:
        # As in the source: a text to be shown is a term, all other captions are strings.
        caption = one.caption if one.caption.startswith("publish(") else quoted(one.caption)
        lines.append(f"{one.kind.value}({one.index},{one.x},{one.y},{caption}).")
    lines += [
        f"connection({one.index},{one.source},{one.port},{one.target},{one.target_port})."
        for one in chart.connections
    ]
    return "\n".join(lines) + "\n"


def chart_to_json(chart: Chart) -> dict[str, object]:
    """A chart for editors and pages."""
    return {
        "players": chart.players,
        "elements": [
            {"id": one.index, "kind": one.kind.value, "x": one.x, "y": one.y, "caption": one.caption}
            for one in chart.elements
        ],
        "connections": [
            {
                "id": one.index,
                "from": one.source,
                "port": one.port,
                "to": one.target,
                "toPort": one.target_port,
            }
            for one in chart.connections
        ],
    }


def chart_from_json(data: object, name: str = "chart") -> Chart:
    """The chart of a JSON value; ChartError that names what is missing. The twin of ``chart_to_json``."""
    source = Source(name, "")
    try:
        if not isinstance(data, Mapping):
            raise ValueError("a chart is an object with elements and connections")
        elements = tuple(_element(one) for one in _items(data, "elements"))
        connections = tuple(_connection(one) for one in _items(data, "connections"))
        return Chart(elements, connections, checked_players(_whole(data, "players", 2)))
    except ValueError as error:
        raise ChartError([fact_fault("bad-json", str(error), Span(0, 0), source, _JSON_HINT)]) from None


_JSON_HINT = "elements have id, kind, x, y and caption; connections have id, from, port and to"


def quoted(text: str) -> str:
    """A text as a string of facts."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def unquoted(term: Term) -> str:
    """The text of a string of facts; the twin of ``quoted``."""
    return re.sub(r"\\(.)", r"\1", text_of(term))


def _part_of(fact: Term) -> Element | Connection | int:
    kinds = {kind.value: kind for kind in ElementKind}
    if fact.name in kinds and len(fact.args) == 4:
        index, x, y = _integers(fact, fact.args[:3])
        return Element(index, kinds[fact.name], x, y, _caption(fact.args[3]))
    if fact.name == "connection" and len(fact.args) == 5:
        return Connection(*_integers(fact, fact.args))
    if fact.name == "players" and len(fact.args) == 1:
        return checked_players(_integers(fact, fact.args)[0])
    if fact.name in kinds or fact.name in ("connection", "players"):
        expected = {"connection": 5, "players": 1}.get(fact.name, 4)
        raise ValueError(f"{fact.name} has {expected} arguments, not {len(fact.args)}")
    raise ValueError(f"a chart has no {fact.name}/{len(fact.args)}")


def checked_players(written: int | str) -> int:
    """A number of players; ValueError where it is not a number, or a game cannot have so many."""
    try:
        count = int(written)
    except ValueError:
        count = 0
    if not 1 <= count <= MOST_PLAYERS:
        raise ValueError(
            f"a game has 1 to {MOST_PLAYERS} players, not {'none' if written == '' else written}"
        )
    return count


def _integers(fact: Term, args: tuple[object, ...]) -> list[int]:
    values = [as_integer(arg) if isinstance(arg, Term) else None for arg in args]
    for at, value in enumerate(values):
        if value is None:
            raise ValueError(f"argument {at + 1} of {fact.name} is a whole number, not {args[at]}")
    return [value for value in values if value is not None]


def _caption(term: object) -> str:
    assert isinstance(term, Term)
    return unquoted(term) if is_string(term) else format_term(term)


def _items(data: Mapping[str, object], key: str) -> list[Mapping[str, object]]:
    found = data.get(key)
    if not isinstance(found, list) or not all(isinstance(one, Mapping) for one in found):
        raise ValueError(f"{key!r} is a list of objects")
    return found


def _whole(data: Mapping[str, object], key: str, default: int | None = None) -> int:
    found = data.get(key, default)
    if isinstance(found, bool) or not isinstance(found, int):
        raise ValueError(f"{key!r} is a whole number in {dict(data)!r:.80}")
    return found


def _element(data: Mapping[str, object]) -> Element:
    kind, caption = data.get("kind"), data.get("caption", "")
    if kind not in [one.value for one in ElementKind]:
        raise ValueError(f"'kind' is terminal, statement or choice, not {kind!r:.40}")
    if not isinstance(caption, str) or "\n" in caption:
        raise ValueError("'caption' is one line of text")
    x, y = _whole(data, "x", 0), _whole(data, "y", 0)
    return Element(_whole(data, "id"), ElementKind(kind), x, y, caption)


def _connection(data: Mapping[str, object]) -> Connection:
    port, target_port = _whole(data, "port"), _whole(data, "toPort", TOP)
    return Connection(_whole(data, "id"), _whole(data, "from"), port, _whole(data, "to"), target_port)


def _bad_fact(message: str, span: Span, source: Source) -> ChartFault:
    hint = "facts are terminal, statement, choice(index,x,y,caption) and connection(index,from,port,to,port)"
    return fact_fault("bad-fact", message, span, source, hint)
