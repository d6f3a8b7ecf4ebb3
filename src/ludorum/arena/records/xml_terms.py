"""Terms and texts as XML elements, in the words of either dialect."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from ...rules.terms import Pattern, Term

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Words:
    """The names that a dialect gives to the parts of a term."""

    relation: str
    argument: str
    case: Callable[[str], str]

    def fill(self, element: Element, term: Pattern) -> None:
        """Put a term into an element, its arguments nested in elements of their own."""
        name = self.case(term.name)
        SubElement(element, self.relation).text = safe(name)
        for arg in term.args if isinstance(term, Term) else ():
            child = SubElement(element, self.argument)
            if isinstance(arg, Term) and arg.args:
                self.fill(child, arg)
            else:
                child.text = safe(self.case(str(arg.name)))


def add(parent: Element, tag: str, text: object = None) -> Element:
    """A child with a text, or without."""
    child = SubElement(parent, tag)
    if text is not None:
        child.text = safe(str(text))
    return child


def safe(text: str) -> str:
    """A text without the characters that XML cannot hold."""
    return _FORBIDDEN.sub("\ufffd", text)


def document(root: Element, *before: str, encoding: str = "UTF-8") -> str:
    """The text of a whole file; characters beyond ASCII are written as numbers, so any encoding is right."""
    indent(root, "")
    body = tostring(root, "us-ascii").decode()
    return "\n".join([f'<?xml version="1.0" encoding="{encoding}"?>', *before, body, ""])
