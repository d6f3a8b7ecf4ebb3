"""HTML and SVG as trees of elements: texts of a rule sheet are always escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from xml.etree.ElementTree import Element, tostring

_NOT_IN_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML text may hold, escaped or not."""


def element(tag: str, attributes: Mapping[str, object] | None = None, *children: Element | str) -> Element:
    """An element with attributes and children; texts among the children are text."""
    made = Element(tag, {name: _plain(value) for name, value in (attributes or {}).items()})
    last: Element | None = None
    for child in children:
        if isinstance(child, Element):
            made.append(child)
            last = child
        elif last is None:
            made.text = (made.text or "") + _plain(child)
        else:
            last.tail = (last.tail or "") + _plain(child)
    return made


def markup(root: Element) -> str:
    """The text of an element; well-formed XML, and the same read as HTML."""
    return tostring(root, encoding="unicode", short_empty_elements=False)


def report(title: str, rows: Iterable[tuple[str, str]], *more: Element) -> Element:
    """A heading, a table of names and values, and further elements."""
    body = [
        element("tr", {}, element("th", _LEFT, name), element("td", _LEFT, value)) for name, value in rows
    ]
    table = [element("table", {}, element("tbody", {}, *body))] if body else []
    return element(
        "div", {"class": "ludorum"}, element("div", {}, element("strong", {}, title)), *more, *table
    )


def listing(header: Sequence[str], rows: Iterable[Sequence[str]]) -> Element:
    """A table with a header."""
    head = element("tr", {}, *(element("th", _LEFT, name) for name in header))
    body = [element("tr", {}, *(element("td", _LEFT, cell) for cell in row)) for row in rows]
    return element("table", {}, element("thead", {}, head), element("tbody", {}, *body))


def _plain(value: object) -> str:
    return _NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", str(value))


_LEFT = {"style": "text-align:left"}
